# %% [markdown]
# # 2 · Attention: how words look at each other
#
# *She swam to the bank. She paid at the bank.* You know which bank is meant because you glance at the other words. This
# lesson builds the part of BERT that does the same: **attention**.
#
# **After this lesson you can**
#
# - compute attention by hand, for one word and for a sentence,
# - say who may look at whom in BERT and in GPT,
# - say what each part of a Transformer layer does,
# - read a trained model's attention, and say what it does not tell you.
#
# **You need** lesson 1, and matrix products in NumPy. **Time:** 50 minutes, and 35 more for *Going further*.

# %%
from minibert.course.widgets.here import here

here(2)

# %% [markdown]
# ## Try it first
#
# This is a complete BERT. Click a word to mask it. Click a layer to open it, then one of its **heads**, to see which
# words (more precisely *tokens*, lesson 3) look at which. (`[CLS]` and `[SEP]` mark the beginning and the end.) At the
# end of this lesson, two functions that you write yourself will compute the attention in all of these heads.

# %%
import minibert
from minibert.course.widgets.explorer.widget import explore

english = minibert.load("english")
explore(english, "She swam to the [MASK].", brief=True)

# %% [markdown]
# ## 1 · What becomes of a word?
#
# A model stores one **embedding** for each word: a learned vector, here 384 numbers. So every *bank* starts from the
# same word embedding. (Its position is added, section 5.) What has become of it after six layers? We compare vectors by
# their **cosine similarity** (in short, cosine), which is 1 if they point in the same direction.

# %%
from minibert.course.unit02 import views

views.guess_same_word()

# %% [markdown]
# **Try** other words with two meanings. Or write sentences of your own, with stars around the word to compare. The
# frame of the sentence counts too: *The bank is closed* and *The bank is muddy* come out at 0.91.

# %%
views.same_word()

# %% [markdown]
# ## 2 · One word looks around
#
# How does *bank* take something from *swam*? Each word has three vectors:
#
# - a **query** *q*: what am I looking for?
# - a **key** *k*: what do I offer to those who look?
# - a **value** *v*: what do I hand over when somebody looks at me?
#
# In BERT-base each of these vectors has 64 numbers, which learned matrices compute (in our English model, 32). Ours have
# four, written by hand. In a query or key, the four stand for *who*, *action*, *place*, *small word*. So *bank*, with the
# query (1, 2, 1, 0), looks for an action above all. In a value, they stand for *person*, *water (+) or money (−)*,
# *place*, *movement*.
#
# Press **Next step** and check every number. (The numbers shown are rounded, the products exact.)

# %%
views.steps()

# %% [markdown]
# The steps have names. The **dot product** of two vectors multiplies them number by number and adds up the products.
# The **softmax** turns the scores into **attention weights**, which are positive and sum to 1. A weight says how much of
# that word's value flows into the result, the **context**.
#
# **Your turn.** Write the first part (steps 2 and 3) and the last (6 and 7), with NumPy or without. First the score of
# one query and one key:

# %%
import numpy as np
from minibert.course.widgets.try_it import try_it

def score(q, k):
    """Return the dot product of q and k, divided by √d, where d is their length.

    >>> score([1, 2, 1, 0], [0, 3, 1, 0])
    3.5
    >>> score([3], [2])
    6.0
    """
    ...

try_it(score)

# %% [markdown]
# <details><summary><b>One way to write it</b></summary>
#
# ```python
# def score(q, k):
#     return np.dot(q, k) / np.sqrt(len(q))
# ```
# </details>
#
# Then the context, the sum of all values, each times its weight:

# %%
def mix(weights, v):
    """Return the context: the rows of v, each times its weight, added up.

    >>> mix([0.5, 0.5], [[2, 0, 0], [0, 4, 0]])
    [1.0, 2.0, 0.0]
    >>> mix([0.75, 0.25, 0], [[4], [-4], [100]])
    [2.0]
    """
    ...

try_it(mix)

# %% [markdown]
# <details><summary><b>One way to write it</b></summary>
#
# ```python
# def mix(weights, v):
#     return np.array(weights) @ np.array(v)
# ```
# </details>
#
# With a softmax in between, that is attention. In both sentences *bank* has the same query, key and value, but not the
# same context:

# %%
views.context_of_bank(score, mix)

# %% [markdown]
# Where do the three vectors come from? Learned matrices compute them from the word's vector x: $q = x W^Q$,
# $k = x W^K$, $v = x W^V$. (BERT also adds a learned vector to each, the **bias**.) In layer 1, x is the word's embedding; in
# each later layer, the output of the layer below. Multiply each row by the number of x in the same line, then add up
# each column:

# %%
views.products("swam")

# %% [markdown]
# <details><summary><b>Why three vectors and not one?</b></summary>
#
# With one vector for everything, a word would mostly fit itself best, and *she* would fit *swam* exactly as well as
# *swam* fits *she*. With a query and a key, looking need not be mutual. And with its own value, a word can hand
# over something other than what it was found by.
# </details>

# %% [markdown]
# ## 3 · All words at once
#
# In **self-attention**, every word of a sentence looks at every word. The queries are the rows of a matrix Q, the keys
# of K, the values of V. One line computes all contexts, equation (1) of Vaswani et al. (2017), who built a network from
# attention, the **Transformer**:
#
# $$\operatorname{Attention}(Q, K, V) = \operatorname{softmax}\!\left(\frac{Q K^\top}{\sqrt{d_k}}\right) V$$
#
# Here $d_k$ (d for short) is how many numbers a query has: 4 above, 64 in a head of BERT-base.

# %%
from minibert.reference import attention
from minibert.course.widgets.source import show_source

show_source(attention, fold="The code: an exercise asks you to write it, so try that first")

# %% [markdown]
# Sometimes a word must not be seen. There are two reasons:
#
# - **padding**: several sequences are read at once, in a **batch**, and the shorter ones are padded with [PAD];
# - **the future**: a model that predicts the next word must not see it. Attention that hides later words is **causal**.
#   This is GPT's rule. BERT hides only padding.
#
# An **attention mask** says who may look at whom: `visible` in our code, True or False for each pair. (Hugging Face's
# `attention_mask` has one number for each token: 1, or 0 for padding.)
#
# Read the **heat map** row by row: each row is one word looking around. (Nobody uses the results of [PAD], so it has no
# rows.) Untick *Mask [PAD]*: how much attention is wasted? Then choose GPT's mask.

# %%
views.everyone()

# %% [markdown]
# <details><summary><b>Why does GPT's mask waste nothing on [PAD]?</b></summary>
#
# The padding comes last here, and no word may look to the right.
# </details>
#
# <details><summary><b>Why may BERT look to the right without cheating?</b></summary>
#
# Of the words that it must predict, 80% become [MASK], 10% another word, and 10% stay. BERT does not know which of the
# visible words it will be asked about, so it cannot just copy.
# </details>
#
# ### Why divide by √d?
#
# A dot product is a sum of d products. The more there are, the more the scores spread: their standard deviation grows
# like √d. With large scores the softmax is **saturated**: one key takes nearly everything. Untick the box, then choose
# another d.

# %%
views.large_scores()

# %% [markdown]
# With the division, the weights look alike for every d: no key takes all before anything has been learned. (What the
# division means for learning is in *Going further*, B.)
#
# ## 4 · Several heads
#
# *swam* asks two questions, **who** and **place**, but one softmax makes them share a single unit of attention. So BERT
# has several **heads**, each with its own softmax, $W^Q$, $W^K$ and $W^V$. (Here we just cut our four numbers.) Compare
# two heads with one, then with four. With four, two of the queries of *swam* are 0, and a head whose query is 0 looks
# equally at all words.

# %%
views.heads()

# %% [markdown]
# At the end, the results of all heads are put side by side again, and one more matrix, $W^O$, mixes them. BERT-base is
# 768 numbers wide and has 12 heads of 64.
#
# ## 5 · One layer of BERT
#
# After attention, a **feed-forward** network works on each word alone: two matrices with an **activation function**
# between them, which keeps positive numbers and makes negative ones almost 0. The network draws conclusions from what
# attention has collected: a place, and water, so the bank of a river. Each of the two parts is followed by a **residual
# connection**, which adds what came in, and a **LayerNorm**, which gives a word's numbers mean 0 and standard deviation
# 1, so that they do not grow with every layer, then scales and shifts them by learned numbers. BERT-base has twelve
# such layers, and the output of one is the input of the next. (*Going further*, D, shows what happens without these
# parts.)

