# %% [markdown] nb="read intro"
# # Unit 09 · ELMo, GPT, BERT: who may see what
#
# Three models of 2018 read the same text and predict its words. They differ in which words each position may see, and
# therefore in what they can predict without seeing the answer. You will write GPT's attention mask, ELMo's loss and its
# weighted sum of layers, and a test that finds leaks in any model. In a small ELMo you will find three bugs.
#
# | | exercise | points | minutes | difficulty |
# | --- | --- | --- | --- | --- |
# | 1 | `causal_visible` | 3 | 10 | ●○○ |
# | 2 | `bilm_loss` | 6 | 25 | ●●○ |
# | 3 | `scalar_mix` | 3 | 10 | ●○○ |
# | 4 | `leakage` | 6 | 25 | ●●● |
# | 5 | `two_readers`: find three bugs | 3 | 20 | ●●○ |
# | 6 | Why does masking help? (in words) | 2 | 5 | ●●○ |
# | | total | **23** | **95** | |
#
# The finished notebook runs in 2 seconds on two cores, plus a few seconds for its last cell, which loads a model.
#
# {{how it works}}
#
# **Stuck?** `check.causal_visible.hint()` shows a hint; run it again for a stronger one. There are three hints for each
# function. No exercise needs the previous one.
#
# **Axes.** **B** is the number of sequences in a batch, **T** the number of tokens in a sequence, **V** the size of the
# vocabulary, **D** the hidden size, and **L** the number of layers.

# %% nb="read imports"
import numpy as np

from minibert.course import unit09 as check
from minibert.course.unit09.leaks import run
from minibert.reference import mlm_loss, softmax

# %% [markdown] nb="read causal_visible-text"
# ## 1 · What GPT may see
# **3 points · 10 minutes · ●○○**
#
# GPT predicts each token from those on its left. Its Transformer could attend to all tokens; a boolean attention mask
# says which ones it may see: `visible[b, t, s]` is True if, in sequence b, the token at t may attend to the token at s.
# A token may see itself and everything on its left (because it predicts the *next* token), but never padding.
#
# | | shape | |
# | --- | --- | --- |
# | `real` | (B, T), bool | True = a token, False = padding, which may be anywhere |
# | returns | (B, T, T), bool | `visible` |
#
# Padding queries do not need an exception: they see the non-padding tokens on their left like any other query.
#
# <details><summary>Hint</summary>
# <code>np.tril</code> keeps the lower triangle of a square, including the diagonal. <code>real[:, None, :]</code> has
# an axis of size 1 in the middle, which broadcasts to any number of queries.
# </details>
# <details><summary>Why may a token see itself?</summary>
# The output at t predicts the token at t + 1. The token at t is the most recent clue, and it
# does not give away the answer.
# </details>


# %% nb="solution causal_visible"
def causal_visible(real):
    """Return (B, T, T) bool for real (B, T) bool: query t may see non-padding keys s <= t."""
    ### BEGIN SOLUTION
    T = real.shape[1]
    return np.tril(np.ones((T, T), bool)) & real[:, None, :]
    ### END SOLUTION


# %% nb="tests causal_visible-visible 2"
check.causal_visible(causal_visible, points=2)

# %% nb="tests causal_visible-hidden 1"
# After you hand in, this cell tries more inputs. You do not have to write anything here.
### BEGIN HIDDEN TESTS
check.causal_visible(causal_visible, seed=2718, hidden=True)
### END HIDDEN TESTS

# %% [markdown] nb="read bilm_loss-text"
# ## 2 · The loss of ELMo
# **6 points · 25 minutes · ●●○**
#
# ELMo consists of two language models. One reads from the left: after tokens 0 to t, its logits at t predict token
# t + 1. The other reads from the right: after tokens T - 1 down to t, its logits at t predict token t - 1.
#
# | position | 0 | 1 | 2 | 3 |
# | --- | --- | --- | --- | --- |
# | token | [CLS] | the | cat | [SEP] |
# | forward logits predict | the | cat | nothing | nothing |
# | backward logits predict | nothing | nothing | the | cat |
#
# [CLS], [SEP] and padding are never predicted: `counted` is False for them. Outside of the sequence there is
# nothing to predict either. The loss is the mean over the forward predictions plus the mean over the
# backward predictions, divided by 2.
#
# | | shape | |
# | --- | --- | --- |
# | `forward`, `backward` | (B, T, V), float | the logits of the two models |
# | `ids` | (B, T), int | the tokens |
# | `counted` | (B, T), bool | True for the tokens that are to be predicted |
# | returns | one number | the loss |
#
# `mlm_loss(logits, labels)` from unit 04 is imported: the mean of -log p over all positions whose label is not -100. So
# you only have to make the labels.
#
# <details><summary>Hint</summary>
# Make an array full of -100 for each direction, and fill most of it from a slice of the tokens.
# </details>
# <details><summary>Common error</summary>
# Using <code>np.roll</code>. It moves the labels, but a label that is moved out at one end comes in again at the other.
# </details>
# <details><summary>Why does <code>counted</code> refer to the predicted token?</summary>
# [CLS] is never predicted, but at its position the forward model predicts the first word. So first replace the tokens
# that do not count by -100, then move the labels.
# </details>


