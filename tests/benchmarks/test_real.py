"""The benchmark on real text: each start once, then never again, and a table of what there is."""

import json

import pytest
from tiny import CONFIG

from minibert.model.checkpoints.published import save_model
from minibert.tokenizer import FastWordPiece, count_words, train_wordpiece
from minibert.training.pretraining import bert_objective, new_model


@pytest.fixture
def real(script):
    return script("real")


def test_every_start_is_run_once_and_stands_in_the_table(real, tmp_path, monkeypatch, capsys):
    tokenizer = FastWordPiece(train_wordpiece(count_words(["abcdefghijklmnopqrstuvwxyz"]), 90))
    model = new_model(
        CONFIG.replace(vocab_size=len(tokenizer), max_position_embeddings=128),
        bert_objective(tokenizer, 32),
        seed=0,
    )
    save_model(model, tmp_path / "bert", tokenizer.vocab)
    (tmp_path / "t.pos").write_text("good and kind\nkind and warm\n")
    (tmp_path / "t.neg").write_text("bad and cold\ncold and dull\n")
    (tmp_path / "t.conll").write_text("Ada B-PER\nsang O\n\nRome B-LOC\nslept O\n")
    made, run = [], real.run
    monkeypatch.setattr(real, "run", lambda a, *key: made.append(key) or run(a, *key))

    def start(*more):
        made.clear()
        monkeypatch.setattr(
            "sys.argv",
            [
                "real.py",
                "--published",
                str(tmp_path / "bert"),
                "--own",
                str(tmp_path / "bert"),
                "--epochs",
                "1",
                "--out",
                str(tmp_path),
                "--sst2",
                *[str(tmp_path / "t.pos")] * 2,
                *more,
            ],
        )
        real.main()
        return list(made)

    assert start("--seeds", "2") == [("sst2", how, seed) for seed in (0, 1) for how in real.STARTS]
    more = start("--seeds", "2", "--ner", *[str(tmp_path / "t.conll")] * 2)
    assert more == [("ner", how, seed) for seed in (0, 1) for how in real.STARTS]
    runs = [json.loads(line) for line in (tmp_path / "real.jsonl").read_text().splitlines()]
    ner, sst2 = (tmp_path / "real.md").read_text().splitlines()[2:]
    scores = [r["scores"]["accuracy"] for r in runs if (r["task"], r["start"]) == ("sst2", "published")]
    assert f"{sum(scores) / 2:.1f} ± " in sst2 and "(2 seeds)" in sst2 and sst2.endswith("| TF-IDF 100.0 |")
    assert ner.startswith("| ner | F1 |") and ner.endswith("|  |")
