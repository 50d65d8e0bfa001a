"""Answers to the assignment of unit 09. They use what its notebook offers: np, mlm_loss, softmax, run,
read.
"""

from . import banks

BANK = banks(
    __name__,
    causal_visible="""
        loops
            B, T = real.shape
            visible = np.zeros((B, T, T), dtype=bool)
            for b in range(B):
                for t in range(T):
                    for s in range(t + 1):
                        visible[b, t, s] = real[b, s]
            return visible
        compared places
            place = np.arange(real.shape[1])
            return (place[None, :] <= place[:, None])[None] & np.expand_dims(real, 1)
        einsum
            tril(np.ones((T, T), bool)) & real[:, None, :] => einsum('ts,bs->bts', np.tri(T), real) > 0
        torch
            import torch
            keys = torch.as_tensor(real)[:, None, :]
            return torch.ones(real.shape[1], real.shape[1], dtype=torch.bool).tril() & keys
        upper triangle: on its right in your answer
            np.tril => np.triu
        not itself: does not see itself
            bool)) => bool), -1)
        one too far: one position too far
            bool)) => bool), 1)
        padding seen: padding is visible
            real[:, None, :] => np.ones_like(real)[:, None, :]
        queries: you use `real` for the queries
            real[:, None, :] => real[:, :, None]
        one triangle for all: the shape is
            bool)) & real[:, None, :] => bool))
        numbers: bool
            T = real.shape[1]
            return 1.0 * (np.tril(np.ones((T, T), bool)) & real[:, None, :])
        nothing returned: returns None
            return => visible =
        """,
    bilm_loss="""
        logits cut
            tokens = np.where(counted, ids, -100)
            return (0.5 * mlm_loss(forward[:, :-1], tokens[:, 1:])
                    + 0.5 * mlm_loss(backward[:, 1:], tokens[:, :-1]))
        rolled and repaired
            after[:, :-1] = tokens[:, 1:] => after = np.roll(tokens, -1, 1); after[:, -1] = -100
            before[:, 1:] = tokens[:, :-1] => before = np.roll(tokens, 1, 1); before[:, 0] = -100
        loops
            sums, numbers = [0.0, 0.0], [0, 0]
            B, T = ids.shape
            for b in range(B):
                for t in range(T):
                    if counted[b, t]:
                        for way, (logits, place) in enumerate([(forward, t - 1), (backward, t + 1)]):
                            if 0 <= place < T:
                                x = logits[b, place] - logits[b, place].max()
                                sums[way] -= x[ids[b, t]] - np.log(np.exp(x).sum())
                                numbers[way] += 1
            return (sums[0] / numbers[0] + sums[1] / numbers[1]) / 2
        float32
            tokens = np.where(counted, ids, -100)
            after, before = np.full(ids.shape, -100), np.full(ids.shape, -100)
            after[:, :-1] = tokens[:, 1:]
            before[:, 1:] = tokens[:, :-1]
            return np.float32((mlm_loss(forward, after) + mlm_loss(backward, before)) / 2)
        PyTorch
            import torch
            from torch.nn.functional import cross_entropy
            def bilm_loss(forward, backward, ids, counted):
                labels = torch.where(torch.tensor(counted), torch.tensor(ids), -100)
                def one(logits, labels):
                    return cross_entropy(torch.tensor(logits).flatten(0, 1), labels.flatten())
                none = torch.full((len(ids), 1), -100)
                return (one(forward, torch.cat([labels[:, 1:], none], 1))
                        + one(backward, torch.cat([none, labels[:, :-1]], 1))) / 2
        forward at its place: your forward logits predict the token that they have just read
            after[:, :-1] = tokens[:, 1:] => after = tokens
        both at their place: both directions
            after[:, :-1] = tokens[:, 1:] => after = tokens
            before[:, 1:] = tokens[:, :-1] => before = tokens
        rows cut off: leave out whole sequences
            , after) + mlm_loss(backward, before => [:-1], tokens[1:]) + mlm_loss(backward[1:], tokens[:-1]
        counted places: Shift it together
            after, before = np.full(ids.shape, -100), np.full(ids.shape, -100)
            after[:, :-1], before[:, 1:] = ids[:, 1:], ids[:, :-1]
            after, before = np.where(counted, after, -100), np.where(counted, before, -100)
            return (mlm_loss(forward, after) + mlm_loss(backward, before)) / 2
        a ring: labels wrap around
            after[:, :-1] = tokens[:, 1:] => after = np.roll(tokens, -1, 1)
            before[:, 1:] = tokens[:, :-1] => before = np.roll(tokens, 1, 1)
        two at once: two mistakes at once
            before)) / 2 => before))
            np.where(counted, ids, -100) => ids
        nothing returned: returns None
            return => loss =
        row by row: mean for each sequence
            tokens = np.where(counted, ids, -100)
            rows = []
            for f, b, row in zip(forward, backward, tokens):
                ways = [(f[:-1], row[1:]), (b[1:], row[:-1])]
                rows += [np.mean([mlm_loss(x, y) for x, y in ways if (y != -100).any()] or [0.0])]
            return np.mean(rows)
        two places: by two positions
            after[:, :-1] = tokens[:, 1:] => after[:, :-2] = tokens[:, 2:]
            before[:, 1:] = tokens[:, :-1] => before[:, 2:] = tokens[:, :-2]
        exp first: overflow
            def mean(logits, tokens, keep):
                e = np.exp(logits)
                p = np.take_along_axis(e / e.sum(-1, keepdims=True), tokens[..., None], -1)[..., 0]
                return -np.log(p[keep]).mean()
            return (mean(forward[:, :-1], ids[:, 1:], counted[:, 1:])
                    + mean(backward[:, 1:], ids[:, :-1], counted[:, :-1])) / 2
        a pair: one number
            ) + mlm_loss(backward, before)) / 2 => ), mlm_loss(backward, before))
        """,
    scalar_mix="""
        stacked
            return gamma * (softmax(weights)[:, None, None, None] * np.stack(layers)).sum(axis=0)
        einsum
            return np.einsum("l,lbtd->btd", gamma * softmax(weights), np.array(layers))
        loop
            e = np.exp(weights - np.max(weights))
            mixed = np.zeros(layers[0].shape)
            for j, layer in enumerate(layers):
                mixed += e[j] / e.sum() * layer
            return gamma * mixed
        torch
            import torch
            shares = torch.as_tensor(weights, dtype=torch.float64).softmax(0)
            return gamma * sum(s * torch.as_tensor(layer, dtype=torch.float64)
                               for s, layer in zip(shares, layers))
        tensordot in float32
            return (gamma * np.tensordot(softmax(weights), np.stack(layers), 1)).astype(np.float32)
        top only: top layer
            return gamma * layers[-1]
        the heaviest: largest weight
            return gamma * layers[np.argmax(weights)]
        two at once: two mistakes
            gamma * sum => sum
            softmax(weights) => weights
        nothing returned: returns None
            return => mixed =
        the list of layers: it should be (|shape of the result is wrong
            shares = softmax(weights)
            return [gamma * share * layer for share, layer in zip(shares, layers)]
        """,
    leakage="""
        sums compared: values differ|differ from the reference
            (run(model, other)[t] != before[t]).any() => run(model, other)[t].sum() != before[t].sum()
        not close
            (run(model, other)[t] != before[t]).any() => not np.allclose(run(model, other)[t], before[t])
        one token less
            (other[target[t]] + 1) % vocab_size => (other[target[t]] - 1) % vocab_size
        another token by a question
            (other[target[t]] + 1) % vocab_size => 1 if ids[target[t]] == 0 else 0
        a list
            def seen(t, s):
                other = [token if i != s else (token + vocab_size // 2) % vocab_size
                         for i, token in enumerate(ids)]
                return bool(np.abs(run(model, np.array(other))[t] - run(model, ids)[t]).max() > 1e-12)
            return np.array([s >= 0 and seen(t, s) for t, s in enumerate(target)])
        place by place
            moved = np.zeros((len(ids), len(ids)), dtype=bool)
            for s in range(len(ids)):
                other = np.where(np.arange(len(ids)) == s, (ids + 1) % vocab_size, ids)
                moved[:, s] = np.any(run(model, other) != run(model, ids), axis=1)
            return moved[np.arange(len(ids)), target] & (target != -1)
        a token drawn among the others
            before = run(model, ids)
            leaks = np.zeros(len(ids), bool)
            for t in range(len(ids)):
                if target[t] >= 0:
                    other = ids.copy()
                    other[target[t]] = np.random.default_rng(0).choice([w for w in range(vocab_size)
                                                                        if w != ids[target[t]]])
                    leaks[t] = (run(model, other)[t] != before[t]).any()
            return leaks
        the changed one's output: at the position that you change
            (run(model, other)[t] != before[t]).any() => (run(model, other) != before).any(-1)[target[t]]
        own token: you change the token at t.
            other[target[t]] = (other[target[t]] + 1) => other[t] = (other[t] + 1)
        the other way round: you swapped the two positions
            other[target[t]] = (other[target[t]] + 1) => other[t] = (other[t] + 1)
            (run(model, other)[t] != before[t]).any() => (run(model, other) != before).any(-1)[target[t]]
        always the next: next token
            other = ids.copy() => other, s = ids.copy(), min(t + 1, len(ids) - 1)
            other[target[t]] = (other[target[t]] + 1) => other[s] = (other[s] + 1)
        minus one: It means that nothing
            if target[t] >= 0 => if True
        all at once: you change all tokens together
            return (run(model, ids) != run(model, (ids + 1) % vocab_size)).any(-1) & (target >= 0)
        in place: changes its inputs
            ids.copy() => ids
        nothing returned: returns None
            return leaks => leaks
        """,
    two_readers=r"""
        one reader after the other
            def through(x, real, way):
                for layer in weights:
                    x = read(x, real, layer[way])
                return x
            return through(x, real, "forward"), through(x[::-1], real[::-1], "backward")[::-1]
        np.flip
            forward = backward = x
            for layer in weights:
                forward = read(forward, real, layer["forward"])
                backward = np.flip(read(np.flip(backward, 0), np.flip(real), layer["backward"]), axis=0)
            return forward, backward
        without read
            T, D = x.shape
            results = []
            for way, order in (("forward", range(T)), ("backward", range(T - 1, -1, -1))):
                states = x
                for layer in weights:
                    state, before, states = np.zeros(D), states, np.zeros((T, D))
                    for t in order:
                        if real[t]:
                            state = np.tanh(layer[way]["in"].T @ before[t] + layer[way]["state"].T @ state)
                        states[t] = state
                results.append(states)
            return tuple(results)
        float32
            return forward, backward => return forward.astype(np.float32), backward.astype(np.float32)
        recursive
            def two_readers(x, real, weights, back=None):
                back = x if back is None else back
                if not weights:
                    return x, back
                first, *more = weights
                x = read(x, real, first["forward"])
                turned = read(back[::-1], real[::-1], first["backward"])
                return two_readers(x, real, more, turned[::-1])
        a list
            return forward, backward => return [forward, backward]
        PyTorch
            import torch
            def two_readers(x, real, weights):
                forward = backward = np.array(x)
                for layer in weights:
                    forward = read(forward, real, layer["forward"])
                    backward = np.flipud(read(np.flipud(backward), np.flip(real), layer["backward"]))
                return torch.tensor(forward), torch.tensor(backward.copy())
        as it was: does not depend on later tokens
            for layer in weights:
                forward = read(x, real, layer["forward"])
                backward = read(x[::-1], real, layer["backward"])
                x = (forward + backward) / 2
            return forward, backward
        bug 1 left [1]: does not depend on later tokens
            for layer in weights:
                forward = read(x, real, layer["forward"])
                backward = read(x[::-1], real[::-1], layer["backward"])[::-1]
                x = (forward + backward) / 2
            return forward, backward
        bug 2 left [1]: does not depend on earlier tokens
            )[::-1] => )
        bug 3 left [1]: the values at padding positions change nothing
            real[::-1] => real
        bugs 1 and 2 left [2]: does not depend on later tokens
            for layer in weights:
                forward = read(x, real, layer["forward"])
                backward = read(x[::-1], real[::-1], layer["backward"])
                x = (forward + backward) / 2
            return forward, backward
        bugs 1 and 3 left [2]: does not depend on later tokens
            for layer in weights:
                forward = read(x, real, layer["forward"])
                backward = read(x[::-1], real, layer["backward"])[::-1]
                x = (forward + backward) / 2
            return forward, backward
        bugs 2 and 3 left [2]: does not depend on earlier tokens
            [::-1], layer["backward"])[::-1] => , layer["backward"])
        one layer: there is another mistake
            in weights: => in weights[:1]:
        each layer reads x: there is another mistake
            read(forward, => read(x,
            read(backward[ => read(x[
        exchanged: the last forward state depends on every token; with one
            return forward, backward => return backward, forward
        forward weights for both: there is another mistake
            layer["backward"] => layer["forward"]
        real forgotten: with one layer, the forward states are the results of
            real[::-1] => real | True
            forward, real => forward, real | True
        tokens not turned: with one layer, the backward reader uses its own weights
            backward[::-1], real[::-1] => backward, real
        nothing returned: returns None
            return forward => seen = forward
        layers from the top: is wrong
            in weights: => in weights[::-1]:
        padding cut off: it should be|is wrong
            forward = backward = x => x, real = x[real], real[real]\nforward = backward = x
        side by side: it should return
            return forward, backward => return np.concatenate([forward, backward], -1)
        the numbers turned: with one layer, the backward reader uses its own weights and reads the whole
            backward"])[: => backward"])[:, :
        forward turned: the last forward state depends on every token
            return forward, backward => return forward[::-1], backward
        """,
)
