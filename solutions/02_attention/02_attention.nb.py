# %% [markdown] nb="read intro"
# # Unit 02 · Attention: build one encoder layer
#
# You will write the Transformer's encoder layer, the block that BERT stacks 12 or 24 times. It takes seven short
# functions, each a few lines of NumPy. Then you will count BERT's parameters (about 110 million), find the bugs in
# another layer, and write a test.
#
# | | exercise | points | minutes | difficulty |
# | --- | --- | --- | --- | --- |
# | 1 | `softmax` | 3 | 10 | ●○○ |
# | 2 | `attention` | 5 | 20 | ●●○ |
# | 3 | Why divide? (in words) | 2 | 5 | ●●○ |
# | 4 | `split_heads` | 2 | 10 | ●○○ |
# | 5 | `multi_head_attention` | 5 | 25 | ●●● |
# | 6 | `positional_encoding` | 3 | 15 | ●●○ |
# | 7 | `layer_norm` | 3 | 10 | ●○○ |
# | 8 | `encoder_layer` | 4 | 15 | ●●○ |
# | 9 | `count_parameters` | 3 | 20 | ●●○ |
# | 10 | Find three bugs | 3 | 20 | ●●○ |
# | 11 | Write a test | 2 | 15 | ●●○ |
# | | total | **35** | **165** | |
#
# The finished notebook runs in 3 seconds on two cores. Its last cell, which uses a model, takes a few more.
#
# {{how it works}}
#
# **Stuck?** Each exercise has folded hints; open them one by one. For three more hints, run `check.softmax.hint()` in a
# new cell: it shows one each time. The other exercises have hints of the same kind. An earlier function that is not
# right yet does not block you: if a later check fails because of it, the check uses our version instead and says so.
#
# The letters in the comments are axes: **B** sequences in a batch, **T** tokens (queries), **S** keys, **H** heads,
# **K** size of a head, **D** hidden size (H times K), **F** feed-forward size.

# %% nb="read imports"
import math

import numpy as np

from minibert.course import unit02 as check
from minibert.course.checks.student_tests import by_name
from minibert.reference.encoder import gelu, sub

# %% [markdown] nb="read softmax-text"
# ## 1 · Softmax
# **3 points · 10 minutes · ●○○**
#
# In attention, a token gives a score to every token, which can be any number. The softmax turns the scores into
# probabilities: none is negative, and they sum to 1.
#
# $$\operatorname{softmax}(x)_s = \frac{e^{x_s}}{\sum_j e^{x_j}}$$
#
# Write it for arrays of any shape. The probabilities sum to 1 along `axis`, and the result has the shape of `x`. Large
# scores must work too, although `np.exp(1000)` is `inf`.
#
# <details><summary>Hint</summary>
# Take three steps along <code>axis</code>: subtract the maximum, take the exponential, divide by the sum. With
# <code>keepdims=True</code>, the maximum and the sum keep their axis, so that they line up with x.
# </details>
# <details><summary>Common error</summary>
# Taking the maximum or the sum of the whole array. Each row needs its own: pass <code>axis=axis</code> to both.
# </details>
# <details><summary>Why may we subtract the maximum?</summary>
# The numerator and the denominator have the same factor, exp(-maximum), which cancels. And then no exponent is larger
# than 0, so nothing can overflow.
# </details>


# %% nb="solution softmax"
def softmax(x, axis=-1):
    """Return the softmax of the scores x (any shape) along `axis`, in the same shape."""
    ### BEGIN SOLUTION
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
    ### END SOLUTION


# %% nb="tests softmax-visible 2"
check.softmax(softmax, points=2)

# %% nb="tests softmax-hidden 1"
# After you hand in, this cell tries more inputs. You do not have to write anything here.
### BEGIN HIDDEN TESTS
check.softmax(softmax, seed=4021, hidden=True)
### END HIDDEN TESTS

