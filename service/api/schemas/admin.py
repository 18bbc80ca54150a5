"""The bodies of requests and answers of operators."""

from typing import get_args

from marshmallow import fields, validate

from service.api.schemas.answers import AccountOut, LedgerEntryOut, SummaryOut, moment, whole
from service.api.schemas.common import Answer, Request, WholeNumber, one_of, text
from service.api.schemas.requests import MOST_CHIPS, Page
from service.tables.followups import Kind
from service.tables.table import Status


class AdminTablesQuery(Page):
    """Which tables."""

    status = one_of(Status)
    overdue = one_of(
        ("true", "false"),
        metadata={"description": "Only those where something is late by more than a second."},
    )


class CloseIn(Request):
    """Why a table is closed."""

    reason = text(200, description="What the players are told.")


class GrantIn(Request):
    """Chips to be granted."""

    amount = WholeNumber(strict=True, required=True, validate=validate.Range(1, MOST_CHIPS))
    note = text(200, description="What for; it is logged.")


class DueOut(Answer):
    """What has to happen next at a table by itself."""

    kind = one_of(get_args(Kind))
    at = moment()
    late_ms = whole(metadata={"description": "By how much it is late."})


class AdminTableOut(SummaryOut):
    """A table as operators see it: nothing of its deals."""

    version = whole()
    visibility = one_of(("public", "private"))
    host = fields.String()
    deals = whole(metadata={"description": "How many deals there have been."})
    chips = whole(metadata={"description": "All chips on the table, the pot included."})
    due = fields.Nested(DueOut, allow_none=True)


class AdminTablesPage(Answer):
    """A page of tables, the latest first."""

    items = fields.List(fields.Nested(AdminTableOut))
    next = fields.String(allow_none=True)


class AdminPlayerOut(AccountOut):
    """A player's account, and where the player sits."""

    created_at = moment()
    tables = fields.List(fields.Nested(AdminTableOut))


class GrantOut(LedgerEntryOut):
    """A grant, as the player's ledger has it."""

    player = fields.String(metadata={"description": "The id of the player."})


class QueueOut(Answer):
    """A job queue."""

    name = fields.String()
    jobs = whole(metadata={"description": "How many jobs wait."})
    oldest_ms = whole(metadata={"description": "How long the first of them has waited."})
    failed = whole(metadata={"description": "How many jobs have failed in the last day."})
    workers = whole(metadata={"description": "How many workers live."})


class BacklogOut(Answer):
    """The due index: all that has to happen by itself."""

    entries = whole()
    late = whole(metadata={"description": "How many of them are due by now."})
    late_ms = whole(
        metadata={"description": "How late the first is. Seconds here mean that no sweep runs."}
    )


class QueuesOut(Answer):
    """The job queues, and the due index that they are filled from."""

    queues = fields.List(fields.Nested(QueueOut))
    due = fields.Nested(BacklogOut)
