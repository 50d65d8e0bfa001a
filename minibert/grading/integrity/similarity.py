"""Detect answers that are more similar than independent answers would be.

Short functions are naturally similar, so pieces of code that many classmates wrote count little: a piece's
weight, in bits, measures how rare it is in the class. The threshold is the similarity of answers that are
certainly independent: the right answers in the course's tests, compared with one another and with the class.
It grows with log2 of the class's size, because each answer is compared with all others. Pairs are not
reported if many classmates are equally similar, but everyone whose answer contains the whole solution is
named.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from .fingerprints import LENGTH, Fingerprint, fingerprint

LEAST = 0.6  # share of the shorter answer's pieces that must also be in the other
QUANTILE = 0.99  # of the similarities between the test answers and the class
SAME = 0.98  # answers with this share in common count as the same answer
COMMON, COMMON_SHARE = 4, 0.05  # at most this many classmates, or this share, may be equally alike
WITHOUT_BANK = 10.0  # threshold in bits for an exercise without test answers
KnownAnswers = Mapping[tuple[str, str], str]  # (kind, name) -> source


@dataclass(frozen=True)
class SimilarAnswers:
    """Two answers to one exercise that are conspicuously similar.

    `kind` is the kind of the other answer: "classmate", "solution", "package" or "bank". `share` is the share
    of the shorter answer's pieces that both answers have. `bits` measures how rare these pieces are, and
    `threshold` is the exercise's threshold. `as_alike` is the number of classmates whose answers are at least
    as similar to one of the two.
    """

    exercise: str
    student: str
    other: str
    kind: str
    share: float
    bits: float
    threshold: float
    as_alike: int


@dataclass(frozen=True)
class Equals:
    """The students who handed in the solution of an exercise.

    `answers` is the number of all answers. `students` lists those whose answer equals the solution apart from
    names, comments and layout; `word_for_word` lists those whose answer is an exact copy.
    """

    exercise: str
    answers: int
    students: tuple[str, ...]
    word_for_word: tuple[str, ...]


@dataclass(frozen=True)
class Likeness:
    """The similarity of each answer in one list to each answer in another, as arrays (first, second)."""

    bits: np.ndarray
    shares: np.ndarray


class Pieces:
    """The pieces (short runs of tokens) in a class's answers, and the weight of each piece."""

    def __init__(self, answers: Sequence[Fingerprint], given: Fingerprint) -> None:
        self.given = given.kinds
        pieces = sorted({piece for answer in answers for piece in answer.kinds - self.given})
        self.places = {piece: place for place, piece in enumerate(pieces)}
        self.there = self.table(answers)  # (answers, pieces)
        self.weights = np.log2((len(answers) + 1) / np.maximum(self.there.sum(axis=0), 1)) / LENGTH
        self.sizes = np.array([len(answer.kinds - self.given) for answer in answers])

    def table(self, answers: Sequence[Fingerprint]) -> np.ndarray:
        """Return an array (answers, the class's pieces): 1 where an answer contains a piece, otherwise 0."""
        made = np.zeros((len(answers), len(self.places)), np.float32)
        for row, answer in zip(made, answers):
            row[[self.places[piece] for piece in answer.kinds if piece in self.places]] = 1
        return made

    def likeness(self, answers: Sequence[Fingerprint]) -> Likeness:
        """Compare the class's answers (first axis) with other answers (second axis)."""
        other = self.table(answers)
        sizes = np.array([len(answer.kinds - self.given) for answer in answers])
        least = np.maximum(np.minimum(self.sizes[:, None], sizes[None, :]), 1)
        return Likeness((self.there * self.weights) @ other.T, (self.there @ other.T) / least)


