# %% [markdown]
# # 7 · Question answering: mark the place
#
# Somebody gives you a passage and a question. You put one finger where the answer begins and another where it ends.
# That is how BERT answers, too. You will teach a model to do it, question it, and break it.
#
# **After this lesson you can**
#
# - say what BERT computes to answer a question: two scores for each token,
# - turn an answer into a label, and two rows of scores into an answer,
# - score answers by exact match and F1, and say what each of them forgives,
# - handle a passage that is too long for the model, and the answer “it does not say”,
# - name what misleads such a model, and show it,
# - read the SQuAD tables of the BERT paper.
#
# **You need** lessons 1 to 6. **Time:** about 95 minutes with guessing and playing; the code alone runs in about two
# minutes on two cores. For a class that has never heard of BERT, take [the in-class notebook](07_in_class.ipynb)
# instead: 45 minutes, and it needs no other lesson.
#
# Run the cells in order with Shift + Enter. Three functions, marked **Your turn**, are yours to write.

# %% jupyter={"source_hidden": true}
from minibert.course.widgets.here import here

here(7)

# %% [markdown]
# ## The finished thing first
#
# This model marks answers in English texts. Of eight questions, the box starts with the first that it answers
# correctly. Choose another, write your own, or change a name in the text. (If a line says that the course's own model
# takes its place, the marks are random.)

# %% jupyter={"source_hidden": true}
import ipywidgets as widgets
import minibert
from minibert.course.models.class_model import untrained_model
from minibert.tasks.answers import exact_match_and_f1
from minibert.course.widgets.entities import entity_lines
from minibert.course.widgets.view import Controls

english = minibert.load("english-qa", instead=untrained_model("qa"))
LIGHTHOUSE = (
    "The lighthouse at Cape Orrin was built in 1862 by the engineer Martha Lindqvist, after three ships had "
    "sunk there in a single winter. Its lamp burned whale oil until 1911, when electric light took its "
    "place. Forty-two steps lead from the house of the keeper to the top. The last keeper, Tom Abara, "
    "retired in 1984. Since then the light has been controlled from the harbour office in Westport.")
WANTED = {"Who built the lighthouse?": ["Martha Lindqvist", "the engineer Martha Lindqvist"],
          "When was the lighthouse built?": ["1862", "in 1862"],
          "Why was the lighthouse built?": ["three ships had sunk there in a single winter",
                                            "three ships had sunk"],
          "Until when did the lamp burn whale oil?": ["1911", "until 1911"],
          "What took the place of the oil?": ["electric light"],
          "How many steps lead to the top?": ["Forty-two", "Forty-two steps"],
          "What happened in 1984?": ["The last keeper, Tom Abara, retired", "Tom Abara retired"],
          "Where is the light controlled from today?": ["Westport", "the harbour office in Westport"]}

def is_right(question):
    return exact_match_and_f1(english.predict(question=question, context=LIGHTHOUSE), WANTED[question])[0]

def mark_answer(asked, own, text):
    _, said = english.ask(question=own if own.strip() else asked, context=text)
    chosen = next((answer for answer in said.best if answer.text == said.text), None)
    spans = [(chosen.start, chosen.end, "answer")] if said.text and chosen else []
    sure = f" ({chosen.probability:.0%} of the probability of its 20 best answers)" if chosen else ""
    return entity_lines([("", text, spans)], ["answer"], f"{said.text or 'It marks nothing.'}{sure}")

first_right = max(WANTED, key=is_right)                     # max takes the first of equals
Controls(mark_answer, asked=widgets.Dropdown(options=sorted(WANTED, key=lambda question: question != first_right),
                                             description="Ask", layout={"width": "320px"}),
         own=widgets.Text(description="Or my own", placeholder="then Enter", continuous_update=False),
         text=widgets.Textarea(LIGHTHOUSE, description="About", rows=5, continuous_update=False,
                               layout={"width": "95%"}))

# %% [markdown]
# ## Do you remember lesson 6?
#
# Run the folded cell and choose.

# %% jupyter={"source_hidden": true}
from minibert.course.widgets.quiz import Choice, Quiz, QuizQuestion

Quiz([
    QuizQuestion("Pretrained once, fine-tuned for ten tasks. What is different in the ten models at the start?", [
        Choice("Only the new head", True, "Right. The encoder starts with the same weights each time."),
        Choice("Everything", False, "Then pretraining would be lost: the encoder is what they share."),
        Choice("The vocabulary", False, "It belongs to the encoder and stays the same."),
    ]),
    QuizQuestion("Which vector does a sentence classifier read?", [
        Choice("That of [CLS]", True, "Right. It stands first and is trained to represent the whole sequence."),
        Choice("That of the last token", False, "That is what a left-to-right model would do."),
        Choice("The mean of all vectors", False, "That can be done, but BERT's authors did not do it."),
    ]),
    QuizQuestion("How does BERT know which part of its input is the question?", [
        Choice("By [SEP] between them, and by two segment embeddings", True,
               "Right: each token gets the embedding of its segment added."),
        Choice("By the question mark", False, "That would fail for “Name the river.”"),
        Choice("It does not", False, "It does; try to answer without knowing which part is the question."),
    ]),
])

# %% [markdown]
# ## 1 · You are the model
#
# The program that writes our generated language also asks questions about its documents, and knows the answers. Train,
# dev and test are about different people.

# %% jupyter={"source_hidden": true}
from minibert.course.models.class_model import WORLD_SEED
from minibert.generated import World
from minibert.course.unit07.views.reading import (
    exact,
    examples_of,
    first_misled,
    lures,
    three_questions,
    with_sentence,
)

world, parts = World(WORLD_SEED), {}
for split, number in (("train", 200), ("dev", 60), ("test", 60)):
    parts[split] = examples_of(world.documents(number, seed=3, split=split))
    silent = sum(not e.answers for e in parts[split])
    print(f"{split}: {len(parts[split])} questions, {silent} of them without an answer")

