"""Answers to unit 06, right and wrong, as students write them; `wrong` says what each must be told."""

from functools import partial
from textwrap import dedent

from . import Bank, changed

CLASSIFIER_SOLUTION = """
    def classifier_logits(hidden, weights):
        cls = hidden[:, 0]
        pooled = np.tanh(cls @ weights["pooler.weight"].T + weights["pooler.bias"])
        return pooled @ weights["classifier.weight"].T + weights["classifier.bias"]
    """
POOL = 'np.tanh(cls @ weights["pooler.weight"].T + weights["pooler.bias"])'
SCORE = 'pooled @ weights["classifier.weight"].T + weights["classifier.bias"]'
head_slip = partial(changed, CLASSIFIER_SOLUTION)

CLASSIFIER = Bank(
    right={
        "the solution": CLASSIFIER_SOLUTION,
        "loops": """
            def classifier_logits(hidden, weights):
                B, C = len(hidden), len(weights["classifier.bias"])
                out = np.zeros((B, C))
                for b in range(B):
                    h = hidden[b][0]
                    pooled = [math.tanh(sum(w * x for w, x in zip(row, h)) + bias)
                              for row, bias in zip(weights["pooler.weight"], weights["pooler.bias"])]
                    for c in range(C):
                        score = np.dot(weights["classifier.weight"][c], pooled)
                        out[b, c] = score + weights["classifier.bias"][c]
                return out
            """,
        "einsum": """
            def classifier_logits(hidden, weights):
                pooled = np.tanh(np.einsum("bd,ed->be", hidden[:, 0, :], weights["pooler.weight"])
                                 + weights["pooler.bias"])
                return (np.einsum("be,ce->bc", pooled, weights["classifier.weight"])
                        + weights["classifier.bias"])
            """,
        "everything, then the first token": """
            def classifier_logits(hidden, weights):
                def linear(x, name):
                    return x @ weights[f"{name}.weight"].swapaxes(-1, -2) + weights[f"{name}.bias"]
                e = np.exp(2 * linear(hidden, "pooler"))
                return linear(1 - 2 / (e + 1), "classifier")[:, 0]
            """,
        "float32": """
            def classifier_logits(hidden, weights):
                w = {name: value.astype(np.float32) for name, value in weights.items()}
                pooled = np.tanh(hidden[:, 0].astype(np.float32).dot(w["pooler.weight"].T) + w["pooler.bias"])
                return np.add(np.matmul(pooled, w["classifier.weight"].transpose()), w["classifier.bias"])
            """,
        "PyTorch": """
            import torch
            from torch.nn import functional as F
            def classifier_logits(hidden, weights):
                w = {name: torch.tensor(value) for name, value in weights.items()}
                pooled = F.linear(torch.tensor(hidden)[:, 0], w["pooler.weight"], w["pooler.bias"]).tanh()
                return F.linear(pooled, w["classifier.weight"], w["classifier.bias"])
            """,
        "PyTorch's modules": """
            import torch
            def classifier_logits(hidden, weights):
                w = {name: torch.as_tensor(value) for name, value in weights.items()}
                D, C = w["pooler.weight"].shape[0], w["classifier.weight"].shape[0]
                head = torch.nn.Sequential(torch.nn.Linear(D, D), torch.nn.Tanh(), torch.nn.Linear(D, C))
                head = head.to(w["pooler.weight"].dtype)
                head.load_state_dict({"0.weight": w["pooler.weight"], "0.bias": w["pooler.bias"],
                                      "2.weight": w["classifier.weight"], "2.bias": w["classifier.bias"]})
                return head(torch.as_tensor(hidden)[:, 0])
            """,
    },
    wrong={
        "no tanh": (head_slip(("np.tanh", "")), "the tanh is missing"),
        "no pooler": (head_slip((POOL, "cls")), "the pooler is missing"),
        "tanh alone": (head_slip((POOL, "np.tanh(cls)")), "linear map is missing"),
        "ReLU": (head_slip((POOL, f"np.maximum({POOL.removeprefix('np.tanh')}, 0)")), "activation is ReLU"),
        "sigmoid": (
            head_slip((POOL, f"1 / (1 + np.exp(-{POOL.removeprefix('np.tanh')}))")),
            "activation is the sigmoid",
        ),
        "tanh at the end": (
            head_slip(("np.tanh", ""), (SCORE, f"np.tanh({SCORE})")),
            "the tanh comes at the end",
        ),
        "W times x": (
            head_slip((POOL, 'np.tanh(weights["pooler.weight"] @ cls + weights["pooler.bias"])')),
            "for a single vector",
        ),
        "classifier not turned": (
            head_slip(('["classifier.weight"].T', '["classifier.weight"]')),
            "classifier.weight is not transposed",
        ),
        "neither turned": (head_slip((".T +", " +", 2)), "classifier.weight is not transposed"),
        "mean": (head_slip(("hidden[:, 0]", "hidden.mean(axis=1)")), "mean over all tokens"),
        "no biases": (
            head_slip((' + weights["pooler.bias"]', ""), (' + weights["classifier.bias"]', "")),
            "both biases",
        ),
        "in place": (
            head_slip(("cls = hidden[:, 0]", "cls = hidden[:, 0]\n    cls *= 1.5\n    cls /= 1.2")),
            "changes its inputs",
        ),
        "no return": (head_slip((f"return {SCORE}", f"logits = {SCORE}")), "`return` missing"),
        "tanh by exponentials": (
            head_slip(
                ("pooled = np.tanh(", "x = ("),
                (
                    "    return pooled",
                    "    pooled = (np.exp(x) - np.exp(-x)) / (np.exp(x) + np.exp(-x))\n    return pooled",
                ),
            ),
            "overflow",
        ),
    },
)

CHOICE_SOLUTION = """
    def choice_logits(hidden, weights, num_choices):
        return classifier_logits(hidden, weights).reshape(-1, num_choices)
    """
SHAPED = "classifier_logits(hidden, weights).reshape(-1, num_choices)"


def choice_slip(result):
    return changed(CHOICE_SOLUTION, (SHAPED, result))


