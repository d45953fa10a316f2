"""What an IRI of ours leads to: the redirect rules for w3id.org, read and followed as Apache would follow them.

Only the part of mod_rewrite that the rules use is understood: RewriteCond on the Accept header, RewriteRule with R= and L.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from loader.errors import OntologyError

_RULE: Final = re.compile(r"^RewriteRule\s+(\S+)\s+(\S+)\s+\[R=(30[1-8]),L\]$")
_CONDITION: Final = re.compile(r"^RewriteCond\s+%\{HTTP_ACCEPT\}\s+(\S+)$")
_IGNORED: Final = ("Options ", "RewriteEngine ")


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule: where the path matches and the Accept header holds the pattern, redirect.

    Attributes:
        pattern: of the path below the base, without its first slash.
        target: with `$1`, `$2` for what the pattern caught.
        status: 302 for the same thing elsewhere, 303 for a document on the thing.
        accept: pattern of the Accept header, or None for any.
    """

    pattern: re.Pattern[str]
    target: str
    status: int
    accept: re.Pattern[str] | None


def rules(text: str, where: str = ".htaccess") -> tuple[Rule, ...]:
    """The rules of an .htaccess file.

    Raises:
        OntologyError: a line that is not understood, by number.
    """
    found: list[Rule] = []
    accept: re.Pattern[str] | None = None
    for number, line in enumerate(text.splitlines(), 1):
        line = line.strip()
        if not line or line.startswith(("#", *_IGNORED)):
            continue
        try:
            if condition := _CONDITION.match(line):
                accept = re.compile(condition[1])
            elif rule := _RULE.match(line):
                found.append(Rule(re.compile(rule[1]), rule[2], int(rule[3]), accept))
                accept = None
            else:
                raise OntologyError("a line that is no rule", where=f"{where}:{number}", todo="write RewriteCond on HTTP_ACCEPT, or RewriteRule")
        except re.error as error:
            raise OntologyError(f"no regular expression: {error}", where=f"{where}:{number}") from error
    return tuple(found)


def resolve(rules: Sequence[Rule], path: str, accept: str = "*/*") -> tuple[int, str] | None:
    """Status and target for a path below the base, or None where no rule matches.

    >>> found = rules("RewriteRule ^clause/(.+)$ https://x.example/page/$1 [R=303,L]")
    >>> resolve(found, "clause/yy-taichan-013")
    (303, 'https://x.example/page/yy-taichan-013')
    """
    for rule in rules:
        match = rule.pattern.search(path)
        if match and (rule.accept is None or rule.accept.search(accept)):
            return rule.status, match.expand(re.sub(r"\$(\d)", r"\\\1", rule.target))
    return None