def compare(
    exercise: str,
    answers: Mapping[str, str],
    known: KnownAnswers | None = None,
    right: Sequence[str] = (),
    given: str = "",
) -> list[SimilarAnswers]:
    """Return the conspicuous pairs for one exercise, the most conspicuous first.

    `answers` maps students to sources. `known` maps (kind, name) to other sources to compare with. `right`
    lists answers that were written independently. `given` is the code that the exercise itself provides; it
    does not count.
    """
    students = sorted(answers)
    if not students:
        return []
    mine = [fingerprint(answers[student]) for student in students]
    pieces = Pieces(mine, fingerprint(given))
    limit = threshold(pieces, [fingerprint(source) for source in right])
    found = among(exercise, students, pieces.likeness(mine), limit)
    if known:
        names = sorted(known)
        likeness = pieces.likeness([fingerprint(known[name]) for name in names])
        found += with_known(exercise, students, names, likeness, limit)
    return sorted(found, key=lambda match: (match.threshold - match.bits, match.student, match.other))


def equals(exercise: str, answers: Mapping[str, str], solution: str, given: str = "") -> Equals:
    """Find the answers that contain an exercise's whole solution; the arguments are those of `compare`."""
    wanted = fingerprint(solution).kinds - fingerprint(given).kinds
    least = max(1.0, SAME * len(wanted))
    students = [
        student for student in sorted(answers) if len(wanted & fingerprint(answers[student]).kinds) >= least
    ]
    return Equals(
        exercise,
        len(answers),
        tuple(students),
        tuple(student for student in students if bare_lines(answers[student]) == bare_lines(solution)),
    )


def bare_lines(source: str) -> list[str]:
    """Return the lines of a source without blank lines, indentation or nbgrader's solution markers."""
    lines = map(str.strip, source.split("\n"))
    return [line for line in lines if line and not line.startswith("### ")]


def threshold(pieces: Pieces, right: Sequence[Fingerprint]) -> float:
    """Return the threshold in bits that independent answers to this exercise very rarely exceed."""
    chance = float(np.log2(len(pieces.there)))
    if not right:
        return WITHOUT_BANK + chance
    table, found = pieces.table(right), pieces.likeness(right)
    pairs = ((table * pieces.weights) @ table.T)[np.triu_indices(len(right), 1)]
    apart = found.bits[found.shares < SAME]  # equal answers are common or copied, so they do not count
    return float(max(np.quantile(apart, QUANTILE) if apart.size else 0.0, *pairs, 0.0)) + chance


def most(students: int) -> int:
    """Return how many classmates may have equally similar answers before a similarity counts as common."""
    return max(COMMON, int(COMMON_SHARE * students))


def among(exercise: str, students: Sequence[str], likeness: Likeness, limit: float) -> list[SimilarAnswers]:
    """Return the pairs of classmates whose answers are conspicuously similar."""
    found = []
    for a, b in np.argwhere(np.triu((likeness.bits > limit) & (likeness.shares >= LEAST), 1)):
        share, bits = float(likeness.shares[a, b]), float(likeness.bits[a, b])
        alike = max(int((likeness.shares[row] >= share).sum()) - 1 for row in (a, b))
        if alike <= most(len(students)):
            found.append(
                SimilarAnswers(exercise, students[a], students[b], "classmate", share, bits, limit, alike)
            )
    return found


def with_known(
    exercise: str, students: Sequence[str], names: Sequence[tuple[str, str]], likeness: Likeness, limit: float
) -> list[SimilarAnswers]:
    """Return the conspicuously similar pairs of a student's answer and a known answer.

    For each student and kind of known answer, only the most similar one is returned.
    """
    found: dict[tuple[str, str], SimilarAnswers] = {}
    for a, b in np.argwhere((likeness.bits > limit) & (likeness.shares >= LEAST)):
        share, bits = float(likeness.shares[a, b]), float(likeness.bits[a, b])
        alike = int((likeness.shares[:, b] >= share).sum()) - 1
        kind, name = names[b]
        before = found.get((students[a], kind))
        if alike < most(len(students)) and (before is None or before.bits < bits):
            found[students[a], kind] = SimilarAnswers(
                exercise, students[a], name, kind, share, bits, limit, alike
            )
    return list(found.values())
