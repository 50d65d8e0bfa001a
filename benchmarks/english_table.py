"""Write english.md and english.json: the scores of the English model and its tasks.

    PYTHONPATH=. python benchmarks/english_table.py BUILD

BUILD is the folder in which `english.py`, `english_baselines.py` and `english_tasks.py` saved their scores.
Scores of earlier runs stay in english.json unless BUILD has new ones.
"""

import argparse
import json
from pathlib import Path

import numpy as np
import places
from english import fresh
from english_tasks import BATCH, KEPT, RATES, SETTINGS, all_tasks, kept_results
from transfer import finished

from minibert.english.everyday import everyday
from minibert.english.model import PRETRAINING, TASKS, WEIGHTS
from minibert.readers.writing import write_text

OUT = places.report("english")
KINDS = ("books", "wikipedia", "web")
MEASURES = {
    "one at a time": "With one masked token in each sequence of 126 tokens, the shipped model correctly "
    "predicts",
    "as BERT counts": "With 15% of the tokens masked in sequences of 126 (a tenth of them kept and a tenth "
    "replaced), as BERT's own code masks and counts, the shipped model correctly predicts",
}
METRICS = {"qa": "F1", "ner": "F1", "sentiment": "accuracy"}


def row(*cells):
    return "| " + " | ".join(str(cell) for cell in cells) + " |"


def rows(head, body):
    return [row(*head), "|" + " --- |" * len(head), *(row(*cells) for cells in body), ""]


def masked(scores):
    return [f"{scores[kind]['mlm']:.1f}" for kind in KINDS]


def gathered(build, kept):
    """Return the stored results of earlier runs, updated with the scores in BUILD."""
    found = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in sorted(build.glob("*.json"))}
    baselines = found.pop("baselines", kept["baselines"])
    found = {name: run if name == "mlm" else {"card": run["card"]} for name, run in found.items()}
    return {
        "runs": kept["runs"] | found,
        "curve": finished(build / "mlm.curve.jsonl") or kept["curve"],
        "baselines": baselines,
        "tasks": all_tasks(build),
    }


def runs_of(kept):
    """Return (name, card) of the shipped run, and then of the trials."""
    return sorted(
        ((name, run["card"]) for name, run in kept["runs"].items()), key=lambda item: item[0] != "mlm"
    )


def commands(kept):
    (_, ships), *trials = runs_of(kept)
    lines = [f"The shipped weights were made by {', then '.join(map(command, history(ships)))}.", ""]
    lines += [f"- {name}: {command(card)}, on {card.get('device', 'cpu')}" for name, card in trials]
    return [*lines, ""]


def command(card):
    return f"`{card['command']}` (commit {card['commit']})"


def pretraining(kept):
    body = [
        (
            "shipped" if name == "mlm" else name,
            *masked(card["scores"]),
            f"{card['scores']['all together']['nsp']:.1f}",
            f"{card['everyday']} of 40",
            f"{card['fresh']} of 60" if "fresh" in card else "",
            f"{spent(card, 'tokens') / 1e6:.1f}",
            f"{spent(card, 'hours'):.1f}",
        )
        for name, card in runs_of(kept)
    ]
    scores = kept["baselines"]
    body += [
        (name, *(f"{scores[kind][name]:.1f}" for kind in KINDS), "", "", "", "", "")
        for name in scores[KINDS[0]]
    ]
    head = ("", *KINDS, "next sentence", "everyday", "fresh", "million tokens read", "hours")
    return [
        "Masked tokens predicted correctly, in percent, on held-out books, articles and documents; 15% are "
        "masked, as whole words, in pairs of texts, half of which do not belong together. "
        "Everyday: the forty sentences below. The writers of part 3's plain sentences had not seen them, but "
        "the person who set their topics had. Fresh: sixty sentences by another writer, who chose topics and "
        "accepted words before part 3 was run (sentences in both sets, by chance: "
        f"{twice()}).",
        "",
        *rows(head, body),
    ]


def more_text(kept):
    (_, ships), *trials = runs_of(kept)
    name, most = max(trials, key=lambda run: run[1]["tokens"], default=("", ships))
    if most["tokens"] <= spent(ships, "tokens"):
        return []
    changes = [
        f"{most['scores'][kind]['mlm'] - ships['scores'][kind]['mlm']:+.1f} points in {kind}"
        for kind in KINDS
    ]
    times = most["tokens"] / spent(ships, "tokens")
    return [
        f"More text: {name} has read {times:.1f} times as much as the shipped model, and differs from it by "
        f"{', '.join(changes)}.",
        "",
    ]


