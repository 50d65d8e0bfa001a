# %% [markdown] nb="read intro"
# # Unit 03 · Input: from text to vectors
#
# A model reads numbers. You will write everything between a text and the first layer of BERT: the tokenizer, the
# training of its vocabulary, the sequence of two segments, the three embeddings. At the end your tokenizer meets the
# package's on a text of yours, and both give the same ids.
#
# | | exercise | points | minutes | difficulty |
# | --- | --- | --- | --- | --- |
# | 1 | `wordpiece_encode` | 4 | 20 | ●●○ |
# | 2 | `revealing_words`: test a tokenizer | 2 | 15 | ●●○ |
# | 3 | `pair_scores` | 3 | 20 | ●●○ |
# | 4 | `train_wordpiece` | 4 | 30 | ●●● |
# | 5 | Why subwords? (in words) | 2 | 5 | ●○○ |
# | 6 | `pack_pair` | 4 | 25 | ●●○ |
# | 7 | `embed` | 3 | 15 | ●●○ |
# | 8 | Find three bugs | 3 | 15 | ●●○ |
# | 9 | `tokenize` | 2 | 10 | ●○○ |
# | 10 | `my_text` | 1 | 5 | ●○○ |
# | | together | **28** | **160** | |
#
# The finished notebook runs in 3 seconds on two cores, and its last cell, with a model, in a few more.
#
# **How it works.** Write your code where it says `YOUR CODE HERE`, and delete the line `raise NotImplementedError()`.
# Run the cell, then the check below it. The check tells you what is wrong, as often as you like. The number under
# its verdict is what the cell earns so far: at most half of its points until all is right. More points are given after
# you hand in, for the same function on other inputs: solve the exercise, not the check. What a function is given, it must
# not change.
#
# **Stuck?** `check.wordpiece_encode.hint()` in a cell of your own shows a hint; run it again for a stronger one, three in
# all. So do the other functions, up to exercise 9. Common errors are folded below each task. And an earlier function
# that is not right yet does not hold you back: if a later check fails because of it, the check lends you ours and says
# so. A cell that does not end has a loop that does not: stop it with the button ■.

# %% nb="read imports"
import string
import unicodedata

import numpy as np

from minibert.data.batch import SPECIAL_TOKENS
from minibert.course import unit03 as check
from minibert.reference.encoder import layer_norm, sub
from minibert.tokenizer import BasicTokenizer
from minibert.tokenizer.basic import is_cjk
from minibert.tokenizer.train import alphabet

# %% [markdown] nb="read encode-text"
# ## 1 · Words into pieces
# **4 points · 20 minutes · ●●○**
#
# A vocabulary has tokens of two kinds: `hug` may begin a word, `##s` may only go on in one. WordPiece splits a word
# **greedily**: it takes the longest token that begins the word, then the longest one that goes on, until the end. It
# never goes back.
#
# | | | |
# | --- | --- | --- |
# | `word` | str | one word, lowercase already |
# | `vocab` | dict, token → id | `token in vocab` tells whether there is such a token |
# | `longest` | int | a word of more characters than this is `[UNK]` at once |
# | returns | list of str | the word's tokens |
#
# If at some place no token fits, not even one of a single character, then the **whole** word becomes `["[UNK]"]`.
# For example:

# %% nb="read encode-example"
vocab = {token: i for i, token in enumerate(["[UNK]", "hug", "hu", "##g", "##s", "##gs", "un", "una", "##able"])}
expected = {"hug": ["hug"], "hugs": ["hug", "##s"], "hux": ["[UNK]"], "unable": ["[UNK]"]}

# %% [markdown] nb="read encode-hints"
# *unable* could be `un ##able`. But the longest token at its beginning is `una`, after which nothing fits.
#
# <details><summary>Common error</summary>
# Forgetting what happens when the inner loop finds nothing. Then <code>start</code> never moves, and the outer loop
# runs for ever.
# </details>
# <details><summary>Why is the length limited?</summary>
# For each start, every end may be tried: the work grows with the square of the length. A web page can hold a "word" of
# ten thousand characters.
# </details>


