"""Tensors of the emulated device, what they refuse, and what they note; `emulated` starts it."""

import itertools
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from typing import Any

import torch
from mps_kernels import without_kernel
from torch import Tensor
from torch.utils._pytree import tree_flatten, tree_map_only

import minibert

aten = torch.ops.aten
TORCH, PACKAGE = Path(torch.__file__).parent, Path(minibert.__file__).parent
OURS = {__file__, str(Path(__file__).with_name("emulated.py"))}
READS = {
    aten._local_scalar_dense,
    aten.nonzero,
    aten.nonzero_numpy,
    aten.masked_select,
    aten._unique2,
    aten._unique,
    aten.unique_dim,
    aten.unique_consecutive,
    aten.unique_dim_consecutive,
    aten.equal,
    aten.bincount,
    aten.histc,
    aten.multinomial,
}
INDEXING = {
    aten.index,
    aten.index_put,
    aten.index_put_,
    aten._index_put_impl_,
    aten._unsafe_index,
    aten._unsafe_index_put,
}
# operator: the places of arguments that stay on the processor
ON_HOST = {aten._pack_padded_sequence: (1,), aten._pack_padded_sequence_backward: (2,)}
# how a processor computes what has another kernel on a Mac
ONLY_HERE = {
    "_scaled_dot_product_flash_attention_for_cpu",
    "_scaled_dot_product_flash_attention_for_cpu_backward",
    "mkldnn_rnn_layer",
    "mkldnn_rnn_layer_backward",
}
HALF = (torch.float16, torch.bfloat16)
NOT_IN_HALF = {aten.mkldnn_rnn_layer, aten.mkldnn_rnn_layer_backward}
NO_DOUBLE = (
    "Cannot convert a MPS Tensor to float64 dtype as the MPS framework doesn't support float64. "
    "Please use float32 instead."
)


@dataclass(frozen=True)
class Event:
    """Something that costs time: kind, operator, and "file:line" of the code that asked for it.

    kind: "read" where the host waits for a result, "copy" where it waits until something is copied to the
    device, "sync" where it asks to wait, "to" for a copy to the device. thread: who asked.
    """

    kind: str
    what: str
    line: str
    thread: str = field(default_factory=lambda: threading.current_thread().name)

    def __str__(self) -> str:
        return f"{self.line} {self.what} ({self.kind})"


