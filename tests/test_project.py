"""The project's files agree with each other and contain nothing forbidden."""

import itertools
import re
import subprocess
import tomllib
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
MEGABYTE = 2**20

FORBIDDEN = {
    "a path of one machine": re.compile(r"(?<![\w.:/])/(work|root|tmp/brief)\b"),
    "a home folder": re.compile(r"(?<![\w.:/])/(home|Users)/(?!me/)\w+/"),
    "a package registry": re.compile(
        r"pythonhosted\.org|registry\.npmjs|--(extra-)?index-url\b"
        r"|https?://[^/\s\"]+/(simple|npm)/|https?://[\w.-]*\.(internal|lan|local)\b"
    ),
}


def pins(name: str) -> dict[str, str]:
    """The pinned versions of a requirements file, by normal name."""
    lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
    lines = [line.rstrip(" \\") for line in lines if line and not line.startswith(("#", " "))]
    found: dict[str, str] = {}
    for line in lines:
        if line == "-e ." or line.startswith("-r "):
            continue
        match = re.fullmatch(r"([A-Za-z0-9._-]+)==([\w.!+]+)", line)
        assert match, f"{name} must pin every package as name==version, got {line!r}"
        found[canonicalize_name(match[1])] = match[2]
    return found


def misfits(requirements: list[str], pinned: dict[str, str]) -> list[str]:
    """Requirements that are not pinned, or pinned at a version that does not satisfy them."""
    problems = []
    for requirement in map(Requirement, requirements):
        version = pinned.get(canonicalize_name(requirement.name))
        if version is None or not requirement.specifier.contains(version, prereleases=True):
            problems.append(f"{requirement}, pinned: {version}")
    return problems


def files() -> list[Path]:
    """Return every file that git keeps, or would keep if it were added."""
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    done = subprocess.run(listed, cwd=ROOT, check=True, capture_output=True, text=True)
    return [path for name in done.stdout.split("\0")[:-1] if (path := ROOT / name).is_file()]


def strange(name: str, content: bytes) -> list[str]:
    """What no file of the project may hold."""
    if b"\0" in content[:8192]:
        big = len(content) > 2 * MEGABYTE
        return [f"{name} is a binary of {len(content) / MEGABYTE:.1f} MB"] if big else []
    text = content.decode("utf-8")
    return [
        f"{name} holds {what}: {found[0]!r}"
        for what, pattern in FORBIDDEN.items()
        if (found := pattern.search(text))
    ]


@pytest.mark.parametrize(
    ("extra", "names"),
    [
        (None, ["requirements"]),
        ("book", ["requirements"]),
        ("test", ["requirements-test", "requirements-press", "requirements-nox"]),
        ("press", ["requirements-press"]),
    ],
)
def test_pinned_versions_satisfy_the_requirements_of_the_project(extra, names):
    asked = PROJECT["optional-dependencies"][extra] if extra else PROJECT["dependencies"]
    pinned = {
        package: version for name in names for package, version in pins(f"{name}.txt").items()
    }
    assert misfits(asked, pinned) == []


