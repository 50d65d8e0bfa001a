"""A second device for tests: it computes on the processor, and refuses what a GPU or a Mac would refuse.

    with emulated("cuda"):                              # or "mps"
        model.to("cuda")                                # everything that asks for a device gets this one

A tensor on it is a `Remote`, around a tensor of the processor. It says that its device is cuda:0 or mps:0. It
refuses tensors of two devices in one operation, NumPy, and on "mps" float64, operators without a kernel, and
copies that do not wait. Results are bit for bit those of the processor.

Functions of PyTorch that take or name a device are replaced meanwhile, in all threads.

What it cannot see: an operator that PyTorch makes of others in C++ takes the branch of a processor there; a
GPU's speed and memory. Nothing is computed later than it is asked for, so a result that is read too early is
right here and wrong there.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import wraps
from typing import Any
from unittest import mock

import torch
import torch._dynamo  # an optimiser needs it, and it has to see the true functions
from mps_kernels import without_kernel
from torch import Tensor, nn
from torch.utils._pytree import tree_flatten, tree_map_only

aten = torch.ops.aten
FACTORIES = (
    "arange empty empty_strided eye full linspace normal ones rand randint randn randperm zeros "
    "scalar_tensor tril_indices triu_indices empty_like full_like ones_like rand_like randint_like "
    "randn_like zeros_like"
).split()
FROM_DATA = "tensor as_tensor asarray".split()
DRAWS = "bernoulli multinomial".split()
DRAWS_IN_PLACE = "bernoulli_ exponential_ normal_ random_ uniform_".split()
NEW = "new_empty new_full new_ones new_zeros".split()
INDEXING = {aten.index, aten.index_put, aten.index_put_, aten._index_put_impl_, aten._unsafe_index}
# operator: the places of arguments that stay on the processor
ON_HOST = {aten._pack_padded_sequence: (1,), aten._pack_padded_sequence_backward: (2,)}
# how a processor computes what has another kernel on a Mac
ONLY_HERE = {
    "_scaled_dot_product_flash_attention_for_cpu",
    "_scaled_dot_product_flash_attention_for_cpu_backward",
    "mkldnn_rnn_layer",
    "mkldnn_rnn_layer_backward",
}
torch.utils._device._device_constructors()  # remembers what it finds at first: the true functions
GENERATOR, AUTOCAST, TO, PAD_PACKED = (
    torch.Generator,
    torch.autocast,
    Tensor.to,
    torch._VF._pad_packed_sequence,
)
REAL = os.environ.get("MINIBERT_GPU") == "real"  # tests of training and of tasks then run on a GPU
NEAR = 1e-3 if REAL else 1e-4  # of losses: a GPU adds up in another order, which a few steps enlarge
_now: torch.device | None = None


def now() -> torch.device:
    """Return the device that is emulated. Raises RuntimeError for a tensor that outlived its emulation."""
    if _now is None:
        raise RuntimeError("a tensor of an emulated device, used after the emulation ended")
    return _now


def is_ours(device: Any) -> bool:
    """Return whether this names the emulated device; int: the number of a GPU."""
    if isinstance(device, int):
        return now().type == "cuda"
    return device is not None and torch.device(device).type == now().type


class Remote(Tensor):
    """A tensor of the emulated device. inner: its numbers, a tensor of the processor without gradient."""

    inner: Tensor
    __torch_function__ = torch._C._disabled_torch_function_impl  # for PyTorch, an ordinary tensor

    @staticmethod
    def __new__(cls, inner: Tensor, requires_grad: bool = False) -> "Remote":
        if now().type == "mps" and inner.dtype in (torch.float64, torch.complex128):
            raise TypeError("Cannot convert a MPS Tensor to float64 dtype: MPS doesn't support float64")
        made = Tensor._make_wrapper_subclass(
            cls,
            inner.size(),
            strides=inner.stride(),
            storage_offset=inner.storage_offset(),
            dtype=inner.dtype,
            requires_grad=requires_grad,
        )
        made.inner = inner
        return made

    device = property(lambda self: now())
    is_cpu = property(lambda self: False)
    is_cuda = property(lambda self: now().type == "cuda")
    is_mps = property(lambda self: now().type == "mps")

    def get_device(self) -> int:
        return 0

    def data_ptr(self) -> int:
        return self.inner.data_ptr()

    def untyped_storage(self) -> Any:
        return self.inner.untyped_storage()

    def is_shared(self) -> bool:
        return True

    def __repr__(self, *, tensor_contents: Any = None) -> str:
        return f"{self.inner!r:.200} on {_now or 'a device that is gone'}"

    def __format__(self, spec: str) -> str:
        return format(self.item(), spec) if self.dim() == 0 else object.__format__(self, spec)

    def numpy(self, **options: Any) -> Any:
        raise TypeError(f"can't convert {self.device} device type tensor to numpy. Use Tensor.cpu() first.")

    def __array__(self, *args: Any, **options: Any) -> Any:
        return self.numpy()

    def tolist(self) -> Any:
        return self.inner.tolist()

    def __deepcopy__(self, memo: dict) -> "Remote":
        if id(self) not in memo:
            copied = memo[id(self)] = Remote(self.inner.clone(), self.requires_grad)
            if hasattr(self, "_is_param"):
                copied._is_param = True
        return memo[id(self)]

    def set_data(self, other: Tensor) -> None:
        if not isinstance(other, Remote):
            raise RuntimeError("`variable.set_data(tensor)`: these have incompatible tensor type.")
        Tensor.data.__set__(self, other)
        self.inner = other.inner

    data = property(lambda self: self.detach(), set_data)

    @classmethod
    def __torch_dispatch__(cls, func: Any, types: Any, args: tuple = (), kwargs: dict | None = None) -> Any:
        packet, kwargs = func.overloadpacket, kwargs or {}
        if packet is aten.copy_:
            return copied(*args, **kwargs)
        if packet is aten.set_ and args[0] is args[1]:  # as register_parametrization does
            return args[0]
        if packet in INDEXING and isinstance(args[0], Remote):
            args = (args[0], [remote(x) for x in args[1]], *args[2:])
        check_devices(packet, args, kwargs)
        check_kernel(func.__name__.removesuffix(".default"))
        remotes = {id(x.inner): x for x in tree_flatten((args, kwargs))[0] if isinstance(x, Remote)}
        args, kwargs = tree_map_only(Remote, lambda x: x.inner, (args, kwargs))
        results = func(*args, **kwargs)
        if packet is aten._pack_padded_sequence:
            return Remote(results[0]), results[1]  # the sizes of the steps stay on the processor
        return tree_map_only(Tensor, lambda x: remotes[id(x)] if id(x) in remotes else Remote(x), results)


def remote(index: Tensor | None) -> Tensor | None:
    """Return an index on the device: PyTorch copies those of the processor there."""
    return index if index is None or isinstance(index, Remote) else Remote(index.detach().clone())


def check_devices(packet: Any, args: tuple, kwargs: dict) -> None:
    """Raise RuntimeError for tensors of two devices; a scalar of the processor may be among a device's."""
    given = [x for i, x in enumerate(args) if i not in ON_HOST.get(packet, ())]
    for x in tree_flatten((given, kwargs))[0]:
        foreign = isinstance(x, Tensor) and not isinstance(x, Remote)
        if foreign and (x.dim() or packet.__name__.startswith("_fused")):
            raise RuntimeError(
                "Expected all tensors to be on the same device, but found at least two "
                f"devices, {now()} and cpu! (in {packet})"
            )