# %% nb="solution encode"
def wordpiece_encode(word, vocab, longest=200):
    """The tokens of one word, the longest first at each place; ["[UNK]"] where it does not work out."""
    ### BEGIN SOLUTION
    pieces, start = [], 0
    while start < len(word) <= longest:
        mark = "##" if start else ""
        for end in range(len(word), start, -1):
            if mark + word[start:end] in vocab:
                break
        else:
            return ["[UNK]"]
        pieces.append(mark + word[start:end])
        start = end
    return pieces or ["[UNK]"]
    ### END SOLUTION


# %% nb="tests encode-visible 2"
check.wordpiece_encode(wordpiece_encode, points=2)

# %% nb="tests encode-hidden 2"
# After you hand in, more inputs are tried here. There is nothing to write.
### BEGIN HIDDEN TESTS
check.wordpiece_encode(wordpiece_encode, seed=4409, hidden=True)
### END HIDDEN TESTS

# %% [markdown]
# The examples from above, by your function:

# %%
{word: wordpiece_encode(word, vocab) for word in expected}

# %% [markdown] nb="read reveal-text"
# ## 2 · Test a tokenizer
# **2 points · 15 minutes · ●●○**
#
# Seven colleagues have written `wordpiece_encode` too. Each of them made one mistake, and none wrote a test. Write it:
# words that show every one of these mistakes. This is the vocabulary (besides `[UNK]`):

# %% nb="read reveal-vocabulary"
print(*check.SMALL)

# %% [markdown] nb="read reveal-task"
# Let `revealing_words` return a list of at most six words, of letters only. A mistake is revealed when the colleague
# splits at least one of your words otherwise than a right tokenizer does. The check names what you have not revealed.
#
# <details><summary>Common error</summary>
# Testing ordinary words only. A test that every wrong program passes says nothing: look for the edges.
# </details>


# %% nb="solution reveal"
def revealing_words():
    """At most six words that show the mistakes of all seven colleagues."""
    ### BEGIN SOLUTION
    return ["hugs", "hugx", "huggy", "gs"]
    ### END SOLUTION


# %% nb="tests reveal-visible 2"
check.revealing_words(revealing_words, points=2)

# %% [markdown] nb="read scores-text"
# ## 3 · How good is a pair?
# **3 points · 20 minutes · ●●○**
#
# Where does a vocabulary come from? It is trained: begin with single characters, and merge the best pair of neighbours,
# again and again. First the score of each pair.
#
# | | | |
# | --- | --- | --- |
# | `splits` | dict, word → list of tokens | how each word is split at present |
# | `counts` | dict, word → int | how often the word occurs in the corpus |
# | `score` | `"frequency"` or `"likelihood"` | which score |
# | returns | dict, (left, right) → number | the score of each pair of neighbours |
#
# - `"frequency"`: how often the pair occurs in the corpus. This is what byte-pair encoding takes.
# - `"likelihood"`: that, divided by how often `left` occurs times how often `right` occurs, wherever they stand. This
#   is how WordPiece is usually described: it asks how much more often the two meet than chance would have it.
#
# A word that occurs ten times brings each of its tokens and pairs ten times. For example:

# %% nb="read scores-example"
splits = {"hug": ["h", "##u", "##g"], "hugs": ["h", "##u", "##g", "##s"], "gu": ["g", "##u"]}
counts = {"hug": 10, "hugs": 5, "gu": 2}
# frequency:  ("h", "##u") 15, ("##u", "##g") 15, ("##g", "##s") 5, ("g", "##u") 2
# likelihood: ("h", "##u") 15 / (15 * 17), since h occurs 15 times and ##u 17 times

# %% [markdown] nb="read scores-hints"
# <details><summary>Common error</summary>
# Counting a token only where it is part of a pair. The <code>u</code> of a word that is nothing but u counts as well.
# </details>
# <details><summary>Why divide at all?</summary>
# A frequent letter is in many pairs, whatever it stands beside. Divided by the counts of its parts, a pair stands out
# only if the two belong together.
# </details>


