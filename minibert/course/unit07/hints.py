"""Three hints for each exercise of unit 07, from a first nudge to almost the complete code.

`check.NAME.hint()` shows the next one.
"""

HINTS = {
    "span_loss": (
        "It is the loss of a classifier, computed twice: which of T positions is the first, and which is "
        "the last? What is minus the logarithm of the right position's probability?",
        "Write a helper for one end. Subtract each row's maximum; then the log-softmax is the score minus "
        "the logarithm of the sum of exp, and nothing can overflow. Select the right position of each row, "
        "and return minus the mean. Call the helper twice.",
        "`logits = logits - logits.max(-1, keepdims=True)`; `logs = logits - "
        "np.log(np.exp(logits).sum(-1, keepdims=True))`; the loss of one end is "
        "`-logs[np.arange(len(places)), places].mean()`. Return half of the sum of both.",
    ),
    "best_span": (
        "Which pairs (start, end) are allowed? Try each of them, and keep the best one so far.",
        "You need two loops, with T = len(start_logits): `start` runs from 0 to T - 1, and `end` from "
        "`start` to longest - 1 positions further, but not beyond T - 1.",
        "`T = len(start_logits)`; `for end in range(start, min(start + longest, T))`; if "
        "`start_logits[start] + end_logits[end] > best[2]`, this is the new best. Begin with "
        "`best = (0, 0, -np.inf)`.",
    ),
    "test_best_span": (
        "Write four or five small inputs by hand, each made so that one kind of mistake "
        "gives a different answer.",
        "Test a best end before the best start, a best pair without the best start, negative "
        "scores, an answer of one token, and two good ends of which one is just too far away. "
        "Compare all three results.",
        "`assert best_span(np.array([0.0, 9, 0]), np.array([9.0, 0, 0]), 3)[:2] == (0, 0)` catches a "
        "separate maximum for each end: (0, 0) and (1, 1) both score 9, and the first one wins.",
    ),
    "split_passage": (
        "Go through the passage in steps of `stride`. When do you stop? And how do you convert a place in "
        "the passage to a place in a window that begins at `begin`?",
        "Stop after the first window that reaches the end of the passage. The answer is inside a window if "
        "its first token is not before the window's first, and its last token not after the window's last.",
        "Start with `begin = 0`. In a loop: `window = pieces[begin:begin + room]`; append `(begin, window, "
        "place)`, where place is `(first - begin, last - begin)` or None; stop if `begin + room >= "
        "len(pieces)`; otherwise `begin += stride`.",
    ),
    "exact_match_and_f1": (
        "First write a helper that normalises a text: lower case, then punctuation, then articles. It "
        "returns a list of words. After that, each score is one line.",
        "`Counter(a) & Counter(b)` keeps the smaller count of each word; add these up to get the common "
        "words. What is F1 if one list is empty, or both are?",
        "`text = ''.join(c for c in text.lower() if c not in string.punctuation)`; `[w for w in "
        "text.split() if w not in ('a', 'an', 'the')]`. Exact match is `float(a == b)`, and so is F1 if a "
        "or b is empty. Take the max over gold for each score.",
    ),
    "answer_question": (
        "`check.answer_question.examine(...)` shows which rules hold and which do not. Start with one that "
        "is BROKEN, and find the line that breaks it.",
        "Follow one number through the code. Which positions are searched? From where does `best_span` "
        "count them? What is the value of `null` after the last window?",
        "You need three changes: search from `first`, not from 1; add `begin` to the results of `best_span` "
        "instead of `1 - first`; and let `null` be the lowest score so far.",
    ),
}
