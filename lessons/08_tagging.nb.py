# %% [markdown]
# # 8 · Tagging: a label for every word
#
# *Washington moved to Washington.* The first is a person, the second a place. A **named entity** is something with a
# name: a person, a place, an organisation. **Named entity recognition** (NER) finds the named entities of a text and their
# types.
#
# **After this lesson you can**
#
# - label tokens for tagging, and turn the answers back into entities,
# - say why a tagger that is right for most words may be worth nothing,
# - fine-tune BERT on 300 sentences, and test it on names that it has never seen,
# - say when a name wins over its context,
# - use BERT's outputs as features, as in its paper.
#
# **You need** lessons 3, 6 and 7. **Time:** 50 minutes, and 15 more for *Going further*. The code runs in about a minute on
# two cores.

# %%
from minibert.course.widgets.here import here

here(8)

# %% [markdown]
# ## Try it first
#
# This English model finds people (PER), places (LOC), organisations (ORG) and other names (MISC), such as *German*. Those are
# the types of the CoNLL-2003 **shared task**, a public competition. Try it on some of today's news. What does it miss, and
# what does it get wrong?

# %%
from minibert.course.unit08 import views

views.find()

# %% [markdown]
# (If a message says that the English model is missing, the marks are random.)
#
# ## 1 · B, I and O
#
# An entity may have several words, so a label *person* for each word is not enough: *Sarah Okafor* is one person, or two?
# `B-PER` **b**egins a person, `I-PER` is **i**nside it, and `O` is **o**utside every entity. These are **BIO tags**.
#
# **Your turn.** Write the tags of a sentence from its entities, each given as (type, first word, last word).

# %%
from minibert.course.widgets.try_it import try_it

def bio_tags(count, entities):
    """Return the BIO tags of a sentence of `count` words.

    >>> bio_tags(4, [("PER", 0, 1)])
    ['B-PER', 'I-PER', 'O', 'O']
    >>> bio_tags(3, [("LOC", 0, 0), ("LOC", 1, 2)])
    ['B-LOC', 'B-LOC', 'I-LOC']
    """
    ...

try_it(bio_tags)

# %% [markdown]
# <details><summary><b>One way to write it</b></summary>
#
# ```python
# def bio_tags(count, entities):
#     tags = ["O"] * count
#     for kind, first, last in entities:
#         tags[first:last + 1] = [f"B-{kind}"] + [f"I-{kind}"] * (last - first)
#     return tags
# ```
# </details>
#
# Your function tags this sentence. Add *Leeds* and *Siemens*:

# %%
views.tags(bio_tags)

# %% [markdown]
# ### Strays
#
# An `I-` should follow a `B-` or an `I-` of its own type. But a model chooses each tag without looking at its neighbours' tags,
# so nothing stops it from saying `O I-LOC`. Such an `I-` is a **stray**: there is no entity that it continues.
#
# **Your turn.** May `tag` come right after `before`? (A first word follows an `O`.)

# %%
def may_follow(before, tag):
    """Return False where `tag` would be a stray.

    >>> may_follow("I-LOC", "I-LOC")
    True
    >>> may_follow("B-PER", "I-LOC")
    False
    >>> may_follow("O", "B-LOC")
    True
    """
    ...

try_it(may_follow)

# %% [markdown]
# <details><summary><b>One way to write it</b></summary>
#
# ```python
# def may_follow(before, tag):
#     return tag[0] != "I" or before[2:] == tag[2:]
# ```
# </details>
#
# `conlleval`, the task's official scorer, lets a stray begin an entity. Change the tags: make *Mira Harlow* two people, then write
# other strays.

# %%
views.strays(may_follow)

# %% [markdown]
# A script that drops strays gives the same answers another score, so say which one you used. (Section A forbids them.)

# %% [markdown]
# ## 2 · Words and tokens
#
# A tag belongs to a word, but BERT reads tokens, and a word may be cut into several (lesson 3).

# %%
views.guess_pieces()

# %% [markdown]
# The first token takes the label of the word. The others get `IGNORE` (−100): the loss leaves them out. So every word counts
# once, as in the score, and the first token sees the others anyway, for attention looks both ways. What matters is to do
# the same in training and in use. Tag other words (`/O` may be left out):

# %%
views.tokens()

