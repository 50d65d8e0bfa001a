# %% [markdown] nb="read intro"
# # Unit 03 · Input: from text to vectors
#
# A model reads numbers. You will write everything between a text and the first layer of BERT: the tokenizer, the
# training of its vocabulary, the input sequence of two segments, and the three embeddings. At the end, you will compare
# your tokenizer with the package's on your own text: both give the same ids.
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
# | | total | **28** | **160** | |
#
# The finished notebook runs in 3 seconds on two cores. Its last cell, which uses a model, takes a few more.
#
# {{how it works}}
#
# **Stuck?** Run `check.wordpiece_encode.hint()` in a new cell to see a hint; run it again for a stronger one, up to
# three. The other functions up to exercise 9 have hints of the same kind. Common errors are folded below each task. An
# earlier function that is not right yet does not block you: if a later check fails because of it, the check uses our
# version instead and says so. If a cell does not stop, it probably has an endless loop: interrupt it with the button ■.

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
# ## 1 · From words to tokens
# **4 points · 20 minutes · ●●○**
#
# A vocabulary has two kinds of tokens: `hug` starts a word, and `##s` continues one. WordPiece splits a word
# **greedily**: it takes the longest token that starts the word, then the longest token that continues it, and so on to
# the end. It never goes back.
#
# | | | |
# | --- | --- | --- |
# | `word` | str | one word, already lowercase |
# | `vocab` | dict, token → id | `token in vocab` is True if this token exists |
# | `longest` | int | a word of more characters than this gives `["[UNK]"]` |
# | returns | list of str | the word's tokens |
#
# If no token fits at some position, not even a single character, then the **whole** word becomes `["[UNK]"]`.
# For example:

# %% nb="read encode-example"
vocab = {token: i for i, token in enumerate(["[UNK]", "hug", "hu", "##g", "##s", "##gs", "un", "una", "##able"])}
expected = {"hug": ["hug"], "hugs": ["hug", "##s"], "hux": ["[UNK]"], "unable": ["[UNK]"]}

# %% [markdown] nb="read encode-hints"
# *unable* could be `un ##able`. But the longest token at its beginning is `una`, and nothing fits after it.
#
# <details><summary>Common error</summary>
# Forgetting what happens when the inner loop finds nothing. Then <code>start</code> never moves, and the outer loop
# runs forever.
# </details>
# <details><summary>Why is the length limited?</summary>
# For each start, the loop may try every end, so the time grows with the square of the length. A web page can contain a
# "word" of ten thousand characters.
# </details>


# %% nb="solution encode"
def wordpiece_encode(word, vocab, longest=200):
    """Split a word into tokens, taking the longest at each position. Return ["[UNK]"] if none fits."""
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
# After you hand in, this cell tries more inputs. You do not have to write anything here.
### BEGIN HIDDEN TESTS
check.wordpiece_encode(wordpiece_encode, seed=4409, hidden=True)
### END HIDDEN TESTS

# %% [markdown]
# The result of your function on the examples above:

# %%
{word: wordpiece_encode(word, vocab) for word in expected}

# %% [markdown] nb="read reveal-text"
# ## 2 · Test a tokenizer
# **2 points · 15 minutes · ●●○**
#
# Seven colleagues have written `wordpiece_encode` too. Each of them made one mistake, and nobody wrote a test. Write
# one: find words that reveal all seven mistakes. This is the vocabulary (in addition to `[UNK]`):

# %% nb="read reveal-vocabulary"
print(*check.SMALL)

# %% [markdown] nb="read reveal-task"
# Let `revealing_words` return a list of at most six words that consist of letters only. A mistake is revealed if the
# colleague's tokenizer splits at least one of your words differently from a correct tokenizer. The check names a
# mistake that you have not revealed.
#
# <details><summary>Common error</summary>
# Testing only ordinary words. A test that every wrong program passes is useless: look for edge cases.
# </details>


# %% nb="solution reveal"
def revealing_words():
    """Return at most six words that reveal the mistakes of all seven colleagues."""
    ### BEGIN SOLUTION
    return ["hugs", "hugx", "huggy", "gs"]
    ### END SOLUTION


# %% nb="tests reveal-visible 2"
check.revealing_words(revealing_words, points=2)

