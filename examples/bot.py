"""A bot, and how strong it is against house bots: python examples/bot.py URL DEALS LEVEL..."""

from sys import argv, exit

from urllib3 import PoolManager, Retry


def decide(view: dict) -> tuple[str, dict]:
    """Put your ideas here: one of `you.legal`, and the body that goes with it."""
    legal = {one["action"]: one for one in view["you"]["legal"]}
    if "call" in legal or "draw" in legal:
        return ("call", {}) if "call" in legal else ("draw", {"from": "stock"})
    hold = "".join(view["you"]["hand"]) + 9 * view["deal"]["wild_rank"]  # The wild rank stays.
    return "discard", {"card": min(legal["discard"]["cards"], key=lambda card: hold.count(card[0]))}


url, wish = (argv[1], {"deals": int(argv[2]), "levels": argv[3:]}) if argv[3:] else exit(__doc__)
http = PoolManager(retries=Retry(5, allowed_methods=None, backoff_factor=1, status_forcelist=[503]))
me = http.request("POST", f"{url}/v1/players", json={"name": "Robo", "kind": "bot"}).json()
http.headers["Authorization"] = f"Bearer {me['token']}"
made = http.request("POST", f"{url}/v1/sandbox/matches", json=wish).json()
match = made.get("id") or made.get("match") or exit(made)  # An open match goes on.
view = http.request("GET", f"{url}/v1/tables/{match}").json()
while view["status"] != "closed":
    action, body = decide(view)
    http.headers["If-Match"] = f'"{view["version"]}"'  # So no move is made twice.
    got = http.request("POST", f"{url}/v1/tables/{match}/{action}", json=body)
    view = got.json().get("view", got.json()) if got.data else view  # A 412 has a fresh view.
print(http.request("GET", f"{url}/v1/sandbox/matches/{match}").data.decode())
