"""No answer ever holds a card that its reader may not see.

Whole deals are played while everybody looks at everything after each step. What a reader may know
is worked out from the true state: cards that have been public in this deal, and the own ones.
"""

import re
from collections import defaultdict
from collections.abc import Iterable

import pytest

from service.engine.cards import DECK
from service.engine.deal import Reason
from service.engine.events import Called, CardDiscarded, CardDrawn, DeckCut
from service.tables import Status
from service.tables.events import Entry, Showdown
from service.tables.records import DealRecord
from service.tables.table import GRACE_MS
from tests.api.contract import Json
from tests.api.world import Caller, World, easy_move, legal
from tests.engine.positions import position

CARD = re.compile(r"\b[2-9TJQKA][cdhs]\b")
BOTS = [{"level": "easy"}, {"level": "easy"}]


class Witness:
    """Knows for each deal of a table which cards have been public, and who held which."""

    def __init__(self, world: World, table: str) -> None:
        self.world, self.table = world, table
        self.public: dict[int, set[str]] = defaultdict(set)
        self.held: dict[tuple[int, str], set[str]] = defaultdict(set)
        self.seeds: set[str] = set()
        self._version = 0

    def learn(self) -> None:
        """Take note of what has happened; call it after each step."""
        for entry in self.world.store.entries(self.table, self._version, 10_000):
            self._version = entry.id
            self.public[entry.deal] |= set(_made_public(entry))
            if isinstance(entry.event, CardDrawn) and entry.player and entry.event.card:
                self.held[entry.deal, entry.player].add(entry.event.card)
        table = self.world.table(self.table)
        if table.deal is None:
            return
        self.seeds.add(table.deal.seed)
        for seat, hand in table.deal.hands.items():
            if seat in table.seats and table.dealt_in(seat):
                self.held[table.number, table.seats[seat].player.id] |= set(hand.cards)
            if hand.laid or (table.deal.reason is Reason.SHOWDOWN and not hand.folded):
                self.public[table.number] |= set(hand.cards)

    def hidden_from(self, viewer: Caller, number: int) -> set[str]:
        """The cards of a deal that a viewer may not know."""
        own = self.held[number, viewer.id] if viewer.account else set()
        return set[str](DECK) - self.public[number] - own


def _made_public(entry: Entry) -> Iterable[str]:
    match entry.event:
        case DeckCut(wild_card=wild, discard_top=top):
            return (wild, top)
        case CardDiscarded(card=card):
            return (card,)
        case Called(combination=combination, discarded=discarded):
            return (*combination.cards, *([discarded] if discarded else []))
        case Showdown(hands=hands):
            return [card for hand in hands for card in hand.cards]
    return ()


class Watchers:
    """Everybody who looks at a table: its players, a signed-in spectator, somebody unknown."""

    def __init__(self, world: World, table: str, *players: Caller) -> None:
        self.world, self.table = world, table
        self.viewers = [*players, world.player("Spectator"), world.anybody]
        self.witness = Witness(world, table)
        self.looks = 0
        self._looked_at = 0

    def look(self) -> None:
        """Have everybody look at everything, and fail where somebody sees too much."""
        table = self.world.table(self.table)
        if table.version == self._looked_at:
            return
        self._looked_at = table.version
        self.witness.learn()
        if table.in_deal:
            for rest in ("", "/proof", "/view?seat=1"):
                answer = self.viewers[0].get(self._path(f"/deals/{table.number}{rest}"))
                assert "not_found" == answer.json["code"]
        for viewer in self.viewers:
            hidden = self.witness.hidden_from(viewer, table.number)
            if table.status is Status.CUTTING:
                assert hidden == set(DECK)
            for text in self._answers(viewer):
                self._check(text, hidden)

    def look_back(self) -> None:
        """Have everybody look at all the events and records there are."""
        self.witness.learn()
        numbers = {
            entry.id: entry.deal for entry in self.world.store.entries(self.table, 0, 99_999)
        }
        records = self.world.store.records(self.table, None, 100)
        assert records
        for viewer in self.viewers:
            after = 0
            while events := viewer.get(self._path(f"/events?after={after}")).json["items"]:
                for event in events:
                    hidden = self.witness.hidden_from(viewer, numbers[event["id"]])
                    self._check(str(event["data"]), hidden)
                after = events[-1]["id"]
            for record in records:
                hidden = self.witness.hidden_from(viewer, record.number)
                for text in self._looks_back(viewer, record):
                    self._check(text, hidden)

    def _looks_back(self, viewer: Caller, record: DealRecord) -> Iterable[str]:
        """A deal's record, and looks back from every seat, each at another of its versions."""
        path = self._path(f"/deals/{record.number}")
        yield viewer.get(path).text
        yield viewer.get(f"{path}/view").text
        first, last = record.from_version, record.to_version
        for seat in record.players:
            version = first + seat * (last - first) // len(record.players)
            yield viewer.get(f"{path}/view?seat={seat}&version={min(version, last)}").text

    def _answers(self, viewer: Caller) -> Iterable[str]:
        table = self.world.table(self.table)
        yield viewer.get(self._path()).text
        yield viewer.get(self._path(f"/events?after={table.deal_from}")).text
        yield viewer.get(self._path("/deals")).text
        yield viewer.get("/v1/tables").text
        if viewer.account:
            yield viewer.get("/v1/me/tables").text
        yield viewer.do(self.table, "draw", {"from": "stock"}, If_Match='"0"').text
        if table.deal is None or table.deal.turn is None:
            return
        acting = viewer.account and table.seat_of(viewer.id) == table.deal.turn
        wild = table.deal.wild_card or "As"
        if not acting:
            yield viewer.do(self.table, "draw", {"from": "discard"}).text
            yield viewer.do(self.table, "call", {}).text
        elif table.status is Status.PLAYING:
            yield viewer.do(self.table, "cut", {"position": 1}).text
            yield viewer.do(self.table, "discard", {"card": wild}).text

    def _check(self, text: str, hidden: set[str]) -> None:
        self.looks += 1
        seen = set(CARD.findall(text)) & hidden
        assert not seen, f"{seen} in {text}"
        assert not [seed for seed in self.witness.seeds if seed in text]
        assert '"seed"' not in text

    def _path(self, rest: str = "") -> str:
        return f"/v1/tables/{self.table}{rest}"


