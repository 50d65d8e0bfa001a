"""Answers to the assignment of unit 13. They use what its notebook offers: math, np, gelu, by_name."""

from . import Bank, changed

MAXIMUM = """
def expected_maximum(scores, k):
    ordered, N = np.sort(scores), len(scores)
    i = np.arange(1, N + 1)
    chance = (i / N) ** k - ((i - 1) / N) ** k
    mean = (chance * ordered).sum()
    return mean, (chance * (ordered - mean) ** 2).sum()
"""
CHANCE, VARIANCE = "(i / N) ** k - ((i - 1) / N) ** k", "(chance * (ordered - mean) ** 2).sum()"

STOPPING = """
def successive_stopping(curves, t, f, p):
    stop = round(f * curves.shape[1])
    kept = np.argsort(-curves[:t, stop - 1], kind="stable")[:p]
    return kept, int(kept[curves[kept, -1].argmax()])
"""
LOOK, ORDER = "curves[:t, stop - 1]", 'np.argsort(-curves[:t, stop - 1], kind="stable")'
KEEP, BEST = f"{ORDER}[:p]", "kept[curves[kept, -1].argmax()]"

COST = """
def stopping_cost(t, f, p, s):
    return (t * f + p * (1 - f)) * s
"""
STEPS = "(t * f + p * (1 - f)) * s"

ADAPTER = """
class Adapter:
    def __init__(self, hidden_size, bottleneck, rng):
        D, M = hidden_size, bottleneck
        self.weights = {"down.weight": rng.normal(0, 0.01, (M, D)), "down.bias": np.zeros(M),
                        "up.weight": rng.normal(0, 0.01, (D, M)), "up.bias": np.zeros(D)}

    def __call__(self, hidden):
        w = self.weights
        small = gelu(hidden @ w["down.weight"].T + w["down.bias"])
        return hidden + small @ w["up.weight"].T + w["up.bias"]
"""
DOWN, UP = "rng.normal(0, 0.01, (M, D))", "rng.normal(0, 0.01, (D, M))"
SMALL = 'gelu(hidden @ w["down.weight"].T + w["down.bias"])'
OUT = 'hidden + small @ w["up.weight"].T + w["up.bias"]'

MERGE = """
def lora_merge(weights, adapters, alpha):
    merged = dict(weights)
    for name, pair in adapters.items():
        merged[name] = weights[name] + alpha / len(pair["a"]) * (pair["b"] @ pair["a"])
    return merged
"""
SCALE, PRODUCT = 'alpha / len(pair["a"])', '(pair["b"] @ pair["a"])'

SIGNIFICANT = """
def is_significant(right_a, right_b, level, comparisons):
    wins, losses = int((right_a & ~right_b).sum()), int((right_b & ~right_a).sum())
    n = wins + losses
    tail = sum(math.comb(n, i) for i in range(min(wins, losses) + 1)) / 2 ** n
    p = min(1.0, 2 * tail)
    return p, p <= level / comparisons
"""
TAIL, TWICE = "for i in range(min(wins, losses) + 1)", "min(1.0, 2 * tail)"
DECIDE = "p <= level / comparisons"

REPORT = """
def fair_report(validation, test):
    runs = np.arange(len(test))
    epoch = validation.argmax(axis=1)
    by_validation = validation[runs, epoch]
    by_test = test[runs, epoch]
    winner = by_validation.argmax()
    return {"mean": by_test.mean(), "spread": by_test.std(ddof=1), "best": by_test[winner]}
"""
EPOCH = ("validation.argmax(axis=1)", "test.argmax(axis=1)")
TOLD = (
    '"mean": by_test.mean(), "spread": by_test.std(ddof=1)',
    '"mean": by_validation.mean(), "spread": by_validation.std(ddof=1)',
)
WINNER = ("winner = by_validation.argmax()", "winner = by_test.argmax()")
ALIKE, HIGHER, SINGLE = "if all runs are equal", "validation scores by 1.5", "with one evaluation per run"

TEST = """
@by_name
def test_layer_rates(layer_rates):
    rates = layer_rates(4, 2e-5, 0.9)
    assert len(rates) == 6
    right = [2e-5 * 0.9 ** 4, 2e-5 * 0.9 ** 3, 2e-5 * 0.9 ** 2, 2e-5 * 0.9, 2e-5, 2e-5]
    assert np.allclose(rates, right, rtol=1e-6, atol=0)
"""


def drawn(down, up):
    """Return the adapter solution's line that draws, with these two spreads, as ast.unparse writes it."""
    return (
        f"self.weights = {{'down.weight': rng.normal(0, {down}, (M, D)), 'down.bias': np.zeros(M), "
        f"'up.weight': rng.normal(0, {up}, (D, M)), 'up.bias': np.zeros(D)}}"
    )


