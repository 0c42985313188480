"""Edits paragraphs at random, by keys, while the server is killed: what is shown is what is stored, and the way back leads to the
first text.

    random_typing.py LONGHAND LIBRARY FIRST SEQUENCES EDITS KILLS SESSIONS SCREENSHOTS

Sequence N, from FIRST on, is always the same one. SESSIONS are the IDs of complete sessions, with commas between them.
"""

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
SHOWN = """
    return [...document.querySelectorAll('#rows > li')].filter((row) => row.checkVisibility()).map((row) => {
      const text = row.querySelector('.text')?.cloneNode(true);
      for (const hidden of text?.querySelectorAll('.visually-hidden') ?? []) hidden.remove();
      return text?.textContent ?? '';
    }).filter(Boolean);
"""


def exported(place):
    return subprocess.run(
        [longhand, "export", place, "--library", library], capture_output=True, check=True, text=True).stdout


def is_editing(browser):
    return browser.run("return document.activeElement?.matches('.text-field') ?? false;")


def stored(browser, place):
    """The segments; None while the server is being started again."""
    return browser.run_async(
        "return await fetch(given[0]).then((answer) => answer.json()).then(({segments}) => segments, () => null);",
        f"api/sessions/{place}/segments?limit=1000")


def edit(browser, chance):
    """One edit, by keys."""
    if not is_editing(browser):
        browser.run("[...document.querySelectorAll('#rows > li')].filter((row) => row.checkVisibility()).at("
                    "arguments[0])?.focus();", chance.randrange(3))
        browser.press(Keys.ENTER)
        time.sleep(0.1)
        if not is_editing(browser):
            return
    kind = chance.randrange(9)
    browser.press(*[Keys.ARROW_RIGHT] * chance.randrange(12))
    if kind == 0:
        browser.press(Keys.ENTER)
    elif kind == 1:
        browser.press(Keys.HOME, Keys.PAGE_UP, Keys.BACK_SPACE)
    elif kind == 2:
        browser.press(*[Keys.BACK_SPACE] * chance.randrange(8))
    elif kind == 3:
        command(browser, "z", shift=chance.random() < 0.3)
    elif kind == 4:
        browser.press(Keys.ESCAPE)
    elif kind == 5:
        browser.press(Keys.ESCAPE)
        time.sleep(0.2)
        command(browser, "z")
    else:
        browser.press(" " + chance.choice(WORDS) + " ")


def settle(browser, place):
    """Ends the edit, and waits until what is shown is what is stored."""
    def is_settled():
        if browser.run("return document.querySelector('.text-field') !== null;"):
            browser.run("document.querySelector('.text-field').focus();")
            browser.press(Keys.ESCAPE)
            return False
        segments = stored(browser, place)
        if segments is None or browser.run("return localStorage.length;"):
            return False
        texts = [one["formatted"] for one in segments if one["formatted"]]
        return "".join(browser.run(SHOWN)).replace(" ", "") == "".join(texts).replace(" ", "") and segments

    segments = eventually(is_settled, "what is shown is what is stored")
    for one, after in zip(segments, segments[1:]):
        assert one["end"] <= after["start"] + 0.001, (one, after)
    for one in segments:
        for word in one["words"]:
            assert one["start"] - 0.001 <= word["start"] <= word["end"] <= one["end"] + 0.001, (one, word)
    return segments


def sequence(browser, server, number):
    place = sessions[number % len(sessions)]
    chance = random.Random(number)
    first = exported(place)
    browser.open("about:blank")
    browser.open(f"{server.page}#/session/{place}")
    eventually(lambda: browser.run(SHOWN), "the text")
    spans = browser.json(f"api/sessions/{place}")["spans"]
    server.budget += 1 if server.kills + server.budget < kills * (number - first_sequence + 1) / sequences else 0
    for _ in range(edits):
        edit(browser, chance)
    settle(browser, place)
    while server.budget:
        time.sleep(0.1)
    steps = 0
    settle(browser, place)
    while exported(place) != first:
        before = settle(browser, place)
        browser.run("document.getElementById('scroller').focus();")
        command(browser, "z")
        eventually(lambda: stored(browser, place) not in (None, before), "a step back")
        steps += 1
        assert steps < 20 * edits, "the first text does not come back"
    settle(browser, place)
    assert browser.json(f"api/sessions/{place}")["spans"] == spans, "the coverage changed"
    return steps


server = Server(longhand, library)
with Browser(screenshots) as browser:
    check = Checks(browser.picture)
    server.watch()
    steps = []
    for number in range(first_sequence, first_sequence + sequences):
        with check(f"sequence {number} of {edits} edits leads back to the first text"):
            steps.append(sequence(browser, server, number))
    server.rest()
    print(f"figure: {len(steps)} sequences of {edits} edits, {sum(steps)} steps back, {server.kills} kills")
    with check("the server was killed often enough"):
        assert server.kills >= kills, server.kills
    server.stop()
    check.end()
