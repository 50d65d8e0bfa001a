# %% [markdown] nb="read intro"
# # Unit 14 · After BERT: search, text, long inputs, many languages
#
# What can be made of a model that fills gaps? You will write the core of four answers: a loss that turns an encoder into
# a search engine, three steps of algorithms that write with BERT, attention whose cost grows linearly with the length of
# the text, and the shares with which a model of 104 languages sees each of them. You will also fix a function that
# computes attention to a window, and write a test for code that combines two rankings.
#
# | | exercise | points | minutes | difficulty |
# | --- | --- | --- | --- | --- |
# | 1 | `in_batch_loss`: which answer belongs to the question? | 4 | 12 | ●●○ |
# | 2 | `gibbs_step`: draw one token again | 4 | 12 | ●●○ |
# | 3 | `metropolis_accept`: keep the new text, or not | 3 | 8 | ●●○ |
# | 4 | `number_masked`: fewer masks each time | 2 | 4 | ●○○ |
# | 5 | `mask_predict`: write a text in a few iterations | 5 | 18 | ●●● |
# | 6 | `sliding_window_visible`: attend to neighbours | 2 | 5 | ●○○ |
# | 7 | `longformer_visible`: and to a few tokens from everywhere | 2 | 5 | ●○○ |
# | 8 | `sampling_shares`: more of the small languages | 3 | 8 | ●●○ |
# | 9 | `long_attention`: find three bugs | 3 | 12 | ●●● |
# | 10 | `test_combined`: write a test | 2 | 8 | ●●○ |
# | 11 | Words or meaning? (in words) | 2 | 5 | ●○○ |
# | | total | **32** | **97** | |
#
# The finished notebook runs in 6 seconds on two cores; its last cells, which use a model, take half a minute more.
#
# {{how it works}}
#
# **Stuck?** `check.in_batch_loss.hint()` shows a hint; each further call shows a stronger one, three in all. The other
# exercises have hints, too. You can do the exercises in any order, but 5 uses 4, and 7 uses 6.
#
# **Axes.** **B** is the number of pairs in a batch, **D** the size of a vector, **N** the number of texts (or
# languages), **T** of tokens, **V** of tokens in the vocabulary, **K** the size of a query or key.

# %% nb="read imports"
import numpy as np

from minibert.course import unit14 as check
from minibert.course.checks.student_tests import by_name

import torch
from torch.nn import functional as F

# %% [markdown] nb="read in_batch_loss-text"
# ## 1 · Which answer belongs to the question?
# **4 points · 12 minutes · ●●○**
#
# To search by meaning, an encoder must give a question and its answer similar vectors. It is trained on pairs (question,
# answer), and nothing else is labelled: in a batch of B pairs, each question has one right answer, and the B - 1 answers
# of the other pairs serve as wrong ones, the **in-batch negatives** (Henderson et al., 2017, section 4.4). The similarity
# is the **cosine**, divided by a small **temperature** τ:
#
# $$s_{ij} = \frac{q_i \cdot a_j}{|q_i| \, |a_j| \, \tau} \qquad
# \text{loss} = \frac{1}{B} \sum_{i=1}^{B} - \log \frac{e^{s_{ii}}}{\sum_{j=1}^{B} e^{s_{ij}}}$$
#
# This function is written in **PyTorch**, because the encoder is trained with its gradient. Both texts go through the
# same encoder, so the gradient must reach the vectors of **both** sides.
#
# | | | |
# | --- | --- | --- |
# | `queries`, `answers` | (B, D), tensors of floats | row i of `answers` belongs to row i of `queries`; no vector is shorter than 0.001 |
# | `temperature` | float or int, above 0 | τ; with a small one, some probabilities are 0 in a computer, and the loss must be finite all the same |
# | returns | a tensor without axes | the loss, from which `backward()` computes the gradients |
#
# For example, with the queries [[3, 0], [0, 1]], the answers [[2, 0], [1, 0]] and τ = 0.5, both answers have the cosine 1
# with the first query, and 0 with the second. So each is chosen with the probability 1/2, and the loss is ln 2 =
# **0.693**. The gradient of the queries is **[[0, 0], [0, 0]]**, and that of the answers **[[0, 0.25], [0, -0.5]]**.
#
# The check calls your function through the next cell, which gets arrays and returns the loss and both gradients. Leave
# the cell as it is.

# %% nb="read use_in_batch_loss"
def use_in_batch_loss(queries, answers, temperature):
    """Call your function with tensors; return its loss and the gradients of both sides, for the check."""
    vectors = [torch.from_numpy(x).requires_grad_() for x in (queries, answers)]
    loss = in_batch_loss(*(x.view_as(x) for x in vectors), temperature)         # computed, like those of a model
    loss.backward()
    gradients = [torch.zeros_like(x) if x.grad is None else x.grad for x in vectors]
    return loss.item(), *gradients


