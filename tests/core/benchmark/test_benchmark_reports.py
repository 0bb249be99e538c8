"""Reports: their schema, round trip, text, and the comparison of two of them."""

import json
from dataclasses import replace

import numpy as np
import pytest

from core.benchmark.figures import Figure, Measure, QuerySet, figure_of, pooled_figure, pooled_rate
from core.benchmark.hardware import Hardware
from core.benchmark.indexing import IndexingCost, indexing_cost
from core.benchmark.intervals import Bootstrap
from core.benchmark.latency import latencies
from core.benchmark.markdown import number, report_markdown, table
from core.benchmark.report import FloorCheck, Report, read_report, write_report
from core.benchmark.runner import compare_reports
from core.domain.report import IndexReport
from core.errors import DatasetError

QUERIES = QuerySet("test", "all", ("a#0", "a#1", "b#0", "c#0"), ("a", "a", "b", "c"))
BOOTSTRAP = Bootstrap(resamples=200)


def measure(values, metric="r@1", strategy="image-text", queries=QUERIES):
    return Measure(strategy, metric, queries, np.array(values, float))


def report(measures, rates=(), suite="captions", **changes):
    whole = Report(
        suite=suite,
        seed=0,
        seeds=(0,),
        created="2024-05-03T10:00:00+00:00",
        switches={"ties": "by id", "limit": None},
        data={"photos": 3},
        hardware=Hardware("a processor", 2, 24000, "a system"),
        versions={"python": "3.11.2"},
        figures=(*(figure_of(m, BOOTSTRAP) for m in measures), *rates),
        latency=tuple(latencies("image-text", [{"final": 0.01}, {"final": 0.03}])),
        memory_mb=512.3,
        seconds=1.5,
        indexing=(IndexingCost(3, 2, {"embed": 1.0}, {"embed": 1.5}, 3.0, 4.0, 0.75),),
        floors=(FloorCheck("image-text", "all", "r@1", 0.2, 0.5, True),),
        by_seed={},
    )
    return replace(whole, **changes)


def write(folder, measures, rates=(), **changes):
    whole = report(measures, rates, **changes)
    return write_report(folder, whole, report_markdown(whole), list(measures))


def rate(value):
    return Figure("index", "all", "all", "rate", value, value, value, 3)


class TestReport:
    def test_report_json_has_the_documented_keys(self, tmp_path):
        path = write(tmp_path / "out", [measure([1, 0, 1, 0])], [rate(20.0)])
        document = json.loads(path.read_text(encoding="utf-8"))
        documented = "schema suite seed switches data hardware versions figures latency memory_mb"
        assert {*documented.split(), "seconds"} <= document.keys()
        assert document["schema"] == 1
        keys = {"strategy", "split", "group", "metric", "value", "low", "high", "n"}
        assert all(keys <= figure.keys() for figure in document["figures"])
        assert all({"strategy", "stage", "p50", "p95"} <= row.keys() for row in document["latency"])
        first = document["figures"][0]
        assert (first["metric"], first["value"], first["n"]) == ("r@1", 0.5, 4)
        assert 0.0 <= first["low"] <= 0.5 <= first["high"] <= 1.0

    def test_no_half_files_are_left_and_an_older_report_is_replaced(self, tmp_path):
        for values in ([1, 0, 1, 0], [1, 1, 1, 1]):
            write(tmp_path, [measure(values)])
        names = sorted(path.name for path in tmp_path.iterdir())
        assert names == ["per_query.json", "report.json", "report.md"]
        assert read_report(tmp_path).figures[0].value == 1.0

    def test_a_figure_that_is_no_number_is_never_written(self, tmp_path):
        with pytest.raises(ValueError, match="JSON compliant"):
            write(tmp_path, [measure([1, 0, 1, 0])], [rate(float("nan"))])
        assert not (tmp_path / "report.json").exists()

    def test_reading_gives_back_what_was_written(self, tmp_path):
        measures = [measure([1, 0, 1, 0]), measure([3, 9, 1, 4], "median_rank")]
        write(tmp_path, measures)
        saved = read_report(tmp_path)
        assert (saved.suite, saved.figures) == ("captions", report(measures).figures)
        assert [m.key for m in saved.measures] == [m.key for m in measures]
        assert saved.measures[1].queries == QUERIES
        assert saved.measures[1].values.tolist() == [3, 9, 1, 4]

    def test_the_text_tells_figures_switches_speed_and_machine(self):
        text = report_markdown(report([measure([1, 0, 1, 0])], [rate(20.0)]))
        for said in (
            "# Benchmark: captions",
            "| image-text | test | all | r@1 | 50.0 |",
            "| ties | by id |",
            "| image-text | final | 20.0 | 29.0 | 2 |",
            "3 photos at 3.0 a second on 2 cores",
            "peak memory 512 MB",
            "a processor",
            "| python | 3.11.2 |",
            "| image-text all r@1 | 20.0 | 50.0 | holds |",
        ):
            assert said in text

    def test_floors_tell_whether_the_report_is_below_one(self):
        below = FloorCheck("image-text", "all", "r@1", 0.9, 0.5, False)
        assert not report([]).below_floor
        assert report([], floors=(*report([]).floors, below)).below_floor

    def test_cells_cannot_break_a_table(self):
        assert table(("a",), [("x|y\nz",)]).splitlines()[-1] == "| x\\|y z |"

    def test_shares_are_told_in_percent(self):
        assert number("map@10", 0.4567) == "45.7"
        assert number("median_rank", 4.0) == "4"
        assert number("rate", 152.4) == "152"


