from minibert.grading.author.temporary_course import CourseError, course, error_line

UNIT = "01_small"


def test_a_temporary_course_leaves_the_repository_alone_and_is_gone_afterwards(built_course):
    before = sorted(built_course.rglob("*"))
    with course(built_course, [UNIT]) as temporary:
        assert (temporary.generate(UNIT) / f"{UNIT}.ipynb").is_file()
        with temporary.gradebook() as gradebook:
            assert gradebook.find_assignment(UNIT).max_score == 10
    assert not temporary.folder.exists() and sorted(built_course.rglob("*")) == before


def test_the_line_of_a_log_that_says_why_is_its_exception():
    assert error_line("[INFO] a\n  Traceback\n  a.b.BadError: why\n[ERROR] see above\n") == "BadError: why"
    assert error_line("[INFO] a\n[ERROR] no such thing\n[INFO] b") == "no such thing"
    assert issubclass(CourseError, RuntimeError)
