"""Every page: nothing from elsewhere, at a phone's width, in each language, for everybody."""

import json
import re
from collections.abc import Iterable, Iterator

import pytest
import requests
from playwright.sync_api import Browser, Page, expect

from service.api.languages import LANGUAGES
from service.locale.catalogues import read
from tests.support.npm import MODULES, install
from tests.support.processes import RunningService
from tests.support.waiting import wait_until
from tests.web.stage import LONGEST, Stage
from tests.web.visitor import PHONE, Scheme, visitor

RULES: dict[Scheme, str] = {"light": "{}", "dark": "{ runOnly: ['color-contrast'] }"}
"""What axe looks at: in dark only the colours are others."""

NAMES = ("Paiute", "Aloha", "Leilani", "Kai", "To play", "To be cut", "To discard", LONGEST)
"""What is not the page's to translate: players and tables, by the names that tests give."""

VISIBLE = """() => {
    const said = new Set();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const within = walker.currentNode.parentElement;
        if (!within.closest("script, noscript, .language, code"))
            said.add(walker.currentNode.data.trim());
    }
    for (const name of ["aria-label", "title", "placeholder", "aria-description"])
        for (const one of document.querySelectorAll(`[${name}]`))
            said.add(one.getAttribute(name).trim());
    return [...said];
}"""
"""All that a page says, seen or read out, but for the names of languages."""

CLIPPED = """() => [...document.querySelectorAll("main *, header *")]
    .filter(one => one.getClientRects().length && getComputedStyle(one).position !== "absolute")
    .filter(one => one.matches("button, .button, h1, h2, th"))
    .filter(one => one.scrollWidth > one.clientWidth + 1 && one.clientWidth)
    .map(one => one.outerHTML.slice(0, 200))"""
"""What does not fit into its place."""


@pytest.fixture(scope="module")
def stage(service: RunningService) -> Iterator[Stage]:
    """An account with tables in every state."""
    with Stage(service.url) as made:
        yield made


@pytest.fixture(scope="module")
def english(browser: Browser, service: RunningService, stage: Stage) -> dict[str, set[str]]:
    """By page, what it says in English."""
    with visitor(browser, service.url, token=stage.token) as one:
        return {place.name: said(place.show(one)) for place in stage.places()}


def said(page: Page) -> set[str]:
    """What a page says, as far as it has words."""
    return {text for text in page.evaluate(VISIBLE) if re.search(r"[a-z]{3}", text)}


def names_in_the_lobby(url: str) -> set[str]:
    """Those of all public tables and who sits there: other tests have some, too."""
    tables = requests.get(f"{url}/v1/tables", params={"limit": 100}, timeout=30).json()["items"]
    players = {player["name"] for table in tables for player in table["players"]}
    return players | {table["name"] for table in tables if table["name"]}


def untranslated(language: str, names: Iterable[str]) -> re.Pattern[str]:
    """What may stand in a page in English: names, and texts that are the same in the language."""
    catalogue = read(language) if language != "en" else ()
    texts = [str(one.id) for one in catalogue if one.id == one.string]
    same = [re.sub(r"\\{\w+\\}", ".+", re.escape(text)) for text in texts]
    pieces = [part.strip() for text in texts for part in re.split(r"{\w+}", text)]
    name = "|".join([*map(re.escape, [*names, *filter(None, pieces)]), *same])
    return re.compile(rf"(?:{name})(?:, (?:{name}))*", re.IGNORECASE)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_phone_in_each_language(
    browser: Browser,
    service: RunningService,
    stage: Stage,
    english: dict[str, set[str]],
    language: str,
) -> None:
    """At 360 pixels nothing scrolls sideways or is cut off, and nothing English is left."""
    one = visitor(browser, service.url, token=stage.token, size=PHONE, language=language)
    allowed = untranslated(language, {*NAMES, *names_in_the_lobby(service.url)})
    with one as phone:
        for place in stage.places():
            page = place.show(phone)
            expect(page.locator("html")).to_have_attribute("lang", language)
            width = page.evaluate("document.documentElement.scrollWidth")
            assert (place.name, PHONE[0]) == (place.name, width)
            assert (place.name, []) == (place.name, page.evaluate(CLIPPED))
            left = said(page) & english[place.name] if language != "en" else set()
            assert (place.name, []) == (place.name, [s for s in left if not allowed.fullmatch(s)])


@pytest.mark.parametrize("scheme", list(RULES))
def test_for_everybody(
    browser: Browser, service: RunningService, stage: Stage, scheme: Scheme
) -> None:
    """Axe finds nothing serious on any page, in light and in dark."""
    install()
    axe = (MODULES / "axe-core" / "axe.min.js").read_text()
    with visitor(browser, service.url, token=stage.token, scheme=scheme) as one:
        for place in stage.places():
            page = place.show(one)
            page.evaluate(axe)
            found = page.evaluate(f"async () => (await axe.run({RULES[scheme]})).violations")
            grave = [
                (each["id"], node["html"][:200], node["failureSummary"])
                for each in found
                for node in each["nodes"]
                if each["impact"] in ("serious", "critical")
            ]
            assert (place.name, []) == (place.name, grave)


