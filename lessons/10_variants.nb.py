# %% [markdown]
# # 10 · BERT's friends: what was changed, and what it brought
#
# ELMo, BERT, two ERNIEs, Grover, Big Bird: by 2020 half of Sesame Street was a language model. Behind the joke stands
# one question: *what if we change this about BERT?* You will change it yourself, one thing at a time, and then ask the
# question that tables of results seldom answer: is the difference larger than luck?
#
# **After this lesson you can**
#
# - say of each of BERT's relatives what it changed, on five axes,
# - read a change as the difference of a few lines of code,
# - compare two ways of training at equal compute, with several seeds,
# - count ALBERT's parameters, and say what they have to do with speed,
# - draw XLNet's attention masks, and say how far Transformer-XL looks back and what BART has to repair.
#
# **You need** lessons 4, 5 and 9. **Time:** about 100 minutes with guessing, playing and writing; the code alone runs
# in about two minutes on two cores. **Difficulty:** ●●○
#
# Run the cells in order with Shift + Enter. Three functions, marked **Your turn**, are yours to write.

# %% jupyter={"source_hidden": true}
from minibert.course.widgets.here import here

here(10)

# %% [markdown]
# ## The family
#
# BERT's relatives differ from it on five axes: data and length of training, masks, objective, architecture, and
# training procedure. First a guess:

# %% jupyter={"source_hidden": true}
from minibert.course.unit10.views.family_tree import FAMILY, FamilyTree
from minibert.course.widgets.guess_then_see import GuessBars, GuessChoice, GuessNumber, my_guesses

relatives = [one for one in FAMILY if one.changes]
single = [one.name for one in relatives if len(one.changes) == 1]

GuessNumber(f"Of the {len(relatives)} relatives in our family tree, how many changed one axis only?", lambda: len(single),
            within=1, see=lambda: f"<p>{', '.join(single)}. All others changed several at once.</p>")

# %% [markdown]
# Choose a model to read what it changed and what that brought. A line leads to the model that it builds on; the letters
# are the axes that it changed, and a button lights up one axis.

# %%
FamilyTree()

# %% [markdown]
# A model that changes four things and scores better does not say which of them helped. So we change one at a time.
#
# ## Do you remember lesson 9?

# %% [markdown]
# You may choose again.

# %% jupyter={"source_hidden": true}
from minibert.course.widgets.quiz import Choice, Quiz, QuizQuestion

Quiz([
    QuizQuestion("Why can a deep model that looks both ways not simply predict each token of its input?", [
        Choice("The token could see itself through others", True, "Right. From the second layer on, its neighbours "
               "know it. [MASK] removes it from the input."),
        Choice("It would take too much memory", False, "It takes as much as BERT's attention."),
        Choice("There would be no loss", False, "There would be one, and it would soon be close to 0."),
    ]),
    QuizQuestion("What does GPT's attention mask hide?", [
        Choice("All tokens to the right", True, "Right: each token sees itself and what stands before it."),
        Choice("15% of the tokens", False, "That is BERT's masking, of the input. GPT masks no input."),
        Choice("The padding only", False, "It hides padding too, but above all what comes later."),
    ]),
    QuizQuestion("Two models differ by one point. What do you ask first?", [
        Choice("How far apart are two seeds of the same model?", True, "Right. Without that, one point says nothing."),
        Choice("Which one is larger?", False, "Also worth asking, but first: is there a difference at all?"),
        Choice("Which one is newer?", False, "A date is no evidence."),
    ]),
])

# %% [markdown]
# ## 1 · How we compare
#
# The small experiments share one recipe: text, width, and optimiser (Muon). As in lesson 5, 30% of the tokens are
# masked, and the first layer's heads begin by looking at neighbours. Where an experiment differs, its section says so.
# What is trained live has one seed. The same was run in advance with three seeds, and stored with a fingerprint of
# the language and the recipe: an outdated table raises an error here.

# %% jupyter={"source_hidden": true}
import inspect
import re
import textwrap
from dataclasses import asdict
import numpy as np
import torch
from IPython.display import Markdown
from minibert.course.unit10 import experiments as small
from minibert.data.batch import IGNORE
from minibert.course import tables
from minibert.objectives import NSP, SOP, TokenRelation
from minibert.readers.wording import with_minus
from minibert.course.unit10.experiments import mean_and_range, verdict
from minibert.course.unit10.views.diff_view import diff_html
from minibert.course.widgets.tables import score_table
from minibert.course.widgets.view import Controls, View, figure_html

stored = tables.stored("variants", recipe=asdict(small.RECIPE))

def scores_of(experiment, key):
    """{name: a score for each seed} of a stored experiment."""
    return {name: [run[key] for run in runs] for name, runs in stored[experiment].items()}

def one_label(kind):
    """The accuracy of always the same label on held-out documents, in percent."""
    shared = small.material()
    objective = kind(shared.tokenizer.specials, len(shared.tokenizer), small.RECIPE.length)
    labels = objective.collate(*objective.build(shared.held_out, np.random.default_rng(0))).sequence_labels
    return 100 * np.bincount(labels[labels != IGNORE]).max() / (labels != IGNORE).sum()

def code_of(functions):
    """The source of some functions, without their docstrings and comments."""
    sources = (re.sub(r" +# .*", "", textwrap.dedent(inspect.getsource(one))) for one in functions)
    return "\n".join(re.sub(r'\n +"""(?s:.*?)"""', "", source, count=1) for source in sources)

def code_shown(function):
    """A function of the package."""
    return Markdown(f"```python\n{code_of([function])}\n```")

def changed(before, after):
    """Two functions of the package, or two lists of them, side by side."""
    both = [one if isinstance(one, list) else [one] for one in (before, after)]
    names = tuple(", ".join(function.__qualname__ for function in one) for one in both)
    return View(diff_html(names, *map(code_of, both)))

# %% [markdown]
# The recipe (`pieces` is the size of the vocabulary):

# %%
for name, value in asdict(small.RECIPE).items():
    print(f"{name:12s} {value}")

# %% [markdown]
# ## 2 · RoBERTa: the same model, trained better
#
# RoBERTa (Liu et al., 2019) keeps BERT's architecture. It draws the masks anew each time that a sequence is read, drops
# NSP, reads ten times as much text, and takes batches of 8,000 sequences.
#
# ### Fresh masks
#
# BERT's masks were drawn when the data was prepared: ten for each sequence, each seen four times in 40 epochs. Our MLM
# draws from `rng`, anew each time. To repeat a mask, `StaticMasks` makes the random numbers from the sequence itself:

# %%
from minibert.objectives import MLM, StaticMasks

code_shown(StaticMasks.corrupt)

# %% [markdown]
# With one mask only, a model could learn the answers by heart. We train on 100 short biographies, over and over, and
# test on new ones: once with a single mask for each sequence, once with fresh masks. (This takes about a minute.)

# %%
live_masks = {kind: small.masks_run(kind, seed=11) for kind in ("one mask", "fresh masks")}

# %% [markdown]
# Ten masks for each sequence, as BERT had, come from the stored runs.

# %% jupyter={"source_hidden": true}
from minibert.course.widgets.seeds import seed_bands

masks = scores_of("masks", "held out")

def over_epochs():
    x = list(small.EPOCHS)
    lines = {kind: (x, runs) for kind, runs in masks.items()}
    live = {kind: (x, run["held out"]) for kind, run in live_masks.items()}
    last = {kind: [run[-1] for run in runs] for kind, runs in masks.items()}
    gaps = [with_minus(np.mean(masks["fresh masks"], 0)[i] - np.mean(masks["one mask"], 0)[i], "{:+.0f}") for i in (1, -1)]
    drawing = seed_bands(lines, live, "epochs", "masked tokens of new texts, % right",
                         f"Fresh masks against one mask: {gaps[0]} points after {x[1]} epochs, "
                         f"{gaps[1]} after {x[-1]}", logx=True, top=60)
    return (f"{figure_html(*drawing)}<p>After {x[-1]} epochs, {verdict('fresh masks', 'one mask', last)}; "
            f"{verdict('fresh masks', 'ten masks', last)}.</p>")

KINDS = list(small.MASKS)
GuessBars("What percentage of the masked tokens of new texts does each predict right after 128 epochs?", KINDS,
          lambda: [live_masks[kind]["held out"][-1] if kind in live_masks
                   else np.mean([run[-1] for run in masks[kind]]) for kind in KINDS],
          top=60, within=8, axis="right", unit="%", see=over_epochs)

