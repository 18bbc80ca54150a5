"""Accounts in Redis: an account, its ledger and its due entries share a partition."""

from collections.abc import Sequence
from typing import Any, cast

import msgspec
from redis import Redis

from service.store import keys
from service.store.accounts import LEFT_MS, Account, Accounts, LedgerEntry, Posting
from service.store.answers import KEPT_MS, NOT_OURS, Answer, InProgress
from service.store.base import ARRIVE_MS, NotFound
from service.store.connection import available
from service.store.scripts import script
from service.tables.errors import InsufficientChips
from service.tables.table import Player


class RedisAccounts(Accounts):
    """Accounts over one Redis; the client may be shared between threads."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis
        self._open = redis.register_script(script("open"))
        self._post = redis.register_script(script("post"))
        self._note = redis.register_script(script("note"))
        self._unnote = redis.register_script(script("unnote"))

    def open(self, account: Account, answer: Answer | None = None) -> None:
        player, of = account.player, keys.keys_of(account.player.id)
        named = [of.account(player.id), of.ledger(player.id), of.postings(player.id)]
        with available():
            done = self._open(
                [*named, of.answer(answer.key) if answer else named[0]],
                [
                    msgspec.json.encode(player),
                    account.balance,
                    account.created_at,
                    answer.claim if answer else "",
                    answer.text if answer else "",
                    KEPT_MS,
                ],
            )
        if done == NOT_OURS:
            raise InProgress

    def account(self, player_id: str) -> Account:
        key = keys.keys_of(player_id).account(player_id)
        with available():
            found = self._redis.hmget(key, ["player", "balance", "created_at"])
        player, balance, created_at = cast(list[bytes | None], found)
        if player is None or balance is None or created_at is None:
            self._make_of_first_format(player_id)
            return self.account(player_id)
        owner = msgspec.json.decode(player, type=Player)
        return Account(owner, int(balance), int(created_at))

    def players(self, player_ids: Sequence[str]) -> dict[str, Player]:
        with available(), self._redis.pipeline(transaction=False) as pipe:
            for id_ in player_ids:
                pipe.hget(keys.keys_of(id_).account(id_), "player")
            found = pipe.execute() if player_ids else []
        pairs = zip(player_ids, found, strict=True)
        return {id_: msgspec.json.decode(one, type=Player) for id_, one in pairs if one}

    def post(self, posting: Posting) -> LedgerEntry:
        of, player = keys.keys_of(posting.player), posting.player
        arrive_at = str(posting.at + ARRIVE_MS) if posting.why == "buy_in" else ""
        deal = "" if posting.deal is None else posting.deal
        with available():
            answer = self._post(
                [of.account(player), of.ledger(player), of.postings(player), of.due],
                [
                    posting.id,
                    posting.amount,
                    posting.why,
                    posting.at,
                    posting.table or "",
                    deal,
                    player,
                    arrive_at,
                ],
            )
        if answer[0] == b"missing":
            self._make_of_first_format(player)
            return self.post(posting)
        if answer[0] == b"short":
            raise InsufficientChips(
                "This takes more chips than you have. Needed: {needed}; you have: {balance}.",
                needed=-posting.amount,
                balance=int(answer[1]),
            )
        number, fields = answer
        return ledger_entry(player, number, dict(zip(fields[::2], fields[1::2], strict=True)))

    def _make_of_first_format(self, player_id: str) -> None:
        """Make an account of what release 0.1 has stored of it.

        Raises:
            NotFound: there never was one.
        """
        with available():
            stored = cast(bytes | None, self._redis.get(keys.first_account(player_id)))
        if stored is None:
            raise NotFound("There is no player {id}.", id=player_id)
        self.open(msgspec.json.decode(stored, type=Account))

    def ledger(self, player_id: str, before: int | None, limit: int) -> tuple[LedgerEntry, ...]:
        upper = "+" if before is None else f"({max(before, 1)}-0"
        with available():
            ledger = keys.keys_of(player_id).ledger(player_id)
            found = self._redis.xrevrange(ledger, upper, "-", count=limit)
        return tuple(ledger_entry(player_id, id_, fields) for id_, fields in cast(Any, found))

    def note(self, player_id: str, table_id: str, at: int, most: int = 0) -> bool:
        with available():
            noted = keys.keys_of(player_id).noted(player_id)
            return bool(self._note([noted], [table_id, at, most, player_id]))

    def noted(self, player_id: str) -> dict[str, int]:
        with available():
            key = keys.keys_of(player_id).noted(player_id)
            found = self._redis.zrange(key, 0, -1, withscores=True)
        return {table.decode(): int(at) for table, at in cast(Any, found)}

    def unnote(self, player_id: str, tables: dict[str, int], now: int) -> None:
        with available():
            of, each = keys.keys_of(player_id), [part for table in tables.items() for part in table]
            self._unnote([of.noted(player_id), of.left(player_id)], [now, LEFT_MS, *each])

    def left(self, player_id: str, since: int) -> frozenset[str]:
        with available():
            found = self._redis.zrangebyscore(
                keys.keys_of(player_id).left(player_id), since, "+inf"
            )
        return frozenset(table.decode() for table in cast(list[bytes], found))


def ledger_entry(player_id: str, stream_id: bytes, fields: dict[bytes, bytes]) -> LedgerEntry:
    """An entry of a player's ledger, from its stream."""
    said = {name.decode(): value.decode() for name, value in fields.items()}
    posting = Posting(
        said["id"],
        player_id,
        int(said["amount"]),
        cast(Any, said["why"]),
        int(said["at"]),
        said["table"] or None,
        int(said["deal"]) if said["deal"] else None,
    )
    return LedgerEntry(int(stream_id.split(b"-")[0]), posting, int(said["balance"]))
