"""Answers to the assignment of unit 07. They use what its notebook offers: np, string, Counter, by_name, and
earlier answers.
"""

from . import Bank, changed

LOSS_SOLUTION = """
def span_loss(start_logits, end_logits, starts, ends):
    def one_end(logits, places):
        logits = logits - logits.max(axis=-1, keepdims=True)
        logs = logits - np.log(np.exp(logits).sum(axis=-1, keepdims=True))
        return -logs[np.arange(len(places)), places].mean()
    return (one_end(start_logits, starts) + one_end(end_logits, ends)) / 2
"""
BOTH = "(one_end(start_logits, starts) + one_end(end_logits, ends)) / 2"
LOGS = "logits - np.log(np.exp(logits).sum(axis=-1, keepdims=True))"

LOSS = Bank(
    right={
        "the solution": LOSS_SOLUTION,
        "loops": """
            def span_loss(start_logits, end_logits, starts, ends):
                total = 0.0
                for scores, places in ((start_logits, starts), (end_logits, ends)):
                    for row, place in zip(scores, places):
                        high = max(row)
                        total += np.log(sum(np.exp(score - high) for score in row)) + high - row[place]
                return total / (2 * len(starts))
            """,
        "logaddexp, one array": """
            def span_loss(start_logits, end_logits, starts, ends):
                logits = np.stack([start_logits, end_logits]).astype(np.float64)
                right = np.stack([starts, ends])
                picked = np.take_along_axis(logits, right[..., None], axis=-1)[..., 0]
                return float((np.logaddexp.reduce(logits, axis=-1) - picked).mean())
            """,
        "float32": changed(
            LOSS_SOLUTION, ("    logits = logits -", "    logits = logits.astype(np.float32) -")
        ),
        "torch": """
            def span_loss(start_logits, end_logits, starts, ends):
                import torch
                from torch.nn.functional import cross_entropy
                one = cross_entropy(torch.tensor(start_logits), torch.tensor(starts))
                return ((one + cross_entropy(torch.tensor(end_logits), torch.tensor(ends))) / 2).item()
            """,
    },
    wrong={
        "no return": (changed(LOSS_SOLUTION, ("return (", "(")), "`return` missing"),
    },
)

SPAN_SOLUTION = """
def best_span(start_logits, end_logits, longest):
    T, best = len(start_logits), (0, 0, -np.inf)
    for start in range(T):
        for end in range(start, min(start + longest, T)):
            score = start_logits[start] + end_logits[end]
            if score > best[2]:
                best = start, end, score
    return best
"""
ENDS, SCORE = "range(start, min(start + longest, T))", "start_logits[start] + end_logits[end]"

SPAN = Bank(
    right={
        "the solution": SPAN_SOLUTION,
        "a matrix": """
            def best_span(start_logits, end_logits, longest):
                T = len(start_logits)
                i, j = np.arange(T)[:, None], np.arange(T)[None, :]
                scores = np.where((i <= j) & (j - i < longest), start_logits[:, None] + end_logits[None, :],
                                  -np.inf)
                start, end = np.unravel_index(scores.argmax(), scores.shape)
                return start, end, scores[start, end]
            """,
        "sorted": """
            def best_span(start_logits, end_logits, longest):
                spans = [(-(s + e), i, j) for i, s in enumerate(start_logits)
                         for j, e in enumerate(end_logits)
                         if 0 <= j - i <= longest - 1]
                score, start, end = min(spans)
                return start, end, -score
            """,
        "best end of each start": """
            def best_span(start_logits, end_logits, longest):
                ends = [i + int(np.argmax(end_logits[i:i + longest])) for i in range(len(start_logits))]
                scores = [start_logits[i] + end_logits[j] for i, j in enumerate(ends)]
                start = int(np.argmax(scores))
                return start, ends[start], float(scores[start])
            """,
        "float32": changed(
            SPAN_SOLUTION, ("T, best", "start_logits = np.float32(start_logits)\n    T, best")
        ),
    },
    wrong={
        "past the last position": (
            changed(SPAN_SOLUTION, (ENDS, "range(start, start + longest)")),
            "past the last position",
        ),
        "each by itself": (
            """
            def best_span(start_logits, end_logits, longest):
                start, end = start_logits.argmax(), end_logits.argmax()
                return start, end, start_logits[start] + end_logits[end]
            """,
            "each by itself",
        ),
        "swapped": (
            """
            def best_span(start_logits, end_logits, longest):
                start, end = start_logits.argmax(), end_logits.argmax()
                score = start_logits[start] + end_logits[end]
                return min(start, end), max(start, end), score
            """,
            "swapped where they are",
        ),
        "start first": (
            """
            def best_span(start_logits, end_logits, longest):
                start = int(start_logits.argmax())
                end = start + int(end_logits[start:start + longest].argmax())
                return start, end, start_logits[start] + end_logits[end]
            """,
            "best start, then the best end",
        ),
        "end first": (
            """
            def best_span(start_logits, end_logits, longest):
                end = int(end_logits.argmax())
                low = max(0, end + 1 - longest)
                start = low + int(start_logits[low:end + 1].argmax())
                return start, end, start_logits[start] + end_logits[end]
            """,
            "best end, then the best start",
        ),
        "end behind": (
            changed(SPAN_SOLUTION, ("return best", "return best[0], best[1] + 1, best[2]")),
            "one too high",
        ),
    },
)

