"""Generate the API pages from the packages: a section for each subpackage and its modules.

`api-packages layers models` lists these subpackages. For every module it lists the names that the
package exports, in the order of the source, and autodoc documents them. `api-top` lists what
`transformer_lite` itself exports. No name on these pages is written by hand.
"""

import ast
import functools
import importlib
import inspect
from dataclasses import dataclass
from pathlib import Path
from types import FunctionType, ModuleType
from typing import cast

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.domains.python import PythonDomain
from sphinx.environment import BuildEnvironment
from sphinx.pycode import ModuleAnalyzer
from sphinx.util.docutils import SphinxDirective
from sphinx.util.nodes import make_refnode

import transformer_lite
from lessons import FOLDER, lesson_files
from lessons.kit.figures.live_figure import scripts
from transformer_lite.subpackages import SUBPACKAGES

ROOT = Path(transformer_lite.__file__).parent
SHARED = {"checks", "files"}  # helpers of the packages, not for readers
LESSONS = {
    "kit": "what all chapters share: questions, drills, exercises, diagrams, experiments, plots",
    "chapters": "the live figures, and other code of single chapters, each in its chapter's folder",
    "trained": "the translator and the GPT of the book, and the code that trains them",
    "worked_examples": "the values printed in five lecture documents, recomputed",
}
BLOCK = "```{{eval-rst}}\n{}\n\n.. currentmodule:: {}\n\n{}\n```"


@dataclass(frozen=True)
class Part:
    """One module of a subpackage: the names that it exports, and where readers import them from."""

    module: str
    imported_from: str
    names: tuple[str, ...]

    @property
    def title(self) -> str:
        """Return the module's name without the package, and without repeating a folder's name."""
        words = (word.lstrip("_") for word in self.module.split(".")[1:])
        return ".".join(dict.fromkeys(words))

    @property
    def sentence(self) -> str:
        """Return the first sentence of the module's docstring."""
        return (importlib.import_module(self.module).__doc__ or "").partition("\n")[0]

    def value(self, name: str) -> object:
        return getattr(importlib.import_module(self.imported_from), name)

    def comment(self, name: str) -> str:
        """Return the `#:` comment above a piece of data."""
        lines = ModuleAnalyzer.for_module(self.module).find_attr_docs().get(("", name), [])
        return " ".join(lines).strip()


def public_packages() -> list[str]:
    """Return the public subpackages: first those of the model, then those of the lessons."""
    return [*(subpackage for subpackage in SUBPACKAGES if subpackage not in SHARED), *LESSONS]


def name_of(subpackage: str) -> str:
    """Return the package or module that a reader imports from."""
    return "lessons" if subpackage == "chapters" else f"{root_package(subpackage)}.{subpackage}"


def root_package(subpackage: str) -> str:
    return "lessons" if subpackage in LESSONS else "transformer_lite"


@functools.cache  # both directives need all parts
def parts(subpackage: str) -> list[Part]:
    """Return the modules of a subpackage that export something, sorted by name."""
    found = []
    for path in files(subpackage):
        folder = FOLDER if subpackage in LESSONS else ROOT
        words = path.relative_to(folder.parent).with_suffix("").parts
        words = words[:-1] if words[-1] == "__init__" else words
        module = ".".join(words)
        package = exporting_package(module)
        names = exported_names(path, module, package)
        if names:
            found.append(Part(module, package.__name__ if package else module, tuple(names)))
    return found


def files(subpackage: str) -> list[Path]:
    """Return the Python files of a subpackage, which is either one file or a folder."""
    if subpackage == "chapters":
        figures = (path.with_suffix(".py") for path in scripts().values())
        found = [path for path in figures if path.exists() and path.parents[2] == FOLDER]
        return found + [path for path in lesson_files("*.py") if path.parent.name not in LESSONS]
    folder = (FOLDER if subpackage in LESSONS else ROOT) / subpackage
    return sorted(folder.rglob("*.py")) if folder.is_dir() else [folder.with_suffix(".py")]


def exporting_package(module: str) -> ModuleType | None:
    """Return the module itself, or the nearest package above it that has an `__all__`."""
    words = module.split(".")
    for end in range(len(words), 1, -1):
        package = importlib.import_module(".".join(words[:end]))
        if hasattr(package, "__all__"):
            return package
    return None


def exported_names(path: Path, module: str, package: ModuleType | None) -> list[str]:
    """Return the names of a file that are in `__all__`; without `__all__`, all public names."""
    defined = definitions(path)
    if package is None:
        return [name for name, is_code in defined if is_code and not name.startswith("_")]
    known = [name for name, _ in defined if name in package.__all__]
    if not known:
        return []
    own = importlib.import_module(module)  # another file may use the same name for something else
    return [name for name in known if getattr(own, name) is getattr(package, name)]


