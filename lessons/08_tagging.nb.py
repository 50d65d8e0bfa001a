# %% [markdown]
# # 8 · Tagging: a label for every word
#
# *Ashby moved to Renwick.* Here Ashby is a person and Renwick a place; in the next text it may be the other way round.
# A **named entity** is something with a name: a person, a place, an organisation. **Named entity recognition** (NER)
# finds the named entities of a text and their types.
#
# **After this lesson you can**
#
# - label tokens for tagging, and turn the answers back into entities,
# - say why a tagger that is right for most words may be worth nothing,
# - fine-tune BERT on 300 sentences, and test whether it reads the context,
# - forbid impossible sequences of tags, and measure what that is worth,
# - use BERT's outputs as features, in the six ways of its paper.
#
# **You need** lessons 3, 6 and 7. **Time:** about 80 minutes; the code alone runs in about 90 seconds on two cores.
#
# Run the cells in order with Shift + Enter. Three functions, marked **Your turn**, are yours to write.

# %% jupyter={"source_hidden": true}
from minibert.course.widgets.here import here

here(8)

# %% [markdown]
# ## The finished thing first
#
# This model finds the named entities of a text, with the types of the CoNLL-2003 **shared task** (a public
# competition): people (PER), places (LOC), organisations (ORG) and other names (MISC), such as *German*. Try it on some
# of today's news. What does it miss, and what does it get wrong? (If a line says that the course's own model takes its
# place, ignore the answers.)

# %% jupyter={"source_hidden": true}
import ipywidgets as widgets
import minibert
from minibert.course.models.class_model import untrained_model
from minibert.course.widgets.entities import entity_lines
from minibert.course.widgets.view import Controls

CONLL = ["O", *(f"{edge}-{kind}" for kind in ("LOC", "MISC", "ORG", "PER") for edge in "BI")]
english = minibert.load("english-ner", instead=untrained_model("ner", tags=CONLL))
NEWS = ("David Miller, a teacher from London, flew to Germany on Monday. In Berlin he met Anna Schmidt, who "
        "works for Siemens. The German company wants to build a school in New York together with Microsoft, "
        "said Mr Miller.")

def find_entities(tuned, text):
    return [(entity.start, entity.end, entity.type) for entity in tuned.predict(text)]

def find_in(tuned, text):
    spans = find_entities(tuned, text)
    return entity_lines([("", text, spans)], tuned.task.types, f"Named entities found: {len(spans)}")

Controls(lambda text: find_in(english, text),
         text=widgets.Textarea(NEWS, description="News", rows=5, continuous_update=False,
                               layout={"width": "95%"}))

# %% [markdown]
# ## Do you remember lesson 7?
#
# Choose an answer. You may choose again.

# %% jupyter={"source_hidden": true}
from minibert.course.widgets.quiz import Choice, Quiz, QuizQuestion

Quiz([
    QuizQuestion("How many numbers does the span head give for each token?", [
        Choice("Two: one for start, one for end", True, "Right. A linear layer from D numbers to 2."),
        Choice("One for each possible answer", False, "There are far too many spans for that."),
        Choice("One for each word of the vocabulary", False, "That is the masked LM head."),
    ]),
    QuizQuestion("Why is the best start with the best end not always the best span?", [
        Choice("The end may lie before the start", True, "Right, or much too far behind it."),
        Choice("Their probabilities do not add up to 1", False, "Each softmax adds up to 1."),
        Choice("The search may miss the best start", False, "It is found for certain, and so is the best end."),
    ]),
    QuizQuestion("A passage is longer than the model's sequence. What happens?", [
        Choice("It is cut, and the rest is lost", False, "Then answers in the rest could never be found."),
        Choice("It is read in overlapping windows", True, "Right, and so are long texts in tagging."),
        Choice("The positions are stretched", False, "No vector was trained for further positions."),
    ]),
])

# %% [markdown]
# ## 1 · A language full of names
#
# Our generated language comes with its people, places, organisations and dates marked. The folded cell writes it to
# files with a word and its tag on each line, as in CoNLL-2003, and reads them.

# %% jupyter={"source_hidden": true}
import tempfile
from pathlib import Path
from minibert.course.models.class_model import WORLD_SEED
from minibert.readers.conll import read_conll
from minibert.generated import World, to_conll

def sentences(count, seed, split):
    path = Path(tempfile.mkdtemp()) / f"{split}.conll"
    path.write_text(to_conll(World(WORLD_SEED).documents(count, seed=seed, split=split)))
    return read_conll(path)

# %% [markdown]
# We train on only 300 labelled sentences:

# %%
import numpy as np

labelled, dev, test = sentences(120, 2, "train"), sentences(100, 5, "dev"), sentences(100, 3, "test")
chosen = np.random.default_rng(3).permutation(len(labelled))[:300]
train = [labelled[i] for i in chosen]
print(f"{len(train)} sentences for training, {len(dev)} for development, {len(test)} for the test")

# %% [markdown]
# Six of them:

# %%
from minibert.course.widgets.entities import text_and_spans
from minibert.course.widgets.view import View

TYPES = ["LOC", "DATE", "ORG", "PER"]
View(entity_lines([("", *text_and_spans(s.words, s.tags)) for s in train[:6]], TYPES))

# %% [markdown]
# In the file, `B-PER` **b**egins a person, `I-PER` goes on **i**nside it, and `O` is **o**utside every entity. These
# **BIO tags** say where a word stands in an entity, and the entity's type. The first sentence with an `I-`:

# %%
from minibert.course.widgets.entities import word_lines

longer = next(s for s in train if any(tag[0] == "I" for tag in s.tags))
View(word_lines({"word": longer.words, "tag": longer.tags}))

