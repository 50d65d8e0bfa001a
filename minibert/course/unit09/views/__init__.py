"""Figures for lesson 09."""
