"""Texts and examples that are given in Python instead of a file."""

from collections.abc import Iterable


def as_texts(texts: str | Iterable[str], name: str = "text") -> list[str]:
    """Return one text, or several, as a list. Raises ValueError if something else is given.

    >>> as_texts("Hi."), as_texts(("a", "b"))
    (['Hi.'], ['a', 'b'])
    """
    if isinstance(texts, str):
        return [texts]
    if not isinstance(texts, Iterable) or isinstance(texts, dict | bytes):
        raise ValueError(f"{name}: expected a text or a list of texts, not {type(texts).__name__}")
    found = list(texts)
    for place, text in enumerate(found):
        if not isinstance(text, str):
            raise ValueError(f"{name} {place}: expected a text, not {type(text).__name__}: {text!r:.60}")
    return found
