"""Runs as `sitecustomize`, before all else, in a Python whose memory is taken: what is not to get into it.

Pyodide sets up an event loop when it is imported, and with asyncio come sockets, TLS, subprocesses and
logging: a tenth of a memory, and no example waits for an event. NumPy imports half a megabyte of native code
for whoever may want to solve equations. `live.image.complete` makes up for both.
"""

import sys

from live.later import LEFT_OUT, Later


def no_event_loop() -> None:
    """Get from JavaScript what Pyodide counts on to be held when its memory is taken."""
    from pyodide_js._api import scheduleCallback  # type: ignore[import-not-found]  # noqa: PLC0415

    vars(event_loop)["scheduleCallback"] = scheduleCallback


left_out = {name: Later(name) for name in LEFT_OUT}
event_loop = left_out["pyodide.webloop"]
vars(event_loop)["_initialize_event_loop"] = no_event_loop
# A package, whose parts may be asked for first.
left_out["asyncio"].__path__ = []
sys.modules.update(left_out)
