"""One notebook on its way through two processes, cell by cell; begun again without the cell that ended a
kernel.
"""
import ast
import contextlib
import shutil
import tempfile
import time
from dataclasses import replace

from ..author.fresh_kernel import said_of_part
from ..notebook import IDLE, OURS, field, grade_id
from .outputs import stopped, stream
from .student_kernel import Stopped, lay_out

MOST_KERNELS = 6        # of one notebook
NOT_RUN = "Not run when graded: no points depend on it.\n"


class Passage:
    """One notebook on its way through two processes."""

    def __init__(self, kernels, notebook, files, trusted):
        self.kernels, self.notebook, self.policy = kernels, notebook, kernels.policy
        self.cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
        tests = {grade_id(cell) for cell in self.cells if field(cell, "grade")
                 and not field(cell, "solution")}
        self.trusted = tests if trusted is None else set(trusted)
        self.last_test = max((number for number, cell in enumerate(self.cells)
                              if grade_id(cell) in self.trusted), default=0)
        self.files, self.problems, self.hints, self.skipped = files, [], [], set()
        self.late, self.started, self.spent, self.began = False, 0, 0.0, time.monotonic()

    def __enter__(self):
        self.folder = tempfile.mkdtemp(prefix="minibert-")
        lay_out(self.files, self.folder)
        self.student = None
        return self

    def __exit__(self, *error):
        self._close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _close(self):
        if self.student:
            self.spent += self.student.seconds() + self.child.seconds()
            self.student.close()
            self.child.close()
            self.student = None

    def all(self):
        for cell in self.cells:
            cell.outputs, cell.execution_count = [], None
        for number, cell in enumerate(self.cells):
            if cell.metadata.get(OURS, {}).get(IDLE):
                cell.outputs = [stream({"name": "stdout", "text": NOT_RUN})]
            else:
                self._cell(number, cell)

    def _cell(self, number, cell):
        """Run one cell; where the kernel ends with it, say so in the cell and go on without."""
        try:
            if self.student and self.student.watch.crowded():           # not this cell's fault
                self._note(number - 1, f"it left more than {self.policy.processes // 2} processes and "
                                       f"threads", late=False)
                self._close()
            if self.student is None:
                self._start(number)
            self.student.watch.start_cell()
            cell.outputs = self._run(number, cell)
            cell.execution_count = number + 1
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
            if setup(cell) and number < self.last_test:
                self.child.run(cell.source, self.student)
        if outputs.interrupted:
            self.skipped.add(number)
            self._note(number, outputs.interrupted, late=True)
        if outputs.cut and not again:
            self._note(number, "its output was cut", late=False)
        return outputs.list

    def _note(self, number, problem, late):
        self.late |= late
        self.problems.append(f"cell {grade_id(self.cells[number]) or number + 1}: {problem}")

    def _start(self, until):
        """A new kernel and a new child of the trusted process; the cells before `until` are run again, but
        for bad ones.
        """
        if self.started >= MOST_KERNELS:
            raise Stopped(f"the kernel ended {self.started} times before")
        self.started += 1
        student = self.kernels.take()
        try:
            student.begin(self.files, left(self.policy, self.spent, time.monotonic() - self.began))
            self.child = self.kernels.judge.child(student, self.folder, modules(self.cells[:self.last_test]))
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
                    self._note(number, f"run again, {end}", end.late)
                    return self._start(until)

    def _stopped(self, number, cell, end):
        self.skipped.add(number)
        self._close()
        self._note(number, str(end), end.late)
        cell.outputs.append(stopped("OutOfTime" if end.late else "KernelEnded", str(end)))


def hint(cell):
    """What an executed test says of why points are lost: its error, or what it shows beside a part of the
    points.
    """
    for output in cell.outputs:
        if output.output_type == "error":
            return output.evalue or "\n".join(output.traceback).removesuffix(": ")
    return said_of_part(cell)


def setup(cell):
    """True for a cell of the instructor's that is no test: what it defines, tests use too."""
    return bool(field(cell, "locked")) and not field(cell, "grade") and not field(cell, "solution")


def left(policy, spent, passed):
    """What a further kernel of the same notebook may still use."""
    return replace(policy, cpu_seconds=max(1, int(policy.cpu_seconds - spent)),
                   wall_seconds=max(1, int(policy.wall_seconds - passed)))


def modules(cells):
    """The modules that the instructor's set-up cells import, to be loaded before the trusted process
    forks.
    """
    found = []
    for cell in filter(setup, cells):
        with contextlib.suppress(SyntaxError):
            for node in ast.parse(cell.source).body:
                if isinstance(node, ast.Import):
                    found += [name.name for name in node.names]
                elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                    found += [node.module, *(f"{node.module}.{name.name}" for name in node.names)]
    return found
