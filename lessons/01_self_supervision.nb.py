# %% [markdown]
# # 1 · Self-supervision: learning from masked words
#
# *She brushed her ▨▨▨ and went to bed.* Hair? Teeth? You know which words belong together. A machine can learn this from
# text alone: hide some words (we say **mask**) and ask it to predict them from the rest. That is how BERT learns.
#
# **After this lesson you can**
#
# - tell supervised, unsupervised and self-supervised learning apart, and say what transfer learning is,
# - say what a masked language model sees that a language model does not, and what this costs,
# - say how BERT masks a sentence and why, and what dynamic, whole-word and span masking change,
# - fill gaps in your own English sentences with a model, and say which gaps it cannot fill.
#
# **You need** Python and a little NumPy, but no machine learning. **Time:** 50 minutes, and 15 more for *Going
# further*.
#
# Run the cells in order with Shift + Enter.

# %%
from minibert.course.widgets.here import here

here(1)

# %% [markdown]
# ## Try it first
#
# A model says how probable it considers each word in the gap. Write your own sentence with `[MASK]`, and press Enter. (A
# prediction that starts with `##` continues the word before.)

# %%
from minibert.course.unit01 import views

views.fill_mask("She brushed her [MASK] and went to bed.")

# %% [markdown]
# The model gives *hair* 21% and *teeth* 9.8%: a gap can have several good answers. Nine more sentences, which we chose
# before we asked it:

# %%
views.how_good()

# %% [markdown]
# Three of the five misses repeat a word of the sentence: it fits the topic, but not the gap. A clearer gap helps: in
# *He plays **the** [MASK] in a rock band*, *guitar* comes first (57%). The model is small, to run on any laptop; Google's
# BERT-base is five times as large, and has read far more.
#
# <details><summary><b>Where does our model come from?</b></summary>
#
# It was not trained **from scratch**, that is, from random weights. It is all-MiniLM-L6-v2, a published model: six
# layers of a model of twelve, which had learned to imitate the attention of a larger one (Wang et al., 2020,
# [arXiv 2002.10957](https://arxiv.org/abs/2002.10957)). These were tuned on about a billion pairs of sentences, some of
# them labelled by people, so that sentences with the same meaning get similar vectors. For this course it was trained
# further on masked tokens and next sentences, on over a hundred million tokens, among them plain sentences written for
# it.
# </details>

# %% [markdown]
# ## 1 · Three ways to learn
#
# **Supervised** learning has a right answer to each question, a **label**, usually given by people. **Unsupervised**
# learning has no answers. **Self-supervised** learning hides part of the data and predicts it from the rest, so the data
# supplies the answers. Which is which?

# %%
views.kinds()

# %% [markdown]
# Labels are expensive, plain text is cheap. Mask a word of *every morning the cook walks to the kitchen*, and you have a
# question with a known answer. To answer it, you need grammar, and to know what cooks do.
#
# BERT (*Bidirectional Encoder Representations from Transformers*) learned from 3.3 billion words without labels (Devlin
# et al., section 3.1). After this long **pretraining** comes **fine-tuning**, a short supervised training on a labelled
# task. Reusing in one task what was learned in another is called **transfer learning**.
#
# <details><summary><b>What can be learned without answers?</b></summary>
#
# Which things are alike, for example: **clustering** puts texts that are alike into groups. **PCA** (principal component
# analysis) describes many numbers by a few.
# </details>
#
# <details><summary><b>Why not simply call self-supervision unsupervised?</b></summary>
#
# Many papers do, BERT's too, and the word is disputed. As in supervised learning, every prediction is compared with a
# right answer, so most people now give the method its own name.
# </details>

# %% [markdown]
# ## 2 · Left only, or both sides
#
# A **language model** predicts the next word, from the words to its left. A **masked language model** predicts masked
# words, from both sides. How much does the right side help? Here the sentence is cut off:

# %%
views.left_only()

