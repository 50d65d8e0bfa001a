"""The wheel and the sdist, installed where no clone is: the course is in them, and its commands work."""

import contextlib
import json
import os
import re
import subprocess
import sys
import sysconfig
import urllib.error
import urllib.request
from pathlib import Path

import psutil
import pytest
from conftest import ROOT
from patience import processor_time, waited

pytestmark = [pytest.mark.slow, pytest.mark.takes_turns("minibert", every=2)]

TOUR = """
from minibert.places import ROOT
from minibert.course.tour import TourConfig, tour
small = dict(documents=60, vocab_size=400, preset="class", max_length=128, steps=6, batch_size=4)
few = dict(questions=12, sentences=12, qa_steps=3, ner_steps=3, test_documents=12)
tour("tour", TourConfig(**small, **few), ROOT, "cpu")
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """The folder with the wheel and the sdist of this repository."""
    out = tmp_path_factory.mktemp("dist")
    subprocess.run([sys.executable, "-m", "hatchling", "build", "-d", str(out)], cwd=ROOT, check=True)
    return out


@pytest.fixture(scope="module", params=["*.whl", "*.tar.gz"], ids=["wheel", "sdist"])
def minibert(request, built, tmp_path_factory):
    """minibert(*arguments) runs the installed command in an empty folder; minibert.python is its interpreter.

    The environment is new but for the other packages, which it finds where they are.
    """
    place = tmp_path_factory.mktemp("environment")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(place)], check=True)
    scripts = sysconfig.get_path("scripts", "venv", {"base": str(place)})
    packages = sysconfig.get_path("purelib", "venv", {"base": str(place)})
    Path(packages, "others.pth").write_text(sysconfig.get_path("purelib") + "\n")
    extensions = Path("share", "jupyter", "labextensions")  # of the widgets
    Path(place, extensions).parent.mkdir(parents=True, exist_ok=True)
    Path(place, extensions).symlink_to(Path(sys.prefix, extensions))
    (package,) = built.glob(request.param)
    python = str(Path(scripts, "python"))
    install = ["-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation", "--ignore-installed"]
    subprocess.run([python, *install, str(package)], check=True)
    folder = tmp_path_factory.mktemp("empty")
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    environment["XDG_CACHE_HOME"] = str(place / "cache")  # the tour leaves its model there

    def run(*arguments, status=0):
        command = (
            [python, *arguments] if arguments[0] == "-c" else [str(Path(scripts, "minibert")), *arguments]
        )
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
        assert done.returncode == status, done.stdout + done.stderr
        return done.stdout

    run.command, run.folder, run.environment = str(Path(scripts, "minibert")), folder, environment
    return run


def test_it_is_not_the_clone(minibert):
    place = minibert("-c", "import minibert; print(minibert.__file__)").strip()
    assert not Path(place).is_relative_to(ROOT) and "site-packages" in place


def test_every_file_of_the_package_is_in_it(minibert):
    place = Path(minibert("-c", "import minibert; print(minibert.__file__)").strip()).parent
    listed = subprocess.run(
        ["git", "ls-files", "minibert"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert not [name for name in listed.stdout.split() if not (place.parent / name).is_file()]


def test_a_copy_of_the_course_is_laid_out_checked_and_summed_up(minibert):
    minibert("course", "mine")
    assert sorted(path.name for path in (minibert.folder / "mine" / "exercises").iterdir()) == sorted(
        path.name for path in (ROOT / "exercises").iterdir()
    )
    assert not list(minibert.folder.rglob("*.nb.py"))
    exercise = "mine/exercises/01_self_supervision/01_self_supervision.ipynb"
    assert "0 of " in minibert("doctor", exercise, status=1)
    assert "together                 0 of " in minibert("progress", "mine")


def test_jupyterlab_serves_lessons_and_exercises_of_the_copy(minibert, tmp_path):
    log = tmp_path / "log"
    options = ["--no-browser", "--allow-root", "--port=0"]
    with log.open("w") as output:
        command = [minibert.command, "lab", "02", "--exercise", *options]
        lab = subprocess.Popen(
            command, cwd=minibert.folder, env=minibert.environment, stderr=output, stdout=output
        )
    try:
        pattern = re.compile(
            r"(http://127\.0\.0\.1:\d+)/lab/tree/exercises/02_attention/02_attention\.ipynb\?token=(\w+)"
        )
        assert waited(lambda: pattern.search(log.read_text()), lambda: processor_time(lab.pid)), (
            log.read_text()
        )
        address, token = pattern.search(log.read_text()).groups()

        def listed(kind):
            with contextlib.suppress(urllib.error.URLError):  # it prints its address before it listens
                with urllib.request.urlopen(f"{address}/api/contents/{kind}?token={token}") as answer:
                    return len(json.load(answer)["content"])
            return 0

        for kind in ("lessons", "exercises"):
            assert waited(lambda kind=kind: listed(kind) >= 12, lambda: processor_time(lab.pid))
    finally:
        for process in (*psutil.Process(lab.pid).children(recursive=True), lab):
            process.terminate()
        lab.wait()


def test_the_machine_is_ready(minibert):
    assert minibert("doctor").endswith("Ready. Start with `minibert lab 01`.\n")


def test_the_tour_runs_and_leaves_grading_to_the_repository(minibert):
    assert "Grading is left out" in minibert("-c", TOUR)
    assert "<h2>Grading</h2>" not in (minibert.folder / "tour" / "report.html").read_text()


def test_a_gap_is_filled(minibert, english_encoder):
    text = "He cut the bread with a [MASK]."
    assert "knife" in minibert("predict", "fill", "--text", text)
