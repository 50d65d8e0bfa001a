# %% [markdown]
# # 7 in class · A model that marks the answer
#
# Somebody gives you a passage and a question. You put one finger where the answer begins and another where it ends. In
# this lesson you teach a model to do that, question it, and break it.
#
# **After this lesson you can**
#
# - say what such a model computes to answer a question: two scores for each word or part of a word,
# - turn the scores into an answer,
# - show what such a model cannot do.
#
# **You need** a little Python and nothing else. **Time:** 45 minutes; the code alone runs in about a minute on two
# cores. Run each cell with Shift + Enter, and give your guess before you look.
#
# <details><summary><b>In Google Colab, or without a network</b></summary>
#
# In Colab, upload the course as a zip file in the panel *Files*, and run this in a cell of its own first: `%pip install
# -q ./minibert.zip`. On your own machine, `make setup` installs the course. A network is needed once, to fetch the
# English model of the first cell (91 MB); without one, a line says so, and the lesson goes on with a model that marks
# random places there.
# </details>
#
# ## Ask it (5 minutes)
#
# This model marks the answer in an English text. Ask it, change a name or a year, then try *Is the museum small?*
# and *How many people are named?*

# %% jupyter={"source_hidden": true}
import ipywidgets as widgets
import minibert
from minibert.course.models.class_model import untrained_model
from minibert.course.widgets.entities import entity_lines
from minibert.course.widgets.view import Controls

english = minibert.load("english-qa", instead=untrained_model("qa"))
HARBOUR = ("Ann Miller bought the old harbour office in 1962. Her sister Jane turned it into a small museum, which "
           "opened in 1971. It shows forty ships that were built in Westport.")
ASKED = {"Who bought the harbour office?": "Ann Miller", "When did the museum open?": "1971",
         "How many ships does the museum show?": "forty", "Where were the ships built?": "Westport",
         "Who made a museum of the office?": "Jane"}

def mark_answer(asked, own, text):
    _, said = english.ask(question=own if own.strip() else asked, context=text)
    chosen = next((answer for answer in said.best if answer.text == said.text), None)
    spans = [(chosen.start, chosen.end, "answer")] if said.text and chosen else []
    return entity_lines([("", text, spans)], ["answer"], said.text or "It marks nothing.")

right_first = sorted(ASKED, key=lambda question: english.predict(question=question, context=HARBOUR) != ASKED[question])
Controls(mark_answer, asked=widgets.Dropdown(options=right_first, description="Ask", layout={"width": "320px"}),
         own=widgets.Text(description="Or my own", placeholder="then Enter", continuous_update=False),
         text=widgets.Textarea(HARBOUR, description="About", rows=3, continuous_update=False, layout={"width": "95%"}))

# %% [markdown]
# ## 1 · You are the model (7 minutes)
#
# Here is a passage that a program wrote, about people who do not exist. For each question, click the first word of the
# answer, then the last.

# %%
from minibert.course.models.class_model import WORLD_SEED
from minibert.generated import World
from minibert.course.unit07.views.mark_span import MarkSpan
from minibert.course.unit07.views.reading import examples_of, three_questions

world = World(WORLD_SEED)
lives = [story for story in world.documents(60, seed=3, split="test") if story.kind == "life"]
mine = three_questions(examples_of(lives))
MarkSpan(mine[0].context, [(e.question, [text for text, _ in e.answers]) for e in mine])

# %% [markdown]
# Such an answer is a **span**, a stretch of the passage: two numbers, the places of its first and last word. If the
# passage does not say, both are 0, the place of `[CLS]`, the sign in front.
#
# **Your turn.** Turn two places back into text.

# %%
from minibert.course.widgets.try_it import try_it

def cut(words, start, end):
    """Return the words from start to end, both included, as one text.

    >>> cut(["[CLS]", "Anna", "lived", "in", "New", "York"], 4, 5)
    'New York'
    >>> cut(["[CLS]", "Anna", "lived", "in", "Rome"], 1, 1)
    'Anna'
    """
    ...

try_it(cut)

# %% [markdown]
# <details><summary><b>One way to write it</b></summary>
#
# ```python
# def cut(words, start, end):
#     return " ".join(words[start:end + 1])
# ```
# </details>
#
# ## 2 · Teach it (8 minutes)
#
# **BERT** is a **neural network**, a program with very many adjustable numbers, that reads a whole text at once. For
# each **token**, a word or a part of one, it computes a **vector**, a list of numbers that says what the token means
# *here*. It learned that by predicting words that were blanked out in a great deal of text. This is called
# **pretraining**: expensive, but done only once.
#
# For a task of your own, you add a small part and train everything a little further on labelled examples. This is
# **fine-tuning**. Our model reads question and passage as one text. The new part makes two numbers of each vector: a
# **start score**, high where the answer may begin, and an **end score**. The start scores become probabilities that add
# up to 100%; so do the end scores.

