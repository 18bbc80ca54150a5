"""The `paiute` command.

Most commands import what they need by themselves, so that `paiute serve` has the store started
before anything else is imported.
"""
# ruff: noqa: PLC0415 - see above

import contextlib
import json
import os
import socket
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from service import forking, launcher, simulate_command, verify_command
from service.bots import LEVELS
from service.embedded import ADDRESS, NoServer, make_folder, secret_in
from service.store.queue_names import QUEUES

if TYPE_CHECKING:
    from service.config import Config

THREADS = 160
"""For the streams and the long polls of a process, which each hold one, and 16 more."""

WATCH_SECONDS = 2
"""How often `paiute status --watch` looks."""

FC = TypeVar("FC", bound=Callable[..., Any])


class NotDone(click.ClickException):
    """There is nothing to count or to look at."""

    exit_code = 2

    def __init__(self, why: Exception | str) -> None:
        from service.store.connection import BadAddress

        wrong = isinstance(why, BadAddress)
        super().__init__(f"That is no address of a Redis: {why}." if wrong else str(why))


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="paiute")
def main() -> None:
    """Paiute as a service: a card game of draw and discard over HTTP.

    \b
    Begin with
      paiute serve     store, API and workers on this machine, nothing else needed
      paiute demo      watch a deal being played over the API
      paiute status    see how the service is

    On a cluster each part runs by itself: `paiute api`, `paiute worker QUEUE`, `paiute sweep`,
    with PAIUTE_REDIS_URL and PAIUTE_SECRET set.
    """  # noqa: D301 - \b is for click: the next lines stay as they are


_host = click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
_port = click.option(
    "--port", type=click.IntRange(1, 65535), default=8000, show_default=True, help="Port."
)
_drain = click.option(
    "--drain-seconds",
    type=click.FloatRange(0, 600),
    default=0,
    show_default=True,
    help="How long to serve on after SIGTERM, while /readyz says 503.",
)


def _processes(default: int) -> Callable[[FC], FC]:
    return click.option(
        "--workers", type=click.IntRange(1), default=default, show_default=True, help="Processes."
    )


@main.command()
@_host
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8000,
    show_default=True,
    help="Port; 0 takes a free one.",
)
@click.option(
    "--data",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("data"),
    show_default=True,
    help="Folder for the embedded store; with PAIUTE_REDIS_URL set, only the secret lies there.",
)
@click.option(
    "--workers",
    type=click.IntRange(1, 64),
    default=2,
    show_default=True,
    help="API processes, and worker processes of the queue `bots`.",
)
def serve(host: str, port: int, data: Path, workers: int) -> None:
    """Start the whole service and keep it running until Ctrl-C.

    The first line of standard output is the address: `paiute: http://HOST:PORT`.
    """
    listening = _listen(host, port)
    with _launcher() as running:
        _prepare(running, listening, data, workers)
        url = launcher.url_of(listening)
        with launcher.writing_to(data):
            (data / ADDRESS).write_text(f"{url}\n")
        click.echo(f"paiute: {url}")
        click.echo(
            f"paiute: play at {url}/play, docs at {url}/docs, data in {data.absolute()}, "
            "Ctrl-C stops",
            err=True,
        )
        running.run()


@contextlib.contextmanager
def _launcher(drain_seconds: float = 0) -> Iterator[launcher.Launcher]:
    """A launcher, which leaves nothing behind where it can't be what it is to be."""
    running = launcher.Launcher(drain_seconds)
    try:
        yield running
    except NoServer as error:
        running.stop()
        raise click.ClickException(str(error)) from None
    except Exception:
        running.stop()
        raise


def _listen(host: str, port: int) -> socket.socket:
    try:
        return launcher.listen(host, port)
    except OSError as error:
        raise click.ClickException(
            f"Cannot listen on {host}:{port}: {error.strerror}. "
            "Choose another with --port, or with PORT=… for make."
        ) from None


def _prepare(
    running: launcher.Launcher, listening: socket.socket, data: Path, workers: int
) -> None:
    with launcher.writing_to(data):
        make_folder(data)
        secret = secret_in(data)
    env = {"PAIUTE_SECRET": secret, **os.environ}
    store = None if "PAIUTE_REDIS_URL" in env else launcher.begin_store(running, data)
    running.preload(*launcher.API_MODULES, *launcher.WORKER_MODULES)
    if store is not None:
        env["PAIUTE_REDIS_URL"] = launcher.await_store(running, store)
    config = _check_settings(env)
    env = running.counting(env)
    threads = max(THREADS, _held(config) + 16)
    command = launcher.gunicorn_command(launcher.bind_of(listening), workers, threads)
    running.add_api(command, listening, env)
    for name in (*QUEUES, "sweep", *["bots"] * (workers - 1)):
        running.add(launcher.worker_command(name), env)


