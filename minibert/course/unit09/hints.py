"""Hints for the exercises of unit 09, from a first idea to nearly complete code."""

HINTS = {
    "causal_visible": (
        "Two conditions must hold: the key is not later than the query, and the key is not padding. Write "
        "each condition as a separate array.",
        "The first condition is a triangle of shape (T, T), the same for every sequence. The second is "
        "`real` with an axis of size 1 for the queries.",
        "Return `np.tril(np.ones((T, T), bool)) & real[:, None, :]`, with T from `real.shape`.",
    ),
    "bilm_loss": (
        "Each direction needs its own labels. Which token does the forward model predict at position t, and "
        "which token does the backward model predict there?",
        "First replace the ids that are not counted by -100. Shift these ids one position to the left to get "
        "the forward labels, and one position to the right to get the backward labels. Put -100 in the empty "
        "positions.",
        "`tokens = np.where(counted, ids, -100)`; `after = np.full(ids.shape, -100)`; `after[:, :-1] = "
        "tokens[:, 1:]`; build `before` in the opposite direction. Return the mean of `mlm_loss(forward, "
        "after)` and `mlm_loss(backward, before)`.",
    ),
    "scalar_mix": (
        "The weights are logits. Which function turns logits into shares that sum to 1?",
        "Take one softmax over the L + 1 weights. Multiply each layer by its share, add up the products, "
        "and multiply the sum by gamma.",
        "Return `gamma * sum(share * layer for share, layer in zip(softmax(weights), layers))`.",
    ),
    "leakage": (
        "If the model can copy the answer at t, a different answer changes its output at t. Try this for one "
        "position at a time.",
        "Run the model once on `ids`. Then, for each t with a target, replace the token at target[t] in a "
        "copy of `ids`, run the model again, and compare row t of the two outputs.",
        "For each t with a target, use `other = ids.copy()`, `other[target[t]] = (other[target[t]] + 1) % "
        "vocab_size` and `leaks[t] = (run(model, other)[t] != before[t]).any()`.",
    ),
    "two_readers": (
        "Start with one rule that is reported as BROKEN. Which of the two readers is it about, and which "
        "line computes the input of that reader?",
        "In each layer, the input of a reader must be that reader's own output from the layer below. And a "
        "sequence that is read from its end must be reversed, together with `real`, and its result must be "
        "reversed back.",
        "Begin with `forward = backward = x`. In the loop, use `forward = read(forward, real, ...)` and "
        "`backward = read(backward[::-1], real[::-1], ...)[::-1]`.",
    ),
}
