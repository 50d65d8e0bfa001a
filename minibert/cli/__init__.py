"""The command line: `main` runs it; its commands are in one file for each kind of reader."""

from pathlib import Path

CLONE = Path(__file__).resolve().parents[2]
ROOT = (
    CLONE if (CLONE / "lessons").is_dir() else CLONE / "minibert" / "notebooks"
)  # the course: a clone's, or a wheel's