def play_on(world: World, watchers: Watchers, players: list[Caller], until: str) -> None:
    """Play by `legal` until the table has a status, with everybody looking after each step."""
    for _ in range(3_000):
        watchers.look()
        for player in players:
            view = player.view(watchers.table)
            if view["you"] and (move := easy_move(view)):
                player.did(watchers.table, *move)
                watchers.look()
        world.pass_time(0.001)
        if world.table(watchers.table).status == until:
            watchers.look()
            return
    raise AssertionError(f"the table is never {until}")


@pytest.mark.parametrize("rules", [{}, {"final_turns": "every_player", "cut": "auto"}])
def test_whole_deals(world: World, rules: Json) -> None:
    """Two people and two bots play two deals: nobody sees a hidden card, then or afterwards."""
    players = [world.player("Keola"), world.player("Pua")]
    settings = {"turn_seconds": 0, "pause_seconds": 1, "thinking_ms": 1}
    table = players[0].create(seats=4, bots=BOTS, rules=rules, **settings)["id"]
    watchers = Watchers(world, table, *players)
    watchers.look()
    players[1].did(table, "join", {})
    for _ in range(2):
        play_on(world, watchers, players, "pause")
        watchers.look_back()
        world.pass_time(1)

    assert watchers.looks > 40


def test_the_check_itself(world: World, two_seated: Json, keola: Caller, pua: Caller) -> None:
    """The check would notice: one player's own view, seen by the other, is too much."""
    keola.did(two_seated["id"], "cut", {"position": 3})
    watchers = Watchers(world, two_seated["id"], keola, pua)
    watchers.look()

    with pytest.raises(AssertionError, match=" in "):
        watchers._check(
            keola.get(f"/v1/tables/{two_seated['id']}").text,
            watchers.witness.hidden_from(pua, 1),
        )


def test_a_seat_taken_over(world: World, keola: Caller, pua: Caller, nalu: Caller) -> None:
    """Who takes a seat that another has left sees nothing of the former player's cards."""
    table = keola.create(seats=3, turn_seconds=0, pause_seconds=1, rules={"first_dealer": 2})["id"]
    pua.did(table, "join", {})
    keola.did(table, "start")
    keola.did(table, "cut", {"position": 9})
    keola.did(table, "draw", {"from": "stock"})
    watchers = Watchers(world, table, keola, pua, nalu)
    watchers.look()
    former = set(keola.view(table)["you"]["hand"])
    keola.did(table, "leave")
    watchers.look()
    world.run_due()
    watchers.look()

    view = nalu.did(table, "join", {"seat": 1})
    assert ([], None, 0) == (
        view["you"]["hand"],
        view["you"]["best"],
        view["seats"][0]["hand_size"],
    )
    assert former & watchers.witness.hidden_from(nalu, 1)
    watchers.look()
    watchers.look_back()
    world.pass_time(1)
    watchers.look()
    play_on(world, watchers, [pua, nalu], "pause")
    watchers.look_back()


