"""Goes through the turns whose speaker is unsure: says who spoke, by keys alone, and takes it back.

    voices.py PAGE SESSION SCREENSHOTS

SESSION is the ID of an `UnsureVoicesSession`.
"""

import sys

from browser import Browser, Keys, eventually
from checks import Checks
from person import accessible, command, focused, rows

page, place, screenshots = sys.argv[1:]
ANNA, BEN = "Speaker 1", "Speaker 2"


def said(browser):
    """Who says each segment, as the server knows it."""
    names = {one["id"]: one["name"] for one in browser.json(f"api/sessions/{place}/speakers")["speakers"]}
    return [names.get(one.get("speaker")) for one in browser.json(f"api/sessions/{place}/segments")["segments"]]


def listed(browser):
    return browser.run("return [...document.querySelectorAll('#speakers button')].map((b) => b.lastChild.textContent);")


def reviewed(browser):
    """The words that are marked."""
    return browser.run("return [...document.querySelectorAll('.word.reviewed')].map((word) => word.firstChild.textContent).join(' ');")


def asked(browser, words):
    """Waits until the page asks who said these words."""
    eventually(lambda: browser.shows("#speaker-popup") and reviewed(browser) == words, f"it asks who said: {words}")
    eventually(lambda: focused(browser) == "speaker-popup", "the keys are those of the question")


def chosen(browser, kind):
    browser.run("const f = document.getElementById('unsure-of'); f.value = arguments[0]; f.dispatchEvent(new Event('change'));", kind)


def start(browser):
    browser.press(Keys.ESCAPE)
    browser.run("document.getElementById('scroller').focus();")
    browser.press(Keys.HOME)


unsure = [ANNA, ANNA, ANNA, ANNA, ANNA, BEN, None]

