# %% [markdown] nb="read intro"
# # Unit 06 · Classification: one encoder, many tasks
#
# A pretrained BERT gives a vector for every token. You will write what turns them into answers: labels for a text or a
# pair, one of four endings, a score that cannot be fooled, the optimiser's groups that train a new head on a pretrained
# encoder, and a number for how sharp a minimum is.
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
# | | together | **29** | **150** | |
#
# The finished notebook runs in 7 seconds on two cores, and its last cell, with a model, in a few more.
#
# **How it works.** Write your code where it says `YOUR CODE HERE`, and delete the line `raise NotImplementedError()`.
# Run the cell, then the check below it. The check tells you what is wrong, as often as you like. The number under
# its verdict is what the cell earns so far: at most half of its points until all is right. More points are given after
# you hand in, for the same function on other inputs: solve the exercise, not the check.
#
# **Stuck?** `check.classifier_logits.hint()` in a cell of your own shows a hint; run it again for a stronger one, three in
# all. So do the other functions. Common errors are folded below each task. And an earlier function that is not right yet
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
# To classify a sentence, or a pair of sentences in one sequence, BERT uses the first token alone: `[CLS]`. Its vector $h$
# goes through the **pooler**, a linear map and a tanh, and then through the **classifier**, a linear map to one number a
# label:
#
# $$\text{logits} = W_c \, \tanh(W_p \, h + b_p) + b_c$$
#
# | | shape | |
# | --- | --- | --- |
# | `hidden` | (B, T, D) | what the last layer says of each token; `[CLS]` is the first one of each sequence |
# | `weights` | dict | `pooler.weight` (D, D), `pooler.bias` (D,), `classifier.weight` (C, D), `classifier.bias` (C,) |
# | returns | (B, C) | logits: no softmax |
#
# As in PyTorch, a **row** of a weight matrix makes one output number. These are weights for D = 4 and C = 3:

# %% nb="read classifier-weights"
weights = check.head_weights(np.random.default_rng(0), hidden_size=4, num_labels=3)
{name: value.shape for name, value in weights.items()}

# %% [markdown] nb="read classifier-hints"
# <details><summary>Common error</summary>
# <code>x @ W</code>. With the pooler's square matrix it runs and gives wrong numbers; with the classifier's it fails.
# </details>
# <details><summary>Why no softmax?</summary>
# The loss takes it, in a way that cannot overflow. And to find the likeliest label nobody needs it: the largest logit
# is the largest probability.
# </details>


# %% nb="solution classifier"
def classifier_logits(hidden, weights):
    """hidden (B, T, D) -> logits (B, C): the tanh pooler of [CLS], then the classifier."""
    ### BEGIN SOLUTION
    pooled = np.tanh(hidden[:, 0] @ weights["pooler.weight"].T + weights["pooler.bias"])    # (B, D)
    return pooled @ weights["classifier.weight"].T + weights["classifier.bias"]             # (B, C)
    ### END SOLUTION


# %% nb="tests classifier-visible 2"
check.classifier_logits(classifier_logits, points=2)

# %% nb="tests classifier-hidden 2"
# After you hand in, more inputs are tried here. There is nothing to write.
### BEGIN HIDDEN TESTS
check.classifier_logits(classifier_logits, seed=2506, hidden=True)
### END HIDDEN TESTS

# %% [markdown] nb="read choice-text"
# ## 2 · Which of four endings?
# **3 points · 15 minutes · ●●○**
#
# In SWAG a beginning has four endings, and one of them makes sense. BERT reads **each option in a sequence of its own**,
# `[CLS] beginning [SEP] ending [SEP]`, and the head gives each sequence **one** number. The options of one example are
# then compared with each other.
#
# | | shape | |
# | --- | --- | --- |
# | `hidden` | (B·C, T, D) | B examples with C options each; an example's options are neighbours |
# | `weights` | dict | as above, for one label: `classifier.weight` (1, D), `classifier.bias` (1,) |
# | `num_choices` | int | C |
# | returns | (B, C) | one score an option, no softmax |
#
# With B = 2 and C = 3, the sequences are: example 0 with options 0, 1, 2, then example 1 with options 0, 1, 2.
#
# <details><summary>Common error</summary>
# <code>reshape(C, B).T</code> has the right shape, but mixes the options of different examples.
# <code>reshape</code> fills row by row: the last axis must be the one that changes fastest, and that is the option.
# </details>
# <details><summary>Why not one sequence with all four endings?</summary>
# It would be long, and the model would have to learn what place 1 to 4 means. With one score an option, the order of
# the options cannot matter, and a model trained on four options can be asked with five.
# </details>


