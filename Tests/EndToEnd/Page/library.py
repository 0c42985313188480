"""Brings files into the library, and names, tags, finds, copies and deletes sessions.

    library.py PAGE LONGHAND SHORT LONG OTHER SCREENSHOTS

PAGE is the page's address with the token, LONGHAND the executable, which uses the same library as the server; SHORT, LONG and
OTHER are recordings of speech.
"""

import base64
import functools
import pathlib
import shutil
import subprocess
import sys
import tempfile

from browser import Browser, Keys, eventually
from checks import Checks
from person import accessible, command, confirm, drop, focused, is_soak, rows, session

page, longhand, short, long, other, screenshots = sys.argv[1:]


def names(browser):
    return browser.texts("#sessions .session-name")


def states(browser):
    return browser.texts("#sessions .state")


def is_done(browser, count):
    return len(names(browser)) == count and not states(browser) and not browser.texts("#uploads li")


def bring(browser, check):
    with check("the empty page offers two ways to begin, and says what stays private"):
        browser.open(page)
        eventually(lambda: browser.shows("#welcome-add"), "the button")
        assert browser.shows("#welcome-record")
        assert "stay on this computer" in browser.text("#welcome-text")
        accessible(browser, "empty")
    with check("a chosen file is imported, opened, and shown while it is transcribed"):
        browser.find("#files").send_keys(short)
        confirm(browser)
        eventually(lambda: names(browser) == [pathlib.Path(short).stem], "its row")
        eventually(lambda: session(browser), "the session is opened")
        eventually(lambda: is_done(browser, 1), "the end")
        eventually(lambda: rows(browser) and all(rows(browser)), "its text")
        assert browser.text("#sessions .day-name") == "Today", browser.text("#sessions")
        assert browser.text(".session-excerpt"), "the list has its first words"
    with check("dropped files wait for their turns, and those that are there already or have no audio are reported"):
        files = [(pathlib.Path(path).name, base64.b64encode(pathlib.Path(path).read_bytes()).decode())
                 for path in (long, short, other)]
        assert drop(browser, files + [("notes.wav", base64.b64encode(b"no audio" * 99).decode())]), "the target is shown"
        confirm(browser)
        eventually(lambda: "already in the library" in browser.text("#notices"), "the duplicate")
        eventually(lambda: "failed" in browser.text("#uploads .state"), "the file without audio")
        assert "cannot be imported" in browser.text("#uploads .why"), browser.text("#uploads")
        browser.find("#query").send_keys("x")
        eventually(lambda: not browser.shows("#session-list"), "a search")
        assert browser.shows("#uploads li"), "a search hides no upload"
        browser.find("#query").send_keys(Keys.ESCAPE)
        eventually(lambda: browser.shows("#session-list"), "the list")
        accessible(browser, "failed-upload")
        browser.click("#uploads .upload button:not(.stop)")
        eventually(lambda: is_done(browser, 3), "the others")
    with check("a large file survives a lost network and a reload"):
        with tempfile.TemporaryDirectory() as folder:
            large = pathlib.Path(folder) / "large.wav"
            # Large by its format, as all of it is transcribed.
            samples = pathlib.Path(long).read_bytes()[44:] * 2 + bytes(8 * 32000)
            subprocess.run(
                ["ffmpeg", "-loglevel", "error", "-f", "s16le", "-ar", "16000", "-ac", "1", "-i", "-", "-ac", "2",
                 "-ar", "48000", "-c:a", "pcm_f64le", large], input=samples, check=True)
            assert large.stat().st_size > 8 << 20
            # The browser waits after each part, so that there is a middle.
            slow = browser.before_page(
                """
                const native = window.fetch;
                window.fetch = async (path, options) => {
                  if (options?.method === 'PUT') {
                    await new Promise((r) => setTimeout(r, 300));
                    if (sessionStorage.hold) throw new TypeError('lost');
                  }
                  return native(path, options);
                };""")
            browser.driver.refresh()
            eventually(lambda: is_done(browser, 3), "the list")
            browser.find("#files").send_keys(str(large))
            confirm(browser)
            eventually(lambda: "uploading" in browser.text("#uploads .state")
                       and "0 %" != browser.text("#uploads .state").split("uploading ")[1], "a part of it")
            browser.run("sessionStorage.hold = 'yes';")
            known = lambda: browser.json("api/uploads")["uploads"]  # noqa: E731
            received = eventually(lambda: [one["received"] for one in known() if one["received"] > 0], "what the server has")
            assert 0 < received[0] < large.stat().st_size
            accessible(browser, "uploading")
            browser.driver.refresh()
            eventually(lambda: browser.texts("#uploads li"), "it is still there after the reload")
            browser.run("sessionStorage.removeItem('hold');")
            eventually(lambda: "large" in names(browser), "the file is in the library", 60)
            browser.not_before_page(slow)
            assert not known()
    with check("while a file is transcribed, only its row is loaded and drawn again"):
        lists = lambda: browser.run(  # noqa: E731
            "return performance.getEntriesByType('resource').map((one) => one.name)"
            ".filter((name) => name.includes('api/sessions?'));")
        # The list is loaded as a whole when the file is added, perhaps after its first change, and after that only its row.
        eventually(lambda: any("?ids=" in one for one in lists()), "the row is loaded")
        browser.run("performance.clearResourceTimings();"
                    "window.kept = [...document.querySelectorAll('#sessions a')].slice(1);")
        eventually(lambda: is_done(browser, 4), "the end")
        assert browser.run("return window.kept.length === 3 && window.kept.every((link) => link.isConnected);")
        found = lists()
        newest = browser.json("api/sessions")["sessions"][0]["id"]
        parts = [one for one in found if "?ids=" in one]
        assert all(one.endswith(f"?ids={newest}") for one in parts), found
        assert len(found) - len(parts) <= 1, found
    browser.complaints()


