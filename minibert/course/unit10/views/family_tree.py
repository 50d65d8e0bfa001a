"""BERT's family tree: when each model appeared, what it builds on, what it changed, and its results."""

import html
from pathlib import Path
from typing import Any, NamedTuple

import anywidget
import traitlets

from minibert.course.widgets.theme import CSS
from minibert.course.widgets.view import beside

HERE = Path(__file__)
AXES = {
    "data": "data and length of training",
    "masks": "masks",
    "objective": "objective",
    "architecture": "architecture",
    "procedure": "training procedure",
}
ARXIV = "https://arxiv.org/abs/"


class FamilyMember(NamedTuple):
    """A model in BERT's family tree.

    when: year and month. parent: the model that it builds on, or "". changes: a dict that maps axes (see
    AXES) to what it changed. brought: its result. paper: authors and arXiv number.
    """

    name: str
    when: str
    parent: str
    changes: dict[str, str]
    brought: str
    paper: str


FAMILY = (
    FamilyMember(
        "Universal Transformer",
        "2018-07",
        "",
        {"architecture": "one layer, applied repeatedly; each position may decide how often"},
        "the idea that ALBERT uses without the adaptive part: parameters shared across layers",
        "Dehghani et al., 1807.03819",
    ),
    FamilyMember(
        "BERT",
        "2018-10",
        "",
        {},
        "the model of this course: MLM and NSP on books and Wikipedia",
        "Devlin et al., 1810.04805",
    ),
    FamilyMember(
        "Transformer-XL",
        "2019-01",
        "",
        {"architecture": "the previous segment's hidden states are kept as a memory; positions are relative"},
        "a language model that looks back over many segments; XLNet takes both ideas",
        "Dai et al., 1901.02860",
    ),
    FamilyMember(
        "XLM",
        "2019-01",
        "BERT",
        {
            "data": "many languages; text streams of any number of sentences instead of pairs",
            "objective": "translation language modeling: a sentence and its translation, masked together",
        },
        "one model for the 15 languages of XNLI",
        "Conneau and Lample, 1901.07291",
    ),
    FamilyMember(
        "ERNIE (Baidu)",
        "2019-04",
        "BERT",
        {
            "masks": "whole phrases and whole entities",
            "data": "Chinese encyclopedia, news, forum dialogues",
            "objective": "for dialogues, an additional one: is this a real dialogue?",
        },
        "better than BERT on five Chinese tasks",
        "Sun et al., 1904.09223",
    ),
    FamilyMember(
        "ERNIE (Tsinghua)",
        "2019-05",
        "BERT",
        {
            "architecture": (
                "entities of a knowledge graph are added as embeddings, in addition to the tokens"
            ),
            "objective": "an additional one: which entity does this mention refer to?",
        },
        "better entity typing and relation classification",
        "Zhang et al., 1905.07129",
    ),
    FamilyMember(
        "Stacking",
        "2019-06",
        "BERT",
        {"procedure": "a shallow model is trained, a copy is put on top of it, and training continues"},
        "about as good as BERT in less time",
        "Gong et al., ICML 2019",
    ),
    FamilyMember(
        "XLNet",
        "2019-06",
        "BERT",
        {
            "masks": "none: tokens are predicted in a random order, each from those before it in that order",
            "architecture": "two streams of attention; memory and relative positions of Transformer-XL",
            "objective": "no NSP",
            "data": "about ten times as much text as BERT",
        },
        "better than BERT on 20 tasks, by its authors' count",
        "Yang et al., 1906.08237",
    ),
    FamilyMember(
        "SpanBERT",
        "2019-07",
        "BERT",
        {
            "masks": "spans with geometric lengths, 3.8 words on average",
            "objective": "span boundary objective; no NSP, one segment",
        },
        "SQuAD 1.1: 94.6, SQuAD 2.0: 88.7 F1 on the test sets",
        "Joshi et al., 1907.10529",
    ),
    FamilyMember(
        "RoBERTa",
        "2019-07",
        "BERT",
        {
            "data": (
                "160 GB, ten times as much text as BERT; up to 500K steps with 8K sequences each, always 512 "
                "tokens"
            ),
            "masks": "drawn again each time a sequence is read",
            "objective": "no NSP",
            "procedure": "large batches, byte-level BPE with 50K tokens",
        },
        "with the architecture of BERT, as good as XLNet",
        "Liu et al., 1907.11692",
    ),
    FamilyMember(
        "ERNIE 2.0",
        "2019-07",
        "ERNIE (Baidu)",
        {
            "objective": "seven tasks about words, structure and meaning",
            "procedure": "one task is added at a time, and training on the old ones continues",
            "data": "more text",
        },
        "better than BERT and XLNet on 16 tasks, by its authors' count",
        "Sun et al., 1907.12412",
    ),
    FamilyMember(
        "StructBERT",
        "2019-08",
        "BERT",
        {
            "masks": "in addition, some trigrams are shuffled and must be put in order",
            "objective": "next, previous, or from another document?",
        },
        "SQuAD 1.1: 93.0 F1 on the dev set",
        "Wang et al., 1908.04577",
    ),
    FamilyMember(
        "ALBERT",
        "2019-09",
        "BERT",
        {
            "architecture": "factorised embeddings; all layers share parameters",
            "objective": "SOP for NSP",
            "masks": "spans of up to three words",
            "procedure": "no dropout at the end",
            "data": "xxlarge at the end: the texts of XLNet and RoBERTa",
        },
        "new records on GLUE, SQuAD and RACE with 235 million parameters, fewer than BERT-large",
        "Lan et al., 1909.11942",
    ),
    FamilyMember(
        "BART",
        "2019-10",
        "BERT",
        {
            "architecture": "a decoder that writes the text",
            "masks": "any noise: deleted tokens, spans replaced by one mask, sentences in another order",
            "objective": "the whole text is predicted, token by token; no NSP",
            "data": "RoBERTa's 160 GB",
        },
        "as good as RoBERTa at understanding, and it can write summaries",
        "Lewis et al., 1910.13461",
    ),
    FamilyMember(
        "ELECTRA",
        "2020-03",
        "BERT",
        {
            "masks": "filled by a small generator before the model reads them",
            "objective": "for every token: was it replaced?",
            "procedure": "two networks are trained together",
            "data": "the large one: XLNet's text",
        },
        "the scores of RoBERTa with about a quarter of the compute",
        "Clark et al., 2003.10555",
    ),
    FamilyMember(
        "DeBERTa",
        "2020-06",
        "RoBERTa",
        {
            "architecture": (
                "a token's content and its position are two vectors; attention adds their products"
            ),
            "data": "78 GB of text",
        },
        "better than RoBERTa with half as much text",
        "He et al., 2006.03654",
    ),
)


