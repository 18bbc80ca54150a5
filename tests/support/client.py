"""A client that knows docs/api.md alone: it plays by `legal`."""

from collections.abc import Callable
from typing import Any

import requests

Json = dict[str, Any]
Chooser = Callable[[Json], Json]


class Client:
    """A player over HTTP."""

    def __init__(self, url: str, name: str = "Keola", kind: str = "human") -> None:
        self.url = url
        self.http = requests.Session()
        account = self.http.post(f"{url}/v1/players", json={"name": name, "kind": kind})
        account.raise_for_status()
        self.account: Json = account.json()
        self.id: str = self.account["id"]
        self.http.headers["Authorization"] = f"Bearer {self.account['token']}"

    def close(self) -> None:
        """Let the connections go."""
        self.http.close()

    def get(self, path: str, **options: Any) -> requests.Response:
        """GET under /v1."""
        return self.http.get(f"{self.url}/v1{path}", **options)

    def post(self, path: str, body: Json | None = None, **options: Any) -> requests.Response:
        """POST under /v1."""
        return self.http.post(f"{self.url}/v1{path}", json=body, **options)

    def delete(self, path: str, **options: Any) -> requests.Response:
        """DELETE under /v1."""
        return self.http.delete(f"{self.url}/v1{path}", **options)

    def create(self, **settings: Any) -> Json:
        """A new table's view."""
        answer = self.post("/tables", settings)
        assert answer.status_code == 201, answer.text
        view: Json = answer.json()
        return view

    def view(self, table: str) -> Json:
        """The view of a table."""
        answer = self.get(f"/tables/{table}")
        assert answer.status_code == 200, answer.text
        view: Json = answer.json()
        return view

    def next_view(self, view: Json, wait: int = 20) -> Json:
        """The view once the table has moved on from one."""
        while True:
            headers = {"If-None-Match": f'"{view["version"]}"'}
            answer = self.get(f"/tables/{view['id']}?wait={wait}", headers=headers)
            if answer.status_code != 304:
                assert answer.status_code == 200, answer.text
                newer: Json = answer.json()
                return newer

    def act(self, view: Json, action: Json) -> requests.Response:
        """Do one of `legal` at the version that it was seen at."""
        headers = {"If-Match": f'"{view["version"]}"'}
        return self.post(f"/tables/{view['id']}/{action['do']}", action["body"], headers=headers)


def simple_choice(view: Json) -> Json | None:
    """A move that `legal` offers: call, or draw from the stock and discard what came."""
    legal = {one["action"]: one for one in view["you"]["legal"]}
    if "cut" in legal:
        return {"do": "cut", "body": {"position": 21}}
    if "call" in legal:
        return {"do": "call", "body": {}}
    if "draw" in legal:
        return {"do": "draw", "body": {"from": "stock"}}
    if "discard" in legal:
        return {"do": "discard", "body": {"card": legal["discard"]["cards"][0]}}
    return None
