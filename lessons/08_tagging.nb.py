# %% [markdown]
# # 8 · Tagging: a label for every word
#
# *Ashby moved to Renwick.* Here Ashby is a person and Renwick a place; in the next text it may be the other way round.
# Finding the names in a text, and saying whether each is a person, a place or something else, is called **named entity
# recognition**. On this task the BERT paper also asks: must all of BERT be trained, or can its vectors be used as they
# are?
#
# **After this lesson you can**
#
# - give the labels of words to pieces, and turn the answers for pieces back into tags of words,
# - read BIO tags, even faulty ones, and score them by entity,
# - say why a tagger that is right for most of the words may be worth nothing,
# - fine-tune BERT on 300 sentences, and show that it reads the context and not only the name,
# - use BERT's outputs as features, in the six ways of its paper, and say what that costs,
# - find the named entities of an English text of your own, and say what an uncased model cannot tell apart.
#
# **You need** lessons 3, 6 and 7. **Time:** about 70 minutes with guessing and playing; the code alone runs in about a
# minute on two cores.
#
# Run the cells in order with Shift + Enter. Where a question waits for your guess, give one: a wrong guess is
# remembered best. Those that begin with **Your guess** are counted, and at the end you see how many came close.

# %% jupyter={"source_hidden": true}
from minibert.viz.here import here

here(8)

# %% [markdown]
# ## The finished thing first
#
# Here is a model that finds the named entities of an English text and their types. Try it on some of today's news.
# What does it miss, and what does it get wrong? (Loading takes a few seconds. If a line says that the course's own
# model takes its place, that one has learned nothing yet and tags at random; the one that you train in section 5 does
# better.)

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
# The types are those of the CoNLL-2003 **shared task**, a public competition: people (PER), places (LOC), organisations
# (ORG) and other names (MISC), such as *German*.

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
    Question("A passage is longer than the model's sequence. What happens?", [
        Choice("It is cut, and the rest is lost", False, "Then answers in the rest could never be found."),
        Choice("It is read in overlapping windows", True, "Right, and so are long texts in tagging."),
        Choice("The positions are stretched", False, "There is no vector for a position that was never trained."),
    ]),
])

# %% [markdown]
# ## 1 · A language full of names
#
# Our generated language comes with its entities marked: people, places, organisations, dates. In the folded cell,
# `sentences` writes a file of it, with a word and its tag on each line as in CoNLL-2003, and reads it.

# %% jupyter={"source_hidden": true}
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
# We train on only 300 labelled sentences.

# %%
import numpy as np

labelled, test = sentences(120, 2, "train"), sentences(100, 3, "test")
chosen = np.random.default_rng(3).permutation(len(labelled))[:300]
train = [labelled[i] for i in chosen]
print(f"{len(train)} sentences for training, {len(test)} for testing")

# %% [markdown]
# Six of the training sentences, with their entities:

# %%
from minibert.finetuning.console import joined
from minibert.viz.explorer import View

TYPES = ["LOC", "DATE", "ORG", "PER"]
View(entity_lines([("", *joined(s.words, s.tags)) for s in train[:6]], TYPES))

# %% [markdown]
# In the file, each word has a tag: `B-PER` **b**egins a person, `I-PER` goes on **i**nside it, and `O` is **o**utside
# every entity. These are **BIO tags**. Here is the second sentence:

# %%
from minibert.viz.entities import word_lines

View(word_lines({"word": train[1].words, "tag": train[1].tags}))

# %% [markdown]
# In this language any name can be a person's, a place's or a firm's, just as in English: *Washington*, *Paris*, *Ford*.
# To count such names, we collect the types of each word:

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
# How many words of the test have more than one type?

# %%
kinds, known = types_of_words(test), types_of_words(labelled)
several = sorted(word for word, found in kinds.items() if len(found) > 1)
print(f"{len(kinds)} different words in names of the test sentences; {len(several)} of them in names of several types")

# %% [markdown]
# Suppose you learned all the names in the labelled documents by heart.

# %% jupyter={"source_hidden": true}
from minibert.viz.guess_then_see import GuessBars, GuessChoice, GuessNumber, my_guesses

seen = sorted(set(kinds) & set(known))

def known_by_heart():
    assert len(seen) < len(kinds) / 10
    return (f"<p>{len(seen)} of {len(kinds)}: {', '.join(seen)}. The test has names of its own, so a "
            "list of names will not help.</p>")