CHOICE = Bank(
    right={
        "the solution": CHOICE_SOLUTION,
        "example by example": """
            def choice_logits(hidden, weights, num_choices):
                B = hidden.shape[0] // num_choices
                rows = []
                for b in range(B):
                    options = hidden[b * num_choices:(b + 1) * num_choices]
                    rows.append(classifier_logits(options, weights)[:, 0])
                return np.stack(rows)
            """,
        "einops by hand": """
            def choice_logits(hidden, weights, num_choices):
                scores = np.zeros((len(hidden) // num_choices, num_choices))
                for i, (score,) in enumerate(classifier_logits(hidden, weights)):
                    scores[i // num_choices][i % num_choices] = score
                return scores
            """,
        "every C-th row": """
            def choice_logits(hidden, weights, num_choices):
                flat = classifier_logits(hidden, weights)
                return np.concatenate([flat[c::num_choices] for c in range(num_choices)], axis=1)
            """,
        "without the first exercise, in float32": """
            def choice_logits(hidden, weights, num_choices):
                h = hidden[:, 0].reshape(-1, num_choices, hidden.shape[-1]).astype(np.float32)
                pooled = np.tanh(h @ weights["pooler.weight"].T.astype(np.float32) + weights["pooler.bias"])
                scores = pooled @ weights["classifier.weight"][0] + weights["classifier.bias"][0]
                return scores.astype(np.float32)
            """,
        "PyTorch": """
            import torch
            def choice_logits(hidden, weights, num_choices):
                return torch.as_tensor(classifier_logits(hidden, weights)).view(-1, num_choices)
            """,
        "as one long row of options": """
            def choice_logits(hidden, weights, num_choices):
                shape = (len(hidden) // num_choices, num_choices, *hidden.shape[1:])
                options = np.moveaxis(hidden.reshape(shape), 1, 0)
                return np.stack([classifier_logits(option, weights)[:, 0] for option in options], axis=-1)
            """,
    },
    wrong={
        "softmax": (
            changed(
                CHOICE_SOLUTION,
                ("return ", "scores = "),
                (
                    SHAPED,
                    SHAPED
                    + """
    e = np.exp(scores)
    return e / e.sum(axis=1, keepdims=True)""",
                ),
            ),
            "you return probabilities. Return the scores before",
        ),
        "softmax over everything": (
            changed(
                CHOICE_SOLUTION,
                ("return ", "e = "),
                (
                    SHAPED,
                    "np.exp(classifier_logits(hidden, weights))\n"
                    "    return (e / e.sum()).reshape(-1, num_choices)",
                ),
            ),
            "over all sequences of the batch",
        ),
        "softmax over examples": (
            changed(
                CHOICE_SOLUTION,
                ("return ", "e = "),
                (SHAPED, f"np.exp({SHAPED})\n    return e / e.sum(axis=0)"),
            ),
            "over the examples",
        ),
        "softmax of each score": (
            changed(
                CHOICE_SOLUTION,
                ("return ", "e = "),
                (
                    SHAPED,
                    "np.exp(classifier_logits(hidden, weights))\n"
                    "    return (e / e.sum(-1, keepdims=True)).reshape(-1, num_choices)",
                ),
            ),
            "always gives 1",
        ),
        "its own head without tanh": (
            """
            def choice_logits(hidden, weights, num_choices):
                pooled = hidden[:, 0] @ weights["pooler.weight"].T + weights["pooler.bias"]
                scores = pooled @ weights["classifier.weight"].T + weights["classifier.bias"]
                return scores.reshape(-1, num_choices)
            """,
            "the pooler's tanh is missing",
        ),
        "its own head without pooler": (
            """
            def choice_logits(hidden, weights, num_choices):
                scores = hidden[:, 0] @ weights["classifier.weight"].T + weights["classifier.bias"]
                return scores.reshape(-1, num_choices)
            """,
            "pooler is missing",
        ),
        "reshaped before": (
            choice_slip("classifier_logits(hidden.reshape(-1, num_choices, hidden.shape[-1]), weights)"),
            "the shape is",
        ),
    },
)

MATTHEWS_SOLUTION = """
    def matthews_correlation(gold, predicted):
        tp = int(((gold == 1) & (predicted == 1)).sum())
        tn = int(((gold == 0) & (predicted == 0)).sum())
        fp = int(((gold == 0) & (predicted == 1)).sum())
        fn = int(((gold == 1) & (predicted == 0)).sum())
        below = (tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)
        if below == 0:
            return 0.0
        return (tp * tn - fp * fn) / math.sqrt(below)
    """
ABOVE, RESULT = "(tp * tn - fp * fn)", "(tp * tn - fp * fn) / math.sqrt(below)"
matthews_slip = partial(changed, MATTHEWS_SOLUTION)

