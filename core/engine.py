"""An opened library and its few verbs: window, command line and benchmark call the same ones."""

import logging
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import partial
from pathlib import Path

from core.domain.answer import SearchAnswer
from core.domain.change import LibraryChange
from core.domain.contributor import ClockProposal, Contributor
from core.domain.decision import Decision, DecisionValue
from core.domain.health import HealthCheck
from core.domain.photo import Photo, PhotoId
from core.domain.problem import Problem
from core.domain.profile import Profile
from core.domain.query import ComposedQuery, QueryId
from core.domain.report import DuplicateGroup, IndexReport, LibraryStats
from core.domain.session import Session, Trip
from core.domain.story import StoryAnswer, StoryBrief
from core.domain.timeline import TimelineSection
from core.domain.track import TrackMatch
from core.errors import EmptyQuery
from core.export.copies import ExportOptions, ExportReport, export_copies, refuse_folder
from core.export.sidecars import SidecarReport, removed_tags, write_sidecars
from core.export.trash import TrashReport, trash_photos
from core.ingest.decisions.changes import MOVES_COLUMNS, change_of
from core.ingest.decisions.clock_proposals import propose_shifts, same_scene_above
from core.ingest.decisions.contributors import contributors
from core.ingest.decisions.decide import decide, judge, undo
from core.ingest.decisions.geotag import GeotagOptions, match_file
from core.ingest.decisions.reach import reached
from core.ingest.decisions.rename_places import rename_places
from core.ingest.further import embed_further, further_health, with_further
from core.ingest.likeness.duplicates import find_duplicates
from core.ingest.options import IndexOptions
from core.ingest.pipeline import USUAL, index_folders
from core.ingest.sessions.refresh import refresh_sessions
from core.ingest.stage_times import StageTimes
from core.ingest.upkeep.health import examine
from core.ingest.upkeep.safekeeping import kept_safe
from core.ingest.upkeep.statistics import count_library
from core.ingest.watching.between_writes import BetweenWrites
from core.ingest.watching.debounce import Changes
from core.ingest.watching.watch import Tell, watch_folders
from core.ingest.watching.watcher import FolderWatcher
from core.language.brief import plan_story
from core.language.clean import well_formed
from core.loaded import Backends, Loaded
from core.paths import LibraryPaths, plain_path
from core.progress import Progress, turn
from core.search.composed import search
from core.search.read_reference import read_reference
from core.search.remember import remembered
from core.search.request import SearchContext, SearchOptions, SearchRequest, check_asked
from core.settings import Settings, load_settings
from core.store.library import Library, open_library
from core.store.timeline import load_timeline
from core.story.composer import compose
from core.story.options import ComposeOptions, StoryOptions

_log = logging.getLogger(__name__)
FirstAnswer = Callable[[SearchAnswer], None]