# %% [markdown] nb="read in_batch_loss-hints"
# <details><summary>Common error</summary>
# Comparing the vectors by their product. A long vector then wins every search, whatever it means.
# </details>
# <details><summary>Another common error</summary>
# Taking the softmax by hand, with <code>exp</code> and <code>log</code>. With τ = 0.05 the scores go up to 20, and with a
# smaller one they soon overflow.
# </details>
# <details><summary>Why are larger batches better?</summary>
# With more wrong answers to choose from, the question is harder, and more can be learned from it. But a batch may then
# contain the same answer twice, and one of them counts as wrong.
# </details>


# %% nb="solution in_batch_loss"
def in_batch_loss(queries, answers, temperature):
    """queries, answers (B, D): tensors, of which equal rows belong together. Returns the loss, a tensor."""
    ### BEGIN SOLUTION
    q = F.normalize(queries, dim=1)                                             # (B, D)
    a = F.normalize(answers, dim=1)                                             # (B, D)
    scores = q @ a.T / temperature                                              # (B, B)
    return F.cross_entropy(scores, torch.arange(len(scores)))
    ### END SOLUTION


# %% nb="tests in_batch_loss-visible 2"
check.in_batch_loss(use_in_batch_loss, points=2)

# %% nb="tests in_batch_loss-hidden 2"
# After you hand in, this cell tries more inputs. You do not have to write anything here.
### BEGIN HIDDEN TESTS
check.in_batch_loss(use_in_batch_loss, seed=2311, hidden=True)
### END HIDDEN TESTS

# %% [markdown]
# Train with your loss: 4 of the 20 numbers of each vector say what a text is about, and the other 16 how it is written,
# which differs more. A linear layer learns to look at the 4, although nobody says which they are.

# %%
drawn = torch.Generator().manual_seed(0)
meaning = torch.randn(300, 4, generator=drawn)
texts = [torch.cat([meaning, 3 * torch.randn(300, 16, generator=drawn)], 1) for side in range(2)]
layer = torch.eye(20, requires_grad=True)
for step in range(61):
    queries, answers = (side @ layer for side in texts)
    if step % 15 == 0:
        found = (F.normalize(queries[200:], dim=1) @ F.normalize(answers[200:], dim=1).T).argmax(1)
        hits = (found == torch.arange(100)).float().mean()
        print(f"step {step:2d}: the right one of 100 new answers is first for {hits:.0%} of the queries")
    gradient, = torch.autograd.grad(in_batch_loss(queries[:200], answers[:200], 0.1), layer)
    layer.data -= 0.3 * gradient

# %% [markdown] nb="read gibbs_step-text"
# ## 2 · Draw one token again
# **4 points · 12 minutes · ●●○**
#
# BERT knows no beginning of a text: it only gives each token's probabilities if all others are known. **Gibbs sampling**
# writes with just that (Wang and Cho, 2019). Begin with any text; mask one token, draw it again with the probabilities
# that BERT gives at this place, and repeat with another token, many times. Here is one such step, for N texts at once.
#
# | | | |
# | --- | --- | --- |
# | `ids` | (N, T), int array | N texts of the same length, which may contain [MASK] |
# | `position` | int, 0 to T - 1 | the place of the token that is drawn again, in each text |
# | `log_probs` | a function | the model: `log_probs(some_ids)` gets an int array (n, T) and returns (n, T, V), the logarithms of the probabilities of all V tokens at each place |
# | `mask` | int | the id of [MASK], which the model never predicts (its logarithm is -inf) |
# | `rng` | a NumPy generator | **for each text, in order, draw one number u from 0 to 1 with `rng.random`**; the token is the first one, counted from id 0, for which the sum of the probabilities up to and including its own is above u |
# | returns | (N, T), int array | new texts |
#
# `rng.choice(V, p=probs)` does for one text exactly what the table says. In the check, no sum is so close to its u that
# rounding decides.
#
# For example, with the probabilities 0.2, 0.5, 0 and 0.3 for the ids 0 to 3, the sums are 0.2, 0.7, 0.7 and 1. With u =
# 0.65 the token is 1, and with u = 0.71 it is 3.
#
# <details><summary>Common error</summary>
# Asking the model without masking the token. It then reads the answer, and hardly ever changes it.
# </details>
# <details><summary>Another common error</summary>
# Taking the most probable token. Then the text soon stays the same, and all N texts become equal.
# </details>
# <details><summary>What does the chain draw from?</summary>
# If the model's probabilities belong to one distribution of whole texts, then in the long run from that distribution. But
# nothing makes BERT's probabilities consistent: Wang and Cho first called BERT a Markov random field, and took this back in
# a later note. What comes out may depend on the order of the positions.
# </details>


