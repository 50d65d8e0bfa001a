# %% [markdown]
# # 8 · Tagging: a label for every word
#
# *Ashby moved to Renwick.* One is a person, one is a place; next week it may be the other way round. Finding who and
# what a text talks about is called **named entity recognition**. It is also where the BERT paper asks: must one train
# all of BERT, or is it enough to use its vectors as they are?
#
# **After this lesson you can**
#
# - put labels of words on pieces, and read pieces back as words,
# - read and repair BIO tags, and score them by entity,
# - say why a tagger that is right for most of the words may be worth nothing,
# - fine-tune BERT on 300 sentences, and show that it reads the context and not the name,
# - use BERT as a box of features, in the six ways of its paper, and say what that costs,
# - find the named entities of an English text of your own, and say what a model without capitals cannot tell apart.
#
# **You need** lessons 3 and 7. **Time:** about 70 minutes with guessing and playing; the code alone runs in 30 seconds on two
# cores.
#
# Run the cells in order with Shift + Enter. Where a question waits for your guess, give one: a wrong guess is remembered
# best. Those that begin with **Your guess** are counted, and at the end you see how many came close.

# %% jupyter={"source_hidden": true}
from minibert.viz.here import here

here(8)

# %% [markdown]
# ## The finished thing first
#
# Here is a model that finds who and what an English text talks about, and says what type each of them is. The text is
# invented, in the manner of news. Paste a piece of today's news. What does it miss, and what does it get wrong? (Loading
# takes a few seconds. If a line says that the course's own model takes its place, that one has learned nothing yet and
# tags at random; the one that you teach in section 5 does better.)

# %% jupyter={"source_hidden": true}
import ipywidgets as widgets
import minibert
from minibert.class_model import untaught
from minibert.finetuning.console import types_of
from minibert.finetuning.predict import find_entities
from minibert.viz.entities import entity_lines
from minibert.viz.explorer import Explorer

CONLL = ["O", *(f"{edge}-{kind}" for kind in ("LOC", "MISC", "ORG", "PER") for edge in "BI")]
english = minibert.load("english-ner", instead=untaught("ner", tags=CONLL))
NEWS = ("David Miller, a teacher from London, flew to Germany on Monday. In Berlin he met Anna Schmidt, who "
        "works for Siemens. The German company wants to build a school in New York together with Microsoft, "
        "said Mr Miller.")

# %% [markdown]
# The types are those of the CoNLL-2003 task: people (PER), places (LOC), organisations (ORG) and other names (MISC), such
# as *German*.

# %%
def find_in(tuned, text):
    spans = find_entities(tuned, text)
    return entity_lines([("", text, spans)], types_of(tuned.task), f"Named entities found: {len(spans)}")

Explorer(lambda text: find_in(english, text),
         text=widgets.Textarea(NEWS, description="News", rows=5, continuous_update=False,
                               layout={"width": "95%"}))

# %% [markdown]
# ## Do you remember lesson 7?
#
# Run the folded cell below and choose. You may choose again.

# %% jupyter={"source_hidden": true}
from minibert.viz.quiz import Choice, Question, Quiz

Quiz([
    Question("How many numbers does the span head give for each token?", [
        Choice("Two: one for start, one for end", True, "Right. A linear layer from D numbers to 2."),
        Choice("One for each possible answer", False, "There are far too many spans for that; start and end are scored alone."),
        Choice("One for each word of the vocabulary", False, "That is the head of masked language modelling."),
    ]),
    Question("Why is the best start with the best end not always the best span?", [
        Choice("The end may lie before the start", True, "Right, or so far behind it that no answer is that long."),
        Choice("Their probabilities do not add up to 1", False, "Each softmax adds up to 1; that is not the trouble."),
        Choice("It is always the best", False, "Only where the two happen to fit together."),
    ]),
    Question("A passage is longer than a row. What happens?", [
        Choice("It is cut, and the rest is lost", False, "Then answers in the rest could never be found."),
        Choice("It is read in overlapping windows", True, "Right, and so are long texts in tagging."),
        Choice("The positions are stretched", False, "There is no vector for a position that was never trained."),
    ]),
])

# %% [markdown]
# ## 1 · A language full of names
#
# Our generated language comes with its entities: people, places, organisations, dates. We write two files of it, one to
# learn from, one to be tested on, in the form of the CoNLL-2003 shared task: on each line a word and its tag.

# %%
import tempfile
from pathlib import Path
from minibert.class_model import WORLD_SEED
from minibert.corpora.readers.conll import read_conll
from minibert.corpora.world import World, to_conll

def sentences(count, seed, split):
    path = Path(tempfile.mkdtemp()) / f"{split}.conll"
    path.write_text(to_conll(World(WORLD_SEED).documents(count, seed=seed, split=split)))
    return read_conll(path)

# %% [markdown]
# We learn from 300 labelled sentences. A person can label as many in a day.

# %%
import numpy as np

labelled, test = sentences(120, 2, "train"), sentences(100, 3, "test")
chosen = np.random.default_rng(3).permutation(len(labelled))[:300]
train = [labelled[i] for i in chosen]
print(f"{len(train)} sentences to learn from, {len(test)} to be tested on")