@pytest.mark.parametrize("name", ["lobby", "draw"])
def test_how_much_there_is(
    browser: Browser, service: RunningService, stage: Stage, name: str
) -> None:
    """A first visit takes under 150 KB of own code and texts, unpacked, and is there in a moment.

    The texts are those of the language that needs most bytes.
    """
    place = next(place for place in stage.places() if place.name == name)
    paints = []
    for _ in range(3):
        with visitor(browser, service.url, token=stage.token, language="ne") as one:
            page, parts, painted = place.show(one).evaluate(LOADED)
        paints.append(round(painted))
    own = page + sum(size for path, size in parts if "/vendor/" not in path)
    print(f"{name}: {own} bytes in {len(parts) + 1} parts; first paint after {paints} ms")
    assert own < 150_000
    assert min(paints) < 1000


LOADED = """() => [
    performance.getEntriesByType("navigation")[0].decodedBodySize,
    performance.getEntriesByType("resource")
        .filter(({ name }) => name.includes("/play/"))
        .map(({ name, decodedBodySize }) => [name, decodedBodySize]),
    performance.getEntriesByName("first-contentful-paint")[0].startTime,
]"""
"""The size of the page, its parts with theirs, and when something was seen, in milliseconds."""


def test_looking_back(browser: Browser, service: RunningService, stage: Stage) -> None:
    """A past deal is walked through by buttons, keys and the slider, to its showdown."""
    with visitor(browser, service.url, token=stage.token) as one:
        places = {place.name: place for place in stage.places()}
        page = places["deals"].show(one)
        page.get_by_role("link", name="Deal 1").click()
        table = page.get_by_test_id("past-table")
        record = stage.client.get(f"/tables/{stage.over['id']}/deals/1").json()
        first, last = record["from_version"], record["to_version"]

        expect(table).to_have_attribute("data-version", str(first))
        page.get_by_role("button", name="One step on").click()
        expect(table).to_have_attribute("data-version", str(first + 1))
        page.keyboard.press("ArrowRight")
        expect(table).to_have_attribute("data-version", str(first + 2))
        page.get_by_role("slider", name="Step").fill(str(last))
        expect(table).to_have_attribute("data-phase", "over")
        page.get_by_role("combobox", name="As seen by").select_option(label="everybody")
        for hand in record["result"]["hands"]:
            cards = page.get_by_test_id(f"past-seat-{hand['seat']}").get_by_role("img")
            expect(cards).to_have_count(len(hand["cards"]))


def test_the_check_of_the_cards(browser: Browser, service: RunningService, stage: Stage) -> None:
    """The browser finds the cards fair, and says what does not fit where a proof was changed."""
    place = next(place for place in stage.places() if place.name == "proof")
    with visitor(browser, service.url, token=stage.token) as one:
        page = place.show(one)
        expect(page.locator("main")).to_have_attribute("data-fair", "true")
        assert page.get_by_role("img", name="fits").count() == 5

        page.route("**/proof", lambda route: route.fulfill(json=swapped(route.fetch().json())))
        page.reload()
        expect(page.locator("main")).to_have_attribute("data-fair", "false")
        expect(page.locator(".findings li.trouble")).to_contain_text("Card 1 is told to be")


def swapped(proof: dict[str, object]) -> dict[str, object]:
    """A proof in which the first two cards of the deck have changed places."""
    said = json.loads(json.dumps(proof))
    deck = said["dealt"]["deck"]
    deck[0], deck[1] = deck[1], deck[0]
    assert isinstance(said, dict)
    return said


def test_an_account_on_two_devices(browser: Browser, service: RunningService) -> None:
    """A link carries the account along; its token leaves the address at once, and can be ended."""
    with (
        visitor(browser, service.url) as laptop,
        visitor(browser, service.url, size=PHONE) as phone,
    ):
        laptop.go("#/account")
        laptop.page.get_by_label("Your name").fill("Malia")
        laptop.page.get_by_role("button", name="Begin as a guest").click()
        laptop.page.get_by_role("button", name="Make a link").click()
        link = laptop.page.get_by_label("The link").input_value()

        phone.page.goto(link)
        phone.page.get_by_role("button", name="Use this account").click()
        expect(phone.page.get_by_role("banner")).to_contain_text("Malia")
        assert link.rpartition("/")[2] not in phone.page.url
        assert not any(link.rpartition("/")[2] in entry for entry in history_of(phone.page))

        laptop.page.get_by_role("button", name="End it").click()
        expect(laptop.page.get_by_role("button", name="End it")).to_have_count(0)
        wait_until(lambda: "Malia" not in header_after_reload(phone.page))

        laptop.page.get_by_role("button", name="Sign out …").click()
        laptop.page.get_by_role("button", name="Sign out, and forget it").click()
        expect(laptop.page.get_by_role("button", name="Begin as a guest")).to_be_visible()
        assert laptop.page.evaluate("localStorage['paiute.token']") is None


def header_after_reload(page: Page) -> str:
    """What stands at the head of the page; each process learns of a token's end within a second."""
    page.reload()
    page.wait_for_selector("[data-page=lobby]")
    return page.get_by_role("banner").text_content() or ""


def history_of(page: Page) -> list[str]:
    """The addresses that the browser would go back to."""
    session = page.context.new_cdp_session(page)
    entries = session.send("Page.getNavigationHistory")["entries"]
    return [entry["url"] for entry in entries]


def test_the_language_is_kept(browser: Browser, service: RunningService) -> None:
    """A language that is chosen stays for the next visit, whatever the browser asks for."""
    with visitor(browser, service.url, language="it") as one:
        one.go()
        expect(one.page.locator("html")).to_have_attribute("lang", "it")
        one.page.locator("select.language").select_option("cy")
        expect(one.page.locator("html")).to_have_attribute("lang", "cy")
        one.page.reload()
        expect(one.page.locator("html")).to_have_attribute("lang", "cy")