# %% [markdown] nb="read attention-text"
# ## 2 · Scaled dot-product attention
# **5 points · 20 minutes · ●●○**
#
# Each query is compared with all keys, and the softmax of these scores gives the weights of an average over the values:
#
# $$\operatorname{attention}(q, k, v) = \operatorname{softmax}\!\left(\frac{q\,k^\top}{\sqrt{K}}\right) v$$
#
# | | shape | |
# | --- | --- | --- |
# | `q` | (..., T, K) | one row per query |
# | `k`, `v` | (..., S, K) | one row per key, and one row for its value |
# | `visible` | (..., T, S), bool, or `None` | the attention mask. True: this query may attend to this key; `None`: to all keys |
# | returns `context` | (..., T, K) | the weighted average of the values |
# | returns `probs` | (..., T, S) | the probabilities; each row sums to 1 |
#
# The dots mean any number of leading axes: none, a batch, or a batch and heads. `visible` may also have a smaller
# shape, such as (B, 1, S); NumPy's broadcasting does the rest. A masked key must get the probability 0. A query without
# any visible key must not give `nan`.
#
# <details><summary>Hint</summary>
# You need four lines: the scores, <code>np.where</code> for the mask, your softmax, and the average <code>probs @
# v</code>. To swap only the last two axes, use <code>swapaxes(-2, -1)</code>.
# </details>
# <details><summary>Common error</summary>
# Giving a masked key the score 0. Since exp(0) = 1, it still gets some probability. It needs a score so low that its
# exponential is 0: <code>np.finfo(scores.dtype).min</code> is the lowest number of a dtype.
# </details>
# <details><summary>Why not minus infinity?</summary>
# For a query without any visible key, all scores would be minus infinity. Your softmax subtracts their maximum,
# and infinity minus infinity is nan. With the lowest finite number, all keys get equal probabilities: useless,
# but harmless.
# </details>


# %% nb="solution attention"
def attention(q, k, v, visible=None):
    """q (..., T, K), k and v (..., S, K), visible (..., T, S) bool or None. Return (context, probs)."""
    ### BEGIN SOLUTION
    scores = q @ k.swapaxes(-2, -1) / math.sqrt(q.shape[-1])    # (..., T, S)
    if visible is not None:
        scores = np.where(visible, scores, np.finfo(scores.dtype).min)
    probs = softmax(scores, axis=-1)                            # (..., T, S)
    return probs @ v, probs
    ### END SOLUTION


# %% nb="tests attention-visible 3"
check.attention(attention, points=3)

# %% nb="tests attention-hidden 2"
# After you hand in, this cell tries more inputs. You do not have to write anything here.
### BEGIN HIDDEN TESTS
check.attention(attention, seed=1733, hidden=True)
### END HIDDEN TESTS

# %% [markdown] nb="read why-scale-text"
# ## 3 · Why divide?
# **2 points · 5 minutes · ●●○**
#
# Explain in two or three sentences: why are the scores divided by $\sqrt{K}$, and not by $K$, or not at all? With K =
# 64 and no division, what would happen to the probabilities, and to training?
#
# <details><summary>Hint</summary>
# Suppose that the numbers in q and k are independent, with mean 0 and variance 1. What is the variance of a sum of
# K products?
# </details>

# %% [markdown] nb="manual why-scale 2"
# A score is a sum of K products. If the entries of q and k are independent with mean 0 and variance 1, the sum has
# variance K, so its standard deviation is sqrt(K): 8 for K = 64. Without the division, the softmax of such scores gives
# almost all the probability to one key, and its gradient is nearly 0, so the layer learns slowly or not at all. Divided
# by sqrt(K), the scores have variance 1 whatever K is; divided by K, they would shrink towards 0 for large K, and all
# keys would get nearly equal probabilities.
#
# **Mark scheme.** 1 point: the standard deviation of the scores grows like sqrt(K) (or: the variance like K), and the
# division compensates for it. 1 point: without it the softmax saturates (nearly one-hot), so gradients vanish. Give
# half a point for "numbers get too large" alone.