# %% [markdown]
# Six of them, with their entities marked:

# %%
from minibert.finetuning.console import joined
from minibert.viz.explorer import View

TYPES = ["DATE", "LOC", "ORG", "PER"]
View(entity_lines([("", *joined(s.words, s.tags)) for s in train[:6]], TYPES))

# %% [markdown]
# In this language any name can be a person's, a place's or a firm's, as in ours: *Washington*, *Paris*, *Ford*. To count
# them, collect the types of each word:

# %%
from collections import defaultdict

def types_of_words(examples):
    kinds = defaultdict(set)
    for s in examples:
        for word, tag in zip(s.words, s.tags):
            if tag[2:] in ("PER", "LOC", "ORG"):
                kinds[word].add(tag[2:])
    return kinds

# %% [markdown]
# Words with more than one type, in the test:

# %%
kinds, known = types_of_words(test), types_of_words(labelled)
several = sorted(word for word, found in kinds.items() if len(found) > 1)
print(f"{len(kinds)} different words in names of the test sentences; {len(several)} of them in names of several types")

# %% [markdown]
# Suppose you learned all the names in the labelled documents by heart.

# %%
seen = sorted(set(kinds) & set(known))

# %% [markdown]
# How many words would you know in the names of the test?

# %% jupyter={"source_hidden": true}
from minibert.viz.guess_then_see import GuessBars, GuessChoice, GuessNumber, my_guesses

def known_by_heart():
    assert len(seen) < len(kinds) / 10
    return (f"<p>{len(seen)} of {len(kinds)}, parts of names: {', '.join(seen)}. The test has names of its own, so a "
            "list of names will not help.</p>")

GuessNumber("Of 100 different words in the names of the test, how many do you know by heart?",
            lambda: 100 * len(seen) / len(kinds), within=7, form="{:.0f}%", see=known_by_heart)

# %% [markdown]
# The class model met all names while it was pretrained, in text without labels. It was never told what any of them is.
#
# <details><summary><b>Why does it matter which names are in a test?</b></summary>
#
# Real text brings new names each day. A test with the names of the training text asks for memory; one with new names
# asks for reading.
# </details>

# %% [markdown]
# ## 2 · Words and pieces
#
# A tag belongs to a word. BERT reads pieces. Who gets the tag?

# %%
from minibert.class_model import class_model

model, tokenizer = class_model()
words, tags = ["Quixworth", "left", "Old", "Ashby", "."], ["B-PER", "O", "B-LOC", "I-LOC", "O"]
encoding = tokenizer.encode_words(words)
print(*encoding.pieces)
print(*encoding.words)

# %% [markdown]
# The second line says which word each piece came from. *Quixworth* is a person, in several pieces. How does the BERT
# paper label them (section 5.3)?

# %% jupyter={"source_hidden": true}
import html
import inspect
from minibert.batch import IGNORE
from minibert.reference import align_labels

PIECES = [word for word in encoding.words if word == 0]       # those of Quixworth

def paper_labels():
    first, *others = align_labels(PIECES, [1])
    assert first == 1
    return "B-PER, then no label" if set(others) == {IGNORE} else "B-PER on every piece"

def first_piece():
    return ("<p>The first piece takes the label of the word. The others get <code>IGNORE</code>: −100, which no loss "
            f"counts. In code:</p><pre>{html.escape(inspect.getsource(align_labels))}</pre>")

GuessChoice("What labels do the pieces of Quixworth get in the paper?",
            ["B-PER on every piece", "B-PER, then I-PER", "B-PER, then no label", "no label, at the end B-PER"],
            paper_labels, see=first_piece)

# %% [markdown]
# Type a sentence with tags, a word and its tag joined by `/`, and see the row that BERT is trained on. What happens with
# a long word of your own?

# %% jupyter={"source_hidden": true}
from minibert.viz.entities import word_lines

def draw_row(text):
    words, tags = zip(*((*part.rsplit("/", 1), "O")[:2] if "/" in part else (part, "O") for part in text.split()))
    encoding = tokenizer.encode_words(list(words))
    labels = align_labels([None, *encoding.words, None], list(range(len(words))))
    shown = ["–" if label == IGNORE else tags[label] for label in labels]
    first = [i for i, label in enumerate(labels) if label != IGNORE]
    return word_lines({"piece": ["[CLS]", *encoding.pieces, "[SEP]"], "label": shown}, first,
                      f"{len(first)} of {len(labels)} tokens carry a label; the sentence has {len(words)} words.")

Explorer(draw_row, text=widgets.Text("Quixworth/B-PER left Old/B-LOC Ashby/I-LOC .", description="My row",
                                     continuous_update=False, layout={"width": "460px"}))

# %% [markdown]
# <details><summary><b>Why does the paper do it like this?</b></summary>
#
# With a label on every piece, a word of four pieces would count four times in the loss and give four answers, which may
# differ. With one, every word counts once, as in the score. The first piece sees the others anyway: attention looks
# both ways. What matters is to do the same in training and in use.
# </details>
#
# <details><summary><b>Does the model lose anything by lower case?</b></summary>
#
# Yes. *Mark* the person and *mark* the sign become one. The paper uses a cased BERT for this task. Our class model reads
# lower case, so it must find names by what stands around them alone.
# </details>

