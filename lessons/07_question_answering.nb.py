# %% [markdown]
# # 7 · Question answering: mark the place
#
# Somebody gives you a passage and a question. You put a finger on the place where the answer begins, and another where
# it ends. That is all a model like BERT does, too. In this lesson you teach one to do it, ask it your own questions,
# look into its doubts, and then you break it.
#
# **After this lesson you can**
#
# - say what a BERT learns and gives when it answers: two scores for each piece of the passage,
# - find the best span, and say why the best start and the best end are not enough,
# - score answers by exact match and F1, and say what each of them forgives,
# - read a passage that is longer than the model's row, and answer “it does not say”,
# - name what makes such a model fail, and show it,
# - question a model about an English text of your own, and say which questions it cannot answer.
#
# **You need** Python with a little NumPy. You need **none of the lessons before**: what this one takes from them stands
# under “What you need”.
# **Time:** about 105 minutes with everything, 45 in class by the path under “Forty-five minutes?”; the code alone runs in
# 40 seconds on two cores.
#
# Run the cells in order with Shift + Enter. Where a question waits for your guess, give one: a wrong guess is remembered
# best. Those that begin with **Your guess** are counted, and at the end you see how many came close.

# %% jupyter={"source_hidden": true}
from minibert.viz.here import here

here(7)

# %% [markdown]
# ## The finished thing first
#
# Here is a model that answers questions about an English text: it marks the answer. It starts with an easy one: of five
# questions, the one it is most sure about. Choose another, then write your own, and change the text: another year,
# another name. (Loading takes a few seconds. If a line says that the course's own model takes its place, that one has
# learned nothing yet and marks any place; you will teach a better one in part 2.)

# %% jupyter={"source_hidden": true}
import ipywidgets as widgets
import minibert
from minibert.class_model import untaught
from minibert.finetuning.predict import predict_question
from minibert.viz.entities import entity_lines
from minibert.viz.explorer import Explorer

english = minibert.load("english-qa", instead=untaught("qa"))
LIGHTHOUSE = (
    "The lighthouse at Cape Orrin was built in 1862 by the engineer Martha Lindqvist, after three ships had "
    "sunk there in a single winter. Its lamp burned whale oil until 1911, when electric light took its "
    "place. Forty-two steps lead from the house of the keeper to the top. The last keeper, Tom Abara, "
    "retired in 1984. Since then the light has been controlled from the harbour office in Westport.")
ASKED = ["Who built the lighthouse?", "When was the lighthouse built?", "How many steps lead to the top?",
         "Who was the last keeper?", "Where is the light controlled from?"]

# %% [markdown]
# The answer is a stretch of the text. The number is the model's own: how probable this stretch is among the best ones.

# %%
def mark_answer(asked, own, text):
    said = predict_question(english, own if own.strip() else asked, text)
    chosen = [answer for answer in said.best if answer.text == said.text]
    spans = [(answer.start, answer.end, "answer") for answer in chosen if answer.text]
    sure = f" ({chosen[0].probability:.0%} sure)" if chosen else ""
    return entity_lines([("", text, spans)], ["answer"], f"{said.text or 'It marks nothing.'}{sure}")

def sureness(question):
    return predict_question(english, question, LIGHTHOUSE).best[0].probability

# %% [markdown]
# Your turn:

# %%
surest_first = sorted(ASKED, key=sureness, reverse=True)
Explorer(mark_answer, asked=widgets.Dropdown(options=surest_first, description="Ask", layout={"width": "320px"}),
         own=widgets.Text(description="Or my own", placeholder="then Enter", continuous_update=False),
         text=widgets.Textarea(LIGHTHOUSE, description="About", rows=5, continuous_update=False,
                               layout={"width": "95%"}))

# %% [markdown]
# ## Forty-five minutes?
#
# | minutes | part | what you do |
# |---|---|---|
# | 0–5 | The finished thing first, What you need | ask two questions; read, but skip the quiz about lesson 6 |
# | 5–8 | 1 · You are the model | answer three questions by hand |
# | 8–12 | 2 · Teach it | guess its first loss; train it, and guess its last loss meanwhile |
# | 12–22 | 3 · Ask it | your own questions, in pairs; run the two long cells without reading them |
# | 22–36 | 4 · Two ends, one answer | mend four lines of code (at minute 33 open the answer); then its first score |
# | 36–39 | 7 · Break it | its first cell only: one sentence that misleads it |
# | 39–42 | Check yourself, In short | the first three questions of the quiz; what you have met of the summary |
# | 42–45 | | spare: a late start, your questions |
#
# The folded answers to “why” and parts 5, 6, 8 and 9 (long passages, what pretraining is worth, no answer, real English)
# are for home, or for whoever is quick. No part needs one that this path leaves out. *If you teach it*: let `make tour`
# run on each machine beforehand (six minutes). Without the model that it leaves, part 2 takes a minute more, and far
# fewer answers are right.

# %% [markdown]
# ## What you need
#
# - **BERT** is a network that reads a whole row of text at once. It cuts words into **pieces** and gives, for each
#   piece, a list of numbers that says what this piece means *here*.
# - It was **pretrained**: in a great deal of text some words were hidden, and it learned to guess them. Nobody had to
#   label anything. This is costly, and is done once.
# - For a task of yours you add a tiny new layer on top and train everything a little further with labelled examples.
#   That is **fine-tuning**. It takes minutes, and it is what you do here.
# - For questions, a row is `[CLS] question [SEP] passage [SEP]`. `[CLS]` and `[SEP]` are marks, not words.
# - The new layer makes of each piece two numbers: a **start score** and an **end score**. Higher is surer.
#
# Our BERT is small (three layers, 128 numbers a piece). It was pretrained on a **generated language**: English
# made by a program, about invented people and places, so that it learns in minutes what the real one learned in days.
#
# *If you come from lesson 6*, try these three; if not, go on to part 1.

# %% jupyter={"source_hidden": true}
from minibert.viz.quiz import Choice, Question, Quiz

