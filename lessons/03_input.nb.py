# %% [markdown]
# # 3 · Input: from text to vectors
#
# *The glassblower's cat sat on the sofa 🛋.* A model cannot read that. It reads numbers, and somebody has to decide
# which: one for each word? For each letter? And what of words that nobody has seen before? This lesson follows a text
# on its way to the first layer of BERT.
#
# **After this lesson you can**
#
# - train a WordPiece vocabulary, join by join, and say how its choice differs from byte-pair encoding's,
# - run the greedy match by hand on any word, with accents, Chinese characters, emoji or unknown letters,
# - say what a vocabulary of 200, 1,000, 4,000 or 30,522 pieces costs, and why a shared one treats some of six languages
#   worse than others,
# - pack one or two texts into a row, cut what is too long, fill up what is too short, and say what both cost,
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
# This is what a model reads in place of your text: pieces, and a number for each. Type anything. Which words stay whole,
# which are cut, and what is the ✗? (Loading takes a few seconds. The vocabulary is that of a published BERT for English; if
# a line says that the course's own model takes its place, it is a small one of ours.)

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
        Choice("The key that fits best", False, "The softmax mixes. It takes a little of every visible value."),
        Choice("The sum of all queries", False, "Queries only ask. What is handed over are the values."),
    ]),
    Question("A row doubles in length. How many scores does one head then compute?", [
        Choice("Twice as many", False, "Every query meets every key, and there are twice as many of both."),
        Choice("Four times as many", True, "Right, T · T of them. Remember it: this lesson makes rows longer and shorter."),
        Choice("As many as before", False, "That would need attention to skip words."),
    ]),
    Question("An encoder without positions reads “dog bites man” and “man bites dog”. What does it see?", [
        Choice("Two different sentences", False, "To attention alone, a sentence is a bag of words."),
        Choice("The same bag of words", True, "Right. So positions are added to the words: section 7 of this lesson."),
        Choice("It fails", False, "It runs well, and that is the trap."),
    ]),
])

# %% [markdown]
# ## 1 · Words, letters, or something between
#
# We need a text to work with: generated stories, and thirty hand-written passages, half of them about the real world.
# Ten more passages are set aside, to be read later: no vocabulary is made from them.

# %%
from minibert.corpora.passages import passages
from minibert.corpora.world import World

stories = [document.text for document in World(7).documents(1500, seed=1)]
prose = [passage.text for passage in passages()]
corpus, held_out = stories + prose[:30], prose[30:]

# %% [markdown]
# `count_words` splits a text into words as BERT does (section 4) and counts them.

# %%
from minibert.tokenizer import count_words

counts = count_words(corpus)        # word -> how often
new = count_words(held_out)
print(f"{counts.total():,} words, {len(counts):,} different ones; the most frequent: {counts.most_common(5)}")

# %% [markdown]
# We look for the words of the ten passages that have never occurred in our corpus.

# %%
unseen = [word for word in new if word not in counts]

# %% [markdown]
# A word counts once here, however often it occurs.

# %% jupyter={"source_hidden": true}
from minibert.viz.guess_then_see import GuessBars, GuessChoice, GuessCurve, GuessNumber, my_guesses

GuessNumber("What percentage of the different words in the ten passages is new?",
            lambda: 100 * len(unseen) / len(new), within=7, form="{:.0f}%",
            see=lambda: f"<p>{len(unseen)} of {len(new)} are new: {', '.join(unseen[:8])} ...</p>")

# %% [markdown]
# A model that knows whole words only must call each new word `[UNK]`, unknown. And new words never end: names, typing
# errors, *glassblowers* when only *glassblower* was known. Letters can spell them all. But look at the price:

# %%
letters = {letter for word in counts for letter in word}
length = sum(len(word) * n for word, n in new.items()) / new.total()
print(f"whole words:  {len(counts):5,} entries, 1.0 tokens a word, new words unknown")
print(f"letters only: {len(letters):5,} entries, {length:.1f} tokens a word, nothing unknown")
print(f"attention costs the square of the length: {length ** 2:.0f} times as much")

# %% [markdown]
# **Pieces** lie between the two. Frequent words stay whole, rare words are spelled in a few parts, and everything that
# can be spelled can be read. The question is which pieces.
#
# <details><summary><b>Why not simply a larger dictionary?</b></summary>
#
# Every entry has a row of 768 numbers in BERT-base, and a rare word is met too seldom to learn its row. *hug*, *hugs*,
# *hugged* and *hugging* would be four strangers. Pieces share: `hug` is learned from all four.
# </details>

# %% [markdown]
# ## 2 · Training, join by join
#
# A vocabulary is trained like this (Sennrich et al., section 3.2; Schuster and Nakajima, 2012):
#
# 1. Begin with single characters. All but the first of a word are written with `##`: *cook* is `c ##o ##o ##k`.
# 2. Give every pair of neighbours a score. Join the best pair to a new piece, everywhere.
# 3. Repeat until the vocabulary is as large as you want it.
#
# The algorithms differ only in the score. We try three of them on seven words:

# %%
TOY = {"book": 12, "cook": 10, "look": 6, "cooks": 4, "moon": 4, "queen": 3, "quilt": 2}      # word: how often

# %% [markdown]
# - **frequency**: how often the pair occurs. That is *byte-pair encoding* (BPE).
# - **likelihood**: that number, divided by how often the left piece occurs and by how often the right one does. That is
#   how *WordPiece* is mostly described: how much more often do the two meet than by chance?
# - **gain**: how often the pair occurs, times the logarithm of how much more often that is than by chance. That is
#   roughly how much likelier the join makes the whole text. Schuster and Nakajima put it that way.

