# %% [markdown]
# # 6 · Classification: pretrain once, fine-tune many times
#
# Is this review positive? Do these two questions ask the same thing? Which of four endings makes sense? Before 2018,
# each of these tasks had its own architecture. BERT handles them all with one pretrained encoder (also called the
# *backbone* or *trunk*) and a small **output head**: one linear layer on top. This lesson builds the heads, trains them
# in seconds, and measures how much the pretraining helped.
#
# **After this lesson you can**
#
# - turn a pretrained encoder into a classifier of texts, of pairs, and of four choices,
# - say how much pretraining helps with few and with many labels, and where it does not help,
# - choose between a frozen encoder, a trained one, and two learning rates,
# - read the GLUE table, and know what each of its metrics hides,
# - draw the loss around a solution, and say what a wide valley does and does not prove,
# - fine-tune an English model for two tasks of your own, each with 36 sentences.
#
# **You need** lessons 1 to 5.
# **Time:** about 85 minutes with guessing and playing; the code alone runs in two to three minutes on two cores.
#
# Run the cells in order with Shift + Enter. Where a question asks for your guess, give one. At the end you see how many
# came close.

# %% jupyter={"source_hidden": true}
from minibert.viz.here import here

here(6)

# %% [markdown]
# ## The finished thing first
#
# This model was pretrained on English text, and then **fine-tuned**: trained further, on film reviews with labels. Its
# task is **sentiment analysis**: is a text positive or negative? (If a message says that the course's own model takes
# its place, ignore the verdicts: that model has not learned this task.)

# %%
import ipywidgets as widgets
import minibert
from minibert.class_model import untaught
from minibert.corpora.readers.glue import TextExample
from minibert.reference import softmax

sentiment = minibert.load("english-sentiment", instead=untaught("sst2", labels=["negative", "positive"]))

# %% [markdown]
# The model gives each label a score, its logit. The softmax turns the logits into probabilities:

# %%
import numpy as np

def examples_of(texts):
    return [TextExample(text, None, None, "0", 1) for text in texts]

def verdicts(tuned, texts):
    rows, _, _ = tuned.task.encode(examples_of(texts))
    return softmax(np.array(tuned.task.logits(tuned.model, rows)))              # (B, C)

# %% [markdown]
# The first sentence is one that the model judges well. Write your own review of a film and press Enter. Can you reverse
# the verdict by changing a single word?

# %% jupyter={"source_hidden": true}
from minibert.viz.explorer import Explorer
from minibert.viz.guess import guesses_html

FILMS = {"A wonderful film, I want to see it again.": "positive", "A stupid story, badly told.": "negative",
         "The actors are brilliant.": "positive", "Boring from the first minute to the last.": "negative",
         "I laughed and cried, and loved all of it.": "positive", "What a waste of time.": "negative"}
wide = dict(continuous_update=False, layout={"width": "620px", "max_width": "98%"})

def draw_verdict(text, models=(sentiment,)):
    if not text.strip():
        return "<p>Write a sentence, and press Enter.</p>"
    shares = [zip(tuned.labels, verdicts(tuned, [text])[0]) for tuned in models]
    return "".join(guesses_html(sorted(pairs, key=lambda pair: -pair[1])) for pairs in shares)

def share_of_right(text):
    return dict(zip(sentiment.labels, verdicts(sentiment, [text])[0]))[FILMS[text]]

best = max(FILMS, key=share_of_right)
Explorer(lambda text: draw_verdict(text), text=widgets.Text(best, description="My review", **wide))

# %% [markdown]
# ## Do you remember lesson 5?
#
# Run the folded cell below and choose. You may choose again.

# %% jupyter={"source_hidden": true}
from minibert.viz.quiz import Choice, Question, Quiz

Quiz([
    Question("Why does the learning rate warm up at the beginning of pretraining?", [
        Choice("Because the processor must get warm", False, "The weights are not ready, not the machine."),
        Choice("Because the first gradients, of random weights, point nowhere in particular and are large", True,
               "Right: small steps at first, until they mean something."),
        Choice("To save time", False, "Small steps cost as much time as large ones."),
    ]),
    Question("BERT was pretrained for 90% of its steps on rows of 128 tokens, and only then on 512. Why?", [
        Choice("Attention costs the square of the length, and most can be learned from short rows", True,
               "Right. The long rows are needed for the later positions."),
        Choice("The corpus has few long texts", False, "It consisted of long ones: books and articles."),
        Choice("Short sequences are harder", False, "They have less context, but that is not why."),
    ]),
    Question("A pretrained model's loss on masked words is not 0, however long it trains. Why?", [
        Choice("Some hidden words cannot be known from the rest of the text", True,
               "Right: the best reachable loss is above 0."),
        Choice("The learning rate decays too early", False, "A better schedule could lower it, but never to 0."),
        Choice("The vocabulary is too large", False, "With a smaller one, some words still cannot be known."),
    ]),
])

# %% [markdown]
# ## 1 · One token speaks for the whole text
#
# We start from the pretrained model of lesson 5. If it is not on your machine, a small one is trained now, in half a
# minute.

# %%
from minibert.class_model import class_model

model, tokenizer = class_model()
config = model.encoder.config
print(f"{config.num_hidden_layers} layers, {config.hidden_size} wide, vocabulary {config.vocab_size:,}")

# %% [markdown]
# The first task: is a sentence acceptable English? The course's generator writes as many labelled examples as we need.
# In half of them it puts one mistake. (The folded cell only loads such examples.)

# %% jupyter={"source_hidden": true}
from tempfile import TemporaryDirectory

from minibert.class_model import WORLD_SEED
from minibert.corpora.world import World
from minibert.corpora.world.files import write_files
from minibert.finetuning import REGISTRY, read_examples

def labelled(task, count, split="train", seed=1):
    with TemporaryDirectory() as folder:
        path, = write_files(World(WORLD_SEED), count, seed, split, [task], folder)
        return read_examples(task, path)

# %% [markdown]
# Here are six of them. **Guess first:** decide for each whether it is acceptable, before you run the next cell.

# %%
pool = labelled("cola", 1000)
print(*(example.first for example in pool[:6]), sep="\n")

# %% [markdown]
# Their labels, in the same order (1 is acceptable, 0 is not):

# %%
print(*(example.label for example in pool[:6]))

# %% [markdown]
# Each sentence becomes a sequence, `[CLS] … [SEP]`, as in lesson 3. This is the first:

# %% jupyter={"source_hidden": true}
from minibert.batch import Specials, collate
from minibert.viz.explorer import View, show
from minibert.viz.model_input import input_table

def one_row(first, second, said):
    ids = [None if text is None else tokenizer.encode(text).ids for text in (first, second)]
    row = collate([tuple(ids)], Specials())
    tokens = [tokenizer.vocab[i] for i in row.input_ids[0]]
    return input_table(tokens, row.token_type_ids[0].tolist(), row.real[0].tolist(), said)

View(one_row(pool[0].first, None, f"The label is {pool[0].label}."))

# %% [markdown]
# The encoder returns a vector, the *hidden state*, for every token. Its output has the shape (sentences, tokens,
# width); shorter sentences are padded:

# %%
import torch

task = REGISTRY["cola"].task.fit(tokenizer, 64, pool)
rows, labels, _ = task.encode(pool[:6])
batch = task.collate(rows, labels)
with torch.no_grad():
    hidden = model.encoder(**task.inputs(batch, "cpu"))["hidden"]       # (B, T, D)
print(tuple(hidden.shape))

# %% [markdown]
# The classifier reads only the first of these vectors, that of `[CLS]`. It goes through the **pooler** (a linear layer
# and a tanh, pretrained along with the encoder), and then through the new linear layer:

# %%
import inspect
from minibert.reference import classifier_head, pooler

print(inspect.getsource(pooler))
print(inspect.getsource(classifier_head))

# %% [markdown]
# The linear layer is new: its weights are random. What probabilities do you expect for the two labels of each sentence?

# %%
from minibert.model import Model
from minibert.viz.entities import score_table as text_table