@dataclass
class Emulation:
    """The device that is emulated now. waits, copies: what was noted since `forget`."""

    device: torch.device
    bfloat16: bool = True
    waits: list[Event] = field(default_factory=list)
    copies: list[Event] = field(default_factory=list)
    pinned: list[Tensor] = field(default_factory=list)  # kept, so that their addresses stay theirs

    @property
    def reads(self) -> list[Event]:
        """The waits that are not for a copy to the device."""
        return [event for event in self.waits if event.kind != "copy"]

    def forget(self) -> None:
        """Begin to count anew."""
        self.waits.clear()
        self.copies.clear()

    def lines(self) -> str:
        """Return the waits as text, the most frequent first."""
        return "\n".join(f"{count} x {event}" for event, count in Counter(map(str, self.waits)).most_common())

    def wait(self, kind: str, what: str) -> None:
        """Note that the host waits."""
        self.waits.append(Event(kind, what, blamed()))

    def is_pinned(self, tensor: Tensor) -> bool:
        """Whether the memory of a tensor of the processor is pinned."""
        start = tensor.untyped_storage().data_ptr()
        return any(start == kept.untyped_storage().data_ptr() for kept in self.pinned)

    def pin(self, tensor: Tensor) -> Tensor:
        """Return a copy in pinned memory. Raises what PyTorch raises where there is none."""
        if self.device.type != "cuda":
            raise RuntimeError("Attempted to pin memory, but pinning is emulated with 'cuda' alone")
        if isinstance(tensor, Remote):
            raise RuntimeError(
                f"cannot pin 'torch.{self.device.type}.FloatTensor' only dense CPU tensors can be pinned"
            )
        if self.is_pinned(tensor):
            return tensor
        kept = tensor.detach().clone()
        self.pinned.append(kept)
        return kept.view_as(kept)

    def put(
        self,
        source: Tensor,
        dtype: torch.dtype | None = None,
        *,
        non_blocking: bool = False,
        what: str = "to",
        copy: bool = True,
    ) -> "Remote":
        """Copy a tensor of the processor to the device and note what that costs."""
        dtype = dtype or source.dtype
        self.check_dtype(dtype)
        self.note_copy(source, dtype, non_blocking, what)
        return Remote(source.detach().to(dtype, copy=True))

    def note_copy(self, source: Tensor, dtype: torch.dtype, non_blocking: bool, what: str) -> None:
        """Note a copy to the device, and a wait, unless it is asked for and possible to copy meanwhile."""
        if non_blocking and self.device.type == "mps":
            raise RuntimeError(
                f"{blamed()}: a copy to mps with non_blocking=True reads memory that may have "
                f"been freed: the tensor on the device gets wrong values"
            )
        meanwhile = (
            non_blocking and self.is_pinned(source) and source.is_contiguous() and dtype == source.dtype
        )
        self.copies.append(Event("to", what, blamed()))
        if not meanwhile:
            self.wait("copy", what)

    def fetch(self, remote: "Remote", what: str, non_blocking: bool = False) -> Tensor:
        """Copy a tensor of the device to the processor and note what that costs."""
        if non_blocking and self.device.type == "mps":
            raise RuntimeError(
                f"{blamed()}: a copy from mps with non_blocking=True may be read before it is there"
            )
        if not non_blocking:
            self.wait("read", what)
        return remote.inner.clone()

    def check_dtype(self, dtype: torch.dtype) -> None:
        """Raise TypeError for numbers that a Mac's GPU does not have."""
        if self.device.type == "mps" and dtype in (torch.float64, torch.complex128):
            raise TypeError(NO_DOUBLE)
        if dtype == torch.bfloat16 and not self.bfloat16 and self.device.type == "mps":
            raise TypeError("BFloat16 is not supported on MPS")

    def check_kernel(self, name: str) -> None:
        """Raise NotImplementedError for an operator that a Mac's GPU does not have."""
        if self.device.type == "mps" and name in without_kernel() and name not in ONLY_HERE:
            raise NotImplementedError(
                f"The operator 'aten::{name}' is not currently implemented for the MPS device."
            )


_now: Emulation | None = None


def now() -> Emulation:
    """Return the emulation that runs. Raises RuntimeError for a tensor that outlived its own."""
    if _now is None:
        raise RuntimeError("a tensor of an emulated device, used after the emulation ended")
    return _now


@contextmanager
def running(emulation: Emulation) -> Iterator[Emulation]:
    """In this context, this is the device."""
    global _now
    if _now is not None:
        raise RuntimeError(f"{_now.device} is emulated already")
    _now = emulation
    try:
        yield emulation
    finally:
        _now = None


def blamed() -> str:
    """Return "file:line" of the innermost caller in the package, or else of the innermost outside PyTorch."""
    frame, found = sys._getframe(1), ""
    while frame is not None:
        if place := place_of(frame.f_code.co_filename):
            name, inside = place
            if inside or not found:
                found = f"{name}:{frame.f_lineno}"
            if inside:
                break
        frame = frame.f_back
    return found


@cache
def place_of(file: str) -> tuple[str, bool] | None:
    """Return (name to be shown, whether it is in the package) of a file, None for PyTorch's and our own."""
    path = Path(file)
    if file in OURS or TORCH in path.parents or file.startswith("<") or path.parent.name == "unittest":
        return None
    if PACKAGE in path.parents:
        return str(path.relative_to(PACKAGE.parent)), True
    return path.name, False


