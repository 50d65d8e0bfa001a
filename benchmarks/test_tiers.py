"""Measure what each tier of the tests catches: run the tests on broken versions of the package, one by one.

    python benchmarks/test_tiers.py                        all of `broken_versions.py`
    python benchmarks/test_tiers.py reference tasks        only those of some folders
    python benchmarks/test_tiers.py grading --only sandbox only those with this word in the description
    python benchmarks/test_tiers.py --every 5 --quick      every fifth of a folder, with `make test` only
    python benchmarks/test_tiers.py --check                only check that all of them can be made

Each broken version is made in a copy of the repository. The tests of its folder run until the first failure,
starting with the file whose name is most similar to the broken one. `make test-all` includes every test of
`make test`, so it runs only for versions that pass `make test`. The exit status is 1 if a broken version
passes both, or cannot be made.
"""

import argparse
import ast
import difflib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from broken_versions import BROKEN

ROOT = Path(__file__).resolve().parent.parent
# Group of broken versions -> the folders of the package to search; by default, the folder of the same name.
FOLDERS = {
    "reference": ("reference", "data", "analysis", "training", "tasks", "course"),
    "readers": ("readers", "data", "generated"),
    "checks": ("course/checks",),
}
TESTS = {  # group -> the tests that should catch its broken versions
    "reference": ("reference", "data", "analysis", "test_traps.py", "test_doctests.py", "model", "tasks"),
    "tokenizer": ("tokenizer", "test_doctests.py"),
    "readers": ("readers", "data", "generated", "test_doctests.py"),
    "tasks": ("tasks", "finetuning", "data"),
    "model": ("model", "test_traps.py", "objectives"),
    "objectives": ("objectives", "test_traps.py", "data"),
    "training": ("training",),
    "checks": ("course/checks",),
    "grading": ("grading",),
}


class NotFound(ValueError):
    """Raised if the text to replace is not in its place, or is there several times."""


def functions(tree, inside=""):
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield inside + node.name, node
        elif isinstance(node, ast.ClassDef):
            yield from functions(node, f"{inside}{node.name}.")


def pattern_of(text):
    """Return a pattern for a text that ignores line breaks, comments, and a type before a default."""
    gap, type_of = r"(?:\s|#[^\n]*\n)*", r"(?::\s*[\w\[\]., |]+?)?"
    parts = re.findall(r"\w+|[^\w\s]", text)
    return re.compile(gap.join(type_of + gap + part if part == "=" else re.escape(part) for part in parts))


def broken(folder, place, old, new):
    """Return (file, its broken text) for one version.

    If no function of that name contains the text, it may be anywhere in the folder, but only once.
    """
    found, elsewhere = [], []
    folders = FOLDERS.get(folder, (folder,))
    for path in (path for name in folders for path in sorted((ROOT / "minibert" / name).rglob("*.py"))):
        text = path.read_text(encoding="utf-8")
        lines = text.splitlines(keepends=True)
        for name, node in functions(ast.parse(text)):
            start, end = (sum(map(len, lines[:number])) for number in (node.lineno - 1, node.end_lineno))
            for match in pattern_of(old).finditer(text, start, end):
                (found if name == place else elsewhere).append(
                    (path, text[: match.start()] + new + text[match.end() :])
                )
    found = found[:1] or elsewhere
    if len(found) != 1:
        raise NotFound(
            f"minibert/{folder}: {old!r} in {place} was found {len(found)} times"
            + "".join(f", in {name}" for name in sorted({path.name for path, _ in found}))
        )
    ((path, text),) = found
    ast.parse(text)
    return path.relative_to(ROOT), text


def copied(folder):
    """Copy all files that git tracks or would add to a folder, and return it."""
    listed = (
        subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            cwd=ROOT,
            capture_output=True,
            check=True,
        )
        .stdout.decode()
        .split("\0")
    )
    for name in filter(None, listed):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)
    return folder


def tests_for(copy, folder, path):
    """Return the test files for a folder, with those most similar to the broken file first."""
    files = [
        file
        for name in TESTS[folder]
        for file in (
            [copy / "tests" / name]
            if name.endswith(".py")
            else sorted((copy / "tests" / name).rglob("test_*.py"))
        )
    ]
    alike = {
        file: difflib.SequenceMatcher(None, file.stem.removeprefix("test_"), path.stem).ratio()
        + (file.parent.name == folder)
        for file in files
    }
    return [str(file.relative_to(copy)) for file in sorted(files, key=lambda file: -alike[file])]


def first_failure(copy, files, *options):
    """Return the first failing test and the seconds until then; None in place of the test if all pass."""
    start = time.monotonic()
    environment = {
        **os.environ,
        "PYTHONPATH": str(copy),
        "OMP_NUM_THREADS": "1",
        "MPLBACKEND": "Agg",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    command = [sys.executable, "-m", "pytest", "-x", "-q", "--tb=no", "-p", "no:cacheprovider"]
    done = subprocess.run(
        [*command, *options, *files], cwd=copy, env=environment, capture_output=True, text=True
    )
    failed = re.search(r"^(?:FAILED|ERROR) (\S+)", done.stdout, re.M)
    if done.returncode and not failed:
        raise RuntimeError(done.stdout[-2000:] + done.stderr[-2000:])
    return failed and failed[1].removeprefix("tests/"), time.monotonic() - start


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folders", nargs="*", help=f"some of {', '.join(BROKEN)} (default: all)")
    parser.add_argument("--only", default="", help="a word in the descriptions")
    parser.add_argument("--every", type=int, default=1, help="a sample: with 5, every fifth of a folder")
    parser.add_argument(
        "--check", action="store_true", help="check that each can be made, without running tests"
    )
    parser.add_argument("--quick", action="store_true", help="do not run `make test-all` on those that pass")
    asked = parser.parse_args()
    if unknown := set(asked.folders) - set(BROKEN):
        parser.error(f"unknown folder {', '.join(sorted(unknown))}: choose from {', '.join(BROKEN)}")
    versions, lost = [], []
    for folder in asked.folders or BROKEN:
        for words, *change in BROKEN[folder][:: asked.every]:
            try:
                versions += [(folder, words, *broken(folder, *change))] if asked.only in words else []
            except (NotFound, SyntaxError) as error:
                lost.append(f"{words}: {error}")
    print(
        "".join(f"CANNOT BE MADE: {line}\n" for line in lost) + f"{len(versions)} broken versions", flush=True
    )
    passed = run(versions, asked.quick) if not asked.check else 0
    return int(bool(lost or passed))


def run(versions, quick):
    """Print a line of a table for each version, and return how many pass all tests."""
    passed = 0
    print("| folder | broken | make test | make test-all | seconds | first failure |\n" + "|---" * 6 + "|")
    with tempfile.TemporaryDirectory() as folder:
        copy = copied(Path(folder))
        for area, words, path, text in versions:
            (copy / path).write_text(text, encoding="utf-8")
            files = tests_for(copy, area, path)
            failed, seconds = first_failure(copy, files)
            early = bool(failed)
            if not early and not quick:
                failed, more = first_failure(copy, files, "--all")
                seconds += more
            shutil.copy(ROOT / path, copy / path)
            if failed and first_failure(copy, ["tests/" + failed.partition("[")[0]])[0]:
                raise RuntimeError(f"{failed} also fails without a broken version: fix that first")
            passed += not failed
            whole = "yes" if failed else "?" if quick else "NO"
            cells = area, words, "yes" if early else "NO", whole, f"{seconds:.0f}", failed or ""
            print(f"| {' | '.join(cells)} |", flush=True)
    return passed


if __name__ == "__main__":
    sys.exit(main())
