"""Figures and widgets of lesson 10."""
