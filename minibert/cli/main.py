"""The command line: `minibert --help`. The options are here; `commands` has what a command does.

Exit status: 0 done, 1 something is not as it should be (build --check, doctor), 2 bad input, 130 interrupted.
"""

import argparse
import inspect
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from .. import __version__
from ..api import finetune as finetune_call
from ..api import pretrain as pretrain_call
from ..api import world as world_call
from ..readers import READERS
from .commands import (
    run_bench,
    run_build,
    run_doctor,
    run_download,
    run_evaluate,
    run_explore,
    run_export_autograder,
    run_finetune,
    run_grade,
    run_lab,
    run_mark,
    run_predict,
    run_pretrain,
    run_regrade,
    run_similar,
    run_tour,
    run_world,
)
from .options import new_file, new_folder, share, whole

SEED = "seed of the data, the weights and the order (default: %(default)s)"
DEVICE = "cpu, cuda, one of several GPUs such as cuda:1, or mps (default: the best one present)"
PRECISIONS = ["auto", "float32", "bfloat16", "float16"]
PRECISION = (
    "numbers of the forward pass; auto: bfloat16 if the device has instructions for it, or float16 on an "
    "older GPU, and otherwise float32; an interrupted run keeps its precision (default: %(default)s)"
)
Command = Callable[[str, Callable, str], argparse.ArgumentParser]


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status."""
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(
            line_buffering=True, encoding=sys.stdout.encoding if sys.stdout.isatty() else "utf-8"
        )
    arguments = parser().parse_args(argv)
    try:
        return arguments.run(arguments) or 0
    except KeyboardInterrupt:
        print("\nInterrupted. Start the same command again to go on.", file=sys.stderr)
        return 130
    except BrokenPipeError:  # the reader of our output has seen enough, such as `head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except (ValueError, OSError, FloatingPointError) as error:
        print(f"minibert {arguments.command}: {error}", file=sys.stderr)
        return 2


def parser() -> argparse.ArgumentParser:
    """The argument parser, with a subparser for each command."""
    p = argparse.ArgumentParser(
        prog="minibert",
        description="A small, readable BERT, and the course around it.",
        epilog="`minibert COMMAND --help` lists the options of a command.",
    )
    p.add_argument("--version", action="version", version=f"minibert {__version__}")
    commands = p.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def command(name: str, run: Callable, text: str) -> argparse.ArgumentParser:
        sub = commands.add_parser(
            name, help=text, description=text[0].upper() + text[1:] + ".", epilog=f"In Python: {run.__doc__}"
        )
        sub.set_defaults(run=run)
        return sub

    for add in (
        tour,
        lab,
        pretrain,
        finetune,
        evaluate,
        predict,
        explore,
        world,
        download,
        bench,
        build,
        doctor,
        grade,
        regrade,
        mark,
        similar,
        export_autograder,
    ):
        add(command)
    return p


def defaults(call: Callable) -> dict[str, Any]:
    """The defaults of a Python call, which are those of its command's options."""
    return {name: parameter.default for name, parameter in inspect.signature(call).parameters.items()}


def tour(command: Command) -> None:
    """Options of `minibert tour`."""
    c = command(
        "tour", run_tour, "the whole story on the generated language: pretrain, fine-tune, grade, report"
    )
    c.add_argument(
        "--out",
        type=new_folder,
        default=Path("tour"),
        metavar="DIR",
        help="folder of the report (default: %(default)s)",
    )
    c.add_argument("--seed", type=whole(0), default=0, help=SEED)
    c.add_argument("--device", help=DEVICE)


def lab(command: Command) -> None:
    """Options of `minibert lab`."""
    c = command("lab", run_lab, "open JupyterLab at a lesson")
    c.add_argument("unit", nargs="?", help="number or name of a unit, such as 02 (default: the first)")