# %% [markdown]
# The paper compares ten masks with fresh ones over 40 epochs, and finds little (table 1; medians of five seeds):
#
# | masks | SQuAD 2.0 (F1) | MNLI-m | SST-2 |
# |---|---|---|---|
# | static, ten for each sequence | 78.3 | **84.3** | 92.5 |
# | fresh | **78.7** | 84.0 | **92.9** |
#
# Fresh masks cost nothing, so RoBERTa uses them.
#
# ### What stands in a sequence?
#
# The paper compares four input formats, here of three tiny documents. What does SENTENCE-PAIR waste?

# %% jupyter={"source_hidden": true}
from minibert.data.formats import doc_sentences, full_sentences, sentence_pairs
from minibert.data.packing import nsp_examples
from minibert.course.unit10.views.formats import formats_html
from minibert.course.widgets.sentence_pairs import documents_html

STORIES = [["The cook wakes up.", "He greets the ladle.", "The soup is hot.", "Nobody eats it.", "He sighs."],
           ["A storm came.", "The river rose.", "We lost the bridge."], ["For sale: one cello.", "Never played."]]
AS_IDS = [[[sentence] for sentence in story] for story in STORIES]
rng = np.random.default_rng(164)
View(documents_html(STORIES) + formats_html(STORIES, {
    "SEGMENT-PAIR": nsp_examples(AS_IDS, 3 + 4, rng), "SENTENCE-PAIR": sentence_pairs(AS_IDS, 3 + 4, rng),
    "FULL-SENTENCES": full_sentences(AS_IDS, 2 + 4, "|"), "DOC-SENTENCES": doc_sentences(AS_IDS, 2 + 4)}, "|"))

# %% [markdown]
# SENTENCE-PAIR leaves room empty in every sequence. The paper's scores (table 2; base size, dev sets, medians of five seeds):
#
# | format | SQuAD 1.1 / 2.0 (F1) | MNLI-m | SST-2 | RACE |
# |---|---|---|---|---|
# | SEGMENT-PAIR, NSP | 90.4 / 78.7 | 84.0 | **92.9** | 64.2 |
# | SENTENCE-PAIR, NSP | 88.7 / 76.2 | 82.9 | 92.1 | 63.0 |
# | FULL-SENTENCES | 90.4 / 79.1 | **84.7** | 92.5 | 64.8 |
# | DOC-SENTENCES | **90.6 / 79.7** | **84.7** | 92.7 | **65.6** |
#
# With single sentences, the authors think, a model cannot learn to look far. DOC-SENTENCES is slightly better, but
# needs batches of changing size, so RoBERTa takes FULL-SENTENCES. XLM (Conneau and Lample, 2019) had gone the same way
# with **text streams**: sequences cut from a stream of any number of sentences.
#
# Now in small, with as many tokens in each step, and ALBERT's SOP as a fifth row: masked tokens of new texts, then
# three tasks after fine-tuning on 300 examples (pairs: of 300 documents).

# %% jupyter={"source_hidden": true}
words, entities, following, order = (scores_of("formats", key) for key in ("words", "entities", "next", "order"))
PAIR, FULL, ORDERED = "SEGMENT-PAIR + NSP", "FULL-SENTENCES", "SEGMENT-PAIR + SOP"

def five_formats():
    columns = {"masked tokens, %": words, "entities, F1": entities, "next sentence, %": following,
               "sentence order, %": order}
    floor = one_label(NSP)
    rows = [(name, *(mean_and_range(scores[name]) for scores in columns.values())) for name in words]
    rows.append(("always the same label", "", "", f"{floor:.1f}", f"{one_label(SOP):.1f}"))
    table = score_table(["", *columns], rows, f"Mean (lowest to highest) of {len(words[PAIR])} seeds")
    best = max(map(np.mean, following.values())) - floor
    return (f"{table}<p>Masked tokens: {verdict(FULL, PAIR, words)}. Named entities: {verdict(FULL, PAIR, entities)}. "
            f"Next sentence: {verdict(FULL, PAIR, following)}, but even the best is only {best:.1f} above always the "
            f"same label. Sentence order: {verdict(ORDERED, PAIR, order)}.</p>")

GuessNumber("Two models of segment pairs, one with SOP and one with NSP, are fine-tuned to tell the sentence order. By how "
            "many points is SOP's ahead?", lambda: np.mean(order[ORDERED]) - np.mean(order[PAIR]), within=6, form="{:.0f} points",
            see=five_formats)

# %% [markdown]
# Masked tokens are predicted in full sequences, which SENTENCE-PAIR never saw; the last two columns ask what NSP and SOP
# were pretrained on. Entities are the fairest column.
#
# ### More of everything
#
# RoBERTa-large step by step (table 4; MNLI-m and SST-2 are accuracies, SQuAD 2.0 is F1, on dev sets):
#
# | model | text | batch | steps | SQuAD 2.0 | MNLI-m | SST-2 |
# |---|---|---|---|---|---|---|
# | BERT-large | 13 GB | 256 | 1M | 81.8 | 86.6 | 93.7 |
# | RoBERTa, books and Wikipedia | 16 GB | 8K | 100K | 87.3 | 89.0 | 95.3 |
# | + more text | 160 GB | 8K | 100K | 87.7 | 89.3 | 95.6 |
# | + longer | 160 GB | 8K | 300K | 88.7 | 90.0 | 96.1 |
# | + even longer | 160 GB | 8K | 500K | **89.4** | **90.2** | **96.4** |
# | XLNet-large | 126 GB | 2K | 500K | 88.8 | 89.8 | 95.6 |
#
# The number of sequences that a model reads is batch × steps.

# %% jupyter={"source_hidden": true}
SEQUENCES = {"BERT-large": 256 * 10**6, "RoBERTa, 100K steps": 8000 * 10**5, "RoBERTa, 500K steps": 8000 * 5 * 10**5}

def sequences_read():
    from minibert.course.widgets.plots import bars
    times = SEQUENCES["RoBERTa, 500K steps"] / SEQUENCES["BERT-large"]
    return bars(list(SEQUENCES), [count / 1e9 for count in SEQUENCES.values()], "billion sequences",
                f"The longest run reads {times:.1f} times as many sequences as BERT-large", form="{:.2f}")

GuessNumber("How many times as many sequences as BERT-large does RoBERTa read in 500K steps?",
            lambda: SEQUENCES["RoBERTa, 500K steps"] / SEQUENCES["BERT-large"], within=4, form="{:.1f}",
            see=sequences_read)

# %% [markdown]
# And nearly all of them have 512 tokens; in 90% of BERT's steps they had 128. So *more data* is an axis of its own, and
# an expensive one. XLNet and ERNIE 2.0 moved along it too.
#
# Why large batches? With equal passes over the text, base models reached 84.7 on MNLI with 256 sequences and 1M steps,
# 85.2 with 2K and 125K, 84.6 with 8K and 31K; their perplexity fell from 3.99 to 3.68 and 3.77 (table 3). And large
# batches are easier to spread over many GPUs. RoBERTa's tokens come from a byte-level BPE of 50K entries (lesson 3).
#
# <details><summary><b>Why did nobody train BERT longer from the start?</b></summary>
#
# BERT-base gained about a point on MNLI between 500K and 1M steps (its paper's appendix C.1), so it was not finished.
# But one run of BERT-large took four days on 64 TPU chips. RoBERTa's
# authors call BERT "significantly undertrained" (abstract).
# </details>
#
# ## 3 · ALBERT: one layer, twelve times
#
# BERT-base spends a fifth of its parameters on a table of words, and each of its layers has its own matrices. ALBERT
# (Lan et al., 2020) saves twice. **Factorised embeddings**: a word gets E = 128 numbers, and one matrix turns them into
# D, so that V × D becomes V × E + E × D. And **cross-layer parameter sharing**: there is one layer, applied L times.

# %%
from minibert.model import Encoder
from minibert.model.variants import AlbertEncoder

changed(Encoder.__init__, AlbertEncoder.__init__)

# %% [markdown]
# BERT-base has 109.5 million parameters, ALBERT-base 12 million. Which of the two savings is the larger one?