# %% nb="solution bilm_loss"
def bilm_loss(forward, backward, ids, counted):
    """Return the loss of forward and backward logits (B, T, V). ids: (B, T) int; counted: (B, T) bool."""
    ### BEGIN SOLUTION
    tokens = np.where(counted, ids, -100)
    after, before = np.full(ids.shape, -100), np.full(ids.shape, -100)
    after[:, :-1] = tokens[:, 1:]
    before[:, 1:] = tokens[:, :-1]
    return (mlm_loss(forward, after) + mlm_loss(backward, before)) / 2
    ### END SOLUTION


# %% nb="tests bilm_loss-visible 4"
check.bilm_loss(bilm_loss, points=4)

# %% nb="tests bilm_loss-hidden 2"
# After you hand in, this cell tries more inputs. You do not have to write anything here.
### BEGIN HIDDEN TESTS
check.bilm_loss(bilm_loss, seed=1618, hidden=True)
### END HIDDEN TESTS

# %% [markdown] nb="read scalar_mix-text"
# ## 3 · The weighted sum of ELMo's layers
# **3 points · 10 minutes · ●○○**
#
# A task that uses ELMo gets all its layers, and learns how much weight to give to each. With L layers above the
# embeddings there are L + 1 arrays $h_0, \dots, h_L$, and the same number of learned weights $w_0, \dots, w_L$:
#
# $$\gamma \sum_{j=0}^{L} s_j h_j, \qquad s = \mathrm{softmax}(w)$$
#
# | | shape | |
# | --- | --- | --- |
# | `layers` | a list of L + 1 arrays (B, T, D) | the embeddings first |
# | `weights` | (L + 1,), float | w, any numbers; `softmax` is imported |
# | `gamma` | a number | scales the whole sum |
# | returns | (B, T, D), float | |
#
# <details><summary>Hint</summary>
# <code>zip(shares, layers)</code> pairs each share with its layer.
# </details>
# <details><summary>Why gamma, if the weights are learned anyway?</summary>
# The shares sum to 1, so they choose between the layers but cannot make the result larger or smaller. How large the
# numbers should be depends on the task's own network.
# </details>


# %% nb="solution scalar_mix"
def scalar_mix(layers, weights, gamma):
    """Return the weighted sum (B, T, D) of layers, L + 1 arrays (B, T, D). weights: (L + 1,); gamma: a number."""
    ### BEGIN SOLUTION
    shares = softmax(weights)
    return gamma * sum(share * layer for share, layer in zip(shares, layers))
    ### END SOLUTION


# %% nb="tests scalar_mix-visible 2"
check.scalar_mix(scalar_mix, points=2)

# %% nb="tests scalar_mix-hidden 1"
# After you hand in, this cell tries more inputs. You do not have to write anything here.
### BEGIN HIDDEN TESTS
check.scalar_mix(scalar_mix, seed=3141, hidden=True)
### END HIDDEN TESTS

# %% [markdown] nb="read leakage-text"
# ## 4 · A test for leaks
# **6 points · 25 minutes · ●●●**
#
# If a model can see the token that it should predict, its loss decreases, but it learns only to copy. Such leaks are
# easy to make and hard to see in code. But you can measure them: **replace the token to be predicted by another one; if
# the output changes, the model has seen it.** Write this test for any model.
#
# | | | |
# | --- | --- | --- |
# | `model` | a dict of arrays | `run(model, ids)`, imported above, returns its output (T, D) for ids (T,) |
# | `ids` | (T,), int | a sequence of token ids, from 0 to `vocab_size - 1` |
# | `target` | (T,), int | the output at t predicts the token at `target[t]`; -1: it predicts nothing |
# | `vocab_size` | int | V |
# | returns | (T,), bool | True at t if the output at t changes when the token at `target[t]` is replaced |
#
# A target may be on either side of t, or at t itself. If nothing is predicted, the result is False. Change one token at
# a time, do not change `ids` itself, and make sure that the new token is a different one and in the vocabulary.
#
# <details><summary>Hint</summary>
# Compute one output for the text as it is; then, for each t, one for a copy with one token
# replaced. Compare row t of both.
# </details>
# <details><summary>Common error</summary>
# Always using 0 as the new token. If the token is already 0, nothing changes, and you do not see the leak.
# </details>
# <details><summary>Why not look at the loss?</summary>
# A good model and a leaking one both have a small loss. Only the experiment shows the difference.
# </details>