# %%
views.layer_plan()

# %% [markdown]
# **Residual.** What would happen without it?

# %%
views.guess_without_residual()

# %% [markdown]
# ### Where is a word?
#
# *Dog bites man* or *man bites dog*: does our layer notice?

# %%
views.guess_order()

# %% [markdown]
# So a vector that depends only on the position is added to each word embedding, before the first layer. BERT learns a
# table of 512 such vectors; the first Transformer computed them (*Going further*, E).
#
# ## 6 · Your functions in a real model
#
# Now the English model fills a gap again. Its weights are the trained ones, but each of its 72 heads (6 layers of 12)
# calls *your* `score` for every pair of words, and *your* `mix` for every word.

# %%
views.with_mine(score, mix)

# %% [markdown]
# **Try:** untick *Divide by √d*, then write *Birds can [MASK].*
#
# <details><summary><b>What happens?</b></summary>
#
# The weights were trained with the division, so the model needs it. Without it, *dog* falls from 80% to 49%, and the
# likeliest word for the birds is no longer *fly* (46%) but *swim* (27%). In the exercise, you write the whole layer,
# and the model runs on that.
# </details>
#
# ### What do trained heads look at?
#
# A head's job may be to look at the token before, the token after, itself, [CLS] or [SEP]. We measured all 72 heads on
# four sentences, and noted which of the five gets the largest share of each head's attention.

# %%
views.guess_jobs()

# %% [markdown]
# The best head for each job was chosen on our four sentences. Is it as good on yours?

# %%
views.job()

# %% [markdown]
# Clark et al. (2019, *What Does BERT Look At?*, [arXiv 1906.04341](https://arxiv.org/abs/1906.04341), sections 3 and 4)
# found such heads in BERT, and some for parts of grammar, for example from an object to its verb. But a weight only
# says where one step of the calculation looks, not why the model says what it says. In 8 of our 12 test sentences, the
# word that [MASK] looks at most ([CLS], [SEP] and itself aside) is not the one whose hiding changes the prediction most
# (*Going further*, A; lesson 12).
#
# ## Check yourself

# %%
views.quiz()

# %% [markdown]
# ## In short
#
# - **Attention** compares a query with all keys, divides by √d, takes the softmax, and mixes the values.
# - **Masks** hide padding in BERT, and in GPT also the future.
# - **Heads** split the width between them, and each has its own softmax.
# - **In a layer**, attention mixes words, the feed-forward part works on each alone, and the residuals keep
#   the words distinct.
# - **Positions** must be added, or the order of the words is lost.
# - **Trained attention** says where a head looks, not always what matters most.
#
# **Next**: [the exercise](../exercises/02_attention/02_attention.ipynb), then lesson 3. What follows here goes further;
# each section can be read alone.

# %%
from minibert.course.widgets.guess_then_see import my_guesses

my_guesses()

# %% [markdown]
# ## Going further
#
# ### A · Does attention say what matters?
#
# We forbid everyone to look at one word, and measure how much probability moves at [MASK]. Does the attention that
# [MASK] gives to a word predict it? ([CLS], which gets most of it, [SEP] and [MASK] itself are left out.) The obvious
# rival is nearness: do words near the gap matter most? The **rank correlation** is 1 if two measures put the words in
# the same order, and 0 if the orders have nothing to do with each other.

# %%
views.what_matters()

# %% [markdown]
# In this model attention orders the words better than nearness. But for the one word that matters most, it is not the
# better guess. A value can be large where its weight is small, and a word also reaches [MASK] by detours, through its
# neighbours. Jain and Wallace (2019, *Attention is not Explanation*,
# [arXiv 1902.10186](https://arxiv.org/abs/1902.10186)) started a long debate; they studied recurrent networks with a
# single attention layer. Our own test has limits, too:
#
# - twelve sentences are few,
# - the mean over all heads is crude,
# - in training, the model never met a word that nobody may look at.
#
# ### B · The division and the gradient
#
# A model learns from **gradients**, which say how much a result changes when a number changes a little. The gradient of
# the largest weight p with respect to its query contains the factor $p\,(1-p)$, which is almost 0 if p is almost 1. Where
# it vanishes, nothing tells the model to look elsewhere.

