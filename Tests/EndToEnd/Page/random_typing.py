"""Edits paragraphs at random, by keys, while the server is killed and answers are lost: what is shown is what is stored, what
was typed is there, and the way back leads to the first text.

    random_typing.py LONGHAND LIBRARY FIRST SEQUENCES EDITS KILLS SESSIONS SCREENSHOTS

Sequence N, from FIRST on, is always the same one. SESSIONS are the IDs of complete sessions, with commas between them.
"""

import collections
import random
import subprocess
import sys
import time

from browser import Browser, Keys, eventually
from checks import Checks
from killed_server import Server
from person import command

longhand, library, first_sequence, sequences, edits, kills, sessions, screenshots = sys.argv[1:]
first_sequence, sequences, edits, kills = (int(one) for one in (first_sequence, sequences, edits, kills))
sessions = sessions.split(",")
WORDS = ["winawer", "a", "Sicilian,", "you.", "öffnet", "42", "don't", "?"]
# The paragraphs that are shown, by row.
SHOWN = """
    return [...document.querySelectorAll('#rows > li')].filter((row) => row.checkVisibility()).map((row) => {
      const text = row.querySelector('.text')?.cloneNode(true);
      for (const hidden of text?.querySelectorAll('.visually-hidden') ?? []) hidden.remove();
      return [row.dataset.row, text?.textContent ?? ''];
    }).filter(([, text]) => text);
"""
# Keys come much faster here than from a person: the moments that the page waits for are shorter as well.
CLOCK = "const timer = window.setTimeout; window.setTimeout = (act, wait, ...given) => timer(act, wait / 8, ...given);"
# The answer to each third edit is lost, also without a kill.
LOSSES = """
    const send = window.fetch;
    let edits = 0;
    window.fetch = async (path, options) => {
      const answer = await send(path, options);
      if (options?.method === 'PUT' && (edits += 1) % 3 === 0) throw new TypeError('lost');
      return answer;
    };
"""
FIELD = "return document.querySelector('.text-field')?.value ?? null;"
NEWS = "return document.getElementById('announcements').textContent + document.getElementById('notices').textContent;"
NO_NEWS = """
    document.getElementById('announcements').textContent = '';
    for (const button of document.querySelectorAll('#notices button')) button.click();
"""


def exported(place):
    """The text and the words as `export` gives them."""
    return [subprocess.run(
        [longhand, "export", place, "--library", library, "--format", form], capture_output=True, check=True, text=True).stdout
        for form in ("txt", "ctm")]


def fetched(browser, path):
    """The JSON of a path; None while the server is being started again."""
    return browser.run_async(
        "return await fetch(given[0]).then((answer) => answer.ok ? answer.json() : null).catch(() => null);", path)


def plain(text):
    return "".join(text.split())


def spoken(text):
    """Without marks and capitals: a word that stays is written as its sentence needs it."""
    return "".join(one for one in text.lower() if one.isalnum())


