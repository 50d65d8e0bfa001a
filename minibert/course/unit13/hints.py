"""Three hints for each exercise of unit 13, from a nudge to almost the whole line.

`check.NAME.hint()` shows the next one.
"""

HINTS = {
    "expected_maximum": (
        "Take three scores and two draws, and write down all nine pairs with their maximum. How often is "
        "each score the maximum? Now sort the scores: what is the pattern?",
        "With sorted scores, the best of k draws is at most the i-th one (counted from 1) with probability "
        "(i / N) ** k. Subtract the same for i - 1 to get the probability that it is exactly the i-th. "
        "Weight the scores, and their squared distances from the mean, by these N probabilities.",
        "`i = np.arange(1, N + 1)`, `chance = (i / N) ** k - ((i - 1) / N) ** k`, `mean = (chance * "
        "ordered).sum()`, `variance = (chance * (ordered - mean) ** 2).sum()`.",
    ),
    "successive_stopping": (
        "There are three steps: which scores are compared at the stop, which runs are kept, and which of "
        "these is best at the end? Decide for each step which rows and which column of `curves` it needs.",
        "The stop is in column `round(f * E) - 1`, and only the first t rows take part. Sort the "
        "negative scores with a stable sort, which keeps equal ones in order. The last column of the "
        "kept rows decides at the end.",
        "`kept = np.argsort(-curves[:t, round(f * E) - 1], kind='stable')[:p]`, then "
        "`int(kept[curves[kept, -1].argmax()])`.",
    ),
    "stopping_cost": (
        "How many steps have been made when runs are stopped? How many steps follow, and in how many runs?",
        "Until the stop, t runs make f s steps each. After it, p runs make the "
        "remaining (1 - f) s steps each.",
        "`(t * f + p * (1 - f)) * s`.",
    ),
    "Adapter": (
        "There are two methods. The first draws four arrays and stores them in `self.weights`; "
        "the second computes with the current contents of `self.weights`. What is the output if "
        "all weights are close to 0?",
        "A linear layer with a weight (out, in) is `x @ weight.T + bias`. Go down to M numbers, apply "
        "`gelu`, go up to D numbers, and add `hidden`. Both matrices are drawn from a normal distribution "
        "with standard deviation 0.01, and both biases are zeros.",
        "Draw both matrices with `rng.normal(0, 0.01, shape)`. Then `small = gelu(hidden @ "
        "w['down.weight'].T + w['down.bias'])` and `return hidden + small @ w['up.weight'].T + "
        "w['up.bias']`, with `w = self.weights`.",
    ),
    "lora_merge": (
        "What is the shape of the product of `b` and `a`, and of the product of `a` and `b`? Only "
        "one of them fits the weight.",
        "Begin with a new dict of all weights. For each name in `adapters`, replace the weight by the weight "
        "plus alpha / R times the product of b and a, where R is the number of rows of this adapter's `a`.",
        "`merged = dict(weights)`, then for each `name, pair`: `merged[name] = weights[name] + alpha / "
        "len(pair['a']) * pair['b'] @ pair['a']`.",
    ),
    "is_significant": (
        "On which examples do the two models differ? If they were equally good, each of these would be a "
        "coin toss. How probable is a result at least as uneven, in either direction?",
        "Count wins (only a is right) and losses (only b is right). With n = wins + losses, the probability "
        "of at most k heads is the sum of the binomial coefficients of n and i for i = 0 to k, divided by 2 "
        "** n. Let k be the smaller count, double the result, and limit it to 1.",
        "`tail = sum(math.comb(n, i) for i in range(min(wins, losses) + 1)) / 2 ** n`, `p = min(1, 2 * "
        "tail)`, `return p, p <= level / comparisons`.",
    ),
    "fair_report": (
        "Take one BROKEN line of the examination. Which decision or which number is it about? Which of the "
        "two sets may be used for it?",
        "Every choice is made by validation scores: each run's evaluation, and the winner. Every reported "
        "number is a test score: the mean, the spread and the best.",
        "Use `epoch = validation.argmax(axis=1)` and `winner = by_validation.argmax()`, and take the "
        "mean and spread of `by_test`.",
    ),
    "test_layer_rates": (
        "Write down the whole result for three layers yourself, and compare the whole list. Then ask which "
        "wrong version would give the same result.",
        "Use at least three layers, a decay other than 0.5, a peak other than 1, and a peak as small as "
        "real learning rates. Compare numbers with `np.allclose(..., rtol=1e-6, atol=0)` or "
        "`math.isclose`, and check the length first.",
        "`rates = layer_rates(3, 2e-5, 0.9)`, `assert len(rates) == 5`, and `assert np.allclose(rates, [2e-5 "
        "* 0.9 ** 3, 2e-5 * 0.9 ** 2, 2e-5 * 0.9, 2e-5, 2e-5], rtol=1e-6, atol=0)`.",
    ),
}
