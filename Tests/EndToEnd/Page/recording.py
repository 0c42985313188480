"""Uses the page as a person does: records, reads, plays, changes, exports and deletes.

    recording.py PAGE SOUND SENTENCE LONGHAND SCREENSHOTS

PAGE is the page's address with the token, SOUND a file with speech that is played into the sound server at PULSE_SERVER, SENTENCE a
shorter one, LONGHAND the executable, which uses the same library as the server.
"""

import contextlib
import functools
import http.server
import json
import re
import subprocess
import sys
import tempfile
import threading

from breaking_proxy import BreakingProxy
from browser import Browser, Keys, eventually
from checks import Checks
from person import accessible, rows

page, sound, sentence, longhand, screenshots = sys.argv[1:]
base, _, token = page.partition("?token=")

NOTICES = """
    const main = document.querySelector('script[type=module]').src;
    const { Notices } = await import(new URL('messages.js', main));
    const region = document.createElement('div');
    const notices = new Notices(region);
    const texts = () => [...region.children].map((notice) => notice.firstChild.textContent);
    const source = { about: 'source a', session: 's' };
    notices.show('lost', 'error', source);
    notices.show('b lost', 'error', { about: 'source b', session: 's' });
    notices.show('back', 'warning', source);
    const replaced = texts();
    notices.show('failed', 'error', { session: 's' });
    notices.show('own', 'error');
    notices.end();
    const ended = texts();
    notices.leave();
    return [replaced, ended, texts()];
"""
FORMATS = ["txt", "md", "srt", "vtt", "json", "jsonl", "tsv", "ctm", "textgrid", "html", "docx"]


def top(browser):
    return browser.run("return document.getElementById('scroller').scrollTop;")


def at_end(browser):
    return browser.run(
        "const s = document.getElementById('scroller'); return s.scrollHeight - s.scrollTop - s.clientHeight < 3;")


def session(browser):
    return browser.run("return location.hash.split('/')[2]?.split('?')[0];")


def heard_at(browser, act):
    """The time at which playback starts after an action, in seconds of the audio."""
    browser.note_positions()
    act()
    sought = eventually(browser.positions, "the sound is sought")[0]
    eventually(
        lambda: browser.run(
            "const a = document.getElementById('audio'); return !a.paused && a.currentTime > arguments[0];", sought),
        "the sound plays")
    return sought


def words_of(browser, row):
    return browser.json(f"/api/sessions/{session(browser)}/segments/{row}")["words"]


