"""Comparison as graph: symbols, aspects and persons as nodes, and on every edge the clause that ties them.

The ties come from two questions of the library, so the graph of a remote endpoint is compared by the same code as our own.
"""

import io
import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import networkx as nx

from kg.question import question
from kg.store import Store
from loader import iris
from loader.errors import InputError
from loader.iris import ns, symbol
from loader.ontology import ontology

WORKS: Final = (symbol("work", "yiyin"), symbol("work", "qimen-miji"))
"""The two works compared, in this order."""
_NO_AFFAIR: Final = frozenset(symbol("aspect", key) for key in ("source", "method", "overall"))
"""Aspects that name no affair: a chain through them would link everything with everything."""
_COMMON: Final = 120
"""A symbol that more clauses mention does not make their conditions alike."""


@dataclass(frozen=True, slots=True)
class Link:
    """One step of a chain: two nodes and the clauses that tie them."""

    start: str
    end: str
    relation: str
    clauses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Likeness:
    """How the neighbourhoods of a node in the two works compare.

    Attributes:
        common: neighbour to the ids of the clauses that tie it, of both works.
        only: work to the neighbours that it alone has, with the ids of its clauses.
        jaccard: neighbours in common by all neighbours, 0 where there is none.
    """

    common: dict[str, tuple[str, ...]]
    only: dict[str, dict[str, tuple[str, ...]]]
    jaccard: float


@dataclass(frozen=True, slots=True)
class Community:
    """Clauses that share conditions more with each other than with the rest.

    Attributes:
        clauses: their ids.
        symbols: what most of them mention, with how many do, most first.
    """

    clauses: tuple[str, ...]
    symbols: tuple[tuple[str, int], ...]


def _rows(store: Store, name: str) -> Iterable[dict[str, str]]:
    found = question(name).rows(store)
    for row in found.rows:
        yield {c: t.value for c, t in zip(found.columns, row, strict=True) if t is not None}


def _add(graph: "nx.MultiGraph[str]", iri: str, kind: str) -> None:
    if iri not in graph:
        o = ontology()
        graph.add_node(iri, kind=kind, zh=o.label(iri), ko=o.label(iri, "ko"), en=o.label(iri, "en"))


def ties(store: Store) -> "nx.MultiGraph[str]":
    """Symbols and aspects, tied by the clauses that read the one for the other.

    Nodes are IRIs with `kind` (`symbol` or `aspect`: the graph is bipartite) and labels; edges have the clause as key, and `work`,
    `omen`, `relation`.
    """
    graph: nx.MultiGraph[str] = nx.MultiGraph()
    for row in _rows(store, "ties-of-symbols"):
        _add(graph, row["symbol"], "symbol")
        _add(graph, row["aspect"], "aspect")
        clause = iris.key(row["clause"])
        omen = iris.key(row["omen"]) if "omen" in row else ""
        graph.add_edge(row["symbol"], row["aspect"], key=clause, work=row["work"], omen=omen, relation="about")
    return graph


def chains(store: Store, *, kin: bool = False) -> "nx.Graph[str]":
    """The ties of symbols and aspects, and those of persons, as one plain graph in which chains are sought.

    With `kin` it holds only the steps by which relatives are reckoned from each other.

    Between two nodes there is one edge, with all clauses that tie them. A step through a node that everything touches costs a little
    more, so that of two chains of one length the more telling is found.
    """
    found: dict[tuple[str, str, str], list[str]] = defaultdict(list)
    graph: nx.Graph[str] = nx.Graph()
    rows = [(r["from"], iris.key(r["relation"]), r["to"], r["clause"]) for r in _rows(store, "ties-of-persons")]
    if kin:
        rows = [row for row in rows if row[1] in ("reckonedFrom", "countedFrom")]
    else:
        rows += [(r["symbol"], "about", r["aspect"], r["clause"]) for r in _rows(store, "ties-of-symbols") if r["aspect"] not in _NO_AFFAIR]
    for start, relation, end, clause in rows:
        if start != end:
            found[start, relation, end].append(iris.key(clause))
    for (start, relation, end), clauses in found.items():
        if not graph.has_edge(start, end):
            graph.add_edge(start, end, relation=relation, clauses=tuple(dict.fromkeys(clauses)))
    for start, end, data in graph.edges(data=True):
        data["weight"] = 1 + (graph.degree(start) + graph.degree(end)) / 10_000
    return graph


