"""Run the experiments of lesson 12 that take too long for a lesson: three models, real text, several seeds.

    minibert download ewt; minibert download wikigold
    python benchmarks/inside.py --data ../shared/data       # 25 minutes on one core

The measures are defined in `minibert.analysis` and `minibert.course.unit12.experiments`. Experiments, with
what a seed determines:

- fixed: heads with fixed patterns instead of learned ones, trained from scratch (weights and batches);
- pruning: heads removed step by step, by gradient, by oracle and at random (sentences and masks);
- alone: only one head kept in a layer, masked tokens won and lost (sentences and masks);
- tuning: change of attention and weights by layer after fine-tuning for named entities (batches);
- probes: part-of-speech tags, chunks, roles and entity types with control tasks, depth and edges of trees
  (the split and the control labels);
- relations: heads that follow dependency relations of EWT, compared with the best fixed offset (the split);
- senses: SemCor by nearest neighbours, WiC-TSV by a threshold on the cosine (nothing, so it is run once).

A seed also determines the random weights. The English text is English-EWT (CC BY-SA), wikigold, SemCor and
WiC-TSV, in the layout of the folder --data; without it, the first two are read from the cache of `minibert
download`. Experiments whose text is missing are skipped. Each finished run is a line of
build/inside/runs.jsonl, so the same command resumes after an interruption. The script writes inside.json,
which lesson 12 reads, and inside.md.
"""

import copy
import dataclasses
import functools
import hashlib
import time
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import runs
import torch

from minibert.analysis.definitions import UNKNOWN, nearest_sense
from minibert.analysis.heads import follows, likeness, pruning_curve, scores_without_head, to_words
from minibert.analysis.senses import best_threshold, frequent_senses
from minibert.course.models.class_model import WORLD_SEED
from minibert.course.unit10.experiments.shared import tagged
from minibert.course.unit12.experiments import fixed, labelled, measures, models, treebank
from minibert.finetuning.run import finetune
from minibert.generated import World
from minibert.generated.fingerprint import fingerprint
from minibert.readers.download import cached_files

HERE = Path(__file__).resolve().parent
BUILD = HERE.parent / "build" / "inside"
EXPERIMENTS = ("fixed", "tuning", "pruning", "alone", "probes", "relations", "senses")
PLACES = {"ewt": "ud_ewt/dev.conllu", "wikigold": "ner/wikigold/train.conll", "wsd": "wsd"}  # in --data
NEEDS = {"probes": ("ewt", "wikigold"), "relations": ("ewt",), "senses": ("wsd",)}
TREES = 400  # sentences from each text
RELATIONS = ("det", "case", "amod", "nsubj", "obj", "aux", "advmod", "nmod:poss", "compound", "mark")
TUNED, BATCHES = 300, 60  # labelled sentences, steps
EVERY = 3  # one in this many examples of WiC-TSV is used to choose the threshold
ALONE = 40  # sentences for the experiment "alone"
KEPT, STEP = 16, 12  # sentences for the curve; heads removed per step
VERSION = 1  # of the measures; increase it to run everything again
fingerprint_once = functools.cache(fingerprint)


@functools.cache
def subject(name, seed):
    """Return a model by its name; the seed determines only random weights."""
    if name == models.RANDOM:
        return models.random_weights(subject(models.ENGLISH, 0), seed)
    found = models.english() if name == models.ENGLISH else models.own()
    if name == models.ENGLISH and found.encoder.config.num_hidden_layers != 6:
        raise SystemExit("the English encoder is missing; the results would be those of another model")
    return found


@functools.cache
def weights_of(name):
    """Return a fingerprint of a model's weights, so that runs of another model are repeated."""
    return models.weights_of(subject(name, 0))


