"""Further answers to unit 07, from the exercises' texts alone: other regimes of inputs, other misreadings."""

from . import Bank, changed
from .unit07 import (
    INSIDE,
    LOGS,
    LOSS_SOLUTION,
    MADE,
    MANY,
    MEND_SOLUTION,
    SCORE_SOLUTION,
    SPAN_SOLUTION,
    SPLIT_SOLUTION,
    STOP,
    TEST_SOLUTION,
)

PICKED = "-logs[np.arange(len(places)), places].mean()"


def loss_slip(*changes):
    return changed(LOSS_SOLUTION, *changes)


def of_probabilities(pick):
    """The loss by probabilities, from which `pick` makes a row's loss p -> -log p."""
    return loss_slip(
        (f"logs = {LOGS}", "e = np.exp(logits)\n        p = e / e.sum(axis=-1, keepdims=True)"),
        (PICKED, "(" + pick.replace("P", "p[np.arange(len(places)), places]") + ").mean()"),
    )


LOSS = Bank(
    right={
        "logsumexp of SciPy": """
            from scipy.special import logsumexp
            def span_loss(start_logits, end_logits, starts, ends):
                rows = range(len(starts))
                return 0.5 * sum(np.mean(logsumexp(x, axis=1) - x[rows, y])
                                 for x, y in ((start_logits, starts), (end_logits, ends)))
            """,
        "distances to the right score": """
            def span_loss(start_logits, end_logits, starts, ends):
                losses = []
                for logits, places in ((start_logits, starts), (end_logits, ends)):
                    for row, place in zip(np.asarray(logits, float), places):
                        ahead = row - row[place]
                        top = ahead.max()
                        losses.append(top + np.log(np.exp(ahead - top).sum()))
                return sum(losses) / len(losses)
            """,
        "PyTorch, both ends in one batch": """
            import torch
            def span_loss(start_logits, end_logits, starts, ends):
                logits = torch.cat([torch.as_tensor(start_logits), torch.as_tensor(end_logits)])
                return torch.nn.CrossEntropyLoss()(logits, torch.as_tensor(np.r_[starts, ends]))
            """,
    },
    wrong={
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
    equivalent={
        "logits = logits - logits.max(axis=-1, keepdims=True) -> logits = logits - "
        "logits.max(axis=1, keepdims=True)": "logits have two axes: the last one is number 1",
        "logs = logits - np.log(np.exp(logits).sum(axis=-1, keepdims=True)) -> logs = logits - "
        "np.log(np.exp(logits).sum(axis=1, keepdims=True))": "logits have two axes: the last one is number 1",
    },
)


def span_slip(*changes):
    return changed(SPAN_SOLUTION, *changes)


SPAN = Bank(
    right={
        "a list of three": span_slip(("return best", "return list(best)")),
        "an array of three": span_slip(("return best", "return np.array(best)")),
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
        "the longest windows of ends": """
            def best_span(start_logits, end_logits, longest):
                found = max(((start_logits[i] + end_logits[j], -i, -j) for i in range(len(start_logits))
                             for j in range(i, len(end_logits)) if j - i + 1 <= longest))
                return -found[1], -found[2], found[0]
            """,
    },
    wrong={
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
    equivalent={
        "for start in range(T): -> for start in range(T + 1):": "behind the last position there is no end to "
        "try",
        "T, best = (len(start_logits), (0, 0, -np.inf)) -> T, best = (len(start_logits), (1, 0, "
        "-np.inf))": "any score is above minus infinity, so the first span replaces these places",
        "T, best = (len(start_logits), (0, 0, -np.inf)) -> T, best = (len(start_logits), (-1, 0, "
        "-np.inf))": "any score is above minus infinity, so the first span replaces these places",
        "T, best = (len(start_logits), (0, 0, -np.inf)) -> T, best = (len(start_logits), (0, 1, "
        "-np.inf))": "any score is above minus infinity, so the first span replaces these places",
        "T, best = (len(start_logits), (0, 0, -np.inf)) -> T, best = (len(start_logits), (0, -1, "
        "-np.inf))": "any score is above minus infinity, so the first span replaces these places",
    },
)

PAIR = "    start, end = np.array([1.0, 0.0, 5.0, 0.0]), np.array([0.0, 6.0, 0.0, 3.0])\n"
HEAD = "@by_name\ndef test_best_span(best_span):\n" + PAIR
TEST = Bank(
    right={
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
        "a helper": """
            def same(got, *wanted):
                assert list(got) == list(wanted)

            @by_name
            def test_best_span(best_span):
                a, b = np.array([1.0, 0.0, 5.0, 0.0]), np.array([0.0, 6.0, 0.0, 3.0])
                same(best_span(a, b, 4), 2, 3, 8.0)
                same(best_span(a, b, 1), 1, 1, 6.0)
                same(best_span(a - 9, b - 9, 4), 2, 3, -10.0)
                far, end = np.array([6.0, 0, 0, 0, 0]), np.array([0, 0, 1.0, 4.0, 9.0])
                same(best_span(far, end, 5), 0, 4, 15.0)
                same(best_span(far, end, 4), 0, 3, 10.0)
                same(best_span(np.array([4.0, 5.0, 0]), np.array([6.0, 0, 0]), 3), 0, 0, 10.0)
                same(best_span(np.array([0, 6.0, 0]), np.array([5.0, 0, 4.0]), 3), 1, 2, 10.0)
            """,
    },
    wrong={
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
        "in order": (
            HEAD + "    i, j, score = best_span(start, end, 4)\n    assert i <= j",
            "wrong versions",
        ),
        "the score alone": (HEAD + "    assert best_span(start, end, 4)[2] == 8.0", "wrong versions"),
        "not None": (HEAD + "    assert best_span(start, end, 4) is not None", "catches 0 of 7"),
        "short enough": (
            HEAD + "    i, j, score = best_span(start, end, 2)\n    assert j - i < 2\n"
            "    assert best_span(start, end, 4) == (2, 3, 8.0)",
            "wrong versions",
        ),
        "the largest scores demanded": (
            HEAD + "    assert best_span(start, end, 4)[:2] == (start.argmax(), end.argmax())",
            "rejects a right version",
        ),
        "a longest of 0": (
            HEAD + "    assert best_span(start, end, 0)[2] == -np.inf",
            "rejects a right version",
        ),
        "one piece more demanded": (
            HEAD + "    assert best_span(start, end, 4) == (2, 4, 8.0)",
            "rejects a right version",
        ),
    },
)


def split_slip(*changes):
    return changed(SPLIT_SOLUTION, *changes)


SPLIT = Bank(
    right={
        "lists of three": split_slip((MADE, "windows.append([begin, window, place])")),
        "places as a list": split_slip(
            ("(answer[0] - begin, answer[1] - begin)", "[answer[0] - begin, answer[1] - begin]")
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
        "filled up": (
            split_slip(
                (
                    "        windows.append",
                    "        window = window + [None] * (room - len(window))\n        windows.append",
                ),
                (INSIDE, INSIDE.replace("len(window)", "room")),
            ),
            "filled up",
        ),
        "one too far": (split_slip((STOP, "begin + room > len(pieces)")), "window too many"),
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


def score_slip(*changes):
    return changed(SCORE_SOLUTION, *changes)


EXACT = "exact.append(float(a == b))"
CLEAN = '"".join(c for c in text.lower() if c not in string.punctuation)'
SCORE = Bank(
    right={
        "a list of two": score_slip(("return max(exact), max(f1)", "return [max(exact), max(f1)]")),
        "an array": score_slip(("return max(exact), max(f1)", "return np.max([exact, f1], axis=1)")),
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
        "where F1 is 1": (
            score_slip(
                (EXACT + "\n", "\n"), ("return max(exact), max(f1)", "return float(max(f1) == 1), max(f1)")
            ),
            "order of the words",
        ),
        "letters and digits": (
            score_slip((CLEAN, "''.join(c for c in text.lower() if c.isalnum() or c == ' ')")),
            "string.punctuation",
        ),
        "an article in front": (
            score_slip(
                (
                    MANY,
                    "        found = text.split()\n        return found[1:] if "
                    "found[:1] in (['a'], ['an'], ['the']) else found",
                )
            ),
            "in front",
        ),
        "words cut before": (
            score_slip(
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
    equivalent={
        "a, b = (words(answer), words(reference)) -> a, b = (words(reference), words(answer))": "both scores "
        "treat the "
        "two texts "
        "alike",
        "exact.append(float(a == b)) -> exact.append(a == b)": "True is 1",
        "f1.append(2 * common / (len(a) + len(b)) if a and b else float(a == b)) -> f1.append(2 * "
        "common / (len(a) + len(b)) if a and b else a == b)": "True is 1",
        "f1.append(2 * common / (len(a) + len(b)) if a and b else float(a == b)) -> f1.append(2 * "
        "common / (len(a) + len(b)) if a or b else float(a == b))": "where one list alone is empty, no word "
        "is common, and the fraction is 0 as "
        "well",
        "f1.append(2 * common / (len(a) + len(b)) if a and b else float(a == b)) -> f1.append(2 * "
        "common / (len(a) + len(b)) if b else float(a == b))": "where one list alone is empty, no word is "
        "common, and the fraction is 0 as well",
        "f1.append(2 * common / (len(a) + len(b)) if a and b else float(a == b)) -> f1.append(2 * "
        "common / (len(a) + len(b)) if a else float(a == b))": "where one list alone is empty, no word is "
        "common, and the fraction is 0 as well",
        "return [word for word in text.split() if word not in ('a', 'an', 'the')] -> return [word "
        "for word in text.split() if word not in ('an', 'a', 'the')]": "whole words are compared, in any "
        "order",
        "return [word for word in text.split() if word not in ('a', 'an', 'the')] -> return [word "
        "for word in text.split() if word not in ('a', 'the', 'an')]": "whole words are compared, in any "
        "order",
    },
)

ENOUGH = "null - best[2] > threshold"


def mend_slip(*changes):
    return changed(MEND_SOLUTION, *changes)


MEND = Bank(
    right={
        "a list": mend_slip(("else best[:2]", "else list(best[:2])")),
        "in three steps": """
            def answer_question(windows, threshold):
                quietest = np.inf
                candidates = {}
                for number, (begin, first, s, e) in enumerate(windows):
                    quietest = min(s[0] + e[0], quietest)
                    candidates[number] = best_span(np.array(s[first:-1]), np.array(e[first:-1]), 30)
                winner = max(candidates, key=lambda number: candidates[number][2])
                start, end, score = candidates[winner]
                if quietest > threshold + score:
                    return ()
                begin = windows[winner][0]
                return start + begin, end + begin
            """,
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
        "threshold ignored": (mend_slip((ENOUGH, "null > best[2]")), "the threshold is not used"),
        "threshold added": (
            mend_slip((ENOUGH, "null + threshold > best[2]")),
            "the threshold counts the wrong way round",
        ),
        "at the threshold": (
            mend_slip((ENOUGH, "null - best[2] >= threshold")),
            "where it is higher by exactly the threshold",
        ),
        "null alone": (
            mend_slip((ENOUGH, "null > threshold")),
            '"no answer" wins where it scores higher by more than the threshold, and only there',
        ),
        "the size of the difference": (
            mend_slip((ENOUGH, "abs(null - best[2]) > threshold")),
            '"no answer" wins where it scores higher by more than the threshold, and only there',
        ),
        "the other way round": (
            mend_slip(
                (
                    "() if null - best[2] > threshold else best[:2]",
                    "best[:2] if null - best[2] > threshold else ()",
                )
            ),
            "with a very low threshold it never answers, with a very high one always",
        ),
        "null of the best window": (
            mend_slip(
                ("null = min(null, start_logits[0] + end_logits[0])", "pass"),
                (
                    "            best = ",
                    "            null = start_logits[0] + end_logits[0]\n            best = ",
                ),
            ),
            "it should be",
        ),
        "the mean of null": (
            mend_slip(
                ("        null = min(null, start_logits[0] + end_logits[0])\n", ""),
                ("    return ()", "    null = np.mean([w[2][0] + w[3][0] for w in windows])\n    return ()"),
            ),
            "are averaged over the windows",
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
            "a window whose best span scores lower",
        ),
        "from 0": (
            mend_slip(("(0, 0, -np.inf)", "(0, 0, 0.0)")),
            "one number added to all scores changes nothing",
        ),
        "null from 0": (mend_slip((", np.inf", ", 0.0")), "the lowest score of no answer begins at 0"),
        "ten pieces": (mend_slip(("30", "10")), "an answer has 30 pieces at most"),
        "any length": (mend_slip(("30", "512")), "an answer has 30 pieces at most"),
        "the last piece never": (
            mend_slip(("first:-1", "first:-2", 2)),
            "the last piece of the passage is not searched",
        ),
        "the last [SEP] too": (mend_slip(("first:-1", "first:", 2)), "the last [SEP] is searched, too"),
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
            "comes from one window and its end score from another",
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
            "each window decides by itself",
        ),
        "the lowest of each": (
            mend_slip(
                (
                    "min(null, start_logits[0] + end_logits[0])",
                    "min(null, min(start_logits[0], end_logits[0]))",
                )
            ),
            '"no answer" wins where it scores higher by more than the threshold, and only there',
        ),
        "None": (mend_slip(("return () if", "return None if")), "returns None"),
    },
    equivalent={
        "if score > best[2]: -> if score >= best[2]:": "which of two equal windows wins is left open",
        "best, null = ((0, 0, -np.inf), np.inf) -> best, null = ((1, 0, -np.inf), np.inf)": "any score is "
        "above minus "
        "infinity, so "
        "the first span "
        "replaces these "
        "places",
        "best, null = ((0, 0, -np.inf), np.inf) -> best, null = ((-1, 0, -np.inf), np.inf)": "any score is "
        "above minus "
        "infinity, so "
        "the first span "
        "replaces these "
        "places",
        "best, null = ((0, 0, -np.inf), np.inf) -> best, null = ((0, 1, -np.inf), np.inf)": "any score is "
        "above minus "
        "infinity, so "
        "the first span "
        "replaces these "
        "places",
        "best, null = ((0, 0, -np.inf), np.inf) -> best, null = ((0, -1, -np.inf), np.inf)": "any score is "
        "above minus "
        "infinity, so "
        "the first span "
        "replaces these "
        "places",
        "start, end, score = best_span(start_logits[first:-1], end_logits[first:-1], 30) -> start, "
        "end, score = best_span(start_logits[first:-1], end_logits[first:], 30)": "the search counts "
        "positions by the start "
        "scores, and so never "
        "comes to the last [SEP]",
    },
)

MORE = {
    "span_loss": LOSS,
    "best_span": SPAN,
    "test_best_span": TEST,
    "split_passage": SPLIT,
    "exact_match_and_f1": SCORE,
    "answer_question": MEND,
}
