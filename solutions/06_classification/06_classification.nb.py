# %% [markdown] nb="read intro"
# # Unit 06 · Classification: one encoder, many tasks
#
# A pretrained BERT returns a vector for every token. You will write the code that turns these vectors into
# answers: the heads that label a text or a pair of texts, or choose one of four endings. You will also write a
# score that cannot be fooled, the optimiser's parameter groups for a new head on a pretrained encoder, and a
# measure of how sharp a minimum is.
#
# | | exercise | points | minutes | difficulty |
# | --- | --- | --- | --- | --- |
# | 1 | `classifier_logits` | 4 | 15 | ●○○ |
# | 2 | `choice_logits` | 3 | 15 | ●●○ |
# | 3 | `matthews_correlation` | 4 | 20 | ●●○ |
# | 4 | `test_matthews`: write a test | 2 | 15 | ●●○ |
# | 5 | `opposite_verdicts`: two scores disagree | 2 | 15 | ●●○ |
# | 6 | `f1_of_batches`: find three bugs | 3 | 20 | ●●○ |
# | 7 | `parameter_groups` | 5 | 30 | ●●● |
# | 8 | `sharpness` | 4 | 15 | ●●○ |
# | 9 | Why two learning rates? (in words) | 2 | 5 | ●●○ |
# | | total | **29** | **150** | |
#
# The finished notebook runs in 7 seconds on two cores, plus a few seconds for its last cell, which loads a model.
#
# {{how it works}}
#
# **Stuck?** `check.classifier_logits.hint()` in a new cell shows a hint; run it again for a stronger one. There are
# three hints for each function. Common errors are folded below each task. An earlier function that is not right yet
# does not hold you back: if a later check fails because of it, the check lends you ours and says so.
#
# The letters in the comments are axes: **B** examples of a batch, **T** tokens, **D** hidden size, **C** labels, or
# options to choose from, **N** examples of a test set.

# %% nb="read imports"
import math

import numpy as np

from minibert.data.batch import IGNORE
from minibert.course import unit06 as check
from minibert.course.checks.student_tests import by_name

# %% [markdown] nb="read classifier-text"
# ## 1 · One vector for a whole sequence
# **4 points · 15 minutes · ●○○**
#
# To classify a sentence, or a pair of sentences in one sequence, BERT uses only the first token: `[CLS]`. Its
# vector $h$ goes through the **pooler**, a linear map and a tanh, and then through the **classifier**, a linear map
# to one number for each label:
#
# $$\text{logits} = W_c \, \tanh(W_p \, h + b_p) + b_c$$
#
# | | shape | |
# | --- | --- | --- |
# | `hidden` | (B, T, D) | the last layer's hidden state of each token; `[CLS]` is the first token of each sequence |
# | `weights` | dict | `pooler.weight` (D, D), `pooler.bias` (D,), `classifier.weight` (C, D), `classifier.bias` (C,) |
# | returns | (B, C) | logits: no softmax |
#
# As in PyTorch, each **row** of a weight matrix makes one output number. Here are weights for D = 4 and C = 3:

# %% nb="read classifier-weights"
weights = check.head_weights(np.random.default_rng(0), hidden_size=4, num_labels=3)
{name: value.shape for name, value in weights.items()}

# %% [markdown] nb="read classifier-hints"
# <details><summary>Common error</summary>
# Computing <code>x @ W</code>. With the pooler's square matrix it runs and gives wrong numbers;
# with the classifier's it fails.
# </details>
# <details><summary>Why no softmax?</summary>
# The loss applies it, in a way that cannot overflow. And you do not need it to find the most likely label: the largest
# logit has the largest probability.
# </details>


# %% nb="solution classifier"
def classifier_logits(hidden, weights):
    """Return logits (B, C) for hidden (B, T, D): the tanh pooler of [CLS], then the classifier."""
    ### BEGIN SOLUTION
    pooled = np.tanh(hidden[:, 0] @ weights["pooler.weight"].T + weights["pooler.bias"])    # (B, D)
    return pooled @ weights["classifier.weight"].T + weights["classifier.bias"]             # (B, C)
    ### END SOLUTION


# %% nb="tests classifier-visible 2"
check.classifier_logits(classifier_logits, points=2)

