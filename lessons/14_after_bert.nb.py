# %% [markdown]
# # 14 · After BERT: search, text, and where it stands today
#
# Type a question about this course. On your computer, a model compares its meaning with every section of all lessons,
# and shows the sections that may answer it. How does this work, can a BERT also write, and who still uses one?
#
# **After this lesson you can**
#
# - search by meaning, and say when to count words instead,
# - say how an encoder learns to compare texts,
# - write text with a masked language model in three ways, and say why GPT writes better,
# - say which models read and which write today.
#
# **You need** lessons 1 to 6. **Time:** about 50 minutes up to the quiz with guessing, playing and writing; the
# code alone runs in half a minute on two cores. **Difficulty:** ●●○
#
# Run the cells in order with Shift + Enter. Functions marked **Your turn** are yours to write.

# %%
from minibert.course.unit14 import views

views.ask_the_course()

# %% [markdown]
# (The first run takes some seconds: the model reads all lessons. If a message names the course's own model, that model
# takes the place of the English one, and cannot search.)

# %%
from minibert.course.widgets.here import here

here(14)

# %% [markdown]
# ## 1 · Search by meaning
#
# **BM25** counts words: a text gets points for each word of the question that it contains. Rare words give more points,
# repetitions fewer and fewer, and long texts are penalised. But it does not know that *quick* and *fast* mean nearly the
# same.
#
# The other way is a **sentence vector**: one vector for a whole text, here the mean of its last hidden states. Texts with
# a similar meaning should have a high cosine similarity. All sections are encoded once, before anybody asks.
#
# **Your turn.** Compare two vectors.

# %%
import numpy as np
from minibert.course.widgets.try_it import try_it

def cosine(a, b):
    """Return the dot product of two vectors, divided by both lengths, as a float.

    >>> cosine(np.array([3.0, 4.0]), np.array([6.0, 8.0]))
    1.0
    >>> cosine(np.array([2.0, 0.0]), np.array([3.0, 4.0]))
    0.6
    """
    ...

try_it(cosine)

# %% [markdown]
# <details><summary><b>One way to write it</b></summary>
#
# ```python
# def cosine(a, b):
#     return float(a @ b / np.sqrt((a @ a) * (b @ b)))
# ```
#
# </details>
#
# Your function now compares your question with every passage of the course. *Both* combines the two: a section gets
# 1 / (60 + its rank) from each (**reciprocal rank fusion**). Find a question that only one of the two can answer.

# %%
views.three_ways(cosine)

# %% [markdown]
# These vectors come from a published encoder that was trained on pairs of texts. Further training on masked tokens made
# it our English model (lesson 1). Can that search, too?

# %%
views.guess_search()

# %% [markdown]
# With only 60 questions, BM25 and the published encoder are not separated. But the training on masked words did great
# harm: these weights could search before. BERT itself is no better. On sentence similarity (rank correlation
# with people's judgements × 100, mean of seven data sets), averaged GloVe vectors get 61.3, the mean of BERT's
# tokens 54.8, and [CLS] 29.2 (Reimers and Gurevych, 2019, table 1).
#
# Why? A masked language model is never asked to compare two texts. Its vectors must help to predict words, and they share
# large components that say nothing about the meaning (*anisotropy*, lesson 12).
#
# ### The other answers of the batch
#
# So train it to compare. **Sentence-BERT** (Reimers and Gurevych, 2019) runs the same encoder on both texts of a pair,
# such as a question and its answer. Wrong answers, called **negatives**, need no author: in a batch of B pairs, the other
# B − 1 answers are wrong for my question. These are **in-batch negatives**.
#
# That gives B × B cosines, each divided by a temperature of 0.05 (lesson 11). Each row, a question, has a softmax over
# the answers; the right one is on the diagonal.
#
# **Your turn.** Compute the cross-entropy loss, averaged over the rows.

# %%
def batch_loss(scores):
    """Return the mean over rows i of -log softmax(row i) at column i, as a float. scores: (B, B).

    >>> batch_loss(np.zeros((4, 4)))
    1.386...
    >>> batch_loss(np.array([[2.0, 0.0], [0.0, 0.0]]))
    0.410...
    """
    ...

try_it(batch_loss)

# %% [markdown]
# <details><summary><b>One way to write it</b></summary>
#
# ```python
# def batch_loss(scores):
#     exps = np.exp(scores - scores.max(axis=1, keepdims=True))
#     return float(-np.log(np.diag(exps) / exps.sum(axis=1)).mean())
# ```
#
# </details>
#
# Six questions and their answers, with hardly a word in common, before and after such training:

# %%
views.before_and_after(batch_loss)

# %% [markdown]
# The loss asks for a higher cosine on the diagonal than elsewhere in the row. This removes what all texts share. (In the
# chart above, 40 steps hardly helped: the published encoder read a billion pairs.)
#
# <details><summary><b>Why not give BERT both texts at once, as in lesson 4?</b></summary>
#
# Such a **cross-encoder** judges a pair better, because the tokens of both texts see each other. But it must run once
# for each pair. To find the most similar pair among 10,000 sentences, it would need 50 million runs, about 65 hours;
# with sentence vectors it takes about 5 seconds (Reimers and Gurevych, 2019, abstract). Search engines use both: vectors
# and BM25 find a hundred candidates, a cross-encoder sorts these (Nogueira and Cho, 2019).
# </details>
#
# ## 2 · Text from BERT
#
# GPT writes from left to right. BERT can only fill gaps. So mask one word, draw it again from the model's probabilities,
# go to another word, and repeat: this is **Gibbs sampling** (Wang and Cho, 2019). A **sweep** visits each word once.
#
# **Your turn.** Write one step.

# %%
def draw_again(words, place, predict, rng):
    """Return a copy of the words, in which the one at `place` is masked with "[MASK]", then drawn.

    predict(words with "[MASK]") returns (candidates, their probabilities); str(rng.choice(...)) draws one.

    >>> draw_again(["a", "big", "dog"], 1, lambda words: (["small"], [1.0]), np.random.default_rng(0))
    ['a', 'small', 'dog']
    >>> draw_again(["a", "dog"], 0, lambda words: ([words[0], "x"], [1.0, 0.0]), np.random.default_rng(0))
    ['[MASK]', 'dog']
    """
    ...

try_it(draw_again)

# %% [markdown]
# <details><summary><b>One way to write it</b></summary>
#
# ```python
# def draw_again(words, place, predict, rng):
#     masked = [*words[:place], "[MASK]", *words[place + 1:]]
#     candidates, probabilities = predict(masked)
#     return [*words[:place], str(rng.choice(candidates, p=probabilities)), *words[place + 1:]]
# ```
#
# </details>
#
# The English model writes with your function, a row for each sweep. (The candidates are its 50 likeliest words.) Read a
# few draws. How soon is the start forgotten? Then start from only [MASK].

# %%
views.chain(draw_again)

# %% [markdown]
# ### Is there one distribution behind it?
#
# If the probabilities at all gaps belong to one joint distribution of the words (here, a **Markov random field**), Gibbs
# sampling leads to it. Wang and Cho first wrote that BERT is such a field. Their later note says that it is not: BERT's
# answers at different gaps need not fit together. A test: how much better does *dog barked, cat slept* fit
# than *dog slept, cat barked*? With one joint distribution, we could ask at the noun or at the verb, and get the same
# number.

# %%
views.two_answers()

# %% [markdown]
# So nobody knows where such a chain leads. **Metropolis-Hastings** repairs this (Goyal et al., 2022). The drawn word is
# only a proposal. Both texts get a score, the sum of the log probabilities of all words, each masked by itself. A better
# text is usually accepted, a worse one rarely, so that in the long run, texts have probabilities proportional to
# $e^{\text{score}}$. Choose it above. The price: each step reads the text once for each word, and many proposals are
# rejected, so the chain moves slowly: it **mixes** badly.
#
# ### All words at once
#
# **Mask-Predict** (Ghazvininejad et al., 2019) fills all n gaps at once, then masks the least certain words again, fewer
# each time: n (T − t) / T of them at t = 0, 1, … T − 1 (**linear decay**). It was made for translation, where the source
# says what to write. Here only the rest of the sentence does. At t = 0, the gaps do not know of each other, so
# words are repeated. Are they repaired?

# %%
views.mask_predict_steps()

# %% [markdown]
# The length must be known before. The paper's model predicts likely lengths with a token [LENGTH], writes with each, and
# keeps the text with the highest mean certainty, as in the lower table.
#
# ### Does it write as well as GPT?
#
# In our generated language, an exact reader says which sentences are grammatical.

# %%
views.guess_writes()

# %% [markdown]
# At the start, BERT sees only [MASK], so its first words are nearly random, and later ones have to fit these. And if
# the start is a real text?

# %%
views.over_sweeps()

