# %% [markdown] nb="read intro"
# # Unit 10 · BERT's friends: what they changed, and what they gained
#
# In the two years after BERT came RoBERTa, ALBERT, ELECTRA, XLNet, SpanBERT, BART and many more. Most of them are BERT
# with a few lines changed. You will write those lines: ALBERT's parameter count, the input of ELECTRA's discriminator,
# XLNet's attention masks, a model stacked on top of itself, and the inputs from which SpanBERT predicts a span. You
# will also find the bugs in a loss, and write a test for BART's noise.
#
# | | exercise | points | minutes | difficulty |
# | --- | --- | --- | --- | --- |
# | 1 | `factorised_parameters` (ALBERT) | 4 | 20 | ●●○ |
# | 2 | `replaced_token_labels` (ELECTRA) | 3 | 10 | ●○○ |
# | 3 | `electra_loss`: find three bugs | 3 | 20 | ●●○ |
# | 4 | `permutation_visible` (XLNet) | 4 | 25 | ●●● |
# | 5 | `stack_layers` (stacking) | 4 | 20 | ●●○ |
# | 6 | `span_boundary_inputs` (SpanBERT) | 5 | 25 | ●●● |
# | 7 | `test_infill`: write a test (BART) | 2 | 15 | ●●○ |
# | 8 | Smaller, but is it faster? (in words) | 2 | 5 | ●○○ |
# | | total | **27** | **140** | |
#
# The finished notebook runs in 2 seconds on two cores; its last cells, which use a model, take a few seconds more.
#
# {{how it works}}
#
# **Stuck?** `check.factorised_parameters.hint()` shows a hint; each further call shows a stronger one, three in all.
# The other exercises have hints, too. You can do the exercises in any order.
#
# **Axes.** **B** is the number of sequences in a batch, **T** the tokens of a sequence, **V** the vocabulary, **E**
# the size of a token's embedding, **D** the size of its hidden state, **F** the width of the feed-forward layer,
# **L** the number of layers.

# %% nb="read imports"
import numpy as np

from minibert.course import unit10 as check
from minibert.course.checks.student_tests import by_name
from minibert.reference import mlm_loss

# %% [markdown] nb="read factorised_parameters-text"
# ## 1 · ALBERT: count the parameters that remain
# **4 points · 20 minutes · ●●○**
#
# ALBERT saves parameters twice (Lan et al., 2020, section 3.1):
#
# 1. **Factorised embeddings.** All three tables (words, positions, segments) have only E numbers per row, and so does
#    the LayerNorm of their sum. A linear layer then projects each token from E to D numbers. If E equals D, as in BERT,
#    there is nothing to project.
# 2. **Shared layers.** All L layers use the parameters of a single layer.
#
# Count the parameters of such an encoder in four parts. A linear layer from n to m numbers has a matrix and a bias:
# n m + m. A LayerNorm of n numbers has a weight and a bias: 2 n.
#
# | | | |
# | --- | --- | --- |
# | `config` | dict | `vocab_size` V, `embedding_size` E, `hidden_size` D, `num_hidden_layers` L, `intermediate_size` F, `max_position_embeddings`, `type_vocab_size` (the segments); ignore all other keys |
# | `shared` | bool | True: all layers use the parameters of a single layer |
# | returns | dict | four integers, with these keys: |
# | `"embeddings"` | | three tables and their LayerNorm |
# | `"projection"` | | the linear layer from E to D; 0 if E equals D |
# | `"layers"` | | for each layer that is counted: the attention's four linear layers, D to D; the feed-forward layer, D to F and F to D; two LayerNorms of D numbers |
# | `"pooler"` | | one linear layer on [CLS], D to D |
#
# For example, with V = 10, 6 positions, 2 segments, E = 2, D = 4, F = 8, L = 3 and `shared`, the parts are (10 +
# 6 + 2) × 2 + 2 × 2 = **40**, 2 × 4 + 4 = **12**, 4 × 20 + (40 + 36) + 2 × 8 = **172** (without `shared` it is
# 516), and 4 × 4 + 4 = **20**.
#
# <details><summary>Common error</summary>
# Giving only the words the width E. The three embeddings are added before they are projected, so all have the same width.
# </details>
# <details><summary>Why may an embedding be narrow?</summary>
# An embedding represents a token by itself, a hidden state represents it in its sentence. The second needs more
# numbers. And the table of words is large: its V × D numbers are a fifth of BERT-base.
# </details>