# %% [markdown] nb="read scores-text"
# ## 3 · How good is a pair?
# **3 points · 20 minutes · ●●○**
#
# Where does a vocabulary come from? It is trained: start with single characters, and repeatedly merge the best pair of
# neighbours. First you need the score of each pair.
#
# | | | |
# | --- | --- | --- |
# | `splits` | dict, word → list of tokens | how each word is split so far |
# | `counts` | dict, word → int | how often the word occurs in the corpus |
# | `score` | `"frequency"` or `"likelihood"` | which score to compute |
# | returns | dict, (left, right) → number | the score of each pair of neighbours |
#
# - `"frequency"`: how often the pair occurs in the corpus. This is the score of byte-pair encoding.
# - `"likelihood"`: the frequency, divided by the product of the counts of `left` and `right`, each counted everywhere
#   in the corpus. This is how WordPiece is usually described: the score measures how much more often the two occur
#   together than by chance.
#
# If a word occurs ten times, so does each of its tokens and pairs. For example:

# %% nb="read scores-example"
splits = {"hug": ["h", "##u", "##g"], "hugs": ["h", "##u", "##g", "##s"], "gu": ["g", "##u"]}
counts = {"hug": 10, "hugs": 5, "gu": 2}
# frequency:  ("h", "##u") 15, ("##u", "##g") 15, ("##g", "##s") 5, ("g", "##u") 2
# likelihood: ("h", "##u") 15 / (15 * 17), since h occurs 15 times and ##u 17 times

# %% [markdown] nb="read scores-hints"
# <details><summary>Common error</summary>
# Counting a token only if it is part of a pair. The <code>u</code> of the one-letter word "u" counts too.
# </details>
# <details><summary>Why divide at all?</summary>
# A frequent letter is in many pairs, whatever its neighbours are. If you divide by the counts of the parts, a pair gets
# a high score only if the two belong together.
# </details>


# %% nb="solution scores"
def pair_scores(splits, counts, score="frequency"):
    """Return the score of each pair of neighbouring tokens: a dict, (left, right) -> number."""
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
# After you hand in, this cell tries more inputs. You do not have to write anything here.
### BEGIN HIDDEN TESTS
check.pair_scores(pair_scores, seed=7351, hidden=True)
### END HIDDEN TESTS

# %% [markdown] nb="read train-text"
# ## 4 · Train a vocabulary
# **4 points · 30 minutes · ●●●**
#
# Now write the loop. Return the vocabulary as a list of tokens, in this order:
#
# 1. the special tokens: `SPECIAL_TOKENS`, imported above,
# 2. the alphabet: `alphabet(counts)` returns all single characters, with and without `##`,
# 3. the merged tokens, in the order in which they were merged.
#
# At first every word is split into characters: `hug` is `h ##u ##g`. Then, while the list has fewer than `vocab_size`
# tokens:
#
# - take the pair with the best score, according to your `pair_scores` with the given `score`. Among equal scores, take
#   the pair that **sorts first**, as Python compares tuples: then the result does not depend on the order of the words.
# - merge it into one token: `##u` and `##g` make `##ug`, and `h` and `##ug` make `hug`. Add it to the list.
# - in all words, replace the pair by the new token, from left to right: `b ##a ##a ##a` becomes `b ##aa ##a`.
#
# When every word is a single token, no pair is left: then stop, with a shorter list. `vocab_size` is never smaller than
# the number of special tokens and characters together, but it may be equal to it.
#
# <details><summary>Common error</summary>
# Scoring the pairs once and merging them in that order. Every merge creates new pairs and removes old ones: score
# them again.
# </details>


# %% nb="solution train"
def train_wordpiece(counts, vocab_size, score="frequency"):
    """counts: word -> number of occurrences. Return the vocabulary, a list of at most vocab_size tokens."""
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
# After you hand in, this cell tries more inputs. You do not have to write anything here.
### BEGIN HIDDEN TESTS
check.train_wordpiece(train_wordpiece, seed=5882, hidden=True)
### END HIDDEN TESTS

