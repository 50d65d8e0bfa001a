"""Training: `loop` has the only training loop, and each other file handles one part of it."""
