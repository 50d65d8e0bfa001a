"""A second device for tests: it computes on the processor, and has the rules of a GPU or of a Mac.

    with emulated("cuda") as device:                    # or "mps"
        model.to("cuda")                                # everything that asks for a device gets this one
        device.waits, device.copies                     # what the host waited for, and what was copied there

A tensor on it is a `Remote`, around a tensor of the processor. It says that its device is cuda:0 or mps:0,
and refuses what the real one would: tensors of two devices in one operation; on "mps" float64, operators
without a kernel, and copies that do not wait. It notes where the host has to wait, with the line of code that
is to blame. Results are bit for bit those of the processor.

Functions of PyTorch that take or name a device are replaced meanwhile, in all threads.

What it cannot see: an operator that PyTorch makes of others in C++ takes the branch of a processor there; a
GPU's speed and memory. Nothing is computed later than it is asked for, so a result that is read too early is
right here and wrong there.
"""

import itertools
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from functools import wraps
from types import SimpleNamespace
from typing import Any
from unittest import mock

import torch
import torch._dynamo  # an optimiser needs it, and it has to see the true functions
from remote import Emulation, Remote, ToDevice, ToHost, now, running
from torch import Tensor, nn
from torch.utils._python_dispatch import TorchDispatchMode

FACTORIES = (
    "arange",
    "empty",
    "empty_strided",
    "eye",
    "full",
    "linspace",
    "logspace",
    "normal",
    "ones",
    "rand",
    "randint",
    "randn",
    "randperm",
    "scalar_tensor",
    "tril_indices",
    "triu_indices",
    "zeros",
    "empty_like",
    "full_like",
    "ones_like",
    "rand_like",
    "randint_like",
    "randn_like",
    "zeros_like",
)
DRAWS = ("bernoulli", "multinomial", "poisson")
DRAWS_IN_PLACE = (
    "bernoulli_",
    "cauchy_",
    "exponential_",
    "geometric_",
    "log_normal_",
    "normal_",
    "random_",
    "uniform_",
)
NEW = ("new_empty", "new_full", "new_ones", "new_zeros")
FROM_DATA = ("tensor", "as_tensor", "asarray")
torch.utils._device._device_constructors()  # remembers what it finds at first: the true functions
GENERATOR, AUTOCAST = torch.Generator, torch.autocast
REAL = os.environ.get("MINIBERT_GPU") == "real"  # tests of training and of tasks then run on a GPU
NEAR = 1e-3 if REAL else 1e-4  # of losses: a GPU adds up in another order, which a few steps enlarge


def is_ours(device: Any) -> bool:
    """Whether this names the emulated device; int: the number of a GPU."""
    if isinstance(device, int):
        return now().device.type == "cuda"
    return device is not None and torch.device(device).type == now().device.type


class Generator(GENERATOR):
    """A random generator of the device that it is asked for; it draws what one of the processor draws."""

    def __new__(cls, device: Any = "cpu") -> Any:
        made = GENERATOR.__new__(cls, "cpu")
        made.place = now().device if is_ours(device) else torch.device("cpu")
        return made

    def __init__(self, device: Any = "cpu"):
        pass

    @property
    def device(self) -> torch.device:
        return self.place


class Autocast(AUTOCAST):
    """Lower precision of operators on the device: that of the processor."""

    def __init__(self, device_type: str, *args: Any, **options: Any):
        if device_type == now().device.type:
            dtype = options.get("dtype", args[0] if args else None) or torch.get_autocast_dtype(device_type)
            if device_type == "cuda" and dtype == torch.bfloat16 and not torch.cuda.is_bf16_supported():
                raise RuntimeError(
                    "Current CUDA Device does not support bfloat16. Please switch dtype to float16."
                )
            now().check_dtype(dtype) if options.get("enabled", True) else None
            device_type, args, options = "cpu", args[1:], {**options, "dtype": dtype}
        super().__init__(device_type, *args, **options)