TEST_SOLUTION = """
@by_name
def test_best_span(best_span):
    start, end = np.array([1.0, 0.0, 5.0, 0.0]), np.array([0.0, 6.0, 0.0, 3.0])
    assert best_span(start, end, 4) == (2, 3, 8.0)
    assert best_span(start, end, 1) == (1, 1, 6.0)
    assert best_span(start - 9, end - 9, 4) == (2, 3, -10.0)
    far, end = np.array([6.0, 0, 0, 0, 0]), np.array([0, 0, 1.0, 4.0, 9.0])
    assert best_span(far, end, 5) == (0, 4, 15.0)
    assert best_span(far, end, 4) == (0, 3, 10.0)
    assert best_span(np.array([4.0, 5.0, 0]), np.array([6.0, 0, 0]), 3) == (0, 0, 10.0)
    assert best_span(np.array([0, 6.0, 0]), np.array([5.0, 0, 4.0]), 3) == (1, 2, 10.0)
"""
FAR5, FAR4 = (
    "    assert best_span(far, end, 5) == (0, 4, 15.0)\n",
    "    assert best_span(far, end, 4) == (0, 3, 10.0)\n",
)
SINGLE = "    assert best_span(start, end, 1) == (1, 1, 6.0)\n"
NEGATIVE = "    assert best_span(start - 9, end - 9, 4) == (2, 3, -10.0)\n"
THREE, TWO = (
    "    assert best_span(np.array([4.0, 5.0, 0]), np.array([6.0, 0, 0]), 3) == (0, 0, 10.0)\n",
    "    assert best_span(np.array([0, 6.0, 0]), np.array([5.0, 0, 4.0]), 3) == (1, 2, 10.0)\n",
)

