"""`photoapp models use NAME…`: which encoders search the library beside the starter."""

import argparse

from app.commands.outcome import ExitCode
from app.commands.terminal import Terminal
from app.startup import opened_engine
from core.backends.manifest import ModelManifest, installed, load_manifest
from core.errors import InputError, ModelMissing
from core.settings import choose_encoders

STARTER = "starter"


def use_models(options: argparse.Namespace, terminal: Terminal) -> int:
    """Keep the choice in the library's settings; `starter` alone takes all others back.

    Raises UnknownChoice, InputError, ModelMissing.
    """
    if not options.names:
        raise InputError("No model is named.", "Run `photoapp models list` to see them.")
    names = tuple(dict.fromkeys(name for name in options.names if name != STARTER))
    for name in names:
        _refuse(load_manifest(name))
    with opened_engine(options.library) as engine:
        choose_encoders(engine.library.paths.settings, names)
    if terminal.as_json:
        terminal.answer({"encoders": list(names)})
        return ExitCode.DONE
    used = f"starter and {', '.join(names)}" if names else "starter"
    terminal.line(f"In use: {used}.")
    if names:
        terminal.line("`photoapp index` gives photos their vectors; the starter serves until then.")
    return ExitCode.DONE


def _refuse(manifest: ModelManifest) -> None:
    if (manifest.role, manifest.backend) != ("image_text", "transformers"):
        raise InputError(
            f"{manifest.name} does not search photos by itself.",
            "Name an image-text encoder, or `starter` to use no further one.",
        )
    if not installed(manifest):
        raise ModelMissing(
            f"{manifest.name} is not installed.", f"Run: photoapp models download {manifest.name}"
        )
