# %% [markdown] nb="read intro"
# # Unit 05 · Pretraining: the step, the schedule, the batches, the cost
#
# A model and an objective do not train themselves. You will write the code around them: how large each step is, the
# step itself, how sentences fill a sequence, which sequences share a batch, and what it all costs. At the end your own
# functions pretrain a small BERT while you watch.
#
# | | exercise | points | minutes | difficulty |
# | --- | --- | --- | --- | --- |
# | 1 | `learning_rate` | 4 | 15 | ●○○ |
# | 2 | `test_learning_rate`: write a test | 2 | 15 | ●●○ |
# | 3 | `one_cycle_rate` | 3 | 10 | ●●○ |
# | 4 | `training_step` | 6 | 20 | ●●○ |
# | 5 | `adamw_step`: find three bugs | 3 | 20 | ●●○ |
# | 6 | Why warm up? (in words) | 2 | 5 | ●●○ |
# | 7 | `pack_sentences` | 4 | 20 | ●●○ |
# | 8 | `bucket_by_length` | 6 | 30 | ●●● |
# | 9 | `pretraining_cost` | 4 | 15 | ●○○ |
# | | total | **34** | **150** | |
#
# The finished notebook runs in 15 seconds on two cores, plus ten seconds for its last cell, which loads a model.
#
# {{how it works}}
#
# **Stuck?** `check.learning_rate.hint()` in a new cell shows a hint; run it again for a stronger one. There are three
# hints for each function. Common errors are folded below each task. No exercise needs the previous one; only the last
# two sections, which train a model, need exercises 1, 4 and 8.

# %% nb="read imports"
import math

import numpy as np

from minibert.course import unit05 as check
from minibert.course.checks.student_tests import by_name

import torch

# %% [markdown] nb="read learning_rate-text"
# ## 1 · The learning rate of a step
# **4 points · 15 minutes · ●○○**
#
# BERT's learning rate goes up in a straight line, then down in a straight line. A run has `steps` steps, numbered 0, 1,
# ..., `steps - 1`; the first `warmup` of them are the way up (the **warm-up**).
#
# | step | learning rate |
# | --- | --- |
# | the first, 0 | `peak / warmup` |
# | the last of the warm-up, `warmup - 1` | `peak` |
# | the first after it, `warmup` | also `peak` |
# | the last, `steps - 1` | `peak / (steps - warmup)` |
#
# With 6 steps, 2 of them warm-up, and the peak 1, the learning rates are 0.5, 1, 1, 0.75, 0.5, 0.25. No step has the
# learning rate 0: it would cost time and move nothing. `warmup` may be 0 (no way up) or `steps` (no way down).
#
# <details><summary>Common error</summary>
# Counting from 0 on the way up, so that the first step has the learning rate 0. Step 0 is the first of
# <code>warmup</code> steps: <code>(step + 1) / warmup</code>.
# </details>
# <details><summary>Why down to 0?</summary>
# Each batch gives a slightly different gradient, so large steps keep the weights moving around a good place. Small
# steps at the end let them settle.
# </details>


# %% nb="solution learning_rate"
def learning_rate(step, steps, peak, warmup):
    """Return the learning rate of a step, 0 to steps - 1. warmup: a number of steps, 0 to `steps`."""
    ### BEGIN SOLUTION
    if step < warmup:
        return peak * (step + 1) / warmup
    return peak * (steps - step) / (steps - warmup)
    ### END SOLUTION


# %% nb="tests learning_rate-visible 3"
check.learning_rate(learning_rate, points=3)

# %% nb="tests learning_rate-hidden 1"
# After you hand in, this cell tries more inputs. You do not have to write anything here.
### BEGIN HIDDEN TESTS
check.learning_rate(learning_rate, seed=2718, hidden=True)
### END HIDDEN TESTS