# %%
import math
from minibert.tokenizer.train import SCORES, Pairs

size = sum(len(word) * n for word, n in TOY.items())      # pieces in the corpus at the beginning
RULES = {**SCORES, "gain": lambda pair, left, right, size=size: pair * math.log(size * pair / (left * right))}

# %% [markdown]
# Look at the counts of the seven words. What is frequent, and what is hardly ever apart?

# %% jupyter={"source_hidden": true}
def first_joins():
    lines = []
    for score, rule in RULES.items():
        state = Pairs(TOY, rule)
        pair = state.best()
        apart = " and ".join(str(state.pieces[piece]) for piece in pair)
        first = f"{' + '.join(pair)}, {state.pairs[pair]} times together (left and right: {apart} times in all)"
        joins = [state.merge(*pair), *(state.merge(*state.best()) for _ in range(7))]
        lines.append(f"{score}: {first}\n    {' '.join(joins)}")
    lines = "\n".join(lines)
    return ("<p>The first pair by each score, and the first eight joins:</p>"
            f'<pre style="white-space:pre-wrap">{lines}</pre>'
            "<p>Frequency asks how often a pair occurs. The likelihood asks how seldom its parts are apart. Two "
            "letters that occur once each, side by side, score 1 / (1 · 1) = 1, the largest score there is. A pair that "
            "occurs ten times cannot score more than 10 / (10 · 10) = 0.1. So the likelihood finds what <i>belongs "
            "together</i>, and never asks whether that is worth a place in the vocabulary. The gain weighs both.</p>")

GuessChoice("Which pair does the likelihood join first?", ["##o + ##o", "##o + ##k", "##i + ##l", "q + ##u"],
            lambda: " + ".join(Pairs(TOY, RULES["likelihood"]).best()), see=first_joins)

# %% [markdown]
# Step through the joins, and change the score.

# %% jupyter={"source_hidden": true}
from minibert.viz.wordpiece import merge_view
from minibert.viz.stepper import Stepper

def draw_join(score, step):
    state = Pairs(TOY, RULES[score])
    done = [state.merge(*state.best()) for _ in range(step - 1)]
    table = [(*pair, n, state.pieces[pair[0]], state.pieces[pair[1]]) for pair, n in state.pairs.items() if n]
    table = sorted(((*row, RULES[score](*row[2:])) for row in table), key=lambda row: (-row[5], row[:2]))
    best = table[0][:2]
    said = f"Join {step}, by {score}: {best[0]} and {best[1]}. Joined so far: {', '.join(done) or 'nothing'}."
    return merge_view(list(zip(TOY.values(), state.words)), table, best, said)

Stepper(draw_join, 11, score=widgets.Dropdown(options=list(RULES), description="Score"))

# %% [markdown]
# Now the whole corpus. We train two vocabularies of 2,000 pieces, by frequency and by likelihood, and count how many
# pieces each needs for a word of the ten passages.

# %%
from minibert.tokenizer import WordPiece, train_wordpiece
from minibert.viz.explorer import View
from minibert.viz.plots import bars

def pieces_a_word(tokenizer):
    return sum(len(tokenizer.match(word)) * n for word, n in new.items()) / new.total()

by_score = {score: pieces_a_word(WordPiece(train_wordpiece(counts, 2000, score))) for score in SCORES}

# %% [markdown]
# Both are counted, and wait for your guess.

# %% jupyter={"source_hidden": true}
def compare_scores():
    best = min(by_score, key=by_score.get)
    said = ", ".join(f"{pieces:.2f} by {score}" for score, pieces in by_score.items())
    return bars(list(by_score), list(by_score.values()), "pieces a word, on the passages set aside",
                f"Pieces a word, with 2,000 pieces each: {said}", chosen=list(by_score).index(best))

GuessChoice("Which score makes the vocabulary that needs fewer pieces for a word?", list(by_score),
            lambda: min(by_score, key=by_score.get), see=compare_scores)

# %% [markdown]
# From here on we use one vocabulary of 4,000 pieces. Its beginning, middle and end:

# %%
vocab = train_wordpiece(counts, 4000)
print("0 to 8:     ", *vocab[:9])
print("the first joins:", *vocab[vocab.index("##he"):][:12])
print("the last joins: ", *vocab[-8:])

# %% [markdown]
# The special tokens come first, then every character with and without `##`, then the joins. A piece's **id** is its
# place in this list. Frequent endings come early (`##er`, `##ed`), whole words follow. At the end are words that occur
# only a few times.
#
# <details><summary><b>Why are several scores called WordPiece?</b></summary>
#
# Google published BERT's vocabulary and the code that reads it, but never the program that made it. What the papers say
# fits more than one formula. The `tokenizers` library trains its WordPiece by frequency; so does our package, unless
# told otherwise.
# </details>

# %% [markdown]
# ## 3 · Reading a word: greedy
#
# For reading, the joins are forgotten. BERT takes the **longest** piece that begins the word, then the longest one that
# can follow, and never goes back. This is the package's own code:

# %%
import inspect

print(inspect.getsource(WordPiece.match))

# %% [markdown]
# The same, with every try written down:

# %%
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

# %% [markdown]
# **Guess first.** How does *unbakeable* fall apart? Step until you know. Then type words of your own: long ones,
# invented ones, one with a letter that no English text has.

