"""The settings of a process: one frozen value, read once from the environment."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any


class ConfigError(Exception):
    """A setting is missing or wrong; the text says which and what it takes."""


@dataclass(frozen=True, slots=True)
class Config:
    """Each field is read from `PAIUTE_` and its name in capitals."""

    secret: str
    """Signs the tokens; at least 32 characters, the same for every process."""

    redis_url: str
    """Where tables are kept: `redis://`, `rediss://` or `unix://`."""

    queue_redis_url: str = ""
    """Where RQ keeps its queues; empty is the same Redis."""

    grant: int = 10_000
    """Chips that a new account starts with."""

    max_body_bytes: int = 256 * 1024
    """The largest request body."""

    max_waiters: int = 48
    """How many long polls of one process wait at once; further ones are answered at once."""

    retention_days: int = 30
    """How long a closed table, its log and its deals are kept."""

    log_level: str = "INFO"
    """The least level that is logged."""

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
            values[field.name] = _number(name, env[name]) if field.type is int else env[name]
    for name in ("secret", "redis_url"):
        if not values.get(name):
            raise ConfigError(f"PAIUTE_{name.upper()} is not set; `paiute serve` needs no setting.")
    if len(values["secret"]) < 32:
        raise ConfigError("PAIUTE_SECRET has to have at least 32 characters.")
    return Config(**values)


def _number(name: str, text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise ConfigError(f"{name} takes a whole number, not {text!r}.") from None
