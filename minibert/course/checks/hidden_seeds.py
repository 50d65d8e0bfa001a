"""The seeds of hidden tests, which a grader can change for each grading run.

The seed of a hidden test is written in the notebook, where a student may find it. A grader therefore sets
`of_this_run` to one number for the whole class, which changes the inputs of all hidden tests.
"""

import hashlib

of_this_run = 0  # 0 means that nothing is being graded, and hidden tests use the seeds that they name


def hidden_seed(named: int) -> int:
    """Return the seed that a hidden test uses instead of `named`, the seed written in the notebook."""
    if not of_this_run:
        return named
    return int.from_bytes(hashlib.sha256(f"{of_this_run} {named}".encode()).digest()[:8], "big")