# %% [markdown]
# ## 3 · B, I and O
#
# Names may have several words. `B-LOC` **b**egins a place, `I-LOC` goes on **i**nside it, `O` is **o**utside. But each
# word is tagged by itself, so nothing keeps a model from saying `O I-LOC`. That `I-` is a **stray**: nothing has begun
# before it. The shared task has an official script, `conlleval`, that reads tags as entities. How does it read strays?

# %% jupyter={"source_hidden": true}
from minibert.reference import decode_entities

READINGS = ["no entity", "one entity of two words", "two entities of one word"]

def strays():
    lines = "\n".join(f"{tags:14s} {decode_entities(tags.split())}"
                      for tags in ("O I-LOC I-LOC", "B-PER I-LOC", "B-PER B-PER", "I-PER I-PER"))
    return ("<p>The script takes a stray I- as a beginning, and so do we. Below, an entity is a type and the numbers "
            f"of its first and last word, counted from 0:</p><pre>{lines}</pre>")

GuessChoice("What are the tags O I-LOC I-LOC for conlleval?", READINGS,
            lambda: READINGS[len(decode_entities(["O", "I-LOC", "I-LOC"]))], see=strays)

# %% [markdown]
# Change the tags and see which entities they mark. Make *Mira Harlow* two people. Then write a few strays.

# %% jupyter={"source_hidden": true}
FIVE = ["Mira", "Harlow", "left", "Old", "Ashby"]

def draw_tags(tags):
    given = tags.split()
    if len(given) != len(FIVE):
        raise ValueError(f"{len(given)} tags, but {len(FIVE)} words: {', '.join(FIVE)}")
    stray = [i for i, tag in enumerate(given) if tag[0] == "I" and (i == 0 or given[i - 1][2:] != tag[2:])]
    said = "; ".join(f"{kind}: words {first} to {last}" for kind, first, last in decode_entities(given)) or "no entities"
    return word_lines({"number": [str(i) for i in range(5)], "word": FIVE, "tag": given}, stray,
                      said + (f". Framed: {len(stray)} stray I-." if stray else "."))

Explorer(draw_tags, tags=widgets.Text("B-PER I-PER O B-LOC I-LOC", description="Tags", continuous_update=False,
                                      layout={"width": "360px"}))

# %% [markdown]
# <details><summary><b>Why does it matter how strays are read?</b></summary>
#
# A score must not depend on who computes it. Drop the strays, and a careless model loses entities. Take them, and it
# gains some. The same answers get two scores, so say which script you used.
# </details>
#
# <details><summary><b>Could one forbid them?</b></summary>
#
# Yes: a layer that scores which tag may follow which (a conditional random field), or a search for the best legal row.
# The BERT paper does without: what the encoder says of a word already holds its neighbours.
# </details>

# %% [markdown]
# ## 4 · A score that does not flatter
#
# One score counts words: **accuracy** says how many have the right tag. Another counts entities: an entity is right if
# its **type and both its ends** are right.
#
# - **precision** P: of the entities that were found, how many are right?
# - **recall** R: of those that are there, how many were found?
# - **F1** = 2 P R / (P + R), which is near the smaller of the two.
#
# The laziest tagger says `O` to every word, always.

# %%
from minibert.tasks.entity_score import accuracy, entity_f1

gold = [s.tags for s in test]
lazy = [["O"] * len(tags) for tags in gold]
lazy_scores = entity_f1(gold, lazy)

# %% [markdown]
# Most words are not in a name. Drag both bars.

# %% jupyter={"source_hidden": true}
def flattered():
    assert lazy_scores["F1"] == 0
    return (f"<p>Accuracy flatters: {lazy_scores['accuracy']:.0f}% of the words are right. But no entity is found, so "
            f"recall and F1 are {lazy_scores['F1']:.0f}.</p>")

GuessBars("A tagger says O to every word. What does it reach?", ["words right, %", "F1 of entities"],
          lambda: [lazy_scores["accuracy"], lazy_scores["F1"]], top=100, within=8, axis="score", see=flattered)

# %% [markdown]
# Another tagger makes one small mistake in each entity of several words: it forgets the last word. It has colleagues
# with other faults.

# %%
def all_but_last(tags):
    ends = {last for _, first, last in decode_entities(tags) if last > first}
    return ["O" if i in ends else tag for i, tag in enumerate(tags)]

FAULTS = {
    "says O to everything": lambda tags: ["O"] * len(tags),
    "forgets the last word of a long name": all_but_last,
    "takes every place for a person": lambda tags: [tag.replace("LOC", "PER") for tag in tags],
    "finds people only": lambda tags: [tag if tag.endswith("PER") else "O" for tag in tags],
    "says B- where it should say I-": lambda tags: [tag.replace("I-", "B-") for tag in tags],
    "says I- where it should say B-": lambda tags: [tag.replace("B-", "I-") for tag in tags],
}

# %% [markdown]
# What becomes of accuracy and F1?

# %% jupyter={"source_hidden": true}
def forgetful():
    scores = entity_f1(gold, [all_but_last(tags) for tags in gold])
    return [scores["accuracy"], scores["F1"]]

