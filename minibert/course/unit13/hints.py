"""Three hints for each exercise of unit 13, from a nudge to almost the whole line.

`check.NAME.hint()` shows the next one.
"""

HINTS = {
    "expected_maximum": (
        "Take three scores and two draws, and write down all nine pairs with their maximum. How often is "
        "each score the maximum? Now sort the scores: where is the pattern?",
        "With sorted scores, the best of k draws is at most the i-th one (counted from 1) with probability "
        "(i / N) ** k. That it is exactly the i-th: subtract the same for i - 1. These N probabilities weigh "
        "the scores, and their squared distances from the mean.",
        "`i = np.arange(1, N + 1)`, `chance = (i / N) ** k - ((i - 1) / N) ** k`, `mean = (chance * "
        "ordered).sum()`, `variance = (chance * (ordered - mean) ** 2).sum()`.",
    ),
    "successive_stopping": (
        "Three steps: which scores are compared at the stop, which runs are kept, and who of these is the "
        "best at the end? Say for each which rows and which column of `curves` it needs.",
        "The column of the stop is `round(f * E) - 1`, and only the first t rows take part. "
        "`np.argsort(-scores, kind='stable')` begins with the highest score and leaves equal ones in order. "
        "The last column of the kept rows decides at the end.",
        "`kept = np.argsort(-curves[:t, round(f * E) - 1], kind='stable')[:p]`, then "
        "`int(kept[curves[kept, -1].argmax()])`.",
    ),
    "stopping_cost": (
        "How many steps have been made when the runs are stopped? How many are made after that, and by how "
        "many runs?",
        "Until the stop, t runs make f s steps each. After it, p runs make what is left of s steps each.",
        "`(t * f + p * (1 - f)) * s`.",
    ),
    "Adapter": (
        "Two methods. The first draws four arrays and keeps them in `self.weights`; the second computes with "
        "what stands there. What comes out if all weights are nearly 0?",
        "A linear layer with a weight (out, in) is `x @ weight.T + bias`. Down to M numbers, `gelu`, up to D "
        "numbers, and `hidden` is added. Both matrices are `rng.normal(0, 0.01, shape)`, both biases zeros.",
        "`small = gelu(hidden @ w['down.weight'].T + w['down.bias'])` and `return hidden + small @ "
        "w['up.weight'].T + w['up.bias']`, with `w = self.weights`.",
    ),
    "lora_merge": (
        "Which shape has the product of `b` and `a`, and which of `a` and `b`? Only one fits the weight.",
        "Begin with a new dict of all weights. For each name in `adapters` put in the weight plus alpha / R "
        "times b @ a, where R is the number of rows of this adapter's `a`.",
        "`merged = dict(weights)`, then for each `name, pair`: `merged[name] = weights[name] + alpha / "
        "len(pair['a']) * pair['b'] @ pair['a']`.",
    ),
    "is_significant": (
        "On which examples do the two models differ? If they were equally good, each of these would be a "
        "toss of a coin. How probable is a result at least as uneven, on either side?",
        "Count wins (only a is right) and losses (only b is). With n = wins + losses, the probability of at "
        "most k heads is the sum of `math.comb(n, i)` for i = 0 to k, divided by 2 ** n. Take k as the "
        "smaller count, double it, and cut it off at 1.",
        "`tail = sum(math.comb(n, i) for i in range(min(wins, losses) + 1)) / 2 ** n`, `p = min(1, 2 * "
        "tail)`, `return p, p <= level / comparisons`.",
    ),
    "fair_report": (
        "Take one sentence of the examination that is BROKEN. Which decision is it about, or which number? "
        "Which of the two sets may be used for it?",
        "Whatever is chosen is chosen by validation scores: each run's evaluation, and the winner. Whatever "
        "is reported is a test score: the mean, the spread and the best.",
        "`epoch = validation.argmax(axis=1)`, `winner = by_validation.argmax()`, and mean and spread are "
        "those of `by_test`.",
    ),
    "test_layer_rates": (
        "Write down by hand what comes out for three layers, and compare the whole list. Then ask yourself "
        "which wrong version would give the same.",
        "Use at least three layers, a decay other than 0.5, a peak other than 1, and one as small as real "
        "learning rates are. Compare numbers with `np.allclose(..., rtol=1e-6, atol=0)` or `math.isclose`, "
        "and look at the length first.",
        "`rates = layer_rates(3, 2e-5, 0.9)`, `assert len(rates) == 5`, and `assert np.allclose(rates, [2e-5 "
        "* 0.9 ** 3, 2e-5 * 0.9 ** 2, 2e-5 * 0.9, 2e-5, 2e-5], rtol=1e-6, atol=0)`.",
    ),
}
