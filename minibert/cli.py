"""The command line: `minibert --help`. Here are the options; `commands` has what a command does.

Exit status: 0 done, 1 something is not as it should be (build --check, doctor), 2 bad input, 130 interrupted.
"""
import argparse
import os
import sys
from pathlib import Path

from .commands import (
    run_bench,
    run_build,
    run_doctor,
    run_download,
    run_evaluate,
    run_finetune,
    run_grade,
    run_lab,
    run_predict,
    run_pretrain,
    run_tour,
    run_world,
)
from .corpora.readers import READERS
from .options import new_file, new_folder, share, whole

SEED = "of data, weights and order (default: %(default)s)"
DEVICE = "cpu, cuda or mps (default: the best one present)"


def main(argv=None):
    """Run one command and return its exit status."""
    sys.stdout.reconfigure(line_buffering=True,
                           encoding=sys.stdout.encoding if sys.stdout.isatty() else "utf-8")
    arguments = parser().parse_args(argv)
    try:
        return arguments.run(arguments) or 0
    except KeyboardInterrupt:
        print("\nInterrupted. Start the same command again to go on.", file=sys.stderr)
        return 130
    except BrokenPipeError:                     # who reads our output has seen enough, such as `head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except (ValueError, OSError, FloatingPointError) as error:
        print(f"minibert {arguments.command}: {error}", file=sys.stderr)
        return 2


def parser():
    """The argument parser with one subparser a command."""
    p = argparse.ArgumentParser(prog="minibert",
                                description="A small, readable BERT, and the course around it.",
                                epilog="`minibert COMMAND --help` lists the options of a command.")
    commands = p.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def command(name, run, text):
        sub = commands.add_parser(name, help=text, description=text[0].upper() + text[1:] + ".",
                                  epilog=f"In Python: {run.__doc__}")
        sub.set_defaults(run=run)
        return sub

    for add in (tour, lab, pretrain, finetune, evaluate, predict, world, download, bench, build, doctor,
                grade):
        add(command)
    return p


def tour(command):
    c = command("tour", run_tour,
                "the whole story on the generated language: pretrain, fine-tune, grade, report")
    c.add_argument("--out", type=new_folder, default=Path("tour"), metavar="DIR",
                   help="folder of the report (default: %(default)s)")
    c.add_argument("--seed", type=whole(0), default=0, help=SEED)
    c.add_argument("--device", help=DEVICE)


def lab(command):
    c = command("lab", run_lab, "open JupyterLab at a lesson")
    c.add_argument("unit", nargs="?", help="number or name of a unit, such as 02 (default: the first)")


def pretrain(command):
    c = command("pretrain", run_pretrain,
                "pretrain a BERT on plain text: books, paragraphs, or a sentence a line")
    text_options(c)
    c.add_argument("--out", type=new_folder, required=True, metavar="DIR", help="folder of the model")
    c.add_argument("--preset", default="class",
                   help="size of the model: class, tiny, mini, small, medium, base, large (default: "
                        "%(default)s)")
    c.add_argument("--max-length", type=whole(1), default=96,
                   help="tokens a row at most (default: %(default)s)")
    c.add_argument("--steps", type=int, default=1000, help="optimiser steps (default: %(default)s)")
    c.add_argument("--batch-size", type=int, default=32,
                   help="rows of full length a step, over all processes (default: %(default)s)")
    c.add_argument("--peak-rate", type=float, default=2e-3,
                   help="learning rate after warm-up (default: %(default)s)")
    c.add_argument("--optimizer", choices=["muon", "adamw", "bert_adam"], default="muon",
                   help="bert_adam is that of the paper's code; muon learns a small model faster (default: "
                        "%(default)s)")
    regime_options(c)
    memory_options(c)
    c.add_argument("--save-every", type=whole(1), default=200, metavar="STEPS",
                   help="steps between checkpoints; a run may go on with another number (default: "
                        "%(default)s)")
    c.add_argument("--compile", action="store_true", help="torch.compile the layers; on a GPU, for long runs")
    c.add_argument("--mask-rate", type=share, default=0.15,
                   help="share of the tokens to hide (default: %(default)s)")
    c.add_argument("--seed", type=whole(0), default=0, help=SEED)
    c.add_argument("--device", help=DEVICE)