torch.manual_seed(0)
fresh = Model(model.encoder, task.heads(model.encoder)).heads["label"].state_dict()
weights = {name: tensor.numpy() for name, tensor in fresh.items()}
logits = classifier_head(hidden.numpy(), weights)                       # (B, C)
percents = (100 * softmax(logits)).tolist()
View(text_table(["sentence", "not acceptable, %", "acceptable, %"],
                [(example.first, *row) for example, row in zip(pool, percents)]))

# %% [markdown]
# The new layer knows nothing yet, so no answer is sure. And how much of the model is new, here and in BERT-base with
# two labels?

# %%
from minibert.config import count_parameters, preset

def new_and_old(config, labels=2):
    return labels * (config.hidden_size + 1), sum(count_parameters(config).values())

for name, size in {"ours": config, "BERT-base": preset("base")}.items():
    new, old = new_and_old(size)
    print(f"{name:9s} {new:6,} new parameters on top of {old:>11,} pretrained ones: {new / old:.4%}")

# %% [markdown]
# <details><summary><b>Why can [CLS] stand for the sentence, although it is not a word?</b></summary>
#
# Just because it is not a word: it has no meaning of its own to keep, and it attends to all other tokens in every
# layer. In pretraining its vector had to tell whether B follows A, so it already collects some information. In
# fine-tuning, the gradient that comes from the new head teaches it what else to collect. Before fine-tuning it
# represents the sentence poorly, as Devlin et al. say in a footnote of section 3.1.
# </details>

# %% [markdown]
# ## 2 · One text, two texts, four endings
#
# **GLUE** is a collection of nine tasks with one text or two (Wang et al., 2019). SWAG offers four endings to choose
# from. The same encoder can read all of them: only the content of the sequence and the size of the head differ.
#
# | | in the sequence | the question | metric (section 6) | training examples |
# |---|---|---|---|---|
# | SST-2 | a sentence | is the sentiment positive? | accuracy | 67,000 |
# | CoLA | a sentence | is it acceptable? | Matthews | 8,500 |
# | MNLI | a pair | does B follow from A, contradict it, or neither? | accuracy | 392,000 |
# | QNLI | a pair | does the sentence B answer the question A? | accuracy | 108,000 |
# | RTE | a pair | does B follow from A? | accuracy | 2,500 |
# | QQP | a pair | do two questions ask the same thing? | accuracy, F1 | 363,000 |
# | MRPC | a pair | do two sentences say the same thing? | accuracy, F1 | 3,500 |
# | STS-B | a pair | how similar are they, 0 to 5? | Pearson, Spearman | 5,700 |
# | SWAG | four pairs | which ending continues the text best? | accuracy | 73,000 |
#
# (BERT's authors left out WNLI, the ninth task of GLUE: every system submitted so far had done worse than always giving
# the more frequent answer.) The course's generator writes small versions of these nine. Look at some of their
# sequences:

# %% jupyter={"source_hidden": true}
SHOWN = {name: labelled(name, 6) for name in ("sst2", "cola", "mnli", "qnli", "rte", "qqp", "mrpc", "stsb", "swag")}

def draw_task(name, number):
    example = SHOWN[name][number - 1]
    if name != "swag":
        texts = f"A: {example.first}" + (f" · B: {example.second}" if example.second else "")
        return one_row(example.first, example.second, f"{texts} · Label: {example.label}")
    return "".join(one_row(example.context, ending, f"option {i + 1}{': the right one' * (i == example.label)}")
                   for i, ending in enumerate(example.endings))

Explorer(draw_task, name=widgets.Dropdown(options=list(SHOWN), value="qnli", description="Task"),
         number=widgets.BoundedIntText(1, min=1, max=6, description="Example"))

# %% [markdown]
# <details><summary><b>Why put both sentences in one sequence, instead of comparing a vector of each?</b></summary>
#
# In one sequence, every word of A can attend to every word of B, in every layer: *his job began in 1973* can find
# *joined in 1973* and see whose job it was. Two separate vectors meet only at the end, when such details are lost. The
# price: to compare one question with a million others, the model must read a million sequences. Section 10 shows a way
# out.
# </details>

# %% [markdown]
# ## 3 · Fine-tuning, live
#
# Fine-tuning is ordinary training of the new head and the whole encoder, for a few hundred steps. We train twice on the
# same 1,000 labelled sentences: once from the pretrained encoder, and once **from scratch**, which means from random
# weights.
#
# The score is the **Matthews correlation** between labels and predictions: 0 for chance, 100 if all are right.

# %%
import copy
from minibert.finetuning import finetune
from minibert.model import Encoder

test = labelled("cola", 500, "test")

def fine_tuned(start, steps=300, rate=1e-3, seed=0, **options):
    torch.manual_seed(seed)
    encoder = copy.deepcopy(model.encoder) if start == "pretrained" else Encoder(config)
    head = model.heads["pair"].pooler if start == "pretrained" else None
    return finetune("cola", encoder, tokenizer, pool, steps=steps, peak_rate=rate, seed=seed, pooler=head,
                    progress=False, precision=torch.float32, **options)

def matthews_of(tuned, examples):
    return tuned.task.metric(examples, tuned.task.answer(tuned.model, examples))["Matthews"]

# %% [markdown]
# Each run takes a few seconds:

# %%
tuned, logs = {}, {}
for start in ("pretrained", "scratch"):
    tuned[start], logs[start] = fine_tuned(start)
    print(f"{start:10s} {sum(entry['seconds'] for entry in logs[start]):.1f} seconds of training")

reached = {start: [matthews_of(result, examples) for examples in (pool, test)] for start, result in tuned.items()}

# %% [markdown]
# Both are tested on 500 sentences that they have not seen. What scores do they reach?

# %% jupyter={"source_hidden": true}
from minibert.viz.guess_then_see import GuessBars, GuessChoice, my_guesses

def learned_from():
    (own, others), (own_scratch, others_scratch) = reached["pretrained"], reached["scratch"]
    return (f"<p>On the 500 test sentences, the pretrained encoder is {abs(others - others_scratch):.0f} points "
            f"{'ahead' if others > others_scratch else 'behind'}. On the 1,000 training sentences, the two reach "
            f"{own:.0f} and {own_scratch:.0f}.</p>")

GuessBars("What Matthews correlation does each start reach on the 500 test sentences?", list(reached),
          lambda: [max(0, others) for _, others in reached.values()], top=100, within=12, axis="Matthews",
          see=learned_from)

# %% [markdown]
# The loss during training:

# %%
from minibert.viz.plots import curves

def smooth(log, window=20):
    losses = np.array([entry["loss"] for entry in log])
    return losses.reshape(-1, window).mean(axis=1)                      # a mean for every 20 steps

last = {start: smooth(log)[-1] for start, log in logs.items()}
show(*curves(20 * np.arange(1, 16), {"training loss": {start: smooth(log) for start, log in logs.items()}}, "step",
             f"After 300 steps: loss {last['pretrained']:.2f} if pretrained, {last['scratch']:.2f} from scratch"))

# %% [markdown]
# But a single run proves little. The following scores were measured beforehand with three seeds each. A seed decides
# which examples are labelled, their order, and the random weights. (The two folded cells load the scores.)

# %% jupyter={"source_hidden": true}
import json
from minibert.commands import ROOT
from minibert.viz.scores import seed_curves

CURVES = {}
runs = json.loads((ROOT / "benchmarks" / "sizes.json").read_text())["runs"]
for name, title in {"cola": "acceptable or not (Matthews)", "stsb": "similarity (Spearman)"}.items():
    of_task = {(r["seed"], r["labelled"], r["start"]): r["score"] for r in runs if r["task"] == name}
    seeds, sizes, _ = (sorted({key[i] for key in of_task}) for i in range(3))
    CURVES[title] = sizes, {start: [[of_task[seed, size, start] for size in sizes] for seed in seeds]
                            for start in ("pretrained", "scratch")}

# %% [markdown]
# Two tasks of later lessons were measured as well: questions about a text (lesson 7) and named entities (lesson 8).
# There, each seed also has its own pretraining.

# %% jupyter={"source_hidden": true}
more = json.loads((ROOT / "benchmarks" / "labels.json").read_text())
for name, title in {"qa": "questions about a text (F1)", "ner": "named entities (F1)"}.items():
    CURVES[title] = more["sizes"][name], {start: [seed[name][start] for seed in more["f1"].values()]
                                          for start in ("pretrained", "scratch")}

