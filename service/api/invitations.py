"""Invitations: asking others to a table, and being asked."""

from typing import Any

from flask import Response, g

from service import invitations
from service.api.auth import signed_in
from service.api.commands import command
from service.api.json import NO_STORE, reply
from service.api.schemas.invitations import InvitationsPage, InvitedOut, InviteIn
from service.api.smorest import Blueprint
from service.api.versions import IF_MATCH
from service.tables import views
from service.tables.invitations import Invitation

blp = Blueprint("invitations", __name__, url_prefix="/v1", description="Invitations to tables")


@blp.post("/tables/<table_id>/invitations")
@signed_in("lobby")
@blp.refuses("not_seated", "already_seated", "table_not_open", "limit_reached", "stale_version")
@blp.arguments(InviteIn())
@blp.takes(IF_MATCH)
@blp.response(201, InvitedOut())
def invite_player(body: dict[str, Any], table_id: str) -> Response:
    """Invite a player to a table; for those who sit there and for its host

    The player finds the invitation, with the code of a private table in it, in the own list and
    as an event. It takes no seat. Inviting again is the same invitation.
    """

    def reply_made(made: Invitation) -> Response:
        invited = {"table": made.table, "player": body["player"], "at": views.rfc3339(made.at)}
        return reply(invited, 201, headers=NO_STORE)

    return command(
        lambda terms: invitations.invite(g.game, table_id, g.caller, body["player"], terms),
        reply_made,
    )


@blp.get("/me/invitations")
@signed_in("lobby")
@blp.response(200, InvitationsPage())
def list_my_invitations() -> Response:
    """List the invitations that the caller has, the latest first

    An invitation goes after a day, when its table closes, and when the caller sits there.
    """
    found = invitations.invitations_of(g.game, g.caller.id)
    return reply({"items": list(map(views.invitation_view, found)), "next": None}, headers=NO_STORE)


@blp.delete("/me/invitations/<int:number>")
@signed_in("lobby")
@blp.response(204)
def decline_invitation(number: int) -> Response:
    """Decline an invitation

    Who has sent it isn't told.
    """
    invitations.decline(g.game, g.caller.id, number)
    return Response(status=204, headers=NO_STORE)
