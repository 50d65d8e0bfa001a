# %% [markdown] nb="read intro"
# # Unit 11 · Small BERTs: distil, quantise, prune, replace
#
# A fine-tuned BERT is too large for a phone and too slow for a busy server. You will write the core of four ways to
# make it smaller: a loss that teaches a small model what a large one knows, weights in one byte instead of four, a mask
# that removes the smallest weights, and modules that are replaced one by one. You will also fix a linear layer that
# computes in int8, and write a test for code that removes neurons.
#
# | | exercise | points | minutes | difficulty |
# | --- | --- | --- | --- | --- |
# | 1 | `distillation_loss`: soft targets | 4 | 15 | ●●○ |
# | 2 | `quantize_int8`: one byte for each weight | 4 | 12 | ●●○ |
# | 3 | `dequantize`: and back | 2 | 3 | ●○○ |
# | 4 | `magnitude_mask`: remove the smallest weights | 4 | 12 | ●●○ |
# | 5 | `pruned_step`: keep them removed | 3 | 6 | ●●○ |
# | 6 | `replacing_rate`: how often a module is replaced | 2 | 4 | ●○○ |
# | 7 | `theseus_step`: through old and new modules | 4 | 10 | ●●● |
# | 8 | `layer_map`: which layers a student starts from | 3 | 8 | ●●○ |
# | 9 | `int8_linear`: find three bugs | 3 | 12 | ●●● |
# | 10 | `test_remove_neurons`: write a test | 2 | 8 | ●●○ |
# | 11 | Smaller, but faster? (in words) | 2 | 5 | ●○○ |
# | | total | **33** | **95** | |
#
# The finished notebook runs in 3 seconds on two cores; its last cells, which use a model, take half a minute more.
#
# {{how it works}}
#
# **Stuck?** `check.distillation_loss.hint()` shows a hint; each further call shows a stronger one, three in all. The
# other exercises have hints, too. You can do the exercises in any order.
#
# **Axes.** **N** is the number of examples or tokens, **C** of classes, **D** the size of a hidden state, **F** the number
# of neurons of a feed-forward part, **M** the number of modules or outputs.

# %% nb="read imports"
import math

import numpy as np

from minibert.course import unit11 as check
from minibert.course.checks.student_tests import by_name

import torch
from torch.nn import functional as F

# %% [markdown] nb="read distillation_loss-text"
# ## 1 · Soft targets
# **4 points · 15 minutes · ●●○**
#
# A label says only which class is right. A large model, the *teacher*, also says how probable all others are, and a small
# model, the *student*, learns more from that. Hinton et al. (2015, section 2) divide the logits of both models by a
# **temperature** T before the softmax, which makes small probabilities visible, and let the student imitate the result:
#
# $$\text{loss} = T^2 \cdot \frac{1}{N} \sum_{n=1}^{N} \sum_{c=1}^{C} p_{nc} \, (\log p_{nc} - \log q_{nc}), \qquad
# p_n = \text{softmax}(\text{teacher}_n / T), \quad q_n = \text{softmax}(\text{student}_n / T)$$
#
# The inner sum is the Kullback-Leibler divergence KL(p ‖ q). This function is written in **PyTorch**, because the student
# is trained with its gradient. The teacher is not trained: **no gradient may flow into it**, even if its logits
# require one.
#
# | | | |
# | --- | --- | --- |
# | `student`, `teacher` | (N, C), tensors of floats | logits of any magnitude; with large ones, some probabilities are 0 in a computer, and the loss must be finite all the same |
# | `temperature` | float or int, above 0 | T |
# | returns | a tensor without axes | the loss, from which `backward()` computes the student's gradient |
#
# For example, with the logits [[0, 0]] of the student, [[2, 0]] of the teacher and T = 2, p is [0.731, 0.269] and q is
# [0.5, 0.5]. The loss is 4 x 0.111 = **0.444**, its gradient for the student **[[-0.462, 0.462]]**, and for the teacher
# nothing, which the check reads as **[[0, 0]]**.
#
# The check calls your function through the next cell, which gets arrays and returns the loss and both gradients. Leave
# the cell as it is.

# %% nb="read use_distillation_loss"
def use_distillation_loss(student, teacher, temperature):
    """Call your function with tensors; return its loss, the student's gradient and the teacher's, for the check."""
    logits = [torch.from_numpy(x).requires_grad_() for x in (student, teacher)]
    loss = distillation_loss(*(x.view_as(x) for x in logits), temperature)      # computed, like those of a model
    loss.backward()
    gradients = [torch.zeros_like(x) if x.grad is None else x.grad for x in logits]
    return loss.item(), *gradients


