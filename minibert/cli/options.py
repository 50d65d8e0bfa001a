"""Options of a command from the signature of a Python function, which is their only declaration."""

import functools
import inspect
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, get_args, get_origin

from cyclopts import Parameter

SEVERAL = (Sequence[str], Sequence[str | Path])  # types whose option takes several values


def options_of(call: Callable, *positional: str, required: Collection[str] = ()) -> Callable:
    """Give the decorated command the options, the defaults and the help of `call`.

    The command receives every option by name. positional: options that are given without their names.
    required: options that only Python may leave out.
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
        run.__doc__ = f"{first}\n\n    In Python: minibert.{call.__name__}.\n{rest}"
        run.__signature__ = inspect.Signature(sorted(options, key=lambda option: option.kind))  # type: ignore
        return run

    return decorate


def spell(parameter: inspect.Parameter) -> Any:
    """Return the type of an option on the command line, where a model or a text is always given by name.

    Paths and choices pass as they are given, so that the Python function refuses them in its own words.
    """
    hint = parameter.annotation
    kinds = (hint, *get_args(hint))
    if any(kind in SEVERAL for kind in kinds):
        return list[Path] if Path in kinds else list[str]
    for kind in kinds:
        if kind is Path and str in kinds or get_origin(kind) is Literal:
            return Annotated[kind, Parameter(converter=lambda _, tokens: tokens[0].value)]
    if isinstance(hint, str) or str in kinds:  # in quotes, a class that is not loaded yet is next to str
        return str
    if parameter.default is True:
        return Annotated[bool, Parameter(negative=f"--no-{parameter.name}")]
    return hint
