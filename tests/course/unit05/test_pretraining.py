"""A model's standing is drawn between the floor and the best, and told in words."""

from minibert.course.unit05.views.pretraining import accuracy_ranges


def test_each_kind_has_its_floor_its_model_and_its_best():
    fig, alt = accuracy_ranges(
        ["syntax", "world"], [11.0, 0.0], [80.4, 25.0], [100.0, 95.0], "Syntax first.", "most frequent"
    )
    ax = fig.axes[0]
    assert [label.get_text() for label in ax.get_yticklabels()] == ["syntax", "world"]
    drawn = {line.get_label(): list(line.get_xdata()) for line in ax.lines}
    assert drawn == {"most frequent": [11.0, 0.0], "model": [80.4, 25.0], "best reachable": [100.0, 95.0]}
    assert [(bar.get_x(), bar.get_width()) for bar in ax.patches] == [(11.0, 89.0), (0.0, 95.0)]
    assert len({line.get_marker() for line in ax.lines}) == 3
    assert "world: most frequent 0, model 25, best reachable 95" in alt and alt.startswith("Syntax first.")


def test_the_names_of_the_marks_do_not_meet():
    fig, _ = accuracy_ranges(
        ["syntax", "world"], [11.0, 0.0], [66.0, 9.0], [100.0, 97.0], "Syntax first.", "most frequent token"
    )
    fig.draw_without_rendering()
    texts = {text.get_text(): text.get_window_extent() for text in fig.axes[0].texts}
    floor, model, best = (texts[name] for name in ("most frequent token", "model", "best reachable"))
    assert floor.x1 < model.x0 and model.x1 < best.x0
