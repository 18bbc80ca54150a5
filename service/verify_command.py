"""`paiute verify`: whether nobody chose the cards of a deal, of a file or of a running service."""

import json
import sys
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import click

from service.verify import CannotCheck, Finding, Papers, check, fetch, is_url, load

MARKS = {True: ("✓", "green"), False: ("✗", "red"), None: ("!", "yellow")}


class NotChecked(click.ClickException):
    """Nothing could be checked."""

    exit_code = 2


@click.command()
@click.argument("source", metavar="FILE|URL")
@click.option(
    "--commitment",
    metavar="HEX",
    help="What you noted before the cut: `deal.commitment` of the view then.",
)
@click.option("--json", "for_programs", is_flag=True, help="Print JSON, a line for each deal.")
def verify(source: str, commitment: str | None, for_programs: bool) -> None:
    """Check that nobody chose the cards of a deal.

    URL is a finished deal on any service, or a table: then all its deals are checked. FILE is a
    proof, as GET .../deals/N/proof answers it; or an object of `proof`, and with it `record` (as
    GET .../deals/N answers it) and `commitment`; or a list of these, or one a line.

    Seed and cut are all it takes: every card is worked out anew from them. With the record it is
    checked too that just these cards were drawn, discarded and shown.

    \b
    Examples
      paiute verify http://127.0.0.1:8000/v1/tables/01M8.../deals/3
      paiute verify http://127.0.0.1:8000/v1/tables/01M8...
      paiute verify proof.json --commitment 630dcd2966c4336691125448bbb25b4f...

    Afterwards a service could show any commitment: what counts is the one that you noted before
    the cut.

    Ends with 0 if the cards are fair, with 1 if something does not fit, with 2 if it could not be
    checked.
    """  # noqa: D301 - \b is for click: the next lines stay as they are
    found: list[tuple[Papers, list[Finding]]] = []
    stopped = None
    try:
        for papers in _papers(source, commitment):
            found.append((papers, check(papers)))  # noqa: PERF401 - it may stop half-way
    except CannotCheck as error:
        stopped = NotChecked(str(error))
    except KeyboardInterrupt:
        stopped = NotChecked("Stopped before all was checked.")
    # Only now, so that a progress bar and the findings don't get into each other's lines.
    for papers, findings in found:
        click.echo((_as_json if for_programs else _as_text)(papers, findings))
    if stopped:
        raise stopped
    wrong = sum(not _fits(findings) for _, findings in found)
    if not for_programs:
        click.echo(_verdict(len(found), wrong))
    sys.exit(1 if wrong else 0)


def _papers(source: str, commitment: str | None) -> Iterator[Papers]:
    """The papers of each deal, with a progress bar on standard error where that is a terminal."""
    number, found = fetch(source) if is_url(source) else load(source)
    if commitment is not None and number > 1:
        raise CannotCheck(f"A commitment is of one deal, and here are {number}.")
    hidden = number == 1 or not sys.stderr.isatty()
    with click.progressbar(
        found, length=number, label="deals", file=sys.stderr, hidden=hidden
    ) as bar:
        for papers in bar:
            yield replace(papers, commitment=commitment) if commitment is not None else papers


def _fits(findings: list[Finding]) -> bool:
    return all(finding.fits is not False for finding in findings)


def _as_text(papers: Papers, findings: list[Finding]) -> str:
    proof = papers.proof
    of = f" of table {proof.table}" if proof.table else ""
    lines = [click.style(f"deal {proof.number}{of}", bold=True)]
    for finding in findings:
        mark, colour = MARKS[finding.fits]
        lines.append(f"  {click.style(mark, fg=colour)} {finding.text}")
    return "\n".join(lines)


def _as_json(papers: Papers, findings: list[Finding]) -> str:
    found: dict[str, Any] = {
        "table": papers.proof.table,
        "number": papers.proof.number,
        "fits": _fits(findings),
        "checked": [finding.text for finding in findings if finding.fits],
        "faults": [finding.text for finding in findings if finding.fits is False],
        "cautions": [finding.text for finding in findings if finding.fits is None],
    }
    return json.dumps(found)


def _verdict(checked: int, wrong: int) -> str:
    if not wrong:
        return "The cards are fair." if checked == 1 else f"The cards of all {checked} are fair."
    return "This does not fit." if checked == 1 else f"{wrong} of {checked} do not fit."
