"""Answers as JSON documents, in the layout that the command line promises."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from core.domain.answer import SearchAnswer
from core.domain.photo import Photo, PhotoId
from core.domain.problem import Problem
from core.domain.session import Session, Trip
from core.domain.story import StoryAnswer
from core.domain.trajectory import Difference, Intersection, Retrieved, SetExpression, Union
from core.domain.verdict import Verdict

Document = dict[str, object]
PhotosById = dict[PhotoId, Photo]


def problem_document(problem: Problem) -> Document:
    """A file that is not in the library."""
    return {
        "path": str(problem.path),
        "reason": problem.reason.value,
        "detail": problem.detail,
        "since": problem.since.isoformat(),
    }


def session_document(session: Session, paths: Mapping[PhotoId, Path]) -> Document:
    """A session with its photos, by their files."""
    return {
        "id": session.id,
        "start": session.start.iso,
        "end": session.end.iso,
        "place": session.place,
        "contributor": session.contributor,
        "photos": _paths(session.photo_ids, paths),
        "split_by": _split_text(session.split.rule.value, session.split.text),
    }


def trip_document(trip: Trip, paths: Mapping[PhotoId, Path]) -> Document:
    """A trip with its photos, by their files; it names the sessions that it is made of."""
    contributors = dict.fromkeys(session.contributor for session in trip.sessions)
    return {
        "id": trip.id,
        "start": trip.sessions[0].start.iso,
        "end": trip.sessions[-1].end.iso,
        "place": trip.place,
        "contributor": ", ".join(contributors),
        "photos": _paths(trip.photo_ids, paths),
        "split_by": _split_text(trip.split.rule.value, trip.split.text),
        "sessions": [session.id for session in trip.sessions],
    }


def search_document(answer: SearchAnswer, photos: PhotosById) -> Document:
    """A search's answer with its plan, trace and seconds."""
    miss = answer.near_miss
    return {
        "query_id": answer.query_id,
        "strategy": answer.strategy,
        "understood": _understood(answer),
        "abstained": answer.abstained,
        "results": [
            {
                "path": str(photos[ranked.photo_id].path),
                "rank": ranked.rank,
                "score": ranked.score,
                "excluded": ranked.excluded,
                "verdicts": [verdict_document(verdict) for verdict in ranked.verdicts],
                "found_by": list(ranked.found_by),
            }
            for ranked in answer.results
        ],
        "near_miss": None
        if miss is None
        else {"path": str(photos[miss.photo_id].path), "failed": list(miss.failed)},
        "trajectory": _trajectory(answer),
        "trace": [{"event": e.event, "detail": e.detail} for e in answer.trace],
        "seconds": answer.seconds,
    }


def verdict_document(verdict: Verdict) -> Document:
    """One condition in one photo."""
    return {
        "condition": verdict.condition.text,
        "polarity": verdict.condition.polarity.value,
        "state": verdict.state.value,
        "probability": round(verdict.probability, 4),
        "evidence": verdict.evidence,
    }


def story_document(answer: StoryAnswer, photos: PhotosById) -> Document:
    """A story's bundles with their photos and checks."""
    return {
        "strategy": answer.strategy,
        "bundles": [
            {
                "score": bundle.score,
                "title": bundle.title,
                "photos": [
                    {
                        "path": str(photos[member.photo_id].path),
                        "role": member.role,
                        "taken_at": taken_text(photos[member.photo_id]),
                        "place": place_text(photos[member.photo_id]),
                    }
                    for member in bundle.photos
                ],
                "verdicts": [
                    {"check": check.name, "state": check.text, "score": check.score}
                    for check in bundle.checks
                ],
            }
            for bundle in answer.bundles
        ],
        "trace": [{"event": e.event, "detail": e.detail} for e in answer.trace],
        "seconds": answer.seconds,
    }


def taken_text(photo: Photo) -> str | None:
    """When a photo was taken, ISO 8601, None where unknown."""
    return photo.facts.taken.iso if photo.facts.taken else None


def place_text(photo: Photo) -> str | None:
    """Where a photo was taken, None where unknown."""
    return photo.facts.place.text if photo.facts.place else None


def composition_text(expression: SetExpression) -> str:
    """A set expression as people write it, steps numbered from 1."""
    match expression:
        case Retrieved(step):
            return str(step + 1)
        case Union(parts):
            return _joined(parts, " ∪ ")
        case Intersection(parts):
            return _joined(parts, " ∩ ")
        case Difference(kept, removed):
            return f"{composition_text(kept)} − {composition_text(removed)}"


def _joined(parts: Sequence[SetExpression], sign: str) -> str:
    texts = [composition_text(part) for part in parts]
    return texts[0] if len(texts) == 1 else f"({sign.join(texts)})"


def _understood(answer: SearchAnswer) -> list[Document]:
    understanding = answer.understanding
    parts: list[Document] = [
        {"condition": c.text, "polarity": c.polarity.value, "state": c.kind.value}
        for c in understanding.conditions
    ]
    named = {condition.text for condition in understanding.conditions}
    for state, known in (("time", understanding.when), ("place", understanding.where)):
        if known and known.text not in named:
            parts.append({"condition": known.text, "polarity": "positive", "state": state})
    return parts


def _trajectory(answer: SearchAnswer) -> Document | None:
    plan = answer.trajectory
    if plan is None:
        return None
    return {
        "steps": [
            {
                "tool": step.tool,
                "query": step.query,
                "polarity": step.polarity.value,
                "concept": step.concept,
                "top_k": step.top_k,
                "found": found,
            }
            for step, found in zip(plan.steps, answer.found, strict=True)
        ],
        "composition": composition_text(plan.composition),
        "planner": plan.planner,
    }


def _paths(ids: Sequence[PhotoId], paths: Mapping[PhotoId, Path]) -> list[str]:
    return [str(paths[i]) for i in ids if i in paths]


def _split_text(rule: str, text: str) -> str:
    return f"{rule}: {text}"
