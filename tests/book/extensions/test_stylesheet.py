"""Only rules that no page can use are removed from the stylesheet."""

import pytest
from stylesheet import (
    drop_unused,
    faces,
    names_in_script,
    parse,
    purge,
)

NAMES = {"html", "div", "p", "card", "open", "top"}


def test_a_class_name_assembled_by_a_script_is_kept():
    names = names_in_script('{ class: `tl-line-${i} is-${on ? "good" : "bad"}` }')
    assert {"tl-line-0", "tl-line-4", "is-good", "is-bad"} <= names


@pytest.mark.parametrize(
    "kept",
    [
        "div{color: red}",
        ".card > p:first-child::before{color: red}",
        '#top[data-x="gone"]{color: red}',
        "html:not(.gone) p{color: red}",
        ":is(.gone,.card) p{color: red}",
        "*{color: red}",
        ":root{--a: 1px}",
        "@media (width > 3px){p{color: red}}",
        "@page{margin: 1cm}",
        "@layer one,two;",
        "p{:is(b, i) { color: red; }}",  # rules within a rule stay as they are
    ],
)
def test_rules_that_can_match_are_kept(kept):
    assert purge(kept, NAMES) == kept


@pytest.mark.parametrize(
    "gone",
    [
        "span{color: red}",
        ".gone{color: red}",
        ".card .gone{color: red}",
        "p#gone{color: red}",
        ":is(.gone,#none) p{color: red}",
        "p:has(.gone){color: red}",
        "@media print{.gone{color: red}}",
        "@supports (a: b){@media print{.gone{color: red}}}",
    ],
)
def test_rules_that_cannot_match_are_removed(gone):
    assert purge(gone, NAMES) == ""


def test_animations_and_fonts_that_no_rule_names_are_removed():
    css = """@keyframes turn{to{top: 0}} @keyframes idle{to{top: 0}}
    @font-face{font-family: "Used"; src: url(a)} @font-face{font-family: Unused; src: url(b)}
    p{animation: turn 1s; font: 1em Used, serif}"""
    kept = drop_unused(css)
    assert "turn{" in kept
    assert "idle" not in kept
    assert [family for _, family in faces(kept)] == ["Used"]


def test_a_sheet_with_an_error_is_refused():
    with pytest.raises(ValueError, match="in line 2"):
        parse("p{}\n}")
