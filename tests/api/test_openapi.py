"""The OpenAPI document, which clients are generated from."""

import json
from pathlib import Path
from typing import Any

import pytest
from openapi_spec_validator import validate

from service.api.description import description
from service.api.problems import PROBLEMS
from service.api.schemas import admin, answers, deals
from service.api.schemas.common import Answer
from service.config import Config
from service.engine import errors as engine_errors
from service.engine.errors import PaiuteError
from service.store import base
from service.tables import errors as table_errors
from tests.api.contract import PROBLEM_JSON, Json, operations, takes_token
from tests.api.test_play import play_deal
from tests.api.world import SECRET, World

COMMITTED = Path(__file__).parents[2] / "openapi" / "openapi.json"
EVERYWHERE = {"400", "401", "404", "405", "413", "500", "503"}
OPERATIONS = {
    "createPlayer getMe listMyTables createTable listTables getTable joinTable leaveTable "
    "startTable addBot removeBot cutDeck drawCard discardCard callHand listEvents listDeals "
    "getDeal evaluateHands getRules getLiveness getReadiness"
}


@pytest.fixture
def document(world: World) -> Json:
    """The document that is served."""
    return world.contract.document


def test_valid(document: Json) -> None:
    """The document is valid OpenAPI 3.1."""
    validate(document)

    assert document["openapi"].startswith("3.1.")


def test_committed(document: Json) -> None:
    """The committed document is the one that is served; `make openapi` writes it anew."""
    committed = json.loads(COMMITTED.read_text())
    usual = description(Config(SECRET, "unused"))

    assert document | {"info": document["info"] | {"description": usual}} == committed


def test_limits(document: Json) -> None:
    """The introduction has the limits by the settings of the service."""
    settings = Config(SECRET, "unused", play_per_second=7, play_burst=11, max_tables=3)
    told, usual = description(settings), settings.budget("lobby")

    assert "\n- `play`: 11 requests at once, and 7 a second after that\n" in told
    assert f"\n- `lobby`: {usual[1]} requests at once, and {usual[0]} a second after that\n" in told
    assert "\n- tables that a player is at, or is host of: 3\n" in told
    assert "\n- `play`: no limit\n" in document["info"]["description"]


def test_operations(document: Json) -> None:
    """Every operation that clients may rely on is there, under its own id."""
    ids = [
        operation["operationId"]
        for item in document["paths"].values()
        for operation in item.values()
        if isinstance(operation, dict)
    ]

    assert len(set(ids)) == len(ids)
    assert set(" ".join(OPERATIONS).split()) <= set(ids)


def test_told(document: Json) -> None:
    """Every operation has a summary and a tag, every body an example."""
    for name, operation in operations(document).items():
        assert operation["summary"], name
        assert operation["tags"], name
        body = operation.get("requestBody")
        if body is not None and body.get("required", False):
            assert "example" in body["content"]["application/json"], name
        success = next(v for k, v in operation["responses"].items() if k.startswith("2"))
        assert "204" in operation["responses"] or "application/json" in success["content"], name


def test_examples_fit(world: World, document: Json) -> None:
    """Every example fits the schema that it stands beside."""
    found = 0
    for operation in operations(document).values():
        bodies = [operation.get("requestBody", {}), *operation["responses"].values()]
        for media in (m for body in bodies for m in body.get("content", {}).values()):
            judge = world.contract.validator(media["schema"])
            shown = [media["example"]] if "example" in media else []
            shown += [one["value"] for one in media.get("examples", {}).values()]
            found += len(shown)
            assert [] == [fault.message for one in shown for fault in judge(one)]
    assert found > 100


def test_error_answers(document: Json) -> None:
    """Every operation names every error that it may answer with, by code, as problem+json."""
    for name, operation in operations(document).items():
        refusals = {k: v for k, v in operation["responses"].items() if k >= "4"}
        expected = EVERYWHERE | ({"415"} if operation["method"] == "post" else set())
        assert expected <= set(refusals), name
        for status, refusal in refusals.items():
            assert [PROBLEM_JSON] == list(refusal["content"]), (name, status)
            codes = list(refusal["content"][PROBLEM_JSON]["examples"])
            assert codes, (name, status)
            assert {int(status)} == {PROBLEMS[code].status for code in codes}, (name, status)


def test_come_again(document: Json) -> None:
    """Whatever costs something may be refused for it, and then says when to come again."""
    for name, operation in operations(document).items():
        free = name in ("getLiveness", "getReadiness") or operation["tags"] == ["admin"]
        assert free is ("429" not in operation["responses"]), name
        for status in {"429", "503"} & set(operation["responses"]):
            assert ["Retry-After"] == list(operation["responses"][status]["headers"]), name


