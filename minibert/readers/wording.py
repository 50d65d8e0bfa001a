"""Helper functions for messages: a number with its noun or its sign, scores in one line, truncation."""

from collections.abc import Mapping


def plural(count: int, noun: str) -> str:
    """Return a number with its noun, in the plural unless the number is 1.

    >>> plural(1, "column"), plural(2, "column")
    ('1 column', '2 columns')
    """
    return f"{count:,} {noun}" + "s" * (count != 1)


def truncation(count: int, noun: str, limit: int) -> str:
    """Return a notice that texts were truncated.

    >>> print(truncation(1, "text", 64), truncation(3, "example", 96), sep="; ")
    1 text is longer than 64 tokens and was truncated; 3 examples are longer than 96 tokens and were truncated
    """
    is_, was = ("is", "was") if count == 1 else ("are", "were")
    return f"{plural(count, noun)} {is_} longer than {limit} tokens and {was} truncated"


def with_minus(value: float, form: str = "{:.1f}") -> str:
    """Format a number with a real minus sign, and without a sign if it is 0.

    >>> with_minus(-0.52), with_minus(-0.04), with_minus(0.126, "{:+.2f}"), with_minus(-0.5, "{:.0%}")
    ('−0.5', '0.0', '+0.13', '−50%')
    """
    text = form.format(value)
    return text.replace("-", "−") if any(digit in text for digit in "123456789") else text.lstrip("+-")


def format_scores(scores: Mapping[str, float]) -> str:
    """Format named scores in one line, with one decimal.

    >>> format_scores({"exact match": 50.0, "F1": 66.667})
    'exact match 50.0, F1 66.7'
    """
    return ", ".join(f"{name} {value:.1f}" for name, value in scores.items())
