# %% [markdown]
# # 6 · Classification: pretrain once, fine-tune many times
#
# Is this review positive? Do two questions ask the same thing? Which of four endings makes sense? Before 2018,
# most such tasks had an architecture of their own. BERT needs one pretrained encoder, the **backbone**, and a small
# output head for each.
#
# **After this lesson you can**
#
# - turn a pretrained encoder into a classifier of texts, pairs and choices,
# - say what GLUE's metrics hide, and recognise a model that is too sure,
# - choose between a frozen and a trained encoder, on dev data and with several seeds,
# - say what a wide valley of the loss does and does not prove,
# - fine-tune an English model for two tasks of your own.
#
# **You need** lessons 1 to 5.
# **Time:** about 90 minutes with guessing and playing; the code alone runs in about three minutes on two cores.
#
# Three functions, marked **Your turn**, are yours to write.

# %% jupyter={"source_hidden": true}
from minibert.course.widgets.here import here

here(6)

# %% [markdown]
# ## The finished thing first
#
# This model was pretrained on English text, then fine-tuned on film reviews for **sentiment analysis**: is a text
# positive or negative? (If a message says that another model takes its place, ignore the verdicts.)

# %%
import ipywidgets as widgets
import minibert
from minibert.course.models.class_model import untrained_model
from minibert.readers.glue import TextExample
from minibert.reference import softmax

sentiment = minibert.load("english-sentiment", instead=untrained_model("sst2", labels=["negative", "positive"]))

# %% [markdown]
# The model gives each label a logit, and the softmax turns the logits into probabilities:

# %%
import numpy as np

def examples_of(texts):
    return [TextExample(text, second=None, label=None, id="0", line=1) for text in texts]

def verdicts(tuned, texts):
    rows, _, _ = tuned.task.encode(examples_of(texts))
    return softmax(np.array(tuned.task.logits(tuned.model, rows)))              # (B, C)

# %% [markdown]
# Of six reviews in the folded cell, it gets this one most clearly right. Write your own and press Enter. Can you reverse
# the verdict by changing a single word?

# %% jupyter={"source_hidden": true}
from minibert.course.widgets.view import Controls
from minibert.course.widgets.guess import guesses_html

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
Controls(lambda text: draw_verdict(text), text=widgets.Text(best, description="My review", **wide))

# %% [markdown]
# ## Do you remember lesson 5?
#
# Run the folded cell and choose.

# %% jupyter={"source_hidden": true}
from minibert.course.widgets.quiz import Choice, Quiz, QuizQuestion

Quiz([
    QuizQuestion("Why does the learning rate warm up at the beginning of pretraining?", [
        Choice("Smaller steps need less memory and time", False, "A step costs the same, however far it moves the weights."),
        Choice("Adam's first moves rest on few batches", True, "Right: long moves can do damage then."),
        Choice("The first gradients would be 0 without it", False, "The gradient does not depend on the learning rate."),
    ]),
    QuizQuestion("BERT was pretrained for 90% of its steps on sequences of 128 tokens, and only then on 512. Why?", [
        Choice("Such a step costs much less", True, "Right. The long ones are needed for the positions from 129 on."),
        Choice("The corpus has few long texts", False, "It consisted of long ones: books and articles."),
        Choice("Short sequences are harder", False, "They have less context, but that is not why."),
    ]),
    QuizQuestion("A pretrained model's loss on masked tokens is not 0, however long it trains. Why?", [
        Choice("Some tokens cannot be known", True, "Right: the best reachable loss is above 0."),
        Choice("The learning rate decays too early", False, "A better schedule could lower it, but never to 0."),
        Choice("The vocabulary is too large", False, "With a smaller one, some tokens still cannot be known."),
    ]),
])

# %% [markdown]
# ## 1 · One token speaks for the whole text
#
# This is the pretrained model of lesson 5. (If your machine has none, a small one is trained in half a minute.)

# %%
from minibert.course.models.class_model import class_model

model, tokenizer = class_model()
config = model.encoder.config
print(f"{config.num_hidden_layers} layers, {config.hidden_size} wide, vocabulary {config.vocab_size:,}")

# %% [markdown]
# The first task: is a sentence acceptable English? The course's generator puts one mistake in half of its examples.

# %% jupyter={"source_hidden": true}
from tempfile import TemporaryDirectory

from minibert.course.models.class_model import WORLD_SEED
from minibert.generated import World
from minibert.generated.files import write_files
from minibert.finetuning.registry import REGISTRY, read_examples

def labelled(task, count, split="train", seed=1):
    with TemporaryDirectory() as folder:
        path, = write_files(World(WORLD_SEED), count, seed, split, [task], folder)
        return read_examples(task, path)

# %% [markdown]
# Here are six of them. **Guess first:** which are acceptable?

# %%
pool = labelled("cola", 1000)
print(*(example.first for example in pool[:6]), sep="\n")

# %% [markdown]
# Their labels (1 is acceptable, 0 is not):

# %%
print(*(example.label for example in pool[:6]))

# %% [markdown]
# Each sentence becomes a sequence, `[CLS] … [SEP]`. This is the first:

# %% jupyter={"source_hidden": true}
from minibert.data.batch import Specials, collate
from minibert.course.widgets.view import View
from minibert.course.widgets.model_input import input_table

def one_row(first, second, said):
    ids = [None if text is None else tokenizer.encode(text).ids for text in (first, second)]
    row = collate([tuple(ids)], Specials())
    tokens = [tokenizer.vocab[i] for i in row.input_ids[0]]
    return input_table(tokens, row.token_type_ids[0].tolist(), row.real[0].tolist(), said)

View(one_row(pool[0].first, None, f"The label is {pool[0].label}."))

# %% [markdown]
# The encoder returns a hidden state for every token, in an array of (sentences, tokens, width):

# %%
import torch

task = REGISTRY["cola"].task.fit(tokenizer, 64, pool)
rows, labels, _ = task.encode(pool[:6])
batch = task.collate(rows, labels)
with torch.no_grad():
    hidden = model.encoder(**task.inputs(batch, "cpu"))["hidden"]       # (B, T, D)
print(tuple(hidden.shape))

# %% [markdown]
# The classifier reads only the vector of `[CLS]`. It goes through the pooler, which was pretrained along with the encoder,
# and then through a new linear layer:

# %%
from minibert.reference import classifier_head, pooler
from minibert.course.widgets.source import show_source

show_source(pooler, classifier_head)

# %% [markdown]
# The new layer has random weights. What probabilities do you expect for the two labels?

# %%
from minibert.model import Model
from minibert.course.widgets.tables import score_table

torch.manual_seed(0)
head = Model(model.encoder, task.heads(model.encoder)).heads["label"]
head.pooler = model.heads["pair"].pooler                                # pretrained
weights = {name: tensor.numpy() for name, tensor in head.state_dict().items()}
logits = classifier_head(hidden.numpy(), weights)                       # (B, C)
percents = (100 * softmax(logits)).tolist()
View(score_table(["sentence", "not acceptable, %", "acceptable, %"],
                [(example.first, *row) for example, row in zip(pool, percents)]))

# %% [markdown]
# How many parameters are new, here and in BERT-base?

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
# Precisely because it is not a word: it has no meaning of its own to keep, and it attends to all other tokens in every
# layer. In pretraining its vector had to tell whether B follows A, so it already collects some information. In
# fine-tuning, the gradient that comes from the new head teaches it what else to collect. Before fine-tuning it
# represents the sentence poorly, as Devlin et al. say in a footnote of section 3.1.
# </details>

