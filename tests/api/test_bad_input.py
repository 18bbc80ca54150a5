"""Bad input of every kind gets a problem with the right code, and never a fault of the service."""

import json
import re
from typing import Any

import jwt
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.api.contract import Json
from tests.api.world import SECRET, Caller, World
from tests.engine.positions import position

UNKNOWN = "01M5W0N3S84E9WQ2J5R7K1X6ZC"
BODIES: dict[str, Json] = {
    "/v1/players": {"name": "Keola", "kind": "human"},
    "/v1/me/tokens": {"scopes": ["play"], "expires_in": 60, "name": "Bot"},
    "/v1/me/identities": {"token": "e30.e30.e30"},
    "/v1/tables": {
        "seats": 2,
        "bots": [{"level": "easy"}],
        "rated": True,
        "rules": {"ace_low": True},
    },
    "/v1/tables/{table}/join": {"seat": 2, "invite_code": "x"},
    "/v1/quick-match": {"seats": 3, "ante": 5, "bots_after_seconds": 20},
    "/v1/sandbox/matches": {"levels": ["easy"], "deals": 10, "seed": "one"},
    "/v1/tables/{table}/invitations": {"player": "01M5W0N3S8B7DT1Y5C3X8V2F6G"},
    "/v1/tables/{table}/leave": {},
    "/v1/tables/{table}/start": {},
    "/v1/tables/{table}/bots": {"level": "easy", "seat": 2},
    "/v1/tables/{table}/cut": {"position": 21, "entropy": "aloha"},
    "/v1/tables/{table}/draw": {"from": "stock"},
    "/v1/tables/{table}/discard": {"card": "Td"},
    "/v1/tables/{table}/call": {"discard": "Td"},
    "/v1/tables/{table}/deals/1/open": {},
    "/v1/webhooks": {"url": "https://bot.example/paiute", "events": ["your_turn"]},
    "/v1/webhooks/{table}/test": {},
    "/v1/webhooks/{table}/enable": {},
    "/v1/evaluate": {"wild_rank": "7", "cards": ["7c", "7d", "7h", "Ks", "Kd"]},
}
"""A good body for every POST."""

POSTS = sorted(BODIES)


def send(player: Caller, path: str, body: bytes, **headers: str) -> tuple[int, str]:
    """The status and the code that a body gets."""
    headers = {"Content_Type": "application/json"} | headers
    answer = player.send("POST", path.format(table=UNKNOWN), body, **headers)
    return answer.status, answer.json["code"]


def test_every_post_is_tried(world: World) -> None:
    """The tests here know every POST of the document that is for players."""
    paths = {
        re.sub("(table|webhook)_id", "table", path).replace("{number}", "1")
        for path, item in world.contract.document["paths"].items()
        if "post" in item and not path.startswith("/v1/admin/")
    }

    assert set(BODIES) == paths


UNREADABLE = {
    "nested": b"[" * 20_000,
    "nested objects": b'{"a":' * 4_000,
    "nothing": b" ",
    "word": b"nul",
    "cut off": b'{"name": "Keola"',
    "two values": b"{} {}",
    "single quotes": b"{'name': 'Keola'}",
    "NaN": b'{"name": NaN}',
    "infinity": b'{"seats": Infinity}',
    "too large a number": b'{"seats": 1e999}',
    "too long a number": b'{"seats": ' + b"9" * 5_000 + b"}",
    "lone surrogate": b'{"name": "\\ud800"}',
    "lone surrogate as key": b'{"\\udfff": 1}',
    "invalid UTF-8": b'{"name": "\xff\xfe"}',
    "UTF-16": '{"name": "Keola"}'.encode("utf-16"),
    "raw control character": b'{"name": "a\x00b"}',
}


@pytest.mark.parametrize("path", POSTS)
@pytest.mark.parametrize("body", UNREADABLE.values(), ids=UNREADABLE)
def test_unreadable(keola: Caller, path: str, body: bytes) -> None:
    """What is no JSON is malformed."""
    assert (400, "malformed") == send(keola, path, body)


