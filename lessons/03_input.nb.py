# %% [markdown]
# # 3 · Input: from text to vectors
#
# *The glassblower's cat sat on the sofa 🛋.* A model reads numbers, so somebody has to decide which: one for each word?
# One for each letter? And what about words that nobody has seen before?
#
# **After this lesson you can**
#
# - train a WordPiece vocabulary, merge by merge, and tell it from byte-pair encoding,
# - split any word by hand, even with accents, Chinese characters or emoji,
# - weigh a small vocabulary against a large one, and say what sharing one costs some languages,
# - pack one or two texts into a sequence, truncate or pad it, and say what padding costs,
# - add up the three embeddings, and explain why RoBERTa does without segments.
#
# **You need** lessons 1 and 2, and Python. **Time:** about 95 minutes with guessing, writing and playing; the code alone
# runs in 20 seconds on two cores.
#
# Run the cells with Shift + Enter. Guess before you read on: a wrong guess helps you remember the answer. Questions
# marked **Your guess** are counted at the end.

# %% jupyter={"source_hidden": true}
from minibert.course.widgets.here import here

here(3)

# %% [markdown]
# ## The finished thing first
#
# This is what a model reads in place of your text: **tokens**, which are words or pieces of words, and a number for each.
# Type anything. What is the ✗? (The tokens are those of a published BERT. If a line says that the course's own model
# takes its place, they are ours.)

# %% jupyter={"source_hidden": true}
import html
import ipywidgets as widgets
import minibert
from minibert.course.widgets.view import Controls, View
from minibert.course.unit03.views.wordpiece import subwords_html

english = minibert.load("english")
REAL = "BERT's own" if len(english.tokenizer) > 20_000 else "the course model's"     # vocabulary

def read_by_model(text):
    encoding = english.tokenizer.encode(text)
    return subwords_html(encoding.pieces, f"As numbers: {' '.join(map(str, encoding.ids))}")

def table_of(heads, lines):
    """An HTML table; a column of numbers stands to the right."""
    lines = [[str(value) for value in line] for line in lines]
    sides = ["right" if all(line[i][:1].isdigit() or line[i] == "–" for line in lines) else "left"
             for i in range(len(heads))]
    rows = [("th", heads), *(("td", line) for line in lines)]
    body = "".join("<tr>" + "".join(
        f'<{tag} dir="auto" style="padding:2px 12px;text-align:{side}">{html.escape(text)}</{tag}>'
        for side, text in zip(sides, row)) + "</tr>" for tag, row in rows)
    return f'<div style="overflow-x:auto"><table style="border-collapse:collapse">{body}</table></div>'

Controls(read_by_model, text=widgets.Text("The glassblower's cat sat on the sofa 🛋.", description="Any text",
                                          continuous_update=False, layout={"width": "620px"}))

# %% [markdown]
# ## Do you remember lesson 2?
#
# You may choose again.

# %% jupyter={"source_hidden": true}
from minibert.course.widgets.quiz import Choice, Quiz, QuizQuestion

Quiz([
    QuizQuestion("A query gives weights to all keys. What comes out for the query's word?", [
        Choice("The average of the values, in these weights", True, "Right: softmax(q kᵀ / √K) v."),
        Choice("The key that fits best", False, "The softmax mixes: it takes some of every value."),
        Choice("The sum of all queries", False, "Queries only ask. What is handed over are the values."),
    ]),
    QuizQuestion("A sequence doubles in length. How many scores does one head then compute?", [
        Choice("Twice as many", False, "Every query meets every key, and there are twice as many of both."),
        Choice("Four times as many", True, "Right: T · T of them."),
        Choice("As many as before", False, "That would need attention to skip words."),
    ]),
    QuizQuestion("An encoder without positions reads “dog bites man” and “man bites dog”. What does it see?", [
        Choice("Two different sentences", False, "To attention alone, a sentence is a bag of words."),
        Choice("The same bag of words", True, "Right. That is why positions are added (section 7)."),
        Choice("It fails", False, "It runs well, and that is the trap."),
    ]),
])

# %% [markdown]
# ## 1 · Words, letters, or something between
#
# We need some text, a **corpus**: generated stories and thirty hand-written passages. Ten more passages are held out.

# %%
from minibert.course.texts.passages import passages
from minibert.generated import World

stories = [document.text for document in World(7).documents(1500, seed=1)]
prose = [passage.text for passage in passages()]
corpus, held_out = stories + prose[:30], prose[30:]

# %% [markdown]
# `count_words` counts words as BERT splits them (section 4), punctuation marks included. Which words of the held-out
# passages are missing from the corpus?

# %%
from minibert.tokenizer import count_words

counts, test_words = count_words(corpus), count_words(held_out)      # word -> how often
unseen = [word for word in test_words if word not in counts]
print(f"{counts.total():,} words, {len(counts):,} of them different. The most frequent:")
print(" · ".join(f"{word} {n:,}" for word, n in counts.most_common(8)))

# %% [markdown]
# Each different word counts once.

# %% jupyter={"source_hidden": true}
from minibert.course.widgets.guess_then_see import GuessBars, GuessChoice, GuessCurve, GuessNumber, my_guesses

GuessNumber("What percentage of the different words in the ten passages is new?",
            lambda: 100 * len(unseen) / len(test_words), within=7, form="{:.0f}%",
            see=lambda: f"<p>{len(unseen)} of {len(test_words)} are new: "
                        f"{', '.join(unseen[:8])} ...</p>")

# %% [markdown]
# A model that knows only whole words must replace each new one by `[UNK]`, for *unknown*. And there are always new words:
# names, typing errors, *glassblowers* where only *glassblower* was known. Letters can spell them all, but sequences get
# longer. What does that cost?
#
# In a layer of width D, T tokens take 12·T·D² multiplications in the weight matrices, and another 2·T²·D for the scores
# and for mixing the values. Only this second part grows with the square of the length.
#
# **Your turn.** What share of these multiplications is the second part, rounded to three decimals?

# %%
from minibert.course.widgets.try_it import try_it

def quadratic_share(T, D):
    """Return the share of a layer's multiplications that grows with the square of T.

    >>> quadratic_share(T=512, D=768)
    0.1
    >>> quadratic_share(T=4608, D=768)
    0.5
    """
    ...

try_it(quadratic_share)

# %% [markdown]
# <details><summary><b>One way to write it</b></summary>
#
# ```python
# def quadratic_share(T, D):
#     square = 2 * T ** 2 * D
#     return round(square / (12 * T * D ** 2 + square), 3)
# ```
# </details>
#
# <details><summary><b>Why 12·T·D²?</b></summary>
#
# Attention has four matrices of D × D, for queries, keys, values and the output; the feed-forward part has two of D × 4D.
# That makes 4 + 8 = 12 times D² for each token. Softmax, LayerNorm and the like add little.
# </details>

# %% [markdown]
# In BERT-base, even at the greatest length, this share is only a tenth. Now words against letters:

# %%
def layer_cost(T, D=768):
    return 12 * T * D ** 2 + 2 * T ** 2 * D

letters = {letter for word in counts for letter in word}
spelled = sum(len(word) * n for word, n in test_words.items()) / test_words.total()     # letters a word
lines = [(name, f"{size:,}", f"{tokens:.1f}", f"{512 / tokens:.0f}",
          f"{layer_cost(128 * tokens) / layer_cost(128):.1f} ×")
         for name, size, tokens in (("whole words", len(counts), 1), ("letters", len(letters), spelled))]
View(table_of(("vocabulary", "entries", "tokens per word", "words in 512 tokens",
               "cost of 128 words in a layer"), lines))