class FamilyTree(anywidget.AnyWidget):
    """A widget that shows BERT's family tree, and in which a model or an axis of change can be selected.

    A selected model is described; for an axis, such as the objective, the models that changed it are shown.

    >>> tree = FamilyTree()
    >>> [member["name"] for member in tree.members if member["parent"] == "RoBERTa"]
    ['DeBERTa']
    """

    _esm = HERE.with_suffix(".js")
    _css = CSS + HERE.with_suffix(".css").read_text(encoding="utf-8")
    members = traitlets.List(traitlets.Dict()).tag(sync=True)
    axes = traitlets.List(traitlets.List(traitlets.Unicode())).tag(sync=True)
    chosen = traitlets.Unicode("BERT").tag(sync=True)

    def __init__(self, family: tuple[FamilyMember, ...] = FAMILY) -> None:
        check(family)
        super().__init__(
            members=[{**one._asdict(), "link": link(one.paper)} for one in family],
            axes=[[axis, told] for axis, told in AXES.items()],
        )

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the live tree, and a list of its members as HTML for viewers without a Jupyter kernel."""
        return beside(super()._repr_mimebundle_(**kwargs), still(self.members))


def check(family: tuple[FamilyMember, ...]) -> None:
    """Raise ValueError for an unknown axis or parent, a repeated name, or models not in order of date."""
    names = [one.name for one in family]
    for i, one in enumerate(family):
        if strange := one.changes.keys() - AXES.keys():
            raise ValueError(
                f"{one.name}: unknown axes: {', '.join(strange)}; the axes are {', '.join(AXES)}"
            )
        if names.count(one.name) > 1:
            raise ValueError(f"{one.name} is listed more than once")
        if one.parent and one.parent not in names[:i]:
            raise ValueError(f"{one.name}: its parent {one.parent!r} is not listed before it")
        before = family[i - 1] if i else one
        if before.when > one.when:
            raise ValueError(f"{one.name} ({one.when}) is listed after {before.name} ({before.when})")


def link(paper: str) -> str:
    """Return the URL of a paper whose description ends with an arXiv number, else ""."""
    number = paper.rpartition(" ")[2]
    return f"{ARXIV}{number}" if number[:4].isdigit() and number[4:5] == "." else ""


def still(members: list[dict[str, Any]]) -> str:
    """Return the members of the family tree as an HTML list."""

    def told(one):
        changes = "; ".join(
            f"<i>{AXES[axis]}</i>: {html.escape(change)}" for axis, change in one["changes"].items()
        )
        name, brought, paper = (html.escape(one[key]) for key in ("name", "brought", "paper"))
        return (
            f"<li><b>{name}</b> ({one['when'][:4]}). {changes + '. ' if changes else ''}"
            f"Result: {brought}. <small>{paper}</small></li>"
        )

    return f"<ul>{''.join(map(told, members))}</ul>"