Quiz([
    Question("Pretrained once, fine-tuned for ten tasks. What is different in the ten models at the start?", [
        Choice("Only the new layer on top", True, "Right. The trunk begins with the same weights each time."),
        Choice("Everything", False, "Then pretraining would be lost: the trunk is what is shared."),
        Choice("The vocabulary", False, "It belongs to the trunk and stays."),
    ]),
    Question("Which vector does a classifier of whole sentences look at?", [
        Choice("That of [CLS]", True, "Right. It stands first and is trained to speak for the row."),
        Choice("That of the last word", False, "That is what a left-to-right model would do."),
        Choice("The mean of all vectors", False, "It can be done, and BERT's authors did not."),
    ]),
    Question("How does the row tell a question from its passage?", [
        Choice("By [SEP] between them, and by two segment vectors", True,
               "Right: one is added to each piece of its part."),
        Choice("By the question mark", False, "It would work badly for “Name the river.”"),
        Choice("It does not", False, "It does; try to answer without knowing which part is asked."),
    ]),
])

# %% [markdown]
# ## 1 · You are the model
#
# The generated language makes passages, and questions about them whose answers it knows. One in six has none.

# %%
from minibert.class_model import WORLD_SEED
from minibert.corpora.readers.squad import QAExample
from minibert.corpora.world import World

def examples_of(documents):
    """One QAExample for each question: id, question, passage, answers with their places."""
    return [QAExample(f"{i}-{j}", q.text, document.text, q.answers, q.impossible, document.title)
            for i, document in enumerate(documents) for j, q in enumerate(document.questions)]

# %% [markdown]
# Questions to learn from and questions to test with come from documents about different people and places.

# %%
world = World(WORLD_SEED)
train_examples = examples_of(world.documents(200, seed=3, split="train"))
test_examples = examples_of(world.documents(60, seed=3, split="test"))
print(f"{len(train_examples)} questions to learn from, {len(test_examples)} to test with")

# %% [markdown]
# Read this passage. **Guess first**: answer the three questions below it by putting two fingers on the screen, one where
# the answer begins and one where it ends. Then open the answers.

# %%
mine = [e for e in test_examples if e.id in ("2-2", "2-5", "2-6")]
passage = mine[0].context
print(passage, *(f"\n{number}. {e.question}" for number, e in enumerate(mine, 1)))

# %% [markdown]
# What did your eyes do? You looked for words of the question, or for words that *mean* the same, and then for a place
# of the right sort nearby: a name, a year, a town.

# %%
from minibert.viz.explorer import View

answers = "".join(f"<li>{e.question} <b>{e.answers[0][0] if e.answers else 'It does not say.'}</b></li>" for e in mine)
View(f"<details><summary>The answers</summary><ol>{answers}</ol></details>")

# %% [markdown]
# An answer is always a piece **of the passage**: a *span*. So a label is two numbers, where it begins and where it ends.
# Such data were collected from people: SQuAD has 100,000 questions about Wikipedia (Rajpurkar et al., 2016).
#
# <details><summary><b>Why only spans?</b></summary>
#
# A span can be checked by a program, and a model that must point at a place cannot invent anything. The price: it cannot
# count, add, or say yes or no.
# </details>

# %% [markdown]
# ## 2 · Teach it
#
# First the pretrained model, and its tokenizer that cuts text into pieces. Where the machine has no such model yet,
# the cell says so and trains a smaller one, in half a minute or more. That one answers worse.

# %%
from minibert.class_model import class_model
from minibert.finetuning import finetune

model, tokenizer = class_model()
print(tokenizer.encode(mine[0].question).pieces)

# %% [markdown]
# Its new layer starts with random weights, so at first each of the T positions of a row is about equally likely to be
# the start. Its **loss**, the number that training makes small, is minus the logarithm of the probability of the right
# start; the same for the end; and their mean. This is the package's definition (`cross_entropy` is the first half of that
# sentence, and *logits* are scores):

# %%
import inspect
from minibert.reference import span_loss

print(inspect.getsource(span_loss))

# %% [markdown]
# A row has about 80 pieces. We begin with all scores equal.

# %%
import numpy as np

equal = np.zeros((2, 80))                                   # (B, T): two rows of 80 equal scores
nothing_known = float(span_loss(equal, equal, np.array([12, 0]), np.array([13, 0])))

# %% [markdown]
# You may use that ln 80 ≈ 4.4.

# %% jupyter={"source_hidden": true}
from minibert.viz.guess_then_see import GuessBars, GuessChoice, GuessNumber, my_guesses

def why_this_loss():
    return ("<p>The right start has the probability 1/80, and minus its logarithm is ln 80. The same holds for the "
            f"end. The mean of both is {nothing_known:.2f}.</p>")

GuessChoice("All 80 pieces get equal scores, for the start and for the end. How large is the loss?",
            ["2.2", "4.4", "8.8"],
            lambda: min(["2.2", "4.4", "8.8"], key=lambda text: abs(float(text) - nothing_known)), see=why_this_loss)

# %% [markdown]
# And when the model is fairly sure of the starts, but still knows nothing of the ends:

# %%
sure = equal.copy()
sure[0, 12] = sure[1, 0] = 5                                # now the right start is ahead by 5
print(f"{span_loss(sure, equal, np.array([12, 0]), np.array([13, 0])):.2f} when the model is fairly sure of the starts")

# %% [markdown]
# The second row has the label 0: that is `[CLS]`, which stands for “no answer here”.
#
# Now train: 800 questions, 8 a step, 400 steps. It takes about half a minute. If it is stopped, run the cell again: it
# begins anew. Two lines are drawn to compare with: a model that knows nothing, and one that finds the *right sort* of
# place (say, one of four names) but not the right one. Its loss is ln 4 ≈ 1.4. **Guess first**, while it runs: how far
# down will the loss come?

# %%
from minibert.viz.training import LiveCurve

