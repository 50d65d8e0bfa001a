# %% [markdown]
# # 6 · Classification: pretrain once, fine-tune many times
#
# Is this review good? Do these two questions ask the same? Which of four endings makes sense? Before 2018, each of these
# had its own architecture. BERT answers all of them with one **trunk**, the pretrained encoder, and a head of a few
# thousand numbers, trained for minutes. This lesson builds the heads, trains them in seconds, and asks how one can tell
# whether it helped.
#
# **After this lesson you can**
#
# - turn a pretrained trunk into a classifier of texts, of pairs, and of four choices,
# - say how much pretraining is worth with few and with many labels, and for which tasks it is worth nothing here,
# - choose between a frozen trunk, a trained one, and two learning rates,
# - read the GLUE table, and see what each of its metrics hides,
# - draw the loss around a solution, and say what a wide valley does and does not prove,
# - fine-tune a model that has read English for two questions, in seconds, with a few dozen sentences.
#
# **You need** lessons 1 to 5.
# **Time:** about 85 minutes with guessing and playing; the code alone runs in 70 seconds on two cores.
#
# Run the cells in order with Shift + Enter. Where a question waits for your guess, give one: a wrong guess is remembered
# best. At the end you see how many came close.

# %% jupyter={"source_hidden": true}
from minibert.viz.here import here

here(6)

# %% [markdown]
# ## The finished thing first
#
# Here is a model that has read English, and then film reviews with a label: **sentiment analysis** asks whether a text is
# positive or negative. You start with the one of six sentences that it judges best. Write your own about a film and press
# Enter. Can you turn its verdict with a single word? (If a line says that the course's own model takes its place, that
# one has learned nothing yet, and its verdicts mean nothing.)

# %%
import ipywidgets as widgets
import minibert
from minibert.class_model import untaught
from minibert.corpora.readers.glue import TextExample
from minibert.reference import softmax

sentiment = minibert.load("english-sentiment", instead=untaught("sst2", labels=["negative", "positive"]))

# %% [markdown]
# It gives each label a number, and the softmax makes probabilities of them:

# %%
import numpy as np

def examples_of(texts):
    return [TextExample(text, None, None, "0", 1) for text in texts]

def verdicts(tuned, texts):
    rows, _, _ = tuned.task.encode(examples_of(texts))
    return softmax(np.array(tuned.task.logits(tuned.model, rows)))              # (B, C)

# %% [markdown]
# Your turn:

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
        Choice("Because the processor must get warm", False, "It is the weights that are not ready, not the machine."),
        Choice("Because the first gradients, of random weights, point nowhere in particular and are large", True,
               "Right: small steps at first, until they mean something."),
        Choice("To save time", False, "Small steps cost as much time as large ones."),
    ]),
    Question("BERT pretrained for 90% of its steps on rows of 128 tokens, and then on 512. Why?", [
        Choice("Attention costs the square of the length, and most can be learned from short rows", True,
               "Right. The long rows are needed for the later positions."),
        Choice("The corpus has few long texts", False, "It was made of long ones: books and articles."),
        Choice("Short rows are harder", False, "They have less context, but that is not why."),
    ]),
    Question("A pretrained model's loss on masked words is not 0, however long it trains. Why?", [
        Choice("Some hidden words cannot be known from the rest of the text", True,
               "Right: there is a best reachable loss, and it is not 0."),
        Choice("The learning rate decays too early", False, "It could then be lower; but the best reachable loss is not 0."),
        Choice("The vocabulary is too large", False, "A smaller one has less to choose from, but the unknowable stays."),
    ]),
])

# %% [markdown]
# ## 1 · One token speaks for the whole text
#
# We start from the model of lesson 5. If it is not on your machine, a small one is made now, in half a minute.

# %%
from minibert.class_model import class_model

model, tokenizer = class_model()
config = model.encoder.config
print(f"{config.num_hidden_layers} layers, {config.hidden_size} wide, vocabulary {config.vocab_size:,}")

# %% [markdown]
# The first task: is a sentence acceptable English? The generated language makes labelled examples, as many as you like.
# Half of them have one mistake.

# %%
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
# **Guess first.** Here are six. Decide for each whether it is acceptable, before you run the cell after it.

# %%
pool = labelled("cola", 1000)
print(*(example.first for example in pool[:6]), sep="\n")

# %% [markdown]
# Their labels, in the same order (1 is acceptable, 0 is not):

# %%
print(*(example.label for example in pool[:6]))

# %% [markdown]
# Each sentence becomes a row, `[CLS] … [SEP]`, as in lesson 3:

# %%
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
# The trunk gives a vector for every token of every row.

# %%
import torch

task = REGISTRY["cola"].task.fit(tokenizer, 64, pool)
rows, labels, _ = task.encode(pool[:6])
batch = task.collate(rows, labels)
with torch.no_grad():
    hidden = model.encoder(**task.inputs(batch, "cpu"))["hidden"]       # (B, T, D)
print(tuple(hidden.shape))

# %% [markdown]
# Of these, the classifier reads the first one alone. In the package's own words:

# %%
import inspect
from minibert.reference import classifier_head, pooler

print(inspect.getsource(pooler))
print(inspect.getsource(classifier_head))

# %% [markdown]
# The head is new: its weights are random. What probabilities do you expect for the two labels of each sentence?

# %%
from minibert.model import Model

torch.manual_seed(0)
fresh = Model(model.encoder, task.heads(model.encoder)).heads["label"].state_dict()
weights = {name: tensor.numpy() for name, tensor in fresh.items()}
logits = classifier_head(hidden.numpy(), weights)                       # (B, C)
print(softmax(logits).round(2))

# %% [markdown]
# How far are they from chance, which is 0.5, at most?

# %%
print(f"{abs(softmax(logits) - 0.5).max():.2f}")

# %% [markdown]
# Now count: how much of the model is new, here and in BERT-base with two labels?

# %%
from minibert.config import count_parameters, preset

def new_and_old(config, labels=2):
    return labels * (config.hidden_size + 1), sum(count_parameters(config).values())

for name, size in {"ours": config, "BERT-base": preset("base")}.items():
    new, old = new_and_old(size)
    print(f"{name:9s} {new:6,} new numbers on top of {old:>11,} pretrained ones (the pooler among these): {new / old:.4%}")

# %% [markdown]
# <details><summary><b>Why can [CLS] stand for the sentence, when it is no word?</b></summary>
#
# Because it is no word. It has no meaning of its own to keep, and it sees all other tokens in every layer. In pretraining
# it was asked whether B follows A, so it already gathers something; in fine-tuning the gradient of the new head tells it
# what to gather. Before fine-tuning it is a poor vector of the sentence; Devlin et al. say so in a footnote of section 3.1.
# </details>

