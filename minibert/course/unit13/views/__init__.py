"""Figures of lesson 13."""
