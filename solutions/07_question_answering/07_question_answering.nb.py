# %% [markdown] nb="read intro"
# # Unit 07 · Question answering: find the span
#
# A model that answers from a passage just marks two places in it: where the answer begins and where it ends. You will
# write the code around these two marks: the loss that the model learns from, the search for the best span, the windows
# of a passage that is too long, and the scores that measure how good an answer is. At the end you fix a function that
# should recognise when there is no answer.
#
# | | exercise | points | minutes | difficulty |
# | --- | --- | --- | --- | --- |
# | 1 | `span_loss` | 3 | 15 | ●●○ |
# | 2 | `best_span` | 4 | 15 | ●●○ |
# | 3 | Why not each end separately? (in words) | 2 | 5 | ●○○ |
# | 4 | Write a test | 2 | 15 | ●●○ |
# | 5 | `split_passage` | 4 | 20 | ●●○ |
# | 6 | `exact_match_and_f1` | 4 | 20 | ●●○ |
# | 7 | Find three bugs | 3 | 20 | ●●● |
# | | total | **22** | **110** | |
#
# **Only one hour?** Exercises 1, 2 and 3 do not need the others, take 35 minutes, and are worth 9 points. You need
# NumPy, but nothing from earlier units.
#
# The finished notebook runs in 2 seconds on two cores, plus a few seconds for its last cell, which loads a model.
#
# {{how it works}}
#
# **Stuck?** Each exercise has folded hints, and `check.best_span.hint()` shows one more each time you run it. An
# earlier function that is not right yet does not hold you back: the check lends you ours and says so.
#
# The letters in the comments are axes: **B** sequences of a batch, **T** positions of a sequence.

# %% nb="read imports"
import string
from collections import Counter

import numpy as np

from minibert.course import unit07 as check
from minibert.course.checks.student_tests import by_name

# %% [markdown] nb="read row-text"
# **The model's input and output.** A sequence is `[CLS] question [SEP] passage [SEP]`, as tokens. For each position the
# model returns two numbers: a *start score*, which says how likely the answer begins here, and an *end score*. Scores
# may be any numbers; a higher score means more confidence.

# %% [markdown] nb="read loss-text"
# ## 1 · The loss of a span
# **3 points · 15 minutes · ●●○**
#
# In training, the right start and the right end are known. Each is a choice of one of the T positions of a sequence, so
# each has the usual loss of a choice: a softmax over the positions turns the scores into probabilities, and the loss is
# minus the (natural) logarithm of the right position's probability.
#
# | | shape | |
# | --- | --- | --- |
# | `start_logits`, `end_logits` | (B, T) | the scores of a batch of sequences |
# | `starts`, `ends` | (B,), int | the right positions; 0, which is `[CLS]`, if there is no answer |
# | returns | a number | the mean over the sequences and over the two ends |
#
# Sequences without an answer count like the others: for them, `[CLS]` is right. Your function must also work for large
# scores and large losses: `np.exp(1000)` is `inf`, and `np.exp(-1000)` is 0, which has no logarithm.
#
# <details><summary>Hint</summary>
# Write the loss of one end as an inner function, and call it twice. This picks one number from each row of an array:
# <code>array[np.arange(B), places]</code>.
# </details>
# <details><summary>Common error</summary>
# Adding up the two ends instead of taking their mean. It trains just as well, but the loss is twice as large
# as everybody else's. And applying <code>np.log</code> to a softmax that has become 0: take the logarithm of
# the sum, not of the quotient.
# </details>
# <details><summary>Why two softmaxes, and not one over all pairs?</summary>
# T positions have T² pairs: 147,456 for a sequence of 384 tokens, and nearly all of them are not answers at all. Two
# softmaxes over 384 positions are cheap, and the search combines start and end afterwards. The disadvantage is that the
# model scores each end without knowing the other.
# </details>


