"""Answers to unit 04, right and wrong, as students write them; `wrong` says what each must be told."""

from . import banks

BANK = banks(
    __name__,
    mlm_loss=r"""
        loops
            losses = []
            for row, answers in zip(logits, labels):
                for scores, answer in zip(row, answers):
                    if answer != -100:
                        top = max(scores)
                        losses.append(top + np.log(sum(np.exp(scores - top))) - scores[answer])
            return sum(losses) / len(losses)
        logaddexp
            counted = labels != -100
            total = np.logaddexp.reduce(logits[counted], axis=-1)
            right = np.take_along_axis(logits[counted], labels[counted][:, None], -1)[:, 0]
            return np.mean(total - right)
        one-hot
            wanted = np.arange(logits.shape[-1]) == labels[..., None]
            logits = logits - logits.max(-1, keepdims=True)
            log_probs = logits - np.log(np.exp(logits).sum(-1, keepdims=True))
            return -np.where(wanted, log_probs, 0).sum() / wanted.sum()
        sum of all, -100 read as 0 and then left out
            counted = labels != -100
            safe = np.where(counted, labels, 0)
            shifted = logits - logits.max(2, keepdims=True)
            log_probs = shifted - np.log(np.exp(shifted).sum(2, keepdims=True))
            picked = np.take_along_axis(log_probs, safe[:, :, None], axis=2)[:, :, 0]
            return -(picked * counted).sum() / counted.sum()
        SciPy
            from scipy.special import log_softmax
            def mlm_loss(logits, labels):
                rows, columns = np.nonzero(labels != -100)
                return float(-log_softmax(logits, axis=-1)[rows, columns, labels[rows, columns]].mean())
        PyTorch
            import torch
            def mlm_loss(logits, labels):
                V = logits.shape[-1]
                return torch.nn.functional.cross_entropy(torch.tensor(logits).view(-1, V),
                                                         torch.tensor(labels).view(-1).long())
        float32
            logits[counted], => logits[counted].astype(np.float32),
        mean over all positions: you divide by the number of all positions
            counted = labels != -100
            logits = logits - logits.max(-1, keepdims=True)
            log_probs = logits - np.log(np.exp(logits).sum(-1, keepdims=True))
            picked = np.take_along_axis(log_probs, np.where(counted, labels, 0)[..., None], -1)[..., 0]
            return -(picked * counted).mean()
        every id from every row: you take all ids from every row
            [np.arange(len(labels)), labels] => [:, labels]
        -100 read as 0: as if it meant the token with id 0
            counted = => labels = np.where(labels == -100, 0, labels)\ncounted =
        -100 as an index: you use -100 as an id
            logits = logits - logits.max(-1, keepdims=True)
            log_probs = logits - np.log(np.exp(logits).sum(-1, keepdims=True))
            return -np.take_along_axis(log_probs, labels[..., None], -1).mean()
        -100 as an index in a loop: you use -100 as an id
            losses = []
            for b in range(labels.shape[0]):
                for t in range(labels.shape[1]):
                    shifted = logits[b, t] - logits[b, t].max()
                    losses.append(np.log(np.exp(shifted).sum()) - shifted[labels[b, t]])
            return np.mean(losses)
        mean of the rows' means: average each sequence first
            means = []
            for row, answers in zip(logits, labels):
                counted = answers != -100
                if counted.any():
                    row = row[counted] - row[counted].max(-1, keepdims=True)
                    log_probs = row - np.log(np.exp(row).sum(-1, keepdims=True))
                    means.append(-log_probs[np.arange(len(row)), answers[counted]].mean())
            return np.mean(means)
        sum: you return the sum of the losses
            .mean() => .sum()
        softmax over the positions: over the positions of the sequence
            logits = logits - logits.max(1, keepdims=True)
            log_probs = logits - np.log(np.exp(logits).sum(1, keepdims=True))
            rows, columns = np.nonzero(labels != -100)
            return -log_probs[rows, columns, labels[rows, columns]].mean()
        one number a position: it should return one number
            .mean() =>
        inputs changed: it changes its inputs
            logits, labels = => logits -= logits.max(-1, keepdims=True)\nlogits, labels =
        the largest logit of all positions subtracted: adding the same number to all logits of a position
            max(axis=-1 => max(axis=0
        float16: logits log 1, log 2 and log 5 have the losses log 8, log 4 and
            log_probs = => logits = logits.astype(np.float16)\nlog_probs =
        the largest loss: a larger logit for the label gives a smaller loss, at every
            .mean() => .max()
        """,
    colleague_losses=r"""
        math
            import math
            def colleague_losses():
                other = math.log(30_521) - math.log(0.01)
                return 0.15 * other - 0.85 * math.log(0.99), other
        measured
            probs = np.full(30_522, 0.01 / 30_521)
            probs[0] = 0.99
            labels = np.array([7] * 15 + [0] * 85)
            losses = -np.log(probs[labels])
            return float(losses.mean()), float(losses[:15].mean())
        a list of positions
            wanted = [0.99] * 17 + [0.01 / (30_522 - 1)] * 3
            return -sum(map(np.log, wanted)) / len(wanted), -np.log(wanted[-1])
        an array
            pad, other = -np.log(0.99), -np.log(0.01 / 30_521)
            return np.array([0.85 * pad + 0.15 * other, other])
        tensors
            def => import torch\ndef
            0.85 * pad + 0.15 * other, other => torch.tensor(0.85 * pad + 0.15 * other), torch.tensor(other)
        both right ones: your colleague's loss also counts the 85%
            return -np.log(0.01 / 30_521), -np.log(0.01 / 30_521)
        zeros in place of [PAD]: must include the 85%
            other = -np.log(0.01 / 30_521)
            return 0.15 * other, other
        only the padding: your colleague's loss counts all positions
            return -np.log(0.99), -np.log(0.01 / 30_521)
        hers twice: counts only the chosen tokens
            loss = -0.85 * np.log(0.99) - 0.15 * np.log(0.01 / 30_521)
            return loss, loss
        a guess: this is not right yet: of your 2 results, 1 and 2 are
            return 2.0, 10.0
        shared by all tokens: the remaining 0.01 is divided by V -
            30_521 => 30_522
        a softmax of probabilities: you pass the probabilities to a softmax.
            p = np.full(30_522, 0.01 / 30_521)
            p[0] = 0.99
            logits = np.tile(p, (1, 20, 1))
            labels = np.full((1, 20), -100)
            labels[0, :3] = 7
            return loss_by_colleague(logits, labels), mlm_loss(logits, labels)
        """,
    test_mlm_loss=r"""
        against a definition
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
        by laws
            rng = np.random.default_rng(1)
            logits = rng.normal(size=(2, 4, 6))
            labels = np.array([[0, 3, 5, -100], [-100, -100, 2, -100]])
            loss = mlm_loss(logits.copy(), labels)
            asked = [(b, t) for b in range(2) for t in range(4) if labels[b, t] != -100]
            alone = [mlm_loss(logits[b:b + 1, t:t + 1].copy(), labels[b:b + 1, t:t + 1]) for b, t in asked]
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
        unittest and plain numbers
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
        torch
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
        nothing asked: catches 0 of 7 wrong versions
            pass
        printed: catches 0 of 7 wrong versions
            print(mlm_loss(np.zeros((1, 1, 4)), np.array([[2]])))
        returned: returns a value
            return np.isclose(mlm_loss(np.zeros((1, 1, 4)), np.array([[2]])), np.log(4))
        without its line: Keep the line
            @by_name =>
        ln V only: uses the label 0 at positions with -100
            assert np.isclose(mlm_loss(np.zeros((2, 3, 4)), np.array([[2, 0, -100], [1, -100, -100]])),
                              np.log(4))
        nothing left out: uses the label 0 at positions with -100
            [[2, 0, -100], [-100, 1, -100]] => [[2, 0, 1], [2, 1, 0]]
            np.log([5 / 8, 3 / 8, 1 / 8]) => np.log([5 / 8, 3 / 8, 1 / 8, 4 / 8, 1 / 8, 4 / 8])
        as many in each row: averages each sequence first
            [[2, 0, -100], [-100, 1, -100]] => [[2, 0, -100], [-100, 1, 2]]
            np.log([5 / 8, 3 / 8, 1 / 8]) => np.log([5 / 8, 3 / 8, 1 / 8, 2 / 8])
        id 0 never asked: ignores labels that are 0
            , 0, => , 1,
            far, np.array([[0]]) => -far, np.array([[1]])
            mlm_loss(far => mlm_loss(np.array([[[0.0, -1000.0]]])
        one label: returns the sum of the losses|averages each sequence first
            [[2, 0, -100], [-100, 1, -100]] => [[-100, 0, -100], [-100, -100, -100]]
            np.log([5 / 8, 3 / 8, 1 / 8]) => np.log([3 / 8])
        logarithms of probabilities: has no softmax
            logits = np.log(np.array([[[1, 2, 5], [3, 3, 2], [1, 1, 6]], [[2, 2, 4], [6, 1, 1], [4, 2, 2.0]]])
                            / 8)
            labels = np.array([[2, 0, -100], [-100, 1, -100]])
            kept = logits.copy()
            assert np.isclose(mlm_loss(logits, labels), -np.mean(np.log([5 / 8, 3 / 8, 1 / 8])))
            assert np.array_equal(logits, kept)
            far = np.array([[[1000.0, 0.0]]])
            mlm_loss(far, np.array([[0]]))
        no large logits: overflows for large logits
            logits = np.log(np.array([[[1, 2, 5], [3, 3, 2], [1, 1, 6]],
                                      [[2, 2, 4], [6, 1, 1], [4, 2, 2.0]]]))
            labels = np.array([[2, 0, -100], [-100, 1, -100]])
            kept = logits.copy()
            assert np.isclose(mlm_loss(logits, labels), -np.mean(np.log([5 / 8, 3 / 8, 1 / 8])))
            assert np.array_equal(logits, kept)
            far = np.array([[[1000.0, 0.0]]])
        equal to the last digit: rejects a correct version
            logits = np.log(np.array([[[1, 2, 5], [3, 3, 2], [1, 1, 6]],
                                      [[2, 2, 4], [6, 1, 1], [4, 2, 2.0]]]))
            labels = np.array([[2, 0, -100], [-100, 1, -100]])
            kept = logits.copy()
            assert mlm_loss(logits, labels) == -np.mean(np.log([5 / 8, 3 / 8, 1 / 8]))
            assert np.array_equal(logits, kept)
            far = np.array([[[1000.0, 0.0]]])
            assert np.isclose(mlm_loss(far, np.array([[0]])), 0)
            assert np.isclose(mlm_loss(far, np.array([[1]])), 1000)
        -100 counted: rejects a correct version
            -np.mean(np.log([5 / 8, 3 / 8, 1 / 8])) => -np.sum(np.log([5 / 8, 3 / 8, 1 / 8])) / 6
        logarithm to base 2: rejects a correct version
            -np.mean(np.log([5 / 8, 3 / 8, 1 / 8])) => -np.mean(np.log([5 / 8, 3 / 8, 1 / 8])) / np.log(2)
        only itself: it should take
            def test_mlm_loss(mlm_loss): => def test_mlm_loss(loss):
        no hopeless token [hidden]: its probability is rounded to 0
            np.isclose(mlm_loss(far, np.array([[1]])), 1000) => True
        no number for a hopeless token [hidden]: adds a small number
            np.isclose(mlm_loss(far, np.array([[0]])), 0) => abs(mlm_loss(far, np.array([[0]]))) < 0.01
            isclose(mlm_loss(far, np.array([[1]])), 1000) => isfinite(mlm_loss(far, np.array([[1]])))
        its input may change [hidden]: changes its input in place
            (logits == before[0]).all() => True
        as many labels as rows [hidden]: divides by the number of sequences
            [[2, 0, -100], [-100, 1, -100]] => [[2, 0, -100], [-100, 1, -100], [-100, -100, -100]]
            [4, 2, 2.0]]] => [4, 2, 2.0]], [[1, 1, 6], [1, 3, 4], [2, 3, 3]]]
        """,
    nsp_loss="""
        the margin
            rows = np.arange(len(labels))
            return np.logaddexp(0, logits[rows, 1 - labels] - logits[rows, labels]).mean()
        a loop
            total = 0.0
            for (zero, one), label in zip(logits, labels):
                total += np.logaddexp(zero, one) - (one if label else zero)
            return total / len(labels)
        PyTorch
            import torch
            def nsp_loss(logits, labels):
                return torch.nn.functional.cross_entropy(torch.from_numpy(logits),
                                                         torch.from_numpy(labels).long()).item()
        as mlm_loss
            return mlm_loss(logits[:, None], labels[:, None])
        mean over both logits: divide by the number of logits
            log_probs[np.arange(len(labels)), labels] => (np.eye(2)[labels] * log_probs)
        sigmoid of the second logit: a model that knows nothing has the loss ln 2
            p = 1 / (1 + np.exp(-logits[:, 1]))
            return -np.mean(labels * np.log(p) + (1 - labels) * np.log(1 - p))
        probabilities first: rounded to 0
            exps = np.exp(logits - logits.max(axis=-1, keepdims=True))
            probs = exps / exps.sum(axis=-1, keepdims=True)
            return -np.log(probs[np.arange(len(labels)), labels]).mean()
        clipped: to p or limit it
            exps = np.exp(logits - logits.max(axis=-1, keepdims=True))
            probs = exps / exps.sum(axis=-1, keepdims=True)
            return -np.log(np.clip(probs[np.arange(len(labels)), labels], 1e-12, 1)).mean()
        sign: the sign is wrong
            return -log_probs => return log_probs
        in place: it changes its inputs. Work on a copy: write `x = x - m` instead of
            logits = logits - => logits -=
        the largest loss: the loss is the mean over the examples, with equal
            .mean() => .max()
        """,
    pretraining_loss=r"""
        places in the flat batch
            B = len(hidden) => B, T, D = hidden.shape
            [np.arange(B)[:, None], places] => .reshape(B * T, D)[places + T * np.arange(B)[:, None]]
        take_along_axis and einsum
            asked = np.take_along_axis(hidden, places[:, :, None], axis=1)
            logits = np.einsum("bpd,vd->bpv", asked, weights["word.weight"]) + weights["word.bias"]
            first = np.einsum("bd,cd->bc", hidden[:, 0, :], weights["nsp.weight"]) + weights["nsp.bias"]
            return sum([mlm_loss(logits, labels), nsp_loss(first, row_labels)])
        loops
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
        torch
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
        stacked
            B, T, D = hidden.shape
            asked = np.stack([states[at] for states, at in zip(hidden, places)])
            logits = asked @ weights["word.weight"].T + weights["word.bias"]
            mlm = mlm_loss(logits, labels)
            first = hidden[:, 0]
            nsp = nsp_loss(first @ weights["nsp.weight"].T + weights["nsp.bias"], row_labels)
            return mlm + nsp
        first row [1]: sequences are independent
            B = len(hidden) => B, T, D = hidden.shape
            hidden[np.arange(B)[:, None], places] => hidden.reshape(B * T, D)[places]
        mean of the states [1]: only the states of [CLS]
            hidden[:, 0] => hidden.mean(axis=1)
        one mean of both [1]: has the loss ln V + ln 2
            B, T, D = hidden.shape
            asked = hidden[np.arange(B)[:, None], places]
            logits = asked @ weights["word.weight"].T + weights["word.bias"]
            mlm = mlm_loss(logits, labels)
            first = hidden[:, 0]
            nsp = nsp_loss(first @ weights["nsp.weight"].T + weights["nsp.bias"], row_labels)
            counted = (labels != -100).sum()
            return (counted * mlm + B * nsp) / (counted + B)
        bugs 1 and 2 left [2]: sequences are independent
            B = len(hidden) => B, T, D = hidden.shape
            hidden[np.arange(B)[:, None], places] => hidden.reshape(B * T, D)[places]
            hidden[:, 0] => hidden.mean(axis=1)
        bugs 1 and 3 left [2]: sequences are independent
            B, T, D = hidden.shape
            asked = hidden.reshape(B * T, D)[places]
            logits = asked @ weights["word.weight"].T + weights["word.bias"]
            mlm = mlm_loss(logits, labels)
            first = hidden[:, 0]
            nsp = nsp_loss(first @ weights["nsp.weight"].T + weights["nsp.bias"], row_labels)
            counted = (labels != -100).sum()
            return (counted * mlm + B * nsp) / (counted + B)
        bugs 2 and 3 left [2]: only the states of [CLS]
            B, T, D = hidden.shape
            asked = hidden[np.arange(B)[:, None], places]
            logits = asked @ weights["word.weight"].T + weights["word.bias"]
            mlm = mlm_loss(logits, labels)
            first = hidden.mean(axis=1)
            nsp = nsp_loss(first @ weights["nsp.weight"].T + weights["nsp.bias"], row_labels)
            counted = (labels != -100).sum()
            return (counted * mlm + B * nsp) / (counted + B)
        nothing mended: sequences are independent
            B, T, D = hidden.shape
            asked = hidden.reshape(B * T, D)[places]
            logits = asked @ weights["word.weight"].T + weights["word.bias"]
            mlm = mlm_loss(logits, labels)
            first = hidden.mean(axis=1)
            nsp = nsp_loss(first @ weights["nsp.weight"].T + weights["nsp.bias"], row_labels)
            counted = (labels != -100).sum()
            return (counted * mlm + B * nsp) / (counted + B)
        the places of all rows [1]: sequences are independent
            hidden[np.arange(B)[:, None], places] => hidden[:, places][0]
        the last state: NSP uses the last state of each
            hidden[:, 0] => hidden[:, -1]
        half of the sum: The two losses are not combined
            return mlm + nsp => return (mlm + nsp) / 2
        labels exchanged: there is another mistake
            row_labels)\nreturn => 1 - row_labels)\nreturn
        no bias: there is another mistake
            T + weights["word.bias"] => T
        MLM only: You return only the MLM loss. Add the NSP loss
            return mlm + nsp => return mlm
        both losses: it returns (a float64, a float64); it should return one
            return mlm + nsp => return mlm, nsp
        nothing returned: returns None
            return mlm + nsp => mlm + nsp
        labels changed: changes its inputs
            mlm = mlm_loss => labels[labels < 0] = 0; mlm = mlm_loss
        the largest of all states: NSP does not use the state of [CLS] as it is.
            hidden[:, 0] => hidden.max(axis=1)
        """,
    nsp_examples=r"""
        draw again while it is A's own
            (d + rng.integers(1, len(docs))) % len(docs) => e
            other = => e = rng.integers(len(docs))\nwhile e == d:\n    e = rng.integers(len(docs))\nother =
        a list of the others, and arrays of labels
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
        a helper, Booleans, floats
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
        a toss first, a permutation of documents
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
        a tensor of labels
            rows, labels = [], [] => import torch\nrows, labels = [], []
            return rows, labels => return rows, torch.tensor(labels)
        among all documents: comes from the same document as A
            docs[(d + rng.integers(1, len(docs))) % len(docs)] => docs[rng.integers(len(docs))]
        labels exchanged: you swapped the labels
            append(0) => append(1)
            (1)\ni += 1 => (0)\ni += 1
        a skipped sentence: it was not used yet
            i += 1 => i += 2
        B used again: which is used already
            i += 2 => i += 1
        always one on, last left out: always move on by one sentence
            i += 2 => i += 1
            while i < len(doc): => while i < len(doc) - 1:
        always two on, last left out: always move on by two sentences
            i += 1 => i += 2
            while i < len(doc): => while i < len(doc) - 1:
        last left out: leave out the last sentence
            while i < len(doc): => while i < len(doc) - 1:
        short documents left out: documents of a single sentence give no pair
            i = 0 => i = 0\nif len(doc) < 2:\n    continue
        past the end: an index is past the end
            i + 1 < len(doc) and rng => rng
        no coin: every label is 0
            rng.random() < 0.5 => True
        a coin of 0.15: of the pairs for which both labels are possible have label 1
            rng.random() < 0.5 => rng.random() < 0.15
        one toss a call: one toss decides for all pairs
            rows, labels = [], [] => rows, labels = [], []\ntoss = rng.random()
            rng.random() < 0.5 => toss < 0.5
        one toss a document: one toss decides for a whole document
            i = 0 => i, toss = 0, rng.random()
            rng.random() < 0.5 => toss < 0.5
        taking turns: they alternate
            rng.random() < 0.5 => len(labels) % 2 == 0
        the next document: always comes from the document after
            (d + rng.integers(1, len(docs))) => (d + 1)
        a sentence of all others: long documents are drawn more
            rows, labels = [], []
            for d, doc in enumerate(docs):
                i = 0
                while i < len(doc):
                    if i + 1 < len(doc) and rng.random() < 0.5:
                        rows.append((doc[i], doc[i + 1]))
                        labels.append(0)
                        i += 2
                    else:
                        other = [s for k, text in enumerate(docs) if k != d for s in text]
                        rows.append((doc[i], other[rng.integers(len(other))]))
                        labels.append(1)
                        i += 1
            return rows, labels
        the first sentence: always the first sentence
            other[rng.integers(len(other))] => other[0]
        never the last sentence: never the last sentence
            other[rng.integers(len(other))] => other[rng.integers(max(1, len(other) - 1))]
        never the last document: the last document is never drawn
            rows, labels = [], []
            for d, doc in enumerate(docs):
                i = 0
                while i < len(doc):
                    if i + 1 < len(doc) and rng.random() < 0.5:
                        rows.append((doc[i], doc[i + 1]))
                        labels.append(0)
                        i += 2
                    else:
                        others = [k for k in range(len(docs)) if k != d]
                        e = others[rng.integers(max(1, len(others) - 1))]
                        other = docs[e]
                        rows.append((doc[i], other[rng.integers(len(other))]))
                        labels.append(1)
                        i += 1
            return rows, labels
        never the first document: the first document is never drawn
            rows, labels = [], []
            for d, doc in enumerate(docs):
                i = 0
                while i < len(doc):
                    if i + 1 < len(doc) and rng.random() < 0.5:
                        rows.append((doc[i], doc[i + 1]))
                        labels.append(0)
                        i += 2
                    else:
                        others = [k for k in range(len(docs)) if k != d]
                        e = others[-1 - rng.integers(max(1, len(others) - 1))]
                        other = docs[e]
                        rows.append((doc[i], other[rng.integers(len(other))]))
                        labels.append(1)
                        i += 1
            return rows, labels
        the whole document: list of sentences
            (doc[i], other[rng.integers(len(other))]) => (doc[i], other)
        the rest of the document: list of sentences
            (doc[i], doc[i + 1]) => (doc[i], doc[i + 1:])
        joined: a pair of two sentences|of length
            (doc[i], doc[i + 1]) => doc[i] + doc[i + 1]
        B before A: not always the sentence right after A
            (doc[i], doc[i + 1]) => (doc[i + 1], doc[i])
        A exchanged with B: comes from the same document
            (doc[i], other[rng.integers(len(other))]) => (doc[i], doc[i - 1])
        B is A: B is A itself
            (doc[i], doc[i + 1]) => (doc[i], doc[i])
        swapped instead: That is sentence order
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
        over the end of documents: label 0, B sometimes comes from another document
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
        rows only: you do not return two lists
            return rows, labels => return rows
        labels as text: Use only the integers 0 and 1
            labels.append(0) => labels.append('IsNext')
            labels.append(1) => labels.append('NotNext')
        a label too many: Return one label for each pair
            return rows => return rows[1:]
        the global generator: global generator of `np.random`
            rng.random() < 0.5 => np.random.random() < 0.5
        a seed of its own: does not depend on `rng`
            rows, labels = [], [] => rows, labels, rng = [], [], np.random.default_rng(0)
        documents taken out: it changes its inputs
            rng.integers(1, len(docs)) => 1
            docs[(d + 1) % len(docs)] => docs.pop((d + 1) % len(docs))\ndocs.append(other)
        never moves on: your loop does not end
            i += 1 => i += 0
        sorted by label: the pairs are not in the order
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
            order = np.argsort(labels, kind='stable')
            return [rows[k] for k in order], [labels[k] for k in order]
        no other document left: never drawn|from an empty range
            rng.integers(1, len(docs)) => 1 + rng.integers(0, len(docs) - 2)
        one other document a document: the pairs with A from one document often have a B from
            else:\n    other = docs[(d + rng.integers(1, len(docs))) % len(docs)]\n    rows => else:\n    rows
            i = 0 => i = 0\nother = docs[(d + rng.integers(1, len(docs))) % len(docs)]
        one place for each call: often has the same index as the previous B
            rows, labels = [], [] => rows, labels, share = [], [], rng.random()
            other[rng.integers(len(other))] => other[int(share * len(other))]
        the next document twice as likely: the document after that of A is not drawn as often as the others
            rng.integers(1, len(docs)) => max(1, rng.integers(len(docs)))
        the first document twice as likely: some documents are drawn more often than others for a B with
            (d + rng.integers(1, len(docs))) % len(docs) => e
            other = => e = rng.integers(len(docs))\ne = e if e != d else int(d == 0)\nother =
        without replacement: a sentence or document that was drawn for one pair is avoided in
            rows, labels, used = [], [], set()
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
                        left = [s for s in other if tuple(s) not in used] or other
                        s = left[rng.integers(len(left))]
                        used.add(tuple(s))
                        rows.append((doc[i], s))
                        labels.append(1)
                        i += 1
            return rows, labels
        one toss for each place: pairs at the same index of two documents have the same label
            rows, labels = [], [] => rows, labels, coins = [], [], rng.random(100) < 0.5
            rng.random() < 0.5 => coins[i]
        the first pair always with label 0: 0% of the pairs with the first two sentences of a document have
            rng.random() < 0.5 => (i == 0 or rng.random() < 0.5)
        never the first sentence: B with label 1 is never the first sentence of its document.
            other[rng.integers(len(other))] => other[rng.integers(min(1, len(other) - 1), len(other))]
        the sentence at A's place: some sentences of a document are drawn more often than others
            other[rng.integers(len(other))] => other[min(i, len(other) - 1)]
        rounded: the first or last sentence of a document is not drawn as often
            other[rng.integers(len(other))] => other[round(rng.random() * (len(other) - 1))]
        floats: Use only the integers
            labels.append(1) => labels.append(1.0)
        """,
    sop_examples=r"""
        zip
            pairs = [pair for doc in docs for pair in zip(doc[::2], doc[1::2])]
            labels = rng.integers(2, size=len(pairs))
            return [pair[::-1] if label else pair for pair, label in zip(pairs, labels)], labels
        a while loop and lists
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
        shuffled
            rows, labels = [], []
            for doc in docs:
                for i in range(len(doc) // 2):
                    order = rng.permutation([2 * i, 2 * i + 1])
                    rows.append(tuple(doc[k] for k in order))
                    labels.append(bool(order[0] > order[1]))
            return rows, labels
        labels exchanged: you swapped the labels
            int(exchanged) => int(not exchanged)
        another document: That is next sentence prediction
            rows, labels = [], []
            for d, doc in enumerate(docs):
                for i in range(0, len(doc) - 1, 2):
                    label = int(rng.integers(2))
                    other = docs[(d + rng.integers(1, len(docs))) % len(docs)]
                    rows.append((doc[i], other[rng.integers(len(other))] if label else doc[i + 1]))
                    labels.append(label)
            return rows, labels
        every neighbour: most sentences in two pairs
            range(0, len(doc) - 1, 2) => range(len(doc) - 1)
        the last pair left out: last two sentences
            len(doc) - 1, 2 => len(doc) - 2, 2
        from the second on: leave out the first sentence of a document
            range(0, => range(1,
        past the end: an index is past the end
            range(0, len(doc) - 1, 2) => range(0, len(doc), 2)
        over the end: cross the end of a document
            everything = [sentence for doc in docs for sentence in doc]
            rows, labels = [], []
            for a, b in zip(everything[::2], everything[1::2]):
                label = int(rng.integers(2))
                rows.append((b, a) if label else (a, b))
                labels.append(label)
            return rows, labels
        never exchanged: sometimes in order. Swap them
            (doc[i + 1], doc[i]) if exchanged else =>
        always in order: every label is 0|does not depend on
            rng.random() < 0.5 => False
        a coin of 0.15: of the pairs for which both labels are possible have label 1
            < 0.5 => < 0.15
        one toss a call: one toss decides for all pairs
            rows, labels = [], [] => rows, labels, toss = [], [], rng.random()
            rng.random() < 0.5 => toss < 0.5
        one toss a document: one toss decides for a whole
            for doc in docs: => for doc in docs:\n    toss = rng.random()
            rng.random() < 0.5 => toss < 0.5
        two at random: are not consecutive
            rows, labels = [], []
            for doc in docs:
                for i in range(0, len(doc) - 1, 2):
                    first, second = np.sort(rng.permutation(len(doc))[:2])
                    a, b = doc[first], doc[second]
                    swapped = rng.random() < 0.5
                    rows.append((b, a) if swapped else (a, b))
                    labels.append(int(swapped))
            return rows, labels
        the words exchanged: not a sentence of the documents
            (doc[i + 1], doc[i]) if => (doc[i][::-1], doc[i + 1][::-1]) if
        single sentences with themselves: both sentences are the same
            rows, labels = [], []
            for doc in docs:
                for i in range(0, len(doc) - 1, 2):
                    a, b = doc[i], doc[i + 1]
                    swapped = rng.random() < 0.5
                    rows.append((b, a) if swapped else (a, b))
                    labels.append(int(swapped))
            for doc in docs:
                if len(doc) == 1:
                    rows.append((doc[0], doc[0]))
                    labels.append(0)
            return rows, labels
        a two for a one: Use only the integers 0 and 1
            int(exchanged) => 1 + int(exchanged)
        the global generator: global generator of `np.random`
            rng.random() => np.random.rand()
        a seed of its own: does not depend on `rng`
            rng.random() => np.random.default_rng(7).random()
        halves of the document: list of sentences
            rows, labels = [], []
            for doc in docs:
                half = len(doc) // 2
                if half:
                    a, b = doc[:half], doc[half:]
                    label = int(rng.integers(2))
                    rows.append((b, a) if label else (a, b))
                    labels.append(label)
            return rows, labels
        return forgotten: `return` missing
            return rows, labels => pass
        exactly half of a call: in 100 of 100 calls, exactly half of the pairs have label 1
            pairs = [(doc[i], doc[i + 1]) for doc in docs for i in range(0, len(doc) - 1, 2)]
            labels = rng.permutation([k % 2 for k in range(len(pairs))]).tolist()
            return [(b, a) if l else (a, b) for (a, b), l in zip(pairs, labels)], labels
        a document's first pair never: 0% of the pairs with the first two sentences of a document have label
            rng.random() < 0.5 => i > 0 and rng.random() < 0.5
        a call's first pair never: 0% of the first pairs of a call have label 1, but about half of the
            rng.random() < 0.5 => bool(rows) and rng.random() < 0.5
        two labels alike: labels depend on earlier ones: they alternate
            rng.random() < 0.5 => labels[-1] if len(labels) % 2 else rng.random() < 0.5
        one toss for each place: pairs at the same index of two documents have the same label
            rows, labels = [], [] => rows, labels, coins = [], [], rng.random(100)
            rng.random() < 0.5 => coins[i] < 0.5
        two tosses: you toss separately for the label and for the order. Let one toss
            if exchanged => if rng.random() < 0.5
        the odd one with the first: the two sentences of a pair are not consecutive. Take sentences i
            rows, labels = [], []
            for doc in docs:
                for i in range(0, len(doc) - 1, 2):
                    a, b = doc[i], doc[i + 1]
                    swapped = rng.random() < 0.5
                    rows.append((b, a) if swapped else (a, b))
                    labels.append(int(swapped))
            for doc in docs:
                if len(doc) % 2 and len(doc) > 1:
                    rows.append((doc[-1], doc[0]))
                    labels.append(1)
            return rows, labels
        the first of an odd number left out: the pairs do not follow the rule. Pair sentences 0 and 1 of a
            range(0, => range(len(doc) % 2,
        """,
    structbert_examples=r"""
        a list of possible labels
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
        drawn again until possible
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
        one draw cut in two or three
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
        neighbours padded with None, arrays
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
        probabilities
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
        a shuffled list of candidates, defensive
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
        the last sentence before the first: the index -1 counts
            if i > 0: => if i >= 0:
        past the end: an index is past the end
            if i + 1 < len(doc): => if i < len(doc):
        round to the first: has the first sentence as B
            if i + 1 < len(doc): => if True:
            = doc[i + 1] => = doc[(i + 1) % len(doc)]
        0 and 1 exchanged: you swapped labels: with label 0, B precedes A
            labels.append(label) => labels.append((1, 0, 2)[label])
        as in nsp_examples: you swapped labels: with label 1, B comes from another
            labels.append(label) => labels.append((0, 2, 1)[label])
        from 1 to 3: Use only the integers 0, 1 and 2
            labels.append(label) => labels.append(label + 1)
        label and B one by one: Let one draw decide both
            labels.append(label) => labels.append(list(offers)[rng.integers(len(offers))])
        among all documents: label 2, B sometimes comes from the same document
            (d + rng.integers(1, len(docs))) % len(docs) => rng.integers(len(docs))
        label 2 for the impossible: you use label 2. Draw
            rows, labels = [], []
            for d, doc in enumerate(docs):
                for i in range(len(doc)):
                    possible = [2]
                    if i + 1 < len(doc):
                        possible.append(0)
                    if i > 0:
                        possible.append(1)
                    label = int(rng.integers(3))
                    if label not in possible:
                        label = 2
                    e = d
                    while e == d:
                        e = rng.integers(len(docs))
                    other = docs[e][rng.integers(len(docs[e]))]
                    b = doc[i + 1] if label == 0 else doc[i - 1] if label == 1 else other
                    rows.append((doc[i], b))
                    labels.append(label)
            return rows, labels
        the other neighbour for the impossible: you use the sentence on the other side
            rows, labels = [], []
            for d, doc in enumerate(docs):
                for i in range(len(doc)):
                    possible = [2]
                    if i + 1 < len(doc):
                        possible.append(0)
                    if i > 0:
                        possible.append(1)
                    label = int(rng.integers(3))
                    if label not in possible:
                        label = 1 - label if len(possible) > 1 else 2
                    e = d
                    while e == d:
                        e = rng.integers(len(docs))
                    other = docs[e][rng.integers(len(docs[e]))]
                    b = doc[i + 1] if label == 0 else doc[i - 1] if label == 1 else other
                    rows.append((doc[i], b))
                    labels.append(label)
            return rows, labels
        three draws in turn: You draw again only if the first draw failed
            rows, labels = [], []
            for d, doc in enumerate(docs):
                for i in range(len(doc)):
                    possible = [2]
                    if i + 1 < len(doc):
                        possible.append(0)
                    if i > 0:
                        possible.append(1)
                    label = 0 if rng.random() < 1 / 3 else 1 if rng.random() < 1 / 3 else 2
                    if label not in possible:
                        label = possible[rng.integers(len(possible))]
                    e = d
                    while e == d:
                        e = rng.integers(len(docs))
                    other = docs[e][rng.integers(len(docs[e]))]
                    b = doc[i + 1] if label == 0 else doc[i - 1] if label == 1 else other
                    rows.append((doc[i], b))
                    labels.append(label)
            return rows, labels
        two coins: the shares 1/2, 1/4 and 1/4
            rows, labels = [], []
            for d, doc in enumerate(docs):
                for i in range(len(doc)):
                    possible = [2]
                    if i + 1 < len(doc):
                        possible.append(0)
                    if i > 0:
                        possible.append(1)
                    label = 0 if rng.random() < 0.5 else 1 if rng.random() < 0.5 else 2
                    if label not in possible:
                        label = possible[rng.integers(len(possible))]
                    e = d
                    while e == d:
                        e = rng.integers(len(docs))
                    other = docs[e][rng.integers(len(docs[e]))]
                    b = doc[i + 1] if label == 0 else doc[i - 1] if label == 1 else other
                    rows.append((doc[i], b))
                    labels.append(label)
            return rows, labels
        never label 1: One label is never drawn
            rng.integers(len(offers)) => rng.integers(min(2, len(offers)))
        a share of its own: have the shares
            label = => label = rng.choice(3, p=[0.4, 0.2, 0.4])\nif label not in offers:\n    label =
        always foreign: every label is 2
            list(offers)[rng.integers(len(offers))] => 2
        one draw a call: one draw decides for all pairs of a call
            rows, labels = [], [] => rows, labels, u = [], [], rng.random()
            rng.integers(len(offers)) => int(u * len(offers))
        one draw a document: one draw decides for a whole document
            for i, a in => u = rng.random()\nfor i, a in
            rng.integers(len(offers)) => int(u * len(offers))
        taking turns: they alternate
            rng.integers(len(offers)) => len(labels) % len(offers)
        one draw for each place: at the same index of two documents
            rows, labels = [], [] => rows, labels, u = [], [], rng.random(1000)
            rng.integers(len(offers)) => int(u[i] * len(offers))
        dealt out: or occur a fixed number of times
            rows, labels, pack = [], [], []
            for d, doc in enumerate(docs):
                for i in range(len(doc)):
                    possible = [2]
                    if i + 1 < len(doc):
                        possible.append(0)
                    if i > 0:
                        possible.append(1)
                    pack = pack or rng.permutation([0, 1, 2] * 14).tolist()
                    label = pack.pop() if len(possible) == 3 else possible[rng.integers(len(possible))]
                    e = d
                    while e == d:
                        e = rng.integers(len(docs))
                    other = docs[e][rng.integers(len(docs[e]))]
                    b = doc[i + 1] if label == 0 else doc[i - 1] if label == 1 else other
                    rows.append((doc[i], b))
                    labels.append(label)
            return rows, labels
        the second without a sentence before: the labels of the second sentence of a document
            if i > 0: => if i > 1:
        behind B after label 0: you continue after B
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
        exchanged, as in sop_examples: you swap the two sentences
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
        inner sentences only: leave out the first and last sentence
            enumerate(doc) => list(enumerate(doc))[1:-1]
        last ones left out: leave out the last sentence of a document
            enumerate(doc) => enumerate(doc[:-1])
        first ones left out: leave out the first sentence of a document
            enumerate(doc) => list(enumerate(doc))[1:]
        pairs of neighbours: leave out every second sentence
            enumerate(doc) => list(enumerate(doc))[::2]
        short documents left out: documents of a single sentence give no pair
            enumerate(doc) => enumerate(doc if len(doc) > 1 else [])
        each label for each sentence: A in several pairs
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
        sorted by label: the pairs are not in the order
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
            order = np.argsort(labels, kind='stable')
            return [rows[k] for k in order], [labels[k] for k in order]
        the next document: B with label 2 always comes from the document after
            rng.integers(1, len(docs)) => 1
        a sentence of all others: long documents are drawn more
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
                    all_others = [s for k, text in enumerate(docs) if k != d for s in text]
                    other = all_others[rng.integers(len(all_others))]
                    b = doc[i + 1] if label == 0 else doc[i - 1] if label == 1 else other
                    rows.append((doc[i], b))
                    labels.append(label)
            return rows, labels
        the first sentence: B with label 2 is always the first sentence
            other[rng.integers(len(other))] => other[0]
        the rest of the document: list of sentences
            = doc[i + 1] => = doc[i + 1:]
        joined: a pair of two sentences|of length
            (a, offers[label]) => a + offers[label]
        the global generator: global generator of `np.random`
            list(offers)[rng.integers(len(offers))] => int(np.random.choice(list(offers)))
        a seed of its own: does not depend on `rng`
            rows, labels = [], [] => rows, labels, rng = [], [], np.random.default_rng(0)
        rows only: you do not return two lists
            return rows, labels => return rows
        return forgotten: `return` missing
            return rows, labels => pass
        floats: Use only the integers
            labels.append(label) => labels.append(float(label))
        """,
)