# %% [markdown] nb="read why-pieces-text"
# ## 5 · Why subwords?
# **2 points · 5 minutes · ●○○**
#
# A model could read whole words, or single characters. Explain in three or four sentences what would go wrong with
# each, and how subwords avoid it. Think of a word that nobody has seen before, of the size of the embedding table, and
# of the length of a sequence.
#
# <details><summary>Hint</summary>
# BERT-base has 768 numbers for each entry of its vocabulary. And attention compares every token of a sequence
# with every other.
# </details>

# %% [markdown] nb="manual why-pieces 2"
# With whole words, a word that was not in the training text is [UNK], and its meaning is lost; the table also gets
# huge, because each form of each word (*hug, hugs, hugged*) has its own row, and rare forms are hardly ever trained.
# With characters, nothing is unknown and the table is tiny, but sequences become about five times as long. Each
# sequence costs more than five times as much: most of the computation grows with the length, and the attention scores
# with its square. (At 512 tokens they are about a tenth of BERT-base's cost, at five times that length about a third.)
# A single letter also has little meaning, so the first layers must learn to spell. Subwords are a compromise: frequent
# words stay whole, rare words are split into a few meaningful parts, and the table has a fixed size.
#
# **Mark scheme.** 1 point: the problem of words (unknown words, or too many rows / rare rows badly trained). 1 point:
# the problem of characters (long sequences and so more computation; or units without meaning). If both problems are
# right, do not deduct a point for a missing explanation of how subwords avoid them; "subwords are better" alone gets
# no point.

# %% [markdown] nb="read pack-text"
# ## 6 · A sequence of two segments
# **4 points · 25 minutes · ●●○**
#
# BERT reads one sequence at a time: `[CLS] A [SEP] B [SEP]`, or `[CLS] A [SEP]` if there is no B. A sequence has a
# fixed length: longer texts are truncated, and shorter ones are padded with `[PAD]`.
#
# | | | |
# | --- | --- | --- |
# | `a` | list of ids | the first segment, without special tokens |
# | `b` | list of ids, or `None` | the second one |
# | `max_length` | int | the length T of the sequence, special tokens included, which always fit |
# | returns `input_ids` | (T,), int | the sequence |
# | returns `token_type_ids` | (T,), int | 0 for `[CLS]`, A and its `[SEP]`; 1 for B and its `[SEP]`; 0 for padding |
# | returns `real` | (T,), bool | True for every token, including special ones; False for padding |
#
# **Truncation.** Truncate before you pack, so that no special token is lost: as long as the two segments do not fit,
# drop the **last token of the longer one**; if they are equally long, drop it from B. Return three arrays, in this
# order.

# %% nb="read special-ids"
PAD, CLS, SEP = 0, 2, 3  # their indices in SPECIAL_TOKENS

# %% [markdown] nb="read pack-hints"
# <details><summary>Common error</summary>
# Calling <code>a.pop()</code>: it changes the caller's list. Work on a copy: <code>a = list(a)</code>.
# </details>
# <details><summary>Why the longer one?</summary>
# Think of a question of eight words and a passage of a thousand: if you truncated both equally, you could lose half of
# the question, and the passage would gain almost nothing.
# </details>


# %% nb="solution pack"
def pack_pair(a, b, max_length):
    """Pack [CLS] A [SEP] B [SEP] [PAD] ... Return (input_ids, token_type_ids, real), each (T,) with T = max_length."""
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
# After you hand in, this cell tries more inputs. You do not have to write anything here.
### BEGIN HIDDEN TESTS
check.pack_pair(pack_pair, seed=3203, hidden=True)
### END HIDDEN TESTS

# %% [markdown] nb="read embed-text"
# ## 7 · Three embeddings, one vector
# **3 points · 15 minutes · ●●○**
#
# Now the ids become vectors. BERT has three tables, and for each token it takes one row from each: the row of its
# **id** (the word embedding), of its **position** (0, 1, 2, ... along the sequence) and of its **segment**. It adds the
# three and applies a LayerNorm:
#
# $$x_t = \operatorname{LayerNorm}\bigl(\text{word}[\text{id}_t] + \text{position}[t] + \text{segment}[\text{type}_t]\bigr)$$
#
# | | | |
# | --- | --- | --- |
# | `input_ids`, `token_type_ids` | (B, T), int | a batch of sequences |
# | `weights` | dict | the three tables, and gamma (`norm.weight`) and beta (`norm.bias`) of the LayerNorm |
# | returns | (B, T, D) | the input of the first layer |
#
# The tables are `word.weight`, `position.weight` and, for the segments, `token_type.weight`; the next cell shows their
# shapes. `layer_norm(x, sub(weights, "norm"), eps)`, imported above, is the LayerNorm that you wrote in unit 02.