# %% [markdown]
# ## 2 · One text, two texts, four endings
#
# **GLUE** is a collection of nine tasks with one text or two (Wang et al., 2019); **SWAG** and **RACE** offer four
# answers to choose from. The same encoder reads all of them: only the content of the sequence and the size
# of the head differ. A text A **entails** B if B must be true whenever A is.
#
# | task | the name | the sequence | the question | metric | training set |
# |---|---|---|---|---|---|
# | SST-2 | Stanford Sentiment Treebank | a sentence | is it positive? | accuracy | 67,000 |
# | CoLA | Corpus of Linguistic Acceptability | a sentence | is it acceptable? | Matthews | 8,500 |
# | MNLI | Multi-Genre NL Inference | A and B | does A entail B, contradict it, or neither? | accuracy | 392,000 |
# | QNLI | Question NL Inference | A and B | does sentence B answer question A? | accuracy | 108,000 |
# | RTE | Recognizing Textual Entailment | A and B | does A entail B? | accuracy | 2,500 |
# | WNLI | Winograd NL Inference | A and B | does B replace A's pronoun correctly? | accuracy | 634 |
# | QQP | Quora Question Pairs | A and B | do they ask the same thing? | accuracy, F1 | 363,000 |
# | MRPC | MS Research Paraphrase Corpus | A and B | do they say the same thing? | accuracy, F1 | 3,500 |
# | STS-B | Semantic Textual Similarity | A and B | how similar, 0 to 5? | Pearson, Spearman | 5,700 |
# | SWAG | Situations With Adversarial Generations | four pairs | which ending fits best? | accuracy | 73,000 |
# | RACE | Reading Comprehension from Exams | four pairs | which answer is right? | accuracy | 88,000 |
#
# (NL: natural language.) Real examples:

# %% jupyter={"source_hidden": true}
from minibert.course.widgets.view import show

REAL = {
    "MNLI, entailment": ("At 8:34, the Boston Center controller received a third transmission from American 11",
                         "The Boston Center controller got a third transmission from American 11."),
    "MNLI, contradiction": ("Met my first girlfriend that way.", "I didn't meet my first girlfriend until later."),
    "MNLI, neutral": ("I am a lacto-vegetarian.", "I enjoy eating cheese too much to abstain from dairy."),
    "QQP, duplicate": ("How can I be a good geologist?", "What should I do to be a great geologist?"),
    "SST-2, negative": ("This film doesn't care about cleverness, wit or any other kind of intelligent humor.",),
}
shown = "".join(f"<li><b>{label}</b>: {' <b>·</b> '.join(texts)}</li>" for label, texts in REAL.items())
sources = ("MNLI: Williams et al. (2018), table 1; one annotator disagreed on the second pair, one on the third. QQP: "
           "the published data. SST-2: Socher et al. (2013), figure 1.")
View(f"<ul style='line-height:1.6'>{shown}</ul><p><small>{sources}</small></p>")

# %% [markdown]
# The course's generator writes small versions. Look at some of their sequences. (`[UNK]` stands for a character
# that the pretraining text does not contain, such as the semicolon.)

# %% jupyter={"source_hidden": true}
NAMES = {"sst2": "SST-2", "cola": "CoLA", "mnli": "MNLI", "qnli": "QNLI", "rte": "RTE", "wnli": "WNLI", "qqp": "QQP",
         "mrpc": "MRPC", "stsb": "STS-B", "swag": "SWAG", "race": "RACE", "qa": "questions", "ner": "named entities"}
SHOWN = {name: labelled(name, 6) for name in list(NAMES)[:-2]}

def draw_task(name, number):
    example = SHOWN[name][number - 1]
    if name != "swag":
        texts = f"A: {example.first}" + (f" · B: {example.second}" if example.second else "")
        return one_row(example.first, example.second, f"{texts} · Label: {example.label}")
    return "".join(one_row(example.context, ending, f"option {i + 1}{': the right one' * (i == example.label)}")
                   for i, ending in enumerate(example.endings))

Controls(draw_task, name=widgets.Dropdown(options=[(NAMES[name], name) for name in SHOWN if name != "race"],
                                          value="qnli", description="Task"),
         number=widgets.BoundedIntText(1, min=1, max=6, description="Example"))

# %% [markdown]
# <details><summary><b>Why put both sentences in one sequence, instead of comparing a vector of each?</b></summary>
#
# In one sequence, every word of A can attend to every word of B, in every layer: in the first pair above, *received*
# can attend to *got*. Two separate vectors meet only at the end, when such details may be lost. The price: to compare
# one question with a million others, the model must read a million sequences. Section 10 shows a way out.
# </details>
#
# <details><summary><b>What else is in GLUE, and what was BERT not tried on?</b></summary>
#
# BERT's authors left out WNLI, on which every system so far had done worse than always giving the more frequent answer.
#
# GLUE also has a **diagnostic set**: pairs written by hand and labelled as in MNLI, each marked with what makes it
# hard, such as a negation, a quantifier or knowledge of the world. It is scored by a Matthews correlation (section 3)
# for three labels, does not count in the average, and shows *where* a model fails (Wang et al., section 4). BERT's
# paper does not report it.
#
# The paper's tasks all ask for a label, an option, a span of the text, or a tag for each token. In none of them does
# the model write text: translation and summarisation were not tried. An encoder without a decoder is not made for them.
# </details>

# %% [markdown]
# ## 3 · What a score hides
#
# Of 100 emails, 95 are good and 5 are spam. A useless filter always says "good". To judge it, we count how often each
# label got each answer: the **confusion matrix**. **Your turn.** Write it, for labels and answers of 0 and 1.

# %%
from minibert.course.widgets.try_it import try_it

def confusion(labels, answers):
    """Return counts: a row for each label, 0 and 1, and a column for each answer.

    >>> confusion([1, 1, 1, 0], [1, 1, 0, 1])
    [[0, 1], [1, 2]]
    >>> confusion([0, 0, 1, 0], [0, 1, 1, 0])
    [[2, 1], [0, 1]]
    """
    ...

try_it(confusion)

# %% [markdown]
# <details><summary><b>One way to write it</b></summary>
#
# ```python
# def confusion(labels, answers):
#     counts = [[0, 0], [0, 0]]
#     for label, answer in zip(labels, answers):
#         counts[label][answer] += 1
#     return counts
# ```
#
# </details>
#
# These counts give
#
# - **accuracy**: the percentage of right answers.
# - **F1** of a label: 2PR / (P + R), the harmonic mean of **precision** P (of the emails that got this label, the share
#   that deserve it) and **recall** R (of those that deserve it, the share that got it). **Macro F1** is the mean of
#   both labels' F1.
# - **Matthews**: the correlation between labels and answers, 100 if all are right, 0 for chance.

# %% jupyter={"source_hidden": true}
from minibert.tasks import metrics
from minibert.course.widgets.scores import leaderboard

def score_all(gold, answers):
    values = [metrics.accuracy(gold, answers), metrics.f1(gold, answers, 1), metrics.f1(gold, answers, 0),
              metrics.macro_f1(gold, answers), metrics.matthews(gold, answers)]
    return [100 * value for value in values]

def filters(share):
    gold = np.arange(1000) < 10 * share                                 # 1 = good, 0 = spam
    fooled = np.arange(1000) % 5 == 0                                   # every fifth email, of both kinds
    return gold, {"always “good”": np.ones(1000, bool), "80% of each kind": gold ^ fooled}

def counts_of(gold, answers, names):
    """The confusion matrix as an HTML table; names: of the labels 0 and 1."""
    gold, answers = np.asarray(gold, int), np.asarray(answers, int)
    rows = [[f"it is {names[g]}", *(str(((gold == g) & (answers == a)).sum()) for a in (0, 1))] for g in (0, 1)]
    return score_table(["", *(f"answer: {name}" for name in names)], rows)

METRICS = ["accuracy", "F1 of good", "F1 of spam", "macro F1", "Matthews"]

# %% [markdown]
# What do they give to the useless filter?

# %% jupyter={"source_hidden": true}
from minibert.course.widgets.guess_then_see import GuessBars, GuessChoice, my_guesses

def always_good():
    gold, answers = filters(95)
    return score_all(gold, answers["always “good”"])

def useless():
    counts = counts_of(np.arange(100) < 95, np.ones(100), ["spam", "good"])
    return counts + "<p>For spam, precision is 0/0, and so is Matthews: both count as 0.</p>"

GuessBars("A filter says “good” to all: 95 good emails and 5 of spam. What does it get from each metric?", METRICS,
          always_good, top=100, within=12, axis="score", see=useless)

# %% [markdown]
# Another filter recognises 80% of each kind. Move the slider: which metrics come to prefer the useless one?

# %% jupyter={"source_hidden": true}
def draw_filters(share):
    gold, answers = filters(share)
    scores = {name: score_all(gold, given) for name, given in answers.items()}
    winners = [name for name, a, b in zip(METRICS, *scores.values()) if a > b]
    said = f"With {share}% good emails, the filter that reads nothing wins on: {', '.join(winners) or 'no metric'}."
    tables = "".join(f"<div><b>{name}</b>, of 1,000 emails:{counts_of(gold, given, ['spam', 'good'])}</div>"
                     for name, given in answers.items())
    return (leaderboard(METRICS, scores, said, head="filter")
            + f"<div style='display:flex;flex-wrap:wrap;gap:8px 40px;line-height:1.5'>{tables}</div>")

