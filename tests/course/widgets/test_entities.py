"""Entities in text: everything is escaped, and each carries its type as a word."""

from minibert.course.widgets.entities import entity_html, entity_lines, word_lines

TYPES = ["LOC", "PER"]


def test_a_text_is_whole_and_each_entity_says_its_type():
    shown = entity_html("<Mira> left Ashby.", [(1, 5, "PER"), (12, 17, "LOC")], TYPES)
    assert "&lt;" in shown and "<Mira>" not in shown and shown.endswith(".")
    assert "<bdi>Mira</bdi>" in shown and ">PER<" in shown and ">LOC<" in shown


def test_no_space_is_left_before_punctuation():
    assert "</span>, a cook." in entity_html("Mira , a cook .", [(0, 4, "PER")], TYPES)


def test_types_differ_in_colour_by_their_place():
    place, person = (entity_html("Ashby", [(0, 5, kind)], TYPES) for kind in TYPES)
    assert place.replace("LOC", "PER") != person


def test_lines_have_their_name_and_the_sentence_above_is_said_to_screen_readers():
    shown = entity_lines([("right", "Ashby & co", [])], TYPES, "1 < 2")
    assert (
        'scope="row"' in shown and "Ashby &amp; co" in shown and '<p role="status"><b>1 &lt; 2</b>' in shown
    )
    assert "status" not in entity_lines([("", "Ashby", [])], TYPES)


def test_marked_columns_have_a_frame():
    shown = word_lines({"word": ["a", "b"], "tag": ["O", "B-X"]}, marked=[1], said="one")
    assert shown.count("outline:2px") == 2 and shown.count("<th") == 2
