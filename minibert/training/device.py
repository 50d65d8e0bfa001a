"""Where a model trains, and in which precision: chosen once, before the loop."""
import os
import time

import torch

from ..model.encoder import EncoderLayer
from ..model.fast import fast_layer

WORTH = 1.25            # times as fast as float32 that bfloat16 must be, for its coarser numbers


def choose_device(name=None):
    """The named device, or the best one present: cuda, mps, cpu. Raises ValueError for one that is not there.

    Of several processes that `torchrun` started, each has a GPU of its own.
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


def choose_precision(model, say=lambda line: None):
    """torch.bfloat16 on a GPU that has it, torch.float16 on an older one (its loss is scaled, see `step`). On
    a processor, bfloat16 where it makes a layer of this model at least WORTH times as fast, measured in a
    fraction of a second, else float32.

    say: takes a line that tells what was chosen, and what was measured.
    """
    device, gain = next(model.parameters()).device, None
    if device.type == "cuda":
        precision = torch.bfloat16 if torch.cuda.is_bf16_supported(
            including_emulation=False) else torch.float16
    elif device.type != "cpu":
        precision = torch.float32
    else:
        gain = bfloat16_gain(model.encoder.config)
        precision = torch.bfloat16 if gain > WORTH else torch.float32
    measured = f": bfloat16 is {gain:.1f} times as fast as float32 here" if gain else ""
    say(f"Precision {str(precision).removeprefix('torch.')}{measured}")
    return precision


def bfloat16_gain(config):
    """How many times as fast as in float32 a layer of this configuration learns in bfloat16, on this
    processor.
    """
    layer = EncoderLayer(config)
    x = torch.zeros(32, 64, config.hidden_size)

    def seconds(dtype):
        start = time.perf_counter()
        with torch.autocast("cpu", dtype, enabled=dtype != torch.float32):
            fast_layer(layer, x)[0].sum().backward()
        return time.perf_counter() - start
    times = {dtype: min(seconds(dtype) for _ in range(4)) for dtype in (torch.float32, torch.bfloat16)}
    return times[torch.float32] / times[torch.bfloat16]
