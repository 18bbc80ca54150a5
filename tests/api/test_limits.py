"""Limits: what each request costs whom, and what is said to who asks too much."""

import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import requests

from service.api.limits import REVOCATIONS
from service.config import Config
from service.store.base import Unavailable
from service.store.budgets import Budgets, Charge, RateLimited
from tests.api.contract import Json, operations
from tests.api.test_bad_input import BODIES, UNKNOWN
from tests.api.world import SECRET, Caller, World
from tests.support.client import Client
from tests.support.processes import RunningService
from tests.support.waiting import wait_until

LIMITED = Config(SECRET, "unused", lobby_per_second=10, lobby_burst=100, max_tables=3)
BEHIND_PROXIES = replace(LIMITED, proxies=2)
BURST = 20
"""How many requests of the lobby the real service here allows at once."""


class Purse(Budgets):
    """Remembers what was spent; nothing of a budget is left once it is `empty`."""

    def __init__(self) -> None:
        self.spent: list[Charge] = []
        self.empty: set[str] = set()
        self.away = False

    def spend(self, charge: Charge) -> None:
        """Note a charge."""
        if self.away:
            raise Unavailable("The store can't be reached now.")
        self.spent.append(charge)
        if charge.budget in self.empty:
            raise RateLimited(charge)

    def names(self) -> list[str]:
        """The budgets that were spent from since the last time."""
        names = [charge.budget for charge in self.spent]
        self.spent.clear()
        return names


def purse_of(world: World) -> Purse:
    """The purse of a world, from which all that is spent there is spent."""
    purse = Purse()
    world.store.budgets = purse  # type: ignore[assignment]
    return purse


@pytest.fixture
def world() -> World:
    """A service with the usual limits."""
    return World(LIMITED)


@pytest.fixture
def purse(world: World) -> Purse:
    """What the callers spend."""
    return purse_of(world)


@pytest.fixture
def keola(purse: Purse, world: World) -> Caller:
    """A player who has spent nothing yet."""
    player = world.player("Keola")
    purse.spent.clear()
    return player


COSTS = {
    "play": "getTable cutDeck drawCard discardCard callHand evaluateHands",
    "lobby": "createPlayer getMe listMyTables createTable listTables joinTable leaveTable "
    "startTable addBot removeBot getRules listLeaderboard getPlayer "
    "quickMatch createMatch getMatch invitePlayer listMyInvitations declineInvitation "
    "createToken listTokens revokeToken linkIdentity listIdentities "
    "createWebhook listWebhooks getWebhook deleteWebhook pingWebhook enableWebhook",
    "history": "listEvents listMyEvents listDeals getDeal viewPastDeal openDeal proveDeal "
    "listLedger",
    "": "getLiveness getReadiness listAllTables closeTable getPlayerAccount grantChips getQueues",
}


MOVES = [(1, 300, 1000, 1), (4, 300, 1000, 4), (4, 3, 1000, 2), (4, 300, 2, 1), (4, 1, 1, 0)]
"""Bots in a sandbox match, the budget `play`, and what a move costs beyond one."""


def requests_of(document: Json, table: str) -> Iterator[tuple[str, str, str, Json]]:
    """A good request for each operation: its id, method, path and body."""
    for name, operation in operations(document).items():
        path = operation["path"].replace("{table_id}", table)
        path = path.replace("{seat}", "2").replace("{number}", "1")
        body = BODIES.get(operation["path"].replace("table_id", "table"), {})
        yield name, operation["method"].upper(), path, body


def ask(caller: Caller, method: str, path: str, body: object) -> tuple[int, Json]:
    """The status of an answer, and what it says."""
    answer = caller.post(path, body) if method == "POST" else caller.send(method, path)
    return answer.status, answer.json if answer.raw else {}


