"""Plain text for pretraining: read it, encode it once, keep it on disk, read it back in parts."""
