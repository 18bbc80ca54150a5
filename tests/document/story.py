"""A story in which every operation is called, and the usual refusals are met."""

import re

from service.store.tokens import MOST_TOKENS
from service.store.webhooks import MOST_WEBHOOKS
from tests.api.contract import Json, operations, takes_token
from tests.api.world import UNLIMITED, Caller, World, easy_move
from tests.support.provider import Provider
from tests.support.receiver import Receiver

NOW = 1_790_000_000
"""When the story begins, in seconds since 1970."""

ENDPOINT = "https://example.com/paiute"
ISSUER = "https://id.example.com"
"""What stands for the addresses of the test's own servers."""

NOTHING = "01M5W0N3S8AB3C5D7E9F2G4H6J"
"""An id that nothing has."""


def tell(world: World, provider: Provider, endpoint: Receiver) -> None:
    """Call every operation at least once."""
    keola, pua, nalu = (world.player(name) for name in ("Keola", "Pua", "Nalu"))
    look_around(world.anybody)
    begin(keola, pua, provider)
    webhook = be_told(keola, endpoint)
    table = play_a_deal(world, keola, pua)
    look_back(world, keola, pua, table)
    measure_a_bot(world)
    be_told_no_more(world, keola, endpoint, webhook)
    be_rated(world, keola, pua)
    sit_and_leave(pua, nalu, keola)
    end(world, keola, nalu)
    be_refused_everywhere(world, keola, table)
    make_too_many(nalu)


def look_around(anybody: Caller) -> None:
    """What needs no account."""
    for path in ("/healthz", "/readyz", "/v1/rules"):
        anybody.get(path)
    hand = {"wild_rank": "7", "cards": ["9c", "9d", "9h", "9s", "7c", "As"]}
    anybody.post("/v1/evaluate", hand)
    anybody.send("PUT", "/v1/evaluate")
    anybody.send(
        "POST",
        "/v1/evaluate",
        b" " * (UNLIMITED.max_body_bytes + 1),
        Content_Type="application/json",
    )


def begin(keola: Caller, pua: Caller, provider: Provider) -> None:
    """Tokens, and an outside identity."""
    keola.get("/v1/me")
    wish = {"scopes": ["play"], "expires_in": 3600, "name": "Bot at home"}
    token = keola.post("/v1/me/tokens", wish).json
    keola.get("/v1/me/tokens")
    bot = Caller(keola._send, keola.contract, token)
    bot.post("/v1/tables", {"seats": 2})
    keola.delete(f"/v1/me/tokens/{token['id']}")
    bot.get("/v1/me")
    for caller in (keola, keola, pua):
        caller.post("/v1/me/identities", {"token": provider.token("keola")})
    keola.get("/v1/me/identities")


def be_told(keola: Caller, endpoint: Receiver) -> Json:
    """A webhook is made, and tried."""
    webhook: Json = keola.post("/v1/webhooks", {"url": endpoint.url, "description": "Phone"}).json
    keola.get("/v1/webhooks")
    keola.get(f"/v1/webhooks/{webhook['id']}")
    keola.post(f"/v1/webhooks/{webhook['id']}/test")
    keola.post("/v1/webhooks", {"url": "nowhere"})
    return webhook


def be_told_no_more(world: World, keola: Caller, endpoint: Receiver, webhook: Json) -> None:
    """The endpoint is gone and comes back, and then the webhook is deleted."""
    endpoint.statuses = [410]
    for action in ("test", "test", "enable"):
        keola.post(f"/v1/webhooks/{webhook['id']}/{action}")
        world.run_due()
    keola.delete(f"/v1/webhooks/{webhook['id']}")


def play_a_deal(world: World, keola: Caller, pua: Caller) -> str:
    """A private table for three, with a bot and an invited friend, to the end of its deal."""
    rules = {"first_dealer": 2}
    wish = {"name": "Friday night", "seats": 3, "ante": 5, "bots": [{"level": "easy"}]}
    table = keola.create(**wish, visibility="private", deals=1, rules=rules)["id"]
    begun = pua.get("/v1/me/events").json["items"][0]["id"]
    keola.post(f"/v1/tables/{table}/invitations", {"player": pua.id})
    (invitation,) = pua.get("/v1/me/invitations").json["items"]
    code = {"invite_code": invitation["invite_code"]}
    pua.do(table, "join", {"invite_code": "wrong"})
    pua.do(table, "join", code | {"rules_hash": "0"})
    pua.do(table, "join", code | {"seat": 1})
    pua.do(table, "join", code | {"seat": 3})
    pua.do(table, "join", code)
    while (status := keola.view(table)["status"]) != "closed":
        move(keola, table, "stock")
        move(pua, table, "discard")
        world.pass_time(0 if status == "settling" else 1)
    pua.get(f"/v1/me/events?after={begun}")
    return str(table)


def move(caller: Caller, table: str, source: str) -> None:
    """Make the moves of a turn, if it is the caller's, and some that are refused."""
    view = caller.view(table)
    while view["you"] and (made := easy_move(view)):
        action, body = made
        if action == "draw":
            caller.do(table, "discard", {"card": view["you"]["hand"][0]})
            caller.do(table, "draw", {"from": "stock"}, If_Match='"1"')
            body = {"from": source}
        if action == "discard":
            caller.do(table, "call")
            caller.do(table, "discard", {"card": others_card(view)})
            if source == "discard":
                caller.do(table, "discard", {"card": view["you"]["drawn"]})
        view = caller.did(table, action, body)
    if view["deal"] and view["deal"]["turn"]:
        caller.do(table, "draw", {"from": "discard"})


