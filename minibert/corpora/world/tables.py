"""What the tables of labelled pairs share: labels in balance, and lines of columns."""

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from pathlib import Path

ENDLESS = 10**12  # documents to read from: as many as it takes


class Ledger:
    """Keeps labels in balance within every group of examples, so that the group does not tell the label.

    A group's labels are taken in rounds: each round has `shares[label]` examples of each label.

    >>> ledger = Ledger({"yes": 1, "no": 1})
    >>> ledger.take("trade", "yes"), ledger.take("trade", "yes"), ledger.take("trade", "no")
    (True, False, True)
    """

    def __init__(self, shares: Mapping[Hashable, int]):
        self._shares = dict(shares)
        self._taken: Counter = Counter()

    def open(self, group: Hashable, label: Hashable) -> bool:
        """True if the group's round still needs this label."""
        rounds = min(self._taken[group, other] // share for other, share in self._shares.items())
        return self._taken[group, label] < (rounds + 1) * self._shares[label]

    def take(self, group: Hashable, label: Hashable) -> bool:
        """Counts an example if the group's round still needs its label; else returns False."""
        if not self.open(group, label):
            return False
        self._taken[group, label] += 1
        return True


def write_table(rows: Iterable[Sequence], path: str | Path) -> None:
    """Writes rows as lines of tab-separated columns, unquoted, in UTF-8, one row at a time.

    Raises ValueError for a cell with a tab or a line break in it: the forms of GLUE have no way to quote it.
    """
    with open(path, "w", encoding="utf-8", newline="\n") as file:
        for row in rows:
            cells = [str(cell) for cell in row]
            for cell in cells:
                if any(sign in cell for sign in "\t\n\r"):
                    raise ValueError(f"the cell {cell!r} holds a tab or a line break, which no column may")
            file.write("\t".join(cells) + "\n")