# %% nb="solution gibbs_step"
def gibbs_step(ids, position, log_probs, mask, rng):
    """ids (N, T); log_probs: (n, T) -> (n, T, V). Returns new texts (N, T), with new tokens at `position`."""
    ### BEGIN SOLUTION
    masked = ids.copy()
    masked[:, position] = mask
    probs = np.exp(log_probs(masked)[:, position])                              # (N, V)
    uniform = rng.random(len(ids))                                              # (N,)
    new = ids.copy()
    new[:, position] = (probs.cumsum(axis=1) <= uniform[:, None]).sum(axis=1)
    return new
    ### END SOLUTION


# %% nb="tests gibbs_step-visible 2"
check.gibbs_step(gibbs_step, points=2)

# %% nb="tests gibbs_step-hidden 2"
# After you hand in, this cell tries more inputs. You do not have to write anything here.
### BEGIN HIDDEN TESTS
check.gibbs_step(gibbs_step, seed=2903, hidden=True)
### END HIDDEN TESTS

# %% [markdown] nb="read metropolis_accept-text"
# ## 3 · Keep the new text, or not
# **3 points · 8 minutes · ●●○**
#
# To know what a chain draws from, decide by yourself: give each text a **score**, such as the sum of the logarithms that
# BERT gives its tokens, and let the probability p of a text be proportional to e^score. The masked model only *proposes*
# a token. The **Metropolis-Hastings** rule (Goyal et al., 2022, section 3) accepts the new text with the probability
#
# $$\min\Bigl(1, \; \frac{p_\text{new} \; q_\text{old}}{p_\text{old} \; q_\text{new}}\Bigr)$$
#
# where $q_\text{new}$ is the probability with which the new text was proposed, and $q_\text{old}$ that of proposing the
# old one again from the new one. A text that is proposed very often is accepted less often for that. Decide for N texts
# at once. All arrays are (N,) and contain **natural logarithms**, except `uniform`.
#
# | | | |
# | --- | --- | --- |
# | `old`, `new` | float arrays | the scores of the old and the new texts, log p up to a constant that is the same for both; they can be far below -1,000, so that e^score is 0 in a computer; `new` may be -inf for an impossible text |
# | `forward` | float array | $\log q_\text{new}$: of proposing the new text |
# | `backward` | float array | $\log q_\text{old}$: of proposing the old one again, possibly -inf |
# | `uniform` | float array | a random number above 0 and below 1 for each text; **accept if it is below the probability** |
# | returns | (N,), bool array | True where the new text is accepted |
#
# In the check, no number is so close to its probability that rounding decides.
#
# For example, three texts have the scores -10. With the new scores [-9, -11, -11], `forward` [-1, -1, -1], `backward`
# [-1, -1, -3] and `uniform` [0.6, 0.3, 0.3], the probabilities are 1, 0.37 and 0.05, and the result is **[True, True,
# False]**.
#
# <details><summary>Common error</summary>
# Computing e^score first. Both are 0 then, and 0 / 0 is nan.
# </details>
# <details><summary>Why not accept only better texts?</summary>
# The chain would climb to the nearest text that no single token can improve, and stay there.
# </details>


# %% nb="solution metropolis_accept"
def metropolis_accept(old, new, forward, backward, uniform):
    """All (N,); logarithms, except uniform. Returns which new texts are accepted, (N,) bool."""
    ### BEGIN SOLUTION
    ratio = new - old + backward - forward                                      # (N,), a logarithm
    return uniform < np.exp(np.minimum(0, ratio))
    ### END SOLUTION


# %% nb="tests metropolis_accept-visible 2"
check.metropolis_accept(metropolis_accept, points=2)

# %% nb="tests metropolis_accept-hidden 1"
# After you hand in, this cell tries more inputs. You do not have to write anything here.
### BEGIN HIDDEN TESTS
check.metropolis_accept(metropolis_accept, seed=3407, hidden=True)
### END HIDDEN TESTS

