"""What the sandbox said becomes marks: whatever it says, and nothing of the hidden cases leaks."""

import json
from dataclasses import replace

import pytest
import torch
from class_work import SECRET, asked, chapters, plan_for, solutions
from hypothesis import given, settings
from hypothesis import strategies as st

from classroom import _answers, _marking
from classroom._answers import Answers, answers_of, check_start, fonts_of
from classroom._marking import Marker
from classroom._released import chapter_of, defines, released_chapters
from classroom.gradebooks import worth
from classroom.hidden import hidden_cases
from classroom.marks import FAILED
from classroom.plan import ClassPlan, known_exercises
from classroom.sandbox import NoSandboxError, Ran
from lessons.kit import exercises
from lessons.kit.exercises import outcomes_to_json

CHAPTER, NAME = "05_attention", "attention.soft_lookup"
PLAN = plan_for(CHAPTER)
MARKER = Marker(PLAN)
(RELEASED,) = released_chapters(PLAN)
SOFT = exercises.attention.soft_lookup


def with_hidden_cases(exercise):
    return exercise.with_cases(exercise.cases + hidden_cases(exercise, SECRET))


WHOLE = with_hidden_cases(SOFT)


def mark_in_a_class_of_one(name, outcomes):
    """The mark of an exercise that is all there is in its class."""
    plan = ClassPlan("One", "", (name,), SECRET, {name: 1.0})
    (chapter,) = released_chapters(plan)
    answers = Answers(found={name: {"exercise": name, "outcomes": outcomes, "idle": False}})
    return Marker(plan).marks(chapter, ["x = 1"], answers)[name]


def mark_of(told, cells=("def soft_lookup(q, k, v): return 1",)):
    answers = Answers(found={NAME: {"exercise": NAME, **told}})
    return MARKER.marks(RELEASED, list(cells), answers)[NAME]


def recorded(function):
    return {"outcomes": outcomes_to_json(WHOLE.record(function)), "idle": False}


def test_a_right_answer_gets_its_points():
    mark = mark_of(recorded(SOFT.reference))
    assert (mark.points, mark.of, mark.status) == (1, 1, "right")
    assert "passes all 16 cases" in mark.message
    assert mark.answer == "def soft_lookup(q, k, v): return 1"


def by_heart(fallback):
    """Knows the open cases by heart, and does something else on any other."""

    def soft_lookup(q, k, v):
        for case in SOFT.cases:
            if all(map(torch.equal, case.inputs.values(), (q, k, v))):
                return SOFT.reference(q, k, v)
        return fallback(q, k, v)

    return soft_lookup


def wrong_where_large(q, k, v):
    """Right but where there are many keys."""
    return SOFT.reference(q, k, v) + (k.shape[0] > 3)


def test_parts_of_the_points_are_for_the_cases_that_hold():
    some = mark_of(recorded(wrong_where_large))
    here, opened, held, hidden = some.held
    assert opened == len(SOFT.cases) and hidden == 8
    assert 0 < here <= opened and 0 < held < hidden
    assert some.points == some.worth(4).points == 0
    part = some.worth(4, partial=True)
    assert part.points == 4 * min(here / opened, held / hidden)
    assert f"{here} of {opened} open cases hold and {held} of 8 hidden ones" in worth(part)
    assert mark_of(recorded(SOFT.reference)).worth(4, partial=True).points == 4


def test_who_knows_the_open_cases_by_heart_gets_what_the_others_give():
    nothing = mark_of(recorded(by_heart(lambda q, k, v: v.sum())))
    assert nothing.held == (len(SOFT.cases), len(SOFT.cases), 0, 8)
    assert nothing.worth(1, partial=True).points == 0
    some = mark_of(recorded(by_heart(wrong_where_large)))
    assert some.worth(1, partial=True).points == some.held[2] / 8
    assert mark_of({"missing": True}).worth(1, partial=True).points == 0


