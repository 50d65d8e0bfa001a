"""Fine-tuning methods for lesson 13: adapters, regularisers, two-stage training and early stopping."""
