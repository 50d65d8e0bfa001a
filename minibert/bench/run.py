"""The command `minibert bench` and the sections of its benchmark.

Ratios are computed per round; the table shows their median and quartiles.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch

from ..config import ModelConfig, preset
from ..tokenizer.fast import FastWordPiece
from ..training.device import choose_device, default_precision
from ..training.pretraining import bert_objective
from . import material, whole
from .clock import Spread, busy_core, take_turns, times_faster
from .gpu import gpu
from .parts import PRODUCTS, time_by_part
from .peers import WITHOUT, Peer, hugging_face, ours, with_torch_encoder
from .products import Products, useful_work
from .table import BenchmarkReport

F32, BF16 = torch.float32, torch.bfloat16
NAMES = {F32: "float32", BF16: "bfloat16"}
DEFAULT, HALF = "Hugging Face, default (float32)", "Hugging Face, bfloat16"
BUSY = "minibert, while another process keeps one core busy"
TORCH_HALF = "torch.nn.TransformerEncoder, bfloat16"
MODELS = {  # configuration, sequences per batch, batches, maximum tokens per sequence
    "class": (preset("class"), 32, 4, 128),
    "4 x 256": (preset("mini", vocab_size=8192, max_position_embeddings=128), 32, 4, 128),
    "base": (preset("base"), 8, 2, 128),
}
FAR = 0.1  # initial weights large enough for the loss to depend on all of them; small ones all give ln V
TOLERANCE = 1e-4  # relative, for a float32 loss after some steps: sums are computed in different orders
# The size that grows: (changes to 4 x 256, sequences, tokens per sequence).
GROWTH: dict[str, list[tuple[dict[str, Any], int, int]]] = {
    "length": [({}, 4096 // length, length) for length in (32, 64, 128, 256)],
    "width": [
        ({"hidden_size": D, "intermediate_size": 4 * D, "num_attention_heads": D // 64}, 32, 64)
        for D in (128, 256, 512)
    ],
    "depth": [({"num_hidden_layers": layers}, 32, 64) for layers in (2, 4, 8)],
    "batch": [({}, rows, 64) for rows in (8, 32, 128)],
}


def bench(full: bool = False, out: str | Path | None = None, rounds: int = 5) -> BenchmarkReport:
    """Run the benchmark on the CPU and return its BenchmarkReport.

    full: run all sections instead of only the training step, and BERT-base on a GPU if there is one. out: a
    folder for speed.json and speed.md. If `transformers` is not installed, the report says so.
    """
    report = BenchmarkReport(out)
    tokenizer, docs = material.language(1500, preset("class").vocab_size)
    for name in ("class", "4 x 256"):
        step(report, name, tokenizer, docs, rounds)
    if full:
        step(report, "base", tokenizer, docs, 3)
        for name in ("class", "4 x 256"):
            parts(report, name, tokenizer, docs, rounds)
        inference(report, tokenizer, docs, rounds)
        for name in ("class", "4 x 256"):
            whole.pipeline(report, name, MODELS[name], tokenizer, docs, rounds)
        # 4 x 256 would need more than MOST steps.
        whole.accuracy(report, "class", MODELS["class"], tokenizer, docs)
        whole.memory(report, ("class", "4 x 256", "base"))
        growth(report, tokenizer)
        if torch.cuda.is_available():
            gpu(report, tokenizer, choose_device("cuda"), rounds)
    return report


def contest(
    report: BenchmarkReport,
    section: str,
    name: str,
    config: ModelConfig,
    objective: Any,
    torch_too: bool = True,
) -> dict[str, Peer]:
    """Return the Peers to compare by name, this package's first; all have the same weights.

    This package's model computes in the default precision of training, and in float32. torch_too: whether to
    include PyTorch's own encoder.
    """
    first = ours(config, objective, F32)
    best = default_precision(torch.device("cpu"))
    peers: dict[str, Peer] = {
        f"minibert, {NAMES[dtype]}": first.at(dtype) for dtype in dict.fromkeys((best, F32))
    }
    try:
        theirs = hugging_face(first, F32)
        peers |= {DEFAULT: theirs, HALF: theirs.at(BF16)}
    except ModuleNotFoundError:
        report.add(section, name, "Hugging Face", None, "", WITHOUT)
    if torch_too:
        other = with_torch_encoder(first, F32)
        peers |= {"torch.nn.TransformerEncoder, float32": other, TORCH_HALF: other.at(BF16)}
    return peers


def check_equal(
    report: BenchmarkReport,
    section: str,
    name: str,
    config: ModelConfig,
    objective: Any,
    batch: material.Inputs,
    steps: int,
) -> None:
    """Check that all models compute the same losses over some float32 steps without dropout.

    Adds the largest relative difference to the report. Raises FloatingPointError if it is above TOLERANCE.
    """
    config = config.replace(hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0, initializer_range=FAR)
    peers = contest(report, section, name, config, objective)
    single = {contestant: peer for contestant, peer in peers.items() if peer.precision == F32}
    losses = np.array([[peer.step(batch).item() for _ in range(steps)] for peer in single.values()])
    worst = float(np.abs(losses / losses[-1] - 1).max())
    if worst > TOLERANCE:
        raise FloatingPointError(
            f"{name}: the float32 losses of {', '.join(single)} differ by {worst:.1e}: {losses.tolist()}"
        )
    report.add(
        section,
        name,
        f"largest relative difference of {len(single)} losses over {steps} float32 steps",
        Spread(worst, worst, worst),
        "",
    )


def step(report: BenchmarkReport, name: str, tokenizer: FastWordPiece, docs: list[Any], rounds: int) -> None:
    """Time the training steps of all models on the same sequences, and add the speeds to the report.

    The models start with the same weights and use the same optimiser. name: a model size, a key of MODELS.
    """
    section = "Training step, non-padding tokens per second"
    config, size, count, length = MODELS[name]
    objective = bert_objective(tokenizer, length)
    rows = material.natural_rows(tokenizer, docs, size * count, length, np.random.default_rng(0))
    plain, like = material.as_they_come(rows, size), material.by_length(rows, size)
    check_equal(report, section, name, config, objective, plain[0], 1 if name == "base" else 3)
    peers = contest(report, section, name, config, objective)
    best = next(iter(peers))
    own = {
        dtype: [
            Products(config, len(batch.real), batch.real.shape[1], batch.predicted, dtype) for batch in like
        ]
        for dtype in (BF16, F32)
    }
    contestants: dict[Any, Callable[[], Any]] = (
        {
            contestant: partial(each, peer.step, like if contestant.startswith("minibert") else plain)
            for contestant, peer in peers.items()
        }
        | {"minibert, sequences as they come": partial(each, peers[best].step, plain)}
        | {dtype: partial(each, Products.step, products) for dtype, products in own.items()}
    )
    seconds = take_turns(contestants, rounds)
    with busy_core():
        seconds |= take_turns({BUSY: contestants[best]}, rounds)
    tokens = int(rows.lengths.sum())
    speeds(
        report, section, name, tokens, best, {key: value for key, value in seconds.items() if key not in own}
    )
    shares(report, section, name, config, like, own, seconds)
    if DEFAULT in seconds:
        a, b = (number_of(times_faster(seconds[best], seconds[other])) for other in (DEFAULT, HALF))
        padded = sum(batch.real.numel() for batch in plain)
        report.say(
            f"{name}, vocabulary {config.vocab_size:,}, {size} sequences of up to {length} tokens: "
            f"{a} times the speed of Hugging Face's default and {b} times the speed of its bfloat16, "
            f"in non-padding tokens per second of a training step ({100 * tokens / padded:.0f}% of the "
            "tokens in the batches of a simple data loader are not padding)."
        )


def each(function: Callable[[Any], Any], batches: Iterable[Any]) -> None:
    for batch in batches:
        function(batch)


def speeds(
    report: BenchmarkReport,
    section: str,
    model: str,
    tokens: int,
    best: str,
    seconds: Mapping[Any, np.ndarray],
    task: str = "",
) -> None:
    """Report each model's tokens per second, and how many times as fast the model `best` is.

    tokens: the number of tokens per round. seconds: each model's times, as from `take_turns`.
    """
    for contestant in seconds:
        ratio = number_of(times_faster(seconds[best], seconds[contestant]))
        note = "" if contestant == best else f"minibert is {ratio} times as fast"
        report.add(
            section, model, contestant + task, Spread.of(tokens / seconds[contestant]), "tokens/s", note
        )


def shares(
    report: BenchmarkReport,
    section: str,
    model: str,
    config: ModelConfig,
    batches: list[material.Inputs],
    own: Mapping[torch.dtype, list[Products]],
    seconds: Mapping[Any, np.ndarray],
) -> None:
    """Report the speed of a model's matrix products alone, and the share of this speed that training reaches.

    The share counts only non-padding tokens. own: a dict that maps each precision to the products of each
    batch. seconds: the times of the products and of training, as from `take_turns`.
    """
    work = sum(useful_work(config, batch.lengths, batch.predicted) for batch in batches) / 1e9
    for dtype, group in own.items():
        rate = sum(products.work for products in group) / 1e9 / seconds[dtype]  # (rounds,)
        report.add(
            section,
            model,
            f"matrix products alone, {NAMES[dtype]}",
            Spread.of(rate),
            "GFLOP/s",
            "at the model's own shapes",
        )
        mine = f"minibert, {NAMES[dtype]}"
        if mine in seconds:
            report.add(
                section,
                model,
                f"{mine}: share of that rate that goes into real tokens",
                Spread.of(100 * work / seconds[mine] / rate),
                "%",
            )
            report.add(
                section,
                model,
                f"{mine}: the floor, these products alone, as a share of its step",
                Spread.of(100 * seconds[dtype] / seconds[mine]),
                "%",
            )


def parts(report: BenchmarkReport, name: str, tokenizer: FastWordPiece, docs: list[Any], rounds: int) -> None:
    """Report how the time of this package's training step is distributed over its parts."""
    section = "Where the time of a training step goes"
    config, size, count, length = MODELS[name]
    objective = bert_objective(tokenizer, length)
    rows = material.natural_rows(tokenizer, docs, size * count, length, np.random.default_rng(0))
    batches = material.by_length(rows, size)
    peer = ours(config, objective)
    each(peer.step, batches)
    found = [time_by_part(partial(each, peer.step, batches)) for _ in range(rounds)]
    for part in found[0]:
        report.add(
            section,
            name,
            f"{part}, {NAMES[peer.precision]}",
            Spread.of([shares[part] for shares in found]),
            "%",
        )
    products = np.median([shares[PRODUCTS] for shares in found])
    report.say(
        f"{name}: matrix products take {products:.0f}% of a training step. If everything else took no time, "
        f"the step would be {100 / products:.1f} times as fast; no step with these products in "
        f"{NAMES[peer.precision]} can be faster."
    )


