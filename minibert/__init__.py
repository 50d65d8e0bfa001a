"""minibert: a small, readable BERT, and the course around it (Devlin et al., 2019, arXiv 1810.04805).

Importing this package, `minibert.reference`, `minibert.batch` or `minibert.checks` loads no PyTorch.
"""
__version__ = "0.1.0"
