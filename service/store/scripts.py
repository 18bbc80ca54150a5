"""The Lua scripts beside this module."""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from importlib.resources import files
from typing import Any

from redis.commands.core import Script
from redis.exceptions import NoScriptError


class QuickScript(Script):
    """A script of redis-py, without the look at what its client is: that takes a while."""

    def __call__(
        self,
        keys: Sequence[Any] | None = None,
        args: Iterable[Any] | None = None,
        client: Any = None,
    ) -> Any:
        """Run it; in a pipeline, where one is given, else at once."""
        if client is not None:
            return super().__call__(keys, args, client)
        run: Any = self.registered_client.execute_command
        names = keys or ()
        with suppress(NoScriptError):
            return run("EVALSHA", self.sha, len(names), *names, *(args or ()))
        return run("EVAL", self.script, len(names), *names, *(args or ()))


def script(name: str) -> str:
    """The text of a script."""
    return files(__package__).joinpath(f"{name}.lua").read_text()
