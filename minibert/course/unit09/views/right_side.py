"""Show what a masked language model predicts when words to the right of the gap are hidden from it.

The views also show BERT-base if it is available (see `minibert.course.widgets.compared`).
"""

import html
from typing import Any

import numpy as np
import torch

from minibert.course.widgets import guess
from minibert.course.widgets.compared import for_each_model, labelled
from minibert.course.widgets.plots import curves
from minibert.course.widgets.view import figure_html
from minibert.data.batch import pack
from minibert.model.checkpoints.pretrained import ids_with_masks

LONGEST = 30  # tokens of a sentence
RANKED = 8  # tokens whose previous places a ranking shows


@torch.no_grad()
def step_by_step(model: Any, text: str) -> tuple[np.ndarray, list[str]]:
    """Return a model's probabilities at [MASK] while it sees more and more of the tokens to the right.

    model: a pretrained model from `minibert.load`. Returns the probabilities (n, V), first for no token to
    the right and last for all n - 1 of them, and a list of these tokens. Raises ValueError unless the text
    has exactly one [MASK] and at most LONGEST tokens.
    """
    tokenizer = model.tokenizer
    ids, types = pack(ids_with_masks(tokenizer, text), None, tokenizer.specials)
    if ids.count(tokenizer.specials.mask) != 1 or len(ids) > LONGEST + 2:
        raise ValueError(f"write a sentence of at most {LONGEST} tokens with one [MASK]")
    at, T = ids.index(tokenizer.specials.mask), len(ids)
    n = T - at - 1
    visible = torch.ones(n, T, T, dtype=torch.bool)
    for shown in range(n):
        visible[shown, :, at + 1 + shown : T - 1] = False  # no token sees the rest; [SEP] stays
    inputs, segments = (torch.tensor([row] * n) for row in (ids, types))  # (n, T)
    logits = model.model(inputs, visible, segments, counted=inputs == tokenizer.specials.mask)["tokens"]
    probs = logits[:, : len(tokenizer)].softmax(-1)  # (n, V)
    return probs.numpy(), [tokenizer.vocab[i] for i in ids[at + 1 : -1]]


def ranking(model: Any, probs: np.ndarray, count: int = 5) -> list[tuple[str, float]]:
    """Return (token, probability) for the `count` most likely tokens, given all probabilities (V,)."""
    return [(model.tokenizer.vocab[i], float(probs[i])) for i in np.argsort(-probs)[:count]]


def rankings(model: Any, text: str, shown: int = -1) -> dict[str, list[tuple[str, float]]]:
    """Return the most likely tokens for [MASK] from the model and the ones it is compared with.

    shown: how many of the tokens to the right the models see; -1 for all. Returns {name of a model: list of
    (token, probability)}.
    """
    return for_each_model(model, lambda one: ranking(one, step_by_step(one, text)[0][shown]))


def curves_html(model: Any, text: str) -> str:
    """Plot, as HTML, how the most likely tokens change as models see more of the tokens to the right."""
    return labelled(for_each_model(model, lambda one: curves_of(one, text)))


def curves_of(model: Any, text: str) -> str:
    """Plot, as HTML for one model, its two most likely tokens without and with the tokens to the right."""
    vocab = model.tokenizer.vocab
    probs, right = step_by_step(model, text)
    if not right:
        raise ValueError("write something after [MASK], too")
    none, all_of_it = np.argsort(-probs[0])[:2], np.argsort(-probs[-1])[:2]
    lines = {vocab[i]: 100 * probs[:, i] for i in dict.fromkeys([*none, *all_of_it])}
    said = [f"“{vocab[i[0]]}” ({step[i[0]]:.0%})" for i, step in ((none, probs[0]), (all_of_it, probs[-1]))]
    picture = curves(
        range(len(probs)),
        {"probability, %": lines},
        "number of tokens to the right that the model sees",
        f"Likeliest without the right side: {said[0]}; with it: {said[1]}",
    )
    names = ", ".join(f"{number} {token}" for number, token in enumerate(right, 1))
    return figure_html(*picture) + f"<p>The tokens to the right: {html.escape(names)}</p>"


def ranking_html(model: Any, text: str, tokens: int) -> str:
    """Return, as HTML, the most likely tokens for [MASK] if models see some of the tokens to the right.

    tokens: how many they see. Each result is marked with its rank for a text without them.
    """
    found = for_each_model(model, lambda one: ranking_step(one, text, tokens))
    longest = guess.LONGEST if len(found) == 1 else guess.SHORTER
    return labelled(
        {
            name: f"<p>{html.escape(line)}</p>{guess.guesses_html(now, notes, name, longest)}"
            for name, (line, now, notes) in found.items()
        }
    )


def ranking_step(model: Any, text: str, tokens: int) -> tuple[str, list[tuple[str, float]], dict[str, str]]:
    """Return the text that a model sees, its ranking, and a note for each token in the ranking.

    tokens: how many tokens to the right of [MASK] the model sees.
    """
    probs, right = step_by_step(model, text)
    shown = min(tokens, len(right))
    before = [word for word, _ in ranking(model, probs[0], RANKED)]
    now = ranking(model, probs[shown], RANKED)
    places = {word: f"was number {place}" for place, word in enumerate(before, 1)}
    notes = {word: places.get(word, "new") for word, _ in now} if shown else {}
    line = f"{text.partition('[MASK]')[0]}[MASK] {' '.join([*right[:shown], *['▨'] * (len(right) - shown)])}"
    return line, now, notes
