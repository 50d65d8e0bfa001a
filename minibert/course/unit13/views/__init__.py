"""The views of lesson 13."""