@pytest.mark.parametrize("path", POSTS)
@pytest.mark.parametrize("body", [b"3", b'"x"', b"null", b"true", b"[1]", b"[[]]"])
def test_no_object(keola: Caller, path: str, body: bytes) -> None:
    """A body that is no object has no good fields."""
    assert (422, "validation_failed") == send(keola, path, body)


@pytest.mark.parametrize("path", POSTS)
def test_unknown_fields(keola: Caller, path: str) -> None:
    """A field that the document does not name is refused by its name."""
    body = json.dumps(BODIES[path] | {"extra": 1}).encode()
    answer = keola.send("POST", path.format(table=UNKNOWN), body, Content_Type="application/json")

    assert (422, ["extra"]) == (answer.status, list(answer.json["errors"]))


JUNK: list[Any] = [
    *(None, True, False, 0, -1, 3.7, 1e300, 2**53, 10**30),
    *("", "x", "3", "true", "\x00", "😀", "a" * 10_000, "10H", "\uff11\uff10h", "Ah "),
    *([], [[]], [None], {}, {"a": 1}),
]


@pytest.mark.parametrize("path", POSTS)
def test_wrong_types(keola: Caller, path: str) -> None:
    """Every field refuses values of wrong types and out of bounds, by its name."""
    for field, good in BODIES[path].items():
        for junk in JUNK:
            answer = keola.post(path.format(table=UNKNOWN), BODIES[path] | {field: junk})
            if type(junk) is type(good) and answer.status != 422:
                continue
            optional = junk is None and field in (
                "seat",
                "invite_code",
                "discard",
                "bots_after_seconds",
                "rated",
            )
            told = (path, field, junk, answer.text[:200])
            assert optional or (422, [field]) == (answer.status, list(answer.json["errors"])), told


@pytest.mark.parametrize("field", ["seats", "ante", "buy_in", "turn_seconds", "deals"])
@pytest.mark.parametrize("junk", [3.7, 3.5e0, True, "3", -1, 10**18, 10**30, [3], {"a": 3}])
def test_numbers_are_whole(keola: Caller, field: str, junk: Any) -> None:
    """A number of chips, seats or seconds is whole and within bounds; nothing stands for it."""
    answer = keola.post("/v1/tables", {"seats": 2} | {field: junk})

    assert (422, [field]) == (answer.status, list(answer.json["errors"]))


@pytest.mark.parametrize(
    "rules",
    [
        {"ace_low": 1},
        {"ace_low": "true"},
        {"ace_low": None},
        {"first_dealer": True},
        {"first_dealer": "1"},
        {"first_dealer": 0},
        {"first_dealer": 1.5},
        {"max_reshuffles": 101},
        {"cut": "AUTO"},
        {"final_turns": None},
        {"unknown": 1},
        [],
        None,
    ],
)
def test_house_rules(keola: Caller, rules: Any) -> None:
    """A house rule takes its own values alone."""
    answer = keola.post("/v1/tables", {"seats": 2, "rules": rules})

    assert (422, ["rules"]) == (answer.status, list(answer.json["errors"]))


def test_duplicate_keys(anybody: Caller) -> None:
    """Of a key that comes twice the last value counts, as JSON readers have it."""
    body = b'{"name": "Keola", "name": "Pua"}'
    answer = anybody.send("POST", "/v1/players", body, Content_Type="application/json")

    assert (201, "Pua") == (answer.status, answer.json["name"])


@pytest.mark.parametrize("name", ["", "k" * 41, "a\nb", "a\n", "\x00", "\x7f"])
def test_names(anybody: Caller, name: str) -> None:
    """A name that is empty, too long or not one line is refused."""
    answer = anybody.post("/v1/players", {"name": name})

    assert (422, ["name"]) == (answer.status, list(answer.json["errors"]))


@pytest.mark.parametrize("path", POSTS)
def test_too_large(keola: Caller, path: str) -> None:
    """A body beyond the limit is refused as such, whatever is in it."""
    body = b'{"name": "' + b"a" * 300_000 + b'"}'

    assert (413, "too_large") == send(keola, path, body)


def keys(number: int, value: str = "1") -> str:
    """Members of an object that no schema knows."""
    return ",".join(f'"{n:x}":{value}' for n in range(number))


