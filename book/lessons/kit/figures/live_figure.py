"""The base class of live figures: one ES module, one stylesheet and one static picture each.

A figure's JavaScript imports its helpers as a browser does: `import … from
"../../kit/figures/kit.js"`. Jupyter starts a module from text, which has no folder to import from,
so `compose` inserts the helpers before it. The published page gets plain scripts, which also work
from a file: one for each figure, one for each file of the kit that only some chapters use, and one
for host.js with the files of the kit that most chapters use. Together these compress better, and a
browser loads them once for the whole book.

Data that is too large for a figure's state, such as a model's weights, is an asset: a file that the
class names. Jupyter sends its bytes with the widget; the published page has it as a script of its
own, loaded when the figure comes near the screen. `kit/assets.js` reads it in both places.
"""

import functools
import html
import json
import re
from collections.abc import Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Any, ClassVar, Self

import anywidget
import torch
from traitlets import Bool, Bytes, Dict, TraitError, TraitType, default, validate

from lessons import lesson_files
from lessons.kit.figures.assets import assets_attribute, read_assets
from lessons.kit.figures.rules import trait_problems
from lessons.kit.figures.units import number

KIT = Path(__file__).parents[1]  # figures, drills and diagrams
SHEETS = Path(__file__).parent
_IMPORT = re.compile(
    r'^import (?P<names>[^;]*?) from "(?P<file>\.[\w./]+\.js(?:on)?)"'
    r'(?: with { type: "json" })?;\n',
    re.MULTILINE,
)
_COMMENT = re.compile(r"^ *(?://.*|/\*\*(?:(?!\*/)[\s\S])*\*/)\n", re.MULTILINE)  # whole lines only
_TYPE = re.compile(r"/\*\* @(?:(?!\*/).)*\*/ ?")  # a type inside a line
_INDENT = re.compile(r"^\s+", re.MULTILINE)
_NAME = re.compile(r"\w+")
_EXPORTED = re.compile(r"^export (?:async )?(?:function\*?|const) (\w+)", re.MULTILINE)
_EXPORT = "export default "
_NUMBER = re.compile(r"\{([\w.]+)(?::(\d|%))?\}")
# The files of the kit that most chapters use.
_CORE = ("controls", "math", "table", "tour", "drawing", "../drills/drill", "../drills/draw")
_SHEETS = ("kit", "controls", "table", "chart", "plane", "tour", "host")


@functools.cache
def scripts() -> dict[str, Path]:
    """Return the module of each figure and drill, by its name.

    A figure `mask_lab` of a lesson is `mask_lab/mask_lab.js`, a drill is `drills/scores.js`.
    """
    found = [*lesson_files("*/*.js"), *SHEETS.glob("*/*.js")]
    own = (path for path in found if path.parent.name in (path.stem, "drills"))
    return {path.stem: path for path in sorted(own, key=lambda path: path.stem)}


def compose(path: Path) -> str:
    """Return a module together with everything that it imports, as one text."""
    return _join(path)


def _join(path: Path, taken: dict[Path, dict[str, None]] | None = None) -> str:
    """Return a module with its imports inserted before it.

    If `taken` is given, the files of the kit are left out, and it collects the names to import.
    """
    helpers: dict[Path, str] = {}

    def collect(path: Path) -> str:
        source = path.read_text(encoding="utf-8")
        for match in _IMPORT.finditer(source):
            helper = (path.parent / match["file"]).resolve()
            if taken is not None and _is_of_a_kit(helper):
                taken.setdefault(helper, {}).update(dict.fromkeys(_NAME.findall(match["names"])))
                continue
            if helper in helpers:
                continue
            if helper.suffix == ".json":
                data = json.loads(helper.read_text(encoding="utf-8"))
                text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
                helpers[helper] = f"const {match['names']} = {text};\n"
                continue
            text = collect(helper)
            helpers[helper] = re.sub(r"^export ", "", text, flags=re.MULTILINE)
        return _IMPORT.sub("", source)

    module = collect(path)
    return "\n".join([*helpers.values(), module])


def _is_of_a_kit(path: Path) -> bool:
    """Return whether a helper belongs to the kit, so a page loads it once for all figures."""
    return path.suffix == ".js" and path.is_relative_to(KIT)


def kit_files(*paths: Path) -> dict[str, Path]:
    """Return the files of the kit that modules import, each after its own imports.

    The keys are their names on a page: `kit/figures/table.js` is "figures-table", and
    `kit/figures/translator/beam.js` is "figures-translator-beam".
    """
    found: dict[str, Path] = {}
    for path in paths:
        taken: dict[Path, dict[str, None]] = {}
        _join(path, taken)
        for helper in taken:
            found |= kit_files(helper) | {_name_of(helper): helper}
    return found