def tested(call, body):
    """A test that compares one call with a list. body: the comparison, where `rates` is what was returned."""
    return f"""
@by_name
def test_layer_rates(layer_rates):
    rates = layer_rates({call})
    {body}
"""


BANK = {
    "expected_maximum": Bank(
        right={
            "the solution": MAXIMUM,
            "a loop, and the mean of the squares": """
                def expected_maximum(scores, k):
                    v, N = sorted(float(x) for x in scores), len(scores)
                    first = second = 0.0
                    for i, x in enumerate(v, 1):
                        p = (i / N) ** k - ((i - 1) / N) ** k
                        first += p * x
                        second += p * x * x
                    return first, second - first * first
                """,
            "differences of a power": """
                def expected_maximum(scores, k):
                    scores = np.sort(np.asarray(scores, dtype=np.float64))
                    p = np.diff(np.linspace(0, 1, len(scores) + 1) ** k)
                    return np.average(scores, weights=p), np.cov(scores, aweights=p, ddof=0)[()]
                """,
            "from the highest down": """
                def expected_maximum(scores, k):
                    v, N = np.sort(scores)[::-1].astype(float), len(scores)
                    below = (1 - np.arange(N + 1) / N) ** k
                    p = below[:-1] - below[1:]
                    mean = p @ v
                    return [mean, p @ (v - mean) ** 2]
                """,
            "each score's share, equal ones together": """
                def expected_maximum(scores, k):
                    values, counts = np.unique(scores, return_counts=True)
                    share = np.concatenate([[0], np.cumsum(counts)]) / len(scores)
                    p = share[1:] ** k - share[:-1] ** k
                    mean = float((p * values).sum())
                    return mean, float((p * (values - mean) ** 2).sum())
                """,
            "sums by parts": """
                def expected_maximum(scores, k):
                    v = np.sort(np.asarray(scores, float))
                    N = len(v)
                    def moment(values):
                        steps = [(i / N) ** k * (values[i] - values[i - 1]) for i in range(1, N)]
                        return values[-1] - sum(steps)
                    mean = moment(v)
                    return mean, moment((v - v[0]) ** 2) - (mean - v[0]) ** 2
                """,
            "torch": """
                import torch
                def expected_maximum(scores, k):
                    v = torch.as_tensor(scores, dtype=torch.float64).sort().values
                    p = torch.linspace(0, 1, len(v) + 1, dtype=torch.float64).pow(k).diff()
                    mean = (p * v).sum()
                    return mean, (p * (v - mean) ** 2).sum()
                """,
            "defensive": """
                def expected_maximum(scores, k):
                    scores = np.asarray(scores, float).ravel()
                    if not len(scores) or k < 1:
                        raise ValueError("at least one score and one draw")
                    order, N = np.argsort(scores), len(scores)
                    p = np.array([(i + 1) ** int(k) - i ** int(k) for i in range(N)], dtype=float)
                    p = p / float(N) ** k
                    mean = float(np.dot(p, scores[order]))
                    return mean, max(0.0, float(np.dot(p, (scores[order] - mean) ** 2)))
                """,
        },
        wrong={
            "without replacement": (
                changed(
                    MAXIMUM,
                    (
                        CHANCE,
                        "np.array([math.comb(j, min(k, N) - 1) / math.comb(N, min(k, N)) for j in range(N)])",
                    ),
                ),
                "draw without replacement",
            ),
            "not sorted": (changed(MAXIMUM, ("np.sort(scores)", "scores")), "you do not sort the scores"),
            "the first k": (
                """
                def expected_maximum(scores, k):
                    return max(scores[:k]), np.var(scores[:k])
                """,
                "the best of the first k",
            ),
            "top k": (
                """
                def expected_maximum(scores, k):
                    best = np.sort(scores)[-k:]
                    return best.mean(), best.var()
                """,
                "mean of the k highest",
            ),
            "only the mean": (changed(MAXIMUM, (f"mean, {VARIANCE}", "mean")), "it should return 2 values"),
            "drawn": (
                """
                def expected_maximum(scores, k):
                    rng = np.random.default_rng()
                    best = rng.choice(scores, size=(1000, k)).max(axis=1)
                    return best.mean(), best.var()
                """,
                "differ|should hold|different results|not as|the values",
            ),
            "in place": (
                changed(
                    MAXIMUM,
                    (
                        "ordered, N = np.sort(scores), len(scores)",
                        "scores.sort()\n    ordered, N = scores, len(scores)",
                    ),
                ),
                "changes its inputs",
            ),
            "two at once": (
                changed(MAXIMUM, ("np.sort(scores)", "scores"), (VARIANCE, f"np.sqrt({VARIANCE})")),
                "two mistakes at once",
            ),
            "nothing returned": (changed(MAXIMUM, ("return mean,", "both = mean,")), "returns None"),
        },
    ),
    "successive_stopping": Bank(
        right={
            "the solution": STOPPING,
            "Python's sorted and max": """
                def successive_stopping(curves, t, f, p):
                    at = int(round(f * len(curves[0]))) - 1
                    runs = sorted(range(t), key=lambda run: -curves[run][at])
                    kept = runs[:p]
                    return kept, max(kept, key=lambda run: curves[run][-1])
                """,
            "one by one": """
                def successive_stopping(curves, t, f, p):
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
                """,
            "lexsort": """
                def successive_stopping(curves, t, f, p):
                    column = curves[:t, int(f * curves.shape[1] + 0.5) - 1]
                    kept = np.lexsort((np.arange(t), -column))[:p]
                    place = np.argmax(curves[kept][:, -1])
                    return kept.astype(int), kept[place]
                """,
            "pairs": """
                def successive_stopping(curves, t, f, p):
                    stop = round(f * curves.shape[1])
                    scores = [(-float(curves[run, stop - 1]), run) for run in range(t)]
                    kept = [run for _, run in sorted(scores)][:p]
                    ends = [float(curves[run, -1]) for run in kept]
                    return (kept, kept[ends.index(max(ends))])
                """,
            "torch": """
                import torch
                def successive_stopping(curves, t, f, p):
                    curves = torch.as_tensor(curves)
                    stop = round(f * curves.shape[1])
                    kept = torch.sort(curves[:t, stop - 1], descending=True, stable=True).indices[:p]
                    ends = curves[kept, -1]
                    return kept, int(kept[(ends == ends.max()).nonzero()[0, 0]])
                """,
            "defensive": """
                def successive_stopping(curves, t, f, p):
                    curves = np.asarray(curves, dtype=float)
                    N, E = curves.shape
                    if not 1 <= p <= t <= N:
                        raise ValueError(f"p={p}, t={t}, N={N}")
                    stop = min(max(round(f * E), 1), E)
                    started = curves[:t].copy()
                    kept = np.argsort(-started[:, stop - 1], kind="mergesort")[:p]
                    return kept.tolist(), int(kept[int(np.argmax(started[kept, E - 1]))])
                """,
        },
        wrong={
            "by the last score": (changed(STOPPING, (LOOK, "curves[:t, -1]")), "by their last scores"),
            "too late": (
                changed(STOPPING, ("stop - 1", "min(stop, curves.shape[1] - 1)")),
                "one evaluation too late",
            ),
            "int": (changed(STOPPING, ("round(", "int(")), "int(), which rounds down"),
            "ceil": (changed(STOPPING, ("round(", "math.ceil(")), "ceil, which rounds up"),
            "the share that is left": (
                changed(STOPPING, ("round(f * curves.shape[1])", "max(round((1 - f) * curves.shape[1]), 1)")),
                "as the share of training that is left",
            ),
            "turned round by any sort": (
                changed(STOPPING, (ORDER, f"np.argsort({LOOK})[::-1]")),
                "put the run with the higher number first",
            ),
            "only best": (changed(STOPPING, ("return kept, ", "return ")), "it should return 2 values"),
            "two at once": (
                changed(STOPPING, (LOOK, "curves[:, stop - 1]"), (BEST, "kept[0]")),
                "two mistakes at once",
            ),
            "nothing returned": (changed(STOPPING, ("return kept", "both = kept")), "returns None"),
        },
    ),
    "stopping_cost": Bank(
        right={
            "the solution": COST,
            "stopped and continued": """
                def stopping_cost(t, f, p, s):
                    stopped = (t - p) * f * s
                    continued = p * s
                    return stopped + continued
                """,
            "two phases": """
                def stopping_cost(t, f, p, s):
                    f = np.asarray(f, dtype=float)
                    until_stop = t * (f * s)
                    after = p * (s - f * s)
                    total = until_stop + after
                    return total if total.ndim else float(total)
                """,
            "run by run": """
                def stopping_cost(t, f, p, s):
                    return sum([s + 0 * f] * p + [f * s] * (t - p))
                """,
            "loop over the shares": """
                def stopping_cost(t, f, p, s):
                    if np.ndim(f):
                        return np.array([stopping_cost(t, share, p, s) for share in f])
                    return float(f * t + (1.0 - f) * p) * s
                """,
            "torch": """
                import torch
                def stopping_cost(t, f, p, s):
                    shares = torch.as_tensor(f, dtype=torch.float64)
                    return (p + (t - p) * shares) * s
                """,
        },
        wrong={
            "plus": (changed(COST, ("1 - f", "1 + f")), "your second part has a plus sign"),
            "twice": (changed(COST, (STEPS, "(t * f + p) * s")), "count the p runs from their beginning"),
            "the others": (changed(COST, ("p * (1 - f)", "(t - p) * (1 - f)")), "you continue t - p runs"),
            "only the stopped": (changed(COST, (STEPS, "(t - p) * f * s")), "only the runs that are stopped"),
            "nothing returned": (changed(COST, ("return", "cost =")), "returns None"),
        },
    ),
    "Adapter": Bank(
        right={
            "the solution": ADAPTER,
            "loops over tokens": """
                class Adapter:
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
                """,
            "einsum": """
                class Adapter:
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
                """,
            "truncated, as in the paper, and float32": """
                class Adapter:
                    def __init__(self, hidden_size, bottleneck, rng):
                        def truncated(shape):
                            x = rng.normal(0, 0.01, size=shape)
                            while (abs(x) > 0.02).any():
                                x = np.where(abs(x) > 0.02, rng.normal(0, 0.01, size=shape), x)
                            return x.astype(np.float32)
                        D, M = hidden_size, bottleneck
                        self.weights = dict(zip(("down.weight", "down.bias", "up.weight", "up.bias"), (
                            truncated((M, D)), np.zeros(M, np.float32), truncated((D, M)),
                            np.zeros(D, np.float32))))
                    def linear(self, x, name):
                        return x @ self.weights[f"{name}.weight"].T + self.weights[f"{name}.bias"]
                    def __call__(self, hidden):
                        return np.add(hidden, self.linear(gelu(self.linear(hidden, "down")), "up"))
                """,
            "torch": """
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
                """,
            "defensive": """
                class Adapter:
                    NAMES = ("down.weight", "down.bias", "up.weight", "up.bias")
                    def __init__(self, hidden_size, bottleneck, rng):
                        if bottleneck < 1:
                            raise ValueError("the bottleneck must be at least 1")
                        self.hidden_size = hidden_size
                        shapes = ((bottleneck, hidden_size), (bottleneck,), (hidden_size, bottleneck),
                                  (hidden_size,))
                        self.weights = {
                            name: rng.normal(0.0, 0.01, shape) if len(shape) == 2 else np.zeros(shape)
                            for name, shape in zip(self.NAMES, shapes)}
                    def forward(self, hidden):
                        if hidden.shape[-1] != self.hidden_size:
                            raise ValueError("another width")
                        dw, db, uw, ub = (np.asarray(self.weights[name]) for name in self.NAMES)
                        return hidden.copy() + (np.dot(gelu(np.dot(hidden, dw.T) + db), uw.T) + ub)
                    __call__ = forward
                """,
        },
        wrong={
            "no skip": (
                changed(ADAPTER, (OUT, 'small @ w["up.weight"].T + w["up.bias"]')),
                "the skip connection is missing",
            ),
            "no GELU": (changed(ADAPTER, ("gelu(hidden", "(hidden")), "the GELU is missing"),
            "ReLU": (
                changed(ADAPTER, (SMALL, 'np.maximum(hidden @ w["down.weight"].T + w["down.bias"], 0)')),
                "you apply ReLU",
            ),
            "tanh": (changed(ADAPTER, ("gelu(", "np.tanh(")), "you apply tanh"),
            "approximate GELU": (
                changed(
                    ADAPTER,
                    (
                        "class Adapter:",
                        """def approximate(x):
    return 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x ** 3)))

class Adapter:""",
                    ),
                    ("gelu(", "approximate("),
                ),
                "tanh approximation of GELU",
            ),
            "GELU at the end too": (
                changed(ADAPTER, (OUT, 'hidden + gelu(small @ w["up.weight"].T + w["up.bias"])')),
                "also apply a GELU after the second linear layer",
            ),
            "GELU of the sum": (
                changed(ADAPTER, ("gelu(hidden", "(hidden"), (OUT, f"gelu({OUT})")),
                "after adding `hidden`",
            ),
            "no down bias": (changed(ADAPTER, (' + w["down.bias"]', "")), "down.bias"),
            "no up bias": (changed(ADAPTER, (' + w["up.bias"]', "")), "up.bias"),
            "no biases": (
                changed(ADAPTER, (' + w["down.bias"]', ""), (' + w["up.bias"]', "")),
                "both biases are missing",
            ),
            "minus": (
                changed(ADAPTER, (OUT, 'hidden - (small @ w["up.weight"].T + w["up.bias"])')),
                "you subtract the output",
            ),
            "not transposed": (
                changed(ADAPTER, ('w["down.weight"].T', 'w["down.weight"]')),
                "you do not transpose down.weight",
            ),
            "up not transposed": (
                changed(ADAPTER, ('w["up.weight"].T', 'w["up.weight"]')),
                "you do not transpose up.weight",
            ),
            "own copies": (
                changed(
                    ADAPTER,
                    ("    def __call__", "        self.first = dict(self.weights)\n\n    def __call__"),
                    ("w = self.weights", "w = self.first"),
                ),
                "the contents of `self.weights` when it is called|mismatch",
            ),
            "zeros": (
                changed(ADAPTER, (DOWN, "np.zeros((M, D))"), (UP, "np.zeros((D, M))")),
                "neither ever gets a gradient",
            ),
            "up 0, as in LoRA": (changed(ADAPTER, (UP, "np.zeros((D, M))")), "LoRA starts like this"),
            "ones": (changed(ADAPTER, (DOWN, "np.full((M, D), 0.01)")), "are equal"),
            "standard normal": (
                changed(ADAPTER, (DOWN, "rng.normal(size=(M, D))"), (UP, "rng.normal(size=(D, M))")),
                "not close to the identity",
            ),
            "variance 0.01": (changed(ADAPTER, ("0.01", "0.1", 2)), "not the variance"),
            "evenly": (changed(ADAPTER, (DOWN, "rng.uniform(-0.01, 0.01, (M, D))")), "normal distribution"),
            "around 0.01": (changed(ADAPTER, (DOWN, "rng.normal(0.01, 0.01, (M, D))")), "Draw it around 0"),
            "biases drawn": (changed(ADAPTER, ("np.zeros(M)", "rng.normal(0, 0.01, M)")), "biases of a new"),
            "transposed": (changed(ADAPTER, (DOWN, UP)), "It is transposed"),
            "other names": (changed(ADAPTER, ('"down.weight": ', '"down_weight": ')), "with the keys"),
            "own generator": (
                changed(
                    ADAPTER,
                    ("D, M = hidden_size", "rng = np.random.default_rng(0)\n        D, M = hidden_size"),
                ),
                "have equal weights",
            ),
            "global generator": (
                changed(ADAPTER, ("rng.normal", "np.random.normal", 2)),
                "equally seeded `rng` differ",
            ),
            "in place": (
                changed(
                    ADAPTER,
                    (
                        f"return {OUT}",
                        'hidden += small @ w["up.weight"].T + w["up.bias"]\n        return hidden',
                    ),
                ),
                "changes its inputs",
            ),
            "two at once": (changed(ADAPTER, (OUT, 'small @ w["up.weight"].T')), "two mistakes at once"),
            "nothing returned": (changed(ADAPTER, (f"return {OUT}", f"out = {OUT}")), "None"),
        },
    ),
    "lora_merge": Bank(
        right={
            "the solution": MERGE,
            "a comprehension": """
                def lora_merge(weights, adapters, alpha):
                    def change(name):
                        a, b = adapters[name]["a"], adapters[name]["b"]
                        return (alpha / b.shape[1]) * b.dot(a)
                    return {name: w + change(name) if name in adapters else w for name, w in weights.items()}
                """,
            "row by row": """
                def lora_merge(weights, adapters, alpha):
                    merged = {name: np.array(w) for name, w in weights.items()}
                    for name in adapters:
                        a, b = adapters[name]["a"], adapters[name]["b"]
                        for r in range(a.shape[0]):
                            merged[name] += alpha / a.shape[0] * np.outer(b[:, r], a[r])
                    return merged
                """,
            "scaled first": """
                def lora_merge(weights, adapters, alpha):
                    result = weights.copy()
                    for name, pair in adapters.items():
                        rank = pair["b"].shape[-1]
                        b = pair["b"] * (alpha / rank)
                        result[name] = weights[name] + np.einsum("or,ri->oi", b, pair["a"])
                    return result
                """,
            "torch": """
                import torch
                def lora_merge(weights, adapters, alpha):
                    merged = {name: torch.tensor(w) for name, w in weights.items()}
                    for name, pair in adapters.items():
                        a, b = torch.as_tensor(pair["a"]), torch.as_tensor(pair["b"])
                        merged[name] = torch.addmm(merged[name], b, a, alpha=alpha / len(a))
                    return merged
                """,
            "defensive": """
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
                """,
        },
        wrong={
            "no scale": (changed(MERGE, (f"{SCALE} * ", "")), "the scale is missing"),
            "alpha alone": (changed(MERGE, (SCALE, "alpha")), "do not divide alpha by the rank"),
            "rank of the first": (
                changed(
                    MERGE,
                    (
                        "    for name",
                        "    R = len(next(iter(adapters.values()))['a']) if adapters else 1\n    for name",
                    ),
                    (SCALE, "alpha / R"),
                ),
                "rank of the first",
            ),
            "each has one": (
                """
                def lora_merge(weights, adapters, alpha):
                    return {name: w + alpha / len(adapters[name]["a"])
                            * adapters[name]["b"] @ adapters[name]["a"] for name, w in weights.items()}
                """,
                "assume that every weight has an adapter",
            ),
            "in place": (
                changed(MERGE, ("merged[name] = weights[name] + ", "merged[name] += ")),
                "changes its inputs",
            ),
            "into weights": (changed(MERGE, ("dict(weights)", "weights")), "changes its inputs"),
            "a list": (
                changed(MERGE, ("return merged", "return list(merged.values())")),
                "it should return a dict",
            ),
            "nothing returned": (changed(MERGE, ("return merged", "merged")), "returns None"),
        },
    ),
    "is_significant": Bank(
        right={
            "the solution": SIGNIFICANT,
            "SciPy's test of a coin": """
                from scipy.stats import binomtest
                def is_significant(right_a, right_b, level, comparisons):
                    wins = np.count_nonzero(right_a > right_b)
                    losses = np.count_nonzero(right_a < right_b)
                    p = binomtest(wins, wins + losses, 0.5).pvalue if wins + losses else 1.0
                    return p, p * comparisons <= level
                """,
            "SciPy's distribution": """
                from scipy.stats import binom
                def is_significant(right_a, right_b, level, comparisons):
                    differ = right_a != right_b
                    n, k = differ.sum(), (right_a & differ).sum()
                    p = min(1.0, 2 * binom.cdf(min(k, n - k), n, 0.5))
                    return float(p), bool(p <= level / comparisons)
                """,
            "example by example, and a coin's row": """
                def is_significant(right_a, right_b, level, comparisons):
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
                """,
            "as uneven or more": """
                def is_significant(right_a, right_b, level, comparisons):
                    d = right_a.astype(int) - right_b.astype(int)
                    n, gap = int(abs(d).sum()), abs(int(d.sum()))
                    p = sum(math.comb(n, i) for i in range(n + 1) if abs(n - 2 * i) >= gap) / 2 ** n
                    return [p, p <= level / comparisons]
                """,
            "logarithms": """
                def is_significant(right_a, right_b, level, comparisons):
                    wins = int(np.logical_and(right_a, np.logical_not(right_b)).sum())
                    losses = int(np.logical_and(right_b, np.logical_not(right_a)).sum())
                    n, smaller = wins + losses, min(wins, losses)
                    logs = [math.lgamma(n + 1) - math.lgamma(i + 1) - math.lgamma(n - i + 1) - n * math.log(2)
                            for i in range(smaller + 1)]
                    p = min(1.0, 2 * math.fsum(map(math.exp, logs)))
                    return p, p <= level / comparisons
                """,
            "torch": """
                import torch
                def is_significant(right_a, right_b, level, comparisons):
                    a, b = torch.as_tensor(right_a), torch.as_tensor(right_b)
                    n, k = int((a ^ b).sum()), int((a & ~b).sum())
                    i = torch.arange(min(k, n - k) + 1, dtype=torch.float64)
                    size = torch.tensor(float(n), dtype=torch.float64)
                    logs = torch.lgamma(size + 1) - torch.lgamma(i + 1) - torch.lgamma(size - i + 1)
                    p = min(1.0, float(2 * torch.exp(logs - n * math.log(2)).sum()))
                    return p, p <= level / comparisons
                """,
        },
        wrong={
            "for a alone": (
                changed(SIGNIFICANT, ("min(wins, losses)", "losses"), (TWICE, "tail")),
                "only wins of the first model count",
            ),
            "for b alone": (
                changed(SIGNIFICANT, ("min(wins, losses)", "wins"), (TWICE, "tail")),
                "only wins of the second model count",
            ),
            "two proportions": (
                """
                def is_significant(right_a, right_b, level, comparisons):
                    N, x, y = len(right_a), right_a.mean(), right_b.mean()
                    pooled = (x + y) / 2
                    se = math.sqrt(2 * pooled * (1 - pooled) / N)
                    p = math.erfc(abs(x - y) / se / math.sqrt(2)) if se else 1.0
                    return p, p <= level / comparisons
                """,
                "test of two proportions",
            ),
            "Fisher": (
                """
                from scipy.stats import fisher_exact
                def is_significant(right_a, right_b, level, comparisons):
                    table = [[right_a.sum(), (~right_a).sum()], [right_b.sum(), (~right_b).sum()]]
                    p = fisher_exact(table)[1]
                    return p, p <= level / comparisons
                """,
                "Fisher's test",
            ),
            "sorted": (
                changed(
                    SIGNIFICANT,
                    (
                        "    wins, losses",
                        "    right_a, right_b = np.sort(right_a), np.sort(right_b)\n    wins, losses",
                    ),
                ),
                "differ|should hold|two models",
            ),
            "no coins": (
                """
                from scipy.stats import binomtest
                def is_significant(right_a, right_b, level, comparisons):
                    wins, losses = int((right_a & ~right_b).sum()), int((right_b & ~right_a).sum())
                    p = binomtest(wins, wins + losses).pvalue
                    return p, p <= level / comparisons
                """,
                "if the two models never differ",
            ),
            "two at once": (
                changed(SIGNIFICANT, (TWICE, "tail"), (DECIDE, "p <= level")),
                "two mistakes at once",
            ),
            "p alone": (
                changed(SIGNIFICANT, (f"return p, {DECIDE}", "return p")),
                "it should return 2 values",
            ),
            "nothing returned": (changed(SIGNIFICANT, ("return p,", "both = p,")), "returns None"),
        },
    ),
    "fair_report": Bank(
        right={
            "the solution": REPORT,
            "take_along_axis": """
                def fair_report(validation, test):
                    epoch = np.argmax(validation, 1)[:, None]
                    scores = np.take_along_axis(test, epoch, 1)[:, 0]
                    winner = np.take_along_axis(validation, epoch, 1)[:, 0].argmax()
                    return dict(mean=scores.mean(), spread=np.std(scores, ddof=1), best=scores[winner])
                """,
            "run by run": """
                def fair_report(validation, test):
                    scores, highest, best = [], -math.inf, None
                    for v, w in zip(validation, test):
                        e = int(v.argmax())
                        scores.append(float(w[e]))
                        if v[e] > highest:
                            highest, best = v[e], float(w[e])
                    mean = sum(scores) / len(scores)
                    spread = math.sqrt(sum((x - mean) ** 2 for x in scores) / (len(scores) - 1))
                    return {"mean": mean, "spread": spread, "best": best}
                """,
            "the winner by its row and column": """
                def fair_report(validation, test):
                    by_test = np.array([w[v.argmax()] for v, w in zip(validation, test)])
                    place = np.unravel_index(validation.argmax(), validation.shape)
                    return {"mean": np.mean(by_test), "spread": np.sqrt(np.var(by_test, ddof=1)),
                            "best": test[place]}
                """,
            "statistics": """
                import statistics
                def fair_report(validation, test):
                    epochs = [max(range(len(v)), key=lambda e: v[e]) for v in validation]
                    scores = [float(test[r][e]) for r, e in enumerate(epochs)]
                    winner = max(range(len(epochs)), key=lambda r: validation[r][epochs[r]])
                    return {"mean": statistics.fmean(scores), "spread": statistics.stdev(scores),
                            "best": scores[winner]}
                """,
        },
        wrong={
            "broken": (changed(REPORT, EPOCH, TOLD, WINNER), f"{ALIKE}|3 of its 3"),
            "epoch": (changed(REPORT, EPOCH), ALIKE, 1),
            "told": (changed(REPORT, TOLD), HIGHER, 1),
            "winner": (changed(REPORT, WINNER), SINGLE, 1),
            "epoch and told": (changed(REPORT, EPOCH, TOLD), f"{ALIKE}|{HIGHER}", 2),
            "told and winner": (changed(REPORT, TOLD, WINNER), f"{HIGHER}|{SINGLE}", 2),
            "epoch and winner": (changed(REPORT, EPOCH, WINNER), f"{ALIKE}|{SINGLE}", 2),
            "ddof": (changed(REPORT, ("ddof=1", "ddof=0")), "your spread divides by R"),
            "variance": (changed(REPORT, (".std(ddof=1)", ".var(ddof=1)")), "standard deviation"),
            "no spread": (
                changed(REPORT, (' "spread": by_test.std(ddof=1),', "")),
                "with the keys|nothing else",
            ),
        },
    ),
    "test_layer_rates": Bank(
        right={
            "by hand": TEST,
            "against a definition": """
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
                """,
            "by laws": """
                @by_name
                def test_layer_rates(layer_rates):
                    rates = np.array(layer_rates(5, 3e-4, 0.8))
                    assert rates.shape == (7,), "embeddings, five layers, head"
                    assert math.isclose(rates[-1], 3e-4), "the head"
                    assert math.isclose(rates[-2], 3e-4), "the top layer"
                    assert np.allclose(rates[:-2] / rates[1:-1], 0.8, rtol=1e-6, atol=0), "layer to layer"
                    tiny = layer_rates(5, 1e-6, 0.8)
                    assert np.allclose(tiny, rates / 300, rtol=1e-6, atol=0), "in proportion to the peak"
                """,
            "unittest": """
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
                """,
            "NumPy compares": """
                @by_name
                def test_layer_rates(layer_rates):
                    for peak in (2.0, 7e-5):
                        got = layer_rates(4, peak, 0.9)
                        np.testing.assert_allclose(got, [peak * x for x in (0.6561, 0.729, 0.81, 0.9, 1, 1)],
                                                   rtol=1e-6)
                """,
        },
        wrong={
            "the example alone": (
                tested("2, 8.0, 0.5", "assert np.allclose(rates, [2, 4, 8, 8])"),
                "decays by 0.5|decays at most twice|does not catch the one",
                "hidden",
            ),
            "length alone": (tested("3, 2e-5, 0.9", "assert len(rates) == 5"), "does not catch the one"),
            "increasing": (
                tested("3, 2e-5, 0.9", "assert len(rates) == 5 and sorted(rates) == list(rates)"),
                "does not catch the one",
            ),
            "the top alone": (
                tested("3, 2e-5, 0.9", "assert rates[-1] == rates[-2] == 2e-5"),
                "does not catch the one|rejects a correct version",
            ),
            "one layer": (
                tested("1, 2e-5, 0.9", "assert np.allclose(rates, [1.8e-5, 2e-5, 2e-5], rtol=1e-6, atol=0)"),
                "subtracts|does not catch the one",
            ),
            "two layers": (
                tested(
                    "2, 2e-5, 0.9",
                    "assert np.allclose(rates, [1.62e-5, 1.8e-5, 2e-5, 2e-5], rtol=1e-6, atol=0)",
                ),
                "decays at most twice",
                "hidden",
            ),
            "without the head": (
                tested(
                    "4, 2e-5, 0.9",
                    "assert len(rates) in (5, 6)\n    assert np.allclose("
                    "rates[:5], [2e-5 * 0.9 ** k for k in (4, 3, 2, 1, 0)], rtol=1e-6, "
                    "atol=0)",
                ),
                "leaves out the head|does not catch the one",
            ),
            "the head is not looked at": (
                tested(
                    "4, 2e-5, 0.9",
                    "assert len(rates) == 6\n    assert np.allclose(rates[:5], [2e-5 * "
                    "0.9 ** k for k in (4, 3, 2, 1, 0)], rtol=1e-6, atol=0)",
                ),
                "head",
                "hidden",
            ),
            "a large peak": (
                tested(
                    "4, 1.0, 0.9",
                    "assert len(rates) == 6\n    assert np.allclose(rates, ["
                    "0.9 ** 4, 0.9 ** 3, 0.81, 0.9, 1, 1])",
                ),
                "whatever peak is|rounds to four",
                "hidden",
            ),
            "allclose as it is": (
                tested(
                    "4, 2e-9, 0.9",
                    "assert len(rates) == 6 and np.allclose(rates, ["
                    "2e-9 * 0.9 ** k for k in (4, 3, 2, 1, 0, 0)])",
                ),
                "does not catch the one",
            ),
            "exactly equal": (
                tested("4, 2e-5, 0.9", "assert rates == [2e-5 * 0.9 ** k for k in (4, 3, 2, 1, 0, 0)]"),
                "rejects a correct version",
            ),
            "the head decays": (
                tested("2, 8.0, 0.5", "assert np.allclose(rates, [1, 2, 4, 8])"),
                "rejects a correct version",
            ),
            "from the top": (
                tested("2, 8.0, 0.5", "assert np.allclose(rates, [8, 8, 4, 2])"),
                "rejects a correct version",
            ),
            "no head": (
                tested("2, 8.0, 0.5", "assert np.allclose(rates, [2, 4, 8])"),
                "rejects a correct version",
            ),
            "a tuple": (
                tested("3, 2e-5, 0.9", "assert (len(rates) == 5, 'five')"),
                "parentheses around both the condition and the message",
            ),
            "returns": (tested("3, 2e-5, 0.9", "return len(rates) == 5"), "your test returns a value"),
            "prints": (tested("3, 2e-5, 0.9", "print(len(rates) == 5)"), "contains no `assert`"),
            "without by_name": (TEST.replace("@by_name\n", ""), "cannot be run"),
        },
    ),
}
