"""The commands on releases: `export`, `verify`, `diff`. Like `kg.cli`, it parses and calls."""

import sys
from pathlib import Path
from typing import Final

import click

_KNOWN: Final = {".ttl": "ttl", ".nt": "nt", ".jsonld": "jsonld", ".json": "jsonld", ".txt": "iris"}
_EXAMPLES: Final = """
\b
Examples:
  guigu export release/
  guigu export doctrine.ttl
  guigu export - --nanopub yy-taichan-013
  guigu export release/ --data cast.ttl
"""


def _progress(text: str) -> None:
    click.echo(text, err=True)


@click.command(epilog=_EXAMPLES)
@click.argument("output", default="-")
@click.option(
    "--format",
    "form",
    type=click.Choice(["release", "ttl", "nt", "jsonld", "iris"]),
    help="By default from the name: a release into a folder, else by its ending.",
)
@click.option("--nanopub", metavar="CLAUSE", help="One clause as a nanopublication (TriG).")
@click.option(
    "--data",
    "data",
    multiple=True,
    metavar="FILE",
    help="Casts or a census to release too, as 'guigu cast --format ttl' and 'guigu census' write them, with their provenance.",
)
def export(output: str, form: str | None, nanopub: str | None, data: tuple[str, ...]) -> None:
    """Write a release of the doctrine into the folder OUTPUT, or the doctrine as one file; '-' is stdout.

    A release holds every graph in several forms, the questions, pages, descriptions (VoID, DCAT, PROV) and a manifest. It is written
    whole or not at all.
    """
    from kg.files import write
    from loader.errors import InputError

    if nanopub:
        from kg.nanopub import nanopub as published

        write(published(nanopub), output)
        return
    form = form or ("ttl" if output == "-" else _KNOWN.get(Path(output).suffix, "release"))
    if form == "release":
        from kg import release
        from kg.version import VERSION

        if output == "-":
            raise InputError("a release is a folder", where="OUTPUT", todo="name one")
        release.write(Path(output), release.with_casts(data), _progress)
        click.echo(f"release {VERSION} written to {output}", err=True)
        return
    if data:
        raise InputError("casts are released in a folder", where="--data", todo="name a folder as OUTPUT")
    if form == "iris":
        from kg.identifiers import listing

        write(listing(), output)
        return
    from kg.graph import doctrine_graph, serialize

    write(serialize(doctrine_graph(), form), output)


@click.command(epilog="\b\nExample:\n  guigu verify release/\n")
@click.argument("folder", metavar="DIR", type=click.Path(exists=True, file_okay=False, path_type=Path))
def verify(folder: Path) -> None:
    """Check that the release in DIR is what its manifest says, and what the sources of this version give; exit 1 if not."""
    from kg.verify import verify as check

    report = check(folder, progress=_progress)
    for line in (*report.notes, *report.faults) if report.faults else (*report.notes, "the release is what its sources give"):
        click.echo(line)
    sys.exit(0 if report.passed else 1)


@click.command(epilog="\b\nExamples:\n  guigu diff old/ new/\n  guigu diff old/ new/ --format ttl\n")
@click.argument("old", metavar="OLD", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.argument("new", metavar="NEW", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--format", "form", type=click.Choice(["text", "ttl"]), default="text", show_default=True, help="As text, or as RDF (changeset).")
@click.option("--output", "-o", default="-", metavar="FILE", help="Where to write; '-' is stdout.")
def diff(old: Path, new: Path, form: str, output: str) -> None:
    """List terms, symbols, passages and clauses added, removed and changed between two releases; exit 1 if there are any."""
    from kg.dataset import triple
    from kg.difference import differences, statements, text
    from kg.files import write
    from kg.release import read, turtle

    (before, a), (after, b) = read(old), read(new)
    changes = differences(a, b)
    if form == "text":
        write(text(changes), output)
    else:
        versions = (str(before.get("version")), str(after.get("version")))
        write(turtle(triple(*s) for s in statements(changes, *versions)).decode(), output)
    sys.exit(1 if changes else 0)
