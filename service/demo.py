"""`paiute demo`: one deal against bots, played over HTTP, with each request and answer in short.

It knows what any client knows (docs/api.md) and nothing of the service's code.
"""

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import click

Json = dict[str, Any]

WAIT_SECONDS = 20
"""How long one long poll waits."""

ANSWER_SECONDS = WAIT_SECONDS + 20
"""How long an answer may take."""

STOP_SECONDS = 60
"""How long the demo's own service may take to stop."""

RANKS = "23456789TJQKA"


class DemoError(Exception):
    """The demo can't go on; the text says why."""


@contextlib.contextmanager
def own_service() -> Iterator[str]:
    """A service for the demo alone, on a free port and in a temporary folder; gives its address."""
    env = {name: text for name, text in os.environ.items() if not name.startswith("PAIUTE_")}
    with tempfile.TemporaryDirectory(prefix="paiute-demo-") as folder:
        options = ["--port", "0", "--data", str(Path(folder) / "data"), "--workers", "1"]
        with (
            (Path(folder) / "log").open("w+") as log,
            subprocess.Popen(  # noqa: S603 - the command of this module alone
                [sys.executable, "-m", "service.cli", "serve", *options],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=log,
                env=env,
                text=True,
            ) as process,
        ):
            before = signal.signal(signal.SIGTERM, signal.default_int_handler)
            try:
                yield _address(process, log.name)
            finally:
                signal.signal(signal.SIGTERM, before)
                _stop(process)


def _address(process: subprocess.Popen[str], log: str) -> str:
    assert process.stdout is not None
    first = process.stdout.readline()
    if not first.startswith("paiute: "):
        raise DemoError(f"The service has not started.\n{Path(log).read_text().strip()}")
    return first.removeprefix("paiute: ").strip()


def _stop(process: subprocess.Popen[str]) -> None:
    process.send_signal(signal.SIGTERM)
    try:
        process.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()


class Api:
    """The API over one connection, showing what is sent and what comes back."""

    def __init__(self, url: str, pause_ms: int = 0) -> None:
        parts = urlsplit(url if "://" in url else f"http://{url}")
        try:
            host, port = parts.hostname, parts.port
        except ValueError:
            host = port = None
        if not host or parts.scheme not in ("http", "https"):
            raise DemoError(f"{url} is no address: write it like http://127.0.0.1:8000.")
        kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
        self.url = url
        self._base = parts.path.rstrip("/")
        self._http = kind(host, port, timeout=ANSWER_SECONDS)
        self._pause = pause_ms / 1000
        self._token: str | None = None
        self.table = "{id}"
        """The table that `{id}` stands for in what is shown."""

    def sign_in(self, token: str) -> None:
        """Send this token from now on."""
        self._token = token

    def post(self, path: str, body: Json, version: int | None = None) -> Json:
        """Show and send a POST; gives the answer.  With a version it is sent as If-Match."""
        headers = {} if version is None else {"If-Match": f'"{version}"'}
        return self._send("POST", path, headers, body)

    def get(self, path: str, version: int | None = None) -> Json | None:
        """Show and send a GET; None where nothing has changed since a version."""
        headers = {} if version is None else {"If-None-Match": f'"{version}"'}
        return self._send("GET", path, headers) or None

    def close(self) -> None:
        """Let the connection go."""
        self._http.close()

    def _send(self, method: str, path: str, headers: Json, body: Json | None = None) -> Json:
        _show_request(method, path.replace(self.table, "{id}"), headers, body)
        if self._token is not None:
            headers = headers | {"Authorization": f"Bearer {self._token}"}
        content = None if body is None else json.dumps(body)
        if content is not None:
            headers = headers | {"Content-Type": "application/json"}
        while True:
            answer, text = self._ask(method, path, content, headers)
            time.sleep(self._pause)
            _show_status(answer.status, answer.headers.get("ETag"))
            if answer.status != HTTPStatus.TOO_MANY_REQUESTS:
                return self._read(answer.status, text)
            seconds = _seconds(answer.headers.get("Retry-After"))
            _say(f"that was too fast for this service; once more in {seconds} s")
            time.sleep(seconds)

    def _ask(
        self, method: str, path: str, content: str | None, headers: Json
    ) -> tuple[HTTPResponse, bytes]:
        try:
            self._http.request(method, f"{self._base}{path}", content, headers)
            answer = self._http.getresponse()
            return answer, answer.read()
        except (OSError, HTTPException) as error:
            raise DemoError(
                f"{self.url} does not answer: {error or type(error).__name__}"
            ) from None

    def _read(self, status: int, text: bytes) -> Json:
        try:
            said = json.loads(text or b"{}")
        except ValueError:
            said = None
        if not isinstance(said, dict):
            raise DemoError(f"{self.url} does not answer as Paiute does.")
        if status >= HTTPStatus.BAD_REQUEST:
            errors = said.get("errors") or ""
            raise DemoError(
                f"{said.get('code', status)}: {said.get('detail', '')} {errors}".strip()
            )
        return said