# %% [markdown]
# Answer three questions about two people. (With keys: Tab, arrows, Enter.)

# %%
from minibert.course.unit07.views.mark_span import MarkSpan

lives = [document for document in world.documents(60, seed=3, split="test") if document.kind == "life"]
mine = three_questions(examples_of(lives))
passage = mine[0].context
MarkSpan(passage, [(e.question, [text for text, _ in e.answers]) for e in mine])

# %% [markdown]
# What did your eyes do? You probably looked for words that *mean* the same as those of the question, and then for
# something of the right kind nearby: a person, a firm, a trade.
#
# This task is **extractive question answering**: the answer is a stretch of the passage, a **span**, so its label is
# two numbers, the places of its first and its last token. If the passage does not say, both are 0, the place of
# `[CLS]`.
#
# <details><summary><b>Why only spans?</b></summary>
#
# A program can check a span, and a model that must point at a place cannot invent anything. But such a model cannot
# count, add, or say yes or no.
# </details>
#
# The best-known data set of this form is **SQuAD**, the *Stanford Question Answering Dataset*: questions that people wrote
# about paragraphs of Wikipedia. Version 1.1 always has the answer in the paragraph; version 2.0 adds 53,775 questions
# without one.
#
# <details><summary><b>SQuAD in numbers</b></summary>
#
# | questions | train | dev | test |
# |---|---|---|---|
# | SQuAD 1.1 | 87,599 | 10,570 | 9,533 |
# | SQuAD 2.0 | 130,319 | 11,873 | 8,862 |
# | … of these without an answer | 43,498 | 5,945 | 4,332 |
#
# (Rajpurkar et al., 2018, table 2. Dev and test of version 2.0 leave out articles without unanswerable questions.) At
# least two other people answered the dev and test questions of version 1.1 again, because there is often more than one
# good span. The test set is not public: you hand in a model, and get its score.
# </details>
#
# **Your turn.** SQuAD says at which *character* an answer begins; a model needs *tokens*. A tokenizer gives each
# token's **offsets**, the characters where it starts and ends. Find the tokens that share a character with the answer.

# %%
from minibert.course.widgets.try_it import try_it

def token_span(offsets, begin, text):
    """Return the first and the last token of an answer that begins at character `begin`.

    >>> token_span([(0, 3), (4, 9), (10, 12), (13, 17)], 10, "in Rome")
    [2, 3]
    >>> token_span([(0, 5), (5, 7), (8, 11)], 5, "ly")
    [1, 1]
    """
    ...

try_it(token_span)

# %% [markdown]
# <details><summary><b>One way to write it</b></summary>
#
# ```python
# def token_span(offsets, begin, text):
#     inside = [i for i, (start, end) in enumerate(offsets) if start < begin + len(text) and end > begin]
#     return [inside[0], inside[-1]]
# ```
# </details>
#
# In the sequence `[CLS] question [SEP] passage [SEP]`, both numbers then move up by the question's length and 2.
#
# ## 2 · Teach it
#
# The new head is one linear layer: it turns each token's vector into a **start score** and an **end score**. A softmax
# over all tokens turns the start scores into probabilities, another one the end scores. The loss is the mean of two
# cross-entropies.

# %%
import numpy as np
from minibert.reference import span_loss
from minibert.course.widgets.source import show_source

show_source(span_loss, fold="The code: an exercise asks you to write it, so try that first")

# %% [markdown]
# At first all positions are about equally likely. Take two sequences of 80 tokens with equal scores: in the first, the
# answer is at tokens 12 to 13, in the second there is none.

# %%
equal = np.zeros((2, 80))                                   # (B, T): two sequences, 80 equal scores each
nothing_known = float(span_loss(equal, equal, np.array([12, 0]), np.array([13, 0])))

# %% [markdown]
# You may need ln 8 ≈ 2.1 and ln 10 ≈ 2.3.

# %% jupyter={"source_hidden": true}
from minibert.course.widgets.guess_then_see import GuessBars, GuessChoice, GuessNumber, my_guesses

def why_this_loss():
    return ("<p>The right start has the probability 1/80, and minus its logarithm is ln 80 = ln 8 + ln 10. The same "
            f"holds for the end. The mean of the two is {nothing_known:.2f}.</p>")

GuessChoice("All 80 tokens get equal scores, for the start and for the end. How large is the loss?",
            ["2.2", "4.4", "8.8"],
            lambda: min(["2.2", "4.4", "8.8"], key=lambda text: abs(float(text) - nothing_known)), see=why_this_loss)

# %% [markdown]
# We fine-tune on 800 questions. Besides the training loss, the curve shows the held-out loss, on 100 dev questions.

# %% jupyter={"source_hidden": true}
import torch
from minibert.course.models.class_model import class_model
from minibert.finetuning.finetuned import Finetuned
from minibert.finetuning.approaches import training_context
from minibert.model import FastEncoder, Model
from minibert.tasks.qa import QA
from minibert.training.config import TrainConfig
from minibert.training.loop import train
from minibert.course.widgets.view import View
from minibert.course.unit07.views.held_out import HeldOutCurve

model, tokenizer = class_model()
order = np.random.default_rng(0).permutation(len(parts["train"]))
chosen, held_out = [parts["train"][i] for i in order[:800]], parts["dev"][:100]
curve = HeldOutCurve("span loss", lines={"one of four": float(np.log(4)), "knows nothing": float(np.log(80))},
                     limits=(0, 4.8))

def loss_on(tuned, examples):
    rows, labels, _ = tuned.task.encode(examples)
    losses = [span_loss(*scores.T[:, None].astype(float), *np.array(label)[:, None])
              for scores, label in zip(tuned.task.logits(tuned.model, rows), labels)]
    tuned.model.train()
    return float(np.mean(losses))

