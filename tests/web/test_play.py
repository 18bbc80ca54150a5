"""Playing at the page: by clicks, by keys, two at a table, and with broken connections."""

import json
import re
from collections.abc import Iterator

import requests
from playwright.sync_api import Browser, Page, expect
from redis import Redis

from service.engine.cards import Card
from service.store.redis_store import RedisStore
from service.tables.records import DealRecord
from service.tables.replays import replay
from tests.engine.test_laws import hidden
from tests.support.client import Client, Json
from tests.support.processes import RunningService
from tests.support.waiting import wait_until
from tests.web.moves import CLICKS, KEYS, READY, TABLE, make_move, play_deal, state_of
from tests.web.visitor import PHONE, Visitor, token, visitor
from tests.web.wire import Answer, Wire, wire

BOT = {"seats": 2, "bots": [{"level": "hard"}], "turn_seconds": 0, "pause_seconds": 600}
"""A table with a bot, where nobody is in a hurry and the next deal does not begin."""


CARD = re.compile(r'"([2-9TJQKA][cdhs])"')


def at(one: Visitor, table: Json) -> Page:
    """The page at a table."""
    one.go(f"#/table/{table['id']}")
    one.page.wait_for_selector(TABLE)
    return one.page


def test_a_deal_by_clicks(browser: Browser, service: RunningService) -> None:
    """From nothing to the showdown by clicks, without a card that the page may not see."""
    with wire(service.url) as line, visitor(browser, line.url) as one:
        one.go()
        one.page.get_by_role("link", name="Open a table").click()
        one.page.get_by_label("Your name").fill("Keola")
        choose(one.page, "Seats", "2")
        choose(one.page, "Player 2", "Bot: hard")
        one.page.get_by_text("Time", exact=True).click()
        one.page.get_by_label("Milliseconds that a bot thinks").fill("0")
        one.page.get_by_label("Seconds between deals").fill("600")
        table = open_table(one.page)
        play_deal(one.page, CLICKS)
        assert_nothing_hidden(line, table, service)


def choose(page: Page, label: str, option: str) -> None:
    """Choose from a list of the form."""
    page.get_by_role("combobox", name=label, exact=True).select_option(label=option)


def open_table(page: Page) -> str:
    """Send the form; gives the table's id."""
    page.get_by_role("button", name="Open the table").click()
    page.wait_for_selector(TABLE)
    return page.url.rpartition("/")[2]


def assert_nothing_hidden(line: Wire, table: str, service: RunningService) -> None:
    """No view and no event that came had a card that was hidden from seat 1 at its version."""
    with Redis.from_url(service.redis_url) as redis:
        record = RedisStore(redis, 3600, 4).record(table, 1)
    secret = secrets_of(record, seat=1)
    answers = [answer for answer in line.answers() if answer.path.startswith("/v1/")]
    of_table = [answer for answer in answers if answer.path.startswith(f"/v1/tables/{table}")]
    told = [said for answer in of_table for said in objects_in(answer)]

    assert len({version for version, _ in told} & secret.keys()) > len(secret) // 2
    for version, text in told:
        steps = [step for step in secret if step <= version]
        unknown = secret[max(steps)] if steps else set[Card]()
        assert set(CARD.findall(text)) & unknown == set(), text
    for answer in answers:
        if answer not in of_table and answer.path != "/v1/rules":
            assert [] == CARD.findall(answer.body.decode()), answer


def secrets_of(record: DealRecord, seat: int) -> dict[int, set[Card]]:
    """By version of the table, the cards that a seat may not know then."""
    return {step.version: hidden(step.deal, seat) for step in replay(record)}


def objects_in(answer: Answer) -> Iterator[tuple[int, str]]:
    """The views and events of a table in an answer, each with its version."""
    for line in answer.body.decode().splitlines():
        if not line.strip():
            continue
        said = json.loads(line)
        for one in said.get("items", [said]):
            yield one.get("version") or one["id"], json.dumps(one)


def test_a_deal_by_keys(browser: Browser, service: RunningService, leilani: Client) -> None:
    """A deal is played to its end without a mouse, cutting included."""
    table = leilani.create(**BOT, rules={"first_dealer": 2})
    with visitor(browser, service.url, token=token(leilani)) as one:
        page = at(one, table)
        assert "cut" == state_of(page)["phase"]
        play_deal(page, KEYS)


def test_without_single_keys(browser: Browser, service: RunningService, leilani: Client) -> None:
    """Keys of a single sign can be switched off, for good; no key is named then."""
    table = leilani.create(**BOT, rules={"cut": "auto", "first_dealer": 2})
    with visitor(browser, service.url, token=token(leilani)) as one:
        page = at(one, table)
        page.get_by_text("About this table").click()
        page.get_by_label("Single keys play").uncheck()
        page.reload()
        draw = page.get_by_test_id("draw-stock")
        expect(draw).to_be_enabled()
        expect(draw.locator("kbd")).to_be_hidden()
        page.keyboard.press("s")
        assert (None, str(table["version"])) == (
            draw.get_attribute("aria-keyshortcuts"),
            state_of(page)["version"],
        )
        expect(page.locator(f"{TABLE}[aria-busy=false]")).to_be_visible()

        page.get_by_text("About this table").click()
        page.get_by_label("Single keys play").check()
        page.get_by_role("heading", name="What happened").click()
        page.keyboard.press("s")
        page.wait_for_selector(f"{TABLE}[data-phase=discard]")


