"""Models that lessons load: the class's own BERT, and ELMo, GPT and BERT of equal size."""
