"""Scripted clients: they sit down, play by `legal`, fall silent, leave, and look for new tables."""

import threading
import time
from dataclasses import dataclass
from random import Random

from tests.chaos.caller import Answer, Caller, Json
from tests.chaos.findings import Findings
from tests.chaos.journal import Journal

THINK_SECONDS = (0.02, 0.3)
SILENT = 0.03
"""How often a player lets a turn run out."""

LEAVES = 0.004
"""How often a player leaves in the middle, at each look at the table."""

PATIENCE_SECONDS = 6
"""How long a player waits for a table to begin."""

POLL_SECONDS = 3
BOTS = "bots"
"""The name of the tables at which only bots play."""

MANY = 100_000
"""More deals than there is time for."""

BAD_NETWORK = 0.5
"""How many of the clients reach the service over a network that loses connections."""


@dataclass(frozen=True)
class Evening:
    """What all clients share.

    Args:
        seed: of all their chance.
        url: where the service is.
        bad_url: where it is over a network that loses connections.
        journal: gets every request.
        findings: gets what the service does wrong.
        over: set when they are to leave their tables and go.
    """

    seed: int
    url: str
    bad_url: str
    journal: Journal
    findings: Findings
    over: threading.Event


class Player(threading.Thread):
    """A client that plays until it is told that the evening is over.

    Args:
        name: tells it from others, and is part of its seed.
        evening: what all clients share.
    """

    def __init__(self, name: str, evening: Evening) -> None:
        super().__init__(name=name, daemon=True)
        self.chance = Random(f"{evening.seed}:{name}")
        url = evening.bad_url if self.chance.random() < BAD_NETWORK else evening.url
        self.caller = Caller(url, self.chance, evening.journal, evening.findings)
        self.over = evening.over

    def run(self) -> None:
        """Play at one table after the other."""
        try:
            while not self.over.is_set():
                if not self.caller.player:
                    self.sign_up()
                elif view := self.seat():
                    self.play(view)
        finally:
            self.caller.close()

    def sign_up(self) -> None:
        """Get an account."""
        answer = self.caller.post("sign_up", "/players", {"name": self.name, "kind": "bot"})
        if answer is not None and answer.ok:
            self.caller.signed_in(answer.body["id"], answer.body["token"])

    def seat(self) -> Json | None:
        """A seat at a table that waits for players, or at a new one."""
        open_tables = self.open_tables()
        if open_tables and self.chance.random() < 0.9:
            table = self.chance.choice(open_tables)["id"]
            return self.seen(self.caller.post("join", f"/tables/{table}/join", {}, table))
        return self.seen(self.caller.post("create", "/tables", self.settings()))

    def open_tables(self) -> list[Json]:
        """What the lobby has."""
        answer = self.caller.get("/tables", open_seats=1, limit=10)
        found: list[Json] = answer.body["items"] if answer and answer.ok else []
        return found

    def settings(self) -> Json:
        """A new table: small stacks, short turns, few deals."""
        chance = self.chance
        seats = chance.randint(2, 4)
        bots = chance.randint(0, seats - 2)
        return {
            "seats": seats,
            "name": "chaos",
            "bots": [{"level": chance.choice(("easy", "medium"))} for _ in range(bots)],
            "buy_in": chance.choice((10, 40)),
            "turn_seconds": chance.randint(3, 5),
            "pause_seconds": chance.randint(0, 1),
            "thinking_ms": chance.choice((0, 20, 50)),
            "deals": chance.randint(2, 6),
            "rules": {
                "cut": chance.choice(("player", "player", "auto")),
                "on_timeout": chance.choice(("auto_play", "auto_play", "bot")),
                "final_turns": chance.choice(("complete_round", "every_player")),
            },
        }

    def play(self, view: Json) -> None:
        """Play until the seat is lost, or left, or the table closes."""
        began = time.monotonic()
        while view["status"] != "closed" and view["you"]:
            legal = {one["action"]: one for one in view["you"]["legal"]}
            waits = view["status"] == "waiting" and time.monotonic() - began > PATIENCE_SECONDS
            if self.over.is_set() or waits or self.chance.random() < LEAVES or broke(view):
                if waits and self.chance.random() < 0.5 and self.completed(view):
                    view = self.look(view)
                    continue
                self.post(view, "leave", {})
                return
            if "start" in legal:
                view = self.post(view, "start", {})
            elif move := self.move(legal):
                view = self.silent(view) if self.chance.random() < SILENT else self.act(view, move)
            else:
                view = self.next(view)

    def completed(self, view: Json) -> bool:
        """Whether a house bot has taken a free seat of one's own table."""
        if view["host"] != self.caller.player or not view["open_seats"]:
            return False
        path = f"/tables/{view['id']}/bots"
        answer = self.caller.post("bots", path, {"level": "easy"}, view["id"])
        return answer is not None and answer.ok

    def move(self, legal: dict[str, Json]) -> tuple[str, Json] | None:
        """What to do now; None while it is another's turn."""
        if "cut" in legal:
            return "cut", {"position": self.chance.randrange(52), "entropy": self.name}
        if "call" in legal:
            return "call", {}
        if "draw" in legal:
            return "draw", {"from": self.chance.choice(legal["draw"]["from"])}
        if "discard" in legal:
            return "discard", {"card": self.chance.choice(legal["discard"]["cards"])}
        return None

    def act(self, view: Json, move: tuple[str, Json]) -> Json:
        """Think, then move: mostly for the version that was seen, sometimes for any."""
        time.sleep(self.chance.uniform(*THINK_SECONDS))
        action, body = move
        return self.post(view, action, body, named=self.chance.random() < 0.8)

    def post(self, view: Json, action: str, body: Json, *, named: bool = False) -> Json:
        """Ask for something at the table; gives the view after it."""
        expected = view["version"] if named else None
        table = view["id"]
        answer = self.caller.post(action, f"/tables/{table}/{action}", body, table, expected)
        return self.seen(answer) or self.look(view)

    def silent(self, view: Json) -> Json:
        """Let the turn run out."""
        turn, number = view["deal"]["turn"], view["deal"]["number"]
        while view["status"] in ("cutting", "playing") and not self.over.is_set():
            view = self.next(view)
            if (view["deal"]["turn"], view["deal"]["number"]) != (turn, number):
                break
        return view

    def next(self, view: Json) -> Json:
        """The table once it has moved on, or after some seconds."""
        answer = self.caller.get(f"/tables/{view['id']}", view["version"], wait=POLL_SECONDS)
        if answer is None or not answer.ok:
            time.sleep(0.1)
        return self.seen(answer) or view

    def look(self, view: Json) -> Json:
        """The table as it stands, as soon as it can be seen."""
        while True:
            answer = self.caller.get(f"/tables/{view['id']}")
            if now := self.seen(answer):
                return now
            if answer is not None and answer.status == 404:
                return view | {"status": "closed"}
            time.sleep(0.1)

    @staticmethod
    def seen(answer: Answer | None) -> Json | None:
        """The view in an answer, also in the one to who came too late."""
        if answer is None:
            return None
        return answer.body if answer.ok and answer.body else answer.body.get("view")


