"""Banks of answers that test the checks, one module per unit with `BANK = {exercise: Bank(...)}`.

An answer is the source of a cell: the function asked for, with its helpers and imports where it needs any. A
new file `unitNN.py` here is found by itself: each of its answers meets its check (`trial.py`) and goes
through nbgrader (`round_trip.py`).
"""

import ast
import contextlib
import functools
import importlib
import io
import linecache
import re
from dataclasses import dataclass, replace
from pathlib import Path
from textwrap import dedent, indent

import numpy as np

from minibert.course.checks.edits import replaced
from minibert.grading.notebook import field, marked, read

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Bank:
    """Answers to one exercise, by name.

    right: name -> source. wrong: name -> (source, a piece of the hint it must trigger, or several of which
    one must come with | between), and as a third item, where it does not lose all points of the exercise (in
    a bug hunt, those of one bug or more), what it loses: "visible", "hidden" (the points given while working,
    or after handing in) or a number.
    builds_on_all: whether the check uses the answers to all other exercises, so that no right answer to this
    one keeps its points beside a wrong one to another.
    """

    right: dict
    wrong: dict
    builds_on_all: bool = False


def banks(module, builds_on_all=(), /, **tables):
    """Parse a table of answers for each exercise: the dict exercise -> Bank.

    module: the `__name__` of the module, which ends with the number of its unit. builds_on_all: the exercises
    whose check uses the answers to all others. The first right answer to an exercise is "the solution", from
    the unit's notebook; the table has the others. There, the name of a right answer is at the margin, and
    that of a wrong one with its hint, `name: hint`, or `name [loses]: hint` if it does not lose all points
    (see `Bank`). Below it, indented, is the whole source of the answer, or what differs from the solution:
    the body of the function, or edits `old => new` and `old =>> new` as in a table of known mistakes
    (`minibert/course/checks/edits.py`). They edit the solution without its docstrings and comments.

    Raises ValueError for a name without an answer, for a name used twice, and for an edit of a piece that is
    not there.
    """
    solved = solutions(module[-2:])
    return {name: banked(table, solved[name], name in builds_on_all) for name, table in tables.items()}


def solutions(number, root=ROOT):
    """Map each exercise of a unit to its solution, without docstrings and comments."""
    (path,) = root.glob(f"solutions/{number}_*/{number}_*.ipynb")
    notebook = read(path)
    return {name: bare(marked(notebook)[answer].source) for name, (answer, *_) in exercises(notebook).items()}


def bare(source):
    """The source of a cell without docstrings and comments, so that no edit matches text in them."""
    lines = source.split("\n")
    texts = [
        node.body[0]
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and ast.get_docstring(node) is not None
    ]
    for text in sorted(texts, key=lambda text: -text.lineno):
        del lines[text.lineno - 1 : text.end_lineno]
    return re.sub(r"\n *#.*|  +# .*", "", "\n".join(lines))


def exercises(notebook):
    """Map each function or class to be written to its answer cell and the test cells below, by name."""
    found = {}
    for name, cell in marked(notebook).items():
        if field(cell, "solution") and cell.cell_type == "code":
            asked = re.findall(r"^(?:def|class) (\w+)", cell.source, re.M)[-1]
            found[asked] = [name]
        elif field(cell, "grade") and cell.cell_type == "code":
            found[asked].append(name)
    return found


def banked(table, solution, builds_on_all=False):
    """The Bank of one table; see `banks`."""
    bank = Bank({"the solution": solution}, {}, builds_on_all)
    for entry in re.split(r"^(?=\S)", dedent(table).strip("\n"), flags=re.M)[1:]:
        head, _, below = entry.partition("\n")
        name, loses, hint = re.fullmatch(r"(.+?)(?: \[(visible|hidden|\d+)\])?(?:: (.*))?", head).groups()
        if not below.strip() or name in bank.right.keys() | bank.wrong.keys():
            raise ValueError(f"{name!r} has no answer, or is there twice")
        source = written(dedent(below).rstrip(), solution)
        if hint is None:
            bank.right[name] = source
        else:
            bank.wrong[name] = source, hint, *([int(loses) if loses.isdigit() else loses] if loses else [])
    return bank


def written(source, solution):
    """The whole source of an answer, of which `source` may be the body or edits of the solution."""
    lines = source.split("\n")
    if all(re.fullmatch(r".+ =>>?( .*)?", line) for line in lines):
        return replaced(solution, lines)
    asked = ast.parse(solution).body[-1]
    if re.search(rf"^(def|class) {asked.name}\b", source, re.M):
        return source
    begins = min(line.lineno for line in (asked, *asked.decorator_list)) - 1
    head = solution.split("\n")[begins : asked.body[0].lineno - 1]
    return "\n".join(head) + "\n" + indent(source, "    ")


def load(source, name, **names):
    """The function `name` that `source` defines, run in a namespace of its own with np and `names`."""
    place = {"np": np, "__name__": "answer", **names}
    exec(compile(dedent(source), "<answer>", "exec"), place)
    return place[name]


@contextlib.contextmanager
def quiet():
    """Context manager: nothing that runs inside prints, or warns about its numbers."""
    with contextlib.redirect_stdout(io.StringIO()), np.errstate(all="ignore"):
        yield


@functools.cache
def compiled(source):
    """The code of a cell: those above an answer run again for each answer. Its source can be looked up."""
    name = f"<cell {hash(source)}>"
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    return compile(source, name, "exec")


def run(source, names):
    """Run a cell quietly in the namespace `names`."""
    with quiet():
        exec(compiled(source), names)


def found(folder=Path(__file__).parent, root=ROOT):
    """Map each assignment to the module name of its bank, for files unitNN.py with a solution in `root`."""
    numbers = sorted(
        path.stem[4:] for path in folder.glob("unit*.py") if re.fullmatch(r"unit\d\d", path.stem)
    )
    return {
        source.parent.name: f"unit{number}"
        for number in numbers
        for source in sorted(root.glob(f"solutions/{number}_*/{number}_*.nb.py"))
    }


def bank_of(module):
    """The BANK of a module of this package."""
    return importlib.import_module(f"{__name__}.{module}").BANK


def a_few(banks, turn):
    """`banks` (exercise -> Bank) with one right answer and two wrong ones: others each turn, in time all."""

    def some(answers, count):
        names = list(answers)
        taken = (names[(turn * count + k) % len(names)] for k in range(count))
        return {name: answers[name] for name in taken}

    return {
        exercise: replace(bank, right=some(bank.right, 1), wrong=some(bank.wrong, 2))
        for exercise, bank in banks.items()
    }


def told(hint, said):
    """True if one of the pieces of a Bank's `hint`, separated by |, is in what was said."""
    said = " ".join(said.split()).lower()  # after the place of an error, a hint starts with a capital
    return any(" ".join(piece.split()).lower() in said for piece in hint.split("|"))
