"""A page with a live example, as a reader uses it: by its fields, buttons, results and status line."""

from __future__ import annotations

import time
from typing import Any

from playwright.sync_api import Locator, Page, Worker
from watch import Watch

SECONDS_TO_HEAR = 60
HANG = "() => { setTimeout(() => { while (true) {} }); }"
UNPROVEN = "live-example:not([data-streams]) .live-example__proof:not([data-same]), .eq-ran:not([data-same])"
PROVEN = f"() => !document.querySelector('{UNPROVEN}')"
SETTLED = "example => ['ready', 'error'].includes(example.dataset.state)"
OUTPUTS = "outputs => Object.fromEntries(outputs.map(each => [each.name, each.dataset.value]))"
FIELDS = "fields => Object.fromEntries(fields.map(each => [each.name, each.value]))"


def is_python(worker: Worker) -> bool:
    """Material has a worker of its own, for the search."""
    return worker.url.startswith("blob:")


class LivePage:
    def __init__(self, page: Page, watch: Watch, name: str = "adamw-one-step") -> None:
        self.page = page
        self.watch = watch
        self.name = name
        self.example = page.locator(f"live-example[name={name}]")

    def other(self, name: str) -> LivePage:
        """Another example of the same page."""
        return LivePage(self.page, self.watch, name)

    def field(self, name: str) -> Locator:
        return self.example.locator(f"[name={name}]:is(input, select, textarea)")

    def button(self, name: str) -> Locator:
        return self.example.locator(f"button[name={name}]")

    def edit(self, **texts: str) -> None:
        """Set fields one after the other, as a reader would, and do not wait for Python."""
        for name, text in texts.items():
            field = self.field(name)
            field.evaluate("field => field.closest('details')?.setAttribute('open', '')")
            if field.evaluate("field => field.localName") == "select":
                field.select_option(text)
            else:
                field.fill(text)

    def settle(self) -> None:
        """Wait until Python has answered the last edit, or has failed to."""
        handle = self.example.element_handle()
        self.page.wait_for_function(SETTLED, arg=handle)

    def recompute(self, **texts: str) -> dict[str, str]:
        """Edit, wait, and return the results."""
        self.edit(**texts)
        self.settle()
        assert self.state == "ready", self.status
        return self.values()

    def await_proof(self) -> None:
        """Wait, once Python has answered, until it has proven the page."""
        self.page.wait_for_function(PROVEN)

    def hang(self) -> Worker:
        """Have Python hang in whatever it is asked next; returns its worker."""
        # What the page asks for its proof would hang first, and for longer than a test allows an edit.
        self.await_proof()
        (worker,) = self.workers()
        worker.evaluate(HANG)
        return worker

    def press(self, button: str) -> None:
        self.button(button).click()

    @property
    def state(self) -> str | None:
        return self.example.get_attribute("data-state")

    @property
    def status_line(self) -> Locator:
        return self.example.locator("p[role=status]")

    @property
    def status(self) -> str:
        return self.status_line.inner_text()

    def values(self) -> dict[str, str]:
        """What each result is exactly, by name."""
        return self._all("output", OUTPUTS)

    def texts(self) -> dict[str, str]:
        """What stands in each field, by name."""
        return self._all("input, select, textarea", FIELDS)

    def shown(self) -> list[str]:
        return self.example.locator("output").all_inner_texts()

    def message(self, name: str) -> str:
        return self.example.locator(f"#{self.name}-in-{name}-message").inner_text()

    def workers(self) -> list[Worker]:
        return [worker for worker in self.page.workers if is_python(worker)]

    def await_workers(self, count: int) -> None:
        """Wait until this many workers run Python: Playwright hears of an end later than the page."""
        end = time.monotonic() + SECONDS_TO_HEAR
        while len(self.workers()) != count:
            assert time.monotonic() < end, f"{len(self.workers())} workers instead of {count}"
            self.page.wait_for_timeout(50)

    def _all(self, selector: str, function: str) -> dict[str, Any]:
        found: dict[str, Any] = self.example.locator(selector).evaluate_all(function)
        return found