GuessNumber("Of 100 different words in the names of the test, how many do you know by heart?",
            lambda: 100 * len(seen) / len(kinds), within=7, form="{:.0f}%", see=known_by_heart)

# %% [markdown]
# Our pretrained model has read such names in text without labels. It was never told the type of any.
#
# <details><summary><b>Why does it matter which names are in a test?</b></summary>
#
# Real text brings new names every day. A test with the names of the training text tests memory; one with new names
# tests reading.
# </details>

# %% [markdown]
# ## 2 · Words and pieces
#
# A tag belongs to a word, but BERT reads pieces of words. Which piece gets the tag?

# %%
from minibert.class_model import class_model

model, tokenizer = class_model()
encoding = tokenizer.encode_words(["Quixworth", "left", "Old", "Ashby", "."])
View(word_lines({"piece": encoding.pieces, "of word": [str(number) for number in encoding.words]}))

# %% [markdown]
# The second line says which word each piece comes from. *Quixworth*, word 0, is a person, cut into several pieces. How
# does the BERT paper label them (section 5.3)?

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
    return ("<p>The first piece takes the label of the word. The others get <code>IGNORE</code> (−100): the loss "
            f"leaves them out. In code:</p><pre>{html.escape(inspect.getsource(align_labels))}</pre>")

GuessChoice("What labels do the pieces of Quixworth get in the paper?",
            ["B-PER on every piece", "B-PER, then I-PER", "B-PER, then no label", "no label, at the end B-PER"],
            paper_labels, see=first_piece)

# %% [markdown]
# Type a sentence with a `/` between each word and its tag (`/O` may be left out), and see the sequence that BERT is
# trained on. What happens with a long word of your own?

# %% jupyter={"source_hidden": true}
def draw_row(text):
    words, tags = zip(*((*part.rsplit("/", 1), "O")[:2] if "/" in part else (part, "O") for part in text.split()))
    encoding = tokenizer.encode_words(list(words))
    labels = align_labels([None, *encoding.words, None], list(range(len(words))))
    shown = ["–" if label == IGNORE else tags[label] for label in labels]
    first = [i for i, label in enumerate(labels) if label != IGNORE]
    return word_lines({"piece": ["[CLS]", *encoding.pieces, "[SEP]"], "label": shown}, first,
                      f"{len(first)} of {len(labels)} tokens carry a label (yellow); "
                      f"the sentence has {len(words)} words.")

Explorer(draw_row, text=widgets.Text("Quixworth/B-PER left Old/B-LOC Ashby/I-LOC .", description="My row",
                                     continuous_update=False, layout={"width": "460px"}))

# %% [markdown]
# <details><summary><b>Why does the paper do it like this?</b></summary>
#
# With a label on every piece, a word of four pieces would count four times in the loss and give four answers, which may
# differ. With one label, every word counts once, as in the score. The first piece sees the others anyway: attention
# looks both ways. What matters is to do the same in training and in use.
# </details>
#
# <details><summary><b>Does the model lose anything by reading only lowercase?</b></summary>
#
# Yes. *Mark* the person and *mark* the sign become the same token. For this task the paper uses a **cased** BERT, which
# keeps capitals. Our model is **uncased**: it reads lowercase only, so capitals cannot show it where a name is.
# </details>

# %% [markdown]
# ## 3 · B, I and O
#
# An `I-` should follow a `B-` or an `I-` of its own type. But each word is tagged by itself, so nothing stops a model
# from saying `O I-LOC`. That `I-` is a **stray**: no entity has begun before it. CoNLL-2003 has an official
# script, `conlleval`, that reads entities from tags and scores them. How does it read strays?

# %% jupyter={"source_hidden": true}
from minibert.reference import decode_entities

READINGS = ["no entity", "one entity of two words", "two entities of one word"]

def in_words(tags):
    return "; ".join(f"{kind}: word {first}" if first == last else f"{kind}: words {first} to {last}"
                     for kind, first, last in decode_entities(tags)) or "no entities"

