"""What the options of `paiute simulate` may be; each refusal says what would do."""

import re
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import click

from service.bots import LEVELS
from service.engine.house_rules import HouseRules
from service.simulate import picture

NAMES = ("random", *LEVELS)
"""Who plays without being told where it is."""

RULES: dict[str, dict[str, Any]] = {
    "ace_low": {"true": True, "false": False},
    "final_turns": {name: name for name in ("complete_round", "every_player")},
    "reshuffle": {name: name for name in ("keep_top", "all")},
    "max_reshuffles": {str(number): number for number in range(101)},
}
"""The house rules that matter to bots, and what each may be."""

NAME = re.compile(r"[A-Za-z0-9_.-]{1,20}")
CLASS = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_][\w.]*")


def bots(_context: click.Context, _option: click.Parameter, texts: tuple[str, ...]) -> Any:
    """Where each bot is, by its name."""
    found: dict[str, str] = {}
    for text in texts:
        name, _, where = text.partition("=")
        if not NAME.fullmatch(name) or name in NAMES or name in found:
            raise click.BadParameter(
                f"{name!r} can't be the name of a bot: take one that is free, of up to 20 letters, "
                "digits, dots, '-' and '_'."
            )
        if not _is_address(where) and not CLASS.fullmatch(where):
            raise click.BadParameter(f"{where!r} is neither http://HOST:PORT/... nor MODULE:CLASS.")
        found[name] = where
    return found


def _is_address(where: str) -> bool:
    try:
        parts = urlsplit(where)
        return parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


def names(text: str, found: dict[str, str]) -> tuple[str, ...]:
    """Who plays: the names of `--levels`, and the bots that are not among them.

    Raises:
        click.BadParameter: a name is unknown, or there twice.
    """
    listed = [name.strip() for name in text.split(",") if name.strip()]
    for name in listed:
        if name not in NAMES and name not in found:
            raise click.BadParameter(
                f"There is no {name!r}: take of {', '.join([*NAMES, *found])}.",
                param_hint="'--levels'",
            )
        if listed.count(name) > 1:
            raise click.BadParameter(f"{name!r} is there twice.", param_hint="'--levels'")
    playing = (*listed, *(name for name in found if name not in listed))
    if not playing:
        raise click.BadParameter("There is nobody to play.", param_hint="'--levels'")
    return playing


def rules(_context: click.Context, _option: click.Parameter, text: str) -> HouseRules:
    """The house rules, the usual ones where nothing else is said."""
    chosen = {}
    for each in filter(None, text.split(",")):
        name, _, value = each.strip().partition("=")
        if name not in RULES:
            raise click.BadParameter(f"{name!r} is not one of {', '.join(RULES)}.")
        if value not in RULES[name]:
            allowed = "0 to 100" if name == "max_reshuffles" else " or ".join(RULES[name])
            raise click.BadParameter(f"{name} is {allowed}, not {value!r}.")
        chosen[name] = RULES[name][value]
    return HouseRules(**chosen)


def file(_context: click.Context, _option: click.Parameter, path: Path | None) -> Path | None:
    """Where a picture is drawn, if it can be."""
    if path is None:
        return None
    if path.suffix not in picture.KINDS:
        raise click.BadParameter(f"{path} has to end in {' or '.join(picture.KINDS)}.")
    if not path.absolute().parent.is_dir():
        raise click.BadParameter(f"There is no folder {path.parent}.")
    if not picture.can_draw():
        raise click.BadParameter("This takes matplotlib: pip install 'paiute[plot]'.")
    return path
