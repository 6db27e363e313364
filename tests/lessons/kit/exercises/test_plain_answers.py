"""Answers of plain types: lists, dicts, strings, numbers, tuples, sets, nested and with tensors."""

import collections
import copy
import math

import pytest
import torch

from lessons.kit.exercises import Case, Exercise


def answering(expected, **inputs):
    """Return an exercise of one case, whose right answer is this one."""
    return Exercise(
        name="sample.answer",
        reference=lambda *_: copy.deepcopy(expected),
        cases=(Case("the only one", inputs),),
        mistakes=(),
        right_answers=(),
        hint_texts=("a", "b", "c"),
        starter="",
    )


def lines(expected, got):
    """Return the message for `got` from its third line on; nothing when it passes."""
    result = answering(expected).check(lambda: got)
    return [] if result.passed else result.message.splitlines()[2:-1]


# What is shown


def _empty_nested(table):
    table["rows"][1][0].add_(1)
    return 1


def _swap_inner(table):
    table["rows"].reverse()
    return 1


@pytest.mark.parametrize("edit", [_empty_nested, _swap_inner, lambda t: t["names"].add("x") or 1])
def test_an_edit_deep_inside_an_input_is_noticed(edit, capsys):
    table = {"rows": [(1, 2), (torch.zeros(2), 4)], "names": {"a"}}
    exercise = answering(1, table=table)
    assert "changed its own input: table." in exercise.check(lambda table: edit(table)).message
    assert exercise.check(lambda table: 1).passed


# Each kind, right and wrong


@pytest.mark.parametrize(
    ("expected", "got"),
    [
        (3, 3),
        (0.3, 0.1 + 0.2),
        (1.0, 1),
        (math.nan, math.nan),
        (-math.inf, -math.inf),
        (True, True),
        ("the", "the"),
        (b"\xff", b"\xff"),
        ((1, "a"), (1, "a")),
        ((1, ["a"]), [1, ("a",)]),
        (torch.tensor(0.5), 0.50001),
        (torch.tensor(0.5, dtype=torch.float64), 0.5),
        (torch.tensor(2), 2),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
        ({"a": 1}, collections.Counter("a")),
        ([1, 2], type("Words", (list,), {})([1, 2])),
        ({1, 2}, {2, 1}),
        (frozenset({"a"}), frozenset({"a"})),
        ([[], {}, None], [[], {}, None]),
        ({"w": torch.ones(2, 3)}, {"w": torch.ones(2, 3) + 1e-7}),
        (1 + 2j, 1 + 2j),
    ],
    ids=repr,
)
def test_a_right_answer_of_any_plain_type_passes(expected, got, capsys):
    assert lines(expected, got) == []


@pytest.mark.parametrize(
    ("expected", "got", "message"),
    [
        (3, 4, "Value: it should be 3, but yours is 4."),
        (3, 3.0, "Type: it should return an int, but it returned float."),
        (1, True, "Type: it should return an int, but it returned bool."),
        (1.0, True, "Type: it should return a float, but it returned bool."),
        (True, 1, "Type: it should return a bool, but it returned int."),
        (True, False, "Value: it should be True, but yours is False."),
        (0.5, 0.5001, "Value: it should be 0.5000, but yours is 0.5001."),
        (0.5, 0.50001, "Value: it should be 0.50000000, but yours is 0.50001000."),
        (0.5, math.nan, "Value: it should be 0.5000, but yours is nan."),
        (math.inf, 1e308, "Value: it should be inf, but yours is "),
        (0.5, 10**400, "Value: it should be 0.5000, but yours is a number of about 400 digits."),
        ("the", b"the", "Type: it should return a str, but it returned bytes."),
        ([1, 2], (1, 3), "First wrong entry: output[1] should be 2, but yours is 3."),
        (torch.tensor(0.5), 0.6, "Value: it should be 0.5000, but yours is 0.6000."),
        (torch.tensor(2), 2.0, "Type: it should return an int, but it returned float."),
        (torch.ones(1), 1.0, "Type: it should return a torch.Tensor, but it returned float."),
        ([1, 2], {1, 2}, "Type: it should return a list, but it returned set."),
        ({"a": 1}, [("a", 1)], "Type: it should return a dict, but it returned list."),
        ({1}, frozenset({1}), "Type: it should return a set, but it returned frozenset."),
        (["a"], iter(["a"]), "Type: it should return a list, but it returned list_iterator."),
        ([1, 2], [1, 3], "First wrong entry: output[1] should be 2, but yours is 3."),
        ([1, 2], [1], "Length: output should have 2 entries, but yours has 1."),
        ([1], [1, 2], "Length: output should have 1 entry, but yours has 2."),
        ((1, 2), (1, 3), "First wrong entry: output[1] should be 2, but yours is 3."),
        ([1, "2"], [1, 2], "Type: output[1] should be a str, but yours is an int: 2."),
        ([1, None], [1, 0], "Type: output[1] should be None, but yours is an int: 0."),
        ([1, 0], [1, None], "Type: output[1] should be an int, but yours is None."),
        ({"a": 1}, {"a": 2}, "First wrong entry: output['a'] should be 1, but yours is 2."),
        ({"a": 1}, {"A": 1}, "Keys: output lacks 'a', and it should not have 'A'."),
        ({"a": 1, "b": 2}, {"a": 1}, "Keys: output lacks 'b'."),
        ({"a": 1}, {"a": 1, 2: 2}, "Keys: output should not have 2."),
        ({1: "a"}, {True: "a"}, "Keys: output lacks 1, and it should not have True."),
        ({1}, {True}, "Elements: output lacks 1, and it should not have True."),
        ({"a", "b"}, {"a"}, "Elements: output lacks 'b'."),
        (
            {"the": ["a", "b", ("c", 1)]},
            {"the": ["a", "b", ("c", 2)]},
            "First wrong entry: output['the'][2][1] should be 1, but yours is 2.",
        ),
        (
            [{"w": torch.eye(2)}],
            [{"w": torch.ones(2, 2)}],
            "First wrong entry: output[0]['w'][0, 1] should be 0.0000, but yours is 1.0000.",
        ),
        (
            [torch.zeros(2)],
            [torch.zeros(3)],
            "Shape: output[0] should be (2,), but yours is (3,).",
        ),
        (
            [torch.zeros(2)],
            [torch.zeros(2).double()],
            "dtype: output[0] should be torch.float32, but yours is torch.float64.",
        ),
        (
            [torch.zeros(2)],
            [[0.0, 0.0]],
            "Type: output[0] should be a torch.Tensor, but yours is a list: [0.0000, 0.0000].",
        ),
        (
            torch.zeros(2),
            torch.nn.Parameter(torch.zeros(3)),
            "Shape: it should be (2,), but yours is (3,).",
        ),
    ],
)
def test_wrong_answer_shows_the_first_difference(expected, got, message, capsys):
    assert lines(expected, got)[0].startswith(message)


