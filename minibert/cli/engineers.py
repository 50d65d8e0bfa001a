"""The commands of engineers. Those with a function in `api` have its options, its defaults and its help.

A command imports what it needs when it runs: `--help` loads no PyTorch.
"""

import io
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .. import api
from ..readers.writing import check_file, check_folder
from .options import options_of

if TYPE_CHECKING:
    from ..finetuning.finetuned import Finetuned


@options_of(api.pretrain, required=["out"])
def pretrain(**options: Any) -> None:
    """Call `minibert.pretrain`, whose model stays in its folder."""
    api.pretrain(**options)


@options_of(api.finetune, "task", required=["train", "dev"])
def finetune(**options: Any) -> None:
    """Call `minibert.finetune`, with a folder for the result."""
    if options["out"] is None:
        options["out"] = f"finetuned-{options['task']}"
    api.finetune(**options)


@options_of(api.evaluate, "data")
def evaluate(**options: Any) -> None:
    """Call `minibert.evaluate`, and print what it found."""
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
        print(f"Threshold {threshold:.3f}, kept in {model}")
    if out and report.tables:
        from ..course.widgets.error_analysis import errors_figure
        from ..course.widgets.view import figure_html
        from ..readers.writing import write_text

        title = f"Where {Path(model).name} errs on {Path(data).name}"
        drawn = figure_html(*errors_figure(report.tables, title)).replace("currentColor", "#777")
        write_text(Path(out) / "analysis.svg", drawn)
        print(f"\n{report.markdown}")
    if out:
        print(f"Files: {out}")


def predict(
    task: str | None = None,
    /,
    *,
    model: str | None = None,
    context: str | None = None,
    question: str | None = None,
    text: str | None = None,
    text_pair: str | None = None,
    file: Path | None = None,
    out: Path | None = None,
    nbest: Path | None = None,
    null_odds: Path | None = None,
    html: Path | None = None,
    device: str | None = None,
) -> None:
    """Answer with a fine-tuned model: a question, a text, a file, or what you type.

    In Python: minibert.predict(model, text), minibert.load(model).predict_file(file, out), and for fill
    minibert.fill_mask(text).

    Args:
        task: qa, ner, sentiment or another task that the model was fine-tuned for (default: the model knows);
            fill: the likeliest words for each [MASK] of the text
        model: folder that `finetune` wrote (default: finetuned-TASK, or if there is none, the English model,
            for qa, ner, sentiment and fill)
        context: question answering: the passage; without a question, you are asked for questions
        question: question answering, with a context: the question
        text: tagging (ner, chunk, pos) and sentence tasks: a text
        text_pair: tasks that compare two texts: the second one
        file: any task: a file of its form, of any size; it needs no labels
        out: where the answers to a file go (default: standard output)
        nbest: question answering, with a file: lists of the best answers
        null_odds: question answering, with a file: how likely no answer is
        html: tagging, with a text or a file: a page with what was found marked
        device: cpu, cuda, one of several GPUs such as cuda:1, or mps (default: the best one present)
    """
    given = {name: value for name, value in dict(locals()).items() if value is not None}
    for path in (out, nbest, null_odds, html):
        if path is not None:
            check_file(path)
    if task is None and model is None:
        raise ValueError("give the task, such as qa, or --model")
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
            f"{team.size} processes share the answers to a file: give --file and --out, and no --html"
        )
    if html:
        count = (
            console.page_of_file(tuned, file, html) if file else console.page_of_text(tuned, f"{text}", html)
        )
        print(f"{plural(count, 'sentence')}: {html}", file=sys.stderr)
    if file and (out or not html):
        count = tuned.predict_file(file, out, nbest=nbest, null_odds=null_odds)
        if team.first:
            print(f"{plural(count, 'answer')}: {out or 'standard output'}", file=sys.stderr)
    elif not (file or html):
        answer_in_terminal(tuned, given)


def fill(model: str, text: str | None, file: Path | None) -> None:
    """Print the likeliest words for each [MASK] of a text."""
    from ..finetuning.finetuned import Finetuned

    if text is None or file:
        raise ValueError('fill: give --text "a sentence with [MASK]"')
    found = api.load(model)
    if isinstance(found, Finetuned):
        raise ValueError(f"{model} was fine-tuned for {found.name}: it fills no [MASK]")
    for number, words in enumerate(found.fill_mask(text)):
        print(*[""] * (number > 0), *[f"{share:4.0%}  {word}" for word, share in words], sep="\n")


def model_for(task: str) -> Path | str:
    """Return the model of a task: the folder that `finetune` left here, or else the English model."""
    from ..english.model import TASKS

    folder = Path(f"finetuned-{task}")
    english = f"english-{'sentiment' if task == 'sst2' else task}"
    return english if english in TASKS and not folder.exists() else folder


