"""What there is to be looked at: an account with tables in every state, and all pages."""

from dataclasses import dataclass
from typing import Self

from playwright.sync_api import Page

from tests.support.client import Client, Json, simple_choice
from tests.web.visitor import Visitor

LONGEST = "Kealohakaikaleohaililani and her friends from Kailua"


@dataclass(frozen=True)
class Place:
    """One page of the page: what it is called, its address, and what shows that it is all there."""

    name: str
    address: str
    mark: str

    def show(self, visitor: Visitor) -> Page:
        """Go there, within the page where it is open already."""
        page = visitor.page
        if page.url.startswith(f"{visitor.url}/play"):
            page.evaluate("address => { location.hash = address }", self.address)
        else:
            visitor.go(self.address)
        page.wait_for_selector(self.mark)
        page.wait_for_function("!document.querySelector('.waiting[role=status], [aria-busy=true]')")
        return page


class Stage:
    """An account that has played, and whose tables wait in different states.

    Args:
        url: the service's address.
    """

    def __init__(self, url: str) -> None:
        self.client = Client(url, "Leilani")
        self.token: str = self.client.account["token"]
        self.over = self._over()
        self.turn = self._open(name="To play", rules={"cut": "auto", "first_dealer": 2})
        self.waiting = self.client.create(name=LONGEST, seats=5, start_when="host")
        self.discard = self._open(name="To discard", rules={"cut": "auto", "first_dealer": 2})
        drawn = self.client.act(self.discard, {"do": "draw", "body": {"from": "stock"}})
        assert 200 == drawn.status_code, drawn.text

    def places(self) -> list[Place]:
        """All pages, in an order to walk them in.

        The cut has a clock of 15 seconds, so that its table is new each time, and comes first.
        """
        cut = self._open(name="To be cut", rules={"first_dealer": 2})
        deals = f"#/table/{self.over['id']}/deals"
        token = "a-token-that-is-none"
        return [
            Place("cut", _at(cut), "[data-phase=cut] [data-testid=cut]"),
            Place("lobby", "#/", "[data-page=lobby] .tables"),
            Place("create", "#/new", "[data-page=create] button.primary"),
            Place("waiting", _at(self.waiting), "[data-status=waiting]"),
            Place("draw", _at(self.turn), "[data-phase=draw][data-my-turn=true]"),
            Place("discard", _at(self.discard), "[data-phase=discard][data-my-turn=true]"),
            Place("showdown", _at(self.over), "[data-testid=showdown] .next"),
            Place("deals", deals, "[data-page=past] [data-testid=deals]"),
            Place("replay", f"{deals}/1", "[data-testid=past-table][data-phase]"),
            Place("proof", f"{deals}/1/proof", "[data-page=proof] .findings"),
            Place("rules", "#/rules", "[data-page=rules] .combinations"),
            Place("account", "#/account", "[data-page=account] .ledger tbody tr"),
            Place("past", "#/past", "[data-page=past] .deals li"),
            Place("carry", f"#/carry/{token}", "[data-page=account] button.primary"),
        ]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.client.close()

    def _open(self, **settings: object) -> Json:
        """A table with a bot, where nobody is in a hurry."""
        usual = {"seats": 2, "bots": [{"level": "easy"}], "turn_seconds": 0, "pause_seconds": 600}
        return self.client.create(**usual | settings)

    def _over(self) -> Json:
        """A full table in the pause after its first deal, which came to a showdown."""
        rules = {"cut": "auto", "first_dealer": 2}
        bots = [{"level": "hard"}] * 4
        view = self._open(name="Aloha", seats=5, bots=bots, thinking_ms=0, rules=rules)
        while view["status"] != "pause":
            action = simple_choice(view) if view["status"] in ("playing", "cutting") else None
            if action is None:
                view = self.client.next_view(view)
            else:
                view = self.client.act(view, action).json()
        return view


def _at(view: Json) -> str:
    return f"#/table/{view['id']}"
