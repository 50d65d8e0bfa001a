"""The views of lesson 03."""
