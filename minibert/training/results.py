"""What surrounds one pretraining run: what decides its result, and how the result is kept."""

from pathlib import Path
from typing import Any

from ..model.checkpoints.pretrained import Pretrained
from .log import write_log
from .pretraining import evaluate_pretraining, forget
from .storage import write_with_retries

# options that change how a result is computed, not what it is
HOW = ("out", "device", "cache", "workers", "accumulate", "recompute", "compile", "progress", "tensorboard")
WHERE = ("corpus", "vocab", "train", "dev", "model")  # the content of these files counts, not their place


def decisive(options: dict[str, Any], **contents: Any) -> dict[str, Any]:
    """The values that decide what a call makes: an interrupted one goes on only if they are the same.

    They are its options, without HOW it computes and WHERE files are, and `contents`: names for the content
    of the files.
    """
    return contents | {
        name: value if isinstance(value, int | float | str | None) else str(value)
        for name, value in options.items()
        if name not in HOW + WHERE
    }


def keep_pretrained(
    made: Pretrained,
    log: list[dict[str, Any]],
    held_out: list,
    max_length: int,
    folder: Path | None,
    progress: bool,
) -> None:
    """Save a pretrained model, print its scores on held-out documents, and delete its checkpoints."""
    if folder:
        write_with_retries(lambda: made.save(folder))
        write_log(folder / "log.jsonl", log)
    if progress:
        scores = evaluate_pretraining(made.model, made.tokenizer, held_out, max_length)
        print(
            f"Held out: masked words {scores['mlm']:.1f}% (most frequent token "
            f"{scores['mlm_frequency']:.1f}%), next sentence {scores['nsp']:.1f}% (larger class "
            f"{scores['nsp_chance']:.1f}%)." + f" Model: {folder}" * bool(folder)
        )
    if folder:
        forget(folder / "training")  # last: whoever stops before goes on from the end
