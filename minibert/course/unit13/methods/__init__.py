"""Ways to fine-tune that lesson 13 compares: adapters, regularisers, two stages, stopping early."""
