# %% [markdown] nb="read intro"
# # Unit 08 · Tagging: a label for every word
#
# *Mira Harlow lives in Ashby.* Which words are a person, and which are a place? BERT answers token by token, and you
# write the code around it: labels for tokens, one answer per word, entities from tags, and a score that is not too
# generous. At the end you use BERT to extract features, in the six ways of its paper.
#
# | | exercise | points | minutes | difficulty |
# | --- | --- | --- | --- | --- |
# | 1 | `align_labels` | 3 | 15 | ●○○ |
# | 2 | `decode_entities` | 4 | 25 | ●●○ |
# | 3 | `test_decode`: write a test | 2 | 15 | ●●○ |
# | 4 | `read_tags`: find three bugs | 3 | 20 | ●●○ |
# | 5 | `entity_f1` | 4 | 20 | ●●○ |
# | 6 | 85% right (in words) | 2 | 5 | ●○○ |
# | 7 | `combine_layers` | 4 | 20 | ●●○ |
# | | total | **22** | **120** | |
#
# The finished notebook runs in 2 seconds on two cores, plus a few seconds for its last cell, which loads a model.
#
# {{how it works}}
#
# **Stuck?** Each exercise has folded hints; open them one by one. `check.align_labels.hint()` in a new cell shows three
# more, one each time you run it. This works for all functions.

# %% nb="read imports"
import numpy as np

from minibert.data.batch import IGNORE
from minibert.course import unit08 as check
from minibert.course.checks.student_tests import by_name
from minibert.reference import softmax

# %% [markdown] nb="read align-text"
# ## 1 · Labels for tokens
# **3 points · 15 minutes · ●○○**
#
# A label belongs to a word, but BERT reads tokens, and a word may have several. In the paper, the **first
# token** of a word gets the word's label. Later tokens and special tokens get `IGNORE`, a number that every
# loss in this course leaves out.
#
# | | | |
# | --- | --- | --- |
# | `word_ids` | list, length T | the word number of each token, from 0; `None` for `[CLS]`, `[SEP]`, `[PAD]` |
# | `labels` | list of int | one label for each word of the sentence |
# | returns | list of int, length T | one label for each token |
#
# A sequence may have been truncated, so that its last words are missing. And a word may have no token at all (such as a
# stray control character): then its number is missing from `word_ids`. For example:

# %% nb="read align-example"
tokens = ["[CLS]", "Bram", "##low", "left", "Ash", "##by", ".", "[SEP]"]
word_ids = [None, 0, 0, 1, 2, 2, 3, None]
labels = [3, 0, 1, 0]  # of Bramlow, left, Ashby and the full stop
# the result: [IGNORE, 3, IGNORE, 0, 1, IGNORE, 0, IGNORE]

# %% [markdown] nb="read align-hints"
# <details><summary>Hint</summary>
# Go through <code>word_ids</code> and remember the previous number. When does a token begin a word?
# </details>
# <details><summary>Common error</summary>
# Writing <code>if word:</code>, which is False for word 0. Write <code>if word is None</code>.
# </details>
# <details><summary>Why not a label for every token?</summary>
# Then a word of four tokens would count four times in the loss, and a rare name more than a common one. And four tokens
# may give four different answers, although only one is needed.
# </details>


# %% nb="solution align"
def align_labels(word_ids, labels):
    """Return a label for each token: the word's label at its first token, IGNORE at all others."""
    ### BEGIN SOLUTION
    row, before = [], None
    for word in word_ids:
        first = word is not None and word != before
        row.append(labels[word] if first else IGNORE)
        before = word
    return row
    ### END SOLUTION


# %% nb="tests align-visible 2"
check.align_labels(align_labels, points=2)

# %% nb="tests align-hidden 1"
# After you hand in, this cell tries more inputs. You do not have to write anything here.
### BEGIN HIDDEN TESTS
check.align_labels(align_labels, seed=2209, hidden=True)
### END HIDDEN TESTS