def chain(graph: "nx.Graph[str]", starts: Iterable[str], ends: Iterable[str]) -> tuple[Link, ...]:
    """The shortest chain between any of two sets of nodes, empty where none links them.

    Raises:
        InputError: a side stands in no tie at all.
    """
    sides = []
    for nodes in (starts, ends):
        nodes = list(nodes)
        there = [n for n in nodes if n in graph]
        if not there:
            raise InputError(f"no clause ties {', '.join(ontology().label(n) for n in nodes)} to anything", where="--chain")
        sides.append(there)
    paths = [nx.shortest_path(graph, a, b, weight="weight") for a in sides[0] for b in sides[1] if nx.has_path(graph, a, b)]
    best = min(paths, key=lambda path: nx.path_weight(graph, path, "weight"), default=[])
    return tuple(Link(a, b, graph.edges[a, b]["relation"], graph.edges[a, b]["clauses"]) for a, b in pairwise(best))


def neighbours(graph: "nx.MultiGraph[str]", nodes: Iterable[str], work: str) -> dict[str, tuple[str, ...]]:
    """The neighbours of some nodes in one work, each with the ids of the clauses that tie it."""
    found: dict[str, dict[str, None]] = defaultdict(dict)
    for node in nodes:
        if node in graph:
            for _, other, clause, data in graph.edges(node, keys=True, data=True):
                if data["work"] == work:
                    found[other].setdefault(clause)
    return {other: tuple(clauses) for other, clauses in sorted(found.items())}


def likeness(graph: "nx.MultiGraph[str]", nodes: Mapping[str, Iterable[str]]) -> Likeness:
    """How the neighbourhoods of a thing compare, given the nodes that it is in each work."""
    first, second = (neighbours(graph, nodes[work], work) for work in WORKS)
    common = {n: (*first[n], *second[n]) for n in first if n in second}
    only = {WORKS[0]: {n: c for n, c in first.items() if n not in second}, WORKS[1]: {n: c for n, c in second.items() if n not in first}}
    every = len(first.keys() | second.keys())
    return Likeness(common, only, len(common) / every if every else 0.0)


def communities(graph: "nx.MultiGraph[str]", at_least: int = 3) -> tuple[Community, ...]:
    """Communities of clauses that share what their conditions mention (Louvain, with a fixed seed), the largest first.

    A symbol counts the more, the fewer clauses mention it; the most common ones do not count.
    """
    mentions: dict[str, set[str]] = defaultdict(set)
    by_clause: dict[str, set[str]] = defaultdict(set)
    for node, other, clause in graph.edges(keys=True):
        thing = node if graph.nodes[node]["kind"] == "symbol" else other
        mentions[thing].add(clause)
        by_clause[clause].add(thing)
    shared: nx.Graph[str] = nx.Graph()
    shared.add_nodes_from(sorted(by_clause))
    for _, clauses in sorted(mentions.items()):
        if 1 < len(clauses) <= _COMMON:
            weight = math.log(len(by_clause) / len(clauses))
            members = sorted(clauses)
            for i, a in enumerate(members):
                for b in members[i + 1 :]:
                    before = shared.get_edge_data(a, b, {"weight": 0.0})["weight"]
                    shared.add_edge(a, b, weight=before + weight)
    found = []
    for group in nx.community.louvain_communities(shared, seed=1):
        if len(group) >= at_least:
            counts = Counter(thing for clause in group for thing in by_clause[clause])
            top = tuple(sorted(((t, n) for t, n in counts.items() if n > 1), key=lambda x: (-x[1], x[0]))[:6])
            found.append(Community(tuple(sorted(group)), top))
    return tuple(sorted(found, key=lambda c: (-len(c.clauses), c.clauses)))


def around(graph: "nx.MultiGraph[str]", nodes: Iterable[str]) -> "nx.MultiGraph[str]":
    """The part of the graph that touches some nodes."""
    there = [n for n in nodes if n in graph]
    part: nx.MultiGraph[str] = nx.MultiGraph()
    for u, v, clause, data in graph.edges(there, keys=True, data=True):
        part.add_node(u, **graph.nodes[u])
        part.add_node(v, **graph.nodes[v])
        part.add_edge(u, v, key=clause, **data)
    return part


def graphml(graph: "nx.MultiGraph[str]") -> str:
    """The graph as GraphML, which Gephi, yEd, Cytoscape and igraph read; nodes are named by IRI."""
    out = io.BytesIO()
    nx.write_graphml_xml(graph, out, encoding="utf-8")
    return out.getvalue().decode("utf-8")


def name_of(iri: str) -> str:
    """A node as people read it: `官鬼 officer-ghost`."""
    o = ontology()
    zh, en = o.label(iri), o.label(iri, "en")
    return zh if zh == en else f"{zh} {en}"


def relation_name(relation: str) -> str:
    """The English name of a relation of `Link`."""
    return ontology().label(ns(relation), "en")
