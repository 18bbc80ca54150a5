"""A bot that plays by `you.legal`: python examples/table_bot.py URL [TABLE]"""

import sys
import time

import urllib3

url = sys.argv[1] if sys.argv[1:] else sys.exit(__doc__)
anew = urllib3.Retry(7, backoff_factor=1, allowed_methods=None, status_forcelist=range(500, 505))
http = urllib3.PoolManager(retries=anew, timeout=40)  # With If-Match no move is made twice.
me = http.request("POST", f"{url}/v1/players", json={"name": "Robo", "kind": "bot"}).json()
http.headers["Authorization"] = f"Bearer {me['token']}"
table = {"seats": 3, "deals": 2, "bots": [{"level": "easy"}] * 2, "thinking_ms": 0}
where, body = (f"/{sys.argv[2]}/join", {}) if sys.argv[2:] else ("", table)
view = http.request("POST", f"{url}/v1/tables{where}", json=body).json()
while view["status"] != "closed" and view["you"]:
    here = f"{url}/v1/tables/{view['id']}"
    legal = {one["action"]: one for one in view["you"]["legal"]}
    moves = {"cut": {"position": 21}, "call": {}, "draw": {"from": "stock"}}
    if "discard" in legal:  # The rank it has fewest of goes; the wild rank stays.
        hold = "".join(view["you"]["hand"]) + 9 * view["deal"]["wild_rank"]
        moves["discard"] = {"card": min(legal["discard"]["cards"], key=lambda c: hold.count(c[0]))}
    move = next((move for move in moves if move in legal), None)
    verb, path = ("POST", f"{here}/{move}") if move else ("GET", f"{here}?wait=25")
    known = {"If-Match" if move else "If-None-Match": f'"{view["version"]}"'}
    got = http.request(verb, path, json=moves.get(move), headers={**http.headers, **known})
    time.sleep(int(got.headers.get("Retry-After", 0)))  # Too many wait already.
    view = got.json().get("view", got.json()) if got.data else view  # A 412 has one, a 304 nothing.
print({seat["player"]["name"]: seat["stack"] for seat in view["seats"]})
