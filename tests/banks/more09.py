"""Further answers to unit 09, from the exercises' texts alone: other regimes of inputs, other misreadings."""

from . import Bank, changed
from .unit09 import AFTER, BEFORE, COMBINED, COMPARED, LEAKS, LOSS, MIX, NEW, READERS, TRIANGLE, VISIBLE


def visible_slip(*changes):
    return changed(VISIBLE, *changes)


SEEN = f"{TRIANGLE} & real[:, None, :]"
VISIBLE_BANK = Bank(
    right={
        "a list of rows": """
            def causal_visible(real):
                T = real.shape[1]
                return np.array([[[s <= t and bool(row[s]) for s in range(T)] for t in range(T)]
                                 for row in real])
            """,
        "place by place": """
            def causal_visible(real):
                seen = np.zeros((*real.shape, real.shape[1]), bool)
                for t in range(real.shape[1]):
                    seen[:, t, :t + 1] = real[:, :t + 1]
                return seen
            """,
        "logical_and": """
            def causal_visible(real):
                B, T = real.shape
                later = np.triu(np.ones((T, T)), k=1).astype(bool)
                keys = np.broadcast_to(real.reshape(B, 1, T), (B, T, T))
                return np.logical_and(np.logical_not(later), keys)
            """,
    },
    wrong={
        "itself always": (
            visible_slip((SEEN, f"({SEEN}) | np.eye(T, dtype=bool)")),
            "itself even where it is padding",
        ),
        "up to the first padding": (
            visible_slip(("real[:, None, :]", "np.cumprod(real, axis=1).astype(bool)[:, None, :]")),
            "after the first padding",
        ),
        "from the first token": (
            visible_slip(("real[:, None, :]", "np.maximum.accumulate(real, axis=1)[:, None, :]")),
            "once a token has come",
        ),
        "padding sees everything": (
            visible_slip((SEEN, f"({SEEN}) | ~real[:, :, None]")),
            "rows of padding see everything",
        ),
        "padding sees all real ones": (
            visible_slip((SEEN, f"({SEEN}) | (~real[:, :, None] & real[:, None, :])")),
            "rows of padding see everything|rows of padding see all",
        ),
        "or": (visible_slip((" & ", " | ")), "one of the two conditions is enough"),
        "hidden, not visible": (visible_slip((SEEN, f"~({SEEN})")), "True where"),
        "the one before": (visible_slip((SEEN, "np.eye(T, k=-1, dtype=bool) & real[:, None, :]")), "only"),
        "itself alone": (visible_slip((SEEN, "np.eye(T, dtype=bool) & real[:, None, :]")), "only"),
        "turned at the end": (visible_slip((SEEN, f"({SEEN}).swapaxes(1, 2)")), "Rows are queries"),
        "the last row alone": (visible_slip((SEEN, f"({SEEN})[:, -1]")), "the shape is"),
        "both ways": (visible_slip((SEEN, f"np.repeat(({SEEN})[:, -1:], T, axis=1)")), "BERT's visibility"),
    },
)


def loss_slip(*changes):
    return changed(LOSS, *changes)


LOSS_BANK = Bank(
    right={
        "flat, with its own softmax": """
            def bilm_loss(forward, backward, ids, counted):
                def mean(logits, tokens, keep):
                    logits, tokens = logits[keep], tokens[keep]
                    logits = logits - logits.max(axis=-1, keepdims=True)
                    picked = logits[np.arange(len(tokens)), tokens]
                    return (np.log(np.exp(logits).sum(-1)) - picked).mean()
                left = mean(forward[:, :-1], ids[:, 1:], counted[:, 1:])
                return 0.5 * (left + mean(backward[:, 1:], ids[:, :-1], counted[:, :-1]))
            """,
        "padded": """
            def bilm_loss(forward, backward, ids, counted):
                tokens = np.pad(np.where(counted, ids, -100), ((0, 0), (1, 1)), constant_values=-100)
                return np.mean([mlm_loss(forward, tokens[:, 2:]), mlm_loss(backward, tokens[:, :-2])])
            """,
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
            "mean over the rows",
        ),
        "the larger": (
            loss_slip((COMBINED, "max(mlm_loss(forward, after), mlm_loss(backward, before))")),
            "larger of the two",
        ),
        "token 0 left out": (
            loss_slip(("np.where(counted, ids, -100)", "np.where(counted & (ids > 0), ids, -100)")),
            "token 0",
        ),
        "two places": (
            loss_slip((AFTER, "after[:, :-2] = tokens[:, 2:]"), (BEFORE, "before[:, 2:] = tokens[:, :-2]")),
            "two places",
        ),
        "the text turned": (loss_slip((BEFORE, "before[:, :-1] = tokens[:, ::-1][:, 1:]")), "from its end"),
        "its own places too": (
            loss_slip(
                ("np.where(counted, ids, -100)", "np.where(counted & np.roll(counted, 1, 1), ids, -100)")
            ),
            "its neighbour does",
        ),
        "base 2": (loss_slip((COMBINED, f"{COMBINED} / np.log(2)")), "base 2"),
        "e to the loss": (loss_slip((f"return {COMBINED}", f"return np.exp({COMBINED})")), "e to the power"),
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
        "all places divide": (loss_slip((COMBINED, f"{COMBINED} * counted.mean()")), "all places"),
        "a pair": (
            loss_slip((COMBINED, "mlm_loss(forward, after), mlm_loss(backward, before)")),
            "one number",
        ),
        "the product": (
            loss_slip((COMBINED, "np.sqrt(mlm_loss(forward, after) * mlm_loss(backward, before))")),
            "geometric mean",
        ),
    },
)


