"""Fine-tuning methods of lesson 13: adapters, regularisers, two-stage training and early stopping."""
