"""What changes with the release alone: packed once, and sent packed to whoever can unpack it."""

import gzip
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass

from flask import Response, request


@dataclass(frozen=True, slots=True)
class File:
    """A file as it is sent, packed and not.

    Args:
        plain: what is in it.
        packed: the same with gzip.
        media_type: what it is.
        etag: a name for what is in it.
    """

    plain: bytes
    packed: bytes
    media_type: str
    etag: str


def file_of(content: bytes, media_type: str) -> File:
    """A file with this content; packing takes some milliseconds for each 100 KB."""
    etag = hashlib.sha256(content).hexdigest()[:16]
    return File(content, gzip.compress(content, mtime=0), media_type, etag)


def sent(file: File, headers: Mapping[str, str]) -> Response:
    """The answer to a request for a file; 304 where the client has it already."""
    packed = request.accept_encodings.quality("gzip") > 0
    body = file.packed if packed else file.plain
    response = Response(body, headers=headers, mimetype=file.media_type)
    response.headers["Vary"] = "Accept-Encoding"
    if packed:
        response.headers["Content-Encoding"] = "gzip"
    response.set_etag(file.etag, weak=True)  # Packed or not, it is the same.
    return response.make_conditional(request)  # type: ignore[return-value]
