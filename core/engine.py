"""An opened library and its few verbs: window, command line and benchmark call the same ones."""

import logging
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import partial
from pathlib import Path

from core.backends.gazetteer.offline import OfflineGazetteer
from core.backends.gazetteer.zone_finder import ZoneFinder
from core.backends.highs import HighsSolver
from core.backends.starter.load import load_starter
from core.domain.answer import SearchAnswer
from core.domain.change import LibraryChange
from core.domain.contributor import ClockProposal, Contributor
from core.domain.decision import Decision, DecisionValue, PlaceNamed
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
from core.ingest.changes import MOVES_COLUMNS, change_of
from core.ingest.clock_proposals import propose_shifts, same_scene_above
from core.ingest.contributors import contributors
from core.ingest.corrections import World
from core.ingest.decide import Desk, decide, judge, undo
from core.ingest.decode import decode_file
from core.ingest.duplicates import find_duplicates
from core.ingest.geotag import GeotagOptions, match_file
from core.ingest.health import examine
from core.ingest.options import IndexOptions
from core.ingest.own_places import OwnPlaces, own_places
from core.ingest.pipeline import USUAL, index_folders
from core.ingest.reach import reached
from core.ingest.refresh import refresh_sessions
from core.ingest.rename_places import rename_places
from core.ingest.safekeeping import kept_safe
from core.ingest.screen_picture import ScreenPictures
from core.ingest.statistics import count_library
from core.ingest.watching.between_writes import BetweenWrites
from core.ingest.watching.debounce import Changes
from core.ingest.watching.watch import Tell, watch_folders
from core.ingest.watching.watcher import FolderWatcher
from core.ingest.worker import DecodeFunction
from core.language.brief import plan_story
from core.language.clean import well_formed
from core.paths import LibraryPaths, plain_path
from core.progress import Progress, turn
from core.protocols import Gazetteer, MipSolver, Perception
from core.retrieval.gallery import Gallery
from core.search.composed import search
from core.search.read_reference import nothing_to_look_through, read_reference
from core.search.remember import remembered
from core.search.request import SearchContext, SearchOptions, SearchRequest, check_asked
from core.settings import Settings, load_settings
from core.store.library import Library, open_library
from core.store.timeline import load_timeline
from core.story.composer import compose
from core.story.options import ComposeOptions, StoryOptions

_log = logging.getLogger(__name__)
FirstAnswer = Callable[[SearchAnswer], None]


@dataclass(frozen=True, slots=True)
class Backends:
    """What an engine loads when it first needs it."""

    perception: Callable[[Progress], Perception] = load_starter
    gazetteer: Callable[[], Gazetteer] = OfflineGazetteer
    solver: Callable[[], MipSolver] = HighsSolver
    decode: DecodeFunction = decode_file