chosen = [train_examples[i] for i in np.random.default_rng(0).permutation(len(train_examples))[:800]]
SETTINGS = dict(steps=400, batch_size=8, peak_rate=1e-3, max_length=128)
curve = LiveCurve("span loss", lines={"one of four": float(np.log(4)), "knows nothing": float(np.log(80))},
                  limits=(0, 4.8))
curve.line("pretrained")
encoder = class_model()[0].encoder          # a fresh copy: training changes it, and you may want to run this cell again
qa, log = finetune("qa", encoder, tokenizer, chosen, progress=curve, **SETTINGS)

# %% [markdown]
# Where the curve is below “one of four”, the model has begun to tell *whose* birthplace is meant.
#
# <details><summary><b>Why can so few examples be enough?</b></summary>
#
# Nearly everything was there before: which words are names, which verbs speak of birth, who “she” is. Only the pointing
# is new: two times 128 weights and two more. Part 6 shows what happens without pretraining.
# </details>

# %% [markdown]
# ## 3 · Ask it
#
# To ask, we need the scores of a passage. If it is longer than a row, several rows share it; the helper takes each
# piece's scores from the row that shows most of what stands around it (part 5 tells how).

# %%
def scores_of(qa, question, passage):
    """The place of each piece in the passage, and its scores (T, 2): start, end."""
    rows, _, origins = qa.task.encode([QAExample("mine", question, passage, [], False, "")])
    places, scores = [], []
    for origin, logits in zip(origins, qa.task.logits(qa.model, rows)):
        scores.append(logits[origin.first:origin.first + len(origin.owned)][origin.owned])
        places += [place for place, own in zip(origin.offsets, origin.owned) if own]
    return places, np.concatenate(scores).astype(float)

# %% [markdown]
# For the passage of part 1, and its first question:

# %%
places, scores = scores_of(qa, mine[0].question, passage)
print(f"{len(places)} pieces with two scores each: {scores.shape}")

# %% [markdown]
# A **softmax** over the pieces (e to the power of each score, divided by their sum) makes probabilities of the start
# scores, and another one of the end scores. Two ribbons under the passage show them, from empty (0%) to full (100%).
# Below stand the best spans with their share.

# %% jupyter={"source_hidden": true}
from minibert.reference import softmax
from minibert.viz.guess import guesses_html
from minibert.viz.qa import ribbons_html

def pieces_of(passage, places):
    return [" " * (i > 0 and start > places[i - 1][1]) + passage[start:end] for i, (start, end) in enumerate(places)]

def ask(question, passage, tuned=None):
    tuned = tuned or qa                     # part 9 asks another model
    if not (question.strip() and passage.strip()):
        return "<p>Write a question and a passage.</p>"
    example = QAExample("mine", question, passage, [], False, "")
    places, scores = scores_of(tuned, question, passage)
    best = tuned.task.predict(tuned.model, [example])[0].best
    first = next(answer for answer in best if answer.text)
    inside = [i for i, (start, end) in enumerate(places) if first.start <= start and end <= first.end]
    said = f"Best span: {first.text} ({first.probability:.0%})."
    ribbons = ribbons_html(pieces_of(passage, places), *softmax(scores, axis=0).T, (inside[0], inside[-1]), said)
    return ribbons + guesses_html([(answer.text or "(no answer)", answer.probability) for answer in best[:6]])

# %% [markdown]
# **Your turn.** Ask about this passage in your own words. Then put your own passage in: short sentences, with names
# that it has met, such as Suvin Cromham, Daren Kirkfield, Bexstead and Hexford. (Try another name, too: it falls into short
# bits.) **Guess first** each time: where will the ribbons be full? Find
#
# - a question that it answers rightly though no word of it but a name stands in the passage,
# - one for which the two ribbons do not agree,
# - one in which it is sure and wrong.

# %%
wide = dict(layout={"width": "95%"}, continuous_update=False)
Explorer(ask, question=widgets.Text(mine[0].question, description="Question", **wide),
         passage=widgets.Textarea(passage, description="Passage", rows=4, **wide))

# %% [markdown]
# Many of the best spans are neighbours: the same answer with a word more or less. So a share of 40% need not mean doubt
# between two places.
#
# <details><summary><b>Why does it understand “Which firm pays her?” where the passage says “works for”?</b></summary>
#
# In pretraining it has read both wordings of the same facts, and hidden words in one could be guessed from the other. So
# their vectors have come close. Ask in words that the language never uses, and it is lost.
# </details>

# %% [markdown]
# ## 4 · Two ends, one answer
#
# Each end was scored by itself. The simplest program takes the best start and the best end. Here is a little example:

# %%
words = ["Anna", "lived", "in", "Rome", "and", "then", "in", "New", "York"]
start_scores = np.array([0, 0, 0, 4.0, 0, 0, 0, 5.0, 2.0])
end_scores = np.array([0, 0, 0, 6.0, 0, 0, 0, 1.0, 4.5])
start, end = start_scores.argmax(), end_scores.argmax()
for word, as_start, as_end in zip(words, start_scores, end_scores):
    print(f"{word:6s} start {as_start:.1f}   end {as_end:.1f}")

# %% [markdown]
# The program cuts `words[start:end + 1]` out of the sentence.

# %% jupyter={"source_hidden": true}
def each_by_itself(start=start, end=end, words=words):
    told = " The answer ends before it begins: the two ends are of two different cities." if end < start else ""
    return f"<p>The best start is word {start} ({words[start]}), the best end is word {end} ({words[end]}).{told}</p>"

GuessChoice("The best start and the best end, each by itself: which words come out?",
            ["Rome", "New", "New York", "none"],
            lambda cut=" ".join(words[start:end + 1]): cut or "none", see=each_by_itself)

# %% [markdown]
# Better: score whole spans. A span is a **pair** of a start and an end, with start ≤ end. It scores the sum of the two.

# %%
from minibert.reference import best_span
from minibert.viz.explorer import show
from minibert.viz.qa import pairs_map