# %% [markdown]
# ## 2 · One text, two texts, four endings
#
# GLUE collects nine tasks with a text or two (Wang et al., 2019). SWAG gives four endings. All of them are rows for the
# same trunk; only what stands in the row, and the size of the head, differ.
#
# | | in the row | the question | metric (section 6) | labels in training |
# |---|---|---|---|---|
# | SST-2 | a sentence | is the opinion good? | accuracy | 67,000 |
# | CoLA | a sentence | is it acceptable? | Matthews | 8,500 |
# | MNLI | a pair | does B follow from A, contradict it, or neither? | accuracy | 392,000 |
# | QNLI | a pair | does the sentence B answer the question A? | accuracy | 108,000 |
# | RTE | a pair | does B follow from A? | accuracy | 2,500 |
# | QQP | a pair | do two questions ask the same? | accuracy, F1 | 363,000 |
# | MRPC | a pair | do two sentences say the same? | accuracy, F1 | 3,500 |
# | STS-B | a pair | how near are they, 0 to 5? | Pearson, Spearman | 5,700 |
# | SWAG | four pairs | which ending goes on best? | accuracy | 73,000 |
#
# (WNLI, the ninth of GLUE's, is left out by BERT's authors: every system trained on it had done worse than always giving
# the more frequent answer.) The generated language has all of these in small. Look at their rows:

# %%
SHOWN = {name: labelled(name, 6) for name in ("sst2", "cola", "mnli", "qnli", "rte", "qqp", "mrpc", "stsb", "swag")}

def draw_task(name, number):
    example = SHOWN[name][number - 1]
    if name != "swag":
        texts = f"A: {example.first}" + (f" · B: {example.second}" if example.second else "")
        return one_row(example.first, example.second, f"{texts} · Label: {example.label}")
    return "".join(one_row(example.context, ending, f"option {i}{': the right one' * (i == example.label)}")
                   for i, ending in enumerate(example.endings))

Explorer(draw_task, name=widgets.Dropdown(options=list(SHOWN), value="qnli", description="Task"),
         number=widgets.BoundedIntText(1, min=1, max=6, description="Example"))

# %% [markdown]
# <details><summary><b>Why both sentences in one row, and not a vector for each, which are then compared?</b></summary>
#
# In one row, every word of A can look at every word of B, in every layer: *his job began in 1973* can find *joined in
# 1973* and see whose it was. Two separate vectors meet only at the end, when such details are squeezed out. The price:
# to compare one question with a million others, a million rows must be read. The end of section 10 has a way out.
# </details>

# %% [markdown]
# ## 3 · Fine-tuning, live
#
# Fine-tuning is ordinary training: the new head and the whole trunk, a few hundred steps. We take 1,000 labelled
# sentences and train twice: from the pretrained trunk, and from the same trunk with random weights.
#
# The score is the Matthews correlation of labels and answers: 0 for chance, and 100 if all are right.

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
# Some seconds each:

# %%
tuned, logs = {}, {}
for start in ("pretrained", "scratch"):
    tuned[start], logs[start] = fine_tuned(start)
    print(f"{start:10s} {sum(entry['seconds'] for entry in logs[start]):.1f} seconds of training")

reached = {start: [matthews_of(result, examples) for examples in (pool, test)] for start, result in tuned.items()}

# %% [markdown]
# Both are scored on 500 sentences that they have not seen. What do they reach?

# %% jupyter={"source_hidden": true}
from minibert.viz.guess_then_see import GuessBars, GuessChoice, my_guesses

def learned_from():
    (own, others), (own_scratch, others_scratch) = reached["pretrained"], reached["scratch"]
    return (f"<p>On the 500 others, the pretrained trunk is {abs(others - others_scratch):.0f} points "
            f"{'ahead' if others > others_scratch else 'behind'}. On the 1,000 that both learned from, they reach "
            f"{own:.0f} and {own_scratch:.0f}.</p>")

GuessBars("What Matthews correlation does each start reach on 500 other sentences?", list(reached),
          lambda: [max(0, others) for _, others in reached.values()], top=100, within=12, axis="Matthews",
          see=learned_from)

# %% [markdown]
# The loss while they learned:

# %%
from minibert.viz.plots import curves

def smooth(log, window=20):
    losses = np.array([entry["loss"] for entry in log])
    return losses.reshape(-1, window).mean(axis=1)                      # a mean for every 20 steps

last = {start: smooth(log)[-1] for start, log in logs.items()}
show(*curves(20 * np.arange(1, 16), {"training loss": {start: smooth(log) for start, log in logs.items()}}, "step",
             f"After 300 steps: loss {last['pretrained']:.2f} from the pretrained trunk, {last['scratch']:.2f} from scratch"))

# %% [markdown]
# But one run is an anecdote. The following scores were measured before, with several seeds: each draws its own labelled
# examples, head and order.

# %%
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
# Two tasks of later lessons, questions (7) and names (8), were measured too, each seed with a pretraining of its own:

# %%
more = json.loads((ROOT / "benchmarks" / "labels.json").read_text())
for name, title in {"qa": "questions about a text (F1)", "ner": "names in a text (F1)"}.items():
    CURVES[title] = more["sizes"][name], {start: [seed[name][start] for seed in more["f1"].values()]
                                          for start in ("pretrained", "scratch")}

# %% [markdown]
# Read it off for each task: how many labels does the model from scratch need to reach what the pretrained one has with
# the fewest?

# %%
def draw_labels(curve):
    sizes, lines = CURVES[curve]
    first, last = np.mean(lines["pretrained"], 0)[0], np.mean(lines["scratch"], 0)[-1]
    title = f"Pretrained with {sizes[0]} labels: {first:.0f}. From scratch with {sizes[-1]}: {last:.0f}"
    return seed_curves(sizes, lines, "labelled examples", curve, title)

Explorer(draw_labels, curve=widgets.Dropdown(options=list(CURVES), description="Task", layout={"width": "340px"}))

# %% [markdown]
# How many points does pretraining add, on average, and how many at least?

# %%
for curve, (sizes, lines) in CURVES.items():
    gains = np.array(lines["pretrained"]) - np.array(lines["scratch"])      # (seeds, sizes)
    said = ", ".join(f"{mean:+.0f} with {size:,}" for size, mean in zip(sizes, gains.mean(axis=0)))
    print(f"{curve}: {said}; smallest of any seed {gains.min():+.0f}")

# %% [markdown]
# <details><summary><b>Why is the gain small for similarity, if there are only 100 labels?</b></summary>
#
# Pretraining brings knowledge, but only labels tell what is asked. How alike are two sentences, from 0 to 5? Is another
# name worse than another year, and by how much? A hundred pairs show too few differences to tell, whatever one knows of
# the words. For names, a few sentences make the question plain.
# </details>

