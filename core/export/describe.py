"""What the library knows of a photo, said in the properties that other programs read."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from core.domain.moment import CaptureTime, ClockSource
from core.domain.photo import Photo
from core.domain.place import GeoPoint
from core.domain.tag import Region, Tag, TagKind, TagSource
from core.export.packet import Packet
from core.ingest.metadata.gps import read_point
from core.ingest.metadata.regions import Marked, Stored, upright_region
from core.ingest.metadata.text import clean_text
from core.ingest.metadata.words import Levels, Words, tags_from
from core.ingest.metadata.xmp import read_xmp

Removed = frozenset[Tag]
"""Tags that the user took away from a photo."""

_ROOTS = {
    TagKind.PERSON: "People",
    TagKind.PLACE: "Places",
    TagKind.EVENT: "Events",
    TagKind.ALBUM: "Albums",
}
_SAME = 1e-5
"""Degrees, and shares of a picture's side, that are the same."""

_CAMERAS_OWN = (ClockSource.ORIGINAL, ClockSource.DIGITIZED)
_TURNED_BACK = {6: 8, 8: 6}
"""Orientations that another one undoes; each of the rest undoes itself."""


@dataclass(frozen=True, slots=True)
class Description:
    """What a sidecar has to say of a photo, and what it may say no longer."""

    photo: Photo
    stored: Stored
    removed: Removed = field(default_factory=frozenset)

    def put_into(self, packet: Packet) -> None:
        """Set every property that there is something to say for."""
        facts = self.photo.facts
        if facts.title:
            packet.set_title("dc:title", facts.title)
        if facts.rating is not None:
            packet.set_text("xmp:Rating", str(facts.rating))
        self._put_tags(packet)
        self._put_regions(packet)
        if facts.point is not None:
            _put_point(packet, facts.point)
        date = _date(facts.taken)
        if date:
            packet.set_text("exif:DateTimeOriginal", date)
            packet.set_text("photoshop:DateCreated", date)

    def missing_from(self, raw: bytes) -> str:
        """The first thing that a packet does not say as it should, "" where it says all."""
        facts, told = self.photo.facts, read_xmp(raw)
        date = _date(facts.taken)
        point, _ = read_point(told.gps)
        tags = tags_from(told.words(self.stored), TagSource.SIDECAR)
        checks = (
            ("the title", not facts.title or clean_text(told.title) == clean_text(facts.title)),
            ("the rating", facts.rating in (None, told.rating)),
            ("a tag", all(_is_among(tag, tags) for tag in facts.tags)),
            ("a removed tag", not any(_is_among(tag, tags) for tag in self._gone())),
            ("the position", facts.point is None or _is_there(facts.point, point)),
            ("the date", not date or told.date == date),
        )
        return next((name for name, holds in checks if not holds), "")

    def _gone(self) -> list[Tag]:
        """Removed tags that no other tag of the photo says in another way."""
        return [tag for tag in self.removed if not _is_among(tag, self.photo.facts.tags)]

    def _put_tags(self, packet: Packet) -> None:
        tags, gone = self.photo.facts.tags, self._gone()
        paths = [_path(tag) for tag in tags]
        gone_paths = [path for tag in gone for path in (_path(tag), tag.levels)]
        names = (tag.name for tag in tags)
        _put_list(packet, "dc:subject", names, (tag.name for tag in gone))
        deep = [path for path in paths if len(path) > 1]
        _put_list(packet, "lr:hierarchicalSubject", _joined(deep, "|"), _joined(gone_paths, "|"))
        plain = [path for path in paths if not any("/" in level for level in path)]
        _put_list(
            packet, "digiKam:TagsList", _joined(plain, "/"), _joined(gone_paths, "/"), ordered=True
        )

    def _put_regions(self, packet: Packet) -> None:
        there = {t.name.casefold() for t in self._told_regions(packet) if t.region is not None}
        parts = [
            self._part(tag.name, tag.region)
            for tag in self.photo.facts.tags
            if tag.kind is TagKind.PERSON
            and tag.region is not None
            and tag.name.casefold() not in there
        ]
        if parts:
            width, height = round(self.stored.width), round(self.stored.height)
            size = {"stDim:w": str(width), "stDim:h": str(height), "stDim:unit": "pixel"}
            packet.add_parts("mwg-rs:Regions", size, parts)

    def _told_regions(self, packet: Packet) -> tuple[Tag, ...]:
        return tags_from(read_xmp(packet.written()).words(self.stored), TagSource.SIDECAR)

    def _part(self, name: str, upright: Region) -> dict[str, str]:
        """A face as it lies in the file, from its centre."""
        back = _TURNED_BACK.get(self.stored.orientation, self.stored.orientation)
        region = upright_region(Marked(name, True, upright), Stored(back)) or upright
        return {
            "mwg-rs:Name": name,
            "mwg-rs:Type": "Face",
            "stArea:x": f"{region.left + region.width / 2:.6f}",
            "stArea:y": f"{region.top + region.height / 2:.6f}",
            "stArea:w": f"{region.width:.6f}",
            "stArea:h": f"{region.height:.6f}",
            "stArea:unit": "normalized",
        }


