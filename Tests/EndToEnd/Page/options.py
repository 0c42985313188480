"""Chooses how recordings are transcribed, again and at first; makes a vocabulary; finds and replaces.

    options.py PAGE LONGHAND SHORT LONG SCREENSHOTS

PAGE is the page's address with the token, LONGHAND the executable, which uses the same library as the server; SHORT and LONG are
recordings of speech. SPEECH_MODEL names a model that is not that of the dialog's last choice.
"""

import functools
import json
import pathlib
import subprocess
import sys

from browser import Browser, Keys, eventually
from checks import Checks
from person import accessible, confirm, focused, rows, session

page, longhand, short, long, screenshots = sys.argv[1:]


def known(browser, place=None):
    return browser.json(f"api/sessions/{place or session(browser)}")


def is_done(browser):
    return browser.texts("#sessions .session-link") and not browser.texts("#sessions .state") \
        and not browser.texts("#uploads li")


def chosen(browser):
    return browser.run(
        "return Object.fromEntries([...document.querySelectorAll('#recognition-fields select')]"
        ".map((s) => [s.id.split('-')[1], s.value]));")


def select(browser, field, value):
    browser.run("const s = document.getElementById(arguments[0]); s.value = arguments[1];"
                "s.dispatchEvent(new Event('change', {bubbles: true}));", field, value)


def write(browser, place, text):
    """Replaces the first word of a session."""
    path = f"api/sessions/{place}/segments/0"
    change = {"first": 0, "end": 1, "text": text, "revision": browser.json(path)["revision"]}
    browser.run_async(
        "await fetch(given[0], {method: 'PUT', headers: {'Content-Type': 'application/json'},"
        "body: JSON.stringify(given[1])});", f"{path}/words", change)


def menu(browser, action):
    browser.click("#more")
    browser.click(f"#{action}")


def add(browser, check):
    with check("a file is added with a language, a model and a number of speakers, by keys"):
        browser.open(page)
        eventually(lambda: browser.shows("#welcome-add"), "the button")
        browser.find("#files").send_keys(short)
        eventually(lambda: focused(browser) == "recognition-start", "the dialog")
        assert browser.texts("#recognition-names li") == [pathlib.Path(short).name]
        accessible(browser, "add-recording")
        choices = [one.text for one in browser.find("#recognition-speakers").find_elements("css selector", "option")]
        assert choices[:3] == ["Not separated", "Unknown number", "1 speaker"] and len(choices) == 10, choices
        browser.find("#recognition-speakers").send_keys("2 speakers")
        browser.find("#recognition-model").send_keys("pocketsphinx")
        browser.find("#recognition-start").send_keys(Keys.ENTER)
        eventually(lambda: session(browser) and is_done(browser), "the transcript")
        document = known(browser)
        assert document["locale"] == "en-US" and document["model"]["name"] == "pocketsphinx", document
        speakers = browser.json(f"api/sessions/{session(browser)}/speakers")["speakers"]
        assert speakers and all(one["basis"] == "voice" for one in speakers), speakers
    with check("the last choice is remembered, also after a reload"):
        browser.driver.refresh()
        eventually(lambda: is_done(browser), "the list")
        browser.find("#files").send_keys(long)
        eventually(lambda: focused(browser) == "recognition-start", "the dialog")
        assert chosen(browser) == {"locale": "en-US", "model": "pocketsphinx", "vocabulary": "", "speakers": "2"}
        select(browser, "recognition-speakers", "none")
        confirm(browser)
        eventually(lambda: len(browser.texts("#sessions .session-link")) == 2 and is_done(browser), "the transcript")