# %% nb="solution loss"
def span_loss(start_logits, end_logits, starts, ends):
    """Return the mean cross-entropy of both ends. start_logits, end_logits (B, T); starts, ends (B,) int."""
    ### BEGIN SOLUTION
    def one_end(logits, places):
        logits = logits - logits.max(axis=-1, keepdims=True)                    # (B, T), none above 0
        logs = logits - np.log(np.exp(logits).sum(axis=-1, keepdims=True))      # (B, T), of the probabilities
        return -logs[np.arange(len(places)), places].mean()

    return (one_end(start_logits, starts) + one_end(end_logits, ends)) / 2
    ### END SOLUTION


# %% nb="tests loss-visible 2"
check.span_loss(span_loss, points=2)

# %% nb="tests loss-hidden 1"
# After you hand in, this cell tries more inputs. You do not have to write anything here.
### BEGIN HIDDEN TESTS
check.span_loss(span_loss, seed=2016, hidden=True)
### END HIDDEN TESTS

# %% [markdown] nb="read span-text"
# ## 2 · The best span
# **4 points · 15 minutes · ●●○**
#
# Now find the answer. The score of a span from `start` to `end` (inclusive) is `start_logits[start] + end_logits[end]`.
# Find the best span that is allowed:
#
# - the end is not before the start: `start <= end`, so an answer may be a single token
# - it has at most `longest` tokens
#
# | | | |
# | --- | --- | --- |
# | `start_logits`, `end_logits` | (T,) | the scores of one passage |
# | `longest` | int | the maximum number of tokens in an answer, at least 1 |
# | returns | (start, end, score) | if scores are equal, the first span: the smaller start, then the smaller end |

# %% nb="read span-example"
start_logits = np.array([1.0, 0.0, 5.0, 0.0])
end_logits = np.array([0.0, 6.0, 0.0, 3.0])
expected = {4: (2, 3, 8.0), 1: (1, 1, 6.0)}  # longest -> result

# %% [markdown] nb="read span-hints"
# <details><summary>Hint</summary>
# Use two loops: over all starts, and for each start over the ends that are allowed. Remember the best span so far.
# </details>
# <details><summary>Common error</summary>
# Beginning with a best score of 0. Scores may all be negative; begin with <code>-np.inf</code>.
# </details>
# <details><summary>Why a longest answer at all?</summary>
# Answers are short. Two high scores that are far apart probably belong to two different candidates rather than to one
# long answer. The paper's authors allow 30 tokens.
# </details>


# %% nb="solution span"
def best_span(start_logits, end_logits, longest):
    """Return (start, end, score) of the best span of at most `longest` tokens. start_logits, end_logits (T,)."""
    ### BEGIN SOLUTION
    T, best = len(start_logits), (0, 0, -np.inf)
    for start in range(T):
        for end in range(start, min(start + longest, T)):
            score = start_logits[start] + end_logits[end]
            if score > best[2]:
                best = start, end, score
    return best
    ### END SOLUTION


# %% nb="tests span-visible 2"
check.best_span(best_span, points=2)

# %% nb="tests span-hidden 2"
# After you hand in, this cell tries more inputs. You do not have to write anything here.
### BEGIN HIDDEN TESTS
check.best_span(best_span, seed=1901, hidden=True)
### END HIDDEN TESTS

# %% [markdown] nb="read why-text"
# ## 3 · Why not each end separately?
# **2 points · 5 minutes · ●○○**
#
# A colleague uses `start_logits.argmax()` and `end_logits.argmax()`. This is shorter, and often right. Explain in two
# or three sentences what can go wrong, with your own example: a short passage, a question, and the two places that her
# code might mark. And why does it not help to swap the two if the end comes before the start?
#
# <details><summary>Hint</summary>
# A passage may contain two good candidates, such as two years or two names. Which of them does each end belong to?
# </details>