@main.command()
@click.option("--url", help="A running service; without it the demo starts one of its own.")
@click.option(
    "--bots",
    type=click.IntRange(1, 4),
    default=2,
    show_default=True,
    help="How many bots to play against.",
)
@click.option(
    "--level",
    type=click.Choice(tuple(LEVELS)),
    default="easy",
    show_default=True,
    help="How strong they are.",
)
@click.option(
    "--pause",
    type=click.IntRange(0, 5000),
    default=300,
    show_default=True,
    metavar="MS",
    help="Milliseconds to wait before each answer is shown.",
)
def demo(url: str | None, bots: int, level: str, pause: int) -> None:
    """Play one deal against bots, and show how it is done.

    Each request and answer is shown in short.

    The demo is a client as yours could be. It looks at the table with GET, does one of what
    `you.legal` lists with POST, and waits for the others with a long poll. Its own moves name the
    version they were decided on (If-Match).

    Cards are rank and suit: Ah is the ace of hearts, Td the ten of diamonds. A star marks a wild
    card.

    \b
    Examples
      paiute demo                                a service of its own, ended afterwards
      paiute demo --bots 4 --level medium        a full table
      paiute demo --url http://127.0.0.1:8000    on the service of `paiute serve`
      paiute demo --pause 0 > deal.txt           at full speed, into a file
    """  # noqa: D301 - \b is for click
    from service import demo as demonstration

    with contextlib.ExitStack() as stack:
        try:
            if url is None:
                click.echo("Starting a service for this demo ...")
                url = stack.enter_context(demonstration.own_service())
            click.echo(f"Paiute at {url}: you and {bots} {level} bot{'s' * (bots > 1)}, one deal")
            api = stack.enter_context(contextlib.closing(demonstration.Api(url, pause)))
            demonstration.Demo(api).play(bots, level)
        except demonstration.DemoError as error:
            raise click.ClickException(str(error)) from None


@main.command()
@_host
@_port
@_processes(2)
@click.option(
    "--threads",
    type=click.IntRange(min=1),
    default=THREADS,
    show_default=True,
    help="Threads of each process.",
)
@_drain
def api(host: str, port: int, workers: int, threads: int, drain_seconds: float) -> None:
    """Serve the API alone, with gunicorn.  Needs PAIUTE_REDIS_URL and PAIUTE_SECRET.

    At SIGTERM /readyz answers 503 at once, so that a load balancer sends nothing new. After
    --drain-seconds the requests that are open are finished, and it ends.
    """
    with _launcher(drain_seconds) as running:
        running.preload(*launcher.API_MODULES)
        _check_threads(_check_settings(), threads)
        listening = _listen(host, port)
        command = launcher.gunicorn_command(launcher.bind_of(listening), workers, threads)
        running.add_api(command, listening, running.counting(os.environ))
        running.run()


@main.command()
@_host
@_port
@_processes(1)
@click.option(
    "--streams",
    type=click.IntRange(min=1),
    default=2000,
    show_default=True,
    help="How many streams, and as many long polls, each process holds.",
)
@_drain
def streams(host: str, port: int, workers: int, streams: int, drain_seconds: float) -> None:
    """Serve the API to thousands who wait, with gevent.

    It is for the addresses that end in /events.

    It answers all that `paiute api` answers, on the same store. Beside it, it takes the streams and
    the long polls, which would each hold a thread there. PAIUTE_MAX_STREAMS and PAIUTE_MAX_WAITERS
    are as --streams says.
    """
    _check_settings()
    listening = _listen(host, port)
    launcher.allow_connections()
    command = launcher.streams_command(launcher.bind_of(listening), workers, 3 * streams)
    with _launcher(drain_seconds) as running:
        env = launcher.env_of_streams(os.environ, streams)
        running.add_api(command, listening, running.counting(env))
        running.run()


@main.command()
@click.argument("queue", required=False, type=click.Choice(QUEUES))
def worker(queue: str | None) -> None:
    """Run a worker of QUEUE; without QUEUE, one of each and the sweep."""
    if queue is not None:
        _become(launcher.worker_command(queue))
    with _launcher() as running:
        running.preload(*launcher.WORKER_MODULES)
        config = _check_settings()
        alone = running.counting(os.environ)
        for name in ("sweep", *QUEUES):
            port = {"PAIUTE_METRICS_PORT": str(config.metrics_port)} if name == "sweep" else {}
            running.add(launcher.worker_command(name), alone | port)
        running.run()


@main.command()
def sweep() -> None:
    """Run the sweep, which enqueues what has come due.

    Two of them do no harm.
    """
    _become(launcher.worker_command("sweep"))


