"""The example bots: they play to the end, whatever becomes of their connections."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

from tests.docs.pages import DOCS
from tests.support.busy import busy
from tests.support.client import Client
from tests.support.cutting import cutting_proxy
from tests.support.node import node
from tests.support.processes import RunningService

EXAMPLES = DOCS.parent / "examples"
BOTS = {
    "python": [sys.executable, str(EXAMPLES / "bot.py")],
    "node": [node(), str(EXAMPLES / "bot.mjs")],
}


def run(bot: str, *arguments: str) -> str:
    """What a bot prints that plays to its end."""
    ran = subprocess.run(
        [*BOTS[bot], *arguments], capture_output=True, text=True, timeout=120, check=False
    )
    assert 0 == ran.returncode, ran.stderr
    return ran.stdout


def test_lost_connections(service: RunningService) -> None:
    """Bots whose connections are lost again and again play their deals all the same."""
    with cutting_proxy(service.url, 10_000, 30_000) as proxy, ThreadPoolExecutor() as pool:
        printed = list(pool.map(run, BOTS, [proxy.url] * len(BOTS)))

    assert all("Robo" in stacks for stacks in printed)
    assert 2 <= proxy.broken


def test_too_fast(service: RunningService) -> None:
    """What was answered with 429 is sent again."""
    with busy(service.url) as (url, put_off):
        run("node", url)

    assert len(put_off) > 3


def test_a_table_it_is_told_of(service: RunningService) -> None:
    """Given a table, the bot joins it and plays there until it closes."""
    with closing(Client(service.url)) as host:
        table = host.create(seats=3, bots=[{"level": "easy"}], thinking_ms=0, deals=1)
        with ThreadPoolExecutor(1) as pool:
            running = pool.submit(run, "node", service.url, table["id"])
            while table["status"] == "waiting":
                table = host.next_view(table)
            host.post(f"/tables/{table['id']}/leave").raise_for_status()
            running.result()

        assert "closed" == host.view(table["id"])["status"]
