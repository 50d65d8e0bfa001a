# %% [markdown] nb="read intro"
# # Unit 08 · Tagging: a label for every word
#
# *Mira Harlow lives in Ashby.* Who is a person, what is a place? BERT answers piece by piece; you write what stands
# around it: labels onto pieces, answers back to words, entities out of tags, and a score that does not flatter. At the
# end you use BERT as a box of features, in the six ways of its paper.
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
# | | together | **22** | **120** | |
#
# The finished notebook runs in 2 seconds on two cores, and its last cell, with a model, in a few more.
#
# **How it works.** Write your code where it says `YOUR CODE HERE`, and delete the line `raise NotImplementedError()`.
# Run the cell, then the check below it. The check tells you what is wrong, as often as you like. The number under
# its verdict is what the cell earns so far: at most half of its points until all is right. More points are given after
# you hand in, for the same function on other inputs: solve the exercise, not the check.
#
# **Stuck?** Each exercise has folded hints; open them one by one. `check.align_labels.hint()` in a cell of your own
# shows three more, and likewise for the others.

# %% nb="read imports"
import numpy as np

from minibert.data.batch import IGNORE
from minibert.course import unit08 as check
from minibert.course.checks.student_tests import by_name
from minibert.reference import softmax

# %% [markdown] nb="read align-text"
# ## 1 · Labels onto pieces
# **3 points · 15 minutes · ●○○**
#
# A label belongs to a word, but BERT reads pieces. The paper's answer: the **first piece** of a word carries its label.
# Later pieces and special tokens get `IGNORE`, a number that every loss of this course leaves out.
#
# | | | |
# | --- | --- | --- |
# | `word_ids` | list, length T | for each token the number of its word, counted from 0; `None` for `[CLS]`, `[SEP]`, `[PAD]` |
# | `labels` | list of int | one label for each word of the sentence |
# | returns | list of int, length T | one label for each token |
#
# A row may have been cut, so that the last words are not in it. And a word may have left no piece at all (a stray
# control character): then its number is missing in `word_ids`. For example:

# %% nb="read align-example"
tokens = ["[CLS]", "Bram", "##low", "left", "Ash", "##by", ".", "[SEP]"]
word_ids = [None, 0, 0, 1, 2, 2, 3, None]
labels = [3, 0, 1, 0]  # of Bramlow, left, Ashby and the full stop
# the result: [IGNORE, 3, IGNORE, 0, 1, IGNORE, 0, IGNORE]

# %% [markdown] nb="read align-hints"
# <details><summary>Hint</summary>
# Walk along <code>word_ids</code> and remember the number before. When does a piece begin a word?
# </details>
# <details><summary>Common error</summary>
# <code>if word:</code> is False for word 0. Ask <code>if word is None</code>.
# </details>
# <details><summary>Why not a label on every piece?</summary>
# Then a word of four pieces would count four times in the loss, and a rare name more than a common one. And four pieces
# may give four answers where one is wanted.
# </details>


# %% nb="solution align"
def align_labels(word_ids, labels):
    """One label for each token: that of the word at its first piece, IGNORE at all others."""
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
# After you hand in, more inputs are tried here. There is nothing to write.
### BEGIN HIDDEN TESTS
check.align_labels(align_labels, seed=2209, hidden=True)
### END HIDDEN TESTS

# %% [markdown] nb="read decode-text"
# ## 2 · Entities out of tags
# **4 points · 25 minutes · ●●○**
#
# A name can have several words, so tags say more than a type. `B-PER` **b**egins a person, `I-PER` goes on **i**nside
# it, `O` is **o**utside of all entities. `decode_entities` gets the tags of one sentence and returns its entities: a
# list of tuples `(type, first, last)`, in the order of the sentence, with the numbers of the first and the last word.
#
# - An entity ends before an `O`, before any `B-`, before a tag of another type, and at the end of the sentence.
# - A model may say what is not allowed: an `I-` with nothing of its type before it. Such a **stray** `I-` begins an
#   entity, just as `B-` would. This is how the official script of the shared task, `conlleval`, counts.
# - The type is what stands after the first hyphen. It may hold hyphens itself, as in `B-WORK-OF-ART`.

# %% nb="read decode-example"
tags = ["B-PER", "I-PER", "O", "B-LOC", "B-LOC", "O", "I-ORG", "I-PER"]
# the result: [("PER", 0, 1), ("LOC", 3, 3), ("LOC", 4, 4), ("ORG", 6, 6), ("PER", 7, 7)]

