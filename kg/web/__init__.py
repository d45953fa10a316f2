"""The reading room: pages of HTML for people, put into the server of `kg.server`.

`frame` is what all pages share. `reading` has the home page, the chapters and the pages of IRIs (`clause`, `span`, `record`), `search` and
`comparing` what their names say, `casting` the form of a cast and its answer, `asking` the questions, `editor` the one for SPARQL.
"""

from kg.server.pages import Pages


def pages() -> Pages:
    """All pages of the reading room."""
    from kg.web import asking, casting, comparing, editor, frame, reading, search

    parts = (reading, search, comparing, casting, asking, editor, frame)
    return Pages(
        routes=[route for part in parts for route in part.routes()],
        thing=reading.thing,
        editor=editor.page,
        fault=reading.fault,
        warm=warm,
    )


def warm() -> None:
    """Make what many pages share: the names of things, where each is spoken of, the folded texts, the templates."""
    from kg.web import clause, editor, frame, reading, search

    for make in (reading.warm, clause.mentioned, search.warm, editor.terms, frame.environment):
        make()
