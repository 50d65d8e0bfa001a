# %% [markdown]
# # 11 · Small BERTs: distil, quantise, prune, replace
#
# How small and how fast can BERT become before it gets worse, and what does each way cost? Below, a model and a smaller
# copy of it fill the same gap. Write your own sentence, with `[MASK]` for the gap, and make the copy smaller in four
# ways. Which ways save megabytes, and which save milliseconds?
#
# **After this lesson you can**
#
# - say where a model's megabytes and milliseconds are,
# - train a small model with the answers of a large one,
# - store weights in few bits, and say what one large weight costs,
# - remove heads and layers, and say why zeros save nothing,
# - choose a model for a budget, and say what a published number is relative to.
#
# **You need** lessons 2, 4, 5 and 6. **Time:** about 50 minutes up to the quiz with guessing, playing and writing; the
# code alone runs in about a minute on two cores. **Difficulty:** ●●○
#
# Run the cells in order with Shift + Enter. Three functions, marked **Your turn**, are yours to write, and later cells
# use them.

# %%
import minibert
from minibert.course.unit11 import views

english = minibert.load("english")
views.shrink(english)

# %% [markdown]
# (Without a network, a small model of a generated language is used; then the words below differ.)

# %%
from minibert.course.widgets.here import here

here(11)

# %% [markdown]
# ## 1 · A budget of megabytes and milliseconds
#
# A phone app has room for 30 MB, and its users wait 20 milliseconds at most: such limits decide which model you can
# use. The time from a text to its answer is the **latency**. How do the two depend on the model?
#
# **Your turn.** Each weight is stored in a number of bits, 32 in an ordinary file.

# %%
from minibert.course.widgets.try_it import try_it

def megabytes(parameters, bits):
    """Return the size of a file. A byte has 8 bits, a megabyte a million bytes.

    >>> megabytes(1_000_000, 32)
    4.0
    >>> megabytes(8_000_000, 4)
    4.0
    """
    ...

try_it(megabytes)

# %% [markdown]
# <details><summary><b>One way to write it</b></summary>
#
# ```python
# def megabytes(parameters, bits):
#     return parameters * bits / 8 / 1_000_000
# ```
#
# </details>
#
# Suppose half of the layers are removed:

# %%
views.guess_half_the_layers(english)

# %% [markdown]
# With your function, here is what each part stores, and how much it computes:

# %%
views.where_it_is(english, megabytes)

# %% [markdown]
# The embeddings are a large table, but each token only looks up one row: the work is in the layers. (To fill a gap, the
# table is used once more, about a tenth of the work for a short sentence.) Our model has half of BERT-base's layers and
# half of its hidden size, so its embeddings weigh more.
#
# There are four ways to get smaller. You can **teach** a smaller model (sections 2 and 3), store each weight in **fewer
# bits** (section 4), **remove** parts (section 5), or **replace** parts one by one (after the quiz).
#
# ## 2 · A teacher says more than a label
#
# *She poured hot ▨ into her cup.* The label says *water*, and nothing else. A trained model also says that *tea* and
# *milk* are possible, and *stone* hardly. In **knowledge distillation**, a small model, the student, is trained to give
# the same probabilities as a large one, the teacher (Hinton et al., 2015). These probabilities are the **soft
# targets**.
#
# If the teacher is very sure, its soft targets are hardly softer than a label. So both models' logits are divided by a
# **temperature** T before the softmax: above 1, it brings the probabilities closer together, below 1 further apart.
#
# **Your turn.**

# %%
import numpy as np

def soften(scores, temperature):
    """Return softmax(scores / temperature) of an array of scores.

    >>> soften(np.log([1.0, 9.0]), 1.0)
    array([0.1, 0.9])
    >>> soften(np.log([1.0, 9.0]), 2.0)
    array([0.25, 0.75])
    """
    ...

try_it(soften)

# %% [markdown]
# <details><summary><b>One way to write it</b></summary>
#
# ```python
# def soften(scores, temperature):
#     exps = np.exp((scores - scores.max()) / temperature)
#     return exps / exps.sum()
# ```
#
# </details>
#
# Now your function softens an answer of which the English model is sure. Raise the temperature. At which T does *day*
# get the most? Who gets more and more?

