"""Plots and widgets that draw what the rest of the package computes.

They compute nothing themselves, and load nothing from a network.
"""
