"""The settings of a process: one frozen value, read once from the environment."""

import os
from collections.abc import Callable, Mapping
from dataclasses import Field, dataclass, fields
from importlib.util import find_spec
from typing import Any

from service.store.connection import BadAddress, check_address, is_cluster, pool_at
from service.tables.table import IDLE_SECONDS

LEAST_IDLE_SECONDS = 60
"""Less would close tables under people who only think, or who look for a fourth player."""

BUDGETS = ("play", "lobby", "history")
"""Each has its own limits."""

LEAST = {
    "max_body_bytes": 1,
    "redis_connections": 1,
    "retention_days": 1,
    "idle_seconds": LEAST_IDLE_SECONDS,
    "webhook_failing_hours": 1,
} | {f"{budget}_burst": 1 for budget in BUDGETS}
"""The least value of a setting that takes a number; of the others it is 0."""

MOST = 10**12
"""The largest value of any number: Redis counts far, but not without end."""

NEEDED = {
    "secret": "for instance what `openssl rand -hex 32` prints, the same for every process",
    "redis_url": "for instance redis://127.0.0.1:6379/0",
}
"""What has to be set, and to what."""

LOG_FORMATS = ("text", "json")

LOG_LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")


MOST_PORT = 65535


class ConfigError(Exception):
    """A setting is missing or wrong; the text says which and what it takes."""


@dataclass(frozen=True, slots=True)
class Config:
    """Each field is read from `PAIUTE_` and its name in capitals."""

    secret: str
    """Signs the tokens; at least 32 characters, the same for every process."""

    redis_url: str
    """Where tables are kept: `redis://`, `rediss://`, `unix://`; `+sentinel` or `+cluster` too."""

    queue_redis_url: str = ""
    """Where RQ keeps its queues; empty is the same Redis, which is no cluster then."""

    redis_connections: int = 192
    """How many connections to Redis a process opens at most: one for each thread, and some more."""

    grant: int = 10_000
    """Chips that a new account starts with."""

    max_body_bytes: int = 256 * 1024
    """The largest request body."""

    max_waiters: int = 48
    """How many long polls of one process wait at once; further ones are answered at once."""

    max_streams: int = 96
    """How many streams of one process are open at once; further ones are refused."""

    streams_per_token: int = 8
    """How many streams a token may have open at once; 0 is any number."""

    retention_days: int = 30
    """How long a closed table, its log and its deals are kept."""

    idle_seconds: int = IDLE_SECONDS
    """How long a table waits for its players where no other clock runs; at least 60."""

    max_tables: int = 250
    """How many tables a player may be at, or be host of, at once; 0 is no limit."""

    play_per_second: int = 300
    """How many moves and looks at tables a caller may make in a second; 0 is no limit."""

    play_burst: int = 1000
    """How many of them at once."""

    lobby_per_second: int = 100
    """How many requests for tables and accounts a caller may make in a second; 0 is no limit."""

    lobby_burst: int = 500
    """How many of them at once."""

    history_per_second: int = 100
    """How many pages of what has happened a caller may get in a second; 0 is no limit."""

    history_burst: int = 500
    """How many of them at once."""

    oidc_issuer: str = ""
    """An identity provider whose tokens are taken: its address; empty is none."""

    oidc_audience: str = ""
    """What its tokens have to be made for (`aud`)."""

    oidc_jwks_url: str = ""
    """Where its public keys are; empty is where it says itself."""

    webhook_private: bool = False
    """Whether webhooks may call private addresses, and HTTP without TLS."""

    webhook_failing_hours: int = 72
    """How long a webhook may fail before it is switched off."""

    cors_origins: str = "*"
    """The origins whose web pages may call the API, with commas between them; empty is none."""

    proxies: int = 0
    """How many proxies of our own stand before the API, each adding to X-Forwarded-For."""

    admin_token: str = ""
    """What operators call `/v1/admin` with; at least 32 characters, empty is nobody."""

    metrics_port: int = 0
    """Where a worker or the sweep that runs by itself tells its metrics; 0 is nowhere."""

    otlp_endpoint: str = ""
    """Where traces are sent by OTLP over HTTP; empty is nowhere."""

    pulse_file: str = ""
    """A file that a worker or the sweep touches in each of its rounds; empty is none."""

    log_level: str = "INFO"
    """The least level that is logged."""

    log_format: str = "text"
    """How lines of the log are written: `text`, or `json` with a line for each."""

    log_requests: bool = False
    """Whether each request has a line in the log."""

    def budget(self, name: str) -> tuple[int, int]:
        """How many requests of a kind a caller may make in a second, and how many at once."""
        return getattr(self, f"{name}_per_second"), getattr(self, f"{name}_burst")

    @property
    def queues_at(self) -> str:
        """Where RQ keeps its queues."""
        return self.queue_redis_url or self.redis_url


