"""Sandbox matches: duplicates are duplicates, nothing waits, and the score is what the log says."""

import hashlib
import json
import random
from collections import Counter, defaultdict
from dataclasses import replace
from itertools import islice, pairwise

import msgspec
import pytest

from service import bots
from service.bots import Bot
from service.bots.scores import Score
from service.bots.turn import Turn
from service.engine import shuffle
from service.engine.cards import DECK, Card
from service.engine.errors import NotSeated, PaiuteError
from service.engine.events import CardDrawn, DeckCut
from service.engine.house_rules import HouseRules
from service.store import codec
from service.tables import (
    AddBot,
    CloseByOperator,
    Expire,
    Join,
    Leave,
    Moment,
    Player,
    RemoveBot,
    Start,
    Status,
    Table,
    followup,
    views,
)
from service.tables.dealing import acting_seat
from service.tables.errors import Forbidden, TableFull, TableNotOpen
from service.tables.events import DealStarted, Entry, Settled, TableClosed
from service.tables.match_views import match_view
from service.tables.sandbox import GROUP, Sandbox, new_sandbox
from service.tables.sandbox_play import step_on
from tests.support.matches import ROBO, SEAT, SEED, begun, guests_move, moment, played, whole_log
from tests.support.tables import START

PUA = Player("pua", "Pua", "human")
THREE = ("medium", "easy", "easy")


