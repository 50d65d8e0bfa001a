"""The training loop: one function from batches to a trained model, for every objective and task.

Devlin et al. (2019, arXiv 1810.04805), appendix A.2: Adam with decoupled weight decay, warm-up, linear decay, clipping.
"""
import dataclasses
import json
import math
import sys
import time
from dataclasses import dataclass

import numpy as np
import torch
from tqdm.auto import tqdm

from ..model import EncoderLayer
from .checkpoint import load_checkpoint, save_checkpoint
from .feed import batches
from .optimizers import make_optimizer, set_rate
from .schedule import learning_rate


@dataclass(frozen=True)
class TrainConfig:
    """How long and how fast to train."""

    steps: int                          # optimiser steps
    batch_size: int = 32                # rows a step
    peak_rate: float = 1e-3             # learning rate after the warm-up
    warmup: float = 0.1                 # share of the steps
    weight_decay: float = 0.01          # not on biases and LayerNorm
    clip: float = 1.0                   # largest norm of the gradient
    optimizer: str = "adamw"            # or "muon", see `optimizers`
    seed: int = 0                       # of the data order, the masks and dropout
    save_every: int = 200               # steps between checkpoints, where a checkpoint is kept
    first_step: int = 0                 # steps trained before, where this is a phase of a longer run: they count for the rate
    all_steps: int = 0                  # steps of the whole run; 0: these alone

    def __post_init__(self):
        for name in ("steps", "batch_size", "save_every"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name}={getattr(self, name)} must be at least 1")
        for name in ("peak_rate", "clip"):
            if getattr(self, name) <= 0:
                raise ValueError(f"{name}={getattr(self, name)} must be above 0")
        if self.optimizer not in ("adamw", "muon"):
            raise ValueError(f"optimizer={self.optimizer!r} must be 'adamw' or 'muon'")
        if self.first_step < 0 or self.all_steps and self.all_steps < self.first_step + self.steps:
            raise ValueError(f"all_steps={self.all_steps} must hold the {self.steps} steps after first_step={self.first_step}")
        if not 0 <= self.warmup <= 1:
            raise ValueError(f"warmup={self.warmup} is a share of the steps, between 0 and 1")


def choose_device(name=None):
    """The named device, or the best one present: cuda, mps, cpu. Raises ValueError for one that is not there."""
    present = {"cuda": torch.cuda.is_available(), "mps": torch.backends.mps.is_available(), "cpu": True}
    if name is None:
        return torch.device(next(kind for kind, there in present.items() if there))
    if not present.get(name.split(":")[0], False):
        raise ValueError(f"device {name!r} is not available; available: {', '.join(k for k, v in present.items() if v)}")
    return torch.device(name)


def choose_precision(model):
    """torch.bfloat16 on a GPU that has it, and on a processor where it makes a layer of this model at least 1.5 times as
    fast as float32 does, measured in a fraction of a second; else torch.float32."""
    device, config = next(model.parameters()).device, model.encoder.config
    if device.type != "cpu":
        return torch.bfloat16 if device.type == "cuda" and torch.cuda.is_bf16_supported() else torch.float32
    layer = EncoderLayer(config)
    x = torch.zeros(32, 64, config.hidden_size)

    def seconds(dtype):
        start = time.perf_counter()
        with torch.autocast("cpu", dtype, enabled=dtype != torch.float32):
            layer(x, with_probs=False)[0].sum().backward()
        return time.perf_counter() - start
    times = {dtype: min(seconds(dtype) for _ in range(4)) for dtype in (torch.float32, torch.bfloat16)}
    return torch.bfloat16 if 1.5 * times[torch.bfloat16] < times[torch.float32] else torch.float32


def train(model, task, make_rows, config, *, checkpoint=None, groups=None, precision=None, label="train", progress=True):
    """Train `model` in place and return the log, a list of dicts (step, loss, each part's loss, rate, tokens, seconds).

    task: has collate(rows, row_labels) and step(model, batch, rng) -> (loss, parts). make_rows(rng) -> (rows, row labels
    or None): called at the start of each epoch. checkpoint: a file to resume from and save to, or None. groups: see
    `make_optimizer`. precision: of the forward pass; None measures. Raises FloatingPointError when the loss is not finite.
    """
    device = next(model.parameters()).device
    precision = precision or choose_precision(model)
    optimizer = make_optimizer(model, config, groups)
    state = {"step": 0, "epoch": 0, "position": 0, "log": []}
    if checkpoint is not None and checkpoint.is_file():
        state = resume(checkpoint, model, optimizer, config)
    whole_run = config.all_steps or config.first_step + config.steps
    warmup, log, model = round(config.warmup * whole_run), state["log"], model.train()
    bar = tqdm(total=config.steps, initial=state["step"], desc=label, unit="step", disable=not progress, file=sys.stdout,
               dynamic_ncols=True, mininterval=0.5)
    feed = batches(task, make_rows, config, state)
    for step in range(state["step"], config.steps):
        start = time.perf_counter()
        batch = next(feed)
        rng = np.random.default_rng([config.seed, 1, step])
        torch.manual_seed(hash((config.seed, step)) % 2**31)                    # dropout
        rate = learning_rate(config.first_step + step, whole_run, config.peak_rate, warmup)
        set_rate(optimizer, rate / config.peak_rate)
        with torch.autocast(device.type, precision, enabled=precision != torch.float32):
            loss, parts = task.step(model, batch, rng)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), config.clip)
        optimizer.step()
        if not math.isfinite(loss.item()):
            raise FloatingPointError(f"{label}: the loss of step {step + 1} is {loss.item()}; "
                                     f"the rate was {rate:.2g}: try a smaller peak_rate={config.peak_rate}")
        log.append({"step": step + 1, "loss": loss.item(), **{name: part.item() for name, part in parts.items()},
                    "rate": rate, "tokens": int(batch.real.sum()), "seconds": time.perf_counter() - start})
        bar.update()
        bar.set_postfix(loss=f"{np.mean([entry['loss'] for entry in log[-50:]]):.3f}", refresh=False)
        if checkpoint is not None and ((step + 1) % config.save_every == 0 or step + 1 == config.steps):
            save_checkpoint(checkpoint, {"model": model.state_dict(), "optimizer": optimizer.state_dict(),
                                         "config": dataclasses.asdict(config), **state, "step": step + 1, "log": log})
    bar.close()
    model.eval()
    return log


def resume(checkpoint, model, optimizer, config):
    """Load a checkpoint into model and optimiser. Raises ValueError if it was made with another configuration."""
    state = load_checkpoint(checkpoint)
    made = state.pop("config")
    if made != dataclasses.asdict(config):
        changed = [name for name, value in dataclasses.asdict(config).items() if made.get(name) != value]
        raise ValueError(f"{checkpoint}: made with another {', '.join(changed)}; delete it, or train as before")
    model.load_state_dict(state.pop("model"))
    optimizer.load_state_dict(state.pop("optimizer"))
    return state


def write_log(path, log):
    """The log of `train` as JSON lines, one step a line."""
    path.write_text("".join(json.dumps(entry) + "\n" for entry in log), encoding="utf-8")
