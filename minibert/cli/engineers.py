"""The commands for engineers.

Commands import their dependencies only when they run, so that `--help` does not load PyTorch.
"""

import io
import sys
from collections.abc import Mapping, Sequence
from os.path import realpath
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .. import api
from ..readers.writing import check_file, check_folder
from ..spelling import did_you_mean
from .options import options_of

if TYPE_CHECKING:
    from ..finetuning.finetuned import Finetuned


@options_of(api.pretrain, required=["out"])
def pretrain(**options: Any) -> None:
    """Call `minibert.pretrain`, which saves the model in its folder.

    Example: `minibert pretrain --corpus book.txt --steps 2000 --out my-bert`
    """
    api.pretrain(**options)


@options_of(api.finetune, "task", required=["train"])
def finetune(**options: Any) -> None:
    """Call `minibert.finetune`, and save the result in a folder.

    Example: `minibert finetune ner --train train.conll --dev dev.conll --model my-bert`
    """
    if options["out"] is None:
        options["out"] = f"finetuned-{options['task']}"
    api.finetune(**options)


@options_of(api.evaluate, "data")
def evaluate(**options: Any) -> None:
    """Call `minibert.evaluate`, and print its report.

    Example: `minibert evaluate dev.conll --model finetuned-ner --out report`
    """
    from ..readers.wording import plural
    from ..training.device import choose_device
    from ..training.distributed import join

    team = join(choose_device(options["device"]))
    report = api.evaluate(**options)
    if not team.first:
        return
    print(f"{plural(report.count, 'example')}: {report.line}")
    model, data, out = options["model"], options["data"], options["out"]
    if options["fit_threshold"]:
        threshold = api.as_finetuned(model, "cpu").task.settings["threshold"]
        print(f"Threshold {threshold:.3f}, saved in {model}")
    if out and report.tables:
        from ..course.widgets.error_analysis import errors_figure
        from ..course.widgets.view import figure_html
        from ..readers.writing import write_text

        title = f"Errors of {Path(model).name} on {Path(data).name}"
        drawn = figure_html(*errors_figure(report.tables, title)).replace("currentColor", "#777")
        write_text(Path(out) / "analysis.svg", drawn)
        print(f"\n{report.markdown}")
    if out:
        print(f"Files: {out}")


def predict(
    task: str | None = None,
    /,
    text: str | None = None,
    *,
    model: str | None = None,
    context: str | None = None,
    question: str | None = None,
    text_pair: str | None = None,
    file: Path | None = None,
    columns: Sequence[str] | None = None,
    out: Path | None = None,
    nbest: Path | None = None,
    null_odds: Path | None = None,
    html: Path | None = None,
    probabilities: bool = False,
    device: str | None = None,
) -> None:
    """Apply a fine-tuned model to a question, a text or a file, or interactively to what you type.

    Example: `minibert predict qa --question "Who wrote Emma?" --context "Jane Austen wrote Emma in 1815."`

    In Python: minibert.predict(model, text), minibert.load(model).predict_file(file, out), and for fill
    minibert.fill_mask(text).

    Args:
        task: task that the model was fine-tuned for, such as qa, ner or sentiment (default: the model's own),
            or fill, to show the most probable words for each [MASK] in the text
        text: text for tagging (ner, chunk, pos) and sentence tasks, with or without --text
        model: folder written by `finetune`, or by transformers for a classifier, tagger or question answering
            model (default: finetuned-TASK; if there is none, the English model for qa, ner, sentiment and
            fill)
        context: passage for question answering; if you give no question, you are asked for questions
        question: question for question answering; needs a context
        text_pair: second text, for tasks that compare two texts
        file: file of any size, in the format of the task; it needs no labels
        columns: names of the columns of --file, if it is a table or JSON lines, such as text=review (default:
            those of the training data, or else the standard names)
        out: file for the answers to --file (default: standard output)
        nbest: file for lists of the best answers (only for question answering with --file)
        null_odds: file for the log odds of "no answer" (only for question answering with --file)
        html: web page to write, with the entities marked (only for tagging)
        probabilities: also give the probability of each label, of the best answers, or of each entity found;
            for --file, as lines of JSON
        device: cpu, cuda, one of several GPUs such as cuda:1, or mps (default: the best one available)
    """
    given = {name: value for name, value in dict(locals()).items() if value is not None}
    for path in (out, nbest, null_odds, html):
        if path is not None:
            check_file(path)
    if task is None and model is None:
        raise ValueError("no task given; give a task, such as qa, or a model with --model")
    if task == "fill":
        fill(model or api.ENGLISH, text, file)
        return
    from ..finetuning import console
    from ..readers.wording import plural
    from ..training.device import choose_device
    from ..training.distributed import join

    task = "sst2" if task == "sentiment" else task
    folder = model or model_for(str(task))
    team = join(choose_device(device))
    tuned = api.as_finetuned(folder, device)
    check_inputs(task, folder, tuned, given)
    if team.size > 1 and (html or not (file and out)):
        raise ValueError(
            f"{team.size} processes can only share the work on a file: give --file and --out, and no --html"
        )
    if html:
        count = (
            console.page_of_file(tuned, file, html) if file else console.page_of_text(tuned, f"{text}", html)
        )
        print(f"{plural(count, 'sentence')}: {html}", file=sys.stderr)
    if file and (out or not html):
        count = tuned.predict_file(
            file, out, nbest=nbest, null_odds=null_odds, columns=columns, probabilities=probabilities
        )
        if team.first:
            print(f"{plural(count, 'answer')}: {out or 'standard output'}", file=sys.stderr)
    elif not (file or html):
        answer_in_terminal(tuned, given)


