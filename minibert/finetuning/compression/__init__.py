"""Smaller and faster models: distillation, quantisation, pruning, and replacing layers one by one."""
