"""The views of lesson 05."""
