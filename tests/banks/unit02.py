"""Answers to the assignment of unit 02. They use what its notebook offers: np, math, gelu, sub, and earlier
answers.
"""

from . import Bank, changed

# What a student writes who wants everything in float32.
IN_FLOAT32 = "x, weights = x.astype(np.float32), {name: w.astype(np.float32) for name, w in weights.items()}"

SOFTMAX = """
def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
"""

MAX, SUM = "x.max(axis=axis, keepdims=True)", "e.sum(axis=axis, keepdims=True)"

ATTENTION = """
def attention(q, k, v, visible=None):
    scores = q @ k.swapaxes(-2, -1) / math.sqrt(q.shape[-1])
    if visible is not None:
        scores = np.where(visible, scores, np.finfo(scores.dtype).min)
    probs = softmax(scores, axis=-1)
    return probs @ v, probs
"""

HIDE = "np.where(visible, scores, np.finfo(scores.dtype).min)"
SEES = "np.broadcast_to(visible, scores.shape).any(-1, keepdims=True)"

SPLIT_HEADS = """
def split_heads(x, num_heads):
    B, T, D = x.shape
    return x.reshape(B, T, num_heads, D // num_heads).swapaxes(1, 2)
"""

SET_SHAPE = "x.shape = (B, T, num_heads, D // num_heads)"
RESIZE = "x.resize((B, T, num_heads, D // num_heads), refcheck=False)"

MULTI_HEAD = """
def multi_head_attention(x, weights, num_heads, visible=None):
    q = split_heads(x @ weights["query.weight"].T + weights["query.bias"], num_heads)
    k = split_heads(x @ weights["key.weight"].T + weights["key.bias"], num_heads)
    v = split_heads(x @ weights["value.weight"].T + weights["value.bias"], num_heads)
    context, probs = attention(q, k, v, None if visible is None else visible[:, None])
    joined = context.swapaxes(1, 2).reshape(x.shape)
    output = joined @ weights["out.weight"].T + weights["out.bias"]
    return output, probs
"""

POSITIONS = """
def positional_encoding(length, hidden_size):
    i = np.arange(hidden_size // 2)
    angles = np.arange(length)[:, None] / 10000 ** (2 * i / hidden_size)
    table = np.empty((length, hidden_size))
    table[:, 0::2] = np.sin(angles)
    table[:, 1::2] = np.cos(angles)
    return table
"""

LAYER_NORM = """
def layer_norm(x, gamma, beta, eps=1e-12):
    mean = x.mean(axis=-1, keepdims=True)
    variance = x.var(axis=-1, keepdims=True)
    return gamma * (x - mean) / np.sqrt(variance + eps) + beta
"""

ENCODER_LAYER = """
def encoder_layer(x, weights, num_heads, visible=None):
    def norm(x, name):
        return layer_norm(x, weights[name + ".weight"], weights[name + ".bias"])
    attended, _ = multi_head_attention(x, sub(weights, "attention"), num_heads, visible)
    h = norm(x + attended, "attention_norm")
    inner = gelu(h @ weights["feed_forward.up.weight"].T + weights["feed_forward.up.bias"])
    fed = inner @ weights["feed_forward.down.weight"].T + weights["feed_forward.down.bias"]
    return norm(h + fed, "feed_forward_norm")
"""

COUNT = """
def count_parameters(vocab_size, hidden_size, num_hidden_layers, num_attention_heads, intermediate_size,
                     max_position_embeddings, type_vocab_size):
    D, F = hidden_size, intermediate_size
    norm = 2 * D
    embeddings = (vocab_size + max_position_embeddings + type_vocab_size) * D + norm
    attention_part = 4 * (D * D + D)
    feed_forward = D * F + F + F * D + D
    layer = attention_part + norm + feed_forward + norm
    pooler = D * D + D
    return embeddings + num_hidden_layers * layer + pooler
"""

GPT_LAYER = """
def gpt_layer(x, weights, num_heads):
    B, T, D = x.shape
    def norm(x, name):
        return layer_norm(x, weights[name + ".weight"], weights[name + ".bias"])
    def linear(x, name):
        return x @ weights[name + ".weight"].T + weights[name + ".bias"]
    earlier = np.broadcast_to(np.tril(np.ones((T, T), bool)), (B, T, T))
    attended, _ = multi_head_attention(norm(x, "attention_norm"), sub(weights, "attention"), num_heads,
                                       earlier)
    h = x + attended
    return h + linear(gelu(linear(norm(h, "feed_forward_norm"), "feed_forward.up")), "feed_forward.down")
"""

AHEAD = ("np.ones((T, T), bool)", "np.ones((T, T), bool), 1")
X_AGAIN = ("return h +", "return x +")
FIRST_NORM = ('norm(h, "feed_forward_norm")', 'norm(h, "attention_norm")')

TEST_SOFTMAX = """
@by_name
def test_softmax(softmax):
    x = np.array([[0.0, math.log(3)], [math.log(4), 0.0], [2.0, 2.0]])
    kept = x.copy()
    last, first = softmax(x), softmax(x, axis=0)
    assert np.allclose(last, [[0.25, 0.75], [0.8, 0.2], [0.5, 0.5]])
    assert np.allclose(first.sum(0), 1) and np.allclose(first[1, 0] / first[0, 0], 4)
    assert np.array_equal(x, kept)
    large = softmax(np.array([[5000.0, 5000.0], [-5000.0, -5000.0]]))
    assert np.allclose(large, 0.5)
"""
LARGE = """
    large = softmax(np.array([[5000.0, 5000.0], [-5000.0, -5000.0]]))
    assert np.allclose(large, 0.5)
"""

