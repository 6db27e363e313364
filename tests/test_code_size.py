"""Files stay under 250 lines of code and functions under 40, in Python and in JavaScript."""

import re
from pathlib import Path

import pytest
from code_size import js_code, js_functions, python_code, python_functions
from reach import project

ROOT = Path(__file__).parents[1]
LONGEST_FILE = dict.fromkeys(("transformer_lite", "book", "benchmarks", ".ci", "press"), 250)
LONGEST_FILE["tests"] = 400
LONGEST_FUNCTION = 40
MEASURES = {
    ".py": (python_code, python_functions),
    ".js": (js_code, js_functions),
    ".mjs": (js_code, js_functions),
}


def files() -> list[str]:
    """Our own Python and JavaScript: every file that git keeps or would keep."""
    ours = [name for name in project().files if not re.search("/(katex|ts-fsrs)/", name)]
    found = (name for name in ours if Path(name).suffix in MEASURES)
    return [name for name in found if Path(name).parts[0] in LONGEST_FILE]


def too_long(name: str, source: str) -> list[str]:
    """What is too long about a file, its functions included."""
    lines, functions = MEASURES[Path(name).suffix]
    length, most = len(lines(source)), LONGEST_FILE[Path(name).parts[0]]
    problems = [f"{name} has {length} lines of code, more than {most}"] if length > most else []
    return problems + [
        f"{name}: {function} has {size} lines of code, more than {LONGEST_FUNCTION}"
        for function, size in functions(source)
        if size > LONGEST_FUNCTION
    ]


def test_there_are_files_of_both_languages():
    assert {Path(name).suffix for name in files()} == set(MEASURES)
    assert {Path(name).parts[0] for name in files()} == set(LONGEST_FILE)


def test_no_file_and_no_function_is_too_long():
    texts = {name: (ROOT / name).read_text(encoding="utf-8") for name in files()}
    assert [problem for name, text in texts.items() for problem in too_long(name, text)] == []


PYTHON = '''"""A docstring
of two lines."""

# why
def f(x):
    """Say it."""
    if x:
        raise ValueError(
            "a message"
            f"of {x} lines"
        )
    return [
        x,
        "c",
        """one
        two""",
    ]
'''
JAVASCRIPT = """// why
/** Two lines
 * of words. */
export function f(x) {
  if (x) {
    throw new Error(
      "a message " +
        `of lines`,
    );
  }
  return ["https://example.org", x]; // why
}

const g = (x) => {
  return x;
};
"""


def test_python_that_is_no_code_is_not_counted():
    assert python_code(PYTHON) == {5, 7, 8, 11, 12, 13, 17}
    assert list(python_functions(PYTHON)) == [("f", 7)]


def test_javascript_that_is_no_code_is_not_counted():
    assert js_code(JAVASCRIPT) == {4, 5, 6, 9, 10, 11, 12, 14, 15, 16}
    assert list(js_functions(JAVASCRIPT)) == [("f", 7), ("g", 3)]


@pytest.mark.parametrize(
    "head",
    [
        "function name({ a, b }) {",
        "export default function name() {",
        "async function name() {",
        "const name = async (x) => {",
        "  name(event) {",
        "  async name() {",
        "  static name(a, b) {",
    ],
)
def test_every_kind_of_javascript_function_is_measured(head):
    indent = " " * (len(head) - len(head.lstrip()))
    body = [f"{indent}  x += {i};" for i in range(50)]
    source = "\n".join([head, *body, f"{indent}}}", "y();"])
    assert list(js_functions(source)) == [("name", 52)]
    (problem,) = too_long("book/x.js", source)
    assert "name has 52 lines of code, more than 40" in problem


def test_a_block_is_no_function():
    assert list(js_functions("if (x) {\n}\nfor (const y of z) {\n}\nwhile (x) {\n}")) == []


def test_a_long_file_and_a_long_function_are_found():
    body = "\n".join(f"    x = {i}" for i in range(249))
    file, function = too_long("book/x.py", f"def f():\n{body}\n    return x\n")
    assert "book/x.py has 251 lines of code, more than 250" in file
    assert "f has 251 lines of code, more than 40" in function
