"""Answers to the assignment of unit 09. They use what its notebook offers: np, mlm_loss, softmax, run,
read.
"""

from . import Bank, changed

VISIBLE = """
def causal_visible(real):
    T = real.shape[1]
    return np.tril(np.ones((T, T), bool)) & real[:, None, :]
"""
TRIANGLE = "np.tril(np.ones((T, T), bool))"

LOSS = """
def bilm_loss(forward, backward, ids, counted):
    tokens = np.where(counted, ids, -100)
    after, before = np.full(ids.shape, -100), np.full(ids.shape, -100)
    after[:, :-1] = tokens[:, 1:]
    before[:, 1:] = tokens[:, :-1]
    return (mlm_loss(forward, after) + mlm_loss(backward, before)) / 2
"""
AFTER, BEFORE = "after[:, :-1] = tokens[:, 1:]", "before[:, 1:] = tokens[:, :-1]"
COMBINED = "(mlm_loss(forward, after) + mlm_loss(backward, before)) / 2"

MIX = """
def scalar_mix(layers, weights, gamma):
    shares = softmax(weights)
    return gamma * sum(share * layer for share, layer in zip(shares, layers))
"""

LEAKS = """
def leakage(model, ids, target, vocab_size):
    before = run(model, ids)
    leaks = np.zeros(len(ids), bool)
    for t in range(len(ids)):
        if target[t] >= 0:
            other = ids.copy()
            other[target[t]] = (other[target[t]] + 1) % vocab_size
            leaks[t] = (run(model, other)[t] != before[t]).any()
    return leaks
"""
NEW, COMPARED = "(other[target[t]] + 1) % vocab_size", "(run(model, other)[t] != before[t]).any()"

READERS = """
def two_readers(x, real, weights):
    forward = backward = x
    for layer in weights:
        forward = read(forward, real, layer["forward"])
        backward = read(backward[::-1], real[::-1], layer["backward"])[::-1]
    return forward, backward
"""
BOTH = """
def two_readers(x, real, weights):
    for layer in weights:
        forward = read(x, real, layer["forward"])
        backward = read(x[::-1], real[::-1], layer["backward"])[::-1]
        x = (forward + backward) / 2
    return forward, backward
"""
AS_READ, UNTURNED = (")[::-1]\n", ")\n"), ("real[::-1]", "real")
FEEDS, ORDER = "does not depend on later tokens", "does not depend on earlier tokens"
PADDING, OTHER = "the values at padding positions change nothing", "something else has changed"

