"""What both stores promise of webhooks (service/store/webhooks.py)."""

from dataclasses import replace

import pytest

from service.store.base import Due, NotFound, Store
from service.store.keys import keys_of, new_id
from service.store.webhooks import (
    MOST_WAITING,
    MOST_WEBHOOKS,
    Delivery,
    Standing,
    TooManyWatchers,
    TooManyWebhooks,
    Webhook,
)
from service.tables import Leave
from tests.support.tables import GUEST, HOST, START, changed_by, created, put, seated

LATER = START + 10_000


def made(store: Store, player: str = HOST.id, told: dict[str, int] | None = None) -> Webhook:
    """A new webhook of a player's."""
    id_ = new_id(beside=player)
    webhook = Webhook(id_, player, "https://example.com/", ("your_turn",), "whsec_x", START)
    store.webhooks.add(webhook, told or {})
    return webhook


def deliveries(*ids: str) -> list[Delivery]:
    """Deliveries with these ids."""
    return [Delivery(id_, f'{{"of": "{id_}"}}') for id_ in ids]


def due_at(store: Store, now: int, kind: str) -> list[Due]:
    """What of a kind is due by a time; it is due again at once."""
    return [due for due in store.claim_due(now, now, 100, webhooks=True) if due.kind == kind]


def standing(store: Store, webhook: Webhook) -> Standing:
    """How a webhook fares."""
    return store.webhooks.standings([webhook.id])[webhook.id]


def test_webhooks_are_kept_by_player(store: Store) -> None:
    """A webhook is read as it was kept, by its id and among its player's, the latest first."""
    assert not store.webhooks.any_of(HOST.id)
    first, second, other = made(store), made(store), made(store, GUEST.id)
    assert store.webhooks.any_of(HOST.id)
    assert (second, first) == store.webhooks.of(HOST.id)
    assert other == store.webhooks.load(other.id)
    assert keys_of(HOST.id) is keys_of(first.id)

    store.webhooks.remove(first)
    assert (second,) == store.webhooks.of(HOST.id)
    with pytest.raises(NotFound):
        store.webhooks.load(first.id)


def test_a_player_has_so_many_webhooks(store: Store) -> None:
    """One too many is refused; the same one sent again is not."""
    mine = [made(store) for _ in range(MOST_WEBHOOKS)]
    with pytest.raises(TooManyWebhooks):
        made(store)
    store.webhooks.add(mine[0], {})
    made(store, GUEST.id)
    store.webhooks.remove(mine[0])
    made(store)


def test_a_new_webhook_knows_the_tables_noted(store: Store) -> None:
    """Adding a webhook gives the tables that are noted for its player by then."""
    store.accounts.note(HOST.id, "table-1", START)
    store.accounts.note(GUEST.id, "table-2", START)
    webhook = Webhook(new_id(beside=HOST.id), HOST.id, "https://a.b/", (), "whsec_x", START)
    assert {"table-1"} == store.webhooks.add(webhook, {})


def test_who_hears_of_a_table(store: Store) -> None:
    """A player hears of a table from its version on; the version stays, the mark is a new one."""
    table = put(store, created())
    assert {table.id: table.version} == store.webhooks.hear(HOST.id, [table.id, "nowhere"])
    before = store.webhooks.heard(table.id)
    put(store, changed_by(table, seated(GUEST)))
    store.webhooks.hear(HOST.id, [table.id])
    after = store.webhooks.heard(table.id)
    assert [HOST.id] == list(before) == list(after)
    assert before != after
    assert ["1", "1"] == [heard[HOST.id].split("-")[0] for heard in (before, after)]


def test_so_many_hear_of_a_table(store: Store) -> None:
    """One too many is refused where a number is given; who hears already never is."""
    table, hooks = put(store, created()), store.webhooks
    for player in (HOST.id, GUEST.id):
        assert {table.id: 1} == hooks.hear(player, [table.id], 2)
    with pytest.raises(TooManyWatchers):
        hooks.hear("third", [table.id], 2)
    assert {HOST.id, GUEST.id} == set(hooks.heard(table.id))
    assert {table.id: 1} == hooks.hear(HOST.id, [table.id], 2)
    assert {table.id: 1} == hooks.hear("third", [table.id])