@dataclass(slots=True)
class Engine:
    """An opened library; made by `Engine.open`, closed by `close`; safe across threads.

    `on_change` hears what each mutation changed, on the thread that made it.
    """

    loaded: Loaded
    on_change: Callable[[LibraryChange], None] = field(default=lambda change: None)
    _indexing: threading.Lock = field(default_factory=threading.Lock)
    _embedding: threading.Lock = field(default_factory=threading.Lock)

    @classmethod
    def open(cls, folder: Path, backends: Backends | None = None) -> "Engine":
        """Open or create the library in `folder`; models load later. Raises LibraryError."""
        paths = LibraryPaths(folder)
        settings = load_settings(paths.settings)
        return cls(Loaded(open_library(paths), settings, backends or Backends()))

    @property
    def library(self) -> Library:
        """The library's store."""
        return self.loaded.library

    @property
    def settings(self) -> Settings:
        """What the library's settings file says, else the usual."""
        return self.loaded.settings

    def close(self) -> None:
        """Close the library, and end the process that reads pictures."""
        self.loaded.close()
        self.library.close()

    def index(
        self, folders: Sequence[Path], progress: Progress, options: IndexOptions = USUAL
    ) -> IndexReport:
        """Take every photo below the folders into the library; raises FolderMissing."""
        try:
            report = self._index(folders, options, progress)
            return self._embed_further(report, progress)
        finally:  # a cancelled run has changed the library too
            self._renew(~LibraryChange.JUDGEMENTS)

    def watch(self, folders: Sequence[Path], tell: Tell, progress: Progress) -> None:
        """Index folders, then what changes below them, until cancelled; says what happens.

        Raises FolderMissing, Cancelled.
        """
        roots = [plain_path(folder) for folder in folders]
        watcher = FolderWatcher(roots, self.settings, (self.library.paths.root,))
        calm = BetweenWrites(progress, self.library.database)

        def index(changes: Changes) -> IndexReport:
            self.loaded.perception(
                progress.silent()
            )  # nobody waits for a lock that waits for somebody
            changed = ~LibraryChange.JUDGEMENTS
            try:
                options = IndexOptions(only=changes.folders, leave=changes.leave)
                report = self._embed_further(self._index(roots, options, calm), calm)
                changed = changed if report.touched else LibraryChange.PROBLEMS
            finally:
                self._renew(changed)
            return report

        watch_folders(watcher, index, tell, progress)

    def search(
        self,
        query: ComposedQuery,
        options: SearchOptions,
        progress: Progress,
        on_first: FirstAnswer | None = None,
    ) -> SearchAnswer:
        """Answer a composed query; `on_first` gets the fast answer as soon as it is there.

        Raises EmptyQuery, ReferenceUnreadable, UnknownChoice, LibraryEmpty.
        """
        query = replace(query, text=well_formed(query.text))
        check_asked(query, options.strategy)
        reference = read_reference(
            query.reference,
            self.library,
            lambda: self.loaded.gallery(progress),
            lambda: self.loaded.perception(progress),
            self.settings,
        )
        request = SearchRequest(query, reference, options.strategy, options.top)
        context = SearchContext(
            self.loaded.gallery(progress),
            self.settings.search,
            self.loaded.places(),
            date.today(),
            self.loaded.model_notes(progress),
        )
        answer = search(request, context, progress, on_first)
        return remembered(self.library, query, answer)

    def compose_story(
        self, brief: StoryBrief, options: StoryOptions, progress: Progress
    ) -> StoryAnswer:
        """Compose stories for a brief, best first; raises EmptyQuery, LibraryEmpty."""
        if not brief.text.strip():
            raise EmptyQuery("There is no story to tell.", "Write what the story is about.")
        gallery = self.loaded.gallery(progress)
        brief = replace(brief, text=well_formed(brief.text))
        plan = plan_story(brief, date.today(), self.loaded.places())
        chosen = ComposeOptions(options.strategy, options.bundles, self.settings.story)
        runs = (self.sessions(), self.trips())
        return compose(plan, gallery, *runs, chosen, self.loaded.backends.solver(), progress)

    def timeline(self) -> list[TimelineSection]:
        """The whole library by day and session, newest day first, undated photos last."""
        return load_timeline(self.library.database)

    def photos(self, ids: Sequence[PhotoId]) -> list[Photo]:
        """Photos by their ids, in that order; raises NotInLibrary."""
        return self.library.photos.photos(ids)

    def photo_at(self, path: Path) -> Photo | None:
        """The photo that a file holds, None where the library does not know the file."""
        photo_id = self.library.photos.id_at(path)
        return None if photo_id is None else self.photos([photo_id])[0]

    def profile(self, photo_id: PhotoId) -> Profile | None:
        """What is known of a photo in words."""
        return self.library.profiles.profiles([photo_id]).get(photo_id)

    def thumbnail(self, photo: Photo) -> Path | None:
        """The photo's thumbnail file, None while there is none."""
        path = self.library.paths.thumbnail(photo.facts.content_hash)
        return path if path.exists() else None

    def picture(self, photo: Photo, longest: int, progress: Progress) -> Path:
        """A JPEG of a photo, upright, its long side at least `longest` pixels where it has them.

        Its file is decoded in a process that may crash without harm. Raises DecodeError.
        """
        small = self.thumbnail(photo)
        facts, enough = photo.facts, self.settings.decode.thumbnail_px
        if small is not None and min(longest, max(facts.width, facts.height)) <= enough:
            return small
        made = self.loaded.pictures().kept(facts.content_hash, longest)
        return made or self.picture_at(photo.path, longest, progress)

    def picture_at(self, path: Path, longest: int, progress: Progress) -> Path:
        """The same of any file, in the library or not; raises DecodeError."""
        return self.loaded.pictures().read(path, longest, progress)

    def refresh_sessions(self, progress: Progress) -> bool:
        """Make sessions and trips again where photos or settings have changed since; whether so.

        Raises LibraryError, Cancelled.
        """
        settings = self.settings.sessions
        renewed = refresh_sessions(self.library, settings, self.loaded.zones, progress)
        if renewed:
            self.on_change(LibraryChange.SESSIONS)
        return renewed

    def sessions(self) -> list[Session]:
        """All sessions, in order."""
        return self.library.sessions.sessions()

    def trips(self) -> list[Trip]:
        """All trips, in order."""
        return self.library.sessions.trips()

    def problems(self) -> list[Problem]:
        """Every file that is not in the library, and why."""
        return self.library.problems.all()

    def duplicates(self, progress: Progress) -> list[DuplicateGroup]:
        """Exact duplicates, near-duplicates and bursts."""
        return find_duplicates(self.library, self.loaded.perception(progress), progress)

    def stats(self) -> LibraryStats:
        """Counts, sizes and models."""
        return count_library(self.library)

    def examine(self, progress: Progress) -> list[HealthCheck]:
        """Whether the library and the models are healthy."""
        found = examine(self.library, self.settings, self.loaded.perception, progress)
        return [*found, *further_health(self.loaded.model_notes(progress), self.settings)]

    def judge(self, query_id: QueryId, right: Sequence[Path], wrong: Sequence[Path]) -> None:
        """Keep the user's word on some photos of an answer; raises NotInLibrary."""
        ids_at = self.library.photos.ids_at
        judge(self.library, query_id, ids_at(right), ids_at(wrong))
        self.on_change(LibraryChange.JUDGEMENTS)

    def decide(self, value: DecisionValue, progress: Progress) -> Decision:
        """Keep what the user decided and let it hold; raises InputError, NotInLibrary."""
        decision = decide(self.loaded.desk(progress), value, progress)
        self._heed(decision.value)
        return decision

    def undo(self, progress: Progress) -> Decision | None:
        """Take the newest decision back, None where there is none."""
        decision = undo(self.loaded.desk(progress), progress)
        if decision is not None:
            self._heed(decision.value)
        return decision

    def decisions(self) -> list[Decision]:
        """Everything that the user decided and that holds, oldest first."""
        return self.library.decisions.all()

    def export(
        self, ids: Sequence[PhotoId], folder: Path, options: ExportOptions, progress: Progress
    ) -> ExportReport:
        """Copy photos into a folder; raises NotInLibrary, FolderUnwritable."""
        refuse_folder(folder, self.library.paths)
        read = partial(self.picture, progress=progress)
        return export_copies(self.photos(ids), folder, options, read, progress)

    def trash(self, ids: Sequence[PhotoId], progress: Progress) -> TrashReport:
        """Move photos' files to the system's trash; raises NotInLibrary, TrashRefused."""
        with turn(self._indexing, progress):
            try:
                return trash_photos(self.library, ids, progress)
            finally:
                refresh_sessions(
                    self.library, self.settings.sessions, self.loaded.zones, Progress()
                )
                self._renew(LibraryChange.PHOTOS | LibraryChange.SESSIONS)

    def write_sidecars(self, ids: Sequence[PhotoId], progress: Progress) -> SidecarReport:
        """Write what is known of photos beside them; raises NotInLibrary."""
        return write_sidecars(self.photos(ids), removed_tags(self.library, ids), progress)

    def contributors(self) -> list[Contributor]:
        """Who or what took the photos, by name, and what their clocks showed."""
        return contributors(self.library)

    def propose_shifts(self, progress: Progress) -> list[ClockProposal]:
        """Corrections of clocks on which photos of one scene by two devices agree."""
        perception = self.loaded.perception(progress)
        above = same_scene_above(perception.presence)
        return propose_shifts(self.library, perception.encoder.name, above, progress)

    def match_track(
        self, file: Path, within: Sequence[Path], options: GeotagOptions, progress: Progress
    ) -> TrackMatch:
        """Where photos (those `within` some folders) were by a GPX file; raises InputError."""
        return match_file(self.library, file, within, options, progress)

    def reach(self, value: DecisionValue) -> list[PhotoId]:
        """The photos that a decision is or would be about."""
        return reached(self.library, value)

    def roots(self) -> dict[Path, bool]:
        """The folders of the library, and whether each is offline."""
        return self.library.facts.roots()

    def model_notes(self, progress: Progress) -> tuple[str, ...]:
        """Which chosen encoders do not serve searches, and why."""
        return self.loaded.model_notes(progress)

    def _heed(self, value: DecisionValue) -> None:
        """Let searches and listeners know of a decision made or taken back."""
        if isinstance(value, MOVES_COLUMNS):
            self.loaded.forget_gallery()
        self.on_change(change_of(value))

    def _index(
        self, folders: Sequence[Path], options: IndexOptions, progress: Progress
    ) -> IndexReport:
        """One indexing run at a time: another waits for its turn."""
        with turn(self._indexing, progress):
            rename_places(self.loaded.desk(progress), progress)
            backends = self.loaded.perception(progress), self.loaded.gazetteer()
            run = partial(index_folders, folders, self.library, *backends, self.settings)
            report = run(progress, options=options)
            return kept_safe(self.library, self.settings.backup, report, progress)

    def _embed_further(self, report: IndexReport, progress: Progress) -> IndexReport:
        """Complete the vectors of further encoders; searches and other runs go on meanwhile."""
        encoders = self.loaded.further(progress)
        times = StageTimes()
        with turn(self._embedding, progress):
            made = sum(embed_further(self.library, one, times, progress) for one in encoders)
        if not self.settings.models.encoders:
            return report
        return with_further(report, times, made, self.loaded.model_notes(progress))

    def _renew(self, change: LibraryChange) -> None:
        """Let searches and listeners know of a change."""
        if change & LibraryChange.PHOTOS:
            self.loaded.forget_gallery()
        self.on_change(change)