# %% [markdown] nb="manual why 2"
# *Anna lived in Rome, then in New York. Where did she live?* The best start may be *Rome* and the best end *York*: the
# span "Rome, then in New York" mixes two candidates. If the best start is *New* and the best end is *Rome*, the end
# even comes before the start, which is not a span at all. Swapping them gives a span again, but a wrong one: it begins
# where the model saw an end, so its start does not have a high start score, nor its end a high end score. Searching the
# pairs finds the best pair that is a span.
#
# **Mark scheme.** 1 point: an example or a sentence which shows that the two best ends may belong to different
# candidates, be in the wrong order, or be too far apart (one of these is enough). 1 point: swapping uses a start score
# for an end, so the span does not have the scores by which it was chosen (or: it need not be the best span, or even a
# good one). "It can be wrong" alone: no points.

# %% [markdown] nb="read test-text"
# ## 4 · Write a test
# **2 points · 15 minutes · ●●○**
#
# Now change sides and write the check. `test_best_span` gets a function that claims to be `best_span(start_logits,
# end_logits, longest)`. Your test does nothing if the function is right, and stops at an `assert` if it is not:
#
# `assert best_span(np.array([1.0, 2.0]), np.array([0.0, 3.0]), 2) == (1, 1, 5.0), "the best start is the best end"`
#
# The check hands your test right versions, which it must accept, and wrong ones, which it must catch. Some of the wrong
# ones come only after you hand in. Think of equal scores, too. The check needs the line `@by_name` to pass its versions
# to your test: leave it there.
#
# <details><summary>Hint</summary>
# Make an input for each rule: a best end before the best start, negative scores, a single token, an answer of exactly
# <code>longest</code> tokens, and one with one token more.
# </details>
# <details><summary>Common error</summary>
# Using scores with several solutions. In each input, make one span clearly the best, such that
# a mistake gives another one.
# </details>
# <details><summary>Why is a random input not enough?</summary>
# In most random inputs the two best ends are in order, positive and close together, so many mistakes do not show.
# </details>


# %% nb="solution test"
@by_name
def test_best_span(best_span):
    """Fail at an assert if best_span(start_logits, end_logits, longest) does not return the best allowed span."""
    ### BEGIN SOLUTION
    start = np.array([1.0, 0.0, 5.0, 0.0])
    end = np.array([0.0, 6.0, 0.0, 3.0])
    assert best_span(start, end, 4) == (2, 3, 8.0), "the best end stands before the best start"
    assert best_span(start, end, 1) == (1, 1, 6.0), "a single piece"
    assert best_span(start - 9, end - 9, 4) == (2, 3, -10.0), "negative scores"
    far_start, far_end = np.array([6.0, 0, 0, 0, 0]), np.array([0, 0, 1.0, 4.0, 9.0])
    assert best_span(far_start, far_end, 5) == (0, 4, 15.0), "exactly as long as allowed"
    assert best_span(far_start, far_end, 4) == (0, 3, 10.0), "the best end is one piece too far away"
    assert best_span(np.array([4.0, 5.0, 0]), np.array([6.0, 0, 0]), 3) == (0, 0, 10.0), "not the best start"
    assert best_span(np.array([0, 6.0, 0]), np.array([5.0, 0, 4.0]), 3) == (1, 2, 10.0), "not the best end"
    assert best_span(np.zeros(3), np.zeros(3), 2) == (0, 0, 0.0), "of equal spans the first"
    ### END SOLUTION


# %% nb="tests test-visible 1"
check.test_best_span(test_best_span, points=1)

# %% nb="tests test-hidden 1"
# After you hand in, this cell tries more wrong versions. You do not have to write anything here.
### BEGIN HIDDEN TESTS
check.test_best_span(test_best_span, hidden=True)
### END HIDDEN TESTS

# %% [markdown] nb="read split-text"
# ## 5 · A passage that is too long
# **4 points · 20 minutes · ●●○**
#
# BERT reads at most 512 tokens. A longer passage is read in **windows** of `room` tokens. Each window begins `stride`
# tokens after the previous one. Since `stride` is at most `room`, no token is left out. Usually the windows overlap, so
# that an answer at the edge of one is well inside another. The first window that reaches the end of the passage is the
# last one; it may be shorter.
#
# | | | |
# | --- | --- | --- |
# | `pieces` | list | the tokens of the passage, at least one |
# | `answer` | (first, last), or `None` | places of its first and last token in the passage, from 0; `None`: no answer |
# | `room`, `stride` | int | 1 <= stride <= room |
# | returns | list of tuples | `(begin, window, place)` for each window, from left to right |
#
# `begin` is where the window begins in the passage, and `window` is its tokens. `place` is `(first, last)` of the
# answer **in the window**, from 0, or `None` if the answer is not *completely* inside. For example:

# %% nb="read split-example"
pieces = ["the", "heron", "came", "from", "port", "ashby", "."]
expected_windows = [  # split_passage(pieces, (4, 5), room=5, stride=2)
    (0, ["the", "heron", "came", "from", "port"], None),
    (2, ["came", "from", "port", "ashby", "."], (2, 3)),
]

# %% [markdown] nb="read split-hints"
# <details><summary>Hint</summary>
# Use a loop with <code>begin</code>. Slicing takes care of the shorter last window. The loop ends when
# <code>begin + room</code> has reached the passage's length.
# </details>
# <details><summary>Common error</summary>
# Using <code>range(0, len(pieces), stride)</code>, which also makes windows that are completely inside the previous
# one. Run the example: there should be two windows, not four.
# </details>
# <details><summary>Why is half an answer no answer?</summary>
# In the first window of the example the model sees "port" and then nothing. If we trained it to answer "port" here, we
# would teach it to stop too early. So in this window [CLS] is right: the answer is not here.
# </details>


# %% nb="solution split"
def split_passage(pieces, answer, room, stride):
    """Return (begin, window, place) for each overlapping window; place: the answer's (first, last) in it, or None."""
    ### BEGIN SOLUTION
    windows, begin = [], 0
    while True:
        window, place = pieces[begin:begin + room], None
        if answer is not None and begin <= answer[0] and answer[1] < begin + len(window):
            place = (answer[0] - begin, answer[1] - begin)
        windows.append((begin, window, place))
        if begin + room >= len(pieces):
            return windows
        begin += stride
    ### END SOLUTION


# %% nb="tests split-visible 2"
check.split_passage(split_passage, points=2)

# %% nb="tests split-hidden 2"
# After you hand in, this cell tries more inputs. You do not have to write anything here.
### BEGIN HIDDEN TESTS
check.split_passage(split_passage, seed=3848, hidden=True)
### END HIDDEN TESTS

# %% [markdown] nb="read score-text"
# ## 6 · How good is an answer?
# **4 points · 20 minutes · ●●○**
#
# Several people answered each question, not all with the same words. SQuAD compares an answer with each of
# theirs in two ways. First it normalises both texts, in this order: convert to lower case; drop the
# punctuation (`string.punctuation`), so that `Cat's` becomes `cats`; drop the words *a*, *an* and *the*.
# The result is a list of words.
#
# - **exact match**: 1 if both lists are the same, otherwise 0.
# - **F1**: *2 n / (words of one list + words of the other)* for *n* common words (a word that occurs twice in both
#   counts twice). If a list is empty, F1 is 1 if both are empty, otherwise 0.
#
# | | | |
# | --- | --- | --- |
# | `answer` | str | the answer to be scored; "" means that there is no answer |
# | `gold` | list of str, at least one | the reference answers; `[""]` for a question without an answer |
# | returns | (exact, f1) | floats from 0 to 1, each the **best over the references** |

# %% nb="read score-example"
examples = {("in Marlow town", ("Marlow town", "Ashby")): (0.0, 0.8), ("The  Cat's!", ("cats",)): (1.0, 1.0)}

# %% [markdown] nb="read score-hints"
# <details><summary>Hint</summary>
# <code>Counter(a) & Counter(b)</code> counts each common word as often as it occurs in both.
# <code>.values()</code> returns the counts.
# </details>
# <details><summary>Common error</summary>
# Removing "a" from the whole text. Then "Ashby" loses its first letter: split first, then drop words.
# </details>
# <details><summary>Why two scores?</summary>
# "in Marlow town" is right for a reader, but wrong for exact match. F1 tolerates a few words too many or too few, but
# it also tolerates a wrong answer that shares a word. F1 is never lower than exact match.
# </details>


