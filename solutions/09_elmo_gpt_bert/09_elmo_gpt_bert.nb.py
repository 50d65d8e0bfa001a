# %% [markdown] nb="read intro"
# # Unit 09 · ELMo, GPT, BERT: who may see what
#
# Three models of 2018 read the same text and ask it for its words. They differ in what each word may see, and so in
# what can be asked without giving the answer away. You will write GPT's visibility, ELMo's loss and its mix of layers,
# and a test that finds leaks in any model. And in a small ELMo, you will find the bugs.
#
# | | exercise | points | minutes | difficulty |
# | --- | --- | --- | --- | --- |
# | 1 | `causal_visible` | 3 | 10 | ●○○ |
# | 2 | `bilm_loss` | 6 | 25 | ●●○ |
# | 3 | `scalar_mix` | 3 | 10 | ●○○ |
# | 4 | `leakage` | 6 | 25 | ●●● |
# | 5 | `two_readers`: find three bugs | 3 | 20 | ●●○ |
# | 6 | Why does masking help? (in words) | 2 | 5 | ●●○ |
# | | together | **23** | **95** | |
#
# The finished notebook runs in 2 seconds on two cores, and its last cell, with a model, in a few more.
#
# **How it works.** Write your code where it says `YOUR CODE HERE`, and delete the line `raise NotImplementedError()`.
# Run the cell, then the check below it. The check tells you what is wrong, as often as you like. The number under
# its verdict is what the cell earns so far: at most half of its points until all is right. More points are given after
# you hand in, for the same function on other inputs: solve the exercise, not the check.
#
# **Stuck?** `check.causal_visible.hint()` shows a hint, called again a stronger one; likewise for the other exercises.
# No exercise needs the one before it.
#
# **Axes.** **B** counts the rows of a batch, **T** the tokens of a row, **V** the vocabulary, **D** the numbers of a
# token, **L** the layers.

# %% nb="read imports"
import numpy as np

from minibert.course import unit09 as check
from minibert.course.unit09.leaks import run
from minibert.reference import mlm_loss, softmax

# %% [markdown] nb="read causal_visible-text"
# ## 1 · What GPT may see
# **3 points · 10 minutes · ●○○**
#
# GPT predicts each token from those on its left. Its Transformer could look anywhere; a table of True and False says
# where it may: `visible[b, t, s]` is True where, in row b, the token at t may look at the token at s. It may look at
# itself and at everything on its left (what it predicts is the *next* token), but never at padding.
#
# | | shape | |
# | --- | --- | --- |
# | `real` | (B, T), bool | True = a token, False = padding, which may stand anywhere |
# | returns | (B, T, T), bool | `visible` |
#
# The rows of padding tokens need no exception: they look at the real tokens on their left like any other row.
#
# <details><summary>Hint</summary>
# <code>np.tril</code> keeps the lower triangle of a square, its diagonal included. <code>real[:, None, :]</code> has an
# axis of size 1 in the middle, which lines up with any number of queries.
# </details>
# <details><summary>Why may it look at itself?</summary>
# The output at t predicts the token at t + 1. The token at t is the newest evidence for it, and no secret.
# </details>


# %% nb="solution causal_visible"
def causal_visible(real):
    """real: (B, T) bool. Returns (B, T, T) bool: query t may look at real keys s <= t."""
    ### BEGIN SOLUTION
    T = real.shape[1]
    return np.tril(np.ones((T, T), bool)) & real[:, None, :]
    ### END SOLUTION


# %% nb="tests causal_visible-visible 2"
check.causal_visible(causal_visible, points=2)

# %% nb="tests causal_visible-hidden 1"
# After you hand in, more inputs are tried here. There is nothing to write.
### BEGIN HIDDEN TESTS
check.causal_visible(causal_visible, seed=2718, hidden=True)
### END HIDDEN TESTS

# %% [markdown] nb="read bilm_loss-text"
# ## 2 · The loss of ELMo
# **6 points · 25 minutes · ●●○**
#
# ELMo is two language models. One reads from the left: after the tokens 0 to t, its logits at t predict token t + 1.
# The other reads from the right: after the tokens T - 1 down to t, its logits at t predict token t - 1.
#
# | place | 0 | 1 | 2 | 3 |
# | --- | --- | --- | --- | --- |
# | token | [CLS] | the | cat | [SEP] |
# | forward logits predict | the | cat | nothing | nothing |
# | backward logits predict | nothing | nothing | the | cat |
#
# [CLS], [SEP] and padding are never predicted: `counted` is False for them. And where the row has ended there is
# nothing to predict either. The loss is the mean over the forward predictions plus the mean over the backward ones,
# divided by 2.
#
# | | shape | |
# | --- | --- | --- |
# | `forward`, `backward` | (B, T, V), float | the logits of the two models |
# | `ids` | (B, T), int | the tokens |
# | `counted` | (B, T), bool | True for the tokens that are to be predicted |
# | returns | one number | the loss |
#
# `mlm_loss(logits, labels)` of unit 04 is imported: the mean of -log p over all places whose label is not -100. What is
# left to you is the labels.
#
# <details><summary>Hint</summary>
# Make an array full of -100 for each direction, and fill in most of it from a slice of the tokens.
# </details>
# <details><summary>Common error</summary>
# <code>np.roll</code> moves the labels, and brings the one that falls off in again on the other side.
# </details>
# <details><summary>Why is it the token that is counted, and not the place?</summary>
# [CLS] is never predicted, but at its place the forward model predicts the first word. So first put -100 on the tokens
# that do not count, and then move.
# </details>


