"""MkDocs calls these: they prepare assets, make pages lighter and protect them.

Another site builder does without: its pages have no policy, and the usual search.
"""

from __future__ import annotations

import importlib
import linecache
import logging
import sys
import tomllib
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from mkdocs.config.config_options import ExtraScriptValue
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import Abort, ConfigurationError
from mkdocs.structure.files import Files

from optim_ref_docs import assets, listings, policy, project, provenance, search, whitespace
from optim_ref_docs.settings import Settings
from optim_ref_docs.store import AssetError

# What pages need of it is in widgets/docstrings.css.
MKDOCSTRINGS_CSS = "assets/_mkdocstrings.css"

log = logging.getLogger("mkdocs.optim_ref_docs")


def on_startup(command: str, dirty: bool) -> None:
    """Set the policy aside where pages are only looked at while they are written."""
    policy.is_wanted = command != "serve"


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Prepare the assets, and name scripts and styles by their content."""
    if not config.site_url:
        # Without it Material turns instant navigation off and says nothing.
        raise ConfigurationError(
            "site_url is not set: set it in mkdocs.yml or the environment variable SITE_URL"
        )
    root = Path(config.config_file_path).parent
    project.choose(root)
    _forget_modules(root)
    settings = Settings.read(root)
    try:
        prepared = assets.prepare(root)
        listings.prepare(settings)
        provenance.prepare(settings)
    except (AssetError, OSError) as error:
        raise Abort(f"An asset of the site cannot be made.\n{error}") from error
    hashed = {f"assets/live/{name}": url for name, url in prepared["page"].items()}
    config.copyright = f"{config.site_name} {_version(root)} · {config.copyright}"
    # Else a script in each page would name the way up to the site's root, and the policy one for each depth.
    config.extra.setdefault("scope", urlsplit(config.site_url).path or "/")
    styles = [each for each in config.extra_css if each != MKDOCSTRINGS_CSS]
    config.extra_css = [hashed.get(each, each) for each in styles]
    for script in config.extra_javascript:
        if isinstance(script, ExtraScriptValue) and script.path in hashed:
            script.path = hashed[script.path]
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Leave out what only other site builders need."""
    for name in (*assets.PAGE_FILES, assets.CURRENT):
        if file := files.get_file_from_path(f"assets/live/{name}"):
            files.remove(file)
    return files


def on_post_page(output: str, **_more: Any) -> str:
    """Take the templates' indentation out of a page."""
    return whitespace.without_indentation(output)


def on_post_build(config: MkDocsConfig) -> None:
    """Make the pages that were built lighter, and protect them."""
    site = Path(config.site_dir)
    search.on_demand(site, assets.current()["search"]["url"])
    if policy.is_wanted:
        policy.protect(site)


def _version(root: Path) -> str:
    """The version of the project, and the commit it was built from where there is one."""
    with (root / "pyproject.toml").open("rb") as file:
        version = tomllib.load(file)["project"]["version"]
    commit = project.commit(root)
    return f"{version} ({commit[:8]})" if commit else str(version)


def _forget_modules(root: Path) -> None:
    """Let `mkdocs serve` import the project's own code as it is now, not as it was at the first build."""
    own = (root / "src" / "optim_ref", root / "widgets")
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None)
        if file and any(Path(file).is_relative_to(folder) for folder in own):
            del sys.modules[name]
    importlib.invalidate_caches()
    linecache.checkcache()
