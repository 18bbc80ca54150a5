"""From settings to a working application; the API and the workers both start here."""

from service.config import Config
from service.game import Game
from service.store.connection import connect
from service.store.queues import RqQueues
from service.store.redis_store import RedisStore
from service.webhooks.sending import Sender

DAY = 24 * 3600
HOUR_MS = 3600 * 1000


def build_game(config: Config) -> Game:
    """The application over the Redis that the settings name."""
    store = RedisStore(
        connect(config.redis_url, config.redis_connections),
        config.retention_days * DAY,
        config.max_waiters,
        streams=config.max_streams,
    )
    return Game(
        store,
        build_queues(config),
        config.grant,
        idle_seconds=config.idle_seconds,
        max_tables=config.max_tables,
        sender=Sender(private=config.webhook_private),
        failing_ms=config.webhook_failing_hours * HOUR_MS,
    )


def build_queues(config: Config) -> RqQueues:
    """The job queues that the settings name."""
    return RqQueues(connect(config.queues_at))