# %% [markdown]
# Choose a task, and read off: how many labels does the model from scratch need to reach what the pretrained one reaches
# with the fewest? (All scores go up to 100, and higher is better. Section 6 explains F1 and Spearman.)

# %% jupyter={"source_hidden": true}
def draw_labels(curve):
    sizes, lines = CURVES[curve]
    first, last = np.mean(lines["pretrained"], 0)[0], np.mean(lines["scratch"], 0)[-1]
    title = f"Pretrained with {sizes[0]} labels: {first:.0f}. From scratch with {sizes[-1]:,}: {last:.0f}"
    return seed_curves(sizes, lines, "labelled examples", curve, title)

Explorer(draw_labels, curve=widgets.Dropdown(options=list(CURVES), description="Task", layout={"width": "340px"}))

# %% [markdown]
# How many points does pretraining add, on average over the seeds? The last column is the smallest gain of any seed.

# %%
added = []
for curve, (sizes, lines) in CURVES.items():
    points = np.array(lines["pretrained"]) - np.array(lines["scratch"])     # (seeds, sizes)
    added.append([curve, *(f"{mean:+.0f} ({size:,} labels)" for size, mean in zip(sizes, points.mean(axis=0))),
                  f"{points.min():+.0f}"])
View(text_table(["task", "fewest labels", "more", "most", "smallest gain"], added))

# %% [markdown]
# <details><summary><b>Why is the gain for similarity so small with 100 labels?</b></summary>
#
# Pretraining brings knowledge, but only the labels tell what is asked. Does a different name make two sentences less
# similar than a different year? A hundred pairs are too few to tell. For named entities, a few sentences make the task
# clear.
# </details>

# %% [markdown]
# ## 4 · Freeze it, train it, or both with care
#
# There are three ways to use a pretrained encoder:
#
# - **frozen**: the encoder stays as it is, and only the head learns. The encoder's outputs are computed only once, so
#   this is fast, and one encoder can serve many heads.
# - **full fine-tuning**: everything learns, with one learning rate. BERT's authors do this with 2e-5 to 5e-5.
# - **two learning rates**: a large one for the new head, a smaller one for the encoder.
#
# We try all three on our 1,000 sentences, and full fine-tuning with three learning rates. Each takes a few seconds.

# %%
WAYS = {
    "frozen, head 3e-3": dict(approach="frozen", rate=3e-3),
    "full, 1e-4": dict(rate=1e-4),
    "full, 1e-2": dict(rate=1e-2),
    "encoder 1e-3, head 1e-2": dict(rate=1e-2, encoder_rate=1e-3),
}
ways = {"full, 1e-3": matthews_of(tuned["pretrained"], test)}            # from section 3
for name, options in WAYS.items():
    result, log = fine_tuned("pretrained", **options)
    ways[name] = matthews_of(result, test)
    print(f"{name:22s} {sum(entry['seconds'] for entry in log):.1f} seconds of training")

# %% [markdown]
# You know the first bar from section 3. What do the others reach?

# %% jupyter={"source_hidden": true}
from minibert.viz.plots import bars

def compare_ways():
    best = max(ways, key=ways.get)
    small, middle, large = (f"{ways[f'full, {rate}']:.0f}" for rate in ("1e-4", "1e-3", "1e-2"))
    title = f"Full, at 1e-4, 1e-3 and 1e-2: {small}, {middle} and {large}. Best here: {best}"
    return bars(list(ways), list(ways.values()), "Matthews correlation on the 500 test sentences", title,
                list(ways).index(best), "{:.1f}")

GuessBars("What Matthews correlation does each way reach on the 500 test sentences?", list(ways),
          lambda: [max(0, score) for score in ways.values()], top=100, within=12, axis="Matthews", see=compare_ways)

# %% [markdown]
# Our learning rates are far above BERT's. A small model that was pretrained on little text tolerates, and needs, larger
# steps than one of twelve layers.
#
# <details><summary><b>What can a head read from a frozen [CLS]?</b></summary>
#
# Not much that helps here. The vector of [CLS] was trained for another question: does B follow A? Whether a verb agrees
# with its subject may show in the vectors of the two words, but nothing made [CLS] collect it. Only training the
# encoder does. For named entities, Devlin et al. (section 5.3, table 7) lose only 0.3 F1 with a frozen encoder, using
# the right layers and a two-layer BiLSTM on top. There, each token is labelled from its own vector.
# </details>
#
# <details><summary><b>Why does so much depend on the learning rate?</b></summary>
#
# With too small a learning rate, the model learns too little in 300 steps. With too large a one, it loses what
# pretraining taught it: in the first steps the head is random, and so are the gradients that it sends into the encoder.
# Large steps in such directions overwrite the pretrained weights, and 1,000 labels cannot bring back what was learned
# from millions of words. This is called **catastrophic forgetting**. In Sun et al. (2019, section 5.3.3), BERT-base
# learns a task well with 2e-5; with 4e-4 it does not even learn its training examples.
# </details>
#
# How does the optimiser learn of two learning rates? It gets groups of parameters. Here each lower layer also has half
# the learning rate of the layer above it (a *layer-wise decay*, after Howard and Ruder, 2018).

# %%
from minibert.finetuning.layers import parameter_groups

groups = parameter_groups(tuned["pretrained"].model, peak_rate=3e-3, encoder_rate=3e-4, layer_decay=0.5)
parts = [*(f"layer {k}" for k in range(config.num_hidden_layers, 0, -1)), "embeddings", "pooler and head"]
for part, group in zip(parts, groups):
    print(f"{part:15s} {sum(p.numel() for p in group['params']):9,} parameters, learning rate {group['lr']:.1e}")

# %% [markdown]
# ## 5 · Four choices
#
# In **multiple choice**, each option becomes a sequence of its own and gets **one** score. The softmax then runs over
# the options of an example:

# %%
from minibert.reference import choice_head

print(inspect.getsource(choice_head))

# %% [markdown]
# Now you play the head: type four scores. Then add 5 to all four. Then double them. Each time, say what will change
# before you press Enter.

# %%
CHOSEN = SHOWN["swag"][0]

def draw_choice(scores):
    probs = softmax(np.array([float(number) for number in scores.split()]))         # (C,) over the options
    notes = {CHOSEN.endings[CHOSEN.label]: f"the right one: loss {-np.log(probs[CHOSEN.label]):.2f}"}
    return f"<p>{CHOSEN.context} …</p>" + guesses_html(list(zip(CHOSEN.endings, probs)), notes)

Explorer(draw_choice, scores=widgets.Text("1 3 0 -1", description="Scores", continuous_update=False))

# %% [markdown]
# <details><summary><b>Why is the new layer just one vector in BERT (section 4.4), without a bias?</b></summary>
#
# A bias would add the same number to all four scores, and that changes nothing: only their differences matter to the
# softmax. (Doubling the scores doubles the differences, so the highest one gets more probability.)
# </details>
#
# <details><summary><b>Why not one sequence with all four endings, and a head with four outputs?</b></summary>
#
# Then each place would have weights of its own, and the model could learn which place is right most often. With
# separate sequences, the same weights judge all options: their order cannot matter, and a fifth needs no new weights.
# </details>
#
# The results on SWAG's test set (Devlin et al., table 4). Guessing gives 25%. The humans answered only 100 of the
# examples.

# %%
SWAG = {"ESIM + GloVe": 52.7, "ESIM + ELMo": 59.2, "OpenAI GPT": 78.0, "BERT-large": 86.3, "a human expert": 85.0,
        "five humans": 88.0}
lead = SWAG["BERT-large"] - SWAG["OpenAI GPT"]
show(*bars(list(SWAG), list(SWAG.values()), "accuracy in %", f"SWAG: BERT-large is {lead:.1f} points above GPT, and "
           "above one human expert", 3, "{:.1f}", limit=100))

# %% [markdown]
# ## 6 · What a score hides
#
# Of 100 emails, 95 are good and 5 are spam. A useless spam filter always says "good". How do five metrics judge it?
#
# - **accuracy**: the percentage of right answers.
# - **F1** of a label: the harmonic mean (low if either is low) of *precision* (how many of the emails that got this
#   label deserve it?) and *recall* (how many of the emails that deserve it got it?). **Macro F1** is the mean of both
#   labels' F1.
# - **Matthews**: the correlation between labels and answers.

