"""Each rule finds a notebook that breaks it, and passes one that obeys all of them."""

import nbformat.v4 as v4
import pytest
import rules
from samples import chapter, code, displayed


def without_ids(notebook):
    del notebook.cells[0]["id"]


def with_two_alike(notebook):
    notebook.cells[0].id = notebook.cells[1].id


def with_kernel(notebook):
    notebook.metadata.kernelspec.name = "my-env"


def without_title(notebook):
    del notebook.cells[0]


def with_subtitle_first(notebook):
    notebook.cells[0].source = "## A title"


def without_summary(notebook):
    notebook.cells = [cell for cell in notebook.cells if cell.source != "## Summary"]


def with_half_a_heading(notebook):
    notebook.cells[3].source = "## Summary of it all"


def with_long_cells(notebook):
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.source = "\n".join(["x = 1"] * 9)


def with_wrong_count(notebook):
    notebook.cells[1].execution_count = 7


def without_count(notebook):
    notebook.cells[1].execution_count = None


def with_times(notebook):
    notebook.cells[1].metadata.execution = {"iopub.status.busy": "2026-01-01T00:00:00Z"}


def with_widget_state(notebook):
    notebook.metadata.widgets = {}


# The rule, the change that breaks it, and a part of what it says.
CHANGES = [
    (rules.check_format, without_ids, "'id' is a required property"),
    (rules.check_format, with_two_alike, "two cells have the id"),
    (rules.check_kernel, with_kernel, "python3, got my-env"),
    (rules.check_title, without_title, "got 'print(0.8446)'"),
    (rules.check_title, with_subtitle_first, "got '## A title'"),
    (rules.check_sections, without_summary, "no section 'Summary'"),
    (rules.check_sections, with_half_a_heading, "no section 'Summary'"),
    (rules.check_cell_length, with_long_cells, "has 9 lines, more than 8"),
    (rules.check_nbval, with_wrong_count, "execution count 1, got 7"),
    (rules.check_nbval, without_count, "execution count 1, got None"),
    (rules.check_nbval, with_times, "stores when it ran"),
    (rules.check_output_types, with_widget_state, "widget state"),
]

BIB = "../book/references.bib#vaswani2017attention"
TWO_FUNCTIONS = "def f():\n    pass\n\ndef g():\n    pass"
ALT = {"mystnb": {"image": {"alt": "A line that rises."}}}
ERROR = v4.new_output("error", ename="KeyError", evalue="'x'", traceback=[])
STDERR = v4.new_output("stream", name="stderr", text="UserWarning: careful")

