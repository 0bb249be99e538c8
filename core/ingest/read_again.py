"""Files of known content that were read again, since something beside them says something new."""

from collections.abc import Mapping
from dataclasses import replace

from core.domain.moment import CaptureTime, ClockSource
from core.domain.photo import PhotoFacts, PhotoId
from core.domain.tag import Tag
from core.ingest.decisions.corrections import World
from core.ingest.decisions.standing import keep_recorded, shown_facts
from core.ingest.facts import complete_facts
from core.ingest.identity import Plan
from core.store.library import Library
from core.store.reach import facts_of

_BEST_FIRST = list(ClockSource)


def renew_facts(plan: Plan, library: Library, world: World) -> dict[PhotoId, PhotoFacts]:
    """Replace what files say of photos; joins a transaction. Returns what is shown otherwise."""
    if not plan.again:
        return {}
    ids = list(dict.fromkeys(plan.ids[one.content_hash] for one in plan.again))
    before = facts_of(library.database, ids)
    recorded = library.decisions.recorded(ids)
    says = {**before, **recorded}
    files = library.photos.file_counts(ids)
    read = complete_facts(plan.again, world.gazetteer, world.zones)
    for one, new in zip(plan.again, read, strict=True):
        photo_id = plan.ids[one.content_hash]
        held = plan.before.get(one.stamp.path)
        others = files.get(photo_id, 0) - (held is not None and held.photo_id == photo_id)
        says[photo_id] = merged(says[photo_id], new) if others else new
    shown = shown_facts(library, [says[i] for i in ids], ids, world)
    changed: dict[PhotoId, PhotoFacts] = {}
    for photo_id, facts in zip(ids, shown, strict=True):
        if photo_id in recorded or facts is not says[photo_id]:
            keep_recorded(library, photo_id, says[photo_id], facts)
        kept = _in_same_order(facts, before[photo_id])
        if _plain(kept) != _plain(before[photo_id]):
            library.photos.set_facts(photo_id, kept)
            changed[photo_id] = kept
    return changed


def merged(old: PhotoFacts, new: PhotoFacts) -> PhotoFacts:
    """What several files of one content say together: none takes away what another said."""
    tags = dict.fromkeys((*old.tags, *new.tags))
    taken = _better(old.taken, new.taken)
    facts = replace(
        old,
        tags=tuple(tags),
        title=new.title or old.title,
        rating=old.rating if new.rating is None else new.rating,
        taken=taken,
        order_key=old.order_key if taken is old.taken else new.order_key,
    )
    if old.point is not None or new.point is None:
        return facts
    return replace(
        facts,
        point=new.point,
        point_source=new.point_source,
        gps_problem=new.gps_problem,
        place=new.place,
    )


def _better(old: CaptureTime | None, new: CaptureTime | None) -> CaptureTime | None:
    if old is None or new is None:
        return old or new
    ranks = (_BEST_FIRST.index(old.source), _BEST_FIRST.index(new.source))
    return new if ranks[1] < ranks[0] else old


def _in_same_order(facts: PhotoFacts, before: PhotoFacts) -> PhotoFacts:
    """Order as neighbours and home have told it since, where time and position are the same."""
    if (facts.taken, facts.point) != (before.taken, before.point):
        return facts
    return replace(facts, order_key=before.order_key)


def _plain(facts: PhotoFacts) -> tuple[PhotoFacts, Mapping[tuple[object, ...], object]]:
    """Equal for facts that the library would keep alike: the order of tags does not count."""
    tags: dict[tuple[object, ...], object] = {}
    for tag in facts.tags:
        tags.setdefault(_key(tag), tag.region)
    return replace(facts, tags=()), tags


def _key(tag: Tag) -> tuple[object, ...]:
    return tag.kind, tag.text, tag.source
