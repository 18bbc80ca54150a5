"""`paiute demo`, as somebody runs it."""

import os
import subprocess
import sys

from service.demo import choose, use_of
from tests.support.busy import busy
from tests.support.client import Json
from tests.support.processes import RunningService


def demo(*options: str) -> subprocess.CompletedProcess[str]:
    """The demo run to its end."""
    return subprocess.run(
        [sys.executable, "-m", "service.cli", "demo", "--pause", "0", *options],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env={name: text for name, text in os.environ.items() if not name.startswith("PAIUTE_")},
    )


def test_a_whole_deal_on_a_running_service(service: RunningService) -> None:
    """A deal against a full table of bots ends well and shows the moves, the hands, the payout."""
    ran = demo("--url", service.url, "--bots", "4", "--level", "medium")

    assert ran.returncode == 0, ran.stdout + ran.stderr
    for shown in ("POST /v1/players", "/draw", "you.legal: ", "hand: ", "is wild", "wins "):
        assert shown in ran.stdout
    assert "chips at the table: " in ran.stdout


def test_a_whole_deal_on_a_service_of_its_own() -> None:
    """Without an address the demo starts a service, plays a deal on it, and stops it again."""
    ran = demo("--bots", "1")

    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "chips at the table: " in ran.stdout
    url = next(line for line in ran.stdout.splitlines() if line.startswith("Paiute at ")).split()[2]
    assert "does not answer" in demo("--url", url.rstrip(":")).stderr


def test_it_comes_again_where_it_was_too_fast(service: RunningService) -> None:
    """A request that is answered with 429 is sent again after the time that the answer names."""
    with busy(service.url) as (url, put_off):
        ran = demo("--url", url, "--bots", "1")

    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "chips at the table: " in ran.stdout
    assert len(put_off) == ran.stdout.count("429 Too Many Requests") > 3


def test_output_into_a_file_has_no_colours(service: RunningService) -> None:
    """What does not go to a terminal is plain text."""
    assert "\x1b" not in demo("--url", service.url).stdout


def test_an_address_where_nothing_answers_is_said_in_one_line() -> None:
    """Where there is no service, the demo says so and ends with an error, without a traceback."""
    ran = demo("--url", "http://127.0.0.1:1")

    assert ran.returncode == 1
    assert ran.stderr.startswith("Error: http://127.0.0.1:1 does not answer")
    assert len(ran.stderr.splitlines()) == 1


def test_an_address_that_is_none_is_refused() -> None:
    """An address that can't be one is refused with a word on how to write it."""
    for url in ("ftp://paiute.example", "http://paiute.example:port", "http://"):
        assert "is no address" in demo("--url", url).stderr


def test_help_keeps_the_lines_of_examples() -> None:
    """The examples of `paiute demo --help` stand on lines of their own."""
    lines = demo("--help").stdout.splitlines()

    assert (
        "    paiute demo --url http://127.0.0.1:8000    on the service of `paiute serve`" in lines
    )


def view(hand: str, top: str | None = None, wild: str = "7") -> Json:
    """As much of a view as a move is chosen by."""
    return {"deal": {"wild_rank": wild, "discard_top": top}, "you": {"hand": hand.split()}}


def test_it_calls_when_it_may() -> None:
    """A legal call comes before any discard."""
    assert ("call", {}) == choose(view("Kc"), {"discard": {"cards": ["Kc"]}, "call": {}})


def test_it_takes_a_discard_that_helps() -> None:
    """It takes a wild card or a card of a rank it holds, and otherwise draws from the stock."""
    for top, source in (("7s", "discard"), ("Kd", "discard"), ("2d", "stock"), (None, "stock")):
        assert ("draw", {"from": source}) == choose(view("Kc 9h", top), {"draw": {}})


def test_it_keeps_wild_cards_and_pairs() -> None:
    """Of a wild card, a pair and an odd card, the odd card is discarded."""
    hand = view("7c Kd Kh 2s")

    assert ("discard", {"card": "2s"}) == choose(hand, {"discard": {"cards": hand["you"]["hand"]}})


def test_it_waits_when_it_is_not_its_turn() -> None:
    """Where nothing but leaving is legal, it makes no move."""
    assert choose(view("Kc"), {"leave": {}}) is None


def test_neighbours_of_a_suit_are_worth_more() -> None:
    """A card that lies close to another of its suit is kept before one that does not."""
    hand = ["9h", "Th", "Qc"]

    assert use_of("9h", hand, "7") > use_of("Qc", hand, "7")