# %% nb="solution scores"
def pair_scores(splits, counts, score="frequency"):
    """The score of each pair of neighbouring tokens: a dict, (left, right) -> number."""
    ### BEGIN SOLUTION
    pairs, pieces = {}, {}
    for word, split in splits.items():
        for piece in split:
            pieces[piece] = pieces.get(piece, 0) + counts[word]
        for pair in zip(split, split[1:]):
            pairs[pair] = pairs.get(pair, 0) + counts[word]
    if score == "frequency":
        return pairs
    return {pair: n / (pieces[pair[0]] * pieces[pair[1]]) for pair, n in pairs.items()}
    ### END SOLUTION


# %% nb="tests scores-visible 2"
check.pair_scores(pair_scores, points=2)

# %% nb="tests scores-hidden 1"
# After you hand in, more inputs are tried here. There is nothing to write.
### BEGIN HIDDEN TESTS
check.pair_scores(pair_scores, seed=7351, hidden=True)
### END HIDDEN TESTS

# %% [markdown] nb="read train-text"
# ## 4 · Train a vocabulary
# **4 points · 30 minutes · ●●●**
#
# Now the loop. Return the vocabulary as a list of tokens, in this order:
#
# 1. the special tokens: `SPECIAL_TOKENS`, imported above,
# 2. the alphabet: `alphabet(counts)` gives all single characters, with and without `##`,
# 3. the merged tokens, in the order in which they were merged.
#
# At first every word is split into characters: `hug` is `h ##u ##g`. Then, while the list has fewer than `vocab_size`
# tokens:
#
# - take the pair with the best score: your `pair_scores`, with the `score` that is asked for. Among equal ones, take the
#   one that **sorts first**, as Python compares tuples: then the result does not depend on the order of the words.
# - merge it into one token: `##u` and `##g` make `##ug`, and `h` and `##ug` make `hug`. Add it to the list.
# - in all words, replace the pair by the new token, from left to right: `b ##a ##a ##a` becomes `b ##aa ##a`.
#
# When every word is one token, no pair is left: stop, with a shorter list. `vocab_size` is never smaller than the
# special tokens and the alphabet together, but it may be just as large.
#
# <details><summary>Common error</summary>
# Scoring the pairs once and merging down the list. Every merge makes new pairs and ends old ones: score them anew.
# </details>


# %% nb="solution train"
def train_wordpiece(counts, vocab_size, score="frequency"):
    """counts: word -> how often. Returns the vocabulary, a list of at most vocab_size tokens."""
    ### BEGIN SOLUTION
    vocab = [*SPECIAL_TOKENS, *alphabet(counts)]
    splits = {word: [word[0], *("##" + c for c in word[1:])] for word in counts}
    while len(vocab) < vocab_size:
        scores = pair_scores(splits, counts, score)
        if not scores:
            break
        left, right = min(scores, key=lambda pair: (-scores[pair], pair))
        vocab.append(left + right.removeprefix("##"))
        for word, split in splits.items():
            new, i = [], 0
            while i < len(split):
                found = split[i:i + 2] == [left, right]
                new.append(vocab[-1] if found else split[i])
                i += 2 if found else 1
            splits[word] = new
    return vocab
    ### END SOLUTION


# %% nb="tests train-visible 2"
check.train_wordpiece(train_wordpiece, points=2)

# %% nb="tests train-hidden 2"
# After you hand in, more inputs are tried here. There is nothing to write.
### BEGIN HIDDEN TESTS
check.train_wordpiece(train_wordpiece, seed=5882, hidden=True)
### END HIDDEN TESTS

# %% [markdown] nb="read why-pieces-text"
# ## 5 · Why subwords?
# **2 points · 5 minutes · ●○○**
#
# A model could read whole words, or single characters. Say in three or four sentences what would go wrong with each,
# and how subwords avoid it. Think of a word that nobody has seen before, of the size of the embedding table, and of the
# length of a sequence.
#
# <details><summary>Hint</summary>
# BERT-base has 768 numbers for each entry of its vocabulary. And attention compares every token of a sequence
# with every other.
# </details>

