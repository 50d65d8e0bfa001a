"""How time and memory of attention grow with the length, and how far away an answer may be.

The full attention makes a matrix (T, T); `long_attention` computes the same for a sliding window with one
global token. Bytes are exact; times are ratios of one interleaved run, because machines differ.
"""

import time
from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

from minibert.model.attention import attention
from minibert.model.long import long_attention, longformer_visible

LENGTHS = (512, 1024, 2048, 4096, 8192)  # tokens
HEAD_SIZE, REACH = 32, 64
REPEATS = 5


class NewTensors(TorchDispatchMode):
    """Inside this context, add up the bytes of all tensors that are made, but not of views of others."""

    total = 0

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        out = func(*args, **(kwargs or {}))
        old = {x.untyped_storage().data_ptr() for x in tree_leaves((args, kwargs)) if torch.is_tensor(x)}
        new = {
            x.untyped_storage().data_ptr(): x.untyped_storage().nbytes()
            for x in tree_leaves(out)
            if torch.is_tensor(x)
        }
        self.total += sum(size for pointer, size in new.items() if pointer not in old)
        return out


def calls(length: int, dtype: torch.dtype = torch.float32) -> dict[str, Callable[[], torch.Tensor]]:
    """Return both ways to compute the same context for one head, as functions without arguments."""
    generator = torch.Generator().manual_seed(length)
    q, k, v = (torch.randn(1, 1, length, HEAD_SIZE, dtype=dtype, generator=generator) for _ in range(3))
    visible = torch.from_numpy(longformer_visible(length, REACH, [0]))
    return {
        "full": lambda: attention(q, k, v, visible)[0],
        "linear": lambda: long_attention(q, k, v, REACH, [0]),
    }


def exponent(sizes: Any) -> float:
    """Return p of the best fit size = c * length^p, by least squares of the logarithms; sizes: per length."""
    return float(np.polyfit(np.log(LENGTHS), np.log(sizes), 1)[0])


@torch.no_grad()
def growth_run() -> dict[str, Any]:
    """Return bytes, seconds and their exponents for both computations, and the largest difference."""
    found: dict[str, Any] = {"lengths": LENGTHS, "difference": {}}
    ways = {length: calls(length) for length in LENGTHS}
    for dtype in (torch.float32, torch.float64):
        contexts = [[call() for call in calls(length, dtype).values()] for length in LENGTHS[:4]]
        worst = max(float((one - two).abs().max()) for one, two in contexts)
        found["difference"][str(dtype).removeprefix("torch.")] = worst
    seconds = np.zeros((REPEATS, 2, len(LENGTHS)))
    for repeat in range(REPEATS):
        for column, length in enumerate(LENGTHS):
            for row, call in enumerate(ways[length].values()):
                begin = time.process_time()
                call()
                seconds[repeat, row, column] = time.process_time() - begin
    for row, name in enumerate(("full", "linear")):
        sizes = []
        for length in LENGTHS:
            with NewTensors() as made:
                ways[length][name]()
            sizes.append(made.total)
        fastest = seconds[:, row].min(0)
        found[name] = {
            "bytes": sizes,
            "bytes exponent": round(exponent(sizes), 3),
            "relative time": (fastest / fastest[0]).round(2).tolist(),
            "time exponent": round(exponent(fastest), 2),
        }
    found["times faster"] = (seconds[:, 0].min(0) / seconds[:, 1].min(0)).round(2).tolist()
    return found