HOSTILE = {
    "many fields": ("/v1/players", "{" + keys(25_000) + "}"),
    "many fields of a hand": ("/v1/evaluate", "{" + keys(25_000) + "}"),
    "many house rules": ("/v1/tables", '{"seats": 2, "rules": {' + keys(25_000) + "}}"),
    "many bots": ("/v1/tables", '{"seats": 2, "bots": [' + "1," * 100_000 + "1]}"),
    "many bots of many fields": (
        "/v1/tables",
        '{"seats": 2, "bots": [' + ",".join(["{" + keys(90) + "}"] * 300) + "]}",
    ),
    "many cards": ("/v1/evaluate", '{"wild_rank": "7", "cards": [' + "1," * 100_000 + "1]}"),
    "many hands": ("/v1/evaluate", "[" + "1," * 100_000 + "1]"),
    "many empty hands": ("/v1/evaluate", "[" + "{}," * 999 + "{}]"),
    "many hands of many fields": ("/v1/evaluate", "[" + ("{" + keys(90) + "},") * 300 + "{}]"),
    "many hands of bad cards": (
        "/v1/evaluate",
        "[" + ",".join(['{"wild_rank": "7", "cards": [1, 2, 3, 4, 5, 6]}'] * 1_000) + "]",
    ),
    "a long name": ("/v1/players", '{"' + "a" * 250_000 + '": 1}'),
    "long names": (
        "/v1/players",
        '{"' + '": 1, "'.join(f"{n}" * 10_000 for n in "123456") + '": 1}',
    ),
    "a long text": ("/v1/tables", '{"seats": "' + "a" * 250_000 + '"}'),
    "a long card": ("/v1/tables/{table}/discard", '{"card": "' + "a" * 250_000 + '"}'),
    "deep in an unknown field": ("/v1/players", '{"x": ' + "[" * 900 + "]" * 900 + "}"),
}


@pytest.mark.parametrize(("path", "body"), HOSTILE.values(), ids=HOSTILE)
def test_much_that_is_wrong(keola: Caller, path: str, body: str) -> None:
    """However much is wrong with a body that is small enough, the answer is short."""
    assert len(body) < 256 * 1024
    answer = keola.send(
        "POST", path.format(table=UNKNOWN), body.encode(), Content_Type="application/json"
    )

    assert (422, "validation_failed") == (answer.status, answer.json["code"])
    assert 1 <= len(answer.json["errors"]) <= 20
    assert len(answer.raw) < 5_000


def test_many_parameters(anybody: Caller) -> None:
    """So it is with a query."""
    query = "&".join(f"{n:x}=1" for n in range(5_000))
    for path in ("/v1/tables", f"/v1/tables/{UNKNOWN}/events"):
        answer = anybody.get(f"{path}?{query}")
        assert (422, ["_schema"]) == (answer.status, list(answer.json["errors"]))
        assert 422 == anybody.get(f"{path}?" + "limit=1&" * 5_000 + "extra=1").status


@pytest.mark.parametrize("path", POSTS)
@pytest.mark.parametrize(
    "kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "", "json"]
)
def test_wrong_content_type(keola: Caller, path: str, kind: str) -> None:
    """A body that does not call itself JSON is not read."""
    body = json.dumps(BODIES[path]).encode()

    assert (415, "unsupported_media_type") == send(keola, path, body, Content_Type=kind)


@pytest.mark.parametrize("kind", ["application/json; charset=utf-8", "application/problem+json"])
def test_content_types(anybody: Caller, kind: str) -> None:
    """JSON by any of its names is read."""
    body = b'{"name": "Keola"}'

    assert 201 == anybody.send("POST", "/v1/players", body, Content_Type=kind).status


CLAIMS = {"sub": "01M5W0N3S8A2PZK0Q4H7J6R9TB", "name": "Keola", "kind": "human"}


def token(claims: Json, secret: str = SECRET, algorithm: str = "HS256") -> str:
    """A token with any claims."""
    return jwt.encode(claims, secret, algorithm)