# %% [markdown] nb="read decode-text"
# ## 2 · Entities from tags
# **4 points · 25 minutes · ●●○**
#
# A named entity can have several words, so a tag contains more than the type. `B-PER` **b**egins a person, `I-PER`
# continues **i**nside it, and `O` is **o**utside of all entities. `decode_entities` gets the tags of one sentence
# and returns its entities: a list of tuples `(type, first, last)` in the order of the sentence, with the numbers of
# the first and the last word.
#
# - An entity ends before an `O`, before any `B-`, before a tag of another type, and at the end of the sentence.
# - A model may predict tags that are not allowed: an `I-` with nothing of its type before it. This **stray** `I-`
#   begins an entity, just as `B-` would. The official script of the shared task, `conlleval`, counts in the same way.
# - The type is the part after the first hyphen. It may contain hyphens itself, as in `B-WORK-OF-ART`.

# %% nb="read decode-example"
tags = ["B-PER", "I-PER", "O", "B-LOC", "B-LOC", "O", "I-ORG", "I-PER"]
# the result: [("PER", 0, 1), ("LOC", 3, 3), ("LOC", 4, 4), ("ORG", 6, 6), ("PER", 7, 7)]

# %% [markdown] nb="read decode-hints"
# <details><summary>Hint</summary>
# Remember the open entity: its type and where it began. At each tag ask two questions, in this order: does the open
# entity end here? Does a new one begin?
# </details>
# <details><summary>Common error</summary>
# Losing an entity that reaches the end of the sentence: the loop is over before anything closes it. If you add an
# <code>"O"</code> after the tags, it closes the entity for you.
# </details>
# <details><summary>Why is B- needed at all?</summary>
# Two entities of the same type can be next to each other. With only I- they would be one entity.
# </details>


# %% nb="solution decode"
def decode_entities(tags):
    """Return the entities of a sentence: a list of (type, first word, last word), in the order of the sentence."""
    ### BEGIN SOLUTION
    entities, kind, start = [], None, 0
    for i, tag in enumerate(list(tags) + ["O"]):
        if kind is not None and (tag[0] in "BO" or tag[2:] != kind):
            entities.append((kind, start, i - 1))
            kind = None
        if tag != "O" and kind is None:
            kind, start = tag[2:], i
    return entities
    ### END SOLUTION


# %% nb="tests decode-visible 2"
check.decode_entities(decode_entities, points=2)

# %% nb="tests decode-hidden 2"
# After you hand in, this cell tries more inputs. You do not have to write anything here.
### BEGIN HIDDEN TESTS
check.decode_entities(decode_entities, seed=8830, hidden=True)
### END HIDDEN TESTS

# %% [markdown] nb="read test-text"
# ## 3 · Write a test
# **2 points · 15 minutes · ●●○**
#
# Now change sides and write the check. `test_decode` gets somebody's function that claims to be `decode_entities`.
# Your test does nothing if the function is right, and stops at an `assert` if it is not:
#
# `assert decode_entities(["O", "O"]) == [], "no entities"`
#
# The check hands your test right versions, which it must accept, and wrong ones, which it must catch. Some of the wrong
# ones come only after you hand in. So choose sentences that reveal mistakes. What can come after an entity? Where can a
# stray `I-` be? In which order are several entities returned? And is the list of tags still the same afterwards? The
# check needs the line `@by_name` to pass its versions to your test: leave it there.
#
# <details><summary>Hint</summary>
# The example above reveals many mistakes. What does it not contain? A stray I- after O at the very end, an entity of
# three words, and a sentence without any entity.
# </details>
# <details><summary>Common error</summary>
# Testing only tags that a careful annotator would write. Models predict tags that no person would.
# </details>
# <details><summary>Why test the input too?</summary>
# The caller may need the tags again. A function that silently adds an O to the caller's list
# makes the next function wrong.
# </details>