allowed = np.triu(np.ones((len(words), len(words)), bool))                                  # (T, T)
pairs = np.where(allowed, start_scores[:, None] + end_scores[None, :], np.nan)              # (T, T)
i, j, score = best_span(start_scores, end_scores)
show(*pairs_map(pairs, words, {"best allowed pair": (i, j), "each by itself": (start, end)},
                f"The best allowed pair is “{' '.join(words[i:j + 1])}”, with {score:.1f}"))

# %% [markdown]
# **Your turn.** This is the program of the hasty colleague. Mend it so that it returns the best span with start ≤ end of
# at most `longest` pieces, and its score. Run the cell after each change: the check says what is wrong.

# %%
from minibert.checks import unit07 as check

def my_best_span(start_logits, end_logits, longest):
    start = int(np.argmax(start_logits))
    end = int(np.argmax(end_logits))
    return start, end, start_logits[start] + end_logits[end]

verdict = check.best_span(my_best_span, points=1)

# %% [markdown]
# Stuck? Run this once or more: each time it shows one more hint.

# %%
check.best_span.hint()

# %% [markdown]
# <details><summary><b>One answer</b></summary>
#
# ```python
# def my_best_span(start_logits, end_logits, longest):
#     best = (0, 0, -np.inf)
#     for start in range(len(start_logits)):
#         for end in range(start, min(start + longest, len(end_logits))):
#             score = start_logits[start] + end_logits[end]
#             if score > best[2]:
#                 best = (start, end, score)
#     return best
# ```
# </details>
#
# How often does it matter? We let both answer 100 questions.

# %%
answered = [e for e in test_examples if e.answers][:100]
kinds = {"the same span": 0, "another span": 0, "no span (end before start)": 0}
for example in answered:
    starts, ends = scores_of(qa, example.question, example.context)[1].T
    hasty = (int(starts.argmax()), int(ends.argmax()))
    same = hasty == best_span(starts, ends)[:2]
    kinds["the same span" if same else "another span" if hasty[0] <= hasty[1] else "no span (end before start)"] += 1

# %% [markdown]
# A change is another span than that of the hasty program, or a span where that one has none.

# %% jupyter={"source_hidden": true}
def kind_by_kind():
    told = ", ".join(f"{number} times {kind}" for kind, number in kinds.items())
    return f"<p>The hasty program gives: {told}.</p>"

GuessNumber("Of 100 questions, for how many does the search change the answer?", lambda: 100 - kinds["the same span"],
            within=6, see=kind_by_kind)

# %% [markdown]
# A model that is sure needs no search: both ends agree. Where it hesitates between two places, the search decides.
#
# <details><summary><b>Why not swap the two when they are in the wrong order?</b></summary>
#
# Then the span begins where the model saw an end. Neither of its ends has a high score of its own kind.
# </details>
#
# <details><summary><b>Why not one softmax over all pairs?</b></summary>
#
# A row of 384 pieces has 147,456 pairs. The paper trains two softmaxes of 384 and searches the pairs afterwards (Devlin
# et al., section 4.2).
# </details>

# %% [markdown]
# ### How good is an answer?
#
# SQuAD scores an answer twice, after dropping capitals, punctuation and the articles *a, an, the*. **Exact match**: 1 if
# both texts are the same. **F1**: 2 × common words / (words of one + words of the other). Of several reference answers
# the best counts; in the box below, a | stands between them.
#
# **Try:** find a right answer with an F1 of 0.8, and a wrong one with an F1 of 0.5.

# %%
from minibert.reference import exact_match_and_f1, normalize_answer

def draw_scores(answer, gold):
    exact, f1 = exact_match_and_f1(answer, gold.split("|"))
    compared = " or ".join(f"“{normalize_answer(text)}”" for text in gold.split("|"))
    return (f"<p>Compared: “{normalize_answer(answer)}” with {compared}.</p>"
            f'<p role="status">Exact match <b>{exact:.0f}</b>, F1 <b>{f1:.2f}</b>.</p>')

Explorer(draw_scores, answer=widgets.Text("The Harbour Trust.", description="Answer", continuous_update=False),
         gold=widgets.Text("Harbour Trust|the trust", description="References", continuous_update=False))

# %% [markdown]
# Now your model answers 100 questions.

# %%
def f1_of(qa, examples):
    """F1 in percent of each question's best answer that says something, (N,)."""
    best = [next((a.text for a in p.best if a.text), "") for p in qa.task.predict(qa.model, examples)]
    return 100 * np.array([exact_match_and_f1(text, [a for a, _ in e.answers])[1] for text, e in zip(best, examples)])

own_f1 = f1_of(qa, answered)                                # (N,)

# %% [markdown]
# All of them have an answer in their passage, and it was trained for half a minute.

# %% jupyter={"source_hidden": true}
GuessNumber("How many of the 100 questions does it answer exactly?", lambda: (own_f1 == 100).sum(), within=10,
            see=lambda: f"<p>Its F1 is {own_f1.mean():.1f}: part of an answer counts, too.</p>")

# %% [markdown]
# Part 6 shows what the same training gives without pretraining.
#
# <details><summary><b>Why is F1 kinder, and is that good?</b></summary>
#
# It forgives a word too many, as most readers would. It also gives half a point to “Emily Fenford” where the answer is
# “Daren Fenford”: the wrong person, with the right family.
# </details>

# %% [markdown]
# ## 5 · Long passages: windows
#
# Our model has learned positions up to 128, BERT up to 512. A longer passage is read in **windows** that overlap: each
# begins `stride` pieces after the one before. An answer that one window cuts stands whole in another.
#
# Take a passage of 60 pieces, windows of 24, a stride of 12, and an answer at pieces 21 to 25.

# %% jupyter={"source_hidden": true}
from minibert.reference import windows
from minibert.viz.qa import windows_map

def count_windows(length, room, stride, first, pieces):
    begins = windows(length, room, stride)
    return [len(begins), sum(b <= first and first + pieces <= min(b + room, length) for b in begins)]