# %% [markdown] nb="read number_masked-text"
# ## 4 · Fewer masks each time
# **2 points · 4 minutes · ●○○**
#
# **Mask-Predict** (Ghazvininejad et al., 2019) needs far fewer steps: it fills *all* masks at once, then masks the tokens
# again of which the model was least certain, fewer each time. With n tokens, iteration t of T (counted **from 0**) masks
# n (T - t) / T of them, **rounded down**: a *linear decay*.
#
# | | | |
# | --- | --- | --- |
# | `n` | int, 1 or more | the number of tokens that are written |
# | `t` | int, 0 to `iterations` - 1 | the iteration |
# | `iterations` | int, 1 or more | T; it may be larger than n |
# | returns | int | how many tokens are masked in iteration t |
#
# For example, with n = 12 and three iterations, **12**, **8** and **4** tokens are masked. With n = 8, iteration 1 of 3
# masks **5**, because 16 / 3 = 5.33 is rounded down.
#
# <details><summary>Common error</summary>
# <code>int(n * (1 - t / iterations))</code>. On a computer 10 * (1 - 9 / 10) is 0.9999999999999998, and <code>int</code>
# makes 0 of it.
# </details>


# %% nb="solution number_masked"
def number_masked(n, t, iterations):
    """How many of n tokens are masked in iteration t, from 0, of `iterations`. Returns an int."""
    ### BEGIN SOLUTION
    return n * (iterations - t) // iterations
    ### END SOLUTION


# %% nb="tests number_masked-visible 1"
check.number_masked(number_masked, points=1)

# %% nb="tests number_masked-hidden 1"
# After you hand in, this cell tries more inputs. You do not have to write anything here.
### BEGIN HIDDEN TESTS
check.number_masked(number_masked, seed=3929, hidden=True)
### END HIDDEN TESTS

# %% [markdown] nb="read mask_predict-text"
# ## 5 · Write a text in a few iterations
# **5 points · 18 minutes · ●●●**
#
# Write one text with Mask-Predict (section 3). Some places are *free*, and the other tokens stay. In each iteration t:
#
# 1. mask the free tokens that are **least certain**, as many as your `number_masked` says for the number of *free*
#    places; in iteration 0, these are all of them
# 2. ask the model once about this text
# 3. at each masked place, write the most probable token, and keep the logarithm of its probability as the token's
#    **certainty**; all other tokens *and their certainties* stay as they are
#
# | | | |
# | --- | --- | --- |
# | `ids` | (T,), int array | the text; at the free places, there may be any tokens at first, which do not matter |
# | `free` | (T,), bool array | True where a token is written, at one place or more; all other tokens stay, even a [MASK] |
# | `log_probs` | a function | the model, as in exercise 2. It gets (n, T), so give it `some_ids[None]`, and take its result `[0]`, which is (T, V) |
# | `mask` | int | the id of [MASK], which the model never predicts |
# | `iterations` | int, 1 or more | how often the model is asked; it may be larger than the number of free places, and then some iterations mask nothing |
# | returns | (`iterations`, T), int array | the text **after each iteration**, without any [MASK] at a free place |
#
# In the check, no two probabilities that are compared are equal.
#
# For example, of four free tokens with the certainties -0.2, -1.5, -0.1 and -0.7, iteration 1 of 2 masks the second and the
# fourth.
#
# <details><summary>Common error</summary>
# Appending the same array in each iteration. A list of one array, three times, shows the last text three times.
# </details>
# <details><summary>Another common error</summary>
# Updating all certainties. For a token that the model can read, it is nearly certain, right or wrong.
# </details>
# <details><summary>And the length?</summary>
# Somebody must say how many masks there are. For a translation, the paper predicts several lengths from the source,
# writes a text for each, and keeps the one with the highest mean certainty.
# </details>


# %% nb="solution mask_predict"
def mask_predict(ids, free, log_probs, mask, iterations):
    """ids, free (T,); log_probs: (n, T) -> (n, T, V). Returns the text after each iteration, (iterations, T)."""
    ### BEGIN SOLUTION
    positions = np.flatnonzero(free)                                            # (P,)
    ids, certainty = ids.copy(), np.zeros(len(ids))                             # (T,)
    texts = []
    for t in range(iterations):
        order = positions[np.argsort(certainty[positions])]                     # least certain first
        again = order[:number_masked(len(positions), t, iterations)]
        ids[again] = mask
        logs = log_probs(ids[None])[0]                                          # (T, V)
        ids[again] = logs[again].argmax(axis=1)
        certainty[again] = logs[again].max(axis=1)
        texts.append(ids.copy())
    return np.array(texts)
    ### END SOLUTION


# %% nb="tests mask_predict-visible 3"
check.mask_predict(mask_predict, points=3)

# %% nb="tests mask_predict-hidden 2"
# After you hand in, this cell tries more inputs. You do not have to write anything here.
### BEGIN HIDDEN TESTS
check.mask_predict(mask_predict, seed=4483, hidden=True)
### END HIDDEN TESTS

