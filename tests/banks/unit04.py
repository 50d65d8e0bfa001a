"""Answers to unit 04, right and wrong, as students write them; `wrong` says what each must be told."""

from . import Bank, changed

MLM_LOSS = """
    def mlm_loss(logits, labels):
        counted = labels != -100
        logits, labels = logits[counted], labels[counted]
        logits = logits - logits.max(axis=-1, keepdims=True)
        log_probs = logits - np.log(np.exp(logits).sum(axis=-1, keepdims=True))
        return -log_probs[np.arange(len(labels)), labels].mean()
    """

MLM = Bank(
    right={
        "the solution": MLM_LOSS,
        "loops": """
            def mlm_loss(logits, labels):
                losses = []
                for row, answers in zip(logits, labels):
                    for scores, answer in zip(row, answers):
                        if answer != -100:
                            top = max(scores)
                            losses.append(top + np.log(sum(np.exp(scores - top))) - scores[answer])
                return sum(losses) / len(losses)
            """,
        "logaddexp": """
            def mlm_loss(logits, labels):
                counted = labels != -100
                total = np.logaddexp.reduce(logits[counted], axis=-1)
                right = np.take_along_axis(logits[counted], labels[counted][:, None], -1)[:, 0]
                return np.mean(total - right)
            """,
        "one-hot": """
            def mlm_loss(logits, labels):
                wanted = np.arange(logits.shape[-1]) == labels[..., None]
                logits = logits - logits.max(-1, keepdims=True)
                log_probs = logits - np.log(np.exp(logits).sum(-1, keepdims=True))
                return -np.where(wanted, log_probs, 0).sum() / wanted.sum()
            """,
        "sum of all, -100 read as 0 and then left out": """
            def mlm_loss(logits, labels):
                counted = labels != -100
                safe = np.where(counted, labels, 0)
                shifted = logits - logits.max(2, keepdims=True)
                log_probs = shifted - np.log(np.exp(shifted).sum(2, keepdims=True))
                picked = np.take_along_axis(log_probs, safe[:, :, None], axis=2)[:, :, 0]
                return -(picked * counted).sum() / counted.sum()
            """,
        "SciPy": """
            from scipy.special import log_softmax
            def mlm_loss(logits, labels):
                rows, columns = np.nonzero(labels != -100)
                return float(-log_softmax(logits, axis=-1)[rows, columns, labels[rows, columns]].mean())
            """,
        "PyTorch": """
            import torch
            def mlm_loss(logits, labels):
                V = logits.shape[-1]
                return torch.nn.functional.cross_entropy(torch.tensor(logits).view(-1, V),
                                                         torch.tensor(labels).view(-1).long())
            """,
        "float32": changed(MLM_LOSS, ("logits[counted],", "logits[counted].astype(np.float32),")),
    },
    wrong={
        "mean over all positions": (
            """
            def mlm_loss(logits, labels):
                counted = labels != -100
                logits = logits - logits.max(-1, keepdims=True)
                log_probs = logits - np.log(np.exp(logits).sum(-1, keepdims=True))
                picked = np.take_along_axis(log_probs, np.where(counted, labels, 0)[..., None], -1)[..., 0]
                return -(picked * counted).mean()
            """,
            "you divide by all positions",
        ),
        "every id from every row": (
            changed(MLM_LOSS, ("[np.arange(len(labels)), labels]", "[:, labels]")),
            "you take all ids from every row",
        ),
        "-100 read as 0": (
            changed(
                MLM_LOSS, ("    counted", "    labels = np.where(labels == -100, 0, labels)\n    counted")
            ),
            "use the token with id 0",
        ),
        "-100 as an index": (
            """
            def mlm_loss(logits, labels):
                logits = logits - logits.max(-1, keepdims=True)
                log_probs = logits - np.log(np.exp(logits).sum(-1, keepdims=True))
                return -np.take_along_axis(log_probs, labels[..., None], -1).mean()
            """,
            "you use -100 as an id",
        ),
        "-100 as an index in a loop": (
            """
            def mlm_loss(logits, labels):
                losses = []
                for b in range(labels.shape[0]):
                    for t in range(labels.shape[1]):
                        shifted = logits[b, t] - logits[b, t].max()
                        losses.append(np.log(np.exp(shifted).sum()) - shifted[labels[b, t]])
                return np.mean(losses)
            """,
            "you use -100 as an id",
        ),
        "mean of the rows' means": (
            """
            def mlm_loss(logits, labels):
                means = []
                for row, answers in zip(logits, labels):
                    counted = answers != -100
                    if counted.any():
                        row = row[counted] - row[counted].max(-1, keepdims=True)
                        log_probs = row - np.log(np.exp(row).sum(-1, keepdims=True))
                        means.append(-log_probs[np.arange(len(row)), answers[counted]].mean())
                return np.mean(means)
            """,
            "average each sequence first",
        ),
        "sum": (changed(MLM_LOSS, (".mean()", ".sum()")), "you return the sum of the losses"),
        "softmax over the positions": (
            """
            def mlm_loss(logits, labels):
                logits = logits - logits.max(1, keepdims=True)
                log_probs = logits - np.log(np.exp(logits).sum(1, keepdims=True))
                rows, columns = np.nonzero(labels != -100)
                return -log_probs[rows, columns, labels[rows, columns]].mean()
            """,
            "over the positions of the sequence",
        ),
        "one number a position": (changed(MLM_LOSS, (".mean()", "")), "it should return one number"),
        "inputs changed": (
            changed(
                MLM_LOSS,
                ("    logits, labels", "    logits -= logits.max(-1, keepdims=True)\n    logits, labels"),
            ),
            "it changes its inputs",
        ),
        "the largest logit of all positions subtracted": (
            changed(MLM_LOSS, ("max(axis=-1", "max(axis=0")),
            "adding the same number to all logits of a position changes",
        ),
        "float16": (
            changed(MLM_LOSS, ("    log_probs", "    logits = logits.astype(np.float16)\n    log_probs")),
            "logits log 1, log 2 and log 5 have the losses log 8, log 4 and",
        ),
        "the largest loss": (
            changed(MLM_LOSS, (".mean()", ".max()")),
            "a larger logit for the label gives a smaller loss, at every",
        ),
    },
)

COLLEAGUE = Bank(
    right={
        "the solution": """
            def colleague_losses():
                pad, other = -np.log(0.99), -np.log(0.01 / 30_521)
                return 0.85 * pad + 0.15 * other, other
            """,
        "math": """
            import math
            def colleague_losses():
                other = math.log(30_521) - math.log(0.01)
                return 0.15 * other - 0.85 * math.log(0.99), other
            """,
        "measured": """
            def colleague_losses():
                probs = np.full(30_522, 0.01 / 30_521)
                probs[0] = 0.99
                labels = np.array([7] * 15 + [0] * 85)
                losses = -np.log(probs[labels])
                return float(losses.mean()), float(losses[:15].mean())
            """,
        "a list of positions": """
            def colleague_losses():
                wanted = [0.99] * 17 + [0.01 / (30_522 - 1)] * 3
                return -sum(map(np.log, wanted)) / len(wanted), -np.log(wanted[-1])
            """,
        "an array": """
            def colleague_losses():
                pad, other = -np.log(0.99), -np.log(0.01 / 30_521)
                return np.array([0.85 * pad + 0.15 * other, other])
            """,
        "tensors": """
            import torch
            def colleague_losses():
                pad, other = -np.log(0.99), -np.log(0.01 / 30_521)
                return torch.tensor(0.85 * pad + 0.15 * other), torch.tensor(other)
            """,
    },
    wrong={
        "both right ones": (
            """
            def colleague_losses():
                return -np.log(0.01 / 30_521), -np.log(0.01 / 30_521)
            """,
            "your colleague's loss also counts the 85%",
        ),
        "zeros in place of [PAD]": (
            """
            def colleague_losses():
                other = -np.log(0.01 / 30_521)
                return 0.15 * other, other
            """,
            "must include the 85%",
        ),
        "only the padding": (
            """
            def colleague_losses():
                return -np.log(0.99), -np.log(0.01 / 30_521)
            """,
            "your colleague's loss counts all positions",
        ),
        "hers twice": (
            """
            def colleague_losses():
                loss = -0.85 * np.log(0.99) - 0.15 * np.log(0.01 / 30_521)
                return loss, loss
            """,
            "counts only the chosen tokens",
        ),
        "a guess": (
            "def colleague_losses():\n    return 2.0, 10.0",
            "this is not right yet: of your 2 results, 1 and 2 are",
        ),
        "shared by all tokens": (
            """
            def colleague_losses():
                pad, other = -np.log(0.99), -np.log(0.01 / 30_522)
                return 0.85 * pad + 0.15 * other, other
            """,
            "the remaining 0.01 is divided by V -",
        ),
        "a softmax of probabilities": (
            """
            def colleague_losses():
                p = np.full(30_522, 0.01 / 30_521)
                p[0] = 0.99
                logits = np.tile(p, (1, 20, 1))
                labels = np.full((1, 20), -100)
                labels[0, :3] = 7
                return loss_by_colleague(logits, labels), mlm_loss(logits, labels)
            """,
            "you pass the probabilities to a softmax.",
        ),
    },
)

