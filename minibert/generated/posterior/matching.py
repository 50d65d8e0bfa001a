"""Match the language's templates against the visible tokens of a sequence.

The result lists what each slot of a template could contain. A "piece" is a token id, and a "row" one of the
values in a pool. All templates form one tree of steps (a piece, a fact or a mention), so that a common
beginning is matched only once. A masked position matches any piece. Sets of values are integers (see
`counting`).
"""

from collections.abc import Callable, Sequence
from functools import cache
from typing import NamedTuple

from ..sentences.plans import Language
from ..sentences.sorts import Atom, Pool, Ref, Sort
from ..writer.grammar import article, parse


class Shown(NamedTuple):
    """A fact that a matching template shows.

    The fields are the letter of the fact's topic, its variable and pool, the set of the pool's matching rows,
    the start position, and the index of the table of its texts.
    """

    letter: str
    variable: str
    pool: str
    mask: int
    start: int
    table: int


class Mention(NamedTuple):
    """A mention of a topic (a person, place, firm, ...) in a matching template.

    `form` is "full", "last", "first", "name", "pronoun" or "alias"; `facts` are the facts that the name
    shows.
    """

    letter: str
    slot: str | None  # if another topic's fact names this one, else None
    subject: bool
    form: str
    facts: tuple[Shown, ...]


class StatedFact(NamedTuple):
    """A step that states a fact by which the topic `letter` may be called afterwards ("the baker")."""

    letter: str


class Piece(NamedTuple):
    """A masked position whose token id (piece) is part of the template's own text, not of a slot."""

    position: int
    piece: int


TemplateStep = Shown | Mention | StatedFact | Piece


class Match(NamedTuple):
    """A template that matches the token ids from one position to `end`, with its steps in reading order."""

    number: int  # of the template in its list
    end: int
    steps: tuple[TemplateStep, ...]


class FormTable:
    """The tokenized texts of all values of a fact, in one form, indexed by length, position and token id."""

    def __init__(self, number: int, pieces: list[tuple[int, ...]]):
        self.number, self.pieces = number, pieces
        self.by_length: dict[int, tuple[int, list[dict[int, int]]]] = {}
        for row, text in enumerate(pieces):
            full, places = self.by_length.setdefault(len(text), (0, [{} for _ in text]))
            for place, piece in zip(places, text, strict=True):
                place[piece] = place.get(piece, 0) | 1 << row
            self.by_length[len(text)] = full | 1 << row, places


class Node:
    """A node in the tree of templates, with the possible next steps and the templates that end here."""

    def __init__(self):
        self.children: dict[tuple, Node] = {}
        self.ends: list[tuple[str, str, int]] = []  # family, key, number

    def below(self) -> list[tuple[str, str, int]]:
        """Return all templates that end at this node or below it, as (family, key, index in the list)."""
        return self.ends + [end for child in self.children.values() for end in child.below()]