@dataclass(slots=True)
class Engine:
    """An opened library; made by `Engine.open`, closed by `close`; safe across threads.

    `on_change` hears what each mutation changed, on the thread that made it.
    """

    library: Library
    settings: Settings
    backends: Backends
    on_change: Callable[[LibraryChange], None] = field(default=lambda change: None)
    _loading: threading.RLock = field(default_factory=threading.RLock)
    _indexing: threading.Lock = field(default_factory=threading.Lock)
    _perception: Perception | None = None
    _gazetteer: Gazetteer | None = None
    _gallery: Gallery | None = None
    _pictures: ScreenPictures | None = None
    _zones: ZoneFinder = field(default_factory=ZoneFinder)

    @classmethod
    def open(cls, folder: Path, backends: Backends | None = None) -> "Engine":
        """Open or create the library in `folder`; models load later. Raises LibraryError."""
        paths = LibraryPaths(folder)
        settings = load_settings(paths.settings)
        return cls(open_library(paths), settings, backends or Backends())

    def close(self) -> None:
        """Close the library, and end the process that reads pictures."""
        if self._pictures is not None:
            self._pictures.close()
        self.library.close()

    def index(
        self, folders: Sequence[Path], progress: Progress, options: IndexOptions = USUAL
    ) -> IndexReport:
        """Take every photo below the folders into the library; raises FolderMissing."""
        try:
            return self._index(folders, options, progress)
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
            self.perception(progress.silent())  # nobody waits for a lock that waits for somebody
            changed = ~LibraryChange.JUDGEMENTS
            try:
                options = IndexOptions(only=changes.folders, leave=changes.leave)
                report = self._index(roots, options, calm)
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
            lambda: self.gallery(progress),
            lambda: self.perception(progress),
            self.settings,
        )
        request = SearchRequest(query, reference, options.strategy, options.top)
        context = SearchContext(
            self.gallery(progress), self.settings.search, self.places(), date.today()
        )
        answer = search(request, context, progress, on_first)
        return remembered(self.library, query, answer)

    def compose_story(
        self, brief: StoryBrief, options: StoryOptions, progress: Progress
    ) -> StoryAnswer:
        """Compose stories for a brief, best first; raises EmptyQuery, LibraryEmpty."""
        if not brief.text.strip():
            raise EmptyQuery("There is no story to tell.", "Write what the story is about.")
        gallery = self.gallery(progress)
        brief = replace(brief, text=well_formed(brief.text))
        plan = plan_story(brief, date.today(), self.places())
        chosen = ComposeOptions(options.strategy, options.bundles, self.settings.story)
        runs = (self.sessions(), self.trips())
        return compose(plan, gallery, *runs, chosen, self.backends.solver(), progress)

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
        made = self._screen_pictures().kept(facts.content_hash, longest)
        return made or self.picture_at(photo.path, longest, progress)

    def picture_at(self, path: Path, longest: int, progress: Progress) -> Path:
        """The same of any file, in the library or not; raises DecodeError."""
        return self._screen_pictures().read(path, longest, progress)

    def refresh_sessions(self, progress: Progress) -> bool:
        """Make sessions and trips again where photos or settings have changed since; whether so.

        Raises LibraryError, Cancelled.
        """
        settings = self.settings.sessions
        renewed = refresh_sessions(self.library, settings, self._zones, progress)
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
        return find_duplicates(self.library, self.perception(progress), progress)

    def stats(self) -> LibraryStats:
        """Counts, sizes and models."""
        return count_library(self.library)

    def examine(self, progress: Progress) -> list[HealthCheck]:
        """Whether the library and the models are healthy."""
        return examine(self.library, self.settings, self.perception, progress)

    def judge(self, query_id: QueryId, right: Sequence[Path], wrong: Sequence[Path]) -> None:
        """Keep the user's word on some photos of an answer; raises NotInLibrary."""
        ids_at = self.library.photos.ids_at
        judge(self.library, query_id, ids_at(right), ids_at(wrong))
        self.on_change(LibraryChange.JUDGEMENTS)

    def decide(self, value: DecisionValue, progress: Progress) -> Decision:
        """Keep what the user decided and let it hold; raises InputError, NotInLibrary."""
        decision = decide(self._desk(progress), value, progress)
        self._heed(decision.value)
        return decision

    def undo(self, progress: Progress) -> Decision | None:
        """Take the newest decision back, None where there is none."""
        decision = undo(self._desk(progress), progress)
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
                refresh_sessions(self.library, self.settings.sessions, self._zones, Progress())
                self._renew(LibraryChange.PHOTOS | LibraryChange.SESSIONS)

    def write_sidecars(self, ids: Sequence[PhotoId], progress: Progress) -> SidecarReport:
        """Write what is known of photos beside them; raises NotInLibrary."""
        return write_sidecars(self.photos(ids), removed_tags(self.library, ids), progress)

    def contributors(self) -> list[Contributor]:
        """Who or what took the photos, by name, and what their clocks showed."""
        return contributors(self.library)

    def propose_shifts(self, progress: Progress) -> list[ClockProposal]:
        """Corrections of clocks on which photos of one scene by two devices agree."""
        perception = self.perception(progress)
        above = same_scene_above(perception.presence)
        return propose_shifts(self.library, perception.encoder.name, above, progress)

    def match_track(
        self, file: Path, within: Sequence[Path], options: GeotagOptions, progress: Progress
    ) -> TrackMatch:
        """Where photos (those `within` some folders) were by a GPX file; raises InputError."""
        return match_file(self.library, file, within, options, progress)

    def own_places(self) -> tuple[PlaceNamed, ...]:
        """The names that the user gave to places, smallest first."""
        return own_places(self.library)

    def reach(self, value: DecisionValue) -> list[PhotoId]:
        """The photos that a decision is or would be about."""
        return reached(self.library, value)

    def roots(self) -> dict[Path, bool]:
        """The folders of the library, and whether each is offline."""
        return self.library.facts.roots()

    def perception(self, progress: Progress) -> Perception:
        """The models, loaded once; raises ModelError."""
        with self._loading:
            if self._perception is None:
                begun = time.monotonic()
                self._perception = self.backends.perception(progress)
                _log.info("models loaded in %.2f s", time.monotonic() - begun)
            return self._perception

    def gazetteer(self) -> Gazetteer:
        """The names of places, loaded once."""
        with self._loading:
            if self._gazetteer is None:
                self._gazetteer = self.backends.gazetteer()
            return self._gazetteer

    def places(self) -> Gazetteer:
        """The names of places, the user's own before all others."""
        return OwnPlaces(self.gazetteer(), self.own_places())

    def gallery(self, progress: Progress) -> Gallery:
        """What searches look through, read again after each change of the photos.

        Raises LibraryEmpty where no photo has a vector of the present model.
        """
        with self._loading:
            if self._gallery is None:
                perception = self.perception(progress)
                gallery = Gallery.load(self.library, perception, progress)
                if len(gallery) == 0:
                    raise nothing_to_look_through(self.library, perception.encoder.name)
                self._gallery = gallery
            return self._gallery

    def _desk(self, progress: Progress) -> Desk:
        world = World(self.gazetteer(), self._zones)
        seen_above = self.perception(progress).presence.present_above
        return Desk(self.library, world, self.settings.sessions, seen_above)

    def _heed(self, value: DecisionValue) -> None:
        """Let searches and listeners know of a decision made or taken back."""
        if isinstance(value, MOVES_COLUMNS):
            self._forget_gallery()
        self.on_change(change_of(value))

    def _screen_pictures(self) -> ScreenPictures:
        with self._loading:
            if self._pictures is None:
                paths, settings = self.library.paths, self.settings.decode
                self._pictures = ScreenPictures(paths, settings, self.backends.decode)
            return self._pictures

    def _index(
        self, folders: Sequence[Path], options: IndexOptions, progress: Progress
    ) -> IndexReport:
        """One indexing run at a time: another waits for its turn."""
        with turn(self._indexing, progress):
            rename_places(self._desk(progress), progress)
            backends = self.perception(progress), self.gazetteer()
            run = partial(index_folders, folders, self.library, *backends, self.settings)
            report = run(progress, options=options)
            return kept_safe(self.library, self.settings.backup, report, progress)

    def _renew(self, change: LibraryChange) -> None:
        """Let searches and listeners know of a change."""
        if change & LibraryChange.PHOTOS:
            self._forget_gallery()
        self.on_change(change)

    def _forget_gallery(self) -> None:
        with self._loading:
            self._gallery = None
