"""A live example as a reader uses it, in any engine: by its fields, buttons, results and status line."""

from __future__ import annotations

from typing import Any

from tests.engines.reader import ALL, BACKSPACE, Reader

FIELD = "example.querySelector(`:is(input, select, textarea)[name=${name}]`)"
# Text is typed by the keyboard; how a choice opens is each browser's own affair.
CHOOSE_OR_SELECT = f"""(example, name, text) => {{
  const field = {FIELD};
  field.closest("details")?.setAttribute("open", "");
  if (field.localName !== "select") {{
    field.focus();
    field.select();
    return false;
  }}
  field.value = text;
  return field.dispatchEvent(new Event("input", {{ bubbles: true }}));
}}"""
# A driver may answer before the page has heard of the click.
LISTEN = "(example) => example.addEventListener('click', () => { example.clicked = true }, { once: true })"
CLICKED = "(example) => { const { clicked } = example; delete example.clicked; return clicked === true; }"
SETTLED = "(example) => ['ready', 'error'].includes(example.dataset.state)"
OUTPUTS = "Array.from(example.querySelectorAll('output'), (each) => [each.name, each.dataset.value])"


class LiveExample:
    def __init__(self, reader: Reader, name: str) -> None:
        self.reader = reader
        self.name = name

    def run(self, function: str, *arguments: Any) -> Any:
        """Call a JavaScript function with the element and these arguments."""
        return self.reader.engine.run(self._of_element(function), self.name, *arguments)

    def until(self, condition: str, *arguments: Any) -> None:
        self.reader.until(self._of_element(condition), self.name, *arguments)

    def edit(self, **texts: str) -> None:
        """Type into fields, and do not wait for Python."""
        for name, text in texts.items():
            if not self.run(CHOOSE_OR_SELECT, name, text):
                self.reader.type(BACKSPACE + text)
            self.until(f"(example, name, text) => {FIELD}.value === text", name, text)

    def settle(self) -> None:
        self.until(SETTLED)

    def recompute(self, **texts: str) -> dict[str, str]:
        """Edit, wait, and return the results."""
        self.edit(**texts)
        self.settle()
        assert self.state == "ready", self.status
        return self.values()

    def press(self, button: str) -> None:
        self.run(LISTEN)
        self.reader.click(ALL, f"live-example[name={self.name}] button[name={button}]")
        self.until(CLICKED)

    @property
    def state(self) -> str:
        return str(self.run("(example) => example.dataset.state"))

    @property
    def status(self) -> str:
        return str(self.run("(example) => example.querySelector('[role=status]').textContent"))

    def values(self) -> dict[str, str]:
        """What each result is exactly, by name."""
        return dict(self.run(f"(example) => {OUTPUTS}"))

    def shown(self, name: str) -> str:
        """The text of a result."""
        return str(self.run("(example, name) => example.querySelector(`output[name=${name}]`).value", name))

    def _of_element(self, function: str) -> str:
        element = "document.querySelector(`live-example[name=${name}]`)"
        return f"(name, ...given) => ({function})({element}, ...given)"
