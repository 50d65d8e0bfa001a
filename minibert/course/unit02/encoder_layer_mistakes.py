"""Students' common mistakes in `encoder_layer`, such as missing residuals or a wrong activation.

Axes: B batch, T tokens, D hidden, F feed-forward.
"""

import numpy as np

from minibert.reference import gelu, gelu_tanh, layer_norm, linear, multi_head_attention
from minibert.reference.encoder import sub

from ..checks.edits import edits, pairs_of_edits


def encoder_layer(
    x: np.ndarray, weights: dict[str, np.ndarray], num_heads: int, visible: np.ndarray | None = None
) -> np.ndarray:
    """Return the output (B, T, D) of an encoder layer. Known mistakes are edits of this function's source."""

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
you normalise before each sublayer, as in GPT-2. Normalise after each residual connection.
    attention(x, => attention(norm(x, "attention_norm"),
    $h => x + attended
    linear(h, => linear(norm(h, "feed_forward_norm"),
    $out => h + fed
you normalise the output of a sublayer and then add its input. Add first, then normalise the sum.
    $h => x + norm(attended, "attention_norm")
    $out => h + norm(fed, "feed_forward_norm")
both residual connections are missing. Add each sublayer's input to its output before you normalise.
    x + attended => attended
    h + fed => fed
the residual connection around attention is missing. Add x to the output of attention before you normalise.
    x + attended => attended
the residual connection around the feed-forward network is missing. Add its input to its output before you
normalise.
    h + fed => fed
the second residual connection adds the layer's input. Add the output of the first LayerNorm instead.
    h + fed => x + fed
the feed-forward network gets the layer's input. Give it the output of the first LayerNorm instead.
    linear(h, => linear(x,
the two LayerNorms are swapped. Use `attention_norm` first, `feed_forward_norm` second.
    $h => norm(x + attended, "feed_forward_norm")
    $out => norm(h + fed, "attention_norm")
you use `attention_norm` twice. The second LayerNorm has its own weights: `feed_forward_norm`.
    $out => norm(h + fed, "attention_norm")
the LayerNorm after attention is missing. Apply it after the first residual connection.
    $h => x + attended
the LayerNorm after the feed-forward network is missing. Apply it after the second residual connection.
    $out => h + fed
both LayerNorms are missing. Normalise after each residual connection.
    $h => x + attended
    $out => h + fed
the feed-forward network is missing. Add it after the first LayerNorm.
    $out => h
attention is missing. Use it as the first sublayer.
    $h => x
the feed-forward network uses ReLU, as in the original Transformer. Use GELU, as BERT does.
    gelu( => np.maximum(0,
the GELU between the two matrices is missing. Without it, they act like a single matrix.
    gelu( => (
you use the tanh approximation of GELU. Use the exact `gelu` that is imported above.
    gelu( => gelu_tanh(
you apply GELU after the second matrix too. Apply it only between the two matrices.
    h + fed => h + gelu(fed)
the biases of the feed-forward network are missing. Add one after each of the two matrices.
    h = => weights = weights | $no_biases\\nh =
the second residual connection adds x and h. Add only h, the output of the first LayerNorm.
    h + fed => x + h + fed
the feed-forward network uses tanh. Use GELU, as BERT does.
    gelu( => np.tanh(
the feed-forward network uses the sigmoid. Use GELU, as BERT does.
    gelu($up) => 1 / (1 + np.exp(-$up))
you halve the output of the feed-forward network. Add it as it is.
    h + fed => h + fed / 2
you apply GELU to x before attention. Apply it only between the two matrices.
    attended, probs => x = gelu(x)\\nattended, probs
you use one row of `visible`, that of a single query, for all queries. Pass on the whole array.
    num_heads, visible) => num_heads, visible if visible is None else visible[:, :1])
attention has a single head of size D. Pass num_heads on to multi_head_attention.
    num_heads, visible) => 1, visible)
gamma and beta of `attention_norm` are swapped: `weight` is gamma, `bias` is beta.
    $h => layer_norm(x + attended, turned(sub(weights, "attention_norm")))
gamma and beta of `feed_forward_norm` are swapped: `weight` is gamma, `bias` is beta.
    $out => layer_norm(h + fed, turned(sub(weights, "feed_forward_norm")))
you ignore `visible`. Pass it on to multi_head_attention.
    num_heads, visible) => num_heads)
you return (x, probs). Return only the new x, so that the next layer can use it.
    $out => $out, probs
""",
        gelu_tanh=gelu_tanh,
    ),
    *pairs_of_edits(
        encoder_layer,
        PIECES
        + """
you normalise before each sublayer instead of after the residual connection
    attention(x, => attention(norm(x, "attention_norm"),
    $h => x + attended
    linear(h, => linear(norm(h, "feed_forward_norm"),
    $out => h + fed
you normalise the output of each sublayer before you add x
    $h => x + norm(attended, "attention_norm")
    $out => h + norm(fed, "feed_forward_norm")
both residual connections are missing
    $h => norm(attended, "attention_norm")
    $out => norm(fed, "feed_forward_norm")
the second residual connection adds the layer's input instead of the output of the first LayerNorm
    $out => norm(x + fed, "feed_forward_norm")
you use `attention_norm` for both LayerNorms
    $out => norm(h + fed, "attention_norm")
the two LayerNorms are swapped
    $h => norm(x + attended, "feed_forward_norm")
    $out => norm(h + fed, "attention_norm")
you use ReLU instead of GELU
    gelu( => np.maximum(0,
GELU is missing between the two matrices
    gelu( => (
you use the tanh approximation instead of the exact GELU
    gelu( => gelu_tanh(
the biases of the feed-forward network are missing
    h = => weights = weights | $no_biases\\nh =
you ignore `visible`
    num_heads, visible) => num_heads)
""",
        gelu_tanh=gelu_tanh,
    ),
)