def strays():
    lines = "\n".join(f"{tags:14s} {in_words(tags.split())}"
                      for tags in ("O I-LOC I-LOC", "B-PER I-LOC", "B-PER B-PER", "I-PER I-PER"))
    return ("<p>The script lets a stray I- begin an entity, and so do we. More examples, with the words counted "
            f"from 0:</p><pre>{lines}</pre>")

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
    return word_lines({"number": [str(i) for i in range(5)], "word": FIVE, "tag": given}, stray,
                      in_words(given) + (f". Yellow: {len(stray)} stray I-." if stray else "."))

Explorer(draw_tags, tags=widgets.Text("B-PER I-PER O B-LOC I-LOC", description="Tags", continuous_update=False,
                                      layout={"width": "360px"}))

# %% [markdown]
# <details><summary><b>Why does it matter how strays are read?</b></summary>
#
# A score must not depend on who computes it. A script that drops strays and one that keeps them give the same answers
# two different scores, so say which script you used.
# </details>
#
# <details><summary><b>Could one forbid them?</b></summary>
#
# Yes: with a layer that scores which tag may follow which (a conditional random field), or with a search for the best
# legal sequence of tags. The BERT paper does without: the encoder's vector of a word already takes in its neighbours.
# </details>

# %% [markdown]
# ## 4 · A score that does not flatter
#
# One score counts words: **accuracy** is the share of words with the right tag. Another counts entities: an entity is
# right if its **type and both its ends** are right.
#
# - **precision** P: what share of the entities found is right?
# - **recall** R: what share of the entities that are there was found?
# - **F1** = 2 P R / (P + R), which is closer to the smaller of the two.
#
# The laziest tagger says `O` to every word:

# %%
from minibert.tasks.entity_score import accuracy, entity_f1

gold = [s.tags for s in test]
lazy = [["O"] * len(tags) for tags in gold]
lazy_scores = entity_f1(gold, lazy)

# %% [markdown]
# Most words are outside every entity. Drag both bars.

# %% jupyter={"source_hidden": true}
def flattered():
    assert lazy_scores["F1"] == 0
    return (f"<p>Accuracy flatters: {lazy_scores['accuracy']:.0f}% of the words are right. But no entity is found, so "
            f"recall and F1 are {lazy_scores['F1']:.0f}.</p>")

GuessBars("A tagger says O to every word. What does it reach?", ["words right, %", "F1 of entities"],
          lambda: [lazy_scores["accuracy"], lazy_scores["F1"]], top=100, within=8, axis="score", see=flattered)

# %% [markdown]
# Another tagger makes just one small mistake: it forgets the last word of each entity of several words. Here it is,
# among others with other faults:

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
# How does the forgetful tagger score?

# %% jupyter={"source_hidden": true}
def forgetful():
    scores = entity_f1(gold, [all_but_last(tags) for tags in gold])
    return [scores["accuracy"], scores["F1"]]

GuessBars("A tagger forgets the last word of each long name. What does it reach?", ["words right, %", "F1 of entities"],
          forgetful, top=100, within=10, axis="score")

# %% [markdown]
# Try each tagger on the test sentences. One of them loses no F1 at all. Which one, and why?

# %%
from minibert.viz.plots import bars

def draw_fault(tagger):
    scores = entity_f1(gold, [FAULTS[tagger](tags) for tags in gold])
    title = f"A tagger that {tagger}: accuracy {scores['accuracy']:.0f}%, F1 {scores['F1']:.0f}"
    return bars(["accuracy", "precision", "recall", "F1"], [scores[name] for name in ("accuracy", "precision", "recall", "F1")],
                "percent", title, 3, form="{:.1f}", limit=112)

Explorer(draw_fault, tagger=widgets.Dropdown(options=list(FAULTS), description="A tagger that", layout={"width": "430px"},
                                             style={"description_width": "initial"}))

# %% [markdown]
# <details><summary><b>Which loses no F1, and why?</b></summary>
#
# The one that says I- where it should say B-, though more than one word in ten gets a wrong tag: a stray I- begins an
# entity, too. B- is needed only where two entities of one type touch, and here they never do.
# </details>

# %% [markdown]
# ## 5 · Fine-tuning
#
# The head is one linear layer, from the D numbers of each token to one score per tag. Fine-tuning trains the encoder
# and the head. First a simple baseline: it learns by heart which tag each word had most often.

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
# Now our pretrained model, and beside it a model of the same shape that starts from random weights (from scratch), with
# the same sentences, steps and learning rate. One call of the package trains a model:

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
# Watch the losses: both models learn the 300 sentences by heart.

