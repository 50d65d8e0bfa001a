# %% [markdown]
# # 7 · Question answering: mark the place
#
# Somebody gives you a passage and a question. You put one finger where the answer begins and another where it ends.
# A model like BERT does just that. In this lesson you teach one, ask it your own questions, and break it.
#
# **After this lesson you can**
#
# - say what BERT computes to answer a question: two scores for each token of the passage,
# - find the best span, and say why the best start and the best end are not enough,
# - score answers by exact match and F1, and say what each of them forgives,
# - handle a passage that is too long for the model, and the answer “it does not say”,
# - name what makes such a model fail, and show it,
# - question a model about an English text of your own, and say which questions it cannot answer.
#
# **You need** Python with a little NumPy, and **none of the earlier lessons**: “What you need” repeats what is used here.
# **Time:** about 105 minutes for everything, or 45 in class by the path under “Forty-five minutes?”. The code alone runs
# in about two minutes on two cores.
#
# Run the cells in order with Shift + Enter, and give your guesses before you look. Those that begin with **Your guess**
# are counted at the end.

# %% jupyter={"source_hidden": true}
from minibert.viz.here import here

here(7)

# %% [markdown]
# ## The finished thing first
#
# This model answers questions about an English text by marking the answer. It begins with the question that it is most
# sure about. Choose another, write your own, and change a year or a name in the text. (Loading takes a few seconds. If a
# line says that the course's own model takes its place, that one is not taught yet and marks random places.)

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
# The percentage says how probable the model finds this answer among its best candidates.

# %% jupyter={"source_hidden": true}
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
# | 12–22 | 3 · Ask it | your own questions, in pairs |
# | 22–36 | 4 · Two ends, one answer | mend four lines of code (at minute 33 open the answer); then its first score |
# | 36–39 | 7 · Break it | as far as its first box: one sentence that misleads it |
# | 39–42 | Check yourself, In short | the first three questions of the quiz; what you have met of the summary |
# | 42–45 | | spare: a late start, your questions |
#
# The folded “why” answers and parts 5, 6, 8 and 9 are for home, or for whoever is quick. Nothing on this path needs
# them. *If you teach it*: run `make tour` on each machine beforehand (six minutes). Without the model that it leaves,
# part 2 takes a minute more, and far fewer answers are right.

# %% [markdown]
# ## What you need
#
# - **BERT** is a network that reads a whole **sequence** of tokens at once. A **token** is a word or a part of one. For
#   each token it computes a vector, a list of numbers that says what the token means *here*. This network is also
#   called the **encoder**.
# - **Pretraining**: in a great deal of text some tokens were masked, and BERT learned to predict them. Nobody had to
#   label anything. This is expensive, and is done once.
# - **Fine-tuning**: for your own task you add a small new layer on top and train everything a little further on labelled
#   examples. That takes minutes, and you do it here.
# - For a question, the sequence is `[CLS] question [SEP] passage [SEP]`. `[CLS]` and `[SEP]` are marks, not words.
# - The new layer turns each token's vector into two numbers: a **start score** and an **end score**. A higher score
#   means a likelier start or end of the answer.
#
# Our BERT is small (at most three layers, 128 numbers for each token). It was pretrained on a **generated language**:
# English made by a program, about invented people and places, so that pretraining takes minutes instead of days.
#
# *If you come from lesson 6*, try these three questions; if not, go on to part 1.

# %% jupyter={"source_hidden": true}
from minibert.viz.quiz import Choice, Question, Quiz

Quiz([
    Question("Pretrained once, fine-tuned for ten tasks. What is different in the ten models at the start?", [
        Choice("Only the new layer on top", True, "Right. The encoder starts with the same weights each time."),
        Choice("Everything", False, "Then pretraining would be lost: the encoder is what they share."),
        Choice("The vocabulary", False, "It belongs to the encoder and stays the same."),
    ]),
    Question("Which vector does a sentence classifier look at?", [
        Choice("That of [CLS]", True, "Right. It stands first and is trained to represent the whole sequence."),
        Choice("That of the last word", False, "That is what a left-to-right model would do."),
        Choice("The mean of all vectors", False, "That can be done, but BERT's authors did not do it."),
    ]),
    Question("How does BERT know which part of its input is the question?", [
        Choice("By [SEP] between them, and by two segment vectors", True,
               "Right: each token gets the vector of its part added."),
        Choice("By the question mark", False, "That would fail for “Name the river.”"),
        Choice("It does not", False, "It does; try to answer without knowing which part is the question."),
    ]),
])

# %% [markdown]
# ## 1 · You are the model
#
# The program that generates the language also asks questions about its passages. It knows the answers. One question in
# six has none.

