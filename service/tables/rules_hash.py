"""A short name of a set of house rules, by which players say what they agree to."""

import hashlib
from functools import lru_cache

import msgspec

from service.engine.house_rules import HouseRules


@lru_cache(maxsize=1024)
def rules_hash(rules: HouseRules) -> str:
    """A short name of a set of house rules: equal for equal rules, whatever the table."""
    canonical = msgspec.json.encode(rules, order="sorted")
    return hashlib.sha256(canonical).hexdigest()[:16]
