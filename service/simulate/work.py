"""The work: the blocks of a plan, played on all cores."""

import os
import signal
import threading
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from multiprocessing.connection import Connection
from random import Random
from time import process_time

from service.bots.bot import Bot
from service.simulate import quick, whole
from service.simulate.match import Chunk, Plan
from service.simulate.outcome import Outcome
from service.simulate.outside import Outside
from service.simulate.players import player
from service.simulate.tally import Tally
from service.simulate.watch import Watched

AHEAD = 4
"""How many chunks each process finds ready, so that none waits for the slowest."""

CUT = 0
"""The deck is shuffled: one place is as good as another."""


def results(plan: Plan, jobs: int) -> Iterator[tuple[Chunk, Tally]]:
    """What comes of each part of a plan, in order, whatever the number of processes.

    Raises:
        Gone: an outside bot does not answer.
    """
    chunks = plan.chunks
    jobs = min(jobs, len(chunks))
    if jobs == 1:
        yield from zip(chunks, map(partial(play, plan), chunks), strict=True)
        return
    spawn = get_context("spawn")  # Nothing that this process holds is to be in the others.
    told, stop = spawn.Pipe(duplex=False)
    workers = ProcessPoolExecutor(jobs, spawn, initializer=_begin, initargs=(told,))
    done = False
    try:
        yield from _spread(plan, workers, AHEAD * jobs)
        done = True
    finally:
        if not done:
            stop.send_bytes(b"stop")
        workers.shutdown()
        told.close()
        stop.close()


def _spread(plan: Plan, workers: Executor, ahead: int) -> Iterator[tuple[Chunk, Tally]]:
    waiting: deque[tuple[Chunk, Future[Tally]]] = deque()
    for chunk in plan.chunks:
        waiting.append((chunk, workers.submit(play, plan, chunk)))
        if len(waiting) > ahead:
            first, future = waiting.popleft()
            yield first, future.result()
    for chunk, future in waiting:
        yield chunk, future.result()


def _begin(told: Connection) -> None:
    """Make a process end at once, and say nothing: at Ctrl-C, when told, or with the one above."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    threading.Thread(target=_end_when_told, args=(told,), daemon=True).start()


def _end_when_told(told: Connection) -> None:
    told.poll(None)  # Nobody reads what is there, so all processes see it; or the other end closes.
    os._exit(1)


def play(plan: Plan, chunk: Chunk) -> Tally:
    """Play some blocks.

    Raises:
        Gone: an outside bot does not answer.
    """
    tally, started = Tally(), process_time()
    table = _Table(plan, tally)
    for block in chunk.blocks:
        seed = plan.seed_of(chunk.pairing, block)
        outcomes = [
            table.play(
                plan.number_of(chunk.pairing, block, place),
                seed,
                names,
                Random(f"{seed}:{place}"),  # noqa: S311 - it has to repeat
            )
            for place, names in enumerate(plan.seatings(chunk.pairing))
        ]
        tally.add_block(chunk.pairing, outcomes)
    tally.cpu = process_time() - started
    return tally


class _Table:
    """Where deals are played; the players are watched."""

    def __init__(self, plan: Plan, tally: Tally) -> None:
        self._rules = plan.rules
        self._tally = tally
        self._bots: dict[str, Bot] = {}
        self._outside: dict[str, Outside] = {}
        for name in plan.names:
            found = player(name, plan.bots.get(name), plan.seconds)
            if isinstance(found, Bot):
                self._bots[name] = Watched(name, found, tally)
            else:
                self._outside[name] = found

    def play(self, number: int, seed: str, names: Sequence[str], rng: Random) -> Outcome:
        """Play a deal, of this number, with these players in the order of play."""
        if self._outside.keys().isdisjoint(names):
            bots = [self._bots[name] for name in names]
            return quick.play(seed, CUT, bots, self._rules, rng)
        seated = [(name, self._outside.get(name) or self._bots[name]) for name in names]
        return whole.play(seed, CUT, seated, self._rules, rng=rng, tally=self._tally, number=number)