# %% [markdown] nb="read distillation_loss-hints"
# <details><summary>Common error</summary>
# Calling <code>F.kl_div</code> with the wrong arguments. Its first one is the student's <i>logarithms</i> of probabilities, its
# second one the teacher's probabilities (or their logarithms, with <code>log_target=True</code>), and unless you ask for
# <code>reduction="batchmean"</code>, it divides by N C instead of N.
# </details>
# <details><summary>Why T²?</summary>
# The gradient of each student's logit is (q - p) / T, and q - p itself shrinks like 1 / T. With T², it has the same size
# at every temperature, so that T can be changed without changing the weight of this loss next to others.
# </details>
# <details><summary>And the labels?</summary>
# In practice, the usual cross-entropy with the labels is added, without a temperature. DistilBERT has no labels in
# pretraining: it adds the loss of masked language modelling.
# </details>


# %% nb="solution distillation_loss"
def distillation_loss(student, teacher, temperature):
    """student, teacher (N, C): logits, tensors. Returns T² times the mean KL(teacher ‖ student), a tensor."""
    ### BEGIN SOLUTION
    p = F.log_softmax(teacher.detach() / temperature, dim=-1)                   # (N, C)
    q = F.log_softmax(student / temperature, dim=-1)                            # (N, C)
    loss = (p.exp() * (p - q)).sum(dim=-1).mean()
    return temperature ** 2 * loss
    ### END SOLUTION


# %% nb="tests distillation_loss-visible 2"
check.distillation_loss(use_distillation_loss, points=2)

# %% nb="tests distillation_loss-hidden 2"
# After you hand in, this cell tries more inputs. You do not have to write anything here.
### BEGIN HIDDEN TESTS
check.distillation_loss(use_distillation_loss, seed=2203, hidden=True)
### END HIDDEN TESTS

# %% [markdown]
# Train a student with your loss: a linear layer that never sees a label, only what a teacher says about random inputs.

# %%
drawn = torch.Generator().manual_seed(0)
inputs = torch.randn(200, 8, generator=drawn)
teacher = inputs @ torch.randn(8, 3, generator=drawn)
student = torch.zeros(8, 3, requires_grad=True)
for step in range(41):
    loss = distillation_loss(inputs @ student, teacher, 4.0)
    if step % 10 == 0:
        agree = ((inputs @ student).argmax(1) == teacher.argmax(1)).float().mean()
        print(f"step {step:2d}: loss {loss.item():.2f}, the same class as the teacher: {agree:.0%}")
    gradient, = torch.autograd.grad(loss, student)
    student.data -= 0.1 * gradient

# %% [markdown] nb="read quantize_int8-text"
# ## 2 · One byte for each weight
# **4 points · 12 minutes · ●●○**
#
# A float32 weight takes four bytes. As an int8, a whole number of *steps* from -127 to 127, it takes one; in addition you
# store the **scale**, the size of a step. This is symmetric quantisation (Zafrir et al., 2019, section 2): 0 stays 0,
# and the largest absolute value becomes 127 or -127.
#
# $$\text{scale} = \frac{\max |w|}{127} \qquad \text{quantized} = \text{round}\Bigl(\frac{w}{\text{scale}}\Bigr)$$
#
# With **one scale for the whole array**, a single large weight makes all steps large, and the others are rounded
# coarsely. So there is also **one scale per channel**, for example for each row of a matrix.
#
# | | | |
# | --- | --- | --- |
# | `weights` | an array with one axis or more, float | |
# | `axis` | `None`, or an int from 0 to `weights.ndim - 1` | `None`: one scale for the whole array. Otherwise this axis numbers the channels: all weights with the same index along it share a scale, and those with another index have their own |
# | returns `quantized` | NumPy array of the same shape, dtype `int8` | rounded to the nearest whole number; halves may go either way |
# | returns `scale` | `None`: one float. Otherwise a float array with as many axes as `weights`, the same length along `axis`, and length 1 along all others | so that `quantized * scale` is right |
#
# If all weights of the array (or of a channel) are 0, its scale is **1**.
#
# For example, for the weights [[254, -1.2], [0, 1.27]]: without an axis, `quantized` is **[[127, -1], [0, 1]]** and
# `scale` **2.0**. With `axis=0`, each row is a channel: `quantized` is **[[127, -1], [0, 127]]** and `scale`
# **[[2.0], [0.01]]**.
#
# <details><summary>Common error</summary>
# <code>(weights / scale).astype(np.int8)</code>: it does not round but drops the digits after the point, so that 1.9
# becomes 1.
# </details>
# <details><summary>Another common error</summary>
# A scale of max w instead of max |w|, or of max |w| / 128. Then some quotients are above 127, and as int8 they wrap around:
# 128 becomes -128.
# </details>
# <details><summary>Why not -128?</summary>
# Without it, a weight and its negative always have opposite numbers, and no weight needs to be cut off.
# </details>