# %% [markdown]
# <details><summary><b>How does CoNLL-2003 itself write its tags?</b></summary>
#
# In an older form, **IOB1**: an entity begins with `I-`, and `B-` is used only where it touches another one of its own
# type (Tjong Kim Sang and De Meulder, 2003, section 2). The form above, in which every entity begins with `B-`, is also
# called IOB2. Check which one a file is in before you train.
#
# </details>
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
#
# </details>
#
# Any name of this language can be a person's, a place's or a firm's, like *Washington*, *Paris* and *Ford* in English.

# %% jupyter={"source_hidden": true}
from collections import defaultdict

def types_of_words(examples):
    kinds = defaultdict(set)
    for s in examples:
        for word, tag in zip(s.words, s.tags):
            if tag[2:] in ("PER", "LOC", "ORG"):
                kinds[word].add(tag[2:])
    return kinds

kinds, known = types_of_words(test), types_of_words(labelled)
several = sorted(word for word, found in kinds.items() if len(found) > 1)
print(f"{len(kinds)} different words in names of the test sentences; {len(several)} of them in names of "
      "several types")

# %% [markdown]
# Suppose you learned all the names in the labelled documents by heart.

# %% jupyter={"source_hidden": true}
from minibert.course.widgets.guess_then_see import GuessBars, GuessChoice, GuessNumber, my_guesses

seen = sorted(set(kinds) & set(known))
stock = World(WORLD_SEED).names
assert {*stock["test"].bases, *stock["test"].firsts} <= {*stock["pretrain"].bases, *stock["pretrain"].firsts}

def known_by_heart():
    assert len(seen) < len(kinds) / 10
    return (f"<p>{len(seen)} of {len(kinds)}: <i>{'</i>, <i>'.join(seen)}</i>. The test has names that no "
            "labelled sentence has, so a list will not help. (The text for pretraining has them, but not their "
            "types.)</p>")

GuessNumber("Of 100 different words in the names of the test, how many do you know by heart?",
            lambda: 100 * len(seen) / len(kinds), within=7, form="{:.0f}%", see=known_by_heart)

# %% [markdown]
# <details><summary><b>Why does it matter which names are in a test?</b></summary>
#
# Real text brings new names every day. A test with the names of the training text tests memory; one with new names
# tests reading.
#
# </details>
#
# ## 2 · Words and tokens
#
# A tag belongs to a word, but BERT reads tokens, and a word may be cut into several:

# %%
from minibert.course.models.class_model import class_model

model, tokenizer = class_model()
encoding = tokenizer.encode_words(["Quixworth", "left", "Old", "Ashby", "."])
View(word_lines({"token": encoding.pieces, "of word": [str(number) for number in encoding.words]}))

# %% [markdown]
# *Quixworth*, word 0, is a person.

# %% jupyter={"source_hidden": true}
from minibert.data.batch import IGNORE
from minibert.data.tagging import align_labels

PIECES = [word for word in encoding.words if word == 0]       # those of Quixworth
assert len(PIECES) > 1

def paper_labels():
    first, *others = align_labels(PIECES, [1])
    assert first == 1
    return "B-PER, then no label" if set(others) == {IGNORE} else "B-PER on every token"

def first_piece():
    return ("<p>The first token takes the label of the word. The others get <code>IGNORE</code> (−100): the "
            "loss leaves them out.</p>")

GuessChoice("How does the BERT paper (section 5.3) label the tokens of Quixworth?",
            ["B-PER on every token", "B-PER, then I-PER", "B-PER, then no label",
             "no label, then B-PER"],
            paper_labels, see=first_piece)

# %% [markdown]
# Write a `/` between each word and its tag (`/O` may be left out). Add `Quixworth/B-PER`: what becomes of a long word?

# %% jupyter={"source_hidden": true}
def draw_row(text):
    words, tags = zip(*((*part.rsplit("/", 1), "O")[:2] if "/" in part else (part, "O")
                        for part in text.split()))
    encoding = tokenizer.encode_words(list(words))
    labels = align_labels([None, *encoding.words, None], list(range(len(words))))
    shown = ["–" if label == IGNORE else tags[label] for label in labels]
    first = [i for i, label in enumerate(labels) if label != IGNORE]
    return word_lines({"token": ["[CLS]", *encoding.pieces, "[SEP]"], "label": shown}, first,
                      f"{len(first)} of {len(labels)} tokens carry a label (yellow); "
                      f"the sentence has {len(words)} words.")

Controls(draw_row, text=widgets.Text("Old/B-LOC Ashby/I-LOC .", description="Tagged",
                                     continuous_update=False, layout={"width": "460px"}))

# %% [markdown]
# The function behind it:

# %%
from minibert.course.widgets.source import show_source

show_source(align_labels, fold="The package's version: write your own in the exercise first")

# %% [markdown]
# <details><summary><b>Why is only the first token labelled?</b></summary>
#
# The paper gives no reason; here are two. With a label on every token, a word of four tokens would count four times in
# the loss and give four answers, which may differ. With one label, every word counts once, as in the score. The first
# token sees the others anyway: attention looks both ways. What matters is to do the same in training and in use.
#
# </details>
#
# <details><summary><b>Does the model lose anything by reading only lowercase?</b></summary>
#
# Yes. *Mark* the person and *mark* the sign become the same token. For this task the paper uses a **cased** BERT, which
# keeps capitals, and gives it as much of the document around a sentence as fits. Our model is **uncased**, and our
# sentences stand alone.
#
# </details>
#
# ## 3 · B, I and O
#
# An `I-` should follow a `B-` or an `I-` of its own type. But each tag is chosen independently, so nothing stops a
# model from saying `O I-LOC`. That `I-` is a **stray**: there is no entity that it continues. How does `conlleval`,
# CoNLL-2003's official scorer, read strays?

# %% jupyter={"source_hidden": true}
from minibert.data.tagging import decode_entities

