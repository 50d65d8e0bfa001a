"""Execute a notebook's cells in two processes, with a time limit and points for each exercise.

A test that kills the kernel or exceeds a limit runs once more in a new kernel, without the answers to other
exercises, which may be the cause; the course's own versions replace any of their functions that it needs. If
it fails again, its own answer is at fault, and the other exercises continue without that answer. If not,
another answer is at fault, and from then on each exercise runs in its own kernels. Hidden tests run last, so
that no output can reveal their inputs. A failed test runs again without anything that may have interfered;
the better result counts.
"""

import contextlib
import shutil
import tempfile
from collections.abc import Iterable, Mapping

from nbformat import NotebookNode

from ..intake.stubs import holds_code_stub
from ..notebook import IDLE, OURS, field, grade_id
from ..sandbox.limits import RERUNS, exercise_times
from ..sandbox.package_pieces import pieces
from .kernel_outputs import MOST_MESSAGES, OutputBudget, Outputs, stopped, stream
from .kernel_pool import KernelPool
from .missing_functions import explain_missing
from .parts import CELL, ExerciseRun, parts, run_last, used
from .points import failed, hint, points_of
from .setup_cells import is_setup, setup_modules
from .student_kernel import Stopped, Student, write_files
from .trusted_process import TrustedChild

MOST_OWN_STOPS = 5  # ungraded student cells that end a kernel or break a limit; further ones are not run
KERNELS = 6  # kernels that may be started per exercise
MOST_PROBLEMS = 20  # problems that are listed
NOTEBOOK = 6  # output limit of a notebook, as a multiple of a cell's limit
NOT_RUN = "Not run during grading, because no points depend on this cell.\n"


