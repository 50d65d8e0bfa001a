"""Further answers to unit 06, from the exercises' texts alone: other regimes of inputs, other misreadings."""

from . import Bank
from .unit06 import (
    F1_SOLUTION,
    MEAN,
    RARE,
    RESULT,
    changed,
    f1_slip,
    groups_slip,
    head_slip,
    matthews_slip,
    verdicts,
)

COUNTED = "(labels != IGNORE)"

CLASSIFIER = Bank(
    right={
        "a list of rows": """
            def classifier_logits(hidden, weights):
                def linear(x, name):
                    return weights[f"{name}.weight"] @ x + weights[f"{name}.bias"]
                return np.array([linear(np.tanh(linear(row[0], "pooler")), "classifier") for row in hidden])
            """,
        "the bias as one more column": """
            def classifier_logits(hidden, weights):
                x = hidden[:, 0]
                for name, bend in (("pooler", np.tanh), ("classifier", lambda x: x)):
                    w = np.c_[weights[f"{name}.weight"], weights[f"{name}.bias"]]
                    x = bend(np.c_[x, np.ones(len(x))] @ w.T)
                return x
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

CHOICE = Bank(
    right={
        "a list of lists": """
            def choice_logits(hidden, weights, num_choices):
                scores = classifier_logits(hidden, weights).ravel().tolist()
                return np.array([scores[i:i + num_choices] for i in range(0, len(scores), num_choices)])
            """,
        "split": """
            def choice_logits(hidden, weights, num_choices):
                scores = classifier_logits(hidden, weights)[:, 0]
                return np.vstack(np.split(scores, len(hidden) // num_choices))
            """,
        "as one long row of options": """
            def choice_logits(hidden, weights, num_choices):
                shape = (len(hidden) // num_choices, num_choices, *hidden.shape[1:])
                options = np.moveaxis(hidden.reshape(shape), 1, 0)
                return np.stack([classifier_logits(option, weights)[:, 0] for option in options], axis=-1)
            """,
    },
    wrong={},
    equivalent={
        "return classifier_logits(hidden, weights).reshape(-1, num_choices) -> return "
        "classifier_logits(hidden, weights).reshape(-2, num_choices)": "NumPy takes any negative length for "
        "the one that is left open",
    },
)

MATTHEWS = Bank(
    right={
        "a confusion matrix": """
            def matthews_correlation(gold, predicted):
                n = np.bincount(2 * gold + predicted, minlength=4).reshape(2, 2).astype(float)
                below = np.sqrt(n.sum(0).prod()) * np.sqrt(n.sum(1).prod())
                return (n[0, 0] * n[1, 1] - n[0, 1] * n[1, 0]) / below if below else 0.0
            """,
        "a cosine": """
            def matthews_correlation(gold, predicted):
                a, b = gold - gold.mean(), predicted - predicted.mean()
                if not a.any() or not b.any():
                    return 0
                return a @ b / (np.linalg.norm(a) * np.linalg.norm(b))
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
        "Yule's Q": (matthews_slip((RESULT, "(tp * tn - fp * fn) / (tp * tn + fp * fn)")), "Yule"),
        "only the answers constant": (
            matthews_slip(("if below == 0:", "if predicted.std() == 0:")),
            "divides by 0 where one side",
        ),
    },
    equivalent={
        "tp, tn = (int(((gold == label) & (predicted == label)).sum()) for label in (1, 0)) -> tp, "
        "tn = (int(((gold == label) & (predicted == label)).sum()) for label in (0, 1))": "tp and tn change "
        "places, and the "
        "formula treats "
        "both labels alike",
        "fp, fn = (int(((gold != label) & (predicted == label)).sum()) for label in (1, 0)) -> fp, "
        "fn = (int(((gold != label) & (predicted == label)).sum()) for label in (0, 1))": "fp and fn change "
        "places, and the "
        "formula treats "
        "both labels alike",
    },
)

NINETEEN = "[1] * 2 + [0] * 17"
VERDICTS = Bank(
    right={
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
        "nineteen": (verdicts(NINETEEN, "[0] * 19", "[1] * 6 + [0] * 13"), "there are 19 examples"),
        "gold always 1": (verdicts("[1] * 30", "[1] * 30", "[1] * 20 + [0] * 10"), "by matthews"),
        "answers first": (verdicts("[0] * 30", RARE, "[1] * 8 + [0] * 22"), "by matthews"),
        "probabilities": (verdicts(RARE, "[0.1] * 30", "[0.9] * 8 + [0.1] * 22"), "a label is 0 or 1"),
        "texts": (
            verdicts('["1"] * 2 + ["0"] * 28', '["0"] * 30', '["1"] * 8 + ["0"] * 22'),
            "a label is 0 or 1",
        ),
        "the second always wrong": (verdicts(RARE, "[0] * 30", "[0] * 8 + [1] * 22"), "by matthews"),
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

SKIP = "        if (labels == IGNORE).any():\n            continue\n        answers ="
LAST_ROWS = "labels = labels[:len(labels) - (labels == IGNORE).sum()]"
F1_BANK = Bank(
    right={
        "a mean, weighted by what F1 divides by": changed(
            MEAN,
            ("scores = []", "scores, weights = [], []"),
            ("        scores.append(", "        weights.append(said + wanted)\n        scores.append("),
            ("np.mean(scores)", "float(np.average(scores, weights=weights)) if sum(weights) else 0.0"),
        ),
        "sets": """
            def f1_of_batches(batches):
                said, wanted, row = set(), set(), 0
                for logits, labels in batches:
                    for scores, label in zip(logits, labels):
                        row += 1
                        if label != IGNORE and scores[1] > scores[0]:
                            said.add(row)
                        if label == 1:
                            wanted.add(row)
                return 2 * len(said & wanted) / max(1, len(said) + len(wanted))
            """,
        "a table of counts": """
            def f1_of_batches(batches):
                table = np.zeros((2, 2))
                for logits, labels in batches:
                    for answer, label in zip(logits.argmax(1), labels):
                        if label != IGNORE:
                            table[label, answer] += 1
                both = table[1].sum() + table[:, 1].sum()
                return 2 * table[1, 1] / both if both > 0 else 0.0
            """,
    },
    wrong={
        "rows that fill up stand last": (
            f1_slip(
                ("        answers =", f"        {LAST_ROWS}\n        answers ="),
                ("logits.argmax(axis=-1)", "logits[:len(labels)].argmax(axis=-1)"),
            ),
            FILL := "which fill a batch up",
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
            FILL,
        ),
        "batches with such rows left out": (
            f1_slip(("        answers =", SKIP)),
            "examples without a label, which fill a batch up, change",
        ),
        "label of such rows 1": (
            f1_slip(("wanted += (labels == 1)", "wanted += (labels != 0)")),
            "examples without a label, which fill a batch up, change nothing",
        ),
        "above 0": (
            f1_slip(("logits.argmax(axis=-1)", "(logits[:, 1] > 0).astype(int)")),
            "a 1 that is missed costs as much as a 1 that is wrongly predicted",
        ),
        "along the batch": (
            f1_slip(("logits.argmax(axis=-1)", "(logits[:, 1] > logits[:, 1].mean()).astype(int)")),
            "a 1 that is missed costs as much as a 1 that is wrongly predicted",
        ),
        "the smaller one": (
            f1_slip(("argmax", "argmin")),
            "a 1 that is missed costs as much as a 1 that is wrongly predicted",
        ),
        "accuracy": (
            f1_slip(("2 * right / (said + wanted) if said + wanted", "right / said if said")),
            "a 1 that is missed costs as much as a 1 that is wrongly predicted",
        ),
        "half": (
            f1_slip(("2 * right", "right")),
            "where one 1 of four is found, and nothing else is said to be one, the score is 0.4",
        ),
        "1 where it is 0 / 0": (
            f1_slip(("else 0.0", "else 1.0")),
            "where no 1 is found, the score is 0, also if no label is 1",
        ),
        "without batches that want nothing": (
            f1_slip(
                (
                    "        answers =",
                    "        if not (labels == 1).any():\n            continue\n        answers =",
                )
            ),
            "a further batch in which every answer is wrong lowers the score",
        ),
        "the first batch": (
            f1_slip(("in batches", "in batches[:1]")),
            "a further batch in which every answer is wrong lowers the score",
        ),
        "all but the last row": (
            f1_slip(
                ("        answers =", "        logits, labels = logits[:-1], labels[:-1]\n        answers =")
            ),
            "where one 1 of four is found, and nothing else is said to be one, the score is 0.4",
        ),
    },
)

NORM = 'not parts[-2].endswith("norm")'
GROUPS = Bank(
    right={
        "a dict of groups": """
            def parameter_groups(names, encoder_rate, head_rate, weight_decay=0.01, frozen_layers=0):
                groups = {(place, kind): [] for place in "eh" for kind in "dn"}
                layers = [f"layers.{i}" for i in range(frozen_layers)]
                frozen = ["embeddings", *layers] if layers else []
                for name in names:
                    *_, module, last = name.split(".")
                    if any(name.startswith(f"encoder.{part}.") for part in frozen):
                        continue
                    light = last == "bias" or module == "norm" or module.endswith("_norm")
                    groups["e" if name.startswith("encoder.") else "h", "n" if light else "d"].append(name)
                return [{"names": found, "lr": encoder_rate if place == "e" else head_rate,
                         "weight_decay": weight_decay if kind == "d" else 0.0}
                        for (place, kind), found in groups.items() if found]
            """,
        "a generator, made a list": """
            def parameter_groups(names, encoder_rate, head_rate, weight_decay=0.01, frozen_layers=0):
                import re
                def kind(name):
                    light = bool(re.search(r"\\.bias$|[._]norm\\.[^.]*$", name))
                    return not name.startswith("encoder."), light
                def lies_below(name):
                    found = re.match(r"encoder\\.(?:embeddings|layers\\.(\\d+))\\.", name)
                    return bool(found) and int(found[1] or -1) < frozen_layers and frozen_layers > 0
                left = [name for name in names if not lies_below(name)]
                keys = [(False, False), (False, True), (True, False), (True, True)]
                made = ({"names": [n for n in left if kind(n) == key],
                         "lr": head_rate if key[0] else encoder_rate,
                         "weight_decay": 0 if key[1] else weight_decay} for key in keys)
                return list(group for group in made if group["names"])
            """,
        "tuples of names": groups_slip(('{"names": chosen', '{"names": tuple(chosen)')),
    },
    wrong={
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
            "the same learning rate and decay are merged",
        ),
    },
    equivalent={
        "def parameter_groups(names, encoder_rate, head_rate, weight_decay=0.01, frozen_layers=0): "
        "-> def parameter_groups(names, encoder_rate, head_rate, weight_decay=0.01, "
        "frozen_layers=-1):": "fewer than no layers are frozen",
    },
)

SIDES = "    gold, answers = np.array([1, 1, 1, 1, 0]), np.array([1, 0, 0, 0, 0])\n"
HEAD = "@by_name\ndef test_matthews(matthews_correlation):\n" + SIDES
TEST_BANK = Bank(
    right={
        "lists": """
            @by_name
            def test_matthews(matthews_correlation):
                for gold, said, wanted in (([1, 1, 1, 1, 0], [1, 0, 0, 0, 0], 0.25),
                                           ([1, 1, 1, 1, 0], [0, 1, 1, 1, 1], -0.25),
                                           ([1, 1, 1, 1, 0], [1] * 5, 0), ([1] * 5, [1] * 5, 0),
                                           ([0, 1] * 200_000, [0, 1] * 200_000, 1)):
                    got = matthews_correlation(np.array(gold), np.array(said))
                    assert abs(got - wanted) < 1e-3, f"{got}, not {wanted}"
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
            "rejects a right version",
        ),
        "one demanded for constant answers": (
            HEAD + "    assert matthews_correlation(np.ones(5, int), np.ones(5, int)) == 1",
            "rejects a right version",
        ),
    },
)

MORE = {
    "classifier_logits": CLASSIFIER,
    "choice_logits": CHOICE,
    "matthews_correlation": MATTHEWS,
    "test_matthews": TEST_BANK,
    "opposite_verdicts": VERDICTS,
    "f1_of_batches": F1_BANK,
    "parameter_groups": GROUPS,
}
