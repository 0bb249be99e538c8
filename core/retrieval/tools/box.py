"""All tools over one gallery, by name."""

from dataclasses import dataclass

from core.domain.query import PlaceFilter, TimeFilter
from core.retrieval.gallery import Gallery
from core.retrieval.tools.bm25 import Bm25Tool
from core.retrieval.tools.metadata import MetadataTool
from core.retrieval.tools.protocol import RetrievalTool
from core.retrieval.tools.vector_tools import (
    FusedTool,
    ImageTextTool,
    TextConceptTool,
    VisualTool,
)


@dataclass(frozen=True, slots=True)
class ToolOptions:
    """What a search's tools are told: its filters, and whether the reference may be found."""

    when: TimeFilter | None = None
    where: PlaceFilter | None = None
    keep_reference: bool = False


def make_tools(gallery: Gallery, options: ToolOptions) -> dict[str, RetrievalTool]:
    """Every retrieval tool over the gallery, by name; costs nothing until one ranks."""
    perception = gallery.perception
    tools: list[RetrievalTool] = [
        ImageTextTool(perception.encoder, gallery.images),
        TextConceptTool(perception.sentences, gallery.proxies),
        Bm25Tool(gallery.profiles, gallery.ids),
        VisualTool(gallery.images, options.keep_reference),
        FusedTool(perception.encoder, gallery.images, options.keep_reference),
        MetadataTool(gallery.columns, options.when, options.where),
        *(ImageTextTool(s.encoder, s.images, s.tool, calibrated=False) for s in gallery.further),
    ]
    return {tool.name: tool for tool in tools}
