"""The command line: `main` runs it, and each kind of user has one file of commands."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]  # the repository, with lessons and solutions