TOKENS = {
    "alg none": f"Bearer {jwt.encode(CLAIMS, '', 'none')}",
    "other secret": f"Bearer {token(CLAIMS, 'somebody else entirely, 32 characters')}",
    "other algorithm": f"Bearer {token(CLAIMS, SECRET * 2, 'HS512')}",
    "same secret, other algorithm": f"Bearer {token(CLAIMS, SECRET + ' ' * 64, 'HS384')}",
    "no subject": f"Bearer {token({'name': 'Keola', 'kind': 'human'})}",
    "no name": f"Bearer {token({'sub': 'x', 'kind': 'human'})}",
    "no kind": f"Bearer {token({'sub': 'x', 'name': 'Keola'})}",
    "name is a number": f"Bearer {token(CLAIMS | {'name': 5})}",
    "name is an object": f"Bearer {token(CLAIMS | {'name': {'a': 1}})}",
    "kind is a list": f"Bearer {token(CLAIMS | {'kind': ['human']})}",
    "kind is the house's": f"Bearer {token(CLAIMS | {'kind': 'house_bot'})}",
    "expired": f"Bearer {token(CLAIMS | {'exp': 1})}",
    "garbled": f"Bearer {token(CLAIMS)[:-4]}abcd",
    "three parts of nothing": "Bearer ..",
    "no token": "Bearer",
    "blanks": "Bearer    ",
    "another scheme": "Basic a2VvbGE6cHVh",
    "empty": "",
    "not ASCII": "Bearer ünïcödé.ü.ü",
    "very long": "Bearer " + "a" * 100_000,
    "long parts": "Bearer " + ".".join(["YWFh" * 5_000] * 3),
    "deep": "Bearer " + jwt.utils.base64url_encode(b"[" * 20_000).decode() + ".e30.e30",
}


@pytest.mark.parametrize("header", TOKENS.values(), ids=TOKENS)
def test_foreign_tokens(anybody: Caller, header: str) -> None:
    """A token that is not one of ours is refused, also where none is needed."""
    for path in ("/v1/me", "/v1/tables", f"/v1/tables/{UNKNOWN}", "/v1/rules"):
        answer = anybody.get(path, Authorization=header)
        assert (401, "unauthenticated") == (answer.status, answer.json["code"])
        assert answer.headers["www-authenticate"].startswith("Bearer")


def test_subject_is_text(anybody: Caller) -> None:
    """A token whose subject is no text is not one of ours."""
    header = f"Bearer {jwt.api_jws.encode(json.dumps(CLAIMS | {'sub': 5}).encode(), SECRET)}"

    assert 401 == anybody.get("/v1/me", Authorization=header).status


@pytest.mark.parametrize("path", [path for path in POSTS if path.startswith("/v1/tables")])
def test_no_token(anybody: Caller, path: str) -> None:
    """Every command at a table needs a token, before anything else is said of it."""
    assert (401, "unauthenticated") == send(anybody, path, b"{}")
    assert (401, "unauthenticated") == send(anybody, path, b"[" * 20_000)


def test_scheme_in_any_case(keola: Caller) -> None:
    """The scheme's name may be written in any case (RFC 9110)."""
    header = f"bEARER  {keola.account['token']} "

    assert 200 == keola.get("/v1/me", Authorization=header).status


@pytest.mark.parametrize(
    ("spelled", "card"),
    [("10h", "Th"), ("10H", "Th"), ("th", "Th"), ("T♥", "Th"), ("10♥️", "Th"), ("a♠", "As")],
)
def test_spellings_of_cards(
    world: World, two_seated: Json, keola: Caller, spelled: str, card: str
) -> None:
    """A card is taken in every accepted spelling, and answered in the canonical one."""
    hands = {1: f"{card} 3c 4d 5h 6s", 2: "3d 4h 5s 6c 7d"}
    world.put_deal(two_seated["id"], position(hands, wild="2c", pile="9c"))
    keola.did(two_seated["id"], "draw", {"from": "stock"})

    after = keola.did(two_seated["id"], "discard", {"card": spelled})
    assert card == after["deal"]["discard_top"]


@pytest.mark.parametrize(
    "text",
    [
        "\uff11\uff10h",
        "1h",
        "0h",
        "T\u0445",
        "T",
        "hT",
        "Th ",
        " Th",
        "TTh",
        "100h",
        "T♥♥",
        "\x00",
        "T♡♡",
    ],
)
def test_no_cards(keola: Caller, text: str) -> None:
    """What only resembles a card is none."""
    for action, field in (("discard", "card"), ("call", "discard")):
        answer = keola.do(UNKNOWN, action, {field: text})
        assert (422, [field]) == (answer.status, list(answer.json["errors"]))


