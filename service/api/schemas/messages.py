"""What is said of a field of a request that is not as it should be: what it takes.

These take the place of marshmallow's own texts, which say less and can't be translated.
"""

from typing import Any

from marshmallow import fields, validate

from service.api.languages import Phrase

OF_REQUESTS: dict[str, str] = {
    "type": Phrase("This has to be a JSON object."),
    "unknown": Phrase("No such field."),
}
"""By key, of a whole request or an object in it."""

OF_FIELDS: dict[type[fields.Field[Any]], dict[str, Phrase]] = {
    fields.Field: {
        "required": Phrase("This field is missing, and there is no default."),
        "null": Phrase("This field does not take null."),
        "validator_failed": Phrase("This field does not take that value."),
    },
    fields.Nested: {"type": Phrase("This has to be a JSON object.")},
    fields.List: {"invalid": Phrase("This has to be a list.")},
    fields.Mapping: {"invalid": Phrase("This has to be a JSON object.")},
    fields.String: {
        "invalid": Phrase("This has to be a text."),
        "invalid_utf8": Phrase("This text is not valid UTF-8."),
    },
    fields.Integer: {
        "invalid": Phrase("This has to be a whole number."),
        "too_large": Phrase("This number is too large."),
    },
    fields.Boolean: {"invalid": Phrase("This has to be true or false.")},
    fields.Url: {
        "invalid": Phrase("This has to be a whole address, such as https://example.com/.")
    },
}
"""By kind of field and key; the more special kind is asked first."""

RANGE = {
    "message_min": Phrase("This takes {min} or more."),
    "message_max": Phrase("This takes {max} or less."),
    "message_all": Phrase("This takes a number from {min} to {max}."),
}
LENGTH = {
    "message_min": Phrase("Too short; the fewest characters: {min}."),
    "message_max": Phrase("Too long; the most characters: {max}."),
    "message_all": Phrase("The number of characters has to be from {min} to {max}."),
    "message_equal": Phrase("The number of characters has to be {equal}."),
}
SIZE = {
    "message_min": Phrase("Too few entries; the fewest: {min}."),
    "message_max": Phrase("Too many entries; the most: {max}."),
    "message_all": Phrase("The number of entries has to be from {min} to {max}."),
    "message_equal": Phrase("The number of entries has to be {equal}."),
}
ONE_OF = Phrase("This takes one of: {choices}.")


def teach(field: fields.Field[Any]) -> None:
    """Have a field, and what is in it, speak in texts that can be translated."""
    own = {key: text for kind in reversed(type(field).__mro__) for key, text in _of(kind).items()}
    field.error_messages = {
        key: own.get(key, Phrase(str(text))) for key, text in field.error_messages.items()
    }
    for validator in field.validators:
        _teach_validator(validator, field)
    if isinstance(field, fields.List):
        teach(field.inner)


def _of(kind: type) -> dict[str, Phrase]:
    return OF_FIELDS.get(kind, {})


def _teach_validator(validator: Any, field: fields.Field[Any]) -> None:
    if error := getattr(validator, "error", None):
        validator.error = error if isinstance(error, Phrase) else Phrase(error)
    if isinstance(validator, validate.Range):
        vars(validator).update(RANGE)
    elif isinstance(validator, validate.Length):
        vars(validator).update(SIZE if isinstance(field, fields.List) else LENGTH)
    elif isinstance(validator, validate.OneOf):
        validator.error = ONE_OF