# %% jupyter={"source_hidden": true}
from minibert.course.widgets.guess_then_see import GuessChoice, GuessNumber, my_guesses

TOKENS = 80
GuessNumber(f"A text has {TOKENS} tokens. To a model that knows nothing, how likely is each as the start, in percent?",
            lambda: 100 / TOKENS, within=0.3, form="{:.3g}%",
            see=lambda: "<p>All tokens are equally likely, and the probabilities add up to 100%.</p>")

# %% [markdown]
# The **loss** measures how wrong a model is: 0 if it gives 100% to the right start and the right end, and more if it
# gives them less. With 80 equally likely tokens it is ln 80 = 4.4; with four, say four names, ln 4 = 1.4. Our model is
# small and was pretrained on texts by that program. **Guess**, while it trains on 800 questions: how low will the loss
# get?

# %%
import numpy as np
from minibert.course.models.class_model import class_model
from minibert.finetuning.run import finetune
from minibert.course.widgets.learning_curves import LiveCurve

model, tokenizer = class_model()
examples = examples_of(world.documents(200, seed=3, split="train"))
examples = [examples[i] for i in np.random.default_rng(0).permutation(len(examples))[:800]]
levels = {"one of four": float(np.log(4)), "knows nothing": float(np.log(80))}
qa, log = finetune("qa", model.encoder, tokenizer, examples, steps=400, batch_size=8, peak_rate=1e-3,
                   max_length=128, progress=LiveCurve("loss", lines=levels, limits=(0, 4.8)))

# %% [markdown]
# ## 3 · Ask yours (7 minutes)
#
# The box starts with a question that your model answers correctly, about a new passage. The ribbons show how likely
# each start and end is; the bars share out 100% among the best answers. Find a question where it is sure and wrong.

# %% jupyter={"source_hidden": true}
from minibert.course.unit07.views.qa import answer_html
from minibert.course.unit07.views.reading import exact, first_misled, with_sentence

unseen = [e for e in examples_of(world.documents(60, seed=3, split="dev")) if e.answers]
known = [e for e, right in zip(unseen, exact(qa, unseen)) if right]
marked = [next(a for a in p.best if a.text) for p in qa.task.predict(qa.model, known)]
there = [e for e, a in zip(known, marked) if (a.text, a.start) in e.answers]      # right words in the right place
shown = (there or known or unseen)[0]
wide = dict(layout={"width": "95%"}, continuous_update=False)
Controls(lambda question, passage: answer_html(qa, question, passage),
         question=widgets.Text(shown.question, description="Question", **wide),
         passage=widgets.Textarea(shown.context, description="Passage", rows=4, **wide))

# %% [markdown]
# ## 4 · Two ends, one answer (10 minutes)
#
# Starts and ends are scored separately. For *Where did Anna live?*, a hasty program takes the best start and the best
# end of these made-up scores, and cuts out `words[start:end + 1]`.

# %% jupyter={"source_hidden": true}
from IPython.display import display
from minibert.course.widgets.tables import score_table
from minibert.course.widgets.view import View

words = ["Anna", "lived", "in", "Rome", "and", "then", "in", "New", "York"]
starts = np.array([0, 0, 0, 4.0, 0, 0, 0, 5.0, 2.0])
ends = np.array([0, 0, 0, 6.0, 0, 0, 0, 1.0, 4.5])
display(View(score_table(["place", "word", "start score", "end score"],
                         zip(map(str, range(len(words))), words, starts, ends))))
GuessChoice("Which words does the hasty program cut out?", ["Rome", "New", "New York", "none"],
            lambda: " ".join(words[starts.argmax():ends.argmax() + 1]) or "none",
            see=lambda: f"<p>The best start is place {starts.argmax()}, the best end place {ends.argmax()}: "
                        f"<code>words[{starts.argmax()}:{ends.argmax() + 1}]</code> is empty.</p>")

# %% [markdown]
# It is better to add the two scores of each **pair** of a start and an end. But not every pair is a span.
#
# **Your turn.** Which pairs are allowed?

# %%
def is_span(start, end, longest):
    """Return True if the end is not before the start, and the span has at most `longest` words.

    >>> is_span(3, 4, 2)
    True
    >>> is_span(3, 5, 2)
    False
    >>> is_span(7, 3, 9)
    False
    """
    ...

try_it(is_span)

# %% [markdown]
# <details><summary><b>One way to write it</b></summary>
#
# ```python
# def is_span(start, end, longest):
#     return start <= end < start + longest
# ```
# </details>
#
# Here is each allowed pair's sum (`longest` is 9); the others stay white.

# %% jupyter={"source_hidden": true}
from minibert.data.spans import best_span
from minibert.course.widgets.view import show
from minibert.course.unit07.views.qa import pairs_map