# %% nb="solution factorised_parameters"
def factorised_parameters(config, shared):
    """config: dict of sizes; shared: bool. Returns {"embeddings", "projection", "layers", "pooler"}: parameters."""
    ### BEGIN SOLUTION
    E, D, F = config["embedding_size"], config["hidden_size"], config["intermediate_size"]
    rows = config["vocab_size"] + config["max_position_embeddings"] + config["type_vocab_size"]
    layer = 4 * (D * D + D) + (D * F + F) + (F * D + D) + 2 * 2 * D
    return {"embeddings": rows * E + 2 * E,
            "projection": 0 if E == D else E * D + D,
            "layers": layer if shared else config["num_hidden_layers"] * layer,
            "pooler": D * D + D}
    ### END SOLUTION


# %% nb="tests factorised_parameters-visible 2"
check.factorised_parameters(factorised_parameters, points=2)

# %% nb="tests factorised_parameters-hidden 2"
# After you hand in, this cell tries more inputs. You do not have to write anything here.
### BEGIN HIDDEN TESTS
check.factorised_parameters(factorised_parameters, seed=2357, hidden=True)
### END HIDDEN TESTS

# %% [markdown]
# Your count for the published sizes. Table 1 of the paper gives 108M and 334M for BERT, and 12M, 18M, 60M and 235M for
# ALBERT. All but the last are within 2 million of the count; the last is 12 million above it.

# %%
for name, D, L, V, E, shared in (("BERT-base", 768, 12, 30522, 768, False), ("BERT-large", 1024, 24, 30522, 1024, False),
                                 ("ALBERT-base", 768, 12, 30000, 128, True), ("ALBERT-large", 1024, 24, 30000, 128, True),
                                 ("ALBERT-xlarge", 2048, 24, 30000, 128, True),
                                 ("ALBERT-xxlarge", 4096, 12, 30000, 128, True)):
    sizes = dict(vocab_size=V, embedding_size=E, hidden_size=D, num_hidden_layers=L, intermediate_size=4 * D,
                 max_position_embeddings=512, type_vocab_size=2)
    parts = factorised_parameters(sizes, shared)
    print(f"{name:15s}{sum(parts.values()) / 1e6:6.1f}M   of which the layers {parts['layers'] / 1e6:6.1f}M")

# %% [markdown] nb="read replaced_token_labels-text"
# ## 2 · ELECTRA: what was replaced?
# **3 points · 10 minutes · ●○○**
#
# In ELECTRA (Clark et al., 2020, section 2) a small **generator** reads a masked text and samples a token for each
# [MASK]. A **discriminator** reads the result, which no longer contains [MASK], and predicts for *every* token whether
# it was replaced. If the generator sampled the right token, nothing was replaced: **the token counts as original**.
#
# | | | |
# | --- | --- | --- |
# | `original` | (B, T), int | the text |
# | `sampled` | (B, T), int | the generator's token for each position; only those at masked positions are used |
# | `chosen` | (B, T), bool | True where the text was masked |
# | `real` | (B, T), bool | True = a token, False = padding, which may be anywhere in a sequence and is never masked |
# | returns `seen` | (B, T), int | what the discriminator reads |
# | returns `labels` | (B, T), int | 1 = replaced, 0 = original, -100 = padding |
#
# | position | 0 | 1 | 2 | 3 |
# | --- | --- | --- | --- | --- |
# | original | the | cat | sat | (padding) |
# | masked? | no | yes | yes | no |
# | the generator samples | | cat | ran | |
# | **seen** | the | cat | ran | (padding) |
# | **labels** | 0 | 0 | 1 | -100 |
#
# <details><summary>Common error</summary>
# Using <code>chosen</code> as the labels. Then the discriminator is trained to call a right token replaced.
# </details>
# <details><summary>Why a label for every token?</summary>
# BERT is trained on 15% of the tokens of a text, ELECTRA's discriminator on all of them. In the paper's comparison
# (section 3.5, table 5) ELECTRA scores 85.0 on GLUE and BERT 82.2; with a loss on only the 15%, ELECTRA scores 82.4.
# </details>


