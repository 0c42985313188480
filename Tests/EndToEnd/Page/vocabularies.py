"""Edits vocabularies as people have them: pasted lists, files, keys; asks before something is lost; adds corrected words.

    vocabularies.py PAGE LONGHAND FIRST SECOND SCREENSHOTS

PAGE is the page's address with the token, LONGHAND the executable, which uses the same library as the server; FIRST and SECOND are
the IDs of sessions with the text "take so the pawn so with care" in each of 12 rows.
"""

import functools
import pathlib
import subprocess
import sys
import tempfile

from browser import Browser, Keys, eventually
from checks import Checks
from person import accessible, command, focused, rows, session

page, longhand, first, second, screenshots = sys.argv[1:]

CELL = "#vocabulary-rows tr:nth-child(%d) [data-column=%s]"
LINES = "\n".join(f"Term {index}x" for index in range(60))


def paste(browser, text):
    """Pastes a text into the focused field, as Control-V does: a browser without a screen has no clipboard."""
    return browser.run(
        "const clipboardData = new DataTransfer(); clipboardData.setData('text/plain', arguments[0]);"
        "const event = new ClipboardEvent('paste', {clipboardData, bubbles: true, cancelable: true});"
        "return !document.activeElement.dispatchEvent(event);", text)


def terms(browser):
    return browser.run("return [...document.querySelectorAll('#vocabulary-rows [data-column=term]')].map((f) => f.value);")


def place(browser):
    """The row and the column of the focused field."""
    return browser.run(
        "const f = document.activeElement; const row = f.closest('tr');"
        "return row && [[...row.parentElement.children].indexOf(row) + 1, f.dataset.column];")


def show(browser):
    browser.run("document.getElementById('scroller').focus();")
    browser.press("v")
    eventually(lambda: browser.shows("#vocabulary-dialog[open]"), "the dialog")


def make(browser, name):
    browser.click("#vocabulary-new")
    browser.press(name, Keys.ENTER)
    eventually(lambda: browser.text("#vocabulary-name option:checked") == name and place(browser) == [1, "term"], "the vocabulary")


def stored(browser, name):
    return browser.json(f"api/vocabularies/{name}")["rows"]


def leave(browser, answer):
    """Presses Esc, and answers the question."""
    browser.press(Keys.ESCAPE)
    eventually(lambda: browser.shows("#question-dialog[open]"), "the question")
    browser.click(f"#question-{answer}")
    eventually(lambda: not browser.shows("#question-dialog[open]"), "the answer")