READINGS = ["no entity", "one entity of two words", "two entities of one word"]

def in_words(tags):
    return "; ".join(f"{kind}: word {first}" if first == last else f"{kind}: words {first} to {last}"
                     for kind, first, last in decode_entities(tags)) or "no entities"

def strays():
    lines = "\n".join(f"{tags:14s} {in_words(tags.split())}"
                      for tags in ("O I-LOC I-LOC", "B-PER I-LOC", "B-PER B-PER", "I-PER I-PER"))
    return ("<p>The script lets a stray I- begin an entity, and so do we. More examples, with the words "
            f"counted from 0:</p><pre>{lines}</pre>")

GuessChoice("What are the tags O I-LOC I-LOC for conlleval?", READINGS,
            lambda: READINGS[len(decode_entities(["O", "I-LOC", "I-LOC"]))], see=strays)

# %% [markdown]
# Change the tags: make *Mira Harlow* two people, then write strays.

# %% jupyter={"source_hidden": true}
FIVE = ["Mira", "Harlow", "left", "Old", "Ashby"]

def draw_tags(tags):
    given = tags.split()
    if len(given) != len(FIVE):
        raise ValueError(f"{len(given)} tags, but {len(FIVE)} words: {', '.join(FIVE)}")
    stray = [i for i, tag in enumerate(given) if tag[0] == "I" and (i == 0 or given[i - 1][2:] != tag[2:])]
    return word_lines({"number": [str(i) for i in range(5)], "word": FIVE, "tag": given}, stray,
                      in_words(given) + (f". Yellow: {len(stray)} stray I-." if stray else "."))

Controls(draw_tags, tags=widgets.Text("B-PER I-PER O B-LOC I-LOC", description="Tags",
                                      continuous_update=False, layout={"width": "360px"}))

# %% [markdown]
# <details><summary><b>Why does it matter how strays are read?</b></summary>
#
# A score must not depend on who computes it. A script that drops strays and one that keeps them give the same answers
# two different scores, so say which script you used.
#
# </details>
#
# Strays can also be forbidden. **Constrained decoding** takes the best of the allowed answers: here, the sequence of
# tags without strays whose logits have the highest sum. The **Viterbi algorithm** finds it word by word, keeping only
# the best way to each tag.
#
# **Your turn.** It needs one rule: may `tag` come right after `before`? (A first word follows an `O`.)

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
#
# </details>
#
# <details><summary><b>Could the model learn the rule?</b></summary>
#
# Yes: a **conditional random field** (CRF) is a last layer that learns a score for each pair of neighbouring tags. The
# BERT paper does without one (section 5.3). Lester et al. (2020) find no statistically significant difference between a
# CRF and constrained decoding, which trains twice as fast.
#
# </details>
#
# ## 4 · A score that does not flatter
#
# Accuracy counts words. Precision, recall and F1 (lesson 6) here count entities: one is right only if its **type
# and both its ends** are. The laziest tagger says `O` to every word:

# %%
from minibert.tasks.entity_score import accuracy, entity_f1

gold = [s.tags for s in test]
lazy = [["O"] * len(tags) for tags in gold]
lazy_scores = entity_f1(gold, lazy)

# %% [markdown]
# Drag both bars.

# %% jupyter={"source_hidden": true}
def flattered():
    assert lazy_scores["F1"] == 0
    return (f"<p>Accuracy flatters: {lazy_scores['accuracy']:.1f}% of the words are right. But no entity is "
            f"found, so recall and F1 are {lazy_scores['F1']:.0f}.</p>")

GuessBars("A tagger says O to every word. What does it reach?", ["words right, %", "entity F1"],
          lambda: [lazy_scores["accuracy"], lazy_scores["F1"]], top=100, within=8, axis="score",
          see=flattered)

# %% [markdown]
# Another tagger makes only one kind of mistake.

# %% jupyter={"source_hidden": true}
def all_but_last(tags):
    ends = {last for _, first, last in decode_entities(tags) if last > first}
    return ["O" if i in ends else tag for i, tag in enumerate(tags)]

FAULTS = {
    "says O to everything": lambda tags: ["O"] * len(tags),
    "forgets the last word of a long entity": all_but_last,
    "takes every place for a person": lambda tags: [tag.replace("LOC", "PER") for tag in tags],
    "finds people only": lambda tags: [tag if tag.endswith("PER") else "O" for tag in tags],
    "says B- where it should say I-": lambda tags: [tag.replace("I-", "B-") for tag in tags],
    "says I- where it should say B-": lambda tags: [tag.replace("B-", "I-") for tag in tags],
}

def forgetful():
    scores = entity_f1(gold, [all_but_last(tags) for tags in gold])
    return [scores["accuracy"], scores["F1"]]

GuessBars("A tagger forgets the last word of each entity of several words. What does it reach?",
          ["words right, %", "entity F1"], forgetful, top=100, within=10, axis="score")

# %% [markdown]
# Try taggers with other faults. Which one loses no F1 at all, and why?

# %% jupyter={"source_hidden": true}
from minibert.course.widgets.plots import bars

def draw_fault(tagger):
    scores = entity_f1(gold, [FAULTS[tagger](tags) for tags in gold])
    title = f"A tagger that {tagger}: accuracy {scores['accuracy']:.0f}%, F1 {scores['F1']:.0f}"
    names = ["accuracy", "precision", "recall", "F1"]
    return bars(names, [scores[name] for name in names], "percent", title, 3, form="{:.1f}", limit=112)

kept = [name for name, tagger in FAULTS.items() if entity_f1(gold, list(map(tagger, gold)))["F1"] > 99.99]
assert kept == ["says I- where it should say B-"]
Controls(draw_fault, tagger=widgets.Dropdown(options=list(FAULTS), value="finds people only",
                                             description="A tagger that",
                                             layout={"width": "430px"},
                                             style={"description_width": "initial"}))

