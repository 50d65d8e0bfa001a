"""Answers to the assignment of unit 12. They use what its notebook offers: np, probe, by_name."""

from . import banks

BANK = banks(
    __name__,
    self_similarity="""
        1e-12 added to the norms
            vectors / np.linalg.norm( => vectors / (1e-12 + np.linalg.norm(
            keepdims=True) => keepdims=True))
        1e-8 added to the norms: expected|differ from the reference
            vectors / np.linalg.norm( => vectors / (1e-8 + np.linalg.norm(
            keepdims=True) => keepdims=True))
        loops over pairs
            import itertools
            import math
            def self_similarity(vectors, words):
                def cosine(a, b):
                    dot = sum(float(p) * float(q) for p, q in zip(a, b))
                    return dot / math.sqrt(sum(float(p) ** 2 for p in a) * sum(float(q) ** 2 for q in b))
                every = {pair: cosine(vectors[pair[0]], vectors[pair[1]])
                         for pair in itertools.combinations(range(len(vectors)), 2)}
                baseline = sum(every.values()) / len(every)
                result = {}
                for (i, j), value in every.items():
                    if words[i] == words[j]:
                        result.setdefault(int(words[i]), []).append(value)
                return {word: sum(some) / len(some) - baseline for word, some in result.items()}
        upper triangle
            cos = vectors @ vectors.T / np.outer(*[np.linalg.norm(vectors, axis=1)] * 2)
            i, j = np.triu_indices(len(words), 1)
            of_pairs = cos[i, j]
            return {word: of_pairs[(words[i] == word) & (words[j] == word)].mean() - of_pairs.mean()
                    for word in np.unique(words) if (words == word).sum() >= 2}
        by the length of sums
            unit = vectors / np.sqrt((vectors ** 2).sum(1))[:, None]
            def mean(rows):         # |sum|^2 = n + all pairs
                n = len(rows)
                return ((rows.sum(0) ** 2).sum() - n) / (n * (n - 1))
            base, result = mean(unit), dict()
            for word in set(words.tolist()):
                if list(words).count(word) > 1:
                    result[word] = mean(unit[words == word]) - base
            return result
        scikit-learn
            from collections import Counter
            from sklearn.metrics.pairwise import cosine_similarity
            def self_similarity(vectors, words):
                similar = cosine_similarity(vectors)
                np.fill_diagonal(similar, np.nan)
                counts = Counter(words.tolist())
                return {w: np.nanmean(similar[words == w][:, words == w]) - np.nanmean(similar)
                        for w, n in counts.items() if n > 1}
        torch
            import torch
            from torch.nn.functional import cosine_similarity
            def self_similarity(vectors, words):
                x, w = torch.as_tensor(vectors), torch.as_tensor(words)
                table = cosine_similarity(x[:, None], x[None], dim=-1)
                other = ~torch.eye(len(x), dtype=torch.bool)
                out = {}
                for word in w.unique():
                    same = (w == word)[:, None] & (w == word)[None] & other
                    if same.any():
                        out[word.item()] = (table[same].mean() - table[other].mean()).item()
                return out
        to the mean: you compare each vector with its word's mean vector
            unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
            every = (unit @ unit.T)[~np.eye(len(unit), dtype=bool)].mean()
            found = {}
            for word in np.unique(words):
                own = vectors[words == word]
                if len(own) > 1:
                    mean = own.mean(0)
                    near = unit[words == word] @ mean
                    found[int(word)] = near.mean() / np.linalg.norm(mean) - every
            return found
        distances: Euclidean distances
            apart = np.linalg.norm(vectors[:, None] - vectors[None], axis=-1)
            def mean(rows):
                return apart[np.ix_(rows, rows)].sum() / (len(rows) ** 2 - len(rows))
            return {int(w): mean(np.flatnonzero(words == w)) - mean(np.arange(len(words)))
                    for w in np.unique(words) if (words == w).sum() > 1}
        single words: you return a value for a word that occurs once
            return (block => return 1.0 if n == 1 else (block
            len(rows) > 1 => True
        nan: you return nan for a word that occurs once
            return (block => return np.nan if n == 1 else (block
            len(rows) > 1 => True
        two at once: two mistakes at once
            vectors / np.linalg.norm(vectors, axis=1, keepdims=True) => vectors
            (rows) - mean_of_pairs(np.arange(len(words))) => (rows)
        a list: it should return a dict
            return found => return list(found.values())
        nothing returned: returns None
            return found => found
        """,
    effective_attention="""
        short texts unchanged: effective_attention: With|fresh input
            append(weights @ span => append(weights if len(value) <= value.shape[1] else weights @ span
        border too high: values differ|differ from the reference
            1e-8 * sizes[0] => 1e-3 * sizes[0]
        border a little too high: values differ|differ from the reference
            1e-8 * sizes[0] => 1e-6 * sizes[0]
        border of the first head: values differ|differ from the reference
            sizes[0] => np.linalg.svd(values[0], compute_uv=False)[0]
        border of all heads: values differ|differ from the reference
            sizes[0] => np.linalg.svd(values, compute_uv=False).max()
        at least the smallest share
            sizes > => sizes >=
        minus the null space
            out = np.zeros_like(probs)
            for h in range(len(probs)):
                u, s, _ = np.linalg.svd(values[h], full_matrices=True)
                rank = int((s > 1e-8 * s.max()).sum())
                null = u[:, rank:]
                out[h] = probs[h] - probs[h] @ null @ null.T
            return out
        pseudo-inverse
            return probs @ values @ np.linalg.pinv(values, rcond=1e-8)
        SciPy's null space
            from scipy.linalg import null_space
            def effective_attention(probs, values):
                parts = []
                for A, T in zip(probs, values):
                    N = null_space(T.T, rcond=1e-8 if T.dtype == np.float64 else 1e-6)
                    parts.append(A - (A @ N) @ N.T)
                return np.array(parts)
        least squares, row by row
            result = []
            for A, T in zip(probs, values):
                rows = []
                for a in A:
                    solution = np.linalg.lstsq(T, a, rcond=1e-8)[0]
                    rows.append(T @ solution)
                result.append(rows)
            return np.array(result)
        SciPy's orth
            from scipy.linalg import orth
            def effective_attention(probs, values):
                basis = [orth(v, rcond=1e-8) for v in values]
                return np.stack([np.einsum("ts,sr,ur->tu", p, b, b) for p, b in zip(probs, basis)])
        torch
            import torch
            def effective_attention(probs, values):
                u, s, _ = torch.linalg.svd(torch.as_tensor(values), full_matrices=False)
                u = u * (s > 1e-8 * s[:, :1])[:, None]
                return torch.as_tensor(probs) @ u @ u.transpose(1, 2)
        full matrices: you return the original attention
            u, s, v = np.linalg.svd(values)
            return probs @ u @ np.swapaxes(u, 1, 2)
        row space: the row space of V
            _, _, v = np.linalg.svd(values, full_matrices=False)
            return probs @ np.swapaxes(v, -1, -2) @ v
        the output: you return the output of the head
            return probs @ values
        two at once: two mistakes at once|low rank|negative numbers
            u[:, sizes > 1e-8 * sizes[0]] => u
            np.stack(heads) => np.maximum(np.stack(heads), 0)
        one head only: the shape is|the shape of the result is wrong
            np.stack(heads) => heads[0]
        nothing returned: returns None
            return np.stack(heads) => np.stack(heads)
        """,
    head_importance=r"""
        eps in the norm: however small its gradients are
            np.where(norms == 0, 1, norms) => (norms + 1e-8)
        1e-12 in the norm
            np.where(norms == 0, 1, norms) => (norms + 1e-12)
        small norms count as 0: however small its gradients are
            norms == 0 => norms < 1e-6
        einsum
            each = np.einsum("lbhtk,lbhtk->blh", contexts, gradients)
            scores = np.abs(each).sum(0)            # a factor of B goes with the norm
            norm = (scores ** 2).sum(1) ** 0.5
            norm[norm == 0] = 1
            return scores / norm[:, None]
        loops
            L, B, H = contexts.shape[:3]
            result = [[0.0] * H for _ in range(L)]
            for l in range(L):
                for h in range(H):
                    for b in range(B):
                        total = 0.0
                        for c, g in zip(contexts[l, b, h].flat, gradients[l, b, h].flat):
                            total += float(c) * float(g)
                        result[l][h] += abs(total) / B
                norm = sum(score ** 2 for score in result[l]) ** 0.5
                if norm > 0:
                    result[l] = [score / norm for score in result[l]]
            return np.array(result)
        a small number below
            np.where(norms == 0, 1, norms) => (norms + 1e-20)
        flattened
            L, B, H, T, K = contexts.shape
            c, g = (x.reshape(L, B, H, T * K) for x in (contexts, gradients))
            scores = np.mean(abs(np.sum(c * g, axis=-1)), axis=1)
            out = np.zeros((L, H))
            for layer, row in enumerate(scores):
                if row.any():
                    out[layer] = row / np.sqrt(row @ row)
            return out
        torch
            import torch
            def head_importance(contexts, gradients):
                c, g = torch.as_tensor(contexts), torch.as_tensor(gradients)
                scores = (c * g).flatten(3).sum(-1).abs().mean(1)
                return torch.nan_to_num(scores / scores.norm(dim=1, keepdim=True))
        you add the sequences before you take the absolute value: you add the sequences before you take the
            np.abs(derivatives).mean(axis=1) => np.abs(derivatives.mean(axis=1))
        size of each product: the absolute value of each product
            (contexts * gradients).sum(axis=(3, 4)) => np.abs(contexts * gradients).sum(axis=(3, 4))
        size of each token: the absolute value for each token
            (contexts * gradients).sum(axis=(3, 4)) => np.abs((contexts * gradients).sum(axis=4)).sum(axis=3)
        no size: the absolute value is missing
            np.abs(derivatives).mean(axis=1) => derivatives.mean(axis=1)
        in place: changes its inputs
            (contexts * gradients) => 0\ncontexts *= gradients\nderivatives = contexts
        two at once: two mistakes at once
            np.abs(derivatives).mean(axis=1) => derivatives.mean(axis=1)
            return scores / np.where(norms == 0, 1, norms) => return scores
        nothing returned: returns None
            return scores => scores
        """,
    nearest_sense="""
        1e-12 added to the norms
            vectors / np.linalg.norm( => vectors / (1e-12 + np.linalg.norm(
            keepdims=True) => keepdims=True))
        PyTorch's smallest norm
            vectors / np.linalg.norm( => vectors / np.maximum(1e-8, np.linalg.norm(
            keepdims=True) => keepdims=True))
        1e-8 added to the norms: values differ|differ from the reference
            vectors / np.linalg.norm( => vectors / (1e-8 + np.linalg.norm(
            keepdims=True) => keepdims=True))
        one occurrence is its own neighbour: values differ|differ from the reference
            may.any(axis=1) => may.any(axis=1) | (len(words) == 1)
        masked with -1: values differ|differ from the reference
            -np.inf => -1
        loops
            answers = []
            for i in range(len(words)):
                a = np.concatenate([layer[i] for layer in layers[-4:]])
                best, answer = None, -1
                for j in range(len(words)):
                    if j != i and words[j] == words[i]:
                        b = np.concatenate([layer[j] for layer in layers[-4:]])
                        similar = a @ b / (np.linalg.norm(a) * np.linalg.norm(b))
                        if best is None or similar > best:
                            best, answer = similar, senses[j]
                answers.append(answer)
            return np.array(answers)
        word by word
            L, N, D = layers.shape
            flat = layers[L - 4:].transpose(1, 0, 2).reshape(N, 4 * D)
            out = np.full(N, -1)
            for word in set(words.tolist()):
                rows, = np.nonzero(words == word)
                if len(rows) < 2:
                    continue
                x = flat[rows] / np.linalg.norm(flat[rows], axis=1)[:, None]
                table = x @ x.T
                np.fill_diagonal(table, -2)
                out[rows] = senses[rows][table.argmax(1)]
            return out
        scikit-learn
            from sklearn.neighbors import KNeighborsClassifier
            def nearest_sense(layers, words, senses):
                x = np.hstack(list(layers[-4:]))
                out = []
                for i, word in enumerate(words):
                    others = np.delete(np.arange(len(words)), i)
                    others = others[words[others] == word]
                    if not len(others):
                        out.append(-1)
                    else:
                        knn = KNeighborsClassifier(1, metric="cosine").fit(x[others], senses[others])
                        out.append(knn.predict(x[i:i + 1])[0])
                return np.array(out)
        distances of unit vectors
            x = np.concatenate(layers[-4:], axis=1).astype(float)
            x /= np.sqrt(np.square(x).sum(1, keepdims=True))
            gap = ((x[:, None] - x[None]) ** 2).sum(-1)
            gap[np.not_equal.outer(words, words)] = np.inf
            np.fill_diagonal(gap, np.inf)
            return np.where(np.isinf(gap.min(1)), -1, senses[gap.argmin(1)])
        torch
            import torch
            def nearest_sense(layers, words, senses):
                x = torch.cat(list(torch.as_tensor(layers)[-4:]), -1)
                x = torch.nn.functional.normalize(x, dim=-1)
                w, s = torch.as_tensor(words), torch.as_tensor(senses)
                may = w[:, None].eq(w).fill_diagonal_(False)
                near = (x @ x.T).masked_fill(~may, -torch.inf).argmax(1)
                return torch.where(may.any(1), s[near], -1)
        itself: you compare each occurrence with itself
            words) & ~np.eye(len(words), dtype=bool) => words)
        all words: you search among all words
            (words[:, None] == words) & ~ => ~
        each layer's cosine: you normalise each layer separately
            vectors = layers[-4:] / np.linalg.norm(layers[-4:], axis=-1, keepdims=True)
            vectors = np.concatenate(list(vectors), -1)
            unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
            may = (words[:, None] == words) & ~np.eye(len(words), dtype=bool)
            nearest = np.where(may, unit @ unit.T, -np.inf).argmax(axis=1)
            return np.where(may.any(axis=1), senses[nearest], -1)
        most frequent: the most frequent sense
            out = []
            for i in range(len(words)):
                others = [senses[j] for j in range(len(words)) if words[j] == words[i] and j != i]
                out.append(np.bincount(others).argmax() if others else -1)
            return np.array(out)
        two at once: two mistakes at once
            np.concatenate(list(layers[-4:]), axis=-1) => layers[-1]
            unit @ unit.T => -np.linalg.norm(vectors[:, None] - vectors, axis=-1)
        nothing returned: returns None
            return np.where => np.where
        floats: some are floats where
            senses[nearest], -1) => senses[nearest], -1.0)
        """,
    token_attribution="""
        1e-12 added to the sums
            norms.sum(axis=1, keepdims=True) => (norms.sum(axis=1, keepdims=True) + 1e-12)
        1e-8 added to the sums: values differ|differ from the reference
            norms.sum(axis=1, keepdims=True) => (norms.sum(axis=1, keepdims=True) + 1e-8)
        norm of NumPy
            norms = np.linalg.norm(np.moveaxis(jacobian, 2, 1), axis=(2, 3))
            share = norms / np.sum(norms, 1)[:, None]
            T = len(share)
            both = lambda d: np.concatenate([np.diagonal(share, d), np.diagonal(share, -d)])
            return share, np.array([both(d).mean() for d in range(T)])
        loops
            T = jacobian.shape[0]
            share = np.zeros((T, T))
            sums, counts = np.zeros(T), np.zeros(T)
            for t in range(T):
                for s in range(T):
                    share[t, s] = float((jacobian[t, :, s].astype(float) ** 2).sum()) ** 0.5
                share[t] /= share[t].sum()
                for s in range(T):
                    sums[abs(t - s)] += share[t, s]
                    counts[abs(t - s)] += 1
            return share, sums / counts
        bincount
            share = np.einsum("tisj,tisj->ts", jacobian, jacobian) ** 0.5
            share = share / share.sum(-1, keepdims=True)
            i, j = np.indices(share.shape)
            far = np.abs(i - j).ravel()
            return [share, np.bincount(far, share.ravel()) / np.bincount(far)]
        flattened
            T, D, _, E = jacobian.shape
            rows = jacobian.transpose(0, 2, 1, 3).reshape(T, T, D * E)
            size = np.array([[np.linalg.norm(cell) for cell in row] for row in rows])
            share = (size.T / size.sum(1)).T
            near = [[share[t, s] for t in range(T) for s in range(T) if abs(s - t) == d] for d in range(T)]
            return share, np.array([sum(some) / len(some) for some in near])
        torch
            import torch
            def token_attribution(jacobian):
                J = torch.as_tensor(jacobian)
                share = torch.nn.functional.normalize(J.pow(2).sum((1, 3)).sqrt(), p=1, dim=1)
                t = torch.arange(len(J))
                far = (t[:, None] - t).abs()
                return share, torch.stack([share[far == d].mean() for d in range(len(J))])
        gradient of the sum: you add the derivatives of an output's numbers
            np.sqrt((jacobian ** 2).sum(axis=(1, 3))) => np.sqrt((jacobian.sum(axis=1) ** 2).sum(axis=-1))
        sum over inputs: the derivatives for an input's numbers
            np.sqrt((jacobian ** 2).sum(axis=(1, 3))) => np.sqrt((jacobian.sum(axis=3) ** 2).sum(axis=1))
        size of the sum: then take the absolute value
            np.sqrt((jacobian ** 2).sum(axis=(1, 3))) => np.abs(jacobian.sum(axis=(1, 3)))
        absolute values: you add the absolute values
            np.sqrt((jacobian ** 2).sum(axis=(1, 3))) => np.abs(jacobian).sum(axis=(1, 3))
        two at once: two mistakes at once
            np.sqrt((jacobian ** 2).sum(axis=(1, 3))) => np.abs(jacobian).sum(axis=(1, 3))
            share[far == d].mean() => share[far == d].sum()
        one result: it should return 2 values
            return share, => return
        nothing returned: returns None
            return share, => both = share,
        """,
    control_selectivity="""
        trained on tested words alone: selectivity: With|fresh input
            tested = ~trained & np.isin(words, words[trained])
            seen = trained & np.isin(words, words[tested])
            def accuracy(wanted):
                return (probe(x[seen], wanted[seen], x[tested]) == wanted[tested]).mean()
            right, control = accuracy(labels), accuracy(behaviour[words])
            return right, control, right - control
        control probe trained on all: words that are never trained on do not change the result
            tested = ~trained & np.isin(words, words[trained])
            def accuracy(wanted, on):
                return (probe(x[on], wanted[on], x[tested]) == wanted[tested]).mean()
            right, control = accuracy(labels, trained), accuracy(behaviour[words], np.ones_like(trained))
            return right, control, right - control
        step by step
            known = set(words[trained].tolist())
            test = [n for n in range(len(words)) if not trained[n] and int(words[n]) in known]
            results = []
            for wanted in (labels, np.array([behaviour[word] for word in words])):
                said = probe(x[trained], wanted[trained], x[test])
                right = sum(int(a == b) for a, b in zip(said, wanted[test]))
                results.append(right / len(test))
            accuracy, control = results
            return accuracy, control, accuracy - control
        scored on all, then chosen
            counts = np.bincount(words[trained], minlength=len(behaviour))
            where = np.logical_and(np.logical_not(trained), counts[words] > 0)
            random = np.take(behaviour, words)
            hits = [probe(x[trained], y[trained], x) == y for y in (labels, random)]
            a, c = (np.mean(h[where]) for h in hits)
            return np.array([a, c, a - c])
        a list
            return right, control, right - control => return [right, control, right - control]
        defensive
            x, words, labels = np.asarray(x), np.asarray(words), np.asarray(labels)
            trained = np.asarray(trained, bool)
            held = np.flatnonzero(~trained)
            held = held[[word in words[trained] for word in words[held]]]
            if not len(held):
                raise ValueError("no held-out token of a known word")
            control_labels = np.asarray(behaviour)[words]
            share = lambda y: float(np.count_nonzero(
                probe(x[trained], y[trained], x[held]) == y[held])) / len(held)
            first, second = share(labels), share(control_labels)
            return first, second, first - second
        torch counts
            import torch
            def control_selectivity(x, words, labels, behaviour, trained):
                seen = torch.isin(torch.tensor(words), torch.tensor(words[trained])).numpy()
                test = seen & ~trained
                out = []
                for y in (labels, behaviour[words]):
                    right = torch.tensor(probe(x[trained], y[trained], x[test]) == y[test])
                    out.append(right.double().mean().item())
                return out[0], out[1], out[0] - out[1]
        by place: depend on the position of a token
            behaviour[words] => np.resize(behaviour, len(words))
        one training: you train the control probe on the true labels
            tested = ~trained & np.isin(words, words[trained])
            said = probe(x[trained], labels[trained], x[tested])
            right = (said == labels[tested]).mean()
            control = (said == behaviour[words][tested]).mean()
            return right, control, right - control
        scored on the true labels: you score the control probe on the true labels
            tested = ~trained & np.isin(words, words[trained])
            said = [probe(x[trained], y[trained], x[tested]) for y in (labels, behaviour[words])]
            right, control = ((one == labels[tested]).mean() for one in said)
            return right, control, right - control
        two at once: two mistakes at once
            ~trained & np.isin(words, words[trained]) => ~trained
            right - control => control - right
        selectivity alone: it should return 3 values
            return right, control, right - control => return right - control
        nothing returned: returns None
            return right, control, right - control => all_three = right, control, right - control
        """,
    probe_layers="""
        1e-12 added to the deviation
            x[train].std(axis=0) => (x[train].std(axis=0) + 1e-12)
        1e-3 added to the deviation [1]: however small its numbers are
            x[train].std(axis=0) => (x[train].std(axis=0) + 1e-3)
        standardised by what is scored: from the part that is scored
            x[train] =>> x[on]
            probe(x[on] => probe(x[train]
        sentences numbered again: you number the sentences again
            part = sentence % 5 => part = np.unique(sentence, return_inverse=True)[1] % 5
        loops over the layers
            rest = np.mod(sentence, 5)
            train = np.isin(rest, [0, 1, 2])
            scores = []
            for x in layers:
                mean, std = x[train].mean(0), x[train].std(0)
                def score(which):
                    said = probe((x[train] - mean) / std, tags[train], (x[which] - mean) / std)
                    return np.mean(said == tags[which])
                scores.append((score(rest == 3), score(rest == 4)))
            best = max(range(len(layers)), key=lambda l: scores[l][0])
            return best, scores[best][1]
        numbers of tokens
            learn = np.flatnonzero(sentence % 5 < 3)
            def right(x, remainder):
                on = np.flatnonzero(sentence % 5 == remainder)
                scaled = (x - np.mean(x[learn], axis=0)) / np.std(x[learn], axis=0)
                return np.equal(probe(scaled[learn], tags[learn], scaled[on]), tags[on])
            accuracies = [right(x, 3).mean() for x in layers]
            best = accuracies.index(max(accuracies))
            return best, right(layers[best], 4).mean()
        scikit-learn scales
            from sklearn.preprocessing import StandardScaler
            def probe_layers(layers, tags, sentence):
                part = sentence % 5
                train, validation, test = part <= 2, part == 3, part > 3
                def accuracy(x, on):
                    scaler = StandardScaler().fit(x[train])
                    said = probe(scaler.transform(x[train]), tags[train], scaler.transform(x[on]))
                    return float((said == tags[on]).mean())
                best = int(np.argmax([accuracy(x, validation) for x in layers]))
                return [best, accuracy(layers[best], test)]
        torch scales
            import torch
            def probe_layers(layers, tags, sentence):
                part = sentence % 5
                def accuracy(x, on):
                    x = torch.as_tensor(x)
                    std, mean = torch.std_mean(x[torch.as_tensor(part < 3)], dim=0, correction=0)
                    x = ((x - mean) / std).numpy()
                    return (probe(x[part < 3], tags[part < 3], x[part == on]) == tags[part == on]).mean()
                best = int(np.argmax([accuracy(x, 3) for x in layers]))
                return best, accuracy(layers[best], 4)
        as it was: a sentence is in one part as a whole
            sentence % 5 => np.arange(len(tags)) % 5
            (x - x[train].mean(axis=0)) / x[train].std(axis=0) => (x - x.mean(axis=0)) / x.std(axis=0)
            accuracy(x, validation) => accuracy(x, test)
        bug 1 left [1]: a sentence is in one part as a whole
            sentence % 5 => np.arange(len(tags)) % 5
        bug 2 left [1]: vectors of the validation part do not change
            (x - x[train].mean(axis=0)) / x[train].std(axis=0) => (x - x.mean(axis=0)) / x.std(axis=0)
        bug 3 left [1]: does not depend on the tags of the test part
            accuracy(x, validation) => accuracy(x, test)
        standardised by training and validation [1]: from the training and validation parts
            x[train].mean(axis=0)) / x[train].std => x[~test].mean(axis=0)) / x[~test].std
        mean of all, deviation of training [1]: the standard deviation from the training part
            x - x[train] => x - x
        chosen on validation and test [1]: on the validation and test parts together
            accuracy(x, validation) => accuracy(x, validation | test)
        bugs 1 and 2 left [2]: a sentence is in one part as a whole
            sentence % 5 => np.arange(len(tags)) % 5
            (x - x[train].mean(axis=0)) / x[train].std(axis=0) => (x - x.mean(axis=0)) / x.std(axis=0)
        bugs 1 and 3 left [2]: a sentence is in one part as a whole
            sentence % 5 => np.arange(len(tags)) % 5
            accuracy(x, validation) => accuracy(x, test)
        bugs 2 and 3 left [2]: vectors of the validation part do not change
            (x - x[train].mean(axis=0)) / x[train].std(axis=0) => (x - x.mean(axis=0)) / x.std(axis=0)
            accuracy(x, validation) => accuracy(x, test)
        validation reported: the accuracy on the validation part
            accuracy(layers[best], test) => accuracy(layers[best], validation)
        training reported: the accuracy on the training part
            accuracy(layers[best], test) => accuracy(layers[best], train)
        each part by itself: standardise each part with its own
            part = sentence % 5
            train, validation, test = part < 3, part == 3, part == 4
            def accuracy(x, on):
                own = (x - x[on].mean(axis=0)) / x[on].std(axis=0)
                x = np.where(on[:, None], own, (x - x[train].mean(axis=0)) / x[train].std(axis=0))
                return float((probe(x[train], tags[train], x[on]) == tags[on]).mean())
            best = int(np.argmax([accuracy(x, validation) for x in layers]))
            return best, accuracy(layers[best], test)
        nothing returned: returns None
            return best => both = best
        """,
    test_tree_distances=r"""
        against a definition
            def definition(parents):
                T = len(parents)
                way = np.full((T, T), 99)
                for i, head in enumerate(parents):
                    way[i, i] = 0
                    if head >= 0:
                        way[i, head] = way[head, i] = 1
                for _ in range(T):
                    way = np.minimum(way, (way[:, :, None] + way[None]).min(1))
                return way
            @by_name
            def test_tree_distances(tree_distances):
                rng = np.random.default_rng(0)
                for T in (1, 2, 6, 9, 9, 9):
                    order = rng.permutation(T)
                    parents = [0] * T
                    for n, word in enumerate(order):
                        parents[word] = int(order[rng.integers(n)]) if n else -1
                    before = list(parents)
                    assert np.allclose(tree_distances(parents), definition(before))
                    assert parents == before
        by laws
            parents = [3, 0, 0, 5, 3, -1, 5, 6, 7]
            table = np.asarray(tree_distances(parents), float)
            assert table.shape == (9, 9) and (table == table.T).all() and (np.diag(table) == 0).all()
            for word, head in enumerate(parents):
                for other in range(9):
                    if head >= 0:       # the head is one step nearer or one step farther
                        assert abs(table[word, other] - table[head, other]) == 1
            assert table[1, 2] == 2 and table[1, 4] == 3 and table[1, 8] == 6 and table[5, 8] == 3
            assert (table == 1).sum() == 16, "as many edges as words but one, seen from both ends"
            assert parents == [3, 0, 0, 5, 3, -1, 5, 6, 7]
        unittest
            import unittest
            @by_name
            def test_tree_distances(tree_distances):
                case = unittest.TestCase()
                for parents, row in (([1, 2, 3, -1, 3, 3], [0, 1, 2, 3, 4, 4]),
                                     ([2, 2, -1, 2, 3, 4], [0, 2, 1, 2, 3, 4]),
                                     ([-1, 0, 1, 1, 0], [0, 1, 2, 2, 1])):
                    given = parents.copy()
                    table = np.array(tree_distances(given))
                    case.assertEqual(table[0].tolist(), row)
                    case.assertEqual(table[:, 0].tolist(), row)
                    case.assertListEqual(given, parents)
                case.assertEqual(np.array(tree_distances([2, 2, 3, -1, 3])).tolist()[1], [2, 0, 1, 2, 3])
        NumPy compares
            heads = [2, 0, -1, 4, 2, 4]
            np.testing.assert_array_equal(tree_distances(heads), [
                [0, 1, 1, 3, 2, 3], [1, 0, 2, 4, 3, 4], [1, 2, 0, 2, 1, 2],
                [3, 4, 2, 0, 1, 2], [2, 3, 1, 1, 0, 1], [3, 4, 2, 2, 1, 0]])
            np.testing.assert_array_equal(heads, [2, 0, -1, 4, 2, 4])
        a chain: the distance in the text
            assert np.array_equal(tree_distances([1, 2, -1]), [[0, 1, 2], [1, 0, 1], [2, 1, 0]])
        one edge: does not catch the one
            assert np.array_equal(tree_distances([1, -1]), [[0, 1], [1, 0]])
        no meeting below the root: goes through the root
            parents = [2, 2, -1, 2, 1]
            table = tree_distances(parents)
            assert np.array_equal(table[0], [0, 2, 1, 2, 3]) and table[4][3] == 3
            assert np.array_equal(np.asarray(table).T, table) and parents == [2, 2, -1, 2, 1]
        symmetric: does not catch the one
            table = np.asarray(tree_distances([1, 2, -1, 2, 3, 3]))
            assert (table == table.T).all() and (np.diag(table) == 0).all()
        the first word is the root [hidden]: takes the first word for the root
            parents = [-1, 0, 0, 1, 1, 3]
            expected = [[0, 1, 1, 2, 2, 3], [1, 0, 2, 1, 1, 2], [1, 2, 0, 3, 3, 4],
                        [2, 1, 3, 0, 2, 1], [2, 1, 3, 2, 0, 3], [3, 2, 4, 1, 3, 0]]
            assert np.array_equal(tree_distances(parents), expected) and parents == [-1, 0, 0, 1, 1, 3]
        another error: your test contains a `raise`
            assert np.array_equal( => if not np.array_equal(
            expected), => expected): raise ValueError(
            "a tree of seven words" => "a tree of seven words")
        shape: does not catch the one
            assert np.shape(tree_distances([1, 2, -1, 2, 3, 3])) == (6, 6)
        upper triangle alone [hidden]: leaves the lower triangle at 0
            parents = [1, 2, -1, 2, 3, 3]
            table = np.asarray(tree_distances(parents))
            expected = [[0, 1, 2, 3, 4, 4], [0, 0, 1, 2, 3, 3], [0, 0, 0, 1, 2, 2],
                        [0, 0, 0, 0, 1, 1], [0, 0, 0, 0, 0, 2], [0, 0, 0, 0, 0, 0]]
            assert np.array_equal(np.triu(table), expected) and parents == [1, 2, -1, 2, 3, 3]
        never deep [hidden]: stops at 3
            parents = [1, -1, 1, 2, 2]
            expected = [[0, 1, 2, 3, 3], [1, 0, 1, 2, 2], [2, 1, 0, 1, 1], [3, 2, 1, 0, 2], [3, 2, 1, 2, 0]]
            assert np.array_equal(tree_distances(parents), expected)
            assert parents == [1, -1, 1, 2, 2]
        the input is not looked at [hidden]: changes its input in place
            parents == [2, 0, -1, 2, 3, 3, 5] => True
        no dependent of the first word [hidden]: takes head 0 for no head
            parents = [1, 2, -1, 2, 3, 3]
            expected = [[0, 1, 2, 3, 4, 4], [1, 0, 1, 2, 3, 3], [2, 1, 0, 1, 2, 2],
                        [3, 2, 1, 0, 1, 1], [4, 3, 2, 1, 0, 2], [4, 3, 2, 1, 2, 0]]
            assert np.array_equal(tree_distances(parents), expected)
            assert parents == [1, 2, -1, 2, 3, 3]
        distance in the text: rejects a correct version
            assert np.array_equal(tree_distances([1, -1, 1]), [[0, 1, 2], [1, 0, 1], [2, 1, 0]])
            assert tree_distances([2, 2, -1])[0][1] == 1
        words, not edges: rejects a correct version
            assert tree_distances([1, 2, -1])[0][2] == 3
        whole numbers only: rejects a correct version
            table = np.asarray(tree_distances([1, 2, -1, 2, 3, 3]))
            assert table.dtype.kind == "i"
            assert table[4, 5] == 2 and table[0, 4] == 4
        a tuple: parentheses around both the condition and the message
            parents = [2, 0, -1, 2, 3, 3, 5]
            expected = [[0, 1, 1, 2, 3, 3, 4],
                        [1, 0, 2, 3, 4, 4, 5],
                        [1, 2, 0, 1, 2, 2, 3],
                        [2, 3, 1, 0, 1, 1, 2],
                        [3, 4, 2, 1, 0, 2, 3],
                        [3, 4, 2, 1, 2, 0, 1],
                        [4, 5, 3, 2, 3, 1, 0]]
            assert (np.array_equal(tree_distances(parents), expected), 'table')
        returns: your test returns a value
            return np.array_equal(tree_distances([1, -1]), [[0, 1], [1, 0]])
        prints: contains no `assert`
            print(np.array_equal(tree_distances([1, -1]), [[0, 1], [1, 0]]))
        without by_name: cannot be run
            @by_name\ndef => def
        """,
)
