"""Runs a notebook's cells in two processes, and starts again without the cell that ended a kernel."""
import ast
import contextlib
import shutil
import tempfile
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from nbformat import NotebookNode

from ..cell_messages import partial_points_message
from ..notebook import IDLE, OURS, field, grade_id
from ..sandbox.limits import Policy
from .kernel_outputs import stopped, stream
from .student_kernel import Stopped, Student, write_files
from .trusted_process import TrustedChild

if TYPE_CHECKING:
    from .execute_notebook import KernelPool

MOST_KERNELS = 6        # of one notebook
NOT_RUN = "Not run when graded: no points depend on it.\n"


class NotebookRun:
    """Context manager for one notebook; `run_all` runs its cells. Arguments as of `KernelPool.execute`."""

    def __init__(self, kernels: "KernelPool", notebook: NotebookNode, files: Mapping[str, bytes],
                 trusted: Iterable[str] | None) -> None:
        self.kernels, self.notebook, self.policy = kernels, notebook, kernels.policy
        self.cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
        tests = {grade_id(cell) for cell in self.cells if field(cell, "grade")
                 and not field(cell, "solution")}
        self.trusted = tests if trusted is None else set(trusted)
        self.last_test = max((number for number, cell in enumerate(self.cells)
                              if grade_id(cell) in self.trusted), default=0)
        self.files = files
        self.problems: list[str] = []
        self.hints: list[tuple[str, str]] = []
        self.seconds: list[tuple[str, float]] = []
        self.skipped: set[int] = set()              # cells that ended a kernel, or had to be interrupted
        self.timed_out, self.started, self.spent, self.began = False, 0, 0.0, time.monotonic()
        self.student: Student | None = None         # the present kernel, with the child that runs its tests
        self.child: TrustedChild | None = None

    def __enter__(self) -> "NotebookRun":
        self.folder = tempfile.mkdtemp(prefix="minibert-")
        write_files(self.files, self.folder)
        return self

    def __exit__(self, *error: object) -> None:
        self._close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _close(self):
        if self.student:
            self.spent += self.student.seconds() + self.child.seconds()
            self.student.close()
            self.child.close()
            self.student = None

    def run_all(self) -> None:
        """Run all cells but those that grading need not run; their outputs go into the notebook."""
        for cell in self.cells:
            cell.outputs, cell.execution_count = [], None
        for number, cell in enumerate(self.cells):
            if cell.metadata.get(OURS, {}).get(IDLE):
                cell.outputs = [stream({"name": "stdout", "text": NOT_RUN})]
            else:
                self._cell(number, cell)

    def _cell(self, number, cell):
        """Run one cell; if the kernel ends with it, say so in the cell and go on without it."""
        try:
            if self.student and self.student.watch.crowded():           # not this cell's fault
                limit = self.policy.processes // 2
                self._note(number - 1, f"it left more than {limit} processes and threads", timed_out=False)
                self._close()
            if self.student is None:
                self._start(number)
            self.student.watch.start_cell()
            cell.outputs = self._run(number, cell)
            cell.execution_count = number + 1
            if grade_id(cell) in self.trusted:
                watch = self.student.watch
                self.seconds.append((grade_id(cell), round(watch.tree.usage().seconds - watch.at_start, 2)))
        except Stopped as end:
            self._stopped(number, cell, end)
        if grade_id(cell) in self.trusted:
            self.hints += [(grade_id(cell), text) for text in [hint(cell)] if text]

    def _run(self, number, cell, again=False):
        """Outputs of a cell in the processes that it belongs to."""
        if grade_id(cell) in self.trusted:
            outputs = self.child.run(cell.source, self.student)
        else:
            outputs = self.student.run(cell.source)
            if is_setup(cell) and number < self.last_test:
                self.child.run(cell.source, self.student)
        if outputs.interrupted:
            self.skipped.add(number)
            self._note(number, outputs.interrupted, timed_out=True)
        if outputs.cut and not again:
            self._note(number, "its output was cut", timed_out=False)
        return outputs.list

    def _note(self, number, problem, timed_out):
        self.timed_out |= timed_out
        self.problems.append(f"cell {grade_id(self.cells[number]) or number + 1}: {problem}")

    def _start(self, until):
        """Take a new kernel and a new child of the trusted process; run the cells before `until` again.

        Cells that ended a kernel before are left out.
        """
        if self.started >= MOST_KERNELS:
            raise Stopped(f"the kernel ended {self.started} times before")
        self.started += 1
        student = self.kernels.take()
        try:
            student.begin(self.files, remaining(self.policy, self.spent, time.monotonic() - self.began))
            self.child = self.kernels.trusted_process.child(student, self.folder,
                                                            setup_modules(self.cells[:self.last_test]))
        except BaseException:
            student.close()
            raise
        self.student = student
        for number, cell in enumerate(self.cells[:until]):
            if grade_id(cell) not in self.trusted and number not in self.skipped:
                student.watch.start_cell()
                try:
                    self._run(number, cell, again=True)
                except Stopped as end:
                    self.skipped.add(number)
                    self._close()
                    self._note(number, f"run again, {end}", end.timed_out)
                    return self._start(until)

    def _stopped(self, number, cell, end):
        self.skipped.add(number)
        self._close()
        self._note(number, str(end), end.timed_out)
        cell.outputs.append(stopped("OutOfTime" if end.timed_out else "KernelEnded", str(end)))


def hint(cell: NotebookNode) -> str:
    """Why an executed test gives less than all points: its error, or what it shows beside a part of them."""
    for output in cell.outputs:
        if output.output_type == "error":
            return output.evalue or "\n".join(output.traceback).removesuffix(": ")
    return partial_points_message(cell)


def is_setup(cell: NotebookNode) -> bool:
    """True for a locked, ungraded instructor cell; tests may use the names it defines."""
    return bool(field(cell, "locked")) and not field(cell, "grade") and not field(cell, "solution")


def remaining(policy: Policy, spent: float, passed: float) -> Policy:
    """The policy of a further kernel of the same notebook: what is left of the times."""
    return replace(policy, cpu_seconds=max(1, int(policy.cpu_seconds - spent)),
                   wall_seconds=max(1, int(policy.wall_seconds - passed)))


def setup_modules(cells: Sequence[NotebookNode]) -> list[str]:
    """The modules that the set-up cells import, to be loaded before the trusted process forks."""
    found = []
    for cell in filter(is_setup, cells):
        with contextlib.suppress(SyntaxError):
            for node in ast.parse(cell.source).body:
                if isinstance(node, ast.Import):
                    found += [name.name for name in node.names]
                elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                    found += [node.module, *(f"{node.module}.{name.name}" for name in node.names)]
    return found