# %% nb="solution quantize_int8"
def quantize_int8(weights, axis=None):
    """weights: floats; axis: None or the axis of the channels. Returns (int8 array, scale or scales)."""
    ### BEGIN SOLUTION
    others = None if axis is None else tuple(a for a in range(weights.ndim) if a != axis)
    largest = abs(weights).max(axis=others, keepdims=axis is not None)
    scale = np.where(largest == 0, 1.0, largest / 127)
    quantized = np.round(weights / scale).astype(np.int8)
    return quantized, float(scale) if axis is None else scale
    ### END SOLUTION


# %% nb="tests quantize_int8-visible 2"
check.quantize_int8(quantize_int8, points=2)

# %% nb="tests quantize_int8-hidden 2"
# After you hand in, this cell tries more inputs. You do not have to write anything here.
### BEGIN HIDDEN TESTS
check.quantize_int8(quantize_int8, seed=2857, hidden=True)
### END HIDDEN TESTS

# %% [markdown] nb="read dequantize-text"
# ## 3 · And back
# **2 points · 3 minutes · ●○○**
#
# What the model computes with are floats again, or sums that are multiplied by the scales. Turn int8 numbers into floats.
#
# | | | |
# | --- | --- | --- |
# | `quantized` | int8 array with one axis or more | numbers of steps |
# | `scale` | float, or a float array with as many axes as `quantized` | as in exercise 2 |
# | returns | float array, the shape of `quantized` | the number of steps times the scale |
#
# For example, the numbers [127, -1] with the scale 2.0 give **[254.0, -2.0]**. The -1.2 of exercise 2 does not come
# back: it was rounded.
#
# <details><summary>Hint</summary>
# With one scale for each row, the scales have a last axis of length 1. What does NumPy do with such an axis?
# </details>


# %% nb="solution dequantize"
def dequantize(quantized, scale):
    """quantized: int8; scale: a float, or an array that broadcasts. Returns floats of the same shape."""
    ### BEGIN SOLUTION
    return quantized * np.asarray(scale)
    ### END SOLUTION


# %% nb="tests dequantize-visible 1"
check.dequantize(dequantize, points=1)

# %% nb="tests dequantize-hidden 1"
# After you hand in, this cell tries more inputs. You do not have to write anything here.
### BEGIN HIDDEN TESTS
check.dequantize(dequantize, seed=3121, hidden=True)
### END HIDDEN TESTS

# %% [markdown]
# Both functions together, on a matrix with one outlier: how far is a weight from its restored value?

# %%
invented = np.random.default_rng(0)
matrix = invented.normal(0, 0.02, (64, 64))
matrix[5, 7] = 3.0
for name, axis in (("one scale", None), ("one scale per row", 0)):
    error = abs(dequantize(*quantize_int8(matrix, axis)) - matrix)
    print(f"{name:18s}mean error {error.mean():.5f}, in row 5 {error[5].mean():.5f}")

# %% [markdown] nb="read magnitude_mask-text"
# ## 4 · Remove the smallest weights
# **4 points · 12 minutes · ●●○**
#
# Many weights are almost 0. **Magnitude pruning** (Gordon et al., 2020) removes the share of the weights with the
# smallest absolute values, in the belief that they matter least. A mask says which ones are kept.
#
# | | | |
# | --- | --- | --- |
# | `weights` | an array with one axis or more, float | compared as a whole, not row by row |
# | `share` | float, 0 to 1 | the share that is *removed* |
# | returns | NumPy array of the shape of `weights`, dtype `bool` | **True for each weight that is kept** |
#
# Exactly as many weights are removed as `share` times their number, rounded to the nearest whole number. (In the check
# this product is never close to a half.) **If absolute values are equal, those that come first are removed first**, in the
# order of `weights.ravel()`: row by row, from left to right.
#
# For example, take the weights [[0.5, -2], [-0.5, 1]]. With `share=0.25` one of the four is removed, the first of the two
# smallest: the mask is **[[False, True], [True, True]]**. With `share=0.75` it is **[[False, True], [False, False]]**.
#
# <details><summary>Common error</summary>
# Comparing with a limit, such as <code>np.quantile(abs(weights), share)</code>. If several weights equal the limit, this
# removes all of them or none.
# </details>
# <details><summary>Another common error</summary>
# <code>int(share * weights.size)</code>. On a computer 0.29 * 100 is 28.999999999999996, and <code>int</code> rounds down.
# </details>
# <details><summary>Does the matrix become smaller?</summary>
# Not by itself: zeros take as much memory and time as other numbers, unless they are stored in a sparse format and the
# hardware can skip them.
# </details>


