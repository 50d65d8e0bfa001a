"""Figures for lesson 13."""
