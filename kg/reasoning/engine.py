"""The protocol of the engines, and where each is found by name."""

from collections.abc import Callable, Iterable
from typing import Final, Protocol

from kg.reasoning.owlrl_engine import OwlrlClosure
from kg.reasoning.reasonable_engine import ReasonableClosure
from loader.errors import EngineError, quoted
from loader.iris import Triple


class Closure(Protocol):
    """A growing graph and its closure."""

    def add(self, triples: Iterable[Triple]) -> None:
        """Add asserted triples; subjects and objects are IRIs or `_:labels`."""

    def close(self) -> set[Triple]:
        """All triples that follow, those between IRIs at least."""


Engine = Callable[[], Closure]
"""Makes an empty closure."""

ENGINES: Final[dict[str, Engine]] = {"reasonable": ReasonableClosure, "owlrl": OwlrlClosure}


def engine(name: str) -> Engine:
    """The engine of that name.

    Raises:
        EngineError: there is none.
    """
    if name not in ENGINES:
        raise EngineError(f"no engine is named {quoted(name)}", todo=f"there are: {', '.join(ENGINES)}")
    return ENGINES[name]
