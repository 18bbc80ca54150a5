"""What webhooks may call, and what they may not, however it is spelt."""

import pytest

from service.webhooks.targets import (
    ForbiddenTarget,
    Target,
    Unresolved,
    addresses_of,
    look_up,
    target_of,
)

PUBLIC = (
    ("https://example.com", Target(True, "example.com", 443, "/")),
    ("https://EXAMPLE.com:8443/a/b?c=d", Target(True, "example.com", 8443, "/a/b?c=d")),
    ("https://xn--bcher-kva.example/", Target(True, "xn--bcher-kva.example", 443, "/")),
    ("https://8.8.8.8/", Target(True, "8.8.8.8", 443, "/")),
    ("https://[2606:4700:4700::1111]/", Target(True, "2606:4700:4700::1111", 443, "/")),
)

FORBIDDEN = (
    "http://example.com/",
    "https://example.com:22/",
    "https://example.com:80/",
    "https://example.com:0/",
    "https://example.com:65536/",
    "https://127.0.0.1/",
    "https://127.0.0.1./",
    "https://127.1/",
    "https://0/",
    "https://0.0.0.0/",
    "https://2130706433/",
    "https://0x7f000001/",
    "https://0x7f.0.0.1/",
    "https://017700000001/",
    "https://localhost/",
    "https://LOCALHOST/",
    "https://localhost./",
    "https://me.localhost/",
    "https://redis/",
    "https://printer.local/",
    "https://metadata.google.internal/",
    "https://10.1.2.3/",
    "https://172.16.0.1/",
    "https://192.168.1.1/",
    "https://100.64.0.1/",
    "https://169.254.169.254/latest/meta-data/",
    "https://192.0.2.1/",
    "https://198.18.0.1/",
    "https://224.0.0.1/",
    "https://240.0.0.1/",
    "https://255.255.255.255/",
    "https://[::]/",
    "https://[::1]/",
    "https://[::ffff:127.0.0.1]/",
    "https://[::ffff:a00:1]/",
    "https://[::127.0.0.1]/",
    "https://[64:ff9b::7f00:1]/",
    "https://[64:ff9b:1::a00:1]/",
    "https://[2002:7f00:1::1]/",
    "https://[2001:0:7f00:1::1]/",
    "https://[2001:db8::1]/",
    "https://[fc00::1]/",
    "https://[fd00:ec2::254]/",
    "https://[fe80::1]/",
    "https://[fe80::1%25eth0]/",
    "https://[fec0::1]/",
    "https://[ff02::1]/",
)

NO_URLS = (
    "",
    "example.com",
    "//example.com/",
    "ftp://example.com/",
    "file:///etc/passwd",
    "https://",
    "https:///path",
    "https://user@example.com/",
    "https://example.com@127.0.0.1/",
    "https://example.com\\@127.0.0.1/",
    "https://127.0.0.1\\.example.com/",
    "https://example.com/#fragment",
    "https://example.com/ a",
    "https://example.com/\r\nHost: redis",
    "https://exa\u0301mple.com/",
    "https://example.com:port/",
    "https://[example.com]/",
    "https://[::1/",
    "https://a..b/",
    "https://" + "a" * 64 + ".com/",
    "https://example.com/" + "a" * 1000,
)


@pytest.mark.parametrize(("url", "target"), PUBLIC)
def test_public_addresses_are_allowed(url: str, target: Target) -> None:
    """A public name or address over HTTPS may be called, on 443 or a high port."""
    assert target == target_of(url, private=False)


@pytest.mark.parametrize("url", [*FORBIDDEN, *NO_URLS])
def test_all_else_is_refused(url: str) -> None:
    """What is private, local, of another kind or no URL is refused, as a fault of `url`."""
    with pytest.raises(ForbiddenTarget) as refused:
        target_of(url, private=False)
    assert "url" == refused.value.facts["field"]


@pytest.mark.parametrize("url", NO_URLS)
def test_what_is_no_url_is_refused_always(url: str) -> None:
    """Where private addresses are allowed, what can't be called still is refused."""
    with pytest.raises(ForbiddenTarget):
        target_of(url, private=True)


def test_private_addresses_with_the_setting() -> None:
    """With the setting this machine may be called, and without TLS."""
    assert Target(False, "127.0.0.1", 80, "/") == target_of("http://127.0.0.1", private=True)
    assert Target(False, "redis", 81, "/") == target_of("http://redis:81", private=True)


@pytest.mark.parametrize(
    "address", ["127.0.0.1", "10.0.0.1", "::1", "fe80::1%eth0", "::ffff:127.0.0.1", "100.64.0.1"]
)
def test_a_name_that_leads_inside(address: str) -> None:
    """A public name is refused where any of its addresses is private."""
    target = target_of("https://example.com/", private=False)
    with pytest.raises(ForbiddenTarget):
        addresses_of(target, lambda *_: ["8.8.8.8", address], private=False)


def test_all_addresses_of_a_name_are_there() -> None:
    """The addresses of a name come in order, and those of this machine with the setting."""
    target = target_of("https://example.com/", private=False)
    found = addresses_of(target, lambda *_: ["8.8.8.8", "1.1.1.1"], private=False)
    assert ["8.8.8.8", "1.1.1.1"] == found
    assert "127.0.0.1" in addresses_of(
        target_of("http://localhost", private=True), look_up, private=True
    )


def test_a_name_without_addresses() -> None:
    """A name that there is not is told from one that may not be called."""
    target = target_of("https://nowhere.invalid/", private=False)
    with pytest.raises(Unresolved):
        addresses_of(target, look_up, private=False)
