"""What goes wrong around a page: impatience, other tabs, late answers, storage, ended tokens."""

import pytest
from playwright.sync_api import Browser, Page, Request, Route, expect

from tests.support.client import Client, Json
from tests.support.processes import RunningService
from tests.web.moves import TABLE
from tests.web.visitor import token, visitor

TURN = {
    "seats": 2,
    "bots": [{"level": "easy"}],
    "turn_seconds": 0,
    "rules": {"cut": "auto", "first_dealer": 2},
}
"""A table where it is the maker's turn to draw."""


class Held:
    """POSTs of a page to paths that end so, held back until they are let go."""

    def __init__(self, page: Page, end: str) -> None:
        self.routes: list[Route] = []
        page.route(f"**{end}", self._hold)

    def _hold(self, route: Route) -> None:
        self.routes.append(route)

    def release(self) -> None:
        """Let them go on."""
        for route in self.routes:
            route.continue_()


def test_an_impatient_guest(browser: Browser, service: RunningService, leilani: Client) -> None:
    """Who clicks twice at a free seat gets one account and one seat."""
    table = leilani.create(seats=4, visibility="public")
    with visitor(browser, service.url) as one:
        one.go(f"#/table/{table['id']}")
        held = Held(one.page, "/v1/players")
        one.page.get_by_role("button", name="Sit here").first.dblclick()
        one.page.get_by_role("button", name="Sit down").click(force=True)
        held.release()
        expect(one.page.get_by_test_id("table")).to_contain_text("(you)")
        expect(one.page.locator(".notice")).to_have_count(0)

    assert (1, 2) == (len(held.routes), len(leilani.view(table["id"])["seats"]))


def test_two_tabs(browser: Browser, service: RunningService) -> None:
    """An account that is made in one tab is there in the other, and so is the end of it."""
    with visitor(browser, service.url) as one:
        other = one.context.new_page()
        for page in (one.page, other):
            page.goto(f"{service.url}/play#/account")
            expect(page.get_by_role("button", name="Begin as a guest")).to_be_visible()
        one.page.get_by_label("Your name").fill("Malia")
        one.page.get_by_role("button", name="Begin as a guest").click()
        expect(other.get_by_role("banner")).to_contain_text("Malia")

        other.get_by_role("button", name="Sign out …").click()
        other.get_by_role("button", name="Sign out, and forget it").click()
        expect(one.page.get_by_role("button", name="Begin as a guest")).to_be_visible()


def test_an_answer_after_leaving(
    browser: Browser, service: RunningService, leilani: Client
) -> None:
    """The answer to a move that comes when another table is open changes nothing there."""
    left, opened = leilani.create(**TURN), leilani.create(**TURN)
    with visitor(browser, service.url, token=token(leilani)) as one:
        one.go(f"#/table/{left['id']}")
        held = Held(one.page, "/draw")
        one.page.get_by_test_id("draw-stock").click()
        one.page.evaluate("address => { location.hash = address }", f"#/table/{opened['id']}")
        mine = f"{TABLE}[data-version='{opened['version']}'][data-phase=draw]"
        one.page.wait_for_selector(mine)
        with one.page.expect_response("**/draw"):
            held.release()
        one.page.get_by_role("button", name="By suit").click()
        expect(one.page.locator(mine)).to_be_visible()


def test_the_table_moves_on(browser: Browser, service: RunningService, leilani: Client) -> None:
    """A move that reaches the table too late is not made, and the player is told and shown why."""
    table = leilani.create(**TURN)
    with visitor(browser, service.url, token=token(leilani)) as one:
        one.go(f"#/table/{table['id']}")
        held = Held(one.page, "/draw")
        one.page.get_by_test_id("draw-stock").click()
        drawn = leilani.act(table, {"do": "draw", "body": {"from": "stock"}})
        assert 200 == drawn.status_code
        held.release()
        expect(one.page.get_by_test_id("notices")).to_contain_text("The table had moved on")
        expect(one.page.get_by_test_id("hand").locator("button")).to_have_count(6)
        expect(one.page.locator(f"{TABLE}[aria-busy=false]")).to_be_visible()