NEXT = """
    def nsp_loss(logits, labels):
        logits = logits - logits.max(axis=-1, keepdims=True)
        log_probs = logits - np.log(np.exp(logits).sum(axis=-1, keepdims=True))
        return -log_probs[np.arange(len(labels)), labels].mean()
    """

NSP_LOSS = Bank(
    right={
        "the solution": NEXT,
        "the margin": """
            def nsp_loss(logits, labels):
                rows = np.arange(len(labels))
                return np.logaddexp(0, logits[rows, 1 - labels] - logits[rows, labels]).mean()
            """,
        "a loop": """
            def nsp_loss(logits, labels):
                total = 0.0
                for (zero, one), label in zip(logits, labels):
                    total += np.logaddexp(zero, one) - (one if label else zero)
                return total / len(labels)
            """,
        "PyTorch": """
            import torch
            def nsp_loss(logits, labels):
                return torch.nn.functional.cross_entropy(torch.from_numpy(logits),
                                                         torch.from_numpy(labels).long()).item()
            """,
        "as mlm_loss": """
            def nsp_loss(logits, labels):
                return mlm_loss(logits[:, None], labels[:, None])
            """,
    },
    wrong={
        "mean over both logits": (
            changed(NEXT, ("log_probs[np.arange(len(labels)), labels]", "(np.eye(2)[labels] * log_probs)")),
            "divide by the number of logits",
        ),
        "sigmoid of the second logit": (
            """
            def nsp_loss(logits, labels):
                p = 1 / (1 + np.exp(-logits[:, 1]))
                return -np.mean(labels * np.log(p) + (1 - labels) * np.log(1 - p))
            """,
            "the sigmoid of the logit for label 1",
        ),
        "probabilities first": (
            """
            def nsp_loss(logits, labels):
                exps = np.exp(logits - logits.max(axis=-1, keepdims=True))
                probs = exps / exps.sum(axis=-1, keepdims=True)
                return -np.log(probs[np.arange(len(labels)), labels]).mean()
            """,
            "rounded to 0",
        ),
        "clipped": (
            """
            def nsp_loss(logits, labels):
                exps = np.exp(logits - logits.max(axis=-1, keepdims=True))
                probs = exps / exps.sum(axis=-1, keepdims=True)
                return -np.log(np.clip(probs[np.arange(len(labels)), labels], 1e-12, 1)).mean()
            """,
            "or give it a minimum",
        ),
        "sign": (changed(NEXT, ("return -", "return ")), "the sign is wrong"),
        "in place": (
            changed(NEXT, ("logits = logits -", "logits -=", 1)),
            "it changes its inputs. Work on a copy: write `x = x - m` instead of",
        ),
        "the largest loss": (
            changed(NEXT, (".mean()", ".max()")),
            "the loss is the mean over the examples, with equal",
        ),
    },
)

WALK = """
    def nsp_examples(docs, rng):
        rows, labels = [], []
        for d, doc in enumerate(docs):
            i = 0
            while i < len(doc):
                if i + 1 < len(doc) and rng.random() < 0.5:
                    rows.append((doc[i], doc[i + 1]))
                    labels.append(0)
                    i += 2
                else:
                    e = (d + rng.integers(1, len(docs))) % len(docs)
                    other = docs[e]
                    rows.append((doc[i], other[rng.integers(len(other))]))
                    labels.append(1)
                    i += 1
        return rows, labels
    """


OTHER = "e = (d + rng.integers(1, len(docs))) % len(docs)"
SENTENCE = "other[rng.integers(len(other))]"
COIN = "rng.random() < 0.5"
SHORT = ("while i < len(doc):", "while i < len(doc) - 1:")  # a last sentence is left out