# %%
views.temperature(english, soften)

# %% [markdown]
# *Relative to the winner*, each rival grows with T. But among 30,522 words, the long tail soon gets nearly all of the
# probability, so T stays small (2 in the run below). An answer with two classes has no tail.
#
# The loss is the cross-entropy of the two softened answers, times T². Without T², the gradient would shrink with the
# square of the temperature, so changing T would also change the learning rate.
#
# ## 3 · Which layers does the student start with?
#
# Students such as DistilBERT (Sanh et al., 2019) do not start from scratch: they copy layers of their teacher. Which ones?

# %%
views.guess_layers(english)

# %% [markdown]
# Choose layers yourself. Which single layer would you keep, and which pair?

# %%
views.keep_layers(english)

# %% [markdown]
# The top layers expect hidden states that only the lower layers can make. Can training repair even this start? Two
# students start with the top half and read the same sentences of a book. One learns from the teacher's soft targets, the
# other from the masked words alone, as in pretraining. (`start` may also be "bottom" or "every".)

# %%
views.teach(english, start="top")

# %% [markdown]
# Both recover a good part within seconds. Whether the teacher helped more than the labels, one seed and 40 steps cannot
# say. Nor is the best start before training the best one after it: on film reviews, in one run each, every second layer
# won (79% of 400 reviews that the teacher knew; the bottom half 74%, the top half 72%). DistilBERT starts like this, and so
# do the students of section 6.
#
# ## 4 · Fewer bits for each weight
#
# **Quantisation** stores each weight as a small whole number, times a step. With 8 bits, the whole numbers go from −127
# to 127, so the largest weight decides the step. Everything smaller than half a step becomes 0.
#
# **Your turn.** Round weights to whole multiples of the step. With `bits` bits, the largest multiple is
# `2 ** (bits - 1) - 1`.

# %%
def rounded(weights, largest, bits):
    """Return the weights, rounded to multiples of a step; `largest` is the last multiple.

    >>> rounded(np.array([0.3, -1.0, 0.6]), 1.0, 2)
    array([ 0., -1.,  1.])
    >>> rounded(np.array([0.25, -6.0, 2.5]), 6.0, 3)
    array([ 0., -6.,  2.])
    """
    ...

try_it(rounded)

# %% [markdown]
# <details><summary><b>One way to write it</b></summary>
#
# ```python
# def rounded(weights, largest, bits):
#     step = largest / (2 ** (bits - 1) - 1)
#     return np.round(weights / step) * step
# ```
#
# </details>

# %%
views.guess_bits(english)

# %% [markdown]
# One outlier is enough: a weight that is ten times as large as the others makes the step ten times as large. With 8
# bits, the others then keep few values; with 5 bits, most become 0. If each row of the matrix, or each group of 128
# weights, has its own step, an outlier only hurts its neighbours (Q-BERT's idea; Shen et al., 2020). Your function now
# rounds every matrix of the model. Find the outliers on the left, and the fewest bits with which the model still works:

# %%
views.fewer_bits(english, rounded)

# %% [markdown]
# Is a model of 8-bit numbers faster, too? Only if both the machine and the program multiply 8-bit numbers; our view turns
# them back into 32 bits first. So latency has to be measured. If rounding costs too much, the model is trained further
# with rounded weights (Q-BERT with 2 to 4 bits; Q8BERT even with 8).
#
# ## 5 · Heads removed one by one
#
# **Pruning** removes weights. Which ones are needed least? For single weights, **magnitude pruning** takes those closest
# to 0. Guess what that brings:

# %%
views.guess_zeros(english)

# %% [markdown]
# **Structured pruning** removes whole heads, columns of the feed-forward part, or layers, so that the matrices really
# shrink. Here heads go one by one, those first whose gradients say, on other sentences, that the loss needs them least
# (Michel et al., 2019; lesson 12). Find the place where the model begins to fail. Then remove heads *at random*: how much
# better is the careful order?

