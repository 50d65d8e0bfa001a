"""Labelled examples in balance, in splits that share no example."""

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping
from typing import Any, NamedTuple
from zlib import crc32

from ..writer.documents import World
from ..writer.grammar import Page

ENDLESS = 10**12  # documents to read from: as many as it takes
PATIENCE = 5000  # documents in a row without an example, after which it gives up
ALL = object()  # the group of all examples
PAIR_PARTS, TEXT_PARTS = 4, 5  # one in so many pairs of texts, or single texts, is for dev; see `belongs`


class LabelBalance:
    """Keeps labels in balance within every group of examples, so that the group does not tell the label.

    A group's labels are taken in rounds: each round has `shares[label]` examples of each label. evenly: so
    are the labels of all groups together, where one label is easily found and would be ahead in each of many
    groups.

    >>> ledger = LabelBalance({"yes": 1, "no": 1})
    >>> ledger.take("trade", "yes")
    >>> ledger.open("trade", "yes"), ledger.open("trade", "no"), ledger.open("music", "yes")
    (False, True, True)
    """

    def __init__(self, shares: Mapping[Any, int], evenly: bool = False):
        self._shares, self._evenly = dict(shares), evenly
        self._taken: Counter = Counter()

    def open(self, group: Hashable, label: Hashable) -> bool:
        """True if the group's round still needs this label."""
        return self._needed(group, label) and (not self._evenly or self._needed(ALL, label))

    def _needed(self, group: Hashable, label: Hashable) -> bool:
        rounds = min(self._taken[group, other] // share for other, share in self._shares.items())
        return self._taken[group, label] < (rounds + 1) * self._shares[label]

    def take(self, group: Hashable, label: Hashable) -> None:
        """Count an example."""
        self._taken[group, label] += 1
        self._taken[ALL, label] += 1


class Proposal(NamedTuple):
    """An example that the ledger needs.

    texts: its two texts; group, label: what the ledger counts.
    """

    ledger: LabelBalance
    group: Hashable
    label: Hashable
    texts: tuple[str, str]
    example: Any


def collect(
    world: World, count: int, seed: int, split: str, stream: str, make: Callable[[Page], Proposal | None]
) -> Iterator:
    """Yields `count` examples that `make` finds, at most one in each document of the stream.

    Raises ValueError after PATIENCE documents without an example: then some label of every group cannot be
    had.
    """
    made = waited = 0
    for page in world.pages(ENDLESS, seed, split, stream):
        if made >= count:
            return
        if waited == PATIENCE:
            raise ValueError(
                f"{made} of {count} examples found, but none in the last {PATIENCE} documents: "
                f"a label is missing"
            )
        proposal, waited = make(page), waited + 1
        if proposal is not None and belongs(split, "\t".join(proposal.texts), PAIR_PARTS):
            proposal.ledger.take(proposal.group, proposal.label)
            made, waited = made + 1, 0
            yield proposal.example


def belongs(split: str, text: str, parts: int) -> bool:
    """True unless a text is kept for the other one of train and dev, which share names.

    text: of an example; of several, with tabs between.

    One text in `parts` may stand in dev, the others in train. The test split has names of its own.
    """
    for_dev = crc32(text.encode()) % parts == 0
    return {"train": not for_dev, "dev": for_dev}.get(split, True)
