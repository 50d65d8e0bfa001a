"""Command-line options that are derived from the signature of a Python function."""

import functools
import inspect
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, get_args, get_origin

from cyclopts import Parameter

SEVERAL = (Sequence[str], Sequence[str | Path])  # types whose option takes several values


def options_of(call: Callable, *positional: str, required: Collection[str] = ()) -> Callable:
    """Return a decorator that gives a command the options, the defaults and the help of the function `call`.

    The command receives every option by name, and its docstring ends in an example for the help. positional:
    options that are given without their names. required: options that have a default in Python but not on the
    command line.
    """
    parameters = inspect.signature(call).parameters
    defaults = {name: parameter.default for name, parameter in parameters.items()}
    options = [
        parameter.replace(
            kind=parameter.POSITIONAL_ONLY if name in positional else parameter.KEYWORD_ONLY,
            default=parameter.empty if name in required else parameter.default,
        )
        for name, parameter in parameters.items()
    ]

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(command)
        def run(*values: Any, **given: Any) -> None:
            command(**defaults | dict(zip(positional, values)) | given)

        first, rest = (call.__doc__ or "").split("\n", 1)
        example = (command.__doc__ or "").partition("\n\n")[2].strip()
        run.__doc__ = f"{first}\n\n    {example}\n\n    In Python: minibert.{call.__name__}.\n{rest}"
        run.__signature__ = inspect.Signature(sorted(options, key=lambda option: option.kind))  # type: ignore
        return run

    return decorate


def spell(parameter: inspect.Parameter) -> Any:
    """Return the type that cyclopts should use for a parameter that is given on the command line.

    Models and texts are strings. Paths and choices are passed on unchecked, so that the error messages are
    those of the Python function.
    """
    hint = parameter.annotation
    if get_origin(hint) is Annotated:  # the annotation says how the option is read
        return hint
    kinds = (hint, *get_args(hint))
    if any(kind in SEVERAL for kind in kinds):
        return list[Path] if Path in kinds else list[str]
    for kind in kinds:
        if kind is Path and str in kinds or get_origin(kind) is Literal:
            return Annotated[kind, Parameter(converter=lambda _, tokens: tokens[0].value)]
    if isinstance(hint, str) or str in kinds:  # a quoted annotation names a class that is not loaded, or str
        return str
    if parameter.default is True:
        return Annotated[bool, Parameter(negative=f"--no-{parameter.name}")]
    return hint