GuessBars("A tagger forgets the last word of each long name. What does it reach?", ["words right, %", "F1 of entities"],
          forgetful, top=100, within=10, axis="score")

# %% [markdown]
# Try each of them on the test sentences. One loses no F1 at all. Which, and why?

# %%
from minibert.viz.plots import bars

def draw_fault(tagger):
    scores = entity_f1(gold, [FAULTS[tagger](tags) for tags in gold])
    title = f"A tagger that {tagger}: accuracy {scores['accuracy']:.0f}, F1 {scores['F1']:.0f}"
    return bars(["accuracy", "precision", "recall", "F1"], [scores[name] for name in ("accuracy", "precision", "recall", "F1")],
                "percent", title, 3, form="{:.1f}", limit=112)

Explorer(draw_fault, tagger=widgets.Dropdown(options=list(FAULTS), description="A tagger that", layout={"width": "430px"},
                                             style={"description_width": "initial"}))

# %% [markdown]
# <details><summary><b>Which loses no F1, and why?</b></summary>
#
# The one that says I- where it should say B-, though more than one word in ten has a wrong tag. A stray I- opens an
# entity. The two readings differ only where two entities of one type touch, which here they never do: that is what B-
# is for.
# </details>

# %% [markdown]
# ## 5 · Fine-tuning
#
# The head is one linear layer, from the D numbers of each token to one score per tag. Everything is trained, trunk
# and head. First the simplest rival: it learns by heart which tag each word had.

# %%
from collections import Counter

seen_tags = defaultdict(Counter)
for s in train:
    for word, tag in zip(s.words, s.tags):
        seen_tags[word][tag] += 1

def recite(examples):
    return [[seen_tags[word].most_common(1)[0][0] if word in seen_tags else "O" for word in s.words] for s in examples]

by_heart = recite(test)
print(f"by heart: F1 {entity_f1(gold, by_heart)['F1']:.1f}, accuracy {accuracy(gold, by_heart):.1f}%")

# %% [markdown]
# Now the class model, and beside it a model of the same shape with random weights: same sentences, steps and learning
# rate. One call of the package trains:

# %%
import copy
import torch
from minibert.finetuning import finetune
from minibert.model import Encoder
from minibert.viz.training import LiveCurve

def tune(encoder, curve, **settings):
    torch.manual_seed(0)
    settings = dict(steps=240, batch_size=8, peak_rate=1e-3) | settings
    return finetune("ner", encoder, tokenizer, train, seed=0, precision=torch.float32, progress=curve, **settings)[0]

# %% [markdown]
# Watch the losses: both learn the 300 sentences by heart.

# %%
curve = LiveCurve("loss", lambda log: float(np.mean([entry["loss"] for entry in log[-20:]])), every=10)
curve.line("pretrained")
tuned = tune(copy.deepcopy(model.encoder), curve)
curve.line("random weights")
torch.manual_seed(0)
scratch = tune(Encoder(model.encoder.config), curve)

# %% [markdown]
# The test has new names. We need a tagger's answers and its scores.

# %%
def tags_of(tuned, examples=test):
    return tuned.task.answer(tuned.model, examples)

def table_row(name, given):
    scores = entity_f1(gold, given)
    return name, scores["precision"], scores["recall"], scores["F1"], scores["accuracy"]

# %% [markdown]
# For all four taggers:

# %%
taggers = [table_row("O everywhere", lazy), table_row("by heart", by_heart),
           table_row("random weights, fine-tuned", tags_of(scratch)),
           table_row("pretrained, fine-tuned", tags_of(tuned))]

# %% [markdown]
# What does each of the two models score there?

# %% jupyter={"source_hidden": true}
from minibert.viz.entities import score_table

def all_four():
    gained = [after - before for before, after in zip(taggers[2][3:], taggers[3][3:])]
    return score_table(["", "precision", "recall", "F1", "accuracy"], taggers,
                       f"Pretraining is worth {gained[0]:.0f} points of F1, and {gained[1]:.0f} of accuracy") + (
        "<p>300 sentences are enough to say <b>what</b> is asked. How to read was learned before, from text without "
        "labels.</p>")

GuessBars("What F1 do the two fine-tuned models reach on new names?", ["random weights", "pretrained"],
          lambda: [row[3] for row in taggers[2:]], top=100, within=10, axis="F1", see=all_four)

# %% [markdown]
# Now other documents, in which the *training* names come up again.

# %%
again = sentences(100, 5, "dev")
wanted = [s.tags for s in again]
heart = recite(again)
rows = [(name, entity_f1(gold, new)["F1"], entity_f1(wanted, old)["F1"]) for name, new, old in (
    ("by heart", by_heart, heart), ("random weights, fine-tuned", tags_of(scratch), tags_of(scratch, again)),
    ("pretrained, fine-tuned", tags_of(tuned), tags_of(tuned, again)))]

# %% [markdown]
# Who gains most from known names?

# %% jupyter={"source_hidden": true}
GuessChoice("Whose F1 rises by the most points when the names are known?", [row[0] for row in rows],
            lambda: max(rows, key=lambda row: row[2] - row[1])[0],
            see=lambda: score_table(["", "F1, new names", "F1, known names"], rows))

