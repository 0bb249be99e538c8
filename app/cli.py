"""The command line: words and flags to a command, its outcome to an exit code."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from app.commands import (
    benchmark,
    doctor,
    duplicates,
    feedback,
    golden,
    index,
    models,
    problems,
    search,
    sessions,
    stats,
    story,
    trips,
)
from app.commands.outcome import ExitCode
from app.commands.terminal import Terminal
from core.errors import Cancelled, PhotoAppError

_COMMANDS = (
    index,
    search,
    story,
    sessions,
    trips,
    problems,
    duplicates,
    stats,
    feedback,
    golden,
    models,
    doctor,
    benchmark,
)
_EPILOG = "Without a command, photoapp opens its window. Exit codes: 0 done, 1 a known error, \
2 wrong usage, 3 done with problems listed, 130 cancelled."


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code; never raises for a known error."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    options = parser().parse_args(_benchmark_as_command(words))
    terminal = Terminal.make(as_json=options.json, quiet=options.quiet)
    try:
        with terminal.interruptible():
            return int(options.run(options, terminal))
    except (Cancelled, KeyboardInterrupt):
        terminal.say("Cancelled; what was done so far is kept.")
        return ExitCode.CANCELLED
    except PhotoAppError as error:
        terminal.fail(error)
        return ExitCode.KNOWN_ERROR
    except BrokenPipeError:
        sys.stderr.close()
        return ExitCode.DONE


def _benchmark_as_command(words: list[str]) -> list[str]:
    """`--benchmark` is a flag to users and a command to the parser."""
    return ["benchmark" if word == "--benchmark" else word for word in words]


def parser() -> argparse.ArgumentParser:
    """The whole grammar of the command line."""
    top = argparse.ArgumentParser(
        prog="photoapp",
        description="A photo library that finds the photo you describe, leaves out what you "
        "exclude, and composes stories; offline, on your own machine.",
        epilog=_EPILOG,
    )
    _add_common(top, top_level=True)
    commands = top.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for command in _COMMANDS:
        grammar = commands.add_parser(
            command.NAME, help=command.HELP, description=command.HELP, epilog=_EPILOG
        )
        _add_common(grammar, top_level=False)
        command.add_arguments(grammar)
        grammar.set_defaults(run=command.run)
    return top


def _add_common(grammar: argparse.ArgumentParser, *, top_level: bool) -> None:
    """The options that every command takes, before or after its name."""

    def default(value: object) -> object:
        return value if top_level else argparse.SUPPRESS

    grammar.add_argument(
        "--library",
        metavar="DIR",
        type=Path,
        default=default(None),
        help="the library's folder (default: the platform's data folder)",
    )
    grammar.add_argument(
        "--offline",
        action="store_true",
        default=default(False),
        help="never connect to anything, not even when asked for a download",
    )
    grammar.add_argument(
        "--json",
        action="store_true",
        default=default(False),
        help="print one JSON object on standard output and nothing else there",
    )
    grammar.add_argument(
        "--quiet", action="store_true", default=default(False), help="show no progress"
    )


if __name__ == "__main__":
    sys.exit(main())