# %% jupyter={"source_hidden": true}
from minibert.class_model import WORLD_SEED
from minibert.corpora.readers.squad import QAExample
from minibert.corpora.world import World

def examples_of(documents):
    """One QAExample for each question: id, question, passage, answers with their places."""
    return [QAExample(f"{i}-{j}", q.text, document.text, q.answers, q.impossible, document.title)
            for i, document in enumerate(documents) for j, q in enumerate(document.questions)]

# %% [markdown]
# The questions to train on and those to test with are about different people and places.

# %%
world = World(WORLD_SEED)
train_examples = examples_of(world.documents(200, seed=3, split="train"))
test_examples = examples_of(world.documents(60, seed=3, split="test"))
print(f"{len(train_examples)} questions to train on, {len(test_examples)} to test with")

# %% [markdown]
# Read this passage. **Guess first**: answer the three questions by putting two fingers on the screen, one where the
# answer begins and one where it ends.

# %%
from minibert.viz.explorer import View

mine = [e for e in test_examples if e.id in ("2-2", "2-5", "2-6")]
passage = mine[0].context
View(f"<p>{passage}</p><ol>{''.join(f'<li>{e.question}</li>' for e in mine)}</ol>")

# %% [markdown]
# What did your eyes do? You looked for words of the question, or for words that *mean* the same, and then for something
# of the right kind nearby: a name, a year, a town. Now open the answers.

# %% jupyter={"source_hidden": true}
answers = "".join(f"<li>{e.question} <b>{e.answers[0][0] if e.answers else 'It does not say.'}</b></li>" for e in mine)
View(f"<details><summary>The answers</summary><ol>{answers}</ol></details>")

# %% [markdown]
# An answer is always a stretch of the passage, a **span**. So its label is two numbers: where it begins and where it
# ends. If the passage does not say, both point at `[CLS]`. **SQuAD** is a data set of 100,000 questions that people wrote
# about Wikipedia (Rajpurkar et al., 2016).
#
# <details><summary><b>Why only spans?</b></summary>
#
# A program can check a span, and a model that must point at a place cannot invent anything. But such a model cannot
# count, add, or say yes or no.
# </details>

# %% [markdown]
# ## 2 · Teach it
#
# First we load the pretrained model and its **tokenizer**, which cuts text into tokens. `##` marks a token that continues
# a word, and `[UNK]` stands for anything that the vocabulary cannot spell. If this machine has no pretrained model yet,
# the cell says so and trains a smaller, weaker one in half a minute or more.

# %%
from minibert.class_model import class_model
from minibert.finetuning import finetune

model, tokenizer = class_model()
print(*tokenizer.encode(mine[0].question).pieces)

# %% [markdown]
# The **loss** is the number that training makes small. For the start, it is minus the natural logarithm of the
# probability that the model gives to the right position: the **cross-entropy**. The end gets one, too, and the loss is
# their mean. Here is the package's definition (**logits** are scores, and a *nat* is the unit of the natural logarithm):

# %%
import inspect
from minibert.reference import span_loss

print(inspect.getsource(span_loss))

# %% [markdown]
# The new layer starts with random weights, so at first all positions are about equally likely. Take two sequences of 80
# tokens with equal scores. In the first, the answer is at 12 to 13; in the second, at 0: that is `[CLS]`, “no answer”.

# %%
import numpy as np

equal = np.zeros((2, 80))                                   # (B, T): two sequences, 80 equal scores each
nothing_known = float(span_loss(equal, equal, np.array([12, 0]), np.array([13, 0])))

# %% [markdown]
# Two logarithms to calculate with: ln 8 ≈ 2.1 and ln 10 ≈ 2.3.

# %% jupyter={"source_hidden": true}
from minibert.viz.guess_then_see import GuessBars, GuessChoice, GuessNumber, my_guesses

def why_this_loss():
    return ("<p>The right start has the probability 1/80, and minus its logarithm is ln 80 = ln 8 + ln 10. The same "
            f"holds for the end. The mean of the two is {nothing_known:.2f}.</p>")

GuessChoice("All 80 tokens get equal scores, for the start and for the end. How large is the loss?",
            ["2.2", "4.4", "8.8"],
            lambda: min(["2.2", "4.4", "8.8"], key=lambda text: abs(float(text) - nothing_known)), see=why_this_loss)

# %% [markdown]
# Now the model is fairly sure of the starts, but still knows nothing about the ends:

# %%
sure = equal.copy()
sure[0, 12] = sure[1, 0] = 5                                # now the right start is ahead by 5
print(f"{span_loss(sure, equal, np.array([12, 0]), np.array([13, 0])):.2f} when the model is fairly sure of the starts")

