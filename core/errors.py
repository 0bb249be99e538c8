"""Every error that the engine raises on purpose.

Exception
├── Cancelled                 the user asked to stop; never shown as an error
└── PhotoAppError             says what happened and what the user can do
    ├── InputError            what was asked for cannot be done as asked
    │   ├── FolderMissing     a folder to index is not there
    │   ├── ReferenceUnreadable   the reference photo cannot be read
    │   ├── EmptyQuery        neither words nor a photo were given
    │   ├── UnknownChoice     a strategy, suite or model that does not exist
    │   ├── FolderUnwritable  a folder that copies should go to cannot be written
    │   ├── TrashRefused      the system's trash does not take a file; nothing is deleted
    │   └── NotInLibrary      a photo, query or session that the library lacks
    ├── LibraryError          the library on disk
    │   ├── LibraryEmpty      nothing is indexed yet
    │   ├── LibraryNewer      written by a newer version
    │   ├── LibraryDamaged    fails its integrity check
    │   ├── LibraryBusy       another process is writing
    │   └── LibraryUnwritable the folder cannot be written, or the disk is full
    ├── ModelError            weights and the libraries that run them
    │   ├── ModelMissing      not installed
    │   ├── ModelCorrupt      checksum or format is wrong
    │   ├── ModelUnsupported  the installed libraries cannot run it
    │   ├── ModelOutOfMemory  not even one photo or text at a time fits
    │   └── ModelCrashed      the process that runs it died
    ├── DecodeError           one file could not be read (kept as a Problem, never fatal)
    ├── SolverError           a mixed-integer program could not be solved
    └── DatasetError          a benchmark's data are missing or malformed
"""


class Cancelled(Exception):
    """The user asked to stop."""


class PhotoAppError(Exception):
    """A known error: what happened (`message`) and what the user can do (`advice`)."""

    def __init__(self, message: str, advice: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.advice = advice

    @property
    def kind(self) -> str:
        """The stable name of this kind of error, as the command line prints it."""
        return type(self).__name__


class InputError(PhotoAppError):
    """What was asked for cannot be done as asked."""


class FolderMissing(InputError):
    """A folder to index is not there."""


class ReferenceUnreadable(InputError):
    """The reference photo cannot be read."""


class EmptyQuery(InputError):
    """Neither words nor a photo were given."""


class UnknownChoice(InputError):
    """A strategy, suite or model that does not exist."""


class FolderUnwritable(InputError):
    """A folder that copies should go to cannot be written."""


class TrashRefused(InputError):
    """The system's trash does not take a file; nothing is deleted."""


class NotInLibrary(InputError):
    """A photo, query or session that the library lacks."""


class LibraryError(PhotoAppError):
    """The library on disk cannot be used as asked."""


class LibraryEmpty(LibraryError):
    """Nothing is indexed yet."""


class LibraryNewer(LibraryError):
    """The library was written by a newer version of the application."""


class LibraryDamaged(LibraryError):
    """The library fails its integrity check."""


class LibraryBusy(LibraryError):
    """Another process is writing to the library."""


class LibraryUnwritable(LibraryError):
    """The library's folder cannot be written, or its disk is full."""


class ModelError(PhotoAppError):
    """Weights, or the libraries that run them, cannot be used."""


class ModelMissing(ModelError):
    """A model or the package that carries it is not installed."""


class ModelCorrupt(ModelError):
    """A model file has the wrong checksum or format."""


class ModelUnsupported(ModelError):
    """The installed libraries cannot run a model of this kind."""


class ModelOutOfMemory(ModelError):
    """A model has not enough memory for even one photo or text at a time."""


class ModelCrashed(ModelError):
    """The process that runs a model died."""


class DecodeError(PhotoAppError):
    """One file could not be read; kept as a problem of that file, never fatal."""


class SolverError(PhotoAppError):
    """A mixed-integer program could not be solved."""


class DatasetError(PhotoAppError):
    """A benchmark's data are missing or malformed."""