# %%
curve = LiveCurve("loss", lambda log: float(np.mean([entry["loss"] for entry in log[-20:]])), every=10)
curve.line("pretrained")
tuned = tune(copy.deepcopy(model.encoder), curve)
curve.line("random weights")
torch.manual_seed(0)
scratch = tune(Encoder(model.encoder.config), curve)

# %% [markdown]
# The test has new names. We score all four taggers on it:

# %%
def tags_of(tuned, examples=test):
    return tuned.task.answer(tuned.model, examples)

def table_row(name, given):
    scores = entity_f1(gold, given)
    return name, scores["precision"], scores["recall"], scores["F1"], scores["accuracy"]

taggers = [table_row("O everywhere", lazy), table_row("by heart", by_heart),
           table_row("from scratch, fine-tuned", tags_of(scratch)),
           table_row("pretrained, fine-tuned", tags_of(tuned))]

# %% [markdown]
# What do the two fine-tuned models reach?

# %% jupyter={"source_hidden": true}
from minibert.viz.entities import score_table

def all_four():
    gained = [after - before for before, after in zip(taggers[2][3:], taggers[3][3:])]
    return score_table(["", "precision", "recall", "F1", "accuracy"], taggers,
                       f"Pretraining is worth {gained[0]:.0f} points of F1, and {gained[1]:.0f} of accuracy") + (
        "<p>300 sentences are enough to show <b>what</b> is asked. The model learned to read before, from text "
        "without labels.</p>")

GuessBars("What F1 do the two fine-tuned models reach on new names?", ["random weights", "pretrained"],
          lambda: [row[3] for row in taggers[2:]], top=100, within=10, axis="F1", see=all_four)

# %% [markdown]
# Now we score them on other documents, in which the names of the training sentences come up again.

