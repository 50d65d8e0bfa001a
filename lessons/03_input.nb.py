# %% [markdown]
# # 3 · Input: from text to vectors
#
# *The glassblower's cat sat on the sofa 🛋.* A model cannot read that. It reads numbers, so somebody has to decide
# which: one for each word? One for each letter? And what about words that nobody has seen before? This lesson follows
# a text on its way to the first layer of BERT.
#
# **After this lesson you can**
#
# - train a WordPiece vocabulary, merge by merge, and say how it differs from byte-pair encoding,
# - split any word by hand with greedy matching, even with accents, Chinese characters, emoji or unknown letters,
# - say what a vocabulary of 200, 1,000, 4,000 or 30,522 tokens costs, and why one that is shared by six languages
#   treats some of them worse than others,
# - pack one or two texts into a sequence, truncate or pad it to a length, and say what padding costs,
# - add up the three embeddings, and explain why RoBERTa does without segments,
# - say what BERT's own vocabulary makes of your name and of other languages, and what `[UNK]` is and is not.
#
# **You need** lessons 1 and 2, and Python.
# **Time:** about 85 minutes with guessing and playing; the code alone runs in 15 seconds on two cores.
#
# Run the cells in order with Shift + Enter. Where a question waits for your guess, give one: a wrong guess is remembered
# best. Those that begin with **Your guess** are counted, and at the end you see how many came close.

# %% jupyter={"source_hidden": true}
from minibert.viz.here import here

here(3)

# %% [markdown]
# ## The finished thing first
#
# This is what a model reads in place of your text: **tokens**, which are words or pieces of words, and a number for each.
# Type anything. Which words stay whole, which are cut, and what is the ✗? (Loading takes a few seconds. The tokens are
# those of a published BERT for English; if a line says that the course's own model takes its place, they are ours.)

# %% jupyter={"source_hidden": true}
import ipywidgets as widgets
import minibert
from minibert.viz.explorer import Explorer
from minibert.viz.wordpiece import subwords_html

english = minibert.load("english")

def read_by_model(text):
    encoding = english.tokenizer.encode(text)
    return subwords_html(encoding.pieces, f"As numbers: {' '.join(map(str, encoding.ids))}")

Explorer(read_by_model, text=widgets.Text("The glassblower's cat sat on the sofa 🛋.", description="Any text",
                                          continuous_update=False, layout={"width": "620px"}))

# %% [markdown]
# ## Do you remember lesson 2?
#
# Run the folded cell below and choose. You may choose again.

# %% jupyter={"source_hidden": true}
from minibert.viz.quiz import Choice, Question, Quiz

Quiz([
    Question("A query gives weights to all keys. What comes out for the query's word?", [
        Choice("The average of the values, in these weights", True, "Right: softmax(q kᵀ / √K) v."),
        Choice("The key that fits best", False, "The softmax mixes: it takes a little of every value it may see."),
        Choice("The sum of all queries", False, "Queries only ask. What is handed over are the values."),
    ]),
    Question("A sequence doubles in length. How many scores does one head then compute?", [
        Choice("Twice as many", False, "Every query meets every key, and there are twice as many of both."),
        Choice("Four times as many", True, "Right, T · T of them. This lesson makes sequences longer and shorter."),
        Choice("As many as before", False, "That would need attention to skip words."),
    ]),
    Question("An encoder without positions reads “dog bites man” and “man bites dog”. What does it see?", [
        Choice("Two different sentences", False, "To attention alone, a sentence is a bag of words."),
        Choice("The same bag of words", True, "Right. That is why positions are added: section 7 of this lesson."),
        Choice("It fails", False, "It runs well, and that is the trap."),
    ]),
])

# %% [markdown]
# ## 1 · Words, letters, or something between
#
# First we need some text, a **corpus**: generated stories and thirty hand-written passages. Ten more passages are set
# aside for testing.

# %%
from minibert.corpora.passages import passages
from minibert.corpora.world import World

stories = [document.text for document in World(7).documents(1500, seed=1)]
prose = [passage.text for passage in passages()]
corpus, held_out = stories + prose[:30], prose[30:]

# %% [markdown]
# `count_words` splits a text into words as BERT does (section 4) and counts them. Punctuation marks count as words.

# %%
from minibert.tokenizer import count_words

counts = count_words(corpus)        # word -> how often
new = count_words(held_out)
print(f"{counts.total():,} words, {len(counts):,} of them different. The most frequent:")
print(" · ".join(f"{word} {n:,}" for word, n in counts.most_common(8)))

# %% [markdown]
# Which words of the ten passages never occur in our corpus?

# %%
unseen = [word for word in new if word not in counts]

# %% [markdown]
# Each different word counts once, however often it occurs.

# %% jupyter={"source_hidden": true}
from minibert.viz.guess_then_see import GuessBars, GuessChoice, GuessCurve, GuessNumber, my_guesses

GuessNumber("What percentage of the different words in the ten passages is new?",
            lambda: 100 * len(unseen) / len(new), within=7, form="{:.0f}%",
            see=lambda: f"<p>{len(unseen)} of {len(new)} are new: {', '.join(unseen[:8])} ...</p>")

# %% [markdown]
# A model that knows only whole words must replace each new word by `[UNK]`, for *unknown*. And there are always new
# words: names, typing errors, *glassblowers* where only *glassblower* was known. Letters can spell them all, but at a
# price:

# %%
letters = {letter for word in counts for letter in word}
length = sum(len(word) * n for word, n in new.items()) / new.total()
print(f"whole words:  {len(counts):5,} entries, 1.0 tokens per word, new words unknown")
print(f"letters only: {len(letters):5,} entries, {length:.1f} tokens per word, nothing unknown")
print(f"attention costs the square of the length: {length ** 2:.0f} times as much with letters")

# %% [markdown]
# **Subwords**, or pieces of words, lie between the two: frequent words stay whole, and rare words are spelled in a few
# pieces. The list of all tokens that a model knows is its **vocabulary**. But which pieces should be in it?
#
# <details><summary><b>Why not simply a larger dictionary?</b></summary>
#
# In BERT-base every entry has an embedding of 768 numbers, and a rare word is seen too seldom to learn them. *hug*,
# *hugs*, *hugged* and *hugging* would be four strangers. Subwords share: `hug` is learned from all four.
# </details>

