"""Labels for every task that follow from the facts of a document: sentiment, inference, paraphrase,
coreference and more.
"""
