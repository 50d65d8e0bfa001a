"""The seeds of hidden tests, which a grader can change for each grading run.

A hidden test names a seed in the notebook, and a student may find it out. A grader therefore sets
`of_this_run` to one number for the whole class, and every hidden test then uses different inputs.
"""

import hashlib

of_this_run = 0  # 0 means that nothing is being graded, and hidden tests use the seeds that they name


def hidden_seed(named: int) -> int:
    """Return the seed that a hidden test uses instead of the one that it names."""
    if not of_this_run:
        return named
    return int.from_bytes(hashlib.sha256(f"{of_this_run} {named}".encode()).digest()[:8], "big")