with Browser(screenshots) as browser:
    check = Checks(browser.picture)
    with check("the header says how many words and voices are unsure"):
        browser.open(f"{page}#/session/{place}")
        eventually(lambda: rows(browser) and all(rows(browser)), "the rows")
        eventually(lambda: listed(browser) == [ANNA, BEN, "4 unsure voices"], "the speakers")
        assert browser.text("#unsure-count") == "1"
        assert browser.shows("#unsure-of")
        assert said(browser) == unsure
        accessible(browser, "unsure-voices")
    with check("the way asks who said the words, and leaving it changes nothing"):
        start(browser)
        browser.press("u")
        asked(browser, "Thank you for having me.")
        accessible(browser, "who-said-this")
        assert "Who said this?" in browser.text("#speaker-popup")
        note = browser.text("#speaker-popup .word-note")
        assert note == "The last unsure word. 4 unsure voices are left.", note
        browser.press("7")
        eventually(lambda: browser.texts(".word-refused"), "there is no speaker 7")
        browser.press(Keys.ARROW_RIGHT)
        asked(browser, "It is a pleasure.")
        browser.press(Keys.ARROW_LEFT)
        asked(browser, "Thank you for having me.")
        assert said(browser) == unsure
    with check("one key says who it was, and what only followed moves"):
        browser.press("2")
        eventually(lambda: browser.shows("#word-popup"), "the unsure word is next")
        assert said(browser) == [ANNA, BEN, BEN, BEN, ANNA, BEN, None]
        note = browser.text("#word-popup .word-note")
        assert note.startswith("Speaker 2 says it, and 2 turns after it. Ctrl+Z takes it back."), note
        assert not browser.shows("#speaker-popup")
        eventually(lambda: listed(browser) == [ANNA, BEN, "1 unsure voice"], "one is left")
    with check("an unknown speaker gets a new name"):
        browser.press(Keys.ARROW_RIGHT)
        asked(browser, "Who opened the window?")
        browser.press(Keys.ENTER)
        eventually(lambda: browser.texts(".word-refused"), "nothing is right yet")
        browser.press("n")
        eventually(lambda: focused(browser) == "new-speaker", "the field")
        browser.press("Carl", Keys.ENTER)
        eventually(lambda: said(browser)[6] == "Carl", "the new one")
        eventually(lambda: listed(browser) == [ANNA, BEN, "Carl"], "no voice is unsure")
        eventually(lambda: browser.shows("#word-popup"), "the word is left")
    with check("Ctrl+Z takes a name and all that moved back, one after the other, and makes it again"):
        after = [ANNA, BEN, BEN, BEN, ANNA, BEN]
        for key, shift, expected in [
            ("z", False, after + [None]), ("z", False, unsure), ("z", True, after + [None]), ("z", True, after + ["Carl"]),
            ("z", False, after + [None]), ("z", False, unsure),
        ]:
            start(browser)
            command(browser, key, shift=shift)
            eventually(lambda: said(browser) == expected, f"{expected}")
        eventually(lambda: listed(browser) == [ANNA, BEN, "4 unsure voices"], "all are unsure again")
    with check("the way goes through words only, or through voices only"):
        chosen(browser, "words")
        start(browser)
        browser.press("u")
        eventually(lambda: browser.shows("#word-popup") and reviewed(browser) == "pleasure.", "the word")
        assert browser.text("#word-popup .word-note") == "The last unsure word."
        start(browser)
        browser.click("#speakers [data-speaker=unsure]")
        # From the current row on.
        asked(browser, "It is a pleasure.")
        assert browser.text("#speaker-popup .word-note") == "4 unsure voices are left."
        for words in ["We have met before.", "Who opened the window?", "Thank you for having me."]:
            browser.press(Keys.ARROW_RIGHT)
            asked(browser, words)
    with check("Enter says that the voice is right, and moves nothing"):
        browser.press(Keys.ENTER)
        asked(browser, "It is a pleasure.")
        assert said(browser) == unsure
        eventually(lambda: listed(browser)[-1] == "3 unsure voices", "one less")
        start(browser)
    with check("the speaker of a row moves what only followed, says so, and offers to undo it"):
        before = said(browser)
        browser.click("li[data-row='2'] .said-by")
        eventually(lambda: browser.shows("#speaker-popup"), "the popup")
        assert "Who says this?" in browser.text("#speaker-popup")
        browser.press(Keys.ARROW_DOWN, Keys.ENTER)
        eventually(lambda: said(browser) == [ANNA, ANNA, BEN, BEN, ANNA, BEN, None], "the row and the next one")
        eventually(lambda: browser.text(".notice p") == "Speaker 2 says it, and 1 turn after it.", "the message")
        browser.click(".notice .plain-button")
        eventually(lambda: said(browser) == before, "both are as before")
    with check("the speaker of a row is that of its first words: other people's words and earlier answers stay"):
        path = f"api/sessions/{place}/segments/0"
        browser.run_async(
            "return (await fetch(given[0], {method: 'PUT', headers: {'Content-Type': 'application/json'}, body: given[1]})).status;",
            f"{path}/speaker", '{"speaker": "Zed", "revision": 0, "first": 3, "end": 4}')
        spoken = lambda: [word.get("speaker") for word in browser.json(path)["words"]]
        earlier = spoken()
        assert len(set(earlier[:3])) == 1 and earlier[3] not in earlier[:3], earlier
        browser.driver.refresh()
        eventually(lambda: browser.texts("li[data-row='0'] .turn"), "the name in the row")
        browser.click("li[data-row='0'] .said-by")
        eventually(lambda: browser.shows("#speaker-popup"), "the popup")
        browser.press(Keys.ARROW_DOWN, Keys.ENTER)
        eventually(lambda: spoken()[0] != earlier[0], "the first words")
        assert spoken()[3] == earlier[3], spoken()
        assert len(set(spoken()[:3])) == 1, spoken()
        eventually(lambda: browser.text(".notice p") == "Speaker 2 says it.", "the message")
        browser.click(".notice .plain-button")
        eventually(lambda: spoken() == earlier, "it is as before")
    with check("the page has logged no error"):
        complaints = browser.complaints()
        assert not complaints, "\n".join(complaints)
    check.end()
