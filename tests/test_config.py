"""Settings come from the environment, whole or with a reason why not."""

import pytest

from service.config import BUDGETS, Config, ConfigError, from_env

NEEDED = {"PAIUTE_SECRET": "s" * 32, "PAIUTE_REDIS_URL": "redis://store:6379/0"}


def test_two_settings_are_enough() -> None:
    """With a secret and the store's address everything else has a default."""
    assert Config("s" * 32, "redis://store:6379/0") == from_env(NEEDED)
    assert "redis://store:6379/0" == from_env(NEEDED).queues_at


def test_all_settings_can_be_set() -> None:
    """Each field is read from `PAIUTE_` and its name; other variables are none of ours."""
    more = {
        "PAIUTE_QUEUE_REDIS_URL": "redis://queues:6379/1",
        "PAIUTE_GRANT": "7",
        "PAIUTE_MAX_BODY_BYTES": "1024",
        "PAIUTE_MAX_WAITERS": "3",
        "PAIUTE_RETENTION_DAYS": "2",
        "PAIUTE_IDLE_SECONDS": "60",
        "PAIUTE_LOG_LEVEL": "DEBUG",
        "HOME": "/nowhere",
    }
    config = from_env(NEEDED | more)
    wanted = ("redis://queues:6379/1", 7, 1024, 3, 2, 60, "DEBUG")
    assert wanted == (
        config.queues_at,
        config.grant,
        config.max_body_bytes,
        config.max_waiters,
        config.retention_days,
        config.idle_seconds,
        config.log_level,
    )


def test_yes_or_no() -> None:
    """What is yes or no takes `true` and `false`, and nothing that merely means them."""
    private = [
        from_env(NEEDED | {"PAIUTE_WEBHOOK_PRIVATE": text}).webhook_private
        for text in ("true", "false")
    ]
    assert [True, False] == private
    with pytest.raises(ConfigError, match="PAIUTE_WEBHOOK_PRIVATE takes true or false, not 'yes'"):
        from_env(NEEDED | {"PAIUTE_WEBHOOK_PRIVATE": "yes"})


@pytest.mark.parametrize("name", NEEDED)
@pytest.mark.parametrize("value", [None, ""])
def test_a_missing_setting_is_named(name: str, value: str | None) -> None:
    """Without one of the two that are needed, or with an empty one, the error names it."""
    env = {key: text for key, text in NEEDED.items() if key != name}
    env |= {name: value} if value is not None else {}
    with pytest.raises(ConfigError, match=f"{name} is not set"):
        from_env(env)


def test_a_short_secret_is_refused() -> None:
    """A secret that could be guessed is refused, without showing it."""
    with pytest.raises(ConfigError, match="at least 32 characters") as refused:
        from_env(NEEDED | {"PAIUTE_SECRET": "hunter2" * 4})
    assert "hunter2" not in str(refused.value)


def test_tables_wait_for_a_minute_at_least() -> None:
    """A waiting time that would close tables under people who think is refused."""
    with pytest.raises(ConfigError, match="PAIUTE_IDLE_SECONDS has to be at least 60"):
        from_env(NEEDED | {"PAIUTE_IDLE_SECONDS": "59"})


@pytest.mark.parametrize("budget", BUDGETS)
def test_limits(budget: str) -> None:
    """A budget may be without a limit, but a limited one lets a request through now and then."""
    name = f"PAIUTE_{budget.upper()}"
    limits = {f"{name}_PER_SECOND": "0", f"{name}_BURST": "1"}
    assert (0, 1) == from_env(NEEDED | limits).budget(budget)
    with pytest.raises(ConfigError, match=f"{name}_BURST has to be at least 1"):
        from_env(NEEDED | {f"{name}_BURST": "0"})
    with pytest.raises(ConfigError, match=f"{name}_PER_SECOND has to be at least 0"):
        from_env(NEEDED | {f"{name}_PER_SECOND": "-1"})


@pytest.mark.parametrize("text", ["ten", "1.5", "", "1e3"])
def test_a_number_that_is_none(text: str) -> None:
    """A setting that takes a whole number says so, and what it got instead."""
    with pytest.raises(ConfigError, match="PAIUTE_GRANT takes a whole number") as refused:
        from_env(NEEDED | {"PAIUTE_GRANT": text})
    assert repr(text) in str(refused.value)


@pytest.mark.parametrize(
    ("name", "text", "least"),
    [
        ("GRANT", "-1", 0),
        ("MAX_BODY_BYTES", "0", 1),
        ("MAX_WAITERS", "-1", 0),
        ("RETENTION_DAYS", "0", 1),
        ("RETENTION_DAYS", "1" + 13 * "0", 1),
    ],
)
def test_a_number_that_makes_no_sense(name: str, text: str, least: int) -> None:
    """A number that is too small or beyond counting is refused with what it may be."""
    with pytest.raises(ConfigError, match=f"PAIUTE_{name} has to be at least {least} and at most"):
        from_env(NEEDED | {f"PAIUTE_{name}": text})