# %% nb="read embed-weights"
weights = check.embedding_weights(np.random.default_rng(0), vocab_size=9, longest=8, hidden_size=4)
{name: table.shape for name, table in weights.items()}

# %% [markdown] nb="read embed-hints"
# <details><summary>Common error</summary>
# Adding the whole position table. It has one row for each position of the longest possible sequence; take the first T
# of them.
# </details>
# <details><summary>Why can we add them?</summary>
# The sum loses nothing that the layers need: 768 dimensions are enough to keep the three apart, and training makes sure
# that they stay distinguishable.
# </details>


# %% nb="solution embed"
def embed(input_ids, token_type_ids, weights, eps=1e-12):
    """Embed input_ids, token_type_ids (B, T) as (B, T, D): word + position + segment, then LayerNorm."""
    ### BEGIN SOLUTION
    T = input_ids.shape[1]
    x = weights["word.weight"][input_ids] + weights["position.weight"][:T]      # (B, T, D)
    x = x + weights["token_type.weight"][token_type_ids]                        # (B, T, D)
    return layer_norm(x, sub(weights, "norm"), eps)
    ### END SOLUTION


# %% nb="tests embed-visible 2"
check.embed(embed, points=2)

# %% nb="tests embed-hidden 1"
# After you hand in, this cell tries more inputs. You do not have to write anything here.
### BEGIN HIDDEN TESTS
check.embed(embed, seed=6607, hidden=True)
### END HIDDEN TESTS

# %% [markdown] nb="read words-text"
# ## 8 · Find three bugs
# **3 points · 15 minutes · ●●○**
#
# Before a text is split into tokens, it is split into words. BERT lowercases the text, removes accents, and splits it
# at whitespace. Every punctuation mark and every Chinese character becomes a separate word.
#
# Unicode helps with that. `unicodedata.category(c)` is the category of a character, in two letters: categories of
# punctuation start with `P`, and `Mn` is a mark on another character, such as an accent. An *é* can be stored as one
# character, or as two, an *e* and its mark; `unicodedata.normalize` converts one form into the other. The form `"NFC"`
# composes characters, and `"NFD"` decomposes them.
#
# Here is a function that splits a text into words. Its result for *Hug the pug!* is right, but it has three bugs.

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
# Let the check examine it: it tests what must be true for any text, and shows which of these properties hold.

# %% nb="read words-examined"
print(broken_basic_words("Hug the pug!"))
check.basic_words.examine(broken_basic_words)

# %% [markdown] nb="read words-task"
# Copy the function's body into `basic_words`, and fix it. You can examine `basic_words` as often as you like.
# {{each bug}}
#
# <details><summary>Common error</summary>
# Replacing <code>string.punctuation</code>. In Unicode, $ and + are symbols, not punctuation, but BERT separates them
# too. So you need both tests.
# </details>
# <details><summary>Who would notice such a bug?</summary>
# Nobody, for a long time. There is no error, training runs, and English looks fine. But a vocabulary with <i>«pug»</i>
# in it wastes a row on each word in such quotes, and texts without a full stop lose their last word.
# </details>


# %% nb="solution words"
def basic_words(text):
    """Split a text into a list of words: lowercase, no accents; punctuation and Chinese characters separate."""
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
# The package's `BasicTokenizer` finds words like your `basic_words`, and also stores the position of each word in the
# text. See what it does with a sentence:

# %% nb="read tokenize-example"
[word.text for word in BasicTokenizer().split("Où est-il? 我爱猫")]

# %% [markdown] nb="read tokenize-task"
# Write `tokenize`, which turns a text into ids, with your `wordpiece_encode`. `vocab` is a **list** of tokens, as
# returned by `train_wordpiece`; the id of a token is its index in that list. Do not add `[CLS]` or `[SEP]`: return only
# the ids of the text, as one list.
#
# <details><summary>Common error</summary>
# Returning a list of lists, one for each word. Use <code>ids += ...</code> or <code>extend</code> to get a single list.
# </details>
# <details><summary>Why not vocab.index?</summary>
# It searches the list from the beginning, for every token. With 30,522 tokens that is slow; a dictionary finds the
# index immediately.
# </details>


