"""Photo, screenshot or graphic."""

from dataclasses import replace

import pytest

from core.domain.photo import PhotoKind
from core.ingest.kind import Look, kind_of

PLAIN = Look("a.jpg", "JPEG", 1600, 1200, False, False, None, False)


@pytest.mark.parametrize(
    ("look", "kind"),
    [
        (PLAIN, PhotoKind.PHOTO),
        (replace(PLAIN, width=224, height=224), PhotoKind.PHOTO),
        (replace(PLAIN, colours=2), PhotoKind.PHOTO),  # a JPEG may show fog
        (replace(PLAIN, name="Screenshot_2020.jpg"), PhotoKind.SCREENSHOT),
        (replace(PLAIN, format="PNG", width=2532, height=1170), PhotoKind.SCREENSHOT),
        (replace(PLAIN, format="PNG", width=2531, height=1170), PhotoKind.PHOTO),
        (replace(PLAIN, format="PNG", colours=5), PhotoKind.GRAPHIC),
        (replace(PLAIN, flat_mode=True), PhotoKind.GRAPHIC),
        (replace(PLAIN, see_through=True), PhotoKind.GRAPHIC),
        (replace(PLAIN, width=64, height=64), PhotoKind.GRAPHIC),
        (replace(PLAIN, name="screenshot.png", from_camera=True), PhotoKind.PHOTO),
        (replace(PLAIN, width=64, height=64, from_camera=True), PhotoKind.PHOTO),
    ],
)
def test_the_first_rule_that_holds(look: Look, kind: PhotoKind) -> None:
    assert kind_of(look) is kind
