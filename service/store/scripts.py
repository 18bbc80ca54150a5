"""The Lua scripts beside this module."""

from importlib.resources import files


def script(name: str) -> str:
    """The text of a script."""
    return files(__package__).joinpath(f"{name}.lua").read_text()
