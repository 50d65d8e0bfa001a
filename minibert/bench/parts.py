"""The parts of a training step and the time they take, measured with PyTorch's profiler."""

import os
from collections.abc import Callable
from typing import Any

from torch.profiler import ProfilerActivity, profile

PRODUCTS = "matrix products"
PARTS = {  # part -> words in PyTorch's names of operations; the first match counts
    "optimiser and clipping": ("adamw", "optimizer", "foreach", "vector_norm"),
    PRODUCTS: ("mm", "dot_product", "linear", "matmul"),
    "copies between float32 and bfloat16, and between layouts": (
        "copy",
        "aten::cat",
        "contiguous",
        "clone",
        "aten::to",
    ),
    "loss": ("log_softmax", "nll_loss", "cross_entropy"),
    "activations, LayerNorm, softmax": ("gelu", "layer_norm", "softmax", "tanh"),
    "dropout": ("dropout", "random_", "bernoulli", "aten::ge"),
    "sums and products by element, gradients of biases": (
        "aten::mul",
        "aten::add",
        "aten::sum",
        "aten::div",
        "masked_fill",
    ),
}
REST = "the rest: embeddings, bookkeeping of small calls"


def part_of(operation: str) -> str:
    """Return the part of a training step, such as "matrix products", to which a PyTorch operation belongs.

    >>> part_of("aten::addmm")
    'matrix products'
    """
    name = operation.lower()
    return next((part for part, words in PARTS.items() if any(word in name for word in words)), REST)


def time_by_part(function: Callable[[], Any]) -> dict[str, float]:
    """Return a dict that maps each part of a call to `function` to its percentage of the CPU time."""
    # otherwise the profiler writes to the terminal
    os.environ.setdefault("KINETO_LOG_LEVEL", "6")
    with profile(activities=[ProfilerActivity.CPU]) as watched:
        function()
    seconds = dict.fromkeys([*PARTS, REST], 0.0)
    for event in watched.key_averages():
        seconds[part_of(event.key)] += event.self_cpu_time_total
    total = sum(seconds.values())
    return {part: 100 * some / total for part, some in sorted(seconds.items(), key=lambda item: -item[1])}
