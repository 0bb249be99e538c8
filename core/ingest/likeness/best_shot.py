"""Which of several like photos to keep, and why: rules in turn, each leaving the best by it.

A rule leaves those that are as good as the best by a margin, so that a difference that nobody
sees decides nothing; the reason names the rules that told the chosen one from others.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from core.domain.photo import CompanionRole, Photo

Worth = Callable[[Photo], float | None]


@dataclass(frozen=True, slots=True)
class BestShot:
    """The photo to keep and the reason in words."""

    photo: Photo
    reason: str


@dataclass(frozen=True, slots=True)
class _Rule:
    """More of `worth` is better; within `margin` of the best (a share of it) is as good."""

    worth: Worth
    words: Callable[[Photo], str]
    margin: float = 0.0


def best_shot(members: Sequence[Photo]) -> BestShot:
    """The best of one photo or more, in whatever order they come."""
    left = sorted(members, key=lambda photo: photo.path)
    reasons = []
    for rule in _rules():
        kept = _best_by(rule, left)
        if len(kept) < len(left):
            reasons.append(rule.words(kept[0]))
        left = kept
    return BestShot(left[0], ", then ".join(reasons[:2]) or "they are alike: the first by name")


def _rules() -> tuple[_Rule, ...]:
    return (
        _Rule(_rating, _rating_words),
        _Rule(_pixels, _pixels_words, margin=0.2),
        _Rule(_is_unedited, lambda _: "not an edited copy"),
        _Rule(_has_camera, lambda _: "the camera's own data are in it"),
        _Rule(_kept_light, _light_words, margin=0.04),
        _Rule(_sharp, lambda _: "the sharpest", margin=0.1),
        _Rule(_raw, lambda _: "its raw file is there too"),
        _Rule(_kept_light, _light_words, margin=0.005),
        _Rule(_sharp, lambda _: "the sharpest by a little"),
        _Rule(lambda photo: photo.files[0].size, lambda _: "the largest file"),
    )


def _best_by(rule: _Rule, photos: Sequence[Photo]) -> list[Photo]:
    """The photos that are as good as the best; all where the rule cannot tell of each."""
    worths = [rule.worth(photo) for photo in photos]
    known = [worth for worth in worths if worth is not None]
    if len(known) < len(photos):
        return list(photos)
    least = max(known) - rule.margin * abs(max(known))
    return [photo for photo, worth in zip(photos, known, strict=True) if worth >= least]


def _rating(photo: Photo) -> float:
    """Rejected ones count below those that have no rating."""
    return photo.facts.rating or 0


def _rating_words(photo: Photo) -> str:
    stars = photo.facts.rating or 0
    return f"rated highest, {stars} of 5" if stars > 0 else "not rejected"


def _pixels(photo: Photo) -> float:
    return photo.facts.width * photo.facts.height


def _pixels_words(photo: Photo) -> str:
    return f"the most pixels, {photo.facts.width} × {photo.facts.height}"


def _is_unedited(photo: Photo) -> float:
    """A file that its original lies beside is an edited copy."""
    return all(one.role is not CompanionRole.ORIGINAL for one in photo.companions)


def _has_camera(photo: Photo) -> float:
    return bool(photo.facts.camera.text or photo.facts.exposure)


def _raw(photo: Photo) -> float:
    return any(one.role is CompanionRole.RAW for one in photo.companions)


def _kept_light(photo: Photo) -> float | None:
    clipped = photo.facts.look.clipped
    return None if clipped is None else 1.0 - clipped


def _light_words(photo: Photo) -> str:
    return f"the least burnt out or black, {photo.facts.look.clipped or 0:.0%}"


def _sharp(photo: Photo) -> float | None:
    return photo.facts.look.sharpness