# %% nb="solution magnitude_mask"
def magnitude_mask(weights, share):
    """weights: floats; share: how many are removed, 0 to 1. Returns a bool array, True where a weight is kept."""
    ### BEGIN SOLUTION
    order = np.argsort(abs(weights).ravel(), kind="stable")
    mask = np.ones(weights.size, dtype=bool)
    mask[order[:round(share * weights.size)]] = False
    return mask.reshape(weights.shape)
    ### END SOLUTION


# %% nb="tests magnitude_mask-visible 2"
check.magnitude_mask(magnitude_mask, points=2)

# %% nb="tests magnitude_mask-hidden 2"
# After you hand in, this cell tries more inputs. You do not have to write anything here.
### BEGIN HIDDEN TESTS
check.magnitude_mask(magnitude_mask, seed=3643, hidden=True)
### END HIDDEN TESTS

# %% [markdown] nb="read pruned_step-text"
# ## 5 · Keep them removed
# **3 points · 6 minutes · ●●○**
#
# After pruning, the remaining weights are trained further to recover. A step of gradient descent knows nothing of the
# mask: the gradient of a removed weight is not 0, and the *velocity* (momentum) still contains gradients from the time
# before the weight was removed. So **the mask is applied again after each step**. Write such a step:
#
# $$\text{velocity}' = \text{momentum} \cdot \text{velocity} + \text{gradient} \qquad
# \text{weights}' = (\text{weights} - \text{learning rate} \cdot \text{velocity}') \cdot \text{mask}$$
#
# | | | |
# | --- | --- | --- |
# | `weights`, `gradient`, `velocity` | float arrays of the same shape | in the first step after pruning, removed weights need not be 0 yet |
# | `mask` | bool array of this shape | True for each weight that is kept |
# | `learning_rate`, `momentum` | float | |
# | returns | (weights', velocity') | two new arrays; the velocity is **not** masked |
#
# For example, with the weights [1, 0], gradient [1, 1], velocity [1, 1], mask [True, False], a learning rate of 0.1 and a
# momentum of 0.5, the new weights are **[0.85, 0]** and the new velocity is **[1.5, 1.5]**.
#
# <details><summary>Common error</summary>
# Masking only the gradient. The old velocity still moves the removed weights.
# </details>


# %% nb="solution pruned_step"
def pruned_step(weights, gradient, velocity, mask, learning_rate, momentum):
    """A step of gradient descent with momentum, after which removed weights are 0. Returns (weights, velocity)."""
    ### BEGIN SOLUTION
    velocity = momentum * velocity + gradient
    return (weights - learning_rate * velocity) * mask, velocity
    ### END SOLUTION


# %% nb="tests pruned_step-visible 2"
check.pruned_step(pruned_step, points=2)

# %% nb="tests pruned_step-hidden 1"
# After you hand in, this cell tries more inputs. You do not have to write anything here.
### BEGIN HIDDEN TESTS
check.pruned_step(pruned_step, seed=4073, hidden=True)
### END HIDDEN TESTS

# %% [markdown]
# Remove 90% of the weights of a linear regression of which only 10% matter, and train the others further.

# %%
features, truth = invented.normal(size=(300, 50)), np.where(np.arange(50) % 10, 0, invented.uniform(1, 3, 50))
weights, velocity = truth + invented.normal(0, 0.2, 50), np.zeros(50)
mask = magnitude_mask(weights, 0.9)
for step in range(61):
    error = features @ (weights - truth)
    if step % 20 == 0:
        print(f"step {step:2d}: error {np.mean(error ** 2):.4f}, {np.count_nonzero(weights)} weights are not 0")
    weights, velocity = pruned_step(weights, features.T @ error / 300, velocity, mask, 0.1, 0.5)

# %% [markdown] nb="read replacing_rate-text"
# ## 6 · How often a module is replaced
# **2 points · 4 minutes · ●○○**
#
# *BERT of Theseus* (Xu et al., 2020) is named after a ship whose planks were replaced one by one. Each *module* of BERT,
# here two layers, gets a smaller successor of one layer. In training, each module is replaced at random by its successor,
# and the **replacing rate**, the probability of this, grows (section 3.3): first the new modules learn next to old ones
# that work, at the end they work alone.
#
# The replacing rate grows linearly from `start` at step 0 to 1 at step `steps`, and stays 1 from then on.
#
# | | | |
# | --- | --- | --- |
# | `step` | int, or an array (n,) of int | 0 or more, possibly above `steps`; in an array, each step has its own rate |
# | `steps` | int | 1 or more |
# | `start` | float, 0 to 1 | the rate at step 0 |
# | returns | float, or an array (n,) | the rate or rates |
#
# For example, `replacing_rate(5, 10, 0.5)` is **0.75**, and `replacing_rate(23, 10, 0.5)` is **1**.
#
# <details><summary>Common error</summary>
# <code>min(1, ...)</code>, which cannot compare an array with 1. <code>np.minimum</code> can, and it works for single
# numbers, too.
# </details>


