"""Stops, moves and removes what runs or waits.

    stop.py PAGE TALK SCREENSHOTS

PAGE is the page's address with the token. The recognizer of the server takes minutes for the last utterance of TALK.
"""

import functools
import pathlib
import sys
import tempfile

from browser import Browser, eventually
from checks import Checks
from person import accessible, confirm, rows, session

page, talk, screenshots = sys.argv[1:]

# Parts of files take a while.
SLOW = """
const fetched = window.fetch;
window.fetch = async (path, options) => {
  if (options?.method === 'PUT') await new Promise((resolve) => setTimeout(resolve, 300));
  return fetched(path, options);
};
"""


def copies(folder, count):
    """Files with the same speech, and other bytes."""
    sound = bytearray(pathlib.Path(talk).read_bytes())
    for number in range(count):
        sound[-1] = number
        path = pathlib.Path(folder, f"talk-{number}.wav")
        path.write_bytes(sound)
        yield str(path)


def listed(browser):
    return browser.json("api/sessions")["sessions"]


def about(browser, name):
    return next((one for one in listed(browser) if one["source"] == name), {})


def show(browser, name):
    browser.run(f"location.hash = '#/session/{about(browser, name)['id']}';")
    eventually(lambda: pathlib.Path(name).stem in browser.text("#title"), f"{name} is open")


def badge(browser):
    return browser.text("#facts .state")


def run(browser, check, folder):
    with check("the session that runs is stopped, and keeps its text"):
        browser.open(page)
        eventually(lambda: browser.shows("#welcome-add"), "the page")
        browser.find("#files").send_keys("\n".join(copies(folder, 4)))
        confirm(browser)
        eventually(lambda: len(listed(browser)) == 4, "they are received")
        show(browser, "talk-0.wav")
        eventually(lambda: any(rows(browser)), "the first words")
        assert browser.shows("#stop-work")
        browser.picture("stop-runs")
        accessible(browser, "stop-runs")
        browser.click("#stop-work")
        eventually(lambda: badge(browser) == "stopped", "it is stopped")
        assert browser.shows("#resume") and not browser.shows("#stop-work")
        assert any(rows(browser))
        browser.picture("stop-stopped")
    with check("sessions that wait are moved and stopped"):
        eventually(lambda: about(browser, "talk-1.wav")["state"] == "transcribing", "the next one runs")
        show(browser, "talk-3.wav")
        assert badge(browser) == "queued", badge(browser)
        assert about(browser, "talk-3.wav")["position"] == 2
        browser.click("#more")
        browser.picture("stop-menu")
        browser.click("#move-first")
        eventually(lambda: about(browser, "talk-3.wav")["position"] == 1, "it is the next one")
        eventually(lambda: not browser.run("return document.getElementById('move-up').checkVisibility();"), "no way up")
        browser.click("#stop-work")
        eventually(lambda: badge(browser) == "stopped", "it is stopped")
        assert browser.text("#nothing") == "Nothing is transcribed yet.", browser.text("#nothing")
    with check("what runs is removed after a question"):
        show(browser, "talk-1.wav")
        browser.click("#more")
        assert browser.text("#delete") == "Stop and remove…", browser.text("#delete")
        browser.click("#delete")
        eventually(lambda: browser.shows("#delete-dialog[open]"), "the question")
        assert browser.shows("#delete-stops")
        browser.picture("stop-remove")
        browser.click("#delete-confirm")
        eventually(lambda: not about(browser, "talk-1.wav"), "it is gone")
        eventually(lambda: about(browser, "talk-2.wav")["state"] == "transcribing", "the next one runs")


def send(browser, check, folder):
    with check("an upload is stopped, continued and removed"):
        file = pathlib.Path(folder, "large.wav")
        file.write_bytes(pathlib.Path(talk).read_bytes() * 12)
        browser.run(SLOW)
        browser.find("#files").send_keys(str(file))
        confirm(browser)
        eventually(lambda: browser.json("api/uploads")["uploads"], "it is received")
        browser.click("#uploads .stop")
        eventually(lambda: browser.text("#uploads .state").startswith("stopped"), "it is stopped")
        eventually(lambda: browser.json("api/uploads")["uploads"][0]["isStopped"], "the server knows it")
        browser.picture("stop-upload")
        received = browser.json("api/uploads")["uploads"][0]["received"]
        browser.open(page)
        eventually(lambda: browser.text("#uploads .state").startswith("stopped"), "also after a reload")
        assert browser.json("api/uploads")["uploads"][0]["received"] == received
        browser.run(SLOW)
        browser.click("#uploads .stop")
        eventually(lambda: browser.json("api/uploads")["uploads"][0]["received"] > received, "it goes on")
        browser.click("#uploads .icon-button:not(.stop)")
        eventually(lambda: not browser.json("api/uploads")["uploads"], "it is removed")


with Browser(screenshots) as browser, tempfile.TemporaryDirectory() as folder:
    check = Checks(functools.partial(browser.picture))
    run(browser, check, folder)
    send(browser, check, folder)
    check.end()
