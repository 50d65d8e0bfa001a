"""Make sentences of reviews with their sentiment, in the format of SST-2.

Socher et al. (2013, EMNLP); binary sentences in GLUE (Wang et al., 2019, arXiv 1804.07461). No sentence is in
two splits, and the wordings of dev and test never occur in training (`template_splits`).
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from ..writer.documents import World
from .template_splits import half_of_each, sentences_of_splits
from .tsv import write_tsv

# in these lists, the key is an aspect; in the other two (below), it is the polarity
POLARITY_OF = {"review good": "good", "review bad": "bad"}


@dataclass(frozen=True)
class SentimentExample:
    """A sentence of a review, with label 1 if it is positive, else 0."""

    sentence: str
    label: int


def sentiment_examples(
    world: World, count: int, seed: int, split: str = "train"
) -> Iterator[SentimentExample]:
    """Yield `count` sentences, half of them positive and half negative.

    Raises ValueError for a negative count or an unknown split.
    """

    def found() -> Iterator[SentimentExample]:
        for page, number in sentences_of_splits(world, seed, split, "sentiment", (split,)):
            family, key = page.lists[number]
            polarity = POLARITY_OF.get(family, key if family in ("review more", "review end") else None)
            if polarity:
                yield SentimentExample(page.sentences[number], int(polarity == "good"))

    return half_of_each(found(), count)


def write_sst2(examples: Iterable[SentimentExample], path: str | Path) -> None:
    """Write a table in GLUE's format for SST-2: sentence, label."""
    rows = ((example.sentence, example.label) for example in examples)
    write_tsv(chain([("sentence", "label")], rows), path)
