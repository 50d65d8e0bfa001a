"""The command line: `minibert --help`. Each command is also a Python call, named in its help.

Exit status: 0 done, 1 something is not as it should be (build --check, doctor), 2 bad input, 130 interrupted.
"""
import argparse
import sys
from functools import partial
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent      # the clone, where lessons and solutions are


def main(argv=None):
    """Run one command and return its exit status."""
    sys.stdout.reconfigure(line_buffering=True)
    arguments = parser().parse_args(argv)
    try:
        return arguments.run(arguments) or 0
    except KeyboardInterrupt:
        print("\nInterrupted. Start the same command again to go on.", file=sys.stderr)
        return 130
    except (ValueError, OSError, FloatingPointError) as error:
        print(f"minibert {arguments.command}: {error}", file=sys.stderr)
        return 2


def parser():
    """The argument parser with one subparser a command."""
    from .corpora.readers import READERS
    p = argparse.ArgumentParser(prog="minibert", description="A small, readable BERT, and the course around it.")
    commands = p.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def command(name, run, text):
        sub = commands.add_parser(name, help=text, description=text)
        sub.set_defaults(run=run)
        return sub

    c = command("tour", run_tour, "the whole story on the generated language: pretrain, fine-tune, grade, report")
    c.add_argument("--out", type=Path, default=Path("tour"), help="folder of the report (default: %(default)s)")
    c.add_argument("--seed", type=int, default=0, help="of data, weights and order (default: %(default)s)")
    c.add_argument("--device", help="cpu, cuda or mps (default: the best one present)")

    c = command("lab", run_lab, "open JupyterLab at a lesson")
    c.add_argument("unit", nargs="?", help="number or name of a unit, such as 02")

    c = command("pretrain", run_pretrain, "pretrain a BERT on plain text (blank line between documents)")
    c.add_argument("--corpus", type=Path, nargs="+", metavar="FILE", help="text files (default: the generated language)")
    c.add_argument("--documents", type=int, default=6000, metavar="N",
                   help="documents of the generated language, where no corpus is given (default: %(default)s)")
    c.add_argument("--out", type=Path, required=True, help="folder of the model")
    c.add_argument("--preset", default="class", help="sizes: class, tiny, mini, small, medium, base, large")
    c.add_argument("--vocab-size", type=int, default=4000, help="word pieces to train (default: %(default)s)")
    c.add_argument("--vocab", type=Path, metavar="FILE", help="vocab.txt or tokenizer.json to use (default: train one)")
    c.add_argument("--cache", type=Path, metavar="DIR",
                   help="where encoded texts are kept for the next run (default: the user's cache)")
    c.add_argument("--workers", type=int, metavar="N",
                   help="processes that count and encode; nothing depends on their number (default: one a processor)")
    c.add_argument("--max-length", type=int, default=96, help="tokens a row (default: %(default)s)")
    c.add_argument("--steps", type=int, default=1000, help="optimiser steps (default: %(default)s)")
    c.add_argument("--batch-size", type=int, default=32, help="rows a step (default: %(default)s)")
    c.add_argument("--peak-rate", type=float, default=2e-3, help="learning rate after warm-up (default: %(default)s)")
    c.add_argument("--optimizer", choices=["muon", "adamw", "bert_adam"], default="muon",
                   help="bert_adam is that of the paper's code; muon learns a small model faster (default: %(default)s)")
    c.add_argument("--schedule", choices=["linear", "bert", "onecycle"], default="linear",
                   help="of the rate; bert is that of the paper's code (default: %(default)s)")
    c.add_argument("--accumulate", type=int, default=1, metavar="PARTS",
                   help="compute a batch in so many parts: less memory, the same gradient (default: %(default)s)")
    c.add_argument("--recompute", action="store_true", help="compute activations twice: less memory, a third more time")
    c.add_argument("--compile", action="store_true", help="torch.compile the layers; on a GPU, for long runs")
    c.add_argument("--mask-rate", type=float, default=0.15, help="share of the tokens to hide (default: %(default)s)")
    c.add_argument("--seed", type=int, default=0)
    c.add_argument("--device", help="cpu, cuda or mps (default: the best one present)")

    c = command("finetune", run_finetune, "fine-tune for a task, on files of the form that its data set is published in")
    c.add_argument("task", choices=list(READERS), metavar="TASK",
                   help=f"what the files hold: {' '.join(READERS)} (text: a CSV with the columns text and category)")
    c.add_argument("--train", type=Path, required=True, metavar="FILE", help="labelled examples")
    c.add_argument("--dev", type=Path, required=True, metavar="FILE", help="labelled examples to score on")
    c.add_argument("--model", type=Path, metavar="DIR", help="pretrained folder (default: the class model of the cache)")
    c.add_argument("--out", type=Path, metavar="DIR", help="folder of the result (default: finetuned-TASK)")
    c.add_argument("--epochs", type=int, default=3, help="passes over the training file (default: %(default)s)")
    c.add_argument("--batch-size", type=int, default=16, help="rows a step (default: %(default)s)")
    c.add_argument("--peak-rate", type=float, default=5e-4, help="learning rate after warm-up (default: %(default)s)")
    c.add_argument("--way", default="full", help="full: train all; frozen: the head alone; a BiLSTM on the frozen trunk's: "
                   "embeddings, second-to-last, last, sum-last-four, concat-last-four, sum-all (default: %(default)s)")
    c.add_argument("--encoder-rate", type=float, help="peak learning rate of the pretrained trunk (default: --peak-rate)")
    c.add_argument("--layer-decay", type=float, default=1.0, help="rate of a layer over that of the layer above (default: 1)")
    c.add_argument("--seed", type=int, default=0)
    c.add_argument("--device", help="cpu, cuda or mps (default: the best one present)")

    c = command("evaluate", run_evaluate, "score a fine-tuned folder on a labelled file, and say where it errs")
    c.add_argument("data", type=Path, metavar="FILE")
    c.add_argument("--model", type=Path, required=True, metavar="DIR", help="folder that `finetune` wrote")
    c.add_argument("--out", type=Path, metavar="DIR",
                   help="folder for predictions, a line of JSON an example, scores, and the analysis as a table and a plot")
    c.add_argument("--fit-threshold", action="store_true",
                   help="questions without an answer: keep the threshold with the best F1 on this file in the model's folder")

    c = command("predict", run_predict, "answers of a fine-tuned folder: to a question, a sentence, a file, or as you type")
    c.add_argument("task", nargs="?", help="qa, ner, ...: what the folder was fine-tuned for (default: what it says itself)")
    c.add_argument("--model", type=Path, metavar="DIR", help="folder that `finetune` wrote (default: finetuned-TASK)")
    c.add_argument("--context", help="question answering: the passage; without --question, you are asked for questions")
    c.add_argument("--question", help="question answering: the question")
    c.add_argument("--text", help="named entities: a sentence")
    c.add_argument("--file", type=Path, help="a file of the task instead, of any size for question answering; writes --out")
    c.add_argument("--out", type=Path, help="where the answers to --file go (default: standard output)")
    c.add_argument("--nbest", type=Path, metavar="FILE", help="question answering, with --file: lists of the best answers")
    c.add_argument("--null-odds", type=Path, metavar="FILE", help="question answering, with --file: how likely no answer is")
    c.add_argument("--html", type=Path, metavar="FILE", help="named entities, with --text or --file: a page with them marked")

    c = command("world", run_world, "documents of the generated language, and labels for every task")
    c.add_argument("--documents", type=int, default=20, help="documents, or examples of a task (default: 20)")
    c.add_argument("--seed", type=int, default=0)
    c.add_argument("--split", choices=["pretrain", "train", "dev", "test"], default="train")
    c.add_argument("--kind", nargs="+", default=["text", "squad", "ner"], metavar="KIND",
                   help="what to write: text squad squad2 ner sst2 cola mnli rte qnli qqp mrpc stsb wnli swag race wic pos "
                        "coref coref-json (default: text squad ner)")
    c.add_argument("--out", type=Path, help="folder for the files (default: print the text)")

    c = command("download", run_download, "a public data set into this user's cache, each file against its checksum")
    c.add_argument("name", nargs="?", help="such as squad, squad2, sst2, swag, wikigold (default: list them all)")
    c.add_argument("--folder", type=Path, metavar="DIR", help="where the files go instead of the cache")

    c = command("bench", run_bench, "how fast this machine trains, beside others that do the same work: 2 minutes")
    c.add_argument("--full", action="store_true", help="all tables, BERT-base included: about 12 minutes")
    c.add_argument("--out", type=Path, help="folder for speed.json and speed.md (default: print only)")

    c = command("build", run_build, "make the notebooks from their sources, the exercises from the solutions")
    c.add_argument("names", nargs="*", help="units (default: all)")
    c.add_argument("--check", action="store_true", help="change nothing; fail on a stale or unfit notebook")

    c = command("doctor", run_doctor, "is this machine ready; is a notebook fit to hand in")
    c.add_argument("notebook", type=Path, nargs="?")
    return p