# %% [markdown]
# ## 6 · One name, two meanings
#
# A name that is a person in one test sentence and a place in another: the program finds them.

# %%
def both_meanings(name):
    """Two sentences of the test in which `name` alone is a person, and a place."""
    found = {}
    for s in test:
        if name in s.words:
            found.setdefault(s.tags[s.words.index(name)], s)
    return [found[tag] for tag in ("B-PER", "B-LOC") if tag in found]

pairs = {name: pair for name in several if len(pair := both_meanings(name)) == 2}

# %% [markdown]
# Which words tell *you* which is which?

# %%
lines = [("right" if said is s.tags else "BERT says", *joined(s.words, said))
         for pair in list(pairs.values())[:3] for s in pair for said in (s.tags, tags_of(tuned, [s])[0])]
View(entity_lines(lines, TYPES, f"{len(pairs)} names are a person in one test sentence and a place in another"))

# %% [markdown]
# Now all of these names.

# %%
def told_apart(name):
    return all(tags_of(tuned, [s])[0][s.words.index(name)] == s.tags[s.words.index(name)] for s in pairs[name])

right = sum(map(told_apart, pairs))

# %% [markdown]
# A name counts when both of its sentences are right.

# %% jupyter={"source_hidden": true}
def names_told_apart(number=len(pairs)):
    return f"<p>{right} of {number} names. A list of names gets none of them, whatever is on it.</p>"

GuessNumber("Of 100 such names, how many does it get right in both sentences?",
            lambda: 100 * right / len(pairs), within=12, form="{:.0f}%", see=names_told_apart)

# %% [markdown]
# Your turn: any text of this language. Swap the names. Invent one. Take away the words that helped.

# %%
def draw_mine(text):
    spans = find_entities(tuned, text)
    said = ", ".join(f"{text[start:end]} ({kind})" for start, end, kind in spans) or "none"
    return entity_lines([("", text, spans)], TYPES, f"Entities: {said}")

Explorer(draw_mine, text=widgets.Text("Ashby moved to Renwick in 1981, and Renwick moved to Ashby.", description="My text",
                                      continuous_update=False, layout={"width": "560px"}))

# %% [markdown]
# <details><summary><b>Why does it fail on your own language?</b></summary>
#
# It has read nothing but the generated language: a few thousand words and the ways they are used there. BERT's gain comes
# from having read what it is asked about. `minibert finetune ner --model` takes published weights, if you have them.
# </details>

# %% [markdown]
# ## 7 · Must BERT be trained at all?
#
# ELMo was used in another way: run it **once**, keep what it says of each word, and train something small on top. The
# BERT paper does the same in section 5.3. The trunk stays as it is, and a BiLSTM of two layers (a network that reads the
# sentence from both ends) reads its outputs. Which of them? The paper tries six ways:

# %%
from minibert.finetuning import approaches
from minibert.finetuning.features import LAYERS

count = model.encoder.config.num_hidden_layers
for name, places in LAYERS.items():
    print(f"{name:18s} of the outputs 0 (embeddings) to {count}: {', '.join(map(str, range(count + 1)[places]))}")

# %% [markdown]
# Our trunk has three layers, so that its "last four" take in the embeddings. What one token gets:

# %%
from minibert.reference import combine_layers

layers = np.random.default_rng(0).normal(size=(4, 5, 128))          # (L + 1, T, D)
for way in LAYERS:
    print(f"{way:18s} {combine_layers(layers, way).shape[-1]} numbers per token")

# %% [markdown]
# The weights of a sum are learned, one number per layer, through a softmax, as in ELMo. We add a way that the paper does
# not list: `frozen`, a linear head alone on the last layer.
#
# All ways with three seeds each take ten minutes, so `benchmarks/feature_based.py` has run them, on these 300 sentences,
# with this trunk. A seed draws the new head and the order.

# %%
import json
from minibert.commands import ROOT

runs, trained = defaultdict(list), {}
for run in json.loads((ROOT / "benchmarks" / "feature_based.json").read_text()):
    runs[run["way"]].append(run["f1"])
    trained[run["way"]] = run["trained"]
means = {way: float(np.mean(runs[way])) for way in ("full", *approaches.FEATURE_BASED)}

# %% [markdown]
# What do you expect of these five? A BiLSTM reads the embeddings (which do not know the neighbours), the last layer, or
# four layers side by side. A linear head reads the last layer. Fine-tuning trains everything.

# %% jupyter={"source_hidden": true}
FIVE_WAYS = {"embeddings": "embeddings", "last": "last layer", "concat-last-four": "four layers",
             "frozen": "linear head", "full": "fine-tuning"}
GuessBars("What F1 does each way reach?", list(FIVE_WAYS.values()), lambda: [means[way] for way in FIVE_WAYS], top=100,
          within=5, axis="F1")

# %% [markdown]
# We train two of them live: the linear head, and four layers side by side. The frozen trunk runs once. What it says of
# the 300 sentences is kept, and only what stands on top is trained.

# %%
import time