@functools.cache
def core_files() -> dict[str, Path]:
    """Return the files of the kit that pages load with host.js, each after its own imports."""
    found: dict[str, Path] = {}
    for name in _CORE:
        path = (SHEETS / f"{name}.js").resolve()
        found |= kit_files(path) | {_name_of(path): path}
    return found


def _name_of(path: Path) -> str:
    return "-".join(path.relative_to(KIT).with_suffix("").parts)


def _plain(path: Path) -> str:
    """Return a module as the body of a function, without comments but with its exports."""
    taken: dict[Path, dict[str, None]] = {}
    module = strip_comments(_join(path, taken))
    uses = [
        f'const {{ {", ".join(names)} }} = livingFigures.use("{_name_of(helper)}");\n'
        for helper, names in taken.items()
    ]
    return "".join([*uses, module])


def strip_comments(source: str) -> str:
    """Return a module without comments, types, indents and empty lines.

    It uses regular expressions, not a parser. `kit/host.test.mjs` tests it on all our files.
    """
    return _INDENT.sub("", _TYPE.sub("", _COMMENT.sub("", source)))


def kit_script(path: Path) -> str:
    """Return a file of the kit as a plain script that passes its exports to host.js."""
    names = ", ".join(_EXPORTED.findall(path.read_text(encoding="utf-8")))
    body = re.sub(r"^export ", "", _plain(path), flags=re.MULTILINE)
    name = json.dumps(_name_of(path))
    return f"livingFigures.share({name}, (() => {{\n{body}return {{ {names} }};\n}})());\n"


def page_script(path: Path) -> str:
    """Return the module of a figure as a plain script that registers itself with host.js.

    Imports from the kit come from host.js, where the kit's own scripts have registered them.
    Comments and indentation are removed.
    """
    module = _plain(path)
    if module.count(_EXPORT) != 1:
        raise ValueError(f"{path.name} must contain {_EXPORT!r} exactly once")
    body = re.sub(r"^export (?!default)", "", module, flags=re.MULTILINE)
    body = body.replace(_EXPORT, "return ")
    return f"livingFigures.define({json.dumps(path.stem)}, (() => {{\n{body}}})());\n"


def worker_script(path: Path) -> str:
    """Return a module and all that it imports as a plain script, for a Worker of its own."""
    return strip_comments(re.sub(r"^export ", "", compose(path), flags=re.MULTILINE))


def host_script() -> str:
    """Return host.js, which mounts the figures of a page, without comments."""
    return strip_comments((SHEETS / "host.js").read_text(encoding="utf-8"))


def core_script() -> str:
    """Return host.js and the files of the kit that most chapters use, as one plain script."""
    return "".join([host_script(), *map(kit_script, core_files().values())])


def stylesheet(*modules: Path) -> str:
    """Return the kit's stylesheets, followed by those of the figures and of what they import."""
    files = [SHEETS / f"{name}.css" for name in _SHEETS]
    used = [script for path in modules if path.exists() for script in kit_files(path).values()]
    files += [path.with_suffix(".css") for path in (*used, *modules)]
    files = [*dict.fromkeys(files)]
    return "\n".join(file.read_text(encoding="utf-8") for file in files if file.exists())


def shared(figure: str | Path) -> dict[str, Any]:
    """Return the data that a figure's Python and JavaScript share: its JSON file.

    Args:
        figure: its name, or its module if it is not one of the book's.
    """
    module = scripts()[figure] if isinstance(figure, str) else figure
    text = module.with_suffix(".json").read_text(encoding="utf-8")
    data: dict[str, Any] = json.loads(text)
    return data