# %% [markdown]
# Now train: 400 steps of 8 questions each, drawn from 800. This takes up to a minute. If you stop it, run the cell again:
# it starts anew. Two lines are there for comparison: a model that knows nothing, and one that narrows the place down to
# four candidates of the right kind, say four names (ln 4 ≈ 1.4). **Guess first**, while it runs: how low will the loss
# get?

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
# Where the curve is below “one of four”, the model has begun to tell *whose* birthplace is meant, at least in the
# questions that it trains on. Part 4 tests it on others.
#
# <details><summary><b>Why can so few examples be enough?</b></summary>
#
# Pretraining has taught it much of the language: which words are names, which verbs go with birth, who “she” is. Only
# the pointing is new: two times 128 weights, and two more. Part 6 shows what happens without pretraining.
# </details>

# %% [markdown]
# ## 3 · Ask it
#
# A folded helper computes the scores of any passage, long ones too (part 5 shows how).

# %% jupyter={"source_hidden": true}
def scores_of(qa, question, passage):
    """The place of each token in the passage, and its scores (T, 2): start, end."""
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
print(f"{len(places)} tokens with two scores each: {scores.shape}")

# %% [markdown]
# A **softmax** over the tokens (e to the power of each score, divided by the sum of all these) turns the start scores
# into probabilities; a second one does the same for the end scores. Two ribbons under the passage show both, from empty
# (0%) to full (100%). The bars below show the best spans and how probable each is among them.

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

def chance_of(question, passage, wanted):
    """The largest probability that the model gives to one of the wanted answers."""
    best = qa.task.predict(qa.model, [QAExample("mine", question, passage, [], False, "")])[0].best
    return max((answer.probability for answer in best if answer.text in wanted), default=0)

def easiest(examples):
    """The question whose right answer the model finds most probable."""
    return max(examples, key=lambda e: chance_of(e.question, e.context, [a for a, _ in e.answers])).question

# %% [markdown]
# **Your turn.** The box starts with the question about this passage that your model answers best. Ask others in your own
# words. Then write your own passage: short sentences, with names such as Suvin Cromham, Daren Kirkfield, Bexstead and
# Hexford. **Guess first** each time: where will the ribbons be full? Find
#
# - a question that it answers correctly although it shares only a name with the passage,
# - one where the two ribbons point to different places,
# - one where it is sure and wrong.

# %%
wide = dict(layout={"width": "95%"}, continuous_update=False)
of_passage = [e for e in test_examples if e.context == passage and e.answers]
Explorer(ask, question=widgets.Text(easiest(of_passage), description="Question", **wide),
         passage=widgets.Textarea(passage, description="Passage", rows=4, **wide))

# %% [markdown]
# Are the bars different places, or one place with a word more or less? In the second case, even 40% need not mean doubt.
#
# <details><summary><b>Why does it understand “Which firm pays her?” where the passage says “works for”?</b></summary>
#
# In pretraining it read both wordings of the same facts, and tokens masked in one could be predicted from the other. So
# their vectors became similar. Ask in words that the language never uses, and it is lost.
# </details>

# %% [markdown]
# ## 4 · Two ends, one answer
#
# Starts and ends are scored separately. The simplest program takes the best start and the best end. A small example:

# %%
from minibert.viz.entities import score_table

words = ["Anna", "lived", "in", "Rome", "and", "then", "in", "New", "York"]
start_scores = np.array([0, 0, 0, 4.0, 0, 0, 0, 5.0, 2.0])
end_scores = np.array([0, 0, 0, 6.0, 0, 0, 0, 1.0, 4.5])
start, end = start_scores.argmax(), end_scores.argmax()
View(score_table(["word", "start score", "end score"], zip(words, start_scores, end_scores)))

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
# It is better to score whole spans. A span is a **pair** of a start and an end, with start ≤ end, and its score is the
# sum of the two scores.

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
# **Your turn.** This is a hasty colleague's program. Mend it: it should return the start, the end and the score of the
# best span, with start ≤ end and at most `longest` tokens. Run the cell after each change: the check says what is wrong.

# %%
from minibert.checks import unit07 as check

def my_best_span(start_logits, end_logits, longest):
    start = int(np.argmax(start_logits))
    end = int(np.argmax(end_logits))
    return start, end, start_logits[start] + end_logits[end]

verdict = check.best_span(my_best_span, points=1)

# %% [markdown]
# Stuck? Each run of this cell shows one more hint.

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
# How often does it matter? Both programs, the hasty one and the search over pairs, answer 100 questions.

