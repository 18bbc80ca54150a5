"""What bots' turns take: against people, a job of RQ each, and among themselves."""

from collections.abc import Sequence

from bench import players
from bench.driver import Crowd
from bench.measure import Clients, Json, figures, measure, median, percentile
from bench.players import Host, Seated
from bench.servers import Server
from bench.waiting import Nobody
from service.store.connection import connect
from service.store.redis_store import RedisStore

TABLES = 4
SEATS = 5
MOST_ENTRIES = 1_000_000
WARM_UP_SECONDS = 0.5


class Turns:
    """Counts the turns of bots by the logs of their tables.

    Args:
        server: the service.
    """

    def __init__(self, server: Server) -> None:
        self._server = server
        self._store = RedisStore(connect(server.url), retention_seconds=3600, waiters=1)

    def against_people(self, host: Host, rounds: int, seconds: float) -> Json:
        """People who play a bot each: one job a bot's turn."""
        tables = [host.table_with_bot() for _ in range(TABLES)]
        delays: list[float] = []
        scripts = [players.person_and_bot(each, delays) for each in tables]
        with Crowd(self._server.address, scripts) as crowd:
            crowd.run(min(WARM_UP_SECONDS, seconds))
            delays.clear()
            taken = [self._turns(crowd, tables, 1, seconds) for _ in range(rounds)]
        delays.sort()
        delay = {"p50_ms": percentile(delays, 50), "p99_ms": percentile(delays, 99)}
        return _figures(taken) | {"from_discard_to_own_turn": delay}

    def alone(self, host: Host, seconds: float) -> Json:
        """Tables of bots alone: many turns a job."""
        tables = [host.table_of_bots(SEATS) for _ in range(TABLES)]
        return _figures([self._turns(Nobody(), tables, 0, seconds)])

    def _turns(
        self, clients: Clients, tables: Sequence[Seated], people: int, seconds: float
    ) -> Json:
        before = {table.id: self._store.load(table.id).version for table in tables}
        taken = measure(self._server, clients, seconds)
        turns = 0
        for table in tables:
            log = self._store.entries(table.id, before[table.id], MOST_ENTRIES)
            drawn = [entry for entry in log if entry.event.type == "card_drawn"]
            turns += sum(getattr(entry.event, "seat", 0) > people for entry in drawn)
        return {"turns": turns, "figures": figures(taken, (), turns)}


def _figures(rounds: Sequence[Json]) -> Json:
    whole = median([one["figures"] for one in rounds])
    # CPU seconds per 1,000 turns are CPU milliseconds a turn.
    return {
        "turns": sum(one["turns"] for one in rounds),
        "turns_per_second": whole["per_second"],
        "cpu_ms_per_turn": whole["cpu_s_per_1000"],
        "cpu_parts_ms_per_turn": whole["cpu_parts"],
        "others_percent": whole["others_percent"],
        "rounds": whole["rounds"],
    }
