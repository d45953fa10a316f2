"""The graph of doctrine and casts: reason, explain, store, publish.

For Python and notebooks a few names of `kg.desk` stand here: `kg.cast`, `kg.hour`, `kg.ask`, `kg.sparql`, `kg.books`. They are loaded when
they are first used, so that importing a module of the package costs nothing more.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kg.desk import ask, books, cast, hour, sparql

__all__ = ["ask", "books", "cast", "hour", "sparql"]


def __getattr__(name: str) -> Any:
    if name in __all__:
        from kg import desk

        return getattr(desk, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
