# %% [markdown] nb="read intro"
# # Unit 13 · Fine-tuning well: budgets, adapters, honest comparisons
#
# The same model, fine-tuned on the same data with another seed, may score five points more or less. What does
# this mean for how you train, and for what you may claim? You will compute the expected best of k runs, stop bad
# runs early, build the adapters that train one weight in a hundred, and test whether a better score is more than
# chance. You will also fix a report that looks at its test set too early, and write a test for learning rates
# that differ from layer to layer.
#
# | | exercise | points | minutes | difficulty |
# | --- | --- | --- | --- | --- |
# | 1 | `expected_maximum`: the best of k runs | 4 | 25 | ●●○ |
# | 2 | `successive_stopping`: start many, stop early, continue some | 4 | 20 | ●●○ |
# | 3 | `stopping_cost`: what that costs | 2 | 5 | ●○○ |
# | 4 | `Adapter`: a bottleneck with a skip connection | 5 | 30 | ●●● |
# | 5 | `lora_merge`: LoRA, merged | 3 | 15 | ●●○ |
# | 6 | `is_significant`: McNemar's test | 4 | 25 | ●●● |
# | 7 | `fair_report`: find three bugs | 3 | 15 | ●●○ |
# | 8 | `test_layer_rates`: write a test | 2 | 10 | ●●○ |
# | 9 | The best of how many? (in words) | 2 | 5 | ●○○ |
# | | total | **29** | **150** | |
#
# The finished notebook runs in 2 seconds on two cores; its last cells, which use a model, take a few seconds more.
#
# {{how it works}}
#
# **Stuck?** `check.expected_maximum.hint()` shows a hint; each further call shows a stronger one, three in all. The
# other exercises have hints, too. You can do the exercises in any order.
#
# **Axes.** **N** is the number of runs or examples, **E** the evaluations of a run, **D** the size of a token's hidden
# state, **M** the size of a bottleneck, and **R** a rank.

# %% nb="read imports"
import math

import numpy as np

from minibert.course import unit13 as check
from minibert.course.checks.student_tests import by_name
from minibert.reference import gelu

# %% [markdown] nb="read expected_maximum-text"
# ## 1 · The best of k runs
# **4 points · 25 minutes · ●●○**
#
# If you fine-tune k times and keep the best run, you report a higher score than after a single run of the same method.
# How much higher? You have the scores of N runs. Draw k of them **with replacement**: each draw is from all N, so the
# same run may be drawn twice. What are the mean and the variance of the best of the k? They can be computed exactly,
# without drawing (Dodge et al., 2019, section 3, who call the mean *expected validation performance*):
#
# Let the scores be sorted, $v_1 \le v_2 \le \dots \le v_N$. The best of k draws is at most $v_i$ if all k of them are,
# which has the probability $(i/N)^k$. So the best *is* $v_i$ with the probability
#
# $$p_i = \Bigl(\frac{i}{N}\Bigr)^k - \Bigl(\frac{i-1}{N}\Bigr)^k$$
#
# | | | |
# | --- | --- | --- |
# | `scores` | (N,), float | one score per run, in any order; some may be equal, and each run counts |
# | `k` | int | 1 or more, possibly more than N |
# | returns | (mean, variance) | $\mu = \sum_i p_i v_i$ and $\sum_i p_i (v_i - \mu)^2$ |
#
# For example, `expected_maximum(np.array([90.0, 70.0]), 2)`: of four equally probable pairs, only one has 70 as its
# best. So the mean is 0.25 x 70 + 0.75 x 90 = **85**, and the variance is 0.25 x 15² + 0.75 x 5² = **75**.
#
# <details><summary>Common error</summary>
# Drawing without replacement, as with <code>math.comb</code>. If k = N, this always gives the best run of all.
# </details>
# <details><summary>Why is the mean a little too low?</summary>
# The best of the N runs is missing in many draws, and a new run could be better than all of them. Tang et al.
# (2020) describe this bias. Without replacement there is no bias on average, but k cannot be larger than N,
# and the result varies more.
# </details>


# %% nb="solution expected_maximum"
def expected_maximum(scores, k):
    """scores (N,); k: the number of draws. Returns (mean, variance) of the best of k draws with replacement."""
    ### BEGIN SOLUTION
    ordered, N = np.sort(scores), len(scores)
    i = np.arange(1, N + 1)
    chance = (i / N) ** k - ((i - 1) / N) ** k                                  # (N,)
    mean = (chance * ordered).sum()
    return mean, (chance * (ordered - mean) ** 2).sum()
    ### END SOLUTION


