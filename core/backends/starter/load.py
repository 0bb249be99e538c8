"""Loads the starter set: everything works offline after one installation."""

from core.backends.starter.calibration import open_presence
from core.backends.starter.concepts import open_concepts
from core.backends.starter.encoder import open_starter
from core.paths import data_folder, model_cache
from core.progress import Progress
from core.protocols import Perception


def load_starter(progress: Progress) -> Perception:
    """The starter models; raises ModelMissing, ModelCorrupt, ModelCrashed."""
    progress.report("models", 0, 1)
    encoder = open_starter(data_folder("models"), model_cache())
    presence = open_presence(encoder)
    progress.report("models", 1, 1)
    return Perception(encoder, encoder.text_tower, presence, open_concepts(encoder))
