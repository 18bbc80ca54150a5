"""`python -m bench.inprocess`: what a request takes in one process, and where it goes.

WSGI calls without sockets against a real Redis, all on one core: the steadiest figure.
"""

import json
import os
import statistics
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import click
from redis import Redis

from bench import flask_draw, hello, profiling, servers
from bench.measure import Json
from bench.report import table as columns
from bench.stage import table_by_hand
from bench.wsgi import Client, People, sit_down
from service import wiring
from service.api import create_app
from service.config import Config

SECRET = "a secret of the bench alone, 32 characters"
MOVES_PROFILED_A_SECOND = 150

NAMES = {
    "hello": "bare Flask",
    "byhand": "a move by hand in Flask",
    "move": "a move",
    "view": "a view (GET)",
    "not_modified": "a 304",
    "move_while_subscribed": "a move, once a long poll has been",
}

Kinds = dict[str, tuple[Client, Callable[[], object]]]


def measure(rounds: int, seconds: float) -> Json:
    """Everything, in rounds of so many seconds."""
    core = {min(os.sched_getaffinity(0))}
    with ExitStack() as stack:
        data = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="paiute-")))
        stack.enter_context(servers.pinned(core))
        url, _ = stack.enter_context(servers.store(data))
        game = wiring.build_game(config := Config(SECRET, url, **servers.WIDE))
        client, bare = Client(create_app(config, game)), Client(hello.create_app())
        people = People(client, partial(sit_down, client))
        greet = partial(bare.call, "GET", "/")
        kinds: Kinds = {
            "hello": (bare, greet),
            "byhand": _by_hand(url),
            "move": (client, people.move),
            "view": (client, people.look),
        }
        later: Kinds = {
            "hello": (bare, greet),
            "not_modified": (client, people.look_again),
            "move_while_subscribed": (client, people.move),
        }
        first = _rounds(kinds, rounds, seconds)
        calls = int(seconds * rounds * MOVES_PROFILED_A_SECOND)
        pieces = profiling.pieces(game.store, seconds * rounds)
        profile = profiling.profile(client, people.move, calls)
        people.look_again()  # From here on the process is subscribed to what changes.
        second = _rounds(later, rounds, seconds)
    # Each kind is compared with the hello of the same rounds.
    micros = second | first
    return {
        "cpu_us": {kind: statistics.median(taken) for kind, taken in micros.items()},
        "rounds": micros,
        "ratio_to_hello": _ratios(second, "hello") | _ratios(first, "hello"),
        "ratio_to_byhand": _ratios(first, "byhand"),
        "pieces_of_a_move_us": pieces,
        **profile,
    }


def _by_hand(url: str) -> tuple[Client, Callable[[], None]]:
    with Redis.from_url(url) as redis:
        seated = table_by_hand(redis)
    client = Client(flask_draw.create_app(url))
    return client, People(client, lambda: seated).move


def _rounds(kinds: Kinds, rounds: int, seconds: float) -> dict[str, list[float]]:
    """CPU microseconds of each kind of request: the median of many small blocks, by rounds.

    The blocks take turns, so that whatever else the machine does meets all kinds alike.
    """
    micros: dict[str, list[float]] = defaultdict(list)
    for _ in range(rounds):
        blocks: dict[str, list[float]] = defaultdict(list)
        until = time.monotonic() + seconds
        while not blocks or time.monotonic() < until:
            for kind, (client, work) in kinds.items():
                blocks[kind].append(client.micros(work))
        for kind, taken in blocks.items():
            micros[kind].append(statistics.median(taken))
    return micros


def _ratios(micros: Mapping[str, list[float]], to: str) -> dict[str, float]:
    one = statistics.median(micros[to])
    return {kind: statistics.median(taken) / one for kind, taken in micros.items()}


def as_text(found: Json) -> str:
    """The report."""
    by_hand = found["ratio_to_byhand"]
    requests = [
        [
            name,
            f"{found['cpu_us'][kind]:.0f}",
            f"{found['ratio_to_hello'][kind]:.2f}",
            f"{by_hand[kind]:.2f}" if kind in by_hand else "",
        ]
        for kind, name in NAMES.items()
    ]
    pieces = [[name, f"{took:.0f}"] for name, took in found["pieces_of_a_move_us"].items()]
    layers = [[name, f"{share:.0f} %"] for name, share in found["percent_by_layer"].items()]
    top = [[one["function"], f"{one['percent']:.1f} %"] for one in found["top"]]
    return "\n\n".join(
        [
            columns(["in one process", "CPU us", "to bare Flask", "to by hand"], requests),
            columns(["pieces of a move", "CPU us"], pieces),
            columns(["own time in a profiled move", ""], layers),
            columns(["the functions at the top", ""], top),
        ]
    )


@click.command(context_settings={"help_option_names": ["-h", "--help"], "show_default": True})
@click.option("--seconds", type=click.FloatRange(0.01), default=1.5, help="Length of a round.")
@click.option("--rounds", type=click.IntRange(1), default=5, help="How often each is measured.")
@click.option("--json", "as_json", is_flag=True, help="Everything as JSON, each round included.")
def main(*, seconds: float, rounds: int, as_json: bool) -> None:
    """Measure what requests take in one process, without sockets, and say where it goes.

    Bare Flask, a move written by hand in Flask, and ours, in small blocks that take turns: a move,
    a view, a 304, and a move once the process is subscribed to what changes. Then the pieces of a
    move below HTTP, called one by one, and a profile of whole moves.

    All is CPU time of one core, so that it matters little what else the machine does. It takes
    half a minute.
    """
    found = measure(rounds, seconds)
    click.echo(json.dumps(found, indent=2) if as_json else as_text(found))


if __name__ == "__main__":
    main()