Controls(draw_filters, share=widgets.IntSlider(60, min=50, max=99, description="% good", continuous_update=False))

# %% [markdown]
# <details><summary><b>Why is CoLA scored by Matthews, and QQP by the F1 of “duplicate”?</b></summary>
#
# In CoLA, 70% of the sentences are acceptable, and in QQP, 63% of the pairs are not duplicates. A model that always
# gives the frequent label must not look good. Accuracy and the F1 of the frequent label would praise it.
# </details>
#
# STS-B asks for a number and has two correlations: **Pearson** is 1 if the answers lie on a rising straight line over
# the right ones, **Spearman** if they are in the right order. Let every answer be too high by 2.

# %% jupyter={"source_hidden": true}
gold = np.linspace(0, 5, 50)
NOTICE = {(True, False): "Pearson", (False, True): "Spearman", (True, True): "both", (False, False): "neither"}

def shifted(by=2):
    return metrics.pearson(gold, gold + by), metrics.spearman(gold, gold + by)

def shift_seen():
    pearson, spearman = shifted()
    return f"<p>Pearson is {pearson:.2f} and Spearman {spearman:.2f}, although every single answer is wrong by 2.</p>"

GuessChoice("Every answer is too high by 2. Which correlation notices, and falls below 1?", list(NOTICE.values()),
            lambda: NOTICE[tuple(value < 0.99 for value in shifted())], see=shift_seen)

# %% [markdown]
# Two other ways to be wrong:

# %%
wrong = {"right answers cubed": gold ** 3, "one number for all (undefined, counted as 0)": 0 * gold}
View(score_table(["answers", "Pearson", "Spearman", "mean error"], [
    [name, f"{metrics.pearson(gold, given):.2f}", f"{metrics.spearman(gold, given):.2f}", abs(gold - given).mean()]
    for name, given in wrong.items()]))

# %% [markdown]
# ## 4 · Fine-tuning, live
#
# Fine-tuning is ordinary training of the new head and the encoder, here for 300 steps. We compare it with training
# **from scratch**, which means from random weights:

# %%
import copy
from minibert.finetuning.finetuned import Finetuned
from minibert.model import Encoder, FastEncoder
from minibert.training.config import TrainConfig
from minibert.training.loop import train

def start_model(start, seed=0):
    torch.manual_seed(seed)
    encoder = FastEncoder.of(copy.deepcopy(model.encoder) if start == "pretrained" else Encoder(config))
    network = Model(encoder, task.heads(encoder))
    if start == "pretrained":
        network.heads["label"].pooler.load_state_dict(model.heads["pair"].pooler.state_dict())
    return network

# %% [markdown]
# Both learn from the same 1,000 sentences. We look at the **dev** (development) set while we train, and use it to
# choose; the **test** set only gives the final score.

# %% jupyter={"source_hidden": true}
from torch.nn import functional as F

dev, test = labelled("cola", 500, "dev"), labelled("cola", 500, "test")
EVERY = 20

class Watch:
    """A view of a training run: every 20 steps it measures the model on examples that it does not learn from."""

    def __init__(self, network, examples, every=EVERY):
        rows, labels, _ = task.encode(examples)
        batch = task.collate(rows, labels)
        self.network, self.every, self.measured = network, every, []
        self.inputs, self.gold = task.inputs(batch, "cpu"), torch.from_numpy(batch.sequence_labels)

    def begin(self, log):
        self.log = log
        self.measure()

    def update(self):
        if len(self.log) % self.every == 0:
            self.measure()

    def end(self):
        pass

    def measure(self):
        self.network.eval()
        with torch.no_grad():
            logits = self.network(**self.inputs)["label"]                       # (B, C)
        self.network.train()
        sure, answers = logits.softmax(dim=1).max(dim=1)
        right = (answers == self.gold).float().mean()
        loss = F.cross_entropy(logits, self.gold)
        self.measured.append([len(self.log), float(loss), 100 * float(right), 100 * float(sure.mean())])

# %% [markdown]
# Both are trained with a learning rate of 1e-3. A seed decides the order of the examples and the random weights:

# %%
rows, labels, _ = task.encode(pool)
SEEDS, tuned, logs, watches = range(3), {}, {}, {}

for start in ("pretrained", "scratch"):
    for seed in SEEDS:
        network = start_model(start, seed)
        watches[start, seed] = Watch(network, dev) if start == "pretrained" else False
        settings = TrainConfig(steps=300, batch_size=16, peak_rate=1e-3, seed=seed)
        logs[start, seed] = train(network, task, lambda rng: (rows, labels), settings, precision=torch.float32,
                                  progress=watches[start, seed])
        tuned[start, seed] = Finetuned("cola", task, network)

# %% [markdown]
# What do they reach on the 500 test sentences?

# %% jupyter={"source_hidden": true}
def matthews_of(tuned, examples):
    return tuned.task.metric(examples, tuned.task.answer(tuned.model, examples))["Matthews"]

def level(difference, spread):
    return "about level" if abs(difference) < spread else f"{abs(difference):.0f} points " + (
        "ahead" if difference > 0 else "behind")

STARTS = ["pretrained", "scratch"]
reached = {start: [matthews_of(tuned[start, seed], test) for seed in SEEDS] for start in STARTS}

def learned_from():
    learned = {start: [matthews_of(tuned[start, seed], pool) for seed in SEEDS] for start in STARTS}
    table = score_table(["start", *(f"seed {seed}" for seed in SEEDS), "mean", "mean on the training sentences"],
                       [[start, *reached[start], np.mean(reached[start]), np.mean(learned[start])]
                        for start in STARTS])
    gap = np.mean(reached["pretrained"]) - np.mean(reached["scratch"])
    answers = task.answer(tuned["pretrained", 0].model, test)
    counts = counts_of([int(example.label) for example in test], list(map(int, answers)),
                       ["not acceptable", "acceptable"])
    apart = max(map(min, reached.values())) > min(map(max, reached.values()))
    return (f"{table}<p>On average, the pretrained encoder is {level(gap, 1)} on the test sentences, and the seeds of "
            f"the two starts {'do not overlap' if apart else 'overlap'}. The answers of the first pretrained run, "
            f"counted:</p>{counts}")

GuessBars("What Matthews correlation does each start reach on the test sentences, on average over three seeds?", STARTS,
          lambda: [max(0, np.mean(scores)) for scores in reached.values()], top=100, within=12, axis="Matthews",
          see=learned_from)

# %% [markdown]
# What does the dev loss do, on average over the three pretrained runs?

# %% jupyter={"source_hidden": true}
from minibert.course.widgets.view import figure_html
from minibert.course.widgets.plots import bars, curves

watched = np.array([watches["pretrained", seed].measured for seed in SEEDS])            # (seeds, times, 4)
steps, dev_loss, dev_right, dev_sure = watched.mean(axis=0).T
FATES = ["it stays near its lowest", "it rises, and the accuracy falls", "it rises, but the accuracy does not fall"]

def fate():
    low = dev_loss.argmin()
    if dev_loss[-1] < dev_loss[low] + 0.05:
        return FATES[0]
    return FATES[1 if dev_right[-1] < dev_right[low] - 1 else 2]

def two_curves():
    losses = np.array([[entry["loss"] for entry in logs["pretrained", seed]] for seed in SEEDS]).mean(axis=0)
    training = np.concatenate([losses[:1], losses.reshape(-1, EVERY).mean(axis=1)])    # a mean for every 20 steps
    panels = {"loss": {"training": training, "dev": dev_loss},
              "dev sentences, %": {"sure": dev_sure, "right": dev_right}}
    low = dev_loss.argmin()
    title = (f"Dev loss: {dev_loss[low]:.2f} at step {steps[low]:.0f}, {dev_loss[-1]:.2f} at the end. "
             f"At the end the model is {dev_sure[-1]:.0f}% sure and {dev_right[-1]:.0f}% right")
    return figure_html(*curves(steps, panels, "step", title, markers=False))

