"""Find the package's own function of a name: each exercise that has one is compared with it."""

from minibert import reference
from minibert.analysis import definitions as measures
from minibert.analysis import layers, significance
from minibert.course.unit05 import definitions as unit05
from minibert.course.unit06 import definitions as unit06
from minibert.course.unit09 import definitions as unit09
from minibert.course.unit10 import definitions as unit10
from minibert.course.unit11 import definitions as unit11
from minibert.course.unit13 import definitions as unit13
from minibert.course.unit14 import definitions as unit14
from minibert.data import bucketing, formats, masking, noising, packing, permutation, spans, tagging
from minibert.tasks import answers
from minibert.training import schedule

PLACES = (
    reference,
    masking,
    packing,
    formats,
    noising,
    permutation,
    spans,
    tagging,
    bucketing,
    answers,
    schedule,
    layers,
    significance,
    measures,
    unit05,
    unit06,
    unit09,
    unit10,
    unit11,
    unit13,
    unit14,
)


def definition(name):
    """The function, or None."""
    return next((vars(place)[name] for place in PLACES if name in vars(place)), None)
