"""Remembers in the cache folder what was chosen for a model on this machine."""

import contextlib
import hashlib
import json
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

from core.backends.transformers.choice import Choice


def remembered_choice(
    folder: Path, model: str, machine: str, measure: Callable[[], Choice]
) -> Choice:
    """What was chosen before for this model and machine, else measured now and kept.

    A file that cannot be read or written costs a measurement, nothing else.
    """
    digest = hashlib.sha256(f"{model} {machine}".encode()).hexdigest()[:24]
    path = folder / f"{digest}.json"
    try:
        return Choice(**json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        choice = measure()
    with contextlib.suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        part = path.with_suffix(".part")
        part.write_text(json.dumps(asdict(choice)), encoding="utf-8")
        part.replace(path)
    return choice