# %%
views.gradients()

# %% [markdown]
# If the numbers in queries and keys have a standard deviation of 1, as the paper assumes, the gradient does vanish for
# large d. In a fresh BERT it is 0.55 (its initial weights of 0.02, times √768). Choose that: now the gradient is larger
# without the division at every d shown. What remains is the other half of the reason: without it, one key gets much of
# the attention at random, before anything is learned. √d and not d, because d independent products with variance 1 have a
# sum with variance d (Vaswani et al., section 3.2.1).
#
# ### C · How many parameters?
#
# **Parameters** are the learned numbers. Do more heads cost more of them?

# %%
views.guess_heads()

# %% [markdown]
# Below the layers, BERT adds up three embeddings: of the word, its position, and its **segment** (first or second text,
# lesson 3). Above them, the **pooler** computes tanh(W h + b) from the last vector h of [CLS], for tasks about the whole
# input. A **configuration** lists a model's sizes, here those of BERT-base under Hugging Face's names:

# %%
from minibert.config import preset

preset("base").to_dict()

# %% [markdown]
# With V tokens in the vocabulary, D numbers in a vector, and F = 4 D numbers inside the feed-forward part:
#
# | part | parameters |
# |---|---|
# | embeddings of words, positions, segments | (V + 512 + 2) · D |
# | attention, in each layer | 4 · (D² + D) |
# | feed-forward, in each layer | D·F + F + F·D + D |
# | LayerNorm, one after the embeddings and two in each layer | 2 · D each |
# | pooler | D² + D |
#
# BERT-base was made as large as GPT, to compare the two (Devlin et al., section 3). Build **BERT-large**: 24 layers, 1024
# wide. Which costs more, twice the depth or twice the width?

# %%
views.sizes()

# %% [markdown]
# <details><summary><b>Answer</b></summary>
#
# Width: most parameters are in matrices whose two sides both grow with it. BERT-base has 109,482,240 parameters,
# BERT-large 335,141,888; the paper rounds both, to 110M and 340M.
# </details>
#
# <details><summary><b>Are more heads better?</b></summary>
#
# Each of 768 heads would compare a single number. The Transformer paper tried several numbers of heads, measured by
# **BLEU**, a score of translations where higher is better (base model, English to German, newstest2013; Vaswani et
# al., table 3, rows A and B):
#
# | heads | 1 | 4 | 8 | 16 | 32 | 8 | 8 |
# |---|---|---|---|---|---|---|---|
# | $d_k$, numbers in a query | 512 | 128 | 64 | 32 | 16 | 32 | 16 |
# | BLEU | 24.9 | 25.5 | 25.8 | 25.8 | 25.4 | 25.4 | 25.1 |
#
# In the first five columns, heads times $d_k$ is always 512: more heads, but narrower ones, so the two effects are mixed.
# In the last two only $d_k$ is smaller than in the third, and BLEU falls. (These models also have fewer parameters.)
# </details>
#
# ### D · Details of the layer
#
# **LayerNorm.** Switch it off, with the residual on. What happens to the size of the numbers?

# %%
views.depth()

# %% [markdown]
# <details><summary><b>Answer</b></summary>
#
# Every layer adds to them, and nothing brings them back, so they grow from layer to layer. LayerNorm keeps their size.
# Now make the weights twice as large: the words become alike even with the residual, which only slows the averaging.
# </details>
#
# **Feed-forward.** Attention can only average. To notice that a word is a place *and* has to do with water, the layer
# needs a step that is not an average. Each column of the first matrix is a **neuron**. Here are two, written by hand:

# %%
views.neurons()

