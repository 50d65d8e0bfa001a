"""Compare the points that plain nbgrader and our grading give each hostile submission; write hostile.md.

The kinds of submissions are defined in tests/grading/hostile.py.

    PYTHONPATH=. python benchmarks/hostile.py

Plain nbgrader runs the attacks with the rights of the user who starts this script, so we skip those that
could harm the machine.
"""

import contextlib
import os
import sys
import tempfile
import time
from pathlib import Path

import nbformat
import places

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "grading"))

from hostile import KINDS  # noqa: E402
from test_hostile_submissions import POLICY, points, submission, tempted  # noqa: E402

from minibert.grading.run.execute_notebook import execute_in  # noqa: E402
from minibert.grading.run.kernel_pool import KernelPool  # noqa: E402

PLAIN_SECONDS = 5  # time limit of a cell under plain nbgrader


def plain(kind, folder):
    """Return (points, note) from nbgrader's own Execute, or (None, the reason) if there are no points."""
    from nbgrader.preprocessors import Execute

    notebook = submission(kind)
    nbformat.write(notebook, folder / "hostile.ipynb")
    execute = Execute(timeout=PLAIN_SECONDS, extra_arguments=["--IPKernelApp.log_level=CRITICAL"])
    try:
        with open(os.devnull, "w") as nowhere, contextlib.redirect_stderr(nowhere):
            done, _ = execute.preprocess(notebook, {"metadata": {"path": str(folder)}, "nbgrader": {}})
    except Exception as error:
        return None, f"grading stops: {type(error).__name__}"
    try:
        return points(done), ""
    except Exception as error:
        return None, f"no grade: {type(error).__name__}"


def words(result, note=""):
    return note if result is None else " + ".join(f"{value:g}" for value in result)


def row(kind, kernels):
    with tempfile.TemporaryDirectory() as folder:
        theirs = plain(kind, Path(folder)) if kind.plain else (None, "not tried here")
    began = time.perf_counter()
    executed = execute_in(kernels, submission(kind))
    ours, seconds = points(executed.notebook), time.perf_counter() - began
    said = next((text.splitlines()[0] for _, text in executed.hints if text), "")
    verdict = "" if theirs[0] is None or tuple(theirs[0]) == kind.points else " ✗"
    mine = "" if ours == kind.points else " ✗"
    return (
        f"| {kind.name} | {words(kind.points)} | {words(*theirs)}{verdict} | {words(ours)}{mine} | "
        f"{seconds:.1f} s | {said[:90].replace('|', '/')} |"
    )


def main():
    lines = [
        "# Hostile submissions",
        "",
        "Points of three tests: the visible and the hidden test of `double`, which the submission attacks, "
        "and that of `square`, which is honest. ✗: not the deserved points.",
        "Made by `benchmarks/hostile.py`; the kinds are defined in `tests/grading/hostile.py`.",
        "",
        "| kind | due | plain nbgrader | ours | ours takes | what the first failed test says |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    with tempted(), KernelPool(POLICY) as kernels:
        for kind in KINDS:
            lines.append(row(kind, kernels))
            print(lines[-1], flush=True)
    places.report("hostile").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