# %% nb="solution replacing_rate"
def replacing_rate(step, steps, start):
    """step: int or (n,) int, from 0; the rate grows from start to 1 within `steps` steps. Returns float or (n,)."""
    ### BEGIN SOLUTION
    return np.minimum(1.0, start + (1 - start) * step / steps)
    ### END SOLUTION


# %% nb="tests replacing_rate-visible 1"
check.replacing_rate(replacing_rate, points=1)

# %% nb="tests replacing_rate-hidden 1"
# After you hand in, this cell tries more inputs. You do not have to write anything here.
### BEGIN HIDDEN TESTS
check.replacing_rate(replacing_rate, seed=4591, hidden=True)
### END HIDDEN TESTS

# %% [markdown] nb="read theseus_step-text"
# ## 7 · Through old and new modules
# **4 points · 10 minutes · ●●●**
#
# Now the hidden states go through all M modules (Xu et al., 2020, section 3.1). For each module, one random number decides
# whether the old module or its successor runs; the output is the input of the next module, whichever runs there. So an
# old module may follow a new one, and every new module learns to fit into the whole.
#
# | | | |
# | --- | --- | --- |
# | `hidden` | (N, D), float | the hidden states of all N tokens of a batch |
# | `old` | (M, 2, D, D), float | `old[m]` has the two layers of module m (or another number of layers, the same in all modules) |
# | `new` | (M, 1, D, D), float | `new[m]` has the one layer of its successor (or another number) |
# | `rate` | float, 0 to 1 | the replacing rate |
# | `rng` | a NumPy generator | **for each module, in order, draw one number from 0 to 1 with `rng.random()`**; if it is below `rate`, the new module runs |
# | returns | (N, D), float | the output of the last module |
#
# One number decides for the whole batch. The next cell defines what a module does with its input. Leave it as it is.
#
# For example, with M = 3, `rate=0.6` and a generator whose next numbers are 0.7, 0.2 and 0.5, `old[0]`, `new[1]` and
# `new[2]` run, in this order.

# %% nb="read run_part"
def run_part(hidden, layers):
    """hidden (N, D), layers (any number, D, D). Returns (N, D). A toy: real layers have attention."""
    for weights in layers:
        hidden = hidden + np.tanh(hidden @ weights)                             # (N, D)
    return hidden


# %% [markdown] nb="read theseus_step-hints"
# <details><summary>Common error</summary>
# Drawing one number before the loop. Then either all modules are new or none is, and old and new ones never work
# together.
# </details>
# <details><summary>Why not mix the two outputs?</summary>
# With rate x new + (1 - rate) x old, the new module could stay bad as long as the old one repairs its errors. It must
# work alone, as it will at the end.
# </details>


# %% nb="solution theseus_step"
def theseus_step(hidden, old, new, rate, rng):
    """hidden (N, D); old, new: M modules each; rate: the probability of a new one. Returns (N, D)."""
    ### BEGIN SOLUTION
    for before, after in zip(old, new):
        hidden = run_part(hidden, after if rng.random() < rate else before)
    return hidden
    ### END SOLUTION


# %% nb="tests theseus_step-visible 2"
check.theseus_step(theseus_step, points=2)

# %% nb="tests theseus_step-hidden 2"
# After you hand in, this cell tries more inputs. You do not have to write anything here.
### BEGIN HIDDEN TESTS
check.theseus_step(theseus_step, seed=5113, hidden=True)
### END HIDDEN TESTS