# %% nb="solution choice"
def choice_logits(hidden, weights, num_choices):
    """hidden (B * C, T, D), options of an example one after the other -> scores (B, C)."""
    ### BEGIN SOLUTION
    return classifier_logits(hidden, weights).reshape(-1, num_choices)
    ### END SOLUTION


# %% nb="tests choice-visible 2"
check.choice_logits(choice_logits, points=2)

# %% nb="tests choice-hidden 1"
# After you hand in, more inputs are tried here. There is nothing to write.
### BEGIN HIDDEN TESTS
check.choice_logits(choice_logits, seed=8117, hidden=True)
### END HIDDEN TESTS

# %% [markdown] nb="read matthews-text"
# ## 3 · A score that cannot be fooled
# **4 points · 20 minutes · ●●○**
#
# When 95 of 100 sentences are acceptable, "acceptable" is right 95 times without reading one. Matthews' correlation,
# which GLUE takes for CoLA, gives 0 for that. Count the four kinds of answers,
#
# | | answer 1 | answer 0 |
# | --- | --- | --- |
# | **gold 1** | tp | fn |
# | **gold 0** | fp | tn |
#
# $$M = \frac{tp \cdot tn - fp \cdot fn}{\sqrt{(tp + fp)(tp + fn)(tn + fp)(tn + fn)}}$$
#
# +1 is perfect, 0 no better than chance, −1 always wrong. Where the gold labels or the answers are all the same, it is
# 0 / 0; return 0 there. `gold` and `predicted` are arrays of 0 and 1, (N,), and may be long: QQP has 400,000 examples.
# Return one number.
#
# <details><summary>Common error</summary>
# Multiplying four of NumPy's integers. They have 64 bits. Four counts of 100,000 multiply to more than fits, and
# NumPy turns over into something else, even negative, and says nothing.
# </details>
# <details><summary>When is it 0 / 0?</summary>
# When one of the four sums is 0: nobody has label 1, or nobody has label 0, in the gold labels or in the answers. A
# single count that is 0 is no problem.
# </details>


# %% nb="solution matthews"
def matthews_correlation(gold, predicted):
    """gold, predicted (N,) of 0 and 1 -> one number from -1 to 1; 0 where it is not defined."""
    ### BEGIN SOLUTION
    tp, tn = (int(((gold == label) & (predicted == label)).sum()) for label in (1, 0))
    fp, fn = (int(((gold != label) & (predicted == label)).sum()) for label in (1, 0))
    product = (tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)
    return (tp * tn - fp * fn) / math.sqrt(product) if product else 0.0
    ### END SOLUTION


# %% nb="tests matthews-visible 2"
check.matthews_correlation(matthews_correlation, points=2)

# %% nb="tests matthews-hidden 2"
# After you hand in, more inputs are tried here. There is nothing to write.
### BEGIN HIDDEN TESTS
check.matthews_correlation(matthews_correlation, seed=5031, hidden=True)
### END HIDDEN TESTS