# %% [markdown] nb="read test_learning_rate-text"
# ## 2 · Write a test
# **2 points · 15 minutes · ●●○**
#
# Now change sides and write the check. `test_learning_rate` gets somebody's function that claims to be
# `learning_rate(step, steps, peak, warmup)`. Your test does nothing if the function is right, and stops at an `assert`
# if it is not:
#
# `assert np.isclose(learning_rate(5, 6, 1.0, 2), 0.25), "the last step"`
#
# The check hands your test right versions, which it must accept, and wrong ones, which it must catch. Some of the wrong
# ones come only after you hand in. So think of the places where a schedule can go wrong: the first step, the last one,
# the peak, the shape of the way down. Which peaks do people use? BERT's is 0.0001. And which runs have only a way up,
# or only a way down? The check needs the line `@by_name` to pass its versions to your test: leave it there.
#
# <details><summary>Common error</summary>
# Testing only with a peak of 1. A function that forgets the peak passes this test.
# </details>
# <details><summary>Why test a function of one line?</summary>
# A wrong learning rate does not raise an error. The run continues, its result is a little worse than it could be, and
# nobody knows why.
# </details>


# %% nb="solution test_learning_rate"
@by_name
def test_learning_rate(learning_rate):
    """Fail at an assert if learning_rate(step, steps, peak, warmup) is not what exercise 1 asks for."""
    ### BEGIN SOLUTION
    rates = [learning_rate(step, 6, 1e-4, 2) for step in range(6)]
    assert np.allclose(rates, np.array([0.5, 1, 1, 0.75, 0.5, 0.25]) * 1e-4), "a whole run"
    assert np.allclose([learning_rate(step, 2, 3.0, 0) for step in range(2)], [3, 1.5]), "no warm-up"
    assert np.allclose([learning_rate(step, 2, 3.0, 2) for step in range(2)], [1.5, 3]), "nothing but warm-up"
    ### END SOLUTION


# %% nb="tests test_learning_rate-visible 1"
check.test_learning_rate(test_learning_rate, points=1)

# %% nb="tests test_learning_rate-hidden 1"
# After you hand in, this cell tries more wrong versions. You do not have to write anything here.
### BEGIN HIDDEN TESTS
check.test_learning_rate(test_learning_rate, hidden=True)
### END HIDDEN TESTS

# %% [markdown]
# Does it accept your own function? If this cell raises no error, it does:

# %%
test_learning_rate(learning_rate)

# %% [markdown] nb="read one_cycle_rate-text"
# ## 3 · OneCycle
# **3 points · 10 minutes · ●●○**
#
# If you have no time to try schedules, take this rule of thumb (lesson 5, section 3): **start at a hundredth of the
# peak, end at a hundredth of the start, and warm up for 10% of the steps.** Each side is half a cosine wave, which
# begins and ends flat. After a share (0 to 1) of the way from $a$ to $b$, the learning rate is
#
# $$b + (a - b) \cdot \frac{1 + \cos(\pi \cdot \text{share})}{2}$$
#
# `steps` is a multiple of 10, at least 20. The steps are numbered 0, 1, ..., `steps - 1`. The first tenth of them is
# the way up, and its last step has the peak. The way down begins at this step and ends at the last step of the run.
# With 30 steps and the peak 1:
#
# | step | 0 | 1 | 2 | 11 | 20 | 29 |
# | --- | --- | --- | --- | --- | --- | --- |
# | share of its side | 0 | 1/2 | 1 | 1/3 | 2/3 | 1 |
# | learning rate | 0.01 | 0.505 | 1 | 0.750025 | 0.250075 | 0.0001 |
#
# <details><summary>Common error</summary>
# Dividing by the number of steps of a side. There are only 2 intervals between 3 steps, so step 1 is halfway.
# </details>
# <details><summary>Where does the name come from?</summary>
# Smith (2018) trained with learning rates that went up and down repeatedly, and then found that one cycle is enough: up
# to a peak that would be too large for a whole run, and far down at the end. His sides are straight lines; the
# half-waves are from PyTorch's <code>OneCycleLR</code>.
# </details>


