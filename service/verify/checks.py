"""The checks of one deal, each of which says in a line what it has found."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from service.engine import shuffle
from service.engine.cards import DECK, Card
from service.verify.papers import Cut, Papers, Proof, Record
from service.verify.playing import DoesNotFit, follow


@dataclass(frozen=True, slots=True)
class Finding:
    """What a check has found; `fits` is None for a word of caution."""

    text: str
    fits: bool | None


def check(papers: Papers) -> list[Finding]:
    """Make every check that the papers allow.

    One that can't be made, since an earlier one has failed, is left out.
    """
    found: list[Finding] = []
    for one in CHECKS:
        try:
            text = one(papers)
        except DoesNotFit as fault:
            return [*found, Finding(str(fault), fits=False)]
        if text:
            found.append(Finding(text, fits=True))
    return found + [Finding(text, fits=None) for text in _cautions(papers)]


def _commitment(papers: Papers) -> str:
    proof = papers.proof
    if not re.fullmatch("[0-9a-f]{64}", proof.seed):
        raise DoesNotFit("The seed is not 32 bytes in hexadecimal.")
    if shuffle.commitment(proof.seed) != proof.commitment:
        raise DoesNotFit("The commitment is not the SHA-256 of the seed.")
    return "The commitment is the SHA-256 of the seed."


def _noted(papers: Papers) -> str | None:
    if papers.commitment is None:
        return None
    if papers.commitment.strip().lower() != papers.proof.commitment:
        raise DoesNotFit("The commitment is not the one that was noted before the cut.")
    return "It is the one that was noted before the cut."


def _published(papers: Papers) -> str | None:
    if papers.published is None:
        return None
    if papers.published != papers.proof.commitment:
        raise DoesNotFit("The commitment is not the one in the event that began the deal.")
    return "It is the one in the event that began the deal."


def _seats(papers: Papers) -> None:
    proof = papers.proof
    seats = proof.seats
    if not 2 <= len(set(seats)) == len(seats) <= 5 or proof.dealer != seats[-1]:
        raise DoesNotFit("The seats are not two to five with the dealer last.")
    if (proof.cut is None) is not (proof.dealt is None):
        raise DoesNotFit("Cards were dealt without a cut, or none after it.")
    if proof.cut and (proof.cut.seat not in seats or not 0 <= proof.cut.position < len(DECK)):
        raise DoesNotFit("There is no such cut: its seat or its position is wrong.")


def _deck(papers: Papers) -> str | None:
    proof = papers.proof
    if proof.dealt is None:
        return None
    _compare("The deck", proof.dealt.deck, _deck_of(proof))
    return "The deck is what seed and cut make of it."


def _deck_of(proof: Proof) -> tuple[Card, ...]:
    assert proof.cut is not None
    return shuffle.deck(proof.seed, proof.cut.position, proof.cut.entropy)


def _dealt(papers: Papers) -> str | None:
    dealt = papers.proof.dealt
    if dealt is None:
        return None
    seats = [hand.seat for hand in dealt.hands]
    if [seat for seat in papers.proof.seats if seat in seats] != seats or len(seats) < 2:
        raise DoesNotFit("The hands are not in dealing order.")
    deck, end = _deck_of(papers.proof), 5 * len(seats)
    for place, hand in enumerate(dealt.hands):
        _compare(f"The hand of seat {hand.seat}", hand.cards, deck[place : end : len(seats)])
    rest = [dealt.wild_card, dealt.first_discard, *dealt.stock]
    _compare("Wild card, first discard and stock", rest, deck[end:])
    return f"Hands, wild card, first discard and stock are that deck, dealt to {len(seats)} seats."


def _renewals(papers: Papers) -> str | None:
    proof = papers.proof
    if [renewal.number for renewal in proof.renewals] != list(range(1, len(proof.renewals) + 1)):
        raise DoesNotFit("The new stocks are not numbered from 1.")
    if len(proof.renewals) > proof.rules.max_reshuffles:
        raise DoesNotFit("There are more new stocks than the rules allow.")
    for renewal in proof.renewals:
        told = [*renewal.discards, *renewal.kept]
        if proof.cut is None or len(set(told)) < len(told) or not set(told) <= set(DECK):
            raise DoesNotFit(f"New stock {renewal.number} is not made of cards of the deal.")
        discards = [Card(card) for card in renewal.discards]
        stock = shuffle.renewed_stock(proof.seed, proof.cut.entropy, renewal.number, discards)
        _compare(f"New stock {renewal.number}", renewal.stock, stock)
    many = len(proof.renewals)
    return f"New stocks are what the seed makes of the discards: {many}." if many else None


def _record(papers: Papers) -> str | None:
    proof, record = papers.proof, papers.record
    if record is None:
        return None
    wild = proof.dealt.wild_card if proof.dealt else None
    said = (record.number, record.dealer, record.rules, [one.seat for one in record.seats])
    if said != (proof.number, proof.dealer, proof.rules, proof.seats) or record.wild_card != wild:
        raise DoesNotFit("The record is of another deal than the proof.")
    follow(proof, record)
    return f"The record drew and discarded just these cards, in {len(record.actions)} actions."


CHECKS: tuple[Callable[[Papers], str | None], ...] = (
    _commitment,
    _noted,
    _published,
    _seats,
    _deck,
    _dealt,
    _renewals,
    _record,
)


def _compare(what: str, said: Sequence[str], true: Sequence[str]) -> None:
    if list(said) == list(true):
        return
    both = enumerate(zip(said, true, strict=False), start=1)
    place, one, other = next(
        ((n, a, b) for n, (a, b) in both if a != b), (min(len(said), len(true)) + 1, "", "")
    )
    told = f"has {one!r}, and it is {other!r}" if one else f"ends, or should: {len(true)} cards"
    raise DoesNotFit(f"{what}: place {place} {told} by the seed.")


def _cautions(papers: Papers) -> list[str]:
    """What keeps a proof from proving all that it could."""
    found = []
    if papers.proof.dealt is None:
        found.append("All but one had left before the cut: no card was dealt.")
    if papers.commitment is None:
        found.append(
            "Not checked: whether it was published before the cut. Give what you noted with "
            "--commitment."
        )
    if papers.record is None:
        found.append("Not checked: whether these cards were played, for want of the record.")
    if papers.proof.cut:
        found += _cautions_of_cut(papers, papers.proof.cut)
    return found


def _cautions_of_cut(papers: Papers, cut: Cut) -> list[str]:
    """What is to be said where the service knew the cut beforehand, or may have known it."""
    proof, record = papers.proof, papers.record
    by_service = cut.by not in (None, "player") or proof.rules.cut == "auto"
    if by_service or (record and _looks_like_service(record, cut)):
        return ["The service made the cut itself: so this shows only that nothing changed."]
    if cut.by is None and (record is None or proof.rules.on_timeout == "bot"):
        return ["Not told: whether the player made the cut, or the service for the player."]
    return []


def _looks_like_service(record: Record, cut: Cut) -> bool:
    """Whether the play shows that the clock or a house bot made the cut, whatever `by` says."""
    kinds = {one.seat: one.player.kind for one in record.seats}
    before = [action.action for action in record.actions]
    place = before.index("cut")
    timed_out = place > 0 and before[place - 1] == "time_out"
    return timed_out or kinds[cut.seat] == "house_bot"