# %% [markdown]
# That is unfair to a model that learned from whole sentences. So we train three models that only count: *with these two
# visible words, which word came most often?* They see one word on each side, two before, or two after. They read 2,000
# generated documents about invented people:

# %%
print(views.sample())

# %% [markdown]
# **Your turn.** Turn a text into questions and answers, from which the model with both sides will learn.

# %%
from minibert.course.widgets.try_it import try_it

def make_examples(words):
    """Return ((left word, right word), the word between them) for each place that has both.

    >>> make_examples(["the", "cat", "sat", "down"])
    [(('the', 'sat'), 'cat'), (('cat', 'down'), 'sat')]
    >>> make_examples(["too", "short"])
    []
    """
    ...

try_it(make_examples)

# %% [markdown]
# <details><summary><b>One way to write it</b></summary>
#
# ```python
# def make_examples(words):
#     return [((left, right), word) for left, word, right in zip(words, words[1:], words[2:])]
# ```
# </details>
#
# We test on **held-out** documents, which the models have not read. **Accuracy** is the share of right predictions.

# %%
views.guess_side(make_examples)

# %% [markdown]
# | | language model (such as GPT, lesson 9) | masked language model (such as BERT) |
# |---|---|---|
# | sees | the left side only | both sides |
# | learns, in one pass over a text, from | every word | a few words (15% in BERT) |
# | can write text | yes, one word at a time | not directly |
# | often used for | writing | reading: classify texts, find answers, tag names |
#
# <details><summary><b>Why does a language model not look to the right as well?</b></summary>
#
# The word on the right is the next one it has to predict. If the model saw it, it would copy it and learn nothing. A
# masked word cannot be copied from its place, so a masked language model may look to both sides.
# </details>
#
# <details><summary><b>Does BERT learn more slowly, then?</b></summary>
#
# A little: it predicts 15% of the words, a left-to-right model all of them. Devlin et al. measured it (appendix C.1):
# the masked model converges slightly more slowly, but is the better one almost from the start.
# </details>

# %% [markdown]
# ## 3 · Which tokens to mask, and what to show instead
#
# A **token** is what the model reads; here, each word is one. First, choose the tokens to predict. The share that is
# chosen is the **masking rate**, 15% in BERT. Second, choose what the model sees there:
#
# | fate | share | the model sees |
# |---|---|---|
# | masked | 80% | `[MASK]` |
# | replaced | 10% | a random token of the **vocabulary**, the list of all tokens that a model knows (here, the words of section 2's documents) |
# | kept | 10% | the token itself |
#
# Press *New draw* until you have seen all three fates, then *100 more* a few times. At which masking rate could *you* no
# longer guess the words?

# %%
views.draws()

# %% [markdown]
# Why not simply mask all the chosen words?
#
# - With `[MASK]`, the context is the only clue. That is what we want to train, so most chosen words get it.
# - But there is no `[MASK]` in the texts that BERT reads later. **Replaced** words make the model check every word
#   against its context, and do little harm: 10% of 15% is 1.5% of all words.
# - Without **kept** words, the word that is seen would never be the right one.
#
# As the model does not know which words were replaced or kept, it has to work out every word from its context (Devlin et
# al., appendix A.1). How much this matters is disputed: see B below.

# %% [markdown]
# ## 4 · One mask, or a fresh one each time
#
# A model reads its text many times; each pass is an **epoch**. Are the words masked once, before training (**static
# masking**), or again in each epoch (**dynamic masking**)? **Your turn.** With fresh masks, what share of the
# words is predicted at least once? (Hint: what is the chance that *no* mask chooses a word?)

# %%
def ever_predicted(rate, masks):
    """Return the expected share of words that at least one of the masks chooses, rounded to 3 decimals.

    >>> ever_predicted(0.5, 2)
    0.75
    >>> ever_predicted(0.15, 1)
    0.15
    >>> ever_predicted(0.4, 3)
    0.784
    """
    ...

