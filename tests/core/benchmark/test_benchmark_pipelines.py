"""The pipeline's rate against what its stages allow, with stand-ins for models."""

from dataclasses import replace
from pathlib import Path

from core.benchmark.pipelines import measure_pipelines
from core.progress import Progress
from tests.core.pictures import FAKES, SCENES, draw
from tests.core.test_further_encoders import SecondEncoder


def test_each_choice_indexes_everything_by_itself(tmp_path: Path) -> None:
    photos = tmp_path / "photos"
    photos.mkdir()
    for scene in SCENES:
        draw(photos, scene)
    second = SecondEncoder()
    backends = replace(FAKES, encoder=lambda name, progress: second)
    choices = {"one": (), "two": ("second",)}
    costs = measure_pipelines(photos, tmp_path / "scratch", choices, backends, Progress())
    assert {name: cost.photos for name, cost in costs.items()} == dict.fromkeys(
        choices, len(SCENES)
    )
    assert second.looked_at == len(SCENES)
    assert all(cost.rate > 0 and cost.ratio > 0 for cost in costs.values())
