"""Build the page about similar answers, which shows pairs side by side and marks matching lines."""

from collections.abc import Mapping, Sequence
from typing import Any

from ..report.templates import TEMPLATES
from .fingerprints import Fingerprint, fingerprint
from .similarity import COMMON, COMMON_SHARE, LEAST, Equals, SimilarAnswers

MOST = 60  # pairs shown side by side; the table has all of them
LINES = 120  # lines shown of an answer


def page(
    assignment: str,
    students: int,
    matches: Sequence[SimilarAnswers],
    answers: Mapping[str, Mapping[str, str]],
    known: Mapping[str, Mapping[tuple[str, str], str]],
    same: Sequence[Equals] = (),
) -> str:
    """Render the page about similar answers as HTML.

    `answers` and `known` contain sources by exercise, and then by student or by (kind, name).
    """
    pairs: dict[tuple[str, str, str], list[SimilarAnswers]] = {}
    for match in matches:
        other = match.other if match.kind == "classmate" else ""
        pairs.setdefault((match.student, match.kind, other), []).append(match)
    ranked = sorted(pairs.items(), key=lambda pair: (-above(pair[1]), pair[0]))
    groups = [group(found, answers, known) for _, found in ranked[:MOST]]
    return TEMPLATES.get_template("similarity_page.html").render(
        assignment=assignment,
        students=students,
        groups=groups,
        same=[one for one in same if one.students],
        least=round(100 * LEAST),
        common=COMMON,
        common_share=round(100 * COMMON_SHARE),
        hidden=max(0, len(ranked) - MOST),
    )


def above(matches: Sequence[SimilarAnswers]) -> float:
    """Return by how many bits two students' similarity exceeds the thresholds, summed over the exercises."""
    return sum(match.bits - match.threshold for match in matches)


def group(
    matches: Sequence[SimilarAnswers],
    answers: Mapping[str, Mapping[str, str]],
    known: Mapping[str, Mapping[tuple[str, str], str]],
) -> dict[str, Any]:
    """Return the data that the page shows about two students' similar answers."""
    first, shown = matches[0], []
    for match in matches:
        mine = fingerprint(answers[match.exercise][match.student])
        other = fingerprint(
            answers[match.exercise][match.other]
            if match.kind == "classmate"
            else known[match.exercise][match.kind, match.other]
        )
        name = match.other if match.kind == "classmate" else f"{match.kind}: {match.other}"
        shown.append({"match": match, "sides": [side(match.student, mine, other), side(name, other, mine)]})
    other_name = first.other if first.kind == "classmate" else f"the {first.kind}"
    return {
        "names": f"{first.student} and {other_name}",
        "exercises": ", ".join(match.exercise for match in matches),
        "bits": above(matches),
        "matches": shown,
    }


def side(name: str, answer: Fingerprint, other: Fingerprint) -> dict[str, Any]:
    """Return one side of a pair: {"name": ..., "lines": [(line, whether it matches `other`), ...]}."""
    shared = answer.lines_shared(other)
    lines = enumerate(answer.source.split("\n")[:LINES], 1)
    return {"name": name, "lines": [(line[:400], number in shared) for number, line in lines]}
