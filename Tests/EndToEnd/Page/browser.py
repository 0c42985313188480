"""A headless Chromium for the tests, and questions about the page in it."""

import contextlib
import os
import pathlib
import tempfile
import time

# The driver's manager must not use the network.
os.environ["SE_OFFLINE"] = "true"
os.environ["SE_AVOID_STATS"] = "true"

from axe_core_python.base import AXE_SCRIPT  # noqa: E402
from selenium import webdriver  # noqa: E402
from selenium.common.exceptions import StaleElementReferenceException  # noqa: E402
from selenium.webdriver.common.action_chains import ActionChains  # noqa: E402
from selenium.webdriver.common.by import By  # noqa: E402
from selenium.webdriver.common.actions.wheel_input import ScrollOrigin  # noqa: E402
from selenium.webdriver.common.keys import Keys  # noqa: E402

DEADLINE = int(os.environ.get("LONGHAND_PATIENCE", "300"))

__all__ = ["Browser", "Keys", "eventually"]


def eventually(condition, what, deadline=DEADLINE):
    """Waits until a condition is true, and returns its value."""
    start = time.monotonic()
    while True:
        value = condition()
        if value:
            return value
        waited = time.monotonic() - start
        assert waited < deadline, f"timeout: {what}"
        # Each question costs the browser time. What takes seconds is asked for less often.
        time.sleep(min(0.05 + waited / 20, 0.25))


class Browser:
    """A headless browser."""

    def __init__(self, screenshots, width=1280, height=800, arguments=()):
        self.screenshots = pathlib.Path(screenshots)
        self.screenshots.mkdir(parents=True, exist_ok=True)
        self.profile = tempfile.TemporaryDirectory(prefix="longhand-browser-")
        self.downloads = pathlib.Path(self.profile.name) / "downloads"
        self.downloads.mkdir()
        options = webdriver.ChromeOptions()
        options.binary_location = "/usr/bin/chromium"
        for argument in [
            "--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--no-first-run",
            "--autoplay-policy=no-user-gesture-required", "--disable-background-networking",
            "--disable-component-update", "--disable-sync", "--disable-default-apps",
            "--enable-precise-memory-info", "--js-flags=--expose-gc",
            f"--user-data-dir={self.profile.name}/profile", f"--window-size={width},{height}", *arguments,
        ]:
            options.add_argument(argument)
        if os.environ.get("LONGHAND_TESTS") != "soak":
            # The dot of a recording breathes: without a graphics card that is the whole window, painted 60 times in a second.
            options.add_argument("--force-prefers-reduced-motion")
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        service = webdriver.ChromeService("/usr/bin/chromedriver")
        self.driver = webdriver.Chrome(options=options, service=service)
        self.driver.execute_cdp_cmd(
            "Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(self.downloads)})
        self.size(width, height)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.driver.quit()
        with contextlib.suppress(OSError):
            self.profile.cleanup()

    def before_page(self, script):
        """Runs a script in every page before the page's own scripts. Returns a handle for `not_before_page`."""
        return self.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": script})["identifier"]

    def not_before_page(self, handle):
        """Undoes `before_page`."""
        self.driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", {"identifier": handle})

    def open(self, address):
        self.driver.get(address)

    def run(self, script, *arguments):
        """Runs the body of a function in the page and returns its result."""
        return self.driver.execute_script(script, *arguments)

    def run_async(self, script, *arguments):
        """Runs the body of an asynchronous function in the page and returns its result."""
        self.driver.set_script_timeout(DEADLINE)
        result = self.driver.execute_async_script(
            "const done = arguments[arguments.length - 1]; (async (...given) => {" + script
            + "})(...arguments).then((value) => done({value}), (error) => done({error: String(error)}));",
            *arguments)
        assert "error" not in result, result.get("error")
        return result.get("value")

    def frames(self):
        """Waits until the page has been painted."""
        self.run_async("await new Promise((r) => requestAnimationFrame(() => requestAnimationFrame(r)));")

    def json(self, path):
        """The JSON that the server sends to the page for a path."""
        # A relative path: only there does the browser send the page's cookie.
        return self.run_async("return await (await fetch(given[0])).json();", path.lstrip("/"))

    def find(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def click(self, selector):
        """Clicks on an element. The page may draw it again after it was found; then nothing was clicked."""
        def is_clicked():
            try:
                self.find(selector).click()
                return True
            except StaleElementReferenceException:
                return False

        eventually(is_clicked, f"a click on {selector}")

    def text(self, selector):
        """The text of the first matching element; empty if there is none."""
        return self.run("return document.querySelector(arguments[0])?.textContent ?? '';", selector)

    def texts(self, selector):
        return self.run("return [...document.querySelectorAll(arguments[0])].map((e) => e.textContent);", selector)

    def shows(self, selector):
        """Whether there is a matching element that is not hidden."""
        return self.run(
            "const e = document.querySelector(arguments[0]); return !!e && e.checkVisibility();", selector)

    def press(self, *keys, shift=False):
        """Presses keys, in the focused element."""
        actions = ActionChains(self.driver)
        if shift:
            actions.key_down(Keys.SHIFT)
        for key in keys:
            actions.send_keys(key)
        if shift:
            actions.key_up(Keys.SHIFT)
        actions.perform()

    def wheel(self, selector, distance):
        """Turns the mouse wheel over an element."""
        origin = ScrollOrigin.from_element(self.find(selector))
        ActionChains(self.driver).scroll_from_origin(origin, 0, distance).perform()

    def size(self, width, height):
        """Sets the exact size of the page. A window cannot be as narrow as a phone."""
        self.driver.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})

    def colours(self, scheme):
        """Sets the preferred colour scheme, `light` or `dark`."""
        self.driver.execute_cdp_cmd(
            "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})

    def note_positions(self):
        """Notes from now on where in the audio the page sets it or starts it, in seconds.

        An event about it comes later, when the sound may have gone on.
        """
        self.run("""
            const a = document.getElementById('audio');
            const { get, set } = Object.getOwnPropertyDescriptor(HTMLMediaElement.prototype, 'currentTime');
            window.positions = [];
            Object.defineProperty(a, 'currentTime', {
              configurable: true,
              get() { return get.call(a); },
              set(time) { window.positions.push(time); set.call(a, time); },
            });
            a.play = () => {
              if (a.paused) window.positions.push(a.currentTime);
              return HTMLMediaElement.prototype.play.call(a);
            };""")

    def positions(self):
        return self.run("return window.positions;")

    def picture(self, name):
        self.driver.save_screenshot(str(self.screenshots / f"{name}.png"))

    def complaints(self):
        """The errors that the page has logged since the last call."""
        return [entry["message"] for entry in self.driver.get_log("browser") if entry["level"] == "SEVERE"]

    def violations(self):
        """The accessibility violations that axe-core finds; behind an open dialog, nothing can be used or need be read."""
        if not self.run("return 'axe' in window;"):
            self.run(AXE_SCRIPT)
        found = self.run_async(
            "const whole = document.querySelector('dialog[open]') ?? document;"
            "return (await axe.run(whole, {resultTypes: ['violations']})).violations;")
        return [
            f"{one['id']}: {one['help']}: " + "; ".join(
                f"{node['target']} {node.get('failureSummary', '')}" for node in one["nodes"][:3])
            for one in found
        ]

    def is_too_wide(self):
        """Whether the page must be scrolled sideways."""
        return self.run("return document.scrollingElement.scrollWidth > innerWidth;")
