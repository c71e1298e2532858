"""A figure as an image in the page: for print, and for readers whose browser runs no script.

Drawn from the same description that Plotly gets, with the colours of the page's palette as CSS variables.
"""

from __future__ import annotations

import io
import re
from collections.abc import Mapping
from typing import Any

import matplotlib as mpl
from markupsafe import Markup, escape
from matplotlib.figure import Figure

# Colours that stand for a role while Matplotlib draws; in the SVG each becomes a CSS variable.
ROLES = {
    "text": "#010101",
    "grid": "#020202",
    "series-1": "#030303",
    "series-2": "#040404",
    "series-3": "#050505",
}
STYLE: Any = {
    "svg.fonttype": "none",
    "svg.hashsalt": "optim_ref",
    "font.family": "sans-serif",
    "font.size": 9,
    "text.color": ROLES["text"],
    "axes.labelcolor": ROLES["text"],
    "axes.edgecolor": ROLES["text"],
    "xtick.color": ROLES["text"],
    "ytick.color": ROLES["text"],
    "grid.color": ROLES["grid"],
    "hatch.color": ROLES["text"],
    # Tick marks would be `use` elements, whose read-only `href` instant navigation tries to set.
    "xtick.major.size": 0,
    "ytick.major.size": 0,
}


def svg(figure: Mapping[str, Any], identifier: str) -> Markup:
    """Draw a figure of `live.figure`; ids inside begin with `identifier`, unique in the page."""
    layout, names = figure["layout"], panels(figure)
    with mpl.rc_context(STYLE):
        drawing = Figure(figsize=(6.4, 2.4 + 0.8 * len(names)), layout="constrained")
        every_axes = drawing.subplots(len(names), sharex=True, squeeze=False)[:, 0]
        for name, axes in zip(names, every_axes, strict=True):
            traces = [each for each in figure["data"] if each.get("yaxis", "y") == name.replace("axis", "")]
            _draw(axes, traces)
            axes.set_ylabel(layout[name]["title"]["text"])
            if "range" in layout[name]:
                axes.set(xlim=layout["xaxis"]["range"], ylim=layout[name]["range"])
            axes.grid(visible=True, axis="y", linewidth=0.5)
            axes.set_axisbelow(True)
        every_axes[-1].set_xlabel(layout["xaxis"]["title"]["text"])
        if layout["showlegend"]:
            every_axes[0].legend(frameon=False)
        buffer = io.StringIO()
        drawing.savefig(buffer, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    return Markup(_in_page(buffer.getvalue(), identifier, layout["meta"]["description"]))


def panels(figure: Mapping[str, Any]) -> list[str]:
    """The vertical axes of a figure, from the top down."""
    names = (name for name in figure["layout"] if name.startswith("yaxis"))
    return sorted(names, key=lambda name: (len(name), name))


def _draw(axes: Any, traces: list[dict[str, Any]]) -> None:
    width = 0.8 / len(traces)
    for place, trace in enumerate(traces):
        y = [float("nan") if value is None else value for value in trace["y"]]
        if trace["type"] == "bar":
            offset = (place - (len(traces) - 1) / 2) * width
            axes.bar(
                [at + offset for at in range(len(y))],
                y,
                width,
                label=trace["name"],
                color=ROLES[trace["marker"]["color"]],
                hatch=trace["marker"]["pattern"]["shape"] * 2,
            )
            axes.set_xticks(range(len(y)), trace["x"])
        else:
            axes.plot(trace["x"], y, label=trace["name"], color=ROLES[trace["line"]["color"]])


def _in_page(svg_file: str, identifier: str, description: str) -> str:
    """The `svg` element alone, with unique ids, the palette's colours and a description for the blind."""
    body = svg_file[svg_file.index("<svg") :]
    body = re.sub(r'\b(id="|url\(#)', rf"\g<1>{identifier}-", body)
    body = body.replace(' xmlns:xlink="http://www.w3.org/1999/xlink"', "")
    for role, colour in ROLES.items():
        body = body.replace(colour, f"var(--live-{role})")
    # Its style element would hold for the whole page, and its fonts are not the page's.
    body = re.sub(r"<style.*?</style>|<metadata>.*?</metadata>", "", body, flags=re.DOTALL)
    body = re.sub(r" font-family: [^;]*;", "", body)
    return body.replace("<svg ", f'<svg role="img" aria-label="{escape(description)}" ', 1)
