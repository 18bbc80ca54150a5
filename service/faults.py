"""What is logged of a fault: where it came from, never its message, which may name a card."""

import traceback


def describe(error: BaseException) -> str:
    """The kind of an exception and the places it passed through, the innermost last."""
    frames = traceback.extract_tb(error.__traceback__)
    places = " > ".join(f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames)
    cause = error.__cause__
    return f"{type(error).__name__} at {places}" + (f", from {describe(cause)}" if cause else "")
