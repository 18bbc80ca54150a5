"""The identity provider's tokens and keys (service/api/oidc.py, service/api/provider_keys.py)."""

import socket
import threading
import time
from collections.abc import Iterator

import pytest

from service.api.credentials import InvalidToken
from service.api.oidc import Provider
from service.api.provider_keys import FRESH_SECONDS, PAUSE_SECONDS, ProviderAway
from tests.support import provider as real
from tests.support.provider import AUDIENCE, Key

KEYS = "/realm/keys"
DISCOVERY = "/realm/.well-known/openid-configuration"


class Seconds:
    """Seconds that pass when told to."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def idp() -> Iterator[real.Provider]:
    """A provider that answers."""
    with real.Provider().running() as provider:
        yield provider


@pytest.fixture
def seconds() -> Seconds:
    """The time that keys are judged by."""
    return Seconds()


@pytest.fixture
def ours(idp: real.Provider, seconds: Seconds) -> Provider:
    """What we know of the provider."""
    return Provider(idp.issuer, AUDIENCE, clock=seconds)


def good(ours: Provider, token: str) -> bool:
    """Whether a token is taken."""
    try:
        ours.check(token)
    except InvalidToken:
        return False
    return True


def test_keys_are_fetched_once(idp: real.Provider, ours: Provider) -> None:
    """Any number of tokens cost one fetch, and one look at where the keys are."""
    assert all(good(ours, idp.token(f"somebody {n}")) for n in range(10))
    assert {DISCOVERY: 1, KEYS: 1} == idp.asked


def test_the_keys_may_be_at_a_place_that_is_set(idp: real.Provider) -> None:
    """With the address of the keys set the provider is not asked for it."""
    ours = Provider(idp.issuer, AUDIENCE, f"{idp.issuer}/keys")

    assert good(ours, idp.token())
    assert {KEYS: 1} == idp.asked


def test_many_first_tokens_at_once(idp: real.Provider, ours: Provider) -> None:
    """Callers who come at once, before a key is known, wait for the one who fetches."""
    tokens = [idp.token(f"somebody {n}") for n in range(20)]
    taken: list[bool] = []
    threads = [threading.Thread(target=lambda t=t: taken.append(good(ours, t))) for t in tokens]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert [True] * 20 == taken
    assert 1 == idp.asked[KEYS]


def test_forged_keys_do_not_keep_the_provider_busy(
    idp: real.Provider, ours: Provider, seconds: Seconds
) -> None:
    """However many tokens name unknown keys, the provider is asked once in a few seconds."""
    forger = Key("key-1")
    for number in range(50):
        forger.id = f"unheard of {number}"
        assert not good(ours, idp.token(key=forger))
    assert 1 == idp.asked[KEYS]
    seconds.now += PAUSE_SECONDS
    for _ in range(50):
        assert not good(ours, idp.token(key=forger))
    assert 2 == idp.asked[KEYS]
    assert good(ours, idp.token())


def test_a_new_key_is_learnt(idp: real.Provider, ours: Provider, seconds: Seconds) -> None:
    """A token that a new key has signed is taken, once the pause after the last fetch is over."""
    good(ours, idp.token())
    idp.keys.append(Key("key-2"))
    seconds.now += PAUSE_SECONDS

    assert good(ours, idp.token())


@pytest.mark.parametrize("same_id", [False, True])
def test_a_withdrawn_key_is_worthless(
    idp: real.Provider, ours: Provider, seconds: Seconds, *, same_id: bool
) -> None:
    """What an old key has signed is refused once the keys are fetched anew, known or not."""
    known = idp.token()
    assert good(ours, known)
    old = idp.rotate()
    if same_id:
        idp.keys[-1].id = old.id
    assert good(ours, known)
    seconds.now += FRESH_SECONDS

    assert not good(ours, known)
    assert not good(ours, idp.token(key=old))
    assert good(ours, idp.token())


def test_a_provider_that_is_away(idp: real.Provider, ours: Provider, seconds: Seconds) -> None:
    """Without the provider unknown keys can't be judged, and known ones stay good."""
    idp.silent = True
    for _ in range(5):
        with pytest.raises(ProviderAway):
            ours.check(idp.token())
    assert 1 == idp.asked[DISCOVERY]

    idp.silent = False
    seconds.now += PAUSE_SECONDS
    known = idp.token()
    assert good(ours, known)

    idp.silent = True
    seconds.now += 10 * FRESH_SECONDS
    assert good(ours, known)
    assert good(ours, idp.token("somebody else"))
    with pytest.raises(ProviderAway):
        ours.check(idp.token(key=Key("key-2")))


@pytest.mark.parametrize(
    "garbage",
    [
        *(b"", b"<html>", b"[]", b"{}", b"\xff", b"[" * 100_000, b'{"keys": [5]}'),
        *(b'{"issuer": "https://other.example", "jwks_uri": "https://other.example/keys"}',),
        b'{"keys": 5, "issuer": 5, "jwks_uri": {}}',
    ],
    ids=lambda text: text[:20],
)
def test_a_provider_that_says_nonsense(idp: real.Provider, ours: Provider, garbage: bytes) -> None:
    """A provider whose documents can't be read is as good as away."""
    idp.garbage = garbage
    for keys in (ours, Provider(idp.issuer, AUDIENCE, f"{idp.issuer}/keys")):
        with pytest.raises(ProviderAway):
            keys.check(idp.token())


def test_keys_elsewhere_than_on_the_web(idp: real.Provider, ours: Provider) -> None:
    """A provider can't have us read a file."""
    idp.garbage = (
        f'{{"issuer": "{idp.issuer}", "jwks_uri": "file:///etc/passwd", "keys": []}}'.encode()
    )
    with pytest.raises(ProviderAway):
        ours.check(idp.token())


def test_unusable_keys_are_passed_over(idp: real.Provider, ours: Provider) -> None:
    """Keys without an id, for other uses, or of unknown kinds do no harm to the others."""
    sound = idp.keys[0]
    spoilt: list[dict[str, object]] = [
        {"kid": None},
        {"use": "enc"},
        {"n": 5},
        {"kty": "oct", "k": "c2VjcmV0"},
        {"alg": "none"},
    ]
    for changes in spoilt:
        idp.keys.insert(0, _Spoilt("spoilt", changes))
    assert good(ours, idp.token(key=sound))


class _Spoilt(Key):
    """A key whose public half is not as it should be."""

    def __init__(self, key_id: str, changes: dict[str, object]) -> None:
        super().__init__(key_id)
        self._changes = changes

    @property
    def public(self) -> dict[str, object]:
        return super().public | self._changes


def test_a_provider_that_never_answers_holds_few_up(idp: real.Provider) -> None:
    """A fetch without an answer ends soon, and until the next one callers are told at once."""
    with socket.create_server(("127.0.0.1", 0)) as mute:
        issuer = f"http://127.0.0.1:{mute.getsockname()[1]}"
        ours, token = Provider(issuer, AUDIENCE), idp.token(iss=issuer)
        waits = [waited(ours, token) for _ in range(3)]

    assert waits[0] < 3
    assert max(waits[1:]) < 0.1


def waited(ours: Provider, token: str) -> float:
    """How long it takes to hear that the provider is away."""
    began = time.monotonic()
    with pytest.raises(ProviderAway):
        ours.check(token)
    return time.monotonic() - began