# %% [markdown]
# **Subwords**, or pieces of words, lie between the two: frequent words stay whole, rare ones are spelled in a few pieces.
#
# <details><summary><b>Why not simply a larger dictionary?</b></summary>
#
# In BERT-base every entry has an embedding of 768 numbers, and a rare word is seen too seldom to learn them. *hug*,
# *hugs*, *hugged* and *hugging* would be four strangers. Subwords share: `hug` is learned from all four.
# </details>

# %% [markdown]
# ## 2 · Training, merge by merge
#
# **Byte-pair encoding** (**BPE**; Sennrich et al., section 3.2) and **WordPiece**, BERT's method (Schuster and Nakajima),
# train a vocabulary by merging:
#
# 1. Begin with single characters. All but the first of a word are written with `##`: *cook* is `c ##o ##o ##k`.
# 2. Give every pair of neighbours a score. **Merge** the best pair into one token wherever it occurs, and note it as a
#    **merge rule**.
# 3. Repeat until the vocabulary is large enough.
#
# The algorithms differ mainly in the score. *Pair*, *left* and *right* say how often the pair and its two parts occur; N
# is the number of all tokens:
#
# | score | formula | what it asks | used by |
# |---|---|---|---|
# | **frequency** | pair | how often? | BPE; the `tokenizers` library's WordPiece |
# | **ratio** | pair / (left · right) | how much more often than by chance? | WordPiece, as usually described |
# | **gain** | pair · log(N · ratio) | how much likelier does the text get? | Schuster and Nakajima, roughly |
#
# <details><summary><b>Why do some call the ratio a likelihood?</b></summary>
#
# Many texts do, and so do our package and the exercise (`"likelihood"`), but it is not one. By chance, two parts would
# meet left · right / N times. The ratio compares that with how often they do; its logarithm is, up to a constant, their
# **pointwise mutual information**, which says how strongly two things go together. The gain is closer to that name: it is
# roughly what the merge adds to the log-likelihood of the corpus if each token is drawn independently.
# </details>

# %% [markdown]
# We try all three on seven words:

# %%
import math
from minibert.tokenizer.train import SCORES, Pairs

TOY = {"book": 12, "cook": 10, "look": 6, "cooks": 4, "moon": 4, "queen": 3, "ox": 2}      # word: how often

def scores_for(counts):
    N = sum(len(word) * n for word, n in counts.items())        # tokens at the beginning
    return {"frequency": SCORES["frequency"], "ratio": SCORES["likelihood"],
            "gain": lambda pair, left, right: pair * math.log(N * pair / (left * right))}

# %% [markdown]
# Which letters are often together, and which are hardly ever apart?

# %% jupyter={"source_hidden": true}
RULES = scores_for(TOY)
FIRST = {score: Pairs(TOY, rule).best() for score, rule in RULES.items()}
for rule in RULES.values():
    start = Pairs(TOY, rule)
    ranked = sorted((rule(n, *map(start.pieces.get, pair)) for pair, n in start.pairs.items()), reverse=True)
    assert ranked[0] > 1.01 * ranked[1]                         # no tie for the first merge

def first_merges():
    lines = []
    for score, rule in RULES.items():
        state = Pairs(TOY, rule)
        pair = state.best()
        told = [state.pairs[pair], *(state.pieces[piece] for piece in pair)]
        merges = [state.merge(*pair), *(state.merge(*state.best()) for _ in range(7))]
        lines.append((score, " + ".join(pair), *told, " ".join(merges)))
    return ("<p>The first pair by each score, and the first eight merges:</p>"
            + table_of(("score", "first pair", "pair", "left", "right", "merges"), lines) +
            "<p>The ratio is high where the parts rarely occur apart. Two letters that occur once each, side "
            "by side, score 1 / (1 · 1) = 1, the highest score possible. A pair that occurs ten times cannot "
            "score more than 10 / (10 · 10) = 0.1. So the ratio finds what <i>belongs together</i>, even "
            "where that is too rare to be worth a place in the vocabulary. The gain weighs both.</p>")

GuessChoice("Which pair does the ratio merge first?",
            sorted([*(" + ".join(pair) for pair in FIRST.values()), "q + ##u"]),
            lambda: " + ".join(FIRST["ratio"]), see=first_merges)

# %% [markdown]
# Step through the merges, and change the score.

# %% jupyter={"source_hidden": true}
from minibert.course.unit03.views.wordpiece import merge_view
from minibert.course.widgets.stepper import Stepper

def draw_merge(score, step):
    state = Pairs(TOY, RULES[score])
    done = [state.merge(*state.best()) for _ in range(step - 1)]
    table = [(*pair, n, state.pieces[pair[0]], state.pieces[pair[1]]) for pair, n in state.pairs.items() if n]
    table = sorted(((*row, RULES[score](*row[2:])) for row in table), key=lambda row: (-row[5], row[:2]))
    best = table[0][:2]
    said = (f"Merge {step}, by {score}: {best[0]} and {best[1]}. "
            f"Merged so far: {', '.join(done) or 'nothing'}.")
    return merge_view(list(zip(TOY.values(), state.words)), table, best, said)

Stepper(draw_merge, 11, score=widgets.Dropdown(options=list(RULES), description="Score"))

# %% [markdown]
# Now the whole corpus: a vocabulary of 2,000 tokens for each score. How many tokens does a held-out word take?

# %%
from minibert.data.batch import SPECIAL_TOKENS
from minibert.tokenizer import WordPiece
from minibert.tokenizer.train import alphabet

def train(score, size):
    vocab, rules, pairs = [*SPECIAL_TOKENS, *alphabet(counts)], [], Pairs(counts, scores_for(counts)[score])
    while len(vocab) < size:
        rules.append(pairs.best())
        vocab.append(pairs.merge(*rules[-1]))
    return vocab, rules

by_score = {score: WordPiece(train(score, 2000)[0]) for score in RULES}

# %% [markdown]
# Guess first:

# %% jupyter={"source_hidden": true}
from minibert.course.widgets.plots import bars

def tokens_per_word(tokenizer, words=test_words):
    return sum(len(tokenizer.match(word)) * n for word, n in words.items()) / words.total()

def compare_scores():
    needed = {score: tokens_per_word(model) for score, model in by_score.items()}
    best, second, _ = sorted(needed, key=needed.get)
    texts = [count_words([text]) for text in held_out]
    wins = sum(tokens_per_word(by_score[best], text) < tokens_per_word(by_score[second], text)
               for text in texts)
    said = ", ".join(f"{tokens:.2f} by {score}" for score, tokens in needed.items())
    return bars(list(needed), list(needed.values()), "tokens per word, on the held-out passages",
                f"Tokens per word: {said}. In {wins} of the {len(texts)} passages, {best} needs fewer than "
                f"{second}.", chosen=list(needed).index(best))

GuessChoice("Which score makes the vocabulary that needs the fewest tokens per word?", list(by_score),
            lambda: min(by_score, key=lambda score: tokens_per_word(by_score[score])), see=compare_scores)

# %% [markdown]
# From here on we use 4,000 tokens, trained by frequency as in the `tokenizers` library:

# %%
vocab, rules = train("frequency", 4000)
merged = vocab[-len(rules):]
View(table_of(("", "tokens"), [
    ("ids 0 to 8", " ".join(vocab[:9])), ("the first merges", " ".join(merged[:12])),
    ("the last merges", " ".join(merged[-8:]))]))

# %% [markdown]
# First come the special tokens, then the single characters (letters with and without `##`), then the merges, the most
# frequent first (ties by alphabet). A token's **id** is its place in this list.
#
# <details><summary><b>Why are several scores called WordPiece?</b></summary>
#
# Google published BERT's vocabulary and the code that reads it, but not the program that made it, and the papers fit more
# than one formula. The `tokenizers` library trains by frequency, as our package does by default. TensorFlow Text, which
# says that it follows BERT, starts with whole words and cuts them.
# </details>

