"""Corrects words on the page: by mouse, by keys alone, everywhere, with undo; and plays.

    correcting.py PAGE LONGHAND SESSION UNSURE SCREENSHOTS

SESSION is the ID of a complete session in which a word occurs in several rows, UNSURE that of one with 60 unsure words.
"""

import collections
import functools
import json
import subprocess
import sys
import time

from browser import Browser, Keys, eventually
from checks import Checks
from person import accessible, focused, rows

page, longhand, place, doubtful, screenshots = sys.argv[1:]


def segments(browser):
    return browser.json(f"api/sessions/{place}/segments")["segments"]


def segment(browser, row):
    return browser.json(f"api/sessions/{place}/segments/{row}")


def word(row, index):
    return f"li[data-row='{row}'] [data-word='{index}']"


def exported(*options):
    return json.loads(subprocess.run(
        [longhand, "export", place, "--json", *options], capture_output=True, check=True, text=True).stdout)


def unsure(browser):
    return browser.json(f"api/sessions/{place}/unsure")["count"]


def correct(browser, check):
    with check("a click on a word opens a popup, which plays the word and shows the alternatives"):
        browser.open(f"{page}#/session/{place}")
        eventually(lambda: rows(browser) and all(rows(browser)), "the rows")
        candidates = [(one["id"], i) for one in segments(browser) for i in range(len(one["words"]))]
        for row, index in candidates:
            browser.click(word(row, index))
            eventually(lambda: browser.shows("#word-popup"), "the popup")
            if browser.texts(".word-offers .alternative"):
                break
        assert browser.texts(".word-offers .alternative"), "no word has an alternative"
        accessible(browser, "word-popup")
        times = segment(browser, row)["words"][index]
        browser.note_positions()
        browser.click("#word-popup .word-head button")
        eventually(lambda: browser.run("return !document.getElementById('audio').paused;"), "it plays")
        eventually(lambda: browser.run("return document.getElementById('audio').paused;"), "it ends after the word")
        assert times["start"] - 0.2 <= browser.positions()[0] <= times["start"], (browser.positions(), times)
        # A frame may come late on a busy machine.
        ended = browser.run("return document.getElementById('audio').currentTime;")
        assert ended <= times["end"] + 3, (ended, times)
    with check("an alternative of the word is taken, and undone at once"):
        before = segment(browser, row)
        browser.click(".word-offers .alternative")
        eventually(lambda: browser.shows("#word-undo"), "the way back")
        now = segment(browser, row)
        assert now["text"] != before["text"] and now["revision"] > before["revision"]
        browser.click("#word-undo")
        eventually(lambda: segment(browser, row)["text"] == before["text"], "the text as before")
        eventually(lambda: not browser.shows("#word-popup"), "no popup")
    with check("typed words are a correction by hand, labelled everywhere, and left out on request"):
        row, index = 1, 0
        before = segment(browser, row)
        browser.click(word(row, index))
        eventually(lambda: focused(browser) == "word-field", "the field")
        browser.press("Zyxwvu", Keys.ENTER)
        eventually(lambda: "Zyxwvu" in rows(browser)[row], "the word in its row")
        eventually(lambda: browser.shows("#word-undo"), "what can be done next")
        accessible(browser, "word-corrected")
        now = segment(browser, row)
        assert now["corrected"] and now["words"][index]["corrected"] and now["selection"]["rule"] == "correction", now
        assert now["alternatives"][-1]["source"] == "person"
        assert now["revisions"][-1]["author"] == "person"
        assert browser.shows(f"{word(row, index)}.corrected")
        document = exported()["segments"][row]
        assert document["corrected"] and document["words"][index]["corrected"], document
        plain = exported("--without-corrections")["segments"][row]
        assert plain["text"] == before["text"] and "corrected" not in plain, plain
        explained = subprocess.run(
            [longhand, "explain", place, str(row)], capture_output=True, check=True, text=True).stdout
        assert "by a person" in explained and "corrected by the user" in explained, explained
        browser.press(Keys.ESCAPE)
    with check("a correction whose answer is lost is shown when it is repeated"):
        browser.run(
            """
            const send = window.fetch;
            window.fetch = async (path, options) => {
              const answer = await send(path, options);
              if (options?.method !== 'PUT') return answer;
              window.fetch = send;
              throw new TypeError('lost');
            };
            """)
        row, index = 1, 1
        browser.click(word(row, index))
        eventually(lambda: focused(browser) == "word-field", "the field")
        browser.press("Lostanswer", Keys.ENTER)
        eventually(lambda: "cannot be reached" in browser.text("#notices"), "the server did not answer")
        now = segment(browser, row)
        assert "Lostanswer" in now["text"]
        eventually(lambda: "Lostanswer" in rows(browser)[row], "the row as it is stored")
        browser.press(Keys.ENTER)
        eventually(lambda: browser.shows("#word-undo"), "it is taken for stored")
        assert segment(browser, row)["revision"] == now["revision"]
        browser.press(Keys.ESCAPE)
    with check("what was changed elsewhere is shown after a lost connection"):
        hide = "Object.defineProperty(document, 'hidden', {value: %s, configurable: true});" \
            "document.dispatchEvent(new Event('visibilitychange'));"
        browser.run(hide % "true")
        body = {"first": 1, "end": 2, "text": "Elsewhere", "revision": segment(browser, row)["revision"]}
        browser.run_async(
            "const [path, body] = given; await fetch(path, {method: 'PUT', body: JSON.stringify(body),"
            "headers: {'Content-Type': 'application/json'}});",
            f"api/sessions/{place}/segments/{row}/words", body)
        assert "Elsewhere" in segment(browser, row)["text"] and "Elsewhere" not in rows(browser)[row]
        browser.run(hide % "false")
        eventually(lambda: "Elsewhere" in rows(browser)[row], "the row as it is stored")
        browser.run("for (const button of document.querySelectorAll('#notices button')) button.click();")
    with check("a correction is made everywhere, and the word is remembered"):
        counts = collections.Counter(
            one["text"].lower() for each in segments(browser) for one in each["words"] if one["text"].isalpha())
        common, count = counts.most_common(1)[0]
        assert count >= 2, counts
        row, index = next(
            (each["id"], i) for each in segments(browser) for i, one in enumerate(each["words"]) if one["text"].lower() == common)
        browser.click(word(row, index))
        browser.press("Qwerty", Keys.ENTER)
        eventually(lambda: browser.shows("#word-everywhere"), "the offer")
        assert str(count - 1) in browser.text("#word-everywhere"), browser.text("#word-everywhere")
        browser.click("#word-everywhere")
        eventually(lambda: sum("Qwerty" in one["text"] for one in segments(browser)) >= 1
                   and not browser.json(f"api/sessions/{place}/corrections?recognized={common}")["count"], "all of them")
        browser.click("#word-remember")
        eventually(lambda: "Qwerty" in browser.json("api/vocabulary")["terms"], "the vocabulary")
        browser.click("#word-next")
        eventually(lambda: not browser.shows("#word-popup"), "no popup")


