"""What several commands of the bench read from their options."""

import click


def numbers(text: str, most: int) -> tuple[int, ...]:
    """Whole numbers with commas between them, each from 1 to `most`.

    Raises:
        BadParameter: the text is something else.
    """
    try:
        found = tuple(map(int, text.split(",")))
    except ValueError:
        raise click.BadParameter("whole numbers, with commas between them") from None
    if not all(1 <= number <= most for number in found):
        raise click.BadParameter(f"each from 1 to {most}")
    return found
