"""What each command does: one function for each, called with the parsed options; `cli` defines the options.

A function imports what it needs when it runs, so that `minibert --help` loads no PyTorch. Its docstring names
the Python call that does the same; the command's `--help` shows it.
"""

import io
import sys
from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..api import TOUR

if TYPE_CHECKING:
    from ..finetuning.finetuned import Finetuned

ROOT = Path(__file__).resolve().parents[2]  # the clone, where lessons and solutions are


def run_tour(a: Namespace) -> None:
    """minibert.course.tour.tour(out, TourConfig(seed=...))"""
    from ..course.tour import TourConfig, tour

    tour(a.out, TourConfig(seed=a.seed), ROOT, a.device)


def run_lab(a: Namespace) -> int:
    """subprocess.call([sys.executable, "-m", "jupyterlab", lesson])"""
    import subprocess

    from ..grading.notebook import is_in_class

    lessons = sorted((ROOT / "lessons").glob("*.ipynb"), key=lambda path: (is_in_class(path), path.stem))
    chosen = [
        path
        for path in lessons
        if a.unit is None or path.stem.startswith(a.unit.zfill(2)) or a.unit in path.stem
    ]
    if not chosen:
        raise ValueError(f"no lesson {a.unit!r}; there are {', '.join(path.stem for path in lessons)}")
    return subprocess.call([sys.executable, "-m", "jupyterlab", str(chosen[0])], cwd=ROOT)


def run_pretrain(a: Namespace) -> None:
    """minibert.pretrain(corpus, out, steps=1000, ...)"""
    from ..api import pretrain

    pretrain(**options(a))


def run_finetune(a: Namespace) -> None:
    """minibert.finetune(task, train, dev, model="my-bert", out="my-task", ...)"""
    from ..api import finetune

    given = options(a)
    finetune(**given | {"out": a.out or Path(f"finetuned-{a.task}"), "model": a.model or TOUR})


def options(a: Namespace) -> dict[str, Any]:
    """The options of a command as arguments of the Python call that does the same."""
    return {name: value for name, value in vars(a).items() if name not in ("run", "command")}


def run_evaluate(a: Namespace) -> None:
    """minibert.evaluate(model, data, out)"""
    from ..api import as_finetuned, evaluate
    from ..readers.wording import plural
    from ..training.device import choose_device
    from ..training.distributed import join

    team = join(choose_device(a.device))
    report = evaluate(a.model, a.data, a.out, fit_threshold=a.fit_threshold, device=a.device)
    if not team.first:
        return
    print(f"{plural(report.count, 'example')}: {report.line}")
    if a.fit_threshold:
        threshold = as_finetuned(a.model, "cpu").task.settings["threshold"]
        print(f"Threshold {threshold:.3f}, kept in {a.model}")
    if a.out and report.tables:
        from ..course.widgets.error_analysis import errors_figure
        from ..course.widgets.view import figure_html
        from ..readers.writing import write_text

        drawn = figure_html(*errors_figure(report.tables, f"Where {a.model.name} errs on {a.data.name}"))
        write_text(a.out / "analysis.svg", drawn.replace("currentColor", "#777"))
        print(f"\n{report.markdown}")
    if a.out:
        print(f"Files: {a.out}")


def run_predict(a: Namespace) -> None:
    """minibert.predict(model, text), minibert.load(model).predict_file(file, out),
    and for fill minibert.load("english").fill_mask(text)
    """
    from ..api import as_finetuned
    from ..finetuning import console
    from ..readers.wording import plural
    from ..training.device import choose_device
    from ..training.distributed import join

    if a.model is None and a.task is None:
        raise ValueError("give the task, such as qa, or --model")
    if a.task == "fill":
        fill(a)
        return
    if a.task == "sentiment":
        a.task = "sst2"
    folder = a.model or model_for(a.task)
    team = join(choose_device(a.device))
    tuned = as_finetuned(folder, a.device)
    check_inputs(a, folder, tuned)
    if team.size > 1 and (a.html or not (a.file and a.out)):
        raise ValueError(
            f"{team.size} processes share the answers to a file: give --file and --out, and no --html"
        )
    if a.html:
        page, source = (console.page_of_file, a.file) if a.file else (console.page_of_text, a.text)
        print(f"{plural(page(tuned, source, a.html), 'sentence')}: {a.html}", file=sys.stderr)
    if a.file and (a.out or not a.html):
        count = tuned.predict_file(a.file, a.out, nbest=a.nbest, null_odds=a.null_odds)
        if team.first:
            print(f"{plural(count, 'answer')}: {a.out or 'standard output'}", file=sys.stderr)
    elif not (a.file or a.html):
        answer_in_terminal(a, tuned)


