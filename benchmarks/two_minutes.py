"""What two minutes on two cores reach: the tour's recipe with fewer steps, over seeds.

    python benchmarks/two_minutes.py    # writes two_minutes.md beside this file

The file has world.md's table, with the best reachable accuracy, and the time of each run. The models stay in
build/two_minutes, so that an interrupted benchmark continues there.
"""
import argparse
import dataclasses
import json
import time
from pathlib import Path

import labels
import world

from minibert.files import write_text

HERE = Path(__file__).resolve().parent
STEPS = 540


def pretrained(seed, folder, steps):
    """Pretrain once, unless it is done; returns the seconds that it took, with language and vocabulary."""
    done = folder / "seconds.json"
    if not done.is_file():
        start = time.perf_counter()
        labels.pretrained(seed, folder, dataclasses.replace(labels.TOUR, steps=steps))
        write_text(done, json.dumps(round(time.perf_counter() - start)))
    return json.loads(done.read_text())


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--steps", type=int, default=STEPS, help="of pretraining (default: %(default)s)")
    parser.add_argument("--documents", type=int, default=600, help="of the test (default: %(default)s)")
    parser.add_argument("--build", type=Path, default=Path("build/two_minutes"), help="folder of the models")
    parser.add_argument("--out", type=Path, default=HERE / "two_minutes.md")
    a = parser.parse_args()
    folders = [a.build / str(seed) for seed in range(a.seeds)]
    seconds = [pretrained(seed, folder, a.steps) for seed, folder in enumerate(folders)]
    world.main([folder / "bert" for folder in folders], a.documents, a.out)
    note = (f"\nThe runs had {a.steps} steps and took {', '.join(map(str, seconds))} "
            "seconds, in which language and vocabulary, encoding and a first evaluation have 20 to 30.\n")
    write_text(a.out, a.out.read_text(encoding="utf-8") + note)


if __name__ == "__main__":
    main()
