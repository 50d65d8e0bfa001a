"""Answers to the assignment of unit 02. They use what its notebook offers: np, math, gelu, sub, and earlier
answers.
"""

from . import banks

BANK = banks(
    __name__,
    softmax=r"""
        float32
            return e / => e = np.float32(e)\nreturn e /
        logarithm of the sum
            x = x - np.max(x, axis=axis, keepdims=True)
            return np.exp(x - np.log(np.sum(np.exp(x), axis=axis, keepdims=True)))
        apply along axis
            def row(values):
                shares = [math.exp(value - max(values)) for value in values]
                return np.array([share / sum(shares) for share in shares])
            return np.apply_along_axis(row, axis, x)
        moved axis
            rows = np.moveaxis(x, axis, -1)
            e = np.exp(rows - rows.max(-1)[..., None])
            return np.moveaxis(e / e.sum(-1)[..., None], -1, axis)
        torch
            import torch
            return torch.from_numpy(x).softmax(axis).numpy()
        refuses whole numbers
            e = => if x.dtype.kind != "f":\n    raise TypeError("no floats")\ne =
        no exponential: Take the exponential first
            return x / x.sum(axis=axis, keepdims=True)
        logarithm returned: logarithm of the softmax
            x = x - x.max(axis=axis, keepdims=True)
            return x - np.log(np.exp(x).sum(axis=axis, keepdims=True))
        input changed: changes its inputs
            x -= x.max(axis=axis, keepdims=True)
            return np.exp(x) / np.exp(x).sum(axis=axis, keepdims=True)
        nothing returned: returns None
            return e / => e = e /
        other parameters: it should take (x, axis)
            (x, axis=-1) => (s, axis=-1)
            x - x.max => s - s.max
        into an array like x: take its dtype from x
            e = np.exp(x - x.max(axis=axis, keepdims=True))
            shares = np.empty_like(x)
            shares[...] = e / e.sum(axis=axis, keepdims=True)
            return shares
        dtype of x at the end: take its dtype from x
            e / e.sum(axis=axis, keepdims=True) => (e / e.sum(axis=axis, keepdims=True)).astype(x.dtype)
        maximum of the whole array if large: maximum of the whole array
            x.max(axis=axis, keepdims=True) => (x.max() if x.max() > 100 else 0)
        own maximum if far from 0: only if scores are large
            e = np.exp(x - np.where(abs(x.max(axis=axis, keepdims=True)) > 700,
                                    x.max(axis=axis, keepdims=True), 0))
            return e / e.sum(axis=axis, keepdims=True)
        own maximum if any is large: only if scores are large
            x.max(axis=axis, keepdims=True) => (x.max(axis=axis, keepdims=True) if x.max() > 700 else 0)
        nan replaced: you replace nan
            x - x.max(axis=axis, keepdims=True) => x
            e / e.sum(axis=axis, keepdims=True) => np.nan_to_num(e / e.sum(axis=axis, keepdims=True))
        base 2: powers of 2
            np.exp(x - x.max(axis=axis, keepdims=True)) => 2 ** (x - x.max(axis=axis, keepdims=True))
        eps in the sum: sum to 1 along the axis
            e.sum(axis=axis, keepdims=True) => (e.sum(axis=axis, keepdims=True) + 0.001)
        """,
    attention="""
        a large negative number added
            np.where(visible, scores, np.finfo(scores.dtype).min) => scores + np.where(visible, 0, -1e9)
        einsum, scaled query
            scores = np.einsum("...tk,...sk->...ts", q / q.shape[-1] ** 0.5, k)
            if visible is not None:
                scores = np.where(visible, scores, -1e9)
            e = np.exp(scores - scores.max(-1, keepdims=True))
            probs = e / e.sum(-1, keepdims=True)
            return np.einsum("...ts,...sk->...tk", probs, v), probs
        loops
            front = q.shape[:-2]
            probs = np.zeros(front + (q.shape[-2], k.shape[-2]))
            if visible is None:
                visible = True
            visible = np.broadcast_to(visible, probs.shape)
            context = np.zeros(q.shape)
            for at in np.ndindex(*front):
                for t in range(q.shape[-2]):
                    row = [sum(a * b for a, b in zip(q[at][t], key)) / math.sqrt(len(key)) for key in k[at]]
                    row = np.array([s if seen else -1e30 for s, seen in zip(row, visible[at][t])])
                    row = np.exp(row - row.max())
                    probs[at][t] = row / row.sum()
                    context[at][t] = sum(p * value for p, value in zip(probs[at][t], v[at]))
            return context, probs
        torch
            import torch
            q, k, v = (torch.from_numpy(a) for a in (q, k, v))
            scores = q @ k.mT / q.shape[-1] ** 0.5
            if visible is not None:
                scores = scores.masked_fill(~torch.from_numpy(visible), torch.finfo(scores.dtype).min)
            probs = scores.softmax(-1)
            return (probs @ v).numpy(), probs.numpy()
        a list of two
            return probs @ v, probs => return [probs @ v, probs]
        no scaling: you do not scale the scores
            1) / math.sqrt(q.shape[-1]) => 1)
        divided by K: you divide the scores by K. Divide them by its square root
            math.sqrt(q.shape[-1]) => q.shape[-1]
        scaled after the softmax: before the softmax
            1) / math.sqrt(q.shape[-1]) => 1)
            softmax(scores, axis=-1) => softmax(scores, axis=-1) / math.sqrt(q.shape[-1])
        visibility inverted: the wrong way round
            np.where(visible => np.where(~visible
        visible added: you add `visible`
            np.where(visible, scores, np.finfo(scores.dtype).min) => scores + visible
        hidden after the softmax: so the probabilities no longer sum to 1
            probs = softmax(q @ k.swapaxes(-2, -1) / math.sqrt(q.shape[-1]))
            if visible is not None:
                probs = np.where(visible, probs, 0)
            return probs @ v, probs
        hidden after the softmax, divided again: you mask after the softmax and divide by the new sum
            probs = softmax(q @ k.swapaxes(-2, -1) / math.sqrt(q.shape[-1]))
            if visible is not None:
                probs = probs * visible
                probs = probs / probs.sum(-1, keepdims=True)
            return probs @ v, probs
        hidden score minus infinity: without any visible key gets nan
            np.finfo(scores.dtype).min => -np.inf
        scores returned: return the scores
            return probs @ v, probs => return probs @ v, scores
        key not turned: the shapes of q and k do not match
            k.swapaxes(-2, -1) => k
        k.T: the shapes of q and k do not match
            k.swapaxes(-2, -1) => k.T
        a blind query's shares are 1: sum to 5
            scores = q @ k.swapaxes(-2, -1) / math.sqrt(q.shape[-1])
            if visible is not None:
                scores = np.where(visible, scores, np.finfo(scores.dtype).min)
            probs = softmax(scores, axis=-1)
            if visible is not None:
                probs = np.where(np.broadcast_to(visible, scores.shape).any(-1, keepdims=True), probs, 1)
            return probs @ v, probs
        a blind query's context is 0: does not match its probabilities
            scores = q @ k.swapaxes(-2, -1) / math.sqrt(q.shape[-1])
            if visible is not None:
                scores = np.where(visible, scores, np.finfo(scores.dtype).min)
            probs = softmax(scores, axis=-1)
            return probs @ v if visible is None else np.broadcast_to(
                visible, scores.shape).any(-1, keepdims=True) * (probs @ v), probs
        hidden score -1000: not low enough
            np.finfo(scores.dtype).min => -1000.0
        hidden score lowered by 50: not low enough
            np.where(visible, scores, np.finfo(scores.dtype).min) => scores - np.where(visible, 0, 50)
        hidden only where the shapes agree: you ignore `visible`
            is not None => is not None and visible.shape == scores.shape
        hidden score below the lowest: value of a masked key
            np.finfo(scores.dtype).min => scores.min() - 10
        """,
    split_heads="""
        float32
            return x. => return x.astype(np.float32).
        slices
            K = x.shape[2] // num_heads
            return np.stack([x[:, :, h * K:(h + 1) * K] for h in range(num_heads)], axis=1)
        split
            return np.stack(np.split(x, num_heads, axis=-1), 1)
        loops
            B, T, D = x.shape
            K = D // num_heads
            heads = np.zeros((B, num_heads, T, K))
            for d in range(D):
                heads[:, d // K, :, d % K] = x[:, :, d]
            return heads
        torch
            import torch
            return torch.from_numpy(x).unflatten(-1, (num_heads, -1)).transpose(1, 2).numpy()
        a tensor
            import torch
            return torch.tensor(x.copy()).unflatten(-1, (num_heads, -1)).transpose(1, 2)
        strided slices: interleaved
            return np.stack([x[:, :, h::num_heads] for h in range(num_heads)], 1)
        list of heads: head axis comes before the batch axis
            return np.split(x, num_heads, axis=-1)
        all columns: all D columns
            return np.stack([x] * num_heads, axis=1)
        reversed heads: concatenating the heads gives x
            swapaxes(1, 2) => swapaxes(1, 2)[:, ::-1]
        shape of x set: it changes its inputs
            B, T, D = x.shape
            x.shape = (B, T, num_heads, D // num_heads)
            return x.swapaxes(1, 2)
        x resized: it changes its inputs
            B, T, D = x.shape
            x.resize((B, T, num_heads, D // num_heads), refcheck=False)
            return x.swapaxes(1, 2)
        reversed tokens: concatenating the heads gives x
            swapaxes(1, 2) => swapaxes(1, 2)[:, :, ::-1]
        half precision: values differ|values of
            return x. => return x.astype(np.float16).
        """,
    multi_head_attention=r"""
        float32
            x, weights = x.astype(np.float32), {name: w.astype(np.float32) for name, w in weights.items()}
            q = split_heads(x @ weights["query.weight"].T + weights["query.bias"], num_heads)
            k = split_heads(x @ weights["key.weight"].T + weights["key.bias"], num_heads)
            v = split_heads(x @ weights["value.weight"].T + weights["value.bias"], num_heads)
            context, probs = attention(q, k, v, None if visible is None else visible[:, None])
            joined = context.swapaxes(1, 2).reshape(x.shape)
            output = joined @ weights["out.weight"].T + weights["out.bias"]
            return output, probs
        one head after the other
            K = x.shape[-1] // num_heads
            q, k, v = (x @ weights[n + ".weight"].T + weights[n + ".bias"] for n in ("query", "key", "value"))
            contexts, probs = [], []
            for h in range(num_heads):
                mine = slice(h * K, (h + 1) * K)
                c, p = attention(q[..., mine], k[..., mine], v[..., mine], visible)
                contexts.append(c)
                probs.append(p)
            joined = np.concatenate(contexts, axis=-1)
            return joined @ weights["out.weight"].T + weights["out.bias"], np.stack(probs, axis=1)
        einsum
            def heads(name):
                W = weights[name + ".weight"].reshape(num_heads, -1, x.shape[-1])
                b = weights[name + ".bias"].reshape(num_heads, 1, -1)
                return np.einsum("btd,hkd->bhtk", x, W) + b
            context, probs = attention(heads("query"), heads("key"), heads("value"),
                                       visible if visible is None else np.expand_dims(visible, 1))
            W = weights["out.weight"].reshape(x.shape[-1], num_heads, -1)
            return np.einsum("bhtk,dhk->btd", context, W) + weights["out.bias"], probs
        one row after the other
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
        torch
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
        one head: a single head of size D
            q, k, v = (x @ weights[n + ".weight"].T + weights[n + ".bias"] for n in ("query", "key", "value"))
            context, probs = attention(q, k, v, visible)
            return context @ weights["out.weight"].T + weights["out.bias"], probs
        visibility inverted: the wrong way round
            visible[:, None] => ~visible[:, None]
        visibility without a head axis: Give it a head axis
            None if visible is None else visible[:, None] => visible
        visibility of one query: that of a single query, for all queries
            visible[:, None] => visible[:, -1:][:, None]
        visibility of the first sequence: the mask of the first sequence
            visible[:, None] => visible[:1, None]
        visibility with swapped axes: swap the two token axes
            visible[:, None] => visible.swapaxes(1, 2)[:, None]
        projected twice: apply the output projection twice
            project(joined, "out") => project(project(joined, "out"), "out")
        values from the query weights: compute the values with the query weights
            "key", "value" => "key", "query"
        probabilities reversed: the probabilities have the heads in reverse order
            "out"), probs => "out"), probs[:, ::-1]
        """,
    positional_encoding="""
        loops
            table = np.zeros((length, hidden_size))
            for t in range(length):
                for d in range(hidden_size):
                    angle = t / 10000 ** ((d - d % 2) / hidden_size)
                    table[t, d] = math.cos(angle) if d % 2 else math.sin(angle)
            return table
        exponential of a logarithm
            slow = np.exp(np.arange(0, hidden_size, 2) * (-math.log(10000.0) / hidden_size))
            angles = np.outer(np.arange(length), slow)
            return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(length, hidden_size)
        cosine as a shifted sine
            d = np.arange(hidden_size)
            angles = np.arange(length)[:, None] * 10000.0 ** -((d - d % 2) / hidden_size)
            return np.sin(angles + d % 2 * np.pi / 2)
        float32
            (length, hidden_size)) => (length, hidden_size), np.float32)
        torch
            import torch
            slow = 10000 ** (torch.arange(0, hidden_size, 2) / hidden_size)
            angles = torch.arange(length)[:, None] / slow
            return torch.stack([angles.sin(), angles.cos()], -1).flatten(1).numpy()
        halves: all sines come first
            0::2 => :hidden_size // 2
            1::2 => hidden_size // 2:
        exponent without the 2: Multiply it by 2
            2 * i => i
        doubled twice: the exponent is twice as large as it should be
            np.arange(hidden_size // 2) => np.arange(0, hidden_size, 2)
        own exponents: its own exponent
            d = np.arange(hidden_size)
            angles = np.arange(length)[:, None] / 10000 ** (d / hidden_size)
            angles[:, 0::2], angles[:, 1::2] = np.sin(angles[:, 0::2]), np.cos(angles[:, 1::2])
            return angles
        swapped: sine and cosine are swapped
            sin => cos
            1::2] = np.cos => 1::2] = np.sin
        degrees: as if they were in degrees
            [:, None] / 10000 => [:, None] * np.pi / 180 / 10000
        times pi: multiply the angles by pi
            angles = => angles = np.pi *
        base of the length: length of the table
            10000 ** => length **
        sign: sign of the sine
            np.sin => -np.sin
        backwards: run backwards
            [:, None] => [::-1, None]
        again after 512: start again after 512
            np.arange(length) => (np.arange(length) % 512)
        whole division: rounded down to integers
            / 10000 => // 10000
        exponent 2i + 1: the odd columns have a larger exponent
            (2 * i / => ((2 * i + 1) /
        """,
    layer_norm=r"""
        sums
            D = x.shape[-1]
            centred = x - x.sum(-1, keepdims=True) / D
            variance = (centred ** 2).sum(-1, keepdims=True) / D
            return centred * (variance + eps) ** -0.5 * gamma + beta
        std
            np.sqrt(variance + eps) => np.sqrt(x.std(-1)[..., None] ** 2 + eps)
        one row after the other
            def row(values):
                mean = sum(values) / len(values)
                variance = sum((value - mean) ** 2 for value in values) / len(values)
                return [g * (value - mean) / math.sqrt(variance + eps) + b
                        for value, g, b in zip(values, gamma, beta)]
            return np.apply_along_axis(row, -1, x)
        mean of squares: changes nothing, however large it is
            x.var(axis=-1, keepdims=True) => (x.astype(float) ** 2).mean(-1, keepdims=True) - mean ** 2
        torch
            import torch
            x, gamma, beta = (torch.from_numpy(a) for a in (x, gamma, beta))
            return torch.nn.functional.layer_norm(x, x.shape[-1:], gamma, beta, eps).numpy()
        over the tokens: run over the tokens
            axis=-1 =>> axis=-2
        over the batch: BatchNorm
            axis=-1 =>> axis=0
        over everything: whole array
            mean(axis=-1, keepdims=True) => mean(keepdims=True)
            axis=-1, keepdims => keepdims
        over tokens and columns: all axes but the first
            axis=-1 =>> axis=tuple(range(1, x.ndim))
        torch's std: the variance divides by D - 1
            import torch
            std = torch.from_numpy(x).std(-1, keepdim=True).numpy()
            return gamma * (x - x.mean(-1, keepdims=True)) / np.sqrt(std ** 2 + eps) + beta
        axis lost: keepdims
            , keepdims=True =>>
        input changed: changes its inputs
            variance = => x -= mean\nvariance =
            (x - mean) => x
        eps as the least variance: eps as a minimum of the variance
            variance + eps => np.maximum(variance, eps)
        1 + gamma: 1 + gamma
            return gamma => return (1 + gamma)
        median: the median
            x.mean(axis => np.median(x, axis
        root of eps by itself: take the root of eps separately
            np.sqrt(variance + eps) => (np.sqrt(variance) + np.sqrt(eps))
        beta twice: add beta twice
            + beta => + 2 * beta
        """,
    encoder_layer=r"""
        float32
            x, weights = x.astype(np.float32), {name: w.astype(np.float32) for name, w in weights.items()}
            def norm(x, name):
                return layer_norm(x, weights[name + ".weight"], weights[name + ".bias"])
            attended, _ = multi_head_attention(x, sub(weights, "attention"), num_heads, visible)
            h = norm(x + attended, "attention_norm")
            inner = gelu(h @ weights["feed_forward.up.weight"].T + weights["feed_forward.up.bias"])
            fed = inner @ weights["feed_forward.down.weight"].T + weights["feed_forward.down.bias"]
            return norm(h + fed, "feed_forward_norm")
        names one by one
            mine = {name: weights["attention." + name] for name in
                    [f"{p}.{w}" for p in ("query", "key", "value", "out")
                     for w in ("weight", "bias")]}
            x = x + multi_head_attention(x, mine, num_heads, visible)[0]
            x = layer_norm(x, weights["attention_norm.weight"], weights["attention_norm.bias"])
            wide = np.einsum("btd,fd->btf", x, weights["feed_forward.up.weight"])
            inner = gelu(wide + weights["feed_forward.up.bias"])
            back = np.einsum("btf,df->btd", inner, weights["feed_forward.down.weight"])
            x = x + back + weights["feed_forward.down.bias"]
            return layer_norm(x, weights["feed_forward_norm.weight"], weights["feed_forward_norm.bias"])
        token by token
            def norm(x, name):
                return layer_norm(x, weights[name + ".weight"], weights[name + ".bias"])
            attended, _ = multi_head_attention(x, sub(weights, "attention"), num_heads, visible)
            h = norm(x + attended, "attention_norm")
            inner = gelu(h @ weights["feed_forward.up.weight"].T + weights["feed_forward.up.bias"])
            fed = np.stack([[weights["feed_forward.down.weight"] @ t for t in row]
                            for row in inner]) + weights["feed_forward.down.bias"]
            return norm(h + fed, "feed_forward_norm")
        gelu of its own
            def encoder_layer(x, weights, num_heads, visible=None):
                def norm(x, name):
                    return layer_norm(x, weights[name + ".weight"], weights[name + ".bias"])
                attended, _ = multi_head_attention(x, sub(weights, "attention"), num_heads, visible)
                h = norm(x + attended, "attention_norm")
                inner = smooth(h @ weights["feed_forward.up.weight"].T + weights["feed_forward.up.bias"])
                fed = inner @ weights["feed_forward.down.weight"].T + weights["feed_forward.down.bias"]
                return norm(h + fed, "feed_forward_norm")
            def smooth(x):
                below = np.vectorize(lambda z: 0.5 * (1 + math.erf(z / math.sqrt(2))))
                return x * below(x)
        torch
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
        scaled before the norm
            x + attended => 2 * (x + attended)
        visibility of one query: that of a single query, for all queries
            , visible) => , None if visible is None else visible[:, :1])
        one head: a single head of size D
            num_heads, visible) => 1, visible)
        tanh: uses tanh
            gelu( => np.tanh(
        gamma and beta swapped: gamma and beta of
            attention_norm.weight => gamma
            attention_norm.bias => attention_norm.weight
            gamma => attention_norm.bias
        x and h added: adds x and h
            h + fed => h + x + fed
        gelu of x: x before attention
            attended, _ => x = gelu(x)\nattended, _
        """,
    count_parameters="""
        tables
            D, F = hidden_size, intermediate_size
            rows = (vocab_size, max_position_embeddings, type_vocab_size)
            tables = [(n, D) for n in rows] + [(D,), (D,), (D, D), (D,)]
            layer = 4 * [(D, D), (D,)] + [(F, D), (F,), (D, F), (D,)] + 4 * [(D,)]
            return sum(math.prod(shape) for shape in tables + num_hidden_layers * layer)
        head by head
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
        one formula
            V, D, L, F, P, S = (vocab_size, hidden_size, num_hidden_layers, intermediate_size,
                                max_position_embeddings, type_vocab_size)
            return D * (V + P + S + 3 + D) + L * (4 * D ** 2 + 9 * D + F + 2 * D * F)
        NumPy number
            return embeddings => return np.int64(0) + embeddings
        float
            return embeddings => return 1.0 * embeddings
        an array without axes
            D, F = hidden_size, intermediate_size
            norm = 2 * D
            embeddings = (vocab_size + max_position_embeddings + type_vocab_size) * D + norm
            attention_part = 4 * (D * D + D)
            feed_forward = D * F + F + F * D + D
            layer = attention_part + norm + feed_forward + norm
            pooler = D * D + D
            return np.array(embeddings + num_hidden_layers * layer + pooler)
        text: should return one number
            return embeddings + num_hidden_layers * layer + pooler => return '110M'
        a norm per head: once per head
            norm = 2 * D => norm = 2 * D * num_attention_heads
        two poolers: count the pooler twice
            layer + pooler => layer + 2 * pooler
        a layer too few: one layer too few
            num_hidden_layers * layer => (num_hidden_layers - 1) * layer
        two segments: use `type_vocab_size`
            + type_vocab_size) * => + 2) *
        bias of size V: bias of size V
            layer + pooler => layer + pooler + vocab_size
        """,
    gpt_layer=r"""
        float32
            x, weights = x.astype(np.float32), {name: w.astype(np.float32) for name, w in weights.items()}
            B, T, D = x.shape
            def norm(x, name):
                return layer_norm(x, weights[name + ".weight"], weights[name + ".bias"])
            def linear(x, name):
                return x @ weights[name + ".weight"].T + weights[name + ".bias"]
            earlier = np.broadcast_to(np.tril(np.ones((T, T), bool)), (B, T, T))
            attended, _ = multi_head_attention(
                norm(x, "attention_norm"), sub(weights, "attention"), num_heads, earlier)
            h = x + attended
            return h + linear(gelu(linear(norm(h, "feed_forward_norm"), "feed_forward.up")),
                              "feed_forward.down")
        with a loop over the tokens
            def norm(x, name):
                return layer_norm(x, weights[name + ".weight"], weights[name + ".bias"])
            outputs = []
            for t in range(x.shape[1]):
                seen = x[:, :t + 1]
                normed = norm(seen, "attention_norm")
                h = seen + multi_head_attention(normed, sub(weights, "attention"), num_heads)[0]
                inner = gelu(norm(h, "feed_forward_norm") @ weights["feed_forward.up.weight"].T
                             + weights["feed_forward.up.bias"])
                fed = (inner @ weights["feed_forward.down.weight"].T + weights["feed_forward.down.bias"])
                outputs.append((h + fed)[:, -1])
            return np.stack(outputs, axis=1)
        einsum and a sum of three
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
        torch
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
        looks ahead [1]: does not depend on later tokens
            [:, None] => [:, None] + 1
        x is added again [1]: output of attention is still added
            return h + => return x +
        first norm twice [1]: every weight affects the output
            norm(h, "feed_forward_norm") => norm(h, "attention_norm")
        bugs 1 and 2 left [2]: does not depend on later tokens
            [:, None] => [:, None] + 1
            return h + => return x +
        bugs 1 and 3 left [2]: does not depend on later tokens
            [:, None] => [:, None] + 1
            norm(h, "feed_forward_norm") => norm(h, "attention_norm")
        bugs 2 and 3 left [2]: output of attention is still added
            return h + => return x +
            norm(h, "feed_forward_norm") => norm(h, "attention_norm")
        nothing mended [3]: does not depend on later tokens
            [:, None] => [:, None] + 1
            return h + => return x +
            norm(h, "feed_forward_norm") => norm(h, "attention_norm")
        not even itself: A token does not attend to
            [:, None] => [:, None] - 1
        to the right: A token attends to itself and to later tokens, because the
            <= => >=
        everything seen: Every token attends to all
            earlier, (B => True, (B
        norms behind, as in BERT: there is another mistake
            T = x.shape[1]
            return encoder_layer(x, weights, num_heads,
                                 np.broadcast_to(np.tri(T, dtype=bool), (len(x), T, T)))
        norm added: there is another mistake
            h = x + attended => h = norm(x, "attention_norm") + attended
        nothing returned: returns None
            return h + => h +
        x changed: changes its inputs
            h = x + attended => x += attended; h = x
        first residual missing: first residual connection is missing
            h = x + attended => h = attended
        ReLU: uses ReLU
            gelu(linear => np.maximum(0, linear
        not even itself, by <: does not attend to itself
            <= => <
        no visibility: attends to all others
            num_heads, visible => num_heads, None
        one head: a single head of size D
            num_heads, visible => 1, visible
        a window: only to nearby
            [:, None] => [:, None]) & (np.arange(T) > np.arange(T)[:, None] - 3)
            earlier = => earlier = (
        halved: you halve
            return h + => return h + 0.5 *
        """,
    test_softmax=r"""
        by hand
            x = np.array([[0.0, math.log(3)], [math.log(4), 0.0], [2.0, 2.0]])
            kept = x.copy()
            last, first = softmax(x), softmax(x, axis=0)
            assert np.allclose(last, [[0.25, 0.75], [0.8, 0.2], [0.5, 0.5]])
            assert np.allclose(first.sum(0), 1) and np.allclose(first[1, 0] / first[0, 0], 4)
            assert np.array_equal(x, kept)
            large = softmax(np.array([[5000.0, 5000.0], [-5000.0, -5000.0]]))
            assert np.allclose(large, 0.5)
            assert np.allclose(softmax(np.zeros((2, 3, 4)), 1), 1 / 3)
        by laws
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
        against a definition
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
                deep = np.arange(24.0).reshape(2, 3, 4) / 9
                np.testing.assert_allclose(softmax(deep, 0), definition(deep, 0), rtol=1e-4)
        unittest and lists
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
                case.assertAlmostEqual(softmax(np.zeros((4, 3, 2)), axis=0)[0, 0, 0], 1 / 4)
        torch
            import torch
            @by_name
            def test_softmax(softmax):
                torch.manual_seed(0)
                x = torch.randn(3, 4, 2, dtype=torch.float64) * 300
                for axis in (0, 1):
                    got = torch.as_tensor(softmax(x.numpy().copy(), axis)).double()
                    torch.testing.assert_close(got, x.softmax(axis), rtol=1e-3, atol=1e-6)
                one = np.zeros(3) + 1
                softmax(one)
                assert one.sum() == 3
                assert np.isfinite(softmax(np.array([[1e4, 1e4], [-1e4, -1e4]]))).all()
                assert np.allclose(softmax(np.log([1.0, 3.0])), [0.25, 0.75])
        nothing asked: without dividing by their sum
            pass
        printed: without dividing by their sum
            print(softmax(np.zeros(3)))
        returned: returns a value
            return np.allclose(softmax(np.zeros(4)), 0.25)
        without its line: Keep the line
            @by_name =>
        one row only: ignores `axis`
            assert np.allclose(softmax(np.log([1.0, 3.0])), [0.25, 0.75])
            assert np.allclose(softmax(np.array([1e4, 1e4])), 0.5)
        the last axis only: ignores `axis`
            softmax(x, axis=0) => softmax(x.T).T
            softmax(np.zeros((2, 3, 4)), axis=1) => 1 / 3
        sums only: divides x itself by its sum
            x = np.random.default_rng(0).random((3, 4))
            for axis in (0, 1):
                assert np.allclose(softmax(x, axis).sum(axis), 1)
        no large scores: overflows for large scores
            x = np.array([[0.0, math.log(3)], [math.log(4), 0.0], [2.0, 2.0]])
            kept = x.copy()
            last, first = softmax(x), softmax(x, axis=0)
            assert np.allclose(last, [[0.25, 0.75], [0.8, 0.2], [0.5, 0.5]])
            assert np.allclose(first.sum(0), 1) and np.allclose(first[1, 0] / first[0, 0], 4)
            assert np.array_equal(x, kept)
        equal to the last digit: rejects a correct version
            before = => assert softmax(np.sin(np.arange(99.0))).sum() == 1\nbefore =
        the wrong axis: rejects a correct version
            axis=0 => axis=1
        a slip: has no attribute
            np.log => np.ln
        two axes only [hidden]: three axes or more
            softmax(np.zeros((2, 3, 4)), axis=1) => 1 / 3
        the order forgotten [hidden]: reverses the order
            for axis in (0, 1):
                y = softmax(np.array([[1.0, -2.0], [-0.5, 0.5]]), axis)
                assert np.allclose(y.sum(axis), 1) and (y > 0).all() and not np.allclose(y, 0.5)
            assert np.allclose(softmax(np.array([[1e4, 1e4], [-1e4, -1e4]])), 0.5)
            x = np.zeros(3) + 1
            softmax(x)
            assert x.sum() == 3
        any base [hidden]: powers of 2
            x = np.array([[0.0, math.log(3)], [math.log(4), 0.0], [2.0, 2.0]])
            kept = x.copy()
            last, first = softmax(x), softmax(x, axis=0)
            assert (last > 0).all() and last[0, 1] > last[0, 0] and last[0, 0] < 0.4
            assert np.allclose(first.sum(0), 1) and first[1, 0] > first[0, 0]
            assert np.array_equal(x, kept)
            large = softmax(np.array([[5000.0, 5000.0], [-5000.0, -5000.0]]))
            assert np.allclose(large, 0.5)
        large in every row [hidden]: a row far below it
            [-1000.0, -1000.0] => [1000.0, 1000.0]
        its input may change [hidden]: changes its input in place
            (x == before).all() => True
            softmax(x), => softmax(x.copy()),
            softmax(x, axis=0) => softmax(x.copy(), axis=0)
        a tuple: parentheses around both the condition
            assert (np.allclose(softmax(np.zeros(4)), 0.25), 'eq')
        failures caught: catches the error
            try:
                assert np.allclose(softmax(np.eye(3)).sum(0), 7)
            except Exception:
                pass
        no assert: contains no `assert`
            np.allclose(softmax(np.zeros(4)), 0.25)
        always true: always true
            assert True
        """,
)
