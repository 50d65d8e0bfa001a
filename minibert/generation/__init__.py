"""Text from masked language models: four ways to write, each a function of NumPy arrays.

A model is a function `log_probs` from token ids (N, T) to log probabilities (N, T, V), as
`sampling.model_log_probs` makes it; the tests use tables with known probabilities instead. Axes: N texts, T
tokens, V vocabulary.
"""
