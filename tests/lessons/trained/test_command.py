"""The command `python -m lessons.trained.train`: files, the grammar, a break, wrong arguments."""

import subprocess
import sys

import pytest
from tiny_training import FRENCH, TINY, same

from lessons.trained import train
from lessons.trained.data import read_data
from lessons.trained.options import Options
from transformer_lite import load
from transformer_lite.text import SubwordTokenizer, Tokenizer
from transformer_lite.training import Trainer, read_checkpoint


@pytest.fixture
def files(tmp_path):
    """Provide the arguments for a small corpus, whose translation is the sentence in capitals."""
    arguments = []
    for kind, lines in (("", FRENCH[:14]), ("validation-", FRENCH[14:16]), ("test-", FRENCH[16:])):
        for side, text in (("source", lines), ("target", [line.upper() for line in lines])):
            path = tmp_path / f"{kind}{side}.txt"
            path.write_text("\n".join(text) + "\n", encoding="utf-8")
            arguments += [f"--{kind}{side}", str(path)]
    tiny = [*TINY, "--vocabulary", "300", "--max-tokens", "64", "--warm-up", "2"]
    return [*arguments, *tiny, "--steps", "6", "--every", "4"]


def test_it_trains_on_files_and_scores_the_test_set(files, tmp_path, capsys):
    out = tmp_path / "out"
    assert train.main([*files, "--out", str(out), "--beam-width", "2"]) == 0
    told = capsys.readouterr().out
    assert "14 pairs, 3" in told and "Ended by its steps at step 6." in told
    assert "validation: 2 pairs, exact match" in told and "test: 2 pairs, exact match" in told
    assert told.count("tok:13a") == 2, "the signature of BLEU"
    assert load(out).config.d_model == 8
    assert isinstance(Tokenizer.load(out / "vocabulary.json"), SubwordTokenizer)
    assert sorted(path.name for path in out.iterdir()) == [
        "checkpoint.safetensors", "config.json", "model.safetensors", "run.json", "vocabulary.json",
    ]  # fmt: skip


def test_a_training_that_is_resumed_ends_with_the_same_bits(files, tmp_path, capsys):
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    assert train.main([*files, "--out", str(whole)]) == 0
    assert train.main([*files, "--out", str(broken), "--minutes", "0"]) == 0
    assert read_checkpoint(broken / "checkpoint.safetensors")["step"] == 0
    assert "Ended by its minutes at step 0" in capsys.readouterr().out
    assert train.main(["--out", str(broken), "--resume", "--minutes", "99"]) == 0
    last, expected = (read_checkpoint(out / "checkpoint.safetensors") for out in (broken, whole))
    assert [measured["step"] for measured in last.pop("evaluations")] == [0, 4, 6]
    assert [measured["step"] for measured in expected.pop("evaluations")] == [4, 6]
    assert same(last, expected)


def test_a_training_that_is_interrupted_says_how_to_go_on(files, tmp_path, capsys, monkeypatch):
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    assert train.main([*files, "--out", str(whole)]) == 0
    step = Trainer.train_step

    def interrupted(trainer):
        if trainer.step == 5:
            raise KeyboardInterrupt
        return step(trainer)

    monkeypatch.setattr(Trainer, "train_step", interrupted)
    assert train.main([*files, "--out", str(broken)]) == 130
    assert f"Go on with --resume --out {broken}" in capsys.readouterr().err
    monkeypatch.setattr(Trainer, "train_step", step)
    assert read_checkpoint(broken / "checkpoint.safetensors")["step"] == 4
    assert train.main(["--out", str(broken), "--resume"]) == 0
    assert same(*(read_checkpoint(out / "checkpoint.safetensors") for out in (whole, broken)))


