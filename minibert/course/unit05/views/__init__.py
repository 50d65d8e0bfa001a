"""Interactive views and figures for lesson 05."""
