"""The command line: words and flags to a command, its outcome to an exit code."""

import argparse
import sys
from collections.abc import Sequence

from app.commands import (
    benchmark,
    clock,
    decisions,
    doctor,
    duplicates,
    edit,
    export,
    feedback,
    folders,
    geotag,
    golden,
    home,
    index,
    models,
    places,
    problems,
    search,
    sessions,
    sidecars,
    stats,
    story,
    trash,
    trips,
    undo,
)
from app.commands.outcome import ExitCode
from app.commands.terminal import OutputLost, Terminal
from app.commands.words import Grammar, WrongUsage, add_shared_options, command_words
from app.startup import version
from core.errors import Cancelled, PhotoAppError

_COMMANDS = (
    index,
    search,
    story,
    sessions,
    trips,
    problems,
    folders,
    duplicates,
    stats,
    feedback,
    edit,
    clock,
    geotag,
    places,
    home,
    decisions,
    undo,
    export,
    sidecars,
    trash,
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
    try:
        options = parser().parse_args(command_words(words))
    except WrongUsage as error:
        return _tell_usage(error, as_json="--json" in words)
    terminal = Terminal.make(as_json=options.json, quiet=options.quiet)
    try:
        code = _run(options, terminal)
        terminal.flush()
    except BrokenPipeError:  # a reader that has seen enough, as `head` does
        terminal.drop_output()
        return ExitCode.DONE
    except OutputLost as error:
        terminal.drop_output()
        terminal.fail(error)
        return ExitCode.KNOWN_ERROR
    return code


def _tell_usage(error: WrongUsage, *, as_json: bool) -> int:
    terminal = Terminal.make(as_json=as_json, quiet=True)
    for line in error.usage.splitlines():
        terminal.say(line)
    terminal.fail(error)
    return ExitCode.WRONG_USAGE


def _run(options: argparse.Namespace, terminal: Terminal) -> int:
    try:
        with terminal.interruptible():
            return int(options.run(options, terminal))
    except (Cancelled, KeyboardInterrupt):
        terminal.cancelled()
        return ExitCode.CANCELLED
    except WrongUsage as error:
        terminal.fail(error)
        return ExitCode.WRONG_USAGE
    except PhotoAppError as error:
        terminal.fail(error)
        return ExitCode.KNOWN_ERROR


def parser() -> Grammar:
    """The whole grammar of the command line."""
    top = Grammar(
        prog="photoapp",
        description="A photo library that finds the photo you describe, leaves out what you "
        "exclude, and composes stories; offline, on your own machine.",
        epilog=_EPILOG,
    )
    top.add_argument("--version", action="version", version=f"photoapp {version()}")
    add_shared_options(top, top_level=True)
    commands = top.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for command in _COMMANDS:
        grammar = commands.add_parser(
            command.NAME, help=command.HELP, description=command.HELP, epilog=_EPILOG
        )
        add_shared_options(grammar)
        command.add_arguments(grammar)
        grammar.set_defaults(run=command.run)
    return top


if __name__ == "__main__":
    sys.exit(main())
