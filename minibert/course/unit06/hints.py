"""Hints for the exercises of unit 06, from a first idea to nearly complete code."""

HINTS = {
    "classifier_logits": (
        "BERT's classifier reads only one token of each sequence. Apply two linear maps to it, with a tanh "
        "between them.",
        "`hidden[:, 0]` is the first token of every sequence, (B, D). Each row of W computes one output "
        "number, so each linear map needs W transposed.",
        '`np.tanh(hidden[:, 0] @ weights["pooler.weight"].T + weights["pooler.bias"])` is the '
        "pooled vector. Apply the same formula again, with the classifier's weights and without "
        "the tanh, to get the logits.",
    ),
    "choice_logits": (
        "Score each sequence separately, as in exercise 1. Only then group the scores of each example's "
        "options.",
        "Your `classifier_logits` returns (B·C, 1), so you only need to change the shape. The options of an "
        "example are adjacent, so they belong along the last axis.",
        "Use `.reshape(-1, num_choices)`. The -1 lets NumPy compute the number of examples.",
    ),
    "matthews_correlation": (
        "Count first, without a loop over the examples. Then look at the fraction: what can become 0, and "
        "what can become too large?",
        "Comparing arrays gives True and False, and their sum is the number of True values: `((gold == 1) & "
        "(predicted == 0)).sum()` is fn. Convert each count to Python's `float` or `int`.",
        "Start with `tp = int(((gold == 1) & (predicted == 1)).sum())`, and so on for the other counts. Let "
        "`below` be the product of the four sums. Return 0.0 if `below` is 0, otherwise `(tp * tn - fp * fn) "
        "/ math.sqrt(below)`.",
    ),
    "opposite_verdicts": (
        "Suppose one label is rare. What are the accuracy and the Matthews correlation of a model that never "
        "predicts it?",
        "Let one model never predict the rare label. Let the other model always find it, but with a few "
        "false positives. How many false positives make its accuracy low enough?",
        "Take 20 questions, two of them with gold label 1. A model that always answers 0 is correct 18 "
        "times. The other model gets both ones right, but each false positive lowers its accuracy by 0.05.",
    ),
    "parameter_groups": (
        "Ask three questions about each name, in three helper functions: is it in the encoder, does it "
        "decay, is it frozen?",
        '`name.split(".")` returns the parts. Two nested loops over (True, False) make the four groups in '
        'the right order. If n > 0, a name is frozen if it begins with "encoder.embeddings." or '
        '"encoder.layers.i." for an i below n.',
        "In the loops, use `[name for name in names if in_encoder(name) == inside and decays(name) == heavy "
        "and not frozen(name)]`. If this list is not empty, it makes a group: `inside` determines the "
        "learning rate, `heavy` the decay.",
    ),
    "sharpness": (
        "You need three parts: the loss at the weights themselves, a step for each tensor of a direction, "
        "and the loss after a step to each side. Collect the increases for all directions in one list.",
        "`np.linalg.norm(x, axis=1, keepdims=True)` gives the norms of a matrix's rows, (rows, 1). Divide "
        "each row of the direction by its own norm and multiply it by the norm of the weights' row. If "
        "`w.ndim` is 1, the step is 0.",
        "`step = d / np.linalg.norm(d, axis=1, keepdims=True) * np.linalg.norm(w, axis=1, keepdims=True)`. "
        "For `side` in (radius, -radius), build a new dict of `w + side * step`, and subtract the loss of "
        "`weights` from its loss. Return the mean and the `max` of these increases.",
    ),
    "test_matthews": (
        "Which properties does every correlation have? And for which four counts can you compute it by hand?",
        "Work out one example by hand, with four different counts, such as tp = 1, fn = 5, tn = 3, fp = 0. "
        "Then try both extremes, 1 and -1, and both kinds of 0 / 0: only one of the arrays is constant, or "
        "both are.",
        "Assert `np.isclose(matthews_correlation(gold, answers), 0.25)` for the counts of the second hint, "
        "and 0 if all labels and answers are 1. Also compare `gold = np.arange(400_000) % 2` with itself and "
        "with `1 - gold`.",
    ),
    "f1_of_batches": (
        "Start with one rule that is reported as BROKEN, and find the line in which a batch could break it. "
        "One of the bugs is a missing line.",
        "Combine the counts of the batches, not their scores. Which examples should be counted at all? And "
        "is every correct answer a 1?",
        "Add up `right`, `said` and `wanted` over the batches, and divide only once, after the loop. Let "
        "`said` count only examples with `labels != IGNORE`, and let `right` count `(answers == labels) & "
        "(labels == 1)`.",
    ),
}
