"""Experiments for lesson 14; `benchmarks/after_bert.py` runs them and stores their tables."""