# %% nb="solution one_cycle_rate"
def one_cycle_rate(step, steps, peak):
    """Return the learning rate of a step, 0 to steps - 1, by the rule of thumb. steps: a multiple of 10."""
    ### BEGIN SOLUTION
    top = steps // 10 - 1
    if step <= top:
        a, b, share = peak / 100, peak, step / top
    else:
        a, b, share = peak, peak / 100**2, (step - top) / (steps - 1 - top)
    return b + (a - b) * (1 + math.cos(math.pi * share)) / 2
    ### END SOLUTION


# %% nb="tests one_cycle_rate-visible 2"
check.one_cycle_rate(one_cycle_rate, points=2)

# %% [markdown]
# Here is PyTorch's own schedule, with the same three numbers as its arguments. How much does it differ from yours at
# most?

# %%
optimizer = torch.optim.AdamW([torch.zeros(1, requires_grad=True)])
theirs = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=1e-3, total_steps=200, pct_start=0.1,
                                             div_factor=100, final_div_factor=100)
apart = []
for step in range(200):
    apart.append(abs(theirs.get_last_lr()[0] - one_cycle_rate(step, 200, 1e-3)))
    optimizer.step()
    if step < 199:
        theirs.step()
print(f"largest difference: {max(apart):.1e}")

# %% nb="tests one_cycle_rate-hidden 1"
# After you hand in, this cell tries more inputs. You do not have to write anything here.
### BEGIN HIDDEN TESTS
check.one_cycle_rate(one_cycle_rate, seed=1123, hidden=True)
### END HIDDEN TESTS

# %% [markdown] nb="read training_step-text"
# ## 4 · One training step
# **6 points · 20 minutes · ●●○**
#
# Everything a model ever learns, it learns in this function, which runs a million times. In PyTorch it has six parts:
#
# 1. write the learning rate `rate` into each group of `optimizer.param_groups`, under the key `"lr"`
# 2. clear the gradients of the previous step
# 3. compute the loss: `loss_of(model, batch)`
# 4. compute its gradient
# 5. clip the gradient: if all parameters' gradients together are longer than `clip`, scale them to that length
# 6. let the optimiser move the weights
#
# Return the loss of part 3 as a plain number.
#
# You cannot see what this function does from its result: it changes the weights, and returns a number that says little.
# So `rehearse`, in the next cell, trains a small model with it, call by call, and records what happens. The check looks
# at this record. Leave the cell as it is.

# %% nb="read rehearse"
def rehearse(batches, rates, clip):
    """Train a small model with your `training_step`, one call per batch; return losses and weights for the check."""
    return check.rehearsal(training_step, batches, rates, clip)

# %% [markdown] nb="read training_step-hints"
# <details><summary>Common error</summary>
# Returning <code>loss</code> itself. It is a tensor that remembers how it was computed; a log of a million of them
# would fill the memory. <code>loss.item()</code> is just the number.
# </details>
# <details><summary>Why are the gradients not cleared automatically?</summary>
# <code>backward()</code> adds to the existing gradients. That is useful if a batch is too large for the memory: compute
# it in parts, and let their gradients add up.
# </details>
# <details><summary>Why clip the norm of all gradients together?</summary>
# A single strange batch can have a huge gradient, and one huge step can undo hours of training. Scaling the whole
# gradient keeps its direction. Clipping each number or each parameter separately would change it.
# </details>


# %% nb="solution training_step"
def training_step(model, optimizer, loss_of, batch, rate, clip):
    """Move the weights of `model` once and return the loss, a float. loss_of(model, batch): a scalar tensor."""
    ### BEGIN SOLUTION
    for group in optimizer.param_groups:
        group["lr"] = rate
    optimizer.zero_grad()
    loss = loss_of(model, batch)
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), clip)
    optimizer.step()
    return loss.item()
    ### END SOLUTION


# %% nb="tests training_step-visible 4"
check.training_step(rehearse, points=4)

# %% nb="tests training_step-hidden 2"
# After you hand in, this cell tries more inputs. You do not have to write anything here.
### BEGIN HIDDEN TESTS
check.training_step(rehearse, seed=1618, hidden=True)
### END HIDDEN TESTS