# %% [markdown] nb="read decode-hints"
# <details><summary>Hint</summary>
# Keep the entity that is open: where it began and its type. At each tag ask two questions, in this order: does the open
# one end here? Does a new one begin?
# </details>
# <details><summary>Common error</summary>
# Losing the entity that reaches the end of the sentence: the loop is over before anything closes it. An
# <code>"O"</code> put behind the tags closes it for you.
# </details>
# <details><summary>Why is B- needed at all?</summary>
# Two entities of one type can stand side by side. With I- alone they would be one.
# </details>


# %% nb="solution decode"
def decode_entities(tags):
    """The entities of a sentence: a list of (type, first word, last word), in the order of the sentence."""
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
# After you hand in, more inputs are tried here. There is nothing to write.
### BEGIN HIDDEN TESTS
check.decode_entities(decode_entities, seed=8830, hidden=True)
### END HIDDEN TESTS

# %% [markdown] nb="read test-text"
# ## 3 · Write a test
# **2 points · 15 minutes · ●●○**
#
# Now change sides. `test_decode` gets a function that claims to be a `decode_entities`. It may be anybody's. Your test
# says nothing when all is well, and stops at an `assert` when it is not:
#
# `assert decode_entities(["O", "O"]) == [], "nothing there"`
#
# The check hands your test right versions, which it must accept, and wrong ones, which it must catch. Some wrong ones
# come after you hand in. So choose sentences in which a mistake shows: what can stand after an entity? Where may a
# stray `I-` stand? In which order do several entities come? And is the list of tags the same afterwards? The line
# `@by_name` lets the check hand over its versions: leave it there.
#
# <details><summary>Hint</summary>
# The example above shows many mistakes at once. What does it not show? A stray I- after O at the very end, an entity of
# three words, a sentence without any entity.
# </details>
# <details><summary>Common error</summary>
# Testing only what a careful annotator writes. Models make tags that no person would.
# </details>
# <details><summary>Why test the input, too?</summary>
# The caller may need the tags again. A function that quietly adds an O to her list makes the next function wrong.
# </details>


# %% nb="solution test"
@by_name
def test_decode(decode_entities):
    """Stops at an assert where decode_entities(tags) does not give the entities of the tags."""
    ### BEGIN SOLUTION
    tags = ["B-PER", "I-PER", "O", "B-LOC", "B-LOC", "O", "I-ORG", "I-PER"]
    kept = list(tags)
    found = [("PER", 0, 1), ("LOC", 3, 3), ("LOC", 4, 4), ("ORG", 6, 6), ("PER", 7, 7)]
    assert decode_entities(tags) == found
    assert tags == kept, "the input is changed"
    assert decode_entities(["O", "I-LOC", "I-LOC"]) == [("LOC", 1, 2)], "a stray I- after O"
    assert decode_entities(["O"]) == []
    ### END SOLUTION


# %% nb="tests test-visible 1"
check.test_decode(test_decode, points=1)

# %% nb="tests test-hidden 1"
# After you hand in, more wrong versions are tried here. There is nothing to write.
### BEGIN HIDDEN TESTS
check.test_decode(test_decode, hidden=True)
### END HIDDEN TESTS

# %% [markdown]
# Does it accept your own function? If nothing is printed, it does:

# %%
test_decode(decode_entities)

# %% [markdown] nb="read mend-text"
# ## 4 · Find three bugs
# **3 points · 20 minutes · ●●○**
#
# The way back, from a row of logits to one tag a word. `read_tags` should give **every** word a tag: the best one at
# its first piece, and `O` to a word without a piece. Then it makes the tags legal: a stray `I-` becomes `B-`.
#
# | | | |
# | --- | --- | --- |
# | `logits` | (T, C) | the scores of C tags at each token |
# | `word_ids` | list, length T | as in exercise 1 |
# | `tags` | list of str, length C | the names of the tags; `"O"` is one of them |
# | `num_words` | int | words in the sentence |
# | returns | list of str, length `num_words` | one tag for each word |
#
# It runs, but it has three bugs.

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
# Have it examined: what must hold of such a function, and what does?

# %% nb="read mend-examined"
check.read_tags.examine(broken_read_tags)

