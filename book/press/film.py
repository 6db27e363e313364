"""`make film`: make a film of a figure's tour, with its text below the picture and as subtitles.

Chromium draws every moment, and every frame of the motion between moments at its exact time. So the
film does not depend on the speed of the machine. A moment lasts as long as in the page's own
player.

    python press/film.py _build/html _build/press/films --figure mask_lab --dark --mp4
"""

from __future__ import annotations

import argparse
import html
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from itertools import accumulate, pairwise
from pathlib import Path

from chromium import chromium
from facts import ROOT
from pages import Page, order, read_pages, select, text_of
from playwright.sync_api import Locator
from stage import opened, settle, show, stage

HERE = Path(__file__).parent
SIZE = (1280, 720)
RATE = 25  # frames a second
LONGEST = 2000  # milliseconds of motion
MISSING = "a film needs ffmpeg, which is not installed; on Debian and Ubuntu: apt install ffmpeg"
CODECS = {
    "webm": ["libvpx-vp9", "-crf", "32", "-b:v", "0", "-cpu-used", "5", "-c:s", "webvtt"],
    "mp4": ["libx264", "-crf", "20", "-movflags", "+faststart", "-c:s", "mov_text"],
}


@dataclass(frozen=True)
class Tour:
    """A tour of the built book.

    Attributes:
        name: the name of the figure.
        page: the file of the page that contains it.
        title: the title of that page.
        said: the text of each moment.
    """

    name: str
    page: Path
    title: str
    said: list[str]


@dataclass(frozen=True)
class Frame:
    """A frame of a film.

    Attributes:
        picture: the picture as PNG.
        seconds: how long it is shown.
    """

    picture: bytes
    seconds: float


def tours_of(pages: list[Page], built: Path) -> dict[str, Tour]:
    """Return the tours on the pages by figure; a figure on two pages has the tour of the first."""
    found: dict[str, Tour] = {}
    for page in pages:
        for host in select(page.article, "div.tl-host"):
            for listed in select(host, "ol.tl-moments"):
                name, texts = host.get("data-figure"), [text_of(item) for item in listed]
                found.setdefault(name, Tour(name, built / f"{page.name}.html", page.title, texts))
    return found


def chosen(tours: dict[str, Tour], name: str | None) -> list[Tour]:
    """Return the tour of a figure; without a name, all tours.

    Raises:
        ValueError: the figure has no tour.
    """
    if name and name not in tours:
        raise ValueError(f"FIGURE must be one of {', '.join(sorted(tours))}, got {name}")
    return [tours[name]] if name else [*tours.values()]


def frames_of(live: Locator, tour: Tour) -> list[list[Frame]]:
    """Return the frames of each moment of a staged figure."""
    tab = live.page
    tab.add_script_tag(path=HERE / "film.js")
    live.evaluate("(live, title) => pressFilm.frame(live, title)", tour.title)
    show(live, 1)
    tab.emulate_media(reduced_motion="no-preference")
    pace = tab.evaluate("() => livingFigures.use('figures-tour').PACE") / 1000
    return [
        frames_at(live, moment, text, f"{moment} of {len(tour.said)}", pace)
        for moment, text in enumerate(tour.said, start=1)
    ]