# %% [markdown]
# ## 3 · Reading a word: greedy
#
# To read a word, WordPiece needs only the vocabulary. It is **greedy**: it takes the longest piece that begins the word,
# then the longest that can follow, and never goes back. The package's own code:

# %%
from minibert.course.widgets.source import show_source

show_source(WordPiece.match)

# %% [markdown]
# **Guess first.** How is *unbakeable* split? Step through the tries until you know. Then type words of your own.

# %% jupyter={"source_hidden": true}
from minibert.course.unit03.views.wordpiece import match_view

tokenizer = WordPiece(vocab)

def tries_of(word):
    tries, start = [], 0
    while start < len(word) and (not tries or tries[-1][2]):
        for end in range(len(word), start, -1):
            tries.append((start, end, ("##" if start else "") + word[start:end] in tokenizer.ids))
            if tries[-1][2]:
                break
        start = end
    return tries

def split_by(model, word):
    return " ".join(piece for piece, _, _ in model.match(word))

def draw_match(word, step):
    words = tokenizer.basic.split(word)
    if not words:
        raise ValueError("type a word: there is none yet")
    word = words[0].text
    return match_view(word, tries_of(word), [piece for piece, _, _ in tokenizer.match(word)], step)

Stepper(draw_match, 60, word=widgets.Text("unbakeable", description="My word", continuous_update=False))

# %% [markdown]
# Four more words, by both vocabularies:

# %%
lines = [(word, len(tries_of(word)), split_by(tokenizer, word), split_by(english.tokenizer, word))
         for word in ("cat", "glassblowers", "xylophonist", "catø")]
assert split_by(tokenizer, "cat") == "cat" and split_by(tokenizer, "catø") == "[UNK]"
View(table_of(("word", "tries (ours)", f"ours, {len(vocab):,} tokens",
               f"{REAL}, {len(english.tokenizer):,} tokens"), lines))

# %% [markdown]
# A letter that is not in the vocabulary makes the **whole word** `[UNK]`: in ours, *catø* loses even its *cat*.
#
# Does greedy matching find the shortest split? The folded cell finds the fewest pieces for each held-out word; `worse`
# lists the words that greedy matching cuts into more.

# %% jupyter={"source_hidden": true}
def fewest(word):
    best = [0] + [math.inf] * len(word)                             # best[i]: pieces for the first i letters
    for end in range(1, len(word) + 1):
        starts = [start for start in range(end) if start == end - 1
                  or ("##" if start else "") + word[start:end] in tokenizer.ids]
        best[end] = min(best[start] + 1 for start in starts)
    return best[-1]

split = [word for word in test_words if len(tokenizer.match(word)) > 1]
worse = [word for word in split if len(tokenizer.match(word)) > fewest(word)]

# %% [markdown]
# How often does that happen?

# %% jupyter={"source_hidden": true}
def too_many():
    lines = [(word, split_by(tokenizer, word), fewest(word)) for word in worse[:4]]
    return (f"<p>{len(worse)} of {len(split)} split words have more pieces than needed, for example:</p>"
            + table_of(("word", "greedy", "pieces that would do"), lines))

GuessNumber("Of 100 words that are split, how many have more pieces than needed?",
            lambda: 100 * len(worse) / len(split), within=5, form="{:.0f}", see=too_many)

# %% [markdown]
# **BPE reads differently**: it spells the word in characters and applies the merge rules in the order in which they were
# learned.
#
# **Your turn.** Write it. The package's `merge_in(tokens, left, right, merged)` replaces a pair wherever it stands.

# %%
from minibert.tokenizer.train import merge_in

def read_in_order(tokens, rules):
    """Apply each merge rule, a pair (left, right), in turn.

    >>> read_in_order(["h", "##u", "##g", "##s"], [("##u", "##g"), ("##g", "##s"), ("h", "##ug")])
    ['hug', '##s']
    >>> read_in_order(["a", "##b"], [])
    ['a', '##b']
    """
    ...

try_it(read_in_order)

# %% [markdown]
# <details><summary><b>One way to write it</b></summary>
#
# ```python
# def read_in_order(tokens, rules):
#     for left, right in rules:
#         tokens = merge_in(tokens, left, right, left + right.removeprefix("##"))
#     return tokens
# ```
# </details>

# %% [markdown]
# With the same merges, do the two ways of reading agree? (Folded: a faster version.)

# %% jupyter={"source_hidden": true}
from minibert.tokenizer.train import spell

rank = {pair: i for i, pair in enumerate(rules)}

def in_order(word):
    tokens = spell(word)
    while usable := [rank[pair] for pair in zip(tokens, tokens[1:]) if pair in rank]:
        left, right = rules[min(usable)]
        tokens = merge_in(tokens, left, right, left + right.removeprefix("##"))
    return " ".join(tokens)

apart = [word for word in split if in_order(word) != split_by(tokenizer, word)]
greedily, ordered = (sum(map(len, map(str.split, texts))) / len(split) for texts in (
    [split_by(tokenizer, word) for word in split], [in_order(word) for word in split]))
View(f"<p>{len(apart)} of the {len(split)} split words come out differently. On average, a split word has "
     f"{greedily:.2f} pieces when read greedily and {ordered:.2f} by the rules in order. The first five:</p>"
     + table_of(("word", "greedy (WordPiece)", "rules in order (BPE)"),
                [(word, split_by(tokenizer, word), in_order(word)) for word in apart[:5]]))

# %% [markdown]
# <details><summary><b>Why not search for the best split?</b></summary>
#
# Some do: SentencePiece's unigram model takes the likeliest one. For WordPiece, it matters more that the rule is always
# the same: the model learns what these pieces mean, whichever they are.
# </details>
#
# <details><summary><b>Why do other tokenizers not write ##?</b></summary>
#
# There are several ways to mark where a word begins or ends. The first BPE marks a word's end (`</w>`), GPT-2 the space
# before a word (`Ġ`), SentencePiece too (`▁`), WordPiece what continues a word (`##`). We used `##` for both ways of
# reading above, so that only the reading differs.
# </details>

# %% [markdown]
# ## 4 · Before WordPiece: Unicode
#
# The **basic tokenizer** first splits a text into words: it drops control characters, makes each Chinese character a
# word, splits at spaces, makes letters lowercase, strips accents, and makes each punctuation mark a word. A model that
# reads lowercase without accents is **uncased**; a **cased** one keeps both and has its own vocabulary. Some hard cases:

# %% jupyter={"source_hidden": true}
CASES = {
    "чай": "Russian: tea",
    "한국": "Korean: Korea",
    "Café": "é as one character",
    "Cafe\u0301": "é as two, e and an accent: looks the same",
    "schon schön": "German: already, beautiful",
    "don't pay $3.50!": "punctuation",
    "我爱猫": "Chinese: I love cats",
    "カタカナ": "Japanese syllables",
    "שלום": "Hebrew, from right to left",
    "हिन्दी": "Hindi: its own name",
    "cat🐈": "an emoji",
    "👩\u200d🌾": "one farmer: woman, invisible joiner, ear of rice",
    "zero\u200bwidth": "an invisible space in the middle",
    "ﬁsh": "fi as one character",
}

View(table_of(("line", "what it is"), CASES.items()))

# %% [markdown]
# WordPiece then splits each word, if it can.

# %% jupyter={"source_hidden": true}
def basic(text):
    return [word.text for word in tokenizer.basic.split(text)]

def all_cases():
    lines = [(text, " | ".join(basic(text)), " ".join(tokenizer.encode(text).pieces),
              " ".join(english.tokenizer.encode(text).pieces)) for text in CASES]
    ours, its = (sum("[UNK]" in line[i] for line in lines) for i in (2, 3))
    return (f"<p>{ours} lines have an [UNK] in our vocabulary, {its} in {REAL}. A word is [UNK] if one of "
            "its characters is not in the vocabulary.</p>"
            + table_of(("line", "words", "our tokens", f"{REAL} tokens"), lines))

