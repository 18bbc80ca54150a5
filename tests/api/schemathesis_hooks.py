"""Hooks of schemathesis.

It makes the same simple idempotency keys again and again, and an old key with a new request is
refused; so it sends none.  tests/api/test_idempotency.py does.  And it learns the id of its own
token, which it must not revoke.
"""

import os
from typing import Any

import schemathesis

ACCOUNT = "SCHEMATHESIS_ACCOUNT"
"""The environment variable with the id of the account, and so of the token, that it calls with."""


@schemathesis.hook
def before_load_schema(_context: Any, raw_schema: dict[str, Any]) -> None:
    """Take the parameter out of the document."""
    for path in raw_schema["paths"].values():
        operations = [one for one in path.values() if isinstance(one, dict)]
        for one in operations:
            named = one.get("parameters", [])
            one["parameters"] = [it for it in named if it.get("name") != "Idempotency-Key"]


@schemathesis.hook
def before_call(_context: Any, case: Any, _kwargs: Any) -> None:
    """Put another id in the place of its own token's."""
    places = case.path_parameters or {}
    if places.get("token_id") == os.environ.get(ACCOUNT, ""):
        places["token_id"] = "spared"
