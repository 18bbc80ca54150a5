"""What each type of event holds, as the document has it.

A table's events are described by the very classes that they are; a client reads `type` first, and
passes over one that it does not know.
"""

from typing import Any

import msgspec

from service.engine.deal import Reason
from service.tables.events import EVENT_TYPES

Json = dict[str, Any]

WHOLE: Json = {"type": "integer"}
TEXT: Json = {"type": "string"}
MOMENT: Json = {"type": "string", "format": "date-time"}
WHOLES: Json = {"type": "array", "items": WHOLE}
OWN_SEAT: Json = {"type": ["integer", "null"], "description": "Yours; null where you have none."}


def ref(name: str) -> Json:
    """A reference to a schema of the document."""
    return {"$ref": f"#/components/schemas/{name}"}


NOTICES: dict[str, tuple[str, Json]] = {
    "your_turn": (
        "It is your turn, or yours to cut.",
        {
            "deal": WHOLE,
            "seat": WHOLE | {"description": "Yours."},
            "phase": TEXT | {"enum": ["cut", "draw"]},
            "ends_at": MOMENT | {"type": ["string", "null"], "description": "Null: no clock."},
        },
    ),
    "deal_started": (
        "A deal began.",
        {
            "seat": OWN_SEAT,
            "deal": WHOLE,
            "seats": WHOLES | {"description": "In the order of play, the dealer last."},
            "dealer": WHOLE,
            "cutter": WHOLE,
            "pot": WHOLE,
            "commitment": TEXT | {"description": "SHA-256 of the seed of the cards."},
        },
    ),
    "deal_over": (
        "A deal is over and paid out.",
        {
            "seat": OWN_SEAT,
            "deal": WHOLE,
            "reason": TEXT | {"enum": [str(reason) for reason in Reason]},
            "winners": WHOLES | {"description": "Seats."},
            "pot": WHOLE,
            "share": WHOLE | {"description": "What you got of it."},
        },
    ),
    "seated": (
        "Somebody took a seat, you or another.",
        {
            "seat": OWN_SEAT,
            "player": ref("Player"),
            "taken": WHOLE | {"description": "Their seat."},
        },
    ),
    "seat_lost": (
        "The clock took your seat: three of your turns in a row ran out, or one without a clock.",
        {"deal": WHOLE, "seat": WHOLE | {"description": "The one that was yours."}},
    ),
    "table_closed": (
        "A table is closed for good.",
        {
            "seat": OWN_SEAT,
            "reason": TEXT | {"description": "As in the event `table_closed` of the table."},
        },
    ),
}
"""What concerns a player: for each type its summary, and the fields of `data`."""

ALL_OF_A_PLAYER = {
    "tables": {"type": "array", "items": ref("OwnSummary")},
    "invitations": {"type": "array", "items": ref("Invitation")},
}
WHOLE_ONES = {
    "snapshot": "How everything stands when a stream begins; the events after it follow.",
    "resync": "How everything stands, since not all that has happened meanwhile can be told.",
}


def described() -> dict[str, Json]:
    """The schemas of all events of tables and of accounts, by name."""
    tables = {kind: _table_event(kind, *_told(kind)) for kind in EVENT_TYPES}
    tables |= {kind: _table_event(kind, said, ref("Table")) for kind, said in WHOLE_ONES.items()}
    accounts = {
        kind: _account_event(kind, said, an_object(data)) for kind, (said, data) in NOTICES.items()
    }
    accounts["invited"] = _account_event("invited", "An invitation.", ref("Invitation"))
    accounts |= {
        kind: _account_event(kind, said, an_object(ALL_OF_A_PLAYER))
        for kind, said in WHOLE_ONES.items()
    }
    return _union("KnownEvent", "Event", tables) | _union("KnownAccountEvent", "Notice", accounts)


def an_object(properties: Json) -> Json:
    """The schema of an object that has all of these fields, and perhaps others."""
    return {"type": "object", "properties": properties, "required": list(properties)}


def words(kind: str) -> str:
    """A type of event as part of a name: `CardDrawn`."""
    return "".join(map(str.capitalize, kind.split("_")))


def _union(name: str, suffix: str, schemas: dict[str, Json]) -> dict[str, Json]:
    """A schema for each type, and one of the name for them all."""
    mapping = {kind: ref(words(kind) + suffix) for kind in schemas}
    union = {
        "description": "An event of a type that is known now. Pass over one of any other type.",
        "oneOf": list(mapping.values()),
        "discriminator": {
            "propertyName": "type",
            "mapping": {kind: one["$ref"] for kind, one in mapping.items()},
        },
    }
    return {words(kind) + suffix: schema for kind, schema in schemas.items()} | {name: union}


def _table_event(kind: str, said: str, data: Json) -> Json:
    fields = {"id": WHOLE, "type": TEXT | {"const": kind}, "at": MOMENT, "table": TEXT}
    return {"description": said} | an_object(fields | {"data": data})


def _account_event(kind: str, said: str, data: Json) -> Json:
    alone = kind in WHOLE_ONES
    fields = {
        "id": TEXT,
        "type": TEXT | {"const": kind},
        "at": MOMENT,
        "table": {"type": "null"} if alone else TEXT,
        "version": {"type": "null"} if alone else WHOLE,
    }
    if kind == "invited":
        fields["version"] = {"type": "null"}
    return {"description": said} | an_object(fields | {"data": data})


def _told(kind: str) -> tuple[str, Json]:
    """What is said of a table's event, and its `data`."""
    template = "#/components/schemas/{name}"
    (one,), found = msgspec.json.schema_components([EVENT_TYPES[kind]], ref_template=template)
    schema = found[one["$ref"].rpartition("/")[2]]
    fields = {name.replace("source", "from"): it for name, it in schema["properties"].items()}
    said = schema["description"].replace("None", "null")
    return said, an_object({name: _clear(it) for name, it in fields.items()})


def _clear(field: Json) -> Json:
    """A field's schema in the document's own words."""
    if field == ref("Source"):
        return TEXT | {"enum": ["stock", "discard"]}
    if "enum" in field:
        return TEXT | field
    if "anyOf" in field:
        field = field | {"anyOf": list(map(_clear, field["anyOf"]))}
    return {name: said for name, said in field.items() if name != "default"}