def test_requirements_install_the_project_itself_and_nothing_twice():
    book = (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    test = (ROOT / "requirements-test.txt").read_text(encoding="utf-8").splitlines()
    assert "-e ." in book
    assert {f"-r requirements{more}.txt" for more in ("", "-nox", "-press")} <= {*test}
    for one, other in itertools.combinations(LOCKED, 2):
        assert pins(f"{one}.txt").keys() & pins(f"{other}.txt").keys() == set()


def entries(name: str) -> dict[str, list[str]]:
    """The packages of a lock as name==version, each with its hashes."""
    text = (ROOT / name).read_text(encoding="utf-8")
    found = re.findall(r"^([\w.-]+==[\w.!+]+)[^\n]*((?:\n +--hash.*)*)", text, re.MULTILINE)
    return {
        package: re.findall(r"--hash=sha256:[0-9a-f]{64}\b", hashes) for package, hashes in found
    }


LOCKED = ["requirements-nox", "requirements", "requirements-press", "requirements-test"]


@pytest.mark.parametrize("name", LOCKED)
def test_a_lock_has_every_pinned_version_with_hashes(name):
    locked = {name: hashes for part in LOCKED for name, hashes in entries(f"{part}.lock").items()}
    assert all(locked.values())
    # PyTorch is in no lock: which of its builds fits is for the machine to say.
    asked = {f"{package}=={version}" for package, version in pins(f"{name}.txt").items()}
    asked = {pin for pin in asked if not pin.startswith("torch==")}
    assert asked <= locked.keys(), "python .ci/lock.py writes the locks anew"


def test_no_package_is_locked_twice_and_no_lock_holds_builds_for_gpus():
    names = [package for name in LOCKED for package in entries(f"{name}.lock")]
    assert len(names) == len(set(names))
    assert not [name for name in names if re.match(r"(torch|triton|nvidia|cuda)\b", name)]


@pytest.mark.git
def test_no_file_has_forbidden_content():
    assert [problem for path in files() for problem in strange(str(path), path.read_bytes())] == []


# The samples are written in two pieces, so that this file passes its own test.
STRANGE = [
    "open('/wor" + "k/main/x')",
    "see /roo" + "t/.cache",
    "/tmp/brie" + "f/x",
    "/hom" + "e/ada/book",
    "https://files.pythonhoste" + "d.org/packages",
    '"resolved": "https://registry.npmj' + 's.org/x"',
    "--index-ur" + "l https://example.org",
    "https://mirror.example.org/simpl" + "e/torch",
    "http://packages.corp.interna" + "l:8080",
    "\0" * (2 * MEGABYTE + 1),
]
ORDINARY = [
    "https://example.org/work/x",
    "./work/x",
    "a network/root/x",
    "\0 small",
    "pypi.org/project",
]


@pytest.mark.parametrize("content", STRANGE + ORDINARY)
def test_forbidden_content_is_found_and_ordinary_content_passes(content):
    assert len(strange("a file", content.encode())) == (content in STRANGE)


def test_the_citation_is_of_this_version_of_this_book():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    config = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))
    required = {"cff-version", "message", "title", "authors"}
    assert required <= citation.keys()
    assert citation["version"] == PROJECT["version"]
    assert citation["title"] == config["title"]
    assert [author["name"] for author in citation["authors"]] == [config["author"]]


@pytest.mark.git
def test_no_page_installs_the_package_by_a_name_that_belongs_to_others():
    taken = re.compile(r"(pip3?|uv) (install|add)[^\n]*\btransformer[-_]lite\b(?![-_]book)")
    texts = [path for path in files() if path.suffix in (".md", ".ipynb", ".yml", ".txt", ".py")]
    found = [str(path) for path in texts if taken.search(path.read_text(encoding="utf-8"))]
    assert found == []


PATHS = sorted((ROOT / ".github/workflows").glob("*.yml"))
WORKFLOWS = {path.stem: yaml.safe_load(path.read_text(encoding="utf-8")) for path in PATHS}


def jobs_that(workflow: dict, word: str) -> dict[str, dict]:
    """The jobs of a workflow in which a step uses or runs what holds the word."""
    steps = {
        name: [f"{step.get('uses', '')} {step.get('run', '')}" for step in job["steps"]]
        for name, job in workflow["jobs"].items()
    }
    return {n: job for n, job in workflow["jobs"].items() if any(word in s for s in steps[n])}


def published_untested(workflow: dict) -> list[str]:
    """The jobs that publish without waiting for a job of the same commit that runs all checks."""
    checked = jobs_that(workflow, ".ci/run").keys()
    problems = []
    for name, job in jobs_that(workflow, "deploy-pages").items():
        needs = job.get("needs", [])
        needs = {needs} if isinstance(needs, str) else set(needs)
        if not needs & checked:
            problems.append(f"{name} publishes without waiting for .ci/run")
        # A condition with always() or failure() runs although what it needs has failed.
        if re.search(r"always\(\)|failure\(\)|cancelled\(\)", str(job.get("if", ""))):
            problems.append(f"{name} publishes after a failure")
        if "refs/heads/main" not in str(job.get("if", "")):
            problems.append(f"{name} publishes what is not main")
    return problems


