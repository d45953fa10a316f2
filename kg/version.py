"""The version of guigu: that of the distribution, which a release bears and a server tells."""

from importlib.metadata import PackageNotFoundError, version
from typing import Final


def _installed() -> str:
    try:
        return version("guigu")
    except PackageNotFoundError:  # a checkout that was never installed
        return "0"


VERSION: Final = _installed()
"""The version."""
