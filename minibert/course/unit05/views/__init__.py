"""Interactive views and figures of lesson 05."""
