"""Send every answer of a bank through nbgrader: release, fill in, autograde, collect what it lost.

A submission holds answer k of every exercise, and where a bank has no more answers a right one fills up.
KernelPool cost more than checks, so the cells of each exercise stand `width` times in the notebook that is
graded: a dozen submissions carry a unit. Text is left out, as are cells that grade nothing and give nothing.
"""

import copy
import itertools
import re
from dataclasses import dataclass
from textwrap import dedent

from minibert.grading.author.temporary_course import course
from minibert.grading.notebook import fill, grade_id, marked, read, text

from . import ROOT, exercises, told

WIDTH = 3


@dataclass(frozen=True)
class Answer:
    """One answer of a bank; hint and loses are None for a right one."""

    exercise: str
    name: str
    source: str
    hint: str | None = None
    loses: str | float | None = None


@dataclass(frozen=True)
class Verdict:
    """The result of an answer in nbgrader: the points it lost, by cell, and all that its checks said."""

    answer: Answer
    lost: dict
    possible: dict
    said: str


def answers(exercise, bank):
    """All answers of a bank, the right ones first; those with PyTorch lead, so that few kernels import it."""
    right = [Answer(exercise, name, source) for name, source in bank.right.items()]
    wrong = [
        Answer(exercise, name, source, hint, loses[0] if loses else "all")
        for name, (source, hint, *loses) in bank.wrong.items()
    ]
    return sorted(right + wrong, key=lambda answer: "torch" not in answer.source)


def widened(solution, width):
    """The solution with the marked code cells of each exercise `width` times, named name, name--2, ..."""
    wide = copy.deepcopy(solution)
    blocks = {names[0]: names for names in exercises(solution).values()}
    tests = {name for names in blocks.values() for name in names[1:]}
    cells = {
        name: cell
        for name, cell in marked(solution).items()
        if cell.cell_type == "code" and name not in tests
    }
    wide.cells = [
        copied(marked(solution)[name], number)
        for cell in cells
        for number in range(1, width + 1 if cell in blocks else 2)
        for name in blocks.get(cell, [cell])
    ]
    return wide


def copied(cell, number):
    """A copy of a cell, with the number in its names."""
    cell = copy.deepcopy(cell)
    cell["id"] = f"{cell['id']}{number}"
    cell.metadata["nbgrader"]["grade_id"] = numbered(grade_id(cell), number)
    return cell


def numbered(name, number):
    return name if number == 1 else f"{name}--{number}"


def sheets(banks, width, helped=()):
    """The submissions, dicts of exercise -> `width` answers; some answers get right ones only beside them.

    helped: exercises whose tests call a helper, which finds the last answer only: there, all are the same.
    """
    rows = {exercise: answers(exercise, bank) for exercise, bank in banks.items()}
    rows |= {exercise: [answer for answer in rows[exercise] for _ in range(width)] for exercise in helped}
    apart = [
        stacked({other: row if other == exercise else fillers(row) for other, row in rows.items()}, width)
        for exercise, bank in banks.items()
        if bank.builds_on_all
    ]
    together = {exercise: row for exercise, row in rows.items() if not banks[exercise].builds_on_all}
    return stacked(together, width) + list(itertools.chain(*apart))