class TestFigures:
    def test_several_seeds_have_a_mean_and_a_spread(self):
        # means 0.5 and 1.0: mean 0.75, standard deviation sqrt(2 · 0.25²) = 0.3536
        figure = pooled_figure([measure([1, 0, 1, 0]), measure([1, 1, 1, 1])], BOOTSTRAP)
        assert (figure.value, figure.n) == (0.75, 8)
        assert figure.spread == pytest.approx(0.353553, abs=1e-6)
        assert figure_of(measure([1, 0, 1, 0]), BOOTSTRAP).spread is None

    def test_rates_have_their_extremes(self):
        figure = pooled_rate([rate(10.0), rate(14.0)])
        assert (figure.value, figure.low, figure.high, figure.n) == (12.0, 10.0, 14.0, 6)

    def test_ranks_are_told_by_their_median(self):
        assert figure_of(measure([1, 2, 4, 100], "median_rank"), BOOTSTRAP).value == 3.0

    def test_latency_percentiles(self):
        # 1..5 ms: median 3, 95th percentile 4 + 0.8·1 = 4.8; a stage that ran once counts once
        rows = latencies("s", [{"final": i / 1000} for i in range(1, 6)] + [{"plan": 0.5}])
        assert [(r.stage, r.n) for r in rows] == [("final", 5), ("plan", 1)]
        assert (rows[0].p50, rows[0].p95) == (pytest.approx(0.003), pytest.approx(0.0048))

    def test_the_indexing_ratio(self):
        # 100 photos, 3 + 1 CPU seconds: 0.04 s a photo, so 2 cores can do 50 a second
        indexed = IndexReport(
            100, 0, 0, 0, 100, (), (), {"embed": 4.0}, {"decode": 3.0, "embed": 1.0}, 40.0
        )
        cost = indexing_cost(indexed, 2)
        assert (cost.ceiling, cost.ratio) == (pytest.approx(50.0), pytest.approx(0.8))
        nothing = indexing_cost(replace(indexed, embedded=0, cpu_seconds={}), 2)
        assert (nothing.ceiling, nothing.ratio) == (0.0, 0.0)