MATTHEWS = Bank(
    right={
        "the solution": MATTHEWS_SOLUTION,
        "a loop": """
            def matthews_correlation(gold, predicted):
                count = {(g, p): 0 for g in (0, 1) for p in (0, 1)}
                for g, p in zip(gold.tolist(), predicted.tolist()):
                    count[g, p] += 1
                tn, fp, fn, tp = count[0, 0], count[0, 1], count[1, 0], count[1, 1]
                try:
                    return (tp * tn - fp * fn) / ((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)) ** 0.5
                except ZeroDivisionError:
                    return 0
            """,
        "Pearson's correlation, which is the same": """
            def matthews_correlation(gold, predicted):
                if gold.std() == 0 or predicted.std() == 0:
                    return 0.0
                return np.corrcoef(gold, predicted)[0, 1]
            """,
        "shares": """
            def matthews_correlation(gold, predicted):
                g, p = gold.mean(), predicted.mean()
                if g in (0, 1) or p in (0, 1):
                    return 0.0
                return ((gold * predicted).mean() - g * p) / np.sqrt(g * (1 - g) * p * (1 - p))
            """,
        "a table of counts": """
            def matthews_correlation(gold, predicted):
                table = np.zeros((2, 2), np.float32)
                np.add.at(table, (gold, predicted), 1)
                table = table.astype(float)
                sums = np.concatenate([table.sum(0), table.sum(1)])
                return np.linalg.det(table) / np.sqrt(sums.prod()) if sums.all() else 0.0
            """,
        "scikit-learn": """
            from sklearn.metrics import matthews_corrcoef
            def matthews_correlation(gold, predicted):
                return matthews_corrcoef(gold, predicted)
            """,
        "PyTorch": """
            import torch
            def matthews_correlation(gold, predicted):
                both = torch.stack([torch.tensor(gold), torch.tensor(predicted)]).double()
                return torch.corrcoef(both)[0, 1].nan_to_num(0.0)
            """,
        "the two accuracies of each side": """
            from fractions import Fraction
            def matthews_correlation(gold, predicted):
                tp, n = int((gold & predicted).sum()), len(gold)
                g, p = int(gold.sum()), int(predicted.sum())
                below = g * (n - g) * p * (n - p)
                return float(Fraction(n * tp - g * p)) / below ** 0.5 if below else 0.0
            """,
    },
    wrong={
        "accuracy": (
            "def matthews_correlation(gold, predicted):\n    return (gold == predicted).mean()",
            "you return the accuracy",
        ),
        "F1": (matthews_slip((RESULT, "2 * tp / (2 * tp + fp + fn)")), "you return F1"),
        "right minus wrong": (
            "def matthews_correlation(gold, predicted):\n"
            "    return (gold == predicted).mean() - (gold != predicted).mean()",
            "minus the share of wrong",
        ),
        "kappa": (
            matthews_slip(
                (RESULT, "2 * (tp * tn - fp * fn) / ((tp + fp) * (fp + tn) + (tp + fn) * (fn + tn))")
            ),
            "kappa",
        ),
        "0 to 1": (
            matthews_slip((RESULT, f"({RESULT} + 1) / 2"), ("return 0.0", "return 0.5")),
            "from 0 to 1",
        ),
        "one wrong sum": (
            matthews_slip(("(tn + fp) * (tn + fn)", "(tn + fp) * (tp + tn)")),
            "one sum in the denominator is wrong",
        ),
        "nan": (
            matthews_slip(("if below == 0:", "if False:"), ("math.sqrt(below)", "np.sqrt(float(below))")),
            "Return 0.0 in this case",
        ),
        "1 for equal lists": (
            matthews_slip(
                ("if below == 0:", "if (gold == predicted).all():\n        return 1.0\n    if below == 0:")
            ),
            "you return 1 for equal lists",
        ),
        "overflow": (
            matthews_slip(
                *(
                    (f"int((({g}) & ({p})).sum())", f"(({g}) & ({p})).sum()")
                    for g in ("gold == 1", "gold == 0")
                    for p in ("predicted == 1", "predicted == 0")
                ),
                ("(tp * tn - fp * fn) / math.sqrt(below)", "(tp * tn - fp * fn) / np.sqrt(below)"),
            ),
            "64-bit",
        ),
        "a list": (matthews_slip((RESULT, f"[{RESULT}]")), "one number"),
        "no return": (matthews_slip((f"return {RESULT}", f"result = {RESULT}")), "`return` missing"),
        "Yule's Q": (matthews_slip((RESULT, "(tp * tn - fp * fn) / (tp * tn + fp * fn)")), "Yule"),
        "only the answers constant": (
            matthews_slip(("if below == 0:", "if predicted.std() == 0:")),
            "divides by 0 if all",
        ),
    },
)


def verdicts(gold, first, second):
    return dedent(f"""
        def opposite_verdicts():
            gold = {gold}
            first = {first}
            second = {second}
            return gold, first, second
        """)


RARE, MANY = "[1] * 2 + [0] * 28", "[1] * 8 + [0] * 22"
VERDICTS = Bank(
    right={
        "the solution": verdicts(RARE, "[0] * 30", MANY),
        "the other label is rare": verdicts("[0] * 3 + [1] * 27", "[1] * 30", "[0] * 9 + [1] * 21"),
        "arrays": """
            def opposite_verdicts():
                gold = np.arange(100) < 5
                first = np.zeros(100, int)
                second = np.arange(100) < 20
                return gold.astype(int), first, second.astype(int)
            """,
        "a first model that is not constant": verdicts(
            "[1] * 2 + [0] * 38", "[0] * 39 + [1]", "[1] * 9 + [0] * 31"
        ),
        "one array": """
            def opposite_verdicts():
                gold = np.arange(30) < 2
                return np.stack([gold, np.zeros(30, bool), np.arange(30) < 8]).astype(int)
            """,
        "a list of lists": f"def opposite_verdicts():\n    return [{RARE}, [0] * 30, [1] * 8 + [0] * 22]",
        "True and False": verdicts("[True] * 2 + [False] * 28", "[False] * 30", "[True] * 8 + [False] * 22"),
        "PyTorch": """
            import torch
            def opposite_verdicts():
                gold, second = torch.zeros(40, dtype=torch.int64), torch.zeros(40, dtype=torch.int64)
                gold[:2], second[:10] = 1, 1
                return gold, torch.zeros_like(gold), second
            """,
    },
    wrong={
        "two lists": ("def opposite_verdicts():\n    return [1] * 20, [0] * 20", "three lists"),
        "too short": (verdicts("[1, 0, 0]", "[0, 0, 0]", "[1, 1, 0]"), "there are 3 examples"),
        "of different length": (verdicts(RARE, "[0] * 29", MANY), "equally long"),
        "labels 1 and 2": (
            verdicts("[2] * 2 + [1] * 28", "[1] * 30", "[2] * 8 + [1] * 22"),
            "each label must be 0 or 1",
        ),
        "swapped": (verdicts(RARE, MANY, "[0] * 30"), "by accuracy, `first` has 0.80 and `second` has 0.93"),
        "accuracy hardly differs": (
            verdicts(RARE, "[0] * 30", "[1] * 3 + [0] * 27"),
            "higher by at least 0.1",
        ),
        "equal answers": (verdicts(RARE, "[0] * 30", "[0] * 30"), "by accuracy"),
        "Matthews agrees with accuracy": (
            verdicts(RARE, "[1] * 2 + [0] * 28", MANY),
            "by matthews, `second` has",
        ),
        "both find nothing": (verdicts(RARE, "[0] * 30", "[1] * 30"), "by matthews"),
        "not a tuple": ("def opposite_verdicts():\n    return 0.95", "three lists"),
        "nineteen": (
            verdicts("[1] * 2 + [0] * 17", "[0] * 19", "[1] * 6 + [0] * 13"),
            "there are 19 examples",
        ),
        "gold always 1": (verdicts("[1] * 30", "[1] * 30", "[1] * 20 + [0] * 10"), "by matthews"),
        "probabilities": (
            verdicts(RARE, "[0.1] * 30", "[0.9] * 8 + [0.1] * 22"),
            "each label must be 0 or 1",
        ),
        "a dict": (
            "def opposite_verdicts():\n    return {'gold': [0] * 30, 'first': [0] * 30, 'second': [0] * 30}",
            "three lists",
        ),
        "pairs": ("def opposite_verdicts():\n    return [(1, 0, 1)] * 2 + [(0, 0, 1)] * 28", "three lists"),
        "one number each": ("def opposite_verdicts():\n    return 0.93, 0.8, 0.5", "has the shape ()"),
        "rows of one": (
            verdicts("[[1]] * 2 + [[0]] * 28", "[[0]] * 30", "[[1]] * 8 + [[0]] * 22"),
            "three lists of 0 and 1|equally long",
        ),
    },
)

