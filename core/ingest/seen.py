"""What models saw of photos: taken over by copies, and whether it is there for all."""

from collections.abc import Mapping, Sequence

from core.domain.photo import PhotoFacts, PhotoId
from core.ingest.profile import make_profile
from core.protocols import Perception
from core.store.library import Library


def take_over(
    library: Library,
    perception: Perception,
    sources: Mapping[PhotoId, tuple[PhotoId, PhotoFacts]],
) -> None:
    """Give photos what was seen of others with the same pixels, and words from their own facts.

    A photo may be its own source: then only its words are made again. Joins a transaction.
    """
    if not sources:
        return
    copies = {target: source for target, (source, _) in sources.items() if target != source}
    for model in (perception.encoder.name, perception.proxy_name):
        _copy_vectors(library, model, copies)
    held = library.profiles.profiles([source for source, _ in sources.values()])
    seen_above = perception.presence.present_above
    library.profiles.save(
        [
            make_profile(target, facts, held[source].concepts, seen_above)
            for target, (source, facts) in sources.items()
            if source in held
        ]
    )


def _copy_vectors(library: Library, model: str, copies: Mapping[PhotoId, PhotoId]) -> None:
    found, vectors = library.vectors.of(model, list(set(copies.values())))
    row_of = {source: row for row, source in enumerate(found)}
    targets = [target for target, source in copies.items() if source in row_of]
    if targets:
        library.vectors.save(model, targets, vectors[[row_of[copies[t]] for t in targets]])


def all_are_seen(library: Library, perception: Perception) -> bool:
    """Whether every photo that has a file is known to have vectors of these models."""
    return library.vectors.complete() == _models(perception)


def mark_all_seen(library: Library, perception: Perception) -> None:
    """Remember that, so that no run has to look for missing ones."""
    if not all_are_seen(library, perception):
        library.vectors.set_complete(_models(perception))


def check_seen(library: Library, perception: Perception, ids: Sequence[PhotoId]) -> None:
    """Photos have got a file again: see whether other models are in use since."""
    models = (perception.encoder.name, perception.proxy_name)
    if any(library.vectors.lacking(model, ids) for model in models):
        library.vectors.set_complete("")


def _models(perception: Perception) -> str:
    return f"{perception.encoder.name} {perception.proxy_name}"
