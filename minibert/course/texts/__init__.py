"""Texts that lessons and exercises read: passages with questions, and a book in the public domain."""
