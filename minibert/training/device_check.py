"""Check that a device computes the same values as the CPU, in about ten seconds.

A small BERT and a small BiLSTM are computed from the same weights and text on both. Differences are relative
to the largest value of the tensor on the CPU. Each tolerance lies between the rounding error of a correct
result and the error of a wrong one, measured on a CPU by changing the weights by a millionth and by a
thousandth.
"""

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor, nn

from ..config import ModelConfig
from ..data.batch import IGNORE, Batch, Specials
from ..model import FastEncoder, Model
from ..model.bilstm import BiLSTM
from ..model.transfer import device_of, to_torch
from ..objectives import MLM, NSP, BiLM, Sum
from ..objectives.base import Objective
from .config import Optimizer, TrainConfig
from .device import default_precision
from .device_verdict import circumstances, save_result
from .feed import MULTIPLE, pad_to_multiple
from .loop import train
from .micro_batch import loss_of_batch

Put = Callable[[Any], Any]  # moves a model or a dict of arrays to a device
# No dropout, whose random numbers depend on the device; large weights, so that attention is not uniform.
CONFIG = ModelConfig(
    vocab_size=500,
    hidden_size=64,
    num_hidden_layers=2,
    num_attention_heads=4,
    intermediate_size=128,
    max_position_embeddings=64,
    hidden_dropout_prob=0.0,
    attention_probs_dropout_prob=0.0,
    initializer_range=0.1,
)
LENGTH, SEQUENCES, STEPS, PEAK_RATE = 64, 16, 10, 1e-2
ROUNDS, AT_ONCE = 20, 16  # of copies; each round frees its memory and the next one reuses it
SMALL = 1e-3  # fraction of the largest value of all tensors; smaller tensors are compared on this scale
TO_BLAME = (NotImplementedError, FloatingPointError)  # errors that are the device's fault


class Check(NamedTuple):
    """A comparison of values, with its name, its tolerance, and a function that computes the values.

    right: a function for the expected values on the CPU, or None if `values` computes them, too.
    """

    what: str
    allowed: float
    values: Callable[[Put], dict[str, Tensor]]
    right: Callable[[Put], dict[str, Tensor]] | None = None


@dataclass(frozen=True)
class DeviceResult:
    """The result of a check: the largest difference, or the error that prevented the comparison."""

    check: Check
    seconds: float
    difference: float = math.nan
    error: Exception | None = None

    @property
    def fine(self) -> bool:
        return self.difference <= self.check.allowed

    @property
    def wrong(self) -> bool:
        """Return whether a failure is the device's fault rather than, for example, a lack of memory."""
        return not self.fine and (self.error is None or isinstance(self.error, TO_BLAME))

    def __str__(self) -> str:
        if self.error is None:
            found = f"largest difference {self.difference:.1e}, allowed {self.check.allowed:.0e}"
        else:
            missing = isinstance(self.error, NotImplementedError)
            found = "PyTorch lacks an operation on it" if missing else type(self.error).__name__
            found += f" ({str(self.error).strip().split(chr(10))[0][:200]})"
        return f"{self.check.what}: {found}"


def report(device: torch.device, say: Callable[[str], Any] = print) -> list[str]:
    """Check a device, and return the failed checks as strings; later runs avoid a device with wrong values.

    say: a function that prints each line of a report, which can be pasted into an issue.
    """
    about = circumstances(device)
    say(", ".join(f"{name} {about[name]}" for name in ("minibert", "torch", "Python", "system")))
    say(f"{device}: {about['device']}")
    bad = []
    for result in check_device(device):
        say(f"{'ok ' if result.fine else 'NOT'} {result} ({result.seconds:.1f} s)")
        bad += [] if result.fine else [result]
    wrong = "; ".join(str(result) for result in bad if result.wrong)
    if not bad:
        say(f"{device} computes the same values as the CPU.")
    elif wrong and device.type != "cpu":
        say(f"Runs without --device will skip {device.type} until `minibert doctor` finds nothing wrong.")
    if device.type != "cpu" and (wrong or not bad):  # other errors say nothing about the values
        save_result(device, wrong or None)
    return [str(result) for result in bad]


def check_device(device: torch.device) -> Iterator[DeviceResult]:
    on_device, on_processor = (partial(put_on, device=where) for where in (device, torch.device("cpu")))
    for check in CHECKS + MIXED * (device.type == "cuda"):  # other devices train in float32
        start = time.perf_counter()
        found: dict[str, Any] = {}
        try:
            right = (check.right or check.values)(on_processor)
            found["difference"] = largest_difference(check.values(on_device), right)
        except Exception as error:  # the report names any error and continues
            found["error"] = error
        yield DeviceResult(check, time.perf_counter() - start, **found)


def put_on(thing: Any, device: torch.device) -> Any:
    """Move a model, or copy a dict of arrays, to a device, as training does."""
    return thing.to(device) if isinstance(thing, nn.Module) else to_torch(thing, device)


def largest_difference(there: dict[str, Tensor], here: dict[str, Tensor]) -> float:
    """Return the largest difference between named tensors, relative to the largest value of each in `here`.

    The result is nan if any value is nan.
    """
    wanted = {name: tensor.double() for name, tensor in here.items()}
    largest = max(tensor.abs().max().item() for tensor in wanted.values())
    # Copied to the CPU before the conversion, because a Mac's mps has no float64.
    return (
        torch.stack(
            [
                (there[name].cpu().double() - tensor).abs().max()
                / max(tensor.abs().max().item(), SMALL * largest)
                for name, tensor in wanted.items()
            ]
        )
        .max()
        .item()
    )


