"""Plots and widgets that draw what the rest of the package returns; no computation of their own, every asset
local.
"""