def answer_in_terminal(tuned: "Finetuned", given: Mapping[str, Any]) -> None:
    """Print the answer to the question or the text of the options; without either, to what is typed."""
    from ..finetuning import console

    inputs = {name: given.get(name) for name in tuned.task.input_names}
    if None not in inputs.values():
        print(tuned.task.show(*tuned.ask(**inputs), console.style_for(tuned.task, sys.stdout)))
    else:
        if isinstance(sys.stdin, io.TextIOWrapper):  # a byte that is not UTF-8 spoils only its line
            sys.stdin.reconfigure(encoding="utf-8", errors="surrogateescape")
        prompts = sys.stderr if sys.stdin.isatty() else None
        try:
            console.converse(tuned, iter(sys.stdin), sys.stdout, prompts, given.get("context"))
        except KeyboardInterrupt:  # a usual end of a talk
            print(file=sys.stderr)


def check_inputs(task: str | None, folder: Path | str, tuned: "Finetuned", given: Mapping[str, Any]) -> None:
    """Raise ValueError for options of `predict` that do not go with the task, or with one another."""
    if task not in (None, tuned.name):
        raise ValueError(f"{folder} was fine-tuned for {tuned.name}, not for {task}")
    inputs = tuned.task.input_names
    partners = {
        "question": "context",
        "html": "text",
        "nbest": "file",
        "null_odds": "file",
        "text_pair": "text",
        **({"text": "text_pair"} if "text_pair" in inputs else {}),
    }
    named = given.keys() & {"context", "text", *partners}
    files = {*tuned.task.files, *(["html"] if tuned.task.types else [])}
    alone = "file" not in given and any(
        name in given and partner not in given for name, partner in partners.items()
    )
    if named - {*inputs, *files} or alone or not (tuned.task.prompt or "file" in given or named & {*inputs}):
        names = " and ".join(f"--{name.replace('_', '-')}" for name in sorted(inputs))
        needed = f"{names}, or --file" if names else "--file"
        raise ValueError(f"{folder} was fine-tuned for {tuned.name}: give {needed}")
    if "file" in given and named & {"context", "question", "text", "text_pair"}:
        raise ValueError("--file has its own texts: give it, or --context and --question, or --text")
    if "out" in given and "file" not in given:
        raise ValueError(f"--out {given['out']} is for the answers to --file; others are printed")
    paths = ("file", "out", "nbest", "null_odds", "html")
    places = [given[name].resolve() for name in paths if name in given]
    if len(set(places)) < len(places):
        raise ValueError("--file, --out, --nbest, --null-odds and --html: each needs a place of its own")


def explore(*, html: Path, model: str = api.TOUR) -> None:
    """Write a page with a BERT in it, which needs no network: type a sentence and look inside.

    In Python: minibert.course.widgets.explorer.page.write_page(minibert.load(model), path).

    Args:
        html: the page
        model: pretrained folder, or a name as in minibert.load
    """
    from ..course.widgets.explorer.page import write_page

    check_file(html)
    size = write_page(api.as_pretrained(model), html)
    print(f"{html}: {size / 1e6:.1f} MB")


@options_of(api.world)
def world(**options: Any) -> None:
    """Print the texts of `minibert.world`, or the paths of its files."""
    if options["out"] is not None or options["kind"] not in (None, ["text"]):
        print(*api.world(**options), sep="\n")
        return
    from ..generated import World  # one document at a time: there may be any number of them

    seed = options["seed"]
    for number, document in enumerate(
        World(seed).documents(options["documents"], seed=seed, split=options["split"])
    ):
        print("\n" * (number > 0) + document.text)


def download(name: str | None = None, /, *, folder: str | Path | None = None) -> None:
    """Download a public data set, or the English model, into this user's cache, against its checksum.

    In Python: minibert.readers.download.download(name, folder), and for english
    minibert.english.published.encoder_folder(folder).

    Args:
        name: such as squad, sst2, swag, wikigold, ewt, or english (default: list them all)
        folder: where the files go instead of the cache
    """
    from ..english.published import ABOUT, encoder_folder
    from ..readers import download

    place = None if folder is None else check_folder(folder)
    if name == "english":
        print(encoder_folder(place))
    elif name:
        print(*download.download(name, place), sep="\n")
    else:
        print(*map(download.describe, download.SETS), ABOUT, sep="\n")


def bench(*, full: bool = False, out: str | Path | None = None) -> None:
    """Measure how fast this machine trains, compared with others that do the same work, in two minutes.

    In Python: minibert.bench.bench(full, out).

    Args:
        full: all tables, BERT-base too, also on a GPU if there is one: about 25 minutes
        out: folder for speed.json and speed.md (default: print only)
    """
    from .. import bench

    bench.bench(full, None if out is None else check_folder(out))


COMMANDS = (pretrain, finetune, evaluate, predict, explore, world, download, bench)
