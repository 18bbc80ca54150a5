"""`paiute verify`: it finds whatever does not fit, in files and on a running service."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from service.cli import main
from tests.fair.papers import any_papers
from tests.support.busy import busy
from tests.support.client import Client, Json, simple_choice
from tests.support.processes import RunningService

SAID = any_papers(seed=2)
PROOF = SAID["proof"]


def verify(source: object, *options: str) -> Result:
    """Run the command in this process."""
    return CliRunner().invoke(main, ["verify", str(source), *options])


def tamper(said: Json) -> Json:
    """A copy of papers in which two cards of the deck have changed places."""
    copy: Json = json.loads(json.dumps(said))
    deck = copy["proof"]["dealt"]["deck"]
    deck[10], deck[11] = deck[11], deck[10]
    return copy


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A file to be written."""
    return tmp_path / "deal.json"


@pytest.fixture(scope="module")
def table(service: RunningService) -> Iterator[str]:
    """The address of a table of the real service at which three deals were played."""
    client = Client(service.url)
    settings = {"seats": 2, "bots": [{"level": "easy"}], "thinking_ms": 0, "pause_seconds": 0}
    view = client.create(**settings, deals=3)
    while view["status"] != "closed":
        move = simple_choice(view)
        view = client.act(view, move).json() if move else client.next_view(view)
        view = view.get("view", view)
    yield f"{service.url}/v1/tables/{view['id']}"
    client.close()


def test_a_saved_proof(file: Path) -> None:
    """A proof alone is checked as far as it goes, and it is said what is missing."""
    file.write_text(json.dumps(PROOF))
    result = verify(file)

    assert 0 == result.exit_code, result.output
    assert "✓ The deck is what seed and cut make of it." in result.output
    assert result.output.count("! Not checked") == 2
    assert result.output.splitlines()[-1] == "The cards are fair."


def test_a_proof_with_its_record(file: Path) -> None:
    """With the record the play is followed too."""
    file.write_text(json.dumps(SAID | {"commitment": PROOF["commitment"]}))
    result = verify(file)

    assert 0 == result.exit_code, result.output
    assert "✓ The record drew and discarded just these cards" in result.output
    assert "noted before the cut" in result.output
    assert "Not checked" not in result.output


@pytest.mark.parametrize("between", [",", "\n"])
def test_many_at_once(file: Path, between: str) -> None:
    """A list, and a file with a deal a line, are checked deal by deal."""
    texts = between.join(json.dumps(any_papers(seed)) for seed in range(5))
    file.write_text(f"[{texts}]" if between == "," else texts)
    result = verify(file)

    assert 0 == result.exit_code, result.output
    assert "The cards of all 5 are fair." == result.output.splitlines()[-1]
    assert 5 == sum(line.startswith("deal ") for line in result.output.splitlines())


def test_what_does_not_fit(file: Path) -> None:
    """The first card that does not fit is named, and the command ends with 1."""
    file.write_text(json.dumps([SAID, tamper(SAID)]))
    result = verify(file)
    deck = PROOF["dealt"]["deck"]

    assert 1 == result.exit_code
    told = f"✗ The deck: place 11 has '{deck[11]}', and it is '{deck[10]}' by the seed."
    assert told in result.output
    assert "1 of 2 do not fit." == result.output.splitlines()[-1]


def test_another_commitment(file: Path) -> None:
    """The commitment that was noted is compared, in any letter case; it is of one deal."""
    file.write_text(json.dumps(PROOF))
    right = verify(file, "--commitment", PROOF["commitment"].upper())
    wrong = verify(file, "--commitment", "00" * 32)
    file.write_text(json.dumps([PROOF, PROOF]))
    many = verify(file, "--commitment", PROOF["commitment"])

    assert [0, 1, 2] == [one.exit_code for one in (right, wrong, many)]
    assert "✗ The commitment is not the one that was noted before the cut." in wrong.output


def test_for_programs(file: Path) -> None:
    """With --json each deal is an object on a line of its own."""
    file.write_text(json.dumps([SAID, tamper(SAID)]))
    result = verify(file, "--json")
    right, wrong = map(json.loads, result.output.splitlines())

    assert 1 == result.exit_code
    assert ((True, []), (PROOF["table"], PROOF["number"])) == (
        (right["fits"], right["faults"]),
        (right["table"], right["number"]),
    )
    assert (False, 1) == (wrong["fits"], len(wrong["faults"]))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "no proof in"),
        ("[]", "no proof in"),
        ("{", "is no JSON"),
        ("[" * 100_000, "is no JSON"),
        ("7", "not a JSON object"),
        ('{"number": 1}', "not whole"),
        (json.dumps(PROOF | {"seats": "1 2"}), "not whole"),
        (json.dumps(PROOF | {"algorithm": "another"}), "is not known"),
        (json.dumps({"proof": PROOF, "record": []}), "not whole"),
        ('{"proof": "\\ud800"}', "is no JSON"),
    ],
)
def test_what_can_not_be_checked(file: Path, text: str, told: str) -> None:
    """What is no proof is refused in a line, with 2, and without a traceback."""
    file.write_text(text, encoding="utf-8")
    result = verify(file)

    assert 2 == result.exit_code
    assert told in result.output
    assert result.output.startswith("Error: ")
    assert 1 == len(result.output.splitlines())