class Typing:
    """One sequence of edits in a session."""

    def __init__(self, browser, place, number):
        self.browser, self.place = browser, place
        self.chance = random.Random(number)
        self.done = collections.Counter()

    @property
    def field(self):
        return self.browser.run(FIELD)

    def open(self):
        """Edits one of the shown paragraphs, by keys. Returns whether there is one."""
        shown = self.browser.run(SHOWN)
        if not shown:
            return False
        share = self.chance.random()

        def is_open():
            # A row that is drawn again at that moment loses the focus, and the key.
            shown = self.browser.run(SHOWN)
            self.browser.run("document.querySelector(`#rows > li[data-row='${arguments[0]}']`)?.focus();",
                             shown[int(share * len(shown))][0])
            self.browser.press(Keys.ENTER)
            return self.field is not None or wait_for(lambda: self.field is not None, 1)

        eventually(is_open, "the field")
        self.browser.press(*[Keys.ARROW_RIGHT] * self.chance.randrange(12))
        return True

    def leave(self, after):
        """Ends the edit AFTER a kind of change. The page closes the field when the text is stored. What was typed is shown then."""
        typed = self.field
        if typed is None:
            # A step back has closed it: this one, or the one before this edit.
            return
        self.browser.press(Keys.ESCAPE)
        eventually(lambda: self.field is None, "the edit is stored")
        assert not self.kept, "a stored edit is kept"
        lines = [spoken(line) for line in typed.split("\n") if line.strip()]
        # A step that goes back behind what was typed here is done when the field is closed.
        if not lines or after in ("undo", "redo"):
            return

        def is_shown():
            shown = [spoken(text) for _, text in self.browser.run(SHOWN)]
            for start in range(len(shown)):
                found = shown[start:start + len(lines)]
                # The text is joined to the paragraph before when a request that is running has its answer.
                is_same = found[0].endswith(lines[0]) if after == "join" else found[0] == lines[0]
                if is_same and found[1:] == lines[1:]:
                    return True
            return False

        eventually(is_shown, f"what was typed is shown: {lines}", 20)

    @property
    def kept(self):
        return self.browser.run("return localStorage.getItem(`longhand-text ${arguments[0]}`);", self.place)

    def step(self, is_forward=False, times=1):
        """Takes steps back, or makes them again. Returns what the page says of one of them."""
        browser = self.browser
        browser.run(NO_NEWS + "document.getElementById('scroller').focus();")
        command(browser, "z" * times, shift=is_forward)
        return eventually(lambda: browser.run(NEWS), "what the step did")

    def edit(self):
        """One edit, by keys."""
        chance, browser = self.chance, self.browser
        kind = chance.choices(["write", "delete", "divide", "join", "undo", "redo"], [4, 2, 2, 2, 2, 1])[0]
        is_open = self.field is not None
        if not is_open and (kind in ("undo", "redo") or not self.open()):
            self.step(kind == "redo")
            self.done[kind if kind == "redo" else "undo"] += 1
            return
        if kind == "write":
            browser.press(" " + chance.choice(WORDS) + " ")
        elif kind == "delete":
            browser.press(*[Keys.BACK_SPACE] * chance.randrange(1, 8))
        elif kind == "divide":
            browser.press(Keys.ENTER)
        elif kind == "join":
            command(browser, Keys.HOME)
            browser.press(Keys.BACK_SPACE)
        else:
            command(browser, "z", shift=kind == "redo")
        self.done[kind] += 1
        # Several edits are stored at once, too, and some by the page itself after a moment.
        if chance.random() < 0.6:
            self.leave(kind)
        elif chance.random() < 0.2:
            eventually(lambda: not self.kept, "the edit is stored")

    def settle(self):
        """Ends the edit, and waits until what is shown is what is stored; returns that."""
        if self.field is not None:
            self.browser.run("document.querySelector('.text-field')?.focus();")
            self.browser.press(Keys.ESCAPE)
        eventually(lambda: self.field is None and not self.kept, "the edit is stored")

        def is_shown():
            known = fetched(self.browser, f"api/sessions/{self.place}/segments?limit=1000")
            self.stored = known and known["segments"]
            return known and plain("".join(text for _, text in self.browser.run(SHOWN))) == plain(
                "".join(one["formatted"] for one in self.stored))

        try:
            eventually(is_shown, "what is shown is what is stored", 30)
        except AssertionError:
            raise AssertionError(
                f"shown {self.browser.run(SHOWN)}, stored {[one['formatted'] for one in self.stored or []]}") from None
        # A segment without text has no place of its own.
        segments = [one for one in self.stored if one["text"]]
        for one, after in zip(segments, segments[1:]):
            assert one["end"] <= after["start"] + 0.001, (one, after)
        for one in segments:
            for word in one["words"]:
                assert one["start"] - 0.001 <= word["start"] <= word["end"] <= one["end"] + 0.001, (one, word)
            for word, after in zip(one["words"], one["words"][1:]):
                assert word["start"] <= after["start"] + 0.001, (word, after)
        return segments


def wait_for(condition, seconds):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.03)
    return False


def sequence(browser, server, number):
    """Returns what was done, and the number of steps back."""
    typing = Typing(browser, sessions[number % len(sessions)], number)
    first = exported(typing.place)
    browser.open("about:blank")
    browser.open(f"{server.page}#/session/{typing.place}")
    eventually(lambda: browser.run(SHOWN), "the text")
    spans = browser.json(f"api/sessions/{typing.place}")["spans"]
    is_killed = server.kills < kills * (number - first_sequence + 1) / sequences
    before = random.Random(-1 - number).randrange(edits)
    for index in range(edits):
        server.budget += 1 if is_killed and index == before else 0
        typing.edit()
    typing.settle()
    while server.budget:
        time.sleep(0.1)
    typing.settle()
    coverage = lambda spans: sum(one["end"] - one["start"] for one in spans)  # noqa: E731
    now = eventually(lambda: fetched(browser, f"api/sessions/{typing.place}"), "the session")["spans"]
    assert abs(coverage(now) - coverage(spans)) < 0.01, (now, spans)
    steps, ends = 0, 0
    # The first time, it may be said of an earlier step.
    while ends < 2:
        ends = ends + 1 if "nothing to undo" in typing.step(times=4) else 0
        steps += 4
        assert steps < 20 * edits, "the way back has no end"
    typing.settle()
    assert exported(typing.place) == first, "the first text does not come back"
    now = browser.json(f"api/sessions/{typing.place}")["spans"]
    assert now == spans, ("the coverage changed", [one for one in now + spans if one not in now or one not in spans])
    return typing.done, steps


server = Server(longhand, library)
# So high that all rows are shown.
with Browser(screenshots, height=6000) as browser:
    check = Checks(browser.picture)
    browser.before_page(CLOCK + LOSSES)
    server.watch()
    passed, done, steps = 0, collections.Counter(), 0
    for number in range(first_sequence, first_sequence + sequences):
        with check(f"sequence {number} of {edits} edits leads back to the first text"):
            kinds, back = sequence(browser, server, number)
            passed, done, steps = passed + 1, done + kinds, steps + back
    server.rest()
    print(f"figure: {passed} sequences of {edits} edits ({dict(done)}), at most {steps} steps back, {server.kills} kills")
    with check("the server was killed often enough"):
        assert server.kills >= kills, server.kills
    server.stop()
    check.end()
