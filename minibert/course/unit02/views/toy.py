"""Attention on two sentences whose queries, keys and values are written by hand.

Vaswani et al. (2017, arXiv 1706.03762), section 3.2. Axes: S words, K head size, T queries.
"""

from collections.abc import Callable, Sequence

import ipywidgets as widgets
import numpy as np

from minibert.data.batch import visible_all, visible_causal
from minibert.readers.wording import with_minus
from minibert.reference import attention, softmax, split_heads

from ...widgets.attention import attention_maps, visibility_map
from ...widgets.attention_steps import STEPS, attention_steps, vector
from ...widgets.stepper import Stepper
from ...widgets.tables import score_table, scrolling
from ...widgets.view import Controls, View, panels

# word: query, key, value. Numbers of query and key: who, action, place, small word.
TABLE = {
    "she": ([0, 2, 0, 1], [3, 0, 0, 0], [2, 0, 0, 0]),
    "swam": ([2, 0, 2, 0], [0, 3, 1, 0], [0, 4, 0, 3]),
    "paid": ([2, 0, 2, 0], [0, 3, 1, 0], [0, -4, 0, 0]),
    "to": ([0, 0, 2, 0], [0, 0, 0, 1], [0, 0, 0, 1]),
    "at": ([0, 0, 2, 0], [0, 0, 0, 1], [0, 0, 0, 0]),
    "the": ([0, 0, 2, 0], [0, 0, 0, 1], [0, 0, 0, 0]),
    "bank": ([1, 2, 1, 0], [0, 0, 2, 0], [0, 0, 3, 0]),
    "[PAD]": ([1, 1, 1, 1], [1, 1, 1, 1], [1, 1, 1, 1]),
}
SENTENCES = "she swam to the bank", "she paid at the bank"
MEANINGS = "person", "water (+) or money (−)", "place", "movement"  # the numbers of a value
QUERIES = [("bank", 4), ("she", 0), ("swam / paid", 1), ("to / at", 2), ("the", 3)]
# The embedding of each word, and the matrices that turn it into its row of TABLE
FEATURES = "person", "action", "place", "small word", "water (+) or money (−)", "movement"
EMBEDDING = {
    "she": [1, 0, 0, 0, 0, 0],
    "swam": [0, 1, 0, 0, 1, 3],
    "paid": [0, 1, 0, 0, -1, 0],
    "to": [0, 0, 0, 1, 0, 1],
    "at": [0, 0, 0, 1, 0, 0],
    "the": [0, 0, 0, 1, 0, 0],
    "bank": [0, 0, 1, 0, 0, 0],
}
MATRICES = {
    "query": [[0, 2, 0, 1], [2, 0, 2, 0], [1, 2, 1, 0], [0, 0, 2, 0], [0, 0, 0, 0], [0, 0, 0, 0]],
    "key": [[3, 0, 0, 0], [0, 3, 1, 0], [0, 0, 2, 0], [0, 0, 0, 1], [0, 0, 0, 0], [0, 0, 0, 0]],
    "value": [[2, 0, 0, 0], [0, 0, 0, 0], [0, 0, 3, 0], [0, 0, 0, 0], [0, 4, 0, 0], [0, 0, 0, 1]],
}
MASKS = {"all (BERT)": visible_all, "causal (GPT)": visible_causal}
SHARES = {1: ["all four numbers"], 2: ["who, action", "place, small word"]}
SHARES[4] = ["who", "action", "place", "small word"]


def look_up(sentence: str) -> tuple[list[str], np.ndarray, np.ndarray, np.ndarray]:
    """Return the S words of a sentence, and their queries, keys and values, (S, 4) each.

    Raises ValueError for a word that is not in TABLE.
    """
    words = sentence.split()
    if unknown := [word for word in words if word not in TABLE]:
        raise ValueError(f"no query, key and value for {unknown[0]!r}; the words are {', '.join(TABLE)}")
    q, k, v = (np.array([TABLE[word][i] for word in words], float) for i in range(3))
    return words, q, k, v


def by_hand(q: np.ndarray, k: np.ndarray, v: np.ndarray) -> dict[str, np.ndarray]:
    """Return each intermediate result of attention for one query, as in the stepper."""
    dots = k @ q
    scores = dots / np.sqrt(len(q))
    probs = softmax(scores)
    return {"dots": dots, "scores": scores, "exps": np.exp(scores), "probs": probs, "context": probs @ v}


def steps() -> Stepper:
    """Show attention for one query, step by step."""

    def draw(sentence: str, query: int, step: int) -> str:
        words, q, k, v = look_up(sentence)
        return attention_steps(words, query, q[query], k, v, MEANINGS, step=step, **by_hand(q[query], k, v))

    return Stepper(
        draw,
        STEPS,
        sentence=widgets.Dropdown(options=SENTENCES, description="Sentence"),
        query=widgets.Dropdown(options=QUERIES, description="Query"),
    )


