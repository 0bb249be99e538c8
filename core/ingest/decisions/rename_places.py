"""Names places again when the gazetteer has learned: a new table, or new rules.

What the user decided stays; sessions take the new names with the next refresh.
"""

from collections.abc import Sequence
from dataclasses import replace

from core.domain.photo import PhotoFacts, PhotoId
from core.ingest.decisions.decide import Desk, correct_photos, describe_again
from core.ingest.facts import name_places
from core.progress import Progress
from core.store.reach import facts_of, located_ids
from core.store.slices import batches

_NAMED_BY = "places_named_by"


def rename_places(desk: Desk, progress: Progress) -> int:
    """Bring every place name up to date and say how many changed; raises Cancelled."""
    version = desk.world.gazetteer.version
    if desk.library.facts.get(_NAMED_BY) == version:
        return 0
    ids = located_ids(desk.library.database)
    renamed = done = 0
    for batch in batches(ids):
        renamed += _rename(desk, batch)
        done += len(batch)
        progress.report("places", done, len(ids))
    desk.library.facts.put(_NAMED_BY, version)
    return renamed


def _rename(desk: Desk, ids: Sequence[PhotoId]) -> int:
    library = desk.library
    shown, recorded = facts_of(library.database, ids), library.decisions.recorded(ids)
    base = {photo_id: recorded.get(photo_id, shown[photo_id]) for photo_id in ids}
    points = [facts.point for facts in base.values() if facts.point is not None]
    names = name_places(points, desk.world.gazetteer)
    changed: dict[PhotoId, PhotoFacts] = {}
    for photo_id, facts in base.items():
        place = names.get(facts.point) if facts.point is not None else None
        if place != facts.place:
            changed[photo_id] = replace(facts, place=place)
    if not changed:
        return 0
    with library.database.write():
        plain = {i: facts for i, facts in changed.items() if i not in recorded}
        for photo_id, facts in plain.items():
            library.photos.set_facts(photo_id, facts)
        describe_again(desk, plain)
        for photo_id in changed.keys() & recorded.keys():
            library.decisions.record(photo_id, changed[photo_id])
        correct_photos(desk, list(changed), Progress())
    return len(changed)
