"""A day's work of a person who publishes interviews, by keys alone: a vocabulary, three recordings that are transcribed in three
ways, 60 corrections, words that are replaced in all of them, named speakers, three exports. In the middle the server dies twice.

    worked-day.py LONGHAND LIBRARY FIRST SECOND THIRD FOURTH SCREENSHOTS

LIBRARY is the folder of an empty library. The recordings are short; the three that the person adds are made of them.
"""

import json
import pathlib
import re
import subprocess
import sys

import docx
from selenium.webdriver.common.action_chains import ActionChains

from browser import Browser, Keys, eventually
from checks import Checks
from killed_server import Server
from person import focused, rows, session

longhand, library, *recordings, screenshots = sys.argv[1:]
LETTERS = "abcdefghijklmnopqrst"
# By each way of correcting.
CORRECTIONS = len(LETTERS)
HAS_FOCUS = "return document.activeElement?.matches(arguments[0]) ?? false;"


class Person:
    """Counts each key, those that write text too."""

    def __init__(self, browser):
        self.browser = browser
        self.keys = 0

    def press(self, *keys, hold=()):
        actions = ActionChains(self.browser.driver)
        for key in hold:
            actions.key_down(key)
        for key in keys:
            actions.send_keys(key)
            self.keys += len(key)
        for key in hold:
            actions.key_up(key)
        actions.perform()
        self.keys += len(hold)

    def go(self, selector, back=False):
        """Goes to an element by Tab."""
        for _ in range(100):
            if self.browser.run(HAS_FOCUS, selector):
                return
            self.press(Keys.TAB, hold=[Keys.SHIFT] if back else [])
        raise AssertionError(f"Tab does not lead to {selector}")

    def choose(self, selector, label):
        """Chooses in a field of the dialog by the beginning of a name. The field is before the button that has the focus."""
        self.go(selector, back=True)
        self.press(label)
        chosen = self.browser.run("return document.querySelector(arguments[0]).selectedOptions[0].textContent;", selector)
        assert chosen.startswith(label), (selector, chosen)


def asked(*arguments):
    return subprocess.run(
        [longhand, *arguments, "--library", library], capture_output=True, check=True, text=True).stdout


def document(place):
    return json.loads(asked("export", place, "--json"))


def texts(place):
    return [one["text"] for one in document(place)["segments"]]


def made():
    """Two monologues, and an interview of two voices."""
    first, second, third, fourth = recordings
    # The second voice is the first one, higher.
    other = "[{}:a]asetrate=21500,aresample=16000,apad=pad_dur=1.5[{}]"
    own = "[{}:a]apad=pad_dur=1.5[{}]"
    for name, parts in [
        ("monday.wav", [(first, own), (third, own), (first, own), (second, own), (fourth, own)]),
        ("letter.wav", [(third, own), (first, own)]),
        ("interview.wav", [(first, own), (third, other), (fourth, own)]),
    ]:
        file = pathlib.Path(library).with_name(name)
        lines = [line.format(index, f"p{index}") for index, (_, line) in enumerate(parts)]
        joined = "".join(f"[p{index}]" for index in range(len(parts))) + f"concat=n={len(parts)}:v=0:a=1"
        inputs = [word for path, _ in parts for word in ("-i", path)]
        subprocess.run(
            ["ffmpeg", "-loglevel", "error", *inputs, "-filter_complex", ";".join([*lines, joined]), "-ar", "16000", file],
            check=True)
        yield file


def make_vocabulary(browser, person, check):
    with check("a vocabulary is made"):
        browser.open(server.page)
        eventually(lambda: browser.shows("#welcome-add"), "the empty page")
        person.press("v")
        eventually(lambda: browser.shows("#vocabulary-dialog[open]"), "the dialog")
        person.go("#vocabulary-new")
        person.press(Keys.ENTER)
        eventually(lambda: focused(browser) == "vocabulary-new-name", "the field")
        person.press("Austen", Keys.ENTER)
        eventually(lambda: browser.run(HAS_FOCUS, "[data-column=term]"), "the first row")
        person.press("Dashwood", Keys.TAB, Keys.TAB, "dash would")
        person.go("#vocabulary-save")
        person.press(Keys.ENTER)
        eventually(lambda: not browser.shows("#vocabulary-dialog[open]"), "it is stored")