def test_every_request_costs_one(world: World, keola: Caller, purse: Purse) -> None:
    """Each operation takes one request out of one budget, and it is the one that is told."""
    budgets = {name: budget for budget, names in COSTS.items() for name in names.split()}
    table = keola.create(start_when="host")["id"]
    purse.spent.clear()
    seen = {}
    for name, method, path, body in requests_of(world.contract.document, table):
        ask(keola, method, path, body)
        seen[name] = purse.names()

    assert {name: [budget] if budget else [] for name, budget in budgets.items()} == seen


def test_who_pays(world: World, keola: Caller, purse: Purse) -> None:
    """A player pays, wherever the call comes from; without a token whoever calls from there."""
    keola.get("/v1/me")
    world.anybody.get("/v1/rules")

    assert [
        Charge("lobby", keola.id, LIMITED.lobby_per_second, LIMITED.lobby_burst),
        Charge("lobby", "127.0.0.1", LIMITED.lobby_per_second, LIMITED.lobby_burst),
    ] == purse.spent


@pytest.mark.parametrize(("bots", "per_second", "burst", "more"), MOVES)
def test_moves_in_a_sandbox_match(bots: int, per_second: int, burst: int, more: int) -> None:
    """A move there costs one for each player, but no more than a second or a bucket has."""
    world = World(replace(LIMITED, play_per_second=per_second, play_burst=burst))
    purse = purse_of(world)
    robo = world.player("Robo", "bot")
    match = robo.post("/v1/sandbox/matches", {"levels": ["easy"] * bots, "seed": "1"}).json["table"]
    purse.spent.clear()
    one = Charge("play", robo.id, per_second, burst)
    robo.view(match)
    assert [one] == purse.spent

    purse.spent.clear()
    assert 200 == robo.do(match, "draw", {"from": "stock"}).status
    stale = robo.do(match, "draw", {"from": "stock"}, If_Match='"1"')
    assert 412 == stale.status, "it costs as much"
    rest = [replace(one, requests=more)] if more else []
    assert [one, *rest] * 2 == purse.spent


def test_a_move_for_which_too_little_is_left(world: World) -> None:
    """It is refused, says when to come again, and has changed nothing."""

    class LittleLeft(Purse):
        def spend(self, charge: Charge) -> None:
            super().spend(charge)
            if charge.requests > 1:
                raise RateLimited(charge)

    robo = world.player("Robo", "bot")
    wish = {"levels": ["easy"] * 4, "seed": "1"}
    match = robo.post("/v1/sandbox/matches", wish).json["table"]
    world.store.budgets = LittleLeft()  # type: ignore[assignment]
    before = world.table(match)
    refused = robo.do(match, "draw", {"from": "stock"})

    told = (refused.status, refused.json["limit"], refused.headers["retry-after"])
    assert (429, "play", "1") == told
    assert before == world.table(match)


def test_revoking_costs_the_address_too(keola: Caller, purse: Purse) -> None:
    """A revocation is paid for by its address as well, whichever accounts it makes for that."""
    token = keola.post("/v1/me/tokens", {"scopes": ["play"]}).json
    path = f"/v1/me/tokens/{token['id']}"
    purse.empty = {"revocations"}
    refusal = keola.delete(path)
    assert (429, "revocations") == (refusal.status, refusal.json["limit"])
    assert 404 == keola.delete("/v1/me/tokens/none").status, "what revokes nothing costs nothing"
    assert 2 == len(keola.get("/v1/me/tokens").json["items"])

    purse.empty = set()
    purse.spent.clear()
    assert 204 == keola.delete(path).status
    lobby = Charge("lobby", keola.id, LIMITED.lobby_per_second, LIMITED.lobby_burst)
    name, per_second, burst = REVOCATIONS
    assert [lobby, Charge(name, "127.0.0.1", per_second, burst)] == purse.spent