def tour(browser, check):
    with check("unsure words are gone through by keys alone, and their number goes down"):
        browser.run("document.getElementById('scroller').focus();")
        browser.press(Keys.HOME)
        count = unsure(browser)
        assert count >= 3, "too few unsure words"
        eventually(lambda: browser.text("#unsure-count") == str(count), "the number")
        wrong = browser.json(f"api/sessions/{place}/unsure")["expectedErrors"]
        assert 0 <= wrong["low"] <= round(wrong["count"]) <= wrong["high"] <= wrong["words"], wrong
        assert f"about {round(wrong['count'])} word" in browser.text("#facts"), browser.text("#facts")
        browser.press("c")
        eventually(lambda: browser.shows("#doubt-legend"), "the legend")
        accessible(browser, "unsure-words")
        browser.run("const a = document.getElementById('audio'); window.plays = 0;"
                    "a.addEventListener('play', () => { window.plays += 1; });")
        browser.press("u")
        eventually(lambda: focused(browser) == "word-popup", "the first one")
        eventually(lambda: browser.run("return window.plays;") == 1, "it plays")
        assert browser.text("#word-save") == "It is right"
        note = browser.text("#word-popup .word-note")
        assert note.startswith(f"{count} unsure words are left. About "), note
        accessible(browser, "unsure-tour")
        reviewed = lambda: browser.run(  # noqa: E731
            "return [...document.querySelectorAll('.word.reviewed')].map((word) => word.firstChild.textContent);")
        head = browser.text("#word-popup .word-head strong")
        assert [word.strip(".,?!").lower() for word in reviewed()] == [head.strip(".,?!").lower()], (reviewed(), head)
        # Its sound begins a little before it; the neighbour has no mark.
        marked = lambda: browser.run(  # noqa: E731
            "return [...document.querySelectorAll('.word.playing:not(.reviewed)')]"
            ".filter((word) => getComputedStyle(word).backgroundColor !== 'rgba(0, 0, 0, 0)').length;")
        browser.run("document.querySelector('.word.reviewed').previousElementSibling?.classList.add('playing');")
        assert marked() == 0
        browser.driver.save_screenshot(f"{screenshots}/reviewed.png")
        # What still plays begins no second time.
        eventually(lambda: browser.run("return document.getElementById('audio').paused;"), "it ends")
        browser.press("u")
        eventually(lambda: unsure(browser) == count - 1, "one less")
        eventually(lambda: browser.text("#unsure-count") == str(count - 1), "the number on the page")
        left = browser.json(f"api/sessions/{place}/unsure")["expectedErrors"]
        assert left["count"] < wrong["count"] and left["words"] == wrong["words"] - 1, (left, wrong)
        eventually(lambda: browser.run("return window.plays;") == 2, "the next one plays")
        eventually(lambda: focused(browser) == "word-popup", "the next one")
        before = [one["text"] for one in segments(browser)]
        offers = len(browser.texts("#word-popup .word-offers button"))
        for digit in {min(offers, 5) + 1, 9, 0}:
            browser.press(str(digit))
            eventually(lambda: f"no alternative {digit}" in browser.text("#word-popup .word-refused"), "the refusal")
            assert focused(browser) == "word-popup"
        accessible(browser, "refused-digit")
        assert [one["text"] for one in segments(browser)] == before
        browser.press("u")
        eventually(lambda: unsure(browser) == count - 2, "it is right, and the next one follows")
        assert [one["text"] for one in segments(browser)] == before
        eventually(lambda: browser.run("return window.plays;") == 3 and focused(browser) == "word-popup", "the next one")
        browser.press("Asdf", Keys.ENTER)
        eventually(lambda: unsure(browser) == count - 3, "three less")
        eventually(lambda: browser.shows("#word-undo"), "what was corrected, below the next one")
        assert focused(browser) == "word-popup"
        assert any("Asdf" in one["text"] for one in segments(browser))
        browser.press(Keys.ESCAPE)
        eventually(lambda: not browser.shows("#word-popup"), "no popup")
        browser.press("c")


