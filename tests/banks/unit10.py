"""Answers to the assignment of unit 10. They use what its notebook offers: np, mlm_loss, MASK, discriminate,
by_name.
"""

from . import banks

BANK = banks(
    __name__,
    factorised_parameters=r"""
        a linear layer and a LayerNorm as functions
            def linear(n, m):
                return n * m + m
            def norm(n):
                return 2 * n
            def factorised_parameters(config, shared):
                V, E, D, L, F, P, S = (config[key] for key in (
                    "vocab_size", "embedding_size", "hidden_size", "num_hidden_layers",
                    "intermediate_size", "max_position_embeddings", "type_vocab_size"))
                one = 4 * linear(D, D) + linear(D, F) + linear(F, D) + 2 * norm(D)
                return dict(embeddings=V * E + P * E + S * E + norm(E),
                            projection=linear(E, D) if E != D else 0,
                            layers=sum(one for _ in range(1 if shared else L)), pooler=linear(D, D))
        as floats
            E, D, F = config["embedding_size"], config["hidden_size"], config["intermediate_size"]
            rows = config["vocab_size"] + config["max_position_embeddings"] + config["type_vocab_size"]
            layer = 4 * (D * D + D) + (D * F + F) + (F * D + D) + 2 * 2 * D
            parts = {"embeddings": rows * E + 2 * E,
                    "projection": 0 if E == D else E * D + D,
                    "layers": layer if shared else config["num_hidden_layers"] * layer,
                    "pooler": D * D + D}
            return {key: float(n) for key, n in parts.items()}
        PyTorch counts
            import torch
            from torch import nn
            def factorised_parameters(config, shared):
                def count(*modules):
                    return sum(p.numel() for module in modules for p in module.parameters())
                E, D, F = config["embedding_size"], config["hidden_size"], config["intermediate_size"]
                with torch.device("meta"):
                    tables = [nn.Embedding(config[key], E) for key in (
                        "vocab_size", "max_position_embeddings", "type_vocab_size")]
                    layer = [*(nn.Linear(D, D) for _ in range(4)), nn.Linear(D, F), nn.Linear(F, D),
                             nn.LayerNorm(D), nn.LayerNorm(D)]
                    return {"embeddings": count(*tables, nn.LayerNorm(E)),
                            "projection": count(nn.Linear(E, D)) if E != D else 0,
                            "layers": count(*layer) * (1 if shared else config["num_hidden_layers"]),
                            "pooler": count(nn.Linear(D, D))}
        only words narrow: only the words have the width E
            rows * E + 2 * E => config["vocab_size"] * E + (rows - config["vocab_size"]) * D + 2 * E
        LayerNorm of D: LayerNorm of the embeddings has the width D
            rows * E + 2 * E => rows * E + 2 * D
        words narrow, LayerNorm wide: the projection comes last
            rows * E + 2 * E => config["vocab_size"] * E + (rows - config["vocab_size"]) * D + 2 * D
        no LayerNorm: LayerNorm of the embeddings is missing
            rows * E + 2 * E => rows * E
        no biases at all: you count no biases
            = 4 * (D * D + D) + (D * F + F) + (F * D + D) => = 4 * D * D + 2 * D * F
            D + D, => D,
            D + D => D
        two at once: two mistakes at once
            D + D,\n"layers": layer if shared else => D,\n"layers":
        the sum: it should return a dict
            return { => return sum({
            D * D + D} => D * D + D}.values())
        other names: with the keys
            "projection" => "project"
        nothing returned: returns None
            return { => parts = {
        """,
    replaced_token_labels="""
        loops
            B, T = original.shape
            seen, labels = original.copy(), np.zeros((B, T), dtype=np.int64)
            for b in range(B):
                for t in range(T):
                    if chosen[b, t]:
                        seen[b, t] = sampled[b, t]
                    if not real[b, t]:
                        labels[b, t] = -100
                    elif seen[b, t] != original[b, t]:
                        labels[b, t] = 1
            return seen, labels
        arithmetic
            seen = original + chosen * (sampled - original)
            return [seen, 1 * (seen != original) - 100 * ~real]
        torch
            import torch
            def replaced_token_labels(original, sampled, chosen, real):
                original, sampled, chosen, real = map(torch.as_tensor, (original, sampled, chosen, real))
                seen = torch.where(chosen, sampled, original)
                return seen, (seen != original).long().masked_fill(~real, -100)
        all masked ones replaced: you label every masked token as replaced
            (seen != original) => chosen
        padding is original: padding has the label 0
            np.where(real, (seen != original).astype(int), -100) => (seen != original).astype(int)
        only masked ones: as in BERT
            np.where(real, => np.where(chosen,
        turned round: your labels are inverted
            seen != original => seen == original
        labels only: it should return 2 values
            return seen, => return
        in place: changes its inputs
            before = original.copy()
            original[chosen] = sampled[chosen]
            return original, np.where(real, (original != before).astype(int), -100)
        nothing returned: returns None
            return => both =
        floats: some are floats where
            astype(int) => astype(float)
        """,
    electra_loss="""
        by probabilities
            seen = original.copy()
            seen[chosen] = sampled[chosen]
            p = 1 / (1 + np.exp(-discriminate(seen, weights)))
            right = np.where(seen != original, p, 1 - p)
            labels = np.full(original.shape, -100)
            labels[chosen] = original[chosen]
            return mlm_loss(logits, labels) + 50 * -np.log(right[real]).mean()
        token by token
            rows = [np.where(c, s, o) for c, s, o in zip(chosen, sampled, original)]
            losses = []
            for seen, text, tokens in zip(rows, original, real):
                for token, right, counts in zip(seen, text, tokens):
                    score = weights["words"][token] @ weights["out"]
                    if counts:
                        losses.append(np.logaddexp(0, -score if token != right else score))
            return mlm_loss(logits, np.where(chosen, original, -100)) + 50 * np.mean(losses)
        PyTorch
            import torch
            from torch.nn.functional import binary_cross_entropy_with_logits, cross_entropy
            def electra_loss(original, chosen, sampled, real, logits, weights):
                seen = np.where(chosen, sampled, original)
                score = torch.tensor(discriminate(seen, weights))[torch.tensor(real)]
                replaced = torch.tensor(seen != original)[torch.tensor(real)].to(score.dtype)
                labels = torch.tensor(np.where(chosen, original, -100))
                generator = cross_entropy(torch.tensor(logits).flatten(0, 1), labels.flatten())
                return generator + 50 * binary_cross_entropy_with_logits(score, replaced)
        as it was: generator's logits at tokens that were not masked
            np.where(chosen, original, -100) => np.where(real, original, -100)
            discriminate(seen, weights) => discriminate(np.where(chosen, MASK, original), weights)
            each[real] => each[chosen]
        bug 1 left [1]: generator's logits at tokens that were not masked
            np.where(chosen, original, -100) => np.where(real, original, -100)
        bug 2 left [1]: taken over every token
            each[real] => each[chosen]
        bug 3 left [1]: embedding of [MASK] does not change the loss
            discriminate(seen, weights) => discriminate(np.where(chosen, MASK, original), weights)
        the generator repeats what it sampled [1]: its result is wrong
            np.where(chosen, original, -100) => np.where(chosen, sampled, -100)
        judged where the generator may be wrong [1]: taken over every token
            each[real] => each[real & (chosen | (original % 2 > 0))]
        unmasked tokens alone are judged [1]: you leave out the masked tokens
            each[real] => each[real & ~chosen]
        padding is judged [1]: you include padding
            each[real] => each
        the mean of the sequences' means [1]: its result is wrong
            each[real].mean() => np.mean([row[counts].mean() for row, counts in zip(each, real)])
        added up [2]: you add up
            each[real].mean() => each[real].sum()
        an error where nothing is padding [1]: nothing is padding|raises ValueError
            seen = np.where => if real.all():\\n    raise ValueError("nothing is padding")\\nseen = np.where
        bugs 1 and 2 left [2]: generator's logits at tokens that were not masked
            np.where(chosen, original, -100) => np.where(real, original, -100)
            each[real] => each[chosen]
        bugs 1 and 3 left [2]: generator's logits at tokens that were not masked
            np.where(chosen, original, -100) => np.where(real, original, -100)
            discriminate(seen, weights) => discriminate(np.where(chosen, MASK, original), weights)
        bugs 2 and 3 left [2]: taken over every token
            each[real] => each[chosen]
            discriminate(seen, weights) => discriminate(np.where(chosen, MASK, original), weights)
        no weight: the weight of the discriminator's loss is missing
            50 * each => each
        weight of the generator: you multiply the generator's loss by the weight
            generator + 50 * => 50 * generator +
        a GAN: as in a GAN
            generator + 50 => generator - 50
        nothing returned: returns None
            return generator => loss = generator
        """,
    permutation_visible="""
        loops
            B, T = order.shape
            content, query = np.zeros((B, T, T), bool), np.zeros((B, T, T), bool)
            for b in range(B):
                for t in range(T):
                    for s in range(T):
                        if real[b, s]:
                            content[b, t, s] = order[b, s] <= order[b, t]
                            query[b, t, s] = order[b, s] < order[b, t]
            return content, query
        in the order
            B, T = real.shape
            query = np.zeros((B, T, T), dtype=bool)
            for b in range(B):
                before = []
                for t in np.argsort(order[b]):
                    query[b, t, before] = True
                    before.append(t)
            keys = real.reshape(B, 1, T)
            return (query | np.eye(T, dtype=bool)) & keys, query & keys
        a triangle, sorted
            T = order.shape[1]
            left = np.tril(np.ones((T, T), bool))
            content = np.stack([left[np.ix_(places, places)] for places in order]) & real[:, None]
            return content, content & ~np.eye(T, dtype=bool)
        differences
            ahead = np.subtract.outer
            gap = np.array([ahead(row, row) for row in order])
            hide = np.where(np.expand_dims(real, 1), 1, 0)
            return [(gap >= 0) * hide > 0, (gap > 0) * hide > 0]
        torch
            import torch
            def permutation_visible(real, order):
                place, keys = torch.as_tensor(order), torch.as_tensor(real).unsqueeze(1)
                return (place.unsqueeze(1).le(place.unsqueeze(2)) & keys,
                        place.unsqueeze(1).lt(place.unsqueeze(2)) & keys)
        not itself: does not see its own token
            seen <= looks => seen < looks
        a leak: the query stream sees its own token
            seen < looks => seen <= looks
        exchanged: are swapped
            <= looks) & real[:, None, :], (seen < => < looks) & real[:, None, :], (seen <=
        left of the order: both streams see only tokens on the left
            looks, seen = order[:, :, None], order[:, None, :]
            left = np.tril(np.ones((real.shape[1],) * 2, bool))
            return left & (seen <= looks) & real[:, None, :], left & (seen < looks) & real[:, None, :]
        one stream: it should return 2
            , (seen < looks) & real[:, None, :] =>
        numbers: bool
            (seen < looks) & real[:, None, :] => 1.0 * ((seen < looks) & real[:, None, :])
        nothing returned: returns None
            return => streams =
        """,
    stack_layers=r"""
        layer 0 taken for all: KeyError|'layers.1.gate.weight'
            L = len({name.split(".")[1] for name in weights if name.startswith("layers.")})
            rests = [name.split(".", 2)[2] for name in weights if name.startswith("layers.0.")]
            def deeper(arrays):
                copies = {f"layers.{i + L}.{rest}": arrays[f"layers.{i}.{rest}"].copy()
                          for i in range(L) for rest in rests}
                return {**arrays, **copies}
            return deeper(weights), {"step": state["step"], "m": deeper(state["m"]), "v": deeper(state["v"])}
        nothing copied: shares no array with an old one
            array.copy() => array
        replaced wherever it stands: you replace every equal number in a name
            f"layers.{int(number) + L}.{rest}" => name.replace(f"{number}.", f"{int(number) + L}.")
        layer by layer
            L = len({name.split(".")[1] for name in weights if name.startswith("layers.")})
            def deeper(arrays):
                result = dict(arrays)
                for i in range(L):
                    for name in [name for name in arrays if name.startswith(f"layers.{i}.")]:
                        result[f"layers.{i + L}." + name.split(".", 2)[2]] = np.array(arrays[name])
                return result
            return deeper(weights), {"step": state["step"], "m": deeper(state["m"]), "v": deeper(state["v"])}
        a regular expression
            import re
            def stack_layers(weights, state):
                pattern = re.compile(r"^layers\.(\d+)\.")
                numbers = [int(m.group(1)) for m in map(pattern.match, weights) if m]
                L = max(numbers) + 1
                def up(name):
                    return pattern.sub(lambda m: f"layers.{int(m.group(1)) + L}.", name, count=1)
                def deeper(arrays):
                    own = [name for name in arrays if pattern.match(name)]
                    return {**arrays, **{up(name): np.array(arrays[name]) for name in own}}
                return deeper(weights), {k: deeper(x) if isinstance(x, dict) else x for k, x in state.items()}
        deep copies
            import copy
            def stack_layers(weights, state):
                weights, state = copy.deepcopy((weights, state))
                L = 0
                while any(name.startswith(f"layers.{L}.") for name in weights):
                    L += 1
                for arrays in (weights, state["m"], state["v"]):
                    for i in range(L):
                        start = f"layers.{i}."
                        for name in [name for name in arrays if name.startswith(start)]:
                            new = f"layers.{L + i}." + name[len(start):]
                            arrays[new] = copy.deepcopy(arrays[name])
                return [weights, state]
        torch
            import torch
            def stack_layers(weights, state):
                L = 1 + max(int(name.split(".")[1]) for name in weights if name.startswith("layers."))
                def deeper(arrays):
                    result = {name: torch.tensor(array) for name, array in arrays.items()}
                    for name in list(result):
                        if name.startswith("layers."):
                            number = name.split(".")[1]
                            rest = name[len("layers.") + len(number):]
                            result[f"layers.{int(number) + L}{rest}"] = result[name].clone()
                    return result
                return deeper(weights), {"step": state["step"], "m": deeper(state["m"]),
                                         "v": deeper(state["v"])}
        reversed: in reverse order
            L = len({name.split(".")[1] for name in weights if name.startswith("layers.")})
            def deeper(arrays):
                result = dict(arrays)
                rests = [name.split(".", 2)[2] for name in arrays if name.startswith("layers.0.")]
                for i in range(L, 2 * L):
                    for rest in rests:
                        result[f"layers.{i}.{rest}"] = arrays[f"layers.{2 * L - 1 - i}.{rest}"]
                return result
            return deeper(weights), {"step": state["step"], "m": deeper(state["m"]), "v": deeper(state["v"])}
        the top layer: copies of the top layer
            L = len({name.split(".")[1] for name in weights if name.startswith("layers.")})
            def deeper(arrays):
                result = dict(arrays)
                rests = [name.split(".", 2)[2] for name in arrays if name.startswith("layers.0.")]
                for i in range(L, 2 * L):
                    for rest in rests:
                        result[f"layers.{i}.{rest}"] = arrays[f"layers.{L - 1}.{rest}"]
                return result
            return deeper(weights), {"step": state["step"], "m": deeper(state["m"]), "v": deeper(state["v"])}
        the lowest layer: copies of the lowest layer
            L = len({name.split(".")[1] for name in weights if name.startswith("layers.")})
            def deeper(arrays):
                result = dict(arrays)
                rests = [name.split(".", 2)[2] for name in arrays if name.startswith("layers.0.")]
                for i in range(L, 2 * L):
                    for rest in rests:
                        result[f"layers.{i}.{rest}"] = arrays[f"layers.{0}.{rest}"]
                return result
            return deeper(weights), {"step": state["step"], "m": deeper(state["m"]), "v": deeper(state["v"])}
        layers anywhere: that contain `layers.` anywhere
            L = 1 + max(int(name.split(".")[1]) for name in weights if name.startswith("layers."))
            def deeper(arrays):
                result = dict(arrays)
                for name, array in arrays.items():
                    parts = name.split(".")
                    if "layers" in parts:
                        at = parts.index("layers") + 1
                        parts[at] = str(int(parts[at]) + L)
                        result[".".join(parts)] = array
                return result
            return deeper(weights), {"step": state["step"], "m": deeper(state["m"]), "v": deeper(state["v"])}
        weights alone: it should return 2 values
            L = 1 + max(int(name.split(".")[1]) for name in weights if name.startswith("layers."))
            def deeper(arrays):
                result = dict(arrays)
                for name, array in arrays.items():
                    if name.startswith("layers."):
                        _, number, rest = name.split(".", 2)
                        result[f"layers.{int(number) + L}.{rest}"] = array.copy()
                return result
            return deeper(weights)
        in place: changes its inputs
            result = dict(arrays) => result = arrays
            in arrays.items() => in list(arrays.items())
        two at once: two mistakes at once
            L = len({name.split(".")[1] for name in weights if name.startswith("layers.")})
            def deeper(arrays):
                result = dict(arrays)
                rests = [name.split(".", 2)[2] for name in arrays if name.startswith("layers.0.")]
                for i in range(L, L + 1):
                    for rest in rests:
                        result[f"layers.{i}.{rest}"] = arrays[f"layers.{i - L}.{rest}"]
                return result
            return deeper(weights), {"step": 0, "m": deeper(state["m"]), "v": deeper(state["v"])}
        nothing returned: returns None
            return deeper(weights) => both = deeper(weights)
        names of another form: Missing: 'layers.2.attention.0.weight'
            f"layers.{int(number) => f"layer.{int(number)
        changed copies: state = {'step'|four identical layers
            array.copy() => array / 2 + 1
        """,
    span_boundary_inputs="""
        ends at a sequence without a mask: shape
            rows = [] => rows, first = [], np.append(np.flatnonzero(~chosen.any(axis=1)), len(chosen))[0]
            np.argwhere(chosen) => np.argwhere(chosen[:first])
        span by span
            rows = []
            for states, row in zip(hidden, chosen):
                t = 0
                while t < len(row):
                    if not row[t]:
                        t += 1
                        continue
                    start = t
                    while row[t]:
                        t += 1
                    for place in range(1, t - start + 1):
                        rows.append([*states[start - 1], *states[t], *place_embeddings[place]])
            return np.array(rows)
        edges by differences
            change = np.diff(chosen.astype(int), axis=1)
            begins, ends = np.argwhere(change == 1), np.argwhere(change == -1)
            out = []
            for (b, left), (_, last) in zip(begins, ends):
                n = last - left
                around = np.concatenate([hidden[b, left], hidden[b, last + 1]])
                places = place_embeddings[1:n + 1]
                out.append(np.concatenate([np.tile(around, (n, 1)), places], axis=1))
            return np.concatenate(out)
        torch
            import torch
            def span_boundary_inputs(hidden, chosen, place_embeddings):
                h, table = torch.tensor(hidden), torch.tensor(place_embeddings)
                rows = []
                for b, t in torch.tensor(chosen).nonzero().tolist():
                    free = [s for s in range(h.shape[1]) if not chosen[b, s]]
                    left = max(s for s in free if s < t)
                    right = min(s for s in free if s > t)
                    rows.append(torch.cat([h[b, left], h[b, right], table[t - left]]))
                return torch.stack(rows)
        places from 0: count places from 0
            [t - left] => [t - left - 1]
        neighbours: neighbours of each token
            hidden[b, left], hidden[b, right] => hidden[b, t - 1], hidden[b, t + 1]
        inside: first and the last token of the span, which
            hidden[b, left], hidden[b, right] => hidden[b, left + 1], hidden[b, right - 1]
        left inside: on the left you read
            hidden[b, left] => hidden[b, left + 1]
        one span a sequence: as one span
            rows = []
            for states, row in zip(hidden, chosen):
                masked = np.nonzero(row)[0]
                for t in masked:
                    left, right = masked[0] - 1, masked[-1] + 1
                    rows.append([*states[left], *states[right], *place_embeddings[t - left]])
            return np.array(rows)
        a list
            np.array(rows) => rows
        nothing returned: returns None
            return np.array(rows) => np.array(rows)
        """,
    test_infill=r"""
        against a definition
            def definition(ids, spans, mask_id):
                result, end = [], 0
                for start, length in spans:
                    result += ids[end:start] + [mask_id]
                    end = start + length
                return result + ids[end:]
            @by_name
            def test_infill(infill):
                rng = np.random.default_rng(0)
                for _ in range(200):
                    ids = [int(i) for i in rng.integers(10, 99, size=12)]
                    cuts = np.sort(rng.integers(0, 13, size=6)).reshape(3, 2).tolist()
                    spans = [(a, b - a) for a, b in cuts]
                    given = list(ids)
                    assert infill(given, spans, 7) == definition(ids, spans, 7), spans
                    assert given == ids
        by laws
            ids = list(range(20, 40))
            spans = [(0, 3), (5, 0), (7, 2), (9, 4), (20, 0)]
            before = ids[:]
            out = infill(ids, spans, 1)
            covered = [i for start, n in spans for i in range(start, start + n)]
            assert [i for i in out if i != 1] == [i for k, i in enumerate(before) if k not in covered]
            assert out.count(1) == 5, "one [MASK] for each span"
            assert len(out) == 20 - 9 + 5
            assert out[:2] == [1, 23] and out[-1] == 1
            assert infill(ids, [(1, 2)], 1)[:3] == [20, 1, 23] and infill(ids, [], 1) == ids
            assert [k for k, i in enumerate(out) if i == 1] == [0, 3, 6, 7, 15]
            assert ids == before, "ids has changed"
        unittest
            import unittest
            @by_name
            def test_infill(infill):
                case = unittest.TestCase()
                for ids, spans, expected in (
                        ([5, 6, 7, 8], [(0, 1), (1, 2)], [3, 3, 8]),
                        ([5, 6, 7, 8], [(0, 0), (2, 0), (3, 1)], [3, 5, 6, 3, 7, 3]),
                        ([5, 6, 7, 8], [(1, 1), (3, 1)], [5, 3, 7, 3]),
                        ([5, 6, 7, 8], [(4, 0)], [5, 6, 7, 8, 3]),
                        ([5], [(0, 1)], [3])):
                    given = ids.copy()
                    case.assertEqual(infill(given, spans, 3), expected)
                    case.assertListEqual(given, ids)
        NumPy compares
            text = [10, 20, 30, 40, 50, 60, 70]
            spans = ((0, 1), (2, 0), (3, 2), (5, 1), (7, 0))
            np.testing.assert_array_equal(infill(text, spans, 99), [99, 20, 99, 30, 99, 99, 70, 99])
            np.testing.assert_array_equal(infill(text, [(1, 4)], 99), [10, 99, 60, 70])
            np.testing.assert_array_equal(text, [10, 20, 30, 40, 50, 60, 70])
        one span: does not catch the one
            assert infill([11, 12, 13], [(1, 2)], 9) == [11, 9]
        the statement's examples: does not catch the one
            assert infill([11, 12, 13, 14], [(3, 0)], 9) == [11, 12, 13, 9, 14]
            assert infill([11, 12, 13], [(1, 2)], 9) == [11, 9]
        no length 0: ignores spans of length 0|replace a token
            ids = [11, 12, 13, 14, 15, 16]
            assert infill(ids, [(0, 2), (2, 1), (4, 1)], 9) == [9, 9, 14, 9, 16]
            assert ids == [11, 12, 13, 14, 15, 16]
        nothing behind the last span: loses the text after the last span
            text = [10, 20, 30, 40, 50, 60, 70]
            spans = [(0, 1), (2, 0), (3, 2), (5, 1), (7, 0)]
            assert infill(text, spans, 99) == [99, 20, 99, 30, 99, 99, 70, 99]
            assert text == [10, 20, 30, 40, 50, 60, 70]
        lengths alone: does not catch the one
            assert len(infill([11, 12, 13, 14], [(0, 2), (3, 0)], 9)) == 4
            assert len(infill([11, 12, 13, 14], [(1, 3)], 9)) == 2
        number of masks: does not catch the one
            assert infill([11, 12, 13, 14], [(0, 2), (3, 0)], 9).count(9) == 2
        not touching [hidden]: two spans that touch
            ids = [11, 12, 13, 14, 15, 16]
            assert infill(ids, [(0, 2), (3, 1), (5, 0)], 9) == [9, 13, 9, 15, 9, 16]
            assert infill(ids, [], 9) == ids == [11, 12, 13, 14, 15, 16]
        the input is not looked at [hidden]: changes its input in place
            assert infill([11, 12, 13, 14, 15], [(0, 2), (2, 1), (4, 0)], 9) == [9, 9, 14, 9, 15]
            assert infill([11, 12, 13, 14, 15, 16], [(1, 3), (5, 1), (6, 0)], 9) == [11, 9, 15, 9, 9]
        [MASK] is 9 [hidden]: writes the id 9
            7) == [7, 7, 14, 7 => 9) == [9, 9, 14, 9
        lengths and masks: all [MASK]s at the end|does not catch the one
            ids = [11, 12, 13, 14, 15, 16]
            for spans in ([(0, 2), (2, 1), (4, 0)], [(1, 3), (5, 1), (6, 0)], []):
                out = infill(ids, spans, 7)
                assert len(out) == 6 + len(spans) - sum(length for _, length in spans)
                assert out.count(7) == len(spans) and ids == [11, 12, 13, 14, 15, 16]
        length 0 in the middle only [hidden]: at the end of the text
            (5, 1), (6, 0)], 9) == [11, 9, 15, 9, 9] => (4, 0), (5, 1)], 9) == [11, 9, 9, 15, 9]
        masks for tokens: rejects a correct version
            assert infill([11, 12, 13, 14], [(1, 2)], 9) == [11, 9, 9, 14]
        nothing for 0: rejects a correct version
            assert infill([11, 12, 13, 14], [(0, 2), (3, 0)], 9) == [9, 13, 14]
        an order that the text rules out: rejects a correct version
            [(1, 3), (5, 1), (6, 0)], 9) == [11, 9, 15, 9, 9] => [(5, 1), (1, 3)], 9) == [11, 9, 15, 9]
        a tuple: parentheses around both the condition and the message
            ids = [11, 12, 13, 14, 15, 16]
            assert (infill(ids, [(0, 2)], 9) == [9, 13], 'start')
        returns: your test returns a value
            return infill([11, 12, 13], [(1, 2)], 9) == [11, 9]
        prints: contains no `assert`
            print(infill([11, 12, 13], [(1, 2)], 9) == [11, 9])
        without by_name: cannot be run
            @by_name\ndef => def
        """,
)
