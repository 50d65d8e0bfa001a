"""A submission graded on Gradescope or GitHub Classroom, by what these platforms have written down."""

import base64
import json
import os
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest
import yaml
from conftest import ROOT

from minibert.grading.author.assignment_bundle import Bundle, make_bundle
from minibert.grading.export import github, gradescope, one_submission
from minibert.grading.export.autograder import export
from minibert.grading.notebook import fill, text
from minibert.grading.sandbox.availability import reason_unavailable
from minibert.grading.sandbox.limits import Policy
from minibert.grading.sandbox.other_user import is_root, open_to_others

UNIT = "01_small"
SITE = sysconfig.get_path("purelib")
ESCAPE = """def square(x):
    out = []
    for path in ("/autograder/source/bundle.json", "/autograder/submission_metadata.json"):
        try:
            out.append(open(path).read())
        except OSError:
            pass
    for path in ("/autograder/results/results.json", "/autograder/run_autograder", "/autograder/source/x"):
        try:
            open(path, "w").write("{}")
            out.append(path)
        except OSError:
            pass
    return 0 if "fresh input" in "".join(out) or len(out) > 1 else x * x
"""


@pytest.fixture(scope="module")
def zips(built_course, tmp_path_factory):
    folder = tmp_path_factory.mktemp("zips")
    return {
        platform: export(built_course, UNIT, platform, folder / f"{platform}.zip")
        for platform in ("gradescope", "github")
    }


@pytest.fixture
def here(monkeypatch):
    """Grade without a sandbox: what is handed over is tried, not the sandbox."""
    monkeypatch.setattr(one_submission, "Policy", lambda **options: Policy(**{**options, "sandbox": "none"}))


def handed_in(folder, exercise, answers, name=f"{UNIT}.ipynb"):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(text(fill(exercise, answers)))


def container(folder, archive, exercise, answers):
    """Gradescope's /autograder in a folder."""
    with zipfile.ZipFile(archive) as files:
        files.extractall(folder / "source")
    handed_in(folder / "submission", exercise, answers)
    (folder / "results").mkdir()
    for name in ("setup.sh", "run_autograder"):
        (folder / "source" / name).chmod(0o755)
    shutil.copy(folder / "source" / "run_autograder", folder)
    about = {
        "id": 7,
        "submission_method": "upload",
        "previous_submissions": [],
        "created_at": "2024-07-01T14:30:00.5-07:00",
        "assignment": {"due_date": "2024-07-01T13:00:00.0-07:00", "total_points": "10.0"},
        "users": [{"email": "ada@example.com", "id": 1, "name": "Ada King"}],
    }
    (folder / "submission_metadata.json").write_text(json.dumps(about))
    return folder


def test_the_zip_for_gradescope_has_its_scripts_at_the_root_and_the_package(zips):
    with zipfile.ZipFile(zips["gradescope"]) as files:
        names = set(files.namelist())
        own = {f"package/{name}" for name in ("pyproject.toml", "minibert/grading/export/gradescope.py")}
        assert own | {"setup.sh", "run_autograder", "bundle.json"} <= names
        assert files.getinfo("run_autograder").external_attr >> 16 == 0o755
        assert not [name for name in names if "__pycache__" in name or "solutions" in name]
        bundle = files.read("bundle.json")
    assert b"fresh input" in bundle and b"result_of_the" not in bundle


def test_the_zip_for_github_holds_no_hidden_test(zips):
    with zipfile.ZipFile(zips["github"]) as files:
        everything = b"".join(files.read(name) for name in files.namelist() if "/package/" not in name)
        assert b"fresh input" not in everything and b"result_of_the" not in everything
        bundle = Bundle.from_bytes(files.read(".autograder/bundle.json"))
        assert {f"{UNIT}.ipynb", "numbers.csv", ".github/workflows/classroom.yml"} <= set(files.namelist())
    assert bundle.max_points == 10 and [cell.name for cell in bundle.cells if cell.scored] == [
        "square-visible",
        "square-hidden",
        "double-visible",
        "why",
    ]


