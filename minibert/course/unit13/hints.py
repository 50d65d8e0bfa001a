"""Hints for the exercises of unit 13, from a first idea to nearly complete code."""

HINTS = {
    "expected_maximum": (
        "Take three scores and two draws, and write down all nine pairs with their maximum. How often is "
        "each score the maximum? Now sort the scores. Which pattern do you see?",
        "With sorted scores, the best of k draws is at most the i-th score (i from 1) with probability (i / "
        "N) ** k. Subtract the same for i - 1 to get the probability that it is the i-th score. Weight the "
        "scores, and their squared distances from the mean, by these probabilities.",
        "Use `i = np.arange(1, N + 1)`, `chance = (i / N) ** k - ((i - 1) / N) ** k`, `mean = (chance * "
        "ordered).sum()` and `variance = (chance * (ordered - mean) ** 2).sum()`.",
    ),
    "successive_stopping": (
        "There are three steps. Which scores are compared at the stop? Which runs are kept? Which of these "
        "runs is best at the end? Decide for each step which rows and columns of `curves` it needs.",
        "The scores at the stop are in column `round(f * E) - 1`, and you need only the first t rows. Sort "
        "the negative scores with a stable sort, which keeps equal scores in order. At the end, compare the "
        "last column of the kept rows.",
        "Use `kept = np.argsort(-curves[:t, round(f * E) - 1], kind='stable')[:p]` and "
        "`int(kept[curves[kept, -1].argmax()])`.",
    ),
    "stopping_cost": (
        "How many steps have all runs made before some of them are stopped? How many steps follow, and in "
        "how many runs?",
        "Before the stop, each of the t runs makes f s steps. After it, each of the p runs makes the "
        "remaining (1 - f) s steps.",
        "Return `(t * f + p * (1 - f)) * s`.",
    ),
    "Adapter": (
        "There are two methods. The first draws the weights and stores them in `self.weights`. The second "
        "computes its output with the current contents of `self.weights`. What is the output if all weights "
        "are close to 0?",
        "A linear layer with a weight (out, in) is `x @ weight.T + bias`. Reduce `hidden` to M numbers, "
        "apply `gelu`, expand it to D numbers again, and add `hidden`. Draw both matrices from a normal "
        "distribution with standard deviation 0.01, and set both biases to 0.",
        "Draw both matrices with `rng.normal(0, 0.01, shape)`. With `w = self.weights`, use `small = "
        "gelu(hidden @ w['down.weight'].T + w['down.bias'])` and `return hidden + small @ w['up.weight'].T + "
        "w['up.bias']`.",
    ),
    "lora_merge": (
        "What is the shape of the product of `b` and `a`? And that of the product of `a` and `b`? Only one "
        "of the two products fits the weight.",
        "Begin with a new dict of all weights. For each name in `adapters`, add alpha / R times the product "
        "of b and a to the weight, where R is the number of rows of this adapter's `a`.",
        "Use `merged = dict(weights)`. Then, for each `name, pair`, use `merged[name] = weights[name] + "
        "alpha / len(pair['a']) * pair['b'] @ pair['a']`.",
    ),
    "is_significant": (
        "On which examples do the two models differ? If they were equally good, each of these examples would "
        "be like a coin toss. How probable is a result at least as uneven, in either direction?",
        "Count wins (only a is right) and losses (only b is right), and let n be their sum. The probability "
        "of at most k heads is the sum of the binomial coefficients of n and i for i = 0 to k, divided by 2 "
        "** n. Let k be the smaller count, double the result, and limit it to 1.",
        "Use `tail = sum(math.comb(n, i) for i in range(min(wins, losses) + 1)) / 2 ** n`, `p = min(1, 2 * "
        "tail)` and `return p, p <= level / comparisons`.",
    ),
    "fair_report": (
        "Start with one rule that is reported as BROKEN. Which choice or which number is it about? Which of "
        "the two sets of scores may be used for it?",
        "Make every choice by validation scores: the evaluation of each run, and the winner. Report only "
        "test scores: the mean, the spread and the best.",
        "Use `epoch = validation.argmax(axis=1)` and `winner = by_validation.argmax()`, and take the mean "
        "and the spread of `by_test`.",
    ),
    "test_layer_rates": (
        "Write down the whole result for three layers by hand, and compare the whole list. Which wrong "
        "version would return the same result?",
        "Use at least three layers, a decay other than 0.5, a peak other than 1, and also a peak as small as "
        "real learning rates. Compare numbers with `np.allclose(..., rtol=1e-6, atol=0)` or `math.isclose`, "
        "and check the length first.",
        "Use `rates = layer_rates(3, 2e-5, 0.9)`, `assert len(rates) == 5` and `assert np.allclose(rates, "
        "[2e-5 * 0.9 ** 3, 2e-5 * 0.9 ** 2, 2e-5 * 0.9, 2e-5, 2e-5], rtol=1e-6, atol=0)`.",
    ),
}