def check_kernel(name: str) -> None:
    """Raise NotImplementedError for an operator that a Mac's GPU does not have."""
    if now().type == "mps" and name in without_kernel() and name not in ONLY_HERE:
        raise NotImplementedError(f"The operator 'aten::{name}' is not implemented for the MPS device.")


def check_waits(non_blocking: Any) -> None:
    """Raise RuntimeError for a copy that does not wait, on a Mac: it may read memory that was freed."""
    if non_blocking and now().type == "mps":
        raise RuntimeError("a copy to or from mps with non_blocking=True may have wrong values")


def copied(to: Tensor, source: Tensor, non_blocking: bool = False) -> Tensor:
    """Do `to.copy_(source)`, the operator that may have tensors of two devices."""
    check_waits(non_blocking)
    a, b = (x.inner if isinstance(x, Remote) else x for x in (to, source))
    a.copy_(b)
    return to


class Moved(torch.autograd.Function):
    """A copy to the device or from it through which gradients come back."""

    @staticmethod
    def forward(ctx, source, dtype):
        ctx.dtype = source.dtype
        if isinstance(source, Remote):
            return source.inner.to(dtype or source.dtype, copy=True)
        return Remote(source.detach().to(dtype or source.dtype, copy=True))

    @staticmethod
    def backward(ctx, gradient):
        there = gradient.inner if isinstance(gradient, Remote) else gradient
        back = there.to(ctx.dtype, copy=True)
        return back if isinstance(gradient, Remote) else Remote(back), None


