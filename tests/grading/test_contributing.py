"""An exercise is added by the three files that docs/dev/exercises.md shows, and by nothing else."""

import os
import re
import shutil
import subprocess
import sys

import pytest

SKIPPED = shutil.ignore_patterns("__pycache__", "unit0*", ".ipynb_checkpoints")


def shown(root):
    """Path -> text of each file that docs/dev/exercises.md shows."""
    page = (root / "docs" / "dev" / "exercises.md").read_text(encoding="utf-8")
    return dict(re.findall(r"^`([\w./]+)`:.*?^```python\n(.*?)^```$", page, re.M | re.S))


@pytest.fixture
def repository(root, tmp_path):
    """A copy without units: the package, the banks' machinery, and the configuration."""
    shutil.copytree(root / "minibert", tmp_path / "minibert", ignore=SKIPPED)
    shutil.copytree(root / "tests" / "banks", tmp_path / "tests" / "banks", ignore=SKIPPED)
    (tmp_path / "benchmarks" / "results").mkdir(parents=True)
    for name in ("nbgrader_config.py", "benchmarks/checks.py", "benchmarks/places.py"):
        shutil.copy(root / name, tmp_path / name)
    return tmp_path


@pytest.mark.slow
def test_three_files_are_a_new_exercise_that_is_built_and_graded(root, repository):
    files = shown(root)
    assert [path.split("/")[0] for path in files] == ["solutions", "minibert", "tests"]
    for path, text in files.items():
        (repository / path).parent.mkdir(parents=True, exist_ok=True)
        (repository / path).write_text(text, encoding="utf-8")

    def run(*command):
        done = subprocess.run(
            [sys.executable, *command],
            cwd=repository,
            capture_output=True,
            text=True,
            env=os.environ | {"PYTHONPATH": str(repository)},
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert "built exercises/99_new/99_new.ipynb" in run("-m", "minibert", "build", "99")
    said = run("benchmarks/checks.py", "99")
    row = next(line for line in said.split("\n") if "mean_real" in line)
    assert row == "| 99 | mean_real | 2 | 2 | 2 | 2 | 2 |"
    assert "What is missed" not in said