@pytest.mark.parametrize("bots_there", [1, 2, 3, 4])
@pytest.mark.parametrize("deals", [1, 7, 102, 200, 333, 2_000])
def test_each_block_is_played_once_from_each_seat(bots_there: int, deals: int) -> None:
    """The deals are whole blocks; each has each dealer once, and its doubles lie far apart."""
    match = new_sandbox(("easy",) * bots_there, deals, SEED, chosen=True)
    players = bots_there + 1
    numbers = defaultdict(list)
    for number in range(1, match.deals + 1):
        numbers[match.place(number).block].append(number)

    assert (0, True) == (match.deals % players, 0 <= match.deals - deals < players)
    assert list(range(match.deals // players)) == sorted(numbers)
    for block in numbers.values():
        assert list(range(1, players + 1)) == [match.dealer(number) for number in block]
        (gap,) = {later - before for before, later in pairwise(block)}
        assert min(GROUP // 2, match.deals // players) <= gap <= GROUP


def test_duplicates_are_duplicates() -> None:
    """The doubles of a deal have the same deck, and each player gets each hand once."""
    _, log = whole_log("medium", "easy", deals=6)
    started = [entry.event for entry in log if isinstance(entry.event, DealStarted)]
    cut = [entry.event for entry in log if isinstance(entry.event, DeckCut)]
    decks = [(begun.commitment, cut.position) for begun, cut in zip(started, cut, strict=True)]

    assert [1, 1, 2, 2, 3, 3] == [begun.dealer for begun in started]
    assert decks[:2] * 3 == decks
    assert 2 == len(set(decks))
    for first, second, third in zip(started[0::2], started[2::2], started[4::2], strict=False):
        assert 3 == len({first.seats, second.seats, third.seats})


def test_the_cards_follow_from_the_seed() -> None:
    """Seed and cut of a deal are what the documented way gives for the number of its block."""
    _, log = whole_log("easy", deals=4, seed="ten")
    started = [entry.event for entry in log if isinstance(entry.event, DealStarted)]
    cuts = [entry.event for entry in log if isinstance(entry.event, DeckCut)]
    for number, (deal, cut) in enumerate(zip(started, cuts, strict=True)):
        chance = hashlib.sha256(f"ten:{number % 2}".encode()).digest()
        seed = hashlib.sha256(b"seed" + chance).hexdigest()
        position = int.from_bytes(hashlib.sha256(b"cut" + chance).digest()[:16], "big") % 52

        assert (shuffle.commitment(seed), position) == (deal.commitment, cut.position)
        wild_card = shuffle.deck(seed, position, "")[10]
        assert (wild_card, "auto") == (cut.wild_card, cut.by)


def without_time(log: list[Entry]) -> list[Entry]:
    return [replace(entry, at=0, turn=None) for entry in log]


def test_a_match_is_reproducible() -> None:
    """Seed and the guest's moves fix all that happens; another seed has other cards."""
    table, log = whole_log(*THREE, deals=8)
    again, same = whole_log(*THREE, deals=8, at=77)
    _, others = whole_log(*THREE, deals=8, seed="another seed")

    assert without_time(log) == without_time(same)
    assert table.sandbox == again.sandbox
    assert without_time(log)[4:12] != without_time(others)[4:12]


def test_seeds_of_the_service() -> None:
    """Without a seed each match has its own, which is told once the match is closed alone."""
    tables = [begun("easy", deals=4, seed=None)[0] for _ in range(2)]
    seeds = {table.sandbox.seed for table in tables if table.sandbox}
    over = tables[0]
    for over, _ in played(tables[0]):
        if over.status is not Status.CLOSED:
            assert seen(over)["seed"] is None

    assert 2 == len(seeds)
    assert {64} == {len(seed) for seed in seeds}
    assert seen(over)["seed"] in seeds


def seen(table: Table) -> views.Json:
    """What the player is sent of the match."""
    assert table.sandbox is not None
    return match_view(table, table.sandbox)


@pytest.mark.parametrize("levels", [("medium",), ("easy", "medium"), ("easy",) * 4])
def test_it_is_always_the_guests_turn(levels: tuple[str, ...]) -> None:
    """After each move the guest is to act, or the match is over; each bot has played twice at most.

    So a commit is bounded: one deal ends with it at most, and nothing is left for a job to do.
    """
    match, _ = begun(*levels, deals=10)
    table = match
    for table, entries in played(match):
        drawn = Counter(entry.event.seat for entry in entries if isinstance(entry.event, CardDrawn))
        settled = [entry for entry in entries if isinstance(entry.event, Settled)]
        assert 1 >= len(settled)
        assert 2 >= max((drawn[seat] for seat in range(2, len(levels) + 2)), default=0)
        if table.status is Status.CLOSED:
            assert followup(table) is None
        else:
            due = followup(table)
            assert SEAT == acting_seat(table)
            assert due is not None
            assert "expire_turn" == due.kind

    assert ("over", seen(table)["deals"]) == (seen(table)["status"], table.number)


@pytest.mark.parametrize("levels", [("medium",), ("easy", "medium")])
def test_the_score_is_what_the_log_says(levels: tuple[str, ...]) -> None:
    """A block's share is the mean of those of its deals; the view tells it with its interval."""
    table, log = whole_log(*levels, deals=24)
    assert table.sandbox is not None
    players = len(levels) + 1
    shares = defaultdict(list)
    for entry in log:
        if isinstance(entry.event, Settled):
            won = entry.event.winners
            share = 1 / len(won) if SEAT in won else 0
            shares[table.sandbox.place(entry.event.number).block].append(share)
    score = Score()
    for block in sorted(shares):
        score = score.add(sum(shares[block]) / players)

    view = seen(table)
    assert (24, 24, 24 // players) == (view["played"], view["deals"], view["blocks"])
    assert pytest.approx((score.share, score.low, score.high), abs=1e-4) == (
        view["share"],
        view["low"],
        view["high"],
    )
    assert pytest.approx(score.elo(players), abs=0.1) == view["elo"]
    assert 0 < view["share"] < 1


def test_shares_of_many_groups() -> None:
    """Whatever is won from which seat, each block counts once, and few sums are open at a time."""
    match = new_sandbox(("easy", "easy"), 3 * 120, SEED, chosen=True)
    chance = random.Random(5)
    blocks: defaultdict[int, float] = defaultdict(float)
    for number in range(1, match.deals + 1):
        share = chance.choice((0, 0, 1, 0.5, 1 / 3))
        blocks[match.place(number).block] += share
        match = match.counted(share)
        assert GROUP >= len(match.sums)

    assert (True, 120, ()) == (match.over, match.score.blocks, match.sums)
    assert pytest.approx(sum(blocks.values()) / 3) == match.score.total
    assert pytest.approx(sum((won / 3) ** 2 for won in blocks.values())) == match.score.squares


def test_no_chips() -> None:
    """Nothing is paid, and nobody has anything, at any time."""
    table, log = whole_log("medium", deals=6)

    assert (0, 0, 0) == (table.chips, table.house, table.settings.ante)
    for entry in log:
        if isinstance(entry.event, Settled):
            assert (0, {}) == (entry.event.pot, {n: s for n, s in entry.event.shares.items() if s})


def test_the_seats_are_fixed() -> None:
    """Nobody else sits down, and no bot is sent away or added."""
    table, _ = begun("easy", "easy", deals=6)
    for command, refusal in (
        (Join(PUA, invite_code="code"), TableFull),
        (Join(PUA, 2, "code"), TableFull),
        (AddBot(ROBO.id, Player("new", "New", "house_bot", "easy")), TableFull),
        (RemoveBot(ROBO.id, 2), Forbidden),
        (RemoveBot(PUA.id, 2), Forbidden),
        (Start(ROBO.id), TableNotOpen),
        (Leave(PUA.id), NotSeated),
    ):
        with pytest.raises(refusal):
            step_on(table, command, moment())


@pytest.mark.parametrize("levels", [("easy",), THREE])
@pytest.mark.parametrize("moves", [0, 1, 30])
def test_leaving_ends_the_match(levels: tuple[str, ...], moves: int) -> None:
    """Who leaves ends the match at once; the deal that goes on does not count."""
    match, _ = begun(*levels, deals=40)
    table = [match, *(table for table, _ in islice(played(match), moves))][-1]
    before = seen(table)
    after, entries = step_on(table, Leave(ROBO.id), moment(3))

    assert "everybody_left" == closing(entries)
    assert "closed" == seen(after)["status"]
    assert before["played"] == seen(after)["played"] < 40
    assert (before["share"], before["blocks"]) == (seen(after)["share"], seen(after)["blocks"])
    with pytest.raises(PaiuteError):
        step_on(after, Leave(ROBO.id), moment(4))


def closing(entries: tuple[Entry, ...]) -> str:
    """Why a table was closed."""
    (event,) = (entry.event for entry in entries if isinstance(entry.event, TableClosed))
    return event.reason


def test_a_guest_who_stays_away() -> None:
    """After the idle time, and no sooner, the match is closed."""
    table, _ = begun("easy", "medium", deals=6)
    due = followup(table)
    assert due is not None
    early, none = step_on(table, Expire(), Moment(due.at - 1, bytes(32)))
    after, entries = step_on(table, Expire(), Moment(due.at, bytes(32)))

    assert (table, ()) == (early, none)
    assert 1000 * table.settings.idle_seconds <= due.at - START
    assert ("everybody_left", "closed") == (closing(entries), seen(after)["status"])


def test_an_operator_closes_it() -> None:
    """An operator may close a match like any table."""
    table, _ = begun("easy", deals=6)
    after, entries = step_on(table, CloseByOperator(None), moment(3))

    assert ("operator", "closed") == (closing(entries), seen(after)["status"])


class Broken(Bot):
    """A bot that fails in every turn."""

    def takes(self, turn: Turn) -> bool:
        raise ZeroDivisionError(turn)

    def throws(self, turn: Turn, rng: random.Random) -> int:
        raise ZeroDivisionError(turn, rng)


def test_a_bot_that_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    """It gets the fallback move, and the match goes on."""
    monkeypatch.setattr(bots, "LEVELS", {**bots.LEVELS, "broken": Broken()})
    table, _ = whole_log("broken", deals=4)

    assert "over" == seen(table)["status"]


def test_a_void_deal_is_shared_by_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nobody calls until the stock has run out for good, each has the same part."""
    monkeypatch.setattr(bots, "LEVELS", {**bots.LEVELS, "broken": Broken()})
    rules = HouseRules(cut="auto", max_reshuffles=0)
    table, log = whole_log("broken", "broken", deals=3, rules=rules, calls=False)
    settled = [entry.event for entry in log if isinstance(entry.event, Settled)]
    shares = [1 / 3 if event.reason == "void" else SEAT in event.winners for event in settled]

    assert "void" in {event.reason for event in settled}
    assert (round(sum(shares) / 3, 4), 1) == (seen(table)["share"], seen(table)["blocks"])


@pytest.mark.parametrize("levels", [("medium",), THREE])
def test_what_is_stored_is_what_was(levels: tuple[str, ...]) -> None:
    """A match comes back from the store's codec as it was; a table of before has none."""
    table, _ = begun(*levels, deals=6)
    for now, _ in played(table):
        table = now
        assert table == codec.load_table(codec.dump_table(table), codec.FORMAT)
    stored = json.loads(codec.dump_table(replace(table, sandbox=None)))
    del stored["sandbox"]

    assert codec.load_table(json.dumps(stored).encode(), codec.FORMAT).sandbox is None


def test_no_hidden_card_is_sent() -> None:
    """The guest is sent no card of the stock or of another hand, in the view or in events."""
    match, _ = begun(*THREE, deals=8)
    for table, entries in played(match):
        sent = msgspec.json.encode(views.table_view(table, ROBO.id, START)).decode()
        assert [] == [card for card in hidden(table) if f'"{card}"' in sent]
        for entry in entries:
            event = views.event_view(entry, table.id, ROBO.id)
            if event["type"] == "card_drawn" and event["data"]["from"] == "stock":
                assert (event["data"]["seat"] == SEAT) == (event["data"]["card"] is not None)


def hidden(table: Table) -> set[Card]:
    """The cards of the present deal that the guest may not see."""
    deal = table.deal
    if deal is None or not table.in_deal:
        return set()
    own, laid = deal.hands[SEAT].cards, [hand.cards for hand in deal.hands.values() if hand.laid]
    known = [hand.known for hand in deal.hands.values()]
    shown = {card for cards in (own, *laid, *known, deal.pile) for card in cards}
    return {card for card in DECK if card not in shown and card != deal.wild_card}


def test_the_state_is_small() -> None:
    """The match takes a few hundred bytes of the state, however long it is."""
    match = new_sandbox(("easy",), 2_000, SEED, chosen=True)
    longest = 0
    while not match.over:
        match = match.counted(1 / 3)
        longest = max(longest, len(msgspec.json.encode(match)))

    assert 1_400 > longest
    assert match == msgspec.json.decode(msgspec.json.encode(match), type=Sandbox)


def test_moves_of_the_guest_are_judged_as_anywhere() -> None:
    """A refused move changes nothing."""
    table, _ = begun("easy", deals=2)
    move = guests_move(table, random.Random(1))

    with pytest.raises(PaiuteError):
        step_on(table, Leave(PUA.id), moment())
    assert move == guests_move(table, random.Random(1))