# %% nb="solution replaced_token_labels"
def replaced_token_labels(original, sampled, chosen, real):
    """original, sampled (B, T) int; chosen, real (B, T) bool. Returns (seen, labels), (B, T) int each."""
    ### BEGIN SOLUTION
    seen = np.where(chosen, sampled, original)                                  # (B, T)
    return seen, np.where(real, (seen != original).astype(int), -100)
    ### END SOLUTION


# %% nb="tests replaced_token_labels-visible 2"
check.replaced_token_labels(replaced_token_labels, points=2)

# %% nb="tests replaced_token_labels-hidden 1"
# After you hand in, this cell tries more inputs. You do not have to write anything here.
### BEGIN HIDDEN TESTS
check.replaced_token_labels(replaced_token_labels, seed=4409, hidden=True)
### END HIDDEN TESTS

# %% [markdown] nb="read electra_loss-text"
# ## 3 · Find three bugs
# **3 points · 20 minutes · ●●○**
#
# ELECTRA's loss is the generator's masked-language-modelling loss plus 50 times the discriminator's loss, which is the
# mean of $-\log p$ of the right label over all tokens that are not padding. Both networks are trained together, but
# each has its own labels. The discriminator here is as small as possible: it gives each token a score, and the higher
# the score, the more likely it is that the token was replaced.

# %% nb="read discriminate"
MASK = 4  # the id of [MASK]


def discriminate(ids, weights):
    return weights["words"][ids] @ weights["out"]  # (B, T)


# %% [markdown] nb="read electra_loss-task"
# `discriminate` is correct. `mlm_loss` of unit 04 is imported: it is the mean of $-\log p$ over all
# labels that are not -100.
#
# | | | |
# | --- | --- | --- |
# | `original`, `chosen`, `sampled`, `real` | (B, T) | as in exercise 2; at least one token is masked |
# | `logits` | (B, T, V), float | the generator's logits at each position, computed from the masked text |
# | `weights` | dict | the discriminator's weights: `words` (V, D), `out` (D,) |
# | returns | one number | the loss |
#
# In the function, `np.logaddexp(0, score) - replaced * score` is $-\log p$ of the right label: log(1 + e^score) if the
# token is original, and log(1 + e^-score) if it was replaced. This line is correct.
#
# The function runs, and the loss decreases in training. But it has three bugs.

# %% nb="read broken-electra_loss"
def broken_electra_loss(original, chosen, sampled, real, logits, weights):
    generator = mlm_loss(logits, np.where(real, original, -100))
    seen = np.where(chosen, sampled, original)                              # (B, T)
    replaced = seen != original                                             # (B, T)
    score = discriminate(np.where(chosen, MASK, original), weights)         # (B, T)
    each = np.logaddexp(0, score) - replaced * score                        # (B, T)
    return generator + 50 * each[chosen].mean()


# %% [markdown] nb="read electra_loss-examine"
# Examine it. Which properties should this loss have, whatever the weights are, and which of them does it have?

# %% nb="read electra_loss-examined"
check.electra_loss.examine(broken_electra_loss)

# %% [markdown] nb="read electra_loss-mend"
# Copy the function's body into `electra_loss`, and fix it. You can examine `electra_loss` as often as you like.
# {{each bug}}
#
# <details><summary>Hint</summary>
# Each BROKEN line of the examination has one cause. For which tokens does the generator make predictions, and for
# which the discriminator?
# </details>
# <details><summary>Why must the discriminator not see [MASK]?</summary>
# It would see which tokens were masked, and only these can be wrong. Besides, [MASK] never occurs in the texts of a
# task: ELECTRA's encoder reads the same kind of text in pretraining as in fine-tuning.
# </details>
# <details><summary>Why is this not a GAN?</summary>
# In a GAN the generator is trained to fool the discriminator. Here it is trained with its own labels, as a masked
# language model, and the two losses are added. In any case, no gradient flows through a sampled token.
# </details>