def test_the_game_does_not_wait_behind_webhooks(store: Store) -> None:
    """What is due for webhooks is apart from all else, put off and done where it is."""
    table = put(store, created(seats=3))
    webhook = made(store)
    store.webhooks.hear(HOST.id, [table.id])
    put(store, changed_by(table, seated(GUEST)))
    store.webhooks.tell(webhook, deliveries("a"), START)
    both = [Due("deliver", webhook.id, 0), Due("notify", table.id, 0)]
    assert both == sorted(store.claim_due(LATER, LATER, 9, webhooks=True), key=lambda due: due.kind)
    assert () == store.claim_due(START, LATER, 9)
    assert 1 == store.backlog(START).entries, "the closing of the table that nobody comes to"
    store.put_off(both[0], LATER + 1)
    store.done(both[1])
    assert () == store.claim_due(LATER, LATER, 9, webhooks=True)
    assert (both[0],) == store.claim_due(LATER + 1, LATER, 9, webhooks=True)


def test_news_is_due_where_somebody_hears(store: Store) -> None:
    """A commit that is news makes `notify` due, where somebody hears of the table, and else not."""
    table = put(store, created(seats=3))
    assert [] == due_at(store, LATER, "notify")
    store.webhooks.hear(HOST.id, [table.id])
    put(store, changed_by(table, seated(GUEST)))
    assert [Due("notify", table.id, 0)] == due_at(store, START, "notify")


def test_who_takes_a_seat_hears_of_it(store: Store) -> None:
    """A commit may have a player hear of the table, from the version before it."""
    table = put(store, created(seats=3))
    put(store, replace(changed_by(table, seated(GUEST)), hears=GUEST.id))
    assert "1" == store.webhooks.heard(table.id)[GUEST.id].split("-")[0]
    assert [Due("notify", table.id, 0)] == due_at(store, START, "notify")


def test_what_was_told_is_not_due(store: Store) -> None:
    """Nothing is due once all were told up to the table's version, and only then."""
    table = put(store, created(seats=3))
    store.webhooks.hear(HOST.id, [table.id])
    after = put(store, changed_by(table, seated(GUEST)))
    assert not store.webhooks.all_told(table.id, table.version, {})
    assert [Due("notify", table.id, 0)] == due_at(store, LATER, "notify")
    assert store.webhooks.all_told(table.id, after.version, {})
    assert [] == due_at(store, LATER, "notify")
    assert "2" == store.webhooks.heard(table.id)[HOST.id].split("-")[0]


def test_who_hears_anew_is_not_forgotten(store: Store) -> None:
    """A player who hears no more is forgotten, unless they are to hear anew since."""
    table = put(store, created())
    store.webhooks.hear(HOST.id, [table.id])
    old = store.webhooks.heard(table.id)
    store.webhooks.hear(HOST.id, [table.id])
    store.webhooks.all_told(table.id, table.version, old)
    assert [HOST.id] == list(store.webhooks.heard(table.id))
    store.webhooks.all_told(table.id, table.version, store.webhooks.heard(table.id))
    assert {} == store.webhooks.heard(table.id)


def test_a_table_may_be_looked_at_again(store: Store) -> None:
    """What was told may be due again later; a table that has moved on is due as it was."""
    table = put(store, created(seats=3))
    store.webhooks.hear(HOST.id, [table.id])
    assert store.webhooks.all_told(table.id, table.version, {}, again_at=LATER)
    assert [] == due_at(store, LATER - 1, "notify")
    assert [Due("notify", table.id, 0)] == due_at(store, LATER, "notify")


def test_a_table_is_forgotten(store: Store) -> None:
    """Of a table that is forgotten, here or altogether, nobody hears, and nothing is left."""
    webhook = made(store, told={"table-1": 1, "table-2": 2})
    table = put(store, created())
    store.webhooks.hear(HOST.id, [table.id])
    closed = put(store, changed_by(table, Leave(HOST.id)))
    store.webhooks.forget(table.id, [webhook])
    assert {} == store.webhooks.heard(table.id)
    assert {} == store.webhooks.told("table-1", [webhook])
    assert {webhook.id: 2} == store.webhooks.told("table-2", [webhook])
    assert [] == due_at(store, LATER, "notify")
    store.webhooks.hear(HOST.id, [table.id])
    store.paid(table.id, closed.version)
    assert store.forget(closed)
    assert {} == store.webhooks.heard(table.id)