GuessChoice("After its lowest point, what does the dev loss do until the end of training?", FATES, fate, see=two_curves)

# %% [markdown]
# A model is **overconfident** if the mean probability of its answers (*sure*) is above the share that is *right*. Then
# its probability is not the chance of being right.
#
# <details><summary><b>What does the loss see that the accuracy does not?</b></summary>
#
# Accuracy only asks which label is more probable, the loss also how probable. A model that fits its training sentences
# closely becomes very sure, also of its mistakes on others, and each of these costs a lot. So the loss can rise while
# the accuracy does not fall.
# </details>
#
# ### How many labels is pretraining worth?
#
# These scores were measured beforehand, with three seeds. **Guess first**: how many labels does the model from scratch
# need to match the pretrained one with the fewest?

# %% jupyter={"source_hidden": true}
from minibert.course.tables import stored
from minibert.readers.wording import with_minus
from minibert.course.widgets.scores import seed_curves

CURVES = {}
runs = stored("sizes")["runs"]
for name, title in {"cola": "acceptable or not (Matthews)", "stsb": "similarity (Spearman)"}.items():
    of_task = {(r["seed"], r["labelled"], r["start"]): r["score"] for r in runs if r["task"] == name}
    seeds, sizes, _ = (sorted({key[i] for key in of_task}) for i in range(3))
    CURVES[title] = sizes, {start: [[of_task[seed, size, start] for size in sizes] for seed in seeds]
                            for start in STARTS}

more = stored("labels")
for name, title in {"qa": "questions about a text (F1)", "ner": "named entities (F1)"}.items():
    CURVES[title] = more["sizes"][name], {start: [seed[name][start] for seed in more["f1"].values()]
                                          for start in STARTS}

def draw_labels(curve):
    sizes, lines = CURVES[curve]
    first, scratch = np.mean(lines["pretrained"], 0)[0], np.mean(lines["scratch"], 0)
    size, score = next(((size, score) for size, score in zip(sizes, scratch) if score >= first),
                       (sizes[-1], scratch[-1]))
    title = (f"Pretrained with {sizes[0]} labels: {first:.0f}. From scratch, {size:,} labels "
             f"{'reach' if score >= first else 'reach only'} {score:.0f}")
    return seed_curves(sizes, lines, "labelled examples", curve, title)

Controls(draw_labels, curve=widgets.Dropdown(options=list(CURVES), description="Task", layout={"width": "340px"}))

# %% [markdown]
# The points gained, on average, and the smallest gain of any seed and size:

# %%
added = []
for curve, (sizes, lines) in CURVES.items():
    points = np.array(lines["pretrained"]) - np.array(lines["scratch"])     # (seeds, sizes)
    added.append([curve, *(f"{with_minus(mean, '{:+.0f}')} ({size:,} labels)" for size, mean in zip(sizes, points.mean(axis=0))),
                  with_minus(points.min(), "{:+.0f}")])
View(score_table(["task", "fewest labels", "more", "most", "smallest gain"], added))

# %% [markdown]
# <details><summary><b>Why can the gain be small where labels are fewest?</b></summary>
#
# Pretraining brings knowledge, but only the labels tell what is asked. Does a different name make two sentences less
# similar than a different year? A hundred pairs may be too few to tell. For named entities, a few sentences make the
# task clear.
# </details>

# %% [markdown]
# ## 5 · Freeze it, or train it with care
#
# A pretrained encoder can be used in three ways:
#
# - **frozen**: only the head learns. The encoder's outputs are computed once, and one encoder can serve many heads.
# - **full fine-tuning**: everything learns, with one learning rate. (BERT's authors: 2e-5 to 5e-5.)
# - **two learning rates**: a large one for the new head, a smaller one for the encoder. Howard and Ruder (2018) also
#   lower it from each layer to the one below.
#
# A frozen weight gets no gradient. We freeze every weight of the encoder; these still learn:

# %%
network = start_model("pretrained")
for name, weight in network.named_parameters():
    weight.requires_grad = not name.startswith("encoder.")
print(*(name for name, weight in network.named_parameters() if weight.requires_grad), sep="\n")

# %% [markdown]
# We compare five settings, with three seeds each, on the dev sentences:

# %%
from minibert.finetuning.run import finetune

WAYS = {"frozen, head 3e-3": dict(approach="frozen", peak_rate=3e-3), "full, 1e-4": dict(peak_rate=1e-4),
        "full, 1e-2": dict(peak_rate=1e-2), "encoder 1e-3, head 3e-3": dict(peak_rate=3e-3, encoder_rate=1e-3)}
models = {"full, 1e-3": [tuned["pretrained", seed] for seed in SEEDS]}
for name, options in WAYS.items():
    models[name] = [finetune("cola", copy.deepcopy(model.encoder), tokenizer, pool, steps=300, seed=seed,
                             progress=False, pooler=model.heads["pair"].pooler, precision=torch.float32,
                             **options)[0] for seed in SEEDS]
on_dev = {name: [matthews_of(one, dev) for one in runs] for name, runs in models.items()}

# %% [markdown]
# Which of them does well? Only the best on dev is then scored on the test sentences: the best of several test scores
# would be partly luck.

# %% jupyter={"source_hidden": true}
means = {name: float(np.mean(scores)) for name, scores in on_dev.items()}

def compare_ways():
    best = max(means, key=means.get)
    spread = [f"{name}: {min(scores):.0f} to {max(scores):.0f}" for name, scores in on_dev.items()]
    drawn = bars(spread, list(means.values()), "Matthews correlation on the dev sentences, mean of three seeds",
                 f"Best on average: {best}. Each label has its lowest and highest seed", list(means).index(best),
                 "{:.1f}")
    final = [matthews_of(one, test) for one in models[best]]
    known = ", as section 4 has shown" if best == "full, 1e-3" else ""
    return figure_html(*drawn) + (f"<p>On the test sentences, {best} reaches {np.mean(final):.1f} on average, from "
                                  f"{min(final):.1f} to {max(final):.1f}{known}.</p>")

GuessBars("What Matthews correlation does each setting reach on the dev sentences, on average?", list(means),
          lambda: [max(0, score) for score in means.values()], top=100, within=12, axis="Matthews", see=compare_ways)

# %% [markdown]
# **Your turn.** Write this choice: the setting with the highest mean over the seeds.

# %%
def best_on_dev(scores):
    """Return the name with the highest mean; scores: {name: [a score for each seed]}.

    >>> best_on_dev({"1e-4": [20, 22, 24], "1e-3": [35, 18, 31]})
    '1e-3'
    >>> best_on_dev({"small": [70, 50, 51], "large": [61, 60, 62]})
    'large'
    """
    ...

try_it(best_on_dev)

# %% [markdown]
# <details><summary><b>One way to write it</b></summary>
#
# ```python
# def best_on_dev(scores):
#     return max(scores, key=lambda name: np.mean(scores[name]))
# ```
#
# </details>
#
# <details><summary><b>What can a head read from a frozen [CLS]?</b></summary>
#
# Often not much. The vector of [CLS] was trained for another question: does B follow A? Whether a verb agrees with its
# subject may show in the vectors of the two words, but nothing made [CLS] collect it. Only training the encoder does.
# For named entities, Devlin et al. (section 5.3, table 7) lose only 0.3 F1 with a frozen encoder, using the right
# layers and a two-layer BiLSTM (lesson 8) on top. There, each token is labelled from its own vector.
# </details>
#
# <details><summary><b>Why does so much depend on the learning rate?</b></summary>
#
# With too small a learning rate, the model learns too little in 300 steps. With too large a one, it loses what
# pretraining taught it: in the first steps the head is random, and so are the gradients that it sends into the encoder.
# Large steps in such directions overwrite the pretrained weights, and 1,000 labels cannot bring back what was learned
# from millions of words. This is **catastrophic forgetting**. In Sun et al. (2019, section 5.3.3), BERT-base learns a
# task well with 2e-5; with 4e-4 it does not even learn its training examples. (Our learning rates are far above BERT's:
# small models tolerate, and need, larger steps.)
# </details>

# %% [markdown]
# ## 6 · Four choices
#
# In **multiple choice**, each option becomes a sequence of its own and gets **one** score. The softmax then runs over
# the options of an example:

# %%
from minibert.reference import choice_head

show_source(choice_head)

# %% [markdown]
# You are the head: type four scores. Add 5 to all, then double them. Each time, say first what will change.

