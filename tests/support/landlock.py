"""A read-only file system for a process and what it starts, by Landlock of Linux; without root."""

import ctypes
import os
import struct
from collections.abc import Callable, Sequence
from pathlib import Path

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
PATH_BENEATH = 1
ASK_VERSION = 1
PR_SET_NO_NEW_PRIVS = 38

WRITE_FILE = 1 << 1
CHANGES = WRITE_FILE | sum(1 << bit for bit in range(4, 13))
"""Writing to files, and making and removing whatever a folder may hold."""

_libc = ctypes.CDLL(None, use_errno=True)


def is_there() -> bool:
    """Whether the kernel has it."""
    return int(_libc.syscall(CREATE_RULESET, None, ctypes.c_size_t(0), ASK_VERSION)) > 0


def writing_to(paths: Sequence[Path]) -> Callable[[], None]:
    """What a child has to call before it becomes a program that writes to these paths alone.

    Args:
        paths: folders, with what is in them, and files.
    """

    def restrict() -> None:
        _libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
        ruleset = _call(CREATE_RULESET, struct.pack("Q", CHANGES), ctypes.c_size_t(8), 0)
        for path in paths:
            allowed = CHANGES if path.is_dir() else WRITE_FILE
            beneath = struct.pack("=Qi", allowed, os.open(path, os.O_PATH))
            _call(ADD_RULE, ruleset, PATH_BENEATH, beneath, 0)
        _call(RESTRICT_SELF, ruleset, 0)

    return restrict


def _call(number: int, *arguments: object) -> int:
    answer = int(_libc.syscall(number, *arguments))
    if answer < 0:
        raise OSError(ctypes.get_errno(), "the kernel refuses Landlock")
    return answer
