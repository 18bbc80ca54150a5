"""What there is to check of a deal: its proof, its record, the commitment that was published."""

from dataclasses import dataclass
from typing import Any

import msgspec

ALGORITHM = "paiute-fair-cards-1"
"""The only way from seed to cards that there is so far."""


class CannotCheck(Exception):
    """There is nothing that could be checked here; the text says why."""


class Cut(msgspec.Struct, frozen=True):
    """The cut of a deal."""

    seat: int
    position: int
    entropy: str
    by: str | None = None


class Hand(msgspec.Struct, frozen=True):
    """The cards of a seat."""

    seat: int
    cards: list[str]


class Dealt(msgspec.Struct, frozen=True):
    """What the proof says that was dealt."""

    deck: list[str]
    hands: list[Hand]
    wild_card: str
    first_discard: str
    stock: list[str]


class Renewal(msgspec.Struct, frozen=True):
    """What the proof says of a new stock."""

    number: int
    discards: list[str]
    kept: list[str]
    stock: list[str]


class Rules(msgspec.Struct, frozen=True):
    """The house rules that matter for the cards."""

    reshuffle: str
    max_reshuffles: int
    cut: str
    on_timeout: str = "auto_play"


class Proof(msgspec.Struct, frozen=True):
    """The proof of a deal."""

    number: int
    algorithm: str
    commitment: str
    seed: str
    seats: list[int]
    dealer: int
    rules: Rules
    cut: Cut | None
    dealt: Dealt | None
    renewals: list[Renewal]
    table: str = ""
    committed_version: int = 0


class Action(msgspec.Struct, frozen=True):
    """Something that a seat did."""

    seat: int
    action: str
    source: str | None = msgspec.field(name="from")
    card: str | None
    cards: list[str] | None
    by: str | None = None


class Player(msgspec.Struct, frozen=True):
    """Who had a seat."""

    kind: str


class Seat(msgspec.Struct, frozen=True):
    """A seat of the deal."""

    seat: int
    player: Player


class Result(msgspec.Struct, frozen=True):
    """How the deal ended."""

    reason: str
    hands: list[Hand]


class Record(msgspec.Struct, frozen=True):
    """The record of a deal, as anybody may see it."""

    number: int
    dealer: int
    wild_card: str | None
    rules: Rules
    seats: list[Seat]
    actions: list[Action]
    result: Result
    hands: list[Hand] = []


@dataclass(frozen=True, slots=True)
class Papers:
    """What there is to check of one deal.

    Args:
        proof: its proof.
        record: its record, if there is one.
        commitment: what somebody noted before the cut.
        published: what the service now says that it published before the cut.
    """

    proof: Proof
    record: Record | None = None
    commitment: str | None = None
    published: str | None = None


def read(said: Any) -> Papers:
    """The papers in a JSON value: a proof, or an object of them by name.

    Raises:
        CannotCheck: it is neither, or the algorithm is not known here.
    """
    if not isinstance(said, dict):
        raise CannotCheck("This is no proof of a deal: it is not a JSON object.")
    parts = said if "proof" in said else {"proof": said}
    try:
        proof = msgspec.convert(parts["proof"], Proof)
        record = msgspec.convert(parts.get("record"), Record | None)
        noted, published = (
            msgspec.convert(parts.get(name), str | None) for name in ("commitment", "published")
        )
    except msgspec.ValidationError as error:
        raise CannotCheck(f"This is no proof of a deal, or is not whole: {error}.") from None
    if proof.algorithm != ALGORITHM:
        raise CannotCheck(f"The algorithm {proof.algorithm!r} is not known to this program.")
    return Papers(proof, record, noted, published)
