"""The Python side of the live figures: state, static picture, page and what is refused."""

import html
import json
import math
import re
from collections.abc import Iterator
from html.parser import HTMLParser

import pytest
from pictures import tables_of
from specs import SPECS, expected
from traitlets import Float, Int, TraitError

from lessons import FOLDER
from lessons.kit import predict, question
from lessons.kit.figures import picture_table, registry
from lessons.kit.figures.question.question import Question
from lessons.kit.figures.registry import FIGURES, DepthLab
from lessons.kit.figures.units import number, power
from tests.lessons.the_cat_sat.attention_explorer.spec import make as explorer

SCRIPT = "</script><script>alert(1)</script><img src=x onerror=alert(2)>"


def quiz(prompt: str = "What is softmax of zeros?") -> Question:
    right, wrong = ("uniform", "All equal."), ("zeros", "They sum to 1.")
    return question(prompt, right=right, wrong=[wrong], unproved="only the display is tested")


MAKES = {spec.FIGURE.name: spec.make for spec in SPECS} | {"question": quiz}
every_figure = pytest.mark.parametrize("make", MAKES.values(), ids=MAKES)


class Page(HTMLParser):
    """What a browser would see: the tags, and the text inside each one."""

    def __init__(self, text: str):
        super().__init__()
        self.tags, self.text = [], {}
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)

    def handle_data(self, data):
        if self.tags:
            self.text.setdefault(self.tags[-1], []).append(data)


@every_figure
def test_a_figure_recreated_from_its_state_is_equal(make):
    figure = make()
    state = json.loads(json.dumps(figure.state()))
    again = type(figure)(**state)
    assert again.state() == figure.state()
    assert again.picture() == figure.picture()


@every_figure
def test_to_html_carries_the_state_and_the_picture(make):
    figure = make()
    written = figure.to_html()
    page = Page(written)
    assert page.tags.count("script") == 1
    assert json.loads("".join(page.text["script"])) == figure.state()
    assert figure.picture() in written
    assert f'data-figure="{figure.name}"' in written


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.FIGURE.name)
def test_every_table_of_a_picture_shows_the_packages_numbers(spec):
    figure = spec.make(**getattr(spec, "TABLES", {}))
    shown = [table["cells"] for table in tables_of(figure.picture())]
    usual = power if isinstance(figure, DepthLab) else getattr(spec, "write", number)
    for name, values in expected(figure).items():
        write = getattr(spec, "WRITERS", {}).get(name, usual)
        assert [[write(x) for x in row] for row in values.double().tolist()] in shown, name


@pytest.mark.parametrize(
    "figure",
    [explorer(tokens=[SCRIPT, "CAT", "SAT"]), quiz(SCRIPT), predict("?", SCRIPT, "b")],
    ids=["explorer", "question", "predict"],
)
def test_script_text_in_a_figure_stays_text(figure):
    page = Page(figure.to_html())
    assert page.tags.count("script") == 1
    assert "img" not in page.tags
    assert html.escape(SCRIPT) in figure.picture()
    assert SCRIPT in json.dumps(json.loads("".join(page.text["script"])), ensure_ascii=False)


def marked(value: object) -> object:
    """Return the same value with markup in front of each text."""
    if isinstance(value, list):
        return [marked(item) for item in value]
    if isinstance(value, dict):
        return {key: marked(item) for key, item in value.items()}
    return f"<u>{value}" if isinstance(value, str) else value


@every_figure
def test_markup_in_text_traits_is_escaped_in_the_picture(make):
    figure = make()
    for name, value in figure.state().items():
        try:
            setattr(figure, name, marked(value))
        except TraitError:
            continue  # one of a few words, or a number
        assert "<u>" not in figure.picture(), name
        setattr(figure, name, value)


def beyond(limits: dict[str, tuple[float, float]]) -> Iterator[tuple[dict, str]]:
    """Values just outside both limits of each trait, and values of a wrong type."""
    for name, (low, high) in limits.items():
        told = re.escape(f"{name} must lie between {low:g} and {high:g}, got ")
        if isinstance(low, int):
            yield from (({name: x}, f"{told}{x}") for x in (low - 1, high + 1))
            yield {name: low + 0.5}, f"{name}.* not the float {low + 0.5}"
        else:
            yield from (({name: x}, told) for x in (low - 0.01, high + 0.01, math.nan))


