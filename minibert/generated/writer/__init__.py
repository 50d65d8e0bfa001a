"""The generator of documents and questions, from facts and templates."""
