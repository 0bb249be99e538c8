"""`photoapp doctor`: whether the library and the installation are healthy."""

import argparse

from app.commands.outcome import ExitCode
from app.commands.terminal import Terminal
from app.startup import opened_engine
from core.domain.health import HealthCheck
from core.errors import InputError, LibraryError

NAME = "doctor"
HELP = "check the library and the installation, and say what to do"


def add_arguments(grammar: argparse.ArgumentParser) -> None:
    """No arguments of its own."""


def run(options: argparse.Namespace, terminal: Terminal) -> int:
    """Run every check; exit code 3 where one finds something."""
    checks = _checks(options, terminal)
    if terminal.as_json:
        items = [{"check": c.name, "ok": c.ok, "detail": c.detail} for c in checks]
        terminal.answer({"items": items})
    else:
        rows = [(c.name, "ok" if c.ok else "look here", c.detail) for c in checks]
        terminal.table(("check", "state", "detail"), rows)
    healthy = all(check.ok for check in checks)
    return ExitCode.DONE if healthy else ExitCode.DONE_WITH_PROBLEMS


def _checks(options: argparse.Namespace, terminal: Terminal) -> list[HealthCheck]:
    """Every check; a library that cannot be opened is a finding too."""
    try:
        with opened_engine(options.library) as engine:
            return engine.examine(terminal.progress)
    except (InputError, LibraryError) as error:
        return [HealthCheck("library", False, f"{error.message} {error.advice}")]