GROUPS_SOLUTION = """
    def parameter_groups(names, encoder_rate, head_rate, weight_decay=0.01, frozen_layers=0):
        def decays(name):
            parts = name.split(".")
            return parts[-1] != "bias" and not parts[-2].endswith("norm")

        def frozen(name):
            if frozen_layers > 0 and name.startswith("encoder.embeddings."):
                return True
            return any(name.startswith(f"encoder.layers.{i}.") for i in range(frozen_layers))

        groups = []
        for in_encoder in (True, False):
            for decayed in (True, False):
                chosen = [n for n in names if n.startswith("encoder.") == in_encoder and decays(n) == decayed
                          and not frozen(n)]
                if chosen:
                    groups.append({"names": chosen, "lr": encoder_rate if in_encoder else head_rate,
                                   "weight_decay": weight_decay if decayed else 0.0})
        return groups
    """
DECAYS = 'parts[-1] != "bias" and not parts[-2].endswith("norm")'
RATE, DECAY = "encoder_rate if in_encoder else head_rate", "weight_decay if decayed else 0.0"
groups_slip = partial(changed, GROUPS_SOLUTION)

GROUPS = Bank(
    right={
        "the solution": GROUPS_SOLUTION,
        "four lists": """
            def parameter_groups(names, encoder_rate, head_rate, weight_decay=0.01, frozen_layers=0):
                a, b, c, d = [], [], [], []
                for name in names:
                    parts = name.split(".")
                    if name.startswith("encoder."):
                        if frozen_layers and parts[1] == "embeddings":
                            continue
                        if parts[1] == "layers" and int(parts[2]) < frozen_layers:
                            continue
                    plain = name.endswith(".bias") or parts[-2] == "norm" or parts[-2].endswith("_norm")
                    if name.startswith("encoder."):
                        (b if plain else a).append(name)
                    else:
                        (d if plain else c).append(name)
                groups = [
                    {"names": a, "lr": encoder_rate, "weight_decay": weight_decay},
                    {"names": b, "lr": encoder_rate, "weight_decay": 0},
                    {"names": c, "lr": head_rate, "weight_decay": weight_decay},
                    {"names": d, "lr": head_rate, "weight_decay": 0},
                ]
                return [group for group in groups if len(group["names"]) > 0]
            """,
        "a regular expression, a tuple": r"""
            import re
            def parameter_groups(names, encoder_rate, head_rate, weight_decay=0.01, frozen_layers=0):
                found = {key: [] for key in ((0, 0), (0, 1), (1, 0), (1, 1))}
                for name in names:
                    layer = re.match(r"encoder\.layers\.(\d+)\.", name)
                    depth = (int(layer[1]) if layer else -1 if name.startswith("encoder.embeddings.")
                             else 10 ** 6)
                    if depth < frozen_layers and frozen_layers:
                        continue
                    plain = re.search(r"(bias|norm\.weight)$", name)
                    found[int(not name.startswith("encoder.")), int(bool(plain))].append(name)
                return tuple(dict(names=group, lr=(encoder_rate, head_rate)[new],
                                  weight_decay=(weight_decay, 0.0)[plain])
                             for (new, plain), group in found.items() if group)
            """,
        "groups by rate and decay": """
            def parameter_groups(names, encoder_rate, head_rate, weight_decay=0.01, frozen_layers=0):
                skip = [f"encoder.layers.{i}." for i in range(frozen_layers)]
                if skip:
                    skip += ["encoder.embeddings."]
                kinds = [("encoder", True), ("encoder", False), ("head", True), ("head", False)]
                result = []
                for kind in kinds:
                    rate = encoder_rate if kind[0] == "encoder" else head_rate
                    group = {"weight_decay": weight_decay * kind[1], "names": [], "lr": rate}
                    for name in names:
                        where = "encoder" if name.split(".")[0] == "encoder" else "head"
                        *_, module, last = name.split(".")
                        heavy = not (last == "bias" or module == "norm" or module.endswith("_norm"))
                        if (where, heavy) == kind and not any(name.startswith(s) for s in skip):
                            group["names"] += [name]
                    if group["names"]:
                        result.append(group)
                return result
            """,
        "tuples of names": groups_slip(('{"names": chosen', '{"names": tuple(chosen)')),
    },
    wrong={
        "rates swapped": (
            groups_slip((RATE, "head_rate if in_encoder else encoder_rate")),
            "rates are swapped",
        ),
        "one rate": (groups_slip((RATE, "encoder_rate")), "all groups have encoder_rate"),
        "the head's rate": (groups_slip((RATE, "head_rate")), "all groups have head_rate"),
        "PyTorch's key": (
            groups_slip(('"names":', '"params":')),
            "they should be 'names', 'lr' and 'weight_decay'",
        ),
        "all decay": (groups_slip((DECAY, "weight_decay")), "all parameters decay"),
        "none decays": (groups_slip((DECAY, "0.0")), "no parameter decays"),
        "decay turned round": (
            groups_slip((DECAY, "0.0 if decayed else weight_decay")),
            "the decay values are swapped",
        ),
        "decay fixed": (groups_slip((DECAY, "0.01 if decayed else 0.0")), "Use the argument `weight_decay`"),
        "layer norms decay": (
            groups_slip((DECAYS, 'parts[-1] != "bias" and parts[-2] != "norm"')),
            "inside the layers decay",
        ),
        "HF's names": (
            groups_slip((DECAYS, 'not any(x in name for x in ("bias", "LayerNorm.weight"))')),
            "LayerNorms' weights decay",
        ),
        "one layer more, always": (
            groups_slip(("range(frozen_layers))", "range(frozen_layers + 1))")),
            "is in none",
        ),
        "one layer less": (
            groups_slip(("range(frozen_layers))", "range(frozen_layers - 1))")),
            "one layer too few",
        ),
        "frozen with rate 0": (
            groups_slip(
                (
                    "    groups = []",
                    """    groups = []
    kept = [n for n in names if frozen(n)]
    if kept:
        groups.append({"names": kept, "lr": 0.0, "weight_decay": 0.0})""",
                )
            ),
            "group with a learning rate of 0",
        ),
        "any layers": (
            groups_slip(('name.startswith(f"encoder.layers.{i}.")', 'f"layers.{i}." in name')),
            "layers in the head",
        ),
        "other keys": (groups_slip(('{"names": chosen', '{"params": chosen')), "'names'"),
        "a dict": (
            changed(GROUPS_SOLUTION, ("return groups", "return dict(enumerate(groups))")),
            "should return a list",
        ),
        "groups with one rate and decay merged": (
            groups_slip(
                (
                    "    return groups",
                    """    seen = {}
    for group in groups:
        seen.setdefault((group["lr"], group["weight_decay"]), []).extend(group["names"])
    return [{"names": n, "lr": lr, "weight_decay": decay} for (lr, decay), n in seen.items()]""",
                )
            ),
            "you merge groups that have the same learning rate and decay",
        ),
    },
)

