"""Grade sample submissions of unit 02 in the tour, in the way `minibert grade` grades a class."""

import contextlib
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tqdm.auto import tqdm

from minibert.grading.author.assignment_bundle import make_bundle
from minibert.grading.class_run.grade_submission import grade_submission
from minibert.grading.class_run.worker_processes import open_kernels
from minibert.grading.intake.as_bytes import to_bytes
from minibert.grading.notebook import field, fill, marked, read, text
from minibert.grading.run.execute_notebook import execute_in_one_kernel
from minibert.grading.sandbox.availability import strongest_sandbox
from minibert.grading.sandbox.limits import Policy

ASSIGNMENT = "02_attention"
WRONG = {  # student: {answer cell: source}; all other answers are right
    "forgets the root": {
        "attention": """
def attention(q, k, v, visible=None):
    scores = q @ k.swapaxes(-2, -1)
    if visible is not None:
        scores = np.where(visible, scores, -1e9)
    probs = softmax(scores)
    return probs @ v, probs
"""
    },
    "mixes up the axes": {
        "softmax": """
def softmax(x, axis=-1):
    e = np.exp(x - x.max())
    return e / e.sum(axis=0, keepdims=True)
""",
        "split_heads": """
def split_heads(x, num_heads):
    B, T, D = x.shape
    return x.reshape(B, num_heads, T, D // num_heads)
""",
    },
    "norms too early": {
        "layer_norm": """
def layer_norm(x, gamma, beta, eps=1e-12):
    mean, std = x.mean(-1, keepdims=True), x.std(-1, ddof=1, keepdims=True)
    return gamma * (x - mean) / (std + eps) + beta
""",
        "positional_encoding": """
def positional_encoding(length, hidden_size):
    i = np.arange(hidden_size // 2)
    angles = np.arange(length)[:, None] / 10000 ** (2 * i / hidden_size)
    return np.concatenate([np.sin(angles), np.cos(angles)], axis=1)
""",
    },
}


def can_grade(root: str | Path | None) -> bool:
    """Return whether the folder `root` contains the solutions, as a clone of the repository does."""
    return root is not None and Path(root, "solutions", ASSIGNMENT).is_dir()


def grade_samples(root: str | Path) -> list[dict[str, Any]]:
    """Grade sample submissions of an exercise, and return a `summary` of each.

    root: the folder of a clone of the repository, with `solutions/` and `exercises/`.
    """
    exercise, solution = (
        read(Path(root, kind, ASSIGNMENT, f"{ASSIGNMENT}.ipynb")) for kind in ("exercises", "solutions")
    )
    right = {
        name: cell.source
        for name, cell in marked(solution).items()
        if field(cell, "solution") and cell.cell_type == "code"
    }
    answers = {
        "right": right,
        **{student: {**right, **wrong} for student, wrong in WRONG.items()},
        "blank": {},
    }
    bundle, policy = bytes(make_bundle(root, ASSIGNMENT)), Policy(sandbox=strongest_sandbox())
    # We grade in this process instead of in workers, because the samples are few and our own code.
    kernels = open_kernels(policy) if hasattr(os, "fork") else contextlib.nullcontext(execute_in_one_kernel)
    summaries = []
    with kernels as execute:
        for student in tqdm(answers, desc="submissions", unit="notebook", dynamic_ncols=True, disable=None):
            submission = to_bytes({f"{ASSIGNMENT}.ipynb": text(fill(exercise, answers[student])).encode()})
            result = json.loads(grade_submission(bundle, submission, policy, execute))
            summaries.append(summary(student, result))
    return summaries


def summary(student: str, result: Mapping[str, Any]) -> dict[str, Any]:
    """Return a dict with the keys student, points, max_points, hints and error for a graded submission.

    Cells graded by hand are left out. Each hint appears only once, even if a hidden check repeats it.
    error: the reason if the submission could not be graded.
    """
    tests = [cell for cell in result["cells"] if not cell["manual"]]
    hints: dict[str, str] = {}
    for cell in tests:
        if cell["hint"]:
            hints.setdefault(cell["name"].rsplit("-", 1)[0], " ".join(cell["hint"].split()))
    return {
        "student": student,
        "points": sum(cell["points"] or 0 for cell in tests),
        "max_points": sum(cell["max_points"] for cell in tests),
        "hints": list(hints.values()),
        "error": result["reason"],
    }