def to(self: Tensor, *args: Any, non_blocking: bool = False, copy: bool = False, **options: Any) -> Tensor:
    """`Tensor.to`."""
    if args and isinstance(args[0], Tensor):
        device, dtype = args[0].device, args[0].dtype
    else:
        device, dtype, positional, _ = torch._C._nn._parse_to(*args, **options)
        non_blocking = non_blocking or positional
    if device is None or is_ours(device) == isinstance(self, Remote):
        return TO(self, dtype=dtype or self.dtype, copy=copy)
    check_waits(non_blocking)
    return Moved.apply(self, dtype)


class Generator(GENERATOR):
    """A random generator of the device that it is asked for; it draws what one of the processor draws."""

    def __new__(cls, device: Any = "cpu") -> Any:
        made = GENERATOR.__new__(cls, "cpu")
        made.place = now() if is_ours(device) else torch.device("cpu")
        return made

    def __init__(self, device: Any = "cpu"):
        pass

    device = property(lambda self: self.place)


def check_generator(generator: Any, here: bool) -> None:
    """Raise RuntimeError for a generator of the other device; here: whether it draws on the emulated one."""
    if generator is not None and (generator.device.type != "cpu") != here:
        raise RuntimeError(f"Expected another device type for generator but found {generator.device.type!r}")


class Autocast(AUTOCAST):
    """Lower precision of operators on the device: that of the processor."""

    def __init__(self, device_type: str, *args: Any, **options: Any):
        super().__init__("cpu" if device_type == now().type else device_type, *args, **options)


def factory(make: Callable) -> Callable:
    """A function that makes a tensor, on the device where it is asked to, or where its argument is."""

    @wraps(make)
    def made(*args: Any, device: Any = None, pin_memory: bool = False, **options: Any) -> Tensor:
        like = args[0] if args and isinstance(args[0], Remote) else None
        here = is_ours(device) if device is not None else like is not None
        check_generator(options.get("generator"), here)
        plain = [x.inner if isinstance(x, Remote) else x for x in args]
        if not here:
            return make(*plain, **options, **({} if device is None else {"device": device}))
        requires_grad = options.pop("requires_grad", False)
        return Remote(make(*plain, **options), requires_grad)

    return made


def drawing(draw: Callable) -> Callable:
    """A function that draws for a tensor, with a generator of the tensor's device."""

    @wraps(draw)
    def drawn(tensor: Tensor, *args: Any, generator: Any = None, **options: Any) -> Tensor:
        check_generator(generator, isinstance(tensor, Remote))
        return draw(tensor, *args, generator=generator, **options)

    return drawn


