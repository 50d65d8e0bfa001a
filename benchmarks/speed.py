"""How fast this machine trains a BERT: all tables of `minibert bench --full`, written beside this file.

    python benchmarks/speed.py             # writes speed.json and speed.md; about 25 minutes on two quiet cores

Everything else on the machine should rest meanwhile; contestants take turns, so that what does not rest hits
all alike.
"""
from pathlib import Path

from minibert.bench import bench

if __name__ == "__main__":
    bench(full=True, out=Path(__file__).resolve().parent)