# %% nb="solution bilm_loss"
def bilm_loss(forward, backward, ids, counted):
    """Logits (B, T, V) twice; ids (B, T) int; counted (B, T) bool: tokens to predict. Returns one number."""
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
# After you hand in, more inputs are tried here. There is nothing to write.
### BEGIN HIDDEN TESTS
check.bilm_loss(bilm_loss, seed=1618, hidden=True)
### END HIDDEN TESTS

# %% [markdown] nb="read scalar_mix-text"
# ## 3 · The mix of ELMo's layers
# **3 points · 10 minutes · ●○○**
#
# A task that uses ELMo gets all its layers, and learns how much of each it takes. With L layers above the embeddings
# there are L + 1 arrays $h_0, \dots, h_L$, and as many learned weights $w_0, \dots, w_L$:
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
# <code>zip(shares, layers)</code> brings each share to its layer.
# </details>
# <details><summary>Why gamma, if the weights are learned anyway?</summary>
# The shares sum to 1, so they choose between the layers, but cannot make the mix larger or smaller. How large the
# numbers should be depends on the task's own network.
# </details>


# %% nb="solution scalar_mix"
def scalar_mix(layers, weights, gamma):
    """layers: L + 1 arrays (B, T, D); weights (L + 1,); gamma: a number. Returns (B, T, D)."""
    ### BEGIN SOLUTION
    shares = softmax(weights)
    return gamma * sum(share * layer for share, layer in zip(shares, layers))
    ### END SOLUTION


# %% nb="tests scalar_mix-visible 2"
check.scalar_mix(scalar_mix, points=2)

# %% nb="tests scalar_mix-hidden 1"
# After you hand in, more inputs are tried here. There is nothing to write.
### BEGIN HIDDEN TESTS
check.scalar_mix(scalar_mix, seed=3141, hidden=True)
### END HIDDEN TESTS

# %% [markdown] nb="read leakage-text"
# ## 4 · A test for leaks
# **6 points · 25 minutes · ●●●**
#
# If a model can see the very token that it is to predict, its loss falls and it learns nothing but to copy. Such leaks
# are easily made and hard to see in code. But they can be measured: **replace the token to be predicted by another; if
# the output moves, the model has seen it.** Write this test for any model.
#
# | | | |
# | --- | --- | --- |
# | `model` | a dict of arrays | `run(model, ids)`, imported above, gives its output (T, D) on ids (T,) |
# | `ids` | (T,), int | a row of tokens, from 0 to `vocab_size - 1` |
# | `target` | (T,), int | the output at t predicts the token at `target[t]`; -1: it predicts nothing |
# | `vocab_size` | int | V |
# | returns | (T,), bool | True at t where the output at t moves when the token at `target[t]` is replaced by another one |
#
# A target may stand on either side, or at t itself. Where nothing is predicted, the answer is False. Change one token
# at a time, keep `ids` itself as it is, and make sure that the new token is another one and in the vocabulary.
#
# <details><summary>Hint</summary>
# One output on the text as it is; then, for each t, one on a copy with one token replaced. Compare row t of the two.
# </details>
# <details><summary>Common error</summary>
# Always putting in the token 0. Where the text has a 0 already, nothing changes, and the leak hides.
# </details>
# <details><summary>Why not look at the loss?</summary>
# A good model and a leaking one both have a small loss. Only the experiment tells them apart.
# </details>


# %% nb="solution leakage"
def leakage(model, ids, target, vocab_size):
    """model: for run(model, ids); ids, target: (T,) int, -1 = nothing to predict. Returns (T,) bool."""
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
# After you hand in, more inputs are tried here. There is nothing to write.
### BEGIN HIDDEN TESTS
check.leakage(leakage, seed=5772, hidden=True)
### END HIDDEN TESTS