def record(browser, check):
    with check("the page opens without a session"):
        browser.open(page)
        eventually(lambda: browser.shows("#welcome"), "the welcome")
        eventually(lambda: "Nothing has been recorded" in browser.text("#sessions"), "an empty list")
        accessible(browser, "welcome")
    with check("before a recording, the dialog shows the sources, their levels, the language and the vocabulary"):
        browser.click("#record")
        eventually(lambda: browser.shows("#record-dialog[open]"), "the dialog")
        assert browser.texts("#source > option") == [
            "Microphone", "What this computer plays", "Microphone and call", "This browser's microphone"]
        chosen = browser.run("return [...document.querySelectorAll('#record-fields select')].map((s) => s.selectedOptions[0].text);")
        assert chosen == ["English", "Best installed", "None", "Not separated"], chosen
        assert browser.shows("#better-models")
        assert browser.texts("#levels span") == ["Level"]
        browser.find("#source").send_keys("Microphone and call")
        assert browser.texts("#levels span") == ["Microphone", "Call"]
        test = subprocess.Popen(["paplay", "--device=mic", sound])
        try:
            eventually(lambda: browser.run(
                "return [...document.querySelectorAll('#levels [role=meter]')].every((m) => m.ariaValueNow > -45);"), "levels")
        finally:
            test.kill()
        accessible(browser, "record")
        browser.press(Keys.ESCAPE)
        eventually(lambda: not browser.shows("#record-dialog[open]"), "no dialog")
        assert not browser.json("api/sessions")["sessions"], "a level was stored"
    with check("a notice is replaced by its recovery, and is gone with the session"):
        found = browser.run_async(NOTICES)
        assert found == [["B lost", "Back"], ["Failed", "Own"], ["Own"]], found
    with check("a recording starts from the page, from a chosen source"):
        browser.size(1000, 430)
        browser.click("#record")
        eventually(lambda: browser.shows("#record-dialog[open]"), "the dialog")
        assert not browser.shows("#better-models"), "better models were named before"
        browser.run(
            "const s = document.getElementById('source'); "
            "s.value = [...s.options].find((o) => o.value.includes('mic.monitor')).value;")
        browser.click("#start")
        eventually(lambda: browser.shows("#recording[data-state=recording]"), "the recorder's strip")
        eventually(lambda: browser.text("#facts .state") == "recording", "the session's state")
        assert "model: pocketsphinx" in browser.text("#facts"), browser.text("#facts")
    with check("a hint and the length are shown before the first word"):
        eventually(lambda: "appears here" in browser.text("#nothing") and browser.shows("#nothing"), "the hint")
        eventually(lambda: browser.text("#time").split(" / ")[1] not in ("", "0:00"), "its length")
        eventually(lambda: browser.texts("#legend li"), "what became of it")
    speech = subprocess.Popen(["paplay", "--device=mic", sound])
    with check("text appears during the recording: first a partial, then a segment"):
        assert eventually(lambda: browser.text("#partial"), "a partial").strip()
        eventually(lambda: rows(browser), "a row")
        assert speech.poll() is None, "all had been spoken before"
        style = browser.run("return getComputedStyle(document.getElementById('partial')).fontStyle;")
        assert style == "italic", style
    with check("time recorded and the level are shown"):
        eventually(lambda: browser.text("#recorded") not in ("", "0:00"), "the time recorded")
        eventually(
            lambda: browser.run("return Number(document.getElementById('level').ariaValueNow) > -60;"), "the level")
    with check("scrolling back stops following, and a key continues it"):
        eventually(lambda: len(rows(browser)) >= 2 and top(browser) > 60 and at_end(browser), "more than a windowful")
        # A turn is lost when a row comes at the same moment.
        eventually(
            lambda: browser.wheel("#scroller", -2000) or browser.shows("#back-to-live"), "the way back")
        eventually(lambda: top(browser) == 0, "the top")
        count = len(rows(browser))
        eventually(lambda: len(rows(browser)) > count, "another row")
        eventually(lambda: "new" in browser.text("#back-to-live"), "new text is counted")
        assert top(browser) == 0, "what is being read has moved"
        browser.press(Keys.END)
        eventually(lambda: at_end(browser) and not browser.shows("#back-to-live"), "the end")
    with check("the page is accessible during a recording"):
        found = browser.violations()
        assert not found, "\n".join(found)
        browser.size(320, 640)
        browser.picture("recording-phone-light-320")
        # The timeline follows the size of the page in a later frame.
        eventually(lambda: not browser.is_too_wide(), "the page fits")
        browser.size(1280, 800)
        browser.picture("recording-wide-light")
    speech.wait()
    with check("the recording can be paused and resumed"):
        browser.click("#pause")
        eventually(lambda: browser.shows("#recording[data-state=paused]"), "paused")
        assert browser.text("#recording-state") == "Paused" and browser.shows("#recording-state")
        eventually(lambda: browser.text("#facts .state") == "paused", "the session's badge")
        browser.click("#pause")
        eventually(lambda: browser.shows("#recording[data-state=recording]"), "recording again")
    with check("keys pause and resume it"):
        browser.press("p", shift=True)
        eventually(lambda: browser.shows("#recording[data-state=paused]"), "paused")
        browser.press("p", shift=True)
        eventually(lambda: browser.shows("#recording[data-state=recording]"), "recording again")
    with check("the recording is stopped from the page"):
        browser.click("#stop")
        eventually(lambda: browser.text("#facts .state") == "complete", "complete")
        eventually(lambda: browser.shows("#record"), "ready for the next")


