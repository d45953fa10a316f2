"""The documentation of a release as pages of HTML: they work from a plain folder, and a server can render the same pages.

`site` gives every file of the folder. A server takes the page that is asked for from `plans`, and hands to `render` its own `Links`.
`address` says which page and anchor an IRI has.
"""

from kg.pages.address import ENDINGS, Address, FolderLinks, Links, address
from kg.pages.chapter import chapter_page, cited
from kg.pages.folder import places, plans, site
from kg.pages.page import Page, Plans
from kg.pages.question import question_page
from kg.pages.rendering import render
from kg.pages.survey import Download, Facts, conventions_page, criticism_page, front_page
from kg.pages.symbol import concept_page, scheme_page
from kg.pages.table import table_page
from kg.pages.term import name_page
from loader.saying import LANGUAGES

__all__ = [
    "ENDINGS",
    "LANGUAGES",
    "Address",
    "Download",
    "Facts",
    "FolderLinks",
    "Links",
    "Page",
    "Plans",
    "address",
    "chapter_page",
    "cited",
    "concept_page",
    "conventions_page",
    "criticism_page",
    "front_page",
    "name_page",
    "places",
    "plans",
    "question_page",
    "render",
    "scheme_page",
    "site",
    "table_page",
]
