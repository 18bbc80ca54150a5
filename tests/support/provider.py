"""An identity provider of the tests: real keys, real HTTP, and every way to go wrong."""

import contextlib
import json
import threading
import time
from collections import Counter
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

AUDIENCE = "paiute"
LASTS = 3600


class Key:
    """A key pair of a provider."""

    def __init__(self, key_id: str) -> None:
        self.id = key_id
        self.private = rsa.generate_private_key(65537, 2048)

    @property
    def public(self) -> dict[str, Any]:
        """The public half, as a provider publishes it."""
        named = {"kid": self.id, "use": "sig", "alg": "RS256"}
        said = jwt.algorithms.RSAAlgorithm.to_jwk(self.private.public_key(), as_dict=True)
        return said | named

    @property
    def pem(self) -> bytes:
        """The public half, as a text that a forger could take for a shared secret."""
        public = self.private.public_key()
        return public.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)


class Provider:
    """A provider that publishes keys and issues tokens.

    `asked` counts requests by path; while `silent` none is answered; `now` is the time that its
    tokens are good at.
    """

    def __init__(self, now: float | None = None) -> None:
        self.now = time.time() if now is None else now
        self.asked: Counter[str] = Counter()
        self.silent = False
        self.garbage: bytes | None = None
        self.keys = [Key("key-1")]
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self.issuer = f"http://127.0.0.1:{self._server.server_port}/realm"

    def token(self, subject: str = "248289761001", key: Key | None = None, **more: Any) -> str:
        """A token of somebody; a claim that is given as None is left out."""
        key = key or self.keys[-1]
        claims = {
            "iss": self.issuer,
            "aud": AUDIENCE,
            "sub": subject,
            "iat": int(self.now),
            "exp": int(self.now) + LASTS,
            "name": "Keola Kahale",
        } | more
        said = {name: claim for name, claim in claims.items() if claim is not None}
        return jwt.encode(said, key.private, "RS256", {"kid": key.id})

    def rotate(self) -> Key:
        """Publish a new key in the place of the last one, which is given."""
        old = self.keys.pop()
        self.keys.append(Key(f"{old.id}+"))
        return old

    @contextlib.contextmanager
    def running(self) -> Iterator["Provider"]:
        """Answer requests meanwhile."""
        thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield self
        finally:
            self._server.shutdown()
            self._server.server_close()
            thread.join()

    def _document(self, path: str) -> bytes | None:
        if self.garbage is not None:
            return self.garbage
        if path == "/realm/.well-known/openid-configuration":
            said: Any = {"issuer": self.issuer, "jwks_uri": f"{self.issuer}/keys", "more": 1}
        elif path == "/realm/keys":
            said = {"keys": [{"kty": "unheard of"}, *(key.public for key in self.keys)]}
        else:
            return None
        return json.dumps(said).encode()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        provider = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                """Answer with a document of the provider."""
                provider.asked[self.path] += 1
                body = provider._document(self.path)
                if provider.silent:
                    self.close_connection = True
                elif body is None:
                    self.send_error(404)
                else:
                    self.send_response(200)
                    self.send_header("Content-Length", str(len(body)))
                    self.end_headers()
                    self.wfile.write(body)

            def log_message(self, *_: Any) -> None:
                """Say nothing."""

        return Handler