NSP = Bank(
    right={
        "the solution": WALK,
        "draw again while it is A's own": changed(
            WALK,
            (
                OTHER,
                """e = rng.integers(len(docs))
                while e == d:
                    e = rng.integers(len(docs))""",
            ),
        ),
        "a list of the others, and arrays of labels": """
            def nsp_examples(docs, rng):
                rows, labels = [], []
                for d in range(len(docs)):
                    left = list(docs[d])
                    others = docs[:d] + docs[d + 1:]
                    while left:
                        a = left.pop(0)
                        if left and rng.choice([True, False]):
                            rows.append([a, left.pop(0)])
                            labels.append(0)
                        else:
                            other = others[int(rng.integers(len(others)))]
                            rows.append([a, other[int(rng.choice(len(other)))]])
                            labels.append(1)
                return rows, np.array(labels)
            """,
        "a helper, Booleans, floats": """
            def foreign(docs, d, rng):
                e = int(rng.random() * (len(docs) - 1))
                e += e >= d
                return docs[e][int(rng.random() * len(docs[e]))]

            def nsp_examples(docs, rng):
                rows, labels = [], []
                for d, doc in enumerate(docs):
                    i = 0
                    while i < len(doc):
                        follows = rng.random() >= 0.5 and i < len(doc) - 1
                        rows.append((doc[i], doc[i + 1] if follows else foreign(docs, d, rng)))
                        labels.append(not follows)
                        i += 1 + follows
                return rows, labels
            """,
        "a toss first, a permutation of documents": """
            def nsp_examples(docs, rng):
                found = []
                for d, doc in enumerate(docs):
                    used = False
                    for i, a in enumerate(doc):
                        if used:
                            used = False
                            continue
                        label = int(rng.integers(2)) if i + 1 < len(doc) else 1
                        if label == 0:
                            found.append(((a, doc[i + 1]), 0))
                            used = True
                        else:
                            e = [k for k in rng.permutation(len(docs)) if k != d][0]
                            found.append(((a, docs[e][rng.integers(len(docs[e]))]), 1))
                return [row for row, _ in found], [label for _, label in found]
            """,
        "a tensor of labels": changed(
            WALK,
            ("rows, labels = [], []", "import torch\n    rows, labels = [], []"),
            ("return rows, labels", "return rows, torch.tensor(labels)"),
        ),
    },
    wrong={
        "among all documents": (
            changed(WALK, (OTHER, "e = rng.integers(len(docs))")),
            "comes from the same document as A",
        ),
        "labels exchanged": (
            changed(WALK, ("append(0)", "append(2)"), ("append(1)", "append(0)"), ("append(2)", "append(1)")),
            "you swapped the labels",
        ),
        "a skipped sentence": (changed(WALK, ("i += 1\n", "i += 2\n")), "it was not used yet"),
        "B used again": (changed(WALK, ("i += 2\n", "i += 1\n")), "which is used already"),
        "always one on, last left out": (
            changed(WALK, ("i += 2\n", "i += 1\n"), SHORT),
            "always move on by one sentence",
        ),
        "always two on, last left out": (
            changed(WALK, ("i += 1\n", "i += 2\n"), SHORT),
            "always move on by two sentences",
        ),
        "last left out": (changed(WALK, SHORT), "leave out the last sentence"),
        "short documents left out": (
            changed(
                WALK,
                (
                    "        i = 0\n",
                    """        i = 0
        if len(doc) < 2:
            continue
""",
                ),
            ),
            "documents of a single sentence never give a pair",
        ),
        "past the end": (changed(WALK, ("i + 1 < len(doc) and ", "")), "an index is past the end"),
        "no coin": (changed(WALK, (COIN, "True")), "every label is 0"),
        "a coin of 0.15": (
            changed(WALK, (COIN, "rng.random() < 0.15")),
            "of the pairs for which both labels are possible have label 1",
        ),
        "one toss a call": (
            changed(
                WALK,
                ("rows, labels = [], []", "rows, labels = [], []\n    toss = rng.random()"),
                (COIN, "toss < 0.5"),
            ),
            "one toss decides for all pairs",
        ),
        "one toss a document": (
            changed(WALK, ("        i = 0\n", "        i, toss = 0, rng.random()\n"), (COIN, "toss < 0.5")),
            "one toss decides for a whole document",
        ),
        "taking turns": (changed(WALK, (COIN, "len(labels) % 2 == 0")), "they alternate"),
        "the next document": (
            changed(WALK, (OTHER, "e = (d + 1) % len(docs)")),
            "always comes from the document after",
        ),
        "a sentence of all others": (
            changed(
                WALK,
                (OTHER, "other = [s for k, text in enumerate(docs) if k != d for s in text]"),
                ("                other = docs[e]\n", ""),
            ),
            "long documents are drawn more",
        ),
        "the first sentence": (changed(WALK, (SENTENCE, "other[0]")), "always the first sentence"),
        "never the last sentence": (
            changed(WALK, (SENTENCE, "other[rng.integers(max(1, len(other) - 1))]")),
            "never the last sentence",
        ),
        "never the last document": (
            changed(
                WALK,
                (
                    OTHER,
                    """others = [k for k in range(len(docs)) if k != d]
                e = others[rng.integers(max(1, len(others) - 1))]""",
                ),
            ),
            "the last document is never drawn",
        ),
        "never the first document": (
            changed(
                WALK,
                (
                    OTHER,
                    """others = [k for k in range(len(docs)) if k != d]
                e = others[-1 - rng.integers(max(1, len(others) - 1))]""",
                ),
            ),
            "the first document is never drawn",
        ),
        "the whole document": (
            changed(WALK, (f"(doc[i], {SENTENCE})", "(doc[i], other)")),
            "list of sentences",
        ),
        "the rest of the document": (
            changed(WALK, ("(doc[i], doc[i + 1])", "(doc[i], doc[i + 1:])")),
            "list of sentences",
        ),
        "joined": (
            changed(WALK, ("(doc[i], doc[i + 1])", "doc[i] + doc[i + 1]")),
            "a pair of two sentences|of length",
        ),
        "B before A": (
            changed(WALK, ("(doc[i], doc[i + 1])", "(doc[i + 1], doc[i])")),
            "not always the sentence right after A",
        ),
        "A exchanged with B": (
            changed(WALK, (f"(doc[i], {SENTENCE})", "(doc[i], doc[i - 1])")),
            "comes from the same document",
        ),
        "B is A": (changed(WALK, ("(doc[i], doc[i + 1])", "(doc[i], doc[i])")), "B is A itself"),
        "swapped instead": (
            """
            def nsp_examples(docs, rng):
                rows, labels = [], []
                for doc in docs:
                    for i in range(0, len(doc) - 1, 2):
                        if rng.random() < 0.5:
                            rows.append((doc[i], doc[i + 1]))
                            labels.append(0)
                        else:
                            rows.append((doc[i + 1], doc[i]))
                            labels.append(1)
                return rows, labels
            """,
            "That is sentence order",
        ),
        "over the end of documents": (
            """
            def nsp_examples(docs, rng):
                rows, labels = [], []
                everything = [sentence for doc in docs for sentence in doc]
                home = [d for d, doc in enumerate(docs) for _ in doc]
                i = 0
                while i < len(everything):
                    if i + 1 < len(everything) and rng.random() < 0.5:
                        rows.append((everything[i], everything[i + 1]))
                        labels.append(0)
                        i += 2
                    else:
                        other = docs[(home[i] + rng.integers(1, len(docs))) % len(docs)]
                        rows.append((everything[i], other[rng.integers(len(other))]))
                        labels.append(1)
                        i += 1
                return rows, labels
            """,
            "label 0, B sometimes comes from another document",
        ),
        "rows only": (changed(WALK, ("return rows, labels", "return rows")), "you do not return two lists"),
        "labels as text": (
            changed(
                WALK,
                ("labels.append(0)", "labels.append('IsNext')"),
                ("labels.append(1)", "labels.append('NotNext')"),
            ),
            "Use only the labels 0 and 1",
        ),
        "a label too many": (
            changed(WALK, ("return rows", "return rows[1:]")),
            "Return one label for each pair",
        ),
        "the global generator": (
            changed(WALK, (COIN, "np.random.random() < 0.5")),
            "global generator of `np.random`",
        ),
        "a seed of its own": (
            changed(WALK, ("rows, labels = [], []", "rows, labels, rng = [], [], np.random.default_rng(0)")),
            "does not depend on `rng`",
        ),
        "documents taken out": (
            changed(
                WALK,
                (
                    f"{OTHER}\n                other = docs[e]",
                    "other = docs.pop((d + 1) % len(docs))\n                docs.append(other)",
                ),
            ),
            "it changes its inputs",
        ),
        "never moves on": (changed(WALK, ("i += 1\n", "i += 0\n")), "your loop does not end"),
        "sorted by label": (
            changed(
                WALK,
                (
                    "return rows, labels",
                    """order = np.argsort(labels, kind='stable')
    return [rows[k] for k in order], [labels[k] for k in order]""",
                ),
            ),
            "the pairs are not in the order",
        ),
        "no other document left": (
            changed(WALK, (OTHER, "e = (d + 1 + rng.integers(0, len(docs) - 2)) % len(docs)")),
            "never drawn|nothing to draw from",
        ),
        "one other document a document": (
            changed(
                WALK,
                ("        i = 0\n", f"        i = 0\n        {OTHER}\n"),
                (f"                {OTHER}\n", ""),
            ),
            "the pairs with A from one document often have a B from",
        ),
        "one place for each call": (
            changed(
                WALK,
                ("rows, labels = [], []", "rows, labels, share = [], [], rng.random()"),
                (SENTENCE, "other[int(share * len(other))]"),
            ),
            "often has the same index as the previous B",
        ),
        "the next document twice as likely": (
            changed(
                WALK,
                (
                    OTHER,
                    "e = rng.integers(len(docs))\n                e = e if e != d else (d + 1) % len(docs)",
                ),
            ),
            "the document after that of A is drawn more or less often than the others for",
        ),
        "the first document twice as likely": (
            changed(
                WALK, (OTHER, "e = rng.integers(len(docs))\n                e = e if e != d else int(d == 0)")
            ),
            "some documents are drawn more often than others for a B with",
        ),
        "without replacement": (
            changed(
                WALK,
                ("rows, labels = [], []", "rows, labels, used = [], [], set()"),
                (
                    f"rows.append((doc[i], {SENTENCE}))",
                    """left = [s for s in other if tuple(s) not in used] or other
                s = left[rng.integers(len(left))]
                used.add(tuple(s))
                rows.append((doc[i], s))""",
                ),
            ),
            "a sentence or document that was drawn for one pair is avoided in",
        ),
        "one toss for each place": (
            changed(
                WALK,
                ("rows, labels = [], []", "rows, labels, coins = [], [], rng.random(100) < 0.5"),
                (COIN, "coins[i]"),
            ),
            "pairs at the same index of two documents have the same label",
        ),
        "the first pair always with label 0": (
            changed(WALK, (COIN, f"(i == 0 or {COIN})")),
            "0% of the pairs with the first two sentences of a document have label",
        ),
        "never the first sentence": (
            changed(WALK, (SENTENCE, "other[rng.integers(min(1, len(other) - 1), len(other))]")),
            "B with label 1 is never the first sentence of its document.",
        ),
        "the sentence at A's place": (
            changed(WALK, (SENTENCE, "other[min(i, len(other) - 1)]")),
            "some sentences of a document are drawn more often than others",
        ),
        "rounded": (
            changed(WALK, (SENTENCE, "other[round(rng.random() * (len(other) - 1))]")),
            "the first or last sentence of a document is not drawn as often",
        ),
    },
)