def draw_windows(length, room, stride, first, pieces):
    number, whole = count_windows(length, room, stride, first, pieces)
    return windows_map(windows(length, room, stride), room, length, (first, first + pieces - 1),
                       f"{number} windows, {whole} of them with the whole answer")

GuessBars("How many windows are there, and how many hold the whole answer?", ["all windows", "with the whole answer"],
          lambda: count_windows(60, 24, 12, 21, 5), top=10, within=0.5, axis="windows",
          see=lambda: draw_windows(60, 24, 12, 21, 5))

# %% [markdown]
# Now choose all five numbers yourself. We begin with a stride as large as the window (its *room*): there is no overlap.

# %%
Explorer(draw_windows, length=widgets.BoundedIntText(60, min=1, max=400, description="Passage"),
         room=widgets.BoundedIntText(24, min=2, max=200, description="Room"),
         stride=widgets.BoundedIntText(24, min=4, max=200, description="Stride"),
         first=widgets.BoundedIntText(21, min=0, max=390, description="Answer at"),
         pieces=widgets.BoundedIntText(5, min=1, max=60, description="Its pieces"))

# %% [markdown]
# **Try:** make the stride smaller, step by step, and move the answer about.
#
# <details><summary><b>Which stride is small enough that an answer of five pieces is always whole somewhere?</b></summary>
#
# Room − 4 or less. Then two neighbours share at least four pieces. So if an answer of five pieces runs over the end of a
# window, all of it lies in the next one.
# </details>
#
# When the model answers, a piece's scores are taken from the window that shows most around it, on its poorer side. In
# training, a window without the whole answer gets the label 0: `[CLS]`, “not here”.
#
# <details><summary><b>Why is a half answer “not here”, too?</b></summary>
#
# The window shows “New” and then ends. To teach it “New” as the answer would be to teach it to stop too early.
# </details>

# %% [markdown]
# ## 6 · What was pretraining worth?
#
# The same network, the same 800 questions, the same steps, but from **random** weights. **Guess first**: where will its
# curve end: at the same height, near “one of four”, or far above?

# %%
import torch
from minibert.model import Encoder

torch.manual_seed(0)
curve.line("from random weights")
scratch, _ = finetune("qa", Encoder(model.encoder.config), tokenizer, chosen, progress=curve, **SETTINGS)

# %% [markdown]
# Now the scores, on passages about other people. And beside them, on **real English**: forty passages written by hand
# for this course, about eels and bridges and harbour cranes.

# %%
from minibert.corpora.passages import passages

by_hand = [e for e in examples_of(passages()) if e.answers]
SETS = {"generated": answered, "by hand": by_hand[:100]}

# %% [markdown]
# Both models answer both sets:

# %%
worth = {f"{start}, {name}": f1_of(tuned, examples).mean() for start, tuned in (("random", scratch), ("pretrained", qa))
         for name, examples in SETS.items()}

# %% [markdown]
# Neither of the two has read anything but the generated language.

# %% jupyter={"source_hidden": true}
def what_it_was_worth():
    gain, real = (worth[f"pretrained, {name}"] - worth[f"random, {name}"] for name in SETS)
    return (f"<p>From the same labels, pretraining brings {gain:+.1f} points of F1 on its own language, and "
            f"{real:+.1f} on real English. The model has never met an eel.</p>")

GuessBars("What F1 does each model reach on each set of questions?", list(worth), lambda: list(worth.values()), top=100,
          within=8, axis="F1", see=what_it_was_worth)

# %% [markdown]
# Look at the pieces into which its tokenizer cuts the two kinds of text:

# %%
for text in (passage, by_hand[0].context):
    pieces = tokenizer.encode(text).pieces
    print(f"{len(pieces) / len(text.split()):.2f} pieces a word: {' '.join(pieces[:22])} ...")

# %% [markdown]
# <details><summary><b>What does this have to do with the scores?</b></summary>
#
# Its vocabulary spells out many words of real English, and it has no idea what the pieces mean together. That is no
# fault of fine-tuning: what a model can be taught in minutes rests on what it has read before.
# </details>
#
# **A real one.** With published weights on your disk, name their folder here (with `config.json`, `model.safetensors` and
# `vocab.txt`) and run the cell again. It is fine-tuned on the same 800 questions of the *generated* language, which takes
# some minutes, and then asked about real English. With a small published BERT (six layers of 384 numbers) we got F1 73 on
# the generated questions and 20 on the real ones: English it has read, but what a question wants it learned elsewhere.

# %%
PUBLISHED = ""

if PUBLISHED:
    from minibert.class_model import load_bert

    real, pieces = load_bert(PUBLISHED)
    real, _ = finetune("qa", real.encoder, pieces, chosen, **SETTINGS | {"peak_rate": 1e-4})
    print("published:", ", ".join(f"{name}: F1 {f1_of(real, examples).mean():.1f}" for name, examples in SETS.items()))
else:
    print("No folder is named, so there is nothing published to compare with.")

# %% [markdown]
# For comparison, what the papers report on SQuAD 1.1's development set (F1): a strong model before BERT with ELMo 85.6,
# BERT-base 88.5, BERT-large 90.9 (Devlin et al., table 2).

# %% [markdown]
# ## 7 · Break it
#
# Does it read, or does it look for a word of the question and take what stands beside it? Add one sentence about
# **somebody else**. The answer stays what it was. **Guess first**: will it fall for it?

# %%
LURES = {"nothing": "", "another person, same fact": "Romin Tarwick was born in Ludlow in 1911.",
         "another person, other fact": "Romin Tarwick plays the harp.",
         "same fact, no name": "Somebody was born in Ludlow in 1911.", "no sense": "Born born born in Ludlow."}
story = "Suvin Cromham was born in Bexstead in 1938. Cromham has lived in Hexford since 1969. She works as a baker."

def lure(added, place, question):
    text = {"before": f"{LURES[added]} {story}", "after": f"{story} {LURES[added]}"}[place].strip()
    return ask(question, text)