# %% [markdown]
# <details><summary><b>Which loses no F1, and why?</b></summary>
#
# The one that says I- where it should say B-, though the first word of every entity gets a wrong tag: a stray I- begins
# an entity, too. B- is needed only where two entities of one type touch, and in these sentences they never do.
#
# </details>
#
# ## 5 · Fine-tuning
#
# The head is one linear layer: each token's D numbers become one logit per tag.
#
# **Your turn.** First write a baseline, which learns by heart the tag that each word had most often.

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
#
# </details>
#
# Here is ours on the test; unknown words get `O`:

# %% jupyter={"source_hidden": true}
seen_tags = defaultdict(Counter)
for s in train:
    for word, tag in zip(s.words, s.tags):
        seen_tags[word][tag] += 1

def recite(examples):
    return [[seen_tags[word].most_common(1)[0][0] if word in seen_tags else "O" for word in s.words]
            for s in examples]

by_heart = recite(test)
print(f"by heart: F1 {entity_f1(gold, by_heart)['F1']:.1f}, accuracy {accuracy(gold, by_heart):.1f}%")

# %% [markdown]
# Now our pretrained model, and one of the same shape from scratch, with the same steps and learning rate (given, not
# tuned):

# %%
import copy
import torch
from minibert.finetuning.run import finetune
from minibert.model import Encoder
from minibert.course.widgets.learning_curves import LiveCurve

def tune(encoder, progress=False, **settings):
    settings = dict(steps=240, batch_size=8, peak_rate=1e-3, seed=0) | settings
    torch.manual_seed(settings["seed"])
    return finetune("ner", encoder, tokenizer, train, precision=torch.float32, progress=progress,
                    **settings)[0]

# %% [markdown]
# Watch both losses:

# %%
import time

curve = LiveCurve("loss", lambda log: float(np.mean([entry["loss"] for entry in log[-20:]])), every=10)
curve.line("pretrained")
begin = time.perf_counter()
tuned = tune(copy.deepcopy(model.encoder), curve)
seconds = {"full": time.perf_counter() - begin}
curve.line("from scratch")
torch.manual_seed(0)
scratch = tune(Encoder(model.encoder.config), curve)

# %% [markdown]
# Now the test, with its new names:

# %% jupyter={"source_hidden": true}
from minibert.course.widgets.tables import score_table

def tags_of(tuned, examples=test):
    return tuned.task.answer(tuned.model, examples)

def table_row(name, given, learned):
    scores, fitted = entity_f1(gold, given), entity_f1([s.tags for s in train], learned)
    return name, scores["precision"], scores["recall"], scores["F1"], scores["accuracy"], fitted["F1"]

taggers = [table_row("O everywhere", lazy, [["O"] * len(s.words) for s in train]),
           table_row("by heart", by_heart, recite(train)),
           table_row("from scratch, fine-tuned", tags_of(scratch), tags_of(scratch, train)),
           table_row("pretrained, fine-tuned", tags_of(tuned), tags_of(tuned, train))]

def all_four():
    gained = [after - before for before, after in zip(taggers[2][3:5], taggers[3][3:5])]
    fitted = [row[5] for row in taggers[2:]]
    return score_table(["", "precision", "recall", "F1", "accuracy", "F1 on the training sentences"], taggers,
                       f"In this run pretraining is worth {gained[0]:.1f} points of F1, and {gained[1]:.1f} "
                       "of accuracy") + (
        f"<p>On the training sentences the two reach an F1 of {fitted[0]:.1f} and {fitted[1]:.1f}. The "
        "one difference between them is what the second had learned before, from text without labels (in "
        "which the names of the test occur, too).</p>")

GuessBars("What F1 do the two fine-tuned models reach on new names?", ["from scratch", "pretrained"],
          lambda: [row[3] for row in taggers[2:]], top=100, within=10, axis="F1", see=all_four)

# %% [markdown]
# The dev sentences share many names with the training ones.

# %% jupyter={"source_hidden": true}
wanted = [s.tags for s in dev]
dev_kinds = types_of_words(dev)
met = len(set(dev_kinds) & set(types_of_words(train)))
rows = [(name, entity_f1(gold, new)["F1"], entity_f1(wanted, old)["F1"]) for name, new, old in (
    ("by heart", by_heart, recite(dev)),
    ("from scratch, fine-tuned", tags_of(scratch), tags_of(scratch, dev)),
    ("pretrained, fine-tuned", tags_of(tuned), tags_of(tuned, dev)))]

GuessChoice("Whose F1 rises by the most points when many names are known?", [row[0] for row in rows],
            lambda: max(rows, key=lambda row: row[2] - row[1])[0],
            see=lambda: score_table(["", "F1, new names (test)", "F1, many known names (dev)"], rows,
                                    f"{met} of the {len(dev_kinds)} words in names of the dev sentences are "
                                    "in names of the training sentences"))

# %% [markdown]
# ### Without strays
#
# We fine-tune with two more seeds, and let each of the three models answer both ways:

# %%
seeds = [tuned, *(tune(copy.deepcopy(model.encoder), seed=seed) for seed in (1, 2))]

def constrained(tuned, examples):
    task = copy.copy(tuned.task)
    task.constrained = True
    return task.answer(tuned.model, examples)

both_ways = [(tags_of(one, dev), constrained(one, dev)) for one in seeds]

# %% [markdown]
# Compare the F1 on dev:

# %% jupyter={"source_hidden": true}
from minibert.readers.wording import with_minus

def strays_in(tags):
    return [i for i, tag in enumerate(tags) if tag[0] == "I" and (i == 0 or tags[i - 1][2:] != tag[2:])]

