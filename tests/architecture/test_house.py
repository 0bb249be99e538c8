"""The house rules that no linter knows: sizes, names, settings."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import BaseModel

from core.settings import Settings

ROOT = Path(__file__).resolve().parents[2]
LONGEST_FILE = 400
LONGEST_FUNCTION = 50
FORBIDDEN_NAMES = {"utils", "util", "helpers", "helper", "common", "manager", "misc"}
FORBIDDEN_WORDS = ("/work" + "/", "sub" + "agent", "pypi" + ".org", "debian" + ".org")
SOURCES = sorted([*(ROOT / "core").rglob("*.py"), *(ROOT / "app").rglob("*.py")])


def functions(tree: ast.Module) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


@pytest.mark.parametrize("path", SOURCES, ids=lambda p: str(p.relative_to(ROOT)))
def test_file_keeps_the_house_rules(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    tree = ast.parse(text)
    assert len(text.splitlines()) <= LONGEST_FILE
    assert path.stem not in FORBIDDEN_NAMES
    assert ast.get_docstring(tree), "every module says what it is"
    for function in functions(tree):
        length = (function.end_lineno or function.lineno) - function.lineno + 1
        assert length <= LONGEST_FUNCTION, f"{function.name} has {length} lines"
    for node in ast.walk(tree):
        if isinstance(node, ast.Global):
            pytest.fail(f"global {node.names}")
        if isinstance(node, ast.ImportFrom) and any(a.name == "*" for a in node.names):
            pytest.fail("star import")


@pytest.mark.parametrize("path", SOURCES, ids=lambda p: str(p.relative_to(ROOT)))
def test_core_prints_nothing(path: Path) -> None:
    if "app" in path.relative_to(ROOT).parts[0]:
        return
    names = {
        n.func.id
        for n in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)
    }
    assert "print" not in names


def test_every_setting_is_declared_and_described() -> None:
    def described(model: type[BaseModel]) -> Iterator[tuple[str, bool]]:
        for name, field in model.model_fields.items():
            if isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel):
                yield from described(field.annotation)
            else:
                yield f"{model.__name__}.{name}", bool(field.description)

    assert [name for name, ok in described(Settings) if not ok] == []


def test_every_test_folder_mirrors_the_tree() -> None:
    for folder in (ROOT / "tests" / "core").iterdir():
        if folder.is_dir() and folder.name != "__pycache__":
            assert (ROOT / "core" / folder.name).is_dir(), folder


def test_the_project_speaks_of_itself_alone() -> None:
    texts = [*SOURCES, *ROOT.glob("*.md"), ROOT / "Makefile", ROOT / "pyproject.toml"]
    for path in texts:
        text = path.read_text(encoding="utf-8").lower()
        assert [word for word in FORBIDDEN_WORDS if word in text] == [], path
