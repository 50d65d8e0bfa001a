"""Interactive views and figures for lesson 07."""