def twice():
    return len({text for text, _ in fresh()} & {text for text, _ in everyday()})


def history(card):
    """Return the cards of a run and of the runs it continued, the first run first; empty without a card."""
    return [*history(card.get("before")), card] if card else []


def spent(card, what):
    """Return the tokens or hours of a run, including the runs it continued."""
    return sum(one[what] for one in history(card))


def other_measures(kept):
    card = dict(runs_of(kept))["mlm"]
    return [
        line
        for name, words in MEASURES.items()
        if name in card
        for line in (
            f"{words} {', '.join(f'{card[name][kind]:.1f}% in {kind}' for kind in KINDS)}.",
            "",
        )
    ]


def curve(kept):
    body = [
        (
            line["part"],
            line["step"],
            *masked(line["scores"]),
            f"{line['everyday']} of 40",
            f"{line['fresh']} of 60" if "fresh" in line else "",
        )
        for line in kept["curve"]
    ]
    chain = history(dict(runs_of(kept))["mlm"])
    again = (
        '; "again" and part 4 started from the packed weights of the previous run' if len(chain) > 1 else ""
    )
    averaged = "averaged and " if any(card.get("average", 1) < 1 for card in chain) else ""
    return [
        f"Progress of training, before the weights were {averaged}packed into a few bits per number. Part "
        "1 reads pairs as in the original BERT, part 2 fewer wrong pairs and also single sentences, part 3 "
        "also plain sentences of everyday life, and part 4 mostly sequences full of one text, with single "
        f"tokens masked instead of whole words{again}:",
        "",
        *rows(("part", "step", *KINDS, "everyday", "fresh"), body),
    ]


def tasks(kept):
    lines, body = kept["tasks"], []
    for task, metric in METRICS.items():
        path = WEIGHTS / TASKS[f"english-{task}"]
        size = f"{path.stat().st_size / 1e6:.2f}" if path.is_file() else ""
        some = [line for line in lines if line["task"] == task]
        for data in some[0]["scores"] if some else ():
            cells = [
                cell([line["scores"][data][metric] for line in some if line["way"] == way]) for way in RATES
            ]
            body.append((task, data, metric, *cells, size))
    epochs = ", ".join(f"{task} {one['epochs']}" for task, one in SETTINGS.items())
    rates = ", ".join(f"{way} {rate:g}" for way, rate in RATES.items())
    return [
        "Fine-tuning the published encoder, mean and standard deviation over seeds; the adapters of seed "
        f"0 are shipped. Batches of {BATCH}; epochs: {epochs}; peak learning rates: {rates}.",
        "",
        *rows(("task", "test", "score", *RATES, "MB of the adapters"), body),
    ]


def cell(scores):
    if not scores:
        return ""
    spread = f" ± {np.std(scores, ddof=1):.1f}" if len(scores) > 1 else ""
    return f"{np.mean(scores):.1f}{spread} ({len(scores)} seed{'s' * (len(scores) > 1)})"


def sentences(kept):
    fills = kept["runs"]["mlm"]["everyday"]
    return [
        "The forty everyday sentences, and the five most likely words for each; ✓: one of them was accepted "
        "beforehand.",
        "",
        *rows(
            ("", "sentence", "first five"),
            [("✓" if right else "", text, ", ".join(words)) for text, words, right in fills],
        ),
    ]


def page(kept):
    sizes = {path.name: path.stat().st_size / 1e6 for path in WEIGHTS.iterdir()}
    about = (
        "Made by `benchmarks/english_table.py` from the runs of `english.py`, `english_baselines.py` "
        "and `english_tasks.py`. Encoder: all-MiniLM-L6-v2, downloaded once. The weights trained on top of "
        f"it take {sum(sizes.values()):.1f} MB in all, {sizes[PRETRAINING]:.1f} MB of them for masked tokens "
        "and next sentences."
    )
    return "\n".join(
        [
            "# The English model",
            "",
            about,
            "",
            *commands(kept),
            *pretraining(kept),
            *more_text(kept),
            *other_measures(kept),
            *curve(kept),
            *tasks(kept),
            *sentences(kept),
        ]
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=Path, metavar="BUILD")
    kept = gathered(parser.parse_args().build, kept_results())
    write_text(KEPT, json.dumps(kept, indent=1, ensure_ascii=False) + "\n")
    write_text(OUT, page(kept))


if __name__ == "__main__":
    main()
