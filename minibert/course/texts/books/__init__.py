"""A real book, for a model that reads on: Lewis Carroll, Alice's Adventures in Wonderland (London, 1865).

Its author died in 1898, so it is in the public domain. The adapters of the English model were not trained on
it (its published encoder may have been).
"""

from pathlib import Path

ALICE = Path(__file__).with_name("alice.txt")  # for `minibert.readers.plain_text.read_documents`
