"""What all tests share: hypothesis without a clock, and the tally of recorded cases at the end."""

import peers
from hypothesis import settings

settings.register_profile("here", deadline=None, max_examples=40)
settings.load_profile("here")


def pytest_terminal_summary(terminalreporter):
    reports = [r for kind in ("passed", "skipped", "failed") for r in terminalreporter.stats.get(kind, [])]
    if any("test_peers_agree" in report.nodeid for report in reports):
        terminalreporter.section("recorded cases of the peers")
        terminalreporter.write_line("\n".join(peers.summary(peers.outcomes())))
