"""The readers of labelled files, by the names of the tasks on the command line.

Each is called as iterate(path, labelled=True) and yields example after example, so that a file may be larger
than memory; what turns them into rows stands in `minibert.finetuning.registry`.
"""
from functools import partial

from .conll import iter_conll
from .conllu import iter_pos
from .glue import FORMS, iter_glue
from .multiple_choice import iter_codah, iter_race, iter_swag
from .sentiment import iter_sst2, iter_sst5
from .squad import iter_squad

READERS = {"qa": iter_squad, "ner": iter_conll, **{task: partial(iter_glue, task) for task in FORMS},
           "sst2": iter_sst2, "sst5": iter_sst5, "swag": iter_swag, "race": iter_race, "codah": iter_codah,
           "pos": iter_pos, "chunk": partial(iter_conll, column=3)}
