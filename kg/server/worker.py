"""The processes that evaluate queries: a nursery that holds the data, and the workers that it forks.

The nursery loads the data once and then only forks, so a worker is there in milliseconds, all of them share one copy of the data, and a
query that is stopped costs no more than its process. It stands apart from the server: `python -m kg.server.worker` with a socket as stdin.

The server sends one line of JSON, the data, and then commands: `F` with a socket (fork a worker that answers there) and `K pid` (kill it).
The nursery says in lines of JSON what happens: `ready`, `born`, `dead`. When the server closes the socket, all end. With a worker the
server speaks in frames: a letter, a length, so many bytes. `q` is a query, `d` a piece of the answer, `e` its end, whatever that was.
"""

import gc
import io
import json
import os
import resource
import selectors
import signal
import socket
import struct
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final, NoReturn, cast

import pyoxigraph as ox

FRAME: Final = struct.Struct(">cI")
"""Head of a frame: its letter and its length."""
PIECE: Final = 2**16
"""Bytes of a piece of an answer, at most."""
_PAGE: Final = resource.getpagesize()
_GROWN: Final = 32 * 2**20
"""Bytes by which a worker may grow before another takes its place: what a query took is given back."""
_NICE: Final = 5
"""Workers give way to the server, so that it answers while queries run."""
_MERGED: Final = ox.NamedNode("urn:guigu:merged")


class _TooLarge(Exception):  # noqa: N818 - it never leaves this process
    """The answer is larger than an answer may be."""


class _Pieces(io.RawIOBase):
    """A file that sends what is written to it as pieces of an answer, up to a limit."""

    def __init__(self, send: Callable[[bytes], object], limit: int) -> None:
        self._send, self._left = send, limit

    def writable(self) -> bool:
        """It is only written to."""
        return True

    def write(self, data: Any) -> int:
        """Send bytes.

        Raises:
            _TooLarge: they are more than is left of the limit.
        """
        view = memoryview(data).cast("B")
        self._left -= len(view)
        if self._left < 0:
            raise _TooLarge
        for start in range(0, len(view), PIECE):
            piece = view[start : start + PIECE]
            self._send(FRAME.pack(b"d", len(piece)) + piece)
        return len(view)


def answered(store: ox.Store, job: dict[str, Any], told: dict[str, Any], send: Callable[[bytes], object]) -> dict[str, Any]:
    """Evaluate a query and send the answer in pieces.

    Args:
        store: the data.
        job: `query`, `base`, `default` and `named` (lists of IRIs, or None where the request names no dataset), `solutions` and
            `graph`: the form in which each kind of answer is wanted, or None where none is acceptable, and perhaps `beside`: N-Triples that
            are added to the default graph of this process, which should then answer nothing else.
        told: `prefixes` and `result`, bytes of an answer.
        send: takes frames.

    Returns:
        The end of the answer: `kind` (`solutions`, `boolean` or `graph`), or `fault` (`syntax`, `form`, `size`, `memory`, `remote`, `failed`) and `text`.
    """
    try:
        if job.get("beside"):
            store.extend(ox.parse(job["beside"], format=ox.RdfFormat.N_TRIPLES))
        found = store.query(job["query"], base_iri=job["base"], prefixes=told["prefixes"], **_dataset(store, job))
        kind = "graph" if isinstance(found, ox.QueryTriples) else "boolean" if isinstance(found, ox.QueryBoolean) else "solutions"
        form = job["graph" if kind == "graph" else "solutions"]
        if form is None:
            return {"fault": "form", "text": kind}
        with io.BufferedWriter(_Pieces(send, told["result"]), PIECE) as out:
            if isinstance(found, ox.QueryTriples):
                found.serialize(cast("io.BytesIO", out), getattr(ox.RdfFormat, form))
            else:
                found.serialize(cast("io.BytesIO", out), getattr(ox.QueryResultsFormat, form))
    except SyntaxError as error:
        return {"fault": "syntax", "text": str(error)}
    except _TooLarge:
        return {"fault": "size", "text": ""}
    except (MemoryError, OverflowError):
        return {"fault": "memory", "text": ""}
    except OSError as error:  # all is in memory, so it is the endpoint of a SERVICE
        return {"fault": "remote", "text": str(error)}
    except (ValueError, RuntimeError) as error:
        return {"fault": "failed", "text": str(error)}
    return {"kind": kind}


