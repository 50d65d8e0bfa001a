"""Figures and widgets for lesson 10."""