# %% [markdown] nb="read adamw-text"
# ## 5 · Find three bugs
# **3 points · 20 minutes · ●●○**
#
# What does `optimizer.step()` do? Here it is in NumPy for the optimiser AdamW, together with the clipping that comes
# before it. It **remembers** two running means for each weight: of its gradients $g$ and of their squares:
#
# $$m \leftarrow 0.9\,m + 0.1\,g \qquad v \leftarrow 0.999\,v + 0.001\,g^2$$
#
# Both begin at 0, so in the first steps they are too small. Therefore they are **corrected** in each step (1, 2, 3,
# ...): $\hat m = m / (1 - 0.9^{\text{step}})$ and $\hat v = v / (1 - 0.999^{\text{step}})$. Then each weight $w$ is
# moved, and **decays** a little towards 0:
#
# $$w \leftarrow w - \text{rate} \cdot \Bigl(\frac{\hat m}{\sqrt{\hat v} + 10^{-8}} + \text{decay} \cdot w\Bigr)$$
#
# | | | |
# | --- | --- | --- |
# | `weights`, `gradients` | dicts of arrays | with the same names, such as `"weight"` and `"bias"` |
# | `memory` | dict | `"step"`: steps so far; `"mean"` and `"square"`: m and v, a dict of arrays each |
# | `rate`, `clip`, `decay` | numbers | `clip` limits the norm of all gradients together, as in exercise 4 |
# | returns | (weights, memory) | new ones; the old ones stay as they are |
#
# The code below runs, and it would even train a model. But it has three bugs.

# %% nb="read broken_adamw_step"
def broken_adamw_step(weights, gradients, memory, rate, clip, decay):
    step, after, mean, square = memory["step"] + 1, {}, {}, {}
    for name, w in weights.items():
        g = gradients[name]
        g = g * min(1.0, clip / (np.linalg.norm(g) + 1e-8))
        g = g + decay * w
        mean[name] = 0.9 * memory["mean"][name] + 0.1 * g
        square[name] = 0.999 * memory["square"][name] + 0.001 * g**2
        move = mean[name] / (1 - 0.9**step) / (np.sqrt(square[name]) + 1e-8)
        after[name] = w - rate * move
    return after, {"step": step, "mean": mean, "square": square}


# %% [markdown] nb="read adamw-examine"
# Have it examined. Which rules must a step follow, whatever the weights, and which ones does it break?

# %% nb="read adamw-examined"
check.adamw_step.examine(broken_adamw_step)

# %% [markdown] nb="read adamw-task"
# Copy the function's body into `adamw_step`, and fix it. You can examine `adamw_step` as often as you like.
# {{each bug}}
#
# <details><summary>Common error</summary>
# Measuring the norm of all gradients inside the loop, when some have already been scaled down. Measure it once, before
# the loop.
# </details>
# <details><summary>Why does it matter where decay is applied?</summary>
# If it is part of the gradient, it goes through both memories and is divided by the root of v: weights with large
# gradients then hardly decay at all. AdamW decouples the decay from the gradient; that is what the W stands for (weight
# decay).
# </details>
# <details><summary>And BERT's own optimiser?</summary>
# It corrects neither mean. At first its steps are too long, about three times the learning rate; the warm-up
# compensates for this.
# </details>


# %% nb="solution adamw_step"
def adamw_step(weights, gradients, memory, rate, clip, decay):
    """Return (new weights, new memory). weights, gradients: name -> array; memory: step, mean, square."""
    ### BEGIN SOLUTION
    step, after, mean, square = memory["step"] + 1, {}, {}, {}
    length = np.sqrt(sum((g**2).sum() for g in gradients.values()))
    for name, w in weights.items():
        g = gradients[name] * min(1.0, clip / (length + 1e-8))
        mean[name] = 0.9 * memory["mean"][name] + 0.1 * g
        square[name] = 0.999 * memory["square"][name] + 0.001 * g**2
        move = mean[name] / (1 - 0.9**step) / (np.sqrt(square[name] / (1 - 0.999**step)) + 1e-8)
        after[name] = w - rate * (move + decay * w)
    return after, {"step": step, "mean": mean, "square": square}
    ### END SOLUTION


