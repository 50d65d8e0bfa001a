"""The training loop: one function from batches to a trained model, for every objective and task.

Devlin et al. (2019, arXiv 1810.04805), appendix A.2: Adam with decoupled weight decay, warm-up, linear decay,
clipping. All that a step draws comes from the seed and the step's number: to go on exactly, a run needs no
other random state.
"""
import math
import time
from contextlib import closing, nullcontext

import torch

from .checkpoint import Checkpoints
from .config import TrainConfig
from .device import choose_device, choose_precision
from .distributed import team
from .feed import MULTIPLE, batches
from .interrupt import Interrupt
from .log import Log, write_log
from .memory import kept_memory
from .optimizers import make_optimizer, set_momentum, set_rate
from .progress import Progress, tell
from .schedule import momentum_of, rate_of
from .step import Step, prepared
from .threads import fit_threads

__all__ = ["TrainConfig", "choose_device", "choose_precision", "train", "write_log"]


def train(model, task, make_rows, config, *, checkpoint=None, whole=None, about=None, score=None, groups=None,
          precision=None,
          label="train", progress=True, reachable=None):
    """Train `model` in place and return the log, a list of dicts (step, loss, each part's loss, rate, tokens,
    seconds).

    task: has collate(rows, sequence_labels) and step(model, batch, rng, rows) -> (loss, parts), see
    `Objective.step`; rows is given only where a step does not take the whole batch at once. make_rows(rng) ->
    (rows, sequence labels or None), or Shards: called once an epoch, in another thread, while the epoch before is
    trained on. checkpoint: a folder to go on from and save to, where the log is too, or None; about, whole:
    see `Checkpoints`. score: model -> number, the higher the better, taken at each checkpoint: the best one
    stays. groups: see `make_optimizer`; a run goes on with the same rates only. precision: of the forward
    pass; None: that of the checkpoint, or measured, which a line says unless `progress` has another view.
    progress, reachable: what is shown meanwhile, see `Progress`. Raises FloatingPointError when the loss or
    its gradient is not finite; the weights are then those before that step. Ctrl-C or SIGTERM with a
    checkpoint folder: the step is finished and saved, then KeyboardInterrupt is raised. ValueError where
    another process trains into that folder. In a Team (see `distributed`) all processes make the same call;
    the first one writes. Raises ConnectionError where one of them is lost.
    """
    fit_threads()
    us = team()
    optimizer = make_optimizer(model, config, groups)
    about = {**(about or {}), **({"groups": [group["lr"] for group in groups]} if groups else {})}
    store = None if checkpoint is None else Checkpoints(checkpoint, config, about, whole)
    with us.in_turn(lambda: store.held() if store and us.first else nullcontext()):
        state = us.in_turn(lambda: store and store.resume(model, optimizer)) or {"step": 0, "epoch": 0,
                                                                                 "position": 0}
        us.start(model, state["step"])
        precision = precision or getattr(torch, state.get("precision", ""), None) or measured(model, progress)
        # a second measurement might choose another
        state["precision"] = str(precision).removeprefix("torch.")
        work = Step(model, task, optimizer, config, precision, us)
        if state.get("scaler"):
            work.scaler.load_state_dict(state["scaler"])
        log = Log(store.folder / "log.jsonl" if store and us.first else None, after=state["step"])
        model.train()
        with (kept_memory(), Progress(log, config.steps, label, progress, reachable) as bar,
              Interrupt(active=checkpoint is not None) as interrupt, prepared(model, config),
              closing(batches(task, make_rows, config, state,
                              1 if work.device.type == "cpu" else MULTIPLE)) as feed):
            for step in range(state["step"], config.steps):
                log.append(advance(work, feed, step, label, store))
                state["step"] = step + 1
                bar.update()
                stop = us.any(interrupt.asked)                          # all stop after the same step
                if store and us.first and (stop or state["step"] % config.save_every == 0
                                           or state["step"] == config.steps):
                    # the others have read what there is, and write nothing
                    save(store, work, state, log, score)
                if stop and store and us.first:
                    tell(f"{label}: interrupted after step {step + 1}; the same call goes on from "
                         f"{store.folder}")
                if stop:
                    raise KeyboardInterrupt
    model.eval()
    return log


def measured(model, progress):
    """The precision that the first process of the team chooses; a line says which, where `progress` is to be
    shown in words.
    """
    return team().once(lambda: choose_precision(model, print if progress is True else lambda line: None))


def advance(work, feed, step, label, store):
    """One step, with the next batch of `feed`; returns its entry of the log. Raises FloatingPointError, see
    `train`.
    """
    start, config = time.perf_counter(), work.config
    rate = rate_of(config, step)
    set_rate(work.optimizer, rate / config.peak_rate)
    set_momentum(work.optimizer, momentum_of(config, step))
    batch = next(feed)
    loss, parts = work.gradient(batch, step)
    norm = work.clip()
    if not math.isfinite(loss) or not math.isfinite(norm):
        what = f"loss of step {step + 1} is {norm if math.isfinite(loss) else loss}"
        raise FloatingPointError(
            f"{label}: the {'gradient of the ' * math.isfinite(loss)}{what}; the rate was {rate:.2g}: "
                                 f"try a smaller peak_rate={config.peak_rate}"
                                 + (f", and first delete {store.whole}, which is of this one" if store
                                    else ""))
    work.update()
    return {"step": step + 1, "loss": loss, **parts, "rate": rate, "tokens": int(batch.real.sum()),
            "seconds": time.perf_counter() - start}


def save(store, work, state, log, score):
    """A checkpoint, with its score if one is asked for; the log reaches the disk before it, so that it never
    lacks a step.
    """
    state["scaler"] = work.scaler.state_dict()                      # {} unless in float16
    if score is not None:
        state["score"] = float(score(work.model.eval()))
        work.model.train()
    log.write(lasting=True)
    store.save(work.model, work.optimizer, state)
