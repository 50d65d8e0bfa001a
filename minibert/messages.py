"""Words of messages."""


def plural(count: int, noun: str) -> str:
    """Return a number and what it counts.

    >>> plural(1, "column"), plural(2, "column")
    ('1 column', '2 columns')
    """
    return f"{count:,} {noun}" + "s" * (count != 1)
