"""What the user decided, in words and as documents."""

from app.commands.documents import Document
from app.commands.measures import point_text, shift_text, time_text
from core.domain.decision import (
    ClockShift,
    ContributorSet,
    Decision,
    DecisionValue,
    Geotag,
    HomeSet,
    Judged,
    KindSet,
    PlaceForgotten,
    PlaceNamed,
    RatingSet,
    SessionsJoined,
    SessionStart,
    TagsSet,
    TitleSet,
)
from core.domain.photo import PhotoId
from core.domain.tag import Tag


def decision_document(decision: Decision) -> Document:
    """A decision with its words."""
    return {
        "id": decision.id,
        "kind": type(decision.value).__name__,
        "what": decision_text(decision.value),
        "made_at": decision.made_at.isoformat(),
    }


def photos_of(value: DecisionValue) -> tuple[PhotoId, ...]:
    """The photos that a decision names one by one."""
    match value:
        case ContributorSet() | KindSet() | TitleSet() | RatingSet() | TagsSet():
            return value.photos
        case Geotag(points):
            return tuple(photo_id for photo_id, _ in points)
        case SessionStart(photo):
            return (photo,)
        case SessionsJoined(one, other):
            return one, other
        case Judged(_, before):
            return tuple(photo_id for photo_id, _ in before)
        case _:
            return ()


def decision_text(value: DecisionValue) -> str:
    """A decision as a person says it."""
    match value:
        case ContributorSet(photos, contributor):
            return f"{_photos(len(photos))}: taken by “{contributor}”"
        case KindSet(photos, kind):
            return f"{_photos(len(photos))}: a {kind.value}"
        case TitleSet(photos, title):
            return f"{_photos(len(photos))}: " + (f"title “{title}”" if title else "no title")
        case RatingSet(photos, rating):
            return f"{_photos(len(photos))}: {rating_text(rating)}"
        case TagsSet(photos, added, removed):
            return f"{_photos(len(photos))}: {_tags_text(added, removed)}"
        case Geotag(points, track):
            return f"{_photos(len(points))}: position " + (f"from {track}" if track else "by hand")
        case _:
            return _text_of_range(value)


def _text_of_range(value: DecisionValue) -> str:
    match value:
        case ClockShift(contributor, first, last, shift):
            times = f"{time_text(first)} to {time_text(last)}"
            return f"clock of “{contributor}” from {times}: {shift_text(shift)}"
        case PlaceNamed(name, point, radius_km):
            return f"place “{name}”: {radius_km:g} km around {point_text(point)}"
        case PlaceForgotten(name):
            return f"place “{name}”: forgotten"
        case HomeSet(point, first, last):
            since = f" from {first.isoformat()}" if first else ""
            until = f" to {last.isoformat()}" if last else ""
            return f"home: {point_text(point)}{since}{until}"
        case SessionStart():
            return "a session begins at a photo"
        case SessionsJoined():
            return "the sessions of two photos are one"
        case Judged(_, before):
            return f"{_photos(len(before))} of an answer judged"
        case _:
            return type(value).__name__


def rating_text(rating: int) -> str:
    """A rating in words."""
    return "rejected" if rating < 0 else f"{rating} star{'' if rating == 1 else 's'}"


def _tags_text(added: tuple[Tag, ...], removed: tuple[Tag, ...]) -> str:
    more = [f"tag “{tag.text}” added" for tag in added]
    return ", ".join(more + [f"tag “{tag.text}” removed" for tag in removed])


def _photos(count: int) -> str:
    return "1 photo" if count == 1 else f"{count:,} photos"