def factory(make: Callable) -> Callable:
    """A function that makes a tensor, on the device where it is asked to, or where its argument is."""
    make = by_python(make)

    @wraps(make)
    def made(*args: Any, device: Any = None, pin_memory: bool = False, **options: Any) -> Tensor:
        like = args[0] if args and isinstance(args[0], Remote) else None
        here = is_ours(device) if device is not None else like is not None
        check_generator(options.get("generator"), here)
        if not here:
            plain = [torch.empty_like(x.inner) if x is like and x is not None else x for x in args]
            result = make(*plain, **options, **({} if device is None else {"device": device}))
            return now().pin(result) if pin_memory else result
        if like is not None:
            return make(*args, **options)
        requires_grad = options.pop("requires_grad", False)
        result = make(*args, **options)
        now().check_dtype(result.dtype)
        return Remote(result, requires_grad)

    return made


def drawing(draw: Callable) -> Callable:
    """A function that draws for a tensor, with a generator of the tensor's device."""

    @wraps(draw)
    def drawn(tensor: Tensor, *args: Any, generator: Any = None, **options: Any) -> Tensor:
        check_generator(generator, isinstance(tensor, Remote))
        return draw(tensor, *args, generator=generator, **options)

    return drawn


def check_generator(generator: Any, here: bool) -> None:
    """Raise RuntimeError for a generator of the other device; here: whether it draws on the emulated one."""
    if generator is not None and (generator.device.type != "cpu") != here:
        raise RuntimeError(
            f"Expected a '{now().device.type if here else 'cpu'}' device type for generator "
            f"but found '{generator.device.type}'"
        )


def from_data(make: Callable) -> Callable:
    """A function that makes a tensor of Python's or NumPy's values, which are copied to the device."""
    make = by_python(make)

    @wraps(make)
    def made(data: Any, *args: Any, device: Any = None, dtype: Any = None, **options: Any) -> Tensor:
        if isinstance(data, Remote):
            return data.to(device=device or data.device, dtype=dtype or data.dtype)
        pin, requires_grad = options.pop("pin_memory", False), options.pop("requires_grad", False)
        if not is_ours(device):
            options |= {} if device is None else {"device": device}
            options |= {"requires_grad": True} if requires_grad else {}
            result = make(data, *args, dtype=dtype, **options)
            return now().pin(result) if pin else result
        result = make(data, *args, dtype=dtype, **options)
        return now().put(result, what=make.__name__).requires_grad_(requires_grad)

    return made


def new_of(make: Callable) -> Callable:
    """A method that makes a tensor beside another, there or on the device that it is asked for."""

    @wraps(make)
    def made(self: Tensor, *args: Any, device: Any = None, **options: Any) -> Tensor:
        there = isinstance(self, Remote) if device is None else is_ours(device)
        if there == isinstance(self, Remote):
            return make(self, *args, **options)
        beside = self.inner if isinstance(self, Remote) else self
        result = make(beside, *args, **options)
        return Remote(result) if there else result

    return made


def new_tensor(self: Tensor, data: Any, *, dtype: Any = None, device: Any = None, **options: Any) -> Tensor:
    """`Tensor.new_tensor`."""
    return torch.tensor(data, dtype=dtype or self.dtype, device=device or self.device, **options)


def to(
    self: Tensor,
    *args: Any,
    non_blocking: bool | None = None,
    copy: bool = False,
    what: str = "to",
    **options: Any,
) -> Tensor:
    """`Tensor.to`."""
    if args and isinstance(args[0], Tensor) or "other" in options:
        other, *args = args or [options.pop("other")]
        device, dtype, positional, form = other.device, other.dtype, bool(args and args[0]), None
        copy = copy or len(args) > 1 and args[1]
    else:
        if len(args) > 1 and isinstance(args[-1], bool) and isinstance(args[-2], bool):
            *args, copy = args
        device, dtype, positional, form = torch._C._nn._parse_to(*args, **options)
    non_blocking = positional if non_blocking is None else non_blocking
    form = {} if form is None else {"memory_format": form}
    if device is None or is_ours(device) == isinstance(self, Remote):
        return TO(self, dtype=dtype or self.dtype, copy=copy, **form)
    return (ToDevice if is_ours(device) else ToHost).apply(self, dtype, non_blocking, what)


aten = torch.ops.aten
MADE = {aten.zeros, aten.ones, aten.full, aten.empty, aten.empty_strided, aten.arange, aten.eye}
ASKED, BACKWARD = threading.local(), torch.autograd._engine_run_backward
TO, PAD_PACKED = Tensor.to, torch._VF._pad_packed_sequence


def to_host(self: Tensor, *args: Any, **options: Any) -> Tensor:
    """`Tensor.cpu`."""
    return to(self, "cpu", what="cpu")