def mix_slip(*changes):
    return changed(MIX, *changes)


SUM = "sum(share * layer for share, layer in zip(shares, layers))"
MIX_BANK = Bank(
    right={
        "moved to the end": """
            def scalar_mix(layers, weights, gamma):
                return np.stack(layers, axis=-1) @ (softmax(weights) * gamma)
            """,
        "average": """
            def scalar_mix(layers, weights, gamma):
                return gamma * np.average(np.array(layers), axis=0, weights=np.exp(weights - weights.max()))
            """,
        "PyTorch's einsum": """
            import torch
            def scalar_mix(layers, weights, gamma):
                stacked = torch.stack([torch.tensor(layer) for layer in layers])
                return gamma * torch.einsum("l,lbtd->btd", torch.tensor(weights).softmax(0), stacked)
            """,
    },
    wrong={
        "gamma added": (mix_slip(("gamma * ", "gamma + ")), "gamma is added"),
        "gamma squared": (mix_slip(("gamma * ", "gamma ** 2 * ")), "gamma squared"),
        "without the embeddings": (
            mix_slip(
                ("softmax(weights)", "softmax(weights[1:])"),
                ("zip(shares, layers)", "zip(shares, layers[1:])"),
            ),
            "the embeddings are left out",
        ),
        "softmax twice": (mix_slip(("softmax(weights)", "softmax(softmax(weights))")), "softmax twice"),
        "of minus": (mix_slip(("softmax(weights)", "softmax(-weights)")), "smallest weight"),
        "sizes": (mix_slip(("softmax(weights)", "softmax(np.abs(weights))")), "sign"),
        "along the numbers": (
            mix_slip(
                (SUM, "sum(layer for layer in softmax(np.stack(layers) * weights[:, None, None, None]))")
            ),
            "last axis|softmax of the layers",
        ),
        "squares": (mix_slip(("softmax(weights)", "weights ** 2 / (weights ** 2).sum()")), "squares"),
        "added up": (mix_slip((f"gamma * {SUM}", "gamma * sum(layers)")), "added up"),
        "gamma on the top layer": (
            mix_slip((f"gamma * {SUM}", f"{SUM} + (gamma - 1) * shares[-1] * layers[-1]")),
            "top layer alone",
        ),
        "the list of layers": (
            mix_slip((f"gamma * {SUM}", "[gamma * share * layer for share, layer in zip(shares, layers)]")),
            "it should return",
        ),
    },
    equivalent={
        "return gamma * sum((share * layer for share, layer in zip(shares, layers))) -> return gamma "
        "* sum((share * layer for share, layer in zip(layers, shares)))": "a product has no order",
    },
)


def leak_slip(*changes):
    return changed(LEAKS, *changes)


