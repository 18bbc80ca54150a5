"""Programs in Markdown, and what they print.

A page's blocks of one language are one program, in their order.  A block of `text` after one of
them is what that block prints; three dots in it stand for anything.
"""

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from tests.support.node import node

DOCS = Path(__file__).parents[2] / "docs"
OWN_URL = "http://127.0.0.1:8000"
MARK = "- - - the end of a block - - -"

BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$\s*(?:^```text\n(.*?)^```$)?", re.DOTALL | re.MULTILINE)

RUNS = {
    "sh": (["sh", "-eu", "-s"], f"echo '{MARK}'"),
    "python": ([sys.executable, "-"], f"print('{MARK}', flush=True)"),
    "js": ([node(), "--input-type=module", "-"], f"console.log('{MARK}')"),
}
"""By language, what runs a program that comes on its input, and what marks a block's end there."""

ENV = os.environ | {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
"""The shell finds the Python of the tests first."""


@dataclass(frozen=True)
class Block:
    """A block of a page: its language, its text, and what it prints, if the page says so."""

    language: str
    text: str
    prints: str | None


def blocks(page: str) -> list[Block]:
    """All blocks of a page; `text` after a program is a part of that program's block."""
    found = BLOCK.findall((DOCS / page).read_text(encoding="utf-8"))
    return [Block(language, text, prints or None) for language, text, prints in found]


def run(program: list[Block], url: str) -> list[str]:
    """Run blocks of one language as one program on a service; gives what each of them prints."""
    command, mark = RUNS[program[0].language]
    text = "".join(f"{block.text}{mark}\n" for block in program).replace(OWN_URL, url)
    ran = subprocess.run(
        command, input=text, capture_output=True, text=True, timeout=120, check=False, env=ENV
    )
    assert (0, "") == (ran.returncode, ran.stderr), ran.stdout
    *printed, rest = ran.stdout.split(f"{MARK}\n")
    assert not rest
    return printed


def fits(expected: str, printed: str) -> bool:
    """Whether a text is as expected, where three dots stand for anything."""
    pattern = ".*".join(map(re.escape, expected.split("...")))
    return re.fullmatch(pattern, printed, re.DOTALL) is not None
