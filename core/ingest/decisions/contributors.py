"""Who took the photos of a library, by what, when, and whether its clock can be believed."""

import re

from core.domain.contributor import Contributor, Trust
from core.domain.photo import Camera
from core.store.clocks import ClockGroup, clock_groups
from core.store.library import Library

_PHONE_MAKERS = frozenset(
    [
        "apple",
        "google",
        "xiaomi",
        "redmi",
        "huawei",
        "honor",
        "oneplus",
        "oppo",
        "vivo",
        "realme",
        "motorola",
        "nokia",
        "lge",
        "htc",
        "fairphone",
        "nothing",
        "zte",
        "tecno",
        "infinix",
        "blackberry",
    ]
)
_PHONE_MODELS = re.compile(r"\b(SM-|GT-|Galaxy|Xperia|iPhone|iPad|Pixel \d|LG-|XQ-|SO-\d)", re.I)
_MOST = 0.5
"""From this share of a device's photos, what they tell is how the device is."""


def contributors(library: Library) -> list[Contributor]:
    """Every contributor of a photo that has a file, by name."""
    groups: dict[str, list[ClockGroup]] = {}
    for group in clock_groups(library.database):
        groups.setdefault(group.contributor, []).append(group)
    return [_contributor(name, parts) for name, parts in groups.items()]


def _contributor(name: str, parts: list[ClockGroup]) -> Contributor:
    firsts = [part.first for part in parts if part.first is not None]
    lasts = [part.last for part in parts if part.last is not None]
    return Contributor(
        name,
        sum(part.photos for part in parts),
        tuple(dict.fromkeys(part.camera.text for part in parts if part.camera.text)),
        min(firsts, default=None),
        max(lasts, default=None),
        sum(part.corrected for part in parts),
        min(trust(part) for part in parts),
    )


def trust(group: ClockGroup) -> Trust:
    """Networks and satellites set the clocks of phones and of cameras that know where they are."""
    if is_phone(group.camera):
        return Trust.PHONE
    if group.with_gps > _MOST * group.photos:
        return Trust.WITH_GPS
    return Trust.WITH_OFFSETS if group.with_offset > _MOST * group.told else Trust.BY_HAND


def is_phone(camera: Camera) -> bool:
    """Whether a device telephones, by its maker or model."""
    maker = camera.make.lower().split()[:1]
    return bool(_PHONE_MAKERS.intersection(maker)) or bool(_PHONE_MODELS.search(camera.model))