def from_env(env: Mapping[str, str] = os.environ) -> Config:
    """The settings in the environment.

    Raises:
        ConfigError: one is missing, or its value does not fit.
    """
    values: dict[str, Any] = {}
    for field in fields(Config):
        name = f"PAIUTE_{field.name.upper()}"
        if name in env:
            values[field.name] = _value(field, name, env[name])
    if missing := [name for name in NEEDED if not values.get(name)]:
        said = [f"PAIUTE_{name.upper()} is not set; {NEEDED[name]}." for name in missing]
        raise ConfigError("\n".join([*said, "`paiute serve` needs no setting."]))
    if len(values["secret"]) < 32:
        raise ConfigError("PAIUTE_SECRET has to have at least 32 characters.")
    config = Config(**values)
    if 0 < len(config.admin_token) < 32:
        raise ConfigError("PAIUTE_ADMIN_TOKEN has to have at least 32 characters, or none.")
    _check_addresses(config)
    _check_provider(config)
    if config.log_level not in LOG_LEVELS:
        raise ConfigError(
            f"PAIUTE_LOG_LEVEL takes one of {', '.join(LOG_LEVELS)}, not {config.log_level!r}."
        )
    if config.log_format not in LOG_FORMATS:
        raise ConfigError(f"PAIUTE_LOG_FORMAT takes text or json, not {config.log_format!r}.")
    if config.metrics_port > MOST_PORT:
        raise ConfigError(f"PAIUTE_METRICS_PORT has to be at most {MOST_PORT}.")
    _check_traces(config.otlp_endpoint)
    return config


def _value(field: Field[Any], name: str, text: str) -> int | bool | str:
    if field.type is bool:
        return _truth(name, text)
    return _number(name, text, LEAST.get(field.name, 0)) if field.type is int else text


def _truth(name: str, text: str) -> bool:
    if text not in ("true", "false"):
        raise ConfigError(f"{name} takes true or false, not {text!r}.")
    return text == "true"


def _number(name: str, text: str, least: int) -> int:
    try:
        number = int(text)
    except ValueError:
        raise ConfigError(f"{name} takes a whole number, not {text!r}.") from None
    if not least <= number <= MOST:
        raise ConfigError(f"{name} has to be at least {least} and at most {MOST}.")
    return number


def _check_provider(config: Config) -> None:
    for name in ("oidc_issuer", "oidc_jwks_url"):
        address = getattr(config, name)
        if address and not address.startswith(("https://", "http://")):
            raise ConfigError(f"PAIUTE_{name.upper()} has to begin with https://, or http://.")
    if config.oidc_issuer and not config.oidc_audience:
        raise ConfigError("PAIUTE_OIDC_ISSUER needs PAIUTE_OIDC_AUDIENCE beside it.")


def _check_traces(endpoint: str) -> None:
    if not endpoint:
        return
    if not endpoint.startswith(("https://", "http://")):
        raise ConfigError("PAIUTE_OTLP_ENDPOINT has to begin with https://, or http://.")
    if not _can_trace():
        raise ConfigError("PAIUTE_OTLP_ENDPOINT needs the packages of `paiute[tracing]`.")


def _check_addresses(config: Config) -> None:
    _check_address("PAIUTE_REDIS_URL", config.redis_url, check_address)
    if is_cluster(config.redis_url) and not config.queue_redis_url:
        raise ConfigError(
            "PAIUTE_QUEUE_REDIS_URL has to name a Redis for the queues: PAIUTE_REDIS_URL names a "
            "cluster, which they can't lie in."
        )
    _check_address("PAIUTE_QUEUE_REDIS_URL", config.queues_at, pool_at)


def _can_trace() -> bool:
    try:
        return find_spec("opentelemetry.exporter.otlp.proto.http") is not None
    except ModuleNotFoundError:
        return False


def _check_address(name: str, url: str, check: Callable[[str], object]) -> None:
    try:
        check(url)
    except BadAddress as error:
        raise ConfigError(f"{name} is no address of a Redis: {error}.") from None