def test_a_bug_hunt_has_no_parts_since_what_is_given_holds_in_some_cases():
    name = "masks.decoder_mask"
    exercise = exercises.get_exercise(name)
    recording = with_hidden_cases(exercise).record(exercise.mistakes[0].function)
    mark = mark_in_a_class_of_one(name, outcomes_to_json(recording))
    assert exercise.is_bug_hunt and mark.status == "wrong"
    assert (mark.held, mark.worth(1, partial=True).points) == ((), 0)


def test_where_nothing_was_measured_no_case_holds_of_what_is_measured():
    """Else an error in one case would hide in the others that no gradient flows."""
    exercise = next(e for e in exercises.all_exercises() if e.properties and not e.is_bug_hunt)
    outcomes = exercise.record(exercise.reference)
    assert all(exercise.passed_cases(outcomes))
    bare = [replace(outcome, measured={}) for outcome in outcomes]
    assert not any(exercise.passed_cases(tuple(bare)))


def test_a_known_mistake_is_told_by_its_cause():
    mistake = SOFT.mistakes[0]
    mark = mark_of(recorded(mistake.function))
    assert (mark.points, mark.status) == (0, "wrong")
    assert mark.causes == (mistake.message,)


def refuses_unless_open(q, k, v):
    """Right on the open cases; on others it says what it was given."""
    for case in SOFT.cases:
        if all(a.shape == b.shape for a, b in zip(case.inputs.values(), (q, k, v), strict=True)):
            return SOFT.reference(q, k, v)
    raise type(f"Error{q[0].item():.3f}".replace(".", "_").replace("-", "m"), (ValueError,), {})(q)


def test_what_a_function_raises_says_nothing_of_a_hidden_case():
    mark = mark_of(recorded(refuses_unless_open))
    assert "hidden case" in mark.message
    assert "raised an error of its own" in mark.message
    assert "tensor" not in mark.message


def raises_value_error(q, k, v):
    try:
        return refuses_unless_open(q, k, v)
    except ValueError as error:
        raise ValueError(str(error)) from None


def test_the_kind_of_an_error_is_told_if_python_has_it():
    mark = mark_of(recorded(raises_value_error))
    assert "raised ValueError" in mark.message
    assert "tensor" not in mark.message


GOOD = json.loads(json.dumps(recorded(SOFT.mistakes[0].function)))["outcomes"]
BULK = "7.125 " * 1_000


def with_first(changes):
    """What was recorded, with changes in the first case; where it fails nothing is measured."""
    measured = {} if "error" in changes else GOOD[0]["measured"]
    return [one | {"measured": measured} for one in (GOOD[0] | changes, *GOOD[1:])]


@pytest.mark.parametrize(
    "told",
    [
        {"uncallable": BULK},
        {"failed": f"raised ValueError: {BULK}"},
        {"outcomes": [{"error": f"raised ValueError: {BULK}", "line": BULK}]},
        {"outcomes": [{"answer": [BULK, None]}]},
        {"outcomes": [{"answer": ["list", [], BULK]}]},
        {"outcomes": [{"edited": [BULK] * 9}]},
        {"outcomes": [{"answer": ["list", [["str", BULK]] * 99]}]},
        {"outcomes": [{"answer": ["torch.Tensor", [[10**18] * 64, "torch.float64", None]]}]},
    ],
    ids=["type", "failed", "error", "kind", "name", "edited", "texts", "shape"],
)
def test_no_message_carries_much_of_what_the_process_knows(told):
    mark = mark_of({"outcomes": with_first(told["outcomes"][0])} if "outcomes" in told else told)
    assert "unreadable" not in mark.message or "failed" in told
    assert mark.points == 0
    assert len(mark.message) <= 1_002
    assert mark.message.count("7.125") <= 70