def _dataset(store: ox.Store, job: dict[str, Any]) -> dict[str, Any]:
    """The dataset that the request names; an empty one where it names only graphs of the other kind."""
    if job["default"] is None and job["named"] is None:
        return {}
    default = [ox.NamedNode(iri) for iri in dict.fromkeys(job["default"] or ())]
    named = [ox.NamedNode(iri) for iri in job["named"] or ()]
    if len(default) > 1:
        # The default graph is the merge of these; Oxigraph would count a triple once for each graph that has it.
        for graph in default:
            store.extend(ox.Quad(q.subject, q.predicate, q.object, _MERGED) for q in store.quads_for_pattern(None, None, None, graph))
        default = [_MERGED]
    return {"default_graph": default, "named_graphs": named}


def _received(conversation: socket.socket, length: int) -> bytes:
    """Exactly so many bytes; nothing where the other side has closed."""
    data = bytearray()
    while len(data) < length:
        piece = conversation.recv(min(2**20, length - len(data)))
        if not piece:
            return b""
        data += piece
    return bytes(data)


class _Memory:
    """What memory this process has; it holds its file open, for later none can be opened."""

    def __init__(self) -> None:
        try:
            self._file = os.open("/proc/self/statm", os.O_RDONLY)
        except OSError:  # a system without /proc: workers are then not watched, and are limited by the system alone
            self._file = -1
        self._before = self.now()[1]

    def now(self) -> tuple[int, int]:
        """Bytes of address space and of memory; zeros where the system does not say."""
        if self._file < 0:
            return 0, 0
        pages = os.pread(self._file, 200, 0).split()
        return int(pages[0]) * _PAGE, int(pages[1]) * _PAGE

    def grown(self, bound: int) -> bool:
        """Whether it has grown by more than so many bytes."""
        return self.now()[1] > self._before + bound


def _limit(what: int, value: int) -> None:
    with suppress(OSError, ValueError):
        resource.setrlimit(what, (value, value))


