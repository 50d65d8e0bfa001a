"""The explorer: one forward pass through BERT in pictures, in a notebook and as a page that needs no Python.

`trace` computes all numbers of a pass in PyTorch. `bert.js` computes the same numbers in a browser from the
weights that `pack` wrote. `view.js` draws both. `widget` is for notebooks, and `page` writes a self-contained
file.
"""

EXAMPLE = "She works as a baker and sings in the garden."  # each word is one token in the course's model, too