# %% [markdown]
# ## 2 · Training, merge by merge
#
# A vocabulary is trained like this (Sennrich et al., section 3.2; Schuster and Nakajima, 2012):
#
# 1. Begin with single characters. All but the first of a word are written with `##`: *cook* is `c ##o ##o ##k`.
# 2. Give every pair of neighbours a score. **Merge** the best pair into one new piece, wherever it occurs.
# 3. Repeat until the vocabulary is as large as you want it.
#
# The algorithms differ mainly in the score. We try three scores on seven words:

# %%
TOY = {"book": 12, "cook": 10, "look": 6, "cooks": 4, "moon": 4, "queen": 3, "quilt": 2}      # word: how often

# %% [markdown]
# - **frequency**: how often the pair occurs. This is **byte-pair encoding** (BPE).
# - **likelihood**: the frequency of the pair, divided by that of its left piece and by that of its right piece. This is
#   how **WordPiece** is usually described: how much more often do the two stand together than by chance?
# - **gain**: the frequency of the pair, times the logarithm of how much more often that is than by chance. This is
#   roughly how much likelier the merge makes the whole text, which is how Schuster and Nakajima describe it.

# %%
import math
from minibert.tokenizer.train import SCORES, Pairs

size = sum(len(word) * n for word, n in TOY.items())      # pieces in the corpus at the beginning
RULES = {**SCORES, "gain": lambda pair, left, right, size=size: pair * math.log(size * pair / (left * right))}

# %% [markdown]
# Look at the counts of the seven words. Which letters are often together, and which are hardly ever apart?

# %% jupyter={"source_hidden": true}
def first_merges():
    lines = []
    for score, rule in RULES.items():
        state = Pairs(TOY, rule)
        pair = state.best()
        apart = " and ".join(str(state.pieces[piece]) for piece in pair)
        first = f"{' + '.join(pair)}, {state.pairs[pair]} times together (left and right: {apart} times in all)"
        merges = [state.merge(*pair), *(state.merge(*state.best()) for _ in range(7))]
        lines.append(f"{score}: {first}\n    {' '.join(merges)}")
    lines = "\n".join(lines)
    return ("<p>The first pair by each score, and the first eight merges:</p>"
            f'<pre style="white-space:pre-wrap">{lines}</pre>'
            "<p>The likelihood asks how seldom the parts are apart. Two letters that occur once each, side by side, "
            "score 1 / (1 · 1) = 1, the highest score possible. A pair that occurs ten times cannot score more than "
            "10 / (10 · 10) = 0.1. So the likelihood finds what <i>belongs together</i>, even where that is too rare to "
            "be worth a place in the vocabulary. The gain weighs both.</p>")

GuessChoice("Which pair does the likelihood merge first?", ["##o + ##o", "##o + ##k", "##i + ##l", "q + ##u"],
            lambda: " + ".join(Pairs(TOY, RULES["likelihood"]).best()), see=first_merges)

# %% [markdown]
# Step through the merges, and change the score.

# %% jupyter={"source_hidden": true}
from minibert.viz.wordpiece import merge_view
from minibert.viz.stepper import Stepper

def draw_merge(score, step):
    state = Pairs(TOY, RULES[score])
    done = [state.merge(*state.best()) for _ in range(step - 1)]
    table = [(*pair, n, state.pieces[pair[0]], state.pieces[pair[1]]) for pair, n in state.pairs.items() if n]
    table = sorted(((*row, RULES[score](*row[2:])) for row in table), key=lambda row: (-row[5], row[:2]))
    best = table[0][:2]
    said = f"Merge {step}, by {score}: {best[0]} and {best[1]}. Merged so far: {', '.join(done) or 'nothing'}."
    return merge_view(list(zip(TOY.values(), state.words)), table, best, said)

Stepper(draw_merge, 11, score=widgets.Dropdown(options=list(RULES), description="Score"))

# %% [markdown]
# Now the whole corpus. We train two vocabularies of 2,000 tokens, by frequency and by likelihood, and count how many
# tokens each needs per word of the ten passages.

# %%
from minibert.tokenizer import WordPiece, train_wordpiece
from minibert.viz.explorer import View
from minibert.viz.plots import bars

def tokens_per_word(tokenizer):
    return sum(len(tokenizer.match(word)) * n for word, n in new.items()) / new.total()

by_score = {score: tokens_per_word(WordPiece(train_wordpiece(counts, 2000, score))) for score in SCORES}

# %% [markdown]
# The counts are ready. Guess before you see them.

# %% jupyter={"source_hidden": true}
def compare_scores():
    best = min(by_score, key=by_score.get)
    said = ", ".join(f"{tokens:.2f} by {score}" for score, tokens in by_score.items())
    return bars(list(by_score), list(by_score.values()), "tokens per word, on the passages set aside",
                f"Tokens per word, with 2,000 in each vocabulary: {said}", chosen=list(by_score).index(best))

GuessChoice("Which score makes the vocabulary that needs fewer tokens per word?", list(by_score),
            lambda: min(by_score, key=by_score.get), see=compare_scores)

# %% [markdown]
# From here on we use one vocabulary of 4,000 tokens, trained by frequency. Its beginning, middle and end:

# %%
vocab = train_wordpiece(counts, 4000)
print("ids 0 to 8:      ", *vocab[:9])
print("the first merges:", *vocab[vocab.index("##he"):][:12])
print("the last merges: ", *vocab[-8:])

# %% [markdown]
# The special tokens come first, then the single characters (letters with and without `##`), then the merges. A token's
# **id** is its place in this list. Frequent endings such as `##er` and `##ed` come early; words that occur only a few
# times come last.
#
# <details><summary><b>Why are several scores called WordPiece?</b></summary>
#
# Google published BERT's vocabulary and the code that reads it, but never the program that made it, and the papers fit
# more than one formula. The `tokenizers` library trains its WordPiece by frequency. So does our package, unless told
# otherwise.
# </details>

# %% [markdown]
# ## 3 · Reading a word: greedy
#
# To read a word, WordPiece needs only the vocabulary, not the order of the merges. It takes the **longest** piece that
# begins the word, then the longest one that can follow, and never goes back. This is called **greedy** matching. Here
# is the package's own code:

# %%
import inspect

print(inspect.getsource(WordPiece.match))

# %% [markdown]
# **Guess first.** How is *unbakeable* split? Step through the tries until you know. Then type words of your own: long
# ones, invented ones, one with a letter that English does not have.

# %% jupyter={"source_hidden": true}
from minibert.viz.wordpiece import match_view

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

