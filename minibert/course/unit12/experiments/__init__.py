"""Experiments of lesson 12: measures of three models, and which published claims hold for them.

`models` builds the three models and runs them. `measures` computes numbers from a forward pass with
`minibert.analysis`; `labelled` and `treebank` do this for text with labels. `findings` compares the numbers
with the papers' claims. `fixed` trains models with fixed heads. `benchmarks/inside.py` computes everything
that takes too long for a lesson.
"""