PAIRS = """
    def sop_examples(docs, rng):
        rows, labels = [], []
        for doc in docs:
            for i in range(0, len(doc) - 1, 2):
                a, b = doc[i], doc[i + 1]
                swapped = rng.random() < 0.5
                rows.append((b, a) if swapped else (a, b))
                labels.append(int(swapped))
        return rows, labels
    """

SOP = Bank(
    right={
        "the solution": PAIRS,
        "zip": """
            def sop_examples(docs, rng):
                pairs = [pair for doc in docs for pair in zip(doc[::2], doc[1::2])]
                labels = rng.integers(2, size=len(pairs))
                return [pair[::-1] if label else pair for pair, label in zip(pairs, labels)], labels
            """,
        "a while loop and lists": """
            def sop_examples(docs, rng):
                rows, labels = [], []
                for d in range(len(docs)):
                    i = 1
                    while i < len(docs[d]):
                        row = [docs[d][i - 1], docs[d][i]]
                        label = rng.choice([0, 1])
                        if label == 1:
                            row.reverse()
                        rows.append(row)
                        labels.append(label)
                        i += 2
                return rows, labels
            """,
        "shuffled": """
            def sop_examples(docs, rng):
                rows, labels = [], []
                for doc in docs:
                    for i in range(len(doc) // 2):
                        order = rng.permutation([2 * i, 2 * i + 1])
                        rows.append(tuple(doc[k] for k in order))
                        labels.append(bool(order[0] > order[1]))
                return rows, labels
            """,
    },
    wrong={
        "labels exchanged": (
            changed(PAIRS, ("int(swapped)", "int(not swapped)")),
            "you swapped the labels",
        ),
        "another document": (
            """
            def sop_examples(docs, rng):
                rows, labels = [], []
                for d, doc in enumerate(docs):
                    for i in range(0, len(doc) - 1, 2):
                        label = int(rng.integers(2))
                        other = docs[(d + rng.integers(1, len(docs))) % len(docs)]
                        rows.append((doc[i], other[rng.integers(len(other))] if label else doc[i + 1]))
                        labels.append(label)
                return rows, labels
            """,
            "That is next sentence prediction",
        ),
        "every neighbour": (
            changed(PAIRS, ("range(0, len(doc) - 1, 2)", "range(len(doc) - 1)")),
            "most sentences in two pairs",
        ),
        "the last pair left out": (
            changed(PAIRS, ("len(doc) - 1, 2", "len(doc) - 2, 2")),
            "last two sentences",
        ),
        "from the second on": (
            changed(PAIRS, ("range(0,", "range(1,")),
            "leave out the first sentence of a document",
        ),
        "past the end": (
            changed(PAIRS, ("range(0, len(doc) - 1, 2)", "range(0, len(doc), 2)")),
            "an index is past the end",
        ),
        "over the end": (
            """
            def sop_examples(docs, rng):
                everything = [sentence for doc in docs for sentence in doc]
                rows, labels = [], []
                for a, b in zip(everything[::2], everything[1::2]):
                    label = int(rng.integers(2))
                    rows.append((b, a) if label else (a, b))
                    labels.append(label)
                return rows, labels
            """,
            "cross the end of a document",
        ),
        "never exchanged": (
            changed(PAIRS, ("(b, a) if swapped else (a, b)", "(a, b)")),
            "sometimes in order. Swap them",
        ),
        "always in order": (
            changed(PAIRS, ("rng.random() < 0.5", "False")),
            "every label is 0|does not depend on",
        ),
        "a coin of 0.15": (
            changed(PAIRS, ("< 0.5", "< 0.15")),
            "of the pairs for which both labels are possible have label 1",
        ),
        "one toss a call": (
            changed(
                PAIRS,
                ("rows, labels = [], []", "rows, labels, toss = [], [], rng.random()"),
                ("rng.random() < 0.5", "toss < 0.5"),
            ),
            "one toss decides for all pairs",
        ),
        "one toss a document": (
            changed(
                PAIRS,
                ("for doc in docs:", "for doc in docs:\n        toss = rng.random()"),
                ("swapped = rng.random() < 0.5", "swapped = toss < 0.5"),
            ),
            "one toss decides for a whole",
        ),
        "two at random": (
            changed(
                PAIRS,
                (
                    "a, b = doc[i], doc[i + 1]",
                    "first, second = np.sort(rng.permutation(len(doc))[:2])\n"
                    "            a, b = doc[first], doc[second]",
                ),
            ),
            "are not consecutive",
        ),
        "the words exchanged": (
            changed(PAIRS, ("(b, a) if swapped", "(a[::-1], b[::-1]) if swapped")),
            "not a sentence of the documents",
        ),
        "single sentences with themselves": (
            changed(
                PAIRS,
                (
                    "return rows",
                    """for doc in docs:
        if len(doc) == 1:
            rows.append((doc[0], doc[0]))
            labels.append(0)
    return rows""",
                ),
            ),
            "both sentences are the same",
        ),
        "a two for a one": (
            changed(PAIRS, ("int(swapped)", "1 + int(swapped)")),
            "Use only the labels 0 and 1",
        ),
        "the global generator": (
            changed(PAIRS, ("rng.random()", "np.random.rand()")),
            "global generator of `np.random`",
        ),
        "a seed of its own": (
            changed(PAIRS, ("rng.random()", "np.random.default_rng(7).random()")),
            "does not depend on `rng`",
        ),
        "halves of the document": (
            """
            def sop_examples(docs, rng):
                rows, labels = [], []
                for doc in docs:
                    half = len(doc) // 2
                    if half:
                        a, b = doc[:half], doc[half:]
                        label = int(rng.integers(2))
                        rows.append((b, a) if label else (a, b))
                        labels.append(label)
                return rows, labels
            """,
            "list of sentences",
        ),
        "return forgotten": (changed(PAIRS, ("return rows, labels", "pass")), "`return` missing"),
        "exactly half of a call": (
            """
            def sop_examples(docs, rng):
                pairs = [(doc[i], doc[i + 1]) for doc in docs for i in range(0, len(doc) - 1, 2)]
                labels = rng.permutation([k % 2 for k in range(len(pairs))]).tolist()
                return [(b, a) if l else (a, b) for (a, b), l in zip(pairs, labels)], labels
            """,
            "in 100 of 100 calls, exactly half of the pairs have label 1, as if",
        ),
        "a document's first pair never": (
            changed(PAIRS, ("rng.random() < 0.5", "i > 0 and rng.random() < 0.5")),
            "0% of the pairs with the first two sentences of a document have label",
        ),
        "a call's first pair never": (
            changed(PAIRS, ("rng.random() < 0.5", "bool(rows) and rng.random() < 0.5")),
            "0% of the first pairs of a call have label 1, but about half of the",
        ),
        "two labels alike": (
            changed(PAIRS, ("rng.random() < 0.5", "labels[-1] if len(labels) % 2 else rng.random() < 0.5")),
            "labels depend on previous labels: they alternate",
        ),
        "one toss for each place": (
            changed(
                PAIRS,
                ("rows, labels = [], []", "rows, labels, coins = [], [], rng.random(100)"),
                ("rng.random() < 0.5", "coins[i] < 0.5"),
            ),
            "pairs at the same index of two documents have the same label",
        ),
        "two tosses": (
            changed(PAIRS, ("if swapped", "if rng.random() < 0.5")),
            "you toss separately for the label and for the order. Let one toss",
        ),
        "the odd one with the first": (
            changed(
                PAIRS,
                (
                    "return rows",
                    """for doc in docs:
        if len(doc) % 2 and len(doc) > 1:
            rows.append((doc[-1], doc[0]))
            labels.append(1)
    return rows""",
                ),
            ),
            "the two sentences of a pair are not consecutive. Take sentences i",
        ),
        "the first of an odd number left out": (
            changed(PAIRS, ("range(0,", "range(len(doc) % 2,")),
            "the pairs do not follow the rule. Pair sentences 0 and 1 of a",
        ),
    },
)

