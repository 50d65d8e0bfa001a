"""Figures and widgets of lesson 12."""
