"""Ten tasks of a person, and how many clicks and keys each takes. A page that needs more than is allowed fails.

    tasks.py PAGE SESSION SHORT MIDDLE LONG SCREENSHOTS

SESSION is a session with four paragraphs, two of which have the same text; SHORT, MIDDLE and LONG are recordings to add.
"""

import functools
import json
import pathlib
import sys

import docx
from selenium.webdriver.common.action_chains import ActionChains

from browser import Browser, Keys, eventually
from checks import Checks
from person import accessible, focused, rows, session

page, place, *recordings, screenshots = sys.argv[1:]

# The clicks and keys that each task may take. The key of a letter with Control is one, and so is a text that is written.
ALLOWED = {
    "add a recording": (1, 0),
    "add a recording in German with two speakers": (1, 3),
    "stop a transcription": (1, 0),
    "rename a session": (0, 2),
    "divide a paragraph": (1, 1),
    "join two paragraphs": (1, 1),
    "replace a word everywhere in a transcript": (1, 2),
    "correct ten words": (10, 11),
    "ten terms for the vocabulary, from a list": (0, 3),
    "export a Word document": (2, 0),
}
TERMS = [f"Term{letter}" for letter in "abcdefghij"]


class Person:
    """Does what a person does, with the mouse and the keyboard alone, and counts it."""

    def __init__(self, browser):
        self.browser = browser
        self.clicks = self.keys = 0

    def click(self, selector):
        self.browser.click(selector)
        self.clicks += 1

    def press(self, *keys, hold=()):
        """Presses keys, or writes texts, one after the other."""
        for key in keys:
            actions = ActionChains(self.browser.driver)
            for held in hold:
                actions.key_down(held)
            actions.send_keys(key)
            for held in reversed(hold):
                actions.key_up(held)
            actions.perform()
            self.keys += 1

    def drop(self, path):
        """Drags a file from another window to the page."""
        data = {"items": [], "files": [path], "dragOperationsMask": 1}
        for kind in ("dragEnter", "dragOver", "drop"):
            self.browser.driver.execute_cdp_cmd(
                "Input.dispatchDragEvent", {"type": kind, "x": 640, "y": 500, "data": data})
        self.clicks += 1


class Tasks:
    """Counts each task by itself."""

    def __init__(self, browser, check):
        self.browser, self.check = browser, check
        self.counted = {}

    def __call__(self, name, act):
        with self.check(name):
            person = Person(self.browser)
            act(self.browser, person)
            self.counted[name] = (person.clicks, person.keys)
            print(f"figure: {name}: {person.clicks} clicks, {person.keys} keys")
            clicks, keys = ALLOWED[name]
            assert person.clicks <= clicks, f"{person.clicks} clicks, {clicks} are allowed"
            assert person.keys <= keys, f"{person.keys} keys, {keys} are allowed"


def sessions(browser):
    return {one["source"]: one for one in browser.json("api/sessions")["sessions"]}


def segments(browser):
    return browser.json(f"api/sessions/{place}/segments")["segments"]


def paragraphs(browser):
    """The first words of the paragraphs, as row and index."""
    return [(one["id"], 0) for one in segments(browser) if one["words"] and (one["id"] == 0 or one["beginsParagraph"])]


def word(row, index):
    return f".part[data-row='{row}'] [data-word='{index}']"


def add_with_options(browser, person):
    person.drop(recordings[2])
    eventually(lambda: focused(browser) == "recognition-start", "the question")
    person.press("Ger")
    person.press("2")
    person.press(Keys.ENTER)
    name = pathlib.Path(recordings[2]).name
    added = eventually(lambda: sessions(browser).get(name), "it is added")
    eventually(lambda: session(browser) == added["id"], "it is shown")
    assert added["locale"].startswith("de"), added
    chosen = json.loads(browser.run("return localStorage.getItem('longhand.transcription');"))
    assert chosen["speakers"] == "2", chosen


def stop(browser, person):
    person.click("#stop-work")
    eventually(lambda: browser.text("#facts .state") == "stopped", "it is stopped")


def add_without_question(browser, check):
    with check("a person no longer wants to be asked"):
        person = Person(browser)
        person.drop(recordings[1])
        eventually(lambda: focused(browser) == "recognition-start", "the question")
        accessible(browser, "tasks-add")
        person.click("#recognition-ask")
        person.click("#recognition-start")
        eventually(lambda: pathlib.Path(recordings[1]).name in sessions(browser), "it is added")


def add(browser, person):
    person.drop(recordings[0])
    added = eventually(lambda: sessions(browser).get(pathlib.Path(recordings[0]).name), "it is added")
    assert added["locale"].startswith("de"), added
    assert not browser.shows("#recognition-dialog[open]")