def add(browser, person, check, files):
    options = [
        {"#recognition-vocabulary": "Austen", "#recognition-model": "pocketsphinx", "#recognition-locale": "English"},
        {"#recognition-speakers": "Not", "#recognition-vocabulary": "None", "#recognition-model": "whisper-base",
         "#recognition-locale": "Detect the language"},
        {"#recognition-speakers": "2", "#recognition-model": "whisper-tiny", "#recognition-locale": "English"},
    ]
    with check("three recordings are added, each with its own options"):
        # The system's dialog gives the page the file.
        browser.run("document.getElementById('files').click = () => { window.asked = true; };")
        for file, chosen in zip(files, options):
            browser.run("window.asked = false;")
            person.press("i")
            assert browser.run("return window.asked;")
            browser.find("#files").send_keys(str(file))
            eventually(lambda: focused(browser) == "recognition-start", "the dialog")
            # The language first: the models are those that know it.
            for selector, label in reversed(chosen.items()):
                person.choose(selector, label)
                person.go("#recognition-start")
            person.press(Keys.ENTER)
            eventually(lambda: not browser.shows("#recognition-dialog[open]"), "it is added")
    with check("the server dies while one is transcribed and the others wait, and all are there"):
        eventually(lambda: all(file.stem in browser.texts("#sessions .session-name") for file in files), "the sessions")
        server.kill()
        eventually(lambda: len(browser.texts("#sessions .session-name")) == 3 and not browser.texts("#uploads li")
                   and not browser.texts("#sessions .state") and not browser.shows("#connection"), "the transcripts")
        found = {one["source"]: one["id"] for one in browser.json("api/sessions")["sessions"]}
        places = [found[file.name] for file in files]
        models = [browser.json(f"api/sessions/{place}") for place in places]
        assert [one["model"]["name"] for one in models] == ["pocketsphinx", "whisper-base", "whisper-tiny-en"], models
        assert [(one.get("vocabulary") or {}).get("name") for one in models] == ["Austen", None, None], models
        assert len(browser.json(f"api/sessions/{places[2]}/speakers")["speakers"]) == 2
        return places


def open_session(browser, person, place):
    """Goes to a session in the list by keys."""
    person.press("/")
    person.go(f"#sessions [data-session='{place}']")
    person.press(Keys.ENTER)
    eventually(lambda: session(browser) == place and rows(browser) and any(rows(browser)), "the text")
    eventually(lambda: focused(browser) == "scroller", "the transcript")


def correct(browser, person, check, places):
    words = [[f"{prefix}{letter}" for letter in LETTERS] for prefix in ("Doubtw", "Walkw", "Typew")]
    with check(f"{CORRECTIONS} corrections while going through the unsure words"):
        open_session(browser, person, places[0])
        person.press("u")
        for number, word in enumerate(words[0]):
            eventually(lambda: focused(browser) == "word-popup", "an unsure word")
            person.press(word, Keys.ENTER)
            eventually(lambda: word in " ".join(rows(browser)), f"{word} in its row")
        eventually(lambda: focused(browser) in ("word-popup", "scroller") or browser.run(HAS_FOCUS, "li"), "the next one")
        person.press(Keys.ESCAPE)
        eventually(lambda: not browser.shows("#word-popup"), "no popup")
    with check(f"{CORRECTIONS} corrections word by word"):
        open_session(browser, person, places[1])
        person.press("j", Keys.ARROW_RIGHT, "e")
        for number, word in enumerate(words[1]):
            eventually(lambda: focused(browser) == "word-field", "the field")
            person.press(word, Keys.ENTER)
            eventually(lambda: focused(browser) == "word-next", "it is stored")
            person.press(Keys.ARROW_RIGHT if number + 1 < CORRECTIONS else Keys.ESCAPE)
        eventually(lambda: not browser.shows("#word-popup"), "no popup")
    with check(f"{CORRECTIONS} corrections in the text of paragraphs, and the server dies before they are stored"):
        open_session(browser, person, places[2])
        person.press("j", Keys.ENTER)
        eventually(lambda: browser.run(HAS_FOCUS, ".text-field"), "the field")
        count = len(browser.run("return document.activeElement.value;").split())
        for number, word in enumerate(words[2]):
            if count == 0:
                person.press(Keys.ESCAPE)
                eventually(lambda: not browser.shows(".text-field"), "it is stored")
                person.press("j", Keys.ENTER)
                eventually(lambda: browser.run(HAS_FOCUS, ".text-field"), "the next paragraph")
                count = len(browser.run("return document.activeElement.value;").split())
            if number == CORRECTIONS - 2:
                server.end()
            # The word at the cursor.
            person.press(Keys.DELETE, hold=[Keys.CONTROL])
            person.press(f"{word} ")
            count -= 1
        person.press(Keys.ESCAPE)
        eventually(lambda: "Not stored yet" in browser.text(".text-state"), "it is said")
        server.start()
        eventually(lambda: not browser.shows(".text-field"), "it is stored")
    with check("all corrections are stored, and shown"):
        for place, expected in zip(places, words):
            text = " ".join(texts(place))
            found = [one for one in re.findall("[A-Za-z]+", text) if one in expected]
            assert found == expected, (found, expected)
        shown = " ".join(rows(browser))
        assert all(word in shown for word in words[2]), shown
    return words


