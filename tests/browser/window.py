"""A window of a headless Chromium, and what is asked of it: where it went, what it said, and how a page looks and reads."""

import base64
import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn
from urllib.parse import urlsplit

import pytest
from selenium.common.exceptions import StaleElementReferenceException, WebDriverException
from selenium.webdriver import Chrome
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.wait import WebDriverWait

from tools.bundle import PACKAGES, ROOT, there

PHONE, DESK = 390, 1280
"""Widths at which pages are looked at."""
_PATIENCE = 10  # seconds that a page may take on a busy machine
_ARGUMENTS = (
    "--headless=new",
    "--no-sandbox",  # CI runs as root
    "--disable-dev-shm-usage",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--disable-features=BackForwardCache,IsolateOrigins,MediaRouter,OptimizationHints,PaintHolding,Translate,site-per-process",
    "--renderer-process-limit=1",
    "--force-color-profile=srgb",
)
_TALLEST = 6_000  # pixels of a picture: a chapter is ten times that
_AUDIT = """
const done = arguments[arguments.length - 1];
axe.run({resultTypes: ["violations"]}).then(
  (found) => done(found.violations.filter((v) => ["serious", "critical"].includes(v.impact))
    .map((v) => `${v.id} (${v.impact}): ${v.nodes.length} × ${v.nodes.slice(0, 3).map((n) => n.html.slice(0, 160)).join(" | ")}`)),
  (error) => done([`axe failed: ${error}`]));
"""
_FOCUS = """
const e = document.activeElement;
if (!e || e === document.body) return null;
const s = getComputedStyle(e);
const r = e.getBoundingClientRect();
return {name: e.localName, id: e.id, text: (e.textContent || e.value || "").trim().slice(0, 60), href: e.getAttribute("href"), type: e.type || "",
  ring: s.outlineStyle !== "none" && parseFloat(s.outlineWidth) >= 1, seen: r.width > 0 && r.right > 0 && r.bottom > 0};
"""


def absent(what: str) -> NoReturn:
    """Skip what needs something that is not installed; where CI is set it must be."""
    if os.environ.get("CI"):
        pytest.fail(f"{what} is not installed")
    pytest.skip(f"{what} is not installed")


