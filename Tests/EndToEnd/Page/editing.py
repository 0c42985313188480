"""Edits paragraphs on the page as text: by mouse and by keys, with the way back, over a reload and without a server.

    editing.py PAGE LONGHAND SESSION SCREENSHOTS

SESSION is the ID of a complete session with a paragraph of several segments.
"""

import contextlib
import functools
import io
import json
import re
import subprocess
import sys
import xml.etree.ElementTree
import zipfile

from selenium.webdriver.common.action_chains import ActionChains

from browser import Browser, Keys, eventually
from checks import Checks
from person import accessible, command, focused

page, longhand, place, screenshots = sys.argv[1:]
FIELD = ".text-field"


def segments(browser):
    return browser.json(f"api/sessions/{place}/segments")["segments"]


def stored(browser):
    return [one["formatted"] for one in segments(browser) if one["text"]]


def elsewhere(browser, part=None, **change):
    """Another program changes words of the first segment, or its whole text."""
    first = segments(browser)[0]
    named = {"key": first["key"], "revision": first["revision"]}
    path = f"segments/{first['key']}/{part}" if part else "text"
    body = {**change, **({"revision": first["revision"]} if part else {"segments": [named]})}
    status = browser.run_async(
        "return (await fetch(given[0], {method: 'PUT', headers: {'Content-Type': 'application/json'},"
        "body: JSON.stringify(given[1])})).status;", f"api/sessions/{place}/{path}", body)
    assert status == 200, status


def export(*options):
    return subprocess.run(
        [longhand, "export", place, *options], capture_output=True, check=True, text=True).stdout


def paragraphs(browser):
    """The texts of the paragraphs that are shown, without what is for screen readers alone."""
    return browser.run(
        """
        return [...document.querySelectorAll('#rows > li')].filter((row) => row.checkVisibility()).map((row) => {
          const text = row.querySelector('.text')?.cloneNode(true);
          if (!text) return '';
          for (const hidden of text.querySelectorAll('.visually-hidden')) hidden.remove();
          return text.textContent;
        });
        """)


