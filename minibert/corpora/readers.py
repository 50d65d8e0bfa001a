"""The readers of labelled files, by the names of the tasks on the command line.

Each is called as read(path, labelled=True); what turns examples into rows stands in `minibert.finetuning.kinds`.
"""
from functools import partial

from .choices import read_codah, read_race, read_swag
from .conll import read_conll
from .conllu import read_pos
from .glue import FORMS, read_glue
from .sentiment import read_sst2, read_sst5
from .squad import read_squad

READERS = {"qa": read_squad, "ner": read_conll, **{task: partial(read_glue, task) for task in FORMS},
           "sst2": read_sst2, "sst5": read_sst5, "swag": read_swag, "race": read_race, "codah": read_codah,
           "pos": read_pos, "chunk": partial(read_conll, column=3)}