def definitions(path: Path) -> list[tuple[str, bool]]:
    """Return the top-level names of a file, in order, and whether each is code or data."""
    found = []
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.append((node.name, True))
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            found += [(target.id, False) for target in targets if isinstance(target, ast.Name)]
    return found


def top_paths() -> list[tuple[str, str | None]]:
    """Return the names of `transformer_lite` and where each is documented (None for a folder)."""
    exported = [
        (part, name)
        for subpackage in public_packages()
        for part in parts(subpackage)
        for name in part.names
    ]
    paths = {id(part.value(name)): f"{part.imported_from}.{name}" for part, name in exported}
    offers = ((name, getattr(transformer_lite, name)) for name in transformer_lite.__all__)
    return [
        (name, None if isinstance(value, ModuleType) else paths[id(value)])
        for name, value in offers
    ]


def directive(part: Part, name: str) -> str:
    """Return the autodoc directive for a name; a class also lists its documented members."""
    value = part.value(name)
    if isinstance(value, type):
        members = [key for key, member in vars(value).items() if is_documented(key, member)]
        option = f":members: {', '.join(members)}" if members else ":no-members:"
        return f".. autoclass:: {name}{call(value)}\n   {option}"
    if callable(value):
        return f".. autofunction:: {name}"
    return f".. py:data:: {name}\n\n   {part.comment(name)}\n"


def call(cls: type) -> str:
    """Return the signature of a figure, because autodoc would show the `__new__` of traitlets."""
    if "__init__" not in vars(cls) or not isinstance(cls.__new__, FunctionType):
        return ""
    signature = inspect.signature(cls.__init__)
    own = [
        parameter.replace(annotation=parameter.empty)
        for parameter in list(signature.parameters.values())[1:]
    ]
    return str(signature.replace(parameters=own, return_annotation=signature.empty))


def is_documented(name: str, member: object) -> bool:
    """Return whether a member of a class is a public, documented method or property."""
    kinds = (FunctionType, property, classmethod, staticmethod)
    return not name.startswith("_") and isinstance(member, kinds) and bool(inspect.getdoc(member))


class Subpackages(SphinxDirective):
    """Make a section for each named subpackage, with a subsection for each of its modules."""

    required_arguments = 1
    final_argument_whitespace = True

    def run(self) -> list[nodes.Node]:
        subpackages = self.arguments[0].split()
        for path in (path for subpackage in subpackages for path in files(subpackage)):
            self.env.note_dependency(str(path))
        return [self.subpackage(name) for name in subpackages]

    def subpackage(self, name: str) -> nodes.section:
        section = self.section(name)
        description = nodes.Text(f": {(SUBPACKAGES | LESSONS)[name]}.")
        section += nodes.paragraph("", "", nodes.literal("", name_of(name)), description)
        for part in parts(name):
            # A subpackage with a single module needs no second title.
            inner = section if part.title == name else self.section(part.title)
            self.state.nested_parse(StringList(self.block(part).splitlines()), 0, inner)
            section += [inner] if inner is not section else []
        return section

    def section(self, title: str) -> nodes.section:
        section = nodes.section(
            "", nodes.title("", title), names=[nodes.fully_normalize_name(title)]
        )
        self.state.document.note_implicit_target(section, section)
        return section

    def block(self, part: Part) -> str:
        directives = "\n".join(directive(part, name) for name in part.names)
        return BLOCK.format(part.sentence, part.imported_from, directives)


class Top(SphinxDirective):
    """List the names of `transformer_lite` itself, each linked to where it is documented."""

    def run(self) -> list[nodes.Node]:
        paths = top_paths()
        roles = [f"{{py:obj}}`{name} <{path}>`" if path else f"`{name}`" for name, path in paths]
        node = nodes.paragraph()
        self.state.nested_parse(StringList([", ".join(roles) + "."]), 0, node)
        return node.children


def resolve(app: Sphinx, env: BuildEnvironment, node: pending_xref, label: nodes.Node):
    """Resolve a name that a docstring mentions without its module."""
    if node.get("refdomain") != "py":
        return None
    domain = cast(PythonDomain, env.get_domain("py"))
    name = node["reftarget"].removeprefix("transformer_lite.").removeprefix("lessons.")
    found = [hit for hit in domain.find_obj(env, "", "", name, None, 1) if not hit[1].aliased]
    if len(found) != 1:
        return None
    full, entry = found[0]
    return make_refnode(app.builder, node["refdoc"], entry.docname, entry.node_id, label, full)


def setup(app: Sphinx) -> None:
    app.add_directive("api-packages", Subpackages)
    app.add_directive("api-top", Top)
    app.connect("missing-reference", resolve)
