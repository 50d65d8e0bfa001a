"""Hints for the exercises of unit 02, from a nudge to a nearly complete line of code."""

HINTS = {
    "softmax": (
        "Exponentials make every score positive, and dividing them by their sum makes the results sum to 1. "
        "What happens if a score is large?",
        "First subtract the maximum along `axis`, which does not change the result. The maximum and the sum "
        "must keep their axis, so that they line up with x.",
        "Let `e = np.exp(x - x.max(axis=axis, keepdims=True))`, and divide `e` by its sum, taken with the "
        "same two arguments.",
    ),
    "attention": (
        "There are four steps of one line each: scores, masking, softmax, average. Write down the shape "
        "after each step.",
        "The scores have the shape (..., T, S), with one row for each query. Multiply q by k with its last "
        "two axes swapped, and divide by the square root of K. Mask before the softmax, not after it.",
        "The scores are `q @ k.swapaxes(-2, -1) / math.sqrt(q.shape[-1])`. Where `visible` is False, use "
        "`np.finfo(scores.dtype).min`. Apply your softmax along the last axis, and return `probs @ v` and "
        "`probs`.",
    ),
    "split_heads": (
        "Each head gets K = D / H adjacent columns. A reshape can split the last axis in two, but it "
        "never reorders the numbers.",
        "First split the axis D into the two axes (H, K), and leave the other axes as they are. Then swap "
        "two axes, so that H comes before T.",
        "Reshape to (B, T, num_heads, D // num_heads), then `.swapaxes(1, 2)`.",
    ),
    "multi_head_attention": (
        "You have written all the parts already: project, split, attend, concatenate, project. No part "
        "needs a loop over heads.",
        "A projection is `x @ W.T + b`. `visible` needs a head axis, unless it is None. To concatenate the "
        "heads, undo the steps of the split in reverse order: first swap, then reshape.",
        "Compute q, k and v as `split_heads(project(x, name), num_heads)`, and call `attention` with them "
        "and `visible[:, None]`, or None. Concatenate with `context.swapaxes(1, 2).reshape(x.shape)`, and "
        "project with `out`.",
    ),
    "positional_encoding": (
        "First make a table of angles, with one row for each position, and one column for each pair of "
        "columns of the result.",
        "The angle of position t and pair i is t / 10000^(2i/D), with i = 0, 1, ... D/2 - 1. The sine and "
        "the cosine of a pair share this angle.",
        "Let `angles = np.arange(length)[:, None] / 10000 ** (2 * np.arange(hidden_size // 2) / "
        "hidden_size)`. Fill `table[:, 0::2]` with the sines, and the other columns with the cosines.",
    ),
    "layer_norm": (
        "Each token is normalised by itself. Along which axis are its numbers, and how many means are there?",
        "Take the mean and the variance along the last axis, with keepdims=True, so that they line up with "
        "x. Add eps inside the square root.",
        "Return `gamma * (x - mean) / np.sqrt(variance + eps) + beta`. The mean is `x.mean(axis=-1, "
        "keepdims=True)`, and the variance is `x.var` with the same arguments.",
    ),
    "encoder_layer": (
        "Both sublayers have the same form: LayerNorm(input + sublayer(input)). What is the input of the "
        "second sublayer?",
        "h is the output of the first LayerNorm. The feed-forward network takes h as its input, and h is "
        "added to its output.",
        "Let `h = layer_norm(x + attended, ...)` with the weights of `attention_norm`, `inner = gelu(h @ "
        "up.T + its bias)` and `fed = inner @ down.T + its bias`. Return the LayerNorm of h + fed, with the "
        "weights of `feed_forward_norm`.",
    ),
    "count_parameters": (
        "Go through the parts one by one: embeddings, one layer, pooler. Which parts occur once, and which "
        "occur in every layer?",
        "A matrix that maps m numbers to n has m n weights and n biases. A LayerNorm has 2 D parameters. A "
        "layer has four D x D matrices, two matrices between D and F, and two LayerNorms.",
        "The embeddings have (V + P + S) D + 2 D parameters, each layer has 4 (D D + D) + (D F + F) + (F D + "
        "D) + 4 D, and the pooler has D D + D. The number of heads does not matter.",
    ),
    "test_softmax": (
        "What is true of every softmax, and of no other function? Say it in a sentence, and turn it into "
        "an `assert`.",
        "Work out a small example by hand: the softmax of log 1 and log 3 is 1/4 and 3/4. Use a matrix "
        "with two different rows, so that a wrong axis gives a different result.",
        "Compare with `np.allclose` along `axis=-1` and `axis=0`. Try a row with scores near 1000 and a row "
        "with scores near -1000. Compare x with a copy that you made before the call.",
    ),
    "gpt_layer": (
        "`check.gpt_layer.examine(...)` lists what works and what does not. Take one line marked BROKEN, "
        "and find the line of code that causes it.",
        "Follow x through the layer: which tokens may a token attend to, what is added to what, and which "
        "LayerNorm comes before which sublayer?",
        "Make three changes: in `earlier`, remove the `+ 1`; in the second sum, add to `h`, not to `x`; and "
        "use `feed_forward_norm` as the second norm.",
    ),
}