# %% jupyter={"source_hidden": true}
from minibert.course.widgets.plots import bars

BASE = {"vocab_size": 30522, "hidden_size": 768, "num_hidden_layers": 12, "num_attention_heads": 12,
        "intermediate_size": 3072}
XXLARGE = BASE | {"hidden_size": 4096, "num_attention_heads": 64, "intermediate_size": 16384}
millions = {name: sum(small.parameter_parts(sizes, E, shared).values()) / 1e6 for name, sizes, E, shared in (
    ("BERT-base", BASE, 768, False), ("factorised only", BASE, 128, False), ("shared only", BASE, 768, True),
    ("ALBERT-base", BASE, 128, True), ("ALBERT-xxlarge", XXLARGE, 128, True))}

def four_counts():
    return bars(list(millions), list(millions.values()), "million parameters",
                f"From {millions['BERT-base']:.1f} to {millions['ALBERT-base']:.1f} million; xxlarge: "
                f"{millions['ALBERT-xxlarge']:.1f}", form="{:.1f}")

GuessNumber("How many million parameters does BERT-base have if it only shares its layers (E stays 768)?",
            lambda: millions["shared only"], within=6, form="{:.0f} million", see=four_counts)

# %% [markdown]
# Walk from BERT-base to ALBERT-base, one saving at a time. Then set the hidden size to 4096: ALBERT-xxlarge. (The
# package's own encoder is built and counted.)

# %% jupyter={"source_hidden": true}
import ipywidgets as widgets

def calculator(vocabulary, hidden, embedding, layers, shared):
    sizes = {"vocab_size": vocabulary, "hidden_size": hidden, "num_hidden_layers": layers,
             "num_attention_heads": 1, "intermediate_size": 4 * hidden}       # heads change no count
    parts = small.parameter_parts(sizes, embedding, shared)
    total = sum(parts.values()) / 1e6
    each = f"one layer, {layers} times" if shared else f"{layers} layers of their own"
    return bars(list(parts), [count / 1e6 for count in parts.values()], "million parameters",
                f"{total:.1f} million parameters: E = {embedding}, D = {hidden}, {each}")

def box(value, most, name):
    return widgets.BoundedIntText(value, min=1, max=most, description=name, continuous_update=False,
                                  layout={"width": "190px"})

Controls(calculator, vocabulary=box(30522, 300000, "Vocabulary"), hidden=box(768, 8192, "Hidden size"),
         embedding=box(768, 8192, "E"), layers=box(12, 96, "Layers"),
         shared=widgets.Checkbox(False, description="One layer for all"))

# %% [markdown]
# <details><summary><b>Do these counts agree with the paper's?</b></summary>
#
# Its table 1 rounds: 108M for BERT-base (109.5M), 12M for ALBERT-base, 18M, 60M and 235M for the larger ones (its
# text says 233M). The published xxlarge has 223 million in its encoder, as here; how 235M was counted, it does not say.
# </details>
#
# <details><summary><b>Is this the Universal Transformer?</b></summary>
#
# Its sharing is (Dehghani et al., 2018): one layer, again and again. But there each position may decide how often, by
# **adaptive computation time**. ALBERT applies its layer L times to every token.
# </details>
#
# Are fewer parameters faster? Four encoders with four layers; the processor time of one batch, measured now:

# %%
torch.set_num_threads(1)
config = small.ALBERT.config(small.material().tokenizer)
encoders = {name: small.albert_encoder(name, config, seed=0) for name in small.SHARINGS}
live_speed = {name: small.milliseconds(encoder) for name, encoder in encoders.items()}
sizes = {name: small.count(encoder) for name, encoder in encoders.items()}

# %% [markdown]
# All four are equally deep and wide.

# %% jupyter={"source_hidden": true}
def faster():
    rows = [(name, f"{sizes[name]:,}", f"{times['train']:.0f}", f"{times['predict']:.0f}")
            for name, times in live_speed.items()]
    share, time = sizes["ALBERT"] / sizes["BERT"], live_speed["ALBERT"]["train"] / live_speed["BERT"]["train"]
    told = (f"ALBERT has {share:.0%} of BERT's parameters and takes {time:.0%} of its time. Every token still passes "
            "through all layers: as many multiplications, with one set of weights. What is saved is memory for weights, "
            "and traffic between GPUs.")
    return score_table(["", "parameters", "training, ms", "prediction, ms"], rows) + f"<p>{told}</p>"

GuessNumber(f"ALBERT has {sizes['ALBERT'] / sizes['BERT']:.0%} of BERT's parameters here. If BERT's training step counts "
            "as 100, how long does ALBERT's take?",
            lambda: 100 * live_speed["ALBERT"]["train"] / live_speed["BERT"]["train"], within=15, form="{:.0f}",
            see=faster)

# %% [markdown]
# The paper's speeds are easily misread. They are relative to **BERT-large**: ALBERT-base is 5.6 times as fast *as
# BERT-large*, while BERT-base itself is 4.7 times as fast; xxlarge runs at 0.3 of BERT-large's speed (table 2).
# So ALBERT-base is 1.2 times as fast as BERT-base.
#
# And what does each saving cost? First in small, with a vocabulary of 1,000, E = D / 2, four layers, 900 steps, half the
# learning rate, and positions that begin as sinusoids.

# %% jupyter={"source_hidden": true}
SAVINGS = ("factorised", "shared")
sharing = {key: scores_of("albert", key) for key in ("parameters", "words", "entities")}
costs = {key: {name: np.mean(scores["BERT"]) - np.mean(scores[name]) for name in SAVINGS}
         for key, scores in sharing.items()}

def four_sharings():
    rows = [(name, f"{sharing['parameters'][name][0]:,}", mean_and_range(sharing["words"][name]),
             mean_and_range(sharing["entities"][name])) for name in small.SHARINGS]
    table = score_table(["", "parameters", "masked tokens, %", "named entities, F1"], rows,
                        f"Mean (lowest to highest), seeds: {len(sharing['words']['BERT'])}")
    told = (f"Masked tokens: {verdict(*SAVINGS, sharing['words'])}. "
            f"Entities: {verdict(*SAVINGS, sharing['entities'])}.")
    saved = {name: costs["parameters"][name] / sharing["parameters"]["BERT"][0] for name in SAVINGS}
    return (f"{table}<p>{told} With so small a vocabulary, factorising saves {saved['factorised']:.0%} of the "
            f"parameters, sharing {saved['shared']:.0%}.</p>")

GuessChoice("Which saving lowers the accuracy on masked tokens more?", list(SAVINGS),
            lambda: max(costs["words"], key=costs["words"].get), see=four_sharings)

# %% [markdown]
# And in the paper (averages of five tasks, base size; table 4):
#
# | | E = 768 | E = 128 |
# |---|---|---|
# | layers of their own | 82.3 (108M) | 81.6 (89M) |
# | attention shared | 81.6 (83M) | 81.7 (64M) |
# | feed-forward shared | 79.5 (57M) | 80.2 (38M) |
# | all shared | 79.8 (31M) | 80.1 (12M) |
#
# Here factorising costs 0.7 points at most, and sharing about two, most of them because of the feed-forward layers. All
# of these have SOP: with NSP instead, the 80.1 is 79.2 (table 5). So how can ALBERT win? With the saved memory it
# grows: xxlarge has D = 4096, trains slowly, and beats BERT-large at equal training *time* (88.7 against 87.2, table 6).
#
# At the end its authors remove dropout, since the model still did not overfit: 90.4 becomes 90.7 on average (table 8).
# Its rivals on two test sets (table 10; BERT on SQuAD: its own paper's table 3):
#
# | | SQuAD 2.0 (F1 / exact match) | RACE |
# |---|---|---|
# | BERT-large | 83.1 / 80.0 | 72.0 |
# | XLNet | 89.1 / 86.3 | 81.8 |
# | RoBERTa | 89.8 / 86.8 | 83.2 |
# | ALBERT-xxlarge, one model | 90.9 / 88.1 | 86.5 |
# | ALBERT-xxlarge, ensemble | **92.2 / 89.7** | **89.4** |
#
# Beware: the paper's table 10 and some slides give BERT-large 89.1 / 86.3. These are the numbers of XLNet, one line
# below.
#
# ## 4 · ELECTRA: was this word replaced?
#
# Of 100 tokens, BERT is asked about 15. ELECTRA (Clark et al., 2020) is asked about all. A small masked language model,
# the **generator**, fills the masks with words sampled from its probabilities. The model that is kept, the
# **discriminator**, says for each token whether it was replaced: **replaced token detection**. Be the discriminator! In
# each sentence, one word was replaced by our English model (or, without it, by the course's own).