@pytest.mark.parametrize(
    ("make", "traits", "message"),
    [
        pytest.param(spec.make, *case, id=f"{spec.FIGURE.name}-{'-'.join(case[0])}")
        for spec in SPECS
        for case in (*spec.REFUSED, *beyond(getattr(spec, "LIMITS", {})))
    ],
)
def test_a_bad_trait_is_refused_by_name_and_value_and_changes_nothing(make, traits, message):
    with pytest.raises(TraitError, match=message):
        make(**traits)
    figure = make()
    before = figure.state()
    with pytest.raises(TraitError), figure.hold_trait_notifications():
        for name, value in traits.items():
            setattr(figure, name, value)
    assert figure.state() == before
    if len(traits) == 1:
        with pytest.raises(TraitError):
            setattr(figure, *traits, *traits.values())
        assert figure.state() == before


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.FIGURE.name)
def test_a_value_of_another_kind_is_refused_by_every_trait(spec):
    figure = spec.make()
    for name, value in figure.state().items():
        wrong = 7 if isinstance(value, str | list) else "on"
        message = f"'{name}' trait .* not the .* {wrong!r}"
        with pytest.raises(TraitError, match=message):
            setattr(figure, name, wrong)
        with pytest.raises(TraitError, match=message):
            spec.FIGURE(**(figure.state() | {name: wrong}))


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.FIGURE.name)
def test_the_limits_of_every_number_are_tried(spec):
    tagged = spec.FIGURE.class_traits(limits=lambda limits: limits is not None)
    numbers = {name for name, trait in tagged.items() if isinstance(trait, Int | Float)}
    assert numbers == {*getattr(spec, "LIMITS", {})}


LOST = {spec.FIGURE.name: (spec.make, *spec.LOST) for spec in SPECS if hasattr(spec, "LOST")}


@pytest.mark.parametrize(("make", "start", "change", "message"), LOST.values(), ids=LOST)
def test_joint_changes_that_remove_the_chosen_token_are_refused(make, start, change, message):
    """Tokens and vectors are shortened together, and the chosen token must still exist."""
    figure = make(**start)
    before = figure.state()
    with pytest.raises(TraitError, match=message), figure.hold_trait_notifications():
        for name, value in change.items():
            setattr(figure, name, value)
    assert figure.state() == before
    assert make(**start).state() == before
    with figure.hold_trait_notifications():
        for name, value in (change | dict.fromkeys(start, 0)).items():
            setattr(figure, name, value)
    assert figure.picture()


def test_the_registry_lists_every_folder_and_every_class_once():
    modules = [*FOLDER.glob("*/*/*.py"), *FOLDER.glob("kit/figures/*/*.py")]
    assert sorted(FIGURES) == sorted(p.stem for p in modules if p.stem == p.parent.name)
    assert all(name == cls.name for name, cls in FIGURES.items())
    assert {spec.FIGURE for spec in SPECS} == {*FIGURES.values()} - {Question}
    for cls in FIGURES.values():
        assert getattr(registry, cls.__name__) is cls
    with pytest.raises(AttributeError, match="has no attribute 'NoSuchLab'"):
        _ = registry.NoSuchLab


def test_picture_table_escapes_names_and_requires_one_per_row():
    table = picture_table("a < b", [[1.0]], ["<i>"], ["&"])
    assert Page(table).tags.count("i") == 0
    assert "a &lt; b" in table and "&lt;i&gt;" in table and "&amp;" in table
    with pytest.raises(ValueError, match="zip"):
        picture_table("t", [[1.0], [2.0]], ["one"], ["x"])


@pytest.mark.parametrize(
    "make",
    [
        lambda: question("?", right=("a", "", True), wrong=[]),
        lambda: question("?", right=("a", "", True), wrong=[("a", "", False)]),
        lambda: predict("?", "a"),
        lambda: predict("?", "a", "a"),
    ],
)
def test_choices_must_differ(make):
    with pytest.raises(ValueError, match=r"at least two and all different, got \['a'"):
        make()


def test_a_quiz_has_one_right_choice_in_a_fixed_position():
    first, second = quiz(), quiz()
    assert [choice["right"] for choice in first.choices].count(True) == 1
    assert first.choices == second.choices
    assert not any(choice["right"] for choice in predict("?", "a", "b").choices)