# %% nb="solution electra_loss"
def electra_loss(original, chosen, sampled, real, logits, weights):
    """original, chosen, sampled, real (B, T); logits (B, T, V); weights of the discriminator. Returns one number."""
    ### BEGIN SOLUTION
    generator = mlm_loss(logits, np.where(chosen, original, -100))
    seen = np.where(chosen, sampled, original)                              # (B, T)
    replaced = seen != original                                             # (B, T)
    score = discriminate(seen, weights)                                     # (B, T)
    each = np.logaddexp(0, score) - replaced * score                        # (B, T)
    return generator + 50 * each[real].mean()
    ### END SOLUTION


# %% nb="tests electra_loss-1 1"
check.electra_loss.bug(1)(electra_loss)
### BEGIN HIDDEN TESTS
check.electra_loss.bug(1)(electra_loss, seed=5087, hidden=True)
### END HIDDEN TESTS

# %% nb="tests electra_loss-2 1"
check.electra_loss.bug(2)(electra_loss)
### BEGIN HIDDEN TESTS
check.electra_loss.bug(2)(electra_loss, seed=6121, hidden=True)
### END HIDDEN TESTS

# %% nb="tests electra_loss-3 1"
check.electra_loss.bug(3)(electra_loss)
### BEGIN HIDDEN TESTS
check.electra_loss.bug(3)(electra_loss, seed=7919, hidden=True)
### END HIDDEN TESTS

# %% [markdown] nb="read permutation_visible-text"
# ## 4 · XLNet: two streams
# **4 points · 25 minutes · ●●●**
#
# XLNet (Yang et al., 2019, sections 2.2 and 2.3) predicts the tokens of a text one after the other, like GPT, but in a
# random order. The text is not shuffled: each token keeps its position, and only the attention mask follows the order.
# `order[b, t]` is **the place of token t in the order**: the token with 0 comes first.
#
# Each token has two vectors, and each of them needs its own attention mask:
#
# - The **content stream** is what other tokens read. Token t sees the content of all tokens that are *not later* than t
#   in the order, including its own.
# - The **query stream** is used to predict token t. It sees the content of all tokens that are *earlier* than t in the
#   order. If it saw its own token, the prediction would be a copy.
#
# | | shape | |
# | --- | --- | --- |
# | `real` | (B, T), bool | True = a token, False = padding, which may be anywhere in a sequence |
# | `order` | (B, T), int | each row contains the numbers 0 to T - 1 once; padding has a place, too |
# | returns `content` | (B, T, T), bool | content[b, t, s] is True if token t sees token s |
# | returns `query` | (B, T, T), bool | the same for the query of token t |
#
# Padding is never seen in either stream. Fill the rows of padding like all others: nothing reads their results.
#
# For example, three tokens with `order` [2, 0, 1]: token 1 comes first, then token 2, then token 0. So
#
# | `content` | sees 0 | 1 | 2 | | `query` | sees 0 | 1 | 2 |
# | --- | --- | --- | --- | --- | --- | --- | --- | --- |
# | token 0 | ✓ | ✓ | ✓ | | token 0 | | ✓ | ✓ |
# | token 1 | | ✓ | | | token 1 | | | |
# | token 2 | | ✓ | ✓ | | token 2 | | ✓ | |
#
# <details><summary>Hint</summary>
# <code>order[:, :, None]</code> and <code>order[:, None, :]</code> each have an axis of size 1; comparing them gives a
# square matrix for each sequence.
# </details>
# <details><summary>Common error</summary>
# Reading <code>order</code> as the list of tokens in their order. Here [2, 0, 1] does not mean "token 2 comes first":
# it means that token 0 has place 2. One is the inverse of the other, <code>argsort</code>.
# </details>
# <details><summary>Why two streams?</summary>
# The content vector of token t has to contain token t, because later tokens read it. The vector that predicts token t
# must not. One vector cannot do both, so each position has two; they share all weights.
# </details>


# %% nb="solution permutation_visible"
def permutation_visible(real, order):
    """real (B, T) bool; order (B, T) int, the place of each token. Returns (content, query), (B, T, T) bool each."""
    ### BEGIN SOLUTION
    looks, seen = order[:, :, None], order[:, None, :]                          # (B, T, 1), (B, 1, T)
    return (seen <= looks) & real[:, None, :], (seen < looks) & real[:, None, :]
    ### END SOLUTION


