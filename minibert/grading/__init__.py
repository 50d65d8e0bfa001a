"""Grading: notebooks built, released, handed in, executed and graded; knows nbgrader, knows no model.

The wings, each of which imports only those before it (`make check` holds them to it):

    notebook, cell_messages   a notebook as data, and what its executed cells say
    author      an instructor's text source -> notebooks for students, and a bundle of what grading needs
    intake      whatever a class hands in -> repaired notebooks; `minibert doctor`
    sandbox     where a student's code runs and what it may use
    wire        messages between the trusted process and the student's
    run         one notebook executed: her cells in the sandbox, the tests in the trusted process
    report      feedback pages, gradebook, tables, summary; plugins for plain nbgrader
    integrity   whose work an answer is: lines to look at, answers that are alike
    class_run   one submission graded (`grade_submission`), and a class (`grade_class`, the command)
    export      the same grading as an autograder of Gradescope or GitHub Classroom

`run` and `report` do not know each other.
"""