def test_the_same_assignment_gives_the_same_zip(zips, built_course, tmp_path):
    again = export(built_course, UNIT, "gradescope", tmp_path / "again.zip")
    assert again.read_bytes() == zips["gradescope"].read_bytes()
    with pytest.raises(ValueError, match="unknown platform 'moodle'; choose one of gradescope, github"):
        export(built_course, UNIT, "moodle", tmp_path / "no.zip")
    with pytest.raises(ValueError, match="solutions/02_none: expected one notebook, found 0"):
        export(built_course, "02_none", "github", tmp_path / "no.zip")


def test_gradescope_gets_each_test_with_its_points(zips, exercise, right, tmp_path, here, capsys):
    wrong = "import inspect\ndef square(x):\n    return x + x"
    root = container(tmp_path, zips["gradescope"], exercise, {**right, "square": wrong})
    assert gradescope.main(root) == 0
    found = json.loads((root / "results/results.json").read_text())
    fields = ("name", "score", "max_score", "visibility", "status")
    assert [tuple(test[field] for field in fields) for test in found["tests"]] == [
        ("square: test", 2, 2, "visible", "passed"),
        ("square: hidden test", 0, 3, "after_published", "failed"),
        ("double: test", 1, 1, "visible", "passed"),
    ]
    assert found["tests"][1]["output"] == "square: got 2, wanted 1" and "score" not in found
    assert "A person will award up to 4 more points." in found["output"]
    assert found["stdout_visibility"] == "hidden"
    said = capsys.readouterr().out
    assert "Ada King: 1.5 hours late." in said and "flag: square, line 1: imports inspect" in said


@pytest.mark.parametrize(
    "name, data, said",
    [
        ("notes.pdf", b"%PDF", "No notebook was found."),
        (f"{UNIT}.ipynb", b"", "The file is empty"),
        ("link", None, "No notebook was found."),
    ],
)
def test_what_cannot_be_read_says_why(zips, exercise, tmp_path, here, name, data, said):
    root = container(tmp_path, zips["gradescope"], exercise, {})
    (root / "submission" / f"{UNIT}.ipynb").unlink()
    if data is None:
        (root / "submission" / "x.ipynb").symlink_to(root / "source" / "bundle.json")
    else:
        (root / "submission" / name).write_bytes(data)
    gradescope.main(root)
    found = json.loads((root / "results/results.json").read_text())
    assert found.get("score") == 0 and "tests" not in found and found["output"]
    assert found["output"].startswith(said) and "A person" not in found["output"]


def test_a_grader_that_fails_writes_no_points(zips, exercise, right, tmp_path, monkeypatch):
    root = container(tmp_path, zips["gradescope"], exercise, right)
    (root / "results/results.json").write_text("{}")
    monkeypatch.setattr(one_submission, "Policy", lambda **options: Policy(sandbox="docker", image="none"))
    assert gradescope.main(root) == 1 and not (root / "results/results.json").exists()


def test_a_notebook_in_a_folder_or_under_another_name_is_found(tmp_path, exercise, right):
    handed_in(tmp_path / "a", exercise, right, "mine.ipynb")
    handed_in(tmp_path / ".git", exercise, right, "no.ipynb")
    assert list(one_submission.handed_in(tmp_path, UNIT)) == ["a/mine.ipynb"]
    handed_in(tmp_path, exercise, right)
    assert list(one_submission.handed_in(tmp_path, UNIT)) == [f"{UNIT}.ipynb", "a/mine.ipynb"]


@pytest.mark.parametrize("path", ["missing", "x = 1", "[]", '{"users": 3}'])
def test_odd_metadata_say_nothing(tmp_path, path):
    (tmp_path / "m.json").write_text(path)
    assert gradescope.about(tmp_path / "m.json") == gradescope.about(tmp_path / "none.json") == ""


def decoded(output):
    """What the reporter of GitHub Classroom reads from the step's output."""
    name, _, value = output.strip().partition("=")
    assert name == "result"
    return json.loads(base64.b64decode(value))


