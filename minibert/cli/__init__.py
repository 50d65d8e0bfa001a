"""The command line: `main` runs it; its commands are in one file for each kind of reader."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]  # the clone, with lessons and solutions
