"""Cases that take turns: in time each runs, and those of two tests that share a list do not meet."""

import subprocess
from types import SimpleNamespace

import pytest
from conftest import every_nth, on_turn, turn_of_commit


def group(count, **mark):
    """So many cases of a test with this mark."""
    found = SimpleNamespace(kwargs=mark)
    return [SimpleNamespace(nodeid=f"test_a[{i}]", get_closest_marker=lambda _: found) for i in range(count)]


def numbers(cases, turn):
    return [int(case.nodeid[7:-1]) for case in on_turn(cases, turn)]


@pytest.mark.parametrize("first", [0, 739_943])
def test_one_case_runs_each_turn_and_in_time_all(first):
    cases = group(5)
    ran = [numbers(cases, turn) for turn in range(first, first + 5)]
    assert sorted(ran) == [[0], [1], [2], [3], [4]]


def test_every_third_runs_and_after_three_turns_all_did():
    cases = group(8, every=3)
    assert [numbers(cases, turn) for turn in range(3)] == [[0, 3, 6], [1, 4, 7], [2, 5]]


def test_a_later_test_runs_none_of_the_cases_of_the_earlier_one():
    earlier, later = group(13, every=3), group(13, every=6, later=1)
    for turn in range(6):
        assert not set(numbers(earlier, turn)) & set(numbers(later, turn))
    assert set().union(*(numbers(later, turn) for turn in range(6))) == set(range(13))


@pytest.mark.parametrize("name, n", [("test_a", 3), ("test_b", 4)])
def test_with_every_n_each_case_runs_once_in_n_turns_and_other_tests_always(name, n):
    mark = SimpleNamespace(args=(n,))
    cases = [SimpleNamespace(nodeid=f"{name}[{i}]", get_closest_marker=lambda _: mark) for i in range(10)]
    other = SimpleNamespace(nodeid="test_c[0]", get_closest_marker=lambda _: None)
    ran = [every_nth([*cases, other], turn) for turn in range(n)]
    assert all(turn[-1] is other and len(turn) - 1 in (10 // n, 10 // n + 1) for turn in ran)
    assert sorted(case.nodeid for turn in ran for case in turn[:-1]) == [case.nodeid for case in cases]


def test_a_commit_decides_by_its_content_which_cases_run(tmp_path):
    def commit(text):
        (tmp_path / "a.txt").write_text(text)
        for command in (["add", "a.txt"], ["commit", "-qm", "Write a line", "--allow-empty"]):
            author = ["-c", "user.name=A", "-c", "user.email=a@example.org"]
            subprocess.run(["git", "-C", str(tmp_path), *author, *command], check=True)
        return turn_of_commit(tmp_path)

    assert turn_of_commit(tmp_path) == 0
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    first, second, again, other = commit("a"), commit("b"), commit("a"), commit("c")
    assert first == again and len({first, second, other}) == 3
