"""What all tests share: hypothesis without a clock, a project to change, the tally of recorded cases."""

from pathlib import Path

import peers
import pytest
from building import copy_project
from hypothesis import settings

settings.register_profile("here", deadline=None, max_examples=40)
settings.load_profile("here")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A copy of what the site is built from, to be changed at will."""
    return copy_project(tmp_path / "project")


def pytest_terminal_summary(terminalreporter):
    reports = [r for kind in ("passed", "skipped", "failed") for r in terminalreporter.stats.get(kind, [])]
    if any("test_peers_agree" in report.nodeid for report in reports):
        terminalreporter.section("recorded cases of the peers")
        terminalreporter.write_line("\n".join(peers.summary(peers.outcomes())))
