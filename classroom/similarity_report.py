"""The parts of the teacher's page about similar answers and about the source of answers."""

from collections.abc import Mapping, Sequence

from classroom.marks import Graded
from classroom.markup import Markup, element, table
from classroom.names import title_of
from classroom.provenance import BOOKS
from classroom.similarity import MIN_PIECES, PIECE, Group

#: The number of answers shown per group.
MOST_SHOWN = 6
Notes = Mapping[str, Mapping[str, Sequence[str]]]


def similar_answers(graded: Sequence[Graded], groups: Sequence[Group], told: Notes) -> list[Markup]:
    """List every group; short answers, which may be similar by chance, are folded at the end."""
    if not groups:
        return [element("p", "No two answers are alike.")]
    note = (
        "Layout, comments and chosen names do not count. Bug hunts are left out. That answers are "
        "alike proves nothing. Against chance speak their length, counted in runs of "
        f"{PIECE} words and signs beyond what everybody was given, and few who wrote the same; for "
        "it speaks that many did, or that the book shows it."
    )
    long = [_group(graded, group, told) for group in groups if group.own >= MIN_PIECES]
    short = [_group(graded, group, told) for group in groups if group.own < MIN_PIECES]
    title = element("summary", f"Short answers that are the same: {len(short)}")
    return [element("p", note), *long, *([element("details", title, short)] if short else [])]


def _group(graded: Sequence[Graded], group: Group, told: Notes) -> Markup:
    students = [graded[int(index)] for index in group.students]
    names = ", ".join(g.student.name for g in students)
    how = "the same" if group.similarity == 1 else f"{group.similarity:.0%} alike"
    books = sum(
        any(BOOKS in sentence for sentence in told.get(index, {}).get(group.exercise, ()))
        for index in group.students
    )
    summary = [
        f"{title_of(group.exercise)}: {names}",
        how,
        f"{len(students)} of {group.of} answers",
        f"length {group.own}",
        *([f"{books} of them as the book has it"] if books else []),
    ]
    answers = [
        element(
            "div",
            element("h4", f"{g.student.name}, {title_of(group.exercise)}"),
            element("pre", g.marks[group.exercise].answer, tabindex="0"),
        )
        for g in students[:MOST_SHOWN]
    ]
    return element(
        "details", element("summary", "; ".join(summary)), element("div", answers, class_="two")
    )


def answer_sources(graded: Sequence[Graded], told: Notes) -> list[Markup]:
    """List the notes about each answer."""
    rows = [
        [graded[int(index)].student.name, title_of(name), "; ".join(sentences)]
        for index, found in told.items()
        for name, sentences in found.items()
    ]
    if not rows:
        return [element("p", "No answer is the book's, runs a text or calls the package.")]
    note = (
        "The book's solutions are public, and the package is there to be read. These answers keep "
        "their points: what they are worth, you decide. A text that is run may hold anything."
    )
    return [element("p", note), table(["student", "exercise", "what stands in the answer"], rows)]