def stacked(rows, width):
    """Deal out the answers of each exercise by `width`; a right answer fills the last sheet."""
    count = -(-max(map(len, rows.values())) // width)
    filled = {
        exercise: row + list(itertools.islice(itertools.cycle(fillers(row)), count * width - len(row)))
        for exercise, row in rows.items()
    }
    return [
        {exercise: row[k * width : (k + 1) * width] for exercise, row in filled.items()} for k in range(count)
    ]


def fillers(row):
    """The right answer that fills sheets: without PyTorch, if possible."""
    right = [answer for answer in row if answer.hint is None]
    return [answer for answer in right if "torch" not in answer.source][:1] or right[:1]


def graded(assignment, banks, root=ROOT, width=WIDTH):
    """The Verdict on each answer of `banks` (exercise -> Bank); ValueError if notebook and banks differ."""
    solution = read(root / "solutions" / assignment / f"{assignment}.ipynb")
    cells = exercises(solution)
    if set(cells) != set(banks):
        raise ValueError(f"{assignment} asks for {sorted(cells)}, its bank is about {sorted(banks)}")
    helped = [
        exercise
        for exercise, (_, test, *_) in cells.items()
        if not re.search(rf"\(\s*{exercise}\b", marked(solution)[test].source)
    ]
    submissions = {f"s{k:02}": sheet for k, sheet in enumerate(sheets(banks, width, helped))}
    with course(root, [assignment]) as temporary:
        name, folder = f"{assignment}.ipynb", temporary.folder / "solutions" / assignment
        (folder / name).write_text(text(widened(solution, width)), "utf-8")
        (folder / f"{assignment}.nb.py").unlink()  # the notebook is no longer made from it
        exercise = read(temporary.generate(assignment) / name)
        for student, sheet in submissions.items():
            folder = temporary.folder / "submitted" / student / assignment
            folder.mkdir(parents=True)
            (folder / name).write_text(text(fill(exercise, filled_in(sheet, cells))), "utf-8")
        temporary.autograde(assignment, "*")
        verdicts = [
            verdict
            for student, sheet in submissions.items()
            for verdict in looked_up(
                sheet,
                cells,
                read(temporary.folder / "autograded" / student / assignment / name),
                scores(temporary, assignment, student),
            )
        ]
    worst = {}  # an answer that fills up is graded often: what it lost at worst counts
    for verdict in sorted(verdicts, key=lambda verdict: -sum(verdict.lost.values())):
        worst.setdefault((verdict.answer.exercise, verdict.answer.name, verdict.answer.hint), verdict)
    return list(worst.values())


def filled_in(sheet, cells):
    """Answer cell -> source, for `fill`."""
    return {
        numbered(cells[exercise][0], i): dedent(answer.source).strip()
        for exercise, row in sheet.items()
        for i, answer in enumerate(row, 1)
    }


def looked_up(sheet, cells, notebook, points):
    """The Verdict on each answer of a graded sheet. points: cell -> (points, possible points)."""
    graded_cells, verdicts = marked(notebook), []
    for exercise, row in sheet.items():
        for i, answer in enumerate(row, 1):
            names = {cell: numbered(cell, i) for cell in cells[exercise][1:]}
            verdicts.append(
                Verdict(
                    answer,
                    {cell: points[name][1] - points[name][0] for cell, name in names.items()},
                    {cell: points[name][1] for cell, name in names.items()},
                    " ".join(said(graded_cells[name]) for name in names.values()),
                )
            )
    return verdicts


def scores(temporary, assignment, student):
    """Cell -> (points, possible points) of one submission, from nbgrader's gradebook."""
    with temporary.gradebook() as gradebook:
        (notebook,) = gradebook.find_submission(assignment, student).notebooks
        return {grade.name: (grade.auto_score, grade.max_score) for grade in notebook.grades}


def said(cell):
    """All that a cell printed, showed or raised, as one line of text."""
    words = []
    for output in cell.outputs:
        words += [
            output.get("text", ""),
            output.get("evalue", ""),
            output.get("data", {}).get("text/plain", ""),
        ]
    return " ".join(" ".join(words).split())


def due(answer, possible):
    """(least, most) points that a wrong answer must lose.

    It keeps at most half of a visible cell; in a bug hunt, it loses at least one bug.
    """
    if not isinstance(answer.loses, str):
        return answer.loses, answer.loses
    cells = {
        name: points
        for name, points in possible.items()
        if answer.loses == "all" or ("hidden" in name) == (answer.loses == "hidden")
    }
    most = sum(cells.values())
    if not any(
        name.endswith(("visible", "hidden")) for name in cells
    ):  # a bug hunt, in which each bug has a cell
        return min(cells.values()), most
    return most - sum(points / 2 for name, points in cells.items() if name.endswith("visible")), most


def problem(verdict):
    """Say what is wrong with a verdict; an empty string if the answer got what the bank says."""
    answer, lost = verdict.answer, sum(verdict.lost.values())
    if answer.hint is None:
        return (
            f"a right answer loses {lost:g} of {sum(verdict.possible.values()):g} points: {verdict.said}"
            if lost
            else ""
        )
    least, most = due(answer, verdict.possible)
    if not least <= lost <= most:
        return (
            f"this wrong answer loses {lost:g} of {sum(verdict.possible.values()):g} points, not "
            f"{least:g}{f' to {most:g}' if most > least else ''}: {verdict.said}"
        )
    return (
        "" if told(answer.hint, verdict.said) else f"caught without its hint, {answer.hint!r}: {verdict.said}"
    )


def problems(assignment, verdicts):
    """One line for each answer that did not get what its bank says."""
    return [
        f"{assignment}, {verdict.answer.exercise}, answer {verdict.answer.name!r}: {problem(verdict)}"
        for verdict in verdicts
        if problem(verdict)
    ]
