"""Sentences with an opinion, in the form of SST-2, and words with a sense, in the form of WiC.

Socher et al. (2013, EMNLP; binary sentences in GLUE, Wang et al. 2019, arXiv 1804.07461); Pilehvar and
Camacho-Collados (2019, arXiv 1808.09121). A template belongs to one split, and so do the names of the test:
no opinion and no pair of uses of one split stands in another, and each has a wording that training never
showed.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from ..posterior.needs import WORD
from ..sentences.senses import SENSES
from ..writer.documents import World
from ..writer.grammar import Page
from .balance import write_table
from .syntax import TOKEN

# of five templates of a list, the last but one and the last; the rest are for training
HELD_OUT = {"dev": 0, "test": 1}
# families whose key is an aspect; the others have the polarity as key
OPINIONS = {"review good": "good", "review bad": "bad"}


@dataclass(frozen=True)
class Opinion:
    """A sentence of a review; label 1 = positive, 0 = negative."""

    sentence: str
    label: int


@dataclass(frozen=True)
class Use:
    """A sentence with a word in one of its senses: `WORD` tokens of the sentence, the `index`-th is the
    word.
    """

    word: str
    sense: str
    index: int
    sentence: str
    template: str


@dataclass(frozen=True)
class WordInContext:
    """Two uses of a word, by two templates; label True: in the same sense. In dev and test, one may be a
    template of train.
    """

    first: Use
    second: Use
    label: bool


def split_of(world: World, family: str, key: str, template: str) -> str:
    """The split that a template belongs to."""
    templates = world.language.families[family][key]
    number = templates.index(template)
    held_out = {len(templates) - 2 + place: split for split, place in HELD_OUT.items()}
    return held_out.get(number, "train")


def _of_splits(world: World, seed: int, split: str, stream: str,
               splits: tuple[str, ...]) -> Iterator[tuple[Page, int]]:
    """(page, sentence) for each sentence of a split's documents, without end, whose template belongs to one
    of `splits`.
    """
    for page in world.pages(10**12, seed, split, stream):
        for number, (source, template) in enumerate(zip(page.lists, page.templates, strict=True)):
            if split_of(world, *source, template) in splits:
                yield page, number


def _balanced(examples: Iterator, count: int) -> Iterator:
    """The first `count` of the examples with as many of one label as of the other (one more, where odd)."""
    if count < 0:
        raise ValueError(f"count {count} must not be negative")
    given = {0: 0, 1: 0}
    while sum(given.values()) < count:
        example = next(examples)
        if given[int(example.label)] < (count + 1) // 2:
            given[int(example.label)] += 1
            yield example


def opinions(world: World, count: int, seed: int, split: str = "train") -> Iterator[Opinion]:
    """`count` opinions, as many good as bad. Raises ValueError for a negative count or an unknown split."""
    def found():
        for page, number in _of_splits(world, seed, split, "opinion", (split,)):
            family, key = page.lists[number]
            polarity = OPINIONS.get(family, key if family in ("review more", "review end") else None)
            if polarity:
                yield Opinion(page.sentences[number], int(polarity == "good"))
    return _balanced(found(), count)


def write_sst2(examples: Iterator[Opinion], path: str | Path) -> None:
    """GLUE's table: a header `sentence`, `label`, then a line each, with a tab between."""
    write_table(chain([("sentence", "label")], ((example.sentence, example.label) for example in examples)),
                path)


def uses(world: World, count: int, seed: int, split: str = "train") -> Iterator[Use]:
    """`count` uses of words that have more than one sense. Raises ValueError as `opinions`."""
    if count < 0:
        raise ValueError(f"count {count} must not be negative")
    found = _uses(world, seed, split, (split,))
    return (next(found) for _ in range(count))


def _uses(world: World, seed: int, split: str, splits: tuple[str, ...]) -> Iterator[Use]:
    for page, number in _of_splits(world, seed, split, "sense", splits):
        family, key = page.lists[number]
        if family == "sense":
            word, sense = key.split(": ")
            forms = {word, word + "s", word + "es"}
            tokens = [token.lower() for token in WORD.findall(page.sentences[number])]
            yield Use(word, sense, next(at for at, token in enumerate(tokens) if token in forms),
                      page.sentences[number],
                      page.templates[number])


def words_in_context(world: World, count: int, seed: int, split: str = "train") -> Iterator[WordInContext]:
    """`count` pairs of uses of a word, half of them in one sense. Raises ValueError as `opinions`."""
    def own(use):
        return split_of(world, "sense", f"{use.word}: {use.sense}", use.template) == split

    def found():
        last: dict[tuple[str, str], list[Use]] = {}
        for at, use in enumerate(_uses(world, seed, split, ("train", split))):
            senses = [use.sense] if at % 2 else [sense for sense in SENSES[use.word] if sense != use.sense]
            for other in (other for sense in senses for other in last.get((use.word, sense), ())):
                if other.template != use.template and (own(use) or own(other)):
                    yield WordInContext(other, use, other.sense == use.sense)
                    break
            last[use.word, use.sense] = [use, *last.get((use.word, use.sense), ())][:5]
    return _balanced(found(), count)


def _tokenized(use: Use) -> tuple[int, str]:
    """The place of the word among the tokens of its sentence, and these with spaces between."""
    start = [word.start() for word in WORD.finditer(use.sentence)][use.index]
    tokens = list(TOKEN.finditer(use.sentence))
    return [token.start() for token in tokens].index(start), " ".join(token.group() for token in tokens)


def write_wic(examples: Iterator[WordInContext], data: str | Path, gold: str | Path) -> None:
    """The files of WiC: word, part of speech (N), both indices, both sentences, between tabs; and T or F a
    line.

    As in WiC, "'s" is one token of a sentence; the indices count accordingly.
    """
    with open(data, "w", encoding="utf-8", newline="\n") as file, open(gold, "w", encoding="utf-8",
                                                                       newline="\n") as labels:
        for example in examples:
            first, second = example.first, example.second
            (place, sentence), (other, another) = _tokenized(first), _tokenized(second)
            file.write(f"{first.word}\tN\t{place}-{other}\t{sentence}\t{another}\n")
            labels.write("T\n" if example.label else "F\n")
