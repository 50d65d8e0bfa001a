"""More answers to the assignment of unit 02, written from its text; see `unit02`."""

from . import Bank

RIGHT = {
    "softmax": {
        "PyTorch, which takes no whole numbers": """
            def softmax(x, axis=-1):
                import torch
                return torch.from_numpy(np.ascontiguousarray(x)).softmax(axis).numpy()
            """,
        "refuses whole numbers": """
            def softmax(x, axis=-1):
                if x.dtype.kind != "f":
                    raise TypeError("scores have to be floats")
                e = np.exp(x - x.max(axis=axis, keepdims=True))
                return e / e.sum(axis=axis, keepdims=True)
            """,
        "all in float32": """
            def softmax(x, axis=-1):
                x = x.astype(np.float32)
                e = np.exp(x - x.max(axis=axis, keepdims=True))
                return e / e.sum(axis=axis, keepdims=True)
            """,
    },
    "attention": {
        "a list of two": """
            def attention(q, k, v, visible=None):
                scores = np.einsum('...tk,...sk->...ts', q, k) / math.sqrt(q.shape[-1])
                if visible is not None:
                    scores = np.where(visible, scores, -1e9)
                probs = softmax(scores)
                return [np.einsum('...ts,...sk->...tk', probs, v), probs]
            """,
    },
    "multi_head_attention": {
        "a list of two": """
            def multi_head_attention(x, weights, num_heads, visible=None):
                names = ('query', 'key', 'value')
                q, k, v = [split_heads(x @ weights[n + '.weight'].T + weights[n + '.bias'],
                    num_heads) for n in names]
                context, probs = attention(q, k, v,
                    visible if visible is None else np.expand_dims(visible, 1))
                joined = np.concatenate([context[:, h] for h in range(num_heads)], axis=-1)
                return [joined @ weights['out.weight'].T + weights['out.bias'], probs]
            """,
    },
    "encoder_layer": {
        "scaled before the norm": """
            def encoder_layer(x, weights, num_heads, visible=None):
                def norm(y, name):
                    return layer_norm(y, weights[name + '.weight'], weights[name + '.bias'])

                h = norm(2 * (x + multi_head_attention(x, sub(weights, 'attention'), num_heads,
                    visible)[0]), 'attention_norm')
                inner = gelu(h @ weights['feed_forward.up.weight'].T + weights['feed_forward.up.bias'])
                return norm(h + inner @ weights['feed_forward.down.weight'].T
                    + weights['feed_forward.down.bias'], 'feed_forward_norm')
            """,
    },
    "split_heads": {
        "a tensor": """
            import torch

            def split_heads(x, num_heads):
                B, T, D = x.shape
                return torch.tensor(x.copy()).reshape(B, T, num_heads, D // num_heads).transpose(1, 2)
            """,
    },
    "count_parameters": {
        "an array without axes": """
            def count_parameters(vocab_size, hidden_size, num_hidden_layers, num_attention_heads,
                intermediate_size,
                                 max_position_embeddings, type_vocab_size):
                D, F = hidden_size, intermediate_size
                shapes = [(vocab_size, D), (max_position_embeddings, D), (type_vocab_size, D), (2, D), (D,
                    D), (D,)]
                layer = [(4, D, D), (4, D), (2, D), (F, D), (F,), (D, F), (D,), (2, D)]
                return np.array(sum(math.prod(s) for s in shapes)
                    + num_hidden_layers * sum(math.prod(s) for s in layer))
            """,
    },
}
WRONG = {
    "softmax": {
        "into an array like x": (
            """
            def softmax(x, axis=-1):
                shares = np.empty_like(x)
                e = np.exp(x - x.max(axis=axis, keepdims=True))
                shares[...] = e / e.sum(axis=axis, keepdims=True)
                return shares
            """,
            "take its dtype from x",
        ),
        "dtype of x at the end": (
            """
            def softmax(x, axis=-1):
                e = np.exp(x - x.max(axis=axis, keepdims=True))
                return (e / e.sum(axis=axis, keepdims=True)).astype(x.dtype)
            """,
            "take its dtype from x",
        ),
        "exp cut to whole numbers": (
            """
            def softmax(x, axis=-1):
                e = np.exp(x - x.max(axis=axis, keepdims=True), dtype=float).astype(x.dtype)
                return e / e.sum(axis=axis, keepdims=True)
            """,
            "take its dtype from x",
        ),
        "global max if large": (
            """
            def softmax(x, axis=-1):
                m = x.max() if x.max() > 100 else 0
                e = np.exp(x - m)
                return e / e.sum(axis=axis, keepdims=True)
            """,
            "maximum of the whole array",
        ),
        "own max above": (
            """
            def softmax(x, axis=-1):
                m = x.max(axis=axis, keepdims=True)
                e = np.exp(x - np.where(abs(m) > 700, m, 0))
                return e / e.sum(axis=axis, keepdims=True)
            """,
            "only where scores are large",
        ),
        "threshold 700": (
            """
            def softmax(x, axis=-1):
                if x.max() > 700:
                    x = x - x.max(axis=axis, keepdims=True)
                e = np.exp(x)
                return e / e.sum(axis=axis, keepdims=True)
            """,
            "only where scores are large",
        ),
        "clip": (
            """
            def softmax(x, axis=-1):
                e = np.exp(np.clip(x, -700, 700))
                return e / e.sum(axis=axis, keepdims=True)
            """,
            "scores are clipped",
        ),
        "nan to num": (
            """
            def softmax(x, axis=-1):
                e = np.exp(x)
                return np.nan_to_num(e / e.sum(axis=axis, keepdims=True))
            """,
            "nan is replaced",
        ),
        "base 2": (
            """
            def softmax(x, axis=-1):
                e = 2 ** (x - x.max(axis=axis, keepdims=True))
                return e / e.sum(axis=axis, keepdims=True)
            """,
            "powers of 2",
        ),
        "min": (
            """
            def softmax(x, axis=-1):
                e = np.exp(x - x.min(axis=axis, keepdims=True))
                return e / e.sum(axis=axis, keepdims=True)
            """,
            "subtract the minimum",
        ),
        "plus eps": (
            """
            def softmax(x, axis=-1):
                e = np.exp(x - x.max(axis=axis, keepdims=True))
                return e / (e.sum(axis=axis, keepdims=True) + 0.001)
            """,
            "sum to 1 along the axis",
        ),
    },
    "attention": {
        "blindS": (
            """
            def attention(q, k, v, visible=None):
                scores = q @ k.swapaxes(-2, -1) / math.sqrt(q.shape[-1])
                if visible is not None:
                    scores = np.where(visible, scores, np.finfo(scores.dtype).min)
                probs = softmax(scores, axis=-1)
                if visible is not None:
                    probs = np.where(np.broadcast_to(visible, scores.shape).any(-1, keepdims=True), probs,
                        1.0)
                return (probs @ v, probs)
            """,
            "sum to 5",
        ),
        "blindmean": (
            """
            def attention(q, k, v, visible=None):
                scores = q @ k.swapaxes(-2, -1) / math.sqrt(q.shape[-1])
                if visible is not None:
                    scores = np.where(visible, scores, np.finfo(scores.dtype).min)
                probs = softmax(scores, axis=-1)
                if visible is not None:
                    blind = ~np.broadcast_to(visible, scores.shape).any(-1, keepdims=True)
                    return (np.where(blind, 0, probs @ v), probs)
                return (probs @ v, probs)
            """,
            "not what its shares say",
        ),
        "floor": (
            """
            def attention(q, k, v, visible=None):
                scores = q @ k.swapaxes(-2, -1) / math.sqrt(q.shape[-1])
                if visible is not None:
                    scores = np.where(visible, scores, -1000.0)
                probs = softmax(scores, axis=-1)
                return (probs @ v, probs)
            """,
            "not low enough",
        ),
        "zerofirst": (
            """
            def attention(q, k, v, visible=None):
                scores = q @ k.swapaxes(-2, -1) / math.sqrt(q.shape[-1])
                if visible is not None:
                    scores = scores - np.where(visible, 0, 50)
                probs = softmax(scores, axis=-1)
                return (probs @ v, probs)
            """,
            "not low enough",
        ),
        "hideif": (
            """
            def attention(q, k, v, visible=None):
                scores = q @ k.swapaxes(-2, -1) / math.sqrt(q.shape[-1])
                if visible is not None and visible.shape == scores.shape:
                    scores = np.where(visible, scores, np.finfo(scores.dtype).min)
                probs = softmax(scores, axis=-1)
                return (probs @ v, probs)
            """,
            "`visible` is ignored",
        ),
        "minscore": (
            """
            def attention(q, k, v, visible=None):
                scores = q @ k.swapaxes(-2, -1) / math.sqrt(q.shape[-1])
                if visible is not None:
                    scores = np.where(visible, scores, scores.min() - 10)
                probs = softmax(scores, axis=-1)
                return (probs @ v, probs)
            """,
            "value at a hidden key",
        ),
    },
    "split_heads": {
        "shape of x set": (
            """
            def split_heads(x, num_heads):
                B, T, D = x.shape
                x.shape = (B, T, num_heads, D // num_heads)
                return x.swapaxes(1, 2)
            """,
            "it changes its inputs",
        ),
        "x resized": (
            """
            def split_heads(x, num_heads):
                B, T, D = x.shape
                x.resize((B, T, num_heads, D // num_heads), refcheck=False)
                return x.swapaxes(1, 2)
            """,
            "it changes its inputs",
        ),
        "rev": (
            """
            def split_heads(x, num_heads):
                B, T, D = x.shape
                return x.reshape(B, T, num_heads, D // num_heads).swapaxes(1, 2)[:, ::-1]
            """,
            "heads side by side",
        ),
        "flipT": (
            """
            def split_heads(x, num_heads):
                B, T, D = x.shape
                return x.reshape(B, T, num_heads, D // num_heads).swapaxes(1, 2)[:, :, ::-1]
            """,
            "heads side by side",
        ),
        "half": (
            """
            def split_heads(x, num_heads):
                B, T, D = x.shape
                return x.astype(np.float16).reshape(B, T, num_heads, D // num_heads).swapaxes(1, 2)
            """,
            "values differ|values of",
        ),
    },
    "multi_head_attention": {
        "lastvis": (
            """
            def multi_head_attention(x, weights, num_heads, visible=None):

                def project(x, name):
                    return x @ weights[f'{name}.weight'].T + weights[f'{name}.bias']
                q, k, v = (split_heads(project(x, name), num_heads) for name in ('query', 'key', 'value'))
                context, probs = attention(q, k, v, None if visible is None else visible[:, -1:][:, None])
                joined = context.swapaxes(1, 2).reshape(x.shape)
                return (project(joined, 'out'), probs)
            """,
            "one query is used for all",
        ),
        "firstrow": (
            """
            def multi_head_attention(x, weights, num_heads, visible=None):

                def project(x, name):
                    return x @ weights[f'{name}.weight'].T + weights[f'{name}.bias']
                q, k, v = (split_heads(project(x, name), num_heads) for name in ('query', 'key', 'value'))
                context, probs = attention(q, k, v, None if visible is None else visible[:1, None])
                joined = context.swapaxes(1, 2).reshape(x.shape)
                return (project(joined, 'out'), probs)
            """,
            "first sequence is used",
        ),
        "vistr": (
            """
            def multi_head_attention(x, weights, num_heads, visible=None):

                def project(x, name):
                    return x @ weights[f'{name}.weight'].T + weights[f'{name}.bias']
                q, k, v = (split_heads(project(x, name), num_heads) for name in ('query', 'key', 'value'))
                context, probs = attention(q, k, v, None if visible is None else visible.swapaxes(1, 2)[:,
                    None])
                joined = context.swapaxes(1, 2).reshape(x.shape)
                return (project(joined, 'out'), probs)
            """,
            "two token axes swapped",
        ),
        "twice": (
            """
            def multi_head_attention(x, weights, num_heads, visible=None):

                def project(x, name):
                    return x @ weights[f'{name}.weight'].T + weights[f'{name}.bias']
                q, k, v = (split_heads(project(x, name), num_heads) for name in ('query', 'key', 'value'))
                context, probs = attention(q, k, v, None if visible is None else visible[:, None])
                joined = context.swapaxes(1, 2).reshape(x.shape)
                return (project(project(joined, 'out'), 'out'), probs)
            """,
            "applied twice",
        ),
        "valq": (
            """
            def multi_head_attention(x, weights, num_heads, visible=None):

                def project(x, name):
                    return x @ weights[f'{name}.weight'].T + weights[f'{name}.bias']
                q, k, v = (split_heads(project(x, name), num_heads) for name in ('query', 'key', 'query'))
                context, probs = attention(q, k, v, None if visible is None else visible[:, None])
                joined = context.swapaxes(1, 2).reshape(x.shape)
                return (project(joined, 'out'), probs)
            """,
            "made with the query weights",
        ),
        "order": (
            """
            def multi_head_attention(x, weights, num_heads, visible=None):

                def project(x, name):
                    return x @ weights[f'{name}.weight'].T + weights[f'{name}.bias']
                q, k, v = (split_heads(project(x, name), num_heads) for name in ('query', 'key', 'value'))
                context, probs = attention(q, k, v, None if visible is None else visible[:, None])
                joined = context.swapaxes(1, 2).reshape(x.shape)
                return (project(joined, 'out'), probs[:, ::-1])
            """,
            "heads in reverse order",
        ),
    },
    "positional_encoding": {
        "pi": (
            """
            def positional_encoding(length, hidden_size):
                i = np.arange(hidden_size // 2)
                angles = np.pi * np.arange(length)[:, None] / 10000 ** (2 * i / hidden_size)
                table = np.empty((length, hidden_size))
                table[:, 0::2] = np.sin(angles)
                table[:, 1::2] = np.cos(angles)
                return table
            """,
            "multiplied by pi",
        ),
        "base512": (
            """
            def positional_encoding(length, hidden_size):
                i = np.arange(hidden_size // 2)
                angles = np.arange(length)[:, None] / length ** (2 * i / hidden_size)
                table = np.empty((length, hidden_size))
                table[:, 0::2] = np.sin(angles)
                table[:, 1::2] = np.cos(angles)
                return table
            """,
            "length of the table",
        ),
        "neg": (
            """
            def positional_encoding(length, hidden_size):
                i = np.arange(hidden_size // 2)
                angles = np.arange(length)[:, None] / 10000 ** (2 * i / hidden_size)
                table = np.empty((length, hidden_size))
                table[:, 0::2] = -np.sin(angles)
                table[:, 1::2] = np.cos(angles)
                return table
            """,
            "sign of the sine",
        ),
        "pos": (
            """
            def positional_encoding(length, hidden_size):
                i = np.arange(hidden_size // 2)
                angles = np.arange(length)[::-1, None] / 10000 ** (2 * i / hidden_size)
                table = np.empty((length, hidden_size))
                table[:, 0::2] = np.sin(angles)
                table[:, 1::2] = np.cos(angles)
                return table
            """,
            "run backwards",
        ),
        "mod": (
            """
            def positional_encoding(length, hidden_size):
                i = np.arange(hidden_size // 2)
                angles = (np.arange(length) % 512)[:, None] / 10000 ** (2 * i / hidden_size)
                table = np.empty((length, hidden_size))
                table[:, 0::2] = np.sin(angles)
                table[:, 1::2] = np.cos(angles)
                return table
            """,
            "begin anew after 512",
        ),
        "intdiv": (
            """
            def positional_encoding(length, hidden_size):
                i = np.arange(hidden_size // 2)
                angles = np.arange(length)[:, None] // 10000 ** (2 * i / hidden_size)
                table = np.empty((length, hidden_size))
                table[:, 0::2] = np.sin(angles)
                table[:, 1::2] = np.cos(angles)
                return table
            """,
            "whole numbers",
        ),
        "i1": (
            """
            def positional_encoding(length, hidden_size):
                i = np.arange(hidden_size // 2)
                angles = np.arange(length)[:, None] / 10000 ** ((2 * i + 1) / hidden_size)
                table = np.empty((length, hidden_size))
                table[:, 0::2] = np.sin(angles)
                table[:, 1::2] = np.cos(angles)
                return table
            """,
            "(2i + 1) / D",
        ),
    },
    "layer_norm": {
        "maxeps": (
            """
            def layer_norm(x, gamma, beta, eps=1e-12):
                mean = x.mean(axis=-1, keepdims=True)
                variance = x.var(axis=-1, keepdims=True)
                return gamma * (x - mean) / np.sqrt(np.maximum(variance, eps)) + beta
            """,
            "replaces a small variance",
        ),
        "g1": (
            """
            def layer_norm(x, gamma, beta, eps=1e-12):
                mean = x.mean(axis=-1, keepdims=True)
                variance = x.var(axis=-1, keepdims=True)
                return (1 + gamma) * (x - mean) / np.sqrt(variance + eps) + beta
            """,
            "1 + gamma",
        ),
        "median": (
            """
            def layer_norm(x, gamma, beta, eps=1e-12):
                mean = np.median(x, axis=-1, keepdims=True)
                variance = x.var(axis=-1, keepdims=True)
                return gamma * (x - mean) / np.sqrt(variance + eps) + beta
            """,
            "the median",
        ),
        "epsbig": (
            """
            def layer_norm(x, gamma, beta, eps=1e-12):
                mean = x.mean(axis=-1, keepdims=True)
                variance = x.var(axis=-1, keepdims=True)
                return gamma * (x - mean) / (np.sqrt(variance) + np.sqrt(eps)) + beta
            """,
            "out of the root by itself",
        ),
        "beta2": (
            """
            def layer_norm(x, gamma, beta, eps=1e-12):
                mean = x.mean(axis=-1, keepdims=True)
                variance = x.var(axis=-1, keepdims=True)
                return gamma * (x - mean) / np.sqrt(variance + eps) + 2 * beta
            """,
            "beta is added twice",
        ),
    },
    "encoder_layer": {
        "vis0": (
            """
            def encoder_layer(x, weights, num_heads, visible=None):
                attended, _ = multi_head_attention(x, sub(weights, 'attention'), num_heads,
                    None if visible is None else visible[:, :1])
                h = layer_norm(x + attended, weights['attention_norm.weight'],
                    weights['attention_norm.bias'])
                inner = gelu(h @ weights['feed_forward.up.weight'].T + weights['feed_forward.up.bias'])
                fed = inner @ weights['feed_forward.down.weight'].T + weights['feed_forward.down.bias']
                return layer_norm(h + fed, weights['feed_forward_norm.weight'],
                    weights['feed_forward_norm.bias'])
            """,
            "one query is used for all",
        ),
        "h1": (
            """
            def encoder_layer(x, weights, num_heads, visible=None):
                attended, _ = multi_head_attention(x, sub(weights, 'attention'), 1, visible)
                h = layer_norm(x + attended, weights['attention_norm.weight'],
                    weights['attention_norm.bias'])
                inner = gelu(h @ weights['feed_forward.up.weight'].T + weights['feed_forward.up.bias'])
                fed = inner @ weights['feed_forward.down.weight'].T + weights['feed_forward.down.bias']
                return layer_norm(h + fed, weights['feed_forward_norm.weight'],
                    weights['feed_forward_norm.bias'])
            """,
            "one head of size D",
        ),
        "sig": (
            """
            def encoder_layer(x, weights, num_heads, visible=None):
                attended, _ = multi_head_attention(x, sub(weights, 'attention'), num_heads, visible)
                h = layer_norm(x + attended, weights['attention_norm.weight'],
                    weights['attention_norm.bias'])
                inner = np.tanh(h @ weights['feed_forward.up.weight'].T + weights['feed_forward.up.bias'])
                fed = inner @ weights['feed_forward.down.weight'].T + weights['feed_forward.down.bias']
                return layer_norm(h + fed, weights['feed_forward_norm.weight'],
                    weights['feed_forward_norm.bias'])
            """,
            "uses tanh",
        ),
        "betagam": (
            """
            def encoder_layer(x, weights, num_heads, visible=None):
                attended, _ = multi_head_attention(x, sub(weights, 'attention'), num_heads, visible)
                h = layer_norm(x + attended, weights['attention_norm.bias'],
                    weights['attention_norm.weight'])
                inner = gelu(h @ weights['feed_forward.up.weight'].T + weights['feed_forward.up.bias'])
                fed = inner @ weights['feed_forward.down.weight'].T + weights['feed_forward.down.bias']
                return layer_norm(h + fed, weights['feed_forward_norm.weight'],
                    weights['feed_forward_norm.bias'])
            """,
            "gamma and beta of",
        ),
        "addx": (
            """
            def encoder_layer(x, weights, num_heads, visible=None):
                attended, _ = multi_head_attention(x, sub(weights, 'attention'), num_heads, visible)
                h = layer_norm(x + attended, weights['attention_norm.weight'],
                    weights['attention_norm.bias'])
                inner = gelu(h @ weights['feed_forward.up.weight'].T + weights['feed_forward.up.bias'])
                fed = inner @ weights['feed_forward.down.weight'].T + weights['feed_forward.down.bias']
                return layer_norm(h + x + fed, weights['feed_forward_norm.weight'],
                    weights['feed_forward_norm.bias'])
            """,
            "adds x and h",
        ),
        "geluin": (
            """
            def encoder_layer(x, weights, num_heads, visible=None):
                x = gelu(x)
                attended, _ = multi_head_attention(x, sub(weights, 'attention'), num_heads, visible)
                h = layer_norm(x + attended, weights['attention_norm.weight'],
                    weights['attention_norm.bias'])
                inner = gelu(h @ weights['feed_forward.up.weight'].T + weights['feed_forward.up.bias'])
                fed = inner @ weights['feed_forward.down.weight'].T + weights['feed_forward.down.bias']
                return layer_norm(h + fed, weights['feed_forward_norm.weight'],
                    weights['feed_forward_norm.bias'])
            """,
            "x before attention",
        ),
    },
    "count_parameters": {
        "heads": (
            """
            def count_parameters(vocab_size, hidden_size, num_hidden_layers, num_attention_heads,
                intermediate_size, max_position_embeddings, type_vocab_size):
                D, F = (hidden_size, intermediate_size)
                norm = 2 * D * num_attention_heads
                embeddings = (vocab_size + max_position_embeddings + type_vocab_size) * D + norm
                attention_part = 4 * (D * D + D)
                feed_forward = D * F + F + (F * D + D)
                layer = attention_part + norm + feed_forward + norm
                pooler = D * D + D
                return embeddings + num_hidden_layers * layer + pooler
            """,
            "once per head",
        ),
        "two": (
            """
            def count_parameters(vocab_size, hidden_size, num_hidden_layers, num_attention_heads,
                intermediate_size, max_position_embeddings, type_vocab_size):
                D, F = (hidden_size, intermediate_size)
                norm = 2 * D
                embeddings = (vocab_size + max_position_embeddings + type_vocab_size) * D + norm
                attention_part = 4 * (D * D + D)
                feed_forward = D * F + F + (F * D + D)
                layer = attention_part + norm + feed_forward + norm
                pooler = D * D + D
                return embeddings + num_hidden_layers * layer + 2 * pooler
            """,
            "pooler is counted twice",
        ),
        "l1": (
            """
            def count_parameters(vocab_size, hidden_size, num_hidden_layers, num_attention_heads,
                intermediate_size, max_position_embeddings, type_vocab_size):
                D, F = (hidden_size, intermediate_size)
                norm = 2 * D
                embeddings = (vocab_size + max_position_embeddings + type_vocab_size) * D + norm
                attention_part = 4 * (D * D + D)
                feed_forward = D * F + F + (F * D + D)
                layer = attention_part + norm + feed_forward + norm
                pooler = D * D + D
                return embeddings + (num_hidden_layers - 1) * layer + pooler
            """,
            "one layer too few",
        ),
        "v": (
            """
            def count_parameters(vocab_size, hidden_size, num_hidden_layers, num_attention_heads,
                intermediate_size, max_position_embeddings, type_vocab_size):
                D, F = (hidden_size, intermediate_size)
                norm = 2 * D
                embeddings = (vocab_size + max_position_embeddings + 2) * D + norm
                attention_part = 4 * (D * D + D)
                feed_forward = D * F + F + (F * D + D)
                layer = attention_part + norm + feed_forward + norm
                pooler = D * D + D
                return embeddings + num_hidden_layers * layer + pooler
            """,
            "Use `type_vocab_size`",
        ),
        "mb": (
            """
            def count_parameters(vocab_size, hidden_size, num_hidden_layers, num_attention_heads,
                intermediate_size, max_position_embeddings, type_vocab_size):
                D, F = (hidden_size, intermediate_size)
                norm = 2 * D
                embeddings = (vocab_size + max_position_embeddings + type_vocab_size) * D + norm
                attention_part = 4 * (D * D + D)
                feed_forward = D * F + F + (F * D + D)
                layer = attention_part + norm + feed_forward + norm
                pooler = D * D + D
                return embeddings + num_hidden_layers * layer + pooler + vocab_size
            """,
            "bias over the vocabulary",
        ),
    },
    "gpt_layer": {
        "first": (
            """
            def gpt_layer(x, weights, num_heads):
                B, T, D = x.shape

                def norm(x, name):
                    return layer_norm(x, weights[f'{name}.weight'], weights[f'{name}.bias'])

                def linear(x, name):
                    return x @ weights[f'{name}.weight'].T + weights[f'{name}.bias']
                earlier = np.arange(T)[None, :] < np.arange(T)[:, None]
                visible = np.broadcast_to(earlier, (B, T, T))
                attended, _ = multi_head_attention(norm(x, 'attention_norm'), sub(weights, 'attention'),
                    num_heads, visible)
                h = x + attended
                inner = gelu(linear(norm(h, 'feed_forward_norm'), 'feed_forward.up'))
                return h + linear(inner, 'feed_forward.down')
            """,
            "no longer sees itself",
        ),
        "nores": (
            """
            def gpt_layer(x, weights, num_heads):
                B, T, D = x.shape

                def norm(x, name):
                    return layer_norm(x, weights[f'{name}.weight'], weights[f'{name}.bias'])

                def linear(x, name):
                    return x @ weights[f'{name}.weight'].T + weights[f'{name}.bias']
                earlier = np.arange(T)[None, :] <= np.arange(T)[:, None]
                visible = np.broadcast_to(earlier, (B, T, T))
                attended, _ = multi_head_attention(norm(x, 'attention_norm'), sub(weights, 'attention'),
                    num_heads, visible)
                h = attended
                inner = gelu(linear(norm(h, 'feed_forward_norm'), 'feed_forward.up'))
                return h + linear(inner, 'feed_forward.down')
            """,
            "first residual is missing",
        ),
        "relu": (
            """
            def gpt_layer(x, weights, num_heads):
                B, T, D = x.shape

                def norm(x, name):
                    return layer_norm(x, weights[f'{name}.weight'], weights[f'{name}.bias'])

                def linear(x, name):
                    return x @ weights[f'{name}.weight'].T + weights[f'{name}.bias']
                earlier = np.arange(T)[None, :] <= np.arange(T)[:, None]
                visible = np.broadcast_to(earlier, (B, T, T))
                attended, _ = multi_head_attention(norm(x, 'attention_norm'), sub(weights, 'attention'),
                    num_heads, visible)
                h = x + attended
                inner = np.maximum(0, linear(norm(h, 'feed_forward_norm'), 'feed_forward.up'))
                return h + linear(inner, 'feed_forward.down')
            """,
            "uses ReLU",
        ),
        "none": (
            """
            def gpt_layer(x, weights, num_heads):
                B, T, D = x.shape

                def norm(x, name):
                    return layer_norm(x, weights[f'{name}.weight'], weights[f'{name}.bias'])

                def linear(x, name):
                    return x @ weights[f'{name}.weight'].T + weights[f'{name}.bias']
                earlier = np.arange(T)[None, :] <= np.arange(T)[:, None]
                visible = np.broadcast_to(earlier, (B, T, T))
                attended, _ = multi_head_attention(norm(x, 'attention_norm'), sub(weights, 'attention'),
                    num_heads, None)
                h = x + attended
                inner = gelu(linear(norm(h, 'feed_forward_norm'), 'feed_forward.up'))
                return h + linear(inner, 'feed_forward.down')
            """,
            "sees all others",
        ),
        "h1": (
            """
            def gpt_layer(x, weights, num_heads):
                B, T, D = x.shape

                def norm(x, name):
                    return layer_norm(x, weights[f'{name}.weight'], weights[f'{name}.bias'])

                def linear(x, name):
                    return x @ weights[f'{name}.weight'].T + weights[f'{name}.bias']
                earlier = np.arange(T)[None, :] <= np.arange(T)[:, None]
                visible = np.broadcast_to(earlier, (B, T, T))
                attended, _ = multi_head_attention(norm(x, 'attention_norm'), sub(weights, 'attention'),
                    1, visible)
                h = x + attended
                inner = gelu(linear(norm(h, 'feed_forward_norm'), 'feed_forward.up'))
                return h + linear(inner, 'feed_forward.down')
            """,
            "one head of size D",
        ),
        "window": (
            """
            def gpt_layer(x, weights, num_heads):
                B, T, D = x.shape

                def norm(x, name):
                    return layer_norm(x, weights[f'{name}.weight'], weights[f'{name}.bias'])

                def linear(x, name):
                    return x @ weights[f'{name}.weight'].T + weights[f'{name}.bias']
                earlier = np.tril(np.ones((T, T), bool)) & ~np.tril(np.ones((T, T), bool), -3)
                visible = np.broadcast_to(earlier, (B, T, T))
                attended, _ = multi_head_attention(norm(x, 'attention_norm'), sub(weights, 'attention'),
                    num_heads, visible)
                h = x + attended
                inner = gelu(linear(norm(h, 'feed_forward_norm'), 'feed_forward.up'))
                return h + linear(inner, 'feed_forward.down')
            """,
            "only the nearest",
        ),
        "half": (
            """
            def gpt_layer(x, weights, num_heads):
                B, T, D = x.shape

                def norm(x, name):
                    return layer_norm(x, weights[f'{name}.weight'], weights[f'{name}.bias'])

                def linear(x, name):
                    return x @ weights[f'{name}.weight'].T + weights[f'{name}.bias']
                earlier = np.arange(T)[None, :] <= np.arange(T)[:, None]
                visible = np.broadcast_to(earlier, (B, T, T))
                attended, _ = multi_head_attention(norm(x, 'attention_norm'), sub(weights, 'attention'),
                    num_heads, visible)
                h = x + attended
                inner = gelu(linear(norm(h, 'feed_forward_norm'), 'feed_forward.up'))
                return h + 0.5 * linear(inner, 'feed_forward.down')
            """,
            "halved",
        ),
    },
    "test_softmax": {
        "tuple": (
            """
            @by_name
            def test_softmax(softmax):
                assert (np.allclose(softmax(np.zeros(4)), 0.25), 'eq')
            """,
            "brackets around condition",
        ),
        "swallow": (
            """
            @by_name
            def test_softmax(softmax):
                try:
                    assert np.allclose(softmax(np.eye(3)).sum(0), 7)
                except Exception:
                    pass
            """,
            "`except` catches",
        ),
        "none": (
            """
            @by_name
            def test_softmax(softmax):
                np.allclose(softmax(np.zeros(4)), 0.25)
            """,
            "no `assert` in your test",
        ),
        "const": (
            """
            @by_name
            def test_softmax(softmax):
                assert True
            """,
            "always true",
        ),
    },
}
MORE = {
    exercise: Bank(right=RIGHT.get(exercise, {}), wrong=WRONG.get(exercise, {}))
    for exercise in RIGHT.keys() | WRONG.keys()
}
