"""What `import transformer_lite` costs on top of `import torch`."""

import subprocess
import sys

from peers import milliseconds, report, rounded

ROUNDS = 21


def main() -> None:
    def importing(name: str):
        return lambda: subprocess.run([sys.executable, "-c", f"import {name}"], check=True)

    times = milliseconds({name: importing(name) for name in ("torch", "transformer_lite")}, ROUNDS)
    rows = [
        {"import": name, "median ms": rounded(took), "over torch": round(took / times["torch"], 3)}
        for name, took in times.items()
    ]
    report("import_time", "Import time", rows, f"{ROUNDS} fresh processes each, in turn.")


if __name__ == "__main__":
    main()
