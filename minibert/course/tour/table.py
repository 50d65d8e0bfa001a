"""Make a table of the tour's results, each with a value for comparison."""

from collections.abc import Mapping, Sequence
from typing import Any


def figures_table(figures: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the results of the tour as table rows, with values rounded to one decimal.

    figures: the results of each stage, by name. Each row is a dict: what (the name of a result), ours (its
    value), beside (a value for comparison) and note (what `beside` is).
    """
    pre, qa, ner = figures["pretraining"], figures["qa"], figures["ner"]
    rows = [
        row("Masked words, accuracy %", pre["mlm"], pre["mlm_frequency"], "always the most frequent token"),
        row(
            "... in whole documents, each token separately",
            pre["reading"]["model"],
            pre["reading"]["best"],
            "the best reachable",
        ),
        row("Next sentence, accuracy %", pre["nsp"], pre["nsp_chance"], "always the more frequent answer"),
        row("QA exact match", qa["pretrained"]["exact match"], qa["scratch"]["exact match"], "from scratch"),
        row("QA F1", qa["pretrained"]["F1"], qa["scratch"]["F1"], "from scratch"),
        row("NER entity F1", ner["pretrained"]["F1"], ner["scratch"]["F1"], "from scratch"),
    ]
    for submission in figures.get("grading", {"submissions": []})["submissions"]:
        hint = f"the maximum; hint: {submission['hints'][0]}" if submission["hints"] else "the maximum"
        rows.append(
            row(
                f"Submission “{submission['student']}”, points",
                submission["points"],
                submission["max_points"],
                hint,
            )
        )
    return rows


def row(what: str, ours: float, beside: float, note: str) -> dict[str, Any]:
    return {"what": what, "ours": round(ours, 1), "beside": round(beside, 1), "note": note}


def print_table(rows: Sequence[Mapping[str, Any]]) -> None:
    """Print the rows of `figures_table` as an aligned table."""
    width = max(len(entry["what"]) for entry in rows)
    print(f"\n{'':{width}}  {'result':>6}  {'versus':>6}  which is")
    for entry in rows:
        note = entry["note"] if len(entry["note"]) <= 88 else entry["note"][:87] + "…"
        print(f"{entry['what']:{width}}  {entry['ours']:6.1f}  {entry['beside']:6.1f}  {note}")