class NotebookRun:
    """A context manager in which `run_all` runs one notebook. The arguments are those of `execute_in`."""

    def __init__(
        self,
        kernels: KernelPool,
        notebook: NotebookNode,
        files: Mapping[str, bytes],
        trusted: Iterable[str] | None,
    ) -> None:
        self.kernels, self.notebook, self.policy = kernels, notebook, kernels.policy
        self.cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
        tests = {
            grade_id(cell) for cell in self.cells if field(cell, "grade") and not field(cell, "solution")
        }
        self.trusted = tests if trusted is None else set(trusted)
        self.last_test = max(
            (number for number, cell in enumerate(self.cells) if grade_id(cell) in self.trusted), default=0
        )
        self.room = OutputBudget(NOTEBOOK * self.policy.output_bytes, NOTEBOOK * MOST_MESSAGES)
        self.parts = parts(self.cells, self.trusted, self.policy)
        self.part_of = {number: part for part in self.parts for number in part.cells}
        self.last = run_last(self.cells, self.trusted)
        needed = max(
            (
                number
                for number, cell in enumerate(self.cells)
                if grade_id(cell) in self.trusted or field(cell, "solution")
            ),
            default=len(self.cells),
        )
        self.idle = {
            number
            for number, cell in enumerate(self.cells)  # cells on which no points depend
            if number > needed and (cell.metadata.get(OURS, {}).get(IDLE) or is_setup(cell))
        }
        self.files = files
        self.found: list[str] = []  # problems
        self.hints: list[tuple[str, str]] = []  # (name of a test, why it does not give full points)
        self.skipped: dict[int, int] = {}  # cell -> how often it ended a kernel or was interrupted
        self.own_stops = self.started = 0
        self.timed_out, self.spent = False, 0.0
        self.reruns = exercise_times(self.policy).part(RERUNS)  # time left for reruns
        self.seconds: list[tuple[str, float]] = []  # (name of a test, its time)
        self.student: Student | None = None  # the current kernel; `child` runs its tests
        self.child: TrustedChild | None = None
        self.whose: ExerciseRun | None = None  # the exercise that has this kernel to itself, if any

    def __enter__(self) -> "NotebookRun":
        self.folder = tempfile.mkdtemp(prefix="minibert-")
        write_files(self.files, self.folder)
        return self

    def __exit__(self, *error: object) -> None:
        self._close()
        shutil.rmtree(self.folder, ignore_errors=True)

    @property
    def problems(self) -> list[str]:
        """Return a sentence for each problem that occurred, up to MOST_PROBLEMS."""
        more = len(self.found) - MOST_PROBLEMS
        return self.found[:MOST_PROBLEMS] + ([f"{more} more problems like these"] if more > 0 else [])

    def _close(self):
        if self.student:
            self.spent += self.student.seconds() + self.child.seconds()
            self.student.close()
            self.child.close()
            self.student = self.whose = None

    def run_all(self) -> None:
        """Run all cells that grading needs and put their outputs into the notebook."""
        for cell in self.cells:
            cell.outputs, cell.execution_count = [], None
        for number, cell in enumerate(self.cells):
            if number in self.idle:
                cell.outputs = [stream({"name": "stdout", "text": NOT_RUN})]
            elif number in self.last:
                self._bind(number)
            else:
                self._cell(number, number)
        for number in self.last:
            self._cell(number, len(self.cells))
        for part in self.parts:
            self._again_undisturbed(part)
            explain_missing(self.cells, part)
        tests = [self.cells[number] for part in self.parts for number in part.tests]
        self.hints = [(grade_id(cell) or "", text) for cell in tests for text in [hint(cell)] if text]

    def _again_undisturbed(self, part):
        """Run an exercise's failed tests again without the other answers; the better run counts.

        Another answer may have changed a library, or a later cell may have replaced a helper. A test that
        also uses other answers runs in its usual place, with them but without the cells below.
        """
        not_written_message = all(holds_code_stub(self.cells[number].source) for number in part.answers)
        if part.alone or not_written_message or len(self.parts) == 1:
            return
        others = set().union(*(one.names for one in self.parts if one is not part))
        for number in part.tests:
            cell = self.cells[number]
            if hint(cell) and not part.closed:
                part.alone = not others & used(self.cells, [number])
                if not part.alone:
                    self._close()
                with contextlib.suppress(Stopped):
                    until = len(self.cells) if part.alone else number
                    again = NotebookNode(cell, outputs=self._last_try(number, until, part))
                    if (points_of(again)[0] or 0) > (points_of(cell)[0] or 0):
                        cell.outputs = again.outputs

    def _cell(self, number, until):
        """Run one cell; if it kills the kernel, record this in its output and continue.

        until: if the cell needs a new kernel, all cells before this number run in it first.
        """
        cell, part = self.cells[number], self.part_of[number]
        closed = part.closed if number in part.tests else self._closed(number)
        if closed:
            cell.outputs = [stopped("NotRun", closed)]
        else:
            try:
                cell.outputs = self._tried(number, until, part)
                cell.execution_count = number + 1
            except Stopped as end:
                cell.outputs = [stopped("OutOfTime" if end.timed_out else "KernelEnded", str(end))]

    def _closed(self, number):
        """Return the reason why a student's cell is not run, or an empty string if it is run."""
        many = self.own_stops >= MOST_OWN_STOPS and not grade_id(self.cells[number])
        return f"{self.own_stops} earlier cells outside the exercises had to be stopped" if many else ""

    def _tried(self, number, until, part):
        """Run a cell and return its outputs; a test that is stopped runs again without the other answers."""
        others = any(one.answers and one.cells[0] < until for one in self.parts if one is not part)
        if number in part.tests and not part.alone and others:
            try:
                return self._run(number, until, part)
            except Stopped as end:
                first = end
                self._close()
                part.alone = True
            outputs = self._last_try(number, until, part)
            if hint(NotebookNode(self.cells[number], outputs=outputs)):
                self._note(number, f"without the other answers it finished, which counts; with them, {first}")
            for one in self.parts:
                one.alone = True
            return outputs
        return self._last_try(number, until, part)

    def _last_try(self, number, until, part):
        """Run a cell and return its outputs; if it has to be stopped, blame it and raise Stopped."""
        try:
            return self._run(number, until, part)
        except Stopped as end:
            self._close()
            self._blame(number, str(end), part, end.timed_out)
            raise

    def _blame(self, number, reason, part, timed_out=False):
        """Record that a cell killed the kernel or broke a limit, so that other exercises run without it."""
        if number not in self.skipped:
            self._note(number, reason)
        self.timed_out |= timed_out
        if number in part.tests:
            part.ends, part.alone = part.ends + 1, True
            part.out_of_time |= timed_out
        else:
            self.skipped[number] = self.skipped.get(number, 0) + 1
            part.alone |= number in part.answers and not timed_out
            self.own_stops += not grade_id(self.cells[number])

    def _note(self, number, problem):
        self.found.append(f"cell {grade_id(self.cells[number]) or number + 1}: {problem}")

    def _run(self, number, until, part):
        """Run a cell in its kernel, within its exercise's remaining time, and return the outputs."""
        self._ready(until, part)
        outputs = Outputs(OutputBudget(self.policy.output_bytes, MOST_MESSAGES), part.room, self.room)
        self.student.watch.start_cell(part.allowed(number))
        try:
            if number in part.tests:
                outputs.list = self.child.run(self.cells[number].source, self.student, number)
            else:
                self._student_cell(number, outputs)
        finally:
            used = self.student.watch.used()
            part.left = part.left.without(used)
            if number in part.tests:
                self.seconds.append((grade_id(self.cells[number]), round(used.computed, 2)))
        if outputs.interrupted:
            self._blame(number, outputs.interrupted, part, timed_out=True)
        if outputs.cut:
            self._note(number, "its output was cut")
        if self.student.watch.crowded():
            limit = self.policy.processes // 2
            self._blame(number, f"it left more than {limit} processes and threads running", part)
            self._close()
        return outputs.list

    def _student_cell(self, number, outputs):
        """Run a cell in the student's kernel; a set-up cell also runs where the tests run."""
        source = self.cells[number].source
        self.student.run(source, outputs)
        if is_setup(self.cells[number]) and number < self.last_test:
            ours = self.child.run(source, self.student)
            if not failed(outputs.list) and not failed(ours):
                outputs.list = ours  # includes the output of the checks, which run only there

    def _bind(self, number):
        """Save the current values of the names that a hidden test uses, because the test runs later."""
        part = self.part_of[number]
        with contextlib.suppress(Stopped):  # then `_start` saves them in the next kernel
            self._ready(number, part)
            self.child.bind(number, self.cells[number].source, self.student)

    def _ready(self, until, part):
        """Ensure that a live kernel has all answers, or only those of `part` if the exercise runs alone."""
        whose = part if part.alone else None
        if self.student and (self.whose is not whose or self.student.process.poll() is not None):
            self._close()
        if self.student is None:
            self._start(until, whose)

    def _start(self, until, whose):
        """Start a new kernel and a new process for the tests, and rerun the cells before number `until`."""
        times = self.reruns
        if not (times.computed and times.idle and times.clock) or self.started > KERNELS * len(self.parts):
            raise Stopped("the kernel has ended too many times")
        self.started += 1
        student = self.kernels.take()
        try:
            student.begin(
                self.files,
                pieces(
                    tuple(
                        cell.source
                        for number, cell in enumerate(self.cells)
                        if is_setup(cell) and number not in self.idle
                    )
                ),
            )
            self.child = self.kernels.trusted_process.child(
                student, self.folder, setup_modules(self.cells[: self.last_test])
            )
        except BaseException:
            student.close()
            raise
        student.watch.trees.append(self.child.tree)
        self.student, self.whose = student, whose
        for number in range(min(until, whose.cells[-1] + 1) if whose else until):
            part = self.part_of[number]
            try:
                self._again(number, part)
            except Stopped as end:
                self._close()
                self._blame(number, f"when run again, {end}", part, end.timed_out)
                return self._start(until, whose)

    def _again(self, number, part):
        """Rerun a cell in a new kernel if it belongs there, and delete the names of a failed exercise."""
        source, student = self.cells[number].source, self.student
        outputs = Outputs(OutputBudget(0, 0))
        student.watch.start_cell(exercise_times(self.policy).part(CELL).at_most(self.reruns))
        try:
            if number in self.last:
                if self.whose is (part if part.alone else None):
                    self.child.bind(number, source, student)
            elif self._runs_again(number, part):
                self._student_cell(number, outputs)
            elif is_setup(self.cells[number]) and number < self.last_test and self.skipped[number] < 2:
                self.child.run(source, student)  # needed, whatever it did to the student's kernel
            if part.failed and part is not self.whose and number in part.answers:
                student.run(f"[globals().pop(name, None) for name in {sorted(part.names)}];", outputs)
        finally:
            self.reruns = self.reruns.without(student.watch.used())
        if outputs.interrupted:
            self._blame(number, f"when run again, {outputs.interrupted}", part, timed_out=True)

    def _runs_again(self, number, part):
        """Return whether to rerun a cell in the current kernel.

        Cells that killed a kernel are not rerun, nor are other exercises' answers in a kernel for one
        exercise.
        """
        if number in part.tests or self._closed(number) or number in self.idle:
            return False
        if number in part.answers and self.whose:  # another answer may have caused the first failure
            return part is self.whose and self.skipped.get(number, 0) < 2
        return number not in self.skipped