LEAK_BANK = Bank(
    right={
        "a token drawn among the others": leak_slip(
            (NEW, "np.random.default_rng(0).choice([w for w in range(vocab_size) if w != other[target[t]]])")
        ),
        "every other token": """
            def leakage(model, ids, target, vocab_size):
                before = run(model, ids)
                def moves(t, s):
                    for token in set(range(vocab_size)) - {int(ids[s])}:
                        changed = np.array(ids)
                        changed[s] = token
                        if not np.array_equal(run(model, changed)[t], before[t]):
                            return True
                    return False
                return np.array([bool(s >= 0 and moves(t, s)) for t, s in enumerate(target)])
            """,
        "XOR with a bit": leak_slip((NEW, "ids[target[t]] - 1 if ids[target[t]] else 1")),
    },
    wrong={
        "the mirror token": (leak_slip((NEW, "vocab_size - 1 - other[target[t]]")), "mirror"),
        "always 1": (leak_slip((NEW, "1")), "always 1"),
        "half of the vocabulary": (leak_slip((NEW, "vocab_size // 2")), "always the same"),
        "the neighbour's token": (leak_slip((NEW, "ids[target[t] - 1]")), "neighbour"),
        "0 is no target": (leak_slip(("target[t] >= 0", "target[t] > 0")), "place 0"),
        "targets on the right": (leak_slip(("target[t] >= 0", "target[t] > t")), "on the right"),
        "a large move": (
            leak_slip((COMPARED, "np.abs(run(model, other)[t] - before[t]).max() > 0.1")),
            "a small move",
        ),
        "the largest number": (
            leak_slip((COMPARED, "run(model, other)[t].argmax() != before[t].argmax()")),
            "largest number",
        ),
        "the last number": (
            leak_slip((COMPARED, "run(model, other)[t, -1] != before[t, -1]")),
            "last number",
        ),
        "True where nothing is asked": (
            leak_slip(("np.zeros(len(ids), bool)", "np.array(target) < 0")),
            "nothing is predicted",
        ),
        "at the target's place": (leak_slip(("leaks[t] =", "leaks[target[t]] =")), "stands at target[t]"),
        "other outputs": (
            leak_slip((COMPARED, "(np.delete(run(model, other), t, 0) != np.delete(before, t, 0)).any()")),
            "other rows",
        ),
    },
    equivalent={
        "other[target[t]] = (other[target[t]] + 1) % vocab_size -> other[target[t]] = "
        "(other[target[t]] - 1) % vocab_size": "the token before is another one, too",
    },
)


def reader_slip(*changes):
    return changed(READERS, *changes)


READERS_BANK = Bank(
    right={
        "a list": reader_slip(("return forward, backward", "return [forward, backward]")),
        "two loops": """
            def two_readers(x, real, weights):
                forward = x
                for i in range(len(weights)):
                    forward = read(forward, real, weights[i]["forward"])
                turned, order = x[::-1], real[::-1]
                for layer in weights:
                    turned = read(turned, order, layer["backward"])
                return forward, turned[::-1]
            """,
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
        "the last layer alone": (
            reader_slip(("in weights:", "in weights[-1:]:")),
            "each layer of both readers counts",
        ),
        "layers from the top": (reader_slip(("in weights:", "in weights[::-1]:")), "it should be"),
        "backward weights for both": (
            reader_slip(('layer["forward"]', 'layer["backward"]')),
            "with one layer, the forward states are what `read` gives with the forward weights",
        ),
        "the input added": (
            reader_slip(("return forward, backward", "return forward + x, backward + x")),
            "with one layer, the forward states are what `read` gives with the forward weights",
        ),
        "padding set to 0": (
            reader_slip(
                ("return forward, backward", "return forward * real[:, None], backward * real[:, None]")
            ),
            "with one layer, the forward states are what `read` gives with the forward weights",
        ),
        "padding cut off": (
            reader_slip(
                (
                    "    forward = backward = x",
                    "    x, real = x[real], real[real]\n    forward = backward = x",
                )
            ),
            "it should be",
        ),
        "backward reads what forward gives": (
            reader_slip(("backward[::-1], real", "forward[::-1], real")),
            "with one layer, the backward reader has its own weights, and reads to the other end",
        ),
        "the mean of both": (
            reader_slip(("return forward, backward", "return ((forward + backward) / 2,) * 2")),
            "with one layer, the forward states are what `read` gives with the forward weights",
        ),
        "side by side": (
            reader_slip(("return forward, backward", "return np.concatenate([forward, backward], -1)")),
            "it should return",
        ),
        "the numbers turned": (
            reader_slip(("[::-1]\n    return", "[:, ::-1]\n    return")),
            "with one layer, the backward reader has its own weights, and reads to the other end",
        ),
        "forward turned": (
            reader_slip(("return forward, backward", "return forward[::-1], backward")),
            "the last forward state depends on every token",
        ),
        "real of the forward reader forgotten": (
            reader_slip(("read(forward, real,", "read(forward, real | True,")),
            "with one layer, the forward states are what `read` gives with the forward weights",
        ),
    },
)

MORE = {
    "causal_visible": VISIBLE_BANK,
    "bilm_loss": LOSS_BANK,
    "scalar_mix": MIX_BANK,
    "leakage": LEAK_BANK,
    "two_readers": READERS_BANK,
}
