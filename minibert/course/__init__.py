"""Everything that only the course needs; the rest of the package never imports it.

    unit01 ... unit14   a folder for each unit: checks (`__init__`), known mistakes, hints, bug hunt,
                        definitions, and folders with its views, experiments and stored tables
    checks              code that all checks share
    widgets             figures, controls and quizzes for lessons; `explorer` shows an entire BERT
    models, texts       models and texts used in lessons
    tables              access to the stored tables by name
    tour                the command `minibert tour`

If you need only the library, you can delete this folder together with `grading` and `bench`.
"""
