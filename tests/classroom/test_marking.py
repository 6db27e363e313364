"""Any output of the sandbox becomes marks, and nothing of the hidden cases leaks."""

import json

import pytest
from class_work import SECRET, chapters, notebook, plan_for, required_function, solutions
from hypothesis import given, settings
from hypothesis import strategies as st

from classroom import answers as answers_module
from classroom.answers import Answers, answers_of
from classroom.gradebooks import worth
from classroom.hidden import hidden_cases
from classroom.marking import Marker
from classroom.marks import FAILED
from classroom.plan import known_exercises
from classroom.released import chapter_of, defines, released_chapters
from classroom.sandbox import RunResult
from lessons.kit import exercises
from lessons.kit.cells import source
from lessons.kit.exercises import outcomes_to_json

CHAPTER, NAME = "05_attention", "attention.soft_lookup"
PLAN = plan_for(CHAPTER)
MARKER = Marker(PLAN)
(RELEASED,) = released_chapters(PLAN)
SOFT = exercises.attention.soft_lookup


STARTER = next(t for t in map(source, notebook(CHAPTER, {})["cells"]) if "def soft_lookup" in t)


def with_hidden_cases(exercise):
    return exercise.with_cases(exercise.cases + hidden_cases(exercise, SECRET))


WHOLE = with_hidden_cases(SOFT)


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


def wrong_where_large(q, k, v):
    """Right but where there are many keys."""
    return SOFT.reference(q, k, v) + (k.shape[0] > 3)


def test_partial_points_count_passed_cases():
    some = mark_of(recorded(wrong_where_large))
    here, opened, held, hidden = some.held
    assert opened == len(SOFT.cases) and hidden == 8
    assert 0 < here <= opened and 0 < held < hidden
    assert some.points == some.worth(4).points == 0
    part = some.worth(4, partial=True)
    assert part.points == 4 * min(here / opened, held / hidden)
    assert f"{here} of {opened} open cases hold and {held} of 8 hidden ones" in worth(part)
    assert mark_of(recorded(SOFT.reference)).worth(4, partial=True).points == 4


def test_known_mistake_shows_its_cause():
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


def test_error_reveals_nothing_about_hidden_case():
    mark = mark_of(recorded(refuses_unless_open))
    assert "hidden case" in mark.message
    assert "raised an error of its own" in mark.message
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
def test_messages_are_truncated(told):
    mark = mark_of({"outcomes": with_first(told["outcomes"][0])} if "outcomes" in told else told)
    assert "unreadable" not in mark.message or "failed" in told
    assert mark.points == 0
    assert len(mark.message) <= 1_002
    assert mark.message.count("7.125") <= 70


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
def test_unreadable_output_earns_nothing_and_does_not_crash(outcomes):
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
def test_forged_outcomes_do_not_crash_the_grader(key, value):
    mark = mark_of({"outcomes": [GOOD[0] | {key: value}, *GOOD[1:]]})
    assert mark.points == 0


def test_messages_contain_no_control_characters():
    mark = mark_of({"uncallable": "\x1b[2J\n" + "x" * 10_000})
    assert "\x1b" not in mark.message
    assert len(mark.message) < 3_100


def test_failed_cells_are_named_together_with_a_name_error():
    def needs_math(*_):
        raise NameError("name 'math' is not defined")

    cells = ["x = 1", "import seaborn\nimport math", "def soft_lookup(q, k, v): return math.pi"]
    errors = {len(RELEASED.prelude) + 1: "raised ModuleNotFoundError: No module named 'seaborn'"}
    found = {NAME: recorded(needs_math)}
    mark = MARKER.marks(RELEASED, cells, Answers(found=found, cells=errors))[NAME]
    told = 'The cell that begins "import seaborn" raised ModuleNotFoundError: "No module named'
    assert "NameError" in mark.message and told in mark.message
    found = {NAME: recorded(SOFT.mistakes[0].function)}
    mark = MARKER.marks(RELEASED, cells, Answers(found=found, cells=errors))[NAME]
    assert "seaborn" not in mark.message


def test_unattempted_exercise_has_no_answer():
    """Otherwise two students who wrote different code would count as similar."""
    more = "def mine(): return 1"
    for mark in (mark_of({"missing": True}, (more,)), mark_of({"idle": True}, (more,))):
        assert (mark.status, mark.answer) == ("idle", "")
    stopped = MARKER.marks(RELEASED, [more], Answers(stopped={NAME: "the time is over"}))[NAME]
    assert (stopped.status, stopped.answer) == ("stopped", "")


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
def test_defining_cell_is_recognized(cell, found):
    assert defines(cell, "attend") is found


