"""Measure a plain recipe on the generated language, without phases, for comparison with the tour in lesson 5.

    python benchmarks/world_plain.py  # writes world_plain.md and world_plain.json: the table of world.md

Text, vocabulary and size are those of labels.py, whose folders it reads (and fills if necessary); everything
else is the default of `minibert pretrain --phases plain`. The models stay in build/world_plain.
"""

import argparse
from pathlib import Path

import labels
import places
import world

import minibert

HERE = Path(__file__).resolve().parent
STEPS = 3000
ABOUT = f"""For comparison with [world.md](world.md): three models of the same size, pretrained in
{STEPS:,} steps as `minibert pretrain --phases plain` does: all words are masked equally often, even if the
sequence reveals them; position embeddings start as sinusoids scaled by 0.2; and all parameters have the same
learning rate.

"""


def pretrained(seed, folder, stages, steps=STEPS):
    """Return the folder of a seed's model; pretrain it on the text in `stages` if it is missing."""
    config = labels.pretrained(seed, stages)
    if not (folder / "model.safetensors").is_file():
        minibert.pretrain(
            stages / "train.txt",
            folder,
            vocab=stages / "vocab.txt",
            preset=config.preset,
            max_length=config.max_length,
            steps=steps,
            phases="plain",
            seed=seed,
            progress=False,
        )
    return folder


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--documents", type=int, default=600, help="test documents (default: %(default)s)")
    a, build = parser.parse_args(), HERE.parent / "build"
    world.main(
        [
            pretrained(seed, build / "world_plain" / str(seed), build / "labels" / str(seed))
            for seed in range(a.seeds)
        ],
        a.documents,
        places.report("world_plain"),
        places.table("world_plain"),
        ABOUT,
    )


if __name__ == "__main__":
    main()
