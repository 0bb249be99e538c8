"""A search with the starter models alone imports neither torch nor transformers."""

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from core.backends.starter.load import load_starter
from core.errors import ModelError
from core.paths import LibraryPaths
from core.progress import Progress
from core.store.library import open_library
from tests.core.synthetic import fill_library

SEARCH = """
import sys
from pathlib import Path
from core.domain.query import ComposedQuery
from core.engine import Engine
from core.progress import Progress
from core.search.request import SearchOptions
engine = Engine.open(Path(sys.argv[1]))
answer = engine.search(ComposedQuery("a dog"), SearchOptions(), Progress())
engine.close()
heavy = {"torch", "transformers", "onnx", "onnxscript"} & set(sys.modules)
assert answer.trajectory is not None
sys.exit(f"imported: {heavy}" if heavy else 0)
"""


def test_no_heavy_library_is_imported(tmp_path: Path) -> None:
    if find_spec("onnxruntime") is None:
        pytest.skip("ONNX Runtime is not installed")
    try:
        encoder = load_starter(Progress()).encoder
    except ModelError as error:
        pytest.skip(error.message)
    library = open_library(LibraryPaths(tmp_path))
    fill_library(library, photos=20, vectors=(encoder.name, encoder.dim))
    library.close()
    words = [sys.executable, "-c", SEARCH, str(tmp_path)]
    done = subprocess.run(
        words, cwd=Path(__file__).parents[2], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