# The rule, the cells that break it when they are added, and a part of what it says.
CELLS = [
    (rules.check_cell_length, [code("x = 1\n\n# why\n" * 5 + "x")], "16 lines, more than 15"),
    (rules.check_line_length, [code("x" * 81)], "a line of 81 characters, more than 80"),
    (rules.check_line_length, [code("x" * 101, tags=["remove-input"])], "more than 100"),
    (rules.check_empty_cells, [code(" \n")], "is empty"),
    (rules.check_definitions, [code(TWO_FUNCTIONS)], "defines f, g"),
    (rules.check_definitions, [code("%time\n" + TWO_FUNCTIONS)], "defines f, g"),
    (rules.check_tags, [code("x", tags=["remove-cell"])], "unknown tag 'remove-cell'"),
    (rules.check_tags, [code("x", tags=["nbval-ignore-output"])], "nbval-ignore-output"),
    (rules.check_varying_outputs, [code("print(x)", tags=["varies"])], "asserts nothing"),
    (rules.check_nbval, [code("# NBVAL_IGNORE_OUTPUT\n1")], "# NBVAL_IGNORE_OUTPUT"),
    (rules.check_nbval, [code("1\n#NBVAL_SKIP")], "#NBVAL_SKIP"),
    (rules.check_text_before_code, [code("1"), code("2"), code("3")], "cell 10 has no text"),
    (rules.check_assertions, [code("x"), "The assertion holds."], "and none stands"),
    (rules.check_output_types, [displayed("x", "image/png", "aGk=")], "stores image/png"),
    (rules.check_output_types, [displayed("x", "image/svg+xml", "<svg/>")], "image/svg+xml"),
    (
        rules.check_output_types,
        [displayed("x", "application/vnd.jupyter.widget-view+json", {})],
        "widget-view",
    ),
    (rules.check_errors_and_warnings, [v4.new_code_cell("x", outputs=[ERROR])], "error KeyError"),
    (rules.check_errors_and_warnings, [v4.new_code_cell("x", outputs=[STDERR])], "UserWarning"),
    (rules.check_reprs, [code("x", "Text(0, 0.5, 'y')")], "'Text('"),
    (rules.check_reprs, [code("x", "<Axes: title={}>")], "'<Axes'"),
    (rules.check_reprs, [code("x", "[<matplotlib.lines.Line2D>]")], "<matplotlib."),
    (rules.check_reprs, [code("x", "<a.B object at 0x7f>")], "object at 0x"),
    (rules.check_decimals, [code("x", "tensor(0.84461)")], "prints 0.84461"),
    (
        rules.check_decimals,
        [displayed("x", "text/html", "<td>1.23456</td>")],
        "prints 1.23456",
    ),
    (rules.check_machine_paths, [code("x", "saved to /home/me/x")], "'/home/me/x'"),
    (rules.check_machine_paths, [code("open('/tmp/x')")], "/tmp/x"),
    (rules.check_machine_paths, ["See C:\\Users\\me."], "'C:\\\\Users"),
    (rules.check_roles, ["As {cite}`ba2016layer` say."], "raw: {cite}`ba2016layer`"),
    (rules.check_citations, [f"As ([Vaswani, 2017]({BIB}))."], "must name its works"),
    (rules.check_citations, [f"As ([Vaswani\net al., 2017]({BIB}))."], "on one line"),
    (
        rules.check_citations,
        [f"([No one, 2017]({BIB}x))"],
        "has no 'vaswani2017attentionx'",
    ),
    (
        rules.check_prediction_covers,
        [code("predict('?', 'a', 'b', covers=3)"), code("1"), "So.", "## Next"],
        "covers 3 cells, but 2 follow",
    ),
    (
        rules.check_prediction_covers,
        [code("predict('?', 'a')"), code("predict('?', 'b')"), code("1")],
        "covers 1 cells, but 0 follow",
    ),
    (rules.check_see_links, ["## The *shape*", code("1", see="the-form")], "'the-form'"),
    (rules.check_plots, [code("plt.show()")], "needs the metadata mystnb.image.alt"),
    (rules.check_plots, [code("plt.show()", mystnb={"image": {"alt": " "}})], "needs the"),
    (rules.check_plots, [code("plt.show()\nx", **ALT)], "must end in plt.show()"),
    (
        rules.check_plots,
        [displayed("figure", "text/plain", "<Figure size 640x480 with 1 Axes>", **ALT)],
        "must end in plt.show()",
    ),
]


def name(value):
    return getattr(value, "__name__", None)


@pytest.mark.parametrize(("rule", "change", "message"), CHANGES, ids=name)
def test_a_rule_finds_a_changed_notebook(rule, change, message):
    notebook = chapter()
    assert rule(notebook) == []
    change(notebook)
    assert message in "\n".join(rule(notebook))


@pytest.mark.parametrize(("rule", "cells", "message"), CELLS)
def test_a_rule_finds_an_added_cell(rule, cells, message):
    assert message in "\n".join(rule(chapter(*cells)))


def test_every_rule_has_a_notebook_that_breaks_it():
    assert {case[0] for case in [*CHANGES, *CELLS]} == set(rules.RULES)


@pytest.mark.parametrize("rule", rules.RULES, ids=name)
def test_a_notebook_that_obeys_all_rules_passes(rule):
    worked = displayed("compare('x')", "text/html", '<table class="worked-examples">0.123456')
    notebook = chapter(
        "## A `part` of [it](x.ipynb)",
        code("1", see="a-part-of-it tour-mask_lab-2"),
        f"Some text ([Vaswani et al., 2017]({BIB})).",
        code("predict('?', 'a', covers=2)", tags=["remove-input"]),
        code("x = 1\n" * 14 + "x"),
        "Some more.",
        code("x" * 81 + "\nx" * 15, tags=["remove-input"]),
        code("plt.plot(x)\nplt.show()", "<Figure size 640x480 with 1 Axes>", **ALT),
        "Write two functions.",
        code(TWO_FUNCTIONS, "/2 and 0.1234", tags=["exercise"]),
        code("hints()", tags=["hide-cell"]),
        "Some text.",
        code("assert 3 < x < 4\nprint(x)", "3.5", tags=["varies"]),
        "The assertion says where it lies.",
        code(TWO_FUNCTIONS, tags=["hide-cell", "solution"]),
        *(code(f'question("{i}?", right=("a", "b"), wrong=[("c", "d")])') for i in range(3)),
        "A page: https://example.org/home/x",
        worked,
    )
    assert rule(notebook) == []
