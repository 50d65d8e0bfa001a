"""Text to learn from: a generated language with known answers, and readers of real files."""
