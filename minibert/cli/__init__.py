"""The command line: `main` runs it; its commands are in one file for each kind of reader."""

from pathlib import Path

CLONE = Path(__file__).resolve().parents[2]
NOTEBOOKS = CLONE / "minibert" / "notebooks"  # only an installed wheel has this folder
ROOT = NOTEBOOKS if NOTEBOOKS.is_dir() else CLONE  # the folder with lessons/ and exercises/