gains = [(entity_f1(wanted, free)["F1"], entity_f1(wanted, bound)["F1"]) for free, bound in both_ways]
assert not any(strays_in(tags) for _, bound in both_ways for tags in bound)

def direction():
    ups = sum(after > before for before, after in gains)
    return {0: "it never raises F1", 3: "it raises F1 each time"}.get(ups, "it depends on the seed")

def what_became_of_them():
    fates = Counter({"I": 0, "B": 0, "O": 0})
    for free, bound in both_ways:
        fates.update(new[i][0] for old, new in zip(free, bound) for i in strays_in(old))
    moved = [after - before for before, after in gains]
    table = score_table(["", "strays without the rule", "F1 without the rule", "F1 with it", "gain"], [
        (f"seed {seed}", str(sum(len(strays_in(tags)) for tags in free)),
         *(f"{score:.2f}" for score in gains[seed]), with_minus(moved[seed], "{:+.2f}"))
        for seed, (free, _) in enumerate(both_ways)],
        "Mean gain {} points, from {} to {}".format(
            *(with_minus(gain, "{:+.2f}") for gain in (np.mean(moved), min(moved), max(moved)))))
    return (f"{table}<p>What becomes of the {sum(fates.values())} strays: {fates['O']} × O, "
            f"{fates['B']} × B-, {fates['I']} × I-. Where one stays I-, the word before now belongs to "
            "the same entity.</p>")

GuessChoice("What does constrained decoding do to the F1 of the three models?",
            ["it never raises F1", "it depends on the seed", "it raises F1 each time"], direction,
            see=what_became_of_them)

# %% [markdown]
# The algorithm:

# %% jupyter={"source_hidden": true}
from minibert.data.tagging import legal_tags

show_source(legal_tags, fold="The Viterbi algorithm in code")

# %% [markdown]
# ## 6 · One name, two meanings
#
# Some names are a person in one sentence and a place in another. Here are three from dev; BERT tags the first two right.
# Which words tell *you*?

# %% jupyter={"source_hidden": true}
def both_meanings(examples):
    """{name: two sentences, in which it is a person, and a place}, shortest sentences first."""
    found = defaultdict(dict)
    for s in sorted(examples, key=lambda s: len(s.words)):
        for name, tag in zip(s.words, s.tags):
            if tag in ("B-PER", "B-LOC") and s.words.count(name) == 1:
                found[name].setdefault(tag, s)
    return {name: [places[tag] for tag in ("B-PER", "B-LOC")]
            for name, places in found.items() if len(places) == 2}

def told_apart(two, name):
    return all(tags_of(tuned, [s])[0][at][2:] == s.tags[at][2:]
               for s in two[name] for at in [s.words.index(name)])

dev_pairs = both_meanings(dev)
fine = [name for name in dev_pairs if told_apart(dev_pairs, name)]
whole = [name for name in fine if tags_of(tuned, dev_pairs[name]) == [s.tags for s in dev_pairs[name]]]
three = [*dict.fromkeys([*whole[:2], *(name for name in dev_pairs if name not in fine), *dev_pairs])][:3]
lines = [(f"{name}, {who}", *text_and_spans(s.words, said)) for name in three for s in dev_pairs[name]
         for who, said in (("correct", s.tags), ("BERT", tags_of(tuned, [s])[0]))]
View(entity_lines(lines, TYPES, f"{len(dev_pairs)} names are a person in one dev sentence and a place in "
                                f"another; BERT tags {len(fine)} of them right in both"))

# %% [markdown]
# Now the test. A name counts when its type is right in both sentences.

# %% jupyter={"source_hidden": true}
pairs = both_meanings(test)
right = sum(told_apart(pairs, name) for name in pairs)

def names_told_apart(number=len(pairs)):
    return f"<p>{right} of {number} names. A list with one type for each name gets none of them.</p>"

GuessNumber("Of 100 such names in the test, how many does it get right in both sentences?",
            lambda: 100 * right / len(pairs), within=12, form="{:.0f}%", see=names_told_apart)

# %% [markdown]
# Try to break it: swap names, invent one, take away the words that helped, write everyday English.

# %% jupyter={"source_hidden": true}
from itertools import permutations

def draw_mine(text):
    spans = find_entities(tuned, text)
    return entity_lines([("", text, spans)], TYPES, f"Named entities found: {len(spans)}")

def it_gets_right(text):
    return [kind for *_, kind in find_entities(tuned, text)] == ["PER", "LOC", "DATE", "PER", "LOC"]

names = [*dict.fromkeys([*fine, *dev_pairs])][:6]
moves = ["{0} moved to {1} in 1981, and {1} moved to {0}.".format(*two) for two in permutations(names, 2)]
Controls(draw_mine, text=widgets.Text(next(filter(it_gets_right, moves), moves[0]), description="My text",
                                      continuous_update=False, layout={"width": "560px"}))

# %% [markdown]
# <details><summary><b>Why does it fail on real English?</b></summary>
#
# It has read nothing but the generated language: a few thousand words and the ways they are used there. Pretraining
# helps with the kind of text that was read. (`minibert finetune ner --model` takes published weights, if you have
# them.)
#
# </details>
#
# ## 7 · Must BERT be trained at all?
#
# ELMo (lesson 9) is used in another way: run it **once**, keep its outputs as **features** (fixed numbers for each
# token), and train something small on them. The BERT paper tries this **feature-based approach** in section 5.3, with a
# two-layer **BiLSTM**, a recurrent network that reads the sentence in both directions, and six choices of outputs. With
# three layers there are four outputs; output 0 is the embeddings:

# %%
from minibert.finetuning import approaches
from minibert.finetuning.features import LAYERS
from minibert.analysis.layers import combine_layers

