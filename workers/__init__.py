"""RQ workers: job functions of a few lines, the processes that run them, and the sweep."""
