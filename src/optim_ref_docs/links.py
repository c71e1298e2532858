"""Addresses of lines of code.

Without a repository a line is shown by the site's own listing of its file; with one, by the file at the
commit that the site was built from. Where the file differs from that commit, only the listing agrees with
the page.
"""

import os
import subprocess
from functools import cached_property
from pathlib import Path

from optim_ref_docs import project
from optim_ref_docs.source import Place

LISTINGS = "source"
SITE_SCHEME = "docs:"  # resolved by the Markdown extension, which knows the page a link stands on


class LineLinks:
    """Turns places into addresses."""

    def __init__(self, root: Path, repo_url: str = "") -> None:
        self.root = root
        self.repo_url = repo_url.rstrip("/")

    @classmethod
    def of_environment(cls, root: Path) -> "LineLinks":
        """Links into the repository that the environment variable `REPO_URL` names, if it does."""
        return cls(root, os.environ.get("REPO_URL", ""))

    def href(self, place: Place) -> str:
        """Address of the lines in the repository, else in the site's listing."""
        if not self.repo_url or not self.commit or place.path in self.changed:
            return self.listing(place)
        lines = f"L{place.first}" if place.first == place.last else f"L{place.first}-L{place.last}"
        return f"{self.repo_url}/blob/{self.commit}/{self._prefix}{place.path}#{lines}"

    def listing(self, place: Place) -> str:
        """Address of the first line in the site's own listing."""
        return f"{SITE_SCHEME}{listing_page(place.path)}#{line_id(place.path, place.first)}"

    @cached_property
    def commit(self) -> str:
        return project.commit(self.root)

    @cached_property
    def _prefix(self) -> str:
        """The project's folder within the repository, with a slash at the end."""
        return self._git("rev-parse", "--show-prefix").strip()

    @cached_property
    def changed(self) -> set[str]:
        """Files, relative to the root, that are not as the commit has them."""
        changed = self._git("diff", "--name-only", "--relative", "-z", "HEAD")
        untracked = self._git("ls-files", "--others", "-z")
        return set(f"{changed}\0{untracked}".split("\0"))

    def _git(self, *arguments: str) -> str:
        command = ["git", "-C", str(self.root), *arguments]
        try:
            return subprocess.run(command, check=True, capture_output=True, text=True).stdout
        except (OSError, subprocess.CalledProcessError):
            return ""


def listing_page(path: str) -> str:
    """The page, relative to the docs folder, that lists a file."""
    return f"{LISTINGS}/{path}.md"


def line_id(path: str, line: int) -> str:
    """The id of a line in the listing of a file."""
    return f"{path}--L{line}"
