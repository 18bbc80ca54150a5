"""Where tables are kept: the only importers of redis and rq.

`base.Store.change` is the one optimistic lock; `redis_store` and its in-memory twin `memory`
pass the same contract tests.
"""