TEST = """
    @by_name
    def test_matthews(matthews_correlation):
        gold, answers = np.array([1, 1, 1, 1, 0]), np.array([1, 0, 0, 0, 0])
        assert np.isclose(matthews_correlation(gold, answers), 1 / 4)
        assert np.isclose(matthews_correlation(gold, 1 - answers), -1 / 4)
        ones, many = np.ones(5, int), np.arange(400_000) % 2
        assert matthews_correlation(gold, ones) == 0
        assert matthews_correlation(ones, ones) == 0
        assert np.isclose(matthews_correlation(many, many), 1)
    """
BY_HAND = "assert np.isclose(matthews_correlation(gold, answers), 1 / 4)"
WORSE = "assert np.isclose(matthews_correlation(gold, 1 - answers), -1 / 4)"


SIDES = "    gold, answers = np.array([1, 1, 1, 1, 0]), np.array([1, 0, 0, 0, 0])\n"
HEAD = "@by_name\ndef test_matthews(matthews_correlation):\n" + SIDES


def test_slip(*changes):
    return changed(TEST, *changes)


TEST_BANK = Bank(
    right={
        "the solution": TEST,
        "against a formula of her own": """
            def mine(tp, tn, fp, fn):
                below = (tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)
                return (tp * tn - fp * fn) / below ** 0.5 if below else 0.0

            @by_name
            def test_matthews(matthews_correlation):
                for tp, tn, fp, fn in [(5, 9, 2, 4), (1, 2, 7, 3), (4, 0, 0, 0), (0, 3, 0, 0), (3, 0, 2, 0),
                                       (0, 4, 0, 1),
                                       (6, 5, 0, 2), (0, 0, 3, 4), (120_000, 90_000, 30_000, 60_000)]:
                    gold = [1] * tp + [0] * tn + [0] * fp + [1] * fn
                    said = [1] * tp + [0] * tn + [1] * fp + [0] * fn
                    got = matthews_correlation(np.array(gold), np.array(said))
                    assert abs(got - mine(tp, tn, fp, fn)) < 1e-4, (tp, tn, fp, fn, got)
            """,
        "by laws, and against Pearson": """
            @by_name
            def test_matthews(matthews_correlation):
                rng = np.random.default_rng(0)
                for n in (30, 31, 300_000):
                    gold = (rng.random(n) < 0.3).astype(int)
                    said = np.where(rng.random(n) < 0.3, 1 - gold, gold)
                    got = matthews_correlation(gold, said)
                    np.testing.assert_allclose(got, np.corrcoef(gold, said)[0, 1], rtol=1e-4)
                    np.testing.assert_allclose(matthews_correlation(gold, 1 - said), -got, rtol=1e-4)
                few, one = np.array([1, 0, 0, 0]), np.array([1, 1, 0, 0])
                np.testing.assert_allclose(matthews_correlation(one, few), 3 ** -0.5, rtol=1e-4)
                for side in (0 * few, 0 * few + 1):
                    assert matthews_correlation(few, side) == matthews_correlation(side, side) == 0
            """,
        "next to scikit-learn": """
            @by_name
            def test_matthews(matthews_correlation):
                from sklearn.metrics import matthews_corrcoef
                def same(gold, said):
                    if not np.isclose(matthews_correlation(gold, said), matthews_corrcoef(gold, said)):
                        raise ValueError(f"differs for {gold} and {said}")
                rows = [[0, 1, 1, 1, 0, 1], [1, 1, 1, 1, 1, 1], [0, 0, 1, 1, 0, 1], [1, 1, 0, 0, 1, 0]]
                for gold in rows:
                    for said in rows:
                        same(np.array(gold), np.array(said))
                same(np.tile(rows[0], 60_000), np.tile(rows[0], 60_000))
            """,
        "a helper that asserts": """
            def must(got, wanted):
                assert np.isclose(got, wanted, atol=1e-4)

            @by_name
            def test_matthews(matthews_correlation):
                gold, answers = np.array([1, 1, 1, 1, 0]), np.array([1, 0, 0, 0, 0])
                must(matthews_correlation(gold, answers), 0.25)
                must(matthews_correlation(gold, 1 - answers), -0.25)
                for side in (gold, np.ones(5, int)):
                    must(matthews_correlation(side, np.ones(5, int)), 0)
                must(matthews_correlation(np.arange(400_000) % 2, np.arange(400_000) % 2), 1)
            """,
        "pytest's words": """
            @by_name
            def test_matthews(matthews_correlation):
                gold, answers = np.array([1, 1, 1, 1, 0]), np.array([1, 0, 0, 0, 0])
                pairs = [(gold, answers), (gold, 1 - answers), (gold, gold * 0), (gold * 0, gold * 0),
                         (np.arange(400_000) % 2, np.arange(400_000) % 2)]
                np.testing.assert_allclose([matthews_correlation(*pair) for pair in pairs],
                                           [0.25, -0.25, 0, 0, 1], atol=1e-4)
            """,
    },
    wrong={
        "nothing asked": (
            "@by_name\ndef test_matthews(matthews_correlation):\n    pass",
            "the one that returns the accuracy",
        ),
        "printed": (
            """
            @by_name
            def test_matthews(matthews_correlation):
                print(matthews_correlation(np.array([1, 1, 0]), np.array([1, 0, 0])))
            """,
            "the one that returns the accuracy",
        ),
        "returned": (
            """
            @by_name
            def test_matthews(matthews_correlation):
                return matthews_correlation(np.ones(4), np.ones(4)) == 0
            """,
            "returns a value",
        ),
        "without its line": (test_slip(("@by_name", "")), "Keep the line"),
        "perfect answers only": (
            """
            @by_name
            def test_matthews(matthews_correlation):
                gold = np.array([1, 0, 1, 1])
                assert np.isclose(matthews_correlation(gold, gold), 1)
            """,
            "catches 3 of 7 wrong versions. It does not catch the one that returns the accuracy",
        ),
        "both ends": (
            """
            @by_name
            def test_matthews(matthews_correlation):
                gold = np.array([1, 0, 1, 1])
                assert np.isclose(matthews_correlation(gold, gold), 1)
                assert np.isclose(matthews_correlation(gold, 1 - gold), -1)
            """,
            "returns nan if one side",
        ),
        "never below 0": (test_slip((WORSE, "pass")), "the absolute value"),
        "no constant": (
            test_slip(
                ("assert matthews_correlation(gold, ones) == 0", ""),
                ("assert matthews_correlation(ones, ones) == 0", ""),
            ),
            "returns nan if one side",
        ),
        "exactly 1": (
            test_slip(
                (
                    "assert np.isclose(matthews_correlation(many, many), 1)",
                    "assert matthews_correlation(many, many) == 1",
                )
            ),
            "rejects a correct version",
        ),
        "F1 demanded": (test_slip((BY_HAND, BY_HAND.replace("1 / 4", "0.4"))), "rejects a correct version"),
        "1 demanded": (test_slip(("(ones, ones) == 0", "(ones, ones) == 1")), "rejects a correct version"),
        "a slip": (test_slip(("np.arange(", "np.arrange(")), "no attribute 'arrange'"),
        "no count of 0": (
            """
            @by_name
            def test_matthews(matthews_correlation):
                gold, answers = np.array([1] * 5 + [0] * 5), np.array([1, 1, 1, 0, 0, 1, 0, 0, 0, 0])
                assert np.isclose(matthews_correlation(gold, answers), 10 / 600 ** 0.5)
                assert np.isclose(matthews_correlation(gold, 1 - answers), -10 / 600 ** 0.5)
                many, ones = np.tile(gold, 40_000), np.ones(10, int)
                assert np.isclose(matthews_correlation(many, np.tile(answers, 40_000)), 10 / 600 ** 0.5)
                assert matthews_correlation(gold, ones) == matthews_correlation(ones, ones) == 0
            """,
            "if one of the four counts is 0",
            "hidden",
        ),
        "one side constant": (
            test_slip(("assert matthews_correlation(ones, ones) == 0", "")),
            "instead of 0",
            "hidden",
        ),
        "the same number of ones": (
            """
            @by_name
            def test_matthews(matthews_correlation):
                gold, answers = np.array([1, 1, 1, 0, 0, 0, 0, 0]), np.array([1, 1, 0, 1, 0, 0, 0, 0])
                ones, many = np.ones(8, int), np.arange(400_000) % 2
                assert np.isclose(matthews_correlation(gold, answers), 7 / 15)
                assert np.isclose(matthews_correlation(many, many), 1)
                assert np.isclose(matthews_correlation(many, 1 - many), -1)
                assert matthews_correlation(gold, ones) == matthews_correlation(ones, ones) == 0
            """,
            "Cohen's kappa",
            "hidden",
        ),
        "few examples": (test_slip(("400_000", "4_000")), "overflow with 400,000", "hidden"),
        "an assert of a pair": (
            HEAD + "    assert (np.isclose(matthews_correlation(gold, answers), 0.25), 'no')",
            "can never fail",
        ),
        "errors caught": (
            HEAD + "    try:\n        assert np.isclose(matthews_correlation(gold, answers), "
            "0.25)\n"
            "    except AssertionError:\n        print('wrong')",
            "can never fail",
        ),
        "no assert": (HEAD + "    np.isclose(matthews_correlation(gold, answers), 0.25)", "can never fail"),
        "the range": (HEAD + "    assert -1 <= matthews_correlation(gold, answers) <= 1", "accuracy"),
        "the sign": (
            HEAD + "    assert matthews_correlation(gold, answers) > 0\n"
            "    assert matthews_correlation(gold, 1 - answers) < 0",
            "wrong versions",
        ),
        "symmetry": (
            HEAD + "    assert matthews_correlation(gold, answers) == matthews_correlation(answers, gold)",
            "accuracy",
        ),
        "True": (HEAD + "    assert matthews_correlation(gold, answers) is not None", "accuracy"),
        "a wide tolerance": (
            HEAD + "    assert np.isclose(matthews_correlation(gold, answers), 0.25, atol=1)",
            "wrong versions",
        ),
        "the accuracy demanded": (
            HEAD + "    assert np.isclose(matthews_correlation(gold, answers), 0.4)",
            "rejects a correct version",
        ),
        "one demanded for constant answers": (
            HEAD + "    assert matthews_correlation(np.ones(5, int), np.ones(5, int)) == 1",
            "rejects a correct version",
        ),
    },
)

