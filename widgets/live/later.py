"""A module that is imported once something of it is asked for."""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType


class Later(ModuleType):
    """Stands for a module of its name: `sys.modules[name] = Later(name)`.

    Python's own `importlib.util.LazyLoader` cannot do this for a native module, which is there as soon as its
    import begins, nor try again after an import that failed.
    """

    def __getattr__(self, name: str) -> object:
        # These are asked of whatever stands in `sys.modules`; `__all__` only by `from ... import *`.
        if name.startswith("__") and name != "__all__":
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}", name=name, obj=self)
        self.become()
        return getattr(self, name)

    def become(self) -> None:
        """Import the module and be like it, for whoever holds this one already."""
        del sys.modules[self.__name__]
        try:
            module = import_module(self.__name__)
        except BaseException:
            sys.modules[self.__name__] = self
            raise
        self.__dict__.update(module.__dict__)
        self.__class__ = ModuleType  # type: ignore[assignment]
