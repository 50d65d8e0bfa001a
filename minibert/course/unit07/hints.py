"""Three hints for each exercise of unit 07, from a nudge to almost the whole line.

`check.NAME.hint()` shows the next one.
"""

HINTS = {
    "span_loss": (
        "It is the loss of a classifier, twice: which of T positions is the first, and which the last? What "
        "is minus the logarithm of the right one's share?",
        "Write a helper for one end: subtract each row's maximum; the logarithm of the softmax is then the "
        "score minus the logarithm of the sum of exp, and neither can overflow. Pick the right position of "
        "each row, take the mean, with a minus. Call it twice.",
        "`logits = logits - logits.max(-1, keepdims=True)`; `logs = logits - np.log(np.exp(logits).sum(-1, "
        "keepdims=True))`; one end's loss is `-logs[np.arange(len(places)), places].mean()`. Return half of "
        "the sum of both.",
    ),
    "best_span": (
        "Which pairs (start, end) are allowed at all? Try each of them, and keep the best one so far.",
        "Two loops, with T = len(start_logits): start from 0 to T - 1; end from start up to longest - 1 "
        "places further, but not beyond T - 1.",
        "`T = len(start_logits)`; `for end in range(start, min(start + longest, T))`; where "
        "`start_logits[start] + end_logits[end] > best[2]`, that is the new best. Begin with `best = (0, 0, "
        "-np.inf)`.",
    ),
    "test_best_span": (
        "Four or five small inputs by hand, each made so that one kind of mistake gives another answer.",
        "A best end before the best start; the best pair without the best start; scores all negative; an "
        "answer of one piece; two good ends, one of them just too far away. Compare all three results.",
        "`assert best_span(np.array([0.0, 9, 0]), np.array([9.0, 0, 0]), 3)[:2] == (0, 0)` catches separate "
        "maxima: (0, 0) and (1, 1) both score 9, and the first counts.",
    ),
    "split_passage": (
        "Walk through the passage in steps of `stride`. When is the walk over? And where does a place of the "
        "passage lie in a window that begins at `begin`?",
        "Stop after the first window whose end reaches the end of the passage. The answer is inside where "
        "begin <= first and last < begin + number of pieces in the window.",
        "`begin = 0`, then in a loop: `window = pieces[begin:begin + room]`; append `(begin, window, place)` "
        "with place `(first - begin, last - begin)` or None; stop if `begin + room >= len(pieces)`; `begin "
        "+= stride`.",
    ),
    "exact_match_and_f1": (
        "First a helper that makes a text comparable: lower case, then punctuation, then articles, as a list "
        "of words. After that, each score is a line.",
        "Common words: `Counter(a) & Counter(b)` keeps the smaller number of each. F1 = 2 * common / (len(a) "
        "+ len(b)). What if both lists are empty, or one?",
        "`text = ''.join(c for c in text.lower() if c not in string.punctuation)`; `[w for w in text.split() "
        "if w not in ('a', 'an', 'the')]`. Exact is `float(a == b)`; F1 is the same where a or b is empty. "
        "Take the max over gold, for each of the two.",
    ),
    "answer_question": (
        "`check.answer_question.examine(...)` says what holds and what does not. Take one sentence that is "
        "BROKEN, and find the line that it is about.",
        "Follow one number through: which positions are searched, from what does `best_span` count them, and "
        "what does `null` hold after the last window?",
        "Three changes: search from `first` on, not from 1; add `begin` to what `best_span` gives, instead "
        "of `1 - first`; and let `null` be the lowest score so far.",
    ),
}
