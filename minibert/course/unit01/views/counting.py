"""Models that only count: which side of a gap helps most; and how often each word is masked.

They learn from the course's generated documents, in which a word is whatever is between spaces, lowercased,
without punctuation. Axes: T words, E epochs.
"""

import re
import textwrap
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from functools import cache

import ipywidgets as widgets
import numpy as np

from minibert.data.masking import choose_positions
from minibert.generated import World

from ...widgets.guess_then_see import GuessChoice
from ...widgets.masking import coverage_view
from ...widgets.tables import score_table
from ...widgets.try_it import either
from ...widgets.view import Controls, View, drawing_html

Example = tuple[tuple, str]  # what is visible, and the masked word
Texts = Sequence[Sequence[str]]
BOTH = "one word on each side"


@cache
def documents() -> tuple[list[list[str]], list[list[str]]]:
    """Return the words of 2,000 documents to learn from and of 200 held-out ones."""

    def words_of(split: str, count: int) -> list[list[str]]:
        found = World(7).documents(count, seed=1, split=split)
        return [re.findall(r"[a-z0-9']+", document.text.lower()) for document in found]

    return words_of("train", 2000), words_of("dev", 200)


def sample() -> str:
    """Return the beginning of the first document, in lines."""
    return textwrap.fill(" ".join(documents()[0][0][:50]) + " …", 100)


def around(words: Sequence[str]) -> list[Example]:
    return [((left, right), word) for left, word, right in zip(words, words[1:], words[2:])]


def alone(words: Sequence[str]) -> list[Example]:
    return [((), word) for word in words]


SIDES: dict[str, Callable[[Sequence[str]], list[Example]]] = {
    "two words before": lambda words: [((a, b), word) for a, b, word in zip(words, words[1:], words[2:])],
    "two words after": lambda words: [((a, b), word) for word, a, b in zip(words, words[1:], words[2:])],
    "nothing: always the most frequent word": alone,
}


def accuracy(make_examples: Callable[[Sequence[str]], list[Example]], *texts: Texts) -> float:
    """Count which word is most frequent in each context, and test this on other texts.

    texts: those to learn from and those to test on, by default the `documents`. A context that was never
    read counts as wrong.
    """
    train, held_out = texts or documents()
    counts: defaultdict[tuple, Counter] = defaultdict(Counter)
    for words in train:
        for context, word in make_examples(words):
            counts[context][word] += 1
    best = {context: max(counter, key=counter.__getitem__) for context, counter in counts.items()}
    hits = [best.get(context) == word for words in held_out for context, word in make_examples(words)]
    return sum(hits) / len(hits)


def guess_side(make_examples: Callable) -> GuessChoice:
    """Ask which words next to a gap help most. make_examples: the student's function, or an empty one."""
    used, _ = either(make_examples, around)
    whose = "our" if used is around else "your"

    @cache
    def measured() -> dict[str, float]:
        return {BOTH: accuracy(used)} | {name: accuracy(examples) for name, examples in SIDES.items()}

    def see() -> str:
        found = measured()
        title = f"With {whose} examples: {found[BOTH]:.0%} right from both sides, less from one"
        rows = [(name, f"{share:.0%}") for name, share in found.items()]
        places = sum(len(words) - 2 for words in documents()[1])
        return score_table(["visible", "right"], rows, title) + (
            f"<p>Tested on {places:,} words. Each of the three models sees two words, so it is the "
            "<i>place</i> that matters. This is the idea behind BERT.</p>"
        )

    return GuessChoice(
        "A model sees two words and predicts the missing one. Which two are best?",
        [BOTH, *list(SIDES)[:2], "there is no difference"],
        lambda: max(measured(), key=measured().__getitem__),
        see=see,
    )


def coverage(ever_predicted: Callable[[float, int], float]) -> Controls:
    """Compare one static mask with fresh masks. ever_predicted: the student's function, or an empty one."""
    text = documents()[0][1][:24]

    def draw(epochs: int, rate: float) -> str:
        every = np.ones((epochs, len(text)), bool)  # (E, T): the words predicted in each epoch
        fresh = choose_positions(every, rate / 100, np.random.default_rng(5))
        static = every & fresh[0]
        title = (
            f"After epoch {epochs}, words predicted: {static.any(axis=0).mean():.0%} with one static mask, "
            f"{fresh.any(axis=0).mean():.0%} with fresh masks"
        )
        mine = ever_predicted(rate / 100, epochs)
        said = "" if mine is None else f"<p>Your function expects {float(mine):.1%} with fresh masks.</p>"
        if mine is not None and not 0 <= mine <= 1:
            said = f"<p>Your function says {float(mine):g}, but a share is between 0 and 1.</p>"
        shown = coverage_view(text, {"one static mask": static, "fresh masks": fresh}, title)
        return drawing_html(shown) + said

    return Controls(
        draw,
        epochs=widgets.BoundedIntText(10, min=1, max=60, description="Epochs"),
        rate=widgets.BoundedFloatText(15, min=1, max=90, step=5, description="Rate (%)"),
    )


def expected_shares() -> View:
    """Show what share of the words is ever predicted, with one mask, ten masks and fresh masks."""
    rows = [
        (str(epochs), "15.0%", f"{1 - 0.85 ** min(epochs, 10):.1%}", f"{1 - 0.85**epochs:.1%}")
        for epochs in (1, 4, 10, 40)
    ]
    return View(score_table(["epochs", "one static mask", "ten masks (BERT)", "fresh masks (RoBERTa)"], rows))