# %% [markdown] nb="read mend-task"
# Copy the function's body into `read_tags`, and mend it. Each bug is worth a point; examine `read_tags` as often as you
# like.
#
# <details><summary>Hint</summary>
# Each broken line of the examination has one cause. A dictionary keeps what was written last. Which words does
# <code>sorted(found)</code> name? And what can stand before a stray I-, besides O?
# </details>
# <details><summary>Common error</summary>
# Mending more than is broken. Three small changes are enough.
# </details>
# <details><summary>Why does a list that is too short do so much harm?</summary>
# All tags behind the missing word move one place to the left. No error is raised, and every name sits on the wrong
# word.
# </details>


# %% nb="solution mend"
def read_tags(logits, word_ids, tags, num_words):
    """logits (T, C) -> one tag for each of num_words words; stray I- tags become B-."""
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
# ## 5 · A score that does not flatter
# **4 points · 20 minutes · ●●○**
#
# Named entities are scored by **entity**: a found entity is right if its type and both its ends are right. Then
#
# $$P = 100 \cdot \frac{\text{right}}{\text{found}} \qquad R = 100 \cdot \frac{\text{right}}{\text{wanted}} \qquad
# F_1 = \frac{2 P R}{P + R}$$
#
# with the numbers of entities that are right, that were found, and that are there, each **added up over all
# sentences**.
#
# | | | |
# | --- | --- | --- |
# | `gold`, `predicted` | lists of lists of tags | the right tags and the model's, sentence by sentence |
# | returns | (P, R, F₁) | three numbers, 0 to 100 |
#
# Where a denominator would be 0, the score is 0.0. Your `decode_entities` finds the entities; if it is not right yet,
# the check lends you ours.

# %% nb="read f1-example"
gold = [["B-PER", "I-PER", "O", "B-LOC"], ["O", "B-PER"]]
predicted = [["B-PER", "O", "O", "B-LOC"], ["O", "B-PER"]]
# 2 of 3 found are right, 2 of 3 wanted: 66.7, 66.7, 66.7. Half a name is not a name.

# %% [markdown] nb="read f1-hints"
# <details><summary>Hint</summary>
# Two sets a sentence. <code>a & b</code> is what is in both.
# </details>
# <details><summary>Common error</summary>
# One set for all sentences. <code>("PER", 0, 1)</code> can be in many sentences, but a set holds it once. And two
# sentences must not borrow from each other.
# </details>
# <details><summary>Why the harmonic mean?</summary>
# It lies near the smaller of the two. A tagger that finds one sure entity in a thousand has precision 100 and recall
# 0.1: the arithmetic mean would call this 50, the harmonic one 0.2.
# </details>


# %% nb="solution f1"
def entity_f1(gold, predicted):
    """(precision, recall, F1), each 0 to 100, over the entities of all sentences."""
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
# After you hand in, more inputs are tried here. There is nothing to write.
### BEGIN HIDDEN TESTS
check.entity_f1(entity_f1, seed=6154, hidden=True)
### END HIDDEN TESTS

# %% [markdown] nb="read why-text"
# ## 6 · 85% right
# **2 points · 5 minutes · ●○○**
#
# A colleague reports: "My tagger gives 85% of all words the right tag, and it trains in no time." It says `O` to every
# word. What is its F₁, and why? Name one mistake that costs little accuracy but a whole entity. Three or four sentences
# are enough.
#
# <details><summary>Hint</summary>
# How many words of an ordinary text belong to a name? And what happens to *Mira Harlow Street* if one of its three tags
# is wrong?
# </details>

# %% [markdown] nb="manual why 2"
# Its F₁ is 0: it finds no entity, so nothing it found is right and recall is 0. It still scores 85%, because 85% of the
# words are outside of all names, and accuracy counts these easy words. Entity F₁ does not look at words that both sides
# leave outside. A name of three words with one wrong tag costs one word in accuracy, but the whole entity is lost, and
# the wrong part that was found in its place is counted as found and wrong.
#
# **Mark scheme.** 1 point: F₁ is 0, because no entity is found (or: recall 0), while most words are O. 1 point: a mistake
# at a border, or of one tag inside a name, loses the entity, though only one word is wrong. "F₁ is stricter" alone:
# nothing.