@main.command()
@click.option(
    "--data",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder of an embedded store; without it PAIUTE_REDIS_URL says where the store is, "
    "or else the folder is `data`.",
)
@click.option("--json", "for_programs", is_flag=True, help="Print JSON, with up to 100 misfits.")
def audit(data: Path | None, for_programs: bool) -> None:
    """Count all chips and compare them with what was issued.

    Everything may go on meanwhile. Chips on accounts, on tables and on their way have to be what
    was granted and what the house put in. Each ledger, each table's log, and each movement between
    them is checked. The first entry that does not fit is named.

    Ends with 0 if all chips are accounted for, with 1 if not, with 2 if it could not be done.
    """
    from service import audit as auditing
    from service import audit_command
    from service.store.base import Unavailable
    from service.store.books import Books
    from service.store.connection import BadAddress, connect

    try:
        with audit_command.store_of(data) as url:
            report = auditing.audit(Books(connect(url)), audit_command.progress)
    except (NoServer, Unavailable, BadAddress) as error:
        raise NotDone(error) from None
    except KeyboardInterrupt:
        raise NotDone("Stopped before all was counted.") from None
    if for_programs:
        click.echo(json.dumps(audit_command.as_json(report), indent=2))
    else:
        click.echo(audit_command.as_text(report))
    sys.exit(0 if report.fits else 1)


@main.command()
@click.option("--url", help="The Redis to look at, if not that of the settings.")
@click.option(
    "--data",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder of a running `paiute serve`; without it and --url PAIUTE_REDIS_URL says where "
    "the store is, or else the folder is `data`.",
)
@click.option("--api", help="Address of an API, to show its streams too.")
@click.option("--json", "for_programs", is_flag=True, help="Print JSON.")
@click.option("--watch", is_flag=True, help="Show it anew every two seconds, until Ctrl-C.")
def status(
    url: str | None, data: Path | None, api: str | None, for_programs: bool, watch: bool
) -> None:
    """Show how the service is, and what is not well.

    That is queues, workers, what is due, tables and streams.

    \b
    queue     jobs that wait, how long the first of them waits, those that
              failed in a day, and workers that live
    due       what has to happen next at tables, now or later; it is late
              where nobody has done it in time
    tables    all that are kept, closed ones too; private ones are in no lobby
    streams   those of all processes behind the API that is asked

    Ends with 0 if all is well, with 1 if something is late by more than five seconds, nobody works
    on a queue, or Redis or the API does not answer; with 2 if there is nothing to look at.

    \b
    Examples
      paiute status                    the `paiute serve` that runs in this folder
      paiute status --watch            the same, again and again
      paiute status --url redis://redis:6379 --api http://api:80
    """  # noqa: D301 - \b is for click
    from service import status_command
    from service.store.connection import BadAddress

    if watch and for_programs:
        raise click.UsageError("--watch is for people, --json for programs: take one of them.")
    try:
        found = status_command.places(url, data, api)
        game = status_command.game_at(found)
        seen = status_command.look(game, found.api)
        while watch:
            click.clear()
            click.echo(status_command.as_text(seen))
            time.sleep(WATCH_SECONDS)
            seen = status_command.look(game, found.api)
    except (NoServer, BadAddress) as error:
        raise NotDone(error) from None
    except KeyboardInterrupt:
        sys.exit(0)
    if for_programs:
        click.echo(json.dumps(status_command.as_json(seen), indent=2))
    else:
        click.echo(status_command.as_text(seen))
    sys.exit(1 if seen.faults else 0)


@main.command()
@click.option(
    "--check", is_flag=True, help="Compare with FILE instead, and fail where they differ."
)
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False), required=False)
def openapi(file: Path | None, check: bool) -> None:
    """Write the OpenAPI document to FILE, or print it."""
    text = json.dumps(_document(), indent=2, ensure_ascii=False) + "\n"
    if file is None:
        click.echo(text, nl=False)
    elif not check:
        file.write_text(text)
    elif file.read_text() != text:
        raise click.ClickException(f"{file} is not what the code makes; run `make openapi`.")


def _document() -> object:
    from service.api import create_app
    from service.config import Config

    config = Config(secret="x" * 32, redis_url="redis://unused.invalid")
    return json.loads(json.dumps(create_app(config).config["OPENAPI_DOCUMENT"]()))


main.add_command(verify_command.verify)
main.add_command(simulate_command.simulate)


def _check_settings(env: Mapping[str, str] = os.environ) -> "Config":
    from service.config import ConfigError, from_env

    try:
        return from_env(env)
    except ConfigError as error:
        raise click.ClickException(str(error)) from None


def _held(config: "Config") -> int:
    """How many threads of a process those may hold who wait."""
    return config.max_streams + config.max_waiters


def _check_threads(config: "Config", threads: int) -> None:
    """Refuse so few threads that those who wait could hold them all, and nothing be answered."""
    held = _held(config)
    if threads <= held:
        raise click.ClickException(
            f"--threads has to be more than {held}: each stream (PAIUTE_MAX_STREAMS, "
            f"{config.max_streams}) and each long poll (PAIUTE_MAX_WAITERS, {config.max_waiters}) "
            "holds a thread."
        )


def _become(command: list[str]) -> None:
    """Turn this process into another one, so that signals reach it."""
    _check_settings()
    forking.become(command)


if __name__ == "__main__":
    main()
