"""The views of lesson 07."""