def stored_as(photo: Photo, orientation: int) -> Stored:
    """How a photo lies in its file."""
    width, height = photo.facts.width, photo.facts.height
    if orientation >= 5:  # it is turned by a quarter
        width, height = height, width
    return Stored(orientation, width, height)


def _put_list(
    packet: Packet, name: str, wanted: Iterable[str], gone: Iterable[str], *, ordered: bool = False
) -> None:
    """Add texts to those that others wrote, and take some away, whatever their case."""
    less = {text.casefold() for text in gone}
    there = [text for text in packet.texts(name) if text.casefold() not in less]
    known = {text.casefold() for text in there}
    texts = there + [t for t in dict.fromkeys(wanted) if t.casefold() not in known]
    if texts != packet.texts(name):
        packet.set_bag(name, texts, ordered=ordered)


def _path(tag: Tag) -> Levels:
    """The levels of a tag below a root that says what it names."""
    if tag.kind is TagKind.KEYWORD or _kind_of(tag.levels) is tag.kind:
        return tag.levels
    return (_ROOTS[tag.kind], *tag.levels)


def _kind_of(levels: Levels) -> TagKind | None:
    tags = tags_from(Words(paths=(levels,)), TagSource.SIDECAR)
    return tags[0].kind if tags else None


def _joined(paths: Iterable[Levels], between: str) -> list[str]:
    other = "/" if between == "|" else "-"
    return [between.join(level.replace(between, other) for level in path) for path in paths]


def _is_among(tag: Tag, tags: Iterable[Tag]) -> bool:
    """Whether one of the tags names the same thing, with its region where it has one."""
    return any(
        tag.kind is other.kind
        and tag.name.casefold() == other.name.casefold()
        and (tag.region is None or tag.kind is not TagKind.PERSON or other.region is not None)
        for other in tags
    )


def _is_there(one: GeoPoint, other: GeoPoint | None) -> bool:
    return (
        other is not None
        and abs(one.latitude - other.latitude) < _SAME
        and abs(one.longitude - other.longitude) < _SAME
    )


def _put_point(packet: Packet, point: GeoPoint) -> None:
    packet.set_text("exif:GPSLatitude", _degrees(point.latitude, "NS"))
    packet.set_text("exif:GPSLongitude", _degrees(point.longitude, "EW"))
    if point.altitude is not None:
        packet.set_text("exif:GPSAltitude", f"{round(abs(point.altitude) * 100)}/100")
        packet.set_text("exif:GPSAltitudeRef", "1" if point.altitude < 0 else "0")


def _degrees(value: float, ends: str) -> str:
    whole, minutes = divmod(round(abs(value) * 60, 7), 60)
    return f"{int(whole)},{minutes:.7f}{ends[value < 0]}"


def _date(taken: CaptureTime | None) -> str:
    """The date to write, "" for one that a file's time tells, or that would count twice.

    A correction holds for what a file and its sidecar say; where the sidecar alone says it, a
    corrected date there would be corrected again.
    """
    if taken is None or taken.source is ClockSource.FILE_TIME:
        return ""
    if taken.correction and taken.source not in _CAMERAS_OWN:
        return ""
    return taken.iso
