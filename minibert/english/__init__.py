"""An English model: a published encoder, with output heads and adapters trained for this course."""
