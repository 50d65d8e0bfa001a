"""Experiments of lesson 12: measures of three models, and which published claims hold for them.

`models` builds the three models and runs them, `measures` turns a forward pass into numbers with
`minibert.analysis`, `labelled` and `treebank` do so for text with labels, `findings` compares the numbers
with the papers' claims, `fixed` trains heads with fixed patterns. `benchmarks/inside.py` computes everything
that takes too long for a lesson.
"""
