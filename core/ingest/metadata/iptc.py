"""IPTC-IIM: title, words and places that picture editors write beside EXIF."""

from collections.abc import Iterator
from dataclasses import dataclass

from core.ingest.metadata.text import decoded_text, lenient_utf8

_MAX_RECORDS = 2000
_MAX_RESOURCES = 500
_MAX_VALUE = 4096
_RESOURCE, _IPTC_RESOURCE = b"8BIM", 0x0404
_RESOURCE_MARKS = (b"8BIM", b"PHUT", b"AgHg", b"DCSR", b"MeSa")
_CHARSET = (1, 90)
_UTF8 = b"\x1b%G"


@dataclass(frozen=True, slots=True)
class IptcTags:
    """What the records say; empty where they do not. `place` is finest last."""

    title: str = ""
    caption: str = ""
    keywords: tuple[str, ...] = ()
    place: tuple[str, ...] = ()
    created: str = ""


NO_IPTC = IptcTags()


def read_iptc(records: bytes, resources: bytes = b"") -> IptcTags:
    """The tags of bare records, else of those among Photoshop's image resources."""
    found = list(_records(records)) or list(_records(_of_resources(resources)))
    if not found:
        return NO_IPTC
    told = any(key == _CHARSET and value.startswith(_UTF8) for key, value in found)
    texts: dict[int, list[str]] = {}
    for (record, number), value in found:
        if record == 2:
            texts.setdefault(number, []).append(_text(value, told))
    first = {number: values[0] for number, values in texts.items()}
    return IptcTags(
        title=first.get(5, "") or first.get(105, ""),
        caption=first.get(120, ""),
        keywords=tuple(texts.get(25, ())),
        place=tuple(first.get(number, "") for number in (101, 95, 90, 92)),
        created=f"{first.get(55, '')} {first.get(60, '')}".strip(),
    )


def _text(value: bytes, is_utf8: bool) -> str:
    return lenient_utf8(value) if is_utf8 else decoded_text(value)


def _records(raw: bytes) -> Iterator[tuple[tuple[int, int], bytes]]:
    """Data sets one after another, up to the first that is damaged."""
    at = 0
    for _ in range(_MAX_RECORDS):
        if raw[at : at + 1] != b"\x1c" or len(raw) < at + 5:
            return
        key = (raw[at + 1], raw[at + 2])
        size, at = int.from_bytes(raw[at + 3 : at + 5], "big"), at + 5
        if size & 0x8000:  # an extended data set: the length of its length
            wide = size & 0x7FFF
            if wide > 4:
                return
            size, at = int.from_bytes(raw[at : at + wide], "big"), at + wide
        yield key, raw[at : at + min(size, _MAX_VALUE)]
        at += size


def _of_resources(raw: bytes) -> bytes:
    """The IPTC records among image resources, b"" where there are none."""
    at = raw.find(_RESOURCE)
    for _ in range(_MAX_RESOURCES):
        if at < 0 or raw[at : at + 4] not in _RESOURCE_MARKS:
            return b""
        number = int.from_bytes(raw[at + 4 : at + 6], "big")
        name = 1 + raw[at + 6] if len(raw) > at + 6 else 1
        at += 6 + name + name % 2
        size, at = int.from_bytes(raw[at : at + 4], "big"), at + 4
        if number == _IPTC_RESOURCE:
            return raw[at : at + size]
        at += size + size % 2
    return b""
