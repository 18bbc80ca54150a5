"""The ladder as a picture."""

import struct
import zlib
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from service.simulate.picture import KINDS, draw

FOUND = {
    "players": 2,
    "blocks": 2_000,
    "seed": 7,
    "ladder": [
        {"player": "hard", "elo": 187.3, "error": 4.2},
        {"player": "my_bot-1.0", "elo": 80.4, "error": 6.0},
        {"player": "easy", "elo": 0.0, "error": 0.0},
        {"player": "random", "elo": -212.0, "error": 9.1},
    ],
}


def test_an_svg(tmp_path: Path) -> None:
    """An SVG is well-formed, small, and has every player with its Elo as text."""
    file = tmp_path / "ladder.svg"
    draw(FOUND, file)
    texts = ["".join(each.itertext()).strip() for each in ET.parse(file).iter()]

    assert {"hard", "my_bot-1.0", "easy", "random"} <= set(texts)
    assert {"+187 ± 4", "+80 ± 6", "0", "-212 ± 9"} <= set(texts)
    assert file.stat().st_size < 20_000


def test_a_png(tmp_path: Path) -> None:
    """A PNG is whole: its parts carry the right sums, and it has the size it says."""
    file = tmp_path / "ladder.png"
    draw(FOUND, file)
    data = file.read_bytes()
    assert b"\x89PNG\r\n\x1a\n" == data[:8]

    kinds, at = [], 8
    while at < len(data):
        (size,) = struct.unpack(">I", data[at : at + 4])
        part = data[at + 4 : at + 8 + size]
        assert zlib.crc32(part) == struct.unpack(">I", data[at + 8 + size : at + 12 + size])[0]
        kinds.append(part[:4])
        at += size + 12
    assert (b"IHDR", b"IEND") == (kinds[0], kinds[-1])


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_figures_the_same_file(tmp_path: Path, kind: str) -> None:
    """The picture follows from the figures alone."""
    one, other = tmp_path / f"one{kind}", tmp_path / f"other{kind}"
    draw(FOUND, one)
    draw(FOUND, other)

    assert one.read_bytes() == other.read_bytes()
