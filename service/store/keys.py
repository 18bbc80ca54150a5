"""The names of the Redis keys.

All keys of a table share the hash tag of its partition, and so do the partition's indexes, so
that one script reaches them on Redis Cluster too.  An account's keys share its partition's.
"""

import hashlib
from dataclasses import dataclass
from itertools import count
from zlib import crc32

from ulid import ULID

PARTITIONS = 16
"""Fixed for the life of a database: a table's keys follow from it."""

CHANGED = "paiute:changed:"
"""Before the name of what has changed (a table's id, a player's, ...): the channel that says so."""


@dataclass(frozen=True, slots=True)
class Keys:
    """The keys of one partition."""

    tag: str

    @property
    def due(self) -> str:
        """Sorted set: follow-ups by the time they are due, in milliseconds since 1970."""
        return f"paiute:{self.tag}:due"

    @property
    def hooks_due(self) -> str:
        """Sorted set: the same for `notify` and `deliver`, which the game never waits behind."""
        return f"paiute:{self.tag}:hooks-due"

    def lobby(self, listing: str) -> str:
        """Sorted set without scores: the ids of the public tables that are `open` or `full`."""
        return f"paiute:{self.tag}:lobby:{listing}"

    def matching(self, seats: int, ante: int) -> str:
        """Sorted set: tables that a quick match of these stakes may choose, by open seats."""
        return f"paiute:{self.tag}:matching:{seats}:{ante}"

    @property
    def tables(self) -> str:
        """Sorted set without scores: the ids of all tables."""
        return f"paiute:{self.tag}:tables"

    def table(self, table_id: str) -> str:
        """Hash: version, format, state, and the member of `due` that stands for the table."""
        return f"paiute:{self.tag}:table:{table_id}"

    def log(self, table_id: str) -> str:
        """Stream: the log entries, with the table's version as id."""
        return f"paiute:{self.tag}:log:{table_id}"

    def deals(self, table_id: str) -> str:
        """Hash: the records of the finished deals by number."""
        return f"paiute:{self.tag}:deals:{table_id}"

    def opened(self, table_id: str) -> str:
        """Hash: for the number of a finished deal, the ids of those who agree to open it."""
        return f"paiute:{self.tag}:opened:{table_id}"

    def arrivals(self, table_id: str) -> str:
        """Hash: for the id of a buy-in, the version it arrived at, or `back`: it never will."""
        return f"paiute:{self.tag}:arrivals:{table_id}"

    def owed(self, table_id: str) -> str:
        """Hash: by version, the chips owed to players who left then, until they are paid."""
        return f"paiute:{self.tag}:owed:{table_id}"

    def heard(self, table_id: str) -> str:
        """Hash: the players whose webhooks are to be told of the table, and from which version."""
        return f"paiute:{self.tag}:heard:{table_id}"

    @property
    def house(self) -> str:
        """Hash: `chips` that the house lost at the `tables` that are forgotten by now."""
        return f"paiute:{self.tag}:house"

    def account(self, player_id: str) -> str:
        """Hash: player, balance, and when the account was made."""
        return f"paiute:{self.tag}:account:{player_id}"

    def ledger(self, player_id: str) -> str:
        """Stream: the ledger entries, by number."""
        return f"paiute:{self.tag}:ledger:{player_id}"

    def postings(self, player_id: str) -> str:
        """Hash: the number of the ledger entry of each posting's id."""
        return f"paiute:{self.tag}:postings:{player_id}"

    def noted(self, player_id: str) -> str:
        """Sorted set: the tables that the player may have a seat at, by when they were noted."""
        return f"paiute:{self.tag}:noted:{player_id}"

    def left(self, player_id: str) -> str:
        """Sorted set: tables that were noted for the player, by when they no longer were."""
        return f"paiute:{self.tag}:left:{player_id}"

    def leases(self, holder: str) -> str:
        """Sorted set: the places that somebody holds, by when each becomes free."""
        return f"paiute:{self.tag}:leases:{holder}"

    def invitations(self, player_id: str) -> str:
        """Stream: the player's invitations, by number; it goes a day after the last one."""
        return f"paiute:{self.tag}:invitations:{player_id}"

    def tokens(self, player_id: str) -> str:
        """Hash: by id, the further tokens that the player has made."""
        return f"paiute:{self.tag}:tokens:{player_id}"

    def token_places(self, player_id: str) -> str:
        """Sorted set: the same tokens, and those just revoked, by when they count no more."""
        return f"paiute:{self.tag}:token-places:{player_id}"

    def identities(self, player_id: str) -> str:
        """Hash: the outside identities that stand for the player."""
        return f"paiute:{self.tag}:identities:{player_id}"

    def identity(self, key: str) -> str:
        """String: which player an outside identity stands for."""
        return f"paiute:{self.tag}:identity:{key}"

    @property
    def revoked(self) -> str:
        """Stream: the tokens that were revoked; in one partition for all of them."""
        return f"paiute:{self.tag}:revoked"

    @property
    def revoked_entries(self) -> str:
        """Hash: by token, its entry in `revoked`."""
        return f"paiute:{self.tag}:revoked-entries"

    @property
    def revoked_until(self) -> str:
        """Sorted set: the same tokens by when they expire, if ever."""
        return f"paiute:{self.tag}:revoked-until"

    def hooks(self, player_id: str) -> str:
        """Set: the ids of the player's webhooks, which lie in the same partition."""
        return f"paiute:{self.tag}:hooks:{player_id}"

    def hook(self, webhook_id: str) -> str:
        """Hash: the webhook, and how it fares."""
        return f"paiute:{self.tag}:hook:{webhook_id}"

    def told(self, webhook_id: str) -> str:
        """Hash: by table, up to which version the webhook was told of it."""
        return f"paiute:{self.tag}:told:{webhook_id}"

    def outbox(self, webhook_id: str) -> str:
        """List: the deliveries of a webhook that its endpoint has not taken yet, in order."""
        return f"paiute:{self.tag}:outbox:{webhook_id}"

    @property
    def ratings(self) -> str:
        """Hash: the rating of each player who has one."""
        return f"paiute:{self.tag}:ratings"

    def board(self, kind: str) -> str:
        """Sorted set without scores: the players of a kind who are rated, by points, then id."""
        return f"paiute:{self.tag}:board:{kind}"

    def last_rated(self, table_id: str) -> str:
        """String: the number of the table's last deal that was rated."""
        return f"paiute:{self.tag}:last-rated:{table_id}"

    def answer(self, key: str) -> str:
        """String: the claim to, then the answer to, the request of an idempotency key."""
        return f"paiute:{self.tag}:answer:{key}"

    def bucket(self, budget: str, payer: str) -> str:
        """String: when a caller's bucket of a budget will be full, in microseconds since 1970."""
        return f"paiute:{self.tag}:bucket:{budget}:{payer}"


ALL = tuple(Keys(f"{{p{number:02}}}") for number in range(PARTITIONS))


REVOKED = ALL[0]
"""The partition with the list of the revoked tokens."""


RATINGS = Keys("{ratings}")
"""What is kept of ratings: in a slot of its own, since any two players may meet in a deal."""


def keys_of(name: str) -> Keys:
    """The keys of the partition that a table, a player, a key or whoever else is in."""
    return ALL[crc32(name.encode()) % PARTITIONS]


def first_account(player_id: str) -> str:
    """String: where release 0.1 has kept an account."""
    return f"paiute:account:{player_id}"


def new_id(beside: str | None = None) -> str:
    """A new id, which sorts by time; in the partition of another name where one is given."""
    while True:
        id_ = str(ULID())
        if beside is None or keys_of(id_) is keys_of(beside):
            return id_


def id_from(token: str, beside: str) -> str:
    """The id that follows from a token, in the partition of another name; it does not sort."""
    tried = (hashlib.sha256(f"{token} {n}".encode()).digest()[:16] for n in count())
    ids = (str(ULID.from_bytes(number)) for number in tried)
    return next(id_ for id_ in ids if keys_of(id_) is keys_of(beside))
