"""Every setting of a library: declared once, typed, validated, documented."""

import json
import tomllib
from collections.abc import Sequence
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from core.errors import InputError

_FROZEN = ConfigDict(frozen=True, extra="forbid")


class SessionSettings(BaseModel):
    """When one session ends and the next begins, and what a trip is."""

    model_config = _FROZEN
    gap_hours: float = Field(6.0, gt=0, description="A longer pause begins a new session.")
    jump_km: float = Field(20.0, gt=0, description="A farther jump begins a new session.")
    trip_distance_km: float = Field(50.0, gt=0, description="Farther from home than this is away.")
    trip_gap_hours: float = Field(36.0, gt=0, description="A longer pause ends a trip.")


class DecodeSettings(BaseModel):
    """Limits on untrusted image files."""

    model_config = _FROZEN
    max_pixels: int = Field(300_000_000, gt=0, description="Larger pictures are not decoded.")
    max_bytes: int = Field(2_000_000_000, gt=0, description="Larger files are not read.")
    max_video_bytes: int = Field(
        200_000_000_000, gt=0, description="Larger films are not read; none is held in memory."
    )
    timeout_s: float = Field(30.0, gt=0, description="A decoder that takes longer is killed.")
    memory_mb: int = Field(4096, gt=0, description="Memory that one decoder may take.")
    thumbnail_px: int = Field(512, ge=64, le=2048, description="Long side of thumbnails.")
    workers: int = Field(0, ge=0, le=64, description="Decoding processes; 0: one a core.")


class SearchSettings(BaseModel):
    """How searches are planned and shown."""

    model_config = _FROZEN
    fusion_tau: float = Field(60.0, gt=0, description="Smoothing of rank fusion, 1/(r + τ).")
    results: int = Field(50, ge=1, le=10_000, description="Photos in an answer.")
    positive_top_k: int = Field(200, ge=1, description="Photos that a positive step keeps.")


class StorySettings(BaseModel):
    """How stories are composed."""

    model_config = _FROZEN
    seeds: int = Field(5, ge=1, le=50, description="Diverse starting photos, N_s.")
    beam_width: int = Field(4, ge=1, le=50, description="Partial bundles kept a seed, B_u.")
    candidates: int = Field(5, ge=1, le=50, description="Photos tried a step, C.")
    subject_weight: float = Field(0.3, ge=0, le=1, description="λ: the whole brief's share.")
    window_hours: float = Field(24.0, gt=0, description="Pruning: hours around the seed.")
    window_km: float = Field(50.0, gt=0, description="Pruning: distance from the seed.")


class ScanSettings(BaseModel):
    """What a scan leaves out."""

    model_config = _FROZEN
    skip_folders: tuple[str, ...] = Field(
        ("@eaDir", ".thumbnails", "$RECYCLE.BIN", "System Volume Information", "#recycle"),
        description="Folder names that are never entered.",
    )
    skip_hidden: bool = Field(True, description="Leave out names that begin with a dot.")


class WatchSettings(BaseModel):
    """How folders are watched for changes."""

    model_config = _FROZEN
    enabled: bool = Field(True, description="The window watches the folders of its library.")
    quiet_s: float = Field(2.0, gt=0, description="Changes are read once none came for so long.")
    longest_s: float = Field(30.0, gt=0, description="They are read after this time in any case.")
    polling: bool = Field(False, description="Look again and again, also where events would come.")
    poll_s: float = Field(60.0, gt=0, description="Time between two such looks at a folder.")
    partial: tuple[str, ...] = Field(
        (".part", ".partial", ".crdownload", ".download", ".tmp", ".temp", ".filepart", "~"),
        description="Endings of files that are still on their way.",
    )


class BackupSettings(BaseModel):
    """Copies of the library's database, made after index runs; vectors are not in them."""

    model_config = _FROZEN
    enabled: bool = Field(True, description="Copy the database after index runs.")
    every_hours: float = Field(24.0, ge=0, description="Age of the newest copy that asks for one.")
    changed_share: float = Field(
        0.2, gt=0, le=1, description="Share of photos that changed in one run that asks for one."
    )
    newest: int = Field(3, ge=1, le=100, description="Copies kept for being new.")
    weeks: int = Field(4, ge=0, le=520, description="Weeks of which one copy each is kept.")
    max_mb: int = Field(10_000, ge=1, description="All copies together; the newest always stays.")


class ModelSettings(BaseModel):
    """Which models a library uses beside the starter set."""

    model_config = _FROZEN
    encoders: tuple[str, ...] = Field(
        (), description="Further image-text encoders, by name; searches use all of them."
    )


class Settings(BaseModel):
    """All settings; each has a default that works."""

    model_config = _FROZEN
    sessions: SessionSettings = SessionSettings()
    decode: DecodeSettings = DecodeSettings()
    search: SearchSettings = SearchSettings()
    story: StorySettings = StorySettings()
    scan: ScanSettings = ScanSettings()
    watch: WatchSettings = WatchSettings()
    backup: BackupSettings = BackupSettings()
    models: ModelSettings = ModelSettings()


def load_settings(path: Path) -> Settings:
    """Read settings from a TOML file; defaults where it is absent.

    Raises InputError that names the first wrong line.
    """
    try:
        return Settings.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
    except (FileNotFoundError, NotADirectoryError):
        return Settings()
    except OSError as error:
        raise InputError(
            f"{path} cannot be read: {error.strerror}.", "Make it readable, or delete it."
        ) from error
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is not text in UTF-8.", "Mend or delete it.") from error
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{path} is not valid TOML: {error}", "Mend or delete it.") from error
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(str(part) for part in first["loc"])
        raise InputError(f"{path}: {key}: {first['msg']}", "Mend or delete that line.") from error


def choose_encoders(path: Path, names: Sequence[str]) -> None:
    """Write the further encoders into a settings file; every other line stays as it is.

    Raises InputError where the file is wrong, or cannot be written.
    """
    load_settings(path)
    lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    chosen = f"encoders = {json.dumps(list(names))}"
    text = "\n".join(_with_encoders(lines, chosen)) + "\n"
    if Settings.model_validate(tomllib.loads(text)).models.encoders != tuple(names):
        raise InputError(f"{path} cannot be changed.", f"Write it under [models]: {chosen}")
    part = path.with_suffix(".part")
    try:
        part.write_text(text, encoding="utf-8")
        part.replace(path)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise InputError(f"{path} cannot be written: {error.strerror}.", "Free it.") from error


def _with_encoders(lines: list[str], chosen: str) -> list[str]:
    """The lines with the choice in their table of models, which is added where there is none."""
    start = next((i for i, line in enumerate(lines) if line.split("#")[0].strip() == _TABLE), None)
    if start is None:
        return [*lines, _TABLE, chosen]
    end = next((i for i in range(start + 1, len(lines)) if lines[i].lstrip()[:1] == "["), None)
    table = lines[start + 1 : end]
    kept = [line for line in table if line.partition("=")[0].strip() != "encoders"]
    return [*lines[: start + 1], chosen, *kept, *(lines[end:] if end is not None else [])]


_TABLE = "[models]"