GuessNumber(f"With our vocabulary, in how many of these {len(CASES)} lines does a word become [UNK]?",
            lambda: sum("[UNK]" in tokenizer.encode(text).pieces for text in CASES), within=2, see=all_cases)

# %% [markdown]
# What the basic tokenizer did:

# %% jupyter={"source_hidden": true}
import unicodedata

assert basic("schon schön") == ["schon", "schon"] and basic("чай") == ["чаи"] and len(basic("हिन्दी")[0]) == 5
assert len(basic("한국")[0]) == 6 and len(basic("我爱猫")) == 3 and len(basic("カタカナ")) == 1
assert basic("שלום") == ["שלום"] and len(basic("👩\u200d🌾")[0]) == 2
View(table_of(("language", "what happens"), [
    ("German", "schon and schön become the same word"),
    ("Russian", "tea becomes teas: й without its hook is и"),
    ("Hindi", "one sign counts as an accent and is removed"),
    ("Korean", "each syllable is taken apart into its letters"),
    ("Chinese, Japanese", "each Chinese character becomes a word; Japanese syllables stay together"),
    ("Hebrew", "nothing: text is stored first letter first, and only shown from right to left"),
    ("emoji", "the invisible joiner is dropped: the farmer becomes a woman and an ear of rice"),
]))

# %% [markdown]
# So uncased models suit English best. Paste your name, your language, your emoji. Then untick the box: neither
# vocabulary has capitals or accents, so such words become `[UNK]`.

# %% jupyter={"source_hidden": true}
from minibert.tokenizer import BasicTokenizer

VOCABULARIES = {f"{REAL[0].upper()}{REAL[1:]}, {len(english.tokenizer):,} tokens": english.tokenizer,
                f"Ours, {len(vocab):,} tokens": tokenizer}
assert all(model.match(word)[0][0] == "[UNK]" for model in VOCABULARIES.values() for word in ("Cat", "naïve"))

def draw_text(text, uncased):
    words = [word.text for word in BasicTokenizer(lower_case=uncased).split(text)]
    odd = [f"{c} {unicodedata.name(c, 'a control character').lower()}" for c in text if ord(c) > 127]
    shown = ""
    for name, model in VOCABULARIES.items():
        pieces = [piece for word in words for piece, _, _ in model.match(word)]
        shown += f"<b>{name}</b>" + subwords_html(pieces, f"{len(words)} words, {len(pieces)} tokens")
    return shown + f"<p>Beyond ASCII: {html.escape(', '.join(odd[:6]) or 'nothing')}.</p>"

Controls(draw_text, text=widgets.Text("Zoë's naïve piñata 🪅 doesn't burst", description="My text",
                                      continuous_update=False, layout={"width": "620px"}),
         uncased=widgets.Checkbox(True, description="Lowercase, no accents"))

# %% [markdown]
# <details><summary><b>Why is an emoji [UNK], and not spelled like a rare word?</b></summary>
#
# A word is spelled with the single characters of the vocabulary, and these are the ones that occurred in the training
# text: no emoji there, no emoji in the vocabulary. GPT-2 and RoBERTa begin with the 256 bytes instead of characters
# (**byte-level BPE**), so they can spell everything.
# </details>

# %% [markdown]
# ## 5 · How large a vocabulary?
#
# Merges are made one after the other, so a smaller vocabulary is the beginning of a larger one:

# %%
SIZES = [200, 500, 1000, 2000, 4000]
sizes_words = [tokens_per_word(WordPiece(vocab[:size])) for size in SIZES]

# %% [markdown]
# A larger vocabulary makes a text shorter in tokens. By how much?

# %% jupyter={"source_hidden": true}
from collections import Counter
import numpy as np

def saved():
    each = dict(zip(SIZES, sizes_words))
    more = layer_cost(128 * each[200]) / layer_cost(128 * each[4000])
    return ("<p>From a vocabulary of 200 to one of 1,000, a word gets shorter by "
            f"{each[200] - each[1000]:.2f} tokens; from 1,000 to 4,000, by {each[1000] - each[4000]:.2f}. "
            f"For a text of 128 words, a layer of BERT-base has {more:.1f} times as much to compute with 200 "
            "as with 4,000.</p>")

GuessCurve("How many tokens does a word take with each vocabulary?", [f"{size:,}" for size in SIZES],
           lambda: sizes_words, top=4, within=0.25, axis="tokens per word",
           along="tokens in the vocabulary (log scale)", at=np.log(SIZES), see=saved)

# %% [markdown]
# A larger vocabulary has two prices: the table of embeddings grows (768 numbers for each token in BERT-base), and each
# token must occur often enough in the corpus for its embedding to be learned.

# %%
def occurrences(size):
    seen, model = Counter(), WordPiece(vocab[:size])
    for word, n in counts.items():
        for piece, _, _ in model.match(word):
            seen[piece] += n
    return np.array([seen[piece] for piece in vocab[5:size]])           # without the special tokens

# %% [markdown]
# Both prices, up to the size of BERT's own vocabulary:

# %% jupyter={"source_hidden": true}
from minibert.config import count_parameters, preset

lines = []
for size in [*SIZES, 30522]:
    parts = count_parameters(preset("base", vocab_size=size))
    table, seen = parts["word embeddings"], occurrences(size) if size <= len(vocab) else None
    learned = ("–", "–") if seen is None else (f"{np.median(seen):.0f} times", f"{(seen < 5).mean():.0%}")
    lines.append((f"{size:,}", f"{table:,}", f"{table / sum(parts.values()):.1%}", *learned))
View(table_of(("tokens", "weights in the table", "share of BERT-base", "median token occurs",
               "under 5 times"), lines))

# %% [markdown]
# <details><summary><b>Why 30,522?</b></summary>
#
# The paper says 30,000 tokens (section 3); the released file has 30,522 lines, some of them unused (section 10 counts
# them). Small models and small corpora need fewer: the course's models have at most 4,000.
# </details>

# %% [markdown]
# ## 6 · One vocabulary, six languages
#
# A multilingual model has one vocabulary for all its languages. What does that do to each? The folded cell holds the
# same ten sentences in six languages.

# %% jupyter={"source_hidden": true}
SENTENCES = {
    "English": """The old woman sells bread at the market. Every morning the children walk to school. My
        brother has lost his keys again. It will rain tomorrow in the mountains. She reads a long book by
        the window. We drink tea when the work is done. The dog sleeps under the kitchen table. Nobody
        knows why the train is late. He wrote a letter to his grandmother. The small boat crosses the
        river at night.""",
    "German": """Die alte Frau verkauft Brot auf dem Markt. Jeden Morgen gehen die Kinder zur Schule. Mein
        Bruder hat wieder seine Schlüssel verloren. Morgen wird es in den Bergen regnen. Sie liest am
        Fenster ein langes Buch. Wir trinken Tee, wenn die Arbeit getan ist. Der Hund schläft unter dem
        Küchentisch. Niemand weiß, warum der Zug Verspätung hat. Er hat seiner Großmutter einen Brief
        geschrieben. Das kleine Boot überquert nachts den Fluss.""",
    "Spanish": """La anciana vende pan en el mercado. Cada mañana los niños van a la escuela a pie. Mi
        hermano ha vuelto a perder sus llaves. Mañana lloverá en las montañas. Ella lee un libro largo
        junto a la ventana. Tomamos té cuando el trabajo está hecho. El perro duerme debajo de la mesa de
        la cocina. Nadie sabe por qué el tren llega tarde. Le escribió una carta a su abuela. El pequeño
        barco cruza el río de noche.""",
    "Finnish": """Vanha nainen myy leipää torilla. Joka aamu lapset kävelevät kouluun. Veljeni on taas
        hukannut avaimensa. Huomenna vuorilla sataa. Hän lukee pitkää kirjaa ikkunan ääressä. Juomme
        teetä, kun työ on tehty. Koira nukkuu keittiön pöydän alla. Kukaan ei tiedä, miksi juna on
        myöhässä. Hän kirjoitti kirjeen isoäidilleen. Pieni vene ylittää joen yöllä.""",
    "Russian": """Старая женщина продаёт хлеб на рынке. Каждое утро дети идут в школу. Мой брат снова
        потерял ключи. Завтра в горах будет дождь. Она читает длинную книгу у окна. Мы пьём чай, когда
        работа сделана. Собака спит под кухонным столом. Никто не знает, почему поезд опаздывает. Он
        написал письмо своей бабушке. Маленькая лодка переплывает реку ночью.""",
    "Chinese": """老太太在市场上卖面包。孩子们每天早上走路去学校。我哥哥又丢了钥匙。明天山里会下雨。她在窗边读一本很长的书。
        工作做完了，我们就喝茶。狗睡在厨房的桌子下面。没有人知道火车为什么晚点。他给奶奶写了一封信。小船在夜里过河。""",
}