# %% nb="tests permutation_visible-visible 2"
check.permutation_visible(permutation_visible, points=2)

# %% nb="tests permutation_visible-hidden 2"
# After you hand in, this cell tries more inputs. You do not have to write anything here.
### BEGIN HIDDEN TESTS
check.permutation_visible(permutation_visible, seed=8713, hidden=True)
### END HIDDEN TESTS

# %% [markdown] nb="read stack_layers-text"
# ## 5 · Stacking: twice the layers
# **4 points · 20 minutes · ●●○**
#
# A model with few layers trains fast. So Gong et al. (2019, algorithm 1) train a model of L layers, put a copy of it on
# top, and continue training with 2 L layers. **Layer L + i starts as a copy of layer i**: 0, 1, 2 becomes 0, 1, 2, 0,
# 1, 2. Everything outside the layers, such as the embeddings, stays unchanged.
#
# Training continues with Adam, which keeps two numbers for each weight: the running means of its gradient, `m`, and of
# the squared gradient, `v`. Algorithm 1 mentions only the weights. But Adam cannot train a new layer that has no
# moments, so both moments are copied with the layer, and the number of steps stays (Shen et al., 2022, also pass on the
# whole state of the optimizer).
#
# | | | |
# | --- | --- | --- |
# | `weights` | dict | name -> array. The names of layer i, and only those, begin with `layers.i.`, i from 0 to L - 1. A layer may have weights that others lack |
# | `state` | dict | `{"step": an integer, "m": dict, "v": dict}`; both dicts have an array for each name of the weights |
# | returns | (`weights`, `state`) | new dicts of the same form, for 2 L layers; the new layers get arrays of their own |
#
# For example, to `layers.0.attention.weight` and `layers.1.attention.weight` you add
# `layers.2.attention.weight`, a copy of the first, and `layers.3.attention.weight`, a copy of the second. L may
# be 10 or more, and a name may contain other numbers: in `layers.1.heads.1.bias` only the first 1 is the layer.
#
# <details><summary>Common error</summary>
# <code>name.replace("1", "3")</code> changes every 1 in the name, even those in 11. Split the name at its first two dots.
# </details>
# <details><summary>Why should copies help?</summary>
# In most layers of a trained BERT, tokens attend to their neighbours and to [CLS], as the paper shows. So a copy of a
# layer is a better start than random numbers. The original and its copy diverge as soon as training continues. So
# the copies must be real ones, in PyTorch <code>copy.deepcopy</code>: using the same layer twice would be ALBERT.
# </details>


# %% nb="solution stack_layers"
def stack_layers(weights, state):
    """weights: name -> array; state: {"step", "m", "v"}. Returns both for twice the layers: L + i is a copy of i."""
    ### BEGIN SOLUTION
    L = 1 + max(int(name.split(".")[1]) for name in weights if name.startswith("layers."))

    def deeper(arrays):
        result = dict(arrays)
        for name, array in arrays.items():
            if name.startswith("layers."):
                _, number, rest = name.split(".", 2)
                result[f"layers.{int(number) + L}.{rest}"] = array.copy()
        return result
    return deeper(weights), {"step": state["step"], "m": deeper(state["m"]), "v": deeper(state["v"])}
    ### END SOLUTION


# %% nb="tests stack_layers-visible 2"
check.stack_layers(stack_layers, points=2)

# %% nb="tests stack_layers-hidden 2"
# After you hand in, this cell tries more inputs. You do not have to write anything here.
### BEGIN HIDDEN TESTS
check.stack_layers(stack_layers, seed=9551, hidden=True)
### END HIDDEN TESTS

