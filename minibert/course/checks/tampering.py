"""Detect whether anything that a check relies on has been replaced since it was imported.

This stops only simple tricks, because code in the same process can undo anything. A grader that runs checks
in a separate process does not need it.
"""

import builtins
import operator
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

from .failure import fail
from .records import Specification

# the definitions and checks, without views and experiments, which may keep state
OWN = re.compile(
    r"minibert\.(reference|data|analysis|config|training\.schedule|tasks\.answers"
    r"|course\.(checks|unit\d\d(\.\w+)?$))\b"
)
# without the names that notebooks replace themselves, such as `input`
BUILTINS = """abs all any bool bytes callable dict enumerate filter float frozenset getattr hasattr hash id
    int isinstance issubclass iter len list map max min next object range repr reversed round set setattr
    slice sorted str sum super tuple type zip""".split()


def state(module: ModuleType) -> dict[tuple, tuple]:
    """Return a dict that maps each (module name, name) to the object and its parts, such as code."""
    names = BUILTINS if module is builtins else [name for name in vars(module) if not name.startswith("__")]
    return {
        (module.__name__, name): (vars(module)[name], *pieces(vars(module)[name]))
        for name in names
        if not isinstance(vars(module)[name], ModuleType)
    }


def pieces(value: Any) -> Iterable[Any]:
    """Return the parts of a value that can be replaced: a function's code, or a class's methods."""
    if isinstance(value, FunctionType):
        return value.__code__, value.__defaults__
    if isinstance(value, type):
        return [
            code
            for method in vars(value).values()
            if isinstance(method, FunctionType) and ours(value)
            for code in (method, method.__code__)
        ]
    return ()


def ours(value: type) -> bool:
    return value.__module__.startswith("minibert")


def guarded_modules() -> list[ModuleType]:
    """Return the modules to watch: Python's builtins, NumPy, and this package's modules that checks use."""
    own = [module for name, module in sys.modules.items() if module is not None and OWN.match(name)]
    return [builtins, np, np.random, *own]


class Untouched:
    """A record of the original contents of modules, to detect objects that a student has replaced.

    Every check calls `look` twice. To be fast, it first compares a list of all objects with the previous
    list, and searches name by name only if they differ.
    """

    def __init__(self) -> None:
        self.before: dict[tuple, tuple] = {}
        self.exercises: list[Specification] = []
        self.needed = True
        self.functions: list[FunctionType] = []  # functions whose code can be replaced
        self.classes: list[type] = []  # classes whose methods can be replaced
        self.last: list[Any] = []
        self.look()

    def add(self, exercise: Specification) -> None:
        """Remember the fields of an exercise, so that `look` notices if one is replaced."""
        self.exercises.append(exercise)
        self.before["check", exercise.name, id(exercise)] = tuple(vars(exercise).values())

    def look(self) -> None:
        """Raise CheckFailed if a remembered object has been replaced; do nothing if `needed` is False."""
        if not self.needed or all_same(self.last, self.row()):
            return
        now: dict[tuple, tuple] = {
            ("check", exercise.name, id(exercise)): tuple(vars(exercise).values())
            for exercise in self.exercises
        }
        for module in guarded_modules():
            now.update(state(module))
        for place, held in now.items():
            known = self.before.setdefault(place, held)
            if not all_same(known, held):
                name = ".".join(place[:2]).replace("builtins.", "").replace("numpy", "np")
                fail(
                    "exists",
                    f"`{name}` has been replaced, and the checks rely on it. Use another name for your own "
                    "object, then restart the kernel and run your cells again.",
                )
        parts = [part for held in now.values() for part in held]
        self.functions = [part for part in parts if isinstance(part, FunctionType)]
        self.classes = [part for part in parts if isinstance(part, type) and ours(part)]
        self.last = self.row()

    def row(self) -> list[Any]:
        """Return all remembered objects in one list, with the code and default arguments of functions."""
        places = chain(guarded_modules(), self.exercises, self.classes)
        return [
            *chain.from_iterable([vars(place).values() for place in places]),
            *[function.__code__ for function in self.functions],
            *[function.__defaults__ for function in self.functions],
        ]


def all_same(
    before: Sequence,
    after: Sequence,
    len: Callable = len,
    all: Callable = all,
    map: Callable = map,
    same: Callable = operator.is_,
) -> bool:
    """Return True if two sequences contain identical objects.

    The functions that this uses are bound as defaults before a student can replace them.
    """
    return len(before) == len(after) and all(map(same, before, after))


UNTOUCHED = Untouched()