# %% nb="tests expected_maximum-visible 2"
check.expected_maximum(expected_maximum, points=2)

# %% nb="tests expected_maximum-hidden 2"
# After you hand in, this cell tries more inputs. You do not have to write anything here.
### BEGIN HIDDEN TESTS
check.expected_maximum(expected_maximum, seed=2713, hidden=True)
### END HIDDEN TESTS

# %% [markdown]
# Your function on invented accuracies: 40 runs, a fifth of which failed and scored 53, as happens with small data sets.

# %%
invented = np.random.default_rng(0)
scores = np.where(invented.random(40) < 0.2, 53.0, invented.normal(66, 2.5, 40))
for k in (1, 2, 5, 10, 20):
    mean, variance = expected_maximum(scores, k)
    print(f"the best of {k:2d}: {mean:5.1f}, give or take {variance ** 0.5:3.1f}")

# %% [markdown] nb="read successive_stopping-text"
# ## 2 · Start many, stop early, continue some
# **4 points · 20 minutes · ●●○**
#
# A run that will fail often shows it early. So Dodge et al. (2020, section 5) spend a budget like this: start t runs;
# after the share f of their training, stop all but the best p; train these to the end, and take the best. Try this on a
# table of runs that are already finished, so that nothing needs training.
#
# | | | |
# | --- | --- | --- |
# | `curves` | (N, E), float | the validation score of each run at E evaluations, evenly spaced, the last one at the end of training |
# | `t` | int | runs 0 to t - 1 of the table are started; t is at most N |
# | `f` | float | the runs are compared at evaluation number f E, counted from 1. f E is a whole number up to rounding errors: use `round` |
# | `p` | int | how many runs are continued, 1 to t |
# | returns `kept` | p integers, a list or an array | the runs that are continued, in descending order of their scores at that time; if scores are equal, the lower number comes first |
# | returns `best` | int | the one of these runs with the highest **last** score; if several are equal, the first of them in `kept` |
#
# | run | evaluation 1 | 2 | 3 | 4 |
# | --- | --- | --- | --- | --- |
# | 0 | 60 | **80** | 81 | 82 |
# | 1 | 70 | **75** | 76 | 90 |
# | 2 | 65 | **85** | 80 | 78 |
# | 3 | 90 | 95 | 95 | 95 |
#
# With t = 3, f = 0.5 and p = 2, the three runs are compared at evaluation 2. `kept` is **[2, 0]**, and `best` is run
# **0**, which has 82 at the end. Run 1 was stopped, so its 90 at the end is never seen, and run 3 was never started.
#
# <details><summary>Common error</summary>
# <code>int(f * E)</code>. On a computer 0.58 * 50 is 28.999999999999996, and <code>int</code> rounds down.
# </details>
# <details><summary>Common error with equal scores</summary>
# <code>np.argsort(-x)</code> may put equal scores in any order; with <code>kind="stable"</code> they keep their order.
# <code>np.argsort(x)[::-1]</code> reverses it.
# </details>
# <details><summary>Why not judge by the best score so far?</summary>
# You could. But if a run's score has dropped since then, the run may be failing.
# </details>


# %% nb="solution successive_stopping"
def successive_stopping(curves, t, f, p):
    """curves (N, E); t runs are started, p are continued after the share f. Returns (kept (p,), best)."""
    ### BEGIN SOLUTION
    stop = round(f * curves.shape[1])
    kept = np.argsort(-curves[:t, stop - 1], kind="stable")[:p]
    return kept, int(kept[curves[kept, -1].argmax()])
    ### END SOLUTION


# %% nb="tests successive_stopping-visible 2"
check.successive_stopping(successive_stopping, points=2)

# %% nb="tests successive_stopping-hidden 2"
# After you hand in, this cell tries more inputs. You do not have to write anything here.
### BEGIN HIDDEN TESTS
check.successive_stopping(successive_stopping, seed=3163, hidden=True)
### END HIDDEN TESTS

