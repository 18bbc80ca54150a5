"""The `paiute` command: help, and what it says when something is missing."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from service.cli import main

NO_SETTINGS = {"PAIUTE_SECRET": None, "PAIUTE_REDIS_URL": None}


def run(*arguments: str, **env: str | None) -> Result:
    """Run the command in this process, without any settings but these."""
    return CliRunner().invoke(main, arguments, env={**NO_SETTINGS, **env})


@pytest.mark.parametrize("command", ["", *main.commands])
@pytest.mark.parametrize("flag", ["--help", "-h"])
def test_every_command_has_help(command: str, flag: str) -> None:
    """Each command says in its help what it does and what its options are for."""
    result = run(*([command] if command else []), flag)
    assert 0 == result.exit_code
    lines = result.output.splitlines()
    assert lines[0].startswith("Usage:")
    assert lines[2].strip().endswith(".") or lines[2].strip()
    for parameter in main.commands[command].params if command else ():
        assert getattr(parameter, "help", None) or parameter.param_type_name == "argument"


def test_the_group_lists_its_commands() -> None:
    """The help names every command."""
    listed = run("--help").output
    assert {"api", "demo", "openapi", "serve", "sweep", "worker"} <= set(main.commands)
    assert all(f"\n  {name}" in listed for name in main.commands)


def test_the_version() -> None:
    """The command tells its release."""
    result = run("--version")
    assert 0 == result.exit_code
    assert "0." in result.output


@pytest.mark.parametrize("command", [["api"], ["worker"], ["worker", "bots"], ["sweep"]])
@pytest.mark.parametrize(
    ("env", "missing"),
    [
        ({}, "PAIUTE_SECRET is not set"),
        ({"PAIUTE_SECRET": "s" * 32}, "PAIUTE_REDIS_URL is not set"),
        (
            {"PAIUTE_SECRET": "short", "PAIUTE_REDIS_URL": "redis://localhost"},
            "PAIUTE_SECRET has to have at least 32 characters",
        ),
    ],
)
def test_a_part_says_what_setting_is_missing(
    command: list[str], env: dict[str, str], missing: str
) -> None:
    """A part that can't run says which setting it lacks, and ends with 1."""
    result = run(*command, **env)
    assert 1 == result.exit_code
    assert f"Error: {missing}" in result.output
    assert "Traceback" not in result.output


def test_all_that_is_missing_at_once() -> None:
    """A part without any setting names each that it takes, and what to set it to."""
    said = run("api").output

    for name, value in {"SECRET": "openssl rand -hex 32", "REDIS_URL": "redis://"}.items():
        (line,) = (line for line in said.splitlines() if f"PAIUTE_{name} is not set" in line)
        assert value in line


@pytest.mark.parametrize(
    "arguments",
    [
        ["worker", "nonsense"],
        ["serve", "--workers", "0"],
        ["serve", "--port", "http"],
        ["nonsense"],
        ["api", "--threads", "many"],
        ["api", "--workers", "0"],
        ["api", "--port", "0"],
        ["api", "--drain-seconds", "-1"],
    ],
)
def test_wrong_arguments(arguments: list[str]) -> None:
    """A wrong argument is refused with the usage, and ends with 2."""
    result = run(*arguments)
    assert 2 == result.exit_code
    assert "Usage:" in result.output


def test_threads_for_more_than_those_who_wait() -> None:
    """With no thread left beside those of streams and long polls the API does not start."""
    settings = {"PAIUTE_SECRET": "s" * 32, "PAIUTE_REDIS_URL": "redis://localhost"}
    few = run("api", "--threads", "144", **settings)
    assert (1, True) == (few.exit_code, "more than 144: each stream" in few.output)
    many = run("api", **settings, PAIUTE_MAX_STREAMS="150", PAIUTE_MAX_WAITERS="10")
    assert (1, True) == (many.exit_code, "(PAIUTE_MAX_STREAMS, 150)" in many.output)


def test_the_document_is_written_and_compared(tmp_path: Path) -> None:
    """`paiute openapi` writes the same document as it prints, and `--check` tells a change."""
    file = tmp_path / "openapi.json"
    assert 0 == run("openapi", str(file)).exit_code
    assert run("openapi").output == file.read_text()
    assert "3.1.0" == json.loads(file.read_text())["openapi"]
    assert 0 == run("openapi", "--check", str(file)).exit_code
    file.write_text(file.read_text().replace("Paiute", "Poker", 1))
    changed = run("openapi", "--check", str(file))
    assert 1 == changed.exit_code
    assert "run `make openapi`" in changed.output