# %% [markdown]
# ## 4 · Freeze it, train it, or both with care
#
# Three ways to use the trunk:
#
# - **frozen**: it stays as it is, only the head learns. Its vectors are computed once, so this is fast, and one trunk
#   can serve many heads.
# - **full**: everything learns with one rate. This is what BERT's authors do, with a small one: 2e-5 to 5e-5.
# - **two rates**: the new head fast, the trunk slowly.
#
# We try all three with our 1,000 sentences, and full fine-tuning at three rates. That takes some seconds for each.

# %%
WAYS = {
    "frozen, head 3e-3": dict(approach="frozen", rate=3e-3),
    "full, 1e-4": dict(rate=1e-4),
    "full, 1e-2": dict(rate=1e-2),
    "trunk 1e-3, head 1e-2": dict(rate=1e-2, encoder_rate=1e-3),
}
ways = {"full, 1e-3": matthews_of(tuned["pretrained"], test)}            # from section 3
for name, options in WAYS.items():
    result, log = fine_tuned("pretrained", **options)
    ways[name] = matthews_of(result, test)
    print(f"{name:22s} {sum(entry['seconds'] for entry in log):.1f} seconds of training")

# %% [markdown]
# The first bar you know from section 3. What do the other ways reach?

# %% jupyter={"source_hidden": true}
from minibert.viz.plots import bars

def compare_ways():
    best = max(ways, key=ways.get)
    small, middle, large = (f"{ways[f'full, {rate}']:.0f}" for rate in ("1e-4", "1e-3", "1e-2"))
    title = f"One rate for everything: {small}, {middle} and {large}. Best here: {best}"
    return bars(list(ways), list(ways.values()), "Matthews on 500 other sentences", title, list(ways).index(best),
                "{:.1f}")

GuessBars("What Matthews correlation does each way reach on 500 other sentences?", list(ways),
          lambda: [max(0, score) for score in ways.values()], top=100, within=12, axis="Matthews", see=compare_ways)

# %% [markdown]
# Our rates are far above BERT's: a small model, with no dropout and little text behind it, bears and needs larger steps
# than one of twelve layers.
#
# <details><summary><b>What can a head read from a frozen [CLS]?</b></summary>
#
# Not much that helps here. The vector of [CLS] was made for another question: does B follow A? Whether a verb agrees
# with its subject can be read from the vectors of the two words, but nobody asked [CLS] to gather it. Only training the
# trunk makes it do so. Devlin et al. (section 5.3, table 7) freeze the trunk for names: with the right layers, and a
# BiLSTM of two layers on top, they lose only 0.3 F1. There each token speaks for itself.
# </details>
#
# <details><summary><b>Why does so much depend on the rate?</b></summary>
#
# Too small a rate learns too little. Too large a one destroys the trunk; a smaller one for the trunk alone saves it. In
# the first steps the head is random, so the gradients that it sends down are, too. Large steps in such directions take
# the weights out of the region where pretraining left them, and 1,000 labels cannot bring back what was learned from
# millions of words. This is called catastrophic forgetting. In Sun et al. (2019, section 5.3.3), BERT-base learns a
# task well at a rate of 2e-5, and at 4e-4 not even its training examples.
# </details>
#
# How is the optimiser told? With groups of parameters. `finetune` makes them, here with a decay from layer to layer
# besides: the lower the layer, the smaller the rate (Howard and Ruder, 2018).

# %%
from minibert.finetuning.layers import parameter_groups

for group in parameter_groups(tuned["pretrained"].model, peak_rate=3e-3, encoder_rate=3e-4, layer_decay=0.5):
    print(f"rate {group['lr']:.1e}: {len(group['params']):2d} tensors, {sum(p.numel() for p in group['params']):7,} numbers")

# %% [markdown]
# ## 5 · Four choices
#
# Each option is a row of its own, and gets **one** number. The softmax runs over the rows of an example:

# %%
from minibert.reference import choice_head

print(inspect.getsource(choice_head))

# %% [markdown]
# Take an example, and play the head: type four scores. Then add 5 to all four. Then double them. Say each time what
# will change, before you press Enter.

# %%
CHOSEN = SHOWN["swag"][0]

def draw_choice(scores):
    probs = softmax(np.array([float(number) for number in scores.split()]))         # (C,) over options, which are rows
    notes = {CHOSEN.endings[CHOSEN.label]: f"right: its loss is {-np.log(probs[CHOSEN.label]):.2f}"}
    return f"<p>{CHOSEN.context} …</p>" + guesses_html(list(zip(CHOSEN.endings, probs)), notes)

Explorer(draw_choice, scores=widgets.Text("1 3 0 -1", description="Scores", continuous_update=False))

# %% [markdown]
# <details><summary><b>Why do BERT's authors add one vector here (section 4.4), and no bias?</b></summary>
#
# A bias would add the same number to all four scores, and that changes nothing: the softmax sees differences only.
# (Doubling doubles the differences, so the highest becomes surer.)
# </details>
#
# <details><summary><b>Why not one row with all four endings, and a head with four outputs?</b></summary>
#
# Then place 3 would have weights of its own, and the model would learn that the answer is often 3. With a row each, all
# options are judged by the same numbers: their order cannot matter, and a fifth option needs no new weight.
# </details>
#
# The results on SWAG, in accuracy on the test set (table 4). Guessing gives 25; the people answered only 100 of the
# examples.

# %%
SWAG = {"ESIM + GloVe": 52.7, "ESIM + ELMo": 59.2, "OpenAI GPT": 78.0, "BERT-large": 86.3, "a human expert": 85.0,
        "five humans": 88.0}
lead = SWAG["BERT-large"] - SWAG["OpenAI GPT"]
show(*bars(list(SWAG), list(SWAG.values()), "accuracy in %", f"SWAG: BERT-large is {lead:.1f} points above GPT, and passes "
           "one expert", 3, "{:.1f}", limit=100))

# %% [markdown]
# ## 6 · What a score hides
#
# A spam filter sees 95 good mails in 100. It says "good", always. How do five scores judge it?
#
# - **accuracy**: the percentage of right answers.
# - **F1** of a label: high only if most mails that get the label have it, and most that have it get it. **Macro F1** is
#   the mean over the labels.
# - **Matthews**: the correlation of labels and answers.

# %% jupyter={"source_hidden": true}
from minibert.tasks import metrics
from minibert.viz.scores import score_table

def score_all(gold, answers):
    values = [metrics.accuracy(gold, answers), metrics.f1(gold, answers, 1), metrics.f1(gold, answers, 0),
              metrics.macro_f1(gold, answers), metrics.matthews(gold, answers)]
    return [100 * value for value in values]

