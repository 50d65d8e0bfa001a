"""Text to learn from: a generated language, hand-written passages, and readers of real files."""