class TestComparison:
    def test_differences_are_paired_by_query(self, tmp_path):
        shuffled = QuerySet(
            "test", "all", ("c#0", "b#0", "a#1", "z#0", "a#0"), ("c", "b", "a", "z", "a")
        )
        write(tmp_path / "a", [measure([1, 1, 1, 0])])
        write(tmp_path / "b", [measure([0, 1, 0, 1, 0], queries=shuffled)])
        (row,) = compare_reports(tmp_path / "a", tmp_path / "b", BOOTSTRAP).differences
        # shared queries a#0 a#1 b#0 c#0: A 1 1 1 0, B 0 0 1 0 → 0.75 − 0.25
        assert (row.a, row.b, row.difference, row.n) == (0.75, 0.25, 0.5, 4)
        assert row.low == 0.0
        assert row.better == ""

    def test_a_clear_difference_says_which_is_better(self, tmp_path):
        many = QuerySet("test", "all", tuple(map(str, range(60))), tuple(map(str, range(60))))
        ranks = np.arange(60) + 1.0
        better = [measure(ranks, "median_rank", queries=many), measure(ranks < 40, queries=many)]
        worse = [
            measure(ranks + 9, "median_rank", queries=many),
            measure(ranks < 10, queries=many),
        ]
        write(tmp_path / "a", better)
        write(tmp_path / "b", worse)
        rows = compare_reports(tmp_path / "a", tmp_path / "b").differences
        assert [row.better for row in rows] == ["A", "A"]
        assert (rows[0].difference, rows[0].low, rows[0].high) == (-9.0, -9.0, -9.0)
        assert (rows[0].above_zero, rows[1].above_zero) == (0.0, 1.0)
        other = compare_reports(tmp_path / "b", tmp_path / "a").differences
        assert [row.better for row in other] == ["B", "B"]

    def test_alike_systems_are_told_apart_seldom(self, tmp_path):
        random = np.random.default_rng(5)
        many = QuerySet("test", "all", tuple(map(str, range(300))), tuple(map(str, range(300))))
        told = 0
        for trial in range(40):
            for name in "ab":
                values = (random.random(300) < 0.4).astype(float)
                write(tmp_path / f"{name}{trial}", [measure(values, queries=many)])
            rows = compare_reports(tmp_path / f"a{trial}", tmp_path / f"b{trial}", BOOTSTRAP)
            told += rows.differences[0].better != ""
        assert told <= 6  # 2 expected; 7 or more has probability 0.004

    def test_rates_have_no_interval(self, tmp_path):
        write(tmp_path / "a", [], [rate(30.0)])
        write(tmp_path / "b", [], [rate(20.0)])
        comparison = compare_reports(tmp_path / "a", tmp_path / "b")
        (row,) = comparison.differences
        assert (row.difference, row.low, row.above_zero, row.better) == (10.0, None, None, "")
        assert "| rate | 30 | 20 | 10 |" in comparison.markdown()

    def test_what_else_differs_is_told(self, tmp_path):
        write(tmp_path / "a", [measure([1, 0, 1, 0])])
        write(tmp_path / "b", [measure([1, 0, 1, 0])], switches={"ties": "against"})
        comparison = compare_reports(tmp_path / "a", tmp_path / "b", BOOTSTRAP)
        assert "captions: switches: ties: by id against against." in comparison.notes
        assert "## Not alike" in comparison.markdown()
        json.dumps(comparison.document(), allow_nan=False)

    def test_folders_of_several_suites_are_compared_suite_by_suite(self, tmp_path):
        for name in "ab":
            for suite in ("captions", "smoke"):
                write(tmp_path / name / suite, [measure([1, 0, 1, 0])], suite=suite)
        rows = compare_reports(tmp_path / "a", tmp_path / "b", BOOTSTRAP).differences
        assert [row.suite for row in rows] == ["captions", "smoke"]

    def test_what_cannot_be_compared_is_named(self, tmp_path):
        write(tmp_path / "a", [measure([1, 0, 1, 0])])
        write(tmp_path / "b", [measure([1, 0, 1, 0], strategy="other")])
        with pytest.raises(DatasetError, match="no figure in common"):
            compare_reports(tmp_path / "a", tmp_path / "b")
        with pytest.raises(DatasetError, match="cannot be read"):
            compare_reports(tmp_path / "a", tmp_path / "c")
        (tmp_path / "b" / "report.json").write_text("{", encoding="utf-8")
        with pytest.raises(DatasetError, match="not valid JSON"):
            compare_reports(tmp_path / "a", tmp_path / "b")
        (tmp_path / "b" / "report.json").write_text('{"schema": 1}', encoding="utf-8")
        with pytest.raises(DatasetError, match="malformed"):
            compare_reports(tmp_path / "a", tmp_path / "b")
        (tmp_path / "b" / "report.json").write_text('{"schema": 2}', encoding="utf-8")
        with pytest.raises(DatasetError, match="another schema"):
            compare_reports(tmp_path / "a", tmp_path / "b")
