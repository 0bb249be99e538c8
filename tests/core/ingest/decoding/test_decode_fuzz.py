"""Files bent at random, of every sort: each is taken or refused, and the run goes on."""

import random
from pathlib import Path

import pillow_heif
import pillow_jxl  # noqa: F401 - teaches Pillow JPEG XL
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.photo import FileStamp
from core.ingest.decoding.decode_pool import DecodePool
from core.ingest.decoding.display_matrix import matrix_orientation
from core.ingest.decoding.film_tags import film_metadata
from core.ingest.decoding.jobs import Decoded, DecodeJob, DecodeLimits, Refused
from core.ingest.decoding.jxl_header import read_jxl_header
from core.ingest.folders.sniff import Sniffed, reader_for
from core.paths import LibraryPaths
from tests.core.ingest.decoding.films import write_film
from tests.core.ingest.decoding.four_colours import scene
from tests.core.ingest.decoding.raw_files import write_dng

pytestmark = pytest.mark.filterwarnings("ignore")
SORTS = ("jpg", "png", "webp", "tif", "gif", "jp2", "jxl", "avif", "heic", "psd", "dng", "mp4")
BENT = 25
"""Files bent of each sort."""


@given(st.binary(max_size=200))
def test_any_bytes_have_a_reader(head: bytes) -> None:
    assert reader_for(Path("a.jpg"), head) in (Sniffed.IMAGE, Sniffed.RAW, Sniffed.VIDEO)


@given(st.binary(max_size=80))
def test_any_bytes_as_a_jpeg_xl_header(tail: bytes) -> None:
    for start in (b"\xff\x0a", b"\x00\x00\x00\x0cJXL \r\n\x87\n", b""):
        try:
            header = read_jxl_header(start + tail)
        except ValueError:
            continue
        assert header.orientation in range(1, 9)
        assert header.width >= 0 and header.height >= 0


@given(st.binary(max_size=40))
def test_any_bytes_as_a_display_matrix(raw: bytes) -> None:
    assert matrix_orientation(raw) in range(1, 9)


NAMES = ("creation_time", "com.apple.quicktime.creationdate", "location", "title", "make", "date")
PLACES = st.from_regex(r"[+-]\d{1,8}(\.\d{1,3})?[+-]\d{1,8}(\.\d{1,3})?([+-]\d{1,5})?/")


@given(
    st.dictionaries(st.sampled_from(NAMES), st.text(max_size=60) | PLACES), st.integers(0, 1 << 62)
)
def test_any_tags_of_a_film(tags: dict[str, str], modified_ns: int) -> None:
    metadata = film_metadata(tags, FileStamp(Path("/films/a.mp4"), 1, modified_ns))
    assert metadata.point is None or abs(metadata.point.latitude) <= 90


def write(path: Path) -> None:
    suffix = path.suffix[1:]
    if suffix == "dng":
        write_dng(path, scene(192, 128), 6, scene(192, 128))
    elif suffix == "mp4":
        write_film(path, [scene()] * 12)
    elif suffix == "heic":
        pillow_heif.from_pillow(scene()).save(path)
    elif suffix == "psd":
        head = b"8BPS\0\1" + bytes(6) + b"\0\3" + (64).to_bytes(4, "big") + (96).to_bytes(4, "big")
        path.write_bytes(head + b"\0\x08\0\3" + bytes(14) + bytes(range(256)) * 72)
    else:
        scene().save(path)


def bend(data: bytes, chance: random.Random) -> bytes:
    """Some bytes changed, most of them near the beginning; sometimes the end is missing."""
    bent = bytearray(data)
    for _ in range(chance.choice((1, 3, 20))):
        near = chance.choice((64, 600, len(bent)))
        bent[chance.randrange(min(near, len(bent)))] = chance.choice((0, 1, 127, 128, 255))
    return bytes(bent[: chance.choice((len(bent), len(bent), len(bent) // 2))])


@pytest.mark.soak
def test_bent_files_never_end_a_run(tmp_path: Path) -> None:
    chance = random.Random(1)
    jobs = []
    for sort in SORTS:
        write(tmp_path / f"whole.{sort}")
        data = (tmp_path / f"whole.{sort}").read_bytes()
        for number in range(BENT):
            path = tmp_path / f"{number}.{sort}"
            path.write_bytes(bend(data, chance))
            jobs.append(DecodeJob(FileStamp(path, path.stat().st_size, 1), only_new=False))
    limits = DecodeLimits(LibraryPaths(tmp_path / "library"), 32, timeout_s=20, memory_mb=2000)
    with DecodePool(limits, 2) as pool, pool.outcomes(iter(jobs), lambda _: False) as outcomes:
        found = list(outcomes)
    assert [outcome.stamp for outcome in found] == [job.stamp for job in jobs]
    assert all(isinstance(outcome, Decoded | Refused) for outcome in found)
    assert any(isinstance(o, Decoded) for o in found) and any(isinstance(o, Refused) for o in found)
