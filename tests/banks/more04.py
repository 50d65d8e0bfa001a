"""More answers to unit 04, of kinds that passed the check once or were not named; see `unit04`."""

from . import Bank

MORE = {
    "mlm_loss": Bank(
        equivalent={
            "logits = logits - logits.max(axis=-1, keepdims=True) -> "
            "logits = logits - logits.max(axis=1, keepdims=True)": (
                "only positions with a label are left here, (N, V), whose axis 1 is the last one"
            ),
            "log_probs = logits - np.log(np.exp(logits).sum(axis=-1, keepdims=True)) -> "
            "log_probs = logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))": (
                "only positions with a label are left here, (N, V), whose axis 1 is the last one"
            ),
        },
        right={
            "list comp, again": """
            import math
            def mlm_loss(logits, labels):
                out = []
                for row, lab in zip(logits.tolist(), labels.tolist()):
                    for s, l in zip(row, lab):
                        if l != -100:
                            m = max(s)
                            out.append(m + math.log(sum(math.exp(x - m) for x in s)) - s[l])
                return sum(out) / len(out)
            """,
            "array 0d, again": """
            def mlm_loss(logits, labels):
                counted = labels != -100
                logits, labels = logits[counted], labels[counted]
                logits = logits - logits.max(axis=-1, keepdims=True)
                log_probs = logits - np.log(np.exp(logits).sum(axis=-1, keepdims=True))
                return -log_probs[np.arange(len(labels)), labels].mean(keepdims=False)
            """,
            "torch, again": """
            import torch

            def mlm_loss(logits, labels):
                lp = torch.log_softmax(torch.from_numpy(np.ascontiguousarray(logits)), -1)
                lab = torch.from_numpy(np.ascontiguousarray(labels)).long()
                c = lab != -100
                return torch.nn.functional.nll_loss(lp[c], lab[c])
            """,
        },
        wrong={
            "max over positions, again": (
                """
            def mlm_loss(logits, labels):
                counted = labels != -100
                logits, labels = logits[counted], labels[counted]
                logits = logits - logits.max(axis=0, keepdims=True)
                log_probs = logits - np.log(np.exp(logits).sum(axis=-1, keepdims=True))
                return -log_probs[np.arange(len(labels)), labels].mean()
            """,
                "adding one number to all logits of a position changes",
            ),
            "float16, again": (
                """
            def mlm_loss(logits, labels):
                counted = labels != -100
                logits, labels = logits[counted], labels[counted]
                logits = (logits - logits.max(axis=-1, keepdims=True)).astype(np.float16)
                log_probs = logits - np.log(np.exp(logits).sum(axis=-1, keepdims=True))
                return -log_probs[np.arange(len(labels)), labels].mean()
            """,
                "logits log 1, log 2 and log 5 have the losses log 8, log 4 and",
            ),
            "median, again": (
                """
            def mlm_loss(logits, labels):
                counted = labels != -100
                logits, labels = logits[counted], labels[counted]
                logits = logits - logits.max(axis=-1, keepdims=True)
                log_probs = logits - np.log(np.exp(logits).sum(axis=-1, keepdims=True))
                return -log_probs[np.arange(len(labels)), labels].max()
            """,
                "a larger logit of a label means a smaller loss, at every",
            ),
        },
    ),
    "nsp_loss": Bank(
        equivalent={
            "logits = logits - logits.max(axis=-1, keepdims=True) -> "
            "logits = logits - logits.max(axis=1, keepdims=True)": (
                "logits are (B, 2), whose axis 1 is the last one"
            ),
            "log_probs = logits - np.log(np.exp(logits).sum(axis=-1, keepdims=True)) -> "
            "log_probs = logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))": (
                "logits are (B, 2), whose axis 1 is the last one"
            ),
        },
        right={
            "softplus, again": """
            def nsp_loss(logits, labels):
                gap = (logits[:, 1] - logits[:, 0]).astype(float) * (1 - 2 * labels)
                return np.mean(np.logaddexp(0, gap))
            """,
            "mlm, again": """
            def nsp_loss(logits, labels):
                return mlm_loss(logits[:, None], labels[:, None])
            """,
        },
        wrong={
            "in place, again": (
                """
            def nsp_loss(logits, labels):
                logits -= logits.max(axis=-1, keepdims=True)
                log_probs = logits - np.log(np.exp(logits).sum(axis=-1, keepdims=True))
                return -log_probs[np.arange(len(labels)), labels].mean()
            """,
                "it changes its inputs. Work on a copy: `x = x - m` instead of",
            ),
            "median, again": (
                """
            def nsp_loss(logits, labels):
                logits = logits - logits.max(axis=-1, keepdims=True)
                log_probs = logits - np.log(np.exp(logits).sum(axis=-1, keepdims=True))
                return -log_probs[np.arange(len(labels)), labels].max()
            """,
                "the loss is the mean over the examples, each weighing the",
            ),
        },
    ),
    "colleague_losses": Bank(
        right={
            "list, again": """
            def colleague_losses():
                pad, other = -np.log(0.99), -np.log(0.01 / 30_521)
                return [0.85 * pad + 0.15 * other, other]
            """,
            "array, again": """
            def colleague_losses():
                pad, other = -np.log(0.99), -np.log(0.01 / 30_521)
                return np.array([0.85 * pad + 0.15 * other, other])
            """,
            "torch, again": """
            import torch
            def colleague_losses():
                pad, other = -np.log(0.99), -np.log(0.01 / 30_521)
                return torch.tensor(0.85 * pad + 0.15 * other), torch.tensor(other)
            """,
        },
        wrong={
            "guess, again": (
                """
            def colleague_losses():
                return 2.0, 10.0
            """,
                "this is not right yet: of your 2 results, 1 and 2 are",
            ),
            "30522, again": (
                """
            def colleague_losses():
                pad, other = -np.log(0.99), -np.log(0.01 / 30_522)
                return 0.85 * pad + 0.15 * other, other
            """,
                "the 0.01 that is left is shared by all tokens but [PAD]: by V -",
            ),
            "softmax of probabilities, again": (
                """
            def colleague_losses():
                p = np.full(30_522, 0.01 / 30_521)
                p[0] = 0.99
                logits = np.tile(p, (1, 20, 1))
                labels = np.full((1, 20), -100)
                labels[0, :3] = 7
                return loss_by_colleague(logits, labels), mlm_loss(logits, labels)
            """,
                "you give the probabilities to a softmax. The logits are their",
            ),
        },
    ),
    "test_mlm_loss": Bank(
        right={},
        wrong={
            "no assert, again": (
                """
            @by_name
            def test_mlm_loss(mlm_loss):
                np.isclose(mlm_loss(np.zeros((1, 1, 4)), np.array([[2]])), np.log(4))
            """,
                "your test catches 0 of 7 wrong versions. It lets one pass that",
            ),
            "wrong ln, again": (
                """
            @by_name
            def test_mlm_loss(mlm_loss):
                assert np.isclose(mlm_loss(np.zeros((1, 1, 4)), np.array([[2]])), np.log2(4))
            """,
                "your test rejects a right version, one that goes through the",
            ),
            "own, again": (
                """
            @by_name
            def test_mlm_loss(theirs):
                assert np.isclose(mlm_loss(np.zeros((1, 1, 4)), np.array([[2]])), np.log(4))
            """,
                "takes (theirs); it should take",
            ),
        },
    ),
    "pretraining_loss": Bank(
        right={
            "take, again": """
            def pretraining_loss(hidden, places, labels, row_labels, weights):
                B = len(hidden)
                asked = np.take_along_axis(hidden, places[..., None], 1)
                logits = asked @ weights["word.weight"].T + weights["word.bias"]
                mlm = mlm_loss(logits, labels)
                first = hidden[:, 0]
                nsp = nsp_loss(first @ weights["nsp.weight"].T + weights["nsp.bias"], row_labels)
                return mlm + nsp
            """,
            "stack, again": """
            def pretraining_loss(hidden, places, labels, row_labels, weights):
                B = len(hidden)
                asked = np.stack([h[p] for h, p in zip(hidden, places)])
                logits = asked @ weights["word.weight"].T + weights["word.bias"]
                mlm = mlm_loss(logits, labels)
                first = hidden[:, 0]
                nsp = nsp_loss(first @ weights["nsp.weight"].T + weights["nsp.bias"], row_labels)
                return mlm + nsp
            """,
            "float, again": """
            def pretraining_loss(hidden, places, labels, row_labels, weights):
                B = len(hidden)
                asked = hidden[np.arange(B)[:, None], places]
                logits = asked @ weights["word.weight"].T + weights["word.bias"]
                mlm = mlm_loss(logits, labels)
                first = hidden[:, 0]
                nsp = nsp_loss(first @ weights["nsp.weight"].T + weights["nsp.bias"], row_labels)
                return float(mlm) + float(nsp)
            """,
        },
        wrong={
            "max pool, again": (
                """
            def pretraining_loss(hidden, places, labels, row_labels, weights):
                B = len(hidden)
                asked = hidden[np.arange(B)[:, None], places]
                logits = asked @ weights["word.weight"].T + weights["word.bias"]
                mlm = mlm_loss(logits, labels)
                first = hidden.max(axis=1)
                nsp = nsp_loss(first @ weights["nsp.weight"].T + weights["nsp.bias"], row_labels)
                return mlm + nsp
            """,
                "NSP reads the state of [CLS], as it is: the first of each",
            ),
            "last, again": (
                """
            def pretraining_loss(hidden, places, labels, row_labels, weights):
                B = len(hidden)
                asked = hidden[np.arange(B)[:, None], places]
                logits = asked @ weights["word.weight"].T + weights["word.bias"]
                mlm = mlm_loss(logits, labels)
                first = hidden[:, -1]
                nsp = nsp_loss(first @ weights["nsp.weight"].T + weights["nsp.bias"], row_labels)
                return mlm + nsp
            """,
                "NSP reads the last state of each sequence. [CLS] is the",
            ),
        },
    ),
    "nsp_examples": Bank(
        equivalent={
            "if i + 1 < len(doc) and rng.random() < 0.5: -> if i + 1 < len(doc) and rng.random() <= 0.5:": (
                "a number of just 0.5 has a probability of 2 ** -53"
            ),
            "if i + 1 < len(doc) and rng.random() < 0.5: -> "
            "if i + 1 < len(doc) and rng.random() >= 0.5:": "the other side of a fair coin",
            "other = docs[(d + rng.integers(1, len(docs))) % len(docs)] -> "
            "other = docs[(d - rng.integers(1, len(docs))) % len(docs)]": (
                "all other documents, counted backwards"
            ),
        },
        right={
            "list result, again": """
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
                            other = docs[(d + rng.integers(1, len(docs))) % len(docs)]
                            rows.append((doc[i], other[rng.integers(len(other))]))
                            labels.append(1)
                            i += 1
                return [rows, labels]
            """,
            "array labels, again": """
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
                            other = docs[(d + rng.integers(1, len(docs))) % len(docs)]
                            rows.append((doc[i], other[rng.integers(len(other))]))
                            labels.append(1)
                            i += 1
                return rows, np.array(labels)
            """,
            "torch labels, again": """
            import torch

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
                            other = docs[(d + rng.integers(1, len(docs))) % len(docs)]
                            rows.append((doc[i], other[rng.integers(len(other))]))
                            labels.append(1)
                            i += 1
                return rows, torch.tensor(labels)
            """,
        },
        wrong={
            "one foreign doc per document, again": (
                """
            def nsp_examples(docs, rng):
                rows, labels = [], []
                for d, doc in enumerate(docs):
                    i = 0
                    other = docs[(d + rng.integers(1, len(docs))) % len(docs)]
                    while i < len(doc):
                        if i + 1 < len(doc) and rng.random() < 0.5:
                            rows.append((doc[i], doc[i + 1]))
                            labels.append(0)
                            i += 2
                        else:
                            rows.append((doc[i], other[rng.integers(len(other))]))
                            labels.append(1)
                            i += 1
                return rows, labels
            """,
                "the same other document comes again and again in the pairs of",
            ),
            "one sentence number per call, again": (
                """
            def nsp_examples(docs, rng):
                rows, labels = [], []
                v = rng.random()
                for d, doc in enumerate(docs):
                    i = 0
                    while i < len(doc):
                        if i + 1 < len(doc) and rng.random() < 0.5:
                            rows.append((doc[i], doc[i + 1]))
                            labels.append(0)
                            i += 2
                        else:
                            other = docs[(d + rng.integers(1, len(docs))) % len(docs)]
                            rows.append((doc[i], other[int(v * len(other))]))
                            labels.append(1)
                            i += 1
                return rows, labels
            """,
                "sentences at the same place come again and again as B with",
            ),
            "doc twice as likely, again": (
                """
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
                            k = rng.integers(len(docs))
                            other = docs[k if k != d else (d + 1) % len(docs)]
                            rows.append((doc[i], other[rng.integers(len(other))]))
                            labels.append(1)
                            i += 1
                return rows, labels
            """,
                "the document after A's is not drawn as often as the others for",
            ),
            "doc twice first, again": (
                """
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
                            k = rng.integers(len(docs))
                            other = docs[k if k != d else (0 if d else 1)]
                            rows.append((doc[i], other[rng.integers(len(other))]))
                            labels.append(1)
                            i += 1
                return rows, labels
            """,
                "some documents are drawn more often than others for a B with",
            ),
            "sentence without replacement, again": (
                """
            def nsp_examples(docs, rng):
                rows, labels = [], []
                used = set()
                for d, doc in enumerate(docs):
                    i = 0
                    while i < len(doc):
                        if i + 1 < len(doc) and rng.random() < 0.5:
                            rows.append((doc[i], doc[i + 1]))
                            labels.append(0)
                            i += 2
                        else:
                            other = docs[(d + rng.integers(1, len(docs))) % len(docs)]
                            left = [s for s in other if tuple(s) not in used] or other
                            s = left[rng.integers(len(left))]
                            used.add(tuple(s))
                            rows.append((doc[i], s))
                            labels.append(1)
                            i += 1
                return rows, labels
            """,
                "a sentence or document that was drawn for one pair is avoided in",
            ),
            "coin per position of call, again": (
                """
            def nsp_examples(docs, rng):
                rows, labels = [], []
                coins = rng.random(100) < 0.5
                for d, doc in enumerate(docs):
                    i = 0
                    while i < len(doc):
                        if i + 1 < len(doc) and coins[i]:
                            rows.append((doc[i], doc[i + 1]))
                            labels.append(0)
                            i += 2
                        else:
                            other = docs[(d + rng.integers(1, len(docs))) % len(docs)]
                            rows.append((doc[i], other[rng.integers(len(other))]))
                            labels.append(1)
                            i += 1
                return rows, labels
            """,
                "pairs at the same place of two documents have the same label",
            ),
            "first pair always 0, again": (
                """
            def nsp_examples(docs, rng):
                rows, labels = [], []
                for d, doc in enumerate(docs):
                    i = 0
                    while i < len(doc):
                        if i + 1 < len(doc) and (i == 0 or rng.random() < 0.5):
                            rows.append((doc[i], doc[i + 1]))
                            labels.append(0)
                            i += 2
                        else:
                            other = docs[(d + rng.integers(1, len(docs))) % len(docs)]
                            rows.append((doc[i], other[rng.integers(len(other))]))
                            labels.append(1)
                            i += 1
                return rows, labels
            """,
                "0% of the pairs with a document's first two sentences have label",
            ),
            "rng.integers(1, n) sentence, again": (
                """
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
                            other = docs[(d + rng.integers(1, len(docs))) % len(docs)]
                            rows.append((doc[i], other[rng.integers(min(1, len(other) - 1), len(other))]))
                            labels.append(1)
                            i += 1
                return rows, labels
            """,
                "B with label 1 is never the first sentence of its document.",
            ),
            "near sentences, again": (
                """
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
                            other = docs[(d + rng.integers(1, len(docs))) % len(docs)]
                            rows.append((doc[i], other[min(i, len(other) - 1)]))
                            labels.append(1)
                            i += 1
                return rows, labels
            """,
                "some sentences of a document are drawn more often than others",
            ),
            "round, again": (
                """
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
                            other = docs[(d + rng.integers(1, len(docs))) % len(docs)]
                            rows.append((doc[i], other[round(rng.random() * (len(other) - 1))]))
                            labels.append(1)
                            i += 1
                return rows, labels
            """,
                "the first or last sentence of a document is not drawn as often",
            ),
        },
    ),
    "sop_examples": Bank(
        equivalent={
            "exchanged = rng.random() < 0.5 -> "
            "exchanged = rng.random() <= 0.5": "a number of just 0.5 has a probability of 2 ** -53",
            "exchanged = rng.random() < 0.5 -> "
            "exchanged = rng.random() >= 0.5": "the other side of a fair coin",
            "labels.append(int(exchanged)) -> labels.append(exchanged)": "True and False are 1 and 0",
        },
        right={
            "list, again": """
            def sop_examples(docs, rng):
                rows, labels = [], []
                for doc in docs:
                    for i in range(0, len(doc) - 1, 2):
                        exchanged = rng.random() < 0.5
                        rows.append((doc[i + 1], doc[i]) if exchanged else (doc[i], doc[i + 1]))
                        labels.append(int(exchanged))
                return [rows, labels]
            """,
            "array, again": """
            def sop_examples(docs, rng):
                rows, labels = [], []
                for doc in docs:
                    for i in range(0, len(doc) - 1, 2):
                        exchanged = rng.random() < 0.5
                        rows.append((doc[i + 1], doc[i]) if exchanged else (doc[i], doc[i + 1]))
                        labels.append(int(exchanged))
                return rows, np.array(labels, dtype=int)
            """,
            "bools, again": """
            def sop_examples(docs, rng):
                rows, labels = [], []
                for doc in docs:
                    for i in range(0, len(doc) - 1, 2):
                        exchanged = rng.random() < 0.5
                        rows.append((doc[i + 1], doc[i]) if exchanged else (doc[i], doc[i + 1]))
                        labels.append(bool(exchanged))
                return rows, labels
            """,
        },
        wrong={
            "exactly half per call, again": (
                """
            def sop_examples(docs, rng):
                pairs = [(doc[i], doc[i + 1]) for doc in docs for i in range(0, len(doc) - 1, 2)]
                labels = rng.permutation([k % 2 for k in range(len(pairs))]).tolist()
                return [(b, a) if l else (a, b) for (a, b), l in zip(pairs, labels)], labels
            """,
                "in 100 of 100 calls just half of the pairs have label 1, as if",
            ),
            "first of doc never, again": (
                """
            def sop_examples(docs, rng):
                rows, labels = [], []
                for doc in docs:
                    for i in range(0, len(doc) - 1, 2):
                        exchanged = i > 0 and rng.random() < 0.5
                        rows.append((doc[i + 1], doc[i]) if exchanged else (doc[i], doc[i + 1]))
                        labels.append(int(exchanged))
                return rows, labels
            """,
                "0% of the pairs with a document's first two sentences have label",
            ),
            "first row of call, again": (
                """
            def sop_examples(docs, rng):
                rows, labels = [], []
                for doc in docs:
                    for i in range(0, len(doc) - 1, 2):
                        exchanged = bool(rows) and rng.random() < 0.5
                        rows.append((doc[i + 1], doc[i]) if exchanged else (doc[i], doc[i + 1]))
                        labels.append(int(exchanged))
                return rows, labels
            """,
                "0% of the first pairs of a call have label 1, but half of the",
            ),
            "blocks of two, again": (
                """
            def sop_examples(docs, rng):
                rows, labels = [], []
                for doc in docs:
                    for i in range(0, len(doc) - 1, 2):
                        exchanged = (bool(labels[-1]) if len(labels) % 2 else rng.random() < 0.5)
                        rows.append((doc[i + 1], doc[i]) if exchanged else (doc[i], doc[i + 1]))
                        labels.append(int(exchanged))
                return rows, labels
            """,
                "a label depends on the one before: they take turns, equal ones",
            ),
            "same coin by place, again": (
                """
            def sop_examples(docs, rng):
                rows, labels = [], []
                coins = rng.random(100) < 0.5
                for doc in docs:
                    for i in range(0, len(doc) - 1, 2):
                        exchanged = coins[i]
                        rows.append((doc[i + 1], doc[i]) if exchanged else (doc[i], doc[i + 1]))
                        labels.append(int(exchanged))
                return rows, labels
            """,
                "pairs at the same place of two documents have the same label",
            ),
            "label without exchange, again": (
                """
            def sop_examples(docs, rng):
                rows, labels = [], []
                for doc in docs:
                    for i in range(0, len(doc) - 1, 2):
                        exchanged = rng.random() < 0.5
                        rows.append((doc[i], doc[i + 1]))
                        labels.append(int(exchanged))
                return rows, labels
            """,
                "label 1, but the sentences stand in their order. Exchange them:",
            ),
            "two tosses, again": (
                """
            def sop_examples(docs, rng):
                rows, labels = [], []
                for doc in docs:
                    for i in range(0, len(doc) - 1, 2):
                        exchanged = rng.random() < 0.5
                        rows.append((doc[i + 1], doc[i]) if rng.random() < 0.5 else (doc[i], doc[i + 1]))
                        labels.append(int(exchanged))
                return rows, labels
            """,
                "the label and the order are tossed for one by one. One toss",
            ),
            "odd last with first, again": (
                """
            def sop_examples(docs, rng):
                rows, labels = [], []
                for doc in docs:
                    for i in range(0, len(doc) - 1, 2):
                        exchanged = rng.random() < 0.5
                        rows.append((doc[i + 1], doc[i]) if exchanged else (doc[i], doc[i + 1]))
                        labels.append(int(exchanged))
                    if len(doc) % 2 and len(doc) > 1:
                        rows.append((doc[-1], doc[0])); labels.append(1)
                return rows, labels
            """,
                "the two sentences of a pair are not neighbours. Take sentences i",
            ),
            "odd first left, again": (
                """
            def sop_examples(docs, rng):
                rows, labels = [], []
                for doc in docs:
                    for i in range(len(doc) % 2, len(doc) - 1, 2):
                        exchanged = rng.random() < 0.5
                        rows.append((doc[i + 1], doc[i]) if exchanged else (doc[i], doc[i + 1]))
                        labels.append(int(exchanged))
                return rows, labels
            """,
                "the pairs are not those of the rule: sentences 0 and 1 of a",
            ),
            "reversed words, again": (
                """
            def sop_examples(docs, rng):
                rows, labels = [], []
                for doc in docs:
                    for i in range(0, len(doc) - 1, 2):
                        exchanged = rng.random() < 0.5
                        rows.append((doc[i + 1][::-1], doc[i]) if exchanged else (doc[i], doc[i + 1]))
                        labels.append(int(exchanged))
                return rows, labels
            """,
                "segment A is not a sentence of the documents. Each is one whole",
            ),
        },
    ),
}