# %% nb="tests classifier-hidden 2"
# After you hand in, this cell tries more inputs. You do not have to write anything here.
### BEGIN HIDDEN TESTS
check.classifier_logits(classifier_logits, seed=2506, hidden=True)
### END HIDDEN TESTS

# %% [markdown] nb="read choice-text"
# ## 2 · Which of four endings?
# **3 points · 15 minutes · ●●○**
#
# In SWAG each beginning has four possible endings, and one of them makes sense. BERT reads **each option in a separate
# sequence**, `[CLS] beginning [SEP] ending [SEP]`, and the head gives each sequence **one** number. Then the options of
# one example are compared with each other.
#
# | | shape | |
# | --- | --- | --- |
# | `hidden` | (B·C, T, D) | B examples with C options each; an example's options are neighbours |
# | `weights` | dict | as above, for one label: `classifier.weight` (1, D), `classifier.bias` (1,) |
# | `num_choices` | int | C |
# | returns | (B, C) | one score for each option, no softmax |
#
# With B = 2 and C = 3, the sequences are: example 0 with options 0, 1, 2, then example 1 with options 0, 1, 2.
#
# <details><summary>Common error</summary>
# <code>reshape(C, B).T</code> has the right shape, but mixes the options of different examples. <code>reshape</code>
# fills row by row: the last axis must be the one that changes fastest, which is the option.
# </details>
# <details><summary>Why not one sequence with all four endings?</summary>
# It would be long, and the model would have to learn the meaning of places 1 to 4. With one score for each option, the
# order of the options cannot matter, and a model trained on four options also works with five.
# </details>


# %% nb="solution choice"
def choice_logits(hidden, weights, num_choices):
    """Return scores (B, C) for hidden (B * C, T, D), where an example's options come one after another."""
    ### BEGIN SOLUTION
    return classifier_logits(hidden, weights).reshape(-1, num_choices)
    ### END SOLUTION


# %% nb="tests choice-visible 2"
check.choice_logits(choice_logits, points=2)

# %% nb="tests choice-hidden 1"
# After you hand in, this cell tries more inputs. You do not have to write anything here.
### BEGIN HIDDEN TESTS
check.choice_logits(choice_logits, seed=8117, hidden=True)
### END HIDDEN TESTS

# %% [markdown] nb="read matthews-text"
# ## 3 · A score that cannot be fooled
# **4 points · 20 minutes · ●●○**
#
# If 95 of 100 sentences are acceptable, always answering "acceptable" is right 95 times, without reading a single
# sentence. Matthews' correlation, which GLUE uses for CoLA, is 0 in this case. Count the four kinds of answers;
# then the correlation is $M$:
#
# | | answer 1 | answer 0 |
# | --- | --- | --- |
# | **gold 1** | tp | fn |
# | **gold 0** | fp | tn |
#
# $$M = \frac{tp \cdot tn - fp \cdot fn}{\sqrt{(tp + fp)(tp + fn)(tn + fp)(tn + fn)}}$$
#
# +1 is perfect, 0 is no better than chance, −1 is always wrong. If the gold labels or the answers are all the same, $M$
# is 0 / 0; return 0 in this case. `gold` and `predicted` are arrays of 0 and 1, (N,), and may be long: QQP has 400,000
# examples. Return one number.
#
# <details><summary>Common error</summary>
# Multiplying four of NumPy's integers. They have 64 bits, and the product of four counts of 100,000 does not fit: NumPy
# silently overflows to another number, which may even be negative.
# </details>
# <details><summary>When is it 0 / 0?</summary>
# If one of the four sums is 0: no example has label 1, or none has label 0, in the gold labels or in the answers. A
# single count of 0 is not a problem.
# </details>


# %% nb="solution matthews"
def matthews_correlation(gold, predicted):
    """Return the correlation of gold and predicted, (N,) of 0 and 1: a number from -1 to 1, 0 if undefined."""
    ### BEGIN SOLUTION
    tp, tn = (int(((gold == label) & (predicted == label)).sum()) for label in (1, 0))
    fp, fn = (int(((gold != label) & (predicted == label)).sum()) for label in (1, 0))
    product = (tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)
    return (tp * tn - fp * fn) / math.sqrt(product) if product else 0.0
    ### END SOLUTION