# %% nb="solution leakage"
def leakage(model, ids, target, vocab_size):
    """Return where run(model, ids) leaks, (T,) bool. ids, target: (T,) int; target -1 = nothing to predict."""
    ### BEGIN SOLUTION
    before = run(model, ids)
    leaks = np.zeros(len(ids), bool)
    for t in range(len(ids)):
        if target[t] >= 0:
            other = ids.copy()
            other[target[t]] = (other[target[t]] + 1) % vocab_size
            leaks[t] = (run(model, other)[t] != before[t]).any()
    return leaks
    ### END SOLUTION


# %% nb="tests leakage-visible 4"
check.leakage(leakage, points=4)

# %% nb="tests leakage-hidden 2"
# After you hand in, this cell tries more inputs. You do not have to write anything here.
### BEGIN HIDDEN TESTS
check.leakage(leakage, seed=5772, hidden=True)
### END HIDDEN TESTS

# %% [markdown] nb="read readers-text"
# ## 5 · Find three bugs
# **3 points · 20 minutes · ●●○**
#
# ELMo reads a sequence twice: one reader goes from left to right, one from right to left, each through all its layers.
# A reader carries a state from token to token. Here is a simple reader that replaces the LSTM:

# %% nb="read reader"
def read(x, real, w):
    state, states = np.zeros(x.shape[1]), []
    for row, is_token in zip(x, real):
        if is_token:  # padding leaves the state as it is
            state = np.tanh(row @ w["in"] + state @ w["state"])  # (D,)
        states.append(state)
    return np.array(states)  # (T, D)


# %% [markdown] nb="read readers-task"
# `read` has no bugs. `two_readers` runs two readers, layer by layer, and returns the output of the last layer: two
# arrays with the state of each token, in the order of the text.
#
# | | shape | |
# | --- | --- | --- |
# | `x` | (T, D) | the embeddings of a sequence |
# | `real` | (T,), bool | True = a token, False = padding |
# | `weights` | a list of dicts | for each layer `{"forward": ..., "backward": ...}`, the weights for `read` |
# | returns | (forward, backward) | two arrays (T, D): forward[t] has read x[0] to x[t], backward[t] has read x[T - 1] to x[t] |
#
# The code below runs, and both shapes are right. But it has three bugs.

# %% nb="read broken-readers"
def broken_two_readers(x, real, weights):
    for layer in weights:
        forward = read(x, real, layer["forward"])
        backward = read(x[::-1], real, layer["backward"])
        x = (forward + backward) / 2
    return forward, backward


# %% [markdown] nb="read readers-examine"
# Have it examined. Which rules must two readers follow, whatever their weights, and which ones do they break?

# %% nb="read readers-examined"
check.two_readers.examine(broken_two_readers)

# %% [markdown] nb="read readers-mend"
# Copy the function's body into `two_readers`, and fix it. You can examine `two_readers` as often as you like.
# {{each bug}}
#
# <details><summary>Hint</summary>
# Each broken rule has one cause. What does the second layer of the forward reader read? And for three tokens and one
# padding token, write down the result of <code>read(x[::-1], real, ...)</code>, position by position.
# </details>
# <details><summary>Common error</summary>
# Reversing the input of the backward reader, and forgetting to reverse its output.
# </details>
# <details><summary>Why may the readers not be combined between the layers?</summary>
# At each token, the forward reader of the second layer would read the backward reader's state, which contains all later
# tokens, including the answer. ELMo avoids this leak by keeping the two models separate until the end.
# </details>


# %% nb="solution readers"
def two_readers(x, real, weights):
    """Return both readers' last states, (T, D) each. x (T, D); real (T,) bool; weights: a dict per layer."""
    ### BEGIN SOLUTION
    forward = backward = x
    for layer in weights:
        forward = read(forward, real, layer["forward"])
        backward = read(backward[::-1], real[::-1], layer["backward"])[::-1]
    return forward, backward
    ### END SOLUTION


# %% nb="tests readers-1 1"
check.two_readers.bug(1)(two_readers)
### BEGIN HIDDEN TESTS
check.two_readers.bug(1)(two_readers, seed=8281, hidden=True)
### END HIDDEN TESTS

# %% nb="tests readers-2 1"
check.two_readers.bug(2)(two_readers)
### BEGIN HIDDEN TESTS
check.two_readers.bug(2)(two_readers, seed=1828, hidden=True)
### END HIDDEN TESTS

# %% nb="tests readers-3 1"
check.two_readers.bug(3)(two_readers)
### BEGIN HIDDEN TESTS
check.two_readers.bug(3)(two_readers, seed=4590, hidden=True)
### END HIDDEN TESTS

