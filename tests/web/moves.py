"""Playing at the page as a person does, by mouse or by keyboard alone."""

from collections.abc import Callable, Mapping
from typing import Any

from playwright.sync_api import Page, expect

from tests.support.client import Json

TABLE = "[data-testid=table]"
READY = (
    f"{TABLE}:is([data-my-turn=true], [data-status=pause], [data-status=closed])[aria-busy=false]"
)
"""The player is to act and no move is on its way, or the deal is over."""

Moves = Mapping[str, Callable[[Page], None]]
"""How to act, by the phase of the deal."""


def state_of(page: Page) -> Json:
    """What the table's attributes say: `version`, `status`, `phase`, `myTurn`."""
    found: Any = page.locator(TABLE).evaluate("table => ({ ...table.dataset })")
    assert isinstance(found, dict)
    return found


def make_move(page: Page, moves: Moves) -> bool:
    """Act once it is the player's turn; whether the deal goes on after it."""
    page.wait_for_selector(READY)
    before = state_of(page)
    if before["status"] in ("pause", "closed"):
        return False
    moves[before["phase"]](page)
    changed = f"version => document.querySelector('{TABLE}').dataset.version !== version"
    page.wait_for_function(changed, arg=before["version"])
    return True


def play_deal(page: Page, moves: Moves) -> int:
    """Play until the deal is over; how many moves it took."""
    made = 0
    while make_move(page, moves):
        made += 1
    expect(page.get_by_test_id("showdown")).to_be_visible()
    return made


def _cut(page: Page) -> None:
    page.get_by_role("button", name="Cut here").click()


def _draw(page: Page) -> None:
    page.get_by_test_id("stock").click()


def _discard(page: Page) -> None:
    """Call where the hand is worth it, else discard the first card that may go, by two clicks."""
    call = page.get_by_test_id("call")
    if call.get_attribute("aria-disabled") == "false":
        call.click()
        return
    card = page.get_by_test_id("hand").locator("button:not(.stays)").first
    card.click()
    expect(card).to_have_attribute("aria-pressed", "true")
    card.click()


CLICKS: Moves = {"cut": _cut, "draw": _draw, "discard": _discard}


def _cut_by_key(page: Page) -> None:
    _reach(page, "Cut here")
    page.keyboard.press("Enter")


def _draw_by_key(page: Page) -> None:
    page.keyboard.press("s")


def _discard_by_key(page: Page) -> None:
    call = page.get_by_test_id("call")
    if call.get_attribute("aria-disabled") == "false":
        page.keyboard.press("c")
        return
    _reach(page, "Your cards")
    card = page.locator("[data-testid=hand] button:focus")
    while "stays" in (card.get_attribute("class") or ""):
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(card).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("d")


def _reach(page: Page, name: str) -> None:
    """Press Tab until the focus is on something of this name, or in a group of it."""
    labelled = """name => [document.activeElement, document.activeElement.closest('[role=group]')]
        .some(one => one && [one.textContent.trim(), one.ariaLabel].includes(name))"""
    for _ in range(60):
        if page.evaluate(labelled, name):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"the keyboard does not get to {name!r}")


KEYS: Moves = {"cut": _cut_by_key, "draw": _draw_by_key, "discard": _discard_by_key}
