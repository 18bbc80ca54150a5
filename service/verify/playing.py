"""Following the actions of a record with the cards of its proof in hand."""

from collections.abc import Iterable

from service.verify.papers import Action, Hand, Proof, Record


class DoesNotFit(Exception):
    """Something is not as seed and cut have it; the text says what."""


def follow(proof: Proof, record: Record) -> None:
    """Play a record with the cards of a proof whose stocks are right in themselves.

    Raises:
        DoesNotFit: an action, a new stock or a hand shown was not possible with these cards.
    """
    played = _Played(proof)
    for number, action in enumerate(record.actions, start=1):
        played.where = f"Action {number} of the record, seat {action.seat}"
        played.take(action)
    played.finish(record)


class _Played:
    """The cards of a deal while it is followed; stock and pile have the top first."""

    def __init__(self, proof: Proof) -> None:
        dealt = proof.dealt
        self.where = ""
        self._proof = proof
        self._waiting = list(proof.seats)
        self._hands = {hand.seat: list(hand.cards) for hand in dealt.hands} if dealt else {}
        self._stock = list(dealt.stock) if dealt else []
        self._pile = [dealt.first_discard] if dealt else []
        self._renewals = list(proof.renewals)
        self._cut = self._void = False

    def take(self, action: Action) -> None:
        """Do one action of the record."""
        if self._void:
            raise self._fault("it follows on the end of the stock")
        match action:
            case Action(action="time_out"):
                return
            case Action(action="fold"):
                self._fold(action.seat)
            case Action(action="cut"):
                self._make_cut(action)
            case Action() if not self._cut or action.seat not in self._hands:
                raise self._fault("it has no cards yet")
            case Action(action="draw", source="stock"):
                self._draw_from_stock(action)
            case Action(action="draw", source="discard"):
                self._draw_from_pile(action)
            case Action(action="discard"):
                self._discard(action.seat, action.card)
            case Action(action="call"):
                self._call(action)
            case _:
                raise self._fault(f"nobody can {action.action!r}")

    def _fold(self, seat: int) -> None:
        if seat not in self._waiting:
            raise self._fault("it is not in the deal")
        self._waiting.remove(seat)

    def _make_cut(self, action: Action) -> None:
        made = self._proof.cut
        if self._cut or made is None or (made.seat, made.by) != (action.seat, action.by):
            raise self._fault("the proof has another cut")
        if self._waiting != list(self._hands):
            raise self._fault("the cards were not dealt to all who were there")
        self._cut = True

    def _draw_from_stock(self, action: Action) -> None:
        if not self._stock:
            if not self._renewals:
                self._run_out(action)
                return
            self._renew()
        card = self._stock.pop(0)
        if action.card not in (None, card):
            raise self._fault(f"it drew {action.card}, and the stock had {card} on top")
        self._hands[action.seat].append(card)

    def _run_out(self, action: Action) -> None:
        """A draw from a stock that is not renewed any more ends the deal."""
        if action.card is not None or len(self._proof.renewals) != self._proof.rules.max_reshuffles:
            raise self._fault("the stock is empty, and the proof has no new one")
        self._void = True

    def _renew(self) -> None:
        renewal = self._renewals.pop(0)
        kept = 1 if self._proof.rules.reshuffle == "keep_top" else 0
        if (self._pile[:kept], self._pile[kept:]) != (renewal.kept, renewal.discards):
            raise self._fault(f"new stock {renewal.number} is not made of these discards")
        self._pile, self._stock = self._pile[:kept], list(renewal.stock)

    def _draw_from_pile(self, action: Action) -> None:
        if not self._pile or self._pile[0] != action.card:
            raise self._fault(f"{action.card} did not lie on top of the discards")
        self._hands[action.seat].append(self._pile.pop(0))

    def _discard(self, seat: int, card: str | None) -> None:
        if card is None or card not in self._hands[seat]:
            raise self._fault(f"it discarded {card}, which it did not have")
        self._hands[seat].remove(card)
        self._pile.insert(0, card)

    def _call(self, action: Action) -> None:
        if action.card is not None:
            self._discard(action.seat, action.card)
        if sorted(action.cards or ()) != sorted(self._hands[action.seat]):
            raise self._fault("it laid down other cards than it had")

    def finish(self, record: Record) -> None:
        """Compare the hands that were shown, and see that the proof has nothing more to tell."""
        if self._renewals or self._cut is (self._proof.cut is None):
            raise DoesNotFit("The record ends before the proof does.")
        if self._void and record.result.reason != "void":  # One that is closed early is void, too.
            raise DoesNotFit("The record says otherwise than its actions whether the deal is void.")
        self._compare([hand for hand in record.result.hands if hand.cards])
        self._compare(record.hands)

    def _compare(self, told: Iterable[Hand]) -> None:
        for hand in told:
            if sorted(hand.cards) != sorted(self._hands.get(hand.seat, ())):
                raise DoesNotFit(f"Seat {hand.seat} held another hand in the end.")

    def _fault(self, what: str) -> DoesNotFit:
        return DoesNotFit(f"{self.where}: {what}.")