class Demo:
    """One deal, shown from the first player's seat."""

    def __init__(self, api: Api) -> None:
        self._api = api
        self._names: dict[int, str] = {}
        self._wild = ""

    def play(self, bots: int, level: str) -> None:
        """Sign up, make a table with bots, play one deal at it, and show its record."""
        _note(
            "In a turn you draw a card, then discard one, or call with one of these, high to low:"
        )
        _note(f"{', '.join(_MEANINGS)}.")
        _note("After a call the round is completed, and the highest hand takes the pot.")
        _title("Sign up")
        account = self._api.post("/v1/players", {"name": "Keola"})
        self._api.sign_in(account["token"])
        _say(f"an account of {account['balance']} chips, and the token that every request brings")

        _title("Make a table")
        _note(
            "One deal, and bots that don't stop to think. The deal begins when all seats are taken."
        )
        table = {"seats": bots + 1, "deals": 1, "bots": [{"level": level}] * bots, "thinking_ms": 0}
        view = self._api.post("/v1/tables", table)
        self._api.table = view["id"]
        _say(f"the table is {view['id']}, below {{id}}")
        self._meet(view)
        view = self._play_deal(view)
        self._show_result(view)

        _title("Look back")
        record = self._api.get(f"/v1/tables/{view['id']}/deals/{view['deal']['number']}")
        if record is not None:
            _say(f"the record of the deal: {len(record['actions'])} actions, with the hands shown")

    def _meet(self, view: Json) -> None:
        self._names = {seat["seat"]: seat["player"]["name"] for seat in view["seats"]}
        deal, you = view["deal"], view["you"]["seat"]
        self._names[you] = "you"
        others = [f"{name} in seat {seat}" for seat, name in self._names.items() if seat != you]
        _say(f"you have seat {you}; {', '.join(others)}")
        _say(f"everyone paid the ante of {view['ante']}: the pot is {deal['pot']}")
        dealer, cutter = self._names[deal["dealer"]], self._names[deal["cutter"]]
        _say(f"{dealer} {_s(dealer, 'deal')}, so {cutter} {_s(cutter, 'cut')}")

    def _play_deal(self, view: Json) -> Json:
        """Play until the deal is settled; gives the table after it."""
        while view["status"] in ("cutting", "playing", "settling"):
            legal = {one["action"]: one for one in view["you"]["legal"]}
            move = choose(view, legal)
            view = self._wait(view) if move is None else self._move(view, *move)
        return view

    def _move(self, view: Json, action: str, body: Json) -> Json:
        _title(_MOVES[action])
        self._show_legal(view)
        after = self._api.post(f"/v1/tables/{view['id']}/{action}", body, view["version"])
        self._wild = after["deal"]["wild_rank"] or ""
        if action == "cut":
            self._show_dealt(after)
        elif action == "draw":
            drawn = after["you"]["drawn"]
            _say(f"you drew {self._card(drawn)}" if drawn else _TOLD["deal_voided"])
        self._show_hand(after)
        return after

    def _wait(self, view: Json) -> Json:
        """Wait for the others, and tell what they did."""
        settling = view["status"] == "settling"
        _title("Wait for the payout" if settling else "Wait for the others")
        path = f"/v1/tables/{view['id']}"
        after = None
        while after is None:
            after = self._api.get(f"{path}?wait={WAIT_SECONDS}", view["version"])
            if after is None:
                _say("nothing has changed yet")
        was_cut = view["deal"]["phase"] == "cut" and after["deal"]["phase"] != "cut"
        self._wild = after["deal"]["wild_rank"] or ""
        _say(f"the table has moved on from version {view['version']} to {after['version']}")
        page = self._api.get(f"{path}/events?after={view['version']}") or {"items": []}
        for event in page["items"]:
            if event["id"] <= after["version"]:  # What came in between is told with the next view.
                self._show_event(event)
        if was_cut:
            self._show_dealt(after)
            self._show_hand(after)
        return after

    def _show_legal(self, view: Json) -> None:
        shown = []
        for one in view["you"]["legal"]:
            which = one.get("from") or one.get("cards") or one.get("discards") or []
            which = which if one["action"] == "draw" else [self._card(card) for card in which]
            shown.append(f"{one['action']} ({' '.join(which)})" if which else one["action"])
        _note(f"you.legal: {', '.join(shown)}")

    def _show_dealt(self, view: Json) -> None:
        deal = view["deal"]
        _say(
            f"the cards are dealt; {self._card(deal['wild_card'])} was turned up, "
            f"so every {deal['wild_rank']} is wild (marked *)"
        )

    def _show_hand(self, view: Json) -> None:
        you, deal = view["you"], view["deal"]
        top = self._card(deal["discard_top"]) if deal["discard_top"] else "none"
        hand = self._cards(you["hand"])
        room = " " * max(0, 20 - len(click.unstyle(hand)))
        _say(f"hand: {hand}{room}  top discard: {top}  stock: {deal['stock_size']}")
        if best := you["best"]:
            _say(f"it holds {best['name']}: {_MEANINGS.get(best['name'], '')}")

    def _show_event(self, event: Json) -> None:
        told = self._told(event["type"], event["data"])
        if told:
            click.echo(f"   {_dim(str(event['id']).rjust(4))} {event['type']:15} {told}")

    def _told(self, kind: str, data: Json) -> str:
        who = self._names.get(data.get("seat", 0), "")
        match kind:
            case "card_drawn" if data["card"]:
                return f"{who} took {self._card(data['card'])} from the discards"
            case "card_discarded":
                return f"{who} discarded {self._card(data['card'])}"
            case "called":
                laid = self._cards(data["combination"]["cards"])
                verb = "laid down" if data["last_turn"] else "called with"
                return f"{who} {verb} {data['combination']['name']}: {laid}"
        return _TOLD.get(kind, "").format_map({**data, "who": who})

    def _show_result(self, view: Json) -> None:
        result = view["deal"]["result"]
        _title("The showdown" if result["reason"] == "showdown" else "The end")
        gets = "gets back" if result["reason"] == "void" else "wins"
        for hand in sorted(result["hands"], key=lambda hand: -hand["share"]):
            cards, worth = self._cards(hand["cards"]), "no combination"
            if hand["combination"]:
                worth = hand["combination"]["name"]
            elif not cards:
                worth = "not shown"
            room = " " * (20 - len(click.unstyle(cards)))
            won = click.style(f"{gets} {hand['share']}", bold=True) if hand["share"] else ""
            _say(f"{self._names[hand['seat']]:8} {cards}{room} {worth:15} {won}".rstrip())
        stacks = [f"{self._names[seat['seat']]} {seat['stack']}" for seat in view["seats"]]
        _say(f"chips at the table: {', '.join(stacks)}")

    def _card(self, card: str) -> str:
        star = "*" if card[0] == self._wild else ""
        return (
            click.style(card, fg="red" if card[1] in "dh" else "cyan", bold=True if star else None)
            + star
        )

    def _cards(self, cards: Any) -> str:
        """Cards from high to low, wild ones first."""
        order = sorted(cards, key=lambda card: (card[0] != self._wild, -RANKS.index(card[0])))
        return " ".join(map(self._card, order))