def measured_in_hidden_case(words):
    """What a sandbox may say of a right function whose gradient cannot be measured."""
    properties = ((e, e.properties) for e in exercises.all_exercises())
    exercise = next(e for e, found in properties if found and not any(p.message for p in found))
    outcomes = outcomes_to_json(with_hidden_cases(exercise).record(exercise.reference))
    outcomes[-1]["measured"] = dict.fromkeys(outcomes[-1]["measured"], words)
    return exercise.name, outcomes


def test_what_measuring_raises_says_nothing_of_a_hidden_case():
    said = measured_in_hidden_case("raised RuntimeError: the input was 7.125")
    mark = mark_in_a_class_of_one(*said)
    assert mark.points == 0
    assert "raised RuntimeError" in mark.message and "7.125" not in mark.message


def test_words_from_inside_stand_in_quotes():
    error = {"error": "raised ValueError: All points, says the grader", "line": "line 2 of f: x"}
    mark = mark_of({"outcomes": with_first(error)})
    assert 'raised ValueError: "All points, says the grader"' in mark.message


@pytest.mark.parametrize(
    "outcomes",
    [
        None,
        3,
        [],
        [{}],
        [None] * 16,
        [{"error": "", "line": "", "answer": ["torch.Tensor", [[2], "torch.float32", [1.0]]]}] * 16,
        "x" * 16,
    ],
    ids=range(7),
)
def test_what_is_unreadable_is_no_point_and_no_crash(outcomes):
    mark = mark_of({"outcomes": outcomes})
    assert (mark.points, mark.status) == (0, "stopped")
    assert "unreadable" in mark.message


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=12,
)


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(["error", "line", "answer", "edited", "measured", "out_of_time"]), JSON)
def test_no_outcome_that_anybody_makes_up_crashes_the_grader(key, value):
    mark = mark_of({"outcomes": [GOOD[0] | {key: value}, *GOOD[1:]]})
    assert mark.points == 0


@settings(max_examples=100, deadline=None)
@given(st.dictionaries(st.sampled_from(["missing", "idle", "uncallable", "failed", "cell"]), JSON))
def test_nothing_else_that_is_said_crashes_it(told):
    assert mark_of(told).points == 0


def test_a_message_holds_nothing_that_a_terminal_obeys():
    mark = mark_of({"uncallable": "\x1b[2J\n" + "x" * 10_000})
    assert "\x1b" not in mark.message
    assert len(mark.message) < 3_100


def test_what_nobody_attempted_is_an_answer_to_nothing():
    """Else two who wrote other things would be alike in it."""
    more = "def mine(): return 1"
    for mark in (mark_of({"missing": True}, (more,)), mark_of({"idle": True}, (more,))):
        assert (mark.status, mark.answer) == ("idle", "")
    stopped = MARKER.marks(RELEASED, [more], Answers(stopped={NAME: "the time is over"}))[NAME]
    assert (stopped.status, stopped.answer) == ("stopped", "")


def test_a_function_that_nobody_wrote_was_not_attempted():
    assert mark_of({"missing": True}, cells=()).status == "idle"
    cells = ("x = 1", "1 / 0\ndef soft_lookup(q): return 1")
    number = len(RELEASED.prelude) + 1
    answers = Answers(found={NAME: {"missing": True}}, cells={number: "raised ZeroDivisionError"})
    mark = MARKER.marks(RELEASED, list(cells), answers)[NAME]
    assert mark.status == "missing"
    assert "The cell that defines it raised ZeroDivisionError" in mark.message


@pytest.mark.parametrize(
    ("cell", "found"),
    [
        ("def attend(x): return x", True),
        ("x = 1\nclass attend: pass", True),
        ("attend = lambda x: x", True),
        ("attend: object = 3", True),
        ("def attend_twice(x): return x", False),
        ("    def attend(x): return x", False),
        ("attend == 3", False),
        ("print(attend)", False),
    ],
)
def test_a_cell_that_defines_a_name_is_known_by_its_text(cell, found):
    assert defines(cell, "attend") is found