def pretrain(command: Command) -> None:
    """Options of `minibert pretrain`; their defaults are those of `minibert.pretrain`."""
    c = command(
        "pretrain", run_pretrain, "pretrain a BERT on plain text: books, paragraphs, or a sentence a line"
    )
    text_options(c)
    c.add_argument("--out", type=new_folder, required=True, metavar="DIR", help="folder of the model")
    c.add_argument(
        "--preset",
        help="size of the model: class, tiny, mini, small, medium, base, large (default: %(default)s)",
    )
    c.add_argument("--max-length", type=whole(1), help="tokens in a sequence at most (default: %(default)s)")
    c.add_argument("--steps", type=int, help="optimiser steps (default: %(default)s)")
    c.add_argument(
        "--batch-size",
        type=int,
        help="sequences of full length a step, over all processes (default: %(default)s)",
    )
    c.add_argument("--peak-rate", type=float, help="learning rate after warm-up (default: %(default)s)")
    c.add_argument(
        "--optimizer",
        choices=["muon", "adamw", "bert_adam"],
        help="bert_adam is that of the paper's code; muon learns a small model faster (default: %(default)s)",
    )
    regime_options(c)
    memory_options(c)
    c.add_argument(
        "--save-every",
        type=whole(1),
        metavar="STEPS",
        help="steps between checkpoints; a run may go on with another number (default: %(default)s)",
    )
    c.add_argument("--compile", action="store_true", help="torch.compile the layers; on a GPU, for long runs")
    c.add_argument("--mask-rate", type=share, help="share of the tokens to mask (default: %(default)s)")
    c.add_argument("--seed", type=whole(0), help=SEED)
    c.add_argument("--device", help=DEVICE)
    c.add_argument("--precision", choices=PRECISIONS, help=PRECISION)
    c.set_defaults(
        **{name: value for name, value in defaults(pretrain_call).items() if name not in ("out", "progress")}
    )


def regime_options(c: argparse.ArgumentParser) -> None:
    """Options of `pretrain` that divide the steps and say how far each of them goes."""
    c.add_argument(
        "--phases",
        choices=["growing", "two-lengths", "stacking", "plain"],
        help="growing: short sequences and few layers first; two-lengths: most steps on sequences "
        "of a quarter of the length, as in the paper; stacking: few layers, copied on top of "
        "themselves, for an even number of them; plain: none (default: %(default)s)",
    )
    c.add_argument(
        "--schedule",
        choices=["linear", "bert", "onecycle"],
        help="of the learning rate; bert is that of the paper's code (default: %(default)s)",
    )
    c.add_argument(
        "--warmup",
        type=float,
        help="share of the steps in which the learning rate rises (default: %(default)s)",
    )
    c.add_argument(
        "--weight-decay",
        type=float,
        help="pull of matrices towards 0, times the learning rate (default: %(default)s)",
    )
    c.add_argument("--clip", type=float, help="largest norm of the gradient (default: %(default)s)")


def memory_options(c: argparse.ArgumentParser) -> None:
    """Options for a model that does not fit into memory."""
    c.add_argument(
        "--accumulate",
        type=int,
        metavar="PARTS",
        help="compute a batch in so many parts: less memory, the same gradient up to what "
        "dropout draws (default: %(default)s)",
    )
    c.add_argument(
        "--recompute", action="store_true", help="compute activations twice: less memory, a third more time"
    )


def text_options(c: argparse.ArgumentParser) -> None:
    """Options of `pretrain` for the text and its tokenizer."""
    c.add_argument(
        "--corpus", type=Path, nargs="+", metavar="FILE", help="text files (default: the generated language)"
    )
    c.add_argument(
        "--documents",
        type=int,
        metavar="N",
        help="documents of the generated language, where no corpus is given (default: %(default)s)",
    )
    c.add_argument("--vocab-size", type=int, help="tokens of the vocabulary to train (default: %(default)s)")
    c.add_argument(
        "--vocab", type=Path, metavar="FILE", help="vocab.txt or tokenizer.json to use (default: train one)"
    )
    c.add_argument(
        "--cache",
        type=Path,
        metavar="DIR",
        help="where encoded texts are kept for the next run (default: the user's cache)",
    )
    c.add_argument(
        "--workers",
        type=whole(1),
        metavar="N",
        help="processes that count and encode; nothing depends on their number (default: one a processor)",
    )


