"""What all tests share: hypothesis without a clock, a project to change, the built site, the tally."""

from collections.abc import Iterator
from pathlib import Path

import peers
import pytest
from building import build, copy_project, replace
from hypothesis import settings
from site_server import SiteServer

settings.register_profile("here", deadline=None, max_examples=40)
settings.load_profile("here")

DEEP_PAGE = "# Deep\n\n```live-example\nadamw-one-step\n```\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A copy of what the site is built from, to be changed at will."""
    return copy_project(tmp_path / "project")


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SiteServer]:
    """The project's site, and one page more that lies deeper than its own."""
    project = copy_project(tmp_path_factory.mktemp("project") / "copy")
    (project / "docs" / "a" / "b").mkdir(parents=True)
    (project / "docs" / "a" / "b" / "deep.md").write_text(DEEP_PAGE, encoding="utf-8")
    replace(project / "mkdocs.yml", "not_in_nav: /source/", "not_in_nav: |\n  /source/\n  /a/")
    with SiteServer(tmp_path_factory.mktemp("site"), "/some/sub/path/") as server:
        succeeded, printed = build(project, server.folder, SITE_URL=server.url)
        assert succeeded, printed
        yield server


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep together, where several processes share the tests, what shares a site, a browser or an engine."""
    for item in items:
        folder = item.path.parent.name
        item.add_marker(pytest.mark.xdist_group(folder if folder == "engines" else str(item.path)))


def pytest_terminal_summary(terminalreporter):
    reports = [r for kind in ("passed", "skipped", "failed") for r in terminalreporter.stats.get(kind, [])]
    if any("test_peers_agree" in report.nodeid for report in reports):
        terminalreporter.section("recorded cases of the peers")
        terminalreporter.write_line("\n".join(peers.summary(peers.outcomes())))
