"""Three hints for each exercise of unit 09, from a first nudge to almost the complete code.

`check.NAME.hint()` shows the next one.
"""

HINTS = {
    "causal_visible": (
        "Two conditions must hold: the key is not later than the query, and the key is not padding. Write "
        "each as a separate array.",
        "The first is a triangle (T, T), the same for every sequence; the second is `real` with an axis "
        "of size 1 for the queries.",
        "It is `np.tril(np.ones((T, T), bool)) & real[:, None, :]`, with T from `real.shape`.",
    ),
    "bilm_loss": (
        "Each direction needs its own labels. At position t, which token does the forward model predict, "
        "and which the backward model?",
        "First replace the ids that are not counted by -100. The forward labels are these ids "
        "moved one position to the left, the backward labels are moved one position to the right. "
        "Empty positions get -100.",
        "`tokens = np.where(counted, ids, -100)`; `after = np.full(ids.shape, -100)`; `after[:, :-1] = "
        "tokens[:, 1:]`, and the mirror image for `before`. Return the mean of `mlm_loss(forward, after)` "
        "and `mlm_loss(backward, before)`.",
    ),
    "scalar_mix": (
        "The weights are logits. Which function turns logits into shares that sum to 1?",
        "Take one softmax over the L + 1 weights. Multiply each layer by its share, add up the products, "
        "and multiply the sum by gamma.",
        "It is `gamma * sum(share * layer for share, layer in zip(softmax(weights), layers))`.",
    ),
    "leakage": (
        "If the model can copy the answer at t, a different answer changes the output at t. Try this "
        "for one position at a time.",
        "Run the model once on ids. Then, for each t with a target, replace the token at target[t] in a "
        "copy of ids, run the model again, and compare row t of both outputs.",
        "In the loop: `other = ids.copy()`; `other[target[t]] = (other[target[t]] + 1) % vocab_size`; "
        "`leaks[t] = (run(model, other)[t] != before[t]).any()`.",
    ),
    "two_readers": (
        "Start with one rule that is reported as BROKEN. Which of the two readers is it about, and which "
        "line provides the input of that reader?",
        "The output of a reader may only be the input of the same reader in the next layer. And a sequence "
        "that is read from its end must be reversed before and after, together with `real`.",
        "Begin with `forward = backward = x`. In the loop, use `forward = read(forward, real, ...)` and "
        "`backward = read(backward[::-1], real[::-1], ...)[::-1]`.",
    ),
}