# %% [markdown]
# A draw may go wrong, and the next ones read the error. GPT draws each word once. Metropolis-Hastings changes the fewest
# words: eight sweeps are far too few for it. These are small models and few texts; Wang and Cho found BERT's
# text only slightly worse than a left-to-right model's, and more diverse. Read some of ours:

# %%
views.samples()

# %% [markdown]
# ### Give it a decoder
#
# A model for translation or summaries has an encoder and a decoder (lesson 2). Both can start from BERT's checkpoint
# (Rothe et al., 2020):

# %%
views.decoder_parts()

# %% [markdown]
# Then the whole model is trained on pairs of texts. This did better than from scratch in translation, summarisation, and
# splitting and fusing sentences.
#
# ## 3 · Where it stands today
#
# In October 2019, a year after BERT, Google said that it helps with one in ten English searches in the United States; in
# October 2020, with almost every English query. Meanwhile, the field has split in two:

# %%
views.family()

# %% [markdown]
# - Encoders read: they search, classify, tag and filter. They are small, and run on a laptop.
# - Decoders write. GPT-2 (2019) did some tasks without fine-tuning: the task was part of the text, the *prompt*.
#   With more weights and text, this led to ChatGPT.
# - Encoder-decoders rewrite. In T5 (Raffel et al., 2020), every task is text in, text out, even if the answer is a
#   label.
#
# A large decoder can do an encoder's tasks, too, at a higher price. Many systems use both: an encoder finds texts, and a
# decoder writes the answer from them (**retrieval-augmented generation**).
#
# What would 2018's BERT cost now?

# %%
views.guess_cost()

# %% [markdown]
# This uses our measured speed (lesson 5); we did not run it that long. A modern recipe needs less: MosaicBERT
# reached 79.6 on GLUE (dev sets) after 1.13 hours on eight A100s, for about 20 dollars (Portes et al., 2023, abstract).
#
# ### What came first on the leaderboard
#
# New models used to compete for the first place on GLUE (lesson 6). Ten that were at or near the top by 2021:

# %%
views.first_ten()

# %% [markdown]
# Nine are encoders, and none is a decoder. Soon little headroom was left, also on the harder SuperGLUE. Today decoders are
# compared by what they write, encoders mostly by search and similarity (MTEB, Muennighoff et al., 2023).
#
# ## In short
#
# - BM25 finds the same words, sentence vectors other words with the same meaning.
# - A masked language model is poor at search, until it is trained on pairs with in-batch negatives.
# - BERT writes by Gibbs sampling, though no joint distribution fits its answers. Metropolis-Hastings has one, and mixes
#   badly. Mask-Predict writes in a few iterations.
# - It writes worse than GPT. A decoder can start from its weights.
# - Today encoders read and decoders write.
#
# **Next**: [the exercise](../exercises/14_after_bert/14_after_bert.ipynb).
#
# ## Check yourself

# %%
from minibert.course.widgets.guess_then_see import my_guesses

views.quiz()

# %% [markdown]
# Your guesses:

# %%
my_guesses()

# %% [markdown]
# ## Going further
#
# Each section can be read alone, once this cell has run.

# %%
import minibert

english = minibert.load("english")

# %% [markdown]
# ### A · Long texts: windows and global tokens
#
# BERT reads at most 512 tokens. Full attention compares every token with every other one, so a text of twice the
# length has four times the pairs. In **Longformer** (Beltagy et al., 2020), a token attends only to its neighbours, a
# **sliding window**. A few **global tokens** attend to all tokens, and all attend to them: [CLS] in classification,
# the question in question answering. **BigBird** (Zaheer et al., 2020) adds random tokens.
#
# **Your turn.** Which pairs are computed?

# %%
def attends(query, key, reach, far):
    """Return whether the token at `query` attends to the one at `key`; `far` has the global positions.

    >>> attends(7, 5, 2, [0])
    True
    >>> attends(5, 8, 2, [0])
    False
    >>> attends(0, 9, 2, [0])
    True
    """
    ...

try_it(attends)

# %% [markdown]
# <details><summary><b>One way to write it</b></summary>
#
# ```python
# def attends(query, key, reach, far):
#     return abs(query - key) <= reach or query in far or key in far
# ```
#
# </details>
#
# Your function makes the left picture; with a global token, it is symmetric. Raise the layers: of how many tokens can
# the last one know? How many layers does a window need for all of them, and how many with a global token?

# %%
views.who_reads_whom(attends)

# %% [markdown]
# Through a window, information moves by at most the reach in each layer. Longformer has 256 tokens on each side and
# 12 layers, so 3,072 tokens at most.
#
# A mask alone saves nothing: the program must not compute the other pairs at all. Then time and memory grow with the
# length T, not with its square, and the result is the same:

# %%
views.growth()

# %% [markdown]
# (The full attention slows down even more than its pairs say, probably because its matrix no longer fits into the
# processor's cache.)
#
# **An answer 2,000 tokens away.** A generated text starts with one of eight words, then comes filler, and at the end
# the question: which word was it? Small models learn this at all distances. Their windows reach 32 tokens. The
# control is asked after the word was removed.

# %%
views.far_answer()

# %% [markdown]
# Depth times reach is a wall: no training helps beyond it. One global token is enough to get around it, at hardly any
# cost.
#
# ### B · Many languages in one model
#
# **Multilingual BERT** (mBERT, 2018) has one vocabulary of 110,000 tokens and one encoder for the Wikipedias in 104
# languages. Before sampling, each language's share is raised to the power of 0.7 (lesson 3): without that, says its
# README, English would be sampled 1,000 times as often as Icelandic, with it, about 100 times.
#
# **Fertility** is the mean number of tokens per word (Rust et al., 2021). We measure it on articles of the Universal
# Declaration of Human Rights, after a vocabulary of 900 tokens was trained on its other articles. How often each
# language counts there is invented, except for English and Icelandic: 1,000 to 1. Lower the exponent: who gains, who
# pays?

# %%
views.shared_vocabulary(english)

# %% [markdown]
# The diamonds are the English model's own vocabulary: more than thirty times as large, and yet Russian is spelled
# nearly letter by letter.
#
# **CamemBERT** (Martin et al., 2020) goes the other way: a RoBERTa for French alone, with its own 32,000 tokens,
# trained on 138 GB of French from the web. In its authors' experiments, 4 GB of it did about as well. But many
# languages have less than that, and borrow from the others in a shared model.
#
# What is borrowed? Fine-tune mBERT with English examples only, and it also does the task in other languages:
# **zero-shot transfer** (Pires et al., 2019). It works best between similar languages, but even across scripts. This
# is their result; our own models know one language.
#
# ### C · BERTs for a domain
#
# How does the vocabulary cut the words of a subject? Add words of yours.

# %%
views.cut_words(english)

# %% [markdown]
# There are two ways to a domain. Pretrain from scratch on its text, with a new vocabulary that keeps its words whole:
# that needs much text and the whole price. Or pretrain BERT further (lesson 5), and keep its vocabulary:

# %%
views.domain_models()

# %% [markdown]
# SciBERT's authors tried both vocabularies. Their own helps, but they suspect that most of the gain comes from the
# text.
#
# Further pretraining in small, with two kinds of English: questions to a bank, and film reviews. Our English model reads
# 1,200 sentences of one kind, for 40 steps. Then held-out sentences of both are masked. The other kind is the control:
# does it gain as well?

# %%
views.registers()

# %% [markdown]
# The gain belongs to the kind of text that was read. What you gain in one domain, you may lose elsewhere, so measure
# both.
#
# ### D · Modern encoders as differences
#
# An encoder of today is still a stack of attention and feed-forward parts. Choose one, and see what is not as in
# BERT:

# %%
views.since_bert()

# %% [markdown]
# **DeBERTa** (He et al., 2021) keeps content and position apart, and adds three scores. **GeGLU** (Shazeer, 2020)
# computes two times as many numbers; one half, after GELU, scales the other. **Unpadding** puts the tokens of all
# texts of a batch into one long row, so that nothing is computed for [PAD].
#
# In BERT, a vector for each position is added to the input. **Rotary positions** (Su et al., 2021) instead rotate
# queries and keys, by an angle that grows with the position. Move both sliders by one: which score stays?

# %%
views.rotary()

# %% [markdown]
# Each diagonal has one colour: the score depends on the words and their distance, not on where in the text they are.
#
# ### E · For discussion: intelligence, bias, memory
#
# **A step towards general intelligence?** Some said so of BERT. *For*: one pretrained model, with a small head each, did
# eleven tasks better than models built for them; and larger models with more text have kept lowering the loss, along
# smooth curves (Kaplan et al., 2020). *Against*: each task needs labels and fine-tuning; probes find knowledge that the
# model does not use (lesson 12); and asked for *A robin is not a [MASK]*, BERT says *bird*, as without *not* (Ettinger,
# 2020). Discuss: what would a model have to do to convince you? Agree on the test before you see a result.
#
# **Bias.** A model learns from texts who usually does what. Is *she* or *he* more probable next to an occupation?
# Each dot is one of six sentences. The controls are neutral words: they say nothing about *he* or *she*, and yet the
# answer moves with them.

