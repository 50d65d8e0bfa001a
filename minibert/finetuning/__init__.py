"""Fine-tuning of pretrained encoders: `run` trains a model, `predict` and `evaluate` use it."""
