"""Decisions that stand when files are read: for new photos, and for photos that are read again."""

from collections.abc import Sequence

from core.domain.decision import ClockShift, PlaceForgotten, PlaceNamed
from core.domain.photo import PhotoFacts, PhotoId
from core.ingest.decisions.corrections import Standing, World, corrected
from core.store.library import Library


def shown_facts(
    library: Library,
    recorded: Sequence[PhotoFacts],
    ids: Sequence[PhotoId | None],
    world: World,
) -> list[PhotoFacts]:
    """What to show of photos of which files say `recorded`; None is the id of a new photo."""
    standing = _standing(library, frozenset(i for i in ids if i is not None))
    return [
        corrected(photo_id, facts, standing, world)
        for photo_id, facts in zip(ids, recorded, strict=True)
    ]


def keep_recorded(
    library: Library, photo_id: PhotoId, recorded: PhotoFacts, shown: PhotoFacts
) -> None:
    """Keep what the files say where the library shows something else; joins a transaction."""
    if shown == recorded:
        library.decisions.forget_recorded([photo_id])
    else:
        library.decisions.record(photo_id, recorded)


def _standing(library: Library, known: frozenset[PhotoId]) -> Standing:
    """Every decision, or those on ranges, which alone hold for photos that are new."""
    if known:
        return Standing.of([decision.value for decision in library.decisions.all()], known)
    return Standing.of(library.decisions.of(ClockShift, PlaceNamed, PlaceForgotten))
