"""Training: `loop` is the only training loop of the library; each file around it has one concern."""