def finetune(command: Command) -> None:
    """Options of `minibert finetune`; their defaults are those of `minibert.finetune`."""
    c = command(
        "finetune",
        run_finetune,
        "fine-tune for a task, on files of the form that its data set is published in",
    )
    c.add_argument(
        "task",
        choices=list(READERS),
        metavar="TASK",
        help=f"what the files hold: {' '.join(READERS)} (text: a CSV with the columns text and category)",
    )
    c.add_argument("--train", type=Path, required=True, metavar="FILE", help="labelled examples")
    c.add_argument("--dev", type=Path, required=True, metavar="FILE", help="labelled examples to score on")
    c.add_argument(
        "--model",
        metavar="DIR",
        help="pretrained folder, or a BERT's name on Hugging Face's hub (default: the class model "
        "of the cache)",
    )
    c.add_argument(
        "--out", type=new_folder, metavar="DIR", help="folder of the result (default: finetuned-TASK)"
    )
    c.add_argument("--epochs", type=whole(1), help="passes over the training file (default: %(default)s)")
    c.add_argument(
        "--batch-size", type=whole(1), help="sequences a step, over all processes (default: %(default)s)"
    )
    c.add_argument(
        "--max-length",
        type=whole(3),
        metavar="TOKENS",
        help="tokens in a sequence at most (default: what the model reads)",
    )
    c.add_argument(
        "--peak-rate",
        type=share,
        help="learning rate after warm-up; for BERT-base 2e-5 to 5e-5, as in the paper (default: "
        "%(default)s)",
    )
    c.add_argument(
        "--way",
        dest="approach",
        metavar="WAY",
        help="full: train all; lora: low-rank adapters beside frozen weights; frozen: the head "
        "alone; a BiLSTM on the frozen encoder's: embeddings, second-to-last, last, "
        "concat-last-four, and sum-last-four and sum-all with learned weights, ELMo's scalar "
        "mix (default: %(default)s)",
    )
    c.add_argument(
        "--encoder-rate",
        type=share,
        help="peak learning rate of the pretrained encoder (default: --peak-rate)",
    )
    c.add_argument(
        "--layer-decay",
        type=float,
        help="learning rate of a layer over that of the layer above (default: %(default)s)",
    )
    c.add_argument(
        "--warmup",
        type=float,
        help="share of the steps in which the learning rate rises (default: %(default)s)",
    )
    memory_options(c)
    monitoring_options(c)
    c.add_argument("--seed", type=whole(0), help="of the head's weights and the order (default: %(default)s)")
    c.add_argument("--device", help=DEVICE)
    c.add_argument("--precision", choices=PRECISIONS, help=PRECISION)
    c.set_defaults(
        **{
            name: value
            for name, value in defaults(finetune_call).items()
            if name not in ("task", "train", "dev", "model", "out", "progress")
        }
    )


def monitoring_options(c: argparse.ArgumentParser) -> None:
    """Options of `finetune` for checkpoints, dev scores and curves."""
    c.add_argument(
        "--save-every",
        type=whole(1),
        metavar="STEPS",
        help="steps between checkpoints (default: %(default)s)",
    )
    c.add_argument(
        "--score-every",
        type=whole(1),
        metavar="STEPS",
        help="steps between two scorings on the dev file (default: no scoring; with --patience, an epoch)",
    )
    c.add_argument(
        "--patience",
        type=whole(1),
        metavar="N",
        help="early stopping: end after N scorings without a better score, and keep the best "
        "weights (default: all epochs)",
    )
    c.add_argument(
        "--tensorboard",
        type=new_folder,
        metavar="DIR",
        help="folder for TensorBoard's curves; needs the package tensorboard",
    )


def evaluate(command: Command) -> None:
    """Options of `minibert evaluate`."""
    c = command(
        "evaluate", run_evaluate, "score a fine-tuned folder on a labelled file, and show where it errs"
    )
    c.add_argument("data", type=Path, metavar="FILE", help="labelled examples of the task")
    c.add_argument("--model", type=Path, required=True, metavar="DIR", help="folder that `finetune` wrote")
    c.add_argument(
        "--out",
        type=new_folder,
        metavar="DIR",
        help="folder for predictions, a line of JSON for each example, scores, and the analysis "
        "as a table and a plot",
    )
    c.add_argument(
        "--fit-threshold",
        action="store_true",
        help="questions without an answer: keep the threshold with the best F1 on this file in "
        "the model's folder",
    )
    c.add_argument("--device", help=DEVICE)


def predict(command: Command) -> None:
    """Options of `minibert predict`."""
    c = command(
        "predict", run_predict, "answers of a fine-tuned model: to a question, a text, a file, or as you type"
    )
    c.add_argument(
        "task",
        nargs="?",
        help="qa, ner, sentiment or another task that the model was fine-tuned for (default: what "
        "it says itself); fill: the likeliest words for each [MASK] of --text",
    )
    c.add_argument(
        "--model",
        metavar="DIR",
        help="folder that `finetune` wrote (default: finetuned-TASK, or if there is none, the "
        "English model, for qa, ner, sentiment and fill)",
    )
    c.add_argument(
        "--context", help="question answering: the passage; without --question, you are asked for questions"
    )
    c.add_argument("--question", help="question answering, with --context: the question")
    c.add_argument("--text", help="tagging (ner, chunk, pos) and sentence tasks: a text")
    c.add_argument("--text-pair", help="tasks that compare two texts, with --text: the second one")
    c.add_argument("--file", type=Path, help="any task: a file of its form, of any size, labels not needed")
    c.add_argument(
        "--out",
        type=new_file,
        metavar="FILE",
        help="where the answers to --file go (default: standard output)",
    )
    c.add_argument(
        "--nbest",
        type=new_file,
        metavar="FILE",
        help="question answering, with --file: lists of the best answers",
    )
    c.add_argument(
        "--null-odds",
        type=new_file,
        metavar="FILE",
        help="question answering, with --file: how likely no answer is",
    )
    c.add_argument(
        "--html",
        type=new_file,
        metavar="FILE",
        help="tagging, with --text or --file: a page with what was found marked",
    )
    c.add_argument("--device", help=DEVICE)


