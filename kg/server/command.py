"""The command `guigu serve`. Like `kg.cli`, it parses and calls."""

from typing import Final

import click

_EXAMPLES: Final = (
    "\b\nExamples:\n  guigu serve\n  guigu serve --port 0 --data cast.ttl\n  guigu serve --workers 4 --time-limit 30 --allow-service dbpedia.org\n"
)


@click.command(epilog=_EXAMPLES)
@click.option("--host", default="127.0.0.1", show_default=True, metavar="ADDRESS", help="Address to listen at; the default is seen from this machine only.")
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="Port; 0 takes a free one, named on stderr.")
@click.option("--data", "data", multiple=True, metavar="FILE", help="RDF to serve too, such as casts written by 'guigu cast --format ttl'.")
@click.option("--time-limit", type=click.FloatRange(0.1, 3600), default=10, show_default=True, metavar="SECONDS", help="Longest time of a query.")
@click.option("--workers", type=click.IntRange(1, 64), default=2, show_default=True, help="Processes that evaluate queries.")
@click.option("--open", "browse", is_flag=True, help="Open the reading room in a browser.")
@click.option("--allow-service", "services", multiple=True, metavar="HOST", help="Host that queries may ask by SERVICE; none by default.")
def serve(host: str, port: int, data: tuple[str, ...], time_limit: float, workers: int, browse: bool, services: tuple[str, ...]) -> None:
    """Serve the reading room on this machine: pages to read, cast, ask and compare, a SPARQL endpoint at /sparql, and each IRI as linked data."""
    from kg.server.serving import serve as run
    from kg.server.settings import Settings
    from kg.web import pages

    def listening(url: str) -> None:
        click.echo(f"guigu serves at {url}/ (Ctrl-C ends it)", err=True)
        if browse:
            click.launch(f"{url}/")

    allowed = frozenset(s.lower() for s in services)
    settings = Settings(host=host, port=port, data=data, seconds=time_limit, workers=workers, services=allowed)
    run(settings, pages=pages(), listening=listening)
