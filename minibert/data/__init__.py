"""What batches are made of: masks, sentence pairs, packed sequences, windows, and texts encoded once (NumPy)."""
