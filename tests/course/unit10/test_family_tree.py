"""The family tree, as Python sees it; tests/lessons clicks in it in a browser."""

import re

import pytest

from minibert.course.unit10.views.family_tree import (
    AXES,
    FAMILY,
    FamilyMember,
    FamilyTree,
    check,
    link,
    still,
)


def test_each_relative_has_a_parent_before_it_known_axes_and_a_paper():
    check(FAMILY)
    assert all(one.brought and one.paper and (one.changes or one.name == "BERT") for one in FAMILY)
    assert all(link(one.paper) or one.name == "Stacking" for one in FAMILY)
    assert set(AXES) == {axis for one in FAMILY for axis in one.changes}


def test_the_tree_sends_its_members_with_the_address_of_their_paper():
    tree = FamilyTree()
    albert = next(member for member in tree.members if member["name"] == "ALBERT")
    assert albert["link"] == "https://arxiv.org/abs/1909.11942" and albert["parent"] == "BERT"
    assert tree.chosen == "BERT" and [axis for axis, _ in tree.axes] == list(AXES)


def test_a_page_without_a_kernel_lists_them_all():
    page = FamilyTree()._repr_mimebundle_()[0]["text/html"]
    assert page.count("<li>") == len(FAMILY) and "Result: " in page
    odd = [{**FAMILY[1]._asdict(), "name": "<BERT>", "link": ""}]
    assert "&lt;BERT&gt;" in still(odd)


@pytest.mark.parametrize(
    "change, said",
    [
        ({"changes": {"colour": "red"}}, "unknown axes: colour; the axes are"),
        ({"parent": "Grover"}, "its parent 'Grover' is not listed before it"),
        ({"name": "BERT"}, "BERT is listed more than once"),
        ({"when": "2000-01"}, r"\(2000-01\) is listed after DeBERTa"),
    ],
)
def test_a_family_that_does_not_fit_is_refused(change, said):
    new = FamilyMember("New", "2030-01", "BERT", {}, "nothing", "")._replace(**change)
    with pytest.raises(ValueError, match=said):
        check((*FAMILY, new))


def test_what_is_told_of_a_relative_is_a_phrase():
    for one in FAMILY:
        for text in (*one.changes.values(), one.brought):
            assert not re.search(r"\.$", text) and len(text) < 120, text
