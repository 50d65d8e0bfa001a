"""Tasks for fine-tuning, one type per file, with their examples, heads, losses and answers.

`minibert.finetuning.registry` lists the tasks by name, and `minibert.readers` reads their files.
"""