def copies(put: Put) -> dict[str, Tensor]:
    """Copy many batches to a device with `put` and back, and return the copies."""
    found: dict[str, Tensor] = {}
    for number in range(ROUNDS):
        placed = [put(some_arrays(AT_ONCE * number + i)) for i in range(AT_ONCE)]
        found |= {
            f"{name} {number} {i}": tensor.cpu()
            for i, tensors in enumerate(placed)
            for name, tensor in tensors.items()
        }
    return found


def some_arrays(seed: int) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(seed)
    return {
        "ids": rng.integers(1, CONFIG.vocab_size, (8, LENGTH)),
        "visible": rng.random((8, LENGTH, LENGTH)) < 0.5,
        "scores": rng.random(8, np.float32),
    }


def bert() -> Objective:
    """Return BERT's objective: masked tokens and next sentence prediction."""
    return Sum(NSP(Specials(), CONFIG.vocab_size, LENGTH), MLM(Specials(), CONFIG.vocab_size, LENGTH))


def sequences(objective: Objective) -> tuple[list, list | None]:
    """Build sequences of various lengths from documents that are easy to learn: each repeats a few words."""
    rng = np.random.default_rng(0)
    topics = rng.integers(max(Specials().ids) + 1, CONFIG.vocab_size, (30, 6))
    return objective.build(
        [[rng.choice(topic, rng.integers(4, 20)).tolist() for _ in range(8)] for topic in topics], rng
    )


def a_batch(objective: Objective) -> Batch:
    rows, labels = sequences(objective)
    return objective.collate(rows[:SEQUENCES], labels and labels[:SEQUENCES])


def new_model() -> Model:
    """Return a BERT with BERT's two output heads, with the same weights each time."""
    torch.manual_seed(0)
    return bert().model(FastEncoder(CONFIG))


@torch.no_grad()
def logits(put: Put) -> dict[str, Tensor]:
    """Return the logits of both heads of a BERT, computed on the device to which `put` moves tensors."""
    inputs, labels = bert().corrupt(a_batch(bert()), np.random.default_rng(1))
    return put(new_model()).eval()(**put({**inputs, "counted": labels["tokens"] != IGNORE}))


def gradients(put: Put) -> dict[str, Tensor]:
    """Return a BERT's loss and gradients, computed on the device to which `put` moves tensors."""
    return loss_and_gradients(put(new_model()), bert())


def bilstm_gradients(put: Put) -> dict[str, Tensor]:
    """Return a BiLSTM's loss and gradients, computed on the device to which `put` moves tensors."""
    objective = BiLM(Specials(), CONFIG.vocab_size, LENGTH)
    torch.manual_seed(0)
    return loss_and_gradients(put(objective.model(BiLSTM(CONFIG))), objective)


def loss_and_gradients(model: nn.Module, objective: Objective) -> dict[str, Tensor]:
    """Return the loss of a batch, and the gradients of all parameters that contribute to it."""
    loss, _ = loss_of_batch(objective, model, a_batch(objective), np.random.default_rng(1))
    loss.backward()
    return {"loss": loss.detach()} | {
        name: parameter.grad for name, parameter in model.named_parameters() if parameter.grad is not None
    }


def losses(put: Put, optimizer: Optimizer = "adamw", mixed: bool = False) -> dict[str, Tensor]:
    """Train a model for a few steps on the device to which `put` moves tensors; return the losses.

    mixed: True to train in the device's mixed precision, False to train in float32.
    """
    model, objective = put(new_model()), bert()
    collate = objective.collate
    # Sequences are padded as on a GPU, because masking draws random numbers for the padding as well.
    objective.collate = lambda *rows: pad_to_multiple(  # type: ignore[method-assign]
        collate(*rows), MULTIPLE, LENGTH, objective.specials.pad
    )
    config = TrainConfig(steps=STEPS, batch_size=SEQUENCES // 2, peak_rate=PEAK_RATE, optimizer=optimizer)
    log = train(
        model,
        objective,
        lambda rng: sequences(objective),
        config,
        progress=False,
        precision=default_precision(device_of(model)) if mixed else torch.float32,
    )
    return {"losses": torch.tensor([entry["loss"] for entry in log])}


CHECKS = (
    Check(f"{ROUNDS * AT_ONCE} batches copied there and back", 0.0, copies),
    Check("logits", 1e-4, logits),  # rounding 1e-6, wrong 5e-3
    Check("gradients", 1e-3, gradients),  # rounding 1e-5, wrong 1e-2
    # CUDA's LSTM multiplies with only 10 bits of each number.
    Check("a BiLSTM's gradients", 1e-2, bilstm_gradients),
    Check(f"losses of {STEPS} steps of AdamW", 3e-4, losses),  # rounding 1e-6, wrong 8e-4
    # Muon computes in bfloat16, whose rounding error is 2e-4.
    Check(f"losses of {STEPS} steps of Muon", 3e-3, partial(losses, optimizer="muon")),
)
# Compared with float32 on the CPU, from which bfloat16 differs by 1e-3 even on the CPU.
MIXED = (Check(f"losses of {STEPS} steps in mixed precision", 3e-2, partial(losses, mixed=True), losses),)