def filters(share):
    gold = np.arange(1000) < 10 * share                                 # 1 = good, 0 = spam
    fooled = np.arange(1000) % 5 == 0                                   # every fifth mail, of both kinds
    return gold, {"always “good”": np.ones(1000, bool), "80% of either kind": gold ^ fooled}

METRICS = ["accuracy", "F1 of good", "F1 of spam", "macro F1", "Matthews"]

# %% [markdown]
# All five are from 0 to 100 here. Drag each bar.

# %% jupyter={"source_hidden": true}
def always_good():
    gold, answers = filters(95)
    return score_all(gold, answers["always “good”"])

GuessBars("A filter says “good” to 95 good mails and to 5 of spam. What do the scores give it?", METRICS, always_good,
          top=100, within=12, axis="score")

# %% [markdown]
# Now compare it with a filter that recognises 80% of either kind. Move the slider.

# %%
def draw_filters(share):
    gold, answers = filters(share)
    scores = {name: score_all(gold, given) for name, given in answers.items()}
    winners = [name for name, a, b in zip(METRICS, *scores.values()) if a > b]
    said = f"With {share}% good mails, the filter that reads nothing wins by: {', '.join(winners) or 'no metric'}."
    return score_table(METRICS, scores, said)

Explorer(draw_filters, share=widgets.IntSlider(95, min=50, max=99, description="% good", continuous_update=False))

# %% [markdown]
# The filter that reads nothing, for every share:

# %%
shares = np.arange(50, 100)
lazy = np.array([score_all(*(filters(share)[0], np.ones(1000, bool))) for share in shares])      # (shares, metrics)
lines = {METRICS[i]: lazy[:, i] for i in (0, 1, 4)}
rises = ", ".join(f"{name} {line[0]:.0f} to {line[-1]:.0f}" for name, line in lines.items())
show(*curves(shares, {"score": lines}, "good mails in 100", f"From left to right: {rises}", markers=False))

# %% [markdown]
# <details><summary><b>Why is CoLA scored by Matthews, and QQP by the F1 of “duplicate”?</b></summary>
#
# In CoLA, 70% of the sentences are acceptable, and in QQP, 63% of the pairs are no duplicates. Always giving the
# frequent label must not look good. Accuracy is fooled by that, and the F1 of the frequent label just as much.
# </details>
#
# STS-B asks for numbers. Two correlations are used: Pearson asks for a straight line, Spearman for the right order.
# A model's answers are the right ones plus 2.

# %% jupyter={"source_hidden": true}
gold = np.linspace(0, 5, 50)
NOTICE = {(True, False): "Pearson", (False, True): "Spearman", (True, True): "both", (False, False): "neither"}

def shifted(by=2):
    return metrics.pearson(gold, gold + by), metrics.spearman(gold, gold + by)

def shift_seen():
    return "<p>Pearson is {:.2f}, Spearman {:.2f}, and every single answer is wrong by 2.</p>".format(*shifted())

GuessChoice("Every answer is too high by 2. Which correlation notices, and falls below 1?", list(NOTICE.values()),
            lambda: NOTICE[tuple(value < 0.99 for value in shifted())], see=shift_seen)

# %% [markdown]
# Two other ways to be wrong:

# %%
for name, answers in {"cubed": gold ** 3, "one number for all": 0 * gold}.items():
    print(f"{name:18s} Pearson {metrics.pearson(gold, answers):.2f}, Spearman {metrics.spearman(gold, answers):.2f}, "
          f"mean error {abs(gold - answers).mean():.1f}")

# %% [markdown]
# ## 7 · The table that made BERT famous
#
# GLUE's test sets, scored by its server (Devlin et al., 2019, table 1). All the numbers of the paper, as data:

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
# F1 for QQP and MRPC, Spearman for STS-B, Matthews for CoLA, accuracy for the others. BERT-base and GPT have nearly the
# same size, and BERT leads on all nine.

# %% jupyter={"source_hidden": true}
FEW_OR_MANY = ["more than 50,000 labels", "fewer than 50,000 labels"]

def leads():
    gaps, many = np.array(GLUE["BERT-base"]) - GLUE["OpenAI GPT"], np.array(EXAMPLES) > 50_000
    return gaps, [gaps[many].mean(), gaps[~many].mean()]

def leads_seen():
    gaps, means = leads()
    both = ", ".join(f"{mean:.1f} points with {kind}" for mean, kind in zip(means, FEW_OR_MANY))
    return (f"<p>On average BERT leads by {both}. The Spearman correlation of its lead with the number of labels is "
            f"{metrics.spearman(EXAMPLES, gaps):.2f}.</p>")

GuessChoice("On which tasks does BERT-base lead GPT by more points, on average?", FEW_OR_MANY,
            lambda: FEW_OR_MANY[int(np.argmax(leads()[1]))], see=leads_seen)

# %% [markdown]
# Choose two systems and an order.

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

# %%
def draw_glue(column):
    names = sorted(GLUE, key=lambda name: -(GLUE[name] + [PRINTED[name]])[(TASKS + ["Average"]).index(column)])
    rows = {name: GLUE[name] + [PRINTED[name]] for name in names}
    return score_table(TASKS + ["Average"], rows, f"By {column}: {' > '.join(names)}. The best of each column is bold.", column)

Explorer(draw_glue, column=widgets.Dropdown(options=TASKS + ["Average"], value="RTE", description="Sort by"))

# %% [markdown]
# What is that average an average of? Compute it:

# %%
for name, scores in GLUE.items():
    print(f"{name:18s} mean of the nine columns {np.mean(scores):.2f}, the paper prints {PRINTED[name]}")

# %% [markdown]
# It is the mean of accuracies, F1s and correlations, in which MNLI counts twice. A point of accuracy and a point of
# Matthews are not the same thing, so use the average to see a trend, and the columns to understand it. (For ELMo the
# mean falls just short of what is printed; the paper may have averaged with more digits.)
#
# <details><summary><b>Why is RTE hard for all who came before, with 56 to 62 where guessing gives 50?</b></summary>
#
# It asks for a conclusion and has 2,500 labels. MNLI asks the same with 392,000, and there GPT has 82. So it is not the
# question, it is the number of labels: what training cannot teach from 2,500 examples must be there before.
# </details>
#
# <details><summary><b>Why are these test scores believable, and what do they still hide?</b></summary>
#
# The labels of the test sets are secret, so nobody could train on them. But the learning rate was chosen on the
# development set, and of BERT-large's runs on small tasks, which sometimes fail, the best of several was taken. The table
# shows no spread over seeds.
# </details>