def draw_match(word, step):
    words = tokenizer.basic.split(word)
    if not words:
        raise ValueError("type a word: there is none yet")
    word = words[0].text
    return match_view(word, tries_of(word), [piece for piece, _, _ in tokenizer.match(word)], step)

Stepper(draw_match, 60, word=widgets.Text("unbakeable", description="My word", continuous_update=False))

# %% [markdown]
# Four more words, and how many tries each takes:

# %%
for word in ("cat", "glassblowers", "xylophonist", "catø"):
    pieces = [piece for piece, _, _ in tokenizer.match(word)]
    print(f"{word:13s} {len(tries_of(word)):3d}   {' '.join(pieces)}")

# %% [markdown]
# One letter that is not in the vocabulary makes the **whole word** `[UNK]`: *catø* loses even its *cat*.
#
# Greedy matching is quick, but it does not always find the shortest split. `fewest` tries them all:

# %%
def fewest(word):
    best = [0] + [math.inf] * len(word)                                  # best[i]: pieces for the first i letters
    for end in range(1, len(word) + 1):
        best[end] = min(best[start] + 1 for start in range(end) if ("##" if start else "") + word[start:end] in tokenizer.ids
                        or start == end - 1)
    return best[-1]

# %% [markdown]
# We compare the two on all words of the ten passages that are split.

# %%
split = [word for word in new if len(tokenizer.match(word)) > 1]
worse = [word for word in split if len(tokenizer.match(word)) > fewest(word)]

# %% [markdown]
# How often does greedy matching use more pieces than needed?

# %% jupyter={"source_hidden": true}
def too_many():
    splits = {word: " ".join(piece for piece, _, _ in tokenizer.match(word)) for word in worse[:4]}
    lines = "".join(f"<li>{word}: {pieces}, but {fewest(word)} would be enough</li>" for word, pieces in splits.items())
    return f"<p>{len(worse)} of {len(split)} split words have more pieces than needed, for example:</p><ul>{lines}</ul>"

GuessNumber("Of 100 words that are split, how many have more pieces than needed?",
            lambda: 100 * len(worse) / len(split), within=5, form="{:.0f}", see=too_many)

# %% [markdown]
# BPE reads differently: it keeps the merges as rules and applies them in the order in which they were learned. Trained
# on the same corpus with as many merges, it can split a word in another way (its `</w>` marks the end of a word):

# %%
from minibert.tokenizer import BPE, train_bpe

bpe = BPE(*train_bpe(counts, sum(len(piece.removeprefix("##")) > 1 for piece in vocab[5:])))
for word in ("unbakeable", "glassblowers", "storytelling", "waterway"):
    print(f"{word:13s} WordPiece: {' '.join(p for p, _, _ in tokenizer.match(word)):26s} "
          f"BPE: {' '.join(p for p, _, _ in bpe.match(word))}")

# %% [markdown]
# <details><summary><b>Why does nobody search for the best split?</b></summary>
#
# Some do: SentencePiece's unigram model takes the likeliest one. For WordPiece, it matters more that the rule is always
# the same: the model learns what these pieces mean, whichever they are.
# </details>

# %% [markdown]
# ## 4 · Before the pieces: Unicode
#
# WordPiece splits single words. The **basic tokenizer** first splits the text into words, and most surprises happen
# there. It drops control characters, makes each Chinese character a word, splits at spaces, makes letters lowercase,
# strips accents, and makes each punctuation mark a word. It has to cope with lines like these:

# %% jupyter={"source_hidden": true}
import html

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

def table_of(heads, lines):
    cell = "padding:2px 12px;text-align:left"
    rows = [("th", heads), *(("td", line) for line in lines)]
    rows = "".join("<tr>" + "".join(f'<{tag} dir="auto" style="{cell}">{html.escape(text)}</{tag}>' for text in row)
                   + "</tr>" for tag, row in rows)
    return f'<table style="border-collapse:collapse">{rows}</table>'

View(table_of(("line", "what it is"), CASES.items()))

# %% [markdown]
# Our vocabulary then splits each word into pieces, if it can.

# %% jupyter={"source_hidden": true}
def all_cases():
    lines = [(text, " | ".join(word.text for word in tokenizer.basic.split(text)),
              " ".join(tokenizer.encode(text).pieces)) for text in CASES]
    return ("<p>A word with a character that the training text did not have is [UNK], in any script.</p>"
            + table_of(("line", "words", "tokens"), lines))

GuessNumber(f"In how many of these {len(CASES)} lines does a word become [UNK]?",
            lambda: sum("[UNK]" in tokenizer.encode(text).pieces for text in CASES), within=2, see=all_cases)

# %% [markdown]
# What the basic tokenizer makes of them:
#
# - *schon* and *schön* become the same word, and the Russian *tea* becomes *teas*: й without its hook is и. So
#   **uncased** models, which make everything lowercase and strip accents, suit English best. In Hindi, some signs count
#   as accents and are removed.
# - Korean syllables are taken apart into their letters. Each Chinese character becomes a word; Japanese syllables stay
#   together.
# - Hebrew needs nothing special: text is stored first letter first, and only the screen shows it from right to left.
# - The invisible joiner is a control character and is dropped; the farmer becomes a woman and an ear of rice.
#
# Now paste anything: your name, your language, your emoji.

# %% jupyter={"source_hidden": true}
import unicodedata
from minibert.tokenizer import BasicTokenizer
from minibert.viz.wordpiece import subwords_html

def draw_text(text, uncased):
    words = [word.text for word in BasicTokenizer(lower_case=uncased).split(text)]
    pieces = [piece for word in words for piece, _, _ in tokenizer.match(word)]
    odd = [unicodedata.name(c, "a control character").lower() for c in text if ord(c) > 127]
    said = f"{len(text)} characters, {len(words)} words, {len(pieces)} tokens."
    return subwords_html(pieces, f"{said} Beyond ASCII: {', '.join(odd[:6]) or 'nothing'}.")

Explorer(draw_text, text=widgets.Text("Zoë's naïve piñata 🪅 doesn't burst", description="My text", continuous_update=False,
                                      layout={"width": "620px"}),
         uncased=widgets.Checkbox(True, description="Lowercase, no accents"))

# %% [markdown]
# Untick the box: our vocabulary has only lowercase letters without accents, so every word with a capital or an accent
# becomes `[UNK]`. A **cased** model, which keeps both, needs its own vocabulary.
#
# <details><summary><b>Why is an emoji [UNK], and not spelled like a rare word?</b></summary>
#
# A word is spelled with the single characters of the vocabulary, and these are the ones that occurred in the training
# text: no emoji there, no emoji in the vocabulary. GPT-2 begins with the 256 bytes instead of characters, so it can
# spell everything.
# </details>

