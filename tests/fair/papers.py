"""The papers of deals for tests, as the API gives them out, and ways to tamper with them."""

import copy
from collections.abc import Callable, Iterator
from random import Random

import msgspec

from service.tables.openings import PastDeal
from service.tables.proofs import proof_of
from service.tables.record_views import proof_view, record_view
from service.tables.records import DealRecord
from service.tables.views import Json
from tests.support.deals import any_record

TABLE = "01M5W0N3S84E9WQ2J5R7K1X6ZC"


def papers_of(record: DealRecord, viewer: str | None = None) -> Json:
    """The proof and the record of a deal, as a reader gets them."""
    proof, told = proof_view(proof_of(record), TABLE), record_view(PastDeal(record), viewer)
    said: Json = msgspec.json.decode(msgspec.json.encode({"proof": proof, "record": told}))
    return said


def any_papers(seed: int) -> Json:
    """The papers of some deal, for anybody or for one of its players."""
    return papers_of(any_record(Random(seed), 1 + seed), "host" if seed % 3 == 0 else None)


Tamper = Callable[[Json, Random], None]


def _other(card: str) -> str:
    return "As" if card != "As" else "2c"


def change_seed(said: Json, chance: Random) -> None:
    """Another seed, committed to as it should be."""
    said["proof"]["seed"] = chance.randbytes(32).hex()


def change_commitment(said: Json, chance: Random) -> None:
    """Another commitment."""
    said["proof"]["commitment"] = chance.randbytes(32).hex()


def change_position(said: Json, chance: Random) -> None:
    """A cut elsewhere."""
    said["proof"]["cut"]["position"] = (said["proof"]["cut"]["position"] + 1) % 52


def change_entropy(said: Json, chance: Random) -> None:
    """Another text mixed in, by a space at its end."""
    said["proof"]["cut"]["entropy"] += " "


def change_cutter(said: Json, chance: Random) -> None:
    """Another one who made the cut, in the proof alone."""
    cut = said["proof"]["cut"]
    cut["by"] = "clock" if cut["by"] == "player" else "player"


def swap_in_deck(said: Json, chance: Random) -> None:
    """Two cards of the deck change places."""
    _swap(said["proof"]["dealt"]["deck"], chance)


def swap_hands(said: Json, chance: Random) -> None:
    """Two players have got each other's cards."""
    one, other, *_ = said["proof"]["dealt"]["hands"]
    one["cards"], other["cards"] = other["cards"], one["cards"]


def change_wild_card(said: Json, chance: Random) -> None:
    """Another wild card, in proof and record alike."""
    card = _other(said["proof"]["dealt"]["wild_card"])
    said["proof"]["dealt"]["wild_card"] = said["record"]["wild_card"] = card


def swap_in_stock(said: Json, chance: Random) -> None:
    """Two cards of the stock change places."""
    _swap(said["proof"]["dealt"]["stock"], chance)


def swap_in_renewal(said: Json, chance: Random) -> None:
    """Two cards of a new stock change places."""
    _swap(said["proof"]["renewals"][-1]["stock"], chance)


def drop_renewal(said: Json, chance: Random) -> None:
    """A new stock less."""
    said["proof"]["renewals"].pop()


def change_renewal_number(said: Json, chance: Random) -> None:
    """A new stock under another number."""
    said["proof"]["renewals"][-1]["number"] += 1


def change_drawn(said: Json, chance: Random) -> None:
    """Another card drawn, where it is told."""
    action = chance.choice([a for a in said["record"]["actions"] if a["card"] and a["from"]])
    action["card"] = _other(action["card"])


def change_discard(said: Json, chance: Random) -> None:
    """Another card discarded."""
    action = chance.choice([a for a in said["record"]["actions"] if a["action"] == "discard"])
    action["card"] = said["proof"]["dealt"]["wild_card"]


def drop_action(said: Json, chance: Random) -> None:
    """A draw or a discard less, where all hands were shown."""
    actions, hands = said["record"]["actions"], said["record"]["result"]["hands"]
    told = [one for one in actions if one["action"] in ("draw", "discard") and one["card"]]
    if len([hand for hand in hands if hand["cards"]]) == len(said["proof"]["seats"]):
        actions.remove(chance.choice(told))


def change_shown_hand(said: Json, chance: Random) -> None:
    """Another hand at the showdown."""
    hand = chance.choice([h for h in said["record"]["result"]["hands"] if h["cards"]])
    hand["cards"][0] = said["proof"]["dealt"]["wild_card"]


def change_seats(said: Json, chance: Random) -> None:
    """Another dealing order, in proof and record alike, where cards were dealt."""
    assert said["proof"]["dealt"]["hands"]
    said["proof"]["seats"].reverse()
    said["record"]["seats"].reverse()
    said["proof"]["dealer"] = said["record"]["dealer"] = said["proof"]["seats"][-1]


def change_rule(said: Json, chance: Random) -> None:
    """The other rule of renewing, in proof and record alike, where the stock was renewed."""
    assert said["proof"]["renewals"][0]
    for one in (said["proof"], said["record"]):
        one["rules"]["reshuffle"] = "all" if one["rules"]["reshuffle"] == "keep_top" else "keep_top"


def change_number(said: Json, chance: Random) -> None:
    """The record of another deal."""
    said["record"]["number"] += 1


def _swap(cards: list[str], chance: Random) -> None:
    one, other = chance.sample(range(len(cards)), 2)
    cards[one], cards[other] = cards[other], cards[one]


TAMPERS: tuple[Tamper, ...] = (
    change_seed,
    change_commitment,
    change_position,
    change_entropy,
    change_cutter,
    swap_in_deck,
    swap_hands,
    change_wild_card,
    swap_in_stock,
    swap_in_renewal,
    drop_renewal,
    change_renewal_number,
    change_drawn,
    change_discard,
    drop_action,
    change_shown_hand,
    change_seats,
    change_rule,
    change_number,
)


def tampered(said: Json, chance: Random) -> Iterator[tuple[str, Json]]:
    """Papers with one thing changed, by what; what can't be changed in them is left out."""
    for tamper in TAMPERS:
        other = copy.deepcopy(said)
        try:
            tamper(other, chance)
        except (IndexError, TypeError, KeyError):
            continue  # There is no such thing in this deal.
        if other != said:
            yield tamper.__name__, other