# %% nb="tests adamw_step-1 1"
check.adamw_step.bug(1)(adamw_step)
### BEGIN HIDDEN TESTS
check.adamw_step.bug(1)(adamw_step, seed=6931, hidden=True)
### END HIDDEN TESTS

# %% nb="tests adamw_step-2 1"
check.adamw_step.bug(2)(adamw_step)
### BEGIN HIDDEN TESTS
check.adamw_step.bug(2)(adamw_step, seed=1414, hidden=True)
### END HIDDEN TESTS

# %% nb="tests adamw_step-3 1"
check.adamw_step.bug(3)(adamw_step)
### BEGIN HIDDEN TESTS
check.adamw_step.bug(3)(adamw_step, seed=7320, hidden=True)
### END HIDDEN TESTS

# %% [markdown] nb="read why-warmup-text"
# ## 6 · Why warm up?
# **2 points · 5 minutes · ●●○**
#
# Adam divides each step by the root of a running mean of squared gradients. Explain in two or three sentences: what is
# wrong with this mean in the first steps of a run, why can a large learning rate do harm at that point, and how does
# the warm-up help?
#
# <details><summary>Hint</summary>
# How many gradients has the mean seen by then? And do the gradients of randomly initialised weights look like those
# that come later?
# </details>

# %% [markdown] nb="manual why-warmup 2"
# In the first steps the mean has seen only a handful of gradients, and they belong to randomly initialised weights, so
# they differ from later ones. Its scale is therefore unreliable, and the length and direction of a step are partly
# chance. With a large learning rate, these steps can move the weights to a place from which they hardly recover (a
# saturated softmax, LayerNorms far off). The warm-up keeps the steps small until the means are reliable and the weights
# have left their random start.
#
# **Mark scheme.** 1 point: few gradients so far, so the estimate (or: the step's length or direction) cannot be relied
# on. 1 point: large steps then do lasting damage, and small ones give time until the estimate is good. "It is more
# stable" alone: half a point. Saying that the first gradients are large also earns the second point.

# %% [markdown] nb="read pack_sentences-text"
# ## 7 · Sentences fill a sequence
# **4 points · 20 minutes · ●●○**
#
# Without NSP there is no need for pairs. What should a sequence contain instead? RoBERTa compared two formats (Liu et
# al., 2019, section 4.2):
#
# | `cross` | format | a sequence contains |
# | --- | --- | --- |
# | `True` | FULL-SENTENCES | as many whole sentences as fit; it continues into the next document, after a separator |
# | `False` | DOC-SENTENCES | as many whole sentences as fit; it ends where the document ends |
#
# Keep the order of the text. Fill one sequence after another: a sentence goes into the open sequence if it fits; if
# not, it begins the next one.
#
# | argument | |
# | --- | --- |
# | `docs` | a list of documents; each is a list of sentences, and each sentence a list of ids |
# | `room` | the maximum number of tokens in a sequence, without [CLS] and the last [SEP]; no sentence is longer |
# | `sep` | the id of the separator, a token that takes room like any other |
# | returns | a list of sequences, each a flat list of ids |
#
# A separator comes **between** two documents, never at the beginning or the end of a sequence: if the separator and the
# next sentence do not both fit, the sequence ends, and the next one begins without a separator. With the documents
# `[[[5, 6], [7]], [[8, 9], [4]]]` and `sep=3`:
#
# | `room` | `cross=True` | `cross=False` |
# | --- | --- | --- |
# | 6 | `[[5, 6, 7, 3, 8, 9], [4]]` | `[[5, 6, 7], [8, 9, 4]]` |
# | 5 | `[[5, 6, 7], [8, 9, 4]]` | the same |
#
# <details><summary>Common error</summary>
# Losing the last sequence. When the loop over the sentences ends, one sequence is still open.
# </details>
# <details><summary>Which one did RoBERTa use?</summary>
# DOC-SENTENCES was a little better. But the sequences at the ends of documents are short, so batches with the same
# number of tokens need different numbers of sequences. To make comparisons easier, its authors used FULL-SENTENCES.
# </details>