def teach(encoder, name):
    """Fine-tune an encoder with a new span head on the chosen questions; the curve shows both losses."""
    torch.manual_seed(SETTINGS.seed)
    task, fast = QA.fit(tokenizer, 128, chosen), FastEncoder.of(encoder)
    tuned = Finetuned("qa", task, Model(fast, task.heads(fast)))
    rows, labels, _ = task.encode(chosen)
    curve.watch(name, lambda: loss_on(tuned, held_out))
    with training_context(tuned.model, task, "full", rows):
        train(tuned.model, task, lambda rng: (rows, labels), SETTINGS, progress=curve)
    return tuned

# %% [markdown]
# The line “one of four” is the loss of a model that hesitates between four candidates of the right kind (ln 4 ≈ 1.4).
# **Guess first**: how low will each of the two losses get? Training takes up to a minute.

# %%
SETTINGS = TrainConfig(steps=400, batch_size=8, peak_rate=1e-3, seed=0)

qa = teach(class_model()[0].encoder, "pretrained")

# %% [markdown]
# Read the curve:

# %% jupyter={"source_hidden": true}
def read_curve(name):
    if not curve.curves[f"{name} · held out"]:
        return "<p>The run was too short for a measurement on held-out questions.</p>"
    steps, losses = np.array(curve.curves[f"{name} · held out"]).T
    last, low, trained = losses[-1], losses.argmin(), curve.curves[f"{name} · training"][-1][1]
    told = (f"The latter was lowest after {steps[low]:.0f} steps, {losses[low]:.2f}, and has gone up since: the model "
            "overfits." if last > losses[low] + 0.1 else "The latter is within 0.1 of its lowest: no overfitting yet.")
    return (f"<p>At the end, the loss is {trained:.2f} in training (the mean of the last 50 steps) and {last:.2f} on "
            f"held-out questions. {told}</p>")

View(read_curve("pretrained"))

# %% [markdown]
# A confident mistake is expensive, so the loss does not tell how many answers are right. Part 3 counts them.
#
# <details><summary><b>Why can so few examples teach it anything?</b></summary>
#
# Pretraining has taught it much of the language, such as which words are names. Only the head is new: a weight for each
# number of a token's vector and a bias, once for the start and once for the end. Part 6 shows what happens without
# pretraining.
# </details>
#
# ## 3 · Ask it
#
# Two ribbons show the probabilities of start and end among the passage's tokens, from empty (0%) to full (100%). The
# bars below show the best spans, and how probable each is among the best 20.
#
# The box starts with the first dev question where your model marks the right place. Ask others, and change the passage.
# **Guess first** each time: where will the ribbons be full? Find
#
# - a question that it answers correctly although it shares only a name with the passage,
# - one where the two ribbons point to different places,
# - one where it is sure and wrong.

# %% jupyter={"source_hidden": true}
from minibert.course.unit07.views.qa import answer_html, scores_of

dev = [e for e in parts["dev"] if e.answers]
known = [e for e, right in zip(dev, exact(qa, dev)) if right]
marked = [next(a for a in p.best if a.text) for p in qa.task.predict(qa.model, known)]
there = [e for e, a in zip(known, marked) if (a.text, a.start) in e.answers]
shown = (there or known or dev)[0]
wide = dict(layout={"width": "95%"}, continuous_update=False)
print(f"It answers {len(known)} of {len(dev)} dev questions exactly; {len(known) - len(there)} of these answers are "
      "the right words in another place.")
Controls(lambda question, passage: answer_html(qa, question, passage),
         question=widgets.Text(shown.question, description="Question", **wide),
         passage=widgets.Textarea(shown.context, description="Passage", rows=4, **wide))

# %% [markdown]
# If the best bars are “Rome” and “in Rome”, even 40% need not mean doubt: both mark the same place.
#
# <details><summary><b>How can a model connect “Which firm pays her?” with “works for”?</b></summary>
#
# If pretraining shows both wordings beside the same names, tokens masked in one can be predicted from the other. That
# rewards similar vectors for both. What does yours do with words that the language never uses?
# </details>
#
# ## 4 · Two ends, one answer
#
# A hasty program takes the best start and the best end. A small example:

# %%
from minibert.course.widgets.tables import score_table

words = ["Anna", "lived", "in", "Rome", "and", "then", "in", "New", "York"]
start_scores = np.array([0, 0, 0, 4.0, 0, 0, 0, 5.0, 2.0])
end_scores = np.array([0, 0, 0, 6.0, 0, 0, 0, 1.0, 4.5])
start, end = start_scores.argmax(), end_scores.argmax()
View(score_table(["word", "start score", "end score"], zip(words, start_scores, end_scores)))

# %% [markdown]
# It cuts `words[start:end + 1]` out of the sentence.

# %% jupyter={"source_hidden": true}
def each_by_itself(start=start, end=end, words=words):
    told = " The answer ends before it begins: the two ends are of two different cities." if end < start else ""
    return f"<p>The best start is {words[start]}, the best end is {words[end]}.{told}</p>"

GuessChoice("The best start and the best end, each by itself: which words come out?",
            ["Rome", "New", "New York", "none"],
            lambda cut=" ".join(words[start:end + 1]): cut or "none", see=each_by_itself)

# %% [markdown]
# It is better to score whole spans: all pairs of a start and an end with start ≤ end (here in colour), each by the sum
# of its two scores. The authors' program also limits a span to 30 tokens.

# %% jupyter={"source_hidden": true}
from minibert.data.spans import best_span
from minibert.course.widgets.view import show
from minibert.course.unit07.views.qa import pairs_map

allowed = np.triu(np.ones((len(words), len(words)), bool))                                  # (T, T)
pairs = np.where(allowed, start_scores[:, None] + end_scores[None, :], np.nan)              # (T, T)
i, j, score = best_span(start_scores, end_scores)
show(*pairs_map(pairs, words, {"best allowed pair": (i, j), "each by itself": (start, end)},
                f"The best allowed pair is “{' '.join(words[i:j + 1])}”, with {score:.1f}"))