# %% nb="solution test"
@by_name
def test_decode(decode_entities):
    """Fail at an assert if decode_entities(tags) does not return the entities of the tags."""
    ### BEGIN SOLUTION
    tags = ["B-PER", "I-PER", "O", "B-LOC", "B-LOC", "O", "I-ORG", "I-PER"]
    kept = list(tags)
    found = [("PER", 0, 1), ("LOC", 3, 3), ("LOC", 4, 4), ("ORG", 6, 6), ("PER", 7, 7)]
    assert decode_entities(tags) == found
    assert tags == kept, "the input is changed"
    assert decode_entities(["O", "I-LOC", "I-LOC"]) == [("LOC", 1, 2)], "a stray I- after O"
    assert decode_entities(["O"]) == []
    assert decode_entities(["B-A-B", "I-A-B"]) == [("A-B", 0, 1)], "a hyphen in the type"
    ### END SOLUTION


# %% nb="tests test-visible 1"
check.test_decode(test_decode, points=1)

# %% nb="tests test-hidden 1"
# After you hand in, this cell tries more wrong versions. You do not have to write anything here.
### BEGIN HIDDEN TESTS
check.test_decode(test_decode, hidden=True)
### END HIDDEN TESTS

# %% [markdown]
# Does it accept your own function? If this cell raises no error, it does:

# %%
test_decode(decode_entities)

# %% [markdown] nb="read mend-text"
# ## 4 · Find three bugs
# **3 points · 20 minutes · ●●○**
#
# Now the opposite direction: from the logits of a sequence to one tag per word. `read_tags` should give
# **every** word a tag: the best one at its first token, or `O` if the word has no token. Then it makes the tags
# legal: a stray `I-` becomes `B-`.
#
# | | | |
# | --- | --- | --- |
# | `logits` | (T, C) | the scores of C tags at each token |
# | `word_ids` | list, length T | as in exercise 1 |
# | `tags` | list of str, length C | the names of the tags; `"O"` is one of them |
# | `num_words` | int | the number of words in the sentence |
# | returns | list of str, length `num_words` | one tag for each word |
#
# The code below runs, but it has three bugs.

# %% nb="read broken"
def broken_read_tags(logits, word_ids, tags, num_words):
    best = logits.argmax(axis=-1)  # (T,)
    found = {}
    for token, word in enumerate(word_ids):
        if word is not None:
            found[word] = tags[best[token]]
    answer = [found[word] for word in sorted(found)]
    before = "O"
    for word, tag in enumerate(answer):
        if tag.startswith("I-") and before == "O":
            answer[word] = "B-" + tag[2:]
        before = answer[word]
    return answer


# %% [markdown] nb="read mend-examine"
# Have it examined. Which rules must this function follow, and which ones does it break?

# %% nb="read mend-examined"
check.read_tags.examine(broken_read_tags)

# %% [markdown] nb="read mend-task"
# Copy the function's body into `read_tags`, and fix it. You can examine `read_tags` as often as you like.
# {{each bug}}
#
# <details><summary>Hint</summary>
# Each broken rule has one cause. A dictionary keeps the value that was written last. Which words does
# <code>sorted(found)</code> contain? And what can come before a stray I- besides O?
# </details>
# <details><summary>Common error</summary>
# Fixing more than is broken. Three small changes are enough.
# </details>
# <details><summary>Why does a list that is too short do so much harm?</summary>
# All tags after the missing word move one place to the left. There is no error, but every later
# entity is on the wrong words.
# </details>


# %% nb="solution mend"
def read_tags(logits, word_ids, tags, num_words):
    """Return one tag for each of num_words words, from logits (T, C); stray I- tags become B-."""
    ### BEGIN SOLUTION
    best = logits.argmax(axis=-1)  # (T,)
    found = {}
    for token, word in enumerate(word_ids):
        if word is not None and word not in found:
            found[word] = tags[best[token]]
    answer = [found.get(word, "O") for word in range(num_words)]
    before = "O"
    for word, tag in enumerate(answer):
        if tag.startswith("I-") and before[2:] != tag[2:]:
            answer[word] = "B-" + tag[2:]
        before = answer[word]
    return answer
    ### END SOLUTION


