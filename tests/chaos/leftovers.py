"""What must not be left when the faults are over: tables that stand still, chips, errors."""

import contextlib
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

from service.store import keys
from service.store.base import now_ms
from tests.chaos.findings import Findings, Law
from tests.chaos.journal import Journal, Outcome
from tests.chaos.players import BOTS, Player
from tests.chaos.system import System
from tests.chaos.watch import Watch
from tests.support.waiting import wait_until

MOVES_ON_SECONDS = 5
BETWEEN = ("arrive", "pay_out")
"""What is due for chips that are between an account and a table."""

ERROR = re.compile(r"\bERROR[ :](?P<what>(service|workers)\..*)")
AWAY = ("Unavailable", "TimeoutError", "ConnectionError", "JobTimeoutException", "JobFailed")
"""What may be raised where the store is away."""


def wait_for(system: System, condition: Callable[[], bool], seconds: float) -> bool:
    """Whether a condition comes true in time, while the service is looked after."""

    def looked_after() -> bool:
        system.look_after()
        return condition()

    with contextlib.suppress(AssertionError):
        return wait_until(looked_after, seconds, 0.1)
    return False


def check_clients(
    clients: list[Player], system: System, findings: Findings, seconds: float
) -> None:
    """Every client leaves its table in the end."""

    def left() -> list[str]:
        return [one.name for one in clients if one.is_alive()]

    if not wait_for(system, lambda: system.serves and not left(), seconds):
        findings.add(Law.STAYS, f"{left()}; the service serves: {system.serves}")


def check_tables(watch: Watch, system: System, findings: Findings, seconds: float) -> None:
    """Every table that people played at comes to its end, and every other one goes on."""
    wait_for(system, watch.look, MOVES_ON_SECONDS)
    before = {id_: one.version for id_, one in watch.followers.items()}

    def waiting() -> list[str]:
        return [id_ for id_, version in before.items() if not _ended(watch, id_, version)]

    if wait_for(system, lambda: watch.look() and not waiting(), seconds):
        return
    for id_ in waiting():
        follower = watch.followers[id_]
        due = f"{follower.pending[0]} due at {follower.pending[1]}" if follower.pending else "none"
        findings.add(Law.STANDS, f"table {id_} at {follower.version}, {due}; it is {now_ms()} now")


def _ended(watch: Watch, table_id: str, version: int) -> bool:
    """Whether a table is closed, or waits for people, or goes on where only bots play."""
    follower = watch.followers[table_id]
    if table_id in watch.broken or follower.closed or follower.pending is None:
        return True
    bots_alone = follower.table.settings.name == BOTS
    return bots_alone and follower.version > version


def check_chips(watch: Watch, system: System, findings: Findings, seconds: float) -> None:
    """No chips are between an account and a table when all is quiet."""

    def on_their_way() -> list[str]:
        due = [one for of in keys.ALL for one in cast(Any, watch.redis.zrange(of.due, 0, -1))]
        return [text for member in due if (text := member.decode()).split(":")[0] in BETWEEN]

    if not wait_for(system, lambda: not on_their_way(), seconds):
        for one in on_their_way():
            findings.add(Law.ON_THEIR_WAY, one)


def check_made(watch: Watch, journal: Journal, findings: Findings) -> None:
    """Every table in the store was asked for, and was asked for once."""
    unknown = [
        one.player
        for one in journal.since(0)
        if (one.action, one.outcome) == ("create", Outcome.UNKNOWN)
    ]
    for key in watch.redis.scan_iter("paiute:*:table:*", count=1000):
        table_id = key.decode().rsplit(":", 1)[1]
        if table_id in watch.followers:
            continue
        made = watch.store.entries(table_id, 0, 1)
        host = watch.store.load(table_id).host
        if host in unknown:
            unknown.remove(host)
        else:
            findings.add(Law.MADE, f"{table_id} of {host}: {made}")


def check_errors(folder: Path, findings: Findings) -> None:
    """The service has logged no error, but where the store was away."""
    for path in folder.glob("*.log"):
        for line in path.read_text(errors="replace").splitlines():
            found = ERROR.search(line)
            if found and not any(name in line for name in AWAY):
                findings.add(
                    Law.ERROR,
                    f"{path.name}: {found['what'][:300]}",
                )


def check_accounts(system: System, findings: Findings) -> str:
    """What `paiute audit` says."""
    env = {**system.env, "PAIUTE_REDIS_URL": system.store_url}
    command = [sys.executable, "-m", "service.cli", "audit"]
    audit = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    if audit.returncode:
        findings.add(Law.ACCOUNTS, audit.stdout + audit.stderr)
    return audit.stdout.strip()