def regime_options(c):
    """How the steps of `pretrain` are divided, and how far each goes."""
    c.add_argument("--phases", choices=["growing", "two-lengths", "stacking", "plain"], default="growing",
                   help="growing: short rows and few layers first; two-lengths: most steps on rows of a "
                        "quarter of the length, "
                        "as in the paper; stacking: few layers, copied on top of themselves, for an even "
                        "number of them; "
                        "plain: none (default: %(default)s)")
    c.add_argument("--schedule", choices=["linear", "bert", "onecycle"], default="linear",
                   help="of the rate; bert is that of the paper's code (default: %(default)s)")
    c.add_argument("--warmup", type=float, default=0.1,
                   help="share of the steps in which the rate rises (default: %(default)s)")
    c.add_argument("--weight-decay", type=float, default=0.01,
                   help="pull of matrices towards 0, times the rate (default: %(default)s)")
    c.add_argument("--clip", type=float, default=1.0,
                   help="largest norm of the gradient (default: %(default)s)")


def memory_options(c):
    """What a model needs that does not fit."""
    c.add_argument("--accumulate", type=int, default=1, metavar="PARTS",
                   help="compute a batch in so many parts: less memory, the same gradient up to what "
                        "dropout draws "
                        "(default: %(default)s)")
    c.add_argument("--recompute", action="store_true",
                   help="compute activations twice: less memory, a third more time")


def text_options(c):
    """What `pretrain` reads, and how text becomes ids."""
    c.add_argument("--corpus", type=Path, nargs="+", metavar="FILE",
                   help="text files (default: the generated language)")
    c.add_argument("--documents", type=int, default=6000, metavar="N",
                   help="documents of the generated language, where no corpus is given (default: "
                        "%(default)s)")
    c.add_argument("--vocab-size", type=int, default=4000, help="word pieces to train (default: %(default)s)")
    c.add_argument("--vocab", type=Path, metavar="FILE",
                   help="vocab.txt or tokenizer.json to use (default: train one)")
    c.add_argument("--cache", type=Path, metavar="DIR",
                   help="where encoded texts are kept for the next run (default: the user's cache)")
    c.add_argument("--workers", type=int, metavar="N",
                   help="processes that count and encode; nothing depends on their number (default: one a "
                        "processor)")


def finetune(command):
    c = command("finetune", run_finetune,
                "fine-tune for a task, on files of the form that its data set is published in")
    c.add_argument("task", choices=list(READERS), metavar="TASK",
                   help=f"what the files hold: {' '.join(READERS)} (text: a CSV with the columns text and "
                        f"category)")
    c.add_argument("--train", type=Path, required=True, metavar="FILE", help="labelled examples")
    c.add_argument("--dev", type=Path, required=True, metavar="FILE", help="labelled examples to score on")
    c.add_argument("--model", type=Path, metavar="DIR",
                   help="pretrained folder, or uncased BERT's name on Hugging Face's hub (default: the "
                        "class model of the cache)")
    c.add_argument("--out", type=new_folder, metavar="DIR",
                   help="folder of the result (default: finetuned-TASK)")
    c.add_argument("--epochs", type=whole(1), default=3,
                   help="passes over the training file (default: %(default)s)")
    c.add_argument("--batch-size", type=whole(1), default=16,
                   help="rows a step, over all processes (default: %(default)s)")
    c.add_argument("--peak-rate", type=float, default=5e-4,
                   help="learning rate after warm-up; for BERT-base 2e-5 to 5e-5, as in the paper (default: "
                        "%(default)s)")
    c.add_argument("--way", default="full",
                   help="full: train all; frozen: the head alone; a BiLSTM on the frozen trunk's: "
                   "embeddings, second-to-last, last, concat-last-four, and sum-last-four and sum-all with "
                   "learned weights, "
                   "ELMo's scalar mix (default: %(default)s)")
    c.add_argument("--encoder-rate", type=float,
                   help="peak learning rate of the pretrained trunk (default: --peak-rate)")
    c.add_argument("--layer-decay", type=float, default=1.0,
                   help="rate of a layer over that of the layer above (default: %(default)s)")
    c.add_argument("--warmup", type=float, default=0.1,
                   help="share of the steps in which the rate rises (default: %(default)s)")
    memory_options(c)
    c.add_argument("--seed", type=whole(0), default=0,
                   help="of the head's weights and the order (default: %(default)s)")
    c.add_argument("--device", help=DEVICE)


def evaluate(command):
    c = command("evaluate", run_evaluate,
                "score a fine-tuned folder on a labelled file, and say where it errs")
    c.add_argument("data", type=Path, metavar="FILE", help="labelled examples of the task")
    c.add_argument("--model", type=Path, required=True, metavar="DIR", help="folder that `finetune` wrote")
    c.add_argument("--out", type=new_folder, metavar="DIR",
                   help="folder for predictions, a line of JSON an example, scores, and the analysis as a "
                        "table and a plot")
    c.add_argument("--fit-threshold", action="store_true",
                   help="questions without an answer: keep the threshold with the best F1 on this file in "
                        "the model's folder")
    c.add_argument("--device", help=DEVICE)


