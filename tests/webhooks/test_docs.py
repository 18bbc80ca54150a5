"""docs/webhooks.md says what is so."""

import re
from pathlib import Path
from typing import Any

from service.api.webhook_events import TOLD
from service.store.webhooks import MOST_WAITING, MOST_WATCHERS, MOST_WEBHOOKS, Delivery
from service.webhooks.postman import FAILING_MS, MOST_RETRY_AFTER, PAUSES
from service.webhooks.sending import WHOLE_SECONDS, new_secret, signature
from service.webhooks.targets import LEAST_PORT

TEXT = (Path(__file__).parents[2] / "docs/webhooks.md").read_text()


def test_the_program_verifies() -> None:
    """The program that checks signatures takes ours, and no other."""
    (program,) = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)
    defined: dict[str, Any] = {}
    exec(program, defined)
    secret, delivery = new_secret(), Delivery("msg_1", '{"type": "ping"}')
    headers = {
        "webhook-id": delivery.id,
        "webhook-timestamp": "1700000000",
        "webhook-signature": signature(secret, delivery, 1_700_000_000),
    }
    body = delivery.body.encode()
    assert defined["is_ours"](secret, headers, body)
    assert not defined["is_ours"](new_secret(), headers, body)
    assert not defined["is_ours"](secret, headers, body + b" ")
    assert not defined["is_ours"](secret, headers | {"webhook-id": "msg_2"}, body)


def test_every_type_is_explained() -> None:
    """Each type that is sent has its row, with the names of all that is in `data`."""
    for kind, (_, data) in TOLD.items():
        row = re.search(rf"^\| `{kind}` \| .*$", TEXT, re.MULTILINE)
        assert row is not None, kind
        names = set(data) - {"table", "version"}
        assert all(f"`{name}`" in row[0] for name in names), (kind, names)


def test_the_numbers_are_the_codes() -> None:
    """The numbers of the guide are those in the code."""
    assert f"at most {MOST_WEBHOOKS} webhooks" in TEXT
    assert f"at most {MOST_WAITING:,}, then" in TEXT
    assert f"Where {MOST_WATCHERS} players are told" in TEXT
    assert f"port 443 or one from {LEAST_PORT} on" in TEXT
    assert f"failed for {FAILING_MS // 3_600_000} hours" in TEXT
    assert (6, 24 * 3600) == (WHOLE_SECONDS, MOST_RETRY_AFTER)
    assert "within six seconds" in TEXT
    assert "up to\na day" in TEXT.replace("  a day", "a day")
    assert (5, 30, 120, 600, 3600, 3 * 3600, 6 * 3600) == PAUSES