# %% nb="tests matthews-visible 2"
check.matthews_correlation(matthews_correlation, points=2)

# %% nb="tests matthews-hidden 2"
# After you hand in, this cell tries more inputs. You do not have to write anything here.
### BEGIN HIDDEN TESTS
check.matthews_correlation(matthews_correlation, seed=5031, hidden=True)
### END HIDDEN TESTS

# %% [markdown] nb="read test-matthews-text"
# ## 4 · Write a test
# **2 points · 15 minutes · ●●○**
#
# Now change sides and write the check. `test_matthews` gets somebody's function that claims to be
# `matthews_correlation(gold, predicted)`. Your test does nothing if the function is right, and stops
# at an `assert` if it is not:
#
# `assert np.isclose(matthews_correlation(np.array([0, 1, 1]), np.array([0, 1, 1])), 1), "perfect answers"`
#
# The check hands your test right versions, which it must accept, and wrong ones, which it must catch. Some of the
# wrong ones come only after you hand in. So choose answers that reveal mistakes. What is the score of four counts
# that all differ, worked out by hand? What is it for answers that are worse than chance, for a constant answer, or
# if there is only one label? And for very many examples? The check needs the line `@by_name` to pass its versions
# to your test: leave it there.
#
# <details><summary>Common error</summary>
# Testing only perfect answers. For these, accuracy and F1 are 1 as well.
# </details>
# <details><summary>Why not compare with <code>==</code>?</summary>
# A right version may return 0.9999999999999998 when yours returns 1. <code>np.isclose</code> allows for that.
# </details>


# %% nb="solution test-matthews"
@by_name
def test_matthews(matthews_correlation):
    """Fail at an assert if matthews_correlation(gold, predicted) is not Matthews' correlation of the two."""
    ### BEGIN SOLUTION
    gold, answers = np.array([1, 1, 1, 1, 0]), np.array([1, 0, 0, 0, 0])  # tp 1, fn 3, tn 1, fp 0
    assert np.isclose(matthews_correlation(gold, answers), 1 / 4), "by hand"
    assert np.isclose(matthews_correlation(gold, 1 - answers), -1 / 4), "worse than chance"
    ones, many = np.ones(5, int), np.arange(400_000) % 2
    for side in (gold, ones, 1 - ones):
        assert matthews_correlation(side, ones) == 0, "a constant answer"
    assert matthews_correlation(ones, answers) == 0, "only one label exists"
    assert np.isclose(matthews_correlation(many, many), 1), "very many examples"
    ### END SOLUTION


# %% nb="tests test-matthews-visible 1"
check.test_matthews(test_matthews, points=1)

# %% nb="tests test-matthews-hidden 1"
# After you hand in, this cell tries more wrong versions. You do not have to write anything here.
### BEGIN HIDDEN TESTS
check.test_matthews(test_matthews, hidden=True)
### END HIDDEN TESTS

# %% [markdown]
# Does it accept your own function? If this cell raises no error, it does:

# %%
test_matthews(matthews_correlation)

# %% [markdown] nb="read verdicts-text"
# ## 5 · Two scores disagree
# **2 points · 15 minutes · ●●○**
#
# Two models answered the same questions. By accuracy the first one is better, by Matthews the second one. Is that
# possible? Show that it is: return three lists of 0 and 1, equally long and with at least 20 items:
#
# - `gold`: the right labels
# - `first`: the answers with the higher **accuracy**, by at least 0.1
# - `second`: the answers with the higher **Matthews correlation**, by at least 0.1
#
# <details><summary>How to write a long list</summary>
# <code>[1] * 3 + [0] * 17</code> is three ones and seventeen zeros.
# </details>


# %% nb="solution verdicts"
def opposite_verdicts():
    """Return (gold, first, second): by accuracy the first answers are better, by Matthews the second."""
    ### BEGIN SOLUTION
    gold = [1] * 2 + [0] * 28
    first = [0] * 30
    second = [1] * 8 + [0] * 22
    return gold, first, second
    ### END SOLUTION


# %% nb="tests verdicts-visible 2"
check.opposite_verdicts(opposite_verdicts, points=2)