def _work(store: ox.Store, told: dict[str, Any], conversation: socket.socket) -> None:
    """Answer queries until the server closes, or until this process has grown."""
    os.nice(_NICE)
    memory = _Memory()
    _limit(resource.RLIMIT_CORE, 0)
    if space := memory.now()[0]:
        _limit(resource.RLIMIT_AS, space + told["memory"])
    if not told["network"]:
        # No file and no connection can be opened any more, whatever a query says.
        _limit(resource.RLIMIT_NOFILE, 0)
    with suppress(ConnectionError):
        while head := _received(conversation, FRAME.size):
            job = json.loads(_received(conversation, FRAME.unpack(head)[1]))
            # Should the server be gone, the system ends this process; else the server has done so before.
            signal.setitimer(signal.ITIMER_REAL, told["seconds"] + 1)
            end = answered(store, job, told, conversation.sendall)
            signal.setitimer(signal.ITIMER_REAL, 0)
            grown = bool(job["beside"]) or len(job["default"] or ()) > 1 or memory.grown(min(_GROWN, told["memory"] // 2))
            text = json.dumps(end | {"last": grown}).encode()
            conversation.sendall(FRAME.pack(b"e", len(text)) + text)
            if grown:
                return


class _Nursery:
    """Forks, kills and buries workers as the server says."""

    def __init__(self, control: socket.socket, store: ox.Store, told: dict[str, Any]) -> None:
        self._control, self._store, self._told = control, store, told
        self._living: set[int] = set()
        self._sockets: list[int] = []
        self._wake, wakened = os.pipe()
        for end in (self._wake, wakened):
            os.set_blocking(end, False)
        signal.set_wakeup_fd(wakened, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda _signal, _frame: None)

    def run(self) -> None:
        """Do as the server says until it closes."""
        text = b""
        with selectors.DefaultSelector() as selector:
            selector.register(self._control, selectors.EVENT_READ)
            selector.register(self._wake, selectors.EVENT_READ)
            while True:
                ready = {key.fd for key, _ in selector.select()}
                if self._wake in ready:
                    os.read(self._wake, 4096)
                    self._bury()
                if self._control.fileno() in ready:
                    data, sockets, _, _ = socket.recv_fds(self._control, 4096, 16)
                    if not data:
                        return
                    self._sockets += sockets
                    *commands, text = (text + data).split(b"\n")
                    for command in commands:
                        self._obey(command)

    def end(self) -> None:
        """Kill what is left."""
        for pid in self._living:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)

    def _obey(self, command: bytes) -> None:
        if command == b"F":
            self._fork(socket.socket(fileno=self._sockets.pop(0)))
        elif command.startswith(b"K "):
            pid = int(command[2:])
            if pid in self._living:  # not yet buried, so the number is still its own
                os.kill(pid, signal.SIGKILL)

    def _fork(self, conversation: socket.socket) -> None:
        pid = os.fork()
        if pid == 0:
            self._child(conversation)
        conversation.close()
        self._living.add(pid)
        self._say(born=pid)

    def _child(self, conversation: socket.socket) -> NoReturn:
        status = 1
        try:
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            conversation.setblocking(True)
            self._control.close()
            for other in self._sockets:  # they belong to workers yet to come, whose end must show when they end
                os.close(other)
            _work(self._store, self._told, conversation)
            status = 0
        finally:
            os._exit(status)  # nothing of the nursery may run in its child

    def _bury(self) -> None:
        with suppress(ChildProcessError):
            while True:
                pid, status = os.waitpid(-1, os.WNOHANG)
                if pid == 0:
                    return
                self._living.discard(pid)
                self._say(dead=pid, signal=os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0)

    def _say(self, **said: int) -> None:
        self._control.sendall(json.dumps(said).encode() + b"\n")


def loaded(graphs: list[tuple[str | None, bytes]]) -> tuple[ox.Store, dict[str, int]]:
    """A store of graphs in N-Triples (None is the default graph), and the triples of each (`` is the default graph).

    >>> loaded([(None, b"<a:s> <a:p> <a:o> ."), ("a:g", b"")])[1]
    {'': 1, 'a:g': 0}
    """
    store = ox.Store()
    counts = {}
    for name, data in graphs:
        before = len(store)
        graph = ox.NamedNode(name) if name else ox.DefaultGraph()
        if name:
            store.add_graph(ox.NamedNode(name))
        store.bulk_load(data, format=ox.RdfFormat.N_TRIPLES, to_graph=graph)
        counts[name or ""] = len(store) - before
    return store, counts


def main() -> None:
    """Be the nursery of the server at the other end of stdin."""
    control = socket.socket(fileno=os.dup(0))
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)  # no worker may hold the socket: the server must see when the nursery ends
    head = b""
    while not head.endswith(b"\n"):
        byte = control.recv(1)
        if not byte:
            return
        head += byte
    told = json.loads(head)
    store, counts = loaded([(name, _received(control, size)) for name, size in told["graphs"]])
    gc.collect()
    gc.freeze()  # the collector would write to what all workers share
    nursery = _Nursery(control, store, told)
    try:
        control.sendall(json.dumps({"ready": counts}).encode() + b"\n")
        with suppress(ConnectionError):
            nursery.run()
    finally:
        nursery.end()


if __name__ == "__main__":
    main()