# %% [markdown] nb="read stopping_cost-text"
# ## 3 · What it costs
# **2 points · 5 minutes · ●○○**
#
# A full run has s steps. How many steps does the policy of exercise 2 take in total (Dodge et al., 2020, section 5)?
#
# | | | |
# | --- | --- | --- |
# | `t`, `p` | int | the number of runs that are started, and of those that are continued |
# | `f` | float, or an array (n,) | the share of the training after which the others are stopped, 0 to 1; in an array, each share has its own cost |
# | `s` | int | the steps of a full run |
# | returns | float, or an array (n,) | the steps of all runs together, not rounded |
#
# For example, `stopping_cost(20, 0.25, 5, 1000)`: all 20 runs take 250 steps each, 5,000 in total. Five of them take
# the other 750 steps, which is 3,750. Together these are **8,750** steps, as many as in 8.75 full runs.
#
# <details><summary>Common error</summary>
# Counting the first steps of the continued runs twice: t f s + p s.
# </details>
# <details><summary>What did the paper find?</summary>
# For each budget, the authors tried many t, f and p: an f of 20% to 30% was best, with t much larger than p, and p
# about half the number of runs that the budget could train fully. So with a budget of 10 full runs, half of it is spent
# on finding out which 5 to train.
# </details>


# %% nb="solution stopping_cost"
def stopping_cost(t, f, p, s):
    """t runs are started, p of them continued after the share f (or shares) of s steps. Returns the steps in all."""
    ### BEGIN SOLUTION
    return (t * f + p * (1 - f)) * s
    ### END SOLUTION


# %% nb="tests stopping_cost-visible 1"
check.stopping_cost(stopping_cost, points=1)

# %% nb="tests stopping_cost-hidden 1"
# After you hand in, this cell tries more inputs. You do not have to write anything here.
### BEGIN HIDDEN TESTS
check.stopping_cost(stopping_cost, seed=3911, hidden=True)
### END HIDDEN TESTS

# %% [markdown]
# Your three functions together, on 60 invented runs: what does a budget of 10 full runs buy, with plain repetition and
# with early stopping? Half of the final variance is there from the beginning.

# %%
runs, E = 60, 20
curves = 66 + invented.normal(0, 1.8, (runs, 1)) + np.cumsum(invented.normal(0, 0.4, (runs, E)), axis=1)
plain, _ = expected_maximum(curves[:, -1], 10)
print(f"10 full runs: {plain:.1f} expected")
for t, f, p in ((12, 0.75, 4), (20, 0.3, 6), (32, 0.2, 4)):
    tried = [curves[invented.permutation(runs)] for _ in range(300)]
    found = np.mean([table[successive_stopping(table, t, f, p)[1], -1] for table in tried])
    print(f"t = {t}, f = {f:.0%}, p = {p}, for {stopping_cost(t, f, p, 1):.1f} full runs: {found:.1f}")

# %% [markdown] nb="read Adapter-text"
# ## 4 · An adapter
# **5 points · 30 minutes · ●●●**
#
# Houlsby et al. (2019, section 2.1) freeze a pretrained model, and add a small network after the sublayers of each
# layer. Only these **adapters** are trained. An adapter projects each token's hidden state down to a few numbers,
# applies a GELU, projects up again, and adds the result to its input:
#
# $$\text{hidden} + W_{up}\,\text{gelu}(W_{down}\,\text{hidden} + b_{down}) + b_{up}$$
#
# At the start it must change almost nothing, or it would damage the pretrained model before training begins. So both
# matrices are drawn from a normal distribution with mean 0 and **standard deviation 0.01** (which is not cut off, as it
# is in the paper), and both biases are 0.
#
# Write a class with two methods:
#
# | method | | |
# | --- | --- | --- |
# | `__init__(self, hidden_size, bottleneck, rng)` | D, M, and a NumPy generator | draws the weights from `rng` and stores them in `self.weights`, a dict with four arrays: `"down.weight"` (M, D), `"down.bias"` (M,), `"up.weight"` (D, M), `"up.bias"` (D,) |
# | `__call__(self, hidden)` | (..., D), float, with any axes before the last | returns (..., D), computed with the *current* contents of `self.weights`; does not change `hidden` |
#
# The shapes are those of PyTorch: a linear layer with `weight` (out, in) computes `x @ weight.T + bias`. `gelu` is
# imported. For example, with D = 2, M = 1, `down.weight` [[1, 0]], `up.weight` [[0], [10]] and biases of 0, the hidden
# state [3, 5] becomes [3, 5] + [0, 10 gelu(3)] = **[3, 34.96]**, since gelu(3) is 2.996.
#
# A model has many adapters at the same time, each with its own weights. The arrays in `self.weights` are replaced when
# the adapter of another task is loaded, and the check replaces them, too. The check uses your class through the next
# cell; do not change that cell.

