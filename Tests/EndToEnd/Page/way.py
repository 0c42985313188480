"""A person's way through the page, once by mouse and once by keys alone: three files, a name, ten corrections, two words for the
vocabulary, a search, captions.

    way.py PAGE FIRST SECOND THIRD FOURTH FIFTH SIXTH SCREENSHOTS

The first three recordings are for the mouse, the others for the keys.
"""

import base64
import functools
import pathlib
import sys

from browser import Browser, Keys, eventually
from checks import Checks
from person import accessible, drop, focused, rows, session

page, *recordings, screenshots = sys.argv[1:]
MAX_ACTIONS = 60
CORRECTIONS = 10


class Way:
    """Counts what the person does: a click, a key, a text that is typed."""

    def __init__(self, browser):
        self.browser = browser
        self.actions = 0

    def click(self, selector):
        self.browser.click(selector)
        self.actions += 1

    def press(self, *keys, shift=False):
        for key in keys:
            self.browser.press(key, shift=shift)
            self.actions += 1


def is_done(browser, names):
    listed = browser.texts("#sessions .session-name")
    return all(pathlib.Path(name).stem in listed for name in names) and not browser.texts("#sessions .state") \
        and not browser.texts("#uploads li")


def open_longest(browser, names):
    """The index of the newest session with these names that has the most text."""
    found = [one for one in browser.json("api/sessions")["sessions"] if one["source"] in names]
    return max(found, key=lambda one: one["duration"])["id"]


def corrected(browser):
    return [word["text"] for one in browser.json(f"api/sessions/{session(browser)}/segments")["segments"]
            for word in one["words"] if word.get("corrected")]


def check_result(browser, check, way, name, words):
    assert corrected(browser) == words, corrected(browser)
    terms = browser.json("api/vocabulary")["terms"]
    assert words[0] in terms and words[1] in terms, terms
    file = eventually(lambda: [one for one in browser.downloads.iterdir() if one.suffix == ".srt"], "the captions")[0]
    text = eventually(file.read_text, "what is in them")
    assert file.name == f"{name}.srt" and "-->" in text and words[0] in text, (file.name, text)
    file.unlink()
    assert way.actions < MAX_ACTIONS, f"{way.actions} actions"
    print(f"figure: {way.actions} actions for {name}")
    complaints = browser.complaints()
    assert not complaints, "\n".join(complaints)


def mouse(browser, check):
    with check("the way by mouse"):
        way = Way(browser)
        browser.open(page)
        eventually(lambda: browser.shows("#welcome-add"), "the empty page")
        names = [pathlib.Path(one).name for one in recordings[:3]]
        drop(browser, [(pathlib.Path(one).name, base64.b64encode(pathlib.Path(one).read_bytes()).decode())
                       for one in recordings[:3]])
        way.actions += 1
        eventually(lambda: browser.shows("#recognition-dialog[open]"), "how they are transcribed")
        way.click("#recognition-start")
        eventually(lambda: is_done(browser, names), "three transcripts")
        accessible(browser, "way-list")
        way.click(f"#sessions [data-session='{open_longest(browser, names)}']")
        eventually(lambda: rows(browser) and all(rows(browser)), "the text")
        way.click("#name")
        way.press("By mouse")
        way.press(Keys.ENTER)
        eventually(lambda: browser.text("#name") == "By mouse", "the name")
        words = [f"Mouse{'abcdefghij'[index]}" for index in range(CORRECTIONS)]
        places = [(one["id"], index) for one in browser.json(f"api/sessions/{session(browser)}/segments")["segments"]
                  for index in range(len(one["words"]))][:CORRECTIONS]
        for (row, index), word in zip(places, words):
            way.click(f".part[data-row='{row}'] [data-word='{index}']")
            eventually(lambda: focused(browser) == "word-field", "the field")
            way.press(word)
            way.click("#word-save")
            eventually(lambda: browser.shows("#word-next"), "it is stored")
            if word in words[:2]:
                way.click("#word-remember")
                eventually(lambda: browser.text("#word-remember") == "In the vocabulary", "it is remembered")
        accessible(browser, "way-corrected")
        way.click("#word-next")
        way.click("#query")
        way.press(words[0].lower())
        eventually(lambda: browser.texts("#hits mark") == [words[0]], "the hit")
        way.click("#hits a")
        eventually(lambda: browser.shows("li.current .found"), "the place")
        way.click("#export")
        browser.find("#export-format").send_keys("SubRip")
        way.actions += 1
        way.click("#export-save")
        check_result(browser, check, way, "By mouse", words)


def keys(browser, check):
    with check("the way by keys alone"):
        way = Way(browser)
        browser.open(page)
        eventually(lambda: browser.texts("#sessions .session-link"), "the list")
        names = [pathlib.Path(one).name for one in recordings[3:]]
        # `i` opens the system's dialog, which gives the page the files.
        browser.run("document.getElementById('files').click = () => { window.asked = true; };")
        way.press("i")
        assert browser.run("return window.asked;")
        browser.find("#files").send_keys("\n".join(recordings[3:]))
        way.actions += 1
        eventually(lambda: focused(browser) == "recognition-start", "how they are transcribed")
        way.press(Keys.ENTER)
        eventually(lambda: is_done(browser, names), "three transcripts")
        accessible(browser, "way-keys-list")
        wanted = open_longest(browser, names)
        way.press("/")
        on_session = "return document.activeElement.dataset.session;"
        while browser.run(on_session) != wanted:
            way.press(Keys.ARROW_DOWN if browser.run(on_session) else Keys.TAB)
            assert way.actions < MAX_ACTIONS, focused(browser)
        way.press(Keys.ENTER)
        eventually(lambda: session(browser) == wanted and rows(browser) and all(rows(browser)), "the text")
        way.press("t")
        eventually(lambda: focused(browser) == "name-field", "the field")
        way.press("By keys")
        way.press(Keys.ENTER)
        eventually(lambda: browser.text("#name") == "By keys", "the name")
        words = [f"Keys{'abcdefghij'[index]}" for index in range(CORRECTIONS)]
        way.press("j")
        way.press(Keys.ARROW_RIGHT)
        way.press("e")
        for index, word in enumerate(words):
            eventually(lambda: focused(browser) == "word-field", "the field")
            way.press(word)
            way.press(Keys.ENTER)
            eventually(lambda: focused(browser) == "word-next", "it is stored")
            if index < 2:
                way.press(Keys.ARROW_UP)
                assert focused(browser) == "word-remember", focused(browser)
                if index == 0:
                    accessible(browser, "way-keys-word")
                way.press(Keys.ENTER)
                eventually(lambda: browser.text("#word-remember") == "In the vocabulary", "it is remembered")
            way.press(Keys.ARROW_RIGHT if index + 1 < CORRECTIONS else Keys.ESCAPE)
        eventually(lambda: not browser.shows("#word-popup"), "the popup is closed")
        way.press("/")
        way.press(words[0].lower())
        eventually(lambda: browser.texts("#hits mark") == [words[0]], "the hit")
        way.press(Keys.ENTER)
        eventually(lambda: browser.shows("li.current .found"), "the place")
        # On a phone the search is behind the text.
        accessible(browser, "way-keys-found")
        way.press(Keys.ESCAPE)
        way.press("x")
        eventually(lambda: focused(browser) == "export-format", "the formats")
        accessible(browser, "way-keys-export")
        way.press(Keys.TAB)
        way.press(Keys.ENTER)
        check_result(browser, check, way, "By keys", words)


with Browser(screenshots) as browser:
    check = Checks(functools.partial(browser.picture))
    mouse(browser, check)
    keys(browser, check)
    check.end()
