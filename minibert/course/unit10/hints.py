"""Three hints for each exercise of unit 10, from a nudge to almost the whole line.

`check.NAME.hint()` shows the next one.
"""

HINTS = {
    "factorised_parameters": (
        "Which tables are as wide as an embedding, and which layers are as wide as a hidden state? Count "
        "BERT first: E = D, and `shared` is False.",
        "Embeddings: a row of E numbers for each word, position and segment, and a LayerNorm, 2 E. "
        "Projection: a linear layer from E to D, unless they are equal. A layer: four linear "
        "layers from D to D, one from D to F, one from F to D, and two LayerNorms. A linear layer "
        "from n to m has n m + m parameters.",
        "One layer has `4 * (D*D + D) + (D*F + F) + (F*D + D) + 4*D`; multiply by `1 if shared else L`.",
    ),
    "replaced_token_labels": (
        "First build what the discriminator reads. Then you need neither `chosen` nor `sampled` for the "
        "labels. Which two arrays do you compare?",
        "The discriminator reads `sampled` where `chosen` is True, and `original` elsewhere. A label is 1 "
        "where that differs from `original`, otherwise 0; and it is -100 where `real` is False.",
        "`seen = np.where(chosen, sampled, original)`, then `np.where(real, (seen != original).astype(int), "
        "-100)`.",
    ),
    "permutation_visible": (
        "Token t attends, token s is attended to. What must be true of order[b, s] and order[b, t]?",
        "Give `order` an axis of size 1 for the tokens that are attended to, and another for those "
        "that attend: order[:, :, None] is the place of t, order[:, None, :] that of s. The two "
        "streams differ in <= and <.",
        "`key, query = order[:, None, :], order[:, :, None]`; the content stream is `(key <= query) & "
        "real[:, None, :]`, the query stream is the same with `<`.",
    ),
    "stack_layers": (
        "One helper function does everything: it takes a dict of arrays and returns the deeper one. You need "
        "it three times: for the weights, for `m` and for `v`.",
        "L is the largest layer number plus 1. For each name that begins with 'layers.', split it at its "
        "first two dots, add L to the number, and put the same array under the new name.",
        "`_, number, rest = name.split('.', 2)` and `deeper[f'layers.{int(number) + L}.{rest}'] = "
        "array.copy()`; `step` stays as it is.",
    ),
    "span_boundary_inputs": (
        "From each masked token, walk to the left until you reach a token that is not masked. "
        "Then do the same to the right.",
        "When you have `left` and `right` for the token at t, its row is hidden[b, left], hidden[b, right] "
        "and place_embeddings[t - left], concatenated.",
        "Use two loops, over b and t. Where chosen[b, t] is True: `left = right = t`, `while chosen[b, "
        "left]: left -= 1`, the same for `right` with += 1, then `np.concatenate([hidden[b, left], hidden[b, "
        "right], place_embeddings[t - left]])`.",
    ),
    "electra_loss": (
        "Take one BROKEN line of the examination. Is it about the generator or the discriminator? Which "
        "tokens does that network make predictions for?",
        "The generator predicts the masked tokens, and the discriminator labels every token "
        "that is not padding. And what does the discriminator read: [MASK], or the token that "
        "the generator sampled for it?",
        "The generator's labels need `chosen` in place of `real`, the discriminator's mean needs `real` in "
        "place of `chosen`, and `discriminate` gets `seen`.",
    ),
    "test_infill": (
        "Write down the whole result for one short text yourself, and compare the whole list. Then ask which "
        "wrong `infill` would give the same result.",
        "Use two spans of different lengths, one of length 0, one at the start, one at the end, and two that "
        "touch. Use an id other than 4 for [MASK]. And look at the text afterwards: is it unchanged?",
        "`ids = [11, 12, 13, 14, 15, 16]`, `assert infill(ids, [(0, 2), (2, 1), (4, 0)], 9) == [9, 9, 14, 9, "
        "15, 16]`, `assert ids == [11, 12, 13, 14, 15, 16]`.",
    ),
}