def others_card(view: Json) -> str:
    """A card that the caller does not hold."""
    own = view["you"]["hand"]
    return next(card for card in ("As", "Kd", "2c", "7h", "9s", "Jc", "4d") if card not in own)


def measure_a_bot(world: World) -> None:
    """A sandbox match, to its end."""
    robo = world.player("Robo", "bot")
    match = robo.post("/v1/sandbox/matches", {"levels": ["medium"], "deals": 4, "seed": "1"}).json
    robo.post("/v1/sandbox/matches", {})
    view = robo.view(match["table"])
    while view["status"] != "closed" and (made := easy_move(view)):
        view = robo.did(match["table"], *made)
    robo.get(f"/v1/sandbox/matches/{match['id']}")


def look_back(world: World, keola: Caller, pua: Caller, table: str) -> None:
    """What there is to see of a deal that is over."""
    deals = f"/v1/tables/{table}/deals"
    keola.get(deals)
    record = keola.get(f"{deals}/1").json
    middle = (record["from_version"] + record["to_version"]) // 2
    keola.get(f"{deals}/1/view?seat=1&version={middle}")
    world.anybody.get(f"{deals}/1/view?seat=2&version={middle}")
    keola.get(f"{deals}/1/proof")
    for caller in (keola, pua):
        caller.post(f"{deals}/1/open")
    keola.get(f"/v1/tables/{table}/events")
    keola.get("/v1/me/ledger")
    keola.do(table, "leave")


def be_rated(world: World, keola: Caller, pua: Caller) -> None:
    """A deal that counts, since it is at a public table and no house bot plays."""
    table = keola.create(name="One deal", seats=2, deals=1, rules={"cut": "auto"})["id"]
    pua.do(table, "join", {})
    pua.do(table, "leave")
    world.run_due()
    keola.get("/v1/leaderboard?limit=1")
    world.anybody.get(f"/v1/players/{pua.id}")


def sit_and_leave(pua: Caller, nalu: Caller, keola: Caller) -> None:
    """The lobby, bots, a quick match, and an invitation that is declined."""
    table = pua.create(name="Anybody", seats=3, start_when="host", turn_seconds=0)["id"]
    pua.do(table, "start")
    pua.do(table, "bots", {"level": "easy"})
    pua.do(table, "bots", {"level": "medium", "seat": 2})
    pua.delete(f"/v1/tables/{table}/bots/2")
    nalu.do(table, "start")
    nalu.do(table, "leave")
    keola.get("/v1/tables")
    pua.post(f"/v1/tables/{table}/invitations", {"player": keola.id})
    (invitation,) = keola.get("/v1/me/invitations").json["items"]
    keola.delete(f"/v1/me/invitations/{invitation['number']}")
    nalu.do(table, "join", {"seat": 2})
    pua.do(table, "bots", {"level": "easy"})
    keola.do(table, "join", {})
    pua.do(table, "start")
    pua.get("/v1/me/tables")
    nalu.do(table, "leave")
    nalu.post("/v1/quick-match", {"seats": 3, "ante": 5, "bots_after_seconds": 20})
    nalu.post("/v1/tables", {"seats": 2, "ante": 1_000})


def end(world: World, keola: Caller, nalu: Caller) -> None:
    """What operators do, and nobody else."""
    listed = world.operator.get("/v1/admin/tables").json["items"]
    world.operator.post(f"/v1/admin/tables/{listed[1]['id']}/close", {"reason": "We move house."})
    grant = {"amount": 500, "note": "for the outage"}
    world.operator.post(f"/v1/admin/players/{keola.id}/grants", grant)
    world.operator.get(f"/v1/admin/players/{nalu.id}")
    world.operator.get("/v1/admin/queues")
    keola.get("/v1/admin/queues")
    for seats in (2, 3):
        keola.post("/v1/tables", {"seats": seats}, Idempotency_Key="the-same-key")


def be_refused_everywhere(world: World, keola: Caller, table: str) -> None:
    """What any operation refuses: no token, nothing there, no JSON, no such field."""
    for operation in operations(world.contract.document).values():
        method = operation["method"].upper()
        who = world.operator if operation["tags"] == ["admin"] else keola
        there = at(operation["path"], {"table_id": table, "number": "1", "seat": "1"})
        if takes_token(operation):
            world.anybody.send(method, there)
        if "{" in operation["path"]:
            who.send(method, at(operation["path"], {"number": "99", "seat": "5"}))
        if "requestBody" in operation:
            who.post(there, {"surprise": 1})
            who.send(method, there, b"{", Content_Type="application/json")
            who.send(method, there, b"a=1", Content_Type="text/plain")
        elif any(one["in"] == "query" for one in operation.get("parameters", ())):
            who.get(f"{there}?surprise=1")


def at(path: str, places: Json) -> str:
    """A path of the document with something in its places, or else an id of nothing."""
    return re.sub(r"{(\w+)}", lambda it: str(places.get(it[1], NOTHING)), path)


def make_too_many(nalu: Caller) -> None:
    """More of a kind than there may be."""
    for _ in range(MOST_WEBHOOKS + 1):
        nalu.post("/v1/webhooks", {"url": "https://example.com/"})
    for _ in range(MOST_TOKENS + 1):
        nalu.post("/v1/me/tokens", {"scopes": ["play"]})
