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
CONTROL = "\ue009"

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
  addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) => {
    complaints.push(`${violatedDirective} forbids ${blockedURI}`);
  });
  addEventListener("error", ({ message, target }) => {
    complaints.push(message ?? `${target.src ?? target.href} did not load`);
  }, true);
</script>"""

ALL = "(selector) => [...document.querySelectorAll(selector)]"
LINKS = "(url) => [...document.links].filter((each) => each.href === url)"
# The middle of what the element shows first: WebKitGTK misses the empty part of links in the navigation.
MIDDLE = """(...given) => {
  const element = (%s)(...given).find((each) => each.checkVisibility({ visibilityProperty: true }));
  element.scrollIntoView({ block: "center", behavior: "instant" });
  const shown = document.createRange();
  shown.selectNodeContents(element);
  const { x, y, width, height } = shown.getClientRects()[0];
  const middle = [Math.round(x + width / 2), Math.round(y + height / 2)];
  const hit = document.elementFromPoint(...middle);
  if (!element.contains(hit)) {
    throw new Error([element, hit].map((each) => each?.cloneNode(false).outerHTML).join(" is covered by "));
  }
  return middle;
}"""
# Material may add the section that was in view to the address.
ARRIVED = """(url) => location.href.split("#")[0] === url
  && document.querySelector("link[rel=canonical]").href === url"""

PROOFS = """() => [
  ...document.querySelectorAll("live-example:not([data-streams]) .live-example__proof, .eq-ran"),
].map((each) => each.dataset.same ?? null)"""


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
        self.click(LINKS, self.site.url + path)
        self.until(ARRIVED, self.site.url + path)

    def click(self, find: str, *arguments: Any) -> None:
        """Click on the first visible of the elements that the function `find` gives."""
        x, y = self.engine.run(MIDDLE % find, *arguments)
        clicks = [
            {"type": "pointerMove", "x": x, "y": y},
            {"type": "pointerDown", "button": 0},
            {"type": "pointerUp", "button": 0},
        ]
        self.engine.act({"type": "pointer", "id": "mouse", "actions": clicks})

    def type(self, text: str) -> None:
        """Press one key after the other."""
        for key in text:
            self.press(key)

    def press(self, *keys: str) -> None:
        """Press keys together."""
        actions = [{"type": kind, "value": key} for kind in ("keyDown", "keyUp") for key in keys]
        self.engine.act({"type": "key", "id": "keyboard", "actions": actions})

    def until(self, condition: str, *arguments: Any) -> None:
        end = time.monotonic() + SECONDS_TO_WAIT
        while not self.engine.run(condition, *arguments):
            assert time.monotonic() < end, f"this never came true of {arguments}: {condition}"
            time.sleep(0.05)

    def await_proof(self) -> None:
        """Wait, once Python has answered, until it has proven the page."""
        self.until(f"() => !({PROOFS})().includes(null)")

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