layers = np.random.default_rng(0).normal(size=(4, 5, 128))      # (L + 1, T, D): L = 3 layers, T = 5 tokens
View(score_table(["approach", "reads outputs", "numbers per token"], [
    (way, ", ".join(map(str, range(4)[places])), str(combine_layers(layers, way).shape[-1]))
    for way, places in LAYERS.items()]))

# %% [markdown]
# *Concat* puts outputs side by side. *Sum* adds them with learned weights, one per layer through a softmax, as in ELMo.
# We add `frozen`: a linear head alone on the last layer.
#
# A benchmark has tried them on our language. What do you expect from a BiLSTM on the embeddings (which know nothing of
# the other words), on the last layer or on four outputs, from a linear head, and from fine-tuning?

# %% jupyter={"source_hidden": true}
from minibert.course.tables import stored

runs, trained = defaultdict(list), {}
BENCHMARK = stored("feature_based")["runs"]
for run in sorted(BENCHMARK, key=lambda run: run["seed"]):
    runs[run["way"]].append(run["f1"])
    trained[run["way"]] = run["trained"]
means = {way: float(np.mean(runs[way])) for way in ("full", *approaches.FEATURE_BASED)}
shape = {key: BENCHMARK[0][key] for key in ("layers", "hidden", "sentences")}
others = " to ".join(str(end({run["dev"] for run in BENCHMARK})) for end in (min, max))
made = (f"{len(runs['full'])} runs of benchmarks/feature_based.py, each with its own pretrained encoder of "
        f"{shape['layers']} layers and its own {shape['sentences']} sentences; F1 on {others} others")

PAPER = {"full": 96.4, "frozen": None, "embeddings": 91.0, "second-to-last": 95.6, "last": 94.9,
         "sum-last-four": 95.9, "concat-last-four": 96.1, "sum-all": 95.5}
NAMED = {"full": "fine-tuning", "frozen": "linear head (frozen)"}

def ahead(one, other):
    paper = "not tried" if None in (PAPER[one], PAPER[other]) else with_minus(PAPER[one] - PAPER[other], "{:+.1f}")
    return (f"{NAMED.get(one, one)} − {NAMED.get(other, other)}", paper, with_minus(means[one] - means[other], "{:+.1f}"),
            ", ".join(with_minus(gap, "{:+.1f}") for gap in np.subtract(runs[one], runs[other])))

def table_seven():
    ours, theirs = (max(LAYERS, key=table.get) for table in (means, PAPER))
    agreed = f"{ours}, as in the paper" if ours == theirs else f"{ours} here, {theirs} in the paper"
    first = max(means, key=means.get)
    rows = [(NAMED.get(way, way), PAPER[way], means[way], f"{min(runs[way]):.1f} to {max(runs[way]):.1f}")
            for way in means]
    said = f"Highest mean of the six choices: {agreed}; of all here: {NAMED.get(first, first)}"
    return (score_table(["approach", "paper, F1", "ours, F1", "lowest to highest"], rows, said)
            + "<p>Paper: table 7, dev F1 on CoNLL-2003 with a cased BERT-base, means of five runs.<br>"
            f"Ours: means of {made}.</p>"
            + score_table(["points of F1", "paper", "ours", "ours, run by run"], [
                ahead("full", theirs), ahead(theirs, "embeddings"), ahead("second-to-last", "last"),
                ahead("frozen", theirs)])
            + "<p>Compare signs, where our runs agree, not sizes: the paper had nearly 15,000 sentences "
            "and twelve layers.</p>")

FIVE_WAYS = {"embeddings": "embeddings", "last": "last layer", "concat-last-four": "four outputs",
             "frozen": "linear head", "full": "fine-tuning"}
GuessBars("What F1 does each way reach on our language?", list(FIVE_WAYS.values()),
          lambda: [means[way] for way in FIVE_WAYS], top=100, within=5, axis="F1", see=table_seven)

# %% [markdown]
# The linear head reads 128 numbers per token and scores nine tags: `O`, and B- and I- for each of four types.

# %% jupyter={"source_hidden": true}
assert trained["frozen"] == (shape["hidden"] + 1) * 9 and shape["hidden"] == 128

def all_trained():
    title = f"Fine-tuning trains {trained['full']:,} parameters, a linear head {trained['frozen']:,}"
    return bars([NAMED.get(way, way) for way in trained], [number / 1000 for number in trained.values()],
                "trained parameters, thousands", title, list(trained).index("frozen"), form="{:,.1f}")

GuessNumber(f"Fine-tuning trains {trained['full']:,} parameters. How many does the linear head alone train?",
            lambda: trained["frozen"], within=100, see=all_trained)

# %% [markdown]
# Two of them live: the linear head, and a BiLSTM on four outputs (on the sum of all, if your model has only two). The
# frozen encoder runs once over the text; the learning rates are the benchmark's.

# %%
live = {}
small = LiveCurve("loss", lambda log: float(np.mean([entry["loss"] for entry in log[-10:]])), every=10)
side_by_side = "concat-last-four" if len(model.encoder.layers) > 2 else "sum-all"
for way, rate in (("frozen", 1e-2), (side_by_side, 3e-3)):
    small.line(way)
    begin = time.perf_counter()
    read = tune(copy.deepcopy(model.encoder), small, steps=None, epochs=24, batch_size=32, peak_rate=rate,
                approach=way)
    seconds[way] = time.perf_counter() - begin
    live[way] = entity_f1(gold, tags_of(read))["F1"]

# %% [markdown]
# This is one run each, with your model, not the benchmark's:

# %% jupyter={"source_hidden": true}
live["full"] = entity_f1(gold, tags_of(tuned))["F1"]
best = max(live, key=live.get)
View(score_table(["approach", "F1 on the test", "seconds of training"], [
    (NAMED.get(way, way), live[way], seconds[way]) for way in seconds],
    f"In this run, {NAMED.get(best, best)} is ahead; your encoder has {len(model.encoder.layers)} layers"))