# %% [markdown]
# How often does it matter? Both programs answer 100 test questions. An answer counts as changed if the search finds a
# different span, or one where the hasty program finds none.

# %% jupyter={"source_hidden": true}
answered = [e for e in parts["test"] if e.answers][:100]
kinds = {"the same span": 0, "another span": 0, "no span (end before start)": 0}
for example in answered:
    starts, ends = scores_of(qa, example.question, example.context)[1].T
    hasty = (int(starts.argmax()), int(ends.argmax()))
    same = hasty == best_span(starts, ends)[:2]
    kinds["the same span" if same else "another span" if hasty[0] <= hasty[1] else "no span (end before start)"] += 1

def kind_by_kind():
    told = ", ".join(f"{number} times {kind}" for kind, number in kinds.items())
    return f"<p>The hasty program gives: {told}.</p>"

GuessNumber("Of 100 questions, for how many does the search change the answer?", lambda: 100 - kinds["the same span"],
            within=6, see=kind_by_kind)

# %% [markdown]
# <details><summary><b>Why not swap the two when they are in the wrong order?</b></summary>
#
# Then the span begins where the model saw an end: here, “Rome and then in New”.
# </details>
#
# <details><summary><b>Why not one softmax over all pairs?</b></summary>
#
# It can be done, but the authors' 384 tokens make 73,920 pairs with start ≤ end. The paper trains two softmaxes
# instead, and searches the pairs afterwards (Devlin et al., section 4.2).
# </details>
#
# ### How good is an answer?
#
# SQuAD compares an answer with one or more **reference answers**, those that people gave, after lowercasing both and
# removing punctuation and the articles *a, an, the*. **Exact match** (EM) is 1 if the texts are then the same, and 0
# otherwise; **F1** here is 2 × common words / (words of the one + words of the other). The best reference counts.
# References in the box are separated by |.
#
# **Try:** find a right answer with an F1 of 0.80, and a wrong one with an F1 of 0.50.

# %% jupyter={"source_hidden": true}
from minibert.tasks.answers import normalize_answer

def draw_scores(answer, gold):
    exact, f1 = exact_match_and_f1(answer, gold.split("|"))
    compared = " or ".join(f"“{normalize_answer(text)}”" for text in gold.split("|"))
    return (f"<p>Compared: “{normalize_answer(answer)}” with {compared}.</p>"
            f'<p role="status">Exact match <b>{exact:.0f}</b>, F1 <b>{f1:.2f}</b>.</p>')

Controls(draw_scores, answer=widgets.Text("The Harbour Trust.", description="Answer", continuous_update=False),
         gold=widgets.Text("Harbour Trust|the trust", description="References", continuous_update=False))

# %% [markdown]
# Now score your model on the 100 test questions. All of them have an answer, so its best span counts.

# %% jupyter={"source_hidden": true}
def span_scores(tuned, examples):
    """Exact match and F1 in percent of each question's best span, (N, 2)."""
    best = [next((a.text for a in p.best if a.text), "") for p in tuned.task.predict(tuned.model, examples)]
    return 100 * np.array([exact_match_and_f1(text, [a for a, _ in e.answers]) for text, e in zip(best, examples)])

def f1_of(tuned, examples):
    return span_scores(tuned, examples)[:, 1]               # (N,)

own_em, own_f1 = span_scores(qa, answered).mean(axis=0)
GuessNumber("How many of the 100 questions does it answer exactly?", lambda: own_em, within=10,
            see=lambda: f"<p>Its F1 is {own_f1:.1f}: part of an answer counts, too.</p>")

# %% [markdown]
# <details><summary><b>Why is F1 kinder, and is that good?</b></summary>
#
# It forgives a word too many, as most readers would. But it also gives half a point to “Emily Fenford” where the answer
# is “Daren Fenford”: the wrong person with the right surname.
# </details>
#
# ## 5 · Long passages: windows
#
# BERT reads at most 512 tokens, our model 128. A longer passage is read in overlapping **windows**, pieces of equal
# length, each of which begins a **stride**, a fixed number of tokens, after the one before. The one that reaches the
# passage's end is the last, and may be shorter. If one window cuts an answer in two, another can hold the whole of it.
#
# Take a passage of 60 tokens, numbered from 0, windows of 24, a stride of 12, and an answer at tokens 21 to 25.

# %% jupyter={"source_hidden": true}
from minibert.data.spans import windows
from minibert.course.unit07.views.qa import windows_map

def count_windows(length, room, stride, first, pieces):
    begins = windows(length, room, stride)
    return [len(begins), sum(b <= first and first + pieces <= min(b + room, length) for b in begins)]

def draw_windows(length, room, stride, first, pieces):
    number, whole = count_windows(length, room, stride, first, pieces)
    return windows_map(windows(length, room, stride), room, length, (first, first + pieces - 1),
                       f"{number} windows, {whole} of them with the whole answer")

GuessBars("How many windows are there, and how many hold the whole answer?", ["all windows", "with the whole answer"],
          lambda: count_windows(60, 24, 12, 21, 5), top=12, within=0.5, axis="windows",
          see=lambda: draw_windows(60, 24, 12, 21, 5))

# %% [markdown]
# In training, a window without the whole answer gets the label 0: `[CLS]`, “not here”. Now choose the numbers yourself.
# *Room* is the length of a window. Make the stride smaller, and move the answer.

# %% jupyter={"source_hidden": true}
Controls(draw_windows, length=widgets.BoundedIntText(60, min=1, max=400, description="Passage"),
         room=widgets.BoundedIntText(24, min=2, max=200, description="Room"),
         stride=widgets.BoundedIntText(24, min=4, max=200, description="Stride"),
         first=widgets.BoundedIntText(21, min=0, max=390, description="Answer at"),
         pieces=widgets.BoundedIntText(5, min=1, max=60, description="Its length"))

