"""What an engine loads when it first needs it: models, places, and what searches look through."""

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from core.backends.gazetteer.offline import OfflineGazetteer
from core.backends.gazetteer.zone_finder import ZoneFinder
from core.backends.highs import HighsSolver
from core.backends.starter.load import load_starter
from core.backends.transformers.load import open_image_text
from core.domain.decision import PlaceNamed
from core.errors import InputError, ModelError
from core.ingest.decisions.corrections import World
from core.ingest.decisions.decide import Desk
from core.ingest.decisions.own_places import OwnPlaces, own_places
from core.ingest.decoding.decode import decode_file
from core.ingest.decoding.screen_picture import ScreenPictures
from core.ingest.decoding.worker import DecodeFunction
from core.ingest.further import coverage
from core.progress import Progress
from core.protocols import FurtherEncoder, Gazetteer, MipSolver, Perception
from core.retrieval.gallery import Gallery
from core.search.read_reference import nothing_to_look_through
from core.settings import Settings
from core.store.library import Library

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Backends:
    """How each part is loaded; tests and benchmarks put others in their places."""

    perception: Callable[[Progress], Perception] = load_starter
    gazetteer: Callable[[], Gazetteer] = OfflineGazetteer
    solver: Callable[[], MipSolver] = HighsSolver
    decode: DecodeFunction = decode_file
    encoder: Callable[[str, Progress], FurtherEncoder] = open_image_text


@dataclass(slots=True)
class Loaded:
    """Parts of an opened library, each loaded once; safe across threads."""

    library: Library
    settings: Settings
    backends: Backends
    zones: ZoneFinder = field(default_factory=ZoneFinder)
    _loading: threading.RLock = field(default_factory=threading.RLock)
    _perception: Perception | None = None
    _gazetteer: Gazetteer | None = None
    _gallery: Gallery | None = None
    _pictures: ScreenPictures | None = None
    _further: tuple[FurtherEncoder, ...] | None = None
    _unusable: tuple[str, ...] = ()

    def close(self) -> None:
        """End the process that reads pictures."""
        if self._pictures is not None:
            self._pictures.close()

    def perception(self, progress: Progress) -> Perception:
        """The models; raises ModelError."""
        with self._loading:
            if self._perception is None:
                begun = time.monotonic()
                self._perception = self.backends.perception(progress)
                _log.info("models loaded in %.2f s", time.monotonic() - begun)
            return self._perception

    def gazetteer(self) -> Gazetteer:
        """The names of places."""
        with self._loading:
            if self._gazetteer is None:
                self._gazetteer = self.backends.gazetteer()
            return self._gazetteer

    def own_places(self) -> tuple[PlaceNamed, ...]:
        """The names that the user gave to places, smallest first."""
        return own_places(self.library)

    def places(self) -> Gazetteer:
        """The names of places, the user's own before all others."""
        return OwnPlaces(self.gazetteer(), self.own_places())

    def gallery(self, progress: Progress) -> Gallery:
        """What searches look through, read again after `forget_gallery`.

        Raises LibraryEmpty where no photo has a vector of the present model.
        """
        with self._loading:
            if self._gallery is None:
                perception = self.perception(progress)
                serving = [e for e in self.further(progress) if coverage(self.library, e).serves]
                gallery = Gallery.load(self.library, perception, progress, serving)
                if len(gallery) == 0:
                    raise nothing_to_look_through(self.library, perception.encoder.name)
                self._gallery = gallery
            return self._gallery

    def further(self, progress: Progress) -> tuple[FurtherEncoder, ...]:
        """The further encoders that the settings name; one that cannot be used is left out."""
        with self._loading:
            if self._further is None:
                found = [self._encoder(name, progress) for name in self.settings.models.encoders]
                self._further = tuple(one for one in found if not isinstance(one, str))
                self._unusable = tuple(one for one in found if isinstance(one, str))
            return self._further

    def model_notes(self, progress: Progress) -> tuple[str, ...]:
        """Which of the encoders that the settings name do not serve searches, and why."""
        with self._loading:
            covered = [coverage(self.library, encoder) for encoder in self.further(progress)]
            return (*self._unusable, *(str(one) for one in covered if not one.serves))

    def _encoder(self, name: str, progress: Progress) -> FurtherEncoder | str:
        """An encoder, or why it cannot be used: searches go on without it."""
        try:
            return self.backends.encoder(name, progress)
        except (ModelError, InputError) as error:
            _log.warning("an encoder in use cannot be loaded: %s", error.kind)
            rest = "The starter models serve instead."
            return " ".join((f"{name} cannot be used.", error.message, error.advice, rest))

    def forget_gallery(self) -> None:
        """Photos have changed: what searches look through is read again."""
        with self._loading:
            self._gallery = None

    def pictures(self) -> ScreenPictures:
        """Pictures for the screen, decoded in a process of their own."""
        with self._loading:
            if self._pictures is None:
                paths, settings = self.library.paths, self.settings.decode
                self._pictures = ScreenPictures(paths, settings, self.backends.decode)
            return self._pictures

    def desk(self, progress: Progress) -> Desk:
        """What decisions need to be carried out."""
        world = World(self.gazetteer(), self.zones)
        seen_above = self.perception(progress).presence.present_above
        return Desk(self.library, world, self.settings.sessions, seen_above)
