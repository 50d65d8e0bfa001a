"""What is masked and what the model sees instead: random draws, and units larger than a token.

Axes: T tokens.
"""

import itertools
import re
from collections import Counter
from collections.abc import Iterator, Sequence

import ipywidgets as widgets
import numpy as np

from minibert.data.masking import choose_positions, corrupt_80_10_10, span_positions, whole_word_positions

from ...models.english import english
from ...texts.passages import passages
from ...widgets.guess import sentence_box
from ...widgets.masking import ManyRedraws, Redraws, masking_view, words_html
from ...widgets.plots import bars
from ...widgets.view import View, drawing_html
from .counting import Example, accuracy, alone, documents

LONG = (
    "every morning the cook walks to the kitchen and when the soup is ready she rings a bell for her guests"
)
WIDE = {"description_width": "initial"}
# ## is between the tokens of a word, _ between the words of a named entity, ~ elsewhere in a phrase
SENTENCE = (
    "the~glass##blow##er jane_miller moved to~new_york in~december_1958 and opened a~small~workshop "
    "near~central_park"
)
UNITS = {  # kind of unit: where the sentence is cut
    "tokens": r"(?<=\w)(?=##)|[ _~]",
    "whole words": "[ _~]",
    "named entities": "[ ~]",
    "phrases": " ",
}
SPANS, SHARE, SEED = "spans", 0.25, 23  # another unit; the share of tokens to mask
TOKENS = re.split(UNITS["tokens"], SENTENCE)


def draws() -> ManyRedraws:
    """Mask a sentence again and again, with 80% [MASK], 10% replaced and 10% kept."""
    vocabulary = sorted({word for words in documents()[0] for word in words})

    def drawn(
        sentence: str, rate: float, number: int
    ) -> Iterator[tuple[Sequence[str], list[bool], list[str]]]:
        words = sentence.split()
        names = np.array(["[MASK]", *words, *vocabulary])  # so the sentence has the ids 1, 2, 3, ...
        ids, ordinary = np.arange(1, len(words) + 1), np.arange(1, len(names))
        for seed in range(number):
            rng = np.random.default_rng(seed)
            chosen = choose_positions(np.ones(len(ids), bool), rate, rng)
            seen = corrupt_80_10_10(ids, chosen, 0, ordinary, rng)
            yield words, chosen.tolist(), names[seen].tolist()

    return ManyRedraws(
        lambda sentence, rate, number: masking_view(list(drawn(sentence, rate / 100, number))),
        sentence=sentence_box(LONG),
        rate=widgets.IntSlider(15, 0, 100, 5, description="Masking rate (%)", style=WIDE),
    )


def unit_of(kind: str) -> tuple[list[str], np.ndarray]:
    """Return the units of a kind, and the number of each token's unit, (T,)."""
    units = re.split(UNITS[kind], SENTENCE)
    sizes = [len(re.split(UNITS["tokens"], unit)) for unit in units]
    return units, np.repeat(np.arange(len(units)), sizes)


def different_draws(kind: str) -> Iterator[np.ndarray]:
    """Yield draws, (T,) bool each, that mask a unit of this kind and differ from the draw before.

    A unit is of this kind if no kind before it has that unit, as with *new york* among the named entities.
    """
    units, numbers = unit_of(kind)
    finer = {unit for one in itertools.takewhile(kind.__ne__, UNITS) for unit in unit_of(one)[0]}
    own = [number for number, unit in enumerate(units) if unit not in finer]
    before = np.zeros(len(numbers), bool)
    for number in itertools.count():
        chosen = whole_word_positions(numbers, SHARE, np.random.default_rng([SEED, number]))
        if np.isin(numbers[chosen], own).any() and (chosen != before).any():
            yield chosen
            before = chosen


def help_left(chosen: np.ndarray) -> str:
    """Return a sentence about the visible parts of words and names that are partly masked."""
    names, numbers = unit_of("named entities")
    seen = []
    for number, name in enumerate(names):
        visible = np.array(TOKENS)[(numbers == number) & ~chosen].tolist()
        if visible and chosen[numbers == number].any():
            seen.append(f"{', '.join(visible)} (of {name.replace('##', '').replace('_', ' ')})")
    if not seen:
        return "No gap has help from its own word or name."
    return f"Help from the same word or name: {'; '.join(seen)}."


def units() -> Redraws:
    """Mask tokens, whole words, named entities, phrases or spans of one sentence."""

    def draw(unit: str, number: int) -> str:
        if unit == SPANS:
            rng = np.random.default_rng([SEED, number])
            chosen, note = span_positions(unit_of("whole words")[1], SHARE, rng), ""
        else:
            chosen = next(itertools.islice(different_draws(unit), number - 1, None))
            note = "" if unit == "tokens" else "Draws in which no larger unit is masked are left out."
        shown = words_html(TOKENS, chosen, np.where(chosen, "[MASK]", TOKENS).tolist())
        return f"{shown}<p>{help_left(chosen)} {note}</p>"

    return Redraws(draw, unit=widgets.Dropdown(options=[*UNITS, SPANS], description="Mask"))


def spelling() -> View:
    """Show how many tokens can be predicted from the rest of their word, without the sentence."""

    def cut_words(texts: list[list[str]]) -> list[list[str]]:
        words = {word for text in texts for word in text if word.isalnum()}
        known = {word: english().tokenizer.encode(word).pieces for word in words}
        return [known[word] for text in texts for word in text if len(known.get(word, [])) > 1]

    def examples(word: Sequence[str]) -> list[Example]:
        return [((tuple(word[:i]), tuple(word[i + 1 :])), token) for i, token in enumerate(word)]

    def share_cut(texts: list[str]) -> float:
        sizes = [np.bincount(english().tokenizer.encode(text).words) for text in texts]  # tokens of each word
        return sum(size[size > 1].sum() for size in sizes) / sum(size.sum() for size in sizes)

    train, held_out = documents()
    cut = cut_words(train), cut_words(held_out)
    right, always = accuracy(examples, *cut), accuracy(alone, *cut)
    most = Counter(itertools.chain.from_iterable(cut[0])).most_common(1)[0][0]
    title = f"Without reading the sentence, {right:.0%} are right if the rest of the word is visible"
    names = ["the rest of the word is visible", f"nothing is: always “{most}”"]
    drawn = bars(names, [right, always], "accuracy on the tokens of cut words", title, 0, "{:.0%}")
    texts = [" ".join(passage.sentences) for passage in passages()]
    return View(
        drawing_html(drawn)
        + f"<p>{share_cut(list(map(' '.join, held_out))):.0%} of the tokens of these documents "
        f"belong to words that are cut; in {len(texts)} English texts, {share_cut(texts):.0%}.</p>"
    )
