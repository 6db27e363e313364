"""Which tests a change may reach: those that import what changed, the nearest first.

A file uses another when it imports it, takes a name from it through a package (`tl.build` stands in
`models/build.py`), or names it in its text, as tests and extensions do with data and styles.
"""

# ruff: noqa: B019 -- a Reach lives as long as its process

import ast
import functools
import re
import subprocess
from collections.abc import Iterator
from importlib.util import resolve_name
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = "transformer_lite"


class Reach:
    """The files of a project and who uses whom.

    Args:
        root: the project's folder; git says which files it has.
    """

    def __init__(self, root: Path = ROOT):
        self.root = root
        listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        said = subprocess.run(listed, cwd=root, check=True, capture_output=True, text=True).stdout
        self.files = sorted(name for name in said.split("\0") if (root / name).is_file())
        self.python = [name for name in self.files if name.endswith(".py")]
        self.modules: dict[str, str] = {}
        for name in self.python:
            parts = Path(name).with_suffix("").parts
            parts = parts[:-1] if parts[-1] == "__init__" else parts
            # Tests, extensions and scripts import one another by bare names.
            self.modules[".".join(parts) if name.startswith(PACKAGE) else parts[-1]] = name

    @functools.cache
    def text(self, name: str) -> str:
        """Return what a file says."""
        return (self.root / name).read_text(encoding="utf-8")

    @functools.cache
    def nodes(self, name: str) -> list[ast.AST]:
        """Return what takes names from elsewhere in a Python file."""
        told = ast.Import | ast.ImportFrom | ast.Attribute
        return [node for node in ast.walk(ast.parse(self.text(name))) if isinstance(node, told)]

    @functools.cache
    def imports(self, name: str) -> dict[str, str]:
        """Return the names that a file imports, each with the dotted name behind it."""
        found = {}
        package = ".".join(Path(name).parent.parts)
        for node in self.nodes(name):
            if isinstance(node, ast.Import):
                for alias in node.names:
                    bound = alias.asname or alias.name.partition(".")[0]
                    found[bound] = alias.name if alias.asname else bound
            elif isinstance(node, ast.ImportFrom):
                base = resolve_name("." * node.level + (node.module or ""), package)
                found |= {
                    alias.asname or alias.name: f"{base}.{alias.name}" for alias in node.names
                }
        return found

    @functools.cache
    def home(self, dotted: str) -> str:
        """Return the file in which a dotted name is made, as far as imports tell; else nothing."""
        if dotted in self.modules:
            return self.modules[dotted]
        base, _, last = dotted.rpartition(".")
        owner = self.home(base) if base else ""
        if not owner.endswith("__init__.py"):
            return owner
        behind = self.imports(owner).get(last)
        return self.home(behind) if behind and behind != dotted else owner

    @functools.cache
    def uses(self, name: str) -> frozenset[str]:
        """Return the files whose names a Python file uses."""
        imports = self.imports(name)
        dotted = set(imports.values())
        for node in self.nodes(name):
            if isinstance(node, ast.Attribute):
                chain = ast.unparse(node).split(".")
                if chain[0] in imports:
                    dotted.add(".".join([imports[chain[0]], *chain[1:]]))
        return frozenset(filter(None, map(self.home, dotted))) - {name}

    @functools.cache
    def users(self) -> dict[str, set[str]]:
        """Return who uses each file."""
        found: dict[str, set[str]] = {name: set() for name in self.files}
        for name in self.python:
            for used in self.uses(name):
                found[used].add(name)
        return found

    def named_in(self, name: str) -> set[str]:
        """Return the Python files that name a file, or a folder of data, in their text."""
        path = Path(name)
        folder = path.parent.name
        if path.suffix == ".py":
            words = [] if name.startswith(PACKAGE) else [f'"{path.stem}"']
        else:
            words = [path.name, str(path.with_suffix(""))]
            # A folder at the top is named by everybody.
            words += [f"{folder}/", f'"{folder}"', f'/{folder}"'] if len(path.parts) > 2 else []
        return {other for other in self.python if any(word in self.text(other) for word in words)}

    def is_index(self, name: str) -> bool:
        """Say whether a file only passes on what others make."""
        return name.endswith("__init__.py") and not re.search(
            r"^(def|class) ", self.text(name), re.M
        )

    def levels(self, name: str) -> Iterator[set[str]]:
        """Yield the tests that use a file, then those that use its users, and so on."""
        users = self.users()
        seen, edge = {name}, self.named_in(name) | users.get(name, set())
        while edge := edge - seen:
            yield {one for one in edge if is_test(one)}
            seen |= edge
            through = [one for one in edge if not is_test(one) and not self.is_index(one)]
            edge = {user for one in through for user in users[one]}

    def tests(self, names: list[str], most: int | None = None) -> list[str]:
        """Return the tests nearest to some files, at most so many."""
        found: list[str] = []
        waves = [list(self.levels(name)) for name in names]
        for depth in range(max(map(len, waves), default=0)):
            level = set().union(*(wave[depth] for wave in waves if depth < len(wave)))
            found += sorted(level - {*found})
        return found[:most]


@functools.cache
def project() -> Reach:
    """Return who uses whom in this project, as it stands when it is first asked."""
    return Reach()


def is_test(name: str) -> bool:
    """Say whether a file holds tests that need no built book."""
    path = Path(name)
    return path.name.startswith("test_") and not name.startswith("tests/book/")
