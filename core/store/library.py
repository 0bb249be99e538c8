"""An opened library: its database and the stores over it."""

from dataclasses import dataclass

from core.paths import LibraryPaths
from core.store.companions import CompanionStore
from core.store.database import Database
from core.store.decisions import DecisionStore
from core.store.entries import EntryStore
from core.store.facts import FactStore
from core.store.homes import HomeStore
from core.store.judgements import JudgementStore
from core.store.photos import PhotoStore
from core.store.problems import ProblemStore
from core.store.profiles import ProfileStore
from core.store.sessions import SessionStore
from core.store.stale import StaleStore
from core.store.tags import TagStore
from core.store.vectors import VectorStore


@dataclass(frozen=True, slots=True)
class Library:
    """The stores of one library; `database.write()` spans them in one transaction."""

    paths: LibraryPaths
    database: Database
    photos: PhotoStore
    problems: ProblemStore
    vectors: VectorStore
    profiles: ProfileStore
    sessions: SessionStore
    judgements: JudgementStore
    facts: FactStore
    tags: TagStore
    companions: CompanionStore
    decisions: DecisionStore
    entries: EntryStore
    homes: HomeStore
    stale: StaleStore

    def close(self) -> None:
        """Close the database."""
        self.database.close()


def open_library(paths: LibraryPaths) -> Library:
    """Open or create a library; raises LibraryError."""
    database = Database(paths)
    return Library(
        paths,
        database,
        PhotoStore(database),
        ProblemStore(database),
        VectorStore(database),
        ProfileStore(database),
        SessionStore(database),
        JudgementStore(database),
        FactStore(database),
        TagStore(database),
        CompanionStore(database),
        DecisionStore(database),
        EntryStore(database),
        HomeStore(database),
        StaleStore(database),
    )
