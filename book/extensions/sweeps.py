"""Show a recorded sweep on a page of prose: `sweep NAME`, with `table`'s arguments as YAML.

A chapter calls `experiments.record(NAME).table(…)` itself. A page of prose uses this directive to
show the table of an experiment in this folder.
"""

from importlib import import_module

import yaml
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from lessons.kit.experiments.experiment import Experiment


class Sweep(SphinxDirective):
    """Show a result of a sweep as a table."""

    required_arguments = 1
    has_content = True

    def run(self) -> list[nodes.Node]:
        try:
            arguments = yaml.safe_load("\n".join(self.content))
            table = Experiment(import_module(self.arguments[0])).record().table(**arguments)
        except (ImportError, TypeError, ValueError, yaml.YAMLError) as error:
            raise self.error(f"sweep {self.arguments[0]}: {error}") from None
        return [nodes.raw("", table._repr_html_(), format="html")]


def setup(app: Sphinx) -> None:
    app.add_directive("sweep", Sweep)