@pytest.mark.parametrize("status", [429, 503])
def test_no_streams(
    browser: Browser, service: RunningService, leilani: Client, status: int
) -> None:
    """Where no stream is to be had, what happens is shown all the same, and nothing is wrong."""
    table = leilani.create(**TURN)
    with visitor(browser, service.url, token=token(leilani)) as one:
        refused = Streams(one.page, status)
        one.go(f"#/table/{table['id']}")
        connection = one.page.get_by_test_id("connection")
        expect(connection).to_have_attribute("data-state", "live")
        leilani.act(table, {"do": "draw", "body": {"from": "stock"}})
        expect(one.page.get_by_test_id("hand").locator("button")).to_have_count(6)
        expect(connection).to_have_attribute("data-state", "live")
    assert 1 == len(refused.asked)


class Streams:
    """The streams that a page asks for; they are refused with a status where there is one."""

    def __init__(self, page: Page, status: int | None = None) -> None:
        self.status = status
        self.asked: list[Route] = []
        page.route("**/events?*", self._answer)

    def _answer(self, route: Route) -> None:
        if not is_stream(route.request):
            route.fallback()
            return
        self.asked.append(route)
        if self.status:
            refusal = {"code": "rate_limited", "detail": "Later."}
            route.fulfill(status=self.status, json=refusal)
        else:
            route.fallback()


def is_stream(request: Request) -> bool:
    """Whether a request is for a stream."""
    return request.headers["accept"] == "application/x-ndjson"


def test_a_hidden_tab(browser: Browser, service: RunningService, leilani: Client) -> None:
    """A tab that is out of sight gives its stream back, hears on by itself, and follows again."""
    table = leilani.create(**TURN)
    with visitor(browser, service.url, token=token(leilani)) as one:
        one.page.clock.install()
        streams = Streams(one.page)
        one.go(f"#/table/{table['id']}")
        expect(one.page.get_by_test_id("connection")).to_have_attribute("data-state", "live")
        with one.page.expect_event("requestfailed"):
            one.page.evaluate(SEEN, "hidden")
            one.page.clock.run_for(11_000)
        leilani.act(table, {"do": "draw", "body": {"from": "stock"}})
        one.page.clock.run_for(20_000)
        expect(one.page.get_by_test_id("hand").locator("button")).to_have_count(6)
        assert 1 == len(streams.asked)

        with one.page.expect_request(is_stream):
            one.page.evaluate(SEEN, "visible")
        expect(one.page.get_by_test_id("connection")).to_have_attribute("data-state", "live")


SEEN = """seen => {
    Object.defineProperty(document, "visibilityState", { value: seen, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
}"""
"""Tells a page that it is seen, or not."""


def test_leaving_in_the_middle(browser: Browser, service: RunningService, leilani: Client) -> None:
    """Who leaves in the middle of a deal is asked, stays without a yes, and is gone with one."""
    table = leilani.create(**TURN)
    with visitor(browser, service.url, token=token(leilani)) as one:
        one.go(f"#/table/{table['id']}")
        leave = one.page.get_by_role("button", name="Leave the table")
        one.page.once("dialog", lambda dialog: dialog.dismiss())
        with one.page.expect_event("dialog") as asked:
            leave.click()
        assert asked.value.message.startswith("Leave in the middle")
        assert table["version"] == leilani.view(table["id"])["version"]
        one.page.once("dialog", lambda dialog: dialog.accept())
        leave.click()
        one.page.wait_for_selector("[data-page=lobby]")
    assert leilani.get("/me/tables").json()["items"] == []


def test_a_page_that_does_not_load(browser: Browser, service: RunningService) -> None:
    """Where a part of the page can't be loaded it says so, and has it once it is tried again."""
    with visitor(browser, service.url) as one:
        one.go()
        one.page.route("**/rules.js", lambda route: route.abort())
        one.page.get_by_role("link", name="Rules", exact=True).click()
        expect(one.page.get_by_role("alert")).to_contain_text("does not answer")
        one.page.unroute("**/rules.js")
        one.page.get_by_role("button", name="Try again").click()
        expect(one.page.get_by_role("heading", name="The rules of Paiute")).to_be_visible()