# %% [markdown] nb="read f1-text"
# ## 6 · Find three bugs
# **3 points · 20 minutes · ●●○**
#
# MRPC and QQP ask whether two sentences mean the same. Their score is F₁ of label 1, "the same":
#
# $$F_1 = \frac{2 \cdot \text{right}}{\text{said} + \text{wanted}}$$
#
# Here *said* is the number of ones that the model predicted, *wanted* the number of ones in the labels, and *right* the
# number of predicted ones that are correct. A model answers batch by batch, so `f1_of_batches` gets a list of batches,
# each a pair `(logits, labels)`:
#
# | | shape | |
# | --- | --- | --- |
# | `logits` | (B, 2) | the larger one in a row is the answer, 0 or 1; B may differ from batch to batch |
# | `labels` | (B,) | 0 or 1; `IGNORE` for an example that only fills up the batch and does not count |
# | returns | one number | F₁ of all examples; 0.0 if it is 0 / 0 |
#
# The code below runs, but it has three bugs.

# %% nb="read broken-f1"
def broken_f1_of_batches(batches):
    scores = []
    for logits, labels in batches:
        answers = logits.argmax(axis=-1)  # (B,)
        right = (answers == labels).sum()
        said = (answers == 1).sum()
        wanted = (labels == 1).sum()
        scores.append(2 * right / (said + wanted) if said + wanted else 0.0)
    return np.mean(scores)


# %% [markdown] nb="read f1-examine"
# Have it examined. Which rules must this score follow, whatever the answers, and which ones does it break?

# %% nb="read f1-examined"
check.f1_of_batches.examine(broken_f1_of_batches)

# %% [markdown] nb="read f1-task"
# Copy the function's body into `f1_of_batches`, and fix it. You can examine `f1_of_batches` as often as you like.
# {{each bug}}
#
# <details><summary>Common error</summary>
# Weighting the batches' scores by their size. That is right for a mean of accuracies, but not for F₁, whose denominator
# is not the number of examples.
# </details>
# <details><summary>Why are there examples that only fill up a batch?</summary>
# If several machines share a test set, each needs the same number of examples; or a batch must have a fixed shape. If
# these additional examples were counted, the score would depend on the number of machines.
# </details>


# %% nb="solution f1"
def f1_of_batches(batches):
    """Return F1 of label 1 over all examples with a label. batches: (logits (B, 2), labels (B,)) each."""
    ### BEGIN SOLUTION
    right = said = wanted = 0
    for logits, labels in batches:
        answers = logits.argmax(axis=-1)  # (B,)
        right += ((answers == 1) & (labels == 1)).sum()
        said += ((answers == 1) & (labels != IGNORE)).sum()
        wanted += (labels == 1).sum()
    return 2 * right / (said + wanted) if said + wanted else 0.0
    ### END SOLUTION


# %% nb="tests f1-1 1"
check.f1_of_batches.bug(1)(f1_of_batches)
### BEGIN HIDDEN TESTS
check.f1_of_batches.bug(1)(f1_of_batches, seed=4217, hidden=True)
### END HIDDEN TESTS

# %% nb="tests f1-2 1"
check.f1_of_batches.bug(2)(f1_of_batches)
### BEGIN HIDDEN TESTS
check.f1_of_batches.bug(2)(f1_of_batches, seed=9038, hidden=True)
### END HIDDEN TESTS

# %% nb="tests f1-3 1"
check.f1_of_batches.bug(3)(f1_of_batches)
### BEGIN HIDDEN TESTS
check.f1_of_batches.bug(3)(f1_of_batches, seed=1652, hidden=True)
### END HIDDEN TESTS

# %% [markdown] nb="read groups-text"
# ## 7 · Groups for the optimiser
# **5 points · 30 minutes · ●●●**
#
# The encoder is pretrained and the head is new, so they need different learning rates. In each step, weights are pulled
# a little towards 0 (weight decay), but biases and LayerNorms are not. And the lowest layers may stay frozen. All this
# is passed to an optimiser as **groups** of parameters. You sort the parameters by their names, which look like this:

# %% nb="read groups-names"
names = check.model_names(num_layers=2)
print(*names, sep="\n")