def name(browser, check):
    with check("a session is renamed in its place"):
        browser.run("[...document.querySelectorAll('#sessions a')].at(-1).click();")
        eventually(lambda: rows(browser) and all(rows(browser)), "the session")
        browser.click("#name")
        assert focused(browser) == "name-field"
        browser.press("Interview one", Keys.ENTER)
        eventually(lambda: names(browser)[-1] == "Interview one", "the name in the list")
        eventually(lambda: browser.text("#name") == "Interview one" and focused(browser) == "name", "the name itself")
        browser.press(Keys.ENTER)
        eventually(lambda: focused(browser) == "name-field", "the field")
        browser.press("not this", Keys.ESCAPE)
        assert browser.text("#name") == "Interview one"
    with check("a renamed session is exported under its name"), tempfile.TemporaryDirectory() as folder:
        subprocess.run(
            [longhand, "export", session(browser), "--format", "md,srt", "--output-dir", folder], check=True)
        assert {file.name for file in pathlib.Path(folder).iterdir()} == {"Interview one.md", "Interview one.srt"}
        text = (pathlib.Path(folder) / "Interview one.md").read_text()
        assert text.startswith("# Interview one\n\n") and " · English" in text.split("\n")[2], text[:200]
        disposition = browser.run_async(
            "return (await fetch(given[0])).headers.get('Content-Disposition');",
            f"api/sessions/{session(browser)}/export?format=docx")
        assert 'filename="Interview one.docx"' in disposition, disposition
        listed = subprocess.run([longhand, "sessions"], capture_output=True, check=True, text=True).stdout
        assert "Interview one" in listed, listed
    with check("tags and a note are written, shown, and filter the list"):
        browser.click("#more")
        eventually(lambda: focused(browser) == "edit-details", "the first action of the menu")
        accessible(browser, "menu")
        browser.press(Keys.ENTER)
        eventually(lambda: browser.shows("#details-dialog[open]"), "the dialog")
        browser.find("#tags-field").send_keys("interview, Anna")
        browser.find("#note-field").send_keys("Ask about the second chapter.")
        accessible(browser, "details")
        browser.find("#note-field").send_keys(Keys.TAB, Keys.TAB, Keys.ENTER)
        eventually(lambda: browser.texts("#tags .tag") == ["interview", "Anna"], "the tags")
        eventually(lambda: browser.text("#note") == "Ask about the second chapter.", "the note")
        eventually(lambda: browser.texts("#tag-filter button") == ["Anna", "interview"], "the filter")
        browser.click("#tag-filter button")
        eventually(lambda: names(browser) == ["Interview one"], "only this session")
        accessible(browser, "tagged")
        browser.click("#tag-filter button")
        eventually(lambda: len(names(browser)) == 4, "all sessions")
    with check("the arrows move through the list"):
        browser.run("document.querySelector('#sessions a').focus();")
        browser.press(Keys.ARROW_DOWN, Keys.ARROW_DOWN)
        assert browser.run("return [...document.querySelectorAll('#sessions a')].indexOf(document.activeElement);") == 2
        browser.press(Keys.END, Keys.ENTER)
        eventually(lambda: browser.text("#name") == "Interview one", "the last one")


