"""From facts and templates to documents and questions."""
