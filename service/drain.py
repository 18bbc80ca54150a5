"""Whether this process is about to be stopped: it serves on, but should be sent nothing new.

The launcher holds one end of a pipe and hands the other one down to the API's processes.  When it
lets go of its end, however that comes about, they all see it.
"""

import os
import select

PIPE = "_PAIUTE_DRAIN_PIPE"
"""The environment variable with the number of the pipe's file descriptor."""


class Drain:
    """The launcher's side of the pipe."""

    def __init__(self) -> None:
        self.pipe, self._held = os.pipe()
        self._begun = False

    @property
    def env(self) -> dict[str, str]:
        """What a process needs in its environment, beside the pipe itself."""
        return {PIPE: str(self.pipe)}

    def begin(self) -> None:
        """Tell all who have the pipe, once the forked copies of this one have let go of it too."""
        if not self._begun:
            self._begun = True
            os.close(self._held)


def begun() -> bool:
    """Whether this process is about to be stopped; never, where no launcher runs it."""
    pipe = os.environ.get(PIPE)
    if pipe is None:
        return False
    watch = select.poll()
    watch.register(int(pipe), select.POLLIN)
    return bool(watch.poll(0))