TEST = Bank(
    right={
        "the solution": TEST_SOLUTION,
        "all pairs by hand": """
            @by_name
            def test_best_span(best_span):
                rng = np.random.default_rng(0)
                for n in range(1, 9):
                    for longest in range(1, 9):
                        s, e = rng.normal(-1, 3, (2, n))
                        i, j, score = best_span(s, e, longest)
                        allowed = {(a, b): s[a] + e[b] for a in range(n)
                                   for b in range(a, min(n, a + longest))}
                        assert (i, j) in allowed and np.isclose(score, allowed[i, j])
                        assert np.isclose(score, max(allowed.values()))
            """,
        "isclose": changed(
            TEST_SOLUTION,
            (
                "assert best_span(start - 9, end - 9, 4) == (2, 3, -10.0)",
                "assert np.allclose(best_span(start - 9, end - 9, 4), (2, 3, -10))",
            ),
        ),
        "raises": """
            @by_name
            def test_best_span(best_span):
                def must(start, end, longest, wanted):
                    if tuple(best_span(np.array(start), np.array(end), longest)) != wanted:
                        raise ValueError(f"not {wanted}")
                must([1.0, 0, 5, 0], [0.0, 6, 0, 3], 4, (2, 3, 8))
                must([1.0, 0, 5, 0], [0.0, 6, 0, 3], 1, (1, 1, 6))
                must([-8.0, -9, -4, -9], [-9.0, -3, -9, -6], 4, (2, 3, -10))
                must([6.0, 0, 0, 0, 0], [0.0, 0, 1, 4, 9], 5, (0, 4, 15))
                must([6.0, 0, 0, 0, 0], [0.0, 0, 1, 4, 9], 4, (0, 3, 10))
                must([4.0, 5, 0], [6.0, 0, 0], 3, (0, 0, 10))
                must([0.0, 6, 0], [5.0, 0, 4], 3, (1, 2, 10))
            """,
    },
    wrong={
        "nothing": ("@by_name\ndef test_best_span(best_span):\n    pass", "catches 0 of 7"),
        "one example": (
            "@by_name\ndef test_best_span(best_span):\n"
            "    assert best_span(np.array([1.0, 2.0]), np.array([0.0, 3.0]), 2) == (1, 1, 5.0)",
            "wrong versions",
        ),
        "places only": (
            """
            @by_name
            def test_best_span(best_span):
                start, end = np.array([1.0, 0.0, 5.0, 0.0]), np.array([0.0, 6.0, 0.0, 3.0])
                assert best_span(start, end, 4)[:2] == (2, 3)
                assert best_span(start, end, 1)[:2] == (1, 1)
                assert best_span(start - 9, end - 9, 4)[:2] == (2, 3)
                far, end = np.array([6.0, 0, 0, 0, 0]), np.array([0, 0, 1.0, 4.0, 9.0])
                assert best_span(far, end, 4)[:2] == (0, 3)
                assert best_span(np.array([4.0, 5.0, 0]), np.array([6.0, 0, 0]), 3)[:2] == (0, 0)
            """,
            "half the score",
        ),
        "never too long": (changed(TEST_SOLUTION, (FAR4, ""), (SINGLE, "")), "`longest`"),
        "no negative": (changed(TEST_SOLUTION, (NEGATIVE, "")), "score of 0"),
        "a wrong example": (
            changed(TEST_SOLUTION, ("(2, 3, 8.0)", "(2, 1, 11.0)")),
            "rejects a right version",
        ),
        "the same type": (
            changed(TEST_SOLUTION, (FAR5, FAR5 + "    assert type(best_span(far, end, 5)[2]) is float\n")),
            "rejects a right version",
        ),
        "returns": (changed(TEST_SOLUTION, (TWO, TWO + "    return True\n")), "returns a value"),
        "no end first": (
            """
            @by_name
            def test_best_span(best_span):
                start, end = np.array([4.0, 5.0, 0]), np.array([6.0, 0, 0])
                assert best_span(start, end, 3) == (0, 0, 10.0)
                assert best_span(start - 20, end, 3) == (0, 0, -10.0)
                assert best_span(np.array([6.0, 0, 0, 0]), np.array([0, 0, 0, 9.0]), 3) == (1, 3, 9.0)
            """,
            "takes the best end, and then",
            "hidden",
        ),
    },
)

SPLIT_SOLUTION = """
def split_passage(pieces, answer, room, stride):
    windows, begin = [], 0
    while True:
        window, place = pieces[begin:begin + room], None
        if answer is not None and begin <= answer[0] and answer[1] < begin + len(window):
            place = (answer[0] - begin, answer[1] - begin)
        windows.append((begin, window, place))
        if begin + room >= len(pieces):
            return windows
        begin += stride
"""
INSIDE = "begin <= answer[0] and answer[1] < begin + len(window)"
STOP, MADE = "begin + room >= len(pieces)", "windows.append((begin, window, place))"