def pasting(browser, check):
    with check("60 lines that are pasted become rows, which one key takes back"):
        browser.open(page)
        eventually(lambda: browser.texts("#sessions .session-link"), "the sessions")
        browser.run(f"location.hash = '#/session/{first}';")
        eventually(lambda: rows(browser), "the text")
        show(browser)
        make(browser, "Pasted")
        assert paste(browser, LINES)
        eventually(lambda: terms(browser) == LINES.split("\n") + [""], "the rows")
        assert "60 rows added" in browser.text("#vocabulary-state"), browser.text("#vocabulary-state")
        assert place(browser) == [61, "term"], place(browser)
        command(browser, "z")
        assert terms(browser) == [""], terms(browser)
        browser.run("document.querySelector('#vocabulary-rows input').focus();")
        paste(browser, LINES)
        eventually(lambda: len(terms(browser)) == 61, "the rows")
        paste(browser, "Term 3x, Benoni, Hart\nTerm 4x")
        eventually(lambda: len(terms(browser)) == 63, "what is new")
        assert terms(browser)[60:] == ["Benoni", "Hart", ""], terms(browser)[60:]
        assert "2 were there already" in browser.text("#vocabulary-state"), browser.text("#vocabulary-state")
    with check("the headings stay while the list scrolls"):
        head, table = browser.run(
            "const t = document.querySelector('.vocabulary-table'); t.scrollTop = 600;"
            "return [t.querySelector('th').getBoundingClientRect().top, t.getBoundingClientRect().top, t.scrollTop];")[:2]
        assert abs(head - table) <= 4, (head, table)
        top = browser.run(
            "const b = document.querySelector('.vocabulary-table th').getBoundingClientRect();"
            "return document.elementFromPoint(b.left + 4, b.top + 4).closest('thead') !== null;")
        assert top
        for scheme, width, height in [("light", 1400, 800), ("dark", 1400, 800), ("light", 390, 780), ("dark", 390, 780)]:
            browser.size(width, height)
            browser.colours(scheme)
            browser.frames()
            browser.picture(f"vocabularies-{scheme}-{width}")
        browser.colours("light")
        browser.size(1280, 800)
        accessible(browser, "vocabularies-pasted")
    with check("cells of a spreadsheet fill the columns, from the focused field on"):
        browser.click("#vocabulary-save")
        eventually(lambda: not browser.shows("#vocabulary-dialog[open]"), "it is stored")
        assert len(stored(browser, "Pasted")) == 62, len(stored(browser, "Pasted"))
        show(browser)
        make(browser, "Cells")
        paste(browser, "Term\tSounds like\tReplaces\r\nWinawer\t\twhen our|win a war\r\nBenoni\tb e n @U n i\t\r\n")
        eventually(lambda: terms(browser) == ["Winawer", "Benoni", ""], "the rows")
        browser.find(CELL % (1, "replaces")).click()
        paste(browser, "one\ntwo\n")
        eventually(lambda: "2 rows filled" in browser.text("#vocabulary-state"), "the column")
        filled = browser.run("return [...document.querySelectorAll('#vocabulary-rows [data-column=replaces]')].map((f) => f.value);")
        assert filled == ["one", "two", ""] and terms(browser) == ["Winawer", "Benoni", ""], (filled, terms(browser))
        browser.click("#vocabulary-undo")
        # A list within a cell stays what it is.
        browser.find(CELL % (2, "replaces")).click()
        assert not paste(browser, "be no knee, ben only")
        command(browser, Keys.ENTER)
        eventually(lambda: not browser.shows("#vocabulary-dialog[open]"), "it is stored")
        assert stored(browser, "Cells") == [
            {"term": "Winawer", "soundsLike": [], "replaces": ["when our", "win a war"]},
            {"term": "Benoni", "soundsLike": ["b e n @U n i"], "replaces": []}], stored(browser, "Cells")


