"""Whether the tools that a check relies on are still those that were imported: not a wall, but cheap tricks
end here.

Code in the same process can undo anything; a grader that runs checks in a process of their own needs none of
this.
"""
import builtins
import sys
from types import FunctionType, ModuleType

import numpy as np

from .failure import fail

BUILTINS = """abs all any bool bytes callable dict enumerate filter float frozenset getattr hasattr hash id int isinstance
    issubclass iter len list map max min next object range repr reversed round set setattr slice sorted str sum super
    tuple type zip""".split()     # not those that notebooks replace themselves, such as input


def state(module):
    """{(module, name): what stands there and what it is made of}, identical as long as nobody changes it."""
    names = BUILTINS if module is builtins else [name for name in vars(module) if not name.startswith("__")]
    return {(module.__name__, name): (vars(module)[name], *pieces(vars(module)[name]))
            for name in names if not isinstance(vars(module)[name], ModuleType)}


def pieces(value):
    """The code of a function, the methods of a class of ours."""
    if isinstance(value, FunctionType):
        return value.__code__, value.__defaults__
    if isinstance(value, type):
        ours = value.__module__.startswith("minibert")
        return [code for method in vars(value).values() if isinstance(method, FunctionType) and ours
                for code in (method, method.__code__)]
    return ()


def guarded_modules():
    ours = [module for name, module in sys.modules.items()
            if module is not None and name.startswith(("minibert.reference", "minibert.checks")) or name in (
                "minibert.config", "minibert.batch")]
    return [builtins, np, np.random, *ours]


class Untouched:
    """Remembers what the modules of checks hold, at the first look; a name that appears later is remembered
    then.
    """

    def __init__(self):
        self.before, self.exercises, self.needed = {}, [], True
        self.look()

    def add(self, exercise):
        """Remember the fields of an exercise."""
        self.exercises.append(exercise)
        self.before["check", exercise.name, id(exercise)] = tuple(vars(exercise).values())

    def look(self):
        """Raise CheckFailed where something is not what it was; where it is not `needed`, do nothing."""
        if not self.needed:
            return
        now = {("check", exercise.name, id(exercise)): tuple(vars(exercise).values())
               for exercise in self.exercises}
        for module in guarded_modules():
            now.update(state(module))
        for place, held in now.items():
            known = self.before.setdefault(place, held)
            if len(known) != len(held) or not all_same(known, held):
                name = ".".join(place[:2]).replace("builtins.", "").replace("numpy", "np")
                fail("exists",
                     f"`{name}` is no longer what it was, and checks rely on it. Do not give its name to "
                               "something else; restart the kernel and run your cells again.")


def all_same(before, after, zip=zip):
    """Identity, item by item, without calling anything that could have been replaced."""
    for a, b in zip(before, after, strict=True):
        if a is not b:
            return False
    return True


UNTOUCHED = Untouched()
