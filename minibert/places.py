"""Where the lessons and exercises are: in a clone, or in an installed wheel."""

from pathlib import Path

CLONE = Path(__file__).resolve().parents[1]
NOTEBOOKS = CLONE / "minibert" / "notebooks"  # only an installed wheel has this folder
ROOT = NOTEBOOKS if NOTEBOOKS.is_dir() else CLONE  # the folder with lessons/ and exercises/