BANK = {
    "softmax": Bank(
        right={
            "the solution": SOFTMAX,
            "float32": changed(SOFTMAX, ("return e /", "e = np.float32(e)\n    return e /")),
            "logarithm of the sum": """
                def softmax(x, axis=-1):
                    x = x - np.max(x, axis=axis, keepdims=True)
                    return np.exp(x - np.log(np.sum(np.exp(x), axis=axis, keepdims=True)))
                """,
            "apply along axis": """
                def softmax(x, axis=-1):
                    def row(values):
                        shares = [math.exp(value - max(values)) for value in values]
                        return np.array([share / sum(shares) for share in shares])
                    return np.apply_along_axis(row, axis, x)
                """,
            "moved axis": """
                def softmax(x, axis=-1):
                    rows = np.moveaxis(x, axis, -1)
                    e = np.exp(rows - rows.max(-1)[..., None])
                    return np.moveaxis(e / e.sum(-1)[..., None], -1, axis)
                """,
            "torch": """
                def softmax(x, axis=-1):
                    import torch
                    return torch.from_numpy(x).softmax(axis).numpy()
                """,
            "refuses whole numbers": changed(
                SOFTMAX,
                (
                    "    e =",
                    '    if x.dtype.kind != "f":\n        raise TypeError("no floats")\n    e =',
                ),
            ),
        },
        wrong={
            "axis ignored": (changed(SOFTMAX, ("axis=axis", "axis=-1", 2)), "ignores `axis`"),
            "first axis": (changed(SOFTMAX, ("axis=axis", "axis=0", 2)), "first axis"),
            "whole array": (changed(SOFTMAX, ("axis=axis, keepdims=True", "", 2)), "sum of the whole array"),
            "no exponential": (
                "def softmax(x, axis=-1):\n    return x / x.sum(axis=axis, keepdims=True)",
                "Take the exponential first",
            ),
            "logarithm returned": (
                """
                def softmax(x, axis=-1):
                    x = x - x.max(axis=axis, keepdims=True)
                    return x - np.log(np.exp(x).sum(axis=axis, keepdims=True))
                """,
                "logarithm of the softmax",
            ),
            "axis lost": (changed(SOFTMAX, (", keepdims=True", "", 2)), "keepdims"),
            "input changed": (
                """
                def softmax(x, axis=-1):
                    x -= x.max(axis=axis, keepdims=True)
                    return np.exp(x) / np.exp(x).sum(axis=axis, keepdims=True)
                """,
                "changes its inputs",
            ),
            "nothing returned": (changed(SOFTMAX, ("return e /", "e = e /")), "returns None"),
            "other parameters": (
                changed(SOFTMAX, ("(x, axis=-1)", "(s, axis=-1)"), ("x - x.max", "s - s.max")),
                "it should take (x, axis)",
            ),
            "into an array like x": (
                changed(SOFTMAX, ("return e", "shares = np.empty_like(x)\n    shares[...] = e"))
                + "    return shares\n",
                "take its dtype from x",
            ),
            "dtype of x at the end": (
                changed(SOFTMAX, (f"e / {SUM}", f"(e / {SUM}).astype(x.dtype)")),
                "take its dtype from x",
            ),
            "maximum of the whole array if large": (
                changed(SOFTMAX, (MAX, "(x.max() if x.max() > 100 else 0)")),
                "maximum of the whole array",
            ),
            "own maximum if far from 0": (
                changed(SOFTMAX, (MAX, f"np.where(abs({MAX}) > 700, {MAX}, 0)")),
                "only if scores are large",
            ),
            "own maximum if any is large": (
                changed(SOFTMAX, (MAX, f"({MAX} if x.max() > 700 else 0)")),
                "only if scores are large",
            ),
            "clipped": (changed(SOFTMAX, (f"x - {MAX}", "np.clip(x, -700, 700)")), "you clip the scores"),
            "nan replaced": (
                changed(SOFTMAX, (f" - {MAX}", ""), (f"e / {SUM}", f"np.nan_to_num(e / {SUM})")),
                "you replace nan",
            ),
            "base 2": (changed(SOFTMAX, (f"np.exp(x - {MAX})", f"2 ** (x - {MAX})")), "powers of 2"),
            "minimum": (changed(SOFTMAX, ("x.max", "x.min")), "subtract the minimum"),
            "eps in the sum": (changed(SOFTMAX, (SUM, f"({SUM} + 0.001)")), "sum to 1 along the axis"),
        },
    ),
    "attention": Bank(
        right={
            "the solution": ATTENTION,
            "a large negative number added": changed(
                ATTENTION, (HIDE, "scores + np.where(visible, 0, -1e9)")
            ),
            "einsum, scaled query": """
                def attention(q, k, v, visible=None):
                    scores = np.einsum("...tk,...sk->...ts", q / q.shape[-1] ** 0.5, k)
                    if visible is not None:
                        scores = np.where(visible, scores, -1e9)
                    e = np.exp(scores - scores.max(-1, keepdims=True))
                    probs = e / e.sum(-1, keepdims=True)
                    return np.einsum("...ts,...sk->...tk", probs, v), probs
                """,
            "loops": """
                def attention(q, k, v, visible=None):
                    front = q.shape[:-2]
                    probs = np.zeros(front + (q.shape[-2], k.shape[-2]))
                    if visible is None:
                        visible = True
                    visible = np.broadcast_to(visible, probs.shape)
                    context = np.zeros(q.shape)
                    for at in np.ndindex(*front):
                        for t in range(q.shape[-2]):
                            row = [sum(a * b for a, b in zip(q[at][t], key)) / math.sqrt(len(key))
                                   for key in k[at]]
                            row = np.array([s if seen else -1e30 for s, seen in zip(row, visible[at][t])])
                            row = np.exp(row - row.max())
                            probs[at][t] = row / row.sum()
                            context[at][t] = sum(p * value for p, value in zip(probs[at][t], v[at]))
                    return context, probs
                """,
            "torch": """
                def attention(q, k, v, visible=None):
                    import torch
                    q, k, v = (torch.from_numpy(a) for a in (q, k, v))
                    scores = q @ k.mT / q.shape[-1] ** 0.5
                    if visible is not None:
                        scores = scores.masked_fill(~torch.from_numpy(visible), torch.finfo(scores.dtype).min)
                    probs = scores.softmax(-1)
                    return (probs @ v).numpy(), probs.numpy()
                """,
            "a list of two": changed(ATTENTION, ("return probs @ v, probs", "return [probs @ v, probs]")),
        },
        wrong={
            "no scaling": (
                changed(ATTENTION, (" / math.sqrt(q.shape[-1])", "")),
                "you do not divide the scores by sqrt(K)",
            ),
            "divided by K": (
                changed(ATTENTION, ("math.sqrt(q.shape[-1])", "q.shape[-1]")),
                "you divide the scores by K. Divide by sqrt(K)",
            ),
            "scaled after the softmax": (
                changed(
                    ATTENTION,
                    (" / math.sqrt(q.shape[-1])", ""),
                    ("softmax(scores, axis=-1)", "softmax(scores, axis=-1) / math.sqrt(q.shape[-1])"),
                ),
                "after the softmax",
            ),
            "visibility inverted": (
                changed(ATTENTION, ("np.where(visible", "np.where(~visible")),
                "the wrong way round",
            ),
            "visible added": (changed(ATTENTION, (HIDE, "scores + visible")), "True and False"),
            "hidden after the softmax": (
                """
                def attention(q, k, v, visible=None):
                    probs = softmax(q @ k.swapaxes(-2, -1) / math.sqrt(q.shape[-1]))
                    if visible is not None:
                        probs = np.where(visible, probs, 0)
                    return probs @ v, probs
                """,
                "after the softmax, so a row no longer sums to 1",
            ),
            "hidden after the softmax, divided again": (
                """
                def attention(q, k, v, visible=None):
                    probs = softmax(q @ k.swapaxes(-2, -1) / math.sqrt(q.shape[-1]))
                    if visible is not None:
                        probs = probs * visible
                        probs = probs / probs.sum(-1, keepdims=True)
                    return probs @ v, probs
                """,
                "you mask after the softmax and divide by the new sum",
            ),
            "hidden score minus infinity": (
                changed(ATTENTION, ("np.finfo(scores.dtype).min", "-np.inf")),
                "without any visible key gets nan",
            ),
            "scores returned": (
                changed(ATTENTION, ("return probs @ v, probs", "return probs @ v, scores")),
                "return the scores",
            ),
            "key not turned": (
                changed(ATTENTION, ("k.swapaxes(-2, -1)", "k")),
                "Swap only the last two axes",
            ),
            "k.T": (changed(ATTENTION, ("k.swapaxes(-2, -1)", "k.T")), "Swap only the last two axes"),
            "a blind query's shares are 1": (
                changed(
                    ATTENTION,
                    (
                        "axis=-1)",
                        f"axis=-1)\n    if visible is not None:\n        probs = np.where({SEES}, probs, 1)",
                    ),
                ),
                "sum to 5",
            ),
            "a blind query's context is 0": (
                changed(
                    ATTENTION,
                    (
                        "return probs @ v",
                        f"return probs @ v if visible is None else {SEES} * (probs @ v)",
                    ),
                ),
                "does not match its probabilities",
            ),
            "hidden score -1000": (
                changed(ATTENTION, ("np.finfo(scores.dtype).min", "-1000.0")),
                "not low enough",
            ),
            "hidden score lowered by 50": (
                changed(ATTENTION, (HIDE, "scores - np.where(visible, 0, 50)")),
                "not low enough",
            ),
            "hidden only where the shapes agree": (
                changed(ATTENTION, ("is not None", "is not None and visible.shape == scores.shape")),
                "you ignore `visible`",
            ),
            "hidden score below the lowest": (
                changed(ATTENTION, ("np.finfo(scores.dtype).min", "scores.min() - 10")),
                "value of a masked key",
            ),
        },
    ),
    "split_heads": Bank(
        right={
            "the solution": SPLIT_HEADS,
            "float32": changed(SPLIT_HEADS, ("return x.", "return x.astype(np.float32).")),
            "slices": """
                def split_heads(x, num_heads):
                    K = x.shape[2] // num_heads
                    return np.stack([x[:, :, h * K:(h + 1) * K] for h in range(num_heads)], axis=1)
                """,
            "split": (
                "def split_heads(x, num_heads):\n    return np.stack(np.split(x, num_heads, axis=-1), 1)"
            ),
            "loops": """
                def split_heads(x, num_heads):
                    B, T, D = x.shape
                    K = D // num_heads
                    heads = np.zeros((B, num_heads, T, K))
                    for d in range(D):
                        heads[:, d // K, :, d % K] = x[:, :, d]
                    return heads
                """,
            "torch": """
                def split_heads(x, num_heads):
                    import torch
                    return torch.from_numpy(x).unflatten(-1, (num_heads, -1)).transpose(1, 2).numpy()
                """,
            "a tensor": """
                def split_heads(x, num_heads):
                    import torch
                    return torch.tensor(x.copy()).unflatten(-1, (num_heads, -1)).transpose(1, 2)
                """,
        },
        wrong={
            "strided slices": (
                "def split_heads(x, num_heads):\n"
                "    return np.stack([x[:, :, h::num_heads] for h in range(num_heads)], 1)",
                "interleaved",
            ),
            "list of heads": (
                "def split_heads(x, num_heads):\n    return np.split(x, num_heads, axis=-1)",
                "head axis comes first",
            ),
            "all columns": (
                "def split_heads(x, num_heads):\n    return np.stack([x] * num_heads, axis=1)",
                "all D columns",
            ),
            "reversed heads": (
                changed(SPLIT_HEADS, ("swapaxes(1, 2)", "swapaxes(1, 2)[:, ::-1]")),
                "concatenating the heads gives x",
            ),
            "shape of x set": (
                changed(
                    SPLIT_HEADS,
                    ("return x.reshape(B, T, num_heads, D // num_heads)", f"{SET_SHAPE}\n    return x"),
                ),
                "it changes its inputs",
            ),
            "x resized": (
                changed(
                    SPLIT_HEADS,
                    ("return x.reshape(B, T, num_heads, D // num_heads)", f"{RESIZE}\n    return x"),
                ),
                "it changes its inputs",
            ),
            "reversed tokens": (
                changed(SPLIT_HEADS, ("swapaxes(1, 2)", "swapaxes(1, 2)[:, :, ::-1]")),
                "concatenating the heads gives x",
            ),
            "half precision": (
                changed(SPLIT_HEADS, ("return x.", "return x.astype(np.float16).")),
                "values differ|values of",
            ),
        },
    ),
    "multi_head_attention": Bank(
        right={
            "the solution": MULTI_HEAD,
            "float32": changed(MULTI_HEAD, ("    q = split", f"    {IN_FLOAT32}\n    q = split")),
            "one head after the other": """
                def multi_head_attention(x, weights, num_heads, visible=None):
                    K = x.shape[-1] // num_heads
                    q, k, v = (x @ weights[n + ".weight"].T + weights[n + ".bias"]
                               for n in ("query", "key", "value"))
                    contexts, probs = [], []
                    for h in range(num_heads):
                        mine = slice(h * K, (h + 1) * K)
                        c, p = attention(q[..., mine], k[..., mine], v[..., mine], visible)
                        contexts.append(c)
                        probs.append(p)
                    joined = np.concatenate(contexts, axis=-1)
                    return joined @ weights["out.weight"].T + weights["out.bias"], np.stack(probs, axis=1)
                """,
            "einsum": """
                def multi_head_attention(x, weights, num_heads, visible=None):
                    def heads(name):
                        W = weights[name + ".weight"].reshape(num_heads, -1, x.shape[-1])
                        b = weights[name + ".bias"].reshape(num_heads, 1, -1)
                        return np.einsum("btd,hkd->bhtk", x, W) + b
                    context, probs = attention(heads("query"), heads("key"), heads("value"),
                                               visible if visible is None else np.expand_dims(visible, 1))
                    W = weights["out.weight"].reshape(x.shape[-1], num_heads, -1)
                    return np.einsum("bhtk,dhk->btd", context, W) + weights["out.bias"], probs
                """,
            "one row after the other": """
                def multi_head_attention(x, weights, num_heads, visible=None):
                    outputs, shares = [], []
                    for b in range(len(x)):
                        row = x[b:b + 1]
                        q, k, v = (split_heads(row @ weights[f"{n}.weight"].T
                                               + weights[f"{n}.bias"], num_heads)
                                   for n in ("query", "key", "value"))
                        context, probs = attention(q, k, v, None if visible is None else visible[b])
                        joined = np.hstack([context[0, h] for h in range(num_heads)])
                        outputs.append(joined @ weights["out.weight"].T + weights["out.bias"])
                        shares.append(probs[0])
                    return np.array(outputs), np.array(shares)
                """,
            "torch": """
                def multi_head_attention(x, weights, num_heads, visible=None):
                    import torch
                    w = {name: torch.from_numpy(weight) for name, weight in weights.items()}
                    x = torch.from_numpy(x)
                    q, k, v = (torch.nn.functional.linear(x, w[n + ".weight"], w[n + ".bias"])
                               .unflatten(-1, (num_heads, -1)).transpose(1, 2)
                               for n in ("query", "key", "value"))
                    scores = q @ k.mT / q.shape[-1] ** 0.5
                    if visible is not None:
                        scores = scores.masked_fill(~torch.from_numpy(visible)[:, None], -1e9)
                    probs = scores.softmax(-1)
                    joined = (probs @ v).transpose(1, 2).flatten(2)
                    return (joined @ w["out.weight"].T + w["out.bias"]).numpy(), probs.numpy()
                """,
        },
        wrong={
            "one head": (
                """
                def multi_head_attention(x, weights, num_heads, visible=None):
                    q, k, v = (x @ weights[n + ".weight"].T + weights[n + ".bias"]
                               for n in ("query", "key", "value"))
                    context, probs = attention(q, k, v, visible)
                    return context @ weights["out.weight"].T + weights["out.bias"], probs
                """,
                "a single head of size D",
            ),
            "visibility inverted": (
                changed(MULTI_HEAD, ("visible[:, None]", "~visible[:, None]")),
                "the wrong way round",
            ),
            "visibility without a head axis": (
                changed(MULTI_HEAD, ("None if visible is None else visible[:, None]", "visible")),
                "Give it a head axis",
            ),
            "visibility of one query": (
                changed(MULTI_HEAD, ("visible[:, None]", "visible[:, -1:][:, None]")),
                "that of a single query, for all queries",
            ),
            "visibility of the first sequence": (
                changed(MULTI_HEAD, ("visible[:, None]", "visible[:1, None]")),
                "the mask of the first sequence",
            ),
            "visibility with swapped axes": (
                changed(MULTI_HEAD, ("visible[:, None]", "visible.swapaxes(1, 2)[:, None]")),
                "swap the two token axes",
            ),
            "projected twice": (
                changed(
                    MULTI_HEAD,
                    (
                        "    return",
                        '    output = output @ weights["out.weight"].T + weights["out.bias"]\n    return',
                    ),
                ),
                "apply the output projection twice",
            ),
            "values from the query weights": (
                changed(MULTI_HEAD, ("value.", "query.", 2)),
                "compute the values with the query weights",
            ),
            "probabilities reversed": (
                changed(MULTI_HEAD, ("output, probs", "output, probs[:, ::-1]")),
                "the probabilities have the heads in reverse order",
            ),
        },
    ),
    "positional_encoding": Bank(
        right={
            "the solution": POSITIONS,
            "loops": """
                def positional_encoding(length, hidden_size):
                    table = np.zeros((length, hidden_size))
                    for t in range(length):
                        for d in range(hidden_size):
                            angle = t / 10000 ** ((d - d % 2) / hidden_size)
                            table[t, d] = math.cos(angle) if d % 2 else math.sin(angle)
                    return table
                """,
            "exponential of a logarithm": """
                def positional_encoding(length, hidden_size):
                    slow = np.exp(np.arange(0, hidden_size, 2) * (-math.log(10000.0) / hidden_size))
                    angles = np.outer(np.arange(length), slow)
                    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(length, hidden_size)
                """,
            "cosine as a shifted sine": """
                def positional_encoding(length, hidden_size):
                    d = np.arange(hidden_size)
                    angles = np.arange(length)[:, None] * 10000.0 ** -((d - d % 2) / hidden_size)
                    return np.sin(angles + d % 2 * np.pi / 2)
                """,
            "float32": changed(POSITIONS, ("(length, hidden_size))", "(length, hidden_size), np.float32)")),
            "torch": """
                def positional_encoding(length, hidden_size):
                    import torch
                    slow = 10000 ** (torch.arange(0, hidden_size, 2) / hidden_size)
                    angles = torch.arange(length)[:, None] / slow
                    return torch.stack([angles.sin(), angles.cos()], -1).flatten(1).numpy()
                """,
        },
        wrong={
            "halves": (
                changed(POSITIONS, ("0::2", ":hidden_size // 2"), ("1::2", "hidden_size // 2:")),
                "all sines come first",
            ),
            "exponent without the 2": (changed(POSITIONS, ("2 * i", "i")), "Multiply it by 2"),
            "doubled twice": (
                changed(POSITIONS, ("np.arange(hidden_size // 2)", "np.arange(0, hidden_size, 2)")),
                "4i / D",
            ),
            "own exponents": (
                """
                def positional_encoding(length, hidden_size):
                    d = np.arange(hidden_size)
                    angles = np.arange(length)[:, None] / 10000 ** (d / hidden_size)
                    angles[:, 0::2], angles[:, 1::2] = np.sin(angles[:, 0::2]), np.cos(angles[:, 1::2])
                    return angles
                """,
                "its own exponent",
            ),
            "swapped": (
                changed(POSITIONS, ("np.sin", "np.xyz"), ("np.cos", "np.sin"), ("np.xyz", "np.cos")),
                "sine and cosine are swapped",
            ),
            "degrees": (
                changed(POSITIONS, ("[:, None] / 10000", "[:, None] * np.pi / 180 / 10000")),
                "as if they were in degrees",
            ),
            "times pi": (changed(POSITIONS, ("angles = ", "angles = np.pi * ")), "multiply the angles by pi"),
            "base of the length": (changed(POSITIONS, ("10000 **", "length **")), "length of the table"),
            "sign": (changed(POSITIONS, ("np.sin", "-np.sin")), "sign of the sine"),
            "backwards": (changed(POSITIONS, ("[:, None]", "[::-1, None]")), "run backwards"),
            "again after 512": (
                changed(POSITIONS, ("np.arange(length)", "(np.arange(length) % 512)")),
                "start again after 512",
            ),
            "whole division": (changed(POSITIONS, ("/ 10000", "// 10000")), "rounded down to integers"),
            "exponent 2i + 1": (changed(POSITIONS, ("(2 * i /", "((2 * i + 1) /")), "(2i + 1) / D"),
        },
    ),
    "layer_norm": Bank(
        right={
            "the solution": LAYER_NORM,
            "sums": """
                def layer_norm(x, gamma, beta, eps=1e-12):
                    D = x.shape[-1]
                    centred = x - x.sum(-1, keepdims=True) / D
                    variance = (centred ** 2).sum(-1, keepdims=True) / D
                    return centred * (variance + eps) ** -0.5 * gamma + beta
                """,
            "std": changed(
                LAYER_NORM, ("np.sqrt(variance + eps)", "np.sqrt(x.std(-1)[..., None] ** 2 + eps)")
            ),
            "one row after the other": """
                def layer_norm(x, gamma, beta, eps=1e-12):
                    def row(values):
                        mean = sum(values) / len(values)
                        variance = sum((value - mean) ** 2 for value in values) / len(values)
                        return [g * (value - mean) / math.sqrt(variance + eps) + b
                                for value, g, b in zip(values, gamma, beta)]
                    return np.apply_along_axis(row, -1, x)
                """,
            "mean of squares": changed(
                LAYER_NORM,
                (
                    "x.var(axis=-1, keepdims=True)",
                    "(x.astype(float) ** 2).mean(-1, keepdims=True) - mean ** 2",
                ),
            ),
            "torch": """
                def layer_norm(x, gamma, beta, eps=1e-12):
                    import torch
                    x, gamma, beta = (torch.from_numpy(a) for a in (x, gamma, beta))
                    return torch.nn.functional.layer_norm(x, x.shape[-1:], gamma, beta, eps).numpy()
                """,
        },
        wrong={
            "over the tokens": (changed(LAYER_NORM, ("axis=-1", "axis=-2", 2)), "run over the tokens"),
            "over the batch": (changed(LAYER_NORM, ("axis=-1", "axis=0", 2)), "BatchNorm"),
            "over everything": (changed(LAYER_NORM, ("axis=-1, ", "", 2)), "whole array"),
            "over tokens and columns": (
                changed(LAYER_NORM, ("axis=-1", "axis=tuple(range(1, x.ndim))", 2)),
                "all axes but the first",
            ),
            "torch's std": (
                """
                def layer_norm(x, gamma, beta, eps=1e-12):
                    import torch
                    std = torch.from_numpy(x).std(-1, keepdim=True).numpy()
                    return gamma * (x - x.mean(-1, keepdims=True)) / np.sqrt(std ** 2 + eps) + beta
                """,
                "ddof=1",
            ),
            "axis lost": (changed(LAYER_NORM, (", keepdims=True", "", 2)), "keepdims"),
            "input changed": (
                changed(LAYER_NORM, ("    variance", "    x -= mean\n    variance"), ("(x - mean)", "x")),
                "changes its inputs",
            ),
            "eps as the least variance": (
                changed(LAYER_NORM, ("variance + eps", "np.maximum(variance, eps)")),
                "eps as a minimum of the variance",
            ),
            "1 + gamma": (changed(LAYER_NORM, ("return gamma", "return (1 + gamma)")), "1 + gamma"),
            "median": (changed(LAYER_NORM, ("x.mean(", "np.median(x, ")), "the median"),
            "root of eps by itself": (
                changed(LAYER_NORM, ("np.sqrt(variance + eps)", "(np.sqrt(variance) + np.sqrt(eps))")),
                "take the root of eps separately",
            ),
            "beta twice": (changed(LAYER_NORM, ("+ beta", "+ 2 * beta")), "add beta twice"),
        },
    ),
    "encoder_layer": Bank(
        right={
            "the solution": ENCODER_LAYER,
            "float32": changed(ENCODER_LAYER, ("    def norm", f"    {IN_FLOAT32}\n    def norm")),
            "names one by one": """
                def encoder_layer(x, weights, num_heads, visible=None):
                    mine = {name: weights["attention." + name] for name in
                            [f"{p}.{w}" for p in ("query", "key", "value", "out")
                             for w in ("weight", "bias")]}
                    x = x + multi_head_attention(x, mine, num_heads, visible)[0]
                    x = layer_norm(x, weights["attention_norm.weight"], weights["attention_norm.bias"])
                    wide = np.einsum("btd,fd->btf", x, weights["feed_forward.up.weight"])
                    inner = gelu(wide + weights["feed_forward.up.bias"])
                    back = np.einsum("btf,df->btd", inner, weights["feed_forward.down.weight"])
                    x = x + back + weights["feed_forward.down.bias"]
                    return layer_norm(x, weights["feed_forward_norm.weight"],
                                      weights["feed_forward_norm.bias"])
                """,
            "token by token": changed(
                ENCODER_LAYER,
                (
                    'inner @ weights["feed_forward.down.weight"].T',
                    'np.stack([[weights["feed_forward.down.weight"] @ t for t in row] for row in inner])',
                ),
            ),
            "gelu of its own": changed(ENCODER_LAYER, ("inner = gelu(", "inner = smooth("))
            + """
def smooth(x):
    below = np.vectorize(lambda z: 0.5 * (1 + math.erf(z / math.sqrt(2))))
    return x * below(x)
""",
            "torch": """
                def encoder_layer(x, weights, num_heads, visible=None):
                    import torch
                    F = torch.nn.functional
                    w = {name: torch.from_numpy(weight) for name, weight in weights.items()}
                    def linear(x, name):
                        return F.linear(x, w[name + ".weight"], w[name + ".bias"])
                    def norm(x, name):
                        return F.layer_norm(x, x.shape[-1:], w[name + ".weight"], w[name + ".bias"], 1e-12)
                    x = torch.from_numpy(x)
                    q, k, v = (linear(x, "attention." + n).unflatten(-1, (num_heads, -1)).transpose(1, 2)
                               for n in ("query", "key", "value"))
                    seen = None if visible is None else torch.from_numpy(visible)[:, None]
                    context = F.scaled_dot_product_attention(q, k, v, seen).transpose(1, 2).flatten(2)
                    h = norm(x + linear(context, "attention.out"), "attention_norm")
                    fed = linear(F.gelu(linear(h, "feed_forward.up")), "feed_forward.down")
                    return norm(h + fed, "feed_forward_norm").numpy()
                """,
            "scaled before the norm": changed(ENCODER_LAYER, ("x + attended", "2 * (x + attended)")),
        },
        wrong={
            "visibility of one query": (
                changed(ENCODER_LAYER, (", visible)\n", ", None if visible is None else visible[:, :1])\n")),
                "that of a single query, for all queries",
            ),
            "one head": (
                changed(ENCODER_LAYER, ("num_heads, visible)", "1, visible)")),
                "a single head of size D",
            ),
            "tanh": (changed(ENCODER_LAYER, ("gelu(", "np.tanh(")), "uses tanh"),
            "gamma and beta swapped": (
                changed(
                    ENCODER_LAYER,
                    (
                        'norm(x + attended, "attention_norm")',
                        'layer_norm(x + attended, weights["attention_norm.bias"], '
                        'weights["attention_norm.weight"])',
                    ),
                ),
                "gamma and beta of",
            ),
            "x and h added": (changed(ENCODER_LAYER, ("h + fed", "h + x + fed")), "adds x and h"),
            "gelu of x": (
                changed(ENCODER_LAYER, ("    attended, _", "    x = gelu(x)\n    attended, _")),
                "x before attention",
            ),
        },
    ),
    "count_parameters": Bank(
        right={
            "the solution": COUNT,
            "tables": """
                def count_parameters(vocab_size, hidden_size, num_hidden_layers, num_attention_heads,
                                     intermediate_size, max_position_embeddings, type_vocab_size):
                    D, F = hidden_size, intermediate_size
                    rows = (vocab_size, max_position_embeddings, type_vocab_size)
                    tables = [(n, D) for n in rows] + [(D,), (D,), (D, D), (D,)]
                    layer = 4 * [(D, D), (D,)] + [(F, D), (F,), (D, F), (D,)] + 4 * [(D,)]
                    return sum(math.prod(shape) for shape in tables + num_hidden_layers * layer)
                """,
            "head by head": """
                def count_parameters(vocab_size, hidden_size, num_hidden_layers, num_attention_heads,
                                     intermediate_size, max_position_embeddings, type_vocab_size):
                    def linear(n, m):
                        return n * m + m
                    K = hidden_size // num_attention_heads
                    total = hidden_size * (vocab_size + max_position_embeddings + type_vocab_size + 2)
                    for layer in range(num_hidden_layers):
                        for head in range(num_attention_heads):
                            total += 3 * linear(hidden_size, K)
                        total += linear(hidden_size, hidden_size) + 4 * hidden_size
                        total += linear(hidden_size, intermediate_size)
                        total += linear(intermediate_size, hidden_size)
                    return total + linear(hidden_size, hidden_size)
                """,
            "one formula": """
                def count_parameters(vocab_size, hidden_size, num_hidden_layers, num_attention_heads,
                                     intermediate_size, max_position_embeddings, type_vocab_size):
                    V, D, L, F, P, S = (vocab_size, hidden_size, num_hidden_layers, intermediate_size,
                                        max_position_embeddings, type_vocab_size)
                    return D * (V + P + S + 3 + D) + L * (4 * D ** 2 + 9 * D + F + 2 * D * F)
                """,
            "NumPy number": changed(COUNT, ("return embeddings", "return np.int64(0) + embeddings")),
            "float": changed(COUNT, ("return embeddings", "return 1.0 * embeddings")),
            "an array without axes": changed(
                COUNT,
                (
                    "embeddings + num_hidden_layers * layer + pooler",
                    "np.array(embeddings + num_hidden_layers * layer + pooler)",
                ),
            ),
        },
        wrong={
            "text": (
                changed(COUNT, ("return embeddings + num_hidden_layers * layer + pooler", "return '110M'")),
                "should return one number",
            ),
            "a norm per head": (
                changed(COUNT, ("norm = 2 * D", "norm = 2 * D * num_attention_heads")),
                "once per head",
            ),
            "two poolers": (
                changed(COUNT, ("layer + pooler", "layer + 2 * pooler")),
                "count the pooler twice",
            ),
            "a layer too few": (
                changed(COUNT, ("num_hidden_layers * layer", "(num_hidden_layers - 1) * layer")),
                "one layer too few",
            ),
            "two segments": (changed(COUNT, ("+ type_vocab_size) *", "+ 2) *")), "use `type_vocab_size`"),
            "bias of size V": (
                changed(COUNT, ("layer + pooler", "layer + pooler + vocab_size")),
                "bias of size V",
            ),
        },
    ),
    "gpt_layer": Bank(
        right={
            "the solution": GPT_LAYER,
            "float32": changed(GPT_LAYER, ("    B, T, D", f"    {IN_FLOAT32}\n    B, T, D")),
            "with a loop over the tokens": """
                def gpt_layer(x, weights, num_heads):
                    def norm(x, name):
                        return layer_norm(x, weights[name + ".weight"], weights[name + ".bias"])
                    outputs = []
                    for t in range(x.shape[1]):
                        seen = x[:, :t + 1]
                        normed = norm(seen, "attention_norm")
                        h = seen + multi_head_attention(normed, sub(weights, "attention"), num_heads)[0]
                        inner = gelu(norm(h, "feed_forward_norm") @ weights["feed_forward.up.weight"].T
                                     + weights["feed_forward.up.bias"])
                        fed = (inner @ weights["feed_forward.down.weight"].T
                               + weights["feed_forward.down.bias"])
                        outputs.append((h + fed)[:, -1])
                    return np.stack(outputs, axis=1)
                """,
            "einsum and a sum of three": """
                def gpt_layer(x, weights, num_heads):
                    T = x.shape[1]
                    w = weights
                    ahead = np.arange(T) > np.arange(T)[:, None]
                    visible = np.repeat(~ahead[None], len(x), axis=0)
                    normed = layer_norm(x, w["attention_norm.weight"], w["attention_norm.bias"])
                    found = multi_head_attention(normed, sub(w, "attention"), num_heads, visible)[0]
                    normed = layer_norm(x + found, w["feed_forward_norm.weight"], w["feed_forward_norm.bias"])
                    inner = (np.einsum("btd,fd->btf", normed, w["feed_forward.up.weight"])
                             + w["feed_forward.up.bias"])
                    fed = np.einsum("btf,df->btd", gelu(inner), w["feed_forward.down.weight"])
                    return x + found + fed + w["feed_forward.down.bias"]
                """,
            "torch": """
                def gpt_layer(x, weights, num_heads):
                    import torch
                    from torch.nn import functional as F
                    w = {name: torch.from_numpy(weight) for name, weight in weights.items()}
                    x = torch.from_numpy(x)
                    def linear(x, name):
                        return F.linear(x, w[name + ".weight"], w[name + ".bias"])
                    def norm(x, name):
                        return F.layer_norm(x, x.shape[-1:], w[name + ".weight"], w[name + ".bias"], 1e-12)
                    normed = norm(x, "attention_norm")
                    q, k, v = (linear(normed, "attention." + name).unflatten(-1, (num_heads, -1))
                               .transpose(1, 2)
                               for name in ("query", "key", "value"))
                    context = F.scaled_dot_product_attention(q, k, v, is_causal=True)
                    h = x + linear(context.transpose(1, 2).flatten(2), "attention.out")
                    inner = F.gelu(linear(norm(h, "feed_forward_norm"), "feed_forward.up"))
                    return (h + linear(inner, "feed_forward.down")).numpy()
                """,
        },
        wrong={
            "looks ahead": (changed(GPT_LAYER, AHEAD), "does not depend on later tokens", 1),
            "x is added again": (changed(GPT_LAYER, X_AGAIN), "output of attention is still added", 1),
            "first norm twice": (changed(GPT_LAYER, FIRST_NORM), "every weight affects the output", 1),
            "bugs 1 and 2 left": (changed(GPT_LAYER, AHEAD, X_AGAIN), "does not depend on later tokens", 2),
            "bugs 1 and 3 left": (
                changed(GPT_LAYER, AHEAD, FIRST_NORM),
                "does not depend on later tokens",
                2,
            ),
            "bugs 2 and 3 left": (
                changed(GPT_LAYER, X_AGAIN, FIRST_NORM),
                "output of attention is still added",
                2,
            ),
            "nothing mended": (
                changed(GPT_LAYER, AHEAD, X_AGAIN, FIRST_NORM),
                "does not depend on later tokens",
                3,
            ),
            "not even itself": (
                changed(GPT_LAYER, ("np.ones((T, T), bool)", "np.ones((T, T), bool), -1")),
                "something else has changed",
            ),
            "to the right": (changed(GPT_LAYER, ("np.tril", "np.triu")), "something else has changed"),
            "everything seen": (
                changed(GPT_LAYER, ("np.tril(np.ones((T, T), bool))", "True")),
                "something else has changed",
            ),
            "norms behind, as in BERT": (
                """
                def gpt_layer(x, weights, num_heads):
                    T = x.shape[1]
                    return encoder_layer(x, weights, num_heads,
                                         np.broadcast_to(np.tri(T, dtype=bool), (len(x), T, T)))
                """,
                "something else has changed",
            ),
            "norm added": (
                changed(GPT_LAYER, ("h = x + attended", 'h = norm(x, "attention_norm") + attended')),
                "something else has changed",
            ),
            "nothing returned": (changed(GPT_LAYER, ("return h +", "h +")), "returns None"),
            "x changed": (
                changed(GPT_LAYER, ("h = x + attended", "x += attended; h = x")),
                "changes its inputs",
            ),
            "first residual missing": (
                changed(GPT_LAYER, ("h = x + attended", "h = attended")),
                "first residual connection is missing",
            ),
            "ReLU": (changed(GPT_LAYER, ("gelu(", "np.maximum(0, ")), "uses ReLU"),
            "not even itself, by <": (
                changed(
                    GPT_LAYER,
                    ("np.tril(np.ones((T, T), bool))", "np.arange(T)[None] < np.arange(T)[:, None]"),
                ),
                "does not attend to itself",
            ),
            "no visibility": (
                changed(GPT_LAYER, ("earlier)", "None)")),
                "attends to all others",
            ),
            "one head": (
                changed(GPT_LAYER, ('"attention"), num_heads', '"attention"), 1')),
                "a single head of size D",
            ),
            "a window": (
                changed(
                    GPT_LAYER,
                    (
                        "np.tril(np.ones((T, T), bool))",
                        "np.tri(T, dtype=bool) & ~np.tri(T, k=-3, dtype=bool)",
                    ),
                ),
                "only to nearby",
            ),
            "halved": (changed(GPT_LAYER, ("return h +", "return h + 0.5 *")), "you halve"),
        },
    ),
    "test_softmax": Bank(
        right={
            "by hand": TEST_SOFTMAX,
            "by laws": """
                @by_name
                def test_softmax(softmax):
                    rng = np.random.default_rng(0)
                    x = rng.normal(size=(3, 4, 5))
                    for axis in (0, 1, 2, -1):
                        given = x.copy()
                        y = softmax(given, axis=axis)
                        assert (given == x).all()
                        assert y.shape == x.shape and np.allclose(y.sum(axis), 1, atol=1e-5)
                        odds = np.log(y) - x
                        assert np.allclose(odds, odds.max(axis, keepdims=True), atol=1e-4)
                    assert np.isfinite(softmax(np.array([[1e4, 0.0], [-1e4, 0.0], [-1e4, -1e4]]))).all()
                """,
            "against a definition": """
                def definition(x, axis):
                    e = np.exp(x)
                    return e / e.sum(axis=axis, keepdims=True)
                @by_name
                def test_softmax(softmax):
                    x = np.arange(6.0).reshape(2, 3) ** 2 / 7
                    for axis in (0, 1):
                        np.testing.assert_allclose(softmax(x, axis), definition(x, axis), rtol=1e-4)
                    np.testing.assert_allclose(x, np.arange(6.0).reshape(2, 3) ** 2 / 7)
                    far = np.array([[1000.0, 1001.0], [0.0, 1.0]])
                    np.testing.assert_allclose(softmax(far, 1), definition(far - far[:, :1], 1), rtol=1e-4)
                """,
            "unittest and lists": """
                import unittest
                @by_name
                def test_softmax(softmax):
                    case = unittest.TestCase()
                    scores = np.array([[800.0, 800.0 + math.log(9)], [0.0, 0.0]])
                    for row, right in zip(softmax(scores, axis=-1).tolist(), [[0.1, 0.9], [0.5, 0.5]]):
                        for share, expected in zip(row, right):
                            case.assertAlmostEqual(share, expected, places=4)
                    for share in softmax(np.zeros((4, 2)), axis=0).ravel().tolist():
                        case.assertAlmostEqual(share, 1 / 4)
                    case.assertEqual(scores[0, 0], 800.0)
                """,
            "torch": """
                import torch
                @by_name
                def test_softmax(softmax):
                    torch.manual_seed(0)
                    x = torch.randn(3, 4, dtype=torch.float64) * 300
                    for axis in (0, 1):
                        got = torch.as_tensor(softmax(x.numpy().copy(), axis)).double()
                        torch.testing.assert_close(got, x.softmax(axis), rtol=1e-3, atol=1e-6)
                    one = np.zeros(3) + 1
                    softmax(one)
                    assert one.sum() == 3
                    assert np.isfinite(softmax(np.array([[1e4, 1e4], [-1e4, -1e4]]))).all()
                    assert np.allclose(softmax(np.log([1.0, 3.0])), [0.25, 0.75])
                """,
        },
        wrong={
            "nothing asked": (
                "@by_name\ndef test_softmax(softmax):\n    pass",
                "without dividing by their sum",
            ),
            "printed": (
                "@by_name\ndef test_softmax(softmax):\n    print(softmax(np.zeros(3)))",
                "without dividing by their sum",
            ),
            "returned": (
                "@by_name\ndef test_softmax(softmax):\n    return np.allclose(softmax(np.zeros(4)), 0.25)",
                "returns a value",
            ),
            "without its line": (changed(TEST_SOFTMAX, ("@by_name", "")), "Keep the line"),
            "one row only": (
                """
                @by_name
                def test_softmax(softmax):
                    assert np.allclose(softmax(np.log([1.0, 3.0])), [0.25, 0.75])
                    assert np.allclose(softmax(np.array([1e4, 1e4])), 0.5)
                """,
                "ignores `axis`",
            ),
            "the last axis only": (
                changed(
                    TEST_SOFTMAX,
                    ("first = softmax(x), softmax(x, axis=0)", "first = softmax(x), softmax(x.T).T"),
                ),
                "ignores `axis`",
            ),
            "sums only": (
                """
                @by_name
                def test_softmax(softmax):
                    x = np.random.default_rng(0).random((3, 4))
                    for axis in (0, 1):
                        assert np.allclose(softmax(x, axis).sum(axis), 1)
                """,
                "divides x itself by its sum",
            ),
            "no large scores": (changed(TEST_SOFTMAX, (LARGE, "\n")), "overflows for large scores"),
            "equal to the last digit": (
                changed(
                    TEST_SOFTMAX,
                    (
                        "assert np.allclose(first.sum(0), 1)",
                        "assert (softmax(np.sin(np.arange(99.0))).sum() == 1)",
                    ),
                ),
                "rejects a correct version",
            ),
            "the wrong axis": (
                changed(TEST_SOFTMAX, ("first.sum(0)", "first.sum(1)")),
                "rejects a correct version",
            ),
            "a slip": (changed(TEST_SOFTMAX, ("math.log(3)", "math.log3")), "has no attribute"),
            "the order forgotten": (
                """
                @by_name
                def test_softmax(softmax):
                    for axis in (0, 1):
                        y = softmax(np.array([[1.0, -2.0], [-0.5, 0.5]]), axis)
                        assert np.allclose(y.sum(axis), 1) and (y > 0).all() and not np.allclose(y, 0.5)
                    assert np.allclose(softmax(np.array([[1e4, 1e4], [-1e4, -1e4]])), 0.5)
                    x = np.zeros(3) + 1
                    softmax(x)
                    assert x.sum() == 3
                """,
                "reverses the order",
                "hidden",
            ),
            "any base": (
                changed(
                    TEST_SOFTMAX,
                    (
                        "assert np.allclose(last, [[0.25, 0.75], [0.8, 0.2], [0.5, 0.5]])",
                        "assert (last > 0).all() and last[0, 1] > last[0, 0] and last[0, 0] < 0.4",
                    ),
                    ("np.allclose(first[1, 0] / first[0, 0], 4)", "first[1, 0] > first[0, 0]"),
                ),
                "powers of 2",
                "hidden",
            ),
            "large in every row": (
                changed(TEST_SOFTMAX, ("[-5000.0, -5000.0]", "[5000.0, 5000.0]")),
                "a row far below it",
                "hidden",
            ),
            "its input may change": (
                changed(
                    TEST_SOFTMAX,
                    ("assert np.array_equal(x, kept)", "pass"),
                    ("= softmax(x), softmax(x, axis=0)", "= softmax(x.copy()), softmax(x.copy(), axis=0)"),
                ),
                "changes its input in place",
                "hidden",
            ),
            "a tuple": (
                """
                @by_name
                def test_softmax(softmax):
                    assert (np.allclose(softmax(np.zeros(4)), 0.25), 'eq')
                """,
                "parentheses around both the condition",
            ),
            "failures caught": (
                """
                @by_name
                def test_softmax(softmax):
                    try:
                        assert np.allclose(softmax(np.eye(3)).sum(0), 7)
                    except Exception:
                        pass
                """,
                "catches the error",
            ),
            "no assert": (
                "@by_name\ndef test_softmax(softmax):\n    np.allclose(softmax(np.zeros(4)), 0.25)",
                "contains no `assert`",
            ),
            "always true": ("@by_name\ndef test_softmax(softmax):\n    assert True", "always true"),
        },
    ),
}
