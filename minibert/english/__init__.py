"""A model that knows English: a published encoder, with heads and adapters trained for this course."""