def test_written_cells_differ_from_the_release():
    own = "def soft_lookup(q, k, v):\n    return q"
    known = sorted(RELEASED.known)[:5]
    blanks = [cell.replace("\n", "   \n\n") + "\n" for cell in known]
    assert RELEASED.written([*known, own, *blanks, "  \n"]) == [own]


@pytest.mark.parametrize(
    ("code", "texts", "found"),
    [
        ([], ["def soft_lookup(q, k, v): return q"], ["soft_lookup"]),
        ([], ["```python\ndef soft_lookup(q, k, v): return q\n```"], ["soft_lookup"]),
        ([STARTER], ["notes", "soft_lookup = max\nattend = max"], ["attend", "soft_lookup"]),
        (["def soft_lookup(*_): return 1"], ["def soft_lookup(q): return q"], []),
        ([], ["I wrote `def soft_lookup(q, k, v)` below.", " def attend(q): ..."], []),
    ],
)
def test_answers_in_cells_of_text_are_found(code, texts, found):
    assert sorted(RELEASED.misplaced(code, texts)) == found


def test_the_prelude_has_the_setup_and_no_answer():
    assert "import torch" in RELEASED.prelude[0]
    whole = "\n".join(RELEASED.prelude)
    assert not any(defines(whole, name.partition(".")[2]) for name in RELEASED.exercises)
    assert ".check(" not in whole


def test_chapter_of_a_notebook_is_recognized():
    both = [*released_chapters(plan_for("07_scaling")), RELEASED]
    assert chapter_of([*RELEASED.known, "x"], both) is RELEASED
    assert chapter_of(["exercises.scaling.tempered.check(tempered)"], both) is both[0]
    assert chapter_of(["x = 1"], both) is None
    other = "exercises.masks.masked_weights.check(masked_weights)"
    assert chapter_of([other, *RELEASED.prelude[:1]], [RELEASED]) is None
    assert chapter_of(["x = 1"], [RELEASED]) is RELEASED


def test_every_published_solution_is_recognized_as_an_answer():
    for chapter in chapters():
        for name, code in solutions(chapter).items():
            assert defines(code, required_function(name)), name
    assert len(known_exercises()) == sum(len(solutions(chapter)) for chapter in chapters())


class Scripted:
    """A sandbox that says what the test has written, start by start."""

    def __init__(self, *said):
        self.said, self.tasks = list(said), []

    def run(self, program, task, limits=None, stop=None):
        self.tasks.append(json.loads(task))
        lines, cause, *seconds = self.said.pop(0)
        output = b"\n".join(json.dumps(line).encode() for line in lines)
        return RunResult(output, "last words", cause, *seconds)


def test_interrupted_cell_is_left_out_and_the_rest_runs_again():
    box = Scripted(
        ([{"at": ["cell", 1]}], "time"),
        ([{"at": ["cell", 0]}, {"exercise": "a", "x": 1}, {"at": ["exercise", "b"]}], "memory"),
        ([{"exercise": "c", "missing": True}, {"done": True}], ""),
    )
    answers = answers_of(box, ["first", "second"], dict.fromkeys("abc"))
    assert sorted(answers.found) == ["a", "c"]
    assert answers.stopped == {"b": answers_module._WHY["memory"]}
    assert answers.cells[1].startswith("was left out: it was stopped")
    assert [task["cells"] for task in box.tasks][1:] == [[[0, "first"]]] * 2
    assert [sorted(task["exercises"]) for task in box.tasks] == [["a", "b", "c"]] * 2 + [["c"]]


@pytest.mark.parametrize("silence", [[], [3]], ids=["nothing", "no word of the runner's"])
def test_failed_sandbox_start_is_retried_and_not_blamed(silence):
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
def test_errors_of_the_release_are_not_blamed_on_students(lines, cause, why):
    answers = answers_of(Scripted((lines, cause)), ["", "", "own"], {"a": None}, ours=2)
    assert answers.failed.startswith(why)
    assert answers.stopped == ({} if answers.found else {"a": FAILED})


def test_flood_of_lines_is_truncated():
    flood = b"{}\n" * 5_000_000
    assert sum(1 for _ in answers_module._lines(flood)) == answers_module._MOST_LINES