def test_the_book_is_published_only_after_all_checks_of_its_commit():
    workflows = WORKFLOWS.values()
    assert [problem for workflow in workflows for problem in published_untested(workflow)] == []
    assert sum(len(jobs_that(workflow, "deploy-pages")) for workflow in workflows) == 1


def test_jobs_that_run_all_checks_first_allow_bubblewrap_its_sandbox():
    """Ubuntu forbids it, and tests that find no sandbox are skipped."""
    for name, workflow in WORKFLOWS.items():
        checks = jobs_that(workflow, ".ci/run") | jobs_that(workflow, "make nightly")
        for job in checks.values():
            commands = [step.get("run", "").partition(" $")[0] for step in job["steps"]]
            allowed = "sudo sysctl -e -w kernel.apparmor_restrict_unprivileged_userns=0"
            [place] = [i for i, said in enumerate(commands) if said in {".ci/run", "make nightly"}]
            assert commands.index(allowed) < place, name


CHECKS = {"steps": [{"run": ".ci/run"}]}
DEPLOYS = {"steps": [{"run": "make book"}, {"uses": "actions/deploy-pages@v4"}]}
ON_MAIN = {"if": "github.ref == 'refs/heads/main'"}


@pytest.mark.parametrize(
    ("jobs", "problem"),
    [
        ({"publish": DEPLOYS | ON_MAIN}, "without waiting"),
        ({"check": CHECKS, "publish": DEPLOYS | ON_MAIN}, "without waiting"),
        ({"check": DEPLOYS, "publish": DEPLOYS | ON_MAIN | {"needs": "check"}}, "without waiting"),
        ({"check": CHECKS, "publish": DEPLOYS | {"needs": "check"}}, "not main"),
        (
            {"check": CHECKS, "p": DEPLOYS | {"needs": ["check"], "if": "always() && main"}},
            "after a failure",
        ),
    ],
)
def test_a_book_published_untested_is_found(jobs, problem):
    assert problem in "\n".join(published_untested({"jobs": jobs}))


def steps_of(workflow: dict) -> list[dict]:
    return [step for job in workflow["jobs"].values() for step in job["steps"]]


REPORTED_ELSEWHERE = re.compile(r"\$\{\{\s*github\.(event|head_ref|ref_name)[^}]*")


def careless(workflow: dict) -> list[str]:
    """Return unpinned actions, wide permissions and commands written by events."""
    borrowed = [step["uses"] for step in steps_of(workflow) if "uses" in step]
    problems = [
        f"{name} is not pinned to a commit"
        for name in borrowed
        if not re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40}", name)
    ]
    if workflow.get("permissions") != {"contents": "read"}:
        problems.append("at first, a workflow may read the contents and no more")
    # What somebody else wrote must not become a part of a command.
    problems += [
        f"a command is written by an event: {found[0]}"
        for step in steps_of(workflow)
        if (found := REPORTED_ELSEWHERE.search(step.get("run", "")))
    ]
    return problems


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.name)
def test_a_workflow_pins_its_actions_and_restricts_its_permissions(path):
    assert careless(WORKFLOWS[path.stem]) == []
    for line in re.findall(r"uses: .*", path.read_text(encoding="utf-8")):
        assert re.search(r"@[0-9a-f]{40} # v\d+\.\d+\.\d+$", line), f"{line} names no version"


def test_a_release_is_made_only_after_all_checks_of_its_commit():
    release = WORKFLOWS["release"]
    assert release[True] == {"push": {"tags": ["v*"]}}  # YAML reads "on" as a yes
    [made] = jobs_that(release, "gh release create").values()
    assert made["needs"] in jobs_that(release, ".ci/run") and "if" not in made


@pytest.mark.parametrize("name", ["nightly", "dependencies"])
def test_scheduled_workflows_ask_for_no_further_permissions(name):
    scheduled = WORKFLOWS[name]
    assert scheduled[True]["schedule"] and "push" not in scheduled[True]
    assert all("permissions" not in job for job in scheduled["jobs"].values())
    assert name == "nightly" or "token" not in str(scheduled)
