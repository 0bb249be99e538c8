"""What a search is asked, and what it works with."""

from dataclasses import dataclass
from datetime import date

from core.domain.query import ComposedQuery
from core.domain.trajectory import Trajectory
from core.errors import EmptyQuery, LibraryEmpty, UnknownChoice
from core.protocols import Gazetteer
from core.retrieval.gallery import Gallery
from core.retrieval.reference import Reference
from core.settings import SearchSettings

EMBEDDING = "embedding"
OSCAR = "oscar"
HYBRID = "hybrid"
STRATEGIES = {
    EMBEDDING: "Text and photo vectors alone, summed; nothing is understood or excluded.",
    OSCAR: "Sets: the union of the positive retrievals minus what is excluded, equal weights.",
    HYBRID: "The same plan, with weights by intent and every condition verified.",
}
_LATER = frozenset({"pdf"})


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """How a search runs: its strategy, and how many photos the answer holds."""

    strategy: str = "hybrid"
    top: int = 50


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """A composed query and how to answer it.

    `reference` is the decoded photo of `query.reference`. `top` is how many photos the answer
    holds at most, and how many excluded ones may follow them. `trajectory`, where given, is run
    as it is instead of a new plan: the user edited it. `keep_reference` lets the reference's own
    photo be found (a benchmark's switch).
    """

    query: ComposedQuery
    reference: Reference | None = None
    strategy: str = HYBRID
    top: int = 50
    trajectory: Trajectory | None = None
    keep_reference: bool = False


@dataclass(frozen=True, slots=True)
class SearchContext:
    """What searches share: the gallery, settings, names of places, and what day it is.

    `model_notes` say which chosen models do not serve, and why.
    """

    gallery: Gallery
    settings: SearchSettings
    gazetteer: Gazetteer
    today: date
    model_notes: tuple[str, ...] = ()


def check_request(request: SearchRequest, gallery: Gallery) -> None:
    """Raise EmptyQuery, UnknownChoice or LibraryEmpty where there is nothing to answer."""
    check_asked(request.query, request.strategy)
    if len(gallery) == 0:
        raise LibraryEmpty("No photo is indexed yet.", "Run `photoapp index FOLDER` first.")


def check_asked(query: ComposedQuery, strategy: str) -> None:
    """Raise EmptyQuery or UnknownChoice: what can be told before anything is loaded."""
    if strategy in _LATER:
        raise UnknownChoice(
            f"The strategy {strategy!r} is not in this version.",
            f"Choose one of {', '.join(STRATEGIES)}.",
        )
    if strategy not in STRATEGIES:
        raise UnknownChoice(
            f"There is no search strategy {strategy!r}.",
            f"Choose one of {', '.join(STRATEGIES)}.",
        )
    if not query.text.strip() and query.reference is None:
        raise EmptyQuery(
            "There is nothing to search for.", "Write what you look for, or give a photo."
        )