# %% [markdown] nb="read layer_map-text"
# ## 8 · Which layers a student starts from
# **3 points · 8 minutes · ●●○**
#
# A student with fewer layers is not trained from scratch: each of its S layers starts as a copy of one of the teacher's T
# layers. Which ones? Here are four answers. Layers are numbered **from 0**, the one next to the embeddings, to T - 1.
#
# | `how` | student's layer i, for i from 0 to S - 1, is the teacher's layer |
# | --- | --- |
# | `"bottom"` | i: the lowest S layers |
# | `"top"` | T - S + i: the highest S layers |
# | `"every"` | (i + 1) T / S rounded **down**, minus 1: the last layer of each of S parts, as TinyBERT (Jiao et al., 2020, section 3.2) |
# | `"skip"` | i (T - 1) / (S - 1) **rounded to the nearest** number, where a half is rounded **up**: spread from the first to the last layer, as in DistilBERT's code (Sanh et al., 2019). If S = 1, this is layer 0 |
#
# | | | |
# | --- | --- | --- |
# | `teacher_layers`, `student_layers` | int | T and S, with 1 ≤ S ≤ T |
# | `how` | str | one of the four |
# | returns | list of S ints | in ascending order |
#
# For example, with T = 12 and S = 5:
#
# | `"bottom"` | `"top"` | `"every"` | `"skip"` |
# | --- | --- | --- | --- |
# | [0, 1, 2, 3, 4] | [7, 8, 9, 10, 11] | [1, 3, 6, 8, 11] | [0, 3, 6, 8, 11] |
#
# In the last one, layer 1 is at 2.75 and layer 2 at 5.5, which is rounded up.
#
# <details><summary>Common error</summary>
# <code>round(2.5)</code> is 2 in Python: it rounds halves to the even number.
# </details>
# <details><summary>Which is best?</summary>
# It depends on the task and on how long the student is trained. The lesson compares them.
# </details>