# %% [markdown]
# ## 5 · How large a vocabulary?
#
# Merges are made one after the other, so a smaller vocabulary is the beginning of a larger one. That makes sizes easy
# to compare:

# %%
SIZES = [200, 500, 1000, 2000, 4000]
assert train_wordpiece(counts, 1000) == vocab[:1000]
sizes_words = [tokens_per_word(WordPiece(vocab[:size])) for size in SIZES]

# %% [markdown]
# A larger vocabulary makes a text shorter in tokens. By how much?

# %% jupyter={"source_hidden": true}
from collections import Counter
import numpy as np

def saved():
    each = dict(zip(SIZES, sizes_words))
    more = (each[200] / each[4000]) ** 2
    return (f"<p>From a vocabulary of 200 to one of 1,000, a word gets shorter by {each[200] - each[1000]:.2f} tokens; "
            f"from 1,000 to 4,000, by {each[1000] - each[4000]:.2f}. Attention costs the square of the length: "
            f"{more:.1f} times as much with 200 as with 4,000.</p>")

GuessCurve("How many tokens does a word take with each vocabulary?", [f"{size:,}" for size in SIZES],
           lambda: sizes_words, top=4, within=0.25, axis="tokens per word", along="tokens in the vocabulary (log scale)",
           at=np.log(SIZES), see=saved)

# %% [markdown]
# The price is a larger table of embeddings. With 768 numbers for each token, this is its share of a model like BERT-base
# (whose own vocabulary has 30,522 tokens):

# %%
from minibert.config import count_parameters, preset

for size in [*SIZES, 30522]:
    parts = count_parameters(preset("base", vocab_size=size))
    table = parts["word embeddings"]
    print(f"{size:6,} tokens: {table:>10,} weights, {table / sum(parts.values()):5.1%} of the model")

# %% [markdown]
# Long sequences cost time in every layer, for every text; the table is stored only once. But each token must also occur
# often enough in the corpus for its embedding to be learned:

# %%
def occurrences(size):
    seen = Counter()
    for word, n in counts.items():
        seen.update({piece: n for piece, _, _ in WordPiece(vocab[:size]).match(word)})
    return np.array([seen[piece] for piece in vocab[5:size]])

for size in (200, 1000, 4000):
    seen = occurrences(size)
    print(f"{size:5,} tokens: the median token occurs {np.median(seen):3.0f} times; "
          f"{(seen < 5).mean():3.0%} of them fewer than 5 times")

# %% [markdown]
# <details><summary><b>Why 30,522?</b></summary>
#
# The paper says 30,000 tokens (section 3); the released file has 30,522 lines, 999 of them special or unused. Small
# models and small corpora need fewer: our class model has 4,000.
# </details>

# %% [markdown]
# ## 6 · One vocabulary, six languages
#
# A multilingual model has one vocabulary for all its languages. What does that do to each of them? The folded cell holds
# ten sentences of our own in English, German, Spanish, Finnish, Russian and Chinese. The first one is *The old woman
# sells bread at the market*, *Die alte Frau verkauft Brot auf dem Markt*, and so on.

# %% jupyter={"source_hidden": true}
SENTENCES = {
    "English": """The old woman sells bread at the market. Every morning the children walk to school.
        My brother has lost his keys again. It will rain tomorrow in the mountains. She reads a long book by the window.
        We drink tea when the work is done. The dog sleeps under the kitchen table. Nobody knows why the train is late.
        He wrote a letter to his grandmother. The small boat crosses the river at night.""",
    "German": """Die alte Frau verkauft Brot auf dem Markt. Jeden Morgen gehen die Kinder zur Schule.
        Mein Bruder hat wieder seine Schlüssel verloren. Morgen wird es in den Bergen regnen.
        Sie liest am Fenster ein langes Buch. Wir trinken Tee, wenn die Arbeit getan ist.
        Der Hund schläft unter dem Küchentisch. Niemand weiß, warum der Zug Verspätung hat.
        Er hat seiner Großmutter einen Brief geschrieben. Das kleine Boot überquert nachts den Fluss.""",
    "Spanish": """La anciana vende pan en el mercado. Cada mañana los niños van a la escuela a pie.
        Mi hermano ha vuelto a perder sus llaves. Mañana lloverá en las montañas. Ella lee un libro largo junto a la ventana.
        Tomamos té cuando el trabajo está hecho. El perro duerme debajo de la mesa de la cocina.
        Nadie sabe por qué el tren llega tarde. Le escribió una carta a su abuela. El pequeño barco cruza el río de noche.""",
    "Finnish": """Vanha nainen myy leipää torilla. Joka aamu lapset kävelevät kouluun. Veljeni on taas hukannut avaimensa.
        Huomenna vuorilla sataa. Hän lukee pitkää kirjaa ikkunan ääressä. Juomme teetä, kun työ on tehty.
        Koira nukkuu keittiön pöydän alla. Kukaan ei tiedä, miksi juna on myöhässä. Hän kirjoitti kirjeen isoäidilleen.
        Pieni vene ylittää joen yöllä.""",
    "Russian": """Старая женщина продаёт хлеб на рынке. Каждое утро дети идут в школу. Мой брат снова потерял ключи.
        Завтра в горах будет дождь. Она читает длинную книгу у окна. Мы пьём чай, когда работа сделана.
        Собака спит под кухонным столом. Никто не знает, почему поезд опаздывает. Он написал письмо своей бабушке.
        Маленькая лодка переплывает реку ночью.""",
    "Chinese": """老太太在市场上卖面包。孩子们每天早上走路去学校。我哥哥又丢了钥匙。明天山里会下雨。她在窗边读一本很长的书。
        工作做完了，我们就喝茶。狗睡在厨房的桌子下面。没有人知道火车为什么晚点。他给奶奶写了一封信。小船在夜里过河。""",
}

# %% [markdown]
# From these sentences we train three vocabularies of 500 tokens each, and let each of them read the same sentences:
#
# - *English only*,
# - *as on the web*, where English counts 100 times, German, Spanish and Russian 10 times, Chinese 5 times and Finnish
#   once (invented numbers, but real text on the web is lopsided, too),
# - *all alike*, where each language counts once.

