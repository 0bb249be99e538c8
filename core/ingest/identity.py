"""Which photo each file of a batch is: a known one, one with new metadata, or a new one."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from core.domain.photo import ContentHash, PhotoFacts, PhotoId
from core.ingest.decoding.jobs import Decoded, DecodeJob, Outcome, Refused
from core.protocols import Perception
from core.store.library import Library
from core.store.photos import KnownFile
from core.store.reach import facts_of


@dataclass(slots=True)
class Plan:
    """What to do with one batch.

    `ids` are the photos of known contents, and of new ones as they are saved; `before` what the
    library knew of the files. `new` are contents that it has not: of these `same_photo` only
    bring new metadata to a photo, `seen_before` show pixels that were looked at (of that photo,
    or of that other new content), and the rest is `to_look_at`. `again` are known contents whose
    companions may say something new. `replaced` are contents that are no photo's any longer.
    """

    ids: dict[ContentHash, PhotoId]
    before: Mapping[Path, KnownFile]
    new: list[Decoded] = field(default_factory=list)
    again: list[Decoded] = field(default_factory=list)
    to_look_at: list[Decoded] = field(default_factory=list)
    same_photo: dict[ContentHash, PhotoId] = field(default_factory=dict)
    seen_before: dict[ContentHash, PhotoId | ContentHash] = field(default_factory=dict)
    replaced: list[ContentHash] = field(default_factory=list)

    def source_of(self, content: ContentHash) -> PhotoId:
        """The photo whose vectors a new content takes over; both are saved by now."""
        source = self.seen_before[content]
        return PhotoId(source) if isinstance(source, int) else self.ids[source]


def plan_batch(
    batch: Iterable[tuple[DecodeJob, Outcome]], library: Library, perception: Perception
) -> Plan:
    """Sort a batch out; only reads the library."""
    read = [(job, outcome) for job, outcome in batch if not isinstance(outcome, Refused)]
    plan = Plan(
        library.photos.ids_by_hash([outcome.content_hash for _, outcome in read]),
        library.photos.known_files([job.stamp.path for job, _ in read]),
    )
    met: set[ContentHash] = set(plan.ids)
    for job, outcome in read:
        if not isinstance(outcome, Decoded):
            continue
        if outcome.content_hash not in met:
            met.add(outcome.content_hash)
            plan.new.append(outcome)
        elif not job.only_new:
            plan.again.append(outcome)
    _find_pixels(plan, library, perception)
    return plan


@dataclass(frozen=True, slots=True)
class _Alike:
    """Known photos with the pixels of a batch: which these are, and which have a vector."""

    ids: Mapping[str, Sequence[PhotoId]]
    facts: Mapping[PhotoId, PhotoFacts]
    files: Mapping[PhotoId, int]
    seen: frozenset[PhotoId]

    @classmethod
    def of(cls, new: Sequence[Decoded], library: Library, perception: Perception) -> "_Alike":
        ids = library.photos.ids_by_pixels([one.pixel_hash for one in new])
        every = [photo_id for some in ids.values() for photo_id in some]
        if not every:
            return cls({}, {}, {}, frozenset())
        seen, _ = library.vectors.of(perception.encoder.name, every)
        facts, files = facts_of(library.database, every), library.photos.file_counts(every)
        return cls(ids, facts, files, frozenset(seen))

    def twin(self, one: Decoded) -> PhotoId | None:
        """A photo that shows the same, the same way up, and was looked at."""
        for photo_id in self.ids.get(one.pixel_hash, ()):
            if photo_id in self.seen and _size(self.facts[photo_id]) == _size(one):
                return photo_id
        return None


def _find_pixels(plan: Plan, library: Library, perception: Perception) -> None:
    alike = _Alike.of(plan.new, library, perception)
    first: dict[tuple[str, int, int], ContentHash] = {}
    for one in plan.new:
        held = plan.before.get(one.stamp.path)
        if held is not None and _is_retagged(one, held.photo_id, alike, plan):
            plan.same_photo[one.content_hash] = held.photo_id
            plan.replaced.append(alike.facts[held.photo_id].content_hash)
        twin = alike.twin(one)
        key = (one.pixel_hash, *_size(one))
        if twin is not None:
            plan.seen_before[one.content_hash] = twin
        elif one.pixel_hash and key in first:
            plan.seen_before[one.content_hash] = first[key]
        else:
            first[key] = one.content_hash
            plan.to_look_at.append(one)


def _is_retagged(one: Decoded, held: PhotoId, alike: _Alike, plan: Plan) -> bool:
    """Whether a file shows the pixels of the photo that it held, which no other file holds."""
    if held not in alike.ids.get(one.pixel_hash, ()) or alike.files.get(held) != 1:
        return False
    return held not in plan.ids.values() and held not in plan.same_photo.values()


def _size(one: Decoded | PhotoFacts) -> tuple[int, int]:
    return one.width, one.height
