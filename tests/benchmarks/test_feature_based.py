"""An interrupted benchmark of feature-based approaches continues, and its table says what was run."""

import pytest


@pytest.fixture
def benchmark(script):
    return script("feature_based")


@pytest.fixture
def measured(benchmark, monkeypatch):
    """The (approach, seed) that were run, each with a made-up result."""
    calls = []

    def measure(data, folder, train, dev, way, seed):
        calls.append((way, seed))
        return {
            "f1": 80.0 + 2 * seed + len(way),
            "seconds": 3.0,
            "trained": 1234,
            "layers": 3,
            "hidden": 128,
            "sentences": 5,
            "dev": 2,
        }

    monkeypatch.setattr(benchmark, "measure", measure)
    return calls


def load(seed):
    return "folder", [], []


def test_an_interrupted_benchmark_continues_with_the_first_run_that_did_not_end(
    benchmark, measured, monkeypatch, tmp_path
):
    path, whole = tmp_path / "build" / "runs.json", benchmark.measure

    def interrupted(data, folder, train, dev, way, seed):
        if (way, seed) == ("last", 1):
            raise KeyboardInterrupt
        return whole(data, folder, train, dev, way, seed)

    monkeypatch.setattr(benchmark, "measure", interrupted)
    with pytest.raises(KeyboardInterrupt):
        benchmark.run_all("news", "model", load, ["full", "last"], 2, path)
    monkeypatch.setattr(benchmark, "measure", whole)
    assert measured == [("full", 0), ("last", 0), ("full", 1)]
    measured.clear()
    benchmark.run_all("news", "model", load, ["full", "last", "sum-all"], 2, path)
    assert measured == [("sum-all", 0), ("last", 1), ("sum-all", 1)]
    measured.clear()
    benchmark.run_all("news", "other", load, ["full"], 1, path)
    monkeypatch.setitem(benchmark.RECIPES, "files", [benchmark.Recipe(1, 2, 3e-4)] * 3)
    benchmark.run_all("news", "other", load, ["full"], 1, path)
    assert measured == [("full", 0), ("full", 0)] and len(benchmark.read_runs(path)) == 8


def test_the_table_holds_mean_and_spread_beside_the_paper(benchmark, measured, tmp_path):
    path = tmp_path / "runs.json"
    benchmark.run_all("news", "model", load, ["full", "last"], 3, path)
    benchmark.run_all(benchmark.GENERATED, "class", load, ["last"], 1, path)
    with pytest.MonkeyPatch.context() as patch:
        # an older recipe: kept in the file alone
        patch.setitem(benchmark.RECIPES, "files", [benchmark.Recipe(1, 2, 3e-4)] * 3)
        benchmark.run_all("news", "model", load, ["frozen"], 1, path)
    assert len(benchmark.read_runs(path)) == 8
    text = benchmark.table(benchmark.read_runs(path))
    rows = {
        line.split(" | ")[0].strip("| "): [cell.strip() for cell in line.strip("|").split("|")]
        for line in text.splitlines()
    }
    assert rows["fine-tuning"][1:] == ["96.4", "86.0 ± 2.0", "3", "1,234", "", "", ""]
    assert rows["last hidden"][1:] == ["94.9", "86.0 ± 2.0", "3", "1,234", "84.0", "3", "1,234"]
    assert rows["frozen, linear head"][1:] == [""] * 7
    assert len({line.count("|") for line in text.splitlines() if line.startswith("|")}) == 1
    assert (
        "news: 5 labelled sentences, F1 on 2 others; an encoder of 3 layers of 128; 3 seeds. "
        "full: 5 epochs" in text
    )