def number_of(spread: Spread) -> str:
    return f"{spread.median:.1f} ({spread.low:.1f} to {spread.high:.1f})"


def inference(report: BenchmarkReport, tokenizer: FastWordPiece, docs: list[Any], rounds: int) -> None:
    """Report how fast each model computes the logits of masked tokens, in batches and one by one."""
    section = "Inference, non-padding tokens per second"
    for name in ("class", "4 x 256"):
        config, size, count, length = MODELS[name]
        rows = material.natural_rows(tokenizer, docs, size * count, length, np.random.default_rng(0))
        peers = contest(report, section, name, config, bert_objective(tokenizer, length))
        del peers[TORCH_HALF]
        report.add(
            section,
            name,
            TORCH_HALF,
            None,
            "",
            "PyTorch's fast path of inference does not run under autocast",
        )
        for peer in peers.values():
            peer.module.eval()
        single = [material.inputs(rows, [i], 1) for i in range(size) if rows.labels[i].max() >= 0]
        for task, mine, others in (
            (", all sequences", material.by_length(rows, size), material.as_they_come(rows, size)),
            (", one row at a time", single, single),
        ):
            seconds = take_turns(
                {
                    contestant: partial(
                        each, peer.infer, mine if contestant.startswith("minibert") else others
                    )
                    for contestant, peer in peers.items()
                },
                rounds,
            )
            speeds(
                report,
                section,
                name,
                sum(sum(batch.lengths) for batch in mine),
                next(iter(peers)),
                seconds,
                task,
            )


def growth(report: BenchmarkReport, tokenizer: FastWordPiece, rounds: int = 3) -> None:
    """Report how the speed-up over other models changes as each dimension grows, without padding."""
    section = "Training speed by length and model size (full sequences, no padding)"
    for what, points in GROWTH.items():
        for changes, count, length in points:
            config = preset(
                "mini", **{"vocab_size": 8192, "max_position_embeddings": max(128, length), **changes}
            )
            rows = material.full_rows(tokenizer, count, length, np.random.default_rng(0))
            batch = material.as_they_come(rows, count)[0]
            peers = contest(report, section, what, config, bert_objective(tokenizer, length), torch_too=False)
            seconds = take_turns({name: partial(peer.step, batch) for name, peer in peers.items()}, rounds)
            best = next(iter(peers))
            sizes = f"{config.num_hidden_layers} x {config.hidden_size}, {count} sequences of {length}"
            report.add(
                section, what, f"{sizes}: minibert", Spread.of(count * length / seconds[best]), "tokens/s"
            )
            for other in (DEFAULT, HALF):
                if other in seconds:
                    report.add(
                        section,
                        what,
                        f"{sizes}: over {other}",
                        times_faster(seconds[best], seconds[other]),
                        "times",
                    )