TEST_MLM = """
    @by_name
    def test_mlm_loss(mlm_loss):
        logits = np.log(np.array([[[1, 2, 5], [3, 3, 2], [1, 1, 6]], [[2, 2, 4], [6, 1, 1], [4, 2, 2.0]]]))
        labels = np.array([[2, 0, -100], [-100, 1, -100]])
        kept = logits.copy()
        assert np.isclose(mlm_loss(logits, labels), -np.mean(np.log([5 / 8, 3 / 8, 1 / 8])))
        assert np.array_equal(logits, kept)
        far = np.array([[[1000.0, 0.0]]])
        assert np.isclose(mlm_loss(far, np.array([[0]])), 0)
        assert np.isclose(mlm_loss(far, np.array([[1]])), 1000)
    """
LABELS = "[[2, 0, -100], [-100, 1, -100]]"
BY_HAND = "np.log([5 / 8, 3 / 8, 1 / 8])"
FAR_RIGHT = "    assert np.isclose(mlm_loss(far, np.array([[0]])), 0)\n"
FAR_WRONG = "    assert np.isclose(mlm_loss(far, np.array([[1]])), 1000)\n"
UNCHANGED = "    assert np.array_equal(logits, kept)\n"

TEST = Bank(
    right={
        "by hand": TEST_MLM,
        "against a definition": """
            def definition(logits, labels):
                losses = []
                for row, ids in zip(logits, labels):
                    for scores, i in zip(row, ids):
                        if i >= 0:
                            losses.append(np.logaddexp.reduce(scores) - scores[i])
                return np.mean(losses)
            @by_name
            def test_mlm_loss(mlm_loss):
                rng = np.random.default_rng(0)
                for size in (1, 300, 3000):
                    logits = size * rng.normal(size=(3, 4, 5))
                    labels = np.array([[0, -100, 3, 4], [-100, -100, -100, -100], [1, 2, -100, -100]])
                    given = logits.copy()
                    np.testing.assert_allclose(mlm_loss(given, labels), definition(logits, labels), rtol=1e-4)
                    np.testing.assert_array_equal(given, logits)
            """,
        "by laws": """
            @by_name
            def test_mlm_loss(mlm_loss):
                rng = np.random.default_rng(1)
                logits = rng.normal(size=(2, 4, 6))
                labels = np.array([[0, 3, 5, -100], [-100, -100, 2, -100]])
                loss = mlm_loss(logits.copy(), labels)
                asked = [(b, t) for b in range(2) for t in range(4) if labels[b, t] != -100]
                alone = [mlm_loss(logits[b:b + 1, t:t + 1].copy(), labels[b:b + 1, t:t + 1])
                         for b, t in asked]
                assert abs(loss - sum(alone) / len(alone)) < 1e-5
                for b, t in asked:
                    one = logits[b, t]
                    p = np.exp(-mlm_loss(np.tile(one, (1, 1, 1)), np.array([[1]])))
                    assert abs(p - np.exp(one[1]) / np.exp(one).sum()) < 1e-5
                other = logits.copy()
                other[labels == -100] = 9 * rng.normal(size=(4, 6))
                assert abs(mlm_loss(other, labels) - loss) < 1e-5
                assert abs(mlm_loss(logits + 2000, labels) - loss) < 1e-3
                assert abs(mlm_loss(np.array([[[0.0, 900.0]]]), np.array([[0]])) - 900) < 0.01
                given = logits.copy()
                mlm_loss(given, labels)
                assert (given == logits).all()
            """,
        "unittest and plain numbers": """
            import math
            import unittest
            @by_name
            def test_mlm_loss(mlm_loss):
                case = unittest.TestCase()
                logits = np.array([[[0.0, math.log(3)], [7.0, 7.0]],
                                   [[math.log(4), 0.0], [0.0, math.log(9)]]])
                labels = np.array([[1, -100], [1, 0]])
                copy = logits.tolist()
                expected = (math.log(4 / 3) + math.log(5) + math.log(10)) / 3
                case.assertAlmostEqual(float(mlm_loss(logits, labels)), expected, places=4)
                case.assertEqual(logits.tolist(), copy)
                case.assertAlmostEqual(float(mlm_loss(np.array([[[5e3, 0.0]]]), np.array([[0]]))), 0,
                                       places=4)
                case.assertAlmostEqual(float(mlm_loss(np.array([[[5e3, 0.0]]]), np.array([[1]]))), 5e3,
                                       places=1)
            """,
        "torch": """
            import torch
            @by_name
            def test_mlm_loss(mlm_loss):
                torch.manual_seed(0)
                for scale in (2, 800):
                    x = scale * torch.randn(3, 5, 7, dtype=torch.float64)
                    y = torch.full((3, 5), -100)
                    y[0, :4], y[1, 2] = torch.tensor([0, 6, 2, 1]), 3
                    right = torch.nn.functional.cross_entropy(x.flatten(0, 1), y.flatten()).item()
                    given = x.numpy().copy()
                    assert np.isclose(mlm_loss(given, y.numpy().copy()), right, rtol=1e-4)
                    assert (given == x.numpy()).all()
            """,
    },
    wrong={
        "nothing asked": (
            "@by_name\ndef test_mlm_loss(mlm_loss):\n    pass",
            "catches 0 of 7 wrong versions",
        ),
        "printed": (
            "@by_name\ndef test_mlm_loss(mlm_loss):\n"
            "    print(mlm_loss(np.zeros((1, 1, 4)), np.array([[2]])))",
            "catches 0 of 7 wrong versions",
        ),
        "returned": (
            "@by_name\ndef test_mlm_loss(mlm_loss):\n"
            "    return np.isclose(mlm_loss(np.zeros((1, 1, 4)), np.array([[2]])), np.log(4))",
            "returns a value",
        ),
        "without its line": (changed(TEST_MLM, ("@by_name", "")), "Keep the line"),
        "ln V only": (
            """
            @by_name
            def test_mlm_loss(mlm_loss):
                assert np.isclose(mlm_loss(np.zeros((2, 3, 4)), np.array([[2, 0, -100], [1, -100, -100]])),
                                  np.log(4))
            """,
            "uses the label 0 at positions with -100",
        ),
        "nothing left out": (
            changed(
                TEST_MLM,
                (LABELS, "[[2, 0, 1], [2, 1, 0]]"),
                (BY_HAND, "np.log([5 / 8, 3 / 8, 1 / 8, 4 / 8, 1 / 8, 4 / 8])"),
            ),
            "uses the label 0 at positions with -100",
        ),
        "as many in each row": (
            changed(
                TEST_MLM,
                (LABELS, "[[2, 0, -100], [-100, 1, 2]]"),
                (BY_HAND, "np.log([5 / 8, 3 / 8, 1 / 8, 2 / 8])"),
            ),
            "averages each sequence first",
        ),
        "id 0 never asked": (
            changed(
                TEST_MLM,
                (LABELS, "[[2, 1, -100], [-100, 1, -100]]"),
                ("mlm_loss(far, np.array([[0]]))", "mlm_loss(-far, np.array([[1]]))"),
                (
                    "mlm_loss(far, np.array([[1]])), 1000",
                    "mlm_loss(np.array([[[0.0, -1000.0]]]), np.array([[1]])), 1000",
                ),
            ),
            "ignores labels that are 0",
        ),
        "one label": (
            changed(
                TEST_MLM, (LABELS, "[[-100, 0, -100], [-100, -100, -100]]"), (BY_HAND, "np.log([3 / 8])")
            ),
            "returns the sum of the losses|averages each sequence first",
        ),
        "logarithms of probabilities": (
            changed(
                TEST_MLM,
                ("[4, 2, 2.0]]]))", "[4, 2, 2.0]]]) / 8)"),
                (FAR_RIGHT, "    mlm_loss(far, np.array([[0]]))\n"),
                (FAR_WRONG, ""),
            ),
            "has no softmax",
        ),
        "no large logits": (
            changed(TEST_MLM, (FAR_RIGHT, ""), (FAR_WRONG, "")),
            "overflows for large logits",
        ),
        "equal to the last digit": (
            changed(
                TEST_MLM,
                (
                    f"np.isclose(mlm_loss(logits, labels), -np.mean({BY_HAND}))",
                    f"mlm_loss(logits, labels) == -np.mean({BY_HAND})",
                ),
            ),
            "rejects a correct version",
        ),
        "-100 counted": (
            changed(TEST_MLM, (f"-np.mean({BY_HAND})", f"-np.sum({BY_HAND}) / 6")),
            "rejects a correct version",
        ),
        "logarithm to base 2": (
            changed(TEST_MLM, (f"-np.mean({BY_HAND})", f"-np.mean({BY_HAND}) / np.log(2)")),
            "rejects a correct version",
        ),
        "only itself": (
            changed(TEST_MLM, ("def test_mlm_loss(mlm_loss):", "def test_mlm_loss(loss):")),
            "it should take",
        ),
        "no hopeless token": (
            changed(TEST_MLM, (FAR_WRONG, "")),
            "its probability is rounded to 0",
            "hidden",
        ),
        "no number for a hopeless token": (
            changed(
                TEST_MLM,
                (FAR_RIGHT, FAR_RIGHT.replace("np.isclose(", "abs(").replace("), 0)", ")) < 0.01")),
                (FAR_WRONG, FAR_WRONG.replace("isclose", "isfinite").replace("), 1000)", "))")),
            ),
            "adds a small number",
            "hidden",
        ),
        "its input may change": (changed(TEST_MLM, (UNCHANGED, "")), "changes its input in place", "hidden"),
        "as many labels as rows": (
            changed(
                TEST_MLM,
                (LABELS, "[[2, 0, -100], [-100, 1, -100], [-100, -100, -100]]"),
                ("[4, 2, 2.0]]]", "[4, 2, 2.0]], [[1, 1, 6], [1, 3, 4], [2, 3, 3]]]"),
            ),
            "divides by the number of sequences",
            "hidden",
        ),
    },
)