# %% [markdown] nb="read combine-text"
# ## 7 · BERT as a box of features
# **4 points · 20 minutes · ●●○**
#
# One need not train BERT at all: run it once, keep what its layers say of each token, and train something small on top.
# Which layers? The paper tries six ways (table 7):
#
# | `way` | reads | gives for each token |
# | --- | --- | --- |
# | `"embeddings"` | the embeddings | D numbers |
# | `"second-to-last"` | the last layer but one | D |
# | `"last"` | the last layer | D |
# | `"sum-last-four"` | the last four | D: their weighted sum |
# | `"concat-last-four"` | the last four | 4 D: side by side, the lowest of the four first |
# | `"sum-all"` | all layers, without the embeddings | D: their weighted sum |
#
# | | | |
# | --- | --- | --- |
# | `layers` | (L + 1, ..., D) | the embeddings, then the output of each layer, the lowest first |
# | `scores` | (n,), or `None` | one number for each of the n layers of a weighted sum; `None` = all weigh the same |
# | `gamma` | float | a weighted sum is multiplied by it |
# | returns | (..., D) or (..., 4 D) | the features |
#
# The weights of a sum are the **softmax** of `scores`, as in ELMo: a task can learn them by itself. `softmax(x)` of
# unit 02 is imported above. There may be one axis between L + 1 and D, or two, or more.

# %% nb="read combine-example"
layers = np.arange(24.0).reshape(6, 2, 2)  # (L + 1, T, D): five layers, two tokens, two numbers each
# "last": [[20, 21], [22, 23]]
# "sum-last-four", no scores: the mean of layers 2 to 5, [[14, 15], [16, 17]]

# %% [markdown] nb="read combine-hints"
# <details><summary>Hint</summary>
# First choose the layers by a slice, then see what is to be done with them. Negative numbers count from the end.
# </details>
# <details><summary>Common error</summary>
# <code>layers[-4:-1]</code> has three layers and not the last one. <code>layers[-4:]</code> has four.
# </details>
# <details><summary>Why not always the last layer?</summary>
# It was trained to name hidden words, and is shaped for that. What a task needs may be said more plainly further down.
# </details>


# %% nb="solution combine"
def combine_layers(layers, way, scores=None, gamma=1.0):
    """layers (L + 1, ..., D) -> (..., D), or (..., 4 D) for "concat-last-four"."""
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
# After you hand in, more inputs are tried here. There is nothing to write.
### BEGIN HIDDEN TESTS
check.combine_layers(combine_layers, seed=9027, hidden=True)
### END HIDDEN TESTS

# %% [markdown]
# All your functions in a row: a sentence, labels on its pieces, logits that fit them, tags, entities, scores.

# %%
names = ["O", "B-LOC", "I-LOC", "B-PER", "I-PER"]
row = align_labels([None, 0, 0, 1, 2, 2, 3, None], [3, 0, 1, 0])
logits = np.where(np.array(row)[:, None] == np.arange(5), 1.0, 0.0)  # (T, C)
answer = read_tags(logits, [None, 0, 0, 1, 2, 2, 3, None], names, 4)
print(answer, decode_entities(answer), entity_f1([["B-PER", "O", "B-LOC", "O"]], [answer]))

# %% [markdown]
# ## Your functions find names in English
#
# Now the logits come from a model that has read English and learned what names are. **Your** `read_tags` makes tags of
# them, and **your** `decode_entities` makes entities. Beside them stands what the package says. It gives no points and
# takes some seconds; then take a sentence from a newspaper. (Where the English model cannot be had, a line says so; one
# that has learned nothing takes its place, and the two still agree.)

# %%
import minibert
from minibert.course.models.class_model import untaught
from minibert.tokenizer import BasicTokenizer

text = "David Miller flew from London to Berlin, where he works for Siemens."
conll = ["O", *(f"{edge}-{kind}" for kind in ("LOC", "MISC", "ORG", "PER") for edge in "BI")]
english = minibert.load("english-ner", instead=untaught("ner", tags=conll))

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
# You have written all of named entity recognition but the network, which you had already. `minibert/tasks/tagging.py`
# does it for whole files, with windows for long texts; `minibert/tasks/entity_score.py` scores;
# `minibert/finetuning/features.py` reads layers in the six ways.
#
# **Before you hand in**: restart the kernel and run all cells, or let `minibert doctor` look over your notebook.
#
# **Read on**: Devlin et al. (2019), *BERT*, [arXiv 1810.04805](https://arxiv.org/abs/1810.04805), section 5.3 and table
# 7. Tjong Kim Sang and De Meulder (2003), *Introduction to the CoNLL-2003 Shared Task*,
# [arXiv cs/0306050](https://arxiv.org/abs/cs/0306050), section 2. Peters et al. (2018), *ELMo*,
# [arXiv 1802.05365](https://arxiv.org/abs/1802.05365), equation 1.