# %% nb="tests mend-1 1"
check.read_tags.bug(1)(read_tags)
### BEGIN HIDDEN TESTS
check.read_tags.bug(1)(read_tags, seed=5518, hidden=True)
### END HIDDEN TESTS

# %% nb="tests mend-2 1"
check.read_tags.bug(2)(read_tags)
### BEGIN HIDDEN TESTS
check.read_tags.bug(2)(read_tags, seed=3391, hidden=True)
### END HIDDEN TESTS

# %% nb="tests mend-3 1"
check.read_tags.bug(3)(read_tags)
### BEGIN HIDDEN TESTS
check.read_tags.bug(3)(read_tags, seed=7742, hidden=True)
### END HIDDEN TESTS

# %% [markdown] nb="read f1-text"
# ## 5 · A score that is not too generous
# **4 points · 20 minutes · ●●○**
#
# In named entity recognition, the score is based on **entities**: a predicted entity is right if its type, its start
# and its end are right. Then precision, recall and F₁ are
#
# $$P = 100 \cdot \frac{\text{right}}{\text{found}} \qquad R = 100 \cdot \frac{\text{right}}{\text{wanted}} \qquad
# F_1 = \frac{2 P R}{P + R}$$
#
# Here *right* is the number of entities that are right, *found* the number of predicted entities, and *wanted* the
# number of gold entities, each **added up over all sentences**.
#
# | | | |
# | --- | --- | --- |
# | `gold`, `predicted` | lists of lists of tags | the right tags and the model's tags for each sentence |
# | returns | (P, R, F₁) | three numbers, 0 to 100 |
#
# If a denominator is 0, the score is 0.0. Use your `decode_entities` to find the entities; if it is not right
# yet, the check lends you ours.

# %% nb="read f1-example"
gold = [["B-PER", "I-PER", "O", "B-LOC"], ["O", "B-PER"]]
predicted = [["B-PER", "O", "O", "B-LOC"], ["O", "B-PER"]]
# 2 of 3 found are right, 2 of 3 wanted: 66.67, 66.67, 66.67. Half a name is not a name.

# %% [markdown] nb="read f1-hints"
# <details><summary>Hint</summary>
# Make two sets for each sentence. <code>a & b</code> is the set of entities in both.
# </details>
# <details><summary>Common error</summary>
# Using one set for all sentences. <code>("PER", 0, 1)</code> can occur in many sentences, but a set contains it only
# once. And an entity of one sentence must not match an entity of another.
# </details>
# <details><summary>Why the harmonic mean?</summary>
# It is close to the smaller of the two scores. A tagger that finds only one entity in a thousand, but a right one, has
# precision 100 and recall 0.1: the arithmetic mean is 50, the harmonic mean 0.2.
# </details>


# %% nb="solution f1"
def entity_f1(gold, predicted):
    """Return (precision, recall, F1), each 0 to 100, over the entities of all sentences."""
    ### BEGIN SOLUTION
    right = found = wanted = 0
    for tags, guess in zip(gold, predicted):
        there, said = set(decode_entities(tags)), set(decode_entities(guess))
        right += len(there & said)
        found += len(said)
        wanted += len(there)
    if right == 0:
        return 0.0, 0.0, 0.0
    precision, recall = 100 * right / found, 100 * right / wanted
    return precision, recall, 2 * precision * recall / (precision + recall)
    ### END SOLUTION


# %% nb="tests f1-visible 2"
check.entity_f1(entity_f1, points=2)

# %% nb="tests f1-hidden 2"
# After you hand in, this cell tries more inputs. You do not have to write anything here.
### BEGIN HIDDEN TESTS
check.entity_f1(entity_f1, seed=6154, hidden=True)
### END HIDDEN TESTS

