"""Three hints for each exercise of unit 10, from a nudge to almost the whole line.

`check.NAME.hint()` shows the next one.
"""

HINTS = {
    "factorised_parameters": (
        "Which tables are as wide as an embedding, and which layers as wide as a hidden state? Count BERT "
        "first: E = D and `shared` False.",
        "Embeddings: a row of E numbers for each word, position and segment, and a LayerNorm, 2 E. "
        "Projection: a linear layer from E to D, unless they are equal. A layer: four linear layers D to D, "
        "one D to F, one F to D, and two LayerNorms. A linear layer from n to m has n m + m parameters.",
        "One layer has `4 * (D*D + D) + (D*F + F) + (F*D + D) + 4*D`; multiply by `1 if shared else L`.",
    ),
    "replaced_token_labels": (
        "First make what the discriminator reads. Then the labels need neither `chosen` nor `sampled`: what "
        "do they compare?",
        "The discriminator reads `sampled` where `chosen` is True, and `original` elsewhere. A label is 1 "
        "where that differs from `original`, else 0; and -100 where `real` is False.",
        "`seen = np.where(chosen, sampled, original)`, then `np.where(real, (seen != original).astype(int), "
        "-100)`.",
    ),
    "permutation_visible": (
        "Take token t that looks and token s that is looked at. What must hold of order[b, s] and order[b, "
        "t]?",
        "Give `order` an axis of size 1 for the tokens that are looked at, and another for those that look: "
        "order[:, :, None] is the place of t, order[:, None, :] that of s. The two streams differ in <= and "
        "<.",
        "`key, query = order[:, None, :], order[:, :, None]`; the content stream is `(key <= query) & "
        "real[:, None, :]`, the query stream the same with `<`.",
    ),
    "stack_layers": (
        "One helper does all: it takes a dict of arrays and returns the deeper one. You need it three times: "
        "for the weights, for `m` and for `v`.",
        "L is the largest layer number plus 1. For each name that begins with 'layers.', split it at its "
        "first two dots, add L to the number, and put the same array under the new name.",
        "`_, number, rest = name.split('.', 2)` and `deeper[f'layers.{int(number) + L}.{rest}'] = "
        "array.copy()`; `step` stays as it is.",
    ),
    "span_boundary_inputs": (
        "For each masked token, walk to the left until a token is not masked, then to the right in the same "
        "way.",
        "With `left` and `right` found for the token at t: its row is hidden[b, left], hidden[b, right] and "
        "place_embeddings[t - left], side by side.",
        "Two loops, over b and t. Where chosen[b, t]: `left = right = t`, `while chosen[b, left]: left -= "
        "1`, the same for `right` with += 1, then `np.concatenate([hidden[b, left], hidden[b, right], "
        "place_embeddings[t - left]])`.",
    ),
    "electra_loss": (
        "Take one sentence of the examination that is BROKEN: is it about the generator or the "
        "discriminator? Which tokens does each of them answer for?",
        "The generator answers for the masked tokens, the discriminator for all that are not padding. And "
        "what does the discriminator read: what was masked, or what the generator wrote there?",
        "The labels of the generator need `chosen` in place of `real`, the mean of the discriminator `real` "
        "in place of `chosen`, and `discriminate` gets `seen`.",
    ),
    "test_infill": (
        "Write down by hand what comes out for one short text, and compare the whole list. Then ask yourself "
        "which wrong `infill` would give the same.",
        "Use two spans of different lengths, one of length 0, one at the start, one at the end, and two that "
        "touch each other. Use another id for [MASK] than 4. And look at the text afterwards: is it still "
        "the same?",
        "`ids = [11, 12, 13, 14, 15, 16]`, `assert infill(ids, [(0, 2), (2, 1), (4, 0)], 9) == [9, 9, 14, 9, "
        "15, 16]`, `assert ids == [11, 12, 13, 14, 15, 16]`.",
    ),
}
