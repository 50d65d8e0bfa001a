"""In the student's process: imports pieces of the package, and stand-ins for all that is left out of it.

An import of what is not there succeeds, so that a cell of hers goes on; only calling it fails, with a
sentence, and costs the answer that does it. `package_copy.py` says what is there and why.
"""

import sys
from collections.abc import Mapping
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any, NoReturn

from minibert.course.checks.failure import fail
from minibert.course.checks.guard import OWN_WORK


class LeftOut:
    """Stands for a function, class or value of the package that is not there; using it raises CheckFailed."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> "LeftOut":
        if name.startswith(("__", "_repr_", "_ipython_")):
            raise AttributeError(f"{self._name} is not there while answers are graded, so it has no {name}")
        return LeftOut(f"{self._name}.{name}")

    def __call__(self, *args: Any, **kwargs: Any) -> NoReturn:
        fail("runs", OWN_WORK)

    def __mro_entries__(self, bases: tuple) -> NoReturn:
        fail("runs", OWN_WORK)

    @property
    def __signature__(self) -> NoReturn:
        fail("runs", OWN_WORK)

    def __repr__(self) -> str:
        return f"<{self._name}: not there while answers are graded>"


class CheckedElsewhere:
    """Stands for the checks in the student's cells, where they do nothing: the trusted process runs them."""

    def __getattr__(self, name: str) -> "CheckedElsewhere":
        if name.startswith(("__", "_repr_", "_ipython_")):
            raise AttributeError(name)
        return self

    def __call__(self, *args: Any, **kwargs: Any) -> "CheckedElsewhere":
        return self

    def __repr__(self) -> str:
        return "<checks run beside the notebook while it is graded>"


class PieceFinder(MetaPathFinder, Loader):
    """Imports the package's absent modules: from `pieces` (module -> source), and as stand-ins.

    absent: module -> whether it is a package.
    """

    def __init__(self, pieces: Mapping[str, str], absent: Mapping[str, bool]) -> None:
        self.pieces, self.absent = pieces, absent

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        """The spec of an absent module; None for any other."""
        if fullname not in self.absent:
            return None
        return ModuleSpec(fullname, self, is_package=self.absent[fullname])

    def exec_module(self, module: ModuleType) -> None:
        """Run the module's pieces, if there are any; its other names are stand-ins."""
        name = module.__name__
        unit = name.startswith("minibert.course.unit") and name.count(".") == 2

        def stand_in(missing):
            if missing.startswith("__"):
                raise AttributeError(f"module {name!r} has no attribute {missing!r}")
            if f"{name}.{missing}" in self.absent:  # a module that nobody has imported yet
                return import_module(f"{name}.{missing}")
            return CheckedElsewhere() if unit else LeftOut(f"{name}.{missing}")

        names = vars(module)
        names["__getattr__"] = stand_in
        exec(compile(self.pieces.get(name, ""), f"{name} (in part)", "exec"), names)


def install(pieces: Mapping[str, str], absent: Mapping[str, bool]) -> None:
    """Import the package's absent modules as `PieceFinder` does, from now on."""
    sys.meta_path.insert(0, PieceFinder(pieces, absent))
