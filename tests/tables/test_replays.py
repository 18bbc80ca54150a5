"""A deal played again from its record: the state at each version."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings

from service.engine.deal import Deal, Phase
from service.engine.events import StockRenewed
from service.store import codec
from service.tables.events import Entry, TableEvent
from service.tables.records import DealRecord, numbered
from service.tables.replays import deal_at, last_hands, replay
from tests.engine.generators import luck
from tests.support.deals import BEFORE, any_record, new_deals, played, record_from
from tests.support.tables import history


@given(luck())
@settings(max_examples=60, deadline=None)
def test_a_replay_is_the_deal_at_each_version(chance: Random) -> None:
    """From the record as it is stored, the deal is the same again after each command."""
    first = deal = new_deals(chance)
    version, events = BEFORE + 1, list[TableEvent]()
    at = {version: first}
    for after, happened in played(deal, chance):
        deal = after
        events += happened
        version += len(happened)
        at[version] = deal
    record = codec.load_record(codec.dump_record(record_from(first, deal, events)))

    found = {step.version: step.deal for step in replay(record)}
    assert list(range(record.from_version, record.to_version)) == list(found)
    assert at == {version: found[version] for version in at}
    assert deal == deal_at(record, record.to_version)
    assert {seat: hand.cards for seat, hand in deal.hands.items()} == last_hands(record)


def stories(seed: int) -> list[tuple[DealRecord, dict[int, Deal], tuple[Entry, ...]]]:
    """The deals of a table with people, a bot and clocks: record, the deal by version, the log."""
    found, at, log = [], dict[int, Deal](), list[Entry]()
    for change in history(Random(seed), deals=3):
        log += change.entries
        if change.table.deal:
            at[change.table.version] = change.table.deal
        if change.record:
            number = change.record.number
            own = tuple(entry for entry in log if entry.deal == number)
            found.append((change.record, at, own))
            at = {}
    return found


@pytest.mark.parametrize("seed", range(8))
def test_a_table_is_replayed(seed: int) -> None:
    """Whatever clocks and bots do, a record has the deal that the table had at each version."""
    for record, at, log in stories(seed):
        assert len(at) > 3
        found = {step.version: step.deal for step in replay(record)}
        for version, deal in at.items():
            if version in found:
                assert deal == found[version]
        assert {log[0].deal} == {record.number}
        assert deal_at(record, record.to_version) == at[max(at)]


@pytest.mark.parametrize("seed", range(6))
def test_a_record_without_versions_gets_them_from_the_log(seed: int) -> None:
    """What an older release stored is what is stored now, once the log has been asked."""
    for record, _, log in stories(seed):
        actions = tuple(
            replace(action, version=0)
            for action in record.actions
            if action.action != "draw" or action.card
        )
        old = replace(record, actions=actions, from_version=0, to_version=0)
        assert record == numbered(old, log)


def test_between_the_events_of_one_command() -> None:
    """A draw that renews the stock is two versions: at the first the new stock lies there whole."""
    record = next(
        record
        for seed in range(100)
        if "stock_renewed" in kinds(record := any_record(Random(seed)))
    )
    steps = list(replay(record))
    place = next(i for i, step in enumerate(steps) if isinstance(step.event, StockRenewed))
    renewed, drawn = steps[place], steps[place + 1]

    assert (0, renewed.deal) == (len(renewed.before.stock), drawn.before)
    assert renewed.version + 1 == drawn.version
    assert renewed.deal == deal_at(record, renewed.version)
    assert renewed.deal.stock[1:] == drawn.deal.stock


def kinds(record: DealRecord) -> set[str]:
    """The types of the events of a deal."""
    return {step.event.type for step in replay(record) if step.event}


def test_before_the_cut() -> None:
    """At its first version a deal waits for its cut, and nobody has a card."""
    deal = deal_at(record := any_record(Random(1)), record.from_version)

    assert Phase.CUT is deal.phase
    assert not any(hand.cards for hand in deal.hands.values())


def test_all_kinds_of_deals_come_about() -> None:
    """The deals that tests take in numbers are of all kinds."""
    records = [any_record(Random(seed)) for seed in range(100)]
    happened = [kinds(record) for record in records]

    assert {"showdown", "last_player", "void"} == {r.result.reason for r in records}
    assert {"keep_top", "all"} == {
        record.rules.reshuffle
        for record, kind in zip(records, happened, strict=True)
        if "stock_renewed" in kind and record.result.reason == "showdown"
    }
    assert {2, 3, 4, 5} == {len(record.players) for record in records}
    assert any(record.cut is None for record in records)
    assert any(action.action == "fold" for record in records for action in record.actions[:1])
    assert 6 == len({record.entropy for record in records} - {""})
