"""The best reachable answer: the exact posterior of the hidden pieces of a row, under the language that wrote it.

A row's text is read sentence by sentence. A *state* is what the writer knew between two sentences: the moves to come, whom
"she" means, who has been named, and for each fact the set of rows that agree with all that is visible so far. States that
are equal are one state; their probabilities add up (dynamic programming). At the end each state is weighed with the
probability of its facts (`counting`), and the way back gives each hidden position its pieces. No parse is left out and none
is counted twice, so the result is exact; `tests` hold it against every document that a small language can write.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable
from functools import cache
from typing import NamedTuple

import numpy as np

from ...batch import Specials
from .counting import marginal, probability, rows_in
from .documents import World
from .draws import early_shares
from .grammar import parse, voices
from .matching import Match, Mention, Piece, Row, Shown, Told, Tree
from .plans import Kind, Say, part_of
from .sorts import FULL_THEN_FIRST, SURNAME, Ref, texts

STYLE_SETS = {  # form of a name -> the rows of the pool "style" that give it, at the first mention and later
    "full": ((1 << 0 | 1 << 1 | 1 << 2) & ~(1 << SURNAME), 0),
    "last": (1 << SURNAME, (1 << 0 | 1 << 1 | 1 << 2) & ~(1 << FULL_THEN_FIRST)),
    "first": (0, 1 << FULL_THEN_FIRST),
}


class Variable(NamedTuple):
    """A variable of a document: its pool, the letter of its topic ("" for a choice of the plan itself), its name."""

    pool: str
    letter: str
    name: str


class State(NamedTuple):
    """Between two sentences. `facts`: (Variable, set of rows), sorted; what is not there can be anything."""

    kind: Kind
    moves: tuple[Say, ...]  # still to come
    current: str | None  # letter of whom a pronoun would mean
    named: frozenset[str]
    alias_told: frozenset[str]
    facts: tuple[tuple[Variable, int], ...]

    def __hash__(self):
        return hash((id(self.moves), self.current, self.named, self.alias_told, self.facts))


class Arc(NamedTuple):
    """One sentence read: from a state at a position to another, with its probability and what it shows."""

    start: tuple[int, State]
    end: tuple[int, State]
    share: float
    hidden: tuple[tuple, ...]  # (position, piece) or (position, variable, table, place in its text)


class Reading:
    """All ways to read a text: the arcs in reading order, and the probability of each state at its end."""

    def __init__(self, arcs: list[Arc], ends: dict[tuple[int, State], float], ahead: dict, pools: dict, tables: list):
        self.arcs, self.ends, self._ahead, self.pools, self.tables = arcs, ends, ahead, pools, tables
        self.evidence = sum(ends.values())

    def pieces(self) -> dict[int, dict[int, float]]:
        """Hidden position -> piece -> probability. Raises ValueError for a text that the language cannot write."""
        if not self.evidence:
            raise ValueError("the language cannot write what is visible of this row")
        found = defaultdict(lambda: defaultdict(float))
        shown = defaultdict(float)  # (position, variable, table, place, end state) -> weight
        behind = {end: {end: weight / (self._ahead[end] * self.evidence)} for end, weight in self.ends.items()}
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
                        shown[(*hidden, end)] += self._ahead[arc.start] * arc.share * weight
        for (position, variable, table, place, end), weight in shown.items():
            pieces = self.tables[table].pieces
            for row, share in self._marginal(end[1], variable).items():
                found[position][pieces[row][place]] += weight * share
        return found

    def _marginal(self, state: State, variable: Variable) -> dict[int, float]:
        alike = [(other, mask) for other, mask in state.facts if other.pool == variable.pool]
        at = next(at for at, (other, _) in enumerate(alike) if other == variable)
        return marginal(self.pools[variable.pool], tuple(mask for _, mask in alike), at)


class Reader:
    """Reads rows of one split of a world with one tokenizer.

    encode: text -> ids, see `matching.Tree`. specials: of the tokenizer.
    """

    def __init__(self, world: World, encode: Callable[[str], list[int]], specials: Specials, split: str = "pretrain"):
        self.language, self.pools, self.specials = world.language, world.pools(split), specials
        for _, kind in self.language.kinds:  # a Ref with a variable chooses one of its letters
            for sort in kind.cast.values():
                for slot in sort.slots.values():
                    if isinstance(slot, Ref) and slot.variable:
                        count = len(slot.letters)
                        self.pools[slot.variable] = texts(slot.variable, slot.letters, (1 / count,) * count)
        self.tree = Tree(self.language, self.pools, encode)
        self._weigh = cache(probability)
        self._shares = cache(lambda family, key, part: dict(zip(
            part_of(tuple(range(len(self.language.families[family][key]))), part),
            early_shares(len(part_of(self.language.families[family][key], part))), strict=True)))
        self._linked = cache(self._resolve)
        self._tails: dict[int, tuple[Say, ...]] = {}
        self._same: dict[tuple[Say, ...], tuple[Say, ...]] = {}
        self._rests = cache(self._unseen_beginnings)
        self._effects = cache(self._left_behind)

    # ---- what a caller asks -------------------------------------------------------------------------------------------

    def best_mlm(self, ids: np.ndarray, hidden: np.ndarray) -> dict[int, dict[int, float]]:
        """The posterior of the hidden pieces of one packed row: position -> id -> probability.

        ids: (T,), [CLS] A [SEP] or [CLS] A [SEP] B [SEP], without padding; hidden: (T,) bool. One segment is a whole
        document; two are a document cut between two sentences, or, as often, the beginning of one and the rest of
        another, each cut at a place drawn uniformly (`split_pairs`). Raises ValueError for a special token that is hidden,
        for a row of another form, and for a text that the language cannot write.
        """
        first, second = self._segments(ids, hidden)
        pieces = [None if gone else int(piece) for piece, gone in zip(ids, hidden, strict=True)]
        if second is None:
            return self._read(pieces, [first], self._beginnings(1)).pieces()
        together, apart = self._pair(pieces, first, second)
        likely_next = 0.5 * together.evidence
        likely_other = 0.5 * apart[0].evidence * apart[1].evidence
        if not likely_next + likely_other:
            raise ValueError("the language cannot write what is visible of this row")
        found = defaultdict(lambda: defaultdict(float))
        for share, readings in ((likely_next, [together]), (likely_other, apart)):
            if share:
                for reading in readings:
                    for position, shares in reading.pieces().items():
                        for piece, probability_ in shares.items():
                            found[position][piece] += share / (likely_next + likely_other) * probability_
        return found

    def best_next(self, ids: np.ndarray) -> float:
        """The probability that segment B of a row of `split_pairs` comes from another document. Exact."""
        first, second = self._segments(ids, np.zeros(len(ids), bool))
        together, apart = self._pair([int(piece) for piece in ids], first, second)
        other = apart[0].evidence * apart[1].evidence
        return other / (together.evidence + other)

    def best_order(self, ids: np.ndarray) -> float:
        """The probability that the two segments of one document were swapped. Exact."""
        first, second = self._segments(ids, np.zeros(len(ids), bool))
        pieces = [int(piece) for piece in ids]
        kept = self._read(pieces, [first, second], self._beginnings(2)).evidence
        swapped = self._read(pieces, [second, first], self._beginnings(2)).evidence
        return swapped / (kept + swapped)

    def best_left(self, ids: np.ndarray, position: int) -> dict[int, float]:
        """The posterior of the piece at `position` of [CLS] document [SEP], for a reader that sees only what is left of it."""
        pieces = [int(piece) for piece in ids[:position]] + [None]
        reading = self._read(pieces, [(1, position + 1)], self._beginnings(1), open_end=True)
        return dict(reading.pieces()[position])

    # ---- rows ---------------------------------------------------------------------------------------------------------

    def _segments(self, ids, hidden):
        special = np.isin(ids, self.specials.ids)
        if (special & hidden).any():
            raise ValueError(f"position {int(np.argmax(special & hidden))} is a special token, which no row hides")
        ends = np.flatnonzero(np.asarray(ids) == self.specials.sep)
        if not len(ids) or ids[0] != self.specials.cls or len(ends) not in (1, 2) or ends[-1] != len(ids) - 1:
            raise ValueError(f"a row is [CLS] A [SEP] or [CLS] A [SEP] B [SEP], not {np.asarray(ids).tolist()}")
        first = 1, int(ends[0])
        return first, (int(ends[0]) + 1, int(ends[1])) if len(ends) == 2 else None

    def _pair(self, pieces, first, second):
        together = self._read(pieces, [first, second], self._beginnings(2))
        return together, (self._read(pieces, [first], self._beginnings(2), whole=False),
                          self._read(pieces, [second], self._rests()))

    def _beginnings(self, segments: int):
        """The states before a document, with their probabilities; for two segments also that of each place to cut."""
        return {None: [(State(kind, self._same.setdefault(moves, moves), None, frozenset(), frozenset(), ()),
                        share * part / (len(moves) - 1 if segments == 2 else 1))
                       for share, kind in self.language.kinds for part, moves in kind.plans]}

    def _tail(self, moves: tuple[Say, ...]) -> tuple[Say, ...]:
        """The moves after the first; one object for all equal ones, so that states can be hashed by it."""
        if id(moves) not in self._tails:
            self._tails[id(moves)] = self._same.setdefault(moves[1:], moves[1:])
        return self._tails[id(moves)]

    def _unseen_beginnings(self):
        """The states in which the rest of a document can begin, by the list that its next sentence is from."""
        here = dict(self._beginnings(2)[None])
        total = defaultdict(float)
        while here:  # one more sentence unseen
            after = defaultdict(float)
            for before, share in here.items():
                for new, part in self._skip(before):
                    if new.moves:
                        after[self._needed(new)] += share * part
            here = after
            for state, share in here.items():
                total[state] += share
        by_list = defaultdict(list)
        for state, share in total.items():
            for _, _, name in self._keys(state):
                by_list[name].append((state, share / self._weight(state.facts)))
        return by_list

    # ---- reading ------------------------------------------------------------------------------------------------------

    def _read(self, pieces, segments, beginnings, whole=True, open_end=False) -> Reading:
        """All ways to read the segments, one after the other. beginnings: (family, key) or None -> [(state, weight)].

        whole: the text ends where its plan ends, else before. Each segment ends with a sentence, unless `open_end`.
        """
        arcs, ends = [], {}
        ahead = defaultdict(float)
        waiting = defaultdict(list)  # position -> states
        for at, (start, end) in enumerate(segments):
            row = Row(self.tree, pieces, end, open_end)
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
                    for stop, new, share, hidden in self._moves_from(state, row, position):
                        there = stop, new
                        if there not in ahead:
                            waiting[stop].append(new)
                        ahead[there] += ahead[position, state] * share
                        arcs.append(Arc((position, state), there, share, hidden))
            if at + 1 < len(segments):  # the next segment goes on where this one ends
                for state in waiting.pop(end, ()):
                    there = segments[at + 1][0], state
                    arcs.append(Arc((end, state), there, 1.0, ()))
                    ahead[there] += ahead[end, state]
                    waiting[there[0]].append(state)
        last = segments[-1][1]
        for state in waiting.pop(last, ()):
            if open_end or whole != bool(state.moves):
                weight = ahead[last, state] * self._weight(state.facts)
                if weight:
                    ends[last, state] = weight
        return Reading(arcs, ends, ahead, self.pools, self.tree.tables)

    def _weight(self, facts) -> float:
        """The probability that the facts lie in their sets."""
        by_pool = defaultdict(list)
        for variable, mask in facts:
            by_pool[variable.pool].append(mask)
        product = 1.0
        for pool, masks in by_pool.items():
            product *= self._weigh(self.pools[pool], tuple(sorted(masks)))
        return product

    def _keys(self, state: State):
        """The lists that the next move may use: (variable or None, row of its choice, (family, key))."""
        if not state.moves:
            return
        move = state.moves[0]
        if not move.variable:
            yield None, 0, (move.family, move.key)
            return
        variable = Variable(state.kind.variables[move.variable], "", move.variable)
        rows = self.pools[variable.pool].rows
        for row in rows_in(dict(state.facts).get(variable, (1 << len(rows)) - 1)):
            yield variable, row, (move.family, rows[row][0])

    def _moves_from(self, state: State, row: Row, position: int):
        """(end, new state, probability, hidden) for each way to read the next sentence."""
        matches = None
        for variable, choice, name in self._keys(state):
            matches = row.matches(position) if matches is None else matches
            found = matches.get(name)
            if not found:
                continue
            facts = dict(state.facts)
            if variable is not None:
                facts[variable] = 1 << choice
            shares = self._shares(*name, state.moves[0].part)
            for match in found:
                if match.number in shares:
                    for new, share, hidden in self._say(state, facts, match, row):
                        yield match.end, new, share * shares[match.number], hidden

    def _resolve(self, kind: Kind, letter: str, variable: str, pool: str) -> Variable:
        """The variable that a letter's slot shows: its own, or that of the topic it shares the slot with."""
        for (owner, slot), (other, name) in kind.links.items():
            if owner == letter:
                mine, theirs = kind.cast[owner].slots[slot].atoms, kind.cast[other].slots[name].atoms
                for here, there in zip(mine, theirs, strict=True):
                    if here.variable == variable:
                        return Variable(there.pool, other, there.variable)
        return Variable(pool, letter, variable)

    def _say(self, state: State, facts: dict, match: Match, row: Row):
        """The states after a match, each with its probability and the hidden positions that it fills."""
        kind, letters = state.kind, dict(state.moves[0].letters)
        branches = [(dict(facts), state.named, state.alias_told, 1.0, [], False, frozenset())]
        for step in match.steps:
            branches = [new for branch in branches for new in self._take(state, kind, letters, step, row, *branch)]
        for facts_, named, told, share, hidden, subject, others in branches:
            for current, final in self._spoken_of(kind, letters["X"], subject, others, facts_):
                yield (State(kind, self._tail(state.moves), current, named, told, tuple(sorted(final.items()))),
                       share, tuple(hidden))

    def _take(self, state, kind, letters, step, row, facts, named, told, share, hidden, subject, others):
        """One step of a match: the branches that follow, none where the step contradicts what is known."""
        if isinstance(step, Piece):
            yield facts, named, told, share, [*hidden, (step.position, step.piece)], subject, others
        elif isinstance(step, Told):
            yield facts, named, told | {letters[step.letter]}, share, hidden, subject, others
        elif isinstance(step, Shown):
            facts = self._know(kind, letters[step.letter], step, facts)
            if facts is not None:
                yield facts, named, told, share, hidden + self._gaps(kind, letters[step.letter], step, row), subject, others
        else:
            for letter, known in self._whom(kind, letters, step, facts):
                voice = {v.form: v.share for v in voices(step.subject, state.current == letter, letter in told)}
                form = step.form if step.form in ("pronoun", "alias") else "name"
                part = voice.get(form)
                if part is None:
                    continue
                after = self._name(kind, letter, step, known, letter in named)
                if after is None:
                    continue
                new_hidden = list(hidden)
                for shown in step.facts:
                    if isinstance(shown, Piece):
                        new_hidden.append((shown.position, shown.piece))
                        continue
                    after = self._know(kind, letter, shown, after)
                    if after is None:
                        break
                    new_hidden += self._gaps(kind, letter, shown, row)
                if after is not None:
                    is_name = form == "name"
                    yield (after, named | {letter} if is_name else named, told, share * part, new_hidden,
                           subject or step.subject, others | {letter} if is_name else others)

    def _whom(self, kind, letters, step: Mention, facts):
        """(letter, facts) of whom a mention names: one topic, or any that the slot may refer to."""
        owner = letters[step.letter]
        if step.slot is None:
            yield owner, facts
            return
        ref = kind.cast[owner].slots[step.slot]
        if ref.variable is None:
            yield ref.letters[0], facts
            return
        variable = Variable(ref.variable, owner, ref.variable)
        for row in rows_in(facts.get(variable, (1 << len(ref.letters)) - 1)):
            yield ref.letters[row], facts | {variable: 1 << row}

    def _name(self, kind, letter, step: Mention, facts, named_before):
        """The facts with the way a person is named; None where this form of the name is not hers."""
        if step.form not in STYLE_SETS:
            return facts
        variable = Variable("style", letter, "style")
        mask = facts.get(variable, 0b111) & STYLE_SETS[step.form][named_before]
        return facts | {variable: mask} if mask else None

    def _know(self, kind, letter, shown: Shown, facts):
        """The facts with what a match shows; None where they contradict it."""
        variable = self._linked(kind, letter, shown.variable, shown.pool)
        mask = facts.get(variable, -1) & shown.mask
        return facts | {variable: mask} if mask else None

    def _gaps(self, kind, letter, shown: Shown, row: Row):
        """The hidden positions inside a fact that is shown."""
        variable = self._linked(kind, letter, shown.variable, shown.pool)
        length = len(self.tree.tables[shown.table].pieces[(shown.mask & -shown.mask).bit_length() - 1])
        return [(at, variable, shown.table, at - shown.start) for at in range(shown.start, min(shown.start + length, row.end))
                if row.pieces[at] is None]

    def _spoken_of(self, kind, x, subject, others, facts):
        """(letter that a pronoun means next, facts): where it hangs on unknown pronouns, one result for each case."""
        rivals = [letter for letter in others if letter != x]
        if not subject:
            yield None, facts
            return
        if any(self._pronouns(kind, letter) == self._pronouns(kind, x) != "gender" for letter in rivals):
            yield None, facts
            return
        rivals = [letter for letter in rivals if self._pronouns(kind, letter) == self._pronouns(kind, x)]
        cases = [facts]
        for letter in [x, *rivals] if rivals else []:
            variable = Variable("gender", letter, "gender")
            cases = [case | {variable: 1 << row} for case in cases for row in rows_in(case.get(variable, 0b11))]
        for case in cases:
            clear = all(case[Variable("gender", letter, "gender")] != case[Variable("gender", x, "gender")] for letter in rivals)
            yield (x if clear else None), case

    def _pronouns(self, kind, letter) -> str:
        """The pool of a topic's pronouns."""
        return kind.cast[letter].slots["he"].atoms[0].pool

    # ---- sentences that the row does not hold -------------------------------------------------------------------------

    def _left_behind(self, family: str, key: str, part: int) -> list:
        """What an unseen sentence of a list leaves behind: ((is X its subject, who is named, whose alias is told), share)."""
        effects = defaultdict(float)
        for number, share in self._shares(family, key, part).items():
            elements = [element for element in parse(self.language.families[family][key][number]) if element.text is None]
            effects[any(element.subject for element in elements),
                    tuple((element.letter, element.slot) for element in elements)] += share
        return list(effects.items())

    def _skip(self, state: State) -> Iterable[tuple[State, float]]:
        """The states after an unseen sentence, with their probabilities."""
        kind, letters = state.kind, dict(state.moves[0].letters)
        before = self._weight(state.facts)
        for variable, choice, name in self._keys(state):
            facts = dict(state.facts)
            if variable is not None:
                facts[variable] = 1 << choice
            for (subject, slots), share in self._effects(*name, state.moves[0].part):
                branches = [(facts, state.named, state.alias_told, frozenset())]
                for letter, slot in slots:
                    branches = [new for branch in branches for new in self._unseen(kind, letters, letter, slot, *branch)]
                for known, named, told, others in branches:
                    for current, final in self._spoken_of(kind, letters["X"], subject, others, known):
                        new = State(kind, self._tail(state.moves), current, named, told, tuple(sorted(final.items())))
                        weight = self._weight(new.facts)
                        if weight:
                            yield new, share * weight / before

    def _unseen(self, kind, letters, letter, slot, facts, named, told, others):
        """An unseen mention or fact: who has been named after it, and whose alias is told."""
        owner = letters[letter]
        if slot is None:
            yield facts, named | {owner}, told, others | {owner}
            return
        phrase = kind.cast[owner].slots[slot]
        if not isinstance(phrase, Ref):
            yield facts, named, told | {owner} if slot == kind.cast[owner].alias else told, others
            return
        for whom, known in self._whom(kind, letters, Mention(letter, slot, False, "name", ()), facts):
            yield known, named | {whom}, told, others | {whom}

    def _needed(self, state: State) -> State:
        """The state without what its moves to come can neither show nor hang on."""
        choices = {move.variable for move in state.moves}
        letters = {letter for move in state.moves for _, letter in move.letters}
        letters |= {letter for owner in letters for slot in state.kind.cast[owner].slots.values()
                    if isinstance(slot, Ref) for letter in slot.letters}
        known = {variable for variable, _ in state.facts}
        open_pools = {pool for name, pool in state.kind.variables.items()
                      if name in choices and Variable(pool, "", name) not in known}
        facts = tuple((variable, mask) for variable, mask in state.facts
                      if (variable.name in choices or variable.pool in open_pools if variable.letter == ""
                          else variable.letter in letters))
        subjects = [dict(move.letters)["X"] for move in state.moves]
        return state._replace(current=state.current if state.current == subjects[0] else None, named=state.named & letters,
                              alias_told=state.alias_told & frozenset(subjects), facts=facts)
