"""Finds answers that are more alike than answers written independently, for a person to judge.

Small functions are alike by nature. So a piece that many classmates wrote counts little (its weight is the
number of bits of "one in so many"). An exercise's threshold is how alike answers are that surely are
independent: the bank's right ones among one another, and with the class; and log2 of the class's size more,
since each answer is compared with all others. A likeness that many classmates share is left out, but for
the solution's: whoever has all of that is named, however many they are.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from .fingerprints import LENGTH, Fingerprint, fingerprint

LEAST = 0.6  # share of the shorter answer's pieces that must be in the other one
QUANTILE = 0.99  # of the likeness between the bank's answers and the class's
SAME = 0.98  # so much in common: one and the same answer
COMMON, COMMON_SHARE = 4, 0.05  # so many classmates, or this share of them, may share a likeness
WITHOUT_BANK = 10.0  # the threshold in bits where no bank says better
KnownAnswers = Mapping[tuple[str, str], str]  # (kind, name) -> source


@dataclass(frozen=True)
class SimilarAnswers:
    """Two answers to one exercise that are conspicuously alike.

    kind: of the other answer, "classmate", "solution", "package" or "bank". share: of the shorter answer's
    pieces. bits: how rare what they share is; threshold: of the exercise. as_alike: classmates that are at
    least as alike to one of the two.
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
    """Who handed in the solution of an exercise. answers: how many there are. students: equal to it but for
    names, comments and layout. word_for_word: those of them that kept even these.
    """

    exercise: str
    answers: int
    students: tuple[str, ...]
    word_for_word: tuple[str, ...]


@dataclass(frozen=True)
class Likeness:
    """How alike two lists of answers are: bits and shares, each an array (first, second)."""

    bits: np.ndarray
    shares: np.ndarray


class Pieces:
    """Which pieces the answers of a class have, and what each piece is worth."""

    def __init__(self, answers: Sequence[Fingerprint], given: Fingerprint) -> None:
        self.given = given.kinds
        pieces = sorted({piece for answer in answers for piece in answer.kinds - self.given})
        self.places = {piece: place for place, piece in enumerate(pieces)}
        self.there = self.table(answers)  # (answers, pieces)
        self.weights = np.log2((len(answers) + 1) / np.maximum(self.there.sum(axis=0), 1)) / LENGTH
        self.sizes = np.array([len(answer.kinds - self.given) for answer in answers])

    def table(self, answers: Sequence[Fingerprint]) -> np.ndarray:
        """(answers, pieces): 1 where an answer has a piece that somebody in the class has."""
        made = np.zeros((len(answers), len(self.places)), np.float32)
        for row, answer in zip(made, answers):
            row[[self.places[piece] for piece in answer.kinds if piece in self.places]] = 1
        return made

    def likeness(self, answers: Sequence[Fingerprint]) -> Likeness:
        """How alike the class's answers (first axis) and others are."""
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
    """The conspicuous pairs of one exercise, most conspicuous first.

    answers: student -> source. known: other sources to compare with. right: answers that were written
    independently. given: what the exercise itself offers, which counts for nothing.
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
    """Who has the whole solution of an exercise in the answer. Arguments as of `compare`."""
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
    """The lines of a source, without blank ones, the margin and nbgrader's marks of a solution."""
    lines = map(str.strip, source.split("\n"))
    return [line for line in lines if line and not line.startswith("### ")]


def threshold(pieces: Pieces, right: Sequence[Fingerprint]) -> float:
    """The bits that independent answers to this exercise share at most, but for rare chances."""
    chance = float(np.log2(len(pieces.there)))
    if not right:
        return WITHOUT_BANK + chance
    table, found = pieces.table(right), pieces.likeness(right)
    pairs = ((table * pieces.weights) @ table.T)[np.triu_indices(len(right), 1)]
    apart = found.bits[found.shares < SAME]  # the same answer is common or copied, which says nothing here
    return float(max(np.quantile(apart, QUANTILE) if apart.size else 0.0, *pairs, 0.0)) + chance


def most(students: int) -> int:
    """How many classmates may share a likeness before it is common."""
    return max(COMMON, int(COMMON_SHARE * students))


def among(exercise: str, students: Sequence[str], likeness: Likeness, limit: float) -> list[SimilarAnswers]:
    """The conspicuous pairs of classmates."""
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
    """The conspicuous pairs of a student's answer and a known one; of each kind the likest."""
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