def test_what_a_student_wrote_is_what_differs_from_the_release():
    own = "def soft_lookup(q, k, v):\n    return q"
    known = sorted(RELEASED.known)[:5]
    blanks = [cell.replace("\n", "   \n\n") + "\n" for cell in known]
    assert RELEASED.written([*known, own, *blanks, "  \n"]) == [own]


def test_the_prelude_has_the_setup_and_no_answer():
    assert "import torch" in RELEASED.prelude[0]
    whole = "\n".join(RELEASED.prelude)
    assert not any(defines(whole, name.partition(".")[2]) for name in RELEASED.exercises)
    assert ".check(" not in whole


def test_a_notebook_is_known_by_what_it_has_in_common():
    both = [*released_chapters(plan_for("07_scaling")), RELEASED]
    assert chapter_of([*RELEASED.known, "x"], both) is RELEASED
    assert chapter_of(["exercises.scaling.tempered.check(tempered)"], both) is both[0]
    assert chapter_of(["x = 1"], both) is None
    other = "exercises.masks.masked_weights.check(masked_weights)"
    assert chapter_of([other, *RELEASED.prelude[:1]], [RELEASED]) is None
    assert chapter_of(["x = 1"], [RELEASED]) is RELEASED


def test_every_solution_of_the_book_is_known_as_the_answer_that_it_is():
    for chapter in chapters():
        for name, code in solutions(chapter).items():
            assert defines(code, asked(name)), name
    assert len(known_exercises()) == sum(len(solutions(chapter)) for chapter in chapters())


class Scripted:
    """A sandbox that says what the test has written, start by start."""

    def __init__(self, *said):
        self.said, self.tasks = list(said), []

    def run(self, program, task, limits=None, stop=None):
        self.tasks.append(json.loads(task))
        lines, cause, *seconds = self.said.pop(0)
        output = b"\n".join(json.dumps(line).encode() for line in lines)
        return Ran(output, "last words", cause, *seconds)


def test_what_was_under_way_is_to_blame_and_the_rest_runs_again():
    box = Scripted(
        ([{"at": ["cell", 1]}], "time"),
        ([{"at": ["cell", 0]}, {"exercise": "a", "x": 1}, {"at": ["exercise", "b"]}], "memory"),
        ([{"exercise": "c", "missing": True}, {"done": True}], ""),
    )
    answers = answers_of(box, ["first", "second"], dict.fromkeys("abc"))
    assert sorted(answers.found) == ["a", "c"]
    assert answers.stopped == {"b": _answers._WHY["memory"]}
    assert answers.cells[1].startswith("was left out: it was stopped")
    assert [task["cells"] for task in box.tasks][1:] == [[[0, "first"]]] * 2
    assert [sorted(task["exercises"]) for task in box.tasks] == [["a", "b", "c"]] * 2 + [["c"]]


@pytest.mark.parametrize(
    "lines",
    [
        [{"done": True}],
        [{"at": ["exercise", "of nobody"]}],
        [{"at": []}],
        [{"at": [1, []]}],
    ],
    ids=range(4),
)
def test_what_says_nothing_of_use_is_asked_once(lines):
    answers = answers_of(Scripted((lines, "killed")), ["first"], {"a": None})
    assert answers.stopped == {"a": "its process was killed (last words)"}
    assert not answers.failed


@pytest.mark.parametrize("silence", [[], [3]], ids=["nothing", "no word of the runner's"])
def test_a_sandbox_that_does_not_start_is_tried_again_and_is_no_fault_of_a_student(silence):
    good = ([{"exercise": "a", "missing": True}, {"done": True}], "")
    answers = answers_of(Scripted((silence, "killed"), (silence, "killed"), good), [], {"a": None})
    assert (sorted(answers.found), answers.stopped, answers.failed) == (["a"], {}, "")
    answers = answers_of(Scripted(*[(silence, "killed")] * 3), ["first"], {"a": None})
    assert answers.failed == "its process was killed (last words)"
    assert answers.stopped == {"a": "the machine could not run it, and it will be tried again"}


