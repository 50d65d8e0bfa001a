"""Three hints for each exercise of unit 02, from a nudge to almost the whole line.

`check.NAME.hint()` shows the next one.
"""

HINTS = {
    "softmax": (
        "Exponentials make every number positive, and dividing by their sum makes them sum to 1. What about "
        "a large score?",
        "Subtract the maximum along `axis` first; the fraction does not change. Maximum and sum must keep "
        "their axis, so that they line up with x.",
        "`e = np.exp(x - x.max(axis=axis, keepdims=True))`, then divide `e` by its sum, with the same two "
        "arguments.",
    ),
    "attention": (
        "Four steps, each a line: scores, hiding, softmax, average. Write down the shape after each of them.",
        "The scores are (..., T, S), one row for each query: q times k with its last two axes swapped, over "
        "the root of K. Hide before the softmax, not after it.",
        "`q @ k.swapaxes(-2, -1) / math.sqrt(q.shape[-1])`; where not `visible`, "
        "`np.finfo(scores.dtype).min` instead; your softmax along the last axis; `probs @ v`. Return both.",
    ),
    "split_heads": (
        "Each head gets K = D / H neighbouring columns. A reshape can cut the last axis in two, but it never "
        "moves a number.",
        "First cut D into (H, K), the other axes as they are. Then one swap of two axes brings H before T.",
        "Reshape to (B, T, num_heads, D // num_heads), then `.swapaxes(1, 2)`.",
    ),
    "multi_head_attention": (
        "You have all the parts: project, split, attend, join, project. None of this needs a loop over "
        "heads.",
        "A projection is `x @ W.T + b`. `visible` needs a head axis, unless it is None. To join is to split "
        "backwards: first the swap, then the reshape.",
        "`q, k, v` are `split_heads(project(x, name), num_heads)`; `attention(q, k, v, visible[:, None])`, "
        "or None; joined is `context.swapaxes(1, 2).reshape(x.shape)`; then project with `out`.",
    ),
    "positional_encoding": (
        "Make the table of angles first: one row for each position, one column for each pair of columns.",
        "The angle of position t and pair i is t / 10000^(2i/D), with i = 0, 1, ... D/2 - 1. Sine and cosine "
        "of a pair share it.",
        "`angles = np.arange(length)[:, None] / 10000 ** (2 * np.arange(hidden_size // 2) / hidden_size)`. "
        "Fill `table[:, 0::2]` with the sines, and the other columns with the cosines.",
    ),
    "layer_norm": (
        "Each token looks at its own numbers only. Along which axis do they lie, and how many means are "
        "there?",
        "Mean and variance along the last axis, with keepdims so that they line up with x. eps goes under "
        "the root.",
        "`gamma * (x - mean) / np.sqrt(variance + eps) + beta`, with `x.mean(axis=-1, keepdims=True)` and "
        "likewise `x.var`.",
    ),
    "encoder_layer": (
        "Two parts in the same frame: LayerNorm(what came in + what the part makes of it). What comes into "
        "the second part?",
        "h is the first LayerNorm's output. The feed-forward part reads h, and h is what is added to its "
        "output.",
        "`h = layer_norm(x + attended, ...)` with the weights of `attention_norm`; `inner = gelu(h @ up.T + "
        "its bias)`; `fed = inner @ down.T + its bias`; then the same with h + fed and "
        "`feed_forward_norm`.",
    ),
    "count_parameters": (
        "Go through the parts one by one: embeddings, one layer, pooler. What is counted once, and what once "
        "for each layer?",
        "A matrix from m to n numbers has m n weights and n biases. A LayerNorm has 2 D numbers. A layer has "
        "four D x D matrices, two between D and F, and two LayerNorms.",
        "Embeddings: (V + P + S) D + 2 D. A layer: 4 (D D + D) + (D F + F) + (F D + D) + 4 D. The pooler: D "
        "D + D. The number of heads plays no part.",
    ),
    "test_softmax": (
        "What must hold of every softmax, and of no other function? Say it in a sentence, and turn it into "
        "an `assert`.",
        "Work out one small example by hand: the softmax of log 1 and log 3 is 1/4 and 3/4. Take a matrix "
        "with two different rows, so that a wrong axis shows.",
        "Compare with `np.allclose` along `axis=-1` and `axis=0`; try scores of 1000 in one row and of -1000 "
        "in the other; and compare x with a copy made before.",
    ),
    "gpt_layer": (
        "`check.gpt_layer.examine(...)` says what holds and what does not. Take one sentence that is BROKEN, "
        "and find the line that it is about.",
        "Follow x through the layer: what may a token see, what is added to what, and which norm stands "
        "before which part?",
        "In `earlier`, leave out the `+ 1`; the second sum begins from `h`, not from `x`; and the second "
        "norm is `feed_forward_norm`.",
    ),
}