def find(browser, check):
    with check("words are found in the open session, which is played from there"):
        browser.run("[...document.querySelectorAll('#sessions a')].find((a) => a.textContent.includes('large')).click();")
        eventually(lambda: browser.text("#name") == "large" and rows(browser) and all(rows(browser)), "the session")
        words = [word.strip(".,?").lower() for row in rows(browser) for word in row.split()]
        word = max((word for word in words if words.count(word) > 1), key=len)
        browser.run("document.getElementById('scroller').focus();")
        browser.press("f")
        eventually(lambda: focused(browser) == "find-field", "the field")
        browser.press(word)
        eventually(lambda: browser.text("#find-state").startswith("1 of "), "the first place")
        count = int(browser.text("#find-state").split()[-1])
        assert count >= 2, browser.text("#find-state")
        accessible(browser, "find", smallest=320)
        browser.find("#find-field").send_keys(Keys.ENTER)
        eventually(lambda: browser.text("#find-state") == f"2 of {count}", "the second place")
        eventually(lambda: browser.shows("li.current .found"), "the word")
        # A paragraph may have the word in several of its segments; this is the second segment that has it.
        segments = browser.json(f"/api/sessions/{session(browser)}/segments")["segments"]
        said = [[one["start"] for one in segment["words"] if one["text"].strip(".,?").lower() == word] for segment in segments]
        start = [starts[0] for starts in said if starts][1]
        eventually(lambda: abs(browser.run("return document.getElementById('audio').currentTime;") - start) < 0.05,
                   "the playback position is there")
        browser.find("#find-field").send_keys(Keys.ESCAPE)
        eventually(lambda: not browser.shows("#find") and not browser.texts(".found"), "nothing is marked")
    with check("a search shows its hits by session, and respects the filter"):
        browser.press("/")
        browser.press(word)
        eventually(lambda: browser.texts("#hits mark"), "hits")
        groups = browser.texts("#hits .hit-source")
        assert len(groups) == len(set(groups)) and "large" in groups, groups
        accessible(browser, "search")
        browser.run("document.querySelector('#tag-filter button').click();")
        eventually(lambda: "large" not in browser.texts("#hits .hit-source"), "only the tagged session is searched")
        browser.run("document.querySelector('#tag-filter button').click();")
        browser.run("document.getElementById('query').focus();")
        browser.press(Keys.ESCAPE)
        eventually(lambda: len(names(browser)) == 4, "the list")


def read(browser, check):
    height = "return document.querySelector(arguments[0]).getBoundingClientRect().height;"
    with check("on a small laptop, the text has two thirds of the page"):
        browser.size(1366, 768)
        browser.frames()
        assert browser.run(height, "#scroller") >= 0.65 * 768, browser.run(height, "#scroller")
        assert browser.run("return document.querySelector('#timeline').clientWidth;") > 500
        accessible(browser, "laptop")
    with check("the legend is shown when it is wanted"):
        assert not browser.shows("#legend li")
        browser.click("#show-legend")
        assert browser.shows("#legend li")
        browser.click("#show-legend")
        assert not browser.shows("#legend li")
    with check("Home shows the beginning"):
        browser.size(1366, 300)
        top = "return document.getElementById('scroller').scrollTop;"
        browser.run("document.getElementById('scroller').focus();")
        browser.press(Keys.END)
        eventually(lambda: browser.run(top) > 20, "the end", 20)
        browser.press(Keys.HOME)
        browser.frames()
        assert browser.run(top) == 0, browser.run(top)
    with check("Esc after a dialog plays nothing"):
        is_paused = "return document.getElementById('audio').paused;"
        browser.press("?")
        eventually(lambda: browser.shows("#keys-dialog[open], dialog[open]"), "the dialog")
        browser.press(Keys.ESCAPE)
        eventually(lambda: not browser.shows("dialog[open]"), "it is closed")
        browser.press(Keys.ESCAPE)
        browser.frames()
        assert browser.run(is_paused)
        browser.press("k", Keys.ESCAPE)
        eventually(lambda: not browser.run(is_paused), "it plays")
        browser.press(Keys.ESCAPE)
        eventually(lambda: browser.run(is_paused), "it pauses")
        browser.size(1280, 800)


