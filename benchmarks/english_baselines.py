"""Score baselines on the held-out English text: the most frequent token, and n-grams.

    PYTHONPATH=. python benchmarks/english_baselines.py DATA BUILD

An n-gram predicts a token from the n - 1 tokens before it: the token that followed them most often in the
text of `english.py`, or, if they never occurred there, the prediction from one token fewer. Scores go to
BUILD/baselines.json.
"""

import argparse
import json
from pathlib import Path

import numpy as np
from english import encoded, joined
from english_text import texts

from minibert.english.published import encoder_folder
from minibert.readers.writing import write_text
from minibert.tokenizer.fast import FastWordPiece

ORDER = 5
FACTOR = np.uint64(1_000_003)


def contexts(ids, order):
    """Return a hash of the order - 1 ids before each of ids[ORDER - 1:], (tokens - ORDER + 1,) uint64."""
    found = np.zeros(len(ids) - ORDER + 1, dtype=np.uint64)
    for back in range(1, order):
        found = found * FACTOR + ids[ORDER - 1 - back : len(ids) - back].astype(np.uint64) + np.uint64(1)
    return found


def most_frequent(keys, ids):
    """Return the distinct keys, sorted, and for each the id that occurs most often with it."""
    order = np.lexsort((ids, keys))
    keys, ids = keys[order], ids[order]
    first = np.flatnonzero(np.r_[True, (keys[1:] != keys[:-1]) | (ids[1:] != ids[:-1])])
    counts = np.diff(np.r_[first, len(keys)])
    keys, ids = keys[first], ids[first]
    best = np.lexsort((-counts, keys))
    keys, ids = keys[best], ids[best]
    first = np.flatnonzero(np.r_[True, keys[1:] != keys[:-1]])
    return keys[first], ids[first]


def predictions(train, held, orders):
    """Return the id that n-grams predict for each of held[ORDER - 1:], with the longest known context."""
    found = np.full(len(held) - ORDER + 1, -1)
    for order in sorted(orders, reverse=True):
        keys, ids = most_frequent(contexts(train, order), train[ORDER - 1 :])
        wanted = contexts(held, order)
        places = np.searchsorted(keys, wanted).clip(max=len(keys) - 1)
        known = (keys[places] == wanted) & (found < 0)
        found[known] = ids[places[known]]
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path, metavar="DATA")
    parser.add_argument("build", type=Path, metavar="BUILD")
    a = parser.parse_args()
    tokenizer = FastWordPiece.load(encoder_folder() / "vocab.txt", lower_case=True)
    train_texts, held_texts = texts(a.data)
    train = joined([one for documents in train_texts.values() for one in encoded(documents, tokenizer)])
    scores = {}
    for kind, documents in held_texts.items():
        held = joined(encoded(documents, tokenizer))
        right = {
            name: predictions(train, held, orders) == held[ORDER - 1 :]
            for name, orders in (("most frequent token", [1]), ("5-gram", range(1, ORDER + 1)))
        }
        scores[kind] = {name: round(100 * float(hits.mean()), 2) for name, hits in right.items()}
    a.build.mkdir(parents=True, exist_ok=True)
    write_text(a.build / "baselines.json", json.dumps(scores, indent=2) + "\n")
    print(scores)


if __name__ == "__main__":
    main()
