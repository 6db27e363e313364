"""What README and CONTRIBUTING say is true: code runs, numbers hold, commands and folders exist."""

import ast
import itertools
import re
import subprocess
from pathlib import Path

import pytest
import torch
import yaml

from lessons.kit import question
from transformer_lite.subpackages import SUBPACKAGES

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PACKAGE = (ROOT / "transformer_lite/README.md").read_text(encoding="utf-8")
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
FENCE = re.compile(r"^```(\w*)\n(.*?)^```", re.DOTALL | re.MULTILINE)
LIST = re.compile(r"\[-?[\d.]+(?:, -?[\d.]+)*\]")
ROW = re.compile(r"^\| `([\w/]+/)` \| ([^|]+) \|$", re.MULTILINE)
PART = re.compile(r"^\| ([\w ]+) \| (\d\d)(?:–(\d\d))? \| .+ \|$", re.MULTILINE)
LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)]+)\)")
LARGEST_IMAGE = 150 * 1024


def blocks(text: str) -> list[str]:
    """The Python code of a text, block by block."""
    return [code for language, code in FENCE.findall(text) if language == "python"]


def run(code: str, namespace: dict) -> list[str]:
    """Run code line by line; return where a comment's list of numbers is not the value's first row.

    Args:
        code: statements, each of which may end in a comment that shows a list.
        namespace: what the statements know, and what they add to it.
    """
    problems = []
    for statement in ast.parse(code).body:
        text = ast.unparse(statement)
        value = None
        if isinstance(statement, ast.Expr):
            value = eval(text, namespace)
        else:
            exec(text, namespace)
        comment = code.splitlines()[statement.end_lineno - 1].partition("#")[2]
        problems += [
            f"{text} gives {first_row(value)}, the comment says {shown}"
            for shown in LIST.findall(comment)
            if first_row(value) != ast.literal_eval(shown)
        ]
    return problems


def first_row(value: object) -> list[float] | None:
    """The first row of a tensor, to four decimals."""
    if not isinstance(value, torch.Tensor):
        return None
    row = value.reshape(-1, value.shape[-1])[0]
    return [round(number, 4) for number in row.tolist()]


def spans(text: str) -> list[str]:
    """The pieces of code inside the prose of a text."""
    return re.findall(r"`([^`]+)`", FENCE.sub("", text))


def commands(text: str) -> set[str]:
    """The targets of make that a text names in code."""
    shell = [code for language, code in FENCE.findall(text) if language == "shell"]
    return set(re.findall(r"^make ([a-z]+)\b(?!-)", "\n".join(shell + spans(text)), re.MULTILINE))


def targets() -> set[str]:
    """The targets of the Makefile that it lists, without the list itself."""
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    return set(re.findall(r"^([a-z]+):.*## ", makefile, re.MULTILINE)) - {"help"}