Explorer(lure, added=widgets.Dropdown(options=list(LURES), description="Added"),
         place=widgets.Dropdown(options=["before", "after"], description="Where"),
         question=widgets.Text("What is Suvin Cromham's birthplace?", description="Question", **wide))

# %% [markdown]
# One example proves little. So we do it to all test questions: to each passage we add the sentence that answers a
# question of the **same kind** about a person of **another** passage. First the helpers.

# %% jupyter={"source_hidden": true}
def answer_sentence(example):
    """The sentence that holds the answer."""
    place = example.answers[0][1]
    begin = max(example.context.rfind(mark, 0, place) + 1 for mark in (". ", "? ", "! "))
    return example.context[begin:example.context.find(".", place) + 1].strip()

def names_in(question):
    return {word.strip("?'s") for word in question.split()[1:] if word[0].isupper()}

def lured(example, others, rng, before):
    """The example with such a sentence before or after its passage, or None where no other question fits."""
    fits = [answer_sentence(o) for o in others if o.question.split()[:2] == example.question.split()[:2]
            and o.context != example.context and not names_in(o.question) & names_in(example.question)
            and any(name in answer_sentence(o) for name in names_in(o.question))]
    if not fits:
        return None
    added = fits[rng.integers(len(fits))]
    context = f"{added} {example.context}" if before else f"{example.context} {added}"
    return QAExample(example.id, example.question, context, example.answers, False, "")

# %% [markdown]
# The model answers the same questions three times: as they were, with the sentence before the passage, and after it.

# %%
kept = [e for e in answered if lured(e, answered, np.random.default_rng(1), True)]
tries = {"as it was": kept}
for name, before in (("sentence before", True), ("sentence after", False)):
    rng = np.random.default_rng(1)
    tries[name] = [lured(e, answered, rng, before) for e in kept]
broken = {name: f1_of(qa, examples).mean() for name, examples in tries.items()}

# %% [markdown]
# All three are measured. Drag each bar.

# %% jupyter={"source_hidden": true}
def how_far_it_falls():
    before, after = (broken[name] - broken["as it was"] for name in ("sentence before", "sentence after"))
    return (f"<p>On {len(kept)} questions, one sentence about somebody else changes F1 by {before:+.1f} if it stands "
            f"before the passage, and by {after:+.1f} after it. Jia and Liang (2017) did this to sixteen published "
            "models: added sentences that look like the answer cut their mean F1 from 75 to 36.</p>")

GuessBars("What is your model's F1 on these questions?", list(broken), lambda: list(broken.values()), top=100, within=8,
          axis="F1", see=how_far_it_falls)

# %% [markdown]
# Which answers were right before, and are wrong now? At most two are shown of each kind.

# %%
for name, examples in list(tries.items())[1:]:
    print(f"{name}:")
    before, now = (qa.task.answer(qa.model, some) for some in (kept, examples))
    fell = [(e, new) for e, old, new in zip(examples, before, now) if old == e.answers[0][0] and new and new != old]
    for example, new in fell[:2]:
        print(f"   {example.question}  right: {example.answers[0][0]}, now: {new}")

# %% [markdown]
# A good score on a test set says: right on questions like these. It does not say *why*.

# %% [markdown]
# ## 8 · When it does not say
#
# A person can answer “it does not say”. SQuAD 2.0 added 50,000 such questions (Rajpurkar et al., 2018). BERT answers them
# with `[CLS]`: “none” scores start(`[CLS]`) + end(`[CLS]`). A question is left unanswered if none beats the best span by
# more than a **threshold**:
#
# $$s_{\text{none}} - s_{\text{best}} > \tau$$
#
# This is how the authors' program counts. In the paper (section 4.3), $\tau$ has the opposite sign: a question is
# answered if $s_{\text{best}} > s_{\text{none}} + \tau$, so a larger $\tau$ means fewer answers.
#
# In several windows, none counts with the lowest of its scores: one window that has the answer is enough.

# %%
predictions = qa.task.predict(qa.model, test_examples)
odds = np.array([p.null_odds for p in predictions])
has_answer = np.array([bool(e.answers) for e in test_examples])
for name, some in (("with an answer", has_answer), ("without", ~has_answer)):
    print(f"{some.sum():4d} questions {name:15s} none ahead by {np.median(odds[some]):+5.1f} (median)")

# %% [markdown]
# For each threshold there are three scores: over all questions, over those with an answer, and over those without.

# %%
best_texts = [next((a.text for a in p.best if a.text), "") for p in predictions]
f1 = np.array([exact_match_and_f1(t, [a for a, _ in e.answers] or [""])[1] for t, e in zip(best_texts, test_examples)])

def scores_at(threshold):
    """F1 in percent: of all, of those with an answer, of those without."""
    scores = np.where(odds > threshold, ~has_answer, f1)
    return [100 * float(scores[some].mean()) for some in (slice(None), has_answer, ~has_answer)]

# %% [markdown]
# With a very low threshold it never answers; with a very high one always.

# %% jupyter={"source_hidden": true}
import functools
from minibert.viz.plots import curves

@functools.cache
def three_lines():
    thresholds = np.linspace(odds.min() - 1, odds.max() + 1, 81)
    return thresholds, dict(zip(("all", "with an answer", "without"), np.array([scores_at(t) for t in thresholds]).T))

def draw_three_lines():
    thresholds, lines = three_lines()
    peak = int(lines["all"].argmax())
    title = f"The best threshold here is {thresholds[peak]:.1f}: F1 {lines['all'][peak]:.0f} over all questions"
    return curves(thresholds, {"F1": lines}, "threshold", title, markers=False, at_least={"F1": (0, 100)})

def falling():
    return min(three_lines()[1].items(), key=lambda line: line[1][-1] - line[1][0])[0]

GuessChoice("The threshold goes up. For which questions does F1 go down all the way?",
            ["all", "with an answer", "without"], falling, see=draw_three_lines)

# %% [markdown]
# Now you choose. In a medical setting, which threshold would you take? In a quiz show?

