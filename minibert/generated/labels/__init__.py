"""Labels for every task, derived from the facts of a document."""
