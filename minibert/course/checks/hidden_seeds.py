"""The seeds of hidden tests, which a grader can change for each grading run.

A test's seed is written in the notebook, where a student may find it. So a grader sets `of_this_run` to one
number for the whole class, which changes the inputs of all hidden tests.
"""

import hashlib

of_this_run = 0  # 0 outside grading: hidden tests then use the seeds written in them


def hidden_seed(named: int) -> int:
    """Return the seed that a hidden test uses instead of `named`, the one written in the notebook."""
    if not of_this_run:
        return named
    return int.from_bytes(hashlib.sha256(f"{of_this_run} {named}".encode()).digest()[:8], "big")