# %%
def draw_threshold(threshold):
    every, having, lacking = scores_at(threshold)
    said = odds <= threshold
    return (f'<p role="status">It answers {said.sum()} of {len(said)} questions. Of the {(~has_answer).sum()} without '
            f"an answer it answers {(said & ~has_answer).sum()}, all wrongly.</p><p>F1 over all <b>{every:.1f}</b>; "
            f"with an answer {having:.1f}, without {lacking:.1f}.</p>")

Explorer(draw_threshold, threshold=widgets.FloatSlider(0, min=-20, max=20, step=0.5, description="Threshold",
                                                       continuous_update=False))

# %% [markdown]
# A threshold that was chosen on the test questions flatters itself. So we choose it on one half, and score on the other:

# %%
from minibert.tasks.squad_score import best_threshold

half = np.arange(len(odds)) % 2 == 0
promised, tuned = best_threshold(f1[half], has_answer[half], odds[half])
kept_promise = 100 * np.where(odds > tuned, ~has_answer, f1)[~half].mean()
plain = 100 * np.where(odds > 0, ~has_answer, f1)[~half].mean()
print(f"threshold {tuned:.1f}: F1 {promised:.1f} on the half it was chosen on, {kept_promise:.1f} on the other "
      f"(with threshold 0: {plain:.1f})")

# %% [markdown]
# <details><summary><b>Why is it easy here to know that there is no answer?</b></summary>
#
# The unanswerable questions of the generated language ask for a fact that the passage does not tell of that person, and
# often nothing of that sort is there at all. People who wrote SQuAD 2.0 were asked for questions that *look* answerable,
# with a likely wrong answer in the passage. There BERT-large reached 83.1 F1, and people 89.5 (Devlin et al., table 3).
# </details>

# %% [markdown]
# ## 9 · In real English
#
# Back to the model from the top. It is built like yours: an encoder that has read English, and on top of it two scores
# for each piece. It learned from a part of SQuAD: questions that people wrote about Wikipedia articles. (If it cannot
# be had, a line says so, and the model that you taught in part 2 answers in its place.)
#
# Paste a text of your own, a page of news or of a book, and a question about it. **Guess first**: type the words that it
# will mark. Then look at the ribbons: where else did it look for the beginning, and for the end?

# %%
from minibert.viz.guess import CommitFirst

english = minibert.load("english-qa", instead=qa)

CommitFirst(lambda asked, text: "<p>Which words of the text will it mark?</p>",
            lambda asked, text: ask(asked, text, english),
            asked=widgets.Text("What did the lamp burn?", description="I ask", **wide),
            text=widgets.Textarea(LIGHTHOUSE, description="My text", rows=5, **wide))

# %% [markdown]
# Now score it as SQuAD does (part 4), on questions about one text. Three people would not mark the same words, so a
# question may have several references. (The code is folded: it holds the answers.)

# %% jupyter={"source_hidden": true}
WANTED = {"Who built the lighthouse?": ["Martha Lindqvist", "the engineer Martha Lindqvist"],
          "When was the lighthouse built?": ["1862", "in 1862"],
          "Why was the lighthouse built?": ["three ships had sunk there in a single winter",
                                            "three ships had sunk"],
          "Until when did the lamp burn whale oil?": ["1911", "until 1911"],
          "What took the place of the oil?": ["electric light"],
          "How many steps lead to the top?": ["Forty-two", "Forty-two steps"],
          "What happened in 1984?": ["The last keeper, Tom Abara, retired", "Tom Abara retired"],
          "Where is the light controlled from today?": ["Westport", "the harbour office in Westport"]}

# %% [markdown]
# Each answer gets both scores:

# %%
import functools

@functools.cache
def score_answers():
    rows = []
    for question, references in WANTED.items():
        said = english.predict(question=question, context=LIGHTHOUSE)
        rows.append((question, said, *(100 * score for score in exact_match_and_f1(said, references))))
    exact, f1 = np.mean([row[2:] for row in rows], axis=0)
    told = f"Exact match {exact:.0f}%, F1 {f1:.0f}"
    return exact * len(rows) / 100, score_table(["question", "it answers", "EM", "F1"], rows, told)

# %% [markdown]
# Here is the lighthouse once more, with eight questions:

# %%
from minibert.viz.entities import score_table

View(f"<p>{LIGHTHOUSE}</p><p>{'<br>'.join(WANTED)}</p>")

# %% [markdown]
# An answer is exact if it matches one of its references.

# %% jupyter={"source_hidden": true}
GuessNumber("How many of the eight does it answer exactly?", lambda: score_answers()[0], within=1,
            see=lambda: score_answers()[1])

# %% [markdown]
# Eight questions about one text prove little. So here are a hundred, about passages that were written by hand for this
# course.

# %%
from minibert.corpora.passages import passages