# %% nb="solution score"
def exact_match_and_f1(answer, gold):
    """Return (exact match, F1) of an answer, each the best over the reference answers `gold`."""
    ### BEGIN SOLUTION
    def words(text):
        text = "".join(c for c in text.lower() if c not in string.punctuation)
        return [word for word in text.split() if word not in ("a", "an", "the")]

    exact, f1 = [], []
    for reference in gold:
        a, b = words(answer), words(reference)
        common = sum((Counter(a) & Counter(b)).values())
        exact.append(float(a == b))
        f1.append(2 * common / (len(a) + len(b)) if a and b else float(a == b))
    return max(exact), max(f1)
    ### END SOLUTION


# %% nb="tests score-visible 2"
check.exact_match_and_f1(exact_match_and_f1, points=2)

# %% nb="tests score-hidden 2"
# After you hand in, this cell tries more inputs. You do not have to write anything here.
### BEGIN HIDDEN TESTS
check.exact_match_and_f1(exact_match_and_f1, seed=5150, hidden=True)
### END HIDDEN TESTS

# %% [markdown] nb="read mend-text"
# ## 7 · Find three bugs
# **3 points · 20 minutes · ●●●**
#
# The last part finds one answer in several windows, or none. The model has scored each window as a whole sequence:
# `[CLS]`, the question, `[SEP]`, the window's tokens, and `[SEP]` at the end. The candidate is the best span of the
# passage in any window. In each window, the score of "no answer" is `start_logits[0] + end_logits[0]`, the scores of
# `[CLS]`. Since the answer is in some windows only, use the **lowest** of these scores. If it is higher than the
# candidate's score by more than `threshold`, the answer is `()`, the empty tuple.
#
# | | | |
# | --- | --- | --- |
# | `windows` | list of (begin, first, start_logits, end_logits) | one for each window |
# | `threshold` | float | how much higher "no answer" must score to win |
# | returns | (start, end), or `()` | places in the **passage** |
#
# `begin` is where the window begins in the passage, `first` is the position of the window's first token in the
# sequence, and the scores are those of all T positions of the sequence.
#
# A colleague has written this function. It runs, but it has three bugs.


# %% nb="read mend-broken"
def broken_answer_question(windows, threshold):
    best, null = (0, 0, -np.inf), np.inf
    for window in windows:
        first, start_logits, end_logits = window[1:]
        null = start_logits[0] + end_logits[0]
        start, end, score = best_span(start_logits[1:-1], end_logits[1:-1], 30)
        if score > best[2]:
            best = start + 1 - first, end + 1 - first, score
    return () if null - best[2] > threshold else best[:2]


# %% [markdown] nb="read mend-examine"
# Have it examined. Which rules must this function follow, whatever the scores, and which ones does it break?

# %% nb="read mend-examined"
check.answer_question.examine(broken_answer_question)

# %% [markdown] nb="read mend-task"
# Copy the function's body into `answer_question`, and fix it. You can examine `answer_question` as often as you like.
# {{each bug}}
#
# <details><summary>Hint</summary>
# Each broken rule has one cause. Follow one number through the code: which positions are searched, how is a place in
# the sequence converted, and what is the value of <code>null</code> after the last window?
# </details>
# <details><summary>Common error</summary>
# Fixing the search and forgetting the shift: <code>best_span</code> counts from the beginning of
# the slice that you pass to it.
# </details>
# <details><summary>Why the lowest score of "no answer"?</summary>
# If the answer is in only one of five windows, the other four rightly have a high score of "no answer". The window with
# the answer has the lowest one. So the passage has no answer only if every window says so.
# </details>