# %%
views.remove_heads(english)

# %% [markdown]
# ## 6 · Everything on one chart
#
# We took the English model for sentiment in film reviews, and made it smaller in the ways of this lesson. Students read
# 1,000 reviews twice, or *all* 3,600; all models are scored on 600 others. Whatever is trained or random has three seeds
# (vertical lines: lowest to highest). Times are for one text on one thread, alternating with the original. Grey points
# are controls: the same student without a teacher, heads removed at random, a faster program, and simpler models.

# %%
views.chart()

# %% [markdown]
# **Try:** which models does the phone app of section 1 get (30 MB, 20 milliseconds)? What if it had 80 MB and
# 10 milliseconds? Then see what the controls say. On 600 reviews, differences below about 3 points say little.

# %%
views.controls()

# %% [markdown]
# Why does half of the layers cost so much? Our original is itself small, distilled from a larger model (lesson 1), and our
# students read reviews only, while DistilBERT was first distilled on plain text. Also compare the two programs: part of
# what 8 bits seem to save, *32 bits in ONNX Runtime* saves, too.
#
# ### What a published table hides
#
# Surveys list small BERTs with three numbers: times smaller, times faster, percent of the score. Of what?

# %%
views.two_numbers()

# %% [markdown]
# ALBERT's speeds are relative to BERT-*large*, and they are speeds of *training*, not of answering. On slides you may
# also meet a DistilBERT that is 2.5 times smaller and keeps 90%; its paper says 40% smaller, and 97% of BERT-base's score
# on GLUE. Other rows have other tasks, other sets (dev or test), other machines (a phone, a TPU, one CPU), and often one
# seed, so two rows can rarely be compared. Measure on your own task, next to the original.
#
# ## In short
#
# - Embeddings cost megabytes, layers cost both megabytes and milliseconds.
# - Soft targets say which wrong answers are nearly right. A temperature brings them closer to the winner; T² keeps the
#   gradient.
# - A student may start with layers of its teacher. Untrained, the lower ones do best; after training, perhaps others.
# - The largest weight decides the step: few bits need small groups. Fewer bits are only faster if integers are used.
# - Zeros save nothing by themselves; removing rows, heads or layers does.
# - Compare with controls: the same student without a teacher, random heads, the same program, a simple model.
#
# ## Check yourself
#
# Try the wrong choices, too: each is explained.

# %%
from minibert.course.widgets.guess_then_see import my_guesses

views.quiz()

# %% [markdown]
# And your guesses:

# %%
my_guesses()

# %% [markdown]
# ## Going further
#
# Each section can be read alone.
#
# ### More than the answer
#
# A student can learn more than the answer. Choose a method, and see what it compares. These students have the width of
# their teacher; another width, such as TinyBERT's, needs a learned projection between the two.

# %%
views.what_is_compared()

# %% [markdown]
# ### Read the papers' numbers
#
# Find two rows whose scores may be compared.

# %%
views.published()

# %% [markdown]
# ### Replace modules one by one
#
# The ship of Theseus had all its planks replaced, one at a time. **BERT-of-Theseus** (Xu et al., 2020) does this with
# layers: while the model is fine-tuned, each pair of old layers is replaced at random by one new layer, more and more
# often, until only new ones are left. There is no loss but that of the task. New layers learn to work between old ones
# that already work.

# %%
views.replacing()

