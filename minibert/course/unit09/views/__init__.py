"""The views of lesson 09."""
