"""Outside identities: who an identity provider vouches for is a player here."""

from service.game import Game
from service.store.accounts import Account
from service.store.identities import Bound, Identity, IdentityTaken
from service.store.keys import new_id
from service.tables.table import Player


def welcome(game: Game, identity: Identity, name: str) -> Player:
    """The player whom an outside identity stands for, with a new account at its first use.

    Any number of first uses at once make one account: whoever binds first says which, and the
    others open the same one.
    """
    identities, accounts = game.store.identities, game.store.accounts
    known = identities.remembered(identity)
    if known:
        return known
    bound = identities.bind(Bound(identity, new_id(), game.now(), opened=True))
    if bound.opened:
        guest = Player(bound.player, name, "human")
        accounts.open(Account(guest, game.grant, bound.at))
    player = accounts.account(bound.player).player
    identities.remember(identity, player)
    return player


def link(game: Game, player_id: str, identity: Identity) -> tuple[Bound, bool]:
    """Have an outside identity stand for a player; says too whether that is new.

    Raises:
        IdentityTaken: it stands for another one already.
    """
    identities = game.store.identities
    known = any(one.identity == identity for one in identities.of(player_id))
    bound = identities.bind(Bound(identity, player_id, game.now(), opened=False))
    if bound.player != player_id:
        raise IdentityTaken("This identity stands for another account already.")
    return bound, not known
