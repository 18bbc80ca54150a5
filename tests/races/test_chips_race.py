"""Two clients of one account race for two tables with chips for one."""

from concurrent.futures import ThreadPoolExecutor

import requests

from tests.support.client import Client
from tests.support.processes import RunningService

ROUNDS = 500


def test_two_tables_cannot_take_the_same_chips(service: RunningService) -> None:
    """In each round one join succeeds and the other is 409 `insufficient_chips`."""
    host, player = Client(service.url, "Host"), Client(service.url, "Racer")
    everything = player.account["balance"]
    hosts = [host, Client(service.url, "Another host")]
    tables = [one.create(seats=3, buy_in=everything, ante=1)["id"] for one in hosts]
    clients = [requests.Session() for _ in tables]
    for client in clients:
        client.headers.update(player.http.headers)
    won = []

    def join(place: int) -> requests.Response:
        return clients[place].post(f"{service.url}/v1/tables/{tables[place]}/join", json={})

    with ThreadPoolExecutor(2) as pool:
        for _ in range(ROUNDS):
            answers = list(pool.map(join, (0, 1)))
            assert [200, 409] == sorted(answer.status_code for answer in answers)
            winner = int(answers[1].status_code == 200)
            assert "insufficient_chips" == answers[1 - winner].json()["code"]
            assert 200 == player.post(f"/tables/{tables[winner]}/leave", {}).status_code
            won.append(winner)
    assert everything == player.get("/me").json()["balance"]
    ledger = player.get("/me/ledger", params={"limit": 100}).json()["items"]
    assert ["cash_out", "buy_in"] * 50 == [entry["why"] for entry in ledger]
    assert {0, 1} == set(won), "neither always wins"
    for client in (*clients, *(one.http for one in (*hosts, player))):
        client.close()