# %% nb="read use_adapter"
def use_adapter(hidden, bottleneck, seed, weights):
    """Create an adapter of your class; if `weights` are given, load them and run it. For the check."""
    adapter = Adapter(hidden.shape[-1], bottleneck, np.random.default_rng(seed))
    Adapter(hidden.shape[-1] + 1, bottleneck, np.random.default_rng(seed))      # a second one changes nothing
    if weights is None:
        return hidden, adapter.weights
    adapter.weights = weights
    return adapter(hidden), adapter.weights


# %% [markdown] nb="read Adapter-hints"
# <details><summary>Common error</summary>
# Storing the arrays a second time, for example in <code>self.down</code>, and computing with these. Then loading other
# weights into <code>self.weights</code> has no effect.
# </details>
# <details><summary>Why not start with zeros?</summary>
# If both matrices are 0, the gradient of each is 0, too, because it is multiplied by the other one. One of them may be
# 0, as in LoRA, or both may be small.
# </details>
# <details><summary>How much is trained?</summary>
# 2 D M + D + M numbers per adapter. In BERT-base with M = 48 and two adapters per layer, this is 1.8 million, 1.6% of
# the model. Each further task needs only these numbers.
# </details>


# %% nb="solution Adapter"
class Adapter:
    """hidden + up(gelu(down(hidden))), which changes almost nothing at first."""

    def __init__(self, hidden_size, bottleneck, rng):
        """hidden_size D, bottleneck M, rng: a NumPy generator. Stores four arrays in self.weights."""
        ### BEGIN SOLUTION
        D, M = hidden_size, bottleneck
        self.weights = {"down.weight": rng.normal(0, 0.01, (M, D)), "down.bias": np.zeros(M),
                        "up.weight": rng.normal(0, 0.01, (D, M)), "up.bias": np.zeros(D)}

    def __call__(self, hidden):
        """hidden (..., D). Returns (..., D)."""
        w = self.weights
        small = gelu(hidden @ w["down.weight"].T + w["down.bias"])              # (..., M)
        return hidden + small @ w["up.weight"].T + w["up.bias"]
        ### END SOLUTION


# %% nb="tests Adapter-visible 3"
check.Adapter(use_adapter, points=3)

# %% nb="tests Adapter-hidden 2"
# After you hand in, this cell tries more inputs. You do not have to write anything here.
### BEGIN HIDDEN TESTS
check.Adapter(use_adapter, seed=4517, hidden=True)
### END HIDDEN TESTS

# %% [markdown] nb="read lora_merge-text"
# ## 5 · LoRA, merged
# **3 points · 15 minutes · ●●○**
#
# LoRA (Hu et al., 2022, section 4.1) adds nothing between the layers. In addition to a frozen matrix W it trains
# two thin ones, `a` with R rows and `b` with R columns, whose product is scaled by $\alpha / R$: $W +
# \frac{\alpha}{R}\, b\, a$. So after training, everything can be **merged** into matrices of the original shape,
# and the model is as fast as before.
#
# | | | |
# | --- | --- | --- |
# | `weights` | dict | name -> array: matrices (out, in), and other arrays |
# | `adapters` | dict | the name of a matrix -> `{"a": (R, in), "b": (out, R)}`. Not every matrix has an adapter, and their ranks R may differ |
# | `alpha` | float | the same for all adapters |
# | returns | dict | all weights by name: those with an adapter merged, the others unchanged |
#
# For example, with `alpha` 6, rank 2, W = [[1, 0], [0, 1]], `a` = [[1, 0], [0, 0]] and `b` = [[0, 0], [2, 0]], the
# product is [[0, 0], [2, 0]]. It is multiplied by 6 / 2, so the result is **[[1, 0], [6, 1]]**.
#
# <details><summary>Common error</summary>
# <code>merged[name] += ...</code> writes into the array of <code>weights</code>, because a new dict contains the same
# arrays. Then the next task is merged into a model that has already been changed.
# </details>
# <details><summary>Why divide by the rank?</summary>
# So that the learning rate need not change with the rank: the product of more rows is scaled down.
# </details>


