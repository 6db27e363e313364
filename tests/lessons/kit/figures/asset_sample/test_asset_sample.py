"""The Python side of a figure with an asset: what Jupyter gets and what a page lists."""

import gzip
import json
import re
from base64 import b64decode
from typing import ClassVar

import pytest
from asset_sample.sample import content, weights

from lessons.kit.figures.assets import asset_key, asset_script
from lessons.kit.figures.registry import SoftmaxLab

MODEL = content(weights())


@pytest.fixture
def model(tmp_path):
    path = tmp_path / "model.bin"
    path.write_bytes(MODEL)
    return path


def figure(**files):
    """Return a figure with these assets."""

    class Assets(SoftmaxLab):
        asset_files: ClassVar = files

    return Assets([1.0, 2.0])


def test_assets_are_sent_to_jupyter_but_are_not_in_the_saved_state(model):
    made = figure(model=model)
    assert made.get_state()["assets"] == {"model": MODEL}
    assert made.state() == SoftmaxLab([1.0, 2.0]).state()


def test_the_page_lists_its_assets_with_keys_and_sizes(model):
    other = model.with_name("words.bin")
    other.write_bytes(b"le chat")
    page = figure(model=model, words=other).to_html()
    [told] = re.findall('data-assets="([^"]*)"', page)
    first, second = json.loads(told.replace("&quot;", '"'))
    assert (first["name"], first["key"]) == ("model", asset_key(MODEL))
    assert 280_000 < first["bytes"] < 310_000
    assert (second["name"], second["key"]) == ("words", asset_key(b"le chat"))


def test_an_asset_script_contains_the_content_under_its_key():
    script = asset_script(MODEL)
    key, packed = re.fullmatch(r'livingFigures\.bring\("(\w+)", "(.*)"\);\n', script).groups()
    assert gzip.decompress(b64decode(packed)) == MODEL
    assert key == asset_key(MODEL) != asset_key(MODEL[:-1])
    assert b64decode(packed)[4:8] == bytes(4)  # no time: the same script on every day
    assert len(gzip.compress(script.encode())) < 1.02 * len(gzip.compress(MODEL))


def test_a_missing_asset_is_named_with_its_figure_and_path(tmp_path):
    path = tmp_path / "lost.bin"
    message = f"Assets needs its asset 'model': there is no file {re.escape(str(path))}"
    with pytest.raises(FileNotFoundError, match=message):
        figure(model=path)
    with pytest.raises(FileNotFoundError, match="there is no file"):
        figure(model=tmp_path)