def test_github_gets_what_its_reporter_reads(zips, exercise, right, tmp_path):
    with zipfile.ZipFile(zips["github"]) as files:
        files.extractall(tmp_path)
    workflow = yaml.safe_load((tmp_path / ".github/workflows/classroom.yml").read_text())
    *_, grading, reporting = workflow["jobs"]["run-autograding-tests"]["steps"]
    assert reporting["with"]["runners"].upper() + "_RESULTS" in reporting["env"]
    assert f"steps.{grading['id']}.outputs.result" in reporting["env"]["MINIBERT_RESULTS"]
    handed_in(tmp_path, exercise, {**right, "double": "def double(x):\n    return x"})
    output = tmp_path / "output"
    environment = {**os.environ, "GITHUB_OUTPUT": str(output), "PYTHONPATH": str(ROOT)}
    command = grading["run"].replace("python ", f"{sys.executable} ", 1)
    done = subprocess.run(command, shell=True, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    found = decoded(output.read_text())
    assert (found["version"], found["status"], found["max_score"]) == (1, "fail", 6)
    assert [(test["name"], test["score"], test["status"]) for test in found["tests"]] == [
        ("square: test", 2, "pass"),
        ("square: hidden test", 3, "pass"),  # its visible part
        ("double: test", 0, "fail"),
    ]
    assert "have no effect" not in done.stdout and "preview" in done.stdout and "\n\n" not in done.stdout
    assert "A person will award up to 4 more points." in done.stdout


def test_a_cell_with_nothing_but_hidden_tests_is_not_graded_on_github(built_course):
    bundle = make_bundle(built_course, UNIT)
    alone = "# More inputs are tried later."
    cells = [replace(cell, released=alone) if cell.name == "square-hidden" else cell for cell in bundle.cells]
    shown = github.without_hidden(replace(bundle, cells=tuple(cells)))
    (cell,) = [cell for cell in shown.cells if cell.name == "square-hidden"]
    assert (cell.source, cell.scored, cell.points) == (alone, False, 3)


def test_nothing_that_students_see_at_once_depends_on_a_hidden_test(built_course):
    bundle = make_bundle(built_course, UNIT)
    cells = [
        {"name": cell.name, "points": 0, "max_points": cell.points, "manual": False, "hint": "a hint"}
        for cell in bundle.cells
        if cell.scored and cell.kind == "code"
    ]
    quiet = {
        "status": "graded",
        "cells": cells,
        "reason": "",
        "notes": ["Kept."],
        "problems": [],
        "flags": [],
        "cpu_seconds": 1.0,
    }
    said = [
        "cell square-hidden: the kernel ended",
        "cell square: when run again, it was idle; does it sleep?",
    ]
    notes = ["Kept.", gradescope.LATE, f"{said[0]}.", said[1]]
    other = [{**cell, "points": 3, "hint": ""} if cell["name"] == "square-hidden" else cell for cell in cells]
    loud = {**quiet, "cells": other, "notes": notes, "problems": said, "cpu_seconds": 9.0}

    def seen(result):
        made = gradescope.results(bundle, result)
        return made, {**made, "tests": [one for one in made["tests"] if one["visibility"] == "visible"]}

    (_, now), (everything, then) = seen(quiet), seen(loud)
    assert now == then and len(now["tests"]) == 2 and now["output"] == "Kept."
    assert everything["tests"][-1]["output"] == "\n".join(notes[1:])


def test_each_grading_in_a_container_draws_its_hidden_inputs(built_course, tmp_path, monkeypatch):
    drawn = []
    monkeypatch.setattr(
        one_submission, "grade_submission", lambda _, __, policy: drawn.append(policy) or "{}"
    )
    for _ in range(2):
        one_submission.grade_folder(make_bundle(built_course, UNIT), tmp_path)
    assert len({policy.hidden_seed for policy in drawn} - {0}) == 2


def test_a_submission_that_was_not_graded_is_an_error_on_github(built_course):
    bundle = github.without_hidden(make_bundle(built_course, UNIT))
    cells = [
        {"name": cell.name, "points": None, "max_points": cell.points, "manual": False, "hint": ""}
        for cell in bundle.cells
        if cell.scored
    ]
    made = github.report({"cells": cells, "status": "ungraded", "reason": "It is a PDF."})
    assert made["status"] == "error" and {test["message"] for test in made["tests"]} == {"It is a PDF."}


def test_a_text_that_nobody_wrote_waits_for_nobody():
    cell = {"manual": True, "points": None, "max_points": 4}
    assert one_submission.by_a_person({"status": "graded", "cells": [cell]}) != ""
    assert one_submission.by_a_person({"status": "graded", "cells": [{**cell, "points": 0}]}) == ""
    assert one_submission.by_a_person({"status": "ungraded", "cells": [cell]}) == ""


def test_a_folder_in_one_that_others_may_not_enter_is_not_open(tmp_path):
    (tmp_path / "a").mkdir(mode=0o755)
    inside = tmp_path / "a" / "b"
    inside.mkdir(mode=0o755)
    (tmp_path / "a").chmod(0o700)
    assert not open_to_others(inside) and open_to_others(Path("/usr"))


def harness(folder):
    """Programs that stand for what a platform's image has: no packages to install, Python with this site."""
    folder.mkdir()
    python = Path(sys.base_prefix, "bin", f"python3.{sys.version_info.minor}")
    (folder / "apt-get").write_text("#!/bin/sh\nexit 0\n")
    packages = f"lib/python3.{sys.version_info.minor}/site-packages"
    line = f"import sys; sys.path.insert(0, {SITE!r})"
    (folder / "python3").write_text(
        f'#!/bin/sh\n{python} "$@" || exit 1\n[ "$2" != venv ] || echo "{line}" > "$3"/{packages}/h.pth\n'
    )
    for path in folder.iterdir():
        path.chmod(0o755)


@pytest.mark.sandbox
@pytest.mark.slow
@pytest.mark.skipif(not is_root(), reason="root of a container is played by root")
@pytest.mark.skipif(bool(reason_unavailable("bwrap")), reason="bubblewrap plays the container")
def test_gradescopes_own_steps_from_the_zip_to_results(zips, exercise, right, tmp_path):
    root = container(tmp_path / "autograder", zips["gradescope"], exercise, {**right, "square": ESCAPE})
    harness(tmp_path / "bin")
    (tmp_path / "opt").mkdir()
    inside = "bwrap --unshare-pid --cap-add ALL --ro-bind /usr /usr --ro-bind /etc /etc --proc /proc".split()
    inside += "--dev /dev --perms 1777 --tmpfs /tmp".split()
    for name in ("bin", "sbin", "lib", "lib64"):
        inside += ["--symlink", f"usr/{name}", f"/{name}"] if Path("/", name).is_symlink() else []
    places = {Path(sys.base_prefix), Path(SITE)}
    for parent in sorted({parent for place in places for parent in place.parents if parent != Path("/")}):
        if not str(parent).startswith("/usr"):
            inside += ["--perms", "0755", "--dir", str(parent)]
    for place in places:
        inside += ["--ro-bind", str(place), str(place)]
    inside += ["--bind", str(root), "/autograder", "--perms", "0755", "--dir", "/opt"]
    inside += [
        "--bind",
        str(tmp_path / "opt"),
        "/opt/minibert",
        "--ro-bind",
        str(tmp_path / "bin"),
        "/harness",
    ]
    inside += ["--ro-bind", "/dev/null", shutil.which("bwrap"), "--chdir", "/autograder", "--clearenv"]
    pip = {
        "NO_DEPS": "1",
        "NO_BUILD_ISOLATION": "0",
        "NO_INDEX": "1",
        "ROOT_USER_ACTION": "ignore",
        "NO_CACHE_DIR": "1",
    }
    environment = {"PATH": "/harness:/usr/bin:/bin:/usr/sbin"} | {
        f"PIP_{name}": value for name, value in pip.items()
    }
    for name, value in environment.items():
        inside += ["--setenv", name, value]
    for command in ("/autograder/source/setup.sh", "/autograder/run_autograder"):
        done = subprocess.run([*inside, "--", command], capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
    assert one_submission.PROTECTION["user"] in done.stdout and "flag: square" in done.stdout
    found = json.loads((root / "results/results.json").read_text())
    assert [test["score"] for test in found["tests"]] == [2, 3, 1], found
