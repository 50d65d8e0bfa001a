"""How fast this machine trains a BERT: all tables of `minibert bench --full`, written beside this file.

    python benchmarks/speed.py      # writes speed.json and speed.md; about 25 minutes on two quiet cores

Nothing else should run on the machine meanwhile; contestants take turns, so that what does run affects all
alike.
"""

import places

from minibert.bench import bench

if __name__ == "__main__":
    bench(full=True, out=places.RESULTS)