# %% [markdown]
# In the chart of section 6, find *Theseus* and compare it with the student that had labels only: both have three layers,
# and were trained on the same reviews.
#
# ### A student that is no BERT
#
# Tang et al. (2019) distilled BERT into a BiLSTM, which reads a sentence in both directions (lesson 9). It imitates the
# logits themselves, by their squared difference. They also made many more sentences for the teacher to label, by masking
# and exchanging words: soft targets need no labels, only text. Before you train a small student, look at the bag of words in
# our chart, which is smaller and faster than any BERT: if it is good enough for you, you need none.
#
# ### Weights that move away from 0
#
# Magnitude pruning keeps the large weights, but in fine-tuning the large ones are those of pretraining. **Movement
# pruning** (Sanh et al., 2020) keeps those that move away from 0 while the model is fine-tuned. With
# few weights left (3% to 15%), it does far better than magnitude in their figures; with most of them left, magnitude does
# better. With both, the file only becomes smaller if it stores where the zeros are.
#
# ### Do small networks hide in large ones?
#
# The lottery ticket hypothesis says that a large network contains a small one, a *winning ticket*, which would reach
# the same score if it were trained alone from the same initial weights (Frankle and Carbin, 2019). For BERT, the initial
# weights are the pretrained ones. Chen et al. (2020) found such subnetworks, with 40% to 90% of the weights removed,
# depending on the task. But Prasanna et al. (2020) fine-tuned the parts that pruning calls *bad*, and found that most
# of these reach a similar score too: "all tickets are winning". So a small part that works does not show that
# it was special, nor that its heads are the ones that know something. The control is a random part of the same size,
# trained just as long. (See the controls in section 6: before training, the careful choice of heads is far better than a
# random one; after 40 steps, the two are not separated.)
#
# ### Take it with you
#
# A fine-tuned model becomes a file that other programs run, without Python or PyTorch: `minibert export MODEL --to onnx`
# writes it in the ONNX format, and `--int8` stores its weights in 8 bits, which ONNX Runtime multiplies as integers.
# Compare both ONNX models in the chart: what does the program bring, and what do the integers add?
#
# ## Read on
#
# | paper | look for |
# |---|---|
# | Hinton et al. (2015): [Distilling the knowledge in a neural network](https://arxiv.org/abs/1503.02531) | section 2: T and T² |
# | Sanh et al. (2019): [DistilBERT](https://arxiv.org/abs/1910.01108) | tables 1 and 3 |
# | Sun et al. (2019): [Patient knowledge distillation](https://arxiv.org/abs/1908.09355); Jiao et al. (2020): [TinyBERT](https://arxiv.org/abs/1909.10351) | what is compared in each layer |
# | Tang et al. (2019): [BERT into simple neural networks](https://arxiv.org/abs/1903.12136); Turc et al. (2019): [Well-read students](https://arxiv.org/abs/1908.08962) | a BiLSTM; 24 small BERTs, pretrained |
# | Sun et al. (2020): [MobileBERT](https://arxiv.org/abs/2004.02984); Zhao et al. (2019): [Extreme compression](https://arxiv.org/abs/1909.11687v1); Tsai et al. (2019): [MiniBERT](https://arxiv.org/abs/1909.00100); Aguilar et al. (2020): [internal representations](https://arxiv.org/abs/1910.03723) | what their speeds are relative to |
# | Zafrir et al. (2019): [Q8BERT](https://arxiv.org/abs/1910.06188); Shen et al. (2020): [Q-BERT](https://arxiv.org/abs/1909.05840) | training with rounded weights; groups |
# | Michel et al. (2019): [Are sixteen heads better than one?](https://arxiv.org/abs/1905.10650); Sanh et al. (2020): [Movement pruning](https://arxiv.org/abs/2005.07683) | which parts to remove |
# | Xu et al. (2020): [BERT-of-Theseus](https://arxiv.org/abs/2002.02925); Lan et al. (2020): [ALBERT](https://arxiv.org/abs/1909.11942) | replacing; sharing (lesson 10) |
# | Frankle and Carbin (2019): [The lottery ticket hypothesis](https://arxiv.org/abs/1803.03635); Chen et al. (2020): [for BERT](https://arxiv.org/abs/2007.12223); Prasanna et al. (2020): [all tickets are winning](https://arxiv.org/abs/2005.00561) | the controls |
#
# In the package: `minibert/finetuning/compression/`, one idea per file, and `minibert/course/unit11/experiments/`; every
# stored score comes from `benchmarks/small_berts.py`.
#
# **Next**: [the exercise](../exercises/11_small_berts/11_small_berts.ipynb). You write the loss with its T², int8, a mask
# for pruning and Theseus's step, and find three bugs in a linear layer of integers.
