"""Tasks for fine-tuning, one type per file, with their examples, heads, losses and answers."""