# %% jupyter={"source_hidden": true}
answered = [e for e in test_examples if e.answers][:100]
kinds = {"the same span": 0, "another span": 0, "no span (end before start)": 0}
for example in answered:
    starts, ends = scores_of(qa, example.question, example.context)[1].T
    hasty = (int(starts.argmax()), int(ends.argmax()))
    same = hasty == best_span(starts, ends)[:2]
    kinds["the same span" if same else "another span" if hasty[0] <= hasty[1] else "no span (end before start)"] += 1

# %% [markdown]
# The answer counts as changed if the search finds a different span, or a span where the hasty program finds none.

# %% jupyter={"source_hidden": true}
def kind_by_kind():
    told = ", ".join(f"{number} times {kind}" for kind, number in kinds.items())
    return f"<p>The hasty program gives: {told}.</p>"

GuessNumber("Of 100 questions, for how many does the search change the answer?", lambda: 100 - kinds["the same span"],
            within=6, see=kind_by_kind)

# %% [markdown]
# Where a model hesitates between two places, the search decides.
#
# <details><summary><b>Why not swap the two when they are in the wrong order?</b></summary>
#
# Then the span begins where the model saw an end. Neither of its ends has a high score of its own kind.
# </details>
#
# <details><summary><b>Why not one softmax over all pairs?</b></summary>
#
# A sequence of 384 tokens has 147,456 pairs. The paper trains two softmaxes instead, and searches the pairs afterwards
# (Devlin et al., section 4.2).
# </details>

# %% [markdown]
# ### How good is an answer?
#
# SQuAD compares an answer with one or more **reference answers**, after lowercasing both and removing punctuation and the
# articles *a, an, the*. **Exact match** is 1 if the texts are then the same, otherwise 0. **F1** is 2 × common words /
# (words of the one + words of the other). The reference that scores best counts. In the box, a | separates references.
#
# **Try:** find a right answer with an F1 of 0.80, and a wrong one with an F1 of 0.50.

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
# Now score your model's answers to 100 test questions. (The code is folded.)

# %% jupyter={"source_hidden": true}
def f1_of(qa, examples):
    """F1 in percent of each question's best answer that says something, (N,)."""
    best = [next((a.text for a in p.best if a.text), "") for p in qa.task.predict(qa.model, examples)]
    return 100 * np.array([exact_match_and_f1(text, [a for a, _ in e.answers])[1] for text, e in zip(best, examples)])

own_f1 = f1_of(qa, answered)                                # (N,)

# %% [markdown]
# All of them have an answer in their passage. The model was trained on 800 questions for less than a minute.

# %% jupyter={"source_hidden": true}
GuessNumber("How many of the 100 questions does it answer exactly?", lambda: (own_f1 == 100).sum(), within=10,
            see=lambda: f"<p>Its F1 is {own_f1.mean():.1f}: part of an answer counts, too.</p>")

# %% [markdown]
# <details><summary><b>Why is F1 kinder, and is that good?</b></summary>
#
# It forgives a word too many, as most readers would. But it also gives half a point to “Emily Fenford” where the answer
# is “Daren Fenford”: the wrong person with the right surname.
# </details>

# %% [markdown]
# ## 5 · Long passages: windows
#
# Our model reads at most 128 tokens here, BERT at most 512. A longer passage is read in **windows** that overlap: each
# begins `stride` tokens after the one before. If one window cuts an answer in two, another can hold the whole of it.
#
# Take a passage of 60 tokens, numbered from 0, windows of 24, a stride of 12, and an answer at tokens 21 to 25.

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
          lambda: count_windows(60, 24, 12, 21, 5), top=12, within=0.5, axis="windows",
          see=lambda: draw_windows(60, 24, 12, 21, 5))

# %% [markdown]
# Now choose all five numbers yourself. *Room* is the length of a window. We begin with a stride as large as the room, so
# the windows do not overlap.

# %%
Explorer(draw_windows, length=widgets.BoundedIntText(60, min=1, max=400, description="Passage"),
         room=widgets.BoundedIntText(24, min=2, max=200, description="Room"),
         stride=widgets.BoundedIntText(24, min=4, max=200, description="Stride"),
         first=widgets.BoundedIntText(21, min=0, max=390, description="Answer at"),
         pieces=widgets.BoundedIntText(5, min=1, max=60, description="Its pieces"))

