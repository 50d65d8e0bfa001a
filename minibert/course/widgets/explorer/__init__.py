"""Draw one forward pass through BERT, in a notebook or on a web page without Python.

`trace` computes all numbers of a pass in PyTorch; `bert.js` computes them in a browser from the weights that
`pack` wrote. `view.js` draws both. `widget` is for notebooks, and `page` writes a self-contained file.
"""

EXAMPLE = "She works as a baker and sings in the garden."  # each word is one token in the course's model, too