def frames_at(live: Locator, moment: int, text: str, place: str, pace: float) -> list[Frame]:
    """Return the frames of one moment: first the motion, then a still for reading the text.

    Args:
        live: the figure.
        moment: its number, starting from 1.
        text: the text of the moment.
        place: its place in the tour, such as "2 of 6".
        pace: seconds per letter.
    """
    tab, moving = live.page, []
    tab.evaluate("([text, place]) => pressFilm.say(text, place)", [text, place])
    live.evaluate("(live, at) => pressFilm.go(live, at)", moment - 1)
    settle(live)
    end = live.evaluate("live => pressFilm.fit(live)")
    for time in range(0, min(round(end), LONGEST), 1000 // RATE):
        moving.append(Frame(screenshot_after(live, f"pressFilm.move({time})"), 1 / RATE))
    stays = round(pace * len(text) * RATE) / RATE
    return [*moving, Frame(screenshot_after(live, "pressFilm.rest()"), stays)]


def screenshot_after(live: Locator, change: str) -> bytes:
    """Change what the screen shows, and return a picture of it."""
    live.page.evaluate(change)
    settle(live)
    return live.page.screenshot()


def starts_of(moments: list[list[Frame]]) -> list[float]:
    """Return the start of each moment and the end of the film, in seconds."""
    return [*accumulate((sum(frame.seconds for frame in part) for part in moments), initial=0.0)]


def track(moments: list[list[Frame]], said: list[str]) -> str:
    """Return the subtitles of a film as WebVTT.

    >>> print(track([[Frame(b"", 1.5)], [Frame(b"", 0.5), Frame(b"", 2)]], ["a < b", "Then."]))
    WEBVTT
    <BLANKLINE>
    00:00:00.000 --> 00:00:01.500
    a &lt; b
    <BLANKLINE>
    00:00:01.500 --> 00:00:04.000
    Then.
    <BLANKLINE>
    """
    times = pairwise(map(clock, starts_of(moments)))
    cues = [
        f"{start} --> {end}\n{html.escape(text, quote=False)}\n"
        for (start, end), text in zip(times, said, strict=True)
    ]
    return "\n".join(["WEBVTT\n", *cues])


def clock(seconds: float) -> str:
    """Format a time for WebVTT.

    >>> clock(3661.25)
    '01:01:01.250'
    """
    minutes, rest = divmod(round(1000 * seconds), 60_000)
    return f"{minutes // 60:02}:{minutes % 60:02}:{rest // 1000:02}.{rest % 1000:03}"


def write_film(moments: list[list[Frame]], said: list[str], out: Path) -> None:
    """Write a film and, next to it, its subtitles. The file extension decides the format.

    Raises:
        ValueError: ffmpeg fails.
    """
    out.parent.mkdir(parents=True, exist_ok=True)
    words = out.with_suffix(".vtt")
    words.write_text(track(moments, said), "utf-8")
    with tempfile.TemporaryDirectory() as folder:
        listed = write_frames([frame for part in moments for frame in part], Path(folder))
        starts = [f"{start:.3f}" for start in starts_of(moments)]
        done = subprocess.run(command(listed, words, starts, out), capture_output=True, text=True)
    if done.returncode:
        raise ValueError(f"ffmpeg must write {out}, and says: {done.stderr.strip()}")


def write_frames(frames: list[Frame], folder: Path) -> Path:
    """Write frames into a folder, and a list of them for ffmpeg; return the path of the list."""
    lines = ["ffconcat version 1.0\n"]
    *others, last = frames
    end = 1 / RATE  # the film ends when its last frame starts, so that frame is listed twice
    for place, frame in enumerate([*others, Frame(last.picture, last.seconds - end), last]):
        (folder / f"{place}.png").write_bytes(frame.picture)
        lines.append(f"file '{place}.png'\nduration {frame.seconds:.3f}\n")
    listed = folder / "frames.txt"
    listed.write_text("".join(lines), "utf-8")
    return listed


def command(frames: Path, words: Path, starts: list[str], out: Path) -> list[str]:
    """Return the ffmpeg command that makes a film, in which viewers can seek to each moment."""
    video, *options = CODECS[out.suffix.removeprefix(".")]
    inputs = ["-f", "concat", "-i", str(frames), "-i", str(words), "-map", "0:v", "-map", "1:s"]
    picture = ["-fps_mode", "vfr", "-pix_fmt", "yuv420p", "-force_key_frames", ",".join(starts)]
    subtitles = ["-metadata:s:s:0", "language=eng", "-disposition:s:0", "0"]
    exact = ["-fflags", "+bitexact", "-flags:v", "+bitexact", "-threads", "1"]
    coded = ["-c:v", video, *options]
    return [
        "ffmpeg",
        "-y",
        "-loglevel",
        "error",
        *inputs,
        *picture,
        *coded,
        *subtitles,
        *exact,
        str(out),
    ]


def make_films(built: Path, out: Path, options: argparse.Namespace) -> None:
    """Make the requested films, and print the name of each."""
    with chromium() as browser:
        reader = browser.new_page()
        tours = tours_of(read_pages(reader, built, order(ROOT)), built)
        reader.close()
        theme, kind = "dark" if options.dark else "light", "mp4" if options.mp4 else "webm"
        for tour in chosen(tours, options.figure):
            with opened(browser, *SIZE, theme=theme, scale=1) as tab:
                moments = frames_of(stage(tab, tour.page, tour.name), tour)
            path = out / f"{tour.name}.{kind}"
            write_film(moments, tour.said, path)
            print(f"{path}: {path.stat().st_size / 1e6:.1f} MB", flush=True)


def main(arguments: list[str]) -> int:
    """Parse the arguments and make the films; return the exit status."""
    parser = argparse.ArgumentParser(description="Write the tours of figures as films.")
    parser.add_argument("built", type=Path, help="the folder of the built book")
    parser.add_argument("out", type=Path, help="the folder of the films")
    parser.add_argument("--figure", help="only this one")
    parser.add_argument("--dark", action="store_true", help="light on dark")
    parser.add_argument("--mp4", action="store_true", help="MP4 instead of WebM")
    options = parser.parse_args(arguments)
    try:
        if not shutil.which("ffmpeg"):
            raise ValueError(MISSING)
        make_films(options.built.resolve(), options.out.resolve(), options)
    except ValueError as refusal:
        print(refusal, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
