"""What each command does: one function a command, called with its parsed options; `cli` holds the options.

A function imports what it needs when it runs, so that `minibert --help` loads no PyTorch. Its docstring names
the Python call that does the same; the command's `--help` shows it.
"""
import sys
from functools import partial
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent      # the clone, where lessons and solutions are


def run_tour(a):
    """minibert.tour.tour(out, TourConfig(seed=...))"""
    from .tour import TourConfig, tour
    tour(a.out, TourConfig(seed=a.seed), ROOT, a.device)


def run_lab(a):
    """subprocess.call([sys.executable, "-m", "jupyterlab", lesson])"""
    import subprocess
    lessons = sorted((ROOT / "lessons").glob("*.ipynb"))
    chosen = [path for path in lessons if a.unit is None or path.stem.startswith(a.unit.zfill(2))
              or a.unit in path.stem]
    if not chosen:
        raise ValueError(f"no lesson {a.unit!r}; there are {', '.join(path.stem for path in lessons)}")
    return subprocess.call([sys.executable, "-m", "jupyterlab", str(chosen[0])], cwd=ROOT)


def run_pretrain(a):
    """minibert.training.pretrain(docs, tokenizer, model_config, phases, device)"""
    from .config import preset
    from .corpora.text.cache import name_of
    from .model import save_pretrained
    from .training import (
        TrainConfig,
        bert_objective,
        choose_device,
        evaluate_pretraining,
        forget,
        join,
        phases_of,
        pretrain,
    )
    from .training.corpus import corpus, hold_out, text_of_files, text_of_world, texts_folder
    from .training import write_log
    from .training.storage import write_with_retries
    from .training.threads import cores
    settings = TrainConfig(steps=a.steps, batch_size=a.batch_size, peak_rate=a.peak_rate, seed=a.seed,
                           optimizer=a.optimizer,
                           schedule=a.schedule, warmup=a.warmup, weight_decay=a.weight_decay, clip=a.clip,
                           save_every=a.save_every, accumulate=a.accumulate, recompute=a.recompute,
                           compile=a.compile)
    config, device = preset(a.preset), choose_device(a.device)
    team = join(device)
    if a.max_length > config.max_position_embeddings:
        raise ValueError(f"--max-length {a.max_length}: preset {a.preset!r} reads at most "
                         f"{config.max_position_embeddings}")
    phases, grow = phases_of(a.phases, settings, a.max_length, config.num_hidden_layers)
    workers = cores() if a.workers is None else a.workers
    text = text_of_files(a.corpus) if a.corpus else text_of_world(a.seed, a.documents, workers)
    say = print if team.first else str                                  # the others are silent
    tokenizer, encoded = team.in_turn(lambda: corpus(text, a.cache or texts_folder(), vocab=a.vocab,
                                                     vocab_size=a.vocab_size,
                                                     workers=workers, say=say))
    documents, held_out = hold_out(encoded)
    say(f"{len(documents):,} documents to train on, {len(held_out):,} held out; {device}")
    model, log = pretrain(documents, tokenizer, config, phases, device, checkpoint=a.out / "training",
                          grow=grow,
                          make_objective=partial(bert_objective, rate=a.mask_rate),
                          about=asked(a, text=text.name,
                                      vocabulary=name_of([tokenizer.vocab, tokenizer.lower_case])))
    if not team.first:
        return
    write_with_retries(lambda: save_pretrained(model, a.out, tokenizer.vocab))
    write_log(a.out / "log.jsonl", log)
    scores = evaluate_pretraining(model, tokenizer, held_out, a.max_length)
    print(
        f"Held out: masked words {scores['mlm']:.1f}% (most frequent token {scores['mlm_frequency']:.1f}%), "
          f"next sentence {scores['nsp']:.1f}% (larger class {scores['nsp_chance']:.1f}%). Model: {a.out}")
    forget(a.out / "training")  # last: whoever stops before goes on from the end


