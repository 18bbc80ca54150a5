"""Large files are packed for whoever can unpack them, and are sent again only if they changed."""

import gzip
import http.client
import json
from urllib.parse import urlsplit

import pytest

from tests.api.world import World
from tests.support.processes import RunningService

LARGE = ["/openapi.json", "/docs/swagger-ui-bundle.js", "/docs/swagger-ui.css"]


@pytest.mark.parametrize("path", LARGE)
def test_packed(world: World, path: str) -> None:
    """Who can unpack gets it packed, under a third as large; the content is the same."""
    client = world.app.test_client()
    plain = client.get(path)
    packed = client.get(path, headers={"Accept-Encoding": "br;q=1.0, gzip;q=0.8"})

    assert "gzip" == packed.headers["Content-Encoding"]
    assert len(packed.data) < len(plain.data) / 3
    assert plain.data == gzip.decompress(packed.data)
    assert plain.mimetype == packed.mimetype
    assert ["Accept-Encoding"] * 2 == [plain.headers["Vary"], packed.headers["Vary"]]


@pytest.mark.parametrize("accepted", [None, "identity", "br", "gzip;q=0", "*;q=0"])
def test_plain(world: World, accepted: str | None) -> None:
    """Who can't unpack gets it as it is."""
    headers = {} if accepted is None else {"Accept-Encoding": accepted}
    answer = world.app.test_client().get("/openapi.json", headers=headers)

    assert "Content-Encoding" not in answer.headers
    assert "3.1.0" == json.loads(answer.data)["openapi"]


@pytest.mark.parametrize("path", LARGE)
def test_had_already(world: World, path: str) -> None:
    """Who has it, packed or not, is told that it is the same, without it."""
    client = world.app.test_client()
    etag = client.get(path).headers["ETag"]
    again = client.get(path, headers={"Accept-Encoding": "gzip", "If-None-Match": etag})
    other = client.get(path, headers={"If-None-Match": 'W/"other"'})

    assert (304, b"", etag) == (again.status_code, again.data, again.headers["ETag"])
    assert "Accept-Encoding" == again.headers["Vary"]
    assert 200 == other.status_code


def test_real_service(service: RunningService) -> None:
    """The real service sends the packed document, with each header once."""
    connection = http.client.HTTPConnection(urlsplit(service.url).netloc, timeout=30)
    connection.request("GET", "/openapi.json", headers={"Accept-Encoding": "gzip"})
    answer = connection.getresponse()
    document = json.loads(gzip.decompress(answer.read()))
    names = [name.lower() for name, _ in answer.getheaders()]
    connection.close()

    assert "Paiute" == document["info"]["title"]
    assert sorted(set(names)) == sorted(names)
