"""The parts of an encoder layer: scaling, feed-forward, residual and LayerNorm, positions.

Axes: B batch, T words, S keys, K head size, D hidden, F feed-forward.
"""

import ipywidgets as widgets
import numpy as np

from minibert.readers.wording import with_minus
from minibert.reference import (
    attention,
    encoder_layer,
    feed_forward,
    gelu,
    layer_norm,
    multi_head_attention,
    positional_encoding,
    softmax,
)
from minibert.reference.encoder import sub

from ...models.english import english
from ...widgets.attention import PANEL_WIDTH, attention_plan, feed_forward_plan, position_waves
from ...widgets.guess_then_see import GuessChoice
from ...widgets.plots import bars, curves
from ...widgets.tables import score_table
from ...widgets.view import PANELS, Controls, Drawing, View, drawing_html, panels
from .toy import EMBEDDING, SENTENCES, look_up

D, F, HEADS = 64, 256, 4  # BERT-base: 768, 3072, 12
COSINE, SIZE = "cosine of two words", "size (root mean square)"
DRAWS = 300
SHOWN = 60  # positions
FRESH = 0.55  # standard deviation of the weights times √D; BERT's 0.02 times √768
NEURONS = "place and water", "place and money"
W1 = np.array([[0, 0], [4, -4], [4, 4], [0, 0]])  # 4 · water + 4 · place; 4 · money + 4 · place
B1 = np.array([-15, -15])  # only a sum above 15 gets through
OF_EMBEDDING = [0, 4, 2, 5]  # the numbers of an embedding that mean the same as those of a value
PLAIN = {"weight": np.ones(D), "bias": np.zeros(D)}
SAME, NEIGHBOURS = "Nothing", "They depend on the new neighbours"


def large_scores() -> Controls:
    """Show the softmax of the same scores with and without the division by √K."""

    def draw(K: int, divided: bool) -> Drawing:
        rng = np.random.default_rng(K)
        q, k = rng.normal(size=(DRAWS, 1, K)), rng.normal(size=(DRAWS, 8, K))
        probs = softmax((q * k).sum(axis=2) / (np.sqrt(K) if divided else 1))  # (DRAWS, 8)
        usual = np.median(-np.sort(-probs, axis=1), axis=0)
        how = "divided by √d" if divided else "not divided"
        title = f"d = {K}, {how}: the best of 8 keys gets {usual[0]:.0%}"
        keys = ["best key", *(f"{i}." for i in range(2, 9))]
        return bars(keys, usual.tolist(), f"weight (median of {DRAWS} draws)", title, form="{:.0%}", limit=1)

    return Controls(
        draw,
        K=widgets.Dropdown(options=[4, 16, 64, 256, 1024], value=64, description="d"),
        divided=widgets.Checkbox(True, description="Divide by √d"),
    )


def layer_plan() -> View:
    """Show the two parts of an encoder layer as plans."""
    title = "One layer: each part adds a correction to what came in"
    return View(panels(title, attention_plan(), feed_forward_plan()))


def after_attention(sentence: str) -> tuple[list[str], np.ndarray, np.ndarray]:
    """Return a sentence's words, their embeddings and their contexts, (S, 4) each.

    Of an embedding, these are the four numbers with the meaning of a value's numbers.
    """
    words, q, k, v = look_up(sentence)
    x = np.array([EMBEDDING[word] for word in words])[:, OF_EMBEDDING]
    return words, x, attention(q, k, v)[0]


def neurons() -> View:
    """Show two neurons of a feed-forward network for each word of both sentences."""

    def table(sentence: str) -> str:
        words, x, context = after_attention(sentence)
        activated = gelu((x + context) @ W1 + B1)  # (S, F)
        rows = [(word, *(with_minus(z, "{:.1f}") for z in row)) for word, row in zip(words, activated)]
        return score_table(["word", *NEURONS], rows)

    return View(
        "<p><b>Only “bank” activates a neuron, and a different one in each sentence</b></p>"
        f'<div style="{PANELS}">{"".join(map(table, SENTENCES))}</div>{sums()}'
    )


