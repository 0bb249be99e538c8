"""A benchmark's report: report.json, report.md, and the per-query values beside them.

`per_query.json` holds what comparisons need; report.json alone tells the figures.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from core.benchmark.atomic import write_text
from core.benchmark.figures import Figure, Measure, QuerySet
from core.benchmark.hardware import Hardware
from core.benchmark.indexing import IndexingCost
from core.benchmark.latency import Latency
from core.benchmark.suites.suite import Switch
from core.errors import DatasetError

SCHEMA = 1
REPORT, VALUES, TEXT = "report.json", "per_query.json", "report.md"


@dataclass(frozen=True, slots=True)
class FloorCheck:
    """A figure against its bound; `value` is None where the figure is missing."""

    strategy: str
    group: str
    metric: str
    bound: float
    value: float | None
    holds: bool


@dataclass(frozen=True, slots=True)
class Report:
    """Everything that one suite's run says of itself.

    `by_seed` holds each seed's own figures where there are several seeds. `memory_mb` is the
    peak resident memory of all processes; `seconds` the wall time.
    """

    suite: str
    seed: int
    seeds: tuple[int, ...]
    created: str
    switches: Mapping[str, Switch]
    data: Mapping[str, Switch]
    hardware: Hardware
    versions: Mapping[str, str]
    figures: tuple[Figure, ...]
    latency: tuple[Latency, ...]
    memory_mb: float
    seconds: float
    indexing: tuple[IndexingCost, ...]
    floors: tuple[FloorCheck, ...]
    by_seed: Mapping[str, tuple[Figure, ...]]

    @property
    def below_floor(self) -> bool:
        """Whether any figure is worse than its bound."""
        return not all(check.holds for check in self.floors)


def write_report(folder: Path, report: Report, text: str, measures: list[Measure]) -> Path:
    """Write the report's three files, each at once or not at all; returns report.json."""
    folder.mkdir(parents=True, exist_ok=True)
    write_text(folder / VALUES, _json(_values_document(report, measures), indent=None))
    write_text(folder / TEXT, text)
    write_text(folder / REPORT, _json({"schema": SCHEMA, **asdict(report)}, indent=2))
    return folder / REPORT


@dataclass(frozen=True, slots=True)
class SavedReport:
    """A report read back: its folder, its document and its per-query values."""

    folder: Path
    document: Mapping[str, Any]
    figures: tuple[Figure, ...]
    measures: tuple[Measure, ...]

    @property
    def suite(self) -> str:
        """The suite that it measured."""
        return str(self.document["suite"])


def read_report(folder: Path) -> SavedReport:
    """Read a report's folder back; raises DatasetError where it is missing or malformed."""
    document, values = _load(folder / REPORT), _load(folder / VALUES)
    try:
        if document["schema"] != SCHEMA or values["schema"] != SCHEMA:
            raise DatasetError(
                f"{folder} holds a report of another schema.", "Run that benchmark again."
            )
        sets = [
            QuerySet(s["split"], s["group"], tuple(s["ids"]), tuple(s["clusters"]))
            for s in values["query_sets"]
        ]
        measures = tuple(
            Measure(m["strategy"], m["metric"], sets[m["query_set"]], np.array(m["values"], float))
            for m in values["measures"]
        )
        figures = tuple(Figure(**figure) for figure in document["figures"])
        return SavedReport(folder, document, figures, measures)
    except (KeyError, IndexError, TypeError, ValueError) as error:
        raise DatasetError(
            f"The report in {folder} is malformed ({type(error).__name__}: {error}).",
            "Run that benchmark again.",
        ) from error


def _values_document(report: Report, measures: list[Measure]) -> dict[str, object]:
    sets = list(dict.fromkeys(measure.queries for measure in measures))
    positions = {queries: i for i, queries in enumerate(sets)}
    return {
        "schema": SCHEMA,
        "suite": report.suite,
        "seeds": report.seeds,
        "query_sets": [asdict(queries) for queries in sets],
        "measures": [
            {
                "strategy": measure.strategy,
                "metric": measure.metric,
                "query_set": positions[measure.queries],
                "values": measure.values.tolist(),
            }
            for measure in measures
        ],
    }


def _json(document: Mapping[str, object], indent: int | None) -> str:
    return json.dumps(document, indent=indent, ensure_ascii=False, allow_nan=False) + "\n"


def _load(path: Path) -> dict[str, Any]:
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise DatasetError(
            f"{path} cannot be read: {error.strerror}.", "Name a folder that --out wrote."
        ) from error
    except ValueError as error:
        raise DatasetError(f"{path} is not valid JSON.", "Run that benchmark again.") from error
    if not isinstance(document, dict):
        raise DatasetError(f"{path} is not a report.", "Run that benchmark again.")
    return document