def run_finetune(a):
    """minibert.finetuning.finetune(task, encoder, tokenizer, examples)"""
    from .class_model import class_model, load_bert
    from .corpora.text.cache import name_of
    from .finetuning import finetune, read_examples
    from .training import choose_device, forget, join
    from .training import write_log
    from .training.storage import digest, write_with_retries
    device, out = choose_device(a.device), a.out or Path(f"finetuned-{a.task}")
    team = join(device)
    examples, dev = read_examples(a.task, a.train), read_examples(a.task, a.dev)
    model, tokenizer = team.in_turn(lambda: load_bert(a.model) if a.model else class_model())
    about = asked(a, training_set=name_of(map(repr, examples)), starting_model=digest(model.encoder),
                  vocabulary=name_of([tokenizer.vocab, tokenizer.lower_case]))
    tuned, log = finetune(a.task, model.encoder.to(device), tokenizer, examples, epochs=a.epochs,
                          batch_size=a.batch_size,
                          peak_rate=a.peak_rate, seed=a.seed, way=a.way, encoder_rate=a.encoder_rate,
                          layer_decay=a.layer_decay,
                          warmup=a.warmup, accumulate=a.accumulate, recompute=a.recompute,
                          pooler=model.heads["pair"].pooler, dev=dev, label=f"finetune {a.task}",
                          checkpoint=out / "training",
                          about=about)
    if not team.first:
        return
    tuned.task.tune(tuned.model, dev)
    write_with_retries(lambda: tuned.save(out))
    write_log(out / "log.jsonl", log)
    print_scores(tuned, dev)
    print(f"Model: {out}")
    forget(out / "training")  # last: whoever stops before goes on from the end


HOW = ("run", "command", "out", "device", "cache", "workers", "accumulate", "recompute", "compile")
WHERE = ("corpus", "vocab", "train", "dev", "model")  # what these files hold counts, not where they lie


def asked(a, **contents):
    """What decides what a command makes: an interrupted one goes on only where it is the same.

    Its options, without HOW it is computed and WHERE files are, and `contents`: names of what the files hold.
    """
    return contents | {name: value if isinstance(value, int | float | str | None) else str(value)
                       for name, value in vars(a).items() if name not in HOW + WHERE}


def run_evaluate(a):
    """minibert.finetuning.evaluate.evaluate_file(tuned, data, out)"""
    from .corpora.errors import plural
    from .finetuning import Finetuned
    from .finetuning.evaluate import check_threshold, evaluate_file, keep_threshold
    from .training import choose_device, join
    device = choose_device(a.device)
    team = join(device)
    tuned = Finetuned.load(a.model, device)
    if a.fit_threshold:
        check_threshold(tuned, a.model)
        found = evaluate_file(tuned, a.data)  # and then once more, with what it found
        threshold = team.once(lambda: keep_threshold(tuned, found, a.model))
        tuned.task.threshold = threshold
    report = evaluate_file(tuned, a.data, a.out)
    if not team.first:
        return
    print(f"{plural(report.count, 'example')}: {report.line}")
    if a.fit_threshold:
        print(f"Threshold {threshold:.3f}, kept in {a.model}")
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
    from .corpora.errors import plural
    print(f"{plural(len(examples), 'example')}: "
          + ", ".join(f"{name} {value:.1f}" for name, value in scores.items()))


def run_predict(a):
    """minibert.finetuning.Finetuned.load(folder), then task.answer(model, examples) of what it returns"""
    from .corpora.errors import plural
    from .finetuning import Finetuned
    from .finetuning import console as talk
    from .finetuning.predict import answer_question, predict_file, tag_text
    from .training import choose_device, join
    if a.model is None and a.task is None:
        raise ValueError("give the task, such as qa, or --model")
    folder = a.model or Path(f"finetuned-{a.task}")
    device = choose_device(a.device)
    team = join(device)
    tuned = Finetuned.load(folder, device)
    check_options(a, folder, tuned)
    if team.size > 1 and (a.html or not (a.file and a.out)):
        raise ValueError(
            f"{team.size} processes share the answers to a file: give --file and --out, and no --html")
    if a.html:
        count = talk.page_of_file(tuned, a.file, a.html) if a.file else talk.page_of_text(tuned, a.text,
                                                                                          a.html)
        print(f"{plural(count, 'sentence')}: {a.html}", file=sys.stderr)
    if a.file and (a.out or not a.html):
        count = predict_file(tuned, a.file, a.out, a.nbest, a.null_odds)
        if team.first:
            print(f"{plural(count, 'answer')}: {a.out or 'standard output'}", file=sys.stderr)
    elif a.question is not None:
        print(answer_question(tuned, a.question, a.context))
    elif a.text is not None and not a.html:
        print((talk.coloured_text if talk.colourful(sys.stdout) else tag_text)(tuned, a.text))
    elif not (a.file or a.html):
        if hasattr(sys.stdin, "reconfigure"):  # a byte that is not UTF-8 costs its line, not the talk
            sys.stdin.reconfigure(encoding="utf-8", errors="surrogateescape")
        try:
            talk.converse(tuned, iter(sys.stdin), sys.stdout, sys.stderr if sys.stdin.isatty() else None,
                          a.context)
        except KeyboardInterrupt:                                       # one way to end a talk
            print(file=sys.stderr)