class TemplateTree:
    """All sentence templates of the generated language and the words for their gaps, as a tree of tokens.

    `encode` turns a text into a list of ids. It must split at spaces and punctuation, so that a sentence's
    ids are those of its parts, and ignore case, so that words have the same ids at the start of a sentence.
    """

    def __init__(self, language: Language, pools: dict[str, Pool], encode: Callable[[str], list[int]]):
        self.language, self.pools = language, pools
        self.encode = cache(lambda text: tuple(encode(text)))
        self.tables: list[FormTable] = []
        self._numbers: dict[tuple[str, str, bool], int] = {}
        self.root = Node()
        seen = set()
        for _, kind in language.kinds:
            for _, plan in kind.plans:
                for move in plan:
                    sorts = {x: kind.cast[letter] for x, letter in move.letters}
                    for key in (
                        [move.key]
                        if not move.variable
                        else [r[0] for r in pools[kind.variables[move.variable]].rows]
                    ):
                        if (move.family, key) not in seen:
                            seen.add((move.family, key))
                            self._add(move.family, key, sorts)
        self._below = cache(Node.below)

    def table(self, pool: str, form: str, with_article: bool = False) -> FormTable:
        """Return the FormTable of a pool's values in one form, optionally with "a" or "an" before each."""
        name = pool, form, with_article
        if name not in self._numbers:
            column = self.pools[pool].forms.index(form)
            texts = [row[column] for row in self.pools[pool].rows]
            texts = [f"{article(text)} {text}" if with_article else text for text in texts]
            self._numbers[name] = len(self.tables)
            self.tables.append(
                FormTable(len(self.tables), [self.encode(text) if text else () for text in texts])
            )
        return self.tables[self._numbers[name]]

    def _add(self, family: str, key: str, sorts: dict[str, Sort]) -> None:
        for number, template in enumerate(self.language.families[family][key]):
            node = self.root
            for step in self._steps(template, sorts):
                node = node.children.setdefault(step, Node())
            node.ends.append((family, key, number))

    def _steps(self, template: str, sorts: dict[str, Sort]) -> list[tuple]:
        """Return the steps of a template, in reading order. sorts: the sort of topic for each letter.

        A step is ("piece", id), ("fact", letter, atom, with article), ("told", letter) or ("mention", letter,
        slot, sort, subject, possessive).
        """
        steps: list[tuple] = []
        for element in parse(template):
            if element.text is not None:
                steps += [("piece", piece) for piece in self.encode(element.text)]
                continue
            sort = sorts[element.letter]
            if element.slot is None:
                steps.append(("mention", element.letter, None, sort, element.subject, element.possessive))
                continue
            phrase = sort.slots[element.slot]
            if isinstance(phrase, Ref):
                named = self._sort_of(phrase, sort)
                steps.append(("mention", element.letter, element.slot, named, False, element.possessive))
                continue
            steps += [
                ("fact", element.letter, atom, element.article and atom is phrase.atoms[0])
                for atom in phrase.atoms
            ]
            if element.slot == sort.alias:
                steps.append(("told", element.letter))
            if element.possessive:
                steps += [("piece", piece) for piece in self.encode("'s")]
        return steps

    def _sort_of(self, ref: Ref, owner: Sort) -> Sort:
        """Return the sort (such as person) of the topics that a slot may name; all have the same one."""
        sorts = {
            id(kind.cast[letter]): kind.cast[letter]
            for _, kind in self.language.kinds
            if owner in kind.cast.values()
            for letter in ref.letters
        }
        (sort,) = sorts.values()
        return sort


