"""What a server is told when it is started: address, data and limits."""

import math
from dataclasses import dataclass, fields

from loader.errors import InputError

MIB = 2**20


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How to serve. The limits suit a machine of one person; every one of them ends in a clean refusal.

    Attributes:
        host: address to listen at; the default is seen from this machine only.
        port: 0 takes a free one.
        data: files of RDF served beside the doctrine, such as casts.
        services: hosts, `example.org` or `example.org:8080`, that a query may ask by SERVICE.
        workers: processes that evaluate queries.
        seconds: longest time of a query.
        memory: bytes that a query may take beside the store.
        query: bytes of a query.
        result: bytes of an answer.
        held: bytes of all answers that wait for their readers.
        waiting: queries that may wait for a worker.
        patience: seconds that a query waits for a worker.
        reading: seconds in which the body of a request must have come.
        sending: seconds in which an answer must have been taken.
        connections: connections at one time.

    Raises:
        InputError: a number out of range, or a host that cannot be one.

    >>> Settings(port=0).host
    '127.0.0.1'
    >>> Settings(workers=0)
    Traceback (most recent call last):
    loader.errors.InputError: workers: 0 is out of range.
    """

    host: str = "127.0.0.1"
    port: int = 8000
    data: tuple[str, ...] = ()
    services: frozenset[str] = frozenset()
    workers: int = 2
    seconds: float = 10
    memory: int = 512 * MIB
    query: int = 200_000
    result: int = 64 * MIB
    held: int = 256 * MIB
    waiting: int = 64
    patience: float = 5
    reading: float = 10
    sending: float = 60
    connections: int = 256

    def __post_init__(self) -> None:
        if not 0 <= self.port <= 65535:
            raise InputError(f"{self.port} is no port", where="port", todo="Give 0 to 65535; 0 takes a free one")
        for field in fields(self):
            value = getattr(self, field.name)
            least = 0 if field.name in ("port", "waiting") else 1 if isinstance(value, int) else 0.01
            if isinstance(value, int | float) and not least <= value < math.inf:
                raise InputError(f"{value} is out of range", where=field.name)
        for host in self.services:
            if not host or host != host.lower() or set(host) & set("/@?#<> "):
                raise InputError(f"{host!r} is no host", where="services", todo="Write it as in example.org or example.org:8080, in lower case")
