"""Hints for the exercises of unit 14, from a first idea to nearly complete code."""

HINTS = {
    "in_batch_loss": (
        "Each query is a question with B possible answers, of which one is right. For what kind of task, with"
        " B classes, do you already know a loss? What is the label of query i?",
        "Divide each vector by its length, so that a product of two is their cosine. One matrix product "
        "gives all B x B cosines, a row per query. Divide them by the temperature; labels are 0 to B - 1.",
        "With `q` and `a` from `F.normalize(..., dim=1)`, the scores are `q @ a.T / temperature`, and the "
        "loss is `F.cross_entropy(scores, torch.arange(len(scores)))`.",
    ),
    "gibbs_step": (
        "What may the model see when it is asked for the token at `position`, and what may it not see? What "
        "becomes of the other tokens?",
        "Copy the texts and put [MASK] at `position`. Ask the model, take its output at this position, and "
        "turn the logarithms into probabilities. Draw one token for each text.",
        "With `probs = np.exp(log_probs(masked)[:, position])` and `uniform = rng.random(len(ids))`, the "
        "tokens are `(probs.cumsum(axis=1) <= uniform[:, None]).sum(axis=1)`. `rng.choice(V, p=row)` for each"
        " row does the same.",
    ),
    "metropolis_accept": (
        "Write down the logarithm of the ratio. What becomes of a product, and of a quotient?",
        "The logarithm is new - old + backward - forward. Limit it to 0 before you take `np.exp`: then "
        "nothing can overflow. A number in `uniform` is below a probability p with the probability p.",
        "Use `uniform < np.exp(np.minimum(0, new - old + backward - forward))`.",
    ),
    "number_masked": (
        "Write down the numbers for n = 12 and 3 iterations. How much is lost each time?",
        "Of the iterations, those from t on are left, iterations - t. Multiply n by this, and divide by the "
        "number of iterations, rounding down. Stay with whole numbers.",
        "Use `//`, which divides and rounds down: `n * (iterations - t) // iterations`.",
    ),
    "mask_predict": (
        "Which two things does the loop have to remember for each token, from one iteration to the next? "
        "Which of them change in an iteration, and at which tokens?",
        "Keep an array with the certainty of each token. In each iteration, sort the free positions by it, "
        "and take the first `number_masked(...)` of them. Put [MASK] there, ask the model, and write its best"
        " token and that token's log probability there.",
        "With `positions = np.flatnonzero(free)`, sort by `positions[np.argsort(certainty[positions])]`. For "
        "the chosen ones, `again`, use `logs[again].argmax(axis=1)` and `logs[again].max(axis=1)`. Append "
        "`ids.copy()`.",
    ),
    "sliding_window_visible": (
        "How far apart are query i and key j? For which distances is the key visible?",
        "With `at = np.arange(length)`, NumPy computes all differences at once if one of the two arrays is a "
        "column, `at[:, None]`. Take absolute values, and compare.",
        "Use `abs(at[:, None] - at) <= reach`.",
    ),
    "longformer_visible": (
        'In the matrix, what does "global token 3 attends to all" look like? And "all attend to global '
        'token 3"?',
        "Begin with the matrix of the window. For each global token, set its whole row and its whole column "
        "to True.",
        "In a loop over `positions`, use `visible[p] = True` and `visible[:, p] = True`.",
    ),
    "sampling_shares": (
        "With the exponent 1, the result is each language's share of all text. What happens to the ratio of "
        "two shares if both are raised to the power of 0.5?",
        "Divide by the sum, raise to the power, and divide by the sum again, so that the shares add up to 1. "
        "What is 0 to the power of 0 in NumPy, and what should it be here?",
        "With `shares = counts / counts.sum()`, take `np.where(shares > 0, shares ** exponent, 0)`, and "
        "divide it by its sum.",
    ),
    "long_attention": (
        "Start with one rule that is reported as BROKEN. Write down the keys of token 0, of token 3 and of a "
        "global token, by hand and with the function.",
        "`range(a, b)` ends before b. In Python, index -1 is the last one: a window must not begin before "
        "token 0. And which keys does a global token have?",
        "The window is `range(max(t - reach, 0), min(t + reach + 1, T))`. If `t in positions`, the keys are "
        "all from 0 to T - 1.",
    ),
    "test_combined": (
        "Choose scores for which you can compute the result by hand. Which of the wrong versions would give "
        "the same result?",
        "Take four or more texts and two rankings that differ, so that a version that confuses the order with"
        " the ranks is caught. Use a small constant, such as 2, and compare all numbers with `np.allclose`.",
        "With the scores [0.2, 0.9, 0.1, 0.5] the ranks are [3, 1, 4, 2]. Compare the result with `1 / (2 + "
        "ranks_1) + 1 / (2 + ranks_2)`. Keep copies of the arguments, and compare them at the end.",
    ),
}
