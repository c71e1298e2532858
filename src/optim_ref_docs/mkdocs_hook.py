"""A MkDocs hook that prepares the docs folder; other tools call `python -m optim_ref_docs prepare` beforehand."""

from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig

from optim_ref_docs.prepare import prepare
from optim_ref_docs.project import Project


def on_pre_build(config: MkDocsConfig) -> None:
    """Write what has changed since the last build."""
    prepare(Project.read(Path(config.config_file_path).parent))