def vocabulary(browser, check):
    cell = "#vocabulary-rows tr:nth-child(%d) [data-column=%s]"
    with check("a vocabulary is made and checked by keys, and what is found stands at its row"):
        browser.run("document.getElementById('scroller').focus();")
        browser.press("v")
        eventually(lambda: browser.shows("#vocabulary-dialog[open]"), "the dialog")
        browser.find("#vocabulary-new").send_keys(Keys.ENTER)
        browser.press("Tools", Keys.ENTER)
        eventually(lambda: browser.run("return document.activeElement.dataset.column;") == "term", "the first row")
        browser.press("Winawer", Keys.TAB, Keys.TAB, "when our, win a war", Keys.TAB, "the")
        browser.find("#vocabulary-check").send_keys(Keys.ENTER)
        eventually(lambda: "common word" in browser.text("#vocabulary-rows tr:nth-child(2) .finding"), "what is found")
        accessible(browser, "vocabulary")
        browser.click("#vocabulary-rows tr:nth-child(2) .vocabulary-remove button")
        browser.find("#vocabulary-save").send_keys(Keys.ENTER)
        eventually(lambda: not browser.shows("#vocabulary-dialog[open]"), "it is stored")
        known = browser.json("api/vocabularies/Tools")
        assert known["rows"] == [{"term": "Winawer", "soundsLike": [], "replaces": ["when our", "win a war"]}], known
    with check("a row without a term is refused, and what was typed is not lost"):
        browser.click("#vocabularies")
        eventually(lambda: browser.shows("#vocabulary-dialog[open]"), "the dialog")
        assert browser.run("return document.getElementById('vocabulary-name').value;") == "Tools"
        browser.find(cell % (2, "replaces")).send_keys("no term")
        browser.click("#vocabulary-save")
        eventually(lambda: "Row 2 has no term" in browser.text("#vocabulary-error"), "why")
        assert browser.run(f"return document.querySelector(\"{cell % (2, 'replaces')}\").value;") == "no term"
        browser.find(cell % (2, "term")).send_keys("Zyxwvu")
        browser.click("#vocabulary-save")
        eventually(lambda: not browser.shows("#vocabulary-dialog[open]"), "it is stored")
        assert [row["term"] for row in browser.json("api/vocabularies/Tools")["rows"]] == ["Winawer", "Zyxwvu"]


def again(browser, check):
    with check("the speakers of a session are separated"):
        browser.run("[...document.querySelectorAll('#sessions a')].find((a) => a.textContent.includes(arguments[0])).click();",
                    pathlib.Path(long).stem)
        eventually(lambda: browser.text("#name") == pathlib.Path(long).stem and rows(browser) and all(rows(browser)), "the text")
        assert not browser.texts("#speakers button")
        menu(browser, "separate")
        eventually(lambda: browser.shows("#recognition-dialog[open]"), "the dialog")
        assert not browser.shows("#recognition-locale") and browser.shows("#recognition-speakers")
        accessible(browser, "separate-speakers")
        select(browser, "recognition-speakers", "1")
        confirm(browser)
        eventually(lambda: browser.texts("#speakers button"), "the speaker")
        assert "separated" in browser.text("#notices"), browser.text("#notices")
    with check("a session is transcribed again, with a choice of its own"):
        before = known(browser)
        menu(browser, "again")
        eventually(lambda: browser.shows("#recognition-dialog[open]"), "the dialog")
        assert chosen(browser)["locale"] == before["locale"] and chosen(browser)["vocabulary"] == "", chosen(browser)
        select(browser, "recognition-vocabulary", "Tools")
        confirm(browser)
        eventually(lambda: "transcribed again" in browser.text("#notices"), "its end")
        document = known(browser)
        assert document["vocabulary"]["name"] == "Tools" and document["work"]["state"] == "done", document
        assert "vocabulary: Tools" in browser.text("#facts"), browser.text("#facts")
    with check("a failure is said, and the session stays as it is"):
        body = browser.run_async(
            "const r = await fetch(given[0], {method: 'POST', headers: {'Content-Type': 'application/json'},"
            "body: JSON.stringify({model: 'nosuch'})}); return [r.status, (await r.json()).error];",
            f"api/sessions/{session(browser)}/transcription")
        assert body[0] == 400 and body[1]["param"] == "model" and "nosuch" in body[1]["message"], body


