"""What the search of a story looks for: the brief's subject and one direction a role."""

from dataclasses import dataclass

from core.domain.arrays import Float32Array
from core.domain.story import Role, StoryPlan
from core.protocols import ImageTextEncoder

MOMENT = "moment"
"""The role of a photo that is there for the subject alone."""

UNORDERED = -1
"""The position of a role that may come at any time."""

_ARTICLES = {"a", "an", "the"}


@dataclass(frozen=True, slots=True)
class Directions:
    """The roles and their vectors (m, dim), the subject and its vector (dim)."""

    roles: tuple[Role, ...]
    role_vectors: Float32Array
    subject: str
    subject_vector: Float32Array

    @property
    def queries(self) -> tuple[str, ...]:
        """The words of each role."""
        return tuple(role.query for role in self.roles)

    def asks_only_subject(self, role: Role) -> bool:
        """Whether a role's words say no more than the subject does."""
        return _words(role.query) <= _words(self.subject) | _ARTICLES


def _words(text: str) -> set[str]:
    return set(text.lower().split())


def directions_of(plan: StoryPlan, encoder: ImageTextEncoder) -> Directions:
    """Encode the subject, every role, and the moments that may fill up the bundle, at once."""
    subject = plan.subject or plan.brief.text
    moment = Role(MOMENT, subject, UNORDERED)
    roles = plan.roles + (moment,) * plan.brief.max_size
    vectors = encoder.encode_texts([subject, *(role.query or subject for role in roles)])
    return Directions(roles, vectors[1:], subject, vectors[0])
