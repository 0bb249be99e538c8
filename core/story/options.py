"""How a story is composed."""

from collections.abc import Callable
from dataclasses import dataclass, field

from core.domain.story import Bundle
from core.settings import StorySettings


def ignore_bundle(bundle: Bundle) -> None:
    """Listen to nothing."""


@dataclass(frozen=True, slots=True)
class StoryOptions:
    """How a story is composed: its strategy, and how many bundles are offered."""

    strategy: str = "weaver"
    bundles: int = 3


@dataclass(frozen=True, slots=True)
class ComposeOptions:
    """The strategy, how many bundles are offered, and the composer's own figures.

    `on_better` hears the best bundle so far each time that a better one is found, so that
    cancelling keeps it. `time_limit_s` bounds each exact solve.
    """

    strategy: str = "weaver"
    bundles: int = 3
    settings: StorySettings = field(default_factory=StorySettings)
    on_better: Callable[[Bundle], None] = ignore_bundle
    time_limit_s: float = 10.0