# %% [markdown] nb="read why-text"
# ## 6 · 85% right
# **2 points · 5 minutes · ●○○**
#
# A colleague reports: "My tagger gives 85% of all words the right tag, and it trains in no time." It predicts
# `O` for every word. What is its F₁, and why? Name a mistake that costs little accuracy but a whole entity.
# Three or four sentences are enough.
#
# <details><summary>Hint</summary>
# How many words of an ordinary text belong to a named entity? And what happens to *Mira Harlow Street* if
# one of its three tags is wrong?
# </details>

# %% [markdown] nb="manual why 2"
# Its F₁ is 0: it finds no entity, so recall is 0. Its accuracy is still 85%, because 85% of the words are outside of
# all entities, and accuracy counts these easy words. Entity F₁ ignores words that are outside in both the gold tags and
# the predicted tags. In an entity of three words, one wrong tag costs one word in accuracy, but the whole entity is
# lost, and the wrong part that was found instead counts as found and wrong.
#
# **Mark scheme.** 1 point: F₁ is 0, because no entity is found (or: recall 0), while most words are O. 1 point:
# a mistake at a boundary, or in one tag inside an entity, loses the entity although only one word is wrong. "F₁
# is stricter" alone: no points.

# %% [markdown] nb="read combine-text"
# ## 7 · BERT as a feature extractor
# **4 points · 20 minutes · ●●○**
#
# You do not have to fine-tune BERT: you can run it once, keep its layers' hidden states of each token as features, and
# train a small model on top. Which layers should you use? The paper tries six ways (table 7):
#
# | `way` | reads | result for each token |
# | --- | --- | --- |
# | `"embeddings"` | the embeddings | D numbers |
# | `"second-to-last"` | the second-to-last layer | D |
# | `"last"` | the last layer | D |
# | `"sum-last-four"` | the last four | D: their weighted sum |
# | `"concat-last-four"` | the last four | 4 D: concatenated, the lowest of the four first |
# | `"sum-all"` | all layers except the embeddings | D: their weighted sum |
#
# | | | |
# | --- | --- | --- |
# | `layers` | (L + 1, ..., D) | the embeddings, then the output of each layer, the lowest first |
# | `scores` | (n,), or `None` | one number for each of the n layers of a weighted sum; `None` = equal weights |
# | `gamma` | float | a factor for the weighted sums |
# | returns | (..., D) or (..., 4 D) | the features |
#
# The weights of a sum are the **softmax** of `scores`, as in ELMo, so a task can learn them. `softmax(x)` from unit 02
# is imported above. There may be one or more axes between L + 1 and D.

# %% nb="read combine-example"
layers = np.arange(24.0).reshape(6, 2, 2)  # (L + 1, T, D): five layers, two tokens, two numbers each
# "last": [[20, 21], [22, 23]]
# "sum-last-four", no scores: the mean of layers 2 to 5, [[14, 15], [16, 17]]

# %% [markdown] nb="read combine-hints"
# <details><summary>Hint</summary>
# First select the layers with a slice, then combine them. Negative numbers count from the end.
# </details>
# <details><summary>Common error</summary>
# Writing <code>layers[-4:-1]</code>, which has three layers and leaves out the last one.
# <code>layers[-4:]</code> has four.
# </details>
# <details><summary>Why not always the last layer?</summary>
# It was trained to predict masked tokens and is specialised for that. The information that a task needs may be
# easier to read in lower layers.
# </details>


