"""What a fine-tuned model says: answers in a passage, entities, scores of systems."""