def keys(browser, check):
    with check("Enter goes to the next row, Tab from field to field, and both stay in the table"):
        show(browser)
        make(browser, "Keys")
        browser.press("One", Keys.ENTER)
        assert place(browser) == [2, "term"], place(browser)
        browser.press("Two", Keys.TAB)
        assert place(browser) == [2, "soundsLike"], place(browser)
        browser.press(Keys.TAB)
        assert place(browser) == [2, "replaces"], place(browser)
        browser.press("too", Keys.TAB)
        assert place(browser) == [3, "term"], place(browser)
        browser.press("Three", Keys.ENTER, Keys.ENTER)
        assert place(browser) == [4, "term"] and browser.shows("#vocabulary-dialog[open]"), place(browser)
        browser.press(Keys.ARROW_UP)
        assert place(browser) == [3, "term"], place(browser)
    with check("a term that is removed comes back by Undo"):
        command(browser, Keys.DELETE)
        assert terms(browser) == ["One", "Two", ""], terms(browser)
        assert "“Three” was removed" in browser.text("#vocabulary-state")
        browser.click("#vocabulary-undo")
        assert terms(browser) == ["One", "Two", "Three", ""], terms(browser)
        browser.click("#vocabulary-rows tr:nth-child(2) .vocabulary-remove button")
        assert terms(browser) == ["One", "Three", ""], terms(browser)
        command(browser, "z")
        assert terms(browser) == ["One", "Two", "Three", ""], terms(browser)
        assert browser.run(f"return document.querySelector(\"{CELL % (2, 'replaces')}\").value;") == "too"
    with check("Esc and Cancel ask if something would be lost, also if Esc is pressed twice"):
        browser.find(CELL % (1, "term")).click()
        browser.press(Keys.ESCAPE)
        eventually(lambda: browser.shows("#question-dialog[open]"), "the question")
        assert focused(browser) == "question-no"
        accessible(browser, "vocabularies-leave")
        # Esc is not to discard: it stays.
        browser.press(Keys.ESCAPE)
        eventually(lambda: not browser.shows("#question-dialog[open]"), "no answer")
        assert browser.shows("#vocabulary-dialog[open]") and terms(browser) == ["One", "Two", "Three", ""]
        # After one Esc that a page has refused, a browser closes a dialog at the next one without asking the page.
        for _ in range(3):
            browser.press(Keys.ESCAPE)
            eventually(lambda: browser.shows("#question-dialog[open]"), "the question")
            browser.press(Keys.ESCAPE)
            eventually(lambda: not browser.shows("#question-dialog[open]"), "no answer")
            assert browser.shows("#vocabulary-dialog[open]")
        browser.click("#vocabulary-cancel")
        eventually(lambda: browser.shows("#question-dialog[open]"), "the question")
        browser.click("#question-no")
        browser.press(Keys.ESCAPE)
        eventually(lambda: browser.shows("#question-dialog[open]"), "the question")
        browser.click("#question-yes")
        eventually(lambda: not browser.shows("#vocabulary-dialog[open]"), "it is left")
        assert stored(browser, "Keys") == []
        show(browser)
        browser.press(Keys.ESCAPE)
        eventually(lambda: not browser.shows("#vocabulary-dialog[open]"), "nothing would be lost")
        assert not browser.shows("#question-dialog[open]")
    with check("a vocabulary is deleted only after a question"):
        show(browser)
        assert browser.text("#vocabulary-name option:checked") == "Keys"
        for answer, names in [("no", True), ("yes", False)]:
            browser.click("#vocabulary-delete")
            eventually(lambda: browser.shows("#question-dialog[open]"), "the question")
            assert "“Keys” with no terms" in browser.text("#question-text"), browser.text("#question-text")
            browser.click(f"#question-{answer}")
            eventually(lambda: not browser.shows("#question-dialog[open]"), "the answer")
            eventually(lambda: ("Keys" in browser.json("api/vocabularies")["vocabularies"]) == names, answer)
        browser.press(Keys.ESCAPE)


def files(browser, check):
    with check("files are opened as vocabularies of their own, and saved"), tempfile.TemporaryDirectory() as folder:
        def opened(name, content, wanted, data=None):
            path = pathlib.Path(folder, name)
            path.write_bytes(data if data is not None else content.encode())
            browser.find("#vocabulary-file").send_keys(str(path))
            eventually(lambda: browser.text("#vocabulary-name option:checked") == wanted, wanted)

        show(browser)
        opened("openings.txt", "Winawer\nBenoni\n", "openings")
        assert terms(browser) == ["Winawer", "Benoni", ""], terms(browser)
        opened("openings.txt", "Hart\n", "openings 2")
        assert [row["term"] for row in stored(browser, "openings")] == ["Winawer", "Benoni"]
        opened("names (1).csv", "term,replaces\nHart,heart|hurt\n", "names -1-")
        opened("all.json5", "{name: 'x', terms: [{text: 'Grünfeld'}], phrases: [{text: 'the Grünfeld'}]}", "all")
        assert "1 phrases" in browser.text("#vocabulary-others") or "1 phrase" in browser.text("#vocabulary-others")
        path = pathlib.Path(folder, "bad.txt")
        path.write_bytes(b"\xe9\n")
        browser.find("#vocabulary-file").send_keys(str(path))
        eventually(lambda: "UTF-8" in browser.text("#vocabulary-error"), "why")
        assert browser.text("#vocabulary-name option:checked") == "all"
        # What was typed is in the file, too.
        browser.find(CELL % (2, "term")).send_keys("Kimura")
        for format, content in [("txt", "Grünfeld\nKimura\n"), ("csv", "\ufeffterm,sounds like,replaces\nGrünfeld,,\nKimura,,\n")]:
            browser.click(f"#vocabulary-files [value={format}]")
            saved = browser.downloads / f"all.{format}"
            eventually(saved.exists, "the file")
            eventually(lambda: saved.read_text() == content, f"its content, not {saved.read_text()!r}")
        browser.click("#vocabulary-files [value=json5]")
        saved = browser.downloads / "all.json5"
        eventually(lambda: saved.exists() and "the Grünfeld" in saved.read_text(), "all of it")
        browser.press(Keys.ESCAPE)
        eventually(lambda: not browser.shows("#vocabulary-dialog[open]"), "it is left")
    with check("the command has the same vocabularies"):
        listed = subprocess.run([longhand, "vocabulary", "list"], capture_output=True, check=True, text=True).stdout
        assert "62\tPasted\n" in listed and "2\tall\n" in listed, listed
        subprocess.run([longhand, "vocabulary", "add", "all", "Fromcommand"], check=True, capture_output=True)
        show(browser)
        assert terms(browser) == ["Grünfeld", "Kimura", "Fromcommand", ""], terms(browser)
        browser.press(Keys.ESCAPE)


