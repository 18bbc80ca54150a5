"""Chaos: the whole service under load, while its parts are killed, halted and cut off.

`python -m tests.chaos --minutes 10 --seed 7` runs it, reports, and exits with 1 where a law was
broken or a recovery took too long.  The seed fixes the schedule of faults; what meets what still
depends on the machine, so a seed that found something may have to run more than once.

- `system`, `processes`, `proxy`: the service in its parts, their supervisor, bad networks.
- `faults`: the schedule.  `players`, `caller`, `journal`: the load, and what it was told.
- `watch`, `follower`: every log, followed as it grows.  `moves`, `leftovers`: checks of the whole.
- `outages`, `delays`: how late what was due was done.  `findings`, `report`: what came of it.
"""
