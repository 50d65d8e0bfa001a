"""Make sentences with ambiguous words, and pairs of them in the format of WiC.

Pilehvar and Camacho-Collados (2019, arXiv 1808.09121). No pair is in two splits, and the wordings of dev and
test never occur in training (`template_splits`).
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from minibert.readers.writing import writing

from ..posterior.needs import WORD
from ..sentences.senses import SENSES
from ..writer.documents import World
from .syntax import TOKEN
from .template_splits import half_of_each, sentences_of_splits, split_of


@dataclass(frozen=True)
class Use:
    """A sentence with an ambiguous word, and the word's sense and index in the sentence."""

    word: str
    sense: str
    index: int
    sentence: str
    template: str


@dataclass(frozen=True)
class WordInContext:
    """Two sentences with the same word. `label` is True if it has the same sense in both.

    They come from different templates. In dev and test, one of these may be a training template.
    """

    first: Use
    second: Use
    label: bool


def uses(world: World, count: int, seed: int, split: str = "train") -> Iterator[Use]:
    """Yield `count` sentences, each with an ambiguous word."""
    if count < 0:
        raise ValueError(f"count={count} must not be negative")
    found = _uses(world, seed, split, (split,))
    return (next(found) for _ in range(count))


def _uses(world: World, seed: int, split: str, splits: tuple[str, ...]) -> Iterator[Use]:
    for page, number in sentences_of_splits(world, seed, split, "sense", splits):
        family, key = page.lists[number]
        if family == "sense":
            word, sense = key.split(": ")
            forms = {word, word + "s", word + "es"}
            tokens = [token.lower() for token in WORD.findall(page.sentences[number])]
            yield Use(
                word,
                sense,
                next(at for at, token in enumerate(tokens) if token in forms),
                page.sentences[number],
                page.templates[number],
            )


def words_in_context(world: World, count: int, seed: int, split: str = "train") -> Iterator[WordInContext]:
    """Yield `count` pairs of sentences with the same word, half of them in the same sense."""

    def own(use: Use) -> bool:
        return split_of(world, "sense", f"{use.word}: {use.sense}", use.template) == split

    def found() -> Iterator[WordInContext]:
        last: dict[tuple[str, str], list[Use]] = {}
        for at, use in enumerate(_uses(world, seed, split, ("train", split))):
            senses = [use.sense] if at % 2 else [sense for sense in SENSES[use.word] if sense != use.sense]
            for other in (other for sense in senses for other in last.get((use.word, sense), ())):
                if other.template != use.template and (own(use) or own(other)):
                    yield WordInContext(other, use, other.sense == use.sense)
                    break
            last[use.word, use.sense] = [use, *last.get((use.word, use.sense), ())][:5]

    return half_of_each(found(), count)


def _tokenized(use: Use) -> tuple[int, str]:
    start = [word.start() for word in WORD.finditer(use.sentence)][use.index]
    tokens = list(TOKEN.finditer(use.sentence))
    return [token.start() for token in tokens].index(start), " ".join(token.group() for token in tokens)


def write_wic(examples: Iterable[WordInContext], data: str | Path, gold: str | Path) -> None:
    """Write the two files of WiC, one example per line.

    The tab-separated columns of `data` are word, part-of-speech tag (N), both indices and both sentences;
    `gold` has T (same sense) or F. As in WiC, "'s" is a separate token.
    """
    with writing(data) as file, writing(gold) as labels:
        for example in examples:
            first, second = example.first, example.second
            (place, sentence), (other, another) = _tokenized(first), _tokenized(second)
            file.write(f"{first.word}\tN\t{place}-{other}\t{sentence}\t{another}\n")
            labels.write("T\n" if example.label else "F\n")