def check_options(a, folder, tuned):
    """Raise ValueError for options of `predict` that do not go with the task, or not with one another."""
    if a.task not in (None, tuned.name):
        raise ValueError(f"{folder} was fine-tuned for {tuned.name}, not for {a.task}")
    qa, tags = tuned.name == "qa", hasattr(tuned.task, "tags")
    given = {name for name in ("context", "question", "nbest", "null_odds", "text", "html")
             if getattr(a, name) is not None}
    allowed = {"context", "question", "nbest", "null_odds"} if qa else {"text", "html"} if tags else set()
    lacking = {"question": "context", "html": "text", "nbest": "file", "null_odds": "file"}
    alone = not a.file and any(name in given and lacking[name] not in given for name in lacking)
    if given - allowed or alone or not (qa or tags or a.file):
        needed = "--context and --question, or --file" if qa else "--text, or --file" if tags else "--file"
        raise ValueError(f"{folder} was fine-tuned for {tuned.name}: give {needed}")
    if a.file and given & {"context", "question", "text"}:
        raise ValueError("--file has its own texts: give it, or --context and --question, or --text")
    if a.out and not a.file:
        raise ValueError(f"--out {a.out} is for the answers to --file; others are printed")
    places = [path.resolve() for path in (a.file, a.out, a.nbest, a.null_odds, a.html) if path]
    if len(set(places)) < len(places):
        raise ValueError("--file, --out, --nbest, --null-odds and --html: each needs a place of its own")


def run_world(a):
    """minibert.corpora.world.files.write_files(World(seed), documents, seed, split, kinds, out)"""
    from .corpora.world import World
    if a.out is None:
        if a.kind not in (None, ["text"]):
            raise ValueError(f"--kind {' '.join(a.kind)} is written to files: give --out")
        for number, document in enumerate(World(a.seed).documents(a.documents, seed=a.seed, split=a.split)):
            print("\n" * (number > 0) + document.text)
        return
    from .corpora.world.files import write_files
    kinds = a.kind or (["text"] if a.split == "pretrain" else ["text", "squad", "ner"])
    for path in write_files(World(a.seed), a.documents, a.seed, a.split, kinds, a.out):
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
    """minibert.grading.author.build.main(check, names, root); with --time,
    minibert.grading.author.timing.time_notebooks(root, names)
    """
    from .grading.author import build
    if a.check and a.time:
        raise ValueError("--time changes the headers, --check changes nothing: give one of them")
    status = build.main(a.check, a.names, ROOT)
    if status or not a.time:
        return status
    from .class_model import class_model
    from .grading.author.timing import time_notebooks
    class_model()                                                       # made once; no lesson's time holds it
    problems = time_notebooks(ROOT, a.names)
    for problem in problems:
        print(problem, file=sys.stderr)
    return build.main(False, a.names, ROOT) or int(bool(problems))


def run_doctor(a):
    """minibert.grading.intake.doctor.doctor(notebook)"""
    from .grading.intake import doctor
    return doctor.main(a.notebook)


def run_grade(a):
    """minibert.grading.run.class_run.grade_class(root, assignment, policy, source, jobs)"""
    from .grading.run import class_run
    from .training.threads import cores
    here = Path.cwd() if Path("nbgrader_config.py").exists() else ROOT
    jobs = cores() if a.jobs is None else a.jobs
    if jobs < 1:
        raise ValueError(f"--jobs {jobs}: at least one")
    return class_run.main(a.assignment, a.course or here, jobs, a.source, a.sandbox, a.out, a.scheduler)
