"""The generated language as a text to pretrain on."""

from pathlib import Path

from ..data.cache import Text, content_of, name_of
from .writer.documents import World


def text_of_world(seed: int, count: int, workers: int = 1) -> Text:
    """Return the Text of `count` documents of the generated language, written by `workers` processes.

    Its name comes from seed, count and the source files of the language.
    """
    grammar = content_of(sorted(Path(__file__).parent.rglob("*.py")))
    return Text(
        name_of(["world", grammar, seed, count]),
        lambda: (
            list(document.sentences) for document in World(seed).documents(count, seed=1, workers=workers)
        ),
    )
