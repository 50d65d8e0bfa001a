"""Three hints for each exercise of unit 09, from a nudge to almost the whole line.

`check.NAME.hint()` shows the next one.
"""

HINTS = {
    "causal_visible": (
        "Two conditions meet: the key is not later than the query, and the key is real. Write each as an "
        "array of its own.",
        "The first is a triangle (T, T), the same for every row; the second is `real` with an axis of size 1 "
        "for the queries.",
        "`np.tril(np.ones((T, T), bool)) & real[:, None, :]`, with T from `real.shape`.",
    ),
    "bilm_loss": (
        "Both directions need labels of their own. Which token is predicted at place t from the left, and "
        "which from the right?",
        "First `np.where(counted, ids, -100)`. Forward labels are these, moved one place to the left; "
        "backward labels, one place to the right. What is left empty gets -100.",
        "`after = np.full(ids.shape, -100)`, `after[:, :-1] = tokens[:, 1:]`, and the mirror image for "
        "`before`; then the mean of `mlm_loss(forward, after)` and `mlm_loss(backward, before)`.",
    ),
    "scalar_mix": (
        "The weights are logits. What makes shares of them that sum to 1?",
        "One softmax over the L + 1 weights; each share times its layer, all added up; the sum times gamma.",
        "`gamma * sum(share * layer for share, layer in zip(softmax(weights), layers))`.",
    ),
    "leakage": (
        "If the answer at t could be copied, then another answer would change the output at t. Try it: one "
        "place at a time.",
        "Run the model once on ids. Then for each t with target[t] >= 0: a copy of ids, another token at "
        "target[t], the model again, and compare row t of both outputs.",
        "`other = ids.copy()`, `other[target[t]] = (other[target[t]] + 1) % vocab_size`, `leaks[t] = "
        "(run(model, other)[t] != before[t]).any()`.",
    ),
    "two_readers": (
        "Take one sentence of the examination that is BROKEN. Which of the two readers is it about, and "
        "which line feeds it?",
        "What comes out of one reader may enter the same reader of the next layer only. And what is read "
        "from the end has to be turned round before and after, with `real` beside it.",
        "Begin with `forward = backward = x`; in the loop, `forward = read(forward, real, ...)` and "
        "`backward = read(backward[::-1], real[::-1], ...)[::-1]`.",
    ),
}