def explore(command: Command) -> None:
    """Options of `minibert explore`."""
    c = command(
        "explore",
        run_explore,
        "write a page with a BERT in it, which needs no network: type a sentence and look inside",
    )
    c.add_argument("--html", type=new_file, required=True, metavar="FILE", help="the page")
    c.add_argument(
        "--model",
        metavar="DIR",
        help="pretrained folder, or a BERT's name on Hugging Face's hub (default: the class model "
        "of the cache)",
    )


def world(command: Command) -> None:
    """Options of `minibert world`; their defaults are those of `minibert.world`."""
    c = command("world", run_world, "documents of the generated language, and labels for every task")
    c.add_argument(
        "--documents", type=int, metavar="N", help="documents, or examples of a task (default: %(default)s)"
    )
    c.add_argument("--seed", type=whole(0), help="of the world and its texts (default: %(default)s)")
    c.add_argument(
        "--split",
        choices=["pretrain", "train", "dev", "test"],
        help="which part; pretrain is text without labels (default: %(default)s)",
    )
    c.add_argument(
        "--kind",
        nargs="+",
        metavar="KIND",
        help="what to write: text squad squad2 hops ner later sst2 cola mnli rte qnli qqp mrpc "
        "stsb wnli swag race wic pos coref coref-json (default: text squad ner; of "
        "pretrain, text)",
    )
    c.add_argument(
        "--out", type=new_folder, metavar="DIR", help="folder for the files (default: print the text)"
    )
    c.set_defaults(**defaults(world_call))


def download(command: Command) -> None:
    """Options of `minibert download`."""
    c = command(
        "download",
        run_download,
        "a public data set, or the English model, into this user's cache, against its checksum",
    )
    c.add_argument(
        "name",
        nargs="?",
        help="such as squad, sst2, swag, wikigold, ewt, or english (default: list them all)",
    )
    c.add_argument("--folder", type=new_folder, metavar="DIR", help="where the files go instead of the cache")


def bench(command: Command) -> None:
    """Options of `minibert bench`."""
    c = command(
        "bench", run_bench, "how fast this machine trains, beside others that do the same work: 2 minutes"
    )
    c.add_argument(
        "--full",
        action="store_true",
        help="all tables, BERT-base too, also on a GPU if there is one: about 25 minutes",
    )
    c.add_argument(
        "--out",
        type=new_folder,
        metavar="DIR",
        help="folder for speed.json and speed.md (default: print only)",
    )


def build(command: Command) -> None:
    """Options of `minibert build`."""
    c = command("build", run_build, "make the notebooks from their sources, the exercises from the solutions")
    c.add_argument("names", nargs="*", metavar="UNIT", help="units, by number or name (default: all)")
    c.add_argument("--check", action="store_true", help="change nothing; fail on a stale or unfit notebook")
    c.add_argument(
        "--time",
        action="store_true",
        help="afterwards run them all, on two cores, and write into each header how long it "
        "takes: 15 minutes",
    )


def doctor(command: Command) -> None:
    """Options of `minibert doctor`."""
    c = command("doctor", run_doctor, "is this machine ready; is a notebook fit to hand in")
    c.add_argument(
        "notebook", type=Path, nargs="?", help="an exercise to check and run (default: check the machine)"
    )
    c.add_argument(
        "--device",
        help="compare what cpu, cuda or mps computes with what the processor does, in "
        "about ten seconds, and print a report",
    )