answerable = [e for e in examples_of(passages()) if e.answers]
hundred = answerable[::len(answerable) // 100][:100]            # spread over all passages
print(f"The first of {len(hundred)}: {hundred[0].question}")

# %% [markdown]
# All of them have an answer. (Computing the score takes some seconds.)

# %% jupyter={"source_hidden": true}
GuessNumber("What F1 does the model of this part reach on these hundred questions, from 0 to 100?",
            lambda: f1_of(english, hundred).mean(), within=8,
            see=lambda: f"<p>Yours, of part 2, reaches {f1_of(qa, hundred).mean():.0f} on the same questions.</p>")

# %% [markdown]
# And where does it fail? Here are four traps, each of another kind. **Guess first** for each: what will it mark?
# Afterwards go back to the first box of this section and set a trap of your own. (The code is folded.)

# %% jupyter={"source_hidden": true}
SHOP = "The bakery sold 12 loaves of bread on Monday and 30 on Tuesday."
HOUSES = "The blue house has a garden. The red house does not have a garden."
TRAPS = {"Trap 1": (SHOP, "How many loaves did it sell on the two days together?", ["42"]),
         "Trap 2": (HOUSES, "Which house has a garden?", ["the blue house", "blue"]),
         "Trap 3": (HOUSES, "Which house lacks a garden?", ["the red house", "red"]),
         "Trap 4": (LIGHTHOUSE, "What was the name of the keeper's wife?", [""])}

# %% [markdown]
# The next cell shows a trap, and afterwards the answer of the model beside that of a person.

# %%
def pose(trap):
    text, question, _ = TRAPS[trap]
    return f"<p>{text}</p><p><b>{question}</b></p>"

def spring(trap):
    text, question, references = TRAPS[trap]
    said = english.predict(question=question, context=text)
    verdict = "right" if exact_match_and_f1(said, references)[0] else "not what a person would say"
    wanted = references[0] or "it does not say"
    told = f"<p>It answers “{said or 'it does not say'}”, a person: “{wanted}”. That is {verdict}.</p>"
    return told + ask(question, text, english)

# %% [markdown]
# Choose a trap, and type what it will mark:

# %%
CommitFirst(pose, spring, trap=widgets.Dropdown(options=list(TRAPS), description="Trap"))

# %% [markdown]
# In two of the four, the answer does not stand in the text. Did it mark something all the same?
#
# <details><summary><b>What is the trap in 12 and 30?</b></summary>
#
# 42 does not stand in the text, and all it can do is to point. How sure it is tells you something about that, but not
# reliably: the probabilities of the places add up to 1, whether one of them is right or not (part 8).
# </details>
#
# <details><summary><b>Why can “not” be hard for such a model?</b></summary>
#
# In many questions of SQuAD it is enough to find the place whose surroundings are most like the question (Weissenborn et
# al., 2017, [arXiv 1703.04816](https://arxiv.org/abs/1703.04816)). Here the words *a garden* stand close to both houses,
# so looking for similar words does not help. If it got both questions right, try longer sentences, with the *not*
# farther away.
# </details>

# %% [markdown]
# ## Check yourself
#
# Run the folded cell and choose.

# %% jupyter={"source_hidden": true}
from minibert.viz.quiz import Choice, Question, Quiz

Quiz([
    Question("What does fine-tuning for questions add to BERT?", [
        Choice("A layer that gives two numbers for each piece", True, "Right: a start score and an end score."),
        Choice("A decoder that writes the answer", False, "Nothing is written: the answer is cut out of the passage."),
        Choice("A list of possible answers", False, "Any span of the passage may be the answer."),
    ]),
    Question("The best start is piece 7, the best end is piece 3. What is the answer?", [
        Choice("Pieces 3 to 7", False, "It would begin where the model saw an end."),
        Choice("The allowed pair with the highest sum of scores", True, "Right, which may hold neither of the two."),
        Choice("None: the model has found no answer", False, "There may be a good one: search the pairs."),
    ]),
    Question("Exact match 0, F1 0.8. What has happened, most likely?", [
        Choice("A word too many or too few", True, "Right: most of the words are common."),
        Choice("The name of somebody else", False, "Possible, if two names share words, but then F1 is mostly lower."),
        Choice("Capitals differ", False, "Both scores ignore capitals."),
    ]),
    Question("Model A gets F1 43 on passages of its kind, and 1 on real English. What does it lack?", [
        Choice("Fine-tuning for more steps", False, "It would learn the 800 questions by heart."),
        Choice("Having read English", True, "Right: pretraining is where the language comes from."),
        Choice("A better search of spans", False, "A search finds the best of bad scores."),
    ]),
    Question("The answer lies across the edge of a window. What is the label of that window?", [
        Choice("The part that is inside", False, "It would teach the model to stop too early."),
        Choice("[CLS]: not here", True, "Right. A window that overlaps will hold the whole."),
        Choice("The window is thrown away", False, "It teaches something, too: not here."),
    ]),
    Question("You raise the threshold for “no answer”. What happens?", [
        Choice("More questions are answered", True, "Right: none must win by more."),
        Choice("Fewer questions are answered", False, "The other way round: none must win by more."),
        Choice("The answers get longer", False, "It only decides whether the best span is given."),
    ]),
])

# %% [markdown]
# And your guesses:

# %%
my_guesses()

# %% [markdown]
# ## In short
#
# - An answer is a **span**. The model gives each piece a start and an end score, and learns with two softmaxes.
# - **Search the pairs** with start ≤ end and a longest length; the best of each end may belong to two answers.
# - **Exact match** is strict, **F1** counts common words; of several references the best counts.
# - **Windows** that overlap carry long passages; half an answer is none.
# - **Pretraining** brought the language: without it, a fraction of the score. And only the language that it has read.
# - One **misleading sentence** can cost much: a score says how often, not why.
# - In **real English** it is the same: a model that points cannot add up, and may mark a place where no answer is.
# - **No answer** is `[CLS]` against the best span; the threshold is a choice, made on other data than it is judged by.
#
# ## Read on
#
# - Devlin et al. (2019), *BERT*, [arXiv 1810.04805](https://arxiv.org/abs/1810.04805): sections 4.2 (SQuAD 1.1) and 4.3
#   (SQuAD 2.0), tables 2 and 3.
# - Rajpurkar et al. (2016), *SQuAD: 100,000+ Questions for Machine Comprehension of Text*, [arXiv
#   1606.05250](https://arxiv.org/abs/1606.05250): sections 3 (how it was made) and 6.1 (the scores).
# - Rajpurkar et al. (2018), *Know What You Don't Know*, [arXiv 1806.03822](https://arxiv.org/abs/1806.03822): section 4.
# - Jia and Liang (2017), *Adversarial Examples for Evaluating Reading Comprehension Systems*, [arXiv
#   1707.07328](https://arxiv.org/abs/1707.07328): sections 3 and 4.
# - In the package: `minibert/tasks/qa.py`, and `minibert/reference/spans.py` for what it is made of.
#
# **Next**: the exercise `exercises/07_question_answering`: the loss, the search, the windows and the scores, written by
# you. Then lesson 8: a label for every word.
