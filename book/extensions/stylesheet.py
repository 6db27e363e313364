"""Merge many stylesheets into one, without the rules that no page of the book can use.

A rule is dropped only if it names a class, an id or an element that occurs in no page and in no
script. Names that a script adds while a page is open occur in that script, so their rules stay.
"""

import posixpath
import re
from collections.abc import Iterable, Iterator

import tinycss2
from tinycss2.ast import Node

GROUPS = {"media", "supports", "layer", "container"}
NAMES = re.compile(r"""\b(?:class|id)=(?:"([^"]*)"|'([^']*)')|<([a-z][\w-]*)""")
CHOICES = {"is", "where", "has"}
VARIABLE = re.compile(r"""(?<=[{;])\s*(--[\w-]+)\s*:(?:"[^"]*"|'[^']*'|[^;{}"'])*(?:;|(?=\}))""")


def names_in_page(html: str) -> set[str]:
    """Return the names of the classes, ids and elements of a page."""
    return {name for match in NAMES.findall(html) for text in match for name in text.split()}


def names_in_script(code: str) -> set[str]:
    """Return every word of a script, because any of them may become a class.

    `tl-line-${i}` may become tl-line-0, tl-line-1 and so on, or end in another word of the script.
    """
    words = set(re.findall(r"[\w-]+", code))
    endings = {str(digit) for digit in range(10)} | words
    stems = set(re.findall(r"([\w-]+-)\$\{", code))
    return words | {stem + ending for stem in stems for ending in endings}


def parse(css: str | list[Node]) -> list[Node]:
    """Return the rules of a stylesheet.

    Raises:
        ValueError: the stylesheet has an error; the message says where.
    """
    rules = tinycss2.parse_rule_list(css, skip_comments=True, skip_whitespace=True)
    for rule in rules:
        if rule.type == "error":
            raise ValueError(f"{rule.message} in line {rule.source_line}")
    return rules


def purge(css: str | list[Node], names: set[str]) -> str:
    """Return a stylesheet without the rules that cannot match anything with these names."""
    kept = []
    for rule in parse(css):
        if rule.type == "qualified-rule":
            parts = [part for part in split(rule.prelude) if can_match(part, names)]
            if parts:
                selector = ",".join(compact(part) for part in parts)
                kept.append(f"{selector}{{{compact(rule.content)}}}")
        elif rule.content is None:
            kept += [] if rule.at_keyword == "charset" else [compact([rule])]
        elif rule.at_keyword in GROUPS:
            inner = purge(rule.content, names)
            if inner:
                kept.append(f"@{rule.at_keyword} {compact(rule.prelude)}{{{inner}}}")
        else:
            kept.append(compact([rule]))
    return "\n".join(kept)


def drop_unused(css: str) -> str:
    """Return a stylesheet without the animations and fonts that none of its rules uses."""
    rules = parse(css)
    body = " ".join(compact([rule]) for rule in rules if not is_resource(rule))
    kept = [rule for rule in rules if not is_resource(rule) or name_of(rule) in body]
    return "\n".join(compact([rule]) for rule in kept)


def drop_unread(css: str, names: set[str]) -> str:
    """Return a stylesheet without the variables that neither the stylesheet nor a script reads."""
    read = names | set(re.findall(r"var\(\s*(--[\w-]+)", css))
    less = VARIABLE.sub(lambda match: match[0] if match[1] in read else "", css)
    return css if less == css else drop_unread(less, names)


def is_resource(rule: Node) -> bool:
    """Return whether a rule defines an animation or a font."""
    return rule.type == "at-rule" and rule.lower_at_keyword.endswith(("keyframes", "font-face"))


def name_of(rule: Node) -> str:
    """Return the name of an animation or of a font's family."""
    if rule.lower_at_keyword.endswith("keyframes"):
        return compact(rule.prelude)
    return family_of(rule)


def family_of(face: Node) -> str:
    """Return the family that a `@font-face` belongs to."""
    for part in tinycss2.parse_declaration_list(face.content, skip_whitespace=True):
        if part.type == "declaration" and part.lower_name == "font-family":
            return compact(part.value).strip("\"'")
    raise ValueError(f"@font-face in line {face.source_line} names no family")


def compact(nodes: Iterable[Node]) -> str:
    """Return CSS without comments and with each run of white space as one blank."""
    text = tinycss2.serialize([node for node in nodes if node.type != "comment"])
    return re.sub(r"\s+", " ", re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)).strip()


def split(nodes: Iterable[Node]) -> list[list[Node]]:
    """Split a list of nodes at its commas."""
    parts: list[list[Node]] = [[]]
    for node in nodes:
        if node == ",":
            parts.append([])
        else:
            parts[-1].append(node)
    return parts


def can_match(selector: list[Node], names: set[str]) -> bool:
    """Return whether all names in a selector occur in the book."""
    before = None
    for node in selector:
        if node.type == "function" and node.lower_name in CHOICES:
            if not any(can_match(part, names) for part in split(node.arguments)):
                return False
        elif is_name(node, before) and node.value not in names:
            return False
        before = node
    return True


def is_name(node: Node, before: Node | None) -> bool:
    """Return whether a node of a selector names a class, an id or an element."""
    return node.type == "hash" or (node.type == "ident" and before != ":")


def rebase(css: str, folder: str) -> str:
    """Return a stylesheet with its file names relative to the parent of its folder."""

    def moved(match: re.Match) -> str:
        url = match[1].strip("\"'")
        if re.match(r"[a-z]+:|#|/", url):
            return match[0]
        return f'url("{posixpath.normpath(posixpath.join(folder, url))}")'

    return re.sub(r"""url\(\s*("[^"]*"|'[^']*'|[^)"']*)\s*\)""", moved, css)


def faces(css: str) -> Iterator[tuple[str, str]]:
    """Yield each `@font-face` of a stylesheet: its text and its family."""
    for rule in parse(css):
        if rule.type == "at-rule" and rule.lower_at_keyword == "font-face":
            yield compact([rule]), family_of(rule)