# %%
CHOSEN = SHOWN["swag"][0]

def draw_choice(scores):
    probs = softmax(np.array([float(number) for number in scores.split()]))         # (C,) over the options
    notes = {CHOSEN.endings[CHOSEN.label]: f"the right one: loss {-np.log(probs[CHOSEN.label]):.2f}"}
    return f"<p>{CHOSEN.context} …</p>" + guesses_html(list(zip(CHOSEN.endings, probs)), notes)

Controls(draw_choice, scores=widgets.Text("1 3 0 -1", description="Scores", continuous_update=False))

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
# **SWAG** (Zellers et al., 2018): what happens next in a video? The right ending is its next caption; a language model
# wrote the wrong ones, and those that fooled other models were kept.

# %%
SWAG = {"ESIM + GloVe": 52.7, "ESIM + ELMo": 59.2, "OpenAI GPT": 78.0, "BERT-large": 86.3, "a human expert": 85.0,
        "five humans": 88.0}
lead = SWAG["BERT-large"] - SWAG["OpenAI GPT"]
show(*bars(list(SWAG), list(SWAG.values()), "accuracy in %", f"SWAG: BERT-large is {lead:.1f} points above GPT, and "
           "above one human expert", 3, "{:.1f}", limit=100))

# %% [markdown]
# (Devlin et al., table 4, test set. ESIM has attention between two **LSTM**s, networks that read word by word. *Expert*
# is one person, *five humans* are five together; they saw only 100 examples, so a few points may be chance.)
#
# **RACE** (Lai et al., 2017): English exams for Chinese pupils of 12 to 18, nearly 28,000 texts with 100,000 questions.
# A is the text, B the question with one answer. BERT's own paper did not try it.
#
# | accuracy on the test set, % | middle school | high school | all | from |
# |---|---|---|---|---|
# | Stanford Attentive Reader | 44.2 | 43.0 | 43.3 | Lai et al. (2017) |
# | OpenAI GPT | 62.9 | 57.4 | 59.0 | Radford et al. (2018) |
# | BERT-large | 76.6 | 70.1 | 72.0 | Liu et al. (2019), table 7 |
# | RoBERTa-large | 86.5 | 81.3 | 83.2 | Liu et al. (2019), table 7 |
# | crowd workers | 85.1 | 69.4 | 73.3 | Lai et al. (2017) |
# | the ceiling: questions without an error | 95.4 | 94.2 | 94.5 | Lai et al. (2017) |
#
# The course's own questions look like this:

# %% jupyter={"source_hidden": true}
exam = min(SHOWN["race"], key=lambda example: len(example.context))
options = "".join(f"<li>{option}{' (right)' * (i == exam.label)}</li>" for i, option in enumerate(exam.options))
View(f"<p>{exam.context}</p><p><b>{exam.question}</b></p><ol style='list-style:upper-alpha'>{options}</ol>")

# %% [markdown]
# ## 7 · The table that made BERT famous
#
# These are scores on GLUE's test sets (Devlin et al., table 1). *Pre-OpenAI SOTA* is the best before GPT (**SOTA**:
# state of the art). A BiLSTM (lesson 8) reads in both directions. MNLI has a test set of the training genres (m) and
# one of others (mm).

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
# QQP and MRPC are scored by F1, STS-B by Spearman, CoLA by Matthews, the others by accuracy. BERT-base is about as
# large as GPT, and leads it in all nine columns.

# %% jupyter={"source_hidden": true}
FEW_OR_MANY = ["more than 50,000 labels", "fewer than 50,000 labels"]

def leads():
    gaps, many = np.array(GLUE["BERT-base"]) - GLUE["OpenAI GPT"], np.array(EXAMPLES) > 50_000
    return gaps, [gaps[many].mean(), gaps[~many].mean()]

def leads_seen():
    gaps, means = leads()
    both = ", ".join(f"{mean:.1f} points with {kind}" for mean, kind in zip(means, FEW_OR_MANY))
    return (f"<p>On average, BERT leads by {both}. The Spearman correlation between its lead and the number of labels "
            f"is {with_minus(metrics.spearman(EXAMPLES, gaps), '{:.2f}')}.</p>")

GuessChoice("On which tasks does BERT-base lead GPT by more points, on average?", FEW_OR_MANY,
            lambda: FEW_OR_MANY[int(np.argmax(leads()[1]))], see=leads_seen)

# %% [markdown]
# Compare any two systems:

# %% jupyter={"source_hidden": true}
from minibert.course.widgets.scores import gap_bars

ORDERS = {"as in the paper": lambda gaps: range(9), "by the gap": lambda gaps: np.argsort(gaps)[::-1],
          "by training examples": lambda gaps: np.argsort(EXAMPLES, kind="stable")}

def draw_gaps(system, against, order):
    gaps = (np.array(GLUE[system]) - GLUE[against]).round(1)
    places = list(ORDERS[order](gaps))
    labels = [f"{TASKS[i]} ({EXAMPLES[i] / 1000:g}k)" for i in places]
    top = TASKS[int(gaps.argmax())]
    return gap_bars(labels, gaps[places], f"{system} minus {against}, points",
                    f"{system} against {against}: {with_minus(gaps.mean(), '{:+.1f}')} on average, most on {top}")

Controls(draw_gaps, system=widgets.Dropdown(options=list(GLUE), value="BERT-large", description="System"),
         against=widgets.Dropdown(options=list(GLUE), value="BERT-base", description="Against"),
         order=widgets.Dropdown(options=list(ORDERS), value="as in the paper", description="Order"))

# %% [markdown]
# The whole table, sorted by a column:

# %% jupyter={"source_hidden": true}
def draw_glue(column):
    names = sorted(GLUE, key=lambda name: -(GLUE[name] + [PRINTED[name]])[(TASKS + ["Average"]).index(column)])
    rows = {name: GLUE[name] + [PRINTED[name]] for name in names}
    said = f"By {column}: {' > '.join(names)}. The best of each column is bold."
    return leaderboard(TASKS + ["Average"], rows, said, column)

Controls(draw_glue, column=widgets.Dropdown(options=TASKS + ["Average"], value="RTE", description="Sort by"))

# %% [markdown]
# What does the last column average?

# %%
for name, scores in GLUE.items():
    print(f"{name:18s} mean of the nine columns {np.mean(scores):.2f}, the paper prints {PRINTED[name]}")

# %% [markdown]
# It mixes accuracies, F1 scores and correlations, and counts MNLI twice.
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
# Training walks downhill on the **loss surface**, the loss as a function of all weights. Hao et al. (2019) found that
# fine-tuning BERT ends in wider valleys than training from scratch. Do our models agree?

# %% jupyter={"source_hidden": true}
from minibert.course.unit06.loss_surface import losses_around, random_direction, way, weights_of

def loss_on(examples):
    rows, labels, _ = task.encode(examples)
    batch = task.collate(rows, labels)
    inputs, gold = task.inputs(batch, "cpu"), torch.from_numpy(batch.sequence_labels)
    return lambda network: F.cross_entropy(network(**inputs)["label"], gold)

seen, unseen = loss_on(pool[:100]), loss_on(dev[:100])

# %% [markdown]
# First we walk in a straight line from the weights before training (0) to those after it, the solution (1), and beyond:

# %%
ends = {start: weights_of(tuned[start, 0].model) for start in STARTS}
begins = {start: weights_of(start_model(start)) for start in STARTS}
ALONG = np.linspace(-0.5, 1.5, 17)

def line(start, loss):
    towards = way(begins[start], ends[start])
    return [row[0] for row in losses_around(tuned[start, 0].model, loss, begins[start], towards, at_first=ALONG)]

# %% [markdown]
# Is there a hill on the way? Is the solution the lowest point, for training sentences and for others?

# %%
slices = {name: {start: line(start, loss) for start in STARTS}
          for name, loss in {"training loss": seen, "dev loss": unseen}.items()}
lowest = {start: ALONG[np.argmin(losses)] for start, losses in slices["dev loss"].items()}
title = (f"The dev loss is lowest at {lowest['pretrained']:.0%} of the way if pretrained, at "
         f"{lowest['scratch']:.0%} from scratch")
show(*curves(ALONG, slices, "0 = start, 1 = solution", title, markers=False))

