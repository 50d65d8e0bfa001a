"""Define the sentences of the generated language: words, templates, facts and the plans of documents."""
