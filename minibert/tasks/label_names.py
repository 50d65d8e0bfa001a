"""Other names for a model's labels, because data sets and models name and number the same labels differently.

The numbers of classes are those of the data sets on Hugging Face's hub. A name or a number that may mean
different labels is left out.
"""

import re
from collections.abc import Iterable, Mapping, Sequence

from ..readers.glue import FORMATS, plain

DEFAULT = re.compile(
    r"label_(\d+)"
)  # the name, in lowercase, that `transformers` gives class N without a name
NUMBERED = {form.names for form in FORMATS.values() if form.names}
SAME_TYPES = (
    ("per", "person"),
    ("loc", "location"),
    ("org", "organization", "organisation"),
    ("misc", "miscellaneous"),
)
# CoNLL 2003 has four types, the last one for all others; WNUT-17 divides two of them
CONLL = {"per", "loc", "org", "misc"}
WNUT = {"corporation": "org", "group": "org", "creative_work": "misc", "product": "misc"}


def other_names(labels: Sequence[str]) -> dict[str, str]:
    """Return a dict that maps other names of labels, in the form of `plain`, to these labels.

    labels: in the order of a model's classes. A number is another name of LABEL_N, and of the label that it
    has in all data sets with these labels, if the model has the same order.

    >>> other_names(["NEGATIVE", "POSITIVE"])
    {'negative': 'NEGATIVE', 'positive': 'POSITIVE', '0': 'NEGATIVE', '1': 'POSITIVE'}
    """
    names = {plain(label): label for label in labels}
    if len(names) < len(labels):  # two labels differ only in case
        return {}
    same = [known for known in NUMBERED if {*map(plain, known)} == names.keys()]
    numbered = bool(same) and all([*map(plain, known)] == [*names] for known in same)
    defaults = {found[1]: label for name, label in names.items() if (found := DEFAULT.fullmatch(name))}
    return {**names, **defaults, **({str(i): label for i, label in enumerate(labels)} if numbered else {})}


def other_types(types: Sequence[str]) -> dict[str, str]:
    """Return a dict that maps other names of entity types, in the form of `plain`, to these types.

    >>> other_types(["PER", "LOC"])["person"], "location" in other_types(["PER"])
    ('PER', False)
    """
    names = other_names(types)
    for group in SAME_TYPES:
        known = [names[name] for name in group if name in names]
        names |= dict.fromkeys(group, known[0]) if len(known) == 1 else {}
    if {*map(plain, types)} == CONLL:
        names |= {other: names[name] for other, name in WNUT.items()}
    return names


def renamed(label: str, labels: Iterable[str], others: Mapping[str, str]) -> str:
    """Return the label in `labels` that a file's label means, or else the file's label."""
    return label if label in labels else others.get(plain(label), label)