# %% [markdown]
# The head is one linear layer on top: each token's vector becomes a logit for every tag.

# %% [markdown]
# ## 3 · A score that does not flatter
#
# Accuracy counts words. Precision, recall and **F1** (lesson 6) count entities here. An entity is right only if its type, its first
# word and its last word are. To know all answers exactly, we take sentences of our generated language (lesson 1), which has
# people, places, organisations and dates.

# %%
views.guess_lazy()

# %% [markdown]
# Try taggers with other faults. Which one loses no F1 at all, and why?

# %%
views.faults()

# %% [markdown]
# <details><summary><b>Which loses no F1, and why?</b></summary>
#
# The one that says I- for B-. It tags the first word of every entity wrong, and still scores 100: conlleval lets a stray I-
# begin an entity. B- is needed only where two entities of one type touch, and in these sentences they never do.
# </details>

# %% [markdown]
# ## 4 · Fine-tuning, live
#
# We train on 300 sentences. Nine in ten words of the test's names are in no labelled sentence, and a name may be a person here and a place
# there, as *Washington*, *Paris* and *Ford* in English.
#
# **Your turn.** First a baseline. Learn by heart the tag that each word had most often.

# %%
from collections import Counter, defaultdict

def learn_by_heart(pairs):
    """Return {word: its most frequent tag} from pairs (word, tag).

    >>> learn_by_heart([("Ashby", "B-LOC"), ("Ashby", "B-PER"), ("Ashby", "B-LOC")])
    {'Ashby': 'B-LOC'}
    >>> learn_by_heart([("left", "O"), ("Mira", "B-PER"), ("left", "O")])
    {'left': 'O', 'Mira': 'B-PER'}
    """
    ...

try_it(learn_by_heart)

# %% [markdown]
# <details><summary><b>One way to write it</b></summary>
#
# ```python
# def learn_by_heart(pairs):
#     counts = defaultdict(Counter)
#     for word, tag in pairs:
#         counts[word][tag] += 1
#     return {word: found.most_common(1)[0][0] for word, found in counts.items()}
# ```
# </details>
#
# Now our pretrained model, and the same layers from scratch, with the same steps and learning rate. Unknown words get `O` in your
# list. (Half a minute; one run each.)

# %%
views.teach(learn_by_heart)

# %% [markdown]
# At least 85% of the words are right in every row. On the training sentences, the model from scratch looks as good as the
# pretrained one. New names tell the two apart: the text for pretraining had these names, too, though not their types.

# %% [markdown]
# ## 5 · The name or the context?
#
# Back to English. *My friend Washington is a good cook.* Does the model read the sentence, or does it know the name?

# %%
views.guess_name()

# %% [markdown]
# This model often trusts the name more than the sentence. It has met *Washington* as a place so often that a good cook does not
# change its mind. With *Okafor*, which it can hardly know, all nine are right. Try yours, then *Paris*, *Ford*, *Georgia*, and
# a word that is no name.

# %%
views.frames()

# %% [markdown]
# A test with the names of the training text tests memory; one with new names tests reading. Real text brings new names
# every day.

# %% [markdown]
# ## 6 · Must BERT be trained at all?
#
# ELMo (lesson 9) is used in another way: run it **once**, keep its outputs as **features** (fixed numbers for each token),
# and train something small on them. The BERT paper tries this **feature-based approach** in section 5.3, with a two-layer **BiLSTM**, a
# recurrent network that reads the sentence in both directions. It reads the last layer, the second-to-last, or
# several: *concat* puts their outputs side by side, *sum* adds them with learned weights, as ELMo does.

# %%
views.features()

# %% [markdown]
# Compare only signs, and only where our runs agree: the paper had nearly 15,000 sentences and twelve layers, our encoders have
# three. In both, the embeddings alone, which know nothing of the other words, are far behind. In the paper, the best features come within
# 0.3 points of fine-tuning.
#
# Are features cheaper? Not for one task: when we timed both, the BiLSTM on four outputs took a third longer to train than
# fine-tuning. They pay when many tasks share them: the encoder runs once over a text for a hundred small networks.
#
# On the test set of CoNLL-2003, BERT was not the best (table 7): CSE was, whose vectors come from a language model of characters.
#
# | system | dev F1 | test F1 |
# | --- | --- | --- |
# | ELMo (Peters et al., 2018) | 95.7 | 92.2 |
# | CVT, cross-view training (Clark et al., 2018) | not reported | 92.6 |
# | BERT-base, fine-tuned | 96.4 | 92.4 |
# | BERT-large, fine-tuned | 96.6 | 92.8 |
# | CSE, contextual string embeddings (Akbik et al., 2018) | not reported | **93.1** |
#
# ## Check yourself