# %%
from minibert.viz.wordpiece import match_view

def draw_match(word, step):
    words = tokenizer.basic.split(word)
    if not words:
        raise ValueError("type a word: there is none yet")
    word = words[0].text
    return match_view(word, tries_of(word), [piece for piece, _, _ in tokenizer.match(word)], step)

Stepper(draw_match, 60, word=widgets.Text("unbakeable", description="My word", continuous_update=False))

# %% [markdown]
# Four more words:

# %%
for word in ("cat", "glassblowers", "xylophonist", "catø"):
    pieces = [piece for piece, _, _ in tokenizer.match(word)]
    print(f"{word:13s} {len(tries_of(word)):3d} tries   {' '.join(pieces)}")

# %% [markdown]
# One letter outside the alphabet makes the **whole word** `[UNK]`: *catø* loses even its cat.
#
# Greedy is quick, but not always shortest. Trying all splits tells how few pieces would do:

# %%
def fewest(word):
    best = [0] + [math.inf] * len(word)                                  # best[i]: pieces for the first i letters
    for end in range(1, len(word) + 1):
        best[end] = min(best[start] + 1 for start in range(end) if ("##" if start else "") + word[start:end] in tokenizer.ids
                        or start == end - 1)
    return best[-1]

# %% [markdown]
# We compare the two for all words of the ten passages that are split.

# %%
split = [word for word in new if len(tokenizer.match(word)) > 1]
worse = [word for word in split if len(tokenizer.match(word)) > fewest(word)]

# %% [markdown]
# How good is greedy?

# %% jupyter={"source_hidden": true}
def too_many():
    splits = {word: " ".join(piece for piece, _, _ in tokenizer.match(word)) for word in worse[:4]}
    lines = "".join(f"<li>{word}: {pieces}, and {fewest(word)} would do</li>" for word, pieces in splits.items())
    return f"<p>{len(worse)} of {len(split)} split words have more pieces than needed, for example:</p><ul>{lines}</ul>"

GuessNumber("Of 100 words that are split, how many have more pieces than needed?",
            lambda: 100 * len(worse) / len(split), within=5, form="{:.0f}", see=too_many)

# %% [markdown]
# BPE reads differently: it keeps the joins and repeats them in their order. Trained on the same corpus, with as many
# joins, it sometimes splits in another way (`</w>` marks the end of a word there):

# %%
from minibert.tokenizer import BPE, train_bpe

bpe = BPE(*train_bpe(counts, sum(len(piece.removeprefix("##")) > 1 for piece in vocab[5:])))
for word in ("unbakeable", "glassblowers", "storytelling", "waterway"):
    print(f"{word:13s} WordPiece: {' '.join(p for p, _, _ in tokenizer.match(word)):26s} "
          f"BPE: {' '.join(p for p, _, _ in bpe.match(word))}")

# %% [markdown]
# <details><summary><b>Why does nobody search for the best split?</b></summary>
#
# Some do: SentencePiece's unigram model takes the likeliest one. For WordPiece the rule itself matters less than that it
# is always the same: the model learns what these pieces mean, whichever they are.
# </details>

# %% [markdown]
# ## 4 · Before the pieces: Unicode
#
# The match gets single words. Making words of a text is the job of the **basic tokenizer**, and most surprises happen
# there. It drops control characters, sets Chinese characters apart, splits at spaces, makes letters lowercase, strips
# accents, and sets punctuation apart. It has to cope with lines like these:

# %% jupyter={"source_hidden": true}
CASES = {
    "чай": "Russian: tea",
    "한국": "Korean: Korea",
    "Café": "one sign for é",
    "Cafe\u0301": "e, and an accent of its own: looks the same",
    "schon schön": "German: already, beautiful",
    "don't pay $3.50!": "signs",
    "我爱猫": "Chinese: I love cats",
    "カタカナ": "Japanese syllables",
    "שלום": "Hebrew, from right to left",
    "हिन्दी": "Hindi: its own name",
    "cat🐈": "an emoji",
    "👩\u200d🌾": "one farmer: woman, invisible joiner, ear of rice",
    "zero\u200bwidth": "an invisible space in the middle",
    "ﬁsh": "fi as one sign",
}

# %% [markdown]
# Then the pieces of our vocabulary are matched.

# %% jupyter={"source_hidden": true}
def all_cases():
    lines = []
    for text, told in CASES.items():
        words = " | ".join(word.text for word in tokenizer.basic.split(text))
        lines.append(f"{text}  →  {words}  →  {' '.join(tokenizer.encode(text).pieces)}   ({told})")
    lines = "\n".join(lines)
    return ("<p>What the alphabet of the training text does not have is [UNK], in whatever script.</p>"
            f'<pre style="white-space:pre-wrap">{lines}</pre>')

GuessNumber(f"In how many of these {len(CASES)} lines does a word become [UNK]?",
            lambda: sum("[UNK]" in tokenizer.encode(text).pieces for text in CASES), within=2, see=all_cases)

# %% [markdown]
# What the basic tokenizer makes of them:
#
# - *schon* and *schön* become one word, and the Russian *tea* becomes *teas*: й without its hook is и. What an accent
#   means is lost; so uncased models suit English best. In Hindi, some signs count as accents and go.
# - Korean syllables are taken apart into their letters. Chinese characters are set apart, Japanese syllables are not.
# - Hebrew needs nothing special: a text is stored in reading order, first letter first. Only the screen turns it round.
# - The invisible joiner is a control character and goes; the farmer becomes a woman and an ear of rice.
#
# Now you. Paste anything: your name, your language, your emoji.

