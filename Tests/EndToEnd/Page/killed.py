"""A person's way through the page while the server is killed again and again: nothing that was confirmed is lost, and the page
recovers by itself.

    killed.py LONGHAND LIBRARY KILLS FIRST SECOND THIRD SCREENSHOTS

The recordings are brought in, the longest one is renamed and corrected, words are added to the vocabulary, found, and exported.
Without enough kills the way is gone again, with other files.
"""

import pathlib
import re
import subprocess
import sys
import time

from browser import DEADLINE, Browser, Keys, eventually
from checks import Checks
from killed_server import Server
from person import rows, session

longhand, library, kills, *recordings, screenshots = sys.argv[1:]
kills = int(kills)
CORRECTIONS = 10


def confirmed(act, is_confirmed, what):
    """Repeats an action of the person until the page confirms it."""
    end = time.monotonic() + DEADLINE
    while True:
        try:
            act()
        except Exception:  # The page is drawn again, or covers the element with a message.
            time.sleep(0.1)
        for _ in range(30):
            if is_confirmed():
                return
            time.sleep(0.1)
        assert time.monotonic() < end, f"timeout: {what}"


def asked(*arguments):
    return subprocess.run(
        [longhand, *arguments, "--library", library], capture_output=True, check=True, text=True).stdout


def tidy(browser):
    """Closes the messages on errors, as a person does."""
    browser.run("for (const button of document.querySelectorAll('#notices button')) button.click();")


class Way:
    def __init__(self, browser, server, number):
        self.browser = browser
        self.server = server
        self.name = f"way {number}"
        self.files = []
        for index, path in enumerate(recordings):
            file = pathlib.Path(library).with_name(f"way-{number}-{index}.wav")
            bytes_ = bytearray(pathlib.Path(path).read_bytes())
            # The same bytes would be a duplicate.
            bytes_[-1] = (bytes_[-1] + number) % 256
            bytes_[-3] = (bytes_[-3] + number) % 256
            file.write_bytes(bytes_)
            self.files.append(file)
        letters = "abcdefghijklmnopqrstuvwxyz"
        self.words = [f"Word{letters[number % 26]}{letters[index]}" for index in range(CORRECTIONS)]
        # After a correction whose answer was lost, the page does not offer to remember the word.
        self.remembered = []

    def go(self, share):
        for part, budget in [(self.bring, 1), (self.rename, 1), (self.correct, 2), (self.find, 1)]:
            self.server.budget += budget * share
            part()

    def listed(self):
        return self.browser.texts("#sessions .session-name")

    def bring(self):
        browser = self.browser
        browser.find("#files").send_keys("\n".join(str(file) for file in self.files))
        # Without a server, they wait with the last choice.
        eventually(lambda: browser.shows("#recognition-dialog[open]") or browser.texts("#uploads li"), "they are taken")
        if browser.shows("#recognition-dialog[open]"):
            browser.click("#recognition-start")
        names = [file.stem for file in self.files]
        eventually(lambda: all(name in self.listed() for name in names), "three sessions")
        # While one is transcribed and the others wait: no request makes the next server continue.
        self.server.kill()
        eventually(lambda: all(name in self.listed() for name in names) and not browser.texts("#uploads li")
                   and not browser.texts("#sessions .state"), "three transcripts")
        tidy(browser)
        longest = self.files[0].stem
        link = f"return [...document.querySelectorAll('#sessions a')].find((a) => a.textContent.startsWith('{longest}'))"
        confirmed(lambda: browser.run(f"{link}.click();"),
                  lambda: browser.text("#name") == longest and rows(browser) and all(rows(browser)), "the text")
        self.session = session(browser)

    def rename(self):
        browser = self.browser

        def act():
            tidy(browser)
            if not browser.shows("#name-form"):
                browser.click("#name")
            browser.run("const f = document.getElementById('name-field'); f.focus(); f.select();")
            browser.press(self.name, Keys.ENTER)

        confirmed(act, lambda: self.name in self.listed(), "the name")

    def correct(self):
        browser = self.browser
        for index, word in enumerate(self.words):
            place = f"li[data-row='0'] [data-word='{index}']"

            def act(place=place, word=word):
                tidy(browser)
                if not browser.shows("#word-field"):
                    browser.press(Keys.ESCAPE)
                    browser.click(place)
                    eventually(lambda: browser.shows("#word-field"), "the field", deadline=2)
                browser.run("const f = document.getElementById('word-field'); f.focus(); f.select();")
                browser.press(word, Keys.ENTER)

            def is_stored(word=word):
                # An answer that is lost on its way may be stored all the same.
                return browser.shows("#word-next") or word in browser.text(".row .text")

            confirmed(act, is_stored, f"correction {index}")
            if index < 2 and browser.shows("#word-remember"):
                confirmed(lambda: browser.click("#word-remember:enabled"),
                          lambda: browser.text("#word-remember") == "In the vocabulary", "the vocabulary")
                self.remembered.append(word)
            browser.press(Keys.ESCAPE)

    def find(self):
        browser = self.browser
        word = self.words[3]

        def act():
            tidy(browser)
            browser.run("const f = document.getElementById('query'); f.focus(); f.value = '';")
            browser.press(word.lower())

        confirmed(act, lambda: browser.texts("#hits mark") == [word], "the hit")
        file = browser.downloads / f"{self.name}.srt"

        def save():
            tidy(browser)
            if not browser.shows("#export-dialog[open]"):
                browser.click("#export")
            browser.run("document.getElementById('export-format').value = 'srt';")
            browser.click("#export-save")

        confirmed(save, lambda: file.exists() and word in file.read_text(), "the captions")
        browser.run("const f = document.getElementById('query'); f.value = ''; f.dispatchEvent(new Event('input'));")

    def check(self):
        """What was confirmed is there, after everything."""
        assert self.name in asked("sessions")
        assert all(word in asked("export", self.session, "--format", "txt") for word in self.words)
        plain = re.sub("[^a-z' ]", "", asked(
            "export", self.session, "--format", "txt", "--style", "words", "--without-corrections").lower())
        assert not [word for word in self.words if word.lower() in plain.split()]
        return plain.split()


with Browser(screenshots) as browser:
    check = Checks(browser.picture)
    server = Server(longhand, library)
    ways = []
    with check(f"the way is gone to its end while the server is killed {kills} times"):
        browser.open(server.page)
        eventually(lambda: browser.shows("#welcome-add"), "the empty page")
        server.watch()
        try:
            while server.kills < kills:
                ways.append(Way(browser, server, len(ways)))
                ways[-1].go(2 if kills > 5 else 1)
        finally:
            server.rest()
        print(f"figure: {server.kills} kills in {len(ways)} ways")
    with check("the page recovers by itself"):
        eventually(lambda: not browser.shows("#connection"), "it is connected")
        eventually(lambda: len(browser.texts("#sessions .session-name")) == 3 * len(ways), "every session once")
        assert not browser.texts("#uploads li") and not browser.texts("#sessions .state")
    with check("nothing that was confirmed is lost, and nothing is there twice"):
        server.stop()
        terms = pathlib.Path(library, "vocabulary.json5").read_text()
        said = [way.check() for way in ways]
        # However often it was interrupted, the recognizer's text is the same.
        assert all(text == said[0] for text in said), said
        assert all(word in terms for way in ways for word in way.remembered), terms
    check.end()
