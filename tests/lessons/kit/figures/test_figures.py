"""The JavaScript of the live figures: how it is put together. `kit/host.test.mjs` runs it all."""

import json
import re
from pathlib import Path

from lessons import FOLDER
from lessons.kit.figures import live_figure, shared
from lessons.kit.figures.live_figure import (
    compose,
    core_files,
    core_script,
    kit_files,
    kit_script,
    page_script,
    stylesheet,
)
from lessons.kit.figures.registry import FIGURES

ROOT = Path(__file__).parents[4]
FOLDERS = ("book/lessons", "book/static", "book/projector")
MARKUP = re.compile(r"(inner|outer)HTML|insertAdjacentHTML|document\.write|ContextualFragment")


def test_no_script_inserts_text_as_markup():
    scripts = {
        p for folder in FOLDERS for p in (ROOT / folder).rglob("*.js") if "ts-fsrs" not in p.parts
    }
    assert len(scripts) > 100
    assert [p.name for p in scripts if MARKUP.search(p.read_text("utf-8"))] == []


def written(folder: Path, name: str) -> Path:
    """Return the place of a figure's script in a folder of figures."""
    (folder / name).mkdir()
    return folder / name / f"{name}.js"


def test_compose_writes_every_helper_once_and_before_its_use(tmp_path):
    written(tmp_path, "one").write_text("export const one = 1;\n")
    written(tmp_path, "two").write_text(
        'import { one } from "../one/one.js";\nexport const two = one + one;\n'
    )
    written(tmp_path, "all").write_text(
        'import { two } from "../two/two.js";\nimport { one } from "../one/one.js";\n'
        "export const sum = one + two;\nfunction render() {}\nexport default { render };\n"
    )
    text = compose(tmp_path / "all/all.js")
    assert "import" not in text
    order = [text.index(part) for part in ("const one", "const two", "export const sum")]
    assert order == sorted(order)
    assert text.count("const one") == 1
    assert "return { render };" in page_script(tmp_path / "all/all.js")
    assert "export" not in page_script(tmp_path / "all/all.js")


def test_compose_writes_shared_json_once_as_a_constant(tmp_path):
    imported = 'import shared from "./one.json" with { type: "json" };\n'
    written(tmp_path, "one").write_text(
        f'{imported}import {{ two }} from "./two.js";\nconst one = shared.names + two;\n'
    )
    (tmp_path / "one/two.js").write_text(f"{imported}export const two = shared.names;\n")
    data = {"names": ["μ", "a “b”", "</script>", "\u2028"]}
    (tmp_path / "one/one.json").write_text(json.dumps(data, indent=2))
    text = compose(tmp_path / "one/one.js")
    assert "import" not in text
    [constant] = re.findall("^const shared = (.*);$", text, re.MULTILINE)
    assert json.loads(constant) == data == shared(tmp_path / "one/one.js")
    assert text.index("const shared") < text.index("const two") < text.index("const one")


def test_a_page_loads_each_file_of_a_kit_once_and_before_its_use(monkeypatch, tmp_path):
    monkeypatch.setattr(live_figure, "KIT", tmp_path / "kit")
    (tmp_path / "kit").mkdir()
    base, more = tmp_path / "kit/base.js", tmp_path / "kit/more.js"
    base.write_text("export const one = 1;\nexport function two() {}\nconst own = 0;\n")
    more.write_text('import { one } from "./base.js";\nexport const three = one + 2;\n')
    both = 'import { three } from "../kit/more.js";\nimport { one } from "../kit/base.js";\n'
    figure = written(tmp_path, "all")
    figure.write_text(f"{both}function render() {{}}\nexport default {{ render }};\n")
    files = kit_files(figure)
    assert [*files.values()] == [base, more]
    base_name, more_name = files
    assert f'share("{base_name}"' in kit_script(base)
    assert "return { one, two };" in kit_script(base) and "export" not in kit_script(base)
    use_one = f'const {{ one }} = livingFigures.use("{base_name}");'
    assert use_one in kit_script(more) and "const one = 1" not in kit_script(more)
    script = page_script(figure)
    assert use_one in script
    assert f'const {{ three }} = livingFigures.use("{more_name}");' in script


def test_the_core_contains_each_file_once_and_all_that_it_imports():
    script = core_script()
    shared_names = re.findall(r'^livingFigures\.share\("([^"]+)"', script, re.MULTILINE)
    assert shared_names == [*core_files()]
    for used in re.finditer(r'= livingFigures\.use\("([^"]+)"\);$', script, re.MULTILINE):
        assert f'livingFigures.share("{used[1]}"' in script[: used.start()]


def test_page_script_drops_comments_but_no_code(tmp_path):
    lines = [
        "// a remark",
        "/** two",
        " * lines */",
        "/** @type {number} */ (window.kept) = 1;",
        "const f = (/** @type {number} */ kept) => kept; /* stays */",
        "const also = 2; // stays",
        "/** one line */",
        "export default { render };",
    ]
    written(tmp_path, "noted").write_text("\n".join(lines) + "\n")
    script = page_script(tmp_path / "noted/noted.js")
    assert "const f = (kept) => kept; /* stays */" in script and "@type" not in script
    assert "(window.kept) = 1;" in script and "const also = 2;" in script
    assert not re.search("remark|two|one line", script)


def test_figures_have_different_css_classes():
    """All stylesheets are one on a page: a name that two figures use would style both."""
    users: dict[str, set[str]] = {}
    for path in FOLDER.glob("*/*/*.css"):
        for prefix in re.findall(r"\.([a-z]{2})-[a-z]", path.read_text("utf-8")):
            users.setdefault(prefix, set()).add(path.parent.name)
    shared = {prefix for prefix, figures in users.items() if len(figures) > 1}
    assert shared <= {"tl", "lf"}


def test_stylesheet_is_the_kit_and_then_the_figures_own():
    kit = stylesheet()
    assert ".tl-figure" in kit and ".tl-mask-lab" not in kit
    with_own = stylesheet(FIGURES["mask_lab"].script)
    assert with_own.startswith(kit) and ".tl-mask-lab" in with_own
    assert stylesheet(Path("no_such_figure.js")).strip() == kit.strip()
