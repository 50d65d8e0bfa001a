"""What every test may ask for: programs that a machine can lack, and real data beside the repository."""
import importlib
import logging
import os
import shutil
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PROGRAMS = {  # marker: the programs that serve it, and where to get them
    "browser": (("chromium", "chromium-browser", "google-chrome"), "apt install chromium"),
    "node": (("node",), "apt install nodejs"),
    "sandbox": (("bwrap",), "apt install bubblewrap"),
}

# nbgrader logs each cell it changes: pages, under which a failure hid
logging.getLogger("traitlets").propagate = False


def required():
    """Markers whose programs must be there: MINIBERT_REQUIRE=browser,node turns a skip into a failure."""
    names = {name.strip() for name in os.environ.get("MINIBERT_REQUIRE", "").split(",") if name.strip()}
    unknown = names - set(PROGRAMS)
    if unknown:
        raise pytest.UsageError(f"MINIBERT_REQUIRE: {sorted(unknown)} not in {sorted(PROGRAMS)}")
    return names


def require(marker):
    """Path of the program behind `marker`; skips the test where there is none, or fails it where it is
    required.
    """
    programs, advice = PROGRAMS[marker]
    path = next((found for found in map(shutil.which, programs) if found), None)
    if path is None:
        reason = f"no {programs[0]} on this machine ({advice})"
        (pytest.fail if marker in required() else pytest.skip)(reason)
    return path


@pytest.fixture(autouse=True)
def program(request):
    """For a test marked browser, node or sandbox: the path of its program (the last marker counts)."""
    path = None
    for marker in PROGRAMS:
        if request.node.get_closest_marker(marker):
            path = require(marker)
    return path


@pytest.fixture(scope="session")
def root():
    """The repository."""
    return ROOT


@pytest.fixture(scope="session")
def shared():
    """Real data that may lie beside the repository."""
    path = ROOT.parent / "shared"
    if not path.is_dir():
        pytest.skip(f"no real data at {os.path.relpath(path, ROOT)}")
    return path


@pytest.fixture
def script(monkeypatch):
    """A function from the name of a script in `benchmarks` to its module; it and what it imports from there
    are loaded anew.
    """
    folder = ROOT / "benchmarks"
    monkeypatch.syspath_prepend(folder)
    yield importlib.import_module
    for name in {path.stem for path in folder.glob("*.py")} & sys.modules.keys():
        del sys.modules[name]
