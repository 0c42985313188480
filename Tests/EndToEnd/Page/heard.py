"""A recording that was transcribed in a language that nobody speaks in it.

    heard.py PAGE SESSION SOUND SCREENSHOTS

SESSION is the ID of a recording of Spanish, transcribed in English; SOUND is a file of Spanish that the browser's microphone plays
again and again.
"""

import functools
import sys

from browser import Browser, eventually
from checks import Checks
from person import accessible

page, place, sound, screenshots = sys.argv[1:]
MICROPHONE = ["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream",
              f"--use-file-for-fake-audio-capture={sound}"]

with Browser(screenshots, arguments=MICROPHONE) as browser:
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
    with check("a recording is translated while it runs, and can be read without"):
        browser.click("#record")
        eventually(lambda: browser.shows("#record-dialog[open]"), "the dialog")
        browser.run("const s = document.getElementById('source'); s.value = 'browser'; s.dispatchEvent(new Event('change'));")
        browser.run("document.getElementById('record-translate').checked = true;")
        browser.click("#start")
        eventually(lambda: "friends" in browser.text("#rows .translation"), "the English text")
        assert browser.shows("#stop") and browser.shows("#translated"), "it records"
        # The microphone may begin with any word of the sentence, so with a capital.
        assert "playa" in browser.text("#rows").lower(), browser.text("#rows")
        browser.picture("translated-live")
        accessible(browser, "translated-live")
        browser.click("#translated")
        eventually(lambda: not browser.texts("#rows .translation"), "the transcript alone")
        browser.click("#translated")
    with check("the translation stays when it ends"):
        browser.click("#stop")
        eventually(lambda: not browser.shows("#stop"), "its end")
        browser.run("location.reload();")
        eventually(lambda: browser.shows("#translated"), "the translation")
        browser.click("#translated")
        eventually(lambda: "friends" in browser.text("#rows .translation"), "the English text")
    with check("the page has logged no error"):
        # The machine may have no sound devices.
        complaints = [text for text in browser.complaints() if "/api/sources" not in text]
        assert not complaints, "\n".join(complaints)
    check.end()
