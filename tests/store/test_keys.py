"""The names of the Redis keys."""

import re
from collections import Counter

from ulid import ULID

from service.store import keys


def tag(key: str) -> str:
    """What Redis Cluster takes a key's slot from."""
    found = re.search(r"\{([^}]+)\}", key)
    assert found is not None, key
    return found[1]


def test_all_keys_of_a_table_share_a_slot() -> None:
    """One script may touch all keys of a table, its partition's indexes included."""
    for _ in range(200):
        table = str(ULID())
        of = keys.keys_of(table)
        named = (
            of.table(table),
            of.log(table),
            of.deals(table),
            of.opened(table),
            of.due,
            of.hooks_due,
            of.heard(table),
            of.lobby("open"),
            of.lobby("full"),
            of.matching(2, 5),
            of.tables,
        )
        assert 1 == len({tag(key) for key in named})
        assert len(named) == len(set(named))


def test_a_table_stays_in_its_partition() -> None:
    """A table's partition follows from its id, the same in every process and release."""
    assert "paiute:{p01}:table:table-1" == keys.keys_of("table-1").table("table-1")
    assert "paiute:{p01}:log:table-1" == keys.keys_of("table-1").log("table-1")


def test_tables_spread_over_all_partitions() -> None:
    """Tables are spread evenly, so that no partition has much more than its share."""
    tables = Counter(keys.keys_of(f"table-{n}").tag for n in range(16_000))
    assert keys.PARTITIONS == len(tables) == len(keys.ALL)
    assert max(tables.values()) < 1.2 * 1000


def test_keys_of_players_are_apart() -> None:
    """A player's keys are no table's."""
    of = keys.keys_of("me")
    assert "paiute:{p02}:account:me" == of.account("me")
    names = of.account, of.ledger, of.postings, of.noted, of.left
    assert 5 == len({name("me") for name in names})
