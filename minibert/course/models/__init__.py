"""Models that lessons load: the class model, which is a BERT, and an ELMo, a GPT and a BERT of equal size."""
