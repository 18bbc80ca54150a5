"""`python -m workers QUEUE` runs one worker of a queue; `python -m workers sweep` the sweep."""

import logging
import signal
import sys
import threading
import time

from redis import Redis, RedisError
from rq.serializers import JSONSerializer

from service.config import Config, from_env
from service.observe import logs, metrics, tracing
from service.store.connection import connect_for_jobs
from service.store.queue_names import QUEUES
from service.store.queues import queue
from workers import pulse, sweep
from workers.worker import Worker

logger = logging.getLogger(__name__)

HEARTBEAT_SECONDS = 20
"""How often a worker at rest says that it lives, or finds that its connection is dead: less 15."""

MAINTENANCE_SECONDS = 60
"""How often a worker clears away what others have left in RQ's registries."""

AGAIN_SECONDS = 1
"""The pause before a worker that has lost its queues begins anew."""


def run_worker(name: str, config: Config) -> None:
    """Work on one queue until SIGTERM, which lets the job at hand finish.

    RQ gives up on some errors that pass, such as a Redis that is away at the start, hangs, or is
    full; then the worker begins anew.
    """
    redis = connect_for_jobs(config.queues_at)
    while not _work(name, redis, config.pulse_file):
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, signal.SIG_DFL)
        time.sleep(AGAIN_SECONDS)


def _work(name: str, redis: Redis, pulse_file: str) -> bool:
    """Work on one queue; gives whether that ended because it was asked to."""
    worker = None
    pulse.beat(pulse_file)
    try:
        worker = Worker(
            [queue(name, redis)],
            connection=redis,
            serializer=JSONSerializer,
            worker_ttl=HEARTBEAT_SECONDS,
            maintenance_interval=MAINTENANCE_SECONDS,
            log_job_description=False,
        )
        worker.pulse_file = pulse_file
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
    logs.begin(config.log_level, config.log_format)
    name = sys.argv[1]
    try:
        metrics.begin(config.metrics_port)
    except OSError as error:
        sys.exit(f"Cannot tell metrics on port {config.metrics_port}: {error.strerror}.")
    tracing.begin(config.otlp_endpoint, name)
    if name == "sweep":
        run_sweep(config)
    elif name in QUEUES:
        run_worker(name, config)
    else:
        sys.exit(f"There is no queue {name!r}; there are {', '.join(QUEUES)}, and `sweep`.")


if __name__ == "__main__":
    main()
