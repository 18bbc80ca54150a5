"""The documents say what is so: their programs run, and what they list is all there is."""

import json
import re
import subprocess
import sys
import tomllib
from dataclasses import fields
from itertools import chain
from pathlib import Path

import pytest

from service.api.problems import MOST_ERRORS, PROBLEMS
from service.api.schemas.common import MOST_FIELDS
from service.api.schemas.requests import MOST_HANDS
from service.config import BUDGETS, Config
from service.store import invitations
from service.store.tokens import MOST_TOKENS
from service.store.webhooks import MOST_WEBHOOKS
from service.tables.events import EVENT_TYPES
from tests.api.contract import takes_token
from tests.support.busy import busy
from tests.support.client import Client, Json
from tests.support.processes import RunningService

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text()
API = (ROOT / "docs/api.md").read_text()
DOCUMENTS = sorted(
    {path for pattern in ("*.md", "docs/*.md", "bench/*.md") for path in ROOT.glob(pattern)}
)
METHODS = {"get", "put", "post", "delete", "patch"}
OWN_URL = "http://127.0.0.1:8000"
FENCE = re.compile(r"^```\w*\n.*?^```$", re.DOTALL | re.MULTILINE)


def block(language: str) -> str:
    """The README's one program in a language."""
    (program,) = re.findall(rf"^```{language}\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)
    return str(program)


def section(document: str, title: str) -> str:
    """What stands under a heading, down to the next one of its level or a higher one."""
    _, _, rest = document.partition(f"\n## {title}\n")
    return rest.partition("\n## ")[0]


def documented_operations(service: RunningService) -> dict[tuple[str, str], Json]:
    """The operations of the document that a service gives out."""
    client = Client(service.url)
    paths = client.http.get(f"{service.url}/openapi.json").json()["paths"]
    client.close()
    return {
        (method.upper(), path): operation
        for path, operations in paths.items()
        for method, operation in operations.items()
        if method in METHODS
    }


def test_the_deal_with_curl_plays_out(service: RunningService) -> None:
    """The README's shell program, as it stands, plays a deal to its payout."""
    script = block("sh")
    assert OWN_URL in script

    ran = subprocess.run(
        ["sh", "-eu", "-c", script.replace(OWN_URL, service.url)],
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )

    assert (0, "") == (ran.returncode, ran.stderr)
    assert '"reason": ' in ran.stdout.splitlines()[-1]


def test_the_bot_measures_itself(service: RunningService) -> None:
    """The README's bot plays a sandbox match, and prints its share with the interval."""
    ran = run_bot(service.url, "4", "easy")

    assert (0, "") == (ran.returncode, ran.stderr)
    match = json.loads(ran.stdout)
    assert ("over", 2) == (match["status"], match["blocks"])
    assert match["low"] <= match["share"] <= match["high"]


def test_the_bot_comes_again_where_it_was_too_fast(service: RunningService) -> None:
    """The README's bot sends what was answered with 429 again, after the time that this names."""
    with busy(service.url) as (url, put_off):
        ran = run_bot(url, "2", "easy")

    assert 0 == ran.returncode, ran.stderr
    assert len(put_off) > 3


@pytest.mark.parametrize(
    "arguments", [(), ("http://127.0.0.1:8000",), ("http://127.0.0.1:8000", "9")]
)
def test_the_bot_says_how_to_use_it(arguments: tuple[str, ...]) -> None:
    """The README's bot with too few arguments says which ones it takes, and ends with 1."""
    example = str(ROOT / "examples/bot.py")
    ran = subprocess.run(
        [sys.executable, example, *arguments], capture_output=True, text=True, check=False
    )

    assert 1 == ran.returncode
    assert ran.stderr.endswith("python examples/bot.py URL DEALS LEVEL...\n")
    assert "Traceback" not in ran.stderr


def run_bot(*arguments: str) -> subprocess.CompletedProcess[str]:
    """The README's bot, run to its end."""
    return subprocess.run(
        [sys.executable, "-c", block("python"), *arguments],
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )


def test_the_bot_is_the_example_and_short() -> None:
    """The README shows examples/bot.py literally, and it has under 30 lines."""
    example = (ROOT / "examples/bot.py").read_text()

    assert block("python") == example
    assert len(example.splitlines()) < 30


def test_the_readme_lists_every_operation(service: RunningService) -> None:
    """The README's table has exactly the operations of the served document."""
    rows = re.findall(r"^\| ([A-Z]+) \| `(/\S*)` \|", section(README, "The API"), re.MULTILINE)

    assert sorted(documented_operations(service)) == sorted(rows)


def test_a_game_takes_the_calls_that_the_readme_begins_with(service: RunningService) -> None:
    """The README's short list has operations alone, each of which its shell program makes."""
    listed = re.findall(
        r"^\| `([A-Z]+) ([^`?]+)", section(README, "A deal with curl"), re.MULTILINE
    )
    there = documented_operations(service)

    assert 7 == len(listed)
    for method, path in listed:
        assert (method, path.replace("TABLE", "/v1/tables/{table_id}")) in there
        word = path.rpartition("/")[2]
        assert word in block("sh") or path == "TABLE", path


def test_the_guide_tells_of_every_operation(service: RunningService) -> None:
    """docs/api.md names each operation, and marks those that take a token."""
    for (method, path), operation in documented_operations(service).items():
        row = next(
            (
                line
                for line in section(API, "Operations").splitlines()
                if re.search(rf"`({method} )?{re.escape(path)}`", line)
            ),
            None,
        )
        assert row is not None, f"{method} {path}"
        starred = re.search(rf"`({method} )?{re.escape(path)}` \*", row) is not None
        assert takes_token(operation) is starred, f"{method} {path}"


def test_the_guide_explains_every_field_of_a_new_table(service: RunningService) -> None:
    """docs/api.md has a row for each setting of a new table, and for each field of its view."""
    client = Client(service.url)
    schemas = client.http.get(f"{service.url}/openapi.json").json()["components"]["schemas"]
    client.close()
    view = section(API, "The view of a table")

    for name in schemas["NewTable"]["properties"]:
        assert f"\n| `{name}` |" in section(API, "Operations"), name
    for schema in ("Table", "Seat", "Deal", "Own", "Result", "SettledHand", "LegalAction"):
        for name in schemas[schema]["properties"]:
            assert f"`{name}`" in view, f"{schema}.{name}"


@pytest.mark.parametrize("kind", EVENT_TYPES)
def test_the_guide_explains_every_event(kind: str) -> None:
    """docs/api.md has a row for each type of event, with exactly its data fields in order."""
    row = re.search(rf"^\| `{kind}` \| (.*?) \|", section(API, "Events"), re.MULTILINE)
    names = [field.name.replace("source", "from") for field in fields(EVENT_TYPES[kind])]

    assert row is not None
    assert names == re.findall(r"`(\w+)`", row[1])


def test_the_guide_explains_every_problem() -> None:
    """docs/api.md has a row for each problem code with its status, and for no other."""
    rows = re.findall(r"^\| (\d+) \| `(\w+)` \|", section(API, "Problems"), re.MULTILINE)

    assert {code: problem.status for code, problem in PROBLEMS.items()} == {
        code: int(status) for status, code in rows
    }
    assert len(PROBLEMS) == len(rows)


def test_every_setting_is_explained() -> None:
    """docs/settings.md has exactly the settings of Config, each with its default."""
    rows = dict(
        re.findall(
            r"^\| `PAIUTE_(\w+)` \| ([^|]*) \|",
            (ROOT / "docs/settings.md").read_text(),
            re.MULTILINE,
        )
    )

    assert [field.name.upper() for field in fields(Config)] == list(rows)
    for field in fields(Config):
        if isinstance(field.default, int) or (isinstance(field.default, str) and field.default):
            truth = isinstance(field.default, bool)
            said = str(field.default).lower() if truth else str(field.default)
            assert f"`{said}`" == rows[field.name.upper()]


def test_the_guide_has_the_usual_limits() -> None:
    """docs/api.md has the numbers of the budgets and of the other limits, each with its setting."""
    usual = Config("", "")
    told = section(API, "Limits")
    rows = re.findall(
        r"^\| `(\w+)` \| [^|]+ \| (\d+) \| (\d+) \| `(\w+)`, `(\w+)` \|", told, re.MULTILINE
    )

    assert [
        (
            name,
            str(getattr(usual, f"{name}_burst")),
            str(getattr(usual, f"{name}_per_second")),
            f"PAIUTE_{name.upper()}_BURST",
            f"PAIUTE_{name.upper()}_PER_SECOND",
        )
        for name in BUDGETS
    ] == rows
    assert f"may be at {usual.max_tables} tables at once" in told
    assert "(`PAIUTE_MAX_TABLES`)" in told
    assert f"{usual.max_body_bytes} bytes (`PAIUTE_MAX_BODY_BYTES`)" in told
    assert f"a query in a request {MOST_FIELDS} fields" in told
    assert f"a list of hands {MOST_HANDS:,}" in told
    assert f"the first {MOST_ERRORS} of them" in section(API, "Problems")


def test_the_guide_has_the_other_limits() -> None:
    """docs/api.md has how many one may have of each thing, with the settings of those that vary."""
    usual = Config("", "")
    rows = re.findall(
        r"^\| (?:[\w ]*\[)?([\w ]+?)(?:\].*?)? \| (\d+) \| .* \| (?:`PAIUTE_(\w+)`)? ?\|$",
        section(API, "Limits"),
        re.MULTILINE,
    )

    assert [
        ("streams", str(usual.streams_per_token), "STREAMS_PER_TOKEN"),
        ("open streams", str(usual.max_streams), "MAX_STREAMS"),
        ("long polls that wait", str(usual.max_waiters), "MAX_WAITERS"),
        ("tokens", str(MOST_TOKENS), ""),
        ("webhooks", str(MOST_WEBHOOKS), ""),
        ("sandbox matches", "1", ""),
        ("invitations", str(invitations.MOST), ""),
    ] == rows


def test_every_dependency_has_its_reason() -> None:
    """CONTRIBUTING.md says of each dependency why it is there, and of no other."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    needed = chain(project["dependencies"], *project["optional-dependencies"].values())
    names = {re.split(r"[><=;\s]", requirement)[0] for requirement in needed}
    reasons = section((ROOT / "CONTRIBUTING.md").read_text(), "Dependencies")

    assert sorted(names) == sorted(re.findall(r"^\| `(\S+)` \|", reasons, re.MULTILINE))


def test_the_changelog_has_this_version() -> None:
    """CHANGELOG.md has an entry for the version that pyproject.toml names."""
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]

    assert f"\n## [{version}]" in (ROOT / "CHANGELOG.md").read_text()


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_somewhere(document: Path) -> None:
    """Every relative link of a document leads to a file, and to a heading that is there."""
    for link in re.findall(r"\]\(([^)\s]+)\)", FENCE.sub("", document.read_text())):
        path, _, anchor = link.partition("#")
        if "://" in link or link.startswith("mailto:"):
            continue
        target = document.parent / path if path else document
        assert target.exists(), link
        assert not anchor or anchor in anchors(target.read_text()), link


def anchors(text: str) -> set[str]:
    """The names that GitHub gives to the headings of a document."""
    titles = re.findall(r"^#+ (.*)$", FENCE.sub("", text), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def test_what_the_readme_says_lies_somewhere_does() -> None:
    """Each file and folder in the README's table of places exists."""
    for row in section(README, "Where things live").splitlines():
        for place in re.findall(r"`([\w./]+)`", row.rpartition(" | ")[2]):
            assert (ROOT / place).exists(), place


def test_every_make_target_that_is_named_exists() -> None:
    """Each `make target` in the documents is a target of the Makefile."""
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))

    for document in DOCUMENTS:
        named = re.findall(r"`(?:PORT=\d+ )?make ([a-z-]+)`", document.read_text())
        assert set(named) <= targets, document
