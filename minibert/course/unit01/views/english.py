"""The English model fills gaps: in sentences of the student's own, in forty texts, and after “not”."""

import html
import itertools
import re
from collections import Counter
from functools import cache

import ipywidgets as widgets
import numpy as np

from minibert.data.masking import choose_positions

from ...models.english import english
from ...texts.passages import passages
from ...widgets.compared import with_bert_base
from ...widgets.guess import (
    GAP,
    CommitFirst,
    FillMask,
    columns_html,
    filled_by_html,
    sentence_box,
    sentence_html,
)
from ...widgets.guess_then_see import GuessChoice
from ...widgets.masking import draw_number, new_draw
from ...widgets.plots import bars
from ...widgets.tables import score_table
from ...widgets.view import Controls, View, drawing_html

NINE = (  # sentences, each with the word that we had in mind
    ("Paris is the capital of [MASK].", "france"),
    ("He shook his [MASK] and said no.", "head"),
    ("A week has seven [MASK].", "days"),
    ("They have two children, a son and a [MASK].", "daughter"),
    ("The opposite of hot is [MASK].", "cold"),
    ("Neither the king [MASK] the queen came.", "nor"),
    ("Bees make [MASK].", "honey"),
    ("He plays [MASK] in a rock band.", "guitar"),
    ("Thank you very [MASK] for your letter.", "much"),
)
STORY = (
    "My grandmother lives in a small house by the sea. Every morning she opens the window, makes a cup of "
    "tea and looks at the water. When the weather is good, she goes out for a walk and talks to the people "
    "in the village."
)
RATES = 0.15, 0.4, 0.8


def fill_mask(text: str) -> FillMask:
    """Fill the gaps of the student's sentence."""
    return FillMask(english(), text)


def how_good() -> View:
    """Show the first prediction for each of NINE sentences, also by BERT-base if it is on this computer."""
    models = with_bert_base({"our English model": english()})
    firsts = [[model.fill_mask(text)[0][0] for model in models.values()] for text, _ in NINE]
    rows = [
        (text, right, *(f"{word} ({p:.0%}){' ✓' * (word == right)}" for word, p in row))
        for (text, right), row in zip(NINE, firsts)
    ]
    hits = [
        f"{name} {sum(row[i][0] == right for (_, right), row in zip(NINE, firsts))} of {len(NINE)}"
        for i, name in enumerate(models)
    ]
    return View(score_table(["sentence", "we had in mind", *models], rows, f"Right: {', '.join(hits)}"))


def left_only() -> Controls:
    """Fill a gap from both sides, from the left alone and from the right alone."""

    def draw(text: str) -> str:
        if text.count(GAP) != 1:
            raise ValueError("write a sentence with one [MASK]")
        left, right = text.split(GAP)
        sides = {"both sides": text, "left side only": f"{left}{GAP}", "right side only": f"{GAP}{right}"}
        return columns_html({name: english().fill_mask(part)[0] for name, part in sides.items()})

    return Controls(draw, text=sentence_box("The [MASK] barked at the postman."))


def masked(text: str, rate: float, number: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the T words and punctuation marks of a text, and (T,) bool: which of them are masked.

    Only words that are a single token are masked, because one [MASK] is one token.
    """
    words = re.findall(r"\w+|[^\w\s]", text)
    can = [word.isalpha() and english().tokenizer.encode(word).pieces == [word.lower()] for word in words]
    return np.array(words), choose_positions(np.array(can, bool), rate, np.random.default_rng(number))


def predictions(words: np.ndarray, chosen: np.ndarray) -> list[str]:
    """Return the model's most likely word for each masked one."""
    text = " ".join(np.where(chosen, GAP, words))
    return [top[0][0] for top in english().fill_mask(text, 1)] if chosen.any() else []


def my_text() -> CommitFirst:
    """Mask a text at a rate, and let the student guess how many words the model will get right."""

    def ask(text: str, rate: int, number: int) -> str:
        words, chosen = masked(text, rate / 100, number)
        shown = sentence_html(" ".join(np.where(chosen, GAP, words)))
        return f"{shown}<p>Masked words: {chosen.sum()}. How many of them will the model get right?</p>"

    shown = CommitFirst(
        ask,
        lambda text, rate, number: filled_by_html(english(), *masked(text, rate / 100, number)),
        text=widgets.Textarea(
            STORY,
            description="My text",
            continuous_update=False,
            layout={"width": "620px", "max_width": "98%", "height": "90px"},
        ),
        rate=widgets.Dropdown(options=[15, 40, 80], description="Rate (%)"),
        number=draw_number(),
    )
    new_draw(shown)
    return shown


@cache
def rates_in_english() -> tuple[list[float], float, Counter]:
    """Mask forty beginnings at each of RATES.

    Returns (the accuracy at each rate, that of always predicting the most frequent word, how often each word
    is right at the last rate).
    """
    texts = [" ".join(passage.sentences[:2]) for passage in passages()]
    shares = []
    for rate in RATES:
        count, right = 0, Counter[str]()
        for text, number in itertools.product(texts, range(round(0.5 / rate))):  # 3, 1 and 1 draws
            words, chosen = masked(text, rate, number)
            said = predictions(words, chosen)
            right.update(guess for word, guess in zip(words[chosen], said) if word.lower() == guess)
            count += len(said)
        shares.append(right.total() / count)
    every = np.concatenate([words[can] for words, can in (masked(text, 1, 1) for text in texts)])
    return shares, Counter(map(str.lower, every)).most_common(1)[0][1] / len(every), right


def guess_masked() -> GuessChoice:
    """Ask how much the model still gets right with most of the words masked."""
    ranges = {"under 5%": (0, 0.05), "5 to 15%": (0.05, 0.15), "15 to 30%": (0.15, 0.3), "over 30%": (0.3, 1)}

    def see() -> str:
        shares, always, right = rates_in_english()
        names = [*(f"{rate:.0%} masked" for rate in RATES), "always the most frequent word"]
        lost = 100 * (shares[0] - shares[1])
        title = (
            f"From 15% to 40% masked it loses {lost:.0f} points, and at 80% more than half of its accuracy"
        )
        drawn = bars(names, [*shares, always], "accuracy on the masked words", title, form="{:.0%}")
        top = right.most_common(5)
        often = ", ".join(f"<i>{html.escape(word)}</i> {count}" for word, count in top)
        share = sum(count for _, count in top) / right.total()
        return drawing_html(drawn) + (
            f"<p>At {RATES[-1]:.0%}, five words are {share:.0%} of what it gets right: {often} times.</p>"
        )

    def answer() -> str:
        share = rates_in_english()[0][-1]
        return next(name for name, (low, high) in ranges.items() if low <= share < high)

    return GuessChoice(
        "With 80% of the words masked, what share of them does the English model get right?",
        list(ranges),
        answer,
        see=see,
    )