def read(browser, check):
    with check("a reload loses nothing"):
        before = (session(browser), rows(browser), browser.texts("#legend li"))
        assert before[1] and all(before[1])
        browser.driver.refresh()
        eventually(lambda: len(rows(browser)) == len(before[1]) and all(rows(browser)), "the rows")
        eventually(lambda: browser.texts("#legend li"), "the legend")
        assert (session(browser), rows(browser), browser.texts("#legend li")) == before
    with check("a word is found and played at its time"):
        known = [(word, row) for row in range(len(rows(browser))) for word in words_of(browser, row)]
        word, row = max(known, key=lambda pair: (len(pair[0]["text"]), pair[1]))
        text = word["text"]
        first = next(w for w in words_of(browser, row) if w["text"] == text)
        browser.press("/")
        browser.press(text)
        # Results are written in sentences.
        eventually(lambda: text in [hit.lower() for hit in browser.texts("#hits mark")], "a hit")
        hits = browser.json(f"/api/search?q={text}")["hits"]
        place = next(index for index, hit in enumerate(hits) if hit["segment"] == row)
        browser.run("document.querySelectorAll('#hits a')[arguments[0]].click();", place)
        eventually(lambda: browser.shows(f"li.current .part[data-row='{row}'] .found"), "the word in its row")
        sought = heard_at(browser, lambda: browser.press("p"))
        assert abs(sought - first["start"]) < 0.02, f"{text}: {sought}, said at {first['start']}"
        eventually(lambda: browser.shows(".word.playing"), "the word that is played")
        browser.picture("search-wide-light")
        browser.press(" ")
        eventually(lambda: browser.run("return document.getElementById('audio').paused;"), "a pause")
    with check("a word is heard from the popup that a click on it opens"):
        row = len(rows(browser)) - 1
        word = words_of(browser, row)[-1]
        last = f".part[data-row='{row}'] .word:last-child"
        browser.run("document.querySelector(arguments[0]).scrollIntoView({block: 'center'});", last)
        browser.click(last)
        eventually(lambda: browser.shows("#word-popup"), "the popup")
        sought = heard_at(browser, lambda: browser.click("#word-popup .word-head button"))
        assert abs(sought - word["start"] + 0.1) < 0.02, f"{sought}, said at {word['start']}"
        browser.run("document.getElementById('audio').pause();")
        browser.press(Keys.ESCAPE)
    with check("words with low confidence are marked on request"):
        unsure = sum(w["confidence"] < 0.79 for row in range(len(rows(browser))) for w in words_of(browser, row))
        browser.press("c")
        count = lambda: len(browser.texts("#rows .doubtful, #rows .very-doubtful"))  # noqa: E731
        eventually(lambda: count() == unsure, f"{unsure} unsure words")
        accessible(browser, "unsure")
        browser.press("c")
        eventually(lambda: count() == 0, "none marked")


def change(browser, check):
    with check("another alternative is selected, and undone at once"):
        row = next(one["id"] for one in browser.json(f"/api/sessions/{session(browser)}/segments")["segments"]
                   if len(one["alternatives"]) > 1)
        part = f".part[data-row='{row}']"
        place = f"li:has({part})"
        path = f"/api/sessions/{session(browser)}/segments/{row}"
        given = browser.json(path)
        first, second = (one["text"].lower() for one in given["alternatives"][:2])
        # As recognized: without capitals and the marks of sentences.
        text = lambda: re.sub("[.,?]", "", browser.text(part)).lower()  # noqa: E731
        assert text() == first != second
        browser.run("document.querySelector(arguments[0]).scrollIntoView({block: 'center'});", place)
        browser.click(f"{part} .word")
        browser.click("#word-sentence")
        eventually(lambda: browser.shows(f"{place} .alternatives"), "the alternatives")
        assert len(browser.texts(f"{place} .alternative")) == len(given["alternatives"])
        browser.click(f"{place} [data-key=alternative-1]")
        eventually(lambda: text() == second, "the other alternative")
        eventually(lambda: "by hand" in browser.text(f"{place} .alternative-rule"), "its rule")
        accessible(browser, "alternatives")
        assert browser.json(path)["selection"]["index"] == 1
        browser.click(f"{place} [data-key=undo]")
        eventually(lambda: text() == first, "the first alternative again")
        eventually(lambda: len(browser.texts(f"{place} .revisions li")) == 3, "the revisions")
        assert browser.json(path)["selection"] == given["selection"]
        eventually(lambda: "by hand" not in browser.text(f"{place} .alternative-rule"), "its rule again")
        eventually(lambda: not browser.shows(f"{place} [data-key=undo]"), "nothing to undo")
        browser.click(f"{place} [data-key=restore-1]")
        eventually(lambda: text() == second, "the second version is restored")
        eventually(lambda: len(browser.texts(f"{place} .revisions li")) == 4, "its revision")
        assert len(browser.texts(f"{place} .restore")) == 3, "the current version cannot be restored"
        browser.click(f"{place} [data-key=restore-0]")
        eventually(lambda: text() == first, "the first version is restored")
        eventually(lambda: len(browser.texts(f"{place} .revisions li")) == 5, "its revision")
        if len(given["alternatives"]) > 2:
            browser.click(f"{place} [data-key=alternative-1]")
            eventually(lambda: text() == second, "the second alternative")
            browser.click(f"{place} [data-key=alternative-2]")
            eventually(lambda: text() not in (first, second), "the third alternative")
            browser.click(f"{place} [data-key=undo]")
            eventually(lambda: text() == second, "not the first, but the one before")
            browser.click(f"{place} [data-key=undo]")
            eventually(lambda: text() == first, "and then the first")
        browser.press(Keys.ESCAPE)
        eventually(lambda: not browser.shows(f"{place} .alternatives"), "Escape closes the alternatives")
    with check("every export equals that of the command line"):
        for form in FORMATS:
            browser.click("#export")
            browser.run("const f = document.getElementById('export-format'); f.value = arguments[0];"
                        "f.dispatchEvent(new Event('change'));", form)
            browser.click("#export-save")
            expected = subprocess.run(
                [longhand, "export", session(browser), "--format", form], capture_output=True, check=True).stdout
            whole = lambda: [  # noqa: E731
                file for file in browser.downloads.iterdir()
                if file.suffix != ".crdownload" and not file.name.startswith(".")]
            files = eventually(whole, f"a download of {form}")
            eventually(lambda: files[0].read_bytes() == expected, f"{form} as the command line has it")
            files[0].unlink()