# %% nb="solution lora_merge"
def lora_merge(weights, adapters, alpha):
    """weights: name -> array; adapters: name -> {"a": (R, in), "b": (out, R)}. Returns the merged weights."""
    ### BEGIN SOLUTION
    merged = dict(weights)
    for name, pair in adapters.items():
        merged[name] = weights[name] + alpha / len(pair["a"]) * (pair["b"] @ pair["a"])
    return merged
    ### END SOLUTION


# %% nb="tests lora_merge-visible 2"
check.lora_merge(lora_merge, points=2)

# %% nb="tests lora_merge-hidden 1"
# After you hand in, this cell tries more inputs. You do not have to write anything here.
### BEGIN HIDDEN TESTS
check.lora_merge(lora_merge, seed=5297, hidden=True)
### END HIDDEN TESTS

# %% [markdown] nb="read is_significant-text"
# ## 6 · Is it better, or lucky?
# **4 points · 25 minutes · ●●●**
#
# Two models answer the same test set, and one is right more often. Could this be chance? **McNemar's test** (1947;
# Dror et al., 2018, section 3, recommend it for accuracy) uses only the examples on which the two differ: *wins*, on
# which only model a is right, and *losses*, on which only b is. If the models were equally good, each of these n =
# wins + losses examples would be the toss of a fair coin. The **p-value** is the probability of a result at least as
# uneven, in either direction:
#
# $$p = \min\Bigl(1,\; 2 \sum_{i=0}^{\min(\text{wins},\,\text{losses})} \binom{n}{i} \Big/ 2^n\Bigr)$$
#
# If you compare often enough, something looks significant by chance. So with m comparisons, the limit for each is the
# level divided by m, the **Bonferroni correction**.
#
# | | | |
# | --- | --- | --- |
# | `right_a`, `right_b` | (N,), bool | whether model a, and model b, is right about each example |
# | `level` | float | the largest p-value at which a single comparison is significant, for example 0.05 |
# | `comparisons` | int | m, the number of comparisons, including this one |
# | returns | (float, bool) | p, and whether it is at most `level / comparisons` |
#
# For example, take 9 wins and 2 losses, and any number of examples on which the two agree: p = 2 (1 + 11 + 55)
# / 2048 = **0.065**, which is not significant at 0.05. If the models never differ, p is 1. No p in the check is
# close to its level.
#
# `math.comb(n, i)` counts the ways to choose i of n; you may also use SciPy, which has the binomial test.
#
# <details><summary>Common error</summary>
# Comparing the two accuracies as if they came from different examples. Most examples are easy or hard for both models,
# and this noise hides the difference from the test.
# </details>
# <details><summary>Why two-sided?</summary>
# Because you look at the result before you decide which model is better. If b had won, you would have reported b.
# </details>
# <details><summary>Is this enough?</summary>
# It tests these two trained models on this test set. Whether the *method* is better, with other seeds, is another
# question, which needs several runs of each.
# </details>


# %% nb="solution is_significant"
def is_significant(right_a, right_b, level, comparisons):
    """right_a, right_b (N,) bool. Returns (p of McNemar's exact test, whether p <= level / comparisons)."""
    ### BEGIN SOLUTION
    wins, losses = int((right_a & ~right_b).sum()), int((right_b & ~right_a).sum())
    n = wins + losses
    tail = sum(math.comb(n, i) for i in range(min(wins, losses) + 1)) / 2 ** n
    p = min(1.0, 2 * tail)
    return p, p <= level / comparisons
    ### END SOLUTION


# %% nb="tests is_significant-visible 2"
check.is_significant(is_significant, points=2)

# %% nb="tests is_significant-hidden 2"
# After you hand in, this cell tries more inputs. You do not have to write anything here.
### BEGIN HIDDEN TESTS
check.is_significant(is_significant, seed=6379, hidden=True)
### END HIDDEN TESTS

