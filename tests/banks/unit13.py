"""Answers to the assignment of unit 13. They use what its notebook offers: math, np, gelu, by_name."""

from . import banks

BANK = banks(
    __name__,
    expected_maximum=r"""
        powers before the division: out of range|OverflowError
            (i / N) ** k - ((i - 1) / N) ** k => (i ** float(k) - (i - 1) ** float(k)) / float(N) ** k
        a loop, and the mean of the squares: does not change the variance
            v, N = sorted(float(x) for x in scores), len(scores)
            first = second = 0.0
            for i, x in enumerate(v, 1):
                p = (i / N) ** k - ((i - 1) / N) ** k
                first += p * x
                second += p * x * x
            return first, second - first * first
        differences of a power
            scores = np.sort(np.asarray(scores, dtype=np.float64))
            p = np.diff(np.linspace(0, 1, len(scores) + 1) ** k)
            return np.average(scores, weights=p), np.cov(scores, aweights=p, ddof=0)[()]
        from the highest down
            v, N = np.sort(scores)[::-1].astype(float), len(scores)
            below = (1 - np.arange(N + 1) / N) ** k
            p = below[:-1] - below[1:]
            mean = p @ v
            return [mean, p @ (v - mean) ** 2]
        each score's share, equal ones together
            values, counts = np.unique(scores, return_counts=True)
            share = np.concatenate([[0], np.cumsum(counts)]) / len(scores)
            p = share[1:] ** k - share[:-1] ** k
            mean = float((p * values).sum())
            return mean, float((p * (values - mean) ** 2).sum())
        sums by parts
            v = np.sort(np.asarray(scores, float))
            N = len(v)
            def moment(values):
                steps = [(i / N) ** k * (values[i] - values[i - 1]) for i in range(1, N)]
                return values[-1] - sum(steps)
            mean = moment(v)
            return mean, moment((v - v[0]) ** 2) - (mean - v[0]) ** 2
        torch
            import torch
            def expected_maximum(scores, k):
                v = torch.as_tensor(scores, dtype=torch.float64).sort().values
                p = torch.linspace(0, 1, len(v) + 1, dtype=torch.float64).pow(k).diff()
                mean = (p * v).sum()
                return mean, (p * (v - mean) ** 2).sum()
        defensive
            scores = np.asarray(scores, float).ravel()
            if not len(scores) or k < 1:
                raise ValueError("at least one score and one draw")
            order, N = np.argsort(scores), len(scores)
            p = np.array([((i + 1) ** int(k) - i ** int(k)) / N ** int(k) for i in range(N)])
            mean = float(np.dot(p, scores[order]))
            return mean, max(0.0, float(np.dot(p, (scores[order] - mean) ** 2)))
        without replacement: draw without replacement
            ordered, N = np.sort(scores), len(scores)
            i = np.arange(1, N + 1)
            chance = np.array([math.comb(j, min(k, N) - 1) / math.comb(N, min(k, N)) for j in range(N)])
            mean = (chance * ordered).sum()
            return mean, (chance * (ordered - mean) ** 2).sum()
        not sorted: you do not sort the scores
            np.sort(scores) => scores
        the first k: the best of the first k
            return max(scores[:k]), np.var(scores[:k])
        top k: mean of the k highest
            best = np.sort(scores)[-k:]
            return best.mean(), best.var()
        only the mean: it should return 2 values
            mean, (chance * (ordered - mean) ** 2).sum() => mean
        drawn: differ|should hold|different results|not as|the values
            rng = np.random.default_rng()
            best = rng.choice(scores, size=(1000, k)).max(axis=1)
            return best.mean(), best.var()
        in place: changes its inputs
            ordered, N = np.sort(scores), len(scores) => scores.sort()\nordered, N = scores, len(scores)
        two at once: two mistakes at once
            np.sort(scores) => scores
            (chance * (ordered - mean) ** 2).sum() => np.sqrt((chance * (ordered - mean) ** 2).sum())
        nothing returned: returns None
            return mean, => both = mean,
        """,
    successive_stopping="""
        rounded scores: successive_stopping: With|fresh input
            curves[:t, stop - 1] => np.round(curves[:t, stop - 1])
        Python's sorted and max
            at = int(round(f * len(curves[0]))) - 1
            runs = sorted(range(t), key=lambda run: -curves[run][at])
            kept = runs[:p]
            return kept, max(kept, key=lambda run: curves[run][-1])
        one by one
            at = round(f * curves.shape[1]) - 1
            left, kept = list(range(t)), []
            while len(kept) < p:
                best = left[0]
                for run in left:
                    if curves[run, at] > curves[best, at]:
                        best = run
                left.remove(best)
                kept.append(best)
            winner = kept[0]
            for run in kept[1:]:
                if curves[run, -1] > curves[winner, -1]:
                    winner = run
            return np.array(kept), winner
        lexsort
            column = curves[:t, int(f * curves.shape[1] + 0.5) - 1]
            kept = np.lexsort((np.arange(t), -column))[:p]
            place = np.argmax(curves[kept][:, -1])
            return kept.astype(int), kept[place]
        pairs
            stop = round(f * curves.shape[1])
            scores = [(-float(curves[run, stop - 1]), run) for run in range(t)]
            kept = [run for _, run in sorted(scores)][:p]
            ends = [float(curves[run, -1]) for run in kept]
            return (kept, kept[ends.index(max(ends))])
        torch
            import torch
            def successive_stopping(curves, t, f, p):
                curves = torch.as_tensor(curves)
                stop = round(f * curves.shape[1])
                kept = torch.sort(curves[:t, stop - 1], descending=True, stable=True).indices[:p]
                ends = curves[kept, -1]
                return kept, int(kept[(ends == ends.max()).nonzero()[0, 0]])
        defensive
            curves = np.asarray(curves, dtype=float)
            N, E = curves.shape
            if not 1 <= p <= t <= N:
                raise ValueError(f"p={p}, t={t}, N={N}")
            stop = min(max(round(f * E), 1), E)
            started = curves[:t].copy()
            kept = np.argsort(-started[:, stop - 1], kind="mergesort")[:p]
            return kept.tolist(), int(kept[int(np.argmax(started[kept, E - 1]))])
        by the last score: by their last scores
            curves[:t, stop - 1] => curves[:t, -1]
        too late: one evaluation too late
            stop - 1 => min(stop, curves.shape[1] - 1)
        int: you round down
            round( => int(
        ceil: you round up, but
            round( => math.ceil(
        the share that is left: as the share of training that is left
            round(f * curves.shape[1]) => max(round((1 - f) * curves.shape[1]), 1)
        turned round by any sort: the one with the lower number comes first|put the higher number first
            np.argsort(-curves[:t, stop - 1], kind="stable") => np.argsort(curves[:t, stop - 1])[::-1]
        only best: it should return 2 values
            return kept, => return
        two at once: two mistakes at once
            curves[:t, stop - 1] => curves[:, stop - 1]
            kept[curves[kept, -1].argmax()] => kept[0]
        nothing returned: returns None
            return kept => both = kept
        floats: some are floats where
            return kept, => return kept * 1.0,
        """,
    stopping_cost="""
        stopped and continued
            stopped = (t - p) * f * s
            continued = p * s
            return stopped + continued
        two phases
            f = np.asarray(f, dtype=float)
            until_stop = t * (f * s)
            after = p * (s - f * s)
            total = until_stop + after
            return total if total.ndim else float(total)
        run by run
            return sum([s + 0 * f] * p + [f * s] * (t - p))
        loop over the shares
            if np.ndim(f):
                return np.array([stopping_cost(t, share, p, s) for share in f])
            return float(f * t + (1.0 - f) * p) * s
        torch
            import torch
            def stopping_cost(t, f, p, s):
                shares = torch.as_tensor(f, dtype=torch.float64)
                return (p + (t - p) * shares) * s
        plus: your second part has a plus sign
            1 - f => 1 + f
        twice: count the p runs from their beginning
            (t * f + p * (1 - f)) * s => (t * f + p) * s
        the others: you continue t - p runs
            p * (1 - f) => (t - p) * (1 - f)
        only the stopped: only the runs that are stopped
            (t * f + p * (1 - f)) * s => (t - p) * f * s
        nothing returned: returns None
            return => cost =
        """,
    Adapter=r"""
        truncated, as in the paper: have the standard deviation 0.0088
            def __init__(self, hidden_size, bottleneck, rng):
                def truncated(shape):
                    x = rng.normal(0, 0.01, size=shape)
                    while (abs(x) > 0.02).any():
                        x = np.where(abs(x) > 0.02, rng.normal(0, 0.01, size=shape), x)
                    return x
                D, M = hidden_size, bottleneck
                self.weights = {"down.weight": truncated((M, D)), "down.bias": np.zeros(M),
                                "up.weight": truncated((D, M)), "up.bias": np.zeros(D)}
            def __call__(self, hidden):
                w = self.weights
                small = gelu(hidden @ w["down.weight"].T + w["down.bias"])
                return hidden + small @ w["up.weight"].T + w["up.bias"]
        deviation 0.0115: have the standard deviation 0.01
            0.01, ( =>> 0.0115, (
        deviation 0.012: have the standard deviation 0.012
            0.01, ( =>> 0.012, (
        uniform with the right deviation: is not drawn from normal
            rng.normal(0, 0.01, ( =>> rng.uniform(-0.01 * 3**0.5, 0.01 * 3**0.5, (
        Laplace: is not drawn from normal
            rng.normal(0, 0.01, ( =>> rng.laplace(0, 0.01 / 2**0.5, (
        cut at two deviations: is not drawn from normal
            rng.normal(0, 0.01, (M, D)) => np.clip(rng.normal(0, 0.0102, (M, D)), -0.02, 0.02)
        stored in the class: a second adapter replaces the weights of the first
            self.weights = { => Adapter.weights = {
        a bias kept: has no effect
            D, M = => self.b = np.zeros(hidden_size)\nD, M =
            w["up.bias"] => self.b
        a matrix kept: 'up.weight' in `self.weights` has no effect
            D, M = => self.up = 0.01 * rng.normal(size=(hidden_size, bottleneck))\nD, M =
            rng.normal(0, 0.01, (D, M)) => self.up
            @ w["up.weight"].T => @ self.up.T
        one number for each row: repeat
            rng.normal(0, 0.01, (M, D)) => np.tile(rng.normal(0, 0.01, (M, 1)), D)
        loops over tokens
            def __init__(self, hidden_size, bottleneck, rng):
                self.weights = {}
                for name, rows, columns in (("down", bottleneck, hidden_size),
                                            ("up", hidden_size, bottleneck)):
                    self.weights[name + ".weight"] = 0.01 * rng.standard_normal((rows, columns))
                    self.weights[name + ".bias"] = np.zeros(rows)
            def __call__(self, hidden):
                w = self.weights
                out = np.empty(hidden.shape)
                for place in np.ndindex(hidden.shape[:-1]):
                    small = gelu(w["down.weight"] @ hidden[place] + w["down.bias"])
                    out[place] = hidden[place] + (w["up.weight"] @ small + w["up.bias"])
                return out
        einsum
            def __init__(self, hidden_size, bottleneck, rng):
                def matrix(*shape):
                    return rng.normal(scale=1e-2, size=shape)
                self.weights = {"up.weight": matrix(hidden_size, bottleneck),
                                "up.bias": np.zeros((hidden_size,)),
                                "down.weight": matrix(bottleneck, hidden_size),
                                "down.bias": np.zeros((bottleneck,))}
            def __call__(self, hidden):
                down = np.einsum("...d,md->...m", hidden, self.weights["down.weight"])
                up = np.einsum("...m,dm->...d", gelu(down + self.weights["down.bias"]),
                               self.weights["up.weight"])
                return hidden + up + self.weights["up.bias"]
        float32
            def __init__(self, hidden_size, bottleneck, rng):
                def drawn(shape):
                    return rng.normal(0, 0.01, size=shape).astype(np.float32)
                D, M = hidden_size, bottleneck
                self.weights = dict(zip(("down.weight", "down.bias", "up.weight", "up.bias"), (
                    drawn((M, D)), np.zeros(M, np.float32), drawn((D, M)),
                    np.zeros(D, np.float32))))
            def linear(self, x, name):
                return x @ self.weights[f"{name}.weight"].T + self.weights[f"{name}.bias"]
            def __call__(self, hidden):
                return np.add(hidden, self.linear(gelu(self.linear(hidden, "down")), "up"))
        torch
            import torch
            from torch.nn import functional as F
            class Adapter:
                def __init__(self, hidden_size, bottleneck, rng):
                    D, M = hidden_size, bottleneck
                    self.weights = {"down.weight": rng.normal(0, 0.01, (M, D)), "down.bias": np.zeros(M),
                                    "up.weight": rng.normal(0, 0.01, (D, M)), "up.bias": np.zeros(D)}
                def __call__(self, hidden):
                    x = torch.as_tensor(hidden)
                    w = {name: torch.as_tensor(array).to(x.dtype) for name, array in self.weights.items()}
                    small = F.gelu(F.linear(x, w["down.weight"], w["down.bias"]))
                    return x + F.linear(small, w["up.weight"], w["up.bias"])
        defensive
            NAMES = ("down.weight", "down.bias", "up.weight", "up.bias")
            def __init__(self, hidden_size, bottleneck, rng):
                if bottleneck < 1:
                    raise ValueError("the bottleneck must be at least 1")
                self.hidden_size = hidden_size
                shapes = ((bottleneck, hidden_size), (bottleneck,), (hidden_size, bottleneck), (hidden_size,))
                self.weights = {
                    name: rng.normal(0.0, 0.01, shape) if len(shape) == 2 else np.zeros(shape)
                    for name, shape in zip(self.NAMES, shapes)}
            def forward(self, hidden):
                if hidden.shape[-1] != self.hidden_size:
                    raise ValueError("another width")
                dw, db, uw, ub = (np.asarray(self.weights[name]) for name in self.NAMES)
                return hidden.copy() + (np.dot(gelu(np.dot(hidden, dw.T) + db), uw.T) + ub)
            __call__ = forward
        no skip: the skip connection is missing
            hidden + small @ w["up.weight"].T + w["up.bias"] => small @ w["up.weight"].T + w["up.bias"]
        no GELU: the GELU is missing
            gelu(hidden => (hidden
        ReLU: you apply ReLU
            def __init__(self, hidden_size, bottleneck, rng):
                D, M = hidden_size, bottleneck
                self.weights = {"down.weight": rng.normal(0, 0.01, (M, D)), "down.bias": np.zeros(M),
                                "up.weight": rng.normal(0, 0.01, (D, M)), "up.bias": np.zeros(D)}
            def __call__(self, hidden):
                w = self.weights
                small = np.maximum(hidden @ w["down.weight"].T + w["down.bias"], 0)
                return hidden + small @ w["up.weight"].T + w["up.bias"]
        tanh: you apply tanh
            gelu( => np.tanh(
        approximate GELU: tanh approximation of GELU
            def approximate(x):
                return 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x ** 3)))
            class Adapter:
                def __init__(self, hidden_size, bottleneck, rng):
                    D, M = hidden_size, bottleneck
                    self.weights = {"down.weight": rng.normal(0, 0.01, (M, D)), "down.bias": np.zeros(M),
                                    "up.weight": rng.normal(0, 0.01, (D, M)), "up.bias": np.zeros(D)}
                def __call__(self, hidden):
                    w = self.weights
                    small = approximate(hidden @ w["down.weight"].T + w["down.bias"])
                    return hidden + small @ w["up.weight"].T + w["up.bias"]
        GELU at the end too: also apply a GELU after the second linear layer
            small @ w["up.weight"].T + w["up.bias"] => gelu(small @ w["up.weight"].T + w["up.bias"])
        GELU of the sum: after adding `hidden`
            def __init__(self, hidden_size, bottleneck, rng):
                D, M = hidden_size, bottleneck
                self.weights = {"down.weight": rng.normal(0, 0.01, (M, D)), "down.bias": np.zeros(M),
                                "up.weight": rng.normal(0, 0.01, (D, M)), "up.bias": np.zeros(D)}
            def __call__(self, hidden):
                w = self.weights
                small = (hidden @ w["down.weight"].T + w["down.bias"])
                return gelu(hidden + small @ w["up.weight"].T + w["up.bias"])
        no down bias: down.bias
            T + w["down.bias"] => T
        no up bias: up.bias
            T + w["up.bias"] => T
        no biases: the biases in `self.weights` have no effect
            T + w["down.bias"] => T
            T + w["up.bias"] => T
        minus: you subtract the output
            + small @ w["up.weight"].T + w["up.bias"] => - (small @ w["up.weight"].T + w["up.bias"])
        not transposed: you do not transpose down.weight
            w["down.weight"].T => w["down.weight"]
        up not transposed: you do not transpose up.weight
            w["up.weight"].T => w["up.weight"]
        own copies: in `self.weights` has no effect|mismatch
            def __init__(self, hidden_size, bottleneck, rng):
                D, M = hidden_size, bottleneck
                self.weights = {"down.weight": rng.normal(0, 0.01, (M, D)), "down.bias": np.zeros(M),
                                "up.weight": rng.normal(0, 0.01, (D, M)), "up.bias": np.zeros(D)}
                self.first = dict(self.weights)
            def __call__(self, hidden):
                w = self.first
                small = gelu(hidden @ w["down.weight"].T + w["down.bias"])
                return hidden + small @ w["up.weight"].T + w["up.bias"]
        zeros: neither ever gets a gradient
            rng.normal(0, 0.01, (M, D)) => np.zeros((M, D))
            rng.normal(0, 0.01, (D, M)) => np.zeros((D, M))
        up 0, as in LoRA: LoRA starts like this
            rng.normal(0, 0.01, (D, M)) => np.zeros((D, M))
        ones: are equal
            rng.normal(0, 0.01, (M, D)) => np.full((M, D), 0.01)
        standard normal: not close to the identity
            rng.normal(0, 0.01, (M, D)) => rng.normal(size=(M, D))
            rng.normal(0, 0.01, (D, M)) => rng.normal(size=(D, M))
        variance 0.01: not the variance
            0.01 =>> 0.1
        evenly: normal distribution
            rng.normal(0, 0.01, (M, D)) => rng.uniform(-0.01, 0.01, (M, D))
        around 0.01: normal distribution around 0
            rng.normal(0, 0.01, (M, D)) => rng.normal(0.01, 0.01, (M, D))
        biases drawn: biases of a new
            np.zeros(M) => rng.normal(0, 0.01, M)
        transposed: It is transposed
            rng.normal(0, 0.01, (M, D)) => rng.normal(0, 0.01, (D, M))
        other names: with the keys
            "down.weight": => "down_weight":
        own generator: have equal weights
            D, M = hidden_size => rng = np.random.default_rng(0)\nD, M = hidden_size
        global generator: equally seeded `rng` differ
            rng.normal =>> np.random.normal
        in place: changes its inputs
            def __init__(self, hidden_size, bottleneck, rng):
                D, M = hidden_size, bottleneck
                self.weights = {"down.weight": rng.normal(0, 0.01, (M, D)), "down.bias": np.zeros(M),
                                "up.weight": rng.normal(0, 0.01, (D, M)), "up.bias": np.zeros(D)}
            def __call__(self, hidden):
                w = self.weights
                small = gelu(hidden @ w["down.weight"].T + w["down.bias"])
                hidden += small @ w["up.weight"].T + w["up.bias"]
                return hidden
        two at once: two mistakes at once
            hidden + small @ w["up.weight"].T + w["up.bias"] => small @ w["up.weight"].T
        nothing returned: None
            return => out =
        """,
    lora_merge=r"""
        a comprehension
            def change(name):
                a, b = adapters[name]["a"], adapters[name]["b"]
                return (alpha / b.shape[1]) * b.dot(a)
            return {name: w + change(name) if name in adapters else w for name, w in weights.items()}
        row by row
            merged = {name: np.array(w) for name, w in weights.items()}
            for name in adapters:
                a, b = adapters[name]["a"], adapters[name]["b"]
                for r in range(a.shape[0]):
                    merged[name] += alpha / a.shape[0] * np.outer(b[:, r], a[r])
            return merged
        scaled first
            result = weights.copy()
            for name, pair in adapters.items():
                rank = pair["b"].shape[-1]
                b = pair["b"] * (alpha / rank)
                result[name] = weights[name] + np.einsum("or,ri->oi", b, pair["a"])
            return result
        torch
            import torch
            def lora_merge(weights, adapters, alpha):
                merged = {name: torch.tensor(w) for name, w in weights.items()}
                for name, pair in adapters.items():
                    a, b = torch.as_tensor(pair["a"]), torch.as_tensor(pair["b"])
                    merged[name] = torch.addmm(merged[name], b, a, alpha=alpha / len(a))
                return merged
        defensive
            import copy
            def lora_merge(weights, adapters, alpha):
                merged = copy.deepcopy(weights)
                for name, pair in adapters.items():
                    if name not in merged:
                        raise KeyError(name)
                    a, b = np.atleast_2d(pair["a"]), np.atleast_2d(pair["b"])
                    assert a.shape[0] == b.shape[1], name
                    merged[name] = merged[name] + np.matmul(b, a) * (alpha / a.shape[0])
                return merged
        no scale: the scale is missing
            alpha / len(pair["a"]) * (pair => (pair
        alpha alone: do not divide alpha by the rank
            alpha / len(pair["a"]) => alpha
        rank of the first: rank of the first
            for name => R = len(next(iter(adapters.values()))['a']) if adapters else 1\nfor name
            alpha / len(pair["a"]) => alpha / R
        each has one: assume that every weight has an adapter
            return {name: w + alpha / len(adapters[name]["a"])
                    * adapters[name]["b"] @ adapters[name]["a"] for name, w in weights.items()}
        in place: changes its inputs
            merged[name] = weights[name] + => merged[name] +=
        into weights: changes its inputs
            dict(weights) => weights
        a list: it should return a dict
            return merged => return list(merged.values())
        nothing returned: returns None
            return merged => merged
        """,
    is_significant=r"""
        nothing where they never differ: two models with the same answers have p = 1
            min(1.0, 2 * tail) => min(1.0, 2 * tail) if n else 0.0
        powers of 0.5: OverflowError|too large to convert
            / 2 ** n => * 0.5 ** n
        normal approximation of many: expected|differ from the reference
            2 * tail) => 2 * tail) if n < 100 else math.erfc(abs(wins - losses) / (2 * n) ** 0.5)
        SciPy's test of a coin
            from scipy.stats import binomtest
            def is_significant(right_a, right_b, level, comparisons):
                wins = np.count_nonzero(right_a > right_b)
                losses = np.count_nonzero(right_a < right_b)
                p = binomtest(wins, wins + losses, 0.5).pvalue if wins + losses else 1.0
                return p, p * comparisons <= level
        SciPy's distribution
            from scipy.stats import binom
            def is_significant(right_a, right_b, level, comparisons):
                differ = right_a != right_b
                n, k = differ.sum(), (right_a & differ).sum()
                p = min(1.0, 2 * binom.cdf(min(k, n - k), n, 0.5))
                return float(p), bool(p <= level / comparisons)
        example by example, and a coin's row
            wins = losses = 0
            for a, b in zip(right_a, right_b):
                if a and not b:
                    wins += 1
                elif b and not a:
                    losses += 1
            row = [1.0]
            for _ in range(wins + losses):
                row = [(x + y) / 2 for x, y in zip([0.0] + row, row + [0.0])]
            p = sum(row[:min(wins, losses) + 1]) + sum(row[max(wins, losses):])
            p = p if p < 1 else 1.0
            return p, p <= level / comparisons
        as uneven or more
            d = right_a.astype(int) - right_b.astype(int)
            n, gap = int(abs(d).sum()), abs(int(d.sum()))
            p = sum(math.comb(n, i) for i in range(n + 1) if abs(n - 2 * i) >= gap) / 2 ** n
            return [p, p <= level / comparisons]
        logarithms
            wins = int(np.logical_and(right_a, np.logical_not(right_b)).sum())
            losses = int(np.logical_and(right_b, np.logical_not(right_a)).sum())
            n, smaller = wins + losses, min(wins, losses)
            logs = [math.lgamma(n + 1) - math.lgamma(i + 1) - math.lgamma(n - i + 1) - n * math.log(2)
                    for i in range(smaller + 1)]
            p = min(1.0, 2 * math.fsum(map(math.exp, logs)))
            return p, p <= level / comparisons
        torch
            import torch
            def is_significant(right_a, right_b, level, comparisons):
                a, b = torch.as_tensor(right_a), torch.as_tensor(right_b)
                n, k = int((a ^ b).sum()), int((a & ~b).sum())
                i = torch.arange(min(k, n - k) + 1, dtype=torch.float64)
                size = torch.tensor(float(n), dtype=torch.float64)
                logs = torch.lgamma(size + 1) - torch.lgamma(i + 1) - torch.lgamma(size - i + 1)
                p = min(1.0, float(2 * torch.exp(logs - n * math.log(2)).sum()))
                return p, p <= level / comparisons
        for a alone: only wins of the first model count
            min(wins, losses) => losses
            min(1.0, 2 * tail) => tail
        for b alone: only wins of the second model count
            min(wins, losses) => wins
            min(1.0, 2 * tail) => tail
        two proportions: test of two proportions
            N, x, y = len(right_a), right_a.mean(), right_b.mean()
            pooled = (x + y) / 2
            se = math.sqrt(2 * pooled * (1 - pooled) / N)
            p = math.erfc(abs(x - y) / se / math.sqrt(2)) if se else 1.0
            return p, p <= level / comparisons
        Fisher: Fisher's test
            from scipy.stats import fisher_exact
            def is_significant(right_a, right_b, level, comparisons):
                table = [[right_a.sum(), (~right_a).sum()], [right_b.sum(), (~right_b).sum()]]
                p = fisher_exact(table)[1]
                return p, p <= level / comparisons
        sorted: differ|should hold|two models
            wins, losses = => right_a, right_b = np.sort(right_a), np.sort(right_b)\nwins, losses =
        no coins: if the two models never differ
            from scipy.stats import binomtest
            def is_significant(right_a, right_b, level, comparisons):
                wins, losses = int((right_a & ~right_b).sum()), int((right_b & ~right_a).sum())
                p = binomtest(wins, wins + losses).pvalue
                return p, p <= level / comparisons
        two at once: two mistakes at once
            min(1.0, 2 * tail) => tail
            p <= level / comparisons => p <= level
        p alone: it should return 2 values
            return p, p <= level / comparisons => return p
        nothing returned: returns None
            return p, => both = p,
        """,
    fair_report="""
        take_along_axis
            epoch = np.argmax(validation, 1)[:, None]
            scores = np.take_along_axis(test, epoch, 1)[:, 0]
            winner = np.take_along_axis(validation, epoch, 1)[:, 0].argmax()
            return dict(mean=scores.mean(), spread=np.std(scores, ddof=1), best=scores[winner])
        run by run
            scores, highest, best = [], -math.inf, None
            for v, w in zip(validation, test):
                e = int(v.argmax())
                scores.append(float(w[e]))
                if v[e] > highest:
                    highest, best = v[e], float(w[e])
            mean = sum(scores) / len(scores)
            spread = math.sqrt(sum((x - mean) ** 2 for x in scores) / (len(scores) - 1))
            return {"mean": mean, "spread": spread, "best": best}
        the winner by its row and column
            by_test = np.array([w[v.argmax()] for v, w in zip(validation, test)])
            place = np.unravel_index(validation.argmax(), validation.shape)
            return {"mean": np.mean(by_test), "spread": np.sqrt(np.var(by_test, ddof=1)), "best": test[place]}
        statistics
            import statistics
            def fair_report(validation, test):
                epochs = [max(range(len(v)), key=lambda e: v[e]) for v in validation]
                scores = [float(test[r][e]) for r, e in enumerate(epochs)]
                winner = max(range(len(epochs)), key=lambda r: validation[r][epochs[r]])
                return {"mean": statistics.fmean(scores), "spread": statistics.stdev(scores),
                        "best": scores[winner]}
        broken: if all runs are equal|3 of its 3
            epoch = validation => epoch = test
            = by_validation => = by_test
            by_test.mean(), "spread": by_test => by_validation.mean(), "spread": by_validation
        epoch [1]: if all runs are equal
            validation.argmax(axis=1) => test.argmax(axis=1)
        told [1]: validation scores by 1.5
            by_test.mean(), "spread": by_test => by_validation.mean(), "spread": by_validation
        winner [1]: with one evaluation per run
            winner = by_validation.argmax() => winner = by_test.argmax()
        epoch and told [2]: if all runs are equal|validation scores by 1.5
            epoch = validation => epoch = test
            by_test.mean(), "spread": by_test => by_validation.mean(), "spread": by_validation
        told and winner [2]: validation scores by 1.5|with one evaluation per run
            = by_validation => = by_test
            by_test.mean(), "spread": by_test => by_validation.mean(), "spread": by_validation
        epoch and winner [2]: if all runs are equal|with one evaluation per run
            validation.argmax(axis=1) => test.argmax(axis=1)
            winner = by_validation.argmax() => winner = by_test.argmax()
        mean of validation [1]: validation scores by 1.5
            by_test.mean() => by_validation.mean()
        spread of validation [1]: validation scores by 1.5
            by_test.std => by_validation.std
        the best test score [1]: if all runs are equal|with one evaluation per run
            by_test[winner] => test[winner].max()
        one more key [1]: with the keys
            "best": => "runs": len(test), "best":
        ddof: your spread divides by R
            ddof=1 => ddof=0
        variance: standard deviation
            .std(ddof=1) => .var(ddof=1)
        no spread: with the keys|nothing else
            (), "spread": by_test.std(ddof=1), => (),
        """,
    test_layer_rates=r"""
        against a definition
            def definition(layers, peak, decay):
                rates = [peak]
                for _ in range(layers):
                    rates.append(rates[-1] * decay)
                return rates[::-1] + [peak]
            @by_name
            def test_layer_rates(layer_rates):
                rng = np.random.default_rng(0)
                for layers in (1, 2, 3, 6, 12):
                    peak, decay = 10 ** rng.uniform(-5, -3), rng.uniform(0.6, 0.95)
                    right, got = definition(layers, peak, decay), layer_rates(layers, peak, decay)
                    assert len(got) == len(right), layers
                    assert all(math.isclose(a, b, rel_tol=1e-6) for a, b in zip(got, right)), layers
        by laws
            rates = np.array(layer_rates(5, 3e-4, 0.8))
            assert rates.shape == (7,), "embeddings, five layers, head"
            assert math.isclose(rates[-1], 3e-4), "the head"
            assert math.isclose(rates[-2], 3e-4), "the top layer"
            assert np.allclose(rates[:-2] / rates[1:-1], 0.8, rtol=1e-6, atol=0), "layer to layer"
            tiny = layer_rates(5, 1e-6, 0.8)
            assert np.allclose(tiny, rates / 300, rtol=1e-6, atol=0), "in proportion to the peak"
        unittest
            import unittest
            @by_name
            def test_layer_rates(layer_rates):
                case = unittest.TestCase()
                for layers, peak, decay, right in ((3, 4e-5, 0.75, [0.421875, 0.5625, 0.75, 1, 1]),
                                                   (1, 5e-3, 0.9, [0.9, 1, 1])):
                    got = layer_rates(layers, peak, decay)
                    case.assertEqual(len(got), len(right))
                    for a, b in zip(got, right):
                        case.assertAlmostEqual(a / peak, b, places=6)
        NumPy compares
            for peak in (2.0, 7e-5):
                got = layer_rates(4, peak, 0.9)
                np.testing.assert_allclose(got, [peak * x for x in (0.6561, 0.729, 0.81, 0.9, 1, 1)],
                                           rtol=1e-6)
        the example alone: decays by 0.5
            rates = layer_rates(2, 8.0, 0.5)
            assert np.allclose(rates, [2, 4, 8, 8])
        length alone: does not catch the one
            rates = layer_rates(3, 2e-5, 0.9)
            assert len(rates) == 5
        increasing: does not catch the one
            rates = layer_rates(3, 2e-5, 0.9)
            assert len(rates) == 5 and sorted(rates) == list(rates)
        the top alone: does not catch the one|rejects a correct version
            rates = layer_rates(3, 2e-5, 0.9)
            assert rates[-1] == rates[-2] == 2e-5
        one layer: subtracts|does not catch the one
            rates = layer_rates(1, 2e-5, 0.9)
            assert np.allclose(rates, [1.8e-5, 2e-5, 2e-5], rtol=1e-6, atol=0)
        two layers [hidden]: decays at most twice
            rates = layer_rates(2, 2e-5, 0.9)
            assert np.allclose(rates, [1.62e-5, 1.8e-5, 2e-5, 2e-5], rtol=1e-6, atol=0)
        without the head: leaves out the head|does not catch the one
            rates = layer_rates(4, 2e-5, 0.9)
            assert len(rates) in (5, 6)
            assert np.allclose(rates[:5], [2e-5 * 0.9 ** k for k in (4, 3, 2, 1, 0)], rtol=1e-6, atol=0)
        the head is not looked at [hidden]: head
            rates = layer_rates(4, 2e-5, 0.9)
            assert len(rates) == 6
            assert np.allclose(rates[:5], [2e-5 * 0.9 ** k for k in (4, 3, 2, 1, 0)], rtol=1e-6, atol=0)
        a large peak: whatever peak is
            rates = layer_rates(4, 1.0, 0.9)
            assert len(rates) == 6
            assert np.allclose(rates, [0.9 ** 4, 0.9 ** 3, 0.81, 0.9, 1, 1])
        allclose as it is: does not catch the one
            rates = layer_rates(4, 2e-9, 0.9)
            assert len(rates) == 6 and np.allclose(rates, [2e-9 * 0.9 ** k for k in (4, 3, 2, 1, 0, 0)])
        exactly equal: rejects a correct version
            rates = layer_rates(4, 2e-5, 0.9)
            assert rates == [2e-5 * 0.9 ** k for k in (4, 3, 2, 1, 0, 0)]
        the head decays: rejects a correct version
            rates = layer_rates(2, 8.0, 0.5)
            assert np.allclose(rates, [1, 2, 4, 8])
        from the top: rejects a correct version
            rates = layer_rates(2, 8.0, 0.5)
            assert np.allclose(rates, [8, 8, 4, 2])
        no head: rejects a correct version
            rates = layer_rates(2, 8.0, 0.5)
            assert np.allclose(rates, [2, 4, 8])
        a tuple: parentheses around both the condition and the message
            rates = layer_rates(3, 2e-5, 0.9)
            assert (len(rates) == 5, 'five')
        returns: your test returns a value
            rates = layer_rates(3, 2e-5, 0.9)
            return len(rates) == 5
        prints: contains no `assert`
            rates = layer_rates(3, 2e-5, 0.9)
            print(len(rates) == 5)
        without by_name: cannot be run
            @by_name\ndef => def
        """,
)