def losing(browser, check):
    with check("the dialog of tags and note asks before a note is lost"):
        browser.click("#more")
        browser.click("#edit-details")
        eventually(lambda: browser.shows("#details-dialog[open]"), "the dialog")
        browser.click("#note-field")
        browser.press("A long note")
        leave(browser, "no")
        assert browser.run("return document.getElementById('note-field').value;") == "A long note"
        browser.click("#details-cancel")
        eventually(lambda: browser.shows("#question-dialog[open]"), "the question")
        browser.click("#question-yes")
        eventually(lambda: not browser.shows("#details-dialog[open]"), "it is left")
        browser.click("#more")
        browser.click("#edit-details")
        eventually(lambda: browser.shows("#details-dialog[open]"), "the dialog")
        browser.press(Keys.ESCAPE)
        eventually(lambda: not browser.shows("#details-dialog[open]"), "nothing would be lost")
    with check("find and replace asks before a choice of places is lost"):
        browser.press("F", shift=True)
        eventually(lambda: focused(browser) == "replace-find", "the dialog")
        browser.press("pawn", Keys.ENTER)
        eventually(lambda: browser.text("#replace-state") == "12 of 12 places", "the places")
        browser.click("#replace-places input")
        leave(browser, "no")
        assert browser.text("#replace-state") == "11 of 12 places"
        leave(browser, "yes")
        eventually(lambda: not browser.shows("#replace-dialog[open]"), "it is left")
    with check("the watched folder's dialog asks before a path is lost"):
        browser.click("#watch")
        eventually(lambda: browser.shows("#watch-dialog[open]"), "the dialog")
        browser.click("#watch-folder")
        browser.press("/somewhere")
        leave(browser, "yes")
        eventually(lambda: not browser.shows("#watch-dialog[open]"), "it is left")
    with check("words that were typed and not stored are there again"):
        browser.click(".part[data-row='0'] [data-word='0']")
        eventually(lambda: focused(browser) == "word-field", "the field")
        browser.press("Typed words", Keys.ESCAPE)
        eventually(lambda: not browser.shows("#word-popup"), "the popup is closed")
        browser.click(".part[data-row='0'] [data-word='0']")
        eventually(lambda: browser.run("return document.getElementById('word-field')?.value;") == "Typed words", "the words")
        browser.press(Keys.ESCAPE)
        # Another word has its own.
        browser.click(".part[data-row='0'] [data-word='3']")
        eventually(lambda: browser.run("return document.getElementById('word-field')?.value;") == "pawn", "the other word")
        browser.press(Keys.ESCAPE)


def correct(browser, id, row, word, text):
    path = f"api/sessions/{id}/segments/{row}"
    change = {"first": word, "end": word + 1, "text": text, "revision": browser.json(path)["revision"]}
    status = browser.run_async(
        "return (await fetch(given[0], {method: 'PUT', headers: {'Content-Type': 'application/json'},"
        "body: JSON.stringify(given[1])})).status;", f"{path}/words", change)
    assert status == 200, status