# %% [markdown] nb="read sliding_window_visible-text"
# ## 6 · Attend to neighbours
# **2 points · 5 minutes · ●○○**
#
# BERT's attention compares each token with each other: twice the length costs four times as much. Longformer (Beltagy et
# al., 2020, section 3.1) lets most tokens attend only to a **sliding window**: to themselves and to `reach` tokens on
# each side, as far as there are any.
#
# | | | |
# | --- | --- | --- |
# | `length` | int, 1 or more | T |
# | `reach` | int, 0 or more | on each side; it may be longer than the text |
# | returns | (T, T), bool array | row i, column j: True if token i (the query) attends to token j (the key) |
#
# For example, with `length=4` and `reach=1` the rows are TTFF, TTTF, FTTT and FFTT (T for True).
#
# <details><summary>Common error</summary>
# Taking <code>reach</code> for the width of the whole window, which is 2 reach + 1.
# </details>


# %% nb="solution sliding_window_visible"
def sliding_window_visible(length, reach):
    """Returns which tokens attend to which, (length, length) bool: to `reach` on each side, and to themselves."""
    ### BEGIN SOLUTION
    at = np.arange(length)
    return abs(at[:, None] - at) <= reach
    ### END SOLUTION


# %% nb="tests sliding_window_visible-visible 1"
check.sliding_window_visible(sliding_window_visible, points=1)

# %% nb="tests sliding_window_visible-hidden 1"
# After you hand in, this cell tries more inputs. You do not have to write anything here.
### BEGIN HIDDEN TESTS
check.sliding_window_visible(sliding_window_visible, seed=5011, hidden=True)
### END HIDDEN TESTS

# %% [markdown] nb="read longformer_visible-text"
# ## 7 · And to a few tokens from everywhere
# **2 points · 5 minutes · ●○○**
#
# With a window alone, [CLS] sees only the beginning. So Longformer also has **global tokens**: a global token attends to
# **all** tokens, and **all** tokens attend to it. The others keep their windows.
#
# | | | |
# | --- | --- | --- |
# | `length`, `reach` | int | as in exercise 6 |
# | `positions` | list of int | the global tokens: different places from 0 to T - 1, in any order; the list may be empty |
# | returns | (T, T), bool array | |
#
# Use your `sliding_window_visible`.
#
# For example, with `length=5`, `reach=1` and `positions=[0]`, the first row and the first column are True, and row 4 is
# TFFTT.
#
# <details><summary>Common error</summary>
# Setting only the rows. Then [CLS] reads everything, but no other token learns anything of it.
# </details>


# %% nb="solution longformer_visible"
def longformer_visible(length, reach, positions):
    """Returns which tokens attend to which, (length, length) bool: a window, and global tokens at `positions`."""
    ### BEGIN SOLUTION
    visible = sliding_window_visible(length, reach).copy()
    for position in positions:
        visible[position] = True
        visible[:, position] = True
    return visible
    ### END SOLUTION


# %% nb="tests longformer_visible-visible 1"
check.longformer_visible(longformer_visible, points=1)

# %% nb="tests longformer_visible-hidden 1"
# After you hand in, this cell tries more inputs. You do not have to write anything here.
### BEGIN HIDDEN TESTS
check.longformer_visible(longformer_visible, seed=5521, hidden=True)
### END HIDDEN TESTS

# %% [markdown]
# How many pairs of tokens are left?

# %%
print("\n".join("".join("■" if pair else "·" for pair in row) for row in longformer_visible(16, 2, [0])))
for length in (512, 1024, 2048, 4096):
    pairs = longformer_visible(length, 64, [0]).sum()
    print(f"{length:4d} tokens: {pairs:9,} pairs instead of {length * length:10,}, {pairs / length:.0f} per token")

# %% [markdown] nb="read sampling_shares-text"
# ## 8 · More of the small languages
# **3 points · 8 minutes · ●●○**
#
# Multilingual BERT learned 104 languages from their Wikipedias. If it read them as they are, every fifth sentence would
# be English, and Icelandic would hardly occur. If it read as much Icelandic as English, it would read each Icelandic
# article a thousand times as often as an English one. Between the two, each language's share is raised to a power from 0
# to 1, and the results are divided by their sum (*exponential smoothing*; mBERT uses 0.7, XLM-R 0.3: Conneau et al., 2020, section 3.1):
#
# $$p_n = \frac{\text{count}_n}{\sum_m \text{count}_m} \qquad q_n = \frac{p_n^{\;s}}{\sum_m p_m^{\;s}}$$
#
# | | | |
# | --- | --- | --- |
# | `counts` | (N,), int or float array | how much text there is of each language, 0 or more; not all are 0 |
# | `exponent` | float, 0 to 1 | s |
# | returns | (N,), float array | q, the share of each language in training; **a language without text stays at 0**, whatever the exponent |
#
# For example, with the counts [900, 100] and the exponent 0.5 the shares are **[0.75, 0.25]**. With the counts [900, 0, 100]
# and the exponent 0 they are **[0.5, 0, 0.5]**.
#
# <details><summary>Common error</summary>
# Not dividing again at the end. The powers of shares do not add up to 1.
# </details>
# <details><summary>Another common error</summary>
# In NumPy, <code>0.0 ** 0.0</code> is 1.
# </details>


