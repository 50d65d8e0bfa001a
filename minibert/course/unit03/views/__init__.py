"""HTML views for lesson 03."""
