"""Execute one notebook: a sandboxed kernel runs the student's cells, a trusted process the tests.

When a test calls a student's function, only data passes between the processes (`wire/protocol.py`). So the
student's code can affect the tests only through the values that its functions return. If a kernel dies or a
cell does not finish, only that cell or exercise loses points (`cell_by_cell.py`).
"""

import copy
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from nbformat import NotebookNode

from ..sandbox.limits import Policy
from .cell_by_cell import NotebookRun
from .kernel_pool import KernelPool
from .student_kernel import write_files


@dataclass(frozen=True)
class Executed:
    """A notebook with its outputs, and a record of its run.

    problems: sentences about problems such as a kernel that died or output that was cut. hints: (name of a
    graded cell, message of its failure). timed_out: whether a time limit was reached. seconds: (name of a
    graded cell, CPU time of the student's code in it).
    """

    notebook: NotebookNode
    problems: tuple[str, ...] = ()
    cpu_seconds: float = 0.0
    timed_out: bool = False
    hints: tuple[tuple[str, str], ...] = ()
    seconds: tuple[tuple[str, float], ...] = ()


def execute(
    notebook: NotebookNode,
    policy: Policy | None = None,
    files: Mapping[str, bytes] | None = None,
    trusted: Iterable[str] | None = None,
) -> Executed:
    """Execute a copy of one notebook in new kernels, and return it with its outputs; see `execute_in`."""
    with KernelPool(policy, ahead=0) as kernels:
        return execute_in(kernels, notebook, files, trusted)


def execute_in(
    kernels: KernelPool,
    notebook: NotebookNode,
    files: Mapping[str, bytes] | None = None,
    trusted: Iterable[str] | None = None,
) -> Executed:
    """Execute a copy of a notebook and return it with its outputs.

    files: a dict that maps names to the contents of files for the working folder. trusted: names of the cells
    that run only in the trusted process; by default, the graded cells with tests. Locked cells that are not
    graded run in both processes. All other cells belong to the student.
    """
    with NotebookRun(kernels, copy.deepcopy(notebook), files or {}, trusted) as run:
        run.run_all()
    return Executed(
        run.notebook,
        tuple(run.problems),
        round(run.spent, 3),
        run.timed_out,
        tuple(run.hints),
        tuple(run.seconds),
    )


def execute_in_one_kernel(notebook: NotebookNode, policy: Policy, files: Mapping[str, bytes]) -> Executed:
    """Execute a copy of a fully trusted notebook in one ordinary kernel (on Windows, without `fork`).

    The policy's only effect is the time limit per cell.
    """
    from nbclient import NotebookClient

    notebook = copy.deepcopy(notebook)
    with tempfile.TemporaryDirectory(prefix="minibert-", ignore_cleanup_errors=True) as folder:
        write_files(files, folder)
        NotebookClient(
            notebook,
            kernel_name="python3",
            timeout=policy.exercise_seconds,
            allow_errors=True,
            resources={"metadata": {"path": folder}},
            extra_arguments=["--IPKernelApp.log_level=ERROR"],
        ).execute()
    return Executed(notebook)
