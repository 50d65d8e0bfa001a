"""Texts used in lessons and exercises: passages with questions, and a book in the public domain."""
