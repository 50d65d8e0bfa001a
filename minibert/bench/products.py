"""The matrix products of one training step, alone: no step that needs them can be faster on this machine."""
import torch


def linear_shapes(config, tokens, predicted, read):
    """[(rows, inputs, outputs), times] of the linear layers of one forward pass; the word matrix is the
    output layer.

    read: how many tokens' last vectors a head reads; the last layer's end is for these alone.
    """
    D, F, L, V = config.hidden_size, config.intermediate_size, config.num_hidden_layers, config.vocab_size
    return [((tokens, D, 3 * D), L), ((tokens, D, D), L - 1), ((tokens, D, F), L - 1),
            ((tokens, F, D), L - 1),
            ((read, D, D), 1), ((read, D, F), 1), ((read, F, D), 1), ((predicted, D, D), 1),
            ((predicted, D, V), 1)]


def useful_work(config, lengths, predicted, read=None):
    """Floating-point operations of a training step that count: real tokens, predicted positions, no padding.

    Two for each multiplication, forward once and backward twice; row lengths are real tokens. read: as in
    linear_shapes; None = the predicted ones and each row's [CLS], as on a processor; on a GPU all are
    computed.
    """
    read = predicted + len(lengths) if read is None else read
    linear = sum(times * 2 * m * k * n
                 for (m, k, n), times in linear_shapes(config, sum(lengths), predicted, read))
    attention = config.num_hidden_layers * sum(4 * T * T * config.hidden_size for T in lengths)
    return 3 * (linear + attention)


class Products:
    """All products of the training step of a model on batches of one shape, forward and backward, in one
    precision.
    """

    def __init__(self, config, B, T, predicted, dtype):
        self.work = useful_work(config, [T] * B, predicted)
        self.pairs = []                                                         # (left, right, times)
        for (m, k, n), times in linear_shapes(config, B * T, predicted, predicted + B):
            x, w, g = (torch.randn(shape).to(dtype) for shape in ((m, k), (n, k), (m, n)))
            self.pairs += [(x, w.t(), times), (g, w, times), (g.t(), x, times)]  # forward, for x, for w
        heads = B * config.num_attention_heads
        q, p = (torch.randn(shape).to(dtype) for shape in ((heads, T, config.head_size), (heads, T, T)))
        times = config.num_hidden_layers
        self.pairs += [(q, q.transpose(1, 2), 2 * times), (p, q, 2 * times), (p.transpose(1, 2), q,
                                                                              2 * times)]

    def step(self):
        """Runs them once."""
        for left, right, times in self.pairs:
            for _ in range(times):
                left @ right
