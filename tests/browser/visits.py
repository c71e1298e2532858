"""Opening pages of the site in a real Chromium."""

from __future__ import annotations

from typing import Any

from live_page import LivePage
from playwright.sync_api import Browser
from site_server import SiteServer
from watch import Watch


class Visits:
    """Opens pages of the site, each in a browser context of its own, and closes them."""

    def __init__(self, chromium: Browser, site: SiteServer) -> None:
        self.chromium = chromium
        self.site = site
        self.watches: list[Watch] = []

    def __call__(
        self, path: str = "adamw/", *, before: str = "", clock: bool = False, **options: Any
    ) -> LivePage:
        """Open `path` in a context with these options.

        The script `before` runs ahead of the page's own; with `clock` a test may let time pass.
        """
        # Playwright's own waiting evaluates text, which the pages' policy forbids: test_policy.py keeps it.
        context = self.chromium.new_context(base_url=self.site.url, **{"bypass_csp": True} | options)
        self.watches.append(Watch(context, self.site.origin))
        if before:
            context.add_init_script(before)
        page = context.new_page()
        if clock:
            page.clock.install()
        page.goto(path)
        return LivePage(page, self.watches[-1])

    def end(self) -> None:
        """Close all, and fail where a page complained or asked another host for anything."""
        for watch in self.watches:
            watch.context.close()
        for watch in self.watches:
            watch.check()