class MatchedRow:
    """The token ids of a sequence up to `end` (None if masked), and all matches of templates in it.

    If `open_end` is True, unknown ids follow, and a match may extend beyond `end`.
    """

    def __init__(self, tree: TemplateTree, pieces: Sequence[int | None], end: int, open_end: bool = False):
        self.tree, self.pieces, self.end, self.open_end = tree, pieces, end, open_end
        self._matches: dict[int, dict[tuple[str, str], list[Match]]] = {}
        self._after: dict[tuple[int, int], list] = {}
        self._fits: dict[tuple[int, int], list[tuple[int, int]]] = {}

    def matches(self, start: int) -> dict[tuple[str, str], list[Match]]:
        """Return {(family, key) of a list: its templates that match from `start` on}."""
        if start not in self._matches:
            found = self._matches[start] = {}
            for (family, key, number), end, steps in self._walk(self.tree.root, start):
                found.setdefault((family, key), []).append(Match(number, end, _flat(steps)))
        return self._matches[start]

    def _walk(self, node: Node, position: int) -> list[tuple]:
        """Return (template, end, linked list of steps) for each match from a node and position on."""
        name = id(node), position
        if name not in self._after:
            if self.open_end and position >= self.end:
                self._after[name] = [(template, position, None) for template in self.tree._below(node)]
                return self._after[name]
            found: list[tuple] = [(template, position, None) for template in node.ends]
            for step, child in node.children.items():
                for end, shown in self._step(step, position):
                    rest = self._walk(child, end)
                    found += (
                        rest
                        if shown is None
                        else [(template, last, (shown, chain)) for template, last, chain in rest]
                    )
            self._after[name] = found
        return self._after[name]

    def _step(self, step: tuple, position: int) -> Sequence[tuple[int, TemplateStep | None]]:
        kind = step[0]
        if kind == "piece":
            if position >= self.end:
                return []
            seen = self.pieces[position]
            if seen is None:
                return [(position + 1, Piece(position, step[1]))]
            return [(position + 1, None)] if seen == step[1] else []
        if kind == "told":
            return [(position, StatedFact(step[1]))]
        if kind == "fact":
            _, letter, atom, with_article = step
            return self._facts(letter, atom, position, with_article)
        _, letter, slot, sort, subject, possessive = step
        return self._mentions(letter, slot, sort, subject, possessive, position)

    def _facts(
        self, letter: str, atom: Atom, position: int, with_article: bool = False
    ) -> list[tuple[int, Shown]]:
        table = self.tree.table(atom.pool, atom.form, with_article)
        return [
            (end, Shown(letter, atom.variable, atom.pool, mask, position, table.number))
            for end, mask in self._rows(table, position)
        ]

    def _rows(self, table: FormTable, position: int) -> list[tuple[int, int]]:
        """Return (end, set of values) for each length of the table's texts that match at a position.

        Texts that extend beyond an open end are merged into one set.
        """
        name = table.number, position
        if name not in self._fits:
            found, beyond = [], 0
            for length, (mask, places) in table.by_length.items():
                if position + length > self.end and not self.open_end:
                    continue
                for at in range(position, min(position + length, self.end)):
                    piece = self.pieces[at]
                    if piece is not None:
                        mask &= places[at - position].get(piece, 0)
                if position + length > self.end:
                    beyond |= mask
                elif mask:
                    found.append((position + length, mask))
            self._fits[name] = found + ([(self.end, beyond)] if beyond else [])
        return self._fits[name]

    def _mentions(
        self, letter: str, slot: str | None, sort: Sort, subject: bool, possessive: bool, position: int
    ) -> list[tuple[int, Mention]]:
        phrase = sort.phrase
        if sort.label == "PER":
            forms = {
                "full": phrase("first").atoms + phrase("last").atoms,
                "last": phrase("last").atoms,
                "first": phrase("first").atoms,
            }
        else:
            forms = {"name": phrase("name").atoms}
        found = []
        for form, atoms in forms.items():
            found += self._named(form, "", atoms, "'s" if possessive else "", position)
        if subject:
            found += self._named("pronoun", "", phrase("his" if possessive else "he").atoms, "", position)
            found += self._named(
                "alias", "the", phrase(str(sort.alias)).atoms, "'s" if possessive else "", position
            )
        return [(end, Mention(letter, slot, subject, form, facts)) for end, form, facts in found]

    def _named(
        self, form: str, before: str, atoms: tuple[Atom, ...], after: str, position: int
    ) -> list[tuple]:
        """Return (end, form, steps) for each match of the text `before`, the facts `atoms`, and `after`."""
        steps: list[tuple] = [("piece", piece) for piece in self.tree.encode(before)] if before else []
        steps += [("fact", "", atom, False) for atom in atoms]
        steps += [("piece", piece) for piece in self.tree.encode(after)] if after else []
        ways: list[tuple[int, tuple[TemplateStep, ...]]] = [(position, ())]
        for step in steps:
            ways = [
                (end, shown if new is None else (*shown, new))
                for at, shown in ways
                for end, new in (self._step(step, at) if at < self.end or not self.open_end else [(at, None)])
            ]
        return [(end, form, shown) for end, shown in ways]


def _flat(chain: tuple | None) -> tuple[TemplateStep, ...]:
    steps = []
    while chain is not None:
        step, chain = chain
        steps.append(step)
    return tuple(steps)