# %% [markdown] nb="read split_heads-text"
# ## 4 · Split into heads
# **2 points · 10 minutes · ●○○**
#
# Several small attention heads, side by side, can look for different things. So the D columns of `x` are divided among
# H heads: head 0 gets the first K = D / H columns, head 1 the next K, and so on.
#
# Turn `x` (B, T, D) into (B, H, T, K). Then each head has its own matrix (T, K), and your `attention` can process all
# heads together.
#
# <details><summary>Hint</summary>
# Take two steps: a reshape that splits the last axis D into (H, K), then a swap of two axes.
# </details>
# <details><summary>Common error</summary>
# Reshaping directly to (B, H, T, K). The shape is right, but the numbers are wrong: a reshape never moves a number, it
# only divides the same sequence of numbers differently, so one "head" would hold parts of different tokens.
# </details>
# <details><summary>Why neighbouring columns?</summary>
# Any fixed choice would work as well, since the weights are learned. But existing weights, such as those of the
# published BERT, were trained with this one.
# </details>


# %% nb="solution split_heads"
def split_heads(x, num_heads):
    """Reshape (B, T, D) to (B, H, T, K), with K = D / H neighbouring columns for each head."""
    ### BEGIN SOLUTION
    B, T, D = x.shape
    return x.reshape(B, T, num_heads, D // num_heads).swapaxes(1, 2)
    ### END SOLUTION


# %% nb="tests split_heads-visible 1"
check.split_heads(split_heads, points=1)

# %% nb="tests split_heads-hidden 1"
# After you hand in, this cell tries more inputs. You do not have to write anything here.
### BEGIN HIDDEN TESTS
check.split_heads(split_heads, seed=8128, hidden=True)
### END HIDDEN TESTS

# %% [markdown] nb="read multi_head_attention-text"
# ## 5 · Multi-head attention
# **5 points · 25 minutes · ●●●**
#
# Now put the parts together. Project the tokens `x` (B, T, D) to queries, keys and values; apply attention in each
# head; concatenate the heads; and project once more.
#
# The weights are in a dictionary; the next cell shows one. As in PyTorch, a matrix is stored as (out, in), so a
# projection is $x\,W^\top + b$.
#
# 1. project `x` three times: `query`, `key`, `value`, each (B, T, D)
# 2. split each into heads: (B, H, T, K)
# 3. apply attention to all heads together. `visible` is (B, T, T), the same for all heads, so it needs a head axis
# 4. concatenate the heads: back to (B, T, D), with the heads side by side
# 5. project with `out`
#
# Return the output (B, T, D) and the probabilities (B, H, T, T).

# %% nb="read weights"
weights = check.attention_weights(np.random.default_rng(0), hidden_size=12)
{name: weight.shape for name, weight in weights.items()}

# %% [markdown] nb="read multi_head_attention-hints"
# <details><summary>Hint</summary>
# <code>weights["query.weight"].T</code> is the transposed matrix. <code>visible[:, None]</code> adds a head axis: its
# shape is (B, 1, T, T). Note that <code>visible</code> may be <code>None</code>.
# </details>
# <details><summary>Common error</summary>
# Concatenating the heads with a reshape only. Undo the split in reverse order: first swap the axes to (B, T, H, K),
# then reshape to (B, T, D).
# </details>
# <details><summary>Why the last projection?</summary>
# Concatenation only puts the heads side by side: columns 0 to K - 1 depend on head 0 alone. The matrix <code>out</code>
# mixes the results of all heads.
# </details>


# %% nb="solution multi_head_attention"
def multi_head_attention(x, weights, num_heads, visible=None):
    """x (B, T, D), visible (B, T, T) bool or None. Return (output (B, T, D), probs (B, H, T, T))."""
    ### BEGIN SOLUTION
    def project(x, name):
        return x @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    q, k, v = (split_heads(project(x, name), num_heads) for name in ("query", "key", "value"))  # (B, H, T, K)
    context, probs = attention(q, k, v, None if visible is None else visible[:, None])
    joined = context.swapaxes(1, 2).reshape(x.shape)                                            # (B, T, D)
    return project(joined, "out"), probs
    ### END SOLUTION


# %% nb="tests multi_head_attention-visible 3"
check.multi_head_attention(multi_head_attention, points=3)

# %% nb="tests multi_head_attention-hidden 2"
# After you hand in, this cell tries more inputs. You do not have to write anything here.
### BEGIN HIDDEN TESTS
check.multi_head_attention(multi_head_attention, seed=6174, hidden=True)
### END HIDDEN TESTS

# %% [markdown] nb="read positional_encoding-text"
# ## 6 · Positions
# **3 points · 15 minutes · ●●○**
#
# Attention does not know the order of its tokens: if you shuffle them, the outputs are shuffled in the same way (the
# check above tested this). So each position t gets its own vector, which is added to the token's vector. The
# Transformer builds it from waves, from fast to slow:
#
# $$\mathrm{PE}_{t,\,2i} = \sin\!\left(\frac{t}{10000^{2i/D}}\right) \qquad
# \mathrm{PE}_{t,\,2i+1} = \cos\!\left(\frac{t}{10000^{2i/D}}\right)$$
#
# Here t = 0, 1, ... is the position and i = 0, 1, ..., D/2 - 1 is the pair of columns. Return the table (length,
# hidden_size); hidden_size is even.
#
# <details><summary>Hint</summary>
# First compute all angles, (length, D/2): divide the positions as a column, <code>np.arange(length)[:, None]</code>, by
# the row of divisors. Then fill every second column: <code>table[:, 0::2]</code> and <code>table[:, 1::2]</code>.
# </details>
# <details><summary>Common error</summary>
# Counting <code>i</code> in steps of two and doubling it again. Either use i = 0, 1, 2, ... with 2i in the exponent, or
# 0, 2, 4, ... without doubling.
# </details>
# <details><summary>Why waves?</summary>
# The dot product of two such vectors depends only on the distance between the positions, not on the positions
# themselves; the check tests this. BERT does not use waves: it learns a table of this shape, with one row for each of
# 512 positions.
# </details>


# %% nb="solution positional_encoding"
def positional_encoding(length, hidden_size):
    """Return (length, hidden_size): sines in the even columns, cosines in the odd ones."""
    ### BEGIN SOLUTION
    i = np.arange(hidden_size // 2)                                     # (D/2,)
    angles = np.arange(length)[:, None] / 10000 ** (2 * i / hidden_size)  # (T, D/2)
    table = np.empty((length, hidden_size))
    table[:, 0::2] = np.sin(angles)
    table[:, 1::2] = np.cos(angles)
    return table
    ### END SOLUTION


# %% nb="tests positional_encoding-visible 2"
check.positional_encoding(positional_encoding, points=2)

# %% nb="tests positional_encoding-hidden 1"
# After you hand in, this cell tries more inputs. You do not have to write anything here.
### BEGIN HIDDEN TESTS
check.positional_encoding(positional_encoding, seed=9973, hidden=True)
### END HIDDEN TESTS

# %% [markdown] nb="read layer_norm-text"
# ## 7 · LayerNorm
# **3 points · 10 minutes · ●○○**
#
# In a stack of many layers, some numbers grow and others shrink. LayerNorm brings every token back to the same scale.
# For each token's vector, it subtracts the mean and divides by the standard deviation. Then it applies a learned scale
# (gamma) and shift (beta) to each column:
#
# $$\operatorname{LayerNorm}(x) = \gamma \cdot \frac{x - \text{mean}}{\sqrt{\text{variance} + \varepsilon}} + \beta$$
#
# `x` is (..., D); `gamma` and `beta` are (D,). The mean and the variance run over the last axis, and the variance
# divides by D. The result has the shape of `x`.
#
# <details><summary>Hint</summary>
# <code>x.mean</code> and <code>x.var</code> take <code>axis</code> and <code>keepdims</code>, like <code>sum</code> and
# <code>max</code> in the softmax.
# </details>
# <details><summary>Common error</summary>
# Adding eps outside the square root. Add it to the variance, inside the root.
# </details>
# <details><summary>Why eps?</summary>
# A row of equal numbers has variance 0, and 0 / 0 is nan. With eps, the result is simply beta.
# </details>


# %% nb="solution layer_norm"
def layer_norm(x, gamma, beta, eps=1e-12):
    """x (..., D), gamma and beta (D,). Return an array of the shape of x."""
    ### BEGIN SOLUTION
    mean = x.mean(axis=-1, keepdims=True)       # (..., 1)
    variance = x.var(axis=-1, keepdims=True)    # (..., 1)
    return gamma * (x - mean) / np.sqrt(variance + eps) + beta
    ### END SOLUTION


# %% nb="tests layer_norm-visible 2"
check.layer_norm(layer_norm, points=2)

# %% nb="tests layer_norm-hidden 1"
# After you hand in, this cell tries more inputs. You do not have to write anything here.
### BEGIN HIDDEN TESTS
check.layer_norm(layer_norm, seed=5040, hidden=True)
### END HIDDEN TESTS

# %% [markdown] nb="read encoder_layer-text"
# ## 8 · The encoder layer
# **4 points · 15 minutes · ●●○**
#
# A layer has two sublayers. In the first, attention, the tokens exchange information. In the second, the feed-forward
# network, each token is processed by itself: a matrix widens it from D to F, then come GELU (a smooth ReLU) and a
# matrix that takes it back to D. Both sublayers end in the same way: **add** the input of the sublayer (the residual
# connection), **then normalise**.
#
# $$h = \operatorname{LayerNorm}\bigl(x + \text{attention}(x)\bigr) \qquad
# \text{output} = \operatorname{LayerNorm}\bigl(h + \text{feed-forward}(h)\bigr)$$
#
# The next cell shows the names of the weights; `sub(weights, "attention")` returns the entries that start with
# `attention.`, ready for your `multi_head_attention`. The gamma of a LayerNorm is stored as `weight`, its beta as
# `bias`. `gelu` is imported above.
#
# Return only the output, (B, T, D): it has the same shape as `x`, so that it can be the input of the next layer.

# %% nb="read layer-weights"
weights = check.layer_weights(np.random.default_rng(0), hidden_size=12, intermediate_size=20)
{name: weight.shape for name, weight in weights.items()}

# %% [markdown] nb="read encoder_layer-hints"
# <details><summary>Hint</summary>
# You need four steps: the output of attention; h; the output of the feed-forward network, which reads h; the second
# LayerNorm. The matrices <code>up</code> (F, D) and <code>down</code> (D, F) are stored as (out, in), as before.
# </details>
# <details><summary>Common error</summary>
# Adding <code>x</code> in the second residual connection. The input of the second sublayer is h, so add h.
# </details>
# <details><summary>Why is there a residual connection?</summary>
# With it, a sublayer only has to learn what to change. And during training, the gradient has a direct path back through
# all layers.
# </details>


# %% nb="solution encoder_layer"
def encoder_layer(x, weights, num_heads, visible=None):
    """x (B, T, D), visible (B, T, T) bool or None. Return the new x (B, T, D)."""
    ### BEGIN SOLUTION
    attended, _ = multi_head_attention(x, sub(weights, "attention"), num_heads, visible)
    h = layer_norm(x + attended, weights["attention_norm.weight"], weights["attention_norm.bias"])
    inner = gelu(h @ weights["feed_forward.up.weight"].T + weights["feed_forward.up.bias"])     # (B, T, F)
    fed = inner @ weights["feed_forward.down.weight"].T + weights["feed_forward.down.bias"]     # (B, T, D)
    return layer_norm(h + fed, weights["feed_forward_norm.weight"], weights["feed_forward_norm.bias"])
    ### END SOLUTION


# %% nb="tests encoder_layer-visible 2"
check.encoder_layer(encoder_layer, points=2)

# %% nb="tests encoder_layer-hidden 2"
# After you hand in, this cell tries more inputs. You do not have to write anything here.
### BEGIN HIDDEN TESTS
check.encoder_layer(encoder_layer, seed=2520, hidden=True)
### END HIDDEN TESTS

# %% [markdown] nb="read count_parameters-text"
# ## 9 · Count BERT's parameters
# **3 points · 20 minutes · ●●○**
#
# The BERT paper says 110 million for BERT-base and 340 million for BERT-large, both rounded. You now know every part,
# so you can find the exact numbers. Return one number.
#
# - **Embeddings**: a table for words (`vocab_size` rows), one for positions (`max_position_embeddings` rows) and one
#   for segments (`type_vocab_size` rows), all `hidden_size` wide. Then comes a LayerNorm.
# - **Each of the `num_hidden_layers` layers**: what you have just built. Every matrix has its bias;
#   `intermediate_size` is F.
# - **Pooler**: one matrix, `hidden_size` by `hidden_size`, with its bias. It processes the first token.
#
# Do not count the output layers of pretraining. One of the seven arguments does not affect the result. Which one,
# and why?
#
# <details><summary>Hint</summary>
# The cell above lists the weights of a layer with their shapes: multiply the numbers of each shape, and add up the
# products. In attention, query, key, value and out each have a D x D matrix and a bias.
# </details>
# <details><summary>Common error</summary>
# Forgetting that LayerNorm has two vectors, gamma and beta, or that each layer has two LayerNorms.
# </details>
# <details><summary>Which argument does not affect the result?</summary>
# <code>num_attention_heads</code>. With more heads, each head is smaller: H times K is always D, so the matrices stay D
# x D.
# </details>


# %% nb="solution count_parameters"
def count_parameters(vocab_size, hidden_size, num_hidden_layers, num_attention_heads, intermediate_size,
                     max_position_embeddings, type_vocab_size):
    """Return the number of parameters in BERT's encoder with its pooler."""
    ### BEGIN SOLUTION
    D, F = hidden_size, intermediate_size
    norm = 2 * D                                            # gamma and beta
    embeddings = (vocab_size + max_position_embeddings + type_vocab_size) * D + norm
    attention_part = 4 * (D * D + D)                        # query, key, value, out
    feed_forward = (D * F + F) + (F * D + D)
    layer = attention_part + norm + feed_forward + norm
    pooler = D * D + D
    return embeddings + num_hidden_layers * layer + pooler
    ### END SOLUTION


# %% nb="tests count_parameters-visible 2"
check.count_parameters(count_parameters, points=2)

# %% [markdown]
# The two sizes of BERT, by your count:

# %%
print(f"BERT-base:  {count_parameters(30522, 768, 12, 12, 3072, 512, 2):>11,} parameters")
print(f"BERT-large: {count_parameters(30522, 1024, 24, 16, 4096, 512, 2):>11,} parameters")

# %% nb="tests count_parameters-hidden 1"
# After you hand in, this cell tries more inputs. You do not have to write anything here.
### BEGIN HIDDEN TESTS
check.count_parameters(count_parameters, seed=3628, hidden=True)
### END HIDDEN TESTS

# %% [markdown] nb="read gpt_layer-text"
# ## 10 · Find three bugs
# **3 points · 20 minutes · ●●○**
#
# GPT-2 uses nearly the same layer, with two differences. It reads from left to right: a token may attend only to itself
# and to earlier tokens. And it normalises before each sublayer, not after it:
#
# $$h = x + \text{attention}\bigl(\operatorname{LayerNorm}(x)\bigr) \qquad
# \text{output} = h + \text{feed-forward}\bigl(\operatorname{LayerNorm}(h)\bigr)$$
#
# Here it is, for the same weights and with your own functions inside. It runs, and its output has the right shape. But
# it has three bugs.

# %% nb="read broken_gpt_layer"
def broken_gpt_layer(x, weights, num_heads):
    B, T, D = x.shape

    def norm(x, name):
        return layer_norm(x, weights[f"{name}.weight"], weights[f"{name}.bias"])

    def linear(x, name):
        return x @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    earlier = np.arange(T)[None, :] <= np.arange(T)[:, None] + 1                    # (T queries, T keys)
    visible = np.broadcast_to(earlier, (B, T, T))
    attended, _ = multi_head_attention(norm(x, "attention_norm"), sub(weights, "attention"), num_heads, visible)
    h = x + attended                                                                # (B, T, D)
    inner = gelu(linear(norm(h, "attention_norm"), "feed_forward.up"))              # (B, T, F)
    return x + linear(inner, "feed_forward.down")                                   # (B, T, D)


# %% [markdown] nb="read gpt_layer-examine"
# Let the check examine it: it tests what must be true of such a layer for any weights, and shows which of these
# properties hold.

# %% nb="read gpt_layer-examined"
check.gpt_layer.examine(broken_gpt_layer)

# %% [markdown] nb="read gpt_layer-task"
# Copy the function's body into `gpt_layer`, and fix it. You can examine `gpt_layer` as often as you like.
# {{each bug}}
#
# <details><summary>Hint</summary>
# Each line marked BROKEN has one cause. Follow the data: which tokens may attend to which, what is added to what, and
# where are which weights used?
# </details>
# <details><summary>Common error</summary>
# Comparing with the encoder layer of exercise 8, and moving the norms after the sublayers. In this layer they belong
# before them.
# </details>
# <details><summary>How can you see that a token depends on later tokens?</summary>
# Change the later tokens and see whether its output changes. With such a leak, a language model can read the answer:
# its loss decreases to almost nothing, although it has learned nothing.
# </details>


# %% nb="solution gpt_layer"
def gpt_layer(x, weights, num_heads):
    """x (B, T, D), weights of one encoder layer. Return the new x (B, T, D); no token attends to a later one."""
    ### BEGIN SOLUTION
    B, T, D = x.shape

    def norm(x, name):
        return layer_norm(x, weights[f"{name}.weight"], weights[f"{name}.bias"])

    def linear(x, name):
        return x @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    earlier = np.arange(T)[None, :] <= np.arange(T)[:, None]                        # (T, T)
    visible = np.broadcast_to(earlier, (B, T, T))
    attended, _ = multi_head_attention(norm(x, "attention_norm"), sub(weights, "attention"), num_heads, visible)
    h = x + attended                                                                # (B, T, D)
    inner = gelu(linear(norm(h, "feed_forward_norm"), "feed_forward.up"))           # (B, T, F)
    return h + linear(inner, "feed_forward.down")                                   # (B, T, D)
    ### END SOLUTION


# %% nb="tests gpt_layer-1 1"
check.gpt_layer.bug(1)(gpt_layer)
### BEGIN HIDDEN TESTS
check.gpt_layer.bug(1)(gpt_layer, seed=3025, hidden=True)
### END HIDDEN TESTS

# %% nb="tests gpt_layer-2 1"
check.gpt_layer.bug(2)(gpt_layer)
### BEGIN HIDDEN TESTS
check.gpt_layer.bug(2)(gpt_layer, seed=7056, hidden=True)
### END HIDDEN TESTS

# %% nb="tests gpt_layer-3 1"
check.gpt_layer.bug(3)(gpt_layer)
### BEGIN HIDDEN TESTS
check.gpt_layer.bug(3)(gpt_layer, seed=5776, hidden=True)
### END HIDDEN TESTS

# %% [markdown] nb="read test_softmax-text"
# ## 11 · Write a test
# **2 points · 15 minutes · ●●○**
#
# Now change sides and write the check yourself. `test_softmax` gets a function that claims to be `softmax(x, axis=-1)`,
# written by anyone. If the function is right, your test does nothing; if it is wrong, an `assert` fails:
#
# `assert np.allclose(softmax(np.zeros(4)), 0.25), "equal scores should get equal shares"`
#
# The check runs your test on right versions, which it must accept, and on wrong ones, which it must catch. Some wrong
# versions are added after you hand in. So think of what must be true of every softmax. Along which axis do the
# probabilities sum to 1? What are they for two or three scores, computed by hand? What happens with scores like 1,000,
# in one row or in another? And is `x` unchanged afterwards? The check needs the line `@by_name`: leave it there.
#
# <details><summary>Hint</summary>
# A matrix with two different rows reveals most mistakes. An example computed by hand: <code>softmax([0, log 3])</code>
# is 1/4 and 3/4.
# </details>
# <details><summary>Common error</summary>
# Comparing with <code>==</code>. A right version may differ in the last digit because of rounding, or in the seventh if
# it computes in float32: <code>np.allclose</code> allows for both.
# </details>
# <details><summary>Why is one example by hand not enough?</summary>
# Every mistake stays invisible on some inputs: with a single row, the last axis is the only one; with small scores,
# nothing overflows. A good test chooses its inputs so that mistakes become visible.
# </details>


# %% nb="solution test_softmax"
@by_name
def test_softmax(softmax):
    """Fail at an assert if softmax(x, axis=-1) is not the softmax of x along that axis."""
    ### BEGIN SOLUTION
    x = np.log(np.array([[1.0, 2.0, 5.0], [3.0, 3.0, 2.0]]))
    before = x.copy()
    assert np.allclose(softmax(x), [[1 / 8, 2 / 8, 5 / 8], [3 / 8, 3 / 8, 2 / 8]]), "along the last axis"
    assert np.allclose(softmax(x, axis=0), [[1 / 4, 2 / 5, 5 / 7], [3 / 4, 3 / 5, 2 / 7]]), "along the first axis"
    assert (x == before).all(), "the input is changed"
    far = np.array([[1000.0, 1000.0], [-1000.0, -1000.0]])
    assert np.allclose(softmax(far, axis=1), 0.5), "large scores"
    assert np.allclose(softmax(np.zeros((2, 3, 4)), axis=1), 1 / 3), "three axes"
    ### END SOLUTION


# %% nb="tests test_softmax-visible 1"
check.test_softmax(test_softmax, points=1)

# %% nb="tests test_softmax-hidden 1"
# After you hand in, this cell tries more wrong versions. You do not have to write anything here.
### BEGIN HIDDEN TESTS
check.test_softmax(test_softmax, hidden=True)
### END HIDDEN TESTS

# %% [markdown]
# Does your test accept your own softmax? If nothing is printed, it does:

# %%
test_softmax(softmax)

# %% [markdown]
# ## Your layer in real English
#
# The checks use random weights. Now try trained ones: each layer of the model below is **your** `encoder_layer`, with
# your attention, your heads and your LayerNorm inside. The package only adds the parts that you did not write: the
# embeddings at the start and the output head at the end. The cell also prints the package's own predictions for [MASK];
# if the two differ, one of your functions is not right yet. The cell takes a few seconds and gives no points.
# Afterwards, change the sentence.

# %%
import minibert
from minibert.data.batch import pack
from minibert.model.checkpoints.pretrained import ids_with_masks
from minibert.reference import embeddings, token_head

text = "The river was too [MASK] to swim."
english = minibert.load("english")
trained = {name: weight.numpy() for name, weight in english.model.state_dict().items()}
packed = pack(ids_with_masks(english.tokenizer, text), None, english.tokenizer.specials)
ids, types = (np.array([row]) for row in packed)                                    # (1, T) each
x = embeddings(ids, types, sub(trained, "encoder.embeddings"))                      # (1, T, D)
for number in range(english.config.num_hidden_layers):
    x = encoder_layer(x, sub(trained, f"encoder.layers.{number}"), english.config.num_attention_heads)
logits = token_head(x[ids == english.tokenizer.specials.mask], sub(trained, "heads.tokens"))    # (N, V)
mine = softmax(logits)[0]
for place, (word, probability) in zip(np.argsort(-mine), english.fill_mask(text)[0]):
    print(f"yours: {english.tokenizer.vocab[place]:12s}{mine[place]:7.2%}     the package: {word:12s}{probability:7.2%}")

# %% [markdown] nb="read end"
# ## Done
#
# You have built BERT's layer. Twelve of them, the embeddings and a pooler make the whole encoder:
# `minibert.reference.encoder` shows it on one screen, with the names that you used.
#
# **Before you hand in**: restart the kernel and run all cells, or let `minibert doctor` check your notebook.
#
# **Further reading**: Vaswani et al. (2017), *Attention Is All You Need*,
# [arXiv 1706.03762](https://arxiv.org/abs/1706.03762), sections 3.1 to 3.5. Devlin et al. (2019), *BERT*,
# [arXiv 1810.04805](https://arxiv.org/abs/1810.04805), section 3. Ba et al. (2016), *Layer Normalization*,
# [arXiv 1607.06450](https://arxiv.org/abs/1607.06450).