# %% jupyter={"source_hidden": true}
import html
import minibert
from minibert.data.batch import collate, visible_all

english = minibert.load("english")
TEXTS = ["The children went to the beach and built a castle.", "She opened the window because it was hot.",
         "The farmer milked the cows before breakfast.", "We took the last train home on Sunday evening.",
         "The teacher wrote the answer on the board."]

def masked_probs(ids, at):
    """Probabilities of the vocabulary at one masked position of a text, (V,)."""
    seen = [*ids[:at], english.tokenizer.specials.mask, *ids[at + 1:]]
    batch = collate([(seen, None)], english.tokenizer.specials)
    inputs = map(torch.tensor, (batch.input_ids, visible_all(batch.real), batch.token_type_ids))
    with torch.no_grad():
        return english.model.eval()(*inputs)["tokens"][0, 1 + at].softmax(-1).numpy()

def replaced_text(number):
    """(tokens, place, original) of a text with one token replaced by a sample from the ten likeliest others."""
    rng = np.random.default_rng(number)
    ids = english.tokenizer.encode(TEXTS[number % len(TEXTS)]).ids
    at = int(rng.integers(1, len(ids) - 1))
    probs = masked_probs(ids, at)
    probs[[ids[at], *english.tokenizer.specials.ids]] = 0
    top = [i for i in probs.argsort()[::-1][:40] if english.tokenizer.vocab[i].isalpha()][:10] or [int(probs.argmax())]
    new = int(rng.choice(top, p=probs[top] / probs[top].sum()))
    vocab = english.tokenizer.vocab
    return [vocab[i] for i in [*ids[:at], new, *ids[at + 1:]]], at, vocab[ids[at]]

def play(guess, number):
    tokens, at, original = replaced_text(number)
    told = f"<p style='font-size:115%'>{html.escape(' '.join(tokens))}</p>"
    if guess.strip().lower() not in tokens:
        missing = f"“{html.escape(guess.strip())}” is not in this sentence. " if guess.strip() else ""
        return told + f"<p>{missing}Type the word that was replaced, and press Enter.</p>"
    right = guess.strip().lower() == tokens[at]
    return told + (f"<p><b>{'✓ Found.' if right else '✗ No.'}</b> “{html.escape(tokens[at])}” stands where the text "
                   f"had “{html.escape(original)}”.</p>")

from minibert.course.widgets.masking import Redraws

Redraws(play, guess=widgets.Text(description="Replaced", placeholder="a word, then Enter", continuous_update=False))

# %% [markdown]
# Some are easy, others cannot be found. The discriminator learns from every token, also from those *not* replaced.
# It never sees a `[MASK]`, just as in fine-tuning. The change of `corrupt` is small; what is new is `step`: its
# `replace` runs a second network in between.

# %%
from minibert.objectives import RTD

changed([MLM.corrupt, MLM.step], [RTD.corrupt, RTD.step])

# %% [markdown]
# If the generator samples the original word by chance, its label is *original*. The loss is the generator's plus 50
# times the discriminator's (in our runs, 10 times).
#
# <details><summary><b>Why is this not a GAN?</b></summary>
#
# In a generative adversarial network, the generator is trained to fool the discriminator. Here it is trained to predict
# masked tokens, as in BERT; no gradient passes through the sampled words. The authors tried the adversarial way with
# reinforcement learning, and it was worse (section 3.2, figure 3).
# </details>
#
# Compare at **equal compute**: an ELECTRA step also pays for its generator, so it gets fewer steps. The generator is
# half as wide as the discriminator. We also try one that is as wide, which the paper advises against.

# %%
steps = {name: small.steps_for(name, 1000, small.RECIPE, small.material().tokenizer) for name in small.OBJECTIVES}
print("Steps for the compute of 1,000 steps of MLM:", *(f"{name} {many:,}" for name, many in steps.items()), sep="\n  ")

# %% [markdown]
# Then each is fine-tuned to tag named entities. (Each objective's learning rate did best, of three, on dev sentences at
# a budget of 500 steps.)

# %% jupyter={"source_hidden": true}
from minibert.course.widgets.scores import seed_curves

BUDGETS = stored["budgets"]
electra = {name: np.array([[run["entities"] for run in stored["electra"][f"{name} {budget}"]]
                           for budget in BUDGETS]).T for name in small.OBJECTIVES}       # (seeds, budgets)
longest = {name: runs[:, -1].tolist() for name, runs in electra.items()}

def electra_curves():
    drawing = seed_curves(BUDGETS, electra, "compute, in steps of MLM", "named entities, F1",
                          f"At the largest budget: {verdict('ELECTRA', 'MLM', longest)}")
    gaps = (electra["ELECTRA"].mean(0) - electra["MLM"].mean(0)).round(1)
    told = ["ELECTRA minus MLM, budget by budget: " + ", ".join(with_minus(gap, "{:+.1f}") for gap in gaps) + "."]
    losses = {budget: np.mean([run["generator"] for run in stored["electra"][f"ELECTRA {budget}"]])
              for budget in BUDGETS}
    plateau = stored["frequencies"]
    told.append("The generator's loss at the end: " + ", ".join(f"{loss:.1f}" for loss in losses.values())
                + f"; word frequencies alone give {plateau:.1f}.")
    if stuck := [budget for budget, loss in losses.items() if loss > plateau - 0.5]:
        told.append(f"So up to a budget of {stuck[-1]} the generator is on the plateau of lesson 4: it puts in frequent "
                    "words that fit nowhere, and nonsense teaches the discriminator little. (The paper's smallest "
                    "budget is six hours of a GPU.)")
    large, size = "ELECTRA, large generator", "generator as wide as the discriminator"
    said = verdict(large, "ELECTRA", longest)
    told.append(f"The {size}: {said}." + ("" if "below" in said else
                " No harm is seen; in the paper, such a generator harms after much longer training (figure 3)."))
    return f"{figure_html(*drawing)}<p>{' '.join(told)}</p>"

GuessChoice(f"Which has the highest mean F1 with the compute of {BUDGETS[2]} steps of MLM?", list(small.OBJECTIVES),
            lambda: max(electra, key=lambda name: electra[name][:, 2].mean()), see=electra_curves)

# %% [markdown]
# In the paper, on eight tasks of GLUE (dev, base size, table 5), what helps is that *every* token has a label:
#
# | question | GLUE |
# |---|---|
# | BERT: predict 15% | 82.2 |
# | ELECTRA, but only the 15% count | 82.4 |
# | BERT, but the generator's words replace [MASK] | 82.4 |
# | predict the original of all tokens | 84.3 |
# | ELECTRA: replaced or not, all tokens | **85.0** |
#
# And it learns from little compute. ELECTRA-Small (14M parameters, one GPU) on GLUE (dev, table 1), beside a BERT of
# the same size and GPT, eight times as large:
#
# | ELECTRA: 6 hours | 12 hours | 1 day | 2 days | 4 days | BERT-Small: 4 days | GPT: 25 days on 8 GPUs |
# |---|---|---|---|---|---|---|
# | 74.1 | 76.0 | 77.7 | 79.0 | **79.9** | 75.1 | 78.8 |
#
# The best generators had a quarter to half of the discriminator's width (section 3.2). The authors suspect that a
# stronger one makes the task too hard.
#
# ## 5 · XLNet: any order
#
# *[MASK] [MASK] is a city.* BERT predicts both words at once, each without the other. It may say *New* and *Angeles*. A
# language model predicts *York* after *New*, but sees one side only. XLNet (Yang et al., 2019) wants both, as a
# **permutation language model**: predict the tokens one by one, in a *random* order. The text itself is not shuffled:
# each token keeps its position. Only the **factorisation order** changes.

# %%
from minibert.data.permutation import permutation_visible
from minibert.course.unit10.views.permutation import Permutation

Permutation(["New", "York", "is", "a", "city"], permutation_visible, order=[2, 3, 4, 0, 1])