try_it(ever_predicted)

# %% [markdown]
# <details><summary><b>One way to write it</b></summary>
#
# ```python
# def ever_predicted(rate, masks):
#     return round(1 - (1 - rate) ** masks, 3)
# ```
# </details>
#
# Check it, also with more epochs and another rate:

# %%
views.coverage(ever_predicted)

# %% [markdown]
# BERT's authors made ten copies of the text, each with its own mask, for 40 epochs (Liu et al., section 4.1). RoBERTa
# (lesson 10) draws fresh masks. Expected shares:

# %%
views.expected_shares()

# %% [markdown]
# Does it matter? Hardly: with fresh masks instead of ten, two of three tasks gained 0.4 points of 100, and one lost 0.3
# (Liu et al., table 1). Fresh masks need no stored copies, and are the default today.

# %% [markdown]
# ## 5 · Which tokens are masked together
#
# BERT's tokens are often **subwords**, parts of words: *glassblower* becomes `glass ##blow ##er`, where `##` marks a
# token that continues a word (lesson 3). A token is easy to predict from the rest of its word, and
# *York* from *New*. So larger units are masked as one: whole words, names and dates (named entities), short groups of
# words (phrases), or **spans**, any words in a row. Choose each unit, and press *New draw*. Which ones leave no help from
# the same word or name?

# %%
views.units()

# %% [markdown]
# | unit | who | what they report |
# |---|---|---|
# | tokens | BERT (Devlin et al., 2019) | the starting point |
# | whole words | BERT's authors (release of May 2019) | **BERT-large** (24 layers) answers questions better: 92.8 of 100 instead of 91.0, nothing else changed |
# | phrases, then named entities | ERNIE (Sun et al., Baidu, 2019) | better on five Chinese tasks; it also read more kinds of text and had a second training task |
# | spans of 3.8 words on average | SpanBERT (Joshi et al., 2020) | better, above all where answers are spans; it also had a second training task, and no next sentences (lesson 4) |

# %% [markdown]
# ## 6 · How much to mask
#
# A higher masking rate gives a model **more questions** in each pass, but **harder** ones, because the neighbours may be
# masked too. We train counting models at seven masking rates (every chosen word becomes `[MASK]`). All take the same
# test, at 15%.

# %%
views.guess_rate()

# %% [markdown]
# Too little masking gives few questions; too much shows only which words are frequent. In five passes, even 15% asks
# enough questions.
#
# <details><summary><b>Why is a masking rate of about 40% best for this counter?</b></summary>
#
# It learns most from a masked word between two visible ones. At a masking rate r, their share is r(1 − r)², which is
# largest at one third. A word with one visible neighbour helps, too; of words whose left neighbour is visible, for
# example, the share is r(1 − r), which is largest at one half. So the best rate is in between.
# </details>
#
# And BERT? At the size of BERT-large, 40% beat 15% on answering questions and on **GLUE** (a collection of nine tasks,
# lesson 6), and even at 80% a model kept 95% of its quality after fine-tuning (Wettig et al., 2023). 15% is nothing
# special; larger models should mask more.

# %% [markdown]
# ## 7 · What it can do, and what it cannot
#
# How many masked words of a whole text will the English model get right? Then try 40% and 80%, and a text of your own.

# %%
views.my_text()

# %% [markdown]
# That text is easy. We masked forty harder ones, such as *For two thousand years nobody could say where the eels of
# Europe came from.* A word that fits, but is not the author's, counts as wrong. The answer takes ten seconds.

# %%
views.guess_masked()

# %% [markdown]
# <details><summary><b>Does this say which rate is best for training?</b></summary>
#
# No. The English model's last training masked 20%, and only the test changes here.
# </details>
#
# What fools such a model? Kassner and Schütze (2020) asked BERT what birds can do, and what they *cannot* do. How many of
# the five words are the same? Try other sentences with *can* or *is*.

# %%
views.with_not()