PRETRAINING = """
    def pretraining_loss(hidden, places, labels, row_labels, weights):
        B, T, D = hidden.shape
        asked = hidden[np.arange(B)[:, None], places]
        logits = asked @ weights["word.weight"].T + weights["word.bias"]
        mlm = mlm_loss(logits, labels)
        first = hidden[:, 0]
        nsp = nsp_loss(first @ weights["nsp.weight"].T + weights["nsp.bias"], row_labels)
        return mlm + nsp
    """
FIRST_ROW = ("hidden[np.arange(B)[:, None], places]", "hidden.reshape(B * T, D)[places]")
AVERAGE = ("hidden[:, 0]", "hidden.mean(axis=1)")
POOLED = (
    "return mlm + nsp",
    "counted = (labels != -100).sum()\n    return (counted * mlm + B * nsp) / (counted + B)",
)

MEND = Bank(
    right={
        "the solution": PRETRAINING,
        "places in the flat batch": changed(
            PRETRAINING,
            (
                "hidden[np.arange(B)[:, None], places]",
                "hidden.reshape(B * T, D)[places + T * np.arange(B)[:, None]]",
            ),
        ),
        "take_along_axis and einsum": """
            def pretraining_loss(hidden, places, labels, row_labels, weights):
                asked = np.take_along_axis(hidden, places[:, :, None], axis=1)
                logits = np.einsum("bpd,vd->bpv", asked, weights["word.weight"]) + weights["word.bias"]
                first = np.einsum("bd,cd->bc", hidden[:, 0, :], weights["nsp.weight"]) + weights["nsp.bias"]
                return sum([mlm_loss(logits, labels), nsp_loss(first, row_labels)])
            """,
        "loops": """
            def pretraining_loss(hidden, places, labels, row_labels, weights):
                def surprise(scores, label):
                    return np.logaddexp.reduce(scores) - scores[label]
                words, pairs = [], []
                for states, where, wanted, row_label in zip(hidden, places, labels, row_labels):
                    for place, label in zip(where, wanted):
                        if label != -100:
                            logits = weights["word.weight"] @ states[place] + weights["word.bias"]
                            words.append(surprise(logits, label))
                    pairs.append(surprise(weights["nsp.weight"] @ states[0] + weights["nsp.bias"], row_label))
                return np.mean(words) + np.mean(pairs)
            """,
        "torch": """
            import torch
            from torch.nn.functional import cross_entropy, linear
            def pretraining_loss(hidden, places, labels, row_labels, weights):
                w = {name: torch.tensor(weight) for name, weight in weights.items()}
                x, at = torch.tensor(hidden), torch.tensor(places)
                asked = x.gather(1, at[..., None].expand(-1, -1, x.shape[-1]))
                logits = linear(asked, w["word.weight"], w["word.bias"])
                mlm = cross_entropy(logits.flatten(0, 1), torch.tensor(labels).flatten())
                return (mlm + cross_entropy(linear(x[:, 0], w["nsp.weight"], w["nsp.bias"]),
                                            torch.tensor(row_labels))).item()
            """,
        "stacked": changed(
            PRETRAINING,
            (
                "hidden[np.arange(B)[:, None], places]",
                "np.stack([states[at] for states, at in zip(hidden, places)])",
            ),
        ),
    },
    wrong={
        "first row": (changed(PRETRAINING, FIRST_ROW), "sequences are independent", 1),
        "mean of the states": (changed(PRETRAINING, AVERAGE), "only the states of [CLS]", 1),
        "one mean of both": (changed(PRETRAINING, POOLED), "has the loss ln V + ln 2", 1),
        "bugs 1 and 2 left": (changed(PRETRAINING, FIRST_ROW, AVERAGE), "sequences are independent", 2),
        "bugs 1 and 3 left": (changed(PRETRAINING, FIRST_ROW, POOLED), "sequences are independent", 2),
        "bugs 2 and 3 left": (
            changed(PRETRAINING, AVERAGE, POOLED),
            "only the states of [CLS]",
            2,
        ),
        "nothing mended": (changed(PRETRAINING, FIRST_ROW, AVERAGE, POOLED), "sequences are independent"),
        "the places of all rows": (
            changed(PRETRAINING, ("hidden[np.arange(B)[:, None], places]", "hidden[:, places][0]")),
            "sequences are independent",
            1,
        ),
        "the last state": (
            changed(PRETRAINING, ("hidden[:, 0]", "hidden[:, -1]")),
            "something else has changed",
        ),
        "half of the sum": (
            changed(PRETRAINING, ("return mlm + nsp", "return (mlm + nsp) / 2")),
            "something else has changed",
        ),
        "labels exchanged": (
            changed(PRETRAINING, ("row_labels)\n    return", "1 - row_labels)\n    return")),
            "something else has changed",
        ),
        "no bias": (changed(PRETRAINING, (' + weights["word.bias"]', "")), "something else has changed"),
        "MLM only": (changed(PRETRAINING, ("return mlm + nsp", "return mlm")), "something else has changed"),
        "both losses": (
            changed(PRETRAINING, ("return mlm + nsp", "return mlm, nsp")),
            "something else has changed",
        ),
        "nothing returned": (changed(PRETRAINING, ("return mlm + nsp", "mlm + nsp")), "returns None"),
        "labels changed": (
            changed(PRETRAINING, ("mlm = mlm_loss", "labels[labels < 0] = 0; mlm = mlm_loss")),
            "changes its inputs",
        ),
        "the largest of all states": (
            changed(PRETRAINING, ("hidden[:, 0]", "hidden.max(axis=1)")),
            "NSP does not use the state of [CLS] as it is.",
        ),
    },
)