def run_tour(a):
    """minibert.tour.tour(out, TourConfig(seed=...))"""
    from .tour import TourConfig, tour
    tour(a.out, TourConfig(seed=a.seed), ROOT, a.device)


def run_lab(a):
    """JupyterLab in the clone."""
    import subprocess
    lessons = sorted((ROOT / "lessons").glob("*.ipynb"))
    chosen = [path for path in lessons if a.unit is None or path.stem.startswith(a.unit.zfill(2)) or a.unit in path.stem]
    if not chosen:
        raise ValueError(f"no lesson {a.unit!r}; there are {', '.join(path.stem for path in lessons)}")
    return subprocess.call([sys.executable, "-m", "jupyterlab", str(chosen[0])], cwd=ROOT)


def run_pretrain(a):
    """minibert.training.pretrain(docs, tokenizer, ...)"""
    from .config import preset
    from .model import save_pretrained
    from .training import (
        TrainConfig,
        bert_objective,
        choose_device,
        evaluate_pretraining,
        forget,
        growing_phases,
        join,
        pretrain,
    )
    from .training.corpus import corpus, hold_out, processors, text_of_files, text_of_world, texts_folder
    from .training.loop import write_log
    settings = TrainConfig(steps=a.steps, batch_size=a.batch_size, peak_rate=a.peak_rate, seed=a.seed, optimizer=a.optimizer,
                           schedule=a.schedule, accumulate=a.accumulate, recompute=a.recompute, compile=a.compile)
    config, device = preset(a.preset), choose_device(a.device)
    team = join(device)
    if a.max_length > config.max_position_embeddings:
        raise ValueError(f"--max-length {a.max_length}: preset {a.preset!r} reads at most {config.max_position_embeddings}")
    workers = processors() if a.workers is None else a.workers
    text = text_of_files(a.corpus) if a.corpus else text_of_world(a.seed, a.documents, workers)
    say = print if team.first else str                                  # the others are silent
    tokenizer, encoded = team.in_turn(lambda: corpus(text, a.cache or texts_folder(), vocab=a.vocab, vocab_size=a.vocab_size,
                                                     workers=workers, say=say))
    documents, held_out = hold_out(encoded)
    say(f"{len(documents):,} documents to train on, {len(held_out):,} held out; {device}")
    phases = growing_phases(settings, a.max_length, config.num_hidden_layers)
    model, log = pretrain(documents, tokenizer, config, phases, device, checkpoint=a.out / "training",
                          make_objective=partial(bert_objective, rate=a.mask_rate), about=asked(a))
    if not team.first:
        return
    save_pretrained(model, a.out, tokenizer.vocab)
    write_log(a.out / "log.jsonl", log)
    forget(a.out / "training")
    scores = evaluate_pretraining(model, tokenizer, held_out, a.max_length)
    print(f"Held out: masked words {scores['mlm']:.1f}% (most frequent token {scores['mlm_frequency']:.1f}%), "
          f"next sentence {scores['nsp']:.1f}% (larger class {scores['nsp_chance']:.1f}%). Model: {a.out}")