# %% nb="solution sampling_shares"
def sampling_shares(counts, exponent):
    """counts (N,): the amount of text; exponent: 0 (equal shares) to 1 (as they are). Returns shares (N,)."""
    ### BEGIN SOLUTION
    shares = counts / counts.sum()
    smooth = np.where(shares > 0, shares ** exponent, 0)
    return smooth / smooth.sum()
    ### END SOLUTION


# %% nb="tests sampling_shares-visible 2"
check.sampling_shares(sampling_shares, points=2)

# %% nb="tests sampling_shares-hidden 1"
# After you hand in, this cell tries more inputs. You do not have to write anything here.
### BEGIN HIDDEN TESTS
check.sampling_shares(sampling_shares, seed=6133, hidden=True)
### END HIDDEN TESTS

# %% [markdown]
# Four languages of which one has ten thousand times as much text as another (the numbers are invented):

# %%
counts = np.array([1_000_000_000, 50_000_000, 1_000_000, 100_000])
for exponent in (1.0, 0.7, 0.3, 0.0):
    shares = sampling_shares(counts, exponent)
    print(f"exponent {exponent}: {'  '.join(f'{share:7.2%}' for share in shares)}    "
          f"each text of the smallest is read {shares[-1] / shares[0] * counts[0] / counts[-1]:,.0f} times as often")

# %% [markdown] nb="read long_attention-text"
# ## 9 · Find three bugs
# **3 points · 12 minutes · ●●●**
#
# A mask alone saves nothing: the matrix of all scores is computed first. This function computes only the scores that are
# needed, token by token, and gives the same as attention with the mask of `longformer_visible`:
#
# 1. the **keys** of a token are those of its window and the global tokens; a global token has **all** keys
# 2. each key gets the score q · k / √K, and the weights are the softmax of these scores
# 3. the **context** of the token is the weighted sum of the values
#
# | | | |
# | --- | --- | --- |
# | `q`, `k`, `v` | (T, K), float arrays | queries, keys and values of one head |
# | `reach` | int, 1 to T | of the window, on each side |
# | `positions` | list of int | the global tokens: different places from 0 to T - 1, in any order; the list may be empty |
# | returns | (T, K), float array | the context of each token |
#
# The function runs, and its results look plausible. It has three bugs.

# %% nb="read broken-long_attention"
def broken_long_attention(q, k, v, reach, positions):
    T, K = q.shape
    context = np.zeros(v.shape)                                                 # (T, K)
    for t in range(T):
        window = range(t - reach, min(t + reach, T))
        keys = sorted({*window, *positions})
        scores = k[keys] @ q[t] / np.sqrt(K)                                    # (keys,)
        weights = np.exp(scores - scores.max())
        context[t] = weights @ v[keys] / weights.sum()
    return context


# %% [markdown] nb="read long_attention-examine"
# Examine it. Which properties should such attention have, and which of them does this function have?

# %% nb="read long_attention-examined"
check.long_attention.examine(broken_long_attention)

# %% [markdown] nb="read long_attention-mend"
# Copy the function's body into `long_attention`, and fix it. You can examine `long_attention` as often as you like.
# {{each bug}}
#
# <details><summary>Common error</summary>
# Forgetting that Python counts from the end: <code>k[[-1]]</code> is the last key, and no error.
# </details>
# <details><summary>Is this fast?</summary>
# Its work grows linearly with the length, but a loop over tokens is slow in Python. <code>minibert/model/long.py</code>
# computes whole chunks at once, with the same result.
# </details>


# %% nb="solution long_attention"
def long_attention(q, k, v, reach, positions):
    """q, k, v (T, K). Returns the context (T, K) of attention to a window and to global tokens."""
    ### BEGIN SOLUTION
    T, K = q.shape
    context = np.zeros(v.shape)                                                 # (T, K)
    for t in range(T):
        window = range(max(t - reach, 0), min(t + reach + 1, T))
        keys = sorted({*window, *positions})
        if t in positions:
            keys = list(range(T))
        scores = k[keys] @ q[t] / np.sqrt(K)                                    # (keys,)
        weights = np.exp(scores - scores.max())
        context[t] = weights @ v[keys] / weights.sum()
    return context
    ### END SOLUTION


