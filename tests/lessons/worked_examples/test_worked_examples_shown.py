"""The worked examples as a reader meets them: the notes, the table, the errors."""

import importlib
import inspect
import math
import pkgutil
import re
from collections import Counter

import lecture_phrases
import pytest

from lessons import worked_examples
from lessons.worked_examples import compare, load
from lessons.worked_examples.comparison import format_value

ENTRIES = load()


def numbers_in(value):
    if isinstance(value, dict):
        return [n for item in value.values() for n in numbers_in(item)]
    if isinstance(value, list):
        return [n for item in value for n in numbers_in(item)]
    if isinstance(value, str):
        return [float(digits) for digits in re.findall(r"\d+\.\d+", value)]
    return [float(value)] if isinstance(value, int | float) else []


# The notes


def test_every_note_is_its_own_sentence():
    notes = [entry.note for entry in ENTRIES.values()]
    assert [note for note, count in Counter(notes).items() if count > 1] == []
    for entry in ENTRIES.values():
        assert re.fullmatch(r"[A-Z0-9].*[\w\])]\.", entry.note), entry.id
        assert not re.search(r"sqrt|\^\d|\*|->|<=|>=|!|  ", entry.note), entry.id


def test_the_notes_are_in_our_words():
    known = lecture_phrases.lecture_fingerprints()
    assert len(known) > 2000
    copied = {
        entry.id: phrases
        for entry in ENTRIES.values()
        if (phrases := lecture_phrases.shared_phrases(entry.note, known))
    }
    assert copied == {}


def test_nine_copied_words_are_found():
    text = "one two three four five six seven eight nine ten eleven twelve thirteen"
    known = lecture_phrases.fingerprints(text)
    words = text.split()
    for start in range(len(words) - 8):
        assert lecture_phrases.shared_phrases(" ".join(words[start : start + 9]), known)
    assert lecture_phrases.shared_phrases("one two three four and six seven eight", known) == []


def test_every_decimal_number_in_a_note_is_in_the_data():
    for entry in ENTRIES.values():
        known = numbers_in([entry.printed, entry.value, entry.inputs])
        for whole, decimals in re.findall(r"(\d+)\.(\d+)", entry.note):
            wanted = float(f"{whole}.{decimals}")
            rounded = {round(abs(n), len(decimals)) for n in known if math.isfinite(n)}
            assert wanted in rounded, f"{entry.id}: {wanted}"


# What a reader calls


def test_computing_a_claim_is_refused_with_a_reason():
    with pytest.raises(ValueError, match="'rope-adopters' is a claim"):
        ENTRIES["rope-adopters"].compute()


def test_an_unknown_id_names_the_nearest():
    with pytest.raises(ValueError, match=r"'zscore-men' must be .* nearest are zscore-mean"):
        compare("zscore-men")
    with pytest.raises(TypeError, match="got none"):
        compare()
    with pytest.raises(TypeError, match=r"got list: \['zscore-mean'\]"):
        compare(["zscore-mean"])


def test_the_text_is_narrow_and_complete():
    text = repr(compare(*ENTRIES))
    assert max(map(len, text.splitlines())) <= 100
    assert "0x" not in text and "tensor(" not in text
    shown = repr(compare("zscore-std"))
    assert re.findall(r"^  (\w+)", shown, re.M) == ["printed", "ours", "verdict", "why"]
    assert "2.2361" in shown


def test_a_comparison_shows_titles_but_no_ids_or_line_numbers():
    both = compare("qkv-cat", "output-the-sum")
    for shown in (repr(both), both._repr_html_(), repr(compare("zscore-mean"))):
        assert not re.search(r"qkv-cat|output-the-sum|zscore-mean|\blines? \d|andwritten", shown)
    assert repr(both).startswith("Printed and computed: projection, weighted sum\n\nprojection\n")
    heads = re.findall(r"</span>(.*?)</th>", both._repr_html_())
    assert heads == [" projection", " weighted sum"]


def test_the_table_is_accessible_and_escaped():
    html = compare("output-the-sum", caption="<b>Q & A</b>")._repr_html_()
    assert "<caption>&lt;b&gt;Q &amp; A&lt;/b&gt;</caption>" in html and "<b>" not in html
    assert html.count('<th scope="col">') == 2 and html.count('<th scope="rowgroup"') == 1
    assert 'role="region" tabindex="0"' in html
    assert '<span class="verdict verdict-disagrees">disagrees</span>' in html


@pytest.mark.parametrize(
    ("value", "lines"),
    [
        (0.123456, ["0.1235"]),
        (-2.0, ["−2.0"]),
        (1e-16, ["0.0"]),
        (2.06e-9, ["2.1e-09"]),
        (0.31125, ["0.3112"]),
        (0.31125 + 1e-16, ["0.3112"]),
        ([math.inf, -math.inf, math.nan], ["[∞, −∞, NaN]"]),
        ([[1, 0], [1, 1]], ["[1, 0]", "[1, 1]"]),
        ({"a": 1.0, "b": [[1], [2]]}, ["a: 1.0", "b:", "[1]", "[2]"]),
        (True, ["yes"]),
        (None, ["—"]),
    ],
)
def test_values_are_written_with_four_decimals(value, lines):
    assert format_value(value) == lines


def public_functions():
    for found in pkgutil.iter_modules(worked_examples.__path__):
        module = importlib.import_module(f"{worked_examples.__name__}.{found.name}")
        for name, function in inspect.getmembers(module, inspect.isfunction):
            if function.__module__ == module.__name__ and not name.startswith("_"):
                yield pytest.param(function, id=f"{found.name}.{name}")


@pytest.mark.parametrize("function", list(public_functions()))
def test_every_function_has_a_docstring_and_annotations(function):
    assert re.match(r"[A-Z].*\.(\n|$)", function.__doc__ or ""), "one sentence on one line"
    signature = inspect.signature(function)
    annotations = [parameter.annotation for parameter in signature.parameters.values()]
    assert inspect.Signature.empty not in [*annotations, signature.return_annotation]
