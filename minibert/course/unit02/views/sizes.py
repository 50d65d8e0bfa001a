"""Beyond the core of lesson 2: parameters, gradients without the division by √K, and a toy translator.

Axes: H heads, T German words, S English words, K head size.
"""

import ipywidgets as widgets
import numpy as np

from minibert.config import count_parameters, preset
from minibert.reference import softmax

from ...widgets.attention import attention_maps
from ...widgets.guess_then_see import GuessChoice
from ...widgets.plots import bars
from ...widgets.tables import score_table
from ...widgets.view import Controls, Drawing, View, panels
from ..toy_translation import ToyTranslator, toy_pairs

SAME = "The same number"


def guess_heads() -> GuessChoice:
    """Ask how the number of heads changes the number of parameters."""

    def attention_parameters(heads: int) -> int:
        return count_parameters(preset("base", num_attention_heads=heads))["attention"] // 12

    def see() -> str:
        rows = [(str(n), str(768 // n), f"{attention_parameters(n):,}") for n in (1, 12, 24)]
        return score_table(["heads", "columns of each", "parameters of one layer's attention"], rows) + (
            "<p>Heads divide the columns and add none: four matrices of 768 × 768 and four biases, "
            "however you cut them. In code, one large matrix makes the queries of all heads, and its result "
            "is cut.</p>"
        )

    return GuessChoice(
        "BERT-base cuts its 768 columns into 12 heads. If it cut them into 24, how many parameters would its "
        "attention have?",
        ["Half as many", SAME, "Twice as many"],
        lambda: SAME,
        see=see,
    )


def gradients() -> Controls:
    """Show the gradient of the largest weight at its query, with and without the division by √K."""

    def winner(K: int, spread: float, divisor: float) -> tuple[float, float]:
        rng = np.random.default_rng(K)
        q, k = spread * rng.normal(size=(500, 1, K)), spread * rng.normal(size=(500, 20, K))
        probs = softmax((q * k).sum(axis=2) / divisor)  # (500, 20)
        p, its_key = probs.max(axis=1), k[np.arange(500), probs.argmax(axis=1)]
        mean_key = (probs[:, :, None] * k).sum(axis=1)  # (500, K)
        lengths = np.linalg.norm(p[:, None] * (its_key - mean_key) / divisor, axis=1)
        return float(np.median(p)), float(np.median(lengths))

    def draw(spread: float) -> str:
        rows, ratio = [], 0.0
        for K in (4, 16, 64, 256, 1024):
            (p, length), (sharp, raw) = winner(K, spread, np.sqrt(K)), winner(K, spread, 1)
            ratio = raw / length
            rows.append((str(K), f"{p:.0%}", f"{sharp:.0%}", f"{ratio:.2g}"))
        names = ["d", "largest weight, divided", "not divided", "gradient, not divided ÷ divided"]
        size = f"{1 / ratio:.0f} times smaller" if ratio < 1 else f"{ratio:.0f} times larger"
        said = f"Without the division, the gradient at d = 1,024 is {size} (medians of 500 queries, 20 keys)"
        return score_table(names, rows, said)

    options = [("standard deviation 1", 1.0), ("as in a fresh BERT: 0.55", 0.55)]
    return Controls(draw, spread=widgets.Dropdown(options=options, description="Numbers"))


def sizes() -> Controls:
    """Count the parameters of a BERT with the student's sizes."""

    def draw(layers: int, hidden: int, vocabulary: int) -> Drawing:
        config = preset(
            "base",
            num_hidden_layers=layers,
            hidden_size=hidden,
            num_attention_heads=1,
            intermediate_size=4 * hidden,
            vocab_size=vocabulary,
        )
        counts = count_parameters(config)
        total, largest = sum(counts.values()), max(counts, key=counts.__getitem__)
        title = f"{total:,} parameters; the largest part is {largest} with {counts[largest] / total:.0%}"
        millions = [n / 1e6 for n in counts.values()]
        return bars(
            list(counts), millions, "million parameters", title, list(counts).index(largest), "{:,.3f}"
        )

    return Controls(
        draw,
        layers=widgets.BoundedIntText(12, min=1, max=48, description="Layers"),
        hidden=widgets.BoundedIntText(768, min=1, max=4096, description="Hidden size"),
        vocabulary=widgets.BoundedIntText(30522, min=5, max=500000, description="Vocabulary"),
    )


def translator() -> View:
    """Train a toy translator; show its cross-attention, and what happens if it may not look at a word."""
    pairs = toy_pairs()
    model = ToyTranslator(pairs[100:1300])
    unseen = [pair for pair in pairs[:100] if pair[0][-1] == "yesterday" and pair[0][-4] == "the"]

    def right(hidden: list[int]) -> float:
        """Return the share of sentences with the right article, if the decoder may not see some words."""
        written = [model.translate(source, hidden)[0] for source, _ in unseen]
        hits = [article(words) == article(target) for words, (_, target) in zip(written, unseen)]
        return float(np.mean(hits))

    source, target = unseen[0]  # the ADJECTIVE NOUN yesterday
    words, looks = model.translate(source)
    given = looks[:, words.index(article(words)), -2]  # (H,), to the noun
    head = int(given.argmax())
    writes = f"Writing “{article(words)}”, head {head + 1} gives"
    title = f"{writes} {given[head]:.0%} of its attention to “{source[-2]}”"
    drawn = panels(title, *attention_maps(looks, words, ["head 1", "head 2"], source, "writing"))
    parts = {"nothing": [], "the": [-4], "the adjective": [-3], "the noun": [-2], "yesterday": [-1]}
    rows = [(name, f"{right(hidden):.0%}") for name, hidden in parts.items()]
    names = ["hidden from the decoder", "right articles"]
    said = f"Without the noun, it guesses the article ({len(unseen)} new sentences)"
    return View(drawn + score_table(names, rows, said))


def article(words: list[str]) -> str:
    """Return the article of the object in a German sentence, or "" if there is none."""
    return next((word for word in words if word in ("den", "die", "das")), "")