class Window:
    """A window on the reading room.

    Attributes:
        driver: Selenium's driver of it.
        url: where the room is.
    """

    def __init__(self, driver: Chrome, url: str) -> None:
        self.driver, self.url = driver, url

    def go(self, path: str) -> None:
        """Open a page of the room."""
        self.driver.get(self.url + path)

    @property
    def path(self) -> str:
        """Path and query of the page that is shown."""
        parts = urlsplit(self.driver.current_url)
        return parts.path + (f"?{parts.query}" if parts.query else "")

    @property
    def text(self) -> str:
        """What `main` shows, as it is seen."""
        return self.one("main").text

    def every(self, css: str) -> list[WebElement]:
        """All elements."""
        return self.driver.find_elements(By.CSS_SELECTOR, css)

    def one(self, css: str, holds: str = "") -> WebElement:
        """The first element that is shown and holds a text, as soon as there is one."""

        def found(_driver: Chrome) -> WebElement | None:
            return next((e for e in self.every(css) if e.is_displayed() and holds in e.text), None)

        result = WebDriverWait(self.driver, _PATIENCE, 0.05, (StaleElementReferenceException,)).until(found, f"no {css} with {holds!r} at {self.path}")
        assert isinstance(result, WebElement)
        return result

    def click(self, css: str, holds: str = "") -> None:
        """Click an element as a person does: where it is seen."""
        element = self.one(css, holds)
        self.driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", element)
        ActionChains(self.driver).move_to_element(element).click().perform()

    def follow(self, css: str, holds: str = "") -> None:
        """Click what leads to another page, and wait until it is there."""
        before = self.one("html")
        self.click(css, holds)
        WebDriverWait(self.driver, _PATIENCE, 0.05).until(lambda _d: _gone(before) and self.driver.execute_script("return document.readyState") == "complete")

    def write(self, css: str, text: str) -> None:
        """Write into a field, in place of what is there."""
        field = self.one(css)
        field.clear()
        field.send_keys(text)

    def press(self, *keys: str) -> None:
        """Press keys, one after the other, where the focus is."""
        ActionChains(self.driver).send_keys(*keys).perform()

    def control(self, key: str) -> None:
        """Press a key while Ctrl is held."""
        ActionChains(self.driver).key_down(Keys.CONTROL).send_keys(key).key_up(Keys.CONTROL).perform()

    def focus(self) -> dict[str, Any] | None:
        """What has the focus, and whether that is seen."""
        found: dict[str, Any] | None = self.driver.execute_script(_FOCUS)
        return found

    def tab_to(self, wanted: str, most: int = 80) -> dict[str, Any]:
        """Press Tab until an element with this text or id has the focus; every stop on the way must show it."""
        seen = []
        for _ in range(most):
            self.press(Keys.TAB)
            at = self.focus()
            if at is None:
                continue
            # A field of date and time marks the part of it that has the focus by itself.
            assert at["ring"] or at["type"] == "datetime-local", f"the focus is not seen on {at} of {self.path}"
            assert at["seen"], f"what has the focus is not seen: {at} of {self.path}"
            seen.append(at["text"] or at["id"])
            if wanted in (at["text"], at["id"]):
                return at
        raise AssertionError(f"Tab does not reach {wanted!r} on {self.path}, but {seen}")

    def wide(self, width: int, height: int = 900) -> None:
        """Be a phone, or a screen, of a width."""
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)

    def overflow(self) -> int:
        """Pixels by which the page is wider than its window."""
        found: int = self.driver.execute_script("return document.documentElement.scrollWidth - document.documentElement.clientWidth")
        return found

    def audit(self) -> list[str]:
        """Findings of axe-core that are serious or critical."""
        package = PACKAGES["audit"]
        if not there(package):
            absent(f"axe-core ('python tools/bundle.py audit' fetches it; npm is needed), so nothing is audited; {package.folder}")
        self.driver.execute_script((ROOT / package.folder / "axe.min.js").read_text("utf-8"))
        found: list[str] = self.driver.execute_async_script(_AUDIT)
        return found

    def picture(self, path: Path) -> None:
        """A picture of the whole page, cut where it is very long."""
        size = self.driver.execute_script("return [innerWidth, document.documentElement.scrollHeight]")
        clip = {"x": 0, "y": 0, "width": size[0], "height": min(size[1], _TALLEST), "scale": 1}
        taken = self.driver.execute_cdp_cmd("Page.captureScreenshot", {"captureBeyondViewport": True, "clip": clip})
        path.write_bytes(base64.b64decode(taken["data"]))

    @contextmanager
    def without_scripts(self) -> Iterator[None]:
        """Run no scripts of pages meanwhile."""
        self.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
        try:
            yield
        finally:
            self.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})

    def complaints(self) -> list[str]:
        """What the console said since it was asked last: errors, and what the policy of the page stopped."""
        return [entry["message"] for entry in self.driver.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")]

    def elsewhere(self) -> list[str]:
        """Requests since it was asked last that went anywhere but to the room."""
        messages = (json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance"))
        asked = (m["params"]["request"]["url"] for m in messages if m["method"] == "Network.requestWillBeSent")
        # An icon of the browser itself is a data URL: it goes nowhere.
        return [url for url in asked if not url.startswith((self.url + "/", "data:image/", "about:"))]


def _gone(element: WebElement) -> bool:
    try:
        element.is_enabled()
    except WebDriverException:  # stale, or of a page that is just being left
        return True
    return False


@contextmanager
def opened(url: str, language: str = "en") -> Iterator[Window]:
    """A window, closed at the end."""
    binary, service = shutil.which("chromium"), shutil.which("chromedriver")
    if binary is None or service is None:
        absent("Chromium (Debian: chromium, chromium-driver)")
    options = Options()
    options.binary_location = binary
    for argument in _ARGUMENTS:
        options.add_argument(argument)
    options.add_experimental_option("prefs", {"intl.accept_languages": language})
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = Chrome(options=options, service=Service(service))
    try:
        driver.set_page_load_timeout(60)
        driver.set_script_timeout(60)
        window = Window(driver, url)
        window.wide(DESK)
        yield window
    finally:
        driver.quit()
