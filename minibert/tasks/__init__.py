"""What a pretrained encoder is fine-tuned for, one kind of task per file: examples, heads, loss, answers.

`minibert.finetuning.registry` lists the tasks by name, and `minibert.readers` reads their files.
"""
