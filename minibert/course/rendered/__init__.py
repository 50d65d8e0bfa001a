"""Lessons without a kernel: their outputs for the site, and slides."""
