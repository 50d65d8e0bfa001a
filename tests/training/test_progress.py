"""What a run shows: a bar where it can be seen moving, a line where not, nothing where it shall be silent."""

import io
import sys

import pytest

from minibert.training import progress
from minibert.training.progress import RECENT, Progress


def entry(loss, tokens=200, seconds=0.5):
    return {"loss": loss, "tokens": tokens, "seconds": seconds}


def steps(log, bar, losses):
    for loss in losses:
        log.append(entry(loss))
        bar.update()


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_in_a_terminal_the_bar_has_the_loss_and_the_speed(monkeypatch):
    screen, log = Terminal(), []
    monkeypatch.setattr(sys, "stdout", screen)
    with Progress(log, 4, "train") as bar:
        steps(log, bar, [4.0, 2.0, 3.0, 3.0])
        bar.bar.refresh()
    text = screen.getvalue()
    assert "loss 3.000, 400 tokens/s" in text and "4/4" in text and "00:00" in text
    assert "4 steps" not in text  # the bar itself stays


def test_in_80_columns_a_bar_has_all_its_figures(monkeypatch):
    monkeypatch.setattr(sys, "stdout", screen := Terminal())
    log = [entry(3.0, 12345, 1.0)] * 4500
    with Progress(log, 10000, "pretrain, 512 tokens a row") as bar:
        bar.bar.dynamic_ncols = lambda file: (80, 24)
        steps(log, bar, [3.0])
        bar.bar.refresh()
    last = screen.getvalue().split("\r")[-1].rstrip("\n")
    assert last.startswith("pretrain: 4501/10000 ")
    assert last.endswith(", loss 3.000, best 3.000, 12,224 tokens/s")
    assert "#" in last and len(last) <= 80


def test_the_best_loss_never_rises_and_is_the_same_after_an_interruption():
    losses = [9.0 - (i * 7 % 13) for i in range(3 * RECENT)]
    whole, seen = [], []
    with Progress(whole, 1000, "train", show=False) as bar:
        for loss in losses:
            steps(whole, bar, [loss])
            seen.append(bar.best)
    assert seen == sorted(seen, reverse=True) and seen[RECENT - 2] == float("inf") and "best" in bar.figures()
    for cut in (3, RECENT - 1, RECENT, RECENT + 7, len(losses)):
        with Progress(whole[:cut], 1000, "train", show=False) as again:
            assert again.best == pytest.approx(seen[cut - 1])


def test_elsewhere_there_is_one_line_at_the_end(capsys):
    log = []
    with Progress(log, 3, "pretrain") as bar:
        steps(log, bar, [5.0, 4.0, 3.0])
        assert capsys.readouterr() == ("", "")
    out, err = capsys.readouterr()
    assert out == "pretrain: 3 steps, loss 4.000, 400 tokens/s, 0 s\n" and err == ""


def test_silence_is_silence(capsys):
    log = []
    with Progress(log, 3, "train", show=False) as bar:
        steps(log, bar, [5.0])
    assert capsys.readouterr() == ("", "")


def test_a_run_that_fails_or_does_nothing_has_no_summary(capsys):
    log = [entry(2.0)]
    with Progress(log, 1, "train"):
        pass
    with pytest.raises(RuntimeError), Progress(log, 3, "train") as bar:
        steps(log, bar, [5.0])
        raise RuntimeError
    assert capsys.readouterr().out == ""


def test_the_loss_is_the_mean_of_the_latest_steps_and_the_best_of_these_means_counts_earlier_runs():
    log = [entry(1.0)] * RECENT + [entry(5.0)] * RECENT
    with Progress(log, 1000, "train", show=False) as bar:
        assert bar.best == pytest.approx(1.0)
        steps(log, bar, [5.0] * 10)
        assert bar.loss() == pytest.approx(5.0) and bar.best == pytest.approx(1.0)
        steps(log, bar, [0.0] * RECENT)
        assert bar.loss() == bar.best == 0.0


def test_a_notebook_counts_as_watched(monkeypatch):
    class OutStream(io.StringIO):
        pass

    OutStream.__module__ = "ipykernel.iostream"
    monkeypatch.setattr(sys, "stdout", OutStream())
    assert progress.watched()
    monkeypatch.setattr(sys, "stdout", io.StringIO())
    assert not progress.watched()


def test_a_view_of_the_callers_own_takes_the_place_of_the_bar(capsys):
    class View:
        calls = []

        def begin(self, log):
            self.calls.append(("begin", len(log)))

        def update(self):
            self.calls.append("update")

        def end(self):
            self.calls.append("end")

    log = [entry(2.0)]
    with pytest.raises(RuntimeError), Progress(log, 3, "train", show=View()) as bar:
        steps(log, bar, [5.0, 4.0])
        raise RuntimeError
    assert View.calls == [("begin", 1), "update", "update", "end"] and capsys.readouterr() == ("", "")
