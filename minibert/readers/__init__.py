"""The readers of labelled files, one for each task.

A reader is called as iterate(path, labelled=True) and yields one example after another, so that a file
(unless it is JSON) may be larger than memory.
"""

from functools import partial

from .conll import Sentence, iter_conll
from .conllu import iter_pos
from .glue import FORMATS, TextExample, iter_glue
from .multiple_choice import ChoiceExample, iter_codah, iter_race, iter_swag
from .sentiment import iter_sst2, iter_sst5
from .squad import QAExample, iter_squad

Example = QAExample | Sentence | TextExample | ChoiceExample

READERS = {
    "qa": iter_squad,
    "ner": iter_conll,
    **{task: partial(iter_glue, task) for task in FORMATS},
    "sst2": iter_sst2,
    "sst5": iter_sst5,
    "swag": iter_swag,
    "race": iter_race,
    "codah": iter_codah,
    "pos": iter_pos,
    "chunk": partial(iter_conll, column=3),
}
