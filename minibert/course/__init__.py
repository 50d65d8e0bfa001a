"""Everything that only the course needs. The library around this folder never imports it.

    unit01 ... unit13   a unit: its checks (`__init__`), known mistakes, hints, bug hunt, definitions, and in
                        folders its views, experiments and stored tables
    checks              the engine that all checks share
    widgets             what lessons show and ask; `explorer` walks into a whole BERT
    models, texts       what lessons load and read
    tables              the stored tables, read by name
    tour                `minibert tour`

Whoever wants the library alone may delete this folder, and `grading` and `bench` with it.
"""
