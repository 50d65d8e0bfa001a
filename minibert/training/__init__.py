"""Training. `loop` contains the library's only training loop; each other file handles one part of it."""
