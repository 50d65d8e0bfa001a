"""Where a model trains, and in which precision: chosen once, before the loop."""
import os
import time
from collections.abc import Callable
from typing import cast

import torch
from torch import nn

from ..config import ModelConfig
from ..model.encoder import EncoderLayer
from ..model.fast import fast_layer
from ..model.heads import Model
from ..model.transfer import gpu_precision

WORTH = 1.25            # how many times as fast as float32 bfloat16 must be, since its numbers are coarser


def choose_device(name: str | None = None) -> torch.device:
    """Return the named device, or the best one present: cuda, mps, cpu.

    Each of several processes that `torchrun` started gets its own GPU. Raises ValueError for a device that is
    not there.
    """
    present = {"cuda": torch.cuda.is_available(), "mps": torch.backends.mps.is_available(), "cpu": True}
    name = name or next(kind for kind, there in present.items() if there)
    if not present.get(name.split(":")[0], False):
        raise ValueError(
            f"device {name!r} is not available; available: {', '.join(k for k, v in present.items() if v)}")
    if name == "cuda":
        number, count = int(os.environ.get("LOCAL_RANK", 0)), torch.cuda.device_count()
        if number >= count:
            raise ValueError(
                f"process {number + 1} of this machine finds {count} GPUs: each needs one, so start {count}")
        name = f"cuda:{number}"
    return torch.device(name)


def choose_precision(model: nn.Module, say: Callable[[str], None] = lambda line: None) -> torch.dtype:
    """Return the precision to train in: torch.bfloat16, torch.float16 or torch.float32.

    On a GPU bfloat16, or float16 on an older one that lacks it (its loss is scaled, see `step`). On a
    processor bfloat16 where it makes a layer of this model at least WORTH times as fast, which takes a
    fraction of a second to measure, else float32. say: is called with a line that tells what was chosen and
    measured.
    """
    device, gain = next(model.parameters()).device, None
    if device.type == "cuda":
        precision = gpu_precision()
    elif device.type != "cpu":
        precision = torch.float32
    else:
        gain = bfloat16_gain(cast(Model, model).encoder.config)
        precision = torch.bfloat16 if gain > WORTH else torch.float32
    measured = f": bfloat16 is {gain:.1f} times as fast as float32 here" if gain else ""
    say(f"Precision {str(precision).removeprefix('torch.')}{measured}")
    return precision


def bfloat16_gain(config: ModelConfig) -> float:
    """Measure how many times as fast as in float32 a layer of this configuration trains in bfloat16."""
    layer = EncoderLayer(config)
    x = torch.zeros(32, 64, config.hidden_size)

    def seconds(dtype):
        start = time.perf_counter()
        with torch.autocast("cpu", dtype, enabled=dtype != torch.float32):
            fast_layer(layer, x)[0].sum().backward()
        return time.perf_counter() - start
    times = {dtype: min(seconds(dtype) for _ in range(4)) for dtype in (torch.float32, torch.bfloat16)}
    return times[torch.float32] / times[torch.bfloat16]