_TOLD = {
    "cut": "{who} cut at {position}",
    "card_drawn": "{who} drew from the stock; the card is hidden from you",
    "stock_renewed": "the stock ran out: the discards make a new one of {size} cards",
    "deal_voided": "the stock ran out for good: the deal is void and the antes go back",
    "turn_timed_out": "{who} ran out of time",
    "showdown": "all hands are shown",
    "settled": "the pot of {pot} is paid out",
    "table_closed": "the one deal that was agreed on is played",
}
"""What is said of each type of event; the cards are put in by `Demo`."""

_MEANINGS = {
    "five_of_a_kind": "five of one rank",
    "royal_flush": "A K Q J T of one suit",
    "straight_flush": "five in sequence of one suit",
    "four_two": "four of one rank and two of another",
    "three_three": "three of one rank and three of another",
    "two_two_two": "three pairs",
}
"""The winning combinations, from high to low."""

_MOVES = {
    "cut": "You cut",
    "draw": "Your turn: draw",
    "discard": "Your turn: discard",
    "call": "Your turn: call",
}


def choose(view: Json, legal: Json) -> tuple[str, Json] | None:
    """A sensible move: call when it can, keep wild cards, pairs and what lies close in a suit.

    None where it is not this player's turn.
    """
    if "cut" in legal:
        return "cut", {"position": 21, "entropy": "aloha"}
    if "call" in legal:
        return "call", {}
    wild, hand = view["deal"]["wild_rank"], view["you"]["hand"]
    if "draw" in legal:
        top = view["deal"]["discard_top"]
        helps = top is not None and (top[0] == wild or top[0] in {card[0] for card in hand})
        return "draw", {"from": "discard" if helps else "stock"}
    if "discard" in legal:
        cards = legal["discard"]["cards"]
        return "discard", {"card": min(cards, key=lambda card: use_of(card, hand, wild))}
    return None