BANK = {
    "causal_visible": Bank(
        right={
            "the solution": VISIBLE,
            "loops": """
                def causal_visible(real):
                    B, T = real.shape
                    visible = np.zeros((B, T, T), dtype=bool)
                    for b in range(B):
                        for t in range(T):
                            for s in range(t + 1):
                                visible[b, t, s] = real[b, s]
                    return visible
                """,
            "compared places": """
                def causal_visible(real):
                    place = np.arange(real.shape[1])
                    return (place[None, :] <= place[:, None])[None] & np.expand_dims(real, 1)
                """,
            "einsum": changed(
                VISIBLE,
                (
                    "return " + TRIANGLE + " & real[:, None, :]",
                    "return np.einsum('ts,bs->bts', np.tri(T), real) > 0",
                ),
            ),
            "torch": """
                def causal_visible(real):
                    import torch
                    keys = torch.as_tensor(real)[:, None, :]
                    return torch.ones(real.shape[1], real.shape[1], dtype=torch.bool).tril() & keys
                """,
        },
        wrong={
            "upper triangle": (changed(VISIBLE, ("np.tril", "np.triu")), "on its right in your answer"),
            "not itself": (changed(VISIBLE, ("bool))", "bool), -1)")), "does not see itself"),
            "one too far": (changed(VISIBLE, ("bool))", "bool), 1)")), "one position too far"),
            "padding seen": (
                changed(VISIBLE, ("real[:, None, :]", "np.ones_like(real)[:, None, :]")),
                "padding is visible",
            ),
            "queries": (
                changed(VISIBLE, ("real[:, None, :]", "real[:, :, None]")),
                "you use `real` for the queries",
            ),
            "one triangle for all": (changed(VISIBLE, (" & real[:, None, :]", "")), "the shape is"),
            "numbers": (
                changed(
                    VISIBLE,
                    (
                        "return " + TRIANGLE + " & real[:, None, :]",
                        "return 1.0 * (" + TRIANGLE + " & real[:, None, :])",
                    ),
                ),
                "bool",
            ),
            "nothing returned": (changed(VISIBLE, ("return", "visible =")), "returns None"),
        },
    ),
    "bilm_loss": Bank(
        right={
            "the solution": LOSS,
            "logits cut": """
                def bilm_loss(forward, backward, ids, counted):
                    tokens = np.where(counted, ids, -100)
                    return (0.5 * mlm_loss(forward[:, :-1], tokens[:, 1:])
                            + 0.5 * mlm_loss(backward[:, 1:], tokens[:, :-1]))
                """,
            "rolled and repaired": changed(
                LOSS,
                (AFTER, "after = np.roll(tokens, -1, 1); after[:, -1] = -100"),
                (BEFORE, "before = np.roll(tokens, 1, 1); before[:, 0] = -100"),
            ),
            "loops": """
                def bilm_loss(forward, backward, ids, counted):
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
                """,
            "float32": changed(LOSS, (f"return {COMBINED}", f"return np.float32({COMBINED})")),
            "PyTorch": """
                import torch
                from torch.nn.functional import cross_entropy
                def bilm_loss(forward, backward, ids, counted):
                    labels = torch.where(torch.tensor(counted), torch.tensor(ids), -100)
                    def one(logits, labels):
                        return cross_entropy(torch.tensor(logits).flatten(0, 1), labels.flatten())
                    none = torch.full((len(ids), 1), -100)
                    return (one(forward, torch.cat([labels[:, 1:], none], 1))
                            + one(backward, torch.cat([none, labels[:, :-1]], 1))) / 2
                """,
        },
        wrong={
            "forward at its place": (
                changed(LOSS, (AFTER, "after = tokens")),
                "your forward logits predict the token at",
            ),
            "both at their place": (
                changed(LOSS, (AFTER, "after = tokens"), (BEFORE, "before = tokens")),
                "both directions",
            ),
            "rows cut off": (
                changed(
                    LOSS,
                    ("forward, after", "forward[:-1], tokens[1:]"),
                    ("backward, before", "backward[1:], tokens[:-1]"),
                ),
                "leave out whole sequences",
            ),
            "counted places": (
                """
                def bilm_loss(forward, backward, ids, counted):
                    after, before = np.full(ids.shape, -100), np.full(ids.shape, -100)
                    after[:, :-1], before[:, 1:] = ids[:, 1:], ids[:, :-1]
                    after, before = np.where(counted, after, -100), np.where(counted, before, -100)
                    return (mlm_loss(forward, after) + mlm_loss(backward, before)) / 2
                """,
                "Shift it together",
            ),
            "a ring": (
                changed(
                    LOSS,
                    (AFTER, "after = np.roll(tokens, -1, 1)"),
                    (BEFORE, "before = np.roll(tokens, 1, 1)"),
                ),
                "labels wrap around",
            ),
            "two at once": (
                changed(LOSS, (" / 2", ""), ("np.where(counted, ids, -100)", "ids")),
                "two mistakes at once",
            ),
            "nothing returned": (changed(LOSS, ("return", "loss =")), "returns None"),
            "row by row": (
                """
                def bilm_loss(forward, backward, ids, counted):
                    tokens = np.where(counted, ids, -100)
                    rows = []
                    for f, b, row in zip(forward, backward, tokens):
                        ways = [(f[:-1], row[1:]), (b[1:], row[:-1])]
                        rows += [np.mean([mlm_loss(x, y) for x, y in ways if (y != -100).any()] or [0.0])]
                    return np.mean(rows)
                """,
                "mean for each sequence",
            ),
            "two places": (
                changed(
                    LOSS, (AFTER, "after[:, :-2] = tokens[:, 2:]"), (BEFORE, "before[:, 2:] = tokens[:, :-2]")
                ),
                "by two positions",
            ),
            "exp first": (
                """
                def bilm_loss(forward, backward, ids, counted):
                    def mean(logits, tokens, keep):
                        e = np.exp(logits)
                        p = np.take_along_axis(e / e.sum(-1, keepdims=True), tokens[..., None], -1)[..., 0]
                        return -np.log(p[keep]).mean()
                    return (mean(forward[:, :-1], ids[:, 1:], counted[:, 1:])
                            + mean(backward[:, 1:], ids[:, :-1], counted[:, :-1])) / 2
                """,
                "overflow",
            ),
            "a pair": (
                changed(LOSS, (COMBINED, "mlm_loss(forward, after), mlm_loss(backward, before)")),
                "one number",
            ),
        },
    ),
    "scalar_mix": Bank(
        right={
            "the solution": MIX,
            "stacked": """
                def scalar_mix(layers, weights, gamma):
                    return gamma * (softmax(weights)[:, None, None, None] * np.stack(layers)).sum(axis=0)
                """,
            "einsum": """
                def scalar_mix(layers, weights, gamma):
                    return np.einsum("l,lbtd->btd", gamma * softmax(weights), np.array(layers))
                """,
            "loop": """
                def scalar_mix(layers, weights, gamma):
                    e = np.exp(weights - np.max(weights))
                    mixed = np.zeros(layers[0].shape)
                    for j, layer in enumerate(layers):
                        mixed += e[j] / e.sum() * layer
                    return gamma * mixed
                """,
            "torch": """
                def scalar_mix(layers, weights, gamma):
                    import torch
                    shares = torch.as_tensor(weights, dtype=torch.float64).softmax(0)
                    return gamma * sum(s * torch.as_tensor(layer, dtype=torch.float64)
                                       for s, layer in zip(shares, layers))
                """,
            "tensordot in float32": """
                def scalar_mix(layers, weights, gamma):
                    return (gamma * np.tensordot(softmax(weights), np.stack(layers), 1)).astype(np.float32)
                """,
        },
        wrong={
            "gamma inside": (
                changed(
                    MIX, ("softmax(weights)", "softmax(gamma * weights)"), ("return gamma * ", "return ")
                ),
                "inside the softmax",
            ),
            "top only": (
                "def scalar_mix(layers, weights, gamma):\n    return gamma * layers[-1]",
                "top layer",
            ),
            "the heaviest": (
                "def scalar_mix(layers, weights, gamma):\n    return gamma * layers[np.argmax(weights)]",
                "largest weight",
            ),
            "two at once": (changed(MIX, ("gamma * ", ""), ("softmax(weights)", "weights")), "two mistakes"),
            "nothing returned": (changed(MIX, ("return", "mixed =")), "returns None"),
            "without the embeddings": (
                changed(
                    MIX,
                    ("softmax(weights)", "softmax(weights[1:])"),
                    ("zip(shares, layers)", "zip(shares, layers[1:])"),
                ),
                "you leave out the embeddings",
            ),
            "the list of layers": (
                changed(
                    MIX,
                    (
                        "gamma * sum(share * layer for share, layer in zip(shares, layers))",
                        "[gamma * share * layer for share, layer in zip(shares, layers)]",
                    ),
                ),
                "it should return",
            ),
        },
    ),
    "leakage": Bank(
        right={
            "the solution": LEAKS,
            "not close": changed(LEAKS, (COMPARED, "not np.allclose(run(model, other)[t], before[t])")),
            "one token less": changed(LEAKS, (NEW, "(other[target[t]] - 1) % vocab_size")),
            "another token by a question": changed(LEAKS, (NEW, "1 if ids[target[t]] == 0 else 0")),
            "a list": """
                def leakage(model, ids, target, vocab_size):
                    def seen(t, s):
                        other = [token if i != s else (token + vocab_size // 2) % vocab_size
                                 for i, token in enumerate(ids)]
                        return bool(np.abs(run(model, np.array(other))[t] - run(model, ids)[t]).max() > 1e-12)
                    return np.array([s >= 0 and seen(t, s) for t, s in enumerate(target)])
                """,
            "place by place": """
                def leakage(model, ids, target, vocab_size):
                    moved = np.zeros((len(ids), len(ids)), dtype=bool)
                    for s in range(len(ids)):
                        other = np.where(np.arange(len(ids)) == s, (ids + 1) % vocab_size, ids)
                        moved[:, s] = np.any(run(model, other) != run(model, ids), axis=1)
                    return moved[np.arange(len(ids)), target] & (target != -1)
                """,
            "a token drawn among the others": changed(
                LEAKS,
                (
                    NEW,
                    "np.random.default_rng(0).choice([w for w in range(vocab_size) if w != ids[target[t]]])",
                ),
            ),
        },
        wrong={
            "the changed one's output": (
                changed(LEAKS, (COMPARED, "(run(model, other) != before).any(-1)[target[t]]")),
                "at the position that you change",
            ),
            "own token": (
                changed(LEAKS, ("other[target[t]] = (other[target[t]] + 1)", "other[t] = (other[t] + 1)")),
                "you change the token at t.",
            ),
            "the other way round": (
                changed(
                    LEAKS,
                    ("other[target[t]] = (other[target[t]] + 1)", "other[t] = (other[t] + 1)"),
                    (COMPARED, "(run(model, other) != before).any(-1)[target[t]]"),
                ),
                "compare the output at target[t]",
            ),
            "always the next": (
                changed(
                    LEAKS,
                    ("other = ids.copy()", "other, s = ids.copy(), min(t + 1, len(ids) - 1)"),
                    ("other[target[t]] = (other[target[t]] + 1)", "other[s] = (other[s] + 1)"),
                ),
                "next token",
            ),
            "minus one": (changed(LEAKS, ("if target[t] >= 0", "if True")), "-1 means that nothing"),
            "all at once": (
                """
                def leakage(model, ids, target, vocab_size):
                    return (run(model, ids) != run(model, (ids + 1) % vocab_size)).any(-1) & (target >= 0)
                """,
                "you change all tokens together",
            ),
            "in place": (changed(LEAKS, ("ids.copy()", "ids")), "changes its inputs"),
            "nothing returned": (changed(LEAKS, ("return leaks", "leaks")), "returns None"),
        },
    ),
    "two_readers": Bank(
        right={
            "the solution": READERS,
            "one reader after the other": """
                def two_readers(x, real, weights):
                    def through(x, real, way):
                        for layer in weights:
                            x = read(x, real, layer[way])
                        return x
                    return through(x, real, "forward"), through(x[::-1], real[::-1], "backward")[::-1]
                """,
            "np.flip": changed(
                READERS,
                (
                    'read(backward[::-1], real[::-1], layer["backward"])[::-1]',
                    'np.flip(read(np.flip(backward, 0), np.flip(real), layer["backward"]), axis=0)',
                ),
            ),
            "without read": """
                def two_readers(x, real, weights):
                    T, D = x.shape
                    results = []
                    for way, order in (("forward", range(T)), ("backward", range(T - 1, -1, -1))):
                        states = x
                        for layer in weights:
                            state, before, states = np.zeros(D), states, np.zeros((T, D))
                            for t in order:
                                if real[t]:
                                    state = np.tanh(layer[way]["in"].T @ before[t]
                                                    + layer[way]["state"].T @ state)
                                states[t] = state
                        results.append(states)
                    return tuple(results)
                """,
            "float32": changed(
                READERS,
                (
                    "return forward, backward",
                    "return forward.astype(np.float32), backward.astype(np.float32)",
                ),
            ),
            "recursive": """
                def two_readers(x, real, weights, back=None):
                    back = x if back is None else back
                    if not weights:
                        return x, back
                    first, *more = weights
                    x = read(x, real, first["forward"])
                    turned = read(back[::-1], real[::-1], first["backward"])
                    return two_readers(x, real, more, turned[::-1])
                """,
            "a list": changed(READERS, ("return forward, backward", "return [forward, backward]")),
            "PyTorch": """
                import torch
                def two_readers(x, real, weights):
                    forward = backward = np.array(x)
                    for layer in weights:
                        forward = read(forward, real, layer["forward"])
                        backward = np.flipud(read(np.flipud(backward), np.flip(real), layer["backward"]))
                    return torch.tensor(forward), torch.tensor(backward.copy())
                """,
        },
        wrong={
            "as it was": (changed(BOTH, AS_READ, UNTURNED), FEEDS),
            "bug 1 left": (BOTH, FEEDS, 1),
            "bug 2 left": (changed(READERS, AS_READ), ORDER, 1),
            "bug 3 left": (changed(READERS, UNTURNED), PADDING, 1),
            "bugs 1 and 2 left": (changed(BOTH, AS_READ), FEEDS, 2),
            "bugs 1 and 3 left": (changed(BOTH, UNTURNED), FEEDS, 2),
            "bugs 2 and 3 left": (changed(READERS, AS_READ, UNTURNED), ORDER, 2),
            "one layer": (changed(READERS, ("in weights:", "in weights[:1]:")), OTHER),
            "each layer reads x": (
                changed(READERS, ("read(forward,", "read(x,"), ("read(backward[", "read(x[")),
                OTHER,
            ),
            "exchanged": (changed(READERS, ("return forward, backward", "return backward, forward")), OTHER),
            "forward weights for both": (changed(READERS, ('layer["backward"]', 'layer["forward"]')), OTHER),
            "real forgotten": (
                changed(READERS, ("real[::-1]", "real | True"), ("forward, real", "forward, real | True")),
                OTHER,
            ),
            "tokens not turned": (changed(READERS, ("backward[::-1], real[::-1]", "backward, real")), OTHER),
            "nothing returned": (changed(READERS, ("return forward", "seen = forward")), "returns None"),
            "layers from the top": (changed(READERS, ("in weights:", "in weights[::-1]:")), "is wrong"),
            "padding cut off": (
                changed(
                    READERS,
                    (
                        "    forward = backward = x",
                        "    x, real = x[real], real[real]\n    forward = backward = x",
                    ),
                ),
                "it should be|is wrong",
            ),
            "side by side": (
                changed(
                    READERS, ("return forward, backward", "return np.concatenate([forward, backward], -1)")
                ),
                "it should return",
            ),
            "the numbers turned": (
                changed(READERS, ("[::-1]\n    return", "[:, ::-1]\n    return")),
                "with one layer, the backward reader uses its own weights and reads the whole sequence",
            ),
            "forward turned": (
                changed(READERS, ("return forward, backward", "return forward[::-1], backward")),
                "the last forward state depends on every token",
            ),
        },
    ),
}