def to_gpu(self: Tensor, device: Any = None, non_blocking: bool = False, **options: Any) -> Tensor:
    """`Tensor.cuda`."""
    return to(self, "cuda" if device is None else device, non_blocking=non_blocking, what="cuda")


def is_pinned(self: Tensor, device: Any = None) -> bool:
    """`Tensor.is_pinned`."""
    return not isinstance(self, Remote) and now().is_pinned(self)


def apply_to_module(self: nn.Module, fn: Callable, recurse: bool = True) -> nn.Module:
    """`Module._apply`: parameters stay the same objects, as between real devices, so tied ones stay tied."""
    for module in self.children() if recurse else ():
        module._apply(fn)
    for parameter in self._parameters.values():
        if parameter is None:
            continue
        with torch.no_grad():
            made = fn(parameter)
            if made is parameter:
                continue
            gradient, parameter.grad = parameter.grad, None
            torch.utils.swap_tensors(parameter, nn.Parameter(made, parameter.requires_grad))
            if gradient is not None:
                parameter.grad = fn(gradient)
    for name, buffer in self._buffers.items():
        if buffer is not None:
            self._buffers[name] = fn(buffer)
    return self


def by_device_and_dtype(tensors: list[list], with_indices: bool) -> dict:
    """Group lists of tensors by the first list's device and type, as the optimisers want them."""
    groups: dict = {}
    for place, row in enumerate(itertools.zip_longest(*tensors)):  # a list may be empty
        columns, places = groups.setdefault((row[0].device, row[0].dtype), ([[] for _ in tensors], []))
        for column, tensor, given in zip(columns, row, tensors):
            column += [tensor] * bool(given)
        places += [place] * with_indices
    return groups


def pad_packed(data: Tensor, sizes: Tensor, batch_first: bool, value: float, length: int) -> tuple:
    """`torch._VF._pad_packed_sequence`, which makes its result in C++, on the processor."""
    if not isinstance(data, Remote):
        return PAD_PACKED(data, sizes, batch_first, value, length)
    B = int(sizes[0])
    steps = [
        torch.cat([step, step.new_full((B - len(step), *step.shape[1:]), value)])
        for step in data.split(sizes.tolist())
    ]
    steps += [data.new_full((B, *data.shape[1:]), value)] * (length - len(steps))
    padded = torch.stack(steps, dim=1 if batch_first else 0)
    return padded, (sizes[:, None] > torch.arange(B)).sum(0)


class MadeInBackward(TorchDispatchMode):
    """While gradients of the device are computed, tensors that C++ makes for them are on the device."""

    def __torch_dispatch__(self, func: Any, types: Any, args: tuple = (), kwargs: dict | None = None) -> Any:
        made = func(*args, **(kwargs or {}))
        ours = func.overloadpacket in MADE and type(made) is Tensor and not getattr(ASKED, "by_python", False)
        return Remote(made) if ours else made


def backward(tensors: Any, *args: Any, **options: Any) -> Any:
    """Run the gradients from some tensors back."""
    if not any(isinstance(tensor, Remote) for tensor in tensors):
        return BACKWARD(tensors, *args, **options)
    with MadeInBackward():
        return BACKWARD(tensors, *args, **options)


def by_python(function: Callable) -> Callable:
    """The same function; what it makes is known to be asked for by Python code."""

    @wraps(function)
    def asked(*args: Any, **options: Any) -> Any:
        before, ASKED.by_python = getattr(ASKED, "by_python", False), True
        try:
            return function(*args, **options)
        finally:
            ASKED.by_python = before

    return asked


class Happening:
    """A stand-in for torch.cuda.Event."""

    def __init__(self, *args: Any, **options: Any):
        pass

    def record(self, stream: Any = None) -> None:
        pass

    def wait(self, stream: Any = None) -> None:
        pass

    def query(self) -> bool:
        return True

    def synchronize(self) -> None:
        now().wait("sync", "Event.synchronize")


class Stream(Happening):
    """A stand-in for torch.cuda.Stream."""

    def wait_stream(self, stream: Any) -> None:
        pass

    def wait_event(self, event: Any) -> None:
        pass

    def synchronize(self) -> None:
        now().wait("sync", "Stream.synchronize")


