"""Fine-tune any trunk for any task, and keep the result as a folder that `predict` and `evaluate` read.

Devlin et al. (2019, arXiv 1810.04805), sections 3.2 and A.3: all parameters are trained, for a few epochs.
`ways` has others.
"""
import json
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from ..corpora.readers.json_file import read_json
from ..files import write_text
from ..messages import plural
from ..model import FastEncoder, Model, load_pretrained, save_pretrained
from ..model.files import check_vocab
from ..model.heads import ClassifierHead
from ..tasks.base import Task
from ..tokenizer.fast import FastWordPiece
from ..training import TrainConfig, train
from .approaches import check_way, prepared, way_heads
from .kinds import KINDS
from .layers import rate_groups
from .notices import tell_notice


@dataclass(frozen=True)
class Finetuned:
    """A model, its task, the name of the task, and the way the trunk is used (see `ways`), ready to
    answer.
    """

    name: str
    task: Task
    model: Model
    way: str = "full"

    def save(self, folder):
        """Write the folder: the model's files, and `task.json` with what the task needs."""
        save_pretrained(self.model, folder, self.task.tokenizer.vocab)
        settings = {"task": self.name, "max_length": self.task.max_length,
                    "lower_case": self.task.tokenizer.lower_case,
                    "settings": self.task.settings, "way": self.way}
        write_text(Path(folder) / "task.json", json.dumps(settings, indent=2) + "\n")

    @classmethod
    def load(cls, folder, device="cpu"):
        """Read such a folder; the model goes to `device`. Raises ValueError for one that holds no fine-tuned
        model.
        """
        path = Path(folder) / "task.json"
        if not path.is_file():
            raise ValueError(f"{path}: no such file; `minibert finetune` writes it")
        settings = read_json(path)
        lacking = sorted({"task", "max_length", "lower_case",
                          "settings"} - set(settings if isinstance(settings, dict) else ()))
        if lacking or settings["task"] not in KINDS:
            raise ValueError(f"{path}: " + (f"says nothing of {', '.join(lacking)}" if lacking else
                                            f"unknown task {settings['task']!r}; known tasks: "
                                            f"{', '.join(KINDS)}"))
        for name, kind in {"max_length": int, "lower_case": bool, "settings": dict}.items():
            if not isinstance(settings[name], kind):
                raise ValueError(f"{path}: {name} {settings[name]!r} is no {kind.__name__}")
        way = settings.get("way", "full")                   # folders of earlier versions do not say
        tokenizer = FastWordPiece.load(Path(folder) / "vocab.txt", lower_case=settings["lower_case"])
        try:
            task = KINDS[settings["task"]].task(tokenizer, settings["max_length"], **settings["settings"])
            model = load_pretrained(folder, partial(way_heads, task, way))
        except TypeError as error:
            raise ValueError(
                f"{path}: its values are not those of the task {settings['task']!r} ({error})") from None
        check_vocab(folder, tokenizer, model.encoder.config)
        return cls(settings["task"], task, model.to(device), way)


def finetune(name, encoder, tokenizer, examples, *, epochs=None, steps=None, batch_size=16, peak_rate=5e-4,
             seed=0,
             max_length=None, way="full", encoder_rate=None, layer_decay=1.0, pooler=None, dev=(),
             settings=None, about=None,
             **options):
    """Train `encoder` (changed in place) and a new head on labelled examples. Returns (Finetuned, log).

    Give `epochs` or `steps`. way: how the trunk is used, see `ways`; all but "full" leave it as it is.
    encoder_rate, layer_decay: see `parameter_groups`. pooler: the map of [CLS] that was pretrained with
    `encoder`, from which a head that has one starts, as in the authors' code. dev: examples to be scored
    later; what is wrong with them is said now. settings: of the task, beyond what it takes from the examples,
    such as {"document_context": True}. about: of `train`; a run that goes on from a checkpoint must be for
    the same task, way and settings. options: of `train`, such as `label` and `checkpoint`, and further fields
    of TrainConfig, such as `accumulate`.
    """
    import torch
    check_way(way, encoder_rate, layer_decay)
    if (epochs is None) == (steps is None):
        raise ValueError(f"epochs={epochs}, steps={steps}: give one of them")
    for what, value in (("epochs", epochs), ("batch_size", batch_size)):
        if value is not None and value < 1:
            raise ValueError(f"{what}={value} must be at least 1")
    max_length = max_length or encoder.config.max_position_embeddings
    task = KINDS[name].task.fit(tokenizer, max_length, examples, **(settings or {}))
    task.encode(task.unlabelled(dev))
    tell_notice(task, dev, "dev")
    rows, labels, _ = task.encode(examples)
    if not rows:
        raise ValueError(f"{plural(len(examples), 'example')} to train on, and no word in them")
    steps = epochs * -(-len(rows) // batch_size) if steps is None else steps
    torch.manual_seed(seed)
    encoder = FastEncoder.of(encoder)
    model = Model(encoder, way_heads(task, way, encoder)).to(next(encoder.parameters()).device)
    for head in model.heads.values():
        if pooler is not None and isinstance(head, ClassifierHead):
            head.pooler.load_state_dict(pooler.state_dict())
    fields = {name: options.pop(name) for name in TrainConfig.__dataclass_fields__.keys() & options.keys()}
    config = TrainConfig(steps=steps, batch_size=batch_size, peak_rate=peak_rate, seed=seed, **fields)
    about = {"task": name, "way": way, "max_length": max_length, "settings": task.settings, **(about or {})}
    with prepared(model, task, way, rows):
        groups = rate_groups(model, peak_rate, encoder_rate, layer_decay)
        log = train(model, task, lambda rng: (rows, labels), config, groups=groups, about=about, **options)
    return Finetuned(name, task, model, way), log