def test_a_webhook_is_told_once(store: Store) -> None:
    """Who says what a webhook was told before wrongly, tells it nothing."""
    webhook, hooks = made(store, told={"table-1": 3}), store.webhooks
    assert {webhook.id: 3} == hooks.told("table-1", [webhook])
    assert {} == hooks.told("table-2", [webhook])
    assert hooks.tell(webhook, deliveries("a"), START, ("table-1", 3, 5))
    assert not hooks.tell(webhook, deliveries("a"), START, ("table-1", 3, 5))
    assert hooks.tell(webhook, deliveries("b"), START, ("table-2", None, 2))
    assert not hooks.tell(webhook, deliveries("b"), START, ("table-2", None, 2))
    assert {webhook.id: 5} == hooks.told("table-1", [webhook])
    assert 2 == standing(store, webhook).waiting
    assert [Due("deliver", webhook.id, 0)] == due_at(store, START, "deliver")


def test_nothing_to_tell_is_told_as_well(store: Store) -> None:
    """Where there is nothing for a webhook, it was told so, and nothing is due."""
    webhook = made(store)
    assert store.webhooks.tell(webhook, [], START, ("table-1", None, 5))
    assert {webhook.id: 5} == store.webhooks.told("table-1", [webhook])
    assert [] == due_at(store, LATER, "deliver")


def test_deliveries_are_taken_in_order(store: Store) -> None:
    """One at a time is taken, the first that was told; nobody has it beside, for a while."""
    webhook, hooks = made(store), store.webhooks
    hooks.tell(webhook, deliveries("a", "b"), START)
    taken = hooks.take(webhook.id, START, START + 5000)
    assert taken is not None
    assert (webhook, deliveries("a")[0]) == (taken.webhook, taken.delivery)
    assert None is hooks.take(webhook.id, START + 4999, LATER)
    assert [] == due_at(store, START + 4999, "deliver")
    again = hooks.take(webhook.id, START + 5000, LATER)
    assert again is not None
    assert again.delivery == taken.delivery

    hooks.sent(again, START, slow=False)
    second = hooks.take(webhook.id, START, LATER)
    assert second is not None
    assert deliveries("b")[0] == second.delivery
    hooks.sent(again, START, slow=False)  # Sent again, and of no effect.
    assert 1 == standing(store, webhook).waiting
    hooks.sent(second, START, slow=True)
    assert Standing(slow=True) == standing(store, webhook)
    assert [] == due_at(store, LATER, "deliver")
    assert None is hooks.take(webhook.id, LATER, LATER)


def test_who_is_too_slow_has_no_say(store: Store) -> None:
    """A delivery that took longer than its lease is done where it was taken, and that is all."""
    webhook, hooks = made(store), store.webhooks
    hooks.tell(webhook, deliveries("a", "b"), START)
    late = hooks.take(webhook.id, START, START + 100)
    taken = hooks.take(webhook.id, START + 100, LATER)
    assert late is not None
    assert taken is not None
    before = standing(store, webhook)
    hooks.failed(late, "timeout", START + 200, LATER)
    hooks.turn_off(late, "timeout", START + 200, "failing")
    assert before == standing(store, webhook)
    hooks.sent(late, START + 200, slow=False)
    assert replace(before, waiting=1) == standing(store, webhook)
    assert None is hooks.take(webhook.id, LATER - 1, LATER), "it is being sent still"
    hooks.sent(taken, START + 300, slow=False)
    assert Standing(waiting=1) == standing(store, webhook)
    assert [Due("deliver", webhook.id, 0)] == due_at(store, START + 300, "deliver")


def test_what_is_being_sent_is_not_sent_beside(store: Store) -> None:
    """Switching on a webhook neither ends a lease nor makes a slow endpoint a quick one."""
    webhook, hooks = made(store), store.webhooks
    hooks.tell(webhook, deliveries("a"), START)
    assert standing(store, webhook).slow, "nobody knows a new one"
    taken = hooks.take(webhook.id, START, LATER)
    assert taken is not None
    hooks.turn_on(webhook, {}, START + 1)
    assert None is hooks.take(webhook.id, START + 1, LATER)
    assert [] == due_at(store, LATER - 1, "deliver")
    assert standing(store, webhook).slow
    hooks.sent(taken, START + 2, slow=False)
    assert Standing() == standing(store, webhook)


def test_what_is_told_again_is_told_once(store: Store) -> None:
    """Of no table, the same deliveries that come again are not put there again."""
    webhook, hooks = made(store), store.webhooks
    for _ in range(2):
        assert hooks.tell(webhook, deliveries("a"), START)
    assert 1 == standing(store, webhook).waiting
    assert hooks.tell(webhook, deliveries("b"), START)
    assert 2 == standing(store, webhook).waiting


