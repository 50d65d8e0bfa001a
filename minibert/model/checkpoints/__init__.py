"""Models on disk in Hugging Face's format: tensor names, weights and tokenizer files."""