F1_SOLUTION = """
    def f1_of_batches(batches):
        right = said = wanted = 0
        for logits, labels in batches:
            answers = logits.argmax(axis=-1)
            right += ((answers == 1) & (labels == 1)).sum()
            said += ((answers == 1) & (labels != IGNORE)).sum()
            wanted += (labels == 1).sum()
        return 2 * right / (said + wanted) if said + wanted else 0.0
    """
FILLED, ZEROS = (" & (labels != IGNORE)", ""), ("((answers == 1) & (labels == 1))", "(answers == labels)")
MEAN = """
    def f1_of_batches(batches):
        scores = []
        for logits, labels in batches:
            answers = logits.argmax(axis=-1)
            right = ((answers == 1) & (labels == 1)).sum()
            said = ((answers == 1) & (labels != IGNORE)).sum()
            wanted = (labels == 1).sum()
            scores.append(2 * right / (said + wanted) if said + wanted else 0.0)
        return np.mean(scores)
    """
SKIP = "        if (labels == IGNORE).any():\n            continue\n        answers ="
LAST_ROWS = "labels = labels[:len(labels) - (labels == IGNORE).sum()]"
CUT, FILL = "however they are divided into batches", "which only fill up a batch, change nothing"
ZERO = "answered with 0 change nothing"


def f1_slip(*changes):
    return changed(F1_SOLUTION, *changes)


