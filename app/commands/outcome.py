"""What a command's exit code says."""

from enum import IntEnum


class ExitCode(IntEnum):
    """The stable exit codes."""

    DONE = 0
    KNOWN_ERROR = 1
    WRONG_USAGE = 2
    DONE_WITH_PROBLEMS = 3
    CANCELLED = 130
