"""Generate documents and questions from facts and templates."""