def sums() -> str:
    """Return the calculation of the first neuron at “bank” in the first sentence, as HTML."""
    words, x, context = after_attention(SENTENCES[0])
    own, taken = x[words.index("bank")], context[words.index("bank")]  # (4,) each
    water, place = (own + taken)[1:3]
    z = 4 * water + 4 * place - 15
    return (
        f"<p>The first one computes 4 · water + 4 · place − 15. At “bank” in “{SENTENCES[0]}”, place is "
        f"{own[2]:g} from “bank” itself plus {taken[2]:.2f} from its context, and water is {own[1]:g} plus "
        f"{taken[1]:.2f}. So the sum is 4 · {water:.2f} + 4 · {place:.2f} − 15 = {z:.1f}, and the activation "
        f"function leaves {gelu(np.array(z)):.1f}. Everywhere else the sum is negative, and the result is "
        "almost 0. (For simplicity, there is no LayerNorm here.)</p>"
    )


def random_layer(rng: np.random.Generator, size: float = FRESH) -> dict[str, np.ndarray]:
    """Return random weights of an encoder layer. size: their standard deviation times √D."""
    shapes = {f"attention.{name}": (D, D) for name in ("query", "key", "value", "out")}
    shapes |= {"feed_forward.up": (F, D), "feed_forward.down": (D, F)}
    p = {f"{name}.weight": rng.normal(0, size / np.sqrt(D), shape) for name, shape in shapes.items()}
    p |= {f"{name}.bias": np.zeros(shape[0]) for name, shape in shapes.items()}
    for norm in ("attention_norm", "feed_forward_norm"):
        p |= {f"{norm}.weight": np.ones(D), f"{norm}.bias": np.zeros(D)}
    return p


def through(size: float, residual: bool, norm: bool, feed: bool, seed: int = 0) -> np.ndarray:
    """Send ten random words through twelve random layers.

    Returns (2, 13): before and after each layer, the mean cosine of two words and the size of their numbers.
    """
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(1, 10, D))
    seen = [watch(x)]
    for _ in range(12):
        p = random_layer(rng, size)
        parts = [lambda x, p=p: multi_head_attention(x, sub(p, "attention"), HEADS)[0]]
        parts += [lambda x, p=p: feed_forward(x, sub(p, "feed_forward"))] * feed
        for part in parts:
            x = x + part(x) if residual else part(x)
            x = layer_norm(x, PLAIN) if norm else x
        seen.append(watch(x))
    return np.array(seen).T


def watch(x: np.ndarray) -> tuple[float, float]:
    """Return (mean cosine of two words, root mean square) of (1, T, D) vectors."""
    unit = x[0] / np.linalg.norm(x[0], axis=1, keepdims=True)
    T = len(unit)
    return ((unit @ unit.T).sum() - T) / (T * (T - 1)), np.sqrt((x**2).mean())


def guess_without_residual() -> GuessChoice:
    """Ask what twelve layers without residual connections do to ten words."""
    alike = "They become almost the same vector"

    def see() -> str:
        lines = {
            "with the residual": through(FRESH, True, True, True)[0],
            "without": through(FRESH, False, True, True)[0],
        }
        title = f"Without the residual, two words have a cosine of {lines['without'][2]:.2f} after two layers"
        drawn = curves(np.arange(13), {COSINE: lines}, "layer", title, width=1.5 * PANEL_WIDTH)
        return (
            f"{drawing_html(drawn)}<p>Attention replaces each word by an average of words, so the words "
            "become alike. The residual carries each word past the averaging, and the layer only adds a "
            "correction.</p>"
        )

    return GuessChoice(
        "Ten different words go through twelve random layers without residual connections. What happens?",
        ["They become more different", "They stay about as different as they were", alike],
        lambda: alike,
        see=see,
    )


