"""compose.yaml runs every process of the service, and holds no secret."""

import re
from typing import Any

import pytest
import yaml

from service.launcher import STOP_SECONDS

from .manifests import APIS, COMMANDS, ROOT, SETTINGS

Service = dict[str, Any]

TEXT = (ROOT / "compose.yaml").read_text()
SERVICES: dict[str, Service] = yaml.safe_load(TEXT)["services"]


def test_every_process_is_there() -> None:
    """Compose runs Redis, the API twice, one worker for each queue, and the sweep."""
    assert {"redis", *COMMANDS} == set(SERVICES)


@pytest.mark.parametrize("name", COMMANDS)
def test_each_service_runs_its_command(name: str) -> None:
    """A service says to the image which process it is, and leaves the entry point to the image."""
    assert COMMANDS[name] == SERVICES[name]["command"]
    assert "entrypoint" not in SERVICES[name]


def test_one_image_is_built_once() -> None:
    """All of them run the one image, which one of them builds."""
    assert 1 == len({SERVICES[name]["image"] for name in COMMANDS})
    assert ["api"] == [name for name in COMMANDS if "build" in SERVICES[name]]


@pytest.mark.parametrize("name", COMMANDS)
def test_settings_are_known(name: str) -> None:
    """Every environment variable is a setting of the service."""
    names = set(SERVICES[name]["environment"])
    assert {"PAIUTE_REDIS_URL", "PAIUTE_SECRET"} <= names <= SETTINGS


def test_the_secret_is_the_user_s_to_give() -> None:
    """PAIUTE_SECRET has no default: without it compose stops and says how to make one."""
    for name in COMMANDS:
        value = SERVICES[name]["environment"]["PAIUTE_SECRET"]
        assert re.fullmatch(r"\$\{PAIUTE_SECRET:\?[^$}]*openssl rand -hex 32\}", value)


@pytest.mark.parametrize("name", SERVICES)
def test_containers_hold_no_privilege(name: str) -> None:
    """No container has a capability or can gain one, and none writes its root file system."""
    service = SERVICES[name]
    assert service["read_only"] is True
    assert ["ALL"] == service["cap_drop"]
    assert ["no-new-privileges:true"] == service["security_opt"]


def test_redis_keeps_the_games() -> None:
    """Redis writes every command down, evicts nothing, and keeps its data in a volume."""
    command = " ".join(SERVICES["redis"]["command"])
    assert "--appendonly yes" in command
    assert "--maxmemory-policy noeviction" in command
    assert ["redis:/data"] == SERVICES["redis"]["volumes"]


def test_redis_is_not_published() -> None:
    """Only what answers requests has a port on the host."""
    assert list(APIS) == [name for name, service in SERVICES.items() if "ports" in service]


@pytest.mark.parametrize("name", COMMANDS)
def test_processes_wait_for_redis(name: str) -> None:
    """Nothing starts before Redis answers."""
    assert {"redis": {"condition": "service_healthy"}} == SERVICES[name]["depends_on"]
    assert "healthcheck" in SERVICES["redis"]


@pytest.mark.parametrize("name", COMMANDS)
def test_processes_have_time_to_end(name: str) -> None:
    """Compose waits for longer than the launcher waits for what it runs."""
    assert int(SERVICES[name]["stop_grace_period"].removesuffix("s")) > STOP_SECONDS


def test_images_have_a_fixed_tag() -> None:
    """Every image names a tag, and not one that moves by its nature."""
    tags = {service["image"].partition(":")[2] for service in SERVICES.values()}
    assert set() == tags & {"", "latest"}