class LiveFigure(anywidget.AnyWidget):
    """A figure that is alive in Jupyter and on the published page.

    A subclass defines `name` (of its .js file), synced traits, and :meth:`picture`. Rules for one
    trait are in its tag (`rules.trait_problems`), rules for several in :meth:`problems`. If its
    JSON has a `tour`, a figure made with `tour=True` shows the moments of the tour.

    It may name files in `asset_files`, each by the word in the message while it loads:
    `{"model": Path(__file__).with_name("model.safetensors")}` is "Loading the model, 0.3 MB …".
    Its JavaScript reads `asset(model, "model")`, from `kit/assets.js`, and its `render` may be
    asynchronous. A missing file is an error when the figure is created. A module among them is
    joined with all that it imports: a Worker can be made from it without a network.
    """

    name: ClassVar[str]
    printed: ClassVar[tuple[str, ...]] = ()  # the traits in `repr`
    script: ClassVar[Path]  # its module; by default that of the figure `name`
    asset_files: ClassVar[Mapping[str, Path]] = {}
    tour_length: ClassVar[tuple[int, int]] = (4, 8)  # least and greatest number of moments
    assets = Dict(Bytes(), read_only=True).tag(sync=True)
    tour = Bool(False).tag(sync=True, figure=True)

    @default("assets")
    def _read_assets(self) -> dict[str, bytes]:
        return self.asset_contents()

    @classmethod
    def asset_contents(cls) -> dict[str, bytes]:
        """Return the contents of `asset_files`.

        Raises:
            FileNotFoundError: a file is missing; the message names figure, asset and path.
        """
        found = read_assets(cls.__name__, cls.asset_files)
        modules = {n: path for n, path in cls.asset_files.items() if path.suffix == ".js"}
        return found | {n: worker_script(path).encode() for n, path in modules.items()}

    def __init_subclass__(cls, **kwargs: Any) -> None:
        if "name" in vars(cls):  # not for subclasses that traitlets makes for an instance
            if "script" not in vars(cls):
                cls.script = scripts()[cls.name]
            cls._esm = compose(cls.script)
            cls._css = stylesheet(cls.script)
            cls._validate_together(vars(cls))
        super().__init_subclass__(**kwargs)

    @classmethod
    def _validate_together(cls, members: Mapping[str, Any]) -> None:
        """Validate the own traits against their tags and `problems`, also in joint changes."""
        tags = {n: x.metadata for n, x in members.items() if isinstance(x, TraitType)}
        own = {n: tag for n, tag in tags.items() if tag.get("figure")}
        if not own:
            return

        def accept(self: LiveFigure, proposal: Any) -> Any:
            traits = self.state() | {proposal.trait.name: proposal.value}
            traits.pop("tour", None)
            alone = (
                problem for n, tag in own.items() for problem in trait_problems(n, traits[n], tag)
            )
            for problem in chain(alone, self.problems(**traits)):
                raise TraitError(problem)
            return proposal.value

        handler = validate(*own)(accept)
        handler.class_init(cls, "_accept")  # as the metaclass does for the members of a class body
        cls._accept = handler

    @staticmethod
    def problems(*_: Any, **traits: Any) -> Iterator[str]:
        """Yield a message for each rule that the traits break together; none by default."""
        return iter(())

    def state(self) -> dict[str, Any]:
        """Return the figure's own traits as plain data, as the JavaScript reads them."""
        own = [n for n in self.trait_names(sync=True, figure=True) if n != "tour" or self.tour]
        return {name: getattr(self, name) for name in sorted(own)}

    def moments(self) -> list[tuple[Self, str]]:
        """Return the moments of the tour: the figure in each state, and the text.

        `kit/tour.js` describes the placeholders; here `results()` gives the numbers.
        """
        found = []
        for moment in shared(self.script).get("tour", []) if self.tour else []:
            figure = type(self)(**(self.state() | moment["state"]))
            found.append((figure, fill_in(moment["say"], figure.results())))
        return found

    def picture(self) -> str:
        """Return the static picture: escaped HTML for print, PDF and pages without scripts."""
        raise NotImplementedError(f"{type(self).__name__} has no static picture yet")

    def __repr__(self) -> str:
        traits = (f"{name}={getattr(self, name)!r}" for name in self.printed)
        return f"{type(self).__name__}({', '.join(traits)})"

    def to_html(self) -> str:
        """Return the figure for a published page: its picture and the state to mount it from."""
        state = json.dumps(self.state(), ensure_ascii=False, allow_nan=False).replace(
            "<", "\\u003c"
        )
        items = "".join(
            f'<li id="tour-{self.name}-{i}">{html.escape(text)}</li>'
            for i, (_, text) in enumerate(self.moments(), start=1)
        )
        tour = f'<ol class="tl-moments">{items}</ol>' if items else ""
        marks = assets_attribute(self.assets) + (" data-tour" if items else "")
        return (
            f'<div class="tl-host" data-figure="{self.name}"{marks}>'
            f'<div class="lf-static"><div class="tl-figure">{self.picture()}{tour}</div></div>'
            f'<script type="application/json">{state}</script></div>'
        )


def fill_in(say: str, results: Mapping[str, torch.Tensor]) -> str:
    """Fill in the numbers of a tour's text from the figure's results.

    >>> fill_in("gives {w.0.1:%}, or {w.0.1:1}", {"w": torch.tensor([[0.75, 0.25]])})
    'gives 25 %, or 0.3'
    """

    def formatted(match: re.Match[str]) -> str:
        name, *places = match[1].split(".")
        x = float(torch.as_tensor(results[name])[tuple(map(int, places))])
        form = match[2] or "2"
        return f"{number(100 * x, 0)} %" if form == "%" else number(x, int(form))

    return _NUMBER.sub(formatted, say)
