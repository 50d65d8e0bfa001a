"""Drawings for lesson 10, on BERT's variants: the family, and what each paper changed."""