# %% [markdown] nb="read fair_report-text"
# ## 7 · Find three bugs
# **3 points · 15 minutes · ●●○**
#
# R runs with different seeds were each evaluated E times during training, on the validation set and on the test set. A
# report should say how good the method is, and how good the run is that you would use. The rule is short: **every
# choice is made by validation scores, and every reported number is a test score.**
#
# | | | |
# | --- | --- | --- |
# | `validation`, `test` | (R, E), float | the scores of each run at each evaluation |
# | returns | dict | `"mean"` and `"spread"`: of the runs' test scores, each at the evaluation with the run's highest validation score; `"best"`: the test score of the run with the highest validation score of all, at that evaluation |
#
# `"spread"` is the standard deviation of a sample (`ddof=1`). If scores are equal, take the
# first one, as `argmax` does.
#
# The function runs, and its numbers look better than they are. It has three bugs.

# %% nb="read broken-fair_report"
def broken_fair_report(validation, test):
    runs = np.arange(len(test))
    epoch = test.argmax(axis=1)                                             # (R,)
    by_validation = validation[runs, epoch]                                 # (R,)
    by_test = test[runs, epoch]                                             # (R,)
    winner = by_test.argmax()
    return {"mean": by_validation.mean(), "spread": by_validation.std(ddof=1), "best": by_test[winner]}


# %% [markdown] nb="read fair_report-examine"
# Examine it. Which properties should an honest report have, and which of them does this one have?

# %% nb="read fair_report-examined"
check.fair_report.examine(broken_fair_report)

# %% [markdown] nb="read fair_report-mend"
# Copy the function's body into `fair_report`, and fix it. You can examine `fair_report` as often as you like.
# {{each bug}}
#
# <details><summary>Common error</summary>
# Reporting the validation score by which a run was chosen. The highest of many scores is partly high by luck, and this
# luck does not carry over to the test set. The validation set would be used twice.
# </details>
# <details><summary>Why not choose on the test set?</summary>
# Then it is a validation set, and nothing is left to measure how good the choice is. This is why GLUE does not publish
# the labels of its test sets.
# </details>


# %% nb="solution fair_report"
def fair_report(validation, test):
    """validation, test (R, E): scores of R runs at E evaluations. Returns {"mean", "spread", "best"}."""
    ### BEGIN SOLUTION
    runs = np.arange(len(test))
    epoch = validation.argmax(axis=1)                                       # (R,)
    by_validation = validation[runs, epoch]                                 # (R,)
    by_test = test[runs, epoch]                                             # (R,)
    winner = by_validation.argmax()
    return {"mean": by_test.mean(), "spread": by_test.std(ddof=1), "best": by_test[winner]}
    ### END SOLUTION


# %% nb="tests fair_report-1 1"
check.fair_report.bug(1)(fair_report)
### BEGIN HIDDEN TESTS
check.fair_report.bug(1)(fair_report, seed=7001, hidden=True)
### END HIDDEN TESTS

# %% nb="tests fair_report-2 1"
check.fair_report.bug(2)(fair_report)
### BEGIN HIDDEN TESTS
check.fair_report.bug(2)(fair_report, seed=7919, hidden=True)
### END HIDDEN TESTS

# %% nb="tests fair_report-3 1"
check.fair_report.bug(3)(fair_report)
### BEGIN HIDDEN TESTS
check.fair_report.bug(3)(fair_report, seed=8443, hidden=True)
### END HIDDEN TESTS

# %% [markdown] nb="read test-text"
# ## 8 · Write a test
# **2 points · 10 minutes · ●●○**
#
# The lower layers of BERT encode what is useful for many tasks. So some train them with lower learning rates (Sun et
# al., 2019, section 5.3): the learning rate of each layer is that of the layer above it, multiplied by a decay factor.
# A function `layer_rates(layers, peak, decay)` returns these learning rates:
#
# | | | |
# | --- | --- | --- |
# | `layers` | int | the number of layers of the encoder, at least 1 |
# | `peak` | float | the learning rate of the new head *and* of the top layer, for example 2e-5 |
# | `decay` | float | each further part down has `decay` times the learning rate of the part above it |
# | returns | list of float | the learning rates of the embeddings, of the layers from the lowest to the top one, and of the head: layers + 2 numbers |
#
# For example, `layer_rates(2, 8.0, 0.5)` gives `[2.0, 4.0, 8.0, 8.0]`.
#
# You do not write `layer_rates`, but a test for it: `test_layer_rates` gets a function that claims to be `layer_rates`.
# If the function is right, the test does nothing; if it is wrong, the test fails at an `assert`:
#
# `assert len(layer_rates(2, 8.0, 0.5)) == 4, "embeddings, two layers, head"`
#
# The check gives your test right versions, which it must accept, and wrong ones, which it must catch. Some of the wrong
# ones are tried only after you hand in. Right versions compute in different ways, so their floats may differ in the
# last digits: compare with `np.allclose(x, y, rtol=1e-6, atol=0)`. Keep the line `@by_name`: the check needs it to pass
# its versions to your test.
#
# <details><summary>Common error</summary>
# Plain <code>np.allclose(x, y)</code>. It tolerates 1e-8, which is nothing compared with 1, but half of a learning rate of 2e-8.
# </details>
# <details><summary>Why more than the example?</summary>
# With two layers, a decay of 0.5 and a peak of 8, many a wrong version returns the right numbers.
# </details>


