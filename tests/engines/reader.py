"""A reader of the site in any engine, who clicks, types, and reads what a live example says."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any

from site_server import Handler, SiteServer
from tests.engines.engine import Engine

SECONDS_TO_WAIT = 120
BACKSPACE = "\ue003"

# Ahead of everything else in a page, its policy too, which is for the page's own scripts.
EARS = """<script>
  globalThis.complaints = [];
  for (const kind of ["error", "warn"]) {
    const native = console[kind];
    console[kind] = (...all) => {
      complaints.push(all.join(" "));
      native.apply(console, all);
    };
  }
  addEventListener("unhandledrejection", ({ reason }) => complaints.push(String(reason)));
  addEventListener("error", ({ message, target }) => {
    complaints.push(message ?? `${target.src ?? target.href} did not load`);
  }, true);
</script>"""

VISIBLE = "(selector) => [...document.querySelectorAll(selector)].find((each) => each.checkVisibility())"
LINK = "(url) => [...document.links].find((each) => each.href === url && each.checkVisibility())"
# The middle of what the element shows: WebKitGTK misses the empty part of links in Material's navigation.
MIDDLE = """(...given) => {
  const element = (%s)(...given);
  element.scrollIntoView({ block: "center", behavior: "instant" });
  const shown = document.createRange();
  shown.selectNodeContents(element);
  const { x, y, width, height } = shown.getBoundingClientRect();
  const middle = [Math.round(x + width / 2), Math.round(y + height / 2)];
  const hit = document.elementFromPoint(...middle);
  if (!element.contains(hit)) throw new Error(`${element.outerHTML} is covered by ${hit?.outerHTML}`);
  return middle;
}"""
# Material may add the section that was in view to the address.
ARRIVED = """(url) => location.href.split("#")[0] === url
  && document.querySelector("link[rel=canonical]").href === url"""


class Reader:
    def __init__(self, engine: Engine, site: SiteServer) -> None:
        self.engine = engine
        self.site = site

    def open(self, path: str) -> None:
        """Load a page anew: whatever ran in the last one is gone."""
        self.engine.open(self.site.url + path)

    def visit(self, path: str) -> None:
        """Come to a page as the build made it, keeping Python where it runs already."""
        if not self.engine.run("() => 'complaints' in globalThis"):
            self.open("")
        self.follow("")
        self.follow(path)

    def follow(self, path: str) -> None:
        """Go on by a link, as instant navigation does, so that Python keeps running."""
        self.click(LINK, self.site.url + path)
        self.until(ARRIVED, self.site.url + path)

    def click(self, find: str, *arguments: Any) -> None:
        """Click on the element that the function `find` gives."""
        x, y = self.engine.run(MIDDLE % find, *arguments)
        clicks = [
            {"type": "pointerMove", "x": x, "y": y},
            {"type": "pointerDown", "button": 0},
            {"type": "pointerUp", "button": 0},
        ]
        self.engine.act({"type": "pointer", "id": "mouse", "actions": clicks})

    def type(self, text: str) -> None:
        keys = [{"type": kind, "value": key} for key in text for kind in ("keyDown", "keyUp")]
        self.engine.act({"type": "key", "id": "keyboard", "actions": keys})

    def until(self, condition: str, *arguments: Any) -> None:
        end = time.monotonic() + SECONDS_TO_WAIT
        while not self.engine.run(condition, *arguments):
            assert time.monotonic() < end, f"this never came true of {arguments}: {condition}"
            time.sleep(0.05)

    def complaints(self) -> Sequence[str]:
        """What has been complained of since this was last asked."""
        heard = [*self.engine.console, *self.engine.run("() => complaints.splice(0)")]
        self.engine.console.clear()
        return heard


@contextmanager
def overheard(site: SiteServer) -> Iterator[None]:
    """Give every page a script that hears what would stand in the console: not each driver tells of that."""
    pages = [page.parent.relative_to(site.folder) for page in site.folder.rglob("index.html")]
    with ExitStack() as served:
        for page in pages:
            served.enter_context(site.fault(f"{page.as_posix()}/".removeprefix("./"), with_ears))
        yield


def with_ears(handler: Handler) -> None:
    page = (handler.file() / "index.html").read_text("utf-8").replace("<head>", f"<head>{EARS}", 1)
    handler.send(200, "text/html; charset=utf-8", page.encode())
