"""A recording that was transcribed in a language that nobody speaks in it.

    heard.py PAGE SESSION SCREENSHOTS

SESSION is the ID of a recording of Spanish, transcribed in English.
"""

import functools
import sys

from browser import Browser, eventually
from checks import Checks
from person import accessible

page, place, screenshots = sys.argv[1:]

with Browser(screenshots) as browser:
    check = Checks(functools.partial(browser.picture))
    browser.open(page)
    browser.run("location.hash = `#/session/${arguments[0]}`;", place)
    with check("the page says what the speech sounds like"):
        eventually(lambda: browser.shows("#heard"), "the language")
        assert browser.text("#heard-text") == "This sounds like Spanish: 0:00 to 0:02.", browser.text("#heard-text")
        assert "playa" not in browser.text("#rows"), browser.text("#rows")
        accessible(browser, "heard")
    with check("it offers that language"):
        assert browser.text("#heard-again") == "Transcribe again in Spanish", browser.text("#heard-again")
        browser.click("#heard-again")
        eventually(lambda: browser.shows("#recognition-dialog"), "the dialog")
        chosen = browser.run("return document.querySelector('#recognition-dialog select').selectedOptions[0].textContent;")
        assert chosen.startswith("Spanish"), chosen
        browser.click("#recognition-start")
    with check("the text is in it afterwards, and the page says no more of it"):
        eventually(lambda: "playa" in browser.text("#rows"), "the Spanish text")
        eventually(lambda: not browser.shows("#heard"), "the note")
    with check("it is translated beside the transcript"):
        eventually(lambda: "playa" in browser.text("#rows"), "the Spanish text")
        text = browser.text("#rows")
        browser.click("#more")
        browser.click("#translate")
        eventually(lambda: browser.shows("#translated"), "the translation")
        assert browser.text("#rows") == text, browser.text("#rows")
        browser.click("#translated")
        eventually(lambda: "friends" in browser.text("#rows .translation"), "the English text")
        assert "playa" in browser.text("#rows"), browser.text("#rows")
        accessible(browser, "translation")
        browser.click("#translated")
        eventually(lambda: browser.text("#rows") == text, "the transcript alone")
    with check("the page has logged no error"):
        assert not browser.complaints(), "\n".join(browser.complaints())
    check.end()
