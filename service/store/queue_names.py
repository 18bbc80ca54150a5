"""The job queues, for whoever needs no more than their names."""

QUEUES = ("bots", "settlement", "clock", "webhooks")
"""Each has worker processes of its own: RQ may lose a job of a worker on two queues."""