# %% jupyter={"source_hidden": true}
MIXES = {
    "English only": {"English": 1},
    "as on the web": {"English": 100, "German": 10, "Spanish": 10, "Russian": 10, "Chinese": 5, "Finnish": 1},
    "all alike": dict.fromkeys(SENTENCES, 1),
}

def mixed(shares):
    total = Counter()
    for language, times in shares.items():
        total += Counter({word: times * n for word, n in count_words([SENTENCES[language]]).items()})
    return WordPiece(train_wordpiece(total, 500))

shared = {name: mixed(shares) for name, shares in MIXES.items()}

def most_tokens(mix):
    return max(SENTENCES, key=lambda language: len(shared[mix].encode(SENTENCES[language]).ids))

def draw_languages(mix):
    encoded = {language: shared[mix].encode(text) for language, text in SENTENCES.items()}
    lengths = [len(encoding.ids) for encoding in encoded.values()]
    lost = {language: encoding.pieces.count("[UNK]") / len(set(encoding.words)) for language, encoding in encoded.items()}
    labels = [f"{language}, {lost[language]:.0%} [UNK]" if lost[language] else language for language in encoded]
    most = int(np.argmax(lengths))
    title = f"Vocabulary “{mix}”: the ten sentences take the most tokens in {list(encoded)[most]}"
    return bars(labels, lengths, "tokens for the ten sentences (label: share of the words that are [UNK])", title, most,
                form="{:.0f}")

# %% [markdown]
# Take the mix *as on the web* first.

# %% jupyter={"source_hidden": true}
GuessChoice("The mix is “as on the web”. Which language takes the most tokens for the ten sentences?", list(SENTENCES),
            lambda: most_tokens("as on the web"), see=lambda: draw_languages("as on the web"))

# %% [markdown]
# Compare the three mixes. With *English only*, which languages are mostly `[UNK]`, and which are merely cut into many
# pieces?

# %%
Explorer(draw_languages, mix=widgets.Dropdown(options=list(MIXES), description="Mix"))

# %% [markdown]
# A short bar is no good sign where the tokens are `[UNK]`. In the other two mixes every character is in the vocabulary,
# and what matters is how many merges a language gets. One sentence with each vocabulary:

# %%
View("".join(f"<b>{mix}</b>" + subwords_html(shared[mix].encode("Koira nukkuu keittiön pöydän alla.").pieces) for mix in MIXES))

# %% [markdown]
# It is Finnish for *The dog sleeps under the kitchen table*. A language that is cut into many pieces pays three times:
# attention costs the square of the length, less text fits into 512 tokens, and the pieces mean little by themselves.
#
# The single characters need room, too:

# %%
def script(piece):
    return unicodedata.name(piece.removeprefix("##")[0], "sign").split()[0].title().replace("Cjk", "Chinese")

singles = Counter(script(piece) for piece in shared["all alike"].vocab[5:] if len(piece.removeprefix("##")) == 1)
print(f"all alike: {singles.total()} of 500 tokens are single characters,",
      ", ".join(f"{n} {name}" for name, n in singles.most_common(3)))

# %% [markdown]
# Ten Chinese sentences need more single characters than the four languages in Latin script, whose letters are there
# both with and without `##`.
#
# <details><summary><b>Why not give each language the same share?</b></summary>
#
# Then languages with little text get tokens that seldom occur, and English pays for it.
# </details>
#
# XLM-R takes a middle way: it raises each language's share to the power of 0.3, divides by the sum, and samples the
# languages in these proportions, for 250,000 tokens (Conneau et al., 2020). With our invented shares:

# %%
share = np.array(list(MIXES["as on the web"].values())) / sum(MIXES["as on the web"].values())
for power in (1.0, 0.7, 0.3, 0.0):
    drawn = share ** power / (share ** power).sum()
    print(f"to the power {power}: " + ", ".join(f"{name} {x:.0%}" for name, x in zip(MIXES["as on the web"], drawn)))

# %% [markdown]
# ## 7 · Three embeddings, one vector
#
# Now ids become vectors. For each token BERT looks up **three** embeddings and adds them: one for the token, one for its
# position, and one for its **segment**, which says whether it belongs to the first text (A) or the second (B). Each is a
# row of a table. Our tables have 10 columns, so that you can read them; BERT-base has 768.

# %%
rng = np.random.default_rng(3)
ROW = "[CLS] the cat sat [SEP] the cat slept [SEP]".split()
types = np.array([0, 0, 0, 0, 0, 1, 1, 1, 1])                            # (T,)
names = sorted(set(ROW))
ids = np.array([names.index(token) for token in ROW])                    # (T,)
D = 10
tables = {"word.weight": rng.normal(size=(len(names), D)), "position.weight": rng.normal(size=(12, D)),
          "token_type.weight": rng.normal(size=(2, D)), "norm.weight": np.ones(D), "norm.bias": np.zeros(D)}

# %% [markdown]
# The package's own code adds the three in two lines, and a LayerNorm (lesson 2) follows:

# %%
from minibert.reference import embeddings, layer_norm

print(inspect.getsource(embeddings))

# %% [markdown]
# **Guess first.** *the* stands at positions 1 and 5. Which of its three embeddings are the same in both? Then look at
# both. Blue is positive, red is negative.

# %% jupyter={"source_hidden": true}
from minibert.viz.model_input import embedding_sum

def draw_embedding(token):
    parts = {f"word “{ROW[token]}”": tables["word.weight"][ids[token]], f"position {token}": tables["position.weight"][token],
             f"segment {'AB'[types[token]]}": tables["token_type.weight"][types[token]]}
    total = sum(parts.values())                                          # (D,)
    normed = embeddings(ids[None], types[None], tables)[0, token]        # (D,)
    title = f"“{ROW[token]}” at position {token}, in segment {'AB'[types[token]]}: three embeddings, added"
    return embedding_sum(parts, total, normed, title)

Explorer(draw_embedding, token=widgets.Dropdown(options=[(f"{t}: {token}", t) for t, token in enumerate(ROW)], value=1,
                                                description="Token"))

# %% [markdown]
# Adding by hand gives what the package gives. And the two *the* enter the first layer as different vectors:

# %%
x = embeddings(ids[None], types[None], tables)[0]                        # (T, D)
by_hand = tables["word.weight"][ids] + tables["position.weight"][:len(ids)] + tables["token_type.weight"][types]
assert np.allclose(x, layer_norm(by_hand, {"weight": np.ones(D), "bias": np.zeros(D)}))
print(f"by hand or by the package, all {x.size} numbers are the same")
print(f"the two “the” differ by up to {abs(x[1] - x[5]).max():.2f}")

