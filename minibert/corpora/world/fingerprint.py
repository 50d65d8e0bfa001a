"""A name for the language as it is today, by which kept results and weights say which language they are of.

A stand-in: a SHA-256 over a fixed sample of the text. Whoever changes a template or a fact changes the name.
"""
import hashlib

from .writer.documents import World

SAMPLE = 300            # documents: enough that each kind occurs


def fingerprint() -> str:
    """Return 16 hexadecimal digits that change with the language.

    >>> len(fingerprint())
    16
    """
    text = "\n".join(document.text for document in World(7).documents(SAMPLE, seed=1, split="pretrain"))
    return hashlib.sha256(text.encode()).hexdigest()[:16]
