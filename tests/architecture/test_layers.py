"""The layers hold, and each rule fails when it is broken on purpose."""

import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
RULES = [
    rule["id"]
    for rule in tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"][
        "contracts"
    ]
]
BREAKS = {
    "core-layers": ("core/store/facts.py", "import core.search"),
    "core-knows-no-front-end": ("core/domain/photo.py", "import PySide6"),
    "model-libraries-in-backends": ("core/retrieval/__init__.py", "import faiss"),
    "sqlalchemy-in-store": ("core/ingest/__init__.py", "import sqlalchemy"),
    "command-line-without-qt": ("app/startup.py", "import app.window"),
    "screens-are-independent": ("app/search/__init__.py", "import app.story"),
}


def lint(folder: Path, *rules: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from importlinter.cli import lint_imports_command as c; c()"]
    for rule in rules:
        command += ["--contract", rule]
    return subprocess.run(
        [*command, "--no-cache"], cwd=folder, capture_output=True, text=True, check=False
    )


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    ignore = shutil.ignore_patterns("__pycache__")
    for name in ("core", "app"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=ignore)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def test_every_rule_holds() -> None:
    result = lint(ROOT)
    assert result.returncode == 0, result.stdout


def test_every_rule_has_a_break() -> None:
    assert set(RULES) == set(BREAKS)


@pytest.mark.parametrize("rule", RULES)
def test_a_broken_rule_is_seen(copy: Path, rule: str) -> None:
    file, line = BREAKS[rule]
    target = copy / file
    target.write_text(f"{target.read_text()}\n{line}\n")
    result = lint(copy, rule)
    assert result.returncode == 1, result.stdout + result.stderr
    assert "BROKEN" in result.stdout


def test_a_new_module_in_core_must_take_its_place(copy: Path) -> None:
    (copy / "core" / "newcomer.py").write_text('"""A module that no layer names."""\n')
    result = lint(copy, "core-layers")
    assert result.returncode != 0
    assert "newcomer" in result.stdout + result.stderr
