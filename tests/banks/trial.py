"""Try one answer of a bank on its check, for any seed; `round_trip.py` sends submissions through nbgrader.

The notebook says how: an answer finds the names of the cells above its own, with right answers to the earlier
exercises, and the check is handed what the tests cell hands it.
"""

import ast
import contextlib
import functools
import importlib
import io
from textwrap import dedent

import numpy as np

from minibert.course.checks.exercise import CheckFailed, Exercise
from minibert.grading.notebook import field, marked, read

from . import ROOT, bank_of, exercises, found, run

NOT_WRITTEN = "raise NotImplementedError()"


class Unit:
    """The assignment whose bank is `module`, such as "unit02".

    bank: exercise -> Bank. checks: exercise -> its Exercise, of those with a check of their own.
    """

    def __init__(self, module):
        (assignment,) = (assignment for assignment, name in found().items() if name == module)
        self.module, self.bank = module, bank_of(module)
        solution = read(ROOT / "solutions" / assignment / f"{assignment}.ipynb")
        self.cells, self.asked = marked(solution), exercises(solution)
        self.released = marked(read(ROOT / "exercises" / assignment / f"{assignment}.ipynb"))
        made = vars(importlib.import_module(f"minibert.course.{module}"))
        self.checks = {name: made[name] for name in self.bank if isinstance(made.get(name), Exercise)}

    def handed(self, name):
        """The name of what the notebook passes to the check: the exercise, or a function around it."""
        tests = ast.walk(ast.parse(self.cells[self.asked[name][1]].source))
        return next(
            call.args[0].id
            for call in tests
            if isinstance(call, ast.Call) and call.args and isinstance(call.args[0], ast.Name)
        )

    def above(self, name):
        """The sources of the cells above the answer to exercise `name`: those given, and earlier answers.

        A cell of calls alone, such as `check.gpt_layer.examine(...)`, is left out: an answer finds nothing
        there.
        """
        for cell, content in self.cells.items():
            if cell == self.asked[name][0]:
                return
            given = content.cell_type == "code" and not field(content, "grade")
            if given and names_something(content.source):
                yield content.source

    def answer(self, name, source=None, **names):
        """The answer that the check gets from `source` (default: our solution), with `names` above it."""
        place = {"np": np, "__name__": "answer"}
        for cell in self.above(name):
            run(cell, place)
        place.update(names)
        run(self.cells[self.asked[name][0]].source if source is None else dedent(source), place)
        return place[self.handed(name)]

    def wrong(self, name, answer, **names):
        """The answer that the check gets with this wrong answer of the bank."""
        return self.answer(name, self.bank[name].wrong[answer][0], **names)

    def stub(self, name, body=NOT_WRITTEN):
        """The answer cell as a student gets it, with `body` in place of `raise NotImplementedError()`."""
        source = self.released[self.asked[name][0]].source
        if source.count(NOT_WRITTEN) != 1:
            raise ValueError(
                f"{self.module}, {name}: the released cell has {source.count(NOT_WRITTEN)} stubs, not 1"
            )
        return source.replace(NOT_WRITTEN, body)

    def returning(self, name, expression, **names):
        """The answer that the check gets if it returns `expression`, with `names` above it."""
        return self.answer(name, self.stub(name, f"return {expression}"), **names)

    def message(self, name, answer, hidden=False, **options):
        """What the student reads when the check fails: the message, or the hint above their own exception.

        Raises AssertionError where the check passes, or where a hidden check lets an exception of hers
        through.
        """
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            try:
                self.checks[name](answer, hidden=hidden, **options)
            except CheckFailed as failure:
                said = str(failure)
            except Exception as error:
                assert not hidden, f"{type(error).__name__} comes through: {error}"
                said = str(error)
            else:
                raise AssertionError(f"{name}: passed")
        return printed.getvalue() + said


@functools.cache
def names_something(source):
    """Whether a cell does more than evaluate expressions."""
    return any(not isinstance(line, ast.Expr) for line in ast.parse(source).body)


unit = functools.cache(Unit)