# %%
views.two_pronouns(english)

# %% [markdown]
# Without the control, we would have called nearly all words biased, since *he* is simply more frequent. Inside the band, an
# occupation does no more than *friend* or *stranger*. Outside, the model has a preference. Mind the limits: one small
# model, six sentences of ours, two pronouns, and gaps instead of decisions. A model that sorts applications has to be
# tested with applications. (Kurita et al., 2019, correct templates in a similar way.)
#
# **Memory.** Models also repeat what they have read: from GPT-2, Carlini et al. (2021) extracted names, phone numbers
# and e-mail addresses. For a BERT that was pretrained on patients' notes, Lehman et al. (2021) did not get them out
# with simple methods, and warn that better ones may. So keep out of the text what must not come out of the model.
#
# ## Read on
#
# | paper | look for |
# |---|---|
# | Reimers and Gurevych (2019): [Sentence-BERT](https://arxiv.org/abs/1908.10084) | table 1; the 65 hours |
# | Henderson et al. (2017): [Efficient response suggestion](https://arxiv.org/abs/1705.00652) | in-batch negatives |
# | Nogueira and Cho (2019): [Passage re-ranking with BERT](https://arxiv.org/abs/1901.04085) | a cross-encoder sorts what BM25 found |
# | Wang and Cho (2019): [BERT has a mouth, and it must speak](https://arxiv.org/abs/1902.04094) | samples; then the note that withdraws the random field |
# | Goyal et al. (2022): [Exposing the implicit energy networks](https://arxiv.org/abs/2106.02736) | Metropolis-Hastings |
# | Ghazvininejad et al. (2019): [Mask-Predict](https://arxiv.org/abs/1904.09324) | figure 1 and section 3 |
# | Rothe et al. (2020): [Leveraging pre-trained checkpoints](https://arxiv.org/abs/1907.12461) | which parts start from what |
# | Raffel et al. (2020): [T5](https://arxiv.org/abs/1910.10683) | text in, text out |
# | Portes et al. (2023): [MosaicBERT](https://arxiv.org/abs/2312.17482); Warner et al. (2024): [ModernBERT](https://arxiv.org/abs/2412.13663) | what an encoder is made of today |
# | Muennighoff et al. (2023): [MTEB](https://arxiv.org/abs/2210.07316) | how sentence vectors are compared |
# | Beltagy et al. (2020): [Longformer](https://arxiv.org/abs/2004.05150); Zaheer et al. (2020): [BigBird](https://arxiv.org/abs/2007.14062) | figure 2; figure 1 |
# | Pires et al. (2019): [How multilingual is multilingual BERT?](https://arxiv.org/abs/1906.01502); Rust et al. (2021): [How good is your tokenizer?](https://arxiv.org/abs/2012.15613); Martin et al. (2020): [CamemBERT](https://arxiv.org/abs/1911.03894) | transfer; fertility; one language |
# | Beltagy et al. (2019): [SciBERT](https://arxiv.org/abs/1903.10676); Lee et al. (2020): [BioBERT](https://arxiv.org/abs/1901.08746); Alsentzer et al. (2019): [ClinicalBERT](https://arxiv.org/abs/1904.03323); Huang et al. (2019): [another one](https://arxiv.org/abs/1904.05342); Araci (2019): [FinBERT](https://arxiv.org/abs/1908.10063); Yang et al. (2020): [another one](https://arxiv.org/abs/2006.08097) | text and vocabulary |
# | He et al. (2021): [DeBERTa](https://arxiv.org/abs/2006.03654); Su et al. (2021): [rotary positions](https://arxiv.org/abs/2104.09864); Shazeer (2020): [GLU variants](https://arxiv.org/abs/2002.05202) | what changed in a layer |
# | Kaplan et al. (2020): [Scaling laws](https://arxiv.org/abs/2001.08361); Ettinger (2020): [What BERT is not](https://arxiv.org/abs/1907.13528); Kurita et al. (2019): [Measuring bias](https://arxiv.org/abs/1906.07337); Carlini et al. (2021): [Extracting training data](https://arxiv.org/abs/2012.07805); Lehman et al. (2021): [BERT on clinical notes](https://arxiv.org/abs/2104.07762) | controls and limits |
#
# In the package: `minibert/finetuning/sentences.py` and `search.py`, `minibert/generation/`, one way to write a file,
# `minibert/model/long.py` and `minibert/data/languages.py`; every
# stored score comes from `benchmarks/after_bert.py`.