# %% nb="solution tokenize"
def tokenize(text, vocab):
    """Return the ids of the tokens of a text as a list. vocab: list of tokens; an id is an index in it."""
    ### BEGIN SOLUTION
    ids = {piece: i for i, piece in enumerate(vocab)}
    words = [word.text for word in BasicTokenizer().split(text)]
    return [ids[piece] for word in words for piece in wordpiece_encode(word, ids)]
    ### END SOLUTION


# %% nb="tests tokenize-visible 1"
check.tokenize(tokenize, points=1)

# %% nb="tests tokenize-hidden 1"
# After you hand in, this cell tries more inputs. You do not have to write anything here.
### BEGIN HIDDEN TESTS
check.tokenize(tokenize, seed=9340, hidden=True)
### END HIDDEN TESTS

# %% [markdown] nb="read own-text"
# ## 10 · Your text
# **1 point · 5 minutes · ●○○**
#
# Let `my_text` return your own text of at least 200 characters: in your language, in several languages, with emoji, as
# you like. Your `train_wordpiece` trains a vocabulary on it, your `tokenize` reads it, and the check compares the
# results with the package's.
#
# <details><summary>Hint</summary>
# Use triple quotes for a text of several lines: <code>return """..."""</code>.
# </details>


# %% nb="solution own"
def my_text():
    """Return your own text of at least 200 characters."""
    ### BEGIN SOLUTION
    return """Die Großmutter erzählt: «Früher gab es hier keinen Strom.» ¿Y qué hacíais por la noche? – We told stories,
    of course! 我们讲故事。 And the stories were long, longer than the nights, and nobody ever told the same story twice 🌙🌙.
    Nobody? Well, uncle Théo did, but he never noticed."""
    ### END SOLUTION


# %% nb="tests own-visible 1"
check.own_text(my_text, train_wordpiece, tokenize)

# %% [markdown]
# Run all your functions one after the other: from a text to ids, to a packed sequence, to vectors.

# %%
def from_text_to_vectors(text, vocab, max_length=16):
    input_ids, token_type_ids, real = pack_pair(tokenize(text, vocab), None, max_length)    # (T,) each
    tables = check.embedding_weights(np.random.default_rng(1), len(vocab), max_length, hidden_size=8)
    print(*(vocab[i] for i in input_ids))
    return embed(input_ids[None], token_type_ids[None], tables)                             # (1, T, D)


from_text_to_vectors("Hugs and kisses!", train_wordpiece({"hugs": 3, "and": 5, "kisses": 2, "!": 1}, 40)).shape

# %% [markdown]
# Finally, use your functions with a trained model: `tokenize`, `pack_pair` and `embed` compute the vectors for its
# first layer, with its own vocabulary and its own tables. Does it predict the same as with its own input? (Special
# tokens have different ids in BERT's vocabulary than in yours, so the cell first reorders the tokens and the rows of
# the table. If the English model is not available, a message says so and the course's own model is used instead.)

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
with english.encoder.embeddings.register_forward_hook(lambda *_: x):            # your vectors replace the model's
    (with_yours,) = english.fill_mask(text)
for own, yours in zip(its_own, with_yours):
    print(f"its own input: {own[0]:12s} {own[1]:.4%}    yours: {yours[0]:12s} {yours[1]:.4%}")

# %% [markdown] nb="read end"
# ## Done
#
# You have written the whole input of BERT. The package has the same code: `minibert/tokenizer/` also stores the
# positions of the tokens in the text, and its `fast.py` does the work in Rust; `minibert/data/batch.py` packs
# sequences, and `minibert/reference/encoder.py` embeds them.
#
# **Before you hand in**: *Kernel > Restart Kernel and Run All Cells*. Make sure that every check prints *passed*.
#
# **Further reading**: Devlin et al. (2019), [arXiv 1810.04805](https://arxiv.org/abs/1810.04805), section 3 and figure
# 2. Sennrich et al. (2016), [arXiv 1508.07909](https://arxiv.org/abs/1508.07909), section 3.2, for merging pairs.
