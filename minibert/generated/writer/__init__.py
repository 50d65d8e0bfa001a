"""The generator that makes documents and questions from facts and templates."""