# %% [markdown]
# **It often says the same with and without *not*.** A bird *cannot fly*, says the model (64%). Some sentences do change
# (try *My brother is*). It has learned which words occur together, not what is true.
#
# ## Check yourself

# %%
views.quiz()

# %% [markdown]
# ## In short
#
# - **Self-supervised**: mask a part of the data and predict it. **Transfer learning**: reuse what was learned.
# - A **masked language model** sees both sides of a gap, but gets fewer questions per pass.
# - BERT **predicts 15%** of the tokens. Of these, **80% become `[MASK]`**, **10% are replaced**, **10% are kept**.
# - With **dynamic masking** every word is predicted sooner or later.
# - Masking **whole words, entities or spans** leaves no part of a masked word visible.
# - **Too little** masking gives few questions, **too much** leaves nothing to predict from.
# - It learns **which words occur together**: a *not* often hardly changes its predictions.
#
# **Next**: [the exercise](../exercises/01_self_supervision/01_self_supervision.ipynb), then lesson 2: how BERT looks at
# the words around a gap.

# %%
from minibert.course.widgets.guess_then_see import my_guesses

my_guesses()

# %% [markdown]
# ## Going further
#
# ### A · The family
#
# | year | what was pretrained | how | idea |
# |---|---|---|---|
# | 2013 | [word2vec](https://arxiv.org/abs/1301.3781) | self-supervised: a word predicts its neighbours, or they predict it | a vector (list of numbers) for each word, the same in every sentence |
# | 2014 | [GloVe](https://aclanthology.org/D14-1162) | from counts: which words are near each other | word vectors from the statistics of the whole text |
# | 2014 | [ImageNet networks](https://arxiv.org/abs/1411.1792) | supervised, on labelled photos | a whole network is fine-tuned for another task with pictures |
# | 2015 | [Dai and Le](https://arxiv.org/abs/1511.01432) | self-supervised: the next word, or the text itself | a whole network for text is pretrained, then fine-tuned |
# | 2017 | [fastText](https://arxiv.org/abs/1607.04606) | like word2vec | vectors of word parts, so that an unseen word gets one too |
# | 2017 | [CoVe](https://arxiv.org/abs/1708.00107) | supervised, on translation | a word's vector depends on its sentence |
# | 2018 | [ULMFiT](https://arxiv.org/abs/1801.06146) | self-supervised: the next word | fine-tuning that works for many text tasks |
# | 2018 | [ELMo](https://arxiv.org/abs/1802.05365) | self-supervised: the next word, and the previous one | vectors that depend on the sentence, from plain text |
# | 2018 | [GPT](https://cdn.openai.com/research-covers/language-unsupervised/language_understanding_paper.pdf) | self-supervised: the next word | a whole Transformer is fine-tuned |
# | 2018 | [BERT](https://arxiv.org/abs/1810.04805) | self-supervised: masked words (and next sentences, lesson 4) | each layer sees both sides |
#
# A year later, Google used BERT in its search engine (October 2019). A survey of over 150 studies of BERT calls it a
# "ubiquitous baseline": a model with which new ones are compared everywhere (Rogers et al., 2020). Today's chat models
# read left to right, like GPT; lesson 9 says why.
#
# | | stands for | which means | lesson |
# |---|---|---|---|
# | **B** | Bidirectional | it sees both sides of each word | 1 |
# | **E** | Encoder | it turns each word into numbers, and does not write text | 2 |
# | **R** | Representations | these numbers describe the word in its sentence; other tasks build on them | 6 to 8 |
# | **T** | from Transformers | the kind of network ([Vaswani et al., 2017](https://arxiv.org/abs/1706.03762)) | 2 |
#
# ### B · Is 80/10/10 worth it?
#
# Devlin et al. measured it on two tasks (appendix C.2, table 8, held-out data; 100 is perfect). MNLI is about
# **entailment**: does one sentence follow from another? **Named entity recognition** (**NER**) finds the names in a text.
# A **frozen** BERT stays as it is, and only a small model on top of it is trained:
#
# | `[MASK]` / replaced / kept | MNLI, fine-tuned | NER, fine-tuned | NER, frozen |
# |---|---|---|---|
# | 80% / 10% / 10% | 84.2 | 95.4 | 94.9 |
# | 100% / 0% / 0% | 84.3 | 94.9 | 94.0 |
# | 80% / 20% / 0% | 84.1 | 95.2 | 94.6 |
# | 80% / 0% / 20% | 84.4 | 95.2 | 94.7 |
# | 0% / 80% / 20% | 83.7 | 94.8 | 94.6 |
# | 0% / 100% / 0% | 83.6 | 94.9 | 94.6 |
#
# A mixture pays most when BERT stays frozen, because then it never gets a chance to adapt to text without `[MASK]`; which
# mixture hardly matters. Frozen, even no `[MASK]` at all beats `[MASK]` only. Wettig et al. (2023) tried the recipe
# again, with fine-tuning, and doubt that the replaced and kept tokens are needed at all.
#
# One more idea: mask with `[UNK]`, the token for what a vocabulary does not know. Clinchant et al. (2019) used such a
# BERT to translate. Unlike `[MASK]`, `[UNK]` appears in real texts, for a rare letter or an emoji. The price: one token
# now has two meanings.
#
# ### C · What the rest of a word gives away
#
# This model never reads the sentence. It counts, and sees only the other tokens of a word that is cut:

# %%
views.spelling()

# %% [markdown]
# With whole words masked, a model has to read the sentence. ERNIE and SpanBERT changed more than the masks. With all else
# equal (Joshi et al., section 6.1, table 6), spans were best, or nearly so, on every task but **coreference** (which words
# mean the same person or thing), where single tokens were best.
#
# Why might named entities teach something that words do not? As long as *New* is visible, all the model has to learn is
# that *York* follows it. When the whole name is masked, it must know where Jane Miller moved: that is knowledge about the
# world. (Two models are called ERNIE, by coincidence: like ELMo, both are named after a character of *Sesame Street*. The
# other one, Zhang et al., 2019, feeds knowledge about entities into the model.)
#
# ### D · You against a small model
#
# This BERT is much smaller still, and has read nothing but generated texts like those of section 2. Predict first, then
# see its five most likely tokens. The last sentence has no hint.

# %%
views.against_the_small_model()

# %% [markdown]
# A hint that names the word (*violin*) concentrates the probability. If several words fit, they share it: nothing says
# which animal Tibmo is. You may have used a hint that the model missed: pigs find truffles.
#
# ### Papers
#
# - Devlin et al. (2019): [BERT](https://arxiv.org/abs/1810.04805), section 3.1; appendices A.1, C.1, C.2.
# - Rogers et al. (2020): [A Primer in BERTology](https://arxiv.org/abs/2002.12327), the survey.
# - Liu et al. (2019): [RoBERTa](https://arxiv.org/abs/1907.11692), section 4.1 and table 1 (SQuAD 2.0, MNLI, SST-2).
# - Joshi et al. (2020): [SpanBERT](https://arxiv.org/abs/1907.10529), sections 3.1 and 6.1.
# - Sun et al. (2019): [ERNIE](https://arxiv.org/abs/1904.09223). Zhang et al. (2019):
#   [the other ERNIE](https://arxiv.org/abs/1905.07129).
# - Clinchant et al. (2019): [On the use of BERT for Neural Machine Translation](https://arxiv.org/abs/1909.12744).
# - Kassner and Schütze (2020): [arXiv 1911.03343](https://arxiv.org/abs/1911.03343). Ettinger (2020): [What
#   BERT is not](https://arxiv.org/abs/1907.13528): a *not* is ignored, too, but less where a person would really say it.
# - Wettig et al. (2023): [Should You Mask 15% in Masked Language Modeling?](https://arxiv.org/abs/2202.08005)