def test_over_budget_nothing_is_done(world: World, keola: Caller, purse: Purse) -> None:
    """Whatever is asked with an empty budget, the answer is 429, and nothing has changed."""
    table = keola.create(start_when="host", seats=3)["id"]
    pua = world.player("Pua")
    before = (world.table(table), world.store.accounts.account(pua.id), len(world.store._tables))
    purse.empty = {"play", "lobby", "history"}
    players = len(world.store.accounts._accounts)

    for name, method, path, body in requests_of(world.contract.document, table):
        for caller in (keola, pua):
            status, said = ask(caller, method, path, body)
            if name in COSTS[""].split():
                assert status == (403 if "/admin/" in path else 200), name
            else:
                assert (429, "rate_limited") == (status, said["code"]), name
                assert said["limit"] in COSTS, name
                assert name in COSTS[said["limit"]].split(), name
    accounts = world.store.accounts
    assert before == (world.table(table), accounts.account(pua.id), len(world.store._tables))
    assert players == len(accounts._accounts)


def test_what_a_refusal_says(keola: Caller, purse: Purse) -> None:
    """It names the budget and its numbers, and when to come again."""
    purse.empty = {"lobby"}
    answer = keola.get("/v1/me")

    assert (429, "1") == (answer.status, answer.headers["retry-after"])
    assert "lobby" == answer.json["limit"]
    assert "Requests at once: 100; each second after that: 10." in answer.json["detail"]


def test_budgets_are_separate(keola: Caller, purse: Purse) -> None:
    """Where one is used up the others are not."""
    table = keola.create()["id"]
    paths = {
        "lobby": "/v1/me",
        "play": f"/v1/tables/{table}",
        "history": f"/v1/tables/{table}/events",
    }
    for empty in paths:
        purse.empty = {empty}
        for budget, path in paths.items():
            assert (429 if budget == empty else 200) == keola.get(path).status


def test_bad_requests_cost_as_much(world: World, keola: Caller, purse: Purse) -> None:
    """What is refused before anything is read, or by the table, costs what it would have cost."""
    table = keola.create(start_when="host")["id"]
    purse.spent.clear()
    draw = f"/v1/tables/{table}/draw"
    bad = {
        401: world.anybody.post(draw, {"from": "stock"}),
        404: keola.post(draw.replace(table, UNKNOWN), {"from": "stock"}),
        409: keola.post(draw, {"from": "stock"}),
        412: keola.post(draw, {"from": "stock"}, If_Match='"77"'),
        413: keola.send("POST", draw, b" " * 300_000, Content_Type="application/json"),
        415: keola.send("POST", draw, b"{}", Content_Type="text/plain"),
        422: keola.post(draw, {"from": "nowhere"}),
    }
    assert {status: status for status in bad} == {n: answer.status for n, answer in bad.items()}
    assert ["play"] * len(bad) == purse.names()

    purse.empty = {"play"}
    assert 429 == keola.post(draw, {"from": "nowhere"}).status


def test_what_is_free(world: World, keola: Caller, purse: Purse) -> None:
    """The document, the page and the probes cost nothing, nor does an address that there is not."""
    for path in ("/", "/docs", "/openapi.json", "/healthz", "/readyz", "/metrics", "/v1/nothing"):
        keola.get(path)
    keola.send("PUT", "/v1/me")

    assert [] == purse.names()


def test_without_limits(purse: Purse) -> None:
    """Where a setting is 0, nothing is spent."""
    world = World()
    purse = purse_of(world)
    player = world.player()
    player.view(player.create()["id"])

    assert [] == purse.names()


def test_while_the_store_is_away(keola: Caller, purse: Purse) -> None:
    """What needs no table goes on, and nobody is counted."""
    purse.away = True

    assert 200 == keola.get("/v1/rules").status
    assert 200 == keola.post("/v1/evaluate", BODIES["/v1/evaluate"]).status


