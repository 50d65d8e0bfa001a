"""Models that lessons load: the BERT that the tour pretrains, and an ELMo, a GPT and a BERT of equal size."""
