"""Figures and widgets for lesson 12."""
