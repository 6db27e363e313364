"""How many lines of code a file and its functions have, without what is written for readers.

Docstrings, comments, blank lines and lines that hold nothing but text are no code: a long message
or a learner's starter is not what makes a file hard to read.
"""

import ast
import functools
import io
import re
import tokenize
from collections.abc import Iterator

# What may stand beside a text on its line without making it code.
_BESIDE = set("()[]{},+;")
_SILENT = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT}
# From Python 3.12 on, an f-string is many tokens.
_OPEN = getattr(tokenize, "FSTRING_START", None)
_CLOSE = getattr(tokenize, "FSTRING_END", None)
_JS_TEXT = re.compile(r"""[+(\s]*(["'`])(?:(?!\1).|\\.)*\1[\s,;+)\]}]*""")
_JS_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_JS_FUNCTION = re.compile(
    r"(?P<indent>\s*)(?:export\s+)?(?:default\s+)?(?:static\s+)?(?:async\s+)?"
    r"(?:function\b\s*\*?\s*(?P<name>\w*)|(?:const|let)\s+(?P<arrow>\w+)\s*=.*=>|"
    r"(?!(?:if|for|while|switch|catch|else|return)\b)(?P<method>\w+)\s*\(.*\))"
    r".*\{$"
)


@functools.cache
def python_code(source: str) -> set[int]:
    """The numbers of the lines of Python code."""
    code, text, beside = set(), set(), set()
    inside = 0
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        lines = range(token.start[0], token.end[0] + 1)
        inside += (token.type == _OPEN) - (token.type == _CLOSE)
        if token.type in (tokenize.STRING, _CLOSE) or inside:
            text.update(lines)
        elif token.type == tokenize.OP and token.string in _BESIDE:
            beside.update(lines)
        elif token.type not in _SILENT and token.string:
            code.update(lines)
    return code | (beside - text)


def python_functions(source: str) -> Iterator[tuple[str, int]]:
    """Name and lines of code of every function, nested ones included."""
    code = python_code(source)
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name, len(code & set(range(node.lineno, node.end_lineno + 1)))


@functools.cache
def js_code(source: str) -> set[int]:
    """The numbers of the lines of JavaScript code, laid out by the formatter."""
    bare = _JS_COMMENT.sub(lambda found: "\n" * found[0].count("\n"), _without_urls(source))
    lines = enumerate(bare.splitlines(), start=1)
    return {n for n, line in lines if line.strip() and not _JS_TEXT.fullmatch(line)}


def js_functions(source: str) -> Iterator[tuple[str, int]]:
    """Name and lines of code of every function that has a name and a body of its own."""
    code, lines = js_code(source), source.splitlines()
    for first, line in enumerate(lines, start=1):
        if found := _JS_FUNCTION.match(line):
            end = f"{found['indent']}}}"
            rest = enumerate(lines[first:], start=first + 1)
            last = next((n for n, text in rest if text.startswith(end)), first)
            name = found["name"] or found["arrow"] or found["method"] or "default"
            yield name, len(code & set(range(first, last + 1)))


def _without_urls(source: str) -> str:
    return source.replace("://", ":")