def of_cuda(bfloat16: bool) -> dict[str, Any]:
    """What torch.cuda answers."""

    def nothing(*args, **options):
        pass

    properties = SimpleNamespace(
        name="Emulated GPU", total_memory=8 << 30, major=8, minor=0, multi_processor_count=1
    )
    return {
        "is_available": lambda: True,
        "device_count": lambda: 1,
        "current_device": lambda: 0,
        "set_device": nothing,
        "synchronize": lambda device=None: now().wait("sync", "cuda.synchronize"),
        "is_bf16_supported": lambda including_emulation=True: bfloat16,
        "get_device_name": lambda device=None: "Emulated GPU",
        "get_device_properties": lambda device=None: properties,
        "get_device_capability": lambda device=None: (8, 0) if bfloat16 else (7, 0),
        "manual_seed": nothing,
        "manual_seed_all": nothing,
        "empty_cache": nothing,
        "_lazy_init": nothing,
        "memory_allocated": lambda device=None: 0,
        "max_memory_allocated": lambda device=None: 0,
        "memory_reserved": lambda device=None: 0,
        "max_memory_reserved": lambda device=None: 0,
        "reset_peak_memory_stats": nothing,
        "mem_get_info": lambda device=None: (8 << 30, 8 << 30),
        "Event": Happening,
        "Stream": Stream,
        "current_stream": lambda device=None: Stream(),
        "default_stream": lambda device=None: Stream(),
        "stream": lambda stream: nullcontext(),
    }


def of_mps() -> dict[str, Any]:
    """What torch.mps answers."""
    return {
        "synchronize": lambda: now().wait("sync", "mps.synchronize"),
        "manual_seed": lambda seed: None,
        "empty_cache": lambda: None,
        "current_allocated_memory": lambda: 0,
        "driver_allocated_memory": lambda: 0,
    }


@contextmanager
def emulated(kind: str, bfloat16: bool = True) -> Iterator[Emulation]:
    """Emulate a device in this context. kind: "cuda" or "mps"; bfloat16: False for an older one.

    With MINIBERT_GPU=real in the environment, "cuda" is this machine's GPU.
    """
    if kind not in ("cuda", "mps"):
        raise ValueError(f"device {kind!r} must be 'cuda' or 'mps'")
    if kind == "cuda" and REAL:
        yield SimpleNamespace(device=torch.device("cuda", 0))
        return
    with running(Emulation(torch.device(kind, 0), bfloat16)) as emulation, ExitStack() as stack:

        def put(place: Any, **values: Any) -> None:
            for name, value in values.items():
                stack.enter_context(mock.patch.object(place, name, value))

        put(
            torch,
            **{name: factory(getattr(torch, name)) for name in FACTORIES},
            **{name: from_data(getattr(torch, name)) for name in FROM_DATA},
            **{name: drawing(getattr(torch, name)) for name in DRAWS},
            Generator=Generator,
            autocast=Autocast,
        )
        put(torch.amp, autocast=Autocast)
        put(torch.amp.autocast_mode, autocast=Autocast)
        put(
            Tensor,
            **{name: new_of(getattr(Tensor, name)) for name in NEW},
            **{
                name: drawing(getattr(Tensor, name))
                for name in (*DRAWS, *DRAWS_IN_PLACE)
                if hasattr(Tensor, name)
            },
            new_tensor=new_tensor,
            to=to,
            cpu=to_host,
            cuda=to_gpu,
            is_pinned=is_pinned,
            pin_memory=lambda self, device=None: emulation.pin(self),
        )
        put(nn.Module, _apply=apply_to_module)
        put(torch._C, _group_tensors_by_device_and_dtype=by_device_and_dtype)
        put(torch.utils._foreach_utils, _foreach_supported_types=[Tensor, Remote])
        put(torch.autograd, _engine_run_backward=backward)
        put(torch._VF, _pad_packed_sequence=pad_packed)
        put(torch.backends.cudnn, is_acceptable=lambda tensor: False)
        put(
            torch.backends.mps,
            is_available=lambda: kind == "mps",
            is_built=lambda: kind == "mps",
            is_macos_or_newer=lambda major, minor: bfloat16,
            get_name=lambda: "Emulated Mac",
        )
        put(torch.cuda, **of_cuda(bfloat16) if kind == "cuda" else {})
        put(torch.mps, **of_mps() if kind == "mps" else {})
        yield emulation