# %% nb="solution pack_sentences"
def pack_sentences(docs, room, sep, cross):
    """Pack docs, lists of sentences of ids, into sequences of whole sentences with at most `room` ids."""
    ### BEGIN SOLUTION
    sequences, current = [], []
    for doc in docs:
        for number, sentence in enumerate(doc):
            border = [sep] if current and number == 0 else []
            new_document = number == 0 and not cross
            if current and (new_document or len(current) + len(border) + len(sentence) > room):
                sequences.append(current)
                current, border = [], []
            current = current + border + sentence
    return sequences + [current]
    ### END SOLUTION


# %% nb="tests pack_sentences-visible 2"
check.pack_sentences(pack_sentences, points=2)

# %% nb="tests pack_sentences-hidden 2"
# After you hand in, this cell tries more inputs. You do not have to write anything here.
### BEGIN HIDDEN TESTS
check.pack_sentences(pack_sentences, seed=1907, hidden=True)
### END HIDDEN TESTS

# %% [markdown] nb="read bucket_by_length-text"
# ## 8 · Sequences of similar length together
# **6 points · 30 minutes · ●●●**
#
# A batch is as long as its longest sequence; the others are filled up with [PAD], which is computed and thrown away. If
# sequences of similar length share a batch, little is thrown away. But if we sort them all, the same ones share a batch
# in every epoch, and the model sees only short texts first, then only long ones. Here is a compromise for one epoch:
#
# 1. shuffle all sequences
# 2. cut them into pools of `pool * batch_size` sequences; the last pool may be smaller
# 3. sort each pool by length, and cut it into batches of `batch_size`; the last batch of the last pool may be smaller
# 4. shuffle the batches
#
# `lengths` has one number for each sequence. Return a list of batches; each batch is a list of sequence indices, 0 to
# n - 1. Draw random numbers from `rng` only.
#
# <details><summary>Common error</summary>
# Dropping the last sequences if they do not fill a batch. They are text like any other.
# </details>
# <details><summary>Why pools, and not simply sort?</summary>
# With one pool for everything there is almost no padding, but also no randomness: a sequence has the same neighbours in
# each epoch. With pools of one batch the batches are entirely random. This package's training loop uses pools of 50
# batches.
# </details>


# %% nb="solution bucket_by_length"
def bucket_by_length(lengths, batch_size, pool, rng):
    """Return batches, lists of sequence indices. lengths: of n sequences; pool: how many batches to sort together."""
    ### BEGIN SOLUTION
    order = rng.permutation(len(lengths))
    batches = []
    for start in range(0, len(order), pool * batch_size):
        rows = sorted(order[start:start + pool * batch_size], key=lambda row: lengths[row])
        batches += [rows[i:i + batch_size] for i in range(0, len(rows), batch_size)]
    return [batches[i] for i in rng.permutation(len(batches))]
    ### END SOLUTION


# %% nb="tests bucket_by_length-visible 4"
check.bucket_by_length(bucket_by_length, points=4)

# %% nb="tests bucket_by_length-hidden 2"
# After you hand in, this cell tries more inputs. You do not have to write anything here.
### BEGIN HIDDEN TESTS
check.bucket_by_length(bucket_by_length, seed=3141, hidden=True)
### END HIDDEN TESTS

