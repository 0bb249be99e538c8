"""The suites and their runner, with stand-in models and drawn photos."""

import csv
import json
from dataclasses import dataclass

import numpy as np
import pytest
from PIL import Image

from core.backends.fakes import ColourEncoder, TinyGazetteer, fake_perception
from core.benchmark import runner
from core.benchmark.figures import Figure, Measure, QuerySet
from core.benchmark.report import read_report
from core.benchmark.runner import BenchmarkOptions, compare_reports, run_benchmark
from core.benchmark.suites.known_texts import KnownImageTexts, knowing
from core.benchmark.suites.smoke_library import PALETTE, draw_library
from core.benchmark.suites.smoke_questions import questions, tales
from core.benchmark.suites.suite import Floor, SuiteResult
from core.benchmark.suites.text_to_image import CaptionQuery, spread
from core.errors import Cancelled, DatasetError, InputError, UnknownChoice
from core.loaded import Backends
from core.progress import Progress


@dataclass(frozen=True)
class CountingSuite:
    """Says 1 where the query's number is below the seed."""

    name: str = "counting"
    about: str = "counts"
    floors: tuple[Floor, ...] = (Floor("count", "all", "r@1", 0.5),)

    def run(self, run, progress):
        progress.check()
        assert run.scratch.is_dir()
        queries = QuerySet("test", "all", tuple("abcd"), tuple("abcd"))
        measure = Measure("count", "r@1", queries, (np.arange(4) < run.seed).astype(float))
        rate = Figure("index", "all", "all", "rate", run.seed, run.seed, run.seed, 4)
        seconds = {"count": [{"final": 0.1 * run.seed}]}
        return SuiteResult({"limit_seen": run.limit}, {}, (measure,), (rate,), seconds, None)


@pytest.fixture
def counting(monkeypatch):
    suites = {"counting": CountingSuite(), "other": CountingSuite("other", floors=())}
    monkeypatch.setattr(runner, "suite_named", suites.__getitem__)


def options(out, **changes):
    return BenchmarkOptions(out=out, resamples=100, **changes)


@pytest.mark.usefixtures("counting")
class TestRunner:
    def test_one_suite_writes_into_the_folder_itself(self, tmp_path):
        outcome = run_benchmark(["counting"], options(tmp_path, seeds=(3,), limit=7), Progress())
        assert outcome.reports == (tmp_path / "report.json",)
        assert not outcome.below_floor
        document = json.loads(outcome.reports[0].read_text(encoding="utf-8"))
        assert (document["suite"], document["seed"], document["seeds"]) == ("counting", 3, [3])
        assert document["switches"] == {"limit_seen": 7, "limit": 7, "resamples": 100}
        assert document["figures"][0]["value"] == 0.75
        assert document["latency"][0]["p50"] == pytest.approx(0.3)
        assert document["memory_mb"] > 1
        assert (tmp_path / "report.md").exists()

    def test_a_figure_below_its_floor_is_told(self, tmp_path):
        outcome = run_benchmark(["counting"], options(tmp_path, seeds=(1,)), Progress())
        assert outcome.below_floor
        assert "**below**" in (tmp_path / "report.md").read_text(encoding="utf-8")

    def test_several_seeds_are_pooled_and_told_apart(self, tmp_path):
        run_benchmark(["counting"], options(tmp_path, seeds=(1, 3)), Progress())
        document = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
        figure = document["figures"][0]
        # 0.25 and 0.75: mean 0.5, standard deviation 0.3536
        assert (figure["value"], figure["n"]) == (0.5, 8)
        assert figure["spread"] == pytest.approx(0.353553, abs=1e-6)
        assert document["by_seed"]["3"][0]["value"] == 0.75
        (measure,) = read_report(tmp_path).measures
        assert measure.queries.ids == tuple(f"{s}:{q}" for s in (1, 3) for q in "abcd")
        assert measure.values.sum() == 4

    def test_several_suites_write_into_folders_of_their_own(self, tmp_path):
        outcome = run_benchmark(["counting", "other"], options(tmp_path, seeds=(1,)), Progress())
        assert outcome.reports == tuple(
            tmp_path / name / "report.json" for name in ("counting", "other")
        )
        assert outcome.below_floor

    def test_runs_of_different_seeds_compare(self, tmp_path):
        for seed in (1, 3):
            run_benchmark(["counting"], options(tmp_path / str(seed), seeds=(seed,)), Progress())
        comparison = compare_reports(tmp_path / "3", tmp_path / "1")
        assert [d.difference for d in comparison.differences] == [0.5, 2.0]

    def test_a_cancelled_run_writes_nothing(self, tmp_path):
        progress = Progress()
        progress.cancel()
        with pytest.raises(Cancelled):
            run_benchmark(["counting"], options(tmp_path), progress)
        assert not (tmp_path / "report.json").exists()

    def test_options_that_make_no_sense_are_refused(self, tmp_path):
        for wrong in ({"seeds": ()}, {"limit": 0}):
            with pytest.raises(InputError):
                run_benchmark(["counting"], options(tmp_path, **wrong), Progress())