def test_a_second_try(browser: Browser, service: RunningService) -> None:
    """Who tries again what was done, though it seemed to fail, does not get it twice."""

    def answer_lost(route: Route) -> None:
        route.fetch()
        route.fulfill(status=500, json={"code": "internal", "detail": "Oh no."})

    with visitor(browser, service.url) as one:
        one.go()
        one.page.route("**/v1/tables", answer_lost, times=1)
        play = one.page.get_by_role("button", name="Play against bots")
        play.click()
        expect(one.page.get_by_test_id("notices")).to_contain_text("Oh no.")
        play.click()
        one.page.wait_for_selector(TABLE)
        one.page.get_by_role("link", name="Paiute").click()
        own = one.page.locator("section").filter(has_text="Your tables")
        expect(own.locator(".title")).to_have_count(1)


def test_a_closed_table(browser: Browser, service: RunningService, leilani: Client) -> None:
    """A table that is closed says so, and does not try to connect; nor does one that closes."""
    table = leilani.create(seats=2)
    with visitor(browser, service.url) as early, visitor(browser, service.url) as late:
        early.go(f"#/table/{table['id']}")
        expect(early.page.get_by_test_id("connection")).to_have_attribute("data-state", "live")
        left = leilani.post(f"/tables/{table['id']}/leave")
        assert 200 == left.status_code
        late.go(f"#/table/{table['id']}")
        for one in (early, late):
            expect(one.page.get_by_role("heading", name="This table is closed.")).to_be_visible()
            expect(one.page.get_by_test_id("connection")).to_have_attribute("data-state", "live")


def test_a_token_that_was_ended(browser: Browser, service: RunningService, leilani: Client) -> None:
    """Whose token is ended elsewhere is told so anywhere, and is a guest after a reload."""
    made: Json = leilani.post(
        "/me/tokens", {"scopes": ["play", "lobby", "account"], "name": "carried"}
    ).json()
    with visitor(browser, service.url) as one:
        one.go(f"#/carry/{made['token']}")
        one.page.get_by_role("button", name="Use this account").click()
        expect(one.page.get_by_role("banner")).to_contain_text("Leilani")
        leilani.delete(f"/me/tokens/{made['id']}")
        expect(one.page.get_by_test_id("connection")).to_contain_text("not good any more")
        one.page.reload()
        expect(one.page.get_by_label("Your name")).to_be_visible()


@pytest.mark.parametrize("storage", ["full", "blocked"])
def test_nothing_can_be_kept(browser: Browser, service: RunningService, storage: str) -> None:
    """Where the browser keeps nothing, the account is good for the visit, and the page says so."""
    with visitor(browser, service.url) as one:
        one.page.add_init_script(STORAGE[storage])
        one.go("#/account")
        one.page.get_by_label("Your name").fill("Malia")
        one.page.get_by_role("button", name="Begin as a guest").click()
        expect(one.page.get_by_test_id("balance")).to_be_visible()
        expect(one.page.get_by_test_id("notices")).to_contain_text("ends with this visit")
        assert "Malia" in (one.page.get_by_role("banner").text_content() or "")


STORAGE = {
    "full": "Storage.prototype.setItem = () => { throw new DOMException('', 'QuotaExceeded') }",
    "blocked": "Object.defineProperty(window, 'localStorage', { get() { throw new Error('no') } })",
}


@pytest.mark.parametrize("invited", ["link", "last part"])
@pytest.mark.parametrize("visibility", ["public", "private"])
def test_an_invitation(
    browser: Browser, service: RunningService, leilani: Client, visibility: str, invited: str
) -> None:
    """Who was given a link, or its last part, gets to the table by it."""
    table = leilani.create(seats=3, visibility=visibility)
    code = f"/join/{table['invite_code']}" if visibility == "private" else ""
    place = f"{table['id']}{code}"
    text = f" {service.url}/play#/table/{place}\n" if invited == "link" else place
    with visitor(browser, service.url) as one:
        one.go()
        one.page.get_by_text("I was invited").click()
        one.page.get_by_label("The link or code").fill(text)
        one.page.get_by_role("button", name="Go there").click()
        one.page.wait_for_selector(TABLE)
        assert one.page.url.endswith(f"#/table/{place}")


