"""Which tests run, and what each may ask for: programs a machine can lack, data beside the repository."""

import importlib
import logging
import os
import shutil
import signal
import subprocess
import sys
import threading
import zlib
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import settings

from minibert.english.published import COPY, EnglishMissing, default_folder, encoder_folder

ROOT = Path(__file__).resolve().parent.parent
PROGRAMS = {  # marker: the programs that serve it, and where to get them
    "browser": (("chromium", "chromium-browser", "google-chrome"), "apt install chromium"),
    "node": (("node",), "apt install nodejs"),
    "sandbox": (("bwrap",), "apt install bubblewrap"),
}

# this user's copy of the English encoder, wherever a test's cache is
os.environ.setdefault(COPY, str(default_folder()))

# an example may take its time: a slow machine is no failure
settings.register_profile("minibert", deadline=None)
settings.load_profile("minibert")

# nbgrader logs each cell it changes: pages, under which a failure hid
logging.getLogger("traitlets").propagate = False


def pytest_addoption(parser):
    group = parser.getgroup("tiers")
    group.addoption("--slow", action="store_true", help="run the slow tests, too")
    group.addoption(
        "--all",
        action="store_true",
        help="run the slow tests, too, and every case of the tests that take turns",
    )
    group.addoption(
        "--turn",
        type=int,
        help="without --all: which of the cases run that take turns; by default, the commit decides",
    )


def pytest_configure(config):
    """The commit is looked up once, before the processes of pytest-xdist start: all get the same."""
    if config.option.turn is None:
        config.option.turn = turn_of_commit(ROOT)
    config.option.all |= any("::" in str(argument) for argument in config.args)  # a test that is named runs
    config.option.slow |= config.option.all


def turn_of_commit(root):
    """A number that follows from the content of the commit that is checked out; 0 outside a repository.

    So a commit has the same result whenever and wherever it is tested.
    """
    git = ["git", "-C", str(root), "rev-parse", "--short=7", "HEAD^{tree}"]
    try:
        return int(subprocess.run(git, capture_output=True, check=True, text=True).stdout, 16)
    except (OSError, subprocess.CalledProcessError):
        return 0


def pytest_report_header(config):
    if config.option.all:
        return "tests: all"
    slow = "with the slow ones" if config.option.slow else "without the slow ones (--slow runs them)"
    return f"tests: {slow}; turn {config.option.turn} (--turn repeats it, --all runs every case)"


def pytest_collection_modifyitems(config, items):
    """Leave slow tests out, unless they are asked for, and let cases take turns, unless all shall run.

    With slow tests, start with the files that have them, of these first those of a browser: they take
    longest, and one process runs all of a file.
    """
    kept = [item for item in items if config.option.slow or not item.get_closest_marker("slow")]
    if not config.option.all:
        groups = {}
        for item in kept:
            groups.setdefault(alternatives(item), []).append(item)
        kept = [item for group in groups.values() for item in on_turn(group, config.option.turn)]
        kept = every_nth(kept, config.option.turn)
    chosen = set(map(id, kept))
    config.hook.pytest_deselected(items=[item for item in items if id(item) not in chosen])
    items[:] = [item for item in items if id(item) in chosen]
    if config.option.slow:
        slow, browser = (
            {item.path for item in items if item.get_closest_marker(mark)} for mark in ("slow", "browser")
        )
        items.sort(key=lambda item: (item.path not in slow, item.path not in browser))


def pytest_terminal_summary(terminalreporter, config):
    """With --durations, also say which files take longest: a test of 2 seconds may come a thousand times."""
    seconds = Counter()
    for reports in terminalreporter.stats.values():
        for report in reports:
            if hasattr(report, "duration"):
                seconds[report.nodeid.partition("::")[0]] += report.duration
    if config.option.durations:
        terminalreporter.section("seconds by file")
        for name, spent in seconds.most_common(config.option.durations):
            terminalreporter.write_line(f"{spent:6.0f} {name}")


def alternatives(item):
    """A key that a test shares with those that it takes turns with; its own, where there are none."""
    mark = item.get_closest_marker("takes_turns")
    if mark is None:
        return item.nodeid
    same = (
        (name, value if plain(value) else id(value))
        for name, value in item.callspec.params.items()
        if name not in mark.args
    )
    return item.nodeid.partition("[")[0], *same


def every_nth(items, turn):
    """Return the items without those whose test is marked `every(n)` and whose turn has not come."""
    seen, kept = Counter(), []
    for item in items:
        mark = item.get_closest_marker("every")
        test = item.nodeid.partition("[")[0]
        if mark is None or (seen[test] + zlib.crc32(test.encode()) + turn) % mark.args[0] == 0:
            kept.append(item)
        seen[test] += 1
    return kept


def plain(value):
    return isinstance(value, (str, int, float))


def on_turn(group, turn):
    """Those of a group that run: one, each turn another; or every n-th, where the mark says `every=n`.

    Which one is first differs by test, so that not all run the same case. With `every`, the turn alone says
    it (and `later`, a number of turns), so that two tests can share a list of cases.
    """
    mark = group[0].get_closest_marker("takes_turns")
    if mark and "every" in mark.kwargs:
        every = mark.kwargs["every"]
        return group[(turn + mark.kwargs.get("later", 0)) % every :: every]
    return [group[(zlib.crc32(group[0].nodeid.encode()) + turn) % len(group)]]


@pytest.fixture(scope="session")
def turn(request):
    """The number by which a test chooses among its cases."""
    return request.config.option.turn


def required():
    """Markers whose programs must be there: MINIBERT_REQUIRE=browser,node turns a skip into a failure."""
    names = {name.strip() for name in os.environ.get("MINIBERT_REQUIRE", "").split(",") if name.strip()}
    unknown = names - set(PROGRAMS)
    if unknown:
        raise pytest.UsageError(f"MINIBERT_REQUIRE: {sorted(unknown)} not in {sorted(PROGRAMS)}")
    return names


def require(marker):
    """Path of the program behind `marker`; without one, skips the test, or fails it if it is required."""
    programs, advice = PROGRAMS[marker]
    path = next((found for found in map(shutil.which, programs) if found), None)
    if path is None:
        reason = f"no {programs[0]} on this machine ({advice})"
        (pytest.fail if marker in required() else pytest.skip)(reason)
    return path


@pytest.fixture(autouse=True)
def ctrl_c():
    """Let Ctrl-C interrupt a test, whatever the libraries of an earlier test have left."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.default_int_handler)


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


@pytest.fixture(scope="session")
def english_encoder():
    """The folder of the published English encoder, which is fetched once into this user's cache."""
    try:
        return encoder_folder(default_folder())
    except EnglishMissing as error:
        pytest.skip(str(error))


@pytest.fixture
def script(monkeypatch):
    """A function from the name of a script in `benchmarks` to its module, freshly loaded with its imports."""
    folder = ROOT / "benchmarks"
    monkeypatch.syspath_prepend(folder)
    yield importlib.import_module
    for name in {path.stem for path in folder.glob("*.py")} & sys.modules.keys():
        del sys.modules[name]