# %% [markdown] nb="read pretraining_cost-text"
# ## 9 · What does it cost?
# **4 points · 15 minutes · ●○○**
#
# One formula gives a good estimate of the work. For each token, each parameter takes part in a product and a sum in the
# forward pass: 2 operations. The backward pass takes twice as many: 4. So N parameters and D tokens cost
#
# $$\text{operations} = 6\,N\,D$$
#
# | argument | |
# | --- | --- |
# | `parameters` | N |
# | `phases` | a list of `(steps, rows, length)`: steps of the phase, sequences in a batch, tokens in a sequence |
# | `chips` | the number of chips that work at the same time |
# | `peak` | the operations that one chip can do in a second |
# | `utilisation` | the share of the peak that is reached in practice, above 0 and at most 1 |
#
# Return a dictionary with three numbers: `"tokens"` (read in total), `"flops"` (operations) and `"days"`.
#
# <details><summary>Common error</summary>
# Leaving out brackets: <code>flops / chips * peak</code> divides by <code>chips</code> only.
# </details>
# <details><summary>Why is this only an estimate?</summary>
# It leaves out the comparison of tokens in attention, which grows with the square of the length: for BERT-base that
# adds about 2% at 128 tokens, and 9% at 512. It counts the embeddings, a fifth of BERT-base's parameters, as if each
# token were multiplied by all of them. And nobody knows the utilisation in advance. The line below the check assumes
# 30%; for these phases the paper's 4 days mean a utilisation of 11%.
# </details>


# %% nb="solution pretraining_cost"
def pretraining_cost(parameters, phases, chips, peak, utilisation):
    """Return {"tokens": ..., "flops": ..., "days": ...}. phases: a (steps, rows, length) for each."""
    ### BEGIN SOLUTION
    tokens = sum(steps * rows * length for steps, rows, length in phases)
    flops = 6 * parameters * tokens
    seconds = flops / (chips * peak * utilisation)
    return {"tokens": tokens, "flops": flops, "days": seconds / (24 * 60 * 60)}
    ### END SOLUTION


# %% nb="tests pretraining_cost-visible 3"
check.pretraining_cost(pretraining_cost, points=3)

# %% [markdown]
# Here is BERT-base, with sequences of 128 tokens in 90% of its steps and of 512 tokens in the others:

# %%
bert_base = pretraining_cost(110e6, [(900_000, 256, 128), (100_000, 256, 512)], chips=16, peak=45e12, utilisation=0.3)
print(f"BERT-base on 16 chips, as in 2018, at 30% of their peak: {bert_base['days']:.1f} days")

# %% nb="tests pretraining_cost-hidden 1"
# After you hand in, this cell tries more inputs. You do not have to write anything here.
### BEGIN HIDDEN TESTS
check.pretraining_cost(pretraining_cost, seed=5772, hidden=True)
### END HIDDEN TESTS

# %% [markdown] nb="read train-text"
# ## Your BERT
#
# Now your functions train a BERT. It takes about 15 seconds and gives no points. First we need a small text: 1,500
# documents of the generated language, from which we build pairs of segments.

# %% nb="read data"
from minibert.course.models.class_model import WORLD_SEED
from minibert.config import preset
from minibert.generated import World
from minibert.tokenizer import count_words, train_wordpiece
from minibert.tokenizer.fast import FastWordPiece
from minibert.training.micro_batch import loss_of_batch
from minibert.training.pretraining import bert_objective, encode_documents, new_model
from minibert.training.recipes import start_from_sinusoids

texts = [document.sentences for document in World(WORLD_SEED).documents(1500, seed=1, split="pretrain")]
tokenizer = FastWordPiece(train_wordpiece(count_words(sentence for text in texts for sentence in text), 1000))
objective = bert_objective(tokenizer, max_length=32, rate=0.3)
rows, labels = objective.build(encode_documents(texts, tokenizer), np.random.default_rng(0))
print(f"{len(rows):,} sequences of two segments; {len(tokenizer):,} tokens in the vocabulary")

# %% [markdown] nb="read train-model"
# Then we need a model with one layer, an optimiser, and the loss: NSP plus MLM, with new masks for each batch.

# %% nb="read model"
model = new_model(preset("class", num_hidden_layers=1, hidden_size=64, intermediate_size=256, vocab_size=len(tokenizer)),
                  objective, seed=0)
start_from_sinusoids(model.encoder)
optimizer = torch.optim.AdamW(model.parameters(), lr=1.0)       # your step writes the learning rate
masks = np.random.default_rng(1)

def loss_of(model, batch):
    return loss_of_batch(objective, model, batch, masks)[0]

