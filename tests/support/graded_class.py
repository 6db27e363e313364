"""A small class that was graded, for the tests of tables and pages."""

from dataclasses import replace

from classroom.marks import Graded, Mark, Student
from classroom.plan import ClassPlan

PLAN = ClassPlan(
    title="Week 3",
    date="2027-03-31",
    exercises=("attention.soft_lookup", "attention.contextual"),
    secret="0" * 64,
    points={"attention.soft_lookup": 1.0, "attention.contextual": 2.0},
)
MARKUP = '<script>alert("1")</script>'
NO_KEY = "The keys are mixed, not the values."
ANSWER = '''
def attend(x, w):
    """Attend."""
    q = x @ w
    scores = q @ x.mT / len(x) ** 0.5
    weights = torch.softmax(scores, dim=-1)
    return weights @ x + scores.sum()
'''
RENAMED = """
def attend(tokens, matrix):  # mine alone
    asked = tokens @ matrix

    table = asked @ tokens.mT / len(tokens) ** 0.5
    shares = torch.softmax(
        table, dim=-1
    )
    return shares @ tokens + table.sum()
"""


def graded(name, id="", first=1.0, second=2.0, **more):
    """One student with so many points for the two exercises."""
    marks = {
        "attention.soft_lookup": mark(first, 1.0),
        "attention.contextual": mark(second, 2.0),
    }
    return Graded(Student(name, id, "moodle" if id else ""), marks | more.pop("marks", {}), **more)


def mark(points, of, answer=""):
    """A mark that is right or wrong."""
    if points == of:
        return Mark(points, of, "right", "correct.", answer=answer)
    return Mark(points, of, "wrong", f"It is {MARKUP}.\nSee?", (NO_KEY,), answer)


def whole_class(platform="moodle"):
    """Six students with all that makes trouble."""
    students = [
        graded("Ada Lovelace", "101"),
        graded("Zoë Ångström", "102", first=0.0),
        graded(MARKUP, "103", 0.0, 0.0),
        graded(
            '=HYPERLINK("x")', "104", first=0.5, late=True, problem="The file is not a notebook."
        ),
        graded("Jean, dit Jeannot", "105", notes=("a second file was left out",)),
        graded("Ada Lovelace", "106", second=0.0),
    ]
    return [replace(g, student=replace(g.student, platform=platform)) for g in students]
