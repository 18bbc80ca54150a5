"""A bot, and how strong it is against house bots: python examples/bot.py URL DEALS LEVEL..."""

import sys

from urllib3 import PoolManager, Retry


def decide(view: dict) -> tuple[str, dict]:
    """Put your ideas here: one of `you.legal`, and the body that goes with it."""
    legal = {one["action"]: one for one in view["you"]["legal"]}
    if "call" in legal or "draw" in legal:
        return ("call", {}) if "call" in legal else ("draw", {"from": "stock"})
    hold = "".join(view["you"]["hand"]) + 9 * view["deal"]["wild_rank"]  # The wild rank stays.
    return "discard", {"card": min(legal["discard"]["cards"], key=lambda card: hold.count(card[0]))}


url, wish = f"{sys.argv[1]}/v1", {"deals": int(sys.argv[2]), "levels": sys.argv[3:]}
http = PoolManager(retries=Retry(5, allowed_methods=None, backoff_factor=1, status_forcelist=[503]))
me = http.request("POST", f"{url}/players", json={"name": "Robo", "kind": "bot"}).json()
http.headers["Authorization"] = f"Bearer {me['token']}"
made = http.request("POST", f"{url}/sandbox/matches", json=wish).json()
match = made.get("id") or made.get("match") or sys.exit(made)  # An open match goes on.
view = http.request("GET", f"{url}/tables/{match}").json()
while view["status"] != "closed":
    action, body = decide(view)
    http.headers["If-Match"] = f'"{view["version"]}"'  # So no move is made twice.
    got = http.request("POST", f"{url}/tables/{match}/{action}", json=body)
    view = got.json().get("view", got.json()) if got.data else view  # A 412 has a fresh view.
print(http.request("GET", f"{url}/sandbox/matches/{match}").data.decode())
