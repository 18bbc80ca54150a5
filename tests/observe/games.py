"""A deal that is played over HTTP, and what came of it."""

from contextlib import closing

from tests.support.client import Client, Json, simple_choice

MOVES = {"cut": "cut", "card_drawn": "draw", "card_discarded": "discard", "called": "call"}
"""For the type of an event the kind of move that it is."""


def never_call(view: Json) -> Json | None:
    """A move that `legal` offers, but no call: so the guest draws and discards in each deal."""
    offered = [one for one in view["you"]["legal"] if one["action"] != "call"]
    return simple_choice({**view, "you": {**view["you"], "legal": offered}})


class Game:
    """A guest and two bots at a private table, until its first deal is settled."""

    def __init__(self, url: str) -> None:
        self.own_moves = 0
        with closing(Client(url)) as guest:
            self.token, self.player = str(guest.account["token"]), guest.id
            bots = [{"level": "hard"}, {"level": "medium"}]
            settings = {"thinking_ms": 0, "pause_seconds": 60, "visibility": "private"}
            view = guest.create(seats=4, bots=bots, start_when="host", **settings)
            self.table, self.code = str(view["id"]), str(view["invite_code"])
            view = guest.post(f"/tables/{self.table}/start").json()
            while view["status"] != "pause":
                view = self._on(guest, view)
            self.events: list[Json] = []
            while page := guest.get(self._events_after(len(self.events))).json()["items"]:
                self.events += page
            guest.post(f"/tables/{self.table}/leave")

    def _events_after(self, version: int) -> str:
        return f"/tables/{self.table}/events?after={version}"

    def _on(self, guest: Client, view: Json) -> Json:
        choice = never_call(view)
        if choice is None:
            return guest.next_view(view)
        answer = guest.act(view, choice)
        assert 200 == answer.status_code, answer.text
        self.own_moves += 1
        after: Json = answer.json()
        return after

    @property
    def moves(self) -> dict[str, int]:
        """How many moves of each kind everybody made."""
        kinds = [MOVES[event["type"]] for event in self.events if event["type"] in MOVES]
        return {kind: kinds.count(kind) for kind in MOVES.values()}
