"""From a pretrained encoder to a solved task: `run` trains, `predict` and `evaluate` use the result."""
