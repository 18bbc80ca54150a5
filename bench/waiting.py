"""How soon a long poll is answered, and what the service takes while nobody asks anything."""

import select
import statistics
import time

from bench import players
from bench.driver import Answer, Connection, Sample
from bench.measure import Json, measure, percentile
from bench.players import Seated
from bench.servers import Server

WAKE_UPS = 20
"""How many of them are a round."""


class Nobody:
    """Lets time pass."""

    def run(self, seconds: float) -> Sample:
        """Do nothing for so long."""
        time.sleep(seconds)
        return Sample(seconds)


def idle(server: Server, seconds: float) -> dict[str, float]:
    """CPU milliseconds a second of each part while nobody asks anything."""
    parts = measure(server, Nobody(), seconds).parts
    return {part: 1000 * took / seconds for part, took in sorted(parts.items())}


def wake_ups(server: Server, table: Seated, rounds: int) -> Json:
    """How soon a long poll is answered after somebody else's move has been sent."""
    waiter, mover = Connection(server.address), Connection(server.address)
    whole, after_move = [], []
    answer = mover.ask(players.look(table))
    for _ in range(rounds * WAKE_UPS):
        step = players.move(table, players.read(answer))
        for seat in table.tokens:
            if step is None:
                answer = mover.ask(players.look(table, seat=seat))
                step = players.move(table, players.read(answer))
        assert step is not None, answer
        waiter.send(players.look(table, players.read(answer).version, players.WAIT))
        time.sleep(0.02)
        sent = time.perf_counter()
        mover.send(step.data)
        done = _first_answers(waiter, mover)
        answer = done[mover][0]
        whole.append(done[waiter][1] - sent)
        after_move.append(done[waiter][1] - done[mover][1])
    waiter.close()
    mover.close()
    whole.sort()
    return {
        "p50_ms": percentile(whole, 50),
        "p99_ms": percentile(whole, 99),
        "after_the_movers_answer_p50_ms": 1000 * statistics.median(after_move),
    }


def _first_answers(*connections: Connection) -> "dict[Connection, tuple[Answer, float]]":
    """The answer on each connection, and when it was there."""
    done: dict[Connection, tuple[Answer, float]] = {}
    while len(done) < len(connections):
        waiting = [one for one in connections if one not in done]
        for one in select.select(waiting, [], [])[0]:
            if (answer := one.receive()) is not None:
                done[one] = answer, time.perf_counter()
    return done