# %% jupyter={"source_hidden": true}
import unicodedata
from minibert.tokenizer import BasicTokenizer
from minibert.viz.wordpiece import subwords_html

def draw_text(text, uncased):
    words = [word.text for word in BasicTokenizer(lower_case=uncased).split(text)]
    pieces = [piece for word in words for piece, _, _ in tokenizer.match(word)]
    odd = [unicodedata.name(c, "a control character").lower() for c in text if ord(c) > 127]
    said = f"{len(text)} characters, {len(words)} words, {len(pieces)} pieces."
    return subwords_html(pieces, f"{said} Beyond ASCII: {', '.join(odd[:6]) or 'nothing'}.")

Explorer(draw_text, text=widgets.Text("Zoë's naïve piñata 🪅 doesn't burst", description="My text", continuous_update=False,
                                      layout={"width": "620px"}),
         uncased=widgets.Checkbox(True, description="Lowercase, no accents"))

# %% [markdown]
# (Untick the box: our pieces were made of lowercase letters without accents, so every word with a capital or an accent is
# `[UNK]`. A *cased* model has its own vocabulary.)
#
# <details><summary><b>Why is an emoji [UNK], and not spelled like a rare word?</b></summary>
#
# A word is spelled with the characters of the alphabet, and the alphabet holds what occurred in the training text. No
# emoji there, no emoji in the vocabulary. GPT-2 begins with the 256 bytes instead of characters, so everything can be
# spelled, and nothing is ever unknown.
# </details>

# %% [markdown]
# ## 5 · How large a vocabulary?
#
# Joins are made one after the other, so a smaller vocabulary is the beginning of a larger one. That makes it easy to
# compare sizes:

# %%
SIZES = [200, 500, 1000, 2000, 4000]
assert train_wordpiece(counts, 1000) == vocab[:1000]
sizes_words = [pieces_a_word(WordPiece(vocab[:size])) for size in SIZES]

# %% [markdown]
# A larger vocabulary makes the text shorter. By how much?

# %% jupyter={"source_hidden": true}
from collections import Counter
import numpy as np

def saved():
    each = dict(zip(SIZES, sizes_words))
    more = (each[200] / each[4000]) ** 2
    return (f"<p>From 200 to 1,000 pieces, a word gets shorter by {each[200] - each[1000]:.2f} pieces; from 1,000 to "
            f"4,000 by {each[1000] - each[4000]:.2f}. Attention pays for the square of the length: with 200 pieces "
            f"{more:.1f} times as much as with 4,000.</p>")

GuessCurve("How many pieces does a word take with each vocabulary?", [f"{size:,}" for size in SIZES],
           lambda: sizes_words, top=4, within=0.25, axis="pieces a word", along="pieces in the vocabulary (log scale)",
           at=np.log(SIZES), see=saved)

# %% [markdown]
# The price is the embedding table. With 768 numbers for each piece, this is its part of a model of BERT-base's size
# (30,522 pieces are BERT's own; our corpus is too small for so many):

# %%
from minibert.config import count_parameters, preset

for size in [*SIZES, 30522]:
    parts = count_parameters(preset("base", vocab_size=size))
    table = parts["word embeddings"]
    print(f"{size:6,} pieces: {table:>10,} weights, {table / sum(parts.values()):5.1%} of the model")

# %% [markdown]
# Long rows are paid for in every layer and at every reading, the table only once. But each piece must also be **met**
# often enough to learn its row:

# %%
def times_met(size):
    met = Counter()
    for word, n in counts.items():
        met.update({piece: n for piece, _, _ in WordPiece(vocab[:size]).match(word)})
    return np.array([met[piece] for piece in vocab[5:size]])

for size in (200, 1000, 4000):
    met = times_met(size)
    print(f"{size:5,} pieces: met {np.median(met):5.0f} times in the median; {(met < 5).mean():3.0%} of them fewer than 5 times")

# %% [markdown]
# <details><summary><b>Why 30,522?</b></summary>
#
# The paper says a vocabulary of 30,000 (section 3); the released file has 30,522 lines, 999 of them special or unused.
# Nobody tuned the number finely. Small models and small texts want fewer: our class model has 4,000.
# </details>

# %% [markdown]
# ## 6 · One vocabulary, six languages
#
# Multilingual models share one vocabulary. What does that do to each language? Here are ten sentences of our own, each
# in six languages: the same ten thoughts. (The cell is folded.)

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
# Three vocabularies of 500 pieces each, from these sentences, mixed in three ways. (Measured on the very sentences they
# were made from: that flatters all of them alike, and shows who gets the room.)

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

# %% [markdown]
# (The shares of the web are invented, but as lopsided as the real ones.) Each vocabulary now reads the ten sentences:

# %% jupyter={"source_hidden": true}
def most_pieces(mix):
    return max(SENTENCES, key=lambda language: len(shared[mix].encode(SENTENCES[language]).ids))

