"""Edits text in writings without spaces and with signs that stand with letters, with other keyboards, and loses nothing typed.

    writings.py PAGE JAPANESE HINDI ENGLISH SCREENSHOTS

JAPANESE, HINDI and ENGLISH are the IDs of sessions; what they say stands below.
"""

import sys

from browser import Browser, Keys, eventually
from checks import Checks
from person import command, focused, rows

page, japanese, hindi, english, screenshots = sys.argv[1:]
FIELD = ".text-field"


def segments(browser, session):
    return browser.json(f"api/sessions/{session}/segments")["segments"]


def texts(browser, session):
    return [one["formatted"] for one in segments(browser, session) if one["text"]]


def show(browser, session):
    browser.open(f"{page}#/session/{session}")
    eventually(lambda: any(rows(browser)), "the text")


def correct(browser, row, word, text):
    """Opens a word of a row, and writes another one."""
    browser.click(f".part[data-row='{row}'] [data-word='{word}']")
    eventually(lambda: focused(browser) == "word-field", "the field")
    browser.press(text, Keys.ENTER)
    eventually(lambda: browser.shows("#word-undo"), "what can be done next")


def change(browser, session, row, first, text):
    """Another program changes a word."""
    one = segments(browser, session)[row]
    status = browser.run_async(
        "return (await fetch(given[0], {method: 'PUT', headers: {'Content-Type': 'application/json'},"
        "body: JSON.stringify(given[1])})).status;", f"api/sessions/{session}/segments/{one['key']}/words",
        {"first": first, "end": first + 1, "text": text, "revision": one["revision"]})
    assert status == 200, status


def key(browser, selector, **event):
    """Sends a key to an element, as a keyboard with another layout or an input method does. Returns whether the page took it."""
    return browser.run(
        "const event = new KeyboardEvent('keydown', {bubbles: true, cancelable: true, ...arguments[1]});"
        "return !document.querySelector(arguments[0]).dispatchEvent(event);", selector, event)


def spaceless(browser, check):
    with check("Control-Enter divides Japanese before the word, and nothing is lost"):
        show(browser, japanese)
        assert texts(browser, japanese) == ["今日は𠮷日。", "明日は雨。サーバー", "です。"], texts(browser, japanese)
        assert browser.text("#rows .text") == "今日は𠮷日。明日は雨。サーバーです。", browser.text("#rows .text")
        words = [one["words"] for one in segments(browser, japanese)]
        browser.run("document.querySelector(\".part[data-row='1'] [data-word='0']\").focus();")
        browser.click(".part[data-row='1'] [data-word='0']")
        eventually(lambda: focused(browser) == "word-field", "the field")
        browser.press(Keys.ESCAPE)
        command(browser, Keys.ENTER)
        eventually(lambda: len([one for one in segments(browser, japanese) if one["beginsParagraph"]]) == 2, "two paragraphs")
        assert texts(browser, japanese) == ["今日は𠮷日。", "明日は雨。サーバー", "です。"], texts(browser, japanese)
        assert [one["words"] for one in segments(browser, japanese)] == words


def signs(browser, check):
    with check("what is changed everywhere keeps the signs of its letters"):
        show(browser, hindi)
        correct(browser, 0, 1, "पानी")
        eventually(lambda: browser.shows("#word-everywhere"), "the offer")
        browser.click("#word-everywhere")
        eventually(lambda: all("पानी" in text for text in texts(browser, hindi)), "all three")
        assert "पानि" not in "".join(texts(browser, hindi)), texts(browser, hindi)
    with check("a word keeps its signs where it is compared, and gets no marks of its sentence"):
        found = browser.run_async("""
            const { bareWord, joinedText, withoutMarks } = await import("./page/segment-row.js");
            return [bareWord("पानी।"), bareWord("ที่"), withoutMarks("“C++”,"), withoutMarks("Winawer,"), withoutMarks("שָׁלוֹם."),
                joinedText(["サーバー", "です"]), joinedText(["one", "two"])];""")
        assert found == ["पानी", "ที่", "C++", "Winawer", "שָׁלוֹם", "サーバーです", "one two"], found