# %% [markdown]
# **Try:** make the stride smaller, step by step, and move the answer about.
#
# <details><summary><b>Which strides guarantee that some window holds the whole of a five-token answer?</b></summary>
#
# Room − 4 or less. Then two neighbours share at least four tokens. So if an answer of five tokens runs over the end of a
# window, all of it lies in the next one.
# </details>
#
# A token may lie in several windows. Its scores come from the window that shows the most context on both sides of it. In
# training, a window without the whole answer gets the label 0: `[CLS]`, “not here”.
#
# <details><summary><b>Why does half an answer count as “not here”?</b></summary>
#
# Suppose that the answer is “New York”, and the window ends after “New”. With “New” as its label, the model would learn
# to stop too early.
# </details>

# %% [markdown]
# ## 6 · What was pretraining worth?
#
# Take the same network, the same 800 questions and the same number of steps, but start from **random weights**, that is,
# train **from scratch**. **Guess first**: will its curve end as low, near “one of four”, or far above?

# %%
import torch
from minibert.model import Encoder

torch.manual_seed(0)
curve.line("from scratch")
scratch, _ = finetune("qa", Encoder(model.encoder.config), tokenizer, chosen, progress=curve, **SETTINGS)

# %% [markdown]
# Now test both models on generated passages about other people, and on **real English**: a hundred questions about
# passages written by hand for this course.

# %%
from minibert.corpora.passages import passages

by_hand = [e for e in examples_of(passages()) if e.answers]
SETS = {"generated": answered, "by hand": by_hand[:100]}

# %% [markdown]
# Both models answer both sets:

# %%
worth = {f"{start}, {name}": f1_of(tuned, examples).mean()
         for start, tuned in (("scratch", scratch), ("pretrained", qa)) for name, examples in SETS.items()}

# %% [markdown]
# Neither model has ever read anything but the generated language.

# %% jupyter={"source_hidden": true}
def what_it_was_worth():
    gain, real = (worth[f"pretrained, {name}"] - worth[f"scratch, {name}"] for name in SETS)
    return (f"<p>With the same labels, pretraining brings {gain:+.1f} points of F1 on its own language, and "
            f"{real:+.1f} on real English. The model has never met an eel.</p>")

GuessBars("What F1 does each model reach on each set of questions?", list(worth), lambda: list(worth.values()), top=100,
          within=8, axis="F1", see=what_it_was_worth)

# %% [markdown]
# Now see how the tokenizer cuts the two kinds of text:

# %%
for text in (passage, by_hand[0].context):
    pieces = tokenizer.encode(text).pieces
    print(f"{len(pieces) / len(text.split()):.2f} tokens per word: {' '.join(pieces[:14])} ...")

# %% [markdown]
# <details><summary><b>What does this have to do with the scores?</b></summary>
#
# Many words of real English are not in its vocabulary. They are cut into pieces, and the model does not know what the
# pieces mean together. What fine-tuning can teach in minutes rests on what the model has read before.
# </details>
#
# **A published model.** If you have published weights on your disk, name their folder here (with `config.json`,
# `model.safetensors` and `vocab.txt`) and run the cell again. Fine-tuning it on the same 800 *generated* questions takes
# some minutes. With a small published BERT (six layers of 384 numbers) we got F1 73 on the generated questions and 20 on
# the real ones. It has read English, but it has seen questions only in the generated language.

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
# For comparison, the F1 that the BERT paper reports on SQuAD 1.1's development set: 85.6 for a strong earlier model with
# ELMo, 88.5 for BERT-base and 90.9 for BERT-large (Devlin et al., table 2).

# %% [markdown]
# ## 7 · Break it
#
# Does your model read, or does it look for a word of the question and take what stands beside it? Here is a story, and
# five things to add to it, most of them about **somebody else**. The right answer never changes.

# %% jupyter={"source_hidden": true}
LURES = {"nothing": "", "another person, same fact": "Romin Tarwick was born in Ludlow in 1911.",
         "another person, other fact": "Romin Tarwick plays the harp.",
         "same fact, no name": "Somebody was born in Ludlow in 1911.", "no sense": "Born born born in Ludlow."}
story = "Suvin Cromham was born in Bexstead in 1938. Cromham has lived in Hexford since 1969. She works as a baker."

def lure(added, place, question):
    text = {"before": f"{LURES[added]} {story}", "after": f"{story} {LURES[added]}"}[place].strip()
    return ask(question, text)

WORDINGS = {"What is Suvin Cromham's birthplace?": "Bexstead", "Where was Suvin Cromham born?": "Bexstead",
            "When was Suvin Cromham born?": "1938", "What is Suvin Cromham's year of birth?": "1938"}
first_question = max(WORDINGS, key=lambda question: chance_of(question, story, [WORDINGS[question]]))

# %% [markdown]
# The box starts with the one of four questions that your model answers best. (Bexstead and 1938 are the right answers.
# If it is wrong even so, find a question that it gets right.) Then **guess first**: which addition misleads it?