SPLIT = Bank(
    right={
        "the solution": SPLIT_SOLUTION,
        "range": """
            def split_passage(pieces, answer, room, stride):
                def place(begin, end):
                    inside = answer and begin <= answer[0] and answer[1] < end
                    return (answer[0] - begin, answer[1] - begin) if inside else None
                return [(b, pieces[b:b + room], place(b, b + room))
                        for b in range(0, max(0, len(pieces) - room) + stride, stride)]
            """,
        "sets": """
            def split_passage(pieces, answer, room, stride):
                out = []
                for begin in range(0, len(pieces), stride):
                    inside = list(range(begin, min(begin + room, len(pieces))))
                    place = None
                    if answer is not None and {*range(answer[0], answer[1] + 1)} <= {*inside}:
                        place = inside.index(answer[0]), inside.index(answer[1])
                    out.append((begin, [pieces[i] for i in inside], place))
                    if inside[-1] == len(pieces) - 1:
                        break
                return out
            """,
        "counted": """
            def split_passage(pieces, answer, room, stride):
                number = 1 + -(-max(0, len(pieces) - room) // stride)
                result = []
                for begin in np.arange(number) * stride:
                    window = np.array(pieces)[begin:begin + room]
                    ok = (answer is not None and min(answer) >= begin
                          and max(answer) <= begin + len(window) - 1)
                    place = tuple(int(a - begin) for a in answer) if ok else None
                    result.append((int(begin), window.tolist(), place))
                return tuple(result)
            """,
    },
    wrong={
        "None taken apart": (
            changed(
                SPLIT_SOLUTION, ("windows, begin = [], 0", "windows, begin, (first, last) = [], 0, answer")
            ),
            "`answer` is None if the passage holds no answer",
        ),
        "None indexed": (
            changed(SPLIT_SOLUTION, ("answer is not None and ", "")),
            "`answer` is None if the passage holds no answer",
        ),
        "every stride": (changed(SPLIT_SOLUTION, (STOP, "begin + stride >= len(pieces)")), "window too many"),
        "the rest lost": (
            changed(SPLIT_SOLUTION, (STOP, "begin + stride + room > len(pieces)")),
            "rest of the passage",
        ),
        "clipped": (
            changed(
                SPLIT_SOLUTION,
                (INSIDE, "answer[0] < begin + len(window) and begin <= answer[1]"),
                (
                    "(answer[0] - begin, answer[1] - begin)",
                    "(max(answer[0] - begin, 0), min(answer[1] - begin, len(window) - 1))",
                ),
            ),
            "Half an answer",
        ),
        "every stride, no begin": (
            changed(
                SPLIT_SOLUTION,
                (STOP, "begin + stride >= len(pieces)"),
                (MADE, "windows.append((window, place))"),
            ),
            "two mistakes at once",
        ),
    },
)

SCORE_SOLUTION = """
def exact_match_and_f1(answer, gold):
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
"""
COMMON, F1 = "sum((Counter(a) & Counter(b)).values())", "2 * common / (len(a) + len(b))"
MANY = '        return [word for word in text.split() if word not in ("a", "an", "the")]'

SCORE = Bank(
    right={
        "the solution": SCORE_SOLUTION,
        "regular expressions": """
            import re
            def exact_match_and_f1(answer, gold):
                def normal(text):
                    text = text.lower().translate(str.maketrans("", "", string.punctuation))
                    return " ".join(re.sub(r"\\b(a|an|the)\\b", " ", text).split())
                def f1(reference):
                    a, b = normal(answer).split(), normal(reference).split()
                    if not a or not b:
                        return int(a == b)
                    same = sum(min(a.count(word), b.count(word)) for word in set(a))
                    return 0 if same == 0 else 2 / (len(a) / same + len(b) / same)
                return int(normal(answer) in map(normal, gold)), max(map(f1, gold))
            """,
        "removing": """
            def exact_match_and_f1(answer, gold):
                def words(text):
                    for sign in string.punctuation:
                        text = text.replace(sign, "")
                    found = text.lower().split()
                    for article in ("a", "an", "the"):
                        while article in found:
                            found.remove(article)
                    return found
                best = [0.0, 0.0]
                for reference in gold:
                    mine, theirs = words(answer), words(reference)
                    if mine == theirs:
                        return 1.0, 1.0
                    left, hits = list(theirs), 0
                    for word in mine:
                        if word in left:
                            left.remove(word)
                            hits += 1
                    if hits:
                        p, r = hits / len(mine), hits / len(theirs)
                        best[1] = max(best[1], 2 * p * r / (p + r))
                return tuple(best)
            """,
        "NumPy": changed(
            SCORE_SOLUTION, ("return max(exact), max(f1)", "return np.max(exact), np.float64(np.max(f1))")
        ),
    },
    wrong={
        "articles out of the text": (
            changed(
                SCORE_SOLUTION,
                (
                    MANY,
                    "        for article in ('a', 'an', 'the'):\n"
                    "            text = text.replace(article, '')\n        return "
                    "text.split()",
                ),
            ),
            "out of the middle of words",
        ),
        "capitals": (changed(SCORE_SOLUTION, ("text.lower()", "text")), "capitals count"),
        "punctuation": (
            changed(SCORE_SOLUTION, (" if c not in string.punctuation", "")),
            "punctuation counts",
        ),
        "nothing": (
            changed(
                SCORE_SOLUTION,
                (MANY, "        return text.split()"),
                ('"".join(c for c in text.lower() if c not in string.punctuation)', "text"),
            ),
            "nothing is normalised",
        ),
        "sets": (
            changed(
                SCORE_SOLUTION,
                (COMMON, "len(set(a) & set(b))"),
                ("(len(a) + len(b))", "(len(set(a)) + len(set(b)))"),
            ),
            "compare counts, not sets",
        ),
        "articles, and the first": (
            changed(
                SCORE_SOLUTION,
                (MANY, "        return text.split()"),
                ("max(exact), max(f1)", "exact[0], f1[0]"),
            ),
            "two mistakes at once",
        ),
    },
)

