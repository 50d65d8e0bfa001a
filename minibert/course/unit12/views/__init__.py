"""The views of lesson 12."""