def test_a_wrong_text_shows_the_place(capsys):
    expected, got = "the cat sat on the mat " * 20, "the cat sat on the mat " * 9
    got = got + "the cat lay on the mat"
    found = lines(expected, got)
    assert found[0] == "First wrong character: index 215 of output should be 's', but yours is 'l'."
    assert found[1:3] == [
        "  it should be       …' on the mat the cat sat on the mat the c'…",
        "  yours is           …' on the mat the cat lay on the mat'",
    ]
    assert lines("theory", "the")[0] == "Value: it should be 'theory', but yours is 'the'."


def test_a_long_list_is_shown_around_its_first_wrong_entry(capsys):
    found = lines(list(range(1000)), [*range(500), -1, *range(501, 1000)])
    assert found == [
        "First wrong entry: output[500] should be 500, but yours is -1.",
        "  its list should be […, 497, 498, 499, 500, 501, 502, 503, …]",
        "  your list is       […, 497, 498, 499, -1, 501, 502, 503, …]",
    ]


# Whatever a learner returns


class Liar(list):
    """A list that claims to equal anything, and whose methods are traps."""

    def _trap(self, *_):
        raise AssertionError("a method of the learner's class was called")

    __eq__ = __ne__ = __len__ = __iter__ = __getitem__ = __repr__ = _trap
    __hash__ = _trap  # type: ignore[assignment] # a list has none
    __class__ = property(_trap)


class LyingDict(dict):
    __eq__ = items = keys = __iter__ = __len__ = __getitem__ = __repr__ = Liar._trap


class LyingStr(str):
    __eq__ = __hash__ = __repr__ = __str__ = __len__ = __getitem__ = Liar._trap


def test_overridden_equality_in_subclasses_of_plain_types_is_ignored(capsys):
    assert lines([1, 2], Liar([1, 2])) == []
    assert "output[1] should be 2, but yours is 3" in lines([1, 2], Liar([1, 3]))[0]
    assert lines({"a": 1}, LyingDict(a=1)) == []
    assert "output['a'] should be 1, but yours is 2" in lines({"a": 1}, LyingDict(a=2))[0]
    assert lines("a", LyingStr("a")) == []
    assert "should be 'a', but yours is 'b'" in lines("a", LyingStr("b"))[0]


@pytest.mark.parametrize(
    "huge",
    ["x" * 10**6, ["x"] * 10**4, 10**5000, {"x" * 10**6: 1}, "\n" * 99],
    ids=["text", "list", "number", "key", "lines"],
)
@pytest.mark.parametrize("wrong", [["a"], "a", 0, 0.5, {"a": 1}, [["a"]]])
def test_a_message_stays_short(huge, wrong, capsys):
    for got in (huge, [huge], {"a": huge}):
        result = answering(wrong).check(lambda got=got: got)
        assert not result.passed and len(result.message) < 1000
        assert max(map(len, result.message.splitlines())) <= 100


@pytest.mark.parametrize("answer", [object(), [object()], {"f": len}, torch.nn.Linear(1, 1)])
def test_a_reference_that_returns_an_uncomparable_type_is_refused(answer):
    exercise = answering(1)
    object.__setattr__(exercise, "reference", lambda: answer)
    with pytest.raises(TypeError, match=r"sample.answer must return tensors or plain data, got "):
        exercise.check(lambda: answer)


# Laws