def speed(browser, check):
    with check("a session that is loaded late takes the keyboard from nobody"):
        browser.open(f"{page}#/session/{doubtful}")
        eventually(lambda: browser.text("#unsure-count") == "60", "60 unsure words")
        browser.run("""window.given = window.fetch;
            window.fetch = (path, options) => String(path).endsWith(arguments[0])
                ? new Promise((done) => { window.release = () => { const answer = given(path, options); done(answer); return answer; }; })
                : given(path, options);""", f"api/sessions/{place}")
        browser.run("location.hash = `#/session/${arguments[0]}`;", place)
        eventually(lambda: browser.run("return !!window.release;"), "the first session is asked for")
        browser.run("location.hash = `#/session/${arguments[0]}`;", doubtful)
        eventually(lambda: browser.text("#unsure-count") == "60" and all(rows(browser)), "60 unsure words")
        browser.run("document.getElementById('scroller').focus();")
        browser.press("u")
        eventually(lambda: focused(browser) == "word-popup", "the first unsure word")
        browser.run_async("await window.release(); window.fetch = given;")
        browser.frames()
        assert focused(browser) == "word-popup", focused(browser)
        browser.press(Keys.ESCAPE)
        eventually(lambda: not browser.shows("#word-popup"), "no popup")
    with check("60 unsure words take at most 1.2 keys for each that is right"):
        browser.open(f"{page}#/session/{doubtful}")
        eventually(lambda: browser.text("#unsure-count") == "60", "60 unsure words")
        texts = lambda: [one["text"] for one in browser.json(f"api/sessions/{doubtful}/segments")["segments"]]  # noqa: E731
        left = lambda: browser.json(f"api/sessions/{doubtful}/unsure")["count"]  # noqa: E731
        browser.run("document.getElementById('scroller').focus();")
        start, keys, right = time.monotonic(), 1, 0
        browser.press("u")
        for number in range(60):
            eventually(lambda: focused(browser) == "word-popup"
                       and browser.text("#unsure-count") == str(60 - number), "the next word")
            if number % 20 == 7:
                browser.press("1")
            elif number % 20 == 13:
                browser.press("other", Keys.ENTER)
            else:
                browser.press("u" if number % 2 else Keys.ENTER)
                keys, right = keys + 1, right + 1
        eventually(lambda: left() == 0, "no unsure word")
        eventually(lambda: browser.text("#unsure-count") == "0", "no number")
        text = " ".join(texts())
        assert text.count("other") == 3 and sum(text.split().count(one) for one in ("takes", "thes", "pawns", "withs", "cares")) == 3, text
        print(f"figure: {keys / right:.2f} keys for a right word, {time.monotonic() - start:.0f} s for 60 words")
        assert keys / right <= 1.2, (keys, right)
        eventually(lambda: not browser.shows("#word-popup"), "no popup")
        browser.open(f"{page}#/session/{place}")
        eventually(lambda: rows(browser) and all(rows(browser)), "the rows")