def test_against_bots(browser: Browser, service: RunningService) -> None:
    """One click, and a newcomer has cards: chance cuts, and the next deal comes soon."""
    with visitor(browser, service.url) as one:
        one.go()
        one.page.get_by_role("button", name="Play against bots").click()
        expect(one.page.get_by_test_id("hand").locator("button")).to_have_count(5)
        known = one.page.evaluate("localStorage['paiute.token']")
        table = one.page.url.rpartition("/")[2]
    headers = {"Authorization": f"Bearer {known}"}
    view = requests.get(f"{service.url}/v1/tables/{table}", headers=headers, timeout=30).json()
    bots = [seat["player"]["kind"] for seat in view["seats"]].count("house_bot")
    found = (bots, view["rules"]["cut"], view["turn_seconds"])
    assert (3, "auto", 0) == found
    assert view["pause_seconds"] < 10


def test_two_at_a_table(browser: Browser, service: RunningService, leilani: Client) -> None:
    """One opens a table and gives the link away; the other sits down by it; they play by turns."""
    with (
        visitor(browser, service.url, token=token(leilani)) as host,
        visitor(browser, service.url, size=PHONE) as guest,
    ):
        host.go("#/new")
        page = host.page
        choose(page, "Seats", "2")
        choose(page, "Player 2", "Open for a player")
        open_table(page)
        link = page.get_by_label("Invite with this link").input_value()
        guest.page.goto(link)
        guest.page.get_by_role("button", name="Sit down").click()
        for _ in range(3):
            for one in whose_turn(page, guest.page):
                make_move(one, CLICKS)
        wait_until(lambda: state_of(page)["version"] == state_of(guest.page)["version"])


def whose_turn(*pages: Page) -> list[Page]:
    """The pages whose player is to act, once there is one."""
    mine = f"{TABLE}[data-my-turn=true]"
    return wait_until(lambda: [page for page in pages if page.locator(mine).count()])


def test_a_reload_in_the_middle(browser: Browser, service: RunningService, leilani: Client) -> None:
    """After a reload the hand, the card that was drawn and the log are there again."""
    table = leilani.create(**BOT, rules={"cut": "auto", "first_dealer": 2})
    with visitor(browser, service.url, token=token(leilani)) as one:
        page = at(one, table)
        make_move(page, CLICKS)
        expect(page.get_by_test_id("hand").locator("button")).to_have_count(6)
        before = shown(page)

        page.reload()
        page.wait_for_selector(f"{TABLE}[data-phase=discard]")
        expect(page.get_by_test_id("log").locator("li")).to_have_count(before["log"])
        assert before == shown(page)
        make_move(page, CLICKS)


def shown(page: Page) -> Json:
    """The hand, the log's length and the version that a page shows."""
    cards = page.get_by_test_id("hand").locator("button")
    hand = [card.get_attribute("data-card") for card in cards.all()]
    log = page.get_by_test_id("log").locator("li").count()
    return {"hand": hand, "log": log, "version": state_of(page)["version"]}


def test_the_connection_is_cut(browser: Browser, service: RunningService, leilani: Client) -> None:
    """A move whose answer is lost is made once; the page says that it is away, and catches up."""
    table = leilani.create(**BOT, rules={"cut": "auto", "first_dealer": 2})
    with wire(service.url) as line, visitor(browser, line.url, token=token(leilani)) as one:
        page = at(one, table)
        page.wait_for_selector(f"{TABLE}[data-my-turn=true]")
        line.lose_next("draw")
        page.get_by_test_id("stock").click()
        expect(page.get_by_test_id("connection")).to_have_attribute("data-state", "away")
        line.mend()

        page.wait_for_selector(f"{TABLE}[data-phase=discard]")
        expect(page.get_by_test_id("connection")).to_have_attribute("data-state", "live")
        expect(page.get_by_test_id("hand").locator("button")).to_have_count(6)
        make_move(page, CLICKS)
        page.wait_for_selector(READY)
        log = page.get_by_test_id("log").locator("li")
        ids = [int(li.get_attribute("value") or 0) for li in log.all()]

    events = leilani.get(f"/tables/{table['id']}/events").json()["items"]
    drawn = [one for one in events if one["type"] == "card_drawn" and one["data"]["seat"] == 1]
    paid = {event["id"] for event in events if event["type"] == "settled"}
    assert (1, {event["id"] for event in events} - paid) == (len(drawn), set(ids) - paid)
