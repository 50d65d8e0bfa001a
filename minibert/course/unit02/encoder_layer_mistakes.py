"""Known mistakes about `encoder_layer`: residuals, norms, the activation, the attention mask.

Axes: B batch, T tokens, D hidden, F feed-forward.
"""

import numpy as np

from minibert.reference import gelu, gelu_tanh, layer_norm, linear, multi_head_attention
from minibert.reference.encoder import sub

from ..checks.edits import edits, pairs_of_edits


def encoder_layer(
    x: np.ndarray, weights: dict[str, np.ndarray], num_heads: int, visible: np.ndarray | None = None
) -> np.ndarray:
    """Return what the exercise asks for: the new x (B, T, D) alone, with the sublayers written out."""

    def norm(x, name):
        return layer_norm(x, sub(weights, name))

    attended, probs = multi_head_attention(x, sub(weights, "attention"), num_heads, visible)
    h = norm(x + attended, "attention_norm")
    inner = gelu(linear(h, sub(weights, "feed_forward.up")))  # (B, T, F)
    fed = linear(inner, sub(weights, "feed_forward.down"))
    return norm(h + fed, "feed_forward_norm")


def turned(p: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    return {"weight": p["bias"], "bias": p["weight"]}


PIECES = """
$h = norm(x + attended, "attention_norm")
$out = norm(h + fed, "feed_forward_norm")
$up = linear(h, sub(weights, "feed_forward.up"))
$no_biases = {"feed_forward.up.bias": 0, "feed_forward.down.bias": 0}
"""

ENCODER_LAYER = (
    *edits(
        encoder_layer,
        PIECES
        + """
you normalise before each sublayer (pre-LN, as in GPT-2). BERT normalises after the residual:
LayerNorm(x + sublayer(x)).
    attention(x, => attention(norm(x, "attention_norm"),
    $h => x + attended
    linear(h, => linear(norm(h, "feed_forward_norm"),
    $out => h + fed
you normalise the sublayer's output and then add x. BERT adds first: LayerNorm(x + sublayer(x)).
    $h => x + norm(attended, "attention_norm")
    $out => h + norm(fed, "feed_forward_norm")
both residuals are missing: LayerNorm(x + sublayer(x)).
    x + attended => attended
    h + fed => fed
the residual around attention is missing: LayerNorm(x + attention(x)).
    x + attended => attended
the residual around the feed-forward part is missing: LayerNorm(x + feed_forward(x)).
    h + fed => fed
the second residual adds the layer's input. Add what came out of the first LayerNorm.
    h + fed => x + fed
the feed-forward part reads the layer's input. It reads what came out of the first LayerNorm.
    linear(h, => linear(x,
the two LayerNorms are swapped: `attention_norm` first, `feed_forward_norm` second.
    $h => norm(x + attended, "feed_forward_norm")
    $out => norm(h + fed, "attention_norm")
`attention_norm` is used twice. The second LayerNorm has weights of its own: `feed_forward_norm`.
    $out => norm(h + fed, "attention_norm")
the LayerNorm after attention is missing.
    $h => x + attended
the LayerNorm after the feed-forward part is missing.
    $out => h + fed
both LayerNorms are missing.
    $h => x + attended
    $out => h + fed
the feed-forward part is missing.
    $out => h
attention is missing.
    $h => x
the feed-forward part uses ReLU, as the Transformer did. BERT uses GELU.
    gelu( => np.maximum(0,
the GELU between the two matrices is missing. Without it they are one matrix.
    gelu( => (
this is the tanh approximation of GELU. It is close, but use the exact `gelu` that is imported above.
    gelu( => gelu_tanh(
GELU is applied after the second matrix too. It belongs only between the two.
    h + fed => h + gelu(fed)
the biases of the feed-forward part are missing.
    h = => weights = weights | $no_biases\\nh =
the second residual adds x and h. Add h alone, what came out of the first LayerNorm.
    h + fed => x + h + fed
the feed-forward part uses tanh. BERT uses GELU.
    gelu( => np.tanh(
the feed-forward part uses the sigmoid. BERT uses GELU.
    gelu($up) => 1 / (1 + np.exp(-$up))
the output of the feed-forward part is halved.
    h + fed => h + fed / 2
GELU is applied to x before attention. It belongs only between the two matrices.
    attended, probs => x = gelu(x)\\nattended, probs
the visibility of one query is used for all of them. Pass the whole of `visible` on.
    num_heads, visible) => num_heads, visible if visible is None else visible[:, :1])
there is one head of size D. Pass num_heads on to multi_head_attention.
    num_heads, visible) => 1, visible)
gamma and beta of `attention_norm` are swapped: `weight` is gamma, `bias` is beta.
    $h => layer_norm(x + attended, turned(sub(weights, "attention_norm")))
gamma and beta of `feed_forward_norm` are swapped: `weight` is gamma, `bias` is beta.
    $out => layer_norm(h + fed, turned(sub(weights, "feed_forward_norm")))
`visible` is ignored. Pass it on to multi_head_attention.
    num_heads, visible) => num_heads)
you return (x, probs); return the new x alone, so that the next layer can take it.
    $out => $out, probs
""",
        gelu_tanh=gelu_tanh,
    ),
    *pairs_of_edits(
        encoder_layer,
        PIECES
        + """
each sublayer is normalised before it, instead of after the residual
    attention(x, => attention(norm(x, "attention_norm"),
    $h => x + attended
    linear(h, => linear(norm(h, "feed_forward_norm"),
    $out => h + fed
the sublayer's output is normalised before x is added
    $h => x + norm(attended, "attention_norm")
    $out => h + norm(fed, "feed_forward_norm")
both residuals are missing
    $h => norm(attended, "attention_norm")
    $out => norm(fed, "feed_forward_norm")
the second residual adds the layer's input
    $out => norm(x + fed, "feed_forward_norm")
`attention_norm` is used twice
    $out => norm(h + fed, "attention_norm")
the two LayerNorms are swapped
    $h => norm(x + attended, "feed_forward_norm")
    $out => norm(h + fed, "attention_norm")
ReLU is used instead of GELU
    gelu( => np.maximum(0,
GELU is missing
    gelu( => (
GELU is its tanh approximation
    gelu( => gelu_tanh(
the biases of the feed-forward part are missing
    h = => weights = weights | $no_biases\\nh =
`visible` is ignored
    num_heads, visible) => num_heads)
""",
        gelu_tanh=gelu_tanh,
    ),
)