# %% nb="solution test"
@by_name
def test_layer_rates(layer_rates):
    """Fail at an assert unless layer_rates(layers, peak, decay) is the list described above."""
    ### BEGIN SOLUTION
    rates = layer_rates(4, 2e-5, 0.9)
    assert len(rates) == 6, "embeddings, four layers, head"
    right = [2e-5 * 0.9 ** 4, 2e-5 * 0.9 ** 3, 2e-5 * 0.9 ** 2, 2e-5 * 0.9, 2e-5, 2e-5]
    assert np.allclose(rates, right, rtol=1e-6, atol=0), "from the embeddings up, then the head"
    ### END SOLUTION


# %% nb="tests test-visible 1"
check.test_layer_rates(test_layer_rates, points=1)

# %% nb="tests test-hidden 1"
# After you hand in, this cell tries more wrong versions. You do not have to write anything here.
### BEGIN HIDDEN TESTS
check.test_layer_rates(test_layer_rates, hidden=True)
### END HIDDEN TESTS

# %% [markdown] nb="read why-text"
# ## 9 · The best of how many?
# **2 points · 5 minutes · ●○○**
#
# A paper reports 77.3 on a validation set for its new method, and 75.0 for plain fine-tuning. The appendix says that
# 77.3 is the best of 20 seeds, and 75.0 the score of a single run. Explain in two or three sentences: why does this not
# show that the method is better, and what would?
#
# <details><summary>Hint</summary>
# What would your <code>expected_maximum</code> say about 20 runs of plain fine-tuning?
# </details>

# %% [markdown] nb="manual why 2"
# The best of 20 runs is higher than a single run even if the method is no better: with a spread of 1.5 points between
# seeds, the expected maximum of 20 is nearly 3 points above the mean. And a score by which a run was chosen is also
# high by luck. To show something, both methods need the same number of seeds and the same budget. Then their
# distributions should be compared, or the runs chosen on validation should be compared on a test set that was not used
# before, with a significance test.
#
# **Mark scheme.** 1 point: the maximum of many runs is higher by chance alone. 1 point: the same number of
# runs (or budget) for both, and a comparison of means, of distributions, or on a fresh test set. Either
# half may be in other words.

# %% [markdown] nb="read try-text"
# ## Your functions and a model that knows English
#
# Now your `Adapter` is added after the top layer of a real model, which then fills a gap. There are no points for this.
# (The model is loaded first, which takes up to a minute.) Think first: what happens if an adapter starts with numbers
# that are thirty times as large?

# %%
import minibert
import torch
from minibert.data.batch import pack

english = minibert.load("english")
words, specials = english.tokenizer, english.tokenizer.specials
ids = words.encode("The dog wagged its tail and began to happily at the children.").ids
gap = ids.index(words.encode("happily").ids[0])
ids, types = (torch.tensor(x)[None] for x in pack([*ids[:gap], specials.mask, *ids[gap:]], None, specials))
with torch.no_grad():
    hidden = english.encoder(ids, torch.ones(1, *2 * ids.shape[1:], dtype=torch.bool), types)["hidden"].numpy()

adapter = Adapter(hidden.shape[-1], 48, np.random.default_rng(0))
large = Adapter(hidden.shape[-1], 48, np.random.default_rng(0))
large.weights = {name: 30 * x for name, x in large.weights.items()}
for name, states in (("without an adapter", hidden), ("a new adapter", adapter(hidden)),
                     ("30 times as large", large(hidden))):
    with torch.no_grad():
        logits = english.model.heads["tokens"](torch.tensor(states, dtype=torch.float32))[ids == specials.mask]
    p, best = logits[0].softmax(-1).topk(3)
    print(f"{name:20s}", ", ".join(f"{words.decode([int(i)])} {x:.0%}" for i, x in zip(best, p)))