# %% [markdown] nb="read why-masking-text"
# ## 6 · Why does masking help?
# **2 points · 5 minutes · ●●○**
#
# Somebody builds a bidirectional model: at each layer every token sees all the others, but not itself. It should
# predict every token at its own position. With one layer nothing leaks; with two layers everything does. Explain in two
# or three sentences: on which path does the answer come back, and why does [MASK] block it?
#
# <details><summary>Hint</summary>
# What does the neighbour of a token know after the first layer?
# </details>

# %% [markdown] nb="manual why-masking 2"
# After the first layer each other token has seen the token at t, so its vector contains information about it. In the
# second layer the token at t attends to these others, and so it sees itself. [MASK] removes the token from the input,
# so no position can have seen it, however many layers there are and whatever the attention mask.
#
# **Mark scheme.** 1 point: the path through another token, one layer to it and one layer back. 1 point: masking removes
# the answer from the input (not only from one token's view), so that no path can bring it back. "It cannot see itself
# any more" alone: half a point.

# %% [markdown] nb="read try-text"
# ## Your test at work
#
# Now your functions test four models with random weights. For each model, the cell prints the share of predictions that
# leak. This gives no points and takes a second.

# %% nb="read try"
from minibert.course.unit09.leaks import following, random_model

rng, T, V = np.random.default_rng(0), 8, 50
ids, places, hidden = rng.integers(1, V, size=T), np.arange(T), np.arange(T) % 3 == 1
left, everything, others = causal_visible(np.ones((1, T), bool))[0], np.ones((T, T), bool), ~np.eye(T, dtype=bool)
asked = np.where(hidden, places, -1)
for name, target, model in (("GPT, 3 layers", following(T), random_model(left, 3, V, rng)),
                            ("others only, 1 layer", places, random_model(others, 1, V, rng)),
                            ("others only, 2 layers", places, random_model(others, 2, V, rng)),
                            ("BERT, 3 layers, masked", asked, random_model(everything, 3, V, rng, hidden))):
    print(f"{name:24s}{leakage(model, ids, target, V)[target >= 0].mean():.0%} of what is predicted leaks")

# %% [markdown]
# ## Your test on a model of English
#
# Now you test a trained model with four attention masks: your `causal_visible` is the mask of a left-to-right model,
# and your `leakage` measures which predictions leak. Your function calls `run`; here `run` also accepts the trained
# model. This gives no points and takes a few seconds. Think first: which of the four must not leak?

# %%
import minibert
import torch
from minibert.data.batch import pack
from minibert.course.unit09 import leaks

english = minibert.load("english")
sentence = english.tokenizer.encode("The dog that barked at the postman ran home.").ids
ids, types = map(np.array, pack(sentence, None, english.tokenizer.specials))            # (T,) each
T, V, L = len(ids), len(english.tokenizer), english.config.num_hidden_layers
places, hidden = np.arange(T), np.arange(T) % 3 == 1

def trained(visible, hidden=False):
    def output(ids):
        seen = np.where(hidden, english.tokenizer.specials.mask, ids)
        with torch.no_grad():
            inputs = (torch.tensor(array)[None] for array in (seen, visible, types))
            return english.encoder(*inputs)["hidden"][0].numpy()                        # (T, D)
    return output

def run(model, ids):
    return model(ids) if callable(model) else leaks.run(model, ids)

left, everything, others = causal_visible(np.ones((1, T), bool))[0], np.ones((T, T), bool), ~np.eye(T, dtype=bool)
for name, target, model in (("from the left", leaks.following(T), trained(left)),
                            ("both sides, next token", leaks.following(T), trained(everything)),
                            ("others only", places, trained(others)),
                            ("both sides, masked", np.where(hidden, places, -1), trained(everything, hidden))):
    leaked = leakage(model, ids, target, V)[target >= 0].mean()
    print(f"{name + f', {L} layers':34s}{leaked:.0%} of what is predicted leaks")

# %% [markdown] nb="read end"
# ## Done
#
# You have written the parts in which the three models differ; they share the text, the loss and the training
# loop. In the package, see `visible_causal` in `minibert/data/batch.py`, and `clm.py`, `bilm.py` and
# `mlm.py` in `minibert/objectives/`.
#
# **Before you hand in**: restart the kernel and run all cells, or let `minibert doctor` check your notebook.
#
# **Read on**: Peters et al. (2018), *Deep contextualized word representations*, [arXiv
# 1802.05365](https://arxiv.org/abs/1802.05365), section 3. Devlin et al. (2019), *BERT*, [arXiv
# 1810.04805](https://arxiv.org/abs/1810.04805), sections 3.1 and 5.1.
