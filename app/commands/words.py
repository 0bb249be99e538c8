"""The words of the command line: what each may be, and the grammar that reads them."""

import argparse
import re
from pathlib import Path
from typing import NoReturn

from core.errors import InputError
from core.paths import plain_path


class WrongUsage(InputError):
    """The words do not make a command; `usage` is how to write it."""

    def __init__(self, message: str, usage: str, program: str) -> None:
        super().__init__(message, f"See `{program} --help`.")
        self.usage = usage


class Grammar(argparse.ArgumentParser):
    """A parser that raises WrongUsage instead of ending the process; options in full only.

    A word that begins with a minus and a digit is a value (`-33.8,151.2`, `-01:00`).
    """

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **{**kwargs, "allow_abbrev": False})  # type: ignore[arg-type]
        self._negative_number_matcher = re.compile(r"^-\.?\d")

    def error(self, message: str) -> NoReturn:
        """Raise WrongUsage."""
        raise WrongUsage(f"{message[:1].upper()}{message[1:]}.", self.format_usage(), self.prog)


def add_shared_options(grammar: argparse.ArgumentParser, *, top_level: bool = False) -> None:
    """The options that every command takes, before or after its name."""

    def default(value: object) -> object:
        return value if top_level else argparse.SUPPRESS

    grammar.add_argument(
        "--library",
        metavar="DIR",
        type=path_word,
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


def path_word(text: str) -> Path:
    """An absolute path; an empty word (a variable that was not set) is none."""
    if not text:
        raise argparse.ArgumentTypeError("must not be empty")
    try:
        return plain_path(Path(text).expanduser())
    except RuntimeError as error:  # the home folder of nobody known
        raise argparse.ArgumentTypeError(f"{text}: there is no such user") from error


def count_word(text: str) -> int:
    """A whole number of at least 1."""
    try:
        number = int(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError("must be a whole number") from error
    if number < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return number


def command_words(words: list[str]) -> list[str]:
    """`--benchmark` is a flag to users and a command to the parser: where a command may stand."""
    place = 0
    while place < len(words) and words[place].startswith("-"):
        if words[place] == "--":
            break
        if words[place] == "--benchmark":
            return [*words[:place], "benchmark", *words[place + 1 :]]
        place += 2 if words[place] == "--library" else 1
    return words
