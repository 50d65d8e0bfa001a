"""Supply the available parts of the package to the student's process, and placeholders for the rest.

A missing name can still be imported, so the student's cell keeps running. Calling it fails with an
explanation, and only the answer that calls it loses points. `package_copy.py` defines which parts are
available.
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


class Unavailable:
    """A placeholder for an unavailable part of the package. Calling or subclassing it raises CheckFailed."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> "Unavailable":
        if name.startswith(("__", "_repr_", "_ipython_")):
            raise AttributeError(
                f"{self._name} is not available during grading, so it has no attribute {name}"
            )
        return Unavailable(f"{self._name}.{name}")

    def __call__(self, *args: Any, **kwargs: Any) -> NoReturn:
        fail("runs", OWN_WORK)

    def __mro_entries__(self, bases: tuple) -> NoReturn:
        fail("runs", OWN_WORK)

    @property
    def __signature__(self) -> NoReturn:
        fail("runs", OWN_WORK)

    def __repr__(self) -> str:
        return f"<{self._name}: not available during grading>"


class InactiveChecks:
    """A placeholder for the checks in student cells. It does nothing; the trusted process runs the checks."""

    def __getattr__(self, name: str) -> "InactiveChecks":
        if name.startswith(("__", "_repr_", "_ipython_")):
            raise AttributeError(name)
        return self

    def __call__(self, *args: Any, **kwargs: Any) -> "InactiveChecks":
        return self

    def __repr__(self) -> str:
        return "<during grading, checks run outside the notebook>"


class PieceFinder(MetaPathFinder, Loader):
    """An importer that builds the package's absent modules from the available source and placeholders.

    `pieces` maps modules to their available source. `absent` maps each absent module to whether it is a
    package.
    """

    def __init__(self, pieces: Mapping[str, str], absent: Mapping[str, bool]) -> None:
        self.pieces, self.absent = pieces, absent

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        """Return the spec of an absent module, or None for any other module."""
        if fullname not in self.absent:
            return None
        return ModuleSpec(fullname, self, is_package=self.absent[fullname])

    def exec_module(self, module: ModuleType) -> None:
        """Run a module's available source, and supply placeholders for all its other names."""
        name = module.__name__
        unit = name.startswith("minibert.course.unit") and name.count(".") == 2

        def stand_in(missing):
            if missing.startswith("__"):
                raise AttributeError(f"module {name!r} has no attribute {missing!r}")
            if f"{name}.{missing}" in self.absent:  # a submodule that has not been imported yet
                return import_module(f"{name}.{missing}")
            return InactiveChecks() if unit else Unavailable(f"{name}.{missing}")

        names = vars(module)
        names["__getattr__"] = stand_in
        exec(compile(self.pieces.get(name, ""), f"{name} (in part)", "exec"), names)


def install(pieces: Mapping[str, str], absent: Mapping[str, bool]) -> None:
    """Make later imports of the package's absent modules go through `PieceFinder`."""
    sys.meta_path.insert(0, PieceFinder(pieces, absent))
