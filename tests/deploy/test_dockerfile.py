"""The image: linted, pinned, not root, and holding only what it needs."""

import json
import re
import shlex
import subprocess

import click
import pytest

from service.cli import main

from .manifests import COMMANDS, ROOT, tool

TEXT = (ROOT / "Dockerfile").read_text()


def instructions(name: str) -> list[str]:
    """What follows each instruction of that name, its continued lines joined."""
    joined = re.sub(r"\\\n\s*", "", TEXT)
    return re.findall(rf"^{name} (.+)$", joined, re.MULTILINE)


def copied() -> set[str]:
    """What the image takes from this repository."""
    lines = [shlex.split(line) for line in instructions("COPY")]
    return {source for line in lines if not line[0].startswith("--from") for source in line[:-1]}


def let_through() -> set[str]:
    """What .dockerignore shows to the build; its first rule leaves everything out."""
    lines = (ROOT / ".dockerignore").read_text().splitlines()
    rules = [line for line in lines if not line.startswith("#")]
    assert "*" == rules[0]
    return {rule[1:] for rule in rules if rule.startswith("!")}


def test_hadolint_has_no_complaint() -> None:
    """The Dockerfile follows every rule of hadolint, with none of them ignored."""
    command = [tool("hadolint"), "--disable-ignore-pragma", str(ROOT / "Dockerfile")]
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=30)
    assert (0, "", "") == (done.returncode, done.stdout, done.stderr)


def test_base_images_have_a_fixed_tag() -> None:
    """Both stages start from the same slim Python, named by version and Debian release."""
    bases = [line.split()[0] for line in instructions("FROM")]
    assert ["python:3.11-slim-bookworm"] * 2 == bases


def test_packages_are_locked() -> None:
    """Everything fetched is fetched by hash; only the project's own wheel comes without."""
    runs = [step for line in instructions("RUN") for step in line.split("&&")]
    installs = [step for step in runs if "pip install" in step]
    locked = [step for step in installs if "--require-hashes -r requirements" in step]
    own = [step for step in installs if "--no-deps dist/*.whl" in step]
    assert (2, 1) == (len(locked), len(own))
    assert len(installs) == len(locked) + len(own)


def test_the_build_tool_is_the_one_tested_with() -> None:
    """The wheel in the image is built by what the development lock names."""
    assert (ROOT / "requirements-build.lock").read_text() in (
        ROOT / "requirements-dev.lock"
    ).read_text()


def test_the_user_is_a_number() -> None:
    """The image's user is not root, and is a number so that Kubernetes can see it."""
    assert ["10001:10001"] == instructions("USER")


def test_the_image_is_the_api_unless_told() -> None:
    """The image is the `paiute` command; without a command of its own it is the API."""
    assert ['["paiute"]'] == instructions("ENTRYPOINT")
    assert COMMANDS["api"] == json.loads(instructions("CMD")[0])
    assert ["8000"] == instructions("EXPOSE")


@pytest.mark.parametrize("arguments", COMMANDS.values(), ids=COMMANDS.keys())
def test_the_image_knows_its_commands(arguments: list[str]) -> None:
    """What the deployments start are commands of `paiute`, with arguments that it takes."""
    name, *rest = arguments
    command, whole = main.commands[name], click.Context(main, **main.context_settings)
    with click.Context(command, parent=whole) as context:
        command.parse_args(context, rest)


def test_the_context_holds_what_is_copied() -> None:
    """The build sees what the Dockerfile copies, and nothing else."""
    assert copied() == let_through()
    assert set() == {source for source in copied() if not (ROOT / source).exists()}