# %% [markdown]
# ## 8 · Why does pretraining help? A look at the valleys
#
# Training walks downhill on a surface: the loss as a function of all weights. Hao et al. (2019) drew slices of it for
# BERT and found that fine-tuning ends in **wider valleys** than training from scratch, and gets there more directly. We
# draw ours, and see whether it agrees. First from the start (0) to the solution (1), in a straight line, and beyond:

# %%
from torch.nn import functional as F
from minibert.finetuning.surface import losses_around, random_direction, way, weights_of

def loss_on(examples):
    rows, labels, _ = task.encode(examples)
    batch = task.collate(rows, labels)
    inputs, gold = task.inputs(batch, "cpu"), torch.from_numpy(batch.sequence_labels)
    return lambda network: F.cross_entropy(network(**inputs)["label"], gold)

seen, unseen = loss_on(pool[:100]), loss_on(test[:100])

# %% [markdown]
# A solution is a point: all weights of the model. To find again where its training began, we take one step at a rate of
# nearly 0.

# %%
ends = {start: weights_of(result.model) for start, result in tuned.items()}
begins = {start: weights_of(fine_tuned(start, steps=1, rate=1e-12)[0].model) for start in tuned}
ALONG = np.linspace(-0.5, 1.5, 13)

def line(start, loss):
    towards = way(begins[start], ends[start])
    return [row[0] for row in losses_around(tuned[start].model, loss, begins[start], towards, at_first=ALONG)]

# %% [markdown]
# Look at three places. On the way, does the loss fall at once, or is there a hill first? Is the solution the lowest
# point? And what lies behind it, for the sentences the model was trained on, and for others?

# %%
panels = {name: {start: line(start, loss) for start in tuned}
          for name, loss in {"training loss": seen, "loss on others": unseen}.items()}
lowest = {start: ALONG[np.argmin(losses)] for start, losses in panels["loss on others"].items()}
show(*curves(ALONG, panels, "0 = start, 1 = solution", f"On other sentences the loss is lowest {lowest['pretrained']:.0%} of the "
             f"way if pretrained, {lowest['scratch']:.0%} from scratch", markers=False))

# %% [markdown]
# Now sideways, in a random direction. But how long is a step? The two models have weights of different size. What is a
# small step for large weights is a big one for small weights. So we take two rulers. With the first, each row of the
# direction is as long as the same row of the model's **own** weights (Li et al., 2018). With the second, **one** length
# is used for both models: that of fresh random weights. Each valley is the mean of three directions.

# %%
ASIDE = np.linspace(-0.75, 0.75, 11)
RULERS = {"own": ends, "one": dict.fromkeys(ends, begins["scratch"])}

def valley(start, ruler, seed):
    direction = random_direction(RULERS[ruler][start], torch.Generator().manual_seed(seed))
    return [row[0] for row in losses_around(tuned[start].model, seen, ends[start], direction, at_first=ASIDE)]

valleys = {ruler: {start: np.mean([valley(start, ruler, seed) for seed in range(3)], axis=0) for start in tuned}
           for ruler in RULERS}

# %% [markdown]
# A valley's width is measured where the loss is less than 0.2 above the solution's.