def draw_languages(mix):
    encoded = {language: shared[mix].encode(text) for language, text in SENTENCES.items()}
    lengths = [len(encoding.ids) for encoding in encoded.values()]
    lost = {language: encoding.pieces.count("[UNK]") / len(set(encoding.words)) for language, encoding in encoded.items()}
    labels = [f"{language}, {lost[language]:.0%} [UNK]" if lost[language] else language for language in encoded]
    most = int(np.argmax(lengths))
    gone = [language for language, share in lost.items() if share > 0.5]
    kept = [length for language, length in zip(encoded, lengths) if language not in gone]
    title = (f"{mix}: the same ten sentences take {min(kept)} to {max(kept)} pieces, most in {list(encoded)[most]}"
             + f"; {' and '.join(gone)} can hardly be read" * bool(gone))
    return bars(labels, lengths, "pieces for the ten sentences", title, most, form="{:.0f}")

# %% [markdown]
# The mix *as on the web* holds all six languages, with English far ahead.

# %% jupyter={"source_hidden": true}
GuessChoice("The mix is “as on the web”. Which language takes the most pieces for the ten sentences?", list(SENTENCES),
            lambda: most_pieces("as on the web"), see=lambda: draw_languages("as on the web"))

# %% [markdown]
# Compare the three mixes. With *English only*, which languages become `[UNK]` altogether, and which are merely chopped
# up?

# %%
Explorer(draw_languages, mix=widgets.Dropdown(options=list(MIXES), description="Mix"))

# %% [markdown]
# Few pieces are no good sign where they are `[UNK]`: nothing is left of the sentence. Once all alphabets are in, the
# room for joins decides. One sentence, three ways:

# %%
View("".join(f"<b>{mix}</b>" + subwords_html(shared[mix].encode("Koira nukkuu keittiön pöydän alla.").pieces) for mix in MIXES))

# %% [markdown]
# *The dog sleeps under the kitchen table*, in Finnish. A language that is chopped up pays three times: longer rows (and
# attention pays for the square), less text in a row of 512, and pieces that mean little by themselves.
#
# And an alphabet takes room of its own:

# %%
def script(piece):
    return unicodedata.name(piece.removeprefix("##")[0], "sign").split()[0].title()

singles = Counter(script(piece) for piece in shared["all alike"].vocab[5:] if len(piece.removeprefix("##")) == 1)
print(f"{singles.total()} of 500 places are single characters:", ", ".join(f"{name} {n}" for name, n in singles.most_common(3)))

# %% [markdown]
# Ten Chinese sentences alone need more places than the letters of the four languages in Latin script, which are there
# both with and without `##`.
#
# <details><summary><b>Why not give each language the same share?</b></summary>
#
# Then rare languages get pieces that are seldom met, and English pays for it. Real models take a middle way. XLM-R
# raises each language's share to the power of 0.3, makes these sum to 1, and draws the languages accordingly. It has
# 250,000 pieces (Conneau et al., 2020).
# </details>
#
# This is what different powers make of our invented shares:

# %%
share = np.array(list(MIXES["as on the web"].values())) / sum(MIXES["as on the web"].values())
for power in (1.0, 0.7, 0.3, 0.0):
    drawn = share ** power / (share ** power).sum()
    print(f"to the power {power}: " + ", ".join(f"{name} {x:.0%}" for name, x in zip(MIXES["as on the web"], drawn)))

# %% [markdown]
# ## 7 · Three embeddings, one vector
#
# Now ids become vectors. For each token BERT looks up **three** rows and adds them: one for the piece, one for its
# position, one for its segment (section 8). Our tables have 10 columns, so that you can read them; BERT-base has 768.

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
# The package's own code, in two lines and a LayerNorm:

# %%
from minibert.reference import embeddings, layer_norm

print(inspect.getsource(embeddings))

# %% [markdown]
# **Guess first.** *the* stands at place 1 and at place 5. Which of its three rows are the same in both? Then look at
# both. Blue is positive, red negative, and every number is written in its cell.

# %%
from minibert.viz.model_input import embedding_sum

def draw_embedding(token):
    parts = {f"word “{ROW[token]}”": tables["word.weight"][ids[token]], f"position {token}": tables["position.weight"][token],
             f"segment {'AB'[types[token]]}": tables["token_type.weight"][types[token]]}
    total = sum(parts.values())                                          # (D,)
    normed = embeddings(ids[None], types[None], tables)[0, token]        # (D,)
    title = f"“{ROW[token]}” at place {token}, in segment {'AB'[types[token]]}: three rows, added"
    return embedding_sum(parts, total, normed, title)

Explorer(draw_embedding, token=widgets.Dropdown(options=[(f"{t}: {token}", t) for t, token in enumerate(ROW)], value=1,
                                                description="Token"))

# %% [markdown]
# Added by hand, the rows give what the package gives. And the two *the* enter the first layer as two vectors:

# %%
x = embeddings(ids[None], types[None], tables)[0]                        # (T, D)
by_hand = tables["word.weight"][ids] + tables["position.weight"][:len(ids)] + tables["token_type.weight"][types]
assert np.allclose(x, layer_norm(by_hand, {"weight": np.ones(D), "bias": np.zeros(D)}))
print(f"the two “the” differ by up to {abs(x[1] - x[5]).max():.2f}; by hand and by the package, all {x.size} numbers agree")

# %% [markdown]
# What the three cost in BERT-base:

# %%
parts = count_parameters(preset("base"))
for name in ("word embeddings", "position embeddings", "segment embeddings"):
    print(f"{name:20s} {parts[name]:>10,}")

# %% [markdown]
# <details><summary><b>Why add them, and not write them side by side?</b></summary>
#
# Side by side, either each would have its own part of the 768 columns for ever, or every later matrix would have to be
# wider. Added, they share the room as training likes.
# </details>
#
# <details><summary><b>Why can BERT not read 513 tokens?</b></summary>
#
# The position table has 512 rows, and no formula tells what the next one would be. Longer texts are cut, or read in
# overlapping parts (lesson 7).
# </details>

