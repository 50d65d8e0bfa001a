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

PICKED = "-logs[np.arange(len(places)), places].mean()"


def of_probabilities(pick):
    """The loss by probabilities, from which `pick` makes a row's loss p -> -log p."""
    return changed(
        LOSS_SOLUTION,
        (f"logs = {LOGS}", "e = np.exp(logits)\n        p = e / e.sum(axis=-1, keepdims=True)"),
        (PICKED, "(" + pick.replace("P", "p[np.arange(len(places)), places]") + ").mean()"),
    )


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
        "logsumexp of SciPy": """
            from scipy.special import logsumexp
            def span_loss(start_logits, end_logits, starts, ends):
                rows = range(len(starts))
                return 0.5 * sum(np.mean(logsumexp(x, axis=1) - x[rows, y])
                                 for x, y in ((start_logits, starts), (end_logits, ends)))
            """,
        "PyTorch, both ends in one batch": """
            import torch
            def span_loss(start_logits, end_logits, starts, ends):
                logits = torch.cat([torch.as_tensor(start_logits), torch.as_tensor(end_logits)])
                return torch.nn.CrossEntropyLoss()(logits, torch.as_tensor(np.r_[starts, ends]))
            """,
    },
    wrong={
        "no return": (changed(LOSS_SOLUTION, ("return (", "(")), "`return` missing"),
        "the logarithm of a probability": (of_probabilities("-np.log(P)"), "becomes 0, and its logarithm"),
        "a one-hot product": (
            """
            def span_loss(start_logits, end_logits, starts, ends):
                T = start_logits.shape[1]
                def end(logits, places):
                    e = np.exp(logits - logits.max(1)[:, None])
                    return -np.log((e / e.sum(1)[:, None] * np.eye(T)[places]).sum(1))
                return np.mean(np.concatenate([end(start_logits, starts), end(end_logits, ends)]))
            """,
            "becomes 0, and its logarithm",
        ),
        "a small number inside": (of_probabilities("-np.log(P + 1e-9)"), "small number inside the logarithm"),
        "never below": (
            of_probabilities("-np.log(np.maximum(P, 1e-12))"),
            "small number inside the logarithm",
        ),
        "squared errors": (of_probabilities("(1 - P) ** 2"), "squared"),
        "one minus": (of_probabilities("1 - P"), "1 minus"),
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

# the places with which a search for the highest score begins

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
        "an array of three": changed(SPAN_SOLUTION, ("return best", "return np.array(best)")),
        "PyTorch": """
            import torch
            def best_span(start_logits, end_logits, longest):
                s, e = torch.tensor(start_logits), torch.tensor(end_logits)
                pairs = s[:, None] + e[None, :]
                allowed = torch.ones_like(pairs, dtype=torch.bool).triu().tril(longest - 1)
                where = pairs.masked_fill(~allowed, float("-inf")).flatten().argmax().item()
                start, end = divmod(where, len(s))
                return start, end, pairs[start, end]
            """,
    },
    wrong={
        "beyond the last position": (
            changed(SPAN_SOLUTION, (ENDS, "range(start, start + longest)")),
            "beyond the last position",
        ),
        "each by itself": (
            """
            def best_span(start_logits, end_logits, longest):
                start, end = start_logits.argmax(), end_logits.argmax()
                return start, end, start_logits[start] + end_logits[end]
            """,
            "separately. Together",
        ),
        "swapped": (
            """
            def best_span(start_logits, end_logits, longest):
                start, end = start_logits.argmax(), end_logits.argmax()
                score = start_logits[start] + end_logits[end]
                return min(start, end), max(start, end), score
            """,
            "and swap them if they are",
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
            "one too large",
        ),
        "short ones first": (
            """
            def best_span(start_logits, end_logits, longest):
                T, best = len(start_logits), (0, 0, -np.inf)
                for length in range(min(longest, T)):
                    for start in range(T - length):
                        score = start_logits[start] + end_logits[start + length]
                        if score > best[2]:
                            best = start, start + length, score
                return best
            """,
            "the shortest",
        ),
        "the two best of each": (
            """
            def best_span(start_logits, end_logits, longest):
                pairs = [(i, j, start_logits[i] + end_logits[j]) for i in np.argsort(-start_logits)[:2]
                         for j in np.argsort(-end_logits)[:2] if 0 <= j - i < longest]
                return max(pairs, key=lambda pair: pair[2]) if pairs else (0, 0, -np.inf)
            """,
            "only a few of the best",
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

PAIR = "    start, end = np.array([1.0, 0.0, 5.0, 0.0]), np.array([0.0, 6.0, 0.0, 3.0])\n"
HEAD = "@by_name\ndef test_best_span(best_span):\n" + PAIR

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
        "a table": """
            @by_name
            def test_best_span(best_span):
                for start, end, longest, wanted in (
                        ([1, 0, 5, 0], [0, 6, 0, 3], 4, (2, 3, 8)),
                        ([1, 0, 5, 0], [0, 6, 0, 3], 1, (1, 1, 6)),
                        ([-8, -9, -4, -9], [-9, -3, -9, -6], 4, (2, 3, -10)),
                        ([6, 0, 0, 0, 0], [0, 0, 1, 4, 9], 5, (0, 4, 15)),
                        ([6, 0, 0, 0, 0], [0, 0, 1, 4, 9], 4, (0, 3, 10)),
                        ([4, 5, 0], [6, 0, 0], 3, (0, 0, 10)),
                        ([0, 6, 0], [5, 0, 4], 3, (1, 2, 10))):
                    got = best_span(np.array(start, float), np.array(end, float), longest)
                    assert (got[0], got[1]) == wanted[:2] and abs(got[2] - wanted[2]) < 1e-6, (got, wanted)
            """,
        "NumPy's words": changed(
            TEST_SOLUTION,
            (
                "assert best_span(start, end, 4) == (2, 3, 8.0)",
                "np.testing.assert_allclose(best_span(start, end, 4), (2, 3, 8))",
            ),
        ),
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
            "rejects a correct version",
        ),
        "the same type": (
            changed(TEST_SOLUTION, (FAR5, FAR5 + "    assert type(best_span(far, end, 5)[2]) is float\n")),
            "rejects a correct version",
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
        "an assert of a pair": (
            HEAD + "    assert (best_span(start, end, 4) == (2, 3, 8.0), 'wrong')",
            "can never fail",
        ),
        "no assert": (HEAD + "    best_span(start, end, 4) == (2, 3, 8.0)", "can never fail"),
        "errors caught": (
            HEAD + "    try:\n        assert best_span(start, end, 4) == (2, 3, 8.0)\n"
            "    except AssertionError:\n        pass",
            "can never fail",
        ),
        "the score alone": (HEAD + "    assert best_span(start, end, 4)[2] == 8.0", "wrong versions"),
        "not None": (HEAD + "    assert best_span(start, end, 4) is not None", "catches 0 of 7"),
        "short enough": (
            HEAD + "    i, j, score = best_span(start, end, 2)\n    assert j - i < 2\n"
            "    assert best_span(start, end, 4) == (2, 3, 8.0)",
            "wrong versions",
        ),
        "a longest of 0": (
            HEAD + "    assert best_span(start, end, 0)[2] == -np.inf",
            "rejects a correct version",
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
        "lists": changed(
            SPLIT_SOLUTION,
            (MADE, "windows.append([begin, window, place])"),
            ("(answer[0] - begin, answer[1] - begin)", "[answer[0] - begin, answer[1] - begin]"),
        ),
        "a generator made a list": """
            def split_passage(pieces, answer, room, stride):
                def walk(begin=0):
                    inside = answer is not None and begin <= answer[0] and answer[1] - begin < room
                    place = tuple(a - begin for a in answer) if inside else None
                    yield begin, pieces[begin:begin + room], place
                    if begin + room < len(pieces):
                        yield from walk(begin + stride)
                return list(walk())
            """,
        "places found by flags": """
            def split_passage(pieces, answer, room, stride):
                flags = [answer is not None and answer[0] <= i <= answer[1] for i in range(len(pieces))]
                out, begin = [], 0
                while not out or out[-1][0] + room < len(pieces):
                    marked = [i for i, flag in enumerate(flags[begin:begin + room]) if flag]
                    whole = marked and len(marked) == sum(flags)
                    place = (marked[0], marked[-1]) if whole else None
                    out.append((begin, pieces[begin:begin + room], place))
                    begin += stride
                return out
            """,
    },
    wrong={
        "None taken apart": (
            changed(
                SPLIT_SOLUTION, ("windows, begin = [], 0", "windows, begin, (first, last) = [], 0, answer")
            ),
            "you use `answer` even if it is None",
        ),
        "None indexed": (
            changed(SPLIT_SOLUTION, ("answer is not None and ", "")),
            "you use `answer` even if it is None",
        ),
        "every stride": (
            changed(SPLIT_SOLUTION, (STOP, "begin + stride >= len(pieces)")),
            "too many windows",
        ),
        "the rest lost": (
            changed(SPLIT_SOLUTION, (STOP, "begin + stride + room > len(pieces)")),
            "end of the passage",
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
            "only part of the answer",
        ),
        "every stride, no begin": (
            changed(
                SPLIT_SOLUTION,
                (STOP, "begin + stride >= len(pieces)"),
                (MADE, "windows.append((window, place))"),
            ),
            "two mistakes at once",
        ),
        "filled up": (
            changed(
                SPLIT_SOLUTION,
                (
                    "        windows.append",
                    "        window = window + [None] * (room - len(window))\n        windows.append",
                ),
                (INSIDE, INSIDE.replace("len(window)", "room")),
            ),
            "you pad the last window",
        ),
        "one too far": (changed(SPLIT_SOLUTION, (STOP, "begin + room > len(pieces)")), "too many windows"),
        "no whole window": (
            """
            def split_passage(pieces, answer, room, stride):
                out = []
                for begin in range(0, len(pieces) - room + stride, stride):
                    inside = answer and begin <= answer[0] and answer[1] < begin + room
                    place = (answer[0] - begin, answer[1] - begin) if inside else None
                    out.append((begin, pieces[begin:begin + room], place))
                return out
            """,
            "shorter than `room`",
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

EXACT, APPENDED = "exact.append(float(a == b))", f"f1.append({F1} if a and b else float(a == b))"
CLEAN = '"".join(c for c in text.lower() if c not in string.punctuation)'

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
        "an array": changed(
            SCORE_SOLUTION, ("return max(exact), max(f1)", "return np.max([exact, f1], axis=1)")
        ),
        "the best pair": """
            def exact_match_and_f1(answer, gold):
                table = str.maketrans("", "", string.punctuation)
                def words(text):
                    return [w for w in text.lower().translate(table).split() if w not in {"a", "an", "the"}]
                def scores(reference):
                    a, b = Counter(words(answer)), Counter(words(reference))
                    both, exact = sum(a.values()) + sum(b.values()), words(answer) == words(reference)
                    return exact * 1.0, 2 * sum((a & b).values()) / both if both else 1.0
                return max(scores(reference) for reference in gold)
            """,
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
            "you remove articles inside other words",
        ),
        "capitals": (changed(SCORE_SOLUTION, ("text.lower()", "text")), "depend on capital letters"),
        "punctuation": (
            changed(SCORE_SOLUTION, (" if c not in string.punctuation", "")),
            "depend on punctuation",
        ),
        "nothing": (
            changed(
                SCORE_SOLUTION,
                (MANY, "        return text.split()"),
                ('"".join(c for c in text.lower() if c not in string.punctuation)', "text"),
            ),
            "you do not normalise the texts",
        ),
        "sets": (
            changed(
                SCORE_SOLUTION,
                (COMMON, "len(set(a) & set(b))"),
                ("(len(a) + len(b))", "(len(set(a)) + len(set(b)))"),
            ),
            "Use a Counter, not a set",
        ),
        "articles, and the first": (
            changed(
                SCORE_SOLUTION,
                (MANY, "        return text.split()"),
                ("max(exact), max(f1)", "exact[0], f1[0]"),
            ),
            "two mistakes at once",
        ),
        "where F1 is 1": (
            changed(
                SCORE_SOLUTION,
                (EXACT + "\n", "\n"),
                ("return max(exact), max(f1)", "return float(max(f1) == 1), max(f1)"),
            ),
            "order of the words",
        ),
        "letters and digits": (
            changed(SCORE_SOLUTION, (CLEAN, "''.join(c for c in text.lower() if c.isalnum() or c == ' ')")),
            "string.punctuation",
        ),
        "an article in front": (
            changed(
                SCORE_SOLUTION,
                (
                    MANY,
                    "        found = text.split()\n        return found[1:] if "
                    "found[:1] in (['a'], ['an'], ['the']) else found",
                ),
            ),
            "only at the beginning",
        ),
        "words cut before": (
            changed(
                SCORE_SOLUTION,
                (
                    f"text = {CLEAN}",
                    "found = [w.translate(str.maketrans('', '', "
                    "string.punctuation)) for w in text.lower().split()]",
                ),
                ("text.split()", "found"),
            ),
            "empty word",
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

ENOUGH = "null - best[2] > threshold"

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
        "a list": changed(MEND_SOLUTION, ("else best[:2]", "else list(best[:2])")),
        "NumPy": """
            def answer_question(windows, threshold):
                found = np.array([[begin, *best_span(s[first:-1], e[first:-1], 30)]
                                  for begin, first, s, e in windows])
                best = found[found[:, 3].argmax()]
                null = np.min([s[0] + e[0] for _, _, s, e in windows])
                return () if null - best[3] > threshold else tuple((best[0] + best[1:3]).astype(int).tolist())
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
        "threshold ignored": (
            changed(MEND_SOLUTION, (ENOUGH, "null > best[2]")),
            "you do not use the threshold",
        ),
        "threshold added": (
            changed(MEND_SOLUTION, (ENOUGH, "null + threshold > best[2]")),
            "the threshold has the wrong sign",
        ),
        "at the threshold": (
            changed(MEND_SOLUTION, (ENOUGH, "null - best[2] >= threshold")),
            "if its score is higher by exactly the threshold",
        ),
        "null alone": (
            changed(MEND_SOLUTION, (ENOUGH, "null > threshold")),
            '"no answer" wins if it scores higher by more than the threshold, and only then',
        ),
        "the size of the difference": (
            changed(MEND_SOLUTION, (ENOUGH, "abs(null - best[2]) > threshold")),
            '"no answer" wins if it scores higher by more than the threshold, and only then',
        ),
        "the other way round": (
            changed(
                MEND_SOLUTION,
                (
                    "() if null - best[2] > threshold else best[:2]",
                    "best[:2] if null - best[2] > threshold else ()",
                ),
            ),
            "with a very low threshold there is never an answer, with a very high one always",
        ),
        "null of the best window": (
            changed(
                MEND_SOLUTION,
                ("null = min(null, start_logits[0] + end_logits[0])", "pass"),
                (
                    "            best = ",
                    "            null = start_logits[0] + end_logits[0]\n            best = ",
                ),
            ),
            "is wrong",
        ),
        "the mean of null": (
            changed(
                MEND_SOLUTION,
                ("        null = min(null, start_logits[0] + end_logits[0])\n", ""),
                ("    return ()", "    null = np.mean([w[2][0] + w[3][0] for w in windows])\n    return ()"),
            ),
            "you average the scores",
        ),
        "the start of one, the end of another": (
            """
            def answer_question(windows, threshold):
                best, null = (0, 0, -np.inf), np.inf
                top, last = (-np.inf, 0), (-np.inf, 0)
                for begin, first, s, e in windows:
                    null = min(null, s[0] + e[0])
                    i, j, score = best_span(s[first:-1], e[first:-1], 30)
                    top, last = max(top, (s[first + i], begin + i)), max(last, (e[first + j], begin + j))
                return () if null - top[0] - last[0] > threshold else (top[1], last[1])
            """,
            "another window whose best span scores lower",
        ),
        "from 0": (
            changed(MEND_SOLUTION, ("(0, 0, -np.inf)", "(0, 0, 0.0)")),
            "adding the same number to all scores changes nothing",
        ),
        "null from 0": (
            changed(MEND_SOLUTION, (", np.inf", ", 0.0")),
            'your lowest score of "no answer" starts at 0',
        ),
        "ten pieces": (changed(MEND_SOLUTION, ("30", "10")), "an answer has at most 30 tokens"),
        "any length": (changed(MEND_SOLUTION, ("30", "512")), "an answer has at most 30 tokens"),
        "the last piece never": (
            changed(MEND_SOLUTION, ("first:-1", "first:-2", 2)),
            "you do not search the last token of the passage",
        ),
        "the last [SEP] too": (
            changed(MEND_SOLUTION, ("first:-1", "first:", 2)),
            "you also search the last [SEP]",
        ),
        "both scores of no answer apart": (
            """
            def answer_question(windows, threshold):
                best, null_start, null_end = (0, 0, -np.inf), np.inf, np.inf
                for begin, first, s, e in windows:
                    null_start, null_end = min(null_start, s[0]), min(null_end, e[0])
                    start, end, score = best_span(s[first:-1], e[first:-1], 30)
                    if score > best[2]:
                        best = begin + start, begin + end, score
                return () if null_start + null_end - best[2] > threshold else best[:2]
            """,
            "from one window with the end score from another",
        ),
        "each window by itself": (
            """
            def answer_question(windows, threshold):
                best = ((), -np.inf)
                for begin, first, s, e in windows:
                    start, end, score = best_span(s[first:-1], e[first:-1], 30)
                    if s[0] + e[0] - score <= threshold and score > best[1]:
                        best = (begin + start, begin + end), score
                return best[0]
            """,
            "you decide separately for each window",
        ),
        "the lowest of each": (
            changed(
                MEND_SOLUTION,
                (
                    "min(null, start_logits[0] + end_logits[0])",
                    "min(null, min(start_logits[0], end_logits[0]))",
                ),
            ),
            '"no answer" wins if it scores higher by more than the threshold, and only then',
        ),
        "None": (changed(MEND_SOLUTION, ("return () if", "return None if")), "returns None"),
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