# %% [markdown] nb="read readers-text"
# ## 5 · Find three bugs
# **3 points · 20 minutes · ●●○**
#
# ELMo reads a row twice: one reader goes from left to right, one from right to left, each through all its layers. A
# reader carries one state from token to token. Here it is a plain one, in place of the LSTM:

# %% nb="read reader"
def read(x, real, w):
    state, states = np.zeros(x.shape[1]), []
    for row, is_token in zip(x, real):
        if is_token:  # padding leaves the state as it is
            state = np.tanh(row @ w["in"] + state @ w["state"])  # (D,)
        states.append(state)
    return np.array(states)  # (T, D)


# %% [markdown] nb="read readers-task"
# `read` is right. `two_readers` lets two of them read, layer by layer, and returns what the last layer gives: two arrays
# with the state of each token, in the order of the text.
#
# | | shape | |
# | --- | --- | --- |
# | `x` | (T, D) | the embeddings of a row |
# | `real` | (T,), bool | True = a token, False = padding |
# | `weights` | a list of dicts | for each layer `{"forward": ..., "backward": ...}`, what `read` needs |
# | returns | (forward, backward) | two arrays (T, D): forward[t] has read x[0] to x[t], backward[t] has read x[T - 1] to x[t] |
#
# It runs, and both shapes are right. But it has three bugs.

# %% nb="read broken-readers"
def broken_two_readers(x, real, weights):
    for layer in weights:
        forward = read(x, real, layer["forward"])
        backward = read(x[::-1], real, layer["backward"])
        x = (forward + backward) / 2
    return forward, backward


# %% [markdown] nb="read readers-examine"
# Have it examined. What must hold of two readers, whatever their weights, and what does hold?

# %% nb="read readers-examined"
check.two_readers.examine(broken_two_readers)

# %% [markdown] nb="read readers-mend"
# Copy the function's body into `two_readers`, and mend it. Each bug is worth a point; examine `two_readers` as often as
# you like.
#
# <details><summary>Hint</summary>
# Each broken line of the examination has one cause. What does the second layer of the forward reader read? And write
# down for three tokens and one padding what <code>read(x[::-1], real, ...)</code> gives, place by place.
# </details>
# <details><summary>Common error</summary>
# Turning round what goes into the backward reader, and forgetting to turn round what comes out.
# </details>
# <details><summary>Why may the readers not meet between the layers?</summary>
# The forward reader of the second layer would find, at each token, what the backward reader has seen: all that comes
# later, the answer among it. It is the leak that ELMo avoids by keeping two models apart until the end.
# </details>


# %% nb="solution readers"
def two_readers(x, real, weights):
    """x (T, D), real (T,) bool, weights: a dict a layer. Returns the last layer's states of both readers, (T, D) each."""
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
# Somebody builds a bidirectional model: at each layer every token sees all the others, but not itself. It is to
# predict every token at its own place. With one layer nothing leaks; with two, everything does. Say in two or three
# sentences: by which way does the answer come back, and why does [MASK] close it?
#
# <details><summary>Hint</summary>
# What does the neighbour of a token know after the first layer?
# </details>

# %% [markdown] nb="manual why-masking 2"
# After the first layer each other token has seen the token at t, so its vector holds something of it. In the second
# layer the token at t looks at these others, and finds itself in them. [MASK] takes the token out of the input, so that
# nobody can have seen it, however many layers there are and whoever looks at whom.
#
# **Mark scheme.** 1 point: the way over another token, one layer to it and one back. 1 point: masking removes the
# answer from the input (not only from one token's view), so that no path can bring it back. "It cannot see itself any
# more" alone: half a point.

# %% [markdown] nb="read try-text"
# ## Your test at work
#
# Now your functions look at four models with random weights, one line each: the share of places that leak. It gives no
# points, and takes a second.

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
# ## Your test in real English
#
# Now with a model that has been trained, seen in four ways: your `causal_visible` says what the left reader sees, your
# `leakage` says who can see the answer. Your function calls `run`; here `run` also takes the trained model. It gives no
# points and takes some seconds. Think first: which of the four must not leak?

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
# You have what makes the three models differ; the rest of them is the same text, the same loss and the same loop. In
# the package: `visible_causal` in `minibert/data/batch.py`, and `clm.py`, `bilm.py`, `mlm.py` in `minibert/objectives/`.
#
# **Before you hand in**: restart the kernel and run all cells, or let `minibert doctor` look over your notebook.
#
# **Read on**: Peters et al. (2018), *Deep contextualized word representations*, [arXiv
# 1802.05365](https://arxiv.org/abs/1802.05365), section 3. Devlin et al. (2019), *BERT*, [arXiv
# 1810.04805](https://arxiv.org/abs/1810.04805), sections 3.1 and 5.1.