def take(browser, check):
    with check("the text is copied as it is exported, with times and without"):
        browser.driver.execute_cdp_cmd(
            "Browser.grantPermissions", {"permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]})
        for action, form in (("copy-text", "txt"), ("copy-timed", "md")):
            browser.click("#more")
            browser.click(f"#{action}")
            expected = subprocess.run(
                [longhand, "export", session(browser), "--format", form], capture_output=True, check=True, text=True).stdout
            eventually(lambda: browser.run_async("return await navigator.clipboard.readText();") == expected, form)
    with check("all of the transcript is printed"):
        browser.run("""
            window.print = () => {
              const printed = document.getElementById('printed');
              window.printedText = printed.textContent;
            };""")
        def by_menu():
            browser.click("#more")
            browser.click("#print")
        for ask in (by_menu, lambda: command(browser, "p")):
            browser.run("window.printedText = null;")
            ask()
            text = eventually(lambda: browser.run("return window.printedText;"), "the print")
            assert "large" in text and "00:00:00" in text, text[:200]
            assert all(row.split()[0] in text for row in rows(browser))


def watch(browser, check):
    with check("a folder is watched, and is not any more"), tempfile.TemporaryDirectory() as folder:
        browser.click("#watch")
        eventually(lambda: focused(browser) == "watch-folder", "the dialog")
        accessible(browser, "watch-folder")
        browser.press(f"{folder}/nosuch", Keys.ENTER)
        eventually(lambda: "nosuch" in browser.text("#watch-error"), "why it cannot be watched")
        assert browser.shows("#watch-dialog[open]")
        browser.run("document.getElementById('watch-folder').select();")
        browser.press(folder, Keys.ENTER)
        eventually(lambda: not browser.shows("#watch-dialog[open]"), "it is watched")
        eventually(lambda: browser.text("#watch") == f"Watched folder: {pathlib.Path(folder).name}", "the folder")
        assert browser.json("api/watch")["folder"] == folder
        if is_soak:
            # The second one has the same bytes.
            for name in ("arrived.wav", "again.wav"):
                shutil.copy(short, f"{folder}/{name}")
                with open(f"{folder}/{name}", "ab") as file:
                    file.write(bytes(2))
            eventually(lambda: is_done(browser, 4) and {"arrived", "again"} & set(names(browser)), "what arrived")
        browser.click("#watch")
        eventually(lambda: browser.shows("#watch-dialog[open]"), "the dialog")
        browser.click("#watch-off")
        eventually(lambda: browser.text("#watch") == "Watch a folder…", "it is not watched")
        assert browser.json("api/watch")["folder"] is None


# Changes the session before it is deleted, waits until the page has seen that, and notes what it asks of the session.
ASKED = """
const [fetched, id] = [window.fetch, location.hash.split('/')[2].split('?')[0]];
window.asked = [];
window.fetch = async (path, options) => {
  if (options?.method === 'DELETE') {
    const listed = new Promise((resolve) => window.listed = resolve);
    await fetched(path, {
      method: 'PATCH', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ note: 'changed' }),
    });
    await listed;
    for (let frames = 0; frames < 5; frames += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
  } else if (path.includes(`sessions/${id}`)) window.asked.push(path);
  const answer = await fetched(path, options);
  if (path.includes('ids=')) window.listed?.();
  return answer;
};
"""


def delete(browser, check):
    with check("a session is deleted behind the menu, after a question"):
        browser.click("#more")
        browser.click("#delete")
        eventually(lambda: browser.shows("#delete-dialog[open]"), "the question")
        assert browser.text("#delete-name") == "large"
        browser.run(ASKED)
        browser.click("#delete-confirm")
        eventually(lambda: "large" not in names(browser) and len(names(browser)) == 3, "it is gone")
        assert browser.run("return window.asked;") == [], "a session that is being deleted is not asked for"


with Browser(screenshots) as browser:
    check = Checks(functools.partial(browser.picture))
    bring(browser, check)
    name(browser, check)
    find(browser, check)
    read(browser, check)
    take(browser, check)
    delete(browser, check)
    watch(browser, check)
    with check("the page has logged no error"):
        complaints = [line for line in browser.complaints() if "400 (Bad Request)" not in line]
        assert not complaints, "\n".join(complaints)
    check.end()
