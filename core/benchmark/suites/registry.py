"""Every suite by its name."""

from core.benchmark.suites.captions import CaptionsSuite
from core.benchmark.suites.concepts import ConceptsSuite
from core.benchmark.suites.smoke import SmokeSuite
from core.benchmark.suites.suite import Suite
from core.errors import UnknownChoice


def all_suites() -> tuple[Suite, ...]:
    """The suites, the quickest first."""
    return (SmokeSuite(), ConceptsSuite(), CaptionsSuite())


def suite_named(name: str) -> Suite:
    """A suite by its name; raises UnknownChoice."""
    suites = {suite.name: suite for suite in all_suites()}
    if name not in suites:
        raise UnknownChoice(f"There is no suite “{name}”.", f"Choose from: {', '.join(suites)}.")
    return suites[name]