# %% nb="solution combine"
def combine_layers(layers, way, scores=None, gamma=1.0):
    """Combine layers (L + 1, ..., D) to features (..., D), or (..., 4 D) for "concat-last-four"."""
    ### BEGIN SOLUTION
    if way == "embeddings":
        return layers[0]
    if way == "last":
        return layers[-1]
    if way == "second-to-last":
        return layers[-2]
    if way == "concat-last-four":
        return np.concatenate(list(layers[-4:]), axis=-1)
    chosen = layers[-4:] if way == "sum-last-four" else layers[1:]  # (n, ..., D)
    if scores is None:
        scores = np.zeros(len(chosen), layers.dtype)
    return gamma * np.tensordot(softmax(scores), chosen, axes=1)
    ### END SOLUTION


# %% nb="tests combine-visible 2"
check.combine_layers(combine_layers, points=2)

# %% nb="tests combine-hidden 2"
# After you hand in, this cell tries more inputs. You do not have to write anything here.
### BEGIN HIDDEN TESTS
check.combine_layers(combine_layers, seed=9027, hidden=True)
### END HIDDEN TESTS

# %% [markdown]
# Here are all your functions together: labels for the tokens of a sentence, matching logits, tags, entities and scores.

# %%
names = ["O", "B-LOC", "I-LOC", "B-PER", "I-PER"]
row = align_labels([None, 0, 0, 1, 2, 2, 3, None], [3, 0, 1, 0])
logits = np.where(np.array(row)[:, None] == np.arange(5), 1.0, 0.0)  # (T, C)
answer = read_tags(logits, [None, 0, 0, 1, 2, 2, 3, None], names, 4)
print(answer, decode_entities(answer), entity_f1([["B-PER", "O", "B-LOC", "O"]], [answer]))

# %% [markdown]
# ## Your functions find named entities in English
#
# Now the logits come from a model that was pretrained on English text and fine-tuned for named entities. **Your**
# `read_tags` turns them into tags, and **your** `decode_entities` turns the tags into entities. The package's
# result is printed below yours. This gives no points and takes a few seconds. Then try a sentence from a
# newspaper. (If the English model is not available, a message says so, and an untrained model replaces it; your
# result and the package's still agree.)

# %%
import minibert
from minibert.course.models.class_model import untrained_model
from minibert.tokenizer import BasicTokenizer

text = "David Miller flew from London to Berlin, where he works for Siemens."
conll = ["O", *(f"{edge}-{kind}" for kind in ("LOC", "MISC", "ORG", "PER") for edge in "BI")]
english = minibert.load("english-ner", instead=untrained_model("ner", tags=conll))

places = [(word.start, word.end) for word in BasicTokenizer(lower_case=False).split(text)]
sentence = [text[start:end] for start, end in places]
encoding = english.tokenizer.encode_words(sentence)
logits = english.task.logits(english.model, [(encoding.ids, None)])[0]                          # (T, C)
answer = read_tags(logits, [None, *encoding.words, None], english.task.tags, len(sentence))
mine = [(text[places[first][0]:places[last][1]], kind) for kind, first, last in decode_entities(answer)]
package = [(entity.text, entity.type) for entity in english.predict(text)]
print("yours:      ", mine)
print("the package:", package)
print("The same!" if mine == package else "They differ: which function is not right yet?")

# %% [markdown] nb="read end"
# ## Done
#
# You have written all of named entity recognition except the network, which you already had. In the package,
# `minibert/tasks/tagging.py` does this for whole files, with windows for long texts; `minibert/tasks/entity_score.py`
# computes the scores; `minibert/finetuning/features.py` combines layers in the six ways.
#
# **Before you hand in**: restart the kernel and run all cells, or let `minibert doctor` check your notebook.
#
# **Read on**: Devlin et al. (2019), *BERT*, [arXiv 1810.04805](https://arxiv.org/abs/1810.04805), section 5.3 and table
# 7. Tjong Kim Sang and De Meulder (2003), *Introduction to the CoNLL-2003 Shared Task*,
# [arXiv cs/0306050](https://arxiv.org/abs/cs/0306050), section 2. Peters et al. (2018), *ELMo*,
# [arXiv 1802.05365](https://arxiv.org/abs/1802.05365), equation 1.