class Remote(Tensor):
    """A tensor of the emulated device. inner: its numbers, a tensor of the processor without gradient."""

    inner: Tensor
    __torch_function__ = torch._C._disabled_torch_function_impl  # for PyTorch, an ordinary tensor

    @staticmethod
    def __new__(cls, inner: Tensor, requires_grad: bool = False) -> "Remote":
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

    # what it says about itself

    device = property(lambda self: now().device)
    is_cpu = property(lambda self: False)
    is_cuda = property(lambda self: now().device.type == "cuda")
    is_mps = property(lambda self: now().device.type == "mps")

    def get_device(self) -> int:
        return 0

    def data_ptr(self) -> int:
        return self.inner.data_ptr()

    def untyped_storage(self) -> Any:
        return self.inner.untyped_storage()

    def is_shared(self) -> bool:
        return True

    def __repr__(self, *, tensor_contents: Any = None) -> str:
        return f"{self.inner!r:.200} on {now().device if _now else 'a device that is gone'}"

    def __format__(self, spec: str) -> str:
        return format(self.item(), spec) if self.dim() == 0 else object.__format__(self, spec)

    # copies

    def numpy(self, **options: Any) -> Any:
        raise TypeError(
            f"can't convert {self.device} device type tensor to numpy. Use Tensor.cpu() to copy "
            "the tensor to host memory first."
        )

    def __array__(self, *args: Any, **options: Any) -> Any:
        return self.numpy()

    def tolist(self) -> Any:
        return now().fetch(self, "tolist").tolist()

    def __deepcopy__(self, memo: dict) -> "Remote":
        if id(self) not in memo:
            copied = Remote(self.inner.clone(), self.requires_grad)
            if hasattr(self, "_is_param"):
                copied._is_param = True
            if self.grad is not None:
                copied.grad = self.grad.__deepcopy__(memo)
            memo[id(self)] = copied
        return memo[id(self)]

    def __reduce_ex__(self, protocol: int) -> Any:
        return rebuilt, (self.inner, self.requires_grad, hasattr(self, "_is_param"))

    def get_data(self) -> Tensor:
        return self.detach()

    def set_data(self, other: Tensor) -> None:
        if not isinstance(other, Remote):
            raise RuntimeError(
                "Attempted to call `variable.set_data(tensor)`, but `variable` and `tensor` "
                "have incompatible tensor type."
            )
        Tensor.data.__set__(self, other)
        self.inner = other.inner

    data = property(get_data, set_data)

    @classmethod
    def __torch_dispatch__(cls, func: Any, types: Any, args: tuple = (), kwargs: dict | None = None) -> Any:
        kwargs = kwargs or {}
        packet, device = func.overloadpacket, now()
        if packet is aten.copy_:
            return copied(device, *args, **kwargs)
        if packet is aten.set_ and args[0] is args[1]:  # as register_parametrization does
            return args[0]
        if packet in INDEXING:
            args = with_indices_here(device, func, *args)
        check_devices(device, packet, args, kwargs)
        name = func.__name__.removesuffix(".default")
        device.check_kernel(name)
        if packet in READS or packet is aten.repeat_interleave and kwargs.get("output_size") is None:
            device.wait("read", name)
        if (dtype := kwargs.get("dtype")) is not None:
            device.check_dtype(dtype)
        compute = partial(in_float32, func) if packet in NOT_IN_HALF else func
        inner = compute(
            *tree_map_only(Remote, lambda x: x.inner, args),
            **tree_map_only(Remote, lambda x: x.inner, kwargs),
        )
        if torch.Tag.inplace_view in func.tags:
            raise NotImplementedError(f"emulated device: {name} changes a tensor's shape in place")
        if packet is aten._pack_padded_sequence:
            return Remote(inner[0]), inner[1]  # the sizes of the steps stay on the processor
        return with_aliases(func, args, kwargs, inner)


def in_float32(func: Any, *args: Any, **kwargs: Any) -> Any:
    """Compute in float32 what a processor may not compute in 16 bits; the results have 16 bits then."""

    def cast(source, target):
        return lambda x: x.to(target) if x.dtype == source else x

    half = next((x.dtype for x in args if isinstance(x, Tensor) and x.dtype in HALF), None)
    if half is None:
        return func(*args, **kwargs)
    wide = tree_map_only(Tensor, cast(half, torch.float32), (args, kwargs))
    return tree_map_only(Tensor, cast(torch.float32, half), func(*wide[0], **wide[1]))


def rebuilt(inner: Tensor, requires_grad: bool, parameter: bool) -> Remote:
    """Return a Remote as `pickle` wants it."""
    made = Remote(inner, requires_grad)
    if parameter:
        made._is_param = True
    return made


def check_devices(device: Emulation, packet: Any, args: tuple, kwargs: dict) -> None:
    """Raise RuntimeError for tensors of two devices; a scalar of the processor may be among a device's."""
    on_host = ON_HOST.get(packet, ())
    given = [x for i, x in enumerate(args) if i not in on_host]
    for x in tree_flatten((given, kwargs))[0]:
        if (
            isinstance(x, Tensor)
            and not isinstance(x, Remote)
            and (x.dim() or packet.__name__.startswith("_fused"))
        ):
            raise RuntimeError(
                "Expected all tensors to be on the same device, but found at least two "
                f"devices, {device.device} and cpu! (in {packet}, at {blamed()})"
            )


