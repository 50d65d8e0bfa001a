"""Further answers to unit 09, from the exercises' texts alone: other regimes of inputs, other misreadings."""

from . import Bank, changed
from .unit09 import AFTER, BEFORE, COMBINED, LEAKS, LOSS, MIX, NEW, READERS, TRIANGLE, VISIBLE


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
        "the last row alone": (visible_slip((SEEN, f"({SEEN})[:, -1]")), "the shape is"),
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
        "two places": (
            loss_slip((AFTER, "after[:, :-2] = tokens[:, 2:]"), (BEFORE, "before[:, 2:] = tokens[:, :-2]")),
            "two places",
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
            loss_slip((COMBINED, "mlm_loss(forward, after), mlm_loss(backward, before)")),
            "one number",
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
        "without the embeddings": (
            mix_slip(
                ("softmax(weights)", "softmax(weights[1:])"),
                ("zip(shares, layers)", "zip(shares, layers[1:])"),
            ),
            "the embeddings are left out",
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
    wrong={},
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
