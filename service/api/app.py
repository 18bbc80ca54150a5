"""The Flask application."""

from importlib.metadata import version

from apispec.ext.marshmallow import MarshmallowPlugin
from flask import Flask, Request, Response
from marshmallow import Schema
from werkzeug.exceptions import ClientDisconnected, UnsupportedMediaType
from werkzeug.middleware.proxy_fix import ProxyFix

from service import wiring
from service.api import (
    admin,
    cors,
    deals,
    docs,
    event_schemas,
    events,
    health,
    idempotency,
    identities,
    invitations,
    languages,
    leaderboard,
    limits,
    play,
    players,
    problem_pages,
    quick_match,
    reference,
    sandbox,
    tables,
    tokens,
    web,
    webhook_events,
    webhooks,
)
from service.api import metrics as scrape
from service.api.auth import identify
from service.api.description import description
from service.api.here import here
from service.api.json import JSON, MsgspecProvider
from service.api.lean import LeanFlask
from service.api.observed import Observed
from service.api.oidc import provider_of
from service.api.smorest import PaiuteApi
from service.api.traced import Traced
from service.config import Config, from_env
from service.game import Game
from service.observe import logs, metrics, tracing

OPENAPI_VERSION = "3.1.0"

MODULES = (
    players,
    tokens,
    identities,
    tables,
    quick_match,
    sandbox,
    invitations,
    play,
    events,
    deals,
    leaderboard,
    reference,
    webhooks,
    health,
    admin,
)
"""The parts of the API, in the order of the document."""

BEARER = {
    "type": "http",
    "scheme": "bearer",
    "description": "A token of `POST /v1/players` or `POST /v1/me/tokens`, or of the identity "
    "provider of this service. An operation that names a scope (`play`, `lobby` or `account`) "
    "takes a token that has it.",
}
"""How callers prove who they are, as the document has it."""


def create_app(config: Config | None = None, game: Game | None = None) -> Flask:
    """The application, over the settings in the environment unless others are given."""
    config = config or from_env()
    game = game or wiring.build_game(config)
    provider = provider_of(config)
    logs.begin(config.log_level, config.log_format)
    metrics.begin()
    metrics.STREAMS_LIMIT.set(config.max_streams)
    tracing.begin(config.otlp_endpoint, "api")
    app = LeanFlask("service.api", static_folder=None)
    app.json = MsgspecProvider(app)
    languages.register(app)
    app.url_map.merge_slashes = False  # An odd table id is not found, rather than elsewhere.
    app.config.update(
        MAX_CONTENT_LENGTH=config.max_body_bytes,
        API_TITLE="Paiute",
        API_VERSION=version("paiute"),
        OPENAPI_VERSION=OPENAPI_VERSION,
    )

    @app.before_request
    def prepare() -> Response | None:
        asked, state = here()
        state.game, state.config, state.provider = game, config, provider
        path = asked.path
        if path.startswith(admin.PATH):
            admin.identify()
        elif path.startswith("/v1/"):
            identify(asked, state)
        limits.begin(asked)
        if asked.method == "POST" and _has_body(asked):
            _check_body(asked)
        return idempotency.begin(asked, state)

    @app.after_request
    def finish(response: Response) -> Response:
        state = here()[1]
        if "charged" not in state:
            response = limits.finish(response)
        return idempotency.finish(response) if state.get("keyed") else response

    cors.register(app, config.cors_origins)

    if config.proxies:
        app.wsgi_app = ProxyFix(  # type: ignore[method-assign]
            app.wsgi_app, x_for=config.proxies, x_proto=0
        )
    api = _api(app, config)
    for module in MODULES:
        api.register_part(module.blp)
    app.config["OPENAPI_DOCUMENT"] = api.document
    docs.register(app)
    problem_pages.register(app)
    web.register(app)
    scrape.register(app)
    if tracing.on():
        app.wsgi_app = Traced(app.wsgi_app)  # type: ignore[method-assign]
    app.wsgi_app = Observed(app.wsgi_app, log=config.log_requests)  # type: ignore[method-assign]
    return app


def _has_body(asked: Request) -> bool:
    """Whether a body came for a route that there is."""
    sent = asked.content_length or "HTTP_TRANSFER_ENCODING" in asked.environ
    return bool(sent) and asked.routing_exception is None


def _check_body(asked: Request) -> None:
    """Refuse a body that is no JSON, and one whose end was lost with its connection."""
    if asked.environ.get("CONTENT_TYPE") != JSON and not asked.is_json:
        raise UnsupportedMediaType
    if len(asked.get_data(cache=True)) < (asked.content_length or 0):
        raise ClientDisconnected


def _api(app: Flask, config: Config) -> PaiuteApi:
    spec = {
        "marshmallow_plugin": MarshmallowPlugin(schema_name_resolver=_schema_name),
        "info": {
            "description": description(config),
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": "/"}],
        "webhooks": webhook_events.described(),
    }
    api = PaiuteApi(app, spec_kwargs=spec)
    for name, schema in event_schemas.described().items():
        api.spec.components.schema(name, schema)
    api.spec.components.security_scheme("bearer", BEARER)
    api.spec.components.security_scheme("admin", admin.SECURITY)
    return api


def _schema_name(schema: type[Schema] | Schema) -> str:
    """The name of a schema in the document."""
    kind = schema if isinstance(schema, type) else type(schema)
    return kind.__name__.removesuffix("Out")