def test_a_failure_puts_all_off(store: Store) -> None:
    """After a failure nothing is sent before its time; then the same delivery comes again."""
    webhook, hooks = made(store), store.webhooks
    hooks.tell(webhook, deliveries("a"), START)
    for failures in (1, 2, 3):
        taken = hooks.take(webhook.id, START, START + 100)
        assert taken is not None
        assert failures - 1 == taken.standing.failures
        again_at = LATER if failures == 3 else START
        hooks.failed(taken, f"status_{failures}", START + failures, again_at)
    found = standing(store, webhook)
    assert (START + 1, 3, "status_3") == (found.failing_since, found.failures, found.fault)
    hooks.tell(webhook, deliveries("b"), START)
    assert [] == due_at(store, LATER - 1, "deliver")
    assert None is hooks.take(webhook.id, LATER - 1, LATER)
    assert [Due("deliver", webhook.id, 0)] == due_at(store, LATER, "deliver")
    taken = hooks.take(webhook.id, LATER, LATER + 100)
    assert taken is not None
    hooks.sent(taken, LATER, slow=False)
    assert Standing(waiting=1) == standing(store, webhook)


def test_a_webhook_is_switched_off_and_on(store: Store) -> None:
    """What is off is told nothing, and its outbox is dropped; on again, it tells from then on."""
    webhook, hooks = made(store, told={"table-1": 1}), store.webhooks
    hooks.tell(webhook, deliveries("a", "b"), START, ("table-1", 1, 2))
    taken = hooks.take(webhook.id, START, LATER)
    assert taken is not None
    hooks.turn_off(taken, "status_410", START, "gone")
    found = standing(store, webhook)
    assert ("gone", 0, 2, "status_410") == (found.off, found.waiting, found.dropped, found.fault)
    assert not hooks.tell(webhook, deliveries("c"), START, ("table-1", 2, 3))
    assert [] == due_at(store, LATER, "deliver")
    assert None is hooks.take(webhook.id, LATER, LATER)

    hooks.turn_on(webhook, {"table-1": 7}, LATER)
    assert Standing(slow=True, dropped=2) == standing(store, webhook)
    assert {webhook.id: 7} == hooks.told("table-1", [webhook])
    assert hooks.tell(webhook, deliveries("d"), START, ("table-1", 7, 8))


def test_one_that_waits_is_tried_at_once_when_asked_to(store: Store) -> None:
    """Switching on a webhook that is on ends its pause."""
    webhook, hooks = made(store), store.webhooks
    hooks.tell(webhook, deliveries("a"), START)
    taken = hooks.take(webhook.id, START, START)
    assert taken is not None
    hooks.failed(taken, "timeout", START, LATER)
    hooks.turn_on(webhook, {}, START + 1)
    assert [Due("deliver", webhook.id, 0)] == due_at(store, START + 1, "deliver")
    assert hooks.take(webhook.id, START + 1, LATER) is not None


def test_so_many_deliveries_wait(store: Store) -> None:
    """Beyond that number the oldest are dropped, and counted."""
    webhook, hooks = made(store), store.webhooks
    hooks.tell(webhook, deliveries(*map(str, range(MOST_WAITING))), START)
    hooks.tell(webhook, deliveries("x", "y"), START)
    found = standing(store, webhook)
    assert (MOST_WAITING, 2) == (found.waiting, found.dropped)
    taken = hooks.take(webhook.id, START, LATER)
    assert taken is not None
    assert "2" == taken.delivery.id


def test_of_a_deleted_webhook_nothing_is_left(store: Store) -> None:
    """Whatever still comes for a deleted webhook makes nothing of it."""
    webhook, hooks = made(store), store.webhooks
    hooks.tell(webhook, deliveries("a", "b"), START)
    taken = hooks.take(webhook.id, START, LATER)
    assert taken is not None
    hooks.remove(webhook)
    assert [] == due_at(store, LATER, "deliver")
    assert not hooks.tell(webhook, deliveries("c"), START)
    hooks.sent(taken, START, slow=True)
    hooks.failed(taken, "timeout", START, LATER)
    hooks.turn_off(taken, "timeout", START, "failing")
    hooks.turn_on(webhook, {"table-1": 1}, START)
    assert Standing() == standing(store, webhook)
    assert {} == hooks.told("table-1", [webhook])
    assert [] == due_at(store, LATER, "deliver")
    assert None is hooks.take(webhook.id, LATER, LATER)
