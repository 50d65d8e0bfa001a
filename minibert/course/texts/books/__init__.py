"""A book for continued pretraining: Lewis Carroll, Alice's Adventures in Wonderland (London, 1865).

The author died in 1898, so the book is in the public domain. The English model's adapters were not trained on
it, but its published encoder may have been.
"""

from pathlib import Path

ALICE = Path(__file__).with_name("alice.txt")  # for `minibert.readers.plain_text.read_documents`
