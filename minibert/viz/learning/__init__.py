"""How a model learns: the curves of a run, many runs side by side, surfaces of the loss."""