def run_finetune(a):
    """minibert.finetuning.finetune(task, encoder, tokenizer, examples)"""
    from .class_model import class_model, load_bert
    from .finetuning import finetune, read_examples
    from .training import choose_device, forget, join
    from .training.loop import write_log
    device, out = choose_device(a.device), a.out or Path(f"finetuned-{a.task}")
    team = join(device)
    examples, dev = read_examples(a.task, a.train), read_examples(a.task, a.dev)
    model, tokenizer = team.in_turn(lambda: load_bert(a.model) if a.model else class_model())
    tuned, log = finetune(a.task, model.encoder.to(device), tokenizer, examples, epochs=a.epochs, batch_size=a.batch_size,
                          peak_rate=a.peak_rate, seed=a.seed, way=a.way, encoder_rate=a.encoder_rate, layer_decay=a.layer_decay,
                          pooler=model.heads["pair"].pooler, dev=dev, label=f"finetune {a.task}", checkpoint=out / "training",
                          about=asked(a))
    if not team.first:
        return
    tuned.task.tune(tuned.model, dev)
    tuned.save(out)
    write_log(out / "log.jsonl", log)
    forget(out / "training")
    print_scores(tuned, dev)
    print(f"Model: {out}")


def asked(a):
    """The options of a command that decide what it makes: an interrupted one goes on only where they are the same."""
    how = ("run", "command", "out", "device", "cache", "workers", "accumulate", "recompute", "compile")
    return {name: value if isinstance(value, int | float | str | None) else str(value)
            for name, value in vars(a).items() if name not in how}