def ask_again(browser, check):
    with check("one button of the message brings the question back"):
        browser.click("#notices .plain-button")
        Person(browser).drop(recordings[0])
        eventually(lambda: focused(browser) == "recognition-start", "the question")
        # A digit in a list that may have names with digits chooses there.
        while focused(browser) != "recognition-vocabulary":
            browser.press(Keys.TAB, shift=True)
        browser.press("2")
        assert focused(browser) == "recognition-vocabulary", focused(browser)
        browser.press(Keys.ESCAPE)
        eventually(lambda: not browser.shows("#recognition-dialog[open]"), "it is closed")


def show(browser, check):
    with check("the session with text is opened"):
        browser.click(f"#sessions [data-session='{place}']")
        eventually(lambda: session(browser) == place and rows(browser) and all(rows(browser)), "the text")
        eventually(lambda: focused(browser) == "scroller", "the transcript")
        assert len(paragraphs(browser)) == 4, paragraphs(browser)


def rename(browser, person):
    person.press("t")
    eventually(lambda: focused(browser) == "name-field", "the field")
    person.press("A letter")
    eventually(lambda: browser.json(f"api/sessions/{place}")["name"] == "A letter", "the name is stored")


def leave_name(browser, check):
    name = lambda: browser.json(f"api/sessions/{place}")["name"]  # noqa: E731

    with check("Esc takes a name back that was stored while it was typed"):
        browser.press(Keys.ENTER)
        eventually(lambda: browser.text("#name") == "A letter", "the name")
        browser.press("t")
        browser.press("Another")
        eventually(lambda: name() == "Another", "it is stored")
        browser.press(Keys.ESCAPE)
        eventually(lambda: name() == "A letter", "the name before")
        eventually(lambda: browser.text("#name") == "A letter", "it is shown")


def divide(browser, person):
    before = len(paragraphs(browser))
    row, _ = paragraphs(browser)[1]
    text = segments(browser)[row]["words"]
    person.click(word(row, 3))
    eventually(lambda: focused(browser) == "word-field", "the popup")
    person.press(Keys.ENTER, hold=[Keys.CONTROL])
    eventually(lambda: len(paragraphs(browser)) == before + 1, "the paragraphs")
    row, _ = paragraphs(browser)[2]
    assert segments(browser)[row]["words"][0]["text"].lower() == text[3]["text"].lower(), (text, segments(browser)[row])
    eventually(lambda: not browser.shows(".text-field"), "the edit has ended")


def join(browser, person):
    before = len(paragraphs(browser))
    row, _ = paragraphs(browser)[2]
    eventually(lambda: browser.shows(word(row, 0)), "the paragraph")
    person.click(word(row, 0))
    eventually(lambda: focused(browser) == "word-field", "the popup")
    person.press(Keys.BACKSPACE, hold=[Keys.CONTROL])
    eventually(lambda: len(paragraphs(browser)) == before - 1, "the paragraphs")
    eventually(lambda: not browser.shows(".text-field"), "the edit has ended")