def folders() -> set[str]:
    """The folders at the top that git keeps, and those of the package's subpackages."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, check=True, capture_output=True)
    names = {name.partition("/")[0] for name in listed.stdout.decode().split() if "/" in name}
    subpackages = {
        f"transformer_lite/{name}/"
        for name in SUBPACKAGES
        if (ROOT / "transformer_lite" / name).is_dir()
    }
    return {f"{name}/" for name in names if not name.startswith(".")} | subpackages


def transcripts(text: str) -> list[tuple[str, str]]:
    """Return each block of Python that a block of text follows, with that text."""
    fences = FENCE.findall(text)
    return [
        (code, printed)
        for (language, code), (after, printed) in itertools.pairwise(fences)
        if (language, after) == ("python", "text")
    ]


def test_the_code_prints_the_numbers_in_its_comments(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    namespace = {}
    assert [problem for block in blocks(README) for problem in run(block, namespace)] == []
    assert len(blocks(README)) == 5
    assert LIST.search("".join(blocks(README))), "the code shows a number"
    assert (tmp_path / "my-model").is_dir()


def test_the_example_of_the_package_runs():
    [code] = blocks(PACKAGE)
    namespace = {}
    assert run(code, namespace) == []
    assert namespace["logits"].shape == (2, 3, 20)
    written = namespace["written"]
    assert len(written) == 2 and 1 < written.shape[1] <= 5
    assert all(weight.grad is not None for weight in namespace["model"].parameters())


def test_the_readme_of_the_package_names_existing_files_and_all_folders():
    paths = [path for path in spans(PACKAGE) if path.endswith(".py") and "/" in path]
    assert paths and [p for p in paths if not (ROOT / "transformer_lite" / p).is_file()] == []
    drawn = set(re.findall(r"^(?:  \|   )?(\w+)  ", FENCE.findall(PACKAGE)[1][1], re.MULTILINE))
    assert drawn == {name for name in SUBPACKAGES if (ROOT / "transformer_lite" / name).is_dir()}


def test_an_exercise_prints_the_messages_quoted_in_the_readme(capsys):
    [(wrong, printed)] = transcripts(README)
    run(wrong, {})
    assert capsys.readouterr().out.strip() == printed.strip()
    line, replacement = re.findall(r"`(weights = [^`]+)`", README)
    assert wrong.count(line) == 1
    run(wrong.replace(line, replacement), {})
    assert f'"{capsys.readouterr().out.strip()}"' in README


def test_the_quoted_message_of_the_drill_is_in_its_script():
    [quoted] = re.findall(r'"Not yet\. ([^"]+)"', " ".join(README.split()))
    drill = ROOT / "book/lessons/attention/drills/scores.js"
    assert f'"{quoted}"' in drill.read_text(encoding="utf-8")


def test_the_quiz_question_of_contributing_is_proved():
    [code] = blocks(CONTRIBUTING)
    exec(code, {"torch": torch, "question": question})
    false_proof = code.replace("twins[0] == 0.5", "twins[0] < 0.5")
    with pytest.raises(ValueError, match=r"the wrong choice 'Each of them is 0\.5'"):
        exec(false_proof, {"torch": torch, "question": question})


def test_contributing_names_every_command_and_readme_none_that_does_not_exist():
    assert commands(CONTRIBUTING) == targets()
    assert {"book", "test"} <= commands(README) <= targets()


@pytest.mark.parametrize("text", [README, CONTRIBUTING], ids=["README", "CONTRIBUTING"])
def test_sessions_of_nox_exist(text):
    noxfile = (ROOT / "noxfile.py").read_text(encoding="utf-8")
    sessions = set(re.findall(r"^@nox\.session.*\ndef (\w+)", noxfile, re.MULTILINE))
    named = set(re.findall(r"nox -s (\w+)", text))
    assert named and named <= sessions
    assert all(f'tags=["{tag}"]' in noxfile for tag in re.findall(r"nox -t (\w+)", text))


def named_paths(text: str) -> list[str]:
    """The paths of this project in a text's code, without those that hold a placeholder."""
    words = " ".join(spans(text)).split()
    folders = r"transformer_lite|tests|book|notebooks|benchmarks|classroom|\.ci"
    ours = re.compile(rf"(?:{folders})/\S*|_\w+\.yml")
    return [w for w in words if ours.fullmatch(w) and not re.search(r"[A-Z]{2}|NN", w)]


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md"])
def test_every_path_that_is_named_exists(page):
    paths = named_paths((ROOT / page).read_text(encoding="utf-8"))
    assert paths and [path for path in paths if not (ROOT / path).exists()] == []


@pytest.mark.git
def test_the_table_of_folders_matches_the_tree():
    named = {name for name, _ in ROW.findall(CONTRIBUTING)}
    assert folders() <= named
    assert all((ROOT / name).is_dir() for name in named)


def test_subpackages_are_described_as_in_their_list_in_reverse_order():
    rows = [
        (name.split("/")[1], text)
        for name, text in ROW.findall(CONTRIBUTING)
        if name.startswith("transformer_lite/") and name.count("/") > 1
    ]
    assert rows == [pair for pair in reversed(SUBPACKAGES.items()) if pair[0] in dict(rows)]


def test_the_table_of_chapters_matches_the_table_of_contents():
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))
    parts = []
    for part in toc["parts"]:
        files = [chapter["file"].partition("/")[2] for chapter in part["chapters"]]
        numbers = [name[:2] for name in files if name[:2].isdigit()]
        if numbers:
            parts.append((part["caption"], numbers[0], numbers[-1]))
    assert [(name, first, last or first) for name, first, last in PART.findall(README)] == parts


@pytest.mark.parametrize("text", [README, CONTRIBUTING], ids=["README", "CONTRIBUTING"])
def test_links_lead_to_files_and_pictures_are_small_and_described(text):
    links = [link for link in LINK.findall(FENCE.sub("", text)) if "://" not in link[2]]
    links = [link for link in links if "#" not in link[2]]
    assert links and [path for _, _, path in links if not (ROOT / path).is_file()] == []
    for picture, words, path in links:
        if picture:
            assert len(words) > 80, f"{path} needs a description"
            assert (ROOT / path).stat().st_size < LARGEST_IMAGE, path