def documents(browser):
    """The paragraphs of each document that has paragraphs, of what is copied and of what is printed."""
    def parts(text):
        return [part.strip() for part in text.split("\n\n") if part.strip()]

    def timed(text):
        return [part.split("] ", 1)[1] for part in parts(text) if part.startswith("[")]

    def grouped(all_segments):
        groups = []
        for one in all_segments:
            if one["beginsParagraph"] or not groups:
                groups.append([])
            groups[-1] += [one["formatted"]] if one["text"] else []
        return [" ".join(group) for group in groups]

    file = subprocess.run(
        [longhand, "export", place, "--format", "docx"], capture_output=True, check=True).stdout
    word = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
    body = xml.etree.ElementTree.fromstring(zipfile.ZipFile(io.BytesIO(file)).read("word/document.xml"))
    told = [each for each in body.iter(f"{word}p")
            if each.find(f"{word}pPr/{word}pStyle").get(f"{word}val") == "Transcript"]
    yield "docx", ["".join(text.text for text in each.iter(f"{word}t")).split(":", 2)[2][2:] for each in told]
    yield "txt", parts(export())
    yield "md", timed(export("--format", "md"))
    yield "html", re.findall('<span dir="auto">(.*)</span></p>', export("--format", "html"))
    yield "json", grouped(json.loads(export("--json"))["segments"])
    browser.driver.execute_cdp_cmd(
        "Browser.grantPermissions", {"permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]})
    for action, read in (("copy-text", parts), ("copy-timed", timed)):
        browser.run_async("await navigator.clipboard.writeText('');")
        browser.click("#more")
        browser.click(f"#{action}")
        yield action, read(eventually(lambda: browser.run_async("return await navigator.clipboard.readText();"), action))
    browser.run(
        "window.printed = null; window.print = () => { window.printed ="
        " [...document.querySelectorAll('#printed .said span')].map((each) => each.textContent); };")
    browser.click("#more")
    browser.click("#print")
    yield "print", eventually(lambda: browser.run("return window.printed;"), "the print")


def same_everywhere(browser):
    shown = paragraphs(browser)
    for name, texts in documents(browser):
        assert texts == shown, (name, texts, shown)


def field(browser):
    return browser.run("return document.querySelector('.text-field')?.value ?? null;")


def open_session(browser):
    browser.open("about:blank")
    browser.open(f"{page}#/session/{place}")
    eventually(lambda: all(paragraphs(browser)) and paragraphs(browser), "the text")


def edit(browser, row):
    """Edits the paragraph of a row by keys. A row that is drawn again at that moment loses the focus, and the key."""
    for deadline in (10, 300):
        browser.run("document.querySelector(`li[data-row='${arguments[0]}']`).focus();", row)
        browser.press(Keys.ENTER)
        with contextlib.suppress(AssertionError):
            return eventually(lambda: field(browser) is not None, "the field", deadline)
    raise AssertionError("timeout: the field")


def pause(browser):
    """Stores the text without an end of the edit, as after a moment without keys."""
    browser.run("document.querySelector('.text-field').dispatchEvent(new FocusEvent('blur'));")


def end(browser):
    browser.press(Keys.ESCAPE)
    eventually(lambda: field(browser) is None, "the end of the edit")


def write(browser, check):
    with check("segments of one speaker without a long pause are one paragraph, as in txt"):
        open_session(browser)
        expected = [text for text in export().split("\n\n") if text.strip()]
        assert [text.strip() for text in expected] == paragraphs(browser), (expected, paragraphs(browser))
        assert any(not one["beginsParagraph"] for one in segments(browser)), "no paragraph has two segments"
        times = browser.run("return [...document.querySelectorAll('#rows .time')].filter((e) => e.checkVisibility()).length;")
        assert times == len(expected), "a paragraph has one time"
    with check("a double click edits the paragraph, and what is typed replaces several words at once"):
        first = segments(browser)[0]
        word = "li[data-row='0'] .part[data-row='0'] [data-word='1']"
        ActionChains(browser.driver).double_click(browser.find(word)).perform()
        eventually(lambda: field(browser) is not None, "the field")
        assert not browser.shows("#word-popup")
        assert browser.run("return document.querySelector('.text-field').selectionStart;") == first["formatted"].index(" ") + 1
        accessible(browser, "text-editor")
        # The second and the third word.
        command_keys = ActionChains(browser.driver).key_down(Keys.CONTROL).key_down(Keys.SHIFT)
        command_keys.send_keys(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT).key_up(Keys.SHIFT).key_up(Keys.CONTROL).perform()
        browser.press("zyx wvu tsr ")
        end(browser)
        now = segments(browser)[0]
        words = now["words"]
        assert [one["text"] for one in words[1:4]] == ["zyx", "wvu", "tsr"], words
        assert words[0]["start"] == first["words"][0]["start"] and words[0]["confidence"] == first["words"][0]["confidence"]
        assert words[1]["start"] == first["words"][1]["start"] and words[3]["end"] == first["words"][2]["end"], words
        assert words[4:] and [one["start"] for one in words[4:]] == [one["start"] for one in first["words"][3:]]
        assert all(one.get("corrected") for one in words[1:4]) and not words[0].get("corrected"), words
        assert now["corrected"] and now["alternatives"][0]["text"] == first["alternatives"][0]["text"]
        assert "zyx wvu tsr" in paragraphs(browser)[0]
    with check("Enter divides the paragraph, and Backspace at its beginning joins it to the one before"):
        before, count = paragraphs(browser), len(segments(browser))
        edit(browser, 0)
        words = before[0].split(" ")
        at = len(" ".join(words[:2])) + 1
        browser.press(*[Keys.ARROW_RIGHT] * at, Keys.ENTER)
        end(browser)
        eventually(lambda: len(paragraphs(browser)) == len(before) + 1, "one more paragraph")
        assert paragraphs(browser)[:2] == [" ".join(words[:2]), " ".join(words[2:])], paragraphs(browser)
        divided = segments(browser)
        assert len(divided) == count + 1
        assert divided[0]["end"] <= divided[1]["start"] and divided[1]["words"][0]["start"] >= divided[1]["start"]
        same_everywhere(browser)
        edit(browser, 1)
        browser.press(Keys.BACK_SPACE)
        eventually(lambda: field(browser) == before[0], "both in the field")
        end(browser)
        eventually(lambda: paragraphs(browser) == before, "the paragraph as before")
    with check("what is joined over a pause is joined in every document, and in what is copied and printed"):
        before = paragraphs(browser)
        row = browser.run(
            "return [...document.querySelectorAll('#rows > li')].filter((row) => row.querySelector('.text'))[1].dataset.row;")
        edit(browser, row)
        browser.press(Keys.BACK_SPACE)
        eventually(lambda: field(browser) == " ".join(before[:2]), "both in the field")
        end(browser)
        eventually(lambda: paragraphs(browser) == [" ".join(before[:2]), *before[2:]], "one paragraph less")
        same_everywhere(browser)
        browser.driver.save_screenshot(f"{screenshots}/joined.png")
        command(browser, "z")
        eventually(lambda: paragraphs(browser) == before, "the paragraphs as before")
        same_everywhere(browser)
    with check("Ctrl+Z in the field takes back what was typed, and then what was stored"):
        before = paragraphs(browser)
        edit(browser, 0)
        browser.press("Aha ", Keys.ENTER)
        assert field(browser) == "Aha \n" + before[0]
        pause(browser)
        eventually(lambda: stored(browser)[0] == "Aha", "what was typed is stored")
        command(browser, "z")
        assert field(browser) == "Aha " + before[0], field(browser)
        command(browser, "z", shift=True)
        assert field(browser) == "Aha \n" + before[0], field(browser)
        command(browser, "z")
        command(browser, "z")
        assert field(browser) == before[0]
        command(browser, "z")
        # The steps of the edit are taken back one after the other, and each may be shown.
        eventually(lambda: len(paragraphs(browser)) == len(before) + 1 and "Aha" not in paragraphs(browser)[0]
                   and field(browser) is None, "the join is taken back")
        command(browser, "z", shift=True)
        eventually(lambda: paragraphs(browser) == before, "it is made again")
    with check("pasted text replaces what is selected, and its lines are paragraphs"):
        before = paragraphs(browser)
        browser.driver.execute_cdp_cmd(
            "Browser.grantPermissions", {"permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]})
        browser.run_async("await navigator.clipboard.writeText(given[0]);", "Pasted one\nPasted two")
        edit(browser, 0)
        # The first word.
        ActionChains(browser.driver).key_down(Keys.CONTROL).key_down(Keys.SHIFT).send_keys(Keys.ARROW_RIGHT).key_up(
            Keys.SHIFT).key_up(Keys.CONTROL).perform()
        command(browser, "v")
        rest = before[0][before[0].index(" "):]
        eventually(lambda: field(browser) == f"Pasted one\nPasted two{rest}", "the text in the field")
        end(browser)
        eventually(lambda: paragraphs(browser) == ["Pasted one", f"Pasted two{rest}", *before[1:]], "the paragraphs")
        browser.run("document.getElementById('scroller').focus();")
        command(browser, "z")
        eventually(lambda: paragraphs(browser) == before, "the text before it")


def undo(browser, check, first):
    with check("a correction in the popup is taken back after the popup is gone"):
        before = paragraphs(browser)
        browser.click("li[data-row='0'] [data-word='0']")
        eventually(lambda: focused(browser) == "word-field", "the field")
        browser.press("Popup", Keys.ENTER)
        eventually(lambda: browser.shows("#word-undo"), "the correction")
        browser.press(Keys.ESCAPE)
        eventually(lambda: paragraphs(browser)[0].startswith("Popup"), "the word")
        command(browser, "z")
        eventually(lambda: paragraphs(browser) == before, "the text before it")
    with check("Ctrl+Z leads back to the first text to the byte, after a reload too"):
        last = paragraphs(browser)
        open_session(browser)
        browser.run("document.getElementById('scroller').focus();")
        steps = 0
        while export() != first["txt"]:
            now = segments(browser)
            command(browser, "z")
            eventually(lambda: segments(browser) != now, "a step back")
            steps += 1
            assert steps < 50
        assert [one for one in json.loads(export("--json"))["segments"] if one["text"]][0]["words"] == first["words"]
        for _ in range(steps):
            command(browser, "z", shift=True)
        eventually(lambda: paragraphs(browser) == last, "the last text again")


def keep(browser, check):
    with check("what was typed survives a closed tab"):
        edit(browser, 0)
        browser.press("Closedtab ")
        open_session(browser)
        eventually(lambda: stored(browser)[0].startswith("Closedtab "), "what was typed")
        eventually(lambda: paragraphs(browser)[0].startswith("Closedtab "), "it on the page")
        eventually(lambda: "What you had typed was stored" in browser.text("#notices"), "it is said")
        assert browser.run("return localStorage.length;") == 0
    with check("what was typed survives a lost connection"):
        browser.run(
            "window.send = window.fetch; window.fetch = (path, options) =>"
            " options?.method === 'PUT' ? Promise.reject(new TypeError('lost')) : window.send(path, options);")
        edit(browser, 0)
        browser.press("Lostline ", Keys.ESCAPE)
        eventually(lambda: "Not stored yet" in browser.text(".text-state"), "it is said")
        accessible(browser, "text-not-stored")
        assert "Lostline" not in stored(browser)[0] and field(browser).startswith("Lostline ")
        browser.press("Still ")
        browser.run("window.fetch = window.send;")
        eventually(lambda: stored(browser)[0].startswith("Lostline Still "), "what was typed")
        end(browser)
    with check("a stored edit whose answer is lost is not made twice"):
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
        before = len(paragraphs(browser))
        edit(browser, 0)
        words = field(browser).split(" ")
        # The first recognized word of a sentence is shown with a capital.
        browser.press("Answer", Keys.ENTER, *[Keys.ARROW_RIGHT] * len(" ".join(words[:7])), ".", Keys.ENTER)
        pause(browser)
        eventually(lambda: "Not stored yet" in browser.text(".text-state"), "it is said")
        browser.press("since")
        end(browser)
        eventually(lambda: len(paragraphs(browser)) == before + 2 and all(paragraphs(browser)), "the rows")
        texts = paragraphs(browser)
        assert texts[:2] == ["Answer", f"{' '.join(words[:7])}."] and texts[2].startswith(f"since {words[7]} "), texts
        assert len(texts) == before + 2 and not [text for text in stored(browser)[1:] if "Answer" in text], texts
        assert paragraphs(browser)[0] == "Answer"
    with check("a paragraph that was changed elsewhere is not overwritten unseen"):
        edit(browser, 0)
        browser.press("Mine ")
        elsewhere(browser, "words", first=0, end=1, text="Elsewhere")
        browser.press(Keys.ESCAPE)
        eventually(lambda: "changed elsewhere" in browser.text(".text-state"), "it is said")
        assert stored(browser)[0] == "Elsewhere" == browser.text(".text-elsewhere")
        browser.click(".text-state button")
        end(browser)
        eventually(lambda: stored(browser)[0] == "Mine Answer", "on request")
    with check("a division that meets another revision is not taken for stored"):
        edit(browser, 0)
        browser.press(*[Keys.ARROW_RIGHT] * 5, Keys.ENTER)
        elsewhere(browser, "words", first=0, end=1, text="Mind")
        browser.press(Keys.ESCAPE)
        eventually(lambda: "changed elsewhere" in browser.text(".text-state"), "it is said")
        browser.click(".text-state button")
        end(browser)
        eventually(lambda: stored(browser)[:2] == ["Mine", "Answer"], "on request")
    with check("a paragraph that has another number meanwhile is stored as it is"):
        before = paragraphs(browser)
        edit(browser, segments(browser)[-1]["id"])
        elsewhere(browser, paragraphs=["Mi", "ne"])
        browser.press("Later ")
        end(browser)
        expected = ["Mi", "ne", *before[1:-1], f"Later {before[-1]}"]
        eventually(lambda: paragraphs(browser) == expected, f"{expected}")


def hurry(browser, check):
    with check("an old answer does not replace a new text"):
        browser.run(
            """
            const send = window.fetch;
            window.fetch = async (path, options) => {
              const answer = await send(path, options);
              if (!path.includes('/segments?from=')) return answer;
              window.fetch = send;
              window.isLate = true;
              await new Promise((arrive) => { window.arrive = arrive; });
              setTimeout(() => { window.isLate = false; });
              return answer;
            };
            """)
        # The page loads the text again.
        other = [one for one in segments(browser) if " " in one["text"]][-2]
        browser.run_async(
            "await fetch(given[0], {method: 'PUT', headers: {'Content-Type': 'application/json'},"
            "body: JSON.stringify(given[1])});", f"api/sessions/{place}/text",
            {"segments": [{"key": other["key"], "revision": other["revision"]}], "paragraphs": other["formatted"].split(" ", 1)})
        eventually(lambda: browser.run("return window.isLate;"), "the answer is on its way")
        edit(browser, 0)
        browser.press("Newer ")
        end(browser)
        browser.run("window.arrive();")
        eventually(lambda: not browser.run("return window.isLate;"), "it has come")
        browser.frames()
        assert paragraphs(browser)[0].startswith("Newer "), paragraphs(browser)
    with check("a paragraph is joined to the one before while its text is being stored"):
        before = paragraphs(browser)
        second = browser.run(
            "return [...document.querySelectorAll('#rows > li')].filter((row) => row.checkVisibility())[1].dataset.row;")
        browser.run(
            """
            const send = window.fetch;
            window.sent = 0;
            window.fetch = async (path, options) => {
              if (options?.method === 'PUT') {
                window.sent += 1;
                await new Promise((r) => setTimeout(r, 300));
              }
              return send(path, options);
            };
            """)
        edit(browser, second)
        browser.press("Slow ")
        eventually(lambda: browser.run("return window.sent;") == 1, "the text is sent")
        command(browser, Keys.HOME)
        browser.press(Keys.BACK_SPACE)
        eventually(lambda: field(browser) == f"{before[0]} Slow {before[1]}", "both in the field")
        end(browser)
        eventually(lambda: paragraphs(browser) == [f"{before[0]} Slow {before[1]}", *before[2:]], "the paragraph")
    with check("a step back does not take back what is typed after it, before there is an answer"):
        edit(browser, 0)
        browser.press("Away ")
        pause(browser)
        eventually(lambda: browser.run("return window.sent;") == 3, "the text is sent")
        command(browser, "zz")
        # The edit ends before there is an answer, too.
        browser.press("Stays ", Keys.ESCAPE)
        eventually(lambda: field(browser) is None and stored(browser)[0].startswith("Stays "), "it is stored")
        browser.frames()
        assert stored(browser)[0].startswith("Stays "), stored(browser)


with Browser(screenshots, width=1400) as browser:
    check = Checks(functools.partial(browser.picture))
    first = {"txt": export(), "words": json.loads(export("--json"))["segments"][0]["words"]}
    write(browser, check)
    undo(browser, check, first)
    keep(browser, check)
    hurry(browser, check)
    with check("the page has logged no error"):
        complaints = [line for line in browser.complaints() if "409 (Conflict)" not in line]
        assert not complaints, "\n".join(complaints)
    check.end()