# %% nb="tests long_attention-1 1"
check.long_attention.bug(1)(long_attention)
### BEGIN HIDDEN TESTS
check.long_attention.bug(1)(long_attention, seed=6701, hidden=True)
### END HIDDEN TESTS

# %% nb="tests long_attention-2 1"
check.long_attention.bug(2)(long_attention)
### BEGIN HIDDEN TESTS
check.long_attention.bug(2)(long_attention, seed=7219, hidden=True)
### END HIDDEN TESTS

# %% nb="tests long_attention-3 1"
check.long_attention.bug(3)(long_attention)
### BEGIN HIDDEN TESTS
check.long_attention.bug(3)(long_attention, seed=7723, hidden=True)
### END HIDDEN TESTS

# %% [markdown] nb="read test-text"
# ## 10 · Write a test
# **2 points · 8 minutes · ●●○**
#
# Search by shared words and search by meaning find different things, so many engines combine them. But their scores have
# different scales. **Reciprocal rank fusion** (Cormack et al., 2009) uses only the *ranks*: in each of two searches, the text
# with the highest score has rank 1, the next one rank 2, and so on. A text's combined score is
#
# $$\frac{1}{\text{constant} + \text{rank}_1} + \frac{1}{\text{constant} + \text{rank}_2}$$
#
# | | | |
# | --- | --- | --- |
# | `first`, `second` | (N,), float arrays | the scores of N texts in two searches, all different within a search |
# | `constant` | float, 0 or more | |
# | returns | (N,), float array | the combined score of each text, in the order of the texts; exact up to rounding, possibly in float32 |
#
# The function `combined(first, second, constant)` does not change its arguments. For example, with `first` [0.3, 0.9, 0.5],
# `second` [20, 10, 5] and the constant 1, the ranks are [3, 1, 2] and [1, 2, 3], so it returns 1/4 + 1/2, 1/2 + 1/3 and
# 1/3 + 1/4: [0.75, 0.833, 0.583].
#
# You do not write `combined`, but a test for it: `test_combined` gets a function that claims to be `combined`. If the
# function is right, the test does nothing; if it is wrong, the test fails at an `assert`:
#
# `assert len(result) == 3, "a score for each text"`
#
# The check gives your test right versions, which it must accept, and wrong ones, which it must catch. Some of the wrong
# ones are tried only after you hand in. Keep the line `@by_name`: the check needs it to pass its versions to your test.
#
# <details><summary>Common error</summary>
# Ranks that are their own order. <code>np.argsort(-scores)</code> says which text is at each rank, not which rank each text
# has; with three texts of which two are swapped, both are the same.
# </details>
# <details><summary>Another common error</summary>
# Comparing with <code>==</code>. Two right versions may differ in the last digits; use <code>np.allclose</code>.
# </details>


# %% nb="solution test"
@by_name
def test_combined(combined):
    """Fail at an assert unless combined(first, second, constant) does what is described above."""
    ### BEGIN SOLUTION
    first = np.array([0.2, 0.9, 0.1, 0.5, 0.7])                                 # ranks 4, 1, 5, 3, 2
    second = np.array([30.0, 5.0, 40.0, 10.0, 20.0])                            # ranks 2, 5, 1, 4, 3
    given = first.copy(), second.copy()
    for constant in (2.0, 7.0):
        right = [1 / (constant + a) + 1 / (constant + b) for a, b in zip((4, 1, 5, 3, 2), (2, 5, 1, 4, 3))]
        assert np.allclose(combined(*given, constant), right), f"the sums for the constant {constant}"
    assert np.array_equal(given[0], first) and np.array_equal(given[1], second), "the arguments have changed"
    ### END SOLUTION


# %% nb="tests test-visible 1"
check.test_combined(test_combined, points=1)

# %% nb="tests test-hidden 1"
# After you hand in, this cell tries more wrong versions. You do not have to write anything here.
### BEGIN HIDDEN TESTS
check.test_combined(test_combined, hidden=True)
### END HIDDEN TESTS

# %% [markdown] nb="read why-text"
# ## 11 · Words or meaning?
# **2 points · 5 minutes · ●○○**
#
# A shop has two search engines for its products: BM25, which counts shared words (rare ones more), and sentence vectors, which
# compare meanings. Customers type "XK-4471 charger" and "something to keep coffee warm". Say for each of the two queries
# which engine will probably do better, and why, in two or three sentences.
#
# <details><summary>Hint</summary>
# What does the page of the right product say? Which words does it share with the query, and what does a model that was
# trained on ordinary text know about "4471"?
# </details>