# %% [markdown] nb="read span_boundary_inputs-text"
# ## 6 · SpanBERT: predict a span from its boundary
# **5 points · 25 minutes · ●●●**
#
# SpanBERT (Joshi et al., 2020, sections 3.1 and 3.2) masks whole spans, and predicts each of their tokens a
# second time, using only the two tokens *around* the span and the token's place *within* the span. So the hidden
# states of these two tokens have to summarise the span between them. Collect the inputs of this second
# prediction, one row for each masked token.
#
# | | shape | |
# | --- | --- | --- |
# | `hidden` | (B, T, D), float | the hidden states of the last layer |
# | `chosen` | (B, T), bool | True = masked. Neighbouring masked tokens form one span. At least one token of the batch is masked; the first and the last token of a sequence never are |
# | `place_embeddings` | (P, D), float | row 1 for the first token of a span, row 2 for the second, and so on; row 0 is not used |
# | returns | (N, 3D), float | for each masked token: left, right and place, concatenated |
#
# *Left* is the hidden state of the token right before the span, *right* that of the token right after it, *place* a row
# of `place_embeddings`. The N rows are in the order of the text, sequence by sequence.
#
# For example, `[CLS] the [MASK] [MASK] sat [SEP]` has the hidden states h0 to h5. The span covers positions 2 and 3, so
# the two rows are (h1, h4, row 1 of the table) and (h1, h4, row 2).
#
# <details><summary>Common error</summary>
# Reading the neighbours t - 1 and t + 1. In a span of three, both neighbours of the middle token are masked themselves.
# </details>
# <details><summary>Common error with several sequences</summary>
# <code>hidden[:, left]</code> reads each position in every sequence. Each masked token needs only its own sequence:
# <code>hidden[b, left]</code>.
# </details>
# <details><summary>Why the place?</summary>
# All tokens of a span have the same left and right. Without the place they would all get the same prediction.
# </details>


# %% nb="solution span_boundary_inputs"
def span_boundary_inputs(hidden, chosen, place_embeddings):
    """hidden (B, T, D), chosen (B, T) bool, place_embeddings (P, D). Returns (N, 3D): left, right, place."""
    ### BEGIN SOLUTION
    rows = []
    for b, t in np.argwhere(chosen):
        left = right = t
        while chosen[b, left]:
            left -= 1
        while chosen[b, right]:
            right += 1
        rows.append(np.concatenate([hidden[b, left], hidden[b, right], place_embeddings[t - left]]))
    return np.array(rows)
    ### END SOLUTION


# %% nb="tests span_boundary_inputs-visible 3"
check.span_boundary_inputs(span_boundary_inputs, points=3)

# %% nb="tests span_boundary_inputs-hidden 2"
# After you hand in, this cell tries more inputs. You do not have to write anything here.
### BEGIN HIDDEN TESTS
check.span_boundary_inputs(span_boundary_inputs, seed=1193, hidden=True)
### END HIDDEN TESTS

# %% [markdown] nb="read test-text"
# ## 7 · Write a test
# **2 points · 15 minutes · ●●○**
#
# BART (Lewis et al., 2020, section 2.2) corrupts a text in five ways and trains a decoder to restore it. One of the
# ways is **text infilling**: each span is replaced by a **single** [MASK], however long it is, and a span of length 0
# inserts a [MASK]. So the model also has to predict how many tokens are missing. This is the task of a function
# `infill(ids, spans, mask_id)`:
#
# | | | |
# | --- | --- | --- |
# | `ids` | list of int | the tokens of a text; the list is not changed |
# | `spans` | list of pairs (start, length) | from left to right; they do not overlap, but may touch; start from 0 to `len(ids)`, length from 0 |
# | `mask_id` | int | the id of [MASK] |
# | returns | list of int | the text with each span replaced by one `mask_id` |
#
# For example, `infill([11, 12, 13, 14], [(3, 0)], 9)` gives `[11, 12, 13, 9, 14]`.
#
# You do not write `infill`, but a test for it: `test_infill` gets a function that claims to be `infill`. If the
# function is right, the test does nothing; if it is wrong, the test fails at an `assert`:
#
# `assert infill([11, 12, 13], [(1, 2)], 9) == [11, 9], "two tokens, one [MASK]"`
#
# The check gives your test right versions, which it must accept, and wrong ones, which it must catch. Some of
# the wrong ones are tried only after you hand in. So think of what may go wrong: with several spans, with a
# length of 0, at both ends of the text, with spans that touch. Keep the line `@by_name`: the check needs it to
# pass its versions to your test.
#
# <details><summary>Common error</summary>
# Testing only one span. A version that forgets that the text gets shorter goes wrong from the second span on.
# </details>
# <details><summary>Why should the test look at <code>ids</code> afterwards?</summary>
# A version that changes its input gives the right result once. But the text is damaged, and the next epoch reads it.
# </details>