def grade(command: Command) -> None:
    """Options of `minibert grade`."""
    c = command(
        "grade",
        run_grade,
        "grade a class: in parallel, each submission in a sandbox; interrupted, it goes on",
    )
    c.add_argument("assignment", help="name of a folder in solutions/, such as 02_attention")
    c.add_argument(
        "--from",
        dest="source",
        type=Path,
        metavar="PATH",
        help="folder, or zip of Moodle, Canvas, Blackboard or Brightspace (default: nbgrader's submitted/)",
    )
    c.add_argument(
        "--form",
        choices=["moodle", "canvas", "blackboard", "brightspace", "nbgrader", "folders"],
        help="form of the names in it (default: the names tell it)",
    )
    c.add_argument(
        "--jobs", type=whole(1), metavar="N", help="submissions graded at the same time (default: cores)"
    )
    c.add_argument(
        "--sandbox",
        choices=["bwrap", "docker", "podman", "limits", "none"],
        help="what keeps a submission from harm (default: bwrap, or the environment's "
        "MINIBERT_SANDBOX); limits and none let it read your files",
    )
    c.add_argument(
        "--time",
        type=whole(1),
        metavar="SECONDS",
        help="processor time of one exercise, its tests included; it may sleep half as long, and "
        "on the clock take five minutes, or five times as long (default: 60)",
    )
    c.add_argument("--memory", type=whole(1), metavar="MB", help="memory of one submission (default: 4096)")
    c.add_argument(
        "--out",
        type=new_folder,
        metavar="DIR",
        help="folder for the tables and the journal (default: grades/ASSIGNMENT)",
    )
    c.add_argument(
        "--scheduler",
        metavar="ADDRESS",
        help="a Dask scheduler, such as tcp://host:8786, whose workers grade",
    )
    c.add_argument(
        "--watch",
        action="store_true",
        help="open the class's page, which follows the run; also of a run in another terminal",
    )
    course_option(c)


def regrade(command: Command) -> None:
    """Options of `minibert regrade`."""
    c = command(
        "regrade",
        run_regrade,
        "grade one exercise of one student again; no points are lost, and a log is kept",
    )
    c.add_argument("student", help="as in grades.csv")
    c.add_argument("exercise", help="such as 02.3 (the third of unit 02), or 02.softmax")
    c.add_argument("--reason", required=True, help="for the log; with --points the student reads it, too")
    c.add_argument("--points", type=float, metavar="P", help="give these by hand, without running the tests")
    c.add_argument("--lower", action="store_true", help="the points may be fewer than now")
    c.add_argument(
        "--time",
        type=whole(1),
        metavar="SECONDS",
        help="processor time of an exercise (default: as the class)",
    )
    c.add_argument("--memory", type=whole(1), metavar="MB", help="of the submission (default: as the class)")
    class_options(c)


def mark(command: Command) -> None:
    """Options of `minibert mark`."""
    c = command(
        "mark", run_mark, "mark text answers in the browser: one question, all answers, a rubric, keys 1 to 9"
    )
    c.add_argument("assignment", help="name or number, such as 02_attention or 02")
    c.add_argument("--port", type=whole(1), help="of this machine (default: a free one)")
    class_options(c)


def course_option(c: argparse.ArgumentParser) -> None:
    """The option that names the course."""
    c.add_argument(
        "--course",
        type=Path,
        metavar="DIR",
        help="folder with nbgrader_config.py (default: this one, or the clone)",
    )


def class_options(c: argparse.ArgumentParser) -> None:
    """Options about a class that has been graded."""
    c.add_argument(
        "--from",
        dest="source",
        type=Path,
        metavar="PATH",
        help="the submissions (default: those of the last run)",
    )
    c.add_argument(
        "--out",
        type=Path,
        metavar="DIR",
        help="folder of the tables and the journal (default: grades/ASSIGNMENT)",
    )
    course_option(c)


def similar(command: Command) -> None:
    """Options of `minibert similar`."""
    c = command(
        "similar",
        run_similar,
        "which answers of a class are more alike than independent ones: a table and a page",
    )
    c.add_argument("assignment", help="name of a folder in solutions/, such as 02_attention")
    c.add_argument(
        "--from",
        dest="source",
        type=Path,
        metavar="PATH",
        help="folder or zip, as for `grade` (default: nbgrader's submitted/)",
    )
    c.add_argument(
        "--out",
        type=new_folder,
        metavar="DIR",
        help="folder for similarity.csv and similarity.html (default: grades/ASSIGNMENT)",
    )
    course_option(c)


def export_autograder(command: Command) -> None:
    """Options of `minibert export-autograder`."""
    c = command(
        "export-autograder",
        run_export_autograder,
        "a zip that grades one submission at a time on Gradescope or GitHub Classroom",
    )
    c.add_argument("assignment", help="name of a folder in solutions/, such as 02_attention")
    c.add_argument(
        "--for",
        dest="platform",
        choices=["gradescope", "github"],
        required=True,
        help="gradescope: an autograder to upload; github: files for the template repository, "
        "without hidden tests, which a student could read there",
    )
    c.add_argument("--out", type=new_file, metavar="FILE", help="the zip (default: ASSIGNMENT-PLATFORM.zip)")
    course_option(c)
