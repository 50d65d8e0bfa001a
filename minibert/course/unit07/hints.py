"""Hints for the exercises of unit 07, from a first idea to nearly complete code."""

HINTS = {
    "span_loss": (
        "It is the loss of a classifier, computed twice: which of the T positions is the answer's first, and "
        "which is its last? The loss is minus the logarithm of the correct position's probability.",
        "Write a helper for the start or the end. Subtract each row's maximum, so that nothing overflows. "
        "The log-softmax is the score minus the logarithm of the sum of exp. Select the correct position of "
        "each row, and return minus the mean. Call the helper twice.",
        "`logits = logits - logits.max(-1, keepdims=True)`; `logs = logits - np.log(np.exp(logits).sum(-1, "
        "keepdims=True))`; the loss of the starts or ends is `-logs[np.arange(len(places)), places].mean()`. "
        "Return half of the sum of the two losses.",
    ),
    "best_span": (
        "Which pairs (start, end) are allowed? Try each of them, and keep the best one so far.",
        "You need two loops, with T = len(start_logits): `start` runs from 0 to T - 1, and `end` runs from "
        "`start` to start + longest - 1, but not beyond T - 1.",
        "Begin with `best = (0, 0, -np.inf)`. The inner loop is `for end in range(start, min(start + "
        "longest, T))`. If `start_logits[start] + end_logits[end] > best[2]`, replace `best` by this span.",
    ),
    "test_best_span": (
        "Write four or five small inputs by hand, each of which gives a different result for one particular "
        "mistake.",
        "Test a best end before the best start, a best pair without the best start, negative scores, an "
        "answer of one token, and two high end scores, one of which is just too far away. Compare all three "
        "results.",
        "`assert best_span(np.array([0.0, 9, 0]), np.array([9.0, 0, 0]), 3)[:2] == (0, 0)` catches a "
        "function that takes each maximum separately. Here (0, 0) and (1, 1) both score 9, and the first one "
        "is kept.",
    ),
    "split_passage": (
        "Go through the passage in steps of `stride`. When do you stop? And how do you convert a position in "
        "the passage to a position in a window that begins at `begin`?",
        "Stop after the first window that reaches the end of the passage. The answer is inside a window if "
        "its first token is not before the window's first token, and its last token is not after the "
        "window's last token.",
        "Start with `begin = 0`. In a loop, let `window = pieces[begin:begin + room]` and append `(begin, "
        "window, place)`, where place is `(first - begin, last - begin)` or None. Stop if `begin + room >= "
        "len(pieces)`; otherwise use `begin += stride`.",
    ),
    "exact_match_and_f1": (
        "First write a helper that normalises a text: convert it to lower case, remove punctuation, then "
        "remove articles. It returns a list of words. After that, each score takes only one line.",
        "`Counter(a) & Counter(b)` keeps the smaller count of each word. Add up these counts to get the "
        "number of common words. What is F1 if one list is empty, or both are?",
        "`text = ''.join(c for c in text.lower() if c not in string.punctuation)`; `[w for w in text.split() "
        "if w not in ('a', 'an', 'the')]`. Exact match is `float(a == b)`, and so is F1 if a or b is empty. "
        "Take the maximum of each score over `gold`.",
    ),
    "answer_question": (
        "`check.answer_question.examine(...)` shows which rules the code breaks. Start with one that is "
        "BROKEN, and find the line that breaks it.",
        "Follow one index through the code. Which positions are searched? From which position does "
        "`best_span` count? What is the value of `null` after the last window?",
        "You need three changes: search from `first`, not from 1; add `begin` to the results of `best_span` "
        "instead of `1 - first`; and let `null` be the lowest score so far.",
    ),
}
