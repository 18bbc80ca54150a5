"""`python -m workers QUEUE` runs one worker of a queue; `python -m workers sweep` the sweep."""

import logging
import signal
import sys
import threading
import time
from types import FrameType

from redis import Redis, RedisError
from rq import SimpleWorker
from rq.serializers import JSONSerializer

from service.config import Config, from_env
from service.store.base import QUEUES
from service.store.connection import connect_for_jobs
from service.store.queues import queue
from workers import sweep

logger = logging.getLogger(__name__)

HEARTBEAT_SECONDS = 20
"""How often a worker at rest says that it lives, or finds that its connection is dead: less 15."""

MAINTENANCE_SECONDS = 60
"""How often a worker clears away what others have left in RQ's registries."""

AGAIN_SECONDS = 1
"""The pause before a worker that has lost its queues begins anew."""


class Worker(SimpleWorker):
    """A worker that, while the queues are away, looks for them twice a second."""

    max_connection_wait_time = 0.5
    stopping = False

    @property
    def connection_timeout(self) -> int:
        """How long a reply may take: two seconds longer than RQ waits for a job."""
        return int(self.dequeue_timeout) + 2

    def request_stop(self, signum: int, frame: FrameType | None) -> None:
        """Stop after the job at hand."""
        self.stopping = True
        super().request_stop(signum, frame)  # type: ignore[no-untyped-call]


def run_worker(name: str, config: Config) -> None:
    """Work on one queue until SIGTERM, which lets the job at hand finish.

    RQ gives up on some errors that pass, such as a Redis that is away at the start, hangs, or is
    full; then the worker begins anew.
    """
    redis = connect_for_jobs(config.queues_at)
    while not _work(name, redis):
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, signal.SIG_DFL)
        time.sleep(AGAIN_SECONDS)


def _work(name: str, redis: Redis) -> bool:
    """Work on one queue; gives whether that ended because it was asked to."""
    worker = None
    try:
        worker = Worker(
            [queue(name, redis)],
            connection=redis,
            serializer=JSONSerializer,
            worker_ttl=HEARTBEAT_SECONDS,
            maintenance_interval=MAINTENANCE_SECONDS,
            log_job_description=False,
        )
        worker.work(logging_level="WARNING")
    except RedisError as error:
        logger.warning("the worker goes on when the queues are back: %s", error)
    return worker is not None and worker.stopping


def run_sweep(config: Config) -> None:
    """Sweep until SIGTERM."""
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    sweep.run(config, stop)


def main() -> None:
    """Run what the first argument names."""
    config = from_env()
    logging.basicConfig(
        level=config.log_level, format="%(asctime)s %(levelname)s %(name)s %(message)s"
    )
    name = sys.argv[1]
    if name == "sweep":
        run_sweep(config)
    elif name in QUEUES:
        run_worker(name, config)
    else:
        sys.exit(f"There is no queue {name!r}; there are {', '.join(QUEUES)}, and `sweep`.")


if __name__ == "__main__":
    main()