# %% jupyter={"source_hidden": true}
from minibert.tasks import metrics
from minibert.viz.scores import score_table

def score_all(gold, answers):
    values = [metrics.accuracy(gold, answers), metrics.f1(gold, answers, 1), metrics.f1(gold, answers, 0),
              metrics.macro_f1(gold, answers), metrics.matthews(gold, answers)]
    return [100 * value for value in values]

def filters(share):
    gold = np.arange(1000) < 10 * share                                 # 1 = good, 0 = spam
    fooled = np.arange(1000) % 5 == 0                                   # every fifth email, of both kinds
    return gold, {"always “good”": np.ones(1000, bool), "80% of each kind": gold ^ fooled}

METRICS = ["accuracy", "F1 of good", "F1 of spam", "macro F1", "Matthews"]

# %% [markdown]
# Here each of them goes from 0 to 100:

# %% jupyter={"source_hidden": true}
def always_good():
    gold, answers = filters(95)
    return score_all(gold, answers["always “good”"])

GuessBars("A filter says “good” to all: 95 good emails and 5 of spam. What does it get from each metric?", METRICS,
          always_good, top=100, within=12, axis="score")

# %% [markdown]
# Now compare it with a filter that recognises 80% of each kind. Move the slider: when does each metric prefer the
# better filter?

# %% jupyter={"source_hidden": true}
def draw_filters(share):
    gold, answers = filters(share)
    scores = {name: score_all(gold, given) for name, given in answers.items()}
    winners = [name for name, a, b in zip(METRICS, *scores.values()) if a > b]
    said = f"With {share}% good emails, the filter that reads nothing wins on: {', '.join(winners) or 'no metric'}."
    return score_table(METRICS, scores, said, head="filter")

Explorer(draw_filters, share=widgets.IntSlider(95, min=50, max=99, description="% good", continuous_update=False))

# %% [markdown]
# And the filter that reads nothing, for every share of good emails:

# %% jupyter={"source_hidden": true}
shares = np.arange(50, 100)
lazy = np.array([score_all(*(filters(share)[0], np.ones(1000, bool))) for share in shares])      # (shares, metrics)
lines = {METRICS[i]: lazy[:, i] for i in (0, 1, 4)}
rises = ", ".join(f"{name} {line[0]:.0f} to {line[-1]:.0f}" for name, line in lines.items())
show(*curves(shares, {"score": lines}, "good emails in 100", f"From left to right: {rises}", markers=False))

# %% [markdown]
# <details><summary><b>Why is CoLA scored by Matthews, and QQP by the F1 of “duplicate”?</b></summary>
#
# In CoLA, 70% of the sentences are acceptable, and in QQP, 63% of the pairs are not duplicates. A model that always
# gives the frequent label must not look good. Accuracy and the F1 of the frequent label would praise it.
# </details>
#
# STS-B asks for a number. It is scored with two correlations, each of them at most 1: **Pearson** is 1 if the answers
# lie on a rising straight line over the right ones, **Spearman** if they are in the right order. Now let every answer
# be the right one plus 2.

# %% jupyter={"source_hidden": true}
gold = np.linspace(0, 5, 50)
NOTICE = {(True, False): "Pearson", (False, True): "Spearman", (True, True): "both", (False, False): "neither"}

def shifted(by=2):
    return metrics.pearson(gold, gold + by), metrics.spearman(gold, gold + by)

def shift_seen():
    return "<p>Pearson is {:.2f} and Spearman {:.2f}, although every single answer is wrong by 2.</p>".format(*shifted())

GuessChoice("Every answer is too high by 2. Which correlation notices, and falls below 1?", list(NOTICE.values()),
            lambda: NOTICE[tuple(value < 0.99 for value in shifted())], see=shift_seen)

# %% [markdown]
# Two other ways to be wrong: the right answers cubed, and one number for all. (If all answers are equal, a correlation
# is not defined; the package counts it as 0.)

# %%
wrong = {"right answers cubed": gold ** 3, "one number for all": 0 * gold}
View(text_table(["answers", "Pearson", "Spearman", "mean error"], [
    [name, f"{metrics.pearson(gold, answers):.2f}", f"{metrics.spearman(gold, answers):.2f}", abs(gold - answers).mean()]
    for name, answers in wrong.items()]))

# %% [markdown]
# ## 7 · The table that made BERT famous
#
# These are results on GLUE's test sets, scored by GLUE's server (Devlin et al., 2019, table 1). *Pre-OpenAI SOTA* is
# the best before GPT (SOTA: state of the art). MNLI has two test sets: texts like those of the training set (m) and
# others (mm).

# %%
TASKS = ["MNLI-m", "MNLI-mm", "QQP", "QNLI", "SST-2", "CoLA", "STS-B", "MRPC", "RTE"]
EXAMPLES = [392_000, 392_000, 363_000, 108_000, 67_000, 8_500, 5_700, 3_500, 2_500]
GLUE = {
    "Pre-OpenAI SOTA": [80.6, 80.1, 66.1, 82.3, 93.2, 35.0, 81.0, 86.0, 61.7],
    "BiLSTM+ELMo+Attn": [76.4, 76.1, 64.8, 79.8, 90.4, 36.0, 73.3, 84.9, 56.8],
    "OpenAI GPT": [82.1, 81.4, 70.3, 87.4, 91.3, 45.4, 80.0, 82.3, 56.0],
    "BERT-base": [84.6, 83.4, 71.2, 90.5, 93.5, 52.1, 85.8, 88.9, 66.4],
    "BERT-large": [86.7, 85.9, 72.1, 92.7, 94.9, 60.5, 86.5, 89.3, 70.1],
}
PRINTED = dict(zip(GLUE, [74.0, 71.0, 75.1, 79.6, 82.1]))              # the paper's last column, "Average"

# %% [markdown]
# The scores are F1 for QQP and MRPC, Spearman for STS-B, Matthews for CoLA, and accuracy for the others. BERT-base and
# GPT have nearly the same size, but BERT leads in all nine columns.

# %% jupyter={"source_hidden": true}
FEW_OR_MANY = ["more than 50,000 labels", "fewer than 50,000 labels"]

def leads():
    gaps, many = np.array(GLUE["BERT-base"]) - GLUE["OpenAI GPT"], np.array(EXAMPLES) > 50_000
    return gaps, [gaps[many].mean(), gaps[~many].mean()]

def leads_seen():
    gaps, means = leads()
    both = ", ".join(f"{mean:.1f} points with {kind}" for mean, kind in zip(means, FEW_OR_MANY))
    return (f"<p>On average, BERT leads by {both}. The Spearman correlation between its lead and the number of labels is "
            f"{metrics.spearman(EXAMPLES, gaps):.2f}.</p>")

GuessChoice("On which tasks does BERT-base lead GPT by more points, on average?", FEW_OR_MANY,
            lambda: FEW_OR_MANY[int(np.argmax(leads()[1]))], see=leads_seen)

# %% [markdown]
# Compare any two systems. The number of training examples stands beside each task.

# %% jupyter={"source_hidden": true}
from minibert.viz.scores import gap_bars

ORDERS = {"as in the paper": lambda gaps: range(9), "by the gap": lambda gaps: np.argsort(gaps)[::-1],
          "by training examples": lambda gaps: np.argsort(EXAMPLES, kind="stable")}

def draw_gaps(system, against, order):
    gaps = (np.array(GLUE[system]) - GLUE[against]).round(1)
    places = list(ORDERS[order](gaps))
    labels = [f"{TASKS[i]} ({EXAMPLES[i] / 1000:g}k)" for i in places]
    top = TASKS[int(gaps.argmax())]
    return gap_bars(labels, gaps[places], f"{system} minus {against}, points",
                    f"{system} against {against}: {gaps.mean():+.1f} on average, most on {top}")

Explorer(draw_gaps, system=widgets.Dropdown(options=list(GLUE), value="BERT-base", description="System"),
         against=widgets.Dropdown(options=list(GLUE), value="OpenAI GPT", description="Against"),
         order=widgets.Dropdown(options=list(ORDERS), value="by training examples", description="Order"))

# %% [markdown]
# The whole table, sorted by a column:

# %% jupyter={"source_hidden": true}
def draw_glue(column):
    names = sorted(GLUE, key=lambda name: -(GLUE[name] + [PRINTED[name]])[(TASKS + ["Average"]).index(column)])
    rows = {name: GLUE[name] + [PRINTED[name]] for name in names}
    return score_table(TASKS + ["Average"], rows, f"By {column}: {' > '.join(names)}. The best of each column is bold.", column)

Explorer(draw_glue, column=widgets.Dropdown(options=TASKS + ["Average"], value="RTE", description="Sort by"))

# %% [markdown]
# What does the last column average? Compute it:

# %%
for name, scores in GLUE.items():
    print(f"{name:18s} mean of the nine columns {np.mean(scores):.2f}, the paper prints {PRINTED[name]}")

# %% [markdown]
# It averages accuracies, F1 scores and correlations, and MNLI counts twice. So use it for the trend, and the columns to
# understand it.
#
# <details><summary><b>Why was RTE hard before BERT, with 56% to 62% where guessing gives 50%?</b></summary>
#
# RTE asks whether B follows from A, and has only 2,500 training examples. MNLI asks nearly the same with 392,000, and
# there GPT reaches 82%. What 2,500 examples cannot teach, the model must bring along.
# </details>
#
# <details><summary><b>Why are these test scores believable, and what do they still hide?</b></summary>
#
# The labels of the test sets are secret, so nobody could train on them. But the table shows no spread over seeds. And
# BERT-large sometimes fails to learn a small task, so its authors ran it several times and took the run that was best
# on the development (dev) set, which also decided the learning rate.
# </details>

# %% [markdown]
# ## 8 · Why does pretraining help? A look at the valleys
#
# Training walks downhill on the **loss surface**: the loss as a function of all weights. Hao et al. (2019) drew slices
# of BERT's. They found that fine-tuning ends in **wider valleys** than training from scratch, and gets there more
# directly. Do our two models agree?

# %% jupyter={"source_hidden": true}
from torch.nn import functional as F
from minibert.finetuning.surface import losses_around, random_direction, way, weights_of

def loss_on(examples):
    rows, labels, _ = task.encode(examples)
    batch = task.collate(rows, labels)
    inputs, gold = task.inputs(batch, "cpu"), torch.from_numpy(batch.sequence_labels)
    return lambda network: F.cross_entropy(network(**inputs)["label"], gold)

seen, unseen = loss_on(pool[:100]), loss_on(test[:100])

# %% [markdown]
# First we walk in a straight line from the start (0) to the solution (1), the weights after training, and beyond. To
# recover the start, we train for one step with a learning rate of nearly 0.

# %%
ends = {start: weights_of(result.model) for start, result in tuned.items()}
begins = {start: weights_of(fine_tuned(start, steps=1, rate=1e-12)[0].model) for start in tuned}
ALONG = np.linspace(-0.5, 1.5, 13)

def line(start, loss):
    towards = way(begins[start], ends[start])
    return [row[0] for row in losses_around(tuned[start].model, loss, begins[start], towards, at_first=ALONG)]

# %% [markdown]
# Between start and solution, does the loss decrease at once, or is there a hill first? Is the solution the lowest
# point, for training sentences and for others? And what comes beyond it?

# %%
panels = {name: {start: line(start, loss) for start in tuned}
          for name, loss in {"training loss": seen, "test loss": unseen}.items()}
lowest = {start: ALONG[np.argmin(losses)] for start, losses in panels["test loss"].items()}
show(*curves(ALONG, panels, "0 = start, 1 = solution", f"The test loss is lowest at {lowest['pretrained']:.0%} of the way if "
             f"pretrained, at {lowest['scratch']:.0%} from scratch", markers=False))

# %% [markdown]
# <details><summary><b>Why can the test loss be high at the solution, when the test score is good?</b></summary>
#
# The score only counts which label gets more probability. The loss also asks how much. A model that fits its training
# sentences closely becomes very sure, also of its mistakes on other sentences, and each of these costs a lot. That is
# **overfitting** of the probabilities.
# </details>

# %% [markdown]
# Now we walk sideways from the solution, in a random direction. But how long is a step? A step that is small for large
# weights is big for small ones, and the two models have weights of different size. So we use two rulers. With the
# model's **own** ruler, each row of the direction is as long as the same row of its weights (Li et al., 2018). With
# **one** ruler for both models, it is as long as in fresh random weights. Each valley is the mean over three
# directions.

# %%
ASIDE = np.linspace(-0.75, 0.75, 11)
RULERS = {"own": ends, "one": dict.fromkeys(ends, begins["scratch"])}

def valley(start, ruler, seed):
    direction = random_direction(RULERS[ruler][start], torch.Generator().manual_seed(seed))
    return [row[0] for row in losses_around(tuned[start].model, seen, ends[start], direction, at_first=ASIDE)]

valleys = {ruler: {start: np.mean([valley(start, ruler, seed) for seed in range(3)], axis=0) for start in tuned}
           for ruler in RULERS}

# %% [markdown]
# The width of a valley is the range in which the loss is less than 0.2 above that of the solution.

