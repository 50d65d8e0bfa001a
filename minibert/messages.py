"""Small pieces of messages: a number with its noun, scores in one line."""
from collections.abc import Mapping


def plural(count: int, noun: str) -> str:
    """Return a number and what it counts.

    >>> plural(1, "column"), plural(2, "column")
    ('1 column', '2 columns')
    """
    return f"{count:,} {noun}" + "s" * (count != 1)


def in_a_line(scores: Mapping[str, float]) -> str:
    """Return scores by name in one line, with one decimal.

    >>> in_a_line({"exact match": 50.0, "F1": 66.667})
    'exact match 50.0, F1 66.7'
    """
    return ", ".join(f"{name} {value:.1f}" for name, value in scores.items())
