"""One run by several processes: each computes some sequences of a batch, then they sum their gradients.

Every process draws the same batch and masks the same tokens, since both come from the seed alone; so the run
does not depend on how many there are, except that each process draws dropout of its own. PyTorch's
DistributedDataParallel (Li et al., 2020, arXiv 2006.15704) averages gradients, which is right only where all
processes count as many labels. It sends those of the late layers while the early ones are still computed;
here all are sent together after the backward pass, and the processes wait for them.

If a process is lost, the same command goes on from the last checkpoint. What the others notice depends on
who carries the messages. With gloo (processors) they get an error, at once when one dies and after TIMEOUT
when one is silent, and raise a ConnectionError that says so. With NCCL (GPUs) there need not be any error in
Python: they wait for the GPU until they are ended, by torchrun, which ends all when one dies, or after
TIMEOUT by NCCL's watchdog (TORCH_NCCL_ASYNC_ERROR_HANDLING, 1 under torchrun, else 3: both end the process).
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

# seconds until a silent process counts as lost
TIMEOUT = 600.0
PATIENCE = 7 * 24 * 3600.0  # seconds to wait for one that prepares data: the others have nothing else to do


@dataclass(frozen=True)
class Team:
    """The processes of a run, and which of them this one is: rank of all, local_rank on its machine.

    By default this process is alone.
    """

    rank: int = 0
    size: int = 1
    local_rank: int = 0
    device: str = "cpu"  # where the tensors are that they send to each other
    patient: Any = None  # PyTorch's group of all of them, with a long timeout

    @property
    def first(self) -> bool:
        """True in the one process that writes files and prints."""
        return self.rank == 0

    def rows(self, turn: int = 0, turns: int = 1) -> slice:
        """Return which sequences of a batch, a slice, this process computes in one of its turns.

        They are spread over the batch, so that all processes get similar lengths.
        """
        return slice(self.rank + self.size * turn, None, self.size * turns)

    def sum(self, model: nn.Module, losses: Tensor, flag: bool = False) -> tuple[list[float], bool]:
        """Sum over all processes, in one message: the gradients, in place, and losses (n,).

        Returns (sums of the losses, True if `flag` is true in any process). A parameter that no process used
        has no gradient afterwards, so that the optimiser leaves it alone.
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
            sums = few.tolist()  # a GPU notices only here that something is wrong
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
        """Call `function` in the first process only, and return its result in all of them."""
        return self.gather(function() if self.first else None)[0]

    def gather(self, value: Any, group: Any = None) -> list:
        """Return the values of all processes, in order of rank."""
        if self.size == 1:
            return [value]
        values: list = [None] * self.size
        with self.listening():
            dist.all_gather_object(values, value, group=group)
        return values

    def in_turn(self, make: Callable[[], Result]) -> Result:
        """Call and return make() in one process after another, each as if it were alone.

        The first process comes first, then the first on each other machine, then the rest. This is for what
        is kept on disk: the first makes it, the others find it. An error in one process is raised in all, in
        the others as ValueError.
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
        return result  # type: ignore[return-value]  # a turn was mine

    def start(self, model: nn.Module, step: int) -> None:
        """Give all processes the first one's weights.

        step: after which this process goes on; raises ValueError where they differ.
        """
        if self.size == 1:
            return
        steps = self.gather(step)
        if len(set(steps)) > 1:
            raise ValueError(
                f"the processes would go on after steps {steps}: all must see the same folder of checkpoints"
            )
        with torch.no_grad(), self.listening():
            for tensor in (*model.parameters(), *model.buffers()):
                dist.broadcast(tensor, 0)

    @contextmanager
    def listening(self) -> Iterator[None]:
        """In this context, an error about a lost process becomes a ConnectionError that says what to do.

        With NCCL, this process may be ended before there is such an error.
        """
        try:
            yield
        except RuntimeError as error:
            reason = str(error).strip().split("\n")[0]
            raise ConnectionError(
                f"process {self.rank} of {self.size} lost another one ({reason}). The same "
                "command, with any number of processes, goes on from the last checkpoint"
            ) from error


_acting = Team()


def team() -> Team:
    """Return the Team of this process."""
    return _acting


@contextmanager
def acting_as(other: Team) -> Iterator[None]:
    """In this context, `team()` returns another Team."""
    global _acting
    before, _acting = _acting, other
    try:
        yield
    finally:
        _acting = before


def join(device: torch.device | str, timeout: float = TIMEOUT) -> Team:
    """Join the processes that `torchrun` started, if it started several, and return the Team.

    After this only the first one prints. device: where this process computes, "cpu" (gloo) or "cuda" (NCCL).
    timeout: seconds. Raises ValueError for another device.
    """
    global _acting
    size = int(os.environ.get("WORLD_SIZE", 1))
    if size == 1 or _acting.size > 1:
        return _acting
    device = torch.device(device)
    backends = {"cpu": "gloo", "cuda": "nccl"}
    if device.type not in backends:
        raise ValueError(f"device {device.type!r}: several processes train together on cpu or cuda only")
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
