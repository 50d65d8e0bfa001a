"""Track what a reader knows between two sentences, and how each sentence changes it.

This applies the rules of `grammar` in reverse. A *state* contains the sentences still to come, the topic that
"she" would refer to, the topics named so far, and, for each fact, the values (rows) that agree with the text
so far. A matched template turns a state into its possible successors; there are none if it contradicts the
state.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import NamedTuple

from ..sentences.plans import Kind, Language, Say, part_of
from ..sentences.sorts import FULL_THEN_FIRST, SURNAME, Pool, Ref, texts
from ..writer.draws import early_shares
from ..writer.grammar import voices
from .counting import probability, rows_in
from .matching import Match, MatchedRow, Mention, Piece, Shown, StatedFact, TemplateStep, TemplateTree

ANY_STYLE = 0b111
# Form of a person's name -> the rows of the pool "style" that produce it at the first mention, and later.
STYLE_SETS = {
    "full": (ANY_STYLE & ~(1 << SURNAME), 0),
    "last": (1 << SURNAME, ANY_STYLE & ~(1 << FULL_THEN_FIRST)),
    "first": (0, 1 << FULL_THEN_FIRST),
}


class Variable(NamedTuple):
    """A variable of a document: its pool of values, the letter of its topic, and its name.

    The letter is "" if the variable belongs to the document's plan.
    """

    pool: str
    letter: str
    name: str


class State(NamedTuple):
    """What a reader knows between two sentences; `facts` are pairs (Variable, set of possible values)."""

    kind: Kind
    moves: tuple[Say, ...]  # still to come
    current: str | None = None  # letter of the topic that a pronoun would refer to
    named: frozenset[str] = frozenset()
    alias_told: frozenset[str] = frozenset()
    facts: tuple[tuple[Variable, int], ...] = ()

    def __hash__(self):  # equal moves are the same object, see `States.tail`
        return hash((id(self.moves), self.current, self.named, self.alias_told, self.facts))


class Branch(NamedTuple):
    """What a reader knows within a sentence, with the contents of its masked positions so far (`hidden`).

    Each item of `hidden` is (position, piece) or (position, variable, table, index in text).
    """

    facts: dict[Variable, int]
    named: frozenset[str]
    alias_told: frozenset[str]
    share: float = 1.0
    hidden: tuple[tuple, ...] = ()
    subject: bool = False  # True once the sentence has mentioned X as its subject
    others: frozenset[str] = frozenset()  # the topics named in this sentence


class States:
    """The states that a reader of a language can be in. pools: the values of its facts, in one split.

    encode: as for `TemplateTree`.
    """

    def __init__(self, language: Language, pools: dict[str, Pool], encode: Callable[[str], list[int]]):
        self.language, self.pools = language, pools | dict(_letter_pools(language))
        self.tree = TemplateTree(language, self.pools, encode)
        self.shares = cache(self._shares)
        self.variable = cache(self._variable)
        self._probability = cache(probability)
        self._tails: dict[int, tuple[Say, ...]] = {}
        self._same: dict[tuple[Say, ...], tuple[Say, ...]] = {}

    def before_documents(self) -> Iterator[tuple[State, float]]:
        """Yield the initial state for each plan of a document, with the plan's probability."""
        for share, kind in self.language.kinds:
            for part, moves in kind.plans:
                yield State(kind, self._same.setdefault(moves, moves)), share * part

    def weight(self, facts: Iterable[tuple[Variable, int]]) -> float:
        """Return the probability of `facts`, pairs (variable, set of possible values)."""
        by_pool = defaultdict(list)
        for variable, mask in facts:
            by_pool[variable.pool].append(mask)
        product = 1.0
        for pool, masks in by_pool.items():
            product *= self._probability(self.pools[pool], tuple(sorted(masks)))
        return product

    def lists(self, state: State) -> Iterator[tuple[Variable | None, int, tuple[str, str]]]:
        """Yield the lists of templates from which the next sentence may come.

        Each item is (variable that chooses the list, its value, (family, key) of the list). The variable is
        None if the list is fixed.
        """
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

    def after(
        self, state: State, row: MatchedRow, position: int
    ) -> Iterator[tuple[int, State, float, tuple]]:
        """Yield (end, new state, probability, masked content) for each way to read the next sentence."""
        for variable, choice, name in self.lists(state):
            found = row.matches(position).get(name)
            if not found:
                continue
            facts = dict(state.facts) | ({} if variable is None else {variable: 1 << choice})
            shares = self.shares(*name, state.moves[0].part)
            for match in found:
                if match.number in shares:
                    for new, share, hidden in self._read(state, facts, match, row):
                        yield match.end, new, share * shares[match.number], hidden

    def end_of_sentence(self, state: State, branch: Branch) -> Iterator[State]:
        """Yield the possible states after a sentence, one for each person whom the next "she" could mean."""
        letters = dict(state.moves[0].letters)
        for current, facts in self._spoken_of(state.kind, letters["X"], branch):
            yield State(
                state.kind,
                self.tail(state.moves),
                current,
                branch.named,
                branch.alias_told,
                tuple(sorted(facts.items())),
            )

    def tail(self, moves: tuple[Say, ...]) -> tuple[Say, ...]:
        """Return all moves but the first; equal results are the same object, so that its id can be hashed."""
        if id(moves) not in self._tails:
            self._tails[id(moves)] = self._same.setdefault(moves[1:], moves[1:])
        return self._tails[id(moves)]

    def whom(self, kind: Kind, owner: str, slot: str | None, facts: dict) -> Iterator[tuple[str, dict]]:
        """Yield (letter, updated facts) for each topic that the gap `slot` of the topic `owner` may name."""
        ref = None if slot is None else kind.cast[owner].slots[slot]
        if not isinstance(ref, Ref):
            yield owner, facts
            return
        if ref.variable is None:
            yield ref.letters[0], facts
            return
        variable = Variable(ref.variable, owner, ref.variable)
        for row in rows_in(facts.get(variable, (1 << len(ref.letters)) - 1)):
            yield ref.letters[row], facts | {variable: 1 << row}

    def _shares(self, family: str, key: str, part: int) -> dict[int, float]:
        """Return {index: probability} for the templates in the given part of the list (family, key)."""
        numbers = part_of(range(len(self.language.families[family][key])), part)
        return dict(zip(numbers, early_shares(len(numbers)), strict=True))

    def _variable(self, kind: Kind, letter: str, name: str, pool: str) -> Variable:
        """Return the Variable called `name` of a topic, or of the topic with which it shares the fact."""
        for (owner, slot), (other, shared) in kind.links.items():
            if owner == letter:
                mine, theirs = kind.cast[owner].phrase(slot).atoms, kind.cast[other].phrase(shared).atoms
                for here, there in zip(mine, theirs, strict=True):
                    if here.variable == name:
                        return Variable(there.pool, other, there.variable)
        return Variable(pool, letter, name)

    def _read(
        self, state: State, facts: dict, match: Match, row: MatchedRow
    ) -> Iterator[tuple[State, float, tuple]]:
        branches = [Branch(facts, state.named, state.alias_told)]
        for step in match.steps:
            branches = [new for branch in branches for new in self._step(state, step, row, branch)]
        for branch in branches:
            for new in self.end_of_sentence(state, branch):
                yield new, branch.share, branch.hidden

    def _step(self, state: State, step: TemplateStep, row: MatchedRow, branch: Branch) -> Iterator[Branch]:
        """Yield what a reader may know after one step of a matched template, if it agrees with the facts."""
        letters = dict(state.moves[0].letters)
        if isinstance(step, Mention):
            for letter, facts in self.whom(state.kind, letters[step.letter], step.slot, branch.facts):
                yield from self._mention(state, step, letter, row, branch._replace(facts=facts))
        elif isinstance(step, StatedFact):
            yield branch._replace(alias_told=branch.alias_told | {letters[step.letter]})
        else:
            known = self._show(
                state.kind, "" if isinstance(step, Piece) else letters[step.letter], step, row, branch
            )
            if known is not None:
                yield known

    def _mention(
        self, state: State, step: Mention, letter: str, row: MatchedRow, branch: Branch
    ) -> Iterator[Branch]:
        form = step.form if step.form in ("pronoun", "alias") else "name"
        shares = {
            v.form: v.share
            for v in voices(step.subject, state.current == letter, letter in branch.alias_told)
        }
        if form not in shares:
            return
        known = branch._replace(share=branch.share * shares[form], subject=branch.subject or step.subject)
        if step.form in STYLE_SETS:
            style = Variable("style", letter, "style")
            mask = known.facts.get(style, ANY_STYLE) & STYLE_SETS[step.form][letter in branch.named]
            if not mask:
                return
            known = known._replace(facts=known.facts | {style: mask})
        for shown in step.facts:
            more = self._show(state.kind, letter, shown, row, known)
            if more is None:
                return
            known = more
        yield (
            known
            if form != "name"
            else known._replace(named=known.named | {letter}, others=known.others | {letter})
        )

    def _show(
        self, kind: Kind, letter: str, shown: Shown | Piece, row: MatchedRow, branch: Branch
    ) -> Branch | None:
        """Return a branch with the fact `shown` added, or None if it contradicts the known facts."""
        if isinstance(shown, Piece):
            return branch._replace(hidden=(*branch.hidden, (shown.position, shown.piece)))
        variable = self.variable(kind, letter, shown.variable, shown.pool)
        mask = branch.facts.get(variable, -1) & shown.mask
        if not mask:
            return None
        length = len(self.tree.tables[shown.table].pieces[(shown.mask & -shown.mask).bit_length() - 1])
        gaps = tuple(
            (at, variable, shown.table, at - shown.start)
            for at in range(shown.start, min(shown.start + length, row.end))
            if row.pieces[at] is None
        )
        return branch._replace(facts=branch.facts | {variable: mask}, hidden=branch.hidden + gaps)

    def _spoken_of(self, kind: Kind, x: str, branch: Branch) -> Iterator[tuple[str | None, dict]]:
        """Yield (letter of the topic that the next pronoun means, or None; facts) for all possible genders.

        x: the letter of the sentence's subject.
        """
        pronouns = (
            {letter: kind.cast[letter].phrase("he").atoms[0].pool for letter in branch.others | {x}}
            if branch.subject
            else {}
        )
        rivals = [letter for letter in pronouns if letter != x and pronouns[letter] == pronouns[x]]
        if not branch.subject or rivals and pronouns[x] != "gender":  # with two things, "it" means neither
            yield None, branch.facts
            return
        cases = [branch.facts]
        for letter in [x, *rivals] if rivals else []:
            variable = Variable("gender", letter, "gender")
            cases = [
                case | {variable: 1 << row} for case in cases for row in rows_in(case.get(variable, 0b11))
            ]
        for case in cases:
            genders = [case[Variable("gender", letter, "gender")] for letter in rivals]
            yield (None if genders and case[Variable("gender", x, "gender")] in genders else x), case


def _letter_pools(language: Language) -> Iterator[tuple[str, Pool]]:
    """Yield (variable, pool of letters) for each slot in which a variable chooses the topic to name."""
    for _, kind in language.kinds:
        for sort in kind.cast.values():
            for slot in sort.slots.values():
                if isinstance(slot, Ref) and slot.variable:
                    yield (
                        slot.variable,
                        texts(slot.variable, slot.letters, (1 / len(slot.letters),) * len(slot.letters)),
                    )
