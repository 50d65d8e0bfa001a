"""One notebook executed by two processes: a kernel in a sandbox runs the student's cells, a trusted process
the tests.

What the tests ask of her functions goes from one to the other as data (`bridge.py`). So nothing that her code
does to Python, NumPy or the notebook reaches the tests: it changes what she answers, and nothing else. A
kernel that dies, or a cell that does not end, costs that cell: the others are run again in a new kernel,
without it.
"""
import copy
from collections import deque
from dataclasses import dataclass

import nbformat

from ..sandbox import containment as sandbox
from ..sandbox.limits import Policy
from .cell_by_cell import Passage
from .student_kernel import Student
from .trusted_process import Judge

__all__ = ["Executed", "Kernels", "Policy", "execute"]


@dataclass(frozen=True)
class Executed:
    """A notebook with its outputs, and what happened on the way.

    problems: sentences (a kernel that died, a limit that was broken, output that was cut). hints: (name of a
    graded cell, what its failure says). timed_out: True where a limit of time ended something.
    """

    notebook: nbformat.NotebookNode
    problems: tuple = ()
    cpu_seconds: float = 0.0
    timed_out: bool = False
    hints: tuple = ()


def execute(notebook, policy=None, files=None, trusted=None):
    """Execute one notebook, which is left as it is; returns an Executed. See `Kernels.execute`."""
    with Kernels(policy, ahead=0) as kernels:
        return kernels.execute(notebook, files, trusted)


class Kernels:
    """Kernels for many notebooks, one after the other: a context manager that starts `ahead` of them in
    advance.

    Raises SandboxError where the policy's sandbox is not to be had here.
    """

    def __init__(self, policy=None, ahead=1):
        self.policy, self.ahead = policy or Policy(sandbox=sandbox.chosen()), ahead
        sandbox.require(self.policy.sandbox)
        self.waiting, self.judge = deque(), None

    def __enter__(self):
        self._fill()
        self.judge = Judge(self.policy)
        return self

    def __exit__(self, *error):
        while self.waiting:
            self.waiting.popleft().close()
        self.judge.close()

    def _fill(self):
        while len(self.waiting) < self.ahead:
            self.waiting.append(Student(self.policy))

    def take(self):
        """A kernel that nobody has used; another is started meanwhile."""
        student = self.waiting.popleft() if self.waiting else Student(self.policy)
        self._fill()
        if student.process.poll() is None:
            return student
        student.close()             # it ended while it waited
        return Student(self.policy)

    def execute(self, notebook, files=None, trusted=None):
        """Execute a notebook (an nbformat node; a copy is made) and return an Executed.

        files: {name: bytes} for the working folder. trusted: names of the cells that the trusted process runs
        alone; default: the graded cells with tests. Cells that are locked and not graded run in both; all
        others are hers.
        """
        with Passage(self, copy.deepcopy(notebook), files or {}, trusted) as passage:
            passage.all()
        return Executed(passage.notebook, tuple(passage.problems), round(passage.spent, 3), passage.late,
                        tuple(passage.hints))
