"""What a pretrained encoder is fine-tuned for, one kind of task per file: examples, heads, loss, answers."""
