"""Suggestions for misspelt names, for every error message about a name that is not known."""

import difflib
from collections.abc import Iterable


def nearest(name: str, known: Iterable[str], similarity: float = 0.6) -> str | None:
    """Return the known name that most resembles `name`, or None if there is none; case is ignored.

    similarity: the least accepted similarity, 0 to 1, as computed by `difflib`.

    >>> nearest("Englsh", ["tour", "english"]), nearest("roberta", ["tour", "english"])
    ('english', None)
    """
    plain = {one.casefold(): one for one in known}
    found = difflib.get_close_matches(name.casefold(), plain, 1, similarity)
    return plain[found[0]] if found else None


def did_you_mean(name: object, known: Iterable[str], similarity: float = 0.6) -> str:
    """Return the end of an error message, which suggests the known name nearest to `name`, or "".

    similarity: see `nearest`.

    >>> did_you_mean("nerr", ["qa", "ner"]), did_you_mean("summaries", ["qa", "ner"])
    ("; did you mean 'ner'?", '')
    """
    near = nearest(str(name), known, similarity)
    return "" if near is None else f"; did you mean {near!r}?"