# %% jupyter={"source_hidden": true}
def width(losses, above=0.2):
    low = ASIDE[losses < losses[len(ASIDE) // 2] + above]
    return low.max() - low.min()

def widths(ruler):
    return {start: width(losses) for start, losses in valleys[ruler].items()}

# %% [markdown]
# Do our models agree with Hao et al.?

# %% jupyter={"source_hidden": true}
from minibert.viz.explorer import figure_html

def wider(ruler):
    both = widths(ruler)
    return max(both, key=both.get) if len(set(both.values())) > 1 else "neither"

def both_rulers():
    title = f"The wider valley: {wider('own')} by the own ruler, {wider('one')} by one ruler for both"
    panels = {f"training loss, {ruler} ruler": both for ruler, both in valleys.items()}
    said = "; ".join(", ".join(f"{start} {wide:.2f}" for start, wide in widths(ruler).items()) + f" ({ruler} ruler)"
                     for ruler in valleys)
    return (figure_html(*curves(ASIDE, panels, "distance from the solution", title, markers=False))
            + f"<p>The widths: {said}.</p>")

GuessChoice("Whose valley is wider, each measured by its own ruler?", [*ends, "neither"], lambda: wider("own"),
            see=both_rulers)

# %% [markdown]
# Do the weights of the two differ in size? Here are their length (norm), and how far training moved them:

# %%
def length(weights):
    return sum(tensor.square().sum() for tensor in weights.values()).sqrt()

for start in ends:
    print(f"{start:10s} length of all weights {length(ends[start]):.0f}, "
          f"moved by {length(way(begins[start], ends[start])):.0f}")

# %% [markdown]
# Last, a map like figure 1 of Hao et al.: the horizontal axis leads from the start to the solution, and the vertical
# axis is a random direction. (In theirs it leads to another task's solution.)

# %%
from minibert.viz.surface import loss_maps

ACROSS, UP = np.linspace(-0.4, 1.4, 10), np.linspace(-0.75, 0.75, 7)

def plane(start):
    aside = random_direction(ends[start], torch.Generator().manual_seed(0))
    return np.array(losses_around(tuned[start].model, seen, begins[start], aside, way(begins[start], ends[start]), UP, ACROSS))

maps = {name: plane(start) for start, name in {"pretrained": "pretrained", "scratch": "from scratch"}.items()}

# %% [markdown]
# Dark means a low loss. Compare the valleys around the two solutions:

# %%
deeper = min(maps, key=lambda name: maps[name].min())
show(*loss_maps(maps, ACROSS, UP, "0 = start, 1 = solution", "aside, by its own ruler",
                f"The deeper valley: {deeper}, loss {maps[deeper].min():.2f}", [(0, 0, "start"), (1, 0, "solution")]))

# %% [markdown]
# <details><summary><b>Why should a wide valley generalise better?</b></summary>
#
# Other sentences have a slightly different surface, with valleys that are shifted a little. In a wide valley, a small
# shift hardly changes the loss; in a narrow one, it leads up the side. Hao et al. find that training loss and test
# error have more similar surfaces for the pretrained model.
# </details>
#
# <details><summary><b>Why is such a picture only a hint, and not a proof?</b></summary>
#
# We see a few of many hundred thousand directions, and the choice of a ruler is ours. Our models are small; Hao et al.
# use a published BERT and real tasks. And wide valleys may come with good solutions without causing them. The evidence
# is the scores on new sentences, over several seeds.
# </details>

# %% [markdown]
# ## 9 · Task by task: where pretraining helps, and where not
#
# Here are all tasks, learned from pretrained encoders (`make tour` makes such a model; there are three) and from
# scratch, with five seeds. Most have 1,000 labelled examples. MNLI and QQP have 4,000 and RTE 24,000, because fewer
# taught too little; SST-2 has 4,000, each read once. As BERT's authors did (section 4.1), we chose the learning rate on
# a dev set, here from two. (Two tasks are new. `wnli`: whom does a pronoun mean? `race`: which of four answers to a
# question about a text is right? `qa` and `ner` are the questions and named entities of section 3.)

# %% jupyter={"source_hidden": true}
from collections import defaultdict

transfer = defaultdict(lambda: defaultdict(dict))
SCORES = {"stsb": "Spearman", "cola": "Matthews", "qa": "F1", "ner": "F1"}
for run in json.loads((ROOT / "benchmarks" / "transfer.json").read_text())["runs"]:
    transfer[run["task"]][run["start"]][run["seed"]] = run["scores"][SCORES.get(run["task"], "accuracy")]
gains = {name: [kept["pretrained"][seed] - kept["scratch"][seed] for seed in kept["scratch"] if seed in kept["pretrained"]]
         for name, kept in transfer.items()}

# %% [markdown]
# On which task does it help least?

# %% jupyter={"source_hidden": true}
def all_gains():
    order = sorted(gains, key=lambda name: -np.mean(gains[name]))
    names = [f"{name} ({len(gains[name])} seed{'s' * (len(gains[name]) > 1)})" for name in order]
    nothing = [name for name in order if min(gains[name]) <= 0]
    return gap_bars(names, [np.mean(gains[name]) for name in order], "points gained by pretraining, on average",
                    f"Tasks on which at least one seed gains nothing: {', '.join(nothing) or 'none'}")

LEAST = ["cola", "mnli", "qqp", "stsb", "wnli"]
GuessChoice("On which of these five does pretraining gain the fewest points?", LEAST,
            lambda: min(LEAST, key=lambda name: np.mean(gains[name])), see=all_gains)

# %% [markdown]
# How much do the seeds differ? The table has the points gained:

# %%
View(text_table(["task", "smallest gain", "mean", "largest gain"], [
    [name, *(f"{gain:+.1f}" for gain in (min(points), np.mean(points), max(points)))] for name, points in
    sorted(gains.items(), key=lambda item: -np.mean(item[1]))]))

# %% [markdown]
# <details><summary><b>Why so much for some tasks, and so little for others?</b></summary>
#
# - **Much where words and grammar decide, or where one text answers the other**: who is a person, does the verb agree,
#   is this sentence about what is asked? Predicting masked words teaches this, even to a model of three layers.
# - **Less for QQP and RTE, and only with many labels.** With 4,000 labels, RTE reached 57% pretrained and 55% from
#   scratch (one run each); with 12,000, two of five seeds gained nothing; with 24,000, all five gained. In many pairs
#   of these tasks, the texts differ only in who did it, or in the order of the same words. So the model must bind each
#   fact to its person and compare. A small model learns this late, or not at all.
# - **Nothing for WNLI**: both starts stay near guessing. WNLI is all about such binding: whom does *he* mean? Yet the
#   encoder knows something about it. A linear classifier on its frozen last layer tells in 80% of our pairs whether a
#   pronoun means a name (59% on random weights; [five seeds](../benchmarks/frozen.md)). WNLI also asks to compare two
#   texts, and our labels do not teach that.
# - **SST-2 exaggerates the differences.** Our 500 test sentences have only 16 wordings, none of them in the training
#   set. Each wording is right or wrong as a whole, so scores jump from seed to seed, and are often below 50% from
#   scratch.
# - **The real BERT does learn it**: RTE 66 and 70, MRPC 89, with 110 and 340 million parameters and 3,300 million words
#   of pretraining. So this is a limit of our small model, not of the idea.
# </details>
#
# <details><summary><b>If a task gains nothing, what should you check first?</b></summary>
#
# The learning rate. We fine-tuned one encoder of an earlier recipe on 4,000 STS-B examples with 2e-3, 1e-3, 5e-4,
# 2.5e-4 and 1.2e-4. The Spearman correlations were 43, 59, 59, 82 and 78 (one run each), and 57 from scratch. So at
# 5e-4 and above, hardly anything was left of the pretraining. A plausible reason: large steps destroy what the encoder
# has learned before the head can use it.
# </details>

# %% [markdown]
# ## 10 · In real English
#
# Back to the model from the top, which learned from film reviews that people wrote. It is built like yours, with a few
# small extra matrices that are explained below.
#
# Which words decide? We leave out one word at a time, and see how much the probability of *positive* changes. **Guess
# first**: which word matters most? Type it. Then write a sentence of your own.

# %%
import re
from minibert.viz.guess import GuessWord

def without_each(text):
    words = re.findall(r"[\w'’]+", text.lower())[:30]
    shorter = [" ".join(words[:i] + words[i + 1:]) for i in range(len(words))]
    probs = verdicts(sentiment, [" ".join(words), *shorter])                    # (1 + words, C)
    positive = probs[:, sentiment.labels.index("positive")]
    return words, abs(positive[1:] - positive[0]).tolist()

GuessWord(without_each, "The story is slow but the music is wonderful",
          "change of the probability without the word")

# %% [markdown]
# You can say what you think plainly, or in a roundabout way: with *not*, *if* or a comparison. Here are eight reviews
# of each kind; the roundabout ones were written to mislead. (The code is folded because it holds the labels.)

# %% jupyter={"source_hidden": true}
PLAIN = {"A beautiful and moving film.": "positive", "The worst film of the year.": "negative",
         "I enjoyed every scene.": "positive", "The dialogue is awful.": "negative",
         "Funny, clever and full of heart.": "positive", "It was so dull that I fell asleep.": "negative",
         "A masterpiece with excellent actors.": "positive", "Ugly pictures, terrible music.": "negative"}
ROUNDABOUT = {"Not bad at all.": "positive", "A great film, if you need to sleep.": "negative",
              "You will not regret a minute.": "positive", "The trailer was the best part.": "negative",
              "Nothing in it is dull or false.": "positive", "My dog enjoyed it more than I did.": "negative",
              "They said it was terrible, and they were wrong.": "positive",
              "It would be a masterpiece without its second half.": "negative"}

from functools import cache

@cache                                          # for the guess and for the table
def judge_all():
    rows, right = [], {}
    for kind, films in {"plain": PLAIN, "roundabout": ROUNDABOUT}.items():
        probs = verdicts(sentiment, list(films))                                # (B, C)
        said = [sentiment.labels[best] for best in probs.argmax(axis=1)]
        right[kind] = sum(a == b for a, b in zip(said, films.values()))
        rows += zip(films, films.values(), said, (100 * probs.max(axis=1)).tolist())
    said = ", ".join(f"{right[kind]} of {len(PLAIN)} {kind} ones" for kind in right)
    return list(right.values()), text_table(["review", "label", "prediction", "its probability, %"], rows, f"Right: {said}")

View("".join(f"<p><b>{kind}</b><br>{'<br>'.join(films)}</p>"
             for kind, films in {"plain": PLAIN, "roundabout": ROUNDABOUT}.items()))

# %% [markdown]
# How well will the model judge them?

# %% jupyter={"source_hidden": true}
GuessBars("How many of the eight reviews of each kind does the model get right?", ["plain", "roundabout"],
          lambda: judge_all()[0], top=len(PLAIN), within=1, axis="right, of 8", see=lambda: judge_all()[1])

# %% [markdown]
# <details><summary><b>Why can one word decide about a whole review?</b></summary>
#
# People who write *great* or *masterpiece* are mostly pleased, so these words alone are enough for most of the training
# examples. What *if you need to sleep* does to *great* must be learned from the few reviews that say such things. The
# probability does not warn you: it only says how clearly the sentence resembles those of one label.
# </details>
#
# ### Pretrain once, fine-tune many times
#
# Now you are the teacher. This English model predicts masked words and has not learned any other task; lesson 1,
# section 10, told how it was trained. (If the course's own model takes its place, do not expect much: it has never read
# these words.)

# %%
english = minibert.load("english")
print(f"{english.config.num_hidden_layers} layers, {english.config.hidden_size} wide, "
      f"vocabulary {english.config.vocab_size:,}")

# %% [markdown]
# The folded cell holds sixty sentences about everyday things: food, travel and health. Each has two labels: its topic,
# and whether it is about the past or the future. Of every ten sentences, six are for training and four for the test.

# %% jupyter={"source_hidden": true}
SAID = {
    ("food", "past"): """We ate pancakes with honey this morning.
The soup was too salty yesterday.
Grandma baked a cake with plums.
I burned the rice again last night.
They drank all the orange juice.
He forgot to buy bread and butter.
She cut the onions and cried.
The children finished the whole pizza.
We had noodles for lunch.
Somebody left the cheese in the sun.""",
    ("food", "future"): """I will cook a curry tonight.
We are going to bake cookies on Sunday.
She will bring a salad to the party.
Tomorrow I will try the new ice cream.
He is going to fry some eggs.
Next week we will make jam from cherries.
They will grill fish in the garden.
I am going to peel the potatoes later.
You will love this soup.
Mum will boil the beans this evening.""",
    ("travel", "past"): """Our train left an hour late.
We missed the bus to the airport.
She drove to the coast last summer.
The plane landed in heavy rain.
They lost their suitcases in Rome.
I walked across the bridge at night.
He flew to Canada in March.
We slept in a small hotel by the harbour.
The ferry was full of tourists.
My ticket cost more than the flight home.""",
    ("travel", "future"): """We will take the night train to Vienna.
I am going to pack my suitcase tomorrow.
She will fly to Japan in May.
They are going to cycle along the river.
He will rent a car at the airport.
Next year we will sail to the islands.
I will book a room near the station.
You are going to miss your flight.
The bus will stop at the museum.
We will cross the border on Friday.""",
    ("health", "past"): """My knee hurt after the run.
The doctor told him to rest.
She caught a cold last week.
I had a headache all day.
He broke his arm when he fell.
The nurse gave me a vaccine.
They took the medicine twice a day.
Her fever went down overnight.
The dentist pulled my tooth.
I felt dizzy and sick.""",
    ("health", "future"): """I will see the dentist on Monday.
She is going to stop smoking.
The doctor will check your heart.
We will get a vaccine in autumn.
He is going to have an operation.
They will test my blood tomorrow.
The pills will ease the pain.
I am going to sleep more this month.
The nurse will clean the wound.
You will feel better soon.""",
}

# %% [markdown]
# From the same sentences, each of two questions makes a task:

# %%
ASKED = {"What is it about?": 0, "Past or future?": 1}

def everyday(asked, part):
    return [TextExample(text, None, labels[ASKED[asked]], "0", 1) for labels, texts in SAID.items()
            for text in texts.splitlines()[part]]

TRAIN, TEST = slice(0, 6), slice(6, None)
counts = [len(everyday("Past or future?", part)) for part in (TRAIN, TEST)]
print(f"{counts[0]} sentences to learn from, {counts[1]} to score")

# %% [markdown]
# Each task is learned twice: by full fine-tuning of the pretrained encoder, and from scratch. We did not search for
# good settings: twenty epochs at a learning rate of 1e-4. (For few examples, Mosbach et al., 2021,
# [arXiv 2006.04884](https://arxiv.org/abs/2006.04884), also advise many epochs, but a smaller learning rate.) *Before*
# is the pretrained encoder with an untrained head: its learning rate is almost 0.

# %%
RUNS = {"before": dict(epochs=1, rate=1e-12), "from scratch": dict(start="scratch"), "fine-tuned": {}}

def taught(asked, start="pretrained", epochs=20, rate=1e-4):
    torch.manual_seed(0)
    fresh = start == "scratch"
    encoder = Encoder(english.config) if fresh else copy.deepcopy(english.encoder)
    return finetune("text", encoder, english.tokenizer, everyday(asked, TRAIN), epochs=epochs, peak_rate=rate,
                    pooler=None if fresh else english.pooler, progress=False, precision=torch.float32)

# %% [markdown]
# The four long runs take 10 to 30 seconds each:

# %%
answering = {}
for asked in ASKED:
    for name, options in RUNS.items():
        answering[asked, name], log = taught(asked, **options)
        print(f"{asked:18s} {name:13s} {sum(entry['seconds'] for entry in log):4.1f} seconds")

# %% [markdown]
# All are tested on the other 24 sentences, and so is a model that always gives the same label. (All labels are equally
# frequent, so you can work out its accuracy.)

# %%
def test_accuracy(asked, tuned=None):
    examples = everyday(asked, TEST)
    answers = tuned.task.answer(tuned.model, examples) if tuned else [examples[0].label] * len(examples)
    return 100 * metrics.accuracy([example.label for example in examples], answers)

@cache
def compare_starts():
    rows = {"always the same label": [test_accuracy(asked) for asked in ASKED]}
    return rows | {name: [test_accuracy(asked, answering[asked, name]) for asked in ASKED] for name in RUNS}

# %% [markdown]
# How many answers does each of them get right?

# %% jupyter={"source_hidden": true}
def all_starts():
    rows = compare_starts()
    best = " and ".join(f"{score:.0f}%" for score in rows["fine-tuned"])
    return (score_table(list(ASKED), rows, f"Fine-tuned on {counts[0]} sentences: {best} right",
                        head="training")
            + "<p>In the second task, a single word nearly decides: <i>will</i> or <i>going</i>. There the model from "
            f"scratch got {rows['from scratch'][1]:.0f}% right.</p>")

GuessBars("What percentage of the test sentences does each model get right?",
          [f"{name}: {asked}" for name in RUNS for asked in ASKED],
          lambda: [score for name in RUNS for score in compare_starts()[name]], top=100, within=10,
          axis="right", unit="%", see=all_starts)

# %% [markdown]
# (With 24 test sentences, each counts 4%, and there is only one seed: small differences mean nothing.)
#
# Now both fine-tuned models judge a sentence of yours. Then write one about something else, such as music or football:
# what do they answer, and how sure are they?

# %%
both = [answering[asked, "fine-tuned"] for asked in ASKED]
Explorer(lambda text: draw_verdict(text, both),
         text=widgets.Text("Tomorrow we will make dumplings.", description="I write", **wide))

# %% [markdown]
# <details><summary><b>Why does it never answer “something else”?</b></summary>
#
# The probabilities of the labels add up to 1, so one of them must win. The model can only choose among the labels that
# it was trained on; a label *other* would need examples of its own.
# </details>
#
# <details><summary><b>Does every task need an encoder of its own?</b></summary>
#
# After full fine-tuning, yes: your two tasks have two encoders. The English sentiment model was trained in another way,
# with **low-rank adapters** (LoRA; Hu et al., 2022, [arXiv 2106.09685](https://arxiv.org/abs/2106.09685)): the encoder
# stays as it is, and for each weight matrix the task learns two thin ones, whose product is added to it. A task is then
# a small file, and many tasks share one encoder.
# </details>
#
# ### How similar are two sentences?
#
# This needs no new head. Each sentence gets a vector, the mean of its tokens' last hidden states, and two vectors are
# compared by their **cosine similarity** (1 if they point in the same direction). This works only with an encoder
# trained for it, so that texts with the same meaning are close together (as in Reimers and Gurevych, 2019,
# [arXiv 1908.10084](https://arxiv.org/abs/1908.10084), but here with many more pairs). The published encoder that our
# English model started from was trained so, but our further training on masked tokens did not preserve it. So we load
# the published one.

# %% jupyter={"source_hidden": true}
from minibert.english.published import EnglishMissing, encoder_folder
from minibert.model import load_pretrained

try:
    similar = load_pretrained(encoder_folder()).encoder
except EnglishMissing:
    similar = english.encoder
    print("The course's own encoder takes its place. It was not trained for this.")

# %% [markdown]
# The mean is over the non-padding tokens:

# %%
def vectors(texts):
    reader = both[0].task
    batch = reader.collate(reader.encode(examples_of(texts))[0])
    with torch.no_grad():
        hidden = similar(**reader.inputs(batch, "cpu"))["hidden"].numpy()       # (B, T, D)
    means = np.stack([h[real].mean(axis=0) for h, real in zip(hidden, batch.real)])     # (B, D)
    return means / np.linalg.norm(means, axis=1, keepdims=True)

# %% [markdown]
# This makes a small search engine. **Guess first**: which of the twelve sentences is closest to yours? Type a word of
# it.

# %% jupyter={"source_hidden": true}
from minibert.viz.guess import CommitFirst

SHELF = [text for texts in SAID.values() for text in texts.splitlines()[:2]]

def nearest(text):
    cosines = vectors(SHELF) @ vectors([text])[0]                               # (sentences,)
    order = np.argsort(-cosines)
    return bars([SHELF[i] for i in order], cosines[order], "cosine similarity to my sentence",
                f"Closest: {SHELF[order[0]]}", 0, limit=1.1)

CommitFirst(lambda text: f"<p>{'<br>'.join(SHELF)}</p>", nearest,
            text=widgets.Text("Too much salt spoiled my dinner.", description="I write", **wide))

# %% [markdown]
# How well does the cosine tell whether two sentences mean the same? Here are six pairs:

# %%
PAIRS = [("He sold her the car.", "She bought the car from him."),
         ("The dog bit the man.", "The man bit the dog."), ("I like this film.", "I do not like this film."),
         ("The lift is out of order.", "You have to take the stairs."),
         ("She left her job.", "She has quit working there."),
         ("The shop opens at nine.", "My cat sleeps all day.")]

@cache
def compare_pairs():
    firsts, seconds = (vectors(texts) for texts in zip(*PAIRS))                 # (pairs, D) each
    return sorted(zip(*zip(*PAIRS), (100 * (firsts * seconds).sum(axis=1)).tolist()), key=lambda row: -row[2])

# %% [markdown]
# First decide which of the pairs mean the same.

# %% jupyter={"source_hidden": true}
def all_pairs():
    rows = compare_pairs()
    return text_table(["A", "B", "100 × cosine"], rows, f"Highest: “{rows[0][0]}” – “{rows[0][1]}”")

GuessChoice("Which pair gets the highest cosine?", [" – ".join(pair) for pair in PAIRS],
            lambda: " – ".join(compare_pairs()[0][:2]), see=all_pairs)

# %% [markdown]
# <details><summary><b>Why did the pairs come out in this order?</b></summary>
#
# Most pairs used to train such vectors differ in their topic. In few of them does everything depend on who did what to
# whom, or on a *not*, so these have little influence on the mean. A model that reads both in one sequence (section 2)
# can compare word by word, but needs a sequence for every pair.
# </details>
#
# ### What did the model know before fine-tuning?
#
# Here is the English model with masked words as its only task. Write reviews with `[MASK]` in place of the verdict:
# does it predict the right kind of word? Then click a layer and follow [CLS]: the heads of this lesson read its last
# vector.

# %%
from minibert.viz import explore

explore(minibert.load("english"), "I loved every minute, it was really [MASK].")

# %% [markdown]
# ## Check yourself
#
# Run the folded cell and choose.

# %% jupyter={"source_hidden": true}
Quiz([
    Question("You fine-tune BERT-base for two labels. How many parameters are new?", [
        Choice("1,538", True, "Right: 768 for each label, and two biases. The pooler comes from pretraining."),
        Choice("110 million", False, "All of these are trained, but they are not new."),
        Choice("768", False, "That is one label's vector."),
    ]),
    Question("Your encoder is frozen, and [CLS] gives poor scores. What is the most likely reason?", [
        Choice("The head is too small", False, "Perhaps, but first ask what the vector contains."),
        Choice("[CLS] was never asked to gather what this task needs", True, "Right. Train the encoder, or read other tokens."),
        Choice("The learning rate of the encoder is too small", False, "A frozen encoder has none."),
    ]),
    Question("In SWAG, you add a bias to every option's score. What happens to the probabilities?", [
        Choice("Nothing", True, "Right: to the softmax, only differences matter."),
        Choice("They grow", False, "They still add up to 1."),
        Choice("They become equal", False, "Equal scores would do that, not equal additions."),
    ]),
    Question("In a test set, 95% have the same label. A model has 96% accuracy. What do you ask next?", [
        Choice("Nothing: 96% is good", False, "Always giving the same label reaches 95%."),
        Choice("Its Matthews correlation, or its F1 of the rare label", True, "Right. They show whether it finds the rare ones."),
        Choice("Its F1 of the frequent label", False, "That is 0.97 for a model that always gives the same label."),
    ]),
    Question("BERT-base leads GPT by 0.9 points on QQP and by 10.4 on RTE. Which difference explains it best?", [
        Choice("QQP has 363,000 labels, RTE 2,500", True, "Right. Many labels teach nearly all that is needed, so pretraining "
               "adds less."),
        Choice("QQP has two texts, RTE one", False, "Both have pairs."),
        Choice("RTE's sentences are shorter", False, "They are longer, and that is not the point."),
    ]),
    Question("Why do encoder and head get different learning rates?", [
        Choice("The encoder has more parameters", False, "True, but from scratch it has just as many, and needs no smaller "
               "learning rate."),
        Choice("The head starts from nothing, the encoder from something worth keeping", True, "Right."),
        Choice("Adam cannot train both with one rate", False, "It can: BERT's authors do this, with a small one."),
    ]),
])

# %% [markdown]
# And your guesses:

# %%
my_guesses()

# %% [markdown]
# ## In short
#
# - **One encoder, many heads.** A sequence, `[CLS]`, a pooler and one linear layer classify texts, pairs and options.
# - **Pretraining saves labels.** For named entities, 100 labels with it were worth more than 600 without. In GLUE's
#   table, BERT-base's lead over GPT is larger where labels are few.
# - **Full fine-tuning** beats a frozen encoder where [CLS] must learn what to collect. Too large a learning rate
#   destroys what was learned; a smaller one for the encoder protects it.
# - **Four choices**: a sequence and a score for each, and a softmax over the options. A bias would change nothing.
# - **Metrics hide things.** Accuracy and the frequent label's F1 praise a model that reads nothing; Matthews gives it
#   0. Correlations do not notice a shift.
# - **Valleys** of the loss are a hint, not a proof: which one is wider can depend on the ruler.
# - **Pretraining does not always help.** WNLI gained nothing here, and RTE needed many labels to gain.
# - **In real English**, a pretrained encoder can learn a simple task from a few dozen sentences. A *not* or an *if* may
#   still mislead it.
#
# ## Read on
#
# - Devlin et al. (2019), *BERT*, [arXiv 1810.04805](https://arxiv.org/abs/1810.04805): sections 4.1 and 4.4, figure 4,
#   appendices A.3 (fine-tuning) and B.1 (GLUE).
# - Wang et al. (2019), *GLUE*, [arXiv 1804.07461](https://arxiv.org/abs/1804.07461): section 3 (tasks and metrics).
# - Zellers et al. (2018), *SWAG*, [arXiv 1808.05326](https://arxiv.org/abs/1808.05326).
# - Howard and Ruder (2018), *ULMFiT*, [arXiv 1801.06146](https://arxiv.org/abs/1801.06146): section 3.2 (a learning
#   rate for each layer), section 5 (few labels).
# - Sun et al. (2019), *How to Fine-Tune BERT for Text Classification?*,
#   [arXiv 1905.05583](https://arxiv.org/abs/1905.05583): section 5.3.
# - Peters et al. (2019), *To Tune or Not to Tune?*, [arXiv 1903.05987](https://arxiv.org/abs/1903.05987): frozen or
#   not, task by task.
# - Hao et al. (2019), *Visualizing and Understanding the Effectiveness of BERT*,
#   [arXiv 1908.05620](https://arxiv.org/abs/1908.05620); Li et al. (2018),
#   [arXiv 1712.09913](https://arxiv.org/abs/1712.09913): section 4 (the scale of a direction).
# - In the package: `minibert/finetuning/`, `minibert/tasks/`, `minibert/reference/heads.py`.
#
# **Next**: the exercise `exercises/06_classification`. You write the heads, the score and the optimiser's parameter
# groups. Then lesson 7: finding the answer to a question in a text.
