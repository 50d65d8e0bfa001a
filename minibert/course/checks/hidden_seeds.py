"""The seeds of hidden tests: as a test names them, or, while a class is graded, drawn anew for that run.

A notebook names a seed, which a student may have seen or read off her function's inputs. A grader sets
`of_this_run`, the same for a whole class, and every hidden test then draws other inputs.
"""

import hashlib

of_this_run = 0  # 0: no run of a grader; hidden tests use the seeds that they name


def hidden_seed(named: int) -> int:
    """The seed that a hidden test uses in place of the one that it names."""
    if not of_this_run:
        return named
    return int.from_bytes(hashlib.sha256(f"{of_this_run} {named}".encode()).digest()[:8], "big")