# %% [markdown] nb="manual why 2"
# "XK-4471" is a rare string that stands on exactly one page: BM25 gives it a high weight and finds it. An encoder cuts it
# into meaningless subwords, and its vector says little more than that this is a charger, so similar chargers are as near.
# "Something to keep coffee warm" may share no word with "vacuum flask" or "thermos", and BM25 scores such a page with 0 or
# by words like "to"; the vectors of both are similar, because they occur in similar contexts.
#
# **Mark scheme.** 1 point for each query, with its reason: exact rare string against similar meaning with other words. An
# engine without a reason gets no point. "Combine both" is true but no answer.

# %% [markdown] nb="read try-text"
# ## Your functions and a model that knows English
#
# The course's English model has 6 layers and was trained to fill gaps. Let it write with your functions. There are no
# points for this. (The model is loaded first, which takes up to a minute.) Think first: which words of the sentence will
# Mask-Predict get right at once, and which will be wrong until the others are known?

# %%
import minibert
from minibert.generation.sampling import model_log_probs

english = minibert.load("english")
specials, encode = english.tokenizer.specials, lambda text: english.tokenizer.encode(text).ids
model = model_log_probs(english.model, mask=specials.mask)
ids = np.array([specials.cls, *encode("Last summer we"), *[specials.mask] * 10, *encode("."), specials.sep])
free = ids == specials.mask


def shown(ids):
    return english.tokenizer.decode([int(i) for i in ids[1:-1]])


for t, text in enumerate(mask_predict(ids, free, model, specials.mask, 4)):
    print(f"t = {t}, {number_masked(10, t, 4):2d} masked:  {shown(text)}")

# %% [markdown]
# In iteration 0, all words are chosen at once, and none knows what the others will be. Now Gibbs sampling: two texts start
# from the same masks, and each sweep draws every word again.

# %%
drawn = np.random.default_rng(1)
texts = np.repeat(ids[None], 2, 0)
for sweep in range(5):
    for position in drawn.permutation(np.flatnonzero(free)):
        texts = gibbs_step(texts, position, model, specials.mask, drawn)
    print(f"sweep {sweep}:", *map(shown, texts), sep="\n    ")

# %% [markdown]
# And Metropolis-Hastings, which scores a text by the sum of its tokens' log probabilities, each masked by itself:

# %%
positions = np.flatnonzero(free)


def score(text):
    copies = np.repeat(text[None], len(positions), 0)                           # (P, T), one mask in each
    copies[np.arange(len(positions)), positions] = specials.mask
    return model(copies)[np.arange(len(positions)), positions, text[positions]].sum()


text, accepted = texts[0], 0
for step in range(61):
    if step % 20 == 0:
        print(f"step {step}, {accepted} accepted, score {score(text):6.1f}:  {shown(text)}")
    position = drawn.choice(positions)
    proposed = gibbs_step(text[None], position, model, specials.mask, drawn)[0]
    masked = np.where(np.arange(len(text)) == position, specials.mask, text)
    q = model(masked[None])[0, position]                                        # (V,), the same for both ways
    numbers = score(text), score(proposed), q[proposed[position]], q[text[position]], drawn.random()
    if metropolis_accept(*(np.array([number]) for number in numbers))[0]:
        accepted += not np.array_equal(text, proposed)
        text = proposed

# %% [markdown] nb="read end"
# ## Done
#
# You have the core of search by meaning, of three ways to write with BERT, of attention for long texts, and of the
# mixture of languages that a model reads. In the package they are in `minibert/finetuning/sentences.py`,
# `minibert/generation/`, `minibert/model/long.py` and `minibert/data/languages.py`; the lesson measures what each of them
# is worth.
#
# **Before you hand in**: restart the kernel and run all cells, or let `minibert doctor` check your notebook.
#
# **Further reading**: Henderson et al. (2017), *Efficient natural language response suggestion for Smart Reply*, [arXiv
# 1705.00652](https://arxiv.org/abs/1705.00652), section 4.4. Reimers and Gurevych (2019), *Sentence-BERT*, [arXiv
# 1908.10084](https://arxiv.org/abs/1908.10084). Wang and Cho (2019), *BERT has a mouth, and it must speak*, [arXiv
# 1902.04094](https://arxiv.org/abs/1902.04094). Goyal et al. (2022), *Exposing the implicit energy networks behind masked
# language models via Metropolis-Hastings*, [arXiv 2106.02736](https://arxiv.org/abs/2106.02736), section 3. Ghazvininejad
# et al. (2019), *Mask-Predict*, [arXiv 1904.09324](https://arxiv.org/abs/1904.09324), section 3. Beltagy et al. (2020),
# *Longformer*, [arXiv 2004.05150](https://arxiv.org/abs/2004.05150), section 3.1. Conneau et al. (2020), *Unsupervised
# cross-lingual representation learning at scale*, [arXiv 1911.02116](https://arxiv.org/abs/1911.02116), section 3.1.
