"""Show the steps from a masked token's hidden state to its loss, and the losses of a sequence.

The objective is from Devlin et al. (2019, arXiv 1810.04805), section 3.1, task 1; the layers of the head
follow the authors' code. Axes: T tokens, V words, D hidden.
"""

import html
from collections.abc import Sequence

import numpy as np

from .attention_steps import FRAME, bar, number, row, vector
from .chips import chip
from .plots import DARK
from .tables import scrolling
from .view import ORANGE, SKY

STEPS = 9
TOLD = (
    "The encoder's last layer gives one vector, the hidden state of the [MASK].",
    "Transform: multiply by a learned matrix and add a bias. The size stays the same.",
    "GELU: positive numbers hardly change, and negative numbers nearly vanish.",
    "LayerNorm: subtract the mean, and divide by the standard deviation.",
    "Dot product with the embedding of every word, from the same table as the input embeddings.",
    "Add the bias of each word, which is larger for frequent words. The results are the logits.",
    "Softmax, first half: e to the power of each logit.",
    "Softmax, second half: divide by their sum, {total:.2f}. The results are probabilities.",
    "The correct word is “{word}”. Its probability is p = {p:.3f}, so the loss is −ln p = {loss:.2f}.",
)
HEIGHT = 70  # pixels for the highest bar over a token if its loss is at least 1


def word_to_loss(
    words: Sequence[str],
    table: np.ndarray,
    right: int,
    hidden: np.ndarray,
    transformed: np.ndarray,
    activated: np.ndarray,
    normed: np.ndarray,
    dots: np.ndarray,
    bias: np.ndarray,
    logits: np.ndarray,
    exps: np.ndarray,
    probs: np.ndarray,
    step: int,
) -> str:
    """Return the computation of the masked-LM head and loss for one [MASK] as HTML, up to a step.

    words: V words. table: their embeddings (V, D). right: the index of the original word. The other arrays
    are the results of the steps: hidden, transformed, activated and normed are (D,); dots, bias, logits, exps
    and probs are (V,). step: 1 to STEPS. Raises ValueError for any other step.
    """
    if not 1 <= step <= STEPS:
        raise ValueError(f"there is no step {step}; the steps are 1 to {STEPS}")
    loss = -np.log(probs[right])
    told = TOLD[step - 1].format(total=exps.sum(), word=words[right], p=probs[right], loss=loss)
    vectors = [("hidden h", hidden), ("W h + b", transformed), ("GELU", activated), ("LayerNorm", normed)]
    upper = "".join(
        row(name, [vector(x, "context")], i + 1 == step) for i, (name, x) in enumerate(vectors[:step])
    )
    lines = [
        ("embedding · vector", [f"{vector(e, 'token')}<br>{number(x)}" for e, x in zip(table, dots)]),
        (
            "+ bias",
            [f"{number(x)} + {number(b)}<br>= <b>{number(y)}</b>" for x, b, y in zip(dots, bias, logits)],
        ),
        ("e to the logit", [f"{x:.2f}" for x in exps]),
        ("p", [bar(x) for x in probs]),
        ("−ln p", [f"<b>{loss:.2f}</b>" if i == right else "" for i in range(len(words))]),
    ]
    lower = "".join(
        row(name, values, i + 5 == step) for i, (name, values) in enumerate(lines[: max(0, step - 4)])
    )
    heads = "".join(f'<th scope="col" style="{FRAME}">{html.escape(word)}</th>' for word in words)
    below = (
        f'<table style="border-collapse:collapse"><tr><th></th>{heads}</tr>{lower}</table>' if lower else ""
    )
    return (
        f'<p style="margin:6px 0" aria-live="polite"><b>Step {step} of {STEPS}.</b> {html.escape(told)}</p>'
        + scrolling(f'<table style="border-collapse:collapse">{upper}</table>{below}')
    )


def row_losses(tokens: Sequence[str], labels: Sequence[str], losses: Sequence[float] | np.ndarray) -> str:
    """Return a sequence as HTML, with labels and losses below the tokens, and frames around predicted tokens.

    tokens: T words. labels: T words, "" for tokens that are not predicted. losses: (T,). Raises ValueError
    for unequal lengths.
    """
    if not len(tokens) == len(labels) == len(losses):
        raise ValueError(
            f"got {len(tokens)} tokens, {len(labels)} labels and {len(losses)} losses, "
            "but the three numbers must be equal"
        )
    counted = [float(loss) for label, loss in zip(labels, losses) if label]
    boxes = "".join(token_box(*each) for each in zip(tokens, labels, losses))
    terms = " + ".join(f"{loss:.2f}" for loss in counted)
    total = (
        f"({terms}) / {len(counted)} = <b>{np.mean(counted):.2f}</b>"
        if counted
        else "none, because no token is predicted"
    )
    alt = "; ".join(
        f"{token}: label {label}, loss {loss:.2f}" if label else f"{token}: not predicted"
        for token, label, loss in zip(tokens, labels, losses)
    )
    return (
        f'<div role="img" aria-label="{html.escape(alt)}" style="line-height:1.4">{boxes}</div>'
        f'<p style="margin:6px 0">Loss of the sequence: {total}</p>'
    )


def token_box(token: str, label: str, loss: float) -> str:
    """Return one token as HTML, with its label and its loss below it."""
    if not label:
        return chip(token, below="–<br>&nbsp;")
    return chip(token, SKY, below=f"{html.escape(label)}<br><b>{loss:.2f}</b>")


def losses_html(tokens: Sequence[str], losses: Sequence[float] | np.ndarray) -> str:
    """Return text as HTML, with a bar above each token for its loss and a frame around the highest loss.

    tokens: T words. losses: (T,), not negative. Raises ValueError for unequal lengths, or if there are no
    tokens.
    """
    if len(tokens) != len(losses) or not len(tokens):
        raise ValueError(
            f"got {len(tokens)} tokens and {len(losses)} losses; pass at least one token, and a loss for each"
        )
    most = int(np.argmax(losses))
    pixels = HEIGHT / max(1.0, float(losses[most]))
    boxes = "".join(
        f'<span style="display:inline-block;text-align:center">'
        f'<span style="display:block;margin:auto;width:16px;height:{pixels * loss:.0f}px;background:{SKY};'
        f'border:1px solid {DARK}"></span>{chip(token, ORANGE * (i == most), below=f"{loss:.1f}")}</span>'
        for i, (token, loss) in enumerate(zip(tokens, losses))
    )
    told = ", ".join(f"{token} {loss:.1f}" for token, loss in zip(tokens, losses))
    return (
        f'<div role="img" aria-label="Loss of each token: {html.escape(told)}." style="line-height:1.4">'
        f"{boxes}</div><small>The highest loss is framed.</small>"
    )
