"""Training: `loop` contains the library's only training loop; every other file handles one concern of it."""