def with_indices_here(device: Emulation, func: Any, tensor: Tensor, indices: Any, *more: Any) -> tuple:
    """Return the arguments of an indexing operator with all indices on the device; note copies and waits.

    As in PyTorch, indices of the processor are copied there; boolean ones are counted, for which the host
    waits, unless they only choose where a number of the processor is written.
    """
    if not isinstance(tensor, Remote):
        raise RuntimeError(
            "indices should be either on cpu or on the same device as the indexed tensor "
            f"(cpu) (at {blamed()})"
        )
    name = func.__name__.removesuffix(".default")
    masks = [x for x in indices if x is not None and x.dtype in (torch.bool, torch.uint8)]
    value = more[0] if more else None
    accumulate = len(more) > 1 and more[1]
    fills = (
        value is not None
        and not isinstance(value, Remote)
        and value.numel() == 1
        and not accumulate
        and sum(x is not None for x in indices) == 1
    )
    if masks and not fills:
        device.wait("read", f"{name} with a boolean mask")
    here = [
        device.put(x, what=f"{name}, indices of the processor")
        if x is not None and not isinstance(x, Remote)
        else x
        for x in indices
    ]
    return tensor, here, *more


def copied(device: Emulation, to: Tensor, source: Tensor, non_blocking: bool = False) -> Tensor:
    """Do `to.copy_(source)`, the operator that may have tensors of two devices."""
    if isinstance(to, Remote) and not isinstance(source, Remote):
        if source.dim() or to.numel() > 1:
            device.note_copy(source, to.dtype, non_blocking, "copy_")
        to.inner.copy_(source)
    elif isinstance(source, Remote) and not isinstance(to, Remote):
        to.copy_(device.fetch(source, "copy_", non_blocking))
    else:
        to.inner.copy_(source.inner)
    return to


@cache
def written(func: Any) -> tuple:
    """Return for each result of an operator the (position, name) of the argument that it is, or None."""

    def argument(result):
        alias = result.alias_info
        if alias is None or not alias.is_write:
            return None
        return next(
            (i, a.name)
            for i, a in enumerate(func._schema.arguments)
            if a.alias_info is not None
            and a.alias_info.is_write
            and a.alias_info.before_set & alias.before_set
        )

    return tuple(map(argument, func._schema.returns))


def with_aliases(func: Any, args: tuple, kwargs: dict, inner: Any) -> Any:
    """Wrap an operator's results; those that it wrote into its arguments are these arguments."""
    origins = written(func)
    if not any(origins):
        return tree_map_only(Tensor, wrapped, inner)
    results = inner if isinstance(inner, tuple) else (inner,)
    made = tuple(
        tree_map_only(Tensor, wrapped, result)
        if origin is None
        else args[origin[0]]
        if origin[0] < len(args)
        else kwargs[origin[1]]
        for result, origin in itertools.zip_longest(results, origins)
    )
    return made if isinstance(inner, tuple) else made[0]


def wrapped(inner: Tensor) -> Remote:
    """Return a result of the processor as one of the device."""
    now().check_dtype(inner.dtype)
    return Remote(inner)


class ToDevice(torch.autograd.Function):
    """A copy to the device through which gradients come back."""

    @staticmethod
    def forward(ctx, source, dtype, non_blocking, what):
        ctx.dtype = source.dtype
        return now().put(source, dtype, non_blocking=non_blocking, what=what)

    @staticmethod
    def backward(ctx, gradient):
        return now().fetch(gradient, "gradient").to(ctx.dtype), None, None, None


class ToHost(torch.autograd.Function):
    """A copy to the processor through which gradients go on."""

    @staticmethod
    def forward(ctx, remote, dtype, non_blocking, what):
        ctx.dtype = remote.dtype
        return now().fetch(remote, what, non_blocking).to(dtype or remote.dtype)

    @staticmethod
    def backward(ctx, gradient):
        return now().put(gradient, ctx.dtype, what="gradient"), None, None, None