# %% [markdown]
# How many weights the three tables have in BERT-base:

# %%
parts = count_parameters(preset("base"))
for name in ("word embeddings", "position embeddings", "segment embeddings"):
    print(f"{name:20s} {parts[name]:>10,}")

# %% [markdown]
# <details><summary><b>Why add them, and not write them side by side?</b></summary>
#
# Side by side, either each would keep its own part of the 768 columns, or every later matrix would have to be wider.
# When they are added, training decides how they share the columns.
# </details>
#
# <details><summary><b>Why can BERT not read 513 tokens?</b></summary>
#
# The position table has 512 learned rows, and no formula gives the next one. Longer texts are truncated, or read in
# overlapping parts (lesson 7).
# </details>

# %% [markdown]
# ## 8 · Sequences: [CLS] A [SEP] B [SEP]
#
# Every input **sequence** of BERT looks like this. It begins with `[CLS]`, whose vector after the last layer is used to
# classify the whole sequence (lesson 6). `[SEP]` ends each segment. A and B can be a question and a passage, or two
# sentences to compare; a single text is A alone.

# %%
from minibert.batch import Specials, collate
from minibert.reference.packing import truncate_pair

A = tokenizer.encode("Where did the baker buy the flour?").ids
B = tokenizer.encode("The baker got up early. She went to the mill by the river, bought flour, and carried it home "
                     "in the rain.").ids
print(f"{len(A)} tokens of A + {len(B)} of B + 3 special ones = {len(A) + len(B) + 3}")

# %% [markdown]
# A sequence has a maximum length. A pair that is longer must be **truncated**. Here are three ways:

# %%
def half_each(a, b, room):
    return a[:room // 2], b[:room - room // 2]

def second_only(a, b, room):
    return a[:room], b[:max(0, room - len(a))]

CUTS = {"longest first": truncate_pair, "the second only": second_only, "half each": half_each}
print(inspect.getsource(truncate_pair))

# %% [markdown]
# The question is A, the passage is B, and the maximum length is now 14.

# %% jupyter={"source_hidden": true}
GuessBars(f"14 tokens, 3 of them special. How many of the question's {len(A)} tokens does each way keep?",
          list(CUTS), lambda: [len(cut(A, B, 14 - 3)[0]) for cut in CUTS.values()], top=12, within=1,
          axis="tokens of the question")

# %% [markdown]
# Try all three ways, and other lengths. Then put the passage first: which way is now a disaster?

# %% jupyter={"source_hidden": true}
from minibert.viz.model_input import input_table

def draw_row(cut, length, swapped):
    first, second = (B, A) if swapped else (A, B)
    a, b = CUTS[cut](first, second, length - 3)
    batch = collate([(a, b)], Specials(), length=length)
    tokens = [vocab[i] for i in batch.input_ids[0]]
    said = f"{cut}: {len(a)} of {len(first)} tokens of A and {len(b)} of {len(second)} of B are kept; {(~batch.real).sum()} [PAD]."
    return input_table(tokens, batch.token_type_ids[0].tolist(), batch.real[0].tolist(), said)

Explorer(draw_row, cut=widgets.Dropdown(options=list(CUTS), description="Cut"),
         length=widgets.BoundedIntText(24, min=5, max=60, description="Length"),
         swapped=widgets.Checkbox(False, description="B first"))

# %% [markdown]
# *Longest first* keeps the shorter text whole as long as it can, whether it is A or B. (Truncation can lose an answer at
# the end of a long passage, so lesson 7 reads it in parts.)
#
# **Segments.** Why mark A and B, when `[SEP]` stands between them? In pretraining, BERT also learns **next sentence
# prediction** (lesson 4): does B follow A? Segment embeddings mark every token as A or B. **RoBERTa** dropped that
# task and trained on running text, so that every token is in segment A. A segment embedding that is the same for every
# token can just as well be added to the word table, once and for all:

# %%
one_segment = np.zeros_like(types)
folded = {**tables, "word.weight": tables["word.weight"] + tables["token_type.weight"][0],
          "token_type.weight": np.zeros((2, D))}
gap = abs(embeddings(ids[None], one_segment[None], tables) - embeddings(ids[None], one_segment[None], folded)).max()
assert gap < 1e-12
print(f"segment embedding added to each token, or to the word table: the vectors differ by {gap:.0e}, a rounding error")

# %% [markdown]
# So RoBERTa lost nothing by dropping segments. When it later reads pairs, separators and positions tell the two apart,
# and fine-tuning teaches it the rest. And dropping the task did not hurt, either (Liu et al., section 4.2, table 2; same
# model size, same data). The scores, in percent, are for answering questions (SQuAD), comparing two sentences (MNLI) and
# reading exams (RACE):
#
# | training sequences | SQuAD 2.0, F1 | MNLI, accuracy | RACE, accuracy |
# |---|---|---|---|
# | pairs of segments, with next sentence prediction (as in BERT) | 78.7 | 84.0 | 64.2 |
# | running text across documents, without the task | 79.1 | 84.7 | 64.8 |
# | running text within one document, without the task | 79.7 | 84.7 | 65.6 |

# %% [markdown]
# ## 9 · Padding, and who pays for it
#
# A batch is a rectangle: the shorter sequences are filled up with `[PAD]` to the length of the longest. This is
# **padding**. First the good news: padding changes nothing if no token may attend to it. The **attention mask** sees to
# that. In Hugging Face's API, `attention_mask` is 1 for a token of the text and 0 for padding; here `batch.real` is True
# and False, and `visible_all` repeats it for every query. We try it on a small encoder with random weights.

# %%
from minibert.batch import visible_all
from minibert.config import ModelConfig
from minibert.reference import encoder, encoder_shapes, init_weights

config = ModelConfig(len(vocab), hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=64,
                     max_position_embeddings=64)
weights = init_weights(encoder_shapes(config), 0.5, np.random.default_rng(0))

def read(batch, visible):
    return encoder(batch.input_ids, visible, batch.token_type_ids, weights, config)["hidden"]      # (B, T, D)

# %% [markdown]
# We compare the question alone with the question and 20 `[PAD]`, with and without the mask:

# %%
alone, padded = collate([(A, None)], Specials()), collate([(A, None)], Specials(), length=len(A) + 22)
truth, T = read(alone, visible_all(alone.real)), alone.input_ids.shape[1]
for name, visible in (("with", visible_all(padded.real)), ("without", visible_all(np.ones_like(padded.real)))):
    print(f"{name:7s} the mask, the question's vectors change by up to {abs(read(padded, visible)[:, :T] - truth).max():.1g}")

# %% [markdown]
# The first number is a rounding error. The bad news: padding is computed all the same. Take 200 stories in batches of
# 32, each batch as long as its longest story.

# %%
lengths = np.array([len(tokenizer.encode(text).ids) + 2 for text in stories[:200]])
print(f"{len(lengths)} stories of {lengths.min()} to {lengths.max()} tokens, median {np.median(lengths):.0f}")

# %% [markdown]
# Matrix products are computed for every token, attention scores for every pair of tokens in a sequence:

# %%
def batches_of(lengths, size):
    return [lengths[i:i + size] for i in range(0, len(lengths), size)]

def cost(order, size, fixed=None):
    """(share of padding, tokens, attention scores), the last two as multiples of what they are without padding."""
    widths = np.concatenate([np.full(len(part), fixed or part.max()) for part in batches_of(order, size)])      # (rows,)
    return 1 - lengths.sum() / widths.sum(), widths.sum() / lengths.sum(), (widths ** 2).sum() / (lengths ** 2).sum()

# %% [markdown]
# The stories can be batched as they come, or sorted first, so that each batch holds stories of similar length.

# %% jupyter={"source_hidden": true}
def price_of_padding():
    lines = []
    for name, *arguments in (("as they come", lengths, 32), ("similar lengths", np.sort(lengths), 32),
                             ("all of length 512", lengths, 32, 512)):
        share, tokens, scores = cost(*arguments)
        lines.append(f"{name:17s} {share:4.0%} padding; tokens × {tokens:.2f}, attention scores × {scores:.2f}")
    lines = "\n".join(lines)
    return f'<p>What it costs, compared with no padding:</p><pre style="white-space:pre-wrap">{lines}</pre>'

GuessBars("What percentage of all tokens is padding, in batches of 32?", ["as they come", "similar lengths together"],
          lambda: [100 * cost(order, 32)[0] for order in (lengths, np.sort(lengths))], top=100, within=8,
          axis="padding", unit="%", see=price_of_padding)

# %% [markdown]
# A single sequence needs no padding, unless all are as long as 512. Make the batch larger: orange is padding.

# %% jupyter={"source_hidden": true}
from minibert.viz.model_input import padding_maps

def draw_padding(size):
    orders = {"as they come": lengths, "similar lengths": np.sort(lengths)}
    maps = {name: np.arange(lengths.max()) < order[:size, None] for name, order in orders.items()}      # (B, T)
    maps = {name: real[:, :real.sum(1).max()] for name, real in maps.items()}
    maps["all as long as 512"] = np.arange(512) < lengths[:size, None]
    return padding_maps(maps, f"The first batch of {size}: {1 - maps['as they come'].mean():.0%} padding as they come, "
                              f"{1 - maps['similar lengths'].mean():.0%} when sorted")

Explorer(draw_padding, size=widgets.Dropdown(options=[1, 4, 16, 32, 100], description="Batch size"))

# %% [markdown]
# The short sequences pay for the long ones. After sorting, the order is no longer random, so one shuffles the batches
# instead of the stories (lesson 5). In pretraining, BERT fills its sequences with sentence after sentence, so there is
# little to pad. And 90% of its steps use sequences of 128 tokens, because attention costs the square of the length
# (Devlin et al., appendix A.2).
#
# <details><summary><b>Why pad at all, and not read each text alone?</b></summary>
#
# A processor with thousands of arithmetic units is fast at one large product, not at thirty small ones. A batch with a
# little padding is far quicker than many texts one after the other.
# </details>

# %% [markdown]
# ## 10 · In real English
#
# All our vocabularies were small. The one at the top of this lesson is BERT's own, made at Google for English. (If the
# course's own model took its place there, you now compare two vocabularies of ours.)
#
# **Guess first.** Write your name into the first box. Into how many pieces will the model's vocabulary cut it? Then try
# long words (*unbelievably*, *electroencephalogram*), names from other countries, and words that are only a few years
# old.

# %% jupyter={"source_hidden": true}
from minibert.viz.guess import CommitFirst

VOCABULARIES = {f"The model's vocabulary, {len(english.tokenizer):,} tokens": english.tokenizer,
                f"Ours from section 2, {len(vocab):,} tokens": tokenizer}

def by_both(text):
    return "".join(f"<b>{name}</b>" + subwords_html(each.encode(text).pieces)
                   for name, each in VOCABULARIES.items())

CommitFirst(lambda text: "<p>How many pieces will it be in the model's vocabulary, all words together?</p>", by_both,
            text=widgets.Text("Zoë Krasniqi-Oyelaran", description="My name", continuous_update=False))

# %% [markdown]
# A name that is cut can still be read, but the whole name has no embedding. The layers have to put it together from its
# pieces, which also occur in other words.
#
# What is in the model's vocabulary:

# %%
def kind(piece):
    if piece.startswith("[") and piece.endswith("]"):
        return "special, or not used"
    return ("continues a word (##)" if piece.startswith("##") and len(piece) > 2 else
            "a single character" if len(piece) == 1 else "a word, or starts one")

for name, n in Counter(map(kind, english.tokenizer.vocab)).most_common():
    print(f"{n:6,} × {name}")

# %% [markdown]
# The single characters, with and without `##`, decide what can be spelled. So here are the ten sentences of section 6
# once more. (In the picture that follows your guess, look for `[UNK]`, too.)

# %% jupyter={"source_hidden": true}
shared["The model's own"] = english.tokenizer

GuessChoice("With the model's own vocabulary, which language takes the most tokens for the ten sentences?",
            list(SENTENCES), lambda: most_tokens("The model's own"), see=lambda: draw_languages("The model's own"))

# %% [markdown]
# `[UNK]` **is** one token for all words that cannot be spelled with the vocabulary's characters, and for words of more
# than 100 characters. It **is not** a rare word: that is spelled with pieces. It is not `[MASK]` either, which asks for a
# word; `[UNK]` says only that something stood here. And it is not an error: nothing warns you.
#
# **Guess first.** How many `[UNK]` will the line below have? Then write lines of your own, in any script and with emoji.

# %%
def what_is_left(text):
    encoding = english.tokenizer.encode(text)
    lost = [text[start:end] for piece, (start, end) in zip(encoding.pieces, encoding.offsets)
            if piece == "[UNK]"]
    said = f"{len(lost)} [UNK]: {', '.join(lost) or 'nothing is lost'}. "
    return subwords_html(encoding.pieces, said + f"Read back: {english.tokenizer.decode(encoding.ids)}")

CommitFirst(lambda text: "<p>How many [UNK] will there be?</p>", what_is_left,
            text=widgets.Text("My cat🐈 likes 我 and a naïve café, чай and 🥖.", description="My line",
                              continuous_update=False, layout={"width": "620px"}))

# %% [markdown]
# <details><summary><b>Why did the line come out like this?</b></summary>
#
# *cat🐈* is one word for the basic tokenizer, since an emoji is not punctuation. So *cat* is lost with its emoji.
# </details>
#
# The next two texts differ only in their emoji. **Guess first.** Will the model predict the same words for both? Then
# write *happy* and *sad* in place of the emoji.

# %% jupyter={"source_hidden": true}
from minibert.viz.guess import guesses_html, sentence_html

def compare(first, second):
    a, b = (english.fill_mask(text)[0] for text in (first, second))
    one, two = (english.tokenizer.encode(text) for text in (first, second))
    said = f"The two texts have {'the same' if one.ids == two.ids else 'different'} ids."
    said += " All that becomes [UNK] looks the same to the model." * (one.ids == two.ids and "[UNK]" in one.pieces)
    return f"{sentence_html(first)}{guesses_html(a)}{sentence_html(second)}{guesses_html(b)}<p>{said}</p>"

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
# Last, a whole input on its way through the model. Beside each token, four bars show the size of the three embeddings of
# section 7 and of their sum. Type texts of your own, with long words in them.

# %%
from minibert.viz import explore

explore(english, "The glassblower opened the [MASK] with her key.", "Then she lit the furnace.")

# %% [markdown]
# ## Check yourself
#
# Run the folded cell and choose.

# %% jupyter={"source_hidden": true}
Quiz([
    Question("The vocabulary has hug, hugg, ##s, ##gy and all letters but y. How is “huggy” split?", [
        Choice("hug ##gy", False,
               "That would work, but greedy matching takes the longest beginning, hugg, and never goes back."),
        Choice("[UNK]", True, "Right: after hugg, there is no ##y, and the whole word is lost."),
        Choice("hugg [UNK]", False, "If any part of a word cannot be matched, the whole word is [UNK]."),
    ]),
    Question("Two letters occur five times each, always side by side. Which score prefers them to a frequent pair?", [
        Choice("Frequency", False, "Five is not much, and frequency asks for nothing else."),
        Choice("Likelihood", True, "Right: 5 / (5 · 5) is large. They are never apart."),
        Choice("Both alike", False, "Frequency does not look at the parts; the likelihood divides by them."),
    ]),
    Question("A vocabulary grows from 1,000 to 4,000 tokens. What happens?", [
        Choice("Each token occurs less often", True, "Right. Sequences also get shorter, and the table larger."),
        Choice("Sequences get four times shorter", False, "Section 5 showed it: the first thousand tokens save most."),
        Choice("There are fewer unknown characters", False, "Both have the same single characters. Merges add no new ones."),
    ]),
    Question("What do position and segment embeddings do to the two “the” of a sequence?", [
        Choice("They make two different vectors of them", True,
               "Right: the same word embedding, another position, perhaps another segment."),
        Choice("Nothing before the first attention", False, "They are added at once, before the first layer."),
        Choice("They replace the word embedding", False, "All three are added."),
    ]),
    Question("Question and passage are too long together. Longest first cuts …", [
        Choice("… each by half", False, "Then a short question would lose words for nothing."),
        Choice("… the passage, later both in turn", True, "Right: in turn once both are equally long."),
        Choice("… [SEP], to make room", False, "The special tokens stay: their room is set aside before."),
    ]),
    Question("Who pays for padding?", [
        Choice("Nobody: it is masked from attention", False,
               "The attention mask keeps it from changing a result. It is computed all the same."),
        Choice("Every shorter sequence of the batch", True, "Right, and in attention with the square of the length."),
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
# - **Subwords** lie between words (there are always new ones) and letters (sequences get far too long).
# - **Training** merges the best pair, again and again. BPE takes the most frequent pair; WordPiece, as usually described,
#   the pair whose parts are most seldom apart, which favours rare pairs.
# - **Reading** is greedy: the longest piece first, and never back. If a part cannot be matched, the word is `[UNK]`.
# - **The basic tokenizer** comes first: lowercase, no accents, Chinese characters and punctuation marks as single words.
# - **Size**: with more tokens, sequences get shorter, the table larger, and each token is seen less often. In a shared
#   vocabulary, languages with little text are cut into many pieces.
# - **BERT's own vocabulary** keeps frequent English words whole and spells the rest. What it cannot spell is `[UNK]`.
# - **Sequences** are `[CLS] A [SEP] B [SEP]`, truncated longest first. **Vectors**: word + position + segment, then
#   LayerNorm.
# - **Segments** that never change do nothing, so RoBERTa dropped them. **Padding** changes no result, but it costs time.
#
# ## Read on
#
# - Devlin et al. (2019), *BERT*, [arXiv 1810.04805](https://arxiv.org/abs/1810.04805): section 3 and figure 2 (input),
#   appendix A.2 (lengths).
# - Sennrich et al. (2016), *Neural Machine Translation of Rare Words with Subword Units*,
#   [arXiv 1508.07909](https://arxiv.org/abs/1508.07909): section 3.2 (byte-pair encoding).
# - Wu et al. (2016), *Google's Neural Machine Translation System*, [arXiv 1609.08144](https://arxiv.org/abs/1609.08144):
#   section 4.1 (WordPiece).
# - Schuster and Nakajima (2012), *Japanese and Korean Voice Search*: section 3, where WordPiece began.
# - Liu et al. (2019), *RoBERTa*, [arXiv 1907.11692](https://arxiv.org/abs/1907.11692): section 4.2 (training
#   sequences, and no next sentence prediction), 4.4 (bytes).
# - Conneau et al. (2020), *XLM-R*, [arXiv 1911.02116](https://arxiv.org/abs/1911.02116): section 3 (100 languages, one
#   vocabulary).
# - In the package: `minibert/tokenizer/`, `minibert/batch.py`, `minibert/reference/encoder.py`.
#
# **Next**: the exercise `exercises/03_input`. You write the tokenizer, its training, the sequences and the
# embeddings; at the end it reads a text of yours exactly as the package does. Then lesson 4: what the model is asked.