# %% [markdown]
# (A high dev loss at the solution is the overconfidence of section 4.) Now we walk sideways, in random directions. A
# step that is small for large weights is large for small ones, so its length needs a ruler. The **own** ruler makes
# each row of the direction as long as that row of the model's weights (Li et al., 2018). The **shared** ruler uses
# fresh random weights instead, for both models.

# %%
ASIDE = np.linspace(-2, 2, 33)
RULERS = {"own": ends, "shared": dict.fromkeys(ends, begins["scratch"])}

def valley(start, ruler, seed):
    direction = random_direction(RULERS[ruler][start], torch.Generator().manual_seed(seed))
    return [row[0] for row in losses_around(tuned[start, 0].model, seen, ends[start], direction, at_first=ASIDE)]

valleys = {ruler: {start: np.array([valley(start, ruler, seed) for seed in range(3)]) for start in STARTS}
           for ruler in RULERS}                                                 # (directions, distances) each

# %% [markdown]
# **Your turn.** Write `width`: walk left from the middle until the loss is higher than in the middle by more than
# `above`, then right, and return the distance between the two ends.

# %%
def width(distances, losses, above=0.2):
    """Return how far apart the first points are where the loss is too high, left and right of the middle.

    >>> width([-2, -1, 0, 1, 2], [0.9, 0.1, 0.0, 0.1, 0.9])
    4
    >>> width([-2, -1, 0, 1, 2], [0.9, 0.1, 0.0, 0.5, 0.1])
    3
    """
    ...

try_it(width)

# %% [markdown]
# <details><summary><b>One way to write it</b></summary>
#
# ```python
# def width(distances, losses, above=0.2):
#     left = right = len(losses) // 2
#     highest = losses[left] + above
#     while losses[left] <= highest:
#         left -= 1
#     while losses[right] <= highest:
#         right += 1
#     return distances[right] - distances[left]
# ```
#
# </details>
#
# We measure in three directions. A valley counts as wider if its smallest width is above the other's largest.

# %% jupyter={"source_hidden": true}
def measured_width(losses, above=0.2):
    middle = len(losses) // 2
    high = np.flatnonzero(losses > losses[middle] + above)
    left, right = high[high < middle], high[high > middle]
    return ASIDE[right.min() if len(right) else -1] - ASIDE[left.max() if len(left) else 0]

def widths(ruler):
    return {start: [measured_width(losses) for losses in valleys[ruler][start]] for start in STARTS}

def wider(ruler):
    both = widths(ruler)
    for one, other in (STARTS, STARTS[::-1]):
        if min(both[one]) > max(both[other]):
            return one
    return "neither"

def both_rulers():
    title = f"The wider valley: {wider('own')} by its own ruler, {wider('shared')} by the shared ruler"
    panels = {f"training loss, {ruler} ruler": {start: losses.mean(axis=0) for start, losses in both.items()}
              for ruler, both in valleys.items()}
    rows = [[f"{start}, {ruler} ruler", *(f"{wide:.2f}" for wide in wides)]
            for ruler in valleys for start, wides in widths(ruler).items()]
    heights = " and ".join(f"{valleys['own'][start][0][len(ASIDE) // 2]:.2f} ({start})" for start in STARTS)
    table = score_table(["width of the valley", "direction 1", "direction 2", "direction 3"], rows)
    agrees = "agree" if {wider(ruler) for ruler in valleys} == {"pretrained"} else "do not agree"
    return (figure_html(*curves(ASIDE, panels, "distance from the solution", title, markers=False)) + table
            + f"<p>So these two models {agrees} with Hao et al. Look at the heights as well: in the middle, the loss "
            f"is {heights}.</p>")

GuessChoice("Whose valley is wider, each measured by its own ruler?", [*STARTS, "neither"], lambda: wider("own"),
            see=both_rulers)

# %% [markdown]
# Widths at different heights are hard to compare. Last, a map like figure 1 of
# Hao et al.: across, from the start to the solution; up, a random direction (in theirs, another task's solution). Dark
# is a low loss.

# %%
from minibert.course.widgets.surface import loss_maps

ACROSS, UP = np.linspace(-0.75, 1.75, 11), np.linspace(-1.5, 1.5, 11)

def plane(start):
    aside, along = random_direction(ends[start], torch.Generator().manual_seed(0)), way(begins[start], ends[start])
    return np.array(losses_around(tuned[start, 0].model, seen, begins[start], aside, along, UP, ACROSS))

maps = {name: plane(start) for start, name in {"pretrained": "pretrained", "scratch": "from scratch"}.items()}
depths = " and ".join(f"{losses.min():.2f} ({name})" for name, losses in maps.items())
show(*loss_maps(maps, ACROSS, UP, "0 = start, 1 = solution", "aside, by its own ruler", f"The lowest loss: {depths}",
                [(0, 0, "start"), (1, 0, "solution")]))

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
# We see a few of about a million directions, and the choice of a ruler is ours. Our models are small; Hao et al.
# use a published BERT and real tasks. And wide valleys may come with good solutions without causing them. The evidence
# is the scores on new sentences, over several seeds.
# </details>

# %% [markdown]
# ## 9 · Task by task: where pretraining helps, and where not
#
# All tasks were learned beforehand, from scratch and from encoders pretrained as `make tour` does. As Devlin et al. did
# (section 4.1), we chose the learning rate on dev data, here from two, but the number of labels after a look at scores.

# %% jupyter={"source_hidden": true}
from collections import defaultdict

transfer, used, same = defaultdict(lambda: defaultdict(dict)), {}, defaultdict(list)
SCORES = {"stsb": "Spearman", "cola": "Matthews", "qa": "F1", "ner": "F1"}
for run in stored("transfer")["runs"]:
    name = NAMES[run["task"]]
    transfer[name][run["start"]][run["seed"]] = run["scores"][SCORES.get(run["task"], "accuracy")]
    used[name] = run["labelled"]
    same[name].append(run["scores"]["one answer"])
gains = {name: [kept["pretrained"][seed] - kept["scratch"][seed] for seed in kept["scratch"]
                if seed in kept["pretrained"]] for name, kept in transfer.items()}
helped = sorted(gains, key=lambda name: -np.mean(gains[name]))

def all_gains():
    names = [f"{name} ({used[name]:,} labels)" for name in helped]
    nothing = [name for name in helped if min(gains[name]) <= 0]
    drawn = gap_bars(names, [np.mean(gains[name]) for name in helped],
                     f"points gained by pretraining, mean of {len(gains[helped[0]])} seeds",
                     f"Tasks on which at least one seed gains nothing: {', '.join(nothing) or 'none'}")
    columns = ["task", "metric", "always the same label", *STARTS, "smallest gain", "mean gain", "largest gain"]
    kinds = {NAMES[task]: kind for task, kind in SCORES.items()}
    table = score_table(columns, [
        [name, kinds.get(name, "accuracy"), None if None in same[name] else float(np.mean(same[name])),
         *(float(np.mean(list(transfer[name][start].values()))) for start in STARTS),
         *(with_minus(gain, "{:+.1f}") for gain in (min(gains[name]), np.mean(gains[name]), max(gains[name])))] for name in helped])
    useless = [name for name in helped if None not in same[name] and np.mean(same[name]) >= max(
        np.mean(list(kept.values())) for kept in transfer[name].values())]
    return (figure_html(*drawn) + table
            + f"<p>Neither start beats always the same label on: {', '.join(useless) or 'no task'}.</p>")

LEAST = ["CoLA", "MNLI", "QQP", "STS-B", "WNLI"]
GuessChoice("On which of these five does pretraining gain the fewest points?", LEAST,
            lambda: min(LEAST, key=lambda name: np.mean(gains[name])), see=all_gains)

