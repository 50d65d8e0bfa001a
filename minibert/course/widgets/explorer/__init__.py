"""The explorer: one pass through BERT in pictures, in a notebook and as a page that needs no Python.

`trace` computes all numbers of a pass in PyTorch, `bert.js` the same ones in a browser, from the weights that
`pack` wrote; `view.js` draws either; `widget` is for notebooks, `page` for one self-contained file.
"""

EXAMPLE = "She works as a baker and sings in the garden."  # whole words to the course's model, too