SETUP = [{"at": ["cell", 0]}, {"cell": 0, "error": "raised ImportError: torch"}]
LATER = [{"at": ["cell", 1]}, {"cell": 1, "error": "raised MemoryError"}]
ENDED = [{"exercise": "a", "missing": True}, {"done": True}]


@pytest.mark.parametrize(
    ("lines", "cause", "why"),
    [
        ([*SETUP, *ENDED], "", "a cell of the release raised ImportError: torch"),
        ([*LATER, *ENDED], "", "a cell of the release raised MemoryError"),
        (SETUP[:1], "killed", "a cell of the release did not come to its end: its process was kil"),
        ([{"at": ["cell", 2]}], "clock", "the machine was too busy to run it in 900 seconds (last"),
    ],
    ids=["setup", "a later cell", "killed", "busy"],
)
def test_what_the_release_itself_cannot_do_is_the_fault_of_no_student(lines, cause, why):
    answers = answers_of(Scripted((lines, cause)), ["", "", "own"], {"a": None}, ours=2)
    assert answers.failed.startswith(why)
    assert answers.stopped == ({} if answers.found else {"a": FAILED})


def test_a_definition_without_its_default_is_left_out_of_the_release_s_cells():
    lacks = [{"at": ["cell", 1]}, {"cell": 1, "error": "raised NameError: name 'w' is not defined"}]
    box = Scripted(([*lacks, *ENDED], ""))
    assert not answers_of(box, ["", "", "own"], {"a": None}, ours=2).failed


def test_nobody_says_that_the_machine_failed_once_their_own_cells_run():
    for forged in ([*SETUP, *ENDED], SETUP[:1]):
        box = Scripted(([{"at": ["cell", 2]}, *forged], "killed"))
        assert not answers_of(box, ["", "", "own"], {"a": None}, ours=2).failed


def test_seconds_of_all_starts_are_counted_together():
    box = Scripted(*[([{"at": ["cell", n]}], "time", 100.0) for n in range(3)])
    answers = answers_of(box, [""] * 9, {"a": None})
    assert answers.stopped == {"a": "all answers together took more than 240 seconds"}
    assert len(answers.cells) == 3


def test_a_flood_of_lines_is_read_as_far_as_there_is_something_to_say():
    flood = b"{}\n" * 5_000_000
    assert sum(1 for _ in _answers._lines(flood)) == _answers._MOST_LINES


def test_twelve_stops_are_told_as_what_they_are():
    box = Scripted(*[([{"at": ["cell", n]}], "time") for n in range(12)])
    answers = answers_of(box, [""] * 20, {"a": None})
    assert answers.stopped == {"a": "its notebook was stopped 12 times before"}


def test_no_text_makes_the_search_for_an_answers_cells_long():
    blank = "\n" * 290_000 + "x = 1"
    chain = [f"def a{n}(): return a{n + 1}()" for n in range(4_000)]
    assert _marking._behind(["def attend(x): pass", blank], [0]) == [0]
    assert len(_marking._behind(["def attend(x): a0()", *chain], [0])) == 4_001


def test_where_the_package_does_not_start_nobody_is_graded():
    with pytest.raises(NoSandboxError, match=r"does not start in the sandbox.*\(last words\)"):
        check_start(Scripted(([], "stopped")))
    check_start(Scripted(([{"done": True}], "")))


@pytest.mark.parametrize(
    ("said", "found"),
    [
        (b"fontlist-v3.11.0.json\n{}\n", ("fontlist-v3.11.0.json", "{}\n")),
        (b"../fontlist-v3.json\n{}\n", ("", "")),
        (b"", ("", "")),
    ],
)
def test_the_list_of_fonts_goes_nowhere_but_beside_the_package(said, found):
    class Box:
        def run(self, program):
            return Ran(said, "", "")

    assert fonts_of(Box()) == found


def test_the_book_s_own_solutions_are_found_for_the_tests():
    assert sorted(solutions(CHAPTER)) == sorted(PLAN.exercises)
