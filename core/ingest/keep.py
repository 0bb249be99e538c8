"""Keeps what was read: one transaction a batch, photos with their vectors and profiles."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from core.backends.gazetteer.zone_finder import ZoneFinder
from core.domain.photo import ContentHash, PhotoFacts, PhotoId
from core.ingest.corrections import World
from core.ingest.embed import Embedded, embed_squares
from core.ingest.facts import complete_facts
from core.ingest.jobs import Decoded, Known, Outcome, Refused
from core.ingest.profile import make_profile
from core.ingest.refresh import sessions_are_stale
from core.ingest.stage_times import StageTimes
from core.ingest.standing import keep_recorded, shown_facts
from core.ingest.survey import save_problems
from core.protocols import Gazetteer, Perception
from core.store.library import Library


@dataclass(slots=True)
class Kept:
    """Counts of one run: files that are new, changed or the same, photos that were embedded."""

    added: int = 0
    changed: int = 0
    unchanged: int = 0
    embedded: int = 0


@dataclass(frozen=True, slots=True)
class Keeper:
    """Embeds and writes batches of outcomes into one library."""

    library: Library
    perception: Perception
    gazetteer: Gazetteer
    zones: ZoneFinder
    times: StageTimes
    kept: Kept = field(default_factory=Kept)

    def keep(self, outcomes: Sequence[Outcome]) -> None:
        """Keep outcomes in their order: of equal contents the first is described."""
        files = [outcome for outcome in outcomes if not isinstance(outcome, Refused)]
        refused = [o for o in outcomes if isinstance(o, Refused)]
        known = self.library.photos.ids_by_hash([file.content_hash for file in files])
        fresh: dict[ContentHash, Decoded] = {}
        for file in files:
            if isinstance(file, Decoded) and file.content_hash not in known:
                fresh.setdefault(file.content_hash, file)
        decoded = list(fresh.values())
        embedded = self._embed(decoded)
        with self.times.stage("save"):
            facts = complete_facts(decoded, self.gazetteer, self.zones)
            with self.library.database.write():
                self._save_photos(decoded, facts, embedded, known)
                self._attach(files, known)
                self.library.problems.clear(file.stamp.path for file in files)
                save_problems(self.library, [(r.stamp, r.reason, r.detail) for r in refused])
                sessions_are_stale(self.library)
        self.kept.embedded += len(decoded)

    def _embed(self, decoded: Sequence[Decoded]) -> Embedded | None:
        if not decoded:
            return None
        with self.times.stage("embed"):
            return embed_squares([d.square for d in decoded], self.perception)

    def _save_photos(
        self,
        decoded: Sequence[Decoded],
        facts: Sequence[PhotoFacts],
        embedded: Embedded | None,
        known: dict[ContentHash, PhotoId],
    ) -> None:
        if embedded is None:
            return
        ids = []
        before = self.library.photos.known_files([one.stamp.path for one in decoded])
        world = World(self.gazetteer, self.zones)
        shown = shown_facts(self.library, facts, [None] * len(facts), world)
        for one, recorded, its_facts in zip(decoded, facts, shown, strict=True):
            photo_id = self.library.photos.save(its_facts, one.stamp)
            if its_facts is not recorded:
                keep_recorded(self.library, photo_id, recorded, its_facts)
            self._count(one.stamp.path in before, same=False)
            known[one.content_hash] = photo_id
            ids.append(photo_id)
        self.save_described(ids, shown, embedded)

    def _attach(self, files: Sequence[Decoded | Known], known: dict[ContentHash, PhotoId]) -> None:
        before = self.library.photos.known_files([file.stamp.path for file in files])
        for file in files:
            photo_id = known[file.content_hash]
            held = before.get(file.stamp.path)
            if held is not None and held.stamp == file.stamp and held.photo_id == photo_id:
                continue  # written with its photo just now
            self._count(held is not None, same=held is not None and held.photo_id == photo_id)
            self.library.photos.attach(photo_id, file.stamp)

    def _count(self, was_known: bool, same: bool) -> None:
        self.kept.added += not was_known
        self.kept.unchanged += same
        self.kept.changed += was_known and not same

    def save_described(
        self, ids: Sequence[PhotoId], facts: Sequence[PhotoFacts], embedded: Embedded
    ) -> None:
        """Write vectors, proxies and profiles of photos; joins the open transaction."""
        seen_above = self.perception.presence.present_above
        with self.library.database.write():
            self.library.vectors.save(self.perception.encoder.name, ids, embedded.vectors)
            self.library.vectors.save(self.perception.proxy_name, ids, embedded.proxies)
            self.library.profiles.save(
                [
                    make_profile(photo_id, its_facts, concepts, seen_above)
                    for photo_id, its_facts, concepts in zip(
                        ids, facts, embedded.concepts, strict=True
                    )
                ]
            )
