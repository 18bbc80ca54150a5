"""A bot, and how strong it is against house bots: python examples/bot.py URL DEALS LEVEL..."""

import sys

import urllib3


def decide(view: dict) -> tuple[str, dict]:
    """Put your ideas here: one of `you.legal`, and the body that goes with it."""
    legal = {one["action"]: one for one in view["you"]["legal"]}
    if "call" in legal or "draw" in legal:
        return ("call", {}) if "call" in legal else ("draw", {"from": "stock"})
    hold = "".join(view["you"]["hand"]) + 9 * view["deal"]["wild_rank"]  # The wild rank stays.
    return "discard", {"card": min(legal["discard"]["cards"], key=lambda card: hold.count(card[0]))}


url, wish = f"{sys.argv[1]}/v1", {"deals": int(sys.argv[2]), "levels": sys.argv[3:]}
http = urllib3.PoolManager(retries=urllib3.Retry(7, backoff_factor=1, allowed_methods=None))
me = http.request("POST", f"{url}/players", json={"name": "Robo", "kind": "bot"}).json()
http.headers["Authorization"] = f"Bearer {me['token']}"
match = http.request("POST", f"{url}/sandbox/matches", json=wish).json()["id"]
view = http.request("GET", f"{url}/tables/{match}").json()
while view["status"] != "closed":
    action, body = decide(view)
    known = {**http.headers, "If-Match": f'"{view["version"]}"'}  # So no move is made twice.
    got = http.request("POST", f"{url}/tables/{match}/{action}", json=body, headers=known)
    view = got.json().get("view", got.json()) if got.data else view  # A 412 has a fresh view.
score = http.request("GET", f"{url}/sandbox/matches/{match}").json()
print("{share:.1%} ({low:.1%} to {high:.1%}), Elo {elo:+.0f}".format(**score))