def undo(browser, check):
    with check("to undo a correction takes back no other one"):
        show(browser, english)
        correct(browser, 0, 0, "Bring")
        change(browser, english, 0, 3, "knight")
        eventually(lambda: "knight" in rows(browser)[0], "the other change")
        browser.click("#word-undo")
        eventually(lambda: browser.shows("#notices .error"), "the refusal")
        assert texts(browser, english)[0] == "Bring so the knight so with care", texts(browser, english)
        browser.press(Keys.ESCAPE)
    with check("what was typed stays when the next word is taken, too"):
        show(browser, english)
        browser.click(".part[data-row='1'] [data-word='3']")
        eventually(lambda: focused(browser) == "word-field", "the field")
        browser.press("rook")
        browser.click("#word-wider")
        assert browser.run("return document.querySelector('#word-field').value;") == "rook so"
        browser.press(Keys.ESCAPE)


def keyboards(browser, check):
    with check("the way back works with a keyboard of other letters"):
        show(browser, english)
        browser.run("document.querySelector(\".part[data-row='2'] [data-word='3']\").focus();")
        browser.click(".part[data-row='2'] [data-word='3']")
        eventually(lambda: focused(browser) == "word-field", "the field")
        browser.click("#word-edit")
        eventually(lambda: browser.shows(FIELD), "the editor")
        before = browser.run("return document.querySelector(arguments[0]).value;", FIELD)
        browser.press("x")
        assert browser.run("return document.querySelector(arguments[0]).value;", FIELD) != before
        assert key(browser, FIELD, key="я", code="KeyZ", ctrlKey=True)
        eventually(lambda: browser.run("return document.querySelector(arguments[0]).value;", FIELD) == before, "the text before")
    with check("the keys of an input method are not the page's"):
        assert not key(browser, FIELD, key="Escape", code="Escape", isComposing=True)
        assert browser.shows(FIELD)
        assert key(browser, FIELD, key="Escape", code="Escape")
        eventually(lambda: not browser.shows(FIELD), "the editor is closed")


def left(browser, check):
    with check("what only the browser has is kept until the server has it"):
        # The first attempt is refused, as by a full disk.
        refusing = browser.before_page("""
            window.given = window.fetch;
            window.fetch = (path, options) => path === 'api/uploads' && options?.method === 'POST'
                ? Promise.resolve(new Response(JSON.stringify({error: {code: 'disk_full', message: "The server's disk is full."}}),
                    {status: 507, headers: {'Content-Type': 'application/json'}})) : window.given(path, options);""")
        browser.run_async("""
            const { keptFiles } = await import("./page/kept-files.js");
            const { PieceSender } = await import("./page/piece-sender.js");
            const sender = new PieceSender("none", 16000, {});
            sender.isRunning = true;
            sender.add(new Int16Array(32000).buffer);
            await keptFiles.leave(sender.rest());""")
        kept = "const { keptFiles } = await import('./page/kept-files.js'); return (await keptFiles.all()).size;"
        for _ in range(2):
            browser.open(f"{page}#/")
            browser.run("location.reload();")
            eventually(lambda: "disk is full" in browser.text("#uploads .why"), "the refusal")
            assert browser.run_async(kept) == 1
        browser.not_before_page(refusing)
        browser.run("window.fetch = window.given;")
        browser.click("#uploads .stop")
        eventually(lambda: not browser.shows("#uploads .upload"), "it is in the library")
        assert browser.run_async(kept) == 0
        assert any("Rest of a recording" in str(one) for one in browser.json("api/sessions")["sessions"])


def vocabulary(browser, check):
    with check("a term that is added elsewhere is not removed by the table"):
        show(browser, english)
        browser.run("document.getElementById('scroller').focus();")
        browser.press("v")
        eventually(lambda: browser.shows("#vocabulary-dialog[open]"), "the dialog")
        browser.click("#vocabulary-rows tr:last-child [data-column=term]")
        browser.press("Caro-Kann")
        assert browser.run_async(
            "return (await fetch('api/vocabulary', {method: 'POST', headers: {'Content-Type': 'application/json'},"
            "body: JSON.stringify({text: 'Winawer', recognized: 'well, winner'})})).status;") == 200
        command(browser, Keys.ENTER)
        eventually(lambda: "changed elsewhere" in browser.text("#vocabulary-error"), "the refusal")
        command(browser, Keys.ENTER)
        eventually(lambda: not browser.shows("#vocabulary-dialog[open]"), "it is stored")
        stored = {one["term"]: one["replaces"] for one in browser.json("api/vocabularies/library")["rows"]}
        # What is replaced may have a comma.
        assert stored == {"Caro-Kann": [], "Winawer": ["well, winner"]}, stored


with Browser(screenshots) as browser:
    check = Checks(browser.picture)
    for part in [spaceless, signs, undo, keyboards, left, vocabulary]:
        part(browser, check)
    check.end()