def replace(browser, check):
    text = lambda: browser.json(f"api/sessions/{session(browser)}/segments")["segments"]  # noqa: E731
    words = lambda: [one["text"].lower() for each in text() for one in each["words"]]  # noqa: E731
    with check("words are replaced at the chosen places of a session, by keys, and that is undone at once"):
        write(browser, session(browser), "Anna and Anna and anna")
        before, common, count = [each["text"] for each in text()], "anna", 3
        browser.driver.refresh()
        eventually(lambda: rows(browser) and "and anna" in rows(browser)[0].lower(), "the words")
        browser.run("document.getElementById('scroller').focus();")
        browser.press("F", shift=True)
        eventually(lambda: focused(browser) == "replace-find", "the dialog")
        browser.press(common, Keys.ENTER)
        assert focused(browser) == "replace-with"
        browser.press("Zyxwvu")
        eventually(lambda: len(browser.texts("#replace-places input ~ span mark")) == count, "the places")
        assert browser.text("#replace-state") == f"{count} of {count} places", browser.text("#replace-state")
        accessible(browser, "replace")
        browser.run("document.querySelector('#replace-places input').focus();")
        browser.press(" ")
        assert browser.text("#replace-start") == f"Replace {count - 1}", browser.text("#replace-start")
        browser.run("document.getElementById('replace-with').focus();")
        browser.press(Keys.ENTER)
        eventually(lambda: not browser.shows("#replace-dialog[open]"), "it is done")
        assert words().count("zyxwvu") == count - 1 and words().count(common) == 1, words()
        eventually(lambda: sum(row.count("Zyxwvu") for row in rows(browser)) == count - 1, "the rows")
        accessible(browser, "replaced")
        browser.click("#notices .plain-button")
        eventually(lambda: [each["text"] for each in text()] == before, "the text as before")
        eventually(lambda: not any("Zyxwvu" in row for row in rows(browser)), "the rows")
    with check("a name is replaced with its endings, marks and capitals, and longer words are named and left"):
        write(browser, session(browser), "Moreland's moreland. Westmoreland MORELAND,")
        before = [each["text"] for each in text()]
        browser.driver.refresh()
        eventually(lambda: rows(browser) and "Westmoreland" in rows(browser)[0], "the words")
        browser.run("document.getElementById('scroller').focus();")
        browser.press("F", shift=True)
        eventually(lambda: focused(browser) == "replace-find", "the dialog")
        browser.press("moreland", Keys.ENTER, "brook")
        eventually(lambda: browser.texts("#replace-places ins") == ["Brook's", "brook.", "BROOK,"], "what it becomes")
        assert browser.text("#replace-left") == "1 longer word stays: Westmoreland", browser.text("#replace-left")
        accessible(browser, "replace-preview")
        browser.driver.save_screenshot(f"{screenshots}/replace.png")
        browser.click("#replace-whole")
        eventually(lambda: browser.text("#replace-state") == "4 of 4 places", "parts of words")
        assert browser.text("#replace-left") == ""
        # A choice stays while another text is typed.
        browser.click("#replace-places input")
        browser.run("const field = document.getElementById('replace-with'); field.focus(); field.select();")
        browser.press("ford")
        eventually(lambda: browser.texts("#replace-places ins") == ["Ford's", "ford.", "Westford", "FORD,"], "the other text")
        assert browser.text("#replace-state") == "3 of 4 places", browser.text("#replace-state")
        browser.press(Keys.ENTER)
        eventually(lambda: not browser.shows("#replace-dialog[open]"), "it is done")
        assert text()[0]["text"].startswith("Moreland's ford. Westford FORD,"), text()[0]["text"]
        browser.click("#notices .plain-button")
        eventually(lambda: [each["text"] for each in text()] == before, "the text as before")
        browser.run("document.getElementById('replace-whole').checked = true;")
    with check("words are replaced in all sessions, from the search"):
        # Each session has it.
        for place in [one["id"] for one in browser.json("api/sessions")["sessions"]]:
            write(browser, place, "Wrongname")
        browser.click("#query")
        browser.press("wrongname")
        eventually(lambda: len(browser.texts("#hits mark")) == 2, "the hits")
        browser.click("#search-replace")
        # What is found is known.
        eventually(lambda: focused(browser) == "replace-with", "the dialog")
        select(browser, "replace-where", "all")
        browser.run("document.getElementById('replace-where').dispatchEvent(new Event('input'));")
        eventually(lambda: browser.text("#replace-state") == "2 of 2 places", "the places")
        assert len(browser.texts("#replace-places h3")) == 2
        browser.click("#replace-with")
        browser.press("Rightname", Keys.ENTER)
        eventually(lambda: not browser.shows("#replace-dialog[open]"), "it is done")
        found = browser.json("api/replacements?text=rightname")
        assert found["count"] == 2, found
        exported = [json.loads(subprocess.run(
            [longhand, "export", one["session"], "--json"], capture_output=True, check=True, text=True).stdout)
            for one in found["places"]]
        assert all(one["segments"][0]["words"][0]["text"] == "Rightname" for one in exported)
        browser.run("[...document.querySelectorAll('#notices .plain-button')].at(-1).click();")
        eventually(lambda: browser.json("api/replacements?text=rightname")["count"] == 0, "undone")
        assert browser.json("api/replacements?text=wrongname")["count"] == 2


with Browser(screenshots) as browser:
    check = Checks(functools.partial(browser.picture))
    add(browser, check)
    vocabulary(browser, check)
    again(browser, check)
    replace(browser, check)
    with check("the page has logged no error"):
        complaints = [line for line in browser.complaints() if "400 (Bad Request)" not in line]
        assert not complaints, "\n".join(complaints)
    check.end()