def test_a_refused_request_may_come_again_with_its_key(
    world: World, keola: Caller, purse: Purse
) -> None:
    """An answer 429 is not kept; an answer that is given again costs as the first one did."""
    table = keola.create(start_when="host", seats=3)["id"]
    pua = world.player("Pua")
    for path, body, status in (
        ("/v1/tables", {"seats": 2}, 201),
        (f"/v1/tables/{table}/join", {}, 200),
    ):
        purse.empty = {"lobby"}
        assert 429 == pua.post(path, body, Idempotency_Key=path).status
        purse.empty = set()
        purse.spent.clear()
        first, second = (pua.post(path, body, Idempotency_Key=path) for _ in range(2))
        assert (status, first.raw) == (first.status, second.raw)
        assert "true" == second.headers["idempotency-replayed"]
        assert ["lobby"] * 2 == purse.names()
        purse.empty = {"lobby"}
        assert 429 == pua.post(path, body, Idempotency_Key=path).status
        purse.empty = set()
        assert first.raw == pua.post(path, body, Idempotency_Key=path).raw


def payer_of(world: World, address: str, *forwarded: str) -> str:
    """Who pays for a call from an address, with what proxies have noted of it."""
    purse = purse_of(world)
    with world.app.test_client() as client:
        headers = {"X-Forwarded-For": ", ".join(forwarded)} if forwarded else {}
        client.get("/v1/rules", headers=headers, environ_base={"REMOTE_ADDR": address})
    (charge,) = purse.spent
    return charge.payer


def test_forged_addresses(world: World) -> None:
    """Without proxies of our own the connection's address counts, whatever is forwarded."""
    assert "203.0.113.7" == payer_of(world, "203.0.113.7", "198.51.100.1")


@pytest.mark.parametrize(
    "forwarded", [["198.51.100.1", "10.0.0.9"], ["8.8.8.8", "198.51.100.1", "10.0.0.9"]]
)
def test_addresses_behind_proxies(forwarded: list[str]) -> None:
    """Behind two proxies it is the address that the outer one has noted, whatever came before."""
    assert "198.51.100.1" == payer_of(World(BEHIND_PROXIES), "10.0.0.1", *forwarded)


def test_too_few_forwarded_addresses() -> None:
    """Who has passed fewer proxies than there are is known by the connection's address."""
    assert "10.0.0.1" == payer_of(World(BEHIND_PROXIES), "10.0.0.1", "198.51.100.1")


@pytest.mark.parametrize(
    ("address", "payer"),
    [
        ("2001:db8:1:2:3:4:5:6", "20010db800010002::/64"),
        ("2001:db8:1:2:ffff::1", "20010db800010002::/64"),
        ("2001:db8:1:3::1", "20010db800010003::/64"),
        ("::ffff:203.0.113.7", "203.0.113.7"),
        ("unix:", "unix:"),
        ("", ""),
    ],
)
def test_one_payer_of_many_addresses(world: World, address: str, payer: str) -> None:
    """With IPv6 a household has a network of addresses, and pays as one."""
    assert payer == payer_of(world, address)


def test_tables_at_once(world: World, keola: Caller) -> None:
    """A player at as many tables as one may be at is told so, and which limit it is."""
    pua = world.player("Pua")
    table = pua.create(seats=3)
    for _ in range(3):
        keola.create()

    made = keola.post("/v1/tables", {"seats": 2})
    joined = keola.do(table["id"], "join", {})
    for answer in (made, joined):
        assert (409, "limit_reached", "tables") == (
            answer.status,
            answer.json["code"],
            answer.json["limit"],
        )
        assert "or be host of: 3." in answer.json["detail"]
    assert table["version"] == joined.json["version"] == pua.view(table["id"])["version"]


@pytest.fixture(scope="module")
def limited() -> Iterator[RunningService]:
    """The whole service with a small lobby budget, behind a proxy, where nobody may wait."""
    settings = {
        "PAIUTE_LOBBY_PER_SECOND": "2",
        "PAIUTE_LOBBY_BURST": str(BURST),
        "PAIUTE_MAX_WAITERS": "0",
        "PAIUTE_PROXIES": "1",
    }
    with tempfile.TemporaryDirectory(prefix="paiute-") as folder:
        running = RunningService(Path(folder), settings=settings)
        try:
            yield running
        finally:
            running.stop()