# %% [markdown]
# <details><summary><b>Which strides guarantee that some window holds the whole of a five-token answer?</b></summary>
#
# Room − 4 or less. Then two neighbours share at least four tokens. So an answer that runs over the end of a window lies
# wholly in the next.
# </details>
#
# <details><summary><b>Careful: stride means something else in Hugging Face's tokenizers</b></summary>
#
# There, `stride` is the number of tokens by which two neighbouring windows *overlap*. The BERT authors' `run_squad.py`
# and this lesson count from the beginning of one window to the beginning of the next, so Hugging Face's stride is our
# room − our stride. With windows of 24 and our stride of 18, it is 6.
# </details>
#
# <details><summary><b>Why does half an answer count as “not here”?</b></summary>
#
# Suppose that the answer is “New York”, and the window ends after “New”. With “New” as its label, the model would learn
# to stop too early.
# </details>
#
# **Your turn.** A token may lie in several windows, with different scores. In each, count its neighbours to the left
# and to the right, and keep the smaller number: the window where it is largest shows the **most context**, and its
# scores count.

# %%
def best_window(place, begins, room):
    """Return where the window of `room` tokens begins that shows the token at `place` with most context.

    >>> best_window(20, [0, 12, 24], 24)
    12
    >>> best_window(14, [0, 12, 24], 24)
    0
    """
    ...

try_it(best_window)

# %% [markdown]
# <details><summary><b>One way to write it</b></summary>
#
# ```python
# def best_window(place, begins, room):
#     return max(begins, key=lambda begin: min(place - begin, begin + room - 1 - place))
# ```
#
# A window that does not hold the token gets a negative number, and loses.
# </details>
#
# ## 6 · What was pretraining worth?
#
# Take the same network, questions and steps, but train **from scratch**: start from random weights. **Guess first**:
# will its two losses end as low?

# %%
from minibert.model import Encoder

torch.manual_seed(0)
scratch = teach(Encoder(model.encoder.config), "from scratch")
View(read_curve("from scratch"))

# %% [markdown]
# Now test both models on generated passages about other people, and on real English: passages written by hand for this
# course.

# %% jupyter={"source_hidden": true}
from minibert.course.texts.passages import passages
from minibert.readers.wording import with_minus

