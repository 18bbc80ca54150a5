"""RQ workers: job functions of a few lines, the processes that run them, and the sweep."""

import service  # noqa: F401 - what it says of imports counts here too