# %% [markdown] nb="manual why-pieces 2"
# With whole words, a word that was not in the training text is [UNK], and its meaning is lost; the table also gets
# huge, as each form of each word (*hug, hugs, hugged*) has a row of its own, and rare ones are hardly ever trained.
# With characters nothing is unknown and the table is tiny, but sequences become about five times as long. Each costs more
# than five times as much: most of the work grows with the length, and the scores of attention with its square. (At 512
# tokens they are about a tenth of BERT-base's cost, at five times that length about a third.) A single letter also says
# little, so the layers must first learn to spell. Subwords are between: frequent words stay whole, rare ones are spelled
# in a few meaningful parts, and the table has a fixed size.
#
# **Mark scheme.** 1 point: the trouble with words (unknown words, or too many rows / rare rows badly trained). 1 point:
# the trouble with characters (long sequences, so much computing; or units without meaning). No point is lost for leaving
# out how subwords avoid it if both troubles are right; "subwords are better" alone: nothing.

# %% [markdown] nb="read pack-text"
# ## 6 · A sequence of two segments
# **4 points · 25 minutes · ●●○**
#
# BERT reads one sequence at a time: `[CLS] A [SEP] B [SEP]`, or `[CLS] A [SEP]` where there is no B. A sequence has a
# fixed length. What is too long is cut, what is too short is filled up with `[PAD]`.
#
# | | | |
# | --- | --- | --- |
# | `a` | list of ids | the first segment, without special tokens |
# | `b` | list of ids, or `None` | the second one |
# | `max_length` | int | the length T of the sequence, special tokens included |
# | returns `input_ids` | (T,), int | the sequence |
# | returns `token_type_ids` | (T,), int | 0 for `[CLS]`, A and its `[SEP]`; 1 for B and its `[SEP]`; 0 for padding |
# | returns `real` | (T,), bool | True for every token, special ones too; False for padding |
#
# **Truncation.** Cut before you pack, so that no special token is lost: as long as the two segments do not fit, drop
# the **last token of the longer one**; of two equally long ones, drop it from B. Return three arrays, in this order.
# `a` and `b` themselves must stay as they are.

# %% nb="read special-ids"
PAD, CLS, SEP = 0, 2, 3  # their places in SPECIAL_TOKENS

# %% [markdown] nb="read pack-hints"
# <details><summary>Common error</summary>
# <code>a.pop()</code> changes the list of whoever called you. Work on copies: <code>a = list(a)</code>.
# </details>
# <details><summary>Why the longer one?</summary>
# A question of eight words beside a passage of a thousand: cutting both alike would throw half of the question away, and
# the passage would hardly gain.
# </details>


# %% nb="solution pack"
def pack_pair(a, b, max_length):
    """[CLS] A [SEP] B [SEP] [PAD] ... Returns (input_ids, token_type_ids, real), each (T,) with T = max_length."""
    ### BEGIN SOLUTION
    first, second = list(a), list(b or [])
    room = max_length - (2 if b is None else 3)
    while len(first) + len(second) > room:
        (first if len(first) > len(second) else second).pop()
    first = [CLS, *first, SEP]
    second = [] if b is None else [*second, SEP]
    gap = max_length - len(first) - len(second)
    input_ids = np.array(first + second + [PAD] * gap)                              # (T,)
    token_type_ids = np.array([0] * len(first) + [1] * len(second) + [0] * gap)     # (T,)
    return input_ids, token_type_ids, np.arange(max_length) < max_length - gap
    ### END SOLUTION


# %% nb="tests pack-visible 2"
check.pack_pair(pack_pair, points=2)

# %% nb="tests pack-hidden 2"
# After you hand in, more inputs are tried here. There is nothing to write.
### BEGIN HIDDEN TESTS
check.pack_pair(pack_pair, seed=3203, hidden=True)
### END HIDDEN TESTS