@pytest.mark.parametrize("text", ["https://example.org/", "{url}/play#/rules", "see you there"])
def test_no_invitation(browser: Browser, service: RunningService, text: str) -> None:
    """What leads to no table is told to be so, and leads nowhere."""
    with visitor(browser, service.url) as one:
        one.go()
        one.page.get_by_text("I was invited").click()
        one.page.get_by_label("The link or code").fill(text.format(url=service.url))
        one.page.get_by_role("button", name="Go there").click()
        expect(one.page.get_by_test_id("notices")).to_contain_text("This leads to no table")
        assert f"{service.url}/play" == one.page.url


def test_addresses(browser: Browser, service: RunningService, leilani: Client) -> None:
    """An address of no page shows the lobby, and says so; `#/tables/ID` is a table's too."""
    table = leilani.create(seats=3, visibility="public")
    missing = "There is no such page."
    with visitor(browser, service.url) as one:
        one.go("#/nowhere")
        expect(one.page.get_by_test_id("lobby")).to_contain_text(missing)
        one.page.get_by_role("link", name="Lobby", exact=True).click()
        expect(one.page.get_by_test_id("lobby")).not_to_contain_text(missing)
        one.go(f"#/tables/{table['id']}")
        one.page.wait_for_selector(TABLE)


def test_a_seat_without_chips(browser: Browser, service: RunningService, leilani: Client) -> None:
    """Whose chips don't cover the next ante is told how to get new ones."""
    table = leilani.create(**TURN, pause_seconds=600)
    with visitor(browser, service.url, token=token(leilani)) as one:
        one.page.route(f"**/v1/tables/{table['id']}", broke)
        one.go(f"#/table/{table['id']}")
        expect(one.page.locator(".prompt")).to_contain_text("Your chips don't cover the ante")


def broke(route: Route) -> None:
    """The view as it is for who sits out, with an empty stack."""
    answer = route.fetch()
    view = answer.json()
    own = next(seat for seat in view["seats"] if seat["seat"] == view["you"]["seat"])
    own |= {"stack": 0, "state": "sitting_out", "hand_size": 0}
    view["you"] |= {"hand": [], "best": None, "legal": []}
    route.fulfill(response=answer, json=view)


def test_what_is_said_at_a_table(
    browser: Browser, service: RunningService, leilani: Client
) -> None:
    """That it is the player's turn is said at the table, and no more once that is left."""
    table = leilani.create(**TURN)
    with visitor(browser, service.url, token=token(leilani)) as one:
        one.go(f"#/table/{table['id']}")
        said = one.page.locator("[aria-live]")
        expect(said).to_contain_text("It is your turn.")
        one.page.get_by_role("link", name="Lobby", exact=True).click()
        expect(said).to_have_text("")


def test_a_bot_is_sent_away(browser: Browser, service: RunningService, leilani: Client) -> None:
    """A bot goes only when its host is sure."""
    table = leilani.create(seats=3, bots=[{"level": "easy"}], start_when="host")
    with visitor(browser, service.url, token=token(leilani)) as one:
        one.go(f"#/table/{table['id']}")
        send = one.page.get_by_role("button", name="Send")
        one.page.once("dialog", lambda dialog: dialog.dismiss())
        send.click()
        assert 2 == len(leilani.view(table["id"])["seats"])
        one.page.once("dialog", lambda dialog: dialog.accept())
        send.click()
        expect(send).to_have_count(0)


def test_the_service_is_away_at_the_beginning(browser: Browser, service: RunningService) -> None:
    """Whoever has an account and finds the service away is told so, and begins once it is back."""
    client = Client(service.url, "Keola")
    away = {"code": "unavailable", "detail": "Away."}
    with visitor(browser, service.url, token=token(client)) as one:
        one.page.route("**/v1/me", lambda route: route.fulfill(status=503, json=away))
        one.go()
        expect(one.page.locator("[data-page=loading]")).to_be_visible()
        one.page.unroute("**/v1/me")
        expect(one.page.get_by_role("banner")).to_contain_text("Keola")
    client.close()