by_hand = [e for e in examples_of(passages()) if e.answers]
SETS = {"generated": answered, "by hand": by_hand[::len(by_hand) // 100][:100]}
worth = {f"{start}, {name}": f1_of(tuned, examples).mean()
         for start, tuned in (("scratch", scratch), ("pretrained", qa)) for name, examples in SETS.items()}

def what_it_was_worth():
    gain, real = (with_minus(worth[f"pretrained, {name}"] - worth[f"scratch, {name}"], "{:+.1f}") for name in SETS)
    return (f"<p>With the same labels, pretraining brings {gain} points of F1 on its own language, and "
            f"{real} on real English, in this one run of each.</p>")

GuessBars("What F1 does each model reach on each set of questions?", list(worth), lambda: list(worth.values()), top=100,
          within=8, axis="F1", see=what_it_was_worth)

# %% [markdown]
# Many words of real English are not in the vocabulary, so they are cut into more tokens:

# %% jupyter={"source_hidden": true}
for text in (passage, by_hand[0].context):
    pieces = tokenizer.encode(text).pieces
    print(f"{len(pieces) / len(text.split()):.2f} tokens per word: {' '.join(pieces[:14])} ...")

# %% [markdown]
# To compare with published weights on your disk, name their folder in the folded cell.

# %% jupyter={"source_hidden": true}
PUBLISHED = ""              # a folder with config.json, model.safetensors and vocab.txt

if PUBLISHED:
    from minibert.course.models.class_model import load_bert
    from minibert.finetuning.run import finetune

    real, pieces = load_bert(PUBLISHED)
    real, _ = finetune("qa", real.encoder, pieces, chosen, steps=400, batch_size=8, peak_rate=1e-4, max_length=128)
    print("published:", ", ".join(f"{name}: F1 {f1_of(real, examples).mean():.1f}" for name, examples in SETS.items()))
else:
    print("No folder is named, so there is nothing published to compare with.")

# %% [markdown]
# ### What the paper measured
#
# On SQuAD 1.1 (Devlin et al., section 4.2 and table 2; an **ensemble** is several models that answer together):
#
# | | dev EM | dev F1 | test EM | test F1 |
# |---|---|---|---|---|
# | human | – | – | 82.3 | 91.2 |
# | leaderboard, 10 December 2018: nlnet, ensemble | – | – | 86.0 | 91.7 |
# | leaderboard: QANet, ensemble | – | – | 84.5 | 90.5 |
# | BiDAF+ELMo, one model | – | 85.6 | – | 85.8 |
# | R.M. Reader, ensemble | 81.2 | 87.9 | 82.3 | 88.5 |
# | BERT-base | 80.8 | 88.5 | – | – |
# | BERT-large | 84.1 | 90.9 | – | – |
# | BERT-large, ensemble | 85.8 | 91.8 | – | – |
# | BERT-large + TriviaQA | 84.2 | 91.1 | 85.1 | **91.8** |
# | BERT-large + TriviaQA, ensemble | 86.2 | 92.2 | 87.4 | **93.2** |
#
# Two test figures of BERT-large are quoted, so say which you mean: 91.8 is one model, 93.2 (also in the paper's
# abstract) an ensemble of seven. Both were fine-tuned on **TriviaQA** first, another set of questions with answers in
# texts. It adds little: on dev, 0.2 points of F1 to one model and 0.4 to the ensemble. On dev, even BERT-base scores
# above BiDAF+ELMo, the only earlier single model in the table.
#
# <details><summary><b>SQuAD 2.0, and the settings</b></summary>
#
# Section 4.3 and table 3, without other systems that use BERT:
#
# | | dev EM | dev F1 | test EM | test F1 |
# |---|---|---|---|---|
# | human | 86.3 | 89.0 | 86.9 | 89.5 |
# | leaderboard: MIR-MRC (F-Net), one model | – | – | 74.8 | 78.0 |
# | leaderboard: nlnet, one model | – | – | 74.2 | 77.1 |
# | unet, ensemble | – | – | 71.4 | 74.9 |
# | SLQA+, one model | – | – | 71.4 | 74.4 |
# | BERT-large | 78.7 | 81.9 | 80.0 | 83.1 |
#
# On SQuAD 1.1, BERT was fine-tuned for 3 epochs with a learning rate of 5e-5 and batches of 32; on SQuAD 2.0 for 2
# epochs with 5e-5 and batches of 48, without TriviaQA.
# </details>

# %% [markdown]
# ## 7 · Break it
#
# Does your model read, or take the first thing of the right kind, or what stands beside the question's words? We add a
# sentence about *somebody else*, or those words. The right answer does not change.

# %% jupyter={"source_hidden": true}
victim, decoy, told = first_misled(qa, sorted(dev, key=lambda e: e not in there))    # right places first
ADDED = {"nothing": "", "another person, same kind of fact": decoy,
         "another person, other fact": next(iter(lures(victim, dev, same=False)), ""),
         "the question's words": f"{victim.question.strip('?')} {victim.question.strip('?').lower()}."}

def lure(added, place, question):
    wanted = " or ".join(dict.fromkeys(text for text, _ in victim.answers))
    known = f"<p>The right answer: <b>{wanted}</b></p>" if question == victim.question else ""
    return known + answer_html(qa, question, with_sentence(victim, ADDED[added], place == "before").context)

# %% [markdown]
# The box starts with a dev question that it answers correctly until such a sentence is added. Which additions mislead
# it? Does it matter where they stand?

# %%
Controls(lure, added=widgets.Dropdown(options=list(ADDED), description="Added", layout={"width": "360px"}),
         place=widgets.Dropdown(options=["before", "after"], description="Where"),
         question=widgets.Text(victim.question, description="Question", **wide))

# %% [markdown]
# One example proves little. So take the test questions for which another passage has such a sentence: without it, with
# it before, and with it after.

# %% jupyter={"source_hidden": true}
rng = np.random.default_rng(1)
drawn = [(e, found[rng.integers(len(found))]) for e in answered if (found := lures(e, answered))]
tries = {"as it was": [e for e, _ in drawn]} | {
    f"sentence {place}": [with_sentence(e, added, place == "before") for e, added in drawn]
    for place in ("before", "after")}
broken = {name: f1_of(qa, examples).mean() for name, examples in tries.items()}

def how_far_it_falls():
    before, after = (with_minus(broken[name] - broken["as it was"], "{:+.1f}") for name in ("sentence before", "sentence after"))
    return (f"<p>On {len(drawn)} questions, one sentence about somebody else changes F1 by {before} if it stands "
            f"before the passage, and by {after} after it. The same on dev, where the example comes from. {told}"
            "</p><p>Jia and Liang (2017) added misleading sentences to passages of SQuAD: the mean F1 of sixteen "
            "published models went down from 75 to 36.</p>")

GuessBars("What is your model's F1 on these questions?", list(broken), lambda: list(broken.values()), top=100, within=8,
          axis="F1", see=how_far_it_falls)

# %% [markdown]
# A good score says that a model is right on questions like these, not *why*. **Adversarial examples**, inputs changed
# so that a model fails though a person does not, test for that.
#
# ## 8 · When the passage does not say
#
# For a question without an answer, BERT points at `[CLS]`, whose start score plus end score is the **null score**. A
# question is left unanswered if the null score beats the best span's score by more than a **threshold** $\tau$, a
# number that is chosen after training:
#
# $$s_{\text{null}} - s_{\text{best}} > \tau$$
#
# <details><summary><b>Two details: the sign, and several windows</b></summary>
#
# The authors' program uses this form. In the paper (section 4.3) the sign of $\tau$ is the opposite: a question is
# answered if $s_{\text{best}} > s_{\text{null}} + \tau$, so a larger $\tau$ means fewer answers.
#
# If a passage takes several windows, the lowest of their null scores counts: one window with an answer is enough.
# </details>
#
# **Your turn.** The difference on the left is called the *null odds*. How good is a threshold? Answers score their F1;
# silence scores 1 if the passage has no answer, otherwise 0.

# %%
def score_at(threshold, odds, f1, has_answer):
    """Return the mean score; a question is answered if its null odds are at most the threshold.

    >>> score_at(0, [-3.0, 5.0], [0.5, 0.0], [True, False])
    0.75
    >>> score_at(9, [-3.0, 5.0], [0.5, 0.0], [True, False])
    0.25
    """
    ...

try_it(score_at)

# %% [markdown]
# <details><summary><b>One way to write it</b></summary>
#
# ```python
# def score_at(threshold, odds, f1, has_answer):
#     silent = np.array(odds) > threshold
#     return float(np.where(silent, ~np.array(has_answer), f1).mean())
# ```
# </details>
#
# Imagine raising the threshold from very low to very high, on all dev questions.

# %% jupyter={"source_hidden": true}
import functools
from minibert.course.widgets.plots import PANEL_SIZE, curves

def odds_of(examples):
    """(odds, F1 of the best span from 0 to 1, whether there is an answer) of each example."""
    predictions = qa.task.predict(qa.model, examples)
    best = [next((a.text for a in p.best if a.text), "") for p in predictions]
    f1 = [exact_match_and_f1(t, [a for a, _ in e.answers] or [""])[1] for t, e in zip(best, examples)]
    return np.array([p.null_odds for p in predictions]), np.array(f1), np.array([bool(e.answers) for e in examples])

on_dev = odds_of(parts["dev"])

def scores_at(threshold, measured):
    """F1 in percent: of all, of those with an answer, of those without."""
    odds, f1, has_answer = measured
    scores = np.where(odds > threshold, ~has_answer, f1)
    return [100 * float(scores[some].mean()) for some in (slice(None), has_answer, ~has_answer)]

@functools.cache
def three_lines():
    thresholds = np.linspace(on_dev[0].min() - 1, on_dev[0].max() + 1, 81)
    lines = np.array([scores_at(t, on_dev) for t in thresholds]).T
    return thresholds, dict(zip(("all", "with an answer", "without"), lines))

def falling():
    return min(three_lines()[1].items(), key=lambda line: line[1][-1] - line[1][0])[0]

GuessChoice("The threshold goes up. For which questions can F1 only go down?",
            ["all", "with an answer", "without"], falling)

# %% [markdown]
# Move the threshold along its three curves. Which would you choose for questions about a medical text? And which in a
# quiz show?

# %% jupyter={"source_hidden": true}
def draw_threshold(threshold):
    thresholds, lines = three_lines()
    odds, _, has_answer = on_dev
    said, every = odds <= threshold, scores_at(threshold, on_dev)
    wrongly = f"{(said & ~has_answer).sum()} of the {(~has_answer).sum()} without an answer"
    title = f"Threshold {threshold:g}: it answers {said.sum()} of {len(said)} questions, including {wrongly}"
    fig, told = curves(thresholds, {"F1": lines}, "threshold", title, markers=False, at_least={"F1": (0, 100)})
    ax = fig.axes[0]
    ax.axvline(threshold, color="black", linewidth=1, linestyle=(0, (1, 3)))
    ax.plot([threshold] * 3, every, "o", color="black", markersize=6)
    scores = "F1 there: " + ", ".join(f"{name} {score:.0f}" for name, score in zip(lines, every))
    ax.set_title(scores, fontsize=PANEL_SIZE)
    return fig, f"{told} {scores}."

low, high = min(-1, int(on_dev[0].min()) - 1), max(1, int(on_dev[0].max()) + 1)
Controls(draw_threshold, threshold=widgets.FloatSlider(0, min=low, max=high, step=0.5, description="Threshold",
                                                       continuous_update=False))

# %% [markdown]
# Choose the threshold on dev questions, and report the score on test questions:

# %%
from minibert.tasks.squad_score import best_threshold

odds, f1, has_answer = on_dev
promised, tuned_threshold = best_threshold(f1, has_answer, odds)
on_test = odds_of(parts["test"])
tuned, untuned = (scores_at(threshold, on_test)[0] for threshold in (tuned_threshold, 0))
print(f"threshold {with_minus(tuned_threshold)}: F1 {promised:.1f} on dev, {tuned:.1f} on test")
print(f"compared with threshold 0, it changes F1 on test by {with_minus(tuned - untuned, '{:+.1f}')}")

# %% [markdown]
# <details><summary><b>How were the unanswerable questions of SQuAD 2.0 made?</b></summary>
#
# The people who wrote them were asked for questions that *look* answerable, with a plausible wrong answer in the
# passage. Here, such a question asks for a fact that the passage may give, but about somebody else.
# </details>
#
# ## 9 · In real English
#
# Back to the model from the top: an encoder that has read English, fine-tuned on parts of SQuAD 1.1 and of a newer set
# like it. (If it is missing, your model answers in its place.)
#
# Paste a text of your own, and ask about it. **Guess first**: type the words that it will mark.

# %%
from minibert.course.widgets.guess import CommitFirst

english = minibert.load("english-qa", instead=qa)

CommitFirst(lambda asked, text: "<p>Which words of the text will it mark?</p>",
            lambda asked, text: answer_html(english, asked, text),
            asked=widgets.Text("What did the lamp burn?", description="I ask", **wide),
            text=widgets.Textarea(LIGHTHOUSE, description="My text", rows=5, **wide))

# %% [markdown]
# Now score it on the eight questions about the lighthouse.

# %% jupyter={"source_hidden": true}
@functools.cache
def score_answers():
    rows = []
    for question, references in WANTED.items():
        said = english.predict(question=question, context=LIGHTHOUSE)
        rows.append((question, said, *(100 * score for score in exact_match_and_f1(said, references))))
    exact_ones, f1_ones = np.mean([row[2:] for row in rows], axis=0)
    told = f"Exact match {exact_ones:.0f}%, F1 {f1_ones:.0f}"
    return exact_ones * len(rows) / 100, score_table(["question", "it answers", "EM", "F1"], rows, told)

GuessNumber("How many of the eight does it answer exactly?", lambda: score_answers()[0], within=1,
            see=lambda: score_answers()[1])

# %% [markdown]
# Eight questions prove little. So take the hundred questions of part 6 about passages written by hand.

# %% jupyter={"source_hidden": true}
GuessNumber("What F1 does the model of this part reach on these hundred questions, from 0 to 100?",
            lambda: f1_of(english, SETS["by hand"]).mean(), within=8,
            see=lambda: f"<p>Yours, of part 2, reaches {worth['pretrained, by hand']:.0f} on the same questions.</p>")

# %% [markdown]
# Where does it fail? Here are four traps. Choose one, and type what the model will mark.

# %% jupyter={"source_hidden": true}
SHOP = "The bakery sold 12 loaves of bread on Monday and 30 on Tuesday."
HOUSES = "The blue house has a garden. The red house does not have a garden."
TRAPS = {"Trap 1": (SHOP, "How many loaves did it sell on the two days together?", ["42"]),
         "Trap 2": (HOUSES, "Which house has a garden?", ["the blue house", "blue"]),
         "Trap 3": (HOUSES, "Which house lacks a garden?", ["the red house", "red"]),
         "Trap 4": (LIGHTHOUSE, "What was the name of the keeper's wife?", [""])}

def pose(trap):
    text, question, _ = TRAPS[trap]
    return f"<p>{text}</p><p><b>{question}</b></p>"

def spring(trap):
    text, question, references = TRAPS[trap]
    said = english.predict(question=question, context=text)
    verdict = "right" if exact_match_and_f1(said, references)[0] else "not what a person would say"
    wanted = references[0] or "it does not say"
    told = f"<p>It answers “{said or 'it does not say'}”, a person: “{wanted}”. That is {verdict}.</p>"
    return told + answer_html(english, question, text)

CommitFirst(pose, spring, trap=widgets.Dropdown(options=list(TRAPS), description="Trap"))

# %% [markdown]
# <details><summary><b>What do traps 1 and 4 have in common?</b></summary>
#
# The answer is not in the text. The English model cannot say so: its training questions all have an answer. A low
# probability can be a warning, but not a reliable one: the probabilities add up to 100%, whether one of the places is
# right or not.
# </details>
#
# <details><summary><b>Why can “not” be hard for such a model?</b></summary>
#
# For many questions of SQuAD it is enough to find words of the right kind whose surroundings are most like the
# question (Weissenborn et al., 2017, [arXiv 1703.04816](https://arxiv.org/abs/1703.04816)). Here the words *a garden*
# stand close to both houses, so looking for similar words does not help. If the model got both questions right, try
# longer sentences above, with the *not* farther away.
# </details>
#
# Finally, look inside the English encoder that fills in masked words. Click *lighthouse* in the column *Tokens*: in which
# layers does it attend to the same word on the other side of `[SEP]`?

# %%
from minibert.course.widgets.explorer.widget import explore

explore(minibert.load("english"), "Who built the lighthouse?", "The lighthouse was [MASK] by Martha Lindqvist in 1862.")

# %% [markdown]
# ## Check yourself
#
# Run the folded cell and choose.

# %% jupyter={"source_hidden": true}
from minibert.course.widgets.quiz import Choice, Quiz, QuizQuestion

Quiz([
    QuizQuestion("What is added on top of BERT to answer questions?", [
        Choice("A layer that gives two numbers for each token", True, "Right: a start score and an end score."),
        Choice("A decoder that writes the answer", False, "Nothing is written: the answer is cut out of the passage."),
        Choice("A list of possible answers", False, "Any span of the passage may be the answer."),
    ]),
    QuizQuestion("The best start is token 7, the best end is token 3. What is the answer?", [
        Choice("Tokens 3 to 7", False, "That span would begin where the model saw an end."),
        Choice("The allowed pair with the highest sum of scores", True, "Right. It may contain neither of the two."),
        Choice("None: the model has found no answer", False, "There may be a good one: search the pairs."),
    ]),
    QuizQuestion("Exact match 0, F1 0.8. What has happened, most likely?", [
        Choice("A word too many or too few", True, "Right: most of the words are in both texts."),
        Choice("The name of somebody else", False, "Possible if two names share words, but then F1 is usually lower."),
        Choice("Capitals differ", False, "Both scores ignore capitals."),
    ]),
    QuizQuestion("A model answers many questions in the generated language, and few in real English. What does it lack?", [
        Choice("Fine-tuning for more steps", False, "It would learn the 800 questions by heart."),
        Choice("Pretraining and questions in English", True, "Right: the model of part 9 had both."),
        Choice("A better search of spans", False, "A search finds only the best of bad scores."),
    ]),
    QuizQuestion("The answer lies across the edge of a window. What is the label of that window?", [
        Choice("The part that is inside", False, "That would teach the model to stop too early."),
        Choice("[CLS]: not here", True, "Right. With enough overlap, another window holds the whole answer."),
        Choice("The window is thrown away", False, "It teaches something, too: not here."),
    ]),
    QuizQuestion("You raise the threshold for “no answer”. What happens?", [
        Choice("More questions are answered", True, "Right: the null score must then win by more."),
        Choice("Fewer questions are answered", False, "The other way round: the null score must then win by more."),
        Choice("The answers get longer", False, "The threshold only decides whether the best span is given."),
    ]),
])

# %% [markdown]
# Your guesses:

# %%
my_guesses()

# %% [markdown]
# ## In short
#
# - An answer is a **span**. The model gives each token a start score and an end score, and is trained with two
#   softmaxes.
# - **Search the pairs**: the best start and the best end may belong to two answers.
# - **Exact match** is strict, **F1** counts common words; the best of several references counts.
# - Long passages are read in overlapping **windows**; a window with half an answer gets the label “not here”.
# - One **misleading sentence** can change the answer.
# - **No answer**: the null score of `[CLS]` against the best span. Choose the threshold on dev data.
# - A model that can only point cannot add up.
#
# ## Read on
#
# - Devlin et al. (2019), *BERT*, [arXiv 1810.04805](https://arxiv.org/abs/1810.04805): sections 4.2 (SQuAD 1.1) and 4.3
#   (SQuAD 2.0), tables 2 and 3.
# - Rajpurkar et al. (2016), *SQuAD: 100,000+ Questions for Machine Comprehension of Text*, [arXiv
#   1606.05250](https://arxiv.org/abs/1606.05250): sections 3 (how it was made) and 6.1 (the scores).
# - Rajpurkar et al. (2018), *Know What You Don't Know*, [arXiv 1806.03822](https://arxiv.org/abs/1806.03822): how
#   the questions were made is in section 4.
# - Joshi et al. (2017), *TriviaQA*, [arXiv 1705.03551](https://arxiv.org/abs/1705.03551).
# - Jia and Liang (2017), *Adversarial Examples for Evaluating Reading Comprehension Systems*, [arXiv
#   1707.07328](https://arxiv.org/abs/1707.07328): sections 3 and 4.
# - In the package: `minibert/tasks/qa.py`, and `minibert/data/spans.py` for its loss, windows and search.
#
# **Next**: in [the exercise](../exercises/07_question_answering/07_question_answering.ipynb) you write the loss, the
# search, the windows and the scores. Then comes lesson 8: a label for every word.