# %% [markdown]
# The case for features: one frozen encoder can serve a hundred tasks, each with a small network on top.
#
# On CoNLL-2003's test set BERT was not the best (table 7): CSE, whose vectors come from a language model of characters,
# was ahead.
#
# | system | dev F1 | test F1 |
# | --- | --- | --- |
# | ELMo (Peters et al., 2018) | 95.7 | 92.2 |
# | CVT, cross-view training (Clark et al., 2018) | not reported | 92.6 |
# | BERT-base, fine-tuned | 96.4 | 92.4 |
# | BERT-large, fine-tuned | 96.6 | 92.8 |
# | CSE, contextual string embeddings (Akbik et al., 2018) | not reported | **93.1** |
#
# <details><summary><b>Why may the last layer be worse than the one before?</b></summary>
#
# It is shaped most by the pretraining task, predicting masked tokens. For another task, a lower layer may be more
# useful: in the paper the second-to-last is better by 0.7. Fine-tuning need not choose: it reshapes the top.
#
# </details>
#
# ## 8 · In real English
#
# Back to the model from the top: a published English encoder (lesson 1) with low-rank adapters (lesson 6) and a head
# like that of section 5. (If it is not available, your own model takes its place, with its own types.)
#
# **Guess first**: how many named entities will it find in this text? Count every mention, but no days.

# %% jupyter={"source_hidden": true}
from minibert.course.widgets.guess import CommitFirst

english = minibert.load("english-ner", instead=tuned)
MINE = ("The mayor of Bristol, Sarah Okafor, opened a bridge on Friday. It was built by the Norwegian firm "
        "Fjordbru, which also won a contract in Leeds. Okafor said that the Jordan family had paid for the "
        "lights.")

CommitFirst(lambda text: "<p>Type a number.</p>", lambda text: find_in(english, text),
            text=widgets.Textarea(MINE, description="Article", rows=5, continuous_update=False,
                                  layout={"width": "95%"}))

# %% [markdown]
# Its scores on held-out sentences of Wikipedia (wikigold), and of posts and comments with rare names (WNUT-17):

# %% jupyter={"source_hidden": true}
from minibert.english.adapter import Adapter
from minibert.english.model import TASKS, WEIGHTS

scores = Adapter.load(WEIGHTS / TASKS["english-ner"]).card["scores"]
View(score_table(["", "precision", "recall", "F1"], [
    (name, *(float(score[key]) for key in ("precision", "recall", "F1"))) for name, score in scores.items()]))

# %% [markdown]
# **Guess first.** At which word is the model least sure? (Only the probabilities at a word's first token count:
# yellow.) Then try names from your town, and long ones.

# %% jupyter={"source_hidden": true}
from minibert.reference import softmax

def tag_probabilities(text):
    """The words, the T tokens, (T, C) probabilities of the tags, {word number: place of its first token}."""
    example = english.task.example(text)
    rows, _, origins = english.task.encode([example])
    if len(rows) != 1:
        raise ValueError(f"the text fills {len(rows)} sequences, and should fill one")
    tokens = ["[CLS]", *(english.tokenizer.vocab[i] for i in rows[0][0]), "[SEP]"]
    firsts = {word: position for _, word, position in origins[0]}
    return example.words, tokens, softmax(english.task.logits(english.model, rows)[0]), firsts

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

CommitFirst(lambda text: "<p>Type a word of the sentence.</p>", draw_doubts,
            text=widgets.Text("Sarah Okafor flew from Leeds to Paris with Jordan.", description="Sentence",
                              continuous_update=False, layout={"width": "620px"}))

# %% [markdown]
# **Guess first.** How many of the entities in this sentence will it still find in lowercase?

# %% jupyter={"source_hidden": true}
def in_other_letters(text):
    lines, ids = [], []
    for name, spelled in (("as it is", text), ("lowercase", text.lower()), ("CAPITALS", text.upper())):
        lines.append((name, spelled, find_entities(english, spelled)))
        ids.append(english.tokenizer.encode(spelled).ids)
    same = ("The vocabulary is uncased: capitals are gone before the first layer. The three texts have the "
            "same ids, so they get the same tags. Only the words around tell a name from "
            "a word that is spelled alike.")
    said = same if ids[0] == ids[1] == ids[2] else "The three texts have different ids."
    return entity_lines(lines, english.task.types, said)

SPELLED_ALIKE = {"Rose gave a rose to Mark Baker in Turkey.": ["Rose", "Mark Baker", "Turkey"],
                 "Mark left a mark in Rome.": ["Mark", "Rome"],
                 "Mr Baker asked the baker for bread.": ["Baker"]}

def finds_them(text):
    return [text[start:end] for start, end, _ in find_entities(english, text)] == SPELLED_ALIKE[text]

right_one = next(filter(finds_them, SPELLED_ALIKE), list(SPELLED_ALIKE)[0])
CommitFirst(lambda text: "<p>Type a number.</p>",
            in_other_letters, text=widgets.Text(right_one, description="Sentence", continuous_update=False,
                                                layout={"width": "620px"}))

# %% [markdown]
# Now break it: *Bill pays the bill, and Rose from Turkey buys a rose.*
#
# <details><summary><b>Why may a cased model be better for this task?</b></summary>
#
# In English, a capital inside a sentence is nearly a label. A cased model pays for it elsewhere: in headlines and
# chats, where capitals are everywhere or missing, its best hint can mislead it.
#
# </details>
#
# Last, one name in ten sentences: in all but the last, the context says what it is.

