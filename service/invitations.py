"""Invitations: a player asks another one to a table, which takes no seat and promises none."""

from service.engine.errors import NotSeated, PaiuteError
from service.game import Game, Terms
from service.store.base import NotFound, StaleVersion
from service.store.invitations import MOST, OPEN_MS
from service.tables.errors import AlreadySeated, TableNotOpen
from service.tables.invitations import Invitation
from service.tables.table import Player, Status, Table


class TooManyInvitations(PaiuteError):
    """The invited player has as many invitations as one may have."""

    code = "limit_reached"

    def __init__(self) -> None:
        super().__init__(
            "That player has as many invitations as one may have: {most}. Try again later.",
            limit="invitations",
            most=MOST,
        )


def invite(game: Game, table_id: str, inviter: Player, invited: str, terms: Terms) -> Invitation:
    """Invite a player to a table; again is the same invitation.

    Raises:
        NotFound: there is no such table, or no such player.
        NotSeated: the inviter has no seat there and is not its host.
        TooManyInvitations: the invited player has so many already.
        PaiuteError: the table is closed or a sandbox match, or not at the version named, or the
            player sits there.
    """
    table = game.store.load(table_id, terms.charge)
    terms.admit(table)
    if terms.expected not in (None, table.version):
        raise StaleVersion(table)
    _check(table, inviter, invited)
    game.store.accounts.account(invited)
    code = table.invite_code if table.settings.visibility == "private" else None
    invitations = game.store.invitations
    made = invitations.add(invited, table_id, inviter, code, game.now())
    if made is None:
        invitations_of(game, invited)  # Those that are over make room.
        made = invitations.add(invited, table_id, inviter, code, game.now())
    if made is None:
        raise TooManyInvitations
    return made


def _check(table: Table, inviter: Player, invited: str) -> None:
    """Refuse what the inviter may not do there, or what makes no sense."""
    refusal: PaiuteError | None = None
    if inviter.id != table.host and table.seat_of(inviter.id) is None:
        refusal = NotSeated("You have no seat at this table.")
    elif table.sandbox:
        refusal = TableNotOpen("A sandbox match is for its player alone.")
    elif table.status is Status.CLOSED:
        refusal = TableNotOpen("This table is closed.")
    elif table.seat_of(invited) is not None:
        refusal = AlreadySeated("That player has a seat at this table already.")
    if refusal:
        refusal.table = table
        raise refusal


def invitations_of(game: Game, player: str) -> tuple[Invitation, ...]:
    """A player's open invitations, the latest first; those that are over go for good.

    An invitation is over after a day, when its table closes, and when the player sits there.
    """
    found = game.store.invitations.of(player)
    tables = game.store.load_all(sorted({one.table for one in found}))
    since = game.now() - OPEN_MS
    over = [
        one
        for one in found
        if one.at <= since or (one.table not in tables or _is_over(tables[one.table], player))
    ]
    game.store.invitations.drop(player, [one.number for one in over])
    return tuple(one for one in reversed(found) if one not in over)


def _is_over(table: Table | None, player: str) -> bool:
    """Whether an invitation to a table is of no use; not where only a newer release can tell."""
    if table is None:
        return False
    return table.status is Status.CLOSED or table.seat_of(player) is not None


def decline(game: Game, player: str, number: int) -> None:
    """Take an invitation away.

    Raises:
        NotFound: the player has none of this number.
    """
    if not game.store.invitations.drop(player, [number]):
        raise NotFound("You have no invitation {number}.", number=number)
