"""What was decoded, completed by what only the parent knows: place names, zones, contributor."""

from collections.abc import Sequence
from pathlib import Path

from core.backends.gazetteer.zone_finder import ZoneFinder
from core.domain.photo import Camera, PhotoFacts
from core.domain.place import GeoPoint, PlaceName
from core.ingest.decoding.jobs import Decoded
from core.ingest.metadata.text import clean_text
from core.ingest.sessions.zones import order_key, with_zone
from core.protocols import Gazetteer

_FARTHEST_KM = 150.0
IN_FOLDER = " / "
"""Between camera model and folder in the name of a contributor."""


def complete_facts(
    decoded: Sequence[Decoded], gazetteer: Gazetteer, zones: ZoneFinder
) -> list[PhotoFacts]:
    """The facts of each decoded file."""
    points = [d.metadata.point for d in decoded if d.metadata.point is not None]
    places = name_places(points, gazetteer)
    return [_facts(d, places, zones) for d in decoded]


def name_places(points: Sequence[GeoPoint], gazetteer: Gazetteer) -> dict[GeoPoint, PlaceName]:
    """The place of each point that has one in reach: what is far out at sea has no name."""
    distinct = list(dict.fromkeys(points))
    if not distinct:
        return {}
    places = zip(distinct, gazetteer.nearest(distinct), strict=True)
    return {point: place for point, place in places if place.distance_km <= _FARTHEST_KM}


def _facts(decoded: Decoded, places: dict[GeoPoint, PlaceName], zones: ZoneFinder) -> PhotoFacts:
    metadata = decoded.metadata
    point = metadata.point
    taken = with_zone(metadata.taken, None if point is None else zones.zone(point))
    return PhotoFacts(
        content_hash=decoded.content_hash,
        pixel_hash=decoded.pixel_hash,
        format=decoded.format,
        width=decoded.width,
        height=decoded.height,
        taken=taken,
        order_key=order_key(taken),
        point=point,
        gps_problem=metadata.gps_problem,
        place=None if point is None else places.get(point),
        camera=metadata.camera,
        contributor=contributor_of(metadata.camera, decoded.stamp.path),
        kind=decoded.kind,
        title=metadata.title,
        tags=metadata.tags,
        exposure=metadata.exposure,
        rating=metadata.rating,
        point_source=metadata.point_source,
        kind_reason=decoded.kind_reason,
        duration_s=decoded.duration_s,
        look=decoded.look,
        note=decoded.note,
    )


def contributor_of(camera: Camera, path: Path) -> str:
    """Who took it: the owner, else the camera by its serial, else camera model and folder.

    Finer is safe: sessions of different contributors that overlap are joined.
    """
    if camera.owner:
        return camera.owner
    if camera.serial:
        return f"{camera.text} {camera.serial}".strip()
    folder = clean_text(path.parent.name, 80)
    return IN_FOLDER.join(part for part in (camera.text, folder) if part)
