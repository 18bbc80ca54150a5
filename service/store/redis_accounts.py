"""Accounts in Redis: an account, its ledger and its due entries share a partition."""

from typing import Any, cast

import msgspec
from redis import Redis

from service.store import keys
from service.store.accounts import Account, Accounts, LedgerEntry, Posting
from service.store.base import ARRIVE_MS, NotFound
from service.store.connection import available
from service.store.scripts import script
from service.tables.errors import InsufficientChips
from service.tables.table import Player


class RedisAccounts(Accounts):
    """Accounts over one Redis; the client may be shared between threads."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis
        self._post = redis.register_script(script("post"))
        self._note = redis.register_script(script("note"))

    def open(self, account: Account) -> None:
        player, at = account.player, account.created_at
        key = keys.keys_of(player.id).account(player.id)
        with available(), self._redis.pipeline(transaction=False) as pipe:
            pipe.hsetnx(key, "player", msgspec.json.encode(player).decode())
            pipe.hsetnx(key, "created_at", str(at))
            pipe.hsetnx(key, "balance", "0")
            pipe.execute()
        self.post(Posting("grant", player.id, account.balance, "grant", at))

    def account(self, player_id: str) -> Account:
        key = keys.keys_of(player_id).account(player_id)
        with available():
            found = self._redis.hmget(key, ["player", "balance", "created_at"])
        player, balance, created_at = cast(list[bytes | None], found)
        if player is None or balance is None or created_at is None:
            raise _nobody(player_id)
        owner = msgspec.json.decode(player, type=Player)
        return Account(owner, int(balance), int(created_at))

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
            raise _nobody(player)
        if answer[0] == b"short":
            raise InsufficientChips(
                "This takes {needed} chips, and you have {balance}.",
                needed=-posting.amount,
                balance=int(answer[1]),
            )
        return LedgerEntry(int(answer[0]), posting, int(answer[1]))

    def ledger(self, player_id: str, before: int | None, limit: int) -> tuple[LedgerEntry, ...]:
        upper = "+" if before is None else f"({max(before, 1)}-0"
        with available():
            ledger = keys.keys_of(player_id).ledger(player_id)
            found = self._redis.xrevrange(ledger, upper, "-", count=limit)
        return tuple(ledger_entry(player_id, id_, fields) for id_, fields in cast(Any, found))

    def note(self, player_id: str, table_id: str, at: int, most: int = 0) -> bool:
        with available():
            noted = keys.keys_of(player_id).noted(player_id)
            return bool(self._note([noted], [table_id, at, most]))

    def noted(self, player_id: str) -> dict[str, int]:
        with available():
            key = keys.keys_of(player_id).noted(player_id)
            found = self._redis.zrange(key, 0, -1, withscores=True)
        return {table.decode(): int(at) for table, at in cast(Any, found)}

    def unnote(self, player_id: str, table_ids: list[str]) -> None:
        with available():
            self._redis.zrem(keys.keys_of(player_id).noted(player_id), *table_ids)


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


def _nobody(player_id: str) -> NotFound:
    return NotFound("There is no player {id}.", id=player_id)