def test_a_seat_taken_in_a_deal(world: World, keola: Caller, pua: Caller, nalu: Caller) -> None:
    """Who sits down in the middle of a deal is a spectator of it to its end, and in its record."""
    settings = {"turn_seconds": 0, "pause_seconds": 1, "thinking_ms": 1}
    table = keola.create(seats=4, bots=BOTS[:1], start_when="host", **settings)["id"]
    pua.did(table, "join", {})
    keola.did(table, "start")
    watchers = Watchers(world, table, keola, pua, nalu)
    watchers.look()
    nalu.did(table, "join", {})
    play_on(world, watchers, [keola, pua, nalu], "pause")
    watchers.look_back()


def test_a_folded_hand(world: World, keola: Caller, pua: Caller, nalu: Caller) -> None:
    """A hand that folds stays hidden, after the showdown of the others too."""
    table = keola.create(seats=3, turn_seconds=0, pause_seconds=1, rules={"cut": "auto"})["id"]
    pua.did(table, "join", {})
    nalu.did(table, "join", {})
    watchers = Watchers(world, table, keola, pua, nalu)
    watchers.look()
    turn = {1: keola, 2: pua, 3: nalu}[keola.view(table)["deal"]["turn"]]
    turn.did(table, "draw", {"from": "stock"})
    watchers.look()
    turn.did(table, "leave")
    play_on(world, watchers, [keola, pua, nalu], "pause")

    assert "showdown" == keola.view(table)["deal"]["result"]["reason"]
    others = [player for player in (keola, pua, nalu) if player is not turn]
    assert 1 <= len(watchers.witness.hidden_from(others[0], 1) & hand_of(watchers, turn))
    watchers.look_back()


def test_the_last_player(world: World, two_seated: Json, keola: Caller, pua: Caller) -> None:
    """Where the others have left, the winner's hand stays hidden too, in the pause and after."""
    keola.did(two_seated["id"], "cut", {"position": 30})
    watchers = Watchers(world, two_seated["id"], keola, pua)
    watchers.look()
    pua.did(two_seated["id"], "leave")
    watchers.look()
    world.run_due()
    watchers.look()
    watchers.look_back()

    view = keola.view(two_seated["id"])
    assert ("pause", "last_player") == (view["status"], view["deal"]["result"]["reason"])
    assert hand_of(watchers, keola) <= watchers.witness.hidden_from(pua, 1)


def test_a_void_deal(world: World, two_seated: Json, keola: Caller, pua: Caller) -> None:
    """A deal that is void ends with all hands hidden."""
    hands = {1: "3c 4d 5h 6s 7c", 2: "3d 4h 5s 6c 7d"}
    rules = {"max_reshuffles": 0, "first_dealer": 2}
    table = keola.create(turn_seconds=0, rules=rules)["id"]
    pua.did(table, "join", {})
    true_rules = world.table(table).settings.rules
    deal = position(hands, wild="2c", pile="9c", rest_under_pile=True, rules=true_rules, ante=5)
    world.put_deal(table, deal)
    watchers = Watchers(world, table, keola, pua)
    watchers.witness.learn()
    watchers.witness.public[1] |= set(deal.pile) | {"2c"}
    watchers.look()
    keola.did(table, "draw", {"from": "stock"})
    watchers.look()
    world.run_due()
    watchers.look()

    assert "void" == keola.view(table)["deal"]["result"]["reason"]
    assert [100, 100] == [one["stack"] for one in keola.view(table)["seats"]]
    assert set(hands[2].split()) <= watchers.witness.hidden_from(keola, 1)


def test_timed_out_turns(world: World, keola: Caller, pua: Caller) -> None:
    """A card that is drawn for a player out of time is that player's alone."""
    table = keola.create(turn_seconds=1, pause_seconds=1)["id"]
    pua.did(table, "join", {})
    watchers = Watchers(world, table, keola, pua)
    for _ in range(8):
        watchers.look()
        world.pass_time(1 + GRACE_MS / 1000)
    watchers.look()
    watchers.look_back()


def test_legal_is_ones_own(two_seated: Json, keola: Caller, pua: Caller) -> None:
    """`legal` in a refusal names the caller's own cards, never those of whose turn it is."""
    keola.did(two_seated["id"], "cut", {"position": 30})
    keola.did(two_seated["id"], "draw", {"from": "stock"})

    problem = pua.refused(two_seated["id"], "discard", {"card": "As"})
    assert ["leave"] == [one["action"] for one in problem["legal"]]
    assert "discard" in legal(keola.view(two_seated["id"]))


def hand_of(watchers: Watchers, player: Caller) -> set[str]:
    """Every card that a player held in the first deal."""
    return watchers.witness.held[1, player.id]