MEND_SOLUTION = """
def answer_question(windows, threshold):
    best, null = (0, 0, -np.inf), np.inf
    for begin, first, start_logits, end_logits in windows:
        null = min(null, start_logits[0] + end_logits[0])
        start, end, score = best_span(start_logits[first:-1], end_logits[first:-1], 30)
        if score > best[2]:
            best = begin + start, begin + end, score
    return () if null - best[2] > threshold else best[:2]
"""
QUESTION = [
    ("[first:-1]", "[1:-1]", 2),
    ("begin + start, begin + end", "begin + 1 - first + start, begin + 1 - first + end"),
]
LAST = [("min(null, start_logits[0] + end_logits[0])", "start_logits[0] + end_logits[0]")]
UNSHIFTED = [("begin + start, begin + end", "start, end")]
NOT_YET = "this does not hold yet"

MEND = Bank(
    right={
        "the solution": MEND_SOLUTION,
        "positions of the row": changed(
            MEND_SOLUTION,
            *QUESTION,
            ("[1:-1]", "[first:len(start_logits) - 1]", 2),
            ("begin + 1 - first + start, begin + 1 - first + end", "start + begin, end + begin"),
        ),
        "lists": """
            def answer_question(windows, threshold):
                none = min(start[0] + end[0] for _, _, start, end in windows)
                found = [(begin, *best_span(start[first:-1], end[first:-1], 30))
                         for begin, first, start, end in windows]
                begin, start, end, score = max(found, key=lambda span: span[3])
                return (begin + start, begin + end) if none - score <= threshold else ()
            """,
        "its own search": """
            def answer_question(windows, threshold):
                spans = []
                for begin, first, start_logits, end_logits in windows:
                    T = len(start_logits) - 1
                    for i in range(first, T):
                        for j in range(i, min(i + 30, T)):
                            spans.append((start_logits[i] + end_logits[j], begin + i - first,
                                          begin + j - first))
                score, start, end = max(spans)
                quiet = np.inf
                for window in windows:
                    quiet = min(quiet, window[2][0] + window[3][0])
                if quiet > score + threshold:
                    return ()
                return int(start), int(end)
            """,
    },
    wrong={
        "bug 1 left": (changed(MEND_SOLUTION, *QUESTION), NOT_YET, 1),
        "bug 2 left": (changed(MEND_SOLUTION, *LAST), NOT_YET, 1),
        "bug 3 left": (changed(MEND_SOLUTION, *UNSHIFTED), NOT_YET, 1),
        "bugs 1 and 2 left": (changed(MEND_SOLUTION, *QUESTION, *LAST), NOT_YET, 2),
        "bugs 2 and 3 left": (changed(MEND_SOLUTION, *LAST, *UNSHIFTED), NOT_YET, 2),
        "nothing mended": (
            changed(
                MEND_SOLUTION,
                *LAST,
                ("[first:-1]", "[1:-1]", 2),
                ("begin + start, begin + end", "start + 1 - first, end + 1 - first"),
            ),
            NOT_YET,
            3,
        ),
        "the highest": (
            changed(MEND_SOLUTION, ("min(null,", "max(null,"), ("-np.inf), np.inf", "-np.inf), -np.inf")),
            "something else has changed",
        ),
        "shifted twice": (
            changed(
                MEND_SOLUTION, ("begin + start, begin + end", "begin + first + start, begin + first + end")
            ),
            "something else has changed",
        ),
        "the threshold turned": (
            changed(MEND_SOLUTION, ("null - best[2] > threshold", "best[2] - null > threshold")),
            "something else has changed",
        ),
        "the last window": (
            changed(MEND_SOLUTION, ("if score > best[2]:", "if True:")),
            "something else has changed",
        ),
    },
)

BANK = {
    "span_loss": LOSS,
    "best_span": SPAN,
    "test_best_span": TEST,
    "split_passage": SPLIT,
    "exact_match_and_f1": SCORE,
    "answer_question": MEND,
}