F1_BANK = Bank(
    right={
        "the solution": F1_SOLUTION,
        "joined first": """
            def f1_of_batches(batches):
                logits = np.concatenate([logits for logits, _ in batches])
                labels = np.concatenate([labels for _, labels in batches])
                logits, labels = logits[labels != IGNORE], labels[labels != IGNORE]
                ones = logits[:, 1] > logits[:, 0]
                both = ones.sum() + labels.sum()
                return 2 * (ones * labels).sum() / both if both else 0.0
            """,
        "row by row": """
            def f1_of_batches(batches):
                tp = fp = fn = 0
                for logits, labels in batches:
                    for (zero, one), label in zip(logits.tolist(), labels.tolist()):
                        if label == IGNORE:
                            continue
                        tp += one > zero and label == 1
                        fp += one > zero and label == 0
                        fn += one <= zero and label == 1
                return 2 * tp / (2 * tp + fp + fn) if tp else 0
            """,
        "precision and recall": """
            def f1_of_batches(batches):
                counts = np.zeros(3)
                for logits, labels in batches:
                    real = labels >= 0
                    answers, labels = np.argmax(logits[real], -1), labels[real]
                    counts += answers @ labels, answers.sum(), labels.sum()
                right, said, wanted = counts
                if right == 0:
                    return 0.0
                precision, recall = right / said, right / wanted
                return 2 / (1 / precision + 1 / recall)
            """,
        "scikit-learn": """
            from sklearn.metrics import f1_score
            def f1_of_batches(batches):
                answers = np.concatenate([logits.argmax(1) for logits, labels in batches])
                labels = np.concatenate([labels for logits, labels in batches])
                return f1_score(labels[labels != IGNORE], answers[labels != IGNORE], zero_division=0.0)
            """,
        "PyTorch": """
            import torch
            def f1_of_batches(batches):
                counts = torch.zeros(2, dtype=torch.float64)
                for logits, labels in batches:
                    labels = torch.as_tensor(labels)
                    ones = (torch.as_tensor(logits).argmax(-1) == 1)[labels != IGNORE]
                    labels = labels[labels != IGNORE] == 1
                    counts += torch.stack([(ones & labels).sum(), ones.sum() + labels.sum()])
                return float(2 * counts[0] / counts[1]) if counts[1] else 0.0
            """,
        "a mean, weighted by what F1 divides by": changed(
            MEAN,
            ("scores = []", "scores, weights = [], []"),
            ("        scores.append(", "        weights.append(said + wanted)\n        scores.append("),
            ("np.mean(scores)", "float(np.average(scores, weights=weights)) if sum(weights) else 0.0"),
        ),
    },
    wrong={
        "as it was": (changed(MEAN, FILLED, ZEROS), CUT),
        "bug 1 left": (MEAN, CUT, 1),
        "bug 2 left": (f1_slip(FILLED), FILL, 1),
        "bug 3 left": (f1_slip(ZEROS), ZERO, 1),
        "bugs 1 and 2 left": (changed(MEAN, FILLED), CUT, 2),
        "bugs 1 and 3 left": (changed(MEAN, ZEROS), CUT, 2),
        "bugs 2 and 3 left": (f1_slip(FILLED, ZEROS), FILL, 2),
        "weighted by rows": (
            changed(MEAN, ("np.mean(scores)", "np.average(scores, weights=[len(l) for _, l in batches])")),
            "something else has changed",
        ),
        "only the last batch": (
            changed(MEAN, ("np.mean(scores)", "scores[-1]")),
            "something else has changed|however they are divided into batches",
        ),
        "F1 of label 0": (
            f1_slip(("(answers == 1)", "(answers == 0)", 2), ("(labels == 1)", "(labels == 0)", 2)),
            "something else has changed",
        ),
        "recall": (
            f1_slip(("2 * right / (said + wanted) if said + wanted", "right / wanted if wanted")),
            "something else has changed",
        ),
        "nan": (f1_slip((" if said + wanted else 0.0", "")), "something else has changed"),
        "labels changed": (
            f1_slip(("        answers =", "        labels[labels == IGNORE] = 0\n        answers =")),
            "changes its inputs",
        ),
        "no return": (f1_slip(("return 2", "f1 = 2")), "`return` missing"),
        "rows that fill up stand last": (
            f1_slip(
                ("        answers =", f"        {LAST_ROWS}\n        answers ="),
                ("logits.argmax(axis=-1)", "logits[:len(labels)].argmax(axis=-1)"),
            ),
            "which only fill up a batch",
        ),
        "stops at a row that fills up": (
            changed(
                F1_SOLUTION,
                (
                    "        answers =",
                    """        real = labels != IGNORE
        if not real.all():
            logits, labels = logits[:real.argmin()], labels[:real.argmin()]
        answers =""",
                ),
            ),
            "which only fill up a batch",
        ),
        "batches with such rows left out": (
            f1_slip(("        answers =", SKIP)),
            "examples without a label, which only fill up a batch, change",
        ),
        "label of such rows 1": (
            f1_slip(("wanted += (labels == 1)", "wanted += (labels != 0)")),
            "examples without a label, which only fill up a batch, change nothing",
        ),
        "above 0": (
            f1_slip(("logits.argmax(axis=-1)", "(logits[:, 1] > 0).astype(int)")),
            "a 1 that is missed costs as much as a 1 that is wrongly predicted",
        ),
        "the smaller one": (
            f1_slip(("argmax", "argmin")),
            "a 1 that is missed costs as much as a 1 that is wrongly predicted",
        ),
        "half": (
            f1_slip(("2 * right", "right")),
            "if one of four ones is found and there are no false positives, the score is 0.4",
        ),
        "1 where it is 0 / 0": (
            f1_slip(("else 0.0", "else 1.0")),
            "if no 1 is found, the score is 0, even if no label is 1",
        ),
        "without batches that want nothing": (
            f1_slip(
                (
                    "        answers =",
                    "        if not (labels == 1).any():\n            continue\n        answers =",
                )
            ),
            "an additional batch in which every answer is wrong lowers the score",
        ),
        "the first batch": (
            f1_slip(("in batches", "in batches[:1]")),
            "an additional batch in which every answer is wrong lowers the score",
        ),
        "all but the last row": (
            f1_slip(
                ("        answers =", "        logits, labels = logits[:-1], labels[:-1]\n        answers =")
            ),
            "if one of four ones is found and there are no false positives, the score is 0.4",
        ),
    },
)

SHARP_SOLUTION = """
    def sharpness(loss, weights, directions, radius):
        def length(x):
            return np.linalg.norm(x, axis=1, keepdims=True)

        centre, increases = loss(weights), []
        for direction in directions:
            steps = {name: direction[name] / length(direction[name]) * length(w) if w.ndim == 2 else 0.0
                     for name, w in weights.items()}
            for side in (radius, -radius):
                increases.append(loss({name: w + side * steps[name] for name, w in weights.items()}) - centre)
        return np.mean(increases), max(increases)
    """
ROWS, OF_MATRIX = "direction[name] / length(direction[name]) * length(w)", "axis=1, keepdims=True"
BOTH = "np.mean(increases), max(increases)"


