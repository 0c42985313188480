"""What a person sees and does on the page, for the tests of it."""

import itertools
import os

from selenium.webdriver.common.action_chains import ActionChains

from browser import Keys, eventually

# Whether all checks are made in full.
is_soak = os.environ.get("LONGHAND_TESTS") == "soak"

# Colour schemes and window sizes in which the page is checked: outside `make soak`, in turn.
SIZES = [("dark", 390, 780), ("light", 1400, 800)]
turns = itertools.cycle(SIZES)

BARE = """[...document.querySelectorAll('#rows > li')].map(
  (row) => document.querySelector(`#rows .part[data-row='${row.dataset.row}']`)?.textContent ?? '')"""


def rows(browser):
    """The texts of the segments whose rows are in the document."""
    return browser.run(f"return {BARE};")


def session(browser):
    """The ID of the open session."""
    return browser.run("return location.hash.split('/')[2]?.split('?')[0];")


def focused(browser):
    """The ID of the focused element."""
    return browser.run("return document.activeElement.id;")


def command(browser, key, shift=False):
    """Presses a key with Control."""
    actions = ActionChains(browser.driver).key_down(Keys.CONTROL)
    if shift:
        actions.key_down(Keys.SHIFT)
    actions.send_keys(key)
    if shift:
        actions.key_up(Keys.SHIFT)
    actions.key_up(Keys.CONTROL).perform()


def accessible(browser, name, smallest=None):
    """Checks the accessibility in both colour schemes, wide and on a phone, and that the page fits into the SMALLEST width.

    Without `make soak` one scheme and width is seen, the other one the next time, and no pictures are taken.
    """
    before = browser.run("return [innerWidth, innerHeight];")
    if smallest:
        browser.size(smallest, 640)
        # The timeline follows the size of the page in a later frame.
        eventually(lambda: not browser.is_too_wide(), f"the page fits into a window of {smallest} pixels", 10)
    sizes = [next(turns)]
    if is_soak:
        sizes = SIZES + [("dark", 1400, 800), ("light", 390, 780), ("light", 320, 640)]
    for scheme, width, height in sizes:
        browser.size(width, height)
        browser.colours(scheme)
        browser.frames()
        if is_soak:
            browser.picture(f"{name}-{scheme}-{width}")
        found = browser.violations()
        assert not found, f"{scheme}, {width}: " + "\n".join(found)
        assert not browser.is_too_wide(), f"at {width} the page is wider than the window"
    browser.colours("light")
    browser.size(*before)


def confirm(browser):
    """Adds the chosen files as the dialog proposes."""
    eventually(lambda: browser.shows("#recognition-dialog[open]"), "how they are transcribed")
    browser.click("#recognition-start")
    eventually(lambda: not browser.shows("#recognition-dialog[open]"), "they are added")


def drop(browser, files):
    """Drops files on the page: names and contents."""
    browser.run(
        """
        const transfer = new DataTransfer();
        for (const [name, bytes] of arguments[0]) {
          transfer.items.add(new File([Uint8Array.from(atob(bytes), (c) => c.charCodeAt(0))], name));
        }
        for (const kind of ['dragenter', 'dragover']) {
          document.body.dispatchEvent(new DragEvent(kind, {dataTransfer: transfer, bubbles: true, cancelable: true}));
        }
        window.dropShown = !document.getElementById('drop').hidden;
        document.body.dispatchEvent(new DragEvent('drop', {dataTransfer: transfer, bubbles: true, cancelable: true}));
        """, files)
    return browser.run("return window.dropShown;")