live, seconds = {}, {}
small = LiveCurve("loss", lambda log: float(np.mean([entry["loss"] for entry in log[-10:]])), every=10)
side_by_side = "concat-last-four" if len(model.encoder.layers) > 2 else "sum-all"      # a smaller model has no four
for way, rate in (("frozen", 1e-2), (side_by_side, 3e-3)):
    small.line(way)
    begin = time.perf_counter()
    read = tune(copy.deepcopy(model.encoder), small, steps=None, epochs=24, batch_size=32, peak_rate=rate, approach=way)
    live[way], seconds[way] = entity_f1(gold, tags_of(read))["F1"], time.perf_counter() - begin

# %% [markdown]
# Their scores:

# %%
live["full"] = entity_f1(gold, tags_of(tuned))["F1"]
print(", ".join(f"{way}: F1 {live[way]:.1f} in {seconds[way]:.0f} s" for way in seconds))

# %% [markdown]
# The paper's numbers are F1 on CoNLL-2003's development set, with a cased BERT-base (fine-tuned BERT-large: 96.6).

# %%
PAPER = {"full": 96.4, "frozen": None, "embeddings": 91.0, "second-to-last": 95.6, "last": 94.9, "sum-last-four": 95.9,
         "concat-last-four": 96.1, "sum-all": 95.5}

# %% [markdown]
# Paper and ours, side by side; the last column is what you have just trained.

# %%
best = max(LAYERS, key=means.get)
View(score_table(
    ["way", "paper, F1", "ours, F1", "lowest to highest", "live, F1"],
    [("fine-tuning" if way == "full" else way, PAPER[way], means[way], f"{min(runs[way]):.1f} to {max(runs[way]):.1f}",
      live.get(way)) for way in means],
    f"Fine-tuning {means['full']:.1f}; the best of the paper's six ways here is {best}, {means[best]:.1f}"))

# %% [markdown]
# What carries over, computed:

# %%
ours, theirs = (max(LAYERS, key=table.get) for table in (means, PAPER))
assert ours == theirs and means["full"] > means["frozen"] > means[ours] and PAPER["full"] > PAPER[theirs]
print("fine-tuning is first, here and in the paper")
print(f"best way to read layers: {ours} here, {theirs} in the paper")
print(f"behind fine-tuning by {means['full'] - means[ours]:.1f} here, by {PAPER['full'] - PAPER[theirs]:.1f} in the paper")
print(f"from the embeddings to that way: {means[ours] - means['embeddings']:.1f} points here, "
      f"{PAPER[theirs] - PAPER['embeddings']:.1f} in the paper")
print(f"a linear head alone, minus the best BiLSTM: {means['frozen'] - means[ours]:+.1f} here; the paper does not try it")

# %% [markdown]
# Be careful with such a table: three seeds, 300 sentences, a trunk of three layers. The paper had nearly fifteen
# thousand sentences and twelve layers, so that its BiLSTM could learn much by itself. Here it has only 300, and a linear
# head does no worse. What holds in both: fine-tuning is first, and of the six ways four layers side by side are best.
# How close they come does not carry over.
#
# The linear head reads 128 numbers per token and scores nine tags: `O`, and B- and I- of four types.

# %% jupyter={"source_hidden": true}
def all_trained():
    title = f"Fine-tuning trains {trained['full']:,} numbers, a linear head {trained['frozen']:,}"
    return bars(list(trained), [number / 1000 for number in trained.values()], "thousand trained numbers", title,
                list(trained).index("frozen"), form="{:,.1f}")

GuessNumber(f"Fine-tuning trains {trained['full']:,} numbers. How many does the linear head alone train?",
            lambda: trained["frozen"], within=100, see=all_trained)

# %% [markdown]
# Such a head trains in seconds, and one frozen trunk serves a hundred tasks. That is the case for features.
# The case for fine-tuning is the score.
#
# <details><summary><b>Why may the last layer be worse than the one before?</b></summary>
#
# It is shaped for its own task: naming hidden pieces. In the paper the second-to-last is better by 0.7. A task that asks
# something else finds it said more plainly further down. Fine-tuning does not have to choose: it reshapes the top.
# </details>

# %% [markdown]
# ## 8 · In real English
#
# Back to the model from the top: an encoder that has read English, with the head of section 5 on top. It learned from
# sentences of Wikipedia and of the web. (If it cannot be had, a line says so, and the model that you fine-tuned in
# section 5 takes its place, with the types of its own language.)
#
# Take a text from a newspaper of your choice, and count its people, places, organisations and other names (such as
# *Norwegian*). Count each mention anew, but no days. **Guess first**: how many will the model find?

# %%
from minibert.viz.guess import CommitFirst

english = minibert.load("english-ner", instead=tuned)
MINE = ("The mayor of Bristol, Sarah Okafor, opened a bridge on Friday. It was built by the Norwegian firm "
        "Fjordbru, which also won a contract in Leeds. Okafor said that the Jordan family had paid for the "
        "lights.")

CommitFirst(lambda text: "<p>How many named entities will it find?</p>", lambda text: find_in(english, text),
            text=widgets.Textarea(MINE, description="Paper", rows=5, continuous_update=False,
                                  layout={"width": "95%"}))

