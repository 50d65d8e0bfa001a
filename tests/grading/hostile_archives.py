"""Archives in which a name means harm, or looks like it: whose the files are, or what stops grading."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Archive:
    """One kind of archive.

    paths: of its files. due: {student: which of them are hers}, or a piece of the sentence that stops
    grading. read_as: the form, if it is read. form: what the instructor says with --form.
    """

    name: str
    paths: tuple
    due: dict | str
    read_as: str = ""
    form: str = ""


ARCHIVES = (
    # a name in a student's own folder
    Archive(
        "name of a Blackboard attempt in her folder",
        ("eve/01.ipynb", "eve/x_bob_attempt_2099-01-01-00-00-00_01.ipynb", "bob/01.ipynb"),
        {"bob": [2], "eve": [0, 1]},
        "folders",
    ),
    Archive(
        "name of Canvas in her folder", ("eve/01.ipynb", "eve/bob_77_88_02.ipynb"), {"eve": [0, 1]}, "folders"
    ),
    Archive(
        "name of Moodle in her folder",
        ("eve/01.ipynb", "eve/Bob_7_assignsubmission_file_/01.ipynb", "bob/02.ipynb"),
        {"bob": [2], "eve": [0, 1]},
        "folders",
    ),
    Archive(
        "name of a Blackboard attempt in her folder of Moodle's",
        (
            "Eve_8_assignsubmission_file_/q_Ada_attempt_2099-01-01-00-00-00_x.ipynb",
            "Ada_7_assignsubmission_file_/x.ipynb",
        ),
        {"Ada": [1], "Eve": [0]},
        "moodle",
    ),
    Archive(
        "folder of the assignment in one student's folder",
        ("ada/1.ipynb", "bob/1.ipynb", "eve/01_small/1.ipynb"),
        {"ada": [0], "bob": [1], "eve": [2]},
        "folders",
    ),
    Archive(
        "student called like the assignment",
        ("01_small/1.ipynb", "bob/1.ipynb"),
        {"01_small": [0], "bob": [1]},
        "folders",
    ),
    Archive(
        "student called like the assignment, in nbgrader's folders",
        ("01_small/01_small/1.ipynb", "bob/01_small/2.ipynb", "eve/bob/01_small/3.ipynb"),
        {"01_small": [0], "bob": [1]},
        "nbgrader",
        "nbgrader",
    ),
    Archive(
        "zip in her folder",
        ("eve/bob_77_88_02.ipynb.zip", "bob/1.ipynb"),
        {"bob": [1], "eve": [0]},
        "folders",
    ),
    # a name behind the platform's own part
    Archive(
        "Canvas: name of a Blackboard attempt",
        ("eve_5_6_1.ipynb", "eve_5_7_x_bob_attempt_2099-01-01-00-00-00_f.ipynb", "bob_7_9_1.ipynb"),
        {"bob": [2], "eve": [0, 1]},
        "canvas",
    ),
    Archive(
        "Canvas: another name of Canvas, behind a backslash",
        ("eve_5_6_a\\bob_7_8_f.ipynb", "bob_7_9_f.ipynb"),
        {"bob": [1], "eve": [0]},
        "canvas",
    ),
    Archive(
        "Blackboard: another attempt in the name",
        (
            "Q_eve_attempt_2026-01-30-15-30-10_Q_bob_attempt_2099-01-01-00-00-00_f.ipynb",
            "Q_bob_attempt_2026-01-30-15-30-10_f.ipynb",
        ),
        {"bob": [1], "eve": [0]},
        "blackboard",
    ),
    Archive(
        "Moodle without folders: another participant in the name",
        (
            "Eve_8_assignsubmission_file_Bob_7_assignsubmission_file_1.ipynb",
            "Bob_7_assignsubmission_file_1.ipynb",
        ),
        {"Bob": [1], "Eve": [0]},
        "moodle",
    ),
    Archive(
        "Moodle: a participant called like another one's folder",
        (
            "Bob_7_assignsubmission_file_x_8_assignsubmission_file_/1.ipynb",
            "Bob_7_assignsubmission_file_/1.ipynb",
        ),
        {"Bob": [1], "Bob_7_assignsubmission_file_x": [0]},
        "moodle",
    ),
    Archive(
        "Brightspace: another submission in the name",
        (
            "1-9 - Eve - Jan 30, 2026 330 PM - 2-9 - Bob - Jan 1, 2099 100 AM - f.ipynb",
            "2-9 - Bob - Jan 30, 2026 1210 PM - f.ipynb",
        ),
        {"Bob": [1], "Eve": [0]},
        "brightspace",
    ),
    # odd names of honest students
    Archive(
        "Canvas: names with an underscore and with LATE",
        ("ada_b_5_6_f.ipynb", "late_7_8_f.ipynb", "late_LATE_9_10_f.ipynb"),
        {"ada_b": [0], "late-7": [1], "late-9": [2]},
        "canvas",
    ),
    Archive(
        "Blackboard: user names with an underscore, a title too",
        (
            "Unit_2_ada_x_attempt_2026-01-30-15-30-10_a.ipynb",
            "Unit_2_bob_x_attempt_2026-01-30-15-30-10_a.ipynb",
            "Unit_2_bob_x_attempt_2026-01-30-15-30-10.txt",
        ),
        "the user of 'Unit_2_ada_x' could be '2_ada_x' or 'ada_x' or 'x'",
    ),
    Archive(
        "Blackboard: user names with an underscore, and our title",
        (
            "01_small_ada_x_attempt_2026-01-30-15-30-10_a.ipynb",
            "01_small_ada_y_attempt_2026-01-30-15-30-10_a.ipynb",
        ),
        {"ada_x": [0], "ada_y": [1]},
        "blackboard",
    ),
    Archive(
        "Google Classroom: a name with a hyphen, a copy, and a name like another platform's",
        (
            "Ada Lovelace - 01_small.ipynb",
            "Ada Lovelace - 01_small (1).ipynb",
            "Zo\xeb-Ann - 01_small.ipynb",
        ),
        {"Ada-Lovelace": [0, 1], "Zo\xeb-Ann": [2]},
        "classroom",
    ),
    Archive(
        "names with a hyphen that may be Google Classroom's",
        ("Lovelace - Ada.ipynb", "Lovelace - Bob.ipynb"),
        "use --form classroom or --form folders",
    ),
    Archive(
        "the same names, and the instructor's word",
        ("Lovelace - Ada.ipynb", "Lovelace - Bob.ipynb"),
        {"Lovelace---Ada": [0], "Lovelace---Bob": [1]},
        "folders",
        "folders",
    ),
    Archive(
        "paths with dots and double slashes",
        ("./ada//1.ipynb", ".\\bob\\1.ipynb"),
        {"ada": [0], "bob": [1]},
        "folders",
    ),
    # two names, one student
    Archive("space and hyphen", ("a b/1.ipynb", "a-b/1.ipynb"), "'a b' and 'a-b' would both be"),
    Archive(
        "ways to compose a letter",
        ("Zo\xeb/1.ipynb", "Zoe\u0308/1.ipynb"),
        "'Zoe\\u0308' and 'Zo\\xeb' would",
    ),
    Archive("case of letters", ("Ada/1.ipynb", "ada/1.ipynb"), "'Ada' and 'ada' would both be"),
    Archive("cut at 100 characters", ("x" * 101 + "a/1.ipynb", "x" * 101 + "b/1.ipynb"), "xa' and 'x"),
    Archive(
        "nothing but signs",
        ("***/1.ipynb", "+++/1.ipynb"),
        {"unnamed-29f5099b": [1], "unnamed-596f4162": [0]},
        "folders",
    ),
    Archive("invisible character", ("ada/1.ipynb", "ada\u200b/1.ipynb"), "'ada' and 'ada\\u200b' would"),
    Archive("folder and file", ("ada/1.ipynb", "ada.ipynb"), "'ada.ipynb' and 'ada' would both be"),
    Archive(
        "Canvas: one number, two names",
        ("ada_5_6_f.ipynb", "eve_5_7_f.ipynb"),
        "number 5 has two names: 'ada' and 'eve'",
    ),
    Archive(
        "Canvas: a name made like that of two namesakes",
        ("bo_5_1_f.ipynb", "bo_6_2_f.ipynb", "bo-5_7_3_f.ipynb"),
        "would both be matched to the student 'bo-5'",
    ),
    # more than one form
    Archive(
        "Moodle and plain folders",
        ("Ada_7_assignsubmission_file_/1.ipynb", "bob/1.ipynb"),
        "'Ada_7_assignsubmission_file_' is a name from moodle, but 'bob' is not",
    ),
    Archive(
        "Canvas and Blackboard",
        ("ada_1_2_f.ipynb", "Q_bob_attempt_2026-01-30-15-30-10_f.ipynb"),
        "is a name from",
    ),
    Archive(
        "a class of one whose name fits Canvas and Blackboard",
        ("eve_5_6_x_bob_attempt_2099-01-01-00-00-00_f.ipynb",),
        "could be a name from canvas or blackboard",
    ),
    Archive(
        "Blackboard: two assignments",
        ("A_ada_attempt_2026-01-30-15-30-10_f.ipynb", "B_bob_attempt_2026-01-30-15-30-10_f.ipynb"),
        "the same assignment title",
    ),
    # one folder around everything, or a class of one
    Archive(
        "folders in one folder", ("eve/ada/1.ipynb", "eve/bob/1.ipynb"), "contains only the folder 'eve'"
    ),
    Archive(
        "Google Classroom's files in one folder",
        ("unit/Ada - 01_small.ipynb", "unit/Bob - 01_small.ipynb"),
        "contains only the folder 'unit'",
    ),
    Archive(
        "a class of one with folders, and the instructor's word",
        ("eve/ada/1.ipynb", "eve/bob/2.ipynb"),
        {"eve": [0, 1]},
        "folders",
        "folders",
    ),
    Archive("a class of one with notebooks", ("eve/1.ipynb", "eve/bob/2.ipynb"), {"eve": [0, 1]}, "folders"),
)
