"""Texts that the English model writes by drawing one word after another again, and what its answers imply."""

import html
from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import Any

import ipywidgets as widgets
import numpy as np

from minibert.course.models.english import english
from minibert.course.widgets.guess import GAP, sentence_box
from minibert.course.widgets.plots import LINES, NAME_SIZE, headline, plain
from minibert.course.widgets.tables import scrolling
from minibert.course.widgets.try_it import either
from minibert.course.widgets.view import YELLOW, Controls, Drawing, View, figure, show
from minibert.generation.metropolis import metropolis, pseudo_log_likelihood
from minibert.generation.sampling import LogProbs, model_log_probs
from minibert.model.checkpoints.pretrained import ids_with_masks

from . import ours

TEXT = "the old man walked to the station and bought a ticket ."
TOP = 50  # candidates for a word
SWEEPS = 6
TICKS = 0.5, 1, 2, 5, 10, 20, 50, 100
OWN, MASKS = "my sentence", "only [MASK]"
GIBBS, METROPOLIS = "Gibbs", "Metropolis-Hastings"
SQUARES = (  # a sentence with two gaps, two words for the first, and two for the second
    ("The {} {} all night.", ("dog", "cat"), ("barked", "slept")),
    ("My {} is a {}.", ("mother", "father"), ("nurse", "soldier")),
    ("The {} drank a cup of {}.", ("man", "child"), ("coffee", "milk")),
    ("In {} people drink {}.", ("england", "france"), ("tea", "wine")),
    ("The {} sat on his {}.", ("king", "cat"), ("throne", "chair")),
)


@cache
def english_log_probs() -> LogProbs:
    """Return the English model as a function of token ids; only masked positions are computed."""
    model = english()
    return model_log_probs(model.model, mask=model.tokenizer.specials.mask)


@cache
def words_alone() -> np.ndarray:
    """Return which tokens are words or signs of their own, (V,) bool, not parts of words."""
    tokenizer = english().tokenizer
    special = {tokenizer.vocab[i] for i in tokenizer.specials.ids}
    return np.array(
        [
            token not in special and token.isascii() and (token.isalpha() or token in ",;'")
            for token in tokenizer.vocab
        ]
    )


def packed(text: str) -> np.ndarray:
    """Return the token ids of one text with gaps, (1, T)."""
    tokenizer = english().tokenizer
    specials = tokenizer.specials
    return np.array([[specials.cls, *ids_with_masks(tokenizer, text), specials.sep]])


def whole_words(log_probs: LogProbs) -> LogProbs:
    """Return a model that gives no probability to parts of words and to signs."""
    return lambda ids: np.where(words_alone(), log_probs(ids), -np.inf)


def predict(words: list[str], place: int) -> tuple[list[str], np.ndarray]:
    """Return the likeliest words for the [MASK] at `place` of a list of words, and their probabilities."""
    ids = packed(" ".join(words))
    before = words[:place].count(GAP)
    position = np.flatnonzero(ids[0] == english().tokenizer.specials.mask)[before]
    logs = whole_words(english_log_probs())(ids)[0, position]  # (V,)
    found = np.argsort(-logs)[: min(TOP, words_alone().sum())]
    probs = np.exp(logs[found].astype(float))
    return [english().tokenizer.vocab[i] for i in found], probs / probs.sum()


def gibbs_words(words: list[str], draw_again: Callable[..., list[str]], seed: int) -> Iterator[list[str]]:
    """Yield the words after each sweep, in which every word is drawn once, in random order."""
    rng = np.random.default_rng(seed)
    free = [place for place, word in enumerate(words) if word == GAP or word.isalpha()]
    while True:
        for place in rng.permutation(free):
            words = list(draw_again(words, int(place), partial(predict, place=int(place)), rng))
        yield words


def metropolis_words(words: list[str], seed: int) -> Iterator[list[str]]:
    """Yield the words after each sweep; a sweep makes one proposal per word."""
    rng, log_probs, tokenizer = (
        np.random.default_rng(seed),
        whole_words(english_log_probs()),
        english().tokenizer,
    )
    ids = packed(" ".join(words))
    mask = tokenizer.specials.mask
    free = np.array([i == mask or tokenizer.vocab[i].isalpha() for i in ids[0]])

    score = partial(pseudo_log_likelihood, free=free, log_probs=log_probs, mask=mask)
    if (ids == mask).any():  # a chain needs a text with a score to begin with
        ids = np.where(ids == mask, log_probs(ids).argmax(-1), ids)
    size = int(free.sum())
    steps = metropolis(ids, free, log_probs, mask, score, SWEEPS * size, rng)
    for number, (state, _) in enumerate(steps, 1):
        if number % size == 0:
            yield [tokenizer.vocab[i] for i in state[0, 1:-1]]