# %% [markdown] nb="read embed-text"
# ## 7 · Three embeddings, one vector
# **3 points · 15 minutes · ●●○**
#
# Now numbers become vectors. BERT has three tables, and for each token it takes one row of each: the row of its
# **id** (the word embedding), of its **position** (0, 1, 2, ... along the sequence) and of its **segment**. It adds the three, and a
# LayerNorm follows:
#
# $$x_t = \operatorname{LayerNorm}\bigl(\text{word}[\text{id}_t] + \text{position}[t] + \text{segment}[\text{type}_t]\bigr)$$
#
# | | | |
# | --- | --- | --- |
# | `input_ids`, `token_type_ids` | (B, T), int | a batch of sequences |
# | `weights` | dict | the three tables, and gamma (`norm.weight`) and beta (`norm.bias`) of the LayerNorm |
# | returns | (B, T, D) | what goes into the first layer |
#
# The tables are `word.weight`, `position.weight` and, for the segments, `token_type.weight`; the next cell shows their
# shapes. `layer_norm(x, sub(weights, "norm"), eps)` is the LayerNorm you wrote in unit 02, imported above.

# %% nb="read embed-weights"
weights = check.embedding_weights(np.random.default_rng(0), vocab_size=9, longest=8, hidden_size=4)
{name: table.shape for name, table in weights.items()}

# %% [markdown] nb="read embed-hints"
# <details><summary>Common error</summary>
# Adding the whole position table. It has as many rows as the longest sequence may have tokens; take T of them.
# </details>
# <details><summary>Why may one add them?</summary>
# Sums lose nothing that the layers need: in 768 dimensions there is room for the three to be told apart, and training
# sees to it that they can be.
# </details>


# %% nb="solution embed"
def embed(input_ids, token_type_ids, weights, eps=1e-12):
    """input_ids, token_type_ids (B, T) -> (B, T, D): word + position + segment, then LayerNorm."""
    ### BEGIN SOLUTION
    T = input_ids.shape[1]
    x = weights["word.weight"][input_ids] + weights["position.weight"][:T]      # (B, T, D)
    x = x + weights["token_type.weight"][token_type_ids]                        # (B, T, D)
    return layer_norm(x, sub(weights, "norm"), eps)
    ### END SOLUTION


# %% nb="tests embed-visible 2"
check.embed(embed, points=2)

# %% nb="tests embed-hidden 1"
# After you hand in, more inputs are tried here. There is nothing to write.
### BEGIN HIDDEN TESTS
check.embed(embed, seed=6607, hidden=True)
### END HIDDEN TESTS

# %% [markdown] nb="read words-text"
# ## 8 · Find three bugs
# **3 points · 15 minutes · ●●○**
#
# Before the tokens come words. BERT makes a text lowercase, takes the accents off, and splits it at white space. Every
# punctuation mark and every Chinese character becomes a word of its own.
#
# Unicode helps with that. `unicodedata.category(c)` is the kind of a character, in two letters: kinds of punctuation
# begin with `P`, and `Mn` is a mark on another character, such as an accent. And an *é* can be stored as one character,
# or as two, an *e* and its mark: `unicodedata.normalize` changes one form into the other. In the form `"NFC"`,
# characters are put together; in `"NFD"`, they are taken apart.
#
# Here is a function that makes words, and *Hug the pug!* comes out right. But it has three bugs.

# %% nb="read broken_basic_words"
def broken_basic_words(text):
    words, word = [], ""
    for c in unicodedata.normalize("NFC", text.lower()):
        category = unicodedata.category(c)
        if c.isspace():
            words.append(word)
            word = ""
        elif c in string.punctuation or is_cjk(c):
            words += [word, c]
            word = ""
        elif category != "Mn":
            word += c
    return [word for word in words if word]


# %% [markdown] nb="read words-examine"
# Have it examined. What must hold, whatever the text, and what does hold?

