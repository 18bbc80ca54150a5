"""`python -m workers QUEUE` runs one worker of a queue; `python -m workers sweep` the sweep."""

import logging
import signal
import sys
import threading

from rq import SimpleWorker
from rq.serializers import JSONSerializer

from service.config import Config, from_env
from service.store.base import QUEUES
from service.store.connection import connect_for_jobs
from service.store.queues import queue
from workers import sweep

HEARTBEAT_SECONDS = 60
"""How long RQ believes in a worker it has not heard of."""


class Worker(SimpleWorker):
    """A worker that, while the store is away, looks for it every other second."""

    max_connection_wait_time = 2.0


def run_worker(name: str, config: Config) -> None:
    """Work on one queue until SIGTERM, which lets the job at hand finish."""
    redis = connect_for_jobs(config.queues_at)
    worker = Worker(
        [queue(name, redis)],
        connection=redis,
        serializer=JSONSerializer,
        worker_ttl=HEARTBEAT_SECONDS,
        maintenance_interval=HEARTBEAT_SECONDS,
        log_job_description=False,
    )
    worker.work(logging_level="WARNING")


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