# %% [markdown] nb="read groups-task"
# | | | |
# | --- | --- | --- |
# | `names` | list of str | the names of all parameters |
# | `encoder_rate`, `head_rate` | float | the learning rate of the encoder, and of the head |
# | `weight_decay` | float | the decay of the parameters that decay; all others have 0.0 |
# | `frozen_layers` | int | n > 0: the embeddings and layers 0 to n − 1 are in no group; 0: everything is trained |
# | returns | list of dict | `{"names": [...], "lr": rate, "weight_decay": decay}` |
#
# - The **encoder** is all names that begin with `encoder.`; the **head** is all others.
# - No decay: **biases** (the last part of the name is `bias`) and **LayerNorms**, both weight and bias (the part before
#   the last is `norm` or ends in `_norm`).
# - The order of the groups: encoder decayed, encoder not decayed, head decayed, head not decayed. Within a group, keep
#   the order of `names`. Leave out groups without names.
#
# <details><summary>Common error</summary>
# <code>name.startswith("encoder.layers.1")</code> is also true for layers 10 and 11, and
# BERT-base has both. Include the dot.
# </details>
# <details><summary>Why do biases and LayerNorm not decay?</summary>
# Decay keeps weights small, so that no single input has too much influence. A bias does not multiply any input. And the
# scale of a LayerNorm starts at 1: pulling it towards 0 would switch off the features that it scales.
# </details>


# %% nb="solution groups"
def parameter_groups(names, encoder_rate, head_rate, weight_decay=0.01, frozen_layers=0):
    """Return groups {"names", "lr", "weight_decay"}: encoder decayed, not decayed, head decayed, not; none empty."""
    ### BEGIN SOLUTION
    def decays(name):
        parts = name.split(".")
        return parts[-1] != "bias" and not parts[-2].endswith("norm")

    frozen = [f"encoder.layers.{i}." for i in range(frozen_layers)] + ["encoder.embeddings."] * (frozen_layers > 0)
    trained = [name for name in names if not name.startswith(tuple(frozen))]
    groups = []
    for inside in (True, False):
        for decayed in (True, False):
            chosen = [name for name in trained if name.startswith("encoder.") == inside and decays(name) == decayed]
            if chosen:
                groups.append({"names": chosen, "lr": encoder_rate if inside else head_rate,
                               "weight_decay": weight_decay if decayed else 0.0})
    return groups
    ### END SOLUTION


# %% nb="tests groups-visible 3"
check.parameter_groups(parameter_groups, points=3)

# %% nb="tests groups-hidden 2"
# After you hand in, this cell tries more inputs. You do not have to write anything here.
### BEGIN HIDDEN TESTS
check.parameter_groups(parameter_groups, seed=6904, hidden=True)
### END HIDDEN TESTS

# %% [markdown]
# Here are your groups at work in PyTorch: a small BERT with a new head, and one step of AdamW on one made-up
# example. The bottom layer is frozen.

# %%
import torch

from minibert.config import preset
from minibert.model import Encoder, Model
from minibert.model.heads import ClassifierHead

torch.manual_seed(0)
config = preset("tiny", vocab_size=100, num_hidden_layers=2)
model = Model(Encoder(config), {"label": ClassifierHead(config, num_labels=2)})
tensors = dict(model.named_parameters())

# %% [markdown]
# An optimiser needs the tensors themselves, not their names:

# %%
groups = parameter_groups(list(tensors), encoder_rate=2e-5, head_rate=1e-3, frozen_layers=1)
optimizer = torch.optim.AdamW([{"params": [tensors[name] for name in group["names"]], "lr": group["lr"],
                                "weight_decay": group["weight_decay"]} for group in groups])
before = {name: tensor.detach().clone() for name, tensor in tensors.items()}

# %% [markdown]
# Now we make the step. Which numbers do you expect below? Adam's first step moves every weight by its learning rate,
# whatever the size of its gradient. (Decay adds a little: the learning rate times 0.01 times the weight.)

# %%
input_ids = torch.arange(5, 13)[None]                                       # (1, T)
visible = torch.ones(1, 8, 8, dtype=torch.bool)                             # (1, T, T)
logits = model(input_ids, visible, torch.zeros_like(input_ids))["label"]    # (1, C)
torch.nn.functional.cross_entropy(logits, torch.tensor([1])).backward()
optimizer.step()

