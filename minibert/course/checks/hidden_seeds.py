"""The seeds of tests, which a grader can change for each grading run.

A test's seed is written in the notebook, and the inputs of visible tests can be printed. So a grader sets
`of_this_run` to one number for the whole class, which changes the inputs of all tests: an answer that is a
table of recorded results then fails.
"""

import hashlib

of_this_run = 0  # 0 outside grading: tests then use the seeds written in them


def hidden_seed(named: int) -> int:
    """Return the seed that a hidden test uses instead of `named`, the one written in the notebook."""
    return _drawn(named, f"{named}")


def visible_seed(named: int) -> int:
    """Return the seed that a visible test uses while grading; it says nothing about those of hidden tests."""
    return _drawn(named, f"visible {named}")


def _drawn(named, text):
    if not of_this_run:
        return named
    return int.from_bytes(hashlib.sha256(f"{of_this_run} {text}".encode()).digest()[:8], "big")