# %% [markdown]
# BERT-base has 3,072 neurons in each layer. **GELU**, BERT's activation function, is a smooth version of **ReLU**, which
# sets negative numbers to 0 ([arXiv 1606.08415](https://arxiv.org/abs/1606.08415)). In training only, **dropout** sets each
# number to 0 with probability 0.1 and scales up the rest, so that the model cannot rely on any single one (Devlin et al.,
# appendix A.2).
#
# **Post-norm** puts LayerNorm after the residual, as in BERT. **Pre-norm**, in many later models, puts LayerNorm before
# each part f:
#
# $$\text{post-norm: } \operatorname{LayerNorm}(x + f(x)) \qquad \text{pre-norm: } x + f(\operatorname{LayerNorm}(x))$$
#
# At the start of training, post-norm has large gradients near the output, so the first steps must be small (a *warm-up*,
# lesson 5). With pre-norm, Xiong et al. (2020, [arXiv 2002.04745](https://arxiv.org/abs/2002.04745)) could train without
# one.
#
# ### E · Positions, computed or learned
#
# The first Transformer computes the vector of position t as a **positional encoding**: sines and cosines, whose waves are
# fast at the beginning of its D numbers (i = 0) and slow at the end.
#
# $$PE_{t,2i} = \sin\!\left(t / 10000^{2i/D}\right) \qquad PE_{t,2i+1} = \cos\!\left(t / 10000^{2i/D}\right)$$
#
# Change the position. The curve of the waves keeps its shape, because the dot product of two positions depends only on
# their distance. A head can also learn direction: for every fixed step, say two to the left, one and the same matrix
# turns the vector of t into that of t − 2 (Vaswani et al., section 3.5). BERT's table has nothing of this built in. Has
# the English model learned it?

# %%
views.positions()

# %% [markdown]
# Only partly. Neighbours have a cosine of about 0.88 almost everywhere (position 0, always [CLS], is different), but far
# positions do not keep the pattern.
# In translation, both are equally good: BLEU 25.8 with waves and 25.7 with a learned table (Vaswani et al., table 3, row
# E). The waves go on for ever; a table ends, in BERT at 512 tokens.
#
# ### F · The first Transformer was a translator
#
# Before it, a recurrent network read word 5 only after words 1 to 4. In attention, all rows are one matrix product, and
# any two words are one step apart. The price: the weights are T² numbers, where T is the number of tokens: at 512,
# 262,144 for each of 12 heads in 12 layers.
#
# The Transformer's **encoder** reads English, its **decoder** writes German, word by word. In **cross-attention**, the
# query, from the German text so far, meets the keys and values of the English words. In **greedy decoding**, the
# decoder writes the likeliest word, reads all it has written, and writes the next. BERT is an encoder alone. (The base
# model: 6 + 6 layers, 512 wide, 8 heads, 65 million parameters; Vaswani et al., table 3.)
#
# | attention | queries from | keys and values from | visible | who has it |
# |---|---|---|---|---|
# | encoder self-attention | the text | the same text | all but padding | BERT, translator |
# | decoder self-attention | the text so far | the text so far | itself and what came before | GPT, translator |
# | cross-attention | the text so far | the other text | all but padding | translator |
#
# We train a small translator on 1,200 toy sentences, in about ten seconds. In German the participle comes last
# (*gekauft*, bought), and the article (as object) is *den*, *die* or *das*, as the noun demands. So when the decoder
# writes the article, it has to know the noun. Does it look at it, and does it need to?

# %%
views.translator()

# %% [markdown]
# Yes, in one head it looks at the noun. (Each row is the word being written; its query comes from the word before.) And
# it needs to: without the noun it is as good as chance among three.
#
# ### Papers
#
# - Vaswani et al. (2017), *Attention Is All You Need*, [arXiv 1706.03762](https://arxiv.org/abs/1706.03762): section
#   3.2 (attention, heads), 3.3 (feed-forward), 3.5 (positions), table 3 (what each part is worth).
# - Devlin et al. (2019), *BERT*, [arXiv 1810.04805](https://arxiv.org/abs/1810.04805): section 3 (sizes), figure 2
#   (input).
# - Ba et al. (2016), *Layer Normalization*, [arXiv 1607.06450](https://arxiv.org/abs/1607.06450): section 3.
# - In the package: the whole model on one page in NumPy, `minibert/reference/bert.py`; the encoder in PyTorch,
#   `minibert/model/encoder.py`.