TABLE_IDS = {
    "dots": "..%2f",
    "slashes": "%2f%2f",
    "long": "a" * 10_000,
    "emoji": "%F0%9F%98%80",
    "null": "%00",
    "newline": "%0d%0aX-Evil: 1",
    "surrogate": "%ed%a0%80",
    "bad UTF-8": "%ff%fe",
    "pattern": "*",
    "hash tag": "%7Bt0%7D",
    "braces": "{0}",
    "lower case": UNKNOWN.lower(),
    "number": "1",
    "colon": "a:b:c",
}


@pytest.mark.parametrize("table", TABLE_IDS.values(), ids=TABLE_IDS)
def test_unknown_tables(keola: Caller, table: str) -> None:
    """A table that there is not is not found, however it is spelled."""
    root = f"/v1/tables/{table}"
    for path in (root, f"{root}/events", f"{root}/deals", f"{root}/deals/1", f"{root}?wait=1"):
        assert "not_found" == keola.get(path).json["code"]
    for path, body in BODIES.items():
        if "{table}" in path:
            answer = keola.post(path.format(table=table), body)
            assert "not_found" == answer.json["code"], path
    assert "not_found" == keola.delete(f"{root}/bots/1").json["code"]
    assert {"items": [], "next": None} == keola.get("/v1/me/tables").json


@pytest.mark.parametrize("table", [one for one in TABLE_IDS.values() if len(one) < 100])
def test_unknown_tables_of_the_real_store(over_http: Caller, table: str) -> None:
    """The real store takes no weird name for a table or a key of its own either."""
    player = over_http.sign_up()
    root = f"/v1/tables/{table}".replace(" ", "%20")
    for path in (root, f"{root}/events", f"{root}/deals", f"{root}/deals/1"):
        assert "not_found" == player.get(path).json["code"]
    assert "not_found" == player.post(f"{root}/join", {}).json["code"]
    assert "not_found" == player.post(f"{root}/draw", {"from": "stock"}).json["code"]
    assert {"items": [], "next": None} == player.get("/v1/me/tables").json


@pytest.mark.parametrize("seat", ["0", "-1", "1.5", "x", "6", "9" * 400, "%20"])
def test_seats_of_no_bot(keola: Caller, seat: str) -> None:
    """A seat that is no number, or nobody's, is not found."""
    table = keola.create(start_when="host")["id"]

    assert "not_found" == keola.delete(f"/v1/tables/{table}/bots/{seat}").json["code"]


@pytest.mark.parametrize(
    "query",
    [
        "extra=1",
        "limit=0",
        "limit=101",
        "limit=x",
        "limit=3.7",
        "limit=",
        "limit=true",
        "limit=1_0",
        "limit=%EF%BC%95",
        "limit=%2B5",
        "limit=" + "9" * 5_000,
        "open_seats=-1",
        "open_seats=6",
        "max_ante=-1",
        "max_ante=1e3",
        "status=closed",
        "status=",
        "cursor=",
        "cursor=" + "a" * 65,
    ],
)
def test_lobby_queries(anybody: Caller, query: str) -> None:
    """A query parameter that is unknown, or not as it should be, is refused by its name."""
    answer = anybody.get(f"/v1/tables?{query}")

    assert (422, [query.partition("=")[0]]) == (answer.status, list(answer.json["errors"]))


@pytest.mark.parametrize("cursor", ["%00", "%F0%9F%98%80", "%ff", "(", "%2B", "-", "zzz", "0"])
def test_any_cursor(anybody: Caller, over_http: Caller, cursor: str) -> None:
    """A cursor that no page gave gives some page, or none, and no fault."""
    for caller in (anybody, over_http):
        assert caller.get(f"/v1/tables?cursor={cursor}").status in (200, 422)


