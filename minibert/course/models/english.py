"""The English model for the views of a lesson, loaded once."""

from functools import cache
from typing import Any

from minibert import load


@cache
def english() -> Any:
    """Return the English model, or the course's own model if it cannot be downloaded."""
    return load("english")
