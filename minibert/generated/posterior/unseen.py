"""List the possible states in the middle of a document whose beginning was not seen.

The unseen sentences determine whom "she" refers to, which topics have been named, and which facts the
document is about, but their facts are unknown.
"""

from collections import defaultdict
from collections.abc import Iterator
from functools import cache

from ..sentences.sorts import Ref
from ..writer.grammar import parse
from .states import Branch, State, States, Variable


class Unseen:
    def __init__(self, states: States):
        self.states = states
        self._effects = cache(self._left_behind)

    def middles(self) -> dict[tuple[str, str], list[tuple[State, float]]]:
        """Return a dict that maps (family, key) of the next sentence to possible states and their weights.

        The document is cut between two sentences, uniformly at random. The weights leave out the probability
        of the facts, which the reader adds at the end.
        """
        here = {state: share / (len(state.moves) - 1) for state, share in self.states.before_documents()}
        total: defaultdict[State, float] = defaultdict(float)
        while here:  # skip one more unseen sentence
            after: defaultdict[State, float] = defaultdict(float)
            for before, share in here.items():
                for new, part in self._skip(before):
                    if new.moves:
                        after[self._needed(new)] += share * part
            here = after
            for state, share in here.items():
                total[state] += share
        by_list = defaultdict(list)
        for state, share in total.items():
            for _, _, name in self.states.lists(state):
                by_list[name].append((state, share / self.states.weight(state.facts)))
        return by_list

    def _skip(self, state: State) -> Iterator[tuple[State, float]]:
        before = self.states.weight(state.facts)
        for variable, choice, name in self.states.lists(state):
            facts = dict(state.facts) | ({} if variable is None else {variable: 1 << choice})
            for (subject, slots), share in self._effects(*name, state.moves[0].part):
                branches = [Branch(facts, state.named, state.alias_told, share, subject=subject)]
                for letter, slot in slots:
                    branches = [
                        new for branch in branches for new in self._unseen(state, letter, slot, branch)
                    ]
                for branch in branches:
                    for new in self.states.end_of_sentence(state, branch):
                        if weight := self.states.weight(new.facts):
                            yield new, share * weight / before

    def _left_behind(self, family: str, key: str, part: int) -> list:
        """Return ((whether X is the subject, gaps as (letter, slot)), probability) for a list's templates."""
        effects: defaultdict[tuple, float] = defaultdict(float)
        for number, share in self.states.shares(family, key, part).items():
            template = self.states.language.families[family][key][number]
            slots = [element for element in parse(template) if element.text is None]
            effects[any(e.subject for e in slots), tuple((e.letter, e.slot) for e in slots)] += share
        return list(effects.items())

    def _unseen(self, state: State, letter: str, slot: str | None, branch: Branch) -> Iterator[Branch]:
        """Yield what a reader may know after an unseen gap: the topics named and the aliases stated."""
        owner = dict(state.moves[0].letters)[letter]
        sort = state.kind.cast[owner]
        if slot is not None and not isinstance(sort.slots[slot], Ref):
            yield branch._replace(alias_told=branch.alias_told | {owner}) if slot == sort.alias else branch
            return
        for whom, facts in self.states.whom(state.kind, owner, slot, branch.facts):
            yield branch._replace(facts=facts, named=branch.named | {whom}, others=branch.others | {whom})

    def _needed(self, state: State) -> State:
        """Return a state without the knowledge that its remaining sentences neither show nor depend on."""
        choices = {move.variable for move in state.moves}
        letters = {letter for move in state.moves for _, letter in move.letters}
        letters |= {
            letter
            for owner in letters
            for slot in state.kind.cast[owner].slots.values()
            if isinstance(slot, Ref)
            for letter in slot.letters
        }
        known = {variable for variable, _ in state.facts}
        open_pools = {
            pool
            for name, pool in state.kind.variables.items()
            if name in choices and Variable(pool, "", name) not in known
        }

        def matters(variable: Variable) -> bool:
            if variable.letter:
                return variable.letter in letters
            # a chosen variable limits the others of its pool
            return variable.name in choices or variable.pool in open_pools

        subjects = [dict(move.letters)["X"] for move in state.moves]
        return state._replace(
            current=state.current if state.current == subjects[0] else None,
            named=state.named & letters,
            alias_told=state.alias_told & frozenset(subjects),
            facts=tuple(fact for fact in state.facts if matters(fact[0])),
        )