# %% [markdown]
# <details><summary><b>Why so much for some tasks, and so little for others?</b></summary>
#
# - **Words and grammar** (SWAG, named entities, CoLA): which ending fits, who is a person, does the verb agree?
#   Predicting masked words teaches this, even to a small model.
# - **Binding**: in many pairs of QQP, RTE and WNLI, the texts differ only in who did it. The model must bind each fact
#   to its person and compare. A small model learns this late, with many labels, or not at all.
# - **WNLI** asks whom *he* means, and then to compare two texts by it. The encoder does know something about pronouns:
#   a linear classifier on its frozen last layer tells more often than one on random weights whom they mean, on
#   each of five seeds (`benchmarks/results/frozen.md` in the repository). But these labels do not teach the comparison.
# - **SST-2** varies from seed to seed: its test sentences have few wordings, so each of these weighs much.
# - **The real BERT** needs only 2,500 labels for RTE (section 7), ours far more. BERT-base has nearly a hundred times as
#   many parameters, and read far more text. So these are limits of our small model, not of the idea.
# </details>
#
# <details><summary><b>If a task gains nothing, what should you check first?</b></summary>
#
# The learning rate. Large steps destroy what the encoder has learned before the head can use it, and then the
# pretrained model is no better than one from scratch. Try several, on dev data.
# </details>

# %% [markdown]
# ## 10 · In real English
#
# Back to the model from the top. We leave out one word at a time, and see how much the probability of *positive*
# changes. **Guess first**: which word matters most? Then write a sentence of your own.

# %%
import re
from minibert.course.widgets.guess import GuessWord

def without_each(text):
    words = re.findall(r"[\w'’]+", text.lower())[:30]
    shorter = [" ".join(words[:i] + words[i + 1:]) for i in range(len(words))]
    probs = verdicts(sentiment, [" ".join(words), *shorter])                    # (1 + words, C)
    positive = probs[:, sentiment.labels.index("positive")]
    return words, abs(positive[1:] - positive[0]).tolist()

GuessWord(without_each, "The story is slow but the music is wonderful",
          "change of the probability without the word")

# %% [markdown]
# Here are eight plain reviews, and eight that were written to mislead, for example with *not* or *if*:

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
    columns = ["review", "label", "prediction", "its probability, %"]
    return list(right.values()), score_table(columns, rows, f"Right: {said}")

lists = "".join(f"<p><b>{kind}</b><br>{'<br>'.join(films)}</p>"
                for kind, films in {"plain": PLAIN, "roundabout": ROUNDABOUT}.items())
View(f"<div style='display:flex;flex-wrap:wrap;gap:0 60px'>{lists}</div>")

# %% [markdown]
# How well are they judged?

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
# This English model began as one that puts similar sentences close together. Then it learned to predict masked tokens
# and next sentences. Now you teach it:

# %%
english = minibert.load("english")
print(f"{english.config.num_hidden_layers} layers, {english.config.hidden_size} wide, "
      f"vocabulary {english.config.vocab_size:,}")

# %% [markdown]
# Each of sixty sentences has two labels: food, travel or health, and past or future. Six in ten are for training, four
# for the test.

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

assert all(("will " in text or "going" in text) == (time == "future")
           for (_, time), texts in SAID.items() for text in texts.splitlines())
ASKED = {"What is it about?": 0, "Past or future?": 1}

def everyday(asked, part):
    return [TextExample(text, second=None, label=labels[ASKED[asked]], id="0", line=1) for labels, texts in SAID.items()
            for text in texts.splitlines()[part]]

TRAIN, TEST = slice(0, 6), slice(6, None)
counts = [len(everyday("Past or future?", part)) for part in (TRAIN, TEST)]
print(f"{counts[0]} sentences to learn from, {counts[1]} to score")

# %% [markdown]
# Each task is learned by full fine-tuning and from scratch, in twenty epochs with a learning rate of 1e-4. *Before* is
# the pretrained encoder with an untrained head: its learning rate is nearly 0. This takes a minute or so:

# %%
RUNS = {"before": dict(epochs=1, rate=1e-12), "from scratch": dict(start="scratch"), "fine-tuned": {}}

def taught(asked, start="pretrained", epochs=20, rate=1e-4):
    torch.manual_seed(0)
    fresh = start == "scratch"
    encoder = Encoder(english.config) if fresh else copy.deepcopy(english.encoder)
    return finetune("text", encoder, english.tokenizer, everyday(asked, TRAIN), epochs=epochs, peak_rate=rate,
                    pooler=None if fresh else english.pooler, progress=False, precision=torch.float32)[0]

answering = {(asked, name): taught(asked, **options) for asked in ASKED for name, options in RUNS.items()}

# %% [markdown]
# All are tested on the other 24 sentences:

# %% jupyter={"source_hidden": true}
def test_accuracy(asked, tuned=None):
    examples = everyday(asked, TEST)
    answers = tuned.task.answer(tuned.model, examples) if tuned else [examples[0].label] * len(examples)
    return 100 * metrics.accuracy([example.label for example in examples], answers)

@cache
def compare_starts():
    rows = {"always the same label": [test_accuracy(asked) for asked in ASKED]}
    return rows | {name: [test_accuracy(asked, answering[asked, name]) for asked in ASKED] for name in RUNS}

def all_starts():
    rows = compare_starts()
    best = " and ".join(f"{score:.0f}%" for score in rows["fine-tuned"])
    return (leaderboard(list(ASKED), rows, f"Fine-tuned on {counts[0]} sentences: {best} right",
                        head="training")
            + "<p>In the second task, a single word decides: <i>will</i> or <i>going</i>. There the model from "
            f"scratch got {rows['from scratch'][1]:.0f}% right. With {counts[1]} test sentences, each counts "
            f"{100 / counts[1]:.0f}%, and there is only one seed: small differences mean nothing.</p>")

GuessBars("What percentage of the test sentences does each model get right?",
          [f"{name}: {asked}" for name in RUNS for asked in ASKED],
          lambda: [score for name in RUNS for score in compare_starts()[name]], top=100, within=10,
          axis="right", unit="%", see=all_starts)

# %% [markdown]
# Both fine-tuned models judge a sentence of yours. Then write one about music: what do they answer, and how sure are
# they?

# %%
both = [answering[asked, "fine-tuned"] for asked in ASKED]
Controls(lambda text: draw_verdict(text, both),
         text=widgets.Text("Tomorrow we will make dumplings.", description="I write", **wide))

# %% [markdown]
# <details><summary><b>Why twenty epochs, and why 1e-4?</b></summary>
#
# We did not search. For few examples, Mosbach et al. (2021, [arXiv 2006.04884](https://arxiv.org/abs/2006.04884)) also
# advise many epochs, but a smaller learning rate.
# </details>
#
# <details><summary><b>Why does it never answer “something else”?</b></summary>
#
# The probabilities of the labels add up to 1, so one of them must win. The model can only choose among the labels that
# it was trained on; a label *other* would need examples of its own.
# </details>
#
# <details><summary><b>Does every task need an encoder of its own?</b></summary>
#
# After full fine-tuning, yes: your two tasks have two encoders. The English sentiment model was trained in another way,
# with **low-rank adapters** (LoRA; Hu et al., 2022, [arXiv 2106.09685](https://arxiv.org/abs/2106.09685)): the
# encoder's matrices stay as they are, and for each weight matrix the task learns two thin ones, whose product is added
# to it. A task is then a small file, and many tasks share one encoder.
# </details>
#
# ### How similar are two sentences?
#
# Each sentence gets a vector, the mean of its last hidden states. Two vectors are compared by their **cosine
# similarity**: 1 if they point in the same direction. The encoder must have learned to put similar texts close together
# (Reimers and Gurevych, 2019, [arXiv 1908.10084](https://arxiv.org/abs/1908.10084)), as the English model's published
# parent has:

# %% jupyter={"source_hidden": true}
from minibert.english.published import EnglishMissing, encoder_folder
from minibert.model.checkpoints.published import load_model

try:
    similar = load_model(encoder_folder()).encoder
except EnglishMissing:
    similar = english.encoder
    print("The course's own encoder takes its place. It was not trained for this.")

def vectors(texts):
    reader = both[0].task
    batch = reader.collate(reader.encode(examples_of(texts))[0])
    with torch.no_grad():
        hidden = similar(**reader.inputs(batch, "cpu"))["hidden"].numpy()       # (B, T, D)
    means = np.stack([h[real].mean(axis=0) for h, real in zip(hidden, batch.real)])     # (B, D)
    return means / np.linalg.norm(means, axis=1, keepdims=True)

# %% [markdown]
# This is a small search engine. **Guess first**: which sentence is closest to yours? Type one of its words.

# %% jupyter={"source_hidden": true}
from minibert.course.widgets.guess import CommitFirst

SHELF = [text for texts in SAID.values() for text in texts.splitlines()[:2]]