def pruning(name, seed, quick, _files):
    """Return curves of the mean loss while heads are removed, the least important first."""
    one, rng = subject(name, seed), np.random.default_rng(seed)
    texts = one.sentences(200)
    order = rng.permutation(len(texts))
    few, kept = [texts[i] for i in order[:8]], [texts[i] for i in order[8 : 8 + (4 if quick else KEPT)]]
    score = models.gated(one, models.masked(one, kept, rng))
    chosen, (L, H) = models.gated(one, models.masked(one, few, rng)), one.sizes
    step = max(1, L * H * STEP // 72)
    ways = {
        "gradient": lambda gate: measures.importance(one, few, seed, gate),
        "oracle": lambda gate: one_off_from(chosen, gate),
        "random": lambda gate: rng.random((L, H)),
    }
    found = {}
    for way, importance in ways.items():
        left, losses = pruning_curve(score, importance, L, H, 24 if quick else step)
        found[way], found["left"] = losses.round(4).tolist(), (left / (L * H)).round(4).tolist()
    first = [ways[way](np.ones((L, H))).ravel() for way in ("gradient", "oracle")]
    alone = scores_without_head(score, L, H).mean(-1).ravel() if not quick else first[1]
    return found | {"agreement": correlation(first[0], alone), "whole": float(score(np.ones((L, H))).mean())}


def one_off_from(evaluate, gate):
    """Return the increase of the loss without each remaining head, (L, H)."""
    base, result = evaluate(gate).mean(), np.zeros(gate.shape)
    for layer, head in np.argwhere(gate > 0):
        without = gate.copy()
        without[layer, head] = 0
        result[layer, head] = evaluate(without).mean() - base
    return result


def correlation(a, b):
    from scipy.stats import spearmanr

    return round(float(spearmanr(a, b).statistic), 3)


def alone(name, seed, quick, _files):
    """Return how many masked tokens are won and lost if only one head of a layer is kept, for each head."""
    one, rng = subject(name, seed), np.random.default_rng(seed)
    texts = one.sentences(200)
    chosen = [texts[i] for i in rng.permutation(len(texts))[: 4 if quick else ALONE]]
    whole, left = measures.with_each_head_alone(one, chosen, rng)
    return {
        "heads": one.sizes[1],
        "tokens": len(whole),
        "right": int(whole.sum()),
        "won": (left & ~whole).sum(axis=-1).ravel().tolist(),
        "lost": (whole & ~left).sum(axis=-1).ravel().tolist(),
    }


def tuning(name, seed, quick, _files):
    """Return the similarity of attention and of weights before and after fine-tuning, by layer."""
    one = subject(name, seed)
    lives = [d for d in World(WORLD_SEED).documents(100 if quick else 900, 3, "train") if d.kind == "life"]
    examples = tagged(lives)[:TUNED]
    encoder = copy.deepcopy(one.encoder).requires_grad_(True)
    tuned, log = finetune(
        "ner",
        encoder,
        one.tokenizer,
        examples,
        steps=2 if quick else BATCHES,
        batch_size=16,
        peak_rate=5e-4,
        seed=seed,
        precision=torch.float32,
        progress=False,
        max_length=64,
    )
    new = copy.deepcopy(one.encoder)
    new.load_state_dict(tuned.model.encoder.state_dict())
    after = dataclasses.replace(one, model=models.readable(one.model.with_part("encoder", new)))
    texts = [" ".join(words.words) for words in examples[:16]]
    maps = [likeness(models.look(one, text).probs, models.look(after, text).probs) for text in texts]
    layers = [
        [
            np.concatenate([p.detach().numpy().ravel() for p in layer.parameters()])
            for layer in m.encoder.layers
        ]
        for m in (one, after)
    ]
    return {
        "maps": np.mean(maps, axis=0).round(4).tolist(),
        "weights": likeness(np.stack(layers[0]), np.stack(layers[1])).round(5).tolist(),
        "loss": round(float(np.mean([entry["loss"] for entry in log[-10:]])), 3),
    }


def files_of(data):
    """Return the paths of the existing files by their name in PLACES, in a folder or in the user's cache."""
    if data:
        return {name: data / place for name, place in PLACES.items() if (data / place).exists()}
    return {name: cached_files(name)[0] for name in ("ewt", "wikigold") if cached_files(name)}


def probes(name, seed, quick, files):
    """Return probe results by layer, for EWT, wikigold's entities and the generated language's names."""
    one, rng, most = subject(name, seed), np.random.default_rng(seed), 60 if quick else TREES
    found = treebank.treebank_probes(one, treebank.trees(files["ewt"], most), rng)
    for key, text in (
        ("entities", treebank.read_entities(files["wikigold"], most)),
        ("names", treebank.generated_names(most)),
    ):
        found[key] = treebank.entity_probe(one, text, rng)
    for key in [key for key, values in found.items() if values.ndim == 2]:
        found[key], found[f"{key}, control"] = found[key]
    return {key: values.round(4).tolist() for key, values in found.items()}


def relations(name, seed, quick, files):
    """Return the best head and the best offset for each relation, chosen on one half, scored on the other."""
    one, rng = subject(name, seed), np.random.default_rng(seed)
    text = [
        tree
        for tree in treebank.trees(files["ewt"], 60 if quick else TREES)
        if labelled.fits(one, tree.words)
    ]
    order = rng.permutation(len(text))
    hits, pairs = {}, {}
    for number in order:
        words, _, parents, kinds = text[number]
        seen = models.look_at_words(one, words)
        attention = np.stack([to_words(p, seen.words) for p in seen.probs])  # (L, H, W, W)
        for kind in RELATIONS:
            at = np.array([(w, parents[w]) for w, k in enumerate(kinds) if k == kind], dtype=int).reshape(
                -1, 2
            )
            for way, some in (("to its head", at), ("from its head", at[:, ::-1])):
                hits.setdefault((kind, way), []).append(follows(attention, some))
                pairs.setdefault((kind, way), []).append(some)
    found = {}
    for kind in RELATIONS:
        both = {
            way: labelled.chosen_on_half(hits[kind, way], pairs[kind, way])
            for way in ("to its head", "from its head")
        }
        way = max(both, key=lambda way: np.concatenate(hits[kind, way][::2], -1).mean(-1).max())
        offset = max(both.values(), key=lambda half: half.offset_right.mean())
        found[kind] = {
            "way": way,
            "layer": both[way].best[0] + 1,
            "head": both[way].best[1] + 1,
            "right": round(100 * float(both[way].head_right.mean()), 2),
            "offset": round(100 * float(offset.offset_right.mean()), 2),
            "pairs": len(offset.offset_right),
        }
    return found


def semcor(folder):
    """Return the SemCor samples as (sentences, occurrences).

    A sentence is a list of words; an occurrence is (sentence, word, lemma and tag, sense).
    """
    sentences, marked = [], []
    for path in sorted((folder / "semcor_naf").glob("*.naf")):
        root, where = ET.parse(path).getroot(), {}
        for wf in root.iter("wf"):
            if not sentences or where.get("sent") != wf.get("sent"):
                sentences.append([])
                where["sent"] = wf.get("sent")
            where[wf.get("id")] = (len(sentences) - 1, len(sentences[-1]))
            sentences[-1].append(wf.text)
        where.pop("sent", None)
        for term in root.iter("term"):
            senses = [
                ref.get("reference")
                for ref in term.iter("externalRef")
                if ref.get("reftype") == "lexical_key"
            ]
            targets = [target.get("id") for target in term.iter("target")]
            if senses and len(targets) == 1:
                marked.append((*where[targets[0]], f"{term.get('lemma')} {term.get('pos')[:1]}", senses[0]))
    return sentences, marked


def senses(name, seed, quick, files):
    """Return the accuracy of nearest neighbours in SemCor, and of a threshold on the cosine in WiC-TSV."""
    one = subject(name, seed)
    sentences, marked = semcor(files["wsd"])
    vectors = {
        number: models.word_vectors(models.look_at_words(one, words))
        for number, words in enumerate(sentences)
        if labelled.fits(one, words)
    }
    kept = [m for m in marked if m[0] in vectors]
    counts = {word: len({sense for *_, w, sense in kept if w == word}) for word in {m[2] for m in kept}}
    kept = [m for m in kept if counts[m[2]] > 1]  # only words with several senses in the samples
    x = np.stack([vectors[s][:, w] for s, w, *_ in kept], axis=1)
    words, right = (np.unique([m[i] for m in kept], return_inverse=True)[1] for i in (2, 3))
    found = nearest_sense(x[1:], words, right)
    asked = found != UNKNOWN
    leave_out = [
        frequent_senses(np.delete(words, i), np.delete(right, i)).get(words[i], UNKNOWN)
        for i in range(len(words))
    ]
    cut, _ = best_threshold(*wic(one, files["wsd"], "train", 40 if quick else EVERY))
    cosines, labels = wic(one, files["wsd"], "dev", 40 if quick else 1)
    return {
        "semcor": round(100 * float((found == right)[asked].mean()), 2),
        "semcor, frequent": round(100 * float((np.array(leave_out) == right)[asked].mean()), 2),
        "semcor, gain": ((found == right).astype(int) - (np.array(leave_out) == right))[asked].tolist(),
        "wic": round(100 * float(((cosines > cut) == labels).mean()), 2),
        "wic, always yes": round(100 * float(labels.mean()), 2),
    }


def read_wic(folder, part):
    """Return ([(words, index, word and definition)], labels) for a part of WiC-TSV."""
    lines = {
        kind: (folder / "wic_tsv" / f"{part}_{kind}.txt").read_text(encoding="utf-8").splitlines()
        for kind in ("examples", "definitions", "labels")
    }
    cells = [line.split("\t") for line in lines["examples"]]
    return (
        [
            (words.split(), int(place), [word, ":", *definition.split()])
            for (word, place, words), definition in zip(cells, lines["definitions"])
        ],
        np.array([label == "T" for label in lines["labels"]]),
    )


def wic(one, folder, part, every):
    """Return the cosines between words in sentences and the same words before a definition, and labels."""
    (rows, labels), found = read_wic(folder, part), []
    for words, place, definition in rows[::every]:  # one in `every` examples
        a, b = (models.word_vectors(models.look_at_words(one, text))[-1] for text in (words, definition))
        own = b[0]
        found.append(a[place] @ own / np.linalg.norm(a[place]) / np.linalg.norm(own))
    return np.array(found), labels[::every]


def settings(what, quick, files):
    constants = {
        "fixed": [dataclasses.asdict(fixed.SMALL), {k: list(v) for k, v in fixed.WAYS.items()}],
        "pruning": [KEPT, STEP],
        "alone": [ALONE],
        "tuning": [TUNED, BATCHES],
        "probes": [TREES, treebank.LONGEST, treebank.TRAINED, treebank.RANK, treebank.STEPS, *treebank.ROLES],
        "relations": [TREES, treebank.LONGEST, list(RELATIONS)],
        "senses": [EVERY],
    }[what["run"]]
    shape = models.ENGLISH if what["name"] == models.RANDOM else what["name"]
    return {
        "language": fingerprint_once(),
        "weights": "" if what["run"] == "fixed" else weights_of(shape),
        "constants": constants,
        "quick": quick,
        "version": VERSION,
        "files": [digest(files[name]) for name in NEEDS.get(what["run"], ()) if name in files],
    }


@functools.cache
def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else path.name


def run(what, quick, files):
    torch.set_num_threads(1)
    begin = time.process_time()
    if what["run"] == "fixed":
        recipe = dataclasses.replace(fixed.SMALL, steps=4, documents=1500) if quick else fixed.SMALL
        found = fixed.fixed_run(what["name"], what["seed"], recipe, *((2, 4),) if quick else ())
    else:
        made = {
            "pruning": pruning,
            "alone": alone,
            "tuning": tuning,
            "probes": probes,
            "relations": relations,
            "senses": senses,
        }
        found = made[what["run"]](what["name"], what["seed"], quick, files)
    return {
        "of": what,
        "settings": settings(what, quick, files),
        "found": found,
        "seconds": round(time.process_time() - begin, 1),
    }


def plan(experiment, seed):
    for name in fixed.WAYS if experiment == "fixed" else models.NAMES:
        if experiment != "senses" or name == models.RANDOM or seed == 1:
            yield {"run": experiment, "name": name, "seed": seed}


class Lines(runs.Lines):
    """The result lines of this benchmark. quick: of runs with only a few steps."""

    def __init__(self, path, pool, quick, so_far, files):
        super().__init__(
            path,
            functools.partial(run, quick=quick, files=files),
            functools.partial(settings, quick=quick, files=files),
            pool,
            so_far,
        )


def collected(lines):
    """Return the contents of inside.json: {experiment: {name: results by seed}} and how it was made."""
    tables = {}
    for line in lines:
        what = line["of"]
        rows = tables.setdefault(what["run"], {})
        rows.setdefault(what["name"], []).append({"seed": what["seed"], **line["found"]})
    weights = {
        name: sorted({line["settings"]["weights"] for line in lines if line["of"]["name"] == name})
        for name in models.NAMES[:2]
    }
    return {
        "language": fingerprint_once(),
        "weights": weights,
        "command": "python benchmarks/inside.py --data ../shared/data",
        "minutes": round(sum(line["seconds"] for line in lines) / 60, 1),
        **tables,
    }


def report(found):
    return runs.report(found, EXPERIMENTS, flat, spread, "; for lists, the mean of each number")


def flat(one):
    return {
        key: [value["right"], value["offset"]] if isinstance(value, dict) else value
        for key, value in one.items()
        if key != "seed"
    }


def spread(seeds, key):
    values = [one[key] for one in seeds if key in one]
    if not values:
        return ""
    if isinstance(values[0], list) and len(values[0]) > 20:
        return f"mean of {len(values[0])}: {np.mean(values):.3f}"
    if isinstance(values[0], list):
        return ", ".join(f"{mean:.3g}" for mean in np.mean(values, axis=0))
    if len(set(values)) == 1:
        return f"{values[0]:g}"
    return f"{np.mean(values):.2f} ({min(values):.2f} to {max(values):.2f})"


def main():
    parser = runs.options(__doc__)
    parser.add_argument("--seeds", type=int, default=3, help="number of seeds (default: %(default)s)")
    parser.add_argument("--experiments", nargs="+", choices=EXPERIMENTS, default=EXPERIMENTS)
    parser.add_argument(
        "--data",
        type=Path,
        help="folder with ud_ewt, ner and wsd (default: the texts that `minibert "
        "download ewt` and `minibert download wikigold` saved in the cache)",
    )
    a = parser.parse_args()
    files = files_of(a.data)
    chosen = [one for one in a.experiments if a.so_far or set(NEEDS.get(one, ())) <= set(files)]
    for one in set(a.experiments) - set(chosen):
        print(f"skipping {one}: {', '.join(name for name in NEEDS[one] if name not in files)} missing")
    pool = runs.processes(1 if a.so_far else a.processes)
    lines, found = Lines(BUILD / "runs.jsonl", pool, a.quick, a.so_far, files), []
    for seed in range(1, a.seeds + 1):
        for experiment in chosen:
            found += lines.of(plan(experiment, seed))
    result = collected(found)
    runs.finish("inside", result, report(result), a.out, a.so_far)


if __name__ == "__main__":
    main()
