"""One run by several processes: each computes some rows of the same batch, and they sum their gradients
before each step.

Every process draws the same batch and hides the same tokens, for both come from the seed alone; so the run
does not depend on how many there are, up to what dropout draws: each process drops units of its own.
PyTorch's DistributedDataParallel (Li et al., 2020, arXiv 2006.15704) averages gradients, which is right only
where all processes count as many labels, and sends those of the late layers while the early ones are still
computed. Here they are sent in one piece after the backward pass: what that hides, this waits for.
"""
import atexit
import os
import sys
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta

import torch
from torch import distributed as dist

from .threads import share_threads

TIMEOUT = 600.0  # seconds until a silent process counts as lost; one that has died is noticed at once
# seconds to wait for one that prepares data: whoever waits there has nothing else to do
PATIENCE = 7 * 24 * 3600.0


@dataclass(frozen=True)
class Team:
    """The processes of a run: how many, and which of them this one is, in all and on its machine. By default
    it is alone.
    """

    rank: int = 0
    size: int = 1
    local_rank: int = 0
    device: str = "cpu"                 # what they send from one to another is there
    patient: object = None              # the group of all of them for waiting long

    @property
    def first(self):
        """True in the one process that writes and speaks."""
        return self.rank == 0

    def rows(self, turn=0, turns=1):
        """The rows of a batch, a slice, that this process computes in one of its turns; spread out, so that
        lengths are alike.
        """
        return slice(self.rank + self.size * turn, None, self.size * turns)

    def sum(self, model, losses):
        """Sum over all processes, in one message: the gradients, in place, and scalars, which are returned.

        A parameter that no process used keeps no gradient, for the optimiser to pass over.
        """
        if self.size == 1:
            return losses
        trained = [p for p in model.parameters() if p.requires_grad]
        sizes = [p.numel() for p in trained]
        used = torch.tensor([p.grad is not None for p in trained], device=self.device)
        gradients = [torch.zeros_like(p) if p.grad is None else p.grad for p in trained]
        message = torch.cat([torch.stack(losses).detach(), used.float(), *(g.flatten() for g in gradients)])
        with self.listening():
            dist.all_reduce(message)
            sums, users, gradients = message.split([len(losses), len(trained), sum(sizes)])
            users = users.tolist()  # a GPU notices only here that something is wrong
        for p, count, gradient in zip(trained, users, gradients.split(sizes)):
            p.grad = gradient.view_as(p).to(p.dtype) if count else None
        return list(sums)

    def any(self, flag):
        """True where it is true in any process."""
        if self.size == 1:
            return flag
        count = torch.tensor(float(flag), device=self.device)
        with self.listening():
            dist.all_reduce(count)
            return count.item() > 0

    def once(self, function):
        """What `function` returns in the first process, in all of them."""
        return self.gather(function() if self.first else None)[0]

    def gather(self, value, group=None):
        """The values of all processes, in order."""
        if self.size == 1:
            return [value]
        values = [None] * self.size
        with self.listening():
            dist.all_gather_object(values, value, group=group)
        return values

    def in_turn(self, make):
        """make() in the first process, as if it were alone; then in the first of each other machine, then in
        the rest.

        For what is kept on disk: the first makes it, the others find it. An error in one is raised in all,
        elsewhere as ValueError.
        """
        if self.size == 1:
            return make()
        mine, result = 0 if self.first else 1 if self.local_rank == 0 else 2, None
        for turn in range(3):
            error = None
            if turn == mine:
                try:
                    with acting_as(Team()):
                        result = make()
                except Exception as caught:
                    error = caught
            for message in self.gather(error and str(error), self.patient):
                if message is not None:
                    raise error or ValueError(message)
        return result

    def start(self, model, step):
        """Give all processes the first one's weights. Raises ValueError where they would go on after
        different steps.
        """
        if self.size == 1:
            return
        steps = self.gather(step)
        if len(set(steps)) > 1:
            raise ValueError(
                f"the processes would go on after steps {steps}: all must see the same folder of checkpoints")
        with torch.no_grad(), self.listening():
            for tensor in (*model.parameters(), *model.buffers()):
                dist.broadcast(tensor, 0)

    @contextmanager
    def listening(self):
        """Turns what PyTorch says of a lost process into a ConnectionError that says what to do."""
        try:
            yield
        except RuntimeError as error:
            reason = str(error).strip().split("\n")[0]
            raise ConnectionError(
                f"process {self.rank} of {self.size} lost another one ({reason}). The same command, with any "
                                  "number of processes, goes on from the last checkpoint") from error


_acting = Team()


def team():
    """The Team that this process is in."""
    return _acting


@contextmanager
def acting_as(other):
    """In this context, `team()` is another one."""
    global _acting
    before, _acting = _acting, other
    try:
        yield
    finally:
        _acting = before


def join(device, timeout=TIMEOUT):
    """Join the processes that `torchrun` started, if it started several; returns the Team. Only the first one
    prints.

    device: where this process computes, "cpu" (gloo) or "cuda" (NCCL). timeout: seconds. Raises ValueError
    for another device.
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
        sys.stdout = open(os.devnull, "w", encoding="utf-8")
    print(f"{size} processes, {threads} {'thread' if threads == 1 else 'threads'} each; gradients by "
          f"{backends[device.type]}")
    return _acting
