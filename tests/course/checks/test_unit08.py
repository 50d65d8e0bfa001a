"""Particular checks of unit 08; test_units.py compares them with their bank."""

from banks.trial import unit

from minibert.course import unit08 as check

UNIT = unit("unit08")


def test_a_wrong_decoder_does_not_sink_a_right_score(capsys):
    check.entity_f1(UNIT.answer("entity_f1", decode_entities=UNIT.wrong("decode_entities", "B goes on")))
    assert "Checked with our decode_entities" in capsys.readouterr().out


def test_a_hidden_check_shows_neither_inputs_nor_values():
    said = UNIT.message(
        "decode_entities", UNIT.returning("decode_entities", "[('PER', 17, 23)]"), seed=5, hidden=True
    )
    assert not any(character.isdigit() for character in said)
