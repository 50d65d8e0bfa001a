"""The results of `elmo_gpt_bert.py`: the contents of its .json file, and its tables as Markdown."""
import numpy as np
from transfer import TASKS, spread_of

TUNING = ("labelled", "test", "steps")


def collected(lines, limits, **said):
    """Return the contents of elmo_gpt_bert.json: each run without its settings, which are there once.

    limits: as of `minibert.elmo_gpt_bert.limits`.
    """
    runs = [line["of"] | {key: value for key, value in line.items() if key not in ("of", "settings")}
            for line in lines]
    best = {side: {kind: round(100 * score.accuracy, 2) for kind, score in scores.items()}
            for side, scores in limits.items()}
    return {**said, "limits": best, "hidden": {kind: score.count for kind, score in limits["both"].items()},
            "pretrained": [run for run in runs if "task" not in run],
            "tuned": [run for run in runs if "task" in run]}


def row(name, cells):
    return f"| {name} | {' | '.join(cells)} |"


def head(*names):
    return [row(names[0], names[1:]), row("---", ["---"] * (len(names) - 1))]


def of(runs, **fields):
    """Return the runs that have these values."""
    return [run for run in runs if fields.items() <= run.items()]


def masked_table(found, steps):
    """Return a row for each model: accuracy by kind, tokens read, tokens predicted, and seconds."""
    kinds = [kind for kind in found["hidden"] if kind not in ("both", "nothing")]
    lines = head(f"{steps} steps", *kinds, "tokens read", "questions", "seconds", "seeds")
    for model in dict.fromkeys(run["model"] for run in of(found["pretrained"], steps=steps)):
        runs = of(found["pretrained"], steps=steps, model=model)
        budget = [f"{np.mean([run[key] for run in runs]):,.0f}" for key in ("tokens", "questions", "seconds")]
        for name in runs[0]["scores"]:
            scores = [spread_of([run["scores"][name][kind] for run in runs]) for kind in kinds]
            lines.append(row(name, [*scores, *budget, str(len(runs))]))
    lines += [row(f"best, {side}", [*(f"{scores[kind]:.1f}" for kind in kinds), "", "", "", ""])
              for side, scores in found["limits"].items()]
    return [*lines, row("masked words", [*(str(found["hidden"][kind]) for kind in kinds), "", "", "", ""]),
            ""]


def tuned_table(found, steps):
    """Return a row for each model and approach: its scores on each task."""
    tasks = found["tuning"]
    lines = head(f"after {steps} steps", *(f"{task}, {TASKS[task][1]}" for task in tasks), "seeds")
    for model, way in dict.fromkeys((run["model"], run["way"]) for run in of(found["tuned"], steps=steps)):
        scores = [[run["score"] for run in of(found["tuned"], steps=steps, model=model, way=way, task=task)]
                  for task in tasks]
        seeds = sorted({len(values) for values in scores if values})
        name = model if way == "full" else f"{model}, frozen, BiLSTM on all layers"
        lines.append(row(name, [*(spread_of(values) if values else "" for values in scores),
                                " to ".join(map(str, seeds))]))
    return [*lines, ""]


def report(found):
    """Return the text of elmo_gpt_bert.md."""
    lines, budget = [], found["budget"]
    for steps in dict.fromkeys(run["steps"] for run in found["pretrained"]):
        lines += masked_table(found, steps)
        lines += tuned_table(found, steps) if of(found["tuned"], steps=steps) else []
    sizes = "; ".join(
        f"{task}: {size['labelled']} labelled, {size['test']} test examples, {size['steps']} steps of "
        f"{found['tuning_batch']} sequences" for task, size in found["tuning"].items())
    return "\n".join([*lines, "Masked words predicted right, in percent, by what a word needs; then scores "
                              "after fine-tuning. Mean ± standard deviation",
                      f"over seeds. {budget['layers']} layers of {budget['hidden_size']}, "
                      f"{budget['batch_size']} sequences of up to {budget['length']} tokens a step.",
                      "Questions: predicted tokens. Seconds: of the processor in pretraining, one thread.",
                      "", f"{sizes}.", ""])