# %% [markdown]
# ## 8 · Rows: [CLS] A [SEP] B [SEP]
#
# Every row of BERT looks like this. `[CLS]` opens it; what the last layer says there is used to classify the whole row
# (lesson 6). `[SEP]` ends each segment. Two segments are a question and a passage, or two sentences to compare; one text
# is a row with A alone.

# %%
from minibert.batch import Specials, collate
from minibert.reference.packing import truncate_pair

A = tokenizer.encode("Where did the baker buy the flour?").ids
B = tokenizer.encode("The baker got up early. She went to the mill by the river, bought flour, and carried it home "
                     "in the rain.").ids
print(len(A), "and", len(B), "tokens, and three special ones:", len(A) + len(B) + 3)

# %% [markdown]
# A row has a largest length. What to do when a pair is too long? Three ways to cut:

# %%
def half_each(a, b, room):
    return a[:room // 2], b[:room - room // 2]

def second_only(a, b, room):
    return a[:room], b[:max(0, room - len(a))]

CUTS = {"longest first": truncate_pair, "the second only": second_only, "half each": half_each}
print(inspect.getsource(truncate_pair))

# %% [markdown]
# Our question is A, the passage is B, and a row now has 14 places.

# %% jupyter={"source_hidden": true}
GuessBars(f"14 places, 3 of them for special tokens. How many of the question's {len(A)} tokens does each cut leave?",
          list(CUTS), lambda: [len(cut(A, B, 14 - 3)[0]) for cut in CUTS.values()], top=len(A), within=1,
          axis="tokens of the question")

# %% [markdown]
# Try all three cuts, and other lengths. Then put the passage first: which cut is now a disaster?

# %% jupyter={"source_hidden": true}
from minibert.viz.model_input import input_table

def draw_row(cut, length, swapped):
    first, second = (B, A) if swapped else (A, B)
    a, b = CUTS[cut](first, second, length - 3)
    batch = collate([(a, b)], Specials(), length=length)
    tokens = [vocab[i] for i in batch.input_ids[0]]
    said = f"{cut}: {len(a)} of {len(first)} tokens of A and {len(b)} of {len(second)} of B are left; {(~batch.real).sum()} [PAD]."
    return input_table(tokens, batch.token_type_ids[0].tolist(), batch.real[0].tolist(), said)

Explorer(draw_row, cut=widgets.Dropdown(options=list(CUTS), description="Cut"),
         length=widgets.BoundedIntText(24, min=5, max=60, description="Length"),
         swapped=widgets.Checkbox(False, description="B first"))

# %% [markdown]
# Longest first keeps the short one whole as long as it can, whichever comes first. (When the answer may stand at the
# end of a long passage, cutting is wrong altogether: lesson 7 reads it in parts.)
#
# **Segments.** Why tell A from B, when `[SEP]` stands between them? BERT's authors wanted to be sure: in next sentence
# prediction (lesson 4) the whole question is how A and B fit together. **RoBERTa** dropped that task, and trained on rows
# of running text. Then every token is in segment A, always. A segment row that is added to every token can just as well
# be added into the word table, once and for all:

# %%
one_segment = np.zeros_like(types)
folded = {**tables, "word.weight": tables["word.weight"] + tables["token_type.weight"][0],
          "token_type.weight": np.zeros((2, D))}
gap = abs(embeddings(ids[None], one_segment[None], tables) - embeddings(ids[None], one_segment[None], folded)).max()
assert gap < 1e-12
print(f"with the segment row, or with it added into the word table: the vectors differ by {gap:.0e}")

# %% [markdown]
# So RoBERTa lost nothing by dropping segments. When it later reads pairs, separators and positions tell the two apart,
# and fine-tuning teaches it the rest. What it found by dropping the task (Liu et al., section 4.2, table 2; same model
# size, same data):
#
# | rows | SQuAD 2.0, F1 | MNLI | RACE |
# |---|---|---|---|
# | pairs of segments, with next sentence prediction (BERT's way) | 78.7 | 84.0 | 64.2 |
# | full rows of running text, without it | 79.1 | 84.7 | 64.8 |
# | the same, rows end with their document | 79.7 | 84.7 | 65.6 |

# %% [markdown]
# ## 9 · Padding, and who pays for it
#
# A batch is a rectangle. Its rows are as long as the longest, and the others are filled up with `[PAD]`. First the good
# news: padding changes nothing, if nobody may look at it. A small encoder with random weights shows it.

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
# The question alone, and the question with 20 places of padding, hidden or not:

# %%
alone, padded = collate([(A, None)], Specials()), collate([(A, None)], Specials(), length=len(A) + 22)
truth, T = read(alone, visible_all(alone.real)), alone.input_ids.shape[1]
for name, visible in (("hidden", visible_all(padded.real)), ("seen", visible_all(np.ones_like(padded.real)))):
    print(f"padding {name}: the real tokens' vectors change by up to {abs(read(padded, visible)[:, :T] - truth).max():.1g}")

# %% [markdown]
# The bad news: it is computed all the same. Take 200 stories in batches of 32, each batch as long as its longest story.

# %%
lengths = np.array([len(tokenizer.encode(text).ids) + 2 for text in stories[:200]])
print(f"{len(lengths)} stories of {lengths.min()} to {lengths.max()} tokens, {np.median(lengths):.0f} in the median")

# %% [markdown]
# Matrix products pay for every token, attention scores for every pair of tokens in a row:

# %%
def batches_of(lengths, size):
    return [lengths[i:i + size] for i in range(0, len(lengths), size)]

def cost(order, size, fixed=None):
    """(share of padding, tokens, attention scores), the last two as multiples of what the real tokens cost."""
    widths = np.concatenate([np.full(len(part), fixed or part.max()) for part in batches_of(order, size)])      # (rows,)
    return 1 - lengths.sum() / widths.sum(), widths.sum() / lengths.sum(), (widths ** 2).sum() / (lengths ** 2).sum()

# %% [markdown]
# The stories can be batched as they come, or sorted first, so that each batch holds stories of similar length.

# %% jupyter={"source_hidden": true}
def price_of_padding():
    lines = []
    for name, *arguments in (("as they come", lengths, 32), ("similar lengths", np.sort(lengths), 32),
                             ("all rows of 512", lengths, 32, 512)):
        share, tokens, scores = cost(*arguments)
        lines.append(f"{name:15s} {share:4.0%} padding; tokens × {tokens:.2f}, attention scores × {scores:.2f}")
    lines = "\n".join(lines)
    return f'<p>What it costs, compared with the real tokens alone:</p><pre style="white-space:pre-wrap">{lines}</pre>'

GuessBars("What percentage of all tokens is padding, in batches of 32?", ["as they come", "similar lengths together"],
          lambda: [100 * cost(order, 32)[0] for order in (lengths, np.sort(lengths))], top=100, within=8,
          axis="padding", unit="%", see=price_of_padding)

# %% [markdown]
# A single row needs no padding. Make the batch larger: orange is what nobody reads.

# %%
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
# The short rows pay for the long ones. When stories are sorted, a batch holds only long or only short ones; so one
# shuffles the batches, not the stories (lesson 5). In pretraining, BERT fills its rows with sentence after sentence, so
# little is left to pad. And it takes rows of 128 for 90% of the steps, because attention costs the square of the length
# (Devlin et al., appendix A.2).
#
# <details><summary><b>Why pad at all, and not read each text alone?</b></summary>
#
# A processor with thousands of arithmetic units wants one large product, not thirty small ones. A batch with a little
# padding is far quicker than many rows one after the other.
# </details>

# %% [markdown]
# ## 10 · In real English
#
# All our vocabularies were small. The one at the top of this lesson is BERT's own, made at Google for English.
# (If the course's own model took its place there, you now compare two vocabularies of ours.)
#
# **Guess first.** Write your name into the first box. Into how many pieces will the model's vocabulary cut it, all its
# words together? Then try long words (*unbelievably*, *electroencephalogram*), names from other countries, and words
# that are only a few years old.

# %%
from minibert.viz.guess import CommitFirst

VOCABULARIES = {f"The model's, {len(english.tokenizer):,} pieces": english.tokenizer,
                f"Ours of section 2, {len(vocab):,} pieces": tokenizer}

def by_both(text):
    return "".join(f"<b>{name}</b>" + subwords_html(each.encode(text).pieces)
                   for name, each in VOCABULARIES.items())

CommitFirst(lambda text: "<p>How many pieces will it be in the model's vocabulary, all words together?</p>", by_both,
            text=widgets.Text("Zoë Krasniqi-Oyelaran", description="My name", continuous_update=False))

# %% [markdown]
# A name that is cut is still read, but no row of the embedding table belongs to the whole name. The layers have to put it
# together from its pieces, which also stand in other words.
#
# The entries of such a vocabulary, by kind:

# %%
def kind(piece):
    if piece.startswith("[") and piece.endswith("]"):
        return "special, or kept free"
    return ("continues a word (##)" if piece.startswith("##") and len(piece) > 2 else
            "a single character" if len(piece) == 1 else "a word, or starts one")

for name, n in Counter(map(kind, english.tokenizer.vocab)).most_common():
    print(f"{n:6,} × {name}")

# %% [markdown]
# The single characters, alone and with ## inside a word, decide what can be spelled. So here are the ten sentences of
# section 6 once more. (In the picture that follows your guess, look for `[UNK]`, too.)

# %% jupyter={"source_hidden": true}
shared["The model's own"] = english.tokenizer

GuessChoice("With the model's own vocabulary, which language takes the most pieces for the ten sentences?",
            list(SENTENCES), lambda: most_pieces("The model's own"), see=lambda: draw_languages("The model's own"))

# %% [markdown]
# **`[UNK]` is** one and the same token for all words that cannot be spelled with the vocabulary's characters (and for words
# of more than 100 characters). **It is not** a rare word: that one is spelled. It is not `[MASK]`, which asks for a
# word: `[UNK]` is an ordinary entry that says *something stood here*. And it is not an error: nothing warns you.
#
# **Guess first.** How many `[UNK]` are in the line below? Then write lines of your own, with your emoji and your scripts.

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
# *cat🐈* is a single word for the basic tokenizer, since an emoji is not punctuation. So the cat is lost with its emoji.
# </details>
#
# The next two texts differ in one emoji. **Guess first.** Will the model say the same words in both? Then write *happy*
# and *sad* in place of the emoji.

# %% jupyter={"source_hidden": true}
from minibert.viz.guess import guesses_html, sentence_html

def compare(first, second):
    a, b = (english.fill_mask(text)[0] for text in (first, second))
    one, two = (english.tokenizer.encode(text) for text in (first, second))
    said = f"The two texts have {'the same' if one.ids == two.ids else 'different'} ids."
    said += " Whatever becomes [UNK] becomes equal." * (one.ids == two.ids and "[UNK]" in one.pieces)
    return f"{sentence_html(first)}{guesses_html(a)}{sentence_html(second)}{guesses_html(b)}<p>{said}</p>"

CommitFirst(lambda first, second: "<p>Type yes or no: will it say the same words in both?</p>", compare,
            first=widgets.Text("I feel 😀 today. I am so [MASK].", description="First",
                               continuous_update=False),
            second=widgets.Text("I feel 😢 today. I am so [MASK].", description="Second",
                                continuous_update=False))

# %% [markdown]
# <details><summary><b>Why not add the emoji to the vocabulary later?</b></summary>
#
# One can. BERT's file has places that are not used, and a new piece can take one of them. But its row in the table is
# untrained, so it means nothing until the model has been trained further on texts that have it.
# </details>

# %% [markdown]
# Last, the way of a whole input through this model. Under each token stand the three embeddings of section 7 and their
# sum. Type texts of your own, with long words in them, and click a token to follow it.

# %%
from minibert.viz import explore

explore(english, "The glassblower greets the [MASK].", "Her furnace is hot.")

# %% [markdown]
# ## Check yourself
#
# Run the folded cell and choose.

# %% jupyter={"source_hidden": true}
Quiz([
    Question("The vocabulary has hug, hugg, ##s, ##gy and all letters but y. How is “huggy” read?", [
        Choice("hug ##gy", False, "It would fit, but greedy takes the longest beginning: hugg. It never goes back."),
        Choice("[UNK]", True, "Right: after hugg, no piece fits ##y, and the whole word is lost."),
        Choice("hugg [UNK]", False, "WordPiece knows no half words: one gap, and all of it is [UNK]."),
    ]),
    Question("Two letters occur five times each, always side by side. Which score likes them better than a frequent pair?", [
        Choice("Frequency", False, "Five is little. Frequency asks how often, and nothing else."),
        Choice("Likelihood", True, "Right: 5 / (5 · 5) is large. They are never apart."),
        Choice("Both alike", False, "Frequency does not look at the parts, the likelihood divides by them."),
    ]),
    Question("A vocabulary grows from 1,000 to 4,000 pieces. What happens?", [
        Choice("Each piece is met less often", True, "Right. Rows also get shorter, and the table larger."),
        Choice("Rows get four times shorter", False, "You saw it: the first thousand pieces save most."),
        Choice("There are fewer unknown characters", False, "The alphabet is in both. Joins add no new characters."),
    ]),
    Question("What do position and segment rows do to the two “the” of a row?", [
        Choice("They make two different vectors of them", True, "Right: same word row, other position, perhaps other segment."),
        Choice("Nothing before the first attention", False, "They are added at once, before the first layer."),
        Choice("They replace the word row", False, "All three are added."),
    ]),
    Question("Question and passage are too long together. Longest first cuts …", [
        Choice("… each by half", False, "Then a short question would lose words for nothing."),
        Choice("… the passage, later both in turn", True, "Right: in turn once both are equally long."),
        Choice("… [SEP], to make room", False, "The special tokens stay: their room is set aside before."),
    ]),
    Question("Who pays for padding?", [
        Choice("Nobody: it is hidden from attention", False, "Hidden means it changes no result. It is computed all the same."),
        Choice("Every shorter row of the batch", True, "Right, and in attention with the square of the length."),
        Choice("The longest row", False, "It has no padding. The others are filled up to its length."),
    ]),
])

# %% [markdown]
# And your guesses:

# %%
my_guesses()

# %% [markdown]
# ## In short
#
# - **Pieces** are between words (never enough of them) and letters (rows far too long).
# - **Training** joins the best pair, again and again. BPE: the most frequent. WordPiece, as told: the one that is most
#   surprising for its parts, which likes rare pairs.
# - **Reading** is greedy: the longest piece first, never back; one gap, and the whole word is `[UNK]`.
# - **Unicode** first: lowercase, no accents, Chinese characters and punctuation alone. What the training text did
#   not have stays unknown.
# - **Size**: more pieces, shorter rows, a larger table, fewer meetings with each. Shared by languages, the rare ones are
#   chopped up.
# - **BERT's own vocabulary** keeps frequent English whole and spells the rest. What it cannot spell is `[UNK]`: one token
#   for all of it, and no warning.
# - **Rows**: `[CLS] A [SEP] B [SEP]`, cut longest first. **Vectors**: word + position + segment, then LayerNorm.
# - **Segments** that never change do nothing, so RoBERTa dropped them. **Padding** changes nothing and costs a lot.
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
# - Liu et al. (2019), *RoBERTa*, [arXiv 1907.11692](https://arxiv.org/abs/1907.11692): section 4.2 (rows, and no next
#   sentence prediction), 4.4 (bytes).
# - Conneau et al. (2020), *XLM-R*, [arXiv 1911.02116](https://arxiv.org/abs/1911.02116): section 3 (100 languages, one
#   vocabulary).
# - In the package: `minibert/tokenizer/`, `minibert/batch.py`, `minibert/reference/encoder.py`.
#
# **Next**: the exercise `exercises/03_input`. You write the tokenizer, its training, the rows and the embeddings; at the
# end it reads a text of yours exactly as the package does. Then lesson 4: what the model is asked.
