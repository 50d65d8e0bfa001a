"""Models on disk, as Hugging Face writes them: names of tensors, weights, and the tokenizer's files."""
