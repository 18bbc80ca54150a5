"""From settings to a working application; the API and the workers both start here."""

from service.config import Config
from service.game import Game
from service.store.connection import connect
from service.store.queues import RqQueues
from service.store.redis_store import RedisStore

DAY = 24 * 3600


def build_game(config: Config) -> Game:
    """The application over the Redis that the settings name."""
    store = RedisStore(connect(config.redis_url), config.retention_days * DAY, config.max_waiters)
    return Game(
        store,
        build_queues(config),
        config.grant,
        idle_seconds=config.idle_seconds,
        max_tables=config.max_tables,
    )


def build_queues(config: Config) -> RqQueues:
    """The job queues that the settings name."""
    return RqQueues(connect(config.queues_at))
