"""The application over a store, with endpoints that are no network's, and a clock to turn."""

from dataclasses import dataclass, field
from random import Random

from service.game import Game
from service.store.base import Due, Store
from service.store.webhooks import Delivery, Webhook, WebhookEvent
from service.tables import Play, Player, Status
from service.tables.dealing import acting_seat
from service.webhooks.postman import Wish
from service.webhooks.sending import Outcome, Sender
from tests.support.game import FakeClock, KeptQueue
from tests.support.tables import any_move, open_account, settings

ALL: tuple[WebhookEvent, ...] = ("your_turn", "deal_over", "seated", "table_closed")
OK = Outcome()
DOWN = Outcome("unreachable")


@dataclass
class Endpoints(Sender):
    """Sends to nobody, and says what came of it."""

    outcomes: list[Outcome] = field(default_factory=list)
    usual: Outcome = OK
    sent: list[tuple[str, Delivery]] = field(default_factory=list)
    taken: list[tuple[str, Delivery]] = field(default_factory=list)
    private: bool = True

    def send(self, webhook: Webhook, delivery: Delivery, at: int) -> Outcome:  # noqa: ARG002
        """Note a try."""
        outcome = self.outcomes.pop(0) if self.outcomes else self.usual
        self.sent.append((webhook.id, delivery))
        if outcome.fault is None:
            self.taken.append((webhook.id, delivery))
        return outcome

    def types(self, webhook: Webhook) -> list[str]:
        """The types of what a webhook's endpoint has taken."""
        mine = [one.body for id_, one in self.taken if id_ == webhook.id]
        return [body.split('"')[3] for body in mine]


class Office:
    """A game whose due things are done when asked."""

    def __init__(self, store: Store) -> None:
        self.store, self.clock, self.endpoints = store, FakeClock(), Endpoints()
        self.queue = KeptQueue()
        self.game = Game(
            store, self.queue, clock=self.clock, idle_seconds=10**9, sender=self.endpoints
        )
        self.postman = self.game.postman

    def player(self, name: str) -> Player:
        """Somebody with an account."""
        player = Player(name, name.capitalize(), "human")
        open_account(self.store, player)
        return player

    def hook(self, player: Player, *events: WebhookEvent, table: str | None = None) -> Webhook:
        """A new webhook of a player's."""
        wish = Wish("http://127.0.0.1/", events or ALL, table)
        return self.postman.make(player.id, wish, self.clock.now)

    def table(self, host: Player, seats: int = 2, deals: int = 1) -> str:
        """A new table, without pauses."""
        made = settings(seats=seats, deals=deals)
        return self.game.create_table(host, made, ()).id

    def run_due(self, *kinds: str) -> list[Due]:
        """Do what is due, of these kinds or all, until nothing is; each thing twice."""
        done: list[Due] = []
        while True:
            jobs, self.queue.jobs = self.queue.jobs, []
            now = self.clock.now
            due = {*jobs, *self.store.claim_due(now, now + 1, 100)}
            due.update(self.store.claim_due(now, now + 1, 100, webhooks=True))
            wanted = [one for one in due if not kinds or one.kind in kinds]
            for one in due.difference(wanted):
                self.store.put_off(one, self.clock.now)
            if not wanted:
                return done
            for one in wanted:
                self.game.run(one)
                self.game.run(one)
            done += wanted

    def pass_time(self, seconds: float) -> None:
        """Let time pass, and do what has come due."""
        self.clock.advance(seconds)
        self.run_due()

    def begin(self, table_id: str) -> None:
        """Cut, and draw a card, whoever is to."""
        chance = Random(5)
        for _ in range(2):
            table = self.store.load(table_id)
            seat = acting_seat(table)
            assert seat is not None
            move = any_move(table, seat, chance)
            self.game.act(table_id, Play(table.seats[seat].player.id, move))

    def play(self, table_id: str, seed: int = 5) -> None:
        """Play at a table, by random moves, until it is closed."""
        chance = Random(seed)
        while (table := self.store.load(table_id)).status is not Status.CLOSED:
            seat = acting_seat(table)
            if seat is None:
                self.run_due("settle", "next_deal")
                continue
            move = any_move(table, seat, chance)
            self.game.act(table_id, Play(table.seats[seat].player.id, move))