def keys_alone(browser, check):
    with check("Ctrl Enter and Ctrl Backspace divide and join at the current word, and Ctrl Z takes each back"):
        before = len(paragraphs(browser))
        person = Person(browser)
        eventually(lambda: browser.run("return document.activeElement.closest('#rows') !== null;"), "the row has the focus")
        person.press("k", "j", Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
        person.press(Keys.ENTER, hold=[Keys.CONTROL])
        eventually(lambda: len(paragraphs(browser)) == before + 1, "it is divided")
        eventually(lambda: not browser.shows(".text-field"), "the edit has ended")
        person.press("j")
        person.press(Keys.BACKSPACE, hold=[Keys.CONTROL])
        eventually(lambda: len(paragraphs(browser)) == before, "it is joined")
        eventually(lambda: not browser.shows(".text-field"), "the edit has ended")
        person.press("z", hold=[Keys.CONTROL])
        eventually(lambda: len(paragraphs(browser)) == before + 1, "it is apart again")
        person.press("z", hold=[Keys.CONTROL])
        eventually(lambda: len(paragraphs(browser)) == before, "it is whole again")
    with check("the first paragraph cannot be joined, which is said"):
        person.press(Keys.HOME)
        person.click(word(0, 0))
        eventually(lambda: focused(browser) == "word-field", "the popup")
        person.press(Keys.BACKSPACE, hold=[Keys.CONTROL])
        eventually(lambda: browser.text(".text-state") == "No paragraph is before this one.", "it is said")
        person.press(Keys.ESCAPE)
        eventually(lambda: not browser.shows(".text-field"), "the edit has ended")
        assert len(paragraphs(browser)) == before


def replace(browser, person):
    listed = [(one["id"], index, found["text"].lower()) for one in segments(browser) for index, found in enumerate(one["words"])]
    texts = [text for _, _, text in listed]
    row, index, text = next(one for one in listed if one[2].isalpha() and texts.count(one[2]) == 2)
    person.click(word(row, index))
    eventually(lambda: focused(browser) == "word-field", "the popup")
    person.press("Replaced")
    person.press(Keys.ENTER, hold=[Keys.ALT])
    words = lambda: [one["text"].lower() for part in segments(browser) for one in part["words"]]  # noqa: E731
    eventually(lambda: words().count("replaced") == 2, "both places")
    assert text not in words(), (text, words())


def correct(browser, person):
    listed = [(one["id"], index) for one in segments(browser) for index in range(len(one["words"]))]
    places = listed[::3][:10]
    assert len(places) == 10, listed
    written = [f"Written{letter}" for letter in "abcdefghij"]
    for (row, index), text in zip(places, written):
        person.click(word(row, index))
        selected = "const f = document.activeElement; return f.id === 'word-field' && f.dataset.first === f.value;"
        eventually(lambda: browser.run(selected), "the field")
        person.press(text)
    person.press(Keys.ENTER)
    corrected = lambda: [one["text"] for part in segments(browser) for one in part["words"]]  # noqa: E731
    eventually(lambda: corrected()[:30:3] == written, "the words")


def find_focused(browser, check):
    with check("Shift F finds the focused word, and the new one can be written at once"):
        browser.press(Keys.ESCAPE)
        eventually(lambda: not browser.shows("#word-popup"), "no popup")
        word = browser.run("return document.activeElement.textContent;")
        assert word, "the word has no focus"
        browser.press("f", shift=True)
        eventually(lambda: focused(browser) == "replace-with", "the field")
        assert browser.run("return document.getElementById('replace-find').value;") in word
        browser.press(Keys.ESCAPE)
        eventually(lambda: not browser.shows("#replace-dialog[open]"), "it is closed")


def lengthen(browser, check):
    with check("two words for one do not lead to another word than the one that is clicked"):
        before = segments(browser)[0]["words"]
        browser.click(word(0, 1))
        eventually(lambda: focused(browser) == "word-field", "the field")
        browser.press("one two")
        browser.click(word(0, 3))
        eventually(lambda: browser.run("return document.activeElement.value;") == before[3]["text"], "the word that was clicked")
        assert [one["text"] for one in segments(browser)[0]["words"]][:3] == [before[0]["text"], "one", "two"]
        browser.press(Keys.ESCAPE)
        eventually(lambda: not browser.shows("#word-popup"), "no popup")


def vocabulary(browser, person):
    # As if it was copied in another program.
    browser.driver.execute_cdp_cmd(
        "Browser.grantPermissions", {"permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]})
    browser.run_async("await navigator.clipboard.writeText(given[0]);", "\n".join(TERMS))
    person.press("v")
    eventually(lambda: browser.shows("#vocabulary-dialog[open]"), "the dialog")
    person.press("v", hold=[Keys.CONTROL])
    eventually(lambda: "10 rows added" in browser.text("#vocabulary-state"), "the rows")
    person.press(Keys.ENTER, hold=[Keys.CONTROL])
    eventually(lambda: not browser.shows("#vocabulary-dialog[open]"), "it is stored")
    assert browser.json("api/vocabulary")["terms"] == TERMS, browser.json("api/vocabulary")


def export(browser, person):
    person.click("#export")
    person.click("#export-common [value=docx]")
    file = eventually(lambda: [one for one in browser.downloads.iterdir() if one.suffix == ".docx"], "the file")[0]
    eventually(lambda: file.stat().st_size and not browser.shows("#export-dialog[open]"), "what is in it")
    assert any("Writtenb" in one.text for one in docx.Document(file).paragraphs)


with Browser(screenshots) as browser:
    check = Checks(functools.partial(browser.picture))
    tasks = Tasks(browser, check)
    browser.open(page)
    eventually(lambda: browser.texts("#sessions .session-link"), "the list")
    tasks("add a recording in German with two speakers", add_with_options)
    tasks("stop a transcription", stop)
    add_without_question(browser, check)
    tasks("add a recording", add)
    ask_again(browser, check)
    show(browser, check)
    tasks("rename a session", rename)
    leave_name(browser, check)
    tasks("divide a paragraph", divide)
    tasks("join two paragraphs", join)
    keys_alone(browser, check)
    tasks("replace a word everywhere in a transcript", replace)
    tasks("correct ten words", correct)
    find_focused(browser, check)
    lengthen(browser, check)
    tasks("ten terms for the vocabulary, from a list", vocabulary)
    tasks("export a Word document", export)
    with check("all ten tasks were done, and the page has logged no error"):
        assert set(tasks.counted) == set(ALLOWED), tasks.counted
        complaints = browser.complaints()
        assert not complaints, "\n".join(complaints)
    check.end()
