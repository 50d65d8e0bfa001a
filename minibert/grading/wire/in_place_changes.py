"""Detect changes that a call makes to its arguments, and repeat them in the other process."""

import contextlib
from typing import Any

import numpy as np

from .encode import MessageEncoder, WireError, is_tensor


def encoded_arguments(args: Any) -> tuple[Any, list[bytes]] | None:
    """Encode arguments, so that later changes to them can be detected; return None on failure."""
    encoder = MessageEncoder(id, skip_call_state=True)
    try:
        return encoder.encode(args), encoder.parts
    except (WireError, ValueError, TypeError):
        return None


def read_only_changes(args: Any, changed: Any) -> bool:
    """Return whether a read-only array in `args` differs from its counterpart in `changed`."""
    if isinstance(args, np.ndarray):
        return (
            not args.flags.writeable
            and isinstance(changed, np.ndarray)
            and args.tobytes() != changed.tobytes()
        )
    if isinstance(args, dict) and isinstance(changed, dict):
        return any(read_only_changes(value, changed.get(key)) for key, value in args.items())
    return (
        isinstance(args, (list, tuple))
        and isinstance(changed, (list, tuple))
        and any(map(read_only_changes, args, changed))
    )


def apply_changes(args: Any, changed: Any) -> None:
    """Change `args` in place to equal `changed`, their state in the other process."""
    if isinstance(args, np.ndarray):
        if isinstance(changed, np.ndarray) and changed.dtype == args.dtype and args.flags.writeable:
            if changed.shape != args.shape and args.base is None and args.flags.forc:
                args.resize(changed.shape, refcheck=False)
            if changed.shape == args.shape:
                args[...] = changed
    elif isinstance(args, np.random.Generator):
        if isinstance(changed, np.random.Generator):
            with contextlib.suppress(TypeError, ValueError):
                args.bit_generator.state = changed.bit_generator.state
    elif isinstance(args, (list, tuple)) and isinstance(changed, (list, tuple)):
        for one, other in zip(args, changed):
            apply_changes(one, other)
        if isinstance(args, list) and len(args) != len(changed):
            args[:] = changed
        elif isinstance(args, list):
            args[:] = [new if is_immutable(old) else old for old, new in zip(args, changed)]
    elif isinstance(args, dict) and isinstance(changed, dict):
        for key in set(args) - set(changed):
            del args[key]
        for key, value in changed.items():
            if key in args and not is_immutable(args[key]):
                apply_changes(args[key], value)
            else:
                args[key] = value
    elif is_tensor(args) and is_tensor(changed) and args.shape == changed.shape:
        args.detach().copy_(changed)


def is_immutable(value: Any) -> bool:
    """Return True for a number, string, bytes or None, which cannot be changed in place."""
    return isinstance(value, (int, float, complex, str, bytes, type(None), np.generic))
