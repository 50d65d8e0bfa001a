"""Render lessons for readers without Jupyter: outputs for the website, and slides."""
