"""Writes the models folder: weights, calibration, vocabulary, manifest and model card."""

from pathlib import Path
from typing import Any

import numpy as np
from safetensors.numpy import save

from core.backends.manifest import sha256_of
from training.card import model_card
from training.pipeline import Result
from training.towers import base_table

_HEAD = "starter-head.safetensors"
_CALIBRATION = "starter-calibration.safetensors"
_CONCEPTS = "starter-concepts.toml"
_VECTORS = "starter-concepts.safetensors"


def write_models(result: Result, out: Path, version: str) -> None:
    """Write all files of the starter encoder; the manifest last, as it names their checksums."""
    out.mkdir(parents=True, exist_ok=True)
    half = {n: np.ascontiguousarray(v, np.float16) for n, v in result.head.items()}
    exact = {name: np.ascontiguousarray(v) for name, v in result.calibration.items()}
    (out / _HEAD).write_bytes(save(half))
    vectors = {n: np.ascontiguousarray(v, np.float16) for n, v in result.concepts.items()}
    (out / _VECTORS).write_bytes(save(vectors))
    (out / _CALIBRATION).write_bytes(save(exact))
    (out / _CONCEPTS).write_text(_concepts(result), encoding="utf-8")
    (out / "starter.md").write_text(model_card(result, version), encoding="utf-8")
    (out / "starter.toml").write_text(_manifest(result, out, version), encoding="utf-8")


def _manifest(result: Result, out: Path, version: str) -> str:
    base = base_table()
    files: dict[str, Any] = base.pop("files")
    for role, name in (
        ("head", _HEAD),
        ("calibration", _CALIBRATION),
        ("concepts", _CONCEPTS),
        ("concept_vectors", _VECTORS),
    ):
        path = out / name
        files[role] = {"path": name, "sha256": sha256_of(path), "size": path.stat().st_size}
    width, sentence = result.head["text.weight"].shape
    base |= {"version": version, "phrase_template": result.template}
    tables = [
        ("dims", {"image_text": width, "sentence": sentence}),
        ("thresholds", result.thresholds),
        *((f"files.{role}", entry) for role, entry in files.items()),
    ]
    return _lines(base) + "".join(f"\n[{name}]\n{_lines(table)}" for name, table in tables)


def _lines(table: dict[str, Any]) -> str:
    return "".join(f"{key} = {_value(value)}\n" for key, value in table.items())


def _value(value: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_value, value))}]"
    return f'"{value}"' if isinstance(value, str) else str(value)


def _concepts(result: Result) -> str:
    kinds = dict.fromkeys(phrase.kind for phrase in result.phrases)
    blocks = []
    for kind in kinds:
        own = "".join(f'  "{p.line}",\n' for p in result.phrases if p.kind == kind)
        blocks.append(f"{kind} = [\n{own}]\n")
    header = "# The everyday phrases that the starter encoder names photos with, by kind.\n"
    header += "# After = stands how captions say it, any of them: for measuring alone.\n\n"
    return header + "\n".join(blocks)
