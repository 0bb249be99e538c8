"""What an XMP packet, embedded or a sidecar, says of a photo."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from core.ingest.metadata.gps import NO_GPS, GpsTags, gps_of_texts
from core.ingest.metadata.rdf import Value, parts_in, read_rdf, text_in, texts_in
from core.ingest.metadata.regions import Marked, Stored, marked_parts, number_in, upright_region
from core.ingest.metadata.words import Levels, Words

_MAX_WORDS = 1000
_DATES = ("exif:DateTimeOriginal", "photoshop:DateCreated", "xmp:CreateDate")
_PATHS = (
    ("lr:hierarchicalSubject", "|"),
    ("digiKam:TagsList", "/"),
    ("MicrosoftPhoto:LastKeywordXMP", "/"),
    ("mediapro:CatalogSets", "|"),
)
"""Hierarchies by property, and what stands between their levels."""

_CITIES = ("photoshop:Country", "photoshop:State", "photoshop:City", "Iptc4xmpCore:Location")
_PARTS_OF_PLACE = ("CountryName", "ProvinceState", "City", "Sublocation")
_STARS_OF_PERCENT = ((0, 0), (12, 1), (37, 2), (62, 3), (87, 4), (100, 5))


@dataclass(frozen=True, slots=True)
class XmpTags:
    """What a packet says; empty where it does not. `place` goes from the country down."""

    date: str = ""
    title: str = ""
    description: str = ""
    rating: int | None = None
    orientation: int = 1
    keywords: tuple[str, ...] = ()
    paths: tuple[Levels, ...] = ()
    persons: tuple[str, ...] = ()
    place: Levels = ()
    events: tuple[str, ...] = ()
    marked: tuple[Marked, ...] = ()
    gps: GpsTags = NO_GPS
    comment: str = ""

    def words(self, stored: Stored) -> Words:
        """Its words, the marked parts turned upright."""
        named = [(m, upright_region(m, stored)) for m in self.marked]
        return Words(
            keywords=self.keywords,
            paths=self.paths,
            persons=self.persons,
            place=self.place,
            events=self.events,
            faces=[(m.name, region) for m, region in named if m.is_person],
            pets=[(m.name, region) for m, region in named if not m.is_person],
        )


NO_XMP = XmpTags()


def read_xmp(packet: object) -> XmpTags:
    """The tags of a packet (bytes or text); never raises."""
    if not isinstance(packet, (bytes, str)) or not packet:
        return NO_XMP
    properties = read_rdf(packet)
    if not properties:
        return NO_XMP
    return XmpTags(
        date=_first(properties, _DATES),
        title=_first(properties, ("dc:title", "photoshop:Headline")),
        description=_first(properties, ("dc:description",)),
        rating=_rating(properties),
        orientation=_orientation(properties),
        keywords=tuple(texts_in(properties.get("dc:subject"))[:_MAX_WORDS]),
        paths=tuple(_paths(properties)),
        persons=tuple(_persons(properties)),
        place=_place(properties),
        events=tuple(texts_in(properties.get("Iptc4xmpExt:Event"))[:1]),
        marked=tuple(marked_parts(properties)),
        gps=_gps(properties),
        comment=_first(properties, ("exif:UserComment",)),
    )


def _first(properties: Mapping[str, Value], names: Iterable[str]) -> str:
    texts = (text_in(properties.get(name)).strip() for name in names)
    return next((text for text in texts if text), "")


def _rating(properties: Mapping[str, Value]) -> int | None:
    stars = stars_of(number_in(_first(properties, ("xmp:Rating",))))
    if stars is not None:
        return stars
    return stars_of_percent(number_in(_first(properties, ("MicrosoftPhoto:Rating",))))


def stars_of(number: float | None) -> int | None:
    """Stars from -1 (rejected) to 5, None for what is no rating."""
    return round(number) if number is not None and -1 <= number <= 5 else None


def stars_of_percent(number: float | None) -> int | None:
    """Stars of a rating in per cent, as Windows writes them (1, 25, 50, 75, 99)."""
    if number is None or not 0 <= number <= 100:
        return None
    return next(stars for most, stars in _STARS_OF_PERCENT if number <= most)


def _orientation(properties: Mapping[str, Value]) -> int:
    text = _first(properties, ("tiff:Orientation",))
    return int(text) if len(text) == 1 and text in "12345678" else 1


def _paths(properties: Mapping[str, Value]) -> list[Levels]:
    found: list[Levels] = []
    for name, between in _PATHS:
        texts = texts_in(properties.get(name))[:_MAX_WORDS]
        found += [tuple(text.split(between)) for text in texts]
    return found


def _persons(properties: Mapping[str, Value]) -> list[str]:
    names = texts_in(properties.get("Iptc4xmpExt:PersonInImage"))
    for person in parts_in(properties, "Iptc4xmpExt:PersonInImageWDetails"):
        names += texts_in(person.get("Iptc4xmpExt:PersonName"))[:1]
    return names[:_MAX_WORDS]


def _place(properties: Mapping[str, Value]) -> Levels:
    """Country, region, city, part of it: of the old properties, else of the newer structures."""
    place = tuple(text_in(properties.get(name)).strip() for name in _CITIES)
    for name in ("LocationShown", "LocationCreated"):
        for shown in parts_in(properties, f"Iptc4xmpExt:{name}")[:1]:
            if not any(place):
                parts = (shown.get(f"Iptc4xmpExt:{part}") for part in _PARTS_OF_PLACE)
                place = tuple(text_in(part).strip() for part in parts)
    return place


def _gps(properties: Mapping[str, Value]) -> GpsTags:
    return gps_of_texts(
        latitude=_first(properties, ("exif:GPSLatitude",)),
        longitude=_first(properties, ("exif:GPSLongitude",)),
        altitude=_first(properties, ("exif:GPSAltitude",)),
        altitude_ref=_first(properties, ("exif:GPSAltitudeRef",)),
        status=_first(properties, ("exif:GPSStatus",)),
        refs=(
            _first(properties, ("exif:GPSLatitudeRef",)),
            _first(properties, ("exif:GPSLongitudeRef",)),
        ),
    )