def depth() -> Controls:
    """Switch parts of twelve random layers on and off."""

    def draw(residual: bool, norm: bool, feed: bool, large: bool) -> str:
        alike, size = through(2 * FRESH if large else FRESH, residual, norm, feed)
        title = f"After 12 layers: cosine of two words {alike[-1]:.2f}, size of their numbers {size[-1]:,.2f}"
        shown = ((COSINE, "two words", alike, (-0.05, 1.05)), (SIZE, "numbers", size, (0, 3)))
        return panels(
            title,
            *(
                curves(
                    np.arange(13),
                    {axis: {name: values}},
                    "layer",
                    axis,
                    at_least={axis: limits},
                    width=PANEL_WIDTH,
                )
                for axis, name, values, limits in shown
            ),
        )

    return Controls(
        draw,
        residual=widgets.Checkbox(True, description="Residual"),
        norm=widgets.Checkbox(True, description="LayerNorm"),
        feed=widgets.Checkbox(True, description="Feed-forward"),
        large=widgets.Checkbox(False, description="Weights twice as large"),
    )


def dog(sentence: str, positions: bool) -> np.ndarray:
    """Return the output (D,) of a random layer at “dog”, with or without position encodings."""
    rng = np.random.default_rng(2)
    p, words = random_layer(rng), sentence.split()
    vectors = dict(zip(("dog", "bites", "man"), rng.normal(size=(3, D))))
    x = np.array([vectors[word] for word in words]) + (positional_encoding(3, D) if positions else 0)
    return encoder_layer(x[None], p, HEADS)[0][0, words.index("dog")]


def guess_order() -> GuessChoice:
    """Ask whether a layer without positions notices the order of words."""

    def gap(positions: bool) -> float:
        return abs(dog("dog bites man", positions) - dog("man bites dog", positions)).max()

    def see() -> str:
        one, other = dog("dog bites man", True), dog("man bites dog", True)
        cosine = one @ other / np.linalg.norm(one) / np.linalg.norm(other)
        return (
            "<p>The outputs for <i>dog</i> in <i>dog bites man</i> and <i>man bites dog</i> differ by "
            f"{gap(False):.0e}, which is rounding: shuffle the input, and the output is shuffled in the same "
            "way (<b>permutation equivariance</b>). Both are the same bag of words. With positions the two "
            f"outputs are different: their cosine is {cosine:.2f}.</p>"
        )

    return GuessChoice(
        "We shuffle the words of a sentence. What changes in the vectors that a layer, as built so far, "
        "computes for them?",
        [SAME, NEIGHBOURS, "They become alike"],
        lambda: SAME if gap(False) < 1e-12 else NEIGHBOURS,
        see=see,
    )


def positions() -> Controls:
    """Show the sinusoidal encodings, and how similar a position is to all others, computed and learned."""
    learned = english().model.encoder.embeddings.position.weight.detach().numpy()[:SHOWN]  # (T, D)
    waves = positional_encoding(SHOWN, learned.shape[1])  # (T, D)

    def draw(position: int) -> str:
        alike = {"waves": cosines(waves, position), "learned": cosines(learned, position)}
        near = [f"{values[position - 1 if position else 1]:.2f} ({name})" for name, values in alike.items()]
        said = f"Cosine with position {position}"
        return panels(
            f"Position {position} and its neighbour have a cosine of {' and '.join(near)}",
            position_waves(waves, position, "Waves"),
            curves(
                np.arange(SHOWN), {"cosine": alike}, "position", said, markers=False, width=1.3 * PANEL_WIDTH
            ),
        )

    return Controls(draw, position=widgets.BoundedIntText(20, min=0, max=SHOWN - 1, description="Position"))


def cosines(vectors: np.ndarray, place: int) -> np.ndarray:
    """Return the cosine of one of T vectors with each of them, (T,). vectors: (T, D)."""
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return unit @ unit[place]