# %%
again = sentences(100, 5, "dev")
wanted = [s.tags for s in again]
heart = recite(again)
rows = [(name, entity_f1(gold, new)["F1"], entity_f1(wanted, old)["F1"]) for name, new, old in (
    ("by heart", by_heart, heart), ("from scratch, fine-tuned", tags_of(scratch), tags_of(scratch, again)),
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
# Some names are a person in one test sentence and a place in another. This finds them:

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
# Here are three of them. Which words tell *you* which is which?

# %%
def told_apart(name):
    return all(tags_of(tuned, [s])[0][s.words.index(name)] == s.tags[s.words.index(name)] for s in pairs[name])

three = sorted(list(pairs)[:3], key=told_apart, reverse=True)
lines = [(f"{name}, {who}", *joined(s.words, said)) for name in three for s in pairs[name]
         for who, said in (("correct", s.tags), ("BERT", tags_of(tuned, [s])[0]))]
View(entity_lines(lines, TYPES, f"{len(pairs)} names are a person in one test sentence and a place in another"))

# %% [markdown]
# Now all of these names. A name counts when it gets the right tag in both of its sentences.

# %% jupyter={"source_hidden": true}
right = sum(map(told_apart, pairs))

def names_told_apart(number=len(pairs)):
    return f"<p>{right} of {number} names. A list with one type for each name gets none of them.</p>"

GuessNumber("Of 100 such names, how many does it get right in both sentences?",
            lambda: 100 * right / len(pairs), within=12, form="{:.0f}%", see=names_told_apart)

# %% [markdown]
# Your turn, with any text of this language. Swap the names. Invent one. Take away the words that helped.

# %%
def draw_mine(text):
    spans = find_entities(tuned, text)
    return entity_lines([("", text, spans)], TYPES, f"Named entities found: {len(spans)}")

Explorer(draw_mine, text=widgets.Text("Ashby moved to Renwick in 1981, and Renwick moved to Ashby.",
                                      description="My text", continuous_update=False, layout={"width": "560px"}))

# %% [markdown]
# <details><summary><b>Why does it fail on real English?</b></summary>
#
# It has read nothing but the generated language: a few thousand words and the ways they are used there. Pretraining
# helps with the kind of text that was read. (`minibert finetune ner --model` takes published weights, if you have
# them.)
# </details>

# %% [markdown]
# ## 7 · Must BERT be trained at all?
#
# ELMo was used in another way: run it **once**, keep its vectors as **features**, and train something small on top: the
# **feature-based approach**. The BERT paper tries it in section 5.3: the encoder (the *trunk* of lesson 6) stays as it
# is, and a BiLSTM of two layers, a network that reads the sentence in both directions, is trained on its outputs.
#
# Which outputs? The paper tries six choices. In an encoder of three layers, output 0 is the embeddings and outputs 1
# to 3 are the layers, so the “last four” include the embeddings:

# %%
from minibert.finetuning import approaches
from minibert.finetuning.features import LAYERS
from minibert.reference import combine_layers

layers = np.random.default_rng(0).normal(size=(4, 5, 128))          # (L + 1, T, D): L = 3 layers, T = 5 tokens
View(score_table(["approach", "reads outputs", "numbers per token"], [
    (way, ", ".join(map(str, range(4)[places])), str(combine_layers(layers, way).shape[-1]))
    for way, places in LAYERS.items()]))

# %% [markdown]
# *Concat* puts vectors side by side. *Sum* adds them with learned weights, one per layer through a softmax, as in
# ELMo. We add an approach that the paper does not try: `frozen`, a linear head alone on the last layer.
#
# All of this, three times over, takes about eight minutes, so `benchmarks/feature_based.py` has done it: with a
# pretrained encoder of three layers, 300 labelled sentences of this language, and 626 others as a test. The runs differ
# in the head's first weights and in the order of the sentences.

# %%
import json
from minibert.commands import ROOT

runs, trained = defaultdict(list), {}
for run in json.loads((ROOT / "benchmarks" / "feature_based.json").read_text()):
    runs[run["way"]].append(run["f1"])
    trained[run["way"]] = run["trained"]
means = {way: float(np.mean(runs[way])) for way in ("full", *approaches.FEATURE_BASED)}

# %% [markdown]
# What do you expect of these five? A BiLSTM reads the embeddings (which know nothing of the other words), the last
# layer, or four layers side by side. A linear head reads the last layer. Fine-tuning trains everything.

# %% jupyter={"source_hidden": true}
FIVE_WAYS = {"embeddings": "embeddings", "last": "last layer", "concat-last-four": "four layers",
             "frozen": "linear head", "full": "fine-tuning"}
GuessBars("What F1 does each way reach?", list(FIVE_WAYS.values()), lambda: [means[way] for way in FIVE_WAYS], top=100,
          within=5, axis="F1")

# %% [markdown]
# We train two of them live: the linear head, and a BiLSTM on four layers side by side (on the sum of all, if your model
# has only two layers). The frozen encoder runs once, and only what is on top is trained.

# %%
import time

live, seconds = {}, {}
small = LiveCurve("loss", lambda log: float(np.mean([entry["loss"] for entry in log[-10:]])), every=10)
side_by_side = "concat-last-four" if len(model.encoder.layers) > 2 else "sum-all"
for way, rate in (("frozen", 1e-2), (side_by_side, 3e-3)):
    small.line(way)
    begin = time.perf_counter()
    read = tune(copy.deepcopy(model.encoder), small, steps=None, epochs=24, batch_size=32, peak_rate=rate, approach=way)
    live[way], seconds[way] = entity_f1(gold, tags_of(read))["F1"], time.perf_counter() - begin

# %% [markdown]
# The paper's numbers are F1 on CoNLL-2003's development set, with a cased BERT-base (fine-tuned BERT-large: 96.6).

# %%
PAPER = {"full": 96.4, "frozen": None, "embeddings": 91.0, "second-to-last": 95.6, "last": 94.9, "sum-last-four": 95.9,
         "concat-last-four": 96.1, "sum-all": 95.5}

# %% [markdown]
# “Ours” is the mean of the benchmark's three runs; “live” is what you have just trained. (The quick model of two layers
# scores lower there.)

# %%
live["full"] = entity_f1(gold, tags_of(tuned))["F1"]
best = max(LAYERS, key=means.get)
View(score_table(
    ["approach", "paper, F1", "ours, F1", "lowest to highest", "live, F1", "live, seconds"],
    [({"full": "fine-tuning", "frozen": "linear head (frozen)"}.get(way, way), PAPER[way], means[way],
      f"{min(runs[way]):.1f} to {max(runs[way]):.1f}", live.get(way), seconds.get(way)) for way in means],
    f"Fine-tuning {means['full']:.1f}; the best of the paper's six choices here is {best}, {means[best]:.1f}"))

# %% [markdown]
# What carries over from the paper to our small language?

# %% jupyter={"source_hidden": true}
ours, theirs = (max(LAYERS, key=table.get) for table in (means, PAPER))
assert ours == theirs and means["full"] > means["frozen"] > means[ours] and PAPER["full"] > PAPER[theirs]
View(score_table(["", "paper", "ours"], [
    ("best choice of layers", theirs, ours),
    ("fine-tuning is ahead of it by", PAPER["full"] - PAPER[theirs], means["full"] - means[ours]),
    ("it is ahead of the embeddings by", PAPER[theirs] - PAPER["embeddings"], means[ours] - means["embeddings"]),
    ("a linear head is ahead of it by", "not tried", means["frozen"] - means[ours])],
    "Differences in points of F1"))

# %% [markdown]
# In both, fine-tuning is first, and four layers side by side are the best of the six. How close they come to
# fine-tuning does not carry over. The paper had nearly fifteen thousand sentences, from which its BiLSTM could learn
# much by itself, and twelve layers. Ours has 300 sentences, and a linear head does no worse than a BiLSTM.
#
# The linear head reads 128 numbers per token and scores nine tags: `O`, and B- and I- for each of four types.

# %% jupyter={"source_hidden": true}
def all_trained():
    title = f"Fine-tuning trains {trained['full']:,} numbers, a linear head {trained['frozen']:,}"
    names = ["fine-tuning" if way == "full" else way for way in trained]
    return bars(names, [number / 1000 for number in trained.values()],
                "thousand trained numbers", title, list(trained).index("frozen"), form="{:,.1f}")

GuessNumber(f"Fine-tuning trains {trained['full']:,} numbers. How many does the linear head alone train?",
            lambda: trained["frozen"], within=100, see=all_trained)

# %% [markdown]
# Such a head trains in seconds, and one frozen encoder can serve a hundred tasks. That is the case for features. The
# case for fine-tuning is the score.
#
# <details><summary><b>Why may the last layer be worse than the one before?</b></summary>
#
# It is shaped most by the pretraining task, predicting masked tokens. For another task, a lower layer may be more
# useful: in the paper the second-to-last is better by 0.7, in our table it is not. Fine-tuning need not choose: it
# reshapes the top.
# </details>

# %% [markdown]
# ## 8 · In real English
#
# Back to the model from the top: an encoder that has read English, with a head like that of section 5. It learned from
# sentences of Wikipedia and of the web. (If it is not available, a line says so, and the model that you fine-tuned in
# section 5 takes its place, with the types of its own language.)
#
# Count the people, places, organisations and other names (such as *Norwegian*) in the text below. Count every mention,
# but leave out days. **Guess first**: how many will the model find? Then try a text from a newspaper.

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
# One text proves little. These are the model's scores, in percent, on held-out sentences: wikigold is Wikipedia, and
# WNUT-17 is posts and comments with rare and new names.

# %%
from minibert.english.adapter import Adapter
from minibert.english.model import TASKS, WEIGHTS

scores = Adapter.load(WEIGHTS / TASKS["english-ner"]).card["scores"]
View(score_table(["", "precision", "recall", "F1"], [
    (name, *(float(score[key]) for key in ("precision", "recall", "F1"))) for name, score in scores.items()]))

# %% [markdown]
# An answer hides how sure the model was. A softmax gives each tag a probability at each token; only those at the first
# piece of a word are used (yellow in the answer).
#
# **Guess first.** At which word is the model least sure? Then try names from your town, and long ones.

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
# **Guess first.** How many of the entities that the model finds will it still find if the text is in lowercase?

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
# In English, a capital inside a sentence is nearly a label. A cased model pays for it elsewhere: in headlines and
# chats, where capitals are everywhere or missing, its best hint misleads it.
# </details>
#
# Last, one name in ten sentences. In the first nine, the context says what it is. In the tenth, it does not.

# %%
FRAMES = {"{} was born in 1960 and has two children.": "a person", "My friend {} is a good cook.": "a person",
          "“I am tired,” said {} and went to bed.": "a person",
          "We took the train to {} and stayed for a week.": "a place", "It often rains in {} in winter.": "a place",
          "They moved from the north to {} last year.": "a place",
          "Shares of {} fell after the company lost a contract.": "an organisation",
          "She works for {} as an engineer.": "an organisation",
          "The board of {} met on Monday.": "an organisation", "I like {}.": "not said"}

# %% [markdown]
# **Guess first.** In how many of the first nine sentences will the right type be the most likely? Then try *Paris*,
# *Ford*, *Georgia*, a name of your own, and a word that is not a name.

# %% jupyter={"source_hidden": true}
def type_probabilities(frame, name):
    """The probability of each type, and of O, at the first word of the name in the sentence."""
    if not english.tokenizer.encode(name).ids:
        raise ValueError("write a name")
    _, _, probs, firsts = tag_probabilities(frame.format(name))
    before = BasicTokenizer(lower_case=False).split(frame.split("{}")[0])
    row = probs[firsts[len(before)]]
    return [100 * sum(p for p, tag in zip(row, english.task.tags) if tag.partition("-")[2] == kind)
            for kind in ("", *types_of(english.task))]

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
# Where the context says little, as in the last sentence, the probabilities show mostly what the name alone suggests to
# the model. Where name and context disagree, see which one wins.
#
# How can the context alone tell the type? Here is the encoder before any fine-tuning, with the name masked. Are the
# most likely words people, places or firms? Try other sentences of the list, with `[MASK]` in place of the name.

# %%
from minibert.viz import explore

explore(minibert.load("english"), "We took the train to [MASK] and stayed for a week.")

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
        Choice("None", False, "A stray I- begins an entity, as B- would."),
        Choice("One of two words", False, "The types differ, so a new entity begins."),
        Choice("A place of one word, then a person of one word", True, "Right: both are strays, and both begin an entity."),
    ]),
    Question("A tagger says O to every word. Its accuracy is 85%. Its F1 is …", [
        Choice("85", False, "F1 counts entities, and it found none."),
        Choice("0", True, "Right. It found nothing, so its recall is 0."),
        Choice("15", False, "That is its share of wrong words."),
    ]),
    Question("Three words are one name; the model tags the first two only. What does the entity score count?", [
        Choice("Two thirds of an entity", False, "There are no parts: both ends must be right."),
        Choice("One found that is wrong, one wanted that is missed", True, "Right: it lowers precision and recall."),
        Choice("One right entity", False, "Its end is wrong."),
    ]),
    Question("Why does the pretrained model do well on names that no labelled sentence has?", [
        Choice("It reads what stands around them", True, "Right: the same name is a person here and a place there."),
        Choice("It has a list of names", False, "A list cannot tell the two meanings of one name apart."),
        Choice("Names are capitalised", False, "This model reads lowercase only."),
    ]),
    Question("What does the feature-based approach leave as it is?", [
        Choice("The BiLSTM", False, "That is just what they train."),
        Choice("The encoder", True, "Right: it runs once over the text, and its outputs are kept."),
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
# - **Labels on first pieces**: one for each word, and IGNORE for the rest. In use, the first piece answers for its
#   word.
# - **BIO tags** mark entities of several words; a stray I- begins one. Say which script you score with.
# - **Entity F1**, not accuracy: a tagger that always says O has most of the words right, and an F1 of 0.
# - **Fine-tuned** on 300 sentences, a pretrained model reads the context: new names, and one name in two meanings.
#   From scratch, the same training learns the 300 sentences just as well, but does worse on new names.
# - In **real English** an uncased model finds names by their context and by what it has read; capitals tell it nothing.
# - **Features**: a frozen encoder with a small network on top comes close, at little cost: in the paper, four layers
#   side by side are only 0.3 points behind fine-tuning; here they are further behind.
#
# ## Read on
#
# - Devlin et al. (2019), *BERT*, [arXiv 1810.04805](https://arxiv.org/abs/1810.04805): section 5.3 and table 7.
# - Tjong Kim Sang and De Meulder (2003), *CoNLL-2003*, [arXiv cs/0306050](https://arxiv.org/abs/cs/0306050): section 2.
# - Peters et al. (2018), *ELMo*, [arXiv 1802.05365](https://arxiv.org/abs/1802.05365): section 3.2, the weighted sum.
# - In the package: `minibert/tasks/tagging.py`, `minibert/tasks/entity_score.py`, `minibert/finetuning/features.py`,
#   `frozen.py`; `minibert/reference/tagging.py` does it in NumPy. `minibert predict ner --html` writes a page with the
#   names marked.
#
# **Next**: the exercise `exercises/08_tagging`. Then lesson 9: ELMo, GPT and BERT on the same text.