# %% nb="solution mend"
def answer_question(windows, threshold):
    """Return (start, end) of the passage's best span, or () if "no answer" scores higher by more than threshold."""
    ### BEGIN SOLUTION
    best, null = (0, 0, -np.inf), np.inf
    for begin, first, start_logits, end_logits in windows:
        null = min(null, start_logits[0] + end_logits[0])
        start, end, score = best_span(start_logits[first:-1], end_logits[first:-1], 30)
        if score > best[2]:
            best = begin + start, begin + end, score
    return () if null - best[2] > threshold else best[:2]
    ### END SOLUTION


# %% nb="tests mend-1 1"
check.answer_question.bug(1)(answer_question)
### BEGIN HIDDEN TESTS
check.answer_question.bug(1)(answer_question, seed=1618, hidden=True)
### END HIDDEN TESTS

# %% nb="tests mend-2 1"
check.answer_question.bug(2)(answer_question)
### BEGIN HIDDEN TESTS
check.answer_question.bug(2)(answer_question, seed=2718, hidden=True)
### END HIDDEN TESTS

# %% nb="tests mend-3 1"
check.answer_question.bug(3)(answer_question)
### BEGIN HIDDEN TESTS
check.answer_question.bug(3)(answer_question, seed=3141, hidden=True)
### END HIDDEN TESTS

# %% [markdown]
# ## Your functions answer questions in English
#
# A check runs your functions on made-up scores. Here you run them on the scores of a model that was pretrained on
# English text and fine-tuned on SQuAD. It only returns two scores for each position: **your** `split_passage` makes the
# windows, **your** `answer_question` and `best_span` find the answer, and **your** `exact_match_and_f1` compares it
# with the package's answer. This gives no points and takes a few seconds. Then ask your own questions about your own
# text. (If the English model is not available, a message says so, and an untrained model replaces it; your answers and
# the package's still agree. In a text of several windows they may differ, because the package prefers the window that
# shows the most context around a token.)

# %%
import minibert
from minibert.course.models.class_model import untrained_model

passage = ("Ada Lovelace was born in London in 1815. In 1843 she published notes on a machine that Charles "
           "Babbage had designed, with a program that computes Bernoulli numbers.")
questions = ["Who designed the machine?", "When was Ada Lovelace born?", "What does the program compute?"]
english = minibert.load("english-qa", instead=untrained_model("qa"))
task, text = english.task, english.tokenizer.encode(passage)

for question in questions:
    asked = english.tokenizer.encode(question).ids
    room = task.max_length - len(asked) - 3                     # [CLS] question [SEP] window [SEP]
    parts = split_passage(text.ids, None, room, (room + 1) // 2)
    logits = task.logits(english.model, [(asked, window) for _, window, _ in parts])   # (T, 2) each
    scored = [(begin, len(asked) + 2, *scores.astype(float).T) for (begin, *_), scores in zip(parts, logits)]
    found = answer_question(scored, task.threshold if task.unanswerable else np.inf)
    mine = passage[text.offsets[found[0]][0]:text.offsets[found[1]][1]] if found else ""
    package = english.predict(question=question, context=passage)
    exact, f1 = exact_match_and_f1(mine, [package])
    print(f"{question}\n   yours: {mine!r}, the package: {package!r}, exact match {exact:.0f}, F1 {f1:.2f}")

# %% [markdown] nb="read end"
# ## Done
#
# This is all that BERT needs to find an answer: two scores for each position, a search, windows and a
# threshold. In the package, `minibert/tasks/qa.py` combines these steps, and `minibert/data/spans.py` contains
# the span and window functions.
#
# **Before you hand in**: restart the kernel and run all cells, or let `minibert doctor` check your notebook.
#
# **Read on**: Devlin et al. (2019), *BERT*, [arXiv 1810.04805](https://arxiv.org/abs/1810.04805), sections 4.2 and 4.3.
# Rajpurkar et al. (2016), *SQuAD*, [arXiv 1606.05250](https://arxiv.org/abs/1606.05250), section 6.1, and (2018), *Know
# What You Don't Know*, [arXiv 1806.03822](https://arxiv.org/abs/1806.03822).
