"""Processes that use one library at the same time: none is ever told that it is locked."""

import subprocess
import sys
from datetime import datetime
from pathlib import Path

from core.engine import Engine
from core.progress import Progress
from tests.core.pictures import FAKES, Scene, draw

_INDEX = """
engine.index([folder / "photos"], Progress())
(folder / f"done {name}").touch()
"""

_ASK = """
import time
from core.domain.query import ComposedQuery
from core.engine import SearchOptions
from core.errors import LibraryEmpty, NotInLibrary
asked = judged = 0
while not (folder / "done index").exists() or not judged:
    try:
        answer = engine.search(ComposedQuery(f"red {asked}"), SearchOptions(), Progress())
    except LibraryEmpty:
        time.sleep(0.01)
        continue
    asked += 1
    assert not any(event.event == "query not kept" for event in answer.trace)
    photos = engine.photos([result.photo_id for result in answer.results])
    try:
        engine.judge(answer.query_id, [photos[0].path], [])
    except NotInLibrary:
        continue
    judged += 1
    engine.sessions(), engine.stats(), engine.timeline()
    engine.close()
    engine = Engine.open(folder / "library", FAKES)
print(asked, judged)
"""

_FRAME = """
import sys
from pathlib import Path
from core.engine import Engine
from core.progress import Progress
from tests.core.pictures import FAKES
if __name__ == "__main__":
    folder, name = Path(sys.argv[1]), sys.argv[2]
    engine = Engine.open(folder / "library", FAKES)
{}
    engine.close()
"""


def start(folder: Path, name: str, work: str) -> "subprocess.Popen[str]":
    """A process of its own; a file, because decoding processes import their parent's."""
    script = folder / f"{name}.py"
    script.write_text(_FRAME.format("\n".join(f"    {line}" for line in work.splitlines())))
    return subprocess.Popen(
        [sys.executable, str(script), str(folder), name],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={"PYTHONPATH": str(Path.cwd()), "PATH": "/usr/bin:/bin"},
    )


def ended(process: "subprocess.Popen[str]") -> str:
    out, errors = process.communicate(timeout=240)
    assert process.returncode == 0, errors
    return out


def names_in(folder: Path) -> list[str]:
    engine = Engine.open(folder / "library", FAKES)
    assert engine.library.database.check() == []
    photos = engine.photos(engine.library.photos.ids())
    names = sorted(file.path.name for photo in photos for file in photo.files)
    engine.close()
    return names


def test_one_indexes_while_another_searches_and_judges(tmp_path: Path) -> None:
    for i in range(120):
        draw(tmp_path / "photos", Scene(f"{i:03}", ("red", "blue", "green")[i % 3], "white"))
    asking, indexing = start(tmp_path, "ask", _ASK), start(tmp_path, "index", _INDEX)
    ended(indexing)
    asked, judged = map(int, ended(asking).split())
    assert asked >= judged > 0
    assert len(names_in(tmp_path)) == 120
    engine = Engine.open(tmp_path / "library", FAKES)
    assert engine.library.judgements.count() == judged
    engine.close()


def test_two_that_index_the_same_folder_take_everything_once(tmp_path: Path) -> None:
    for i in range(60):
        scene = Scene(f"{i:03}", ("red", "blue", "green")[i % 3], "white", datetime(2021, 7, 3, 9))
        draw(tmp_path / "photos", scene)
    both = [start(tmp_path, name, _INDEX) for name in ("one", "two")]
    for process in both:
        ended(process)
    assert names_in(tmp_path) == [f"{i:03}.jpg" for i in range(60)]
    engine = Engine.open(tmp_path / "library", FAKES)
    different = {path.read_bytes() for path in (tmp_path / "photos").iterdir()}
    assert len(engine.library.photos.ids()) == len(different)
    assert sum(len(session.photo_ids) for session in engine.sessions()) == len(different)
    assert [c.name for c in engine.examine(Progress()) if not c.ok] == []
    engine.close()