def fill(a: Namespace) -> None:
    """Print the likeliest words for each [MASK] of --text."""
    from ..api import ENGLISH, load
    from ..finetuning.finetuned import Finetuned

    if a.text is None or a.file:
        raise ValueError('fill: give --text "a sentence with [MASK]"')
    model = load(a.model or ENGLISH)
    if isinstance(model, Finetuned):
        raise ValueError(f"{a.model} was fine-tuned for {model.name}: it fills no [MASK]")
    for number, words in enumerate(model.fill_mask(a.text)):
        print(*[""] * (number > 0), *[f"{share:4.0%}  {word}" for word, share in words], sep="\n")


def model_for(task: str) -> Path | str:
    """What answers for a task without --model: what `finetune` left here, or else the English model's."""
    from ..english.model import TASKS

    folder = Path(f"finetuned-{task}")
    english = f"english-{'sentiment' if task == 'sst2' else task}"
    return english if english in TASKS and not folder.exists() else folder


def answer_in_terminal(a: Namespace, tuned: "Finetuned") -> None:
    """Print the answer to the question or the text of the options; without either, to what is typed."""
    from ..finetuning import console

    given = {name: getattr(a, name) for name in tuned.task.input_names}
    if None not in given.values():
        print(tuned.task.show(*tuned.ask(**given), console.style_for(tuned.task, sys.stdout)))
    else:
        if isinstance(sys.stdin, io.TextIOWrapper):  # a byte that is not UTF-8 spoils only its line
            sys.stdin.reconfigure(encoding="utf-8", errors="surrogateescape")
        try:
            console.converse(
                tuned, iter(sys.stdin), sys.stdout, sys.stderr if sys.stdin.isatty() else None, a.context
            )
        except KeyboardInterrupt:  # a usual end of a talk
            print(file=sys.stderr)


def check_inputs(a: Namespace, folder: Path | str, tuned: "Finetuned") -> None:
    """Raise ValueError for options of `predict` that do not go with the task, or with one another."""
    if a.task not in (None, tuned.name):
        raise ValueError(f"{folder} was fine-tuned for {tuned.name}, not for {a.task}")
    inputs = tuned.task.input_names
    given = {
        name
        for name in ("context", "question", "nbest", "null_odds", "text", "text_pair", "html")
        if getattr(a, name) is not None
    }
    files = {*tuned.task.files, *(["html"] if tuned.task.types else [])}
    partners = {
        "question": "context",
        "html": "text",
        "nbest": "file",
        "null_odds": "file",
        "text_pair": "text",
        **({"text": "text_pair"} if "text_pair" in inputs else {}),
    }
    alone = not a.file and any(name in given and partner not in given for name, partner in partners.items())
    if given - {*inputs, *files} or alone or not (tuned.task.prompt or a.file or given & {*inputs}):
        names = " and ".join(f"--{name.replace('_', '-')}" for name in sorted(inputs))
        needed = f"{names}, or --file" if names else "--file"
        raise ValueError(f"{folder} was fine-tuned for {tuned.name}: give {needed}")
    if a.file and given & {"context", "question", "text", "text_pair"}:
        raise ValueError("--file has its own texts: give it, or --context and --question, or --text")
    if a.out and not a.file:
        raise ValueError(f"--out {a.out} is for the answers to --file; others are printed")
    places = [path.resolve() for path in (a.file, a.out, a.nbest, a.null_odds, a.html) if path]
    if len(set(places)) < len(places):
        raise ValueError("--file, --out, --nbest, --null-odds and --html: each needs a place of its own")


def run_explore(a: Namespace) -> None:
    """minibert.course.widgets.explorer.page.write_page(minibert.load(model), path)"""
    from ..api import as_pretrained
    from ..course.widgets.explorer.page import write_page

    size = write_page(as_pretrained(a.model or TOUR), a.html)
    print(f"{a.html}: {size / 1e6:.1f} MB")


