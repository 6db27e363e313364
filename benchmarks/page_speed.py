"""Run Lighthouse on the built pages over HTTP with gzip, on a simulated slow phone.

Only this script uses Lighthouse, through npx. A busy machine lowers its performance score, because
the scripts' time is measured and only the network is simulated. The median of three runs counts.

Usage: python benchmarks/page_speed.py [FOLDER OF THE BUILT BOOK] [PAGE …]
"""

import functools
import gzip
import http.server
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

from figure_latency import BOOK, ROOT
from peers import report

sys.path.insert(0, str(ROOT / "book/press"))

from chromium import CHROMIUMS

RUNS = 3
LIGHTHOUSE = "lighthouse@12.8.2"
CATEGORIES = ("performance", "accessibility", "best-practices", "seo")
MEASURES = {
    "first paint ms": "first-contentful-paint",
    "largest paint ms": "largest-contentful-paint",
    "blocked ms": "total-blocking-time",
    "layout shift": "cumulative-layout-shift",
    "loaded bytes": "total-byte-weight",
}
COMPRESSED = {".html", ".css", ".js", ".svg", ".json", ".xml"}


class Server(http.server.SimpleHTTPRequestHandler):
    """Serve files like a published book: text is compressed, and cached for ten minutes."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *args: object) -> None:
        """Write nothing."""

    def do_GET(self) -> None:
        path = Path(self.translate_path(self.path))
        if not path.is_file():
            self.send_error(404)
            return
        body, kind = path.read_bytes(), self.guess_type(path)
        self.send_response(200)
        if path.suffix in COMPRESSED:
            body = gzip.compress(body, 6)
            self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Type", f"{kind}; charset=utf-8" if "text" in kind else kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "max-age=600")
        self.end_headers()
        self.wfile.write(body)


def ask(url: str) -> dict:
    """Return Lighthouse's report on a page, with its mobile settings."""
    browser = next(filter(None, map(shutil.which, CHROMIUMS)), "chromium")
    with tempfile.TemporaryDirectory() as folder:
        written = Path(folder, "report.json")
        command = ["npx", "--yes", LIGHTHOUSE, url, "--quiet", "--output=json"]
        options = [f"--output-path={written}", "--chrome-flags=--headless --no-sandbox"]
        subprocess.run([*command, *options], check=True, env=os.environ | {"CHROME_PATH": browser})
        return json.loads(written.read_text(encoding="utf-8"))


def measure(url: str) -> dict:
    """Return the median results of a page over several runs."""
    reports = [ask(url) for _ in range(RUNS)]
    row: dict[str, float] = {}
    for name in CATEGORIES:
        row[name] = statistics.median(100 * r["categories"][name]["score"] for r in reports)
    for name, audit in MEASURES.items():
        row[name] = statistics.median(r["audits"][audit]["numericValue"] for r in reports)
    return {name: round(value, 3 if name == "layout shift" else 0) for name, value in row.items()}


def main() -> None:
    chapters = sorted((BOOK / "notebooks").glob("*.html"))
    if not chapters:
        sys.exit("No built book to measure: run make book first.")
    pages = sys.argv[2:] or ["book/preface.html", *(f"notebooks/{p.name}" for p in chapters)]
    handler = functools.partial(Server, directory=str(BOOK))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    rows = []
    for page in pages:
        print(page, flush=True)
        rows.append({"page": page} | measure(f"http://127.0.0.1:{server.server_port}/{page}"))
    report("page_speed", "Lighthouse on the built pages", rows, f"{LIGHTHOUSE}, {RUNS} runs each.")


if __name__ == "__main__":
    main()