# %%
Explorer(lure, added=widgets.Dropdown(options=list(LURES), description="Added"),
         place=widgets.Dropdown(options=["before", "after"], description="Where"),
         question=widgets.Text(first_question, description="Question", **wide))

# %% [markdown]
# One example proves little. So to each test passage we add a sentence from **another** passage, which answers a question
# of the **same kind** about another person. First the helpers.

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
# The model answers each question three times: without the sentence, with it before the passage, and with it after.

# %% jupyter={"source_hidden": true}
kept = [e for e in answered if lured(e, answered, np.random.default_rng(1), True)]
tries = {"as it was": kept}
for name, before in (("sentence before", True), ("sentence after", False)):
    rng = np.random.default_rng(1)
    tries[name] = [lured(e, answered, rng, before) for e in kept]
broken = {name: f1_of(qa, examples).mean() for name, examples in tries.items()}

# %% [markdown]
# Drag each of the three bars to your guess.

# %% jupyter={"source_hidden": true}
def how_far_it_falls():
    before, after = (broken[name] - broken["as it was"] for name in ("sentence before", "sentence after"))
    return (f"<p>On {len(kept)} questions, one sentence about somebody else changes F1 by {before:+.1f} if it stands "
            f"before the passage, and by {after:+.1f} after it. Jia and Liang (2017) did this to sixteen published "
            "models: added sentences that look like the answer cut their mean F1 from 75 to 36.</p>")

GuessBars("What is your model's F1 on these questions?", list(broken), lambda: list(broken.values()), top=100, within=8,
          axis="F1", see=how_far_it_falls)

# %% [markdown]
# Which answers matched exactly before, and do not any more? The table shows at most two of each kind.

# %% jupyter={"source_hidden": true}
fallen = []
for name, examples in list(tries.items())[1:]:
    before, now = (qa.task.answer(qa.model, some) for some in (kept, examples))
    fell = [(name, e.question, old, new) for e, old, new in zip(examples, before, now)
            if old == e.answers[0][0] and new and new != old]
    fallen += fell[:2]
View(score_table(["added", "question", "right answer, given before", "answer now"], fallen))

# %% [markdown]
# A good score on a test set says that a model is right on questions like these. It does not say *why*.

# %% [markdown]
# ## 8 · When it does not say
#
# A person can answer “it does not say”. SQuAD 2.0 added 50,000 such questions (Rajpurkar et al., 2018). For these, BERT
# points at `[CLS]`, whose start score plus end score is the **null score**. A question is left unanswered if the null
# score beats the best span's score by more than a **threshold** $\tau$:
#
# $$s_{\text{null}} - s_{\text{best}} > \tau$$
#
# The authors' program uses this form. In the paper (section 4.3) the sign of $\tau$ is the opposite: a question is
# answered if $s_{\text{best}} > s_{\text{null}} + \tau$, so a larger $\tau$ means fewer answers.
#
# If a passage takes several windows, the lowest of their null scores counts: one window with an answer is enough.

# %%
predictions = qa.task.predict(qa.model, test_examples)
odds = np.array([p.null_odds for p in predictions])
has_answer = np.array([bool(e.answers) for e in test_examples])
for name, some in (("with an answer", has_answer), ("without", ~has_answer)):
    print(f"{some.sum():4d} questions {name:15s} null score - best span: {np.median(odds[some]):+5.1f} (median)")

# %% [markdown]
# For each threshold there are three scores: for all questions, for those with an answer, and for those without.

# %%
best_texts = [next((a.text for a in p.best if a.text), "") for p in predictions]
f1 = np.array([exact_match_and_f1(t, [a for a, _ in e.answers] or [""])[1] for t, e in zip(best_texts, test_examples)])

def scores_at(threshold):
    """F1 in percent: of all, of those with an answer, of those without."""
    scores = np.where(odds > threshold, ~has_answer, f1)
    return [100 * float(scores[some].mean()) for some in (slice(None), has_answer, ~has_answer)]

# %% [markdown]
# In your mind, raise the threshold from very low to very high.

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
# With a very low threshold the model never answers, with a very high one always. Which would you choose for questions
# about a medical text? And which in a quiz show?

# %% jupyter={"source_hidden": true}
def draw_threshold(threshold):
    every, having, lacking = scores_at(threshold)
    said = odds <= threshold
    return (f'<p role="status">It answers {said.sum()} of {len(said)} questions. Of the {(~has_answer).sum()} without '
            f"an answer it answers {(said & ~has_answer).sum()}, all wrongly.</p><p>F1 over all <b>{every:.1f}</b>; "
            f"with an answer {having:.1f}, without {lacking:.1f}.</p>")

