"""Build a zip that lets a platform grade submissions (`minibert export-autograder`).

The zip contains the assignment's bundle, the package's source with pinned versions of its dependencies, and
the platform's own files: `setup.sh` and `run_autograder` for Gradescope, or a workflow for GitHub Classroom.
"""

from pathlib import Path

from ..author.assignment_bundle import PACKAGE, Bundle, make_bundle
from ..report.gradebook import write
from ..report.zipped import zipped
from .github import FOLDER, without_hidden

BESIDE = ("pyproject.toml", "README.md", "LICENSE", "LICENSE-CC-BY-4.0", "constraints.txt")
LEFT_OUT = ("__pycache__", ".pyc")
SCRIPTS = Path(__file__).with_name("scripts")
READ_ME = {
    "gradescope": """\
Upload the zip as it is, under Configure Autograder. Choose at least 1 CPU, 3 GB of memory and a time
limit of 30 minutes. Students see the hidden tests once you publish the grades. Grade the text answers by
hand, on Gradescope.
""",
    "github": """\
Unpack the zip in the template repository, and commit the files. They do not include the hidden tests,
because students could read them there, so the points on GitHub come from the visible tests only. Later,
download the repositories and run `minibert grade`, which gives the final points.
""",
}


def export(root: str | Path, assignment: str, platform: str, out: str | Path | None = None) -> Path:
    """Write the zip for a platform ("gradescope" or "github") and return its path.

    `root` is the course's folder. Raises ValueError for an unknown assignment or platform, or if the package,
    which is copied into the zip, is not in a clone of the course.
    """
    if platform not in READ_ME:
        raise ValueError(f"unknown platform {platform!r}; choose one of {', '.join(READ_ME)}")
    bundle = make_bundle(root, assignment)
    files = gradescope(bundle) if platform == "gradescope" else github(bundle, Path(root))
    path = Path(out or f"{assignment}-{platform}.zip")
    write(path.resolve(), zipped(files))
    return path


def gradescope(bundle: Bundle) -> dict[str, bytes]:
    """Return the files of the zip for Gradescope: a dict that maps paths to bytes."""
    scripts = {name: (SCRIPTS / name).read_bytes() for name in ("setup.sh", "run_autograder")}
    return {
        **scripts,
        "bundle.json": bytes(bundle),
        "README.txt": READ_ME["gradescope"].encode(),
        **package("package"),
    }


def github(bundle: Bundle, root: Path) -> dict[str, bytes]:
    """Return the files of the zip for GitHub Classroom: a dict that maps paths to bytes."""
    name = f"{bundle.name}.ipynb"
    exercise = (root / "exercises" / bundle.assignment / name).read_bytes()
    return {
        name: exercise,
        **bundle.files,
        ".github/workflows/classroom.yml": (SCRIPTS / "classroom.yml").read_bytes(),
        f"{FOLDER}/bundle.json": bytes(without_hidden(bundle)),
        f"{FOLDER}/README.txt": READ_ME["github"].encode(),
        **package(f"{FOLDER}/package"),
    }


def package(folder: str) -> dict[str, bytes]:
    """Return the package's source files as a dict that maps paths in the zip to bytes.

    Raises ValueError outside a clone of the course.
    """
    clone = PACKAGE.parent
    missing = [name for name in BESIDE if not (clone / name).is_file()]
    if missing:
        raise ValueError(f"{clone} is not a clone of the course; missing: {', '.join(missing)}")
    paths = [clone / name for name in BESIDE] + [
        path
        for path in sorted(PACKAGE.rglob("*"))
        if path.is_file() and not any(part.endswith(LEFT_OUT) for part in path.parts)
    ]
    return {f"{folder}/{path.relative_to(clone).as_posix()}": path.read_bytes() for path in paths}
