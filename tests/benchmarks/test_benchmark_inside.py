"""The benchmark of lesson 12: its results are of today's recipe, and an interrupted run continues."""
import json

import numpy as np
import pytest
from conftest import ROOT

from minibert.inside import fixed, models

TABLE = json.loads((ROOT / "benchmarks" / "inside.json").read_text(encoding="utf-8"))


@pytest.fixture
def benchmark(script):
    return script("inside")


@pytest.fixture
def made(benchmark, monkeypatch):
    """What was run, each with a made-up result."""
    calls = []

    def run(what, quick, data):
        calls.append(what)
        return {"of": what, "settings": benchmark.settings(what, quick), "seconds": 1.0, "found": {"x": 1.0}}
    monkeypatch.setattr(benchmark, "run", run)
    monkeypatch.setattr(benchmark, "fingerprint_once", lambda: "today")
    monkeypatch.setattr(benchmark, "weights_of", lambda name: f"weights of {name}")
    return calls


def test_the_committed_table_has_every_row_with_the_same_seeds(benchmark):
    for experiment in benchmark.EXPERIMENTS:
        names = {what["name"] for what in benchmark.plan(experiment, 1)}
        assert set(TABLE[experiment]) == names
        seeds = {tuple(run["seed"] for run in runs) for name, runs in TABLE[experiment].items()
                 if experiment != "senses" or name == models.RANDOM}
        assert len(seeds) == 1 and len(next(iter(seeds))) >= 3
    assert TABLE["fixed"]["all fixed"][0]["steps"] == list(fixed.SCORED_AT)
    assert set(benchmark.RELATIONS) < set(TABLE["relations"][models.ENGLISH][0])


def test_a_finished_run_is_not_made_again_and_another_language_begins_anew(benchmark, made, tmp_path,
                                                                           monkeypatch):
    path, plan = tmp_path / "runs.jsonl", list(benchmark.plan("probes", 1))
    whole = benchmark.Lines(path, None, False, False, tmp_path).of(plan)
    assert len(whole) == len(made) == len(models.NAMES)
    path.write_text(path.read_text()[:-5])                              # the last line is cut off
    assert benchmark.Lines(path, None, False, False,
                           tmp_path).of(plan) == whole and len(made) == len(plan) + 1
    monkeypatch.setattr(benchmark, "fingerprint_once", lambda: "tomorrow")
    assert not benchmark.Lines(path, None, False, True, tmp_path).of(plan)


def test_senses_have_one_run_of_trained_models_and_one_a_seed_of_random_weights(benchmark):
    assert len(list(benchmark.plan("senses", 1))) == 3
    assert [what["name"] for what in benchmark.plan("senses", 2)] == [models.RANDOM]


def test_the_tables_have_a_mean_and_a_range_and_relations_their_offset(benchmark):
    found = {"command": "c", "language": "l", "minutes": 1.0,
             "fixed": {"all fixed": [{"seed": s, "words": [1.0, last]} for s, last in ((1, 2.0), (2, 4.0))]},
             "pruning": {"English": [{"seed": 1, "agreement": 0.25}, {"seed": 2, "agreement": 0.75}]},
             "relations": {"English": [{"seed": 1, "det": {"right": 90.0, "offset": 40.0, "layer": 1}}]}}
    report = benchmark.report(found)
    assert "| all fixed | 2 | 1, 3 |" in report and "0.50 (0.25 to 0.75)" in report and "| 90, 40 |" in report


CONLLU = """# newdoc
1\tThe\tthe\tDET\t_\t_\t2\tdet\t_\t_
2\tcat\tcat\tNOUN\t_\t_\t3\tnsubj\t_\t_
3-4\tcan't\t_\t_\t_\t_\t_\t_\t_\t_
3\tca\tcan\tAUX\t_\t_\t0\troot\t_\t_
4\tn't\tnot\tPART\t_\t_\t3\tadvmod\t_\t_

1\tNo\tno\tINTJ\t_\t_\t0\troot\t_\t_

"""


def test_trees_have_heads_counted_from_0_and_short_sentences_are_left_out(benchmark, tmp_path):
    path = tmp_path / "some.conllu"
    path.write_text(CONLLU, encoding="utf-8")
    (words, parents, kinds, tags), = benchmark.trees(path, 9)
    assert words == ("The", "cat", "ca", "n't") and parents == (1, 2, -1, 2)
    assert kinds[0] == "det" and tags[1] == "NOUN"


def test_a_head_that_is_gone_is_not_tried_again(benchmark):
    gate = np.ones((1, 3))
    gate[0, 1] = 0
    found = benchmark.one_off_from(lambda g: np.array([g.sum()]), gate)
    assert found.tolist() == [[-1.0, 0.0, -1.0]]


NAF = """<NAF><text>
<wf id="w0" sent="1">Banks</wf><wf id="w1" sent="1">lend</wf>
<wf id="w2" sent="2">A</wf><wf id="w3" sent="2">bank</wf>
</text><terms>
<term id="t0" pos="NNS" lemma="bank"><span><target id="w0"/></span><externalReferences>
<externalRef reftype="lexical_key" reference="1:14:00::"/></externalReferences></term>
<term id="t1" pos="VBP" lemma="lend"><span><target id="w1"/></span></term>
</terms></NAF>"""


def test_semcor_gives_sentences_and_marked_words(benchmark, tmp_path):
    folder = tmp_path / "wsd" / "semcor_naf"
    folder.mkdir(parents=True)
    (folder / "a.naf").write_text(NAF, encoding="utf-8")
    sentences, marked = benchmark.semcor(tmp_path)
    assert sentences == [["Banks", "lend"], ["A", "bank"]] and marked == [(0, 0, "bank N", "1:14:00::")]


def test_wic_has_the_word_in_its_sentence_and_before_its_definition(benchmark, tmp_path):
    folder = tmp_path / "wsd" / "wic_tsv"
    folder.mkdir(parents=True)
    for kind, text in (("examples", "bank\t1\tthe bank"), ("definitions", "a slope"), ("labels", "T")):
        (folder / f"dev_{kind}.txt").write_text(text + "\n", encoding="utf-8")
    rows, labels = benchmark.read_wic(tmp_path, "dev")
    assert rows == [(["the", "bank"], 1, ["bank", ":", "a", "slope"])] and labels.tolist() == [True]