def learning(browser, check):
    with check("the words that were corrected are listed, those of two sessions first, and each is added by one key"):
        correct(browser, first, 0, 0, "Albin")
        correct(browser, first, 1, 3, "Kimura")
        correct(browser, first, 2, 3, "Kimura,")
        correct(browser, first, 3, 3, "Winawer")
        correct(browser, second, 0, 3, "Winawer")
        browser.run("document.getElementById('scroller').focus();")
        browser.press("V", shift=True)
        eventually(lambda: browser.shows("#corrected-dialog[open]"), "the list")
        listed = browser.texts("#corrected-list strong")
        assert listed == ["Winawer", "Kimura", "Albin"], listed
        assert browser.texts("#corrected-list span") == [
            "instead of “pawn”, in 2 sessions", "instead of “pawn”, 2 times", "instead of “take”"], browser.texts("#corrected-list span")
        for scheme, width, height in [("light", 1400, 800), ("dark", 1400, 800), ("light", 390, 780), ("dark", 390, 780)]:
            browser.size(width, height)
            browser.colours(scheme)
            browser.frames()
            browser.picture(f"corrected-{scheme}-{width}")
        browser.colours("light")
        browser.size(1280, 800)
        accessible(browser, "corrected-words")
        added = "return document.activeElement.getAttribute('aria-label');"
        assert browser.run(added) == "Add Winawer to the vocabulary"
        browser.press(Keys.ENTER)
        eventually(lambda: browser.run(added) == "Add Kimura to the vocabulary", "the next one")
        browser.press(Keys.ARROW_DOWN)
        assert browser.run(added) == "Add Albin to the vocabulary"
        browser.press(Keys.ENTER)
        eventually(lambda: focused(browser) == "corrected-close", "the end")
        assert browser.json("api/vocabulary")["terms"] == ["Winawer", "Albin"], browser.json("api/vocabulary")
        browser.click("#corrected-list li:nth-child(3) button")
        eventually(lambda: browser.json("api/vocabulary")["terms"] == ["Winawer"], "it is taken back")
        browser.find("#corrected-vocabulary").send_keys("Cells")
        eventually(lambda: browser.texts("#corrected-list strong") == ["Kimura", "Albin"], "those that Cells does not have")
        browser.run("document.querySelector('#corrected-list button').focus();")
        browser.press(Keys.ENTER)
        eventually(lambda: any(row["term"] == "Kimura" for row in stored(browser, "Cells")), "it is in Cells")
        assert [row for row in stored(browser, "Cells") if row["term"] == "Kimura"][0]["replaces"] == ["pawn"]
        browser.press(Keys.ESCAPE)
        eventually(lambda: not browser.shows("#corrected-dialog[open]"), "the list is closed")
    with check("at the end of the unsure words, the list is offered"):
        # The last unsure words are confirmed elsewhere.
        for row in range(12):
            for word in (0, 2, 3, 5, 6):
                text = browser.json(f"api/sessions/{first}/segments/{row}")["words"][word]
                if text["confidence"] is not None and (row, word) != (11, 6):
                    correct(browser, first, row, word, text["text"])
        browser.driver.refresh()
        eventually(lambda: rows(browser), "the text")
        browser.run("document.getElementById('scroller').focus();")
        browser.press("u")
        eventually(lambda: browser.shows("#word-popup"), "the last unsure word")
        browser.press(Keys.ENTER)
        eventually(lambda: "may be terms" in browser.text("#notices"), "the offer")
        browser.click("#notices .plain-button")
        eventually(lambda: browser.texts("#corrected-list strong") == ["Kimura", "Albin"], "the list")


with Browser(screenshots) as browser:
    check = Checks(functools.partial(browser.picture))
    pasting(browser, check)
    keys(browser, check)
    files(browser, check)
    losing(browser, check)
    learning(browser, check)
    with check("the page has logged no error"):
        complaints = [line for line in browser.complaints() if "400 (Bad Request)" not in line]
        assert not complaints, "\n".join(complaints)
    check.end()