# %% nb="solution layer_map"
def layer_map(teacher_layers, student_layers, how):
    """how: "bottom", "top", "every" or "skip". Returns the numbers of the teacher's layers, a list of int."""
    ### BEGIN SOLUTION
    T, S = teacher_layers, student_layers
    if how == "bottom":
        return list(range(S))
    if how == "top":
        return list(range(T - S, T))
    if how == "every":
        return [(i + 1) * T // S - 1 for i in range(S)]
    return [int(i * (T - 1) / max(S - 1, 1) + 0.5) for i in range(S)]
    ### END SOLUTION


# %% nb="tests layer_map-visible 2"
check.layer_map(layer_map, points=2)

# %% nb="tests layer_map-hidden 1"
# After you hand in, this cell tries more inputs. You do not have to write anything here.
### BEGIN HIDDEN TESTS
check.layer_map(layer_map, seed=5659, hidden=True)
### END HIDDEN TESTS

# %% [markdown] nb="read int8_linear-text"
# ## 9 · Find three bugs
# **3 points · 12 minutes · ●●●**
#
# Storing weights as int8 saves memory. To save time, the *products* must be computed in int8, too, so the hidden states
# are quantised while the model runs (*dynamic quantisation*; Zafrir et al., 2019, section 2):
#
# 1. each **token** has its own scale, the largest absolute value of its hidden state over 127, and each **row of the
#    weights** as well
# 2. both are divided by their scales and rounded to int8
# 3. the int8 numbers are multiplied and added up **in int32**
# 4. the sums are multiplied by both scales, and the bias, which is not quantised, is added
#
# | | | |
# | --- | --- | --- |
# | `hidden` | (N, D), float | no token has only zeros |
# | `weights`, `bias` | (M, D) and (M,), float | as in PyTorch's linear layer; no row of `weights` has only zeros |
# | returns | (N, M), float | approximately `hidden @ weights.T + bias` |
#
# Exactly what the four steps give is asked for. (A D above 100,000, for which int32 would be too small, does not occur,
# and no number is close to halfway between two steps.)
#
# The function runs, and for small numbers its results look plausible. It has three bugs.

# %% nb="read broken-int8_linear"
def broken_int8_linear(hidden, weights, bias):
    token_scale = abs(hidden).max() / 127
    channel_scale = abs(weights).max(axis=1) / 127                              # (M,)
    h = np.round(hidden / token_scale).astype(np.int8)                          # (N, D)
    w = np.round(weights / channel_scale[:, None]).astype(np.int8)              # (M, D)
    sums = h @ w.T                                                              # (N, M)
    return (sums + bias) * token_scale * channel_scale


# %% [markdown] nb="read int8_linear-examine"
# Examine it. Which properties should such a layer have, and which of them does this one have?

# %% nb="read int8_linear-examined"
check.int8_linear.examine(broken_int8_linear)

# %% [markdown] nb="read int8_linear-mend"
# Copy the function's body into `int8_linear`, and fix it. You can examine `int8_linear` as often as you like.
# {{each bug}}
#
# <details><summary>Common error</summary>
# <code>(h @ w.T).astype(np.int32)</code>. The product of two int8 arrays is int8, and has already overflowed before it is
# converted.
# </details>
# <details><summary>Why does each token get its own scale?</summary>
# With one scale for the batch, the result for a token depends on the tokens that happen to be in its batch.
# </details>


# %% nb="solution int8_linear"
def int8_linear(hidden, weights, bias):
    """hidden (N, D), weights (M, D), bias (M,). Returns (N, M), computed from int8 products."""
    ### BEGIN SOLUTION
    token_scale = abs(hidden).max(axis=1, keepdims=True) / 127                  # (N, 1)
    channel_scale = abs(weights).max(axis=1) / 127                              # (M,)
    h = np.round(hidden / token_scale).astype(np.int8)                          # (N, D)
    w = np.round(weights / channel_scale[:, None]).astype(np.int8)              # (M, D)
    sums = h.astype(np.int32) @ w.T.astype(np.int32)                            # (N, M)
    return sums * token_scale * channel_scale + bias
    ### END SOLUTION


# %% nb="tests int8_linear-1 1"
check.int8_linear.bug(1)(int8_linear)
### BEGIN HIDDEN TESTS
check.int8_linear.bug(1)(int8_linear, seed=6089, hidden=True)
### END HIDDEN TESTS

# %% nb="tests int8_linear-2 1"
check.int8_linear.bug(2)(int8_linear)
### BEGIN HIDDEN TESTS
check.int8_linear.bug(2)(int8_linear, seed=6607, hidden=True)
### END HIDDEN TESTS

# %% nb="tests int8_linear-3 1"
check.int8_linear.bug(3)(int8_linear)
### BEGIN HIDDEN TESTS
check.int8_linear.bug(3)(int8_linear, seed=7057, hidden=True)
### END HIDDEN TESTS

# %% [markdown] nb="read test-text"
# ## 10 · Write a test
# **2 points · 8 minutes · ●●○**
#
# To make a model faster on any hardware, whole neurons of its feed-forward parts are removed, and the matrices become
# smaller. A function `remove_neurons(up, bias, down, kept)` does this:
#
# | | | |
# | --- | --- | --- |
# | `up`, `bias` | (F, D) and (F,), float arrays | the weights and the bias of the first linear layer: a row and a number for each of F neurons |
# | `down` | (D, F), float array | the weights of the second linear layer: a column for each neuron |
# | `kept` | (F,), bool array | True for each neuron that is kept |
# | returns | three arrays | `up`, `bias` and `down` with only the K neurons that are kept, in the same order: (K, D), (K,) and (D, K) |
#
# It does not change its arguments, nor any number. For example, with `up` [[1], [2], [3]], `bias` [4, 5, 6], `down` [[7, 8,
# 9]] and `kept` [True, False, True], it returns [[1], [3]], [4, 6] and [[7, 9]].
#
# You do not write `remove_neurons`, but a test for it: `test_remove_neurons` gets a function that claims to be
# `remove_neurons`. If the function is right, the test does nothing; if it is wrong, the test fails at an `assert`:
#
# `assert len(bias) == 2, "two neurons are kept"`
#
# The check gives your test right versions, which it must accept, and wrong ones, which it must catch. Some of the wrong
# ones are tried only after you hand in. Keep the line `@by_name`: the check needs it to pass its versions to your test.
#
# <details><summary>Common error</summary>
# Keeping the first neurons, as in <code>kept = [True, True, False]</code>. A version that always takes the first rows is
# right then.
# </details>
# <details><summary>Another common error</summary>
# Comparing only shapes.
# </details>


# %% nb="solution test"
@by_name
def test_remove_neurons(remove_neurons):
    """Fail at an assert unless remove_neurons(up, bias, down, kept) does what is described above."""
    ### BEGIN SOLUTION
    rng = np.random.default_rng(0)
    up, bias, down = rng.normal(size=(5, 3)), rng.normal(size=5), rng.normal(size=(3, 5))
    kept = np.array([False, True, False, True, True])
    before = up.copy(), bias.copy(), down.copy()
    smaller = remove_neurons(up, bias, down, kept)
    for got, right in zip(smaller, (before[0][kept], before[1][kept], before[2][:, kept])):
        assert np.array_equal(got, right), "the rows, numbers and columns of neurons 1, 3 and 4"
    assert all(map(np.array_equal, (up, bias, down), before)), "the arguments have changed"
    ### END SOLUTION


# %% nb="tests test-visible 1"
check.test_remove_neurons(test_remove_neurons, points=1)

# %% nb="tests test-hidden 1"
# After you hand in, this cell tries more wrong versions. You do not have to write anything here.
### BEGIN HIDDEN TESTS
check.test_remove_neurons(test_remove_neurons, hidden=True)
### END HIDDEN TESTS

# %% [markdown] nb="read why-text"
# ## 11 · Smaller, but faster?
# **2 points · 5 minutes · ●○○**
#
# A colleague removes 90% of a BERT's weights with `magnitude_mask`. The accuracy falls by only one point. But the file on
# disk is as large as before, and an answer takes as long as before. Explain in two or three sentences: why? And what could
# your colleague remove instead, so that an answer takes less time on any hardware?
#
# <details><summary>Hint</summary>
# What does a matrix product do with a weight that is 0?
# </details>

# %% [markdown] nb="manual why 2"
# The matrices have the same shapes as before: the zeros are stored like other numbers, and a matrix product multiplies
# them, too. Only a sparse format makes the file smaller, and only special hardware or software skips the products with 0.
# Removing whole structures makes the matrices themselves smaller: attention heads, neurons of the feed-forward parts, or
# layers, with some further training. (A smaller student, too, is faster.)
#
# **Mark scheme.** 1 point: zeros are stored and multiplied like other numbers, so that neither size nor time changes. 1
# point: whole structures (heads, neurons, layers), or a smaller dense model. "Remove more weights" gets no point; nor
# does "use int8" alone, which is not faster on all hardware.

# %% [markdown] nb="read try-text"
# ## Your functions and a model that knows English
#
# The course has a model of 6 layers that says whether an English sentence is positive or negative. Make it smaller with
# your functions, without any further training. There are no points for this. (The model is loaded first, which takes up
# to a minute.) Think first: which will hurt more, a quarter of the bytes or half of the weights?

# %%
import minibert
from minibert.course.models.class_model import untrained_model
from minibert.model import Encoder
from minibert.readers.glue import TextExample

sentiment = minibert.load("english-sentiment", instead=untrained_model("sst2", labels=["negative", "positive"]))
things = ("film", "plot", "acting", "music", "ending", "script")
kinds = {"positive": ("a delight", "moving and funny", "never boring", "far better than I feared"),
         "negative": ("a mess", "slow and empty", "not worth a cent", "no fun at all")}
texts = [TextExample(f"The {thing} was {kind}.", None, label, "", 0) for thing in things
         for label, some in kinds.items() for kind in some]
gold = np.array([text.label for text in texts])


def changed(change, *options):
    """Return the encoder with change(matrix, *options) instead of each matrix of its layers."""
    encoder = Encoder(sentiment.config).eval()
    new = dict(encoder.named_modules())
    for name, module in sentiment.model.encoder.named_modules():
        for part in ("weight", "bias"):
            value = getattr(module, part, None)
            if name in new and value is not None:
                value = value.detach().numpy()
                if value.ndim == 2 and name.startswith("layers"):
                    value = change(value, *options)
                getattr(new[name], part).data = torch.tensor(value, dtype=torch.float32)
    return encoder


def right(encoder):
    answers = sentiment.task.answer(sentiment.model.with_part("encoder", encoder).eval(), texts)
    return f"{np.mean(np.array(answers) == gold):.0%} of {len(texts)} sentences right"


def in_int8(matrix, axis):
    return dequantize(*quantize_int8(matrix, axis))


def pruned(matrix, share):
    return matrix * magnitude_mask(matrix, share)


print("as it is:", right(changed(np.array)))
for name, axis in (("int8, one scale per matrix", None), ("int8, one scale per row", 0)):
    print(f"{name}:", right(changed(in_int8, axis)))
for share in (0.2, 0.4, 0.6, 0.8):
    print(f"{share:.0%} of the weights removed:", right(changed(pruned, share)))

# %% [markdown]
# And with only three of its six layers, chosen by your `layer_map`? A student that starts like this must be trained, for
# example with your `distillation_loss`.

# %%
L = len(changed(np.array).layers)
for how in ("bottom", "top", "every", "skip"):
    numbers = layer_map(L, (L + 1) // 2, how)
    shorter = changed(np.array)
    shorter.layers = torch.nn.ModuleList([shorter.layers[n] for n in numbers])
    print(f"{how:6s} {numbers}:", right(shorter))

# %% [markdown] nb="read end"
# ## Done
#
# You have the core of four ways to a small BERT. In the package they are in `minibert/finetuning/compression/`; the lesson
# compares what each of them costs and gains.
#
# **Before you hand in**: restart the kernel and run all cells, or let `minibert doctor` check your notebook.
#
# **Further reading**: Hinton et al. (2015), *Distilling the knowledge in a neural network*, [arXiv
# 1503.02531](https://arxiv.org/abs/1503.02531), section 2. Sanh et al. (2019), *DistilBERT*, [arXiv
# 1910.01108](https://arxiv.org/abs/1910.01108). Jiao et al. (2020), *TinyBERT*, [arXiv
# 1909.10351](https://arxiv.org/abs/1909.10351), section 3. Zafrir et al. (2019), *Q8BERT*, [arXiv
# 1910.06188](https://arxiv.org/abs/1910.06188), section 2. Gordon et al. (2020), *Compressing BERT: studying the effects
# of weight pruning on transfer learning*, [arXiv 2002.08307](https://arxiv.org/abs/2002.08307). Xu et al. (2020),
# *BERT-of-Theseus*, [arXiv 2002.02925](https://arxiv.org/abs/2002.02925), section 3.