def test_an_unknown_suite_names_the_known_ones(tmp_path):
    with pytest.raises(UnknownChoice) as error:
        run_benchmark(["smok"], options(tmp_path), Progress())
    assert "smoke, concepts, captions" in error.value.advice


class TestKnownTexts:
    def test_vectors_are_the_encoders_own(self):
        class Counted(ColourEncoder):
            calls = 0

            def encode_texts(self, texts):
                self.calls += 1
                return super().encode_texts(texts)

        encoder = Counted()
        texts = [f"red {'blue ' * (i % 7)}" for i in range(150)]
        known = KnownImageTexts(encoder, texts, Progress())
        asked = encoder.calls
        assert np.array_equal(known.encode_texts(texts[:3]), encoder.encode_texts(texts[:3]))
        assert encoder.calls == asked + 1
        assert np.array_equal(known.encode_texts(["pink"]), encoder.encode_texts(["pink"]))
        assert (known.name, known.dim, known.image_size) == ("colours-1", encoder.dim, 32)

    def test_perception_keeps_its_names(self):
        perception = fake_perception()
        known = knowing(perception, ["red"], Progress())
        assert known.proxy_name == perception.proxy_name
        pixels = np.zeros((1, 32, 32, 3), np.uint8)
        same = perception.encoder.encode_images(pixels)
        assert np.array_equal(known.encoder.encode_images(pixels), same)


class TestSmokeLibrary:
    def test_the_same_seed_draws_the_same_bytes(self, tmp_path):
        first, again, other = (
            draw_library(tmp_path / name, seed) for name, seed in (("a", 1), ("b", 1), ("c", 2))
        )
        same = [
            p.path.read_bytes() == q.path.read_bytes() for p, q in zip(first, again, strict=True)
        ]
        assert all(same)
        assert [p.colours for p in first] != [p.colours for p in other]
        assert len({p.path.read_bytes() for p in first}) == len(first)

    def test_photos_show_what_they_are_said_to_show(self, tmp_path):
        encoder = ColourEncoder()
        for photo in draw_library(tmp_path / "a", 3):
            with Image.open(photo.path) as image:
                pixels = np.asarray(image.resize((32, 32), Image.Resampling.BOX))
                exif = image.getexif()
            vector = encoder.encode_images(pixels[None])[0]
            seen = {
                PALETTE[i] for i in range(6) if vector @ encoder.encode_texts([PALETTE[i]])[0] > 0.3
            }
            assert seen == set(photo.colours)
            assert exif.get_ifd(0x8769)[0x9003] == photo.taken.strftime("%Y:%m:%d %H:%M:%S")
            assert set(exif.get_ifd(0x8825)) == {1, 2, 3, 4}

    def test_questions_have_an_answer_and_a_trap(self, tmp_path):
        drawn = draw_library(tmp_path / "a", 3)
        asked = [q for q in questions(drawn) if q.group != "nothing"]
        assert len(asked) >= 10
        for question in asked:
            wanted, unwanted = question.query.text.replace(",", "").split(" without ")
            assert all(wanted in drawn[i].colours for i in question.relevant)
            assert not any(unwanted in drawn[i].colours for i in question.relevant)
            assert question.relevant
            assert question.unwanted
        for tale in tales(drawn):
            assert len(tale.roles) == 3
            assert tale.roles < tale.day


def run_smoke(out, *seeds):
    return run_benchmark(["smoke"], options(out, seeds=seeds), Progress())


