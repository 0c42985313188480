"""Names speakers, says who speaks in a row, makes two speakers one, finds what one of them said, and hides echo.

    speakers.py PAGE LONGHAND SESSION LEAKING INTERRUPTED SCREENSHOTS

SESSION is the ID of a complete session with two speakers, Microphone and Call, who both speak; LEAKING is that of a
`LeakingSession`, and INTERRUPTED that of an `InterruptedSession`.
"""

import functools
import json
import subprocess
import sys

from browser import Browser, Keys, eventually
from checks import Checks
from person import accessible, command, focused, rows

page, longhand, place, leaking, interrupted, screenshots = sys.argv[1:]


def speakers(browser):
    return {one["name"]: one for one in browser.json(f"api/sessions/{place}/speakers")["speakers"]}


def listed(browser):
    return browser.run(
        "return [...document.querySelectorAll('#speakers button')].map((b) => b.lastChild.textContent);")


def printed(*options, session=place):
    return subprocess.run(
        [longhand, "export", session, *options], capture_output=True, check=True, text=True).stdout


def exported():
    document = json.loads(printed("--json"))
    names = {one["id"]: one["name"] for one in document["speakers"]}
    return [names.get(one.get("speaker")) for one in document["segments"]]


def current(browser):
    return int(browser.run("return document.querySelector('li.current').dataset.row;"))


def shown_words(browser):
    """The number of words that are shown, for each row."""
    return browser.run(
        "return [...document.querySelectorAll('#rows > li')].map("
        "(row) => [...row.querySelectorAll('.word')].filter((word) => word.checkVisibility()).length);")


def box(browser, selector):
    """Left, top, right and bottom of an element."""
    return browser.run(
        "const b = document.querySelector(arguments[0]).getBoundingClientRect(); return [b.left, b.top, b.right, b.bottom];",
        selector)


def look(browser, check):
    with check("the header says each name once"):
        assert browser.texts("#speakers li") == ["Microphone", "Call"], browser.texts("#speakers li")
    with check("times are not bold"):
        for selector in ("#rows .time", "#time", "#facts span:not(.state)", "#legend li"):
            weight = browser.run("return Number(getComputedStyle(document.querySelector(arguments[0])).fontWeight);", selector)
            assert weight <= 400, (selector, weight)
    with check("without a recording there is no way back to live"):
        browser.run("document.getElementById('scroller').focus();")
        browser.press(Keys.END, Keys.HOME)
        browser.frames()
        assert not browser.shows("#back-to-live")
    with check("on a phone the speaker stands above the text, and the player takes a twelfth of the height"):
        browser.size(390, 780)
        browser.frames()
        row = "#rows li:has(.speaker-name)"
        text = box(browser, f"{row} .text")
        for part in (".said-by", ".speaker-name", ".time"):
            above = box(browser, f"{row} {part}")
            assert above[3] <= text[1] + 1, (part, above, text)
        left, top, right, bottom = box(browser, ".player")
        assert 0 < bottom - top <= 780 / 12 and bottom <= 780, (top, bottom)
        browser.size(1280, 800)


