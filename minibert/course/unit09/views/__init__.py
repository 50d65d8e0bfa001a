"""Figures of lesson 09."""
