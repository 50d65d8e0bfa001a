"""Measure how fast this machine trains a BERT: all tables of `minibert bench --full`.

python benchmarks/speed.py      # writes speed.json and speed.md; about 25 minutes on two idle cores
"""

import places

from minibert.bench import bench

if __name__ == "__main__":
    bench(full=True, out=places.RESULTS)