# %%
FRAMES = {"{} was born in 1960 and has two children.": "a person", "My friend {} is a good cook.": "a person",
          "“I am tired,” said {} and went to bed.": "a person",
          "We took the train to {} and stayed for a week.": "a place",
          "It often rains in {} in winter.": "a place",
          "They moved from the north to {} last year.": "a place",
          "Shares of {} fell after the company lost a contract.": "an organisation",
          "She works for {} as an engineer.": "an organisation",
          "The board of {} met on Monday.": "an organisation", "I like {}.": "not said"}

# %% [markdown]
# **Guess first.** In how many of the nine will the right type be the most likely? Then try *Paris*, *Ford*, *Georgia*
# and a word that is not a name. Where name and context disagree, which one wins?

# %% jupyter={"source_hidden": true}
def type_probabilities(frame, name):
    """The probability of each type, and of O, at the first word of the name in the sentence."""
    if not english.tokenizer.encode(name).ids:
        raise ValueError("write a name")
    _, _, probs, firsts = tag_probabilities(frame.format(name))
    starts = [start for start, _ in english.task.example(frame.format(name)).places]
    row = probs[firsts[starts.index(frame.index("{}"))]]
    return [100 * sum(p for p, tag in zip(row, english.task.tags) if tag.partition("-")[2] == kind)
            for kind in ("", *english.task.types)]

MEANT = {"a person": "PER", "a place": "LOC", "an organisation": "ORG"}

def draw_frames(name):
    names = ["O", *english.task.types]
    shares = [type_probabilities(frame, name) for frame in FRAMES]
    hits = sum(names[int(np.argmax(row))] == MEANT.get(meant) for row, meant in zip(shares, FRAMES.values()))
    rows = [(f"{frame.format(name)} ({meant})", *row) for (frame, meant), row in zip(FRAMES.items(), shares)]
    return score_table(["", *names], rows,
                       f"“{name}”: percent for each type; the right one is ahead in {hits} of nine")

CommitFirst(lambda name: "<p>Type a number.</p>",
            draw_frames, name=widgets.Text("Washington", description="Name", continuous_update=False))

# %% [markdown]
# Can the context alone tell the type? Here is the same published encoder, trained further on masked tokens instead. Are
# its likeliest words people, places or firms?

# %%
from minibert.course.widgets.explorer.widget import explore

explore(minibert.load("english"), "We took the train to [MASK] and stayed for a week.")

# %% [markdown]
# ## Check yourself
#
# Choose an answer to each.

# %% jupyter={"source_hidden": true}
Quiz([
    QuizQuestion("A name is cut into four tokens. How many of them carry a label?", [
        Choice("One, the first", True, "Right. The others get IGNORE, and the word counts once."),
        Choice("All four", False, "Then long names would count more, and could get four different answers."),
        Choice("None, the word is unknown", False, "Names are cut into subwords, so hardly one is unknown."),
    ]),
    QuizQuestion("Which entities do the tags O I-LOC I-PER mark, for conlleval?", [
        Choice("None", False, "A stray I- begins an entity, as B- would."),
        Choice("One of two words", False, "The types differ, so a new entity begins."),
        Choice("A place of one word, then a person of one word", True, "Right: both strays begin an entity."),
    ]),
    QuizQuestion(f"A tagger says O to every word: {lazy_scores['accuracy']:.1f}% accuracy. Its F1 is …", [
        Choice(f"{lazy_scores['accuracy']:.1f}", False, "F1 counts entities, and it found none."),
        Choice("0", True, "Right. It found nothing, so its recall is 0."),
        Choice(f"{100 - lazy_scores['accuracy']:.1f}", False, "That is its share of wrong words."),
    ]),
    QuizQuestion("Three words are one name; the model tags the first two. What does the entity score count?", [
        Choice("Two thirds of an entity", False, "There are no parts: both ends must be right."),
        Choice("One found that is wrong, one wanted that is missed", True, "Right: precision and recall fall."),
        Choice("One right entity", False, "Its end is wrong."),
    ]),
    QuizQuestion("How can a model tag a name that no labelled sentence has?", [
        Choice("By what stands around it", True, "Right: the same name is a person here and a place there."),
        Choice("By a list of names", False, "A list cannot tell the two meanings of one name apart."),
        Choice("By its capital letter", False, "This model reads lowercase only."),
    ]),
    QuizQuestion("What does the feature-based approach leave as it is?", [
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
# - **Labels on first tokens**: one for each word, and IGNORE for the rest.
# - **BIO tags** mark entities of several words. Scorers differ in how they read strays: name yours.
# - **Constrained decoding** takes the best tags without strays; nothing has to be trained for it.
# - **Entity F1**, not accuracy: a tagger that always says O has most of the words right, and an F1 of 0.
# - **Features** of a frozen encoder come within 0.3 points of fine-tuning in the paper.
# - In **real English** an uncased model finds names by their context and by what it has read.
#
# ## Read on
#
# - Devlin et al. (2019), *BERT*, [arXiv 1810.04805](https://arxiv.org/abs/1810.04805): section 5.3 and table 7.
# - Tjong Kim Sang and De Meulder (2003), *CoNLL-2003*, [arXiv cs/0306050](https://arxiv.org/abs/cs/0306050): section 2.
# - Peters et al. (2018), *ELMo*, [arXiv 1802.05365](https://arxiv.org/abs/1802.05365): section 3.2, the weighted sum.
# - Lester et al. (2020), *Constrained decoding*, [arXiv 2010.04362](https://arxiv.org/abs/2010.04362).
# - Rivals: CSE, [C18-1139](https://aclanthology.org/C18-1139); CVT, [1809.08370](https://arxiv.org/abs/1809.08370).
# - In the package: `minibert/tasks/tagging.py`, `minibert/finetuning/features.py`, `minibert/data/tagging.py`.
#
# **Next**: [the exercise](../exercises/08_tagging/08_tagging.ipynb). Then lesson 9: ELMo, GPT and BERT on the same
# text.
