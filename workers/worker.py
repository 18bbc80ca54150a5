"""An RQ worker for many short jobs of which nothing is kept."""

import sys
from datetime import timedelta
from types import FrameType

from redis.client import Pipeline
from rq import Queue, SimpleWorker
from rq.job import Job
from rq.timeouts import JobTimeoutException
from rq.utils import now
from rq.worker import WorkerStatus

from workers import pulse

BEAT_SECONDS = 5
"""How often a worker at work says that it lives."""

GONE_SECONDS = 30
"""After so long without a word it counts as gone: no job takes longer."""


class Worker(SimpleWorker):
    """A worker that, while the queues are away, looks for them twice a second.

    RQ notes in some twenty round trips that a job runs, and where, and that it is done, so that
    what a dead worker had is found again.  Here the due index sees to that, and sooner: so only the
    end of a job is noted, in one round trip.  Of one that fails RQ keeps all that it ever does.

    Meanwhile the job's id is in what RQ calls the intermediate queue.  Maintenance notes when it
    has first seen an id there, and a minute later takes it for that of a dead worker; as the same
    id may come again, that note goes with the job.
    """

    max_connection_wait_time = 0.5
    stopping = False
    pulse_file = ""

    @property
    def connection_timeout(self) -> int:
        """How long a reply may take: two seconds longer than RQ waits for a job."""
        return int(self.dequeue_timeout) + 2

    def request_stop(self, signum: int, frame: FrameType | None) -> None:
        """Stop after the job at hand."""
        self.stopping = True
        super().request_stop(signum, frame)  # type: ignore[no-untyped-call]

    def execute_job(self, job: Job, queue: Queue) -> None:
        """Run a job, and forget it."""
        job.started_at = now()
        self._state = WorkerStatus.BUSY  # Who is told to stop now does so after the job.
        try:
            self._run(job, queue)
        finally:
            self._state = WorkerStatus.IDLE

    def _run(self, job: Job, queue: Queue) -> None:
        try:
            with self.death_penalty_class(job.timeout, JobTimeoutException, job_id=job.id):
                job.perform()
        except Exception:  # noqa: BLE001 - whatever it was, it is noted
            self._note_failure(job, queue)
            return
        with self.connection.pipeline() as pipe:
            pipe.lrem(queue.intermediate_queue_key, 1, job.id)
            pipe.delete(job.key, queue.intermediate_queue.get_first_seen_key(job.id))
            pipe.execute()

    def _note_failure(self, job: Job, queue: Queue) -> None:
        """Have RQ note a job that has raised, as if it had run it."""
        raised = sys.exc_info()
        execution = self.prepare_execution(job)
        self.prepare_job_execution(job, remove_from_intermediate_queue=True)
        self._finalize_failure(job, queue, execution, raised)
        self.connection.delete(queue.intermediate_queue.get_first_seen_key(job.id))
        super().set_state(WorkerStatus.IDLE)

    def heartbeat(self, timeout: int | None = None, pipeline: Pipeline | None = None) -> None:
        """Say that it lives, to those on this machine first, as Redis may be away.

        Redis hears of it every few seconds only.
        """
        pulse.beat(self.pulse_file)
        last = self.last_heartbeat
        if pipeline is None and last and now() < last + timedelta(seconds=BEAT_SECONDS):
            return
        super().heartbeat(timeout or GONE_SECONDS, pipeline)

    def set_state(self, state: str, pipeline: Pipeline | None = None) -> None:
        """Say what it does, where that is news."""
        if pipeline is not None or state != self._state:
            super().set_state(state, pipeline)

    def set_shutdown_requested_date(self) -> None:
        """Nothing: Redis may be away, and the job at hand, which was interrupted, is to go on."""

    def procline(self, message: str) -> None:
        """Nothing: `ps` goes on showing the command, and so the queue."""

    def check_for_suspension(self, burst: bool) -> None:
        """Nobody suspends it: a queue at rest is one without workers."""
