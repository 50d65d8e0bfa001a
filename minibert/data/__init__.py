"""Data preparation for batches, in NumPy: masks, sentence pairs, packed sequences, windows, encoded texts."""
