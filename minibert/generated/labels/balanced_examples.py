"""Collect labelled examples with balanced labels, in splits that share no example."""

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping
from typing import Any, NamedTuple
from zlib import crc32

from ..writer.documents import World
from ..writer.grammar import Page

ENDLESS = 10**12  # documents to read from; more than are ever needed
PATIENCE = 5000  # give up after this many documents in a row without an example
ALL = object()  # the group of all examples
PAIR_PARTS, TEXT_PARTS = 4, 5  # one in this many texts, or pairs of texts, is for dev


class LabelBalance:
    """Balance the labels within each group of examples, so that the group reveals nothing about the label.

    Examples are counted in rounds, and each round of a group has `shares[label]` examples of each label. If
    `evenly` is True, the labels of all groups together are balanced in the same way. Otherwise, a label that
    is easily found could be one example ahead in each of many groups.

    >>> ledger = LabelBalance({"yes": 1, "no": 1})
    >>> ledger.take("trade", "yes")
    >>> ledger.open("trade", "yes"), ledger.open("trade", "no"), ledger.open("music", "yes")
    (False, True, True)
    """

    def __init__(self, shares: Mapping[Any, int], evenly: bool = False):
        self._shares, self._evenly = dict(shares), evenly
        self._taken: Counter = Counter()

    def open(self, group: Hashable, label: Hashable) -> bool:
        """Return True if the group still needs this label in the current round."""
        return self._needed(group, label) and (not self._evenly or self._needed(ALL, label))

    def _needed(self, group: Hashable, label: Hashable) -> bool:
        rounds = min(self._taken[group, other] // share for other, share in self._shares.items())
        return self._taken[group, label] < (rounds + 1) * self._shares[label]

    def take(self, group: Hashable, label: Hashable) -> None:
        """Count one example of a label in a group."""
        self._taken[group, label] += 1
        self._taken[ALL, label] += 1


class Proposal(NamedTuple):
    """An example, used if the label balance still needs its label.

    `texts` are its two texts, and `group` and `label` are what LabelBalance counts.
    """

    ledger: LabelBalance
    group: Hashable
    label: Hashable
    texts: tuple[str, str]
    example: Any


def collect(
    world: World, count: int, seed: int, split: str, stream: str, make: Callable[[Page], Proposal | None]
) -> Iterator:
    """Yield `count` examples that `make` finds in the world's documents, at most one per document.

    stream: a name for the stream of random numbers. Raises ValueError after PATIENCE documents without an
    example.
    """
    made = waited = 0
    for page in world.pages(ENDLESS, seed, split, stream):
        if made >= count:
            return
        if waited == PATIENCE:
            raise ValueError(
                f"found {made} of {count} examples, but none in the last {PATIENCE} documents, which lack "
                "a label that is still needed"
            )
        proposal, waited = make(page), waited + 1
        if proposal is not None and belongs(split, "\t".join(proposal.texts), PAIR_PARTS):
            proposal.ledger.take(proposal.group, proposal.label)
            made, waited = made + 1, 0
            yield proposal.example


def belongs(split: str, text: str, parts: int) -> bool:
    """Return True if a text may be in a split; train and dev, which share names, never share a text.

    text: an example's text, or several joined by tabs. One text in `parts` belongs to dev, the others to
    train. The test split has different names, so it may contain any text.
    """
    for_dev = crc32(text.encode()) % parts == 0
    return {"train": not for_dev, "dev": for_dev}.get(split, True)