def test_the_least_numbers() -> None:
    """No chips to begin with, and nobody who may wait, are settings like others."""
    config = from_env(NEEDED | {"PAIUTE_GRANT": "0", "PAIUTE_MAX_WAITERS": "0"})
    assert (0, 0) == (config.grant, config.max_waiters)


@pytest.mark.parametrize("level", ["LOUD", "info", ""])
def test_a_log_level_that_is_none(level: str) -> None:
    """A level that there is not is refused with those that there are."""
    with pytest.raises(ConfigError, match="one of DEBUG, INFO, WARNING, ERROR, CRITICAL, not"):
        from_env(NEEDED | {"PAIUTE_LOG_LEVEL": level})


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("LOG_FORMAT", "xml", "takes text or json, not 'xml'"),
        ("METRICS_PORT", "65536", "at most 65535"),
        ("OTLP_ENDPOINT", "collector:4318", "has to begin with https://, or http://"),
    ],
)
def test_how_it_is_watched(name: str, value: str, said: str) -> None:
    """What can't be a form of the log, a port or a collector is refused, and what it takes said."""
    with pytest.raises(ConfigError, match=said):
        from_env(NEEDED | {f"PAIUTE_{name}": value})


@pytest.mark.parametrize("name", ["PAIUTE_REDIS_URL", "PAIUTE_QUEUE_REDIS_URL"])
@pytest.mark.parametrize(
    "url", ["http://:hunter2@store", "redis://:hunter2@", "redis+sentinel://a"]
)
def test_an_address_that_is_none(name: str, url: str) -> None:
    """What is no address of a Redis is refused with the setting's name, without the password."""
    with pytest.raises(ConfigError, match=f"{name} is no address of a Redis: it ") as refused:
        from_env(NEEDED | {name: url})
    assert "hunter2" not in str(refused.value)


@pytest.mark.parametrize(
    "url", ["rediss://me:pw@store", "unix:///run/redis.sock", "redis+sentinel://a:1,b/games/2"]
)
def test_addresses(url: str) -> None:
    """Redis may be reached by TLS, by a socket, and through sentinels."""
    assert url == from_env(NEEDED | {"PAIUTE_REDIS_URL": url}).redis_url


def test_a_cluster_has_no_queues() -> None:
    """Tables may lie on a cluster; then another Redis has to be named for the queues."""
    cluster = NEEDED | {"PAIUTE_REDIS_URL": "redis+cluster://:hunter2@a:1,b"}
    with pytest.raises(ConfigError, match="PAIUTE_QUEUE_REDIS_URL has to name a Redis") as refused:
        from_env(cluster)
    assert "hunter2" not in str(refused.value)
    queues = {"PAIUTE_QUEUE_REDIS_URL": "redis://queues"}
    assert ("redis://queues", cluster["PAIUTE_REDIS_URL"]) == (
        (config := from_env(cluster | queues)).queues_at,
        config.redis_url,
    )
    with pytest.raises(ConfigError, match=r"QUEUE_REDIS_URL .* one Redis is needed .* no cluster"):
        from_env(cluster | {"PAIUTE_QUEUE_REDIS_URL": "redis+cluster://a"})


def test_settings_do_not_change() -> None:
    """The settings of a process are one frozen value."""
    with pytest.raises(AttributeError):
        from_env(NEEDED).grant = 1  # type: ignore[misc]


def test_an_identity_provider_has_an_audience() -> None:
    """A provider whose tokens are made for anybody would let anybody in."""
    issuer = {"PAIUTE_OIDC_ISSUER": "https://id.example"}
    with pytest.raises(ConfigError, match="PAIUTE_OIDC_ISSUER needs PAIUTE_OIDC_AUDIENCE"):
        from_env(NEEDED | issuer)
    config = from_env(NEEDED | issuer | {"PAIUTE_OIDC_AUDIENCE": "paiute"})
    assert ("https://id.example", "paiute", "") == (
        config.oidc_issuer,
        config.oidc_audience,
        config.oidc_jwks_url,
    )


@pytest.mark.parametrize("name", ["PAIUTE_OIDC_ISSUER", "PAIUTE_OIDC_JWKS_URL"])
@pytest.mark.parametrize("address", ["id.example", "file:///etc/passwd", "ftp://id.example"])
def test_an_identity_provider_is_on_the_web(name: str, address: str) -> None:
    """Its addresses are web addresses: nothing else is ever opened."""
    with pytest.raises(ConfigError, match=f"{name} has to begin with https://"):
        from_env(NEEDED | {"PAIUTE_OIDC_AUDIENCE": "paiute", name: address})


def test_a_short_admin_token_is_refused() -> None:
    """A token of operators that could be guessed is refused, without showing it; none is fine."""
    with pytest.raises(ConfigError, match="PAIUTE_ADMIN_TOKEN has to have") as refused:
        from_env(NEEDED | {"PAIUTE_ADMIN_TOKEN": "hunter2"})
    assert "hunter2" not in str(refused.value)
    assert "" == from_env(NEEDED | {"PAIUTE_ADMIN_TOKEN": ""}).admin_token
    assert "t" * 32 == from_env(NEEDED | {"PAIUTE_ADMIN_TOKEN": "t" * 32}).admin_token