def test_no_such_file(tmp_path: Path) -> None:
    """A file that is not there is said to be so, with 2."""
    result = verify(tmp_path / "nothing.json")

    assert 2 == result.exit_code
    assert "can't be read: No such file" in result.output


@pytest.mark.parametrize(
    ("field", "value", "told"),
    [
        ("seed", PROOF["seed"].upper(), "not 32 bytes"),
        ("seed", "00", "not 32 bytes"),
        ("seed", "é" * 64, "not 32 bytes"),
        ("seats", [], "The seats are not"),
        ("seats", [1, 1], "The seats are not"),
        ("dealt", None, "without a cut"),
        ("cut", {"seat": 9, "position": 1, "entropy": ""}, "no such cut"),
        ("cut", PROOF["cut"] | {"position": 52}, "no such cut"),
        ("cut", PROOF["cut"] | {"position": -1}, "no such cut"),
        ("renewals", [{"number": 2, "discards": [], "kept": [], "stock": []}], "numbered from 1"),
        (
            "renewals",
            [{"number": 1, "discards": ["?"], "kept": [], "stock": ["?"]}],
            "not made of cards",
        ),
    ],
)
def test_odd_proofs(file: Path, field: str, value: object, told: str) -> None:
    """Whatever stands in a proof, it is judged, and nothing breaks."""
    file.write_text(json.dumps(PROOF | {field: value}))
    result = verify(file)

    assert 1 == result.exit_code, result.output
    assert told in result.output


def cautions_of_cut(
    file: Path, by: str | None, rule: str = "", value: str = "", *, record: bool = True
) -> list[str]:
    """The words of caution about a cut, as of a deal of a person's cut."""
    said = any_papers(seed=2)
    (action,) = (one for one in said["record"]["actions"] if one["action"] == "cut")
    (cutter,) = (one for one in said["record"]["seats"] if one["seat"] == action["seat"])
    cutter["player"]["kind"] = "human"
    action["by"] = said["proof"]["cut"]["by"] = by
    for one in (said["proof"], said["record"]):
        one["rules"] |= {rule: value} if rule else {}
    file.write_text(json.dumps(said if record else said["proof"]))
    result = verify(file)
    assert 0 == result.exit_code, result.output
    return [line for line in result.output.splitlines() if "made the cut" in line]


def test_who_cut(file: Path) -> None:
    """Where the service cut by itself, also by a stand-in, it is said that this proves less."""
    for by, *rule in (("bot",), ("clock",), ("auto",), (None, "cut", "auto")):
        (caution,) = cautions_of_cut(file, by, *rule)
        assert "! The service made the cut itself" in caution
    assert [] == cautions_of_cut(file, "player", "on_timeout", "bot")
    assert [] == cautions_of_cut(file, "player", record=False)


def test_who_cut_in_older_deals(file: Path) -> None:
    """Where papers of before can't tell whether a stand-in made the cut, that is said."""
    assert [] == cautions_of_cut(file, None)
    for (caution,) in (
        cautions_of_cut(file, None, "on_timeout", "bot"),
        cautions_of_cut(file, None, record=False),
    ):
        assert "! Not told: whether the player made the cut" in caution


def test_a_deal_of_a_running_service(table: str) -> None:
    """The address of a deal, or of its proof, is all that it takes."""
    for rest in ("/deals/2", "/deals/2/proof", "/deals/2/"):
        result = verify(table + rest)
        assert 0 == result.exit_code, result.output
        assert "✓ It is the one in the event that began the deal." in result.output
        assert "✓ The record drew and discarded just these cards" in result.output
        assert "The cards are fair." == result.output.splitlines()[-1]


def test_a_table_of_a_running_service(table: str) -> None:
    """Of a table all deals are checked, the first one first."""
    for rest in ("", "/deals"):
        result = verify(table + rest)
        assert 0 == result.exit_code, result.output
        titles = [line for line in result.output.splitlines() if line.startswith("deal ")]
        assert [f"deal {n} of table {table.rpartition('/')[2]}" for n in (1, 2, 3)] == titles
        assert "The cards of all 3 are fair." == result.output.splitlines()[-1]


def test_it_comes_again_where_it_was_too_fast(service: RunningService, table: str) -> None:
    """A request that is answered with 429 is sent again."""
    with busy(service.url) as (url, put_off):
        result = verify(table.replace(service.url, url))

    assert 0 == result.exit_code, result.output
    assert len(put_off) > 6


@pytest.mark.parametrize(
    ("address", "told"),
    [
        ("{table}/deals/9", "no finished deal 9"),
        ("{table}/deals/x", "no address of a table or a deal"),
        ("{service}/v1/tables/nowhere", "no table"),
        ("{service}/nothing/v1/tables/nowhere", "nothing at this address"),
        ("{service}/docs", "no address of a table or a deal"),
        ("ftp://paiute.example/v1/tables/x", "no address of a table or a deal"),
        ("http://127.0.0.1:1/v1/tables/x", "does not answer"),
        ("http://paiute.invalid:port/v1/tables/x", "does not answer"),
    ],
)
def test_addresses_where_there_is_nothing(
    service: RunningService, table: str, address: str, told: str
) -> None:
    """An address where nothing can be checked is said to be so in a line, with 2."""
    result = verify(address.format(service=service.url, table=table))

    assert (2, 1) == (result.exit_code, len(result.output.splitlines())), result.output
    assert told in result.output.lower()
