"""What the user split and joined by hand: decisions one after the other over ready sessions.

A later decision finds what the earlier ones left, so the newest holds: a join after a split makes
one session again, a split after a join makes two. Photos that are gone have no say.
"""

from collections.abc import Iterable, Sequence

from core.domain.decision import SessionsJoined, SessionStart
from core.domain.photo import PhotoId
from core.domain.session import Split, SplitRule
from core.ingest.sessions.pieces import Piece

SessionDecision = SessionStart | SessionsJoined


def photos_named(decision: SessionDecision) -> tuple[PhotoId, ...]:
    """The photos that a decision is about."""
    match decision:
        case SessionStart(photo):
            return (photo,)
        case SessionsJoined(one, other):
            return one, other


def decided(pieces: Sequence[Piece], decisions: Iterable[SessionDecision]) -> list[Piece]:
    """The pieces, in no order, after all decisions that name photos of them."""
    named = {photo for decision in decisions for photo in photos_named(decision)}
    if not named:
        return list(pieces)
    cuts = _Cuts(pieces, named)
    for decision in decisions:
        match decision:
            case SessionStart(photo):
                cuts.cut(photo)
            case SessionsJoined(one, other):
                cuts.join(one, other)
    return cuts.pieces


class _Cuts:
    """Pieces, and which of them holds each of the photos that decisions name."""

    def __init__(self, pieces: Sequence[Piece], named: set[PhotoId]) -> None:
        self.pieces = list(pieces)
        self._named = named
        self._holder: dict[PhotoId, Piece] = {}
        for piece in pieces:
            self._note(piece)

    def cut(self, photo: PhotoId) -> None:
        """Begin a session at a photo, for all contributors of the session that it is in."""
        piece = self._holder.get(photo)
        if piece is None:
            return
        place = next(i for i, m in enumerate(piece.moments) if m.entry.photo_id == photo)
        if place > 0:
            before = Piece(piece.moments[:place], piece.split)
            self._replace([piece], [before, Piece(piece.moments[place:], Split(SplitRule.HAND))])

    def join(self, one: PhotoId, other: PhotoId) -> None:
        """Make two sessions one, whatever lies between them."""
        first, second = self._holder.get(one), self._holder.get(other)
        if first is None or second is None or first is second:
            return
        moments = sorted((*first.moments, *second.moments), key=lambda m: m.order)
        split = min(first, second, key=lambda piece: piece.order).split
        self._replace([first, second], [Piece(tuple(moments), split)])

    def _replace(self, old: Sequence[Piece], new: Sequence[Piece]) -> None:
        self.pieces = [piece for piece in self.pieces if all(piece is not o for o in old)]
        self.pieces += new
        for piece in new:
            self._note(piece)

    def _note(self, piece: Piece) -> None:
        for moment in piece.moments:
            if moment.entry.photo_id in self._named:
                self._holder[moment.entry.photo_id] = piece
