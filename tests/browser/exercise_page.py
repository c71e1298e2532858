"""A page with an exercise, as a reader uses it: by its editor, buttons, checks and status line."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from live_page import is_python
from playwright.sync_api import Locator, Worker
from visits import Visits

# What Python says in the console when it breaks down is no complaint of the page.
BREAKING_DOWN = ("Pyodide has suffered", "The cause of the fatal error", "Error: ", "Aborted()")
TYPE = "(area, text) => { area.value = text; area.dispatchEvent(new Event('input', { bubbles: true })); }"
SETTLED = "exercise => ['ready', 'error'].includes(exercise.dataset.state)"
KEPT = "Object.keys(localStorage).concat(Object.keys(sessionStorage)).filter(key => key.includes('exercise'))"
READY = "exercise => optimRef.pythonFor(exercise.dataset.runtime, '').spare.isReady"


class ExercisePage:
    def __init__(self, visit: Visits, name: str = "warmup-cosine", **options: Any) -> None:
        live = visit(f"exercises/{name}/", **options)
        self.live = live
        self.page = live.page
        self.watch = live.watch
        self.exercise = self.page.locator(f"live-exercise[name={name}]")
        self.made: list[Worker] = []
        self.page.on("worker", lambda worker: self.made.append(worker) if is_python(worker) else None)

    def button(self, name: str) -> Locator:
        return self.exercise.locator(f"button[name={name}]")

    def press(self, name: str) -> None:
        self.button(name).click()

    @property
    def code(self) -> Locator:
        """What the reader writes in, once CodeMirror is there."""
        if not self.exercise.locator(".cm-content").count():
            self.exercise.locator("textarea").focus()
        return self.exercise.locator(".cm-content")

    def write(self, text: str) -> None:
        """Replace all that stands in the editor."""
        self.code.click()
        self.page.keyboard.press("Control+a")
        self.page.keyboard.insert_text(text)

    @property
    def text(self) -> str:
        return self.exercise.locator("textarea").input_value()

    def start(self, text: str) -> None:
        """Write a solution and run it, without waiting for an end."""
        self.write(text)
        self.press("run")

    def settle(self) -> str:
        """Wait for the end; returns the status line."""
        self.page.wait_for_function(SETTLED, arg=self.exercise.element_handle())
        return self.status

    def run(self, text: str) -> str:
        self.start(text)
        return self.settle()

    @property
    def status(self) -> str:
        return self.exercise.locator("> [role=status]").inner_text()

    @property
    def checks(self) -> Locator:
        return self.exercise.locator("[data-case]")

    def check(self, name: str) -> Locator:
        return self.exercise.locator(f"[data-case='{name}']")

    def failed(self) -> list[str]:
        return self.exercise.locator("[data-status=fail]").all_inner_texts()

    def part(self, case: str, part: str) -> str:
        """The input, what was expected, got or printed, or the traceback of a check."""
        return self.check(case).locator(f"[data-part={part}]").text_content() or ""

    def workers(self) -> list[Worker]:
        return self.live.workers()

    def await_workers(self, count: int) -> None:
        self.live.await_workers(count)

    def await_spare(self) -> None:
        """Wait, once a run has begun to read its text, until another Python is ready."""
        self.page.wait_for_function(READY, arg=self.exercise.element_handle())


Opens = Callable[..., ExercisePage]
"""Opens an exercise in a browser context of its own, given its name and options of the context."""
