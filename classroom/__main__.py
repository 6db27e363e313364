"""``python -m classroom COMMAND``: one command for each module named here.

A module offers `add_options(parser)`, and `run(options)`, which returns the exit status or None.
"""

import argparse
import importlib
import sys
from collections.abc import Sequence

#: Each command, the module behind it and what it does.
COMMANDS = {
    "release": ("release", "write the folder and the zip that a class gets"),
    "checkups": ("checkups", "write check-ups on paper, with keys"),
    "grade": ("grading", "grade what a class handed in, in a sandbox"),
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command, and report errors in its input in one sentence."""
    parser = argparse.ArgumentParser("python -m classroom", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, (module, told) in COMMANDS.items():
        found = importlib.import_module(f"{__package__}.{module}")
        command = commands.add_parser(name, help=told, description=found.__doc__)
        command.formatter_class = argparse.RawDescriptionHelpFormatter
        found.add_options(command)
        command.set_defaults(run=found.run)
    options = parser.parse_args(arguments)
    try:
        return options.run(options) or 0
    except (ValueError, TypeError, OSError) as error:
        print(f"{parser.prog} {options.command}: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
