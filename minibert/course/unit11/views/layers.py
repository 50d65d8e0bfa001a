"""Which layers to keep, and a student that learns live from its teacher."""

from functools import cache

import ipywidgets as widgets
import numpy as np

from minibert.analysis.significance import is_significant
from minibert.course.widgets.guess_then_see import GuessChoice
from minibert.course.widgets.learning_curves import LiveCurve
from minibert.course.widgets.plots import bars
from minibert.course.widgets.view import Controls, Drawing, View
from minibert.finetuning.compression.distillation import Distillation
from minibert.finetuning.compression.student import layer_map
from minibert.model.checkpoints.pretrained import Pretrained
from minibert.objectives import MLM
from minibert.training.config import TrainConfig
from minibert.training.loop import train

from . import ours
from .exam import Exam, parameters, plain_text, sequences, trainable_copy, with_encoder, with_layers
from .gaps import fills_html

CHOICES = {"the bottom half": "bottom", "every second layer": "every", "the top half": "top"}
STEPS, BATCH, RATE, EVERY = 40, 16, 5e-4, 10
TEMPERATURE = 2.0


def keep_layers(model: Pretrained) -> Controls:
    """Let the student choose which layers stay, and show what the model then puts into gaps."""
    exam, L = Exam(model), model.config.num_hidden_layers

    @cache
    def measured(kept: tuple[int, ...]) -> tuple[Pretrained, float]:
        small = with_layers(model, kept)
        return small, exam.score(small)

    def draw(**chosen: bool) -> str:
        kept = tuple(i for i, stays in enumerate(chosen.values()) if stays)
        if not kept:
            return "<p>Keep at least one layer.</p>"
        small, score = measured(kept)
        size = ours.megabytes(parameters(small.model), 32)
        said = (
            f"{len(kept)} of {L} layers: {score:.0f}% of {exam.count} masked tokens right "
            f"(all layers: {measured(tuple(range(L)))[1]:.0f}%), {size:.0f} MB, without any further training."
        )
        return f'<p role="status"><b>{said}</b></p>' + fills_html(model, small)

    first, look = layer_map(L, (L + 1) // 2, "every"), {"layout": {"width": "110px"}, "indent": False}
    boxes = {
        f"layer{i + 1}": widgets.Checkbox(i in first, description=f"Layer {i + 1}", **look) for i in range(L)
    }
    return Controls(draw, **boxes)


def guess_layers(model: Pretrained) -> GuessChoice:
    """Ask which half of the layers does worst alone."""
    exam, L = Exam(model), model.config.num_hidden_layers

    @cache
    def scores() -> dict[str, float]:
        half = (L + 1) // 2
        return {
            name: exam.score(with_layers(model, layer_map(L, half, how))) for name, how in CHOICES.items()
        }

    def see() -> Drawing:
        found = {"all layers": exam.score(with_encoder(model, model.encoder)), **scores()}
        worst = min(found, key=found.__getitem__)
        return bars(
            list(found),
            list(found.values()),
            f"% of {exam.count} masked tokens right, without further training",
            f"Alone, {worst} does worst",
            chosen=list(found).index(worst),
            form="{:.0f}",
        )

    return GuessChoice(
        "Half of the layers stay, and nothing is trained further. Which half does worst?",
        list(CHOICES),
        lambda: min(scores(), key=scores().__getitem__),
        see=see,
    )


def teach(model: Pretrained, start: str, steps: int = STEPS) -> View:
    """Train a student with half of the layers twice: with its teacher's soft targets, and with labels alone.

    Both start alike and read the same sentences in the same order; the curve shows how many masked tokens of
    other sentences are right. start: as for `layer_map`. Returns how often only one of the two is right, with
    the p value of McNemar's test.
    """
    exam, rows = Exam(model), sequences(model, plain_text(model))
    L = model.config.num_hidden_layers
    layers = layer_map(L, (L + 1) // 2, start)
    tokenizer, whole = model.tokenizer, with_encoder(model, model.encoder)
    mlm = MLM(tokenizer.specials, len(tokenizer), 64)
    config = TrainConfig(steps=steps, batch_size=BATCH, peak_rate=RATE)
    found: dict[str, np.ndarray] = {}
    live = LiveCurve(
        "masked tokens right, %", every=EVERY, lines={"teacher": exam.score(whole)}, limits=(0, 35)
    )
    for name, goal in {
        "with the teacher": Distillation(mlm, whole.model, TEMPERATURE, share=1.0),
        "with labels alone": mlm,
    }.items():
        student = trainable_copy(model, layers)

        def score(_, student=student):
            return 100 * float(exam.answers(student).float().mean())

        live.line(name)
        live.value = score
        live.curves[name].append((0, score(None)))
        train(student, goal, lambda rng: (rows, None), config, progress=live)
        found[name] = exam.answers(student).numpy()
    taught, alone = found.values()
    p, differ = is_significant(taught, alone, level=0.05)
    return View(
        f"<p>Of {exam.count} masked tokens, {(taught & ~alone).sum()} are right only with the teacher, and "
        f"{(alone & ~taught).sum()} only with labels alone. Chance alone would "
        f"{'rarely' if differ else 'often'} give such a difference (p = {p:.2f}).</p>"
    )