def name_speakers(browser, person, check, place):
    with check("the speakers are named"):
        for index, name in enumerate(["Jane Austen", "John Dashwood"]):
            person.go(f"#speakers li:nth-child({index + 1}) button", back=True)
            person.press(Keys.ENTER)
            eventually(lambda: browser.shows("#speaker-bar"), "the field")
            person.go("#speaker-name")
            person.press("a", hold=[Keys.CONTROL])
            person.press(name, Keys.ENTER)
            eventually(lambda: name in browser.text(f"#speakers li:nth-child({index + 1})"), "the name")
            # Its paragraphs are shown with the others again.
            person.go("#speaker-all")
            person.press(Keys.ENTER)
        eventually(lambda: {"Jane Austen", "John Dashwood"} <= set(browser.texts("#rows .speaker-name")), "the names in the rows")
        assert {one["name"] for one in document(place)["speakers"]} == {"Jane Austen", "John Dashwood"}


def replace(browser, person, check, places):
    counted = lambda word: sum(  # noqa: E731
        re.findall("[a-z]+", " ".join(texts(place)).lower()).count(word) for place in places)

    with check("words are replaced in all sessions but at one place, that is undone, and done again"):
        before = [texts(place) for place in places]
        word = max("to", "be", "he", key=counted)
        count = counted(word)
        for is_last in (False, True):
            person.press("f", hold=[Keys.SHIFT])
            eventually(lambda: focused(browser) == "replace-find", "the dialog")
            person.press(word, Keys.ENTER)
            assert focused(browser) == "replace-with"
            person.press("Replacedword", Keys.TAB, "all", Keys.TAB)
            eventually(lambda: browser.text("#replace-state") == f"{count} of {count} places", "the places")
            person.go("#replace-places input")
            person.press(" ")
            person.go("#replace-start")
            assert browser.text("#replace-start") == f"Replace {count - 1}", browser.text("#replace-start")
            person.press(Keys.ENTER)
            eventually(lambda: not browser.shows("#replace-dialog[open]"), "it is done")
            eventually(lambda: counted("replacedword") == count - 1, "the words")
            assert counted(word) == 1
            if not is_last:
                person.go("#notices .plain-button")
                person.press(Keys.ENTER)
                eventually(lambda: [texts(place) for place in places] == before, "the text as before")
    return count - 1


def export(browser, person, check, places, words):
    def saved(form, label):
        person.press("x")
        eventually(lambda: focused(browser) == "export-format", "the formats")
        person.press(label)
        assert browser.run("return document.activeElement.value;") == form
        person.go("#export-save")
        person.press(Keys.ENTER)
        file = eventually(lambda: [one for one in browser.downloads.iterdir() if one.suffix == f".{form}"], "the file")[0]
        eventually(lambda: not browser.shows("#export-dialog[open]") and file.stat().st_size, "what is in it")
        return file

    with check("a Word document is opened by python-docx"):
        file = saved("docx", "Word")
        text = "\n".join(one.text for one in docx.Document(file).paragraphs)
        assert all(word in text for word in words), text
        assert "Jane Austen" in text and "John Dashwood" in text, text
    with check("captions are read by FFmpeg"):
        file = saved("srt", "Sub")
        read = subprocess.run(
            ["ffmpeg", "-loglevel", "error", "-i", file, "-f", "webvtt", "-"], capture_output=True, check=True, text=True)
        assert not read.stderr and all(word in read.stdout for word in words), read
        packets = json.loads(subprocess.run(
            ["ffprobe", "-loglevel", "error", "-show_packets", "-of", "json", file], capture_output=True, check=True).stdout)
        times = [(float(one["pts_time"]), float(one["duration_time"])) for one in packets["packets"]]
        assert len(times) > 3 and all(duration > 0 for _, duration in times), times
        assert all(start + duration <= after + 0.001 for (start, duration), (after, _) in zip(times, times[1:])), times
    with check("a web page is opened by the browser"):
        file = saved("html", "Web p")
        first = browser.driver.current_window_handle
        browser.driver.switch_to.new_window("tab")
        browser.open(file.as_uri())
        text = browser.text("body")
        assert all(word in text for word in words) and "Jane Austen" in text, text
        links = browser.run("return [...document.querySelectorAll('a[href]')].map((a) => a.getAttribute('href'));")
        assert any("#t=" in link for link in links), links
        browser.driver.close()
        browser.driver.switch_to.window(first)


def check_times(place):
    spans = document(place)
    for one in spans["segments"]:
        for word in one["words"]:
            assert one["start"] - 0.001 <= word["start"] <= word["end"] <= one["end"] + 0.001, (one, word)


server = Server(longhand, library)
with Browser(screenshots, width=1400) as browser:
    check = Checks(browser.picture)
    person = Person(browser)
    files = list(made())
    make_vocabulary(browser, person, check)
    places = add(browser, person, check, files)
    words = correct(browser, person, check, places)
    name_speakers(browser, person, check, places[2])
    replaced = replace(browser, person, check, places)
    export(browser, person, check, places, words[2])
    with check("every word lies in its segment, and the page is as the store"):
        for place in places:
            check_times(place)
        assert server.kills == 2
    with check("the page has logged no error but of the dead server"):
        complaints = [line for line in browser.complaints() if "net::ERR_" not in line]
        assert not complaints, "\n".join(complaints)
    server.stop()
    print(f"figure: a day with {3 * CORRECTIONS} corrections and {replaced} replaced words takes {person.keys} keys")
    check.end()