# %% nb="read words-examined"
print(broken_basic_words("Hug the pug!"))
check.basic_words.examine(broken_basic_words)

# %% [markdown] nb="read words-task"
# Copy the function's body into `basic_words`, and mend it. Each bug is worth a point; examine `basic_words` as often as
# you like.
#
# <details><summary>Common error</summary>
# Replacing <code>string.punctuation</code>. For Unicode, $ and + are symbols, not punctuation; BERT sets them apart all
# the same. So both tests are needed.
# </details>
# <details><summary>Who would notice such a bug?</summary>
# Nobody, for a long time. No error is raised, training runs, and English looks fine. But a vocabulary with <i>«pug»</i>
# in it wastes a row on each word in such quotes, and texts without a full stop lose their last word.
# </details>


# %% nb="solution words"
def basic_words(text):
    """The words of a text, a list: lowercase, no accents; punctuation marks and Chinese characters alone."""
    ### BEGIN SOLUTION
    words, word = [], ""
    for c in unicodedata.normalize("NFD", text.lower()):
        category = unicodedata.category(c)
        if c.isspace():
            words.append(word)
            word = ""
        elif c in string.punctuation or category.startswith("P") or is_cjk(c):
            words += [word, c]
            word = ""
        elif category != "Mn":
            word += c
    words.append(word)
    return [word for word in words if word]
    ### END SOLUTION


# %% nb="tests words-1 1"
check.basic_words.bug(1)(basic_words)
### BEGIN HIDDEN TESTS
check.basic_words.bug(1)(basic_words, seed=2741, hidden=True)
### END HIDDEN TESTS

# %% nb="tests words-2 1"
check.basic_words.bug(2)(basic_words)
### BEGIN HIDDEN TESTS
check.basic_words.bug(2)(basic_words, seed=8106, hidden=True)
### END HIDDEN TESTS

# %% nb="tests words-3 1"
check.basic_words.bug(3)(basic_words)
### BEGIN HIDDEN TESTS
check.basic_words.bug(3)(basic_words, seed=4497, hidden=True)
### END HIDDEN TESTS

# %% [markdown] nb="read tokenize-text"
# ## 9 · The whole tokenizer
# **2 points · 10 minutes · ●○○**
#
# The package's `BasicTokenizer` makes words as your `basic_words` does, and remembers where in the text each of them
# stood. See what it makes of a sentence:

# %% nb="read tokenize-example"
[word.text for word in BasicTokenizer().split("Où est-il? 我爱猫")]

# %% [markdown] nb="read tokenize-task"
# Write `tokenize`: from a text to ids, with your `wordpiece_encode`. `vocab` is a **list** of tokens, as
# `train_wordpiece` returns it; the id of a token is its place in that list. No `[CLS]`, no `[SEP]`: return the ids of
# the text alone, as one list.
#
# <details><summary>Common error</summary>
# A list of lists, one for each word. <code>ids += ...</code> or <code>extend</code> makes one list of all.
# </details>
# <details><summary>Why not vocab.index?</summary>
# It walks through the list from the beginning, for every token. With 30,522 tokens that is slow; a dictionary knows the
# place at once.
# </details>


# %% nb="solution tokenize"
def tokenize(text, vocab):
    """The ids of a text's tokens, a list. vocab: list of tokens; an id is a place in it."""
    ### BEGIN SOLUTION
    ids = {piece: i for i, piece in enumerate(vocab)}
    words = [word.text for word in BasicTokenizer().split(text)]
    return [ids[piece] for word in words for piece in wordpiece_encode(word, ids)]
    ### END SOLUTION


# %% nb="tests tokenize-visible 1"
check.tokenize(tokenize, points=1)

# %% nb="tests tokenize-hidden 1"
# After you hand in, more inputs are tried here. There is nothing to write.
### BEGIN HIDDEN TESTS
check.tokenize(tokenize, seed=9340, hidden=True)
### END HIDDEN TESTS

