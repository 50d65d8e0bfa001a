"""Compute the exact probabilities of masked tokens under the language that generated the text.

The text is read sentence by sentence, from state to state (`states`). Equal states are merged and their
probabilities added (dynamic programming). At the end, each state is weighted by the probability of its facts
(`counting`), and a backward pass gives each masked position its distribution over token ids. Each parse is
counted once, so the result is exact; the tests compare it with an enumeration of all documents of a small
language.
"""

from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import cache
from typing import NamedTuple

import numpy as np

from minibert.data.batch import Specials

from ..writer.documents import World
from .counting import marginal
from .matching import MatchedRow
from .states import State, States, Variable
from .unseen import Unseen


class Arc(NamedTuple):
    """A way to read one sentence, with its probability and the contents of its masked positions."""

    start: tuple[int, State]
    end: tuple[int, State]
    share: float
    hidden: tuple[tuple, ...]  # (position, piece) or (position, variable, table, index within its text)


class Lattice:
    """All ways to read a text, as arcs (sentences) in reading order, with each final state's probability."""

    def __init__(
        self, arcs: list[Arc], ends: dict[tuple[int, State], float], ahead: dict, pools: dict, tables: list
    ):
        self.arcs, self.ends, self._ahead, self.pools, self.tables = arcs, ends, ahead, pools, tables
        self.likelihood = sum(ends.values())

    def pieces(self) -> dict[int, dict[int, float]]:
        """Return a dict that maps each masked position to {token id: probability}.

        Raises ValueError for a text that the language cannot generate.
        """
        _possible(self.likelihood)
        found: dict[int, dict[int, float]] = defaultdict(lambda: defaultdict(float))
        # (position, variable, table, place, end state) -> weight
        shown: defaultdict[tuple, float] = defaultdict(float)
        behind = {
            end: {end: weight / (self._ahead[end] * self.likelihood)} for end, weight in self.ends.items()
        }
        for arc in reversed(self.arcs):
            ends = behind.get(arc.end)
            if ends is None:
                continue
            here = behind.setdefault(arc.start, {})
            for end, weight in ends.items():
                here[end] = here.get(end, 0.0) + weight * arc.share
            for hidden in arc.hidden:
                if len(hidden) == 2:
                    found[hidden[0]][hidden[1]] += self._ahead[arc.start] * arc.share * sum(ends.values())
                else:
                    for end, weight in ends.items():
                        shown[hidden + (end,)] += self._ahead[arc.start] * arc.share * weight
        for (position, variable, table, place, end), weight in shown.items():
            pieces = self.tables[table].pieces
            for row, share in self._marginal(end[1], variable).items():
                found[position][pieces[row][place]] += weight * share
        return found

    def _marginal(self, state: State, variable: Variable) -> dict[int, float]:
        alike = [(other, mask) for other, mask in state.facts if other.pool == variable.pool]
        at = next(at for at, (other, _) in enumerate(alike) if other == variable)
        return marginal(self.pools[variable.pool], tuple(mask for _, mask in alike), at)


def _possible(likelihood: float) -> float:
    if not likelihood:
        raise ValueError("the language cannot generate a text with these visible tokens")
    return likelihood


