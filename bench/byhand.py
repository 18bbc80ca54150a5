"""A draw and a discard written by hand: the yardstick for what a move takes.

A real game has to do this much: read the state from Redis, check the turn, move a card, write by
compare-and-set, answer with a view.  So this does it, well, and nothing else: no events, no clock,
no index of what is due, no idempotency, no budgets.  Its state and its views are as large as those
of the service, and it takes the same requests, so that the same clients can play both.

`bench.flask_draw` and `bench.fastapi_draw` serve it.
"""

import json
import secrets
from pathlib import Path
from random import SystemRandom
from typing import Any

import msgspec
from redis import Redis

State = dict[str, Any]

RANKS, SUITS = "23456789TJQKA", "cdhs"
TABLE: dict[str, Any] = json.loads(Path(__file__).with_name("table.json").read_text())
"""What doesn't change, so that states and views have the size of the service's."""

HIDDEN = {"seed", "hands", "stock", "pile", "drawn"}

KEY = "table:%s"
COMPARE_AND_SET = """
if redis.call('HGET', KEYS[1], 'version') ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'version', ARGV[2], 'state', ARGV[3])
return 1
"""

encode = msgspec.json.Encoder().encode
decode = msgspec.json.Decoder(State).decode


class Refused(Exception):
    """A move that is not allowed."""


class NotFound(Refused):
    """There is no such table."""


def new_table(table_id: str) -> State:
    """A deal of two players who have five cards each."""
    deck = [rank + suit for rank in RANKS for suit in SUITS]
    SystemRandom().shuffle(deck)
    cards = {"hands": [deck[:5], deck[5:10]], "wild_card": deck[10], "pile": [deck[11]]}
    return {
        "id": table_id,
        "version": 1,
        "status": "playing",
        "tokens": [secrets.token_urlsafe(32) for _ in range(2)],
        **TABLE,
        "deal": {**TABLE["deal"], **cards, "stock": deck[12:]},
    }


def put(redis: Redis, state: State) -> None:
    """Write a table down that nobody plays at."""
    key = KEY % state["id"]
    redis.hset(key, "version", state["version"])
    redis.hset(key, "state", encode(state))


def play(state: State, token: str, version: str, move: str, card: str | None) -> int:
    """Make a move in place; gives the seat of who made it.

    Raises:
        Refused: it is not allowed, or the table has moved on.
    """
    deal = state["deal"]
    seat: int = deal["turn"]
    if token != state["tokens"][seat - 1] or deal["phase"] != move:
        raise Refused
    if version != f'"{state["version"]}"':
        raise Refused
    if move == "draw":
        _draw(deal, deal["hands"][seat - 1])
    else:
        _discard(deal, deal["hands"][seat - 1], card)
    state["version"] += 1
    return seat


def _draw(deal: State, hand: list[str]) -> None:
    if not deal["stock"]:
        *deal["stock"], top = deal["pile"]
        SystemRandom().shuffle(deal["stock"])
        deal["pile"] = [top]
    deal["drawn"] = deal["stock"].pop()
    hand.append(deal["drawn"])
    deal["phase"] = "discard"


def _discard(deal: State, hand: list[str], card: str | None) -> None:
    if card not in hand:
        raise Refused
    hand.remove(card)
    deal["pile"].append(card)
    deal.update(phase="draw", drawn=None, turn=3 - deal["turn"])


def seat_of(state: State, token: str) -> int | None:
    """Whose token it is."""
    return state["tokens"].index(token) + 1 if token in state["tokens"] else None


def view(state: State, seat: int | None) -> State:
    """What a player sees."""
    deal = state["deal"]
    return {
        "id": state["id"],
        "version": state["version"],
        "status": state["status"],
        **state["settings"],
        "seats": [
            {**of, "hand_size": len(hand)}
            for of, hand in zip(state["seats"], deal["hands"], strict=True)
        ],
        "deal": {
            **{name: of for name, of in deal.items() if name not in HIDDEN},
            "stock_size": len(deal["stock"]),
            "discard_size": len(deal["pile"]),
            "discard_top": deal["pile"][-1],
        },
        "you": None if seat is None else _you(deal, seat),
    }


def _you(deal: State, seat: int) -> State:
    hand, acts = deal["hands"][seat - 1], deal["turn"] == seat
    legal = [{"action": deal["phase"], "cards": hand}] if acts else []
    return {
        "seat": seat,
        "hand": hand,
        "drawn": deal["drawn"] if acts else None,
        "legal": [*legal, {"action": "leave"}],
    }