# %% [markdown] nb="read test-matthews-text"
# ## 4 · Write a test
# **2 points · 15 minutes · ●●○**
#
# Now change sides: write the check. `test_matthews` gets a function that claims to be a
# `matthews_correlation(gold, predicted)`. It may be anybody's. Your test says nothing when all is well, and stops at an
# `assert` when it is not:
#
# `assert np.isclose(matthews_correlation(np.array([0, 1, 1]), np.array([0, 1, 1])), 1), "perfect answers"`
#
# The check hands your test right versions, which it must accept, and wrong ones, which it must catch. Some wrong ones
# come after you hand in. So choose answers on which mistakes show: what is the score of four counts that all differ,
# worked out by hand? Of answers that are worse than chance? Of a constant answer, or where only one label exists? And
# of very many examples? The line `@by_name` lets the check hand over its versions: leave it there.
#
# <details><summary>Common error</summary>
# Testing perfect answers only. Accuracy and F1 give them 1 as well.
# </details>
# <details><summary>Why not compare with <code>==</code>?</summary>
# A right version may give 0.9999999999999998 where yours gives 1. <code>np.isclose</code> allows for that.
# </details>


# %% nb="solution test-matthews"
@by_name
def test_matthews(matthews_correlation):
    """Stops at an assert where matthews_correlation(gold, predicted) is not Matthews' correlation of the two."""
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
# After you hand in, more wrong versions are tried here. There is nothing to write.
### BEGIN HIDDEN TESTS
check.test_matthews(test_matthews, hidden=True)
### END HIDDEN TESTS

# %% [markdown]
# Does it accept your own function? If nothing is printed, it does:

# %%
test_matthews(matthews_correlation)

# %% [markdown] nb="read verdicts-text"
# ## 5 · Two scores disagree
# **2 points · 15 minutes · ●●○**
#
# Two models answered the same questions. Accuracy says that the first is better, Matthews that the second is. Can that
# be? Show it: return three lists of 0 and 1, equally long and at least 20 long,
#
# - `gold`, the right labels,
# - `first`, the answers with the higher **accuracy**, by at least 0.1,
# - `second`, the answers with the higher **Matthews correlation**, by at least 0.1.
#
# <details><summary>How to write a long list</summary>
# <code>[1] * 3 + [0] * 17</code> is three ones and seventeen zeros.
# </details>


# %% nb="solution verdicts"
def opposite_verdicts():
    """(gold, first, second): by accuracy the first answers are better, by Matthews the second."""
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
# MRPC and QQP ask whether two sentences mean the same, and are scored by F₁ of label 1, "the same":
#
# $$F_1 = \frac{2 \cdot \text{right}}{\text{said} + \text{wanted}}$$
#
# with the number of ones that are right, that were said, and that are wanted. A model answers batch by batch; so
# `f1_of_batches` gets a list of batches, `(logits, labels)` each:
#
# | | shape | |
# | --- | --- | --- |
# | `logits` | (B, 2) | the larger one of a row is the answer, 0 or 1; B may differ from batch to batch |
# | `labels` | (B,) | 0 or 1; `IGNORE` for an example that only fills the batch up, and counts nowhere |
# | returns | one number | F₁ of all examples; 0.0 where it is 0 / 0 |
#
# It runs, but it has three bugs.

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
# Have it examined. What must hold of such a score, whatever the answers, and what does hold?

# %% nb="read f1-examined"
check.f1_of_batches.examine(broken_f1_of_batches)

# %% [markdown] nb="read f1-task"
# Copy the function's body into `f1_of_batches`, and mend it. Each bug is worth a point; examine `f1_of_batches` as often
# as you like.
#
# <details><summary>Common error</summary>
# Weighting the batches' scores by their size. That repairs a mean of accuracies, but not F₁: what it divides by is not
# the number of examples.
# </details>
# <details><summary>Where do examples come from that fill up?</summary>
# Several machines share a test set, and each must have as many examples as the others; or a batch has to have a fixed
# shape. If such examples are counted, a score depends on the number of machines.
# </details>


# %% nb="solution f1"
def f1_of_batches(batches):
    """batches: (logits (B, 2), labels (B,)) each. Returns F1 of label 1 over all examples that have a label."""
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
# The encoder is pretrained, the head is new: they want different learning rates. Weights are pulled towards 0 a little in
# each step (weight decay), but not biases, and not LayerNorm. And the lowest layers may stay frozen. An optimiser is
# told all that by **groups** of parameters. You sort them by their names, which look like these:

# %% nb="read groups-names"
names = check.model_names(num_layers=2)
print(*names, sep="\n")