def fill(model: str, text: str | None, file: Path | None) -> None:
    """Print the most probable words for each [MASK] in a text."""
    from ..finetuning.finetuned import Finetuned

    if text is None or file:
        raise ValueError('fill needs a text: give --text "a sentence with [MASK]"')
    found = api.load(model)
    if isinstance(found, Finetuned):
        raise ValueError(f"{model} was fine-tuned for {found.name}, so it cannot predict masked tokens")
    for number, words in enumerate(found.fill_mask(text)):
        print(*[""] * (number > 0), *[f"{share:4.0%}  {word}" for word, share in words], sep="\n")


def model_for(task: str) -> Path | str:
    """Return the folder that `finetune` wrote for a task, or else the name of the English model, if any."""
    from ..english.model import TASKS

    folder = Path(f"finetuned-{task}")
    english = f"english-{'sentiment' if task == 'sst2' else task}"
    return english if english in TASKS and not folder.exists() else folder


def answer_in_terminal(tuned: "Finetuned", given: Mapping[str, Any]) -> None:
    """Print the answer to the question or text in the options `given`; without one, answer interactively."""
    from ..finetuning import console

    inputs = {name: given.get(name) for name in tuned.task.input_names}
    inputs |= {name: given[name] for name in tuned.task.optional_names if name in given}
    probabilities = given["probabilities"]
    if None not in inputs.values() and probabilities:
        shares: Any = tuned.predict(**inputs, probabilities=True)  # one dictionary for one input
        print(tuned.task.show_probabilities(shares))
    elif None not in inputs.values():
        print(tuned.task.show(*tuned.ask(**inputs), console.style_for(tuned.task, sys.stdout)))
    else:
        if isinstance(sys.stdin, io.TextIOWrapper):  # a byte that is not UTF-8 affects only its line
            sys.stdin.reconfigure(encoding="utf-8", errors="surrogateescape")
        prompts = sys.stderr if sys.stdin.isatty() else None
        try:
            console.converse(tuned, iter(sys.stdin), sys.stdout, prompts, given.get("context"), probabilities)
        except KeyboardInterrupt:  # Ctrl-C is a normal way to end the session
            print(file=sys.stderr)


