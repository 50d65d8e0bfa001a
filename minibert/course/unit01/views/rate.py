"""Counting models trained at different masking rates, on the documents of `counting`.

Unlike the models there, they also learn from words with a masked neighbour. The words are numbers, which is
fast. Axes: T words, N masked words.
"""

from functools import cache

import numpy as np

from minibert.data.masking import choose_positions

from ...widgets.guess_then_see import GuessChoice
from ...widgets.plots import GREYS, curves
from ...widgets.view import Drawing
from .counting import documents

RATES = 5, 15, 30, 40, 60, 80, 95  # percent
TEST_RATE = 0.15
PASSES, SEEDS = (1, 5), 3  # over the documents; random starts
BASE = 2**20  # more than there are words


@cache
def numbered() -> tuple[np.ndarray, np.ndarray]:
    """Return the `documents` as numbers from 1, (T,) each, with a 0 before, between and after documents."""
    train, held_out = (np.array(["", *(w for words in texts for w in (*words, ""))]) for texts in documents())
    numbers = np.unique(np.concatenate([train, held_out]), return_inverse=True)[1]  # "" is 0
    return numbers[: len(train)], numbers[len(train) :]


def masked_words(words: np.ndarray, masked: np.ndarray) -> np.ndarray:
    """Return (left neighbour, word, right neighbour) of each masked word, (3, N); a masked neighbour is 0.

    words: (T,) as in `numbered`. masked: (T,) bool.
    """
    shown, at = np.where(masked, 0, words), np.flatnonzero(masked)
    return np.stack([shown[at - 1], words[at], shown[at + 1]])


def learn(left: np.ndarray, words: np.ndarray, right: np.ndarray) -> dict[int, int]:
    """Return the most frequent word in each context: both neighbours, one of them, or none.

    left, words, right: (N,) each, as in `masked_words`. The neighbours a and b are the key BASE * a + b, in
    which 0 is no neighbour.
    """
    none = np.zeros_like(left)
    contexts = ((left, right), (left, none), (none, right), (none, none))
    known = ((left > 0) & (right > 0), left > 0, right > 0, none == 0)
    codes = np.concatenate(
        [((BASE * a + b) * BASE + words)[keep] for (a, b), keep in zip(contexts, known)]
    )  # one number for a context and its word
    found, counts = np.unique(codes, return_counts=True)
    order = np.lexsort((counts, found // BASE))  # by context, then by frequency
    keys, most = np.divmod(found[order], BASE)
    last = np.diff(keys, append=-1) != 0
    return dict(zip(keys[last].tolist(), most[last].tolist()))


def predict(learned: dict[int, int], left: int, right: int) -> int:
    """Return the most frequent word of the most specific context that was learned, or 0 if there is none."""
    keys = (BASE * left + right, BASE * left, right, 0)
    return next((learned[key] for key in keys if key in learned), 0)


@cache
def trained_at(rate: int, passes: int, seed: int) -> float:
    """Learn from words masked at a rate (percent), and return the accuracy at a rate of 15%."""
    train, held_out = numbered()
    rng, exam = np.random.default_rng([rate, passes, seed]), np.random.default_rng(1000 + seed)
    read = [masked_words(train, choose_positions(train > 0, rate / 100, rng)) for _ in range(passes)]
    learned = learn(*np.concatenate(read, axis=1))
    tests = masked_words(held_out, choose_positions(held_out > 0, TEST_RATE, exam))
    return float(np.mean([predict(learned, left, right) == word for left, word, right in tests.T.tolist()]))


@cache
def rates() -> dict[str, np.ndarray]:
    """Return the accuracy in percent for each of RATES: one pass over the documents, and five."""
    return {
        f"{passes} pass{'es' * (passes > 1)}": np.array(
            [100 * np.mean([trained_at(rate, passes, seed) for seed in range(SEEDS)]) for rate in RATES]
        )
        for passes in PASSES
    }


def guess_rate() -> GuessChoice:
    """Ask at which masking rate a model should be trained."""
    choices = {"5%": 5, "15%": 15, "40%": 40, "80%": 80}

    def see() -> Drawing:
        lines = rates()
        low, high = (lines["1 pass"][RATES.index(rate)] for rate in (15, 40))
        middle = lines["5 passes"][RATES.index(15) : RATES.index(60) + 1]
        title = (
            f"After 1 pass, masking 40% beats 15%: {high:.0f} against {low:.0f}% right. After 5 passes, "
            f"the results at 15 to 60% differ by only {np.ptp(middle):.1f} points"
        )
        along = f"masking rate in training, % (means of {SEEDS} random starts)"
        drawn = curves(RATES, {"accuracy in %": lines}, along, title, looks=GREYS)
        drawn[0].axes[0].set_xticks(RATES)
        return drawn

    return GuessChoice(
        "Counting models read the documents once, each at a different masking rate. All are tested at 15%. "
        "Which of these models is best?",
        list(choices),
        lambda: max(choices, key=lambda name: rates()["1 pass"][RATES.index(choices[name])]),
        see=see,
    )
