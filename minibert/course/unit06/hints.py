"""Three hints for each exercise of unit 06, from a first nudge to almost the complete code.

`check.NAME.hint()` shows the next one.
"""

HINTS = {
    "classifier_logits": (
        "BERT reads only one token of each sequence. After that there are two linear maps, "
        "with a tanh between them.",
        "`hidden[:, 0]` is the first token of every sequence, (B, D). A row of W makes one output number, "
        "so each linear map needs W transposed.",
        '`np.tanh(hidden[:, 0] @ weights["pooler.weight"].T + weights["pooler.bias"])` is the '
        "pooled vector. Apply the same formula again, with the classifier's weights and without "
        "the tanh, to get the logits.",
    ),
    "choice_logits": (
        "Each sequence is scored separately, as in exercise 1. Only then are the options "
        "of an example put together.",
        "Your `classifier_logits` returns (B·C, 1), so you only need to change the shape. The options of an "
        "example are neighbours, so they belong along the last axis.",
        "Use `.reshape(-1, num_choices)`; with -1, NumPy counts the examples.",
    ),
    "matthews_correlation": (
        "Count first, without a loop over the examples. Then look at the fraction: what can become 0, and "
        "what can become too large?",
        "Comparing arrays gives True and False, and their sum counts the True ones: `((gold == 1) & "
        "(predicted == 0)).sum()` is fn. Convert each count to Python's `float` or `int`.",
        "Start with `tp = int(((gold == 1) & (predicted == 1)).sum())`, and so on. Let `below` be the "
        "product of the four sums. Return 0.0 if it is 0, otherwise `(tp * tn - fp * fn) / "
        "math.sqrt(below)`.",
    ),
    "opposite_verdicts": (
        "Let one label be rare. What are the accuracy and the Matthews correlation of a "
        "model that never predicts it?",
        "One model never predicts the rare label. The other one always finds it, but with a few false "
        "positives. How many must there be to make its accuracy low enough?",
        "Take 20 questions, two of them with gold label 1. Answering only 0 is right 18 times. The other "
        "model gets both ones right, and each false positive costs 0.05 of its accuracy.",
    ),
    "parameter_groups": (
        "Ask three questions about each name, in three helper functions: is it in the encoder, does it "
        "decay, is it frozen?",
        '`name.split(".")` returns the parts. Two nested loops over (True, False) make the four groups in '
        'the right order. If n > 0, a name is frozen if it begins with "encoder.embeddings." or '
        '"encoder.layers.i." for an i below n.',
        "In the loops, use `[name for name in names if in_encoder(name) == inside and decays(name) == heavy "
        "and not frozen(name)]`. If it is not empty, it makes a group; `inside` determines its learning "
        "rate, `heavy` its decay.",
    ),
    "sharpness": (
        "You need three parts: the loss at the weights themselves, a step for each tensor of a direction, "
        "and the loss after the step on both sides. Collect the increases of all directions in one list.",
        "`np.linalg.norm(x, axis=1, keepdims=True)` is the lengths of a matrix's rows, (rows, 1). Divide "
        "a row of the direction by its own length and multiply it by that of the weights' row. If "
        "`w.ndim` is 1, the step is 0.",
        "`step = d / np.linalg.norm(d, axis=1, keepdims=True) * np.linalg.norm(w, axis=1, keepdims=True)`. "
        "For `side` in (radius, -radius), build a new dict with `w + side * step` for each name, and "
        "subtract the loss of `weights` from its loss. Return the mean and the `max` of these.",
    ),
    "test_matthews": (
        "What do you know about every correlation without computing it? And for which four counts can you "
        "work it out by hand?",
        "Work out one example by hand, with counts that all differ, such as tp = 1, fn = 5, tn = 3, fp = 0. "
        "Then try both extremes, 1 and -1, and both kinds of 0 / 0: one side constant, both sides constant.",
        "Assert `np.isclose(matthews_correlation(gold, answers), 0.25)` for the counts of the "
        "second hint and 0 for ones against ones; also try `gold = np.arange(400_000) % 2` against "
        "itself and against `1 - gold`.",
    ),
    "f1_of_batches": (
        "Start with one rule that is reported as BROKEN, and find the line at which a batch could break it. "
        "One of the bugs is a missing line.",
        "Combine the counts of the batches, not their scores. Which examples count at all? And is every "
        "right answer a 1 that was found?",
        "Add up `right`, `said` and `wanted` over the batches, and divide once, after the loop. `said` "
        "counts only examples with `labels != IGNORE`; `right` counts `(answers == labels) & (labels == 1)`.",
    ),
}
