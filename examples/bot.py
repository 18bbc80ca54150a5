"""A bot that plays by `you.legal`: python examples/bot.py URL [TABLE]"""

import sys
import time

import requests

url, *joined = sys.argv[1:]
http = requests.Session()
me = http.post(f"{url}/v1/players", json={"name": "Robo", "kind": "bot"}).json()
http.headers["Authorization"] = f"Bearer {me['token']}"
table = {"seats": 3, "deals": 2, "bots": [{"level": "easy"}] * 2, "thinking_ms": 0}
where, body = (f"/{joined[0]}/join", {}) if joined else ("", table)
view = http.post(f"{url}/v1/tables{where}", json=body).json()
while view["status"] != "closed" and view["you"]:
    here, version = f"{url}/v1/tables/{view['id']}", f'"{view["version"]}"'
    legal = {one["action"]: one for one in view["you"]["legal"]}
    moves = {"cut": {"position": 21}, "call": {}, "draw": {"from": "stock"}}
    if "discard" in legal:  # The rank it has fewest of goes; the wild rank stays.
        hold = "".join(view["you"]["hand"]) + 9 * view["deal"]["wild_rank"]
        moves["discard"] = {"card": min(legal["discard"]["cards"], key=lambda c: hold.count(c[0]))}
    if move := next((move for move in moves if move in legal), None):
        answer = http.post(f"{here}/{move}", json=moves[move], headers={"If-Match": version})
    else:  # Wait up to 25 seconds for the table to change; 304 says that it has not.
        answer = http.get(here, params={"wait": 25}, headers={"If-None-Match": version})
    time.sleep(int(answer.headers.get("Retry-After", 0)))  # 429 is too fast; 503 may pass.
    if answer.status_code not in (304, 429, 503):  # A 412, the table has moved on, has a view too.
        view = answer.json().get("view") or answer.json()
print({seat["player"]["name"]: seat["stack"] for seat in view["seats"]})
