"""Deals that are over: their records, looks back at any version, and the proofs of their cards."""

from typing import Any

from flask import Response, g

from service.api import limits
from service.api.auth import caller_id, signed_in, viewer_id
from service.api.json import NO_STORE, PRIVATE, reply
from service.api.schemas.answers import DealsPage
from service.api.schemas.deals import DealRecordOut, PastViewOut, PastViewQuery, ProofOut
from service.api.schemas.requests import DealsQuery, NothingIn
from service.api.smorest import Blueprint
from service.engine.errors import PaiuteError
from service.past_deals import agree_to_open, past_deal
from service.store.base import check_seen
from service.tables import record_views
from service.tables.proofs import proof_of

blp = Blueprint("deals", __name__, url_prefix="/v1/tables", description="Deals that are over")


class NoSuchVersion(PaiuteError):
    """The deal was not going on at that version of its table."""

    code = "validation_failed"


@blp.get("/<table_id>/deals")
@blp.arguments(DealsQuery(), location="query")
@blp.response(200, DealsPage())
def list_deals(query: dict[str, Any], table_id: str) -> Response:
    """List the finished deals, the latest first"""
    check_seen(g.game.store.load(table_id, limits.take()), caller_id())
    limit = query["limit"]
    before = int(query["cursor"]) if "cursor" in query else None
    records = g.game.store.records(table_id, before, limit)
    more = len(records) == limit and records[-1].number > 1
    next_page = str(records[-1].number) if more else None
    items = list(map(record_views.record_summary, records))
    return reply({"items": items, "next": next_page}, headers=NO_STORE)


@blp.get("/<table_id>/deals/<int:number>")
@blp.response(200, DealRecordOut())
def get_deal(table_id: str, number: int) -> Response:
    """See a finished deal: every action, how it ended, and the settlement receipt

    A card drawn from the stock is named to its drawer, and to all where that hand was shown or the
    deal was opened.
    """
    limits.pay()
    past = past_deal(g.game.store, table_id, number)
    return reply(record_views.record_view(past, viewer_id()), headers=PRIVATE)


@blp.get("/<table_id>/deals/<int:number>/view")
@blp.refuses("hand_hidden")
@blp.arguments(PastViewQuery(), location="query")
@blp.response(200, PastViewOut())
def view_past_deal(query: dict[str, Any], table_id: str, number: int) -> Response:
    """Look back at a finished deal as a seat saw it at a version, or as a spectator did

    Your own seat is always open to you, with a token that has the scope `play`. Another's is where
    its hand was shown, and every seat once all who were dealt in have agreed to open the deal.
    """
    limits.pay()
    past = past_deal(g.game.store, table_id, number)
    seat, first, last = query["seat"], past.record.from_version, past.record.to_version
    version = last if query["version"] is None else query["version"]
    if not first <= version <= last:
        raise NoSuchVersion(
            "This deal went from version {first} to version {last}.",
            first=first,
            last=last,
            field="version",
        )
    if seat is not None:
        past.check_seen(seat, viewer_id())
    return reply(record_views.past_view(past, seat, version), headers=PRIVATE)


@blp.post("/<table_id>/deals/<int:number>/open")
@signed_in("play")
@blp.refuses("not_seated")
@blp.arguments(NothingIn(), required=False)
@blp.response(200, DealRecordOut())
def open_deal(_body: Any, table_id: str, number: int) -> Response:
    """Agree that everybody may see all hands of a finished deal

    For those who were dealt in. The house's bots always agree. Once all have, the deal is `opened`;
    that can't be taken back.
    """
    limits.pay()
    past = agree_to_open(g.game.store, table_id, number, g.caller.id)
    return reply(record_views.record_view(past, viewer_id()), headers=PRIVATE)


@blp.get("/<table_id>/deals/<int:number>/proof")
@blp.response(200, ProofOut())
def prove_deal(table_id: str, number: int) -> Response:
    """See the proof that nobody chose the cards of a finished deal

    It is the same for everybody and reveals all cards of the deal, hands that were never shown
    included. `paiute verify` checks it, and so can any program by the document that it names.
    """
    limits.pay()
    proof = proof_of(past_deal(g.game.store, table_id, number).record)
    return reply(record_views.proof_view(proof, table_id), headers=NO_STORE)
