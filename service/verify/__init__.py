"""Checking that nobody chose the cards of a deal: what `paiute verify` does (docs/fair-cards.md).

It knows of a service what any client knows: the proof, the record and the events that it gives out.
The cards it works out anew, from the seed and the cut.
"""

from service.verify.checks import Finding, check
from service.verify.papers import CannotCheck, Papers, read
from service.verify.sources import fetch, is_url, load

__all__ = ["CannotCheck", "Finding", "Papers", "check", "fetch", "is_url", "load", "read"]