# %% [markdown]
# One text proves little. The file of the English weights has a card with their scores on sentences that were kept apart:
# wikigold is Wikipedia, WNUT-17 are posts and comments with rare and new names.

# %%
from minibert.english.adapter import Adapter
from minibert.english.model import TASKS, WEIGHTS

for name, score in Adapter.load(WEIGHTS / TASKS["english-ner"]).card["scores"].items():
    print(f"{name}: precision {score['precision']:.0f}%, recall {score['recall']:.0f}%, F1 {score['F1']:.0f}")

# %% [markdown]
# An answer hides how sure the model was. For each token there is a softmax over the tags. It is used only at the first
# piece of a word (section 2).

# %% jupyter={"source_hidden": true}
from minibert.corpora.readers.conll import Sentence
from minibert.reference import softmax
from minibert.tokenizer import BasicTokenizer

def tag_probabilities(text):
    """The words, the T tokens, (T, C) probabilities of the tags, {number of a word: place of its first token}."""
    words = [text[word.start:word.end] for word in BasicTokenizer(lower_case=False).split(text)]
    rows, _, origins = english.task.encode([Sentence(words, ["O"] * len(words), 1)])
    if len(rows) != 1:
        raise ValueError(f"the text fills {len(rows)} sequences, and should fill one")
    tokens = ["[CLS]", *(english.tokenizer.vocab[i] for i in rows[0][0]), "[SEP]"]
    firsts = {word: position for _, word, position in origins[0]}
    return words, tokens, softmax(english.task.logits(english.model, rows)[0]), firsts

# %% [markdown]
# **Guess first.** At which word is it least sure? In the answer, yellow marks the first piece of each word: only its tag is
# used. Then try names from your town, and long ones.

# %% jupyter={"source_hidden": true}
def draw_doubts(text):
    words, tokens, probs, firsts = tag_probabilities(text)
    order = np.argsort(-probs, axis=-1)                                 # (T, C), the likeliest tag first
    lines = {"token": tokens}
    for tag, share, best in (("best tag", "its probability", order[:, 0]),
                             ("second tag", "second tag's probability", order[:, 1])):
        lines[tag] = [english.task.tags[number] for number in best]
        lines[share] = [f"{row[number]:.0%}" for row, number in zip(probs, best)]
    unsure = min(firsts, key=lambda word: probs[firsts[word]].max())
    said = f"Least sure: {words[unsure]}, {probs[firsts[unsure]].max():.0%}."
    return word_lines(lines, list(firsts.values()), said)

CommitFirst(lambda text: "<p>Type the word at which it is least sure.</p>", draw_doubts,
            text=widgets.Text("Sarah Okafor flew from Leeds to Paris with Jordan.", description="Doubts",
                              continuous_update=False, layout={"width": "620px"}))

# %% [markdown]
# **Guess first.** How many of the entities that it finds will it still find if the same text comes in lowercase? (The
# code is folded: it holds the answer.)

# %% jupyter={"source_hidden": true}
def in_other_letters(text):
    lines, ids = [], []
    for name, written in (("as it is", text), ("lowercase", text.lower()), ("CAPITALS", text.upper())):
        lines.append((name, written, find_entities(english, written)))
        ids.append(english.tokenizer.encode(written).ids)
    same = ("The vocabulary is uncased: capitals are gone before the first layer. The three texts have the same ids, "
            "so they get the same tags. Only the words around tell a name from a word that is spelled alike.")
    said = same if ids[0] == ids[1] == ids[2] else "The three texts have different ids."
    return entity_lines(lines, types_of(english.task), said)

CommitFirst(lambda text: "<p>Of the entities that it finds in this text, how many will it find in lowercase?</p>",
            in_other_letters, text=widgets.Text("Bill pays the bill, and Rose from Turkey buys a rose.",
                                                description="Letters", continuous_update=False,
                                                layout={"width": "620px"}))

# %% [markdown]
# Did it tell *Bill* from *bill* here, and *Rose* from *rose*?
#
# <details><summary><b>Why did BERT's authors take a cased model for this task?</b></summary>
#
# In English, a capital inside a sentence is nearly a label. A cased model pays elsewhere: in headlines and chats, where
# capitals are everywhere or missing, its best hint misleads it.
# </details>
#
# Last, one name in ten sentences. In the first nine, what stands around it says what it is: three times a person, three
# times a place, three times an organisation. In the tenth, nothing does.

# %% jupyter={"source_hidden": true}
FRAMES = {"{} was born in 1960 and has two children.": "a person", "My friend {} is a good cook.": "a person",
          "“I am tired,” said {} and went to bed.": "a person",
          "We took the train to {} and stayed for a week.": "a place", "It often rains in {} in winter.": "a place",
          "They moved from the north to {} last year.": "a place",
          "Shares of {} fell after the company lost a contract.": "an organisation",
          "She works for {} as an engineer.": "an organisation",
          "The board of {} met on Monday.": "an organisation", "I like {}.": "not said"}

def type_probabilities(frame, name):
    """The probability of each type, and of O, at the first word of the name in the sentence."""
    if not english.tokenizer.encode(name).ids:
        raise ValueError("write a name")
    _, _, probs, firsts = tag_probabilities(frame.format(name))
    before = BasicTokenizer(lower_case=False).split(frame.split("{}")[0])
    row = probs[firsts[len(before)]]
    return [100 * sum(p for p, tag in zip(row, english.task.tags) if tag.partition("-")[2] == kind)
            for kind in ("", *types_of(english.task))]