# %% [markdown] nb="read groups-task"
# | | | |
# | --- | --- | --- |
# | `names` | list of str | the names of all parameters |
# | `encoder_rate`, `head_rate` | float | the learning rate of the encoder, and of the head |
# | `weight_decay` | float | of what decays; everything else has 0.0 |
# | `frozen_layers` | int | n: the embeddings and the layers 0 to n − 1 are in no group; 0: everything is trained |
# | returns | list of dict | `{"names": [...], "lr": rate, "weight_decay": decay}` |
#
# - The **encoder** is all names that begin with `encoder.`; all others are the **head**.
# - Not decayed are **biases** (the last part of the name is `bias`) and **LayerNorms**, weight and bias (the part before
#   the last is `norm` or ends in `_norm`).
# - The order of the groups: encoder decayed, encoder not decayed, head decayed, head not decayed. Within a group, names
#   stay in the order in which they come. Leave groups without names out.
#
# <details><summary>Common error</summary>
# <code>name.startswith("encoder.layers.1")</code> is also true for layers 10 and 11. BERT-base has both. Mind the dot.
# </details>
# <details><summary>Why do biases and LayerNorm not decay?</summary>
# Decay keeps large weights small, so that no single input counts too much. A bias multiplies no input; and the scale of a
# LayerNorm starts at 1: pulling it to 0 would switch off what it scales.
# </details>


# %% nb="solution groups"
def parameter_groups(names, encoder_rate, head_rate, weight_decay=0.01, frozen_layers=0):
    """Groups {"names", "lr", "weight_decay"}: encoder decayed, encoder not, head decayed, head not; none is empty."""
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
# After you hand in, more inputs are tried here. There is nothing to write.
### BEGIN HIDDEN TESTS
check.parameter_groups(parameter_groups, seed=6904, hidden=True)
### END HIDDEN TESTS

# %% [markdown]
# Your groups at work, in PyTorch: a small BERT with a new head, and one step of AdamW on one made-up example. The bottom
# layer is frozen.

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
# An optimiser wants the tensors themselves, not their names:

# %%
groups = parameter_groups(list(tensors), encoder_rate=2e-5, head_rate=1e-3, frozen_layers=1)
optimizer = torch.optim.AdamW([{"params": [tensors[name] for name in group["names"]], "lr": group["lr"],
                                "weight_decay": group["weight_decay"]} for group in groups])
before = {name: tensor.detach().clone() for name, tensor in tensors.items()}

# %% [markdown]
# The step. Which numbers do you expect below? Adam's first step moves every weight by its learning rate, whatever the
# size of its gradient. (Decay adds a little: the learning rate times 0.01 times the weight.)

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
# yours? Walk away from the weights in random directions, and see how much the loss increases: that is its **sharpness**.
#
# How long is a step? What is small for large weights is large for small ones. So a direction is **filter-normalised**
# first (Li et al., 2018): each **row** of a matrix gets the length (the root of the sum of squares) of the same row of
# the weights. Biases and LayerNorms, which are vectors, stay where they are: their step is 0.
#
# | | | |
# | --- | --- | --- |
# | `loss` | a function | `loss(weights)` is a number |
# | `weights` | dict | name → a matrix or a vector |
# | `directions` | list of dicts | random arrays with the same names and shapes, of any length; no row is all zeros |
# | `radius` | float | a step is `radius` times the normalised direction |
# | returns | (mean, largest) | of the increases over `loss(weights)` |
#
# From the weights, walk along each direction to **both** sides, + `radius` and − `radius`. All tensors move at once. With
# two directions there are four increases; one may be negative. The mean is called average-case sharpness, the largest
# worst-case sharpness.
#
# An example with one direction and `radius` 0.1, and a loss that is the square of the first number of `w`:
#
# | | `w` | `b` | loss | increase |
# | --- | --- | --- | --- | --- |
# | weights | `[[3, 4]]`, of length 5 | `[1]` | 9 | |
# | direction | `[[2, 0]]`, normalised `[[5, 0]]` | `[7]`, step 0 | | |
# | + 0.1 | `[[3.5, 4]]` | `[1]` | 12.25 | 3.25 |
# | − 0.1 | `[[2.5, 4]]` | `[1]` | 6.25 | −2.75 |
#
# It returns (0.25, 3.25).
#
# <details><summary>Common error</summary>
# One length for a whole matrix. A row with small weights then gets as long a step as one with large weights.
# <code>np.linalg.norm(x, axis=1, keepdims=True)</code> has a length for each row.
# </details>
# <details><summary>Why does the ruler matter?</summary>
# Where a matrix stands right before a LayerNorm, one that is ten times as large computes the same. With steps of a fixed
# length the loss would look much flatter around the larger one, and it is not.
# </details>