# %%
def width(losses, above=0.2):
    low = ASIDE[losses < losses[len(ASIDE) // 2] + above]
    return low.max() - low.min()

def widths(ruler):
    return {start: width(losses) for start, losses in valleys[ruler].items()}

# %% [markdown]
# Do ours agree with Hao et al.?

# %% jupyter={"source_hidden": true}
from minibert.viz.explorer import figure_html

def wider(ruler):
    both = widths(ruler)
    return max(both, key=both.get) if len(set(both.values())) > 1 else "neither"

def both_rulers():
    title = f"The wider valley: {wider('own')} by its own ruler, {wider('one')} by one ruler for both"
    panels = {f"training loss, {ruler} ruler": both for ruler, both in valleys.items()}
    said = "; ".join(", ".join(f"{start} {wide:.2f}" for start, wide in widths(ruler).items()) + f" ({ruler} ruler)"
                     for ruler in valleys)
    return (figure_html(*curves(ASIDE, panels, "distance from the solution", title, markers=False))
            + f"<p>The widths: {said}.</p>")

GuessChoice("Whose valley is wider, each measured by its own ruler?", [*ends, "neither"], lambda: wider("own"),
            see=both_rulers)

# %% [markdown]
# How large the weights are, and how far fine-tuning moved them:

# %%
def length(weights):
    return sum(tensor.square().sum() for tensor in weights.values()).sqrt()

for start in ends:
    print(f"{start:10s} length of all weights {length(ends[start]):.0f}, "
          f"moved by {length(way(begins[start], ends[start])):.0f}")

# %% [markdown]
# And as a map, like Hao et al.'s figure 1: to the right the way from start to solution, upwards a random one. (They go
# upwards to another task's solution.)

# %%
from minibert.viz.surface import loss_maps

ACROSS, UP = np.linspace(-0.4, 1.4, 10), np.linspace(-0.75, 0.75, 7)

def plane(start):
    aside = random_direction(ends[start], torch.Generator().manual_seed(0))
    return np.array(losses_around(tuned[start].model, seen, begins[start], aside, way(begins[start], ends[start]), UP, ACROSS))

maps = {name: plane(start) for start, name in {"pretrained": "pretrained first", "scratch": "from scratch"}.items()}

# %% [markdown]
# Dark is low. Find the start and the solution in both, and the valley around each.

# %%
deeper = min(maps, key=lambda name: maps[name].min())
show(*loss_maps(maps, ACROSS, UP, "0 = start, 1 = solution", "aside, by its own ruler",
                f"The deeper valley: {deeper}, {maps[deeper].min():.2f}", [(0, 0, "start"), (1, 0, "solution")]))

# %% [markdown]
# <details><summary><b>Why should a wide valley generalise better?</b></summary>
#
# Other sentences have a slightly different surface: its valleys are shifted a little. In a wide valley, a small shift
# changes the loss hardly at all; in a narrow one, it lands on the slope. Hao et al. find that the surfaces of training loss
# and of test error agree better for the pretrained model.
# </details>
#
# <details><summary><b>Why is such a picture a hint, and no proof?</b></summary>
#
# We see a few directions of more than a million. Which steps in two models count as equally long is a choice, and you
# saw what the choice does. Our two models are small, and after 300 steps the one from scratch has not finished learning;
# Hao et al. have a published BERT and real tasks. So do not expect the same picture. And wide valleys may come with good
# solutions without being their cause. The scores on new sentences, over seeds, are the evidence; a map is a way to think
# about it.
# </details>

# %% [markdown]
# ## 9 · Task by task: where pretraining helps, and where not
#
# So far we showed you tasks on which it helps. Here are all, from pretrained trunks (three runs of the tour's recipe)
# and from random weights, with 1,000 labels each. MNLI and QQP, of which 1,000 teach too little, have 4,000, and RTE
# 24,000; SST-2 has 4,000, which are read once. As BERT's authors did (section 4.1), each start first gets the learning
# rate, here of two, that does better on a dev set. (Two are new. `wnli`: whom does a pronoun mean? `race`: which of
# four answers to a question about a text is right?)

# %%
from collections import defaultdict

transfer = defaultdict(lambda: defaultdict(dict))
SCORES = {"stsb": "Spearman", "cola": "Matthews", "qa": "F1", "ner": "F1"}
for run in json.loads((ROOT / "benchmarks" / "transfer.json").read_text())["runs"]:
    transfer[run["task"]][run["start"]][run["seed"]] = run["scores"][SCORES.get(run["task"], "accuracy")]
gains = {name: [kept["pretrained"][seed] - kept["scratch"][seed] for seed in kept["scratch"] if seed in kept["pretrained"]]
         for name, kept in transfer.items()}

# %% [markdown]
# On which does it help least?

# %% jupyter={"source_hidden": true}
def all_gains():
    order = sorted(gains, key=lambda name: -np.mean(gains[name]))
    names = [f"{name} ({len(gains[name])} seed{'s' * (len(gains[name]) > 1)})" for name in order]
    nothing = [name for name in order if min(gains[name]) <= 0]
    return gap_bars(names, [np.mean(gains[name]) for name in order], "points gained by pretraining, on average",
                    f"Tasks for which some seed gains nothing: {', '.join(nothing) or 'none'}")

LEAST = ["cola", "mnli", "qqp", "stsb", "wnli"]
GuessChoice("For which of these five does pretraining gain the fewest points?", LEAST,
            lambda: min(LEAST, key=lambda name: np.mean(gains[name])), see=all_gains)

# %% [markdown]
# The spread over seeds:

# %%
for name, points in gains.items():
    print(f"{name:5s} from {min(points):+6.1f} to {max(points):+6.1f}")

# %% [markdown]
# <details><summary><b>Why so much for some tasks, and so little for others?</b></summary>
#
# - **Much, where words and grammar decide, or where one text answers the other**: who is a person, does the verb agree, does
#   this sentence speak of what is asked. That is what predicting hidden words teaches, also to a model of three layers.
# - **Less for QQP and RTE, and only with many labels.** RTE came with 4,000 labels to 57 from the pretrained trunk and to 55
#   from random weights (one run each); with 12,000, to 64 and 56, and two of five seeds gained nothing; with 24,000, all five
#   gained. In many of their examples words do not decide: the two texts differ in who did it, or have the same words
#   exchanged. There one must bind each fact to its person, and compare. A small model, shortly trained, learns that late or
#   not at all; what it gains before, it gains on the others.
# - **Nothing for WNLI**: both starts stay near guessing. There all is binding: whom does *he* mean? BERT's authors left WNLI
#   out of their table, too: so far, no system had beaten the most frequent answer (appendix B.1). Yet the trunk knows
#   something of it: a linear reader on its last layer, without any fine-tuning, tells in 80% of our pairs whether a pronoun
#   means a name, and in 59% on random weights ([five seeds](../benchmarks/frozen.md)). WNLI's label asks for one step more,
#   to compare two texts, and our labels do not teach it.
# - **SST-2 flatters.** Our 500 opinions of the test have 16 wordings, none of which the labels show: each is right or wrong
#   as a whole, so the scores jump from seed to seed, and random weights are often below the 50% of one answer for all.
# - **BERT does learn it**: RTE 66 and 70, MRPC 89. With 110 and 340 million numbers, and 3,300 million words. So this is a
#   limit of our small model, not of the idea; and it is a warning: *pretrained* on a label says nothing about what was
#   learned.
# </details>
#
# <details><summary><b>With 4,000 labels, one thing decided about STS-B: the learning rate. How can that be?</b></summary>
#
# From one trunk of an earlier recipe, with rates from 0.002 down, each half of the last one, Spearman's correlation came to
# 43, 59, 59, 82 and 78 (one run each). Random weights reached 57. So with a rate of 0.0005 or more, nothing was left of the
# pretraining. One reason is plausible: a large rate destroys what the trunk brought along before the head knows what to do
# with it. A task without gain is a question to your training first, then to your model.
# </details>

# %% [markdown]
# ## 10 · In real English
#
# Back to the model from the top. It is built like yours: an encoder, the pooler, and a linear layer with a number for
# each label. (A few small matrices are added; they are explained below.) It has learned from film reviews that people
# wrote. (If the line at the top told you that the course's own model takes its place, verdicts mean nothing here
# either.)
#
# Which words decide? Leave out one word after the other, and see how far the probability of *positive* moves. **Guess
# first**: which word of the sentence counts most? Type it. Then write a sentence of your own.

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
          "how far the verdict moves without the word")

# %% [markdown]
# One can say plainly what one thinks, or in a roundabout way: with *not*, *if* or a comparison. Here are eight sentences of
# each kind, the roundabout ones written to mislead. (The code is folded: it holds the labels.)

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

# %% [markdown]
# The next cell only prepares the table. It appears after your guess.

# %% jupyter={"source_hidden": true}
from functools import cache
from minibert.viz.entities import score_table as text_table

@cache                                          # for the guess and for the table
def judge_all():
    rows, right = [], {}
    for kind, films in {"plain": PLAIN, "roundabout": ROUNDABOUT}.items():
        probs = verdicts(sentiment, list(films))                                # (B, C)
        said = [sentiment.labels[best] for best in probs.argmax(axis=1)]
        right[kind] = sum(a == b for a, b in zip(said, films.values()))
        rows += zip(films, films.values(), said, (100 * probs.max(axis=1)).tolist())
    said = ", ".join(f"{right[kind]} of {len(PLAIN)} {kind} ones" for kind in right)
    return list(right.values()), text_table(["review", "label", "model", "sure, %"], rows, f"Right: {said}")

# %% [markdown]
# Here are the reviews, the plain ones and the roundabout ones:

# %%
View("".join(f"<p>{'<br>'.join(films)}</p>" for films in (PLAIN, ROUNDABOUT)))

# %% [markdown]
# How well will the model judge them?

# %% jupyter={"source_hidden": true}
GuessBars("How many of the eight of each kind does it get right?", ["plain", "roundabout"], lambda: judge_all()[0],
          top=len(PLAIN), within=1, axis="right, of 8", see=lambda: judge_all()[1])

# %% [markdown]
# <details><summary><b>Why can one word decide about a whole review?</b></summary>
#
# Who writes *great* or *masterpiece* is mostly pleased, so these words alone are enough for most of the training
# labels. What *if you need to sleep* does to *great* must be learned from the few reviews that say such things. The
# probability does not warn you: it says how clearly the sentence resembles those of one label.
# </details>
#
# ### Pretrain once, fine-tune many times
#
# Now you are the teacher. Here is the English model that fills masks, before it learns any task. (The sentiment model from
# above stands on the encoder as it was published, not on this one. If the course's own model takes its place, do not
# expect much: it has never read these words.)

# %%
english = minibert.load("english")
print(f"{english.config.num_hidden_layers} layers, {english.config.hidden_size} wide, "
      f"vocabulary {english.config.vocab_size:,}")

# %% [markdown]
# In the folded cell are sentences about everyday things. Each has two labels: what it is about, and whether it speaks of
# the past or of the future. Of every ten, six are for training, and four are kept apart for the test.

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
# Each question makes a task of its own from the same sentences:

# %%
ASKED = {"What is it about?": 0, "Past or future?": 1}

def everyday(asked, part):
    return [TextExample(text, None, labels[ASKED[asked]], "0", 1) for labels, texts in SAID.items()
            for text in texts.splitlines()[part]]

TRAIN, TEST = slice(0, 6), slice(6, None)
counts = [len(everyday("Past or future?", part)) for part in (TRAIN, TEST)]
print(f"{counts[0]} sentences to learn from, {counts[1]} to score")

# %% [markdown]
# Each question is learned twice, by full fine-tuning: from the pretrained encoder, and from random weights (from scratch).
# We did not search for good settings: twenty epochs at a learning rate of 1e-4. (For few examples, Mosbach et al., 2021,
# [arXiv 2006.04884](https://arxiv.org/abs/2006.04884), advise many epochs, too, but at a smaller rate.) *Before* is the
# same network with an untrained head: its learning rate is next to nothing.

# %%
RUNS = {"before": dict(epochs=1, rate=1e-12), "from scratch": dict(start="scratch"), "fine-tuned": {}}

def taught(asked, start="pretrained", epochs=20, rate=1e-4):
    torch.manual_seed(0)
    fresh = start == "scratch"
    encoder = Encoder(english.config) if fresh else copy.deepcopy(english.encoder)
    return finetune("text", encoder, english.tokenizer, everyday(asked, TRAIN), epochs=epochs, peak_rate=rate,
                    pooler=None if fresh else english.pooler, progress=False, precision=torch.float32)

# %% [markdown]
# Some seconds for each:

# %%
answering = {}
for asked in ASKED:
    for name, options in RUNS.items():
        answering[asked, name], log = taught(asked, **options)
        print(f"{asked:18s} {name:13s} {sum(entry['seconds'] for entry in log):4.1f} seconds")

# %% [markdown]
# All are scored on the test sentences, beside a model that always gives the same label. (Each label is equally frequent, so
# you know what that one reaches.)

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
# How much does each of them get right?

# %% jupyter={"source_hidden": true}
def all_starts():
    rows = compare_starts()
    best = " and ".join(f"{score:.0f}%" for score in rows["fine-tuned"])
    return (score_table(list(ASKED), rows, f"Fine-tuned on {counts[0]} sentences: {best} right")
            + "<p>For the second question one word nearly decides, <i>will</i> or <i>going</i>. There the model from "
            f"scratch got {rows['from scratch'][1]:.0f}% right.</p>")

GuessBars("What percentage of the test sentences does each model get right?",
          [f"{name}: {asked}" for name in RUNS for asked in ASKED],
          lambda: [score for name in RUNS for score in compare_starts()[name]], top=100, within=10,
          axis="right", unit="%", see=all_starts)

# %% [markdown]
# (There are 24 test sentences and one seed, so a sentence more or less is 4%, and small differences mean nothing.
# What this encoder went through before is told in lesson 1, section 10.)
#
# Now both fine-tuned models answer one sentence of yours. Afterwards write one that is about something else, such as
# music or football: what do they say, and how sure are they?

# %%
both = [answering[asked, "fine-tuned"] for asked in ASKED]
Explorer(lambda text: draw_verdict(text, both),
         text=widgets.Text("Tomorrow we will make dumplings.", description="I write", **wide))

# %% [markdown]
# <details><summary><b>Why does it never answer “something else”?</b></summary>
#
# The probabilities of the labels add up to 1, so one of them must win. It can only choose among what it was shown; a label
# *other* would need examples of its own.
# </details>
#
# <details><summary><b>Must every task keep an encoder of its own?</b></summary>
#
# After full fine-tuning, yes: your two tasks have two encoders. The English sentiment model was trained in another way: the
# encoder stays as it is, and beside each weight matrix the task learns two thin ones, whose product is added (low-rank
# adapters; Hu et al., 2022, [arXiv 2106.09685](https://arxiv.org/abs/2106.09685)). A task is then a small file, and many
# tasks share one encoder.
# </details>
#
# ### How alike are two sentences?
#
# No new head is needed here. Give each sentence a vector, the mean of its tokens' last hidden states, and compare two
# vectors by their **cosine similarity** (1 for the same direction). The vectors must be made for it. The encoder from
# which our English model started was tuned so that texts with the same meaning are near each other (the way of Reimers and
# Gurevych, 2019, [arXiv 1908.10084](https://arxiv.org/abs/1908.10084), on many more pairs). Our further training on
# masked tokens did not keep that up, so we load it as it was published.

# %%
from minibert.english.published import EnglishMissing, encoder_folder
from minibert.model import load_pretrained

try:
    similar = load_pretrained(encoder_folder()).encoder
except EnglishMissing:
    similar = english.encoder
    print("The encoder of the course's own model takes its place, which was not made for this.")

# %% [markdown]
# Only non-padding tokens count in the mean:

# %%
def vectors(texts):
    reader = both[0].task
    batch = reader.collate(reader.encode(examples_of(texts))[0])
    with torch.no_grad():
        hidden = similar(**reader.inputs(batch, "cpu"))["hidden"].numpy()       # (B, T, D)
    means = np.stack([h[real].mean(axis=0) for h, real in zip(hidden, batch.real)])     # (B, D)
    return means / np.linalg.norm(means, axis=1, keepdims=True)

# %% [markdown]
# That is a small search engine. **Guess first**: which of the twelve sentences is nearest to yours? Type a word of it.

# %%
from minibert.viz.guess import CommitFirst

SHELF = [text for texts in SAID.values() for text in texts.splitlines()[:2]]

def nearest(text):
    cosines = vectors(SHELF) @ vectors([text])[0]                               # (sentences,)
    order = np.argsort(-cosines)
    return bars([SHELF[i] for i in order], cosines[order], "cosine similarity to my sentence",
                f"Nearest: {SHELF[order[0]]}", 0, limit=1.1)

CommitFirst(lambda text: f"<p>{'<br>'.join(SHELF)}</p>", nearest,
            text=widgets.Text("Too much salt spoiled my dinner.", description="I write", **wide))

# %% [markdown]
# How well do cosines tell what means the same? Here are six pairs.

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
# Decide first which of the pairs mean the same.

# %% jupyter={"source_hidden": true}
def all_pairs():
    rows = compare_pairs()
    return text_table(["A", "B", "100 × cosine"], rows, f"Highest: “{rows[0][0]}” – “{rows[0][1]}”")

GuessChoice("Which pair gets the highest cosine?", [" – ".join(pair) for pair in PAIRS],
            lambda: " – ".join(compare_pairs()[0][:2]), see=all_pairs)

# %% [markdown]
# <details><summary><b>Why did the pairs come out in this order?</b></summary>
#
# The vectors were trained on pairs that mostly differ in what they are about. Few of them could be told apart only by who
# did it to whom, or by a *not*, so these are small parts of the mean. In one row, as for RTE and QQP in section 2, each
# word of A can look at each word of B. The price is a row for every pair; here it is one vector for every sentence.
# </details>

# %% [markdown]
# Did pretraining alone know what a verdict is? Here is the encoder before any fine-tuning, with the masked word as its only
# task. Type reviews with a gap at the verdict, and see whether it says the right kind of word. Then open the layers and
# follow [CLS]: the output layer of this lesson reads the vector that it has at the end.

# %%
from minibert.viz import explore

explore(minibert.load("english"), "I loved every minute, it was really [MASK].")

# %% [markdown]
# ## Check yourself
#
# Run the folded cell and choose.

# %% jupyter={"source_hidden": true}
Quiz([
    Question("Fine-tuning BERT-base for two labels: how many numbers are new?", [
        Choice("1,538", True, "Right: 768 for each label, and two biases. The pooler comes from pretraining."),
        Choice("110 million", False, "All of these are trained, but they are not new."),
        Choice("768", False, "That is one label's vector."),
    ]),
    Question("Your trunk is frozen, and [CLS] gives poor scores. What is the most likely reason?", [
        Choice("The head is too small", False, "Perhaps, but first ask what the vector contains."),
        Choice("[CLS] was never asked to gather what this task needs", True, "Right. Train the trunk, or read other tokens."),
        Choice("The learning rate of the trunk is too small", False, "A frozen trunk has none."),
    ]),
    Question("In SWAG, you add a bias to every option's score. What happens to the probabilities?", [
        Choice("Nothing", True, "Right: the softmax over the options sees differences only."),
        Choice("They grow", False, "Together they stay 1."),
        Choice("They become equal", False, "Equal scores would give that, equal additions do not."),
    ]),
    Question("A test set has 95% of one label. A model has accuracy 96%. What do you ask next?", [
        Choice("Nothing: 96% is good", False, "Always saying the same has 95%."),
        Choice("Its Matthews correlation, or its F1 of the rare label", True, "Right. They show whether it finds the rare ones."),
        Choice("Its F1 of the frequent label", False, "That is 0.97 for the model that always says the same."),
    ]),
    Question("BERT-base leads GPT by 0.9 on QQP and by 10.4 on RTE. What differs most between the two tasks?", [
        Choice("QQP has 363,000 labels, RTE 2,500", True, "Right. Where labels show nearly all that is needed, there is less to "
               "bring along."),
        Choice("QQP has two texts, RTE one", False, "Both have pairs."),
        Choice("RTE's sentences are shorter", False, "They are longer, and that is not the point."),
    ]),
    Question("Why do trunk and head get different learning rates?", [
        Choice("The trunk has more numbers", False, "It has; but a trunk with random weights has as many, and needs no small "
               "rate."),
        Choice("The head starts from nothing, the trunk from something worth keeping", True, "Right."),
        Choice("Adam cannot train both with one rate", False, "It can; BERT's authors do so, with a small rate."),
    ]),
])

# %% [markdown]
# And your guesses:

# %%
my_guesses()

# %% [markdown]
# ## In short
#
# - **One trunk, many heads.** A row, `[CLS]`, a pooler, one linear layer: text, pair or option.
# - **Pretraining is worth labels.** For names, 100 with it beat 600 without. In GLUE's table, BERT's lead is largest where
#   labels are few. With too few to show what is asked, it cannot help.
# - **Full fine-tuning** beats a frozen trunk where [CLS] must learn to gather. A rate that is too large destroys what was
#   learned; a smaller one for the trunk protects it.
# - **Four choices**: a row each, one number each, softmax over rows. A bias would change nothing.
# - **Metrics hide.** Accuracy and the frequent label's F1 praise a model that reads nothing; Matthews gives it 0;
#   correlations do not see a shift.
# - **Valleys**: slices of the loss are a hint about why, and which valley is wider can depend on the ruler.
# - **In real English** an encoder that has read much learns a task from a few dozen sentences; a
#   *not* or an *if* may still mislead it.
# - **Not everywhere.** Where each fact must be bound to its person, our small model gained little or nothing.
#
# ## Read on
#
# - Devlin et al. (2019), *BERT*, [arXiv 1810.04805](https://arxiv.org/abs/1810.04805): sections 4.1 and 4.4, figure 4,
#   appendices A.3 (fine-tuning) and B.1 (GLUE).
# - Wang et al. (2019), *GLUE*, [arXiv 1804.07461](https://arxiv.org/abs/1804.07461): section 3 (tasks and metrics).
# - Zellers et al. (2018), *SWAG*, [arXiv 1808.05326](https://arxiv.org/abs/1808.05326).
# - Howard and Ruder (2018), *ULMFiT*, [arXiv 1801.06146](https://arxiv.org/abs/1801.06146): section 3.2 (a rate for each
#   layer), 5 (few labels).
# - Sun et al. (2019), *How to Fine-Tune BERT for Text Classification?*, [arXiv 1905.05583](https://arxiv.org/abs/1905.05583):
#   section 5.3.
# - Peters et al. (2019), *To Tune or Not to Tune?*, [arXiv 1903.05987](https://arxiv.org/abs/1903.05987): frozen or not, task
#   by task.
# - Hao et al. (2019), *Visualizing and Understanding the Effectiveness of BERT*,
#   [arXiv 1908.05620](https://arxiv.org/abs/1908.05620); Li et al. (2018), [arXiv 1712.09913](https://arxiv.org/abs/1712.09913):
#   section 4 (the scale of a direction).
# - In the package: `minibert/finetuning/`, `minibert/tasks/`, `minibert/reference/heads.py`.
#
# **Next**: the exercise `exercises/06_classification`. You write the heads, the score and the optimiser's groups. Then
# lesson 7: an answer is a place in a text.