# %% [markdown]
# **Guess first.** In how many of the first nine sentences will the right type be the likeliest? Then try *Paris*,
# *Ford*, *Georgia*, a name of your own, and a word that is not a name.

# %%
MEANT = {"a person": "PER", "a place": "LOC", "an organisation": "ORG"}

def draw_frames(name):
    names = ["O", *types_of(english.task)]
    shares = [type_probabilities(frame, name) for frame in FRAMES]
    hits = sum(names[int(np.argmax(row))] == MEANT.get(meant) for row, meant in zip(shares, FRAMES.values()))
    rows = [(f"{frame.format(name)} ({meant})", *row) for (frame, meant), row in zip(FRAMES.items(), shares)]
    return score_table(["", *names], rows, f"“{name}”: percent for each type; the right one is ahead in {hits} of nine")

CommitFirst(lambda name: "<p>In how many of the first nine will the right type be the likeliest?</p>", draw_frames,
            name=widgets.Text("Washington", description="Name", continuous_update=False))

# %% [markdown]
# Where the context says little, as in the last sentence, the probabilities show mostly what the name alone suggests to the
# model. Where name and context disagree, see which one wins.

# %% [markdown]
# ## Check yourself
#
# Run the folded cell and choose.

# %% jupyter={"source_hidden": true}
Quiz([
    Question("A name is split into four pieces. How many of them carry a label?", [
        Choice("One, the first", True, "Right. The others get IGNORE, and the word counts once."),
        Choice("All four", False, "Then long names would count more, and could get four different answers."),
        Choice("None, the word is unknown", False, "Pieces are there so that no name is unknown."),
    ]),
    Question("Which entities do the tags O I-LOC I-PER mark, for conlleval?", [
        Choice("None", False, "A stray I- opens an entity, as B- would."),
        Choice("One of two words", False, "The types differ, so a new one begins."),
        Choice("A place of one word, then a person of one word", True, "Right: both are strays, and both open an entity."),
    ]),
    Question("A tagger says O to every word. Its accuracy is 85%. Its F1 is …", [
        Choice("85", False, "F1 counts entities, and it found none."),
        Choice("0", True, "Right. It found nothing, so its recall is 0."),
        Choice("15", False, "That is its share of wrong words."),
    ]),
    Question("Three words are one name; the model tags the first two only. What does the entity score count?", [
        Choice("Two thirds of an entity", False, "There are no parts: both ends must be right."),
        Choice("One found that is wrong, one wanted that is missed", True, "Right: it costs precision and recall."),
        Choice("One right entity", False, "Its end is wrong."),
    ]),
    Question("Why does the pretrained model do well on names that no labelled sentence has?", [
        Choice("It reads what stands around them", True, "Right: the same name is a person here and a place there."),
        Choice("It has a list of names", False, "A list cannot tell the two meanings of one name apart."),
        Choice("Names are capitalised", False, "This model reads lower case only."),
    ]),
    Question("What do the feature-based ways leave as it is?", [
        Choice("The BiLSTM", False, "That is just what they train."),
        Choice("The trunk", True, "Right: it runs once over the text, and its outputs are kept."),
        Choice("The weights of the sum", False, "Those are learned, one for each layer."),
    ]),
])

# %% [markdown]
# And your guesses:

# %%
my_guesses()

# %% [markdown]
# ## In short
#
# - **Labels on first pieces**: one for each word, the rest IGNORE. Back again: the first piece answers for its word.
# - **BIO** marks entities of several words; a stray I- opens one. Say which script you score with.
# - **Entity F1**, not accuracy: O everywhere has most of the words right and F1 0.
# - **Fine-tuning** on 300 sentences reads the context: new names, and one name in two meanings. From random weights, the
#   same training learns the sentences by heart and little else.
# - In **real English** an uncased model finds names by their context and by what it has read; capitals tell it nothing.
# - **Features**: a frozen trunk and a small reader do much of it, cheaply; in the paper four layers side by side lack only
#   0.3 points to fine-tuning, here more.
#
# ## Read on
#
# - Devlin et al. (2019), *BERT*, [arXiv 1810.04805](https://arxiv.org/abs/1810.04805): section 5.3 and table 7.
# - Tjong Kim Sang and De Meulder (2003), *CoNLL-2003*, [arXiv cs/0306050](https://arxiv.org/abs/cs/0306050): section 2.
# - Peters et al. (2018), *ELMo*, [arXiv 1802.05365](https://arxiv.org/abs/1802.05365): section 3.2, the weighted sum.
# - In the package: `minibert/tasks/tagging.py`, `minibert/tasks/entity_score.py`, `minibert/finetuning/features.py`,
#   `frozen.py`; `minibert/reference/tagging.py` says it in NumPy. `minibert predict ner --html` writes a page with the
#   names marked.
#
# **Next**: the exercise `exercises/08_tagging`. Then lesson 9: ELMo, GPT and BERT on the same text.