def use_of(card: str, hand: list[str], wild: str) -> int:
    """How much a card does for its hand, in points that compare."""
    if card[0] == wild:
        return 1000
    same_rank = Counter(other[0] for other in hand)[card[0]]
    place = RANKS.index(card[0])
    close = sum(other[1] == card[1] and abs(RANKS.index(other[0]) - place) < 5 for other in hand)
    return 100 * (same_rank - 1) + 20 * (close - 1) + place


def _title(text: str) -> None:
    click.echo(f"\n{click.style(text, bold=True)}")


def _note(text: str) -> None:
    click.echo(f"   {_dim(text)}" if "\x1b" not in text else f"   {text}")


def _say(text: str) -> None:
    click.echo(f"       {text}")


def _show_request(method: str, path: str, headers: Json, body: Json | None) -> None:
    extra = "".join(f"  {name}: {text}" for name, text in headers.items())
    sent = f" {json.dumps(body)}" if body is not None else ""
    click.echo(f"   {click.style(f'{method} {path}', fg='blue')}{sent}{_dim(extra)}")


def _show_status(status: int, etag: str | None) -> None:
    colour = "green" if status < HTTPStatus.BAD_REQUEST else "red"
    version = f"  ETag: {etag}" if etag else ""
    phrase = HTTPStatus(status).phrase
    click.echo(f"   {click.style(f'{status} {phrase}', fg=colour)}{_dim(version)}")


def _seconds(text: str | None) -> int:
    """How long to wait; a second, where it is not said in seconds."""
    return int(text) if text and text.isdecimal() and len(text) < 3 else 1


def _dim(text: str) -> str:
    return click.style(text, dim=True)


def _s(who: str, verb: str) -> str:
    return verb if who == "you" else f"{verb}s"