def test_commands_name_their_refusals(document: Json) -> None:
    """Commands at a table may be refused by version (412), and by their body (422)."""
    for name, operation in operations(document).items():
        at_a_table = operation["path"].startswith("/v1/tables/{table_id}/")
        if at_a_table and operation["method"] != "get" and name != "openDeal":
            refusals = {"412", "422"} if "requestBody" in operation else {"412"}
            assert refusals <= set(operation["responses"]), name
            assert "If-Match" in [one["name"] for one in operation["parameters"]], name


def test_security(document: Json) -> None:
    """What needs a token says so, and what does not takes one all the same."""
    assert {"type": "http", "scheme": "bearer"}.items() <= (
        document["components"]["securitySchemes"]["bearer"].items()
    )
    needs = {name for name, one in operations(document).items() if takes_token(one)}
    assert {"getMe", "createTable", "joinTable", "drawCard", "removeBot"} <= needs
    assert not {"createPlayer", "listTables", "getTable", "listEvents", "getRules"} & needs


def test_every_code_is_documented(document: Json) -> None:
    """Every code that the service may answer with stands in the document."""
    told = {
        code
        for operation in operations(document).values()
        for answer in operation["responses"].values()
        for code in answer.get("content", {}).get(PROBLEM_JSON, {}).get("examples", {})
    }

    assert set(PROBLEMS) == told


def test_every_refusal_has_a_problem() -> None:
    """Every class of refusal has a code with a status and a title, and hardly any shares one."""
    refusals = [one for one in subclasses(PaiuteError) if hasattr(one, "code")]
    assert {engine_errors.PileEmpty, table_errors.TableFull, base.NotFound} <= set(refusals)

    codes = {one.code for one in refusals}
    assert codes <= set(PROBLEMS)
    by_http_alone = {
        "malformed",
        "method_not_allowed",
        "too_large",
        "unsupported_media_type",
        "internal",
    }
    assert set(PROBLEMS) - by_http_alone == codes


def subclasses(kind: type[PaiuteError]) -> set[type[PaiuteError]]:
    """Every class of this kind."""
    below = kind.__subclasses__()
    return set(below).union(*map(subclasses, below))


def test_views_are_what_the_schemas_say(world: World) -> None:
    """What views make and what schemas describe have the very same fields, at every stage."""
    players = [world.player("Keola"), world.player("Pua")]
    table = players[0].create(seats=3, turn_seconds=0, bots=[{"level": "easy"}])["id"]
    stages = [players[0].view(table)]
    players[1].did(table, "join", {})
    stages.append(players[0].view(table))
    play_deal(world, players, table)
    stages.append(players[0].view(table))

    for view in stages:
        same_fields(answers.TableOut(), view)
    for path, schema in (
        ("/v1/tables", answers.LobbyPage()),
        ("/v1/me", answers.OwnAccountOut()),
        ("/v1/me/tables", answers.OwnTablesPage()),
        (f"/v1/tables/{table}/events", answers.EventsPage()),
        (f"/v1/tables/{table}/deals", answers.DealsPage()),
        (f"/v1/tables/{table}/deals/1", deals.DealRecordOut()),
        (f"/v1/tables/{table}/deals/1/view?seat=1", deals.PastViewOut()),
        (f"/v1/tables/{table}/deals/1/proof", deals.ProofOut()),
        ("/v1/rules", answers.RulesOut()),
        ("/healthz", answers.HealthOut()),
    ):
        same_fields(schema, players[0].get(path).json)
    for path, answer in (
        ("/v1/admin/tables", admin.AdminTablesPage()),
        (f"/v1/admin/players/{players[0].id}", admin.AdminPlayerOut()),
        ("/v1/admin/queues", admin.QueuesOut()),
    ):
        same_fields(answer, world.operator.get(path).json)
    same_fields(answers.NewAccountOut(), players[0].account)
    assert stages[-1]["deal"]["result"]


def same_fields(schema: Any, body: Any) -> None:
    """Fail unless an answer has the fields of its schema, all of them and no others."""
    if not isinstance(schema, Answer) or body is None:
        return
    names = {field.data_key or name: field for name, field in schema.fields.items()}
    assert set(names) == set(body), type(schema).__name__
    for name, field in names.items():
        inner = getattr(field, "inner", None)
        if inner is not None:
            for one in body[name] or ():
                same_fields(getattr(inner, "schema", None), one)
        else:
            same_fields(getattr(field, "schema", None), body[name])


def test_real_service_serves_the_same(document: Json, over_http: Any) -> None:
    """The real service serves the very document that the code makes."""
    assert document == over_http.contract.document
