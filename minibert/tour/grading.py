"""Sample submissions of unit 02, one right and several wrong, graded as a class would be."""
from pathlib import Path

import nbformat
from tqdm.auto import tqdm

from ..grading.notebook import field, fill, marked, read
from ..grading.run.in_process import autograde

ASSIGNMENT = "02_attention"
WRONG = {   # student: {answer cell: source}; her other answers are right
    "forgets the root": {"attention": '''
def attention(q, k, v, visible=None):
    scores = q @ k.swapaxes(-2, -1)
    if visible is not None:
        scores = np.where(visible, scores, -1e9)
    probs = softmax(scores)
    return probs @ v, probs
'''},
    "mixes up the axes": {"softmax": '''
def softmax(x, axis=-1):
    e = np.exp(x - x.max())
    return e / e.sum(axis=0, keepdims=True)
''', "split_heads": '''
def split_heads(x, num_heads):
    B, T, D = x.shape
    return x.reshape(B, num_heads, T, D // num_heads)
'''},
    "norms too early": {"layer_norm": '''
def layer_norm(x, gamma, beta, eps=1e-12):
    mean, std = x.mean(-1, keepdims=True), x.std(-1, ddof=1, keepdims=True)
    return gamma * (x - mean) / (std + eps) + beta
''', "positional_encoding": '''
def positional_encoding(length, hidden_size):
    i = np.arange(hidden_size // 2)
    angles = np.arange(length)[:, None] / 10000 ** (2 * i / hidden_size)
    return np.concatenate([np.sin(angles), np.cos(angles)], axis=1)
'''},
}


def grade_samples(root):
    """Grade the samples; a list of dicts: student, points, max_points (of what a machine grades), hints,
    cells failed.

    root: the clone with `solutions/` and `exercises/`. Raises ValueError where they are not there.
    """
    folder = Path(root) / "exercises" / ASSIGNMENT
    if not folder.is_dir():
        raise ValueError(
            f"{folder}: no such folder; the tour grades exercises, so run it in a clone of the repository")
    exercise = read(folder / f"{ASSIGNMENT}.ipynb")
    solution = read(Path(root) / "solutions" / ASSIGNMENT / f"{ASSIGNMENT}.ipynb")
    right = {name: cell.source for name, cell in marked(solution).items()
             if field(cell, "solution") and cell.cell_type == "code"}
    submissions = {"right": right, **{student: {**right, **wrong} for student, wrong in WRONG.items()},
                   "blank": {}}
    notebooks = {student: nbformat.writes(fill(exercise, answers)).encode()
                 for student, answers in submissions.items()}
    results = autograde(ASSIGNMENT, notebooks, root,
                        lambda students: tqdm(students, desc="submissions", unit="notebook",
                                                                          dynamic_ncols=True, disable=None))
    return [summary(result) for result in results]


def summary(result):
    """One graded submission as plain values; a hint is told once, not again by the hidden check of the same
    answer.
    """
    graded = [cell for cell in result.cells if cell.message
              or cell.points == cell.max_points]     # not by a person
    hints = {}
    for cell in graded:
        if cell.message:
            hints.setdefault(cell.cell.rsplit("-", 1)[0], " ".join(cell.message.split()))
    return {"student": result.student, "points": sum(cell.points or 0 for cell in graded),
            "max_points": sum(cell.max_points for cell in graded), "hints": list(hints.values()),
            "error": result.error}
