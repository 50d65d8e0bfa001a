"""Notice whether the tools that a check relies on were replaced since they were imported.

This stops cheap tricks only, for code in the same process can undo anything. A grader that runs checks in a
process of their own does not need it.
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

# the definitions, and the modules of the checks; views and experiments of a unit may keep things for later
OWN = re.compile(
    r"minibert\.(reference|data|analysis|config|training\.schedule|tasks\.answers"
    r"|course\.(checks|unit\d\d(\.\w+)?$))\b"
)
# without those that notebooks replace themselves, such as input
BUILTINS = """abs all any bool bytes callable dict enumerate filter float frozenset getattr hasattr hash id
    int isinstance issubclass iter len list map max min next object range repr reversed round set setattr
    slice sorted str sum super tuple type zip""".split()


def state(module: ModuleType) -> dict[tuple, tuple]:
    """{(module, name): (object, its code ...)}: the same objects as long as nobody replaces one."""
    names = BUILTINS if module is builtins else [name for name in vars(module) if not name.startswith("__")]
    return {
        (module.__name__, name): (vars(module)[name], *pieces(vars(module)[name]))
        for name in names
        if not isinstance(vars(module)[name], ModuleType)
    }


def pieces(value: Any) -> Iterable[Any]:
    """The code of a function, or the methods of one of our classes: what can be replaced inside a value."""
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
    """True for the classes of this package."""
    return value.__module__.startswith("minibert")


def guarded_modules() -> list[ModuleType]:
    """The modules whose contents are remembered: built-in functions, NumPy, and ours that checks use."""
    own = [module for name, module in sys.modules.items() if module is not None and OWN.match(name)]
    return [builtins, np, np.random, *own]


class Untouched:
    """Remembers what the guarded modules hold when it first looks; later names when they appear.

    It looks twice in every check. So it keeps what it saw last in one row: while each of these is the same
    object, nothing can have been replaced, and it need not look name by name.
    """

    def __init__(self) -> None:
        self.before: dict[tuple, tuple] = {}
        self.exercises: list[Specification] = []
        self.needed = True
        self.functions: list[FunctionType] = []  # whose code can be exchanged
        self.classes: list[type] = []  # whose methods can be
        self.last: list[Any] = []
        self.look()

    def add(self, exercise: Specification) -> None:
        """Remember the fields of an exercise."""
        self.exercises.append(exercise)
        self.before["check", exercise.name, id(exercise)] = tuple(vars(exercise).values())

    def look(self) -> None:
        """Raise CheckFailed if something remembered was replaced; do nothing if it is not `needed`."""
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
                    f"`{name}` is no longer what it was, and checks rely on it. Do not give its "
                    "name to something else; restart the kernel and run your cells again.",
                )
        parts = [part for held in now.values() for part in held]
        self.functions = [part for part in parts if isinstance(part, FunctionType)]
        self.classes = [part for part in parts if isinstance(part, type) and ours(part)]
        self.last = self.row()

    def row(self) -> list[Any]:
        """All that is remembered, one after the other, and what stands beside it."""
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
    """True if all items are identical; calls nothing that could have been replaced."""
    return len(before) == len(after) and all(map(same, before, after))


UNTOUCHED = Untouched()