def echo(browser, check):
    button = "#speakers [data-speaker=echo]"
    with check("echo is hidden"):
        browser.open(f"{page}#/session/{leaking}")
        eventually(lambda: listed(browser) == ["Me", "Call", "Echo (6 words)"], "the speakers")
        eventually(lambda: shown_words(browser) == [0, 3, 0, 2, 1, 1], "the rows without echo")
        assert not browser.shows("li[data-row='0'] .time")
        known = browser.json(f"api/sessions/{leaking}/speakers")
        assert [one["segments"] for one in known["speakers"]] == [[4], [1, 3, 5]], known
        assert browser.json(f"api/sessions/{leaking}/unsure")["count"] == 7
    with check("keys go to shown rows only"):
        seen = []
        browser.run("document.getElementById('scroller').focus();")
        for key in "jjjjjkkkk":
            browser.press(key)
            seen.append(current(browser))
        assert seen == [1, 3, 4, 5, 5, 4, 3, 1, 1], seen
    with check("keys go to shown words only"):
        seen = []
        for key in [Keys.ARROW_RIGHT] * 8 + [Keys.ARROW_LEFT] * 7:
            browser.press(key)
            seen.append(browser.run("const e = document.activeElement; return [e.closest('li').dataset.row, e.dataset.word].join(' ');"))
        forwards = ["1 0", "1 1", "1 2", "3 0", "3 1", "4 0", "5 0"]
        assert seen == forwards + ["5 0"] + forwards[-2::-1] + ["1 0"], seen
    with check("after a correction, the next shown word follows"):
        browser.click("li[data-row='1'] [data-word='2']")
        eventually(lambda: focused(browser) == "word-field", "the field")
        browser.press("Their", Keys.ENTER)
        eventually(lambda: browser.shows("#word-next"), "it is stored")
        browser.press(Keys.ARROW_RIGHT)
        eventually(lambda: focused(browser) == "word-field", "the next one")
        assert current(browser) == 3
        browser.press(Keys.ESCAPE)
    with check("the button shows echo, and hides it again"):
        browser.click(button)
        eventually(lambda: shown_words(browser) == [3, 3, 2, 2, 2, 1], "all rows")
        assert browser.find(button).get_attribute("aria-pressed") == "true"
        accessible(browser, "echo")
        browser.run("document.getElementById('scroller').focus();")
        browser.press("k")
        assert current(browser) == 2
        browser.click(button)
        eventually(lambda: shown_words(browser) == [0, 3, 0, 2, 1, 1], "the rows without echo")
        assert browser.find(button).get_attribute("aria-pressed") == "false"
    with check("exports leave echo out unless it is asked for"):
        for query, options in ("", []), ("&echo=yes", ["--with-echo"]):
            path = f"api/sessions/{leaking}/export?format=txt{query}"
            text = browser.run_async("return await (await fetch(given[0])).text();", path)
            assert text == printed("--format", "txt", *options, session=leaking), text
            assert text.lower().count("morning") == 1 + len(options), text


