"""Hooks of schemathesis.

It makes the same simple idempotency keys again and again, and an old key with a new request is
refused; so it sends none.  tests/api/test_idempotency.py does.
"""

from typing import Any

import schemathesis


@schemathesis.hook
def before_load_schema(_context: Any, raw_schema: dict[str, Any]) -> None:
    """Take the parameter out of the document."""
    for path in raw_schema["paths"].values():
        operations = [one for one in path.values() if isinstance(one, dict)]
        for one in operations:
            named = one.get("parameters", [])
            one["parameters"] = [it for it in named if it.get("name") != "Idempotency-Key"]