def check_inputs(task: str | None, folder: Path | str, tuned: "Finetuned", given: Mapping[str, Any]) -> None:
    """Raise ValueError if options of `predict`, in `given`, do not fit the task or each other."""
    if task not in (None, tuned.name):
        raise ValueError(f"{folder} was fine-tuned for {tuned.name}, not for {task}")
    inputs = tuned.task.input_names
    partners = {
        "question": "context",
        "html": "text",
        "columns": "file",
        "nbest": "file",
        "null_odds": "file",
        "text_pair": "text",
        **({"text": "text_pair"} if "text_pair" in inputs else {}),
    }
    named = given.keys() & {"context", "text", *partners}
    files = {"columns", *tuned.task.files, *(["html"] if tuned.task.types else [])}
    alone = "file" not in given and any(
        name in given and partner not in given for name, partner in partners.items()
    )
    if (
        named - {*inputs, *tuned.task.optional_names, *files}
        or alone
        or not (tuned.task.prompt or "file" in given or named & {*inputs})
    ):
        names = " and ".join(f"--{name.replace('_', '-')}" for name in sorted(inputs))
        needed = f"{names}, or --file" if names else "--file"
        raise ValueError(f"{folder} was fine-tuned for {tuned.name}: give {needed}")
    if "file" in given and named & {"context", "question", "text", "text_pair"}:
        raise ValueError("--file already has its own texts: give only --file, or only the other inputs")
    if given["probabilities"] and "html" in given and "out" not in given:
        raise ValueError("--html shows no probabilities: write them to another file with --file and --out")
    if "out" in given and "file" not in given:
        raise ValueError(f"--out {given['out']} needs --file; answers to other inputs are printed")
    paths = ("file", "out", "nbest", "null_odds", "html")
    places = [realpath(given[name]) for name in paths if name in given]
    if len(set(places)) < len(places):
        raise ValueError("--file, --out, --nbest, --null-odds and --html must be different files")


@options_of(api.export, "model")
def export(**options: Any) -> None:
    """Call `minibert.export`.

    Example: `minibert export finetuned-ner --to onnx --int8`
    """
    api.export(**options)


def explore(*, html: Path, model: str = api.TOUR) -> None:
    """Write a stand-alone page that shows every number inside a BERT for a sentence that you type.

    Example: `minibert explore --html bert.html --model english`

    In Python: minibert.course.widgets.explorer.page.write_page(minibert.load(model), path).

    Args:
        html: file of the page to write
        model: folder of a pretrained model, or a name as in minibert.load
    """
    from ..course.widgets.explorer.page import write_page

    check_file(html)
    size = write_page(api.as_pretrained(model), html)
    print(f"{html}: {size / 1e6:.1f} MB")


@options_of(api.world)
def world(**options: Any) -> None:
    """Call `minibert.world`, and print the texts that it returns or the paths of its files.

    Example: `minibert world --documents 200 --kind text ner --out data`
    """
    if options["out"] is not None or options["kind"] not in (None, ["text"]):
        print(*api.world(**options), sep="\n")
        return
    from ..generated import World  # prints one document at a time, because there may be very many

    seed = options["seed"]
    for number, document in enumerate(
        World(seed).documents(options["documents"], seed=seed, split=options["split"])
    ):
        print("\n" * (number > 0) + document.text)


def download(name: str | None = None, /, *, folder: str | Path | None = None) -> None:
    """Download a public data set or a model into the user's cache, and verify its checksum if it is known.

    Example: `minibert download squad --folder data`

    In Python: minibert.readers.download.download(name, folder) for a data set. minibert.load downloads models
    by itself.

    Args:
        name: data set, such as squad, sst2, swag, wikigold or ewt, or model: english, bert-base, or the name
            of any other model on Hugging Face's hub, owner/model (default: list the names)
        folder: folder for the files, or for a copy of a model from the hub
    """
    from ..english.published import ABOUT, encoder_folder
    from ..model.checkpoints import files
    from ..readers import download

    place = None if folder is None else check_folder(folder)
    if name == api.ENGLISH:
        print(encoder_folder(place))
    elif name and (name in files.NAMED or "/" in name):
        print(files.copy_model(files.hub_folder(name), place))
    elif name in download.SETS:
        print(*download.download(name, place), sep="\n")
    elif name:
        raise ValueError(
            f"{name!r} is neither a data set ({', '.join(download.SETS)}) nor a model ({api.ENGLISH}, "
            f"{', '.join(files.NAMED)}, or OWNER/MODEL on Hugging Face's hub)"
            f"{did_you_mean(name, [*download.SETS, api.ENGLISH, *files.NAMED])}"
        )
    else:
        print(*map(download.describe, download.SETS), ABOUT, files.ABOUT, sep="\n")


def bench(*, full: bool = False, out: str | Path | None = None) -> None:
    """Measure in two minutes how fast this package trains on this machine, compared with other BERTs.

    Example: `minibert bench --out speed`

    In Python: minibert.bench.bench(full, out).

    Args:
        full: measure all tables, including BERT-base and a GPU if there is one; takes about 25 minutes
        out: folder for speed.json and speed.md (default: only print the table)
    """
    from .. import bench

    bench.bench(full, None if out is None else check_folder(out))


COMMANDS = (pretrain, finetune, evaluate, predict, export, explore, world, download, bench)
