"""Laws of tables, over long random games of players, bots and clocks (seeded)."""

import random
from typing import Any

import msgspec
import pytest

from service.cashier import owed
from service.engine.cards import DECK, Card
from service.engine.commands import Call, Command, Cut, Discard, Draw, Source
from service.engine.errors import PaiuteError
from service.engine.house_rules import HouseRules
from service.store import codec
from service.tables import (
    AddBot,
    CloseIdle,
    Expire,
    Fill,
    Join,
    Leave,
    Moment,
    NextDeal,
    Play,
    PlayForBot,
    RemoveBot,
    Settle,
    Start,
    Status,
    Table,
    followup,
    step,
    views,
)
from service.tables.events import BoughtIn, Entry, PlayerJoined, PlayerLeft, Settled, TableClosed
from tests.tables.builders import ANN, BEN, BOT, BOT2, CAM, START, table

PLAYERS = (ANN, BEN, CAM)
RULES = (
    HouseRules(),
    HouseRules(ace_low=True, final_turns="every_player", reshuffle="all", max_reshuffles=0),
    HouseRules(cut="auto", on_timeout="bot", max_reshuffles=1),
)


def random_command(rng: random.Random, state: Table) -> Any:
    """A command that may or may not fit."""
    player = rng.choice(PLAYERS)
    card = rng.choice(_hand(state) or DECK)
    likely: list[Any] = [Expire(), Settle(), NextDeal(), PlayForBot(Draw(Source.STOCK))]
    likely += [CloseIdle(), Fill((BOT2,))]
    moves: list[Command] = [Cut(rng.randrange(52)), Draw(rng.choice(list(Source))), Discard(card)]
    moves.append(Call())
    likely += [Play(player.id, move) for move in moves] * 6
    rare = [
        Join(player, rng.choice((None, 1, 2, 3))),
        Leave(player.id),
        Start(player.id),
        AddBot(player.id, BOT),
        RemoveBot(player.id, rng.choice((1, 2, 3))),
    ]
    return rng.choice(rare if rng.random() < 0.12 else likely)


def _hand(state: Table) -> tuple[Card, ...]:
    deal = state.deal
    return deal.hands[deal.turn].cards if deal and deal.turn else ()


def random_game(seed: int, steps: int = 1_500) -> Any:
    """Each table of a random game with the entries that led to it."""
    rng = random.Random(seed)
    settings = {"ante": seed % 4, "start_when": "full", "bots_after_seconds": (None, 90)[seed % 2]}
    state = table(3, rules=RULES[seed % len(RULES)], **settings)
    now = START
    for _ in range(steps):
        now += rng.choice((1, 50, 5_000, 61_000))
        before = state
        try:
            command = random_command(rng, state)
            state, entries = step(state, command, Moment(now, rng.randbytes(32)))
        except PaiuteError:
            assert state == before
            continue
        yield before, state, entries
        if state.status is Status.CLOSED:
            return


@pytest.mark.parametrize("seed", range(60))
def test_chips_and_versions_are_conserved(seed: int) -> None:
    """Chips change hands but for buy-ins and leaving; a version is one event; the log is whole."""
    for before, state, entries in random_game(seed):
        assert list(range(before.version + 1, state.version + 1)) == [e.id for e in entries]
        assert before.chips + _brought(entries) - _taken_home(entries) == state.chips
        assert all(seat.stack >= 0 for seat in state.seats.values())


def _brought(entries: tuple[Entry, ...]) -> int:
    joined = sum(e.event.stack for e in entries if isinstance(e.event, PlayerJoined))
    return joined + sum(e.event.amount for e in entries if isinstance(e.event, BoughtIn))


def _taken_home(entries: tuple[Entry, ...]) -> int:
    return sum(
        sum(e.event.cashed_out.values())
        for e in entries
        if isinstance(e.event, PlayerLeft | Settled | TableClosed)
    )


@pytest.mark.parametrize("seed", range(60))
def test_what_is_not_the_players_is_the_houses(seed: int) -> None:
    """The chips on a table are what the house and the players have brought and not taken home."""
    players = 0
    for before, state, entries in random_game(seed):
        joined = [e.event for e in entries if isinstance(e.event, PlayerJoined)]
        players += sum(event.stack for event in joined if not event.player.is_house_bot)
        players -= sum(posting.amount for posting in owed(before, entries))
        assert state.chips == state.house + players


@pytest.mark.parametrize("seed", range(20))
def test_no_table_is_stuck(seed: int) -> None:
    """Whatever a table waits for, its wait has an end; nothing is due once it is closed."""
    for _, state, _ in random_game(seed):
        assert (Status.CLOSED is state.status) == (followup(state) is None)


@pytest.mark.parametrize("seed", range(20))
def test_what_is_stored_is_what_was(seed: int) -> None:
    """A table and its entries come back from the store's codec as they were."""
    for _, state, entries in random_game(seed, 400):
        assert state == codec.load_table(codec.dump_table(state), codec.FORMAT)
        for entry in entries:
            assert entry == codec.load_entry(codec.dump_entry(entry))


@pytest.mark.parametrize("seed", range(20))
def test_no_viewer_is_sent_a_hidden_card(seed: int) -> None:
    """No card of the stock or of a hidden hand is in any view, unless it is the viewer's own."""
    for _, state, entries in random_game(seed, 500):
        for viewer in (*PLAYERS, None):
            name = viewer.id if viewer else None
            sent = msgspec.json.encode(views.table_view(state, name, START)).decode()
            leaked = [card for card in hidden_from(state, name) if f'"{card}"' in sent]
            assert [] == leaked
            for entry in entries:
                view = views.event_view(entry, state.id, name)
                drawn = view["type"] == "card_drawn" and view["data"]["from"] == "stock"
                if drawn and entry.player != name:
                    assert view["data"]["card"] is None


def hidden_from(state: Table, player: str | None) -> set[Card]:
    """The cards of the present deal that a player may not know from the view."""
    deal = state.deal
    if deal is None:
        return set()
    own = state.seat_of(player)
    hidden = set(deal.stock)
    for number, hand in deal.hands.items():
        mine = number == own and state.dealt_in(number)
        shown = hand.laid or (deal.reason == "showdown" and not hand.folded)
        if not mine and not shown:
            hidden |= set(hand.cards) - (set() if hand.folded else set(hand.known))
    return hidden


@pytest.mark.parametrize("seed", range(20))
def test_legal_is_what_works(seed: int) -> None:
    """Each action that a player's view lists works, and cut, draw and start not listed do not."""
    for _, state, _ in random_game(seed, 300):
        for player in PLAYERS:
            listed = {one["action"]: one for one in views.legal_view(state, player.id)}
            tries = {
                "cut": Play(player.id, Cut(1)),
                "draw": Play(player.id, Draw(Source.STOCK)),
                "call": Play(player.id, Call()),
                "start": Start(player.id),
                "leave": Leave(player.id),
            }
            works = {name for name, command in tries.items() if _works(state, command)}
            assert works == set(listed) - {"discard"}


def _works(state: Table, command: Any) -> bool:
    try:
        step(state, command, Moment(START, bytes(32)))
    except PaiuteError:
        return False
    return True


def test_everybody_who_left_is_in_the_log() -> None:
    """Each seat that becomes free has a `player_left` entry before."""
    left = sum(
        isinstance(entry.event, PlayerLeft)
        for seed in range(10)
        for _, _, entries in random_game(seed)
        for entry in entries
    )
    assert left > 10
