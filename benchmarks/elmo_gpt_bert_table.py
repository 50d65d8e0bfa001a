"""The results of `elmo_gpt_bert.py`: the contents of its JSON file, and its tables as Markdown."""

import numpy as np
from transfer import TASKS, spread_of

TUNING, COST = ("labelled", "test", "steps"), ("tokens", "questions", "seconds")
NAMES = {"try recipe": "recipes tried", "try rate": "rates tried", "pretrain": "pretrained", "tune": "tuned"}


def collected(lines, **said):
    """Return the contents of elmo_gpt_bert.json; settings that all runs share are stored only once."""
    (best,) = (line for line in lines if line["of"]["run"] == "limits")
    found = {**said, "limits": best["limits"], "hidden": best["hidden"]}
    for kind, name in NAMES.items():
        found[name] = [
            {key: value for key, value in (line["of"] | line).items() if key not in ("of", "run", "settings")}
            for line in lines
            if line["of"]["run"] == kind
        ]
    return found


def row(name, cells):
    return f"| {name} | {' | '.join(map(str, cells))} |"


def head(*names):
    return [row(names[0], names[1:]), row("---", ["---"] * (len(names) - 1))]


def of(runs, **fields):
    return [run for run in runs if fields.items() <= run.items()]


def values(runs, key):
    return list(dict.fromkeys(run[key] for run in runs))


def masked_table(found):
    """Return the table of accuracies by kind of masked word, and of costs, by model and length."""
    kinds = [kind for kind in found["hidden"] if kind not in ("both", "nothing")]
    lines = head("model", "steps", *kinds, "tokens read", "predictions", "seconds", "seeds")
    for model in values(found["pretrained"], "model"):
        for steps in sorted(values(of(found["pretrained"], model=model), "steps")):
            runs = of(found["pretrained"], steps=steps, model=model)
            cost = [f"{np.mean([run[key] for run in runs]):,.0f}" for key in COST]
            scores = [spread_of([run["scores"][kind] for run in runs]) for kind in kinds]
            lines.append(row(model, [f"{steps:,}", *scores, *cost, len(runs)]))
    lines += [
        row(f"best, {side}", ["", *(f"{scores[kind]:.1f}" for kind in kinds), *[""] * 4])
        for side, scores in found["limits"].items()
    ]
    return [*lines, row("masked words", ["", *(found["hidden"][kind] for kind in kinds), *[""] * 4]), ""]


def tuned_table(found):
    lines = head("fine-tuned", "steps", *(f"{task}, {TASKS[task][1]}" for task in found["tuning"]), "seeds")
    for model in values(found["tuned"], "model"):
        for steps in sorted(values(of(found["tuned"], model=model), "steps")):
            runs = of(found["tuned"], model=model, steps=steps)
            scores = [[run["score"] for run in of(runs, task=task)] for task in found["tuning"]]
            lines.append(
                row(
                    model,
                    [
                        "" if model == "from scratch" else f"{steps:,}",
                        *(spread_of(score) if score else "" for score in scores),
                        len(values(runs, "seed")),
                    ],
                )
            )
    return [*lines, ""]


def recipe_table(found):
    """Return the table of all trials of recipes, with their results on the dev set."""
    kinds = ("all", "elsewhere", "loss")
    scores = [f"dev, {kind}" for kind in kinds]
    lines = head("tried", "learning rate", "masking rate", "steps", "seed", *scores)
    for run in found["recipes tried"]:
        recipe = [run["recipe"]["peak_rate"], run["recipe"].get("mask_rate", "")]
        scores = [run["dev"][kind] for kind in kinds]
        lines.append(row(run["model"], [*recipe, run["steps"], run["seed"], *scores]))
    return [*lines, ""]


def rate_table(found):
    """Return the table of mean dev scores by kind of model and learning rate."""
    rates = values(found["rates tried"], "rate")
    lines = head("fine-tuned, dev", *rates)
    for model in values(found["rates tried"], "model"):
        runs = of(found["rates tried"], model=model)
        scores = [[run["score"] for run in of(runs, rate=rate)] for rate in rates]
        lines.append(row(model, [f"{np.mean(score):.1f}" if score else "" for score in scores]))
    return [*lines, ""]


def report(found):
    shared = found["shared"]
    sizes = "; ".join(
        f"{task}: {size['labelled']} labelled, {size['test']} test examples, {size['steps']} steps of "
        f"{found['tuning_batch']} sequences"
        for task, size in found["tuning"].items()
    )
    return "\n".join(
        [
            *masked_table(found),
            *tuned_table(found),
            (
                "Masked words predicted correctly, in percent, by the information needed; then "
                "scores after fine-tuning. Mean"
            ),
            (
                "± standard deviation over seeds. Each row is a separate training. "
                f"{shared['layers']} layers of {shared['hidden_size']},"
            ),
            (
                f"{shared['batch_size']} sequences of up to {shared['length']} tokens per step. "
                "Predictions: predicted tokens. Seconds: pretraining with one thread;"
            ),
            "they depend on the machine's other load. Frozen: a BiLSTM on a weighted sum of the layers.",
            "",
            f"{sizes}.",
            "",
            f"Language: {found['language']}.",
            "",
            "Trials on dev sets:",
            "",
            *recipe_table(found),
            *rate_table(found),
        ]
    )