def from_data(make: Callable) -> Callable:
    """A function that makes a tensor of Python's or NumPy's values, which are copied to the device."""

    @wraps(make)
    def made(data: Any, *args: Any, device: Any = None, dtype: Any = None, **options: Any) -> Tensor:
        if isinstance(data, Remote):
            return data.to(device=device or data.device, dtype=dtype or data.dtype)
        if not is_ours(device):
            return make(data, *args, dtype=dtype, **options, **({} if device is None else {"device": device}))
        requires_grad = options.pop("requires_grad", False)
        return Remote(make(data, *args, dtype=dtype, **options).clone(), requires_grad)

    return made


def new_of(make: Callable) -> Callable:
    """A method that makes a tensor beside another, there or on the device that it is asked for."""

    @wraps(make)
    def made(self: Tensor, *args: Any, device: Any = None, **options: Any) -> Tensor:
        there = isinstance(self, Remote) if device is None else is_ours(device)
        result = make(self.inner if isinstance(self, Remote) else self, *args, **options)
        return Remote(result) if there else result

    return made


def apply_to_module(self: nn.Module, fn: Callable, recurse: bool = True) -> nn.Module:
    """`Module._apply`: parameters stay the same objects, as between real devices, so tied ones stay tied."""
    for module in self.children() if recurse else ():
        module._apply(fn)
    for parameter in filter(lambda p: p is not None, self._parameters.values()):
        with torch.no_grad():
            made = fn(parameter)
            if made is not parameter:
                parameter.grad = None
                torch.utils.swap_tensors(parameter, nn.Parameter(made, parameter.requires_grad))
    self._buffers.update({name: fn(x) for name, x in self._buffers.items() if x is not None})
    return self


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
    return torch.stack(steps, dim=1 if batch_first else 0), (sizes[:, None] > torch.arange(B)).sum(0)


def nothing(*args: Any, **options: Any) -> None:
    """Do what is of no matter to tensors of a processor."""


@contextmanager
def emulated(kind: str) -> Iterator[torch.device]:
    """Emulate a device in this context. kind: "cuda" or "mps".

    With MINIBERT_GPU=real in the environment, "cuda" is this machine's GPU.
    """
    global _now
    if kind == "cuda" and REAL:
        yield torch.device("cuda", 0)
        return
    if _now is not None:
        raise RuntimeError(f"{_now} is emulated already")
    with ExitStack() as stack:

        def put(place: Any, **values: Any) -> None:
            for name, value in values.items():
                stack.enter_context(mock.patch.object(place, name, value))

        def put_around(place: Any, around: Callable, names: list[str]) -> None:
            put(place, **{name: around(getattr(place, name)) for name in names})

        put_around(torch, factory, FACTORIES)
        put_around(torch, from_data, FROM_DATA)
        put_around(torch, drawing, DRAWS)
        put_around(Tensor, drawing, ["multinomial", *DRAWS_IN_PLACE])
        put_around(Tensor, new_of, NEW)
        put(torch, Generator=Generator, autocast=Autocast)
        put(torch.amp, autocast=Autocast)
        put(torch.amp.autocast_mode, autocast=Autocast)
        put(Tensor, to=to, cpu=lambda self: to(self, "cpu"), cuda=lambda self: to(self, "cuda"))
        put(Tensor, is_pinned=lambda self: False, pin_memory=lambda self: self)
        put(nn.Module, _apply=apply_to_module)
        put(torch._VF, _pad_packed_sequence=pad_packed)
        put(torch.backends.cudnn, is_acceptable=lambda tensor: False)
        there = {"is_available": lambda: True}
        put(torch.backends.mps, is_macos_or_newer=lambda major, minor: True)
        if kind == "mps":
            put(torch.backends.mps, **there)
            put(torch.mps, manual_seed=nothing)
        else:
            put(torch.cuda, **there, device_count=lambda: 1, current_device=lambda: 0)
            put(torch.cuda, is_bf16_supported=lambda including_emulation=True: True)
            put(torch.cuda, manual_seed_all=nothing, _lazy_init=nothing)
        _now = torch.device(kind, 0)
        try:
            yield _now
        finally:
            _now = None
