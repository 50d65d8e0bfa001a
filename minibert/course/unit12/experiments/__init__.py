"""Lesson 12: three models side by side, what each measure says of them, and which published claims hold.

`models` has the three and one pass through each, `measures` turns passes into numbers by `minibert.analysis`,
`labelled` and `treebank` do so where labels are needed, `findings` compares the numbers with the papers'
claims, `fixed` trains heads with fixed patterns. `benchmarks/inside.py` makes what takes too long for a
lesson.
"""