def sharp_slip(*changes):
    return changed(SHARP_SOLUTION, *changes)


SHARPNESS = Bank(
    right={
        "the solution": SHARP_SOLUTION,
        "row by row": """
            def sharpness(loss, weights, directions, radius):
                found = []
                for sign in (1, -1):
                    for direction in directions:
                        moved = {}
                        for name, w in weights.items():
                            moved[name] = np.array(w, dtype=float)
                            if np.ndim(w) == 1:
                                continue
                            for i in range(len(w)):
                                wanted = math.sqrt(sum(x * x for x in w[i]))
                                there = math.sqrt(sum(x * x for x in direction[name][i]))
                                for j in range(len(w[i])):
                                    step = direction[name][i][j] * wanted / there
                                    moved[name][i][j] += sign * radius * step
                        found.append(loss(moved) - loss(weights))
                return sum(found) / len(found), max(found)
            """,
        "two arrays of losses": """
            def sharpness(loss, weights, directions, radius):
                def moved(direction, reach):
                    new = dict(weights)
                    for name in weights:
                        if weights[name].ndim > 1:
                            d, w = direction[name], weights[name]
                            scale = np.sqrt((w**2).sum(-1) / (d**2).sum(-1))
                            new[name] = w + reach * d * scale[:, None]
                    return new
                ahead = np.array([loss(moved(d, radius)) for d in directions])
                behind = np.array([loss(moved(d, -radius)) for d in directions])
                middle = loss(weights)
                return (ahead.mean() + behind.mean()) / 2 - middle, max(ahead.max(), behind.max()) - middle
            """,
        "PyTorch": """
            import torch
            def sharpness(loss, weights, directions, radius):
                increases = []
                for direction in directions:
                    for reach in (radius, -radius):
                        moved = {}
                        for name, w in weights.items():
                            w, d = torch.as_tensor(w), torch.as_tensor(direction[name])
                            if w.dim() > 1:
                                unit = torch.nn.functional.normalize(d, dim=1)
                                w = w + reach * unit * w.norm(dim=1)[:, None]
                            moved[name] = w.numpy()
                        increases.append(loss(moved) - loss(weights))
                found = torch.tensor(increases, dtype=torch.float64)
                return found.mean().item(), found.max().item()
            """,
        "defensive": """
            def sharpness(loss, weights, directions, radius):
                weights = {name: np.asarray(w, dtype=np.float64).copy() for name, w in weights.items()}
                start = float(loss({name: w.copy() for name, w in weights.items()}))
                values = []
                for direction in directions:
                    step = {}
                    for name, w in weights.items():
                        if w.ndim < 2:
                            step[name] = np.zeros(w.shape)
                        else:
                            d = np.asarray(direction[name])
                            unit = d / (np.linalg.norm(d, axis=1, keepdims=True) + 1e-10)
                            step[name] = unit * np.linalg.norm(w, axis=1, keepdims=True)
                    for side in (-1.0, 1.0):
                        there = {name: weights[name] + side * radius * step[name] for name in weights}
                        values.append(float(loss(there)) - start)
                if not values:
                    return 0.0, 0.0
                return float(np.mean(values)), float(np.max(values))
            """,
        "einsum, a list for a tuple": """
            def sharpness(loss, weights, directions, radius):
                centre = loss(weights)
                steps = [{n: np.einsum("ij,i->ij", d[n], np.sqrt(np.einsum("ij,ij->i", w, w))
                                       / np.sqrt(np.einsum("ij,ij->i", d[n], d[n]))) if w.ndim == 2 else w * 0
                          for n, w in weights.items()} for d in directions]
                every = [loss({n: weights[n] + sign * radius * s[n] for n in s}) - centre
                         for s in steps for sign in (+1, -1)]
                return [np.average(every), sorted(every)[-1]]
            """,
    },
    wrong={
        "as drawn": (sharp_slip((ROWS, "direction[name]")), "as they were drawn. Rescale"),
        "as drawn, vectors too": (
            sharp_slip((ROWS + " if w.ndim == 2 else 0.0", "direction[name]")),
            "and you also move vectors",
        ),
        "the whole matrix": (sharp_slip((f"(x, {OF_MATRIX})", "(x)")), "each matrix as a whole"),
        "the whole direction": (
            sharp_slip(
                (ROWS, "direction[name] * scale"),
                (
                    "        steps =",
                    """\
        scale = np.sqrt(sum((w**2).sum() for w in weights.values() if w.ndim == 2)
                        / sum((d**2).sum() for d in direction.values() if d.ndim == 2))
        steps =""",
                ),
            ),
            "the direction as a whole",
        ),
        "columns": (sharp_slip(("axis=1", "axis=0")), "you rescale the columns to the norms"),
        "length 1": (sharp_slip((" * length(w)", "")), "you rescale each row to norm 1"),
        "not divided": (sharp_slip((" / length(direction[name])", "")), "do not divide it by its own"),
        "relative": (
            sharp_slip((BOTH, "np.mean(increases) / centre, max(increases) / centre")),
            "divide the increase by the loss at the weights",
        ),
        "Keskar's": (
            sharp_slip((BOTH, "np.mean(increases) / (1 + centre), max(increases) / (1 + centre)")),
            "Keskar",
        ),
        "walks on": (
            sharp_slip(
                (
                    "centre, increases = loss(weights), []",
                    "centre, increases, place = loss(weights), [], weights",
                ),
                (
                    "increases.append("
                    "loss({name: w + side * steps[name] for name, w in weights.items()}) - centre)",
                    "place = {name: w + side * steps[name] for name, w in place.items()}\n"
                    "            increases.append(loss(place) - centre)",
                ),
            ),
            "where the previous one ended",
        ),
        "in place": (
            sharp_slip(
                (
                    "            increases.append",
                    "            for name in weights:\n"
                    "                weights[name] += side * steps[name]\n"
                    "            increases.append",
                )
            ),
            "changes its inputs",
        ),
        "one number": (sharp_slip((BOTH, "np.mean(increases)")), "should return 2 values"),
        "nothing returned": (sharp_slip(("return np.mean", "found = np.mean")), "returns None"),
    },
)

BANK = {
    "classifier_logits": CLASSIFIER,
    "choice_logits": CHOICE,
    "matthews_correlation": MATTHEWS,
    "test_matthews": TEST_BANK,
    "opposite_verdicts": VERDICTS,
    "f1_of_batches": F1_BANK,
    "parameter_groups": GROUPS,
    "sharpness": SHARPNESS,
}