# %% [markdown] nb="read own-text"
# ## 10 · Your text
# **1 point · 5 minutes · ●○○**
#
# Let `my_text` return a text of your own, of at least 200 characters: in your language, in several, with emoji, as you
# like. Your `train_wordpiece` trains a vocabulary on it, your `tokenize` reads it, and the package does the same.
#
# <details><summary>Hint</summary>
# Three quotes hold a text of several lines: <code>return """..."""</code>.
# </details>


# %% nb="solution own"
def my_text():
    """A text of your own, at least 200 characters."""
    ### BEGIN SOLUTION
    return """Die Großmutter erzählt: «Früher gab es hier keinen Strom.» ¿Y qué hacíais por la noche? – We told stories,
    of course! 我们讲故事。 And the stories were long, longer than the nights, and nobody ever told the same story twice 🌙🌙.
    Nobody? Well, uncle Théo did, but he never noticed."""
    ### END SOLUTION


# %% nb="tests own-visible 1"
check.own_text(my_text, train_wordpiece, tokenize)

# %% [markdown]
# All your functions one after the other: a text, its ids, a packed sequence, vectors.

# %%
def from_text_to_vectors(text, vocab, max_length=16):
    input_ids, token_type_ids, real = pack_pair(tokenize(text, vocab), None, max_length)    # (T,) each
    tables = check.embedding_weights(np.random.default_rng(1), len(vocab), max_length, hidden_size=8)
    print(*(vocab[i] for i in input_ids))
    return embed(input_ids[None], token_type_ids[None], tables)                             # (1, T, D)


from_text_to_vectors("Hugs and kisses!", train_wordpiece({"hugs": 3, "and": 5, "kisses": 2, "!": 1}, 40)).shape

# %% [markdown]
# Last, your functions in front of a model that has learned to read: `tokenize`, `pack_pair` and `embed` make the vectors
# that go into its first layer, from its own vocabulary and its own tables. Does it predict the same as with its own input?
# (Special tokens have other ids in BERT's vocabulary than in yours, so the tokens, and the rows of the table with them,
# are put into your order first. Where the English model cannot be had, a line says so, and the course's own takes its
# place.)

# %%
import minibert
import torch

english, text = minibert.load("english"), "She opened the [MASK] and walked into the room."
published = english.tokenizer.ids                                                   # token -> id
tokens = [*SPECIAL_TOKENS, *(token for token in published if token not in SPECIAL_TOKENS)]
tables = {name: table.detach().numpy() for name, table in english.encoder.embeddings.named_parameters()}
tables["word.weight"] = tables["word.weight"][[published[token] for token in tokens]]

left, right = (tokenize(part, tokens) for part in text.split("[MASK]"))
ids = [*left, tokens.index("[MASK]"), *right]
input_ids, token_type_ids, real = pack_pair(ids, None, len(ids) + 2)                # (T,) each
x = torch.tensor(embed(input_ids[None], token_type_ids[None], tables), dtype=torch.float32)     # (1, T, D)

(its_own,) = english.fill_mask(text)
with english.encoder.embeddings.register_forward_hook(lambda *_: x):            # your vectors take their place
    (with_yours,) = english.fill_mask(text)
for own, yours in zip(its_own, with_yours):
    print(f"its own input: {own[0]:12s} {own[1]:.4%}    yours: {yours[0]:12s} {yours[1]:.4%}")

# %% [markdown] nb="read end"
# ## Done
#
# You have written BERT's whole input. `minibert/tokenizer/` says the same with the places of the tokens in the text,
# and `fast.py` beside it does it in Rust; `minibert/data/batch.py` packs sequences, `minibert/reference/encoder.py` embeds them.
#
# **Before you hand in**: *Kernel > Restart Kernel and Run All Cells*. Every check should print *passed*.
#
# **Read on**: Devlin et al. (2019), [arXiv 1810.04805](https://arxiv.org/abs/1810.04805), section 3 and figure 2.
# Sennrich et al. (2016), [arXiv 1508.07909](https://arxiv.org/abs/1508.07909), section 3.2, for merging pairs.
