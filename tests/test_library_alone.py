"""The library works without the course: its folders can be deleted."""

import shutil
import subprocess
import sys

from conftest import ROOT
from tiny import CONFIG

from minibert.data.batch import SPECIAL_TOKENS
from minibert.model import Encoder
from minibert.model.checkpoints.pretrained import with_pooler
from minibert.tokenizer.fast import FastWordPiece
from minibert.training.pretraining import bert_objective

CODE = """
import importlib, pathlib, sys
import minibert
package = pathlib.Path(minibert.__file__).parent
assert package.is_relative_to(sys.argv[1]) and not (package / "course").exists()
for path in package.rglob("*.py"):
    parts = path.relative_to(package.parent).with_suffix("").parts
    if parts[-1] != "__main__":
        importlib.import_module(".".join(parts[:-1] if parts[-1] == "__init__" else parts))
(predictions,) = minibert.load(sys.argv[2]).fill_mask("a [MASK] b", top=2)
sys.exit(len(predictions) != 2)
"""


def test_the_library_works_when_the_course_is_deleted(tmp_path):
    alone = shutil.copytree(
        ROOT / "minibert",
        tmp_path / "minibert",
        ignore=lambda folder, names: {"course", "grading", "bench"} & {*names},
    )
    tokenizer = FastWordPiece([*SPECIAL_TOKENS, "a", "b"])
    config = CONFIG.replace(vocab_size=len(tokenizer))
    with_pooler(bert_objective(tokenizer, 16).model(Encoder(config)), tokenizer, "tiny").save(
        tmp_path / "bert"
    )
    done = subprocess.run(
        [sys.executable, "-c", CODE, str(tmp_path), str(tmp_path / "bert")], cwd=alone.parent
    )
    assert done.returncode == 0
