"""The command `python -m lessons.trained.train`: files, the grammar, a break, wrong arguments."""

import gzip
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


def test_an_interrupted_training_prints_how_to_resume(files, tmp_path, capsys, monkeypatch):
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

    def read(options, _):
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


def test_a_checkpoint_is_never_overwritten(files, tmp_path, capsys):
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
        (["--source", "a"], "--source and --target must both be given or neither, got a and None"),
        (["--test-source", "a", "--test-target", "b"], "--source must be given with --validation"),
        (["--schedule", "linear"], "schedule must be one of cosine, inverse_root, got 'linear'"),
        (["--d-model", "9", "--pairs", "9"], "--num-heads must divide --d-model, got --d-model=9"),
        (["--steps", "0"], ": --steps must be at least 1, got 0"),
        (["--steps", "90", "--warm-up", "90"], ": --steps must be at least 91, got 90"),
        (["--vocabulary", "259"], ": --vocabulary must be at least 260, got 259"),
        (["--max-tokens", "0"], ": --max-tokens must be at least 1, got 0"),
        (["--label-smoothing", "2", "--pairs", "9"], ": --label-smoothing must satisfy"),
        (["--every", "0"], ": --every must be at least 1, got 0"),
        (["--precision", "bfloat16"], ": --precision needs a --strategy, ddp or fsdp, got none"),
        (["--resume", "--steps", "9"], "--resume takes all from the training that goes on"),
        (["--resume", "--d-model", "9"], "got --d-model too; leave that out, or begin anew"),
        (["--source", "nowhere.fr", "--target", "nowhere.en"], "nowhere.fr"),
    ],
)
def test_wrong_command_line_is_reported(arguments, message, tmp_path, capsys):
    assert message in refused([*arguments, "--out", tmp_path / "out"], capsys)


def test_out_must_be_a_folder_and_is_tried_before_the_data_are_read(tmp_path, capsys):
    (tmp_path / "file").write_text("dear")
    (tmp_path / "link").symlink_to("nowhere")
    for out in ("file", "file/deep/er", "link"):
        assert "--out must be a folder to write to, got" in refused(
            ["--out", tmp_path / out], capsys
        )
    assert "file is not a folder" in refused(["--resume", "--out", tmp_path / "file"], capsys)
    assert (tmp_path / "file").read_text() == "dear"


def rewrite(path, change):
    path.write_bytes(change(path.read_bytes()))


def test_resuming_with_a_changed_file_is_refused_by_name(files, tmp_path, capsys):
    out = tmp_path / "out"
    assert train.main([*files, "--out", str(out), "--minutes", "0"]) == 0
    for option, change, lines in (
        ("source", lambda raw: raw.replace(b"chien", b"zebre", 1), "had 14 lines and has 14"),
        ("target", lambda raw: raw + b"UN\n", "had 14 lines and has 15"),
        ("validation-source", bytes.upper, "had 2 lines and has 2"),
        ("validation-target", bytes.lower, "had 2 lines and has 2"),
        ("test-target", lambda raw: raw.split(b"\n")[0], "had 2 lines and has 1"),
    ):
        path = tmp_path / f"{option}.txt"
        before = path.read_bytes()
        rewrite(path, change)
        said = refused(["--resume", "--out", out], capsys)
        assert f"but changed are --{option} {path} (it {lines}); restore" in said
        path.write_bytes(before)


def test_resuming_accepts_moved_files_and_other_line_endings(files, tmp_path, capsys):
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    assert train.main([*files, "--out", str(whole)]) == 0
    assert train.main([*files, "--out", str(broken), "--minutes", "0"]) == 0
    (tmp_path / "source.txt").rename(tmp_path / "moved")
    rewrite(tmp_path / "target.txt", lambda raw: raw.replace(b"\n", b"\r\n"))
    rewrite(tmp_path / "validation-target.txt", gzip.compress)
    resume = ["--resume", "--minutes", "99", "--out", broken]
    assert "--source must be there" in (said := refused(resume, capsys))
    assert "source.txt, which is gone; restore it, or say where it is now" in said
    assert train.main([*map(str, resume), "--source", str(tmp_path / "moved")]) == 0
    states = [read_checkpoint(out / "checkpoint.safetensors") for out in (broken, whole)]
    assert same(states[0]["model"], states[1]["model"])


def test_resuming_with_new_files_or_another_vocabulary_is_refused(files, tmp_path, capsys):
    out, no_test = tmp_path / "out", files[:8] + files[12:]
    assert train.main([*no_test, "--out", str(out), "--minutes", "0"]) == 0
    said = refused(["--resume", "--out", out, *files[8:12]], capsys)
    assert "got --test-source, --test-target too; leave that out" in said
    SubwordTokenizer.train(["other words " * 9], 300).save(out / "vocabulary.json")
    assert f"the tokenizer {out}/vocabulary.json (it had" in refused(
        ["--resume", "--out", out], capsys
    )


def test_a_long_pair_is_named_by_its_line_and_can_be_skipped(files, tmp_path, capsys):
    source = tmp_path / "source.txt"
    rewrite(source, lambda raw: raw.replace(b"le chien mange ici\n", b"le chien " * 99 + b"\n"))
    number = 1 + source.read_text().split("\n").index("le chien " * 99)
    out, validation = tmp_path / "out", files[4:8]
    for apart in (files, [name for name in files if name not in validation]):
        said = refused([*apart, "--out", out], capsys)
        assert (
            "--max-tokens must be at least " in said and f"the length of line {number} of " in said
        )
        assert f"{source} or " in said
        assert "add --skip-long to train without them" in said
    assert train.main([*files, "--out", str(out), "--skip-long"]) == 0
    assert f"13 pairs (1 skipped as too long, first line {number}), " in capsys.readouterr().out
    assert "too few for 14 of 14" in refused(
        [*files, "--skip-long", "--max-tokens", "1", "--out", tmp_path / "other"], capsys
    )