for part in ("encoder.embeddings", "encoder.layers.0", "encoder.layers.1", "heads"):
    moves = [(tensors[name] - before[name]).abs().max().item() for name in tensors if name.startswith(part)]
    print(f"{part:20s} moves by up to {max(moves):.6f}")

# %% [markdown] nb="read sharpness-text"
# ## 8 · How sharp is a minimum?
# **4 points · 15 minutes · ●●○**
#
# Hao et al. (2019) found that fine-tuning BERT ends in wider minima of the loss than training from scratch. How wide is
# yours? Step away from the weights in random directions and measure how much the loss increases: this is the
# **sharpness** of the minimum.
#
# How long should a step be? A step that is small for large weights is large for small ones. So a direction is
# **filter-normalised** first (Li et al., 2018): each **row** of a matrix is scaled to the length (the root of the sum
# of squares) of the same row of the weights. Biases and LayerNorms, which are vectors, do not change: their step is 0.
#
# | | | |
# | --- | --- | --- |
# | `loss` | a function | `loss(weights)` is a number |
# | `weights` | dict | name → a matrix or a vector |
# | `directions` | list of dicts | random arrays with the same names and shapes, of any length; no row is all zeros |
# | `radius` | float | a step is `radius` times the normalised direction |
# | returns | (mean, largest) | of the increases over `loss(weights)` |
#
# From the weights, go along each direction to **both** sides, + `radius` and − `radius`. All tensors move together.
# Two directions give four increases; an increase may be negative. The mean is called average-case sharpness, the
# largest worst-case sharpness.
#
# Here is an example with one direction and `radius` 0.1. The loss is the square of the first number of `w`:
#
# | | `w` | `b` | loss | increase |
# | --- | --- | --- | --- | --- |
# | weights | `[[3, 4]]`, of length 5 | `[1]` | 9 | |
# | direction | `[[2, 0]]`, normalised `[[5, 0]]` | `[7]`, step 0 | | |
# | + 0.1 | `[[3.5, 4]]` | `[1]` | 12.25 | 3.25 |
# | − 0.1 | `[[2.5, 4]]` | `[1]` | 6.25 | −2.75 |
#
# The result is (0.25, 3.25).
#
# <details><summary>Common error</summary>
# Using one length for a whole matrix. Then a row with small weights gets the same step as a row with large weights.
# <code>np.linalg.norm(x, axis=1, keepdims=True)</code> returns a length for each row.
# </details>
# <details><summary>Why does the length of a step matter?</summary>
# If a matrix comes right before a LayerNorm, a matrix ten times as large computes the same function. With steps of a
# fixed length, the loss would look much flatter around the larger one, although it is not.
# </details>


# %% nb="solution sharpness"
def sharpness(loss, weights, directions, radius):
    """Return the (mean, largest) increase of loss(weights), a number. weights, directions: dicts of arrays."""
    ### BEGIN SOLUTION
    def length(x):
        return np.linalg.norm(x, axis=1, keepdims=True)

    centre, increases = loss(weights), []
    for direction in directions:
        steps = {name: direction[name] / length(direction[name]) * length(w) if w.ndim == 2 else 0.0
                 for name, w in weights.items()}
        for side in (radius, -radius):
            increases.append(loss({name: w + side * steps[name] for name, w in weights.items()}) - centre)
    return np.mean(increases), max(increases)
    ### END SOLUTION


# %% nb="tests sharpness-visible 2"
check.sharpness(sharpness, points=2)

# %% nb="tests sharpness-hidden 2"
# After you hand in, this cell tries more inputs. You do not have to write anything here.
### BEGIN HIDDEN TESTS
check.sharpness(sharpness, seed=1712, hidden=True)
### END HIDDEN TESTS

# %% [markdown] nb="read why-rates-text"
# ## 9 · Why two learning rates?
# **2 points · 5 minutes · ●●○**
#
# If all parameters have the learning rate that suits the new head, fine-tuning can be worse than with a small learning
# rate for the encoder. Explain in two to four sentences how encoder and head differ when fine-tuning begins, and what a
# large learning rate would do to the encoder in the first steps.
#
# <details><summary>Hint</summary>
# What does the head know at the first step? And where do the encoder's gradients come from?
# </details>