def context_of_bank(score: Callable, mix: Callable) -> View:
    """Show the context of “bank” in both sentences, computed with a student's two functions.

    score(q, k): the score of a query and a key, both lists. mix(weights, v): the sum of the values, each
    times its weight. A function that still returns None is replaced by ours, and the sentence above says so.
    """
    (score, mix), said = lent(score, mix)
    rows = []
    for sentence in SENTENCES:
        words, q, k, v = look_up(sentence)
        weights = softmax(np.array([score(q[4].tolist(), key) for key in k.tolist()], float))
        context = mix(weights.tolist(), v.tolist())
        most = int(weights.argmax())
        rows.append((sentence, f"{words[most]}, {weights[most]:.0%}", *map(signed, context)))
    return View(score_table(["sentence", "“bank” looks most at", *MEANINGS], rows, said))


def our_score(q: Sequence[float], k: Sequence[float]) -> float:
    return float(np.dot(q, k) / np.sqrt(len(q)))


def our_mix(weights: Sequence[float], v: Sequence[Sequence[float]]) -> list[float]:
    return (np.array(weights) @ np.array(v)).tolist()


def lent(score: Callable, mix: Callable) -> tuple[tuple[Callable, Callable], str]:
    """Return both functions, ours for each that is not written yet, and a sentence that says which."""
    mine = score([1.0], [1.0]) is not None, mix([1.0], [[1.0]]) is not None
    said = {
        (True, True): "With your score and your mix",
        (True, False): "With your score, and our mix until yours is written",
        (False, True): "With your mix, and our score until yours is written",
        (False, False): "With our score and mix, until yours are written",
    }[mine]
    return (score if mine[0] else our_score, mix if mine[1] else our_mix), said


def products(word: str) -> View:
    """Show how three matrices turn a word's embedding into its query, key and value."""
    x = EMBEDDING[word]
    names = f"x of “{word}”", "W<sup>Q</sup>", "W<sup>K</sup>", "W<sup>V</sup>"
    heads = "".join(f'<th scope="col">{name}</th>' for name in names)
    lines = "".join(
        f'<tr><th scope="row" style="text-align:right;font-weight:normal">{name} '
        f"{vector([number], 'token')}</th>"
        + "".join(f"<td>{vector(W[i], role)}</td>" for role, W in MATRICES.items())
        + "</tr>"
        for i, (name, number) in enumerate(zip(FEATURES, x))
    )
    sums = "".join(
        f"<td><b>= {role[0]}</b> {vector(np.array(x) @ W, role)}</td>" for role, W in MATRICES.items()
    )
    return View(scrolling(f'<table style="margin:0"><tr>{heads}</tr>{lines}<tr><td></td>{sums}</tr></table>'))


def everyone() -> Controls:
    """Show who may look at whom, and the weights that result, for a sentence with padding."""

    def draw(sentence: str, mask: str, padding: bool) -> str:
        words, q, k, v = look_up(f"{sentence} [PAD] [PAD]")
        real = np.array([[word != "[PAD]" or not padding for word in words]])  # (B, T), B = 1 sentence
        visible = MASKS[mask](real)[0]  # (T, T)
        probs = attention(q, k, v, visible)[1]
        n = len(sentence.split())
        title = f"The five words give {probs[:n, n:].sum() / n:.0%} of their attention to [PAD]"
        return panels(
            title,
            visibility_map(visible[:n], words[:n], "may look", words),
            attention_maps(probs[None, :n], words[:n], ["weight"], words)[0],
        )

    return Controls(
        draw,
        sentence=widgets.Dropdown(options=SENTENCES, description="Sentence"),
        mask=widgets.Dropdown(options=list(MASKS), description="Mask"),
        padding=widgets.Checkbox(True, description="Mask [PAD]"),
    )


def heads() -> Controls:
    """Show the weights of a sentence in one, two or four heads."""

    def draw(heads: int) -> str:
        words, *arrays = look_up(SENTENCES[0])
        q, k, v = (split_heads(array[None], heads)[0] for array in arrays)  # (H, T, K) each
        probs = attention(q, k, v)[1]
        looks = [f"{words[row.argmax()]} ({row.max():.0%})" for row in probs[:, 1] if np.ptp(row) > 1e-9]
        title = f"“swam” looks most at {' and at '.join(looks)}"
        return panels(title, *attention_maps(probs, words, SHARES[heads]))

    return Controls(draw, heads=widgets.Dropdown(options=[1, 2, 4], value=2, description="Heads"))


def signed(x: float) -> str:
    return with_minus(x, "{:.2f}")