# %% nb="solution test"
@by_name
def test_infill(infill):
    """Fail at an assert unless infill(ids, spans, mask_id) replaces each span by one mask_id."""
    ### BEGIN SOLUTION
    ids = [11, 12, 13, 14, 15, 16]
    assert infill(ids, [(0, 2), (2, 1), (4, 0)], 7) == [7, 7, 14, 7, 15, 16], "at the start, touching, length 0"
    assert infill(ids, [(1, 3), (5, 1), (6, 0)], 9) == [11, 9, 15, 9, 9], "long, and at the end"
    assert infill(ids, [], 9) == ids == [11, 12, 13, 14, 15, 16], "no span, and ids as it was"
    ### END SOLUTION


# %% nb="tests test-visible 1"
check.test_infill(test_infill, points=1)

# %% nb="tests test-hidden 1"
# After you hand in, this cell tries more wrong versions. You do not have to write anything here.
### BEGIN HIDDEN TESTS
check.test_infill(test_infill, hidden=True)
### END HIDDEN TESTS

# %% [markdown] nb="read why-text"
# ## 8 · Smaller, but is it faster?
# **2 points · 5 minutes · ●○○**
#
# ALBERT-base has 12 million parameters and BERT-base 108 million, with the same number of layers of the same width.
# Someone expects ALBERT to be nine times as fast. Explain in two or three sentences: what is nine times smaller, and
# why does a text take about as long to pass through the encoder?
#
# <details><summary>Hint</summary>
# How many layers does a token pass through in each model?
# </details>

# %% [markdown] nb="manual why 2"
# Everything that has to be stored is smaller: the file, the memory for weights and for the optimizer's state, and the
# gradients that several machines exchange in training. But a text still passes through twelve layers of the same width:
# the same matrix is used twelve times, and each time it has to be multiplied again. So the number of operations in the
# encoder is about the same.
#
# **Mark scheme.** 1 point: memory or storage (of weights, gradients, optimizer) shrinks. 1 point: the shared
# layer is computed L times, so the number of operations does not shrink. "The narrow embeddings save a little"
# is right but not needed.

# %% [markdown] nb="read try-text"
# ## Your functions and a model that knows English
#
# Now a real model acts as ELECTRA's generator: some words are masked, it samples a token for each, and your
# `replaced_token_labels` says which ones the discriminator should find. There are no points for this. (The model is
# loaded first, which takes up to a minute.) Think first: how many of the sampled tokens will be the right ones?

# %%
import minibert
import torch
from minibert.data.batch import pack

english = minibert.load("english")
words, specials = english.tokenizer, english.tokenizer.specials
text = words.encode("The dog that barked at the postman ran home to its family because it was afraid.").ids
ids, types = (np.array(x)[None] for x in pack(text, None, specials))                        # (1, T) each
T = ids.shape[1]
chosen = (np.arange(T) % 4 == 2)[None] & (ids != specials.sep)


def predicted(model, seen):
    everyone = torch.ones(1, T, T, dtype=torch.bool)
    with torch.no_grad():
        return model(torch.tensor(seen), everyone, torch.tensor(types))["tokens"].double().softmax(-1).numpy()


probs, rng = predicted(english.model, np.where(chosen, specials.mask, ids)), np.random.default_rng(1)
sampled = np.where(chosen, [[rng.choice(len(p), p=p / p.sum()) for p in probs[0]]], ids)    # (1, T)
seen, labels = replaced_token_labels(ids, sampled, chosen, np.ones((1, T), bool))
print("original:", words.decode(ids[0].tolist()))
print("seen:    ", words.decode(seen[0].tolist()))
print(f"{chosen.sum()} tokens masked, {labels.sum()} of them replaced, {(chosen & (labels == 0)).sum()} guessed right")

# %% [markdown]
# The same model, counted by your `factorised_parameters` and by PyTorch. Then your `stack_layers` stacks it: twelve
# layers instead of six. It is not trained any further, so how well does it still fill its masks? And what does your
# `span_boundary_inputs` return for a span?

# %%
import copy

from minibert.model import Encoder

