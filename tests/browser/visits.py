"""Opening pages of the site in a real Chromium."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from install import find
from live_page import LivePage
from playwright.sync_api import Browser, BrowserContext
from site_server import SiteServer
from watch import Watch

# For Python to start on a slow machine, and for what it computes there.
MILLISECONDS_TO_WAIT = 120_000
FLAGS = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)


class Visits:
    """Opens pages of the site, each in a browser context of its own, and closes them."""

    def __init__(self, chromium: Browser, site: SiteServer) -> None:
        self.chromium = chromium
        self.site = site
        self.watches: list[Watch] = []

    def __call__(
        self,
        path: str = "adamw/",
        *,
        before: str = "",
        clock: bool = False,
        profile: Path | None = None,
        **options: Any,
    ) -> LivePage:
        """Open `path` in a context with these options.

        The script `before` runs ahead of the page's own; with `clock` a test may let time pass. What a
        browser keeps from one visit to the next is in the folder `profile`; without one, large files are not.
        """
        # Playwright's own waiting evaluates text, which the pages' policy forbids: test_policy.py keeps it.
        options = {"base_url": self.site.url, "bypass_csp": True} | options
        context = self._kept(profile, options) if profile else self.chromium.new_context(**options)
        context.set_default_timeout(MILLISECONDS_TO_WAIT)
        self.watches.append(Watch(context, self.site.origin))
        if before:
            context.add_init_script(before)
        page = context.new_page()
        if clock:
            page.clock.install()
        page.goto(path)
        return LivePage(page, self.watches[-1])

    def _kept(self, profile: Path, options: dict[str, Any]) -> BrowserContext:
        return self.chromium.browser_type.launch_persistent_context(
            profile, executable_path=find(), args=FLAGS, **options
        )

    def end(self) -> None:
        """Close all, and fail where a page complained or asked another host for anything."""
        for watch in self.watches:
            watch.context.close()
        while self.watches:
            self.watches.pop().check()
