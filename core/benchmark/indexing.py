"""What indexing cost, and how near it came to what the cores could do."""

from dataclasses import dataclass

from core.domain.report import IndexReport


@dataclass(frozen=True, slots=True)
class IndexingCost:
    """Photos indexed, wall and processor seconds a stage, and photos a second.

    `ceiling` = cores / Σ_stages processor seconds a photo: the rate with every core busy all
    the time. `ratio` = rate / ceiling, between 0 and 1.
    """

    photos: int
    cores: int
    seconds: dict[str, float]
    cpu_seconds: dict[str, float]
    rate: float
    ceiling: float
    ratio: float


def indexing_cost(report: IndexReport, cores: int) -> IndexingCost:
    """The cost of one indexing run; rates are 0 where nothing was indexed."""
    photos, total = report.embedded, sum(report.cpu_seconds.values())
    ceiling = cores * photos / total if total > 0 else 0.0
    ratio = report.rate / ceiling if ceiling > 0 else 0.0
    return IndexingCost(
        photos, cores, report.seconds, report.cpu_seconds, report.rate, ceiling, ratio
    )