def run_evaluate(a):
    """minibert.finetuning.evaluate.evaluate_file(tuned, data, out)"""
    from .finetuning import Finetuned
    from .finetuning.evaluate import evaluate_file, keep_threshold
    tuned = Finetuned.load(a.model)
    report = evaluate_file(tuned, a.data, a.out)
    print(f"{report.count} examples: {report.line}")
    if a.fit_threshold:
        print(f"Threshold {keep_threshold(tuned, report, a.model):.3f}, kept in {a.model}")
    if a.out and report.tables:
        from .corpora.errors import write_text
        from .viz.analysis import errors_figure
        from .viz.explorer import figure_html
        drawn = figure_html(*errors_figure(report.tables, f"Where {a.model.name} errs on {a.data.name}"))
        write_text(a.out / "analysis.svg", drawn.replace("currentColor", "#777"))
        print(f"\n{report.markdown}")
    if a.out:
        print(f"Files: {a.out}")


def print_scores(tuned, examples):
    """The metrics of a fine-tuned model on examples, one line."""
    scores = tuned.task.metric(examples, tuned.task.answer(tuned.model, examples))
    print(f"{len(examples)} examples: " + ", ".join(f"{name} {value:.1f}" for name, value in scores.items()))


def run_predict(a):
    """Finetuned.load(folder), then task.answer"""
    from .finetuning import Finetuned
    from .finetuning import console as talk
    from .finetuning.predict import answer_question, predict_file, tag_text
    if a.model is None and a.task is None:
        raise ValueError("give the task, such as qa, or --model")
    folder = a.model or Path(f"finetuned-{a.task}")
    tuned = Finetuned.load(folder)
    check_options(a, folder, tuned)
    if a.html:
        count = talk.page_of_file(tuned, a.file, a.html) if a.file else talk.page_of_text(tuned, a.text, a.html)
        print(f"{count} sentences: {a.html}", file=sys.stderr)
    if a.file and (a.out or not a.html):
        count = predict_file(tuned, a.file, a.out, a.nbest, a.null_odds)
        print(f"{count} answers: {a.out or 'standard output'}", file=sys.stderr)
    elif a.question is not None:
        print(answer_question(tuned, a.question, a.context))
    elif a.text is not None and not a.html:
        print((talk.coloured_text if talk.colourful(sys.stdout) else tag_text)(tuned, a.text))
    elif not (a.file or a.html):
        talk.converse(tuned, iter(sys.stdin), sys.stdout, sys.stderr if sys.stdin.isatty() else None, a.context)


def check_options(a, folder, tuned):
    """Raise ValueError for options of `predict` that do not go with the task, or not with one another."""
    if a.task not in (None, tuned.name):
        raise ValueError(f"{folder} was fine-tuned for {tuned.name}, not for {a.task}")
    qa, tags = tuned.name == "qa", hasattr(tuned.task, "tags")
    given = {name for name in ("context", "question", "nbest", "null_odds", "text", "html") if getattr(a, name) is not None}
    allowed = {"context", "question", "nbest", "null_odds"} if qa else {"text", "html"} if tags else set()
    lacking = {"question": "context", "html": "text", "nbest": "file", "null_odds": "file"}
    alone = not a.file and any(name in given and lacking[name] not in given for name in lacking)
    if given - allowed or alone or not (qa or tags or a.file):
        needed = "--context and --question, or --file" if qa else "--text, or --file" if tags else "--file"
        raise ValueError(f"{folder} was fine-tuned for {tuned.name}: give {needed}")


def run_world(a):
    """minibert.corpora.world.files.write_files(World(seed), documents, seed, split, kinds, out)"""
    from .corpora.world import World
    if a.out is None:
        for number, document in enumerate(World(a.seed).documents(a.documents, seed=a.seed, split=a.split)):
            print("\n" * (number > 0) + document.text)
        return
    from .corpora.world.files import write_files
    for path in write_files(World(a.seed), a.documents, a.seed, a.split, a.kind, a.out):
        print(path)


def run_download(a):
    """minibert.corpora.download.download(name, folder)"""
    from .corpora.download import SETS, describe, download
    for line in map(str, download(a.name, a.folder)) if a.name else map(describe, SETS):
        print(line)


def run_bench(a):
    """minibert.bench.bench(full, out)"""
    from .bench import bench
    bench(a.full, a.out)


def run_build(a):
    """minibert.grading.build.main(check, names, root)"""
    from .grading import build
    return build.main(a.check, a.names, ROOT)


def run_doctor(a):
    """minibert.grading.doctor.doctor(notebook)"""
    from .grading import doctor
    return doctor.main(a.notebook)