# %% [markdown]
# **Try:** make *New* depend on *York*. Then order the tokens as GPT does: which matrix is its mask?
#
# Why two matrices? To predict *York*, the model must know *where* it predicts, but not *what* stands there. Later
# tokens must know what stands there. One vector cannot do both, so there are two: the **content stream** sees its own
# token, the **query stream** does not, and the prediction is made from it. In code, an order is drawn in place of masks:

# %%
from minibert.objectives import PLM

changed(MLM.corrupt, PLM.corrupt)

# %% [markdown]
# All orders fill equally many cells.

# %% jupyter={"source_hidden": true}
FIVE = np.array([[3, 4, 0, 1, 2]])                         # place of each token in the order above

def order_counts():
    content, query = permutation_visible(np.ones((1, 5), bool), FIVE)
    return (f"<p>With five, the content stream has {content.sum()} of 25 cells and the query stream {query.sum()}, in any "
            "order: the first token sees nothing, the second one token, and so on. With 100: 0 + 1 + … + 99.</p>")

GuessNumber("With 100 tokens, how many cells of the query stream's matrix are filled?",
            lambda: 100 * 99 / 2, within=200, form="{:.0f}", see=order_counts)

# %% [markdown]
# <details><summary><b>Why does XLNet predict only the last sixth or so of an order?</b></summary>
#
# The first tokens of an order have next to nothing to be predicted from. So only the last 1/K are predicted, with K = 6
# or 7 (section 2.3 and table 6). That is about as many as BERT masks.
# </details>
#
# ### Transformer-XL: a memory
#
# XLNet also took two ideas of Transformer-XL (Dai et al., 2019). In its **segment-level recurrence**, a long text is
# read in segments, and each layer keeps its hidden states of the segment before as a memory, which the next segment may
# look at (no gradient passes into it). And since *position 3* would then occur once in every segment, positions are
# **relative**: attention is told how far apart two tokens are, not where they stand. Which hidden states does the very
# last token depend on? (Squares are memory.)

# %% jupyter={"source_hidden": true}
from minibert.course.unit10.definitions import memory_visible, receptive_field
from minibert.course.unit10.views.memory_reach import memory_reach
from minibert.course.widgets.try_it import try_it