def ask_until_refused(client: Client, path: str) -> tuple[int, requests.Response]:
    """Ask as fast as can be; gives how often it was answered, and the refusal."""
    for number in range(100_000):
        answer = client.get(path)
        if answer.status_code != 200:
            return number, answer
    raise AssertionError("nobody is ever refused")


def test_limits_of_the_real_service(limited: RunningService) -> None:
    """All its processes count together; who waits as long as a refusal says is let in again."""
    keola, pua = Client(limited.url, "Keola"), Client(limited.url, "Pua")
    table = keola.create(seats=3)["id"]

    answered, refusal = ask_until_refused(keola, "/me")
    refused_at = time.monotonic()
    assert answered >= BURST - 1, "one went into the table"
    assert (429, "lobby") == (refusal.status_code, refusal.json()["limit"])
    assert 200 == pua.get("/me").status_code, "it is another account"
    assert 200 == keola.get(f"/tables/{table}").status_code, "it is another budget"
    assert 200 == keola.get(f"/tables/{table}/events").status_code, "and so is this"

    seconds = int(refusal.headers["Retry-After"])
    assert seconds >= 1
    wait_until(lambda: time.monotonic() > refused_at + seconds, seconds + 5)
    assert 200 == keola.get("/me").status_code
    for client in (keola, pua):
        client.close()


def test_the_usual_limits(limited: RunningService) -> None:
    """`paiute serve` has limits for what no setting was given for."""
    told = requests.get(f"{limited.url}/openapi.json", timeout=30).json()["info"]["description"]
    usual = Config(SECRET, "")

    for budget in ("play", "history"):
        per_second, burst = usual.budget(budget)
        assert per_second > 0
        assert f"`{budget}`: {burst} requests at once, and {per_second} a second" in told
    assert f"or is host of: {usual.max_tables}\n" in told


def test_addresses_at_the_real_service(limited: RunningService) -> None:
    """Whoever has no token pays by address, and can't pass for somebody else."""

    def look(*forwarded: str) -> int:
        headers = {"X-Forwarded-For": ", ".join(forwarded)}
        return requests.get(f"{limited.url}/v1/rules", headers=headers, timeout=30).status_code

    forged = 0
    while look(f"198.51.100.{forged % 250}", "203.0.113.7") == 200:
        forged += 1
        assert forged < 100_000
    assert forged >= BURST
    assert 200 == look("203.0.113.8")


def test_a_long_poll_that_may_not_wait(limited: RunningService) -> None:
    """Beyond the number of those who may wait, the answer is at once, and says when to come."""
    client = Client(limited.url)
    view = client.create(seats=2)
    here, version = f"/tables/{view['id']}", f'"{view["version"]}"'

    begun = time.monotonic()
    look = client.get(f"{here}?wait=30", headers={"If-None-Match": version})
    events = client.get(f"{here}/events?after={view['version']}&wait=30")
    assert time.monotonic() - begun < 20
    assert (304, "1") == (look.status_code, look.headers["Retry-After"])
    assert (200, "1", []) == (
        events.status_code,
        events.headers["Retry-After"],
        events.json()["items"],
    )

    for path in (here, f"{here}?wait=30", f"{here}/events?wait=30", f"{here}/events"):
        assert "Retry-After" not in client.get(path).headers, "there was something to say"
    known = client.get(here, headers={"If-None-Match": version})
    assert (304, None) == (known.status_code, known.headers.get("Retry-After")), "nobody waits"
    client.close()


def test_a_long_poll_that_has_waited(two_seated: Json, keola: Caller) -> None:
    """An answer after the whole time says nothing of when to come again."""
    path, tag = f"/v1/tables/{two_seated['id']}?wait=1", f'"{two_seated["version"]}"'
    answer = keola.get(path, If_None_Match=tag)

    assert (304, None) == (answer.status, answer.headers.get("retry-after"))