def predict(command):
    c = command("predict", run_predict,
                "answers of a fine-tuned folder: to a question, a sentence, a file, or as you type")
    c.add_argument("task", nargs="?",
                   help="what the folder was fine-tuned for, such as qa (default: what it says itself)")
    c.add_argument("--model", type=Path, metavar="DIR",
                   help="folder that `finetune` wrote (default: finetuned-TASK)")
    c.add_argument("--context",
                   help="question answering: the passage; without --question, you are asked for questions")
    c.add_argument("--question", help="question answering, with --context: the question")
    c.add_argument("--text", help="tagging (ner, chunk, pos): a text")
    c.add_argument("--file", type=Path, help="any task: a file of its form, of any size, labels not needed")
    c.add_argument("--out", type=new_file, metavar="FILE",
                   help="where the answers to --file go (default: standard output)")
    c.add_argument("--nbest", type=new_file, metavar="FILE",
                   help="question answering, with --file: lists of the best answers")
    c.add_argument("--null-odds", type=new_file, metavar="FILE",
                   help="question answering, with --file: how likely no answer is")
    c.add_argument("--html", type=new_file, metavar="FILE",
                   help="tagging, with --text or --file: a page with what was found marked")
    c.add_argument("--device", help=DEVICE)


def world(command):
    c = command("world", run_world, "documents of the generated language, and labels for every task")
    c.add_argument("--documents", type=int, default=20, metavar="N",
                   help="documents, or examples of a task (default: %(default)s)")
    c.add_argument("--seed", type=whole(0), default=0,
                   help="of the world and of what is told of it (default: %(default)s)")
    c.add_argument("--split", choices=["pretrain", "train", "dev", "test"], default="train",
                   help="which part; pretrain is text without labels (default: %(default)s)")
    c.add_argument("--kind", nargs="+", metavar="KIND",
                   help="what to write: text squad squad2 ner sst2 cola mnli rte qnli qqp mrpc stsb wnli "
                        "swag race wic pos "
                        "coref coref-json (default: text squad ner; of pretrain, text)")
    c.add_argument("--out", type=new_folder, metavar="DIR",
                   help="folder for the files (default: print the text)")


def download(command):
    c = command("download", run_download,
                "a public data set into this user's cache, each file against its checksum")
    c.add_argument("name", nargs="?",
                   help="such as squad, squad2, sst2, swag, wikigold (default: list them all)")
    c.add_argument("--folder", type=new_folder, metavar="DIR", help="where the files go instead of the cache")


def bench(command):
    c = command("bench", run_bench,
                "how fast this machine trains, beside others that do the same work: 2 minutes")
    c.add_argument("--full", action="store_true",
                   help="all tables, BERT-base too, also on a GPU if there is one: about 25 minutes")
    c.add_argument("--out", type=new_folder, metavar="DIR",
                   help="folder for speed.json and speed.md (default: print only)")


def build(command):
    c = command("build", run_build, "make the notebooks from their sources, the exercises from the solutions")
    c.add_argument("names", nargs="*", metavar="UNIT", help="units, by number or name (default: all)")
    c.add_argument("--check", action="store_true", help="change nothing; fail on a stale or unfit notebook")
    c.add_argument("--time", action="store_true",
                   help="afterwards run them all, on two cores, and write into each header how long it "
                        "takes: 15 minutes")


def doctor(command):
    c = command("doctor", run_doctor, "is this machine ready; is a notebook fit to hand in")
    c.add_argument("notebook", type=Path, nargs="?",
                   help="an exercise to check and run (default: check the machine)")


def grade(command):
    c = command("grade", run_grade,
                "grade a class: in parallel, each submission in a sandbox; interrupted, it goes on")
    c.add_argument("assignment", help="name of a folder in solutions/, such as 02_attention")
    c.add_argument("--from", dest="source", type=Path, metavar="PATH",
                   help="folder, or zip of Moodle, Canvas or Blackboard (default: nbgrader's submitted/)")
    c.add_argument("--jobs", type=int, metavar="N",
                   help="submissions graded at the same time (default: cores)")
    c.add_argument("--sandbox", choices=["bwrap", "docker", "podman", "limits", "none"],
                   help="what keeps a submission from harm (default: bwrap, or the environment's "
                        "MINIBERT_SANDBOX); "
                        "limits and none let it read your files")
    c.add_argument("--out", type=new_folder, metavar="DIR",
                   help="folder for the tables and the journal (default: grades/ASSIGNMENT)")
    c.add_argument("--scheduler", metavar="ADDRESS",
                   help="a Dask scheduler, such as tcp://host:8786, whose workers grade")
    c.add_argument("--course", type=Path, metavar="DIR",
                   help="folder with nbgrader_config.py (default: this one, or the clone)")
