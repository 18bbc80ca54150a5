"""The example bots: they play to the end, whatever becomes of their connections."""

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest

from tests.docs.pages import DOCS
from tests.support.busy import busy
from tests.support.client import Client
from tests.support.cutting import cutting_proxy
from tests.support.node import node
from tests.support.processes import RunningService

EXAMPLES = DOCS.parent / "examples"
SANDBOX_BOT = [sys.executable, str(EXAMPLES / "bot.py")]
BOTS = {
    "python": [sys.executable, str(EXAMPLES / "table_bot.py")],
    "node": [node(), str(EXAMPLES / "bot.mjs")],
}


def run(bot: list[str], *arguments: str) -> str:
    """What a bot prints that plays to its end."""
    ran = subprocess.run(
        [*bot, *arguments], capture_output=True, text=True, timeout=120, check=False
    )
    assert 0 == ran.returncode, ran.stderr
    return ran.stdout


def test_lost_connections(service: RunningService) -> None:
    """Two bots join a table that they are told of, and play on however often they are cut off."""
    with (
        closing(Client(service.url)) as host,
        cutting_proxy(service.url, 6_000, 14_000) as proxy,
        ThreadPoolExecutor() as pool,
    ):
        table = host.create(seats=3, deals=1)
        running = [pool.submit(run, bot, proxy.url, table["id"]) for bot in BOTS.values()]
        while table["status"] == "waiting":
            table = host.next_view(table)
        host.post(f"/tables/{table['id']}/leave").raise_for_status()
        printed = [bot.result() for bot in running]

        assert "closed" == host.view(table["id"])["status"]
    assert all("Robo" in stacks for stacks in printed)
    assert proxy.broken


def test_a_match_on_a_bad_network(service: RunningService) -> None:
    """However often the bot is cut off, it makes each move once and comes to the end."""
    with cutting_proxy(service.url, 6_000, 14_000) as proxy:
        match = json.loads(run(SANDBOX_BOT, proxy.url, "2", "easy", "easy"))
        assert ("over", 3) == (match["status"], match["played"])
    assert proxy.broken


@pytest.mark.parametrize("bot", BOTS)
def test_a_table_of_its_own(service: RunningService, bot: str) -> None:
    """Without a table a bot makes one, and sends again what was answered with 429."""
    with busy(service.url) as (url, put_off):
        assert "Robo" in run(BOTS[bot], url)

    assert 3 < len(put_off)
