"""The table of results: what was measured, against what, and what it must not exceed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

MB = 1_000_000


@dataclass(frozen=True)
class Row:
    """One measure; without `at_most` it is only shown."""

    measure: str
    value: float
    unit: str
    at_most: float | None = None
    of: str = ""

    @property
    def figure(self) -> str:
        return self._in_unit(f"{self.value:.4g}")

    @property
    def limit(self) -> str:
        return "" if self.at_most is None else self._in_unit(f"{self.at_most:g}")

    @property
    def verdict(self) -> str:
        if self.at_most is None:
            return ""
        return "yes" if self.value <= self.at_most else "no"

    def shown(self) -> dict[str, str]:
        return {name: getattr(self, name) for name in ("measure", "figure", "limit", "verdict", "of")}

    def _in_unit(self, number: str) -> str:
        return f"{number} {self.unit}".rstrip()


def rows(found: dict[str, Any]) -> list[Row]:
    return [*_starts(found["starts"]), *_edits(found["edits"], found["starts"]), *_sizes(found)]


def _starts(starts: dict[str, Any]) -> list[Row]:
    site, stock, bare, plain = (starts[name] for name in ("site", "stock", "bare", "plain"))

    def ratio(
        one: dict[str, float], other: dict[str, float], kind: str, at_most: float | None
    ) -> tuple[float, str, float | None, str]:
        return one[kind] / other[kind], "", at_most, f"{one[kind]:.0f} ms ÷ {other[kind]:.0f} ms"

    return [
        Row("cold first live result ÷ stock Pyodide with NumPy", *ratio(site, stock, "cold", 0.15)),
        Row("warm first live result ÷ stock, warm", *ratio(site, stock, "warm", 0.17)),
        Row("cold first live result ÷ bare instantiation of the same wasm", *ratio(site, bare, "cold", 1.4)),
        Row("cold first live result without the memory image ÷ stock", *ratio(plain, stock, "cold", None)),
        Row("main-thread tasks above 50 ms while starting", starts["long_tasks"], "", 0, "in all starts"),
    ]


def _edits(edits: dict[str, Any], starts: dict[str, Any]) -> list[Row]:
    limits = (
        ("scalar", "traced AdamW step", 8),
        ("200 points", "curve of 200 points", 8),
        ("100,000 points", "curve of 100,000 points", 60),
    )
    found = [
        Row(
            f"edit → result in the page, {what}, 95th percentile",
            edits[name]["p95"],
            "ms",
            at_most,
            f"median {edits[name]['median']:.1f} ms",
        )
        for name, what, at_most in limits
    ]
    drawn = [
        Row(f"edit → figure drawn, curve of {name}, median", edits[name]["figure"], "ms")
        for name in ("200 points", "100,000 points")
    ]
    cold = starts["site"]["cold"]
    stop = Row("Stop of an endless loop → next answer ÷ cold start", edits["stop"] / cold, "", 1.0,
               f"{edits['stop']:.0f} ms ÷ {cold:.0f} ms")  # fmt: skip
    return [*found, *drawn, stop]


def _sizes(found: dict[str, Any]) -> list[Row]:
    sent, page, empty = found["starts"]["bytes"], found["weight"]["page"], found["weight"]["empty"]
    build = found["build"]
    return [
        Row("over the wire for the first live result, Brotli", sent["brotli"] / MB, "MB", 7),
        Row("the same, gzip", sent["gzip"] / MB, "MB"),
        Row("the same, as GitHub Pages compresses", sent["pages"] / MB, "MB"),
        Row("the same, not compressed", sent["identity"] / MB, "MB"),
        *(
            Row(f"`adamw/` without the runtime ÷ an empty Material page, bytes, {kind}",
                page[kind] / empty[kind], "", 1.3, f"{page[kind]:,} ÷ {empty[kind]:,} bytes")
            for kind in ("gzip", "brotli")
        ),
        Row("requests of `adamw/`", page["requests"], "", of=f"an empty Material page: {empty['requests']}"),
        Row("largest contentful paint of `adamw/` ÷ an empty Material page", page["paint"] / empty["paint"],
            "", of=f"{page['paint']:.0f} ms ÷ {empty['paint']:.0f} ms"),
        Row("build of the site ÷ mkdocstrings alone on the same package", build["site"] / build["alone"], "",
            of=f"{build['site']:.1f} s ÷ {build['alone']:.1f} s of processor time"),
    ]  # fmt: skip


def markdown(found: list[Row], machine: str) -> str:
    lines = ["| " + " | ".join(row.shown().values()) + " |" for row in found]
    head = "| measure | measured | at most | reached | of |\n|---|---|---|---|---|\n"
    return f"# Results\n\nWritten by `make bench`: {machine}\n\n{head}" + "\n".join(lines) + "\n"
