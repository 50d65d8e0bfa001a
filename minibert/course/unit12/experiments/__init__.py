"""Experiments for lesson 12: measures of three models, and which published claims hold for these models."""
