"""A story in which every operation is called, and the usual refusals are met."""

from tests.api.contract import Json, operations, takes_token
from tests.api.world import Caller, World, easy_move
from tests.support.provider import Provider
from tests.support.receiver import Receiver

NOW = 1_790_000_000
"""When the story begins, in seconds since 1970."""

ENDPOINT = "https://example.com/paiute"
ISSUER = "https://id.example.com"
"""What stands for the addresses of the test's own servers."""


def tell(world: World, provider: Provider, endpoint: Receiver) -> None:
    """Call every operation at least once."""
    keola, pua, nalu = (world.player(name) for name in ("Keola", "Pua", "Nalu"))
    look_around(world.anybody)
    begin(keola, provider, endpoint)
    table = play_a_deal(world, keola, pua)
    look_back(world, keola, pua, table)
    sit_and_leave(pua, nalu, keola)
    end(world, keola, nalu)
    be_refused_everywhere(world, keola, table)


def look_around(anybody: Caller) -> None:
    """What needs no account."""
    for path in ("/healthz", "/readyz"):
        anybody.get(path)
    hand = {"wild_rank": "7", "cards": ["9c", "9d", "9h", "9s", "7c", "As"]}
    anybody.post("/v1/evaluate", hand)
    anybody.get("/v1/rules")


def begin(keola: Caller, provider: Provider, endpoint: Receiver) -> None:
    """Tokens, an outside identity, and a webhook."""
    keola.get("/v1/me")
    wish = {"scopes": ["play"], "expires_in": 3600, "name": "Bot at home"}
    token = keola.post("/v1/me/tokens", wish).json
    keola.get("/v1/me/tokens")
    bot = Caller(keola._send, keola.contract, token)
    bot.post("/v1/tables", {"seats": 2})
    keola.delete(f"/v1/me/tokens/{token['id']}")
    bot.get("/v1/me")
    keola.post("/v1/me/identities", {"token": provider.token("keola")})
    keola.get("/v1/me/identities")
    webhook = keola.post("/v1/webhooks", {"url": endpoint.url, "description": "My phone"}).json
    keola.get("/v1/webhooks")
    for action in ("test", "enable"):
        keola.post(f"/v1/webhooks/{webhook['id']}/{action}")
    keola.get(f"/v1/webhooks/{webhook['id']}")
    keola.post("/v1/webhooks", {"url": "https://localhost/"})


def play_a_deal(world: World, keola: Caller, pua: Caller) -> str:
    """A private table for three, with a bot and an invited friend, to the end of its deal."""
    rules = {"first_dealer": 2}
    wish = {"name": "Friday night", "seats": 3, "ante": 5, "bots": [{"level": "easy"}]}
    table = keola.create(**wish, visibility="private", deals=1, rules=rules)["id"]
    keola.do(table, "start")
    keola.post(f"/v1/tables/{table}/invitations", {"player": pua.id})
    (invitation,) = pua.get("/v1/me/invitations").json["items"]
    pua.do(table, "join", {"invite_code": "wrong"})
    pua.do(table, "join", {"invite_code": invitation["invite_code"], "rules_hash": "0"})
    pua.do(table, "join", {"invite_code": invitation["invite_code"], "seat": 3})
    pua.do(table, "join", {"invite_code": invitation["invite_code"]})
    pua.get("/v1/me/events")
    while (view := keola.view(table))["status"] != "closed":
        for caller in (keola, pua):
            _move(caller, table)
        world.run_due() if view["status"] == "settling" else world.pass_time(1)
    return table


def _move(caller: Caller, table: str) -> None:
    """Make the moves of a turn, if it is the caller's."""
    view = caller.view(table)
    while view["you"] and (move := easy_move(view)):
        if move[0] == "draw":
            caller.do(table, "discard", {"card": view["you"]["hand"][0]})
            caller.do(table, "cut", {"position": 1}, If_Match='"1"')
            caller.do(table, "call")
        if move[0] == "discard":
            caller.do(table, "discard", {"card": _card_of_others(view)})
        view = caller.did(table, *move)
    if view["deal"] and view["deal"]["turn"]:
        caller.do(table, "draw", {"from": "discard"})


def _card_of_others(view: Json) -> str:
    own = view["you"]["hand"]
    return next(card for card in ("As", "Kd", "2c", "7h", "9s", "Jc", "4d") if card not in own)


def look_back(world: World, keola: Caller, pua: Caller, table: str) -> None:
    """What there is to see of a deal that is over."""
    deals = f"/v1/tables/{table}/deals"
    keola.get(deals)
    record = keola.get(f"{deals}/1").json
    middle = (record["from_version"] + record["to_version"]) // 2
    keola.get(f"{deals}/1/view?seat=1&version={middle}")
    world.anybody.get(f"{deals}/1/view?seat=1")
    keola.get(f"{deals}/1/proof")
    for caller in (keola, pua, pua):
        caller.post(f"{deals}/1/open")
    keola.get(f"/v1/tables/{table}/events")
    keola.get("/v1/me/events")
    keola.get("/v1/me/ledger")
    keola.do(table, "leave")


def sit_and_leave(pua: Caller, nalu: Caller, keola: Caller) -> None:
    """The lobby, bots, a quick match, and an invitation that is declined."""
    table = pua.create(name="Anybody", seats=4, start_when="host", turn_seconds=0)["id"]
    pua.do(table, "start")
    pua.do(table, "bots", {"level": "easy"})
    pua.do(table, "bots", {"level": "medium", "seat": 2})
    pua.delete(f"/v1/tables/{table}/bots/2")
    nalu.do(table, "start")
    nalu.do(table, "join", {"seat": 1})
    nalu.do(table, "join", {"seat": 3})
    nalu.do(table, "join", {})
    keola.get("/v1/tables")
    pua.do(table, "start")
    pua.get("/v1/me/tables")
    nalu.do(table, "leave")
    pua.post(f"/v1/tables/{table}/invitations", {"player": keola.id})
    (invitation,) = keola.get("/v1/me/invitations").json["items"]
    keola.delete(f"/v1/me/invitations/{invitation['number']}")
    nalu.post("/v1/quick-match", {"seats": 3, "ante": 5, "bots_after_seconds": 20})
    nalu.post("/v1/tables", {"seats": 2, "ante": 1_000})


def end(world: World, keola: Caller, nalu: Caller) -> None:
    """What operators do, and nobody else."""
    listed = world.operator.get("/v1/admin/tables").json["items"]
    world.operator.post(f"/v1/admin/tables/{listed[-2]['id']}/close", {"reason": "We move house."})
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
        path, method = operation["path"], operation["method"].upper()
        who = world.operator if "/admin/" in path else keola
        there = path.replace("{table_id}", table).replace("{number}", "1").replace("{seat}", "1")
        if takes_token(operation):
            world.anybody.send(method, there)
        if "{" in path:
            nowhere = path.replace("{number}", "99").replace("{seat}", "5")
            who.send(method, nowhere.replace("{", "").replace("}", ""))
        if "requestBody" in operation:
            who.post(there, {"surprise": 1})
            who.send(method, there, b"{", Content_Type="application/json")
            who.send(method, there, b"a=1", Content_Type="text/plain")
        elif any(one["in"] == "query" for one in operation.get("parameters", ())):
            who.get(f"{there}?surprise=1")