def chain(draw_again: Callable[..., list[str]]) -> Controls:
    """Show a sentence after each sweep of a chain; `draw_again` is the student's function."""
    step, said = either(draw_again, ours.draw_again)

    def draw(sentence: str, start: str, by: str, seed: int) -> str:
        tokenizer = english().tokenizer
        words = [tokenizer.vocab[i] for i in packed(sentence)[0, 1:-1]]
        if not words or GAP in words:
            return "<p>Write a sentence without [MASK], and press Enter.</p>"
        if start == MASKS:
            words = [GAP if word.isalpha() else word for word in words]
        states = gibbs_words(words, step, seed) if by == GIBBS else metropolis_words(words, seed)
        rows = [words, *(state for state, _ in zip(states, range(SWEEPS)))]
        shown = said if by == GIBBS else "The course's <code>metropolis</code> computes this."
        return sweeps_html(rows) + f"<p><small>{shown}</small></p>"

    return Controls(
        draw,
        sentence=sentence_box(TEXT),
        start=widgets.Dropdown(options=[OWN, MASKS], description="Start from"),
        by=widgets.Dropdown(options=[GIBBS, METROPOLIS], description="By"),
        seed=widgets.BoundedIntText(1, min=1, max=1000, description="Draw"),
    )


def sweeps_html(rows: list[list[str]]) -> str:
    """Return the words of each sweep as a table; changed words are marked."""

    def word_html(word: str, before: str | None) -> str:
        if before is None or word == before:
            return html.escape(word)
        return f'<mark style="background:{YELLOW};color:#1A1A1A">{html.escape(word)}</mark>'

    body = ""
    for sweep, words in enumerate(rows):
        old = rows[sweep - 1] if sweep else [None] * len(words)
        text = " ".join(map(word_html, words, old))
        body += (
            f'<tr><th scope="row" style="text-align:left;padding:2px 10px;white-space:nowrap">'
            f"{f'sweep {sweep}' if sweep else 'start'}</th>"
            f'<td style="text-align:left;padding:2px 10px">{text}</td></tr>'
        )
    return scrolling(f'<table style="border-collapse:collapse">{body}</table>')


def log_odds(text: str, words: tuple[str, str]) -> float:
    """Return how much likelier the first of two words is in the gap of a text, as a logarithm."""
    vocab = english().tokenizer.vocab
    ids = packed(text)
    logs = english_log_probs()(ids)[ids == english().tokenizer.specials.mask][0]
    first, second = (vocab.index(word) if word in vocab else 0 for word in words)
    return float(logs[first] - logs[second])


def odds_ratios(text: str, first: tuple[str, str], second: tuple[str, str]) -> tuple[float, float]:
    """Return how many times better the words fit in pairs than crosswise, asked at either gap.

    text: with {} for two gaps. If the model's conditionals belonged to one joint distribution p, both numbers
    would be p(a, c) p(b, d) / (p(a, d) p(b, c)).
    """
    (a, b), (c, d) = first, second
    one = log_odds(text.format(GAP, c), first) - log_odds(text.format(GAP, d), first)
    two = log_odds(text.format(a, GAP), second) - log_odds(text.format(b, GAP), second)
    return float(np.exp(one)), float(np.exp(two))


def two_answers() -> View:
    """Draw for a few sentences the two numbers that a joint distribution would make equal."""
    return show(*pairs_of_odds({text: odds_ratios(text, *words) for text, *words in SQUARES}))


def pairs_of_odds(found: dict[str, tuple[float, float]]) -> Drawing:
    """Draw both numbers of each sentence as two points on a line."""
    fig, ax = figure(0.9 + 0.42 * len(found))
    told, names = [], []
    for row, ((text, words, others), (one, two)) in enumerate(zip(SQUARES, found.values())):
        ax.plot([one, two], [row, row], color="black", linewidth=1)
        for value, (color, marker, _) in zip((one, two), LINES):
            ax.plot(value, row, marker, color=color, markersize=7)
        names.append(text.format("/".join(words), "/".join(others)))
        told.append(f"{names[-1]} {one:.2g} and {two:.2g}")
    ax.set_xscale("log")
    ax.set_xticks(TICKS, [f"{tick:g}" for tick in TICKS])
    ax.minorticks_off()
    ax.set_yticks(range(len(names)), names)
    ax.set(xlabel="how many times better the words fit in this order than crosswise (logarithmic)")
    ax.set_ylim(len(found) - 0.5, -0.5)
    plain(ax)
    points: list[Any] = [
        ax.plot([], [], marker, color=color, linestyle="", label=f"asked at the {name} gap")[0]
        for (color, marker, _), name in zip(LINES, ("first", "second"))
    ]
    fig.legend(handles=points, loc="outside lower center", ncols=2, frameon=False, fontsize=NAME_SIZE)
    most = max(max(pair) / min(pair) for pair in found.values())
    title = f"The same question, asked at either gap: the answers differ by up to {most:.0f} times"
    headline(fig, title)
    return fig, f"{title}. First and second gap: {'; '.join(told)}."
