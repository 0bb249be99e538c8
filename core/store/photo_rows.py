"""Photo rows to facts and back."""

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import RowMapping

from core.domain.moment import CaptureTime, ClockSource, Precision
from core.domain.photo import Camera, ContentHash, Look, PhotoFacts, PhotoKind, PointSource
from core.domain.place import GeoPoint, PlaceName
from core.domain.tag import Tag


def values_of_facts(facts: PhotoFacts) -> dict[str, Any]:
    """Facts as the columns of a photo row."""
    taken, point, place, camera = facts.taken, facts.point, facts.place, facts.camera
    return {
        "content_hash": facts.content_hash,
        "pixel_hash": facts.pixel_hash,
        "format": facts.format,
        "width": facts.width,
        "height": facts.height,
        "taken_local": taken.local.isoformat() if taken else None,
        "taken_offset_s": int(taken.offset.total_seconds())
        if taken and taken.offset is not None
        else None,
        "taken_source": taken.source.value if taken else None,
        "taken_precision": taken.precision.value if taken else None,
        "taken_zone": taken.zone if taken else None,
        "order_key": facts.order_key,
        "latitude": point.latitude if point else None,
        "longitude": point.longitude if point else None,
        "altitude": point.altitude if point else None,
        "gps_problem": facts.gps_problem,
        "place_name": place.name if place else None,
        "place_region": place.region if place else None,
        "place_country": place.country if place else None,
        "place_distance_km": place.distance_km if place else None,
        "place_latitude": place.point.latitude if place else None,
        "place_longitude": place.point.longitude if place else None,
        "camera_make": camera.make,
        "camera_model": camera.model,
        "camera_serial": camera.serial,
        "camera_owner": camera.owner,
        "contributor": facts.contributor,
        "kind": facts.kind.value,
        "title": facts.title,
        "exposure": facts.exposure,
        "taken_correction_s": taken.correction.total_seconds() if taken else 0.0,
        "rating": facts.rating,
        "point_source": facts.point_source.value if facts.point_source else None,
        "kind_reason": facts.kind_reason,
        "duration_s": facts.duration_s,
        "perceptual_hash": facts.look.perceptual_hash,
        "sharpness": facts.look.sharpness,
        "clipped": facts.look.clipped,
        "note": facts.note,
        "place_locality": place.locality if place else "",
        "place_own": bool(place and place.own),
    }


def taken_of_row(row: RowMapping) -> CaptureTime | None:
    """The capture time in a photo row, None where it is unknown."""
    if row["taken_local"] is None:
        return None
    offset = row["taken_offset_s"]
    return CaptureTime(
        datetime.fromisoformat(row["taken_local"]),
        None if offset is None else timedelta(seconds=offset),
        ClockSource(row["taken_source"]),
        Precision(row["taken_precision"]),
        row["taken_zone"],
        timedelta(seconds=row["taken_correction_s"]),
    )


def _place(row: RowMapping) -> PlaceName | None:
    if row["place_name"] is None:
        return None
    return PlaceName(
        row["place_name"],
        row["place_region"],
        row["place_country"],
        row["place_distance_km"],
        GeoPoint(row["place_latitude"], row["place_longitude"]),
        row["place_locality"],
        bool(row["place_own"]),
    )


def facts_of_row(row: RowMapping, tags: tuple[Tag, ...] = ()) -> PhotoFacts:
    """A photo row, and the tags of its photo, as facts."""
    point = None
    if row["latitude"] is not None:
        point = GeoPoint(row["latitude"], row["longitude"], row["altitude"])
    return PhotoFacts(
        content_hash=ContentHash(row["content_hash"]),
        pixel_hash=row["pixel_hash"],
        format=row["format"],
        width=row["width"],
        height=row["height"],
        taken=taken_of_row(row),
        order_key=row["order_key"],
        point=point,
        gps_problem=row["gps_problem"],
        place=_place(row),
        camera=Camera(
            row["camera_make"], row["camera_model"], row["camera_serial"], row["camera_owner"]
        ),
        contributor=row["contributor"],
        kind=PhotoKind(row["kind"]),
        title=row["title"],
        tags=tags,
        exposure=row["exposure"],
        rating=row["rating"],
        point_source=PointSource(row["point_source"]) if row["point_source"] else None,
        kind_reason=row["kind_reason"],
        duration_s=row["duration_s"],
        look=Look(row["perceptual_hash"], row["sharpness"], row["clipped"]),
        note=row["note"],
    )
