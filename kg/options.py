"""Options that several commands share."""

from collections.abc import Callable
from typing import Any


def with_options(*options: Callable[..., Any]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """A decorator that gives a command some options, in the order in which its help shows them."""

    def add(command: Callable[..., None]) -> Callable[..., None]:
        for option in reversed(options):
            command = option(command)
        return command

    return add
