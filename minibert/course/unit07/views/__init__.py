"""Interactive views and figures of lesson 07."""
