"""Grade one submission or a whole class, in parallel, on one or more machines."""
