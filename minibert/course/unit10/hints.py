"""Hints for the exercises of unit 10, from a first idea to nearly complete code."""

HINTS = {
    "factorised_parameters": (
        "Which tables have the width of an embedding, E, and which layers have the width of a hidden state, "
        "D? First count BERT, with E = D and without `shared`.",
        "Embeddings: E numbers for each word, position and segment, and 2 E for a LayerNorm. Projection: a "
        "linear layer from E to D, if E differs from D. A layer: linear layers, four from D to D, one from D "
        "to F, one from F to D; two LayerNorms. A linear layer from n to m has n m + m parameters.",
        "One layer has `4 * (D*D + D) + (D*F + F) + (F*D + D) + 4*D` parameters. Multiply this by `1 if "
        "shared else L`.",
    ),
    "replaced_token_labels": (
        "First build what the discriminator reads. After that, the labels need neither `chosen` nor "
        "`sampled`. Which two arrays do you compare?",
        "The discriminator reads `sampled` where `chosen` is True, and `original` elsewhere. A label is 1 "
        "where this input differs from `original`, and 0 otherwise. Where `real` is False, the label is "
        "-100.",
        "Use `seen = np.where(chosen, sampled, original)` and `np.where(real, (seen != "
        "original).astype(int), -100)`.",
    ),
    "permutation_visible": (
        "Token t attends to token s. What must be true of order[b, s] and order[b, t]?",
        "Give `order` an axis of size 1, once for the tokens that are attended to and once for those that "
        "attend: order[:, :, None] is the place of t, and order[:, None, :] the place of s. One stream needs "
        "<=, the other <.",
        "Use `key, query = order[:, None, :], order[:, :, None]`. The content stream is `(key <= query) & "
        "real[:, None, :]`, and the query stream is the same with `<`.",
    ),
    "stack_layers": (
        "A single helper function is enough: it takes a dict of arrays and returns the deeper one. You need "
        "it three times, for the weights, for `m` and for `v`.",
        "L is the largest layer number plus 1. Split each name that begins with 'layers.' at its first two "
        "dots, add L to the number, and store a copy of the array under the new name.",
        "Use `_, number, rest = name.split('.', 2)` and `deeper[f'layers.{int(number) + L}.{rest}'] = "
        "array.copy()`. Keep `step` as it is.",
    ),
    "span_boundary_inputs": (
        "Start from each masked token and move to the left until you reach a token that is not masked. Then "
        "do the same to the right.",
        "Once you know `left` and `right` for the token at t, concatenate hidden[b, left], hidden[b, right] "
        "and place_embeddings[t - left] to get its row.",
        "Use two loops, over b and t. Where chosen[b, t] is True: `left = right = t`, then `while chosen[b, "
        "left]: left -= 1`, and the same for `right` with += 1. Append `np.concatenate([hidden[b, left], "
        "hidden[b, right], place_embeddings[t - left]])`.",
    ),
    "electra_loss": (
        "Start with one rule that is reported as BROKEN. Is it about the generator or the discriminator? For "
        "which tokens does this network make predictions?",
        "The generator predicts the masked tokens, and the discriminator labels every token that is not "
        "padding. And what does the discriminator read at a masked position: [MASK], or the token that the "
        "generator sampled?",
        "Use `chosen` instead of `real` in the generator's labels, use `real` instead of `chosen` in the "
        "discriminator's mean, and pass `seen` to `discriminate`.",
    ),
    "test_infill": (
        "Write down the whole result for one short text by hand, and compare the whole list. Which wrong "
        "version of `infill` would give the same result?",
        "Use two spans of different lengths, one of length 0, one at the start, one at the end, and two that "
        "touch. Use an id other than 4 for [MASK]. Also check that the text is unchanged afterwards.",
        "Use `ids = [11, 12, 13, 14, 15, 16]`, `assert infill(ids, [(0, 2), (2, 1), (4, 0)], 9) == [9, 9, "
        "14, 9, 15, 16]` and `assert ids == [11, 12, 13, 14, 15, 16]`.",
    ),
}