THREE = """
    def structbert_examples(docs, rng):
        rows, labels = [], []
        for d, doc in enumerate(docs):
            for i in range(len(doc)):
                possible = [2]
                if i + 1 < len(doc):
                    possible.append(0)
                if i > 0:
                    possible.append(1)
                label = possible[rng.integers(len(possible))]
                e = d
                while e == d:
                    e = rng.integers(len(docs))
                other = docs[e][rng.integers(len(docs[e]))]
                b = doc[i + 1] if label == 0 else doc[i - 1] if label == 1 else other
                rows.append((doc[i], b))
                labels.append(label)
        return rows, labels
    """
PICK = "label = possible[rng.integers(len(possible))]"
NESTED = "label = 0 if rng.random() < {} else 1 if rng.random() < {} else 2"
AGAIN = f"\n            if label not in possible:\n                {PICK}"

STRUCTBERT = Bank(
    right={
        "a list of possible labels": THREE,
        "drawn again until possible": """
            def structbert_examples(docs, rng):
                rows, labels = [], []
                for d, doc in enumerate(docs):
                    others = [text for e, text in enumerate(docs) if e != d]
                    for i, a in enumerate(doc):
                        label = rng.integers(3)
                        while (label == 0 and i == len(doc) - 1) or (label == 1 and i == 0):
                            label = rng.integers(3)
                        if label == 0:
                            b = doc[i + 1]
                        elif label == 1:
                            b = doc[i - 1]
                        else:
                            other = others[rng.integers(len(others))]
                            b = other[rng.integers(len(other))]
                        rows.append([a, b])
                        labels.append(label)
                return rows, labels
            """,
        "one draw cut in two or three": """
            def structbert_examples(docs, rng):
                def foreign(d):
                    e = int(rng.random() * (len(docs) - 1))
                    e += e >= d
                    return docs[e][int(rng.random() * len(docs[e]))]
                pairs, labels = [], []
                for d, doc in enumerate(docs):
                    last = len(doc) - 1
                    for i, a in enumerate(doc):
                        u = rng.random()
                        if last == 0:
                            label = 2
                        elif i == 0:
                            label = 0 if u < 1 / 2 else 2
                        elif i == last:
                            label = 1 if u < 1 / 2 else 2
                        else:
                            label = 0 if u < 1 / 3 else 1 if u < 2 / 3 else 2
                        pairs.append((a, (doc[(i + 1) % len(doc)], doc[i - 1], foreign(d))[label]))
                        labels.append(label)
                return pairs, labels
            """,
        "neighbours padded with None, arrays": """
            def structbert_examples(docs, rng):
                rows, labels = [], []
                for d, doc in enumerate(docs):
                    padded = [None, *doc, None]
                    for before, a, after in zip(padded, padded[1:], padded[2:]):
                        e = int(rng.choice([k for k in range(len(docs)) if k != d]))
                        offers = [after, before, docs[e][int(rng.integers(0, len(docs[e])))]]
                        label = rng.choice([k for k in range(3) if offers[k] is not None])
                        rows.append((a, offers[label]))
                        labels.append(label)
                return rows, np.array(labels)
            """,
        "probabilities": """
            def structbert_examples(docs, rng):
                rows, labels = [], []
                for d in range(len(docs)):
                    n = len(docs[d])
                    for i in range(n):
                        p = np.array([i < n - 1, i >= 1, True], float)
                        label = int(rng.choice(3, p=p / p.sum()))
                        if label < 2:
                            rows.append((docs[d][i], docs[d][i + 1 - 2 * label]))
                        else:
                            e = (d + 1 + int(rng.integers(len(docs) - 1))) % len(docs)
                            j = int(rng.integers(len(docs[e])))
                            rows.append((docs[d][i], docs[e][j]))
                        labels.append(label)
                return [rows, labels]
            """,
        "a shuffled list of candidates, defensive": """
            def structbert_examples(docs, rng):
                if len(docs) < 2:
                    raise ValueError(f"{len(docs)} document(s): at least 2 are needed")
                found = []
                for d, doc in enumerate(docs):
                    for i, a in enumerate(doc):
                        e = next(int(k) for k in rng.permutation(len(docs)) if k != d)
                        candidates = [(2, list(docs[e][int(rng.permutation(len(docs[e]))[0])]))]
                        if doc[i + 1:]:
                            candidates += [(0, list(doc[i + 1]))]
                        if doc[:i]:
                            candidates += [(1, list(doc[:i][-1]))]
                        label, b = candidates[int(rng.permutation(len(candidates))[0])]
                        found.append((list(a), b, label))
                return [(a, b) for a, b, _ in found], [label for *_, label in found]
            """,
    },
    wrong={
        "the last sentence before the first": (
            changed(THREE, ("if i > 0:", "if i >= 0:")),
            "the index i - 1 is -1",
        ),
        "past the end": (
            changed(THREE, ("if i + 1 < len(doc):", "if i < len(doc):")),
            "an index is past the end",
        ),
        "round to the first": (
            changed(
                THREE, ("if i + 1 < len(doc):", "if True:"), ("doc[i + 1] if", "doc[(i + 1) % len(doc)] if")
            ),
            "has the first sentence as B",
        ),
        "0 and 1 exchanged": (
            changed(THREE, ("labels.append(label)", "labels.append((1, 0, 2)[label])")),
            "you swapped labels: with label 0, B precedes A",
        ),
        "as in nsp_examples": (
            changed(THREE, ("labels.append(label)", "labels.append((0, 2, 1)[label])")),
            "you swapped labels: with label 1, B comes from another",
        ),
        "from 1 to 3": (
            changed(THREE, ("labels.append(label)", "labels.append(label + 1)")),
            "Use only the labels 0, 1 and 2",
        ),
        "label and B one by one": (
            changed(THREE, ("labels.append(label)", "labels.append(possible[rng.integers(len(possible))])")),
            "Let one draw decide both",
        ),
        "among all documents": (
            changed(THREE, ("e = d\n            while e == d:\n                e = rng", "e = rng")),
            "label 2, B sometimes comes from the same document",
        ),
        "label 2 for the impossible": (
            changed(
                THREE,
                (
                    PICK,
                    "label = int(rng.integers(3))\n            if "
                    "label not in possible:\n                label = 2",
                ),
            ),
            "you use label 2. Draw",
        ),
        "the other neighbour for the impossible": (
            changed(
                THREE,
                (
                    PICK,
                    "label = int(rng.integers(3))\n            if label not in possible:\n"
                    "                label = 1 - label if len(possible) > 1 else 2",
                ),
            ),
            "you use the sentence on the other side",
        ),
        "three draws in turn": (
            changed(THREE, (PICK, NESTED.format("1 / 3", "1 / 3") + AGAIN)),
            "a third of the remaining two thirds is 2/9",
        ),
        "two coins": (
            changed(THREE, (PICK, NESTED.format(0.5, 0.5) + AGAIN)),
            "the shares 1/2, 1/4 and 1/4",
        ),
        "never label 1": (
            changed(THREE, (PICK, "label = possible[rng.integers(min(2, len(possible)))]")),
            "One label is never drawn",
        ),
        "a share of its own": (
            changed(THREE, (PICK, f"label = rng.choice(3, p=[0.4, 0.2, 0.4]){AGAIN}")),
            "have the shares",
        ),
        "always foreign": (changed(THREE, (PICK, "label = 2")), "every label is 2"),
        "one draw a call": (
            changed(
                THREE,
                ("rows, labels = [], []", "rows, labels, u = [], [], rng.random()"),
                (PICK, "label = possible[int(u * len(possible))]"),
            ),
            "one draw decides for all pairs of a call",
        ),
        "one draw a document": (
            changed(
                THREE,
                ("    for i in range(len(doc)):", "    u = rng.random()\n        for i in range(len(doc)):"),
                (PICK, "label = possible[int(u * len(possible))]"),
            ),
            "one draw decides for a whole document",
        ),
        "taking turns": (
            changed(THREE, (PICK, "label = possible[len(labels) % len(possible)]")),
            "they alternate",
        ),
        "one draw for each place": (
            changed(
                THREE,
                ("rows, labels = [], []", "rows, labels, u = [], [], rng.random(1000)"),
                (PICK, "label = possible[int(u[i] * len(possible))]"),
            ),
            "at the same index of two documents",
        ),
        "dealt out": (
            changed(
                THREE,
                ("rows, labels = [], []", "rows, labels, pack = [], [], []"),
                (
                    PICK,
                    "pack = pack or rng.permutation([0, 1, 2] * 14).tolist()\n"
                    "            label = pack.pop() if len(possible) == 3 else "
                    "possible[rng.integers(len(possible))]",
                ),
            ),
            "or occur a fixed number of times",
        ),
        "the second without a sentence before": (
            changed(THREE, ("if i > 0:", "if i > 1:")),
            "the labels of the second sentence of a document",
        ),
        "behind B after label 0": (
            """
            def structbert_examples(docs, rng):
                rows, labels = [], []
                for d, doc in enumerate(docs):
                    i = 0
                    while i < len(doc):
                        possible = [2] + [0] * (i + 1 < len(doc)) + [1] * (i > 0)
                        label = possible[rng.integers(len(possible))]
                        other = docs[(d + rng.integers(1, len(docs))) % len(docs)]
                        offers = {2: lambda: other[rng.integers(len(other))], 0: lambda: doc[i + 1],
                                  1: lambda: doc[i - 1]}
                        rows.append((doc[i], offers[label]()))
                        labels.append(label)
                        i += 2 if label == 0 else 1
                return rows, labels
            """,
            "you continue after B",
        ),
        "exchanged, as in sop_examples": (
            """
            def structbert_examples(docs, rng):
                rows, labels = [], []
                for d, doc in enumerate(docs):
                    for i, a in enumerate(doc):
                        label = rng.integers(3) if i + 1 < len(doc) else 2
                        if label == 0:
                            rows.append((a, doc[i + 1]))
                        elif label == 1:
                            rows.append((doc[i + 1], a))
                        else:
                            other = docs[(d + rng.integers(1, len(docs))) % len(docs)]
                            rows.append((a, other[rng.integers(len(other))]))
                        labels.append(label)
                return rows, labels
            """,
            "you swap the two sentences",
        ),
        "inner sentences only": (
            changed(THREE, ("in range(len(doc))", "in range(1, len(doc) - 1)")),
            "leave out the first and last sentence",
        ),
        "last ones left out": (
            changed(THREE, ("in range(len(doc))", "in range(len(doc) - 1)")),
            "leave out the last sentence of a document",
        ),
        "first ones left out": (
            changed(THREE, ("in range(len(doc))", "in range(1, len(doc))")),
            "leave out the first sentence of a document",
        ),
        "pairs of neighbours": (
            changed(THREE, ("in range(len(doc))", "in range(0, len(doc), 2)")),
            "leave out every second sentence",
        ),
        "short documents left out": (
            changed(
                THREE,
                ("    for i in range(len(doc)):", "    for i in range(len(doc) if len(doc) > 1 else 0):"),
            ),
            "documents of a single sentence give no pair",
        ),
        "each label for each sentence": (
            """
            def structbert_examples(docs, rng):
                rows, labels = [], []
                for d, doc in enumerate(docs):
                    for i, a in enumerate(doc):
                        other = docs[(d + rng.integers(1, len(docs))) % len(docs)]
                        for label, some in enumerate((doc[i + 1:i + 2], doc[max(i - 1, 0):i],
                                                      [other[rng.integers(len(other))]])):
                            if some:
                                rows.append((a, some[0]))
                                labels.append(label)
                return rows, labels
            """,
            "A in several pairs",
        ),
        "sorted by label": (
            changed(
                THREE,
                (
                    "return rows, labels",
                    """order = np.argsort(labels, kind='stable')
    return [rows[k] for k in order], [labels[k] for k in order]""",
                ),
            ),
            "the pairs are not in the order",
        ),
        "the next document": (
            changed(THREE, ("e = rng.integers(len(docs))", "e = (d + 1) % len(docs)")),
            "B with label 2 always comes from the document after",
        ),
        "a sentence of all others": (
            changed(
                THREE,
                (
                    "other = docs[e][rng.integers(len(docs[e]))]",
                    "all_others = [s for k, text in enumerate(docs) if k != d for s in text]\n"
                    "            other = all_others[rng.integers(len(all_others))]",
                ),
            ),
            "long documents are drawn more",
        ),
        "the first sentence": (
            changed(THREE, ("docs[e][rng.integers(len(docs[e]))]", "docs[e][0]")),
            "B with label 2 is always the first sentence",
        ),
        "the rest of the document": (
            changed(THREE, ("b = doc[i + 1] if", "b = doc[i + 1:] if")),
            "list of sentences",
        ),
        "joined": (
            changed(THREE, ("rows.append((doc[i], b))", "rows.append(doc[i] + b)")),
            "a pair of two sentences|of length",
        ),
        "the global generator": (
            changed(THREE, (PICK, "label = int(np.random.choice(possible))")),
            "global generator of `np.random`",
        ),
        "a seed of its own": (
            changed(THREE, ("rows, labels = [], []", "rows, labels, rng = [], [], np.random.default_rng(0)")),
            "does not depend on `rng`",
        ),
        "rows only": (changed(THREE, ("return rows, labels", "return rows")), "you do not return two lists"),
        "return forgotten": (changed(THREE, ("return rows, labels", "pass")), "`return` missing"),
    },
)

BANK = {
    "mlm_loss": MLM,
    "colleague_losses": COLLEAGUE,
    "test_mlm_loss": TEST,
    "nsp_loss": NSP_LOSS,
    "pretraining_loss": MEND,
    "nsp_examples": NSP,
    "sop_examples": SOP,
    "structbert_examples": STRUCTBERT,
}
