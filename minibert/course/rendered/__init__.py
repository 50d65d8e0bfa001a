"""Lessons for readers without a kernel: their outputs for the site, and slides."""