sizes = english.config.to_dict() | {"embedding_size": english.config.hidden_size}
parts, real_count = factorised_parameters(sizes, False), sum(p.numel() for p in english.encoder.parameters())
print(f"without the pooler: {sum(parts.values()) - parts['pooler']:,} parameters by your count, {real_count:,} in PyTorch")

weights = {name: tensor.numpy() for name, tensor in english.encoder.state_dict().items()}
zeros = {name: np.zeros_like(array) for name, array in weights.items()}
deeper, _ = stack_layers(weights, {"step": 0, "m": zeros, "v": zeros})
stacked = copy.deepcopy(english.model)
stacked.encoder = Encoder(english.config.replace(num_hidden_layers=2 * english.config.num_hidden_layers)).eval()
stacked.encoder.load_state_dict({name: torch.tensor(array) for name, array in deeper.items()})
for name, model in (("as it is", english.model), ("stacked, not trained on", stacked)):
    right = np.take_along_axis(predicted(model, np.where(chosen, specials.mask, ids)), ids[..., None], -1)[..., 0]
    print(f"{name:25s}loss of the masked tokens {-np.log(right[chosen]).mean():.2f}")

with torch.no_grad():
    hidden = english.encoder(torch.tensor(ids), torch.ones(1, T, T, dtype=torch.bool), torch.tensor(types))["hidden"]
span = ((np.arange(T) >= 4) & (np.arange(T) < 7))[None]
table = np.random.default_rng(0).normal(size=(9, hidden.shape[-1]))
print("a span of 3 tokens:", span_boundary_inputs(hidden.numpy(), span, table).shape, "numbers, 3 D in each row")

# %% [markdown]
# Finally, XLNet's argument about the independence that BERT assumes: both words of *New York* are masked, and BERT
# predicts each as if it did not know the other. In XLNet's order one of them comes first, and the other sees it. Your
# `permutation_visible` says who sees whom; the model gets the visible tokens, and [MASK] for the rest.

# %%
ids, types = (np.array(x)[None] for x in pack(words.encode("The mayor of New York spoke first.").ids, None, specials))
T, (new, york) = ids.shape[1], (4, 5)
print("masked:", words.decode(ids[0, [new, york]].tolist()))
order = np.arange(T)[None]
order = np.where(order == york, T - 2, np.where(order == new, T - 1, order - (order > york) * 2))  # York, then New, last
_, query = permutation_visible(np.ones((1, T), bool), order)
for told, known in (("both masked, as in BERT", query[:, york]), ("York is known, as in XLNet's order", query[:, new])):
    p = predicted(english.model, np.where(known, ids, specials.mask))[0, new, ids[0, new]]
    print(f"{told:36s}probability of {words.decode([int(ids[0, new])])!r}: {p:.1%}")

# %% [markdown] nb="read end"
# ## Done
#
# You have written the lines in which BERT's relatives differ from BERT. In the package they are in `albert.py` and
# `sharing.py` in `minibert/model/variants/`, `rtd.py`, `plm.py`, `span_boundary.py` and `denoise.py` in
# `minibert/objectives/`, and `stacking.py` in `minibert/training/`.
#
# **Before you hand in**: restart the kernel and run all cells, or let `minibert doctor` check your notebook.
#
# **Further reading**: Lan et al. (2020), *ALBERT*, [arXiv 1909.11942](https://arxiv.org/abs/1909.11942), section 3. Clark et al.
# (2020), *ELECTRA*, [arXiv 2003.10555](https://arxiv.org/abs/2003.10555), sections 2 and 3.5. Yang et al. (2019), *XLNet*,
# [arXiv 1906.08237](https://arxiv.org/abs/1906.08237), section 2. Gong et al. (2019), *Efficient training of BERT by
# progressively stacking*, [ICML](https://proceedings.mlr.press/v97/gong19a.html). Shen et al. (2022), *Staged training for
# Transformer language models*, [arXiv 2203.06211](https://arxiv.org/abs/2203.06211). Joshi et al. (2020), *SpanBERT*, [arXiv
# 1907.10529](https://arxiv.org/abs/1907.10529), section 3. Lewis et al. (2020), *BART*, [arXiv
# 1910.13461](https://arxiv.org/abs/1910.13461), section 2.
