"""Find similar answers in a class, and write a table and a page about them (`minibert similar`).

This needs the whole class and a person's judgement, so it is not part of grading. It reads the same files as
`minibert grade`, runs none of them, and changes no points.
"""

import csv
import io
from collections.abc import Mapping, Sequence
from pathlib import Path

from ..author.assignment_bundle import Bundle, make_bundle
from ..bounded import bounded
from ..intake.as_bytes import from_bytes
from ..intake.repair import repair
from ..intake.students import recognised
from ..intake.submissions import read_submissions
from ..notebook import marked
from ..report.gradebook import is_gradebook, open_course, open_gradebook, write
from .fingerprints import fingerprint
from .known_answers import bank, package_functions, solutions
from .similarity import Equals, SimilarAnswers, compare, equals
from .similarity_page import page

HEAD = ("exercise", "student", "other", "kind", "share", "bits", "threshold", "as_alike")
Answers = dict[str, dict[str, str]]  # name of an answer cell -> student -> source


def similar(
    root: str | Path, assignment: str, source: str | Path | None = None, out: str | Path | None = None
) -> tuple[list[SimilarAnswers], list[Equals]]:
    """Compare a class's answers, and write similarity.csv and similarity.html.

    Returns the conspicuous pairs and, for each exercise, the students who handed in the solution.

    `root` is the course's folder. `source` is a folder or zip, by default nbgrader's `submitted/`. `out` is
    the folder for the files, by default `grades/ASSIGNMENT`. Students have the same ids as in `grade_class`.
    Raises ValueError for an unknown assignment, for file names that do not distinguish the students, or for a
    source without submissions.
    """
    root, out = Path(root).resolve(), Path(out or Path(root, "grades", assignment))
    directory = open_course(root)
    bundle = make_bundle(root, assignment)
    place = source or directory.format_path(directory.submitted_directory, "", "")
    form = "" if source else "nbgrader"
    if is_gradebook(directory):
        with open_gradebook(directory) as gradebook:
            ids = {str(student.id) for student in gradebook.students}
            submissions = read_submissions(place, assignment, form, known_ids=ids).submissions
            submissions = recognised(submissions, gradebook)
    else:
        submissions = read_submissions(place, assignment, form).submissions
    answers: Answers = {cell.name: {} for cell in bundle.cells if cell.functions}
    for submission in submissions:
        try:
            found = bounded(answers_of_one, bundle, from_bytes(submission.load())[0])
        except ValueError:  # `minibert grade` reports files that cannot be read
            continue
        for name, written in found.items():
            answers[name][submission.student] = written
    matches, known = compare_all(root, bundle, answers)
    same = [
        equals(cell.name, answers[cell.name], known[cell.name]["solution", "the solution"], cell.released)
        for cell in bundle.cells
        if cell.functions
    ]
    write(out / "similarity.csv", table(matches, same).encode("utf-8-sig"))
    compared = len(set().union(*answers.values()))
    write(out / "similarity.html", page(assignment, compared, matches, answers, known, same).encode())
    return matches, same


def answers_of_one(bundle: Bundle, files: Mapping[str, bytes]) -> dict[str, str]:
    """Return {cell name: source} for a student's answers; `files` maps file names to contents."""
    tried = [repair(bundle, data) for data in files.values()]
    if not tried:
        return {}
    best = max(tried, key=lambda one: (not one.unreadable, len(one.answered)))
    cells = marked(best.notebook)
    names = set(best.answered) & {cell.name for cell in bundle.cells if cell.functions}
    for name in names:
        fingerprint(cells[name].source)  # which fails here if it needs too much time or memory
    return {name: cells[name].source for name in names}


def compare_all(root: Path, bundle: Bundle, answers: Answers) -> tuple[list[SimilarAnswers], dict[str, dict]]:
    """Compare the answers to all exercises and return (conspicuous pairs, known answers for each cell)."""
    solved, banks = solutions(root, bundle), bank(root, bundle)
    matches: list[SimilarAnswers] = []
    everything: dict[str, dict] = {}
    for cell in bundle.cells:
        if not cell.functions:
            continue
        kept = banks.get(cell.functions[-1])
        right = list(kept.right.values()) if kept else []
        known = {("solution", "the solution"): solved[cell.name], **package_functions()}
        if kept:
            known |= {("bank", f"right: {name}"): text for name, text in kept.right.items()}
            known |= {("bank", f"wrong: {name}"): text for name, (text, *_) in kept.wrong.items()}
        everything[cell.name] = known
        matches += compare(cell.name, answers[cell.name], known, right, cell.released)
    return sorted(matches, key=lambda match: match.threshold - match.bits), everything


def table(matches: Sequence[SimilarAnswers], same: Sequence[Equals]) -> str:
    """Format the similar pairs as CSV, with an extra line for each answer that equals the solution."""
    made = io.StringIO(newline="")
    lines = csv.writer(made, lineterminator="\r\n")
    lines.writerow(HEAD)
    lines.writerows(
        (
            match.exercise,
            match.student,
            match.other,
            match.kind,
            f"{match.share:.2f}",
            f"{match.bits:.1f}",
            f"{match.threshold:.1f}",
            match.as_alike,
        )
        for match in matches
    )
    lines.writerows(
        (one.exercise, student, "the solution", "equal", "", "", "", len(one.students) - 1)
        for one in same
        for student in one.students
    )
    return made.getvalue()
