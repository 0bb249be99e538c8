"""A page that shows a search and a story with their pictures; it carries no GPS and no paths."""

import base64
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, select_autoescape

from app.commands.documents import place_text, search_document, story_document, taken_text
from core.domain.answer import SearchAnswer
from core.domain.photo import Photo
from core.domain.query import ComposedQuery
from core.domain.story import StoryAnswer
from core.engine import Engine
from core.progress import Progress

VERDICT_WORDS = {
    "positive": {
        "kept": "✓ …",
        "changed": "✗ …",
        "absent": "✗ no …",
        "unsure": "? … (unsure)",
    },
    "negative": {
        "kept": "✓ no …",
        "changed": "✗ … seen",
        "absent": "✓ no …",
        "unsure": "? no … (unsure)",
    },
}
"""What a verdict says to a person; … stands for the condition."""


def write_page(
    engine: Engine, query: ComposedQuery, answer: SearchAnswer, story: StoryAnswer, target: Path
) -> Path:
    """Write the page; everything on it is escaped, pictures are embedded thumbnails."""
    ids = {ranked.photo_id for ranked in answer.results}
    ids |= {member.photo_id for bundle in story.bundles for member in bundle.photos}
    ids |= {answer.near_miss.photo_id} if answer.near_miss else set()
    photos = {photo.id: photo for photo in engine.photos(sorted(ids))}
    by_path = {str(photo.path): _picture(engine, photo) for photo in photos.values()}
    reference = engine.photo_at(query.reference.path) if query.reference else None
    page = _environment().get_template("page.html.j2")
    text = page.render(
        query=query.text,
        reference=_picture(engine, reference) if reference else None,
        search=search_document(answer, photos),
        story=story_document(story, photos),
        brief=story.plan.brief.text,
        pictures=by_path,
        stats=engine.stats(),
        model=engine.loaded.perception(Progress()).encoder.name,
        words=VERDICT_WORDS,
    )
    target.write_text(text, encoding="utf-8")
    return target.absolute()


def _environment() -> Environment:
    return Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=select_autoescape(default=True, default_for_string=True),
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _picture(engine: Engine, photo: Photo) -> dict[str, Any]:
    thumbnail = engine.thumbnail(photo)
    data = base64.b64encode(thumbnail.read_bytes()).decode() if thumbnail else ""
    return {
        "source": f"data:image/jpeg;base64,{data}",
        "name": photo.path.name,
        "taken": taken_text(photo) or "",
        "place": place_text(photo) or "",
    }