class Reader:
    """Predict masked tokens in texts of one split of a generated world, with exact probabilities.

    encode: a function from a text to token ids (see `matching.TemplateTree`). specials: the tokenizer's
    special tokens.
    """

    def __init__(
        self, world: World, encode: Callable[[str], list[int]], specials: Specials, split: str = "pretrain"
    ):
        self.states, self.specials = States(world.language, world.pools(split), encode), specials
        self._middles = cache(Unseen(self.states).middles)

    def best_mlm(self, ids: np.ndarray, hidden: np.ndarray) -> dict[int, dict[int, float]]:
        """Return a dict that maps each masked position to {token id: exact probability}.

        ids: (T,), [CLS] A [SEP] or [CLS] A [SEP] B [SEP], without padding. hidden: (T,) bool, True for masked
        tokens. A single segment is a whole document. Two segments are a document cut between two sentences
        or, equally often, the beginning of one document and the rest of another (`split_pairs`). Raises
        ValueError for a masked special token, a sequence of another form, or a text that the language cannot
        generate.
        """
        first, second = self._segments(ids, hidden)
        pieces = [None if gone else int(piece) for piece, gone in zip(ids, hidden, strict=True)]
        if second is None:
            return self._read(pieces, [first], self._beginnings(1)).pieces()
        together, apart = self._pair(pieces, first, second)
        likely_next = 0.5 * together.likelihood
        likely_other = 0.5 * apart[0].likelihood * apart[1].likelihood
        total = _possible(likely_next + likely_other)
        found: dict[int, dict[int, float]] = defaultdict(lambda: defaultdict(float))
        for share, lattices in ((likely_next, [together]), (likely_other, apart)):
            if share:
                for lattice in lattices:
                    for position, shares in lattice.pieces().items():
                        for piece, probability_ in shares.items():
                            found[position][piece] += share / total * probability_
        return found

    def best_next(self, ids: np.ndarray) -> float:
        """Return the exact probability that segment B of [CLS] A [SEP] B [SEP] is from another document."""
        first, second = self._segments(ids, np.zeros(len(ids), bool))
        together, apart = self._pair([int(piece) for piece in ids], first, second)
        other = apart[0].likelihood * apart[1].likelihood
        return other / _possible(together.likelihood + other)

    def best_order(self, ids: np.ndarray) -> float:
        """Return the exact probability that the segments in [CLS] A [SEP] B [SEP] were swapped.

        Both segments must be from the same document.
        """
        first, second = self._segments(ids, np.zeros(len(ids), bool))
        pieces = [int(piece) for piece in ids]
        kept = self._read(pieces, [first, second], self._beginnings(2)).likelihood
        swapped = self._read(pieces, [second, first], self._beginnings(2)).likelihood
        return swapped / _possible(kept + swapped)

    def best_left(self, ids: np.ndarray, position: int) -> dict[int, float]:
        """Return {token id: probability} for a position, given only the tokens to its left."""
        pieces = [int(piece) for piece in ids[:position]] + [None]
        lattice = self._read(pieces, [(1, position + 1)], self._beginnings(1), open_end=True)
        return dict(lattice.pieces()[position])

    def _segments(self, ids, hidden):
        special = np.isin(ids, self.specials.ids)
        if (special & hidden).any():
            raise ValueError(
                f"position {int(np.argmax(special & hidden))} is a special token, which must not be masked"
            )
        ends = np.flatnonzero(np.asarray(ids) == self.specials.sep)
        if not len(ids) or ids[0] != self.specials.cls or len(ends) not in (1, 2) or ends[-1] != len(ids) - 1:
            raise ValueError(
                f"a sequence must be [CLS] A [SEP] or [CLS] A [SEP] B [SEP], not {np.asarray(ids).tolist()}"
            )
        first = 1, int(ends[0])
        return first, (int(ends[0]) + 1, int(ends[1])) if len(ends) == 2 else None

    def _pair(self, pieces, first, second):
        together = self._read(pieces, [first, second], self._beginnings(2))
        return together, (
            self._read(pieces, [first], self._beginnings(2), whole=False),
            self._read(pieces, [second], self._middles()),
        )

    def _beginnings(self, segments: int) -> dict:
        """Return {None: [(state, probability)]}, the states before a document of 1 or 2 segments."""
        return {
            None: [
                (state, share / (len(state.moves) - 1 if segments == 2 else 1))
                for state, share in self.states.before_documents()
            ]
        }

    def _read(
        self,
        pieces: Sequence[int | None],
        segments: Sequence[tuple[int, int]],
        beginnings: dict,
        whole: bool = True,
        open_end: bool = False,
    ) -> Lattice:
        """Return a Lattice of all ways to read the segments one after the other.

        pieces: token ids, None if masked. segments: pairs (start, end). beginnings: {(family, key) of the
        first sentence, or None: [(state, weight)]}. whole: True if the text ends with its document. open_end:
        True if the text may end within a sentence.
        """
        arcs, ends = [], {}
        ahead = defaultdict(float)
        waiting = defaultdict(list)  # position -> states
        for at, (start, end) in enumerate(segments):
            row = MatchedRow(self.states.tree, pieces, end, open_end)
            if at == 0:
                for name in beginnings if None in beginnings else row.matches(start):
                    for state, weight in beginnings.get(name, ()):
                        ahead[start, state] = weight
                waiting[start] = [state for _, state in ahead]
            for position in range(start, end):
                for state in waiting.pop(position, ()):
                    if open_end and position == end - 1 and not state.moves:  # the text may end here
                        there = end, state
                        arcs.append(Arc((position, state), there, 1.0, ((position, self.specials.sep),)))
                        ahead[there] += ahead[position, state]
                        waiting[end].append(state)
                    for stop, new, share, hidden in self.states.after(state, row, position):
                        there = stop, new
                        if there not in ahead:
                            waiting[stop].append(new)
                        ahead[there] += ahead[position, state] * share
                        arcs.append(Arc((position, state), there, share, hidden))
            if at + 1 < len(segments):  # the next segment continues where this one ends
                for state in waiting.pop(end, ()):
                    there = segments[at + 1][0], state
                    arcs.append(Arc((end, state), there, 1.0, ()))
                    ahead[there] += ahead[end, state]
                    waiting[there[0]].append(state)
        last = segments[-1][1]
        for state in waiting.pop(last, ()):
            if open_end or whole != bool(state.moves):
                weight = ahead[last, state] * self.states.weight(state.facts)
                if weight:
                    ends[last, state] = weight
        return Lattice(arcs, ends, ahead, self.states.pools, self.states.tree.tables)