print(f"{sum(p.numel() for p in model.parameters()):,} parameters; a model that knows nothing has the loss "
      f"ln {len(tokenizer)} + ln 2 = {math.log(len(tokenizer)) + math.log(2):.2f}")

# %% [markdown] nb="read train-run"
# And here is the loop. Everything in it that trains the model is yours.

# %% nb="read train"
from minibert.course.widgets.learning_curves import LiveCurve

rng, steps, log = np.random.default_rng(2), 600, []
curve = LiveCurve(every=10, lines={"knows nothing": math.log(len(tokenizer)) + math.log(2)})
curve.begin(log)
while len(log) < steps:
    for batch_rows in bucket_by_length([len(a) + len(b) for a, b in rows], 16, 50, rng)[:steps - len(log)]:
        batch = objective.collate([rows[i] for i in batch_rows], [labels[i] for i in batch_rows])
        rate = learning_rate(len(log), steps, peak=3e-3, warmup=60)
        loss = training_step(model, optimizer, loss_of, batch, rate, clip=1.0)
        log.append({"step": len(log) + 1, "loss": loss, "tokens": int(batch.real.sum())})
        curve.update()
curve.end()

# %% [markdown]
# ## Your functions and a model that knows English
#
# The same three functions continue the pretraining of a real model, on the first pages of *Alice's Adventures in
# Wonderland* (Lewis Carroll, 1865). They work with any model. The cell prints the sum of its MLM and NSP losses on a
# fixed batch of later pages, before and after your steps. (It loads the model first, which takes up to a minute.)

# %%
import minibert
from minibert.course.texts.books import ALICE
from minibert.readers.plain_text import read_documents

english = minibert.load("english")
task = bert_objective(english.tokenizer, max_length=64)
pages = encode_documents(read_documents(ALICE)[:60], english.tokenizer)
pairs, pair_labels = task.build(pages[:40], np.random.default_rng(0))
later, later_labels = task.build(pages[40:], np.random.default_rng(0))
test_batch = task.collate(later[:64], later_labels[:64])

english_masks = np.random.default_rng(1)

def english_loss(model, batch):
    return loss_of_batch(task, model, batch, english_masks)[0]

def on_later_pages():
    with torch.no_grad():
        return loss_of_batch(task, english.model.eval(), test_batch, np.random.default_rng(2))[0].item()

loss_before, english_optimizer = on_later_pages(), torch.optim.AdamW(english.model.parameters(), lr=1.0)
english.model.train()
batches = bucket_by_length([len(a) + len(b) for a, b in pairs], 8, 50, np.random.default_rng(0))[:20]
for step, numbers in enumerate(batches):
    some = task.collate([pairs[i] for i in numbers], [pair_labels[i] for i in numbers])
    rate = learning_rate(step, len(batches), peak=1e-4, warmup=2)
    training_step(english.model, english_optimizer, english_loss, some, rate, clip=1.0)
print(f"loss on later pages: {loss_before:.3f} before your {len(batches)} steps, {on_later_pages():.3f} after them")

# %% [markdown] nb="read end"
# ## Done
#
# You have written the loop that BERT was trained with. `minibert/training/loop.py` contains the same loop with
# additions for long runs: checkpoints, several processes and half precision.
#
# **Before you hand in**: restart the kernel and run all cells, or let `minibert doctor` check your notebook.
#
# **Read on**: Devlin et al. (2019), *BERT*, [arXiv 1810.04805](https://arxiv.org/abs/1810.04805), appendix A.2. Smith
# (2018), [arXiv 1803.09820](https://arxiv.org/abs/1803.09820), section 4 (OneCycle). Liu et al. (2019), *RoBERTa*,
# [arXiv 1907.11692](https://arxiv.org/abs/1907.11692), section 4.2 (what a sequence contains). Kaplan et al. (2020),
# *Scaling Laws for Neural Language Models*, [arXiv 2001.08361](https://arxiv.org/abs/2001.08361), section 2.1. Popel
# and Bojar (2018), *Training Tips for the Transformer Model*, [arXiv 1804.00247](https://arxiv.org/abs/1804.00247),
# section 4.