# %% nb="solution sharpness"
def sharpness(loss, weights, directions, radius):
    """loss: weights -> number; weights, directions: dicts of arrays. Returns (mean, largest) increase of the loss."""
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
# After you hand in, more inputs are tried here. There is nothing to write.
### BEGIN HIDDEN TESTS
check.sharpness(sharpness, seed=1712, hidden=True)
### END HIDDEN TESTS

# %% [markdown] nb="read why-rates-text"
# ## 9 · Why two learning rates?
# **2 points · 5 minutes · ●●○**
#
# With a learning rate for everything that suits the new head, fine-tuning can be worse than with a small one for the
# encoder. Say in two to four sentences what differs between encoder and head when fine-tuning begins, and what a large
# learning rate would do to the encoder in the first steps.
#
# <details><summary>Hint</summary>
# What does the head know at the first step? And where do the gradients come from that reach the encoder?
# </details>

# %% [markdown] nb="manual why-rates 2"
# The encoder already holds what pretraining learned from much text; the head is random and knows nothing. In the first
# steps the head's errors are large and arbitrary, and its gradients flow into the encoder. With a large learning rate
# they move the pretrained weights far away, and what they knew is lost before the head has learned to use it (and the few
# labels of the task cannot bring it back). A small learning rate keeps the encoder near a good place, while the head can
# move fast.
#
# **Mark scheme.** 1 point: the encoder is pretrained (holds knowledge worth keeping) while the head starts at random. 1
# point: large steps, driven by the errors of a random head or by few labels, destroy or overwrite what the encoder knows
# ("catastrophic forgetting" alone is enough if it says of what). Only "small learning rates are safer": nothing.

# %% [markdown]
# ## Your functions judge film reviews
#
# A check feeds your functions made-up numbers. Here are the hidden states of a model that has read English and learned from
# film reviews. **Your** `classifier_logits` is its head, and its verdicts should be those of the package. **Your**
# `matthews_correlation` and `f1_of_batches` score them; both read 0 and 1, and 1 is *positive*. **Your** `sharpness` tells
# how much the head's loss on these reviews increases around its weights. It gives no points and takes some seconds. Then
# put in reviews of your own, each with its label. (Where the English model cannot be had, a line says so; one that has
# learned nothing takes its place, and the two still agree.)

# %%
import minibert
from minibert.course.models.class_model import untaught
from minibert.readers.glue import TextExample

english = minibert.load("english-sentiment", instead=untaught("sst2", labels=["negative", "positive"]))
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
# You have written the heads, the score and the groups with which one encoder serves every task, and the sharpness of a
# minimum. In the package they stand in `minibert/reference/heads.py`, `metrics.py`, `groups.py` and `surface.py`;
# `minibert/finetuning/` trains them.
#
# **Before you hand in**: *Kernel > Restart Kernel and Run All Cells*. Every check should print *passed*.
#
# **Read on**: Devlin et al. (2019), [arXiv 1810.04805](https://arxiv.org/abs/1810.04805), sections 4.1 and 4.4, figure 4.
# Wang et al. (2019), [arXiv 1804.07461](https://arxiv.org/abs/1804.07461), section 3, for the tasks and their scores.
# Li et al. (2018), [arXiv 1712.09913](https://arxiv.org/abs/1712.09913), section 4 (filter-normalised directions). Hao et
# al. (2019), [arXiv 1908.05620](https://arxiv.org/abs/1908.05620), section 4 (wider optima).
