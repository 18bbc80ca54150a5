"""A bot that plays by `you.legal`: python examples/bot.py URL [TABLE]"""

import sys
import time

from requests import Session, adapters

url, http = sys.argv[1], Session()
me = http.post(f"{url}/v1/players", json={"name": "Robo", "kind": "bot"}).json()
http.headers["Authorization"] = f"Bearer {me['token']}"
table = {"seats": 3, "deals": 2, "bots": [{"level": "easy"}] * 2, "thinking_ms": 0}
where, body = (f"/{sys.argv[2]}/join", {}) if sys.argv[2:] else ("", table)
view = http.post(f"{url}/v1/tables{where}", json=body).json()
anew = adapters.Retry(7, backoff_factor=1, allowed_methods=None, status_forcelist=range(500, 505))
http.mount(url, adapters.HTTPAdapter(max_retries=anew))  # With If-Match no move is made twice.
while view["status"] != "closed" and view["you"]:
    here, etag = f"{url}/v1/tables/{view['id']}", f'"{view["version"]}"'
    legal = {one["action"]: one for one in view["you"]["legal"]}
    moves = {"cut": {"position": 21}, "call": {}, "draw": {"from": "stock"}}
    if "discard" in legal:  # The rank it has fewest of goes; the wild rank stays.
        hold = "".join(view["you"]["hand"]) + 9 * view["deal"]["wild_rank"]
        moves["discard"] = {"card": min(legal["discard"]["cards"], key=lambda c: hold.count(c[0]))}
    if move := next((move for move in moves if move in legal), None):
        got = http.post(f"{here}/{move}", None, moves[move], headers={"If-Match": etag}, timeout=40)
    else:  # Wait up to 25 seconds for the table to change; 304 says that it has not.
        got = http.get(f"{here}?wait=25", headers={"If-None-Match": etag}, timeout=40)
    time.sleep(int(got.headers.get("Retry-After", 0)))  # Too many wait already.
    view = got.json().get("view", got.json()) if got.content else view  # A 412 has one.
print({seat["player"]["name"]: seat["stack"] for seat in view["seats"]})
