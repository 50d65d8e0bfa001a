"""The views of lesson 10."""
