# One image for every process of the service; its command says which one it is:
#   api (the default), streams, worker bots, worker settlement, worker clock, worker webhooks, sweep.

FROM python:3.11-slim-bookworm AS build

ENV PIP_DISABLE_PIP_VERSION_CHECK=1 \
    PIP_NO_CACHE_DIR=1

WORKDIR /build
COPY requirements.lock requirements-build.lock ./

# Wheels only: nothing is compiled here, and no package runs code of its own while it is installed.
RUN python -m venv /opt/venv \
 && /opt/venv/bin/pip install --only-binary :all: --require-hashes -r requirements.lock

# What builds the project's own wheel is locked too, and stays behind in this stage.
RUN python -m venv /opt/build \
 && /opt/build/bin/pip install --only-binary :all: --require-hashes -r requirements-build.lock

COPY pyproject.toml README.md LICENSE ./
COPY service ./service
COPY workers ./workers
RUN /opt/build/bin/pip wheel --no-build-isolation --no-deps --wheel-dir dist . \
 && /opt/venv/bin/pip install --no-deps dist/*.whl \
 && /opt/venv/bin/pip check


FROM python:3.11-slim-bookworm

ARG VERSION=dev
ARG REVISION=unknown
LABEL org.opencontainers.image.title="paiute" \
      org.opencontainers.image.description="A game-as-a-service backend for the card game Paiute: API, workers and sweep." \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"

ENV PATH=/opt/venv/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    PAIUTE_LOG_FORMAT=json

# A fixed number, so that Kubernetes can see that it is not root; no home, no shell.
RUN groupadd --gid 10001 paiute \
 && useradd --uid 10001 --gid 10001 --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin paiute

# The environment holds the whole service, bytecode included, for the root file system is read-only later.
COPY --from=build /opt/venv /opt/venv

WORKDIR /app
USER 10001:10001
EXPOSE 8000

# No HEALTHCHECK: the same image runs workers, which have no port. compose.yaml and k8s/ probe the API.
ENTRYPOINT ["paiute"]
CMD ["api", "--host", "0.0.0.0", "--port", "8000"]