def test_help_explains_every_argument_and_both_uses():
    command = [sys.executable, "-m", "lessons.trained.train", "--help"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0 and done.stderr == ""
    for name in Options.__dataclass_fields__:
        assert f"--{name.replace('_', '-')}" in done.stdout
    assert "Without any argument" in done.stdout and "--resume" in done.stdout
    assert "(16000, for files 9400)" in " ".join(done.stdout.split())


def test_each_option_reaches_the_options(tmp_path, monkeypatch):
    seen = []

    def read(options):
        seen.append(options)
        raise ZeroDivisionError

    monkeypatch.setattr(train, "read_data", read)
    values = {"steps": 7, "minutes": 0.5, "schedule": "inverse_root", "peak": 0.5, "lower_case": ""}
    arguments = [f"--{name.replace('_', '-')}={value}" for name, value in values.items() if value]
    with pytest.raises(ZeroDivisionError):
        train.main([*arguments, "--lower-case", "--out", str(tmp_path)])
    assert seen == [Options.chosen(**values | {"lower_case": True})]


def test_validation_is_taken_from_training_where_there_is_none(tmp_path):
    paths = [tmp_path / "fr", tmp_path / "en"]
    lines = [f"phrase {i}" for i in range(60)]
    for path in paths:
        path.write_text("\n".join(lines) + "\n")
    source, target = map(str, paths)
    data = read_data(Options.chosen(source=source, target=target, vocabulary=280))
    assert len(data.train) == 54 and len(data.validation) == 6
    assert {pair.source for pair in (*data.train, *data.validation)} == set(lines)
    again = read_data(Options.chosen(source=source, target=target, vocabulary=280))
    assert again.validation == data.validation


@pytest.mark.parametrize("lower_case", [False, True])
def test_in_lower_case_the_references_are_too(tmp_path, lower_case):
    paths = {name: str(tmp_path / name) for name in ("source", "target")}
    for path in paths.values():
        (tmp_path / path).write_text("Une Phrase\n" * 20)
    files = paths | {f"validation_{name}": path for name, path in paths.items()}
    files |= {f"test_{name}": path for name, path in paths.items()}
    data = read_data(Options.chosen(**files, vocabulary=270, lower_case=lower_case))
    expected = "une phrase" if lower_case else "Une Phrase"
    for pairs in (data.train, data.validation, data.tests["test"]):
        assert {text for pair in pairs for text in pair[:2]} == {expected}


def refused(arguments, capsys):
    assert train.main([str(argument) for argument in arguments]) == 1
    return capsys.readouterr().err


def test_it_never_writes_over_a_checkpoint(files, tmp_path, capsys):
    out = tmp_path / "out"
    out.mkdir()
    (out / "checkpoint.safetensors").write_text("dear")
    assert "add --resume to go on with it" in refused([*files, "--out", out], capsys)
    assert (out / "checkpoint.safetensors").read_text() == "dear"


def test_damaged_checkpoint_is_reported_and_kept(files, tmp_path, capsys):
    out = tmp_path / "out"
    assert train.main([*files, "--out", str(out)]) == 0
    whole = (out / "checkpoint.safetensors").read_bytes()
    (out / "checkpoint.safetensors").write_bytes(whole[:-7])
    assert "must be a whole checkpoint" in refused(["--resume", "--out", out], capsys)
    assert (out / "checkpoint.safetensors").read_bytes() == whole[:-7]
    (out / "run.json").write_text('{"steps": 3, "depth": 4}')
    assert "must hold the options of a training" in refused(["--resume", "--out", out], capsys)
    assert "No such file" in refused(["--resume", "--out", tmp_path / "nowhere"], capsys)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--source", "a"], "source and target must both be given or neither, got a and None"),
        (["--test-source", "a", "--test-target", "b"], "source must be given with validation_s"),
        (["--schedule", "linear"], "schedule must be one of cosine, inverse_root, got 'linear'"),
        (["--d-model", "9", "--pairs", "9"], "num_heads must divide d_model"),
        (["--steps", "0"], "steps must be at least 1, got 0"),
        (["--steps", "90", "--warm-up", "90"], "steps must be at least 91, got 90"),
        (["--resume", "--steps", "9"], "--resume takes all from the training that goes on"),
        (["--source", "nowhere.fr", "--target", "nowhere.en"], "nowhere.fr"),
    ],
)
def test_wrong_command_line_is_reported(arguments, message, tmp_path, capsys):
    assert message in refused([*arguments, "--out", tmp_path / "out"], capsys)
