"""The moves of a deal."""

from typing import Any

from flask import Response

from service.api.auth import signed_in
from service.api.commands import table_command
from service.api.here import here
from service.api.schemas.answers import TableOut
from service.api.schemas.requests import CallIn, CutIn, DiscardIn, DrawIn
from service.api.smorest import Blueprint
from service.api.versions import IF_MATCH
from service.engine.commands import Call, Command, Cut, Discard, Draw, Source
from service.tables import Play

blp = Blueprint("play", __name__, url_prefix="/v1/tables", description="The moves of a deal")

OUT_OF_TURN = ("not_your_turn", "wrong_phase", "not_seated", "table_not_open", "stale_version")


def _play(table_id: str, move: Command) -> Response:
    state = here()[1]
    game, play = state.game, Play(state.caller.id, move)
    return table_command(lambda terms: game.act(table_id, play, terms))


@blp.post("/<table_id>/cut")
@signed_in("play")
@blp.refuses(*OUT_OF_TURN)
@blp.arguments(CutIn())
@blp.takes(IF_MATCH)
@blp.response(200, TableOut())
def cut_deck(body: dict[str, Any], table_id: str) -> Response:
    """Cut the deck; for the player at the dealer's right

    The cards are dealt at once.
    """
    return _play(table_id, Cut(body["position"], body["entropy"]))


@blp.post("/<table_id>/draw")
@signed_in("play")
@blp.refuses("pile_empty", *OUT_OF_TURN)
@blp.arguments(DrawIn())
@blp.takes(IF_MATCH)
@blp.response(200, TableOut())
def draw_card(body: dict[str, Any], table_id: str) -> Response:
    """Draw the top card of the stock or of the discard pile

    The card is `you.drawn` in the answer.
    """
    return _play(table_id, Draw(Source(body["from_"])))


@blp.post("/<table_id>/discard")
@signed_in("play")
@blp.refuses("card_not_in_hand", "card_just_drawn", *OUT_OF_TURN)
@blp.arguments(DiscardIn())
@blp.takes(IF_MATCH)
@blp.response(200, TableOut())
def discard_card(body: dict[str, Any], table_id: str) -> Response:
    """Discard a card and end the turn"""
    return _play(table_id, Discard(body["card"]))


@blp.post("/<table_id>/call")
@signed_in("play")
@blp.refuses(
    "no_combination",
    "discard_breaks_combination",
    "card_not_in_hand",
    "card_just_drawn",
    *OUT_OF_TURN,
)
@blp.arguments(CallIn(), required=False)
@blp.takes(IF_MATCH)
@blp.response(200, TableOut())
def call_hand(body: dict[str, Any], table_id: str) -> Response:
    """Call, or lay a combination down in a last turn

    Without `discard` the highest combination is laid down.
    """
    return _play(table_id, Call(body["discard"]))