def keys(browser, check):
    focused = lambda: browser.run("return document.activeElement.textContent.trim();")  # noqa: E731
    with check("words are reached and played by keys alone"):
        browser.run("document.getElementById('scroller').focus();")
        browser.press(Keys.HOME)
        eventually(lambda: top(browser) == 0, "the beginning")
        browser.press("j")
        eventually(lambda: browser.shows("li.current"), "a current row")
        row = browser.run("return Number(document.querySelector('li.current').dataset.row);")
        words = words_of(browser, row)
        browser.press(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
        eventually(lambda: focused() == words[1]["display"], "the second word")
        browser.picture("word-wide-light")
        browser.press(Keys.ARROW_LEFT, Keys.ARROW_RIGHT)
        sought = heard_at(browser, lambda: browser.press("p"))
        assert abs(sought - words[1]["start"]) < 0.02, f"{sought}, said at {words[1]['start']}"
        browser.press(" ")
        eventually(lambda: browser.run("return document.getElementById('audio').paused;"), "a pause")
    with check("the export dialog is used by keys alone, and remembers the last choice"):
        browser.run("document.getElementById('export').focus();")
        browser.press(Keys.ENTER)
        eventually(lambda: browser.run("return document.activeElement.id;") == "export-format", "the formats")
        assert browser.run("return document.activeElement.value;") == FORMATS[-1], "the last one"
        browser.press("SubRip")
        assert browser.run("return document.activeElement.value;") == "srt" and browser.shows("#export-captions")
        assert not browser.shows("#export-speakers"), "the speakers are unknown"
        accessible(browser, "export")
        browser.press(Keys.ESCAPE)
        assert not browser.shows("#export-dialog[open]") and focused() == "Export"
    with check("every key is listed"):
        browser.press("?")
        eventually(lambda: browser.shows("#keys-dialog[open]"), "the keys")
        accessible(browser, "keys")
        browser.press(Keys.ESCAPE)
        eventually(lambda: not browser.shows("#keys-dialog[open]"), "no dialog")
        browser.press("r")
        eventually(lambda: browser.shows("#record-dialog[open]"), "what is to be recorded")
        assert browser.run("return document.getElementById('source').value;") == "mic.monitor", "the last one"
        browser.press(Keys.ESCAPE)


def outage(browser, check):
    place = session(browser)
    shown = rows(browser)
    proxy = BreakingProxy(page)
    with check("what failed during an outage is repeated after it"):
        browser.open(proxy.address)
        eventually(lambda: browser.texts("#sessions .session-link"), "the list")
        with proxy.away():
            eventually(lambda: browser.shows("#connection"), "it says that it reconnects")
            browser.run("location.hash = arguments[0];", f"#/session/{place}")
            eventually(lambda: browser.shows("#trouble"), "it says that the server is away")
            assert "cannot be reached" in browser.text("#trouble-text"), browser.text("#trouble-text")
            browser.click("#retry")
            browser.press("/")
            browser.press(shown[0].split()[0])
            eventually(lambda: "cannot be reached" in browser.text("#search-state"), "no answer to the search")
            accessible(browser, "outage")
        eventually(lambda: rows(browser) == shown, "the session's rows")
        eventually(lambda: browser.texts("#hits mark"), "what was searched for")
        eventually(lambda: not browser.shows("#trouble"), "no trouble")
        browser.press(Keys.ESCAPE)
    # Browsers log an outage as an error.
    browser.complaints()
    with check("a malformed address opens the start page"):
        browser.open(f"{page}#/session/%zz")
        eventually(lambda: browser.shows("#welcome") and browser.texts("#sessions .session-link"), "the list")
    with check("a session that is deleted elsewhere does not stay open"):
        other = subprocess.run(
            [longhand, "import", sentence], capture_output=True, check=True, text=True).stdout.split()[0]
        browser.open(f"{page}#/session/{other}")
        eventually(lambda: browser.text("#facts .state") == "complete", "the session")
        subprocess.run([longhand, "delete", other], capture_output=True, check=True)
        eventually(lambda: browser.shows("#welcome"), "home")
        eventually(lambda: "deleted" in browser.text("#notices"), "why")
    browser.complaints()
    browser.open(f"{page}#/session/{place}")
    eventually(lambda: rows(browser) == shown, "the rows")


def resume(browser, check):
    place = session(browser)
    listed = "#sessions li:first-child"
    with check("an interrupted session is shown, and is resumed from the page"):
        importing = subprocess.Popen([longhand, "import", sound], stdout=subprocess.DEVNULL)
        eventually(lambda: "transcribing" in browser.text(listed) and "%" in browser.text(listed), "how far it is")
        browser.click(f"{listed} a")
        eventually(lambda: "transcribing" in browser.text("#facts .state"), "its state")
        eventually(lambda: not browser.shows("#resume") and browser.shows("#stop-work"), "it can be stopped")
        importing.kill()
        importing.wait()
        eventually(lambda: browser.text("#facts .state") == "interrupted", "the end of the process")
        eventually(lambda: "interrupted" in browser.text(listed), "the end in the list")
        accessible(browser, "interrupted")
        eventually(lambda: not browser.run("return document.getElementById('delete').disabled;"), "it can be deleted")
        browser.click("#resume")
        eventually(lambda: browser.text("#facts .state") == "complete", "a complete session")
        eventually(lambda: not browser.shows("#resume") and rows(browser), "its rows")
        subprocess.run([longhand, "delete", session(browser), "--yes"], capture_output=True, check=True)
        eventually(lambda: browser.shows("#welcome"), "home")
    browser.complaints()
    browser.open(f"{page}#/session/{place}")
    eventually(lambda: rows(browser) and all(rows(browser)), "the rows")


# Marks the longest silence after a word as speech without words.
WORDLESS = """
    const native = window.fetch;
    window.EventSource = class extends EventTarget { close() {} };
    window.fetch = async (path, options) => {
      const response = await native(path, options);
      if (path !== `api/sessions/${location.hash.split('/')[2]}`) return response;
      const answer = await response.json();
      const length = (span) => span.end - span.start;
      const silent = answer.spans.filter(({kind, start}) => kind === 'silent' && start > 0)
        .sort((a, b) => length(b) - length(a));
      Object.assign(silent[0], { kind: 'wordless', reason: 'speech without words' });
      answer.coverage.silent -= length(silent[0]);
      answer.coverage.wordless += length(silent[0]);
      return Response.json(answer);
    };"""


def wordless(browser, check):
    with check("speech without words is shown and can be played"):
        script = browser.before_page(WORDLESS)
        browser.driver.refresh()
        eventually(lambda: browser.shows(".between.wordless"), "the stretch between the rows")
        assert browser.text(".between.wordless").startswith("speech without words ·"), browser.text(".between.wordless")
        eventually(lambda: any("speech without words" in text for text in browser.texts("#legend li")), "the legend")
        accessible(browser, "wordless")
        start = float(browser.run("return document.querySelector('.wordless .play-span').dataset.key.split('-')[1];"))
        sought = heard_at(browser, lambda: browser.click(".wordless .play-span"))
        assert abs(sought - start) < 0.02, f"{sought}, it begins at {start}"
        browser.run("document.getElementById('audio').pause();")
    browser.not_before_page(script)
    browser.driver.refresh()
    eventually(lambda: rows(browser) and all(rows(browser)), "the rows")


def second_text(browser, check):
    with check("the vocabulary's names are shown on request, and lead to their places"):
        place, row = session(browser), next(i for i, text in enumerate(rows(browser)) if len(text.split()) > 3)
        assert not browser.shows("#normalized"), "a session without a vocabulary has no second text"
        heard = " ".join(word["text"] for word in words_of(browser, row)[1:3])
        with tempfile.NamedTemporaryFile("w", suffix=".json5") as file:
            json.dump({"name": "names", "corrections": [{"heard": heard, "text": "Zyx Wvu"}], "entities": ["Zyx Wvu"]}, file)
            file.flush()
            subprocess.run([longhand, "retranscribe", "-q", place, "--vocabulary", file.name], check=True, stdout=subprocess.DEVNULL)
        browser.driver.refresh()
        eventually(lambda: rows(browser) and all(rows(browser)), "the rows")
        eventually(lambda: browser.shows("#terms .term"), "the names")
        assert browser.text("#terms .term") == "Zyx Wvu1", browser.text("#terms")
        assert not browser.texts(".changed"), "the text is as recognized"
        browser.press("n")
        eventually(lambda: browser.texts(".changed"), "the second text")
        assert heard in browser.text(".changed"), "the recognized text is shown"
        assert rows(browser)[row][0].isupper(), "the sentence keeps its capital"
        accessible(browser, "second-text")
        browser.click("#terms .term")
        eventually(lambda: "Zyx Wvu" in browser.text(".row.current .text"), "the place")
        browser.click("#normalized")
        eventually(lambda: not browser.texts(".changed"), "the text as recognized")


def delete(browser, check):
    with check("a session is deleted only after a confirmation"):
        path = f"/api/sessions/{session(browser)}"
        browser.click("#more")
        browser.click("#delete")
        eventually(lambda: browser.shows("#delete-dialog[open]"), "the question")
        assert browser.run("return document.activeElement.id;") == "delete-cancel"
        browser.picture("delete-wide-light")
        browser.press(Keys.ESCAPE)
        eventually(lambda: not browser.shows("#delete-dialog[open]"), "no question")
        assert "id" in browser.json(path)
        browser.click("#more")
        browser.click("#delete")
        eventually(lambda: browser.shows("#delete-dialog[open]"), "the question")
        browser.click("#delete-confirm")
        eventually(lambda: browser.shows("#welcome") and "Nothing" in browser.text("#sessions"), "an empty library")
    with check("the page has logged no error"):
        complaints = browser.complaints()
        assert not complaints, "\n".join(complaints)
        assert "error" in browser.json(path)


class Foreign(http.server.BaseHTTPRequestHandler):
    """The server of another user of the machine, or another site in the same browser."""

    body = ""
    cookies = []

    def do_GET(self):
        Foreign.cookies.append((self.path, self.headers.get("Cookie", "")))
        body = f"<!doctype html><title>foreign</title>{Foreign.body}".encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@contextlib.contextmanager
def foreign(body):
    """Serves a foreign page. Yields its addresses: of the same site, and of another one."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Foreign)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    Foreign.body = body
    try:
        yield [f"http://{name}:{server.server_port}/" for name in ("127.0.0.1", "localhost")]
    finally:
        server.shutdown()


def sign_in(browser, check):
    with check("the address bar has no token, and scripts see no cookie"):
        browser.open(page)
        eventually(lambda: browser.shows("#welcome"), "the welcome")
        own = browser.driver.current_url
        assert own.startswith(base) and token not in own, own
        assert browser.run("return document.cookie;") == ""
    with check("without the token there is only the sign-in page"):
        # With its key, the browser would be signed in again.
        browser.run_async("await new Promise((done) => { indexedDB.deleteDatabase('longhand-sign-in').onsuccess = done; });")
        browser.open(base)
        assert browser.shows("#token") and browser.run("return document.scripts.length;") == 1
        accessible(browser, "sign-in")
        browser.find("#token").send_keys("wrong", Keys.ENTER)
        eventually(lambda: "wrong" in browser.text("[role=alert]"), "the reason")
        browser.find("#token").send_keys(token, Keys.ENTER)
        eventually(lambda: browser.shows("#welcome"), "the welcome")
        assert browser.driver.current_url.rstrip("#/") == own.rstrip("#/"), browser.driver.current_url
    with check("a link of another site opens the page"):
        for link in (own, page):
            with foreign(f"<a href='{link}'>link</a>") as addresses:
                for address in addresses:
                    browser.open(address)
                    browser.click("a")
                    eventually(lambda: browser.shows("#welcome"), f"the page, from {address} to {link}")
    # Browsers log a status of 401 as an error.
    browser.complaints()


# What a page of another site can send. `given` has the addresses of the server: with and without the page's own path.
ATTACK = """
    const refused = () => 'refused';
    const outcomes = [];
    const loaded = (node, address) => new Promise((resolve) => {
      node.onload = node.onmessage = node.onopen = () => resolve('loaded');
      node.onerror = () => resolve('refused');
      setTimeout(() => resolve('nothing happened'), 10000);
      if (address) node.src = address;
    });
    for (const base of given[0]) {
      for (const path of ['', 'page/app.js', 'health', 'api/sessions', 'api/recording']) {
        for (const mode of ['cors', 'no-cors']) {
          for (const method of ['GET', 'POST']) {
            const answer = await fetch(base + path, {mode, method, credentials: 'include'})
              .then((response) => response.text(), refused);
            outcomes.push([method, mode, base + path, answer || 'refused']);
          }
        }
      }
      const body = JSON.stringify({});
      const headers = {'Content-Type': 'application/json'};
      outcomes.push(['DELETE', base, await fetch(base + 'api/sessions/x', {method: 'DELETE', headers, body}).then((r) => r.text(), refused)]);
      outcomes.push(['image', base, await loaded(new Image(), base + 'page/icon.svg')]);
      const script = document.createElement('script');
      document.body.append(script);
      outcomes.push(['script', base, await loaded(script, base + 'page/app.js')]);
      outcomes.push(['events', base, await loaded(new EventSource(base + 'api/events', {withCredentials: true}))]);
      outcomes.push(['socket', base, await loaded(new WebSocket(base.replace('http:', 'ws:') + 'api/events'))]);
      const frame = document.createElement('iframe');
      frame.name = `target-${outcomes.length}`;
      document.body.append(frame);
      const form = document.createElement('form');
      Object.assign(form, {method: 'post', action: base + 'api/recording', target: frame.name});
      document.body.append(form);
      const sent = loaded(frame);
      form.submit();
      await sent;
    }
    return outcomes;"""


def attack(browser, check):
    place = session(browser)
    with check("a page of another site gets nothing, not even the cookie"):
        browser.open(page)
        eventually(lambda: browser.texts("#sessions .session-link"), "the list")
        own = browser.driver.current_url.split("#")[0]
        Foreign.cookies.clear()
        with foreign("<p>attack</p>") as addresses:
            for address in addresses:
                for path in ("", "api/sessions", "page/app.js"):
                    browser.open(address + path)
                outcomes = browser.run_async(ATTACK, [base, own])
                assert len(outcomes) == 2 * 25, len(outcomes)
                assert all(outcome[-1] == "refused" for outcome in outcomes), outcomes
        assert Foreign.cookies and not any("longhand" in cookie for _, cookie in Foreign.cookies), Foreign.cookies
        browser.complaints()
        browser.open(f"{page}#/session/{place}")
        eventually(lambda: rows(browser) and all(rows(browser)), "the rows")
        assert browser.json("api/recording")["state"] == "idle"


def embed(browser, check):
    with check("no other site can embed the page"):
        with foreign(f"<iframe src='{page}'></iframe>") as addresses:
            for address in addresses:
                browser.open(address)
                refused = lambda: any("frame-ancestors" in text for text in browser.complaints())  # noqa: E731
                eventually(refused, "the browser logs the refusal")
                browser.driver.switch_to.frame(0)
                assert not browser.run("return document.getElementById('session');"), "the page is in the frame"
                browser.driver.switch_to.default_content()


with Browser(screenshots) as browser:
    check = Checks(functools.partial(browser.picture))
    sign_in(browser, check)
    record(browser, check)
    read(browser, check)
    change(browser, check)
    keys(browser, check)
    wordless(browser, check)
    outage(browser, check)
    resume(browser, check)
    attack(browser, check)
    second_text(browser, check)
    delete(browser, check)
    embed(browser, check)
    check.end()