with Browser(screenshots) as browser:
    check = Checks(functools.partial(browser.picture))
    with check("speakers have names, colours and labels that all differ"):
        browser.open(f"{page}#/session/{place}")
        eventually(lambda: rows(browser) and all(rows(browser)), "the rows")
        eventually(lambda: listed(browser) == ["Microphone", "Call"], "the speakers")
        colours = browser.run(
            "return [...document.querySelectorAll('#speakers .speaker-dot')].map((b) => getComputedStyle(b).backgroundColor);")
        assert len(set(colours)) == 2, colours
        said = [one["label"] for one in browser.run(
            "return [...document.querySelectorAll('#rows .said-by')].map((b) => ({label: b.textContent}));")]
        assert said == [name[0] for name in exported()], (said, exported())
        accessible(browser, "speakers")
    look(browser, check)
    with check("a speaker is renamed in place"):
        browser.click("#speakers button")
        eventually(lambda: browser.shows("#speaker-bar"), "what can be done")
        eventually(lambda: browser.texts("#rows > li.dimmed"), "the rows of the other are dimmed")
        accessible(browser, "speaker-chosen")
        browser.run("const f = document.getElementById('speaker-name'); f.focus(); f.select();")
        browser.press("Anna", Keys.ENTER)
        eventually(lambda: listed(browser) == ["Anna", "Call"], "the name")
        eventually(lambda: "Anna" in browser.texts("#rows .speaker-name"), "the name in the rows")
        assert "Anna" in exported() and "Microphone" not in exported()
    with check("j goes through the rows of the chosen speaker"):
        browser.run("document.getElementById('scroller').focus();")
        mine = speakers(browser)["Anna"]["segments"]
        segments = browser.json(f"api/sessions/{place}/segments")["segments"]
        mine = [row for row in mine if segments[row]["beginsParagraph"]]
        seen = []
        for _ in mine:
            seen.append(current(browser))
            browser.press("j")
        assert seen == mine, (seen, mine)
        last = current(browser)
        assert last == mine[-1], "after the last one it stays there"
    with check("what a speaker said is searched for"):
        browser.click("#speaker-search")
        assert focused(browser) == "query"
        row = speakers(browser)["Anna"]["segments"][0]
        word = max(browser.json(f"api/sessions/{place}/segments/{row}")["words"], key=lambda one: len(one["text"]))["text"]
        browser.press(word)
        eventually(lambda: browser.texts("#hits a"), "the hits")
        found = browser.run("return [...document.querySelectorAll('#hits a')].map((a) => a.hash.split('/')[3].split('?')[0]);")
        assert found and all(int(one) in speakers(browser)["Anna"]["segments"] for one in found), found
        shown = browser.run(
            """
            const name = document.querySelector('#hits .hit-source');
            const date = document.querySelector('#hits .hit-date');
            name.textContent = 'Conversation with a person of a long name '.repeat(4);
            const size = (one) => parseFloat(getComputedStyle(one).fontSize);
            return [name.scrollWidth, name.clientWidth, name.scrollHeight, name.clientHeight, size(name), size(date)];
            """)
        assert shown[0] <= shown[1] and shown[2] <= shown[3], f"the name is cut off: {shown}"
        assert shown[5] < shown[4], f"the date is as large as the name: {shown}"
        browser.press(Keys.ESCAPE)
        browser.click("#speaker-all")
        eventually(lambda: not browser.texts("#rows > li.dimmed"), "all rows are as before")
    with check("by keys alone, a row gets another speaker, and then a new one"):
        browser.run("document.getElementById('scroller').focus();")
        browser.press(Keys.HOME)
        browser.press("j")
        row = current(browser)
        before = exported()[row]
        browser.press("w")
        eventually(lambda: browser.shows("#speaker-popup"), "the popup")
        accessible(browser, "speaker-popup")
        browser.press(Keys.ARROW_DOWN if before == "Anna" else Keys.ARROW_UP, Keys.ENTER)
        other = "Call" if before == "Anna" else "Anna"
        eventually(lambda: exported()[row] == other, "the other speaker")
        eventually(lambda: not browser.shows("#speaker-popup"), "the popup is closed")
        eventually(lambda: browser.text(f"li[data-row='{row}'] .said-by") == other[0], "it in the row")
        browser.press("w")
        eventually(lambda: browser.shows("#speaker-popup"), "the popup")
        browser.run("document.getElementById('new-speaker').focus();")
        browser.press("<b>Ben</b>", Keys.ENTER)
        eventually(lambda: listed(browser) == ["Anna", "Call", "<b>Ben</b>"], "the new one")
        assert exported()[row] == "<b>Ben</b>"
        browser.press(Keys.ESCAPE)
    with check("two speakers become one, after a question"):
        browser.click("#speakers li:nth-child(3) button")
        browser.run("const f = document.getElementById('speaker-name'); f.focus(); f.select();")
        browser.press("anna", Keys.ENTER)
        eventually(lambda: browser.shows("#merge-dialog[open]"), "the question")
        accessible(browser, "merge-speakers")
        browser.press(Keys.ENTER)
        eventually(lambda: not browser.shows("#merge-dialog[open]"), "the first button cancels")
        assert listed(browser) == ["Anna", "Call", "<b>Ben</b>"]
        browser.run("document.getElementById('speaker-name').focus();")
        browser.press(Keys.ENTER)
        eventually(lambda: browser.shows("#merge-dialog[open]"), "the question again")
        browser.click("#merge-confirm")
        eventually(lambda: listed(browser) == ["Anna", "Call"], "one less")
        assert exported()[row] == "Anna"
    with check("a merge is undone, and done again"):
        eventually(lambda: browser.shows("#speaker-unmerge"), "the button")
        accessible(browser, "merged-speakers")
        browser.click("#speaker-unmerge")
        eventually(lambda: listed(browser) == ["Anna", "Call", "<b>Ben</b>"], "one more")
        assert exported()[row] == "<b>Ben</b>"
        assert not browser.shows("#speaker-unmerge")
        browser.click("#speakers li:nth-child(3) button")
        browser.run("const f = document.getElementById('speaker-name'); f.focus(); f.select();")
        browser.press("anna", Keys.ENTER)
        eventually(lambda: browser.shows("#merge-dialog[open]"), "the question")
        browser.click("#merge-confirm")
        eventually(lambda: listed(browser) == ["Anna", "Call"], "one less")
    with check("Ctrl+Z takes a merge back among the changes of the text, and makes it again"):
        def changed(key, expected, shift=False):
            browser.run("document.getElementById('scroller').focus();")
            command(browser, key, shift=shift)
            eventually(expected, "the step")

        def words():
            return [one["text"] for one in browser.json(f"api/sessions/{place}/segments")["segments"]]

        before = words()
        row = speakers(browser)["Anna"]["segments"][0]
        browser.click(f".part[data-row='{row}'] .word")
        eventually(lambda: focused(browser) == "word-field", "the field")
        browser.press("Qwert", Keys.ENTER)
        eventually(lambda: browser.shows("#word-next"), "it is stored")
        browser.press(Keys.ESCAPE)
        changed("z", lambda: words() == before)
        assert listed(browser) == ["Anna", "Call"]
        changed("z", lambda: listed(browser) == ["Anna", "Call", "<b>Ben</b>"])
        assert words() == before
        changed("z", lambda: listed(browser) == ["Anna", "Call"], shift=True)
        changed("z", lambda: any("Qwert" in text for text in words()), shift=True)
        changed("z", lambda: words() == before)
    with check("a corrected row keeps its speaker"):
        browser.click("#speaker-all")
        row = speakers(browser)["Anna"]["segments"][-1]
        part = f".part[data-row='{row}']"
        browser.click(f"{part} .word")
        eventually(lambda: focused(browser) == "word-field", "the field")
        browser.press("Zyxwvu", Keys.ENTER)
        eventually(lambda: browser.shows("#word-next"), "it is stored")
        browser.press(Keys.ESCAPE)
        eventually(lambda: "Zyxwvu" in browser.text(part), "the word in its row")
        assert browser.text(f"li:has({part}) .said-by") == "A"
        assert exported()[row] == "Anna"
    with check("the export is with speakers or without, as was chosen last"):
        def saved(name="call.txt"):
            for file in browser.downloads.iterdir():
                file.unlink()
            browser.click("#export-save")
            file = browser.downloads / name
            return eventually(lambda: file.exists() and file.read_text(), "the file")

        browser.click("#export")
        assert browser.shows("#export-speakers")
        assert "Anna: " in saved()
        browser.click("#export")
        browser.click("#export-speakers")
        accessible(browser, "export-speakers")
        assert saved() == printed("--format", "txt", "--without-speakers")
        browser.click("#export")
        assert not browser.run("return document.getElementById('export-speakers').checked;")
        browser.run("const f = document.getElementById('export-format'); f.value = 'tsv';"
                    "f.dispatchEvent(new Event('change'));")
        assert not browser.shows("#export-speakers")
        browser.press(Keys.ESCAPE)
    echo(browser, check)
    with check("the export has numbers in figures, where the format has other ones than the recognizer's"):
        written = printed("--format", "md", "--without-speakers", "--numbers", "written", session=leaking)
        assert "20" in written, written
        choose = ("for (const [id, value] of Object.entries(arguments[0])) { const f = document.getElementById(id);"
                  "f.value = value; f.dispatchEvent(new Event('change')); }")
        browser.click("#export")
        browser.run(choose, {"export-format": "json"})
        assert not browser.shows("#export-numbers")
        browser.run(choose, {"export-format": "md", "export-numbers": "written"})
        accessible(browser, "export-numbers")
        assert saved("Call.md") == written
        browser.click("#export")
        assert browser.run("return document.getElementById('export-numbers').value;") == "written"
        browser.press(Keys.ESCAPE)
    with check("who speaks in the middle of a segment is named there, as in documents"):
        browser.open(f"{page}#/session/{interrupted}")
        eventually(lambda: "neighbour" in browser.text("#rows"), "the text")
        eventually(lambda: browser.texts("#rows .turn"), "the names")
        lines = browser.run("""
            return [...document.querySelectorAll('#rows .segment')].flatMap((row) => {
              const first = row.querySelector('.speaker-name').textContent;
              return `${first}: ${row.querySelector('.text').innerText}`.split('\\n').reduce((parts, line) => {
                if (line.endsWith(':')) parts.push(`${line} `);
                else parts.push((parts.length && parts.at(-1).endsWith(': ') ? parts.pop() : '') + line.trim());
                return parts;
              }, []);
            }).map((line) => line.trim());""")
        exported_lines = [line for line in printed("--format", "txt", session=interrupted).split("\n") if line]
        assert lines == exported_lines, (lines, exported_lines)
        accessible(browser, "turns")
        browser.driver.save_screenshot(f"{screenshots}/turns.png")
    with check("the page has logged no error"):
        complaints = browser.complaints()
        assert not complaints, "\n".join(complaints)
    check.end()
