"""Films of tours: frames, subtitles, timing and, with ffmpeg, the files themselves."""

import io
import json
import subprocess
from pathlib import Path

import film
import pytest
from film import Frame, frames_of, main, track, write_film
from pages import read_pages
from PIL import Image, ImageChops, ImageStat
from stage import opened, stage
from toured_page import ORDER, PAGE, write_toured

from tests.lessons.masks.mask_lab import spec

FIGURE = spec.make(tour=True, causal=False)
CAPTIONS = [text for _, text in FIGURE.moments()]
NO_FFMPEG = (
    "a film needs ffmpeg, which is not installed; on Debian and Ubuntu: apt install ffmpeg\n"
)


@pytest.fixture(scope="module")
def tour(browser, tmp_path_factory) -> film.Tour:
    """Provide a page with a tour."""
    html = write_toured(tmp_path_factory.mktemp("html"), FIGURE)
    tab = browser.new_page()
    found = film.tours_of(read_pages(tab, html, ORDER), html)
    tab.close()
    return found["mask_lab"]


@pytest.fixture(scope="module")
def moments(browser, tour) -> list[list[Frame]]:
    """Provide the frames of its film."""
    with opened(browser, *film.SIZE, scale=1) as tab:
        return frames_of(stage(tab, tour.page, tour.name), tour)


def size_of(picture: bytes) -> tuple[int, int]:
    return int.from_bytes(picture[16:20]), int.from_bytes(picture[20:24])


def difference(one: bytes, other: bytes) -> float:
    """Return how far two pictures are apart, per pixel and color."""
    pictures = [Image.open(io.BytesIO(picture)).convert("RGB") for picture in (one, other)]
    return sum(ImageStat.Stat(ImageChops.difference(*pictures)).mean)


def test_a_film_shows_each_moment_as_long_as_the_player_does(tour, moments):
    assert (tour.title, tour.said, tour.page.name) == (
        "A tour",
        CAPTIONS,
        f"{Path(PAGE).name}.html",
    )
    pictures = [frames[-1].picture for frames in moments]
    assert len({*pictures}) == len(CAPTIONS)
    assert {size_of(picture) for picture in pictures} == {(1280, 720)}
    for frames, text in zip(moments, CAPTIONS, strict=True):
        assert sum(frame.seconds for frame in frames) == pytest.approx(0.06 * len(text), abs=0.021)


def test_animations_are_captured_frame_by_frame(browser, tour, tmp_path):
    """In every moment a box moves 400 points in 200 ms."""
    move = """<script>addEventListener("tl:moment", ({ target }) => {
      const box = target.querySelector(".ml-stage");
      box.animate([{ translate: "0" }, { translate: "400px" }], 200);
    }, true)</script></body>"""
    page = tmp_path / "moving.html"
    page.write_text(tour.page.read_text("utf-8").replace("</body>", move), "utf-8")
    with opened(browser, *film.SIZE, scale=1) as tab:
        live = stage(tab, page, tour.name)
        short = film.Tour(tour.name, page, tour.title, tour.said[:1])
        (frames,) = frames_of(live, short)
    assert len(frames) == 200 // 40 + 1
    assert len({frame.picture for frame in frames[:-1]}) == 5
    first, middle, last = (frames[place].picture for place in (0, 3, -1))
    assert difference(first, last) < difference(first, middle) / 4  # it is back in its place
    assert {frame.seconds for frame in frames[:-1]} == {0.04}


def test_the_subtitle_track_has_escaped_texts_and_their_times():
    told = track([[Frame(b"", 0.04), Frame(b"", 1.96)], [Frame(b"", 3)]], ["A <b>.", "B & c."])
    assert told == (
        "WEBVTT\n\n00:00:00.000 --> 00:00:02.000\nA &lt;b&gt;.\n"
        "\n00:00:02.000 --> 00:00:05.000\nB &amp; c.\n"
    )


def test_without_ffmpeg_the_error_names_what_to_install(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert main([str(tmp_path), str(tmp_path / "films")]) == 1
    assert capsys.readouterr() == ("", NO_FFMPEG)
    assert not (tmp_path / "films").exists()


@pytest.mark.ffmpeg
@pytest.mark.nightly
@pytest.mark.parametrize(("kind", "words"), [("webm", "webvtt"), ("mp4", "mov_text")])
def test_a_film_is_read_back(moments, tmp_path, kind, words):
    out = tmp_path / f"film.{kind}"
    write_film(moments, CAPTIONS, out)
    show = "format=duration:stream=codec_type,codec_name,width,height"
    asked = ["ffprobe", "-v", "error", "-show_entries", show, "-of", "json", str(out)]
    told = json.loads(subprocess.run(asked, capture_output=True, check=True).stdout)
    picture, said = told["streams"]
    assert (picture["codec_type"], picture["width"], picture["height"]) == ("video", 1280, 720)
    assert (said["codec_type"], said["codec_name"]) == ("subtitle", words)
    length = sum(frame.seconds for frames in moments for frame in frames)
    assert float(told["format"]["duration"]) == pytest.approx(length, abs=0.1)
    assert out.with_suffix(".vtt").read_text("utf-8") == track(moments, CAPTIONS)
    first = out.read_bytes()
    write_film(moments, CAPTIONS, out)
    assert out.read_bytes() == first
