"""The proof that nobody chose a deal's cards (docs/fair-cards.md), worked out from its record."""

from dataclasses import dataclass

from service.engine import shuffle
from service.engine.cards import Card
from service.engine.deal import Deal
from service.engine.events import CutBy, DeckCut, StockRenewed
from service.tables.records import Action, DealRecord
from service.tables.replays import Step, replay

ALGORITHM = "paiute-fair-cards-1"
"""The name of the way from seed and cut to cards; another way would get another name."""

DOCUMENT = "/docs/fair-cards.md"
"""Where the service itself has the description of the algorithm."""


@dataclass(frozen=True, slots=True)
class CutMade:
    """The cut.

    Args:
        seat: whose cut it was, though clock or bot may have made it for them.
        position: how many cards went to the bottom.
        entropy: the text that was mixed in.
        version: the table's version after it.
        by: who made it; None in older records, which don't tell.
    """

    seat: int
    position: int
    entropy: str
    version: int
    by: CutBy | None


@dataclass(frozen=True, slots=True)
class Dealt:
    """What came of seed and cut: the whole deck, the hands in dealing order, and the rest."""

    deck: tuple[Card, ...]
    hands: dict[int, tuple[Card, ...]]
    wild_card: Card
    first_discard: Card
    stock: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Renewal:
    """A new stock: its number in the deal, the discards it was made of, and what came of them.

    `kept` are the discards that stayed on the pile.  All have the top card first.
    """

    number: int
    version: int
    discards: tuple[Card, ...]
    kept: tuple[Card, ...]
    stock: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Proof:
    """All that it takes to work out a deal's cards anew.

    `cut` and `dealt` are None where all but one had left before the cut.
    """

    record: DealRecord
    commitment: str
    cut: CutMade | None
    dealt: Dealt | None
    renewals: tuple[Renewal, ...]


def proof_of(record: DealRecord) -> Proof:
    """The proof of a finished deal."""
    steps = tuple(replay(record))
    dealt = next((step.deal for step in steps if isinstance(step.event, DeckCut)), None)
    return Proof(
        record,
        shuffle.commitment(record.seed),
        _cut(record, record.cut) if record.cut else None,
        _dealt(record, dealt) if dealt else None,
        tuple(_renewal(step) for step in steps if isinstance(step.event, StockRenewed)),
    )


def _cut(record: DealRecord, cut: Action) -> CutMade:
    return CutMade(cut.seat, record.position, record.entropy, cut.version, cut.by)


def _dealt(record: DealRecord, deal: Deal) -> Dealt:
    assert deal.wild_card is not None
    deck = shuffle.deck(record.seed, record.position, record.entropy)
    hands = {seat: deal.hands[seat].cards for seat in deal.players}
    return Dealt(deck, hands, deal.wild_card, deal.pile[0], deal.stock)


def _renewal(step: Step) -> Renewal:
    kept = step.deal.pile
    discards = step.before.pile[len(kept) :]
    return Renewal(step.deal.reshuffles, step.version, discards, kept, step.deal.stock)
