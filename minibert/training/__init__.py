"""Training: `loop` is the training loop; the other files are what surrounds it, one concern each."""
