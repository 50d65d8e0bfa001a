"""Use the generated language as a pretraining corpus."""

from pathlib import Path

from ..data.cache import Text, content_of, name_of
from .writer.documents import World


def text_of_world(seed: int, count: int, workers: int = 1) -> Text:
    """Return `count` generated documents, written by `workers` processes, as a Text for pretraining.

    Its name is a hash of the seed, the count and the language's source files.
    """
    grammar = content_of(sorted(Path(__file__).parent.rglob("*.py")))
    return Text(
        name_of(["world", grammar, seed, count]),
        lambda: (
            list(document.sentences) for document in World(seed).documents(count, seed=1, workers=workers)
        ),
    )