pairs = np.where(np.triu(np.ones((len(words), len(words)), bool)), starts[:, None] + ends, np.nan)  # (T, T)
i, j, score = best_span(starts, ends)
show(*pairs_map(pairs, words, {"best allowed pair": (i, j), "each by itself": (starts.argmax(), ends.argmax())},
                f"The best allowed pair is “{' '.join(words[i:j + 1])}”, with {score:.1f}"))

# %% [markdown]
# Your model searches the pairs. How good is it? **Exact match** counts the answers that are right to the letter.

# %% jupyter={"source_hidden": true}
hundred = [e for e in examples_of(world.documents(60, seed=3, split="test")) if e.answers][:100]
matches = sum(exact(qa, hundred))
assert not {*world.names["test"].bases} & {*world.names["train"].bases}     # surnames, places and firms
GuessNumber("Of 100 new questions, how many does your model answer exactly?", lambda: matches, within=10,
            see=lambda: "<p>Fine-tuning named none of these people and places; pretraining did. “It does not say” "
                        "counts as wrong.</p>")

# %% [markdown]
# ## 5 · Break it (5 minutes)
#
# This question is answered correctly. Now add a sentence about *somebody else*, or the question's own words. A person
# gives the same answer. **Guess first**: your model, too?

# %% jupyter={"source_hidden": true}
victim, decoy, told = first_misled(qa, sorted(unseen, key=lambda e: e not in there))      # right places first
ADDED = {"nothing": "", "somebody else, same kind of fact": decoy,
         "the question's words": f"{victim.question.strip('?')} {victim.question.strip('?').lower()}."}

def lure(added, place):
    answer = " or ".join(dict.fromkeys(text for text, _ in victim.answers))
    changed = with_sentence(victim, ADDED[added], place == "before").context
    drawn = answer_html(qa, victim.question, changed) + f"<p>{told}</p>" * (added != "nothing")
    return f"<p>{victim.question} The right answer: <b>{answer}</b></p>{drawn}"

Controls(lure, added=widgets.Dropdown(options=list(ADDED), description="Add", layout={"width": "360px"}),
         place=widgets.Dropdown(options=["before", "after"], description="Where"))

# %% [markdown]
# ## In short (3 minutes)
#
# - An answer is a span. The model gives each token a start score and an end score, and the best allowed pair wins.
# - Pretraining teaches the language, fine-tuning the task.
# - A model that can only point cannot count, or say yes or no, and one misleading sentence can change its answer.
#
# Your guesses:

# %%
my_guesses()

# %% [markdown]
# <details><summary><b>For the teacher</b></summary>
#
# **The day before.** Run `make tour` on each machine (six minutes), or copy the folder that
# `minibert.course.models.class_model.cache_folder()` names from one machine to the others. Without it, part 2 first trains a smaller
# model, half a minute or more, and far fewer answers are right. Run the notebook once: the numbers below depend on the
# machine and on the course's version, so note your own.
#
# | minutes | part | expect | ask the class |
# |---|---|---|---|
# | 0–5 | Ask it | most of the five answers are right | What will it never do? (Use words of its own.) |
# | 5–12 | 1 | two spans; the third question has no answer | How did you know that it does not say? |
# | 12–20 | 2 | 100/80 = 1.25%; the curve goes from about 4 to below 1.4 | Which part is new? |
# | 20–27 | 3 | wrong and sure: somebody else's trade, town or year | Does the percentage say how often it is right? |
# | 27–37 | 4 | “none”; *Rome*, 10; exact match 35 to 55, without `make tour` 10 to 30 | Why not swap the two ends? |
# | 37–42 | 5 | a sentence before the passage changes the answer | Is it reading? How could you tell? |
# | 42–45 | In short | | What would you not use it for? |
#
# **Answers.** *Why not swap?* The span would begin where the model saw an end. *The percentage* compares this answer
# with the model's other candidates, and adds up to 100% even if all are wrong. *Is it reading?* A good score says how
# often a model is right, not why; changed examples tell more. *Not use it for*: questions that need counting, a yes or
# no, or two places of the text; anything that matters when the text does not say.
#
# **If training stalls.** The curve should be near 3 or below after about 100 steps. If it is still near 4.4 after 200,
# stop the cell, write `seed=1, ` before `steps=400`, and run it again: it starts anew (with the same seed, it would do
# the same). If the machine is slow, change `steps=400` to 200: the loss ends higher, and fewer answers are right.
# If a laptop fails, let two people share one from part 3 on.
#
# **Short of time?** Leave out the function in part 1. **Time left?** Type into part 3 a question in words that the
# program never uses. The full lesson, [07_question_answering](07_question_answering.ipynb), has long passages, F1,
# questions without an answer, and English; the paper is [BERT](https://arxiv.org/abs/1810.04805), sections 4.2 and 4.3;
# part 5 follows [Jia and Liang](https://arxiv.org/abs/1707.07328).
# </details>