Explorer(draw_threshold, threshold=widgets.FloatSlider(0, min=-20, max=20, step=0.5, description="Threshold",
                                                       continuous_update=False))

# %% [markdown]
# A threshold chosen on the test questions tends to score too well on them. So choose it on one half, and test it on the
# other:

# %%
from minibert.tasks.squad_score import best_threshold

half = np.arange(len(odds)) % 2 == 0
promised, tuned = best_threshold(f1[half], has_answer[half], odds[half])
kept_promise = 100 * np.where(odds > tuned, ~has_answer, f1)[~half].mean()
plain = 100 * np.where(odds > 0, ~has_answer, f1)[~half].mean()
print(f"threshold {tuned:.1f}: F1 {promised:.1f} on the half it was chosen on, {kept_promise:.1f} on the other "
      f"(there, threshold 0 gets {plain:.1f})")

# %% [markdown]
# <details><summary><b>Why is it easier here than in SQuAD 2.0 to see that there is no answer?</b></summary>
#
# Here, an unanswerable question asks for a fact that the passage does not give about that person, and often the passage
# contains nothing of the kind. The people who wrote SQuAD 2.0 were asked for questions that *look* answerable, with a
# plausible wrong answer in the passage. There BERT-large reached 83.1 F1, and people 89.5 (Devlin et al., table 3).
# </details>

# %% [markdown]
# ## 9 · In real English
#
# Back to the model from the top. It is built like yours: an encoder, here one that has read English, and on top two
# scores for each token. It was fine-tuned on a part of SQuAD. (If it is not available, a line says so, and the model that
# you taught in part 2 answers in its place.)
#
# Paste a text of your own, from the news or from a book, and ask about it. **Guess first**: type the words that it will
# mark. Then look at the ribbons: where else might the answer begin or end?

# %%
from minibert.viz.guess import CommitFirst

english = minibert.load("english-qa", instead=qa)

CommitFirst(lambda asked, text: "<p>Which words of the text will it mark?</p>",
            lambda asked, text: ask(asked, text, english),
            asked=widgets.Text("What did the lamp burn?", description="I ask", **wide),
            text=widgets.Textarea(LIGHTHOUSE, description="My text", rows=5, **wide))

# %% [markdown]
# Now score it as in part 4, on eight questions about one text. (The code is folded, because it contains the answers.)

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
from minibert.viz.entities import score_table

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
# Here are the lighthouse text and the questions:

# %% jupyter={"source_hidden": true}
View(f"<p>{LIGHTHOUSE}</p><p>{'<br>'.join(WANTED)}</p>")

# %% [markdown]
# An answer is exact if it equals one of its references.

# %% jupyter={"source_hidden": true}
GuessNumber("How many of the eight does it answer exactly?", lambda: score_answers()[0], within=1,
            see=lambda: score_answers()[1])

# %% [markdown]
# Eight questions prove little. Here are a hundred, about all the passages that were written by hand for this course.

# %%
from minibert.corpora.passages import passages