# %% [markdown]
# From these sentences we train three vocabularies of 500 tokens each:
#
# | vocabulary | how often each language counts |
# |---|---|
# | *English only* | English once |
# | *as on the web* (invented numbers) | English 100 times; Russian 20; German, Spanish 10; Chinese 5; Finnish once |
# | *all alike* | each language once |
#
# Each then reads the same sentences, which flatters *English only* in English and the other two in all six languages.

# %% jupyter={"source_hidden": true}
from minibert.tokenizer import train_wordpiece

MIXES = {
    "English only": {"English": 1},
    "as on the web": {"English": 100, "Russian": 20, "German": 10, "Spanish": 10, "Chinese": 5, "Finnish": 1},
    "all alike": dict.fromkeys(SENTENCES, 1),
}

def mixed(shares):
    total = Counter()
    for language, times in shares.items():
        total += Counter({word: times * n for word, n in count_words([SENTENCES[language]]).items()})
    return WordPiece(train_wordpiece(total, 500))

shared = {name: mixed(shares) for name, shares in MIXES.items()}
taken = sorted(len(shared["as on the web"].encode(text).ids) for text in SENTENCES.values())
assert taken[-1] > 1.05 * taken[-2]                                 # no tie in the question below

def merges_for(mix, language):
    """How many merged tokens of a vocabulary occur in the language's words."""
    words = count_words([SENTENCES[language]])
    return sum(any(piece[2:] in word[1:] if piece.startswith("##") else word.startswith(piece)
                   for word in words) for piece in shared[mix].vocab[5:] if len(piece.removeprefix("##")) > 1)

for language, text in SENTENCES.items():                            # what is said of the merges below
    (more, shorter), (fewer, longer) = sorted(
        ((merges_for(mix, language), len(shared[mix].encode(text).ids)) for mix in list(MIXES)[1:]),
        reverse=True)
    assert (more > fewer and shorter < longer) if language != "Chinese" else more == 0

def most_tokens(mix):
    return max(SENTENCES, key=lambda language: len(shared[mix].encode(SENTENCES[language]).ids))

def draw_languages(mix):
    encoded = {language: shared[mix].encode(text) for language, text in SENTENCES.items()}
    lengths = [len(encoding.ids) for encoding in encoded.values()]
    lost = [encoding.pieces.count("[UNK]") / len(set(encoding.words)) for encoding in encoded.values()]
    labels = [f"{name}, {share:.0%} [UNK]" if share else name for name, share in zip(encoded, lost)]
    most = int(np.argmax(lengths))
    note = " (label: share of the words that are [UNK])" if any(lost) else ""
    title = f"Vocabulary “{mix}”: the ten sentences take the most tokens in {list(encoded)[most]}"
    return bars(labels, lengths, f"tokens for the ten sentences{note}", title, most, form="{:.0f}")

# %% [markdown]
# First the mix *as on the web*.

# %% jupyter={"source_hidden": true}
GuessChoice("The mix is “as on the web”. Which language takes the most tokens for the ten sentences?",
            list(SENTENCES), lambda: most_tokens("as on the web"),
            see=lambda: draw_languages("as on the web"))

# %% [markdown]
# Compare all three. With *English only*, which languages are mostly `[UNK]`, and which mostly cut up?

# %%
Controls(draw_languages, mix=widgets.Dropdown(options=list(MIXES), description="Mix"))

# %% [markdown]
# A short bar means little where the tokens are `[UNK]`. In the other two mixes, more merges mean fewer tokens, except in
# Chinese: each character is a word. This is Finnish for *The dog sleeps under the kitchen table*:

# %%
View("".join(f"<b>{mix}</b>" + subwords_html(model.encode("Koira nukkuu keittiön pöydän alla.").pieces)
             for mix, model in shared.items()))

# %% [markdown]
# A language that is cut into many pieces pays three times: more to compute, less text in 512 tokens, and pieces that mean
# little. The single characters need room, too:

# %% jupyter={"source_hidden": true}
def script(piece):
    return unicodedata.name(piece.removeprefix("##")[0], "sign").split()[0].title().replace("Cjk", "Chinese")

singles = Counter(script(piece) for piece in shared["all alike"].vocab[5:]
                  if len(piece.removeprefix("##")) == 1)
View(f"<p>In “all alike”, {singles.total()} of 500 tokens are single characters: "
     f"{', '.join(f'{n} {name}' for name, n in singles.most_common(3))}. (Letters are there with and without "
     "##.)</p>")

# %% [markdown]
# **Multilingual BERT** raises each language's share to the power of 0.7, divides by the sum, and samples text in these
# proportions, for its vocabulary and for training. **XLM-R** takes 0.3 for its batches (Conneau et al., section 3). Our
# shares:

# %%
share = np.array(list(MIXES["as on the web"].values())) / sum(MIXES["as on the web"].values())
drawn = {power: share ** power / (share ** power).sum() for power in (1.0, 0.7, 0.3, 0.0)}
View(table_of(("power", *MIXES["as on the web"]),
              [(power, *(f"{x:.0%}" for x in row)) for power, row in drawn.items()]))

# %% [markdown]
# <details><summary><b>Why not give each language the same share?</b></summary>
#
# Then languages with little text get tokens that rarely occur, and English pays for it. And in training, a tiny
# Wikipedia would be read thousands of times.
# </details>

# %% [markdown]
# ## 7 · Three embeddings, one vector
#
# For each token BERT looks up **three** embeddings and adds them: for the token, for its position, and for its
# **segment**, which says whether it belongs to the first text (A) or the second (B). Hugging Face calls the segment a
# *token type*: `token_type_ids` are 0 for A and 1 for B.
#
# $$x_t = \operatorname{LayerNorm}(\text{word}[\text{id}_t] + \text{position}[t] + \text{segment}[\text{type}_t])$$
#
# Our tables have 10 columns, so that you can read them; BERT-base has 768.

# %%
rng, D = np.random.default_rng(3), 10
SEQUENCE = "[CLS] the cat sat [SEP] the cat slept [SEP]".split()
types = np.array([0, 0, 0, 0, 0, 1, 1, 1, 1])                            # (T,)
names = sorted(set(SEQUENCE))
ids = np.array([names.index(token) for token in SEQUENCE])                    # (T,)
tables = {"word.weight": rng.normal(size=(len(names), D)), "position.weight": rng.normal(size=(12, D)),
          "token_type.weight": rng.normal(size=(2, D)), "norm.weight": np.ones(D), "norm.bias": np.zeros(D)}