print(f"trained: {sum(x.size for x in adapter.weights.values()):,} numbers")

# %% [markdown]
# The course comes with LoRA adapters for the sentiment of English sentences, a third of a megabyte. Your `lora_merge`
# adds them to the encoder's weights: at full strength, and at a tenth of it. Both models read the same sentences, and
# your `is_significant` tests whether they differ by more than chance.

# %%
from minibert.course.models.class_model import untrained_model
from minibert.readers.glue import TextExample
from minibert.model import Encoder

sentiment = minibert.load("english-sentiment", instead=untrained_model("sst2", labels=["negative", "positive"]))
tensors = {name.replace("parametrizations.weight.", "").replace("original", "weight"): p.detach().numpy()
           for name, p in sentiment.model.encoder.named_parameters()}
thin = {name for name in tensors if name.endswith(("0.a", "0.b"))}
adapters = {name[:-4] + ".weight": {"a": tensors[name], "b": tensors[name[:-1] + "b"]}
            for name in thin if name.endswith("0.a")}
weights = {name: x for name, x in tensors.items() if name not in thin}
rank = max((len(pair["a"]) for pair in adapters.values()), default=1)
print(f"{len(adapters)} adapters of rank {rank}, beside {len(weights)} weights")

things = ("film", "plot", "acting", "music", "ending", "script")
kinds = {"positive": ("a delight", "moving and funny", "never boring", "far better than I feared"),
         "negative": ("a mess", "slow and empty", "not worth a cent", "no fun at all")}
texts = [TextExample(f"The {thing} was {kind}.", None, label, "", 0) for thing in things
         for label, some in kinds.items() for kind in some]
gold = np.array([text.label for text in texts])
right = {}
for name, strength in (("full", 1.0), ("a tenth", 0.1)):
    encoder = Encoder(sentiment.config).eval()
    state = lora_merge(weights, adapters, strength * rank)
    encoder.load_state_dict({key: torch.tensor(x) for key, x in state.items()})
    model = sentiment.model.with_part("encoder", encoder).eval()
    right[name] = np.array(sentiment.task.answer(model, texts)) == gold
    print(f"strength {name:8s}{right[name].mean():.0%} of {len(texts)} sentences right")
same = np.array(sentiment.task.answer(sentiment.model, texts)) == gold
print("merged, and beside the weights: the same answers" if (same == right["full"]).all() else "they differ")
p, significant = is_significant(right["full"], right["a tenth"], 0.05, 1)
print(f"p = {p:.2g}:", "more than chance" if significant else "could be chance")

# %% [markdown] nb="read end"
# ## Done
#
# You have the tools for fine-tuning well. In the package they are in `seeds.py`, `early_stopping.py`, `adapters.py`,
# `smart.py` and `two_stage.py` in `minibert/course/unit13/methods/`, `layers.py` in `minibert/finetuning/`, and
# `significance.py` in `minibert/tasks/`.
#
# **Before you hand in**: restart the kernel and run all cells, or let `minibert doctor` check your notebook.
#
# **Further reading**: Dodge et al. (2019), *Show your work*, [arXiv 1909.03004](https://arxiv.org/abs/1909.03004), section 3. Tang
# et al. (2020), [arXiv 2004.13705](https://arxiv.org/abs/2004.13705). Dodge et al. (2020), *Fine-tuning pretrained language
# models: weight initializations, data orders, and early stopping*, [arXiv 2002.06305](https://arxiv.org/abs/2002.06305),
# section 5. Houlsby et al. (2019), [arXiv 1902.00751](https://arxiv.org/abs/1902.00751), section 2. Hu et al. (2022), *LoRA*,
# [arXiv 2106.09685](https://arxiv.org/abs/2106.09685), section 4. Dror et al. (2018), *The hitchhiker's guide to testing
# statistical significance in natural language processing*, [ACL](https://aclanthology.org/P18-1128/), section 3. Sun et al.
# (2019), *How to fine-tune BERT for text classification?*, [arXiv 1905.05583](https://arxiv.org/abs/1905.05583), section 5.