def test_smoke_holds_its_floors_and_repeats_itself(tmp_path):
    for name in "ab":
        outcome = run_smoke(tmp_path / name, 0)
        assert not outcome.below_floor, (tmp_path / name / "report.md").read_text(encoding="utf-8")
    one, other = read_report(tmp_path / "a"), read_report(tmp_path / "b")
    assert [m.values.tolist() for m in one.measures] == [m.values.tolist() for m in other.measures]
    assert one.document["data"] == other.document["data"]
    assert {row["strategy"] for row in one.document["latency"]} == {"hybrid", "weaver"}


def test_smoke_falls_below_its_floors_where_nothing_is_excluded(tmp_path, monkeypatch):
    blind = fake_perception()
    monkeypatch.setattr(type(blind.presence), "exclude_above", 2.0)
    assert run_smoke(tmp_path, 0).below_floor
    missed = [f for f in read_report(tmp_path).document["floors"] if not f["holds"]]
    assert {(f["group"], f["metric"]) for f in missed} >= {
        ("exclusion", "violations@10"),
        ("reference", "violations@10"),
    }


@pytest.fixture
def captioned(tmp_path):
    """Nine drawn photos; each caption names the colours, in other words than the file's."""
    drawn = draw_library(tmp_path / "data" / "images", 5)[:9]
    with (tmp_path / "data" / "captions.csv").open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(("image", "caption"))
        for photo in drawn:
            rows.writerow((photo.path.name, f"a scene in {' and '.join(photo.colours)}"))
            rows.writerow((photo.path.name, f"{photo.colours[0]} everywhere"))
    return tmp_path / "data"


def run_captions(data, out, **changes):
    backends = Backends(lambda _: fake_perception(), TinyGazetteer)
    return run_benchmark(
        ["captions"], options(out, data=data, backends=backends, **changes), Progress()
    )


class TestCaptions:
    def test_a_sample_is_spread_over_all_queries(self):
        queries = [CaptionQuery(str(i), "a", "text", None) for i in range(11)]
        assert [q.id for q in spread(queries, 4)] == ["0", "2", "5", "8"]
        assert spread(queries, 11) is queries

    def test_every_strategy_is_measured_on_every_caption(self, captioned, tmp_path):
        run_captions(captioned, tmp_path / "out")
        saved = read_report(tmp_path / "out")
        values = {(f.strategy, f.metric): f for f in saved.figures}
        for strategy in ("image-text", "text-concept", "bm25", "hybrid"):
            assert values[(strategy, "r@1")].n == 18
            assert values[(strategy, "r@10")].value == 1.0 or strategy == "bm25"
        assert values[("image-text", "r@1")].value >= 0.3
        assert values[("index", "rate")].value > 0
        assert values[("index", "rate_ratio")].value > 0
        stages = {(row["strategy"], row["stage"]) for row in saved.document["latency"]}
        assert {("image-text", "final"), ("hybrid", "first"), ("hybrid", "final")} <= stages
        assert saved.document["data"]["photos"] == 9
        assert saved.document["data"]["not_indexed"] == 0

    def test_a_limit_takes_fewer_photos(self, captioned, tmp_path):
        run_captions(captioned, tmp_path / "out", limit=4)
        saved = read_report(tmp_path / "out")
        assert saved.document["data"]["photos"] == 4
        assert saved.figures[0].n == 8

    def test_photos_that_cannot_be_indexed_count_as_never_found(self, captioned, tmp_path):
        broken = captioned / "images" / "photo-000.jpg"
        broken.write_bytes(b"no picture")
        run_captions(captioned, tmp_path / "out")
        saved = read_report(tmp_path / "out")
        assert saved.document["data"]["not_indexed"] == 1
        for measure in saved.measures:
            if measure.metric == "r@10":
                found = dict(zip(measure.queries.ids, measure.values, strict=True))
                assert found["photo-000.jpg#0"] == 0.0

    def test_photos_that_hold_their_own_caption_are_refused(self, captioned, tmp_path):
        path = captioned / "images" / "photo-001.jpg"
        with Image.open(path) as image:
            exif = image.getexif()
            exif[0x010E] = "A scene that tells itself"
            image.save(path, exif=exif)
        with (captioned / "captions.csv").open("a", encoding="utf-8") as file:
            file.write("photo-001.jpg,a scene that tells itself\n")
        with pytest.raises(DatasetError, match="its own caption"):
            run_captions(captioned, tmp_path / "out")

    def test_data_are_demanded(self, tmp_path):
        with pytest.raises(DatasetError) as error:
            run_captions(None, tmp_path / "out")
        assert "--data" in error.value.advice