def play(browser, check):
    rate = lambda: browser.run("return document.getElementById('audio').playbackRate;")  # noqa: E731
    position = lambda: browser.run("return document.getElementById('audio').currentTime;")  # noqa: E731
    paused = lambda: browser.run("return document.getElementById('audio').paused;")  # noqa: E731
    with check("the speed is set without a change of pitch, and a pause goes back"):
        browser.run("document.getElementById('scroller').focus();")
        browser.press(Keys.F4, Keys.F4, Keys.F4, Keys.F4)
        browser.press("j", "p")
        eventually(lambda: not paused() and rate() == 2, "twice as fast")
        assert browser.run("return document.getElementById('audio').preservesPitch;")
        eventually(lambda: position() > 4, "some seconds")
        browser.run("document.getElementById('scroller').focus();")
        at = position()
        browser.press(" ")
        eventually(paused, "a pause")
        eventually(lambda: position() < at - 1, "it is back")
        browser.press(Keys.F3, Keys.F3, Keys.F3, Keys.F3)
        eventually(lambda: rate() == 1, "as spoken")
    with check("a segment is repeated until that is ended"):
        browser.press("j")
        row = int(browser.run("return document.querySelector('li.current').dataset.row;"))
        times = segment(browser, row)
        browser.note_positions()
        browser.press("o")
        browser.press(Keys.F4, Keys.F4, Keys.F4, Keys.F4, Keys.F4, Keys.F4)
        eventually(lambda: len(browser.positions()) >= 4, "it begins again")
        assert all(abs(sought - times["start"]) < 0.02 for sought in browser.positions()), (browser.positions(), times)
        assert browser.run("return document.getElementById('loop').ariaPressed;") == "true"
        browser.press("o")
        assert browser.run("return document.getElementById('loop').ariaPressed;") == "false"
        browser.press(Keys.F3, Keys.F3, Keys.F3, Keys.F3, Keys.F3, Keys.F3)
        browser.run("document.getElementById('audio').pause();")
    with check("silence is skipped"):
        silent = max((one for one in browser.json(f"api/sessions/{place}")["spans"] if one["kind"] == "silent"),
                     key=lambda one: one["end"] - one["start"])
        assert silent["end"] - silent["start"] > 2, silent
        browser.press("s")
        browser.note_positions()
        browser.run("const a = document.getElementById('audio'); a.currentTime = arguments[0] - 0.4; a.play();", silent["start"])
        eventually(lambda: any(abs(sought - silent["end"] + 0.25) < 0.02 for sought in browser.positions()), "its end")
        accessible(browser, "playing")
        browser.press("s")
        browser.run("document.getElementById('audio').pause();")
    with check("the page has logged no error"):
        # A correction of what was changed meanwhile is refused.
        complaints = [line for line in browser.complaints() if "409 (Conflict)" not in line]
        assert not complaints, "\n".join(complaints)


with Browser(screenshots) as browser:
    check = Checks(functools.partial(browser.picture))
    correct(browser, check)
    tour(browser, check)
    speed(browser, check)
    play(browser, check)
    check.end()
