"""Answers to the assignment of unit 07. They use what its notebook offers: np, string, Counter, by_name, and
earlier answers.
"""

from . import banks

BANK = banks(
    __name__,
    span_loss="""
        loops
            total = 0.0
            for scores, places in ((start_logits, starts), (end_logits, ends)):
                for row, place in zip(scores, places):
                    high = max(row)
                    total += np.log(sum(np.exp(score - high) for score in row)) + high - row[place]
            return total / (2 * len(starts))
        logaddexp, one array
            logits = np.stack([start_logits, end_logits]).astype(np.float64)
            right = np.stack([starts, ends])
            picked = np.take_along_axis(logits, right[..., None], axis=-1)[..., 0]
            return float((np.logaddexp.reduce(logits, axis=-1) - picked).mean())
        float32
            logits = logits - => logits = logits.astype(np.float32) -
        torch
            import torch
            from torch.nn.functional import cross_entropy
            one = cross_entropy(torch.tensor(start_logits), torch.tensor(starts))
            return ((one + cross_entropy(torch.tensor(end_logits), torch.tensor(ends))) / 2).item()
        logsumexp of SciPy
            from scipy.special import logsumexp
            def span_loss(start_logits, end_logits, starts, ends):
                rows = range(len(starts))
                return 0.5 * sum(np.mean(logsumexp(x, axis=1) - x[rows, y])
                                 for x, y in ((start_logits, starts), (end_logits, ends)))
        PyTorch, both ends in one batch
            import torch
            def span_loss(start_logits, end_logits, starts, ends):
                logits = torch.cat([torch.as_tensor(start_logits), torch.as_tensor(end_logits)])
                return torch.nn.CrossEntropyLoss()(logits, torch.as_tensor(np.r_[starts, ends]))
        no return: `return` missing
            return ( => (
        the logarithm of a probability: becomes 0, and its logarithm
            def one_end(logits, places):
                logits = logits - logits.max(axis=-1, keepdims=True)
                e = np.exp(logits)
                p = e / e.sum(axis=-1, keepdims=True)
                return (-np.log(p[np.arange(len(places)), places])).mean()
            return (one_end(start_logits, starts) + one_end(end_logits, ends)) / 2
        a one-hot product: becomes 0, and its logarithm
            T = start_logits.shape[1]
            def end(logits, places):
                e = np.exp(logits - logits.max(1)[:, None])
                return -np.log((e / e.sum(1)[:, None] * np.eye(T)[places]).sum(1))
            return np.mean(np.concatenate([end(start_logits, starts), end(end_logits, ends)]))
        a small number inside: small number inside the logarithm
            def one_end(logits, places):
                logits = logits - logits.max(axis=-1, keepdims=True)
                e = np.exp(logits)
                p = e / e.sum(axis=-1, keepdims=True)
                return (-np.log(p[np.arange(len(places)), places] + 1e-9)).mean()
            return (one_end(start_logits, starts) + one_end(end_logits, ends)) / 2
        never below: small number inside the logarithm
            def one_end(logits, places):
                logits = logits - logits.max(axis=-1, keepdims=True)
                e = np.exp(logits)
                p = e / e.sum(axis=-1, keepdims=True)
                return (-np.log(np.maximum(p[np.arange(len(places)), places], 1e-12))).mean()
            return (one_end(start_logits, starts) + one_end(end_logits, ends)) / 2
        squared errors: squared
            def one_end(logits, places):
                logits = logits - logits.max(axis=-1, keepdims=True)
                e = np.exp(logits)
                p = e / e.sum(axis=-1, keepdims=True)
                return ((1 - p[np.arange(len(places)), places]) ** 2).mean()
            return (one_end(start_logits, starts) + one_end(end_logits, ends)) / 2
        one minus: 1 minus
            def one_end(logits, places):
                logits = logits - logits.max(axis=-1, keepdims=True)
                e = np.exp(logits)
                p = e / e.sum(axis=-1, keepdims=True)
                return (1 - p[np.arange(len(places)), places]).mean()
            return (one_end(start_logits, starts) + one_end(end_logits, ends)) / 2
        """,
    best_span=r"""
        a matrix
            T = len(start_logits)
            i, j = np.arange(T)[:, None], np.arange(T)[None, :]
            scores = np.where((i <= j) & (j - i < longest), start_logits[:, None] + end_logits[None, :],
                              -np.inf)
            start, end = np.unravel_index(scores.argmax(), scores.shape)
            return start, end, scores[start, end]
        sorted
            spans = [(-(s + e), i, j) for i, s in enumerate(start_logits)
                     for j, e in enumerate(end_logits)
                     if 0 <= j - i <= longest - 1]
            score, start, end = min(spans)
            return start, end, -score
        best end of each start
            ends = [i + int(np.argmax(end_logits[i:i + longest])) for i in range(len(start_logits))]
            scores = [start_logits[i] + end_logits[j] for i, j in enumerate(ends)]
            start = int(np.argmax(scores))
            return start, ends[start], float(scores[start])
        float32
            T, best => start_logits = np.float32(start_logits)\nT, best
        an array of three
            return best => return np.array(best)
        PyTorch
            import torch
            def best_span(start_logits, end_logits, longest):
                s, e = torch.tensor(start_logits), torch.tensor(end_logits)
                pairs = s[:, None] + e[None, :]
                allowed = torch.ones_like(pairs, dtype=torch.bool).triu().tril(longest - 1)
                where = pairs.masked_fill(~allowed, float("-inf")).flatten().argmax().item()
                start, end = divmod(where, len(s))
                return start, end, pairs[start, end]
        beyond the last position: beyond the last position
            range(start, min(start + longest, T)) => range(start, start + longest)
        each by itself: separately. Together
            start, end = start_logits.argmax(), end_logits.argmax()
            return start, end, start_logits[start] + end_logits[end]
        swapped: and swap them if they are
            start, end = start_logits.argmax(), end_logits.argmax()
            score = start_logits[start] + end_logits[end]
            return min(start, end), max(start, end), score
        start first: best start, then the best end
            start = int(start_logits.argmax())
            end = start + int(end_logits[start:start + longest].argmax())
            return start, end, start_logits[start] + end_logits[end]
        end first: best end, then the best start
            end = int(end_logits.argmax())
            low = max(0, end + 1 - longest)
            start = low + int(start_logits[low:end + 1].argmax())
            return start, end, start_logits[start] + end_logits[end]
        end behind: one too large
            return best => return best[0], best[1] + 1, best[2]
        short ones first: the shortest
            start in range(T) => length in range(min(longest, T))
            end in range(start, min(start + longest, T)) => start in range(T - length)
            [end] => [start + length]
            end, => start + length,
        the two best of each: only a few of the best
            pairs = [(i, j, start_logits[i] + end_logits[j]) for i in np.argsort(-start_logits)[:2]
                     for j in np.argsort(-end_logits)[:2] if 0 <= j - i < longest]
            return max(pairs, key=lambda pair: pair[2]) if pairs else (0, 0, -np.inf)
        """,
    test_best_span=r"""
        all pairs by hand
            rng = np.random.default_rng(0)
            for n in range(1, 9):
                for longest in range(1, 9):
                    s, e = rng.normal(-1, 3, (2, n))
                    i, j, score = best_span(s, e, longest)
                    allowed = {(a, b): s[a] + e[b] for a in range(n) for b in range(a, min(n, a + longest))}
                    assert (i, j) in allowed and np.isclose(score, allowed[i, j])
                    assert np.isclose(score, max(allowed.values()))
            assert best_span(np.zeros(4), np.zeros(4), 4)[:2] == (0, 0)
        isclose
            start, end = np.array([1.0, 0.0, 5.0, 0.0]), np.array([0.0, 6.0, 0.0, 3.0])
            assert best_span(start, end, 4) == (2, 3, 8.0)
            assert best_span(start, end, 1) == (1, 1, 6.0)
            assert np.allclose(best_span(start - 9, end - 9, 4), (2, 3, -10))
            far, end = np.array([6.0, 0, 0, 0, 0]), np.array([0, 0, 1.0, 4.0, 9.0])
            assert best_span(far, end, 5) == (0, 4, 15.0)
            assert best_span(far, end, 4) == (0, 3, 10.0)
            assert best_span(np.array([4.0, 5.0, 0]), np.array([6.0, 0, 0]), 3) == (0, 0, 10.0)
            assert best_span(np.array([0, 6.0, 0]), np.array([5.0, 0, 4.0]), 3) == (1, 2, 10.0)
            assert best_span(np.ones(3), np.ones(3), 3) == (0, 0, 2.0)
        raises: your test contains a `raise`
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
            must([0.0, 0], [0.0, 0], 1, (0, 0, 0))
        a table
            for start, end, longest, wanted in (
                    ([1, 0, 5, 0], [0, 6, 0, 3], 4, (2, 3, 8)),
                    ([1, 0, 5, 0], [0, 6, 0, 3], 1, (1, 1, 6)),
                    ([-8, -9, -4, -9], [-9, -3, -9, -6], 4, (2, 3, -10)),
                    ([6, 0, 0, 0, 0], [0, 0, 1, 4, 9], 5, (0, 4, 15)),
                    ([6, 0, 0, 0, 0], [0, 0, 1, 4, 9], 4, (0, 3, 10)),
                    ([4, 5, 0], [6, 0, 0], 3, (0, 0, 10)),
                    ([0, 6, 0], [5, 0, 4], 3, (1, 2, 10)),
                    ([2, 2], [0, 0], 2, (0, 0, 2))):
                got = best_span(np.array(start, float), np.array(end, float), longest)
                assert (got[0], got[1]) == wanted[:2] and abs(got[2] - wanted[2]) < 1e-6, (got, wanted)
        NumPy's words
            start, end = np.array([1.0, 0.0, 5.0, 0.0]), np.array([0.0, 6.0, 0.0, 3.0])
            np.testing.assert_allclose(best_span(start, end, 4), (2, 3, 8))
            assert best_span(start, end, 1) == (1, 1, 6.0)
            assert best_span(start - 9, end - 9, 4) == (2, 3, -10.0)
            far, end = np.array([6.0, 0, 0, 0, 0]), np.array([0, 0, 1.0, 4.0, 9.0])
            assert best_span(far, end, 5) == (0, 4, 15.0)
            assert best_span(far, end, 4) == (0, 3, 10.0)
            assert best_span(np.array([4.0, 5.0, 0]), np.array([6.0, 0, 0]), 3) == (0, 0, 10.0)
            assert best_span(np.array([0, 6.0, 0]), np.array([5.0, 0, 4.0]), 3) == (1, 2, 10.0)
            assert best_span(np.ones(3), np.ones(3), 3) == (0, 0, 2.0)
        nothing: catches 0 of 7
            pass
        one example: wrong versions
            assert best_span(np.array([1.0, 2.0]), np.array([0.0, 3.0]), 2) == (1, 1, 5.0)
        places only: half the score
            start, end = np.array([1.0, 0.0, 5.0, 0.0]), np.array([0.0, 6.0, 0.0, 3.0])
            assert best_span(start, end, 4)[:2] == (2, 3)
            assert best_span(start, end, 1)[:2] == (1, 1)
            assert best_span(start - 9, end - 9, 4)[:2] == (2, 3)
            far, end = np.array([6.0, 0, 0, 0, 0]), np.array([0, 0, 1.0, 4.0, 9.0])
            assert best_span(far, end, 4)[:2] == (0, 3)
            assert best_span(np.array([4.0, 5.0, 0]), np.array([6.0, 0, 0]), 3)[:2] == (0, 0)
        never too long: `longest`
            best_span(far_start, far_end, 4) == (0, 3, 10.0) => True
            best_span(start, end, 1) == (1, 1, 6.0) => True
        no negative: score of 0
            best_span(start - 9, end - 9, 4) == (2, 3, -10.0) => True
        a wrong example: rejects a correct version
            (2, 3, 8.0) => (2, 1, 11.0)
        the same type: rejects a correct version
            = (0, 4, 15.0) => = (0, 4, 15.0)\nassert type(best_span(far, end, 5)[2]) is float
        returns: returns a value
            = (1, 2, 10.0) => = (1, 2, 10.0)\nreturn True
        no equal spans [hidden]: the last of several spans
            best_span(np.zeros(3), np.zeros(3), 2) => (0, 0, 0.0)
        no end first [hidden]: takes the best end, and then
            start, end = np.array([4.0, 5.0, 0]), np.array([6.0, 0, 0])
            assert best_span(start, end, 3) == (0, 0, 10.0)
            assert best_span(start - 20, end, 3) == (0, 0, -10.0)
            assert best_span(np.array([6.0, 0, 0, 0]), np.array([0, 0, 0, 9.0]), 3) == (1, 3, 9.0)
        an assert of a pair: can never fail
            start, end = np.array([1.0, 0.0, 5.0, 0.0]), np.array([0.0, 6.0, 0.0, 3.0])
            assert (best_span(start, end, 4) == (2, 3, 8.0), 'wrong')
        no assert: can never fail
            start, end = np.array([1.0, 0.0, 5.0, 0.0]), np.array([0.0, 6.0, 0.0, 3.0])
            best_span(start, end, 4) == (2, 3, 8.0)
        errors caught: can never fail
            start, end = np.array([1.0, 0.0, 5.0, 0.0]), np.array([0.0, 6.0, 0.0, 3.0])
            try:
                assert best_span(start, end, 4) == (2, 3, 8.0)
            except AssertionError:
                pass
        the score alone: wrong versions
            start, end = np.array([1.0, 0.0, 5.0, 0.0]), np.array([0.0, 6.0, 0.0, 3.0])
            assert best_span(start, end, 4)[2] == 8.0
        not None: catches 0 of 7
            start, end = np.array([1.0, 0.0, 5.0, 0.0]), np.array([0.0, 6.0, 0.0, 3.0])
            assert best_span(start, end, 4) is not None
        short enough: wrong versions
            start, end = np.array([1.0, 0.0, 5.0, 0.0]), np.array([0.0, 6.0, 0.0, 3.0])
            i, j, score = best_span(start, end, 2)
            assert j - i < 2
            assert best_span(start, end, 4) == (2, 3, 8.0)
        a longest of 0: rejects a correct version
            start, end = np.array([1.0, 0.0, 5.0, 0.0]), np.array([0.0, 6.0, 0.0, 3.0])
            assert best_span(start, end, 0)[2] == -np.inf
        """,
    split_passage=r"""
        range
            def place(begin, end):
                inside = answer and begin <= answer[0] and answer[1] < end
                return (answer[0] - begin, answer[1] - begin) if inside else None
            return [(b, pieces[b:b + room], place(b, b + room))
                    for b in range(0, max(0, len(pieces) - room) + stride, stride)]
        sets
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
        counted
            number = 1 + -(-max(0, len(pieces) - room) // stride)
            result = []
            for begin in np.arange(number) * stride:
                window = np.array(pieces)[begin:begin + room]
                ok = (answer is not None and min(answer) >= begin and max(answer) <= begin + len(window) - 1)
                place = tuple(int(a - begin) for a in answer) if ok else None
                result.append((int(begin), window.tolist(), place))
            return tuple(result)
        lists
            windows.append((begin, window, place)) => windows.append([begin, window, place])
            (answer[0] - begin, answer[1] - begin) => [answer[0] - begin, answer[1] - begin]
        a generator made a list
            def walk(begin=0):
                inside = answer is not None and begin <= answer[0] and answer[1] - begin < room
                place = tuple(a - begin for a in answer) if inside else None
                yield begin, pieces[begin:begin + room], place
                if begin + room < len(pieces):
                    yield from walk(begin + stride)
            return list(walk())
        places found by flags
            flags = [answer is not None and answer[0] <= i <= answer[1] for i in range(len(pieces))]
            out, begin = [], 0
            while not out or out[-1][0] + room < len(pieces):
                marked = [i for i, flag in enumerate(flags[begin:begin + room]) if flag]
                whole = marked and len(marked) == sum(flags)
                place = (marked[0], marked[-1]) if whole else None
                out.append((begin, pieces[begin:begin + room], place))
                begin += stride
            return out
        None taken apart: you use `answer` even if it is None
            windows, begin = [], 0 => windows, begin, (first, last) = [], 0, answer
        None indexed: you use `answer` even if it is None
            answer is not None and begin => begin
        every stride: too many windows
            begin + room >= len(pieces) => begin + stride >= len(pieces)
        the rest lost: end of the passage
            begin + room >= len(pieces) => begin + stride + room > len(pieces)
        clipped: only part of the answer
            windows, begin = [], 0
            while True:
                window, place = pieces[begin:begin + room], None
                if answer is not None and answer[0] < begin + len(window) and begin <= answer[1]:
                    place = (max(answer[0] - begin, 0), min(answer[1] - begin, len(window) - 1))
                windows.append((begin, window, place))
                if begin + room >= len(pieces):
                    return windows
                begin += stride
        every stride, no begin: two mistakes at once
            begin + room >= len(pieces) => begin + stride >= len(pieces)
            windows.append((begin, window, place)) => windows.append((window, place))
        filled up: you pad the last window
            len(window) => room
            windows. => window = window + [None] * (room - len(window))\nwindows.
        one too far: too many windows
            begin + room >= len(pieces) => begin + room > len(pieces)
        no whole window: shorter than `room`
            out = []
            for begin in range(0, len(pieces) - room + stride, stride):
                inside = answer and begin <= answer[0] and answer[1] < begin + room
                place = (answer[0] - begin, answer[1] - begin) if inside else None
                out.append((begin, pieces[begin:begin + room], place))
            return out
        floats: some are floats where
            (begin, window, place) => (float(begin), window, place)
        """,
    exact_match_and_f1=r"""
        regular expressions
            import re
            def exact_match_and_f1(answer, gold):
                def normal(text):
                    text = text.lower().translate(str.maketrans("", "", string.punctuation))
                    return " ".join(re.sub(r"\b(a|an|the)\b", " ", text).split())
                def f1(reference):
                    a, b = normal(answer).split(), normal(reference).split()
                    if not a or not b:
                        return int(a == b)
                    same = sum(min(a.count(word), b.count(word)) for word in set(a))
                    return 0 if same == 0 else 2 / (len(a) / same + len(b) / same)
                return int(normal(answer) in map(normal, gold)), max(map(f1, gold))
        removing
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
        NumPy
            return max(exact), max(f1) => return np.max(exact), np.float64(np.max(f1))
        an array
            return max(exact), max(f1) => return np.max([exact, f1], axis=1)
        the best pair
            table = str.maketrans("", "", string.punctuation)
            def words(text):
                return [w for w in text.lower().translate(table).split() if w not in {"a", "an", "the"}]
            def scores(reference):
                a, b = Counter(words(answer)), Counter(words(reference))
                both, exact = sum(a.values()) + sum(b.values()), words(answer) == words(reference)
                return exact * 1.0, 2 * sum((a & b).values()) / both if both else 1.0
            return max(scores(reference) for reference in gold)
        articles out of the text: you remove articles inside other words
            def words(text):
                text = "".join(c for c in text.lower() if c not in string.punctuation)
                for article in ('a', 'an', 'the'):
                    text = text.replace(article, '')
                return text.split()
            exact, f1 = [], []
            for reference in gold:
                a, b = words(answer), words(reference)
                common = sum((Counter(a) & Counter(b)).values())
                exact.append(float(a == b))
                f1.append(2 * common / (len(a) + len(b)) if a and b else float(a == b))
            return max(exact), max(f1)
        capitals: depend on capital letters
            text.lower() => text
        punctuation: depend on punctuation
            () if c not in string.punctuation => ()
        nothing: you do not normalise the texts
            return [word for word in text.split() if word not in ("a", "an", "the")] => return text.split()
            "".join(c for c in text.lower() if c not in string.punctuation) => text
        sets: a word that occurs twice only once
            sum((Counter(a) & Counter(b)).values()) => len(set(a) & set(b))
            (len(a) + len(b)) => (len(set(a)) + len(set(b)))
        articles, and the first: two mistakes at once
            return [word for word in text.split() if word not in ("a", "an", "the")] => return text.split()
            max(exact), max(f1) => exact[0], f1[0]
        where F1 is 1: order of the words
            exact.append(float(a == b)) =>
            return max(exact), max(f1) => return float(max(f1) == 1), max(f1)
        letters and digits: string.punctuation
            c not in string.punctuation => c.isalnum() or c == " "
        an article in front: only at the beginning
            def words(text):
                text = "".join(c for c in text.lower() if c not in string.punctuation)
                found = text.split()
                return found[1:] if found[:1] in (['a'], ['an'], ['the']) else found
            exact, f1 = [], []
            for reference in gold:
                a, b = words(answer), words(reference)
                common = sum((Counter(a) & Counter(b)).values())
                exact.append(float(a == b))
                f1.append(2 * common / (len(a) + len(b)) if a and b else float(a == b))
            return max(exact), max(f1)
        words cut before: empty word
            def words(text):
                found = [w.translate(str.maketrans('', '', string.punctuation)) for w in text.lower().split()]
                return [word for word in found if word not in ("a", "an", "the")]
            exact, f1 = [], []
            for reference in gold:
                a, b = words(answer), words(reference)
                common = sum((Counter(a) & Counter(b)).values())
                exact.append(float(a == b))
                f1.append(2 * common / (len(a) + len(b)) if a and b else float(a == b))
            return max(exact), max(f1)
        """,
    answer_question=r"""
        positions of the row
            -1], end_logits[first:-1 => len(start_logits) - 1], end_logits[first:len(start_logits) - 1
            begin + start, begin + end => start + begin, end + begin
        lists
            none = min(start[0] + end[0] for _, _, start, end in windows)
            found = [(begin, *best_span(start[first:-1], end[first:-1], 30))
                     for begin, first, start, end in windows]
            begin, start, end, score = max(found, key=lambda span: span[3])
            return (begin + start, begin + end) if none - score <= threshold else ()
        its own search
            spans = []
            for begin, first, start_logits, end_logits in windows:
                T = len(start_logits) - 1
                for i in range(first, T):
                    for j in range(i, min(i + 30, T)):
                        spans.append((start_logits[i] + end_logits[j], begin + i - first, begin + j - first))
            score, start, end = max(spans)
            quiet = np.inf
            for window in windows:
                quiet = min(quiet, window[2][0] + window[3][0])
            if quiet > score + threshold:
                return ()
            return int(start), int(end)
        a list
            else best[:2] => else list(best[:2])
        NumPy
            found = np.array([[begin, *best_span(s[first:-1], e[first:-1], 30)]
                              for begin, first, s, e in windows])
            best = found[found[:, 3].argmax()]
            null = np.min([s[0] + e[0] for _, _, s, e in windows])
            return () if null - best[3] > threshold else tuple((best[0] + best[1:3]).astype(int).tolist())
        bug 1 left [1]: this does not hold yet
            [first:-1] =>> [1:-1]
            begin + start, begin + end => begin + 1 - first + start, begin + 1 - first + end
        bug 2 left [1]: this does not hold yet
            min(null, start_logits[0] + end_logits[0]) => start_logits[0] + end_logits[0]
        bug 3 left [1]: this does not hold yet
            begin + start, begin + end => start, end
        bugs 1 and 2 left [2]: this does not hold yet
            [first:-1] =>> [1:-1]
            begin + start, begin + end => begin + 1 - first + start, begin + 1 - first + end
            min(null, start_logits[0] + end_logits[0]) => start_logits[0] + end_logits[0]
        bugs 2 and 3 left [2]: this does not hold yet
            min(null, start_logits[0] + end_logits[0]) => start_logits[0] + end_logits[0]
            begin + start, begin + end => start, end
        nothing mended [3]: this does not hold yet
            min(null, start_logits[0] + end_logits[0]) => start_logits[0] + end_logits[0]
            [first:-1] =>> [1:-1]
            begin + start, begin + end => start + 1 - first, end + 1 - first
        the highest: there is another mistake
            min(null, => max(null,
            -np.inf), np.inf => -np.inf), -np.inf
        shifted by two [1]: this does not hold yet: places are counted in the passage
            begin + start, begin + end => begin + 2 + start, begin + 2 + end
        shifted twice [1]: you also add the index of the first passage token
            begin + start, begin + end => begin + first + start, begin + first + end
        the threshold turned: there is another mistake
            null - best[2] > threshold => best[2] - null > threshold
        the last window [1]: another window whose best span scores lower changes nothing
            if score > best[2]: => if True:
        threshold ignored: you do not use the threshold
            null - best[2] > threshold => null > best[2]
        threshold added: the threshold has the wrong sign
            null - best[2] > threshold => null + threshold > best[2]
        at the threshold: if its score is higher by exactly the threshold
            null - best[2] > threshold => null - best[2] >= threshold
        null alone: "no answer" wins if it scores higher by more than the threshold, and only then
            null - best[2] > threshold => null > threshold
        the size of the difference: "no answer" wins if it scores higher by more than the threshold, and only
            null - best[2] > threshold => abs(null - best[2]) > threshold
        the other way round: with a very low threshold there is never an answer, with a very high one always
            () if null - best[2] > threshold else best[:2] => best[:2] if null - best[2] > threshold else ()
        null of the best window [1]: is wrong
            null = min(null, start_logits[0] + end_logits[0]) => pass
            best = => null = start_logits[0] + end_logits[0]\nbest =
        the mean of null: you average the scores
            windows:\n    null = min(null, start_logits[0] + end_logits[0])\n    start => windows:\n    start
            return () => null = np.mean([w[2][0] + w[3][0] for w in windows])\nreturn ()
        the start of one, the end of another: another window whose best span scores lower
            best, null = (0, 0, -np.inf), np.inf
            top, last = (-np.inf, 0), (-np.inf, 0)
            for begin, first, s, e in windows:
                null = min(null, s[0] + e[0])
                i, j, score = best_span(s[first:-1], e[first:-1], 30)
                top, last = max(top, (s[first + i], begin + i)), max(last, (e[first + j], begin + j))
            return () if null - top[0] - last[0] > threshold else (top[1], last[1])
        from 0: adding the same number to all scores changes nothing
            (0, 0, -np.inf) => (0, 0, 0.0)
        null from 0: your lowest score of "no answer" starts at 0
            , np.inf => , 0.0
        ten pieces: an answer has at most 30 tokens
            30 => 10
        any length: an answer has at most 30 tokens
            30 => 512
        the last piece never: you do not search the last token of the passage
            first:-1 =>> first:-2
        the last [SEP] too: you also search the last [SEP]
            first:-1 =>> first:
        both scores of no answer apart: from one window with the end score from another
            best, null_start, null_end = (0, 0, -np.inf), np.inf, np.inf
            for begin, first, s, e in windows:
                null_start, null_end = min(null_start, s[0]), min(null_end, e[0])
                start, end, score = best_span(s[first:-1], e[first:-1], 30)
                if score > best[2]:
                    best = begin + start, begin + end, score
            return () if null_start + null_end - best[2] > threshold else best[:2]
        each window by itself: you decide separately for each window
            best = ((), -np.inf)
            for begin, first, s, e in windows:
                start, end, score = best_span(s[first:-1], e[first:-1], 30)
                if s[0] + e[0] - score <= threshold and score > best[1]:
                    best = (begin + start, begin + end), score
            return best[0]
        the lowest of each: "no answer" wins if it scores higher by more than the threshold, and only then
            min(null, start_logits[0] + end_logits[0]) => min(null, min(start_logits[0], end_logits[0]))
        None: returns None
            return () if => return None if
        """,
)
