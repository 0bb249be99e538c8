"""`photoapp doctor`: whether the library and the installation are healthy, and what mends them."""

import argparse
from pathlib import Path

from app.commands.outcome import ExitCode
from app.commands.terminal import Terminal
from app.commands.words import path_word
from app.startup import library_folder, opened_engine, opened_log
from core.domain.health import HealthCheck, Repair
from core.engine import Engine
from core.errors import InputError, LibraryError
from core.ingest.upkeep.care import forget_old_models, repair, restore
from core.ingest.upkeep.health import examine
from core.ingest.upkeep.safekeeping import back_up_now
from core.paths import LibraryPaths

NAME = "doctor"
HELP = "check the library and the installation, and say what to do; mend, back up, restore"
_LATEST = "latest"


def add_arguments(grammar: argparse.ArgumentParser) -> None:
    """Declare what may be done besides looking."""
    grammar.add_argument(
        "--quick", action="store_true", help="leave out what must look at every row and thumbnail"
    )
    deeds = grammar.add_mutually_exclusive_group()
    deeds.add_argument(
        "--repair", action="store_true", help="mend what can be mended; a copy is kept"
    )
    deeds.add_argument("--backup", action="store_true", help="make a backup now")
    deeds.add_argument(
        "--restore",
        metavar="FILE",
        type=path_word,
        help=f"put a backup, or the newest (`{_LATEST}`), in the place of the library",
    )
    deeds.add_argument(
        "--forget-old-models",
        action="store_true",
        help="drop vectors of models other than the present one",
    )


def run(options: argparse.Namespace, terminal: Terminal) -> int:
    """Do what is asked, then run every check; exit code 3 where one finds something."""
    done = _mended(options, terminal)
    checks, later = _checks(options, terminal)
    done = Repair((*done.done, *later.done), (*done.lost, *later.lost))
    if terminal.as_json:
        items = [{"check": c.name, "ok": c.ok, "detail": c.detail} for c in checks]
        terminal.answer({"items": items, "done": list(done.done), "lost": list(done.lost)})
    else:
        _tell(done, checks, terminal)
    healthy = all(check.ok for check in checks) and not done.lost
    return ExitCode.DONE if healthy else ExitCode.DONE_WITH_PROBLEMS


def _mended(options: argparse.Namespace, terminal: Terminal) -> Repair:
    """What is done while nobody has the library open; raises InputError, LibraryError."""
    folder = library_folder(options.library)
    if not options.repair and options.restore is None:
        return Repair()
    with opened_log(folder):
        if options.repair:
            return repair(LibraryPaths(folder), terminal.progress)
        named: Path = options.restore
        source = None if named.name == _LATEST and not named.exists() else named
        return restore(LibraryPaths(folder), source, terminal.progress)


def _checks(options: argparse.Namespace, terminal: Terminal) -> tuple[list[HealthCheck], Repair]:
    """Every check; a library that cannot be opened is a finding too, unless more was asked."""
    done = Repair()
    try:
        with opened_engine(options.library) as engine:
            done = _cared(options, engine, terminal)
            checks = examine(
                engine.library,
                engine.settings,
                engine.loaded.perception,
                terminal.progress,
                quick=options.quick,
            )
    except (InputError, LibraryError) as error:
        if options.backup or options.forget_old_models:
            raise
        checks = [HealthCheck("library", False, f"{error.message} {error.advice}")]
    return checks, done


def _cared(options: argparse.Namespace, engine: Engine, terminal: Terminal) -> Repair:
    if options.backup:
        backup = back_up_now(engine.library, engine.settings.backup, terminal.progress)
        return Repair((f"made the backup {backup.path} ({backup.size / 1e6:,.1f} MB)",))
    if options.forget_old_models:
        perception = engine.loaded.perception(terminal.progress)
        return forget_old_models(engine.library, perception, engine.settings.models.encoders)
    return Repair()


def _tell(done: Repair, checks: list[HealthCheck], terminal: Terminal) -> None:
    for line in done.done:
        terminal.line(line)
    for line in done.lost:
        terminal.line(f"lost: {line}")
    rows = [(c.name, "ok" if c.ok else "look here", c.detail) for c in checks]
    terminal.table(("check", "state", "detail"), rows)
