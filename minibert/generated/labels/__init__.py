"""Make labelled examples for every task from the facts of generated documents."""