# %% [markdown]
# The package's own code:

# %%
from minibert.reference import embeddings, layer_norm

show_source(embeddings)

# %% [markdown]
# **Guess first.** *the* stands at positions 1 and 5. Which of its three embeddings are the same in both? Then look at
# both.

# %% jupyter={"source_hidden": true}
from minibert.course.widgets.model_input import embedding_sum

def draw_embedding(token):
    parts = {f"word “{SEQUENCE[token]}”": tables["word.weight"][ids[token]],
             f"position {token}": tables["position.weight"][token],
             f"segment {'AB'[types[token]]}": tables["token_type.weight"][types[token]]}
    total = sum(parts.values())                                          # (D,)
    normed = embeddings(ids[None], types[None], tables)[0, token]        # (D,)
    title = f"“{SEQUENCE[token]}” at position {token}, segment {'AB'[types[token]]}: three embeddings, added"
    return embedding_sum(parts, total, normed, title)

Controls(draw_embedding, token=widgets.Dropdown(
    options=[(f"{t}: {token}", t) for t, token in enumerate(SEQUENCE)], value=1, description="Token"))

# %% [markdown]
# Adding by hand gives the same. And the two *the* enter the first layer as different vectors:

# %%
x = embeddings(ids[None], types[None], tables)[0]                        # (T, D)
by_hand = (tables["word.weight"][ids] + tables["position.weight"][:len(ids)]
           + tables["token_type.weight"][types])
assert np.allclose(x, layer_norm(by_hand, {"weight": np.ones(D), "bias": np.zeros(D)}))
print(f"by hand or by the package, all {x.size} numbers are the same")
print(f"the two “the” differ by up to {abs(x[1] - x[5]).max():.2f}")

# %% [markdown]
# Other models add other embeddings in the same way:
#
# | model | added to the token's embedding |
# |---|---|
# | BERT | position, segment |
# | RoBERTa | position |
# | TAPAS, which reads tables (Herzig et al., figure 2) | position, segment, column, row, rank, previous answer |
# | TableFormer (Yang et al.) | no row or column: attention has learned biases instead, so their order cannot matter |
#
# <details><summary><b>How many weights do the three tables have in BERT-base?</b></summary>
#
# 30,522 · 768 for the words, 512 · 768 for the positions, and 2 · 768 for the segments (lesson 2, section 8).
# </details>
#
# <details><summary><b>Why add them, and not write them side by side?</b></summary>
#
# Side by side, either each would keep its own part of the 768 columns, or every later matrix would have to be wider.
# When they are added, training decides how they share the columns.
# </details>
#
# <details><summary><b>Why can BERT not read 513 tokens?</b></summary>
#
# The position table has 512 learned rows, and no formula gives the next one. Longer texts are cut off, or read in
# overlapping parts (lesson 7).
# </details>

# %% [markdown]
# ## 8 · Sequences: [CLS] A [SEP] B [SEP]
#
# Every **sequence** begins with `[CLS]`, whose final vector is used to classify the whole (lesson 6). `[SEP]` ends each
# segment. A and B can be a question and a passage, or two sentences to compare; a single text is A alone.

# %%
from minibert.data.batch import Specials, collate
from minibert.data.packing import truncate_pair

A = tokenizer.encode("Where did the baker buy the flour?").ids
B = tokenizer.encode("The baker got up early. She went to the mill by the river, bought flour, and carried "
                     "it home in the rain.").ids
print(f"{len(A)} tokens of A + {len(B)} of B + 3 special ones = {len(A) + len(B) + 3}")

# %% [markdown]
# A pair that is too long must be **truncated** (cut off). Three ways:

# %%
def half_each(a, b, room):
    return a[:room // 2], b[:room - room // 2]

def second_only(a, b, room):
    return a[:room], b[:max(0, room - len(a))]

CUTS = {"longest first": truncate_pair, "the second only": second_only, "half each": half_each}
show_source(truncate_pair)

# %% [markdown]
# The question is A, the passage B.

# %% jupyter={"source_hidden": true}
GuessBars(f"14 tokens, 3 of them special. How many of the question's {len(A)} tokens does each way keep?",
          list(CUTS), lambda: [len(cut(A, B, 14 - 3)[0]) for cut in CUTS.values()], top=12, within=1,
          axis="tokens of the question")

# %% [markdown]
# Try them, and other lengths. Then put the passage first: which way is a disaster?

# %% jupyter={"source_hidden": true}
from minibert.course.widgets.model_input import input_table

def draw_sequence(cut, length, swapped):
    first, second = (B, A) if swapped else (A, B)
    a, b = CUTS[cut](first, second, length - 3)
    batch = collate([(a, b)], Specials(), length=length)
    tokens = [vocab[i] for i in batch.input_ids[0]]
    said = (f"{cut}: {len(a)} of {len(first)} tokens of A and {len(b)} of {len(second)} of B are kept; "
            f"{(~batch.real).sum()} [PAD].")
    return input_table(tokens, batch.token_type_ids[0].tolist(), batch.real[0].tolist(), said)

Controls(draw_sequence, cut=widgets.Dropdown(options=list(CUTS), description="Cut"),
         length=widgets.BoundedIntText(24, min=5, max=60, description="Length"),
         swapped=widgets.Checkbox(False, description="B first"))

# %% [markdown]
# *Longest first* keeps the shorter text whole as long as it can, whether it is A or B.
#
# **Why mark A and B**, when `[SEP]` stands between them? BERT is also pretrained to compare them, by **next sentence
# prediction**: does B follow A (lesson 4)? **RoBERTa**, a BERT trained longer on more text, dropped that task and with it
# segment B. The one embedding left can just as well be added to the word table:

# %%
one_segment = np.zeros_like(types)
folded = {**tables, "word.weight": tables["word.weight"] + tables["token_type.weight"][0],
          "token_type.weight": np.zeros((2, D))}
each, once = (embeddings(ids[None], one_segment[None], weights) for weights in (tables, folded))
assert abs(each - once).max() < 1e-12
print(f"added to each token, or once to the word table: the vectors differ by {abs(each - once).max():.0e}")

# %% [markdown]
# A rounding error: this embedding does nothing. Nor did dropping the task hurt these three scores (Liu et al., table 2; a
# fourth, on sentiment, fell by 0.2 to 0.4). **RACE** holds exam questions with four choices:
#
# | training sequences (same model size, same data; development sets) | SQuAD 2.0 | MNLI | RACE |
# |---|---|---|---|
# | *task* | find the answer in a passage | does one sentence follow from another? | which answer is right? |
# | *score, in percent* | F1: overlap with the right words | accuracy | accuracy |
# | pairs of segments of several sentences, with next sentence prediction (as in BERT) | 78.7 | 84.0 | 64.2 |
# | pairs of single sentences, with next sentence prediction | 76.2 | 82.9 | 63.0 |
# | running text across documents, without the task | 79.1 | 84.7 | 64.8 |
# | running text within one document, without the task | 79.7 | 84.7 | 65.6 |

# %% [markdown]
# ## 9 · Padding, and who pays for it
#
# A batch is a rectangle: shorter sequences are filled up with `[PAD]`. The good news: this **padding** changes nothing as
# long as the attention mask hides it. (Hugging Face's `attention_mask` is 0 for padding, else 1; our `batch.real` is
# False and True.) We try it on a small encoder with random weights.

# %% jupyter={"source_hidden": true}
from minibert.data.batch import visible_all
from minibert.config import ModelConfig
from minibert.reference import encoder, encoder_shapes, init_weights

config = ModelConfig(len(vocab), hidden_size=32, num_hidden_layers=2, num_attention_heads=4,
                     intermediate_size=64, max_position_embeddings=64)
weights = init_weights(encoder_shapes(config), 0.5, np.random.default_rng(0))

def read(batch, visible):
    return encoder(batch.input_ids, visible, batch.token_type_ids, weights, config)["hidden"]      # (B, T, D)

# %% [markdown]
# The question alone against the question with 20 `[PAD]`:

# %%
alone, padded = collate([(A, None)], Specials()), collate([(A, None)], Specials(), length=len(A) + 22)
truth, T = read(alone, visible_all(alone.real)), alone.input_ids.shape[1]
change = {name: abs(read(padded, visible)[:, :T] - truth).max() for name, visible in (
    ("with", visible_all(padded.real)), ("without", visible_all(np.ones_like(padded.real))))}
assert change["with"] < 1e-12 < 0.1 < change["without"]
for name, most in change.items():
    print(f"{name:7s} the mask, the question's vectors change by up to {most:.1g}")

# %% [markdown]
# The bad news: padding is computed all the same, and each batch is as long as its longest sequence.
#
# **Your turn.** Given the lengths of the sequences, what share of the batches is padding?

# %%
def padding_share(lengths, size):
    """Return the share of padding in batches of `size`, in this order, rounded to two decimals.

    >>> padding_share([1, 3, 2, 2], size=2)
    0.2
    >>> padding_share([1, 2, 2, 3], size=4)
    0.33
    """
    ...

try_it(padding_share)

# %% [markdown]
# <details><summary><b>One way to write it</b></summary>
#
# ```python
# def padding_share(lengths, size):
#     batches = [lengths[i:i + size] for i in range(0, len(lengths), size)]
#     places = sum(len(batch) * max(batch) for batch in batches)
#     return round(1 - sum(lengths) / places, 2)
# ```
# </details>

# %% [markdown]
# Now 200 stories in batches of 32. (The folded cell also counts what a layer has to compute.)

# %% jupyter={"source_hidden": true}
lengths = np.array([len(tokenizer.encode(text).ids) + 2 for text in stories[:200]])

def cost(order, size, fixed=None):
    """(share of padding, what a layer computes as a multiple of what it would without padding)."""
    parts = [order[i:i + size] for i in range(0, len(order), size)]
    widths = np.concatenate([np.full(len(part), fixed or part.max()) for part in parts])        # (rows,)
    return 1 - order.sum() / widths.sum(), layer_cost(widths).sum() / layer_cost(order).sum()

def price_of_padding():
    lines = []
    for name, order, fixed in (("as they come", lengths, None),
                               ("similar lengths together", np.sort(lengths), None),
                               ("all of length 512", lengths, 512)):
        padding, computed = cost(order, 32, fixed)
        lines.append((name, f"{padding:.0%}", f"{computed:.2f} ×"))
    return table_of(("batches of 32", "padding", "computed, compared with no padding"), lines)

View(f"<p>{len(lengths)} stories of {lengths.min()} to {lengths.max()} tokens, "
     f"median {np.median(lengths):.0f}.</p>")

# %% [markdown]
# The stories can be batched as they come, or sorted by length.

# %% jupyter={"source_hidden": true}
GuessBars("What percentage of all tokens is padding, in batches of 32?",
          ["as they come", "similar lengths together"],
          lambda: [100 * cost(order, 32)[0] for order in (lengths, np.sort(lengths))], top=100, within=8,
          axis="padding", unit="%", see=price_of_padding)

# %% [markdown]
# Make the batch larger:

# %% jupyter={"source_hidden": true}
from minibert.course.widgets.model_input import padding_maps

def draw_padding(size):
    orders = {"as they come": lengths, "similar lengths": np.sort(lengths)}
    maps = {name: np.arange(lengths.max()) < order[:size, None] for name, order in orders.items()}  # (B, T)
    maps = {name: real[:, :real.sum(1).max()] for name, real in maps.items()}
    maps["all of length 512"] = np.arange(512) < lengths[:size, None]
    return padding_maps(maps, f"The first batch of {size}: {1 - maps['as they come'].mean():.0%} padding as "
                              f"they come, {1 - maps['similar lengths'].mean():.0%} when sorted")

Controls(draw_padding, size=widgets.Dropdown(options=[1, 4, 16, 32, 100], value=4, description="Batch size"))

# %% [markdown]
# The short sequences pay for the long ones. After sorting, the order is no longer random, so one shuffles the batches
# instead (lesson 5). BERT's pretraining fills its sequences with sentence after sentence, so there is little to pad.
#
# <details><summary><b>Why pad at all, and not read each text alone?</b></summary>
#
# A processor with thousands of arithmetic units is fast at one large product, not at thirty small ones. A batch with a
# little padding is far quicker than many texts one after the other.
# </details>
#
# <details><summary><b>Why are 90% of BERT's training steps only 128 tokens long?</b></summary>
#
# Devlin et al. (appendix A.2) give the square of the length as the reason; the last 10% have 512 tokens, to learn the
# later positions. By our count, `quadratic_share(128, 768)` is 0.027, so in BERT-base the square matters little in
# multiplications. The memory for the scores grows with the square, too.
# </details>

# %% [markdown]
# ## 10 · In real English
#
# BERT's own vocabulary was made at Google for English. (If the course's own model took its place, you compare two of
# ours.) First the held-out passages:

# %% jupyter={"source_hidden": true}
def on_passages(model):
    encoded = [model.encode(text) for text in held_out]
    words = sum(len(set(encoding.words)) for encoding in encoded)
    whole = sum(sum(times == 1 for times in Counter(encoding.words).values()) for encoding in encoded)
    return (f"{sum(len(encoding.ids) for encoding in encoded) / words:.2f}", f"{whole / words:.0%}",
            sum(encoding.pieces.count("[UNK]") for encoding in encoded))

View(table_of(("vocabulary", "tokens per word", "words that stay whole", "[UNK]"),
              [(name, *on_passages(model)) for name, model in VOCABULARIES.items()]))

# %% [markdown]
# **Guess first.** Into how many pieces will your name be cut? Then try long words (*electroencephalogram*), names from
# other countries, and very new words.

# %% jupyter={"source_hidden": true}
from minibert.course.widgets.guess import CommitFirst

def by_both(text):
    return "".join(f"<b>{name}</b>" + subwords_html(model.encode(text).pieces)
                   for name, model in VOCABULARIES.items())

CommitFirst(lambda text: "<p>How many pieces will the whole name be in the model's vocabulary?</p>",
            by_both, text=widgets.Text("Zoë Krasniqi-Oyelaran", description="My name",
                                       continuous_update=False))

# %% [markdown]
# A name that is cut can still be read, but the layers have to put it together from pieces that other words have, too.
#
# What the model's vocabulary holds:

# %% jupyter={"source_hidden": true}
def kind(piece):
    if piece.startswith("[") and piece.endswith("]"):
        return "special, or not used"
    return ("continues a word (##)" if piece.startswith("##") and len(piece) > 2 else
            "a single character" if len(piece) == 1 else "a word, or starts one")

View(table_of(("tokens", "kind"), [(f"{n:,}", name)
                                   for name, n in Counter(map(kind, english.tokenizer.vocab)).most_common()]))

# %% [markdown]
# The single characters decide what can be spelled. Section 6's ten sentences once more:

# %% jupyter={"source_hidden": true}
shared["The model's own"] = english.tokenizer

GuessChoice("With the model's own vocabulary, which language takes the most tokens for the ten sentences?",
            list(SENTENCES), lambda: most_tokens("The model's own"),
            see=lambda: draw_languages("The model's own"))

# %% [markdown]
# `[UNK]` **is** one token for all words that cannot be spelled. It **is not** a rare word (pieces spell that), nor
# `[MASK]`, which asks for a word. Nothing warns you when a word is lost.
#
# **Guess first.** How many `[UNK]` will this line have? Then write lines of your own.

# %% jupyter={"source_hidden": true}
def what_is_left(text):
    encoding = english.tokenizer.encode(text)
    lost = [text[start:end] for piece, (start, end) in zip(encoding.pieces, encoding.offsets)
            if piece == "[UNK]"]
    said = f"{len(lost)} [UNK]: {', '.join(lost) or 'nothing is lost'}. "
    said += "An emoji is no punctuation mark, so “cat🐈” is one word, all lost. " * ("cat🐈" in lost)
    return subwords_html(encoding.pieces, said + f"Read back: {english.tokenizer.decode(encoding.ids)}")

CommitFirst(lambda text: "<p>How many [UNK] will there be?</p>", what_is_left,
            text=widgets.Text("My cat🐈 likes 我 and a naïve café, чай and 🥖.", description="My line",
                              continuous_update=False, layout={"width": "620px"}))

# %% [markdown]
# One word can change what a model predicts:

# %% jupyter={"source_hidden": true}
from minibert.course.widgets.guess import gaps_html, sentence_html

def compare(first, second):
    one, two = (english.tokenizer.encode(text) for text in (first, second))
    said = f"The two texts have {'the same' if one.ids == two.ids else 'different'} ids."
    if one.ids == two.ids and "[UNK]" in one.pieces:
        said += " All that becomes [UNK] looks the same to the model."
    return "".join(sentence_html(text) + gaps_html(english, text) for text in (first, second)) + f"<p>{said}</p>"

View(compare("I feel happy today. I am so [MASK].", "I feel sad today. I am so [MASK]."))

# %% [markdown]
# **Guess first.** What do two emoji do? Then try others.

# %% jupyter={"source_hidden": true}
CommitFirst(lambda first, second: "<p>Type yes or no: will it predict the same words for both?</p>", compare,
            first=widgets.Text("I feel 😀 today. I am so [MASK].", description="First",
                               continuous_update=False),
            second=widgets.Text("I feel 😢 today. I am so [MASK].", description="Second",
                                continuous_update=False))

# %% [markdown]
# <details><summary><b>Why not add the emoji to the vocabulary later?</b></summary>
#
# You can. BERT's vocabulary has unused entries, and a new token can take one of them. But its embedding is untrained, so
# it means nothing until the model has been trained further on texts that contain it.
# </details>

# %% [markdown]
# Last, a whole input on its way through the model. Four bars beside each token show the size of its three embeddings
# and of their sum.

# %% jupyter={"source_hidden": true}
from minibert.course.widgets.explorer.widget import explore

TRIED = {"The glassblower opened the [MASK] with her key.": "door", "An hour has sixty [MASK].": "minutes",
         "Every morning the cook walks to the [MASK].": "kitchen"}
RIGHT = [text for text, word in TRIED.items() if english.fill_mask(text)[0][0][0] == word]
explore(english, [*RIGHT, *TRIED][0], "Then she lit the furnace.")      # the first that the model gets right

# %% [markdown]
# ## Check yourself
#
# Run the folded cell and choose.

# %% jupyter={"source_hidden": true}
assert sizes_words[0] - sizes_words[2] > sizes_words[2] - sizes_words[4]      # what question 3 says
assert (occurrences(4000)[:995] < occurrences(1000)).mean() > 0.5
Quiz([
    QuizQuestion("The vocabulary has hug, hugg, ##s, ##gy and all letters but y. How is “huggy” split?", [
        Choice("hug ##gy", False,
               "That would work, but greedy matching takes the longest beginning, hugg, and keeps it."),
        Choice("[UNK]", True, "Right: after hugg, there is no ##y, and the whole word is lost."),
        Choice("hugg [UNK]", False, "If any part of a word cannot be matched, the whole word is [UNK]."),
    ]),
    QuizQuestion("Two letters occur five times each, always side by side. Which score favours this pair?", [
        Choice("Frequency", False, "Five is not much, and frequency asks for nothing else."),
        Choice("The ratio", True, "Right: 5 / (5 · 5) is large. They are never apart."),
        Choice("Both alike", False, "Frequency does not look at the parts; the ratio divides by them."),
    ]),
    QuizQuestion("A vocabulary grows from 1,000 to 4,000 tokens. What happens?", [
        Choice("Most tokens occur less often", True, "Right. Sequences get shorter, the table larger."),
        Choice("Sequences get four times shorter", False, "In section 5, the first thousand save most."),
        Choice("There are fewer unknown characters", False, "Both have the same single characters."),
    ]),
    QuizQuestion("What do position and segment embeddings do to the two “the” of a sequence?", [
        Choice("They make two different vectors of them", True,
               "Right: the same word embedding, another position, perhaps another segment."),
        Choice("Nothing before the first attention", False, "They are added before the first layer."),
        Choice("They replace the word embedding", False, "All three are added."),
    ]),
    QuizQuestion("Question and passage are too long together. Longest first cuts …", [
        Choice("… each by half", False, "Then a short question would lose words for nothing."),
        Choice("… always the longer of the two", True, "Right: in turn once both are equally long."),
        Choice("… [SEP], to make room", False, "The special tokens stay: their room is set aside before."),
    ]),
    QuizQuestion("Who pays for padding?", [
        Choice("Nobody: it is masked from attention", False,
               "The attention mask keeps it from changing a result. It is computed all the same."),
        Choice("Every shorter sequence of the batch", True, "Right: each [PAD] is computed like a token."),
        Choice("The longest sequence", False, "It has no padding. The others are padded to its length."),
    ]),
])

# %% [markdown]
# And your guesses:

# %%
my_guesses()

# %% [markdown]
# ## In short
#
# - **Subwords** lie between words (there are always new ones) and letters (sequences get too long).
# - **Training** merges the best pair, again and again: for BPE the most frequent one, for WordPiece, as usually
#   described, the one whose parts rarely occur apart.
# - **Reading** is greedy in WordPiece; BPE applies its merge rules in order.
# - **Size**: with more tokens, sequences get shorter, the table larger, and most tokens are seen less often.
# - **Sequences** are `[CLS] A [SEP] B [SEP]`, **vectors** are word + position + segment, then LayerNorm.
# - **Padding**, masked, changes no result, but costs time.
#
# ## Read on
#
# | paper | where |
# |---|---|
# | Devlin et al. (2019), *BERT*, [arXiv 1810.04805](https://arxiv.org/abs/1810.04805) | section 3, figure 2 |
# | Sennrich et al. (2016), [arXiv 1508.07909](https://arxiv.org/abs/1508.07909) | section 3.2: byte-pair encoding |
# | Schuster and Nakajima (2012), *Japanese and Korean Voice Search* | section 3: where WordPiece began |
# | Wu et al. (2016), *Google's NMT*, [arXiv 1609.08144](https://arxiv.org/abs/1609.08144) | section 4.1: WordPiece |
# | Liu et al. (2019), *RoBERTa*, [arXiv 1907.11692](https://arxiv.org/abs/1907.11692) | 4.2: sequences; 4.4: bytes |
# | Conneau et al. (2020), *XLM-R*, [arXiv 1911.02116](https://arxiv.org/abs/1911.02116) | section 3: 100 languages |
# | multilingual BERT: `multilingual.md` in google-research/bert | data source and sampling |
# | Herzig et al. (2020), *TAPAS*, [arXiv 2004.02349](https://arxiv.org/abs/2004.02349) | figure 2: reading tables |
# | Yang et al. (2022), *TableFormer*, [arXiv 2203.00274](https://arxiv.org/abs/2203.00274) | attention biases for tables |
# | in the package | `minibert/tokenizer/`, `minibert/data/batch.py`, `minibert/reference/encoder.py` |
#
# **Next**: [the exercise](../exercises/03_input/03_input.ipynb), in which you write what turns a text into vectors.
# Then lesson 4: what the model is asked.