def nearest(text):
    cosines = vectors(SHELF) @ vectors([text])[0]                               # (sentences,)
    order = np.argsort(-cosines)
    return bars([SHELF[i] for i in order], cosines[order], "cosine similarity to my sentence",
                f"Closest: {SHELF[order[0]]}", 0, limit=1.1)

CommitFirst(lambda text: f"<p style='line-height:1.5'>{'<br>'.join(SHELF)}</p>", nearest,
            text=widgets.Text("Too much salt spoiled my dinner.", description="I write", **wide))

# %% [markdown]
# Does the cosine tell whether two sentences mean the same thing?

# %% jupyter={"source_hidden": true}
PAIRS = [("He sold her the car.", "She bought the car from him."),
         ("The dog bit the man.", "The man bit the dog."), ("I like this film.", "I do not like this film."),
         ("The lift is out of order.", "You have to take the stairs."),
         ("She left her job.", "She has quit working there."),
         ("The shop opens at nine.", "My cat sleeps all day.")]

@cache
def compare_pairs():
    firsts, seconds = (vectors(texts) for texts in zip(*PAIRS))                 # (pairs, D) each
    return sorted(zip(*zip(*PAIRS), (100 * (firsts * seconds).sum(axis=1)).tolist()), key=lambda row: -row[2])

def all_pairs():
    rows = compare_pairs()
    return score_table(["A", "B", "100 × cosine"], rows, f"Highest: “{rows[0][0]}” – “{rows[0][1]}”")

def both_texts(pair):
    return " – ".join(text.rstrip(".") for text in pair)

GuessChoice("Which pair gets the highest cosine?", list(map(both_texts, PAIRS)),
            lambda: both_texts(compare_pairs()[0][:2]), see=all_pairs)

# %% [markdown]
# <details><summary><b>Why can two sentences with opposite meanings have a high cosine?</b></summary>
#
# Most pairs used to train such vectors differ in their topic. In few of them does everything depend on who did what to
# whom, or on a *not*, so these have little influence on the mean. A model that reads both in one sequence (section 2)
# can compare word by word, but needs a sequence for every pair.
# </details>
#
# ### What did the model know before fine-tuning?
#
# Write `[MASK]` in place of the verdict: does the English model predict the right kind of word?

# %%
from minibert.course.widgets.explorer.widget import explore

explore(minibert.load("english"), "I loved every minute, it was really [MASK].")

# %% [markdown]
# ## Check yourself
#
# Run the folded cell and choose.

# %% jupyter={"source_hidden": true}
Quiz([
    QuizQuestion("You fine-tune BERT-base for two labels. How many parameters are new?", [
        Choice("1,538", True, "Right: 768 for each label, and two biases. The pooler comes from pretraining."),
        Choice("110 million", False, "All of these are trained, but they are not new."),
        Choice("768", False, "That is one label's vector."),
    ]),
    QuizQuestion("Your encoder is frozen, and [CLS] gives poor scores. What is the most likely reason?", [
        Choice("The head is too small", False, "Perhaps, but first ask what the vector contains."),
        Choice("[CLS] was never trained to gather what this task needs", True,
               "Right. Train the encoder, or read other tokens."),
        Choice("The learning rate of the encoder is too small", False, "A frozen encoder has none."),
    ]),
    QuizQuestion("In the last epochs the dev loss rises, but the accuracy does not fall. What has happened?", [
        Choice("The model has become too sure, also of its mistakes", True,
               "Right. The accuracy does not ask how sure it is, the loss does."),
        Choice("The dev set is too small", False, "With a larger one, the loss can rise in the same way."),
        Choice("The learning rate was too small", False, "Then the training loss would still be high."),
    ]),
    QuizQuestion("In SWAG, you add the same number to every option's score. What happens to the probabilities?", [
        Choice("Nothing", True, "Right: to the softmax, only differences matter."),
        Choice("They grow", False, "They still add up to 1."),
        Choice("They become equal", False, "Equal scores would do that, not equal additions."),
    ]),
    QuizQuestion("In a test set, 95% have the same label. A model has 96% accuracy. What do you ask next?", [
        Choice("Nothing: 96% is good", False, "Always giving the same label reaches 95%."),
        Choice("Its Matthews correlation, or its F1 of the rare label", True,
               "Right. They show whether it finds the rare ones."),
        Choice("Its F1 of the frequent label", False, "That is 97 for a model that always gives the same label."),
    ]),
    QuizQuestion("BERT-base leads GPT by 0.9 points on QQP and by 10.4 on RTE. What is the likeliest reason?", [
        Choice("QQP has 363,000 labels, RTE 2,500", True,
               "Right. Many labels teach nearly all that is needed, so better pretraining adds less."),
        Choice("QQP has two texts, RTE one", False, "Both have pairs."),
        Choice("RTE's sentences are shorter", False, "They are longer, and that is not the point."),
    ]),
    QuizQuestion("Why do encoder and head get different learning rates?", [
        Choice("The encoder has more parameters", False,
               "True, but from scratch it has just as many, and needs no smaller learning rate."),
        Choice("The encoder's weights are worth keeping", True, "Right; the head's are random."),
        Choice("Adam cannot train both with one learning rate", False, "BERT's authors do this, with a small one."),
    ]),
])

# %% [markdown]
# And your guesses:

# %%
my_guesses()

# %% [markdown]
# ## In short
#
# - **One encoder, many heads**: a sequence, `[CLS]`, a pooler and a linear layer classify texts, pairs and options.
# - **Metrics hide things.** Accuracy and the frequent label's F1 praise a model that reads nothing; Matthews gives
#   it 0.
# - **Pretraining saves labels** (section 4). BERT-base's lead over GPT is larger where labels are few.
# - **A model can get too sure**: then the dev loss rises, even if the accuracy does not fall.
# - **Frozen, full, or two learning rates**: choose on dev data, with several seeds. Large steps can
#   destroy the pretraining.
# - **Valleys** are a hint, not a proof: a width depends on the ruler and the height.
# - **In real English**, a few dozen sentences can teach a simple task. An *if* or a *without* may still mislead.
#
# ## Read on
#
# <details><summary><b>The papers of this lesson</b></summary>
#
# - Devlin et al. (2019), *BERT*, [arXiv 1810.04805](https://arxiv.org/abs/1810.04805): sections 4.1 and 4.4, figure 4,
#   appendices A.3 (fine-tuning) and B.1 (GLUE).
# - Wang et al. (2019), *GLUE*, [arXiv 1804.07461](https://arxiv.org/abs/1804.07461): section 3 (tasks and metrics).
# - The tasks: Williams et al. (2018), *MultiNLI*, [arXiv 1704.05426](https://arxiv.org/abs/1704.05426); Socher et al.
#   (2013), *Stanford Sentiment Treebank*, [ACL Anthology D13-1170](https://aclanthology.org/D13-1170/); Zellers et al.
#   (2018), *SWAG*, [arXiv 1808.05326](https://arxiv.org/abs/1808.05326); Lai et al. (2017), *RACE*, [arXiv
#   1704.04683](https://arxiv.org/abs/1704.04683).
# - Radford et al. (2018), *GPT*, and Liu et al. (2019), *RoBERTa*, [arXiv
#   1907.11692](https://arxiv.org/abs/1907.11692): RACE.
# - Howard and Ruder (2018), *ULMFiT*, [arXiv 1801.06146](https://arxiv.org/abs/1801.06146): section 3.2 (a learning
#   rate for each layer), section 5 (few labels).
# - Sun et al. (2019), *How to Fine-Tune BERT for Text Classification?*, [arXiv
#   1905.05583](https://arxiv.org/abs/1905.05583): section 5.3.
# - Peters et al. (2019), *To Tune or Not to Tune?*, [arXiv 1903.05987](https://arxiv.org/abs/1903.05987): frozen or
#   not, task by task.
# - Hao et al. (2019), *Visualizing and Understanding the Effectiveness of BERT*, [arXiv
#   1908.05620](https://arxiv.org/abs/1908.05620); Li et al. (2018), [arXiv
#   1712.09913](https://arxiv.org/abs/1712.09913): section 4 (the scale of a direction).
# - In the package: `minibert/finetuning/`, `minibert/tasks/`, `minibert/reference/heads.py`.
# </details>
#
# **Next**: [the exercise](../exercises/06_classification/06_classification.ipynb), then lesson 7: finding the answer to
# a question in a text.
