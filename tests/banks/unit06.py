"""Answers to unit 06, right and wrong, as students write them; `wrong` says what each must be told."""

from . import banks

BANK = banks(
    __name__,
    classifier_logits=r"""
        loops
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
        einsum
            pooled = np.tanh(np.einsum("bd,ed->be", hidden[:, 0, :], weights["pooler.weight"])
                             + weights["pooler.bias"])
            return (np.einsum("be,ce->bc", pooled, weights["classifier.weight"]) + weights["classifier.bias"])
        everything, then the first token
            def linear(x, name):
                return x @ weights[f"{name}.weight"].swapaxes(-1, -2) + weights[f"{name}.bias"]
            e = np.exp(2 * linear(hidden, "pooler"))
            return linear(1 - 2 / (e + 1), "classifier")[:, 0]
        float32
            w = {name: value.astype(np.float32) for name, value in weights.items()}
            pooled = np.tanh(hidden[:, 0].astype(np.float32).dot(w["pooler.weight"].T) + w["pooler.bias"])
            return np.add(np.matmul(pooled, w["classifier.weight"].transpose()), w["classifier.bias"])
        PyTorch
            import torch
            from torch.nn import functional as F
            def classifier_logits(hidden, weights):
                w = {name: torch.tensor(value) for name, value in weights.items()}
                pooled = F.linear(torch.tensor(hidden)[:, 0], w["pooler.weight"], w["pooler.bias"]).tanh()
                return F.linear(pooled, w["classifier.weight"], w["classifier.bias"])
        PyTorch's modules
            import torch
            def classifier_logits(hidden, weights):
                w = {name: torch.as_tensor(value) for name, value in weights.items()}
                D, C = w["pooler.weight"].shape[0], w["classifier.weight"].shape[0]
                head = torch.nn.Sequential(torch.nn.Linear(D, D), torch.nn.Tanh(), torch.nn.Linear(D, C))
                head = head.to(w["pooler.weight"].dtype)
                head.load_state_dict({"0.weight": w["pooler.weight"], "0.bias": w["pooler.bias"],
                                      "2.weight": w["classifier.weight"], "2.bias": w["classifier.bias"]})
                return head(torch.as_tensor(hidden)[:, 0])
        no tanh: the tanh is missing
            np.tanh =>
        no pooler: the pooler is missing
            np.tanh(hidden[:, 0] @ weights["pooler.weight"].T + weights["pooler.bias"]) => hidden[:, 0]
        tanh alone: linear map is missing
            hidden[:, 0] @ weights["pooler.weight"].T + weights["pooler.bias"] => hidden[:, 0]
        ReLU: activation is ReLU
            cls = hidden[:, 0]
            pooled = np.maximum((cls @ weights["pooler.weight"].T + weights["pooler.bias"]), 0)
            return pooled @ weights["classifier.weight"].T + weights["classifier.bias"]
        sigmoid: activation is the sigmoid
            cls = hidden[:, 0]
            pooled = 1 / (1 + np.exp(-(cls @ weights["pooler.weight"].T + weights["pooler.bias"])))
            return pooled @ weights["classifier.weight"].T + weights["classifier.bias"]
        tanh at the end: the tanh comes at the end
            cls = hidden[:, 0]
            pooled = (cls @ weights["pooler.weight"].T + weights["pooler.bias"])
            return np.tanh(pooled @ weights["classifier.weight"].T + weights["classifier.bias"])
        W times x: you multiply in the wrong order
            hidden[:, 0] @ weights["pooler.weight"].T => weights["pooler.weight"] @ hidden[:, 0]
        classifier not turned: classifier.weight is not transposed
            ["classifier.weight"].T => ["classifier.weight"]
        neither turned: classifier.weight is not transposed
            pooler.weight"].T => pooler.weight"]
            .T =>
        mean: mean over all tokens
            hidden[:, 0] => hidden.mean(axis=1)
        no biases: both biases
            T + weights["pooler.bias"] => T
            T + weights["classifier.bias"] => T
        in place: changes its inputs
            pooled = np => hidden[:, 0] *= 1.5\nhidden[:, 0] /= 1.2\npooled = np
        no return: `return` missing
            return => logits =
        """,
    choice_logits="""
        example by example
            B = hidden.shape[0] // num_choices
            rows = []
            for b in range(B):
                options = hidden[b * num_choices:(b + 1) * num_choices]
                rows.append(classifier_logits(options, weights)[:, 0])
            return np.stack(rows)
        einops by hand
            scores = np.zeros((len(hidden) // num_choices, num_choices))
            for i, (score,) in enumerate(classifier_logits(hidden, weights)):
                scores[i // num_choices][i % num_choices] = score
            return scores
        every C-th row
            flat = classifier_logits(hidden, weights)
            return np.concatenate([flat[c::num_choices] for c in range(num_choices)], axis=1)
        without the first exercise, in float32
            h = hidden[:, 0].reshape(-1, num_choices, hidden.shape[-1]).astype(np.float32)
            pooled = np.tanh(h @ weights["pooler.weight"].T.astype(np.float32) + weights["pooler.bias"])
            scores = pooled @ weights["classifier.weight"][0] + weights["classifier.bias"][0]
            return scores.astype(np.float32)
        PyTorch
            import torch
            def choice_logits(hidden, weights, num_choices):
                return torch.as_tensor(classifier_logits(hidden, weights)).view(-1, num_choices)
        as one long row of options
            shape = (len(hidden) // num_choices, num_choices, *hidden.shape[1:])
            options = np.moveaxis(hidden.reshape(shape), 1, 0)
            return np.stack([classifier_logits(option, weights)[:, 0] for option in options], axis=-1)
        softmax: you return probabilities. Return the scores before
            scores = classifier_logits(hidden, weights).reshape(-1, num_choices)
            e = np.exp(scores)
            return e / e.sum(axis=1, keepdims=True)
        softmax over everything: over all sequences of the batch
            e = np.exp(classifier_logits(hidden, weights))
            return (e / e.sum()).reshape(-1, num_choices)
        softmax over examples: over the examples
            e = np.exp(classifier_logits(hidden, weights).reshape(-1, num_choices))
            return e / e.sum(axis=0)
        softmax of each score: always gives 1
            e = np.exp(classifier_logits(hidden, weights))
            return (e / e.sum(-1, keepdims=True)).reshape(-1, num_choices)
        its own head without tanh: the pooler's tanh is missing
            pooled = hidden[:, 0] @ weights["pooler.weight"].T + weights["pooler.bias"]
            scores = pooled @ weights["classifier.weight"].T + weights["classifier.bias"]
            return scores.reshape(-1, num_choices)
        its own head without pooler: pooler is missing
            scores = hidden[:, 0] @ weights["classifier.weight"].T + weights["classifier.bias"]
            return scores.reshape(-1, num_choices)
        reshaped before: the shape is
            , weights).reshape(-1, num_choices => .reshape(-1, num_choices, hidden.shape[-1]), weights
        """,
    matthews_correlation=r"""
        a loop
            count = {(g, p): 0 for g in (0, 1) for p in (0, 1)}
            for g, p in zip(gold.tolist(), predicted.tolist()):
                count[g, p] += 1
            tn, fp, fn, tp = count[0, 0], count[0, 1], count[1, 0], count[1, 1]
            try:
                return (tp * tn - fp * fn) / ((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)) ** 0.5
            except ZeroDivisionError:
                return 0
        Pearson's correlation, which is the same
            if gold.std() == 0 or predicted.std() == 0:
                return 0.0
            return np.corrcoef(gold, predicted)[0, 1]
        shares
            g, p = gold.mean(), predicted.mean()
            if g in (0, 1) or p in (0, 1):
                return 0.0
            return ((gold * predicted).mean() - g * p) / np.sqrt(g * (1 - g) * p * (1 - p))
        a table of counts
            table = np.zeros((2, 2), np.float32)
            np.add.at(table, (gold, predicted), 1)
            table = table.astype(float)
            sums = np.concatenate([table.sum(0), table.sum(1)])
            return np.linalg.det(table) / np.sqrt(sums.prod()) if sums.all() else 0.0
        scikit-learn
            from sklearn.metrics import matthews_corrcoef
            def matthews_correlation(gold, predicted):
                return matthews_corrcoef(gold, predicted)
        PyTorch
            import torch
            def matthews_correlation(gold, predicted):
                both = torch.stack([torch.tensor(gold), torch.tensor(predicted)]).double()
                return torch.corrcoef(both)[0, 1].nan_to_num(0.0)
        the two accuracies of each side
            from fractions import Fraction
            def matthews_correlation(gold, predicted):
                tp, n = int((gold & predicted).sum()), len(gold)
                g, p = int(gold.sum()), int(predicted.sum())
                below = g * (n - g) * p * (n - p)
                return float(Fraction(n * tp - g * p)) / below ** 0.5 if below else 0.0
        accuracy: you return the accuracy
            return (gold == predicted).mean()
        F1: you return F1
            (tp * tn - fp * fn) / math.sqrt(product) => 2 * tp / (2 * tp + fp + fn)
        right minus wrong: minus the share of wrong
            return (gold == predicted).mean() - (gold != predicted).mean()
        kappa: kappa
            tp = int(((gold == 1) & (predicted == 1)).sum())
            tn = int(((gold == 0) & (predicted == 0)).sum())
            fp = int(((gold == 0) & (predicted == 1)).sum())
            fn = int(((gold == 1) & (predicted == 0)).sum())
            below = (tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)
            if below == 0:
                return 0.0
            return 2 * (tp * tn - fp * fn) / ((tp + fp) * (fp + tn) + (tp + fn) * (fn + tn))
        0 to 1: from 0 to 1
            (tp * tn - fp * fn) / math.sqrt(product) => ((tp * tn - fp * fn) / math.sqrt(product) + 1) / 2
            0.0 => 0.5
        one wrong sum: one sum in the denominator is wrong
            (tn + fp) * (tn + fn) => (tn + fp) * (tp + tn)
        nan: Return 0.0 in this case
            math.sqrt(product) if product else 0.0 => np.sqrt(float(product))
        1 for equal lists: you return 1 for equal lists
            tp, tn = => if (gold == predicted).all():\n    return 1.0\ntp, tn =
        overflow: 64-bit
            int =>> np.int64
            math.sqrt => np.sqrt
        a list: one number
            (tp * tn - fp * fn) / math.sqrt(product) => [(tp * tn - fp * fn) / math.sqrt(product)]
        no return: `return` missing
            return => result =
        Yule's Q: Yule
            math.sqrt(product) => (tp * tn + fp * fn)
        only the answers constant: divides by 0 if all
            if product => if predicted.std()
        """,
    test_matthews=r"""
        against a formula of her own
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
        by laws, and against Pearson
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
        next to scikit-learn
            from sklearn.metrics import matthews_corrcoef
            def same(gold, said):
                if not np.isclose(matthews_correlation(gold, said), matthews_corrcoef(gold, said)):
                    raise AssertionError(f"differs for {gold} and {said}")
            rows = [[0, 1, 1, 1, 0, 1], [1, 1, 1, 1, 1, 1], [0, 0, 1, 1, 0, 1], [1, 1, 0, 0, 1, 0]]
            for gold in rows:
                for said in rows:
                    same(np.array(gold), np.array(said))
            same(np.tile(rows[0], 60_000), np.tile(rows[0], 60_000))
        a helper that asserts
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
        pytest's words
            gold, answers = np.array([1, 1, 1, 1, 0]), np.array([1, 0, 0, 0, 0])
            pairs = [(gold, answers), (gold, 1 - answers), (gold, gold * 0), (gold * 0, gold * 0),
                     (np.arange(400_000) % 2, np.arange(400_000) % 2)]
            np.testing.assert_allclose([matthews_correlation(*pair) for pair in pairs],
                                       [0.25, -0.25, 0, 0, 1], atol=1e-4)
        nothing asked: the one that returns the accuracy
            pass
        printed: the one that returns the accuracy
            print(matthews_correlation(np.array([1, 1, 0]), np.array([1, 0, 0])))
        returned: returns a value
            return matthews_correlation(np.ones(4), np.ones(4)) == 0
        without its line: Keep the line
            @by_name =>
        perfect answers only: catches 3 of 7 wrong versions. It does not catch the one that returns the
            gold = np.array([1, 0, 1, 1])
            assert np.isclose(matthews_correlation(gold, gold), 1)
        both ends: returns nan if one side
            gold = np.array([1, 0, 1, 1])
            assert np.isclose(matthews_correlation(gold, gold), 1)
            assert np.isclose(matthews_correlation(gold, 1 - gold), -1)
        never below 0: the absolute value
            np.isclose(matthews_correlation(gold, 1 - answers), -1 / 4) => True
        no constant: returns nan if one side
            (gold, ones, 1 - ones) => ()
            matthews_correlation(ones, answers) == 0 => True
        exactly 1: rejects a correct version
            np.isclose(matthews_correlation(many, many), 1) => matthews_correlation(many, many) == 1
        F1 demanded: rejects a correct version
            , 1 / 4 => , 0.4
        1 demanded: rejects a correct version
            (side, ones) == 0 => (side, ones) == (side is ones)
        a slip: no attribute 'arrange'
            np.arange( => np.arrange(
        no count of 0 [hidden]: if one of the four counts is 0
            gold, answers = np.array([1] * 5 + [0] * 5), np.array([1, 1, 1, 0, 0, 1, 0, 0, 0, 0])
            assert np.isclose(matthews_correlation(gold, answers), 10 / 600 ** 0.5)
            assert np.isclose(matthews_correlation(gold, 1 - answers), -10 / 600 ** 0.5)
            many, ones = np.tile(gold, 40_000), np.ones(10, int)
            assert np.isclose(matthews_correlation(many, np.tile(answers, 40_000)), 10 / 600 ** 0.5)
            assert matthews_correlation(gold, ones) == matthews_correlation(ones, ones) == 0
        one side constant [hidden]: instead of 0
            (gold, ones, 1 - ones) => (gold,)
            matthews_correlation(ones, answers) == 0 => True
        the same number of ones [hidden]: Cohen's kappa
            gold, answers = np.array([1, 1, 1, 0, 0, 0, 0, 0]), np.array([1, 1, 0, 1, 0, 0, 0, 0])
            ones, many = np.ones(8, int), np.arange(400_000) % 2
            assert np.isclose(matthews_correlation(gold, answers), 7 / 15)
            assert np.isclose(matthews_correlation(many, many), 1)
            assert np.isclose(matthews_correlation(many, 1 - many), -1)
            assert matthews_correlation(gold, ones) == matthews_correlation(ones, ones) == 0
        few examples [hidden]: overflow with 400,000
            400_000 => 4_000
        an assert of a pair: can never fail
            gold, answers = np.array([1, 1, 1, 1, 0]), np.array([1, 0, 0, 0, 0])
            assert (np.isclose(matthews_correlation(gold, answers), 0.25), 'no')
        errors caught: can never fail
            gold, answers = np.array([1, 1, 1, 1, 0]), np.array([1, 0, 0, 0, 0])
            try:
                assert np.isclose(matthews_correlation(gold, answers), 0.25)
            except AssertionError:
                print('wrong')
        no assert: can never fail
            gold, answers = np.array([1, 1, 1, 1, 0]), np.array([1, 0, 0, 0, 0])
            np.isclose(matthews_correlation(gold, answers), 0.25)
        the range: accuracy
            gold, answers = np.array([1, 1, 1, 1, 0]), np.array([1, 0, 0, 0, 0])
            assert -1 <= matthews_correlation(gold, answers) <= 1
        the sign: wrong versions
            gold, answers = np.array([1, 1, 1, 1, 0]), np.array([1, 0, 0, 0, 0])
            assert matthews_correlation(gold, answers) > 0
            assert matthews_correlation(gold, 1 - answers) < 0
        symmetry: accuracy
            gold, answers = np.array([1, 1, 1, 1, 0]), np.array([1, 0, 0, 0, 0])
            assert matthews_correlation(gold, answers) == matthews_correlation(answers, gold)
        True: accuracy
            gold, answers = np.array([1, 1, 1, 1, 0]), np.array([1, 0, 0, 0, 0])
            assert matthews_correlation(gold, answers) is not None
        a wide tolerance: wrong versions
            gold, answers = np.array([1, 1, 1, 1, 0]), np.array([1, 0, 0, 0, 0])
            assert np.isclose(matthews_correlation(gold, answers), 0.25, atol=1)
        the accuracy demanded: rejects a correct version
            gold, answers = np.array([1, 1, 1, 1, 0]), np.array([1, 0, 0, 0, 0])
            assert np.isclose(matthews_correlation(gold, answers), 0.4)
        one demanded for constant answers: rejects a correct version
            gold, answers = np.array([1, 1, 1, 1, 0]), np.array([1, 0, 0, 0, 0])
            assert matthews_correlation(np.ones(5, int), np.ones(5, int)) == 1
        """,
    opposite_verdicts="""
        the other label is rare
            gold = [0] * 3 + [1] * 27
            first = [1] * 30
            second = [0] * 9 + [1] * 21
            return gold, first, second
        arrays
            gold = np.arange(100) < 5
            first = np.zeros(100, int)
            second = np.arange(100) < 20
            return gold.astype(int), first, second.astype(int)
        a first model that is not constant
            28 => 38
            30 => 39 + [1]
            8 + [0] * 22 => 9 + [0] * 31
        one array
            gold = np.arange(30) < 2
            return np.stack([gold, np.zeros(30, bool), np.arange(30) < 8]).astype(int)
        a list of lists
            return [[1] * 2 + [0] * 28, [0] * 30, [1] * 8 + [0] * 22]
        True and False
            gold = [True] * 2 + [False] * 28
            first = [False] * 30
            second = [True] * 8 + [False] * 22
            return gold, first, second
        PyTorch
            import torch
            def opposite_verdicts():
                gold, second = torch.zeros(40, dtype=torch.int64), torch.zeros(40, dtype=torch.int64)
                gold[:2], second[:10] = 1, 1
                return gold, torch.zeros_like(gold), second
        two lists: three lists
            return [1] * 20, [0] * 20
        too short: there are 3 examples
            gold = [1, 0, 0]
            first = [0, 0, 0]
            second = [1, 1, 0]
            return gold, first, second
        of different length: equally long
            30 => 29
        labels 1 and 2: each label must be 0 or 1
            gold = [2] * 2 + [1] * 28
            first = [1] * 30
            second = [2] * 8 + [1] * 22
            return gold, first, second
        swapped: by accuracy, `first` has 0.80 and `second` has 0.93
            [0] * 30 => [1] * 8 + [0] * 22
            second = [1] * 8 + [0] * 22 => second = [0] * 30
        accuracy hardly differs: higher by at least 0.1
            8 + [0] * 22 => 3 + [0] * 27
        equal answers: by accuracy
            = [1] * 8 + [0] * 22 => = [0] * 30
        Matthews agrees with accuracy: by matthews, `second` has
            = [0] * 30 => = [1] * 2 + [0] * 28
        both find nothing: by matthews
            8 + [0] * 22 => 30
        not a tuple: three lists
            return 0.95
        nineteen: there are 19 examples
            28 => 17
            30 => 19
            8 + [0] * 22 => 6 + [0] * 13
        gold always 1: by matthews
            2 + [0] * 28 => 30
            = [0] => = [1]
            8 + [0] * 22 => 20 + [0] * 10
        probabilities: each label must be 0 or 1
            = [0] => = [0.1]
            = [1] * 8 + [0] => = [0.9] * 8 + [0.1]
        a dict: three lists
            return {'gold': [0] * 30, 'first': [0] * 30, 'second': [0] * 30}
        pairs: three lists
            return [(1, 0, 1)] * 2 + [(0, 0, 1)] * 28
        one number each: has the shape ()
            return 0.93, 0.8, 0.5
        rows of one: three lists of 0 and 1|equally long
            gold = [[1]] * 2 + [[0]] * 28
            first = [[0]] * 30
            second = [[1]] * 8 + [[0]] * 22
            return gold, first, second
        """,
    f1_of_batches=r"""
        always 0 [3]: does not hold yet|costs the points
            return 0.0
        joined first
            logits = np.concatenate([logits for logits, _ in batches])
            labels = np.concatenate([labels for _, labels in batches])
            logits, labels = logits[labels != IGNORE], labels[labels != IGNORE]
            ones = logits[:, 1] > logits[:, 0]
            both = ones.sum() + labels.sum()
            return 2 * (ones * labels).sum() / both if both else 0.0
        row by row
            tp = fp = fn = 0
            for logits, labels in batches:
                for (zero, one), label in zip(logits.tolist(), labels.tolist()):
                    if label == IGNORE:
                        continue
                    tp += one > zero and label == 1
                    fp += one > zero and label == 0
                    fn += one <= zero and label == 1
            return 2 * tp / (2 * tp + fp + fn) if tp else 0
        precision and recall
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
        scikit-learn
            from sklearn.metrics import f1_score
            def f1_of_batches(batches):
                answers = np.concatenate([logits.argmax(1) for logits, labels in batches])
                labels = np.concatenate([labels for logits, labels in batches])
                return f1_score(labels[labels != IGNORE], answers[labels != IGNORE], zero_division=0.0)
        PyTorch
            import torch
            def f1_of_batches(batches):
                counts = torch.zeros(2, dtype=torch.float64)
                for logits, labels in batches:
                    labels = torch.as_tensor(labels)
                    ones = (torch.as_tensor(logits).argmax(-1) == 1)[labels != IGNORE]
                    labels = labels[labels != IGNORE] == 1
                    counts += torch.stack([(ones & labels).sum(), ones.sum() + labels.sum()])
                return float(2 * counts[0] / counts[1]) if counts[1] else 0.0
        a mean, weighted by what F1 divides by
            scores, weights = [], []
            for logits, labels in batches:
                answers = logits.argmax(axis=-1)
                right = ((answers == 1) & (labels == 1)).sum()
                said = ((answers == 1) & (labels != IGNORE)).sum()
                wanted = (labels == 1).sum()
                weights.append(said + wanted)
                scores.append(2 * right / (said + wanted) if said + wanted else 0.0)
            return float(np.average(scores, weights=weights)) if sum(weights) else 0.0
        as it was: however they are divided into batches
            scores = []
            for logits, labels in batches:
                answers = logits.argmax(axis=-1)
                right = (answers == labels).sum()
                said = ((answers == 1)).sum()
                wanted = (labels == 1).sum()
                scores.append(2 * right / (said + wanted) if said + wanted else 0.0)
            return np.mean(scores)
        bug 1 left [1]: however they are divided into batches
            scores = []
            for logits, labels in batches:
                answers = logits.argmax(axis=-1)
                right = ((answers == 1) & (labels == 1)).sum()
                said = ((answers == 1) & (labels != IGNORE)).sum()
                wanted = (labels == 1).sum()
                scores.append(2 * right / (said + wanted) if said + wanted else 0.0)
            return np.mean(scores)
        bug 2 left [1]: which only fill up a batch, change nothing
            1) & (labels != IGNORE) => 1)
        bug 3 left [1]: answered with 0 change nothing
            ((answers == 1) & (labels == 1)) => (answers == labels)
        bugs 1 and 2 left [2]: however they are divided into batches
            scores = []
            for logits, labels in batches:
                answers = logits.argmax(axis=-1)
                right = ((answers == 1) & (labels == 1)).sum()
                said = ((answers == 1)).sum()
                wanted = (labels == 1).sum()
                scores.append(2 * right / (said + wanted) if said + wanted else 0.0)
            return np.mean(scores)
        bugs 1 and 3 left [2]: however they are divided into batches
            scores = []
            for logits, labels in batches:
                answers = logits.argmax(axis=-1)
                right = (answers == labels).sum()
                said = ((answers == 1) & (labels != IGNORE)).sum()
                wanted = (labels == 1).sum()
                scores.append(2 * right / (said + wanted) if said + wanted else 0.0)
            return np.mean(scores)
        bugs 2 and 3 left [2]: which only fill up a batch, change nothing
            1) & (labels != IGNORE) => 1)
            ((answers == 1) & (labels == 1)) => (answers == labels)
        weighted by rows: the same examples have the same score, however they are
            scores = []
            for logits, labels in batches:
                answers = logits.argmax(axis=-1)
                right = ((answers == 1) & (labels == 1)).sum()
                said = ((answers == 1) & (labels != IGNORE)).sum()
                wanted = (labels == 1).sum()
                scores.append(2 * right / (said + wanted) if said + wanted else 0.0)
            return np.average(scores, weights=[len(l) for _, l in batches])
        only the last batch: there is another mistake|however they are divided into batches
            scores = []
            for logits, labels in batches:
                answers = logits.argmax(axis=-1)
                right = ((answers == 1) & (labels == 1)).sum()
                said = ((answers == 1) & (labels != IGNORE)).sum()
                wanted = (labels == 1).sum()
                scores.append(2 * right / (said + wanted) if said + wanted else 0.0)
            return scores[-1]
        F1 of label 0: there is another mistake
            (answers == 1) =>> (answers == 0)
            (labels == 1) =>> (labels == 0)
        recall: there is another mistake
            2 * right / (said + wanted) if said + wanted => right / wanted if wanted
        nan: there is another mistake
            wanted) if said + wanted else 0.0 => wanted)
        labels changed: changes its inputs
            answers = logits => labels[labels == IGNORE] = 0\nanswers = logits
        no return: `return` missing
            return 2 => f1 = 2
        rows that fill up stand last: which only fill up a batch
            answers = logits => labels = labels[:len(labels) - (labels == IGNORE).sum()]\nanswers = logits
            logits.argmax(axis=-1) => logits[:len(labels)].argmax(axis=-1)
        stops at a row that fills up: which only fill up a batch
            right = said = wanted = 0
            for logits, labels in batches:
                real = labels != IGNORE
                if not real.all():
                    logits, labels = logits[:real.argmin()], labels[:real.argmin()]
                answers = logits.argmax(axis=-1)
                right += ((answers == 1) & (labels == 1)).sum()
                said += ((answers == 1) & (labels != IGNORE)).sum()
                wanted += (labels == 1).sum()
            return 2 * right / (said + wanted) if said + wanted else 0.0
        batches with such rows left out: examples without a label, which only fill up a batch, change
            answers = logits => if (labels == IGNORE).any():\n    continue\nanswers = logits
        label of such rows 1: examples without a label, which only fill up a batch, change nothing
            wanted += (labels == 1) => wanted += (labels != 0)
        above 0: a 1 that is missed costs as much as a 1 that is wrongly predicted
            logits.argmax(axis=-1) => (logits[:, 1] > 0).astype(int)
        the smaller one: a 1 that is missed costs as much as a 1 that is wrongly predicted
            argmax => argmin
        half: if one of four ones is found and there are no false positives, the score is 0.4
            2 * right => right
        1 where it is 0 / 0: if no 1 is found, the score is 0, even if no label is 1
            else 0.0 => else 1.0
        without batches that want nothing: an additional batch in which every answer is wrong lowers the score
            answers = logits => if not (labels == 1).any():\n    continue\nanswers = logits
        the first batch: an additional batch in which every answer is wrong lowers the score
            in batches => in batches[:1]
        all but the last row: if one of four ones is found and there are no false positives, the score is 0.4
            answers = logits => logits, labels = logits[:-1], labels[:-1]\nanswers = logits
        """,
    parameter_groups=r"""
        four lists
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
        a regular expression, a tuple
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
        groups by rate and decay
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
        tuples of names
            {"names": chosen => {"names": tuple(chosen)
        rates swapped: rates are swapped
            encoder_rate if inside else head_rate => head_rate if inside else encoder_rate
        one rate: all groups have encoder_rate
            encoder_rate if inside else head_rate => encoder_rate
        the head's rate: all groups have head_rate
            encoder_rate if inside else head_rate => head_rate
        PyTorch's key: they should be 'names', 'lr' and 'weight_decay'
            "names": => "params":
        all decay: all parameters decay
            weight_decay if decayed else 0.0 => weight_decay
        none decays: no parameter decays
            weight_decay if decayed else 0.0 => 0.0
        decay turned round: the decay values are swapped
            weight_decay if decayed else 0.0 => 0.0 if decayed else weight_decay
        decay fixed: Use the argument `weight_decay`
            weight_decay if decayed else 0.0 => 0.01 if decayed else 0.0
        layer norms decay: parameter_groups: With names|fresh input
            not parts[-2].endswith("norm") => parts[-2] != "norm"
        HF's names: LayerNorms' weights decay
            def decays(name):
                parts = name.split(".")
                return not any(x in name for x in ("bias", "LayerNorm.weight"))
            def frozen(name):
                if frozen_layers > 0 and name.startswith("encoder.embeddings."):
                    return True
                return any(name.startswith(f"encoder.layers.{i}.") for i in range(frozen_layers))
            groups = []
            for in_encoder in (True, False):
                for decayed in (True, False):
                    chosen = [n for n in names if n.startswith("encoder.") == in_encoder
                              and decays(n) == decayed
                              and not frozen(n)]
                    if chosen:
                        groups.append({"names": chosen, "lr": encoder_rate if in_encoder else head_rate,
                                       "weight_decay": weight_decay if decayed else 0.0})
            return groups
        one layer more, always: is in none
            range(frozen_layers) => range(frozen_layers + 1)
        one layer less: one layer too few
            range(frozen_layers) => range(frozen_layers - 1)
        frozen with rate 0: group with a learning rate of 0
            def decays(name):
                parts = name.split(".")
                return parts[-1] != "bias" and not parts[-2].endswith("norm")
            def frozen(name):
                if frozen_layers > 0 and name.startswith("encoder.embeddings."):
                    return True
                return any(name.startswith(f"encoder.layers.{i}.") for i in range(frozen_layers))
            groups = []
            kept = [n for n in names if frozen(n)]
            if kept:
                groups.append({"names": kept, "lr": 0.0, "weight_decay": 0.0})
            for in_encoder in (True, False):
                for decayed in (True, False):
                    chosen = [n for n in names if n.startswith("encoder.") == in_encoder
                              and decays(n) == decayed
                              and not frozen(n)]
                    if chosen:
                        groups.append({"names": chosen, "lr": encoder_rate if in_encoder else head_rate,
                                       "weight_decay": weight_decay if decayed else 0.0})
            return groups
        any layers: layers in the head
            name.startswith(tuple(frozen)) => any(f.replace("encoder.l", "l") in name for f in frozen)
        a dict: should return a list
            return groups => return dict(enumerate(groups))
        groups with one rate and decay merged: you merge groups with the same learning rate and decay
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
                    chosen = [n for n in names if n.startswith("encoder.") == in_encoder
                              and decays(n) == decayed
                              and not frozen(n)]
                    if chosen:
                        groups.append({"names": chosen, "lr": encoder_rate if in_encoder else head_rate,
                                       "weight_decay": weight_decay if decayed else 0.0})
            seen = {}
            for group in groups:
                seen.setdefault((group["lr"], group["weight_decay"]), []).extend(group["names"])
            return [{"names": n, "lr": lr, "weight_decay": decay} for (lr, decay), n in seen.items()]
        """,
    sharpness=r"""
        1e-12 added to the lengths
            length(direction[name]) => (length(direction[name]) + 1e-12)
        1e-8 added to the lengths: expected|differ from the reference
            length(direction[name]) => (length(direction[name]) + 1e-8)
        one row taken for a vector: expected|differ from the reference
            w.ndim == 2 => w.ndim == 2 and len(w) > 1
        row by row
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
        two arrays of losses
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
        PyTorch
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
        defensive
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
                        unit = d / (np.linalg.norm(d, axis=1, keepdims=True) + 1e-12)
                        step[name] = unit * np.linalg.norm(w, axis=1, keepdims=True)
                for side in (-1.0, 1.0):
                    there = {name: weights[name] + side * radius * step[name] for name in weights}
                    values.append(float(loss(there)) - start)
            if not values:
                return 0.0, 0.0
            return float(np.mean(values)), float(np.max(values))
        einsum, a list for a tuple
            centre = loss(weights)
            steps = [{n: np.einsum("ij,i->ij", d[n], np.sqrt(np.einsum("ij,ij->i", w, w))
                                   / np.sqrt(np.einsum("ij,ij->i", d[n], d[n]))) if w.ndim == 2 else w * 0
                      for n, w in weights.items()} for d in directions]
            every = [loss({n: weights[n] + sign * radius * s[n] for n in s}) - centre
                     for s in steps for sign in (+1, -1)]
            return [np.average(every), sorted(every)[-1]]
        as drawn: as they were drawn. Scale
            direction[name] / length(direction[name]) * length(w) => direction[name]
        as drawn, vectors too: and you also move vectors
            [name] / length(direction[name]) * length(w) if w.ndim == 2 else 0.0 => [name]
        the whole matrix: each matrix as a whole
            (x, axis=1, keepdims=True) => (x)
        the whole direction: the direction as a whole
            def length(x):
                return np.linalg.norm(x, axis=1, keepdims=True)
            centre, increases = loss(weights), []
            for direction in directions:
                scale = np.sqrt(sum((w**2).sum() for w in weights.values() if w.ndim == 2)
                                / sum((d**2).sum() for d in direction.values() if d.ndim == 2))
                steps = {name: direction[name] * scale if w.ndim == 2 else 0.0 for name, w in weights.items()}
                for side in (radius, -radius):
                    increases.append(loss({name: w + side * steps[name] for name, w in weights.items()})
                                     - centre)
            return np.mean(increases), max(increases)
        columns: you scale the columns
            axis=1 => axis=0
        length 1: you scale each row to norm 1
            name]) * length(w) => name])
        not divided: First divide it by its own
            [name] / length(direction[name]) => [name]
        relative: divide the increase by the loss at the weights
            np.mean(increases), max(increases) => np.mean(increases) / centre, max(increases) / centre
        Keskar's: Keskar
            np.mean(increases) => np.mean(increases) / (1 + centre)
            max(increases) => max(increases) / (1 + centre)
        walks on: where the previous one ended
            def length(x):
                return np.linalg.norm(x, axis=1, keepdims=True)
            centre, increases, place = loss(weights), [], weights
            for direction in directions:
                steps = {name: direction[name] / length(direction[name]) * length(w) if w.ndim == 2 else 0.0
                         for name, w in weights.items()}
                for side in (radius, -radius):
                    place = {name: w + side * steps[name] for name, w in place.items()}
                    increases.append(loss(place) - centre)
            return np.mean(increases), max(increases)
        in place: changes its inputs|reversing the directions changes nothing
            increases. => for name in weights:\n    weights[name] += side * steps[name]\nincreases.
        one number: should return 2 values
            np.mean(increases), max(increases) => np.mean(increases)
        nothing returned: returns None
            return np.mean => found = np.mean
        """,
)