# %%
views.quiz()

# %% [markdown]
# ## In short
#
# - **BIO tags** mark entities of several words. Scorers differ in how they read strays: name yours.
# - **Labels on first tokens**: one for each word, and IGNORE for the rest.
# - **Entity F1**, not accuracy: a tagger that always says O has most words right, and an F1 of 0.
# - Test with **new names**. In English, a well-known name often wins over its context.
# - **Features** of a frozen encoder come close to fine-tuning, and pay when many tasks share them.
#
# **Next**: [the exercise](../exercises/08_tagging/08_tagging.ipynb). Then lesson 9: ELMo, GPT and BERT on the same text. What
# follows here goes further; each section can be read alone.

# %%
from minibert.course.widgets.guess_then_see import my_guesses

my_guesses()

# %% [markdown]
# ## Going further
#
# ### A · Without strays
#
# **Constrained decoding** takes, of all sequences of tags without a stray, the one whose logits add up to most. The **Viterbi
# algorithm** finds it word by word, with your rule `may_follow`, keeping only the best way to each tag. Nothing has to be
# trained. A **conditional random field** (CRF) is a last layer that learns a score for each pair of neighbouring tags. Lester et
# al. (2020) find no statistically significant difference between the two, and constrained decoding trains twice as fast. The BERT
# paper does without either. The code:

# %%
from minibert.course.widgets.source import show_source
from minibert.data.tagging import legal_tags

show_source(legal_tags, fold="The Viterbi algorithm in code")

# %% [markdown]
# ### B · How sure is it?
#
# The English model's two likeliest tags at each token. Try names from your town, and long ones.

# %%
views.doubts()

# %% [markdown]
# Its scores on held-out sentences of Wikipedia (wikigold), and of posts and comments with rare names (WNUT-17):

# %%
views.scores()

# %% [markdown]
# BERT-base's 92.4 is on newspapers, from nearly 15,000 labelled sentences and a cased model. Ours learned from 2,801.
#
# ### C · Capitals
#
# Our model is **uncased**: capitals are gone before the first layer. *Mark* and *mark* are the same token, and only the words
# around tell a name from a word that is spelled alike.

# %%
views.spelling()

# %% [markdown]
# For this task the paper uses a **cased** BERT, and gives it as much of the document around a sentence as fits. In English, a
# capital inside a sentence is nearly a label. In headlines and chats, where capitals are everywhere or missing, the same hint
# misleads.
#
# ### D · Which outputs?
#
# With three layers there are four outputs; output 0 is the embeddings. So *last four* includes the embeddings here, and *all*,
# as in the paper, does not:

# %%
views.outputs()

# %% [markdown]
# Why may the last layer be worse than the one before? It is shaped most by predicting masked tokens. In the paper, the
# second-to-last is better by 0.7. Fine-tuning need not choose: it reshapes the top.
#
# ### E · Two kinds of BIO
#
# CoNLL-2003 itself uses an older form, **IOB1**: an entity begins with `I-`, and `B-` is used only where it touches another one of
# its own type (Tjong Kim Sang and De Meulder, 2003, section 2). Ours is also called IOB2. Check which one a file is in before
# you train.
#
# ### Papers
#
# - Devlin et al. (2019): [BERT](https://arxiv.org/abs/1810.04805), section 5.3 and table 7.
# - Tjong Kim Sang and De Meulder (2003): [CoNLL-2003](https://arxiv.org/abs/cs/0306050), section 2.
# - Peters et al. (2018): [ELMo](https://arxiv.org/abs/1802.05365), section 3.2, the weighted sum.
# - Lester et al. (2020): [constrained decoding](https://arxiv.org/abs/2010.04362).
# - Rivals: [CSE](https://aclanthology.org/C18-1139); [CVT](https://arxiv.org/abs/1809.08370).
# - In the package: `minibert/tasks/tagging.py`, `minibert/finetuning/features.py`, `minibert/data/tagging.py`.