answerable = [e for e in examples_of(passages()) if e.answers]
hundred = answerable[::len(answerable) // 100][:100]            # from all passages
print(f"The first of {len(hundred)}: {hundred[0].question}")

# %% [markdown]
# All of them have an answer. (Computing the score takes a few seconds.)

# %% jupyter={"source_hidden": true}
GuessNumber("What F1 does the model of this part reach on these hundred questions, from 0 to 100?",
            lambda: f1_of(english, hundred).mean(), within=8,
            see=lambda: f"<p>Yours, of part 2, reaches {f1_of(qa, hundred).mean():.0f} on the same questions.</p>")

# %% [markdown]
# Where does it fail? Here are four traps of different kinds. (The code is folded.)

# %% jupyter={"source_hidden": true}
SHOP = "The bakery sold 12 loaves of bread on Monday and 30 on Tuesday."
HOUSES = "The blue house has a garden. The red house does not have a garden."
TRAPS = {"Trap 1": (SHOP, "How many loaves did it sell on the two days together?", ["42"]),
         "Trap 2": (HOUSES, "Which house has a garden?", ["the blue house", "blue"]),
         "Trap 3": (HOUSES, "Which house lacks a garden?", ["the red house", "red"]),
         "Trap 4": (LIGHTHOUSE, "What was the name of the keeper's wife?", [""])}

# %% [markdown]
# The next cell shows a trap, and after your guess the model's answer beside a person's.

# %% jupyter={"source_hidden": true}
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
# Choose a trap. **Guess first**: type what the model will mark.

# %%
CommitFirst(pose, spring, trap=widgets.Dropdown(options=list(TRAPS), description="Trap"))

# %% [markdown]
# In two of the four, the answer is not in the text. Did the model mark something all the same? Now set a trap of your
# own in the first box of this part.
#
# <details><summary><b>What is the trap in 12 and 30?</b></summary>
#
# The answer, 42, is not in the text, and the model can only point. A low probability can be a warning, but not a reliable
# one: the probabilities add up to 100%, whether one of the places is right or not (part 8).
# </details>
#
# <details><summary><b>Why can “not” be hard for such a model?</b></summary>
#
# In many questions of SQuAD it is enough to find the place whose surroundings are most like the question (Weissenborn et
# al., 2017, [arXiv 1703.04816](https://arxiv.org/abs/1703.04816)). Here the words *a garden* stand close to both houses,
# so looking for similar words does not help. If the model got both questions right, try longer sentences, with the *not*
# farther away.
# </details>

# %% [markdown]
# Finally, look inside the English encoder before fine-tuning. Does it predict the masked word, which the question
# contains? Click *lighthouse* in the drawing's list of tokens. In which layers does it attend to the same word on the
# other side of `[SEP]`?

# %%
from minibert.viz import explore

explore(minibert.load("english"), "Who built the lighthouse?", "The lighthouse was [MASK] by Martha Lindqvist in 1862.")

# %% [markdown]
# ## Check yourself
#
# Run the folded cell and choose.

# %% jupyter={"source_hidden": true}
from minibert.viz.quiz import Choice, Question, Quiz

Quiz([
    Question("What does BERT get on top, to answer questions?", [
        Choice("A layer that gives two numbers for each piece", True, "Right: a start score and an end score."),
        Choice("A decoder that writes the answer", False, "Nothing is written: the answer is cut out of the passage."),
        Choice("A list of possible answers", False, "Any span of the passage may be the answer."),
    ]),
    Question("The best start is piece 7, the best end is piece 3. What is the answer?", [
        Choice("Pieces 3 to 7", False, "That span would begin where the model saw an end."),
        Choice("The allowed pair with the highest sum of scores", True, "Right. It may contain neither of the two."),
        Choice("None: the model has found no answer", False, "There may be a good one: search the pairs."),
    ]),
    Question("Exact match 0, F1 0.8. What has happened, most likely?", [
        Choice("A word too many or too few", True, "Right: most of the words are in both texts."),
        Choice("The name of somebody else", False, "Possible if two names share words, but then F1 is usually lower."),
        Choice("Capitals differ", False, "Both scores ignore capitals."),
    ]),
    Question("A model gets F1 43 on the generated language, and 1 on real English. What does it lack?", [
        Choice("Fine-tuning for more steps", False, "It would learn the 800 questions by heart."),
        Choice("Having read English", True, "Right: it learns a language in pretraining."),
        Choice("A better search of spans", False, "A search finds only the best of bad scores."),
    ]),
    Question("The answer lies across the edge of a window. What is the label of that window?", [
        Choice("The part that is inside", False, "That would teach the model to stop too early."),
        Choice("[CLS]: not here", True, "Right. With enough overlap, another window holds the whole answer."),
        Choice("The window is thrown away", False, "It teaches something, too: not here."),
    ]),
    Question("You raise the threshold for “no answer”. What happens?", [
        Choice("More questions are answered", True, "Right: the null score must then win by more."),
        Choice("Fewer questions are answered", False, "The other way round: the null score must then win by more."),
        Choice("The answers get longer", False, "The threshold only decides whether the best span is given."),
    ]),
])

# %% [markdown]
# And your guesses:

# %%
my_guesses()

# %% [markdown]
# ## In short
#
# - An answer is a **span**. The model gives each token a start score and an end score, and is trained with two softmaxes.
# - **Search the pairs** with start ≤ end and a limited length: the best start and the best end may be of two answers.
# - **Exact match** is strict, **F1** counts common words. With several references, the best one counts.
# - Long passages are read in overlapping **windows**. A window with half an answer gets the label “not here”.
# - **Pretraining** teaches the language, and only the language that the model has read.
# - One **misleading sentence** can change the answer. A score says how often a model is right, not why.
# - **No answer**: the null score of `[CLS]` against the best span. Choose the threshold on data that you do not test on.
# - A model that can only point cannot add up, and may mark a place where there is no answer.
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
# - In the package: `minibert/tasks/qa.py`, and `minibert/reference/spans.py` for its loss, windows and search.
#
# **Next**: in the exercise `exercises/07_question_answering` you write the loss, the search, the windows and the scores.
# Then comes lesson 8: a label for every word.
