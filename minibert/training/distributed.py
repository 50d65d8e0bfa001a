"""Data-parallel training: each process computes some sequences of a batch, then all sum their gradients.

Every process draws the same batch and masks the same tokens, since both depend on the seed alone. So the
result does not depend on the number of processes, except that each has its own dropout. PyTorch's
DistributedDataParallel (Li et al., 2020, arXiv 2006.15704) averages gradients instead, which is correct only
if all processes count the same number of labels.

If a process is lost, the same command resumes from the last checkpoint. With gloo (CPUs), the other processes
get an error, immediately if a process dies and after TIMEOUT if it stops responding, and raise a
ConnectionError. With NCCL (GPUs) there may be no error in Python: they wait for the GPU until they are
killed, by torchrun when a process dies, or by NCCL's watchdog after TIMEOUT.
"""

import atexit
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, TypeVar

import numpy as np
import torch
from torch import Tensor, nn
from torch import distributed as dist

from ..model.transfer import to_torch
from .threads import share_threads

Result = TypeVar("Result")

TIMEOUT = 600.0  # seconds until a process that does not respond is considered lost
PATIENCE = 7 * 24 * 3600.0  # seconds to wait for a process that prepares the data for all


@dataclass(frozen=True)
class Team:
    """The processes that train one model together; by default, this process alone.

    rank: this process's number in the team. local_rank: its number among those on its machine.
    """

    rank: int = 0
    size: int = 1
    local_rank: int = 0
    device: str = "cpu"  # device of the tensors that processes send to each other
    patient: Any = None  # a PyTorch process group of all processes, with a long timeout

    @property
    def first(self) -> bool:
        """Return whether this process is the first one, which alone writes files and prints."""
        return self.rank == 0

    def rows(self, turn: int = 0, turns: int = 1) -> slice:
        """Return the slice of a batch that this process computes as micro-batch `turn` of `turns`.

        The sequences are spread over the batch, so that all processes get similar lengths.
        """
        return slice(self.rank + self.size * turn, None, self.size * turns)

    def sum(self, model: nn.Module, losses: Tensor, flag: bool = False) -> tuple[list[float], bool]:
        """Sum the gradients, in place, and losses (n,) over all processes, in one message.

        Returns (sums of the losses, True if `flag` is true in any process). If no process used a parameter,
        its gradient is None afterwards, so that the optimiser skips it.
        """
        if self.size == 1:
            return losses.tolist(), flag
        trained = [p for p in model.parameters() if p.requires_grad]
        sizes = [p.numel() for p in trained]
        told = to_torch(
            {"told": np.array([flag, *(p.grad is not None for p in trained)], np.float32)}, losses.device
        )["told"]
        gradients = [torch.zeros_like(p) if p.grad is None else p.grad for p in trained]
        message = torch.cat([losses.detach(), told, *(g.flatten() for g in gradients)])
        with self.listening():
            dist.all_reduce(message)
            few, summed = message.split([len(losses) + 1 + len(trained), sum(sizes)])
            sums = few.tolist()  # on a GPU, errors appear only here
        flags, counts = sums[len(losses)], sums[len(losses) + 1 :]
        for p, count, gradient in zip(trained, counts, summed.split(sizes)):
            p.grad = gradient.view_as(p).to(p.dtype) if count else None
        return sums[: len(losses)], flags > 0

    def any(self, flag: bool) -> bool:
        """Return True, in all processes, if `flag` is true in any of them."""
        if self.size == 1:
            return flag
        count = torch.tensor(float(flag), device=self.device)
        with self.listening():
            dist.all_reduce(count)
            return count.item() > 0

    def once(self, function: Callable[[], Any]) -> Any:
        """Call `function` in the first process only, and return its result in all processes."""
        return self.gather(function() if self.first else None)[0]

    def gather(self, value: Any, group: Any = None) -> list:
        """Return every process's `value` as a list, in order of rank."""
        if self.size == 1:
            return [value]
        values: list = [None] * self.size
        with self.listening():
            dist.all_gather_object(values, value, group=group)
        return values

    def in_turn(self, make: Callable[[], Result]) -> Result:
        """Call make() in one process after another and return its result.

        The first process runs first, then one process on each other machine, then the rest. During the call,
        each process acts as if it were alone. This is meant for files, which the first process writes and the
        others read. If one process raises an error, the others raise ValueError.
        """
        if self.size == 1:
            return make()
        mine, result = 0 if self.first else 1 if self.local_rank == 0 else 2, None
        for turn in range(3):
            error: Exception | None = None
            if turn == mine:
                try:
                    with acting_as(Team()):
                        result = make()
                except Exception as caught:
                    error = caught
            for message in self.gather(error and str(error), self.patient):
                if message is not None:
                    raise error or ValueError(message)
        return result  # type: ignore[return-value]  # this process had one of the turns

    def start(self, model: nn.Module, step: int) -> None:
        """Copy the weights of the first process to all other processes.

        step: the step after which this process resumes. Raises ValueError if processes differ in their step.
        """
        if self.size == 1:
            return
        steps = self.gather(step)
        if len(set(steps)) > 1:
            raise ValueError(
                f"the processes would resume after different steps {steps}: all must see the same "
                f"checkpoint folder"
            )
        with torch.no_grad(), self.listening():
            for tensor in (*model.parameters(), *model.buffers()):
                dist.broadcast(tensor, 0)

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Turn errors about a lost process into a ConnectionError with advice, inside this context.

        With NCCL, this process may be killed before such an error is raised.
        """
        try:
            yield
        except RuntimeError as error:
            reason = str(error).strip().split("\n")[0]
            raise ConnectionError(
                f"process {self.rank} of {self.size} lost its connection to another one ({reason}). Run the "
                "same command, with any number of processes, to resume from the last checkpoint"
            ) from error


_acting = Team()


def team() -> Team:
    return _acting


@contextmanager
def acting_as(other: Team) -> Iterator[None]:
    """Make `team()` return another Team inside this context."""
    global _acting
    before, _acting = _acting, other
    try:
        yield
    finally:
        _acting = before


def join(device: torch.device | str, timeout: float = TIMEOUT) -> Team:
    """Join the processes started by `torchrun`, if there are several, and return the Team.

    Afterwards only the first process prints. device: the device of this process, "cpu" (gloo) or "cuda"
    (NCCL). timeout: in seconds. Raises ValueError for any other device.
    """
    global _acting
    size = int(os.environ.get("WORLD_SIZE", 1))
    if size == 1 or _acting.size > 1:
        return _acting
    device = torch.device(device)
    backends = {"cpu": "gloo", "cuda": "nccl"}
    if device.type not in backends:
        raise ValueError(f"device {device.type!r}: several processes can train together only on cpu or cuda")
    if device.type == "cuda":
        torch.cuda.set_device(device)
    dist.init_process_group(backends[device.type], timeout=timedelta(seconds=timeout))
    atexit.register(dist.destroy_process_group)
    patient = dist.new_group(backend="gloo", timeout=timedelta(seconds=PATIENCE))
    _acting = Team(dist.get_rank(), size, int(os.environ["LOCAL_RANK"]), device.type, patient)
    threads = share_threads(int(os.environ["LOCAL_WORLD_SIZE"]))
    if not _acting.first:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115  # until the process ends
    print(
        f"{size} processes, {threads} {'thread' if threads == 1 else 'threads'} each; gradients by "
        f"{backends[device.type]}"
    )
    return _acting
