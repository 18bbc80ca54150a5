"""docs/streams.md says what is so."""

import re
from contextlib import closing
from typing import get_args

from service.api.event_schemas import NOTICES
from service.config import Config
from service.store.leases import LEASE_MS
from service.streams import KEEP_ALIVE_SECONDS
from service.tables.notices import NoticeType
from tests.docs.pages import DOCS
from tests.support.client import Client
from tests.support.processes import RunningService
from tests.support.waiting import wait_until

TEXT = (DOCS / "streams.md").read_text(encoding="utf-8")
ROW = re.compile(r"^\| (`\w+`(?:, `\w+`)*) \|[^|]*\| ([^|]*) \|$", re.MULTILINE)
AT_TABLES, OF_ACCOUNTS = TEXT.split("**On your account**")


def fields_told(text: str) -> dict[str, list[str]]:
    """By type of event, the names of its data in a table of the page."""
    return {
        kind: re.findall(r"`(\w+)`", data)
        for kinds, data in ROW.findall(text)
        for kind in re.findall(r"`(\w+)`", kinds)
    }


def test_every_type_is_there() -> None:
    """The page has all types of an account's events, and those that only streams of tables have."""
    whole = {"snapshot", "resync"}
    assert whole == set(fields_told(AT_TABLES))
    assert whole | {*get_args(NoticeType), "invited"} == set(fields_told(OF_ACCOUNTS))


def test_the_data_of_an_accounts_events(service: RunningService) -> None:
    """Each type has just the data that the page names: seen in a deal, and in an invitation."""
    told, seen = fields_told(OF_ACCOUNTS), dict[str, set[str]]()
    with closing(Client(service.url)) as keola, closing(Client(service.url, "Pua")) as pua:
        (snapshot,) = keola.get("/me/events").json()["items"]
        rules = {"first_dealer": 1}  # Keola cuts.
        view = pua.create(seats=2, deals=1, visibility="private", rules=rules)
        pua.post(f"/tables/{view['id']}/invitations", {"player": keola.id}).raise_for_status()
        (invited,) = keola.get("/me/events", params={"after": snapshot["id"]}).json()["items"]
        code = invited["data"]["invite_code"]
        keola.post(f"/tables/{view['id']}/join", {"invite_code": code}).raise_for_status()
        pua.post(f"/tables/{view['id']}/leave").raise_for_status()
        wait_until(lambda: keola.view(view["id"])["status"] == "closed")
        events = keola.get("/me/events", params={"after": invited["id"]}).json()["items"]

    for event in (snapshot, invited, *events):
        seen[event["type"]] = set(event["data"])
    seen["seat_lost"] = set(NOTICES["seat_lost"][1])  # No turn runs out so soon.
    assert set(told) - {"resync"} == set(seen)
    for kind, names in seen.items():
        assert names == set(told[kind]), kind


def test_the_numbers_are_the_codes() -> None:
    """The numbers of the page are those in the code."""
    assert f"Every {KEEP_ALIVE_SECONDS} seconds" in TEXT.replace("**", "")
    assert f"the token has {Config('', '').streams_per_token} streams open" in TEXT
    assert f"counts for {LEASE_MS // 1000} seconds more" in TEXT
