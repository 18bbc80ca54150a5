"""What a webhook may call: public addresses over HTTPS, and nothing near the service itself.

A name is looked up at each delivery, every address that it has is checked, and the connection is
made to an address that was checked.  So no name can lead elsewhere later.
"""

import re
import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from urllib.parse import urlsplit

from service.engine.errors import PaiuteError

LONGEST_URL = 1000

LEAST_PORT = 1024
"""The ports below it, but for the usual ones of HTTP, are other services'."""

GLOBAL_UNICAST = IPv6Network("2000::/3")
"""All that is handed out to the public; the addresses of NAT64, which lead to IPv4, are outside."""

NOT_FOR_US = tuple(map(IPv6Network, ("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20")))
"""Parts of it that lead to IPv4 (Teredo, 6to4), or nowhere."""

LOCAL_NAMES = ("localhost", "local", "internal", "intranet", "lan", "home", "arpa")
"""The last labels of names that no public server has."""

Resolve = Callable[[str, int], list[str]]
"""The addresses of a name, for a port."""


class ForbiddenTarget(PaiuteError):
    """A webhook may not call this address."""

    code = "forbidden_target"


class Unresolved(Exception):
    """A name has no address."""


@dataclass(frozen=True, slots=True)
class Target:
    """Where a URL leads: scheme, host and port, and what is asked for there."""

    secure: bool
    host: str
    port: int
    path: str


def target_of(url: str, *, private: bool) -> Target:
    """Where a URL leads, as far as it says so by itself.

    Args:
        url: the URL.
        private: whether private addresses, and HTTP without TLS, are allowed.

    Raises:
        ForbiddenTarget: it may not be called, or is no URL that could be.
    """
    target = _read(url)
    if private:
        return target
    if not target.secure:
        raise ForbiddenTarget("A webhook's address begins with https://.", field="url")
    if target.port != 443 and target.port < LEAST_PORT:
        raise ForbiddenTarget(
            "A webhook's port is 443, or one from {least} on.", least=LEAST_PORT, field="url"
        )
    address = _address_in(target.host)
    if not (is_public(address) if address else _may_be_public(target.host)):
        raise ForbiddenTarget("A webhook may call public addresses alone.", field="url")
    return target


def _read(url: str) -> Target:
    refusal = ForbiddenTarget(
        "This takes a URL such as https://example.com/paiute: in ASCII, without a user name and "
        "without a fragment.",
        field="url",
    )
    if (
        len(url) > LONGEST_URL
        or not re.fullmatch(r"https?://[!-~]+", url)
        or re.search(r'[\\"<>#]', url)
    ):
        raise refusal
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        raise refusal from None
    if "@" in parts.netloc or not _is_host(host) or port == 0:
        raise refusal
    secure = parts.scheme == "https"
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return Target(secure, host, port or (443 if secure else 80), path)


def _is_host(host: str) -> bool:
    """Whether this is a name or an address; one with a zone is of this machine's network."""
    if ":" in host:
        return "%" not in host and _address_in(host) is not None
    return len(host) <= 253 and bool(
        re.fullmatch(r"[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*\.?", host)
    )


def _address_in(host: str) -> IPv4Address | IPv6Address | None:
    """The address that a host is, in any spelling that the system reads as one: `0x7f.1` too."""
    try:
        return ip_address(host)
    except ValueError:
        pass
    try:
        return IPv4Address(socket.inet_aton(host.rstrip(".")))
    except OSError:
        return None


def _may_be_public(host: str) -> bool:
    labels = host.rstrip(".").split(".")
    return len(labels) > 1 and labels[-1] not in LOCAL_NAMES


def is_public(address: IPv4Address | IPv6Address) -> bool:
    """Whether an address is one of the public internet's, of one machine alone."""
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped:
            return is_public(address.ipv4_mapped)
        return address in GLOBAL_UNICAST and not any(address in part for part in NOT_FOR_US)
    return address.is_global and not address.is_multicast and not address.is_reserved


def look_up(name: str, port: int) -> list[str]:
    """The addresses that the system has for a name."""
    try:
        found = socket.getaddrinfo(name, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise Unresolved(name) from None
    return list(dict.fromkeys(str(address[0]) for *_, address in found))


def in_time(resolve: Resolve, seconds: float) -> Resolve:
    """A look-up that is given up after some seconds: the system's own may take much longer.

    Nothing can stop it, so it ends by itself, on a thread that nobody waits for.
    """

    def look_up_in_time(name: str, port: int) -> list[str]:
        found: list[list[str]] = []

        def look() -> None:
            with suppress(Unresolved):
                found.append(resolve(name, port))

        looking = threading.Thread(target=look, name=f"look-up-{name}", daemon=True)
        looking.start()
        looking.join(seconds)
        if looking.is_alive():
            raise TimeoutError
        return found[0] if found else []

    return look_up_in_time


def addresses_of(target: Target, resolve: Resolve, *, private: bool) -> list[str]:
    """The addresses to call for a target, the best first.

    Raises:
        Unresolved: there are none.
        ForbiddenTarget: one of them may not be called.
    """
    found = resolve(target.host, target.port)
    if not found:
        raise Unresolved(target.host)
    if not private and not all(is_public(ip_address(one.partition("%")[0])) for one in found):
        raise ForbiddenTarget("A webhook may call public addresses alone.", field="url")
    return found