def reach(layers, segment, memory):
    count = segment * -(-(layers * memory + segment) // segment)
    visible = memory_visible(count, segment, memory)
    seen = np.stack([receptive_field(visible, layers - layer)[-1] for layer in range(layers + 1)])
    back = count - int(seen[0].argmax())
    return memory_reach(seen, segment, f"{layers} layers: the last token sees {back} tokens, itself included"
                        + ("" if memory else "; without a memory, its own segment"))

def small_box(value, least, most, name):
    return widgets.BoundedIntText(value, min=least, max=most, description=name, layout={"width": "170px"})

Controls(reach, layers=small_box(3, 1, 6, "Layers"), segment=small_box(4, 2, 8, "Segment"),
         memory=small_box(4, 0, 8, "Memory"))

# %% [markdown]
# Each layer adds one memory. **Your turn:** write how many tokens the last token of a segment can see, itself included,
# if the memory is as long as the segment.

# %%
def tokens_seen(layers, segment):
    """Return how many tokens the last token of a segment depends on.

    >>> tokens_seen(1, 4)
    8
    >>> tokens_seen(3, 4)
    16
    >>> tokens_seen(12, 512)
    6656
    """
    ...

try_it(tokens_seen)

# %% [markdown]
# <details><summary><b>One way to write it</b></summary>
#
# ```python
# def tokens_seen(layers, segment):
#     return (layers + 1) * segment
# ```
#
# </details>
#
# ## 6 · Spans, entities, and orders
#
# **SpanBERT** (Joshi et al., 2020) masks spans of words, reads one long segment instead of a pair, drops NSP, and adds
# the **span boundary objective**: predict each word of a span from the two tokens around the span and the word's place
# in it. So the tokens at the border learn to sum up what stands between them. Question answering, which finds an answer
# by its two borders, needs just that.

# %%
from minibert.objectives import SpanBoundary, SpanMLM

changed([MLM.draw, MLM.heads], [SpanMLM.draw, SpanBoundary.heads])

# %% [markdown]
# A span ends after each word with probability p = 0.2 (a geometric length), and lengths above 10 are left out.
# **Your turn:** write the mean length.

# %%
def mean_span(p, longest):
    """Return the mean of lengths 1 to `longest` weighted by p (1 − p)^(length − 1), to one decimal.

    >>> mean_span(0.2, 10)
    3.8
    >>> mean_span(0.5, 2)
    1.3
    """
    ...

try_it(mean_span)

# %% [markdown]
# <details><summary><b>One way to write it</b></summary>
#
# ```python
# def mean_span(p, longest):
#     weights = [p * (1 - p) ** (length - 1) for length in range(1, longest + 1)]
#     total = sum(weight * length for length, weight in enumerate(weights, 1))
#     return round(total / sum(weights), 1)
# ```
#
# </details>
#
# **Two models are called ERNIE.** Baidu's (Sun et al., 2019) masks whole phrases and entities, so that *Harry Potter*
# cannot be guessed from *Harry*. Tsinghua University's (Zhang et al., 2019) uses a knowledge graph: mentions in the
# text are linked to its entities, whose embeddings are added in upper layers.
#
# **StructBERT** (Wang et al., 2020) also shuffles 5% of the trigrams, and asks for the right order; and it asks whether
# a segment is the next one, the previous one, or from another document (as Cheng et al. did, lesson 4):

# %%
from minibert.objectives.structural import SentenceStructure

changed([NSP.build, NSP.heads], [SentenceStructure.build, SentenceStructure.heads])

# %% [markdown]
# **ERNIE 2.0** (Sun et al., 2020) collects seven tasks, among them: which tokens were capitalised, which occur
# elsewhere in the document, in which order segments stood, and how far apart two sentences are. Can a model
# learn one after the other? We try three with one encoder: masked words, *does this token occur elsewhere in its
# document*, and sentence order. Each gets 250 steps: one after the other, one
# added at a time, or all together. Live, one after the other:

# %%
live_ernie = small.ernie_run("one after the other", seed=11)["stages"]

# %% [markdown]
# In the first stage the model learned to predict masked words.

# %% jupyter={"source_hidden": true}
def three_plans():
    last = {plan: [run["stages"][-1] for run in runs] for plan, runs in stored["ernie"].items()}
    rows = [(plan, *(mean_and_range([one[task] for one in stages], "{:.0f}") for task in small.TASKS))
            for plan, stages in last.items()]
    rows.append(("one after the other, live", *(f"{live_ernie[-1][task]:.0f}" for task in small.TASKS)))
    rows.append(("always the same label", "", *(f"{one_label(kind):.0f}" for kind in (TokenRelation, SOP))))
    table = score_table(["accuracy at the end, %", "masked words", "occurs elsewhere", "sentence order"], rows)
    words = {plan: [one["words"] for one in stages] for plan, stages in last.items()}
    added, after, together = "one added at a time", "one after the other", "all together"
    return (f"{table}<p>Masked words: {verdict(added, after, words)}; {verdict(added, together, words)}. "
            "That a new task erases an old one is catastrophic forgetting (lesson 5).</p>")

GuessNumber(f"Masked words: {live_ernie[0]['words']:.0f}% right after the first stage. And after the third?",
            lambda: live_ernie[-1]["words"], within=6, form="{:.0f}%", see=three_plans)

# %% [markdown]
# **Continual multi-task learning** is ERNIE 2.0's plan: a new task is added while the old ones go on. Learning all at
# once forgets nothing either, but all tasks must be known when the training begins.
#
# ## 7 · BART: repair the text
#
# BART (Lewis et al., 2020) has an encoder like BERT's and a decoder like GPT's, whose layers also read the encoder's
# output by cross-attention (lesson 2). The encoder reads a damaged text, the decoder writes the original, so the damage
# may change the length of the text: it is a **denoising autoencoder**. Try the five kinds of noise on a text of your
# own. Which two ask for no new word?

# %% jupyter={"source_hidden": true}
from minibert.data.noising import (
    document_rotation,
    sentence_permutation,
    text_infilling,
    token_deletion,
    token_masking,
)
from minibert.tokenizer import BasicTokenizer
from minibert.course.unit10.views.noise import ASKED, noise_html

def damaged(kind, share, text, number):
    words = [text[word.start:word.end] for word in BasicTokenizer(lower_case=False).split(text)]
    names, rng = [*dict.fromkeys(words), "[MASK]"], np.random.default_rng(number)
    ids, mask, rate = [names.index(word) for word in words], len(names) - 1, share / 100
    stops = [names.index(stop) for stop in ".!?" if stop in names]
    noisy = {"token masking": lambda: token_masking(ids, rate, mask, rng),
             "token deletion": lambda: token_deletion(ids, rate, rng),
             "text infilling": lambda: text_infilling(ids, rate, mask, rng),
             "sentence permutation": lambda: sentence_permutation(ids, stops, rng),
             "document rotation": lambda: document_rotation(ids, rng)}[kind]()
    return noise_html(kind, words, [names[i] for i in noisy])

TALE = "Big Bird lost his key. He looked under the nest. Elmo had it in his pocket all day."
Redraws(damaged, kind=widgets.Dropdown(options=list(ASKED), description="Noise"),
        share=widgets.BoundedIntText(30, min=0, max=90, description="Share, %", layout={"width": "160px"}),
        text=widgets.Text(TALE, description="My text", continuous_update=False,
                          layout={"width": "620px", "max_width": "98%"}))

# %% [markdown]
# From table 1 of the paper (base size; perplexity: the lower, the better):
#
# | noise | SQuAD 1.1 (F1) | MNLI | XSum, news in one sentence (perplexity) |
# |---|---|---|---|
# | token masking | 90.4 | **84.1** | 7.08 |
# | token deletion | 90.4 | **84.1** | 6.90 |
# | text infilling | **90.8** | 84.0 | **6.61** |
# | document rotation | 77.2 | 75.3 | 17.14 |
# | sentence permutation | 85.4 | 81.5 | 10.93 |
# | infilling and permutation | **90.8** | 83.8 | 6.62 |
#
# Rotation and permutation alone teach little, probably because every word is already there to be copied. (In code, the
# noise is a function, and the decoder has inputs of its own: `minibert/objectives/denoise.py`.)
#
# ## 8 · Stacking: grow the model
#
# Do all twelve layers have to be there from the first step? Gong et al. (2019) train a shallow model, copy it on top of
# itself, and train on: **stacking**. (Shen et al., 2022, copy the optimiser's state, too; that is in the exercises.)

# %%
from minibert.model.growth import stack_layers
from minibert.course.widgets.source import show_source

show_source(stack_layers, fold="The code: an exercise asks for it in NumPy, so try that first")

# %% [markdown]
# We train eight layers in two ways, with 400 steps each: all eight from the start, or two, then four, then eight. (The
# learning rate is the recipe's, tuned for neither.)

# %% jupyter={"source_hidden": true}
from minibert.course.widgets.view import figure, show
from minibert.course.widgets.plots import LINES, cells, curves, headline, name_lines, plain as tidy

def time_share(plain, stacked):
    """Share of the plain run's time after which the stacked run is at the plain run's last loss; None: never."""
    reached_at = [seconds for seconds, loss in zip(stacked["seconds"], stacked["loss"]) if loss <= plain["loss"][-1]]
    return 100 * reached_at[0] / plain["seconds"][-1] if reached_at else None

runs = list(zip(stored["stacking"]["plain"], stored["stacking"]["stacked"]))
shares = [time_share(*pair) for pair in runs]
there = [share for share in shares if share is not None]

def two_ways():
    fig, ax = figure(3.4)
    ends, last = [], {way: [run["loss"][-1] for run in runs] for way, runs in stored["stacking"].items()}
    for way, (color, _, dash) in zip(small.WAYS, LINES):
        for run in stored["stacking"][way]:
            ax.plot(run["seconds"], run["loss"], dash, color=color)
        ends.append((way, *max((run["seconds"][-1], run["loss"][-1]) for run in stored["stacking"][way])))
    ax.set(xlabel="seconds of one core", ylabel="held-out loss")
    tidy(ax)
    name_lines(ax, ends)
    title = "Last loss, mean (lowest to highest): " + ", ".join(
        f"{way} {mean_and_range(losses, '{:.2f}')}" for way, losses in last.items())
    headline(fig, title)
    told = (f"In {len(there)} of {len(shares)} seeds the stacked run reaches the plain run's last loss"
            + (f", after {mean_and_range(there, '{:.0f}')}% of the plain run's time." if there else "."))
    if stuck := sum(loss > stored["frequencies"] - 0.5 for loss in last["plain"]):
        told += (f" But {stuck} of the {len(shares)} plain runs ended on the plateau of lesson 4: with a tuned "
                 "learning rate, stacking might save less.")
    return f"{figure_html(fig, title)}<p>{told}</p>"

GuessNumber("What percentage of the plain run's time does stacking need to reach the plain run's last loss?",
            lambda: np.mean(there) if there else 100, within=12, form="{:.0f}%", see=two_ways)

# %% [markdown]
# The paper saves about a quarter of the time at about equal scores. Why can a copy be of any use? In most layers of
# BERT, its authors saw, attention goes to a token's neighbours and to [CLS]. So a copied layer is a better start than
# random weights, and layers should be alike. We measure it: what share of their attention, averaged over
# heads, do two layers give to the same tokens?

# %% jupyter={"source_hidden": true}
def alike():
    lines = {way: np.median([run["likeness"] for run in runs], 0) for way, runs in stored["stacking"].items()}
    plain = lines["plain"]
    distance = np.arange(1, len(plain) + 1)
    with_first = 1 / (len(plain) + 1 - distance)                # of the pairs of layers at a distance
    parts = np.stack([with_first, 1 - with_first], 1)
    first, others = np.linalg.lstsq(parts, plain, rcond=None)[0]
    off = np.abs(parts @ [first, others] - plain).max()
    title = (f"Plain training, median of {len(runs)} seeds: neighbours share {plain[0]:.0%} of their attention, "
             f"first and last layer {plain[-1]:.0%}")
    drawing = curves(distance, {"shared attention": lines}, "distance between two layers", title,
                     at_least={"shared attention": (0, 1)})
    gap = np.abs(plain - lines["stacked"]).max()
    return (f"{figure_html(*drawing)}<p>Beware: layer 1 sharing {first:.0%} with all others, and the others {others:.0%} "
            f"among themselves however far apart, would give the plain curve to within {off:.2f}. "
            + ("So what differs is layer 1, whose heads began by looking at neighbours. " if off < 0.02 else "")
            + f"The two medians differ by at most {gap:.2f}.</p>")

View(alike())

# %% [markdown]
# ## 9 · Which gains are larger than luck?
#
# **Your turn:** write the rule that this lesson has used all along: a
# difference counts if every seed of one is above every seed of the other.

# %%
def every_seed_above(first, second):
    """Return True if the lowest score of `first` is above the highest of `second`.

    >>> every_seed_above([84.1, 84.6], [83.0, 83.9])
    True
    >>> every_seed_above([84.1, 84.6], [83.0, 84.2])
    False
    """
    ...

try_it(every_seed_above)

# %% [markdown]
# <details><summary><b>One way to write it</b></summary>
#
# ```python
# def every_seed_above(first, second):
#     return min(first) > max(second)
# ```
#
# </details>
#
# By luck alone, two equal methods are separated like this in one of ten comparisons with three seeds each (in one of
# 126 with five). Our small experiments, by this rule:

# %% jupyter={"source_hidden": true}
QUESTIONS = [("fresh masks or one mask (masked tokens)", "fresh masks", "one mask",
              {kind: [run[-1] for run in runs] for kind, runs in masks.items()}),
             ("fresh masks or ten masks (masked tokens)", "fresh masks", "ten masks",
              {kind: [run[-1] for run in runs] for kind, runs in masks.items()}),
             ("full sequences or NSP's pairs (entities)", "FULL-SENTENCES", "SEGMENT-PAIR + NSP", entities),
             ("SOP or NSP (entities)", "SEGMENT-PAIR + SOP", "SEGMENT-PAIR + NSP", entities),
             ("factorised embeddings (masked tokens)", "factorised", "BERT", sharing["words"]),
             ("shared layers (masked tokens)", "shared", "BERT", sharing["words"]),
             ("factorised embeddings (entities)", "factorised", "BERT", sharing["entities"]),
             ("shared layers (entities)", "shared", "BERT", sharing["entities"]),
             ("ELECTRA or MLM, at the largest budget (entities)", "ELECTRA", "MLM", longest),
             ("a narrower generator or a large one (entities)", "ELECTRA", "ELECTRA, large generator", longest),
             ("tasks added or one after the other (masked tokens)", "one added at a time", "one after the other",
              {plan: [run["stages"][-1]["words"] for run in runs] for plan, runs in stored["ernie"].items()})]
verdicts = {question: verdict(a, b, scores) for question, a, b, scores in QUESTIONS}
clear = [question for question, told in verdicts.items() if "every seed agrees" in told]

View("<ol>" + "".join(f"<li>{html.escape(question)}</li>" for question in verdicts) + "</ol>")

# %% [markdown]
# Answer without scrolling back:

# %% jupyter={"source_hidden": true}
def each_verdict():
    table = score_table(["question", "verdict"], list(verdicts.items()),
                        f"{len(clear)} of {len(verdicts)} differences are larger than the spread of the seeds")
    return f"{table}<p>Luck alone would give about {len(verdicts) / 10:.0f}.</p>"

GuessNumber(f"In how many of these {len(verdicts)} comparisons is every seed of one above every seed of the other?",
            lambda: len(clear), within=1, see=each_verdict)

# %% [markdown]
# And the large models? Single models on GLUE's dev sets (ELECTRA's table 2; ALBERT: its table 9; DeBERTa: its table 1).
# *Compute* is relative to the second BERT, which ELECTRA's authors trained like their own model (ALBERT's is from their
# table 4). (DeBERTa's mean is its paper's; that of the eight columns is 89.9. RoBERTa's table gives XLNet batches of 2K.)
#
# | model | parameters | text | steps × batch | compute | CoLA | SST-2 | MRPC | STS-B | QQP | MNLI | QNLI | RTE | mean |
# |---|---|---|---|---|---|---|---|---|---|---|---|---|---|
# | BERT-large | 335M | 13 GB | 1M × 256 | 0.27 | 60.6 | 93.2 | 88.0 | 90.0 | 91.3 | 86.6 | 92.3 | 70.4 | 84.0 |
# | BERT, trained anew | 335M | 126 GB | 464K × 2K | 1 | 67.0 | 95.9 | 89.1 | 91.2 | 91.5 | 89.6 | 93.5 | 79.5 | 87.2 |
# | RoBERTa | 356M | 160 GB | 100K × 8K | 0.90 | 66.1 | 95.6 | 91.4 | 92.2 | 92.0 | 89.3 | 94.0 | 82.7 | 87.9 |
# | RoBERTa | 356M | 160 GB | 500K × 8K | 4.5 | 68.0 | 96.4 | 90.9 | 92.1 | 92.2 | 90.2 | 94.7 | 86.6 | 88.9 |
# | XLNet | 360M | 126 GB | 500K × 8K | 5.4 | 69.0 | 97.0 | 90.8 | 92.2 | 92.3 | 90.8 | 94.9 | 85.9 | 89.1 |
# | ALBERT-xxlarge | 235M | XLNet's and RoBERTa's | 1.5M × 4K | 44 | 71.4 | 96.9 | 90.9 | 93.0 | 92.2 | 90.8 | 95.3 | 89.2 | 90.0 |
# | ELECTRA | 335M | 126 GB | 400K × 2K | 1 | 69.3 | 96.0 | 90.6 | 92.1 | 92.4 | 90.5 | 94.5 | 86.8 | 89.0 |
# | ELECTRA | 335M | 126 GB | 1.75M × 2K | 4.4 | 69.1 | 96.9 | 90.8 | 92.6 | 92.4 | 90.9 | 95.0 | 88.0 | 89.5 |
# | DeBERTa | – | 78 GB | 1M × 2K | – | 70.5 | 96.8 | 91.9 | 92.8 | 92.3 | 91.1 | 95.3 | 88.3 | 90.0 |

# %% [markdown]
# From BERT-large to ELECTRA at compute 1, the mean rises from 84.0 to 89.0.

# %% jupyter={"source_hidden": true}
MEANS = {"BERT-large": 84.0, "BERT, trained anew": 87.2, "ELECTRA": 89.0}

def the_step():
    longer, all_of_it = MEANS["BERT, trained anew"] - MEANS["BERT-large"], MEANS["ELECTRA"] - MEANS["BERT-large"]
    return (f"<p>BERT itself, trained anew with the data and compute of ELECTRA, gains {longer:.1f} of the "
            f"{all_of_it:.1f} points. (It has RoBERTa's changes: more text, larger batches, fresh masks, no NSP.) "
            "And between the best models, MRPC, QQP and STS-B differ by about a point at most, while "
            "RTE and MRPC have a few hundred dev examples: one point is three or four of them. The authors report "
            "medians of several fine-tunings, but of one pretraining.</p>")

GuessNumber("What percentage of this gain does BERT, trained anew, reach without ELECTRA's objective?",
            lambda: 100 * (MEANS["BERT, trained anew"] - MEANS["BERT-large"])
            / (MEANS["ELECTRA"] - MEANS["BERT-large"]), within=15, form="{:.0f}%", see=the_step)

# %% [markdown]
# <details><summary><b>Why is a table like this not yet a proof?</b></summary>
#
# Data, steps, sizes, tokenizers, and the search for learning rates all differ. The best evidence comes from ablations in
# which one thing differs, repeated with other seeds; large models are hardly ever pretrained twice.
# </details>
#
# ## 10 · In real English
#
# Do neighbouring layers attend alike in a real model, too? The English encoder has six layers (without it,
# the course's own model takes its place).

# %%
sentence = "The keeper climbed the stairs of the lighthouse every evening and lit the lamp."
ids = torch.tensor([[english.tokenizer.specials.cls, *english.tokenizer.encode(sentence).ids,
                     english.tokenizer.specials.sep]])
with torch.no_grad():
    out = english.model.encoder.eval()(ids, None, torch.zeros_like(ids), with_probs=True)
common = small.shared_attention(out["probs"])                               # (L, L)

# %% [markdown]
# Each cell is the share of attention that two layers give to the same tokens.

# %% jupyter={"source_hidden": true}
def layers_alike():
    names = [f"layer {i}" for i in range(1, len(common) + 1)]
    near = common.diagonal(1).mean().item()
    fig, ax = figure(3.6)
    cells(ax, common.numpy(), names, names)
    title = (f"Neighbouring layers share {near:.0%} of their attention on this sentence. "
             f"1 and {len(common)}: {common[0, -1].item():.0%}; 2 and {len(common)}: {common[1, -1].item():.0%}")
    headline(fig, title)
    return fig, f"{title}."

show(*layers_alike())

# %% [markdown]
# So could they be one layer, as in ALBERT? We mask each word of the sentences from section 4 in turn, and let all
# layers use the weights of a single one.

# %% jupyter={"source_hidden": true}
def words_right(order):
    """The share of the words of TEXTS, in percent, that the encoder predicts with its layers in this order."""
    encoder, own, found = english.model.encoder, english.model.encoder.layers, []
    encoder.layers = torch.nn.ModuleList([own[i] for i in order])
    for ids in (english.tokenizer.encode(text).ids for text in TEXTS):
        places, mask = np.arange(len(ids)), english.tokenizer.specials.mask
        batch = collate([([*ids[:at], mask, *ids[at + 1:]], None) for at in places], english.tokenizer.specials)
        inputs = map(torch.tensor, (batch.input_ids, visible_all(batch.real), batch.token_type_ids))
        with torch.no_grad():
            logits = english.model.eval()(*inputs)["tokens"]                    # (N, N + 2, V)
        found += (logits[places, places + 1].argmax(-1).numpy() == ids).tolist()
    encoder.layers = own
    return 100 * np.mean(found)

count = len(english.model.encoder.layers)
shared_words = {"its own layers": words_right(range(count))} | {
    f"layer {i + 1}, {count} times": words_right([i] * count) for i in range(count)}
best_shared = max(list(shared_words)[1:], key=shared_words.get)

def one_layer():
    return bars(list(shared_words), list(shared_words.values()), "words predicted right, %",
                f"With its own layers {shared_words['its own layers']:.0f}% of the words, with the best single one "
                f"{shared_words[best_shared]:.0f}%", form="{:.0f}")

GuessNumber(f"The model predicts {shared_words['its own layers']:.0f}% of these words. And with the best single layer, "
            f"{count} times?", lambda: shared_words[best_shared], within=8, form="{:.0f}%", see=one_layer)

# %% [markdown]
# ALBERT shares its layer from the first step, so it learns to serve everywhere.
#
# A masked language model can also be asked ELECTRA's question: mask each token in turn, and see which one it expected
# least. Replace a word, and see whether it is found (not always).

# %% jupyter={"source_hidden": true}
from minibert.course.widgets.word_to_loss import losses_html

def detector(text):
    ids = english.tokenizer.encode(text).ids
    if not 1 <= len(ids) <= 40:
        raise ValueError(f"{len(ids)} tokens: type a text of 1 to 40")
    losses = np.array([-np.log(max(masked_probs(ids, at)[i], 1e-9)) for at, i in enumerate(ids)])
    tokens = [english.tokenizer.vocab[i] for i in ids]
    return losses_html(tokens, losses) + f"<p>Least expected: “{html.escape(tokens[losses.argmax()])}”.</p>"

def first_found(texts):
    """The first text whose exchanged word is the least expected one; else the first of all."""
    return next((text for text, word in texts.items() if f"“{word}”" in detector(text)), next(iter(texts)))

EXCHANGED = {"The chef cooked the piano for dinner.": "piano", "We drank a cup of thunder.": "thunder",
             "The king sat on his sandwich and smiled.": "sandwich", "She opened the giraffe and went in.": "giraffe",
             "The doctor listened to the heart of her thunder.": "thunder"}
Controls(detector, text=widgets.Text(first_found(EXCHANGED), description="Detect", continuous_update=False,
                                     layout={"width": "620px", "max_width": "98%"}))

# %% [markdown]
# This detector runs once for each token. ELECTRA's answers for all tokens in one run.
#
# With a network, published relatives load by name. Write one between the quotes, such as
# `google/electra-small-discriminator`, `albert/albert-base-v2` or `FacebookAI/roberta-base`, and run the cell: you see
# how many parameters the file has, and how many layers they are used for.

# %%
PUBLISHED = ""              # a name, or a folder with config.json and model.safetensors

def published(name):
    from minibert.model.checkpoints.published import load_model
    encoder = load_model(name).encoder
    print(f"{name}: {small.count(encoder) / 1e6:.1f} million parameters, used in {len(encoder.layers)} layers")

if PUBLISHED:
    published(PUBLISHED)

# %% [markdown]
# ## Check yourself
#
# Try the wrong choices, too: each is explained.

# %% jupyter={"source_hidden": true}
Quiz([
    QuizQuestion("ALBERT-base has a ninth of BERT-base's parameters. How does its prediction time compare?", [
        Choice("About the same", True, "Right. Every token passes through twelve layers in both."),
        Choice("A ninth", False, "Time follows the products that are computed, not the numbers that are stored."),
        Choice("A third", False, "There is no reason for a third: the same layers are computed."),
    ]),
    QuizQuestion("ELECTRA's generator happens to sample the original word. What is the label?", [
        Choice("Original", True, "Right. The text is as it was, so there is nothing to detect."),
        Choice("Replaced", False, "Then the discriminator would have to find what cannot be seen."),
        Choice("The position is left out", False, "Every token counts, including this one."),
    ]),
    QuizQuestion("What does XLNet permute?", [
        Choice("The order in which tokens are predicted", True, "Right. Tokens and positions stay where they are."),
        Choice("The words of the sentence", False, "That is StructBERT, for some trigrams. XLNet keeps the text."),
        Choice("The layers", False, "The layers stay in their order."),
    ]),
    QuizQuestion("A model with memory has 12 layers and segments of 512. What can the last token depend on?", [
        Choice("13 × 512 tokens", True, "Right: its own segment, and one more for each layer."),
        Choice("2 × 512 tokens", False, "That is one layer's view. The memory's states have looked back, too."),
        Choice("The whole text", False, "Only as far as layers carry it: one segment for each."),
    ]),
    QuizQuestion("RoBERTa scores higher than BERT. What does that say about NSP?", [
        Choice("Little by itself: much else changed, too", True, "Right. Its table 2 says something, where only the "
               "format changed."),
        Choice("NSP is harmful", False, "Data, batches and steps changed, too."),
        Choice("NSP would have helped RoBERTa", False, "Nothing in it suggests that."),
    ]),
    QuizQuestion("Your new objective is 0.4 points better, with one seed each. What now?", [
        Choice("Run more seeds of both", True, "Right. Without the spread of the seeds, 0.4 may be luck."),
        Choice("Publish", False, "Others would not be able to repeat it, if it is luck."),
        Choice("Tune the new one until it is 1.0 better", False, "Then it was tuned more than the old one."),
    ]),
])

# %% [markdown]
# And your guesses:

# %%
my_guesses()

# %% [markdown]
# ## In short
#
# - **RoBERTa**: BERT's architecture; fresh masks, no NSP, full sequences, more text and much more training.
# - **ALBERT**: factorised embeddings and shared layers save parameters, not time; SOP for NSP.
# - **ELECTRA**: a generator fills the masks, a discriminator judges every token. Nothing adversarial about it.
# - **XLNet**: a random order of prediction, two streams; **Transformer-XL**: a memory that reaches one segment further
#   with each layer.
# - **SpanBERT** predicts spans from their borders, two **ERNIEs** bring in entities, **ERNIE 2.0** adds one task at a
#   time, **StructBERT** restores the order, **BART** repairs texts with a decoder, **stacking** grows the model.
# - A gain counts if it is larger than the spread of the seeds, at equal compute.
#
# ## Read on
#
# | paper | look for |
# |---|---|
# | Liu et al. (2019): [RoBERTa](https://arxiv.org/abs/1907.11692) | tables 1 to 4: masks, formats, batches, data |
# | Lan et al. (2020): [ALBERT](https://arxiv.org/abs/1909.11942) | tables 2 to 5: speed, factorising, sharing, SOP |
# | Clark et al. (2020): [ELECTRA](https://arxiv.org/abs/2003.10555) | figures 2 and 3, tables 2 and 5 |
# | Yang et al. (2019): [XLNet](https://arxiv.org/abs/1906.08237) | sections 2.2 to 2.4: orders, two streams, memory |
# | Dai et al. (2019): [Transformer-XL](https://arxiv.org/abs/1901.02860) | figure 2: the memory; section 3.3: relative positions |
# | Joshi et al. (2020): [SpanBERT](https://arxiv.org/abs/1907.10529) | sections 3.1 and 3.2 |
# | Sun et al. (2019): [ERNIE](https://arxiv.org/abs/1904.09223); Zhang et al. (2019): [the other ERNIE](https://arxiv.org/abs/1905.07129) | phrases and entities; a knowledge graph |
# | Sun et al. (2020): [ERNIE 2.0](https://arxiv.org/abs/1907.12412) | section 3: tasks, and learning them in sequence |
# | Wang et al. (2020): [StructBERT](https://arxiv.org/abs/1908.04577) | section 2 |
# | Lewis et al. (2020): [BART](https://arxiv.org/abs/1910.13461) | figure 2, table 1 |
# | Gong et al. (2019): [Efficient training of BERT by progressively stacking](https://proceedings.mlr.press/v97/gong19a.html) | algorithm 1 |
# | Shen et al. (2022): [Staged training](https://arxiv.org/abs/2203.06211) | the optimiser's state grows, too |
# | Conneau and Lample (2019): [XLM](https://arxiv.org/abs/1901.07291) | section 3.3: text streams |
# | Dehghani et al. (2018): [Universal Transformers](https://arxiv.org/abs/1807.03819) | sharing; adaptive computation time |
# | He et al. (2021): [DeBERTa](https://arxiv.org/abs/2006.03654) | table 1 |
#
# In the package: `minibert/objectives/`, `minibert/model/variants/`, `minibert/course/unit10/experiments/`, `minibert/model/growth.py`;
# `minibert/training/stacking.py` keeps the optimiser's state.
#
# **Next**: [the exercise](../exercises/10_variants/10_variants.ipynb). You count ALBERT's parameters, label ELECTRA's
# tokens, draw XLNet's two streams, stack layers, and find bugs in somebody else's code.