def run_world(a: Namespace) -> None:
    """minibert.world(documents, seed=0, split="train", kind=["ner"], out="data")"""
    from ..api import world

    if a.out or a.kind not in (None, ["text"]):
        for path in world(**options(a)):
            print(path)
        return
    from ..generated import World  # one document at a time: there may be any number of them

    for number, document in enumerate(World(a.seed).documents(a.documents, seed=a.seed, split=a.split)):
        print("\n" * (number > 0) + document.text)


def run_download(a: Namespace) -> None:
    """minibert.readers.download.download(name, folder), and for english
    minibert.english.published.encoder_folder(folder)
    """
    from ..english.published import ABOUT, encoder_folder
    from ..readers.download import SETS, describe, download

    if a.name == "english":
        print(encoder_folder(a.folder))
        return
    for line in map(str, download(a.name, a.folder)) if a.name else [*map(describe, SETS), ABOUT]:
        print(line)


def run_bench(a: Namespace) -> None:
    """minibert.bench.bench(full, out)"""
    from ..bench import bench

    bench(a.full, a.out)


def run_build(a: Namespace) -> int:
    """minibert.grading.author.build.main(check, names, root), and with --time
    minibert.grading.author.timing.time_notebooks(root, names)
    """
    from ..grading.author import build

    if a.check and a.time:
        raise ValueError("--time changes the headers, --check changes nothing: give one of them")
    status = build.main(a.check, a.names, ROOT)
    if status or not a.time:
        return status
    from ..course.models.class_model import class_model
    from ..grading.author.timing import time_notebooks

    class_model()  # made now, so that no lesson's time includes it
    problems = time_notebooks(ROOT, a.names)
    for problem in problems:
        print(problem, file=sys.stderr)
    return build.main(False, a.names, ROOT) or int(bool(problems))


def run_doctor(a: Namespace) -> int:
    """minibert.grading.intake.doctor.doctor(notebook), and with --device
    minibert.training.device_check.report(device)
    """
    if not a.device:
        from ..grading.intake import doctor

        return doctor.main(a.notebook, wrong_on)
    if a.notebook:
        raise ValueError(f"--device checks a device, not {a.notebook}: give one of them")
    from ..training.device import choose_device
    from ..training.device_check import report

    return int(bool(report(choose_device(a.device))))


def wrong_on(kind: str) -> list[str]:
    """What a check of a kind of device finds wrong there, a line each."""
    from ..training.device import of_kind
    from ..training.device_check import report

    return report(of_kind(kind), say=lambda line: None)


def run_grade(a: Namespace) -> int:
    """minibert.grading.class_run.grade_class.grade_class(root, assignment, policy, source, jobs)"""
    from ..grading.class_run import grade_class
    from ..training.threads import cores

    jobs = cores() if a.jobs is None else a.jobs
    return grade_class.main(
        a.assignment,
        course_folder(a),
        jobs,
        a.source,
        a.sandbox,
        a.out,
        a.scheduler,
        a.time,
        a.memory,
        a.form or "",
        a.watch,
    )


def course_folder(a: Namespace) -> Path:
    """The course that --course names: by default this folder, if it is one, or else the clone."""
    return a.course or (Path.cwd() if Path("nbgrader_config.py").exists() else ROOT)


def run_regrade(a: Namespace) -> int:
    """minibert.grading.class_run.regrade.regrade(root, Request(student, exercise, reason))"""
    from ..grading.class_run import regrade

    request = regrade.Request(a.student, a.exercise, a.reason, a.points, a.lower, a.time, a.memory)
    return regrade.main(course_folder(a), request, a.out, a.source)


def run_mark(a: Namespace) -> int:
    """minibert.grading.class_run.mark.main(assignment, root)"""
    from ..grading.class_run import mark

    return mark.main(a.assignment, course_folder(a), a.port or 0, a.out, a.source)


def run_similar(a: Namespace) -> int:
    """minibert.grading.integrity.similar.similar(root, assignment, source, out)"""
    from ..grading.integrity import similar

    return similar.main(a.assignment, course_folder(a), a.source, a.out)


def run_export_autograder(a: Namespace) -> int:
    """minibert.grading.export.autograder.export(root, assignment, platform, out)"""
    from ..grading.export import autograder

    return autograder.main(a.assignment, course_folder(a), a.platform, a.out)