@pytest.mark.parametrize(
    "query", ["wait=31", "wait=-1", "wait=x", "after=-1", "after=1e3", "after=" + "9" * 30, "x=1"]
)
def test_event_queries(two_seated: Json, keola: Caller, query: str) -> None:
    """So are those of the events, and of the view."""
    answer = keola.get(f"/v1/tables/{two_seated['id']}/events?{query}")

    assert (422, [query.partition("=")[0]]) == (answer.status, list(answer.json["errors"]))
    assert 422 == keola.get(f"/v1/tables/{two_seated['id']}?{query}").status


def test_wrong_methods(world: World, keola: Caller) -> None:
    """A method that an address does not take is refused, with those that it does take."""
    for template, item in world.contract.document["paths"].items():
        path = template.replace("{table_id}", UNKNOWN).replace("{seat}", "1")
        path = path.replace("{number}", "1")
        taken = {name.upper() for name in item if name != "parameters"}
        for method in {"GET", "POST", "PUT", "PATCH", "DELETE"} - taken:
            caller = world.operator if path.startswith("/v1/admin/") else keola
            answer = caller.send(method, path)
            assert (405, "method_not_allowed") == (answer.status, answer.json["code"])
            assert taken <= set(answer.headers["allow"].split(", "))


@pytest.mark.parametrize(
    "path",
    ["/v2/tables", "/v1", "/v1/", "/v1/table", "/v1/tables/", "/robots.txt", "/.git/config"],
)
@pytest.mark.parametrize("method", ["GET", "POST", "DELETE"])
def test_unknown_paths(keola: Caller, path: str, method: str) -> None:
    """There is nothing at any other address, whatever is sent there."""
    answer = keola.send(method, path, b"x" if method == "POST" else b"", Content_Type="text/plain")

    assert (404, "not_found") == (answer.status, answer.json["code"])


def test_over_http(over_http: Caller) -> None:
    """The real service refuses as the application does."""
    player = over_http.sign_up()
    table = player.create(start_when="host")["id"]
    draw = f"/v1/tables/{table}/draw"

    assert (400, "malformed") == send(player, draw, b"[" * 20_000)
    assert (413, "too_large") == send(player, draw, b" " * 300_000 + b"{}")
    assert (415, "unsupported_media_type") == send(player, draw, b"{}", Content_Type="text/plain")
    assert (422, "validation_failed") == send(player, draw, b'{"from": "stock", "x": 1}')
    assert (401, "unauthenticated") == send(player, draw, b"{}", Authorization="Bearer x.y.z")
    assert (401, "unauthenticated") == send(player, draw, b"{}", Authorization="Bearer \xfc")
    assert (405, "method_not_allowed") == (
        (answer := player.send("PUT", draw)).status,
        answer.json["code"],
    )
    assert "not_found" == player.get("/v2").json["code"]
    assert "stale_version" == player.refused(table, "leave", If_Match='"77"')["code"]


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=20)
    | st.sampled_from(["Ah", "10h", "7", "stock", "easy", "human"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner),
    max_leaves=8,
)
WORLD = World()


@pytest.mark.parametrize("path", POSTS)
def test_any_json(path: str) -> None:
    """Whatever JSON a POST gets, in its own fields or in others, the answer is as documented."""
    player = WORLD.player()
    table = player.create(start_when="host")["id"]
    fields = st.fixed_dictionaries({}, optional=dict.fromkeys(BODIES[path], JSON))

    @settings(
        max_examples=15,
        deadline=None,
        database=None,
        derandomize=True,
        suppress_health_check=[HealthCheck.too_slow],
    )
    @given(body=JSON | fields)
    def try_it(body: Any) -> None:
        text = json.dumps(body).encode("utf-8", "surrogatepass")
        answer = player.send(
            "POST", path.format(table=table), text, Content_Type="application/json"
        )
        assert answer.status < 500

    try_it()


@pytest.mark.parametrize("path", POSTS)
def test_any_bytes(path: str) -> None:
    """Whatever bytes a POST gets, the answer is as documented."""
    player = WORLD.player()

    @settings(max_examples=15, deadline=None, database=None, derandomize=True)
    @given(body=st.binary(max_size=64), kind=st.sampled_from(["application/json", "text/html"]))
    def try_it(body: bytes, kind: str) -> None:
        answer = player.send("POST", path.format(table=UNKNOWN), body, Content_Type=kind)
        assert answer.status < 500

    try_it()