# %% [markdown] nb="manual why-rates 2"
# The encoder already contains the knowledge that pretraining learned from a lot of text; the head is random and knows
# nothing. In the first steps the head's errors are large and arbitrary, and its gradients flow into the encoder. With a
# large learning rate they move the pretrained weights far away, and this knowledge is lost before the head has learned
# to use it (and the task's few labels cannot restore it). A small learning rate keeps the encoder near its good
# starting point, while the head can move fast.
#
# **Mark scheme.** 1 point: the encoder is pretrained (holds knowledge worth keeping) while the head starts at
# random. 1 point: large steps, driven by the errors of a random head or by few labels, destroy or overwrite what the
# encoder knows ("catastrophic forgetting" alone is enough if the answer says what is forgotten). Only "small
# learning rates are safer": no points.

# %% [markdown]
# ## Your functions judge film reviews
#
# A check runs your functions on made-up numbers. Here you run them on the hidden states of a model that was pretrained
# on English text and fine-tuned on film reviews. **Your** `classifier_logits` is its head, and should agree with the
# package. **Your** `matthews_correlation` and `f1_of_batches` score the answers, where 1 means *positive*. **Your**
# `sharpness` measures how much the head's loss on these reviews increases around its weights. This gives no points and
# takes a few seconds. Then add your own reviews, each with its label. (If the English model is not available, a message
# says so, and an untrained model replaces it; your head and the package still agree.)

# %%
import minibert
from minibert.course.models.class_model import untrained_model
from minibert.readers.glue import TextExample

english = minibert.load("english-sentiment", instead=untrained_model("sst2", labels=["negative", "positive"]))
reviews = {"A wonderful film with brilliant actors.": 1, "I was bored from beginning to end.": 0,
           "Funny, warm and clever.": 1, "What a waste of time.": 0, "Not bad at all.": 1,
           "A great film, if you need to sleep.": 0}
texts, gold = list(reviews), np.array(list(reviews.values()))

rows, _, _ = english.task.encode([TextExample(text, None, None, "0", 1) for text in texts])
with torch.no_grad():
    hidden = english.model.encoder(**english.task.inputs(english.task.collate(rows), "cpu"))["hidden"].numpy()
head = {name: tensor.numpy() for name, tensor in english.model.heads["label"].state_dict().items()}

logits = np.asarray(classifier_logits(hidden, head))                        # (B, 2)
answers = logits.argmax(axis=-1)                                            # (B,)
for text, answer in zip(texts, answers):
    print(f"{text:42s} yours: {english.labels[answer]}, the package: {english.predict(text)}")
print(f"Matthews {matthews_correlation(gold, answers):.2f}, F1 {f1_of_batches([(logits, gold)]):.2f}")

def loss_of_head(weights):
    logits = torch.as_tensor(classifier_logits(hidden, weights))
    return torch.nn.functional.cross_entropy(logits, torch.as_tensor(gold)).item()

rng = np.random.default_rng(0)
directions = [{name: rng.normal(size=value.shape) for name, value in head.items()} for _ in range(20)]
print(f"the head's loss: {loss_of_head(head):.3f}")
for radius in (0.1, 0.3, 1.0):
    mean, largest = sharpness(loss_of_head, head, directions, radius)
    print(f"radius {radius}: it increases by {mean:.3f} on average, by {largest:.3f} at the most")

# %% [markdown] nb="read end"
# ## Done
#
# You have written the heads, the scores and the parameter groups with which one encoder serves every task, and you have
# measured the sharpness of a minimum. In the package, the heads are in `minibert/reference/heads.py`, and most of the
# other functions in `minibert/course/unit06/definitions.py`; `minibert/finetuning/` trains models with them.
#
# **Before you hand in**: *Kernel > Restart Kernel and Run All Cells*. Every check should print *passed*.
#
# **Read on**: Devlin et al. (2019), [arXiv 1810.04805](https://arxiv.org/abs/1810.04805), sections 4.1 and 4.4, figure 4.
# Wang et al. (2019), [arXiv 1804.07461](https://arxiv.org/abs/1804.07461), section 3, for the tasks and their scores.
# Li et al. (2018), [arXiv 1712.09913](https://arxiv.org/abs/1712.09913), section 4 (filter-normalised directions). Hao et
# al. (2019), [arXiv 1908.05620](https://arxiv.org/abs/1908.05620), section 4 (wider optima).
