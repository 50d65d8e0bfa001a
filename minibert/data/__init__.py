"""What batches are made of, in NumPy: masks, sentence pairs, packed sequences, windows, encoded texts."""
