"""Models that lessons load: the BERT pretrained in the tour, and an ELMo, a GPT and a BERT of equal size."""
