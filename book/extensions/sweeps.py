"""The table of a recorded sweep on a page of prose: `sweep NAME`, with `table`'s arguments as YAML.

A chapter calls `experiments.record(NAME).table(…)` itself. A page of prose asks for the table of an
experiment in this folder.
"""

from importlib import import_module

import yaml
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from lessons.kit.experiments.experiment import Experiment


class Sweep(SphinxDirective):
    """A result of a sweep by row and column."""

    required_arguments = 1
    has_content = True

    def run(self) -> list[nodes.Node]:
        try:
            told = yaml.safe_load("\n".join(self.content))
            table = Experiment(import_module(self.arguments[0])).record().table(**told)
        except (ImportError, TypeError, ValueError, yaml.YAMLError) as error:
            raise self.error(f"sweep {self.arguments[0]}: {error}") from None
        return [nodes.raw("", table._repr_html_(), format="html")]


def setup(app: Sphinx) -> None:
    app.add_directive("sweep", Sweep)
