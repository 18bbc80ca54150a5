"""Texts for people come in the caller's language, over HTTP, and cost nothing elsewhere."""

import threading
from collections.abc import Iterator
from functools import cache
from typing import Any, NoReturn

import pytest
import requests
from werkzeug.serving import WSGIRequestHandler, make_server

from service.api import create_app, languages
from service.api.languages import LANGUAGES, Phrase
from service.api.problems import PROBLEMS
from service.engine.errors import PaiuteError
from service.locale.catalogues import read
from tests.api.contract import Json
from tests.api.world import UNLIMITED, Caller, World

TRANSLATED = LANGUAGES[1:]
UNKNOWN = "01M5W0N3S84E9WQ2J5R7K1X6ZC"
TEXT = "It is the turn of seat {turn}: wait for yours."


@cache
def catalogue(language: str) -> dict[str, str]:
    """The translations of a language by their texts; of English the texts themselves."""
    found = {str(one.id): str(one.string) for one in read(TRANSLATED[0]) if one.id}
    if language == "en":
        return {text: text for text in found}
    return {str(one.id): str(one.string) for one in read(language) if one.id}


class KeptAlive(WSGIRequestHandler):
    """Connections that live on, so that many requests are quick."""

    protocol_version = "HTTP/1.1"

    def log(self, *_: Any) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def refusing() -> Iterator[str]:
    """The address of an API, over real HTTP, that refuses with every code, as it is asked to."""
    app = create_app(UNLIMITED, World().game)

    @app.get("/refuse/<code>")
    def refuse(code: str) -> NoReturn:
        error = PaiuteError(TEXT, turn=3)
        error.code = code
        raise error

    server = make_server("127.0.0.1", 0, app, threaded=True, request_handler=KeptAlive)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.port}"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_code(refusing: str, language: str) -> None:
    """Each code has its title and its detail in each language."""
    with requests.Session() as http:
        for code, kind in PROBLEMS.items():
            wish = {"Accept-Language": language}
            with http.get(f"{refusing}/refuse/{code}", headers=wish) as answer:
                said = answer.json()
                assert (kind.status, code) == (answer.status_code, said["code"])
                assert catalogue(language)[kind.title] == said["title"]
                assert catalogue(language)[TEXT].format(turn=3) == said["detail"]
                assert language == answer.headers["Content-Language"]
                assert "Accept-Language" in answer.headers["Vary"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_real_service(over_http: Caller, language: str) -> None:
    """The real service, as it is started, has the catalogues too."""
    said = catalogue(language)
    gone = over_http.get(f"/v1/tables/{UNKNOWN}", Accept_Language=language).json
    assert said["There is no table {id}."].format(id=UNKNOWN) == gone["detail"]

    wrong = over_http.post("/v1/players", {"name": "", "kind": "god", "x": 1, "y": 2})
    assert "en" == wrong.headers["content-language"]
    wrong = over_http.post(
        "/v1/players", {"name": "", "kind": "god", "x": 1}, Accept_Language=language
    )
    assert {
        "name": [
            said["The number of characters has to be from {min} to {max}."].format(min=1, max=40)
        ],
        "kind": [said["This takes one of: {choices}."].format(choices="human, bot")],
        "x": [said["No such field."]],
    } == wrong.json["errors"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_flask_refuses(anybody: Caller, language: str) -> None:
    """So have those that the framework finds, with their facts."""
    said = catalogue(language)
    sent = anybody.send("PUT", "/v1/rules", Accept_Language=language)
    allowed = said["This address takes: {allowed}."].format(allowed=sent.headers["allow"])
    assert allowed == sent.json["detail"]

    missing = anybody.get("/there/is/nothing", Accept_Language=language)
    assert (
        said["There is nothing at this address; `/docs` lists what there is."]
        == (missing.json["detail"])
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_fields(keola: Caller, language: str) -> None:
    """What is said of fields is translated however deep they lie, with what they take."""
    said = catalogue(language)
    body = {"seats": 9, "ante": "x", "rules": {"cut": 1}, "bots": [{"level": "god"}] * 6}
    errors = keola.post("/v1/tables", body, Accept_Language=language).json["errors"]
    most = said["Too many entries; the most: {max}."].format(max=5)
    assert [said["This takes a number from {min} to {max}."].format(min=2, max=5)] == errors[
        "seats"
    ]
    assert [said["This has to be a whole number."]] == errors["ante"]
    assert [said["This has to be a text."]] == errors["rules"]["cut"]
    assert [most] == errors["bots"]

    hand = {"wild_rank": "7", "cards": ["1c"] * 5}
    errors = keola.post("/v1/evaluate", hand, Accept_Language=language).json["errors"]
    not_a_card = said["{text} is no card: write rank, then suit, like 'As', '10d' or '7♣'."]
    assert [not_a_card.format(text="'1c'")] == errors["cards"]["0"]


@pytest.mark.parametrize(
    ("wish", "language"),
    [
        ("", "en"),
        ("it", "it"),
        ("IT", "it"),
        ("it-CH, en;q=0.9", "it"),
        ("uk_UA", "uk"),
        ("de, fr;q=0.9, cy;q=0.2", "cy"),
        ("en;q=0.3, ne;q=0.7, it;q=0.5", "ne"),
        ("tl-PH", "fil"),
        ("fil", "fil"),
        ("de", "en"),
        ("*", "en"),
        ("*, it;q=0.1", "it"),
        ("it;q=0", "en"),
        ("it;q=0, uk;q=0.001", "uk"),
        ("en-US;q=0", "en"),
        ("it;q=nonsense, uk", "uk"),
        ("it;q=7", "en"),
        (",,;;==, it", "it"),
        ("i", "en"),
        ("../../etc/passwd", "en"),
        ("\x7f\xe9\xff", "en"),
        ("x" * 5_000, "en"),
        ("it;q=" + "9" * 5_000, "en"),
        (", ".join(f"x{n}" for n in range(1_000)), "en"),
        ("it, " * 1_200, "it"),
        ('"' * 5_000, "en"),
    ],
)
def test_whatever_is_wished_for(anybody: Caller, wish: str, language: str) -> None:
    """The heaviest wish that we have wins, English where there is none; nothing is a fault."""
    refused = anybody.get(f"/v1/tables/{UNKNOWN}", Accept_Language=wish)
    assert (404, language) == (refused.status, refused.headers["content-language"])

    rules = anybody.get("/v1/rules", Accept_Language=wish)
    assert (200, language) == (rules.status, rules.json["language"])
    assert language == rules.headers["content-language"]


def test_rules_can_be_cached(anybody: Caller) -> None:
    """Caches may keep the rules, by language, and ask by ETag whether they are still the same."""
    etags = set()
    for language in LANGUAGES:
        answer = anybody.get("/v1/rules", Accept_Language=language)
        assert "public, max-age=3600" == answer.headers["cache-control"]
        assert "Accept-Language" == answer.headers["vary"]
        etag = answer.headers["etag"]
        etags.add(etag)
        again = anybody.get("/v1/rules", Accept_Language=language, If_None_Match=etag)
        assert (304, b"", etag) == (again.status, again.raw, again.headers["etag"])
    assert len(LANGUAGES) == len(etags)


@pytest.mark.parametrize("language", TRANSLATED)
def test_all_rules_are_translated(anybody: Caller, language: str) -> None:
    """Every text of the rules is another than in English; names of programs are the same."""
    english = anybody.get("/v1/rules").json
    other = anybody.get("/v1/rules", Accept_Language=language).json
    known = catalogue(language)

    for ours, theirs in zip(leaves(english), leaves(other), strict=True):
        if isinstance(ours, str) and ours in known:
            assert known[ours] == theirs
        elif isinstance(ours, str) and ours.startswith("The player in seat "):
            assert known["The player in seat {seat}."].format(seat=ours[-2]) == theirs
        elif isinstance(ours, str) and " of " in ours:
            assert ours != theirs
        elif ours != "en":
            assert ours == theirs


def leaves(value: Any) -> Iterator[Any]:
    """All texts and numbers in an answer, in order."""
    if isinstance(value, dict):
        value = list(value.values())
    if not isinstance(value, list):
        yield value
        return
    for item in value:
        yield from leaves(item)


@pytest.mark.parametrize("language", LANGUAGES)
def test_cards_have_names(anybody: Caller, language: str) -> None:
    """Every card has a name of its own, and so have ranks and suits."""
    cards: Json = anybody.get("/v1/rules", Accept_Language=language).json["cards"]

    assert 52 == len({one["card"] for one in cards["deck"]}) == len(names(cards["deck"]))
    assert 13 == len({one["rank"] for one in cards["ranks"]}) == len(names(cards["ranks"]))
    assert 4 == len({one["suit"] for one in cards["suits"]}) == len(names(cards["suits"]))


def names(items: list[Json]) -> set[str]:
    """The names in a list, each once."""
    return {item["name"] for item in items}


def test_a_card_is_called(anybody: Caller) -> None:
    """The ace of hearts is called what players call it."""
    called = {}
    for language in LANGUAGES:
        deck = anybody.get("/v1/rules", Accept_Language=language).json["cards"]["deck"]
        called[language] = next(one["name"] for one in deck if one["card"] == "Ah")
    assert {
        "en": "ace of hearts",
        "fil": "alas ng puso",
        "it": "asso di cuori",
        "uk": "туз чирв",
        "ne": "पानको एक्का",
        "cy": "âs y calonnau",
    } == called


def test_an_answer_given_again(keola: Caller) -> None:
    """A kept answer comes again in the language that it was first given in, and says so."""
    first, again = (
        keola.do(UNKNOWN, "leave", Idempotency_Key="once", Accept_Language=wish)
        for wish in ("it", "uk")
    )
    assert (first.status, first.raw, "it") == (
        again.status,
        again.raw,
        again.headers["content-language"],
    )


def test_a_move_costs_nothing(keola: Caller, two_seated: Json) -> None:
    """An answer without texts for people does not even look at what language is wished for."""
    before = languages._best.cache_info()
    view = keola.did(two_seated["id"], "cut", {"position": 3}, Accept_Language="it;q=0.77")
    keola.did(two_seated["id"], "draw", {"from": "stock"}, Accept_Language="it;q=0.77")
    assert "draw" == view["deal"]["phase"]
    assert before == languages._best.cache_info()


def test_a_phrase_keeps_its_facts() -> None:
    """A text that is filled in reads as such, and still knows what it was made of."""
    phrase = Phrase("At most {most}.").format(most=3)
    assert ("At most 3.", "At most {most}.", {"most": 3}) == (
        phrase,
        phrase.template,
        phrase.facts,
    )
