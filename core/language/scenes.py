"""How a caption says where or in which light a thing is."""

from core.language.vocabulary import lexicon
from core.language.words import bare, canonical, is_plural, with_article


def place_phrase(scene: str) -> str:
    """The words that put a subject into a scene: "beach" → "on a beach"."""
    name = bare(scene)
    known = lexicon()
    lead = known.scene_lead.get(canonical(name)) or known.scene_lead.get(
        name, known.scene_lead.get(canonical(name).rpartition(" ")[2], "in a")
    )
    preposition, _, article = lead.partition(" ")
    if name != scene.strip():
        return f"{preposition} {scene.strip()}"
    if is_plural(name) or article != "a":
        return f"{lead.removesuffix(' a')} {name}".strip()
    return f"{preposition} {with_article(name)}"