def broke(view: Json) -> bool:
    """Whether a player has too few chips for another deal, and none is going on."""
    own = next(seat for seat in view["seats"] if seat["seat"] == view["you"]["seat"])
    between = view["status"] in ("waiting", "pause")
    return bool(between and own["stack"] < view["ante"])


class Watcher(Player):
    """A client that makes tables at which only bots play, and another one when one closes."""

    def __init__(self, name: str, evening: Evening, tables: int) -> None:
        super().__init__(name, evening)
        self._tables: list[str] = []
        self._wanted = tables

    def seat(self) -> Json | None:
        """Make tables, and look at one."""
        if len(self._tables) < self._wanted:
            view = self.seen(self.caller.post("create", "/tables", self.settings()))
            if view is not None:
                self._tables.append(view["id"])
            return None
        table = self.chance.choice(self._tables)
        view = self.seen(self.caller.get(f"/tables/{table}"))
        if view and view["status"] == "closed":
            self._tables.remove(table)
        self.over.wait(1)
        return None

    def settings(self) -> Json:
        """A table of bots.  Those that don't think have a pause, to leave others the processor."""
        seats = self.chance.randint(2, 5)
        thinking_ms = self.chance.choice((0, 20, 50))
        levels = [self.chance.choice(("easy", "medium")) for _ in range(seats)]
        return {
            "seats": seats,
            "name": BOTS,
            "bots": [{"level": level} for level in levels],
            "thinking_ms": thinking_ms,
            "pause_seconds": 0 if thinking_ms else 1,
            "deals": MANY,
        }
