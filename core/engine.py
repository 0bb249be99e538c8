"""An opened library and its few verbs: window, command line and benchmark call the same ones."""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from core.backends.gazetteer import OfflineGazetteer
from core.backends.highs import HighsSolver
from core.backends.starter.load import load_starter
from core.domain.answer import SearchAnswer
from core.domain.change import LibraryChange
from core.domain.photo import Photo, PhotoId
from core.domain.problem import Problem
from core.domain.profile import Profile
from core.domain.query import ComposedQuery, QueryId
from core.domain.report import DuplicateGroup, IndexReport, LibraryStats
from core.domain.session import Session, Trip
from core.domain.story import StoryAnswer, StoryBrief
from core.domain.timeline import TimelineSection
from core.progress import Progress
from core.protocols import Gazetteer, MipSolver, Perception
from core.settings import Settings
from core.store.library import Library

FirstAnswer = Callable[[SearchAnswer], None]


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """How a search runs: its strategy, and how many photos the answer holds."""

    strategy: str = "hybrid"
    top: int = 50


@dataclass(frozen=True, slots=True)
class StoryOptions:
    """How a story is composed: its strategy, and how many bundles are offered."""

    strategy: str = "weaver"
    bundles: int = 3


@dataclass(frozen=True, slots=True)
class Backends:
    """What an engine loads when it first needs it."""

    perception: Callable[[Progress], Perception] = load_starter
    gazetteer: Callable[[], Gazetteer] = OfflineGazetteer
    solver: Callable[[], MipSolver] = HighsSolver


@dataclass(slots=True)
class Engine:
    """An opened library; made by `Engine.open`, closed by `close`; safe across threads."""

    library: Library
    settings: Settings
    backends: Backends
    on_change: Callable[[LibraryChange], None] = field(default=lambda change: None)
    _loading: threading.Lock = field(default_factory=threading.Lock)

    @classmethod
    def open(cls, folder: Path, backends: Backends | None = None) -> "Engine":
        """Open or create the library in `folder`; models load later. Raises LibraryError."""
        raise NotImplementedError

    def close(self) -> None:
        """Close the library."""
        raise NotImplementedError

    def index(self, folders: Sequence[Path], progress: Progress) -> IndexReport:
        """Take every photo below the folders into the library; raises FolderMissing."""
        raise NotImplementedError

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
        raise NotImplementedError

    def compose_story(
        self, brief: StoryBrief, options: StoryOptions, progress: Progress
    ) -> StoryAnswer:
        """Compose stories for a brief, best first; raises EmptyQuery, LibraryEmpty."""
        raise NotImplementedError

    def timeline(self) -> list[TimelineSection]:
        """The whole library by day and session, newest day first, undated photos last."""
        raise NotImplementedError

    def photos(self, ids: Sequence[PhotoId]) -> list[Photo]:
        """Photos by their ids, in that order; raises NotInLibrary."""
        raise NotImplementedError

    def profile(self, photo_id: PhotoId) -> Profile | None:
        """What is known of a photo in words."""
        raise NotImplementedError

    def thumbnail(self, photo: Photo) -> Path | None:
        """The photo's thumbnail file, None while there is none."""
        raise NotImplementedError

    def sessions(self) -> list[Session]:
        """All sessions, in order."""
        raise NotImplementedError

    def trips(self) -> list[Trip]:
        """All trips, in order."""
        raise NotImplementedError

    def problems(self) -> list[Problem]:
        """Every file that is not in the library, and why."""
        raise NotImplementedError

    def duplicates(self, progress: Progress) -> list[DuplicateGroup]:
        """Exact duplicates, near-duplicates and bursts."""
        raise NotImplementedError

    def stats(self) -> LibraryStats:
        """Counts, sizes and models."""
        raise NotImplementedError

    def judge(self, query_id: QueryId, right: Sequence[Path], wrong: Sequence[Path]) -> None:
        """Keep the user's word on some photos of an answer; raises NotInLibrary."""
        raise NotImplementedError

    def roots(self) -> dict[Path, bool]:
        """The folders of the library, and whether each is offline."""
        raise NotImplementedError
