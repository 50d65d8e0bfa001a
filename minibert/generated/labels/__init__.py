"""Labels for every task, which follow from the facts of a document."""
