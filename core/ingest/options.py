"""How an indexing run differs from the usual one."""

from dataclasses import dataclass

from core.ingest.decode import decode_file
from core.ingest.worker import DecodeFunction


@dataclass(frozen=True, slots=True)
class IndexOptions:
    """`retry` reads again what had a problem; `decode` may be replaced in tests."""

    retry: bool = False
    decode: DecodeFunction = decode_file
